"""Units of one name in one hex are told apart by the number of their ids."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.commandline import own_home, run
from tests.report.sketch_audit import audit_report
from vassal_bridge.report import apart, speech
from vassal_bridge.report.catalogue import Lang, words_in
from vassal_bridge.report.draw.compose import report_scene
from vassal_bridge.report.draw.scene import Group, Label, Shape, View
from vassal_bridge.report.job import Job
from vassal_bridge.report.model import AuditReport, Report
from vassal_bridge.report.text import audit_text, report_text
from vassal_bridge.rout.position import Kind, Unit
from vassal_bridge.rout.rulebook import Code, Reason


def twins(job: Job, lang: Lang = "en") -> Report:
    """The report with two of its units, of one name, in one hex."""
    report = job.report(lang)
    first, second, *rest = report.units
    assert first.name == second.name
    pair = [
        unit.model_copy(update={"hex": "zN7", "id": f"zN7/{n}"})
        for n, unit in enumerate((first, second), 1)
    ]
    return report.model_copy(update={"units": [*pair, *rest]})


def labels(shapes: tuple[Shape, ...]) -> list[str]:
    found = []
    for shape in shapes:
        if isinstance(shape, Label):
            found.append(shape.text)
        elif isinstance(shape, Group | View):
            found += labels(shape.items)
    return found


def test_the_examples() -> None:
    assert doctest.testmod(apart).failed == 0


@pytest.mark.parametrize(
    ("lang", "head"), [("en", "4-4-7 in zN7/{n} (Russian)"), ("zh", "zN7/{n}的4-4-7（苏军）")]
)
def test_text_and_picture_give_the_number(job: Job, lang: Lang, head: str) -> None:
    report, words = twins(job, lang), words_in(lang)
    text = report_text(report, words)
    assert job.picture is not None
    scene = labels(report_scene(report, job.picture, words).items)
    for n in (1, 2):
        assert text.count(head.format(n=n)) == 1
        assert scene.count(head.format(n=n)) == 1


def test_without_a_twin_there_is_no_number(job: Job) -> None:
    report = twins(job)
    other = report.units[1].model_copy(update={"name": "3-3-7"})
    report = report.model_copy(update={"units": [report.units[0], other]})
    assert [entry.place for entry in speech.entries(report)] == ["zN7", "zN7"]


PAIR = """
boards: [[open]]
units:
  German:
    - 4-6-7 F9
  Russian:
    - 4-4-7 F5 broken dm
    - 7-0 F5 broken dm
    - 4-4-7 F5 broken dm
"""


def test_the_page_and_a_position_file_give_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    own_home(monkeypatch, tmp_path)
    path = tmp_path / "pair.rout.yaml"
    path.write_text(PAIR, encoding="utf-8")
    assert run("report", path) == 0
    told = capfd.readouterr().out
    assert "4-4-7 in openF5/1 (Russian)" in told
    assert "4-4-7 in openF5/3 (Russian)" in told
    assert "7-0 in openF5 (Russian)" in told
    assert run("report", path, "--format", "html", "--out", tmp_path) == 0
    page = next(tmp_path.glob("*.html")).read_text(encoding="utf-8")
    for n in (1, 3):  # in the list, and over what is told of it
        assert page.count(f"<bdi>openF5/{n}</bdi>") == 2
    assert "<bdi>openF5/2</bdi>" not in page


def test_a_sentence_about_one_of_them_gives_its_number() -> None:
    words = words_in("en")
    units = {
        id_: Unit(id_, "German", id_[:3], Kind.SQUAD, "4-6-7", broken=id_ != "zO6/3")
        for id_ in ("zO6/1", "zO6/3", "zO5")
    }
    doubt = Reason("R84", Code.UNCERTAIN_STATE, (("unit", "zO6/1"),))
    assert "4-6-7 in zO6/1 can" in words.reason(doubt, units)
    alone = Reason("R84", Code.UNCERTAIN_STATE, (("unit", "zO5"),))
    assert "4-6-7 in zO5 can" in words.reason(alone, units)


def audited(*units: str | None) -> AuditReport:
    """The audit with its first rout made by several units of the same name."""
    report = audit_report("en")
    phase = report.phases[0]
    routs = [
        phase.routs[0].model_copy(update={"piece": str(n), "unit": unit})
        for n, unit in enumerate(units)
    ]
    phase = phase.model_copy(update={"routs": routs, "failures": [], "notes": []})
    return report.model_copy(update={"phases": [phase]})


def test_an_audit_gives_the_number_they_had_when_the_phase_began() -> None:
    text = audit_text(audited("zM9/1", "zM9/3"), words_in("en"))
    assert "4-4-7 (Russian) zM9/1 > zL8" in text
    assert "4-4-7 (Russian) zM9/3 > zL8" in text
    assert "zM9 > zL8" in audit_text(audited("zM9/2"), words_in("en"))
    assert "zM9 > zL8" in audit_text(audited(None), words_in("en"))


def test_one_unit_that_routs_twice_needs_no_number() -> None:
    report = audited("zM9/1", "zM9/1")
    same = [rout.model_copy(update={"piece": "0"}) for rout in report.phases[0].routs]
    phase = report.phases[0].model_copy(update={"routs": same})
    text = audit_text(report.model_copy(update={"phases": [phase]}), words_in("en"))
    assert text.count("zM9 > zL8") == 2
