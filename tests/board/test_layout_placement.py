"""The boards line and the rows of a position file (formats/files.md 11, contracts.md 2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge import limits
from vassal_bridge.board import BoardPlacement, Crop, parse_boards, placements_from_rows
from vassal_bridge.board.placement import PickerOverlay
from vassal_bridge.errors import FormatError, LimitReached


def test_no_boards() -> None:
    assert parse_boards("bd\t") == ()
    assert parse_boards("bd") == ()


def test_everything_a_board_can_have() -> None:
    line = (
        "bd\t1\t2\try\t0\t0\t872\t-1\tVER\t6.1\t\tOVR\twd1\tE6\tE7\tOVR\tX5\tB2\tB2\t"
        "SSR\tNoGrain\tSwampToMarsh\t\t\tNoGrain\t\tZOOM\t3.0"
    )
    assert parse_boards(line) == (
        BoardPlacement(
            "y",
            row=2,
            column=1,
            reversed=True,
            crop=Crop(0, 0, 872, -1),
            version="6.1",
            rules=("NoGrain", "SwampToMarsh", "NoGrain"),
            overlays=(PickerOverlay("wd1", "E6", "E7"), PickerOverlay("X5", "B2", "B2")),
            zoom=3.0,
        ),
    )


def test_boards_follow_one_another_with_bd_only() -> None:
    boards = parse_boards("bd\t0\t0\tz\tVER\t6.2\tSSR\tNoRoads\t\tbd\t1\t0\tBlank1\tVER\t6.0\t")
    assert [(b.name, b.column, b.rules, b.spacer) for b in boards] == [
        ("z", 0, ("NoRoads",), False),
        ("Blank1", 1, (), True),
    ]


@pytest.mark.parametrize(
    ("text", "name", "turned"),
    [
        ("r", "r", False),
        ("rr", "r", True),
        ("rw", "w", True),
        ("r04", "04", True),
        ("RBv2", "RBv2", False),
        ("rBlank0", "Blank0", True),
    ],
)
def test_a_leading_r_turns_the_board(text: str, name: str, turned: bool) -> None:
    (board,) = parse_boards(f"bd\t0\t0\t{text}\tVER\t6.0\t")
    assert (board.name, board.reversed) == (name, turned)


def test_a_board_whose_name_begins_with_r_is_not_turned_if_only_it_exists() -> None:
    (board,) = parse_boards("bd\t0\t0\triver\t", known=lambda name: name == "river")
    assert (board.name, board.reversed) == ("river", False)
    (board,) = parse_boards("bd\t0\t0\triver\t", known=lambda name: name in ("river", "iver"))
    assert (board.name, board.reversed) == ("iver", True)


def test_a_crop_without_size_is_the_whole_board() -> None:
    (board,) = parse_boards("bd\t0\t0\tz\t0\t0\t-1\t-1\tVER\t6.2\t")
    assert board.crop is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "boards\t0\t0\tz",
        "bd\tx\t0\tz\t",
        "bd\t0\t",
        "bd\t0\t0\t",
        "bd\t0\t0\tz\t1\t2\t3\t",
        "bd\t0\t0\tz\tOVR\t",
        "bd\t0\t0\tz\tZOOM\tbig",
        "bd\t0\t0\tz\tZOOM",
    ],
)
def test_what_is_no_boards_line_is_an_error(line: str) -> None:
    with pytest.raises(FormatError):
        parse_boards(line)


def test_limits() -> None:
    many = "".join(f"bd\t{n % 8}\t{n // 8}\tz\t" for n in range(limits.MAX_BOARDS + 1))
    with pytest.raises(LimitReached, match="65 boards, limit 64"):
        parse_boards(many)
    with pytest.raises(LimitReached):
        placements_from_rows([["z"] * (limits.MAX_BOARDS + 1)])
    with pytest.raises(LimitReached):
        parse_boards(f"bd\t{limits.MAX_BOARD_SPAN}\t0\tz\t")
    with pytest.raises(LimitReached):
        parse_boards("bd\t0\t-1\tz\t")
    with pytest.raises(LimitReached):
        parse_boards(f"bd\t0\t0\tz\tZOOM\t{limits.MAX_BOARD_ZOOM + 1}")
    with pytest.raises(LimitReached):
        parse_boards("bd\t0\t0\tz\tZOOM\tnan")


@given(st.text(st.sampled_from("bd\t0123r zyVEROSMZ-.\\"), max_size=80))
def test_any_text_is_read_or_refused_with_our_own_errors(text: str) -> None:
    try:
        boards = parse_boards("bd\t" + text)
    except (FormatError, LimitReached):
        return
    assert all(board.name for board in boards)


def test_rows_of_a_position_file() -> None:
    boards = placements_from_rows([["z reversed", "BOB DZN"], ["open"]])
    assert [(b.name, b.reversed, b.row, b.column) for b in boards] == [
        ("z", True, 0, 0),
        ("BOB DZN", False, 0, 1),
        ("open", False, 1, 0),
    ]


@pytest.mark.parametrize("rows", [[], [[]], [[""]], [[" reversed"]]])
def test_rows_without_a_board_are_an_error(rows: list[list[str]]) -> None:
    with pytest.raises(FormatError):
        placements_from_rows(rows)
