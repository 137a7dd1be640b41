"""What the fast line of sight engine knows of a map beforehand.

Pixels of one hex, terrain and level (and, for walls, nearest hexside) form a *class*: the rules
give the same answer for each of them, a few cases near the ends and at cliffs aside. From the
classes follow, per pair of heights, the *active* ones, the only ones that can block or hinder; a
walk looks at their pixels and skips the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX, BoolArray, clip
from vassal_bridge.board.sightfield import distance_field
from vassal_bridge.board.sightrules import Why
from vassal_bridge.limits import MAX_SIGHT_FIELDS

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap

Ints = npt.NDArray[np.int32]
Heights = tuple[int, int]

CENTRE = 6
"""Side code of a pixel nearer to the centre than to any hexside."""
WALKS_BEFORE_FIELD = 200
"""Single walks between two heights before a distance field is made for them."""
NO_PARTNER = 6
"""Neighbour code of a pixel that no other hex's extended outline contains."""
OWN = 8
"""Flag of a pixel inside the extended outline of its own hex."""


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Vertical runs of one class: column `x`, rows `top` to `bottom` inclusive, class index."""

    x: Ints
    top: Ints
    bottom: Ints
    cls: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Attributes of each class: hex index (`NO_HEX` for pixels without), terrain, level, side."""

    hex: Ints
    terrain: Ints
    level: Ints
    side: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """What each class does to a line between two heights (low, high).

    `block`: it blocks whatever the ranges; `hinder`: value of the Hindrance it makes; `blind`: it
    may make blind hexes; `wall`: hexside terrain that blocks unless an end may ignore it; `active`:
    any of these, or pixels without a hex; `active_spine`: the same for spine lines, for which a
    hex's inherent terrain counts on its hexspines as well.

    `plain`: it only blocks, always for the reason `why`, or only hinders, by `values`.
    """

    block: BoolArray
    hinder: npt.NDArray[np.uint8]
    blind: BoolArray
    wall: BoolArray
    active: BoolArray
    active_spine: BoolArray
    plain: list[bool]
    why: list[Why | None]
    values: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Distance of each pixel (``y * width + x``) to another class; which classes are active."""

    distance: memoryview
    active: bytes


class SightGrid:
    """Classes of pixels of one map and their effects."""

    def __init__(self, losmap: LosMap) -> None:
        """Group the pixels of a map into classes."""
        self.losmap = losmap
        grid, self.runs, self.classes = _classify(losmap)
        self.flat = np.ascontiguousarray(grid.T).reshape(-1)
        """Class of every pixel, ``y * width + x``."""
        rows = losmap.table.rows
        codes = self.classes.terrain
        self.height = np.array([r.height for r in rows], np.int32)[codes]
        self.half = np.array([r.half for r in rows])[codes]
        self.obstacle = np.array([r.obstacle for r in rows])[codes]
        self.hexside = np.array([r.hexside for r in rows])[codes]
        self.cliff = np.array([r.cliff for r in rows])[codes]
        self.building = np.array([r.building for r in rows])[codes]
        self.split = np.array([r.split > 0 for r in rows])[codes]
        self.value = np.array([r.hindrance for r in rows], np.uint8)[codes]
        self._effects: dict[Heights, Effect] = {}
        self._fields: dict[Heights, Field | None] = {}
        self._walks: dict[Heights, int] = {}

    @property
    def columns(self) -> int:
        """Pixels per column of the flat grids."""
        return self.losmap.geometry.height

    # -- effects ---------------------------------------------------------------------------------

    def effect(self, low: int, high: int) -> Effect:
        """Effect of every class on lines between two heights."""
        found = self._effects.get((low, high))
        if found is None:
            found = self._effects[low, high] = self._effect(low, high)
        return found

    def _effect(self, low: int, high: int) -> Effect:
        rows = self.losmap.table.rows
        codes, level = self.classes.terrain, self.classes.level
        names = ("lower_obstacle", "lower_hindrance", "inherent", "bocage", "rowhouse_wall")
        lower_obstacle, lower_hindrance, inherent, bocage, rowhouse = (
            np.array([getattr(r, name) for r in rows])[codes] for name in names
        )
        hex_ = self.classes.hex
        nowhere = hex_ == NO_HEX
        centre = np.append(self.losmap.facts.centre, np.uint8(0))
        spilled = inherent & (centre[np.where(nowhere, -1, hex_)] != codes)
        alone = bocage | rowhouse
        top = level + self.height
        flat = (low == high) & (level == low)
        half = self.half & ~self.hexside
        at_eye = (low == high) & half & (top == low)
        above = ~(self.split & flat) & (2 * top + half > 2 * high) & ~alone
        equal = (top == high) & (high > low) & ~(self.half & self.building) & ~alone
        soft = self.split & ~self.obstacle
        block = (
            (level > high)
            | (self.split & flat & lower_obstacle)
            | (at_eye & self.obstacle)
            | (above & self.obstacle)
            | (equal & ~soft)
        )
        hinder = (
            (self.split & flat & lower_hindrance)
            | (at_eye & ~self.obstacle)
            | (above & ~self.obstacle)
            | (equal & soft)
        )
        lifted = top + self.cliff
        blind = (low < lifted) & (lifted < high) & ~alone
        tall = (self.height > 0) | rowhouse
        wall = ((self.hexside & ~self.cliff) | rowhouse) & np.where(
            tall, (top > low) | (self.half & (top == low)), flat
        )
        live = ~(spilled | nowhere)
        block, blind = block & live, blind & live
        hinder &= live
        wall &= ~nowhere
        # Walls nearest to the centre never matter; row houses do even there.
        wall &= rowhouse | (self.classes.side != CENTRE)
        value = np.where(hinder, self.value, 0).astype(np.uint8)
        # In the order of the rules (f) to (j).
        whys = (None, Why.GROUND, Why.TERRAIN, Why.HALF_LEVEL, Why.TERRAIN, Why.HEIGHT_ADVANTAGE)
        reason = np.select([level > high, self.split & flat, at_eye, above], [1, 2, 3, 4], 5)
        active = block | hinder | blind | wall | nowhere
        return Effect(
            block=block,
            hinder=value,
            blind=blind,
            wall=wall,
            active=active,
            active_spine=active | self._near_inherent,
            plain=((block ^ hinder) & ~blind & ~wall).tolist(),
            why=[whys[i] for i in np.where(block, reason, 0).tolist()],
            values=value.tolist(),
        )

    @cached_property
    def class_view(self) -> memoryview:
        """`flat` for single pixels."""
        wide = self.flat.dtype == np.uint32
        return memoryview(self.flat.tobytes()).cast("I" if wide else "H")

    def field(self, low: int, high: int) -> Field | None:
        """Distances a line between two heights may skip, None while or where they do not pay."""
        heights = (low, high)
        if heights in self._fields:
            return self._fields[heights]
        walks = self._walks[heights] = self._walks.get(heights, 0) + 1
        if walks <= WALKS_BEFORE_FIELD or len(self._fields) >= MAX_SIGHT_FIELDS:
            return None
        effect = self.effect(low, high)
        active = effect.active[self.flat]
        labels = np.where(active, self.flat.astype(np.int32) + 1, 0)
        distances = distance_field(labels.reshape(-1, self.losmap.geometry.width))
        found = None
        if distances is not None:
            found = Field(memoryview(distances.tobytes()), effect.active.tobytes())
        self._fields[heights] = found
        return found

    # -- hexspines ---------------------------------------------------------------------------------

    @cached_property
    def partners(self) -> npt.NDArray[np.uint8]:
        """Per pixel the side of the first neighbour whose extended outline has it, and `OWN`."""
        losmap = self.losmap
        geometry, grid = losmap.geometry, losmap.hex_grid
        info = np.full(grid.shape, NO_PARTNER, np.uint8)
        own = np.zeros(grid.shape, bool)
        bounds = (0, 0, geometry.width, geometry.height)
        rings: list[tuple[Ints, ...]] = []
        for index in np.flatnonzero(losmap.arrays.exists).tolist():
            outline = geometry.extended_outline(geometry.hex_of(index))
            part = clip(*losmap.outline_masks.mask(outline), bounds)
            if part is None:
                continue
            xs, ys, inside = part
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

    @cached_property
    def partners_flat(self) -> npt.NDArray[np.uint8]:
        """`partners`, ``y * width + x``."""
        return np.ascontiguousarray(self.partners.T).reshape(-1)

    @cached_property
    def _near_inherent(self) -> BoolArray:
        """Classes of hexes with inherent terrain or beside one, for spine lines."""
        losmap = self.losmap
        inherent = losmap.table.is_inherent[losmap.facts.centre]
        beside = losmap.arrays.beside
        around = inherent | (inherent[beside.clip(0)] & (beside >= 0)).any(axis=1)
        hex_ = self.classes.hex
        near: BoolArray = around[np.where(hex_ == NO_HEX, 0, hex_)] & (hex_ != NO_HEX)
        return near


def _classify(losmap: LosMap) -> tuple[npt.NDArray[np.uint16], Runs, Classes]:
    """Class of every pixel, the runs of classes, and what each class is."""
    height = losmap.geometry.height
    key = losmap.hex_grid.astype(np.int64) << 19
    key |= losmap.terrain.astype(np.int64) << 11
    key |= (losmap.elevation.view(np.uint8).astype(np.int64)) << 3
    key |= _wall_sides(losmap)
    flat = key.reshape(-1)
    starts = np.empty(flat.shape, bool)
    starts[0] = True
    np.not_equal(flat[1:], flat[:-1], out=starts[1:])
    starts[::height] = True
    at = np.flatnonzero(starts)
    keys, cls = np.unique(flat[at], return_inverse=True)
    lengths = np.diff(at, append=flat.size)
    if len(keys) > np.iinfo(np.uint16).max:
        grid = np.repeat(cls.astype(np.uint32), lengths)
    else:
        grid = np.repeat(cls.astype(np.uint16), lengths)
    x, top = np.divmod(at, height)
    runs = Runs(
        x.astype(np.int32),
        top.astype(np.int32),
        (top + lengths - 1).astype(np.int32),
        cls.astype(np.int32),
    )
    classes = Classes(
        hex=(keys >> 19).astype(np.int32),
        terrain=((keys >> 11) & 255).astype(np.int32),
        level=((keys >> 3) & 255).astype(np.uint8).view(np.int8).astype(np.int32),
        side=(keys & 7).astype(np.int32),
    )
    return grid.reshape(key.shape), runs, classes


def _wall_sides(losmap: LosMap) -> npt.NDArray[np.int64]:
    """Nearest hexside of pixels of hexside terrain, 0 for all others."""
    table, arrays = losmap.table, losmap.arrays
    sided = table.is_hexside | np.array([row.rowhouse_wall for row in table.rows])
    sides = np.zeros(losmap.terrain.shape, np.int64)
    xs, ys = np.nonzero(sided[losmap.terrain])
    hex_ = losmap.hex_grid[xs, ys].astype(np.int64)
    there = hex_ != NO_HEX
    xs, ys, hex_ = xs[there], ys[there], hex_[there]
    to_centre = (xs - arrays.aim[hex_, 0]) ** 2 + (ys - arrays.aim[hex_, 1]) ** 2
    to_sides = (xs[:, None] - arrays.mid[hex_, :, 0]) ** 2 + (
        ys[:, None] - arrays.mid[hex_, :, 1]
    ) ** 2
    to_sides = np.where(arrays.on_map[hex_], to_sides, np.iinfo(np.int64).max)
    best = to_sides.argmin(axis=1) if len(xs) else np.zeros(0, np.int64)
    nearer = to_sides.min(axis=1) < to_centre if len(xs) else np.zeros(0, bool)
    sides[xs, ys] = np.where(nearer, best, CENTRE)
    return sides
