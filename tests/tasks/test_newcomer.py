"""What a newcomer stumbles over: options that must count, and troubles that must say what to do."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest

from tests.audit.logs import LogMaker
from tests.commandline import own_home, run
from tests.vassal import samples
from vassal_bridge.board import BoardLibrary
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
    own_home(monkeypatch, tmp_path)


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
    assert "name two, the earlier first, or a log" in capfd.readouterr().err
    assert run("audit", demo_save(), tmp_path / "one.vsav", *options) == 0
    assert "no unit changed from one save to the next" in capfd.readouterr().out


def test_a_save_is_not_audited_against_itself(capfd: Capture) -> None:
    assert run("audit", demo_save(), demo_save(), "--boards", demo_boards()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "the same saved game twice: no rout phase lies between them" in err


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


# --- los --------------------------------------------------------------------------------------


def test_a_picture_is_not_thrown_at_a_terminal(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("los", "demo", "B2", "D5", "--boards", demo_boards(), "--format", "png")
    assert run(*asked) == 0  # into a pipe
    capfd.readouterr()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert run(*asked) == 2
    out, err = capfd.readouterr()
    assert (out, "--out FILE" in err) == ("", True)
    assert run(*asked, "--out", tmp_path / "a.png") == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_pairs_come_as_csv_or_json_only(tmp_path: Path, capfd: Capture) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("source,target\nB2,D5\nC3,C4\n", encoding="utf-8")
    asked = ("los", "demo", "--pairs", table, "--boards", demo_boards())
    assert run(*asked, "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert [(each["from"], each["to"]) for each in found] == [
        ("demoB2", "demoD5"),
        ("demoC3", "demoC4"),
    ]
    assert run(*asked) == 0
    lines = capfd.readouterr().out.splitlines()[1:]
    assert [int(line.split(",")[3]) for line in lines] == [each["blocked"] for each in found]
    for format_ in ("png", "svg", "text"):
        assert run(*asked, "--format", format_) == 2
        assert "of --pairs; known: csv, json" in capfd.readouterr().err


# --- init -------------------------------------------------------------------------------------


def _typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_wrong_answer_is_asked_for_again(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _typing(monkeypatch, "sk9", "sk2", "13", "x", "7", "")
    assert run("init", tmp_path) == 0
    text = (tmp_path / "rout.toml").read_text(encoding="utf-8")
    assert "edition = 'sk2'" in text
    assert "month = 7" in text
    out, err = capfd.readouterr()
    assert "sk1/sk2/sk3/sk4" in out
    assert err.count("Once more, please.") == 3


def test_a_wrong_answer_is_told_in_chinese_alone(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _typing(monkeypatch, "sk9", "", "13", "", "7", "")
    assert run("init", tmp_path, "--lang", "zh") == 0
    err = capfd.readouterr().err
    for typed in ("sk9", "13", "7"):
        assert f"“{typed}”不能作为“" in err
    assert err.count("请再输入一次。") == 3
    assert "not" not in err
    assert "NAME" not in err


def test_three_wrong_answers_end_it(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _typing(monkeypatch, "sk9", "sk8", "sk7", "sk1", "", "")
    assert run("init", tmp_path) == 2
    assert not (tmp_path / "rout.toml").exists()
    assert "sk1" in capfd.readouterr().err.splitlines()[-1]


def test_an_existing_file_is_refused_before_anything_is_asked(
    tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rout.toml").write_text("month = 3\n", encoding="utf-8")
    _typing(monkeypatch)
    assert run("init", tmp_path) == 2
    out, err = capfd.readouterr()
    assert (out, "--force" in err) == ("", True)
    _typing(monkeypatch, "sk1", "", "")
    assert run("init", tmp_path, "--force") == 0
    assert "sk1" in (tmp_path / "rout.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 2), (None, 2)])
def test_a_folder_is_made_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, code: int
) -> None:
    folder = tmp_path / "mistyped"
    _typing(monkeypatch, *([] if answer is None else [answer, "sk1", "", ""]))
    assert run("init", folder) == code
    assert (folder / "rout.toml").exists() == folder.exists() == (code == 0)
