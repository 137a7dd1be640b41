"""The terrain map: what the rule book calls each terrain, and that no code is forgotten."""

from __future__ import annotations

import pytest

from vassal_bridge.board.losterrain import terrain_table
from vassal_bridge.board.terrain import UNKNOWN, read_terrain_map, terrain_map
from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes
from vassal_bridge.rout.position import Cover

CODES = sorted(terrain_table().by_code)


@pytest.mark.parametrize("code", CODES)
def test_every_code_of_the_shared_metadata_is_terrain_or_hexside(code: int) -> None:
    rules = terrain_map()
    terrain = terrain_table().by_code[code]
    name = rules.by_code[code]
    if terrain.hexside:
        assert code in rules.hexsides or name != UNKNOWN, terrain.name
    elif name == UNKNOWN:
        # Not a terrain of hexes, or none we know: verdicts that touch it are unknown.
        assert not rules.kinds[UNKNOWN].known
    else:
        assert name in rules.kinds


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (0, "open"),
        (1, "open"),
        (24, "grain"),
        (25, "brush"),
        (40, "building"),
        (52, "building"),
        (60, "woods"),
        (63, "orchard"),
        (64, "orchard"),
        (65, "road"),
        (66, "road"),
        (14, "marsh"),
        (15, "shellholes"),
        (26, "crags"),
    ],
)
def test_names(code: int, name: str) -> None:
    assert terrain_map().by_code[code] == name


@pytest.mark.parametrize(
    ("name", "mf", "road_mf"),
    [
        ("open", 1, None),
        ("road", 1, None),
        ("building", 2, None),
        ("woods", 2, None),
        ("woods-road", 2, 1),
        ("orchard", 1, None),
        ("orchard-road", 1, None),
        ("grain", 1.5, None),
        ("brush", 2, None),
    ],
)
def test_r19_terrain_costs(name: str, mf: float, road_mf: float | None) -> None:
    kind = terrain_map().kinds[name]
    assert kind.mf2 / 2 == mf
    assert (None if kind.road_mf2 is None else kind.road_mf2 / 2) == road_mf
    assert kind.known


@pytest.mark.parametrize("name", ["wall", "hedge"])
def test_r19_hexside_costs(name: str) -> None:
    (kind,) = (side for side in terrain_map().hexsides.values() if side.name == name)
    assert kind.mf2 == 2


def test_r26_shelter_is_building_and_woods_only() -> None:
    known = [kind for kind in terrain_map().kinds.values() if kind.known]
    assert {kind.name: kind.shelter for kind in known if kind.shelter} == {
        "building": "building",
        "woods": "woods",
        "woods-road": "woods",
    }


def test_r63_cover() -> None:
    cover = {kind.name: kind.cover for kind in terrain_map().kinds.values() if kind.known}
    assert cover == {
        "open": Cover.OPEN,
        "road": Cover.OPEN,
        "building": Cover.COVERED,
        "woods": Cover.COVERED,
        "woods-road": Cover.ROAD_IN_WOODS,
        "orchard": Cover.COVERED,
        "orchard-road": Cover.ROAD_IN_ORCHARD,
        "grain": Cover.COVERED,
        "brush": Cover.COVERED,
    }


@pytest.mark.parametrize(
    ("month", "grain", "orchard"),
    [
        (None, False, True),
        (3, False, False),
        (4, False, True),
        (5, False, True),
        (6, True, True),
        (9, True, True),
        (10, False, True),
        (11, False, False),
        (1, False, False),
    ],
)
def test_seasons(month: int | None, grain: bool, orchard: bool) -> None:
    assert terrain_map().grain_up(month) is grain
    assert terrain_map().orchard_in_leaf(month) is orchard


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"[terrain.open]", b"[terrain.nothing]\n[terrain.open", "TOMLDecodeError"),
        (b"codes = [24]", b"codes = [24, 25]", "code 25 is both"),
        (b'cover = "open"', b'cover = "maybe"', "maybe"),
        (b"building = 0.05", b"building = []", "TypeError"),
        (b"codes = [60]", b"codes = [600]", "IndexError"),
        (b"[season]", b"[seasons]", "KeyError"),
    ],
)
def test_a_broken_map_is_an_error_that_names_it(old: bytes, new: bytes, message: str) -> None:
    data = module_map_bytes("terrain.toml")
    assert old in data
    with pytest.raises(ModuleMapError, match=message) as caught:
        read_terrain_map(data.replace(old, new))
    assert caught.value.file == "terrain.toml"
