"""The built-in board: exact straight lines against filled hexagons (contracts.md 2)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.board import boardmaker as make
from vassal_bridge.board import (
    BoardGround,
    BoardLibrary,
    Obstacle,
    build_ground,
    placements_from_rows,
)
from vassal_bridge.board.openboard import CORNERS, Place, crosses, entered_sides, place_distance
from vassal_bridge.errors import BoardError
from vassal_bridge.rout.position import Cover, Ground

NOWHERE = BoardLibrary([])
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def open_ground(
    *painted: tuple[str, str],
    month: int | None = 7,
    buildings: list[list[str]] | None = None,
) -> BoardGround:
    return build_ground(
        placements_from_rows([["open"]]),
        NOWHERE,
        month=month,
        painted=painted,
        buildings=buildings or [],
    )


def places(reach: int = 12) -> st.SearchStrategy[Place]:
    return st.tuples(st.integers(-reach, reach), st.integers(-reach, reach)).map(
        lambda at: (at[0], 2 * at[1] + at[0] % 2)
    )


# -- geometry, against a second way of doing it ------------------------------------------------


def inside(x: Fraction, y: Fraction) -> bool:
    """Whether a point is in the closed hexagon around the origin."""
    return all(
        (qx - px) * (y - py) - (qy - py) * (x - px) >= 0
        for (px, py), (qx, qy) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True)
    )


def crosses_slowly(a: Place, b: Place, hex_: Place) -> bool:
    """Cut the segment at every side's line; some piece must have its middle in the hexagon."""
    ax, ay = Fraction(3 * (a[0] - hex_[0])), Fraction(a[1] - hex_[1])
    bx, by = Fraction(3 * (b[0] - hex_[0])), Fraction(b[1] - hex_[1])
    cuts = {Fraction(0), Fraction(1)}
    for (px, py), (qx, qy) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
        at_a = (qx - px) * (ay - py) - (qy - py) * (ax - px)
        at_b = (qx - px) * (by - py) - (qy - py) * (bx - px)
        if at_a != at_b:
            cuts.add(min(max(at_a / (at_a - at_b), Fraction(0)), Fraction(1)))
    ends = sorted(cuts)
    return any(
        inside(ax + (bx - ax) * (s + t) / 2, ay + (by - ay) * (s + t) / 2)
        for s, t in pairwise(ends)
        if s != t
    )


@settings(max_examples=600, deadline=None)
@given(places(), places(), places(8))
def test_crosses_agrees_with_cutting_the_line(a: Place, b: Place, hex_: Place) -> None:
    assume(a != b)
    assert crosses(a, b, hex_) == crosses_slowly(a, b, hex_)


@given(places(), places(), places(8))
def test_crosses_is_the_same_both_ways(a: Place, b: Place, hex_: Place) -> None:
    assert crosses(a, b, hex_) == crosses(b, a, hex_)


def test_a_line_along_a_side_touches_both_hexes_a_corner_alone_none() -> None:
    # From (0,0) to (2,0) the line runs along the side between (1,1) and (1,-1).
    assert crosses((0, 0), (2, 0), (1, 1))
    assert crosses((0, 0), (2, 0), (1, -1))
    # From (0,0) to (3,3), straight through three hexes in a row, it only passes others.
    assert crosses((0, 0), (3, 3), (1, 1))
    assert not crosses((0, 0), (3, 3), (2, 0))
    assert not crosses((0, 0), (0, 8), (1, 3))


@pytest.mark.parametrize("side", range(6))
def test_a_neighbour_comes_in_by_the_side_between(side: int) -> None:
    assert entered_sides(STEPS[side], (0, 0)) == (side,)
    far = (STEPS[side][0] * 4, STEPS[side][1] * 4)
    assert entered_sides(far, (0, 0)) == (side,)
    after = STEPS[(side + 1) % 6]
    spine = (STEPS[side][0] + after[0], STEPS[side][1] + after[1])
    assert sorted(entered_sides(spine, (0, 0))) == sorted((side, (side + 1) % 6))


