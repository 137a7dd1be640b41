"""Why a rout cannot end in a hex: for every hex in reach that is no end (issue: explanation).

The answers come from the same bans and destinations the judge uses, with what is Known before the
first step; nothing here decides anything.
"""

from __future__ import annotations

from vassal_bridge.rout.duty import obligation
from vassal_bridge.rout.position import Hex, Position
from vassal_bridge.rout.result import Duty
from vassal_bridge.rout.route import best_ways
from vassal_bridge.rout.router import ALLOWANCE_MF2, Router
from vassal_bridge.rout.rulebook import Code, Reason
from vassal_bridge.rout.step import bans, ends_in_danger


def why_not(position: Position, unit: str) -> dict[Hex, Reason]:
    """The plainest reason for each hex within the unit's MF in which no legal rout ends.

    Args:
        position: before the rout phase.
        unit: id of a broken unit.

    Returns:
        Hex to reason; empty for a unit that does not rout.

    Raises:
        KeyError: no such unit.
    """
    router = Router(position, position.by_id[unit])
    duty = obligation(router)
    if duty.duty is Duty.NONE:
        return {}
    at, known = router.unit.hex, router.seen(router.unit.hex)
    ends = best_ways(router, duty)
    legal = router.reach(at, router.allowance2, known)
    near = dict(router.reach(at, router.allowance2, known, bans=False))
    near.update({edge.to: 0 for hex_ in legal for edge in router.edges(hex_)})
    return {
        hex_: _reason(router, hex_, known, legal)
        for hex_ in sorted(near)
        if hex_ != at and hex_ not in ends
    }


def _reason(router: Router, hex_: Hex, known: int, legal: dict[Hex, int]) -> Reason:
    if hex_ in legal:
        # only who is there or next to it can be a danger, and is seen without a look at the LOS
        then = known | router.seen(hex_, ~router.near(hex_))
        danger = ends_in_danger(router, hex_, then)
        return danger[0] if danger else Reason("R27", Code.NOT_A_DESTINATION, (("hex", hex_),))
    ways = [
        (legal[before], before, edge) for before, edge in router.ways_in(hex_) if before in legal
    ]
    if not ways:
        return Reason("R27", Code.AWAY_FROM_TARGETS, (("hex", hex_),))
    used, before, edge = min(ways, key=lambda way: (way[0], way[1]))
    found = bans(router, before, edge, known)
    if found:
        return found[0]
    left = (router.allowance2 - used) / 2
    facts = (("hex", hex_), ("cost", edge.costs[0].mf2 / 2), ("left", left))
    wounded = router.allowance2 < ALLOWANCE_MF2
    return Reason("R17" if wounded else "R16", Code.TOO_FEW_MF, facts)
