"""The module's own counter pictures, read from a module file (.vmod) when one is at hand."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, Final

from vassal_bridge.filesafe import open_plain
from vassal_bridge.limits import MAX_ART_BYTES, MAX_MODULE_DIRECTORY_BYTES
from vassal_bridge.report.picture import ArtProvider

SUFFIXES: Final = ("", ".gif", ".png", ".svg", ".jpg")
_END_BYTES: Final = 65_557
_FAULTS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # with NotImplementedError: a password, an unknown packing
    ValueError,  # with UnicodeDecodeError
    IndexError,
    OverflowError,
    MemoryError,
)


def module_art(path: Path) -> ArtProvider | None:
    """A provider of counter pictures from a module file; None when it cannot be read.

    Args:
        path: the .vmod; it is only read.
    """
    try:
        with open_plain(path) as stream:
            if _directory_bytes(stream) > MAX_MODULE_DIRECTORY_BYTES:
                return None
        archive = zipfile.ZipFile(path)
        members = {info.filename: info for info in archive.infolist()}
    except _FAULTS:
        return None
    found: dict[str, bytes | None] = {}

    def art(name: str) -> bytes | None:
        if name not in found:
            found[name] = _read(archive, members, name)
        return found[name]

    return art


def _directory_bytes(stream: BinaryIO) -> int:
    """What the end of a zip says about its directory, which is listed as a whole when it is opened.

    Raises:
        BadZipFile: it says nothing, or twice (zip64).
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _END_BYTES))
    tail = stream.read(_END_BYTES)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or tail[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise zipfile.BadZipFile
    return int(struct.unpack_from("<I", tail, at + 12)[0])


def _read(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> bytes | None:
    for suffix in SUFFIXES:
        info = members.get(f"images/{name}{suffix}")
        if info is None or info.is_dir() or info.file_size > MAX_ART_BYTES:
            continue
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return None
        try:
            with archive.open(info) as member:
                data = member.read(MAX_ART_BYTES + 1)
        except _FAULTS:
            return None
        return data if len(data) <= MAX_ART_BYTES else None
    return None
