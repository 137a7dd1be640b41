"""Lines of sight rule by rule, on boards of our own where each answer can be worked out by hand."""

from __future__ import annotations

import pytest

from tests.board import boards
from vassal_bridge.board.ground_obstacles import Obstacle
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.losterrain import terrain_table
from vassal_bridge.board.sight import Loc, Sight, SightEngine, Verdict, pairs_csv
from vassal_bridge.board.sightrules import Spine, Why, spine_of
from vassal_bridge.errors import BoardError

CODE = terrain_table().code


def sight(losmap: LosMap, source: Loc | str, target: Loc | str) -> Sight:
    """The line, checked to be the same when asked in every other way."""
    engine = SightEngine(losmap)
    found = engine.sight(source, target)
    verdict = engine.verdict(source, target)
    level = target.level if isinstance(target, Loc) else 0
    fan = engine.fan(source, level)[target.hex if isinstance(target, Loc) else target]
    for answer in (verdict, fan):
        assert (answer.clear, answer.range) == (found.clear, found.range)
        assert not found.clear or answer.hindrance == found.hindrance
    return found


def why(losmap: LosMap, source: Loc | str, target: Loc | str) -> Why | None:
    found = sight(losmap, source, target)
    return None if found.block_reason is None else Why(found.block_reason)


# -- 9.0 same hex -------------------------------------------------------------- ---


def test_a_location_sees_itself() -> None:
    assert sight(boards.drawn(), "bC3", "bC3") == Sight(clear=True, range=0, hindrance=0)


def test_levels_of_one_hex_need_a_stairway() -> None:
    losmap = boards.drawn({"C3": "Stone Building, 1 Level", "E3": "Stone Building, 2 Level"})
    assert why(losmap, Loc("bC3", 1), Loc("bC3")) is None
    assert why(losmap, Loc("bE3", 1), Loc("bE3")) is Why.STAIRWAY
    assert why(losmap, Loc("bE3", 2), Loc("bE3")) is Why.STAIRWAY


# -- ground, obstacles, hindrances --------------------------------------------- ---


@pytest.mark.parametrize("target", ["bI4", "bI1", "bA4", "bG3", "bB3"])
def test_nothing_between_nothing_blocks(target: str) -> None:
    found = sight(boards.drawn(), "bA1", target)
    assert (found.clear, found.hindrance, found.hindrances) == (True, 0, ())


@pytest.mark.parametrize("kind", ["Woods", "Stone Building", "Wooden Building, 1 Level", "Bamboo"])
def test_obstacles_block_at_one_level(kind: str) -> None:
    losmap = boards.drawn({"C3": kind})
    found = sight(losmap, "bC1", "bC4")
    assert (found.clear, found.block_hex, found.block_reason) == (False, "bC3", "terrain-higher")
    assert why(losmap, "bC2", "bC3") is None  # the target's own terrain does not
    assert why(losmap, "bC3", "bC1") is None  # nor the source's
    assert why(losmap, "bB1", "bB4") is None


@pytest.mark.parametrize("kind", ["Grain", "Brush", "Crags", "Orchard", "Marsh", "Vineyard"])
def test_hindrances_count_once_per_hex(kind: str) -> None:
    found = sight(boards.drawn({"C2": kind, "C3": kind}), "bC1", "bC4")
    assert (found.clear, found.hindrance) == (True, 2)
    assert found.hindrances == (("bC2", 1), ("bC3", 1))


def test_light_woods_hinder_by_two() -> None:
    assert sight(boards.drawn({"C3": "Light Woods"}), "bC2", "bC4").hindrance == 2


def test_six_hindrances_block() -> None:
    grain = {f"{c}2": "Grain" for c in "BCDEFGH"}
    losmap = boards.drawn(grain)
    assert sight(losmap, "bB2", "bG2").hindrance == 4
    assert why(losmap, "bB2", "bI2") is Why.HINDRANCE


def test_along_a_hexspine_both_hexes_count_but_only_one_hindrance() -> None:
    # B2 to D2 runs along the hexspine between C2 and C3.
    losmap = boards.drawn({"C2": "Brush", "C3": "Brush"})
    found = sight(losmap, "bB2", "bD2")
    assert (found.clear, found.hindrance) == (True, 1)
    assert sight(boards.drawn({"C2": "Orchard"}), "bB2", "bD2").hindrance == 1


