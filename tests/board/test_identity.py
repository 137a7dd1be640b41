"""R87: what the rule book calls a hex, by shares of pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.board import boardmaker as make
from tests.shared import BOARDS, SHARED, needs_shared
from tools.check_hex_identity import differences, listed
from vassal_bridge.board import (
    BoardGround,
    BoardLibrary,
    build_ground,
    placements_from_rows,
)
from vassal_bridge.board.identity import (
    BoardPixels,
    HexPixels,
    measure,
    printed_identity,
    read_corrections,
    without_roads,
)
from vassal_bridge.board.layout_library import OPEN_GEOMETRY
from vassal_bridge.board.terrain import UNKNOWN, terrain_map
from vassal_bridge.errors import ModuleMapError

LIST = SHARED / "rules" / "hex-identity.yaml"


def boards_listed() -> list[str]:
    return (
        [str(b) for b in yaml.safe_load(LIST.read_text(encoding="utf-8"))] if LIST.is_file() else []
    )


@needs_shared
@pytest.mark.parametrize("board", boards_listed())
def test_r87_every_listed_hex_and_no_other(board: str) -> None:
    want = listed(LIST)[board]
    assert want
    assert differences(BoardLibrary([BOARDS]), board) == want


@needs_shared
def test_r87_hexes_the_rules_name() -> None:
    """The hexes that R87 itself names."""
    library = BoardLibrary([BOARDS])
    named = {
        "z": {"O7": "building", "K1": "building", "W9": "woods-road"},
        "y": {
            **dict.fromkeys(("I6", "J3", "L7", "P5", "Q6"), "building"),
            **dict.fromkeys(("Z3", "W9"), "grain"),
            "B5": "woods-road",
        },
        "t": {"I4": "grain", "C5": "woods-road"},
    }
    for board, hexes in named.items():
        ground = build_ground(placements_from_rows([[board]]), library, month=7)
        assert {at: ground.terrain(board + at).name for at in hexes} == hexes


@needs_shared
@pytest.mark.parametrize("board", ["z", "y", "o"])
def test_r87_a_board_turned_round_has_the_same_terrain(board: str) -> None:
    library = BoardLibrary([BOARDS])
    upright = build_ground(placements_from_rows([[board]]), library, month=7)
    turned = build_ground(placements_from_rows([[f"{board} reversed"]]), library, month=7)
    assert sorted(upright.hexes()) == sorted(turned.hexes())
    for at in upright.hexes():
        a, b = upright.terrain(at), turned.terrain(at)
        assert (a.name, a.level, a.understood) == (b.name, b.level, b.understood), at
    # Which hexes are one building does not change either; the numbers may.
    assert one_building(upright) == one_building(turned) != []


def one_building(ground: BoardGround) -> list[list[str]]:
    """Groups of hexes with the same building number."""
    groups: dict[int, set[str]] = {}
    for at in ground.hexes():
        number = ground.terrain(at).building
        if number is not None:
            groups.setdefault(number, set()).add(at)
    return sorted(sorted(group) for group in groups.values())


# -- the measure on made-up hexes ---------------------------------------------------------------


def pixels(centre: int, inside: dict[int, int], around: dict[int, int] | None = None) -> HexPixels:
    counts = [np.zeros(256, np.int64), np.zeros(256, np.int64)]
    for array, given in zip(counts, (inside, around or {centre: 81}), strict=True):
        for code, number in given.items():
            array[code] = number
    return HexPixels(counts[0], counts[1], centre)


@pytest.mark.parametrize(
    ("found", "vasl", "name"),
    [
        # A building drawing of 5 % makes a building hex, spills of 1 % do not.
        (pixels(0, {0: 950, 40: 50}), 0, "building"),
        (pixels(0, {0: 990, 40: 10}), 0, "open"),
        (pixels(65, {65: 200, 60: 700, 51: 100}), 65, "building"),
        # Road under the centre and 30 % woods; woods under the centre and more than 5 % road.
        (pixels(65, {65: 700, 60: 300}), 65, "woods-road"),
        (pixels(65, {65: 701, 60: 299}), 65, "road"),
        (pixels(60, {60: 949, 66: 51}), 60, "woods-road"),
        (pixels(60, {60: 950, 66: 50}), 60, "woods"),
        (pixels(63, {63: 900, 65: 100}), 63, "orchard-road"),
        (pixels(63, {63: 960, 65: 40}), 63, "orchard"),
        (pixels(64, {64: 800, 65: 200}), 64, "orchard-road"),
        # A white dot does not make a hole in a field.
        (pixels(0, {0: 600, 24: 400}, {0: 30, 24: 51}), 0, "grain"),
        (pixels(0, {0: 600, 24: 400}, {0: 41, 24: 40}), 0, "open"),
        (pixels(0, {0: 500, 25: 500}, {0: 9, 25: 72}), 0, "brush"),
        (pixels(0, {0: 400, 60: 600}, {0: 81}), 0, "woods"),
        (pixels(0, {0: 410, 60: 590}, {0: 81}), 0, "open"),
        # Otherwise VASL's centre, whatever lies around.
        (pixels(0, {0: 1000}), 40, "building"),
        (pixels(15, {15: 500, 0: 500}), 15, "shellholes"),
        (pixels(72, {72: 100, 0: 900}, {72: 81}), 72, "open"),
        (pixels(250, {250: 1000}), 250, UNKNOWN),
    ],
)
def test_r87_measure(found: HexPixels, vasl: int, name: str) -> None:
    assert measure(found, vasl) == name


def test_the_halves_of_a_seam_hex_are_measured_together() -> None:
    upper = pixels(0, {0: 480, 40: 20}, {0: 45})
    lower = pixels(24, {24: 460, 40: 40}, {24: 36})
    whole = upper.joined(lower)
    assert (int(whole.inside.sum()), whole.centre) == (1000, 24)
    assert measure(whole, 24) == "building"


def test_pixels_of_a_hex() -> None:
    terrain = make.blank()
    make.fill(terrain, "E5", code=make.WOODS)
    board = BoardPixels(OPEN_GEOMETRY, terrain)
    found = board.of("E5")
    assert found is not None
    assert found.centre == make.WOODS
    assert int(found.around.sum()) == 81
    assert found.inside[make.WOODS] / found.inside.sum() > 0.97
    corner = board.of("A1")
    assert corner is not None
    assert int(corner.around.sum()) == 5 * 9
    assert board.of("E11") is None
    assert board.share(terrain == make.WOODS, "E5") > 0.97
    assert printed_identity(board, "E5", make.WOODS) == "woods"
    assert printed_identity(board, "ZZ9", 0) is None


@pytest.mark.parametrize(
    ("roads", "after"),
    [
        ("kept", ("woods-road", "orchard-road", "road", "woods")),
        ("no woods roads", ("woods", "orchard-road", "road", "woods")),
        ("paths", (UNKNOWN, "orchard-road", "road", "woods")),
        ("none", ("woods", "orchard", "open", "woods")),
    ],
)
def test_roads_that_scenario_words_took_away(roads: str, after: tuple[str, ...]) -> None:
    before = ("woods-road", "orchard-road", "road", "woods")
    assert tuple(without_roads(name, roads) for name in before) == after  # type: ignore[arg-type]


# -- corrections ----------------------------------------------------------------------------------


def test_corrections_are_read() -> None:
    data = b'schema = "x"\n[boards.z]\nO7 = "building"\n[boards.04]\nK3 = "woods"\n'
    assert read_corrections(data, terrain_map().kinds) == {
        "z": {"O7": "building"},
        "04": {"K3": "woods"},
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[boards.z]\nO7 = 'castle'\n", "zO7: no terrain 'castle'"),
        (b"[boards]\nz = 3\n", "AttributeError"),
        (b"", "KeyError"),
        (b"[", "TOMLDecodeError"),
    ],
)
def test_wrong_corrections_are_an_error(data: bytes, message: str) -> None:
    with pytest.raises(ModuleMapError, match=message):
        read_corrections(data, terrain_map().kinds)


def test_a_correction_wins_over_the_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.write_board(tmp_path, "q1", make.blank())
    monkeypatch.setattr(
        "vassal_bridge.board.ground_source.corrections", lambda: {"q1": {"C3": "building"}}
    )
    ground = build_ground(placements_from_rows([["q1"]]), BoardLibrary([tmp_path]))
    here = ground.terrain("q1C3")
    assert (here.name, here.shelter) == ("building", "building")
    # It has no building pixels to be connected with anything.
    assert here.building is not None
    assert here.building < 0
