"""Counters that come and go, results that do not fit, companions taken back, richer saves."""

from __future__ import annotations

from pathlib import Path

from tests.audit.scenes import Example, codes, library, only, phase, rules
from tests.shared import needs_shared
from vassal_bridge.audit import AuditOptions, Cut, Verdict, audit_saves
from vassal_bridge.audit.naming import Names
from vassal_bridge.audit.table import MOST_BOARDS, BoardCache
from vassal_bridge.bridge import Options
from vassal_bridge.vassal import load_game, open_saved

pytestmark = needs_shared


def start(*broken: str) -> Example:
    log = Example(*(broken or ("N7", "M9")))
    log.begin()
    log.say("RtPh")
    log.roll("Rally", 1, 1)
    return log


# --- results that do not fit ----------------------------------------------------------------------


def test_pinned_though_passed(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("MC", 1, 2)
    log.marker("Pin", "zN8")
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.UNPROVEN, Cut.PINNED)
    assert "pin-unearned" in codes(rout)


def test_reduced_though_passed(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("MC", 1, 2)
    log.halve(log.units["N7"])
    log.rout("N7", "N9")
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert "result-unearned" in codes(rout)


def test_squad_removed_where_it_loses_a_step(tmp_path: Path) -> None:
    log = start()
    log.rout("N7", "N8")
    log.roll("MC", 5, 4)
    log.remove(log.units["N7"])
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.UNPROVEN, Cut.ELIMINATED)


def test_leader_dies_of_his_wound(tmp_path: Path) -> None:
    log = Example("M9")
    leader = log.leader("Russian", "8-0", "zN7", broken=True)
    dm = log.marker("DM", "zN7")
    log.begin()
    log.say("RtPh")
    log.move(leader, dm, to="zN8")
    log.roll("MC", 6, 5)
    log.roll("Other", 6)
    log.remove(dm, leader)
    rout = only(log, tmp_path)
    assert (rout.verdict, rout.cut) == (Verdict.LEGAL, Cut.ELIMINATED)
    assert "R67" in rules(rout)


def test_pin_where_nobody_seen_can_interdict(tmp_path: Path) -> None:
    """M9 to N9 is woods all the way: a check and a pin there have no reason on the map."""
    log = start()
    log.rout("M9", "M10")
    log.roll("MC", 3, 4)
    log.marker("Pin", "zM10")
    rout = only(log, tmp_path)
    assert rout.verdict in (Verdict.UNPROVEN, Verdict.LEGAL)
    assert rout.cut is Cut.PINNED


def test_vanishes_on_the_way(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "M10")
    log.roll("MC", 1, 1)
    log.remove(log.units["M9"])
    rout = only(log, tmp_path)
    assert rout.verdict is Verdict.UNPROVEN
    assert "R85" in rules(rout)


# --- removals -------------------------------------------------------------------------------------


def test_removed_although_it_could_rout(tmp_path: Path) -> None:
    log = start()
    log.rout("M9", "N9")
    log.remove(log.units["N7"])
    (failure,) = phase(log, tmp_path).failures
    assert (failure.rule, failure.handled) == ("R74", "removed")


def test_removed_without_having_to(tmp_path: Path) -> None:
    log = start()
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.remove(log.units["M9"])
    found = phase(log, tmp_path)
    assert found.failures == ()
    assert ("removed", "zM9") in {(note.code, note.hex) for note in found.notes}


def test_counter_changed_for_a_fresh_one(tmp_path: Path) -> None:
    """The same unit put down anew: nobody is gone."""
    log = start("M9", "N7")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.remove(log.units["M9"])
    log.squad("Russian", "4-4-7", "zM9", broken=True)
    found = phase(log, tmp_path)
    assert found.failures == ()
    assert "replaced" in {note.code for note in found.notes}


def test_copies_that_show_the_way(tmp_path: Path) -> None:
    """A copy of the unit in the hex it passes, deleted afterwards, is nobody."""
    log = start("M9", "N7")
    log.rout("M9", "N9")
    trail = log.squad("Russian", "4-4-7", "zN9", broken=True)
    log.rout("M9", "N10")
    log.remove(trail)
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    found = phase(log, tmp_path)
    assert [(r.start, r.path, r.verdict) for r in found.routs if r.start == "zM9"] == [
        ("zM9", ("zN9", "zN10"), Verdict.LEGAL)
    ]
    assert found.failures == ()


