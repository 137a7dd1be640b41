"""Which logs of a folder belong together, and in which order (conventions.md 2 to 4).

A log holds the date at which VASSAL wrote it; file names are only a fallback, compared as people
read them (`log 9` before `log 10`). A log that was taken up again begins with all steps of the
earlier file: the earlier one is then left out, so that each rout is judged once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal import Saved, open_saved, without_marks
from vassal_bridge.vassal.game import STEP_STARTS
from vassal_bridge.vassal.sequence import top_tokens

SUFFIXES = (".vlog", ".vsav", ".zip")
OWN_MARK = ".rout."
"""In the name of everything this program writes."""
OWN_FOLDER = "rout"
_DATE = re.compile(rb"<dateSaved>\s*(\d{1,15})\s*</dateSaved>")
_STEP_BYTES = 8


@dataclass(frozen=True, slots=True)
class Trail:
    """What tells a file from others.

    Attributes:
        path: the file.
        kind: ``vlog`` or ``vsav``; "" if it cannot be read.
        saved_at: milliseconds since 1970 as VASSAL wrote it, 0 if unknown.
        start: digest of the start position's text.
        steps: a digest of `_STEP_BYTES` bytes per log step, one after the other.
        error: why it cannot be read.
    """

    path: Path
    kind: str = ""
    saved_at: int = 0
    start: bytes = b""
    steps: bytes = b""
    error: VassalBridgeError | None = None

    def continues(self, earlier: Trail) -> bool:
        """Whether this log begins with all of an earlier one."""
        return (
            self.kind == earlier.kind == "vlog"
            and self.start == earlier.start
            and len(self.steps) > len(earlier.steps)
            and self.steps.startswith(earlier.steps)
        )


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A file name as people order it.

    >>> sorted(["log 10.vlog", "log 9.vlog"], key=natural)
    ['log 9.vlog', 'log 10.vlog']
    """
    parts = re.split(r"(\d{1,18})", name.casefold())
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in parts if part)


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The files meant by files and folders; own outputs are left out of folders.

    Args:
        paths: files are taken as they are, folders with everything below them.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        inside = [
            each
            for each in path.rglob("*")
            if each.suffix.casefold() in SUFFIXES
            and OWN_MARK not in each.name
            and OWN_FOLDER not in each.relative_to(path).parts[:-1]
            and each.is_file()
        ]
        found += sorted(inside, key=lambda each: natural(each.as_posix()))
    return list(dict.fromkeys(found))


def trail_of(path: Path) -> Trail:
    """Read what tells a file from others; an unreadable file says why."""
    try:
        return trail_of_saved(without_marks(open_saved(path)), path)
    except VassalBridgeError as error:
        return Trail(path, error=error)


def trail_of_saved(saved: Saved, path: Path) -> Trail:
    """The trail of a file that is already read."""
    start = hashlib.blake2b(digest_size=16)
    steps = bytearray()
    for token in top_tokens(saved.text):
        text = token.encode("utf-8", "surrogatepass")
        if token.startswith(STEP_STARTS):
            steps += hashlib.blake2b(text, digest_size=_STEP_BYTES).digest()
        elif not steps:
            start.update(text)
    return Trail(path, saved.kind, _date(saved), start.digest(), bytes(steps))


def _date(saved: Saved) -> int:
    for name, data in saved.members.items():
        if name.rpartition("/")[2] == "savedata":
            match = _DATE.search(data[:65536])
            return int(match.group(1)) if match is not None else 0
    return 0


def in_order(trails: Sequence[Trail], *, sort: bool) -> list[Trail]:
    """Logs of one game in the order of play.

    Args:
        trails: all files.
        sort: by date saved, then name; False keeps the order given (files named one by one).
    """
    if not sort:
        return list(trails)
    return sorted(
        trails, key=lambda trail: (trail.saved_at, natural(trail.path.name), str(trail.path))
    )


def superseded(trails: Sequence[Trail]) -> dict[Path, Path]:
    """Logs of which another one holds every step and more: path -> path of the longest."""
    found: dict[Path, Path] = {}
    by_start: dict[bytes, list[Trail]] = {}
    for trail in trails:
        if trail.kind == "vlog":
            by_start.setdefault(trail.start, []).append(trail)
    for group in by_start.values():
        group.sort(key=lambda trail: (-len(trail.steps), str(trail.path)))
        for place, trail in enumerate(group):
            longer = next((other for other in group[:place] if other.continues(trail)), None)
            same = next((o for o in group[:place] if o.steps == trail.steps), None)
            holder = longer or same
            if holder is not None:
                found[trail.path] = holder.path
    return found
