"""A single line of sight, fast: the pixels in numpy, the rules only where a pixel can matter.

Gives what `walk` gives, block pixel and Hindrances included; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX
from vassal_bridge.board.sightgrid import SightGrid
from vassal_bridge.board.sightpartners import NO_PARTNER, OWN
from vassal_bridge.board.sightrules import Block, Line, SightTables, Why
from vassal_bridge.board.walk import Walked

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.losterrain import Terrain
    from vassal_bridge.board.sightgrid import Effect, Field

    _Judge = Callable[[Line, Effect, int, int, set[int]], Block | None]

Indices = npt.NDArray[np.int64]

CHUNK = 1000
"""Pixels looked at first: most lines on a board full of terrain end there."""

ALMOST_ZERO, ALMOST_ONE = 1e-7, 1 - 1e-7
"""Between these, the fraction of a row tells its pixel whatever the rounding."""

_NOWHERE = Block(NO_HEX, -1, -1, Why.GROUND)
"""Stands for the end of a walk at a pixel without a hex, which is no block."""


class Path:
    """The pixels of a line as flat indices ``y * width + x``, some columns at a time.

    Row by row, because most lines are flat: their pixels then lie close together in memory.

    Lines steeper than one pixel per column have `steep` set.
    """

    __slots__ = ("_at", "_enter", "_slope", "_step", "columns", "done", "steep", "width")

    def __init__(self, source: tuple[int, int], target: tuple[int, int], width: int) -> None:
        """Start at the source; nothing is computed yet."""
        (sx, sy), (tx, ty) = source, target
        self.columns = abs(tx - sx) + 1
        self._slope = (ty - sy) / self.columns
        self._enter = float(sy)
        self._at = sx
        self._step = 1 if tx >= sx else -1
        self.width = width if ty >= sy else -width
        self.done = 0
        self.steep = not -1.0 <= self._slope <= 1.0

    @property
    def start(self) -> tuple[tuple[int, float], float, int]:
        """First pixel as x and exact y, rows per column, and the step from column to column."""
        return (self._at, self._enter), self._slope, self._step

    def first_look(self) -> int:
        """Columns of about `CHUNK` pixels; flat lines have two in each."""
        per_column = abs(self._slope) + 1 if self.steep else 2
        return max(1, int(CHUNK / per_column))

    def ahead(self, count: int) -> Indices:
        """Pixels of the next `count` columns in visiting order; flat lines repeat most pixels."""
        count = min(count, self.columns - self.done)
        first = self._at
        self._at += self._step * count
        self.done += count
        if self._slope == 0.0:
            return np.arange(first, self._at, self._step) + int(self._enter) * abs(self.width)
        # Rows accumulate in doubles, one column after the other, as in `walk.pixels`.
        rows = np.empty(count + 1)
        rows.fill(self._slope)
        rows[0] = self._enter
        np.add.accumulate(rows, out=rows)
        self._enter = rows[count]
        row = rows.astype(np.int64)
        if self.steep:
            return self._steep(first, row)
        row *= abs(self.width)
        base = np.arange(first, self._at, self._step)
        both = np.empty(2 * count, np.int64)
        np.add(base, row[:-1], out=both[0::2])
        np.add(base, row[1:], out=both[1::2])
        return both

    def _steep(self, x: int, row: Indices) -> Indices:
        """Pixels from column x on: along each column, then one step aside within the row."""
        width = self.width
        along = row - row[0] if width > 0 else row[0] - row
        starts = along + np.arange(len(row))
        pixels = np.empty(int(starts[-1]), np.int64)
        pixels.fill(width)
        pixels[starts[:-1]] = self._step
        pixels[0] = int(row[0]) * abs(width) + x
        np.add.accumulate(pixels, out=pixels)
        return pixels

    def all_pixels(self) -> Indices:
        """All pixels of the line in visiting order."""
        return self.ahead(self.columns)


class FastWalker:
    """Fast single walks over one map."""

    def __init__(self, losmap: LosMap, tables: SightTables, grid: SightGrid) -> None:
        """Unpack what the loops below need as plain lists."""
        self.losmap = losmap
        self.tables = tables
        self.grid = grid
        self.width = losmap.geometry.width
        rows = losmap.table.rows
        classes = grid.classes
        self._class_hex: list[int] = classes.hex.tolist()
        self._class_terrain: list[Terrain] = [rows[c] for c in classes.terrain.tolist()]
        self._class_level: list[int] = classes.level.tolist()

    def walk(self, source: int, source_level: int, target: int, target_level: int) -> Walked:
        """Check the line between two Locations (hex indices, levels above the hex)."""
        tables = self.tables
        line = Line(tables, source, source_level, target, target_level)
        if source == target:
            return Walked(line, line.same_hex)
        path = Path(tables.aim[source], tables.aim[target], self.width)
        block = self.follow(line, path)
        return Walked(line, None if block is _NOWHERE else block)

    def follow(self, line: Line, path: Path) -> Block | None:
        """The first block on a path; Hindrances are noted in the line."""
        effect = self.grid.effect(line.low, line.high)
        if line.source_height == line.target_height:
            line.inside_building = False
        if line.spine is None and not (path.steep or line.inside_building):
            field = self.grid.field(line.low, line.high)
            if field is not None:
                sure, block = self._trace(line, effect, field, path)
                if sure:
                    return block
        done: set[int] = set()
        count = path.first_look()
        block = None
        while path.done < path.columns and block is None:
            pixels = path.ahead(count)
            count = path.columns
            if line.inside_building:
                pixels, block = self._inside(line, effect, pixels)
            if block is None:
                block = self._look(line, effect, pixels, done)
        return block

    def _trace(
        self, line: Line, effect: Effect, field: Field, path: Path
    ) -> tuple[bool, Block | None]:
        """Follow a flat line by leaps; False if a row cannot be told without accumulating.

        Rows by multiplication differ from accumulated ones in the last bits only, so they give the
        same pixel unless they come next to a whole number.
        """
        start, slope, step = path.start
        distance_at, active, width = field.distance, field.active, self.width
        class_at = self.grid.class_view
        done: set[int] = set()
        column = 0
        while column < path.columns:
            y = start[1] + column * slope
            row = int(y)
            if column and not ALMOST_ZERO < y - row < ALMOST_ONE:
                return False, None
            pixel = row * width + start[0] + step * column
            cls = class_at[pixel]
            leap = distance_at[pixel]
            if active[cls] and cls not in done:
                block = self._ordinary(line, effect, cls, pixel, done)
                if block is not None:
                    return True, block
                if cls not in done:
                    leap = 1
            if leap > 1:
                column += leap - 1
                continue
            y += slope
            leave = int(y)
            if not ALMOST_ZERO < y - leave < ALMOST_ONE:
                return False, None
            if leave != row:
                pixel += (leave - row) * width
                cls = class_at[pixel]
                if active[cls] and cls not in done:
                    block = self._ordinary(line, effect, cls, pixel, done)
                    if block is not None:
                        return True, block
            column += 1
        return True, None

    # -- which pixels are judged -----------------------------------------------------------------

    def _look(self, line: Line, effect: Effect, pixels: Indices, done: set[int]) -> Block | None:
        """Judge the active pixels, run by run of the same class.

        `done` holds the classes that need no further look.
        """
        # `take` is several times faster than an index that is not of the machine's own size.
        key = self.grid.flat.take(pixels)
        active = effect.active if line.spine is None else effect.active_spine
        (which,) = active.take(key).nonzero()
        if not which.size:
            return None
        pixels, key = pixels.take(which), key.take(which)
        judge: _Judge = self._ordinary
        if line.spine is not None:
            key = key * np.uint32(16) + self.grid.partners_flat.take(pixels)
            judge = self._spine
        (change,) = (key[1:] != key[:-1]).nonzero()
        change += 1
        starts = [0, *change.tolist(), len(pixels)]
        for i, key_of in enumerate((int(key[0]), *key[change].tolist())):
            if key_of in done:
                continue
            block = judge(line, effect, key_of, int(pixels[starts[i]]), done)
            if block is not None:
                return block
            if key_of not in done:
                for pixel in pixels[starts[i] + 1 : starts[i + 1]].tolist():
                    block = judge(line, effect, key_of, pixel, done)
                    if block is not None:
                        return block
                    if key_of in done:
                        break
        return None

    def _inside(self, line: Line, effect: Effect, pixels: Indices) -> tuple[Indices, Block | None]:
        """While the line is still inside the source's building, every pixel of it counts.

        Returns the pixels after that, and a block met before.
        """
        (outside,) = (~self.grid.building.take(self.grid.flat.take(pixels))).nonzero()
        count = int(outside[0]) if outside.size else len(pixels)
        judge = self._ordinary if line.spine is None else self._spine
        for pixel in dict.fromkeys(pixels[:count].tolist()):
            key = int(self.grid.flat[pixel])
            if line.spine is not None:
                key = key * 16 + int(self.grid.partners_flat[pixel])
            block = judge(line, effect, key, pixel, set())
            if block is not None:
                return pixels, block
        if outside.size:
            line.inside_building = False
        return pixels[count:], None

    # -- one pixel ------------------------------------------------------------------------------

    def _ordinary(
        self, line: Line, effect: Effect, cls: int, pixel: int, done: set[int]
    ) -> Block | None:
        """A pixel of a line that is no spine line; notes the class as done if it is."""
        hex_ = self._class_hex[cls]
        if hex_ == NO_HEX:
            return self._nowhere(line, pixel)
        terrain, level = self._class_terrain[cls], self._class_level[cls]
        from_source, from_target = line.from_source[hex_], line.from_target[hex_]
        alike = not line.inside_building and not self.tables.cliff_hex[hex_]
        if from_source > 1 and from_target > 1:
            if alike:
                done.add(cls)
                if effect.plain[cls]:
                    return self._plainly(line, effect, cls, hex_, pixel)
        else:
            ends = from_source == 0 or from_target == 0
            if ends and not line.inside_building and not terrain.rowhouse_wall:
                done.add(cls)
                return None
            at = self._end_at(line, pixel)
            if at is not None:
                hex_ = at
            elif alike and (terrain.height > 0 or line.low == line.high):
                done.add(cls)
        y, x = divmod(pixel, self.width)
        return line.judge(hex_, terrain, level, x, y)

    def _plainly(self, line: Line, effect: Effect, cls: int, hex_: int, pixel: int) -> Block | None:
        """A pixel of a class that only blocks or only hinders, in a hex beside neither end."""
        why = effect.why[cls]
        if why is None:
            if not line.hinder(hex_, effect.values[cls]):
                return None
            why = Why.HINDRANCE
        elif not (line.from_source[hex_] < line.range > line.from_target[hex_]):
            return None
        y, x = divmod(pixel, self.width)
        return Block(hex_, x, y, why)

    def _spine(
        self, line: Line, effect: Effect, key: int, pixel: int, done: set[int]
    ) -> Block | None:
        """A pixel of a spine line (9.4); `key` is its class and partner."""
        tables = self.tables
        cls, partner = divmod(key, 16)
        hex_ = self._class_hex[cls]
        if hex_ == NO_HEX:
            return self._nowhere(line, pixel)
        terrain, level = self._class_terrain[cls], self._class_level[cls]
        side = partner & 7
        other = tables.beside[hex_][side] if side != NO_PARTNER else -1
        ordinary = not line.inside_building and not terrain.rowhouse_wall
        near = min(line.from_source[hex_], line.from_target[hex_])
        alone = line.source_level == 0 and line.from_source[hex_] % 2 == 0
        if other >= 0:
            near = min(near, line.from_source[other], line.from_target[other])
        if near == 0 and ordinary and other < 0:
            done.add(key)
            return None
        y, x = divmod(pixel, self.width)
        at = self._end_at(line, pixel) if near <= 1 else None
        if at is not None:
            return line.judge(at, terrain, level, x, y)
        if (
            ordinary
            and not tables.cliff_hex[hex_]
            and (near > 1 or line.low == line.high)
            and (alone or self._alike(hex_, other, partner, terrain))
        ):
            done.add(key)
        if alone:
            if near > 1 and key in done and effect.plain[cls]:
                return self._plainly(line, effect, cls, hex_, pixel)
            return line.judge(hex_, terrain, level, x, y)
        return self._between_two(line, hex_, other, partner, terrain, level, x, y)

    def _alike(self, hex_: int, other: int, partner: int, terrain: Terrain) -> bool:
        """Whether pixels of one class and partner are judged alike in two hexes.

        For walls the partner has its own nearest hexside at each pixel; without a partner the
        nearest hexside decides pixel by pixel, unless the hex would be judged the same either way.
        """
        tables = self.tables
        if terrain.hexside:
            return False
        if other >= 0:
            return not tables.cliff_hex[other]
        centre = tables.rows[tables.centre[hex_]]
        return bool(partner & OWN) and (centre is terrain or not centre.inherent)

    def _between_two(
        self,
        line: Line,
        hex_: int,
        other: int,
        partner: int,
        terrain: Terrain,
        level: int,
        x: int,
        y: int,
    ) -> Block | None:
        tables = self.tables
        hexes = [hex_] if partner & OWN else []
        if other >= 0:
            hexes.append(other)
        else:
            side = tables.nearest_side(hex_, x, y)
            across = -1 if side is None else tables.beside[hex_][side]
            if across < 0 or across in (line.source, line.target):
                return line.judge(hex_, terrain, level, x, y)
        for side_hex in hexes:
            if side_hex in (line.source, line.target):
                continue
            centre = tables.rows[tables.centre[side_hex]]
            if centre.inherent:
                if terrain.hexside:
                    block = line.judge(side_hex, terrain, level, x, y)
                    if block is not None:
                        return block
                terrain = centre
            block = line.judge(side_hex, terrain, level, x, y)
            if block is not None:
                return block
        return None

    def _nowhere(self, line: Line, pixel: int) -> Block | None:
        """A pixel without a hex ends the walk, clear, unless an end's outline contains it."""
        at = self._end_at(line, pixel)
        return _NOWHERE if at is None else None

    def _end_at(self, line: Line, pixel: int) -> int | None:
        """The end of the line whose extended outline contains a pixel."""
        y, x = divmod(pixel, self.width)
        if self.tables.in_extended(line.source, x, y):
            return line.source
        if self.tables.in_extended(line.target, x, y):
            return line.target
        return None
