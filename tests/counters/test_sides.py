"""Who fights whom."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.counters.doubles import counter, game, mark, stack
from tests.shared import SAVES, needs_shared
from vassal_bridge.counters import (
    TurnHint,
    classify,
    current_turn,
    parse_sides,
    read_stacks,
    sides,
)
from vassal_bridge.errors import UsageError


def units(*nations: str):
    return [classify(counter("4-4-7 1sq", nation)) for nation in nations]


def test_two_nationalities_of_the_two_camps():
    found = sides(units("ge", "ru", "ru"))
    assert found.of == {"Russian": "Russian", "German": "German"}
    assert found.groups == {"Allied": ("Russian",), "Axis": ("German",)}
    assert found.assumption is None
    assert found.group("German") == "Axis"


def test_ss_fights_with_the_germans():
    assert sides(units("ge", "ss", "br")).groups == {"Allied": ("British",), "Axis": ("German",)}


def test_two_sure_allies_need_no_assumption():
    found = sides(units("am", "br", "ge"))
    assert found.of == {"American": "Allied", "British": "Allied", "German": "German"}
    assert found.assumption is None


def test_a_nationality_that_changed_sides_makes_it_an_assumption():
    found = sides(units("ru", "ge", "ge", "fi"))
    assert found.side("Finnish") == "Axis"
    assert found.assumption.code == "sides-usual"
    assert found.assumption.facts["nationalities"] == "Finnish"


def test_two_nationalities_of_one_camp_are_taken_as_enemies():
    found = sides(units("br", "fr"))
    assert found.of == {"British": "British", "French": "French"}
    assert found.assumption.code == "sides-two-of-one-group"


def test_three_nationalities_of_one_camp_cannot_be_told():
    found = sides(units("br", "fr", "am"))
    assert found.assumption.code == "sides-unclear"
    assert set(found.of) == {"British", "French", "American"}


def test_a_captured_gun_proves_no_nationality():
    gun = classify(counter("75* ART 75/27 ca3", "it", base_image="it/gun/itAR75s"))
    lmg = classify(counter("LMG", "it"))
    assert sides([*units("br", "ge"), gun, lmg]).of.keys() == {"British", "German"}
    assert sides([gun]).of == {"Italian": "Italian"}


def test_lent_vehicles_fight_for_the_troops_of_their_camp():
    # S 050: French troops in American tanks
    tank = classify(counter("M4A3 vca3", "am", base_image="am/veh/M4A3"))
    found = sides([*units("fr", "ge"), tank])
    assert found.of == {"French": "French", "German": "German", "American": "French"}
    assert found.groups == {"Allied": ("French", "American"), "Axis": ("German",)}
    assert found.assumption is None
    assert sides([*units("ge"), tank]).of == {"German": "German", "American": "American"}
    unclear = sides([*units("br", "fr"), tank])
    assert unclear.side("American") is None
    assert unclear.assumption.code == "sides-two-of-one-group"
    chosen = sides([*units("fr", "ge"), tank], override="French : German")
    assert chosen.side("American") == chosen.side("French")


def test_concealed_forces_count():
    assert set(sides([*units("ru"), classify(mark("ge"))]).of) == {"Russian", "German"}


def test_no_units():
    found = sides([])
    assert (found.of, found.groups, found.assumption) == ({}, {}, None)
    assert found.side("German") is None
    assert found.side(None) is None
    assert found.group("German") is None


def test_the_players_word_counts():
    found = sides(units("br", "fr", "am"), override="British, American : French")
    assert found.of == {"British": "Side 1", "American": "Side 1", "French": "French"}
    assert found.assumption is None
    assert found.group("Side 1") == "Side 1"
    assert found.group("French") == "French"


def test_a_nationality_left_out_is_told():
    found = sides(units("ge", "ru", "fi"), override="German : Russian")
    assert found.side("Finnish") == found.side("German")
    assert found.assumption.code == "sides-incomplete"
    assert found.assumption.facts == {"nationalities": "Finnish"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("German:Russian", {"German": ("German",), "Russian": ("Russian",)}),
        ("ge vs ru", {"German": ("German",), "Russian": ("Russian",)}),
        ("Axis=German+Finns ; Allied=soviet", {"Axis": ("German", "Finnish"),
                                                "Allied": ("Russian",)}),
        ("SS, German : Commonwealth", {"German": ("German",), "British": ("British",)}),
        ("axis minor|allied minor", {"Axis Minor": ("Axis Minor",),
                                      "Allied Minor": ("Allied Minor",)}),
    ],
)  # fmt: skip
def test_ways_to_write_sides(text, wanted):
    assert parse_sides(text) == wanted


@pytest.mark.parametrize(
    ("text", "message"),
    [("German", "two sides"), ("", "unknown nationality ''"), ("German : Klingon", "Klingon"),
     ("German : German", "both sides"), ("a:b:c", "unknown"), ("German:Russian:Finnish", "two"),
     ("x" * 100_000, "unknown nationality")],
)  # fmt: skip
def test_wrong_sides(text, message):
    with pytest.raises(UsageError, match=message) as caught:
        parse_sides(text)
    assert len(str(caught.value)) < 200


@dataclass(frozen=True)
class Info:
    current: str
    turn: int | None


def test_whose_turn():
    track = read_stacks(
        game(stack("Allied Turn 1 - RPh"), stack("Axis Turn 3 - RtPh", x=9, name="t"))
    )
    assert current_turn(track) == TurnHint("Axis", 3, "RtPh")
    assert current_turn((), Info("Allied", 4)) == TurnHint("Allied", 4, None)
    assert current_turn((), Info("", 4)) is None
    assert current_turn(()) is None


@needs_shared
def test_published_set_ups():
    """Every Starter Kit set-up has two sides; only mixed ones rest on an assumption."""
    from vassal_bridge.vassal import load_game, open_saved

    assumed = {}
    for file in sorted((SAVES / "starter-kit").glob("*.vsav")):
        saved = load_game(open_saved(file))
        found = sides([classify(piece) for piece in saved.pieces.values()], saved.info)
        assert set(found.groups) == {"Allied", "Axis"}, file.name
        if found.assumption is not None:
            assumed[file.name[:5]] = found.assumption.code
    assert assumed == {"S 020": "sides-usual"}  # Russian, American and French against German
