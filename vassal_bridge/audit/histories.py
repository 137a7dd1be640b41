"""All legal histories that fit what was recorded: the search behind every verdict.

What is recorded are waypoints: hex after hex, or a jump with an unknown way between. A step between
neighbours is judged as it stands; a gap is filled by every way the one judge (`rout.step`) allows.
The search keeps all situations the unit can be in and, for each, the interdictions that every way
to it contains (R84).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vassal_bridge.rout import Code, Duty, Hex, Interdiction, Reason
from vassal_bridge.rout.duty import (
    Obligation,
    adjacency_reasons,
    obligation,
    open_ground_reasons,
)
from vassal_bridge.rout.interdiction import interdictors
from vassal_bridge.rout.route import Interdicting, leaves_start
from vassal_bridge.rout.router import ALLOWANCE_MF2, Router
from vassal_bridge.rout.step import (
    Knowledge,
    Move,
    start_of_rout,
    verify_crawl,
    verify_end,
    verify_step,
)
from vassal_bridge.rout.target import PlanKind

FAR_MF2 = 4 * ALLOWANCE_MF2
"""How far the cheapest way of an impossible jump is followed, in half MF."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One way to a situation, and what all ways to it share.

    Attributes:
        moves: of the way with fewest interdictions.
        met: interdictions on that way, in order.
        must: interdictions that every way contains, by hex.
    """

    moves: tuple[Move, ...]
    met: tuple[Interdiction, ...]
    must: Mapping[Hex, Interdiction]

    @property
    def label(self) -> tuple[int, int]:
        """Order of preference: interdictions, half MF."""
        return (
            sum(1 for found in self.met if found.by),
            sum(move.cost.mf2 for move in self.moves),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether some legal history fits, under one set of readings.

    Attributes:
        legal: one does.
        reasons: why none does.
        duty: of the unit before it moves.
        path: hexes of the best legal history; as far as it is legal, if none is.
        met: interdictions on it.
        must: interdictions every legal history contains.
        costs: half MF used when each waypoint is reached, on the best history.
        last_legal: last waypoint in which the rout could have ended legally.
        free: it ends as a free rout (R51).
        events: discoveries and re-targetings on the way.
        found_death: enemies discovered on the way beside which it ends, with no way on (R50, R55).
        touched: readings that were asked.
    """

    legal: bool
    reasons: tuple[Reason, ...]
    duty: Obligation
    path: tuple[Hex, ...]
    met: tuple[Interdiction, ...]
    must: tuple[Interdiction, ...]
    costs: tuple[int, ...]
    last_legal: Hex
    free: bool
    events: tuple[Reason, ...]
    found_death: tuple[Reason, ...]
    touched: frozenset[str]


_States = dict[Knowledge, Trace]


def duty_before(router: Router) -> Obligation:
    """The duty of a unit that has moved: `obligation` without asking whether it could move at all.

    Whether any first step is legal (R73) is not to be asked of a unit whose steps are judged.
    """
    unit = router.unit
    if unit.broken and unit.is_infantry and not router.position.in_melee(unit):
        near = adjacency_reasons(router)
        exposed, _ = open_ground_reasons(router)
        if near or exposed:
            return Obligation(
                Duty.MUST,
                becomes_dm=not unit.dm,
                reasons=(*near, *exposed),
                adjacent=bool(near),
                exposed=bool(exposed),
            )
    return obligation(router)


