"""Pixels to hexes as the client names them, boards joined into one map (formats/geometry.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.board import boardmaker as make
from tests.shared import BOARDS, EXPECTED, needs_shared
from vassal_bridge import limits
from vassal_bridge.board import (
    BoardLibrary,
    BoardPlacement,
    Layout,
    map_edge,
    parse_boards,
    placements_from_rows,
)
from vassal_bridge.board.layout_edge import OLD_EDGE
from vassal_bridge.board.layout_grid import ClientGrid
from vassal_bridge.errors import BoardError, LimitReached

STANDARD = ClientGrid(56.25, 64.5, 0, 32)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> BoardLibrary:
    """Three boards of open ground and two spacers of our own making."""
    folder = tmp_path_factory.mktemp("boards")
    for name in ("a1", "b1", "c1"):
        make.write_board(folder, name, make.blank())
    make.write_board(folder, "Blank0", make.blank())
    make.write_legacy(folder, "NUL", (901, 1))
    return BoardLibrary([folder])


def rows(library: BoardLibrary, *names: list[str]) -> Layout:
    return Layout(placements_from_rows(names), library)


# -- one board's pixels ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pixel", "name"),
    [
        ((675, 290), "M5"),
        ((394, 193), "H3"),
        ((0, 32), "A1"),
        ((56, 0), "B0"),
        ((56, 644), "B10"),
        ((1799, 612), "GG10"),
        ((675, 193), "M3/M4"),
        ((56, 96), "B1/B2"),
        ((28, 628), "A10/B10"),
        ((253, 209), "E4/F3"),
        ((196, 370), "D6/E6"),
        ((196, 209), "D3/E4"),
    ],
)
def test_names_of_pixels(pixel: tuple[int, int], name: str) -> None:
    assert STANDARD.name_at(*pixel) == name


def test_columns_that_go_on_from_another_board() -> None:
    assert ClientGrid(56.3125, 64.5, -901, 32).name_at(450, 32).startswith("Y")
    assert ClientGrid(56.25, 64.5, 0, -612).name_at(0, 32) == "A11"


def test_columns_left_of_a_have_a_minus() -> None:
    assert ClientGrid(56.25, 64.5, 70, 32).name_at(14, 60) == "-B1"


def test_alternative_grain_counts_odd_columns_from_one() -> None:
    grid = ClientGrid(56.25, 64.5, 0, 32, alt_grain=True)
    assert grid.name_at(56, 0) == "B1"
    assert grid.name_at(28, 16 + 64) == "A2/B2"
    assert grid.centre(*grid.read("B1")) == (56, 0)  # type: ignore[misc]


@given(st.integers(0, 32), st.integers(0, 10))
def test_a_counter_snapped_to_a_hex_is_in_it(column: int, row: int) -> None:
    if column % 2 == 0 and row == 0:
        return
    x, y = STANDARD.centre(column, row)
    assert STANDARD.cell(x, y) == (column, row)
    assert "/" not in STANDARD.name_at(x, y)


# -- the client's own answers ------------------------------------------------------------------


def expected_files() -> list[Path]:
    return sorted(EXPECTED.glob("*.json")) if EXPECTED.is_dir() else []


@needs_shared
@pytest.mark.parametrize("file", expected_files(), ids=lambda path: path.name[:40])
def test_every_piece_is_where_the_client_says(file: Path) -> None:
    told = json.loads(file.read_text(encoding="utf-8"))
    library = BoardLibrary([BOARDS])
    line = "bd\t" + "bd\t".join(board["state"] for board in told["boards"])
    layout = Layout(parse_boards(line, library.known), library, strict=False)
    for board, truth in zip(layout.boards, told["boards"], strict=True):
        assert [board.x, board.y, board.width, board.height] == truth["bounds"]
        assert board.placement.reversed == truth["reversed"]
    alone = len(told["boards"]) == 1
    checked = 0
    for piece in told["pieces"]:
        if piece["map"] != "Main Map":
            continue
        got = layout.hex_at(piece["x"], piece["y"])
        if got is not None and alone:
            # The client leaves the board out when there is only one.
            got = got.removeprefix(layout.boards[0].key)
        assert (got or "offboard") == piece["location"], piece["id"]
        checked += 1
    assert checked == sum(piece["map"] == "Main Map" for piece in told["pieces"]) > 0


# -- joined boards -----------------------------------------------------------------------------


def test_a_single_board_may_be_left_out_of_a_name(library: BoardLibrary) -> None:
    layout = rows(library, ["a1"])
    assert layout.canonical("O5") == layout.canonical("a1O5") == "a1O5"
    with pytest.raises(BoardError, match="no hex 'O11' on this map"):
        layout.canonical("O11")
    with pytest.raises(BoardError, match="no hex 'b1O5' on this map"):
        layout.canonical("b1O5")


def test_with_two_boards_it_may_not(library: BoardLibrary) -> None:
    layout = rows(library, ["a1", "b1"])
    with pytest.raises(BoardError, match="no hex 'O5'"):
        layout.canonical("O5")


def test_spacers_do_not_count_as_a_second_board(library: BoardLibrary) -> None:
    layout = Layout(parse_boards("bd\t0\t0\ta1\tbd\t0\t1\tBlank0\tbd\t1\t0\tNUL\t"), library)
    assert layout.canonical("O5") == "a1O5"
    assert layout.hex_at(400 + 60, 400 + 645 + 100) == "Blank0B2"
    assert layout.ground_hex_at(400 + 60, 400 + 645 + 100) is None


def test_the_board_twice(library: BoardLibrary) -> None:
    layout = rows(library, ["b1", "a1"], ["a1 reversed", "a1"])
    assert [board.key for board in layout.boards] == ["b1", "a1", "a1~2", "a1~3"]
    assert layout.canonical("a1~2O5") == "a1~2O5"
    at = layout.snap("a1~2O5")
    assert layout.hex_at(*at) == "a1~2O5"


def test_reading_order_decides_which_is_second(library: BoardLibrary) -> None:
    line = "bd\t1\t0\ta1\tbd\t0\t1\ta1\tbd\t0\t0\ta1\t"
    layout = Layout(parse_boards(line), library)
    assert [board.key for board in layout.boards] == ["a1~2", "a1~3", "a1"]


def test_a_reversed_board_keeps_its_printed_names(library: BoardLibrary) -> None:
    layout = rows(library, ["a1 reversed"])
    assert layout.snap("a1A1") == (400 + 1799, 400 + 613)
    assert layout.hex_at(400 + 3, 400 + 20) == "a1GG10"
    assert layout.neighbours("a1O5") == ("a1O6", "a1N5", "a1N4", "a1O4", "a1P4", "a1P5")


def test_a_seam_hex_has_one_name_for_the_rules_and_two_for_the_client(
    library: BoardLibrary,
) -> None:
    layout = rows(library, ["a1", "b1"])
    assert layout.canonical("a1GG5") == "b1A5"
    assert layout.neighbours("b1A5") == ("b1A4", "b1B4", "b1B5", "b1A6", "a1FF5", "a1FF4")
    assert layout.cell("b1A5").parts == ((0, "GG5"), (1, "A5"))
    stacked = rows(library, ["a1 reversed"], ["b1"])
    upper, lower = 400 + 645 - 3, 400 + 645 + 3
    assert stacked.hex_at(400 + 56, upper) == "a1FF0"
    assert stacked.hex_at(400 + 56, lower) == "b1B0"
    assert stacked.ground_hex_at(400 + 56, upper) == "b1B0"
    assert stacked.ground_hex_at(400 + 56, lower) == "b1B0"
    upright = rows(library, ["a1"], ["b1"])
    # The centre of a1B10 is the last pixel of a1, so a counter there reports a1.
    assert upright.canonical("b1B0") == upright.canonical("a1B10") == "a1B10"
    assert upright.hex_at(*upright.snap("a1B10")) == "a1B10"


def test_a_counter_on_a_hexside_is_in_the_first_hex_for_the_rules(library: BoardLibrary) -> None:
    layout = rows(library, ["a1"])
    assert layout.hex_at(400 + 675, 400 + 193) == "a1M3/M4"
    assert layout.ground_hex_at(400 + 675, 400 + 193) == "a1M3"


def test_half_hexes_that_the_client_gives_to_a_spacer_are_out_of_play(
    library: BoardLibrary,
) -> None:
    line = "bd\t0\t0\tra1\tbd\t0\t1\tBlank0\t"
    layout = Layout(parse_boards(line), library)
    assert "a1B0" not in layout.hexes()
    assert "a1B0" in layout.drawn()
    assert layout.neighbours("a1B1")[3] is None
    # A unit that stands there is on the map and may leave.
    assert layout.ground_hex_at(*layout.snap("a1B0")) == "a1B0"
    assert layout.neighbours("a1B0")[0] == "a1B1"
    assert layout.side("a1B1", "a1B0") == 3
    upright = Layout(parse_boards("bd\t0\t0\ta1\tbd\t0\t1\tBlank0\t"), library)
    assert "a1B10" in upright.hexes()


def test_crop_keeps_the_hexes_whose_centre_is_in_it(library: BoardLibrary) -> None:
    layout = Layout(parse_boards("bd\t0\t0\ta1\t591\t0\t1012\t-1\tVER\t6.0\t"), library)
    columns = {name[2:].rstrip("0123456789") for name in layout.hexes()}
    assert min(columns, key=lambda c: (len(c), c)) == "L"
    assert max(columns, key=lambda c: (len(c), c)) == "CC"
    assert layout.hex_at(400 + 27, 400 + 32) == "a1L0/L1"
    assert layout.boards[0].width == 1012
    assert layout.boards[0].height == 645


def test_boards_whose_grids_do_not_meet_are_apart(library: BoardLibrary) -> None:
    line = "bd\t0\t0\ta1\t0\t0\t872\t-1\tbd\t1\t0\tb1\t"
    layout = Layout(parse_boards(line), library)
    assert [problem.code for problem in layout.problems] == ["boards-not-aligned"]
    assert layout.neighbours("a1P3")[1] is None
    assert layout.distance("a1P3", "b1A3") == layout.distance("b1A3", "a1P3") > 0


def test_zoom(library: BoardLibrary) -> None:
    layout = Layout(parse_boards("bd\t0\t0\ta1\tVER\t6.0\tZOOM\t3.0"), library)
    assert (layout.boards[0].width, layout.boards[0].height) == (5400, 1935)
    assert layout.hex_at(400 + 3 * 675, 400 + 3 * 290) == "a1M5"
    assert layout.hex_at(*layout.snap("a1M5")) == "a1M5"


def test_a_missing_board_names_itself_and_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="board 'zz' is missing: no file bdzz in ") as caught:
        Layout((BoardPlacement("zz"),), BoardLibrary([tmp_path]))
    assert str(tmp_path) in str(caught.value)
    with pytest.raises(BoardError, match="no folder with boards was given"):
        Layout((BoardPlacement("zz"),), BoardLibrary([]))


def test_a_missing_board_of_known_size_can_still_name_hexes(tmp_path: Path) -> None:
    layout = Layout((BoardPlacement("z"),), BoardLibrary([tmp_path]), strict=False)
    assert layout.hex_at(400 + 675, 400 + 290) == "zM5"
    (problem,) = layout.problems
    assert (problem.code, problem.text) == ("board-missing", "board z is not at hand")
    unheard = Layout((BoardPlacement("zz"),), BoardLibrary([tmp_path]), strict=False)
    assert "its size is guessed" in unheard.problems[0].text


def test_board_names_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    make.write_board(tmp_path, "z", make.blank(), file="bdz")
    library = BoardLibrary([inner])
    for name in ("../bdz", "x/../../bdz", "..\\bdz", "z\0", ""):
        assert not library.has(name)


def test_the_case_of_a_board_file_is_ignored_but_exact_names_win(tmp_path: Path) -> None:
    make.write_board(tmp_path, "Q", make.blank(), file="BDq9")
    library = BoardLibrary([tmp_path])
    assert library.find("Q9").name == "BDq9"
    make.write_board(tmp_path, "Q9", make.blank(), file="bdQ9")
    assert library.find("Q9").name == "bdQ9"


def test_a_board_is_opened_once_and_anew_when_it_changes(tmp_path: Path) -> None:
    make.write_board(tmp_path, "q", make.blank())
    library = BoardLibrary([tmp_path])
    first = library.open("q")
    assert library.open("q") is first
    terrain = make.blank()
    make.fill(terrain, "C3", code=make.WOODS)
    make.write_board(tmp_path, "q", terrain)
    assert library.open("q").digest != first.digest


def test_folders_that_are_not_there_are_passed_over(tmp_path: Path) -> None:
    make.write_board(tmp_path, "q", make.blank())
    library = BoardLibrary([tmp_path / "nowhere", tmp_path])
    assert library.find("q") == tmp_path / "bdq"
    assert library.known("q")
    assert library.known("z")
    assert not library.known("zz")


def test_only_the_boards_used_last_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vassal_bridge.board.layout_library.MAX_BOARDS", 2)
    for name in ("q1", "q2", "q3"):
        terrain = make.blank()
        make.fill(terrain, f"C{name[1]}", code=make.WOODS)
        make.write_board(tmp_path, name, terrain)
    library = BoardLibrary([tmp_path])
    first = library.open("q1")
    library.open("q2")
    library.open("q3")
    assert library.open("q1") is not first
    assert library.open("q3") is library.open("q3")


def test_an_overlay_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="overlay 'wd1' is missing"):
        BoardLibrary([tmp_path]).open_overlay("wd1")


def test_the_largest_map(library: BoardLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_bridge.board.layout.MAX_MAP_PIXELS", 4_000_000)
    rows(library, ["a1"])
    with pytest.raises(LimitReached, match="map of 4000 x 1045 pixels"):
        rows(library, ["a1", "b1"])
    assert limits.MAX_MAP_PIXELS > 40_000_000


ARRANGEMENTS = (
    "bd\t0\t0\ta1\t",
    "bd\t0\t0\tra1\tbd\t1\t0\tb1\tbd\t0\t1\tc1\tbd\t1\t1\trb1\t",
    "bd\t0\t0\trb1\t928\t0\t872\t-1\tbd\t0\t1\tc1\t0\t0\t872\t-1\tbd\t0\t2\tBlank0\t",
    "bd\t0\t0\ta1\t1097\t0\t703\t-1\tbd\t1\t0\tb1\t0\t0\t253\t-1\t",
    "bd\t0\t0\tra1\t0\t0\t872\t-1\tbd\t0\t1\tBlank0\tbd\t1\t0\tb1\t0\t0\t872\t-1\t",
)


@pytest.mark.parametrize("line", ARRANGEMENTS)
def test_hexes_names_and_neighbours_agree(library: BoardLibrary, line: str) -> None:
    layout = Layout(parse_boards(line), library)
    assert layout.problems == ()
    hexes = layout.hexes()
    assert len(set(hexes)) == len(hexes) > 100
    for name in hexes:
        assert layout.ground_hex_at(*layout.snap(name)) == name
        for side, other in enumerate(layout.neighbours(name)):
            if other is None:
                continue
            assert layout.neighbours(other)[(side + 3) % 6] == name
            assert layout.distance(name, other) == 1
            ax, ay = layout.cell(name).x, layout.cell(name).y
            bx, by = layout.cell(other).x, layout.cell(other).y
            away = ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5
            assert away == pytest.approx(64.5, abs=1.5)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_distance_is_a_metric(library: BoardLibrary, data: st.DataObject) -> None:
    layout = rows(library, ["a1", "b1 reversed"], ["c1", "a1"])
    pick = st.sampled_from(layout.hexes())
    a, b, c = data.draw(pick), data.draw(pick), data.draw(pick)
    assert layout.distance(a, b) == layout.distance(b, a)
    assert (layout.distance(a, b) == 0) == (a == b)
    assert layout.distance(a, c) <= layout.distance(a, b) + layout.distance(b, c)
    beside = [at for at in layout.neighbours(b) if at is not None]
    if a != b:
        assert min(layout.distance(a, at) for at in beside) == layout.distance(a, b) - 1


# -- the edge ----------------------------------------------------------------------------------


def test_the_edge_is_400_unless_version_or_counters_say_200(library: BoardLibrary) -> None:
    placements = placements_from_rows([["a1"]])
    layout = Layout(placements, library)
    new = [layout.snap(name) for name in layout.hexes()[::17]]
    old = [(x - 200, y - 200) for x, y in new]
    assert map_edge(placements, library, new) == 400
    assert map_edge(placements, library, new, "6.5-beta3") == 400
    assert map_edge(placements, library, old, "5.9.2") == OLD_EDGE
    # Begun in an old VASL, saved again in a newer one: the counters are where they were.
    assert map_edge(placements, library, old, "6.5.1") == OLD_EDGE
    assert map_edge(placements, library, [], "6.1") == OLD_EDGE
    assert map_edge(placements, library, old[:3], "6.5.1") == 400
    shifted = Layout(placements, library, edge=OLD_EDGE)
    assert shifted.ground_hex_at(*old[3]) == layout.hexes()[51]


@needs_shared
def test_no_real_save_since_6_2_is_taken_for_an_old_one() -> None:
    library = BoardLibrary([BOARDS])
    for file in expected_files():
        told = json.loads(file.read_text(encoding="utf-8"))
        line = "bd\t" + "bd\t".join(board["state"] for board in told["boards"])
        places = [(p["x"], p["y"]) for p in told["pieces"] if p["map"] == "Main Map"]
        assert map_edge(parse_boards(line, library.known), library, places) == 400, file.name
