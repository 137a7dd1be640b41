"""Wrong usage ends with exit code 2 and says what is wrong, with every typer."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.shared import ROOT


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", "--bad"], "--bad"),
        (["repor"], "repor"),
        (["report"], "FILE"),
        (["report", "x.vsav", "--month", "13"], "--month"),
        (["report", "no such file.vsav"], "no such file.vsav"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "vassal_bridge", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert "internal fault" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["report", "--help"]])
def test_asking_for_help_is_exit_code_0(arguments: list[str]) -> None:
    """Without click installed: typer no longer brings it (0.29)."""
    hide = "import sys; sys.modules['click'] = None; from vassal_bridge.cli import run; run()"
    command = [sys.executable, "-c", hide, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def help_of(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "vassal_bridge", *command, "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_help_cuts_no_summary() -> None:
    shown = " ".join(help_of().partition("Commands:")[2].split())
    assert "..." not in shown
    assert "who must, may, cannot rout, where to, and why." in shown


@pytest.mark.parametrize(
    ("command", "usage", "argument"),
    [
        ("report", "report [OPTIONS] FILE...", "FILE...  Saves, logs, position files."),
        ("init", "init [OPTIONS] [FOLDER]", "FOLDER  Of a game"),
        ("los", "los [OPTIONS] FILE-or-BOARD [FROM] [TO]", "FROM           Hex."),
        ("watch", "watch [OPTIONS] [DIR...]", "DIR...  Folders"),
    ],
)
def test_help_shows_arguments_as_they_are_typed(command: str, usage: str, argument: str) -> None:
    shown = help_of(command)
    assert usage in shown.splitlines()[0]
    assert f"  {argument}" in shown
    for python in ("<", "{", "list[", "[["):
        assert python not in shown.replace("<=", "")
