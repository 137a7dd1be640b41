"""R26 to R36: where a rout may lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import bars, ends, facts, path, short, targets, told
from tests.rout.grounds import DrawnTerrain, drawn
from tests.rout.small import typed
from vassal_bridge.rout import Code, Cover, Position, Readings, Reason


def why(position: Position, unit: str, hex_: str) -> Reason | None:
    """Why a destination may be ignored, None if it may not."""
    (found,) = [target for target in told(position, unit).targets if short(target.hex) == hex_]
    return found.because


def read_otherwise(position: Position, reading: str) -> Position:
    readings = Readings().with_reading(reading)
    return replace(position, rules=replace(position.rules, readings=readings))


@pytest.mark.parametrize("terrain", ["woods", "building"])
def test_r26_woods_and_buildings_count(terrain: str) -> None:
    assert targets(typed(russian="4-4-7 F5 broken dm", **{terrain: "F3"}), "F5") == {"F3": 3}


@pytest.mark.parametrize("terrain", ["orchard", "brush", "grain", "road", "wreck", "smoke"])
def test_r26_nothing_else_does(terrain: str) -> None:
    position = typed(russian="4-4-7 F5 broken dm", month=7, **{terrain: "F3"})
    assert targets(position, "F5") == {"free": True}


def test_r26_a_woods_road_is_woods() -> None:
    bare = typed(russian="4-4-7 F5 broken dm")
    road = DrawnTerrain("woods-road", shelter="woods", cover=Cover.ROAD_IN_WOODS)
    assert "F3" in targets(drawn(bare, terrains={"F3": road}), "F5")


def test_r26_enemy_occupied_ones_are_out_seen_or_not() -> None:
    # F4 is full, so it must be ignored; E3 behind it holds an enemy nobody sees from F5.
    friends = "; ".join(["4-4-7 F4"] * 3)
    terrain = {"building": "F4", "woods": "E3"}
    empty = typed(russian=f"4-4-7 F5 broken dm; {friends}", **terrain)
    held = typed("4-6-7 E3", f"4-4-7 F5 broken dm; {friends}", **terrain)
    assert told(held, "F5").known == ()
    assert targets(empty, "F5") == {"E3": 4}
    assert targets(held, "F5") == {"free": True}


def test_r27_the_nearest_in_mf() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 F8")
    assert targets(position, "F5") == {"F3": 3}
    assert bars(position, "F5", "F4 F3") == set()
    assert bars(position, "F5", "F6 F7 F8") == {"R27"}


def test_r27_in_mf_not_in_hexes() -> None:
    # F3 is nearer in hexes, but smoke makes it 4 MF; F8 over open ground is 4, H6 is 3.
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 H6", smoke="F4")
    assert targets(position, "F5") == {"H6": 3}


def test_r27_stopping_on_the_way_is_no_rout() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3")
    assert bars(position, "F5", "F4") == {"R27"}


def test_r27_the_choice_binds_low_crawl() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 F8")
    assert bars(position, "F5", "F4", low_crawl=True) == set()
    assert bars(position, "F5", "F6", low_crawl=True) == {"R45"}


def test_r28_distance_along_a_legal_path() -> None:
    # F6 is full: F7 costs 1 + 1 + 2 around it, as much as F2. By terrain alone it is 3 away.
    friends = "; ".join(["4-4-7 F6"] * 3)
    position = typed(russian=f"4-4-7 F5 broken dm; {friends}", woods="F7 F2")
    assert targets(position, "F5") == {"F7": 4, "F2": 4}
    assert any(name.startswith("r28_terrain:") for name in told(position, "F5").readings)
    judged = path(position, "F5", "F4 F3 F2")
    assert judged.verdict == "legal"
    assert "r28_terrain" in judged.readings
    assert targets(read_otherwise(position, "r28_terrain"), "F5") == {"F7": 3}


def test_r28_the_other_reading_makes_an_illegal_path_disputed() -> None:
    # F4 is full: F2 is 5 MF away around it, F8 is 4. By terrain alone both are 4.
    friends = "; ".join(["4-4-7 F4"] * 3)
    position = typed(russian=f"a 4-4-7 F5 broken dm; {friends}", woods="F8 F2")
    assert targets(position, "a") == {"F8": 4}
    judged = path(position, "a", "E5 E4 F3 F2")
    assert (judged.verdict, judged.readings) == ("disputed", ("r28_terrain", "r47_end_only"))
    assert targets(read_otherwise(position, "r28_terrain"), "a") == {"F8": 4, "F2": 4}


def test_r29_ties_are_the_owners_choice() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 F7")
    assert targets(position, "F5") == {"F3": 3, "F7": 3}
    assert bars(position, "F5", "F4 F3") == set()
    assert bars(position, "F5", "F6 F7") == set()


@pytest.mark.parametrize(
    ("friends", "routing", "full"),
    [
        (["4-4-7"] * 3, "4-4-7", True),
        (["4-4-7"] * 2, "4-4-7", False),
        (["4-4-7", "4-4-7", "2-3-7"], "4-4-7", True),
        (["4-4-7", "4-4-7", "2-3-7"], "2-3-7", False),
        (["4-4-7", "4-4-7", "2-3-7", "2-3-7"], "2-3-7", True),
        (["8-0"] * 4, "7-0", True),
        (["8-0"] * 3, "7-0", False),
        (["8-0"] * 4, "4-4-7", False),
        (["4-4-7"] * 3, "7-0", False),
    ],
)
def test_r30_full_hexes_must_be_ignored(friends: list[str], routing: str, full: bool) -> None:
    there = "; ".join(f"{name} F4" for name in friends)
    position = typed(russian=f"a {routing} F5 broken dm; {there}", woods="F4 F8")
    if full:
        assert targets(position, "a") == {"F8": 4}
        (ignored,) = [one for one in told(position, "a").ignored if short(one.hex) == "F4"]
        assert [reason.rule for reason in ignored.reasons] == ["R30"]
        assert bars(position, "a", "F4") == {"R30"}
    else:
        assert targets(position, "a") == {"F4": 2}


# E6 is as far from F9 as F5 is (4 hexes); F3 is farther.
ONE_IGNORABLE = {"woods": "E6 F3"}


def test_r31_no_farther_from_a_known_enemy_may_be_ignored() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", **ONE_IGNORABLE)
    assert targets(position, "F5") == {"E6": 2, "F3": 3}
    reason = why(position, "F5", "E6")
    assert reason is not None
    assert (reason.rule, reason.code) == ("R31", Code.IGNORABLE_RANGE)
    assert facts(reason) == {"hex": "E6", "enemy": "F9", "range": 4, "start_range": 4}
    assert why(position, "F5", "F3") is None


def test_r31_may_not_must() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", **ONE_IGNORABLE)
    assert bars(position, "F5", "E6") == set()
    assert bars(position, "F5", "F4 F3") == set()


def test_r31_one_such_enemy_is_enough() -> None:
    # From I5 woods E6 is farther (4) than F5 is (3): F9 alone makes it ignorable.
    position = typed("4-6-7 F9; 4-6-7 I5", "4-4-7 F5 broken dm", **ONE_IGNORABLE)
    reason = why(position, "F5", "E6")
    assert reason is not None
    assert facts(reason)["enemy"] == "F9"
    assert targets(read_otherwise(position, "r31_all"), "F5") == {"E6": 2}


def test_r31_broken_enemies_count_and_the_other_reading_is_named() -> None:
    position = typed("4-6-7 F9 broken", "4-4-7 F5 broken dm", **ONE_IGNORABLE)
    assert set(targets(position, "F5")) == {"E6", "F3"}
    assert any(
        name.startswith("r31_unbroken:") and "targets" in name
        for name in told(position, "F5").readings
    )
    assert targets(read_otherwise(position, "r31_unbroken"), "F5") == {"E6": 2}


def test_r31_only_known_enemies() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="E6 F3", building="F8")
    assert told(position, "F5").known == ()
    assert targets(position, "F5") == {"E6": 2}


def test_r32_hexes_of_the_own_building_may_be_ignored() -> None:
    position = typed(russian="4-4-7 F5 broken dm", buildings=[["F5", "F4"]], woods="F8")
    assert targets(position, "F5") == {"F4": 2, "F8": 4}
    reason = why(position, "F5", "F4")
    assert reason is not None
    assert (reason.rule, facts(reason)) == ("R32", {"hex": "F4"})
    assert bars(position, "F5", "F6 F7 F8") == set()


def test_r32_another_building_is_not_the_own_one() -> None:
    position = typed(russian="4-4-7 F5 broken dm", buildings=[["F5"], ["F4"]], woods="F8")
    assert targets(position, "F5") == {"F4": 2}


def test_r32_no_such_right_for_woods() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F5 F4 F8")
    assert targets(position, "F5") == {"F4": 2}
    assert bars(position, "F5", "F6 F7 F8") == {"R27"}


def test_r33_every_ignorable_hex_up_to_the_nearest_that_is_not() -> None:
    # E6 (2 MF) and D6 (4 MF) may be ignored because of F9, F3 (3 MF) may not.
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="E6 F3 D6")
    assert targets(position, "F5") == {"E6": 2, "F3": 3}
    without = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="E6 D6")
    assert targets(without, "F5") == {"E6": 2, "D6": 4, "free": True}


def test_r34_next_to_an_unknown_enemy_is_a_valid_destination() -> None:
    position = typed("4-6-7 F2", "4-4-7 F5 broken dm", woods="F3")
    assert told(position, "F5").known == ()
    assert targets(position, "F5") == {"F3": 3}
    judged = path(position, "F5", "F4 F3 F4 F5")
    assert judged.verdict == "legal"
    assert ("R49", Code.RETARGET) in {(event.rule, event.code) for event in judged.events}


def test_r34_next_to_a_known_enemy_it_is_none() -> None:
    position = typed("4-6-7 G3", "4-4-7 F5 broken dm", woods="F3")
    assert targets(position, "F5") == {"free": True}


def test_r35_next_to_a_broken_enemy_found_on_the_way_it_may_stop_or_go_on() -> None:
    position = typed("4-6-7 F2 broken", "4-4-7 F5 broken dm", woods="F3")
    assert told(position, "F5").known == ()
    assert bars(position, "F5", "F4 F3") == set()
    assert bars(position, "F5", "F4 F3 E4") == set()
    assert {"F3", "E4"} <= set(ends(position, "F5"))


def test_r36_a_friendly_leader_is_no_destination() -> None:
    position = typed(russian="a 4-4-7 F5 broken dm; 9-1 F8", woods="F3")
    assert targets(position, "a") == {"F3": 3}
    assert bars(position, "a", "F6 F7 F8") == {"R27"}
