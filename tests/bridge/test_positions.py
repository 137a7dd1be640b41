"""Position files (contracts.md 2): what is read, what is refused and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared import BOARDS, needs_shared
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options, load_file, load_position_file
from vassal_bridge.bridge.positions import build_position, parse_position, read_position_file
from vassal_bridge.bridge.yamlfile import parse_yaml, read_yaml
from vassal_bridge.errors import (
    BoardError,
    FileError,
    LimitReached,
    PositionError,
    VassalBridgeError,
)
from vassal_bridge.limits import MAX_NESTING, MAX_YAML_BYTES
from vassal_bridge.rout import Edition, Kind, Position, Readings, assess

SMALL = """
boards: [[open]]
units:
  German:
    - 4-6-7 F9
  Russian:
    - 4-4-7 F5 broken dm
"""


def made(text: str) -> Position:
    return build_position(parse_position(parse_yaml(text)), BoardLibrary([]))[0]


def refused(text: str) -> VassalBridgeError:
    with pytest.raises(VassalBridgeError) as caught:
        made(text)
    return caught.value


# -- what is read ----------------------------------------------------------------------------------


def test_the_example_of_the_contract() -> None:
    position = made(
        """
boards:
  - [open]
edition: sk3
month: 10
attacker: German
terrain:
  woods: [F8, D7]
  building: [H8]
  brush: [G5]
buildings:
  - [F5, F6, G6]
units:
  German:
    - 4-6-7 openO5
    - 9-1 openO6 pinned
    - 4-6-7 openM6 cx with MMG
  Russian:
    - 4-4-7 openM9 broken dm
    - 7-0 openM9 broken dm wounded
    - "hex 4-4-7 openN7 broken"
"""
    )
    assert [unit.id for unit in position.units] == [
        "openO5", "openO6", "openM6", "openM9/1", "openM9/2", "hex"
    ]  # fmt: skip
    squad, leader, gunner, broken, wounded, _ = position.units
    assert (squad.side, squad.kind, squad.fp, squad.range) == ("German", Kind.SQUAD, 4, 6)
    assert (leader.kind, leader.leadership, leader.pinned) == (Kind.LEADER, -1, True)
    assert [weapon.name for weapon in gunner.weapons] == ["MMG"]
    assert (gunner.cx, gunner.weapons[0].range) == (True, 12)
    assert (broken.broken, broken.dm, broken.broken_morale) == (True, True, 7)
    assert (wounded.kind, wounded.wounded) == (Kind.LEADER, True)
    # 3.2.3: a wound takes a point off his morale and his leadership
    assert (wounded.broken_morale, wounded.leadership) == (6, 1)
    assert (position.attacker, position.rules.month) == ("German", 10)
    ground = position.ground
    assert ground.terrain("openF8").name == "woods"
    assert len({ground.terrain(f"open{hex_}").building for hex_ in ("F5", "F6", "G6")}) == 1
    assert ground.terrain("openH8").building != ground.terrain("openF5").building


def test_defaults() -> None:
    position = made(SMALL)
    assert position.rules.edition is Edition.SK3
    assert position.rules.month is None
    assert position.attacker == "German"  # the first side
    assert position.rules.readings == Readings()


@pytest.mark.parametrize("edition", ["sk1", "sk2", "sk3", "sk4"])
def test_editions(edition: str) -> None:
    assert made(f"edition: {edition}{SMALL}").rules.edition == edition


def test_ids_count_within_the_side() -> None:
    position = made(
        "boards: [[open]]\nunits:\n  German: [4-6-7 F5 melee, 9-1 F5]\n"
        "  Russian: [4-4-7 F5 melee, x 8-0 F5]\n"
    )
    ids = [unit.id for unit in position.units]
    assert ids == ["openF5/1", "openF5/2", "Russian:openF5/1", "x"]


def test_a_broken_unit_keeps_its_plain_id_where_both_sides_stand() -> None:
    position = made(
        "boards: [[open]]\nunits:\n  German: [4-6-7 F5 melee]\n"
        "  Russian: [4-4-7 F5 broken dm melee]\n"
    )
    assert position.by_id["openF5"].broken


def test_later_paint_wins() -> None:
    position = made(f"terrain: {{woods: [F3, F4], open: [F3], brush: [F4]}}{SMALL}")
    assert position.ground.terrain("openF3").name == "open"
    assert position.ground.terrain("openF4").name == "brush"


def test_smoke_and_wrecks_are_counters_on_the_terrain() -> None:
    position = made(f"terrain: {{woods: [F3], smoke: [F3], wreck: [F4]}}{SMALL}")
    woods, wreck = (position.ground.terrain(f"open{hex_}") for hex_ in ("F3", "F4"))
    assert (woods.name, bool(woods.smoke), woods.wreck) == ("woods", True, False)
    assert (wreck.name, bool(wreck.smoke), wreck.wreck) == ("open", False, True)


def test_painted_buildings_are_each_their_own() -> None:
    position = made(f"terrain: {{building: [F3, F4]}}{SMALL}")
    numbers = [position.ground.terrain(f"open{hex_}").building for hex_ in ("F3", "F4")]
    assert None not in numbers
    assert numbers[0] != numbers[1]


def test_two_nationalities_on_one_side() -> None:
    text = """
