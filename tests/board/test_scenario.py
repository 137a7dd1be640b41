"""Scenario words (SSR) and seasons, applied to the pixels before anything is derived from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.board import boardmaker as make
from tests.shared import BOARDS, MODULE, needs_shared
from tools.make_ssr import main as make_ssr
from vassal_bridge.board import BoardGround, BoardLibrary, build_ground, parse_boards
from vassal_bridge.board.losterrain import terrain_table
from vassal_bridge.board.scenario import apply_rules, apply_season, ssr_map
from vassal_bridge.errors import BoardError, LimitReached
from vassal_bridge.module_maps import module_map_dir

CODE = {t.name: t.code for t in terrain_table().by_code.values()}
SAMPLE = {
    "C3": "Grain",
    "E3": "Brush",
    "G3": "Woods",
    "I3": "Orchard",
    "K3": "Marsh",
    "M3": "Swamp",
    "O3": "Crags",
    "Q3": "Stone Building",
    "S3": "Shallow Stream",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board with a hex of each terrain that words change, hills, a wall, a hedge, a road."""
    folder = tmp_path_factory.mktemp("boards")
    terrain, levels = make.blank(), np.zeros((1800, 645), np.int8)
    for name, kind in SAMPLE.items():
        make.fill(terrain, name, code=CODE[kind])
    hill = make.blank()
    make.fill(hill, "C7", "E7", code=1)
    make.fill(hill, "G7", code=2)
    levels[:] = hill
    # A wall between W6 and X5, a hedge between Y6 and Z5.
    terrain[1262:1268, 330:350] = make.WALL
    terrain[1375:1381, 330:350] = make.HEDGE
    # A road from BB5 to BB7 through woods in BB6.
    make.fill(terrain, "BB6", code=make.WOODS)
    terrain[1514:1524, 300:470] = make.ROAD
    rules = (
        '<overlaySSRule name="SSO_1" image="sso.png" x="100" y="200"/>'
        '<overlaySSRule name="SSO_2" image="nothing.gif" x="0" y="0"/>'
        '<overlaySSRule name="SSO_3" image="bad.gif" x="0" y="0"/>'
    )
    make.write_board(
        folder,
        "q",
        terrain,
        levels,
        rules=rules,
        members={"sso.png": make.picture(60, 50, (1, 2, 3, 255)), "bad.gif": b"GIF89a nonsense"},
    )
    return folder


def code_at(folder: Path, name: str, *words: str) -> tuple[str, int]:
    """VASL's name of the terrain in the middle of a hex, and its level, after some words."""
    library = BoardLibrary([folder])
    archive = library.open("q")
    changed = apply_rules(archive, words)
    hex_ = archive.geometry.hex_named(name)
    assert hex_ is not None
    x, y = archive.geometry.aim(hex_)
    code = int(changed.terrain[x, y])
    return terrain_table().by_code[code].name, int(changed.elevation[x, y])


def ground(folder: Path, *words: str, month: int | None = 7) -> BoardGround:
    line = "bd\t0\t0\tq\tVER\t6.0\tSSR\t" + "\t".join(words)
    return build_ground(parse_boards(line), BoardLibrary([folder]), month=month)


@pytest.mark.parametrize(
    ("word", "hex_", "terrain"),
    [
        ("NoGrain", "C3", "Open Ground"),
        ("PlowedFields", "C3", "Plowed Field"),
        ("GrainToWoods", "C3", "Woods"),
        ("BrushToOpenGround", "E3", "Open Ground"),
        ("BrushToGrain", "E3", "Grain"),
        ("LightWoods", "G3", "Light Woods"),
        ("WoodsToBrush", "G3", "Brush"),
        ("OrchardOutOfSeason", "I3", "Orchard, Out of Season"),
        ("PalmTrees", "I3", "Palm Trees"),
        ("MarshToOpenGround", "K3", "Open Ground"),
        ("SwampToMarsh", "M3", "Marsh"),
        ("CragsToOrchard", "O3", "Orchard"),
        ("DryStreams", "S3", "Dry Stream"),
        ("DenseJungle", "G3", "Dense Jungle"),
        ("Bamboo", "E3", "Bamboo"),
    ],
)
def test_terrain_becomes_terrain(folder: Path, word: str, hex_: str, terrain: str) -> None:
    assert code_at(folder, hex_)[0] == SAMPLE[hex_]
    assert code_at(folder, hex_, word) == (terrain, 0)
    for other in set(SAMPLE) - {hex_}:
        assert code_at(folder, other, word)[0] == SAMPLE[other]


