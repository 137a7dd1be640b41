"""Where the rout phases of a log are: every step is given to the phase of the turn it fits best.

No single sign can be trusted: players forget the turn track, talk about other phases, write no
word at all. So each step's events count for and against each phase, phases follow each other in
the order of the turn, and the best reading of the whole log wins (a Viterbi search over phase and
ATTACKER; weights below). `--phase first-last` overrides it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vassal_bridge.audit.facts import Said, Shift, StepFacts, broken_infantry, infantry_side
from vassal_bridge.audit.result import Evidence
from vassal_bridge.audit.signs import COUNT, FIRE, Weights, add, markers, removals, rolls
from vassal_bridge.audit.words import (
    ADVANCE,
    ADVANCING,
    CLOSE,
    DEFENSIVE,
    MOVE,
    PREP,
    RALLY,
    ROUT,
    Talk,
    printed,
)
from vassal_bridge.counters import INFANTRY, Kind, Sides, State

_ROUT_NAME = re.compile(r"(?<![A-Za-z])(RtPh|Rt ?Phase|Rout(phase)?)(?![A-Za-z])", re.IGNORECASE)
Distance = Callable[[str, str], int]

TURN_TRACK, LEADING_WORD, WORD, WORD_AGAIN = 12.0, 5.0, 2.5, 0.7
FILE_NAME = 1.0
CHANGE, PER_PHASE, NEW_TURN = 1.0, 0.15, 4.0
CERTAIN_MARGIN = 1.5
"""How much better one side as ATTACKER must fit than the other to be called certain."""


@dataclass(frozen=True, slots=True)
class Span:
    """A rout phase found.

    Attributes:
        first, last: log steps.
        attacker: whose player turn it is.
        attacker_certain: False when only assumed.
        evidence: what showed it.
        goes_on: a later phase of the same player turn follows in the log.
        next_turn: the following player turn begins in the log.
        fought: both sides' phases of this player turn lie in the log: the DEFENDER's fire before
            the rout phase and the APh after it, or the CCPh.
        opens: the log opens in this phase and says nothing that begins it: routs may have been made
            before.
        late: the log opens in this phase and the next thing in it is a new player turn: the other
            side's advances may already be on the board.
        explicit: its end is shown by a word, the track or the option, not only by moves.
    """

    first: int
    last: int
    attacker: str
    attacker_certain: bool
    evidence: tuple[Evidence, ...]
    goes_on: bool
    next_turn: bool
    late: bool
    explicit: bool = False
    fought: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Segment:
    """Consecutive steps of one phase: places in the list of facts, both ends included."""

    phase: int
    turn: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """The best reading of a log with one side as the first ATTACKER."""

    score: float
    segments: tuple[_Segment, ...]


class PhaseFinder:
    """Finds rout phases.

    Args:
        facts: all steps, in order.
        taken: steps that stay taken back (`facts.taken_back`): they count for nothing.
        who: the sides.
        distance: range in hexes.
        attacker: ATTACKER as the user gave it, or None.
        guess: ATTACKER by the turn counter or by default, when nothing else tells.
        name: of the file; players name logs after the phase they end with.
    """

    def __init__(
        self,
        facts: Sequence[StepFacts],
        taken: Mapping[int, int],
        who: Sides,
        distance: Distance,
        *,
        attacker: str | None,
        guess: str,
        name: str = "",
    ) -> None:
        self.facts = facts
        self.taken = taken
        self.who = who
        self.distance = distance
        self.attacker = attacker
        self.guess = guess
        self.name = name
        self.named = _ROUT_NAME.search(name) is not None
        sides = sorted(set(who.of.values()))
        self.sides = tuple(sides) if len(sides) == 2 else (guess, "")

    # --- what a step says -----------------------------------------------------------------------

    def _weights(self, step: StepFacts, attacker: str) -> Weights:
        weights = [0.0] * COUNT
        if step.undo or step.index in self.taken:
            return weights
        rolls(step, weights)
        markers(step, weights)
        for turned in step.turned:
            broke = State.BROKEN in turned.after.own and State.BROKEN not in turned.before.own
            rallied = State.BROKEN in turned.before.own and State.BROKEN not in turned.after.own
            if broke:
                mine = infantry_side(turned.after, self.who) == attacker
                add(weights, FIRE, 1.5, -1.5)
                add(weights, (MOVE, DEFENSIVE) if mine else (PREP, ADVANCING), 0.7, 0.0)
            elif rallied:
                add(weights, (RALLY,), 4.0, -2.0)
        self._moves(step, attacker, weights)
        if step.track is not None:
            weights[step.track] += TURN_TRACK
            side = step.track_side
            if side is not None and self.who.group(attacker) not in (side, None):
                weights[step.track] -= 4.0
        return weights

    def _moves(self, step: StepFacts, attacker: str, weights: Weights) -> None:
        shifts = [shift for shift in step.shifts if shift.counter.kind in INFANTRY]
        corrected = any(Talk.CORRECTION in said.topics for said in self._said_near(step))
        routers = [s for s in shifts if s.start and s.to and broken_infantry(s.counter)]
        if routers and not corrected:
            add(weights, (ROUT,), 4.0 + FILE_NAME * self.named, -3.0)
        for shift in shifts:
            if shift.start and not shift.to and broken_infantry(shift.counter):
                add(weights, (ROUT,), 1.0, 0.0)
                add(weights, (CLOSE,), 0.5, 0.0)
            if not (shift.start and shift.to) or broken_infantry(shift.counter):
                continue
            if routers or self._along(step, shift):  # a leader going along
                add(weights, (ROUT,), 1.5, -0.5)
                continue
            if corrected:
                continue
            if infantry_side(shift.counter, self.who) != attacker:
                add(weights, (ROUT,), -1.5, -3.0)
                continue
            near = self.distance(shift.start, shift.to) == 1
            add(weights, (MOVE,), 2.5, -2.5)
            weights[ADVANCE] += 4.5 if near else 0.5
            break  # a stack of five that moves says no more than one unit

    def _along(self, step: StepFacts, shift: Shift) -> bool:
        """A leader dragged by himself the way a broken unit goes, a few steps before or after."""
        if shift.counter.kind is not Kind.LEADER:
            return False
        place = step.index - 1
        return any(
            (other.start, other.to) == (shift.start, shift.to)
            for near in self.facts[max(0, place - 4) : place + 5]
            for other in near.moved(INFANTRY)
            if broken_infantry(other.counter)
        )

    def _said_near(self, step: StepFacts) -> list[Said]:
        """Typed lines in this step and the two before."""
        place = step.index - 1
        return [said for near in self.facts[max(0, place - 2) : place + 1] for said in near.said]

    def _words(self, step: StepFacts) -> tuple[Weights, Weights]:
        """Bonus for entering a phase in this step, and for being in it."""
        enter, stay = [0.0] * COUNT, [0.0] * COUNT
        for said in step.said:
            for number, place in enumerate(said.phases):
                strong = said.leads and number == 0
                enter[place] = max(enter[place], LEADING_WORD if strong else WORD)
                stay[place] = max(stay[place], WORD_AGAIN)
        if step.flags_cleared >= 3:
            enter[RALLY] = max(enter[RALLY], 1.0)
        return enter, stay

    # --- the search -----------------------------------------------------------------------------

    def _read(self, first_attacker: str) -> _Reading:
        """Viterbi over (player turn parity, phase); `_STATES` numbers the pairs."""
        other = self.sides[1] if first_attacker == self.sides[0] else self.sides[0]
        score = np.array([0.0] * COUNT + [float("-inf")] * COUNT)
        back: list[tuple[int, ...] | None] = []
        for number, step in enumerate(self.facts):
            enter, stay = self._words(step)
            weights = self._weights(step, first_attacker) + self._weights(step, other)
            if number == 0:
                score = score + weights + np.array(enter + enter)
                back.append(None)
                continue
            if not any(weights) and not any(enter):
                back.append(None)  # nothing said: every phase goes on
                continue
            coming = score - _COSTS_INTO
            origin = coming.argmax(axis=1)  # of equals the first: the later change of phase
            come = coming[_NUMBERS, origin] + np.array(enter + enter)
            gone_on = score + np.array(stay + stay)
            stays = gone_on > come
            score = np.where(stays, gone_on, come) + weights
            back.append(tuple(np.where(stays, _NUMBERS, origin).tolist()))
        end = int(score.argmax())
        return _Reading(float(score[end]), _segments(back, end))

    def spans(self) -> tuple[Span, ...]:
        """The rout phases, in order."""
        if not self.facts or not any(self.sides):
            return ()
        readings = {side: self._read(side) for side in self.sides if side}
        ranked = sorted(readings, key=lambda side: (-readings[side].score, side != self.guess))
        first, certain = ranked[0], False
        if self.attacker is not None:
            reading, first = self._pinned(readings, first)
            return tuple(self._spans(reading, first, certain=True))
        if len(ranked) > 1:
            margin = readings[first].score - readings[ranked[1]].score
            certain = margin >= CERTAIN_MARGIN
            if not certain and not self._agree(readings):
                first = self.guess if self.guess in readings else first
            elif not certain:
                certain = True
        return tuple(self._spans(readings[first], first, certain))

    def _agree(self, readings: Mapping[str, _Reading]) -> bool:
        """Whether all readings have the same ATTACKER where units rout."""
        found: dict[int, set[str]] = {}
        for side, reading in readings.items():
            for segment in reading.segments:
                if segment.phase == ROUT:
                    for number in range(segment.first, segment.last + 1):
                        if self._rout_moves(self.facts[number]):
                            found.setdefault(number, set()).add(self._attacker(side, segment))
        return all(len(attackers) == 1 for attackers in found.values())

    def _pinned(self, readings: Mapping[str, _Reading], first: str) -> tuple[_Reading, str]:
        """A reading, and the first ATTACKER, with which the phase with most routs is the given's.

        If the log fits none, what the user says counts, not the log.
        """
        against: list[tuple[_Reading, str]] = []
        for side in sorted(readings, key=lambda side: -readings[side].score):
            reading = readings[side]
            segments = [s for s in reading.segments if s.phase == ROUT]
            if not segments:
                continue
            main = max(segments, key=lambda segment: (self._routs(segment), -segment.first))
            if self._attacker(side, main) == self.attacker:
                return reading, side
            if self.attacker in self.sides and self._routs(main):
                against.append((reading, self.sides[1 - self.sides.index(side)]))
        if against:
            return against[0]
        chosen = self.attacker if self.attacker in readings else first
        return readings[chosen or first], chosen or first

    def _attacker(self, first: str, segment: _Segment) -> str:
        if segment.turn % 2 == 0:
            return first
        return self.sides[1] if first == self.sides[0] else self.sides[0]

    def _routs(self, segment: _Segment) -> int:
        return sum(self._rout_moves(step) for step in self.facts[segment.first : segment.last + 1])

    def _rout_moves(self, step: StepFacts) -> int:
        return sum(1 for shift in step.moved(INFANTRY) if broken_infantry(shift.counter))

    def _spans(self, reading: _Reading, first: str, certain: bool) -> list[Span]:
        spans = []
        for number, segment in enumerate(reading.segments):
            if segment.phase != ROUT:
                continue
            later = reading.segments[number + 1 :]
            follows = later[0] if later else None
            goes_on = follows is not None and follows.turn == segment.turn
            start = self._trimmed(segment)
            evidence = self._evidence(start, segment.last)
            spans.append(
                Span(
                    self.facts[start].index,
                    self.facts[segment.last].index,
                    self._attacker(first, segment),
                    certain,
                    evidence,
                    goes_on,
                    any(each.turn > segment.turn for each in later),
                    number == 0 and follows is not None and not goes_on,
                    follows is not None and self._shown(self.facts[follows.first]),
                    self._fought(reading.segments, number),
                    number == 0 and not self._begun(segment),
                )
            )
        return spans

    def _begun(self, segment: _Segment) -> bool:
        """Whether a word or the track begins the phase, before anybody routs."""
        for step in self.facts[segment.first : segment.last + 1]:
            if step.track == ROUT or any(ROUT in said.phases for said in step.said):
                return True
            if self._rout_moves(step):
                return False
        return False

    def _fought(self, segments: Sequence[_Segment], number: int) -> bool:
        """Whether the log holds what both sides do: CCPh, or the DEFENDER's fire and the APh."""
        turn = segments[number].turn
        after = {each.phase for each in segments[number + 1 :] if each.turn == turn}
        if CLOSE in after:
            return True
        before = [each for each in segments[:number] if each.turn == turn]
        return bool(after) and any(self._returned(each) for each in before)

    def _returned(self, segment: _Segment) -> bool:
        """Whether the DEFENDER fires in a phase: his markers, or his fire phase with dice."""
        steps = self.facts[segment.first : segment.last + 1]
        marked = any(
            mark.key in ("first-fire", "final-fire") for step in steps for mark in step.marked
        )
        return marked or (segment.phase == DEFENSIVE and any(step.rolls for step in steps))

    def _shown(self, step: StepFacts) -> bool:
        return step.track is not None or any(said.phases for said in step.said)

    def _trimmed(self, segment: _Segment) -> int:
        """Where the phase shows first: a word, the track, a rout, or talk about the first rout."""
        steps = range(segment.first, segment.last + 1)
        rout = next((n for n in steps if self._rout_moves(self.facts[n])), segment.last)
        for n in steps:
            step = self.facts[n]
            named = any(ROUT in said.phases or Talk.FAILS in said.topics for said in step.said)
            gone = removals(step) and not self._after_dice(n)
            if named or gone or step.track == ROUT or n == rout:
                start = n
                break
        else:
            start = segment.first
        hexes = {printed(s.start) for s in self.facts[rout].moved(INFANTRY) if s.start}
        while start > 0:
            before = self.facts[start - 1]
            if before.shifts or before.rolls or not any(said.hexes & hexes for said in before.said):
                break
            start -= 1
        return self._with_taken_back(self._with_removal(start))

    def _after_dice(self, place: int) -> bool:
        """Fire or a check was rolled right before: what leaves the map may be killed by it."""
        return any(step.rolls for step in self.facts[max(0, place - 3) : place])

    def _with_removal(self, start: int) -> int:
        """A unit taken off right before the phase, if the first word is that it fails to rout."""
        fails = [said for said in self.facts[start].said if Talk.FAILS in said.topics]
        hexes = {hex_ for said in fails for hex_ in said.hexes}
        for place in range(max(0, start - 3), start):
            if any(printed(hex_) in hexes for hex_ in removals(self.facts[place])):
                return place
        return start

    def _with_taken_back(self, start: int) -> int:
        """Routs that were taken back right before the first one that stands belong to the phase."""
        found = start
        for place in range(start - 1, -1, -1):
            step = self.facts[place]
            back = step.undo or step.index in self.taken
            if not back and (step.shifts or step.rolls):
                break
            if step.index in self.taken and self._rout_moves(step):
                found = place
        return found

    def _evidence(self, first: int, last: int) -> tuple[Evidence, ...]:
        found = []
        steps = self.facts[first : last + 1]
        for step in steps:
            if step.track == ROUT:
                found.append(Evidence("track", "turn track set to RtPh", step.index))
                break
        for step in steps:
            word = next((said for said in step.said if ROUT in said.phases), None)
            if word is not None:
                found.append(Evidence("chat", f'chat "{word.text[:60]}"', step.index))
                break
        moving = next((step for step in steps if self._rout_moves(step)), None)
        if moving is not None:
            found.append(Evidence("moves", "moves of broken units", moving.index))
        if self.named:
            found.append(Evidence("name", f'file name "{self.name[:60]}"'))
        return tuple(found)


