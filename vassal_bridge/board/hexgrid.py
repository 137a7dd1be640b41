"""The geometry of `hexes` as arrays: points of all hexes at once, and the hex of every pixel.

Same answers as `HexGeometry`, pixel for pixel (a test holds it); here for speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexes import HexGeometry, Point, neighbour

NO_HEX = 65535
"""Entry of a hex grid for a pixel that belongs to no hex."""

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
HexGrid = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class HexArrays:
    """Per-hex arrays of a geometry, indexed by `HexGeometry.index` (N = columns * stride).

    `exists` [N]: the even columns' last index is a gap. `aim` [N, 2] and `mid` [N, 6, 2] in pixels,
    `on_map` [N, 6], `beside` [N, 6] the neighbour's index or -1, `column` and `row` [N], `height`
    [N] the row in half hexes, from which ranges follow.
    """

    exists: BoolArray
    aim: IntArray
    mid: IntArray
    on_map: BoolArray
    beside: IntArray
    column: IntArray
    row: IntArray
    height: IntArray

    def ranges_from(self, index: int) -> IntArray:
        """Range in hexes from one hex to all."""
        across = np.abs(self.column - self.column[index])
        down = np.abs(self.height - self.height[index])
        ranges: IntArray = across + np.maximum(0, (down - across) // 2)
        return ranges


@lru_cache(maxsize=16)
def hex_arrays(geometry: HexGeometry) -> HexArrays:
    """Compute the points, flags and neighbours of all hexes; the arrays are read-only."""
    count = geometry.columns * geometry.stride
    exists = np.zeros(count, bool)
    aim = np.full((count, 2), -(10**6), np.int32)
    mid = np.full((count, 6, 2), -(10**6), np.int32)
    on_map = np.zeros((count, 6), bool)
    beside = np.full((count, 6), -1, np.int32)
    column, row = np.divmod(np.arange(count, dtype=np.int32), np.int32(geometry.stride))
    for hex_ in geometry.hexes():
        index = geometry.index(hex_)
        exists[index] = True
        aim[index] = geometry.aim(hex_)
        mid[index] = geometry.midpoints(hex_)
        for side in range(6):
            on_map[index, side] = geometry.side_on_map(hex_, side)
            other = neighbour(hex_, side)
            if geometry.has(other):
                beside[index, side] = geometry.index(other)
    arrays = HexArrays(
        exists, aim, mid, on_map, beside, column, row, (2 * row - (column & 1)).astype(np.int32)
    )
    for name in HexArrays.__slots__:
        getattr(arrays, name).flags.writeable = False
    return arrays


def polygon_mask(polygon: tuple[Point, ...], x0: int, y0: int, x1: int, y1: int) -> BoolArray:
    """`in_polygon` for the pixels x0 <= x < x1, y0 <= y < y1, as ``[x - x0, y - y0]``."""
    left, right = min(p[0] for p in polygon), max(p[0] for p in polygon)
    top, bottom = min(p[1] for p in polygon), max(p[1] for p in polygon)
    xs = np.arange(x0, x1, dtype=np.float64)[:, None]
    ys = np.arange(y0, y1, dtype=np.float64)[None, :]
    inside = np.zeros((x1 - x0, y1 - y0), bool)
    ax, ay = polygon[-1]
    for bx, by in polygon:
        if ay != by:
            (ux, uy), (lx, ly) = ((ax, ay), (bx, by)) if ay < by else ((bx, by), (ax, ay))
            crosses = (ys >= uy) & (ys < ly) & (xs - ux < (ys - uy) / (ly - uy) * (lx - ux))
            inside ^= crosses
        ax, ay = bx, by
    inside &= (xs >= left) & (xs < right) & (ys >= top) & (ys < bottom)
    return inside


class OutlineMasks:
    """Masks of hex polygons, computed once per shape: hexes repeat every few columns."""

    def __init__(self) -> None:
        """Start with no shapes."""
        self._known: dict[tuple[Point, ...], BoolArray] = {}

    def mask(self, polygon: tuple[Point, ...]) -> tuple[int, int, BoolArray]:
        """Left, top and mask over the polygon's bounding box."""
        left = min(p[0] for p in polygon)
        top = min(p[1] for p in polygon)
        shape = tuple((x - left, y - top) for x, y in polygon)
        found = self._known.get(shape)
        if found is None:
            right = max(p[0] for p in shape)
            bottom = max(p[1] for p in shape)
            found = self._known[shape] = polygon_mask(shape, 0, 0, right, bottom)
        return left, top, found