def test_orchards_are_obstacles_from_above_and_below() -> None:
    losmap = boards.drawn({"C2": "Orchard"}, {"C1": 1})
    assert why(losmap, "bC1", "bC4") is Why.HEIGHT_ADVANTAGE
    bare = boards.drawn({"C2": "Orchard, Out of Season"}, {"C1": 1})
    assert sight(bare, "bC1", "bC4").hindrance == 1


def test_grain_does_not_hinder_between_levels() -> None:
    losmap = boards.drawn({"C2": "Grain"}, {"C1": 1})
    assert sight(losmap, "bC1", "bC4").hindrance == 0


# -- heights ------------------------------------------------------------------- ---


def test_higher_ground_blocks() -> None:
    losmap = boards.drawn(levels={"C3": 1})
    assert why(losmap, "bC1", "bC4") is Why.GROUND
    assert why(losmap, "bC3", "bC4") is None


def test_a_crest_line_blocks_toward_the_lower_end() -> None:
    losmap = boards.drawn(levels={"C1": 1, "C2": 1})
    assert why(losmap, "bC1", "bC4") is Why.HEIGHT_ADVANTAGE
    assert why(losmap, "bC2", "bC4") is None


def test_woods_are_seen_over_from_two_levels_with_a_blind_hex_behind() -> None:
    losmap = boards.drawn({"C3": "Woods"}, {"C1": 2}, rows=8)
    assert why(losmap, "bC1", "bC4") is Why.BLIND_TERRAIN
    assert why(losmap, "bC1", "bC5") is None
    assert why(losmap, "bC5", "bC1") is None


def test_blind_hexes_behind_a_crest() -> None:
    losmap = boards.drawn(levels={"C1": 3, "C4": 1, "C5": 1}, rows=8)
    assert why(losmap, "bC1", "bC6") is None
    far = boards.drawn(levels={"C1": 3, "C4": 2}, rows=8)
    assert why(far, "bC1", "bC5") is Why.BLIND_GROUND
    assert why(far, "bC1", "bC8") is None


def test_upper_levels_see_over_plain_buildings() -> None:
    losmap = boards.drawn(
        {"C1": "Stone Building, 1 Level", "C3": "Stone Building", "E1": "Stone Building, 2 Level"}
    )
    assert why(losmap, Loc("bC1", 1), Loc("bC4")) is Why.HEIGHT_ADVANTAGE
    assert sight(losmap, Loc("bE1", 2), Loc("bE4")).height == 2


def test_two_storey_buildings_block_between_first_levels() -> None:
    house = "Wooden Building, 1 Level"
    losmap = boards.drawn({"C1": house, "C2": house, "C4": house, "E1": house, "E4": house})
    assert why(losmap, Loc("bC1", 1), Loc("bC4", 1)) is Why.HALF_LEVEL
    assert why(losmap, Loc("bE1", 1), Loc("bE4", 1)) is None


def test_a_source_must_leave_its_building_first() -> None:
    house = "Stone Building, 2 Level"
    losmap = boards.drawn({"C2": house, "C3": house})
    assert why(losmap, Loc("bC2", 1), Loc("bC4")) is Why.LEAVE_BUILDING
    assert why(losmap, Loc("bC2", 1), Loc("bC1")) is None


def test_levels_that_do_not_exist_are_refused() -> None:
    engine = SightEngine(boards.drawn({"C3": "Stone Building, 1 Level"}))
    for loc in (Loc("bC3", 2), Loc("bC2", 1), Loc("bC3", -1)):
        with pytest.raises(BoardError, match="has no level"):
            engine.sight(loc, "bA1")


# -- walls and hedges ---------------------------------------------------------- ---


def walled(*names: str, level: dict[str, int] | None = None) -> LosMap:
    """Hexes drawn as walls all over: every hexside of theirs is one."""
    return boards.drawn(dict.fromkeys(names, "Wall"), level, rows=6)


def test_a_wall_blocks_unless_an_end_lies_beside_it() -> None:
    losmap = walled("C3")
    assert why(losmap, "bC1", "bC6") is Why.HEXSIDE
    assert why(losmap, "bC3", "bC6") is None
    assert why(losmap, "bC1", "bC3") is None


def test_walls_do_not_block_between_levels() -> None:
    assert why(walled("C3", level={"C1": 1}), "bC1", "bC6") is None


def test_crossing_the_targets_wall_is_told() -> None:
    losmap = walled("C3")
    found = sight(losmap, "bC1", "bC3")
    assert (found.enters_by, found.crosses_wall) == ((0,), True)
    assert not sight(losmap, "bA1", "bA3").crosses_wall


