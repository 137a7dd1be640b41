"""Failures to rout: who had to and did not, who was taken off, who still stands there (R73).

Also what is no verdict but worth a note: DM markers that should have been there at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vassal_bridge.audit.result import (
    AuditCode,
    AuditedRout,
    AuditNote,
    Cut,
    Failure,
    Finding,
    Verdict,
    Why,
)
from vassal_bridge.audit.tracks import Removal
from vassal_bridge.audit.words import printed
from vassal_bridge.rout import Code, Duty, Position, Reason, Unit
from vassal_bridge.rout.duty import Obligation, obligation
from vassal_bridge.rout.position import unclear_sight
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.step import ends_in_danger


@dataclass(frozen=True, slots=True)
class Bounds:
    """The board around a rout phase.

    Attributes:
        start: before its first step.
        end: after its last step.
        last_step: number of that step.
        late: enemies may have advanced before the log began.
        closed: sides whose routs are over for certain in this log; others may follow in the next.
        going_on: the log ends in the phase and nobody says that he has done.
        named: printed names of the hexes the chat of the phase speaks of.
        routed: pieces that have routed in this phase, in the log before.
        opens: some may have: the log opens in the phase and nothing begins it.
        seasons: makes the boards at the start and the end in other months, when the month is not
            given; asked only if a failure hangs on it.
    """

    start: Position
    end: Position
    last_step: int
    late: bool
    closed: frozenset[str]
    seasons: Callable[[], tuple[tuple[Position, Position], ...]] | None = None
    going_on: bool = False
    named: frozenset[str] = frozenset()
    routed: frozenset[str] = frozenset()
    opens: bool = False


@dataclass(slots=True)
class Failures:
    """What was found: failures, and notes on what stays open."""

    found: list[Failure] = field(default_factory=list)
    notes: list[AuditNote] = field(default_factory=list)


def removed(
    removals: Sequence[Removal], before: Callable[[int], Position], *, late: bool
) -> Failures:
    """Judge units that were taken off without routing, on the board of that moment.

    Args:
        removals: from the recording.
        before: the position before a log step.
        late: enemies may have advanced before the log began.
    """
    result = Failures()
    for removal in removals:
        position = before(removal.step)
        unit = _by_piece(position).get(removal.piece)
        if unit is None or not unit.broken:
            continue
        duty = obligation(Router(position, unit))
        facts = (("hex", removal.hex),)
        if duty.duty is Duty.ELIMINATED:
            why: Why = Finding("R73", AuditCode.FAILED_NO_STEP, facts)
            rule = "R73a"
        elif duty.duty is Duty.MUST:
            why, rule = Finding("R74", AuditCode.FAILED_BY_CHOICE, facts), "R74"
        else:
            text = f"{unit.name} is taken off in {removal.hex} without having to rout."
            steps, names = removal.steps, {"name": unit.name}
            result.notes.append(AuditNote("removed", steps, text, removal.hex, names))
            continue
        result.found.append(
            Failure(
                removal.piece,
                unit.name,
                unit.side,
                removal.hex,
                rule,
                removed=True,
                reasons=(why, *duty.reasons),
                steps=removal.steps,
                at=removal.step,
                unproven=late or bool(duty.uncertain),
                cast=_cast(position, unit, duty.reasons),
            )
        )
    return result


def after_routs(
    routs: Sequence[AuditedRout],
    after: Callable[[int], Position],
    gone: Mapping[str, tuple[int, ...]],
    bounds: Bounds,
) -> Failures:
    """Routs that ended next to a Known unbroken enemy: pinned there, or on discovery (R66, R73b).

    Args:
        routs: of the phase, judged.
        after: the position after a log step.
        gone: steps in which a unit that had routed was taken off, by piece id.
        bounds: the phase.
    """
    result = Failures()
    for rout in routs:
        if rout.undone or rout.verdict is not Verdict.LEGAL or rout.cut is None:
            continue
        died = any(why.code is AuditCode.DIED_ON_DISCOVERY for why in rout.reasons)
        if rout.cut is Cut.ELIMINATED and not died:
            continue  # dead by the check, not for failure to rout
        position = after(rout.moves[-1])
        pieces = [piece for piece in (rout.continued_by, rout.piece) if piece is not None]
        unit = next((u for p in pieces if (u := _by_piece(position).get(p)) is not None), None)
        if unit is None:
            continue
        router = Router(position, unit)
        near = ends_in_danger(router, unit.hex, router.seen(unit.hex))
        if not near:
            continue
        enemy = near[0].fact("enemy") or ""
        facts = (("hex", unit.hex), ("enemy", enemy))
        steps = next((gone[piece] for piece in pieces if piece in gone), ())
        result.found.append(
            Failure(
                rout.piece,
                rout.name,
                rout.side,
                unit.hex,
                "R73b",
                removed=bool(steps),
                reasons=(Finding("R73", AuditCode.FAILED_ADJACENT, facts), *near),
                steps=steps,
                at=steps[-1] if steps else bounds.last_step,
                unproven=bounds.late,
                cast=_cast(position, unit, near),
            )
        )
    return result


def forgotten(
    routs: Sequence[AuditedRout],
    bounds: Bounds,
    later_removals: Mapping[str, int],
    later_routs: frozenset[str] = frozenset(),
) -> Failures:
    """Units that had to rout, did not, and still stand there at the end of the phase.

    A log that ends in the phase while a unit could still rout and nobody speaks of it: its side is
    taken to go on in the next log.

    Args:
        routs: of the phase, judged.
        bounds: the phase.
        later_removals: step in which a unit was taken off after the phase for failure to rout.
        later_routs: units that rout after all, when the advances had begun.
    """
    result = Failures()
    moved = set(later_routs) | {rout.piece for rout in routs if not rout.undone}
    moved |= {rout.continued_by for rout in routs if rout.continued_by and not rout.undone}
    stayed = list(_stayed(bounds, moved))
    waiting = {
        unit.side
        for unit, duty in stayed
        if bounds.going_on and duty.duty is Duty.MUST and printed(unit.hex) not in bounds.named
    }
    for unit, duty in stayed:
        in_turn = unit.side in waiting and printed(unit.hex) not in bounds.named
        closed = bounds.closed - {unit.side} if in_turn else bounds.closed
        _forgot(result, unit, duty, replace(bounds, closed=closed), later_removals)
    return result


def _stayed(bounds: Bounds, moved: Container[str | None]) -> Iterator[tuple[Unit, Obligation]]:
    """Units that had to rout and stand where they stood."""
    at_start = _by_piece(bounds.start)
    for unit in bounds.end.units:
        if not unit.broken or not unit.is_infantry or unit.piece in moved:
            continue
        duty = obligation(Router(bounds.end, unit))
        if duty.duty not in (Duty.MUST, Duty.ELIMINATED):
            continue
        before = at_start.get(unit.piece or "")
        if before is None or before.hex != unit.hex or not before.broken:
            continue
        # R9 is about the hex it started from: a unit that has routed may lie in the open (R10)
        if duty.adjacent or (unit.piece not in bounds.routed and _had_to(bounds.start, before)):
            yield unit, duty


def _had_to(position: Position, unit: Unit) -> bool:
    """R9 is judged at the start of the phase."""
    return obligation(Router(position, unit)).duty in (Duty.MUST, Duty.ELIMINATED)


def _forgot(
    result: Failures,
    unit: Unit,
    duty: Obligation,
    bounds: Bounds,
    later_removals: Mapping[str, int],
) -> None:
    doubts = _doubts(bounds, unit, duty)
    facts = (("hex", unit.hex),)
    if duty.duty is Duty.ELIMINATED:
        why, rule = Finding("R73", AuditCode.FAILED_NO_STEP, facts), "R73a"
    else:
        why, rule = Finding("R73", AuditCode.FAILED_STAYED, facts), "R73"
    step = later_removals.get(unit.piece or "")
    if step is None and (doubts or unit.side not in bounds.closed):
        code = "may-have-failed" if doubts else "still-to-rout"
        later = "has to rout; that may follow in the next log"
        what = "may have failed to rout" if doubts else later
        text = f"{unit.name} in {unit.hex} {what}."
        names = {"name": unit.name, "side": unit.side}
        result.notes.append(AuditNote(code, (bounds.last_step,), text, unit.hex, names))
        return
    result.found.append(
        Failure(
            unit.piece or "",
            unit.name,
            unit.side,
            unit.hex,
            rule,
            removed=step is not None,
            reasons=(why, *duty.reasons),
            steps=() if step is None else (step,),
            at=bounds.last_step if step is None else step,
            cast=_cast(bounds.end, unit, duty.reasons),
        )
    )


def _doubts(bounds: Bounds, unit: Unit, duty: Obligation) -> bool:
    """Facts are missing that could excuse the unit."""
    ground = bounds.end.ground
    if bounds.late or unit.uncertain or duty.uncertain:
        return True
    if not duty.adjacent and (unit.pinned or (bounds.opens and not bounds.routed)):
        return True  # it may have routed to where it stands
    for start, end in () if bounds.seasons is None else bounds.seasons():
        then, now = start.by_id.get(_id_of(start, unit)), end.by_id.get(unit.id)
        if now is not None and obligation(Router(end, now)).duty is not duty.duty:
            return True
        if then is not None and not duty.adjacent and not _had_to(start, then):
            return True
    hexes = [unit.hex]
    for reason in duty.reasons:
        enemy = bounds.end.by_id.get(str(reason.fact("enemy")))
        if enemy is not None:
            hexes.append(enemy.hex)
            if enemy.uncertain or unclear_sight(ground, unit.hex, enemy.hex):
                return True
    return not all(ground.terrain(hex_).understood for hex_ in hexes)


def missing_dm(position: Position, step: int) -> tuple[AuditNote, ...]:
    """Units that get DM at the start of the phase by R5 or R6 and have no marker."""
    notes = []
    for unit in position.units:
        if not unit.broken or not unit.is_infantry or unit.dm:
            continue
        duty = obligation(Router(position, unit))
        if duty.becomes_dm:
            text = f"{unit.name} in {unit.hex} gets DM as the RtPh starts; there is no marker."
            names = {"name": unit.name}
            notes.append(AuditNote("dm-missing", (step,), text, unit.hex, names))
    return tuple(notes)


def _id_of(position: Position, unit: Unit) -> str:
    found = _by_piece(position).get(unit.piece or "")
    return "" if found is None else found.id


def _by_piece(position: Position) -> dict[str, Unit]:
    return {unit.piece: unit for unit in position.units if unit.piece is not None}


def _cast(position: Position, unit: Unit, reasons: Sequence[Reason]) -> tuple[Unit, ...]:
    ids = {unit.id: None}
    for reason in reasons:
        enemy = reason.fact("enemy")
        if enemy is not None:
            ids[str(enemy)] = None
    return tuple(position.by_id[id_] for id_ in ids if id_ in position.by_id)


__all__ = ["Bounds", "Code", "Failures", "after_routs", "forgotten", "missing_dm", "removed"]
