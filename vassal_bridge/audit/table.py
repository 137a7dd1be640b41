"""The board of a log at any of its steps, as a position of the rules.

A log of a thousand steps changes few hexes at a time. Only these are read anew; everything else is
carried over from the nearest earlier step that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vassal_bridge.audit.facts import Lens
from vassal_bridge.board import BoardGround, BoardLibrary, map_edge, parse_boards
from vassal_bridge.bridge import (
    GameMap,
    Loaded,
    Options,
    Source,
    as_seen,
    eyes_of,
    game_map,
    snapshot,
)
from vassal_bridge.bridge.game import MAIN_MAP, obstacles
from vassal_bridge.bridge.units import concealed_stacks, not_too_many, units_of, with_ids
from vassal_bridge.counters import Sides, StackReading, public_view, read_stacks
from vassal_bridge.rout import Position, Unit
from vassal_bridge.vassal import Game, Piece

MOST_BOARDS = 8
"""Different maps kept while a folder is audited."""


class BoardCache:
    """Maps already built: logs of one game lie on the same boards."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, ...], GameMap] = {}

    def board(self, game: Game, options: Options) -> GameMap:
        """The boards of a game, built once for equal ones.

        Raises:
            BoardError: a board is missing or damaged.
        """
        key = self._key(game, options)
        found = self._kept.pop(key, None)
        if found is None:
            found = game_map(game, options)
        self._kept[key] = found
        while len(self._kept) > MOST_BOARDS:
            del self._kept[next(iter(self._kept))]
        return found

    def _key(self, game: Game, options: Options) -> tuple[object, ...]:
        """All that a map is made of: boards, season, margin, overlays that lie as pieces."""
        library: BoardLibrary = options.library
        game = as_seen(game)
        placements = parse_boards(game.boards_line, library.known)
        places = [(piece.x, piece.y) for piece in game.pieces.values() if piece.map in MAIN_MAP]
        loose = tuple(
            sorted(
                (piece.name, piece.x, piece.y)
                for piece in game.pieces.values()
                if piece.map in MAIN_MAP and piece.trait("immob") is not None
            )
        )
        return (
            id(library),
            game.boards_line,
            options.month,
            map_edge(placements, library, places),
            loose,
        )


@dataclass(frozen=True)
class State:
    """The board after one step.

    Attributes:
        readings: counters as both players see them, by stack.
        position: the units on the ground.
    """

    readings: Mapping[str, StackReading]
    position: Position

    @property
    def stacks(self) -> tuple[StackReading, ...]:
        """The readings alone."""
        return tuple(self.readings.values())


@dataclass(frozen=True)
class _Part:
    """The pieces of a few hexes, as `read_stacks` takes them."""

    pieces: Mapping[str, Piece]


