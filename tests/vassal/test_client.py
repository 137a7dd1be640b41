"""Every piece as the real client reports it: after loading saves, after the last step of logs.

`real/expected/*.client.json` and `*.end.json` are the client's own account, `*.steps.txt` says what
each step did. Two things differ for reasons of the client's own and are allowed for here: it looks
as the owner into one file (`rich1_side_by_side`), and it lays out the two CVP counters that older
set-ups lack.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.shared import EXPECTED, LOGS, SAVES, needs_shared
from vassal_bridge.vassal import Game, Piece, Step, load_game, open_saved, replay
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    MovePiece,
    Property,
    RemovePiece,
    Undo,
)

pytestmark = [needs_shared, pytest.mark.shared]

SEEN_BY_ITS_OWNER = {"rich1_side_by_side.vsav"}
NAMES = sorted(path.name for path in EXPECTED.glob("*.client.json")) if EXPECTED.is_dir() else []
LOG_NAMES = sorted(path.name for path in EXPECTED.glob("*.end.json")) if EXPECTED.is_dir() else []


def find(name: str) -> Path:
    return next(path for root in (SAVES, LOGS) for path in root.glob(f"*/{name}"))


@cache
def steps_of(name: str) -> tuple[Step, ...]:
    return tuple(replay(open_saved(find(name))))


def pieces_expected(path: Path) -> dict[str, dict[str, Any]]:
    pieces = json.loads(path.read_text("utf-8"))["pieces"]
    return {piece["id"]: piece for piece in pieces if piece["kind"] != "stack"}


def shown(piece: Piece, name: str) -> str:
    if name not in SEEN_BY_ITS_OWNER:
        return piece.public_name
    return piece.name + ("(?)" if piece.concealed else "") + ("(HIP)" if piece.hidden else "")


def compare(game: Game, expected: dict[str, dict[str, Any]], name: str) -> list[str]:
    differences = []
    for id_, wanted in expected.items():
        piece = game.pieces.get(id_)
        if piece is None:
            if wanted["map"] == "Casualties" and wanted["basicName"].endswith("CVP Count"):
                continue  # laid out by the client itself
            differences.append(f"{id_} {wanted['name']} is missing")
            continue
        got = (
            piece.map, piece.x, piece.y, shown(piece, name), piece.base_name, piece.gpid,
            piece.index if piece.stack else None,
        )  # fmt: skip
        fields = ("map", "x", "y", "name", "basicName", "gpid", "index")
        want = tuple(wanted[field] for field in fields)
        if got != want:
            differences.append(f"{id_}: got {got}, want {want}")
        elif piece.stack != wanted["parent"] and not (piece.stack or "").startswith("new-"):
            differences.append(f"{id_}: in stack {piece.stack}, want {wanted['parent']}")
        for key, value in wanted["props"].items():
            if key == "Moved" and (value == "true") != piece.moved:
                differences.append(f"{id_}: moved {piece.moved}, want {value}")
            if key in ("BRK_Active", "BRK_Level"):
                differences += compare_layer(piece, key, value)
    differences += [f"{id_} is too many" for id_ in game.pieces if id_ not in expected]
    return differences


def compare_layer(piece: Piece, key: str, value: str) -> list[str]:
    layer = next((layer for layer in piece.layers if layer.name == "BRK"), None)
    if layer is None:
        return [f"{piece.id}: no layer BRK"]
    level = layer.level if layer.active else -layer.level
    got = str(level) if key == "BRK_Level" else str(layer.active).lower()
    return [] if got == value else [f"{piece.id}: {key} {got}, want {value}"]


@pytest.mark.parametrize("expected", NAMES)
def test_a_save_is_what_the_client_shows(expected: str) -> None:
    name = expected.removesuffix(".client.json")
    game = load_game(open_saved(find(name)))
    pieces = pieces_expected(EXPECTED / expected)
    assert len(game.pieces) > 1
    assert compare(game, pieces, name) == []
    assert list(game.problems) == []


@pytest.mark.parametrize("expected", LOG_NAMES)
def test_a_log_ends_as_the_client_shows(expected: str) -> None:
    name = expected.removesuffix(".end.json")
    last = steps_of(name)[-1].game
    assert compare(last, pieces_expected(EXPECTED / expected), name) == []
    assert list(last.problems) == []


KINDS = {
    AddPiece: "AddPiece",
    ChangePiece: "ChangePiece",
    MovePiece: "MovePiece",
    RemovePiece: "RemovePiece",
    Chat: "Text",
    Property: "ChangePropertyCommand",
}
LINE = re.compile(r"  (NOW|NEW|GONE) (\d+) (.*)")
AT = re.compile(r"(?P<name>.*) @ .+ \((?P<x>-?\d+),(?P<y>-?\d+)\)(?P<moved> moved)?")


def state(piece: Piece | None) -> tuple[str, int, int, bool] | None:
    return None if piece is None else (piece.public_name, piece.x, piece.y, piece.moved)


def told(text: str) -> tuple[str, int, int, bool]:
    match = AT.fullmatch(text)
    assert match, text
    return match["name"], int(match["x"]), int(match["y"]), bool(match["moved"])


def parse_steps(path: Path) -> tuple[int, list[dict[str, Any]]]:
    lines = path.read_text("utf-8").split("\n")
    steps: list[dict[str, Any]] = []
    for line in lines[1:]:
        if line.startswith("STEP "):
            _, number, *kinds = line.split()
            steps.append({"number": int(number), "kinds": kinds, "chat": [], "pieces": {}})
        elif line.startswith("  CHAT "):
            steps[-1]["chat"].append(line[7:])
        elif match := LINE.fullmatch(line):
            what, id_, rest = match.groups()
            before, _, after = rest.partition("  ->  ")
            steps[-1]["pieces"][id_] = {
                "NOW": lambda b=before, a=after: (told(b), told(a)),
                "NEW": lambda b=before: (None, told(b)),
                "GONE": lambda b=before: (told(b), None),
            }[what]()
    return int(lines[0].removeprefix("LOGSTEPS ")), steps


@pytest.mark.parametrize("expected", LOG_NAMES)
def test_every_step_is_what_the_client_did(expected: str) -> None:
    """Numbers, kinds of commands, chat lines, and what became of each piece."""
    name = expected.removesuffix(".end.json")
    count, wanted = parse_steps(EXPECTED / f"{name}.steps.txt")
    steps = steps_of(name)
    assert len(steps) == len(wanted) == count
    for step, want in zip(steps, wanted, strict=True):
        assert step.index == want["number"]
        kinds = [KINDS[type(c)] for c in step.commands if not isinstance(c, Undo)]
        assert kinds == want["kinds"], step.index
        assert [line.rstrip() for line in step.chat] == [x.rstrip() for x in want["chat"]]
        got = {
            change.piece: (state(change.before), state(change.after))
            for change in step.changes
            if state(change.before) != state(change.after)
        }
        assert got == want["pieces"], step.index


UNDONE = {
    "z_probe_undo.vlog": {20: 19, 23: 22, 40: 39},
    "rout_example.vlog": {18: 17},
    "rout_example-vassal37.vlog": {18: 17},
    "S5-1-A-APh.vlog": {45: 44},
}


@pytest.mark.parametrize("name", [name.removesuffix(".end.json") for name in LOG_NAMES])
def test_undo_names_the_step_it_takes_back(name: str) -> None:
    steps = steps_of(name)
    told_by_chat = {
        step.index: [line for line in step.chat if line.startswith("* UNDO: ")] for step in steps
    }
    for step in steps:
        assert step.undo == bool(told_by_chat[step.index])
        if step.undo:
            assert step.undoes is not None
            target = steps[step.undoes - 1]
            assert [f"* UNDO: {line}" for line in target.chat] == told_by_chat[step.index]
            back = {change.piece: state(change.after) for change in step.changes}
            for change in target.changes:
                assert back[change.piece] == state(change.before)
    if name in UNDONE:
        assert {step.index: step.undoes for step in steps if step.undo} == UNDONE[name]


@pytest.mark.parametrize("name", ["rout_example", "rich1_side_by_side"])
def test_the_same_game_saved_by_3_7_reads_the_same(name: str) -> None:
    """3.7 adds fields to traits, properties to pieces, layers to stacks, and renumbers ids."""
    found = [
        sorted(
            (p.map, p.x, p.y, p.index, p.name, p.public_name, p.gpid, p.hidden, p.concealed)
            for p in load_game(open_saved(find(f"{name}{version}.vsav"))).pieces.values()
            if p.map == "Main Map"
        )
        for version in ("", "-vassal37")
    ]
    assert len(found[0]) > 7
    assert found[0] == found[1]


def test_the_same_rout_logged_by_3_7_ends_the_same() -> None:
    ends = [
        sorted(
            (p.map, p.x, p.y, p.index, p.name, p.moved)
            for p in steps_of(name)[-1].game.pieces.values()
        )
        for name in ("rout_example.vlog", "rout_example-vassal37.vlog")
    ]
    assert ends[0] == ends[1]
