"""Finder and judge agree: what one offers the other passes, in both directions."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rout.ask import at, short
from tests.rout.enumerator import Enumerator
from tests.rout.enumerator_map import read_men
from tests.rout.small import make, random_data
from vassal_bridge.rout import Hex, How, Position, Unit, assess, judge_path, why_not
from vassal_bridge.rout.duty import obligation
from vassal_bridge.rout.route import best_ways, leaves_start
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.step import Knowledge, start_of_rout, verify_end, verify_step

MANY = 250
"""Complete routs looked at per unit."""

relaxed = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
thorough = settings(relaxed, max_examples=10)
seeds = st.integers(0, 10**6)


def broken_units(position: Position) -> list[Unit]:
    return [unit for unit in position.units if unit.broken and unit.is_infantry]


def all_routs(router: Router, limit: int) -> dict[tuple[Hex, ...], bool]:
    """Every path that `verify_step` allows, with whether it is a complete rout; at most `limit`."""
    duty = obligation(router)
    if duty.duty in ("none", "eliminated"):
        return {}
    found: dict[tuple[Hex, ...], bool] = {}
    todo: list[tuple[tuple[Hex, ...], frozenset[Knowledge]]] = [
        ((), frozenset(start_of_rout(router)))
    ]
    while todo and len(found) < limit:
        path, states = todo.pop(0)
        here = path[-1] if path else router.unit.hex
        if path:
            found[path] = any(
                not verify_end(router, state) and not leaves_start(router, duty, here)
                for state in states
            )
        for edge in router.edges(here):
            after = frozenset(
                move.after for state in states for move in verify_step(router, state, edge.to).moves
            )
            if after:
                todo.append(((*path, edge.to), after))
    return found


@given(seeds)
@relaxed
def test_what_the_finder_offers_the_judge_passes(seed: int) -> None:
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        router = Router(position, unit)
        for ways in best_ways(router, obligation(router)).values():
            for how, way in ways.items():
                judged = judge_path(position, unit.id, way.path, low_crawl=how is How.CRAWL)
                assert judged.verdict == "legal", (seed, unit.id, way.path, judged.reasons)
                assert judged.interdictions == way.interdictions
                assert judged.last_legal == way.path[-1]


@given(seeds)
@thorough
def test_every_complete_rout_is_passed_and_every_cut_one_is_not(seed: int) -> None:
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        for path, complete in all_routs(Router(position, unit), MANY).items():
            judged = judge_path(position, unit.id, path)
            assert (judged.verdict == "legal") is complete, (seed, unit.id, path, judged.reasons)


@given(seeds)
@relaxed
def test_what_the_judge_passes_the_finder_offers(seed: int) -> None:
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        ends = {end.hex: end.how for end in assess(position, unit.id).ends}
        routs = all_routs(Router(position, unit), MANY)
        reached = {path[-1] for path, complete in routs.items() if complete}
        start = {unit.hex} if ends.get(unit.hex) is How.STAY else set()
        assert reached - start <= {hex_ for hex_, how in ends.items() if how in ("move", "both")}
        for beside in position.ground.neighbours(unit.hex):
            if beside is None:
                continue
            crawls = judge_path(position, unit.id, (beside,), low_crawl=True).verdict == "legal"
            assert crawls is (ends.get(beside) in ("crawl", "both")), (seed, unit.id, beside)


@given(seeds)
@thorough
def test_the_best_way_has_no_better_one(seed: int) -> None:
    """Fewest interdictions, then MF, then names (contracts.md 5), among all complete routs."""
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        router = Router(position, unit)
        best = best_ways(router, obligation(router))
        for path, complete in all_routs(router, MANY).items():
            if not complete or path[-1] == unit.hex:
                continue
            met = judge_path(position, unit.id, path).interdictions
            mf2 = sum(
                position.ground.entry(before, to).mf2
                for before, to in zip((unit.hex, *path), path, strict=False)
            )
            label = (sum(1 for one in met if one.by), mf2, path)
            assert best[path[-1]][How.MOVE].label <= label, (seed, unit.id, path)


@given(seeds)
@relaxed
def test_why_not_speaks_of_hexes_that_are_no_ends(seed: int) -> None:
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        ends = {end.hex for end in assess(position, unit.id).ends}
        assert not ends & set(why_not(position, unit.id))


@given(seeds)
@relaxed
def test_why_not_is_the_same_when_every_line_of_sight_is_known(seed: int) -> None:
    """It asks for few lines of sight, being read for every hex; more of them change nothing."""
    asked, told = make(random_data(Random(seed))), make(random_data(Random(seed)))
    for unit in broken_units(asked):
        router = Router(told, unit)
        for hex_ in told.ground.hexes():
            router.seen(hex_)
        assert why_not(asked, unit.id) == why_not(told, unit.id)


@given(seeds)
@relaxed
def test_barred_neighbours_are_those_nobody_enters(seed: int) -> None:
    position = make(random_data(Random(seed)))
    for unit in broken_units(position):
        found = assess(position, unit.id)
        if found.duty == "none":
            continue
        barred = {one.hex for one in found.barred}
        for beside in position.ground.neighbours(unit.hex):
            if beside is not None and beside in barred:
                assert all(end.path[:1] != (beside,) for end in found.ends)
                assert judge_path(position, unit.id, (beside,)).verdict != "legal"
        assert all(one.reasons for one in found.barred)


@pytest.mark.parametrize("seed", range(6))
def test_the_second_solver_counts_the_same_complete_routs(seed: int) -> None:
    data = random_data(Random(f"count {seed}"))
    position = make(data)
    for man in read_men(data):
        if not man.broken:
            continue
        router = Router(position, position.units[man.number])
        mine = {path for path, complete in all_routs(router, 3000).items() if complete}
        if len(mine) > 1500:
            continue  # more than a test wants to wait for
        theirs = {tuple(at(name) for name in path) for path in _first(data, man.number, 3000)}
        assert mine == theirs, [short(name) for path in mine ^ theirs for name in path][:12]


def _first(data: dict, number: int, limit: int) -> list[tuple[str, ...]]:
    found = []
    for path in Enumerator(data, number).routs():
        found.append(path)
        if len(found) > limit:
            break
    return found
