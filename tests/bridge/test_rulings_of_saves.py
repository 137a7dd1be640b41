"""Saves made with VASSAL, each with a ruling file: the save has to give the same answers.

Ids of stacked units may differ between file and save; units are matched by hex, nationality,
factors and state.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.shared import BOARDS, SAVES, needs_shared
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options, load_file
from vassal_bridge.bridge.positions import build_position
from vassal_bridge.bridge.rulings import Question, Ruling, read_ruling
from vassal_bridge.bridge.yamlfile import Node
from vassal_bridge.rout import Position, Unit, assess, judge_path

MADE = SAVES / "made"
PAIRS = sorted(MADE.glob("*.ruling.yaml")) if MADE.is_dir() else []

pytestmark = [needs_shared, pytest.mark.shared]


def likeness(unit: Unit) -> tuple[Any, ...]:
    """What tells two units of one hex apart for the rules."""
    return (
        unit.hex,
        unit.nationality,
        unit.name,
        unit.broken,
        unit.dm,
        unit.pinned,
        unit.cx,
        unit.melee,
        unit.wounded,
        tuple(sorted(weapon.name for weapon in unit.weapons)),
    )


class Match:
    """Units of a ruling's own position and those of the save it was made from."""

    def __init__(self, ruling: Ruling, library: BoardLibrary, save: Position) -> None:
        self.typed, self.ground = build_position(ruling.position, library)
        self.save = save

    def like(self, unit: Unit) -> list[Unit]:
        wanted = likeness(unit)
        return [one for one in self.save.units if likeness(one) == wanted]

    def typed_unit(self, node: Node, *, enemy_of: Unit | None = None) -> Unit | None:
        """The unit of the ruling's position that an id means; None for one nobody sees."""
        text = node.text("unit")
        found = [
            unit
            for unit in self.typed.units
            if unit.id in (text, f"{unit.side}:{text}")
            and (enemy_of is None or unit.side != enemy_of.side)
        ]
        return min(found, key=lambda unit: not unit.broken) if found else None

    def ids(self, nodes: list[Node], of: Unit) -> set[str]:
        """Likenesses by which Known enemies and interdictors are compared."""
        units = [self.typed_unit(node, enemy_of=of) for node in nodes]
        return {str(likeness(unit)) for unit in units if unit is not None}

    def names(self, ids: tuple[str, ...]) -> set[str]:
        return {str(likeness(self.save.by_id[id_])) for id_ in ids}


def answers(match: Match, question: Question) -> tuple[Any, Any]:
    """The answer of the ruling and that of the save."""
    typed = match.typed_unit(question.unit)
    assert typed is not None, question.unit
    same = match.like(typed)
    assert same, f"{typed} is not in the save"
    unit = same[0]
    if question.path is not None:
        path = tuple(node.text("hex") for node in question.path)
        got = judge_path(match.save, unit.id, path, low_crawl=question.low_crawl)
        if question.interdicted is None or str(got.verdict) != "legal":
            return question.answer.value, str(got.verdict)
        wanted = {
            hex_: match.ids(nodes.sequence("interdicted"), typed)
            for hex_, nodes in question.interdicted.value.items()
            if nodes.value
        }
        met = {one.hex: match.names(one.by) for one in got.interdictions if one.by}
        return (question.answer.value, wanted), (str(got.verdict), met)
    found = assess(match.save, unit.id)
    if question.ask == "duty":
        return question.answer.value, str(found.duty)
    if question.ask == "known":
        return match.ids(question.answer.sequence("known"), typed), match.names(found.known)
    given: Mapping[str, Any] = question.answer.plain()
    if question.ask == "targets":
        targets: dict[str, Any] = {one.hex: one.mf2 / 2 for one in found.targets}
        return dict(given), {**targets, "free": True} if found.free_rout else targets
    return dict(given), {end.hex: str(end.how) for end in found.ends}


@pytest.mark.parametrize("file", PAIRS, ids=lambda path: path.name.removesuffix(".ruling.yaml"))
def test_the_save_answers_as_its_ruling(file: Path) -> None:
    library = BoardLibrary([BOARDS])
    ruling = read_ruling(file)
    save = file.with_name(file.name.replace(".ruling.yaml", ".vsav"))
    options = Options(
        library, month=ruling.position.month, attacker=ruling.position.attacker or None
    )
    match = Match(ruling, library, load_file(save, options).position)
    wrong = []
    for question in ruling.questions:
        wanted, got = answers(match, question)
        if wanted != got:
            wrong.append(f"{question.id}: expected {wanted}, got {got}")
    assert len(ruling.questions) > 40
    assert not wrong, "\n".join(wrong)


def test_there_are_saves_with_rulings() -> None:
    assert len(PAIRS) >= 5
