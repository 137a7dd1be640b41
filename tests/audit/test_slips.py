"""What hands do on a map: slips, counters put aside, markers late or elsewhere, talk of dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.logs import MAP, Piece
from tests.audit.scenes import Example, audit, codes, library, only, phase
from tests.shared import needs_shared
from tests.vassal.samples import CANARY
from vassal_bridge.audit import (
    AuditedPhase,
    AuditOptions,
    Cut,
    Verdict,
    audit_files,
    audit_saved,
    audit_saves,
)
from vassal_bridge.audit.words import Talk, topics
from vassal_bridge.bridge import Options

pytestmark = needs_shared


def start(*broken: str, dm: bool = True) -> Example:
    log = Example(*(broken or ("M9", "N7")), dm=dm)
    log.begin()
    log.say("RtPh")
    log.roll("Rally", 1, 1)
    return log


def crawl_n7(log: Example) -> None:
    log.say("N7 low crawls")
    log.rout("N7", "N8")


def put_aside(log: Example, piece: Piece) -> None:
    """Drag a counter to a pixel off the boards."""
    log.steps_add(
        f"M/{piece.id}/{MAP}/10/10/null/{MAP}/{piece.x}/{piece.y}/null/{CANARY}", "CHAT* off *"
    )


def put_back(log: Example, piece: Piece, to: str) -> None:
    x, y = log.layout.snap(f"z{to}")
    log.steps_add(f"M/{piece.id}/{MAP}/{x}/{y}/null/{MAP}/10/10/null/{CANARY}", "CHAT* back *")
    piece.x, piece.y = x, y


def standing(found: AuditedPhase) -> list[tuple[str, tuple[str, ...], Verdict]]:
    return [(r.start, r.path, r.verdict) for r in found.routs if not r.undone]


N7_CRAWLS = ("zN7", ("zN8",), Verdict.LEGAL)

# --- dragged and dragged back ---------------------------------------------------------------------


def test_there_and_back_without_a_word_is_no_rout(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "M8", "M9")
    crawl_n7(log)
    found = phase(log, tmp_path)
    assert standing(found) == [N7_CRAWLS]
    assert [(r.path, r.undone) for r in found.routs if r.start == "zM9"] == [(("zM8",), True)]


def test_there_and_back_and_then_another_way(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "M8", "M9", "N9")
    crawl_n7(log)
    assert standing(phase(log, tmp_path)) == [("zM9", ("zN9",), Verdict.LEGAL), N7_CRAWLS]


def test_a_slip_in_the_middle_of_a_rout(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "N9", "O9", "N9", "N10")
    crawl_n7(log)
    assert standing(phase(log, tmp_path)) == [("zM9", ("zN9", "zN10"), Verdict.LEGAL), N7_CRAWLS]


def test_a_way_back_after_a_check_is_a_way(tmp_path: Path) -> None:
    """The NMC was rolled: the move was meant, and leaving woods for the open is none."""
    log = start("N7")
    log.rout("N7", "N8")
    log.roll("MC", 1, 1)
    log.rout("N7", "N7", "M8")
    rout = only(log, tmp_path)
    assert (rout.path, rout.undone) == (("zN8", "zN7", "zM8"), False)
    assert rout.verdict is Verdict.ILLEGAL


def test_put_aside_and_back_is_no_failure(tmp_path: Path) -> None:
    log = start()
    put_aside(log, log.units["N7"])
    for _ in range(7):
        log.say("hm")
    put_back(log, log.units["N7"], "N7")
    crawl_n7(log)
    found = phase(log, tmp_path)
    assert (standing(found), found.failures) == ([N7_CRAWLS], ())


def test_put_aside_and_then_where_it_routs(tmp_path: Path) -> None:
    log = start()
    log.say("N7 low crawls")
    put_aside(log, log.units["N7"])
    put_back(log, log.units["N7"], "N8")
    log.rout("M9", "N9")
    found = phase(log, tmp_path)
    assert standing(found) == [N7_CRAWLS, ("zM9", ("zN9",), Verdict.LEGAL)]
    assert found.failures == ()


# --- other counters for the same unit -------------------------------------------------------------


def test_another_quality_is_the_same_unit(tmp_path: Path) -> None:
    log = start()
    log.remove(log.units["N7"])
    log.units["N7"] = log.squad("Russian", "4-2-6", "zN7", broken=True)
    crawl_n7(log)
    found = phase(log, tmp_path)
    assert (standing(found), found.failures) == ([N7_CRAWLS], ())


def test_half_squad_put_down_beside_and_dragged_into_place(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("MC", 5, 4)
    half = log.half("Russian", "2-3-7", "zA2", broken=True)
    log.move(half, to="zN8")
    log.remove(log.units["N7"])
    log.move(half, to="zN9")
    rout = only(log, tmp_path)
    assert (rout.path, rout.verdict) == (("zN8", "zN9"), Verdict.LEGAL)
    assert rout.continued_by == half.id


# --- markers --------------------------------------------------------------------------------------


def test_dm_marker_put_down_after_the_rout(tmp_path: Path) -> None:
    log = start("M9", "N7", dm=False)
    log.rout("M9", "N9")
    log.marker("DM", "zN9")
    crawl_n7(log)
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zM9")
    assert rout.verdict is Verdict.UNPROVEN
    assert "dm-not-seen" in codes(rout)


def test_dm_marker_under_another_unit_of_the_hex(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    friend = log.squad("Russian", "4-4-7", "zM9", broken=True)
    log.begin()
    log.say("RtPh")
    log.move(friend, to="zN9")
    crawl_n7(log)
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zM9")
    assert rout.verdict is Verdict.UNPROVEN
    assert "dm-not-seen" in codes(rout)


def test_restacked_on_top_of_its_dm_marker(tmp_path: Path) -> None:
    log = Example("N7")
    first = log.squad("Russian", "4-4-7", "zM9", broken=True)
    second = log.squad("Russian", "4-4-7", "zM9", broken=True)
    dm = log.marker("DM", "zM9")
    log.begin()
    log.say("MPh")
    log.move(log.germans["O5"], to="zO4")
    log.move(first, to="zM9")
    log.say("RtPh")
    log.move(first, to="zN9")
    log.move(second, dm, to="zN9")
    crawl_n7(log)
    verdicts = [r.verdict for r in phase(log, tmp_path).routs if r.start == "zM9"]
    assert verdicts == [Verdict.LEGAL, Verdict.LEGAL]


def test_pin_counter_dragged_from_elsewhere(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    pin = log.marker("Pin", "zA2")
    log.begin()
    log.say("RtPh")
    log.rout("N7", "N8")
    log.roll("Other", 3, 4)
    log.move(pin, to="zN8")
    log.rout("M9", "N9")
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zN7")
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.PINNED)


# --- talk -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "oops, wrong button, NMC again",
        "sorry, my mistake, 8 FP it was",
        "fixed the DM marker on M9",
        "falscher Knopf, korrigiert",
        "ошибка, кубики заново",
    ],
)
def test_dice_and_markers_put_right_move_no_unit(text: str, tmp_path: Path) -> None:
    assert Talk.CORRECTION not in topics(text)
    log = start()
    log.say(text)
    log.rout("M9", "N9")
    log.rout("N7", "N8")
    log.say(text)
    log.roll("MC", 1, 1)
    log.rout("N7", "N9")
    assert standing(phase(log, tmp_path)) == [
        ("zM9", ("zN9",), Verdict.LEGAL),
        ("zN7", ("zN8", "zN9"), Verdict.LEGAL),
    ]


@pytest.mark.parametrize(
    "text", ["wrong hex, N10 was meant", "Korrektur: das DM gehört nach N10", "it had to take N10"]
)
def test_units_put_right(text: str) -> None:
    assert Talk.CORRECTION in topics(text)


def test_my_mistake_and_now_your_routs(tmp_path: Path) -> None:
    log = start()
    log.say("my mistake, you rout first")
    log.rout("M9", "N9")
    crawl_n7(log)
    assert standing(phase(log, tmp_path)) == [("zM9", ("zN9",), Verdict.LEGAL), N7_CRAWLS]


@pytest.mark.parametrize("text", ["NMC 3+2 = 5, ok", "interdiction N8: 5"])
def test_a_check_told_in_numbers(text: str, tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.say(text)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert "nmc-said" in codes(rout)


# --- forgotten in a turn that both sides play -----------------------------------------------------


def test_forgotten_when_close_combat_follows(tmp_path: Path) -> None:
    log = Example("N7")
    log.begin()
    log.say("RtPh")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    log.say("CCPh, none")
    (failure,) = phase(log, tmp_path).failures
    assert (failure.hex, failure.rule, failure.handled) == ("zN7", "R73", "forgotten")


def test_forgotten_when_the_defender_has_fired_in_the_log(tmp_path: Path) -> None:
    log = Example("N7")
    log.squad("Russian", "4-4-7", "zJ5")
    log.begin()
    log.say("MPh")
    log.move(log.germans["L7"], to="zL6")
    log.say("DFPh: J5 at L6")
    log.roll("IFT", 5, 5)
    log.say("RtPh")
    log.say("APh")
    log.move(log.germans["L7"], to="zK7")
    (failure,) = phase(log, tmp_path).failures
    assert (failure.hex, failure.handled) == ("zN7", "forgotten")


# --- logs that end in the phase -------------------------------------------------------------------


def test_a_log_that_ends_while_units_can_still_rout(tmp_path: Path) -> None:
    log = Example("M9", "N7", "N5")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    found = phase(log, tmp_path)
    assert found.failures == ()
    assert {(n.code, n.hex) for n in found.notes} >= {
        ("still-to-rout", "zN7"),
        ("still-to-rout", "zN5"),
    }


@pytest.mark.parametrize("text", ["done", "fertig", "yours"])
def test_a_log_that_ends_with_the_phase(text: str, tmp_path: Path) -> None:
    log = Example("M9", "N7", "N5")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say(text)
    found = phase(log, tmp_path)
    assert {(f.hex, f.handled) for f in found.failures} == {
        ("zN7", "forgotten"),
        ("zN5", "forgotten"),
    }


def test_a_log_that_says_who_stays(tmp_path: Path) -> None:
    log = Example("M9", "N7", "N5")
    log.begin()
    log.say("RtPh")
    log.say("N7 stays where it is")
    log.rout("M9", "N9")
    failures = {(f.hex, f.handled) for f in phase(log, tmp_path).failures}
    assert failures == {("zN7", "forgotten"), ("zN5", "forgotten")}


def test_a_log_that_ends_with_an_announcement(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say("N7 low crawls")
    assert phase(log, tmp_path).failures == ()


def test_a_rout_taken_back_opens_the_phase(tmp_path: Path) -> None:
    """No word is said: the try that was taken back belongs to the phase all the same."""
    log = Example("M9", "N7")
    log.begin()
    log.move(log.germans["O5"], to="zO4")
    log.roll("IFT", 6, 6)
    pair = (log.units["M9"], log.dms["M9"])
    log.move(*pair, to="zM8", say="* one *")
    log.undo_move(*pair, back="zM9", line="* one *")
    log.rout("M9", "N9")
    log.rout("N7", "N8")
    log.roll("MC", 1, 1)
    log.rout("N7", "N9")
    log.move(log.germans["L7"], to="zL8")
    found = phase(log, tmp_path)
    assert [(r.path, r.undone) for r in found.routs if r.start == "zM9"] == [
        (("zM8",), True),
        (("zN9",), False),
    ]


# --- one phase in two logs ------------------------------------------------------------------------


def half_way(folder: Path) -> tuple[Path, Path]:
    """N7 crawls into the open in one log, M9 routs in the next, where no word begins the phase."""
    first = Example("M9", "N7")
    first.begin()
    first.say("RtPh")
    crawl_n7(first)
    second = Example("M9", "N8")
    second.units["N8"].id = first.units["N7"].id  # same pieces, same ids
    second.begin()
    second.rout("M9", "N9")
    second.say("APh")
    second.move(second.germans["L7"], to="zL8")
    second.say("no CC")
    folder.mkdir()
    return (
        first.write(folder, "one.vlog", date=1),
        second.write(folder, "two.vlog", date=2),
    )


def test_a_unit_that_routed_in_the_log_before_is_not_forgotten(tmp_path: Path) -> None:
    _, two = half_way(tmp_path / "game")
    options = AuditOptions(Options(library(), attacker="German"))
    alone = audit_saved(two, options)
    assert [f for p in alone.phases for f in p.failures] == []
    found = list(audit_files([tmp_path / "game"], options))
    results = [each.result for each in found if each.result is not None]
    routs = [r.start for result in results for p in result.phases for r in p.routs]
    failures = [f for result in results for p in result.phases for f in p.failures]
    assert (routs, failures) == (["zN7", "zM9"], [])


def test_short_stop_by_a_jump_between_saves_may_be_a_pin(tmp_path: Path) -> None:
    before, after = Example("N7"), Example("N7")
    x, y = after.layout.snap("zO9")
    for piece in (after.units["N7"], after.dms["N7"]):
        piece.x, piece.y, piece.stack = x, y, "77"
    before.begin()
    after.begin()
    one, two = before.write(tmp_path, "a.vsav"), after.write(tmp_path, "b.vsav")
    options = AuditOptions(Options(library(), attacker="German"))
    (rout,) = audit_saves(one, two, options).phases[0].routs
    assert rout.verdict is Verdict.UNPROVEN
    assert "between-saves" in codes(rout)


def test_a_rout_under_way_when_the_log_ends(tmp_path: Path) -> None:
    """N8 is interdicted and no destination: roll and next hex may stand in the next log."""
    log = start()
    log.rout("N7", "N8")
    rout = only(log, tmp_path)
    assert rout.verdict in (Verdict.UNPROVEN, Verdict.LEGAL)
    log.roll("MC", 1, 1)
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert {"stops-short", "not-a-destination"} <= codes(rout)
    log.say("done")
    assert only(log, tmp_path).verdict is Verdict.ILLEGAL


def test_an_illegal_step_is_illegal_under_way_too(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "M8")
    assert only(log, tmp_path).verdict is Verdict.ILLEGAL


# --- an enemy appears while a unit routs ----------------------------------------------------------


def revealed(where: str, to: str) -> Example:
    log = Example("N7", "M9")
    enemy = log.squad("German", "4-6-7", f"z{where}", hip=True)
    log.begin()
    log.say("RtPh")
    log.rout("N7", "N8")
    log.roll("MC", 1, 1)
    log.set_layer(enemy, 6, "null")
    log.rout("N7", to)
    log.roll("MC", 1, 1)
    log.rout("M9", "L9")
    log.say("done")
    return log


@pytest.mark.parametrize(
    ("where", "to"),
    [
        ("N10", "O9"),  # it may have chosen anew there
        ("O9", "N9"),  # from next to it to next to it
    ],
)
def test_an_enemy_revealed_under_way(where: str, to: str, tmp_path: Path) -> None:
    rout = next(r for r in phase(revealed(where, to), tmp_path).routs if r.start == "zN7")
    assert rout.verdict is Verdict.UNPROVEN
    assert rout.reasons[0].rule == "R78"


def test_an_enemy_revealed_elsewhere_changes_nothing(tmp_path: Path) -> None:
    rout = next(r for r in phase(revealed("B2", "N9"), tmp_path).routs if r.start == "zN7")
    assert rout.verdict is Verdict.LEGAL


@pytest.mark.parametrize(
    "text", ["oops wrong dice window, again", "reroll, that was the Rally button", "falscher Wurf"]
)
def test_a_roll_that_does_not_count(text: str, tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("MC", 5, 5)
    log.say(text)
    log.roll("MC", 1, 1)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.checks[0].total) == (Verdict.LEGAL, 2)


def test_an_enemy_that_was_next_to_it_leaves_dm(tmp_path: Path) -> None:
    """R5: adjacent at any time in the turn; the marker was forgotten."""
    log = Example("M9", "N7", dm=False)
    log.begin()
    log.say("MPh")
    log.move(log.germans["L7"], to="zM8")
    log.move(log.germans["L7"], to="zL7")
    log.say("RtPh")
    log.rout("M9", "N9")
    crawl_n7(log)
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zM9")
    assert rout.verdict is Verdict.UNPROVEN
    assert "dm-not-seen" in codes(rout)


def test_dm_that_came_off_after_it_broke(tmp_path: Path) -> None:
    log = Example("N7")
    unit = log.squad("Russian", "4-4-7", "zM9")
    log.begin()
    log.say("AFPh")
    log.roll("IFT", 1, 1)
    log.breaks(unit)
    mark_step = log.marker("DM", "zM9")
    log.roll("Rally", 6, 5)
    log.remove(mark_step)
    log.say("MPh")
    log.move(log.germans["O5"], to="zO4")
    log.say("RtPh")
    log.move(unit, to="zN9")
    crawl_n7(log)
    rout = next(r for p in audit(log, tmp_path).phases for r in p.routs if r.piece == unit.id)
    assert rout.verdict is Verdict.ILLEGAL
    assert rout.reasons[0].rule == "R2"


def test_taken_off_first_and_said_after(tmp_path: Path) -> None:
    log = Example("N5", "M9")
    log.begin()
    log.say("AFPh")
    log.roll("IFT", 5, 5)
    log.remove(log.units["N5"], log.dms["N5"])
    log.say("N5 fails to rout")
    log.rout("M9", "N9")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    (failure,) = phase(log, tmp_path).failures
    assert (failure.hex, failure.handled, failure.steps) == ("zN5", "removed", (3, 4))


def test_a_rout_remembered_after_the_first_advance(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    log.say("wait, N7 still has to rout")
    log.rout("N7", "N8")
    log.roll("MC", 2, 2)
    log.rout("N7", "N9")
    log.say("ok")
    result = audit(log, tmp_path)
    routs = [(r.start, r.verdict) for p in result.phases for r in p.routs]
    assert routs == [("zM9", Verdict.LEGAL), ("zN7", Verdict.LEGAL)]
    assert [f for p in result.phases for f in p.failures] == []


def test_wrong_hex_put_right_farther_off(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "M8")
    log.say("no, wrong hex")
    log.rout("M9", "N10")
    crawl_n7(log)
    assert standing(phase(log, tmp_path)) == [("zM9", ("zN10",), Verdict.LEGAL), N7_CRAWLS]


def stack_of_two() -> tuple[Example, Piece, Piece, Piece]:
    log = Example("M9")
    first = log.squad("Russian", "4-4-7", "zN7", broken=True)
    second = log.squad("Russian", "4-4-7", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    log.say("RtPh")
    return log, first, second, dm


def test_checks_of_a_stack_are_shared_out(tmp_path: Path) -> None:
    log, first, second, dm = stack_of_two()
    log.move(first, second, dm, to="zN8")
    log.roll("MC", 1, 1)
    log.roll("MC", 1, 2)
    log.move(first, second, dm, to="zN9")
    log.say("done")
    for rout in phase(log, tmp_path).routs:
        assert rout.verdict is Verdict.ILLEGAL
        assert rout.reasons[0].rule == "R14"
        assert "nmc-missing" not in codes(rout)


def test_dragged_along_by_mistake_and_put_back(tmp_path: Path) -> None:
    log, first, second, dm = stack_of_two()
    log.move(first, second, dm, to="zN8")
    log.move(second, to="zN7")
    log.roll("MC", 1, 1)
    log.move(first, dm, to="zN9")
    log.move(second, to="zN8")
    log.roll("MC", 1, 2)
    log.move(second, to="zN9")
    log.say("done")
    legal = ("zN7", ("zN8", "zN9"), Verdict.LEGAL)
    assert standing(phase(log, tmp_path)) == [legal, legal]
