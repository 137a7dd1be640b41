"""What the watcher tells its listeners: the console, the live view, tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vassal_bridge.watch.work import JobResult


@dataclass(frozen=True, slots=True)
class Started:
    """Watching has begun; `backlog` files were there already and are not done."""

    roots: tuple[Path, ...]
    backlog: int


@dataclass(frozen=True, slots=True)
class Done:
    """A file was dealt with."""

    path: Path
    result: JobResult


@dataclass(frozen=True, slots=True)
class Same:
    """A file holds what `of` holds, whose outputs are `outputs`; nothing was done."""

    path: Path
    of: str
    outputs: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Failed:
    """A file could not be dealt with; told once, until it changes.

    Attributes:
        path: the file.
        text: why, one line.
        fault: the program is to blame, not the file.
    """

    path: Path
    text: str
    fault: bool = False


@dataclass(frozen=True, slots=True)
class NotWhole:
    """A file has been neither complete nor growing for a while."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderGone:
    """A watched folder is not there (any more)."""

    root: Path


@dataclass(frozen=True, slots=True)
class FolderBack:
    """A watched folder is there (again)."""

    root: Path


@dataclass(frozen=True, slots=True)
class Polling:
    """No events are to be had for a folder: it is looked through again and again instead."""

    root: Path


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A folder holds more than one scan looks at."""

    root: Path
    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A folder is there but cannot be looked through."""

    root: Path
    text: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Watching has ended."""

    done: int


FileEvent = Done | Same | Failed | NotWhole
FolderEvent = FolderGone | FolderBack | Polling | TooLarge | Unreadable
Event = Started | FileEvent | FolderEvent | Stopped
Listener = Callable[[Event], None]
