"""Joining, reversing, cropping and painting maps."""

from __future__ import annotations

import csv
import gzip
import json
import random
from dataclasses import replace

import numpy as np
import pytest

from tests.board import boards
from tests.shared import BOARDS, LOS, needs_shared
from vassal_bridge.board import losjoin
from vassal_bridge.board.archive import open_board
from vassal_bridge.board.facts import NO_WALL
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.losterrain import terrain_table
from vassal_bridge.errors import BoardError, LimitReached

CODE = terrain_table().code


def test_one_board_keeps_its_names() -> None:
    losmap = boards.drawn({"C3": "Woods"}, {"E2": 1})
    assert losmap.names[:5] == ("bA1", "bA2", "bA3", "bA4", "bB0")
    assert len(losmap.names) == 9 * 4 + 4
    assert losmap.facts.centre[losmap.index("bC3")] == CODE("Woods")
    assert losmap.facts.base[losmap.index("bE2")] == 1
    assert losmap.hex_at(*losmap.aim("bC3")) == "bC3"
    assert losmap.hex_at(-1, 5) is None
    assert losmap.neighbour("bC3", 0) == "bC2"
    assert losmap.neighbour("bA1", 0) is None
    assert losmap.range("bA1", "bI4") == 8
    assert "bC3" in losmap
    assert "bC9" not in losmap
    with pytest.raises(BoardError, match="no hex bC9"):
        losmap.index("bC9")


def test_reversing_turns_pixels_and_keeps_printed_names() -> None:
    plain = boards.drawn({"C3": "Woods"}, {"A1": 1})
    turned = boards.drawn({"C3": "Woods"}, {"A1": 1}, reversed=True)
    assert np.array_equal(plain.terrain, turned.terrain[::-1, ::-1])
    assert turned.geometry == plain.geometry
    assert turned.geometry.hex_of(turned.index("bA1")) == (8, 3)
    assert turned.facts.centre[turned.index("bC3")] == CODE("Woods")
    assert turned.facts.base[turned.index("bA1")] == 1
    assert turned.neighbour("bC3", 3) == "bC2"


def test_reversing_turns_hexsides() -> None:
    g = boards.geometry()
    terrain = np.zeros((g.width, g.height), np.uint8)
    terrain[g.midpoints((2, 2))[1]] = CODE("Wall")
    board = PlacedBoard("b", g, terrain, terrain.view(np.int8) * 0, np.zeros(40, bool))
    for turn, side in ((False, 1), (True, 4)):
        losmap = build_los_map(
            [PlacedBoard("b", g, board.terrain, board.elevation, board.stairway, reversed=turn)]
        )
        walls = np.flatnonzero(losmap.facts.wall[losmap.index("bC3")] != NO_WALL)
        assert walls.tolist() == [side]


def two(**second: object) -> LosMap:
    return build_los_map(
        [boards.placed({"C4": "Woods"}, name="a"), boards.placed(name="b", **second)]
    )


def test_boards_side_by_side_share_a_column() -> None:
    losmap = two(column=1)
    assert (losmap.geometry.columns, losmap.geometry.rows) == (17, 4)
    assert losmap.name(losmap.geometry.index((8, 0))) == "bA1"
    assert losmap.index("aI1") == losmap.index("bA1")
    assert "aI1" not in losmap.names
    assert losmap.range("aH2", "bB2") == 2
    assert losmap.boards == ("a", "b")


def test_boards_one_below_the_other_share_half_hexes() -> None:
    losmap = two(row=1, hexes={"B0": "Grain"})
    assert losmap.index("aB4") == losmap.index("bB0")
    assert losmap.facts.centre[losmap.index("aB4")] == CODE("Grain")
    assert losmap.neighbour("aC4", 3) == "bC1"
    assert losmap.facts.centre[losmap.index("aC4")] == CODE("Woods")


def test_order_of_insertion_is_column_by_column() -> None:
    cells = [(1, 0), (0, 1), (0, 0), (1, 1)]
    losmap = build_los_map(
        boards.placed(name=f"{column}{row}", column=column, row=row) for column, row in cells
    )
    assert losmap.boards == ("00", "01", "10", "11")