boards: [[open]]
attacker: British
sides: {Allied: [American, British]}
units:
  American: [6-6-6 F5 broken dm]
  British: [4-5-7 F4]
  German: [4-6-7 F9]
"""
    position = made(text)
    american, british, german = position.units
    assert american.side == british.side == "Allied"
    assert (american.nationality, german.side) == ("American", "German")
    assert position.attacker == "Allied"
    assert assess(position, "openF5").known == ("openF9",)


def test_ss_counts_as_german() -> None:
    position = made("boards: [[open]]\nunits: {SS: [6-5-8 F9], Russian: [4-4-7 F5 broken dm]}\n")
    assert position.units[0].side == "German"
    assert position.attacker == "German"


def test_ss_and_germans_are_one_side() -> None:
    position = made(
        "boards: [[open]]\nattacker: SS\n"
        "units: {Russian: [4-4-7 F5 broken dm], SS: [6-5-8 F9], German: [4-6-7 F8]}\n"
    )
    assert {unit.side for unit in position.units[1:]} == {"German"}
    assert position.attacker == "German"


def test_hidden_and_concealed_units_are_not_in_the_position() -> None:
    position = made(
        "boards: [[open]]\nunits:\n  German: [4-6-7 F9 hip, 4-6-7 F8 concealed, 4-6-7 F8]\n"
        "  Russian: [4-4-7 F5 broken dm]\n"
    )
    assert [unit.id for unit in position.units] == ["openF8/2", "openF5"]
    assert position.concealed == {("German", "openF8")}


@pytest.mark.parametrize(
    ("side", "factors", "kind"),
    [
        ("German", "4-6-7", "squad"),
        ("German", "2-4-7", "half-squad"),
        ("German", "1-2-7", "crew"),
        ("German", "10-2", "leader"),
        ("German", "6+1", "leader"),
        ("Russian", "6-2-8", "squad"),
        ("American", "6-6-6", "squad"),
    ],
)
def test_factors(side: str, factors: str, kind: str) -> None:
    position = made(f"boards: [[open]]\nunits: {{{side}: [{factors} F5]}}\n")
    assert position.units[0].kind == kind


def test_weapons_behind_with() -> None:
    position = made("boards: [[open]]\nunits:\n  German:\n  - 4-6-7 F5 broken with LMG, DC\n")
    assert [weapon.name for weapon in position.units[0].weapons] == ["LMG", "DC"]
    assert [weapon.pp for weapon in position.units[0].weapons] == [1, 1]


def test_line_ends_and_byte_order_marks() -> None:
    data = b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode()
    position = build_position(parse_position(parse_yaml(data)), BoardLibrary([]))[0]
    assert len(position.units) == 2


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (f"colour: red{SMALL}", 1, "colour"),
        (f"edition: sk9{SMALL}", 1, "sk1, sk2, sk3 or sk4"),
        (f"month: 13{SMALL}", 1, "1 to 12"),
        (f"month: true{SMALL}", 1, "1 to 12"),
        (f"month: May{SMALL}", 1, "1 to 12"),
        (f"attacker: French{SMALL}", 1, "French"),
        (f"terrain: {{lava: [F3]}}{SMALL}", 1, "lava"),
        (f"terrain: {{woods: [F3, ZZ9]}}{SMALL}", 1, "ZZ9"),
        (f"buildings: [[F3, Q99]]{SMALL}", 1, "Q99"),
        (f"sides: {{Allied: [Italian]}}{SMALL}", 1, "Italian"),
        (SMALL.replace("4-6-7 F9", "4-6-7 F99"), 5, "F99"),
        (SMALL.replace("4-6-7 F9", "4-6-7"), 5, "factors, hex"),
        (SMALL.replace("4-6-7 F9", "squad F9"), 5, "factors, hex"),
        (SMALL.replace("4-6-7 F9", "4-6-7 F9 angry"), 5, "angry"),
        (SMALL.replace("4-6-7 F9", "4-6-7 F9 with RAYGUN"), 5, "RAYGUN"),
        (SMALL.replace("4-6-7 F9", "9-9-9 F9"), 5, "9-9-9"),
        (SMALL.replace("4-6-7 F9", "x 4-6-7 F9").replace("4-4-7", "x 4-4-7"), 5, "twice"),
    ],
)
def test_mistakes_name_their_line(text: str, line: int, words: str) -> None:
    error = refused(text)
    assert isinstance(error, PositionError)
    assert words in error.message
    assert error.place == f"line {line}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "boards: [[open]]",
        "units: {German: [4-6-7 F9]}",
        "boards: []\nunits: {German: [4-6-7 F9]}",
        "boards: [[]]\nunits: {German: [4-6-7 F9]}",
        "boards: open\nunits: {German: [4-6-7 F9]}",
        "boards: [[open]]\nunits: [4-6-7 F9]",
        "boards: [[open]]\nunits: {German: 4-6-7 F9}",
        "boards: [[open]]\nunits: {German: [[4-6-7 F9]]}",
        "boards: [[open]]\nunits: {German: [4-6-7 F9]\n",
        "boards: [[open]]\nboards: [[open]]\nunits: {German: [4-6-7 F9]}",
        "boards: &a [[open]]\nunits: {German: *a}",
        "boards: [[open]]\nunits: {German: [4-6-7 F9, ~]}",
    ],
)
def test_other_shapes_are_refused(text: str) -> None:
    assert isinstance(refused(text), PositionError)


def test_a_board_that_is_not_there() -> None:
    error = refused(SMALL.replace("open", "qq"))
    assert isinstance(error, BoardError)
    assert "qq" in str(error)


def test_too_large_and_too_deep(tmp_path: Path) -> None:
    large = tmp_path / "large.rout.yaml"
    large.write_bytes(b"#" * (MAX_YAML_BYTES + 1))
    with pytest.raises(LimitReached, match=str(MAX_YAML_BYTES)):
        read_yaml(large)
    with pytest.raises(LimitReached, match="nested too deeply"):
        parse_yaml("[" * (MAX_NESTING + 2) + "]" * (MAX_NESTING + 2))
    with pytest.raises((LimitReached, PositionError)):  # libyaml has a limit of its own
        parse_yaml("[" * 100_000)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read_position_file(tmp_path / "absent.rout.yaml")
    assert caught.value.file == str(tmp_path / "absent.rout.yaml")


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(PositionError, match="UTF-8"):
        parse_yaml(b"boards: \xff\xfe")


# -- as a game -------------------------------------------------------------------------------------


def test_a_position_file_is_told_by_its_suffix(tmp_path: Path) -> None:
    file = tmp_path / "small.rout.yaml"
    file.write_text(SMALL, encoding="utf-8")
    loaded = load_file(file, Options(BoardLibrary([])))
    assert loaded.source.kind == "position"
    assert loaded.source.file == "small.rout.yaml"
    assert [board.name for board in loaded.boards] == ["open"]
    assert loaded.readings == ()
    assert [unit.id for unit in loaded.position.units] == ["openF9", "openF5"]


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ("", ("sides-unclear", "German, American, British")),
        ("sides: {Allied: [American, British]}\n", None),
    ],
)
def test_allies_whom_nobody_put_on_one_side_are_told_of(
    tmp_path: Path, sides: str, said: tuple[str, str] | None
) -> None:
    file = tmp_path / "three.rout.yaml"
    text = "boards: [[open]]\nedition: sk3\nunits:\n  German: [4-6-7 F9]\n"
    text += "  American: [6-6-6 F5 broken]\n  British: [4-5-7 F4]\n"
    file.write_text(sides + text, encoding="utf-8")
    notes = load_position_file(file, Options(BoardLibrary([]))).assumptions
    assert [(note.code, note.facts["nationalities"]) for note in notes] == ([said] if said else [])


def test_house_readings_reach_the_position(tmp_path: Path) -> None:
    file = tmp_path / "small.rout.yaml"
    file.write_text(SMALL, encoding="utf-8")
    options = Options(BoardLibrary([]), readings=Readings(r4_literal=True))
    assert load_position_file(file, options).position.rules.readings.r4_literal


def test_an_error_names_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.rout.yaml"
    file.write_text(SMALL.replace("F9", "F99"), encoding="utf-8")
    with pytest.raises(PositionError) as caught:
        load_file(file, Options(BoardLibrary([])))
    assert str(file) in str(caught.value)
    assert "line 5" in str(caught.value)


@needs_shared
@pytest.mark.shared
def test_real_boards_may_leave_the_board_out_where_there_is_one() -> None:
    text = "boards: [[z]]\nunits: {German: [4-6-7 O5], Russian: [4-4-7 zN7 broken]}\n"
    position, ground = build_position(parse_position(parse_yaml(text)), BoardLibrary([BOARDS]))
    assert [unit.hex for unit in position.units] == ["zO5", "zN7"]
    assert ground.canonical_hex("O5") == "zO5"


@needs_shared
@pytest.mark.shared
def test_two_boards_need_their_names() -> None:
    text = "boards: [[z], [y reversed]]\nunits: {German: [4-6-7 zO5, 4-6-7 yC3]}\n"
    library = BoardLibrary([BOARDS])
    position, _ = build_position(parse_position(parse_yaml(text)), library)
    assert [unit.hex for unit in position.units] == ["zO5", "yC3"]
    bare = text.replace("zO5", "O5")
    with pytest.raises(PositionError):
        build_position(parse_position(parse_yaml(bare)), library)