def _cost(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Going on to a later phase of the turn, or to one of the next player turn."""
    ahead = after[1] - before[1]
    if before[0] == after[0]:
        if ahead <= 0:  # a whole game turn goes by
            return 2 * NEW_TURN + CHANGE + PER_PHASE * (2 * COUNT + ahead)
        return CHANGE + PER_PHASE * (ahead - 1)
    return NEW_TURN + CHANGE + PER_PHASE * (COUNT + ahead - 1)


_STATES = tuple((turn, phase) for turn in (0, 1) for phase in range(COUNT))
"""Parity of the player turn and phase."""
_NUMBERS = np.arange(len(_STATES))
_COSTS_INTO = np.array(
    [
        [float("inf") if before == after else _cost(before, after) for before in _STATES]
        for after in _STATES
    ]
)
"""What it costs to come to a state (row) from each other one (column)."""


def _segments(back: Sequence[tuple[int, ...] | None], end: int) -> tuple[_Segment, ...]:
    """The phases in order, from the last state back to the first."""
    path = [end]
    for came in reversed(back[1:]):
        path.append(path[-1] if came is None else came[path[-1]])
    path.reverse()
    found: list[_Segment] = []
    turn = 0
    for number, state in enumerate(path):
        if number and state == path[number - 1]:
            last = found[-1]
            found[-1] = _Segment(last.phase, last.turn, last.first, number)
            continue
        parity, phase = _STATES[state]
        if number:
            before = _STATES[path[number - 1]]
            turn += 1 if parity != before[0] else 2 if phase <= before[1] else 0
        found.append(_Segment(phase, turn, number, number))
    return tuple(found)
