"""From log steps to routs: who moved from where to where, in one step or many, with whom and what.

A rout here is only what the log shows; whether it was right is for `judge`. Not routs, and noted as
what they are: nudges inside a hex, restacking, corrections explained in chat, removals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.dice import Roll
from vassal_bridge.audit.facts import (
    WEAPONS,
    Said,
    Shift,
    StepFacts,
    broken_infantry,
    infantry_side,
    is_mmc,
)
from vassal_bridge.audit.phase import Span
from vassal_bridge.audit.words import Talk, printed
from vassal_bridge.counters import INFANTRY, Counter, Kind, Sides, State

NEAR = 5
"""Steps within which a new counter can take the place of one that was deleted."""


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
    """Something that happened to a unit under way: ``reduced``, ``wounded``, ``removed``, ``pin``."""

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
        weapons: weapons that moved with it: piece ids.
        new_piece: half-squad counter that took its place.
        crawl_said: step in which Low Crawl is declared, or None.
        check_said: an interdiction or NMC is spoken of.
        pin_said: a pin is spoken of.
        gone_said: its elimination is spoken of.
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
    weapons: set[str] = field(default_factory=set)
    new_piece: str | None = None
    crawl_said: int | None = None
    check_said: bool = False
    pin_said: bool = False
    gone_said: bool = False
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


class Recorder:
    """Goes through the steps of a rout phase.

    Args:
        facts: all steps of the log, in order.
        taken: steps that stay taken back, by the step that took them back.
        span: the phase.
        who: the sides.
    """

    def __init__(
        self, facts: Sequence[StepFacts], taken: Mapping[int, int], span: Span, who: Sides
    ) -> None:
        self.facts = facts
        self.taken = taken
        self.span = span
        self.who = who
        self.tracks: list[Track] = []
        self.lone: dict[str, Track] = {}
        self.removals: list[Removal] = []
        self.remarks: list[Remark] = []
        self.by_piece: dict[str, Track] = {}
        self.current: Track | None = None
        self.pending: list[Roll] = []
        self.gone: list[tuple[int, str, Shift]] = []
        self.new: list[tuple[int, Shift]] = []

    def steps(self) -> Iterator[StepFacts]:
        """The steps of the phase."""
        for step in self.facts:
            if self.span.first <= step.index <= self.span.last:
                yield step

    def record(self) -> Recording:
        """Everything the phase shows."""
        for step in self.steps():
            if not step.undo and step.index not in self.taken:
                self._step(step)
        self._undone()
        self._pair_leaders()
        self._lone_movers()
        self._replaced_in_place()
        for track in self.tracks:
            self._talk(track)
        tracks = [t for t in self.tracks if t.moves]
        tracks.sort(key=lambda track: (track.first, track.piece))
        gone = {
            piece: self.removal_steps(event.step, track.to)
            for track in tracks
            for piece in track.pieces
            if (event := track.event("removed")) is not None
        }
        return Recording(tuple(tracks), tuple(self.removals), tuple(self.remarks), gone)

    # --- one step --------------------------------------------------------------------------------

    def _step(self, step: StepFacts) -> None:
        self._entered_and_left(step)
        self._turned(step)
        routers = [s for s in step.moved(INFANTRY) if broken_infantry(s.counter)]
        for shift in routers:
            self._rout_move(step, shift, routers)
        self._others(step, routers)
        for mark in step.marked:
            if mark.key == "pin" and mark.hex is not None:
                self._pinned(step, mark.hex)
        for piece in step.nudged:
            if piece in self.by_piece:
                continue
            self.remarks.append(Remark("nudge", (step.index,), piece, None))
        for roll in step.rolls:
            if self.current is not None:
                self.current.rolls.append(roll)
            else:
                self.pending.append(roll)

    def _rout_move(self, step: StepFacts, shift: Shift, routers: Sequence[Shift]) -> None:
        assert shift.start is not None and shift.to is not None  # noqa: S101  (of `moved`)
        move = Move(step.index, shift.start, shift.to)
        track = self.by_piece.get(shift.piece)
        if track is None and self._corrects(step, shift):
            self.remarks.append(Remark("correction", (step.index,), shift.piece, shift.to))
            return
        if track is None:
            track = Track(shift.piece, shift.counter)
            track.early_rolls, self.pending = self.pending, []
            self.tracks.append(track)
            self.by_piece[shift.piece] = track
        elif self._mends(step, track, move):
            return
        elif self.current is not track and track.interrupted is None and not _same(step, routers):
            track.interrupted = self.current.moves[-1].step if self.current else step.index
        track.moves.append(move)
        track.together += [
            other.piece
            for other in routers
            if other.piece != shift.piece
            and other.start == shift.start
            and other.to == shift.to
            and other.piece not in track.together
        ]
        self.current = track

    def _corrects(self, step: StepFacts, shift: Shift) -> bool:
        """A unit that has not routed is put elsewhere, and the chat says it is a correction."""
        hexes = {printed(hex_) for hex_ in (shift.start, shift.to) if hex_}
        for line in self._said(step.index - 2, step.index + 1):
            if Talk.CORRECTION not in line.topics:
                continue
            if line.hexes & hexes or (not line.hexes and line.step == step.index - 1):
                return True
        return False

    def _mends(self, step: StepFacts, track: Track, move: Move) -> bool:
        """A move that takes the last one back by hand, or puts a wrong drop right.

        Back to where the last move came from with a word of regret or of correction: that move is
        taken back. A correction without going back: the wrong hex is replaced by the right one.
        """
        topics = {topic for line in self._said(step.index - 2, step.index + 1) for topic in line.topics}
        last = track.moves[-1] if track.moves else None
        if last is None:
            return False
        corrected = Talk.CORRECTION in topics
        if move.to == last.start and (corrected or Talk.SLIP in topics):
            part = replace_track(track, [track.moves.pop()], step.index)
            self.tracks.append(part)
            return True
        if corrected and not track.interrupted:
            wrong = track.moves.pop()
            self.remarks.append(Remark("correction", (wrong.step, step.index), track.piece, wrong.to))
            track.moves.append(Move(step.index, wrong.start, move.to))
            self.current = track
            return True
        return False

    def _others(self, step: StepFacts, routers: Sequence[Shift]) -> None:
        """Leaders and weapons that go along, unbroken units that move by themselves."""
        for shift in step.moved(INFANTRY | WEAPONS | {Kind.VEHICLE}):
            if broken_infantry(shift.counter) and shift.counter.kind in INFANTRY:
                continue
            assert shift.start is not None and shift.to is not None  # noqa: S101  (of `moved`)
            move = Move(step.index, shift.start, shift.to)
            carrier = next(
                (
                    self.by_piece[other.piece]
                    for other in routers
                    if other.start == shift.start and other.to == shift.to
                    and other.piece in self.by_piece
                ),
                None,
            )  # fmt: skip
            if shift.counter.kind in WEAPONS:
                self._weapon(shift, move, carrier)
            elif carrier is not None and shift.counter.kind is Kind.LEADER:
                carrier.leaders.setdefault(shift.piece, []).append(move)
            else:
                if self._corrects(step, shift):
                    self.remarks.append(Remark("correction", (step.index,), shift.piece, shift.to))
                    continue
                lone = self.lone.get(shift.piece)
                if lone is None:
                    lone = Track(shift.piece, shift.counter, broken=False)
                    self.lone[shift.piece] = lone
                lone.moves.append(move)

    def _weapon(self, shift: Shift, move: Move, carrier: Track | None) -> None:
        """A weapon dragged with the unit, or after it to a hex of its way."""
        if carrier is None:
            for track in reversed(self.tracks):
                if track.moves and move.start == track.start and move.to in track.path:
                    carrier = track
                    break
        if carrier is not None:
            carrier.weapons.add(shift.piece)

    def _turned(self, step: StepFacts) -> None:
        for turned in step.turned:
            track = self.by_piece.get(turned.piece)
            if track is None:
                continue
            if turned.before.kind is Kind.SQUAD and turned.after.kind is Kind.HALF_SQUAD:
                track.events.append(Event("reduced", step.index))
            wounded = State.WOUNDED in turned.after.own and State.WOUNDED not in turned.before.own
            if wounded:
                track.events.append(Event("wounded", step.index))

    def _pinned(self, step: StepFacts, hex_: str) -> None:
        """A Pin counter in the hex where the current (or another) rout stands."""
        tracks = [self.current] if self.current is not None else []
        for track in [*tracks, *reversed(self.tracks)]:
            if track.moves and track.to == hex_ and track.event("removed") is None:
                if track.event("pin") is None:
                    track.events.append(Event("pin", step.index))
                return

    # --- counters that come and go ---------------------------------------------------------------

    def _entered_and_left(self, step: StepFacts) -> None:
        for shift in step.shifts:
            if shift.counter.kind not in INFANTRY:
                continue
            if shift.start is None and shift.to is not None:
                self.new.append((step.index, shift))
                self._took_place(step.index, shift)
            elif shift.start is not None and shift.to is None and broken_infantry(shift.counter):
                self._left(step, shift)

    def _left(self, step: StepFacts, shift: Shift) -> None:
        assert shift.start is not None  # noqa: S101  (asked by the caller)
        track = self.by_piece.get(shift.piece)
        if track is None and any(new.piece == shift.piece for _, new in self.new):
            self.remarks.append(Remark("copy", (step.index,), shift.piece, shift.start))
            return
        if track is not None and track.moves:
            newcomer = self._newcomer(step.index, shift)
            if newcomer is not None:
                self._replace(track, newcomer, step.index)
            else:
                track.events.append(Event("removed", step.index))
                self.gone.append((step.index, shift.piece, shift))
            return
        self.gone.append((step.index, shift.piece, shift))
        steps = self.removal_steps(step.index, shift.start)
        self.removals.append(
            Removal(shift.piece, shift.counter, shift.start, step.index, steps)
        )

    def _newcomer(self, index: int, left: Shift) -> Shift | None:
        """A half-squad put down a little earlier in the same hex (or the copy of a unit)."""
        for step, shift in reversed(self.new):
            if index - step > NEAR:
                break
            if _takes_place(left, shift) and shift.piece not in self.by_piece:
                return shift
        return None

    def _took_place(self, index: int, new: Shift) -> None:
        """A new counter where one was deleted a little earlier: it goes on for it."""
        for step, piece, left in reversed(self.gone):
            if index - step > NEAR:
                break
            track = self.by_piece.get(piece)
            if track is None or not _takes_place(left, new):
                continue
            track.events = [event for event in track.events if event.code != "removed"]
            self.gone.remove((step, piece, left))
            self._replace(track, new, step)
            return

    def _replace(self, track: Track, new: Shift, step: int) -> None:
        if new.counter.kind is not track.counter.kind:
            track.events.append(Event("reduced", step))
        track.new_piece = new.piece
        self.by_piece[new.piece] = track

    def _replaced_in_place(self) -> None:
        """Removals that are none: a new counter of the same kind lies in the hex instead."""
        kept = []
        for removal in self.removals:
            left = Shift(removal.piece, removal.counter, removal.hex, None)
            swap = next(
                (
                    new
                    for step, new in self.new
                    if abs(step - removal.step) <= NEAR
                    and _takes_place(left, new)
                    and new.piece not in self.by_piece
                ),
                None,
            )
            if swap is None:
                kept.append(removal)
            else:
                steps = (removal.step,)
                self.remarks.append(Remark("replaced", steps, removal.piece, removal.hex))
        self.removals = kept

    def removal_steps(self, index: int, hex_: str) -> tuple[int, ...]:
        """Steps that belong to a removal: what was said, the markers, the counter itself."""
        found = {index}
        for step in self.facts:
            near = abs(step.index - index) <= 2
            if not near or not self.span.first <= step.index <= self.span.last:
                continue
            marker = any(mark.key == "dm" and mark.hex == hex_ for mark in step.unmarked)
            talk = any(
                (Talk.FAILS in line.topics or Talk.GONE in line.topics)
                and (printed(hex_) in line.hexes or not line.hexes or step.index == index - 1)
                for line in step.said
            )
            if marker or talk:
                found.add(step.index)
        return tuple(sorted(found))

    # --- undone routs ------------------------------------------------------------------------------

    def _undone(self) -> None:
        """Moves that were taken back by Undo, each run of them a rout of its own."""
        runs: dict[str, Track] = {}
        for step in self.steps():
            by = self.taken.get(step.index)
            if by is None or step.undo:
                continue
            routers = [s for s in step.moved(INFANTRY) if broken_infantry(s.counter)]
            for shift in routers:
                assert shift.start is not None and shift.to is not None  # noqa: S101
                run = runs.get(shift.piece)
                if run is None or run.to != shift.start or step.index > (run.undone_by or 0):
                    run = Track(shift.piece, shift.counter, undone_by=by)
                    run.prefix = self._before(shift.piece, step.index)
                    runs[shift.piece] = run
                    self.tracks.append(run)
                run.moves.append(Move(step.index, shift.start, shift.to))
                run.undone_by = max(by, run.undone_by or 0)
            for shift in step.moved(INFANTRY | WEAPONS):
                if broken_infantry(shift.counter):
                    continue
                for other in routers:
                    if other.start == shift.start and other.to == shift.to:
                        self._undone_company(runs[other.piece], shift, step.index)
                        break

    def _undone_company(self, run: Track, shift: Shift, index: int) -> None:
        assert shift.start is not None and shift.to is not None  # noqa: S101  (of `moved`)
        if shift.counter.kind in WEAPONS:
            run.weapons.add(shift.piece)
        elif shift.counter.kind is Kind.LEADER:
            run.leaders.setdefault(shift.piece, []).append(Move(index, shift.start, shift.to))

    def _before(self, piece: str, index: int) -> list[Move]:
        """Moves that stand and that the unit had made before a step."""
        track = self.by_piece.get(piece)
        return [move for move in track.moves if move.step < index] if track else []

    # --- leaders dragged on their own ----------------------------------------------------------------

    def _pair_leaders(self) -> None:
        """An unbroken leader dragged by himself along a broken unit's way goes along with it."""
        for piece, lone in list(self.lone.items()):
            if lone.counter.kind is not Kind.LEADER:
                continue
            for track in self.tracks:
                if track.undone_by is not None or not track.moves:
                    continue
                same_side = infantry_side(track.counter, self.who) == infantry_side(
                    lone.counter, self.who
                )
                if same_side and self._accompanies(track, lone):
                    mine = track.leaders.setdefault(piece, [])
                    mine += [move for move in lone.moves if move not in mine]
                    mine.sort(key=lambda move: move.step)
                    del self.lone[piece]
                    break

    def _accompanies(self, track: Track, lone: Track) -> bool:
        hexes = (track.start, *track.path)
        own = (lone.start, *lone.path)
        if track.leaders.get(lone.piece):
            return True
        near = lone.first <= track.last + NEAR and track.first <= lone.last + NEAR
        return near and own[0] in hexes and own[-1] in hexes

    def _lone_movers(self) -> None:
        for lone in self.lone.values():
            if lone.start != lone.to:
                self.tracks.append(lone)

    # --- talk ------------------------------------------------------------------------------------------

    def _said(self, first: int, last: int) -> list[SaidLine]:
        found = []
        for step in self.facts[max(0, first - 1) : max(0, last)]:
            found += [SaidLine(step.index, s.topics, s.hexes) for s in step.said]
        return found

    def _talk(self, track: Track) -> None:
        """What was said about a rout: before it since the last one, and until the next one."""
        before, after = self._window(track)
        hexes = _printed(track)
        self._widen(track, before, after, hexes)
        for line in self._said(before, after):
            about = not line.hexes or bool(line.hexes & hexes)
            if not about:
                continue
            later = line.step > track.first
            if Talk.CRAWL in line.topics and track.crawl_said is None:
                if not later or self._not_next(track, line):
                    track.crawl_said = line.step
            track.check_said |= Talk.CHECK in line.topics
            track.pin_said |= Talk.PINNED in line.topics and later
            track.gone_said |= bool({Talk.GONE, Talk.FAILS} & line.topics) and later

    def _widen(self, track: Track, before: int, after: int, hexes: set[str]) -> None:
        """Steps of talk that belong to a rout: announced right before, commented right after."""
        spoken = {step.index: step for step in self.facts if step.said}
        index = track.first - 1
        while index >= before and index in spoken and not spoken[index].shifts:
            if not any(_announces(said, track, hexes) for said in spoken[index].said):
                break
            track.from_step = index
            index -= 1
        index = track.last + 1
        wanted = {Talk.PINNED, Talk.GONE}
        while track.undone_by is None and index <= after and index in spoken:
            if not any(said.topics & wanted and (not said.hexes or said.hexes & hexes)
                       for said in spoken[index].said):
                break
            track.to_step = index
            index += 1

    def _window(self, track: Track) -> tuple[int, int]:
        """First and last step in which talk may be about this rout."""
        before, after = self.span.first, self.span.last
        for other in self.tracks:
            if other is track or not other.moves:
                continue
            if other.moves[-1].step < track.first:
                before = max(before, other.moves[-1].step + 1)
            if other.first > track.moves[-1].step:
                after = min(after, other.first - 1)
        if track.undone_by is not None:
            after = min(after, track.undone_by)
        return before, after

    def _not_next(self, track: Track, line: SaidLine) -> bool:
        """Whether talk of a crawl after a rout is about it, not about the one that follows."""
        following = [t for t in self.tracks if t.moves and t.first > line.step]
        if not following:
            return True
        ahead = min(following, key=lambda other: other.first)
        if line.hexes:
            return not line.hexes & _printed(ahead)
        return len(ahead.moves) != 1


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A typed line with its step."""

    step: int
    topics: frozenset[Talk]
    hexes: frozenset[str]


def replace_track(track: Track, moves: list[Move], by: int) -> Track:
    """A part of a rout that was taken back by hand in step `by`."""
    part = replace(track, moves=moves, events=[], rolls=[], early_rolls=[], undone_by=by)
    part.prefix = [move for move in track.moves if move.step < moves[0].step]
    return part


def _announces(said: Said, track: Track, hexes: set[str]) -> bool:
    """Whether a line right before a rout is about it: it names its start, or its Low Crawl."""
    if printed(track.start) in said.hexes:
        return True
    return Talk.CRAWL in said.topics and (not said.hexes or bool(said.hexes & hexes))


def _printed(track: Track) -> set[str]:
    """Printed names of the hexes of a rout."""
    return {printed(track.start), *(printed(hex_) for hex_ in track.path)}


def _same(step: StepFacts, routers: Sequence[Shift]) -> bool:
    """Several broken units in one drag: none interrupts the other."""
    del step
    return len(routers) > 1


def _takes_place(left: Shift, new: Shift) -> bool:
    """A half-squad (or a fresh copy) where a unit of its nationality was taken off."""
    if left.start != new.to or left.counter.nationality != new.counter.nationality:
        return False
    if left.counter.kind is Kind.SQUAD and new.counter.kind is Kind.HALF_SQUAD:
        return True
    return left.counter.kind is new.counter.kind and left.counter.label == new.counter.label


def smc(counter: Counter) -> bool:
    """Leader or hero."""
    return not is_mmc(counter) and counter.kind in INFANTRY
