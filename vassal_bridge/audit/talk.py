"""What was said about a rout: announced before it, commented after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vassal_bridge.audit.facts import Said, StepFacts
from vassal_bridge.audit.phase import Span
from vassal_bridge.audit.tracks import Track
from vassal_bridge.audit.words import Talk, has_figure, printed


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A typed line with its step."""

    step: int
    topics: frozenset[Talk]
    hexes: frozenset[str]
    phases: tuple[int, ...] = ()
    figure: bool = False


def lines_said(facts: Sequence[StepFacts], first: int, last: int) -> list[SaidLine]:
    """Typed lines of a range of steps, both ends included."""
    found = []
    for step in facts[max(0, first - 1) : max(0, last)]:
        found += [
            SaidLine(step.index, said.topics, said.hexes, said.phases, has_figure(said.text))
            for said in step.said
        ]
    return found


def hexes_of_track(track: Track) -> set[str]:
    """Printed names of the hexes of a rout."""
    return {printed(track.start), *(printed(hex_) for hex_ in track.path)}


def listen(tracks: Sequence[Track], facts: Sequence[StepFacts], span: Span) -> None:
    """Note at each rout what was said about it.

    Args:
        tracks: all routs of the phase with moves; they are filled in.
        facts: all steps of the log.
        span: the phase.
    """
    for track in tracks:
        _listen(track, tracks, facts, span)


def _listen(track: Track, tracks: Sequence[Track], facts: Sequence[StepFacts], span: Span) -> None:
    before, after = _window(track, tracks, span)
    hexes = hexes_of_track(track)
    _widen(track, facts, (before, after), hexes)
    for line in lines_said(facts, before, after):
        if line.hexes and not line.hexes & hexes:
            continue
        later = line.step > track.first
        if Talk.REROLL in line.topics:
            _forget_roll(track, line.step)
        crawl = Talk.CRAWL in line.topics and track.crawl_said is None
        if crawl and (not later or _not_next(tracks, line)):
            track.crawl_said = line.step
        track.check_said |= Talk.CHECK in line.topics
        told = Talk.PASSED in line.topics or (Talk.CHECK in line.topics and line.figure)
        track.passed_said |= told and later
        track.pin_said |= Talk.PINNED in line.topics and later


def _forget_roll(track: Track, step: int) -> None:
    """A roll that is said not to count, if another one follows it."""
    before = [roll for roll in track.rolls if roll.step < step]
    if before and any(roll.step > step for roll in track.rolls):
        track.rolls.remove(before[-1])


def _window(track: Track, tracks: Sequence[Track], span: Span) -> tuple[int, int]:
    """First and last step in which talk may be about a rout: since the last one, until the next."""
    before, after = span.first, span.last
    for other in tracks:
        if other is track:
            continue
        if other.moves[-1].step < track.first:
            before = max(before, other.moves[-1].step + 1)
        if other.first > track.moves[-1].step:
            after = min(after, other.first - 1)
    if track.undone_by is not None:
        after = min(after, track.undone_by)
    return before, after


def _widen(
    track: Track, facts: Sequence[StepFacts], window: tuple[int, int], hexes: set[str]
) -> None:
    """Steps of talk that belong to a rout: right before its first move, right after its end."""
    before, after = window
    index = track.first - 1
    while index >= before:
        step = facts[index - 1]
        if step.shifts or not any(_announces(said, track, hexes) for said in step.said):
            break
        track.from_step = index
        index -= 1
    index = track.last + 1
    while track.undone_by is None and index <= after:
        if not any(_comments(said, hexes) for said in facts[index - 1].said):
            break
        track.to_step = index
        index += 1


def _announces(said: Said, track: Track, hexes: set[str]) -> bool:
    """Whether a line right before a rout is about it: it names its start, or its Low Crawl."""
    if printed(track.start) in said.hexes:
        return True
    return Talk.CRAWL in said.topics and (not said.hexes or bool(said.hexes & hexes))


def _comments(said: Said, hexes: set[str]) -> bool:
    """Whether a line right after a rout tells its result."""
    tells = bool(said.topics & {Talk.PINNED, Talk.GONE})
    return tells and (not said.hexes or bool(said.hexes & hexes))


def _not_next(tracks: Sequence[Track], line: SaidLine) -> bool:
    """Whether talk of a crawl after a rout is about it, not about the one that follows."""
    following = [track for track in tracks if track.first > line.step]
    if not following:
        return True
    ahead = min(following, key=lambda track: track.first)
    if line.hexes:
        return not line.hexes & hexes_of_track(ahead)
    return len(ahead.moves) != 1


def removal_steps(facts: Sequence[StepFacts], span: Span, index: int, hex_: str) -> tuple[int, ...]:
    """Steps that belong to a removal: what was said, the markers, the counter itself.

    Args:
        facts: all steps of the log.
        span: the phase.
        index: step in which the counter leaves.
        hex_: where it stood.
    """
    found = {index}
    for step in facts:
        near = abs(step.index - index) <= 2
        if not near or not span.first <= step.index <= span.last:
            continue
        marker = any(mark.key == "dm" and mark.hex == hex_ for mark in step.unmarked)
        talk = any(
            bool({Talk.FAILS, Talk.GONE} & line.topics)
            and (printed(hex_) in line.hexes or not line.hexes or step.index == index - 1)
            for line in step.said
        )
        if marker or talk:
            found.add(step.index)
    return tuple(sorted(found))
