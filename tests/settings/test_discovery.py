"""Three systems, each from the outside in."""

from __future__ import annotations

import sys
from pathlib import Path, PurePath

import pytest

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
from vassal_bridge.discovery import (
    Machine,
    RealDisk,
    Stated,
    System,
    config_places,
    discover,
    is_board_name,
    system_of,
    this_machine,
    version_of,
)
from vassal_bridge.limits import MAX_PREFERENCES_BYTES

VASL = "VASL preference boardURL"


def vasl_folder(on: Machine) -> PurePath:
    return on.path(GAMES[on.system]) / "VASL"


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_empty_computer(system: System) -> None:
    on = machine(system)
    found = discover(on)
    assert (found.config, found.vassal, found.module) == (None, None, None)
    assert (found.boards, found.saves, found.vassal_versions) == ((), (), ())
    assert str(found.about("config")[0].path) == CONFIGS[system]
    boards = [(one.by, one.finding) for one in found.about("boards")]
    assert boards[0] == (VASL, "not-set")
    assert set(boards[1:]) == {("usual place", "absent")}
    assert str(found.about("boards")[1].path).startswith(HOMES[system])


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_computer_with_vasl(system: System) -> None:
    on = installed(system)
    found = discover(on)
    assert str(found.config) == CONFIGS[system]
    assert found.module == vasl_folder(on) / "vasl-6.7.3.vmod"  # newest, not first
    assert found.boards == (vasl_folder(on) / "my boards",)
    assert found.saves == (on.path(GAMES[system]) / "Players" / "Boris",)
    assert found.vassal_versions == ("3.7.5", "3.7.22")
    saves = [(one.by, one.finding) for one in found.about("saves")]
    assert saves == [
        ("VASL preference savedGameDir", "absent"),
        ("VASL preference RecentGames", "found"),
    ]
    assert CANARY not in repr(found)


@pytest.mark.parametrize("system", SYSTEMS)
def test_boards_beside_the_module_when_the_preference_is_stale(system: System) -> None:
    on = installed(system)
    put(on, str(vasl_folder(on)), "boards", "bdz")
    slash = "\\" if system == "windows" else "/"
    put(on, CONFIGS[system], "prefs", "VASL", data=properties({"boardURL": f"X:{slash}gone"}))
    found = discover(on)
    assert found.boards == (vasl_folder(on) / "boards",)
    assert [(one.by, one.finding) for one in found.about("boards")] == [
        (VASL, "absent"), ("beside the module", "found"),
    ]  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_usual_place_last(system: System) -> None:
    on = machine(system)
    put(on, HOMES[system], "ASL", "VASL", "boards", "bdz")
    put(on, HOMES[system], "ASL", "VASL", "vasl-6.7.3.vmod")
    put(on, HOMES[system], "ASL", "VASL", "vasl-6.7.3-beta2.vmod")
    found = discover(on)
    assert found.boards == (on.home / "ASL" / "VASL" / "boards",)
    assert found.module == on.home / "ASL" / "VASL" / "vasl-6.7.3.vmod"


