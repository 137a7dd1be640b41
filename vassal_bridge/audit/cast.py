"""What belongs to a finding beside its verdict: the units it names, what would have been legal."""

from __future__ import annotations

from collections.abc import Sequence

from vassal_bridge.audit.result import (
    AuditCode,
    AuditedRout,
    Check,
    Finding,
    Recorded,
    Verdict,
    Why,
)
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import Duty, Hex, Position, Unit
from vassal_bridge.rout.duty import obligation
from vassal_bridge.rout.route import best_ways
from vassal_bridge.rout.router import Router


def legal_ends(router: Router) -> tuple[Hex, ...]:
    """Where a rout could have ended, best first (contracts.md 5)."""
    duty = obligation(router)
    if duty.duty in (Duty.NONE, Duty.ELIMINATED):
        return (router.unit.hex,) if duty.duty is Duty.NONE else ()
    ways = best_ways(router, duty)
    ranked = sorted(ways.items(), key=lambda item: min(way.label for way in item[1].values()))
    return tuple(hex_ for hex_, _ in ranked)


def cast_of(
    position: Position, unit: Unit, reasons: Sequence[Why], checks: Sequence[Check]
) -> tuple[Unit, ...]:
    """The unit itself and every unit that reasons and checks name, as they stand."""
    ids: dict[str, None] = {unit.id: None}
    for why in reasons:
        for name, value in why.facts:
            if name in ("enemy", "enemies", "unit", "leader"):
                ids |= dict.fromkeys(value if isinstance(value, tuple) else (str(value),))
    for check in checks:
        ids |= dict.fromkeys((*check.by, *check.maybe))
    by_id = position.by_id
    return tuple(by_id[id_] for id_ in ids if id_ in by_id)


def unbroken_move(track: Track, unit: Unit) -> AuditedRout:
    """An unbroken unit that moved in the RtPh by itself: never legal (R72)."""
    facts = (("hex", track.start), ("to", track.to))
    return AuditedRout(
        piece=track.piece,
        unit=unit.id,
        name=unit.name,
        side=unit.side,
        start=track.start,
        to=track.to,
        path=track.path,
        moves=tuple(move.step for move in track.moves),
        steps=(track.first, track.last),
        how=Recorded.STEPS,
        verdict=Verdict.ILLEGAL,
        reasons=(Finding("R72", AuditCode.UNBROKEN_MOVED, facts),),
        last_legal=track.start,
        low_crawl=False,
        cast=(unit,),
    )
