"""Exact probabilities along a route (R64 to R68, R71)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vassal_bridge.rout.position import Kind, Unit
from vassal_bridge.rout.result import Odds
from vassal_bridge.rout.route import Way
from vassal_bridge.rout.router import WOUNDED_MF2, Router
from vassal_bridge.rout.step import ends_in_danger

_ROLLS = tuple((one + two, 1 / 36) for one in range(1, 7) for two in range(1, 7))
_HEAVY_WOUND = 5
"""Wound severity dr of 5 or more kills; +1 when already wounded (R67)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is left of the routing unit.

    Attributes:
        kind: squad, half-squad, crew, leader or hero.
        morale: broken morale that the NMC is taken against.
        wounded: an SMC's wound.
        reduced: lost a step on this route.
        hurt: newly wounded on this route.
    """

    kind: Kind
    morale: int
    half_morale: int
    wounded: bool
    reduced: bool = False
    hurt: bool = False


def start_shape(unit: Unit) -> Shape | None:
    """The unit as it sets out; None when its broken morale is unknown."""
    if unit.broken_morale is None:
        return None
    half = unit.half_broken_morale
    return Shape(
        unit.kind, unit.broken_morale, unit.broken_morale if half is None else half, unit.wounded
    )


def leadership_of(leader: Unit | None) -> int:
    """Modifier that the leader going along gives to an NMC (R64); a pinned one gives none (R82)."""
    if leader is None or leader.pinned:
        return 0
    return leader.leadership or 0


def morale_after_wound(morale: int, *, wounded: bool) -> int:
    """Morale of an SMC that takes a wound: one less, unless it was wounded before (3.2.3)."""
    return morale if wounded else morale - 1


def check_results(shape: Shape, leadership: int) -> Iterator[tuple[float, str, Shape | None]]:
    """Results of one interdiction NMC (R64 to R67).

    Args:
        shape: the unit.
        leadership: modifier of the leader going along, 0 for none.

    Yields:
        (probability, ``pass`` | ``pin`` | ``fail``, what is left of it or None).
    """
    for roll, chance in _ROLLS:
        if roll == 12:
            yield chance, "fail", None  # an Original 12 eliminates
        elif roll + leadership < shape.morale:
            yield chance, "pass", shape
        elif roll + leadership == shape.morale:
            yield chance, "pin", shape
        else:
            for part, left in _reduced(shape):
                yield chance * part, "fail", left


def _reduced(shape: Shape) -> Iterator[tuple[float, Shape | None]]:
    """Casualty Reduction (R67)."""
    if shape.kind is Kind.SQUAD:
        yield 1.0, replace(shape, kind=Kind.HALF_SQUAD, morale=shape.half_morale, reduced=True)
    elif shape.kind in (Kind.LEADER, Kind.HERO):
        deadly = sum(1 for dr in range(1, 7) if dr + shape.wounded >= _HEAVY_WOUND) / 6
        yield deadly, None
        morale = morale_after_wound(shape.morale, wounded=shape.wounded)
        yield 1 - deadly, replace(shape, morale=morale, wounded=True, hurt=True)
    else:
        yield 1.0, None


def odds_of(router: Router, way: Way) -> Odds | None:
    """Exact probability of each outcome along a route, walked to its end (issue: odds).

    A pinned unit stops; pinned next to a Known unbroken enemy it dies (R66). A reduced one walks on
    with the MF left (R68). A freshly wounded SMC has 3 MF in all, what it used counted (R68).
    A leader going along is lost with a failed check, and with him his modifier; other units of the
    hex are untouched (R69).

    Returns:
        The odds, or None when the broken morale of the unit is unknown.
    """
    begin = start_shape(router.unit)
    if begin is None:
        return None
    leadership = leadership_of(router.companion)
    met = {found.hex: found for found in way.interdictions if found.by} if not way.low_crawl else {}
    under_way: dict[tuple[Shape, int], float] = {(begin, leadership): 1.0}
    done = dict.fromkeys(("unreduced", "pinned", "reduced", "wounded", "eliminated"), 0.0)
    arrived_pinned = 0.0
    used = 0
    for number, move in enumerate(way.moves):
        used += move.cost.mf2
        last = number == len(way.moves) - 1
        danger = bool(ends_in_danger(router, move.after.at, move.after.known))
        following: dict[tuple[Shape, int], float] = {}
        for (shape, bonus), chance in under_way.items():
            if shape.hurt and used > WOUNDED_MF2:
                done[_stopped(router, way, number - 1, shape)] += chance
                continue
            if move.after.at not in met:
                _add(following, (shape, bonus), chance)
                continue
            for part, result, left in check_results(shape, bonus):
                if left is None:
                    done["eliminated"] += chance * part
                elif result == "pin":
                    done["eliminated" if danger else _outcome(left, pinned=True)] += chance * part
                    if last and not danger and not left.reduced and not left.hurt:
                        arrived_pinned += chance * part
                else:
                    _add(following, (left, bonus if result == "pass" else 0), chance * part)
        under_way = following
    for (shape, _), chance in under_way.items():
        done[_outcome(shape, pinned=False)] += chance
    arrives = done["unreduced"] + arrived_pinned
    return Odds(
        **{name: round(value, 12) for name, value in done.items()},
        arrives_unreduced=round(arrives, 12),
    )


def _add(table: dict[tuple[Shape, int], float], key: tuple[Shape, int], chance: float) -> None:
    table[key] = table.get(key, 0.0) + chance


def _outcome(shape: Shape, *, pinned: bool) -> str:
    if shape.reduced:
        return "reduced"
    if shape.hurt:
        return "wounded"
    return "pinned" if pinned else "unreduced"


def _stopped(router: Router, way: Way, number: int, shape: Shape) -> str:
    """A freshly wounded SMC out of MF stays where it is and dies next to a Known enemy (R68)."""
    state = way.moves[number].after
    return (
        "eliminated"
        if ends_in_danger(router, state.at, state.known)
        else _outcome(shape, pinned=False)
    )
