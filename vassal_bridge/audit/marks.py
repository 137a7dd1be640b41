"""DM markers that do not lie where they should: under a restacked unit, on another one of the hex.

Players drag units out of a stack and drop them on top again, or let one marker serve a whole hex.
Which units are under DM then shows in what was on the map before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from vassal_bridge.audit.facts import StepFacts
from vassal_bridge.counters import INFANTRY, StackReading, State
from vassal_bridge.rout import Position

TURN_STEPS = 300
"""Steps that are looked at for enemies next to a unit: more than a player turn has."""


def beside_a_marker(position: Position, stacks: Sequence[StackReading]) -> frozenset[str]:
    """Broken units without DM in whose hex a DM marker lies all the same, by piece id.

    Args:
        position: the units.
        stacks: the counters of the same moment.
    """
    marked = {
        reading.hex
        for reading in stacks
        if any(counter.marker == "dm" for counter in reading.counters)
    }
    return frozenset(
        unit.piece
        for unit in position.units
        if unit.piece is not None and unit.broken and not unit.dm and unit.hex in marked
    )


def kept_from_before(
    start: Position, facts: Sequence[StepFacts], taken: Mapping[int, int]
) -> frozenset[str]:
    """Units under DM as the log begins that nothing in these steps took it from.

    Args:
        start: the units at the start of the log.
        facts: the steps up to the phase.
        taken: steps that stay taken back.
    """
    hexes = {u.piece: u.hex for u in start.units if u.piece is not None and u.broken and u.dm}
    for step in facts:
        if step.undo or step.index in taken:
            continue
        for shift in step.shifts:
            hexes.pop(shift.piece, None)
        for turned in step.turned:
            if State.BROKEN not in turned.after.own:
                hexes.pop(turned.piece, None)
        bare = {mark.hex for mark in step.unmarked if mark.key == "dm"}
        hexes = {piece: hex_ for piece, hex_ in hexes.items() if hex_ not in bare}
    return frozenset(hexes)


def met_an_enemy(
    pieces: Collection[str], facts: Sequence[StepFacts], board: Callable[[int], Position]
) -> frozenset[str]:
    """Broken units next to which an enemy stood in these steps: that puts them under DM (R5).

    Args:
        pieces: units without a marker.
        facts: the steps up to the phase.
        board: the units after a step.
    """
    found: set[str] = set()
    for step in facts[-TURN_STEPS:] if pieces else ():
        bare = {mark.hex for mark in step.unmarked if mark.key == "dm"}
        moved = any(True for _ in step.moved(INFANTRY))
        if not moved and not bare:
            continue
        position = board(step.index)
        distance = position.ground.distance
        for unit in position.units:
            if unit.piece is None or unit.piece not in pieces or not unit.broken:
                continue
            if unit.hex in bare:
                found.discard(unit.piece)
            if any(distance(unit.hex, foe.hex) <= 1 for foe in position.enemies_of(unit.side)):
                found.add(unit.piece)
    return frozenset(found)
