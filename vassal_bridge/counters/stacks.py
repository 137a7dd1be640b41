"""Reading stacks: which marker means which unit, who has which weapon (formats/counters.md 6, 7).

VASL records no link between a marker and a unit; the order in the stack is all there is. The rules
of reading, from how the module's own keys put markers and from how players handle them:

- a marker means units below it; which ones says its scope in module_maps/markers.toml;
- the unit nearest to the marker is certain, further ones under the same marker are in doubt;
- a marker that finds no unit below (the unit was lifted off and put back on top, or the marker
  fell beside the stack) means the one unit in the hex it can mean, else it is left unused;
- a weapon belongs to the unit it lies on, a Gun to the crew in its stack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vassal_bridge.counters.classify import TERRAIN_OVERLAY, classify
from vassal_bridge.counters.maps import MarkerData, counter_maps
from vassal_bridge.counters.model import (
    INFANTRY,
    MMC,
    Counter,
    Doubt,
    DoubtCode,
    Kind,
    StackReading,
    State,
)
from vassal_bridge.counters.source import Game

HexOf = Callable[[int, int], str | None]
"""Names the hex under a map pixel, e.g. `Layout.hex_at`."""

_UNITS = INFANTRY | {Kind.VEHICLE}
_ITEMS = frozenset({Kind.SW, Kind.GUN, Kind.VEHICLE})
_NOT_ON_BOARD = "Casualties"


@dataclass(slots=True)
class _Draft:
    """A counter while its hex is read."""

    counter: Counter
    data: MarkerData | None
    states: set[State]
    uncertain: set[State] = field(default_factory=set)
    level: int | None = None
    location: str | None = None
    possessor: str | None = None
    weapons: list[str] = field(default_factory=list)

    @property
    def kind(self) -> Kind:
        return self.counter.kind

    def _unchanged(self) -> bool:
        counter = self.counter
        return (
            self.data is None
            and self.states == counter.states
            and self.level == counter.level
            and not (self.location or self.possessor or self.weapons or self.uncertain)
            and not (counter.location or counter.possessor or counter.weapons or counter.uncertain)
        )

    def finished(self) -> Counter:
        marks = self.data is not None
        if self._unchanged():
            return self.counter
        return replace(
            self.counter,
            states=frozenset(self.states),
            uncertain=frozenset(self.uncertain & self.states),
            level=self.counter.level if marks else self.level,
            location=None if marks else self.location,
            possessor=self.possessor,
            weapons=tuple(self.weapons),
        )


def _draft(counter: Counter) -> _Draft:
    data = None
    if counter.kind is Kind.MARKER and counter.marker is not None:
        data = counter_maps().marker_keys.get(counter.marker)
    return _Draft(counter, data, set(counter.own))


@dataclass(slots=True)
class _Stack:
    """The drafts of one stack from bottom to top, and what is doubted in it."""

    id: str
    drafts: list[_Draft]
    doubts: list[Doubt] = field(default_factory=list)

    def below(self, place: int) -> Iterator[_Draft]:
        """Downward from a place, as far as the Location reaches."""
        for draft in reversed(self.drafts[:place]):
            if _parts_levels(draft):
                return
            yield draft

    def above(self, place: int) -> Iterator[_Draft]:
        """Upward from a place, as far as the Location reaches."""
        for draft in self.drafts[place + 1 :]:
            if _parts_levels(draft):
                return
            yield draft


def _parts_levels(draft: _Draft) -> bool:
    return draft.data is not None and draft.data.scope == "above"


class _Place:
    """All stacks of one hex, read together."""

    def __init__(self, stacks: list[_Stack]) -> None:
        self._stacks = stacks
        self._home = {id(draft): stack for stack in stacks for draft in stack.drafts}

    def read(self, conceal: bool) -> None:
        """Fill in everything the order of the counters tells."""
        for stack in self._stacks:
            _locate(stack)
            if conceal:
                _conceal(stack)
        for stack in self._stacks:
            self._possess(stack)
        lost: list[tuple[_Stack, int, _Draft, MarkerData]] = []
        for stack in self._stacks:
            for place, draft in enumerate(stack.drafts):
                data = draft.data
                if data is None or data.state is None:
                    continue
                if not self._mark(stack, place, draft, data):
                    lost.append((stack, place, draft, data))
        for stack, place, draft, data in lost:
            self._stray(stack, place, draft, data)

    # --- weapons ------------------------------------------------------------------------------

    def _possess(self, stack: _Stack) -> None:
        for place, draft in enumerate(stack.drafts):
            if draft.kind is Kind.SW:
                owner, doubt = _owner_of_weapon(stack, place)
            elif draft.kind is Kind.GUN:
                owner, doubt = self._crew_of_gun(stack, place)
            else:
                continue
            if owner is None:
                continue
            draft.possessor = owner.counter.id
            owner.weapons.append(draft.counter.id)
            if doubt is not None:
                cause = draft.counter.id
                stack.doubts.append(Doubt(doubt, "weapon", owner.counter.id, cause))

    def _crew_of_gun(self, stack: _Stack, place: int) -> tuple[_Draft | None, DoubtCode | None]:
        """A crew in the stack, else the MMC next to the Gun; else a lone crew of its hex."""
        near = [*stack.below(place), *stack.above(place)]
        crew = next((draft for draft in near if draft.kind is Kind.CREW), None)
        if crew is not None:
            return crew, None
        other = next((draft for draft in near if draft.kind in MMC), None)
        if other is not None:
            return other, DoubtCode.SEVERAL_UNITS
        nation = stack.drafts[place].counter.nation
        crews = [
            draft
            for draft in self._all()
            if draft.kind is Kind.CREW and draft.counter.nation == nation and not draft.weapons
        ]
        return (crews[0], DoubtCode.MARKER_ELSEWHERE) if len(crews) == 1 else (None, None)

    # --- markers ------------------------------------------------------------------------------

    def _all(self) -> Iterator[_Draft]:
        for stack in self._stacks:
            yield from stack.drafts

    def _mark(self, stack: _Stack, place: int, marker: _Draft, data: MarkerData) -> bool:
        """Apply a marker to what it means by its place; False = it fits nothing below it."""
        if data.scope == "hex":
            return self._mark_hex(stack, marker, data)
        found = _meant(stack, place, data)
        for number, draft in enumerate(found):
            self._apply(draft, marker, data, DoubtCode.SEVERAL_UNITS if number else None)
        return bool(found)

    def _mark_hex(self, stack: _Stack, marker: _Draft, data: MarkerData) -> bool:
        """Melee and CC: all units of the Location, if there are two nationalities to fight."""
        inside = [
            draft
            for draft in self._all()
            if draft.kind in _UNITS and draft.level in (None, marker.level)
        ]
        if len({draft.counter.nationality for draft in inside}) < 2:
            for draft in inside:
                doubt = Doubt(DoubtCode.NO_ENEMY, data.key, draft.counter.id, marker.counter.id)
                stack.doubts.append(doubt)
            return True
        for draft in inside:
            self._apply(draft, marker, data, None)
        return True

    def _apply(
        self, draft: _Draft, marker: _Draft, data: MarkerData, doubt: DoubtCode | None
    ) -> None:
        state = data.state
        if state is None:
            return
        home, counter = self._home[id(draft)], draft.counter.id
        if doubt is None:
            draft.uncertain.discard(state)
            home.doubts = [d for d in home.doubts if (d.marker, d.counter) != (data.key, counter)]
        elif state not in draft.states:
            draft.uncertain.add(state)
            home.doubts.append(Doubt(doubt, data.key, counter, marker.counter.id))
        draft.states.add(state)

    def _stray(self, stack: _Stack, place: int, marker: _Draft, data: MarkerData) -> None:
        """A marker without a unit below it: the unit above, or the only one it can mean."""
        if data.scope == "broken":
            broken = [draft for draft in self._all() if State.BROKEN in draft.states]
            without = [draft for draft in broken if data.state not in draft.states]
            if len(broken) == 1:
                self._apply(broken[0], marker, data, None)
                return
            for draft in without:
                self._apply(draft, marker, data, DoubtCode.MARKER_ELSEWHERE)
            if without:
                return
        elif data.strays:
            above = [draft for draft in stack.above(place) if _fits(draft, data)]
            units = [draft for draft in self._all() if _fits(draft, data)]
            if above or len(units) == 1:
                self._apply((above or units)[0], marker, data, DoubtCode.MARKER_ELSEWHERE)
                return
        stack.doubts.append(
            Doubt(DoubtCode.UNUSED_MARKER, data.key, marker.counter.id, marker.counter.id)
        )


def _fits(draft: _Draft, data: MarkerData) -> bool:
    if draft.data is not None:
        return False
    if data.scope == "item":
        return draft.kind in (data.on or _ITEMS)
    return draft.kind in (data.on or _UNITS)


def _meant(stack: _Stack, place: int, data: MarkerData) -> list[_Draft]:
    """Units (or the item) below a marker that it means, the nearest first."""
    found: list[_Draft] = []
    for draft in stack.below(place):
        if draft.data is not None and draft.data.key == data.key:
            break
        if not _fits(draft, data):
            continue
        if data.scope in ("unit", "item"):
            return [draft]
        if data.scope == "broken":
            if State.BROKEN in draft.states:
                found.append(draft)
        elif not found or draft.counter.nationality == found[0].counter.nationality:
            found.append(draft)
        else:
            break
    return found


def _owner_of_weapon(stack: _Stack, place: int) -> tuple[_Draft | None, DoubtCode | None]:
    """The unit a weapon lies on; a weapon with no unit below goes to the one on top of it."""
    below = _first_unit(stack.below(place))
    if below is not None:
        return below, None
    above = _first_unit(stack.above(place))
    return above, None if above is None else DoubtCode.WEAPON_BELOW


def _first_unit(drafts: Iterable[_Draft]) -> _Draft | None:
    """The nearest Infantry, over markers, weapons and Guns; a vehicle carries its own."""
    for draft in drafts:
        if draft.kind in INFANTRY:
            return draft
        if draft.kind is Kind.VEHICLE:
            return None
    return None


def _locate(stack: _Stack) -> None:
    """Levels and entrenchments: markers with units above them, and those with units below."""
    levels = any(d.data is not None and d.data.key == "level" for d in stack.drafts)
    level: int | None = 0 if levels else None
    location: str | None = None
    start = 0
    for place, draft in enumerate(stack.drafts):
        scope = None if draft.data is None else draft.data.scope
        if scope == "above":
            location = draft.counter.marker
            if location == "level":
                level, location = draft.counter.level, None
            start = place + 1
        elif scope == "below":
            for inside in stack.drafts[start:place]:
                inside.location = draft.counter.marker
            start = place + 1
        draft.level, draft.location = level, location
        if level and draft.kind in INFANTRY:
            counter = draft.counter.id
            stack.doubts.append(Doubt(DoubtCode.UPPER_LEVEL, "level", counter, counter))


def _conceal(stack: _Stack) -> None:
    """A "?" conceals what lies below it of its nation and owner; a hidden one does not."""
    for place, mark in enumerate(stack.drafts):
        if mark.kind is not Kind.CONCEALMENT or mark.counter.hidden:
            continue
        for draft in stack.drafts[:place]:
            below = draft.counter
            owners = {mark.counter.owner, below.owner} - {None}
            if draft.kind not in _UNITS | _ITEMS or below.nation != mark.counter.nation:
                continue
            if len(owners) < 2:
                draft.states.add(State.CONCEALED)


def interpret(
    stacks: Iterable[tuple[str, str | None, Sequence[Counter]]], *, conceal: bool = True
) -> tuple[StackReading, ...]:
    """Read counters whose own states are known, stack by stack and hex by hex.

    Args:
        stacks: id, hex (None = the caller cannot tell) and counters from bottom to top, at least
            one.
        conceal: let "?" counters conceal what lies below them.

    Returns:
        One reading per stack, in the given order.
    """
    drafted: list[tuple[_Stack, str | None]] = []
    places: dict[tuple[object, ...], list[_Stack]] = {}
    for name, at, counters in stacks:
        stack = _Stack(name, [_draft(counter) for counter in counters])
        drafted.append((stack, at))
        first = counters[0]
        where = (first.map, at) if at is not None else (first.map, first.x, first.y)
        places.setdefault(where, []).append(stack)
    for together in places.values():
        _Place(together).read(conceal)
    return tuple(_finish(stack, at) for stack, at in drafted)


def _finish(stack: _Stack, at: str | None) -> StackReading:
    first = stack.drafts[0].counter
    return StackReading(
        id=stack.id,
        map=first.map,
        x=first.x,
        y=first.y,
        hex=at,
        counters=tuple(draft.finished() for draft in stack.drafts),
        doubts=tuple(stack.doubts),
    )


def read_stacks(game: Game, hex_of: HexOf | None = None) -> tuple[StackReading, ...]:
    """Every counter of a game with the state its stack and hex give it.

    Args:
        game: as `vassal.load_game` gives it.
        hex_of: names the hex under a pixel of the main map; without it, stacks are taken to share
            a hex only if they lie on the same pixel.

    Returns:
        One reading per stack or lone counter, sorted by map, y, x and id. They hold the
        hidden and concealed counters of both players: show `public_view` of them.
    """
    members: dict[str, list[Counter]] = {}
    for piece in game.pieces.values():
        counter = classify(piece)
        members.setdefault(counter.stack or counter.id, []).append(counter)
    for counters in members.values():
        counters.sort(key=lambda counter: counter.index)
    return interpret(
        (name, _hex(counters[0], hex_of), counters)
        for name, counters in sorted(members.items(), key=_place_order)
    )


def _place_order(item: tuple[str, Sequence[Counter]]) -> tuple[str, int, int, str]:
    """Where a stack lies; the same whatever else is in the file."""
    name, counters = item
    first = counters[0]
    return first.map or "", first.y, first.x, name


def _hex(counter: Counter, hex_of: HexOf | None) -> str | None:
    if hex_of is None or counter.map is None or counter.map == _NOT_ON_BOARD:
        return None
    return hex_of(counter.x, counter.y)


@dataclass(frozen=True, slots=True)
class Stacking:
    """What counts against the stacking limits of one side in a hex (R47).

    Attributes:
        squads2: squad-equivalents in halves: a squad 2, a half-squad or crew 1, manning a Gun 2.
        smc: leaders and heroes.
        vehicles: vehicles.
    """

    squads2: int = 0
    smc: int = 0
    vehicles: int = 0


def stacking(counters: Iterable[Counter]) -> Stacking:
    """Count the units among `counters`; Guns among them tell which crews man one.

    >>> stacking([]).squads2
    0
    """
    counters = list(counters)
    guns = {counter.possessor for counter in counters if counter.kind is Kind.GUN}
    squads2 = smc = vehicles = 0
    for counter in counters:
        if counter.kind is Kind.SQUAD:
            squads2 += 2
        elif counter.kind in MMC:
            squads2 += 2 if counter.id in guns else 1
        elif counter.kind in INFANTRY:
            smc += 1
        elif counter.kind is Kind.VEHICLE:
            vehicles += 1
    return Stacking(squads2, smc, vehicles)


def changes_terrain(counter: Counter) -> bool:
    """Whether a counter changes what its hex is or costs: rubble, wire, foxholes, overlays.

    Smoke, fire, wrecks and vehicles are told by their own keys and kinds, not here.
    """
    if counter.marker is None or counter.kind not in (Kind.MARKER, Kind.OVERLAY):
        return False
    if counter.marker == TERRAIN_OVERLAY:
        return True
    data = counter_maps().marker_keys.get(counter.marker)
    return data is not None and data.terrain


def by_hex(readings: Iterable[StackReading]) -> Mapping[str, tuple[Counter, ...]]:
    """Counters by the hex the readings carry, stacks in order, each from bottom to top."""
    found: dict[str, list[Counter]] = {}
    for reading in readings:
        if reading.hex is not None:
            found.setdefault(reading.hex, []).extend(reading.counters)
    return {at: tuple(counters) for at, counters in found.items()}
