"""The loop in a made-up world: scripted source, fake clock, fake disk."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.watch.fakes import ROOT, FakeDisk, World, save_bytes
from vassal_bridge.errors import BoardError, FileError, InternalFault, LimitReached, NotAGame
from vassal_bridge.watch import events
from vassal_bridge.watch.policy import Sign, Stamp
from vassal_bridge.watch.sources import Notice
from vassal_bridge.watch.work import JobResult, ReadyFile

A, B, C = save_bytes("first"), save_bytes("second!"), save_bytes("third one")


def test_a_save_that_was_closed_is_done_within_a_tenth_of_a_second() -> None:
    world = World()
    world.run(0.1)
    world.save("S1.vsav", A)
    world.run(0.1)
    assert world.jobs == [("S1.vsav", A)]


def test_a_slow_write_in_place_is_done_once_and_whole() -> None:
    """VASSAL truncates and streams: pauses are longer than the quiet that makes a file ready."""
    world = World()
    path = world.save("S1.vsav", A)
    world.run(1)
    world.disk.put("S1.vsav", b"", keep=True)
    for at in range(0, len(B), 40):
        world.disk.write_on(path, B[at : at + 40])
        world.notice(path)
        world.run(0.9)
    world.notice(path, Sign.LET_GO)
    world.run(1)
    assert world.jobs == [("S1.vsav", A), ("S1.vsav", B)]
    assert not world.of(events.NotWhole)


def test_closed_after_every_chunk() -> None:
    world = World()
    path = world.disk.put("S1.vsav", b"")
    for at in range(0, len(B), 50):
        world.disk.write_on(path, B[at : at + 50])
        world.notice(path, Sign.LET_GO)
        world.run(0.4)
    assert world.jobs == [("S1.vsav", B)]


@pytest.mark.parametrize("sign", list(Sign))
def test_every_way_to_arrive(sign: Sign) -> None:
    """Created and written; renamed or moved in gives `created` or `moved` and never `closed`."""
    world = World()
    world.run(0.1)
    world.save("S1.vsav", A, sign)
    world.run(0.5)
    assert world.jobs == [("S1.vsav", A)]


def test_what_lay_there_before_is_done_newest_first_but_new_arrivals_go_before_it() -> None:
    world = World()
    for age in (300, 100, 200):
        world.disk.put(f"old-{age}.vsav", save_bytes(str(age)), age=age)

    def job(file: ReadyFile) -> JobResult:
        if not world.jobs:
            world.save("new.vsav", C)
        world.clock.time += 0.5
        return world.default_job(file)

    world.job = job
    world.run(10)
    order = ["old-100.vsav", "old-200.vsav", "new.vsav", "old-300.vsav"]
    assert world.done() == order  # one old file begins while the new one comes to rest
    assert world.of(events.Started) == [events.Started((ROOT,), 3)]


def test_same_content_once_under_one_name() -> None:
    world = World()
    for _ in range(3):
        world.save("S1.vsav", A)
        world.run(1)
    assert world.done() == ["S1.vsav"]


def test_same_content_once_under_two_names() -> None:
    """A cloud client's "conflicted copy"."""
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.save("S1 (conflicted copy).vsav", A)
    world.run(1)
    assert world.done() == ["S1.vsav"]
    outputs = (ROOT / "rout" / "S1.rout.html",)
    assert world.of(events.Same) == [
        events.Same(ROOT / "S1 (conflicted copy).vsav", "S1.vsav", outputs)
    ]
    world.save("S1 (conflicted copy).vsav", A)  # touched: the name is known by now
    world.save("again.vsav", A)
    world.run(100)
    assert [event.path.name for event in world.of(events.Same)] == [
        "S1 (conflicted copy).vsav",
        "again.vsav",
    ]


def test_a_copy_gets_its_own_outputs_when_its_original_changes() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.save("copy.vsav", A)
    world.run(1)
    world.save("S1.vsav", B)
    world.run(1)
    assert world.jobs == [("S1.vsav", A), ("S1.vsav", B), ("copy.vsav", A)]


