"""The map as the rules see it: costs, roads, crests, smoke, buildings, counters, overlays."""

from __future__ import annotations

import io
import zipfile
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image, ImageDraw

from tests.board import boardmaker as make
from tests.shared import BOARDS, SAVES, needs_shared
from vassal_bridge.board import (
    BoardGround,
    BoardLibrary,
    MapPicture,
    Obstacle,
    build_ground,
    parse_boards,
    placements_from_rows,
)
from vassal_bridge.board.ground import hexes_between
from vassal_bridge.board.ground_buildings import FEW, Regions, label_regions, main_region
from vassal_bridge.board.sight import Sight, SightEngine
from vassal_bridge.errors import BoardError
from vassal_bridge.rout.position import IMPASSABLE_MF2, Cover, Ground


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board with a bit of everything."""
    folder = tmp_path_factory.mktemp("boards")
    terrain, levels = make.blank(), np.zeros((1800, 645), np.int8)
    make.fill(terrain, "C3", "C4", "L5", code=make.WOODS)
    make.fill(terrain, "E3", code=make.BRUSH)
    make.fill(terrain, "G3", code=make.GRAIN)
    make.fill(terrain, "I3", "J3", code=make.BUILDING)
    make.fill(terrain, "K3", code=52)
    make.fill(terrain, "M3", code=make.ORCHARD)
    # A road down column L through the woods of L5, brushing N6 only.
    terrain[614:624, 200:460] = make.ROAD
    # A hill: C7 level 1 with woods, E7 level 1, E8 level 2.
    hill = make.blank()
    make.fill(hill, "C7", "E7", code=1)
    make.fill(hill, "E8", code=2)
    levels[:] = hill
    make.fill(terrain, "C7", code=make.WOODS)
    # A wall between W6 and X5, a cliff between Y6 and Z5.
    terrain[1262:1268, 330:350] = make.WALL
    terrain[1375:1381, 330:350] = make.CLIFF
    # A house over the right edge (column GG), to be joined with one on the next board.
    terrain[1790:1800, 300:340] = make.BUILDING
    make.write_board(folder, "q", terrain, levels)
    other = make.blank()
    other[0:30, 300:340] = make.BUILDING
    make.write_board(folder, "p", other)
    make.write_board(folder, "Blank0", make.blank())
    make.write_legacy(folder, "old", (900, 645), "version 2\nx0 0\n")
    return folder


def ground(folder: Path, *rows: list[str], month: int | None = 7) -> BoardGround:
    return build_ground(placements_from_rows(rows or [["q"]]), BoardLibrary([folder]), month=month)


def mf(ground: BoardGround, start: str, to: str) -> float:
    return ground.entry(start, to).mf2 / 2


def test_it_is_a_ground(folder: Path) -> None:
    found: Ground = ground(folder)
    assert len(found.hexes()) == 346


@pytest.mark.parametrize(
    ("start", "to", "cost"),
    [
        ("qA1", "qA2", 1),
        ("qC2", "qC3", 2),
        ("qE2", "qE3", 2),
        ("qG2", "qG3", 1.5),
        ("qI2", "qI3", 2),
        ("qK2", "qK3", 2),
        ("qM2", "qM3", 1),
        ("qL3", "qL4", 1),
    ],
)
def test_r19_costs(folder: Path, start: str, to: str, cost: float) -> None:
    assert mf(ground(folder), start, to) == cost


def test_r19_woods_road(folder: Path) -> None:
    found = ground(folder)
    here = found.terrain("qL5")
    assert (here.name, here.shelter, here.cover) == ("woods-road", "woods", Cover.ROAD_IN_WOODS)
    along = found.entry("qL4", "qL5")
    assert (along.mf2, along.woods_mf2, along.by_road) == (2, 4, True)
    across = found.entry("qK5", "qL5")
    assert (across.mf2, across.woods_mf2, across.by_road) == (4, None, False)
    assert found.entry("qL6", "qL5").by_road


def test_r19_crest_lines(folder: Path) -> None:
    found = ground(folder)
    assert [found.terrain(at).level for at in ("qD6", "qE7", "qE8")] == [0, 1, 2]
    up = found.entry("qE6", "qE7")
    assert (up.mf2, up.uphill) == (4, True)
    assert found.entry("qC6", "qC7").mf2 == 8
    assert found.entry("qE7", "qE8").mf2 == 4
    down = found.entry("qE7", "qE6")
    assert (down.mf2, down.uphill) == (2, False)


def test_r19_smoke_and_uphill_smoke(folder: Path) -> None:
    found = ground(folder).with_obstacles(
        {"qA2": (Obstacle.smoke(2),), "qE7": (Obstacle.smoke(3),), "qA3": (Obstacle.wreck(),)}
    )
    flat = found.entry("qA1", "qA2")
    assert (flat.mf2, flat.smoke_doubled_mf2) == (4, 4)
    hill = found.entry("qE6", "qE7")
    assert (hill.mf2, hill.smoke_doubled_mf2) == (6, 8)
    assert found.entry("qA2", "qA1").mf2 == 2
    assert found.entry("qA4", "qA3").mf2 == 2


def test_r19_hexsides(folder: Path) -> None:
    found = ground(folder)
    assert mf(found, "qW6", "qX5") == mf(found, "qX5", "qW6") == 2
    assert mf(found, "qW6", "qW5") == 1
    assert found.entry("qY6", "qZ5").mf2 >= IMPASSABLE_MF2


def test_costs_between_hexes_that_are_not_adjacent_do_not_exist(folder: Path) -> None:
    with pytest.raises(BoardError, match="qA1 and qA3 are not adjacent"):
        ground(folder).entry("qA1", "qA3")
    with pytest.raises(BoardError, match="no hex 'qA11'"):
        ground(folder).terrain("qA11")


# -- buildings ---------------------------------------------------------------------------------


def test_r32_touching_pixels_are_one_building(folder: Path) -> None:
    found = ground(folder)
    number = {at: found.terrain(f"q{at}").building for at in ("I3", "J3", "K3", "GG5", "C3")}
    assert number["I3"] == number["J3"] == number["K3"] is not None
    assert number["GG5"] not in (None, number["I3"])
    assert number["C3"] is None


def test_r32_across_boards(folder: Path) -> None:
    found = ground(folder, ["q", "p"])
    assert found.canonical_hex("qGG5") == "pA5"
    assert found.terrain("pA5").name == "building"
    joined = found.terrain("pA5").building
    assert joined is not None
    assert joined != found.terrain("qI3").building


def test_regions_against_a_slow_flood() -> None:
    random = np.random.default_rng(7)
    for _ in range(120):
        shape = random.integers(1, 26, size=2)
        mask = random.random(tuple(shape)) < random.choice([0.1, 0.35, 0.6, 0.9])
        assert (label_regions(mask) == slow_regions(mask)).all()


def test_the_main_region_of_a_hex_is_that_of_the_whole_map() -> None:
    random = np.random.default_rng(8)
    wanted = np.array([False, True])
    for _ in range(150):
        width, height = (int(size) for size in random.integers(20, 90, size=2))
        terrain = (random.random((width, height)) < random.choice([0.02, 0.3, 0.5])).astype(
            np.uint8
        )
        x0, y0 = int(random.integers(0, width - 8)), int(random.integers(0, height - 8))
        inside = random.random((8, 8)) < 0.7
        labels = label_regions(terrain == 1)
        here = labels[x0 : x0 + 8, y0 : y0 + 8][inside]
        here = here[here > 0]
        most = int(np.bincount(here).argmax()) if here.size else None
        found = main_region(terrain, wanted, (x0, y0, x0 + 8, y0 + 8), inside)
        assert (found is None) == (most is None)
        if found is not None:
            assert labels[divmod(found - 1, height)] == most
            assert (labels.reshape(-1) == most).argmax() == found - 1


def test_regions_are_numbered_alike_one_by_one_and_all_at_once() -> None:
    random = np.random.default_rng(9)
    wanted = np.array([False, True])
    for share in (0.02, 0.2, 0.4, 0.6):
        terrain = (random.random((90, 70)) < share).astype(np.uint8)
        regions = Regions(terrain, wanted)
        for _ in range(3 * FEW):
            x0, y0 = int(random.integers(0, 82)), int(random.integers(0, 62))
            box = (x0, y0, x0 + 8, y0 + 8)
            inside = random.random((8, 8)) < 0.7
            assert regions.main(box, inside) == main_region(terrain, wanted, box, inside)


def slow_regions(mask: np.ndarray) -> np.ndarray:
    labels = np.zeros(mask.shape, np.int32)
    number = 0
    for start in zip(*np.nonzero(mask), strict=True):
        if labels[start]:
            continue
        number += 1
        labels[start] = number
        stack = [start]
        while stack:
            x, y = stack.pop()
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    at = (x + dx, y + dy)
                    inside = 0 <= at[0] < mask.shape[0] and 0 <= at[1] < mask.shape[1]
                    if inside and mask[at] and not labels[at]:
                        labels[at] = number
                        stack.append(at)
    return labels


# -- painting on real boards -------------------------------------------------------------------


def test_painting_covers_the_board(folder: Path) -> None:
    painted = build_ground(
        placements_from_rows([["q"]]),
        BoardLibrary([folder]),
        month=7,
        painted=[("open", "C3"), ("building", "A3"), ("woods", "L4"), ("smoke", "A5")],
        buildings=[["I3", "I4"]],
    )
    assert painted.terrain("qC3").name == "open"
    assert painted.sight("qC2", "qC5").clear is False  # C4 is still woods
    assert painted.terrain("qI3").building == painted.terrain("qI4").building
    assert painted.terrain("qI3").building != painted.terrain("qJ3").building
    assert painted.terrain("qA3").building not in (None, painted.terrain("qI3").building)
    # The road of L4 is covered, so L5 is entered through the woods.
    assert painted.terrain("qL4").name == "woods"
    assert painted.entry("qL4", "qL5").mf2 == 4
    assert painted.terrain("qA5").smoke == 3
    assert not painted.sight("qA1", "qA6").clear


def test_painting_never_changes_levels(folder: Path) -> None:
    painted = build_ground(
        placements_from_rows([["q"]]), BoardLibrary([folder]), painted=[("open", "C7")]
    )
    assert painted.terrain("qC7").level == 1
    assert painted.entry("qC6", "qC7").mf2 == 4


# -- lines of sight ----------------------------------------------------------------------------


def test_sight_of_a_ground_is_that_of_the_engine(folder: Path) -> None:
    smoke = {"qE5": (Obstacle.smoke(3),), "qC2": (Obstacle.smoke(2),)}
    found = ground(folder, ["q", "p"]).with_obstacles(smoke)
    losmap = found.losmap
    assert losmap is not None
    engine, rename = SightEngine(losmap, found.obstacles), found.layout.rename
    some = [
        at for at in found.hexes() if at[1:] in ("A1", "C2", "C5", "E3", "E6", "M4", "W6", "X5")
    ]
    told = 0
    for viewer in some:
        for target in [*some, "pA5", "qGG4", "qE8", "qC7"]:
            sight, whole = found.sight(viewer, target), engine.sight(viewer, target)
            told += not sight.clear
            for name in (each.name for each in fields(Sight)):
                value = getattr(whole, name)
                if name == "block_hex" and value is not None:
                    value = rename(value)
                if name == "hindrances":
                    value = tuple((rename(at), hindrance) for at, hindrance in value)
                assert getattr(sight, name) == value, (viewer, target, name)
    assert told > 20


# -- counters and overlays ---------------------------------------------------------------------


def test_grounds_with_the_same_counters_are_the_same(folder: Path) -> None:
    bare = ground(folder)
    bare.sight("qA1", "qA5")
    smoke = {"qA3": (Obstacle.smoke(3),)}
    smoky = bare.with_obstacles(smoke)
    assert smoky.sight("qA1", "qA5").hindrance == 3
    assert bare.sight("qA1", "qA5").hindrance == 0
    assert bare.with_obstacles(dict(smoke)) is smoky
    assert smoky.with_obstacles({}) is bare


def test_obstacles_in_a_hex(folder: Path) -> None:
    found = ground(folder).with_obstacles(
        {
            "A2": (Obstacle.smoke(2), Obstacle.smoke(0)),
            "A3": (Obstacle.wreck(), Obstacle.vehicle()),
            "A4": (Obstacle.blaze(),),
        }
    )
    seen = [(found.terrain(at).smoke, found.terrain(at).wreck) for at in ("qA2", "qA3", "qA4")]
    assert seen == [(3, False), (0, True), (3, False)]
    assert found.sight("qB2", "qA4").range == 2
    with pytest.raises(BoardError, match="no hex 'A99'"):
        found.with_obstacles({"A99": (Obstacle.wreck(),)})


def under_overlay(folder: Path, line: str) -> set[str]:
    """The hexes that the one overlay of a boards line makes unknown, and no others."""
    found = build_ground(parse_boards(line), BoardLibrary([folder]), month=7)
    (problem,) = found.problems
    assert problem.code == "overlay"
    unknown = {at for at in found.hexes() if not found.terrain(at).understood}
    assert unknown == set(problem.hexes).intersection(found.hexes())
    return unknown


def test_picker_overlays_make_hexes_unknown(folder: Path) -> None:
    line = "bd\t0\t0\tq\tVER\t6.0\tOVR\twd1\tE6\tE6\t"
    found = build_ground(parse_boards(line), BoardLibrary([folder]), month=7)
    assert found.problems[0].text == "overlay wd1 on board q is not understood"
    assert found.problems[0].hexes[0] == "qE6"
    unknown = under_overlay(folder, line)
    assert {at for at in found.hexes() if found.distance(at, "qE6") <= 2} <= unknown
    assert all(found.distance(at, "qE6") <= 3 for at in unknown)


@pytest.mark.parametrize("hexes", ["E6\tE7", "", "E66\tE67", "what\tever", "hill\thill"])
def test_an_overlay_of_unknown_size_or_place_may_cover_its_board(folder: Path, hexes: str) -> None:
    whole = set(ground(folder).hexes())
    assert under_overlay(folder, f"bd\t0\t0\tq\tOVR\tst1\t{hexes}\t") == whole


def overlay_folder(tmp_path: Path, file: str, **sizes: tuple[int, int]) -> Path:
    """Boards with one blank board q and an overlay file with pictures of these sizes."""
    boards = tmp_path / "boards"
    (boards / "overlays").mkdir(parents=True)
    make.write_board(boards, "q", make.blank())
    with zipfile.ZipFile(boards / "overlays" / file, "w") as archive:
        for name, size in sizes.items():
            archive.writestr(f"{name}.gif", make.picture(*size))
        archive.writestr("data", "version 1\n")
    return boards


@pytest.mark.parametrize("file", ["ovrST1", "ovrST", "ovrst"])
def test_an_overlay_at_hand_covers_what_its_picture_covers(tmp_path: Path, file: str) -> None:
    boards = overlay_folder(tmp_path, file, ovrst1a=(60, 60), ovrst1d=(60, 60), ovrst12a=(900, 600))
    whole = ground(boards)
    one = under_overlay(boards, "bd\t0\t0\tq\tOVR\tst1\te6\te6\t")
    assert one == {"qE6", *whole.neighbours("qE6")}
    two = under_overlay(boards, "bd\t0\t0\tq\tOVR\tst1\te6\te5\t")
    assert two == {"qE5", "qE6", *whole.neighbours("qE6"), *whole.neighbours("qE5")}


def test_a_wide_overlay_reaches_as_many_columns_as_it_is_wide(tmp_path: Path) -> None:
    boards = overlay_folder(tmp_path, "ovr1", ovr1a=(10 * 57, 60))
    found = under_overlay(boards, "bd\t0\t0\tq\tOVR\t1\tM5\tM6\t")
    assert {"qC5", "qW5"} <= found
    assert not {"qA5", "qY5"} & found


def test_an_overlay_reaches_over_the_cut_behind_which_it_is_fixed(tmp_path: Path) -> None:
    boards = overlay_folder(tmp_path, "ovrH", ovrh1a=(300, 200))
    found = under_overlay(boards, "bd\t0\t0\tq\t900\t0\t900\t645\tOVR\th1\tO5\tO6\t")
    assert "qR5" in found
    assert "qX5" not in found


def test_overlays_that_lie_on_the_map_as_pieces(folder: Path) -> None:
    bare = ground(folder)
    covered = bare.with_obstacles({}, [("ovr brush", "E6")])
    assert [problem.code for problem in covered.problems] == ["overlay"]
    assert not covered.terrain("qE6").understood
    assert not covered.terrain("qE5").understood
    assert covered.terrain("qE3").understood
    assert bare.terrain("qE6").understood
    smoky = covered.with_obstacles({"qA3": (Obstacle.smoke(2),)})
    assert not smoky.terrain("qE6").understood
    assert smoky.terrain("qA3").smoke == 2
    assert smoky.with_obstacles({}, []) is bare


def test_lines_over_what_an_overlay_may_hide(folder: Path) -> None:
    bare = ground(folder)
    covered = bare.with_obstacles({}, [("ovr brush", "E6")])
    assert bare.all_clear
    assert not covered.all_clear
    near = {at for at in bare.neighbours("qE6") if at} | {"qE6"}
    assert covered.unclear_between("qE1", "qE10") == "qE5"
    assert covered.unclear_between("qE10", "qE1") == "qE7"
    assert covered.unclear_between("qE6", "qH6") == "qE6"
    assert covered.unclear_between("qA1", "qH1") is None
    assert bare.unclear_between("qE1", "qE10") is None
    for target in ("qA10", "qH3", "qB9", "qG1"):
        crossed = tuple(hexes_between(covered.layout, "qC2", target))
        assert (crossed[0], crossed[-1]) == ("qC2", target)
        assert (covered.unclear_between("qC2", target) in near) == bool(near & set(crossed))


def test_a_line_along_a_hexside_counts_for_both_hexes(folder: Path) -> None:
    layout = ground(folder).layout
    assert set(hexes_between(layout, "qC4", "qE4")) == {"qC4", "qE4", "qD3", "qD4"}
    assert tuple(hexes_between(layout, "qC4", "qC5")) == ("qC4", "qC5")
    assert tuple(hexes_between(layout, "qC4", "qC4")) == ("qC4",)


def test_all_lines_that_touch_a_hidden_hex_are_found(folder: Path) -> None:
    """Lines that pass far from it are told apart without being walked."""
    covered = ground(folder).with_obstacles({}, [("ovr brush", "E6")])
    near = {at for at in covered.neighbours("qE6") if at} | {"qE6"}
    hexes = covered.hexes()
    found = 0
    for viewer in hexes[::3]:
        for target in hexes[::7]:
            crossed = hexes_between(covered.layout, viewer, target)
            first = next((at for at in crossed if at in near), None)
            assert covered.unclear_between(viewer, target) == first
            found += first is not None
    assert found >= 20


def test_counters_may_come_with_the_ground(folder: Path) -> None:
    found = build_ground(
        placements_from_rows([["q"]]),
        BoardLibrary([folder]),
        painted=[("smoke", "A3")],
        obstacles={"A3": (Obstacle.wreck(),), "A4": (Obstacle.smoke(2),)},
        overlays=[("brush", "E6")],
    )
    assert (found.terrain("qA3").smoke, found.terrain("qA3").wreck) == (3, True)
    assert set(found.obstacles) == {"qA3", "qA4"}
    assert not found.terrain("qE6").understood
    assert found.losmap is not None


def test_a_map_keeps_only_a_few_sets_of_counters(folder: Path) -> None:
    bare = ground(folder)
    first = {"qA1": (Obstacle.wreck(),)}
    made = bare.with_obstacles(first)
    for row in range(2, 11):
        bare.with_obstacles({f"qA{row}": (Obstacle.wreck(),)})
    assert bare.with_obstacles(first) is not made
    assert bare.with_obstacles({"qA10": ()}) is bare.with_obstacles({})


# -- boards without terrain --------------------------------------------------------------------


def test_a_legacy_board_has_hexes_but_no_known_terrain(folder: Path) -> None:
    found = ground(folder, ["old"])
    assert [problem.code for problem in found.problems] == ["board-without-terrain"]
    assert "oldC3" in found.hexes()
    here = found.terrain("oldC3")
    assert (here.name, here.understood) == ("unknown", False)
    assert found.sight("oldA1", "oldC3").range == 3


def test_a_missing_board_is_an_error_unless_one_asks_for_what_there_is(folder: Path) -> None:
    rows = placements_from_rows([["q"], ["z"]])
    with pytest.raises(BoardError, match="board 'z' is missing"):
        build_ground(rows, BoardLibrary([folder]))
    found = build_ground(rows, BoardLibrary([folder]), month=7, strict=False)
    assert found.terrain("qG3").understood
    assert not found.terrain("zG3").understood
    assert found.distance("qB1", "zB1") == 10


def test_a_missing_board_of_two_has_no_walls_roads_or_buildings(folder: Path) -> None:
    rows = placements_from_rows([["q"], ["z"]])
    found = build_ground(rows, BoardLibrary([folder]), month=7, strict=False)
    entry = found.entry("zC3", "zC4")
    assert (entry.mf2, entry.by_road, entry.uphill) == (2, False, False)
    assert found.terrain("zC3").building is None
    assert found.terrain("zC3").level == 0
    assert found.sight("qC3", "zC3").clear
    assert found.picture().by_name()["zC4"].terrain == "unknown"


def test_boards_that_do_not_meet_are_not_understood(folder: Path) -> None:
    line = "bd\t0\t0\tq\t0\t0\t872\t-1\tbd\t1\t0\tp\t"
    found = build_ground(parse_boards(line), BoardLibrary([folder]), month=7)
    assert [problem.code for problem in found.problems] == ["boards-not-aligned"]
    assert found.terrain("qC3").understood
    assert not found.terrain("pC3").understood


def test_only_spacers_is_a_map_without_hexes(folder: Path) -> None:
    found = build_ground(parse_boards("bd\t0\t0\tBlank0\t"), BoardLibrary([folder]))
    assert found.hexes() == ()
    assert found.problems == ()


def test_a_game_without_boards_is_a_map_without_hexes() -> None:
    found = build_ground(parse_boards("bd\t"), BoardLibrary([]))
    assert found.hexes() == ()
    assert found.layout.hex_at(500, 500) is None
    assert found.picture().hexes == ()
    with pytest.raises(BoardError, match=r"no hex 'A1' on this map \(no boards\)"):
        found.canonical_hex("A1")


def test_the_face_is_loaded_when_it_is_used() -> None:
    import vassal_bridge.board

    assert {
        name for name in vassal_bridge.board.__all__ if not hasattr(vassal_bridge.board, name)
    } == set()
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = vassal_bridge.board.nothing  # type: ignore[attr-defined]


# -- pictures ----------------------------------------------------------------------------------


def test_the_picture_lies_as_the_boards_do(tmp_path: Path) -> None:
    image = Image.new("RGB", (1800, 645), (0, 128, 0))
    ImageDraw.Draw(image).rectangle((0, 0, 99, 49), fill=(255, 0, 0))
    art = io.BytesIO()
    image.save(art, "PNG")
    make.write_legacy(tmp_path, "q", (1800, 645))
    with zipfile.ZipFile(tmp_path / "bdq", "w") as archive:
        archive.writestr("bdq.gif", art.getvalue())
    line = "bd\t0\t0\trq\tbd\t1\t0\tq\t0\t0\t900\t-1\t"
    found = build_ground(parse_boards(line), BoardLibrary([tmp_path])).picture()
    assert isinstance(found, MapPicture)
    assert (found.width, found.height) == (2700, 645)
    assert [(t.x, t.y, t.reversed, t.crop, t.mime) for t in found.tiles] == [
        (0, 0, True, (0, 0, 1800, 645), "image/png"),
        (1800, 0, False, (0, 0, 900, 645), "image/png"),
    ]
    drawn = found.image()
    assert drawn.size == (2700, 645)
    red = {at for at in ((10, 10), (1790, 635), (1810, 10), (2690, 10)) if drawn.getpixel(at)[0]}
    assert red == {(1790, 635), (1810, 10)}
    shape = found.by_name()["qO5"]
    assert shape.centre == pytest.approx((1800 - 56.25 * 14, 645 - 290), abs=1)
    assert all(0 <= x <= 2700 and 0 <= y <= 645 for at in found.hexes for x, y in at.polygon)


@pytest.mark.parametrize("art", [b"", b"GIF89a", b"GIF89a\x10\x00\x10\x00 and nonsense"])
def test_a_damaged_picture_is_an_error_of_ours(tmp_path: Path, art: bytes) -> None:
    make.write_board(tmp_path, "q", make.blank(), art=art)
    found = build_ground(placements_from_rows([["q"]]), BoardLibrary([tmp_path])).picture()
    if found.tiles:
        with pytest.raises(BoardError, match="board picture is damaged"):
            found.image()


def test_the_open_board_has_no_tiles_but_terrain() -> None:
    found = build_ground(
        placements_from_rows([["open"]]), BoardLibrary([]), painted=[("woods", "F5")]
    ).picture()
    assert found.tiles == ()
    assert found.by_name()["openF5"].terrain == "woods"
    assert len(found.hexes) == 346


# -- real boards -------------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize("board", ["z", "y", "t", "n", "o", "q", "u", "x", "l"])
def test_roads_cross_hexsides_clearly_or_not_at_all(board: str) -> None:
    """The measure of a crossed hexside leaves nothing in doubt on real boards."""
    found = build_ground(placements_from_rows([[board]]), BoardLibrary([BOARDS]), month=7)
    ways = 0
    for at in found.hexes():
        if found.terrain(at).name != "woods-road":
            continue
        for other in found.neighbours(at):
            if other is None:
                continue
            into = found.entry(other, at)
            assert into.mf2 == (2 if into.by_road else 4) * (2 if into.uphill else 1)
            assert (into.woods_mf2 is not None) == into.by_road
            ways += into.by_road
            if found.terrain(other).name == "woods-road":
                assert found.entry(at, other).by_road == into.by_road
    assert ways > 0


@needs_shared
def test_real_woods_roads() -> None:
    library = BoardLibrary([BOARDS])
    z = build_ground(placements_from_rows([["z"]]), library, month=7)
    ways = {at for at in z.neighbours("zW9") if at is not None and z.entry(at, "zW9").by_road}
    assert ways == {"zV9", "zX9"}
    n = build_ground(placements_from_rows([["n"]]), library, month=7)
    # A road that only brushes Y6 does not make it a road hex (ruling n-002).
    assert n.entry("nY6", "nX5").mf2 == 4
    assert n.entry("nW6", "nX5").mf2 == 2


@needs_shared
@pytest.mark.parametrize(
    ("save", "missing", "there"),
    [
        ("S19-2-A-RtPh start", ("yK2", "yDD4"), ("yL2", "yR10", "yT10", "yCC5")),
        ("after AFPh t v", ("vB0", "vD0", "tGG9", "vD10"), ("vB1", "tDD10", "vA9", "tFF8")),
        ("goering turn 3", ("vV0", "vX0", "xGG5"), ("vV1", "xA5", "vGG5")),
        ("P1 S3 simple equation RPh", ("zQ5", "yQ5"), ("zR5", "yP5", "zGG4")),
    ],
)
def test_hexes_in_play_on_real_saves(
    save: str, missing: tuple[str, ...], there: tuple[str, ...]
) -> None:
    """What the rulings beside the saves take to be on the map."""
    from vassal_bridge.vassal import load_game, open_saved

    library = BoardLibrary([BOARDS])
    game = load_game(open_saved(SAVES / "made" / f"{save}.vsav"))
    found = build_ground(parse_boards(game.boards_line, library.known), library, month=7)
    hexes = set(found.hexes())
    assert not hexes & set(missing)
    assert set(there) <= hexes
    ruling = yaml.safe_load((SAVES / "made" / f"{save}.ruling.yaml").read_text(encoding="utf-8"))
    named = {
        hex_
        for question in ruling["questions"]
        if isinstance(question["answer"], dict)
        for hex_ in question["answer"]
        if hex_ != "free"
    }
    assert named
    assert named <= hexes
