"""Hex and hexside facts: rule by rule on boards of our own, and all of VASL's for the real ones."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

from tests.board import boards
from tests.shared import BOARDS, LOS, needs_shared
from vassal_bridge.board.archive import open_board
from vassal_bridge.board.facts import NO_WALL, HexFacts, derive_facts
from vassal_bridge.board.hexgrid import hex_arrays
from vassal_bridge.board.losterrain import TerrainTable, terrain_table
from vassal_bridge.errors import ModuleMapError

G = boards.geometry()
TABLE = terrain_table()
CODE = TABLE.code


def derive(terrain: np.ndarray, elevation: np.ndarray | None = None) -> HexFacts:
    level = np.zeros(terrain.shape, np.int8) if elevation is None else elevation
    stairway = np.zeros(40, bool)
    return derive_facts(hex_arrays(G), terrain, level, stairway, TABLE)


def empty() -> np.ndarray:
    return np.zeros((G.width, G.height), np.uint8)


C3 = (2, 2)
AT = G.index(C3)


def test_the_centre_pixel_gives_terrain_and_level() -> None:
    terrain, level = empty(), np.zeros((G.width, G.height), np.int8)
    x, y = G.aim(C3)
    terrain[x, y], level[x, y] = CODE("Woods"), 2
    facts = derive(terrain, level)
    assert facts.centre[AT] == CODE("Woods")
    assert facts.base[AT] == 2
    assert facts.centre.sum() == CODE("Woods")


def test_a_building_at_a_midpoint_makes_a_building_hex() -> None:
    terrain = empty()
    x, y = G.midpoints(C3)[4]
    terrain[x, y] = CODE("Stone Building, 1 Level")
    facts = derive(terrain)
    assert facts.centre[AT] == CODE("Stone Building, 1 Level")
    assert (facts.storeys[AT], bool(facts.stairway[AT])) == (1, True)


def test_plain_buildings_have_no_upper_level_and_tall_ones_no_stairway_of_their_own() -> None:
    terrain = empty()
    terrain[G.aim(C3)] = CODE("Wooden Building")
    terrain[G.aim((4, 1))] = CODE("Stone Building, 2 Level")
    facts = derive(terrain)
    assert facts.storeys[AT] == 0
    assert facts.storeys[G.index((4, 1))] == 2
    assert not facts.stairway.any()


def test_a_wall_at_one_midpoint_is_the_wall_of_both_hexes() -> None:
    terrain = empty()
    terrain[G.midpoints(C3)[1]] = CODE("Wall")
    facts = derive(terrain)
    other = int(hex_arrays(G).beside[AT, 1])
    assert facts.wall[AT, 1] == facts.wall[other, 4] == CODE("Wall")
    assert facts.side_terrain[other, 4] == CODE("Wall")
    assert (facts.wall != NO_WALL).sum() == 2
    assert not facts.cliff.any()


def test_the_hex_handled_first_wins_where_two_midpoints_disagree() -> None:
    terrain = empty()
    terrain[G.midpoints(C3)[1]] = CODE("Wall")
    other = (3, 2)
    terrain[G.midpoints(other)[4]] = CODE("Hedge")
    facts = derive(terrain)
    assert facts.wall[G.index(other), 4] == facts.wall[AT, 1]


def test_cliffs_are_flagged() -> None:
    terrain = empty()
    terrain[G.midpoints(C3)[0]] = CODE("Cliff")
    facts = derive(terrain)
    assert facts.cliff[AT].tolist() == [True, False, False, False, False, False]


def test_inherent_terrain_anywhere_near_the_centre_fills_the_hex() -> None:
    terrain = empty()
    x, y = G.aim(C3)
    terrain[x, y] = CODE("Dirt Road")
    terrain[x + 5, y + 5] = CODE("Orchard")
    assert derive(terrain).centre[AT] == CODE("Orchard")


def test_inherent_terrain_by_a_hexside_only_does_not() -> None:
    terrain = empty()
    x, y = G.midpoints(C3)[2]
    terrain[x, y] = CODE("Orchard")
    assert derive(terrain).centre[AT] == CODE("Open Ground")


def test_depressions_are_flagged() -> None:
    terrain = empty()
    terrain[G.aim(C3)] = CODE("Gully")
    assert derive(terrain).depression[AT]


def test_terrain_flags_come_from_the_module_map() -> None:
    woods, orchard, hedge = (TABLE.by_name[n] for n in ("Woods", "Orchard", "Hedge"))
    assert (woods.obstacle, woods.height, woods.inherent) == (True, 1, False)
    assert (orchard.inherent, orchard.split, orchard.lower_hindrance) == (True, 0.5, True)
    assert (hedge.hexside, hedge.half, hedge.height) == (True, True, 0)
    assert TABLE.by_name["Light Woods"].hindrance == 2
    assert TABLE.rows[255].name == "Open Ground"
    with pytest.raises(ModuleMapError, match="no terrain type 'Cheese'"):
        TABLE.code("Cheese")
    with pytest.raises(ModuleMapError, match="code 0"):
        TerrainTable([woods])


@needs_shared
@pytest.mark.parametrize(
    "board", sorted(p.name.split("-")[0] for p in LOS.glob("*-hexes.json.gz")) or ["none"]
)
def test_facts_of_real_boards_are_the_engines(board: str) -> None:
    archive = open_board(BOARDS / f"bd{board}")
    g = archive.geometry
    facts = derive_facts(hex_arrays(g), archive.terrain, archive.elevation, archive.stairway, TABLE)
    theirs = json.loads(gzip.decompress((LOS / f"{board}-hexes.json.gz").read_bytes()))
    for hex_ in theirs["hexes"]:
        i = g.index((hex_["col"], hex_["row"]))
        assert TABLE.rows[facts.centre[i]].name == hex_["center_terrain"], hex_["name"]
        assert facts.base[i] == hex_["base_height"]
        assert bool(facts.stairway[i]) == hex_["stairway"]
        upper = [place["level"] for place in hex_["locations"] if place["kind"] == "upper"]
        assert list(range(1, facts.storeys[i] + 1)) == upper
        for side, side_facts in enumerate(hex_["hexsides"]):
            wall = facts.wall[i, side]
            name = None if wall == NO_WALL else TABLE.rows[wall].name
            assert name == side_facts["hexside_terrain"]
            assert TABLE.rows[facts.side_terrain[i, side]].name == side_facts["location_terrain"]
            assert bool(facts.cliff[i, side]) == side_facts["cliff"]
