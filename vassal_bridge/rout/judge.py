"""The verdict on a path as a complete rout: what rulings and the audit ask (R84 to R86)."""

from __future__ import annotations

from dataclasses import dataclass

from vassal_bridge.rout.duty import Obligation, obligation
from vassal_bridge.rout.hidden import enters_hidden_gun, with_crew, without_way_back
from vassal_bridge.rout.position import Hex, Position, Unit
from vassal_bridge.rout.result import Duty, Interdiction, PathJudgement, PathVerdict
from vassal_bridge.rout.route import Interdicting, leaves_start
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import UNNAMED, Code, Reason
from vassal_bridge.rout.step import (
    Knowledge,
    Move,
    start_of_rout,
    verify_crawl,
    verify_end,
    verify_step,
)

DISPUTING = ("r28_terrain", "r49_current")
"""Readings under which an illegal path becomes `disputed` (rulings/README.md)."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A path judged under one set of readings."""

    reasons: tuple[Reason, ...]
    last_legal: Hex
    moves: tuple[Move, ...]
    touched: frozenset[str]


def judge_path(
    position: Position,
    unit: str,
    path: tuple[Hex, ...],
    *,
    low_crawl: bool = False,
    companion: str | None = None,
    hidden_guns: frozenset[Hex] = frozenset(),
) -> PathJudgement:
    """Judge a sequence of hexes as a complete rout that ends in the last one.

    Args:
        position: before the rout.
        unit: id of the unit that routs.
        path: hexes entered, the starting hex left out; none for a unit that stays.
        low_crawl: whether Low Crawl was declared.
        companion: id of an unbroken leader going along (R71).
        hidden_guns: hexes in which, as a log shows, a hidden Gun was found on entering (R48).

    Returns:
        Legal, illegal, or disputed (legal under one listed other reading only), with every reason
        at the first step that is barred, the interdictions on the way, and the readings that would
        change the verdict.

    Raises:
        KeyError: no such unit.
    """
    router = Router(
        position,
        position.by_id[unit],
        companion=_companion(position, companion),
    )
    path = without_way_back(path, hidden_guns)
    default = _run(router, path, hidden_guns, low_crawl=low_crawl)
    other, other_rules = [], []
    for reading in sorted(default.touched - UNNAMED):
        readings = router.readings.with_reading(reading)
        again = _run(router.with_readings(readings), path, hidden_guns, low_crawl=low_crawl)
        if bool(again.reasons) != bool(default.reasons):
            other.append(reading)
        elif _rules(again) != _rules(default):
            other_rules.append(reading)
    if not default.reasons:
        verdict = PathVerdict.LEGAL
    elif set(other) & set(DISPUTING):
        verdict = PathVerdict.DISPUTED
    else:
        verdict = PathVerdict.ILLEGAL
    return PathJudgement(
        verdict,
        default.reasons,
        () if low_crawl else interdictions_of(router, default.moves),
        default.last_legal,
        tuple(other),
        tuple(event for move in default.moves for event in move.events),
        tuple(other_rules),
    )


def _rules(outcome: _Outcome) -> frozenset[str]:
    return frozenset(reason.rule for reason in outcome.reasons)


def _companion(position: Position, companion: str | None) -> Unit | None:
    return position.by_id[companion] if companion is not None else None


def interdictions_of(router: Router, moves: tuple[Move, ...]) -> tuple[Interdiction, ...]:
    """Interdictions along moves that were judged legal, in order (R56)."""
    interdicting = Interdicting(router)
    found = []
    at = router.unit.hex
    for move in moves:
        thrown_back = move.after.at == at  # out of the hex of a hidden Gun (R48)
        met = None if thrown_back else interdicting.on(at, move)
        if met is not None:
            found.append(met)
        at = move.after.at
    return tuple(found)


def _run(
    router: Router, path: tuple[Hex, ...], guns: frozenset[Hex], *, low_crawl: bool
) -> _Outcome:
    duty = obligation(router)
    start = router.unit.hex
    if not path and not low_crawl:
        return _outcome(router, _may_not_stay(duty, start), start, ())
    if duty.duty is Duty.NONE:
        return _outcome(router, duty.reasons[:1], start, ())
    if low_crawl:
        return _run_crawl(router, path)
    states: list[tuple[Knowledge, tuple[Move, ...]]] = [(s, ()) for s in start_of_rout(router)]
    at = start
    for to in path:
        found_out = with_crew(router, to) if to in guns else None
        following, reasons = _follow(router, states, to, found_out)
        router = found_out or router
        if not following:
            return _outcome(router, reasons, at, states[0][1] if states else ())
        states, at = following, following[0][0].at
    found: list[Reason] = []
    for state, moves in states:
        barred = [*verify_end(router, state), *leaves_start(router, duty, at)]
        if not barred:
            return _outcome(router, (), at, moves)
        found += [reason for reason in barred if reason not in found]
    return _outcome(router, tuple(found), at, states[0][1])


def _may_not_stay(duty: Obligation, start: Hex) -> tuple[Reason, ...]:
    """R74: a unit that can rout and must does not choose death; R73: it dies where it stays."""
    if duty.duty in (Duty.NONE, Duty.MAY):
        return ()
    rule = "R74" if duty.duty is Duty.MUST else "R73"
    return (Reason(rule, Code.MUST_LEAVE, (("hex", start),)), *duty.reasons)


def _follow(
    router: Router,
    states: list[tuple[Knowledge, tuple[Move, ...]]],
    to: Hex,
    found_out: Router | None,
) -> tuple[list[tuple[Knowledge, tuple[Move, ...]]], tuple[Reason, ...]]:
    """All situations after one more hex; with none left, every reason that barred it.

    `found_out` faces the crew of a hidden Gun that is found in the hex, if there is one (R48).
    """
    following: dict[Knowledge, tuple[Move, ...]] = {}
    reasons: list[Reason] = []
    for state, moves in states:
        verdict = verify_step(router, state, to)
        reasons += [reason for reason in verdict.reasons if reason not in reasons]
        ahead = list(verdict.moves)
        if found_out is not None:
            met = [enters_hidden_gun(found_out, state, move) for move in verdict.moves]
            reasons += [why for each in met for why in each.reasons if why not in reasons]
            ahead = [move for each in met for move in each.moves]
        for move in ahead:
            following.setdefault(move.after, (*moves, move))
    return list(following.items()), tuple(reasons)


def _run_crawl(router: Router, path: tuple[Hex, ...]) -> _Outcome:
    start = router.unit.hex
    if len(path) != 1:
        return _outcome(router, (Reason("R52", Code.CRAWL_ONE_HEX),), start, ())
    verdict = verify_crawl(router, path[0])
    last = path[0] if verdict.legal else start
    return _outcome(router, verdict.reasons, last, verdict.moves)


def _outcome(
    router: Router, reasons: tuple[Reason, ...], last: Hex, moves: tuple[Move, ...]
) -> _Outcome:
    return _Outcome(reasons, last, moves, frozenset(router.touched))
