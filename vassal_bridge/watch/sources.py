"""Where notices of changes come from: the operating system, through watchdog.

A source only says *look there*; it never decides. What it misses, the scans of the loop find. A
folder whose events cannot be had (network drives, too many watches) is polled by those scans.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from vassal_bridge.watch.policy import Sign, is_candidate

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import BaseObserver, ObservedWatch


@dataclass(frozen=True, slots=True)
class Notice:
    """A file about which something was noticed.

    Attributes:
        root: the watched folder.
        path: the file; None = look through the whole folder (a folder came in, events were lost).
        sign: what was noticed.
    """

    root: Path
    path: Path | None
    sign: Sign = Sign.CHANGED


class Source(Protocol):
    """Notices of changes below watched folders."""

    def open(self, root: Path) -> bool:
        """Begin with a folder that exists; False = this source cannot watch it."""

    def close(self, root: Path) -> None:
        """Leave a folder, which may be gone."""

    def alive(self, root: Path) -> bool:
        """Whether notices still come from a folder."""

    def take(self) -> Sequence[Notice]:
        """The notices since the last call, one per file."""

    def wait(self, seconds: float) -> None:
        """Sleep until there is a notice, `wake` is called, or time is up."""

    def wake(self) -> None:
        """End a `wait`, from any thread or a signal handler."""

    def stop(self) -> None:
        """End for good."""


class Mailbox:
    """Notices from many threads, merged per file: memory grows with files, not with writes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._signs: dict[tuple[Path, str | None], Sign] = {}
        self._bell = threading.Event()

    def put(self, root: Path, path: str | None, sign: Sign) -> None:
        """Leave a notice; the last sign about a file is what counts."""
        with self._lock:
            self._signs[root, path] = sign
        self._bell.set()

    def take(self) -> list[Notice]:
        """Empty the box."""
        self._bell.clear()
        with self._lock:
            signs, self._signs = self._signs, {}
        return [
            Notice(root, Path(path) if path is not None else None, sign)
            for (root, path), sign in signs.items()
        ]

    def wait(self, seconds: float) -> None:
        """See `Source.wait`."""
        self._bell.wait(max(0.0, seconds))

    def wake(self) -> None:
        """See `Source.wake`."""
        self._bell.set()


class WatchdogSource:
    """Events of the operating system: inotify, FSEvents, ReadDirectoryChangesW."""

    def __init__(self) -> None:
        self._box = Mailbox()
        self._observer: BaseObserver | None = None
        self._watches: dict[Path, ObservedWatch] = {}
        self._lost = _LostEvents(self)

    def open(self, root: Path) -> bool:
        """See `Source`; network drives are refused, their events are not to be had."""
        if is_remote(root):
            return False
        from watchdog import events
        from watchdog.observers import Observer

        if self._observer is None:
            self._observer = Observer()
            self._observer.start()
            logging.getLogger("watchdog").addHandler(self._lost)
        handler = _handler(root, self._box)
        # Asked for by kind, so that our own reading (opened, closed without writing) costs nothing.
        wanted: list[type[FileSystemEvent]] = [
            events.FileCreatedEvent,
            events.FileModifiedEvent,
            events.FileMovedEvent,
            events.FileClosedEvent,
            events.DirCreatedEvent,
            events.DirMovedEvent,
        ]
        try:
            self._watches[root] = self._observer.schedule(
                handler, str(root), recursive=True, event_filter=wanted
            )
        except OSError:  # gone again, no permission, or the system's limit of watches
            return False
        return True

    def close(self, root: Path) -> None:
        """See `Source`."""
        watch = self._watches.pop(root, None)
        if watch is not None and self._observer is not None:
            try:
                self._observer.unschedule(watch)
            except (KeyError, OSError):  # its thread ended by itself when the folder went
                logging.getLogger(__name__).debug("a watch had ended by itself")

    def alive(self, root: Path) -> bool:
        """See `Source`."""
        watch = self._watches.get(root)
        if watch is None or self._observer is None or not self._observer.is_alive():
            return False
        return any(one.watch == watch and one.is_alive() for one in self._observer.emitters.copy())

    def take(self) -> Sequence[Notice]:
        """See `Source`."""
        return self._box.take()

    def wait(self, seconds: float) -> None:
        """See `Source`."""
        self._box.wait(seconds)

    def wake(self) -> None:
        """See `Source`."""
        self._box.wake()

    def lost_events(self) -> None:
        """Ask for a scan of everything."""
        for root in list(self._watches):
            self._box.put(root, None, Sign.SEEN)

    def stop(self) -> None:
        """See `Source`."""
        logging.getLogger("watchdog").removeHandler(self._lost)
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=1.5)
            self._observer = None
        self._watches.clear()


