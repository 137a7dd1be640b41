"""The watcher's eyes: what it asks a disk about files and folders, and the real disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_ARCHIVE_BYTES, MAX_SCAN_DEPTH, MAX_SCAN_ENTRIES
from vassal_bridge.watch.policy import (
    TAIL_LENGTH,
    End,
    Stamp,
    end_of,
    is_candidate,
    is_skipped_folder,
)

ELSEWHERE_WINDOWS = 0x00001000 | 0x00400000
"""FILE_ATTRIBUTE_OFFLINE, RECALL_ON_DATA_ACCESS: a cloud file whose content is not here."""
ELSEWHERE_MACOS = 0x40000000
"""SF_DATALESS: the same."""


class Disk(Protocol):
    """The questions the watcher asks; the real answers are `RealDisk`."""

    def stamp(self, path: Path) -> Stamp | None:
        """How a file looks; None when it is not there, no plain file, or only in a cloud."""

    def end(self, path: Path, size: int) -> End:
        """What its end says. Raises OSError when it cannot be opened."""

    def read(self, path: Path) -> bytes:
        """All of it. Raises OSError or LimitReached."""

    def scan(self, root: Path, out: Path | None) -> Iterator[tuple[Path, Stamp]]:
        """The candidates below `root`, without our own outputs. Raises OSError, LimitReached."""

    def folder_id(self, path: Path) -> int | None:
        """Identity of a folder, so that one made anew is told from the old; None = not there."""

    def exists(self, path: Path) -> bool:
        """Whether a file is there."""


class RealDisk:
    """The disk of this computer."""

    def stamp(self, path: Path) -> Stamp | None:
        """See `Disk`."""
        try:
            return _stamp_of(path.stat())
        except (OSError, ValueError):
            return None

    def end(self, path: Path, size: int) -> End:
        """See `Disk`."""
        with path.open("rb") as file:
            head = file.read(4)
            file.seek(max(0, size - TAIL_LENGTH))
            tail = file.read(TAIL_LENGTH + 1)
        return end_of(size, head, tail) if len(tail) <= min(size, TAIL_LENGTH) else End.OPEN

    def read(self, path: Path) -> bytes:
        """See `Disk`."""
        with path.open("rb") as file:
            data = file.read(MAX_ARCHIVE_BYTES + 1)
        if len(data) > MAX_ARCHIVE_BYTES:
            raise LimitReached(f"larger than {MAX_ARCHIVE_BYTES} bytes")
        return data

    def scan(self, root: Path, out: Path | None) -> Iterator[tuple[Path, Stamp]]:
        """See `Disk`; links to folders are not followed, so there are no loops."""
        left = MAX_SCAN_ENTRIES
        pending = [(str(root), 0)]
        skipped = str(out) if out is not None else None
        while pending:
            folder, depth = pending.pop()
            try:
                entries = list(os.scandir(folder))
            except OSError:
                if depth == 0:
                    raise
                continue  # a subfolder that went away, or that is not for us
            left -= len(entries)
            if left < 0:
                raise LimitReached(f"more than {MAX_SCAN_ENTRIES} files and folders")
            for entry in entries:
                if _is_folder(entry):
                    ours = is_skipped_folder(entry.name) or entry.path == skipped
                    if depth < MAX_SCAN_DEPTH and not ours:
                        pending.append((entry.path, depth + 1))
                elif is_candidate(entry.name):
                    path = Path(entry.path)
                    found = self.stamp(path)
                    if found is not None:
                        yield path, found

    def folder_id(self, path: Path) -> int | None:
        """See `Disk`."""
        try:
            info = path.stat()
        except (OSError, ValueError):
            return None
        return info.st_ino if stat.S_ISDIR(info.st_mode) else None

    def exists(self, path: Path) -> bool:
        """See `Disk`."""
        try:
            return path.exists()
        except (OSError, ValueError):
            return False


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _stamp_of(info: os.stat_result) -> Stamp | None:
    if not stat.S_ISREG(info.st_mode):
        return None
    if getattr(info, "st_file_attributes", 0) & ELSEWHERE_WINDOWS:
        return None
    if getattr(info, "st_flags", 0) & ELSEWHERE_MACOS:
        return None
    return Stamp(info.st_size, info.st_mtime_ns, info.st_ino)
