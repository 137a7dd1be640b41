"""One unit on its way: what the map and the enemies are to it under the readings in force.

Enemies are numbered and sets of them are bits, see `front`.
"""

from __future__ import annotations

import heapq
from collections.abc import ValuesView
from copy import copy
from dataclasses import replace
from functools import cached_property

from vassal_bridge.rout.front import Edge, front_of
from vassal_bridge.rout.position import Hex, Kind, Position, Unit
from vassal_bridge.rout.rulebook import Readings

ALLOWANCE_MF2 = 12
"""6 MF, never increased (R16)."""
WOUNDED_MF2 = 6
"""3 MF of a wounded SMC (R17)."""
SQUADS_PER_HEX2 = 6
"""Stacking limit: 3 squad-equivalents, counted in half squads (R47)."""
SMC_PER_HEX = 4
"""Stacking limit: 4 SMC (R47)."""


def half_squads(unit: Unit) -> int:
    """Stacking size of a unit in half squads (R47); a crew manning a Gun counts as a squad."""
    if unit.kind is Kind.SQUAD:
        return 2
    if unit.kind in (Kind.HALF_SQUAD, Kind.CREW):
        return 2 if any(weapon.kind.value == "ordnance" for weapon in unit.weapons) else 1
    return 0


def full_hexes(position: Position, unit: Unit, companion: Unit | None) -> frozenset[Hex]:
    """Hexes from which stacking bars a unit and the leader going along (R30, R47).

    Friendly units are no ban, only their number is (R24). A Gun stays where it is (R76): who routs
    away from it no longer mans it.
    """
    movers = [replace(unit, weapons=())] + ([companion] if companion else [])
    mmc_moves = any(one.is_mmc for one in movers)
    smc_moves = any(one.is_smc for one in movers)
    found = set()
    for at in position.by_hex:
        friends = position.friends_in(at, unit)
        if at == unit.hex or not friends:
            continue
        there = [*friends, *movers]
        squads2 = sum(half_squads(one) for one in there)
        smcs = sum(1 for one in there if one.is_smc)
        if (mmc_moves and squads2 > SQUADS_PER_HEX2) or (smc_moves and smcs > SMC_PER_HEX):
            found.add(at)
    return frozenset(found)


