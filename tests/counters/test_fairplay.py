"""`public_view`: nothing of a hidden or concealed counter may show, not even that it is there."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counters.doubles import GE, Piece, counter, game, mark, stack
from tests.shared import SAVES, needs_shared
from vassal_bridge.counters import Eyes, Kind, StackReading, public_view, read_stacks

SECRET = "6-5-8 Lehr Esq (Otto)"


def hidden(**facts: object) -> Piece:
    return counter(SECRET, GE, hidden=True, owner="owner-1", labels=("Otto",), **facts)


def concealed(**facts: object) -> Piece:
    return counter(SECRET, GE, concealed=True, owner="owner-1", labels=("Otto",), **facts)


def text_of(readings: tuple[StackReading, ...]) -> str:
    return json.dumps([asdict(reading) for reading in readings], default=sorted)


def test_a_hip_unit_is_gone():
    view = public_view(read_stacks(game(stack(("4-4-7 1sq", "ru"), hidden()))))
    assert [c.label for reading in view for c in reading.counters] == ["4-4-7"]
    assert "6-5-8" not in text_of(view)


def test_a_stack_of_hip_units_is_gone():
    readings = read_stacks(game(stack(hidden(), hidden()), stack(("4-4-7 1sq", "ru"), name="t")))
    assert [reading.id for reading in public_view(readings)] == ["t"]


def test_a_concealed_unit_is_a_question_mark():
    (reading,) = public_view(read_stacks(game(stack(concealed(), mark(GE)))))
    first, second = reading.counters
    assert (first.kind, first.name, first.label, first.nationality) == (
        Kind.CONCEALMENT, "?", "?", "German",
    )  # fmt: skip
    assert first.state == ()
    assert first.id == "concealed-1"
    assert second.id == "concealed-2"
    for word in ("6-5-8", "Otto", "Lehr", "owner-", '"s.0"', "658"):
        assert word not in text_of((reading,))


def test_a_dummy_looks_like_a_unit_under_a_question_mark():
    units = public_view(read_stacks(game(stack(concealed(), mark(GE)))))
    dummies = public_view(read_stacks(game(stack(mark(GE), mark(GE)))))
    assert units == dummies


def test_own_eyes_see_only_what_the_own_password_hid():
    other = replace(hidden(), owner="owner-2")
    mine = Eyes("owner-1", frozenset({"German"}))
    assert len(public_view(read_stacks(game(stack(hidden(), other))), mine)[0].counters) == 1
    plain = counter("Mines", None, hidden=True, owner="owner-1")
    assert public_view(read_stacks(game(stack(plain))), mine) == ()
    assert public_view(read_stacks(game(stack(plain))), replace(mine, plain=True)) != ()


def test_a_unit_under_a_question_mark_is_concealed_even_without_its_own_flag():
    squad = counter("6-5-8 SSsq", GE)
    (reading,) = public_view(read_stacks(game(stack(squad, mark(GE)))))
    assert [c.kind for c in reading.counters] == [Kind.CONCEALMENT, Kind.CONCEALMENT]


def test_a_unit_that_is_not_concealed_stays_visible_among_concealed_ones():
    (reading,) = public_view(read_stacks(game(stack(("4-6-7 1sq", GE), concealed()))))
    assert [c.label for c in reading.counters] == ["4-6-7", "?"]


def test_weapons_of_a_concealed_unit_do_not_name_it():
    view = public_view(read_stacks(game(stack(concealed(), ("LMG", GE)))))
    lmg = view[0].counters[1]
    assert lmg.label == "LMG"
    assert lmg.possessor is None


def test_a_hidden_weapon_does_not_show_on_its_unit():
    lmg = counter("LMG", GE, hidden=True)
    view = public_view(read_stacks(game(stack(("4-6-7 1sq", GE), lmg))))
    assert view[0].counters[0].weapons == ()


def test_a_hidden_enemy_makes_no_melee():
    pieces = stack(("4-4-7 1sq", "ru"), "Melee", hidden())
    assert read_stacks(game(pieces))[0].counters[0].melee
    assert not public_view(read_stacks(game(pieces)))[0].counters[0].melee


def test_a_hidden_broken_unit_casts_no_doubt_on_a_visible_one():
    spy = replace(counter("broken 4-6-7 1sq", GE), hidden=True)
    pieces = stack(("broken 4-4-7 2sq", GE), spy, "DM")
    assert read_stacks(game(pieces))[0].counters[0].uncertain
    visible = public_view(read_stacks(game(pieces)))[0]
    assert visible.counters[0].dm
    assert not visible.counters[0].uncertain
    assert visible.doubts == ()


def test_a_hidden_question_mark_conceals_nothing():
    mark_ = replace(mark(GE), hidden=True)
    (reading,) = public_view(read_stacks(game(stack(("4-6-7 1sq", GE), mark_))))
    assert [c.label for c in reading.counters] == ["4-6-7"]


def test_the_own_side_sees_its_own_secrets():
    readings = read_stacks(game(stack(hidden(), concealed(), mark(GE))))
    (reading,) = public_view(readings, see=Eyes("owner-1", frozenset({"German"})))
    assert [c.label for c in reading.counters] == ["6-5-8", "6-5-8", "?"]
    assert reading.counters[0].hidden
    assert reading.counters[1].concealed
    assert {c.owner for c in reading.counters} == {None}
    (other,) = public_view(readings, see=Eyes("owner-1", frozenset({"Russian"})))
    assert {c.kind for c in other.counters} == {Kind.CONCEALMENT}


def test_a_view_of_a_view_is_the_same():
    pieces = stack(hidden(), concealed(), ("broken 4-4-7 1sq", "ru"), "DM", mark(GE))
    once = public_view(read_stacks(game(pieces)))
    assert public_view(once) == once


names = st.sampled_from(
    [("4-4-7 1sq", "ru"), ("broken 4-4-7 1sq", "ru"), ("4-6-7 1sq", GE), ("broken 8-0", GE),
     ("LMG", "ru"), ("MMG", GE), ("9-1", "ru"), ("DM", None), ("Pin", None), ("CX", None),
     ("Melee", None), ("Building Level 1", None), ("1S Foxhole", None)]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(names, min_size=1, max_size=6), min_size=1, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), names), max_size=6),
)
def test_hidden_counters_change_nothing_that_shows(stacks, secrets):
    """Insert hidden counters anywhere: the public view is that of the game without them."""
    plain = [stack(*entry, x=100 * n, name=f"s{n}") for n, entry in enumerate(stacks)]
    with_secrets = [list(pieces) for pieces in plain]
    for number, (at, place, entry) in enumerate(secrets):
        target = with_secrets[at % len(with_secrets)]
        spy = replace(counter(*entry), id=f"spy{number}", hidden=True, owner="owner-2",
                      x=target[0].x, y=target[0].y, stack=target[0].stack)  # fmt: skip
        target.insert(min(place, len(target)), spy)
    renumbered = [
        [replace(piece, index=i) for i, piece in enumerate(pieces)] for pieces in with_secrets
    ]
    random.Random(len(secrets)).shuffle(renumbered)
    seen = public_view(read_stacks(game(*renumbered)))
    assert seen == public_view(read_stacks(game(*plain)))


@needs_shared
@pytest.mark.parametrize("name", ["hip-concealed", "common-vo"])
def test_published_save_with_secrets(name):
    """vasl-templates' own fixture: a concealed Pz VIE, a hidden SU-152."""
    from vassal_bridge.vassal import load_game, open_saved

    saved = load_game(open_saved(SAVES / "templates" / f"{name}.vsav"))
    readings = read_stacks(saved)
    secrets = [c for r in readings for c in r.counters if c.hidden or c.concealed]
    view = public_view(readings)
    shown = text_of(view)
    if name == "hip-concealed":
        assert {c.kind for c in secrets} == {Kind.VEHICLE}
        for word in ("SU-152 (", "Pz VIE concealed", "PzKw VIE"):
            assert word not in shown
    for counter_ in secrets:
        assert f'"{counter_.id}"' not in shown