def clip(
    left: int, top: int, mask: BoolArray, bounds: tuple[int, int, int, int]
) -> tuple[slice, slice, BoolArray] | None:
    """The part of a mask within x0, y0, x1, y1 as slices of the picture, None if none is."""
    x0, y0 = max(left, bounds[0]), max(top, bounds[1])
    x1, y1 = min(left + mask.shape[0], bounds[2]), min(top + mask.shape[1], bounds[3])
    if x0 >= x1 or y0 >= y1:
        return None
    return slice(x0, x1), slice(y0, y1), mask[x0 - left : x1 - left, y0 - top : y1 - top]


def hex_grid(geometry: HexGeometry, masks: OutlineMasks | None = None) -> HexGrid:
    """Hex index of every pixel ``[x, y]``, `NO_HEX` where there is none."""
    masks = masks or OutlineMasks()
    g = geometry
    xs = np.arange(g.width, dtype=np.float64)
    ys = np.arange(g.height, dtype=np.float64)
    band = ((xs - g.a1x) / (g.hex_w / 3)).astype(np.int64)
    offset = ys - (g.a1y - g.hex_h / 2)
    rows = (
        (offset / g.hex_h).astype(np.int64),
        ((offset + g.hex_h / 2) / g.hex_h).astype(np.int64),
    )
    grid = np.full((g.width, g.height), NO_HEX, np.uint16)
    column_of = -(-band // 3)
    strip = (band >= 0) & (band % 3 == 1)
    for parity in (0, 1):
        row = rows[parity]
        plain = np.flatnonzero(
            ~strip & (column_of & 1 == parity) & (column_of >= 0) & (column_of < g.columns)
        )
        good = np.flatnonzero((row >= 0) & (row < g.rows + parity))
        if plain.size and good.size:
            first, last = int(good[0]), int(good[-1]) + 1
            grid[plain, first:last] = (
                column_of[plain, None] * g.stride + row[None, first:last]
            ).astype(np.uint16)
    _fill_strips(g, grid, band, rows, masks)
    return grid


def _fill_strips(
    g: HexGeometry,
    grid: HexGrid,
    band: npt.NDArray[np.int64],
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    masks: OutlineMasks,
) -> None:
    """Decide the pixels between two columns by the hex outlines, in the engine's order."""
    best = np.full(grid.shape, 9, np.uint8)
    bounds: dict[int, tuple[int, int, int, int]] = {}
    for column in range(-1, g.columns):
        found = np.flatnonzero(band == 3 * column + 1)
        if found.size and column >= 0:
            bounds[column] = (int(found[0]), 0, int(found[-1]) + 1, g.height)
    for hex_ in g.hexes():
        left, top, mask = masks.mask(g.outline(hex_))
        for nearer in (0, 1):
            strip = hex_[0] - nearer
            part = clip(left, top, mask, bounds[strip]) if strip in bounds else None
            if part is None:
                continue
            xs, ys, inside = part
            step = hex_[1] - rows[strip & 1][ys]
            # Order of the candidates: same row, the row above, the row below; then the next column.
            rank = np.where(step == 0, 0, np.where(step == -1, 1, np.where(step == 1, 2, 9)))
            rank = (rank + 3 * nearer).astype(np.uint8)
            wins = inside & (rank[None, :] < best[xs, ys])
            best[xs, ys][wins] = np.broadcast_to(rank[None, :], wins.shape)[wins]
            grid[xs, ys][wins] = g.index(hex_)
    for column, (x0, _, x1, _) in bounds.items():
        if column & 1 and column + 1 < g.columns:
            below = np.flatnonzero(rows[1] == g.rows)
            if below.size:
                ys = slice(int(below[0]), int(below[-1]) + 1)
                none = grid[x0:x1, ys] == NO_HEX
                grid[x0:x1, ys][none] = g.index((column + 1, g.rows - 1))
