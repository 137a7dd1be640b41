"""Ruling files: positions with right answers, and the program asked the same (contracts.md 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vassal_bridge.bridge.positions import (
    PositionFile,
    build_position,
    parse_position,
    read_position_file,
)
from vassal_bridge.bridge.yamlfile import Node, read_yaml
from vassal_bridge.errors import FileError, UsageError, VassalBridgeError
from vassal_bridge.rout import (
    Assessment,
    Interdiction,
    PathJudgement,
    Position,
    assess,
    judge_path,
)

if TYPE_CHECKING:
    from vassal_bridge.board import BoardGround, BoardLibrary

KEYS = frozenset({"id", "source", "position", "questions"})
QUESTION_KEYS = frozenset(
    {"id", "unit", "ask", "answer", "path", "low_crawl", "rules", "interdicted"}
)
ASKS = ("duty", "known", "targets", "ends")
VERDICTS = ("legal", "illegal", "disputed")
FAMILIES = (
    frozenset({"R27", "R31", "R32", "R33", "R85"}),
    frozenset({"R38", "R39"}),
    frozenset({"R16", "R17", "R20", "R21"}),
    frozenset({"R30", "R47"}),
    frozenset({"R52", "R53"}),
    frozenset({"R8", "R49", "R50", "R55", "R73"}),
)
"""Rules that bar the same thing; naming one of a family is right (rulings/README.md)."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a ruling file, as typed."""

    id: str
    unit: Node
    ask: str | None
    answer: Node
    path: tuple[Node, ...] | None
    low_crawl: bool
    rules: tuple[str, ...]
    interdicted: Node | None


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling file."""

    id: str
    file: Path
    position: PositionFile
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the program's answer.

    Attributes:
        ruling: id of the ruling.
        question: id of the question.
        passed: whether the answers agree.
        expected, got: both, in words.
        depends: readings that would change the answer.
    """

    ruling: str
    question: str
    passed: bool
    expected: str
    got: str
    depends: tuple[str, ...] = ()


