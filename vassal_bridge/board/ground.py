"""The map as the rules ask for it: a `Ground` (vassal_bridge/rout/position.py) made of boards.

Everything is worked out hex by hex when it is first asked for and kept, so that a report pays only
for the hexes it looks at. What counters do not change is kept in one place (`BareGround`) for all
grounds of the same boards: a log has hundreds of steps on one map.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import hypot
from typing import TYPE_CHECKING, Protocol

from vassal_bridge.board.ground_obstacles import Obstacle, smoke_of, wreck_in
from vassal_bridge.board.ground_source import Source
from vassal_bridge.board.layout import BoardProblem, Layout
from vassal_bridge.board.terrain import UNKNOWN, TerrainKind, terrain_map
from vassal_bridge.errors import BoardError
from vassal_bridge.rout.position import IMPASSABLE_MF2, Cover, Sight

if TYPE_CHECKING:
    from vassal_bridge.board.layout_picture import MapPicture
    from vassal_bridge.board.losmap import LosMap

Obstacles = Mapping[str, tuple[Obstacle, ...]]
"""Counters that hinder, by hex."""
Overlays = Sequence[tuple[str, str]]
"""Overlays that lie on the map as pieces: name and hex."""
_GroundKey = tuple[frozenset[tuple[str, tuple[Obstacle, ...]]], tuple[tuple[str, str], ...]]

ROAD_TERRAIN = frozenset({"road", "woods-road", "orchard-road"})
"""Hexes with a road by R87."""
MAX_GROUNDS = 8
"""Grounds with different counters that one map keeps."""
SMOKE_MF2 = 2
"""Cost of smoke in the entered hex, in half MF (R19)."""


@dataclass(frozen=True)
class HexTerrain:
    """What the rule book calls a hex and what stands in it (rout's `Terrain`).

    `number` gives the number of the connected building; it is asked for only when a rule needs it,
    because finding it looks at the whole map.
    """

    name: str
    shelter: str | None
    cover: Cover
    level: int
    smoke: int
    wreck: bool
    understood: bool
    number: Callable[[], int | None] = field(repr=False, compare=False)

    @cached_property
    def building(self) -> int | None:
        """Number of the connected building the hex belongs to (R32), None for other terrain."""
        return self.number()


@dataclass(frozen=True, slots=True)
class HexEntry:
    """What entering a hex from a neighbour costs (rout's `Entry`), in half MF."""

    mf2: int
    woods_mf2: int | None
    by_road: bool
    uphill: bool
    smoke_doubled_mf2: int


class Sights(Protocol):
    """Gives lines of sight between hexes at ground level."""

    def sight(self, viewer: str, target: str) -> Sight:
        """LOS from one hex to another."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The parts of an entry cost, without smoke."""

    bare_mf2: int
    claimed_mf2: int | None
    extra_mf2: int
    by_road: bool
    uphill: bool


class BareGround:
    """What a map is without counters; shared by all grounds made of it.

    Args:
        layout: where the hexes lie.
        source: facts about single hexes.
        sights: gives the lines of sight for a set of counters.
        painted: terrain names of painted hexes.
        buildings: numbers of painted buildings by hex.
        unclear: hexes that are not understood, overlays mostly.
        problems: what was not understood.
        losmap: the joined map for lines of sight, None without.
        seasonal: grain or orchards lie on the map.
    """

    def __init__(
        self,
        layout: Layout,
        source: Source,
        sights: Callable[[Obstacles], Sights],
        *,
        painted: Mapping[str, str],
        buildings: Mapping[str, int],
        unclear: frozenset[str] = frozenset(),
        problems: Sequence[BoardProblem] = (),
        losmap: LosMap | None = None,
        seasonal: bool = False,
    ) -> None:
        self.layout = layout
        self.source = source
        self.sights = sights
        self.painted = painted
        self.buildings = buildings
        self.unclear = unclear
        self.problems = tuple(problems)
        self.losmap = losmap
        self.seasonal = seasonal
        self._names: dict[str, str] = {}
        self._terrain: dict[str, HexTerrain] = {}
        self._beside: dict[str, tuple[str | None, ...]] = {}
        self._ways: dict[tuple[str, str], _Way] = {}
        self._grounds: OrderedDict[_GroundKey, BoardGround] = OrderedDict()

    def ground(self, obstacles: Obstacles, overlays: Overlays = ()) -> BoardGround:
        """The ground with these counters on it; the same object for the same counters."""
        standing = frozenset((at, found) for at, found in obstacles.items() if found)
        key = (standing, tuple(overlays))
        made = self._grounds.get(key)
        if made is None:
            made = self._grounds[key] = BoardGround(self, dict(standing), key[1])
            while len(self._grounds) > MAX_GROUNDS:
                self._grounds.popitem(last=False)
        self._grounds.move_to_end(key)
        return made

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Hexes over which something not understood lies, whatever counters there are."""
        return self.unclear.union(
            at
            for at in self.layout.drawn()
            if at not in self.painted and not self.source.understood(at)
        )

    def neighbours(self, at: str) -> tuple[str | None, ...]:
        """See `BoardGround.neighbours`."""
        found = self._beside.get(at)
        if found is None:
            found = self._beside[at] = self.layout.neighbours(at)
        return found

    def name(self, at: str) -> str:
        """Terrain of a hex by R87, painted terrain first."""
        found = self._names.get(at)
        if found is None:
            found = self._names[at] = self.painted.get(at) or self.source.terrain_name(at)
        return found

    def kind(self, at: str) -> TerrainKind:
        """Costs and cover of the terrain of a hex."""
        kinds = terrain_map().kinds
        return kinds.get(self.name(at), kinds[UNKNOWN])

    def terrain(self, at: str) -> HexTerrain:
        """Terrain of a hex without counters."""
        found = self._terrain.get(at)
        if found is None:
            kind = self.kind(at)
            found = self._terrain[at] = HexTerrain(
                name=kind.name,
                shelter=kind.shelter,
                cover=kind.cover,
                level=self.source.level(at),
                smoke=0,
                wreck=False,
                understood=kind.known
                and at not in self.unclear
                and (at in self.painted or self.source.understood(at)),
                number=partial(self.building, at),
            )
        return found

    def building(self, at: str) -> int | None:
        """Number of the building of a hex.

        Buildings of the board count from 1, painted ones and those without pixels below 0.
        """
        if self.kind(at).shelter != "building":
            return None
        painted = self.buildings.get(at)
        if painted is not None:
            return painted
        found = self.source.building(at)
        # A correction may call a hex a building that has no building pixels: it stands alone.
        return found if found is not None else -1_000_000 - self.layout.drawn().index(at)

    def way(self, start: str, to: str) -> _Way:
        """The parts of the cost of entering a hex from a neighbour."""
        found = self._ways.get((start, to))
        if found is None:
            found = self._ways[start, to] = self._make_way(start, to)
        return found

    def _make_way(self, start: str, to: str) -> _Way:
        side = self.layout.side(to, start)
        if side is None:
            raise BoardError(f"{start} and {to} are not adjacent")
        kind = self.kind(to)
        hexside = self.source.hexside(to, side)
        extra = 0 if hexside is None else hexside.mf2
        if hexside is not None and hexside.impassable:
            extra = IMPASSABLE_MF2
        # Along a road means from one road hex to the next: a hex that a road only brushes is none
        # by R87, and entering woods from it costs woods (so the rulings have it).
        by_road = (
            kind.name in ROAD_TERRAIN
            and self.name(start) in ROAD_TERRAIN
            and to not in self.painted
            and start not in self.painted
            and self.source.road_crosses(to, side)
        )
        cheaper = by_road and kind.road_mf2 is not None
        return _Way(
            bare_mf2=kind.road_mf2 if cheaper and kind.road_mf2 is not None else kind.mf2,
            claimed_mf2=kind.mf2 if cheaper else None,
            extra_mf2=extra,
            by_road=by_road,
            uphill=self.source.level(to) > self.source.level(start),
        )


def drawn_overlay(layout: Layout, name: str, at: str) -> BoardProblem:
    """The problem an overlay that lies on the map as a piece is: its hex and those around it."""
    hexes = tuple(near for near in (at, *layout.neighbours(at)) if near is not None)
    return BoardProblem("overlay", f"overlay {name} is not understood", hexes)


def hexes_between(layout: Layout, viewer: str, target: str) -> Iterator[str]:
    """Hexes that the straight line between two hexes crosses or touches, in order, both included.

    Looked up every four pixels on the line and beside it, so that one that runs along a hexside
    counts for the hexes on either side.
    """
    (x0, y0), (x1, y1) = layout.snap(viewer), layout.snap(target)
    long = max(1.0, hypot(x1 - x0, y1 - y0))
    aside = (4 * (y1 - y0) / long, -4 * (x1 - x0) / long)
    yield viewer
    found = {viewer, target}
    count = max(1, int(long / 4))
    for n in range(1, count):
        x, y = x0 + (x1 - x0) * n / count, y0 + (y1 - y0) * n / count
        for side in (0, 1, -1):
            at = layout.ground_hex_at(round(x + side * aside[0]), round(y + side * aside[1]))
            if at is not None and at not in found:
                found.add(at)
                yield at
    if target != viewer:
        yield target


def _away_from_line(
    point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]
) -> float:
    """How far a point is from the straight line between two others, in pixels."""
    (x, y), (x0, y0) = point, start
    dx, dy = end[0] - x0, end[1] - y0
    share = ((x - x0) * dx + (y - y0) * dy) / ((dx * dx + dy * dy) or 1)
    share = min(1.0, max(0.0, share))
    return hypot(x - x0 - share * dx, y - y0 - share * dy)


class BoardGround:
    """A map of boards with counters on it, as the rules see it. Make it with `build_ground`."""

    def __init__(self, bare: BareGround, obstacles: Obstacles, overlays: Overlays = ()) -> None:
        self._bare = bare
        self._layout = bare.layout
        self._obstacles = obstacles
        self._overlays = overlays
        self._overlay_problems = tuple(drawn_overlay(bare.layout, *found) for found in overlays)
        self._covered = frozenset(at for found in self._overlay_problems for at in found.hexes)
        self._smoke = {at: smoke_of(found) for at, found in obstacles.items()}
        self._entries: dict[tuple[str, str], HexEntry] = {}
        self._terrain: dict[str, HexTerrain] = {}
        self._sight: dict[tuple[str, str], Sight] = {}
        self._unclear_lines: dict[tuple[str, str], str | None] = {}

    @property
    def layout(self) -> Layout:
        """Where the hexes lie: pixels to hexes and back."""
        return self._bare.layout

    @property
    def problems(self) -> tuple[BoardProblem, ...]:
        """What was not understood about the map, with the hexes concerned."""
        return (*self._bare.problems, *self._overlay_problems)

    @property
    def losmap(self) -> LosMap | None:
        """The joined map for lines of sight; None on the open board and without LOSData."""
        return self._bare.losmap

    @property
    def seasonal(self) -> bool:
        """Whether grain or orchards lie on the map, so that the month matters."""
        return self._bare.seasonal

    @property
    def obstacles(self) -> Obstacles:
        """The counters on it that hinder."""
        return self._obstacles

    def with_obstacles(self, obstacles: Obstacles, overlays: Overlays | None = None) -> BoardGround:
        """The same map with these counters instead of those on it; cheap.

        Args:
            obstacles: smoke, blazes, wrecks and vehicles by hex.
            overlays: overlays that lie on the map as pieces; their hexes become unknown. None
                keeps those there are.

        Raises:
            BoardError: a hex is not on the map.
        """
        canonical = self.canonical_hex
        return self._bare.ground(
            {canonical(at): found for at, found in obstacles.items()},
            self._overlays
            if overlays is None
            else [(name, canonical(at)) for name, at in overlays],
        )

    # -- hexes ---------------------------------------------------------------------------------

    def hexes(self) -> tuple[str, ...]:
        """All hexes in a fixed order: board by board, by column, from north to south."""
        return self._bare.layout.hexes()

    def neighbours(self, at: str) -> tuple[str | None, ...]:
        """The six neighbours in play by hexside 0 (north) to 5, clockwise; None off the map."""
        return self._bare.neighbours(at)

    def side(self, at: str, other: str) -> int | None:
        """The hexside of a hex that another hex lies across; None if they are not adjacent."""
        return self._bare.layout.side(at, other)

    def distance(self, a: str, b: str) -> int:
        """Range in hexes (R44)."""
        return self._layout.distance(a, b)

    def canonical_hex(self, text: str) -> str:
        """The one name of a hex as somebody wrote it (see `Layout.canonical`).

        Raises:
            BoardError: the map has no such hex.
        """
        return self._bare.layout.canonical(text)

    # -- terrain and movement --------------------------------------------------------------------

    def terrain(self, at: str) -> HexTerrain:
        """Terrain of a hex with season, scenario changes and counters applied.

        Raises:
            BoardError: the map has no such hex.
        """
        here = self._obstacles.get(at, ())
        covered = at in self._covered
        if not here and not covered:
            return self._bare.terrain(at)
        found = self._terrain.get(at)
        if found is None:
            bare = self._bare.terrain(at)
            found = self._terrain[at] = replace(
                bare,
                smoke=smoke_of(here),
                wreck=wreck_in(here),
                understood=bare.understood and not covered,
            )
        return found

    def entry(self, start: str, to: str) -> HexEntry:
        """Cost of entering `to` from its neighbour `start` (R19).

        Raises:
            BoardError: they are not neighbours on this map.
        """
        found = self._entries.get((start, to))
        if found is None:
            way = self._bare.way(start, to)
            smoke = SMOKE_MF2 if self._smoke.get(to) else 0
            times = 2 if way.uphill else 1
            # R19: a crest line doubles the terrain, smoke is added; the other reading doubles both.
            found = self._entries[start, to] = HexEntry(
                mf2=way.bare_mf2 * times + way.extra_mf2 + smoke,
                woods_mf2=None
                if way.claimed_mf2 is None
                else way.claimed_mf2 * times + way.extra_mf2 + smoke,
                by_road=way.by_road,
                uphill=way.uphill,
                smoke_doubled_mf2=(way.bare_mf2 + smoke) * times + way.extra_mf2,
            )
        return found

    # -- sight ---------------------------------------------------------------------------------

    @cached_property
    def _sights(self) -> Sights:
        return self._bare.sights(self._obstacles)

    def sight(self, viewer: str, target: str) -> Sight:
        """LOS between two hexes at ground level, viewer first."""
        found = self._sight.get((viewer, target))
        if found is None:
            found = self._sight[viewer, target] = self._sights.sight(viewer, target)
        return found

    @property
    def all_clear(self) -> bool:
        """Whether nothing on the map hides what stands there: no `unclear_between` finds a hex."""
        return not self._covered and not self._bare.problems

    def unclear_between(self, viewer: str, target: str) -> str | None:
        """A hex on the line between two hexes, ends included, whose obstacles are not known.

        Overlays and scenario words not understood hide what stands there (issue: scenario changes);
        terrain that is only unknown to the rules of movement is known to those of sight.

        Returns:
            The hex that comes first from the viewer, None where the whole line is understood.
        """
        if self.all_clear:
            return None
        line = (viewer, target)
        if line not in self._unclear_lines:
            crossed = hexes_between(self._layout, *line) if self._passes_hidden(*line) else ()
            hidden = self._hidden_hexes
            self._unclear_lines[line] = next((at for at in crossed if at in hidden), None)
        return self._unclear_lines[line]

    @cached_property
    def _hidden_hexes(self) -> frozenset[str]:
        """Hexes over which something not understood lies."""
        return self._bare.hidden | self._covered

    @cached_property
    def _hidden_centres(self) -> tuple[tuple[float, float, float], ...]:
        """Their centres, and how far from there a line that crosses them may pass at most."""
        found = []
        for cell in map(self._layout.cell, self._hidden_hexes):
            board = self._layout.boards[cell.board]
            found.append((cell.x, cell.y, board.shape.grid.dx * board.placement.zoom))
        return tuple(found)

    def _passes_hidden(self, viewer: str, target: str) -> bool:
        """Whether a line comes near a hex not understood: most do not, and need no longer look."""
        start, end = self._layout.snap(viewer), self._layout.snap(target)
        return any(
            _away_from_line((x, y), start, end) <= reach for x, y, reach in self._hidden_centres
        )

    # -- drawing -------------------------------------------------------------------------------

    def picture(self) -> MapPicture:
        """The picture of the map for overlays: boards as they lie, and where its hexes are."""
        from vassal_bridge.board.layout_picture import map_picture

        def describe(at: str) -> tuple[str, int]:
            found = self._bare.terrain(at)
            return found.name, found.level

        return map_picture(self._bare.layout, describe)
