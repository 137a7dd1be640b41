"""Entering the hex of a hidden (HIP) Gun, found only by entering (R48).

Hidden units are in no position. What happened to a rout that ran into one is known only afterwards,
from a log; `judge_path` is then told the hexes.
"""

from __future__ import annotations

from dataclasses import replace

from vassal_bridge.rout.position import Hex, Kind, Unit
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import Code, Edition, Reason
from vassal_bridge.rout.step import Knowledge, Move, StepVerdict
from vassal_bridge.rout.target import destinations


def with_crew(router: Router, at: Hex) -> Router:
    """The same unit once a hidden Gun and its crew, hidden with it, stand on the map (R48).

    The crew is a Known unbroken enemy from there on: R8 and R38 to R40 hold against it. It comes
    last among the enemies, so that what was Known before keeps its bits.
    """
    position = router.position
    crew = Unit(at, "", at, Kind.CREW, "crew")
    found = Router(
        replace(position, units=(*position.units, crew)),
        router.unit,
        companion=router.companion,
        readings=router.readings,
    )
    found.touched = router.touched  # what was looked at before still counts
    return found


def enters_hidden_gun(router: Router, before: Knowledge, entered: Move) -> StepVerdict:
    """What follows when a step that was judged legal ends in the hex of a hidden Gun (R48).

    Args:
        router: the unit, `with_crew` of the Gun.
        before: its situation before the step.
        entered: the step.

    Returns:
        By the fourth rule book the unit is eliminated for failure to rout: a reason. By the earlier
        ones the Gun is placed and the unit is back in the hex it came from, its MF gone, with a new
        plan; Low Crawl is no longer possible.
    """
    hex_ = entered.after.at
    facts = (("hex", hex_), ("back", before.at))
    if router.position.rules.edition.at_least(Edition.SK4):
        return StepVerdict((Reason("R48", Code.GUN_FOUND_DIES, facts[:1]),))
    left = before.mf2 - entered.cost.mf2
    known = entered.after.known | router.seen(before.at)
    event = Reason("R48", Code.GUN_FOUND, facts)
    found = destinations(router, before.at, left, known)
    return StepVerdict(
        (),
        tuple(
            Move(entered.cost, Knowledge(before.at, left, known, plan), (*entered.events, event))
            for plan in found.plans(before.at)
        ),
    )


def without_way_back(path: tuple[Hex, ...], guns: frozenset[Hex]) -> tuple[Hex, ...]:
    """A recorded path without the steps back out of hexes with hidden Guns; they cost nothing.

    >>> without_way_back(("zB2", "zB3", "zB2", "zC3"), frozenset({"zB3"}))
    ('zB2', 'zB3', 'zC3')
    """
    kept: list[Hex] = []
    for hex_ in path:
        if len(kept) > 1 and kept[-1] in guns and hex_ == kept[-2]:
            continue
        kept.append(hex_)
    return tuple(kept)
