"""The desk alone: where outputs go, what is read, what a broken settings file does."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from pathlib import Path, PureWindowsPath

import pytest

from tests.watch.fakes import ROOT, FakeClock, FakeDisk, FakeStore, World, save_bytes
from vassal_bridge.errors import LimitReached, SettingsError
from vassal_bridge.watch import Console, Event, JobResult, ReadyFile, Stopped, sources, watch
from vassal_bridge.watch import events as told_events
from vassal_bridge.watch.desk import Desk, Known
from vassal_bridge.watch.policy import Sign
from vassal_bridge.watch.sources import NoSource, is_remote
from vassal_bridge.watch.work import Failure

A = save_bytes("first")


def desk_of(*roots: str, out: str | None) -> Desk:
    return Desk(
        lambda _: JobResult(""), FakeDisk(FakeClock()), FakeStore(),
        roots=[Path(root) for root in roots], out=Path(out) if out else None,
    )  # fmt: skip


def test_outputs_lie_beside_the_file() -> None:
    desk = desk_of("/games", out=None)
    assert desk.out_dir(Path("/games"), Path("/games/a/S1.vsav")) == Path("/games/a/rout")


def test_a_common_folder_is_laid_out_like_the_watched_ones() -> None:
    desk = desk_of("/games", out="/out")
    assert desk.out_dir(Path("/games"), Path("/games/a/S1.vsav")) == Path("/out/a")


def test_several_folders_of_one_name_do_not_share_a_common_folder() -> None:
    roots = ("/x/games", "/y/games", "/z/Games", "/")
    desk = desk_of(*roots, out="/out")
    found = [desk.out_dir(Path(root), Path(root) / "S1.vsav") for root in roots]
    assert [path.as_posix() for path in found] == [
        "/out/games", "/out/games-2", "/out/Games-3", "/out/root",
    ]  # fmt: skip


def test_broken_settings_are_a_key_and_the_job_says_what_is_wrong() -> None:
    broken = True

    def key(_: Path) -> str:
        if broken:
            raise SettingsError("month: too large", file="/games/rout.toml")
        return "fine"

    world = World(key=key)
    usual = world.job

    def job(file: ReadyFile) -> JobResult:
        if broken:
            raise SettingsError("month: too large", file="/games/rout.toml")
        return usual(file)

    world.job = job
    path = world.save("S1.vsav", A)
    world.run(1)
    assert world.of(told_events.Failed) == [told_events.Failed(path, "month: too large")]
    broken = False
    world.source.notices.append(sources.Notice(ROOT, None, Sign.SEEN))
    world.run(2)
    assert world.done() == ["S1.vsav"]


def test_a_file_beyond_the_limit_is_told_and_not_tried_again() -> None:
    world = World()

    def read(_: Path) -> bytes:
        raise LimitReached("larger than 5 bytes")

    world.disk.read = read  # type: ignore[method-assign, assignment]
    path = world.save("S1.vsav", A)
    world.run(40)
    assert world.of(told_events.Failed) == [told_events.Failed(path, "larger than 5 bytes")]


def test_a_file_that_cannot_be_read_may_be_tried_again() -> None:
    world = World()
    path = world.disk.put("S1.vsav", A)
    stamp = world.disk.stamp(path)
    assert stamp is not None
    world.disk.locked.add(path)
    outcome = world.desk.deal(ROOT, path, stamp, [])
    assert outcome == Failure("Permission denied", retry=True)


def test_an_own_result_that_is_still_right_is_not_made_again() -> None:
    world = World()
    path = world.save("S1.vsav", A)
    world.run(1)
    stamp = world.disk.stamp(path)
    assert stamp is not None
    assert world.desk.deal(ROOT, path, stamp, []) == Known()


def test_outputs_elsewhere_are_kept_in_full() -> None:
    world = World()
    world.job = lambda _: JobResult("x", (Path("/else/S1.rout.html"),))
    world.save("S1.vsav", A)
    world.run(1)
    world.desk.flush()
    assert b'"/else/S1.rout.html"' in world.store.kept[ROOT / "rout"]


def test_a_copy_whose_originals_outputs_were_deleted_is_done() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    del world.disk.files[ROOT / "rout/S1.rout.html"]
    world.save("S2.vsav", A)
    world.run(1)
    assert world.done() == ["S1.vsav", "S2.vsav"]


# --- watch() itself, with signals to this process ---


@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_watch_ends_on_a_signal_and_puts_the_handlers_back(
    tmp_path: Path, number: signal.Signals
) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    told: list[Event] = []
    (tmp_path / "S1.vsav").write_bytes(A)

    def job(_: ReadyFile) -> JobResult:
        threading.Timer(0.2, os.kill, (os.getpid(), number)).start()
        return JobResult("done")

    out = io.StringIO()
    count = watch([tmp_path], job, listeners=[told.append, Console(out, out)], polling=True)
    assert count == 1
    assert told[-1] == Stopped(1)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
def test_a_signal_in_the_middle_of_a_job_interrupts_it(tmp_path: Path) -> None:
    (tmp_path / "S1.vsav").write_bytes(A)
    reached = []

    def job(_: ReadyFile) -> JobResult:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
        reached.append("end")
        return JobResult("done")

    assert watch([tmp_path], job, listeners=[], polling=True) == 0
    assert reached == []


def test_an_interrupt_that_is_not_ours_passes(tmp_path: Path) -> None:
    (tmp_path / "S1.vsav").write_bytes(A)

    def job(_: ReadyFile) -> JobResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch([tmp_path], job, listeners=[], polling=True)


def test_a_listener_that_cannot_go_on_ends_the_watch(tmp_path: Path) -> None:
    """Standard output was closed, say; the ledgers are kept all the same."""
    (tmp_path / "S1.vsav").write_bytes(A)

    def listener(event: Event) -> None:
        if isinstance(event, told_events.Done):
            raise BrokenPipeError

    def job(file: ReadyFile) -> JobResult:
        file.out_dir.mkdir()
        return JobResult("done")

    with pytest.raises(BrokenPipeError):
        watch([tmp_path], job, listeners=[listener], polling=True)
    assert (tmp_path / "rout" / ".vassal-bridge-watch.json").is_file()


# --- network drives ---


def test_remoteness_of_a_real_folder_does_not_fail(tmp_path: Path) -> None:
    assert is_remote(tmp_path) in (True, False)


def test_a_share_of_windows_is_remote() -> None:
    share = PureWindowsPath(r"\\nas\games")
    assert sources._is_remote_windows(share)  # type: ignore[arg-type]


@pytest.mark.parametrize(("folder", "remote"), [("/Volumes/nas/x", True), ("/Users/anna", False)])
def test_a_mac_has_no_table_of_mounts(
    monkeypatch: pytest.MonkeyPatch, folder: str, remote: bool
) -> None:
    def read_text(*_: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", read_text)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert is_remote(Path(folder)) is remote


def test_a_source_without_events() -> None:
    source = NoSource()
    assert not source.open(ROOT)
    assert not source.alive(ROOT)
    source.close(ROOT)
    source.wake()
    source.wait(5)
    source.stop()


def test_an_error_of_the_store_is_no_error_of_the_file() -> None:
    """A ledger that cannot be kept costs a repeat, nothing else."""
    world = World()
    world.store.save = lambda *_: False  # type: ignore[method-assign]
    world.save("S1.vsav", A)
    world.run(10)
    assert world.done() == ["S1.vsav"]
    assert not world.of(told_events.Failed)
