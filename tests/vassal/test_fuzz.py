"""The fuzz targets: every input that once escaped, and a short seeded run of each target."""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest

from tools.fuzz.mutation import change
from tools.fuzz.run import ESCAPES, load, names

TARGETS = ("container", "envelope", "piece", "sequence")
KEPT = sorted(path for name in TARGETS for path in (ESCAPES / name).glob("*.bin"))


def test_the_targets_of_this_room_are_there() -> None:
    assert set(TARGETS) <= set(names())
    assert KEPT, "no input is kept"
    for name in TARGETS:
        assert importlib.import_module(f"tools.fuzz.targets.{name}").seeds()


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_an_input_that_once_escaped(path: Path) -> None:
    assert load(path.parent.name).check(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_run(name: str) -> None:
    """Two hundred inputs, always the same; hours of it are for tools/fuzz/run.py."""
    target, rng = load(name), random.Random(7)
    pool = [data for data in target.seeds() if len(data) < 20_000]
    mutate = getattr(target, "mutate", None)
    outcomes = {target.check(data) for data in pool}
    for number in range(200):
        old = rng.choice(pool)
        use = mutate is not None and number % 2 == 0
        outcomes.add(target.check(mutate(rng, old) if use else change(rng, old, pool)))
    assert len(outcomes) > 3
