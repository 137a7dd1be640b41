"""All lines of sight from one Location at once.

Most lines are settled by comparing their slopes with the bounds of patches (`sightpatches`); the
rest, lines along hexspines and lines that graze something, are walked one by one. Verdicts and
Hindrances are those of the single walks, a test holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX, BoolArray
from vassal_bridge.board.sightpatches import CORE, FULL, OUTER, Floats, Patches, make_patches
from vassal_bridge.board.sightrules import MAX_HINDRANCE, TAN_60, Line, Why

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.sightfast import FastWalker
    from vassal_bridge.board.sightgrid import Effect, Ints, SightGrid
    from vassal_bridge.board.sightrules import SightTables

EPSILON = 1e-9
"""Slopes closer than this count as equal. Different ones of integer points differ by over 1e-8."""

_PREFIX = (Why.TERRAIN, Why.GROUND, Why.HALF_LEVEL, Why.HEIGHT_ADVANTAGE, Why.LEAVE_BUILDING)
"""Reasons that block every longer line through the same pixels to the same height as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Fan:
    """Answers for all targets: hex indices, and per target blocked, Hindrance and range."""

    targets: Ints
    blocked: BoolArray
    hindrance: npt.NDArray[np.uint8]
    range: npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """Patches on one side of a source with the slopes that bound them."""

    kind: Ints
    cls: Ints
    hex: Ints
    range: Ints
    low: Floats
    high: Floats


class FanWalker:
    """Fans over one map."""

    def __init__(
        self, losmap: LosMap, tables: SightTables, grid: SightGrid, single: FastWalker
    ) -> None:
        """Share the tables of the single walks."""
        self.losmap = losmap
        self.tables = tables
        self.grid = grid
        self.single = single
        self.arrays = losmap.arrays
        self._column = losmap.arrays.column
        self._height = losmap.arrays.height
        self._ignorable: dict[tuple[int, int, int], bool] = {}

    @cached_property
    def _patches(self) -> tuple[Patches, Patches]:
        tables = make_patches(self.grid)
        return tables.whole, tables.halves

    @cached_property
    def _nowhere(self) -> tuple[int, int] | None:
        """First and last row with pixels that belong to no hex, None if all pixels do.

        A line ends there, clear, whatever would come after it (los/algorithm.md 9.3).
        """
        rows = np.flatnonzero((self.losmap.hex_grid == NO_HEX).any(axis=0))
        return (int(rows[0]), int(rows[-1])) if rows.size else None

    @cached_property
    def _rowhouse_hexes(self) -> BoolArray:
        """Hexes with walls between row houses, which count even in the hexes of the ends."""
        rows = self.losmap.table.rows
        walls = np.array([row.rowhouse_wall for row in rows])[self.grid.classes.terrain]
        found = np.zeros(len(self.arrays.exists), bool)
        hexes = self.grid.classes.hex[walls]
        found[hexes[hexes != NO_HEX]] = True
        return found

    def fan(self, source: int, source_level: int, targets: Ints, levels: Ints) -> Fan:
        """Check the lines from one Location to many.

        Args:
            source: hex index.
            source_level: level above the hex.
            targets: hex indices.
            levels: level above the hex of each target.
        """
        ranges = self.arrays.ranges_from(source)[targets]
        heights = self.losmap.facts.base[targets].astype(np.int32) + levels
        eye = self.tables.base[source] + source_level
        job = _FanJob(self, source, source_level, eye, targets, levels, heights, ranges)
        for height in np.unique(heights).tolist():
            job.bound(np.flatnonzero((heights == height) & (ranges > 0)), height)
        job.finish()
        return Fan(targets, job.blocked, job.hindrance, ranges.astype(np.uint16))

    def rays(self, source: int, side: int) -> _Rays:
        """Patches on one side of a hex (-1 left, 1 right) and the slopes that bound them."""
        whole, halves = self._patches
        column = int(self._column[source])
        sx, sy = self.tables.aim[source]
        ends = [(whole, int(whole.first[column + 1]), len(whole.cls))]
        if side < 0:
            ends = [(whole, 0, int(whole.first[column]))]
        begin, end = int(halves.first[column]), int(halves.first[column + 1])
        middle = begin + int(np.searchsorted(halves.side[begin:end], 0))
        ends.append((halves, begin, middle) if side < 0 else (halves, middle, end))
        parts = [_bounds(patches, a, b, sx, sy) for patches, a, b in ends]
        cls = np.concatenate([p.cls[a:b] for p, a, b in ends])
        hex_ = self.grid.classes.hex[cls]
        return _Rays(
            kind=np.concatenate([p.kind[a:b] for p, a, b in ends]),
            cls=cls,
            hex=hex_,
            range=self.arrays.ranges_from(source)[hex_],
            low=np.concatenate([part[0] for part in parts]),
            high=np.concatenate([part[1] for part in parts]),
        )

    def ignorable(self, line: Line, hex_: int, side: int) -> bool:
        """9.6 for both ends of a line that is no spine line."""
        for end in (line.source, line.target):
            key = (end, hex_, side)
            found = self._ignorable.get(key)
            if found is None:
                found = self._ignorable[key] = line.ignorable(end, hex_, side, -1)
            if found:
                return True
        return False


