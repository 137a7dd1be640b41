"""Interdiction checks: rolled, missing, and whether the result was applied (R64 to R68)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.scenes import Example, codes, only, phase, rules
from tests.shared import needs_shared
from vassal_bridge.audit import Cut, Nmc, Verdict
from vassal_bridge.audit.dice import read_roll

pytestmark = needs_shared


def start(*said: str) -> Example:
    """N7 sets out for the woods N9; N8 on the way is interdicted by M6 and O6."""
    log = Example("N7", "M9")
    log.begin()
    log.say("RtPh")
    for line in said:
        log.say(line)
    return log


def to_n8(log: Example, *dice: int, button: str = "MC") -> None:
    log.rout("N7", "N8")
    if dice:
        log.roll(button, *dice)


def test_passed(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 1, 3)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert rout.path == ("zN8", "zN9")
    (check,) = rout.checks
    assert (check.hex, set(check.by), check.nmc, check.total) == (
        "zN8", {"zM6", "zO6"}, Nmc.ROLLED, 4,
    )  # fmt: skip
    assert "R64" in rules(rout)
    assert rout.last_legal == "zN9"


def test_missing_is_illegal(tmp_path: Path) -> None:
    log = start()
    log.roll("Rally", 1, 1)
    log.rout("N7", "N8", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert rout.reasons[0].rule == "R64"
    assert rout.checks[0].nmc is Nmc.MISSING


def test_log_without_dice_proves_nothing(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert codes(rout) >= {"no-dice"}


def test_rolled_with_another_button(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 2, 2, button="Other")
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert rout.checks[0].nmc is Nmc.ROLLED


def test_rolled_after_arrival(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8", "N9")
    log.roll("MC", 2, 2)
    assert only(log, tmp_path).verdict is Verdict.LEGAL


def test_a_roll_is_used_once(tmp_path: Path) -> None:
    """One NMC for two units: the second one's is missing."""
    log = Example("N7", "N6")
    log.begin()
    log.say("RtPh")
    log.rout("N7", "N8", "N9")
    log.roll("MC", 2, 2)
    log.rout("N6", "N7", "O8")
    first, second = phase(log, tmp_path).routs
    assert first.verdict is Verdict.LEGAL
    assert second.verdict is Verdict.ILLEGAL
    assert second.checks[0].nmc is Nmc.MISSING


def test_pinned(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 3, 4)
    log.marker("Pin", "zN8")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.PINNED)
    assert "R66" in rules(rout)


def test_pinned_without_counter(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 3, 4)
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.PINNED)


def test_pinned_by_a_roll_of_unknown_purpose(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("Other", 3, 4)
    log.rout("M9", "N9")
    found = {rout.start: rout for rout in phase(log, tmp_path).routs}
    rout = found["zN7"]
    assert (rout.verdict, rout.cut) == (Verdict.UNPROVEN, Cut.PINNED)
    assert {"R66", "R85"} <= rules(rout)


def test_pin_ignored(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 3, 4)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R66" in rules(rout)


def test_reduced_and_on(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 5, 4)
    log.halve(log.units["N7"])
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert {"R67", "R68"} <= rules(rout)
    assert rout.cut is None


def test_reduced_and_stays(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 5, 4)
    log.halve(log.units["N7"])
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.REDUCED)


