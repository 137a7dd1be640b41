"""Fair play and privacy: what is hidden does not exist for an audit; secrets reach no result."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from tests.audit.scenes import Example, audit
from tests.shared import needs_shared
from tests.vassal.samples import CANARY
from vassal_bridge.audit import AuditResult, Verdict

pytestmark = needs_shared


def play(log: Example) -> None:
    log.say("RtPh")
    log.roll("Other", 1)
    log.rout("M9", "N9", "N10")
    log.rout("N7", "N8")
    log.roll("MC", 1, 2)
    log.rout("N7", "N9")


def without_ids(result: AuditResult) -> list[object]:
    return [
        (rout.start, rout.path, rout.verdict, rout.reasons, rout.checks, rout.legal_ends)
        for phase in result.phases
        for rout in phase.routs
    ]


@pytest.mark.parametrize("where", ["zN10", "zO9", "zM10", "zK9"])
def test_hidden_enemies_change_nothing(where: str, tmp_path: Path) -> None:
    plain = Example("M9", "N7")
    plain.begin()
    play(plain)
    secret = Example("M9", "N7")
    secret.squad("German", "4-6-8", where, hip=True)
    secret.begin()
    play(secret)
    seen, told = audit(plain, tmp_path), audit(secret, tmp_path)
    assert without_ids(told) == without_ids(seen)
    assert "4-6-8" not in repr(told)


def test_a_hidden_unit_that_moves_is_not_told(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    spy = log.squad("German", "4-6-8", "zO9", hip=True)
    mask = log.squad("German", "4-6-8", "zK9", concealed=True)
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.move(spy, to="zO8")
    log.move(mask, to="zJ9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.say("APh")
    result = audit(log, tmp_path)
    pieces = {rout.piece for phase in result.phases for rout in phase.routs}
    assert pieces == {log.units["M9"].id, log.units["N7"].id}
    text = repr(result)
    assert "4-6-8" not in text
    assert spy.id not in text
    assert mask.id not in text


def test_no_secret_in_any_result(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.squad("German", "4-6-8", "zO9", hip=True)
    log.squad("German", "4-6-8", "zK9", concealed=True)
    log.begin()
    play(log)
    result = audit(log, tmp_path)
    assert CANARY not in repr(result)
    assert CANARY.encode() not in pickle.dumps(result)


def test_results_travel_between_processes(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    play(log)
    result = audit(log, tmp_path)
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301  (our own bytes)


def test_same_log_same_result(tmp_path: Path) -> None:
    log = Example("M9", "N7", "N6", "N5")
    log.begin()
    play(log)
    assert repr(audit(log, tmp_path)) == repr(audit(log, tmp_path))


def test_frames_hold_the_board_next_to_findings(tmp_path: Path) -> None:
    log = Example("M9")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "M8")
    result = audit(log, tmp_path)
    (rout,) = result.phases[0].routs
    assert rout.verdict is Verdict.ILLEGAL
    before, after = result.frames[1], result.frames[2]
    assert [unit.hex for unit in before if unit.broken] == ["zM9"]
    assert [unit.hex for unit in after if unit.broken] == ["zM8"]
    assert replace(result, frames={}).tally == result.tally
