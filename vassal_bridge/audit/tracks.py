"""A rout phase as recorded, still unjudged: routs, removals, and what is none of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.dice import Roll
from vassal_bridge.counters import Counter


@dataclass(frozen=True, slots=True)
class Move:
    """One hex change of a routing unit.

    Attributes:
        step: log step.
        start, to: hexes.
    """

    step: int
    start: str
    to: str


@dataclass(slots=True)
class Event:
    """What happened to a unit under way: ``reduced``, ``wounded``, ``removed``, ``pin``."""

    code: str
    step: int


@dataclass(slots=True)
class Track:
    """One rout as recorded, still unjudged.

    Attributes:
        piece: id of the unit when it set out.
        counter: what it was then (its kind and label before any reduction).
        moves: its moves, taken-back ones left out.
        events: what happened to it on the way, in order.
        rolls: dice between its first move and the next unit's.
        early_rolls: dice rolled before it set out that no rout before accounts for.
        undone_by: step that took the whole of it back, or None.
        broken: it is broken Infantry; False = an unbroken unit that moved.
        together: other pieces dragged in the same step from the same hex: broken units.
        leaders: unbroken leaders that moved with it: piece id -> their moves.
        lost_leaders: those of them that were taken off in the phase.
        weapons: weapons that moved with it: piece ids.
        new_piece: half-squad counter that took its place.
        crawl_said: step in which Low Crawl is declared, or None.
        check_said: an interdiction or NMC is spoken of.
        passed_said: a check is said to be passed.
        pin_said: a pin is spoken of.
        dm_given: a DM marker is put in its hex after it has moved.
        interrupted: step in which another unit moved before this one went on, or None.
        prefix: moves before the ones in question, for a part that was taken back.
        from_step, to_step: steps of talk right before and after that belong to it.
    """

    piece: str
    counter: Counter
    moves: list[Move] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    early_rolls: list[Roll] = field(default_factory=list)
    undone_by: int | None = None
    broken: bool = True
    together: list[str] = field(default_factory=list)
    leaders: dict[str, list[Move]] = field(default_factory=dict)
    lost_leaders: set[str] = field(default_factory=set)
    weapons: set[str] = field(default_factory=set)
    new_piece: str | None = None
    crawl_said: int | None = None
    check_said: bool = False
    passed_said: bool = False
    pin_said: bool = False
    dm_given: bool = False
    interrupted: int | None = None
    prefix: list[Move] = field(default_factory=list)
    from_step: int | None = None
    to_step: int | None = None

    @property
    def pieces(self) -> tuple[str, ...]:
        """Ids under which the unit appears."""
        return (self.piece,) if self.new_piece is None else (self.piece, self.new_piece)

    @property
    def start(self) -> str:
        """Hex from which it sets out."""
        return self.moves[0].start

    @property
    def to(self) -> str:
        """Last hex."""
        return self.moves[-1].to

    @property
    def path(self) -> tuple[str, ...]:
        """Hexes entered, as recorded."""
        return tuple(move.to for move in self.moves)

    @property
    def first(self) -> int:
        """Step of the first move."""
        return self.moves[0].step

    @property
    def last(self) -> int:
        """Last step that belongs to it."""
        steps = [self.moves[-1].step, *(event.step for event in self.events)]
        if self.undone_by is not None:
            steps.append(self.undone_by)
        return max(steps)

    def event(self, code: str) -> Event | None:
        """The first event of a kind, or None."""
        return next((event for event in self.events if event.code == code), None)


@dataclass(frozen=True, slots=True)
class Removal:
    """A broken unit that left the board in the phase without moving before.

    Attributes:
        piece, counter, hex: the unit and where it stood.
        step: when it left.
        steps: with the removal of its DM marker and what was said about it.
    """

    piece: str
    counter: Counter
    hex: str
    step: int
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """A move that looks like a rout and is none: code, steps, piece, hex."""

    code: str
    steps: tuple[int, ...]
    piece: str
    hex: str | None


@dataclass(frozen=True, slots=True)
class Recording:
    """What a rout phase shows.

    Attributes:
        tracks: routs, in order of their first move; taken-back ones among them.
        removals: units that were taken off without routing.
        remarks: what is no rout.
        gone: log steps of the removal of units that had routed, by piece id.
    """

    tracks: tuple[Track, ...]
    removals: tuple[Removal, ...]
    remarks: tuple[Remark, ...]
    gone: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def replace_track(track: Track, moves: list[Move], by: int) -> Track:
    """A part of a rout that was taken back by hand in step `by`."""
    part = replace(track, moves=moves, events=[], rolls=[], early_rolls=[], undone_by=by)
    part.prefix = [move for move in track.moves if move.step < moves[0].step]
    return part


def share_rolls(tracks: Sequence[Track]) -> None:
    """Dice after units were dragged as one stack: to each its own, in the order they were rolled.

    Args:
        tracks: the routs; those of a stack are changed.
    """
    done: set[str] = set()
    for track in tracks:
        if not track.together or track.piece in done or track.undone_by is not None:
            continue
        group = [track]
        group += [
            other
            for other in tracks
            if other.piece in track.together
            and other.undone_by is None
            and [move.step for move in other.moves] == [move.step for move in track.moves]
        ]
        pool = sorted((roll for one in group for roll in one.rolls), key=lambda roll: roll.step)
        for place, one in enumerate(group):
            one.rolls = pool[place :: len(group)]
            done.add(one.piece)


def accompanies(track: Track, lone: Track, near: int) -> bool:
    """Whether an unbroken leader who is dragged by himself goes the way of a rout.

    Args:
        track: the rout.
        lone: the leader's moves.
        near: steps that may lie between them.
    """
    hexes = (track.start, *track.path)
    own = (lone.start, *lone.path)
    if track.leaders.get(lone.piece):
        return True
    in_time = lone.first <= track.last + near and track.first <= lone.last + near
    return in_time and own[0] in hexes and own[-1] in hexes