def find_rulings(paths: Sequence[Path]) -> list[Path]:
    """Ruling files among files and folders, in order of name.

    Raises:
        UsageError: a path does not exist, or a folder holds none.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.ruling.yaml"))
            if not inside:
                raise UsageError("no *.ruling.yaml in this folder", file=str(path))
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise FileError("no such file or folder", file=str(path))
    return found


def read_ruling(path: Path) -> Ruling:
    """Read one ruling file.

    Raises:
        PositionError: unknown keys or words; names the line.
    """
    try:
        top = read_yaml(path).mapping("a ruling", KEYS)
        for key in ("position", "questions"):
            if key not in top:
                raise UsageError(f"a ruling needs {key}", file=str(path))
        node = top["position"]
        if isinstance(node.value, str):
            position = read_position_file(path.parent / node.value)
        else:
            position = parse_position(node)
        questions = tuple(_question(item) for item in top["questions"].sequence("questions"))
    except VassalBridgeError as error:
        raise error.at(file=path) from None
    name = top["id"].text("id") if "id" in top else path.name
    return Ruling(name, path, position, questions)


def _question(node: Node) -> Question:
    keys = node.mapping("a question", QUESTION_KEYS)
    for key in ("id", "unit", "answer"):
        if key not in keys:
            raise node.error(f"a question needs {key}")
    ask = keys["ask"].text("ask") if "ask" in keys else None
    path = tuple(keys["path"].sequence("path")) if "path" in keys else None
    if (ask is None) == (path is None):
        raise node.error("a question has either ask or path")
    if ask is not None and ask not in ASKS:
        raise node.error(f"ask {ask!r}: {', '.join(ASKS)}")
    if path is not None and keys["answer"].value not in VERDICTS:
        raise keys["answer"].error(f"the answer for a path is one of {', '.join(VERDICTS)}")
    rules = (
        tuple(rule.text("rule") for rule in keys["rules"].sequence("rules"))
        if "rules" in keys
        else ()
    )
    return Question(
        keys["id"].text("id"),
        keys["unit"],
        ask,
        keys["answer"],
        path,
        bool("low_crawl" in keys and keys["low_crawl"].value),
        rules,
        keys.get("interdicted"),
    )


def answer_ruling(ruling: Ruling, library: BoardLibrary) -> Iterator[Answered]:
    """Ask the program every question of a ruling.

    Raises:
        VassalBridgeError: the position cannot be built; names file and line.
    """
    try:
        position, ground = build_position(ruling.position, library)
        asker = Asker(ruling.id, position, ground)
        for question in ruling.questions:
            yield asker.answer(question)
    except VassalBridgeError as error:
        raise error.at(file=ruling.file) from None


class Asker:
    """Asks one position the questions of a ruling; units are found by id or by hex.

    Args:
        ruling: id of the ruling, for the answers.
        position: the position asked, from the file or from a saved game that shows the same.
        ground: its ground, which completes hex names typed without their board.
    """

    def __init__(self, ruling: str, position: Position, ground: BoardGround) -> None:
        self.ruling = ruling
        self.position = position
        self.ground = ground
        self._assessed: dict[str, Assessment] = {}
        self._sides = tuple(dict.fromkeys(unit.side for unit in position.units))

    def unit_id(self, node: Node, enemy_of: str | None = None) -> str:
        """The id of the unit a question means.

        An id is unique within its side (contracts.md 2). Where both sides stand in a hex, the unit
        asked about is the broken one, a Known one or an interdictor is on the other side.

        Args:
            node: the id as typed.
            enemy_of: id of the unit asked about, when an enemy of it is meant.

        Raises:
            PositionError: there is none.
        """
        text = node.text("unit")
        by_id = self.position.by_id
        names = [text]
        if text not in by_id:
            hex_, _, number = text.partition("/")
            names = [self.hex(Node(hex_, node.line)) + (f"/{number}" if number else "")]
        names += [f"{side}:{names[0]}" for side in self._sides]
        found = [by_id[name] for name in names if name in by_id]
        if enemy_of is not None:
            found = [unit for unit in found if unit.side != by_id[enemy_of].side]
        if not found:
            raise node.error(f"no unit {text!r}")
        return min(found, key=lambda unit: not unit.broken).id if enemy_of is None else found[0].id

    def hex(self, node: Node) -> str:
        """A hex name with its board."""
        try:
            return self.ground.canonical_hex(node.text("hex"))
        except VassalBridgeError as error:
            raise node.error(error.message) from None

    def assessment(self, unit: str) -> Assessment:
        """What the rules say about a unit, asked once."""
        if unit not in self._assessed:
            self._assessed[unit] = assess(self.position, unit)
        return self._assessed[unit]

    def answer(self, question: Question) -> Answered:
        """Ask one question and compare."""
        unit = self.unit_id(question.unit)
        if question.path is not None:
            return self._path(question, unit)
        got = self.assessment(unit)
        expected: Any
        answer: Any
        if question.ask == "duty":
            expected, answer = question.answer.text("duty"), str(got.duty)
        elif question.ask == "known":
            expected = {self.unit_id(node, unit) for node in question.answer.sequence("known")}
            answer = set(got.known)
        elif question.ask == "targets":
            expected, answer = self._targets(question, got)
        else:
            expected = {
                self.hex(Node(key, node.line)): node.text("how")
                for key, node in question.answer.value.items()
            }
            answer = {end.hex: str(end.how) for end in got.ends}
        names = [name for name in got.readings if question.ask in name.partition(":")[2].split(",")]
        return Answered(
            self.ruling,
            question.id,
            expected == answer,
            _words(expected),
            _words(answer),
            tuple(name.partition(":")[0] for name in names),
        )

    def _targets(self, question: Question, got: Assessment) -> tuple[Any, Any]:
        expected: dict[str, Any] = {}
        for key, node in question.answer.value.items():
            name = key if key == "free" else self.hex(Node(key, node.line))
            expected[name] = node.value if key == "free" else float(node.value)
        answer: dict[str, Any] = {target.hex: target.mf2 / 2 for target in got.targets}
        if got.free_rout:
            answer["free"] = True
        return expected, answer

    def _path(self, question: Question, unit: str) -> Answered:
        assert question.path is not None  # noqa: S101  (asked by the caller)
        path = tuple(self.hex(node) for node in question.path)
        got = judge_path(self.position, unit, path, low_crawl=question.low_crawl)
        expected = question.answer.text("answer")
        passed = str(got.verdict) == expected
        words_expected, words_got = expected, _verdict_words(got)
        if question.rules and passed and expected == "illegal":
            passed = _names_a_rule(question.rules, got)
            words_expected += f" by {', '.join(question.rules)}"
        if question.interdicted is not None and passed and expected == "legal":
            wanted = self._interdicted(question.interdicted, unit)
            met = _met(got.interdictions)
            passed = wanted == met
            words_expected += f", interdicted {_words(wanted)}"
            words_got = f"{got.verdict}, interdicted {_words(met)}"
        depends = tuple(sorted(got.readings + got.other_rules))
        return Answered(self.ruling, question.id, passed, words_expected, words_got, depends)

    def _interdicted(self, node: Node, unit: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for key, enemies in node.value.items():
            ids = {self.unit_id(enemy, unit) for enemy in enemies.sequence("interdicted")}
            if ids:
                found[self.hex(Node(key, enemies.line))] = ids
        return found


def _met(interdictions: Sequence[Interdiction]) -> dict[str, set[str]]:
    return {found.hex: set(found.by) for found in interdictions if found.by}


def _names_a_rule(rules: Sequence[str], got: PathJudgement) -> bool:
    named = {reason.rule for reason in got.reasons}
    return all(
        rule in named or any(rule in family and family & named for family in FAMILIES)
        for rule in rules
    )


def _verdict_words(got: PathJudgement) -> str:
    rules = dict.fromkeys(reason.rule for reason in got.reasons)
    return f"{got.verdict} by {', '.join(rules)}" if rules else str(got.verdict)


def _words(value: Any) -> str:
    """A value in a fixed order, for people."""
    if isinstance(value, (set, frozenset)):
        return "[" + ", ".join(sorted(value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_words(value[key])}" for key in sorted(value)) + "}"
    return str(value)
