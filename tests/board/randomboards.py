"""Boards of random terrain, every code VASL knows among it, for twins to be compared on."""

from __future__ import annotations

import numpy as np

from tests.board import boards
from vassal_bridge.board.hexes import HexGeometry
from vassal_bridge.board.hexgrid import hex_grid
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.losterrain import terrain_table

WALLS = ("Wall", "Hedge", "Bocage", "Cliff", "Road Block", "Cactus Hedge", "Rowhouse Wall")


def random_map(seed: int, columns: int = 9, rows: int = 4) -> LosMap:
    """One board with hexes, patches, stipple, walls and hills by chance; odd seeds are reversed."""
    rng = np.random.default_rng(seed)
    g = boards.geometry(columns, rows)
    terrain, elevation = _terrain(rng, g), _hills(rng, g, flat=seed % 3 == 0)
    stairway = rng.random(columns * rows + columns // 2) < 0.5
    return build_los_map(
        [PlacedBoard("b", g, terrain, elevation, stairway, reversed=bool(seed % 2))]
    )


def _terrain(rng: np.random.Generator, g: HexGeometry) -> np.ndarray:
    codes = sorted(terrain_table().by_code)
    terrain = np.zeros((g.width, g.height), np.uint8)
    grid = hex_grid(g)
    hexes = [g.index(hex_) for hex_ in g.hexes()]
    for _ in range(10):
        terrain[grid == rng.choice(hexes)] = rng.choice(codes)
    for _ in range(20):
        x, y = int(rng.integers(0, g.width)), int(rng.integers(0, g.height))
        width, height = (int(v) for v in rng.integers(2, 50, 2))
        box = terrain[x : x + width, y : y + height]
        dots = rng.random(box.shape) < (0.5 if rng.random() < 0.4 else 1.0)
        box[dots] = rng.choice(codes)
    for _ in range(12):
        _wall(rng, g, terrain, hexes)
    return terrain


def _wall(rng: np.random.Generator, g: HexGeometry, terrain: np.ndarray, hexes: list[int]) -> None:
    side = int(rng.integers(0, 6))
    corners = g.corners(g.hex_of(int(rng.choice(hexes))))
    (ax, ay), (bx, by) = corners[side], corners[(side + 1) % 6]
    code = terrain_table().code(str(rng.choice(WALLS)))
    for part in np.linspace(0, 1, 80):
        x, y = int(ax + (bx - ax) * part), int(ay + (by - ay) * part)
        terrain[max(0, x - 2) : x + 3, max(0, y - 1) : y + 2] = code


def _hills(rng: np.random.Generator, g: HexGeometry, *, flat: bool) -> np.ndarray:
    elevation = np.zeros((g.width, g.height), np.int8)
    if flat:
        return elevation
    grid = hex_grid(g)
    hexes = [g.index(hex_) for hex_ in g.hexes()]
    for level in (1, 2):
        for _ in range(int(rng.integers(1, 7))):
            elevation[grid == rng.choice(hexes)] = level
    for _ in range(5):
        x, y = int(rng.integers(0, g.width - 40)), int(rng.integers(0, g.height - 40))
        width, height = (int(v) for v in rng.integers(5, 60, 2))
        elevation[x : x + width, y : y + height] = rng.integers(-1, 3)
    return elevation
