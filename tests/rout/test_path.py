"""R37 to R51: steps, memory, the duty to stop, new plans, the free rout."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import at, bars, duty, ends, facts, known, path, targets, told
from tests.rout.grounds import DrawnTerrain, drawn
from tests.rout.small import typed
from vassal_bridge.rout import Code, Kind, Position, Readings, Weapon, WeaponKind

GUN = Weapon("50L AT", WeaponKind.ORDNANCE)


def read_otherwise(position: Position, reading: str) -> Position:
    readings = Readings().with_reading(reading)
    return replace(position, rules=replace(position.rules, readings=readings))


def test_r37_a_detour_is_legal() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3")
    assert bars(position, "F5", "F4 F3") == set()
    assert bars(position, "F5", "E5 E4 F3") == set()
    assert bars(position, "F5", "E5 D4 D3 E3 F3") == set()  # 1 + 1 + 1 + 1 + 2 = 6


def test_r37_only_if_it_still_gets_there() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3")
    assert bars(position, "F5", "E5 E4 E3 F3") == set()  # 5
    assert bars(position, "F5", "E6 E5 E4 E3 F3") == set()  # 6
    assert bars(position, "F5", "F6 E6 E5 E4 E3 F3") == {"R27"}  # 7


# -- R38 to R44 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "enemy", ["4-6-7 F9", "4-6-7 F9 broken", "4-6-7 F9 pinned", "8-0 F9", "4-6-7 F9 cx"]
)
def test_r38_no_step_closer_to_an_enemy_in_sight(enemy: str) -> None:
    position = typed(enemy, "4-4-7 F5 broken dm")
    (reason,) = path(position, "F5", "F6").reasons
    assert (reason.rule, reason.code) == ("R38", Code.CLOSER)
    assert facts(reason) == {"enemy": "F9", "from": 4, "to": 3}


def test_r38_equal_range_is_fine() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    assert bars(position, "F5", "E6") == set()
    assert bars(position, "F5", "G6") == set()


def test_r38_every_known_enemy_counts() -> None:
    position = typed("4-6-7 F9; 4-6-7 C7", "4-4-7 F5 broken dm")
    judged = path(position, "F5", "E6")
    assert [facts(reason)["enemy"] for reason in judged.reasons] == ["C7"]
    judged = path(position, "F5", "F6")
    assert {facts(reason)["enemy"] for reason in judged.reasons} == {"F9"}


def test_r38_for_every_step_of_the_way() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    judged = path(position, "F5", "F4 F5")
    assert [reason.rule for reason in judged.reasons] == ["R38"]
    assert judged.last_legal == at("F4")


# In F5 the enemy in F9 is in sight, in E6 the building in E8 hides it.
MEMORY = {"german": "4-6-7 F9", "building": "E8"}


def test_r39_an_enemy_once_known_stays_known() -> None:
    position = typed(russian="4-4-7 F5 broken dm", **MEMORY)
    assert known(position, "F5") == {"F9"}
    assert known(typed(russian="4-4-7 E6 broken dm", **MEMORY), "E6") == set()
    (reason,) = path(position, "F5", "E6 E7").reasons
    assert (reason.rule, reason.code) == ("R39", Code.CLOSER_REMEMBERED)
    assert facts(reason) == {"enemy": "F9", "from": 4, "to": 3}


def test_r39_per_unit_not_per_side() -> None:
    # Another broken unit sees F9 from F5; the one in E6 does not and may step towards it.
    position = typed(russian="a 4-4-7 E6 broken dm; 4-4-7 F5 broken dm", **MEMORY)
    assert known(position, "a") == set()
    assert bars(position, "a", "E7 E8") == set()


@pytest.mark.parametrize("state", ["", " broken", " pinned"])
def test_r40_from_next_to_an_enemy_to_next_to_the_same_enemy(state: str) -> None:
    position = typed(f"4-6-7 F4{state}", "4-4-7 F5 broken dm")
    for side_step in ("E5", "G5"):
        (reason,) = path(position, "F5", side_step).reasons
        assert (reason.rule, reason.code) == ("R40", Code.ADJACENT_TO_ADJACENT)
        assert facts(reason) == {"enemy": "F4"}
    assert bars(position, "F5", "F6") == set()


def test_r40_another_enemy_is_another_matter() -> None:
    # From next to F4 to next to F7, which nobody sees past the woods in F6.
    position = typed("4-6-7 F4 broken; 4-6-7 F7 broken", "4-4-7 F5 broken dm", woods="F6")
    assert known(position, "F5") == {"F4"}
    assert bars(position, "F5", "F6") == set()


def test_r41_out_of_the_enemys_own_hex() -> None:
    position = typed("4-6-7 F5 broken", "r 4-4-7 F5 broken dm")
    assert bars(position, "r", "F4") == set()
    assert bars(position, "r", "F4 F3") == set()
    assert bars(position, "r", "F4 E5") == {"R40"}
    assert bars(position, "r", "F4 F5") == {"R23", "R38"}


def test_r41_next_to_an_unbroken_one_it_dies() -> None:
    position = typed("4-6-7 F5", "r 4-4-7 F5 broken dm")
    assert duty(position, "r") == "must"
    assert bars(position, "r", "F4") == {"R8"}
    assert bars(position, "r", "F4 F3") == set()


def test_r42_towards_unknown_enemies_it_may_go() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F7")
    assert known(position, "F5") == set()
    assert bars(position, "F5", "F6 F7") == set()


def test_r43_vehicles_are_enemy_units() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    tank = replace(
        position,
        units=tuple(
            replace(unit, kind=Kind.VEHICLE, name="PzIV") if unit.hex == at("F9") else unit
            for unit in position.units
        ),
    )
    assert bars(tank, "F5", "F6") == {"R38"}
    beside = replace(
        tank,
        units=tuple(
            replace(unit, hex=at("F4")) if unit.kind is Kind.VEHICLE else unit
            for unit in tank.units
        ),
    )
    assert bars(beside, "F5", "E5") == {"R40"}
    assert duty(beside, "F5") == "must"


def test_r43_wrecks_are_not() -> None:
    position = typed(russian="4-4-7 F5 broken dm", wreck="F9 F4")
    assert bars(position, "F5", "F6") == set()
    assert bars(position, "F5", "E5") == set()


def test_r44_levels_do_not_change_range() -> None:
    flat = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    hills = drawn(flat, terrains={"F9": DrawnTerrain(level=2), "E6": DrawnTerrain(level=1)})
    (reason,) = path(hills, "F5", "F6").reasons
    assert facts(reason) == {"enemy": "F9", "from": 4, "to": 3}
    assert bars(hills, "F5", "E6") == set()


# -- R46, R47 ------------------------------------------------------------------------------------


def test_r46_in_the_nearest_woods_or_building_it_stops() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3")
    assert bars(position, "F5", "F4 F3") == set()
    (reason,) = path(position, "F5", "F4 F3 F2").reasons
    assert (reason.rule, reason.code) == ("R46", Code.MUST_STOP)
    assert facts(reason) == {"hex": "F3"}


@pytest.mark.parametrize("second", ["woods", "building"])
def test_r46_unless_the_very_next_hex_is_again_one(second: str) -> None:
    terrain = {"woods": "F3"}
    terrain[second] = f"{terrain.get(second, '')} F2".strip()
    position = typed(russian="4-4-7 F5 broken dm", **terrain)
    assert bars(position, "F5", "F4 F3 F2") == set()
    assert bars(position, "F5", "F4 F3 F2 F1") == {"R46"}
    assert bars(position, "F5", "F4 F3 E3 F2") == {"R46"}


def test_r46_the_chain_lasts_as_long_as_the_mf() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F4 F3 F2 F1")
    assert bars(position, "F5", "F4 F3 F2") == set()
    assert bars(position, "F5", "F4 F3 F2 F1") == {"R16"}
    assert {"F4", "F3", "F2"} <= set(ends(position, "F5"))


def test_r46_bound_for_another_one_it_stops_all_the_same() -> None:
    apart = typed(russian="4-4-7 F5 broken dm", woods="F4 F6")
    assert targets(apart, "F5") == {"F4": 2, "F6": 2}
    assert bars(apart, "F5", "F4 E5 E6 F6") == {"R46"}  # 2 + 1 + 1 + 2 = 6
    chain = typed(russian="4-4-7 F5 broken dm", woods="F4 E5")
    assert bars(chain, "F5", "F4 E5") == set()


def test_r46_no_route_is_planned_through_a_hex_that_would_end_it() -> None:
    # J2 and L2 are 2 MF away. Bound for L2 nobody goes by J2, where he would have to stop; that an
    # enemy next to J2, met only there, lifts the duty does not make it a way to L2 afterwards.
    found = typed("4-6-7 K3 broken dm", "4-4-7 J1", woods="J2 L2 J4", brush="K3")
    assert targets(found, "K3") == {"J2": 2, "L2": 2}
    assert "R27" in bars(found, "K3", "J2 K3 L2")  # from J2 the woods in J4 are nearer
    assert bars(found, "K3", "J2 J3 J4") == set()


def test_r46_an_ignored_one_may_be_crossed() -> None:
    # E6 is ignored because of F9 (R31); from there to F3, which may not be.
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="E6 F3")
    judged = path(position, "F5", "E6 E5 E4 F3")
    assert (judged.verdict, judged.readings) == ("legal", ("r46_ignored_stops",))
    full_asl = read_otherwise(position, "r46_ignored_stops")
    assert bars(full_asl, "F5", "E6 E5 E4 F3") == {"R46"}
    assert bars(full_asl, "F5", "E6") == set()
    assert bars(full_asl, "F5", "F4 F3") == set()


def test_r46_does_not_bind_next_to_an_enemy() -> None:
    position = typed("4-6-7 F2 broken", "4-4-7 F5 broken dm", woods="F3")
    assert bars(position, "F5", "F4 F3 F4") == set()


# Three squads fill F4.
FULL = "r 4-4-7 F5 broken dm; 4-4-7 F4; 4-4-7 F4; 4-4-7 F4"


def test_r47_no_passing_through_a_full_hex() -> None:
    position = typed(russian=FULL, woods="F3")
    judged = path(position, "r", "F4 F3")
    assert [reason.rule for reason in judged.reasons] == ["R47"]
    assert judged.readings == ("r47_end_only",)
    assert bars(position, "r", "E5 E4 F3") == set()


def test_r47_a_full_wood_is_no_end_by_either_reading_but_for_another_rule() -> None:
    position = typed(russian=FULL, woods="F4 F3")
    judged = path(position, "r", "F4")
    assert [reason.rule for reason in judged.reasons] == ["R30"]
    assert judged.readings == ()
    assert judged.other_rules == ("r47_end_only",)
    assert "R47" in bars(read_otherwise(position, "r47_end_only"), "r", "F4")


def test_r47_at_the_end_only_by_the_other_reading() -> None:
    position = read_otherwise(typed(russian=FULL, woods="F3"), "r47_end_only")
    assert bars(position, "r", "F4 F3") == set()
    open_ground = read_otherwise(typed(russian=FULL), "r47_end_only")
    assert bars(open_ground, "r", "F4") == {"R47"}
    assert bars(open_ground, "r", "F4", low_crawl=True) == {"R47"}


def test_r47_a_half_squad_is_half_a_squad_and_a_crew_with_a_gun_a_whole_one() -> None:
    room = typed(russian="r 2-3-7 F5 broken dm; 4-4-7 F4; 4-4-7 F4; 2-3-7 F4")
    assert bars(room, "r", "F4") == set()
    with_gun = replace(
        room,
        units=tuple(
            replace(unit, kind=Kind.CREW, weapons=(GUN,)) if unit.id == at("F4/3") else unit
            for unit in room.units
        ),
    )
    assert bars(with_gun, "r", "F4") == {"R47"}


def test_r47_a_crew_that_routs_leaves_its_gun_and_counts_as_half_a_squad() -> None:
    position = typed("4-6-7 F8", "r 1-2-7 F5 broken dm; 4-4-7 F4; 4-4-7 F4; 2-3-7 F4", woods="F4")
    manned = replace(
        position,
        units=tuple(
            replace(unit, weapons=(GUN,)) if unit.id == "r" else unit for unit in position.units
        ),
    )
    assert told(manned, "r").drops == (GUN.name,)
    assert targets(manned, "r") == targets(position, "r") == {"F4": 2}
    assert bars(manned, "r", "F4") == set()
    assert bars(manned, "r", "F4", low_crawl=True) == set()


def test_r47_four_smc() -> None:
    four = "; ".join(["8-0 F4"] * 4)
    assert bars(typed(russian=f"r 7-0 F5 broken dm; {four}"), "r", "F4") == {"R47"}
    assert bars(typed(russian=f"r 4-4-7 F5 broken dm; {four}"), "r", "F4") == set()


# -- R49 to R51 ----------------------------------------------------------------------------------

# The enemy in F3 is hidden by the woods in F4 and stands next to them; D5 is 3 MF away.
SURPRISE = {"german": "4-6-7 F3", "woods": "F4 D5"}


def test_r49_a_new_destination_with_the_mf_left() -> None:
    position = typed(russian="4-4-7 F5 broken dm", **SURPRISE)
    assert targets(position, "F5") == {"F4": 2}
    judged = path(position, "F5", "F4 E5 D5")
    assert judged.verdict == "legal"
    assert [(event.rule, event.code, facts(event)) for event in judged.events[:2]] == [
        ("R39", Code.DISCOVERS, {"enemy": "F3", "hex": "F4"}),
        ("R49", Code.RETARGET, {"hex": "F4"}),
    ]
    # D5 is farther from F3 than F5 is: it may not be ignored.
    assert bars(position, "F5", "F4 E5") == {"R27"}
    assert bars(position, "F5", "F4 G5") == {"R27"}


def test_r49_the_old_plan_stays_while_some_path_leads_there() -> None:
    # In E5 the unit meets C6. The woods in E6 are as far from it as E5: the plan stays, though the
    # route by D6 that it may have planned has become illegal.
    position = typed("4-6-7 C6", "4-4-7 F5 broken dm", woods="E6 C4")
    assert (known(position, "F5"), targets(position, "F5")) == (set(), {"E6": 2})
    assert bars(position, "F5", "E5 E6") == set()
    judged = path(position, "F5", "E5")
    assert [reason.rule for reason in judged.reasons] == ["R27"]
    assert judged.readings == ("r49_route",)
    assert any(name.startswith("r49_route:") for name in told(position, "F5").readings)
    assert bars(read_otherwise(position, "r49_route"), "F5", "E5") == set()


def test_r49_ignoring_measures_from_the_start_the_other_reading_is_named() -> None:
    # Woods in D3 are 2 from F2: no farther than the start (3), farther than F3 (1).
    position = typed("4-6-7 F2", "4-4-7 F5 broken dm", woods="F3 D3")
    assert targets(position, "F5") == {"F3": 3}
    judged = path(position, "F5", "F4 F3 E4")
    assert (judged.verdict, judged.readings) == ("legal", ("r49_current",))
    other = read_otherwise(position, "r49_current")
    assert bars(other, "F5", "F4 F3 E4") == {"R27"}
    assert bars(other, "F5", "F4 F3 E4 D3") == set()


def test_r49_no_low_crawl_afterwards() -> None:
    position = typed(russian="4-4-7 F5 broken dm", **SURPRISE)
    assert bars(position, "F5", "F4 E5", low_crawl=True) == {"R52"}


def test_r50_mf_used_are_gone() -> None:
    # Woods 2, so a wounded leader has 1 MF left when he meets F3: D5 is out of reach, E5 is not.
    position = typed(russian="8-0 F5 broken dm wounded", **SURPRISE)
    assert bars(position, "F5", "F4 E5") == set()
    assert bars(position, "F5", "F4 E5 D5") == {"R17"}
    # Smoke in the woods takes the third: he dies next to F3.
    stuck = typed(russian="8-0 F5 broken dm wounded", smoke="F4", **SURPRISE)
    assert bars(stuck, "F5", "F4") == {"R8"}
    assert bars(stuck, "F5", "F4 E5") == {"R17"}
    assert "F4" not in ends(stuck, "F5")


def test_r51_with_no_destination_any_hex_will_do() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="AA5")
    assert targets(position, "F5") == {"free": True}
    for way in ("F4", "F4 F3", "E6", "E6 D6 C7", "F4 E4 D3 C3 B2 A2"):
        assert bars(position, "F5", way) == set(), way


def test_r51_the_own_building_counts_as_out_of_reach() -> None:
    position = typed(russian="4-4-7 F5 broken dm", buildings=[["F5", "F4"]])
    assert targets(position, "F5") == {"F4": 2, "free": True}
    assert bars(position, "F5", "F6") == set()


def test_r51_not_next_to_an_unbroken_enemy() -> None:
    # Only from E5 on, past the brush and the full woods, the enemy in D3 is in sight.
    position = typed("4-6-7 D3", "4-4-7 F5 broken dm; 4-4-7 E4; 4-4-7 E4; 4-4-7 E4", woods="E4")
    assert (known(position, "F5"), targets(position, "F5")) == (set(), {"free": True})
    assert bars(position, "F5", "E5 D4") == {"R8"}
    assert bars(position, "F5", "E5 D4 D5") == set()