def test_a_save_that_is_put_back_is_done_again() -> None:
    world = World()
    for data in (A, B, A):
        world.save("S1.vsav", data)
        world.run(1)
    assert world.jobs == [("S1.vsav", A), ("S1.vsav", B), ("S1.vsav", A)]


def test_a_save_that_comes_after_the_log_of_its_name_takes_the_plain_stem() -> None:
    world = World()
    world.save("S1.vlog", A)
    world.run(1)
    world.save("S1.vsav", B)
    world.run(1)
    assert world.disk.files[ROOT / "rout/S1.rout.html"].data == B
    assert world.disk.files[ROOT / "rout/S1.vlog.rout.html"].data == A


def test_two_files_never_displace_each_other_for_ever() -> None:
    """Names that differ in case only, where the disk tells them apart."""
    world = World()
    for number, name in enumerate(("S1.vsav", "S1.VSAV", "S1.Vsav", "s1.vsav")):
        world.save(name, save_bytes(str(number)))
    world.run(70)
    count = len(world.jobs)
    assert count <= 8
    world.run(200, step=0.5)
    assert len(world.jobs) == count


def test_own_outputs_never() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.save("rout/S1.rout.vsav", B)
    world.save("S1.rout.vlog", C)
    world.save("rout/S9.vsav", C)
    world.run(130)
    assert world.done() == ["S1.vsav"]


def test_a_common_output_folder_inside_the_watched_one_is_passed_over() -> None:
    world = World(out=ROOT / "answers")
    world.save("deep/S1.vsav", A)
    world.run(1)
    assert ROOT / "answers/deep/S1.rout.html" in world.disk.files
    world.save("answers/deep/S2.vsav", B)
    world.run(130)
    assert world.done() == ["deep/S1.vsav"]


def test_a_restart_does_nothing_twice() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.save("S2.vsav", B)
    world.run(1)
    world.desk.flush()
    again = World(disk=world.disk, store=world.store)
    again.run(1)
    assert again.jobs == []
    again.disk.put("S2.vsav", B, age=0)  # touched, same content
    again.disk.put("S3.vsav", C)
    again.run(70)
    assert again.done() == ["S3.vsav"]


def test_a_restart_does_again_what_lost_its_outputs() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.desk.flush()
    del world.disk.files[ROOT / "rout/S1.rout.html"]
    again = World(disk=world.disk, store=world.store)
    again.run(1)
    assert again.done() == ["S1.vsav"]


def test_the_start_tidies_the_output_folder() -> None:
    world = World()
    world.disk.put("S1.vsav", A)
    world.run(1)
    assert world.store.tidied == [ROOT / "rout"]


# --- lost notices, polling, folders that go ---


def test_a_file_without_a_notice_is_found_within_a_minute() -> None:
    world = World()
    world.run(1)
    world.disk.put("S1.vsav", A)
    world.run(58)
    assert world.jobs == []
    world.run(3)
    assert world.done() == ["S1.vsav"]


def test_lost_events_bring_a_scan_at_once() -> None:
    world = World()
    world.run(1)
    world.disk.put("S1.vsav", A)
    world.source.notices.append(Notice(ROOT, None, Sign.SEEN))
    world.run(0.5)
    assert world.done() == ["S1.vsav"]
    assert not world.of(events.Polling)


def test_a_stream_of_lost_events_does_not_scan_without_end() -> None:
    world = World()
    world.run(1)
    before = world.disk.scans
    for _ in range(200):
        world.source.notices.append(Notice(ROOT, None, Sign.SEEN))
        world.run(0.02)
    assert world.disk.scans - before <= 9


