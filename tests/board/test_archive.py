"""Board archives: what they say of themselves, LOSData, and files that are damaged or hostile."""

from __future__ import annotations

import gzip
import struct
import time
from pathlib import Path

import numpy as np
import pytest

from tests.board import boards
from tests.shared import BOARDS, needs_shared
from vassal_bridge import limits
from vassal_bridge.board import archive as archive_module
from vassal_bridge.board.archive import BoardArchive, image_size, open_board
from vassal_bridge.board.losdata import read_los_data
from vassal_bridge.errors import BoardError, FileError, FormatError, LimitReached


def opened(members: dict[str, bytes]) -> BoardArchive:
    return BoardArchive(Path("bdq"), boards.zipped(members))


def test_a_board_says_what_it_is(tmp_path: Path) -> None:
    terrain = np.zeros((450, 258), np.uint8)
    terrain[10, 20] = 60
    elevation = np.zeros((450, 258), np.int8)
    elevation[30, 40] = -1
    board = open_board(boards.write_board(tmp_path, terrain=terrain, elevation=elevation))
    assert (board.name, board.version, board.has_hills) == ("q", "6.1", True)
    assert board.size == (450, 258)
    assert board.geometry == boards.geometry()
    assert board.terrain[10, 20] == 60
    assert board.terrain.sum() == 60
    assert board.elevation[30, 40] == -1
    assert board.elevation.sum() == -1
    assert len(board.stairway) == 9 * 4 + 4
    assert not board.terrain.flags.writeable
    assert board.image_bytes() == boards.gif(450, 258)
    assert board.member("absent") is None


def test_the_digest_follows_the_content(tmp_path: Path) -> None:
    path = boards.write_board(tmp_path)
    first = open_board(path).digest
    assert open_board(path).digest == first
    path.write_bytes(boards.board(columns=11))
    assert open_board(path).digest != first


def test_short_and_long_blocks_are_read() -> None:
    terrain = np.arange(450 * 258, dtype=np.uint32).astype(np.uint8).reshape(450, 258)
    for block in (130, 255, 256, 1024, 5000):
        data = read_los_data(boards.los_data(9, 4, terrain, block=block))
        assert np.array_equal(data.terrain, terrain)


def test_stairways_are_one_byte_per_hex_column_by_column() -> None:
    flags = bytes([1 if i in (0, 4, 39) else 0 for i in range(40)])
    terrain = np.zeros((450, 258), np.uint8)
    data = read_los_data(boards.los_data(9, 4, terrain, stairway=flags))
    assert np.flatnonzero(data.stairway).tolist() == [0, 4, 39]


def test_numbers_of_the_metadata_win_over_standard_ones() -> None:
    more = 'hexWidth="56.3125" hexHeight="64.5" A1CenterX="-901" A1CenterY="32.25" snapScale="2"'
    board = opened(
        {
            "bd10b.gif": boards.gif(901, 1290),
            "BoardMetadata.xml": boards.metadata("10b", 17, 20, more + ' altHexGrain="true"'),
        }
    )
    g = board.geometry
    assert (g.hex_w, g.a1x, g.snap_scale, g.alt_grain) == (56.3125, -901.0, 2, True)
    assert (g.columns, g.rows) == (17, 20)
    shifted = g.on_picture()
    assert (shifted.a1x, shifted.first_column) == (0.0, 16)
    assert shifted.name((0, 0)) == "Q1"


def test_a_legacy_board_has_its_numbers_in_the_data_file() -> None:
    board = opened({"bdq.gif": boards.gif(2606, 1838), "data": b"version 1.1\nx0 37\ny0 32\n"})
    assert board.version == "1.1"
    assert (board.geometry.a1x, board.geometry.a1y) == (37.0, 32.0)
    assert not board.has_los_data
    with pytest.raises(BoardError, match="no LOSData"):
        _ = board.terrain


def test_rules_of_the_board_are_read() -> None:
    inside = (
        '<colors><color name="Level0" red="255" green="1" blue="2" terrain="Open Ground" '
        'elevation="0"/></colors>'
        '<colorSSRules><colorSSR name="NoGrain"><colorMap fromColor="A" toColor="B"/></colorSSR>'
        "</colorSSRules>"
        '<overlaySSRules><overlaySSRule name="NoRoads" image="n.gif" x="1" y="2"/>'
        '<underlaySSRule name="WallsOnly" image="w.gif"><color name="HedgeGreen"/></underlaySSRule>'
        "</overlaySSRules>"
        '<buildingTypes><buildingType hexName="O4" buildingTypeName="Stone Building, 1 Level"/>'
        '</buildingTypes><slopes><slope hex="A1" hexsides="03"/></slopes>'
    )
    board = opened(
        {
            "bdq.gif": boards.gif(450, 258),
            "BoardMetadata.xml": boards.metadata("q", 9, 4, inside=inside),
        }
    )
    assert board.colours["Level0"].rgb == (255, 1, 2)
    assert board.ssr_rules == {"NoGrain": (("A", "B"),)}
    assert (board.overlay_rules["NoRoads"].x, board.overlay_rules["NoRoads"].y) == (1, 2)
    assert board.underlay_rules["WallsOnly"].colours == ("HedgeGreen",)
    assert board.building_types == {"O4": "Stone Building, 1 Level"}
    assert board.slopes == {"A1": (0, 3)}


# -- damaged and hostile files --------------------------------------------------------------------


def test_a_missing_file_is_a_file_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        open_board(tmp_path / "bdq")


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all"])
def test_no_zip_is_a_board_error(content: bytes) -> None:
    with pytest.raises(BoardError, match="bdq: not a board archive"):
        BoardArchive(Path("bdq"), content)


