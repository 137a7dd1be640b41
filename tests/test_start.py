"""What a command loads: each pays for its own job only, so that it starts at once."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.shared import ROOT
from vassal_bridge import __main__ as start
from vassal_bridge.cli import app
from vassal_bridge.demo import demo_boards, demo_save
from vassal_bridge.tasks import watching
from vassal_bridge.tasks.session import PYTHONS_OWN

POSITION = """
boards: [[open]]
units:
  German: ["4-6-7 F4 broken dm"]
  Russian: ["4-4-7 F6"]
"""
PICTURES = {"PIL", "jinja2", "vassal_bridge.report.draw", "vassal_bridge.report.html"}
WATCHING = {"watchdog", "starlette", "vassal_bridge.watch", "vassal_bridge.live"}
ROOMS = ("board", "bridge", "report", "vassal")


def _loaded(*arguments: str) -> set[str]:
    """The modules a command has loaded when it ends."""
    said = "print('MODULES', *sys.modules, file=sys.stderr)"
    code = f"import sys, atexit; atexit.register(lambda: {said}); from vassal_bridge.cli import run"
    command = [sys.executable, "-c", f"{code}; run(sys.argv[1:])", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    return set(done.stderr.split("MODULES ")[-1].split())


def test_help_loads_nothing_large() -> None:
    loaded = _loaded("--help")
    assert "vassal_bridge.cli" in loaded
    assert not loaded & {"numpy", "pydantic", "lxml", "rich", "yaml", "tomllib", *PICTURES}
    assert not {name for name in loaded if name.startswith("vassal_bridge.tasks.")}


def test_a_json_report_does_without_pictures_and_watcher() -> None:
    loaded = _loaded("report", str(demo_save()), "--boards", str(demo_boards()), "--format", "json")
    assert "vassal_bridge.vassal.game" in loaded
    unwanted = {"vassal_bridge.audit", "vassal_bridge.vassal.log", "vassal_bridge.bridge.positions"}
    assert not loaded & {"rich", "yaml", *unwanted, *PICTURES, *WATCHING}


def test_a_position_file_does_without_vassals_files(tmp_path: Path) -> None:
    path = tmp_path / "small.rout.yaml"
    path.write_text(POSITION, encoding="utf-8")
    loaded = _loaded("report", str(path), "--format", "json")
    assert "vassal_bridge.bridge.positions" in loaded
    unwanted = {"vassal_bridge.vassal.game", "vassal_bridge.vassal.pieces"}
    assert not loaded & {*unwanted, *PICTURES, *WATCHING}


@pytest.mark.parametrize("room", ROOMS)
def test_every_name_of_a_face_is_there(room: str) -> None:
    face = importlib.import_module(f"vassal_bridge.{room}")
    for name in face.__all__:
        assert getattr(face, name) is not None
        assert name in vars(face)
    with pytest.raises(AttributeError, match=f"'vassal_bridge.{room}' has no attribute 'nothing'"):
        _ = face.nothing


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_of_a_face_is_that_of_a_module(room: str) -> None:
    """Python would put the module in the place of the name as soon as it is loaded."""
    face = importlib.import_module(f"vassal_bridge.{room}")
    modules = {path.stem for path in (ROOT / "vassal_bridge" / room).glob("*.py")}
    assert not modules & set(face.__all__)


def test_the_process_is_set_up_for_a_short_life(monkeypatch: pytest.MonkeyPatch) -> None:
    before, ran = gc.get_threshold(), []
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "")  # so that it is put back afterwards
    monkeypatch.delenv("PYDANTIC_DISABLE_PLUGINS")

    def run() -> None:
        ran.append((gc.get_threshold()[0], os.environ["PYDANTIC_DISABLE_PLUGINS"]))
        raise SystemExit(2)

    monkeypatch.setattr("vassal_bridge.cli.run", run)
    try:
        with pytest.raises(SystemExit) as ended:
            start.main()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
    assert ended.value.code == 2
    assert ran == [(start.NEW_OBJECTS, "__all__")]
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3", "what the user has set stays"


def test_commands_that_see_many_files_collect_garbage_as_usual(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = gc.get_threshold()
    seen = []
    monkeypatch.setattr(watching, "watch", lambda *_, **__: seen.append(gc.get_threshold()) or 0)
    gc.set_threshold(start.NEW_OBJECTS)
    try:
        result = CliRunner().invoke(app, ["watch", str(tmp_path)])
        assert (result.exit_code, seen) == (0, [PYTHONS_OWN])
        gc.set_threshold(start.NEW_OBJECTS)
        CliRunner().invoke(app, ["audit", str(tmp_path)])
        assert gc.get_threshold() == PYTHONS_OWN
    finally:
        gc.set_threshold(*before)
