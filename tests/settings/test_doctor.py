"""The doctor on an empty home and on a made-up VASL, for each system; and `init`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.settings.machines import (
    CANARY,
    CONFIGS,
    GAMES,
    HOMES,
    SYSTEMS,
    installed,
    machine,
    properties,
    put,
)
from vassal_bridge import doctor
from vassal_bridge.discovery import System, discover
from vassal_bridge.doctor import as_text, examine, healthy, require_boards, stated_places
from vassal_bridge.errors import SettingsError
from vassal_bridge.first_settings import (
    Question,
    parse_answer,
    questions,
    settings_text,
    write_settings,
)
from vassal_bridge.settings import load_settings


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_empty_home(system: System) -> None:
    on = machine(system)
    checks = examine(on, discover(on), load_settings())
    assert {check.topic: check.state for check in checks} == {
        "vassal": "note", "config": "note", "module": "note", "boards": "missing",
        "saves": "note", "settings": "note", "live": "ok",
    }  # fmt: skip
    assert not healthy(checks)
    text = as_text(checks)
    assert f"✘ usual place {CONFIGS[system]}: not there" in text
    assert "✘ VASL boards: not found" in text
    assert "✘ VASL preference boardURL: not set" in text
    assert "--boards DIR" in text
    assert "`vassal-bridge init`" in text


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_made_up_vasl(system: System) -> None:
    on = installed(system)
    checks = examine(on, discover(on), load_settings())
    assert healthy(checks)
    text = as_text(checks)
    slash = "\\" if system == "windows" else "/"
    games = GAMES[system]
    assert f"✔ VASSAL settings: {CONFIGS[system]}  (VASSAL 3.7.5, 3.7.22 has run here)" in text
    assert f"✔ VASL module: {games}{slash}VASL{slash}vasl-6.7.3.vmod" in text
    assert f"✔ VASL boards: {games}{slash}VASL{slash}my boards  (3 boards)" in text
    assert f"✔ Saved games: {games}{slash}Players{slash}Boris" in text
    assert f"✘ VASL preference savedGameDir {games}{slash}gone: not there" in text
    assert CANARY not in text
    assert CANARY not in repr(checks)


@pytest.mark.parametrize("system", SYSTEMS)
def test_in_chinese_no_english_sentence_is_left(system: System) -> None:
    for on in (machine(system), installed(system)):
        text = as_text(examine(on, discover(on), load_settings()), "zh")
        for phrase in ("not there", "usual place", "preference ", "boards)", "found"):
            assert phrase not in text
        assert "✘" in text


def test_both_languages_have_every_text() -> None:
    assert doctor.TEXTS["zh"].keys() == doctor.TEXTS["en"].keys()
    assert doctor.FINDINGS["zh"].keys() == doctor.FINDINGS["en"].keys()


def test_vassal_here_but_vasl_never_opened() -> None:
    on = machine("linux")
    put(on, CONFIGS["linux"], "errorLog-3.7.22")
    text = as_text(examine(on, discover(on), load_settings()))
    assert "– VASSAL settings: /home/anna/.VASSAL" in text
    assert "Open VASL once" in text


def test_a_folder_without_boards_gets_other_advice() -> None:
    on = machine("linux")
    put(on, CONFIGS["linux"], "prefs", "VASL", data=properties({"boardURL": "/b"}))
    put(on, "/b", "readme")
    text = as_text(examine(on, discover(on), load_settings()))
    assert "✘ VASL preference boardURL /b: holds no board files (bdz, bdy, …)" in text
    assert "A folder was found but holds no board files." in text


def test_places_stated_in_every_layer_are_tried_in_order(tmp_path: Path) -> None:
    (tmp_path / "rout.toml").write_text("boards = '/from-file'\nvmod='/m.vmod'")
    loaded = load_settings(
        {"boards": ["/from-command"]}, env={"BOARDS_DIR": "/from-env"}, folder=tmp_path
    )
    places = stated_places(loaded)
    assert [(one.path, one.by) for one in places["boards"]] == [
        ("/from-command", "command line"),
        ("/from-env", "environment BOARDS_DIR"),
        ("/from-file", str(tmp_path / "rout.toml")),
    ]
    assert [one.path for one in places["module"]] == ["/m.vmod"]
    on = machine("linux")
    put(on, "/from-env", "bdz")
    checks = examine(on, discover(on, places), loaded)
    boards = next(check for check in checks if check.topic == "boards")
    assert (boards.state, boards.value, boards.advice) == ("note", "/from-env", "stated-wrong")
    settings = next(check for check in checks if check.topic == "settings")
    assert settings.value == str(tmp_path / "rout.toml")
    assert "sets boards, vmod" in as_text(checks)


def test_boards_that_are_needed() -> None:
    on = installed("linux")
    assert [str(p) for p in require_boards(discover(on))] == [
        "/home/anna/Spiele/ASL/VASL/my boards"
    ]
    with pytest.raises(
        SettingsError, match=r"no VASL boards found \(tried: VASL preference boardURL"
    ):
        require_boards(discover(machine("linux")))
    loaded = load_settings({"boards": ["/nowhere"]})
    with pytest.raises(SettingsError, match=r"^--boards: /nowhere: not there$"):
        require_boards(discover(on, stated_places(loaded)))


def test_the_live_view_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "uvicorn" else name)
    on = machine("linux")
    text = as_text(examine(on, discover(on), load_settings()))
    assert 'pip install ".[live]"' in text


# --- init ---


@pytest.mark.parametrize("system", SYSTEMS)
def test_init_proposes_what_was_found(system: System) -> None:
    on = installed(system)
    asked = {question.field: question for question in questions("user", discover(on))}
    assert list(asked) == ["boards", "saves", "edition", "lang"]
    assert asked["boards"].default.endswith("my boards")
    assert asked["saves"].default.endswith("Boris")
    assert all(set(question.text) == {"en", "zh"} for question in asked.values())


def test_answers_become_a_file_that_reads_back(tmp_path: Path) -> None:
    answers = {
        question.field: parse_answer(question, answer)
        for question, answer in zip(
            questions("user"), ["/b one; /c'two", "", "sk2", "zh"], strict=True
        )
    }
    path = tmp_path / "config" / "settings.toml"
    write_settings(path, settings_text(answers))
    settings = load_settings(user_file=path).settings
    assert settings.boards == (Path("/b one"), Path("/c'two"))
    assert (settings.edition, settings.lang, settings.saves) == ("sk2", "zh", ())


def test_a_game_folder_of_its_own(tmp_path: Path) -> None:
    answers = {
        question.field: parse_answer(question, answer)
        for question, answer in zip(
            questions("game"), ["", "10", "Axis Minor=Axis, Russian=Allied"], strict=True
        )
    }
    write_settings(tmp_path / "rout.toml", settings_text(answers))
    settings = load_settings(folder=tmp_path).settings
    assert settings.month == 10
    assert settings.sides == {"Axis Minor": "Axis", "Russian": "Allied"}


def test_a_settings_file_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "rout.toml"
    write_settings(path, "month = 1")
    with pytest.raises(SettingsError, match="is there already"):
        write_settings(path, "month = 2")
    write_settings(path, "month = 3", overwrite=True)
    assert path.read_text() == "month = 3"


def test_a_wrong_answer_is_refused() -> None:
    month = Question("month", {})
    with pytest.raises(SettingsError, match="month"):
        parse_answer(month, "13")
    assert parse_answer(month, "  ") is None


@given(st.lists(st.text(min_size=1, max_size=30).filter(lambda t: t.isprintable() or "\n" in t)))
def test_any_path_survives_the_file(paths: list[str]) -> None:
    text = settings_text({"boards": paths, "los_list": False, "month": 3})
    assert tomllib.loads(text) == {"boards": paths, "los_list": False, "month": 3}


def test_homes_differ() -> None:
    assert len(set(HOMES.values())) == 3
