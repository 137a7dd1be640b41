"""Agreement with VASL's own answers, a few thousand rows of every table (all rows: tools/los)."""

from __future__ import annotations

import pytest

from tests.shared import SHARED, needs_shared
from tools.los.check_tables import Table, compare, main, reason, tables

ROWS = 1500
FOUND = list(tables(SHARED)) if SHARED.is_dir() else []
EACH = pytest.mark.parametrize("table", FOUND, ids=lambda table: table.name)


@needs_shared
@EACH
def test_verdicts_agree_with_vasl(table: Table) -> None:
    count = compare(table, "verdict", ROWS)
    assert count.rows > 100
    assert count.differences == []


@needs_shared
@EACH
def test_single_walks_agree_with_vasl_in_every_column(table: Table) -> None:
    count = compare(table, "single", ROWS // 2)
    assert count.rows > 100
    assert count.differences == []


@needs_shared
@pytest.mark.parametrize("name", ["z-levels", "03", "p", "l", "z_beside_yR"])
def test_plain_walks_agree_with_vasl_in_every_column(name: str) -> None:
    (table,) = [table for table in FOUND if table.name == name]
    count = compare(table, "plain", 60)
    assert count.differences == []


@needs_shared
def test_the_command_counts_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["k-levels", "--rows", "50"]) == 0
    assert "0 differ" in capsys.readouterr().out
    assert main(["no-such-table"]) == 1


def test_every_reason_of_vasl_is_known() -> None:
    assert reason("Must have a height advantage to see over this terrain (A6.2)") is not None
    assert reason("something new") is None
