"""R1 to R15: who routs, who has to, who gets DM, in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import (
    at,
    barred,
    bars,
    duty,
    ends,
    facts,
    known,
    only,
    path,
    targets,
    told,
    unit_id,
)
from tests.rout.small import typed
from vassal_bridge.rout import Code, Kind, Position, Readings, assess_all


def with_kind(position: Position, unit: str, kind: Kind, **changes: object) -> Position:
    """The position with one unit made something that position files cannot name."""
    name = unit_id(position, unit)
    units = tuple(
        replace(one, kind=kind, **changes) if one.id == name else one  # type: ignore[arg-type]
        for one in position.units
    )
    return replace(position, units=units)


def codes(position: Position, unit: str) -> list[tuple[str, Code]]:
    return [(reason.rule, reason.code) for reason in told(position, unit).reasons]


# -- R1 to R4 ------------------------------------------------------------------------------------


def test_r1_an_unbroken_unit_does_not_rout() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5", woods="F3")
    assert duty(position, "F5") == "none"
    assert codes(position, "F5") == [("R1", Code.NOT_BROKEN)]
    assert bars(position, "F5", "F4 F3") == {"R1"}


@pytest.mark.parametrize("kind", [Kind.VEHICLE, Kind.GUN])
def test_r1_vehicles_and_guns_never_rout(kind: Kind) -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    assert codes(with_kind(position, "F5", kind), "F5") == [("R1", Code.NOT_INFANTRY)]


@pytest.mark.parametrize("name", ["4-4-7", "2-3-7", "8-0", "1-2-7"])
def test_r1_every_broken_mmc_and_smc_routs(name: str) -> None:
    position = typed("4-6-7 F9", f"{name} F5 broken dm", woods="F4")
    assert duty(position, "F5") == "must"


def test_r2_without_dm_no_rout() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken", woods="F5 F4")
    assert duty(position, "F5") == "none"
    assert bars(position, "F5", "F4") == {"R2"}
    assert bars(position, "F5", "F4", low_crawl=True) == {"R2"}
    assert ends(position, "F5") == {"F5": "stay"}


def test_r2_with_dm_it_may() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5 F4")
    assert duty(position, "F5") == "may"
    assert bars(position, "F5", "F4") == set()


def test_r3_melee_holds() -> None:
    position = typed("4-6-7 F5 melee", "r 4-4-7 F5 broken dm melee", woods="F3")
    assert duty(position, "r") == "none"
    assert bars(position, "r", "F4 F3") == {"R3"}


def test_r3_melee_is_over_when_nobody_unbroken_is_left() -> None:
    position = typed("4-6-7 F5 broken melee", "r 4-4-7 F5 broken dm melee", woods="F3")
    assert duty(position, "r") == "may"
    assert bars(position, "r", "F4 F3") == set()


def test_r3_over_also_when_an_unbroken_friend_is_the_only_one_left_it_still_holds() -> None:
    position = typed("4-6-7 F5 broken melee", "a 4-4-7 F5 broken dm melee; b 4-4-7 F5 melee")
    assert duty(position, "a") == "none"


def test_r4_dm_alone_does_not_oblige() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5 F3")
    found = told(position, "F5")
    assert (found.duty, found.becomes_dm) == ("may", False)
    assert only(found.reasons, "R4").code is Code.MAY_STAY
    assert ends(position, "F5")["F5"] == "stay"


def test_r4_literally_every_dm_unit_must_go() -> None:
    readings = Readings(r4_literal=True)
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5 F3", readings=readings)
    assert duty(position, "F5") == "must"
    assert "F5" not in ends(position, "F5")
    found = only(told(position, "F5").reasons, "R4")
    assert (found.code, found.reading) == (Code.MUST_LEAVE, "r4_literal")


# -- R5 to R7 ------------------------------------------------------------------------------------


def test_r5_a_known_broken_neighbour_gives_dm() -> None:
    position = typed("4-6-7 F4 broken", "4-4-7 F5 broken", woods="F5 F7")
    found = told(position, "F5")
    assert (found.duty, found.becomes_dm) == ("may", True)
    reason = only(found.reasons, "R5")
    assert reason.code is Code.DM_BROKEN_NEIGHBOUR
    assert facts(reason) == {"enemy": "F4"}
    assert bars(position, "F5", "F6 F7") == set()


def test_r5_not_from_two_hexes_away() -> None:
    position = typed("4-6-7 F3 broken", "4-4-7 F5 broken", woods="F5 F7")
    assert duty(position, "F5") == "none"


def test_r6_a_unit_that_has_to_go_gets_dm_first() -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken", woods="F5 F7")
    found = told(position, "F5")
    assert (found.duty, found.becomes_dm) == ("must", True)
    assert only(found.reasons, "R6").code is Code.AUTOMATIC_DM
    assert bars(position, "F5", "F6 F7") == set()


def test_r6_in_interdictable_open_ground_too() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken", woods="F3")
    found = told(position, "F5")
    assert (found.duty, found.becomes_dm) == ("must", True)


def test_r6_not_in_melee() -> None:
    position = typed("4-6-7 F5 melee; 4-6-7 F4", "r 4-4-7 F5 broken melee")
    found = told(position, "r")
    assert (found.duty, found.becomes_dm) == ("none", False)


def test_r6_who_has_dm_does_not_become_dm() -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken dm", woods="F5 F7")
    assert not told(position, "F5").becomes_dm


def test_r7_dm_does_not_outlast_a_rally_phase_in_woods_or_building() -> None:
    # Sees nobody, sits in a building: if its DM is an old one it should be gone.
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", building="F5", woods="F7 F3")
    found = told(position, "F5")
    assert found.duty == "may"
    assert facts(only(found.reasons, "R7")) == {"hex": "F5"}


@pytest.mark.parametrize(
    ("german", "building"),
    [
        ("4-6-7 F4 broken", "F5"),  # a Known enemy next to it keeps DM on
        ("4-6-7 F9", "AA5"),  # outside woods and buildings the owner may keep it
    ],
)
def test_r7_elsewhere_dm_may_be_old(german: str, building: str) -> None:
    position = typed(german, "4-4-7 F5 broken dm", building=building, brush="F5", woods="F7")
    assert "R7" not in {reason.rule for reason in told(position, "F5").reasons}


def test_r7_a_unit_without_dm_has_none_to_lose() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken", building="F5", woods="F7")
    assert [reason.rule for reason in told(position, "F5").reasons] == ["R2"]


# -- R8 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terrain", ["woods", "building", "brush", "open"])
def test_r8_next_to_an_unbroken_enemy_it_must_go_whatever_the_terrain(terrain: str) -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken dm", **{terrain: "F5"})
    found = told(position, "F5")
    assert found.duty == "must"
    assert facts(only(found.reasons, "R8")) == {"enemy": "F4", "hex": "F5"}
    assert "F5" not in ends(position, "F5")


def test_r8_in_the_same_hex() -> None:
    position = typed("4-6-7 F5", "r 4-4-7 F5 broken dm", woods="F5")
    assert duty(position, "r") == "must"


@pytest.mark.parametrize("enemy", ["4-6-7 F4 pinned", "4-6-7 F4 cx", "8-0 F4", "2-4-7 F4"])
def test_r8_unbroken_is_enough(enemy: str) -> None:
    position = typed(enemy, "4-4-7 F5 broken dm", woods="F5")
    assert duty(position, "F5") == "must"


def test_r8_a_broken_enemy_does_not_trigger() -> None:
    position = typed("4-6-7 F4 broken dm", "4-4-7 F5 broken dm", woods="F5")
    assert duty(position, "F5") == "may"


def test_r8_an_enemy_in_melee_triggers_and_the_other_reading_is_named() -> None:
    position = typed(
        "4-6-7 F4 melee", "a 4-4-7 F5 broken dm; b 4-4-7 F4 melee", woods="F5", buildings=[["F4"]]
    )
    found = told(position, "a")
    assert found.duty == "must"
    assert any(
        reading.startswith("r8_good_order:") and "duty" in reading for reading in found.readings
    )
    assert found.certainty == "depends"
    good_order = replace(
        position, rules=replace(position.rules, readings=Readings(r8_good_order=True))
    )
    assert told(good_order, "a").duty == "may"


def test_r8_a_vehicle_triggers() -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken dm", woods="F5")
    tank = with_kind(position, "F4", Kind.VEHICLE, fp=0, range=0)
    assert duty(tank, "F5") == "must"


def test_r8_a_wreck_does_not() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5", wreck="F4")
    assert duty(position, "F5") == "may"


def test_r8_hip_units_are_not_known() -> None:
    position = typed("4-6-7 F4 hip; 4-6-7 F10", "4-4-7 F5 broken dm", woods="F5")
    assert duty(position, "F5") == "may"
    assert known(position, "F5") == {"F10"}


# -- R9, R10 -------------------------------------------------------------------------------------


def test_r9_interdictable_open_ground_obliges() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    found = told(position, "F5")
    assert found.duty == "must"
    reason = only(found.reasons, "R9")
    assert facts(reason) == {"enemy": "F9", "range": 4, "normal_range": 6, "hex": "F5"}


@pytest.mark.parametrize(
    "enemy",
    ["4-6-7 F9 cx", "4-6-7 F9 pinned", "4-6-7 F9 broken", "4-6-7 F9 melee", "9-1 F9"],
)
def test_r9_an_enemy_that_cannot_interdict_does_not(enemy: str) -> None:
    position = typed(enemy, "4-4-7 F5 broken dm", woods="F3")
    assert duty(position, "F5") == "may"


def test_r9_beyond_normal_range() -> None:
    near = typed("4-4-7 F5 broken dm", "4-4-7 F9", woods="F3")
    far = typed("4-4-7 F5 broken dm", "4-4-7 F10", woods="F3")
    assert (duty(near, "F5"), duty(far, "F5")) == ("must", "may")


def test_r9_through_a_hindrance() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3", brush="F7")
    assert duty(position, "F5") == "may"


def test_r9_covered_starting_hex() -> None:
    for terrain in ("woods", "building", "brush", "orchard", "grain"):
        position = typed("4-6-7 F9", "4-4-7 F5 broken dm", month=7, **{terrain: "F5"})
        assert duty(position, "F5") == "may", terrain


def test_r9_grain_is_open_ground_out_of_season() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", month=10, grain="F5")
    assert duty(position, "F5") == "must"


def test_r9_it_may_not_come_back_to_its_starting_hex() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", brush="E6")
    assert bars(position, "F5", "E6") == set()
    judged = path(position, "F5", "E6 F5")
    assert [reason.rule for reason in judged.reasons] == ["R73"]
    assert "F5" not in ends(position, "F5")


def test_r10_ending_in_interdictable_open_ground_is_allowed() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    assert ends(position, "F5")["F4"] == "crawl"
    assert bars(position, "F5", "F4", low_crawl=True) == set()


def test_r10_a_free_rout_may_end_in_the_open() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    assert bars(position, "F5", "F4 F3") == set()


# -- R11, R12 ------------------------------------------------------------------------------------


def test_r11_adjacency_is_judged_again_at_the_end() -> None:
    # Nobody sees the enemy in F2 past the woods in F3; in F3 the unit stands next to it.
    position = typed("4-6-7 F9; 4-6-7 F2", "4-4-7 F5 broken dm", woods="F3")
    assert known(position, "F5") == {"F9"}
    assert targets(position, "F5") == {"F3": 3}
    assert bars(position, "F5", "F4 F3") == {"R8"}
    assert "F3" not in ends(position, "F5")


def test_r12_no_surrender_a_unit_that_cannot_go_is_eliminated() -> None:
    position = typed("4-6-7 F4; 4-6-7 E6; 4-6-7 G6", "4-4-7 F5 broken dm", woods="F5")
    found = told(position, "F5")
    assert found.duty == "eliminated"
    assert found.ends == ()
    assert only(found.reasons, "R73").code is Code.NO_LEGAL_STEP
    assert set(barred(position, "F5")) == {"F4", "G5", "G6", "F6", "E6", "E5"}


# -- R13 to R15 ----------------------------------------------------------------------------------


@pytest.mark.parametrize("attacker", ["German", "Russian"])
def test_r13_the_attacker_routs_first(attacker: str) -> None:
    position = typed(
        "g 4-6-7 F2 broken dm; 4-6-7 H2 broken dm; 4-6-7 H3",
        "r 4-4-7 F9 broken dm; 4-4-7 H9",
        attacker=attacker,
    )
    order = [position.by_id[found.unit].side for found in assess_all(position)]
    first, *rest = order
    assert first == attacker
    assert order == sorted(order, key=lambda side: side != attacker)
    assert len(rest) == 2


def test_r14_each_unit_is_judged_alone_the_others_where_they_stand() -> None:
    # Room for one more squad in the woods: it is a destination for either of the two.
    position = typed(
        "4-6-7 F9", "a 4-4-7 F5 broken dm; b 4-4-7 G6 broken dm; 4-4-7 F3; 4-4-7 F3", woods="F3"
    )
    for unit in ("a", "b"):
        assert at("F3") in {target.hex for target in told(position, unit).targets}
    assert [found.unit for found in assess_all(position)] == ["a", "b"]


def test_r15_a_broken_leader_is_a_routing_unit_of_his_own() -> None:
    position = typed("4-6-7 F9", "a 4-4-7 F5 broken dm; b 8-0 F5 broken dm", woods="F3")
    assert [found.unit for found in assess_all(position)] == ["a", "b"]
    assert told(position, "a").companions == ()