def test_levels_become_levels(folder: Path) -> None:
    assert code_at(folder, "C7", "Level1ToLevel0") == ("Open Ground", 0)
    assert code_at(folder, "G7", "Level1ToLevel0") == ("Open Ground", 2)
    assert code_at(folder, "G7", "Level2ToLevel1") == ("Open Ground", 1)
    # The metadata writes the level of this one as "_1".
    assert code_at(folder, "C7", "Level1ToLevel_1") == ("Open Ground", -1)


def test_terrain_becomes_level_and_level_becomes_terrain(folder: Path) -> None:
    assert code_at(folder, "C3", "GrainToLevel1") == ("Open Ground", 1)
    assert code_at(folder, "K3", "MarshToLevel_1") == ("Open Ground", -1)
    assert code_at(folder, "C7", "Level1ToWoods") == ("Woods", 0)


def test_words_work_in_the_order_of_the_line(folder: Path) -> None:
    assert code_at(folder, "M3", "SwampToMarsh", "MarshToOpenGround")[0] == "Open Ground"
    assert code_at(folder, "M3", "MarshToOpenGround", "SwampToMarsh")[0] == "Marsh"
    assert code_at(folder, "G7", "Level2ToLevel1", "Level1ToLevel0")[1] == 0
    assert code_at(folder, "C3", "NoGrain", "NoGrain", "Winter") == ("Open Ground", 0)


def test_the_archive_itself_never_changes(folder: Path) -> None:
    archive = BoardLibrary([folder]).open("q")
    before = archive.terrain.copy()
    changed = apply_rules(archive, ["NoGrain", "Level1ToWoods"])
    assert (archive.terrain == before).all()
    assert changed.terrain is not archive.terrain
    assert apply_rules(archive, ["Winter", "AllPaved"]).terrain is archive.terrain


@pytest.mark.parametrize("word", sorted(ssr_map().rules))
def test_every_rule_of_the_metadata_can_be_applied(folder: Path, word: str) -> None:
    apply_rules(BoardLibrary([folder]).open("q"), [word])


def test_walls_and_hedges(folder: Path) -> None:
    plain = ground(folder)
    assert plain.entry("qW6", "qX5").mf2 == plain.entry("qY6", "qZ5").mf2 == 4
    without = ground(folder, "NoWalls", "HedgesToOG")
    assert without.entry("qW6", "qX5").mf2 == without.entry("qY6", "qZ5").mf2 == 2
    assert plain.sight("qW6", "qX5").crosses_wall
    assert not without.sight("qW6", "qX5").crosses_wall


def test_roads(folder: Path) -> None:
    plain = ground(folder)
    assert [plain.terrain(at).name for at in ("qBB5", "qBB6", "qBB7")] == [
        "road",
        "woods-road",
        "road",
    ]
    for word in ("NoRoads", "NoWoodsRoads"):
        bare = ground(folder, word)
        assert bare.terrain("qBB6").name == "woods"
        assert bare.terrain("qBB5").name == ("open" if word == "NoRoads" else "road")
        assert bare.terrain("qBB6").understood
        # VASL's line of sight does not know these words.
        assert bare.sight("qBB3", "qBB9") == plain.sight("qBB3", "qBB9")
    paths = ground(folder, "RoadsToPaths")
    assert paths.terrain("qBB6").name == "unknown"
    assert not paths.terrain("qBB6").understood
    assert paths.terrain("qBB5").understood