@given(places(), places())
def test_a_line_enters_by_one_side_or_two_next_to_each_other(a: Place, b: Place) -> None:
    sides = entered_sides(a, b)
    if a == b:
        assert sides == ()
    else:
        assert len(sides) in (1, 2)
        assert len(sides) == 1 or (sides[1] - sides[0]) % 6 in (1, 5)
        for side in sides:
            step = STEPS[side]
            assert place_distance((b[0] + step[0], b[1] + step[1]), a) <= place_distance(a, b)


# -- the board ------------------------------------------------------------------------------------


def test_the_open_board_is_a_ground() -> None:
    ground: Ground = open_ground()
    assert len(ground.hexes()) == 17 * 10 + 16 * 11
    assert {ground.terrain(at).name for at in ground.hexes()} == {"open"}
    assert ground.entry("openF5", "openF6").mf2 == 2
    assert ground.sight("openA1", "openGG10").clear
    assert ground.neighbours("openA1") == (None, "openB0", "openB1", "openA2", None, None)


def test_the_board_may_be_left_out_of_a_name() -> None:
    assert open_ground().canonical_hex("F5") == "openF5"
    with pytest.raises(BoardError, match=r"no hex 'F11' on this map \(board open\)"):
        open_ground().canonical_hex("F11")


@pytest.mark.parametrize(
    ("word", "mf2", "shelter", "cover"),
    [
        ("woods", 4, "woods", Cover.COVERED),
        ("building", 4, "building", Cover.COVERED),
        ("brush", 4, None, Cover.COVERED),
        ("grain", 3, None, Cover.COVERED),
        ("orchard", 2, None, Cover.COVERED),
        ("road", 2, None, Cover.OPEN),
        ("open", 2, None, Cover.OPEN),
    ],
)
def test_painted_terrain(word: str, mf2: int, shelter: str | None, cover: Cover) -> None:
    ground = open_ground((word, "F5"))
    here = ground.terrain("openF5")
    assert (here.name, here.shelter, here.cover) == (word, shelter, cover)
    assert here.understood
    assert ground.entry("openF4", "openF5").mf2 == mf2
    assert not ground.entry("openF4", "openF5").by_road


@pytest.mark.parametrize(
    ("word", "clear", "hindrance"),
    [
        ("woods", False, 0),
        ("building", False, 0),
        ("brush", True, 1),
        ("grain", True, 1),
        ("orchard", True, 1),
        ("smoke", True, 3),
        ("wreck", True, 1),
        ("road", True, 0),
        ("open", True, 0),
    ],
)
def test_painted_hexes_in_the_way(word: str, clear: bool, hindrance: int) -> None:
    found = open_ground((word, "F5")).sight("openF2", "openF8")
    assert (found.clear, found.hindrance) == (clear, hindrance)
    beside = open_ground((word, "G5")).sight("openF2", "openF8")
    assert (beside.clear, beside.hindrance) == (True, 0)


@pytest.mark.parametrize("word", ["woods", "building", "grain", "smoke"])
def test_r79_the_ends_are_left_out(word: str) -> None:
    found = open_ground((word, "F2"), (word, "F8")).sight("openF2", "openF8")
    assert (found.clear, found.hindrance) == (True, 0)


def test_hindrances_of_six_block() -> None:
    five = [("grain", f"F{row}") for row in (3, 4, 5, 6, 7)]
    found = open_ground(*five).sight("openF1", "openF9")
    assert (found.clear, found.hindrance) == (True, 5)
    six = open_ground(*five, ("brush", "F8")).sight("openF1", "openF9")
    assert (six.clear, six.hindrance, six.block_reason) == (False, 6, "hindrances of 6")
    assert open_ground(("smoke", "F3"), ("smoke", "F5")).sight("openF1", "openF9").clear is False


