"""The one writer of files: whole or not at all, whenever the program is killed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vassal_bridge.errors import FileError
from vassal_bridge.vassal import archive, atomic_write, tidy_up
from vassal_bridge.vassal.archive import move_into_place

OLD, NEW = b"old" * 30_000, b"new!" * 40_000


def test_a_file_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "er" / "溃退 report.html"
    atomic_write(target, NEW)
    atomic_write(target, OLD)
    assert target.read_bytes() == OLD
    assert list(target.parent.iterdir()) == [target]


def test_a_very_long_name(tmp_path: Path) -> None:
    target = tmp_path / ("n" * 250)
    atomic_write(target, NEW)
    assert target.read_bytes() == NEW


def test_what_cannot_be_written_is_named_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.json"
    atomic_write(target, OLD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive.os, "fsync", full)
    with pytest.raises(FileError, match="No space left") as caught:
        atomic_write(target, NEW)
    assert isinstance(caught.value.__cause__, OSError)
    assert str(caught.value).startswith(str(target))
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name != "posix", reason="folders are flushed on POSIX only")
def test_a_folder_that_cannot_be_flushed_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(archive.os, "open", refuse)
    atomic_write(tmp_path / "out.json", NEW)
    assert (tmp_path / "out.json").read_bytes() == NEW


def test_a_left_over_that_cannot_be_removed_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = tmp_path / f".a.1.{2**22 + 12345}.vbtmp"
    stale.write_bytes(b"half")

    def held(*_: object, **__: object) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(Path, "unlink", held)
    assert tidy_up(tmp_path) == 0
    assert stale.exists()


@pytest.mark.parametrize(
    ("fault", "alive"),
    [
        (ProcessLookupError(), False),
        (PermissionError(), True),
        (OverflowError(), True),
        (None, True),
    ],
)
def test_whether_a_writer_still_runs(
    monkeypatch: pytest.MonkeyPatch, fault: Exception | None, alive: bool
) -> None:
    def kill(_: int, signal_number: int) -> None:
        assert signal_number == 0
        if fault:
            raise fault

    monkeypatch.setattr(archive.os, "kill", kill)
    assert archive._alive(4711) is alive
    monkeypatch.setattr(archive.os, "name", "nt")
    monkeypatch.setattr(archive.os, "kill", lambda *_: pytest.fail("would kill on Windows"))
    assert archive._alive(4711)


def test_interrupted_by_the_user_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(archive.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        atomic_write(tmp_path / "out.json", NEW)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_an_unusable_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        atomic_write(tmp_path / name, NEW)


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "out.json").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        atomic_write(tmp_path / "out.json", NEW)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


class SharingError(PermissionError):
    """What Windows raises while another program holds a file open."""

    def __init__(self, winerror: int) -> None:
        super().__init__(13, "The process cannot access the file")
        self.winerror = winerror


@pytest.mark.parametrize("winerror", [5, 32, 33])
def test_a_sharing_violation_is_waited_for(winerror: int) -> None:
    tries: list[tuple[Path, Path]] = []
    waits: list[float] = []

    def move(temp: Path, path: Path) -> None:
        tries.append((temp, path))
        if len(tries) < 4:
            raise SharingError(winerror)

    move_into_place(Path("t"), Path("p"), move, waits.append)
    assert tries == [(Path("t"), Path("p"))] * 4
    assert len(waits) == 3


def test_a_sharing_violation_that_stays_is_an_error_within_two_seconds() -> None:
    waits: list[float] = []

    def move(_: Path, __: Path) -> None:
        raise SharingError(32)

    with pytest.raises(PermissionError):
        move_into_place(Path("t"), Path("p"), move, waits.append)
    assert len(waits) == 4
    assert sum(waits) <= 2.0


def test_another_refusal_is_not_waited_for() -> None:
    def move(_: Path, __: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with pytest.raises(PermissionError):
        move_into_place(Path("t"), Path("p"), move, lambda _: pytest.fail("waited"))


def test_left_overs_are_tidied_up(tmp_path: Path) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                          capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    stale = tmp_path / f".a.vsav.123.{gone}.vbtmp"
    ours = tmp_path / f".a.vsav.123.{os.getpid()}.vbtmp"
    ancient = tmp_path / f".b.vsav.123.{os.getpid()}.vbtmp"
    others = [tmp_path / "a.vbtmp", tmp_path / ".x.vbtmp", tmp_path / f".a.{gone}.vbtmpx"]
    for path in (stale, ours, ancient, *others):
        path.write_bytes(b"half")
    os.utime(ancient, (time.time() - 7200,) * 2)
    assert tidy_up(tmp_path) == 2
    assert sorted(tmp_path.iterdir()) == sorted([ours, *others])
    assert tidy_up(tmp_path / "none") == 0


def test_nothing_is_removed_where_liveness_cannot_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_alive", lambda _: True)
    young = tmp_path / ".a.1.999999.vbtmp"
    young.write_bytes(b"half")
    assert tidy_up(tmp_path) == 0
    assert young.exists()


CHILD = """
import sys
from pathlib import Path
from vassal_bridge.vassal.archive import atomic_write
target = Path(sys.argv[1])
print("ready", flush=True)
while True:
    atomic_write(target, b"new!" * 40_000)
    atomic_write(target, b"old" * 30_000)
"""


def _kill_while_writing(folder: Path, times: int) -> None:
    target = folder / "out.bin"
    rng = random.Random(26)
    for _ in range(times):
        with subprocess.Popen(
            [sys.executable, "-c", CHILD, str(target)], stdout=subprocess.PIPE
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(rng.random() * 0.01)
            child.send_signal(signal.SIGKILL)
        assert not target.exists() or target.read_bytes() in (OLD, NEW)
    tidy_up(folder)
    assert [entry.name for entry in folder.iterdir()] in ([], ["out.bin"])


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    _kill_while_writing(tmp_path, 15)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or "VASSAL_BRIDGE_LONG" not in os.environ,
                    reason="500 kills: set VASSAL_BRIDGE_LONG")  # fmt: skip
def test_killed_five_hundred_times(tmp_path: Path) -> None:
    _kill_while_writing(tmp_path, 500)
