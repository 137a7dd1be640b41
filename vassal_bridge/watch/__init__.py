"""Watching folders for saved games and logs (reliability.md D).

`watch` runs until Ctrl-C or SIGTERM. What is done with a file is a `Job` handed in: it gets a
`ReadyFile` and gives a `JobResult`. Nothing here knows what a rout is.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from vassal_bridge.errors import UsageError
from vassal_bridge.watch.console import Console
from vassal_bridge.watch.desk import Desk, Key, no_key
from vassal_bridge.watch.disk import RealDisk
from vassal_bridge.watch.events import (
    Done,
    Event,
    Failed,
    FolderBack,
    FolderGone,
    Listener,
    NotWhole,
    Polling,
    Same,
    Started,
    Stopped,
    TooLarge,
    Unreadable,
)
from vassal_bridge.watch.loop import Watcher
from vassal_bridge.watch.policy import Pace
from vassal_bridge.watch.sources import NoSource, Source, WatchdogSource
from vassal_bridge.watch.state import RealClock, Rhythm
from vassal_bridge.watch.store import DiskStore
from vassal_bridge.watch.work import Job, JobResult, ReadyFile

__all__ = [
    "Console",
    "Done",
    "Event",
    "Failed",
    "FolderBack",
    "FolderGone",
    "Job",
    "JobResult",
    "Key",
    "Listener",
    "NotWhole",
    "Pace",
    "Polling",
    "ReadyFile",
    "Rhythm",
    "Same",
    "Started",
    "Stopped",
    "TooLarge",
    "Unreadable",
    "Watcher",
    "make_watcher",
    "watch",
    "watched_roots",
]


def watch(
    folders: Sequence[Path],
    job: Job,
    *,
    listeners: Sequence[Listener],
    out: Path | None = None,
    key: Key = no_key,
    polling: bool = False,
) -> int:
    """Watch until Ctrl-C or SIGTERM; both end it cleanly within two seconds.

    Args:
        folders: with all their subfolders; they need not exist yet.
        job: what is done with each new content.
        listeners: told of everything that happens, e.g. a `Console`, the live view.
        out: one folder for all outputs; None = `rout` beside each file.
        key: what besides a file's content decides its result; when it changes, files are redone.
        polling: do not ask the operating system for notices, look every second.

    Returns:
        How many files were dealt with.

    Raises:
        UsageError: no folder was named, or one of them is a file.
    """
    done = 0

    def tell(event: Event) -> None:
        nonlocal done
        done += isinstance(event, Done)
        for listener in listeners:
            listener(event)

    watcher = make_watcher(folders, job, listener=tell, out=out, key=key, polling=polling)
    with _stopping_on_signals(watcher):
        watcher.run()
    return done


def make_watcher(
    folders: Sequence[Path],
    job: Job,
    *,
    listener: Listener,
    out: Path | None = None,
    key: Key = no_key,
    polling: bool = False,
    pace: Pace | None = None,
    rhythm: Rhythm | None = None,
) -> Watcher:
    """A `Watcher` on the real disk and clock; see `watch`."""
    roots = watched_roots(folders)
    disk = RealDisk()
    out = _absolute(out) if out is not None else None
    source: Source = NoSource() if polling else WatchdogSource()
    desk = Desk(job, disk, DiskStore(), roots=roots, out=out, key=key)
    return Watcher(
        roots,
        desk,
        disk=disk,
        source=source,
        clock=RealClock(),
        listener=listener,
        out=out,
        pace=pace,
        rhythm=rhythm,
    )


def watched_roots(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The folders to watch: absolute, each once, none inside another.

    Raises:
        UsageError: none, or one of them is a file.
    """
    roots: list[Path] = []
    for folder in sorted({_absolute(folder) for folder in folders}):
        if folder.is_file():
            raise UsageError("is a file; watch wants a folder", file=str(folder))
        if not any(folder.is_relative_to(root) for root in roots):
            roots.append(folder)
    if not roots:
        raise UsageError("no folder to watch")
    return tuple(roots)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  (links stay as the user wrote them)


@contextmanager
def _stopping_on_signals(watcher: Watcher) -> Iterator[None]:
    """SIGINT and SIGTERM ask the watcher to stop, and interrupt a job that is running.

    The handler takes no lock: it may run while the main thread holds one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        again = watcher.stopping
        watcher.stopping = True
        if watcher.working or again:
            raise KeyboardInterrupt

    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGBREAK"):
        numbers.append(signal.SIGBREAK)
    before: dict[int, Callable[..., object] | int | None] = {
        number: signal.signal(number, stop) for number in numbers
    }
    try:
        yield
    except KeyboardInterrupt:
        if not watcher.stopping:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
