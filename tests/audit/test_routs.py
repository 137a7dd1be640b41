"""How routs are recorded and what they may be: crawls, jumps, stacks, leaders, weapons, order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.scenes import Example, codes, only, phase, rules
from tests.shared import needs_shared
from vassal_bridge.audit import Recorded, Verdict

pytestmark = needs_shared


def example(*broken: str, **options: object) -> Example:
    log = Example(*broken, **options)  # type: ignore[arg-type]
    log.begin()
    log.say("RtPh")
    return log


# --- Low Crawl ----------------------------------------------------------------------------------


def test_declared_crawl(tmp_path: Path) -> None:
    log = example("N7")
    log.say("N7 low crawls to N8")
    log.rout("N7", "N8")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.how, rout.low_crawl) == (Verdict.LEGAL, Recorded.CRAWL, True)
    assert {"R52", "R10"} <= rules(rout)
    assert rout.steps == (2, 3)
    assert rout.checks == ()


def test_crawl_as_the_only_legal_reading(tmp_path: Path) -> None:
    log = example("N7", "M9")
    log.roll("Rally", 1, 2)
    log.rout("N7", "N8")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.how) == (Verdict.LEGAL, Recorded.CRAWL)
    assert "crawl-only" in codes(rout)


@pytest.mark.parametrize(
    "said", ["N7 kriecht", "N7 рампе, ползком", "N7 rampe", "N7 匍匐前进", "LC"]
)
def test_crawl_in_other_languages(said: str, tmp_path: Path) -> None:
    log = example("N7")
    log.say(said)
    log.rout("N7", "N8")
    assert "crawl-declared" in codes(only(log, tmp_path))


def test_declared_crawl_of_two_hexes(tmp_path: Path) -> None:
    log = example("N7")
    log.say("N7 low crawls")
    log.rout("N7", "N8", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R52" in rules(rout)


def test_crawl_words_about_another_unit(tmp_path: Path) -> None:
    log = example("N7", "M9")
    log.rout("M9", "N9", "N10")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    first, second = phase(log, tmp_path).routs
    assert (first.how, first.verdict) == (Recorded.STEPS, Verdict.LEGAL)
    assert second.how is Recorded.CRAWL


def test_crawl_next_to_a_discovered_enemy(tmp_path: Path) -> None:
    """L7 is not seen from N6; the crawl to M7 ends beside it (R55, R73)."""
    log = example("N6", "M9", germans=("O5", "O6", "M5", "L7"))
    log.say("N6 low crawls to M7")
    log.rout("N6", "M7")
    log.say("next to L7, eliminated")
    log.remove(log.dms["N6"])
    log.remove(log.units["N6"])
    found = phase(log, tmp_path)
    (rout,) = found.routs
    assert rout.verdict is Verdict.LEGAL
    assert str(rout.cut) == "eliminated"
    assert "R55" in rules(rout)
    assert rout.last_legal == "zN6"
    (failure,) = [f for f in found.failures if f.piece == rout.piece]
    assert (failure.rule, failure.hex, failure.handled) == ("R73b", "zM7", "removed")


# --- jumps --------------------------------------------------------------------------------------


def test_jump_with_a_legal_way(tmp_path: Path) -> None:
    log = example("M9")
    log.rout("M9", "N10")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.how) == (Verdict.LEGAL, Recorded.JUMP)
    assert rout.legal_path[-1] == "zN10"
    assert rout.checks == ()


def test_jump_every_way_of_which_is_interdicted(tmp_path: Path) -> None:
    """N6 to O8 leads through N7 only."""
    log = example("N6")
    log.rout("N6", "O8")
    log.roll("MC", 1, 2)
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    (check,) = rout.checks
    assert (check.hex, check.unavoidable, str(check.nmc)) == ("zN7", True, "rolled")


def test_jump_without_its_unavoidable_check(tmp_path: Path) -> None:
    log = example("N6", "M9")
    log.roll("Rally", 1, 1)
    log.rout("N6", "O8")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R64" in rules(rout)


def test_jump_too_far(tmp_path: Path) -> None:
    log = example("M9")
    log.rout("M9", "G9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R16" in rules(rout) or "R27" in rules(rout)
    assert rout.last_legal == "zM9"
    assert "zN9" in rout.legal_ends


# --- who may ------------------------------------------------------------------------------------


def test_without_dm(tmp_path: Path) -> None:
    log = example("M9", dm=False)
    log.rout("M9", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R2" in rules(rout)


def test_without_dm_but_it_must(tmp_path: Path) -> None:
    """R6: automatic DM at the start of the phase; the missing marker is a note."""
    log = example("N7", dm=False)
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    found = phase(log, tmp_path)
    assert found.routs[0].verdict is Verdict.LEGAL
    assert [(n.code, n.hex) for n in found.notes] == [("dm-missing", "zN7")]


def test_broken_in_this_turn_is_under_dm(tmp_path: Path) -> None:
    log = Example("N7", dm=False)
    unit = log.squad("Russian", "4-4-7", "zM9")
    log.begin()
    log.say("AFPh: L7 at M9")
    log.roll("IFT", 2, 2)
    log.breaks(unit)
    log.say("RtPh")
    log.move(unit, to="zN9")
    rout = next(r for r in phase(log, tmp_path).routs if r.piece == unit.id)
    assert rout.verdict is Verdict.LEGAL


def test_fired_on_without_a_marker_proves_nothing(tmp_path: Path) -> None:
    log = Example("M9", dm=False)
    log.begin()
    log.say("AFPh: L7 at M9")
    log.roll("IFT", 2, 2)
    log.say("RtPh")
    log.rout("M9", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert rules(rout) >= {"R2"}


def test_in_melee(tmp_path: Path) -> None:
    log = Example("M9")
    log.squad("German", "4-6-7", "zM9")
    log.marker("Melee", "zM9")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R3" in rules(rout)


def test_unbroken_unit_moves(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    friend = log.squad("Russian", "4-4-7", "zK9")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.move(friend, to="zJ9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.say("APh")
    found = {rout.piece: rout for rout in phase(log, tmp_path).routs}
    rout = found[friend.id]
    assert (rout.verdict, rout.last_legal) == (Verdict.ILLEGAL, "zK9")
    assert rules(rout) == {"R72"}


# --- path ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "path", "rule", "last"),
    [
        ("M9", ("M8",), "R38", "zM9"),
        ("M9", ("N9", "O9"), "R46", "zN9"),
        ("M9", ("M10",), "R27", "zM9"),
        ("N7", ("M8",), "R38", "zN7"),
    ],
)
def test_illegal_paths(
    at: str, path: tuple[str, ...], rule: str, last: str, tmp_path: Path
) -> None:
    log = example(at)
    log.roll("MC", 1, 1)
    log.rout(at, *path)
    log.roll("MC", 1, 1)
    log.say("done")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert rule in rules(rout)
    assert rout.last_legal == last
    assert rout.legal_ends


# --- order --------------------------------------------------------------------------------------


def with_german(*broken: str) -> Example:
    log = Example(*broken)
    log.units["D2"] = log.squad("German", "4-6-7", "zD2", broken=True)
    log.dms["D2"] = log.marker("DM", "zD2")
    log.begin()
    log.say("RtPh")
    return log


def test_defender_before_attacker(tmp_path: Path) -> None:
    log = with_german("M9")
    log.rout("M9", "N9")
    ends = ("D3",)
    log.rout("D2", *ends)
    found = phase(log, tmp_path)
    first = next(r for r in found.routs if r.start == "zM9")
    assert first.verdict is Verdict.ILLEGAL
    assert first.reasons[0].rule == "R13"
    assert "order" in {note.code for note in found.notes}


def test_attacker_first_is_right(tmp_path: Path) -> None:
    log = with_german("M9")
    log.rout("D2", "D3")
    log.rout("M9", "N9")
    found = phase(log, tmp_path)
    rout = next(r for r in found.routs if r.start == "zM9")
    assert rout.verdict is Verdict.LEGAL
    assert "order" not in {note.code for note in found.notes}


def test_order_needs_to_know_the_attacker(tmp_path: Path) -> None:
    """Nothing shows whose turn it is: no `illegal`, only a note."""
    log = with_german("M9")
    log.rout("M9", "N9")
    log.rout("D2", "D3")
    found = phase(log, tmp_path, attacker=None)
    assert all("R13" not in rules(rout) for rout in found.routs)


def test_two_mmc_as_a_stack(tmp_path: Path) -> None:
    log = Example("M9")
    mate = log.squad("Russian", "4-4-7", "zM9", broken=True)
    log.begin()
    log.say("RtPh")
    log.move(log.units["M9"], mate, log.dms["M9"], to="zN9")
    routs = phase(log, tmp_path).routs
    assert [(r.how, r.verdict) for r in routs] == [(Recorded.STACK, Verdict.ILLEGAL)] * 2
    assert all("R14" in rules(r) for r in routs)


def test_broken_leader_dragged_with_a_squad_is_disputed(tmp_path: Path) -> None:
    log = Example("M9", dm=False)
    leader = log.leader("Russian", "8-0", "zM9", broken=True)
    log.dms["M9"] = log.marker("DM", "zM9")
    log.begin()
    log.say("RtPh")
    log.move(log.units["M9"], leader, log.dms["M9"], to="zN9")
    routs = phase(log, tmp_path).routs
    assert [r.verdict for r in routs] == [Verdict.DISPUTED] * 2
    assert all("R15" in rules(r) for r in routs)


def test_interrupted_rout(tmp_path: Path) -> None:
    log = example("M9", "N7")
    log.rout("M9", "N9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.rout("M9", "N10")
    found = {rout.start: rout for rout in phase(log, tmp_path).routs}
    assert found["zM9"].path == ("zN9", "zN10")
    assert found["zM9"].verdict is Verdict.ILLEGAL
    assert "R14" in rules(found["zM9"])


# --- leaders ------------------------------------------------------------------------------------


def led(*, pinned: bool = False) -> tuple[Example, object]:
    log = Example("N7")
    leader = log.leader("Russian", "8-1", "zN7")
    if pinned:
        log.marker("Pin", "zN7")
    log.begin()
    log.say("RtPh")
    return log, leader


def test_leader_goes_along_in_one_drag(tmp_path: Path) -> None:
    log, leader = led()
    pair = (log.units["N7"], leader, log.dms["N7"])
    log.move(*pair, to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 4, 3)  # 7 - 1 = 6
    log.move(*pair, to="zN9")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert {"R64", "R71"} <= rules(rout)
    assert rout.companions == (leader.id,)  # type: ignore[attr-defined]


def test_leader_dragged_after_the_unit(tmp_path: Path) -> None:
    log, leader = led()
    log.rout("N7", "N8")
    log.move(leader, to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 1, 1)
    log.rout("N7", "N9")
    log.move(leader, to="zN9")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert "R71" in rules(rout)


def test_pinned_leader_may_not_go_along(tmp_path: Path) -> None:
    log, leader = led(pinned=True)
    pair = (log.units["N7"], leader, log.dms["N7"])
    log.move(*pair, to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 1, 1)
    log.move(*pair, to="zN9")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R71" in rules(rout)


def test_leader_left_on_the_way(tmp_path: Path) -> None:
    log, leader = led()
    log.move(log.units["N7"], leader, log.dms["N7"], to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 1, 1)
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R71" in rules(rout)


def test_leader_alone(tmp_path: Path) -> None:
    log, leader = led()
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.move(leader, to="zO8")  # type: ignore[arg-type]
    log.say("APh")
    found = {rout.piece: rout for rout in phase(log, tmp_path).routs}
    assert rules(found[leader.id]) == {"R72"}  # type: ignore[attr-defined]


# --- weapons ------------------------------------------------------------------------------------


def armed(name: str) -> tuple[Example, object]:
    log = Example()
    del log
    log = Example("N7")
    weapon = log.weapon("Russian", name, "zN7")
    log.begin()
    log.say("N7 low crawls")
    return log, weapon


def test_light_weapon_goes_along(tmp_path: Path) -> None:
    log, weapon = armed("LMG")
    log.move(log.units["N7"], log.dms["N7"], weapon, to="zN8")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert rout.weapons == (weapon.id,)  # type: ignore[attr-defined]


def test_light_weapon_left_behind(tmp_path: Path) -> None:
    log, _ = armed("LMG")
    log.rout("N7", "N8")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R77" in rules(rout)


def test_light_weapon_dragged_after_it(tmp_path: Path) -> None:
    log, weapon = armed("LMG")
    log.rout("N7", "N8")
    log.move(weapon, to="zN8")  # type: ignore[arg-type]
    assert only(log, tmp_path).verdict is Verdict.LEGAL


def test_heavy_weapon_stays(tmp_path: Path) -> None:
    log, _ = armed("HMG")
    log.rout("N7", "N8")
    assert only(log, tmp_path).verdict is Verdict.LEGAL


def test_heavy_weapon_taken_along(tmp_path: Path) -> None:
    log, weapon = armed("HMG")
    log.move(log.units["N7"], log.dms["N7"], weapon, to="zN8")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "R76" in rules(rout)


# --- taken back ---------------------------------------------------------------------------------


def test_undone_rout_is_told_and_not_counted(tmp_path: Path) -> None:
    log = example("M9")
    log.move(log.units["M9"], log.dms["M9"], to="zM8", say="* one *")
    log.undo_move(log.units["M9"], log.dms["M9"], back="zM9", line="* one *")
    log.rout("M9", "N9")
    found = phase(log, tmp_path)
    first, second = found.routs
    assert (first.undone, first.path, first.verdict) == (True, ("zM8",), Verdict.ILLEGAL)
    assert (second.undone, second.verdict) == (False, Verdict.LEGAL)


def test_only_the_last_step_undone(tmp_path: Path) -> None:
    log = example("M9")
    pair = (log.units["M9"], log.dms["M9"])
    log.move(*pair, to="zN9", say="* one *")
    log.move(*pair, to="zO9", say="* two *")
    log.undo_move(*pair, back="zN9", line="* two *")
    log.move(*pair, to="zN10", say="* three *")
    found = phase(log, tmp_path).routs
    standing = next(rout for rout in found if not rout.undone)
    taken = next(rout for rout in found if rout.undone)
    assert (standing.path, standing.verdict) == (("zN9", "zN10"), Verdict.LEGAL)
    assert (taken.path, taken.verdict) == (("zO9",), Verdict.ILLEGAL)


def test_taken_back_by_hand(tmp_path: Path) -> None:
    log = example("M9")
    log.rout("M9", "M8")
    log.say("oops, sorry")
    log.rout("M9", "M9")
    log.rout("M9", "N9")
    found = phase(log, tmp_path).routs
    standing = [rout for rout in found if not rout.undone]
    assert [(r.path, r.verdict) for r in standing] == [(("zN9",), Verdict.LEGAL)]
    assert [r.path for r in found if r.undone] == [("zM8",)]


def test_wrong_hex_put_right(tmp_path: Path) -> None:
    log = example("M9")
    log.rout("M9", "N9", "O9")
    log.say("wrong hex, N10 was meant")
    log.rout("M9", "N10")
    rout = only(log, tmp_path)
    assert rout.path == ("zN9", "zN10")
    assert rout.verdict is Verdict.LEGAL


def test_nudges_and_restacking_are_no_routs(tmp_path: Path) -> None:
    log = example("M9", "N7")
    log.move(log.units["M9"], to="zM9")
    log.move(log.dms["M9"], to="zM9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    assert [rout.start for rout in phase(log, tmp_path).routs] == ["zN7"]


def test_leader_dies_with_a_failed_check(tmp_path: Path) -> None:
    log, leader = led()
    log.move(log.units["N7"], leader, log.dms["N7"], to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 6, 4)
    log.halve(log.units["N7"])
    log.remove(leader)  # type: ignore[arg-type]
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.LEGAL
    assert {"R67", "R68", "R71"} <= rules(rout)


def test_leader_outlives_a_failed_check(tmp_path: Path) -> None:
    log, leader = led()
    pair = (log.units["N7"], leader, log.dms["N7"])
    log.move(*pair, to="zN8")  # type: ignore[arg-type]
    log.roll("MC", 6, 4)
    log.halve(log.units["N7"])
    log.move(*pair, to="zN9")  # type: ignore[arg-type]
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.ILLEGAL
    assert "leader-outlives" in codes(rout)


def test_undone_half_squad_counter(tmp_path: Path) -> None:
    """The part taken back belongs to the counter that took the squad's place."""
    log = example("N7")
    log.rout("N7", "N8")
    log.roll("MC", 5, 4)
    log.remove(log.units["N7"])
    half = log.half("Russian", "2-3-7", "zN8", broken=True)
    log.move(half, to="zO9", say="* one *")
    log.undo_move(half, back="zN8", line="* one *")
    log.move(half, to="zN9")
    found = phase(log, tmp_path).routs
    assert {(r.piece, r.path, r.undone) for r in found} == {
        (log.units["N7"].id, ("zO9",), True),
        (log.units["N7"].id, ("zN8", "zN9"), False),
    }


def test_check_rolled_ahead(tmp_path: Path) -> None:
    """The roll comes before the move it is for."""
    log = example("M9", "N7")
    log.rout("M9", "N9")
    log.say("NMC for N7 in N8")
    log.roll("MC", 1, 2)
    log.rout("N7", "N8", "N10")
    rout = next(r for r in phase(log, tmp_path).routs if r.start == "zN7")
    assert "R64" not in {why.rule for why in rout.reasons if why.code.value == "nmc-missing"}


def test_check_only_said(tmp_path: Path) -> None:
    log = example("N7", "M9")
    log.roll("Rally", 1, 1)
    log.say("N7 via N8, NMC rolled by phone, passes")
    log.rout("N7", "N8", "N9")
    log.say("passed")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert "nmc-said" in codes(rout)
