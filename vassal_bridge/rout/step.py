"""The one judge of a single hex entered. Finder, auditor and overlays all ask here.

`verify_step` answers for a rout under way, `verify_crawl` for a Low Crawl, `verify_end` for
stopping. All three return every reason that bars, and what the unit's situation is afterwards.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from vassal_bridge.rout.front import Cost, Edge
from vassal_bridge.rout.position import Hex
from vassal_bridge.rout.router import ALLOWANCE_MF2, Router
from vassal_bridge.rout.rulebook import Code, Reason
from vassal_bridge.rout.target import Plan, PlanKind, destinations


class Knowledge(NamedTuple):
    """A unit's situation during its rout (design.md, Knowledge).

    Attributes:
        at: the hex it is in.
        mf2: MF left, in half MF.
        known: enemies Known (bits of `Router.enemies`), those seen earlier included (R39).
        plan: what it is bound to.

    A named tuple, as `Move` is: thousands are made, compared and hashed in one search.
    """

    at: Hex
    mf2: int
    known: int
    plan: Plan


class Move(NamedTuple):
    """One way a legal step can turn out: how it was paid, and the situation after it."""

    cost: Cost
    after: Knowledge
    events: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """The verdict on one step.

    Attributes:
        reasons: everything that bars it, plainest first; empty when legal.
        moves: what can follow (several where the owner chooses anew); empty when illegal.
    """

    reasons: tuple[Reason, ...]
    moves: tuple[Move, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the step is legal."""
        return not self.reasons


def start_of_rout(router: Router) -> tuple[Knowledge, ...]:
    """The situations before the first step: one per destination the owner may fix (R27, R33)."""
    at, mf2 = router.unit.hex, router.allowance2
    known = router.seen(at)
    found = destinations(router, at, mf2, known)
    return tuple(Knowledge(at, mf2, known, plan) for plan in found.plans(at))


def bans(router: Router, at: Hex, edge: Edge, known: int) -> list[Reason]:
    """What bars a step whatever the plan: R19, R23, R30, R38 to R41, R47."""
    reasons: list[Reason] = []
    if edge.impassable:
        reasons.append(Reason("R19", Code.IMPASSABLE, (("hex", edge.to),)))
    if not (edge.enemy or edge.ban(known) or router.full(edge.to)):
        return reasons
    if edge.enemy:
        reasons.append(Reason("R23", Code.ENEMY_HEX, (("hex", edge.to),)))
    barring = edge.ban(known)
    seen_now = router.seen(at, ~barring)
    before, after = router.ranges(at), router.ranges(edge.to)
    for n, enemy in router.members(barring):
        if after[n] < before[n]:
            in_sight = bool(seen_now >> n & 1)
            facts = (("enemy", enemy.id), ("from", before[n]), ("to", after[n]))
            reasons.append(
                Reason("R38", Code.CLOSER, facts)
                if in_sight
                else Reason("R39", Code.CLOSER_REMEMBERED, facts)
            )
        else:
            reasons.append(Reason("R40", Code.ADJACENT_TO_ADJACENT, (("enemy", enemy.id),)))
    if router.full(edge.to) and not router.passable(edge, 0) and not edge.enemy:
        reasons.append(no_room(router, edge.to))
    return reasons


def no_room(router: Router, to: Hex) -> Reason:
    """Why a unit may not enter a full hex: building and woods must be ignored (R30, R47)."""
    facts = (("hex", to),)
    if router.shelter(to):
        return Reason("R30", Code.FULL_HEX, facts)
    return Reason("R47", Code.STACKING, facts)


def verify_step(router: Router, before: Knowledge, to: Hex) -> StepVerdict:
    """Judge one step of a rout that is not a Low Crawl.

    In the order of the rule book: the hex itself (R23, R25), enemies (R38 to R41), stacking (R47),
    MF (R16, R17, R19), the duty to stop (R46), the destination (R27, R33).

    Args:
        router: the unit.
        before: its situation.
        to: the hex it wants to enter.

    Returns:
        The verdict; for a legal step what can follow, discoveries and re-targeting included.
    """
    edge = router.edge(before.at, to)
    if edge is None:
        facts = (("from", before.at), ("to", to))
        return StepVerdict((Reason("R22", Code.NOT_ADJACENT_HEX, facts),))
    return _judge(router, before, edge, bans(router, before.at, edge, before.known))


def _judge(router: Router, before: Knowledge, edge: Edge, reasons: list[Reason]) -> StepVerdict:
    """Judge a step of which it is known what bars it whatever the plan."""
    to = edge.to
    payable = [cost for cost in edge.costs if cost.mf2 <= before.mf2]
    if not payable and not edge.impassable:
        reasons.append(_too_few(router, edge, before.mf2))
    plan = before.plan
    if plan.kind is PlanKind.SHELTERED and not router.shelter(to):
        reasons.append(Reason("R46", Code.MUST_STOP, (("hex", before.at),)))
    if plan.kind is PlanKind.TARGET and plan.target != to and payable and not reasons:
        payable = [
            cost
            for cost in payable
            if _leads_on(router, plan, before.known, to, before.mf2 - cost.mf2)
        ]
        if not payable:
            reasons.append(Reason("R27", Code.AWAY_FROM_TARGETS, (("hex", to),)))
    if reasons:
        return StepVerdict(tuple(reasons))
    arrivals = [_arrive(router, before, to, cost) for cost in payable]
    return StepVerdict((), tuple(chain.from_iterable(arrivals)))


