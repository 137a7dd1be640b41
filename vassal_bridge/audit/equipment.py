"""Weapons in a rout: what is too heavy to take along, what may not be left behind (R76, R77)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vassal_bridge.audit.result import AuditCode, Finding, Why
from vassal_bridge.audit.tracks import Track
from vassal_bridge.counters import Counter, Kind, StackReading
from vassal_bridge.rout import Position, Unit
from vassal_bridge.rout.weapons import carrying_limit

LIGHT_PP = 2
"""Heaviest weapon of which leaving it behind is called illegal: for weapons that weigh just what an
MMC may carry (MMG of 3 PP) players' tables differ, so they are a note only."""


@dataclass(frozen=True, slots=True)
class Weapons:
    """What the weapons of a rout say.

    Attributes:
        illegal: proven breaches.
        remarks: weapons left that could have been taken, by a weight that tables differ on.
    """

    illegal: tuple[Why, ...] = ()
    remarks: tuple[Why, ...] = ()


def weapon_reasons(
    track: Track, unit: Unit, readings: Sequence[StackReading], position: Position
) -> Weapons:
    """Judge what a routing unit carried and left.

    A weapon that was left counts only if it certainly was this unit's: alone in its hex, nothing in
    doubt about its stack, every weapon of known weight. Portage Points are those of weapons.md.

    Args:
        track: the rout.
        unit: the unit as it set out.
        readings: counters when it set out.
        position: units when it set out.
    """
    counters = {c.id: c for reading in readings for c in reading.counters}
    carried = [counters[id_] for id_ in sorted(track.weapons) if id_ in counters]
    limit = carrying_limit(unit)
    remarks: list[Why] = []
    illegal: list[Why] = [
        Finding("R76", AuditCode.GUN_ALONG, (("weapon", _name(weapon)),))
        for weapon in carried
        if weapon.kind is Kind.GUN
    ]
    light = [weapon for weapon in carried if weapon.kind is Kind.SW]
    total = sum(weapon.pp or 0 for weapon in light)
    if total > limit:
        names = ", ".join(_name(weapon) for weapon in light)
        facts = (("weapon", names), ("pp", total), ("limit", limit))
        illegal.append(Finding("R76", AuditCode.TOO_HEAVY, facts))
    elif not illegal:
        for left in _left_behind(track, unit, readings, position, total):
            weight = left.fact("pp")
            heavy = isinstance(weight, int) and weight > LIGHT_PP
            (remarks if heavy else illegal).append(left)
    return Weapons(tuple(illegal), tuple(remarks))


def _left_behind(
    track: Track,
    unit: Unit,
    readings: Sequence[StackReading],
    position: Position,
    carried: int,
) -> list[Finding]:
    """R77: nothing is dropped at will."""
    gone = track.event("removed") is not None
    if gone or track.undone_by is not None or not _alone(unit, readings, position):
        return []
    own = [
        counter
        for reading in readings
        for counter in reading.counters
        if counter.possessor == unit.piece and counter.kind is Kind.SW
    ]
    if not own or any(weapon.pp is None for weapon in own):
        return []
    left = [weapon for weapon in own if weapon.id not in track.weapons]
    limit = carrying_limit(unit)
    fitting = [weapon for weapon in left if carried + (weapon.pp or 0) <= limit]
    if not fitting or _best(own, limit) <= carried:
        return []
    weapon = max(fitting, key=lambda each: (each.pp or 0, each.id))
    facts = (("weapon", _name(weapon)), ("pp", weapon.pp or 0), ("limit", limit))
    return [Finding("R77", AuditCode.LEFT_BEHIND, facts)]


def _alone(unit: Unit, readings: Sequence[StackReading], position: Position) -> bool:
    """No friend in the hex that could own the weapon, and no doubt in its stack."""
    if position.friends_in(unit.hex, unit):
        return False
    for reading in readings:
        if any(counter.id == unit.piece for counter in reading.counters):
            return not any(doubt.marker == "weapon" for doubt in reading.doubts)
    return False


def _best(own: Sequence[Counter], limit: int) -> int:
    """The largest weight within the limit."""
    best = {0}
    for weapon in own:
        best |= {total + (weapon.pp or 0) for total in best}
    return max(total for total in best if total <= limit)


def _name(weapon: Counter) -> str:
    return weapon.weapon or weapon.label or weapon.name
