"""The rules of a line of sight for one pixel, in the order of los/algorithm.md 9.

`Line` holds what is fixed for one pair of Locations and what has been met on the way; `Line.judge`
applies rule 9.5 to one pixel. Who walks the pixels decides in which hexes each pixel counts
(`walk` does it pixel by pixel, `sight` skips what cannot matter).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import radians, tan
from typing import TYPE_CHECKING

import numpy as np

from vassal_bridge.board.facts import NO_WALL
from vassal_bridge.board.hexes import Point
from vassal_bridge.limits import MAX_RANGE_ROWS

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.losterrain import Terrain

TAN_60 = tan(radians(60.0))
MAX_HINDRANCE = 6
"""Hindrances of this sum block (B.10)."""


class Why(Enum):
    """Why a line of sight is blocked; the value is the code used in outputs."""

    GROUND = "ground-higher"
    TERRAIN = "terrain-higher"
    HALF_LEVEL = "half-level-terrain"
    HEIGHT_ADVANTAGE = "no-height-advantage"
    BLIND_TERRAIN = "blind-hex-terrain"
    BLIND_GROUND = "blind-hex-crest"
    HEXSIDE = "hexside-terrain"
    HINDRANCE = "hindrance-six"
    LEAVE_BUILDING = "must-leave-building"
    STAIRWAY = "no-stairway"


@dataclass(frozen=True, slots=True)
class Block:
    """Where and why a line stops: index of the hex, pixel, reason."""

    hex: int
    x: int
    y: int
    why: Why


class SightTables:
    """The facts of a map as plain Python values, for rules that look at one hex at a time."""

    def __init__(self, losmap: LosMap) -> None:
        """Unpack the arrays of a map."""
        facts, arrays = losmap.facts, losmap.arrays
        self.geometry = losmap.geometry
        self.arrays = arrays
        self.rows: tuple[Terrain, ...] = losmap.table.rows
        self.aim: list[tuple[int, int]] = [(x, y) for x, y in arrays.aim.tolist()]
        self.mid: list[list[list[int]]] = arrays.mid.tolist()
        self.on_map: list[list[bool]] = arrays.on_map.tolist()
        self.beside: list[list[int]] = arrays.beside.tolist()
        self.centre: list[int] = facts.centre.tolist()
        self.base: list[int] = facts.base.tolist()
        self.storeys: list[int] = facts.storeys.tolist()
        self.stairway: list[bool] = facts.stairway.tolist()
        self.side_terrain: list[list[int]] = facts.side_terrain.tolist()
        self.wall: list[list[int]] = facts.wall.tolist()
        self.cliff: list[list[bool]] = facts.cliff.tolist()
        self.cliff_hex: list[bool] = [any(sides) for sides in self.cliff]
        self._ranges: dict[int, memoryview] = {}
        self._masks = losmap.outline_masks
        self._extended: dict[int, tuple[int, int, int, int, bytes]] = {}

    def ranges(self, index: int) -> memoryview:
        """Ranges in hexes from one hex to every index."""
        found = self._ranges.get(index)
        if found is None:
            if len(self._ranges) >= MAX_RANGE_ROWS:
                self._ranges.clear()
            row = self.arrays.ranges_from(index).astype(np.uint16)
            found = self._ranges[index] = memoryview(row.tobytes()).cast("H")
        return found

    def in_extended(self, index: int, x: int, y: int) -> bool:
        """Whether a hex's extended outline contains a pixel."""
        found = self._extended.get(index)
        if found is None:
            outline = self.geometry.extended_outline(self.geometry.hex_of(index))
            left, top, mask = self._masks.mask(outline)
            found = (left, top, *mask.shape, mask.tobytes())
            self._extended[index] = found
        left, top, width, height, inside = found
        x -= left
        y -= top
        return 0 <= x < width and 0 <= y < height and inside[x * height + y] == 1

    def nearest_side(self, index: int, x: int, y: int) -> int | None:
        """Side whose midpoint is strictly nearest to a pixel, None if the centre is."""
        best = None
        ax, ay = self.aim[index]
        least = (x - ax) ** 2 + (y - ay) ** 2
        on_map = self.on_map[index]
        for side, (mx, my) in enumerate(self.mid[index]):
            distance = (x - mx) ** 2 + (y - my) ** 2
            if distance < least and on_map[side]:
                best, least = side, distance
        return best

    def to_centre(self, index: int, x: int, y: int) -> int:
        """Squared distance of a pixel to a hex's aiming point."""
        ax, ay = self.aim[index]
        return (x - ax) ** 2 + (y - ay) ** 2