def test_line_of_sight_follows_the_words(folder: Path) -> None:
    assert ground(folder).sight("qB3", "qD3").hindrance == 1
    assert ground(folder, "NoGrain").sight("qB3", "qD3").hindrance == 0
    assert not ground(folder, "GrainToWoods").sight("qB3", "qD3").clear


# -- words that are not understood -------------------------------------------------------------


def unclear(ground: BoardGround) -> set[str]:
    return {at for at in ground.hexes() if not ground.terrain(at).understood}


def test_what_a_picture_covers_is_unknown(folder: Path) -> None:
    bare = unclear(ground(folder))
    assert bare == {"qK3", "qM3", "qO3", "qS3"}  # terrain that the rule book does not have
    found = ground(folder, "SSO_1")
    hidden = unclear(found) - bare
    # The picture lies at x 100 to 159, y 200 to 249: C4 and its neighbours.
    assert hidden == {"qB3", "qB4", "qC4", "qC5", "qD3", "qD4"} & hidden
    assert {"qC4", "qD3"} <= hidden
    (problem,) = found.problems
    assert problem.code == "scenario-word"
    assert problem.text == "scenario word SSO_1 of board q is not understood"
    assert set(problem.hexes) == hidden


@pytest.mark.parametrize("word", ["SSO_2", "SSO_3", "SSO_99", "Volcano", "ETOtoDTO"])
def test_a_word_nobody_can_explain_makes_the_board_unknown(folder: Path, word: str) -> None:
    found = ground(folder, word)
    assert unclear(found) == set(found.hexes())
    assert [problem.code for problem in found.problems] == ["scenario-word"]


@pytest.mark.parametrize(
    ("word", "hexes"),
    [
        ("GrainToVineyard", {"qC3"}),
        ("BrushToPaddy", {"qE3"}),
        ("OrchardsToCactusPatches", {"qI3"}),
        ("Level1ToVineyard", {"qC7", "qE7"}),
        ("MarshToWater", {"qK3"}),
        ("NoBridge", set()),
    ],
)
def test_a_word_that_names_its_terrain_touches_only_that(
    folder: Path, word: str, hexes: set[str]
) -> None:
    bare = unclear(ground(folder))
    found = ground(folder, word)
    assert unclear(found) - bare == hexes - bare
    assert [problem.code for problem in found.problems] == (["scenario-word"] if hexes else [])


def test_words_that_touch_the_same_share_one_area(folder: Path) -> None:
    words = [f"Volcano{n}" for n in range(150)] + [f"GrainToRock{n}" for n in range(40)]
    found = ground(folder, *words)
    assert {problem.facts[0][1] for problem in found.problems} == set(words)
    changed = apply_rules(BoardLibrary([folder]).open("q"), words)
    assert len(changed.unclear) == 190
    assert len(changed.unclear_areas) == 2


def test_what_a_word_touched_before_another_changed_it_stays_unclear(folder: Path) -> None:
    grain = "GrainToRock", "BrushToGrain", "GrainToVineyard"
    assert {"qC3", "qE3"} <= unclear(ground(folder, *grain))
    assert {"qC3", "qE3"} <= unclear(ground(folder, "GrainToRock", "NoGrain", *grain[1:]))


