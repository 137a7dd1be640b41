"""Line of sight between named hexes: VASL's answer, and what the rout rules ask beside it.

The engine follows los/algorithm.md; `walk` is the plain version, `sightfast` and `sightfan` the
fast ones. Counters come on top: smoke, blazes, wrecks and vehicles hinder as VASL counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from vassal_bridge.board.facts import NO_WALL
from vassal_bridge.board.hexgrid import NO_HEX, BoolArray
from vassal_bridge.board.openboard import entered_sides
from vassal_bridge.board.sightcounters import Counters
from vassal_bridge.board.sightfast import Indices, Path
from vassal_bridge.board.sightrules import MAX_HINDRANCE, Line, Why
from vassal_bridge.board.walk import Walked
from vassal_bridge.errors import BoardError

if TYPE_CHECKING:
    from vassal_bridge.board.ground_obstacles import Obstacle
    from vassal_bridge.board.losmap import LosMap

NO_OBSTACLES: Mapping[str, tuple[Obstacle, ...]] = {}
"""No counters that hinder."""

NO_ART: frozenset[str] = frozenset()
"""No woods, orchard or building."""


@dataclass(frozen=True, slots=True)
class Loc:
    """A Location: hex name and level above the hex (0 = ground, 1 = first upper level …)."""

    hex: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The bare answer: `clear`, `range` in hexes, `hindrance` (of a clear line)."""

    clear: bool
    range: int
    hindrance: int


@dataclass(frozen=True, slots=True)
class Sight:
    """One line of sight with everything the rules ask of it.

    Attributes:
        clear: not blocked, and Hindrances below six.
        range: in hexes.
        hindrance: Hindrances between the two hexes; of a blocked line only those before the block.
        enters_by: hexside(s) of the target hex the line enters by, 0 = top of the map, clockwise;
            two along a hexspine, none from within the hex.
        over_woods: the line crosses woods art inside the target hex.
        over_orchard: the same for orchard art. VASL's terrain data fill the whole hex of an
            orchard, roads through it included.
        over_building: the same for building art.
        crosses_wall: an entered hexside of the target is wall or hedge.
        block_hex: hex that blocks, None if clear (or the hex has no name).
        block_reason: code of `sightrules.Why`, None if clear.
        hindrances: hex and value of each Hindrance, from the viewer outwards.
        own_hex: hex and value of smoke in the viewer's and the target's own hex, which is not part
            of `hindrance`.
        height: level of the viewer minus level of the target.
    """

    clear: bool
    range: int
    hindrance: int
    enters_by: tuple[int, ...] = ()
    over_woods: bool = False
    over_orchard: bool = False
    over_building: bool = False
    crosses_wall: bool = False
    block_hex: str | None = None
    block_reason: str | None = None
    hindrances: tuple[tuple[str, int], ...] = ()
    own_hex: tuple[tuple[str, int], ...] = ()
    height: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """A line of sight for a picture: ends and block in pixels of the joined map, hexes in order."""

    source: tuple[int, int]
    target: tuple[int, int]
    block: tuple[int, int] | None
    hexes: tuple[str, ...]
    sight: Sight