class Table:
    """The board at any step.

    Args:
        start: the game before the first step.
        games: the games after each step.
        changed: ids of the pieces each step changed.
        lens: names hexes.
        options: how games are read.
        source: the file.

    Attributes:
        first: the start in full, with assumptions and problems.
        dm: pieces that were under DM when the phase at hand began; they stay so (R2).
        attacker: ATTACKER of the phase at hand.
        stood: hexes of units that count instead of where they stand now, by piece id.
    """

    def __init__(
        self,
        start: Game,
        games: Sequence[Game],
        changed: Sequence[Iterable[str]],
        lens: Lens,
        options: Options,
        source: Source,
    ) -> None:
        self._games = games
        self._changed = [tuple(ids) for ids in changed]
        self._start = start
        self._lens = lens
        self._options = options
        self.first: Loaded = snapshot(start, lens.board, options, source)
        last = games[-1] if games else start
        self._eyes = eyes_of(last, options.player, options.sides)
        self.who: Sides = self.first.sides or Sides({}, {})
        self.dm: frozenset[str] = frozenset()
        self.attacker: str | None = None
        self.stood: Mapping[str, str] = {}
        self._ground: BoardGround = self.first.ground
        self._obstacles = obstacles(self.first.readings)
        readings = {reading.id: reading for reading in self.first.readings}
        self._seasons: dict[int, BoardGround] = {}
        self._states: dict[int, State] = {0: State(readings, self.first.position)}

    def game(self, step: int) -> Game:
        """The game after a step; 0 = before the first."""
        return self._start if step <= 0 else self._games[step - 1]

    def state(self, step: int) -> State:
        """The board after a step; 0 = before the first."""
        step = max(0, step)
        found = self._states.get(step)
        if found is None:
            nearest = max(known for known in self._states if known < step)
            found = self._states[step] = self._advance(nearest, step)
        return found

    def position(self, step: int) -> Position:
        """The units after a step, with the DM that they had when the phase began."""
        position = self.state(step).position
        units = tuple(
            replace(unit, dm=True)
            if unit.broken and not unit.dm and unit.piece in self.dm
            else unit
            for unit in position.units
        )
        if self.stood:
            units = self._as_they_stood(units)
        return replace(position, units=units, attacker=self.attacker or position.attacker)

    def _as_they_stood(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        hexes = set(self._ground.hexes())
        put_back = [
            replace(unit, hex=self.stood[unit.piece])
            if unit.piece is not None and self.stood.get(unit.piece) in hexes
            else unit
            for unit in units
        ]
        return with_ids(put_back)

    def _advance(self, from_step: int, to_step: int) -> State:
        """The board some steps later."""
        old = self._states[from_step]
        before, after = self.game(from_step), self.game(to_step)
        ids = {id_ for step in self._changed[from_step:to_step] for id_ in step}
        places = {
            self._place(piece)
            for id_ in ids
            for piece in (before.pieces.get(id_), after.pieces.get(id_))
            if piece is not None
        }
        part = {id_: piece for id_, piece in after.pieces.items() if self._place(piece) in places}
        fresh = public_view(read_stacks(_Part(part), self._lens.board.hex_of), self._eyes)
        readings = {
            id_: reading
            for id_, reading in old.readings.items()
            if self._reading_place(reading) not in places
        }
        readings.update((reading.id, reading) for reading in fresh)
        ordered = dict(sorted(readings.items(), key=_order))
        return State(ordered, self._make(ordered))

    def _make(self, readings: Mapping[str, StackReading]) -> Position:
        stacks = tuple(readings.values())
        found = obstacles(stacks)
        if found != self._obstacles:
            self._ground = self._lens.board.ground.with_obstacles(found)
            self._obstacles = found
            self._seasons.clear()
        first = self.first.position
        units = units_of(stacks, self.who)
        not_too_many(units)
        return Position(
            self._ground,
            units,
            first.attacker,
            first.rules,
            concealed_stacks(stacks, self.who),
            first.fronts,
        )

    def ground_in(self, month: int, boards: BoardCache) -> BoardGround:
        """The ground as it is in another month, with the counters on it now."""
        found = self._seasons.get(month)
        if found is None:
            board = boards.board(self._start, replace(self._options, month=month))
            found = board.ground.with_obstacles(self._obstacles)
            self._seasons[month] = found
        return found

    def _place(self, piece: Piece) -> tuple[object, ...]:
        """What is read together with a piece: its hex, or its pixel off the boards."""
        hex_ = self._lens.hex(piece)
        return (hex_,) if hex_ is not None else (piece.map, piece.x, piece.y)

    def _reading_place(self, reading: StackReading) -> tuple[object, ...]:
        if reading.hex is not None:
            return (reading.hex,)
        return (reading.map, reading.x, reading.y)


def _order(item: tuple[str, StackReading]) -> tuple[str, int, int, str]:
    """The order of `read_stacks`, on which the numbers in unit ids hang."""
    id_, reading = item
    return reading.map or "", reading.y, reading.x, id_


def hexes_of(position: Position) -> dict[str, str]:
    """Hex of every unit by piece id."""
    return {unit.piece: unit.hex for unit in position.units if unit.piece is not None}


def unit_of_piece(position: Position, piece: str) -> Unit | None:
    """The unit of a piece, None if it is not on the boards (or not to be seen)."""
    return next((unit for unit in position.units if unit.piece == piece), None)
