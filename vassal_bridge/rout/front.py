"""One side's enemies on the map: what they see, where they stand, which steps they bar.

It is the same for every unit of the side that routs, under every reading, and for as long as the
enemies stay as they are, so it is kept. Enemies are numbered; a set of them is a whole number with
one bit each, so that the bans of R38 to R40 are one `&` per step once they were asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from vassal_bridge.rout.kept import Kept
from vassal_bridge.rout.position import (
    IMPASSABLE_MF2,
    Ground,
    Hex,
    Position,
    Terrain,
    Unit,
)

MAX_FRONTS = 16
"""Fronts kept: a log has one for each change among the enemies."""
MAX_KEPT = 16
"""Answers kept apart at one front: one `Kept` for each set of full hexes."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One way to pay for a step.

    Attributes:
        mf2: half MF.
        by_road: entered along the road hexside of a woods-road or orchard-road.
    """

    mf2: int
    by_road: bool


class Edge:
    """A step to a neighbouring hex, as far as it does not hang on knowledge nor on who takes it.

    Attributes:
        to: the hex entered.
        costs: ways to pay, cheapest first.
        enemy: an enemy unit stands there (R23).
    """

    __slots__ = ("_asked", "_at", "_bars", "_front", "costs", "enemy", "to")

    def __init__(self, front: Front, at: Hex, to: Hex, costs: tuple[Cost, ...]) -> None:
        self.to = to
        self.costs = costs
        self.enemy = to in front.enemy_hexes
        self._front = front
        self._at = at
        self._asked = 0
        self._bars = 0

    @property
    def impassable(self) -> bool:
        """Whether nobody crosses that hexside on foot, by Low Crawl neither (R19)."""
        return self.costs[0].mf2 >= IMPASSABLE_MF2

    def ban(self, known: int) -> int:
        """Known enemies (bits) that bar this step (R38 to R40)."""
        missing = known & ~self._asked
        if missing:
            self._bars |= self._front.ban(self._at, self.to, missing)
            self._asked |= missing
        return self._bars & known


class Ways:
    """What steps cost on a ground, whoever takes them, each asked once.

    Attributes:
        doubled: hexes out of which a step costs more if uphill doubles smoke (R19).
    """

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.doubled: set[Hex] = set()
        self._costs: dict[tuple[Hex, bool], dict[Hex, tuple[Cost, ...]]] = {}
        self._terrain: dict[Hex, Terrain] = {}

    def terrain(self, at: Hex) -> Terrain:
        """Terrain of a hex."""
        found = self._terrain.get(at)
        if found is None:
            found = self._terrain[at] = self.ground.terrain(at)
        return found

    def costs(self, at: Hex, *, doubled: bool) -> dict[Hex, tuple[Cost, ...]]:
        """Ways to pay for each step out of a hex, cheapest first, in hexside order."""
        found = self._costs.get((at, doubled))
        if found is None:
            found = self._costs[at, doubled] = {
                to: self._cost(at, to, doubled)
                for to in self.ground.neighbours(at)
                if to is not None
            }
        return found

    def _cost(self, at: Hex, to: Hex, doubled: bool) -> tuple[Cost, ...]:
        entry = self.ground.entry(at, to)
        mf2 = entry.mf2
        if entry.smoke_doubled_mf2 != mf2:
            self.doubled.add(at)
            if doubled:
                mf2 = entry.smoke_doubled_mf2
        cheapest = Cost(mf2, entry.by_road)
        if entry.woods_mf2 is None:
            return (cheapest,)
        return (cheapest, Cost(entry.woods_mf2, by_road=False))


class Front:
    """What the map and its enemies are to one side. Ask `front_of` for it.

    Attributes:
        enemies: in position order; bit n stands for the one with number n.
        enemy_hexes: where they stand, concealed stacks included.
        unbroken, in_melee: enemies (bits) in these states.
        ways: what steps cost on the map.
        terrain: terrain of a hex, kept.
    """

    def __init__(self, position: Position, side: str, ways: Ways) -> None:
        self.ground = position.ground
        self.ways = ways
        self.terrain = ways.terrain
        self.enemies = position.enemies_of(side)
        self.enemy_hexes = position.concealed_against(side).union(
            enemy.hex for enemy in self.enemies if not enemy.concealed
        )
        self.unbroken = sum(1 << n for n, enemy in enumerate(self.enemies) if not enemy.broken)
        self.in_melee = sum(
            1 << n for n, enemy in enumerate(self.enemies) if position.in_melee(enemy)
        )
        self._looked: dict[Hex, tuple[int, int]] = {}
        self._stacks = _by_hex(self.enemies)
        self._concealed = sum(1 << n for n, enemy in enumerate(self.enemies) if enemy.concealed)
        self._ranges: dict[Hex, tuple[int, ...]] = {}
        self._near: dict[Hex, int] = {}
        self._members: dict[int, tuple[tuple[int, Unit], ...]] = {}
        self._steps: dict[bool, dict[Hex, dict[Hex, Edge]]] = {False: {}, True: {}}
        self._ways_in: dict[bool, dict[Hex, tuple[tuple[Hex, Edge], ...]]] = {False: {}, True: {}}
        self._kept: dict[frozenset[Hex], Kept] = {}

    def kept(self, full: frozenset[Hex]) -> Kept:
        """Answers of the units that stacking bars from these hexes."""
        found = self._kept.get(full)
        if found is None:
            while len(self._kept) >= MAX_KEPT:
                del self._kept[next(iter(self._kept))]
            found = self._kept[full] = Kept()
        return found

    def ranges(self, at: Hex) -> tuple[int, ...]:
        """Range from a hex to every enemy, in enemy order (R44)."""
        found = self._ranges.get(at)
        if found is None:
            distance = self.ground.distance
            found = tuple(distance(at, enemy.hex) for enemy in self.enemies)
            self._ranges[at] = found
        return found

    def seen(self, at: Hex, besides: int = 0) -> int:
        """Enemies (bits) in LOS of a hex (R78, R79), one Location a hex (R80).

        Enemies next to it are always seen (R81); concealed ones are never Known.

        Args:
            at: the hex.
            besides: enemies (bits) nobody asks about: they are Known already, in LOS or not.

        Returns:
            Those in LOS; of `besides` any or none.
        """
        looked, found = self._looked.get(at, (0, 0))
        for bits, hex_ in self._stacks:
            if bits & ~besides & ~looked:
                beside = self.ground.distance(at, hex_) <= 1
                if beside or self.ground.sight(at, hex_).clear:
                    found |= bits
                looked |= bits
        self._looked[at] = (looked, found)
        return found & ~self._concealed

    def members(self, known: int) -> tuple[tuple[int, Unit], ...]:
        """Numbers and units of a set of enemies, in position order, kept."""
        found = self._members.get(known)
        if found is None:
            found = tuple((n, enemy) for n, enemy in enumerate(self.enemies) if known >> n & 1)
            self._members[known] = found
        return found

    def near(self, at: Hex) -> int:
        """Enemies (bits) in a hex or adjacent to it."""
        found = self._near.get(at)
        if found is None:
            distance = self.ground.distance
            found = sum(bits for bits, hex_ in self._stacks if distance(at, hex_) <= 1)
            self._near[at] = found
        return found

    def ban(self, at: Hex, to: Hex, known: int) -> int:
        """Enemies (bits) of those Known that bar a step (R38 to R40), vehicles too (R43).

        Toward enemies that are not Known a unit may move (R42).
        """
        distance = self.ground.distance
        found = 0
        for n, enemy in self.members(known):
            before, after = distance(at, enemy.hex), distance(to, enemy.hex)
            if after < before or before == after == 1:
                found |= 1 << n
        return found

    def steps(self, at: Hex, *, doubled: bool) -> dict[Hex, Edge]:
        """The steps out of a hex by the hex entered, in hexside order, off-map sides left out.

        Args:
            at: the hex.
            doubled: whether uphill doubles smoke too (R19, disputed).
        """
        found = self._steps[doubled].get(at)
        if found is None:
            found = self._steps[doubled][at] = {
                to: Edge(self, at, to, costs)
                for to, costs in self.ways.costs(at, doubled=doubled).items()
            }
        return found

    def ways_in(self, to: Hex, *, doubled: bool) -> tuple[tuple[Hex, Edge], ...]:
        """The steps into a hex, each with the neighbour it starts from."""
        found = self._ways_in[doubled].get(to)
        if found is None:
            starts = [before for before in self.ground.neighbours(to) if before is not None]
            steps = [(before, self.steps(before, doubled=doubled).get(to)) for before in starts]
            found = tuple((before, edge) for before, edge in steps if edge is not None)
            self._ways_in[doubled][to] = found
        return found


def _by_hex(units: tuple[Unit, ...]) -> tuple[tuple[int, Hex], ...]:
    """Units (bits) by the hex they stand in."""
    found: dict[Hex, int] = {}
    for n, unit in enumerate(units):
        found[unit.hex] = found.get(unit.hex, 0) | 1 << n
    return tuple((bits, hex_) for hex_, bits in found.items())


def front_of(position: Position, side: str) -> Front:
    """The front of one side, made once for all positions in which its enemies stand the same."""
    enemies = position.enemies_of(side)
    melee = tuple(position.in_melee(enemy) for enemy in enemies)
    concealed = position.concealed_against(side)
    ground = position.ground
    key = (id(ground), side, enemies, melee, concealed)
    found = position.fronts.get(key)
    if found is None or found.ground is not ground:
        same_map = (each.ways for each in position.fronts.values() if each.ground is ground)
        ways = next(same_map, None) or Ways(ground)
        found = position.fronts[key] = Front(position, side, ways)
        while len(position.fronts) > MAX_FRONTS:
            del position.fronts[next(iter(position.fronts))]
    return found
