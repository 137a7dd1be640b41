"""Who must, may and cannot rout, and who gets DM (R1 to R11, R73)."""

from __future__ import annotations

from dataclasses import dataclass

from vassal_bridge.rout.interdiction import can_interdict, normal_range
from vassal_bridge.rout.result import Duty
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import Code, Fact, Reason
from vassal_bridge.rout.step import start_of_rout, verify_crawl, verify_step


@dataclass(frozen=True, slots=True)
class Obligation:
    """The duty of one unit.

    Attributes:
        duty: none, may, must or eliminated.
        becomes_dm: it gets DM at the start of the phase (R5, R6).
        reasons: most important first.
        adjacent: R8 applies.
        exposed: R9 applies.
        uncertain: facts that are missing and would decide R9.
    """

    duty: Duty
    becomes_dm: bool
    reasons: tuple[Reason, ...]
    adjacent: bool = False
    exposed: bool = False
    uncertain: tuple[Reason, ...] = ()


def adjacency_reasons(router: Router) -> list[Reason]:
    """R8: Known unbroken enemies in the hex or adjacent to it."""
    at = router.unit.hex
    known = router.seen(at)
    return [
        Reason("R8", Code.ADJACENT_ENEMY, (("enemy", enemy.id), ("hex", at)))
        for _, enemy in router.members(router.danger(at, known))
    ]


def open_ground_reasons(router: Router) -> tuple[list[Reason], list[Reason]]:
    """R9: Known enemies that could interdict a unit routing through the starting hex.

    Returns:
        The certain ones, and those for which a fact is missing.
    """
    at = router.unit.hex
    sure, maybe = [], []
    for n, enemy in router.members(router.seen(at)):
        able = can_interdict(router.position, enemy, at, None)
        if able is False:
            continue
        reach = normal_range(router.position, enemy)
        facts = (
            ("enemy", enemy.id),
            ("range", router.ranges(at)[n]),
            ("normal_range", reach),
            ("hex", at),
        )
        if able:
            sure.append(Reason("R9", Code.OPEN_GROUND, facts))
        else:
            maybe.append(Reason("R9", Code.POSSIBLE_INTERDICTOR, facts))
    return sure, maybe


def obligation(router: Router) -> Obligation:
    """The duty of the router's unit at the start of the RtPh (R1 to R11).

    Steps of the rule book: can it rout at all (R1, R3), must it (R8, R9), may it (R2, R4, R5), and
    if it must, is there a hex it can enter (R73)? Surrender and capture are no way out (R12, R75).
    """
    unit = router.unit
    if not unit.broken or not unit.is_infantry:
        code = Code.NOT_BROKEN if unit.is_infantry else Code.NOT_INFANTRY
        return Obligation(Duty.NONE, becomes_dm=False, reasons=(Reason("R1", code),))
    if router.position.in_melee(unit):
        return Obligation(Duty.NONE, becomes_dm=False, reasons=(Reason("R3", Code.IN_MELEE),))
    near = adjacency_reasons(router)
    exposed, maybe = open_ground_reasons(router)
    triggers = tuple(near + exposed)
    if triggers:
        extra = () if unit.dm else (Reason("R6", Code.AUTOMATIC_DM),)
        blocked = not can_leave(router)
        last = (Reason("R73", Code.NO_LEGAL_STEP),) if blocked else ()
        return Obligation(
            Duty.ELIMINATED if blocked else Duty.MUST,
            becomes_dm=not unit.dm,
            reasons=triggers + extra + last,
            adjacent=bool(near),
            exposed=bool(exposed),
            uncertain=() if near or exposed else tuple(maybe),
        )
    beside = _enemy_beside(router)
    if not unit.dm and beside is None:
        return Obligation(
            Duty.NONE,
            becomes_dm=False,
            reasons=(Reason("R2", Code.NO_DM),),
            uncertain=tuple(maybe),
        )
    literal = router.readings.r4_literal
    because = [
        Reason("R4", Code.MUST_LEAVE, (("hex", unit.hex),), reading="r4_literal")
        if literal
        else Reason("R4", Code.MAY_STAY, _possible(maybe))
    ]
    if not unit.dm and beside is not None:
        because.insert(0, beside)
    if unit.dm and dm_comes_off(router) and not router.seen(unit.hex):
        because.append(Reason("R7", Code.DM_COMES_OFF, (("hex", unit.hex),)))
    duty = Duty.MUST if literal else Duty.MAY
    return Obligation(duty, becomes_dm=not unit.dm, reasons=tuple(because), uncertain=tuple(maybe))


def _possible(maybe: list[Reason]) -> tuple[tuple[str, Fact], ...]:
    """Who perhaps could interdict the unit where it is, as a fact; nothing if nobody could."""
    ids = tuple(str(reason.fact("enemy")) for reason in maybe)
    return (("possible", ids),) if ids else ()


def dm_comes_off(router: Router) -> bool:
    """R7: whether DM comes off the unit at the end of a Rally Phase, wanted or not.

    It stays on next to a Known enemy, broken ones included, and the owner may keep it outside woods
    and buildings. A unit that sees nobody and still shows DM may have kept it wrongly.
    """
    return router.shelter(router.unit.hex) and _enemy_beside(router) is None


def _enemy_beside(router: Router) -> Reason | None:
    """R5: a broken unit next to a Known enemy unit, broken ones included, is under DM."""
    at = router.unit.hex
    for _, enemy in router.members(router.near(at) & router.seen(at)):
        return Reason("R5", Code.DM_BROKEN_NEIGHBOUR, (("enemy", enemy.id),))
    return None


def can_leave(router: Router) -> bool:
    """R73 (a): whether any first step or Low Crawl is legal with what is Known before moving."""
    starts = start_of_rout(router)
    for edge in router.edges(router.unit.hex):
        if any(verify_step(router, state, edge.to).legal for state in starts):
            return True
        if verify_crawl(router, edge.to).legal:
            return True
    return False
