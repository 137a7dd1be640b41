"""Shown names taken apart: strengths, state words, labels, arcs."""

from __future__ import annotations

import doctest
import importlib
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared import SHARED, needs_shared
from vassal_bridge.counters import Kind, State, TurnHint
from vassal_bridge.counters.names import (
    gun_facts,
    strength,
    take_apart,
    turn_hint,
    without_bare_labels,
    without_labels,
)
from vassal_bridge.limits import MAX_COUNTER_NAME


@pytest.mark.parametrize("name", ["names", "looks", "stacks", "sides", "infantry"])
def test_examples_in_the_docstrings(name):
    # by full name: the room's face has functions called like two of its modules
    outcome = doctest.testmod(importlib.import_module(f"vassal_bridge.counters.{name}"))
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize(
    ("name", "kind", "label", "unit_class", "morale"),
    [
        ("4-4-7 1sq", Kind.SQUAD, "4-4-7", "1", 7),
        ("6-4-8 Para Esq", Kind.SQUAD, "6-4-8", "Para E", 8),
        ("2-2-8 Icr", Kind.CREW, "2-2-8", "I", 8),
        ("1-2-6 Vcr", Kind.CREW, "1-2-6", "V", 6),
        ("2-2-7 SFCP", Kind.CREW, "2-2-7", "", 7),
        ("5-4-8 1 Sq", Kind.SQUAD, "5-4-8", "1", 8),
        ("2-3-7 2 HS", Kind.HALF_SQUAD, "2-3-7", "2", 7),
        ("4-(1)-7 1sq", Kind.SQUAD, "4-1-7", "1", 7),
        ("628 ruAEsq", Kind.SQUAD, "6-2-8", "AE", 8),
        ("3-3-8 AE SShs", Kind.HALF_SQUAD, "3-3-8", "AE SS", 8),
        ("7-6-8 Msq (Fn16)", Kind.SQUAD, "7-6-8", "M", 8),
        ("9-1", Kind.LEADER, "9-1", "", 9),
        ("6+1", Kind.LEADER, "6+1", "", 6),
        ("10-3", Kind.LEADER, "10-3", "", 10),
    ],
)
def test_strengths(name, kind, label, unit_class, morale):
    found = strength(name)
    assert (found.kind, found.label, found.unit_class, found.morale) == (
        kind, label, unit_class, morale,
    )  # fmt: skip


def test_leadership_has_its_sign():
    assert strength("9-2").leadership == -2
    assert strength("8-0").leadership == 0
    assert strength("6+1").leadership == 1


def test_a_make_your_own_counter_nobody_labelled_has_no_factors():
    found = strength("0-0-0 JAsqS")
    assert (found.kind, found.fp, found.range, found.morale) == (Kind.SQUAD, None, None, None)


@pytest.mark.parametrize(
    "name", ["Pin", "3+5 Pillbox", "1+2+2 Pillbox", "88L AA FlaK 18 o. 36", "T-34/85", "M4A3(76)W",
             "12 FP", "-1 AM Acq", "4-4-7", "4-4-7 sq wreck", "", "sq", "99-99", "1941-06-22"],
)  # fmt: skip
def test_other_names_are_no_strengths(name):
    assert strength(name) is None


def test_state_words_are_read_only_in_front():
    parts = take_apart("Fanatic Heroic broken 10-3")
    assert parts.core == "10-3"
    assert parts.words == {State.FANATIC, State.HEROIC, State.BROKEN}
    assert take_apart("9-1 broken").words == frozenset()


def test_marker_names_that_are_state_words_stay_whole():
    for name in ("DM", "Fanatic", "Berserk"):
        assert take_apart(name).core == name
        assert take_apart(name).words == frozenset()


def test_arcs_and_crew_are_taken_off_the_end():
    parts = take_apart("T-34 M43 vca3 tca5 BU")
    assert (parts.core, parts.vca, parts.tca, parts.exposed) == ("T-34 M43", 3, 5, False)
    assert take_apart("SPW 251/1 vca1 CE").exposed is True
    assert take_apart("75L AT PaK 40 ca2").ca == 2


def test_assembled_undoes_dismantled():
    assert take_apart("dm 81* MTR").words == {State.DISMANTLED}
    assert take_apart("Assembled dm 81* MTR").words == frozenset()


def test_labels_do_not_count():
    assert without_labels("broken 4-4-7 1sq (Rus Sqd A)", ["Rus Sqd A"]) == "broken 4-4-7 1sq"
    assert without_labels("9-1 (broken)", ["broken"]) == "9-1"
    assert without_labels("76* INF (Rus INF) ca3", ["Rus INF"]) == "76* INF ca3"
    assert without_labels("5-3-6 Gsq (A)", ["A", "G", "5-3-6"]) == "5-3-6 Gsq"
    assert without_bare_labels("8-1 Lt. Kilroy", ["Lt. Kilroy"]) == "8-1"


def test_guns():
    facts = gun_facts("88L AA FlaK 18 o. 36", 4)
    assert (facts.calibre, facts.length, facts.type, facts.ca) == (88, "L", "AA", 4)
    assert gun_facts("82* MTR BM obr. 37", None).length == "*"
    assert gun_facts("HU INF", 1).calibre is None
    assert gun_facts("Crest", 1) is None


def test_turn_track():
    assert turn_hint("Allied Turn 2 - MPh") == TurnHint("Allied", 2, "MPh")
    assert turn_hint("Axis Turn") is None
    assert turn_hint("Axis Turn 7") == TurnHint("Axis", 7, None)


@needs_shared
def test_every_form_of_every_mmc_and_leader_of_the_module():
    """All 3,000 forms (ELR steps, half-squads, levels) have the strength the slot list gives."""
    checked = 0
    for slot in json.loads((SHARED / "formats" / "slots-6.5.json").read_text()):
        if slot["kind"] not in ("squad", "half-squad", "crew", "leader"):
            continue
        for form in slot["forms"]:
            wanted = form.get("strength")
            if wanted is None or wanted.get("fp") == 0:
                continue
            found = strength(take_apart(form["name"]).core)
            assert found is not None, form["name"]
            if wanted["type"] == "leader":
                assert (found.morale, found.leadership) == (wanted["morale"], wanted["modifier"])
            else:
                assert found.kind.value == wanted["type"], form["name"]
                factors = (wanted["fp"], wanted["range"], wanted["morale"])
                assert (found.fp, found.range, found.morale) == factors
            checked += 1
    assert checked > 2900


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=400), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_is_taken_apart_without_an_error(name, labels):
    parts = take_apart(without_bare_labels(without_labels(name, labels), labels))
    strength(parts.core)
    gun_facts(parts.core, parts.ca)
    turn_hint(parts.core)
    assert len(parts.core) <= MAX_COUNTER_NAME


@pytest.mark.parametrize(
    "name",
    ["broken " * 40_000, "4-4-7 " + "a" * 300_000 + "sq", "9" * 200_000, " (" * 150_000,
     "4 - " * 50_000, "vca1 " * 60_000, "\x1b\t/\\;" * 60_000],
)  # fmt: skip
def test_long_hostile_names_cost_nothing(name):
    start = time.process_time()
    parts = take_apart(without_bare_labels(without_labels(name, [name, "x"]), [name]))
    strength(parts.core)
    assert time.process_time() - start < 1
    assert len(parts.core) <= MAX_COUNTER_NAME
