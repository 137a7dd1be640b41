"""Counts pinned for 302 positions (tools/perft.py), and counted again by the second solver.

By default the positions on the open board and every fourth of those on real boards;
`VASSAL_BRIDGE_PERFT=all` takes all.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.rout.enumerator import Enumerator
from tests.rout.enumerator_map import read_men
from tests.shared import BOARDS, needs_shared
from tools.perft import (
    PINNED,
    SCHEMA,
    Counts,
    compare,
    count_all,
    differences,
    name_of,
    position_of,
    read_entries,
    write_entries,
)
from vassal_bridge.board import BoardLibrary

EVERY = 1 if os.environ.get("VASSAL_BRIDGE_PERFT") == "all" else 4
BATCH = 15
LIMIT = 400
"""Complete routs that the second solver is asked to walk one by one."""

OWN = read_entries(PINNED / "own.json")
REAL = read_entries(PINNED / "rulings.json")


def test_at_least_200_positions_are_pinned() -> None:
    assert len(OWN) + len(REAL) >= 200
    names = [name_of(entry) for entry in (*OWN, *REAL)]
    assert len(set(names)) == len(names)
    assert all(entry["units"] for entry in OWN)


@pytest.mark.parametrize("first", range(0, len(OWN), BATCH))
def test_counts_on_the_open_board(first: int) -> None:
    library = BoardLibrary([])
    found = [line for entry in OWN[first : first + BATCH] for line in compare(entry, library)]
    assert not found, "\n".join(found)


@needs_shared
@pytest.mark.shared
def test_counts_on_real_boards() -> None:
    library = BoardLibrary([BOARDS])
    found = [line for entry in REAL[::EVERY] for line in compare(entry, library)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("first", range(0, len(OWN), BATCH))
def test_the_second_solver_counts_the_same(first: int) -> None:
    for entry in OWN[first : first + BATCH]:
        pinned = list(entry["units"].values())
        men = [man for man in read_men(entry["position"]) if man.broken]
        assert len(men) == len(pinned)
        for man, counts in zip(men, pinned, strict=True):
            solver = Enumerator(entry["position"], man.number)
            targets, free = solver.targets()
            told: dict[str, Any] = {
                "duty": solver.duty,
                "targets": len(targets),
                "free": free,
                "ends": len(solver.ends()),
            }
            assert told == {key: counts[key] for key in told}, (entry["id"], man)
            if counts["routs"] <= LIMIT:
                assert sum(1 for _ in solver.routs()) == counts["routs"], (entry["id"], man)


# -- the tool itself -------------------------------------------------------------------------------


def test_a_mismatch_prints_the_divide() -> None:
    entry = next(entry for entry in OWN if entry["id"] == "tie")
    (unit,) = entry["units"]
    got = count_all(position_of(entry, BoardLibrary([])))
    assert differences("tie", entry["units"], got) == []
    wrong = {unit: {**entry["units"][unit], "routs": 99, "divide": {"openF4": 1, "openA1": 2}}}
    lines = differences("tie", wrong, got)
    assert lines[0] == f"tie {unit}"
    assert any(line.startswith("  routs: pinned 99, got ") for line in lines)
    marked = [line for line in lines if line.endswith("<--")]
    assert any(line.strip().startswith("openA1: 2 0") for line in marked)


def test_a_unit_too_few_is_told() -> None:
    counts = Counts("may", 1, 1, 1, False, 1, 1, {"openF4": 1})
    assert differences("x", {}, {"openF5": counts})[0] == "x openF5"
    assert len(differences("x", {"openF5": {"divide": {}}}, {})) == 2


def test_the_sum_of_the_divide_is_the_number_of_routs() -> None:
    for entry in (*OWN, *REAL):
        for counts in entry["units"].values():
            assert sum(counts["divide"].values()) == counts["routs"]


def test_files_are_written_one_position_a_line(tmp_path: Any) -> None:
    write_entries(tmp_path / "own.json", OWN)
    assert (tmp_path / "own.json").read_bytes() == (PINNED / "own.json").read_bytes()
    lines = (PINNED / "own.json").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(OWN) + 2
    assert SCHEMA in lines[0]