# -- facts for the rout rules -------------------------------------------------- ---


@pytest.mark.parametrize(
    ("source", "sides"),
    [
        ("bE1", (0,)),
        ("bI1", (1,)),
        ("bI4", (2,)),
        ("bE4", (3,)),
        ("bA4", (4,)),
        ("bA1", (5,)),
        ("bG2", (1, 2)),
        ("bC2", (4, 5)),
        ("bF0", (0, 1)),
    ],
)
def test_the_side_the_line_enters_by(source: str, sides: tuple[int, ...]) -> None:
    assert sight(boards.drawn(), source, "bE2").enters_by == sides


def test_art_inside_the_target_hex() -> None:
    losmap = boards.drawn({"C3": "Woods", "E3": "Orchard", "G3": "Stone Building"})
    woods, orchard, house = (sight(losmap, f"b{c}2", f"b{c}3") for c in "CEG")
    assert (woods.over_woods, woods.over_orchard, woods.over_building) == (True, False, False)
    assert (orchard.over_woods, orchard.over_orchard, orchard.over_building) == (False, True, False)
    assert (house.over_woods, house.over_orchard, house.over_building) == (False, False, True)
    assert not sight(losmap, "bC3", "bC4").over_woods


def test_pixels_in_the_target_run_to_its_centre() -> None:
    losmap = boards.drawn()
    inside = SightEngine(losmap).pixels_in_target("bC1", "bC3")
    assert inside[-1] == losmap.aim("bC3")
    assert 30 <= len(inside) <= 34
    assert all(losmap.hex_at(x, y) == "bC3" for x, y in inside)


def test_a_trace_names_the_hexes_in_order_and_the_block() -> None:
    losmap = boards.drawn({"C3": "Woods"})
    trace = SightEngine(losmap).trace("bC1", "bC4")
    assert trace.hexes == ("bC1", "bC2", "bC3", "bC4")
    assert (trace.source, trace.target) == (losmap.aim("bC1"), losmap.aim("bC4"))
    assert trace.block is not None
    assert losmap.hex_at(*trace.block) == "bC3"
    assert SightEngine(losmap).trace("bC1", "bC2").block is None


# -- counters ------------------------------------------------------------------ ---


def with_counters(losmap: LosMap, **counters: tuple[Obstacle, ...]) -> SightEngine:
    return SightEngine(losmap, {f"b{name}": found for name, found in counters.items()})


def all_ways(engine: SightEngine, source: str, target: str) -> Sight:
    found = engine.sight(source, target)
    expected = Verdict(found.clear, found.range, found.hindrance)
    assert engine.verdict(source, target) == engine.fan(source)[target] == expected
    return found


def test_smoke_adds_to_terrain_and_a_wreck_does_not() -> None:
    losmap = boards.drawn({"C3": "Grain"})
    assert all_ways(with_counters(losmap, C3=(Obstacle.smoke(2),)), "bC1", "bC4").hindrance == 3
    assert all_ways(with_counters(losmap, C3=(Obstacle.wreck(),)), "bC1", "bC4").hindrance == 1
    assert all_ways(with_counters(losmap, C2=(Obstacle.wreck(),)), "bC1", "bC4").hindrance == 2
    both = with_counters(losmap, C2=(Obstacle.wreck(), Obstacle.smoke(1)))
    assert all_ways(both, "bC1", "bC4").hindrances == (("bC2", 1), ("bC2", 1), ("bC3", 1))


def test_the_thickest_smoke_of_a_hex_counts() -> None:
    engine = with_counters(boards.drawn(), C2=(Obstacle.smoke(1), Obstacle.smoke(3)))
    assert all_ways(engine, "bC1", "bC4").hindrances == (("bC2", 3),)


def test_smoke_can_block() -> None:
    engine = with_counters(boards.drawn(), C2=(Obstacle.smoke(3),), C3=(Obstacle.blaze(),))
    found = engine.sight("bC1", "bC4")
    assert (found.clear, found.block_reason) == (False, "hindrance-six")
    assert not engine.verdict("bC1", "bC4").clear
    assert not engine.fan("bC1")["bC4"].clear


def test_smoke_of_the_ends_is_told_apart() -> None:
    engine = with_counters(boards.drawn(), C1=(Obstacle.smoke(2),), C4=(Obstacle.smoke(1),))
    found = all_ways(engine, "bC1", "bC4")
    assert (found.hindrance, found.own_hex) == (0, (("bC1", 2), ("bC4", 1)))


