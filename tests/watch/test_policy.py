"""The watcher's judgement: pure functions, no disk, no clock."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.watch.fakes import save_bytes
from vassal_bridge.watch.policy import (
    TAIL_LENGTH,
    End,
    Next,
    Pace,
    Sign,
    Stamp,
    Waiting,
    decide,
    digest_of,
    end_of,
    failed,
    first_look,
    is_candidate,
    is_game_name,
    is_ours,
    mentions_game,
    noticed,
    output_stem,
)

PACE = Pace()
ONE = Stamp(100, 1, 7)
TWO = Stamp(200, 2, 7)


def end(data: bytes) -> End:
    return end_of(len(data), data[:4], data[-TAIL_LENGTH:])


@pytest.mark.parametrize(
    "name",
    [
        "S1.vsav",
        "S1.VLOG",
        "S 001 Retaking Vierville - Enhanced.vsav",
        "a.b.c.zip",
        "alt.log",
        "x.sav",
    ],
)
def test_names_that_may_be_games(name: str) -> None:
    assert is_candidate(name)


@pytest.mark.parametrize(
    "name",
    [
        "S1.vsav.tmp", "S1.vsav.part", ".S1.vsav.x81", "._S1.vsav", "~$S1.vsav", "~S1.vsav",
        "S1.rout.vsav", "S1.ROUT.vlog", "S1.rout.html", "vsav", "notes.txt", "rout.toml",
    ],
)  # fmt: skip
def test_names_that_are_none(name: str) -> None:
    assert not is_candidate(name)


def test_only_vassals_own_suffixes_are_surely_games() -> None:
    assert [is_game_name(n) for n in ("a.vsav", "a.VLOG", "a.zip", "a.log")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("S1.vsav", False), ("rout/S1.vsav", True), ("Rout/S1.vsav", True), ("a/rout/b/S1.v", True),
        ("a/S1.rout.vsav", True), (".dropbox.cache/S1.vsav", True), ("a/.b/S1.vsav", True),
        ("routs/S1.vsav", False), ("rout.vsav", False), ("a.rout/S1.vsav", False),
    ],
)  # fmt: skip
def test_own_outputs_and_folders_are_known(path: str, ours: bool) -> None:
    assert is_ours(PurePath(path)) is ours


@pytest.mark.parametrize(
    ("name", "neighbours", "stem"),
    [
        ("S1.vsav", ["S1.vsav", "S1.vlog"], "S1"),
        ("S1.vlog", ["S1.vsav", "S1.vlog"], "S1.vlog"),
        ("S1.vlog", ["S1.vlog", "S2.vsav"], "S1"),
        ("S1.zip", ["S1.vlog", "S1.zip"], "S1.zip"),
        ("S1.vlog", ["s1.VSAV"], "S1.vlog"),
        ("S1.vlog", ["S1.rout.vsav", ".S1.vsav", "S1.txt"], "S1"),
        ("S1.log", ["S1.log", "S1.sav"], "S1"),
        ("S1.sav", ["S1.log", "S1.sav"], "S1.sav"),
        ("S.1.vlog", ["S.1.vsav"], "S.1.vlog"),
    ],
)
def test_a_save_and_a_log_of_one_name_do_not_share_outputs(
    name: str, neighbours: list[str], stem: str
) -> None:
    assert output_stem(name, neighbours) == stem


@given(st.lists(st.sampled_from(["S1.vsav", "S1.vlog", "S1.zip", "S1.log", "s1.sav"]), unique=True))
def test_stems_of_neighbours_differ(names: list[str]) -> None:
    stems = [output_stem(name, names).casefold() for name in names]
    assert len(set(stems)) == len(stems)


# --- the end of a zip ---


def test_a_whole_zip() -> None:
    assert end(save_bytes("x" * 500)) is End.WHOLE


@given(st.data())
def test_a_cut_zip_is_never_whole(data: st.DataObject) -> None:
    whole = save_bytes("some text " * 50, size=300)
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert end(whole[:cut]) is End.OPEN


def test_a_zip_with_a_comment() -> None:
    whole = bytearray(save_bytes("x"))
    whole[-2:] = (5).to_bytes(2, "little")
    assert end(bytes(whole) + b"hello") is End.WHOLE
    assert end(bytes(whole) + b"hell") is End.OPEN


def test_something_behind_the_end_record() -> None:
    assert end(save_bytes("x") + b"\r\n") is End.TRAILED


def test_an_end_record_inside_a_stored_zip_is_not_the_end() -> None:
    inner = save_bytes("x")
    outer = b"PK\x03\x04" + b"\0" * 26 + inner + b"more to come"
    assert end(outer) is End.OPEN


def test_laid_out_space_is_open() -> None:
    assert end(b"\0" * 5000) is End.OPEN
    assert end(b"") is End.OPEN
    assert end(b"PK") is End.OPEN


def test_text_is_foreign() -> None:
    assert end(b"hello, this is no zip") is End.FOREIGN


def test_a_directory_that_is_not_there_is_not_whole() -> None:
    whole = save_bytes("x" * 100)
    directory = whole.index(b"PK\x01\x02")
    broken = whole[:directory] + b"\0" * 4 + whole[directory + 4 :]
    assert end(broken) is End.OPEN


@given(st.binary(max_size=300))
def test_any_bytes_are_judged(data: bytes) -> None:
    assert end(data) in End


def test_which_zips_are_worth_a_look() -> None:
    assert mentions_game(save_bytes("x"))
    assert mentions_game(b"PK..S1-2-A.vlog..")
    assert not mentions_game(b"PK..holiday.jpg..")


# --- readiness ---


def test_ready_after_quiet() -> None:
    waiting = noticed(None, Sign.CHANGED, ONE, 10.0)
    assert first_look(waiting, PACE) == pytest.approx(10.3)
    early = decide(waiting, ONE, End.WHOLE, 10.29, PACE)
    assert early.next is Next.WAIT
    assert early.due == pytest.approx(10.3)
    assert decide(waiting, ONE, End.WHOLE, 10.3, PACE).next is Next.READY


def test_ready_sooner_when_let_go() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    assert decide(waiting, ONE, End.WHOLE, 10.051, PACE).next is Next.READY


def test_let_go_is_not_enough_without_the_end_record() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    assert decide(waiting, ONE, End.OPEN, 11.0, PACE).next is Next.WAIT


def test_a_change_starts_the_wait_anew() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    decision = decide(waiting, TWO, End.WHOLE, 10.5, PACE)
    assert decision.next is Next.WAIT
    assert decision.waiting == Waiting(TWO, 10.5, let_go=False)
    assert decision.due == pytest.approx(10.8)


def test_a_write_that_stat_does_not_show_counts_too() -> None:
    """Same size within the clock tick of the file system."""
    waiting = noticed(noticed(None, Sign.LET_GO, ONE, 10.0), Sign.CHANGED, ONE, 10.2)
    assert (waiting.since, waiting.let_go) == (10.2, False)


def test_a_scan_changes_nothing_about_a_file_that_has_not_changed() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    assert noticed(waiting, Sign.SEEN, ONE, 12.0) is waiting


def test_a_trailed_zip_waits_longer() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    assert decide(waiting, ONE, End.TRAILED, 12.9, PACE).next is Next.WAIT
    assert decide(waiting, ONE, End.TRAILED, 13.0, PACE).next is Next.READY


def test_a_foreign_file_is_handed_over_after_quiet() -> None:
    waiting = noticed(None, Sign.LET_GO, ONE, 10.0)
    assert decide(waiting, ONE, End.FOREIGN, 10.1, PACE).next is Next.WAIT
    assert decide(waiting, ONE, End.FOREIGN, 10.3, PACE).next is Next.READY


def test_gone() -> None:
    assert decide(Waiting(ONE, 10.0), None, End.OPEN, 10.1, PACE).next is Next.GONE


def test_patience_ends_after_thirty_seconds() -> None:
    waiting = Waiting(ONE, 10.0)
    now, looks = 10.3, 0
    while (decision := decide(waiting, ONE, End.OPEN, now, PACE)).next is Next.WAIT:
        assert 0 < decision.due - now <= 1.0
        now, looks = decision.due, looks + 1
    assert decision.next is Next.GIVE_UP
    assert 40.0 <= now < 41.1
    assert looks < 50


def test_failed_reads_are_tried_again_later_and_later() -> None:
    waiting, now = Waiting(ONE, 10.0), 10.0
    pauses = []
    while (decision := failed(waiting, now, PACE)).next is Next.WAIT:
        pauses.append(decision.due - now)
        waiting, now = decision.waiting, decision.due
    assert decision.next is Next.GIVE_UP
    assert pauses[:5] == pytest.approx([0.3, 0.6, 1.2, 2.4, 4.8])
    assert max(pauses) == PACE.longest_retry
    assert 30.0 <= now - 10.0 <= 35.0


def test_a_change_forgives_failures() -> None:
    waiting = replace(Waiting(ONE, 10.0), fails=5, failing_since=10.0)
    assert noticed(waiting, Sign.CHANGED, TWO, 20.0).fails == 0
    assert noticed(waiting, Sign.CHANGED, ONE, 20.0).fails == 0


def test_a_file_found_by_scan_is_not_live_until_noticed() -> None:
    seen = noticed(None, Sign.SEEN, ONE, 1.0)
    assert not seen.live
    assert noticed(seen, Sign.CHANGED, TWO, 2.0).live
    assert noticed(seen, Sign.LET_GO, ONE, 2.0).live


def test_digest_is_of_content() -> None:
    assert digest_of(b"a") == digest_of(b"a") != digest_of(b"b")
    assert len(digest_of(b"")) == 40
