"""A single line of sight, fast: the pixels in numpy, the rules only where a pixel can matter.

Gives what `walk` gives, block pixel and Hindrances included; a test holds the two together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexgrid import NO_HEX
from vassal_bridge.board.sightgrid import NO_PARTNER, OWN, SightGrid
from vassal_bridge.board.sightrules import Block, Line, SightTables, Why
from vassal_bridge.board.walk import Walked

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.losterrain import Terrain

Indices = npt.NDArray[np.int64]

CHUNK = 400
"""Columns looked at first: most lines on a board full of terrain end there."""


class Path:
    """The pixels of a line as flat indices ``x * height + y``, some columns at a time.

    Lines steeper than one pixel per column have `steep` set.
    """

    __slots__ = ("_at", "_enter", "_height", "_slope", "_step", "columns", "done", "sign", "steep")

    def __init__(self, source: tuple[int, int], target: tuple[int, int], height: int) -> None:
        """Start at the source; nothing is computed yet."""
        (sx, sy), (tx, ty) = source, target
        self.columns = abs(tx - sx) + 1
        self._slope = (ty - sy) / self.columns
        self._enter = float(sy)
        self._height = height
        self._step = height if tx >= sx else -height
        self._at = sx * height
        self.done = 0
        self.sign = 1 if ty >= sy else -1
        self.steep = not -1.0 <= self._slope <= 1.0

    def columns_ahead(self, count: int) -> tuple[Indices, Indices]:
        """Pixels where the line enters and where it leaves each of the next `count` columns."""
        count = min(count, self.columns - self.done)
        # Rows accumulate in doubles, one column after the other, as in `walk.pixels`.
        rows = np.full(count + 1, self._slope)
        rows[0] = self._enter
        np.add.accumulate(rows, out=rows)
        self._enter = rows[count]
        row = rows.astype(np.int64)
        base = np.arange(self._at, self._at + self._step * count, self._step)
        self._at += self._step * count
        self.done += count
        return base + row[:-1], base + row[1:]

    def pixels(self, first: Indices, last: Indices) -> Indices:
        """All pixels of some columns in visiting order; flat lines repeat most pixels."""
        if not self.steep:
            both = np.empty(2 * len(first), np.int64)
            both[0::2] = first
            both[1::2] = last
            return both
        counts = np.abs(last - first) + 1
        ends = np.cumsum(counts)
        within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        pixels: Indices = np.repeat(first, counts) + self.sign * within
        return pixels

    def all_pixels(self) -> Indices:
        """All pixels of the line in visiting order."""
        return self.pixels(*self.columns_ahead(self.columns))


class FastWalker:
    """Fast single walks over one map."""

    def __init__(self, losmap: LosMap, tables: SightTables, grid: SightGrid) -> None:
        """Unpack what the loop below needs as plain lists."""
        self.losmap = losmap
        self.tables = tables
        self.grid = grid
        self.height = losmap.geometry.height
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
        path = Path(tables.aim[source], tables.aim[target], self.height)
        return Walked(line, self.follow(line, path))

    def follow(self, line: Line, path: Path) -> Block | None:
        """The first block on a path; Hindrances are noted in the line."""
        grid = self.grid
        if line.spine is None:
            active = grid.active(line.low, line.high)
        else:
            active = grid.active_spine(line.low, line.high)
        if line.source_height == line.target_height:
            line.inside_building = False
        # Steep lines have few columns with many pixels each.
        count = CHUNK if not path.steep else max(8, CHUNK * path.columns // 600)
        while path.done < path.columns:
            first, last = path.columns_ahead(count)
            count = path.columns
            if line.inside_building:
                pixels = path.pixels(first, last)
                pixels = pixels[self._with_building(pixels, active)]
            elif path.steep:
                pixels = path.pixels(first, last)
                pixels = pixels[active[pixels].nonzero()]
            else:
                hits = (active[first] | active[last]).nonzero()
                pixels = path.pixels(first[hits], last[hits])
                pixels = pixels[active[pixels].nonzero()]
            if pixels.size:
                block, over = self._look(line, pixels)
                if over:
                    return block
        return None

    def _with_building(self, pixels: Indices, active: npt.NDArray[np.uint8]) -> Indices:
        """While the line is still inside the source's building, every pixel of it counts."""
        building = self.grid.building[self.grid.flat[pixels]]
        counts = active[pixels] != 0
        (outside,) = (~building).nonzero()
        counts[: outside[0] + 1 if outside.size else None] = True
        return np.flatnonzero(counts)

    def _look(self, line: Line, pixels: Indices) -> tuple[Block | None, bool]:
        """Judge active pixels; returns the block and whether the walk is over."""
        classes = self.grid.flat[pixels]
        key = classes
        if line.spine is not None:
            key = classes * np.uint32(16) + self.grid.partners_flat[pixels]
        (change,) = (key[1:] != key[:-1]).nonzero()
        starts = [0, *(change + 1).tolist()]
        keys = key[starts].tolist()
        starts.append(len(pixels))
        simple = self.grid.effect(line.low, line.high).simple
        ground = line.source_level == 0
        done: set[int] = set()
        for i, key_of in enumerate(keys):
            if key_of in done:
                continue
            cls, partner = (key_of, -1) if line.spine is None else divmod(key_of, 16)
            hex_ = self._class_hex[cls]
            if hex_ == NO_HEX:
                if self._leaves_map(line, pixels[starts[i] : starts[i + 1]]):
                    return None, True
                continue
            from_source = line.from_source[hex_]
            alone = line.spine is None or (ground and from_source % 2 == 0)
            alone = alone and from_source > 1 and line.from_target[hex_] > 1
            if simple[cls] and alone and not line.inside_building:
                done.add(key_of)
                if line.hinder(hex_, simple[cls]):
                    x, y = divmod(int(pixels[starts[i]]), self.height)
                    return Block(hex_, x, y, Why.HINDRANCE), True
                continue
            run = pixels[starts[i] : starts[i + 1]]
            if line.spine is None:
                block = self._ordinary(line, cls, hex_, run)
            else:
                block = self._spine(line, cls, partner, run)
            if block is not None:
                return block, True
        return None, False

    def _leaves_map(self, line: Line, pixels: Indices) -> bool:
        """Whether a pixel without a hex is really none: the ends' outlines may still contain it."""
        return any(self._end_at(line, *divmod(p, self.height)) is None for p in pixels.tolist())

    def _end_at(self, line: Line, x: int, y: int) -> int | None:
        """The end of the line whose extended outline contains a pixel."""
        if self.tables.in_extended(line.source, x, y):
            return line.source
        if self.tables.in_extended(line.target, x, y):
            return line.target
        return None

    def _ordinary(self, line: Line, cls: int, hex_: int, pixels: Indices) -> Block | None:
        """Pixels of one class on a line that is no spine line."""
        terrain, level = self._class_terrain[cls], self._class_level[cls]
        near = line.from_source[hex_] <= 1 or line.from_target[hex_] <= 1
        alike = not line.inside_building and not self.tables.cliff_hex[hex_]
        if not near and alike:
            x, y = divmod(int(pixels[0]), self.height)
            return line.judge(hex_, terrain, level, x, y)
        if hex_ in (line.source, line.target) and alike and not terrain.rowhouse_wall:
            return None
        alike = alike and (terrain.height > 0 or line.low == line.high)
        for pixel in pixels.tolist():
            x, y = divmod(pixel, self.height)
            at = self._end_at(line, x, y) if near or line.inside_building else None
            if not terrain.building:
                line.inside_building = False
            block = line.judge(hex_ if at is None else at, terrain, level, x, y)
            if block is not None:
                return block
            if alike and at is None:
                break
        return None

    def _spine(self, line: Line, cls: int, partner: int, pixels: Indices) -> Block | None:
        """Pixels of a spine line that share class and partner; see `walk.Walker`."""
        tables = self.tables
        hex_, terrain = self._class_hex[cls], self._class_terrain[cls]
        side = partner & 7
        other = tables.beside[hex_][side] if side != NO_PARTNER else -1
        ordinary = not line.inside_building and not terrain.rowhouse_wall
        if ordinary and hex_ in (line.source, line.target) and other < 0:
            return None
        near = min(line.from_source[hex_], line.from_target[hex_]) <= 1 or (
            other >= 0 and min(line.from_source[other], line.from_target[other]) <= 1
        )
        alike = (
            ordinary
            and not terrain.hexside  # the partner has its own nearest hexside for each pixel
            and not tables.cliff_hex[hex_]
            and (other < 0 or not tables.cliff_hex[other])
            # Without a partner here the nearest hexside decides, pixel by pixel, unless the hex
            # would be judged the same either way.
            and (other >= 0 or (bool(partner & OWN) and self._plain(hex_, terrain)))
            and not (near and line.low != line.high)
        )
        level = self._class_level[cls]
        for pixel in pixels.tolist() if near or not alike else (int(pixels[0]),):
            x, y = divmod(pixel, self.height)
            end = self._end_at(line, x, y) if near or line.inside_building else None
            if not terrain.building:
                line.inside_building = False
            if end is not None:
                block = line.judge(end, terrain, level, x, y)
            else:
                block = self._between_two(line, hex_, other, partner, terrain, level, x, y)
            if block is not None:
                return block
            if alike and end is None:
                break
        return None

    def _plain(self, hex_: int, terrain: Terrain) -> bool:
        centre = self.tables.rows[self.tables.centre[hex_]]
        return centre is terrain or not centre.inherent

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
        if line.source_level == 0 and line.from_source[hex_] % 2 == 0:
            return line.judge(hex_, terrain, level, x, y)
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
