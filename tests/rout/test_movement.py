"""R16 to R25: MF allowance, terrain costs, stacking in passing, the map edge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import at, barred, bars, ends, known, short, targets, told, verdict
from tests.rout.grounds import DrawnEntry, DrawnTerrain, drawn, into
from tests.rout.small import typed
from vassal_bridge.rout import Cover, Readings, why_not

BACK = "F9 F8 F7 F6 F5 F4"


def test_r16_six_mf_and_no_more() -> None:
    position = typed(russian="4-4-7 F10 broken dm")
    assert bars(position, "F10", BACK) == set()
    assert bars(position, "F10", f"{BACK} F3") == {"R16"}


def test_r16_no_road_or_leader_bonus() -> None:
    position = typed(russian="a 4-4-7 F10 broken dm; 9-1 F10", road="F9 F8 F7 F6 F5 F4 F3")
    assert bars(position, "a", BACK) == set()
    assert bars(position, "a", f"{BACK} F3") == {"R16"}


def test_r17_a_wounded_smc_has_three() -> None:
    position = typed(russian="8-0 F10 broken dm wounded")
    assert bars(position, "F10", "F9 F8 F7") == set()
    assert bars(position, "F10", "F9 F8 F7 F6") == {"R17"}


def test_r17_a_wound_of_an_mmc_is_none() -> None:
    position = typed(russian="4-4-7 F10 broken dm wounded")
    assert bars(position, "F10", "F9 F8 F7 F6 F5 F4") == set()


def test_r17_is_why_a_wounded_smc_does_not_get_farther() -> None:
    for leader, reach, rule in (
        ("8-0 F9 broken dm", 6, "R16"),
        ("8-0 F9 broken dm wounded", 3, "R17"),
    ):
        reasons = why_not(typed(russian=leader), at("F9"))
        beyond = reasons[at(f"F{9 - reach - 1}")]
        assert (beyond.rule, beyond.fact("left")) == (rule, 0)


def test_r18_a_wounded_smc_looks_no_farther_than_he_can_go() -> None:
    at_five = {"woods": "F6"}
    assert targets(typed(russian="8-0 F10 broken dm", **at_five), "F10") == {"F6": 5}
    wounded = typed(russian="8-0 F10 broken dm wounded", **at_five)
    assert targets(wounded, "F10") == {"free": True}
    assert targets(typed(russian="8-0 F10 broken dm wounded", woods="F8"), "F10") == {"F8": 3}


@pytest.mark.parametrize(
    ("terrain", "month", "mf"),
    [
        ("open", 7, 1),
        ("road", 7, 1),
        ("building", 7, 2),
        ("woods", 7, 2),
        ("brush", 7, 2),
        ("orchard", 7, 1),
        ("grain", 6, 1.5),
        ("grain", 9, 1.5),
        ("grain", 5, 1),
        ("grain", 10, 1),
        ("smoke", 7, 2),
        ("wreck", 7, 1),
    ],
)
def test_r19_terrain_costs(terrain: str, month: int, mf: float) -> None:
    position = typed(russian="4-4-7 F10 broken dm", month=month, **{terrain: "F9"})
    entered = [end for end in told(position, "F10").ends if end.path == (at("F9"),)]
    assert [end.mf2 / 2 for end in entered if str(end.how) != "crawl"] == [mf]


def test_r19_smoke_adds_to_the_terrain() -> None:
    position = typed(russian="4-4-7 F10 broken dm", smoke="F8", woods="F8")
    assert targets(position, "F10") == {"F8": 4}


def test_r19_leaving_smoke_costs_nothing_extra() -> None:
    position = typed(russian="4-4-7 F10 broken dm", smoke="F10", woods="F9")
    assert targets(position, "F10") == {"F9": 2}


def test_r19_woods_road_is_paid_as_road_or_as_woods() -> None:
    # Along the road 1 MF; as a destination it counts as far as its woods are (2 MF).
    bare = typed(russian="4-4-7 F10 broken dm")
    wooded_road = DrawnTerrain("woods-road", shelter="woods", cover=Cover.ROAD_IN_WOODS)
    entry = DrawnEntry(mf2=2, woods_mf2=4, by_road=True)
    position = drawn(bare, terrains={"F9": wooded_road}, entries={("F10", "F9"): entry})
    assert targets(position, "F10") == {"F9": 2}
    (end,) = [end for end in told(position, "F10").ends if short(end.hex) == "F9"]
    assert end.mf2 == 2


def test_r19_who_cannot_pay_for_the_woods_of_a_woods_road_comes_along_the_road() -> None:
    # F7 is 3 MF away along the road and 4 through its woods; a wounded leader has 3.
    bare = typed(russian="8-0 F10 broken dm wounded")
    wooded_road = DrawnTerrain("woods-road", shelter="woods", cover=Cover.ROAD_IN_WOODS)
    woods = into(bare, "F7", DrawnEntry(mf2=4))
    road = {("F8", "F7"): DrawnEntry(mf2=2, woods_mf2=4, by_road=True)}
    position = drawn(bare, terrains={"F7": wooded_road}, entries={**woods, **road})
    assert targets(position, "F10") == {"F7": 3}
    assert bars(position, "F10", "F9 F8 F7") == set()
    # A building 3 MF away is nearer than its woods.
    building = DrawnTerrain("building", shelter="building", cover=Cover.COVERED)
    both = drawn(
        bare,
        terrains={"F7": wooded_road, "D10": building},
        entries={**woods, **road, **into(bare, "D10", DrawnEntry(mf2=4))},
    )
    assert targets(both, "F10") == {"D10": 3}
    assert "r19_road_distance:targets,ends" in told(both, "F10").readings


def test_r19_smoke_uphill_is_disputed() -> None:
    # 2 x 1 + 1 = 3 MF by the plain text, 2 x (1 + 1) = 4 by the full rules.
    bare = typed(russian="8-0 F10 broken dm wounded")
    entry = DrawnEntry(mf2=6, uphill=True, smoke_doubled_mf2=8)
    position = drawn(
        bare,
        terrains={"F9": DrawnTerrain(shelter="woods", name="woods", cover=Cover.COVERED)},
        entries=into(bare, "F9", entry),
    )
    assert targets(position, "F10") == {"F9": 3}
    found = told(position, "F10")
    assert found.certainty == "depends"
    assert "r19_smoke_doubled:targets,ends" in found.readings
    doubled = Readings(r19_smoke_doubled=True)
    other = replace(position, rules=replace(position.rules, readings=doubled))
    assert targets(other, "F10") == {"free": True}


def test_r20_fractions_add_up() -> None:
    position = typed(russian="4-4-7 F10 broken dm", month=7, grain="F9 F8 F7 F6 F5")
    assert bars(position, "F10", "F9 F8 F7 F6") == set()  # 4 x 1.5 = 6
    assert bars(position, "F10", "F9 F8 F7 F6 F5") == {"R16"}
    three = typed(russian="4-4-7 F10 broken dm", month=7, grain="F9 F8 F7")
    assert bars(three, "F10", "F9 F8 F7 F6") == set()  # 5.5
    assert bars(three, "F10", "F9 F8 F7 F6 F5") == {"R16"}  # 6.5


def test_r21_there_is_no_minimum_move() -> None:
    bare = typed(russian="8-0 F10 broken dm wounded")
    uphill = DrawnEntry(mf2=8, uphill=True, smoke_doubled_mf2=8)
    high = DrawnTerrain("building", shelter="building", cover=Cover.COVERED, level=1, building=1)
    position = drawn(bare, terrains={"F9": high}, entries=into(bare, "F9", uphill))
    assert bars(position, "F10", "F9") == {"R17"}
    assert bars(position, "F10", "F9", low_crawl=True) == set()
    assert ends(position, "F10")["F9"] == "crawl"


def test_r22_backtracking_is_legal_and_paid() -> None:
    position = typed(russian="4-4-7 F10 broken dm")
    assert bars(position, "F10", "F9 F10 F9 F8 F7 F6") == set()
    assert bars(position, "F10", "F9 F10 F9 F8 F7 F6 F5") == {"R16"}


def test_r22_only_from_hex_to_neighbouring_hex() -> None:
    position = typed(russian="4-4-7 F10 broken dm")
    assert bars(position, "F10", "F8") == {"R22"}
    assert bars(position, "F10", "F10") == {"R22"}


def test_r23_the_hex_of_an_enemy_is_closed() -> None:
    position = typed("4-6-7 F4 broken", "4-4-7 F5 broken dm")
    assert bars(position, "F5", "F4") == {"R23", "R38"}
    assert barred(position, "F5")["F4"] >= {"R23", "R38"}


def test_r23_of_a_concealed_one_too() -> None:
    position = typed("4-6-7 F4 concealed; 8-0 A1 broken", "4-4-7 F5 broken dm")
    assert known(position, "F5") == {"A1"}
    assert "R23" in bars(position, "F5", "F4")
    assert "F4" not in ends(position, "F5")


def test_r24_friends_may_be_passed() -> None:
    position = typed(russian="a 4-4-7 F5 broken dm; 4-4-7 F4; 4-4-7 F4", woods="F3")
    assert bars(position, "a", "F4 F3") == set()


def test_r25_nothing_lies_beyond_the_edge() -> None:
    position = typed(russian="4-4-7 A1 broken dm")
    on_map = set(position.ground.hexes())
    found = told(position, "A1")
    assert {end.hex for end in found.ends} <= on_map
    assert {path for end in found.ends for path in end.path} <= on_map
    assert sum(1 for beside in position.ground.neighbours(at("A1")) if beside is None) == 3
    assert verdict(position, "A1", "A2 A1 B0") == "legal"


def test_r25_a_half_hex_is_a_hex_like_any_other() -> None:
    position = typed(russian="4-4-7 B2 broken dm", woods="B0")
    assert targets(position, "B2") == {"B0": 3}
    assert bars(position, "B2", "B1 B0") == set()
