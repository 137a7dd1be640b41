"""Which building hexes are one building: building pixels that touch, corners too (R32, R87)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import BoolArray

Labels = npt.NDArray[np.int32]
_Ints = npt.NDArray[np.int64]


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
    roots = _union(column.size, *_touching(column, start, end, width))
    _, number = np.unique(roots, return_inverse=True)
    # One number at each run's start, minus it after its end, summed up along the column.
    edges = np.zeros((width, height + 1), np.int32)
    np.add.at(edges, (column, start), number + 1)
    np.add.at(edges, (column, end), -(number + 1))
    np.cumsum(edges, axis=1, out=edges)
    labels[:] = edges[:, :height]
    return labels


def _touching(column: _Ints, start: _Ints, end: _Ints, width: int) -> tuple[_Ints, _Ints]:
    """Pairs of runs in neighbouring columns that touch, as indices into the runs."""
    first = np.searchsorted(column, np.arange(width + 1))
    pairs_a: list[_Ints] = []
    pairs_b: list[_Ints] = []
    busy = np.flatnonzero((first[1:-1] > first[:-2]) & (first[2:] > first[1:-1]))
    for x in busy:
        a, b, c = first[x], first[x + 1], first[x + 2]
        # Runs touch diagonally too, so one ends where the other starts or later.
        low = np.searchsorted(end[b:c], start[a:b])
        high = np.searchsorted(start[b:c], end[a:b], side="right")
        count = np.maximum(high - low, 0)
        total = int(count.sum())
        if total:
            offsets = np.repeat(low - np.concatenate(([0], np.cumsum(count)[:-1])), count)
            pairs_a.append(np.repeat(np.arange(a, b), count))
            pairs_b.append(np.arange(total) + offsets + b)
    if not pairs_a:
        none = np.zeros(0, np.int64)
        return none, none
    return np.concatenate(pairs_a), np.concatenate(pairs_b)


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
