"""The same on a real disk with real notices; few, because they take real time."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.watch.fakes import save_bytes
from vassal_bridge.errors import LimitReached, UsageError
from vassal_bridge.limits import MAX_ARCHIVE_BYTES, MAX_LEDGER_BYTES
from vassal_bridge.vassal import atomic_write
from vassal_bridge.watch import (
    Done,
    Event,
    JobResult,
    NotWhole,
    Polling,
    ReadyFile,
    Rhythm,
    Stopped,
    Watcher,
    make_watcher,
    watched_roots,
)
from vassal_bridge.watch import disk as disk_module
from vassal_bridge.watch.disk import RealDisk
from vassal_bridge.watch.ledger import LEDGER_NAME, Entry, Ledger
from vassal_bridge.watch.policy import End, Sign, Stamp
from vassal_bridge.watch.sources import Mailbox, Notice, WatchdogSource, is_remote_mount
from vassal_bridge.watch.store import DiskStore

A, B = save_bytes("first", 20_000), save_bytes("second", 30_000)


def copy_job(file: ReadyFile) -> JobResult:
    atomic_write(file.output("html"), file.data)
    return JobResult("done", (file.output("html"),))


class Running:
    """A watcher in a thread."""

    def __init__(self, folder: Path, **options: object) -> None:
        told: list[Event] = []
        watcher = make_watcher(
            [folder],
            copy_job,
            listener=told.append,
            **options,  # type: ignore[arg-type]
        )
        self.start(watcher, told)
        self.wait(lambda: bool(self.told))

    def start(self, watcher: Watcher, told: list[Event]) -> None:
        self.watcher, self.told = watcher, told
        self.thread = threading.Thread(target=watcher.run, daemon=True)
        self.thread.start()

    def wait(self, true: Callable[[], bool], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, self.told
            time.sleep(0.01)

    def done(self) -> list[str]:
        return [event.path.name for event in self.told if isinstance(event, Done)]

    def stop(self) -> None:
        self.watcher.request_stop()
        self.thread.join(3)
        assert not self.thread.is_alive()


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    running: list[Running] = []

    def make(folder: Path, **options: object) -> Running:
        running.append(Running(folder, **options))
        return running[-1]

    yield make
    for one in running:
        one.stop()
        assert isinstance(one.told[-1], Stopped)


@pytest.mark.parametrize("polling", [False, True])
def test_every_kind_of_arrival(
    tmp_path: Path, start: Callable[..., Running], polling: bool
) -> None:
    folder, outside = tmp_path / "games", tmp_path / "outside"
    (folder / "old sub").mkdir(parents=True)
    outside.mkdir()
    run = start(folder, polling=polling, rhythm=Rhythm(poll=0.2))
    (folder / "written.vsav").write_bytes(A)
    (outside / "x.vsav").write_bytes(save_bytes("moved"))
    (outside / "x.vsav").rename(folder / "moved in.vsav")
    (folder / "cloud.vsav.tmp").write_bytes(save_bytes("renamed"))
    (folder / "cloud.vsav.tmp").rename(folder / "renamed.VSAV")
    (folder / "old sub" / "deep.vlog").write_bytes(save_bytes("deep"))
    new = folder / "new sub" / "deeper"
    new.mkdir(parents=True)
    (new / "fresh.vlog").write_bytes(save_bytes("fresh"))
    shutil.copytree(new, outside / "tree")
    (outside / "tree" / "fresh.vlog").write_bytes(save_bytes("with its folder"))
    (outside / "tree").rename(folder / "tree")
    (folder / "mail.zip").write_bytes(save_bytes("zipped"))
    expected = [
        "deep.vlog", "fresh.vlog", "fresh.vlog", "mail.zip", "moved in.vsav", "renamed.VSAV",
        "written.vsav",
    ]  # fmt: skip
    run.wait(lambda: len(run.done()) >= len(expected))
    (folder / "written.vsav").write_bytes(B)  # in place
    run.wait(lambda: len(run.done()) > len(expected))
    time.sleep(0.8)
    assert sorted(run.done()) == sorted([*expected, "written.vsav"])
    assert (folder / "rout" / "written.rout.html").read_bytes() == B
    assert any(isinstance(event, Polling) for event in run.told) is polling


def test_a_slow_write_in_place(tmp_path: Path, start: Callable[..., Running]) -> None:
    run = start(tmp_path)
    with (tmp_path / "S1.vsav").open("wb") as file:
        for at in range(0, len(A), 1500):
            file.write(A[at : at + 1500])
            file.flush()
            time.sleep(0.05)
    run.wait(lambda: run.done() == ["S1.vsav"])
    assert (tmp_path / "rout" / "S1.rout.html").read_bytes() == A
    assert not any(isinstance(event, NotWhole) for event in run.told)


def test_a_folder_that_is_deleted_and_made_again(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    run = start(folder, rhythm=Rhythm(roots=0.1))
    (folder / "S1.vsav").write_bytes(A)
    run.wait(lambda: run.done() == ["S1.vsav"])
    shutil.rmtree(folder)
    time.sleep(0.5)
    folder.mkdir()
    time.sleep(0.3)
    (folder / "S2.vsav").write_bytes(B)
    run.wait(lambda: run.done() == ["S1.vsav", "S2.vsav"])


def test_settings_of_a_game_folder_bring_its_files_back(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    (tmp_path / "rout.toml").write_text("edition = 'sk1'")
    (tmp_path / "S1.vsav").write_bytes(A)
    run = start(tmp_path, key=lambda folder: (folder / "rout.toml").read_text())
    run.wait(lambda: run.done() == ["S1.vsav"])
    (tmp_path / "rout.toml").write_text("edition = 'sk3'")
    run.wait(lambda: run.done() == ["S1.vsav", "S1.vsav"])


def test_a_restart_knows_what_is_done(tmp_path: Path, start: Callable[..., Running]) -> None:
    (tmp_path / "S1.vsav").write_bytes(A)
    first = start(tmp_path)
    first.wait(lambda: first.done() == ["S1.vsav"])
    first.stop()
    assert (tmp_path / "rout" / LEDGER_NAME).is_file()
    (tmp_path / "rout" / ".S1.rout.html.123.99999999.vbtmp").write_bytes(b"half")
    second = start(tmp_path)
    (tmp_path / "S2.vsav").write_bytes(B)
    second.wait(lambda: bool(second.done()))
    assert second.done() == ["S2.vsav"]
    assert not list((tmp_path / "rout").glob(".*vbtmp"))


def test_two_watchers_on_one_folder(tmp_path: Path, start: Callable[..., Running]) -> None:
    runs = [start(tmp_path), start(tmp_path)]
    for number in range(10):
        (tmp_path / f"S{number}.vsav").write_bytes(save_bytes(str(number)))
    for run in runs:
        run.wait(lambda run=run: len(run.done()) == 10)  # type: ignore[misc]
    for number in range(10):
        output = tmp_path / "rout" / f"S{number}.rout.html"
        assert output.read_bytes() == save_bytes(str(number))


# --- signals ---


@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0.0, 20.0])
def test_a_signal_ends_it_within_two_seconds(
    tmp_path: Path, number: signal.Signals, seconds: float
) -> None:
    """Also in the middle of a job; nothing half written stays."""
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.watch.driver", str(tmp_path), str(seconds)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root,
    )  # fmt: skip
    assert process.stderr is not None
    assert "Watching" in process.stderr.readline()
    (tmp_path / "S1.vsav").write_bytes(A)
    time.sleep(1.0)
    process.send_signal(number)
    out, err = process.communicate(timeout=10)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert "Ended" in err
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    if seconds:
        assert (out, sorted(left)) == ("", ["S1.vsav"])
    else:
        assert "S1.vsav" in out
        assert sorted(left) == [LEDGER_NAME, "S1.rout.html", "S1.vsav"]


# --- pieces ---


def test_lost_events_are_noticed_through_watchdogs_log(tmp_path: Path) -> None:
    source = WatchdogSource()
    assert source.open(tmp_path)
    assert source.alive(tmp_path)
    try:
        logging.getLogger("watchdog.observers.inotify_c").warning("filesystem events were lost")
        assert list(source.take()) == [Notice(tmp_path, None, Sign.SEEN)]
    finally:
        source.stop()
    assert not source.alive(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
def test_an_overflow_as_the_kernel_reports_it(tmp_path: Path) -> None:
    from watchdog.observers.inotify_c import (
        InotifyConstants,
        InotifyEvent,
        Mask,
        WatchDescriptor,
    )

    source = WatchdogSource()
    source.open(tmp_path)
    try:
        queue = source._observer._inotify_fd  # type: ignore[union-attr]
        overflow = Mask(InotifyConstants.IN_Q_OVERFLOW)
        queue.handle_event(InotifyEvent(WatchDescriptor(-1), overflow, 0, b""))
        assert Notice(tmp_path, None, Sign.SEEN) in source.take()
    finally:
        source.stop()


def test_a_folder_that_cannot_be_watched_is_refused(tmp_path: Path) -> None:
    source = WatchdogSource()
    try:
        assert not source.open(tmp_path / "nowhere")
        source.close(tmp_path / "nowhere")
    finally:
        source.stop()


def test_own_reading_gives_no_notice(tmp_path: Path) -> None:
    (tmp_path / "S1.vsav").write_bytes(A)
    source = WatchdogSource()
    source.open(tmp_path)
    try:
        time.sleep(0.2)
        source.take()
        for _ in range(20):
            (tmp_path / "S1.vsav").read_bytes()
        source.wait(0.4)
        assert list(source.take()) == []
    finally:
        source.stop()


def test_a_mailbox_keeps_one_notice_per_file() -> None:
    box, root = Mailbox(), Path("/r")
    for _ in range(1000):
        box.put(root, "/r/S1.vsav", Sign.CHANGED)
    box.put(root, "/r/S1.vsav", Sign.LET_GO)
    box.wait(0)
    assert box.take() == [Notice(root, Path("/r/S1.vsav"), Sign.LET_GO)]
    assert box.take() == []


MOUNTS = r"""/dev/vda / ext4 rw 0 0
//nas/games /mnt/nas cifs rw 0 0
/dev/vdb /mnt/nas/local ext4 rw 0 0
host:/x /mnt/with\040blank nfs4 rw 0 0
C: /mnt/c 9p rw 0 0
junk
"""


@pytest.mark.parametrize(
    ("folder", "remote"),
    [
        ("/home/u", False), ("/mnt/nas", True), ("/mnt/nas/S1", True), ("/mnt/nas/local/a", False),
        ("/mnt/nasty", False), ("/mnt/with blank/a", True), ("/mnt/c/Users", True),
    ],
)  # fmt: skip
def test_network_drives_are_known(folder: str, remote: bool) -> None:
    assert is_remote_mount(MOUNTS, folder) is remote


def test_a_scan_finds_games_only(tmp_path: Path) -> None:
    for name in (
        "a.vsav", "sub/b.vlog", "sub/rout/c.vsav", ".hidden/d.vsav", "out/e.vsav", "f.txt",
        "g.rout.vsav", "sub/Rout/h.vsav",
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(b"x")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "i.vsav").mkdir()
    (tmp_path / "j.vsav").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "k.vsav")
    found = RealDisk().scan(tmp_path, tmp_path / "out")
    assert sorted(path.relative_to(tmp_path).as_posix() for path, _ in found) == [
        "a.vsav", "sub/b.vlog",
    ]  # fmt: skip


def test_a_scan_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_module, "MAX_SCAN_ENTRIES", 5)
    for number in range(5):
        (tmp_path / f"{number}.vsav").write_bytes(b"x")
    assert len(list(RealDisk().scan(tmp_path, None))) == 5
    (tmp_path / "one more").mkdir()
    with pytest.raises(LimitReached, match=r"^more than 5 files and folders$"):
        list(RealDisk().scan(tmp_path, None))


def test_a_scan_goes_only_so_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_module, "MAX_SCAN_DEPTH", 2)
    deep = tmp_path / "1" / "2" / "3"
    deep.mkdir(parents=True)
    (deep / "x.vsav").write_bytes(b"x")
    (deep.parent / "y.vsav").write_bytes(b"x")
    assert [path.name for path, _ in RealDisk().scan(tmp_path, None)] == ["y.vsav"]


def test_a_scan_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        list(RealDisk().scan(tmp_path / "nowhere", None))


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.vsav"
    with path.open("wb") as file:
        file.truncate(MAX_ARCHIVE_BYTES + 1)
    with pytest.raises(LimitReached, match=f"^larger than {MAX_ARCHIVE_BYTES} bytes$"):
        RealDisk().read(path)


def test_the_end_of_a_real_file(tmp_path: Path) -> None:
    path = tmp_path / "x.vsav"
    path.write_bytes(A)
    assert RealDisk().end(path, len(A)) is End.WHOLE
    assert RealDisk().end(path, len(A) - 1) is End.OPEN  # it grew meanwhile


def test_no_folder_and_no_file_have_no_stamp(tmp_path: Path) -> None:
    disk = RealDisk()
    assert disk.stamp(tmp_path) is None
    assert disk.stamp(tmp_path / "x") is None
    assert disk.folder_id(tmp_path / "x") is None
    assert disk.folder_id(tmp_path) == tmp_path.stat().st_ino
    assert not disk.exists(tmp_path / "x")


def test_a_ledger_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / LEDGER_NAME).open("wb") as file:
        file.truncate(MAX_LEDGER_BYTES + 1)
    assert len(DiskStore().load(tmp_path)) == 0


def test_a_ledger_that_cannot_be_kept_is_no_error(tmp_path: Path) -> None:
    ledger = Ledger([Entry("a", Stamp(1, 2, 3), "X", "", "a")])
    assert not DiskStore().save(tmp_path / "nowhere", ledger)
    (tmp_path / LEDGER_NAME).mkdir()
    (tmp_path / LEDGER_NAME / "x").mkdir()
    assert not DiskStore().save(tmp_path, ledger)


def test_roots_inside_roots_are_watched_once(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    roots = watched_roots([inner, tmp_path / "a", tmp_path / "ab", tmp_path / "a" / ".." / "a"])
    assert roots == (tmp_path / "a", tmp_path / "ab")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(UsageError, match="watch wants a folder"):
        watched_roots([tmp_path / "x"])
    with pytest.raises(UsageError, match="no folder"):
        watched_roots([])
