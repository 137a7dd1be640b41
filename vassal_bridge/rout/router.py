"""One unit on its way: what the map and the enemies are to it, with the answers kept.

Enemies are numbered; a set of Known enemies is a whole number with one bit each, so that the bans
of R38 to R40 are one `&` per step.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, ValuesView
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from vassal_bridge.rout.position import Hex, Kind, Position, Terrain, Unit
from vassal_bridge.rout.rulebook import Readings

if TYPE_CHECKING:
    from vassal_bridge.rout.target import Destinations, Plan

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


@dataclass(frozen=True, slots=True)
class Cost:
    """One way to pay for a step.

    Attributes:
        mf2: half MF.
        by_road: entered along the road hexside of a woods-road or orchard-road.
    """

    mf2: int
    by_road: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """A step to a neighbouring hex, as far as it does not hang on knowledge.

    Attributes:
        to: the hex entered.
        costs: ways to pay, cheapest first.
        ban: enemies (bits) that bar this step once Known (R38 to R40).
        enemy: an enemy unit stands there (R23).
        full: stacking limits bar it (R47).
    """

    to: Hex
    costs: tuple[Cost, ...]
    ban: int
    enemy: bool
    full: bool


class Surroundings:
    """What map and enemies are to a unit, whatever the readings: kept once for all of them.

    Attributes:
        edges: steps out of each hex, with uphill smoke added (False) or doubled (True) (R19).
        doubled: hexes out of which that makes a difference.
    """

    def __init__(self, position: Position, unit: Unit, companion: Unit | None) -> None:
        self.position = position
        self.ground = position.ground
        self.unit = unit
        self.companion = companion
        self.enemies = position.enemies_of(unit.side)
        self.enemy_hexes = position.concealed_against(unit.side).union(
            enemy.hex for enemy in self.enemies
        )
        self._seen: dict[Hex, int] = {}
        self._ranges: dict[Hex, tuple[int, ...]] = {}
        self._full: dict[Hex, bool] = {}
        self._terrain: dict[Hex, Terrain] = {}
        self._near: dict[Hex, int] = {}
        self._bans: dict[tuple[Hex, Hex], int] = {}
        self.edges: dict[bool, dict[Hex, dict[Hex, Edge]]] = {False: {}, True: {}}
        self.doubled: set[Hex] = set()

    def ranges(self, at: Hex) -> tuple[int, ...]:
        """Range from a hex to every enemy, in enemy order (R44)."""
        found = self._ranges.get(at)
        if found is None:
            distance = self.ground.distance
            found = tuple(distance(at, enemy.hex) for enemy in self.enemies)
            self._ranges[at] = found
        return found

    def seen(self, at: Hex) -> int:
        """Enemies (bits) in LOS of a hex (R78, R79), one Location a hex (R80).

        Enemies next to it are always seen (R81); concealed ones are never Known.
        """
        found = self._seen.get(at)
        if found is None:
            found = 0
            clear: dict[Hex, bool] = {}
            for n, enemy in enumerate(self.enemies):
                if enemy.concealed:
                    continue
                if enemy.hex not in clear:
                    beside = self.ranges(at)[n] <= 1
                    clear[enemy.hex] = beside or self.ground.sight(at, enemy.hex).clear
                if clear[enemy.hex]:
                    found |= 1 << n
            self._seen[at] = found
        return found

    def near(self, at: Hex) -> int:
        """Enemies (bits) in a hex or adjacent to it."""
        found = self._near.get(at)
        if found is None:
            found = 0
            for n, away in enumerate(self.ranges(at)):
                if away <= 1:
                    found |= 1 << n
            self._near[at] = found
        return found

    def terrain(self, at: Hex) -> Terrain:
        """Terrain of a hex, kept."""
        found = self._terrain.get(at)
        if found is None:
            found = self._terrain[at] = self.ground.terrain(at)
        return found

    def full(self, at: Hex) -> bool:
        """Whether stacking bars the unit (and its leader) from a hex (R30, R47)."""
        found = self._full.get(at)
        if found is None:
            found = self._full[at] = at != self.unit.hex and self._over_the_limit(at)
        return found

    def _over_the_limit(self, at: Hex) -> bool:
        friends = self.position.friends_in(at, self.unit)
        if not friends:
            return False
        movers = [self.unit] + ([self.companion] if self.companion else [])
        there = [*friends, *movers]
        squads2 = sum(half_squads(unit) for unit in there)
        smcs = sum(1 for unit in there if unit.is_smc)
        mmc_moves = any(unit.is_mmc for unit in movers)
        smc_moves = any(unit.is_smc for unit in movers)
        return (mmc_moves and squads2 > SQUADS_PER_HEX2) or (smc_moves and smcs > SMC_PER_HEX)

    def ban(self, at: Hex, to: Hex) -> int:
        """Enemies (bits) that bar a step once Known (R38 to R40), vehicles among them (R43).

        Toward enemies that are not Known a unit may move (R42).
        """
        found = self._bans.get((at, to))
        if found is None:
            found = 0
            for n, (before, after) in enumerate(zip(self.ranges(at), self.ranges(to), strict=True)):
                if after < before or before == after == 1:
                    found |= 1 << n
            self._bans[at, to] = found
        return found


class Router:
    """A unit about to rout, alone or with an unbroken leader, and the facts around it.

    Args:
        position: the whole position; not changed.
        unit: the unit that routs.
        companion: an unbroken, unpinned leader stacked with it that goes along (R71).
        readings: readings to judge under; the position's own by default.
    """

    def __init__(
        self,
        position: Position,
        unit: Unit,
        *,
        companion: Unit | None = None,
        readings: Readings | None = None,
        around: Surroundings | None = None,
    ) -> None:
        self.position = position
        self.ground = position.ground
        self.unit = unit
        self.companion = companion
        self.readings = readings or position.rules.readings
        self.around = around or Surroundings(position, unit, companion)
        self.touched: set[str] = set()
        self.destinations: dict[tuple[Hex, int, int, frozenset[Hex]], Destinations] = {}
        self.breaks: dict[tuple[Plan, int, int, Hex, int], bool] = {}
        self.enemies = self.around.enemies
        self.ranges = self.around.ranges
        self.seen = self.around.seen
        self.near = self.around.near
        self.terrain = self.around.terrain
        self.full = self.around.full
        self.unbroken = sum(1 << n for n, enemy in enumerate(self.enemies) if not enemy.broken)
        self.in_melee = sum(
            1 << n for n, enemy in enumerate(self.enemies) if position.in_melee(enemy)
        )
        # Edges differ between readings only where smoke may be doubled uphill (R19).
        self._edges = self.around.edges[self.readings.r19_smoke_doubled]
        self._costs_to: dict[tuple[Hex, int, frozenset[Hex] | None], Costs] = {}

    @cached_property
    def allowance2(self) -> int:
        """MF of the rout in half MF; a wounded leader going along binds the pair (R17, R71).

        It is the radius of the search for shelter too: what a wounded SMC cannot reach this RtPh
        falls under R51 (R18).
        """
        slow = self.unit.wounded or (self.companion is not None and self.companion.wounded)
        return WOUNDED_MF2 if slow else ALLOWANCE_MF2

    @cached_property
    def moving(self) -> frozenset[str]:
        """Ids of the units that rout: the unit and the leader going along (R71)."""
        together = (self.unit, self.companion)
        return frozenset(one.id for one in together if one is not None)

    def with_readings(self, readings: Readings) -> Router:
        """The same unit judged under other readings."""
        return Router(
            self.position,
            self.unit,
            companion=self.companion,
            readings=readings,
            around=self.around,
        )

    # --- enemies -------------------------------------------------------------------------------

    def danger(self, at: Hex, known: int) -> int:
        """Known unbroken enemies (bits) in a hex or adjacent to it: no rout may end there (R8)."""
        found = self.near(at) & known & self.unbroken
        if found & self.in_melee:
            self.touched.add("r8_good_order")
            if self.readings.r8_good_order:
                found &= ~self.in_melee
        return found

    def ids(self, known: int) -> tuple[str, ...]:
        """Unit ids of a set of enemies, in position order."""
        return tuple(enemy.id for n, enemy in enumerate(self.enemies) if known >> n & 1)

    def members(self, known: int) -> tuple[tuple[int, Unit], ...]:
        """Numbers and units of a set of enemies, in position order."""
        return tuple((n, enemy) for n, enemy in enumerate(self.enemies) if known >> n & 1)

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
        around = self.around
        found = self._edges.get(at)
        if found is None:
            found = self._edges[at] = {
                to: Edge(
                    to,
                    self._costs(at, to),
                    around.ban(at, to),
                    to in around.enemy_hexes,
                    around.full(to),
                )
                for to in self.ground.neighbours(at)
                if to is not None
            }
        if at in around.doubled:
            self.touched.add("r19_smoke_doubled")
        return found

    def _costs(self, at: Hex, to: Hex) -> tuple[Cost, ...]:
        entry = self.ground.entry(at, to)
        mf2 = entry.mf2
        if entry.smoke_doubled_mf2 != mf2:
            self.around.doubled.add(at)
            if self.readings.r19_smoke_doubled:
                mf2 = entry.smoke_doubled_mf2
        costs = [Cost(mf2, entry.by_road)]
        if entry.woods_mf2 is not None:
            costs.append(Cost(entry.woods_mf2, by_road=False))
        return tuple(costs)

    def passable(self, edge: Edge, known: int) -> bool:
        """Whether a step is free of every ban that the plan has no say in (R23, R38-R40, R47).

        Friendly units are no ban, only their number is (R24).
        """
        if edge.enemy or edge.ban & known:
            return False
        if edge.full:
            self.touched.add("r47_end_only")
            return self.readings.r47_end_only
        return True

    def costs_to_target(self, target: Hex, known: int, bound: frozenset[Hex] | None) -> Costs:
        """`costs_to` for one target and one state of knowledge, kept."""
        key = (target, known, bound)
        found = self._costs_to.get(key)
        if found is None:
            found = self._costs_to[key] = costs_to(self, target, known, bound)
        return found


@dataclass(frozen=True, slots=True)
class Costs:
    """MF from every hex to one target over steps legal now, the stop duty included (R28, R46).

    A hex that ends the rout (`ends`) holds a unit that has entered it to building and woods.

    Attributes:
        best: half MF by (hex, held); hexes and states out of reach are left out.
        ends: whether a hex ends the rout.
    """

    best: dict[tuple[Hex, bool], int]
    ends: Callable[[Hex], bool]

    def entered(self, at: Hex, *, held: bool = False) -> int | None:
        """Half MF still needed by a unit that just entered a hex, held before or not."""
        return self.best.get((at, held or self.ends(at)))


def costs_to(router: Router, target: Hex, known: int, bound: frozenset[Hex] | None) -> Costs:
    """Cheapest MF from every hex to a target over steps legal now, up to `ALLOWANCE_MF2`.

    Args:
        router: the unit.
        target: where to.
        known: enemies Known (bits).
        bound: hexes that end the rout where no Known enemy is adjacent; None for bare distances.
    """
    everywhere = bound is not None and router.readings.r46_ignored_stops

    @cache
    def ends(hex_: Hex) -> bool:
        if hex_ == target or bound is None or router.near(hex_) & known:
            return False
        return hex_ in bound or (everywhere and router.shelter(hex_))

    layers = (False, True) if everywhere or (bound and bound - {target}) else (False,)
    best = {(target, held): 0 for held in layers}
    queue = [(0, target, held) for held in layers]
    while queue:
        used, here, held = heapq.heappop(queue)
        if used > best[(here, held)]:
            continue
        sheltered = router.shelter(here)
        for before in router.ground.neighbours(here):
            edge = None if before is None else router.edge(before, here)
            if before is None or edge is None or not router.passable(edge, known):
                continue
            total = used + edge.costs[0].mf2
            if total > ALLOWANCE_MF2:
                continue
            for was in layers:
                if was and not sheltered:
                    continue
                if here != target and (was or ends(here)) != held:
                    continue
                if total < best.get((before, was), total + 1):
                    best[(before, was)] = total
                    heapq.heappush(queue, (total, before, was))
    return Costs(best, ends)
