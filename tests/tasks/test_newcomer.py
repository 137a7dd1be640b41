"""What a newcomer stumbles over: options that must count, and troubles that must say what to do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.audit.logs import LogMaker
from tests.vassal import samples
from vassal_bridge.board import BoardLibrary
from vassal_bridge.cli import app, exit_code
from vassal_bridge.demo import demo_boards, demo_log, demo_save

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


# --- what is asked, and what is said ----------------------------------------------------------


@pytest.mark.parametrize("name", ["A", "a", "zN6"])
def test_a_unit_is_called_by_its_letter_or_its_id(tmp_path: Path, name: str) -> None:
    ids = _units_by_letter()
    wanted = ids["A"] if name == "zN6" else name
    pictures = []
    for each in (ids["A"], wanted):
        out = tmp_path / f"{len(pictures)}"
        options = ("--boards", demo_boards(), "--format", "svg", "--out", out)
        assert run("report", demo_save(), "--unit", each, *options) == 0
        (written,) = out.iterdir()
        pictures.append(written.read_bytes())
    assert pictures[0] == pictures[1]


def _units_by_letter() -> dict[str, str]:
    from vassal_bridge.report.speech import entries
    from vassal_bridge.tasks.reporting import Wanted, report_job
    from vassal_bridge.tasks.session import open_session

    session = open_session({}, boards=[demo_boards()])
    report = report_job(session, demo_save(), Wanted()).report()
    return {entry.letter: entry.unit.id for entry in entries(report)}


@pytest.mark.parametrize("format_", ["text", "svg", "vsav"])
def test_an_unknown_unit_names_the_known_ones(capfd: Capture, format_: str) -> None:
    options = ("--boards", demo_boards(), "--format", format_)
    assert run("report", demo_save(), "--unit", "ZZ", *options) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert all(f"{letter} = {id_}" in err for letter, id_ in _units_by_letter().items())


def test_nobody_is_attacker_before_there_are_units(tmp_path: Path, capfd: Capture) -> None:
    fresh = LogMaker("demo", BoardLibrary([demo_boards()]))
    save = fresh.write(tmp_path, "fresh.vsav")
    assert run("report", save, "--boards", demo_boards()) == 0
    out = capfd.readouterr().out
    assert "no side has units on the map" in out
    assert "--attacker SIDE" in out
    assert "taken as" not in out


def test_one_save_cannot_be_audited_alone(tmp_path: Path, capfd: Capture) -> None:
    options = ("--boards", demo_boards())
    assert run("audit", demo_save(), *options) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "name two, the earlier first, or a log" in err
    (tmp_path / "one.vsav").write_bytes(demo_save().read_bytes())
    assert run("audit", tmp_path, *options) == 0
    assert run("audit", demo_save(), tmp_path / "one.vsav", *options) == 0


def test_after_the_fact_a_log_is_sent_to_audit(capfd: Capture) -> None:
    options = ("--boards", demo_boards(), "--after-the-fact")
    assert run("report", demo_log(), *options) == 0
    assert f"vassal-bridge audit {demo_log().name}" in capfd.readouterr().out
    assert run("report", demo_save(), *options) == 0
    assert "vassal-bridge audit" not in capfd.readouterr().out


@pytest.mark.parametrize("command", ["report", "audit"])
def test_files_written_are_told_on_standard_error(
    tmp_path: Path, capfd: Capture, command: str
) -> None:
    file = demo_save() if command == "report" else demo_log()
    options = ("--boards", demo_boards(), "--format", "text,html", "--out", tmp_path)
    assert run(command, file, *options) in (0, 1)
    out, err = capfd.readouterr()
    assert out == ""
    assert sorted(err.splitlines()) == sorted(f"wrote {path}" for path in tmp_path.iterdir())


# --- wrong files ------------------------------------------------------------------------------


def test_a_module_is_no_saved_game(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "vasl.vmod"
    module.write_bytes(samples.zipped({"buildFile.xml": b"<x/>", "images/a.png": b"a"}))
    for limit in (None, 10):
        if limit is not None:
            monkeypatch.setattr("vassal_bridge.vassal.archive.MAX_ARCHIVE_BYTES", limit)
        assert run("report", module) == 2
        assert "vasl.vmod: not a saved game: a VASSAL module" in capfd.readouterr().err


def test_a_ruling_file_is_sent_to_rulings(tmp_path: Path, capfd: Capture) -> None:
    path = tmp_path / "x.ruling.yaml"
    path.write_text("id: x\nposition: {boards: [[open]]}\nquestions: []\n", encoding="utf-8")
    assert run("report", path) == 2
    assert "vassal-bridge rulings x.ruling.yaml" in capfd.readouterr().err


def test_a_phase_beyond_the_log_is_wrong_usage(capfd: Capture) -> None:
    assert run("audit", demo_log(), "--boards", demo_boards(), "--phase", "1000-3000") == 2
    assert "--phase 1000-3000: the log ends with step " in capfd.readouterr().err