class Histories:
    """Judges waypoints for one unit under one set of readings.

    Args:
        router: the unit (and its leader) under the readings.
        waypoints: hexes as recorded, the start left out.
        complete: the rout ends in the last one; False = it was cut short or taken back there.
        duty: of the unit, if it is known already.
    """

    def __init__(
        self,
        router: Router,
        waypoints: tuple[Hex, ...],
        *,
        complete: bool,
        duty: Obligation | None = None,
    ) -> None:
        self.router = router
        self.waypoints = waypoints
        self.complete = complete
        self.interdicting = Interdicting(router)
        self.duty = duty if duty is not None else duty_before(router)
        self.start = router.unit.hex

    def outcome(self) -> Outcome:
        """The answer for a rout that is no Low Crawl."""
        if self.duty.duty is Duty.NONE:
            return self._none(self.duty.reasons[:1], self.start, {})
        states: _States = {state: Trace((), (), {}) for state in start_of_rout(self.router)}
        at, last_legal = self.start, self.start
        for to in self.waypoints:
            if self.router.edge(at, to) is not None:
                following, reasons = self._step(states, to)
            else:
                following = self._gap(states, to)
                reasons = () if following else self._why_no_way(states, at, to)
            if not following:
                return self._none(reasons, last_legal, states)
            states, at = following, to
            if any(not self._barred(state, at) for state in states):
                last_legal = at
        return self._ended(states, at, last_legal)

    def crawl(self) -> Outcome:
        """The answer for a Low Crawl (R52 to R55)."""
        if self.duty.duty is Duty.NONE:
            return self._none(self.duty.reasons[:1], self.start, {})
        if len(self.waypoints) != 1:
            return self._none((Reason("R52", Code.CRAWL_ONE_HEX),), self.start, {})
        to = self.waypoints[0]
        verdict = verify_crawl(self.router, to)
        known = self.router.seen(self.start)
        fresh = {enemy.id for _, enemy in self.router.members(self.router.seen(to) & ~known)}
        death = tuple(reason for reason in verdict.reasons if reason.rule == "R55")
        found = bool(death) and all(_enemies(reason) <= fresh for reason in death)
        if verdict.legal or (found and len(death) == len(verdict.reasons)):
            return self._made(
                legal=True,
                path=(to,),
                last_legal=to if verdict.legal else self.start,
                events=tuple(event for move in verdict.moves for event in move.events),
                found_death=() if verdict.legal else death,
            )
        return self._none(verdict.reasons, self.start, {})

    # --- one waypoint ---------------------------------------------------------------------------

    def _step(self, states: _States, to: Hex) -> tuple[_States, tuple[Reason, ...]]:
        following: _States = {}
        reasons: list[Reason] = []
        for state, trace in states.items():
            verdict = verify_step(self.router, state, to)
            reasons += [reason for reason in verdict.reasons if reason not in reasons]
            for move in verdict.moves:
                _keep(following, move.after, self._further(state, move, trace))
        return following, tuple(reasons)

    def _gap(self, states: _States, to: Hex) -> _States:
        """Every situation in which the unit can have come to `to` by any legal way.

        Each step costs MF, so situations with most MF left are complete when they are taken.
        """
        reached: _States = dict(states)
        arrived: _States = {}
        count = 0
        queue: list[tuple[int, int, Knowledge]] = []
        for state in states:
            queue.append((-state.mf2, count, state))
            count += 1
        heapq.heapify(queue)
        done: set[Knowledge] = set()
        while queue:
            _, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            trace = reached[state]
            for edge in self.router.edges(state.at):
                for move in verify_step(self.router, state, edge.to).moves:
                    further = self._further(state, move, trace)
                    if edge.to == to:
                        _keep(arrived, move.after, further)
                        continue
                    if _keep(reached, move.after, further):
                        count += 1
                        heapq.heappush(queue, (-move.after.mf2, count, move.after))
        return arrived

    def _further(self, state: Knowledge, move: Move, trace: Trace) -> Trace:
        met = self.interdicting.on(state.at, move)
        moves = (*trace.moves, move)
        if met is None:
            return Trace(moves, trace.met, trace.must)
        return Trace(moves, (*trace.met, met), {**trace.must, met.hex: met})

    # --- endings --------------------------------------------------------------------------------

    def _barred(self, state: Knowledge, at: Hex) -> tuple[Reason, ...]:
        """Why the rout may not end here."""
        return (*verify_end(self.router, state), *leaves_start(self.router, self.duty, at))

    def _ended(self, states: _States, at: Hex, last_legal: Hex) -> Outcome:
        ended: _States = {}
        reasons: list[Reason] = []
        death: list[Reason] = []
        for state, trace in states.items():
            barred = self._barred(state, at) if self.complete else ()
            if not barred:
                ended[state] = trace
                continue
            if self._dies_of_discovery(state, barred):
                death += [reason for reason in barred if reason not in death]
                ended.setdefault(state, trace)
                continue
            reasons += [reason for reason in barred if reason not in reasons]
        good = {s: t for s, t in ended.items() if not (self.complete and self._barred(s, at))}
        ended = good or ended
        if not ended:
            return self._none(tuple(reasons), last_legal, states)
        best = min(ended.values(), key=lambda trace: trace.label)
        must = _shared(trace.must for trace in ended.values())
        return self._made(
            legal=True,
            path=tuple(move.after.at for move in best.moves),
            last_legal=at if good and self.complete else last_legal,
            met=best.met,
            must=tuple(must.values()),
            costs=self._costs(best.moves),
            free=all(state.plan.kind is PlanKind.FREE for state in ended),
            events=tuple(event for move in best.moves for event in move.events),
            found_death=() if good else tuple(death),
        )

    def _dies_of_discovery(self, state: Knowledge, barred: tuple[Reason, ...]) -> bool:
        """Next to enemies it did not know when it set out, with no legal step left (R50)."""
        near = [reason for reason in barred if reason.rule == "R8"]
        known = self.router.seen(self.start)
        before = {enemy.id for _, enemy in self.router.members(known)}
        if not near or any(_enemies(reason) & before for reason in near):
            return False
        return not any(
            verify_step(self.router, state, edge.to).moves for edge in self.router.edges(state.at)
        )

    def _none(self, reasons: tuple[Reason, ...], last_legal: Hex, states: _States) -> Outcome:
        best = min(states.values(), key=lambda trace: trace.label, default=Trace((), (), {}))
        return self._made(
            legal=False,
            reasons=reasons,
            path=tuple(move.after.at for move in best.moves),
            last_legal=last_legal,
            met=best.met,
            costs=self._costs(best.moves),
        )

    def _costs(self, moves: tuple[Move, ...]) -> tuple[int, ...]:
        """Half MF used at each waypoint of a way."""
        found: list[int] = []
        used = 0
        for move in moves:
            used += move.cost.mf2
            if len(found) < len(self.waypoints) and move.after.at == self.waypoints[len(found)]:
                found.append(used)
        return tuple(found)

    def _made(
        self,
        *,
        legal: bool,
        path: tuple[Hex, ...],
        last_legal: Hex,
        reasons: tuple[Reason, ...] = (),
        met: tuple[Interdiction, ...] = (),
        must: tuple[Interdiction, ...] = (),
        costs: tuple[int, ...] = (),
        free: bool = False,
        events: tuple[Reason, ...] = (),
        found_death: tuple[Reason, ...] = (),
    ) -> Outcome:
        return Outcome(
            legal,
            reasons,
            self.duty,
            path,
            met,
            must,
            costs,
            last_legal,
            free,
            events,
            found_death,
            frozenset(self.router.touched),
        )

    # --- why a jump cannot be -------------------------------------------------------------------

    def _why_no_way(self, states: _States, at: Hex, to: Hex) -> tuple[Reason, ...]:
        """Rules that close every way of a jump.

        If even the cheapest way by terrain costs more MF than there are, that is it. Otherwise
        what bars the steps out of the region that can be reached legally, on ways that would fit.
        """
        left = max((state.mf2 for state in states), default=0)
        onward = _terrain_costs(self.router, to)
        needed = onward.get(at)
        reasons: list[Reason] = []
        if needed is None or needed > left:
            cost = (FAR_MF2 if needed is None else needed) / 2
            wounded = self.router.allowance2 < ALLOWANCE_MF2
            facts = (("hex", to), ("cost", cost), ("left", left / 2))
            reasons.append(Reason("R17" if wounded else "R16", Code.TOO_FEW_MF, facts))
        reached = dict(states)
        queue = list(states)
        while queue:
            state = queue.pop()
            for edge in self.router.edges(state.at):
                verdict = verify_step(self.router, state, edge.to)
                rest = onward.get(edge.to)
                fits = rest is not None and edge.costs[0].mf2 + rest <= state.mf2
                if fits or (needed is not None and needed > left and state.at == at):
                    reasons += [r for r in verdict.reasons if r not in reasons]
                for move in verdict.moves:
                    if move.after not in reached:
                        reached[move.after] = Trace((), (), {})
                        queue.append(move.after)
        return tuple(reasons)