@dataclass(frozen=True, slots=True)
class Spine:
    """Which way a line along a row of hexspines runs: sides and the pair by which it enters T."""

    exit: int
    entry: int
    enters: tuple[int, int]


_SPINES = {
    # (sixty or horizontal, right, down)
    ("sixty", True, True): Spine(3, 0, (5, 0)),
    ("sixty", True, False): Spine(1, 4, (3, 4)),
    ("sixty", False, True): Spine(4, 1, (0, 1)),
    ("sixty", False, False): Spine(0, 3, (2, 3)),
    ("level", True, True): Spine(2, 5, (4, 5)),
    ("level", False, True): Spine(5, 2, (1, 2)),
}


def spine_of(source: Point, target: Point, distance: int) -> Spine | None:
    """The spine direction of a line, None for an ordinary one (9.1).

    Args:
        source: aiming point of the source.
        target: aiming point of the target.
        distance: range in hexes; the longer, the less a line may be off 60 degrees.
    """
    (sx, sy), (tx, ty) = source, target
    if sy == ty:
        return _SPINES["level", tx >= sx, True]
    if sx == tx:
        return None
    tolerance = 0.05 if distance < 5 else 0.03 if distance <= 15 else 0.015
    if abs(abs((sy - ty) / (sx - tx)) - TAN_60) < tolerance:
        return _SPINES["sixty", tx >= sx, ty >= sy]
    return None


