"""Counters become units: what the rules need of each, and nothing a player may not see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from vassal_bridge.counters import (
    Counter,
    Sides,
    StackReading,
    State,
    broken_morale,
    half_broken_morale,
)
from vassal_bridge.counters import Kind as CounterKind
from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_BROKEN, MAX_UNITS
from vassal_bridge.rout import Kind, Unit, Weapon, WeaponKind

UNIT_KINDS = {
    CounterKind.SQUAD: Kind.SQUAD,
    CounterKind.HALF_SQUAD: Kind.HALF_SQUAD,
    CounterKind.CREW: Kind.CREW,
    CounterKind.LEADER: Kind.LEADER,
    CounterKind.HERO: Kind.HERO,
    CounterKind.VEHICLE: Kind.VEHICLE,
}
RULED_STATES = frozenset({State.BROKEN, State.PINNED, State.CX, State.MELEE})
"""States in doubt of which make a verdict about the unit itself uncertain."""
OUT_OF_ACTION = frozenset({State.PRISONER})
"""Units that are nobody's to rout and no enemy of anybody."""


def units_of(readings: Iterable[StackReading], sides: Sides) -> tuple[Unit, ...]:
    """Every unit on the boards, with the ids of contracts.md 2.

    Args:
        readings: the public view, hexes named.
        sides: who fights whom; counters of no side are left out.

    Returns:
        Units in the order of hexes and stacks, bottom to top.
    """
    found = []
    for reading in readings:
        if reading.hex is None:
            continue
        counters = {counter.id: counter for counter in reading.counters}
        for counter in reading.counters:
            side = sides.side(counter.nationality)
            if side is None or counter.kind not in UNIT_KINDS or counter.states & OUT_OF_ACTION:
                continue
            found.append(unit_of(counter, counters, side, reading.hex))
    return with_ids(found)


def not_too_many(units: Collection[Unit]) -> None:
    """Whether a position can be judged in reasonable time.

    Raises:
        LimitReached: more than `MAX_UNITS` units, or `MAX_BROKEN` broken ones.
    """
    if len(units) > MAX_UNITS:
        raise LimitReached(f"{len(units)} units on the boards, limit {MAX_UNITS}")
    broken = sum(unit.broken for unit in units)
    if broken > MAX_BROKEN:
        raise LimitReached(f"{broken} broken units on the boards, limit {MAX_BROKEN}")


def unit_of(counter: Counter, stack: Mapping[str, Counter], side: str, hex_: str) -> Unit:
    """One counter as a unit.

    Args:
        counter: infantry or vehicle.
        stack: counters of its stack by id, where its weapons are found.
        side: the side it fights for.
        hex_: its hex.

    A unit on an upper level is doubtful: the rules have none (R80), lines of sight are from the
    ground.
    """
    weapons = [stack[id_] for id_ in counter.weapons if id_ in stack]
    kind = UNIT_KINDS[counter.kind]
    nationality = counter.nationality or ""
    unarmed = counter.has(State.UNARMED)
    broken = counter.broken_morale
    if broken is None:
        broken = broken_morale(nationality, counter.kind.value, counter.label)
    leadership = counter.leadership
    if kind is Kind.LEADER:
        broken, leadership = leader_as_he_is(
            nationality, broken, leadership, wounded=counter.wounded
        )
    return Unit(
        id="",
        side=side,
        hex=hex_,
        kind=kind,
        name=counter.label or counter.name,
        nationality=nationality,
        fp=0 if unarmed or kind is Kind.VEHICLE else counter.fp or 0,
        range=counter.range or 0,
        morale=counter.morale,
        broken_morale=broken,
        half_broken_morale=(
            half_broken_morale(nationality, counter.label) if kind is Kind.SQUAD else None
        ),
        leadership=leadership,
        broken=counter.broken,
        dm=counter.dm,
        pinned=counter.pinned,
        cx=counter.cx,
        melee=counter.melee,
        wounded=counter.wounded,
        weapons=tuple(weapon_of(weapon) for weapon in weapons),
        motion=counter.has(State.MOTION),
        facing_unknown=kind is Kind.VEHICLE,
        piece=counter.id,
        concealed=counter.concealed or counter.hidden,
        uncertain=bool(counter.uncertain & RULED_STATES or counter.level),
        dm_doubtful=State.DM in counter.uncertain,
    )


def leader_as_he_is(
    nationality: str, morale: int | None, leadership: int | None, *, wounded: bool
) -> tuple[int | None, int | None]:
    """Morale and modifier of a leader, each one worse if he is wounded (3.2.3 of the rule book).

    A wounded Japanese leader shows a second, weaker strength (formats/counters.md 4): it counts.

    >>> leader_as_he_is("Russian", 8, 0, wounded=True)
    (7, 1)
    """
    if not wounded or nationality == "Japanese":
        return morale, leadership
    return (
        None if morale is None else morale - 1,
        None if leadership is None else leadership + 1,
    )


def weapon_of(counter: Counter) -> Weapon:
    """A support weapon or Gun as the rules see it (R59, R76)."""
    if counter.kind is CounterKind.GUN:
        return Weapon(counter.label, WeaponKind.ORDNANCE, usable=counter.usable, certain=False)
    kind = WeaponKind(counter.weapon_kind or "other")
    return Weapon(
        counter.weapon or counter.label,
        kind,
        fp=counter.fp or 0,
        range=counter.range or 0,
        min_range=counter.min_range or 0,
        pp=counter.pp,
        usable=counter.usable,
        certain=kind is not WeaponKind.MORTAR and counter.fp is not None,
    )


def with_ids(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Give each unit its hex as id, or hex/n where several of its side stand there."""
    listed = list(units)
    count: dict[tuple[str, str], int] = {}
    for unit in listed:
        key = (unit.hex, unit.side)
        count[key] = count.get(key, 0) + 1
    number: dict[tuple[str, str], int] = {}
    named = []
    for unit in listed:
        key = (unit.hex, unit.side)
        number[key] = number.get(key, 0) + 1
        id_ = unit.hex if count[key] == 1 else f"{unit.hex}/{number[key]}"
        named.append(replace(unit, id=id_))
    return distinct(named)


def distinct(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Ids that two sides share (units of both in one hex) made different inside a position.

    The one a report is about, a broken unit, keeps its id (contracts.md 2); others get their side
    in front.
    """
    listed = list(units)
    keeper: dict[str, Unit] = {}
    for unit in listed:
        held = keeper.get(unit.id)
        if held is None or (unit.broken and not held.broken):
            keeper[unit.id] = unit
    return tuple(
        unit if keeper[unit.id] is unit else replace(unit, id=f"{unit.side}:{unit.id}")
        for unit in listed
    )


def concealed_stacks(readings: Iterable[StackReading], sides: Sides) -> frozenset[tuple[str, str]]:
    """(side, hex) of the concealed stacks on the boards, as both players see them."""
    return frozenset(
        (side, reading.hex)
        for reading in readings
        if reading.hex is not None
        for counter in reading.counters
        if (counter.kind is CounterKind.CONCEALMENT or (counter.concealed and not counter.hidden))
        and (side := sides.side(counter.nationality)) is not None
    )
