"""What dice and markers of a step say about the phase it belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from vassal_bridge.audit.facts import StepFacts, broken_infantry
from vassal_bridge.audit.words import (
    ADVANCING,
    CLOSE,
    DEFENSIVE,
    MOVE,
    PHASES,
    PREP,
    RALLY,
    ROUT,
)

COUNT = len(PHASES)
FIRE = (PREP, MOVE, DEFENSIVE, ADVANCING)
Weights = list[float]


def removals(step: StepFacts) -> tuple[str, ...]:
    """Hexes from which a step takes broken units off the map."""
    return tuple(
        shift.start
        for shift in step.shifts
        if shift.start is not None and shift.to is None and broken_infantry(shift.counter)
    )


def rolls(step: StepFacts, weights: Weights) -> None:
    """Dice: each button belongs to some phases."""
    for roll in step.rolls:
        name = roll.name.upper()
        if name == "RALLY":
            add(weights, (RALLY,), 3.0, -1.0)
            weights[ROUT] += 1.0
        elif name in ("IFT", "TH", "TK"):
            add(weights, FIRE, 1.5, -2.0)
        elif name in ("MC", "TC"):
            add(weights, (*FIRE, ROUT), 0.8, -0.4)
        elif name == "CC":
            add(weights, (CLOSE,), 4.0, -1.0)


def markers(step: StepFacts, weights: Weights) -> None:
    """Fire markers put down, DM markers taken off."""
    fires: dict[str, tuple[int, ...]] = {
        "prep-fire": (PREP,),
        "first-fire": (MOVE, DEFENSIVE),
        "final-fire": (DEFENSIVE,),
        "advancing-fire": (ADVANCING,),
    }
    for mark in step.marked:
        if mark.key in fires:
            add(weights, fires[mark.key], 3.0, -1.5)
            break
    gone = any(shift.start and not shift.to for shift in step.shifts)
    if not gone and any(mark.key == "dm" for mark in step.unmarked):
        add(weights, (RALLY,), 1.5, -0.5)
        weights[ROUT] += 0.5


def add(weights: Weights, phases: Sequence[int], gain: float, loss: float) -> None:
    """A gain for some phases, a loss for all others."""
    for place in range(COUNT):
        weights[place] += gain if place in phases else loss
