"""Where a rout may lead: nearest building or woods, what may and must be ignored (R26 to R36, R51).

A plan is fixed before the first step (R27) and again whenever a discovery makes it impossible
(R49). It is one destination, or none (free rout, R51), or fulfilled (in shelter, R46).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from vassal_bridge.rout.position import Cover, Hex
from vassal_bridge.rout.result import Barred, Target
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import Code, Reason


class PlanKind(StrEnum):
    """What a unit under way is bound to."""

    TARGET = "target"
    FREE = "free"
    SHELTERED = "sheltered"


class Plan(NamedTuple):
    """What the unit has fixed.

    Attributes:
        kind: under way to a target, free, or in shelter.
        target: the destination, for `TARGET`.
        bound: the nearest non-ignorable hexes: reaching one ends the rout (R46).
    """

    kind: PlanKind
    target: Hex | None = None
    bound: frozenset[Hex] = frozenset()


@dataclass(frozen=True, slots=True)
class Destinations:
    """Legal destinations from a hex with the MF left (R33).

    Attributes:
        targets: legal destinations, by distance then name.
        free: a free rout is legal (R51).
        bound: the nearest non-ignorable hexes.
        ignored: shelter hexes in reach that are no destination, each with the reason.
    """

    targets: tuple[Target, ...]
    free: bool
    bound: frozenset[Hex]
    ignored: tuple[Barred, ...]

    def plans(self, at: Hex) -> tuple[Plan, ...]:
        """Every plan the owner may fix; a destination at 0 MF is fulfilled at once."""
        plans = [
            Plan(PlanKind.SHELTERED)
            if target.hex == at
            else Plan(PlanKind.TARGET, target.hex, self.bound)
            for target in self.targets
        ]
        if self.free:
            plans.append(Plan(PlanKind.FREE))
        return tuple(plans)


def why_ignorable(router: Router, hex_: Hex, known: int, reference: Hex) -> Reason | None:
    """Why the owner may ignore a building or woods hex (R31, R32), or None if he may not.

    Args:
        router: the unit.
        hex_: the candidate.
        known: enemies Known (bits).
        reference: hex from which R31 measures: the start of the rout (R49).
    """
    start = router.terrain(router.unit.hex)
    if start.building is not None and router.terrain(hex_).building == start.building:
        return Reason("R32", Code.IGNORABLE_BUILDING, (("hex", hex_),))
    here, there = router.ranges(reference), router.ranges(hex_)
    nearer = [(n, enemy) for n, enemy in router.members(known) if there[n] <= here[n]]
    if not nearer:
        return None
    unbroken = [(n, enemy) for n, enemy in nearer if not enemy.broken]
    if not unbroken:
        router.touched.add("r31_unbroken")
        if router.readings.r31_unbroken:
            return None
    if len(nearer) < known.bit_count():
        router.touched.add("r31_all")
        if router.readings.r31_all:
            return None
    number, enemy = (unbroken or nearer)[0]
    facts = (
        ("hex", hex_),
        ("enemy", enemy.id),
        ("range", there[number]),
        ("start_range", here[number]),
    )
    return Reason("R31", Code.IGNORABLE_RANGE, facts)


def destinations(
    router: Router, at: Hex, mf2: int, known: int, *, exclude: frozenset[Hex] = frozenset()
) -> Destinations:
    """The legal destinations from a hex (R26 to R33), and whether a free rout is legal (R51).

    Args:
        router: the unit.
        at: where it is now; its own hex counts (0 MF) only after it has moved.
        mf2: MF left, in half MF.
        known: enemies Known (bits).
        exclude: hexes that do not count (a shelter next to a broken enemy it leaves again, R35).
    """
    key = ("destinations", router.unit.hex, at, mf2, known, exclude)
    return router.kept.ask(router, key, lambda: _destinations(router, at, mf2, known, exclude))


def _destinations(
    router: Router, at: Hex, mf2: int, known: int, exclude: frozenset[Hex]
) -> Destinations:
    reach = router.reach(at, mf2, known)
    start = router.unit.hex
    candidates = [
        hex_
        for hex_ in reach
        if hex_ not in exclude
        and (hex_ != at or at != start)
        and router.shelter(hex_)
        and not router.danger(hex_, known)
        and not router.full(hex_)
    ]
    measure = _measure(router, at, mf2, known, candidates, reach)
    candidates.sort(key=lambda hex_: (measure[hex_], hex_))
    why = _ignorable(router, at, candidates, known)
    firm = [hex_ for hex_ in candidates if why[hex_] is None]
    nearest = min((measure[hex_] for hex_ in firm), default=None)
    chosen = [hex_ for hex_ in candidates if nearest is None or measure[hex_] <= nearest]
    ignored = [
        Barred(hex_, (Reason("R27", Code.NOT_A_DESTINATION, (("hex", hex_),)),))
        for hex_ in sorted(candidates)
        if hex_ not in chosen
    ]
    ignored += _full_hexes(router, at, known)
    return Destinations(
        # who cannot pay for the woods of a woods-road comes by its road, or not at all (R19, R27)
        tuple(
            Target(hex_, measure[hex_] if measure[hex_] <= mf2 else reach[hex_], why[hex_])
            for hex_ in chosen
        ),
        nearest is None,
        frozenset(hex_ for hex_ in firm if measure[hex_] == nearest),
        tuple(ignored),
    )


def _ignorable(
    router: Router, at: Hex, candidates: list[Hex], known: int
) -> dict[Hex, Reason | None]:
    """Why each candidate may be ignored; R31 measures from the start of the rout (R49)."""
    start = router.unit.hex
    why = {hex_: why_ignorable(router, hex_, known, start) for hex_ in candidates}
    if at == start:
        return why
    current = {hex_: why_ignorable(router, hex_, known, at) for hex_ in candidates}
    if any((why[hex_] is None) != (current[hex_] is None) for hex_ in candidates):
        router.touched.add("r49_current")
        if router.readings.r49_current:
            return current
    return why


def _measure(
    router: Router, at: Hex, mf2: int, known: int, candidates: list[Hex], reach: dict[Hex, int]
) -> dict[Hex, int]:
    """MF distances of the candidates by the readings of R19 and R28 in force."""
    legal = _as_shelter(router, at, known, candidates, reach, bans=True)
    bare_reach = router.reach(at, mf2, known, bans=False)
    bare = _as_shelter(router, at, known, candidates, bare_reach, bans=False)
    if legal == bare:
        return legal
    router.touched.add("r28_terrain")
    return bare if router.readings.r28_terrain else legal


def _as_shelter(
    router: Router,
    at: Hex,
    known: int,
    candidates: list[Hex],
    reach: dict[Hex, int],
    *,
    bans: bool,
) -> dict[Hex, int]:
    """Distances of destinations; a woods-road is one for its woods, so these are what is paid.

    Along the road it can be entered for less (R19); measured like that only under the reading
    `r19_road_distance`.
    """
    measured = {}
    for hex_ in candidates:
        measured[hex_] = reach[hex_]
        if hex_ == at or router.terrain(hex_).cover is not Cover.ROAD_IN_WOODS:
            continue
        paid = min(
            (
                reach[before] + edge.costs[-1].mf2
                for before, edge in router.ways_in(hex_)
                if before in reach and (not bans or router.passable(edge, known))
            ),
            default=reach[hex_],
        )
        if paid != reach[hex_]:
            router.touched.add("r19_road_distance")
            if not router.readings.r19_road_distance:
                measured[hex_] = paid
    return measured


def _full_hexes(router: Router, at: Hex, known: int) -> list[Barred]:
    """Shelter hexes next to it that stacking closes (R30): they must be ignored."""
    return [
        Barred(edge.to, (Reason("R30", Code.FULL_HEX, (("hex", edge.to),)),))
        for edge in router.edges(at)
        if router.full(edge.to) and router.shelter(edge.to) and not edge.ban(known)
    ]