def test_a_folder_whose_files_come_to_light_by_scans_only_is_polled() -> None:
    world = World()
    world.run(1)
    for number in range(2):
        world.disk.put(f"S{number}.vsav", save_bytes(str(number)))
        world.run(62)
    assert world.of(events.Polling) == [events.Polling(ROOT)]
    world.disk.put("S9.vsav", C)
    world.run(2.5)
    assert world.done() == ["S0.vsav", "S1.vsav", "S9.vsav"]


def test_a_folder_without_events_is_polled_from_the_start() -> None:
    world = World(native=False)
    world.run(1)
    assert world.of(events.Polling) == [events.Polling(ROOT)]
    path = world.disk.put("S1.vsav", A[:50])
    world.run(5)
    world.disk.write_on(path, A[50:])
    world.run(1.5)
    assert world.jobs == [("S1.vsav", A)]


def test_a_folder_that_vanishes_and_returns() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.disk.roots.clear()
    gone = dict(world.disk.files)
    world.disk.files.clear()
    world.run(60)
    assert world.of(events.FolderGone) == [events.FolderGone(ROOT)]
    world.disk.roots[ROOT] = 1
    world.disk.files.update(gone)
    world.disk.put("S2.vsav", B)
    world.run(3)
    assert world.of(events.FolderBack) == [events.FolderBack(ROOT)]
    assert world.done() == ["S1.vsav", "S2.vsav"]
    assert world.source.opened == [ROOT, ROOT]
    world.save("S3.vsav", C)
    world.run(1)
    assert world.done()[-1] == "S3.vsav"


def test_a_folder_that_is_not_there_yet() -> None:
    world = World()
    world.disk.roots.clear()
    world.run(5)
    assert world.of(events.FolderGone) == [events.FolderGone(ROOT)]
    world.disk.roots[ROOT] = 3
    world.disk.put("S1.vsav", A)
    world.run(2)
    assert world.done() == ["S1.vsav"]


def test_a_folder_replaced_by_another_of_its_name_is_opened_anew() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(1)
    world.disk.files.clear()
    world.disk.roots[ROOT] = 2
    world.disk.put("S1.vsav", A)
    world.run(2)
    assert world.source.opened == [ROOT, ROOT]
    assert world.done() == ["S1.vsav", "S1.vsav"]  # the first outputs went with the first folder


def test_a_source_that_dies_is_opened_again() -> None:
    world = World()
    world.run(1)
    world.source.live.clear()
    world.disk.put("S1.vsav", A)
    world.run(2)
    assert world.source.opened == [ROOT, ROOT]
    assert world.done() == ["S1.vsav"]


def test_too_many_files_are_told_once_and_notices_still_work() -> None:
    world = World()

    def scan(*_: object) -> Iterator[tuple[Path, Stamp]]:
        raise LimitReached("more than 5 files and folders")

    world.disk.scan = scan  # type: ignore[method-assign, assignment]
    world.run(200)
    assert world.of(events.TooLarge) == [events.TooLarge(ROOT, "more than 5 files and folders")]
    world.save("S1.vsav", A)
    world.run(1)
    assert world.done() == ["S1.vsav"]


def test_a_folder_without_permission_is_told_once_and_again_after_it_was_readable() -> None:
    world = World()
    usual = world.disk.scan

    def scan(*_: object) -> Iterator[tuple[Path, Stamp]]:
        raise PermissionError(13, "Permission denied")

    world.disk.scan = scan  # type: ignore[method-assign, assignment]
    world.run(130)
    told = events.Unreadable(ROOT, "Permission denied")
    assert world.of(events.Unreadable) == [told]
    world.disk.scan = usual  # type: ignore[method-assign]
    world.run(61)
    world.disk.scan = scan  # type: ignore[method-assign, assignment]
    world.run(61)
    assert world.of(events.Unreadable) == [told, told]


def test_a_notice_by_another_name_of_the_folder_brings_a_scan() -> None:
    """FSEvents may name the real folder behind a link."""
    world = World()
    world.run(1)
    world.disk.put("S1.vsav", A)
    world.notice(Path("/private/games/S1.vsav"))
    world.run(1)
    assert world.done() == ["S1.vsav"]


