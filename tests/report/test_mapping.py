"""The map of loaded games: real saves where they are at hand, the shipped example always."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from tests.shared import BOARDS, MODULE, SAVES, needs_shared
from vassal_bridge.board import BoardLibrary, Layout
from vassal_bridge.bridge import Loaded, load_file
from vassal_bridge.bridge import Options as LoadOptions
from vassal_bridge.demo import demo_boards, demo_save
from vassal_bridge.limits import MAX_ART_BYTES
from vassal_bridge.report import FORMATS, Job, Options, map_picture, write_report
from vassal_bridge.report.art import module_art
from vassal_bridge.rout import assess_all

EXAMPLE = SAVES / "made" / "rout_example.vsav"
VMOD = MODULE / "vasl-6.5-beta3-data.vmod"


@lru_cache(maxsize=8)
def loaded(path: Path, boards: Path = BOARDS) -> Loaded:
    return load_file(path, LoadOptions(BoardLibrary([boards])))


def job_of(found: Loaded, options: Options | None = None) -> Job:
    return Job(found, assess_all(found.position), map_picture(found), options or Options())


def test_the_shipped_example_in_every_format() -> None:
    job = job_of(loaded(demo_save(), demo_boards()))
    for name, form in FORMATS.items():
        data = form.write(job)
        assert len(data) > 2000, name
    assert job.picture is not None
    assert len(job.picture.tiles) == 1
    kinds = {counter.kind for counter in job.picture.counters}
    assert {"squad", "leader", "sw"} <= kinds
    assert {shape.terrain for shape in job.picture.hexes} > {"open"}


def test_units_and_counters_have_the_same_ids() -> None:
    found = loaded(demo_save(), demo_boards())
    picture = map_picture(found)
    assert picture is not None
    drawn = {counter.id: counter.hex for counter in picture.counters}
    for unit in found.position.units:
        assert drawn[unit.id] == unit.hex


def test_hexes_of_units_lie_where_vassal_has_them() -> None:
    found = loaded(demo_save(), demo_boards())
    picture = map_picture(found)
    assert picture is not None
    where = picture.by_name()
    assert found.game is not None
    for unit in found.position.units:
        piece = found.game.pieces[str(unit.piece)]
        x, y = where[unit.hex].centre
        assert abs(piece.x - found.layout.edge - x) <= 29
        assert abs(piece.y - found.layout.edge - y) <= 33


@needs_shared
@pytest.mark.shared
def test_the_official_example_from_the_real_save() -> None:
    job = job_of(loaded(EXAMPLE))
    report = job.report()
    duties = {unit.id: unit.duty for unit in report.units}
    assert duties == {"zM9": "may", "zN7": "must", "zN6": "must", "zN5": "eliminated"}
    assert job.picture is not None
    (tile,) = job.picture.tiles
    assert (tile.size, tile.mime, tile.crop) == ((1800, 645), "image/gif", (0, 0, 1800, 645))
    assert len(job.picture.hexes) == 346
    svg = write_report(job, "svg").decode()
    assert svg.count("data:image/gif;base64,") == 1


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("path", sorted((SAVES / "made").glob("*.vsav")), ids=lambda p: p.stem)
def test_every_made_save_in_every_format(path: Path) -> None:
    job = job_of(loaded(path), Options(width=800))
    for name, form in FORMATS.items():
        data = form.write(job)
        assert len(data) > 900, name
        if name == "html":
            assert len(data) < 3_000_000
    assert job.picture is not None
    names = job.picture.by_name()
    for unit in job.report().units:
        assert unit.hex in names
        for end in unit.ends:
            assert end.hex in names


@needs_shared
@pytest.mark.shared
def test_module_art_stands_for_drawn_counters() -> None:
    art = module_art(VMOD)
    assert art is not None
    broken = art("ru/rus7b")
    assert broken is not None
    assert broken[:4] == b"GIF8"
    assert art("no/such") is None
    job = job_of(loaded(EXAMPLE), Options(art=art))
    assert job.picture is not None
    images = {counter.id: counter.images for counter in job.picture.counters}
    assert images["zO5"] == ("ge/ge467S",)
    assert images["zM9"] == ("ru/ru447S", "ru/rus7b")
    svg = write_report(job, "svg").decode()
    assert svg.count("data:image/gif;base64,") == 4  # the board and three counters, each once
    assert len(re.findall(r'<use href="#art\d"', svg)) == 12


def test_a_module_that_cannot_be_read_gives_no_art(tmp_path: Path) -> None:
    bad = tmp_path / "bad.vmod"
    bad.write_bytes(b"not a zip")
    assert module_art(bad) is None
    assert module_art(tmp_path / "absent.vmod") is None


def test_pictures_of_a_module_have_a_limit(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "big.vmod"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("images/big.gif", b"GIF89a" + bytes(MAX_ART_BYTES))
        archive.writestr("images/fine.png", b"\x89PNG" + bytes(9))
    art = module_art(path)
    assert art is not None
    assert art("big") is None
    assert art("fine") == b"\x89PNG" + bytes(9)


SECRETS = [
    SAVES / "made" / "P1 S3 simple equation RPh.vsav",
    SAVES / "made" / "rich1_side_by_side.vsav",
    SAVES / "templates" / "hip-concealed.vsav",
]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("path", SECRETS, ids=lambda path: path.stem)
def test_hidden_and_concealed_counters_tell_nothing(path: Path) -> None:
    """reliability.md 31: what both players may not see is in no output."""
    found = loaded(path)
    assert found.game is not None
    secret = [piece for piece in found.game.pieces.values() if piece.hidden or piece.concealed]
    assert secret
    art = {image: b"GIF89a" + bytes(9) for piece in secret for image in (piece.base_image,)}
    job = job_of(found, Options(art=art.get))
    counters = job.picture.counters if job.picture is not None else ()
    shown = {counter.id for counter in counters}
    assert not shown & {piece.id for piece in secret}
    for counter in counters:
        if counter.concealed:
            assert (counter.images, counter.name.strip("? ")) == ((), "")
    for name, form in FORMATS.items():
        if job.picture is None and name in ("svg", "png"):
            continue
        data = form.write(job)
        for piece in secret:
            assert piece.id.encode() not in data, name


POSITION = """
boards: [[open]]
terrain:
  woods: [F8, F9]
  building: [H8]
  smoke: [G7]
  wreck: [J7]
