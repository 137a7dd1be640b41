"""Commands as values: understood where known, verbatim always, owners never shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal.samples import CANARY
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    Boards,
    ChangePiece,
    Chat,
    Command,
    EndSave,
    Kept,
    LogStep,
    MovePiece,
    Nothing,
    Property,
    RemovePiece,
    ScenarioInfo,
    Undo,
    Unknown,
    decode,
    whole_number,
)


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        ("", Nothing, {}),
        ("null", Nothing, {}),
        ("begin_save", BeginSave, {}),
        ("end_save", EndSave, {}),
        ("CHAT<A> - hi", Chat, {"text": "<A> - hi"}),
        ("CHAT", Chat, {"text": ""}),
        (r"+/12/piece;K;D;ge\/x;n/Main Map;1;2;", AddPiece, {"id": "12", "is_stack": False}),
        ("+/12/stack/Main Map;1;2;11", AddPiece, {"id": "12", "is_stack": True}),
        ("+/12", Unknown, {"keyword": "+"}),
        ("-/12", RemovePiece, {"id": "12"}),
        ("D/12/a", ChangePiece, {"id": "12"}),
        ("D/12", Unknown, {"keyword": "D"}),
        (
            f"M/12/Main Map/1131/851/null/Main Map/1131/786/9/{CANARY}",
            MovePiece,
            {"id": "12", "map": "Main Map", "x": 1131, "y": 851, "under": None,
             "old_map": "Main Map", "old_x": 1131, "old_y": 786, "old_under": "9"},
        ),
        ("M/12/null/-5/x", MovePiece, {"map": None, "x": -5, "y": 0, "old_map": None}),
        ("M/12", Unknown, {"keyword": "M"}),
        ("bd\t0\t0\tz\tVER\t6.2\t", Boards, {"text": "bd\t0\t0\tz\tVER\t6.2\t"}),
        ("UNDO\ttrue", Undo, {"begins": True}),
        ("UNDO\tfalse", Undo, {"begins": False}),
        ("GlobalProperty\t;AlliedCVP;4;Casualties", Property, {"name": "AlliedCVP", "value": "4"}),
        (
            "GlobalProperty\t;Axishigh\tAxis Casualties\tCasualties\tCasualties;Axishigh;3",
            Property,
            {"name": "Axishigh", "value": "3"},
        ),
        ("MutableProperty\t3d6\t1,2,3\t4,5,6\tModule", Property, {"name": "3d6", "value": "4,5,6"}),
        ("MutableProperty\tx", Unknown, {}),
        ("NOTES\tx", Kept, {"keyword": "NOTES"}),
        (f"PNOTE\t{CANARY}\ttext", Kept, {"keyword": "PNOTE"}),
        (f"OBA/+/0/{CANARY},German,3,8,", Kept, {"keyword": "OBA"}),
        (f"HIP_FORT:{CANARY}", Kept, {"keyword": "HIP_FORT"}),
        ("ZZZ\tx", Unknown, {"keyword": "ZZZ"}),
        ("§§", Unknown, {"keyword": ""}),
        (CANARY, Unknown, {"keyword": ""}),
        ("LOG\tLOG\tLOG\tx", Unknown, {"keyword": "LOG"}),
    ],
)  # fmt: skip
def test_what_a_command_says(text: str, kind: type[Command], facts: dict[str, object]) -> None:
    command = decode(text)
    assert type(command) is kind
    assert command.raw == text
    assert {name: getattr(command, name) for name in facts} == facts
    assert CANARY not in repr(command)


def test_a_log_step_holds_its_command() -> None:
    command = decode("LOG\tCHAT* UNDO: x *")
    assert isinstance(command, LogStep)
    assert command.command == Chat("CHAT* UNDO: x *", "* UNDO: x *")
    assert decode("LOG\tnull") == LogStep("LOG\tnull", Nothing("null"))


INFO = "INFO\tAxis\tAllied\t5\t3 \t ? \t2\t4"


@pytest.mark.parametrize(
    ("rest", "booby", "weather"),
    [
        ("\tshared notes|more", (None, None), None),
        (f"\tshared\t{CANARY}\tprivate", (None, None), None),
        ("\t?\tB\tshared notes", ("?", "B"), None),
        (f"\tA\tC\tshared\t{CANARY}\tprivate", ("A", "C"), None),
        (f"\tA\tC\tClear\t-1\tNone\t3\tNo\t6\t{CANARY}\tprivate", ("A", "C"), "Clear"),
        ("", (None, None), None),
    ],
)
def test_scenario_info_of_every_age(
    rest: str, booby: tuple[str | None, str | None], weather: str | None
) -> None:
    info = decode(INFO + rest)
    assert isinstance(info, ScenarioInfo)
    assert (info.moves_first, info.current, info.turn) == ("Axis", "Allied", 5)
    assert (info.axis_elr, info.axis_san, info.allied_elr, info.allied_san) == ("3", "?", "2", "4")
    assert (info.axis_booby, info.allied_booby) == booby
    assert info.weather == weather
    assert (info.ec, info.nvr) == (("-1", "6") if weather else (None, None))
    assert CANARY not in repr(info)


def test_a_short_info() -> None:
    info = decode("INFO\tAxis")
    assert isinstance(info, ScenarioInfo)
    assert (info.moves_first, info.turn, info.allied_san) == ("Axis", None, "")


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("-7", -7), (" 3 ", 3), ("", 0), ("1.5", 0), ("x", 0), ("²", 0), ("٣", 0),
     ("9" * 5000, 0), ("1_000", 0), ("+5", 0)],
)  # fmt: skip
def test_whole_numbers(text: str, number: int) -> None:
    assert whole_number(text) == number


HEADS = st.sampled_from(
    ["+/", "-/", "D/", "M/", "bd", "LOG\t", "LOG\tLOG\t", "INFO\t", "UNDO\t", "CHAT", "EXT\t",
     "OBA/", "GlobalProperty\t", "MutableProperty\t", "HIP_FORT:", "null", ""]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(HEADS, st.text(alphabet="/\\;\t'|, 0123456789aé", max_size=40))
def test_any_text_is_some_command_and_stays_verbatim(head: str, rest: str) -> None:
    command = decode(head + rest)
    assert command.raw == head + rest
    assert repr(command)
