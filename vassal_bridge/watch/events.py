"""What the watcher tells its listeners: the console, the live view, tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vassal_bridge.values import frozen
from vassal_bridge.watch.work import JobResult


@frozen
class Started:
    """Watching has begun; `backlog` files were there already and are not done."""

    roots: tuple[Path, ...]
    backlog: int


@frozen
class Done:
    """A file was dealt with."""

    path: Path
    result: JobResult


@frozen
class Same:
    """A file holds what `of` holds, whose outputs are `outputs`; nothing was done."""

    path: Path
    of: str
    outputs: tuple[Path, ...]


@frozen
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


@frozen
class NotWhole:
    """A file has been neither complete nor growing for a while."""

    path: Path


@frozen
class FolderGone:
    """A watched folder is not there (any more)."""

    root: Path


@frozen
class FolderBack:
    """A watched folder is there (again)."""

    root: Path


@frozen
class Polling:
    """No events are to be had for a folder: it is looked through again and again instead."""

    root: Path


@frozen
class TooLarge:
    """A folder holds more than one scan looks at."""

    root: Path
    text: str


@frozen
class Unreadable:
    """A folder is there but cannot be looked through."""

    root: Path
    text: str


@frozen
class Stopped:
    """Watching has ended."""

    done: int


FileEvent = Done | Same | Failed | NotWhole
FolderEvent = FolderGone | FolderBack | Polling | TooLarge | Unreadable
Event = Started | FileEvent | FolderEvent | Stopped
Listener = Callable[[Event], None]
