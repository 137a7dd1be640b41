"""R48: running into the hex of a hidden Gun, by edition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge.positions import build_position, parse_position
from vassal_bridge.bridge.yamlfile import parse_yaml
from vassal_bridge.rout import Edition, PathVerdict, Position, judge_path
from vassal_bridge.rout.hidden import with_crew
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.target import destinations

TEXT = """
boards: [[open]]
terrain: {woods: [F8, H7]}
units:
  German: [4-6-7 F2]
  Russian: [4-4-7 F5 broken dm]
"""


AWAY = ("openF6", "openF7", "openF6", "openG6", "openH6", "openH7")
"""Into the hidden Gun in F7, back, and 4 MF to the woods that are not next to it."""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    return build_position(parse_position(parse_yaml(TEXT)), BoardLibrary([tmp_path]))[0]


def under(position: Position, edition: Edition) -> Position:
    return replace(position, rules=replace(position.rules, edition=edition))


@pytest.mark.parametrize("edition", [Edition.SK1, Edition.SK2, Edition.SK3])
def test_r48_back_to_the_previous_hex_and_another_way(position: Position, edition: Edition) -> None:
    found = judge_path(
        under(position, edition),
        "openF5",
        AWAY,
        hidden_guns=frozenset({"openF7"}),
    )
    assert found.verdict is PathVerdict.LEGAL
    assert [event.rule for event in found.events if event.rule == "R48"] == ["R48"]
    assert [met.hex for met in found.interdictions] == ["openF6", "openG6", "openH6"]


@pytest.mark.parametrize(
    ("onward", "rule"),
    [
        (("openG7",), "R40"),  # from one hex next to the Gun into another
        ((), "R8"),  # stays next to it
        (("openG6", "openG7"), "R38"),  # away from it and back
    ],
)
def test_r48_the_crew_of_the_gun_is_a_known_enemy(
    position: Position, onward: tuple[str, ...], rule: str
) -> None:
    way = ("openF6", "openF7", "openF6", *onward)
    found = judge_path(position, "openF5", way, hidden_guns=frozenset({"openF7"}))
    assert found.verdict is PathVerdict.ILLEGAL
    assert rule in {reason.rule for reason in found.reasons}
    assert any(reason.fact("enemy") == "openF7" for reason in found.reasons)


def test_r48_mf_used_are_gone(position: Position) -> None:
    guns = frozenset({"openF7"})
    assert judge_path(position, "openF5", AWAY, hidden_guns=guns).verdict is PathVerdict.LEGAL
    longer = (*AWAY[:-2], "openH5", "openH6", "openH7")
    assert judge_path(position, "openF5", longer, hidden_guns=guns).verdict is PathVerdict.ILLEGAL


def test_r48_eliminated_by_the_fourth_rule_book(position: Position) -> None:
    found = judge_path(
        under(position, Edition.SK4),
        "openF5",
        ("openF6", "openF7"),
        hidden_guns=frozenset({"openF7"}),
    )
    assert found.verdict is PathVerdict.ILLEGAL
    assert [reason.rule for reason in found.reasons] == ["R48"]
    assert found.last_legal == "openF6"


def test_readings_looked_at_before_the_gun_is_placed_stay_noted(position: Position) -> None:
    """Also those that count for the step into its hex, asked after the crew was put there."""
    mates = tuple(replace(position.by_id["openF5"], id=f"mate{n}", hex="openF6") for n in range(3))
    full = replace(position, units=(*position.units, *mates), fronts={})
    router = Router(full, full.by_id["openF5"])
    onward = with_crew(router, "openF7")
    destinations(router, "openF5", router.allowance2, router.seen("openF5"))
    assert "r47_end_only" in router.touched
    assert onward.touched == router.touched
