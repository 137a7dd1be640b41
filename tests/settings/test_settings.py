"""Layers: command line over environment over rout.toml over own file over defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassal_bridge.errors import SettingsError
from vassal_bridge.limits import MAX_YAML_BYTES
from vassal_bridge.settings import (
    Settings,
    environment_layer,
    fingerprint,
    game_files,
    load_settings,
    parse_pairs,
    user_settings_file,
)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults() -> None:
    loaded = load_settings()
    assert loaded.settings == Settings()
    assert (loaded.settings.edition, loaded.settings.month, loaded.settings.boards) == (
        "sk3",
        None,
        (),
    )
    assert set(loaded.origins.values()) == {"default"}


def test_the_layers_in_order(tmp_path: Path) -> None:
    user = write(
        tmp_path / "user.toml",
        "edition='sk1'\nmonth=1\nattacker='German'\nlang='zh'\nlos_list=false",
    )
    league = write(tmp_path / "league" / "rout.toml", "edition='sk2'\nmonth=2\nattacker='Russian'")
    game = write(tmp_path / "league" / "game" / "rout.toml", "edition='sk3'\nmonth=3")
    loaded = load_settings(
        {"edition": "sk4", "month": None, "boards": ()},
        env={"ROUT_MONTH": "4", "ROUT_EDITION": "sk1"},
        folder=tmp_path / "league" / "game",
        user_file=user,
    )
    settings = loaded.settings
    assert (settings.edition, settings.month, settings.attacker) == ("sk4", 4, "Russian")
    assert (settings.lang, settings.los_list) == ("zh", False)
    assert loaded.origins["edition"] == "command line"
    assert loaded.origins["month"] == "environment ROUT_MONTH"
    assert loaded.origins["attacker"] == str(league)
    assert loaded.origins["lang"] == str(user)
    assert loaded.origins["sides"] == "default"
    assert loaded.files == (game, league, user)


def test_tables_are_merged(tmp_path: Path) -> None:
    write(tmp_path / "rout.toml", "[readings]\nR4='b'\nR28='2'\n[sides]\nRussian='Allied'")
    write(tmp_path / "g" / "rout.toml", "[readings]\nR4='a'\n[sides]\n'Axis Minor'='Axis'")
    settings = load_settings(folder=tmp_path / "g").settings
    assert settings.readings == {"R4": "a", "R28": "2"}
    assert settings.sides == {"Russian": "Allied", "Axis Minor": "Axis"}


def test_nothing_is_read_but_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITION", "sk1")
    monkeypatch.setenv("ROUT_EDITION", "sk1")
    assert Settings().edition == "sk3"
    assert load_settings().settings.edition == "sk3"
    assert Settings(edition="sk2").edition == "sk2"


def test_paths_are_meant_from_the_file_they_stand_in(tmp_path: Path) -> None:
    write(tmp_path / "g" / "rout.toml", "boards = ['../boards', '/abs', '~/own']\nvmod='x.vmod'")
    settings = load_settings(folder=tmp_path / "g", home=Path("/home/u")).settings
    assert settings.boards == (tmp_path / "g" / "../boards", Path("/abs"), Path("/home/u/own"))
    assert settings.vmod == tmp_path / "g" / "x.vmod"


def test_one_folder_need_not_be_a_list(tmp_path: Path) -> None:
    write(tmp_path / "rout.toml", "boards = '/b'")
    assert load_settings(folder=tmp_path).settings.boards == (Path("/b"),)


def test_names_of_vasl_templates_in_the_environment() -> None:
    env = {
        "VASSAL_DIR": "/v", "VASL_MOD": "/m.vmod", "VASL_EXTNS_DIR": "/e", "BOARDS_DIR": "/b",
        "PATH": "/bin", "ROUT_LANG": "",
    }  # fmt: skip
    settings = load_settings(env=env).settings
    assert settings.vassal_dir == Path("/v")
    assert settings.vmod == Path("/m.vmod")
    assert settings.extensions_dir == Path("/e")
    assert settings.boards == (Path("/b"),)
    assert load_settings(env={**env, "ROUT_BOARDS": "/mine"}).settings.boards == (Path("/mine"),)


def test_names_of_vasl_templates_pasted_from_its_file(tmp_path: Path) -> None:
    text = (
        "[Site Config]\r\n\r\nVASSAL_DIR = C:\\Program Files\\VASSAL-3.6.6\\\r\n"
        "VASL_MOD    = C:\\bin\\vasl\\vasl-6.6.4.vmod\r\nBOARDS_DIR='/quoted # so'\r\n"
    )
    path = tmp_path / "rout.toml"
    path.write_bytes(text.encode())
    settings = load_settings(folder=tmp_path).settings
    assert settings.vassal_dir is not None
    assert str(settings.vassal_dir).endswith("C:\\Program Files\\VASSAL-3.6.6\\")
    assert str(settings.vmod).endswith("C:\\bin\\vasl\\vasl-6.6.4.vmod")
    assert settings.boards == (Path("/quoted # so"),)


def test_lists_in_the_environment_are_separated_as_paths_are() -> None:
    layer = environment_layer({"ROUT_BOARDS": r"C:\a;D:\b; "}, separator=";", base=Path("/"))
    assert [path.name for path in layer.values["boards"]] == [r"C:\a", r"D:\b"]


def test_tables_in_the_environment() -> None:
    settings = load_settings(env={"ROUT_SIDES": "Russian=Allied, German=Axis"}).settings
    assert settings.sides == {"Russian": "Allied", "German": "Axis"}
    with pytest.raises(SettingsError, match='ROUT_READINGS: "R4" is not of the form NAME=VALUE'):
        load_settings(env={"ROUT_READINGS": "R4"})
    assert parse_pairs("a=b=c", "x") == {"a": "b=c"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("month = 13", "month: Input should be less than or equal to 12"),
        ("edition = 'sk9'", "edition: Input should be 'sk1', 'sk2', 'sk3' or 'sk4'"),
        ("mont = 3", 'unknown key "mont", did you mean "month"?'),
        ("SecretName = 'x'", 'unknown key "SecretName"'),
        ("[readings]\nrule4 = 'a'", "readings.rule4: String should match pattern"),
        ("[sides]\nRussian = 3", "sides.Russian: Input should be a valid string"),
        ("out = '/x'", '"out" may stand on the command line and in your own settings file only'),
        ("saves = ['/x']", '"saves" may stand on the command line and in your own settings file'),
        ("month = x", "not TOML: Invalid value (at line 1, column 9)"),
        (r'boards = "C:\Users"', r"put Windows paths into single quotes: 'C:\ASL\boards'"),
        ("boards = [3]", "boards.0: Input is not a valid path"),
    ],
)
def test_a_wrong_file_is_named_with_the_key(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "rout.toml", text)
    with pytest.raises(SettingsError) as caught:
        load_settings(folder=tmp_path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_layer_that_is_wrong_is_blamed(tmp_path: Path) -> None:
    write(tmp_path / "rout.toml", "[readings]\nr4='a'")
    with pytest.raises(SettingsError, match=r"rout.toml: readings.r4"):
        load_settings({"readings": {"R5": "b"}}, folder=tmp_path)
    with pytest.raises(SettingsError, match=r"^environment: ROUT_MONTH: "):
        load_settings(env={"ROUT_MONTH": "may"})
    with pytest.raises(SettingsError, match=r"^command line: edition: "):
        load_settings({"edition": "sk0"})
    with pytest.raises(SettingsError, match=r"^command line: colour: "):
        load_settings({"colour": "red"})


def test_a_weaker_wrong_value_does_not_matter(tmp_path: Path) -> None:
    write(tmp_path / "rout.toml", "month = 13")
    assert load_settings({"month": 5}, folder=tmp_path).settings.month == 5


def test_own_file_may_say_where_results_go(tmp_path: Path) -> None:
    user = write(tmp_path / "u.toml", "out='/x'\nsaves=['/s']")
    settings = load_settings(user_file=user).settings
    assert (settings.out, settings.saves) == (Path("/x"), (Path("/s"),))
    assert load_settings(user_file=tmp_path / "none.toml").files == ()


def test_files_that_cannot_be_settings(tmp_path: Path) -> None:
    path = tmp_path / "rout.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="not UTF-8 text"):
        load_settings(folder=tmp_path)
    path.write_bytes(b"#" * (MAX_YAML_BYTES + 1))
    with pytest.raises(SettingsError, match=f"larger than {MAX_YAML_BYTES} bytes"):
        load_settings(folder=tmp_path)
    path.write_bytes(b"\xef\xbb\xbfmonth = 5")
    assert load_settings(folder=tmp_path).settings.month == 5


def test_upward_from_the_folder_of_the_save(tmp_path: Path) -> None:
    near = write(tmp_path / "a" / "b" / "rout.toml", "")
    far = write(tmp_path / "rout.toml", "")
    (tmp_path / "a" / "rout.toml").mkdir()
    found = game_files(tmp_path / "a" / "b" / "c")
    assert [path for path in found if path.is_relative_to(tmp_path)] == [near, far]


def test_equal_settings_have_one_fingerprint() -> None:
    one = fingerprint(load_settings({"month": 5, "out": Path("/x")}).settings, "0.1")
    assert one == fingerprint(load_settings(env={"ROUT_MONTH": "5"}).settings, "0.1")
    assert one != fingerprint(load_settings({"month": 6}).settings, "0.1")
    assert one != fingerprint(load_settings({"month": 5}).settings, "0.2")


def test_the_own_file_has_its_place() -> None:
    assert user_settings_file().name == "settings.toml"
    assert "vassal-bridge" in str(user_settings_file())