def test_an_empty_zip_is_no_board() -> None:
    board = BoardArchive(Path("bdq"), b"PK\x05\x06" + bytes(18))
    with pytest.raises(BoardError, match="size of the board is unknown"):
        _ = board.geometry


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no gzip", "damaged"),
        (gzip.compress(b"\xac\xed\x00\x05")[:-6], "cut short"),
        (gzip.compress(b"\xca\xfe\x00\x05"), "not an object stream"),
        (gzip.compress(b"\xac\xed\x00\x05\x99"), "unexpected byte 0x99"),
        (gzip.compress(b"\xac\xed\x00\x05\x77\x09abc"), "cut short within a block"),
        (gzip.compress(b"\xac\xed\x00\x05\x77\x03abc"), "no header"),
        (
            gzip.compress(b"\xac\xed\x00\x05\x77\x10" + struct.pack(">4i", 33, 10, 1800, 645)),
            "cut short: 16 bytes",
        ),
        (
            gzip.compress(b"\xac\xed\x00\x05\x77\x10" + struct.pack(">4i", -1, 10, 1800, 645)),
            "impossible size",
        ),
    ],
)
def test_damaged_los_data_names_the_fault(content: bytes, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        read_los_data(content)


def test_damage_is_reported_with_file_and_member() -> None:
    board = opened({"bdq.gif": boards.gif(9, 9), "LOSData": b"junk"})
    with pytest.raises(BoardError, match=r"^bdq: LOSData: damaged"):
        _ = board.terrain


def test_limit_of_los_data_pixels() -> None:
    head = struct.pack(">4i", 33, 10, 1 << 13, 1 << 13)
    with pytest.raises(LimitReached, match=f"limit {limits.MAX_LOSDATA_PIXELS}"):
        read_los_data(gzip.compress(b"\xac\xed\x00\x05\x77\x10" + head))


def test_limit_of_los_data_hexes() -> None:
    head = struct.pack(">4i", 2000, 2000, 10, 10)
    with pytest.raises(LimitReached, match=f"limit {limits.MAX_BOARD_HEXES}"):
        read_los_data(gzip.compress(b"\xac\xed\x00\x05\x77\x10" + head))


def test_limit_of_los_data_blocks_is_reached_at_once() -> None:
    empty_blocks = b"\xac\xed\x00\x05" + b"\x77\x00" * 4_000_000
    start = time.process_time()
    with pytest.raises(LimitReached, match="blocks"):
        read_los_data(gzip.compress(empty_blocks, 1))
    assert time.process_time() - start < 1


def test_a_bomb_in_los_data_is_refused_by_size() -> None:
    bomb = gzip.compress(bytes(2 * limits.MAX_LOSDATA_PIXELS + (2 << 20)), 1)
    start = time.process_time()
    with pytest.raises(LimitReached, match="over"):
        read_los_data(bomb)
    assert time.process_time() - start < 1


def test_limit_of_member_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_BOARD_MEMBER_BYTES", 1000)
    board = opened({"data": bytes(2000)})
    with pytest.raises(LimitReached, match="bdq: data: over 1000 bytes"):
        board.member("data", 1000)


def test_limit_of_archive_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_BOARD_BYTES", 100)
    with pytest.raises(LimitReached, match="larger than 100 bytes"):
        open_board(boards.write_board(tmp_path))


def test_limit_of_members_and_of_the_zip_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"m{i}": b"" for i in range(limits.MAX_BOARD_ZIP_ENTRIES + 1)}
    with pytest.raises(LimitReached, match=f"limit {limits.MAX_BOARD_ZIP_ENTRIES}"):
        opened(many)
    monkeypatch.setattr(archive_module, "MAX_DIRECTORY_BYTES", 100)
    with pytest.raises(LimitReached, match="zip directory"):
        opened({f"m{i}": b"" for i in range(9)})


def test_metadata_that_is_no_xml_or_declares_entities() -> None:
    for content in (b"<boardMetadata", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'):
        board = opened({"BoardMetadata.xml": content})
        with pytest.raises(FormatError, match="bdq"):
            _ = board.name


@pytest.mark.parametrize(
    "more", ['hexWidth="wide"', 'hexWidth="0"', 'hexHeight="nan"', 'A1CenterX="1e99"']
)
def test_impossible_hex_numbers(more: str) -> None:
    board = opened(
        {"bdq.gif": boards.gif(450, 258), "BoardMetadata.xml": boards.metadata("q", 9, 4, more)}
    )
    with pytest.raises(BoardError, match=r"number|numbers"):
        _ = board.geometry


def test_image_sizes() -> None:
    png = b"\x89PNG\r\n\x1a\n" + bytes(8) + struct.pack(">2I", 7, 8)
    assert image_size(png) == (7, 8)
    assert image_size(boards.gif(5, 6)) == (5, 6)
    assert image_size(boards.gif(0, 6)) is None
    assert image_size(b"\xff\xd8 jpeg") is None


@needs_shared
def test_all_real_boards_open() -> None:
    found = {path.name: open_board(path) for path in sorted(BOARDS.iterdir())}
    sizes = {name: board.geometry.columns * board.geometry.rows for name, board in found.items()}
    assert sizes["bdz"] == 330
    assert sizes["bdk"] == 75
    assert sum(board.has_los_data for board in found.values()) >= 20
    assert found["bd01"].building_types["Z1"] == "Wooden Building, 1 Level"
    assert found["bd02"].overlay_rules["NoCliffs"].x == 487