def test_two_hexes_beside_a_line_along_their_side_count_once() -> None:
    # B3 to D3 runs along the side between C3 and C4.
    both = open_ground(("grain", "C3"), ("grain", "C4")).sight("openB3", "openD3")
    assert (both.clear, both.hindrance) == (True, 1)
    assert not open_ground(("woods", "C3")).sight("openB3", "openD3").clear
    assert not open_ground(("woods", "C4")).sight("openB3", "openD3").clear


def test_smoke_adds_to_terrain_a_wreck_does_not() -> None:
    mixed = open_ground(("grain", "F5"), ("smoke", "F5"), ("wreck", "F5"))
    assert mixed.sight("openF2", "openF8").hindrance == 4
    here = mixed.terrain("openF5")
    assert (here.name, here.smoke, here.wreck) == ("grain", 3, True)


def test_later_lines_win() -> None:
    ground = open_ground(("woods", "F5"), ("brush", "F5"), ("woods", "G5"), ("open", "G5"))
    assert ground.terrain("openF5").name == "brush"
    assert ground.terrain("openG5").name == "open"
    assert ground.sight("openG2", "openG8").clear


def test_painted_grain_follows_the_month() -> None:
    for month, name in ((6, "grain"), (10, "open"), (None, "open")):
        ground = open_ground(("grain", "F5"), month=month)
        assert ground.terrain("openF5").name == name
        assert ground.sight("openF2", "openF8").hindrance == (1 if name == "grain" else 0)


def test_each_painted_building_is_its_own_unless_grouped() -> None:
    ground = open_ground(
        ("building", "F5"), ("building", "F6"), ("building", "H8"), buildings=[["F5", "G6"], ["A1"]]
    )
    number = {at: ground.terrain(f"open{at}").building for at in ("F5", "F6", "G6", "H8", "A1")}
    assert number["F5"] == number["G6"] is not None
    assert len({number["F5"], number["F6"], number["H8"], number["A1"]}) == 4
    assert ground.terrain("openG6").name == ground.terrain("openA1").name == "building"
    assert ground.terrain("openG5").building is None


def test_what_cannot_be_painted() -> None:
    with pytest.raises(BoardError, match="openF5: hexes cannot be painted 'lava'"):
        open_ground(("lava", "F5"))
    with pytest.raises(BoardError, match="no hex 'Z77'"):
        open_ground(("woods", "Z77"))
    with pytest.raises(BoardError, match="no hex 'Z77'"):
        open_ground(buildings=[["Z77"]])


def test_counters_on_the_open_board() -> None:
    ground = open_ground(("woods", "C3"))
    smoky = ground.with_obstacles({"openF5": (Obstacle.smoke(2),), "F6": (Obstacle.vehicle(),)})
    assert smoky.sight("openF2", "openF8").hindrance == 3
    assert smoky.entry("openF4", "openF5").mf2 == 4
    assert smoky.terrain("openF6").wreck
    assert not smoky.sight("openC1", "openC6").clear
    assert ground.sight("openF2", "openF8").hindrance == 0


def test_open_boards_can_be_joined_with_each_other_only(tmp_path: Path) -> None:
    two = build_ground(placements_from_rows([["open"], ["open reversed"]]), NOWHERE)
    assert two.distance("openB1", "open~2FF9") == 10
    assert two.sight("openA1", "open~2A1").clear
    make.write_board(tmp_path, "q", make.blank())
    with pytest.raises(BoardError, match="cannot be joined"):
        build_ground(placements_from_rows([["open", "q"]]), BoardLibrary([tmp_path]))


def test_a_board_file_called_open_is_a_real_board(tmp_path: Path) -> None:
    terrain = make.blank()
    make.fill(terrain, "F5", code=make.WOODS)
    make.write_board(tmp_path, "open", terrain)
    ground = build_ground(placements_from_rows([["open"]]), BoardLibrary([tmp_path]))
    assert ground.terrain("openF5").name == "woods"
