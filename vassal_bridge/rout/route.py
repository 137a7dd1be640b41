"""The search over complete routs: every legal end and the best way there (R37, R46, R49, R56)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from vassal_bridge.rout.duty import Obligation
from vassal_bridge.rout.interdiction import interdictors
from vassal_bridge.rout.position import Hex
from vassal_bridge.rout.result import Duty, How, Interdiction
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import Code, Reason
from vassal_bridge.rout.step import (
    Knowledge,
    Move,
    legal_moves,
    start_of_rout,
    verify_crawl,
    verify_end,
)

Label = tuple[int, int, tuple[Hex, ...]]
"""What makes a way better: interdictions, half MF used, names of its hexes."""


@dataclass(frozen=True, slots=True)
class Way:
    """A complete legal rout.

    Attributes:
        path: hexes entered.
        moves: the judge's answer for each of them.
        interdictions: on the way.
        low_crawl: whether it is a Low Crawl.
    """

    path: tuple[Hex, ...]
    moves: tuple[Move, ...]
    interdictions: tuple[Interdiction, ...]
    low_crawl: bool

    @property
    def mf2(self) -> int:
        """Half MF used."""
        return sum(move.cost.mf2 for move in self.moves)

    @property
    def label(self) -> Label:
        """Order of preference (contracts.md 5)."""
        count = sum(1 for found in self.interdictions if found.by)
        return (count, self.mf2, self.path)


class Interdicting:
    """Interdictors per step, each asked once."""

    def __init__(self, router: Router) -> None:
        self.router = router
        self._found: dict[tuple[Hex, Hex, bool], Interdiction | None] = {}

    def on(self, start: Hex, move: Move) -> Interdiction | None:
        """The interdiction a step meets, None if nobody can."""
        key = (start, move.after.at, move.cost.by_road)
        if key not in self._found:
            router = self.router
            sure, maybe = interdictors(
                router.position,
                router.unit.side,
                move.after.at,
                start,
                by_road=move.cost.by_road,
                moving=router.moving,
            )
            found = Interdiction(move.after.at, sure, maybe) if sure or maybe else None
            self._found[key] = found
        return self._found[key]


def leaves_start(router: Router, duty: Obligation, at: Hex) -> tuple[Reason, ...]:
    """R9, R73 (c): a unit that had to leave its starting hex may not end in it."""
    if at == router.unit.hex and duty.exposed:
        return (Reason("R73", Code.MUST_LEAVE, (("hex", at),)),)
    return ()


def best_ways(router: Router, duty: Obligation) -> dict[Hex, dict[How, Way]]:
    """Every hex in which the unit may legally end its rout alive, with the best way (contracts 3).

    A search over situations (`Knowledge`) in order of preference; each situation is expanded once,
    by `verify_step` alone.

    Returns:
        By hex: the best rout (`How.MOVE`) and the Low Crawl (`How.CRAWL`), as far as legal.
    """
    if duty.duty in (Duty.NONE, Duty.ELIMINATED):
        return {}
    ends: dict[Hex, dict[How, Way]] = {}
    for way in _crawls(router, duty):
        ends.setdefault(way.path[-1], {})[How.CRAWL] = way
    interdicting = Interdicting(router)
    queue: list[tuple[Label, int, Knowledge, _Last | None]] = []
    for state in start_of_rout(router):
        queue.append(((0, 0, ()), len(queue), state, None))
    count = len(queue)
    done: set[Knowledge] = set()
    while queue:
        (interdictions, used, path), _, state, last = heapq.heappop(queue)
        if state in done:
            continue
        done.add(state)
        new = path and How.MOVE not in ends.get(state.at, {})
        if new and not verify_end(router, state) and not leaves_start(router, duty, state.at):
            ends.setdefault(state.at, {})[How.MOVE] = _way(path, last)
        for move in legal_moves(router, state):
            if move.after in done:
                continue
            met = interdicting.on(state.at, move)
            label = (
                interdictions + bool(met and met.by),
                used + move.cost.mf2,
                (*path, move.after.at),
            )
            heapq.heappush(queue, (label, count, move.after, _Last(move, met, last)))
            count += 1
    return ends


def all_ends(router: Router, duty: Obligation) -> dict[Hex, How]:
    """The hexes of `best_ways` and how each is reached, without looking for the best way."""
    if duty.duty in (Duty.NONE, Duty.ELIMINATED):
        return {}
    found: dict[Hex, How] = {}
    for after in _situations(router):
        ends = after.at not in found and not verify_end(router, after)
        if ends and not leaves_start(router, duty, after.at):
            found[after.at] = How.MOVE
    for way in _crawls(router, duty):
        hex_ = way.path[-1]
        found[hex_] = How.BOTH if hex_ in found else How.CRAWL
    return found


def on_all_ways(router: Router, duty: Obligation) -> frozenset[Hex]:
    """Every hex that some legal way enters, whether it may end there or not."""
    if duty.duty in (Duty.NONE, Duty.ELIMINATED):
        return frozenset()
    crawled = (way.path[-1] for way in _crawls(router, duty))
    return frozenset(state.at for state in _situations(router)).union(crawled)


def _situations(router: Router) -> Iterator[Knowledge]:
    """Every situation a unit can come into by legal steps, once."""
    done: set[Knowledge] = set()
    todo = list(start_of_rout(router))
    while todo:
        for move in legal_moves(router, todo.pop()):
            if move.after not in done:
                done.add(move.after)
                todo.append(move.after)
                yield move.after


class _Last(NamedTuple):
    """The last step of a way, what it met, and the step before it."""

    move: Move
    met: Interdiction | None
    before: _Last | None


def _way(path: tuple[Hex, ...], last: _Last | None) -> Way:
    steps: list[_Last] = []
    while last is not None:
        steps.append(last)
        last = last.before
    steps.reverse()
    met = tuple(step.met for step in steps if step.met is not None)
    return Way(path, tuple(step.move for step in steps), met, low_crawl=False)


def _crawls(router: Router, duty: Obligation) -> Iterator[Way]:
    for edge in router.edges(router.unit.hex):
        verdict = verify_crawl(router, edge.to)
        if verdict.legal and not leaves_start(router, duty, edge.to):
            yield Way((edge.to,), verdict.moves, (), low_crawl=True)
