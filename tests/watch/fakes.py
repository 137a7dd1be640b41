"""A disk, a clock and a source made of values, so that days of saves pass in a moment."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vassal_bridge.watch import events, policy
from vassal_bridge.watch.desk import Desk, Key, no_key
from vassal_bridge.watch.ledger import Ledger
from vassal_bridge.watch.loop import Watcher
from vassal_bridge.watch.policy import TAIL_LENGTH, End, Pace, Sign, Stamp, end_of
from vassal_bridge.watch.sources import Notice
from vassal_bridge.watch.state import Rhythm
from vassal_bridge.watch.work import JobResult, ReadyFile

ROOT = Path("/games")


def save_bytes(text: str, size: int = 0) -> bytes:
    """A zip that looks like a saved game to the watcher; `size` random-ish bytes of padding."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("savedGame"), text)
        archive.writestr(zipfile.ZipInfo("moduledata"), "<data/>" + "x" * size)
    return stream.getvalue()


@dataclass
class FakeClock:
    time: float = 1000.0

    def monotonic(self) -> float:
        return self.time

    def wall(self) -> float:
        return 1_700_000_000.0 + self.time


@dataclass
class FakeFile:
    data: bytes
    modified: float
    inode: int


@dataclass
class FakeDisk:
    clock: FakeClock
    files: dict[Path, FakeFile] = field(default_factory=dict)
    roots: dict[Path, int] = field(default_factory=lambda: {ROOT: 1})
    locked: set[Path] = field(default_factory=set)
    on_read: Callable[[Path], None] | None = None
    scans: int = 0
    inodes: int = 100

    def put(self, name: str | Path, data: bytes, *, age: float = 0.0, keep: bool = False) -> Path:
        path = ROOT / name
        old = self.files.get(path)
        self.inodes += 1
        inode = old.inode if old is not None and keep else self.inodes
        self.files[path] = FakeFile(data, self.clock.wall() - age, inode)
        return path

    def write_on(self, path: Path, data: bytes) -> None:
        old = self.files[path]
        self.files[path] = FakeFile(old.data + data, self.clock.wall(), old.inode)

    def stamp(self, path: Path) -> Stamp | None:
        file = self.files.get(path)
        return Stamp(len(file.data), int(file.modified * 1e9), file.inode) if file else None

    def end(self, path: Path, size: int) -> End:
        assert size >= 0
        if path in self.locked:
            raise PermissionError(13, "Permission denied")
        data = self.files[path].data
        return end_of(len(data), data[:4], data[-TAIL_LENGTH:])

    def read(self, path: Path) -> bytes:
        if path in self.locked:
            raise PermissionError(13, "Permission denied")
        data = self.files[path].data
        if self.on_read is not None:
            hook, self.on_read = self.on_read, None
            hook(path)
        return data

    def scan(self, root: Path, out: Path | None) -> Iterator[tuple[Path, Stamp]]:
        self.scans += 1
        if root not in self.roots:
            raise FileNotFoundError(root)
        for path in list(self.files):
            below = path.is_relative_to(root)
            if below and not policy.is_ours(path.relative_to(root)) and out not in path.parents:
                stamp = self.stamp(path)
                if policy.is_candidate(path.name) and stamp is not None:
                    yield path, stamp

    def folder_id(self, path: Path) -> int | None:
        return self.roots.get(path)

    def exists(self, path: Path) -> bool:
        return path in self.files


@dataclass
class FakeSource:
    native: bool = True
    notices: list[Notice] = field(default_factory=list)
    opened: list[Path] = field(default_factory=list)
    live: set[Path] = field(default_factory=set)
    stopped: bool = False

    def open(self, root: Path) -> bool:
        self.opened.append(root)
        if self.native:
            self.live.add(root)
        return self.native

    def close(self, root: Path) -> None:
        self.live.discard(root)

    def alive(self, root: Path) -> bool:
        return root in self.live

    def take(self) -> list[Notice]:
        taken, self.notices = self.notices, []
        return taken

    def wait(self, seconds: float) -> None:
        raise AssertionError(f"tests do not sleep, {seconds} s wanted")

    def wake(self) -> None:
        pass

    def stop(self) -> None:
        self.stopped = True


@dataclass
class FakeStore:
    kept: dict[Path, bytes] = field(default_factory=dict)
    tidied: list[Path] = field(default_factory=list)

    def load(self, out_dir: Path) -> Ledger:
        return Ledger.from_json(self.kept[out_dir]) if out_dir in self.kept else Ledger()

    def save(self, out_dir: Path, ledger: Ledger) -> bool:
        self.kept[out_dir] = ledger.to_json()
        return True

    def tidy(self, out_dir: Path) -> None:
        self.tidied.append(out_dir)


class World:
    """A watcher in a made-up world; `run` lets time pass."""

    def __init__(
        self,
        *,
        native: bool = True,
        key: Key = no_key,
        out: Path | None = None,
        disk: FakeDisk | None = None,
        store: FakeStore | None = None,
    ) -> None:
        self.clock = disk.clock if disk else FakeClock()
        self.disk = disk or FakeDisk(self.clock)
        self.source = FakeSource(native)
        self.store = store or FakeStore()
        self.told: list[events.Event] = []
        self.jobs: list[tuple[str, bytes]] = []
        self.job: Callable[[ReadyFile], JobResult] = self.default_job
        desk = Desk(
            lambda file: self.job(file), self.disk, self.store, roots=[ROOT], out=out, key=key
        )
        self.desk = desk
        self.watcher = Watcher(
            [ROOT],
            desk,
            disk=self.disk,
            source=self.source,
            clock=self.clock,
            listener=self.told.append,
            out=out,
            pace=Pace(),
            rhythm=Rhythm(),
        )

    def default_job(self, file: ReadyFile) -> JobResult:
        self.jobs.append((file.path.relative_to(ROOT).as_posix(), file.data))
        output = file.output("html")
        self.disk.put(output.relative_to(ROOT), file.data)
        return JobResult(file.path.name, (output,))

    def notice(self, path: Path, sign: Sign = Sign.CHANGED) -> None:
        self.source.notices.append(Notice(ROOT, path, sign))

    def save(self, name: str, data: bytes, sign: Sign = Sign.LET_GO) -> Path:
        path = self.disk.put(name, data)
        self.notice(path, sign)
        return path

    def run(self, seconds: float, step: float = 0.02) -> None:
        end = self.clock.time + seconds
        while True:
            self.watcher.step()
            if self.clock.time >= end:
                return
            self.clock.time += step

    def done(self) -> list[str]:
        return [name for name, _ in self.jobs]

    def of(self, kind: type[events.Event]) -> list[events.Event]:
        return [event for event in self.told if isinstance(event, kind)]