def legal_moves(router: Router, before: Knowledge) -> tuple[Move, ...]:
    """Everything that can follow in a situation: the moves of all legal steps, kept.

    Steps that are barred whatever the plan are passed over without asking for the reasons.
    """
    key = ("moves", router.unit.hex, before, router.readings.r46_ignored_stops)
    return router.kept.ask(router, key, lambda: _legal_moves(router, before))


def _legal_moves(router: Router, before: Knowledge) -> tuple[Move, ...]:
    found: list[Move] = []
    for edge in router.edges(before.at):
        if edge.costs[0].mf2 <= before.mf2 and router.passable(edge, before.known):
            found += _judge(router, before, edge, []).moves
    return tuple(found)


def _too_few(router: Router, edge: Edge, left: int) -> Reason:
    facts = (("hex", edge.to), ("cost", edge.costs[0].mf2 / 2), ("left", left / 2))
    wounded = router.allowance2 < ALLOWANCE_MF2
    return Reason("R17" if wounded else "R16", Code.TOO_FEW_MF, facts)


def _leads_on(router: Router, plan: Plan, known: int, at: Hex, left: int) -> bool:
    """Whether a unit that has just entered a hex can still reach the plan's target."""
    assert plan.target is not None  # noqa: S101  (only asked for TARGET plans)
    costs = router.costs_to(plan.target, known, plan.bound)
    return costs.entered(router, at, left) is not None


def _arrive(router: Router, before: Knowledge, to: Hex, cost: Cost) -> tuple[Move, ...]:
    """What can follow on entering a hex: discovery (R39, R50), arrival (R46), new plan (R49)."""
    left = before.mf2 - cost.mf2
    known = before.known | router.seen(to, before.known)
    events = _discoveries(router, to, known & ~before.known)
    plans: list[tuple[Plan, tuple[Reason, ...]]] = []
    plan = before.plan
    danger = bool(router.danger(to, known))
    reached = plan.kind is PlanKind.SHELTERED or to == plan.target
    # A nearest non-ignorable hex ends the rout wherever the unit was bound for (R46) ...
    reached = reached or (not router.near(to) & known and _stops_in(router, plan, to))
    if plan.kind is PlanKind.FREE and not reached:
        plans.append((plan, events))
    elif reached and danger:
        plans += _retarget(router, to, left, known, events)
    elif reached:
        plans.append((Plan(PlanKind.SHELTERED), events))
        if router.near(to) & known:
            # ... except next to an enemy: beside a broken one it may stop or go on (R35).
            new_plans = _new_plans(router, to, left, known, exclude=frozenset((to,)))
            plans += [(new, events) for new in new_plans]
    elif known == before.known or _leads_on(router, plan, known, to, left):
        # (what is Known as before was asked when the step was judged)
        plans.append((plan, events))
        if events and _route_may_break(router, plan, before.known, known, to, left):
            plans += _retarget(router, to, left, known, events)
    else:
        plans += _retarget(router, to, left, known, events)
    return tuple(Move(cost, Knowledge(to, left, known, p), why) for p, why in plans)


def _retarget(
    router: Router, at: Hex, left: int, known: int, events: tuple[Reason, ...]
) -> list[tuple[Plan, tuple[Reason, ...]]]:
    """R49: every plan the owner may fix anew, with what led to it."""
    events = (*events, Reason("R49", Code.RETARGET, (("hex", at),)))
    return [(plan, events) for plan in _new_plans(router, at, left, known)]


def _discoveries(router: Router, at: Hex, new: int) -> tuple[Reason, ...]:
    """R39: enemies (bits) that become Known on entering a hex."""
    if not new:
        return ()
    return tuple(
        Reason("R39", Code.DISCOVERS, (("enemy", enemy.id), ("hex", at)))
        for _, enemy in router.members(new)
    )


def _stops_in(router: Router, plan: Plan, at: Hex) -> bool:
    """R46: whether a hex not next to an enemy ends the rout; of ignored ones that is disputed."""
    if at in plan.bound:
        return True
    if not router.shelter(at):
        return False
    router.touched.add("r46_ignored_stops")
    return router.readings.r46_ignored_stops


def _new_plans(
    router: Router, at: Hex, left: int, known: int, exclude: frozenset[Hex] = frozenset()
) -> tuple[Plan, ...]:
    return destinations(router, at, left, known, exclude=exclude).plans(at)