class Router:
    """A unit about to rout, alone or with an unbroken leader, and the facts around it.

    Args:
        position: the whole position; not changed.
        unit: the unit that routs.
        companion: an unbroken, unpinned leader stacked with it that goes along (R71).
        readings: readings to judge under; the position's own by default.

    Attributes:
        touched: readings looked at so far where they make a difference.
    """

    def __init__(
        self,
        position: Position,
        unit: Unit,
        *,
        companion: Unit | None = None,
        readings: Readings | None = None,
    ) -> None:
        self.position = position
        self.ground = position.ground
        self.unit = unit
        self.companion = companion
        self.readings = readings or position.rules.readings
        self.full_hexes = full_hexes(position, unit, companion)
        self.touched: set[str] = set()
        self._last_costs: Costs | None = None
        self.front = front_of(position, unit.side)
        self.kept = self.front.kept(self.full_hexes)
        self.enemies = self.front.enemies
        self.ranges = self.front.ranges
        self.seen = self.front.seen
        self.members = self.front.members
        self.near = self.front.near
        self.terrain = self.front.terrain

    @cached_property
    def allowance2(self) -> int:
        """MF of the rout in half MF; a wounded leader going along binds the pair (R17, R71).

        It is the radius of the search for shelter too: what a wounded SMC cannot reach this RtPh
        falls under R51 (R18).
        """
        slow = any(
            one is not None and one.wounded and one.is_smc for one in (self.unit, self.companion)
        )
        return WOUNDED_MF2 if slow else ALLOWANCE_MF2

    @cached_property
    def moving(self) -> frozenset[str]:
        """Ids of the units that rout: the unit and the leader going along (R71)."""
        together = (self.unit, self.companion)
        return frozenset(one.id for one in together if one is not None)

    def with_readings(self, readings: Readings) -> Router:
        """The same unit judged under other readings."""
        other = copy(self)
        other.readings, other.touched, other._last_costs = readings, set(), None
        return other

    # --- enemies -------------------------------------------------------------------------------

    def danger(self, at: Hex, known: int) -> int:
        """Known unbroken enemies (bits) in a hex or adjacent to it: no rout may end there (R8)."""
        found = self.near(at) & known & self.front.unbroken
        if found & self.front.in_melee:
            self.touched.add("r8_good_order")
            if self.readings.r8_good_order:
                found &= ~self.front.in_melee
        return found

    def ids(self, known: int) -> tuple[str, ...]:
        """Unit ids of a set of enemies, in position order."""
        return tuple(enemy.id for _, enemy in self.members(known))

    # --- ground --------------------------------------------------------------------------------

    def shelter(self, at: Hex) -> bool:
        """Whether a hex is building or woods (R26)."""
        return self.terrain(at).shelter is not None

    def edges(self, at: Hex) -> ValuesView[Edge]:
        """The steps out of a hex, in hexside order, off-map sides left out."""
        return self._steps(at).values()

    def edge(self, at: Hex, to: Hex) -> Edge | None:
        """The step from one hex to another, None if they are not neighbours."""
        return self._steps(at).get(to)

    def _steps(self, at: Hex) -> dict[Hex, Edge]:
        found = self.front.steps(at, doubled=self.readings.r19_smoke_doubled)
        if at in self.front.ways.doubled:
            self.touched.add("r19_smoke_doubled")
        return found

    def ways_in(self, to: Hex) -> tuple[tuple[Hex, Edge], ...]:
        """The steps into a hex, each with the neighbour it starts from."""
        found = self.front.ways_in(to, doubled=self.readings.r19_smoke_doubled)
        if self.front.ways.doubled and any(
            before in self.front.ways.doubled for before, _ in found
        ):
            self.touched.add("r19_smoke_doubled")
        return found

    def full(self, at: Hex) -> bool:
        """Whether stacking bars the unit from a hex (R30, R47)."""
        return at in self.full_hexes

    def passable(self, edge: Edge, known: int) -> bool:
        """Whether a step is free of every ban that the plan has no say in (R23, R38-R40, R47)."""
        if edge.enemy or edge.ban(known):
            return False
        return edge.to not in self.full_hexes or self._room_in_passing()

    def enterable(self, to: Hex) -> bool:
        """Whether a hex may be entered at all: no enemy there (R23), and room (R47)."""
        if to in self.front.enemy_hexes:
            return False
        return to not in self.full_hexes or self._room_in_passing()

    def _room_in_passing(self) -> bool:
        self.touched.add("r47_end_only")
        return self.readings.r47_end_only

    def reach(self, at: Hex, mf2: int, known: int, *, bans: bool = True) -> dict[Hex, int]:
        """`distances` from a hex, kept."""
        key = ("reach", at, mf2, known, bans)
        return self.kept.ask(self, key, lambda: distances(self, at, mf2, known, bans=bans))

    def costs_to(self, target: Hex, known: int, bound: frozenset[Hex]) -> Costs:
        """MF from every hex to a target in one state of knowledge, kept.

        Args:
            target: where to.
            known: enemies Known (bits).
            bound: hexes that end the rout where no Known enemy is adjacent (R46).
        """
        last = self._last_costs
        if last and last.target is target and last.known == known and last.bound is bound:
            return last
        readings = self.readings
        # part of the question, as `Costs` finds its answers later, bit by bit
        which = (readings.r46_ignored_stops, readings.r47_end_only, readings.r19_smoke_doubled)
        key = ("costs", target, known, bound, which)
        found = self.kept.ask(self, key, lambda: Costs(self, target, known, bound))
        self._last_costs = found
        return found