units:
  German:
    - 4-6-7 H5 with MMG
    - 9-1 H5 pinned
  Russian:
    - 4-4-7 G6 broken dm
"""


def test_a_position_file_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "a.rout.yaml"
    path.write_text(POSITION, encoding="utf-8")
    found = load_file(path, LoadOptions(BoardLibrary([])))
    job = job_of(found)
    assert job.picture is not None
    assert job.picture.tiles == ()
    drawn = {(counter.hex, counter.name, counter.kind) for counter in job.picture.counters}
    assert {
        ("openH5", "4-6-7", "squad"), ("openH5", "MMG", "sw"), ("openH5", "9-1", "leader"),
        ("openG6", "4-4-7", "squad"), ("openJ7", "Wreck", "wreck"),
    } <= drawn  # fmt: skip
    assert [name for hex_, name, _ in drawn if hex_ == "openG7"] == ["Smoke +3"]
    terrains = {shape.name: shape.terrain for shape in job.picture.hexes}
    assert "woods" in terrains["openF8"]
    assert "building" in terrains["openH8"]
    for form in FORMATS.values():
        assert len(form.write(job)) > 900


def test_a_game_without_boards_has_no_map() -> None:
    found = loaded(demo_save(), demo_boards())
    empty = replace(found, layout=Layout((), BoardLibrary([])))
    assert map_picture(empty) is None


def test_max_module_directory_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("images/ge/a.gif", b"GIF89a")
    assert module_art(path) is not None
    monkeypatch.setattr("vassal_bridge.report.art.MAX_MODULE_DIRECTORY_BYTES", 20)
    assert module_art(path) is None