def test_a_board_off_the_lattice_is_left_out() -> None:
    losmap = build_los_map(
        [
            boards.placed(name="a", crop=(0, 0, 422, 258)),
            boards.placed(name="spacer", column=1),
        ]
    )
    assert losmap.boards == ("a",)
    assert losmap.misfits == ("spacer",)
    assert "spacerA1" not in losmap


def test_a_board_may_be_told_its_place() -> None:
    losmap = build_los_map(
        [boards.placed(name="a", at=(0, 0)), boards.placed(name="b", column=1, at=(450, 258))]
    )
    assert losmap.range("aI4", "bA1") == 1


def test_no_board_wrong_grids_and_wrong_crops_are_errors() -> None:
    with pytest.raises(BoardError, match="at least one"):
        build_los_map([])
    with pytest.raises(BoardError, match=r"crop .* outside"):
        build_los_map([boards.placed(crop=(0, 0, 5000, -1))])
    g = boards.geometry()
    grid = np.zeros((5, 5), np.uint8)
    with pytest.raises(BoardError, match="another size"):
        build_los_map([PlacedBoard("b", g, grid, grid.view(np.int8), np.zeros(40, bool))])


def test_limits_of_joined_maps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losjoin, "MAX_LOSDATA_PIXELS", 450 * 258)
    with pytest.raises(LimitReached, match="boards of 232200 pixels"):
        two(column=1)
    monkeypatch.setattr(losjoin, "MAX_LOSDATA_PIXELS", 2 * 450 * 258)
    with pytest.raises(LimitReached, match="900 x 516 pixels"):
        two(at=(450, 258))
    monkeypatch.setattr(losjoin, "MAX_LOSDATA_PIXELS", 10**9)
    monkeypatch.setattr(losjoin, "MAX_BOARD_HEXES", 17 * 5 - 1)
    with pytest.raises(LimitReached, match="17 x 4 hexes"):
        two(column=1)


# -- crops --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("crop", "names"),
    [
        ((0, 0, 197, -1), {"bA1", "bD0", "bD4"}),  # three columns and a half: A to D
        ((253, 0, -1, -1), {"bF0", "bI4"}),  # from between E and F
        ((281, 0, -1, -1), {"bF0", "bI4"}),  # from the middle of F
        ((0, 129, -1, -1), {"bA3", "bB2", "bB4"}),  # from the middle of B2
        ((0, 0, -1, 129), {"bA2", "bB2"}),
    ],
)
def test_crops_keep_the_hexes_whose_centre_is_left(
    crop: tuple[int, int, int, int], names: set[str]
) -> None:
    losmap = boards.drawn(crop=crop)
    x, y, w, h = crop
    full = boards.drawn()
    expected = set()
    for name in full.names:
        cx, cy = full.geometry.centre(full.geometry.hex_of(full.index(name)))
        right, bottom = x + w if w > 0 else 450, y + h if h > 0 else 258
        if x - 1 <= cx <= right + 1 and y - 1 <= cy <= bottom + 1:
            expected.add(name)
    assert set(losmap.names) == expected
    assert names <= expected


def test_cropped_pixels_belong_to_the_same_hexes() -> None:
    full, crop = boards.drawn(), (100, 40, 270, 170)
    losmap = boards.drawn(crop=crop)
    rng = random.Random(1)
    for _ in range(3000):
        x, y = rng.randrange(270), rng.randrange(170)
        there = full.hex_at(x + 100, y + 40)
        here = losmap.hex_at(x, y)
        assert here in (there, None)
        if there in losmap:
            assert here == there


def test_a_cropped_board_fits_beside_another() -> None:
    left = boards.placed({"H2": "Woods"}, name="a", crop=(0, 0, 394, -1))  # A to G and half of H
    right = boards.placed(name="b", column=1, crop=(394, 0, -1, -1))
    losmap = build_los_map([left, right])
    assert losmap.misfits == ()
    assert losmap.index("aH2") == losmap.index("bH2")
    assert losmap.range("aG2", "bI2") == 2


