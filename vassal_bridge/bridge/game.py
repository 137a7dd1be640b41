"""A game's state becomes a position: boards once, counters as often as the game changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from vassal_bridge.board import (
    BoardGround,
    BoardPlacement,
    Layout,
    Obstacle,
    build_ground,
    map_edge,
    parse_boards,
)
from vassal_bridge.bridge.model import (
    BoardInfo,
    Loaded,
    Note,
    Options,
    Source,
    board_info,
    shown_name,
)
from vassal_bridge.bridge.player import as_seen, eyes_of
from vassal_bridge.bridge.units import concealed_stacks, not_too_many, units_of
from vassal_bridge.counters import (
    Counter,
    Kind,
    Sides,
    StackReading,
    State,
    changes_terrain,
    classify,
    current_turn,
    public_view,
    read_stacks,
    sides,
)
from vassal_bridge.errors import LimitReached, UsageError
from vassal_bridge.limits import MAX_COUNTERS
from vassal_bridge.rout import Edition, Position, Rules, Unit

if TYPE_CHECKING:
    from vassal_bridge.rout.rulebook import Fact
    from vassal_bridge.vassal import Game, Saved

MAIN_MAP = frozenset({"Main Map", "Map0"})
"""Names of the map with the boards (formats/files.md 13)."""
DAMAGED = "damaged-piece"
"""Problem code of a piece whose traits and states do not fit each other."""
SMOKE_MARKERS = frozenset({"smoke"})
FIRE_MARKERS = frozenset({"blaze"})


@dataclass(frozen=True)
class GameMap:
    """The boards of a game, built once and used for every state of it.

    Attributes:
        line: the boards line it was made from.
        placements: the boards.
        ground: without counters.
    """

    line: str
    placements: tuple[BoardPlacement, ...]
    ground: BoardGround

    @property
    def layout(self) -> Layout:
        """Pixels and hexes."""
        return self.ground.layout

    @cached_property
    def boards(self) -> tuple[BoardInfo, ...]:
        """The boards as reports name them."""
        return tuple(board_info(placement) for placement in self.placements)

    def hex_of(self, x: int, y: int) -> str | None:
        """The hex under a pixel of the main map, for the rules."""
        return self.layout.ground_hex_at(x, y)


def game_map(game: Game, options: Options, version: str | None = None) -> GameMap:
    """Lay out the boards of a game.

    Args:
        game: the game.
        options: month and board library.
        version: of the module that wrote the file; before VASL 6.2 the map had a smaller edge.

    Raises:
        BoardError: a board is missing or damaged.
        FormatError: the boards line cannot be read.
        LimitReached: too many counters or boards.
    """
    if len(game.pieces) > MAX_COUNTERS:
        raise LimitReached(f"{len(game.pieces)} counters, limit {MAX_COUNTERS}")
    game = as_seen(game)
    line = game.boards_line
    placements = parse_boards(line, options.library.known)
    places = [(piece.x, piece.y) for piece in game.pieces.values() if piece.map in MAIN_MAP]
    edge = map_edge(placements, options.library, places, version=version)
    build = partial(
        build_ground,
        placements,
        options.library,
        month=options.month,
        edge=edge,
        strict=options.strict,
    )
    ground = build()
    overlays = _terrain_overlays(game, ground.layout)
    if overlays:
        ground = build(overlays=overlays)
    return GameMap(line, placements, ground)


def _terrain_overlays(game: Game, layout: Layout) -> tuple[tuple[str, str], ...]:
    """Draggable overlays that change terrain: (name, hex). Their hexes are not understood.

    Args:
        game: without its hidden pieces.
        layout: where hexes lie.
    """
    found = []
    for piece in game.pieces.values():
        if piece.map not in MAIN_MAP:
            continue
        counter = classify(piece)
        hex_ = layout.ground_hex_at(piece.x, piece.y) if changes_terrain(counter) else None
        if hex_ is not None:
            found.append((counter.name, hex_))
    return tuple(found)


def snapshot(game: Game, board: GameMap, options: Options, source: Source) -> Loaded:
    """A state of a game as a position.

    Args:
        game: the state.
        board: its boards (`game_map`).
        options: what the user chose.
        source: for the report.

    Returns:
        Position, ground with the counters' hindrances, and every assumption and problem. Hidden
        counters are gone from all of it, the game included; of concealed ones only the place is
        left (`Position.concealed`), but for those of `Options.player`.

    Raises:
        LimitReached: more units than can be judged.
    """
    eyes = eyes_of(game, options.player, options.sides)
    game = as_seen(without_damaged(game), eyes)
    readings = public_view(read_stacks(game, board.hex_of), eyes)
    who = sides(_counters(readings), game.info, options.sides)
    units = units_of(readings, who)
    if options.strict:
        not_too_many(units)
    ground = board.ground.with_obstacles(obstacles(readings))
    notes, attacker = _attacker(readings, who, units, game, options)
    rules = Rules(options.edition or Edition.SK3, options.month, options.readings)
    position = Position(ground, units, attacker, rules, concealed_stacks(readings, who))
    return Loaded(
        source,
        board.boards,
        (*_assumptions(options, who, ground), *notes),
        _problems(game, ground, readings),
        position,
        ground,
        board.layout,
        readings,
        who,
        None,
        game,
    )


def without_damaged(game: Game) -> Game:
    """The game without pieces whose state could not be read: one of them might be hidden.

    They stay among the problems.
    """
    damaged = {found.piece for found in game.problems if found.code == DAMAGED}
    if not damaged:
        return game
    kept = {id_: piece for id_, piece in game.pieces.items() if id_ not in damaged}
    return replace(game, pieces=kept)


def _counters(readings: Iterable[StackReading]) -> Iterable[Counter]:
    for reading in readings:
        yield from reading.counters


def obstacles(readings: Iterable[StackReading]) -> dict[str, tuple[Obstacle, ...]]:
    """Smoke, wrecks, vehicles and blazes by hex, as sight and terrain need them (R19, R63)."""
    found: dict[str, list[Obstacle]] = {}
    for reading in readings:
        if reading.hex is None:
            continue
        for counter in reading.counters:
            obstacle = _obstacle(counter)
            if obstacle is not None:
                found.setdefault(reading.hex, []).append(obstacle)
    return {hex_: tuple(items) for hex_, items in found.items()}


def _obstacle(counter: Counter) -> Obstacle | None:
    if counter.marker in SMOKE_MARKERS:
        return Obstacle.smoke(counter.strength or 0)
    if counter.marker in FIRE_MARKERS:
        return Obstacle.blaze()
    if counter.kind is Kind.WRECK:
        return Obstacle.wreck()
    # A vehicle in Motion never gives TEM or Hindrance (R63).
    if counter.kind is Kind.VEHICLE and not counter.has(State.MOTION):
        return Obstacle.vehicle()
    return None


def _attacker(
    readings: Iterable[StackReading],
    who: Sides,
    units: tuple[Unit, ...],
    game: Game,
    options: Options,
) -> tuple[tuple[Note, ...], str]:
    """The ATTACKER (R13): as chosen, else by the turn counter, else the first side, said so."""
    present = tuple(dict.fromkeys(unit.side for unit in units))
    chosen = options.attacker
    if chosen is not None:
        return (), _side_called(chosen, present, who)
    hint = current_turn(readings, game.info)
    if hint is not None:
        for side in present:
            if who.group(side) == hint.group:
                facts: Mapping[str, str | int] = {"side": side, "turn": hint.turn}
                text = f"ATTACKER taken from the turn counter: {side}"
                return (Note("attacker-from-turn", text, facts=facts),), side
    if not present:
        text = "ATTACKER not known: no side has units on the map"
        return (Note("attacker-unknown", text),), ""
    first = present[0]
    text = f"ATTACKER not known, taken to be {first}; it decides only who routs first (R13)"
    return (Note("attacker-assumed", text, facts={"side": first}),), first


def _side_called(name: str, present: tuple[str, ...], who: Sides) -> str:
    """The side a person means: a side, a nationality of it, or its group, in any case of letters.

    Raises:
        UsageError: no side of this game is called so.
    """
    called: dict[str, str] = {}
    sides_ = tuple(dict.fromkeys((*present, *who.of.values())))
    for side in reversed(sides_):  # of two in one group the first wins
        called[(who.group(side) or side).casefold()] = side
    for nationality, side in who.of.items():
        called[nationality.casefold()] = side
    called |= {side.casefold(): side for side in sides_}
    found = called.get(name.strip().casefold())
    if found is None:
        raise UsageError(f"--attacker {name}: this game has {', '.join(sides_) or 'no units'}")
    return found


def _assumptions(options: Options, who: Sides, ground: BoardGround) -> tuple[Note, ...]:
    notes = []
    if options.month is None and ground.seasonal:
        text = "month not given: grain counts as Open Ground, orchards are in leaf"
        notes.append(Note("month-not-given", text))
    if options.edition is None:
        notes.append(Note("edition-not-given", "rules edition not given: SK#3"))
    if who.assumption is not None:
        facts = dict(who.assumption.facts)
        words = ", ".join(f"{key} {value}" for key, value in facts.items())
        notes.append(Note(who.assumption.code, f"sides assumed ({words})", facts=facts))
    return tuple(notes)


def _problems(
    game: Game, ground: BoardGround, readings: tuple[StackReading, ...]
) -> tuple[Note, ...]:
    notes = [
        Note(problem.code, problem.text, facts={"about": problem.about})
        for problem in game.problems
    ]
    for found in ground.problems:
        hexes = tuple(found.hexes)
        facts: dict[str, Fact] = dict(found.facts)
        if hexes:
            facts["hexes"] = hexes
        notes.append(Note(found.code, found.text, hexes[0] if hexes else None, facts))
    for reading in readings:
        if reading.hex is None:
            continue
        for counter in reading.counters:
            if counter.kind is Kind.UNKNOWN:
                text = f"counter {counter.name!r} is not known"
                notes.append(Note("unknown-counter", text, reading.hex, {"name": counter.name}))
        for doubt in reading.doubts:
            text = f"{doubt.marker}: {doubt.code.value}"
            marks = {"marker": doubt.marker, "doubt": doubt.code.value}
            notes.append(Note("doubt", text, reading.hex, marks))
    return tuple(notes)


def source_of(saved: Saved) -> Source:
    """Where a saved game came from (contracts.md 5)."""
    return Source(
        shown_name(saved.name),
        saved.kind,
        saved.module_name or None,
        saved.module_version or None,
        saved.vassal_version or None,
    )