def test_reduction_by_a_new_counter(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 5, 4)
    squad = log.units["N7"]
    log.remove(squad)
    half = log.half("Russian", "2-3-7", "zN8")
    log.breaks(half)
    log.move(half, log.dms["N7"], to="zN9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert (rout.piece, rout.continued_by) == (squad.id, half.id)
    assert rout.path == ("zN8", "zN9")
    assert {"R67", "R68"} <= rules(rout)


def test_new_counter_first_then_the_old_one_goes(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 5, 4)
    squad = log.units["N7"]
    half = log.half("Russian", "2-3-7", "zN8", broken=True)
    log.remove(squad)
    log.move(half, to="zN9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert rout.continued_by == half.id


def test_failed_and_nothing_done(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 5, 4)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert rout.reasons[0].rule == "R67"


def test_original_twelve(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 6, 6)
    log.remove(log.dms["N7"])
    log.remove(log.units["N7"])
    found = phase(log, tmp_path)
    (rout,) = found.routs
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.ELIMINATED)
    assert "R67" in rules(rout)
    assert [f for f in found.failures if f.piece == rout.piece] == []


def test_original_twelve_only_reduced(tmp_path: Path) -> None:
    log = start()
    to_n8(log, 6, 6)
    log.halve(log.units["N7"])
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert rout.reasons[0].rule == "R67"


def test_half_squad_that_fails_is_gone(tmp_path: Path) -> None:
    log = Example("M9")
    half = log.half("Russian", "2-3-7", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    log.say("RtPh")
    log.move(half, dm, to="zN8")
    log.roll("MC", 5, 4)
    log.move(half, dm, to="zN9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert rout.reasons[0].fact("due") == "eliminated"


def test_leader_is_wounded_and_walks_on(tmp_path: Path) -> None:
    """3 MF in all, 1 used: the woods N9 (2 MF) are just in reach."""
    log = Example("M9")
    leader = log.leader("Russian", "8-0", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    log.say("RtPh")
    log.move(leader, dm, to="zN8")
    log.roll("MC", 6, 5)
    log.roll("Other", 2)
    log.wound(leader)
    log.move(leader, dm, to="zN9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert {"R67", "R68"} <= rules(rout)


@pytest.mark.parametrize(
    ("before", "dice", "verdict"),
    [
        (False, (4, 3), Verdict.LEGAL),  # 7 is lower than 8
        (True, (4, 3), Verdict.ILLEGAL),  # wounded his morale is 7: pinned, and he walked on
        (True, (4, 2), Verdict.LEGAL),
    ],
)
def test_a_wound_costs_a_leader_a_point_of_morale(
    tmp_path: Path, before: bool, dice: tuple[int, int], verdict: Verdict
) -> None:
    log = Example("M9")
    leader = log.leader("Russian", "8-0", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    if before:
        log.wound(leader)
    log.say("RtPh")
    log.move(leader, dm, to="zN8")
    log.roll("MC", *dice)
    log.move(leader, dm, to="zN9")
    rout = only(log, tmp_path)
    assert rout.verdict is verdict
    assert ("R66" in rules(rout)) is (verdict is Verdict.ILLEGAL)


def test_wounded_leader_has_three_mf_in_all(tmp_path: Path) -> None:
    log = Example("M9")
    leader = log.leader("Russian", "8-0", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    log.say("RtPh")
    log.move(leader, dm, to="zN8")
    log.roll("MC", 6, 5)
    log.wound(leader)
    log.move(leader, dm, to="zN9")
    log.move(leader, dm, to="zN10")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R17" in rules(rout)


@pytest.mark.parametrize(
    ("line", "total", "check"),
    [
        ("*** (MC DR) 5,4 ***   <A>      [1 / 3   avg   9.00 (7.00)]    (01.98)", 9, True),
        ("*** (NMC DR) 1,1 *** <A>", 2, True),
        ("*** DR = 2,3 *** <Bob>", 5, False),
        ("*** (MC DR) 5,4,6 *** - total with LEVEL: 12     <A>", 9, True),
        ("*** (IFT DR) 2,2 ***   <A>  ROF die: 3", 4, False),
    ],
)
def test_dice_lines(line: str, total: int, check: bool) -> None:
    roll = read_roll(7, line)
    assert roll is not None
    assert (roll.step, roll.total, roll.is_check) == (7, total, check)


@pytest.mark.parametrize("line", ["<A> - rolled a 7", "* DM created *", "*** nothing ***", ""])
def test_no_dice_line(line: str) -> None:
    assert read_roll(1, line) is None


def test_pin_counter_without_a_roll(tmp_path: Path) -> None:
    """The result lies on the map: the roll was made, but not in this log."""
    log = start()
    log.roll("Rally", 1, 1)
    log.rout("N7", "N8")
    log.marker("Pin", "zN8")
    log.rout("M9", "N9")
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zN7")
    assert (rout.verdict, rout.cut) == (Verdict.UNPROVEN, Cut.PINNED)


def test_reduction_without_a_roll(tmp_path: Path) -> None:
    log = start()
    log.roll("Rally", 1, 1)
    log.rout("N7", "N8")
    log.halve(log.units["N7"])
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert "loss-unexplained" in codes(rout)