def test_reversed_after_cropping_as_in_the_boards_line() -> None:
    losmap = boards.drawn({"I4": "Woods"}, crop=(253, 0, -1, -1), reversed=True)
    assert losmap.terrain.shape == (197, 258)
    assert losmap.terrain[0, 0] == CODE("Woods")
    assert (
        losmap.geometry.hex_of(losmap.index("bI1"))[0]
        < losmap.geometry.hex_of(losmap.index("bG1"))[0]
    )
    assert losmap.facts.centre[losmap.index("bI4")] == CODE("Woods")


# -- painting ------------------------------------------------------------------------------------


def test_painting_fills_the_hex_and_nothing_else() -> None:
    bare = boards.drawn({}, {"D2": 1})
    losmap = bare.painted({"bD2": CODE("Woods")})
    inside = losmap.hex_grid == losmap.index("bD2")
    assert (losmap.terrain[inside] == CODE("Woods")).all()
    assert not losmap.terrain[~inside].any()
    assert np.array_equal(losmap.elevation, bare.elevation)
    assert losmap.facts.centre[losmap.index("bD2")] == CODE("Woods")
    assert losmap.facts.base[losmap.index("bD2")] == 1
    assert not bare.terrain.any()
    assert bare.painted({}) is bare


def test_painting_half_hexes_at_a_seam_fills_both_halves() -> None:
    losmap = two(column=1).painted({"bA2": CODE("Brush")})
    pixels = losmap.hex_grid == losmap.index("aI2")
    assert (losmap.terrain[pixels] == CODE("Brush")).all()
    assert pixels.sum() > 3000


def test_painting_a_wall_and_beside_a_wall() -> None:
    bare = boards.drawn()
    walled = bare.painted({"bD2": CODE("Hedge")})
    assert (walled.facts.wall[walled.index("bD2")] == CODE("Hedge")).all()
    beside = walled.neighbour("bD2", 1)
    assert beside is not None
    assert walled.facts.wall[walled.index(beside), 4] == CODE("Hedge")
    # The neighbour's own hexside art stays when the hex is painted over.
    again = walled.painted({beside: CODE("Woods")})
    assert again.facts.wall[again.index("bD2"), 1] == CODE("Hedge")
    gone = walled.painted({"bD2": CODE("Woods")})
    assert (gone.facts.wall[gone.index("bD2")] == NO_WALL).all()


# -- joined maps of the engine ---------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("name", ["kR_beside_l", "wR_over_v", "z_beside_yR", "z_alone_reversed"])
def test_joined_grids_are_the_engines(name: str) -> None:
    folder = LOS / "joined" / name
    told = json.loads((folder / "arrangement.json").read_text())
    losmap = build_los_map(
        PlacedBoard.of(
            open_board(BOARDS / board["board"]),
            name=board["prefix"] + ":",
            reversed_=board["reversed"],
            column=board["slot_col"],
            row=board["slot_row"],
        )
        for board in told["boards"]
    )
    assert [losmap.geometry.columns, losmap.geometry.rows] == told["map_hexes"]
    assert list(losmap.terrain.shape) == told["map_pixels"]
    with gzip.open(folder / "los.csv.gz", "rt") as stream:
        for number, row in enumerate(csv.DictReader(stream)):
            place = (int(row["scol"]), int(row["srow"]))
            assert losmap.name(losmap.geometry.index(place)) == row["source"]
            if number == 2000:
                break


@needs_shared
def test_scenario_grids_replace_the_archives() -> None:
    archive = open_board(BOARDS / "bdy")
    grain = CODE("Grain")
    terrain = np.where(archive.terrain == grain, 0, archive.terrain).astype(np.uint8)
    losmap = build_los_map([PlacedBoard.of(archive, terrain=terrain)])
    assert not (losmap.terrain == grain).any()
    assert (archive.terrain == grain).any()


def test_hexes_whose_centre_is_off_the_picture_are_not_on_the_map() -> None:
    g = replace(boards.geometry(), a1y=200.0)
    grid = np.zeros((g.width, g.height), np.uint8)
    board = PlacedBoard("b", g, grid, grid.view(np.int8), np.zeros(40, bool))
    losmap = build_los_map([board])
    assert losmap.names[:2] == ("bA1", "bB0")
    assert all(losmap.hex_at(*losmap.aim(name)) == name for name in losmap.names)