# --- what goes wrong ---


def test_a_cut_off_save_is_told_once_after_half_a_minute_and_done_when_it_is_whole() -> None:
    world = World()
    world.save("S1.vsav", A[:-10])
    world.run(29)
    assert not world.of(events.NotWhole)
    world.run(200)
    assert world.of(events.NotWhole) == [events.NotWhole(ROOT / "S1.vsav")]
    world.save("S1.vsav", A)
    world.run(1)
    assert world.done() == ["S1.vsav"]


def test_a_cut_off_download_that_may_be_no_game_is_not_told() -> None:
    world = World()
    world.save("holiday.zip", A[:-10])
    world.save("server.log", b"12:00 all is well")
    world.run(100)
    assert world.told == [events.Started((ROOT,), 0)]


def test_a_zip_that_mentions_no_game_is_not_opened() -> None:
    world = World()
    world.save("pictures.zip", A.replace(b"savedGame", b"portraitA"))
    world.run(2)
    assert world.jobs == []


def test_a_zipped_game_is() -> None:
    world = World()
    world.save("mail.zip", A)
    world.run(2)
    assert world.done() == ["mail.zip"]


def test_a_locked_file_is_tried_again_until_it_is_free() -> None:
    """Windows: VASSAL's lock makes our open fail."""
    world = World()
    path = world.save("S1.vsav", A)
    world.disk.locked.add(path)
    world.run(10)
    assert len(world.told) == 1
    world.disk.locked.clear()
    world.run(6)
    assert world.done() == ["S1.vsav"]


def test_a_file_that_stays_locked_is_told_once() -> None:
    world = World()
    path = world.save("S1.vsav", A)
    world.disk.locked.add(path)
    world.run(200)
    assert world.of(events.Failed) == [events.Failed(path, "Permission denied")]


def test_a_file_that_changes_while_it_is_read_waits_again() -> None:
    world = World()
    path = world.save("S1.vsav", A)

    def rewrite(_: Path) -> None:
        world.disk.put("S1.vsav", B, keep=True)

    world.disk.on_read = rewrite
    world.run(1)
    assert world.jobs == [("S1.vsav", B)]
    assert path == ROOT / "S1.vsav"


def test_a_file_that_goes_while_it_waits() -> None:
    world = World()
    path = world.save("S1.vsav", A)
    world.run(0)
    del world.disk.files[path]
    world.run(100)
    assert world.told == [events.Started((ROOT,), 1)]
    assert world.watcher.idle


@pytest.mark.parametrize(
    ("error", "tries", "fault"),
    [
        (FileError("a truncated zip"), 12, False),
        (PermissionError(13, "Permission denied"), 12, False),
        (NotAGame("a text file"), 1, False),
        (BoardError("board bdz is missing"), 1, False),
        (LimitReached("too large"), 1, False),
        (InternalFault("contradiction"), 1, True),
        (KeyError("owner pw canary"), 1, True),
    ],
)
def test_a_job_that_fails_is_told_once(error: Exception, tries: int, fault: bool) -> None:
    world = World()
    calls = []

    def job(file: ReadyFile) -> JobResult:
        calls.append(file)
        raise error

    world.job = job
    path = world.save("S1.vsav", A)
    world.run(100)
    for _ in range(5):
        world.notice(path)  # a virus scanner, say
        world.run(40)
    told = world.of(events.Failed)
    assert len(told) == 1
    assert isinstance(told[0], events.Failed)
    assert told[0].fault is fault
    assert "canary" not in told[0].text
    world.job = world.default_job
    world.save("S1.vsav", B)
    world.run(1)
    assert world.done() == ["S1.vsav"]
    assert len(calls) >= min(tries, 8)


def test_a_failure_of_one_file_does_not_hold_up_others() -> None:
    world = World()

    def job(file: ReadyFile) -> JobResult:
        if file.path.name == "bad.vsav":
            raise FileError("damaged")
        return world.default_job(file)

    world.job = job
    world.save("bad.vsav", A)
    world.run(0.2)
    world.save("good.vsav", B)
    world.run(0.2)
    assert world.done() == ["good.vsav"]