def test_max_unclear_areas(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_bridge.board.scenario.MAX_UNCLEAR_AREAS", 2)
    ground(folder, "Volcano", "GrainToRock")
    with pytest.raises(LimitReached, match="over 2 kinds of scenario words"):
        ground(folder, "Volcano", "GrainToRock", "WoodsToRock")
    line = "bd\t0\t0\tq\tSSR\tA\tGrainToRock\tbd\t0\t1\tq\tSSR\tA\t"
    with pytest.raises(LimitReached, match="over 2 kinds"):
        build_ground(parse_boards(line), BoardLibrary([folder]))


def test_a_word_counts_for_its_own_board_only(folder: Path) -> None:
    line = "bd\t0\t0\tq\tSSR\tNoGrain\tVolcano\tbd\t0\t1\tq\t"
    two = build_ground(parse_boards(line), BoardLibrary([folder]), month=7)
    assert two.terrain("q~2C3").name == "grain"
    assert two.terrain("q~2C3").understood
    assert not two.terrain("qC3").understood


# -- seasons -----------------------------------------------------------------------------------


def test_r19_grain_by_month(folder: Path) -> None:
    for month, name, mf2 in ((7, "grain", 3), (10, "open", 2), (None, "open", 2)):
        found = ground(folder, month=month)
        assert found.terrain("qC3").name == name
        assert found.entry("qC4", "qC3").mf2 == mf2
        assert found.sight("qB3", "qD3").hindrance == (1 if name == "grain" else 0)
        assert found.seasonal


def test_orchards_by_month(folder: Path) -> None:
    archive = BoardLibrary([folder]).open("q")
    for month, leafless in ((1, True), (4, False), (None, False)):
        changed = apply_rules(archive, [])
        assert apply_season(changed, month)
        assert (CODE["Orchard, Out of Season"] in changed.terrain) is leafless
        assert ground(folder, month=month).terrain("qI3").name == "orchard"


def test_a_board_without_fields_and_orchards_needs_no_month(tmp_path: Path) -> None:
    make.write_board(tmp_path, "q", make.blank())
    assert not ground(tmp_path, month=None).seasonal


# -- real boards -------------------------------------------------------------------------------


@needs_shared
def test_real_words_on_real_boards() -> None:
    library = BoardLibrary([BOARDS])
    line = "bd\t0\t0\ty\tVER\t6.0\tSSR\tOrchardOutOfSeason\tNoGrain\tSwampToMarsh\t\tWinter\t"
    winter = build_ground(parse_boards(line), library, month=7)
    assert winter.problems == ()
    names = {at: winter.terrain(at).name for at in winter.hexes()}
    assert "grain" not in names.values()
    assert names["yZ3"] == "open"
    assert all(winter.terrain(at).understood for at in winter.hexes())
    roads = build_ground(parse_boards("bd\t0\t0\tz\tSSR\tNoRoads\t\t"), library)
    assert roads.terrain("zW9").name == "woods"
    assert roads.problems == ()
    plowed = build_ground(parse_boards("bd\t0\t0\ty\tSSR\tPlowedFields\t"), library, month=7)
    assert plowed.terrain("yZ3").name == "open"


@needs_shared
def test_boards_own_pictures_are_found() -> None:
    library = BoardLibrary([BOARDS])
    line = "bd\t0\t0\tz\tVER\t6.2\tSSR\tOrchardsToCrags\t"
    found = build_ground(parse_boards(line), library, month=7)
    (problem,) = found.problems
    orchards = {
        at
        for at in build_ground(parse_boards("bd\t0\t0\tz\t"), library, month=7).hexes()
        if "orchard" in found.terrain(at).name
    }
    assert orchards
    assert orchards <= set(problem.hexes)
    assert len(problem.hexes) < 60


@needs_shared
def test_ssr_json_is_what_its_script_makes_of_the_metadata(tmp_path: Path) -> None:
    out = tmp_path / "ssr.json"
    sources = [str(MODULE / f"SharedBoardMetadata-{year}.xml") for year in ("6.5", "2026")]
    assert make_ssr(["make_ssr", *sources, "--out", str(out)]) == 0
    assert out.read_bytes() == (module_map_dir() / "ssr.json").read_bytes()


def test_a_legacy_board_has_no_terrain_to_change(tmp_path: Path) -> None:
    make.write_legacy(tmp_path, "old", (900, 645))
    archive = BoardLibrary([tmp_path]).open("old")
    with pytest.raises(BoardError, match="no LOSData"):
        apply_rules(archive, ["NoGrain"])
