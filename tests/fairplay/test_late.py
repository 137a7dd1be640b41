"""``--after-the-fact`` and ``--no-los-list``: what players agreed not to be told is not told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import commandline
from tests.report import annotated_rules as rules
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.tasks.session import open_session
from vassal_bridge.tasks.watching import FileJob
from vassal_bridge.vassal import open_saved
from vassal_bridge.watch import ReadyFile

LINE = "After the fact: only routs already made are judged, nothing is foretold."
FORETOLD = ("MUST", "must rout", "may rout", "eliminated", "targets", "Destinations")


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commandline.own_home(monkeypatch, tmp_path)


def run(*arguments: object) -> int:
    boards = ("--boards", demo_boards())
    return commandline.run(*arguments, *boards)


def test_the_report_says_so_in_one_line_and_nothing_else(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run("report", demo_save(), "--after-the-fact") == 0
    out = capfd.readouterr().out
    assert out.count("After the fact") == 1
    assert out.startswith(f"demo.vsav: {LINE}\n")
    for word in FORETOLD:
        assert word not in out


def test_json_and_page_list_no_duties(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--after-the-fact", "--out", tmp_path)
    assert run("report", demo_save(), "--format", "json,html,svg,vsav", *options) == 0
    report = json.loads((tmp_path / "demo.rout.json").read_text("utf-8"))
    assert report["units"] == []
    assert report["los"] == []
    assert report["assumptions"][0] == {"code": "after-the-fact", "text": LINE}
    page = (tmp_path / "demo.rout.html").read_text("utf-8")
    assert LINE in page
    assert "No broken units" not in page
    old, new = open_saved(demo_save()).text, open_saved(tmp_path / "demo.rout.vsav").text
    assert rules.check(old, new) == [f"CHAT- vassal-bridge: {LINE}"]
    assert capfd.readouterr().out == ""


def test_the_settings_of_a_game_folder_hold_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rout.toml").write_text("after_the_fact = true\nlang = 'zh'\n", encoding="utf-8")
    save = tmp_path / "g.vsav"
    save.write_bytes(demo_save().read_bytes())
    assert run("report", save) == 0
    assert "事后判定" in capfd.readouterr().out


def test_an_audit_works_in_full(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "g.vlog"
    log.write_bytes(demo_log().read_bytes())
    assert run("audit", log) in (0, 1)
    whole = capfd.readouterr().out
    (tmp_path / "rout.toml").write_text("after_the_fact = true\n", encoding="utf-8")
    assert run("audit", log) in (0, 1)
    assert capfd.readouterr().out == whole
    assert "differ" in whole or "legal" in whole


def test_the_watcher_audits_only(tmp_path: Path) -> None:
    session = open_session({"after_the_fact": True, "lang": "en"}, boards=[demo_boards()])
    job = FileJob(session)
    results = []
    for path in (demo_save(), demo_log()):
        data = path.read_bytes()
        results.append(job(ReadyFile(path, data, "x", tmp_path, path.stem)))
    assert (results[0].headline, results[0].outputs) == (LINE, ())
    assert results[1].headline.startswith("Rout audit: ")
    assert {path.suffix for path in results[1].outputs} == {".html", ".vlog"}


def test_lines_of_sight_are_listed_unless_unwanted(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("report", demo_save()) == 0
    assert "LOS was computed for" in capfd.readouterr().out
    assert run("report", demo_save(), "--no-los-list") == 0
    assert "LOS was computed for" not in capfd.readouterr().out
    assert run("report", demo_save(), "--no-los-list", "--format", "json") == 0
    assert json.loads(capfd.readouterr().out)["los"] is None
