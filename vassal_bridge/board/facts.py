"""What the engine takes each hex and hexside of one board to be (los/algorithm.md 7).

Derived from the pixels of a single board, before any joining or reversing. The arrays are moved
into a joined map by `losjoin`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import BoolArray, HexArrays
from vassal_bridge.board.losterrain import OPEN_GROUND, TerrainTable

NO_WALL = -1
"""Entry of `HexFacts.wall` for a hexside without hexside terrain."""

TerrainGrid = npt.NDArray[np.uint8]
LevelGrid = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class HexFacts:
    """Per-hex facts, indexed as `HexGeometry.index`.

    `centre` terrain code, `base` level of the hex, `storeys` upper building levels (0 if none),
    `stairway`, `side_terrain` [N, 6] code at the hexside's midpoint, `wall` [N, 6] code of the
    hexside terrain or `NO_WALL`, `cliff` [N, 6], `on_map` [N, 6] the engine's flags, `depression`.
    """

    centre: npt.NDArray[np.uint8]
    base: npt.NDArray[np.int8]
    storeys: npt.NDArray[np.uint8]
    stairway: BoolArray
    side_terrain: npt.NDArray[np.uint8]
    wall: npt.NDArray[np.int16]
    cliff: BoolArray
    on_map: BoolArray
    depression: BoolArray


def blank_facts(count: int, on_map: BoolArray) -> HexFacts:
    """Facts of `count` hexes of level 0 Open Ground; the arrays are writable."""
    return HexFacts(
        centre=np.full(count, OPEN_GROUND, np.uint8),
        base=np.zeros(count, np.int8),
        storeys=np.zeros(count, np.uint8),
        stairway=np.zeros(count, bool),
        side_terrain=np.full((count, 6), OPEN_GROUND, np.uint8),
        wall=np.full((count, 6), NO_WALL, np.int16),
        cliff=np.zeros((count, 6), bool),
        on_map=on_map.copy(),
        depression=np.zeros(count, bool),
    )


def derive_facts(
    arrays: HexArrays,
    terrain: TerrainGrid,
    elevation: LevelGrid,
    stairway: BoolArray,
    table: TerrainTable,
) -> HexFacts:
    """Facts of all hexes of one board.

    Args:
        arrays: the board's hexes.
        terrain: codes ``[x, y]``.
        elevation: levels ``[x, y]``.
        stairway: LOSData's flags, one per hex in column order.
        table: what the codes mean.
    """
    facts = blank_facts(len(arrays.exists), arrays.on_map)
    there = np.flatnonzero(arrays.exists)
    facts.stairway[there] = stairway[: there.size]
    aim_x, aim_y = _on_picture(arrays.aim, terrain.shape)
    facts.centre[there] = terrain[aim_x, aim_y][there]
    facts.base[there] = elevation[aim_x, aim_y][there]
    mid_x, mid_y = _on_picture(arrays.mid, terrain.shape)
    at_mid = terrain[mid_x, mid_y]
    visible = _visible(arrays.mid, terrain.shape) & arrays.exists[:, None]
    _house_at_midpoints(facts, at_mid, visible, table)
    _upper_levels(facts, table)
    _side_terrain(facts, arrays, at_mid, visible, table)
    _inherent_centres(facts, arrays, terrain, table)
    _agree_on_walls(facts, arrays, at_mid, visible, table)
    facts.depression[:] = np.array([row.depression for row in table.rows])[facts.centre]
    return facts


def _on_picture(
    points: npt.NDArray[np.int32], shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    return (
        np.clip(points[..., 0], 0, shape[0] - 1),
        np.clip(points[..., 1], 0, shape[1] - 1),
    )


def _visible(points: npt.NDArray[np.int32], shape: tuple[int, ...]) -> BoolArray:
    x, y = points[..., 0], points[..., 1]
    return (x >= 0) & (x < shape[0]) & (y >= 0) & (y < shape[1])


def _house_at_midpoints(
    facts: HexFacts, at_mid: TerrainGrid, visible: BoolArray, table: TerrainTable
) -> None:
    """Step 1: without a building at the centre, the first building at a midpoint is the centre."""
    houses = table.is_building[at_mid] & visible
    rows = np.flatnonzero(~table.is_building[facts.centre] & houses.any(axis=1))
    facts.centre[rows] = at_mid[rows, houses[rows].argmax(axis=1)]


def _upper_levels(facts: HexFacts, table: TerrainTable) -> None:
    """Step 2: upper locations and the stairway every two-storey house has."""
    facts.storeys[:] = np.array([row.storeys for row in table.rows], np.uint8)[facts.centre]
    facts.stairway[:] |= np.array([row.always_stairway for row in table.rows])[facts.centre]


def _side_terrain(
    facts: HexFacts,
    arrays: HexArrays,
    at_mid: TerrainGrid,
    visible: BoolArray,
    table: TerrainTable,
) -> None:
    """Step 3: terrain of each hexside's own midpoint, or the neighbour's if only that is a wall."""
    own = np.where(visible, at_mid, OPEN_GROUND).astype(np.uint8)
    opposite = (np.arange(6) + 3) % 6
    across = np.where(
        arrays.beside >= 0, own[arrays.beside.clip(0), opposite[None, :]], OPEN_GROUND
    )
    theirs = ~table.is_hexside[own] & table.is_hexside[across]
    result = np.where(theirs, across, own)
    facts.side_terrain[:] = np.where(arrays.on_map, result, OPEN_GROUND)
    is_wall = table.is_hexside[facts.side_terrain] & arrays.on_map
    facts.wall[:] = np.where(is_wall, facts.side_terrain.astype(np.int16), np.int16(NO_WALL))
    facts.cliff[:] = is_wall & _cliffs(table)[facts.side_terrain]


def _cliffs(table: TerrainTable) -> BoolArray:
    return np.array([row.cliff for row in table.rows])


def _inherent_centres(
    facts: HexFacts, arrays: HexArrays, terrain: TerrainGrid, table: TerrainTable
) -> None:
    """Step 5: inherent terrain nearest to the centre anywhere in the hex fills the hex."""
    inherent = table.is_inherent[terrain]
    if not inherent.any():
        return
    corner = arrays.outline.min(axis=1).clip(0)
    beyond = arrays.outline.max(axis=1).clip(0)
    # Hexes repeat: whether a pixel of the box is nearest to the centre is worked out per shape.
    shape = np.concatenate(
        [
            beyond - corner,
            arrays.aim - corner,
            (arrays.mid - corner[:, None]).reshape(-1, 12),
            arrays.on_map,
        ],
        axis=1,
    ).astype(np.int32)
    nearest: dict[bytes, BoolArray] = {}
    boxes = np.concatenate([corner, beyond], axis=1).tolist()
    for index in np.flatnonzero(arrays.exists).tolist():
        x0, y0, x1, y1 = boxes[index]
        box = inherent[x0:x1, y0:y1]
        if not box.any():
            continue
        key = shape[index].tobytes()
        if key not in nearest:
            nearest[key] = _nearest_to_centre(shape[index])
        at = (box & nearest[key][: box.shape[0], : box.shape[1]]).argmax()
        x, y = divmod(int(at), box.shape[1])
        if box[x, y] and nearest[key][x, y]:
            facts.centre[index] = terrain[x0 + x, y0 + y]


def _nearest_to_centre(shape: npt.NDArray[np.int32]) -> BoolArray:
    """Pixels of a hex's box that are no nearer to a side on the map than to the centre.

    Args:
        shape: width and height of the box, aiming point and midpoints in it, flags of the sides.
    """
    width, height, ax, ay = shape[:4].tolist()
    xs, ys = np.arange(width)[:, None], np.arange(height)[None, :]
    to_centre = (xs - ax) ** 2 + (ys - ay) ** 2
    nearest = np.ones(to_centre.shape, bool)
    for (x, y), on_map in zip(shape[4:16].reshape(6, 2).tolist(), shape[16:].tolist(), strict=True):
        if on_map:
            nearest &= to_centre <= (xs - x) ** 2 + (ys - y) ** 2
    return nearest


def _agree_on_walls(
    facts: HexFacts,
    arrays: HexArrays,
    at_mid: TerrainGrid,
    visible: BoolArray,
    table: TerrainTable,
) -> None:
    """Step 6: own midpoint once more, then the neighbour's wall; the hex handled first wins."""
    at_wall = table.is_hexside[at_mid] & visible & arrays.on_map
    own = np.where(at_wall, at_mid.astype(np.int16), np.int16(NO_WALL))
    beside = arrays.beside
    walled = (facts.wall != NO_WALL) | (own != NO_WALL)
    touched = walled.any(axis=1) | (walled.any(axis=1)[beside.clip(0)] & (beside >= 0)).any(axis=1)
    cliffs = _cliffs(table)
    for index in np.flatnonzero(touched & arrays.exists):
        for side in range(6):
            if not arrays.on_map[index, side]:
                continue
            code = int(own[index, side])
            other = int(beside[index, side])
            if other >= 0:
                theirs = int(facts.wall[other, (side + 3) % 6])
                code = theirs if theirs != NO_WALL else code
            if code != NO_WALL:
                facts.wall[index, side] = code
                facts.side_terrain[index, side] = code
                facts.cliff[index, side] = cliffs[code]
