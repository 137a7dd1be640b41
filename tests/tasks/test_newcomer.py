"""What a newcomer stumbles over: options that must count, and troubles that must say what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from vassal_bridge.cli import app, exit_code
from vassal_bridge.demo import demo_boards, demo_save

Capture = pytest.CaptureFixture[str]

PLACE = """
boards: [[open]]
units:
  German:
    - 4-6-7 F5
  Russian:
    - 4-4-7 F8 broken dm
"""


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the developer's own settings nor his VASSAL reach a test."""
    for name in ("ROUT_BOARDS", "BOARDS_DIR", "ROUT_VASSAL_CONF", "VASSAL_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LANG", "C")


def run(*arguments: object) -> int:
    return exit_code(lambda: app([str(one) for one in arguments], standalone_mode=False))


def _json_of(capfd: Capture, *arguments: object) -> dict[str, dict[str, object]]:
    assert run(*arguments, "--format", "json") == 0
    found: dict[str, dict[str, object]] = json.loads(capfd.readouterr().out)
    return found


def _place(folder: Path, text: str = PLACE) -> Path:
    path = folder / "x.rout.yaml"
    path.write_text(text, encoding="utf-8")
    return path


# --- boards of a game folder ------------------------------------------------------------------


@pytest.mark.parametrize("form", ["boards = 'maps'", "boards = ['none', 'maps']"])
def test_boards_of_a_rout_toml_are_used(tmp_path: Path, form: str) -> None:
    game = tmp_path / "game"
    shutil.copytree(demo_boards(), game / "maps")
    save = game / "mine.vsav"
    save.write_bytes(demo_save().read_bytes())
    assert run("report", save) == 2
    (game / "rout.toml").write_text(form, encoding="utf-8")
    assert run("report", save) == 0
    assert run("audit", game, "--boards", game / "maps") == run("audit", game)


def test_the_command_lines_boards_win_over_those_of_a_rout_toml(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "rout.toml").write_text("boards = 'empty'", encoding="utf-8")
    save = tmp_path / "mine.vsav"
    save.write_bytes(demo_save().read_bytes())
    assert run("report", save) == 2
    assert run("report", save, "--boards", demo_boards()) == 0


# --- options and position files ---------------------------------------------------------------


def test_the_command_line_wins_over_a_position_file(tmp_path: Path, capfd: Capture) -> None:
    path = _place(tmp_path, f"edition: sk2\nmonth: 10\nattacker: German\n{PLACE}")
    said = _json_of(capfd, "report", path)["rules"]
    assert (said["edition"], said["month"], said["attacker"]) == ("sk2", 10, "German")
    options = ("--edition", "sk1", "--month", "7", "--attacker", "russian")
    typed = _json_of(capfd, "report", path, *options)["rules"]
    assert (typed["edition"], typed["month"], typed["attacker"]) == ("sk1", 7, "Russian")


def test_a_position_file_wins_over_a_rout_toml(tmp_path: Path, capfd: Capture) -> None:
    (tmp_path / "rout.toml").write_text("edition = 'sk1'\nmonth = 7\n", encoding="utf-8")
    rules = _json_of(capfd, "report", _place(tmp_path, f"edition: sk2\n{PLACE}"))["rules"]
    assert (rules["edition"], rules["month"]) == ("sk2", 7)


def test_no_edition_is_an_assumption_of_a_position_file_too(tmp_path: Path, capfd: Capture) -> None:
    path = _place(tmp_path)
    bare = _json_of(capfd, "report", path)["assumptions"]
    assert "edition-not-given" in {note["code"] for note in bare}  # type: ignore[index]
    given = _json_of(capfd, "report", path, "--edition", "sk3")["assumptions"]
    assert "edition-not-given" not in {note["code"] for note in given}  # type: ignore[index]


@pytest.mark.parametrize("kind", ["position", "save"])
def test_an_unknown_attacker_is_an_error(tmp_path: Path, capfd: Capture, kind: str) -> None:
    path = _place(tmp_path) if kind == "position" else demo_save()
    assert run("report", path, "--attacker", "Martian", "--boards", demo_boards()) == 2
    err = capfd.readouterr().err
    assert "--attacker Martian: this game has " in err
    assert "German" in err


def test_an_attacker_may_be_named_by_the_group(tmp_path: Path, capfd: Capture) -> None:
    rules = _json_of(capfd, "report", _place(tmp_path), "--attacker", "Allied")["rules"]
    assert rules["attacker"] == "Russian"
