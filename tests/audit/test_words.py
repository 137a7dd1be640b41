"""What a reader of an audit is told: nothing that contradicts itself or the verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.audit.scenes import Example, audit, library
from tests.audit.test_files import saves
from tests.report.sketch_audit import audit_report as village_audit
from vassal_bridge.audit import AuditedRout, AuditOptions, AuditResult, Cut, audit_saves
from vassal_bridge.bridge import Options
from vassal_bridge.report import words_in
from vassal_bridge.report.audit_html import AuditJob, audit_page
from vassal_bridge.report.catalogue import Lang
from vassal_bridge.report.model import AuditReport
from vassal_bridge.report.pagekit import Both
from vassal_bridge.report.text import audit_text
from vassal_bridge.tasks.audit_report import (
    audit_report,
    log_lines,
    rout_line,
    summary_lines,
)


def told(result: AuditResult, lang: Lang = "en") -> str:
    words = words_in(lang)
    return audit_text(audit_report(result, words), words)


def page_of(result: AuditResult) -> str:
    reports = Both(audit_report(result, words_in("en")), audit_report(result, words_in("zh")))
    return audit_page(AuditJob(reports)).decode("utf-8")


def between(before: Path, after: Path) -> AuditResult:
    return audit_saves(before, after, AuditOptions(Options(library(), attacker="German")))


def stack(folder: Path) -> AuditResult:
    log = Example("M9", dm=False)
    mate = log.squad("Russian", "4-4-7", "zM9", broken=True)
    log.dms["M9"] = log.marker("DM", "zM9")
    log.begin()
    log.say("RtPh")
    log.move(log.units["M9"], mate, log.dms["M9"], to="zN9")
    return audit(log, folder)


def test_units_moved_as_a_stack_are_told_apart(tmp_path: Path) -> None:
    result = stack(tmp_path)
    text = told(result)
    assert "4-4-7 (Russian) zM9/1 > zN9" in text
    assert "4-4-7 (Russian) zM9/2 > zN9" in text
    routs = audit_report(result, words_in("en")).phases[0].routs
    assert [rout.unit for rout in routs] == ["zM9/1", "zM9/2"]
    chat = [line.text for line in log_lines(result, words_in("en"))]
    assert [line.split(":")[0] for line in chat] == ["4-4-7 zM9/1-zN9", "4-4-7 zM9/2-zN9"]
    for n, line in enumerate(list(summary_lines(result, words_in("en")))[1:], 1):
        assert f"4-4-7 zM9/{n}-zN9: " in line
    page = page_of(result)
    assert "<bdi>zM9/1</bdi> → <bdi>zN9</bdi>" in page
    assert "<bdi>zM9/2</bdi> → <bdi>zN9</bdi>" in page


def test_no_other_end_is_named_where_the_way_is_legal(tmp_path: Path) -> None:
    """As a stack, but to a hex where each may go."""
    result = stack(tmp_path)
    assert "DIFFERS FROM 3.6" in told(result)
    assert "Legal would have been" not in told(result) + page_of(result)
    assert "Last legal hex" not in told(result) + page_of(result)


def test_other_ends_are_named_where_the_way_is_wrong(tmp_path: Path) -> None:
    log = Example("M9")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "M8")
    result = audit(log, tmp_path)
    (rout,) = audit_report(result, words_in("en")).phases[0].routs
    assert rout.verdict == "illegal"
    assert "zN9" in rout.legal_ends
    assert "Legal would have been: " + ", ".join(rout.legal_ends) + "." in told(result)


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Legal would have been: zN9, zL8; zL8 by another way."),
     ("zh", "合法的终点：zN9、zL8；到zL8须走另一条路。")],
)  # fmt: skip
def test_an_end_that_only_another_way_leads_to_is_told_as_such(lang: Lang, said: str) -> None:
    report = village_audit(lang)
    phase = report.phases[0]
    wrong = phase.routs[0].model_copy(update={"legal_ends": ["zN9", "zL8"]})
    phases = [phase.model_copy(update={"routs": [wrong]})]
    assert said in audit_text(report.model_copy(update={"phases": phases}), words_in(lang))


def failed(tmp_path: Path, *, removed: bool) -> AuditResult:
    """N5 has no legal step; it is taken off, or forgotten."""
    log = Example("M9", "N5")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    if removed:
        log.say("N5 fails to rout")
        log.remove(log.units["N5"], log.dms["N5"])
    log.say("all routs done, APh")
    return audit(log, tmp_path)


@pytest.mark.parametrize(
    ("removed", "said", "chinese"),
    [(True, "1 legal, 1 failure to rout", "1次溃退失败"),
     (False, "1 legal, 1 failure to rout (1 still on the map)", "1次溃退失败（1个仍在地图上）")],
)  # fmt: skip
def test_failures_that_are_findings_are_told_as_such(
    tmp_path: Path, removed: bool, said: str, chinese: str
) -> None:
    result = failed(tmp_path, removed=removed)
    assert result.differs is not removed
    assert told(result).splitlines()[0].endswith(said)
    assert told(result, "zh").splitlines()[0].endswith(chinese)
    assert next(summary_lines(result, words_in("en"))).endswith(said)  # the watcher's line
    chip = said.split(", ")[-1]
    assert f'<span class="en">{chip}</span><span class="zh">{chinese}</span>' in page_of(result)


def test_a_log_without_a_rout_phase_says_so(tmp_path: Path) -> None:
    log = Example("M9")
    log.begin()
    log.say("hello")
    result = audit(log, tmp_path)
    assert result.phases == ()
    assert told(result).splitlines()[0].endswith(": no rout phase found")
    assert told(result, "zh").splitlines()[0].endswith(": 没有找到溃退阶段")
    assert list(summary_lines(result, words_in("en"))) == ["Rout audit: no rout phase found"]
    assert "no rout phase found" in page_of(result)


def test_two_saves_have_no_steps(tmp_path: Path) -> None:
    result = between(*saves(tmp_path, ("M9", "M8")))
    text = told(result)
    assert "Rout phase 1 (from one save to the next)" in text
    assert "   4-4-7 (Russian) zM9 > zM8: DIFFERS FROM 3.6" in text
    for shown in (text, page_of(result)):
        assert "step 0" not in shown.lower()
        assert "steps 0" not in shown.lower()
        assert "Step 1" not in shown
    assert "第1个溃退阶段（从一个存档到下一个）" in told(result, "zh")


def test_two_saves_in_which_all_units_are_the_same_are_told_as_such(tmp_path: Path) -> None:
    before, _ = saves(tmp_path, ("M9", "M8"))
    copy = tmp_path / "copy.vsav"
    copy.write_bytes(before.read_bytes())
    text = told(between(before, copy))
    assert "Rout phase 1 (no unit changed from one save to the next)" in text


def test_a_pin_that_may_be_one_is_told_without_contradiction(tmp_path: Path) -> None:
    """A roll with another button that would pin; nobody places a Pin counter."""
    log = Example("N7")
    log.begin()
    log.say("RtPh")
    log.rout("N7", "N8")
    log.roll("TC", 3, 4)
    log.say("all routs done, APh")
    result = audit(log, tmp_path)
    (rout,) = result.phases[0].routs
    text = sentences(rout)
    assert "without a pin" not in text
    assert rout.cut is Cut.PINNED
    assert "Pinned in zN8: the rout ends there." not in told(result) + page_of(result)
    if "stops-short" in {why.code.value for why in rout.reasons}:
        assert "Stops in zN8, short of its destination; no Pin counter was placed" in text
    assert "A roll of 7 in zN8 equals 7: if it was the NMC, it is pinned" in text


def test_a_marked_pin_that_nothing_explains_is_told_without_contradiction(tmp_path: Path) -> None:
    log = Example("O9", germans=("O5", "O6", "M6", "L7"))
    log.begin()
    rout = audit_of_marked_pin(log, tmp_path)
    assert "without a pin" not in sentences(rout)


def audit_of_marked_pin(log: Example, folder: Path) -> AuditedRout:
    log.say("RtPh")
    log.rout("O9", "O10")
    pin = log.marker("Pin", "zA2")
    log.move(pin, to="zO10")
    log.say("all routs done, APh")
    return audit(log, folder).phases[0].routs[0]


def sentences(rout: AuditedRout) -> str:
    words = words_in("en")
    return " ".join(rout_line(replace(rout, reasons=(why,)), words) for why in rout.reasons)


def test_the_model_counts_what_is_forgotten() -> None:
    report = village_audit("en")
    assert report.forgotten == 1
    assert "forgotten" not in AuditReport.model_fields
