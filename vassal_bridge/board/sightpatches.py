"""Outlines of the classes of a map, for fans of lines from one hex.

All lines from one aiming point to one side form a fan ordered by slope, and a connected patch of
pixels is touched by exactly the lines whose slope lies between two bounds. So instead of walking
every line, a fan compares slopes with the bounds of patches.

Three kinds of patches per class bound the truth from both sides:

* `OUTER`: all pixels of the class. A line outside its bounds does not touch the class.
* `FULL`: one connected piece. A line inside its bounds touches the class.
* `CORE`: one connected piece of the pixels outside all other hexes' extended outlines: what surely
  counts in this hex even when it lies beside an end of the line.

In the hex column of the source, patches are cut at the column's aiming point (`halves`), so that
each lies on one side of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX, BoolArray
from vassal_bridge.board.sightpartners import NO_PARTNER

if TYPE_CHECKING:
    from vassal_bridge.board.sightgrid import Ints, Runs, SightGrid

Floats = npt.NDArray[np.float64]

OUTER, FULL, CORE = 0, 1, 2
MIN_PIECE = 12
"""Pieces of fewer pixels are kept only if they are the largest of their class."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches in order of hex column, then of side (-1 left, 1 right; 0 for whole patches).

    Upper hull points ``(top_x, top_y)`` of patch p are those from ``top_at[p]`` on, lower ones
    likewise; `first` [columns + 1] gives the first patch of each hex column.
    """

    kind: Ints
    cls: Ints
    side: Ints
    top_at: Ints
    top_x: Floats
    top_y: Floats
    low_at: Ints
    low_x: Floats
    low_y: Floats
    first: Ints


@dataclass(frozen=True, slots=True, eq=False)
class PatchTables:
    """Whole patches, and those cut at the aiming point of their hex column."""

    whole: Patches
    halves: Patches


def make_patches(grid: SightGrid) -> PatchTables:
    """Outline all classes of a map that can ever block or hinder."""
    able = _able(grid)
    column = grid.losmap.arrays.column
    runs = _keep(grid.runs, able[grid.runs.cls])
    hex_column = column[grid.classes.hex[runs.cls]]
    aim_x = _column_aims(grid)[hex_column]
    cores = _core_runs(grid, runs)
    core_column = column[grid.classes.hex[cores.cls]]
    core_aim = _column_aims(grid)[core_column]
    columns = grid.losmap.geometry.columns
    whole = _outline(
        [(OUTER, runs, None), (FULL, runs, _pieces(runs)), (CORE, cores, _pieces(cores))],
        column[grid.classes.hex.clip(0, len(column) - 1)],
        columns,
    )
    parts: list[tuple[int, Runs, Ints | None]] = []
    sides: list[int] = []
    for side in (-1, 1):
        half = _keep(runs, (runs.x - aim_x) * side >= 0)
        core = _keep(cores, (cores.x - core_aim) * side >= 0)
        parts += [(OUTER, half, None), (FULL, half, _pieces(half)), (CORE, core, _pieces(core))]
        sides += [side] * 3
    halves = _outline(parts, column[grid.classes.hex.clip(0, len(column) - 1)], columns, sides)
    return PatchTables(whole, halves)


def _able(grid: SightGrid) -> BoolArray:
    """Classes that can be active for some pair of heights on this map."""
    rows = grid.losmap.table.rows
    hinders = np.array([r.half or r.split > 0 or r.height > 0 or r.hexside for r in rows])
    lowest = int(grid.losmap.facts.base[grid.losmap.arrays.exists].min(initial=0))
    able: BoolArray = (hinders[grid.classes.terrain] | (grid.classes.level > lowest)) & (
        grid.classes.hex != NO_HEX
    )
    return able


def _column_aims(grid: SightGrid) -> Ints:
    geometry = grid.losmap.geometry
    return np.array([geometry.aim((c, 0))[0] for c in range(geometry.columns)], np.int32)


def _keep(runs: Runs, which: BoolArray) -> Runs:
    from vassal_bridge.board.sightgrid import Runs

    return Runs(runs.x[which], runs.top[which], runs.bottom[which], runs.cls[which])


def _core_runs(grid: SightGrid, runs: Runs) -> Runs:
    """The runs without the pixels that lie in another hex's extended outline."""
    from vassal_bridge.board.sightgrid import Runs

    height = grid.columns
    alone = (grid.partners.reshape(-1) & 7) == NO_PARTNER
    length = runs.bottom - runs.top + 1
    start = runs.x.astype(np.int64) * height + runs.top
    ends = np.cumsum(length)
    pixel = np.repeat(start - (ends - length), length) + np.arange(int(length.sum()))
    run = np.repeat(np.arange(len(length)), length)
    good = alone[pixel]
    pixel, run = pixel[good], run[good]
    if not len(pixel):
        empty = np.zeros(0, np.int32)
        return Runs(empty, empty, empty, empty)
    breaks = np.flatnonzero((np.diff(pixel) != 1) | (np.diff(run) != 0)) + 1
    first = np.concatenate([[0], breaks])
    last = np.concatenate([breaks, [len(pixel)]]) - 1
    x, top = np.divmod(pixel[first], height)
    bottom = pixel[last] % height
    return Runs(
        x.astype(np.int32), top.astype(np.int32), bottom.astype(np.int32), runs.cls[run[first]]
    )