class NoSource(Mailbox):
    """A source without events: every folder is polled by scans."""

    def open(self, root: Path) -> bool:  # noqa: ARG002
        """See `Source`."""
        return False

    def close(self, root: Path) -> None:
        """See `Source`."""

    def alive(self, root: Path) -> bool:  # noqa: ARG002
        """See `Source`."""
        return False

    def stop(self) -> None:
        """See `Source`."""


class _LostEvents(logging.Handler):
    """watchdog tells of lost events (a full queue) only by a warning in its log."""

    def __init__(self, source: WatchdogSource) -> None:
        super().__init__(logging.WARNING)
        self._source = source

    def emit(self, record: logging.LogRecord) -> None:
        del record
        self._source.lost_events()


def _handler(root: Path, box: Mailbox) -> Any:
    """A watchdog handler that filters by kind first, then by name, and only notes down."""
    from watchdog import events

    class Handler(events.FileSystemEventHandler):
        def dispatch(self, event: FileSystemEvent) -> None:
            if event.is_directory:
                if event.event_type in {events.EVENT_TYPE_CREATED, events.EVENT_TYPE_MOVED}:
                    box.put(root, None, Sign.SEEN)
                return
            if event.event_type == events.EVENT_TYPE_MOVED:
                _note(box, root, event.dest_path, Sign.LET_GO)
            elif event.event_type == events.EVENT_TYPE_CLOSED:
                _note(box, root, event.src_path, Sign.LET_GO)
            elif event.event_type in {events.EVENT_TYPE_CREATED, events.EVENT_TYPE_MODIFIED}:
                _note(box, root, event.src_path, Sign.CHANGED)

    return Handler()


def _note(box: Mailbox, root: Path, path: bytes | str, sign: Sign) -> None:
    text = os.fsdecode(path)
    name = os.path.basename(text)  # noqa: PTH119  (runs per event; Path is slow)
    if is_candidate(name):
        box.put(root, text, sign)
    elif name.endswith(".toml"):  # the settings of a game folder may have changed
        box.put(root, None, Sign.SEEN)


# --- network drives -------------------------------------------------------------------------

REMOTE_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "drvfs", "davfs", "ceph", "glusterfs"}
)


def is_remote(root: Path) -> bool:
    """Whether a folder lies on a network drive (or, under WSL, on a Windows one)."""
    if sys.platform == "win32":
        return _is_remote_windows(root)
    try:
        mounts = Path("/proc/mounts").read_text("utf-8", "replace")
    except OSError:
        return str(root).startswith("/Volumes/") if sys.platform == "darwin" else False
    return is_remote_mount(mounts, os.path.realpath(root))


def is_remote_mount(mounts: str, folder: str) -> bool:
    """The same from the text of /proc/mounts; the longest mount point above `folder` counts."""
    best, kind = "", ""
    for line in mounts.splitlines():
        parts = line.split(" ")
        if len(parts) < 3:
            continue
        point = parts[1].replace("\\040", " ").rstrip("/") + "/"
        if (folder + "/").startswith(point) and len(point) >= len(best):
            best, kind = point, parts[2]
    return kind in REMOTE_FILE_SYSTEMS or kind in {"fuse.sshfs", "fuse.rclone", "fuse.gvfsd-fuse"}


def _is_remote_windows(root: Path) -> bool:
    if str(root).startswith("\\\\"):
        return True
    import ctypes

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  (absent elsewhere)
    drive_remote = 4
    return bool(kernel.GetDriveTypeW(root.anchor) == drive_remote)
