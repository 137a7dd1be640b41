"""What each log step did, in the words of the game: who moved where, who broke, what was said.

A `Step` of the vassal room knows pieces and pixels; `StepFacts` knows units and hexes. Hidden and
concealed pieces are left out altogether (fair play): what they do is not known to both players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vassal_bridge.audit.dice import Roll, read_roll
from vassal_bridge.audit.words import Talk, hexes_named, leading_phase, phases_named, topics
from vassal_bridge.bridge import GameMap
from vassal_bridge.bridge.game import MAIN_MAP
from vassal_bridge.counters import INFANTRY, MMC, Counter, Kind, Sides, State, classify
from vassal_bridge.vassal import Change, Piece, Step

WEAPONS = frozenset({Kind.SW, Kind.GUN})
UNITS = INFANTRY | {Kind.VEHICLE}
TRACED_MARKERS = frozenset(
    {"dm", "pin", "prep-fire", "first-fire", "final-fire", "advancing-fire", "phase-track"}
)
_TRACK = re.compile(r"\b(RPh|PFPh|MPh|DFPh|AFPh|RtPh|APh|CCPh)\b")
_TRACK_SIDE = re.compile(r"\b(Axis|Allied)\b")
_NAME = re.compile(r"^(?:<[^>]{0,80}>|&lt;.{0,80}?&gt;)\s*-\s?")


@dataclass(frozen=True, slots=True)
class Shift:
    """A unit or weapon that a step moved to another hex.

    Attributes:
        piece: VASSAL's id.
        counter: what it is after the step (before it, if it left the game).
        start, to: hexes; None = off the boards, in the casualties bin, not in the game.
    """

    piece: str
    counter: Counter
    start: str | None
    to: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A `Shift` from one hex to another."""

    piece: str
    counter: Counter
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class Turned:
    """A unit that a step changed without moving it: before and after."""

    piece: str
    hex: str | None
    before: Counter
    after: Counter


@dataclass(frozen=True, slots=True)
class Marked:
    """A marker that came or went: key of module_maps/markers, hex, piece id."""

    key: str
    hex: str | None
    piece: str


