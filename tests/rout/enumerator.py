"""A second, slow solver of rule 3.6 on the built-in open board, to check `vassal_bridge.rout` by.

Written from the rules text (rout-rules.md, cited as R1 to R87) and the notes on how rulings are to
be read. It shares no code with the program: it reads a position as plain data (the mapping that a
position file holds), has its own hex maths, its own lines of sight and its own Open Ground test
(enumerator_map.py), and finds everything by trying everything. No speed is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from tests.rout.enumerator_map import (
    RANGE_OF_MG,
    Hex,
    Man,
    beside,
    hex_of,
    hexes_between,
    name_of,
    read_map,
    read_men,
)

ALLOWANCE, WOUNDED_ALLOWANCE = 12, 6  # R16, R17
FAR = 10_000

# -- the rout of one unit ------------------------------------------------------------------------

Goal = tuple[str, Hex | None, frozenset[Hex]]
"""``("to", destination, nearest hexes)``, ``("free", ...)`` or ``("in", ...)``: in shelter."""
FREE: Goal = ("free", None, frozenset())
SHELTERED: Goal = ("in", None, frozenset())


@dataclass(frozen=True)
class Situation:
    """A unit on its way."""

    at: Hex
    left: int
    known: frozenset[int]
    goal: Goal


class Enumerator:
    """Tries everything one unit could do.

    Args:
        data: the mapping of a position file (contracts.md 2) on the board `open`, short hex names.
        number: which unit, counted through the file from 0.
        readings: disputed readings turned over (ids as in `vassal_bridge.rout.READINGS`).
    """

    def __init__(self, data: Mapping[str, Any], number: int, readings: Iterable[str] = ()) -> None:
        self.map = read_map(data)
        self.men = read_men(data)
        self.me = self.men[number]
        self.readings = frozenset(readings)
        self.enemies = [man for man in self.men if man.nation != self.me.nation]
        self.allowance = WOUNDED_ALLOWANCE if "wounded" in self.me.flags else ALLOWANCE
        self._known: dict[Hex, frozenset[int]] = {}
        # Remembered answers, for patience's sake only.
        self.overstacked = cache(self._overstacked)
        self.destinations = cache(self._destinations)
        self.reaches = cache(self._reaches)

    # -- Known, sight and bans

    def in_sight(self, at: Hex) -> frozenset[int]:
        """R78, R81."""
        if at not in self._known:
            self._known[at] = frozenset(
                enemy.number
                for enemy in self.enemies
                if enemy.at == at or self.map.look(at, enemy.at)[0]
            )
        return self._known[at]

    def in_melee(self, man: Man) -> bool:
        """R3."""
        return "melee" in man.flags and any(
            not other.broken for other in self.men if other.at == man.at
        )

    def threatened(self, at: Hex, known: frozenset[int]) -> bool:
        """R8: a Known unbroken enemy in the hex or next to it."""
        for enemy in self.enemies:
            if enemy.number not in known or enemy.broken or hexes_between(at, enemy.at) > 1:
                continue
            if "r8_good_order" in self.readings and self.in_melee(enemy):
                continue
            return True
        return False

    def next_to_known(self, at: Hex, known: frozenset[int]) -> bool:
        return any(
            enemy.number in known and hexes_between(at, enemy.at) <= 1 for enemy in self.enemies
        )

    def _overstacked(self, at: Hex) -> bool:
        """R30, R47."""
        if at == self.me.at:
            return False
        there = [man for man in self.men if man.nation == self.me.nation and man.at == at]
        if self.me.is_leader:
            return sum(1 for man in there if man.is_leader) + 1 > 4
        return sum(man.squads for man in there) + self.me.squads > 3

    def toward(self, at: Hex, to: Hex, known: frozenset[int]) -> bool:
        """R38 to R41."""
        for enemy in self.enemies:
            if enemy.number not in known:
                continue
            before, after = hexes_between(at, enemy.at), hexes_between(to, enemy.at)
            if after < before or (before == 1 and after == 1):
                return True
        return False

    def barred(self, at: Hex, to: Hex, known: frozenset[int], *, crawl: bool = False) -> bool:
        """Whatever bars a step, plan and MF aside."""
        if any(enemy.at == to for enemy in self.enemies):  # R23
            return True
        passing = "r47_end_only" in self.readings and not crawl
        if self.overstacked(to) and not passing:
            return True
        return self.toward(at, to, known)

    # -- distances and destinations

    def distances(
        self, at: Hex, left: int, known: frozenset[int], *, legal: bool = True
    ) -> dict[Hex, int]:
        """Cheapest MF to every hex in reach, by going on until nothing gets cheaper."""
        best = {at: 0}
        wave = [at]
        while wave:
            following = []
            for here in wave:
                for to in beside(here):
                    total = best[here] + self.map.cost(to)
                    if total > left or total >= best.get(to, FAR):
                        continue
                    if legal and self.barred(here, to, known):
                        continue
                    best[to] = total
                    following.append(to)
            wave = following
        return best

    def ignorable(self, there: Hex, known: frozenset[int], since: Hex) -> bool:
        """R31, R32."""
        home = self.map.building.get(self.me.at)
        if home is not None and self.map.building.get(there) == home:
            return True
        seen = [enemy for enemy in self.enemies if enemy.number in known]
        no_farther = [
            enemy
            for enemy in seen
            if hexes_between(there, enemy.at) <= hexes_between(since, enemy.at)
        ]
        if "r31_unbroken" in self.readings and all(enemy.broken for enemy in no_farther):
            return False
        if "r31_all" in self.readings:
            return bool(no_farther) and len(no_farther) == len(seen)
        return bool(no_farther)

    def _destinations(
        self, at: Hex, left: int, known: frozenset[int], without: Hex | None = None
    ) -> tuple[dict[Hex, int], bool, frozenset[Hex]]:
        """R27 to R34, R51: destinations with MF, whether a free rout is legal, the nearest ones."""
        reach = self.distances(at, left, known)
        measure = reach
        if "r28_terrain" in self.readings:
            measure = self.distances(at, left, known, legal=False)
        since = at if "r49_current" in self.readings else self.me.at
        hexes = [
            there
            for there in reach
            if self.map.shelter(there)
            and there not in (self.me.at if at == self.me.at else None, without)
            and not self.overstacked(there)
            and not self.threatened(there, known)
        ]
        firm = [there for there in hexes if not self.ignorable(there, known, since)]
        nearest = min((measure[there] for there in firm), default=FAR)
        return (
            {there: measure[there] for there in hexes if measure[there] <= nearest},
            not firm,
            frozenset(there for there in firm if measure[there] == nearest),
        )

    def goals(
        self, at: Hex, left: int, known: frozenset[int], without: Hex | None = None
    ) -> Iterator[Goal]:
        """Everything the owner may fix (R27, R29, R49)."""
        found, free, nearest = self.destinations(at, left, known, without)
        for there in found:
            yield SHELTERED if there == at else ("to", there, nearest)
        if free:
            yield FREE

    def must_stop(self, at: Hex, goal: Goal, known: frozenset[int]) -> bool:
        """R46: a nearest hex, not next to an enemy, ends the rout (chains of shelter aside)."""
        ends = at in goal[2]
        if "r46_ignored_stops" in self.readings:
            ends = ends or self.map.shelter(at)
        return ends and not self.next_to_known(at, known)

    def _reaches(self, at: Hex, left: int, known: frozenset[int], goal: Goal) -> bool:
        """Whether some legal path with the MF left leads from a hex just entered to the goal."""
        tried: set[tuple[Hex, int, bool]] = set()

        def walk(here: Hex, mf: int, stopped: bool) -> bool:
            if here == goal[1]:
                return True
            stopped = stopped or self.must_stop(here, goal, known)
            if (here, mf, stopped) in tried:
                return False
            tried.add((here, mf, stopped))
            return any(
                walk(to, mf - self.map.cost(to), stopped)
                for to in beside(here)
                if self.map.cost(to) <= mf
                and not self.barred(here, to, known)
                and (not stopped or self.map.shelter(to))
            )

        return walk(at, left, False)

    # -- the rout step by step

    def begin(self) -> list[Situation]:
        known = self.in_sight(self.me.at)
        return [
            Situation(self.me.at, self.allowance, known, goal)
            for goal in self.goals(self.me.at, self.allowance, known)
        ]

    def enter(self, before: Situation, to: Hex) -> list[Situation]:
        """All that can follow on entering a hex; empty if it may not be entered."""
        left = before.left - self.map.cost(to)
        if left < 0 or self.barred(before.at, to, before.known):
            return []
        kind, target, _ = before.goal
        if kind == "in" and not self.map.shelter(to):  # R46
            return []
        if kind == "to" and not self.reaches(to, left, before.known, before.goal):  # R27
            return []
        known = before.known | self.in_sight(to)
        if kind == "free":
            stops = self.must_stop(to, FREE, known)
            return [Situation(to, left, known, SHELTERED if stops else FREE)]
        anew = [Situation(to, left, known, goal) for goal in self.goals(to, left, known)]
        arrived = kind == "in" or to == target
        if arrived or self.must_stop(to, before.goal, known):
            if self.threatened(to, known):  # R49
                return anew
            stopped = [Situation(to, left, known, SHELTERED)]
            if self.next_to_known(to, known):  # R35: next to a broken enemy it may stop or go on
                stopped += [
                    Situation(to, left, known, goal) for goal in self.goals(to, left, known, to)
                ]
            return stopped
        if not self.reaches(to, left, known, before.goal):  # R49
            return anew
        kept = [Situation(to, left, known, before.goal)]
        if "r49_route" in self.readings and self.some_route_broke(before, to, left, known):
            kept += anew
        return kept

    def some_route_broke(
        self, before: Situation, to: Hex, left: int, known: frozenset[int]
    ) -> bool:
        """R49 (b): a route planned with what was Known has a step that is illegal now."""
        tried: set[tuple[Hex, int, bool, bool]] = set()

        def walk(here: Hex, mf: int, stopped: bool, broke: bool) -> bool:
            if here == before.goal[1]:
                return broke
            stopped = stopped or self.must_stop(here, before.goal, before.known)
            if (here, mf, stopped, broke) in tried:
                return False
            tried.add((here, mf, stopped, broke))
            return any(
                walk(
                    there,
                    mf - self.map.cost(there),
                    stopped,
                    broke or self.toward(here, there, known),
                )
                for there in beside(here)
                if self.map.cost(there) <= mf
                and not self.barred(here, there, before.known)
                and (not stopped or self.map.shelter(there))
            )

        return walk(to, left, False, False)

    def may_end(self, situation: Situation) -> bool:
        """R8, R9, R27, R47."""
        return (
            situation.goal[0] != "to"
            and not self.threatened(situation.at, situation.known)
            and not self.overstacked(situation.at)
            and not (situation.at == self.me.at and self.exposed)
        )

    def may_crawl(self, to: Hex) -> bool:
        """R52 to R55, R45."""
        at, known = self.me.at, self.in_sight(self.me.at)
        if to not in beside(at) or self.barred(at, to, known, crawl=True):
            return False
        if "r54_allowed" not in self.readings and any(enemy.at == at for enemy in self.enemies):
            return False
        if self.threatened(to, known | self.in_sight(to)):
            return False
        found, free, _ = self.destinations(at, self.allowance, known)
        return free or any(self.nearer(at, to, there, known) for there in found)

    def nearer(self, at: Hex, to: Hex, target: Hex, known: frozenset[int]) -> bool:
        """R45: in MF or in hexes."""
        by_hexes = hexes_between(to, target) < hexes_between(at, target)
        by_mf = self.mf_to(to, target, known) < self.mf_to(at, target, known)
        if "r45_mf_only" in self.readings:
            return by_mf
        if "r45_hex_only" in self.readings:
            return by_hexes
        return by_hexes or by_mf

    def mf_to(self, at: Hex, target: Hex, known: frozenset[int]) -> int:
        return self.distances(at, ALLOWANCE, known).get(target, FAR)

    # -- interdiction

    def can_fire(self, enemy: Man) -> int:
        """R57 to R60: the longest range at which he has 1 FP at full strength, -1 for never."""
        if enemy.flags & {"broken", "pinned", "cx", "melee"}:
            return -1
        here = [man for man in self.men if man.at == enemy.at]
        if any(man.nation != enemy.nation and man is not self.me for man in here):
            return -1
        if not enemy.is_leader:
            own = int(enemy.name.split("-")[1])
            return max([own, *(RANGE_OF_MG[enemy.nation, gun] for gun in enemy.weapons)])
        leaders = [
            man for man in here if man.is_leader and not man.flags & {"broken", "pinned", "cx"}
        ]
        guns = [RANGE_OF_MG[man.nation, gun] for man in leaders for gun in man.weapons]
        return max(guns, default=-1) if len(leaders) > 1 else -1

    def interdicted_by(self, at: Hex) -> list[int]:
        """R56, R63 on a board without hills and roads."""
        if self.map.word(at) != "open" or at in self.map.smoke or at in self.map.wrecks:
            return []
        found = []
        for enemy in self.enemies:
            clear, hindrance = self.map.look(enemy.at, at) if enemy.at != at else (True, 0)
            if not clear or hindrance or enemy.at in self.map.smoke:
                continue
            if hexes_between(enemy.at, at) <= self.can_fire(enemy):
                found.append(enemy.number)
        return found

    # -- answers

    @cached_property
    def exposed(self) -> bool:
        """R9."""
        known = self.in_sight(self.me.at)
        return any(number in known for number in self.interdicted_by(self.me.at))

    @cached_property
    def duty(self) -> str:
        """R1 to R9, R73 (a)."""
        at, known = self.me.at, self.in_sight(self.me.at)
        if not self.me.broken or self.in_melee(self.me):
            return "none"
        if self.threatened(at, known) or self.exposed:
            steps = any(self.enter(start, to) for start in self.begin() for to in beside(at))
            crawls = any(self.may_crawl(to) for to in beside(at))
            return "must" if steps or crawls else "eliminated"
        if "dm" not in self.me.flags and not self.next_to_known(at, known):  # R2, R5
            return "none"
        return "must" if "r4_literal" in self.readings else "may"

    def known(self) -> set[int]:
        return set(self.in_sight(self.me.at))

    def targets(self) -> tuple[dict[str, float], bool]:
        """Destinations with MF, and whether a free rout is legal; nothing for units that stay."""
        if self.duty == "none":
            return {}, False
        at = self.me.at
        found, free, _ = self.destinations(at, self.allowance, self.in_sight(at))
        return {name_of(there): mf / 2 for there, mf in found.items()}, free

    def ends(self) -> dict[str, str]:
        """Every hex it can end in, with how."""
        how: dict[Hex, str] = {}
        if self.duty in ("must", "may"):
            seen: set[Situation] = set()
            todo = self.begin()
            while todo:
                situation = todo.pop()
                if situation in seen:
                    continue
                seen.add(situation)
                for to in beside(situation.at):
                    for after in self.enter(situation, to):
                        todo.append(after)
                        if self.may_end(after):
                            how[to] = "move"
            for to in beside(self.me.at):
                if self.may_crawl(to):
                    how[to] = "both" if to in how else "crawl"
        if self.duty in ("none", "may"):
            how[self.me.at] = "stay"
        return {name_of(there): word for there, word in how.items()}

    def first_steps(self) -> set[str]:
        """Hexes that it can enter first, Low Crawl included."""
        if self.duty == "none":
            return set()
        starts = self.begin()
        return {
            name_of(to)
            for to in beside(self.me.at)
            if self.may_crawl(to) or any(self.enter(start, to) for start in starts)
        }

    def legal(self, path: Iterable[str], *, low_crawl: bool = False) -> bool:
        """Whether a path is a complete legal rout."""
        hexes = [hex_of(name) for name in path]
        if self.duty == "none":
            return False
        if low_crawl:
            return len(hexes) == 1 and self.may_crawl(hexes[0])
        situations = self.begin()
        for to in hexes:
            situations = [
                after
                for situation in situations
                if to in beside(situation.at)
                for after in self.enter(situation, to)
            ]
        return bool(hexes) and any(self.may_end(situation) for situation in situations)

    def interdictions(self, path: Iterable[str]) -> dict[str, set[int]]:
        """Who can interdict where along a path."""
        met = {name: set(self.interdicted_by(hex_of(name))) for name in path}
        return {name: numbers for name, numbers in met.items() if numbers}

    def routs(self) -> Iterator[tuple[str, ...]]:
        """Every complete legal rout that is not a Low Crawl, path by path."""
        if self.duty not in ("must", "may"):
            return
        todo: list[tuple[tuple[Hex, ...], list[Situation]]] = [((), self.begin())]
        while todo:
            path, situations = todo.pop()
            if path and any(self.may_end(situation) for situation in situations):
                yield tuple(name_of(at) for at in path)
            for to in beside(path[-1] if path else self.me.at):
                after = list(
                    dict.fromkeys(s for before in situations for s in self.enter(before, to))
                )
                if after:
                    todo.append(((*path, to), after))
