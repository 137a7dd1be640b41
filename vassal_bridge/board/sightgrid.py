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

from vassal_bridge.board.hexgrid import NO_HEX, BoolArray
from vassal_bridge.board.sightfield import beside_another, distance_field
from vassal_bridge.board.sightpartners import pixel_partners
from vassal_bridge.board.sightrules import Why
from vassal_bridge.limits import MAX_SIGHT_FIELDS

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap

Ints = npt.NDArray[np.int32]
Heights = tuple[int, int]

CENTRE = 6
"""Side code of a pixel nearer to the centre than to any hexside."""
WALKS_BEFORE_FIELD = 2000
"""Single walks between two heights before a distance field is made for them."""
NOISE_SHARE = 0.1
"""Share of pixels beside another active class from which on no field is made."""
MAX_KEYS = 1 << 22
"""Numbers up to which keys are told apart by a table instead of by sorting."""


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
    """Distance of each pixel (``y * width + x``) to another class; which classes are active.

    Inactive pixels count as one class.
    """

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
        found = self._fields[heights] = self._field(self.effect(low, high).active)
        return found

    def _field(self, active: BoolArray) -> Field | None:
        label = np.where(active, np.arange(1, len(active) + 1), 0).astype(self.flat.dtype)
        beside = beside_another(label.take(self.flat).reshape(-1, self.losmap.geometry.width))
        if np.count_nonzero(beside) > NOISE_SHARE * beside.size:
            return None
        return Field(memoryview(distance_field(beside).tobytes()), active.tobytes())

    # -- hexspines ---------------------------------------------------------------------------------

    @cached_property
    def partners(self) -> npt.NDArray[np.uint8]:
        """Per pixel the side of the first neighbour whose extended outline has it, and `OWN`."""
        return pixel_partners(self.losmap)

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


def _classify(losmap: LosMap) -> tuple[npt.NDArray[np.unsignedinteger], Runs, Classes]:
    """Class of every pixel, the runs of classes, and what each class is."""
    height = losmap.geometry.height
    grids = (losmap.hex_grid, losmap.terrain, losmap.elevation.view(np.uint8), _wall_sides(losmap))
    starts = np.zeros(losmap.terrain.size, bool)
    for grid in grids:
        flat = grid.reshape(-1)
        starts[1:] |= flat[1:] != flat[:-1]
    starts[::height] = True
    at = np.flatnonzero(starts)
    hex_, terrain, level, side = (grid.reshape(-1)[at].astype(np.int32) for grid in grids)
    kinds, kind = _numbered((terrain << 11) | (level << 3) | side, 1 << 19)
    # Pixels without a hex come last.
    most = len(losmap.facts.centre)
    hex_[hex_ == NO_HEX] = most
    keys, cls = _numbered(hex_.astype(np.int64) * len(kinds) + kind, (most + 1) * len(kinds))
    hex_, kind = np.divmod(keys, len(kinds))
    lengths = np.diff(at, append=starts.size)
    narrow = len(keys) <= np.iinfo(np.uint16).max
    pixels = np.repeat(cls.astype(np.uint16 if narrow else np.uint32), lengths)
    x, top = np.divmod(at.astype(np.int32), np.int32(height))
    runs = Runs(x, top, top + lengths.astype(np.int32) - 1, cls.astype(np.int32))
    code = kinds[kind]
    classes = Classes(
        hex=np.where(hex_ == most, NO_HEX, hex_).astype(np.int32),
        terrain=(code >> 11).astype(np.int32),
        level=((code >> 3) & 255).astype(np.uint8).view(np.int8).astype(np.int32),
        side=(code & 7).astype(np.int32),
    )
    return pixels.reshape(losmap.terrain.shape), runs, classes


def _numbered(
    keys: npt.NDArray[np.signedinteger], most: int
) -> tuple[npt.NDArray[np.signedinteger], npt.NDArray[np.signedinteger]]:
    """The different keys (0 to `most` - 1) in order, and the place of each key among them."""
    if most > MAX_KEYS:
        return np.unique(keys, return_inverse=True)
    # Small numbers need no sorting.
    there = np.zeros(most, bool)
    there[keys] = True
    found = np.flatnonzero(there)
    places = np.empty(most, np.int32)
    places[found] = np.arange(len(found))
    return found, places[keys]


def _wall_sides(losmap: LosMap) -> npt.NDArray[np.uint8]:
    """Nearest hexside of pixels of hexside terrain, 0 for all others."""
    table, arrays = losmap.table, losmap.arrays
    sided = table.is_hexside | np.array([row.rowhouse_wall for row in table.rows])
    sides = np.zeros(losmap.terrain.shape, np.uint8)
    at = np.flatnonzero(sided.take(losmap.terrain.reshape(-1)))
    hex_ = losmap.hex_grid.reshape(-1)[at].astype(np.int64)
    at, hex_ = at[hex_ != NO_HEX], hex_[hex_ != NO_HEX]
    xs, ys = np.divmod(at, losmap.geometry.height)
    to_centre = (xs - arrays.aim[hex_, 0]) ** 2 + (ys - arrays.aim[hex_, 1]) ** 2
    to_sides = (xs[:, None] - arrays.mid[hex_, :, 0]) ** 2 + (
        ys[:, None] - arrays.mid[hex_, :, 1]
    ) ** 2
    to_sides = np.where(arrays.on_map[hex_], to_sides, np.iinfo(np.int64).max)
    if len(at):
        nearer = to_sides.min(axis=1) < to_centre
        sides[xs, ys] = np.where(nearer, to_sides.argmin(axis=1), CENTRE)
    return sides