def test_correction_in_the_phase(tmp_path: Path) -> None:
    log = start("M9", "N7")
    log.say("correction: M9 was to be in N9 already last turn")
    log.move(log.units["M9"], log.dms["M9"], to="zN9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    found = phase(log, tmp_path)
    assert [rout.start for rout in found.routs] == ["zN7"]
    assert "correction" in {note.code for note in found.notes}


# --- taken back with company ----------------------------------------------------------------------


def test_undone_with_leader_and_weapon(tmp_path: Path) -> None:
    log = Example("N7")
    leader = log.leader("Russian", "8-1", "zN7")
    gun = log.weapon("Russian", "LMG", "zN7")
    log.begin()
    log.say("RtPh")
    group = (log.units["N7"], leader, gun, log.dms["N7"])
    log.move(*group, to="zM8", say="* one *")
    log.undo_move(*group, back="zN7", line="* one *")
    log.say("N7 low crawls")
    log.move(*group, to="zN8")
    first, second = phase(log, tmp_path).routs
    assert (first.undone, first.companions, first.weapons) == (True, (leader.id,), (gun.id,))
    assert (second.undone, second.verdict) == (False, Verdict.LEGAL)


# --- saves ----------------------------------------------------------------------------------------


def two_saves(folder: Path, before: Example, after: Example) -> tuple[Path, Path]:
    before.begin()
    after.begin()
    return before.write(folder, "a.vsav"), after.write(folder, "b.vsav")


def put(log: Example, at: str, to: str, *more: object) -> None:
    x, y = log.layout.snap(f"z{to}")
    pile = f"8{log.units[at].id}"
    for piece in (log.units[at], *more, log.dms[at]):
        piece.x, piece.y, piece.stack = x, y, pile  # type: ignore[attr-defined]


def test_saves_with_leader_weapon_and_several_routs(tmp_path: Path) -> None:
    def scene() -> tuple[Example, object, object]:
        log = Example("M9", "N7", "N6")
        weapon = log.weapon("Russian", "LMG", "zM9")
        return log, log.leader("Russian", "8-1", "zM9"), weapon

    before, _, _ = scene()
    after, leader, weapon = scene()
    put(after, "M9", "N10", leader, weapon)
    put(after, "N6", "O8")
    one, other = two_saves(tmp_path, before, after)
    result = audit_saves(one, other, AuditOptions(Options(library(), attacker="German")))
    found = {rout.start: rout for rout in result.phases[0].routs}
    assert found["zM9"].companions == (leader.id,)  # type: ignore[attr-defined]
    assert found["zM9"].weapons == (weapon.id,)  # type: ignore[attr-defined]
    assert found["zN6"].verdict is Verdict.LEGAL
    assert [(check.hex, str(check.nmc)) for check in found["zN6"].checks] == [("zN7", "none")]


def test_save_stop_in_a_hex_that_can_be_interdicted(tmp_path: Path) -> None:
    """N6 stops in N7 after a hex: a crawl; O9 after two is no destination but could be a pin."""
    before = Example("M9", "N7", germans=("O5", "O6", "M6", "L7", "P9"))
    after = Example("M9", "N7", germans=("O5", "O6", "M6", "L7", "P9"))
    put(after, "M9", "M10")
    one, other = two_saves(tmp_path, before, after)
    result = audit_saves(one, other, AuditOptions(Options(library(), attacker="German")))
    (rout,) = result.phases[0].routs
    assert rout.verdict is not Verdict.ILLEGAL or rout.reasons[0].rule != "R84"


def test_unit_gone_between_saves_is_a_note(tmp_path: Path) -> None:
    before = Example("M9", "N5")
    after = Example("M9", "N5")
    put(after, "M9", "N9")
    del after.pieces[after.units["N5"].id]
    one, other = two_saves(tmp_path, before, after)
    result = audit_saves(one, other, AuditOptions(Options(library(), attacker="German")))
    (found,) = result.phases
    assert found.failures == ()
    assert ("gone", "zN5") in {(note.code, note.hex) for note in found.notes}


# --- the board ------------------------------------------------------------------------------------


def test_boards_are_built_once(tmp_path: Path) -> None:
    path = start().write(tmp_path)
    game = load_game(open_saved(path))
    cache = BoardCache()
    options = Options(library())
    first = cache.board(game, options)
    assert cache.board(game, options) is first
    for month in range(1, MOST_BOARDS + 2):
        cache.board(game, Options(library(), month=month))
    assert cache.board(game, options) is not first


def test_names_without_seams_change_nothing(tmp_path: Path) -> None:
    path = start().write(tmp_path)
    game = load_game(open_saved(path))
    names = Names(BoardCache().board(game, Options(library())))
    names.see(game.pieces.values())
    assert not names
    assert names.apply(("zM9", 3)) == ("zM9", 3)