def _terrain_costs(router: Router, to: Hex) -> dict[Hex, int]:
    """Cheapest half MF from every hex to one, bans and stacking aside."""
    best = {to: 0}
    queue = [(0, to)]
    while queue:
        used, here = heapq.heappop(queue)
        if used > best[here]:
            continue
        for before in router.ground.neighbours(here):
            edge = None if before is None else router.edge(before, here)
            if before is None or edge is None:
                continue
            total = used + edge.costs[0].mf2
            if total <= FAR_MF2 and total < best.get(before, total + 1):
                best[before] = total
                heapq.heappush(queue, (total, before))
    return best


def _keep(table: _States, state: Knowledge, trace: Trace) -> bool:
    """Merge a way into a table of situations; True if the situation is new."""
    old = table.get(state)
    if old is None:
        table[state] = trace
        return True
    must = _shared((old.must, trace.must))
    better = min(old, trace, key=lambda each: each.label)
    table[state] = Trace(better.moves, better.met, must)
    return False


def _shared(musts: Iterable[Mapping[Hex, Interdiction]]) -> dict[Hex, Interdiction]:
    shared: dict[Hex, Interdiction] | None = None
    for must in musts:
        if shared is None:
            shared = dict(must)
        else:
            shared = {hex_: met for hex_, met in shared.items() if hex_ in must}
    return shared or {}


def _enemies(reason: Reason) -> set[str]:
    return {str(value) for name, value in reason.facts if name == "enemy"}


def interdictions_as_recorded(
    router: Router, waypoints: tuple[Hex, ...]
) -> tuple[Interdiction, ...]:
    """Interdictions on recorded steps, legal or not; the unknown way of a jump is left out."""
    found = []
    at = router.unit.hex
    for to in waypoints:
        if router.edge(at, to) is not None:
            by_road = router.ground.entry(at, to).by_road
            sure, maybe = interdictors(router.position, router.unit.side, to, at, by_road=by_road)
            if sure or maybe:
                found.append(Interdiction(to, sure, maybe))
        at = to
    return tuple(found)