def test_counters_beside_the_line_do_not_count() -> None:
    engine = with_counters(boards.drawn(), B2=(Obstacle.smoke(3),), D3=(Obstacle.wreck(),))
    assert all_ways(engine, "bC1", "bC4").hindrance == 0


def test_along_a_hexspine_counters_on_either_side_count_once() -> None:
    for names in (("C2",), ("C3",), ("C2", "C3")):
        engine = with_counters(boards.drawn(), **dict.fromkeys(names, (Obstacle.smoke(2),)))
        assert all_ways(engine, "bB2", "bD2").hindrance == 2


def test_vehicles_hinder_at_their_own_level_and_smoke_below_its_height() -> None:
    hill = boards.drawn(levels={"C1": 1})
    assert all_ways(with_counters(hill, C3=(Obstacle.vehicle(),)), "bC1", "bC4").hindrance == 0
    assert all_ways(with_counters(hill, C3=(Obstacle.smoke(2),)), "bC1", "bC4").hindrance == 2
    mountain = boards.drawn(levels={"C1": 2, "C4": 2})
    assert all_ways(with_counters(mountain, C3=(Obstacle.smoke(2),)), "bC1", "bC4").hindrance == 0


def test_counters_off_the_map_are_ignored() -> None:
    engine = SightEngine(boards.drawn(), {"zA1": (Obstacle.smoke(3),)})
    assert engine.sight("bA1", "bA4").clear


# -- names and tables ---------------------------------------------------------- ---


def test_the_board_may_be_left_out_on_a_map_of_one() -> None:
    engine = SightEngine(boards.drawn())
    assert engine.verdict("A1", "C3") == engine.verdict("bA1", "bC3")
    with pytest.raises(BoardError, match="no hex Q9"):
        engine.verdict("Q9", "A1")


def test_a_fan_lists_what_is_seen() -> None:
    fan = SightEngine(boards.drawn({"C2": "Woods"})).fan("bC1")
    assert len(fan) == len(list(fan)) == 40
    assert "bC2" in fan.seen()
    assert "bC3" not in fan.seen()


def test_pairs_in_pairs_out() -> None:
    engine = SightEngine(boards.drawn({"C3": "Grain", "E3": "Woods"}))
    rows = [
        {"source": "C1", "target": "C4"},
        {"source": "bE1", "target": "E4"},
        {"source": "A1", "target": "A1", "note": "x"},
    ]
    found = list(pairs_csv(engine, rows))
    assert [row["range"] for row in found] == ["3", "3", "0"]
    assert [row["blocked"] for row in found] == ["0", "1", "0"]
    assert found[0]["hindrance"] == "1"
    assert found[2]["note"] == "x"
    assert list(found[0]) == ["source", "target", "range", "blocked", "hindrance"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"source": "A1", "target": "Z9"}, "row 1: no hex Z9"),
        ({"source": "A1"}, "row 1: a row needs source and target"),
        ({"source": "A1", "target": "A2", "slevel": "top"}, "row 1: a row needs"),
    ],
)
def test_rows_that_cannot_be_read(row: dict[str, str], message: str) -> None:
    with pytest.raises(BoardError, match=message):
        list(pairs_csv(SightEngine(boards.drawn()), [row]))


# -- spine lines --------------------------------------------------------------- ---


@pytest.mark.parametrize(
    ("target", "spine"),
    [
        ((100, 0), Spine(2, 5, (4, 5))),
        ((-100, 0), Spine(5, 2, (1, 2))),
        ((56, 97), Spine(3, 0, (5, 0))),
        ((56, -97), Spine(1, 4, (3, 4))),
        ((-56, 97), Spine(4, 1, (0, 1))),
        ((-56, -97), Spine(0, 3, (2, 3))),
        ((0, 100), None),
        ((56, 90), None),
    ],
)
def test_directions_of_spine_lines(target: tuple[int, int], spine: Spine | None) -> None:
    assert spine_of((0, 0), target, 2) == spine


def test_longer_lines_must_be_closer_to_sixty_degrees() -> None:
    almost = (1000, 1757)  # 0.025 off
    assert spine_of((0, 0), almost, 4) is not None
    assert spine_of((0, 0), almost, 15) is not None
    assert spine_of((0, 0), almost, 16) is None