def _pieces(runs: Runs) -> Ints:
    """Label of the connected piece of each run: equal class, neighbouring columns, common rows."""
    count = len(runs.x)
    label = np.arange(count, dtype=np.int32)
    if not count:
        return label
    tall = int(runs.bottom.max()) + 2
    start = runs.x.astype(np.int64) * tall + runs.top
    stop = runs.x.astype(np.int64) * tall + runs.bottom
    # Runs are in order of column and row, and those of one column do not overlap.
    first = np.searchsorted(stop, start + tall)
    last = np.searchsorted(start, stop + tall, side="right")
    number = np.maximum(last - first, 0)
    ends = np.cumsum(number)
    other = np.repeat(first - (ends - number), number) + np.arange(int(number.sum()))
    mine = np.repeat(np.arange(count), number)
    same = runs.cls[mine] == runs.cls[other]
    mine, other = mine[same], other[same]
    while True:
        a, b = label[mine], label[other]
        apart = a != b
        if not apart.any():
            return label
        mine, other, a, b = mine[apart], other[apart], a[apart], b[apart]
        # Labels are roots here: hang the greater below the least it meets, then flatten again.
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while True:
            flatter = label[label]
            if np.array_equal(flatter, label):
                break
            label = flatter


def _outline(
    parts: list[tuple[int, Runs, Ints | None]],
    class_column: Ints,
    columns: int,
    sides: list[int] | None = None,
) -> Patches:
    """Hulls of all patches, sorted by hex column and side."""
    tops: list[tuple[Floats, Floats, Ints]] = []
    lows: list[tuple[Floats, Floats, Ints]] = []
    kinds: list[Ints] = []
    classes: list[Ints] = []
    places: list[Ints] = []
    base = 0
    for number, (kind, runs, pieces) in enumerate(parts):
        group = runs.cls if pieces is None else pieces
        keep = np.ones(len(group), bool) if pieces is None else _large(runs, pieces)
        names, patch = np.unique(group[keep], return_inverse=True)
        of_class = np.zeros(len(names), np.int32)
        of_class[patch] = runs.cls[keep]
        x, top, bottom = runs.x[keep], runs.top[keep], runs.bottom[keep]
        tops.append(_chain(patch + base, x, top, 1))
        lows.append(_chain(patch + base, x, bottom, -1))
        kinds.append(np.full(len(names), kind, np.int32))
        classes.append(of_class)
        places.append(np.full(len(names), 0 if sides is None else sides[number], np.int32))
        base += len(names)
    kind_of = np.concatenate(kinds)
    cls, side = np.concatenate(classes), np.concatenate(places)
    order = np.lexsort((kind_of, side, class_column[cls]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    top_x, top_y, top_at = _sorted_points(tops, rank)
    low_x, low_y, low_at = _sorted_points(lows, rank)
    cls = cls[order].astype(np.int32)
    first = np.searchsorted(class_column[cls], np.arange(columns + 1)).astype(np.int32)
    return Patches(
        kind_of[order], cls, side[order], top_at, top_x, top_y, low_at, low_x, low_y, first
    )


def _large(runs: Runs, pieces: Ints) -> BoolArray:
    """Runs of pieces that are large, or the largest of their class."""
    length = runs.bottom - runs.top + 1
    size = np.bincount(pieces, weights=length, minlength=len(pieces))
    best = np.zeros(int(runs.cls.max(initial=0)) + 1)
    np.maximum.at(best, runs.cls, size[pieces])
    large: BoolArray = (size[pieces] >= MIN_PIECE) | (size[pieces] >= best[runs.cls])
    return large


def _chain(
    patch: npt.NDArray[np.int64], x: Ints, y: Ints, sense: int
) -> tuple[Floats, Floats, Ints]:
    """Hull points with the least (`sense` 1) or greatest (-1) y of each patch, in order of x."""
    # Patch, column and y in one number each: one plain sort instead of a sort by three keys.
    wide, tall = int(x.max(initial=0)) + 1, int(y.max(initial=0)) + 1
    key = (patch.astype(np.int64) * wide + x) * tall + (y if sense > 0 else tall - 1 - y)
    key.sort()
    place, value = np.divmod(key, tall)
    new = np.ones(len(place), bool)
    new[1:] = place[1:] != place[:-1]
    patch, x = np.divmod(place[new], wide)
    value = value[new] if sense > 0 else value[new] - (tall - 1)
    while len(patch) > 2:
        inner = (patch[1:-1] == patch[:-2]) & (patch[1:-1] == patch[2:])
        run, rise = x[2:] - x[:-2], value[2:] - value[:-2]
        # A point on or above the chord of its neighbours is no corner of the hull.
        above = (value[1:-1] - value[:-2]) * run >= rise * (x[1:-1] - x[:-2])
        drop = inner & above
        if not drop.any():
            break
        keep = np.ones(len(patch), bool)
        keep[1:-1] = ~drop
        patch, x, value = patch[keep], x[keep], value[keep]
    return x.astype(np.float64), (value * sense).astype(np.float64), patch.astype(np.int32)


def _sorted_points(
    parts: list[tuple[Floats, Floats, Ints]], rank: npt.NDArray[np.int64]
) -> tuple[Floats, Floats, Ints]:
    """Points of all patches in patch order, and where each patch begins."""
    x = np.concatenate([part[0] for part in parts])
    y = np.concatenate([part[1] for part in parts])
    place = rank[np.concatenate([part[2] for part in parts])]
    order = np.argsort(place, kind="stable")
    at = np.searchsorted(place[order], np.arange(len(rank))).astype(np.int32)
    return x[order], y[order], at
