"""The map a line of sight runs over: joined boards with the facts of their hexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from vassal_bridge.board.facts import NO_WALL, HexFacts, TerrainGrid
from vassal_bridge.board.hexes import hex_distance
from vassal_bridge.board.hexgrid import NO_HEX, HexGrid, OutlineMasks, hex_grid
from vassal_bridge.board.losjoin import Joined, PlacedBoard, join
from vassal_bridge.board.losterrain import TerrainTable, terrain_table
from vassal_bridge.errors import BoardError

if TYPE_CHECKING:
    from vassal_bridge.board.sightkit import SightKit

__all__ = ["LosMap", "PlacedBoard", "build_los_map"]


class LosMap:
    """One map for lines of sight. Made by `build_los_map`; never changes.

    `geometry`, `arrays` and `facts` describe the joined hexes; `terrain` and `elevation` are the
    joined grids ``[x, y]``; `boards` names the boards in order of insertion, `misfits` those whose
    hexes do not fall on the lattice of the map and that were left out (spacers, mostly).
    """

    def __init__(self, joined: Joined, table: TerrainTable) -> None:
        """Take over arrays that nobody will change any more."""
        self._joined = joined
        self.table = table
        self.geometry = joined.geometry
        self.arrays = joined.arrays
        self.facts = joined.facts
        self.terrain = joined.terrain
        self.elevation = joined.elevation
        self.boards = tuple(joined.boards)
        self.misfits = tuple(joined.misfits)
        self._names = tuple(joined.names)
        self._index = {name: i for i, name in enumerate(self._names) if name is not None}
        facts = (getattr(joined.facts, f) for f in HexFacts.__slots__)
        for array in (joined.terrain, joined.elevation, *facts):
            array.flags.writeable = False

    @cached_property
    def kit(self) -> SightKit:
        """Line of sight machinery of the map, shared by all engines on it."""
        from vassal_bridge.board.sightkit import SightKit

        return SightKit(self)

    # -- names -------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all hexes of the map, in column order."""
        return tuple(self._index)

    def index(self, name: str) -> int:
        """Index of a hex into the arrays; a seam's half hex answers to both boards' names.

        Raises:
            BoardError: no such hex on the map.
        """
        found = self.find(name)
        if found is None:
            raise BoardError(f"no hex {name} on the map")
        return found

    def find(self, name: str) -> int | None:
        """Index of a hex as `index` has it, None if the map has no such hex."""
        found = self._index.get(name)
        return self._joined.aliases.get(name) if found is None else found

    def __contains__(self, name: object) -> bool:
        return name in self._index or name in self._joined.aliases

    def name(self, index: int) -> str | None:
        """Name of a hex, None for slivers at a cropped edge and for gaps between boards."""
        return self._names[index]

    # -- geometry ------------------------------------------------------------------------------

    @cached_property
    def hex_grid(self) -> HexGrid:
        """Hex index of every pixel, `hexgrid.NO_HEX` where there is none."""
        return hex_grid(self.geometry, self.outline_masks)

    @cached_property
    def outline_masks(self) -> OutlineMasks:
        """Masks of hex outlines, shared by all that rasters them."""
        return OutlineMasks()

    def hex_at(self, x: int, y: int) -> str | None:
        """Name of the hex of a pixel of the joined picture."""
        if not (0 <= x < self.geometry.width and 0 <= y < self.geometry.height):
            return None
        index = int(self.hex_grid[x, y])
        return None if index == NO_HEX else self._names[index]

    def aim(self, name: str) -> tuple[int, int]:
        """Aiming point of a hex in pixels of the joined picture."""
        x, y = self.arrays.aim[self.index(name)]
        return int(x), int(y)

    def range(self, a: str, b: str) -> int:
        """Range in hexes between two named hexes."""
        hex_of = self.geometry.hex_of
        return hex_distance(hex_of(self.index(a)), hex_of(self.index(b)))

    def neighbour(self, name: str, side: int) -> str | None:
        """Name of the hex across a side (0 = top, clockwise), None off the map."""
        index = int(self.arrays.beside[self.index(name), side])
        return None if index < 0 else self._names[index]

    # -- painting --------------------------------------------------------------------------------

    def painted(self, codes: Mapping[str, int]) -> LosMap:
        """The map with whole hexes filled with a terrain code; elevations stay.

        The hex's pixels, centre terrain and hexsides become that terrain; walls and hedges drawn on
        the neighbour's side of a hexside remain. A painted building has no upper levels.

        Raises:
            BoardError: a name is not on the map.
        """
        if not codes:
            return self
        terrain = self.terrain.copy()
        facts = HexFacts(*(getattr(self.facts, f).copy() for f in HexFacts.__slots__))
        indices = {self.index(name): code for name, code in codes.items()}
        for index, code in indices.items():
            self._fill(terrain, index, code)
            facts.centre[index] = code
            facts.storeys[index] = 0
            facts.stairway[index] = False
            facts.depression[index] = self.table.rows[code].depression
        for index, code in indices.items():
            self._paint_sides(facts, terrain, index, code)
        painted = LosMap(replace(self._joined, facts=facts, terrain=terrain), self.table)
        # The hexes lie where they lay.
        vars(painted).update(hex_grid=self.hex_grid, outline_masks=self.outline_masks)
        return painted

    def _fill(self, terrain: TerrainGrid, index: int, code: int) -> None:
        outline = self.geometry.extended_outline(self.geometry.hex_of(index))
        x0, x1 = (max(0, f(p[0] for p in outline) + d) for f, d in ((min, -2), (max, 3)))
        y0, y1 = (max(0, f(p[1] for p in outline) + d) for f, d in ((min, -2), (max, 3)))
        terrain[x0:x1, y0:y1][self.hex_grid[x0:x1, y0:y1] == index] = code

    def _paint_sides(self, facts: HexFacts, terrain: TerrainGrid, index: int, code: int) -> None:
        hexside = self.table.is_hexside
        for side in range(6):
            other = int(self.arrays.beside[index, side])
            theirs = code
            if other >= 0:
                x, y = (int(v) for v in self.arrays.mid[other, (side + 3) % 6])
                if 0 <= x < terrain.shape[0] and 0 <= y < terrain.shape[1]:
                    theirs = int(terrain[x, y])
            wall = code if hexside[code] else theirs if hexside[theirs] else NO_WALL
            pairs = [(index, side, code)]
            if other >= 0:
                pairs.append((other, (side + 3) % 6, theirs))
            for hex_, s, own in pairs:
                if not facts.on_map[hex_, s]:
                    continue
                facts.wall[hex_, s] = wall
                facts.side_terrain[hex_, s] = own if wall == NO_WALL else wall
                facts.cliff[hex_, s] = wall != NO_WALL and self.table.rows[wall].cliff


def build_los_map(boards: Iterable[PlacedBoard], table: TerrainTable | None = None) -> LosMap:
    """Join boards into one map.

    Boards of another hex size than the first, or whose hexes do not fall on the first board's
    lattice, are left out and named in `LosMap.misfits`.

    Raises:
        BoardError: no board, a crop outside its board, grids that do not match the geometry.
        LimitReached: the map passes the limits of a single board.
    """
    table = table or terrain_table()
    return LosMap(join(boards, table), table)
