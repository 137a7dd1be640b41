"""The module's own counter pictures, read from a module file (.vmod) when one is at hand."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final

from vassal_bridge.limits import MAX_ART_BYTES
from vassal_bridge.report.picture import ArtProvider

SUFFIXES: Final = ("", ".gif", ".png", ".svg", ".jpg")


def module_art(path: Path) -> ArtProvider | None:
    """A provider of counter pictures from a module file; None when it cannot be read.

    Args:
        path: the .vmod; it is only read.
    """
    try:
        archive = zipfile.ZipFile(path)
        members = {info.filename: info for info in archive.infolist()}
    except (OSError, zipfile.BadZipFile):
        return None
    found: dict[str, bytes | None] = {}

    def art(name: str) -> bytes | None:
        if name not in found:
            found[name] = _read(archive, members, name)
        return found[name]

    return art


def _read(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> bytes | None:
    for suffix in SUFFIXES:
        info = members.get(f"images/{name}{suffix}")
        if info is None or info.is_dir() or info.file_size > MAX_ART_BYTES:
            continue
        try:
            with archive.open(info) as member:
                data = member.read(MAX_ART_BYTES + 1)
        except (OSError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError):
            return None
        return data if len(data) <= MAX_ART_BYTES else None
    return None
