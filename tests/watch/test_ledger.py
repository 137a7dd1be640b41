"""What is done is done once; also after a restart."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.watch.ledger import Entry, Ledger
from vassal_bridge.watch.policy import Stamp

STAMP = Stamp(10, 1_700_000_000_000_000_001, 5)


def entry(name: str, digest: str, stem: str = "", same_as: str = "", key: str = "") -> Entry:
    outputs = () if same_as else (f"{stem or name}.rout.html",)
    return Entry(name, STAMP, digest, key, "" if same_as else stem or name, outputs, same_as)


def test_same_content_is_found_while_its_outputs_show_it() -> None:
    ledger = Ledger()
    ledger.done(entry("a", "X"))
    assert ledger.same_content("X", "") == entry("a", "X")
    ledger.done(entry("a", "Y"))
    assert ledger.same_content("X", "") is None
    assert ledger.same_content("Y", "") == entry("a", "Y")


def test_content_under_other_settings_is_other_content() -> None:
    ledger = Ledger()
    ledger.done(entry("a", "X", key="sk1"))
    assert ledger.same_content("X", "sk2") is None


def test_a_copy_is_displaced_when_its_original_changes() -> None:
    ledger = Ledger()
    ledger.done(entry("a", "X"))
    ledger.done(entry("b", "X", same_as="a"))
    assert ledger.done(entry("a", "X")) == ()
    assert ledger.done(entry("a", "Y")) == ("b",)
    assert ledger.get("b") is None


def test_a_copy_that_changed_itself_is_no_follower_any_more() -> None:
    ledger = Ledger()
    ledger.done(entry("a", "X"))
    ledger.done(entry("b", "X", same_as="a"))
    ledger.done(entry("b", "Z"))
    assert ledger.done(entry("a", "Y")) == ()


def test_a_file_whose_outputs_were_overwritten_is_displaced() -> None:
    ledger = Ledger()
    ledger.done(entry("S1.vlog", "X", stem="S1"))
    assert ledger.done(entry("S1.vsav", "Y", stem="s1")) == ("S1.vlog",)
    assert ledger.done(entry("S1.vlog", "X", stem="S1.vlog")) == ()


def test_round_trip() -> None:
    ledger = Ledger()
    ledger.done(entry("b", "X", key="k"))
    ledger.done(entry('a "é" 溃退.vsav', "X", same_as="b"))
    data = ledger.to_json()
    again = Ledger.from_json(data)
    assert again.to_json() == data
    assert again.get("b") == ledger.get("b")
    assert again.same_content("X", "k") == ledger.get("b")
    again.done(entry("b", "Y"))
    assert again.get('a "é" 溃退.vsav') is None


def test_an_empty_ledger_round_trips() -> None:
    assert len(Ledger.from_json(Ledger().to_json())) == 0


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"null", b'{"schema": "x"}', b"\xff\xfe", b"[" * 100_000,
     b'{"schema": "vassal-bridge/watch/1", "done": [1]}',
     b'{"schema": "vassal-bridge/watch/1", "done": [{"name": 1}]}'],
)  # fmt: skip
def test_a_damaged_ledger_is_empty(damage: bytes) -> None:
    assert len(Ledger.from_json(damage)) == 0


@given(st.binary(max_size=200))
def test_any_bytes_make_a_ledger(data: bytes) -> None:
    assert len(Ledger.from_json(data)) == 0


def test_wrong_types_in_a_row_empty_the_ledger() -> None:
    row = {"name": "a", "stamp": [1, 2, 3], "digest": 5, "key": ""}
    data = json.dumps({"schema": "vassal-bridge/watch/1", "done": [row]}).encode()
    assert len(Ledger.from_json(data)) == 0


def test_outputs_that_were_deleted_are_not_done_any_more() -> None:
    ledger = Ledger()
    ledger.done(entry("a", "X"))
    ledger.done(entry("b", "X", same_as="a"))
    ledger.done(entry("c", "Y"))
    ledger.keep_only(lambda output: output == "c.rout.html")
    assert [ledger.get(name) is not None for name in "abc"] == [False, False, True]


@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("XYZ"), st.sampled_from("pq")),
        max_size=30,
    )
)
def test_what_a_ledger_calls_done_is_what_the_outputs_show(
    steps: list[tuple[str, str, str]],
) -> None:
    """Against a plain model: stem -> digest that the output of that stem shows now."""
    ledger = Ledger()
    shown: dict[str, str] = {}
    for name, digest, stem in steps:
        other = ledger.same_content(digest, "")
        if other is not None and other.name != name:
            assert shown[other.stem] == digest
            ledger.done(entry(name, digest, same_as=other.name))
        else:
            ledger.done(entry(name, digest, stem=stem))
            shown[stem] = digest
        for check in "abcd":
            held = ledger.get(check)
            if held is not None:
                leader = ledger.get(held.same_as) if held.same_as else held
                assert leader is not None
                assert shown[leader.stem] == held.digest
