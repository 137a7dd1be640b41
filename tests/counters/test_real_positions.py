"""Positions and logs recorded in the real client: states, possession, what players leave behind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tests.shared import BOARDS, LOGS, SAVES, needs_shared
from vassal_bridge.board.layout import Layout
from vassal_bridge.board.layout_library import BoardLibrary
from vassal_bridge.board.placement import parse_boards
from vassal_bridge.counters import Armament, Counter, by_hex, read_stacks
from vassal_bridge.vassal import load_game, open_saved, replay

pytestmark = needs_shared

FLAGS = ("broken", "dm", "pinned", "cx", "melee", "wounded", "concealed", "hip")
MADE = sorted((SAVES / "made").glob("*.ruling.yaml"))


def layout_of(boards_line: str) -> Layout:
    return Layout(parse_boards(boards_line), BoardLibrary([BOARDS]), strict=False)


def written(counter: Counter, at: str, known: dict[str, Counter]) -> str:
    """A unit as position files write it (contracts.md 2)."""
    flags = [flag for flag in FLAGS if flag in counter.state]
    weapons = [known[weapon].label for weapon in counter.weapons]
    line = " ".join([counter.label, at, *flags])
    return line + (" with " + ", ".join(weapons) if weapons else "")


@pytest.mark.parametrize("ruling", MADE, ids=lambda path: path.name.partition(".")[0])
def test_made_positions_are_read_as_their_rulings_write_them(ruling: Path):
    """Nationality, factors, hex, every flag and every possessed weapon of every unit."""
    game = load_game(open_saved(ruling.with_name(ruling.name.replace(".ruling.yaml", ".vsav"))))
    readings = read_stacks(game, layout_of(game.boards_line).hex_at)
    known = {c.id: c for reading in readings for c in reading.counters}
    got: dict[str, list[str]] = {}
    for at, counters in by_hex(readings).items():
        for counter in counters:
            if counter.is_infantry and "/" not in at and not at.startswith("Blank"):
                got.setdefault(str(counter.nationality), []).append(written(counter, at, known))
    wanted = yaml.safe_load(ruling.read_text(encoding="utf-8"))["position"]["units"]
    assert {side: sorted(lines) for side, lines in got.items()} == {
        side: sorted(lines) for side, lines in wanted.items()
    }


def test_there_are_made_positions():
    assert len(MADE) == 5


def test_the_rule_books_example():
    for name in ("rout_example", "rout_example-vassal37"):
        game = load_game(open_saved(SAVES / "made" / f"{name}.vsav"))
        places = by_hex(read_stacks(game, layout_of(game.boards_line).hex_at))
        assert {at: [c.state for c in counters] for at, counters in places.items()} == {
            **{at: [()] for at in ("zO5", "zO6", "zM6", "zL7")},
            **{at: [("broken", "dm"), ()] for at in ("zM9", "zN7", "zN6", "zN5")},
        }
        assert places["zM9"][0].broken_morale == 7
        assert places["zM9"][0].nationality == "Russian"


def test_side_by_side_and_level_position():
    game = load_game(open_saved(SAVES / "made" / "rich1_side_by_side.vsav"))
    readings = read_stacks(game, layout_of(game.boards_line).hex_at)
    places = by_hex(readings)
    states = {at: [c.state for c in counters if c.is_infantry] for at, counters in places.items()}
    assert states["yG5"] == [("melee",), ("melee",)]
    assert states["zJ5"] == [("pinned",)]
    assert states["zK6"] == [("cx",)]
    assert states["zP6"] == [("ti",)]
    assert states["zH3"] == [("broken", "dm"), ()]
    assert states["yO5"] == [("prep-fire",)]
    malfunctioned = [c for c in _all(places) if c.malfunctioned]
    assert [c.label for c in malfunctioned] == ["LMG"]
    assert [c.pp for c in _all(places) if c.dismantled] == [2]
    game = load_game(open_saved(SAVES / "made" / "rich2_over_reversed.vsav"))
    places = by_hex(read_stacks(game, layout_of(game.boards_line).hex_at))
    levels = {c.label + str(c.level) for c in places["zL6"] if c.is_infantry}
    assert levels == {"4-6-71", "8-02", "4-6-72"}
    (tank,) = [c for c in _all(places) if c.label == "T-34 M43"]
    assert tank.state == ("motion", "immobilized")
    assert tank.vehicle.armament == Armament("76L", bmg=2, cmg=4)


def _all(places) -> list[Counter]:
    return [counter for counters in places.values() for counter in counters]


def test_a_restacked_squad_keeps_its_dm():
    """Anna_vs_Boris_07, step 17: "its DM counter is now under it"."""
    file = LOGS / "made" / "Anna_vs_Boris_07.vlog"
    game = next(step.game for step in replay(open_saved(file)) if step.index == 17)
    readings = read_stacks(game, layout_of(game.boards_line).hex_at)
    squad = next(c for r in readings for c in r.counters if c.id == "1795984536144")
    assert squad.state == ("broken", "dm")
    assert not squad.uncertain


@pytest.mark.parametrize(
    "truth", sorted((LOGS / "made").glob("*.truth.yaml")), ids=lambda path: path.stem
)
def test_units_that_rout_in_recorded_logs_are_broken_and_under_dm(truth: Path):
    """At the start of the rout phase, when DM counts (R2): one DM may be shared by a stack."""
    facts = yaml.safe_load(truth.read_text(encoding="utf-8"))
    start = facts["phase"]["first_step"] - 1
    saved = open_saved(truth.with_name(facts["log"]))
    game = next((s.game for s in replay(saved) if s.index == start), None) or load_game(saved)
    readings = read_stacks(game, layout_of(game.boards_line).hex_at)
    known = {c.id: c for reading in readings for c in reading.counters}
    for rout in facts["routs"]:
        unit = known.get(rout["piece_id"])
        if unit is None or "R72" in rout["rules"]:
            continue  # broken or brought in later; an unbroken unit moved
        assert unit.label == rout["unit"], rout
        assert unit.broken, rout
        assert unit.dm is ("R2" not in rout["rules"]), rout


def test_nothing_secret_is_in_the_readings():
    """Owners are aliases (formats/files.md 12)."""
    for file in sorted((SAVES / "made").glob("*.vsav")):
        for reading in read_stacks(load_game(open_saved(file))):
            for counter in reading.counters:
                assert counter.owner is None or re.fullmatch(r"owner-\d+", counter.owner)
