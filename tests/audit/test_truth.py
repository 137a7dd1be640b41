"""Every truth file: same routs, same verdicts, same rules; none missed, none invented."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.truth import HELD_WRONG, audit_truth, compare, library, log_of, table, truths
from tests.shared import LOGS, needs_shared
from vassal_bridge.audit import AuditOptions, Verdict, audit_saved
from vassal_bridge.bridge import Options

pytestmark = needs_shared


@pytest.mark.parametrize("truth", truths(), ids=lambda path: path.name)
def test_truth(truth: Path) -> None:
    row = compare(truth)
    assert row.good, (row.missed, row.wrong, row.invented)
    assert len(row.contested) == sum(1 for log, _ in HELD_WRONG if log == row.log)


@pytest.mark.parametrize("truth", truths(), ids=lambda path: path.name)
def test_attacker_is_found_without_being_told(truth: Path) -> None:
    row = compare(truth, told=False)
    assert row.good, (row.missed, row.wrong, row.invented)


def test_the_table() -> None:
    text = table([compare(truths()[0])])
    assert text.splitlines()[-1].startswith("all")


@pytest.mark.parametrize("truth", truths(), ids=lambda path: path.name)
def test_no_false_illegal_without_a_month(truth: Path) -> None:
    """A month that is not given makes a verdict unproven, never illegal by mistake."""
    told = {(r.piece, r.path): r.verdict for p in audit_truth(truth).phases for r in p.routs}
    options = AuditOptions(Options(library()), frames=False)
    for phase in audit_saved(log_of(truth), options).phases:
        for rout in phase.routs:
            if rout.verdict is Verdict.ILLEGAL:
                assert told[rout.piece, rout.path] is Verdict.ILLEGAL


@pytest.mark.parametrize(
    "log", sorted((LOGS / "templates").glob("*.vlog")), ids=lambda path: path.name
)
def test_dice_and_chat_only(log: Path) -> None:
    result = audit_saved(log, AuditOptions(Options(library())))
    assert result.tally.routs == 0
    assert not result.differs


def test_official_example() -> None:
    """No truth file: the rule book's example played out; nothing in it is illegal."""
    for name in ("rout_example.vlog", "rout_example-vassal37.vlog"):
        result = audit_saved(LOGS / "made" / name, AuditOptions(Options(library())))
        (phase,) = result.phases
        standing = {rout.start: rout for rout in phase.routs if not rout.undone}
        assert set(standing) == {"zM9", "zN7", "zN6"}
        assert all(rout.verdict is not Verdict.ILLEGAL for rout in standing.values())
        assert [rout.path for rout in phase.routs if rout.undone] == [("zO8",)]
        assert [(f.hex, f.rule, f.handled) for f in phase.failures] == [("zN5", "R73a", "removed")]


def test_official_example_gone_wrong() -> None:
    result = audit_saved(LOGS / "made" / "rout_illegal.vlog", AuditOptions(Options(library())))
    (phase,) = result.phases
    verdicts = {rout.start: rout.verdict for rout in phase.routs}
    assert verdicts == {"zM9": Verdict.ILLEGAL, "zN6": Verdict.LEGAL}
    assert {(f.hex, f.handled) for f in phase.failures} == {
        ("zN7", "forgotten"),
        ("zN5", "forgotten"),
    }
    assert result.differs
