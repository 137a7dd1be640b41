"""Which building hexes are one building: building pixels that touch, corners too (R32, R87)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.facts import TerrainGrid
from vassal_bridge.board.hexgrid import BoolArray

Labels = npt.NDArray[np.int32]
_Ints = npt.NDArray[np.int64]


Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the map in pixels, the latter two exclusive."""


FEW = 10
"""Hexes asked about one by one; who asks about more asks about many."""


class Regions:
    """The regions of a map: those around a hex while few are asked about, then all at once.

    Args:
        terrain: codes ``[x, y]``.
        wanted: which codes make regions.
    """

    def __init__(self, terrain: TerrainGrid, wanted: BoolArray) -> None:
        self._terrain = terrain
        self._wanted = wanted
        self._asked = 0
        self._labels: Labels | None = None
        self._firsts: _Ints = np.zeros(1, np.int64)

    def main(self, box: Box, inside: BoolArray) -> int | None:
        """See `main_region`."""
        self._asked += 1
        if self._asked <= FEW:
            return main_region(self._terrain, self._wanted, box, inside)
        if self._labels is None:
            self._labels = label_regions(self._wanted[self._terrain])
            flat = self._labels.reshape(-1)
            pixels = np.flatnonzero(flat)[::-1]
            self._firsts = np.zeros(int(flat.max(initial=0)) + 1, np.int64)
            self._firsts[flat[pixels]] = pixels  # of equals the last one stays: the first pixel
        x0, y0, x1, y1 = box
        here = self._labels[x0:x1, y0:y1][inside]
        here = here[here > 0]
        return int(self._firsts[np.bincount(here).argmax()]) + 1 if here.size else None


def main_region(terrain: TerrainGrid, wanted: BoolArray, box: Box, inside: BoolArray) -> int | None:
    """The region with most pixels in a hex, None without any; the first one of equals.

    Only the surroundings are looked at, as far as the regions in the hex reach.

    Args:
        terrain: codes ``[x, y]``.
        wanted: which codes make regions.
        box: the part of the map the hex lies in.
        inside: the pixels of the hex in this part.

    Returns:
        A number that all hexes of a region have in common: its first pixel, counted from 1 by
        column.
    """
    x0, y0, x1, y1 = box
    width, height = terrain.shape
    reach = max(x1 - x0, y1 - y0) // 2
    while True:
        left, top = max(0, x0 - reach), max(0, y0 - reach)
        part = terrain[left : x1 + reach, top : y1 + reach]
        labels = label_regions(wanted[part])
        here = labels[x0 - left : x1 - left, y0 - top : y1 - top][inside]
        here = here[here > 0]
        if not here.size:
            return None
        rims = []
        if left > 0:
            rims.append(labels[0])
        if top > 0:
            rims.append(labels[:, 0])
        if x1 + reach < width:
            rims.append(labels[-1])
        if y1 + reach < height:
            rims.append(labels[:, -1])
        cut = np.zeros(labels.max() + 1, bool)
        for rim in rims:
            cut[rim] = True
        if not cut[here].any():
            break
        reach *= 2
    most = int(np.bincount(here).argmax())
    first = int((labels.reshape(-1) == most).argmax())
    x, y = divmod(first, part.shape[1])
    return int((left + x) * height + top + y + 1)


def label_regions(mask: BoolArray) -> Labels:
    """Number the regions of a mask whose pixels touch at a side or corner.

    Args:
        mask: ``[x, y]``.

    Returns:
        An array of the same shape: 0 outside, 1, 2 … in the order of each region's first pixel.
    """
    width, height = mask.shape
    labels = np.zeros((width, height), np.int32)
    padded = np.zeros((width, height + 1), np.int8)
    padded[:, :height] = mask
    steps = np.diff(padded, axis=1, prepend=np.int8(0))
    column, start = np.nonzero(steps == 1)
    end = np.nonzero(steps == -1)[1]
    if not column.size:
        return labels
    roots = _union(column.size, *_touching(column, start, end, height))
    # A region's root is its first run. (`np.unique` would do, but its first call imports numpy.ma.)
    number = (np.cumsum(roots == np.arange(column.size)) - 1)[roots]
    # One number at each run's start, minus it after its end, summed up along the column.
    edges = np.zeros((width, height + 1), np.int32)
    np.add.at(edges, (column, start), number + 1)
    np.add.at(edges, (column, end), -(number + 1))
    np.cumsum(edges, axis=1, out=edges)
    labels[:] = edges[:, :height]
    return labels


def _touching(column: _Ints, start: _Ints, end: _Ints, height: int) -> tuple[_Ints, _Ints]:
    """Pairs of runs in neighbouring columns that touch, as indices into the runs."""
    # One number per end of a run; a column further on is `tall` more. Runs touch diagonally too,
    # so one ends where the other starts or later.
    tall = height + 2
    first, last = column * tall + start, column * tall + end
    low = np.searchsorted(last, first + tall)
    high = np.searchsorted(first, last + tall, side="right")
    count = np.maximum(high - low, 0)
    offsets = np.repeat(low - (np.cumsum(count) - count), count)
    return np.repeat(np.arange(column.size), count), np.arange(offsets.size) + offsets


def _union(count: int, a: _Ints, b: _Ints) -> _Ints:
    """Smallest index that each of `count` items is connected with through the pairs (a, b)."""
    root = np.arange(count)
    while True:
        low = np.minimum(root[a], root[b])
        before = root.copy()
        np.minimum.at(root, root[a], low)
        np.minimum.at(root, root[b], low)
        root = root[root]
        if np.array_equal(root, before):
            return root
