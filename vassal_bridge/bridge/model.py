"""What comes out of the crossing: a position on a ground, and how it was come by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vassal_bridge.rout.rulebook import Readings

if TYPE_CHECKING:
    from vassal_bridge.board import BoardGround, BoardLibrary, BoardPlacement, Layout
    from vassal_bridge.bridge.player import Player
    from vassal_bridge.counters import Sides, StackReading
    from vassal_bridge.rout import Edition, Position, Rules
    from vassal_bridge.rout.rulebook import Fact
    from vassal_bridge.vassal import Game, Saved


@dataclass(frozen=True, slots=True)
class Options:
    """How a game is to be read; what is None is taken from the game or assumed, and said so.

    Attributes:
        library: where boards are found.
        edition: rule book.
        month: 1 to 12.
        attacker: side whose Player Turn it is.
        sides: value of ``--sides``, or side -> nationalities.
        readings: house readings of disputed rules.
        strict: for judging: a missing board is an error, marks of our own are no part of the game.
            Otherwise (`inspect`) everything in the file is shown, and of a missing board the hexes
            are named without their terrain.
        player: whose own hidden and concealed counters are shown (``--as``); None = nobody's.
        step: of a log the step after which the game is read, 0 = as it begins, None = the last.
        over_file: names of the fields above that go before what a position file says: those of the
            command line.
    """

    library: BoardLibrary
    edition: Edition | None = None
    month: int | None = None
    attacker: str | None = None
    sides: str | Mapping[str, tuple[str, ...]] | None = None
    readings: Readings = field(default_factory=Readings)
    strict: bool = True
    player: Player | None = None
    step: int | None = None
    over_file: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a game came from (contracts.md 5).

    Attributes:
        file: name without folders.
        kind: ``vsav``, ``vlog`` or ``position``.
        module, module_version, vassal_version: None for a position file.
        step: of a log the step after which the game was read (0 = as it begins), else None.
    """

    file: str
    kind: str
    module: str | None = None
    module_version: str | None = None
    vassal_version: str | None = None
    step: int | None = None


def shown_name(name: str) -> str:
    """A file's name as text; bytes of it that are no UTF-8 become ``?``."""
    return name.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board as it lies on the map (contracts.md 5)."""

    name: str
    row: int
    column: int
    reversed: bool
    crop: tuple[int, int, int, int] | None
    version: str | None
    rules: tuple[str, ...]


def board_info(placement: BoardPlacement) -> BoardInfo:
    """A board as reports name it (contracts.md 5)."""
    crop = placement.crop
    return BoardInfo(
        placement.name,
        placement.row,
        placement.column,
        placement.reversed,
        None if crop is None else (crop.x, crop.y, crop.width, crop.height),
        placement.version,
        placement.rules,
    )


@dataclass(frozen=True, slots=True)
class Note:
    """An assumption or a problem; sentences are made from code and facts at the edge.

    Attributes:
        code: stable word.
        text: plain English, for a catalogue that lacks the code.
        hex: the hex concerned, or None.
        facts: what a sentence needs.
    """

    code: str
    text: str
    hex: str | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True)
class Loaded:
    """A game or a position file, ready to be judged and shown.

    Attributes:
        source: where it came from.
        boards: in the order of the boards line.
        assumptions: what was taken for granted.
        problems: what was not understood, with its place.
        position: the units both players may see, on the ground.
        ground, layout: the map.
        readings: counters as both players may see them, stack by stack; empty for a position file.
        sides: who fights whom; None for a position file.
        saved, game: the file and its state, None for a position file. They hold secrets: for
            writers that copy the file, never for output.
    """

    source: Source
    boards: tuple[BoardInfo, ...]
    assumptions: tuple[Note, ...]
    problems: tuple[Note, ...]
    position: Position
    ground: BoardGround
    layout: Layout
    readings: tuple[StackReading, ...] = ()
    sides: Sides | None = None
    saved: Saved | None = field(default=None, repr=False)
    game: Game | None = field(default=None, repr=False)

    @property
    def rules(self) -> Rules:
        """Edition, month and readings."""
        return self.position.rules
