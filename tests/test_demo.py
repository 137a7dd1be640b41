"""The embedded example: made by its script, read like any player's files, rich in situations."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from tests.shared import ROOT
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options, load_file
from vassal_bridge.cli import app
from vassal_bridge.demo import demo_board, demo_boards, demo_log, demo_save
from vassal_bridge.rout import Assessment, assess_all
from vassal_bridge.tasks.outputs import is_ours
from vassal_bridge.vassal.archive import ZIP_REMARK

LARGEST = 400 * 1024
FILES = ("bddemo", "demo.vsav", "demo-RtPh.vlog")


@pytest.fixture(scope="module")
def maker() -> Iterator[ModuleType]:
    """The script `tools/make_demo.py`, imported as `python tools/make_demo.py` would."""
    sys.path.insert(0, str(ROOT / "tools"))
    import make_demo

    yield make_demo
    sys.path.remove(str(ROOT / "tools"))


@pytest.fixture(scope="module")
def made(maker: ModuleType) -> dict[str, bytes]:
    """What the script makes now."""
    files: dict[str, bytes] = maker.make()
    return files


def contents(data: bytes) -> dict[str, bytes]:
    """Members of a zip, compression taken off: its bytes depend on the version of zlib."""
    members = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            member = archive.read(name)
            if name.endswith(".png"):
                image = Image.open(io.BytesIO(member))
                member = image.convert("RGB").tobytes()
            elif name == "LOSData":
                member = gzip.decompress(member)
            members[name] = member
    return members


def test_script_makes_the_committed_files(made: dict[str, bytes]) -> None:
    assert tuple(made) == FILES
    for name, data in made.items():
        assert contents(data) == contents((demo_boards() / name).read_bytes()), name


def test_board_is_known_as_ours(maker: ModuleType) -> None:
    """`demo` replaces the board it wrote before, also one of an older version."""
    assert maker.REMARK == ZIP_REMARK
    assert is_ours(demo_board())


def test_script_gives_the_same_bytes_twice(maker: ModuleType) -> None:
    again = [maker.los_data(), maker.saved(maker.game_text()), maker.saved(maker.log_text())]
    assert again == [
        maker.los_data(),
        maker.saved(maker.game_text()),
        maker.saved(maker.log_text()),
    ]


def test_example_is_small() -> None:
    assert sum((demo_boards() / name).stat().st_size for name in FILES) < LARGEST


def test_files_are_where_the_program_looks() -> None:
    assert demo_save().is_file()
    assert demo_log().is_file()
    assert (demo_boards() / "bddemo").is_file()


def test_board_is_a_board(maker: ModuleType) -> None:
    from vassal_bridge.board.archive import open_board

    board = open_board(demo_boards() / "bddemo")
    assert (board.name, board.version, board.has_hills) == ("demo", "1.0", True)
    assert (board.geometry.columns, board.geometry.rows) == (33, 10)
    assert np.array_equal(board.terrain, maker.terrain_grid().T)
    assert np.array_equal(board.elevation, maker.elevation_grid().T)
    picture = board.image_bytes()
    assert picture is not None
    assert Image.open(io.BytesIO(picture)).size == (1800, 645)


DUTIES = {
    "demoJ6": ("must", "R9"),
    "demoJ9": ("none", "R2"),
    "demoL5": ("eliminated", "R8"),
    "demoN7": ("must", "R8"),
    "demoQ4/2": ("may", "R4"),
    "demoS5": ("must", "R9"),
}
"""What the example is there to show, with the first reason."""


@pytest.fixture(scope="module")
def assessed() -> dict[str, Assessment]:
    """The saved game, judged."""
    loaded = load_file(demo_save(), Options(library=BoardLibrary([demo_boards()])))
    assert not loaded.problems
    return {each.unit: each for each in assess_all(loaded.position)}


def test_example_shows_every_duty(assessed: dict[str, Assessment]) -> None:
    shown = {unit: (each.duty.value, each.reasons[0].rule) for unit, each in assessed.items()}
    assert shown == DUTIES
    assert [unit for unit, each in assessed.items() if each.becomes_dm] == ["demoN7"]


def ends(assessment: Assessment) -> dict[str, str]:
    return {end.hex.removeprefix("demo"): end.how.value for end in assessment.ends}


def test_example_shows_interdiction_and_crawl(assessed: dict[str, Assessment]) -> None:
    """N7: three shelters equally near, each through fire; or one hex on the belly."""
    n7 = assessed["demoN7"]
    nearest = [(target.hex, target.mf2, target.because) for target in n7.targets]
    assert nearest == [("demoO9", 6, None), ("demoP7", 6, None), ("demoP8", 6, None)]
    best = next(end for end in n7.ends if end.hex == "demoP7")
    assert best.path == ("demoO7", "demoP7")
    assert [(each.hex, each.by) for each in best.interdictions] == [
        ("demoO7", ("demoM7", "demoM8"))
    ]
    assert ends(n7)["O7"] == ends(n7)["O8"] == "crawl"


def test_example_shows_what_depends(assessed: dict[str, Assessment]) -> None:
    """N7 alone: whether the road makes the woods of P8 nearer is read in two ways."""
    depends = [unit for unit, each in assessed.items() if each.certainty.value == "depends"]
    assert depends == ["demoN7"]
    assert {reading.split(":")[0].split("_")[0] for reading in assessed["demoN7"].readings} == {
        "r19"
    }


def test_example_shows_an_ignorable_hex(assessed: dict[str, Assessment]) -> None:
    """S5: the house next door is no farther from an American, so the woods will do as well."""
    because = {
        target.hex: target.because and target.because.rule for target in assessed["demoS5"].targets
    }
    assert because == {"demoS6": "R31", "demoS3": "R31", "demoT3": None}
    assert ends(assessed["demoS5"]) == {
        "S6": "both", "S4": "crawl", "T3": "move", "T4": "crawl", "S3": "move",
    }  # fmt: skip


def test_example_shows_a_choice_to_stay(assessed: dict[str, Assessment]) -> None:
    assert ends(assessed["demoQ4/2"])["Q4"] == "stay"
    assert ends(assessed["demoQ4/2"])["Q5"] == "both"


def test_example_shows_a_leader_who_can_go_along(assessed: dict[str, Assessment]) -> None:
    loaded = load_file(demo_save(), Options(library=BoardLibrary([demo_boards()])))
    leader = loaded.position.by_id["demoQ4/1"]
    assert (leader.name, leader.broken, leader.pinned) == ("8-1", False, False)
    assert leader.hex == "demoQ4"
    assert "demoQ4/1" not in assessed


def test_example_shows_the_eliminated(assessed: dict[str, Assessment]) -> None:
    """L5: all six neighbours barred, by two unbroken Americans and a broken one."""
    l5 = assessed["demoL5"]
    assert not l5.ends
    assert len(l5.barred) == 6
    k6 = next(each for each in l5.barred if each.hex == "demoK6")
    assert [dict(reason.facts)["enemy"] for reason in k6.reasons] == ["demoJ6"]


def test_log_holds_one_illegal_rout_and_one_failure() -> None:
    """N7 runs for the nearest house, next to the enemy it stands next to; L5 dies where it is."""
    arguments = ["audit", str(demo_log()), "--boards", str(demo_boards()), "--format", "json"]
    done = CliRunner().invoke(app, arguments)
    report = json.loads(done.stdout)
    counts = {"routs": 4, "legal": 3, "illegal": 1, "disputed": 0, "unproven": 0, "failures": 1}
    assert report["summary"] == counts
    (phase,) = report["phases"]
    (illegal,) = [rout for rout in phase["routs"] if rout["verdict"] == "illegal"]
    assert (illegal["from"], illegal["path"]) == ("demoN7", ["demoN6"])
    assert {reason["rule"] for reason in illegal["reasons"]} == {"R38", "R40"}
    assert illegal["last_legal_hex"] == "demoN7"
    (failure,) = phase["failures"]
    assert (failure["hex"], failure["handled"]) == ("demoL5", "removed")
    rolled = {each["hex"]: each["nmc"] for rout in phase["routs"] for each in rout["interdictions"]}
    assert rolled == {"demoS4": "rolled"}


HEXES = {
    "woods": "S2 S3 T2 U3 O9 N10 O10 Q9 I9 J8 J9 K9",
    "woods-road": "P8 P9",
    "building": "L5 M5 N4 N6 N8 P3 P5 P7 Q5 R7 S6 V4",
    "orchard": "M8 Q4 R3",
    "brush": "L8 M9 J4 U8 V8",
    "open": "M6 J7 S4 T4 K3 J2",
    "road": "N7 O7 O8 J6 S5",
}
GRAIN = "S7 T6 T7 U7"


@pytest.mark.parametrize("month", [None, 7])
def test_hexes_are_what_the_picture_shows(month: int | None) -> None:
    """By the measure of R87, as on any board without a list of its own."""
    options = Options(library=BoardLibrary([demo_boards()]), month=month)
    ground = load_file(demo_save(), options).position.ground
    for terrain, names in HEXES.items():
        for name in names.split():
            assert ground.terrain(f"demo{name}").name == terrain, name
    covered = {ground.terrain(f"demo{name}").cover.value for name in GRAIN.split()}
    assert covered == {"open" if month is None else "covered"}
    assert {ground.terrain(f"demo{name}").level for name in ("J1", "J2", "K2", "K3", "L1")} == {1}
    assert ground.terrain("demoP5").building == ground.terrain("demoQ5").building


def test_no_player_id_but_the_invented_one() -> None:
    """The log holds one player id, as logs do; it must not look like anybody's password."""
    from vassal_bridge.vassal import open_saved

    assert "/not-a-password" in open_saved(demo_log()).text


@pytest.mark.parametrize("name", ["bddemo", "demo.vsav", "demo-RtPh.vlog"])
def test_made_files_carry_no_clock(made: dict[str, bytes], name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(made[name])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}


def test_main_writes_where_it_is_told(maker: ModuleType, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(maker, "make", lambda: {"demo.vsav": b"x"})
    monkeypatch.setattr(sys, "argv", ["make_demo.py", "--out", str(tmp_path / "new")])
    maker.main()
    assert (tmp_path / "new" / "demo.vsav").read_bytes() == b"x"