# --- settings ---


def test_files_are_done_again_when_their_settings_change() -> None:
    keys = {"key": "sk1"}
    world = World(key=lambda _: keys["key"])
    world.save("S1.vsav", A)
    world.save("copy.vsav", A)
    world.run(1)
    keys["key"] = "sk3"
    world.source.notices.append(Notice(ROOT, None, Sign.SEEN))  # rout.toml was written
    world.run(2)
    assert world.jobs == [("S1.vsav", A), ("S1.vsav", A)]


def test_stop_ends_the_source_and_keeps_the_ledgers() -> None:
    world = World()
    world.save("S1.vsav", A)
    world.run(0.2)
    world.watcher.request_stop()
    world.watcher.run()
    assert world.source.stopped
    assert ROOT / "rout" in world.store.kept
    assert world.told[-1] == events.Stopped(1)


# --- everything at once ---

NAMES = st.sampled_from(["a.vsav", "b.vsav", "c.vlog", "sub/a.vsav"])
TEXTS = st.sampled_from(["one", "two", "three"])
PAUSE = st.sampled_from([0.0, 0.04, 0.2, 0.35, 1.5])
STEPS = st.one_of(
    st.tuples(st.just("save"), NAMES, TEXTS, PAUSE),
    st.tuples(st.just("slow"), NAMES, TEXTS, PAUSE),
    st.tuples(st.just("silent"), NAMES, TEXTS, PAUSE),
    st.tuples(st.just("copy"), NAMES, NAMES, PAUSE),
    st.tuples(st.just("rename"), NAMES, NAMES, PAUSE),
    st.tuples(st.just("delete"), NAMES, NAMES, PAUSE),
)


def play(world: World, step: tuple[str, str, str, float]) -> None:
    kind, name, other, pause = step
    path = ROOT / name
    if kind == "save":
        world.save(name, save_bytes(other))
    elif kind == "slow":
        data = save_bytes(other)
        world.disk.put(name, b"", keep=True)
        for at in range(0, len(data), 70):
            world.disk.write_on(path, data[at : at + 70])
            world.notice(path)
            world.run(pause)
        world.notice(path, Sign.LET_GO)
    elif kind == "silent":
        world.disk.put(name, save_bytes(other))
    elif path in world.disk.files:
        data = world.disk.files[path].data
        if kind != "copy":
            del world.disk.files[path]
        if kind != "delete":
            world.save(other, data, Sign.LET_GO if kind == "rename" else Sign.CHANGED)
    world.run(pause)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=8))
def test_in_the_end_every_content_is_shown_and_none_was_shown_twice_in_a_row(
    steps: list[tuple[str, str, str, float]],
) -> None:
    world = World()
    for step in steps:
        play(world, step)
    world.run(70, step=0.1)
    assert not world.of(events.Failed)
    assert not world.of(events.NotWhole)
    for path, file in list(world.disk.files.items()):
        if path.suffix == ".html":
            continue
        shown = [f.data for p, f in world.disk.files.items() if p.parent == path.parent / "rout"]
        assert file.data in shown
    shared = {event.path.name for event in world.of(events.Same)}  # had another's content between
    for name in {name for name, _ in world.jobs} - shared:
        row = [data for other, data in world.jobs if other == name]
        assert all(one != two for one, two in itertools.pairwise(row))
    before = len(world.jobs)
    world.run(130, step=0.5)
    assert len(world.jobs) == before


def test_the_fake_disk_tells_partial_from_whole() -> None:
    """The tests above rest on it."""
    world = World()
    disk: FakeDisk = world.disk
    path = disk.put("x.vsav", A[:-1])
    whole = disk.put("y.vsav", A)
    assert disk.end(path, len(A) - 1) is not disk.end(whole, len(A))
