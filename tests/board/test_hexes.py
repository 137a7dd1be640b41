"""Hex geometry against VASL's own numbers, and the array twins against the scalar code."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.board import boards
from tests.shared import BOARDS, LOS, needs_shared
from vassal_bridge.board.archive import open_board
from vassal_bridge.board.hexes import (
    HexGeometry,
    column_letters,
    column_number,
    hex_distance,
    in_polygon,
    neighbour,
)
from vassal_bridge.board.hexgrid import (
    NO_HEX,
    OutlineMasks,
    clip,
    hex_arrays,
    hex_grid,
    polygon_mask,
)

STANDARD = HexGeometry(56.25, 64.5, 0.0, 32.25, 33, 10, 1800, 645)
DELUXE = HexGeometry(168.7857142857, 194.2, 0.0, 97.1, 15, 5, 2363, 971)
HEX = st.sampled_from(list(STANDARD.hexes()))
ODD = replace(boards.geometry(6, 3), a1x=-11.3, a1y=9.7, hex_w=51.1, width=290, height=170)
"""A board whose hexes do not repeat, cut off on all sides."""


def test_a_geomorphic_board_has_346_hexes() -> None:
    assert len(list(STANDARD.hexes())) == 346
    assert STANDARD.aim((0, 0)) == (0, 32)
    assert STANDARD.aim((1, 0)) == (56, 0)
    assert STANDARD.aim((1, 10)) == (56, 644)
    assert STANDARD.aim((32, 9)) == (1799, 612)


@pytest.mark.parametrize(
    ("column", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (32, "GG"), (52, "AAA"), (-3, "-D")]
)
def test_column_letters(column: int, letters: str) -> None:
    assert column_letters(column) == letters
    assert column_number(letters) == column


@pytest.mark.parametrize("letters", ["", "-", "AB", "a", "1", "AAB"])
def test_letters_no_board_prints(letters: str) -> None:
    assert column_number(letters) is None


@given(HEX)
def test_a_name_finds_its_hex(hex_: tuple[int, int]) -> None:
    assert STANDARD.hex_named(STANDARD.name(hex_)) == hex_
    assert STANDARD.hex_of(STANDARD.index(hex_)) == hex_


@pytest.mark.parametrize("name", ["A0", "A11", "B11", "B-1", "HH1", "AB3", "A", "1", "A1x", ""])
def test_names_that_are_not_on_the_board(name: str) -> None:
    assert STANDARD.hex_named(name) is None


def test_alternate_grain_numbers_odd_columns_from_one() -> None:
    g = HexGeometry(56.25, 64.5, 0.0, 32.25, 33, 10, 1800, 645, alt_grain=True)
    assert g.name((1, 0)) == "B1"
    assert g.hex_named("B1") == (1, 0)


def test_boards_that_go_on_with_another_boards_numbers() -> None:
    down = HexGeometry(56.25, 64.5, 0.0, -612.75, 33, 10, 1800, 645).on_picture()
    assert (down.a1y, down.first_row) == (32.25, 10)
    assert down.name((0, 0)) == "A11"
    assert down.hex_named("A11") == (0, 0)
    assert STANDARD.on_picture() == STANDARD


@given(HEX, st.integers(0, 5))
def test_neighbours_lie_at_range_one_and_see_back(hex_: tuple[int, int], side: int) -> None:
    other = neighbour(hex_, side)
    assert hex_distance(hex_, other) == 1
    assert neighbour(other, (side + 3) % 6) == hex_


@given(HEX, HEX, HEX)
def test_range_is_a_distance(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> None:
    assert hex_distance(a, b) == hex_distance(b, a)
    assert (hex_distance(a, b) == 0) == (a == b)
    assert hex_distance(a, c) <= hex_distance(a, b) + hex_distance(b, c)


def test_edges_of_a_polygon() -> None:
    square = ((0, 0), (4, 0), (4, 4), (0, 4))
    inside = {(x, y) for x in range(-1, 6) for y in range(-1, 6) if in_polygon(x, y, square)}
    assert inside == {(x, y) for x in range(4) for y in range(4)}


@given(
    st.lists(st.tuples(st.integers(-9, 30), st.integers(-9, 30)), min_size=3, max_size=7),
    st.integers(-12, 33),
    st.integers(-12, 33),
)
def test_polygon_masks_agree_with_the_scalar_test(
    corners: list[tuple[int, int]], x: int, y: int
) -> None:
    mask = polygon_mask(tuple(corners), -12, -12, 34, 34)
    assert bool(mask[x + 12, y + 12]) == in_polygon(x, y, tuple(corners))


@pytest.mark.parametrize("geometry", [boards.geometry(), ODD, STANDARD, DELUXE])
def test_every_pixel_has_the_hex_the_scalar_code_gives_it(geometry: HexGeometry) -> None:
    grid = hex_grid(geometry)
    rng = random.Random(3)
    small = geometry.width < 500
    edge = range(geometry.height - 12, geometry.height)
    rows = range(geometry.height) if small else [*rng.sample(range(geometry.height), 9), *edge]
    for x in range(geometry.width):
        for y in rows:
            hex_ = geometry.hex_at(x, y)
            assert grid[x, y] == (NO_HEX if hex_ is None else geometry.index(hex_)), (x, y)


def test_deluxe_boards_have_notches_without_a_hex() -> None:
    assert (hex_grid(DELUXE) == NO_HEX).sum() == 217
    assert DELUXE.hex_at(57, 969) is None


@pytest.mark.parametrize("g", [boards.geometry(), ODD, replace(DELUXE, columns=5, rows=3)])
def test_hex_arrays_repeat_the_scalar_code(g: HexGeometry) -> None:
    arrays = hex_arrays(g)
    for hex_ in g.hexes():
        i = g.index(hex_)
        assert tuple(arrays.aim[i]) == g.aim(hex_)
        assert [tuple(p) for p in arrays.mid[i]] == list(g.midpoints(hex_))
        assert [tuple(p) for p in arrays.outline[i]] == list(g.outline(hex_))
        assert [tuple(p) for p in arrays.extended[i]] == list(g.extended_outline(hex_))
        assert arrays.on_map[i].tolist() == [g.side_on_map(hex_, side) for side in range(6)]
        beside = [neighbour(hex_, side) for side in range(6)]
        assert arrays.beside[i].tolist() == [g.index(h) if g.has(h) else -1 for h in beside]
        for other in g.hexes():
            assert arrays.ranges_from(i)[g.index(other)] == hex_distance(hex_, other)
    assert arrays.exists.sum() == len(list(g.hexes()))


def test_masks_are_cut_at_the_edges() -> None:
    left, top, mask = OutlineMasks().mask(STANDARD.outline((0, 0)))
    cut = clip(left, top, mask, (0, 0, 1800, 645))
    assert cut is not None
    assert cut[2].shape == (38, 65)
    assert clip(-50, 0, mask, (40, 0, 60, 60)) is None


@needs_shared
@pytest.mark.parametrize("board", ["z", "l", "03"])
def test_points_and_outlines_are_those_of_the_engine(board: str) -> None:
    facts = json.loads(gzip.decompress((LOS / f"{board}-hexes.json.gz").read_bytes()))
    g = open_board(BOARDS / f"bd{board}").geometry
    for hex_facts in facts["hexes"]:
        hex_ = (hex_facts["col"], hex_facts["row"])
        assert g.name(hex_) == hex_facts["name"]
        assert list(g.aim(hex_)) == hex_facts["center"]
        assert [list(p) for p in g.outline(hex_)] == hex_facts["border"]
        assert [list(p) for p in g.extended_outline(hex_)] == hex_facts["extended_border"]
        for side, side_facts in enumerate(hex_facts["hexsides"]):
            assert list(g.midpoints(hex_)[side]) == side_facts["edge_point"]
            assert g.side_on_map(hex_, side) == side_facts["on_map"]
            beside = neighbour(hex_, side)
            assert (list(beside) if g.has(beside) else None) == side_facts["adjacent"]
    assert int((hex_grid(g) == NO_HEX).sum()) == facts["pixels_without_hex"]
    assert np.array_equal(hex_arrays(g).aim[g.index((1, 1))], g.aim((1, 1)))
