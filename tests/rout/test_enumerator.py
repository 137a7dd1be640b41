"""The program against a second solver that shares no code with it (tests/rout/enumerator.py).

By default some hundred small random positions; `VASSAL_BRIDGE_POSITIONS=2000` tries 2,000, which
takes about ten minutes.
"""

from __future__ import annotations

import os
from collections import deque
from random import Random

import pytest

from tests.rout.ask import at, short
from tests.rout.enumerator import Enumerator
from tests.rout.enumerator_map import Man, beside, hex_of, hexes_between, name_of, read_men
from tests.rout.small import Data, make, random_data, random_path
from vassal_bridge.rout import READINGS, Assessment, Position, Readings, assess, judge_path

POSITIONS = int(os.environ.get("VASSAL_BRIDGE_POSITIONS", "80"))
BATCH = 20
DISPUTING = ("r28_terrain", "r49_current")
"""Readings under which an illegal path is called disputed (rulings/README.md)."""


def seeded(name: str) -> tuple[Random, Data]:
    random = Random(name)
    return random, random_data(random)


def broken_of(data: Data) -> list[Man]:
    return [man for man in read_men(data) if man.broken]


def program_says(found: Assessment, ids: list[str]) -> dict[str, object]:
    return {
        "duty": str(found.duty),
        "known": {ids.index(name) for name in found.known},
        "targets": {short(target.hex): target.mf2 / 2 for target in found.targets},
        "free": found.free_rout,
        "ends": {short(end.hex): str(end.how) for end in found.ends},
    }


def enumerator_says(solver: Enumerator) -> dict[str, object]:
    targets, free = solver.targets()
    return {
        "duty": solver.duty,
        "known": solver.known(),
        "targets": targets,
        "free": free,
        "ends": solver.ends(),
    }


def what_may_be_done(solver: Enumerator) -> tuple[object, ...]:
    """Duty, targets, ends; the MF of a target alone change nothing."""
    targets, free = solver.targets()
    return solver.duty, set(targets), free, solver.ends()


def paths_for(random: Random, man: Man, found: Assessment) -> list[list[str]]:
    """Random walks, and ways that the program offers."""
    walks = [[name_of(place) for place in random_path(random, man.at)] for _ in range(6)]
    offered = [[short(name) for name in end.path] for end in found.ends if end.path]
    random.shuffle(offered)
    return walks + offered[:6]


def compare_paths(
    position: Position, data: Data, man: Man, paths: list[list[str]], ids: list[str]
) -> None:
    solver = Enumerator(data, man.number)
    others = [Enumerator(data, man.number, [reading]) for reading in DISPUTING]
    for path in paths:
        for crawl in (False, True) if len(path) == 1 else (False,):
            judged = judge_path(
                position, ids[man.number], tuple(at(name) for name in path), low_crawl=crawl
            )
            legal = solver.legal(path, low_crawl=crawl)
            disputed = any(other.legal(path, low_crawl=crawl) for other in others)
            wanted = "legal" if legal else "disputed" if disputed else "illegal"
            assert judged.verdict == wanted, (path, crawl, judged.reasons)
            if legal and not crawl:
                met = {
                    short(one.hex): {ids.index(by) for by in one.by} for one in judged.interdictions
                }
                assert met == solver.interdictions(path), path


@pytest.mark.parametrize("batch", range((POSITIONS + BATCH - 1) // BATCH))
def test_small_random_positions(batch: int) -> None:
    for number in range(batch * BATCH, min((batch + 1) * BATCH, POSITIONS)):
        random, data = seeded(f"enumerator {number}")
        position = make(data)
        ids = [unit.id for unit in position.units]
        for man in broken_of(data):
            found = assess(position, ids[man.number])
            solver = Enumerator(data, man.number)
            assert program_says(found, ids) == enumerator_says(solver), (number, data)
            compare_paths(position, data, man, paths_for(random, man, found), ids)


@pytest.mark.parametrize("reading", [name for name in READINGS if not name.startswith("r19_")])
def test_every_other_reading(reading: str) -> None:
    """The solver knows the disputed readings too; roads and hills (R19) are not on its board."""
    for number in range(max(3, POSITIONS // 20)):
        _, data = seeded(f"{reading} {number}")
        position = make(data, Readings().with_reading(reading))
        ids = [unit.id for unit in position.units]
        for man in broken_of(data):
            found = assess(position, ids[man.number])
            solver = Enumerator(data, man.number, [reading])
            assert program_says(found, ids) == enumerator_says(solver), (number, data)


def test_readings_named_are_those_that_change_the_answer() -> None:
    """What `depends` names is what the solver finds by turning each reading over."""
    watched = [name for name in READINGS if not name.startswith(("r19_", "r4_", "r31_all"))]
    for number in range(max(6, POSITIONS // 15)):
        _, data = seeded(f"sensitive {number}")
        position = make(data)
        ids = [unit.id for unit in position.units]
        for man in broken_of(data):
            found = assess(position, ids[man.number])
            if found.duty == "none":
                continue
            default = what_may_be_done(Enumerator(data, man.number))
            changing = {
                reading
                for reading in watched
                if what_may_be_done(Enumerator(data, man.number, [reading])) != default
            }
            named = {name.partition(":")[0] for name in found.readings} & set(watched)
            assert named == changing, (number, man, data)


def test_the_solvers_own_range_is_the_number_of_steps() -> None:
    for name in ("A1", "B0", "F5", "Q10", "GG3"):
        start = hex_of(name)
        steps, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for there in beside(here):
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        assert len(steps) == 346
        assert all(hexes_between(start, there) == count for there, count in steps.items())