def _bounds(patches: Patches, a: int, b: int, sx: int, sy: int) -> tuple[Floats, Floats]:
    """Least and greatest slope of the lines from (sx, sy) that touch patches a to b - 1.

    A line visits the pixel k columns on if its rows over [k, k + 1] meet the pixel, so the nearer
    or the farther edge of the pixel bounds its slopes, depending on whether it lies above or below.
    """
    if a == b:
        return np.zeros(0), np.zeros(0)
    found = []
    for at, xs, ys, lowest in (
        (patches.top_at, patches.top_x, patches.top_y, True),
        (patches.low_at, patches.low_x, patches.low_y, False),
    ):
        start = int(at[a])
        stop = int(at[b]) if b < len(at) else len(xs)
        across = np.abs(xs[start:stop] - sx)
        down = ys[start:stop] - (sy if lowest else sy - 1)
        across += (down >= 0) if lowest else (down < 0)
        slope = down / across
        reduce = np.minimum if lowest else np.maximum
        found.append(reduce.reduceat(slope, at[a:b] - start))
    return found[0], found[1]


class _FanJob:
    """One fan under way."""

    def __init__(
        self,
        walker: FanWalker,
        source: int,
        source_level: int,
        eye: int,
        targets: Ints,
        levels: Ints,
        heights: Ints,
        ranges: Ints,
    ) -> None:
        self.walker = walker
        self.grid = walker.grid
        self.source = source
        self.source_level = source_level
        self.eye = eye
        self.targets = targets
        self.levels = levels
        self.heights = heights
        self.ranges = ranges
        self.blocked = np.zeros(len(targets), bool)
        self.hindrance = np.zeros(len(targets), np.uint8)
        self.unsure = np.zeros(len(targets), bool)
        sx, sy = walker.tables.aim[source]
        aim = walker.arrays.aim[targets]
        self.across = aim[:, 0] - sx
        self.down = aim[:, 1] - sy
        with np.errstate(divide="ignore", invalid="ignore"):
            steep = np.abs(self.down / self.across)
        tolerance = np.where(ranges < 5, 0.05, np.where(ranges <= 15, 0.03, 0.015))
        sixty = np.abs(steep - TAN_60) < tolerance
        self.is_level = self.down == 0
        self.is_spine = sixty | self.is_level
        self.slope = self.down / (np.abs(self.across) + 1)
        self._rays: dict[int, _Rays] = {}

    # -- lines that follow from bounds -----------------------------------------------------------

    def bound(self, chosen: npt.NDArray[np.int64], height: int) -> None:
        """Settle lines to targets of one height as far as bounds can."""
        low, high = min(self.eye, height), max(self.eye, height)
        effect = self.grid.effect(low, high)
        building = self.walker.tables.rows[self.walker.tables.centre[self.source]].building
        for side in (-1, 1):
            # Vertical lines stay in the source's column, which both sides hold.
            mine = chosen[(self.across[chosen] >= 0) == (side > 0)]
            if not mine.size:
                continue
            mine = mine[np.argsort(self.slope[mine])]
            rays = self._rays.get(side)
            if rays is None:
                with np.errstate(divide="ignore", invalid="ignore"):
                    rays = self._rays[side] = self.walker.rays(self.source, side)
            nowhere = self.walker._nowhere
            if nowhere is not None:
                stops = self._meets_rows(mine, *nowhere)
                self.unsure[mine[stops]] = True
                mine = mine[~stops]
            spine = self.is_spine[mine]
            self._clear_blocks(mine[~spine], rays, effect, spine=False)
            if self.source_level == 0:
                self._clear_blocks(mine[spine], rays, effect, spine=True)
            rest = mine[~self.blocked[mine] & ~spine]
            if rest.size:
                self._weigh(rest, rays, effect, low, high)
            if (building and low != high) or self.walker._rowhouse_hexes[self.source]:
                self.unsure[rest] = True
            self.unsure[rest] |= self.walker._rowhouse_hexes[self.targets[rest]]

    def _meets_rows(self, chosen: npt.NDArray[np.int64], first: int, last: int) -> BoolArray:
        sy = self.walker.tables.aim[self.source][1]
        ty = sy + self.down[chosen]
        meets: BoolArray = (np.minimum(sy, ty) <= last + 1) & (np.maximum(sy, ty) >= first - 1)
        return meets

    def _clear_blocks(
        self, mine: npt.NDArray[np.int64], rays: _Rays, effect: Effect, *, spine: bool
    ) -> None:
        """Block what surely blocking pieces cover, from two hexes beyond them on.

        A hex at range 2 to R - 2 lies beside neither end, so its pieces need no second thought. For
        spine lines from ground level that holds at even ranges, where only one hex counts.
        """
        chosen = (rays.kind == FULL) & (rays.range >= 2) & effect.block[rays.cls]
        if spine:
            chosen &= rays.range % 2 == 0
        which = np.flatnonzero(chosen)
        if not which.size:
            return
        slopes = self.slope[mine]
        begin = np.searchsorted(slopes, rays.low[which] + EPSILON, side="right")
        end = np.searchsorted(slopes, rays.high[which] - EPSILON, side="left")
        distance = rays.range[which]
        wide = np.flatnonzero(end > begin)
        wide = wide[np.argsort(-distance[wide], kind="stable")]
        nearest = np.full(len(mine), 30000, np.int32)
        for a, b, r in zip(
            begin[wide].tolist(), end[wide].tolist(), distance[wide].tolist(), strict=True
        ):
            nearest[a:b] = r  # nearer ones come later and stay
        self.blocked[mine[nearest <= self.ranges[mine] - 2]] = True

    def _weigh(
        self, rest: npt.NDArray[np.int64], rays: _Rays, effect: Effect, low: int, high: int
    ) -> None:
        """Look at every patch that may touch each of the remaining lines."""
        live = np.flatnonzero(effect.active[rays.cls] & (rays.range > 0))
        slopes = self.slope[rest]
        begin = np.searchsorted(slopes, rays.low[live] - EPSILON, side="left")
        end = np.searchsorted(slopes, rays.high[live] + EPSILON, side="right")
        number = np.maximum(end - begin, 0)
        ends = np.cumsum(number)
        if not ends.size or not ends[-1]:
            return
        patch = np.repeat(live, number)
        place = np.arange(int(ends[-1])) - np.repeat(ends - number - begin, number)
        near = rays.range[patch] <= self.ranges[rest[place]]
        self._settle(_Touches(self, rest, place[near], patch[near], rays), rays, effect, low, high)

    def _settle(self, touch: _Touches, rays: _Rays, effect: Effect, low: int, high: int) -> None:
        grid = self.grid
        cls = rays.cls[touch.patch]
        between = (touch.from_source < touch.range) & (touch.from_target < touch.range)
        beside = (touch.from_source == 1) | (touch.from_target == 1)
        surely = touch.inside & (touch.kind == np.where(beside, CORE, FULL))
        block = effect.block[cls] & between
        hinder = (effect.hinder[cls] > 0) & between
        delicate = np.zeros(len(cls), bool)
        if low != high:
            # Ground that may still belong to an end's own hill (exceptions of 9.5 j).
            delicate = block & beside & (grid.height[cls] == 0)
            blind = effect.blind[cls] & between
            if blind.any():
                makes, hides = self._blind(touch, cls, blind, low, high)
                block |= makes
                hinder |= hides
                delicate |= blind & self._at_cliff[rays.hex[touch.patch]]
        wall = effect.wall[cls]
        if wall.any():
            stops, doubtful = self._walls(touch, rays, cls, wall)
            block |= stops
            delicate |= doubtful
        surely &= ~delicate
        self.blocked[touch.target[surely & block]] = True
        matters = block | hinder | delicate
        met = np.zeros((len(touch.rest), len(grid.classes.hex)), bool)
        met[touch.place[surely], cls[surely]] = True
        doubt = (touch.kind == OUTER) & matters & (delicate | ~met[touch.place, cls])
        self.unsure[touch.target[doubt]] = True
        counted = np.flatnonzero(surely & hinder)
        if counted.size:
            values = np.zeros((len(touch.rest), int(touch.range.max()) + 1), np.uint8)
            worth = grid.value[cls[counted]]
            for value in np.unique(worth).tolist():
                of_value = counted[worth == value]
                values[touch.place[of_value], touch.from_source[of_value]] = value
            total = values.sum(axis=1)
            self.hindrance[touch.rest] = np.minimum(total, 255)

    @cached_property
    def _at_cliff(self) -> BoolArray:
        return np.asarray(self.walker.losmap.facts.cliff.any(axis=1))

    def _blind(
        self, touch: _Touches, cls: Ints, blind: BoolArray, low: int, high: int
    ) -> tuple[BoolArray, BoolArray]:
        """Rule (k) for lines that are no spine lines: which touches block, which hinder."""
        grid = self.grid
        up, down = touch.from_source, touch.from_target
        if self.eye < high:
            up, down = down, up
        level, rise = grid.classes.level[cls], grid.height[cls]
        reach = 2 * level + up // 5 - high - low
        hidden = np.where(
            rise > 0, down <= np.maximum(reach + 2 * rise + 1, 1), down <= np.maximum(reach, 0)
        )
        hidden &= blind
        solid = grid.obstacle[cls] & ~grid.hexside[cls]
        lifted = level + grid.cliff[cls]
        crest: BoolArray = (low < lifted) & (lifted < high) & (down <= np.maximum(reach, 0))
        block: BoolArray = hidden & (solid | crest)
        hinder: BoolArray = hidden & ~block & (~grid.split[cls] | (touch.from_target == 1))
        return block, hinder

    def _walls(
        self, touch: _Touches, rays: _Rays, cls: Ints, wall: BoolArray
    ) -> tuple[BoolArray, BoolArray]:
        """Rule (c): which touches block, and which only a walk can tell."""
        inner = (touch.from_source < touch.range) & (touch.from_target < touch.range)
        tall = self.grid.height[cls] > 0
        doubtful = wall & (tall | (~inner & (touch.from_target <= touch.range)))
        stops = wall & inner & ~tall
        close = np.flatnonzero(
            stops & ((touch.from_source <= 2) | (touch.from_target <= 2))
        ).tolist()
        hexes = rays.hex[touch.patch]
        for i in close:
            target = int(self.targets[touch.target[i]])
            line = Line(self.walker.tables, self.source, 0, target, 0)
            side = int(self.grid.classes.side[cls[i]])
            stops[i] = not self.walker.ignorable(line, int(hexes[i]), side)
        return stops, doubtful

    # -- lines that are walked ---------------------------------------------------------------------

    def finish(self) -> None:
        """Walk what the bounds left open, and let Hindrances of six block.

        Level lines run through the same pixels, so they are walked from near to far and a block
        holds for all beyond it.
        """
        for sense in (-1, 1):
            ray = np.flatnonzero(self.is_level & (self.across * sense > 0) & ~self.blocked)
            self._ray(ray[np.argsort(self.ranges[ray])].tolist())
        open_ = (self.unsure | (self.is_spine & ~self.is_level)) & ~self.blocked
        for i in np.flatnonzero(open_ | (self.ranges == 0)).tolist():
            self._walk(i)
        self.blocked |= self.hindrance >= MAX_HINDRANCE

    def _ray(self, ray: list[int]) -> None:
        stopped: dict[int, int] = {}
        for i in ray:
            height, distance = int(self.heights[i]), int(self.ranges[i])
            if distance >= stopped.get(height, 30000):
                self.blocked[i] = True
                continue
            beyond = self._walk(i)
            if beyond is not None:
                stopped[height] = beyond

    def _walk(self, i: int) -> int | None:
        """Walk one line; returns the range from which on longer lines are blocked too."""
        walked = self.walker.single.walk(
            self.source, self.source_level, int(self.targets[i]), int(self.levels[i])
        )
        block = walked.block
        self.blocked[i] = block is not None
        self.hindrance[i] = min(walked.line.hindrance, 255)
        self.unsure[i] = False
        if block is None or block.why not in _PREFIX:
            return None
        return walked.line.from_source[block.hex] + 2


class _Touches:
    """Pairs of a line and a patch that it touches or may touch."""

    def __init__(
        self,
        job: _FanJob,
        rest: npt.NDArray[np.int64],
        place: npt.NDArray[np.int64],
        patch: npt.NDArray[np.int64],
        rays: _Rays,
    ) -> None:
        self.rest = rest
        self.place = place
        self.patch = patch
        self.target = rest[place]
        self.range = job.ranges[self.target]
        self.kind = rays.kind[patch]
        self.from_source = rays.range[patch]
        walker = job.walker
        hex_, end = rays.hex[patch], job.targets[self.target]
        across = np.abs(walker._column[hex_] - walker._column[end])
        down = np.abs(walker._height[hex_] - walker._height[end])
        self.from_target = across + np.maximum(0, (down - across) >> 1)
        slope = job.slope[self.target]
        self.inside: BoolArray = (slope > rays.low[patch] + EPSILON) & (
            slope < rays.high[patch] - EPSILON
        )