def _route_may_break(
    router: Router, plan: Plan, known: int, now_known: int, at: Hex, left: int
) -> bool:
    """R49 (b): whether a route that was legal before the discovery has become illegal.

    Only under the reading `r49_route`; otherwise it just notes that the reading matters.
    """
    key = ("breaks", plan, known, now_known, at, left, router.readings.r46_ignored_stops)
    breaks = router.kept.ask(
        router, key, lambda: _some_route_breaks(router, plan, known, now_known, at, left)
    )
    if breaks:
        router.touched.add("r49_route")
    return breaks and router.readings.r49_route


def _some_route_breaks(
    router: Router, plan: Plan, known: int, now_known: int, at: Hex, left: int
) -> bool:
    """Walk the steps of all routes that lead to the target; is one of them barred by now?"""
    assert plan.target is not None  # noqa: S101  (only asked for TARGET plans)
    costs = router.costs_to(plan.target, known, plan.bound)
    start = (at, costs.ends(router, at))
    best = {start: 0}
    queue = [(0, *start)]
    while queue:
        used, here, held = heapq.heappop(queue)
        if here == plan.target or used > best[(here, held)]:
            continue
        for edge in router.edges(here):
            total = used + edge.costs[0].mf2
            if total > left or not router.passable(edge, known):
                continue
            if costs.entered(router, edge.to, left - total, held=held) is None:
                continue
            if held and not router.shelter(edge.to):
                continue
            if edge.ban(now_known):
                return True
            after = (edge.to, held or costs.ends(router, edge.to))
            if total < best.get(after, total + 1):
                best[after] = total
                heapq.heappush(queue, (total, *after))
    return False


def verify_end(router: Router, state: Knowledge) -> tuple[Reason, ...]:
    """Why a unit that has moved may not end its rout here (R8, R27, R73); empty if it may."""
    reasons = ends_in_danger(router, state.at, state.known)
    if router.full(state.at):  # possible only where passing through a full hex is allowed
        reasons.append(Reason("R47", Code.STACKING, (("hex", state.at),)))
    if state.plan.kind is PlanKind.TARGET:
        reasons.append(Reason("R27", Code.NOT_A_DESTINATION, (("hex", state.at),)))
    return tuple(reasons)


def ends_in_danger(router: Router, at: Hex, known: int) -> list[Reason]:
    """Known unbroken enemies in the hex or adjacent to it (R8, R55, R73)."""
    reasons = []
    ranges = router.ranges(at)
    for n, enemy in router.members(router.danger(at, known)):
        facts = (("enemy", enemy.id), ("hex", at))
        code = Code.ENDS_IN_ENEMY_HEX if ranges[n] == 0 else Code.ENDS_ADJACENT
        reasons.append(Reason("R8", code, facts))
    return reasons


def verify_crawl(router: Router, to: Hex) -> StepVerdict:
    """Judge a Low Crawl into a hex as a complete rout (R52 to R55).

    Cost does not matter (R52), everything else does: the bans, stacking, the destination (R45), and
    that it may not end next to a Known unbroken enemy, one it discovers there included.
    """
    key = ("crawl", router.unit.hex, router.allowance2, to)
    return router.kept.ask(router, key, lambda: _verify_crawl(router, to))


def _verify_crawl(router: Router, to: Hex) -> StepVerdict:
    at = router.unit.hex
    known = router.seen(at)
    edge = router.edge(at, to)
    if edge is None:
        return StepVerdict((Reason("R52", Code.CRAWL_ONE_HEX),))
    reasons = bans(router, at, edge, known)
    if router.full(to) and no_room(router, to) not in reasons:
        reasons.append(no_room(router, to))
    ranges = router.ranges(at)
    for n, enemy in enumerate(router.enemies):
        if ranges[n] == 0:
            router.touched.add("r54_allowed")
            if not router.readings.r54_allowed:
                reasons.append(Reason("R54", Code.CRAWL_FROM_ENEMY_HEX, (("enemy", enemy.id),)))
                break
    found = destinations(router, at, router.allowance2, known)
    if not found.free and not any(
        _approaches(router, at, to, target.hex, known) for target in found.targets
    ):
        reasons.append(Reason("R45", Code.CRAWL_NO_NEARER, (("hex", to),)))
    after = known | router.seen(to, known)
    if not reasons:
        reasons += [
            Reason("R55", reason.code, reason.facts) for reason in ends_in_danger(router, to, after)
        ]
    if reasons:
        return StepVerdict(tuple(reasons))
    events = _discoveries(router, to, after & ~known)
    ended = Knowledge(to, 0, after, Plan(PlanKind.SHELTERED))
    return StepVerdict((), (Move(Cost(router.allowance2, by_road=False), ended, events),))


def _approaches(router: Router, at: Hex, to: Hex, target: Hex, known: int) -> bool:
    """Whether a crawl brings the unit nearer to a destination (R45): in MF or in hexes."""
    now = router.reach(at, router.allowance2, known)[target]
    by_mf = target in router.reach(to, now - 1, known)
    distance = router.ground.distance
    by_hex = distance(to, target) < distance(at, target)
    if by_mf != by_hex:
        router.touched.update(("r45_mf_only", "r45_hex_only"))
    if router.readings.r45_mf_only:
        return by_mf
    if router.readings.r45_hex_only:
        return by_hex
    return by_mf or by_hex
