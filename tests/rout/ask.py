"""Questions to the rules on the open board, in hex names without their board."""

from __future__ import annotations

from vassal_bridge.rout import (
    Assessment,
    PathJudgement,
    Position,
    Reason,
    assess,
    judge_path,
)

BOARD = "open"


def short(name: str) -> str:
    """A hex or a unit id without its board."""
    return name.removeprefix(BOARD)


def at(name: str) -> str:
    """A hex with its board."""
    return BOARD + name


def unit_id(position: Position, name: str) -> str:
    """The id of a unit typed as in a position file."""
    return name if name in position.by_id else at(name)


def told(position: Position, unit: str, companion: str | None = None) -> Assessment:
    """What the rules say about a unit."""
    mate = unit_id(position, companion) if companion else None
    return assess(position, unit_id(position, unit), companion=mate)


def duty(position: Position, unit: str) -> str:
    """Its duty."""
    return str(told(position, unit).duty)


def known(position: Position, unit: str) -> set[str]:
    """Enemies Known to it before it moves."""
    return {short(name) for name in told(position, unit).known}


def targets(position: Position, unit: str) -> dict[str, float]:
    """Its destinations with MF; ``free`` stands for a free rout."""
    found = told(position, unit)
    answer = {short(target.hex): target.mf2 / 2 for target in found.targets}
    return {**answer, "free": True} if found.free_rout else answer


def ends(position: Position, unit: str) -> dict[str, str]:
    """Where it may end, and how."""
    return {short(end.hex): str(end.how) for end in told(position, unit).ends}


def path(
    position: Position,
    unit: str,
    hexes: str,
    *,
    low_crawl: bool = False,
    companion: str | None = None,
) -> PathJudgement:
    """The judgement on a path typed with spaces between hexes."""
    return judge_path(
        position,
        unit_id(position, unit),
        tuple(at(name) for name in hexes.split()),
        low_crawl=low_crawl,
        companion=unit_id(position, companion) if companion else None,
    )


def verdict(position: Position, unit: str, hexes: str, *, low_crawl: bool = False) -> str:
    """The verdict on a path."""
    return str(path(position, unit, hexes, low_crawl=low_crawl).verdict)


def bars(position: Position, unit: str, hexes: str, *, low_crawl: bool = False) -> set[str]:
    """The rules that bar a path; empty when it is legal."""
    return {reason.rule for reason in path(position, unit, hexes, low_crawl=low_crawl).reasons}


def barred(position: Position, unit: str) -> dict[str, set[str]]:
    """Neighbours it may not enter, with the rules that bar them."""
    return {
        short(found.hex): {reason.rule for reason in found.reasons}
        for found in told(position, unit).barred
    }


def interdictors(position: Position, unit: str, hexes: str) -> dict[str, set[str]]:
    """Who can interdict where along a legal path."""
    found = path(position, unit, hexes)
    assert not found.reasons, found.reasons
    return {short(met.hex): {short(by) for by in met.by} for met in found.interdictions}


def facts(reason: Reason) -> dict[str, object]:
    """Facts of a reason by name, hexes and ids without their board."""
    return {name: short(value) if isinstance(value, str) else value for name, value in reason.facts}


def only(reasons: tuple[Reason, ...], rule: str) -> Reason:
    """The one reason with this rule."""
    (found,) = [reason for reason in reasons if reason.rule == rule]
    return found