@dataclass(frozen=True, slots=True)
class Said:
    """A line that a player typed.

    Attributes:
        text: without the name in front.
        phases: phases it names (places in `words.PHASES`), the leading one first.
        leads: it begins with the name of a phase.
        topics: what else it is about.
        hexes: printed names of hexes it mentions.
    """

    text: str
    phases: tuple[int, ...]
    leads: bool
    topics: frozenset[Talk]
    hexes: frozenset[str]


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One log step.

    Attributes:
        index: counted from 1.
        undo: it takes back an earlier step.
        undoes: which one, if it can be told.
        shifts: units and weapons that changed their hex, entered or left.
        nudged: units moved inside their hex or within their stack.
        turned: units that broke, rallied, were reduced or wounded where they stand.
        marked, unmarked: markers that came and went.
        said: typed lines.
        rolls: dice.
        track: phase (place) to which the turn track was set, or None.
        track_side: ``Axis`` or ``Allied`` of that track.
        flags_cleared: units whose "moved" flag was taken off.
    """

    index: int
    undo: bool
    undoes: int | None
    shifts: tuple[Shift, ...] = ()
    nudged: tuple[str, ...] = ()
    turned: tuple[Turned, ...] = ()
    marked: tuple[Marked, ...] = ()
    unmarked: tuple[Marked, ...] = ()
    said: tuple[Said, ...] = ()
    rolls: tuple[Roll, ...] = ()
    track: int | None = None
    track_side: str | None = None
    flags_cleared: int = 0

    def moved(self, kinds: frozenset[Kind] = UNITS) -> Iterator[Moved]:
        """Moves of some kinds of counters from one hex to another."""
        for shift in self.shifts:
            if shift.counter.kind in kinds and shift.start is not None and shift.to is not None:
                yield Moved(shift.piece, shift.counter, shift.start, shift.to)


class Lens:
    """Sees pieces as counters in hexes, with answers kept.

    Args:
        board: the boards of the log.
    """

    def __init__(self, board: GameMap) -> None:
        self.board = board
        self._counters: dict[tuple[object, ...], tuple[Piece, Counter]] = {}
        self._hexes: dict[tuple[int, int], str | None] = {}

    def counter(self, piece: Piece) -> Counter:
        """What a piece is, markers in its stack not considered; kept per look, not per place."""
        # Layers are shared objects that live as long as the piece that is kept beside the answer.
        look = (
            piece.name,
            piece.base_image,
            len(piece.traits),
            piece.hidden,
            piece.concealed,
            tuple([id(layer) for layer in piece.layers]),
        )
        found = self._counters.get(look)
        if found is None:
            found = self._counters[look] = (piece, classify(piece))
        return found[1]

    def hex(self, piece: Piece | None) -> str | None:
        """The hex of a piece; None off the boards, off the main map, not in the game."""
        if piece is None or piece.map not in MAIN_MAP:
            return None
        place = (piece.x, piece.y)
        if place not in self._hexes:
            self._hexes[place] = self.board.hex_of(*place)
        return self._hexes[place]

    def facts(self, step: Step) -> StepFacts:
        """What a step did."""
        shifts: list[Shift] = []
        nudged: list[str] = []
        turned: list[Turned] = []
        marked: list[Marked] = []
        unmarked: list[Marked] = []
        cleared = 0
        for change in step.changes:
            seen = self._seen(change)
            if seen is None:
                continue
            before, after = seen
            now = after or before
            if now is None:
                continue
            start, to = self.hex(change.before), self.hex(change.after)
            if now.kind is Kind.MARKER:
                self._marker(change, now, (start, to), marked, unmarked)
            elif now.kind in UNITS | WEAPONS:
                if start != to:
                    shifts.append(Shift(change.piece, now, start, to))
                elif _place(change.before) != _place(change.after):
                    nudged.append(change.piece)
                if before is not None and after is not None and _differs(before, after):
                    turned.append(Turned(change.piece, to, before, after))
                cleared += _cleared(change)
        track, side = _track(step)
        index = step.index
        lines = [line for line in step.chat if line.strip()]
        rolls = tuple(roll for line in lines if (roll := read_roll(index, line)) is not None)
        return StepFacts(
            index,
            step.undo,
            step.undoes,
            tuple(shifts),
            tuple(nudged),
            tuple(turned),
            tuple(marked),
            tuple(unmarked),
            tuple(said(line) for line in lines if _typed(line)),
            rolls,
            track,
            side,
            cleared,
        )

    def _seen(self, change: Change) -> tuple[Counter | None, Counter | None] | None:
        """Both states of a piece as counters; None if one of them is hidden or concealed."""
        counters: list[Counter | None] = []
        for piece in (change.before, change.after):
            if piece is None:
                counters.append(None)
            elif piece.hidden or piece.concealed:
                return None
            else:
                counters.append(self.counter(piece))
        return counters[0], counters[1]

    def _marker(
        self,
        change: Change,
        now: Counter,
        hexes: tuple[str | None, str | None],
        marked: list[Marked],
        unmarked: list[Marked],
    ) -> None:
        if now.marker not in TRACED_MARKERS or now.marker is None:
            return
        start, to = hexes
        dragged = now.marker == "pin" and start != to
        if to is not None and (change.before is None or dragged):
            marked.append(Marked(now.marker, to, change.piece))
        elif start is not None and to is None:
            unmarked.append(Marked(now.marker, start, change.piece))


def _place(piece: Piece | None) -> tuple[object, ...] | None:
    return None if piece is None else (piece.x, piece.y, piece.stack, piece.index)


def _differs(before: Counter, after: Counter) -> bool:
    """Whether the unit itself changed: side up, size, strength, wound."""
    watched = (State.BROKEN, State.WOUNDED)
    return (
        before.kind is not after.kind
        or before.label != after.label
        or any((state in before.own) != (state in after.own) for state in watched)
    )


def _cleared(change: Change) -> int:
    before, after = change.before, change.after
    return int(before is not None and after is not None and before.moved and not after.moved)


def _track(step: Step) -> tuple[int | None, str | None]:
    """Phase and side to which a turn track was turned in this step.

    Told by the name of the piece (``Allied Turn 2 - RtPh``), so titles in chat are not needed.
    """
    for change in step.changes:
        before, after = change.before, change.after
        if before is None or after is None or before.name == after.name:
            continue
        match = _TRACK.search(after.name)
        if match is not None and "turn" in after.name.casefold():
            side = _TRACK_SIDE.search(after.name)
            return PLACES[match.group(1)], None if side is None else side.group(1)
    return None, None


PLACES = {
    name: place
    for place, name in enumerate(("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh"))
}


def _typed(line: str) -> bool:
    """Typed by a player: ``<name> - text`` in all versions (files.md 10)."""
    return _NAME.match(line) is not None


@lru_cache(maxsize=4096)
def said(line: str) -> Said:
    """A typed line understood as far as an audit needs it.

    >>> said("<Uli> - jetzt rout, du zuerst").phases
    (5,)
    """
    text = _NAME.sub("", line).strip()
    named = phases_named(text)
    first = leading_phase(text)
    if first is not None:
        named = (first, *(place for place in named if place != first))
    return Said(text, named, first is not None, topics(text), hexes_named(text))


def infantry_side(counter: Counter, who: Sides) -> str | None:
    """Side of a unit or weapon; None for neutral ones."""
    return who.side(counter.nationality)


def broken_infantry(counter: Counter) -> bool:
    """A unit that routs: broken Infantry (R1)."""
    return counter.kind in INFANTRY and State.BROKEN in counter.own


def is_mmc(counter: Counter) -> bool:
    """Squad, half-squad or crew."""
    return counter.kind in MMC


def taken_back(steps: Sequence[StepFacts]) -> dict[int, int]:
    """For each step that stays taken back: the step that took it back."""
    taken: dict[int, int] = {}
    for step in steps:
        if step.undoes is None:
            continue
        redone = [key for key, by in taken.items() if by == step.undoes]
        for key in redone:
            del taken[key]
        taken[step.undoes] = step.index
    return taken
