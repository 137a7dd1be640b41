"""A log shows what VASSAL shows when it has been stepped through, or at another step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commandline import own_home, run
from tests.shared import BOARDS, EXPECTED, LOGS, needs_shared
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.vassal import game_after, open_saved, replay
from vassal_bridge.vassal.ourmarks import is_mark

ENDS = sorted(EXPECTED.glob("*.end.json")) if EXPECTED.is_dir() else []
DEMO = ("--boards", demo_boards(), "--month", 7)


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_home(monkeypatch, tmp_path)


def told(capfd: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capfd.readouterr()
    assert run(*arguments) == 0
    return json.loads(capfd.readouterr().out)


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("expected", ENDS, ids=lambda path: path.name)
def test_inspect_of_a_log_is_what_the_client_shows_at_its_end(
    expected: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = next(LOGS.glob(f"*/{expected.name.removesuffix('.end.json')}"))
    found = told(capfd, "inspect", log, "--json", "--boards", BOARDS)
    counters = {counter["id"]: counter for counter in found["counters"]}
    compared = 0
    for piece in json.loads(expected.read_text("utf-8"))["pieces"]:
        if piece["kind"] == "stack" or piece["map"] != "Main Map":
            continue
        if piece["props"].get("InvisibleToOthers") == "true":
            assert piece["id"] not in counters
            continue
        mine = counters[piece["id"]]
        assert (mine["x"], mine["y"]) == (piece["x"], piece["y"])
        if mine["hex"] is not None:  # with one board VASL leaves its name out
            assert mine["hex"] in (piece["location"], piece["board"] + piece["location"])
        if mine["name"] != "?":
            assert mine["name"].strip() == (piece["name"] or "").strip()
        compared += 1
    assert compared >= 10


def test_a_log_after_each_of_its_steps() -> None:
    saved = open_saved(demo_log())
    steps = list(replay(saved))
    assert game_after(saved)[1] == len(steps)
    for step in steps:
        game, at = game_after(saved, step.index)
        assert at == step.index
        assert dict(game.pieces) == dict(step.game.pieces)
        assert list(game.chat) == list(step.game.chat)


def test_report_and_inspect_say_which_step(capfd: pytest.CaptureFixture[str]) -> None:
    last = len(list(replay(open_saved(demo_log()))))
    for chosen, step in ((), last), (("--step", 0), 0), (("--step", 2), 2):
        report = told(capfd, "report", demo_log(), *DEMO, "--format", "json", *chosen)
        note = next(each for each in report["assumptions"] if each["code"] == "log-step")
        assert f"after step {step} " in note["text"]
        assert run("inspect", demo_log(), "--boards", demo_boards(), *chosen) == 0
        assert f", after step {step})" in capfd.readouterr().out.splitlines()[0]
    save = told(capfd, "report", demo_save(), *DEMO, "--format", "json")
    assert not [each for each in save["assumptions"] if each["code"] == "log-step"]


@pytest.mark.parametrize(
    ("file", "step", "told_so"),
    [(demo_log(), 9999, "no step 9999: the log has "), (demo_save(), 1, "no step 1: no log")],
)
def test_a_step_that_is_not_there(
    file: Path, step: int, told_so: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("report", file, *DEMO, "--step", step) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert told_so in line
    assert file.name in line


def test_a_position_file_has_no_steps(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "here.rout.yaml"
    file.write_text("boards: [[open]]\nunits: {German: [4-6-7 F5 broken dm]}\n", "utf-8")
    assert run("report", file, "--step", 0) == 0
    assert run("report", file, "--step", 1) == 2
    assert "here.rout.yaml: no step 1: no log" in capfd.readouterr().err


@pytest.mark.parametrize("step", [0, 3, None])
def test_marks_on_a_log_come_behind_the_step_they_are_about(
    step: int | None, tmp_path: Path
) -> None:
    chosen = () if step is None else ("--step", step)
    assert run("report", demo_log(), *DEMO, "--format", "vsav", "--out", tmp_path, *chosen) == 0
    (copy,) = tmp_path.glob("*.rout.vsav")
    before = list(replay(open_saved(demo_log())))
    after = list(replay(open_saved(copy)))
    ours = [each.index for each in after if any(is_mark(command) for command in each.commands)]
    if step == 0:
        assert not ours
        assert len(after) == len(before)
    else:
        at = len(before) if step is None else step
        assert ours == [at + 1]
        assert all(is_mark(command) for command in after[at].commands)
        assert after[at - 1].changes != after[at].changes
    assert run("clean", copy, "--out", tmp_path / "clean.vlog") == 0
    assert open_saved(tmp_path / "clean.vlog").text == open_saved(demo_log()).text
