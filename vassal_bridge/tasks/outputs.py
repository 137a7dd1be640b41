"""Where outputs go, and the promise that only files of our own are ever replaced.

Every output carries a mark by which it is known again (conventions.md 3): the pages, pictures and
data say who made them, the texts end with a line of ours, and the annotated copies have a remark at
the end of their zip, which is gone as soon as VASSAL saves over them.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from vassal_bridge.errors import FileError, UsageError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.report import FORMATS
from vassal_bridge.vassal import atomic_write
from vassal_bridge.vassal.archive import ZIP_REMARK

OUT_FOLDER: Final = "rout"
"""Sibling folder for outputs when none is named (conventions.md 3)."""
STEMS: Final = (".rout.yaml", ".rout.yml", ".yaml", ".yml", ".vsav", ".vlog", ".zip")
TEXT_MARK: Final = "(vassal-bridge)\n"
"""Last line of a text that is written to a file."""
_HEAD_BYTES, _TAIL_BYTES = 4096, 256
_HEADS: Final = (
    re.compile(rb'^\s*[\[{]\s*\{?\s*"schema": "vassal-bridge/'),
    re.compile(rb'<meta name="generator" content="vassal-bridge '),
    re.compile(rb'^<\?xml[^>]{0,80}>\s*<svg[^>]{0,1500} data-made-by="vassal-bridge"'),
    re.compile(rb"^\x89PNG.{0,256}Software\x00vassal-bridge", re.DOTALL),
    re.compile(rb"^source,target,range,blocked,hindrance\n"),
)


def is_ours(path: Path) -> bool:
    """Whether a file is one that the program wrote; a link or a folder never is."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _TAIL_BYTES))
            tail = stream.read(_TAIL_BYTES)
    except OSError:
        return False
    if tail.endswith((ZIP_REMARK, TEXT_MARK.encode())):
        return True
    return any(pattern.search(head) for pattern in _HEADS)


def write_output(target: Path, data: bytes, source: Path | None = None) -> Path:
    """Write an output atomically: never over the input, never over a file of somebody else.

    Args:
        target: the file.
        data: all of it.
        source: the input.

    Returns:
        The target.

    Raises:
        UsageError: the target is the input itself.
        FileError: a file that is not ours is in the way, or it cannot be written.
    """
    if os.path.lexists(target):
        _check(target, data, source)
    atomic_write(target, data)
    return target


def _check(target: Path, data: bytes, source: Path | None) -> None:
    """Whether what lies at `target` may be replaced.

    Raises:
        UsageError: it is the input.
        FileError: it may not.
    """
    try:
        if source is not None and source.exists() and target.samefile(source):
            raise UsageError("would overwrite the input", file=str(target))
    except OSError:
        pass
    if target.is_symlink():
        raise FileError("is a link; outputs are not written over links", file=str(target))
    if target.is_dir():
        raise FileError("is a folder, not a file", file=str(target))
    if not target.is_file():
        raise FileError("is no plain file", file=str(target))
    if not is_ours(target) and not _same(target, data):
        raise FileError(
            "exists and was not written by vassal-bridge: move it away, or name another place",
            file=str(target),
        )


def _same(target: Path, data: bytes) -> bool:
    try:
        return target.stat().st_size == len(data) and read_bounded(target, len(data)) == data
    except (OSError, FileError):
        return False


def stem_of(path: Path) -> str:
    """A file's name without what says its kind; never split on spaces or other dots."""
    name = path.name
    for suffix in STEMS:
        if name.casefold().endswith(suffix):
            return name[: -len(suffix)]
    return name


class Outputs:
    """Names for the outputs of one command: no two inputs get the same one.

    `S1.vsav` and `S1.vlog` often lie side by side: the save keeps the plain stem, the log's outputs
    are called ``S1.vlog.rout.…``, as the watcher calls them.

    Args:
        out: the folder; None = `OUT_FOLDER` beside each input.
    """

    def __init__(self, out: Path | None) -> None:
        self._out = out
        self._taken: dict[tuple[Path, str], Path] = {}
        self._stems: dict[Path, str] = {}

    def path(self, source: Path, format_: str) -> Path:
        """Where an output goes: ``<stem>.rout.<format>``."""
        folder = self._out if self._out is not None else source.parent / OUT_FOLDER
        suffix = FORMATS[format_].suffix if format_ in FORMATS else f".{format_}"
        return folder / f"{self._stem(source, folder)}.rout{suffix}"

    def write(self, source: Path, format_: str, data: bytes) -> Path:
        """Write an output of an input; see `write_output`."""
        if format_ == "text":
            data = marked_text(data)
        return write_output(self.path(source, format_), data, source)

    def _stem(self, source: Path, folder: Path) -> str:
        if source not in self._stems:
            stem = stem_beside(source, _names_in(source.parent))
            tries = [stem, f"{source.parent.name} {stem}"]
            tries += [f"{stem} {number}" for number in range(2, 10_000)]
            for each in tries:
                key = (folder, each.casefold())
                if self._taken.setdefault(key, source) == source:
                    self._stems[source] = each
                    break
        return self._stems[source]


def stem_beside(path: Path, neighbours: Iterable[str]) -> str:
    """What stands before ``.rout.<format>``, given the names in the input's folder."""
    from vassal_bridge.watch.policy import is_candidate, output_stem

    plain = stem_of(path)
    names = [name for name in neighbours if name != path.name]
    if is_candidate(path.name):
        return output_stem(path.name, names)
    alike = (name for name in names if is_candidate(name))
    taken = any(stem_of(Path(name)).casefold() == plain.casefold() for name in alike)
    return path.name if taken else plain


def _names_in(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries]
    except OSError:
        return []


def marked_text(data: bytes) -> bytes:
    """A text as it is written to a file."""
    return data + TEXT_MARK.encode()
