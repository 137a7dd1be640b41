"""In which hexes besides its own a pixel counts, for lines along hexspines (algorithm.md 9.4)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX, clip

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap

Partners = npt.NDArray[np.uint8]

NO_PARTNER = 6
"""Neighbour code of a pixel that no other hex's extended outline contains."""
OWN = 8
"""Flag of a pixel inside the extended outline of its own hex."""


def pixel_partners(losmap: LosMap) -> Partners:
    """Side of the first neighbour whose extended outline has a pixel, and `OWN`, as ``[x, y]``.

    Worked out slice by slice from the centre of one column to the centre of the next. Hexes repeat
    every few columns, so most slices are copies of one worked out before.
    """
    geometry, arrays, grid = losmap.geometry, losmap.arrays, losmap.hex_grid
    info = np.empty(grid.shape, np.uint8)
    corners = arrays.extended.reshape(geometry.columns, geometry.stride, 6, 2)
    there = arrays.exists.reshape(geometry.columns, geometry.stride)
    least = np.array([corners[c, r, :, 0].min() for c, r in enumerate(there)])
    most = np.array([corners[c, r, :, 0].max() for c, r in enumerate(there)])
    centres = arrays.aim[:: geometry.stride, 0].clip(0, geometry.width)
    cuts = sorted({0, *centres.tolist(), geometry.width})
    known: dict[tuple[int | bytes, ...], Partners] = {}
    for x0, x1 in pairwise(cuts):
        columns = np.flatnonzero((least < x1) & (most > x0)).tolist()
        first = columns[0] if columns else 0
        hexes = grid[x0:x1]
        moved = np.where(hexes == NO_HEX, hexes, hexes - np.uint16(first * geometry.stride))
        shapes = [(corners[c, there[c]] - (x0, 0)).tobytes() for c in columns]
        key = (first & 1, x1 - x0, moved.tobytes(), *shapes)
        if key not in known:
            indices = [c * geometry.stride + r for c in columns for r in range(geometry.rows_of(c))]
            known[key] = _work_out(losmap, indices, x0, x1)
        info[x0:x1] = known[key]
    return info


def _work_out(losmap: LosMap, indices: list[int], x0: int, x1: int) -> Partners:
    """The slice of columns x0 to x1 - 1, which the outlines of some hexes meet."""
    grid = losmap.hex_grid[x0:x1]
    info = np.full(grid.shape, NO_PARTNER, np.uint8)
    own = np.zeros(grid.shape, bool)
    rings: list[tuple[npt.NDArray[np.int64], ...]] = []
    for index in indices:
        outline = tuple((x, y) for x, y in losmap.arrays.extended[index].tolist())
        part = clip(*losmap.outline_masks.mask(outline), (x0, 0, x1, grid.shape[1]))
        if part is None:
            continue
        xs, ys, inside = part
        xs = slice(xs.start - x0, xs.stop - x0)
        box = grid[xs, ys]
        mine = box == index
        own[xs, ys] |= inside & mine
        rx, ry = (inside & ~mine).nonzero()
        rings.append((rx + xs.start, ry + ys.start, box[rx, ry], np.full(len(rx), index)))
    if rings:
        ring_x, ring_y, hex_, owner = (np.concatenate(p) for p in zip(*rings, strict=True))
        beside = losmap.arrays.beside[np.where(hex_ == NO_HEX, 0, hex_)]
        for side in range(5, -1, -1):  # the first side is written last
            here = (beside[:, side] == owner) & (hex_ != NO_HEX)
            info[ring_x[here], ring_y[here]] = side
    info[own] |= OWN
    return info
