"""Whether a rout phase is over in a log: for a side, for good, or to go on in the next file."""

from __future__ import annotations

from collections.abc import Sequence

from vassal_bridge.audit.facts import Said, StepFacts, broken_infantry
from vassal_bridge.audit.phase import Span
from vassal_bridge.audit.tracks import Recording, Track
from vassal_bridge.audit.words import MOVE, PREP, RALLY, ROUT, Talk
from vassal_bridge.counters import INFANTRY, Sides


class Ending:
    """The end of one rout phase.

    Args:
        span: the phase.
        facts: all steps of the log.
        who: the sides.
    """

    def __init__(self, span: Span, facts: Sequence[StepFacts], who: Sides) -> None:
        self.span = span
        self.facts = facts
        self.who = who
        self.steps = facts[span.first - 1 : span.last]

    def closed(self, recording: Recording) -> frozenset[str]:
        """Sides that certainly had their routs in this log.

        Args:
            recording: what the phase shows.
        """
        span = self.span
        closed = {span.attacker} if span.goes_on or span.next_turn else set()
        counters = [track.counter for track in recording.tracks if track.broken]
        counters += [removal.counter for removal in recording.removals]
        for counter in counters:
            side = self.who.side(counter.nationality)
            if side is not None:
                closed.add(side)
        if span.next_turn or span.fought or self._nobody_routs():
            closed |= set(self.who.of.values())
        return frozenset(closed)

    def _spoken(self) -> list[Said]:
        return [said for step in self.steps for said in step.said]

    def hexes_named(self) -> frozenset[str]:
        """Printed names of the hexes the chat of the phase speaks of, while others still move.

        What is said last may announce a rout that follows in the next log.
        """
        moved = max((step.index for step in self.steps if step.shifts), default=0)
        earlier = [step for step in self.steps if step.index < moved]
        return frozenset(hex_ for step in earlier for said in step.said for hex_ in said.hexes)

    def _nobody_routs(self) -> bool:
        """The chat says that nobody routs, without handing over to the other player."""
        return any(
            ROUT in said.phases and Talk.NOBODY in said.topics and Talk.YOURS not in said.topics
            for said in self._spoken()
        )

    def going_on(self) -> bool:
        """The log ends in the phase, and the last thing is not that somebody has done."""
        if self.span.goes_on or self.span.next_turn:
            return False
        for step in reversed(self.steps):
            if any({Talk.DONE, Talk.YOURS} & said.topics for said in step.said):
                return False
            if step.shifts:
                break
        return True

    def taken_off_later(self) -> dict[str, int]:
        """Units taken off after the phase while the chat speaks of failure to rout."""
        found = {}
        for step in self.facts[self.span.last :]:
            for shift in step.shifts:
                left = shift.start is not None and shift.to is None
                if left and broken_infantry(shift.counter) and self._failure_said(step.index):
                    found[shift.piece] = step.index
        return found

    def routs_later(self) -> frozenset[str]:
        """Broken units moved after the phase, before the next player turn shows."""
        found: set[str] = set()
        for step in self.facts[self.span.last :]:
            words = {place for said in step.said for place in said.phases}
            rally = any(roll.name.upper() == "RALLY" for roll in step.rolls)
            if rally or words & {RALLY, PREP, MOVE} or step.track in (RALLY, PREP, MOVE):
                break
            found |= {move.piece for move in step.moved(INFANTRY) if broken_infantry(move.counter)}
        return frozenset(found)

    def _failure_said(self, step: int) -> bool:
        near = self.facts[max(0, step - 3) : step + 2]
        return any(Talk.FAILS in said.topics for each in near for said in each.said)


def surely_inside(span: Span, track: Track, recording: Recording) -> bool:
    """An unbroken unit's move certainly lies in the phase: something of it comes later."""
    later = [t for t in recording.tracks if t.broken and t.first > track.first]
    removed_later = [r for r in recording.removals if r.step > track.first]
    routs = any(each.broken for each in recording.tracks) or bool(recording.removals)
    named = any(one.code in ("chat", "track", "option") for one in span.evidence)
    return bool(later or removed_later or (span.explicit and (routs or named)))
