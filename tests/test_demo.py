"""The embedded example: made by its script, read like any player's files, rich in situations."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

from tests.shared import ROOT
from vassal_bridge.demo import demo_boards, demo_log, demo_save

LARGEST = 400 * 1024
FILES = ("bddemo", "demo.vsav", "demo.vlog")


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


def test_no_player_id_but_the_invented_one() -> None:
    """The log holds one player id, as logs do; it must not look like anybody's password."""
    from vassal_bridge.vassal import open_saved

    assert "/not-a-password" in open_saved(demo_log()).text


@pytest.mark.parametrize("name", ["bddemo", "demo.vsav", "demo.vlog"])
def test_made_files_carry_no_clock(made: dict[str, bytes], name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(made[name])) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 1, 1, 0, 0, 0)}


def test_main_writes_where_it_is_told(maker: ModuleType, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(maker, "make", lambda: {"demo.vsav": b"x"})
    monkeypatch.setattr(sys, "argv", ["make_demo.py", "--out", str(tmp_path / "new")])
    maker.main()
    assert (tmp_path / "new" / "demo.vsav").read_bytes() == b"x"
