"""Who moves with a routing unit: unbroken leaders (R71), other broken units (R14, R15)."""

from __future__ import annotations

from dataclasses import dataclass

from vassal_bridge.audit.result import AuditCode, Finding, Why
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import Edition, Kind, Position, Unit
from vassal_bridge.rout.odds import leadership_of


@dataclass(frozen=True, slots=True)
class Company:
    """The company of a rout.

    Attributes:
        leader: the unbroken leader that goes along all the way, for allowance and checks.
        illegal: what is wrong with the company.
        support: that it is right.
        disputed: what is wrong is so under the usual reading of R15 only.
    """

    leader: Unit | None = None
    illegal: tuple[Why, ...] = ()
    support: tuple[Why, ...] = ()
    disputed: bool = False


def company_of(track: Track, unit: Unit, position: Position) -> Company:
    """Leaders and broken units that moved with a routing unit."""
    by_piece = {other.piece: other for other in position.units if other.piece is not None}
    illegal: list[Why] = []
    support: list[Why] = []
    leader: Unit | None = None
    for piece, moves in track.leaders.items():
        one = by_piece.get(piece)
        if one is None:
            continue
        name = (("leader", one.id),)
        way = tuple(move.to for move in moves)
        whole = (*(move.to for move in track.prefix), *track.path)
        if moves[0].start != track.start or not _same_way(way, whole, track):
            where = moves[-1].to if moves[0].start == track.start else moves[0].start
            illegal.append(Finding("R71", AuditCode.LEADER_PARTS, (*name, ("hex", where))))
            continue
        if one.pinned and position.rules.edition is not Edition.SK1:
            illegal.append(Finding("R71", AuditCode.LEADER_PINNED, name))
            continue
        support.append(Finding("R71", AuditCode.LEADER_ALONG, name))
        if leader is None or leadership_of(one) < leadership_of(leader):
            leader = one
    others = [by_piece[piece] for piece in track.together if piece in by_piece]
    together, disputed = _together(track, unit, others)
    return Company(leader, (*illegal, *together), tuple(support), disputed and not illegal)


def _same_way(way: tuple[str, ...], whole: tuple[str, ...], track: Track) -> bool:
    """The same hexes; a leader lost with a failed check may have fewer of them."""
    if way == whole or (way and way[-1] == whole[-1]):
        return True
    lost = any(event.code in ("reduced", "wounded", "removed") for event in track.events)
    return lost and whole[: len(way)] == way


def _together(track: Track, unit: Unit, others: list[Unit]) -> tuple[list[Why], bool]:
    """R14: MMC rout one at a time; R15: whether a broken SMC may rout with one is disputed."""
    if not others or track.undone_by is not None:
        return [], False
    step = track.first
    if unit.is_mmc and any(other.is_mmc for other in others):
        facts = (("count", 1 + len(others)), ("step", step))
        return [Finding("R14", AuditCode.AS_STACK, facts)], False
    if unit.kind is Kind.LEADER and not any(other.is_mmc for other in others):
        return [], False
    return [Finding("R15", AuditCode.WITH_SMC, (("step", step),))], True