def test_the_other_usual_place_of_windows() -> None:
    on = machine("windows")
    put(on, r"C:\ASL\VASL\boards", "bdz")
    assert [str(path) for path in discover(on).boards] == [r"C:\ASL\VASL\boards"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_stated_places_go_first_and_the_strongest_origin_counts(system: System) -> None:
    on = installed(system)
    for name in ("one", "two", "three"):
        put(on, HOMES[system], name, "bdz")
    stated = {
        "boards": [
            Stated("~/nowhere", "command line"),
            Stated("~/one", "environment ROUT_BOARDS"),
            Stated("~/two", "environment ROUT_BOARDS"),
            Stated("~/three", "settings.toml"),
        ]
    }
    found = discover(on, stated)  # type: ignore[arg-type]
    assert found.boards == (on.home / "one", on.home / "two")
    first = found.about("boards")[0]
    assert (first.by, first.finding, first.stated) == ("command line", "absent", True)


def test_a_stated_configuration_folder() -> None:
    on = installed("linux")
    put(on, "/conf", "prefs", "VASL", data=properties({"boardURL": "/b"}))
    put(on, "/b", "bdz")
    found = discover(on, {"config": [Stated("/conf", "environment ROUT_VASSAL_CONF")]})
    assert (str(found.config), [str(p) for p in found.boards]) == ("/conf", ["/b"])


def test_a_stated_saves_folder_ends_the_search() -> None:
    on = installed("linux")
    put(on, "/s", "a.vsav")
    found = discover(on, {"saves": [Stated("/s", "settings.toml"), Stated("/t", "settings.toml")]})
    assert [str(p) for p in found.saves] == ["/s"]
    assert [one.finding for one in found.about("saves")] == ["found", "absent"]


def test_a_folder_without_boards_is_no_board_folder() -> None:
    on = machine("linux")
    put(on, "/b", "bdz.zip")
    put(on, "/f")
    found = discover(on, {"boards": [Stated("/b", "x"), Stated("/f", "x")]})
    assert [one.finding for one in found.about("boards")][:2] == ["no-boards", "not-a-folder"]


def test_a_board_folder_as_an_address() -> None:
    on = installed("windows")
    put(on, CONFIGS["windows"], "prefs", "VASL", data=properties({"boardURL": "file:/D:/b"}))
    put(on, "D:/b", "bdz")
    assert [str(p) for p in discover(on).boards] == [r"D:\b"]
    on = installed("linux")
    put(on, CONFIGS["linux"], "prefs", "VASL", data=properties({"boardURL": "file:///b"}))
    put(on, "/b", "bdz")
    assert [str(p) for p in discover(on).boards] == ["/b"]


def test_the_game_played_last_names_the_folder_of_saves() -> None:
    on = machine("linux")
    put(
        on,
        CONFIGS["linux"],
        "prefs",
        "VASL",
        data=properties({"RecentGames": "/a/1.vsav,/b/2.vsav"}),
    )
    put(on, "/a/1.vsav", time=10.0)
    put(on, "/b/2.vsav", time=20.0)
    assert [str(p) for p in discover(on).saves] == ["/b"]


def test_a_windows_without_its_variables() -> None:
    on = Machine("windows", machine("windows").home, {}, machine("windows").disk)
    assert [str(p) for p in config_places(on)] == [CONFIGS["windows"]]


def test_a_roaming_folder_elsewhere() -> None:
    on = machine("windows", {"APPDATA": r"R:\Roaming"})
    assert [str(p) for p in config_places(on)] == [r"R:\Roaming\VASSAL"]


def test_a_flatpak_of_linux() -> None:
    on = machine("linux")
    put(on, HOMES["linux"], ".var", "app", "org.vassalengine.vassal", ".VASSAL", "prefs", "VASL")
    put(on, HOMES["linux"], ".var", "app", "org.other", "x")
    found = discover(on)
    assert str(found.config) == "/home/anna/.var/app/org.vassalengine.vassal/.VASSAL"


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("windows", r"C:\Program Files\VASSAL-3.7.22"),
        ("macos", "/Applications/VASSAL.app"),
        ("linux", "/opt/VASSAL-3.7.22"),
    ],
)
def test_where_vassal_is_installed(system: System, place: str) -> None:
    on = machine(system)
    put(on, place, "x")
    put(on, place.replace("3.7.22", "3.7.5"), "x")
    assert str(discover(on).vassal) == place


def test_preferences_that_cannot_be_read_are_told() -> None:
    on = installed("linux")
    put(on, CONFIGS["linux"], "prefs", "VASL", data=b"x" * (MAX_PREFERENCES_BYTES + 1))
    found = discover(on)
    assert [one.finding for one in found.about("preferences")] == ["found", "unreadable"]


def test_names_of_boards() -> None:
    assert [is_board_name(n) for n in ("bdz", "BD01", "bd", "bdz.zip", "ovr1", "bdBFPDW1a")] == [
        True, True, False, False, False, True,
    ]  # fmt: skip


def test_versions_are_compared_as_numbers() -> None:
    names = ["x", "vasl-6.7.3.vmod", "vasl-6.10.vmod", "vasl-6.7.3-beta9.vmod", "vasl-6.7.vmod"]
    assert sorted(names, key=version_of) == [
        "x", "vasl-6.7.vmod", "vasl-6.7.3-beta9.vmod", "vasl-6.7.3.vmod", "vasl-6.10.vmod",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("platform", "system"),
    [("win32", "windows"), ("darwin", "macos"), ("linux", "linux"), ("freebsd14", "linux")],
)
def test_systems(platform: str, system: System) -> None:
    assert system_of(platform) == system


def test_the_real_disk(tmp_path: Path) -> None:
    disk = RealDisk()
    (tmp_path / "b").mkdir()
    (tmp_path / "a").write_bytes(b"12345")
    assert list(disk.names(tmp_path)) == ["a", "b"]
    assert disk.is_dir(tmp_path / "b")
    assert disk.is_file(tmp_path / "a")
    assert not disk.is_dir(tmp_path / "a")
    assert not disk.is_file(tmp_path / "x")
    assert disk.read(tmp_path / "a", 5) == b"12345"
    assert disk.read(tmp_path / "a", 4) is None
    assert disk.read(tmp_path / "x", 4) is None
    assert list(disk.names(tmp_path / "x")) == []
    assert disk.modified(tmp_path / "a") > 0
    assert disk.modified(tmp_path / "x") == 0
    nul = PurePath("a\0b")
    assert not disk.is_dir(nul)
    assert not disk.is_file(nul)
    assert disk.read(nul, 5) is None


def test_this_machine_is_this_one() -> None:
    assert this_machine().system == system_of(sys.platform)
    assert this_machine().home == Path.home()
