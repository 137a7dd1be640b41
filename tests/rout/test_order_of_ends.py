"""The order of ends: as survival has it, and of equal ones those of plain ways first."""

from __future__ import annotations

import itertools

import pytest

from tests.rout.ask import told
from tests.rout.small import typed
from vassal_bridge.rout import End

PLACES = (
    ("4-6-7 H7; 4-6-7 H6; 4-6-7 F1", "I4 C2 G6 C10 A2", "J10 C6 H1 H2"),
    ("4-6-7 A3; 4-6-7 A8; 4-6-7 I10", "E6 H6 B8 H7 B7", "D4 D6 F1 H4"),
    ("4-6-7 D10; 4-6-7 H1; 4-6-7 F2", "E4 J5 I9 H5 G5", "B5 I4 E9 C7"),
    ("4-6-7 G9; 4-6-7 A1; 4-6-7 I8", "E10 H6 F6 F2 E4", "I1 J5 J1 J7"),
)
"""Found by chance: an end by way of a hex entered twice costs less MF than another, plain one."""


def goes_over_itself(end: End, start: str) -> bool:
    way = [start, *end.path]
    return len(set(way)) < len(way)


@pytest.mark.parametrize(("german", "woods", "building"), PLACES)
def test_survival_first_then_plain_ways(german: str, woods: str, building: str) -> None:
    position = typed(german, "r 4-4-7 F5 broken dm", woods=woods, building=building)
    ends = [end for end in told(position, "r").ends if end.path]
    over = [goes_over_itself(end, position.by_id["r"].hex) for end in ends]
    assert any(over)
    survive = [end.odds.eliminated if end.odds else 0.0 for end in ends]
    assert survive == sorted(survive)
    for (one, first), (other, second) in itertools.pairwise(zip(ends, over, strict=True)):
        if one.odds == other.odds and len(one.interdictions) == len(other.interdictions):
            assert first <= second, (one.path, other.path)
