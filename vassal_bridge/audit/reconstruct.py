"""From log steps to routs: who moved from where to where, in one step or many, with whom and what.

A rout here is only what the log shows; whether it was right is for `judge`. Not routs, and noted as
what they are: nudges inside a hex, restacking, corrections explained in chat, removals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vassal_bridge.audit.dice import Roll
from vassal_bridge.audit.facts import (
    WEAPONS,
    Moved,
    Shift,
    StepFacts,
    broken_infantry,
    infantry_side,
)
from vassal_bridge.audit.phase import Distance, Span
from vassal_bridge.audit.talk import SaidLine, lines_said, listen, removal_steps
from vassal_bridge.audit.tracks import (
    Event,
    Move,
    Recording,
    Remark,
    Removal,
    Track,
    accompanies,
    replace_track,
    share_rolls,
)
from vassal_bridge.audit.words import ROUT, Talk, printed
from vassal_bridge.counters import INFANTRY, Kind, Sides, State

NEAR = 5
"""Steps within which a new counter can take the place of one that was deleted."""


class Recorder:
    """Goes through the steps of a rout phase.

    Args:
        facts: all steps of the log, in order.
        taken: steps that stay taken back, by the step that took them back.
        span: the phase.
        who: the sides.
        distance: range in hexes.
    """

    def __init__(
        self,
        facts: Sequence[StepFacts],
        taken: Mapping[int, int],
        span: Span,
        who: Sides,
        distance: Distance,
    ) -> None:
        self.distance = distance
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
        self.lost: set[str] = set()

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
        tracks = [t for t in self.tracks if t.moves]
        share_rolls(tracks)
        for track in tracks:
            track.lost_leaders = self.lost.intersection(track.leaders)
        listen(tracks, self.facts, self.span)
        tracks.sort(key=lambda track: (track.first, track.piece))
        gone = {
            piece: removal_steps(self.facts, self.span, event.step, track.to)
            for track in tracks
            for piece in track.pieces
            if (event := track.event("removed")) is not None
        }
        return Recording(tuple(tracks), tuple(self.removals), tuple(self.remarks), gone)

    # --- one step -------------------------------------------------------------------------------

    def _step(self, step: StepFacts) -> None:
        self._entered_and_left(step)
        self._turned(step)
        routers = [s for s in step.moved(INFANTRY) if broken_infantry(s.counter)]
        for shift in routers:
            self._rout_move(step, shift, routers)
        self._others(step, routers)
        for mark in step.marked:
            if mark.hex is None:
                continue
            if mark.key == "pin" and all(shift.to != mark.hex for shift in routers):
                self._pinned(step, mark.hex)
            elif mark.key == "dm":
                for track in self.tracks:
                    track.dm_given |= bool(track.moves) and track.to == mark.hex
        for piece in step.nudged:
            if piece in self.by_piece:
                continue
            self.remarks.append(Remark("nudge", (step.index,), piece, None))
        for roll in step.rolls:
            if self.current is not None:
                self.current.rolls.append(roll)
            else:
                self.pending.append(roll)

    def _rout_move(self, step: StepFacts, shift: Moved, routers: Sequence[Moved]) -> None:
        move = Move(step.index, shift.start, shift.to)
        track = self.by_piece.get(shift.piece)
        if track is None and self._placed(step, shift):
            return
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
        elif self._interrupts(track) and track.interrupted is None and len(routers) == 1:
            track.interrupted = self.current.moves[-1].step if self.current else step.index
        stays: Track | None = None
        if track.moves and move.to == track.start == track.moves[-1].start:
            stays = self._leaves_stack(track)
        track.moves.append(move)
        track.together += [
            other.piece
            for other in routers
            if other.piece != shift.piece
            and other.start == shift.start
            and other.to == shift.to
            and other.piece not in track.together
        ]
        self.current = stays or track

    def _interrupts(self, track: Track) -> bool:
        """Another unit has moved since; not one that was put back, nor while this one stood."""
        current = self.current
        if current is track or not track.moves or track.to == track.start:
            return False
        return current is None or current.to != current.start

    def _leaves_stack(self, track: Track) -> Track | None:
        """A unit dragged along with another by mistake is put back; returns the other."""
        stays = [other for other in self.tracks if track.piece in other.together]
        for other in stays:
            other.together.remove(track.piece)
        track.together = []
        return stays[0] if stays else None

    def _placed(self, step: StepFacts, shift: Moved) -> bool:
        """A counter put down in this phase goes to its place: no rout of anybody.

        Unless it stands for a unit that was taken off where it was put.
        """
        found = next((n for n, (_, new) in enumerate(self.new) if new.piece == shift.piece), None)
        if found is None:
            return False
        there = Shift(shift.piece, shift.counter, None, shift.start)
        stands_for = any(
            _takes_place(Shift(one.piece, one.counter, one.hex, None), there)
            for one in self.removals
        )
        if stands_for:
            return False
        placed = Shift(shift.piece, shift.counter, None, shift.to)
        self.new[found] = (step.index, placed)
        self._took_place(step.index, placed)
        return True

    def _corrects(self, step: StepFacts, shift: Moved) -> bool:
        """A unit that has not routed is put elsewhere, and the chat says it is a correction."""
        hexes = {printed(shift.start), printed(shift.to)}
        last = step.index if self._moves_again(shift.piece, step.index) else step.index + 1
        for line in lines_said(self.facts, step.index - 2, last):
            if Talk.CORRECTION not in line.topics:
                continue
            before = line.step == step.index - 1 and ROUT not in line.phases
            if line.hexes & hexes or (not line.hexes and before and not line.figure):
                return True
        return False

    def _moves_again(self, piece: str, index: int) -> bool:
        """The unit is moved once more in the phase: what is said next may be about that."""
        return any(
            shift.piece == piece
            for step in self.steps()
            if step.index > index and step.index not in self.taken and not step.undo
            for shift in step.moved(INFANTRY)
        )

    def _mends(self, step: StepFacts, track: Track, move: Move) -> bool:
        """A move that takes the last one back by hand, or puts a wrong drop right.

        Back to where the last move came from with a word of regret or of correction: that move is
        taken back. A correction without going back: the wrong hex is replaced by the right one.
        """
        last = track.moves[-1] if track.moves else None
        if last is None:
            return False
        between = lines_said(self.facts, last.step + 1, step.index)
        topics = {topic for line in between for topic in line.topics}
        corrected = Talk.CORRECTION in topics and self._instead(last, move, between)
        regretted = Talk.CORRECTION in topics or Talk.SLIP in topics
        if move.to == last.start and regretted:
            part = replace_track(track, [track.moves.pop()], step.index)
            self.tracks.append(part)
            return True
        if corrected and not track.interrupted:
            wrong = track.moves.pop()
            steps = (wrong.step, step.index)
            self.remarks.append(Remark("correction", steps, track.piece, wrong.to))
            track.moves.append(Move(step.index, wrong.start, move.to))
            self.current = track
            return True
        return False

    def _instead(self, last: Move, move: Move, between: Sequence[SaidLine]) -> bool:
        """Whether a move puts the last one right: its hex is named, or it leads no farther."""
        wanted = printed(move.to)
        if any(wanted in line.hexes and Talk.CORRECTION in line.topics for line in between):
            return True
        if self.distance(last.to, move.to) > 1:  # not the next step of the same way
            return True
        return self.distance(last.start, move.to) <= self.distance(last.start, last.to)

    def _others(self, step: StepFacts, routers: Sequence[Moved]) -> None:
        """Leaders and weapons that go along, unbroken units that move by themselves."""
        for shift in step.moved(INFANTRY | WEAPONS | {Kind.VEHICLE}):
            if broken_infantry(shift.counter) and shift.counter.kind in INFANTRY:
                continue
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
            elif any(new.piece == shift.piece for _, new in self.new):
                self._placed(step, shift)
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

    def _weapon(self, shift: Moved, move: Move, carrier: Track | None) -> None:
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

    # --- counters that come and go --------------------------------------------------------------

    def _entered_and_left(self, step: StepFacts) -> None:
        for shift in step.shifts:
            if shift.counter.kind not in INFANTRY:
                continue
            if shift.start is None and shift.to is not None:
                if self._came_back(step, shift):
                    continue
                self.new.append((step.index, shift))
                self._took_place(step.index, shift)
            elif shift.start is not None and shift.to is None:
                if broken_infantry(shift.counter):
                    self._left(step, shift)
                else:
                    self.lost.add(shift.piece)

    def _came_back(self, step: StepFacts, shift: Shift) -> bool:
        """A unit that was put aside and comes back: to its hex, or to where it routs."""
        gone = next((one for one in self.gone if one[1] == shift.piece), None)
        if gone is None or gone[2].start is None or shift.to is None:
            return False
        self.gone.remove(gone)
        self.removals = [one for one in self.removals if one.piece != shift.piece]
        left = gone[2].start
        track = self.by_piece.get(shift.piece)
        if track is not None:
            track.events = [event for event in track.events if event.code != "removed"]
        if shift.to != left and broken_infantry(shift.counter):
            moved = Moved(shift.piece, shift.counter, left, shift.to)
            aside = replace(step, index=gone[0])  # the move began when it left its hex
            self._rout_move(aside, moved, (moved,))
        return True

    def _left(self, step: StepFacts, shift: Shift) -> None:
        if shift.start is None:
            return
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
        steps = removal_steps(self.facts, self.span, step.index, shift.start)
        self.removals.append(Removal(shift.piece, shift.counter, shift.start, step.index, steps))

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
                    and (new.piece not in self.by_piece or self._own(new.piece))
                ),
                None,
            )
            if swap is None:
                kept.append(removal)
            else:
                steps = (removal.step,)
                self.remarks.append(Remark("replaced", steps, removal.piece, removal.hex))
        self.removals = kept

    def _own(self, piece: str) -> bool:
        """A counter that routs for itself, not for one it replaced on its way."""
        return self.by_piece[piece].piece == piece

    # --- undone routs ---------------------------------------------------------------------------

    def _undone(self) -> None:
        """Moves that were taken back by Undo, each run of them a rout of its own."""
        runs: dict[str, Track] = {}
        for step in self.steps():
            by = self.taken.get(step.index)
            if by is None or step.undo:
                continue
            routers = [s for s in step.moved(INFANTRY) if broken_infantry(s.counter)]
            for shift in routers:
                run = runs.get(shift.piece)
                if run is None or run.to != shift.start or step.index > (run.undone_by or 0):
                    known = self.by_piece.get(shift.piece)
                    first = shift.piece if known is None else known.piece
                    run = Track(first, shift.counter, undone_by=by)
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

    def _undone_company(self, run: Track, shift: Moved, index: int) -> None:
        if shift.counter.kind in WEAPONS:
            run.weapons.add(shift.piece)
        elif shift.counter.kind is Kind.LEADER:
            run.leaders.setdefault(shift.piece, []).append(Move(index, shift.start, shift.to))

    def _before(self, piece: str, index: int) -> list[Move]:
        """Moves that stand and that the unit had made before a step."""
        track = self.by_piece.get(piece)
        return [move for move in track.moves if move.step < index] if track else []

    # --- leaders dragged on their own -----------------------------------------------------------

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
                if same_side and accompanies(track, lone, NEAR):
                    mine = track.leaders.setdefault(piece, [])
                    mine += [move for move in lone.moves if move not in mine]
                    mine.sort(key=lambda move: move.step)
                    del self.lone[piece]
                    break

    def _lone_movers(self) -> None:
        for lone in self.lone.values():
            if lone.start != lone.to:
                self.tracks.append(lone)


def _takes_place(left: Shift, new: Shift) -> bool:
    """A half-squad (or a fresh copy) where a unit of its nationality was taken off."""
    if left.start != new.to or left.counter.nationality != new.counter.nationality:
        return False
    if left.counter.kind is Kind.SQUAD and new.counter.kind is Kind.HALF_SQUAD:
        return True
    return left.counter.kind is new.counter.kind  # of another quality perhaps
