"""Our own ruling files, answered by the second solver too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rout.enumerator import Enumerator
from tests.rout.enumerator_map import Man, read_men

FILES = sorted(Path(__file__).parent.glob("*.ruling.yaml"))


def man_of(data: dict[str, Any], text: str) -> Man:
    """The unit an id means: its own word, its hex, or hex/n within the side."""
    hex_, _, number = text.partition("/")
    men = [man for man in read_men(data) if man.id == hex_]
    return men[int(number or 1) - 1]


def answer(data: dict[str, Any], question: dict[str, Any]) -> Any:
    solver = Enumerator(data, man_of(data, str(question["unit"])).number)
    names = [man.id for man in solver.men]
    if "path" in question:
        crawl = question.get("low_crawl", False)
        legal = solver.legal(question["path"], low_crawl=crawl)
        if "interdicted" in question:
            met = solver.interdictions(question["path"])
            return legal, {hex_: {names[number] for number in by} for hex_, by in met.items()}
        return legal
    if question["ask"] == "targets":
        targets, free = solver.targets()
        return {**targets, "free": True} if free else targets
    if question["ask"] == "known":
        return {names[number] for number in solver.known()}
    return solver.duty if question["ask"] == "duty" else solver.ends()


def expected(question: dict[str, Any]) -> Any:
    given = question["answer"]
    if "path" in question:
        if "interdicted" in question:
            return given == "legal", {
                hex_: set(by) for hex_, by in question["interdicted"].items() if by
            }
        return given == "legal"
    return set(given) if question["ask"] == "known" else given


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name.split(".")[0])
def test_the_second_solver_gives_the_same_answers(file: Path) -> None:
    ruling = yaml.safe_load(file.read_text(encoding="utf-8"))
    for question in ruling["questions"]:
        assert answer(ruling["position"], question) == expected(question), question["id"]


def test_every_rule_that_bars_a_path_is_named_in_some_ruling() -> None:
    named = {
        rule
        for file in FILES
        for question in yaml.safe_load(file.read_text(encoding="utf-8"))["questions"]
        for rule in question.get("rules", [])
    }
    assert len(FILES) >= 10
    assert named >= {
        "R8",
        "R16",
        "R27",
        "R30",
        "R38",
        "R39",
        "R40",
        "R45",
        "R46",
        "R52",
        "R54",
        "R55",
    }