class Line:
    """One line of sight under way."""

    def __init__(
        self, tables: SightTables, source: int, source_level: int, target: int, target_level: int
    ) -> None:
        """Set up for two Locations: hex indices and levels above the hex (0 = ground)."""
        self.tables = tables
        self.source = source
        self.target = target
        self.source_level = source_level
        self.source_height = tables.base[source] + source_level
        self.target_height = tables.base[target] + target_level
        self.low, self.high = self.source_height, self.target_height
        if self.low > self.high:
            self.low, self.high = self.high, self.low
        self.from_source = tables.ranges(source)
        self.from_target = tables.ranges(target)
        self.range = self.from_source[target]
        self.spine = spine_of(tables.aim[source], tables.aim[target], self.range)
        self.inside_building = tables.rows[tables.centre[source]].building
        self.hindrances: dict[int, tuple[int, int]] = {}
        """Value and hex of each Hindrance by range from the source."""
        self.hindrance = 0
        """Sum of the Hindrances met so far."""

    # -- 9.5 ----------------------------------------------------------------------------------

    def judge(self, hex_: int, terrain: Terrain, level: int, x: int, y: int) -> Block | None:
        """Rule 9.5 for one pixel counted in one hex; returns the block it makes, if any."""
        top = level + terrain.height
        if (
            self.inside_building
            and hex_ != self.source
            and terrain.building
            and self.source_height != self.target_height
            and self.source_height <= top
        ):
            return Block(hex_, x, y, Why.LEAVE_BUILDING)
        if (terrain.hexside and not terrain.cliff) or terrain.rowhouse_wall:
            why = self._wall(hex_, terrain, level, x, y)
            if why:
                return Block(hex_, x, y, why)
        if (
            hex_ in (self.source, self.target)
            or self.from_target[hex_] == self.range
            or self.from_source[hex_] == self.range
            or (terrain.inherent and self.tables.rows[self.tables.centre[hex_]] is not terrain)
        ):
            return None
        why = self._height(hex_, terrain, level, x, y)
        return Block(hex_, x, y, why) if why else None

    def _height(self, hex_: int, terrain: Terrain, level: int, x: int, y: int) -> Why | None:
        """Rules (f) to (k)."""
        cliff_base, alone = self._cliff_beside(hex_, x, y)
        if level > self.high and not (cliff_base is not None and cliff_base <= self.high):
            return Why.GROUND
        why = self._at_eye_level(hex_, terrain, level) or self._above_both(hex_, terrain, level)
        if why or terrain.bocage or terrain.rowhouse_wall:
            return why  # rule (c) has dealt with bocage and rowhouse walls
        top = level + terrain.height
        equal = top == self.high and not (terrain.half and terrain.building)
        if equal and top > self.low and not (cliff_base is not None and cliff_base < self.high):
            if terrain.split > 0 and not terrain.obstacle:  # orchard out of season
                if self.hinder(hex_, terrain.hindrance):
                    return Why.HINDRANCE
            elif not self._own_slope(hex_, terrain, x, y):
                return Why.HEIGHT_ADVANTAGE
        base = level if cliff_base is None or alone else cliff_base
        return self._blind_hexes(hex_, terrain, level, base, x, y)

    def _at_eye_level(self, hex_: int, terrain: Terrain, level: int) -> Why | None:
        """Rules (g) and (h): both ends at one level, and the terrain reaches just there."""
        if self.low != self.high:
            return None
        if terrain.split > 0 and level == self.high:
            if terrain.lower_obstacle:
                return Why.TERRAIN
            if terrain.lower_hindrance and self.hinder(hex_, terrain.hindrance):
                return Why.HINDRANCE
        if terrain.half and not terrain.hexside and level + terrain.height == self.high:
            if terrain.obstacle:
                return Why.HALF_LEVEL
            if self.hinder(hex_, terrain.hindrance):
                return Why.HINDRANCE
        return None

    def _above_both(self, hex_: int, terrain: Terrain, level: int) -> Why | None:
        """Rule (i), in half levels."""
        if terrain.bocage or terrain.rowhouse_wall:
            return None
        if terrain.split > 0 and level == self.low == self.high:
            return None
        half = terrain.half and not terrain.hexside
        if 2 * (level + terrain.height) + half <= 2 * self.high:
            return None
        if terrain.obstacle:
            return Why.TERRAIN
        return Why.HINDRANCE if self.hinder(hex_, terrain.hindrance) else None

    def _own_slope(self, hex_: int, terrain: Terrain, x: int, y: int) -> bool:
        """Exceptions (1) and (2) of (j): ground that still belongs to the higher end's hill."""
        if terrain.height:
            return False
        tables = self.tables
        for end, height, ranges in (
            (self.source, self.source_height, self.from_source),
            (self.target, self.target_height, self.from_target),
        ):
            if ranges[hex_] == 1 and height > tables.base[hex_]:
                ax, ay = tables.aim[hex_]
                if tables.to_centre(end, x, y) < tables.to_centre(end, ax, ay):
                    return True
        return False

    # -- blind hexes ---------------------------------------------------------------------------

    def _blind_hexes(
        self, hex_: int, terrain: Terrain, level: int, base: int, x: int, y: int
    ) -> Why | None:
        """Rule (k); `base` is the level blind hexes are counted from."""
        lift = 1 if terrain.cliff else 0
        if not self.low < level + terrain.height + lift < self.high:
            return None
        if not self.blind(hex_, base, terrain.height, x, y):
            return None
        if terrain.obstacle and not terrain.hexside:
            if self.spine and terrain.building and self.from_target[hex_] % 2:
                return None
            return Why.BLIND_TERRAIN
        if self.low < level + lift < self.high and self.blind(hex_, base, 0, x, y):
            return Why.BLIND_GROUND
        if terrain.split > 0 and self.from_target[hex_] != 1:
            return None
        return Why.HINDRANCE if self.hinder(hex_, terrain.hindrance) else None

    def blind(self, hex_: int, base: int, rise: int, x: int, y: int) -> bool:
        """Whether the lower end lies in the blind zone of something `rise` high on `base` here."""
        if self.source_height == self.target_height:
            return False
        up, down = self.from_source, self.from_target
        if self.source_height < self.target_height:
            up, down = down, up
        cliff = False
        if not self.spine and self.tables.cliff_hex[hex_]:
            side = self.tables.nearest_side(hex_, x, y)
            cliff = side is not None and self.tables.cliff[hex_][side]
            if cliff and self.high > rise and self._past_cliff(hex_, x, y):
                return False
        reach = 2 * base + up[hex_] // 5 - self.high - self.low
        if rise == 0 and not cliff:
            return down[hex_] <= max(reach, 0)
        return down[hex_] <= max(reach + 2 * rise + 1, 1)

    def _past_cliff(self, hex_: int, x: int, y: int) -> bool:
        """9.8: the cliff pixel lies on the higher end's side of the hex's centre."""
        tables = self.tables
        higher, lower = self.source, self.target
        if self.source_height < self.target_height:
            higher, lower = lower, higher
        ax, ay = tables.aim[hex_]
        return (
            tables.ranges(higher)[hex_] == 1
            and tables.to_centre(higher, x, y) < tables.to_centre(higher, ax, ay)
        ) or (
            tables.ranges(lower)[hex_] == 1
            and tables.to_centre(lower, x, y) > tables.to_centre(lower, ax, ay)
        )

    def _cliff_beside(self, hex_: int, x: int, y: int) -> tuple[int | None, bool]:
        """9.8: lower base of the two hexes whose cliff a spine line runs along, None without.

        The flag tells that there is no second hex to take the base from.
        """
        tables = self.tables
        if self.spine is None or not tables.cliff_hex[hex_] or self.from_source[hex_] % 2 == 0:
            return None, False
        first = self.spine.enters[0]
        sides = (first - 1) % 6, (first + 2) % 6
        mids = [tables.mid[hex_][side] for side in sides]
        far = [(x - mx) ** 2 + (y - my) ** 2 for mx, my in mids]
        side = sides[0] if far[0] < far[1] else sides[1]
        if not tables.rows[tables.side_terrain[hex_][side]].cliff:
            return None, False
        other = tables.beside[hex_][side]
        if other < 0 or other in (self.source, self.target):
            return tables.base[hex_], True
        return min(tables.base[hex_], tables.base[other]), False

    # -- walls and hedges --------------------------------------------------------------------------

    def _wall(self, hex_: int, terrain: Terrain, level: int, x: int, y: int) -> Why | None:
        """Rule (c). A wall an end may ignore still is ground of its level for what follows."""
        if not terrain.rowhouse_wall:
            side = self.tables.nearest_side(hex_, x, y)
            out, into = (self.spine.exit, self.spine.entry) if self.spine else (-1, -1)
            spines = not terrain.bocage
            if self.ignorable(self.source, hex_, side, out, spines=spines) or self.ignorable(
                self.target, hex_, side, into, spines=spines
            ):
                return None
        top = level + terrain.height
        if terrain.height == 0 and not terrain.rowhouse_wall:
            return Why.HEXSIDE if level == self.low == self.high else None
        if (
            top > self.high
            or (terrain.half and top == self.low == self.high)
            or (top == self.high and top > self.low)
            or (self.low < top < self.high and self.blind(hex_, level, terrain.height, x, y))
        ):
            return Why.HEXSIDE
        return None

    def ignorable(
        self, end: int, hex_: int, side: int | None, spine: int, *, spines: bool = True
    ) -> bool:
        """9.6: whether hexside terrain on a side of a hex does not matter to an end of the line.

        Args:
            end: the source or the target.
            hex_: the hex the pixel counts in.
            side: its hexside nearest to the pixel, None for the centre.
            spine: hexspine number by which a spine line leaves or enters, -1 if none.
            spines: whether the hexspines of the end count as its own (not for bocage).
        """
        if side is None:
            return True
        tables = self.tables
        ranges = self.from_source if end == self.source else self.from_target
        distance = ranges[hex_]
        if distance > 2:
            return False
        if hex_ == end or tables.beside[hex_][side] == end:
            return True
        if distance == 1:
            i = tables.beside[end].index(hex_)
            if spines and side in ((i + 2) % 6, (i + 4) % 6):
                return True
            if not tables.rows[tables.side_terrain[hex_][side]].hexside:
                return True
        return spine >= 0 and self._ignorable_on_spine(end, hex_, side, spine, ranges)

    def _ignorable_on_spine(
        self, end: int, hex_: int, side: int, spine: int, ranges: memoryview
    ) -> bool:
        """9.6.6: the walls that meet the far end of the hexspine the line runs along."""
        tables = self.tables
        if ranges[hex_] == 2:
            other = tables.beside[hex_][side]
            if other < 0:
                return True
            if ranges[other] > 1:
                return False
            hex_, side = other, (side + 3) % 6
        before = (spine - 1) % 6
        a, b = tables.beside[end][before], tables.beside[end][spine]
        if a < 0 or b < 0 or tables.wall[b][(spine - 2) % 6] == NO_WALL:
            return False
        if (hex_, side) not in ((a, spine), (b, before)):
            return False
        return NO_WALL in (tables.wall[a][spine], tables.wall[b][before])

    # -- hindrances ------------------------------------------------------------------------------

    def hinder(self, hex_: int, value: int) -> bool:
        """9.7: note a hindrance; True when the sum reaches six."""
        distance = self.from_source[hex_]
        if (
            hex_ in (self.source, self.target)
            or distance >= self.range
            or self.from_target[hex_] >= self.range
        ):
            return False
        before = self.hindrances.get(distance)
        if before is None or value > before[0]:
            self.hindrances[distance] = (value, hex_)
            self.hindrance += value - (before[0] if before else 0)
        return self.hindrance >= MAX_HINDRANCE

    @cached_property
    def same_hex(self) -> Block | None:
        """9.0: the answer for two Locations of one hex."""
        tables, hex_ = self.tables, self.source
        levels = abs(self.source_height - self.target_height)
        if not levels or not tables.rows[tables.centre[hex_]].building:
            return None
        if levels == 1 and tables.stairway[hex_]:
            return None
        x, y = tables.aim[hex_]
        return Block(hex_, x, y, Why.STAIRWAY)
