"""The pixels of a line of sight, and the plain walk over all of them (los/algorithm.md 9.2 to 9.4).

`walk` follows the description step by step and skips nothing; it is the twin the fast engine of
`sight` is checked against, and the first place to look when the two disagree with VASL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vassal_bridge.board.hexes import Point
from vassal_bridge.board.sightrules import Block, Line, SightTables

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.losterrain import Terrain


@dataclass(frozen=True, slots=True)
class Walked:
    """What a plain walk found: the block if any, and the line with its hindrances."""

    line: Line
    block: Block | None


def pixels(source: Point, target: Point) -> Iterator[Point]:
    """Pixels of a line in the order they are visited (9.2).

    The rows are accumulated in doubles, column by column: multiplying instead would differ in the
    last bit and so in the pixel, now and then.
    """
    (sx, sy), (tx, ty) = source, target
    columns = abs(tx - sx) + 1
    slope = (ty - sy) / columns
    step_x, step_y = 1 if tx >= sx else -1, 1 if ty >= sy else -1
    enter, leave = float(sy), sy + slope
    x = sx
    for _ in range(columns):
        first = int(enter)
        for k in range(abs(int(leave) - first) + 1):
            yield x, first + k * step_y
        enter = leave
        leave += slope
        x += step_x


class Walker:
    """Plain walks over one map."""

    def __init__(self, losmap: LosMap, tables: SightTables | None = None) -> None:
        """Prepare the map's grids for single pixels."""
        self.losmap = losmap
        self.tables = tables or SightTables(losmap)

    def walk(self, source: int, source_level: int, target: int, target_level: int) -> Walked:
        """Check the line between two Locations (hex indices, levels above the hex)."""
        line = Line(self.tables, source, source_level, target, target_level)
        if source == target:
            return Walked(line, line.same_hex)
        losmap, tables = self.losmap, self.tables
        rows, none = tables.rows, 65535
        for x, y in pixels(tables.aim[source], tables.aim[target]):
            terrain = rows[losmap.terrain[x, y]]
            level = int(losmap.elevation[x, y])
            at_end = True
            if tables.in_extended(source, x, y):
                hex_ = source
            elif tables.in_extended(target, x, y):
                hex_ = target
            else:
                hex_ = int(losmap.hex_grid[x, y])
                at_end = False
            if hex_ == none:
                return Walked(line, None)
            if not terrain.building:
                line.inside_building = False
            if line.spine is None or at_end:
                block = line.judge(hex_, terrain, level, x, y)
            else:
                block = self._between_two(line, hex_, terrain, level, x, y)
            if block is not None:
                return Walked(line, block)
        return Walked(line, None)

    def _between_two(
        self, line: Line, hex_: int, terrain: Terrain, level: int, x: int, y: int
    ) -> Block | None:
        """9.4: a line along a hexspine counts in the hexes on both sides of it."""
        if line.source_level == 0 and line.from_source[hex_] % 2 == 0:
            return line.judge(hex_, terrain, level, x, y)
        partner = self._partner(line, hex_, x, y)
        if partner is None:
            return line.judge(hex_, terrain, level, x, y)
        tables = self.tables
        for side_hex in (hex_, partner):
            if side_hex in (line.source, line.target) or not tables.in_extended(side_hex, x, y):
                continue
            centre = tables.rows[tables.centre[side_hex]]
            if centre.inherent:
                if terrain.hexside:
                    block = line.judge(side_hex, terrain, level, x, y)
                    if block is not None:
                        return block
                # The replaced terrain stays for the partner's turn, as in the engine.
                terrain = centre
            block = line.judge(side_hex, terrain, level, x, y)
            if block is not None:
                return block
        return None

    def _partner(self, line: Line, hex_: int, x: int, y: int) -> int | None:
        tables, ends = self.tables, (line.source, line.target)
        for other in tables.beside[hex_]:
            if other >= 0 and other not in ends and tables.in_extended(other, x, y):
                return other
        side = tables.nearest_side(hex_, x, y)
        if side is None:
            return None
        other = tables.beside[hex_][side]
        return other if other >= 0 and other not in ends else None
