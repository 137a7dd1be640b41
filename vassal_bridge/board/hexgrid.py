"""The geometry of `hexes` as arrays: points of all hexes at once, and the hex of every pixel.

Same answers as `HexGeometry`, pixel for pixel (a test holds it); here for speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexes import (
    COS_30,
    EXTENDED_SHIFTS,
    NEIGHBOURS_EVEN,
    NEIGHBOURS_ODD,
    HexGeometry,
    Point,
)

NO_HEX = 65535
"""Entry of a hex grid for a pixel that belongs to no hex."""

IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
HexGrid = npt.NDArray[np.uint16]
_Floats = npt.NDArray[np.float64]
_Longs = npt.NDArray[np.int64]

_FAR = -(10**6)
"""Coordinate of the points of a gap: far off every picture."""


@dataclass(frozen=True, slots=True, eq=False)
class HexArrays:
    """Per-hex arrays of a geometry, indexed by `HexGeometry.index` (N = columns * stride).

    `exists` [N]: the even columns' last index is a gap. `aim` [N, 2] and `mid` [N, 6, 2] in pixels,
    `outline` and `extended` [N, 6, 2] the corners of both outlines, `on_map` [N, 6], `beside`
    [N, 6] the neighbour's index or -1, `column` and `row` [N], `height` [N] the row in half hexes,
    from which ranges follow.
    """

    exists: BoolArray
    aim: IntArray
    mid: IntArray
    outline: IntArray
    extended: IntArray
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
    """Compute the points, flags and neighbours of all hexes; the arrays are read-only.

    The sums stand in the order of `HexGeometry`, so that they round alike.
    """
    g = geometry
    column, row = np.divmod(np.arange(g.columns * g.stride, dtype=np.int32), np.int32(g.stride))
    odd = column & 1
    exists = row < g.rows + odd
    x = g.a1x + g.hex_w * column
    y = g.a1y + g.hex_h * row - g.hex_h / 2 * odd
    side, v = g.hex_w * 2 / 3, g.hex_h / 2
    half = side / 2
    corner_x = _clamp(
        np.stack([x - half, x + half, x + side, x + half, x - half, x - side], axis=1), g.width
    )
    corner_y = _clamp(np.stack([y - v, y - v, y, y + v, y + v, y], axis=1), g.height)
    corners = np.stack([corner_x, corner_y], axis=2)
    u = v * COS_30
    mid_x = np.stack([x, x + u - 1, x + u - 1, x, x - u + 1, x - u + 1], axis=1)
    mid_y = np.stack(
        [y - v + 1, y - v / 2 + 1, y + v / 2 - 1, y + v - 1, y + v / 2 - 1, y - v / 2 + 1], axis=1
    )
    points = {
        "aim": np.stack([_clamp(x, g.width), _clamp(y, g.height)], axis=1),
        "mid": np.stack([_clamp(np.trunc(mid_x), g.width), _clamp(np.trunc(mid_y), g.height)], 2),
        "outline": np.floor(corners + 0.5),
        "extended": np.trunc(corners) + np.array(EXTENDED_SHIFTS),
    }
    whole = {name: found.astype(np.int32) for name, found in points.items()}
    for found in whole.values():
        found[~exists] = _FAR
    arrays = HexArrays(
        exists=exists,
        aim=whole["aim"],
        mid=whole["mid"],
        outline=whole["outline"],
        extended=whole["extended"],
        on_map=_sides_on_map(g, column, row) & exists[:, None],
        beside=_beside(g, column, row, exists),
        column=column,
        row=row,
        height=(2 * row - odd).astype(np.int32),
    )
    for name in HexArrays.__slots__:
        getattr(arrays, name).flags.writeable = False
    return arrays


def _clamp(values: _Floats, size: int) -> _Floats:
    """Keep points that fall just off the picture on it (algorithm.md 6, edge clamp)."""
    whole = np.trunc(values)
    off = (whole == size) | (whole == size + 1)
    return np.where(values == -1, 0.0, np.where(off, float(size - 1), values))


def _sides_on_map(g: HexGeometry, column: IntArray, row: IntArray) -> BoolArray:
    """`HexGeometry.side_on_map` of all hexes."""
    odd = (column & 1).astype(bool)
    off = np.zeros((len(column), 6), bool)
    for edge, sides in (
        (column == 0, (4, 5)),
        (column == g.columns - 1, (1, 2)),
        (odd & (row == 0), (0, 1, 5)),
        (odd & (row == g.rows), (2, 3, 4)),
    ):
        off[:, sides] |= edge[:, None]
    return ~off


def _beside(g: HexGeometry, column: IntArray, row: IntArray, exists: BoolArray) -> IntArray:
    """Index of the neighbour across each side, -1 where there is none."""
    steps = np.where((column & 1)[:, None, None] == 1, NEIGHBOURS_ODD, NEIGHBOURS_EVEN)
    to_column, to_row = column[:, None] + steps[..., 0], row[:, None] + steps[..., 1]
    there = (
        exists[:, None]
        & (to_column >= 0)
        & (to_column < g.columns)
        & (to_row >= 0)
        & (to_row < g.rows + (to_column & 1))
    )
    return np.where(there, to_column * g.stride + to_row, -1).astype(np.int32)


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
        left = min([x for x, _ in polygon])
        top = min([y for _, y in polygon])
        shape = tuple([(x - left, y - top) for x, y in polygon])
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
    column_of[(band >= 0) & (band % 3 == 1)] = -1
    # The bands run from left to right, so the plain pixels of a column lie side by side.
    for column in range(g.columns):
        first, last = _span(column_of == column)
        top, bottom = _span((rows[column & 1] >= 0) & (rows[column & 1] < g.rows_of(column)))
        grid[first:last, top:bottom] = rows[column & 1][top:bottom] + column * g.stride
    _Strips(g, grid, band, rows, masks or OutlineMasks()).fill()
    return grid


def _span(chosen: BoolArray) -> tuple[int, int]:
    """First and last index, the latter exclusive, of chosen entries that follow each other."""
    (at,) = chosen.nonzero()
    return (int(at[0]), int(at[-1]) + 1) if at.size else (0, 0)


class _Strips:
    """The pixels between two columns, decided by the hex outlines in the engine's order.

    Hexes repeat every few columns, so most strips are copies of one worked out before.
    """

    def __init__(
        self,
        g: HexGeometry,
        grid: HexGrid,
        band: _Longs,
        rows: tuple[_Longs, _Longs],
        masks: OutlineMasks,
    ) -> None:
        self.g = g
        self.grid = grid
        self.band = band
        self.rows = rows
        self.masks = masks
        self.outlines = hex_arrays(g).outline.reshape(g.columns, g.stride, 6, 2)

    def fill(self) -> None:
        """Write all strips into the grid."""
        g, known = self.g, dict[tuple[int, int, tuple[bytes, ...]], tuple[HexGrid, int]]()
        for column in range(g.columns):
            x0, x1 = _span(self.band == 3 * column + 1)
            if x0 == x1:
                continue
            shapes = tuple(
                (self.outlines[at, : g.rows_of(at)] - (x0, 0)).tobytes()
                for at in range(column, min(column + 2, g.columns))
            )
            key = (column & 1, x1 - x0, shapes)
            found = known.get(key)
            if found is None:
                self._work_out(column, x0, x1)
                known[key] = self.grid[x0:x1], column
                continue
            strip, before = found
            moved = strip + np.uint16((column - before) * g.stride)
            self.grid[x0:x1] = np.where(strip == NO_HEX, np.uint16(NO_HEX), moved)

    def _work_out(self, column: int, x0: int, x1: int) -> None:
        g, grid, row = self.g, self.grid, self.rows[column & 1]
        best = np.full((x1 - x0, g.height), 9, np.uint8)
        for nearer, outlines in enumerate(self.outlines[column : column + 2].tolist()):
            for number, outline in enumerate(outlines[: g.rows_of(column + nearer)]):
                polygon = tuple((x, y) for x, y in outline)
                part = clip(*self.masks.mask(polygon), (x0, 0, x1, g.height))
                if part is None:
                    continue
                xs, ys, inside = part
                step = number - row[ys]
                # Order of the candidates: same row, the row above, the row below; then the next
                # column.
                rank = np.where(step == 0, 0, np.where(step == -1, 1, np.where(step == 1, 2, 9)))
                rank = (rank + 3 * nearer).astype(np.uint8)
                so_far = best[xs.start - x0 : xs.stop - x0, ys]
                wins = inside & (rank[None, :] < so_far)
                so_far[wins] = np.broadcast_to(rank[None, :], wins.shape)[wins]
                grid[xs, ys][wins] = g.index((column + nearer, number))
        if column & 1 and column + 1 < g.columns:
            top, bottom = _span(row == g.rows)
            below = grid[x0:x1, top:bottom]
            below[below == NO_HEX] = g.index((column + 1, g.rows - 1))