class SightFan:
    """Verdicts from one Location to all hexes of the map, by name."""

    def __init__(
        self, names: Mapping[str, int], verdicts: tuple[BoolArray, Indices, Indices]
    ) -> None:
        """Positions of the names in the arrays of clear, range and Hindrance."""
        self._names = names
        self._clear, self._range, self._hindrance = verdicts

    def __getitem__(self, name: str) -> Verdict:
        at = self._names[name]
        return Verdict(bool(self._clear[at]), int(self._range[at]), int(self._hindrance[at]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def seen(self) -> tuple[str, ...]:
        """Hexes in sight, in column order."""
        return tuple(name for name, at in self._names.items() if self._clear[at])


class SightEngine:
    """Lines of sight on one map with counters on it.

    >>> engine = SightEngine(build_los_map([PlacedBoard.of(open_board(path))]))  # doctest: +SKIP
    >>> engine.sight(Loc("zA1"), Loc("zC3")).clear                               # doctest: +SKIP
    True
    """

    def __init__(
        self, losmap: LosMap, obstacles: Mapping[str, tuple[Obstacle, ...]] = NO_OBSTACLES
    ) -> None:
        """Take a map and the counters on it; hexes that are not on the map are ignored.

        All engines on a map share its tables and remembered fans.
        """
        self.losmap = losmap
        self._kit = losmap.kit
        self._counters = Counters(losmap, obstacles)

    # -- names ---------------------------------------------------------------------------------

    def hex_index(self, name: str) -> int:
        """Index of a hex by name; on a map of one board its name may be left out.

        Raises:
            BoardError: no such hex.
        """
        losmap = self.losmap
        if name not in losmap and len(losmap.boards) == 1 and losmap.boards[0] + name in losmap:
            name = losmap.boards[0] + name
        return losmap.index(name)

    def _location(self, loc: Loc | str) -> tuple[int, int]:
        if isinstance(loc, str):
            return self.hex_index(loc), 0
        index = self.hex_index(loc.hex)
        if loc.level and not 0 <= loc.level <= self._kit.tables.storeys[index]:
            raise BoardError(f"hex {loc.hex} has no level {loc.level}")
        return index, loc.level

    # -- answers -------------------------------------------------------------------------------

    def verdict(self, source: Loc | str, target: Loc | str) -> Verdict:
        """The bare answer, as fast as it can be had."""
        s, s_level = self._location(source)
        t, t_level = self._location(target)
        blocked, distance, hindrance = self._kit.answer(s, s_level, t, t_level)
        if not blocked and self._counters:
            line = Line(self._kit.tables, s, s_level, t, t_level)
            if self._counters.near(line):
                hindrance = self._with_counters(s, s_level, t, t_level)
                blocked = hindrance >= MAX_HINDRANCE
        return Verdict(not blocked, distance, hindrance)

    def _with_counters(self, s: int, s_level: int, t: int, t_level: int) -> int:
        line = self._kit.single.walk(s, s_level, t, t_level).line
        return line.hindrance + sum(value for _, value in self._counters.met(line))

    def fan(self, source: Loc | str, target_level: int = 0) -> SightFan:
        """Verdicts to all hexes of the map at one level above each (levels need not exist)."""
        s, s_level = self._location(source)
        fan = self._kit.fan(s, s_level, target_level)
        clear, hindrance = ~fan.blocked, fan.hindrance.astype(np.int64)
        if self._counters:
            near = self._counters.near_any(s, fan.targets, fan.range.astype(np.int32))
            for at in np.flatnonzero(clear & near).tolist():
                hindrance[at] = self._with_counters(s, s_level, int(fan.targets[at]), target_level)
            clear &= hindrance < MAX_HINDRANCE
        names = {name: at for at, name in enumerate(self.losmap.names)}
        return SightFan(names, (clear, fan.range.astype(np.int64), hindrance))

    def sight(self, source: Loc | str, target: Loc | str) -> Sight:
        """One line of sight with all its facts."""
        s, s_level = self._location(source)
        t, t_level = self._location(target)
        walked = self._kit.single.walk(s, s_level, t, t_level)
        return self.describe(walked)

    def walk(self, source: int, target: int) -> Walked:
        """The line between two hexes at ground level, by index: terrain only, without counters."""
        return self._kit.single.walk(source, 0, target, 0)

    def trace(self, source: Loc | str, target: Loc | str) -> Trace:
        """One line of sight with what a picture of it needs."""
        s, s_level = self._location(source)
        t, t_level = self._location(target)
        walked = self._kit.single.walk(s, s_level, t, t_level)
        hexes = self.losmap.hex_grid[self._points(walked.line)]
        order = dict.fromkeys(hexes[hexes != NO_HEX].tolist())
        names = (self.losmap.name(index) for index in order)
        block = walked.block
        return Trace(
            source=self._kit.tables.aim[s],
            target=self._kit.tables.aim[t],
            block=None if block is None else (block.x, block.y),
            hexes=tuple(name for name in names if name is not None),
            sight=self.describe(walked),
        )

    def pixels_in_target(self, source: Loc | str, target: Loc | str) -> tuple[tuple[int, int], ...]:
        """Pixels of the line inside the target hex, for a look at the board's art."""
        s, s_level = self._location(source)
        t, t_level = self._location(target)
        line = Line(self._kit.tables, s, s_level, t, t_level)
        xs, ys = self._inside(line)
        return tuple(dict.fromkeys(zip(xs.tolist(), ys.tolist(), strict=True)))

    # -- facts beside the answer ------------------------------------------------------------------

    def _points(self, line: Line) -> tuple[Indices, Indices]:
        """The line's pixels in visiting order, as x and y."""
        aim = self._kit.tables.aim
        width = self.losmap.geometry.width
        ys, xs = np.divmod(Path(aim[line.source], aim[line.target], width).all_pixels(), width)
        return xs, ys

    def _inside(self, line: Line) -> tuple[Indices, Indices]:
        xs, ys = self._points(line)
        inside = self.losmap.hex_grid[xs, ys] == line.target
        return xs[inside], ys[inside]

    def describe(self, walked: Walked) -> Sight:
        """What the rules ask of a line that was walked, counters included."""
        line, block = walked.line, walked.block
        losmap, tables = self.losmap, self._kit.tables
        met = [(hex_, value) for value, hex_ in line.hindrances.values()]
        reason = None if block is None else block.why
        if block is None:
            met += self._counters.met(line)
            if sum(value for _, value in met) >= MAX_HINDRANCE:
                reason = Why.HINDRANCE
        met.sort(key=lambda item: line.from_source[item[0]])
        sides = self._entered(line)
        art = self._art(line) if reason is None else NO_ART
        return Sight(
            clear=reason is None,
            range=line.range,
            hindrance=sum(value for _, value in met),
            enters_by=sides,
            over_woods="woods" in art,
            over_orchard="orchard" in art,
            over_building="building" in art,
            crosses_wall=any(
                tables.wall[line.target][side] != NO_WALL and not tables.cliff[line.target][side]
                for side in sides
            ),
            block_hex=None if block is None else losmap.name(block.hex),
            block_reason=None if reason is None else reason.value,
            hindrances=tuple((losmap.name(hex_) or "", value) for hex_, value in met),
            own_hex=self._counters.own(line),
            height=line.source_height - line.target_height,
        )

    def _art(self, line: Line) -> frozenset[str]:
        """Kinds of art the line crosses inside the target hex."""
        if line.source == line.target or line.target not in self._kit.art_hexes:
            return NO_ART
        codes = set(self.losmap.terrain[self._inside(line)].tolist())
        rows = self.losmap.table.rows
        return frozenset(rows[code].art for code in codes) - {""}

    def _entered(self, line: Line) -> tuple[int, ...]:
        column, height = self._kit.places
        s, t = line.source, line.target
        return _entered_by(column[s] - column[t], height[s] - height[t])


@lru_cache(maxsize=1 << 14)
def _entered_by(across: int, down: int) -> tuple[int, ...]:
    return entered_sides((across, down), (0, 0))


def pairs_csv(engine: SightEngine, rows: Iterable[Mapping[str, str]]) -> Iterator[dict[str, str]]:
    """Answer a table of pairs, as the command ``los BOARD --pairs`` does (contracts.md 4).

    Args:
        engine: the map; on a map of one board hexes may be named without it.
        rows: ``source`` and ``target``, and ``slevel`` and ``tlevel`` if given.

    Yields:
        The row's own cells with ``range``, ``blocked`` (0 or 1) and ``hindrance`` added.

    Raises:
        BoardError: a hex or level is unknown; the place names the row, counted from 1.
    """
    for number, row in enumerate(rows, 1):
        try:
            source = Loc(row["source"].strip(), int(row.get("slevel") or 0))
            target = Loc(row["target"].strip(), int(row.get("tlevel") or 0))
            verdict = engine.verdict(source, target)
        except BoardError as error:
            raise error.at(place=f"row {number}") from None
        except (KeyError, ValueError, AttributeError):
            raise BoardError("a row needs source and target", place=f"row {number}") from None
        yield {
            **row,
            "range": str(verdict.range),
            "blocked": "0" if verdict.clear else "1",
            "hindrance": str(verdict.hindrance),
        }