def distances(
    router: Router, at: Hex, mf2: int, known: int, *, bans: bool = True
) -> dict[Hex, int]:
    """Cheapest MF to every hex in reach over steps legal now (R28 reading 1).

    Args:
        router: the unit.
        at: from where.
        mf2: MF left, in half MF.
        known: enemies Known (bits).
        bans: False for reading 2: terrain only, through enemies and full hexes too.

    Returns:
        Half MF by hex; `at` itself is 0.
    """
    best = {at: 0}
    queue = [(0, at)]
    while queue:
        used, here = heapq.heappop(queue)
        if used > best[here]:
            continue
        for edge in router.edges(here):
            total = used + edge.costs[0].mf2
            if total > mf2 or total >= best.get(edge.to, total + 1):
                continue
            if bans and not router.passable(edge, known):
                continue
            best[edge.to] = total
            heapq.heappush(queue, (total, edge.to))
    return best


class Costs:
    """MF from every hex to one target over steps legal now, the stop duty included (R28, R46).

    A hex that ends the rout (`ends`) holds a unit that has entered it to building and woods. The
    search runs back from the target and goes no farther than it was asked for so far.

    Args:
        router: the unit; whoever asks later must agree with it on enemies, full hexes and the
            readings of R19, R46 and R47.
        target: where to.
        known: enemies Known (bits).
        bound: hexes that end the rout where no Known enemy is adjacent.
    """

    def __init__(self, router: Router, target: Hex, known: int, bound: frozenset[Hex]) -> None:
        self.target = target
        self.known = known
        self.bound = bound
        self._everywhere = router.readings.r46_ignored_stops
        self._layers = (False, True) if self._everywhere or bound - {target} else (False,)
        self._ends: dict[Hex, bool] = {target: False}
        self._best = {(target, held): 0 for held in self._layers}
        self._final: dict[tuple[Hex, bool], int] = {}
        self._queue = [(0, target, held) for held in self._layers]
        self._touched: set[str] = set()

    def ends(self, router: Router, at: Hex) -> bool:
        """Whether a hex ends the rout."""
        found = self._ends.get(at)
        if found is None:
            found = at in self.bound or (self._everywhere and router.shelter(at))
            found = self._ends[at] = found and not router.near(at) & self.known
        return found

    def entered(self, router: Router, at: Hex, most2: int, *, held: bool = False) -> int | None:
        """Half MF still needed by a unit that just entered a hex, held before or not.

        Args:
            router: who asks.
            at: the hex.
            most2: half MF it can spend.
            held: whether it was held to building and woods before.

        Returns:
            None if `most2` does not suffice.
        """
        state = (at, held or self.ends(router, at))
        while state not in self._final and self._queue and self._queue[0][0] <= most2:
            self._search(router)
        router.touched |= self._touched
        found = self._final.get(state)
        return found if found is not None and found <= most2 else None

    def _search(self, router: Router) -> None:
        """Take the next hex from the queue; the readings that count are noted for all who ask."""
        used, here, held = heapq.heappop(self._queue)
        if (here, held) in self._final:
            return
        self._final[here, held] = used
        before, router.touched = router.touched, self._touched
        if router.enterable(here):
            self._before(router, used, here, held)
        self._touched, router.touched = router.touched, before

    def _before(self, router: Router, used: int, here: Hex, held: bool) -> None:
        best, sheltered = self._best, router.shelter(here)
        ends = self.ends(router, here)
        for start, edge in router.ways_in(here):
            if edge.ban(self.known):
                continue
            total = used + edge.costs[0].mf2
            for was in self._layers:
                if was and not sheltered:
                    continue
                if here != self.target and (was or ends) != held:
                    continue
                if total < best.get((start, was), total + 1):
                    best[start, was] = total
                    heapq.heappush(self._queue, (total, start, was))
