"""Ruling files: read, asked, compared; the right answers of ../shared and our own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.shared import BOARDS, ROOT, RULINGS, needs_shared
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge.rulings import FAMILIES, answer_ruling, find_rulings, read_ruling
from vassal_bridge.errors import FileError, PositionError, UsageError

OWN = ROOT / "tests" / "rulings"
EVERY = int(os.environ.get("VASSAL_BRIDGE_RULINGS_EVERY", "16"))
"""Of the random positions every so many is asked here; `vassal-bridge rulings` asks them all."""


def shared_rulings() -> list[Path]:
    if not RULINGS.is_dir():
        return []
    deep = sorted(RULINGS.glob("*/*.ruling.yaml"))
    return [*sorted(RULINGS.glob("*.ruling.yaml")), *deep[::EVERY]]


def failures(files: list[Path], library: BoardLibrary) -> tuple[int, list[str]]:
    asked, wrong = 0, []
    for file in files:
        for answer in answer_ruling(read_ruling(file), library):
            asked += 1
            if not answer.passed:
                wrong.append(
                    f"{file.name} {answer.question}: expected {answer.expected}, got {answer.got}"
                )
    return asked, wrong


def own_rulings() -> list[Path]:
    return sorted(OWN.glob("*.ruling.yaml"))


@pytest.mark.parametrize("file", own_rulings(), ids=lambda path: path.name.split(".")[0])
def test_own_rulings(file: Path) -> None:
    asked, wrong = failures([file], BoardLibrary([]))
    assert asked
    assert not wrong, "\n".join(wrong)


@needs_shared
@pytest.mark.shared
def test_rulings_of_the_register() -> None:
    files = shared_rulings()
    asked, wrong = failures(files, BoardLibrary([BOARDS]))
    assert len(files) > 100
    assert asked > 700
    assert not wrong, "\n".join(wrong)


# -- reading ---------------------------------------------------------------------------------------

RULING = """
id: small
source: nowhere
position:
  boards: [[open]]
  terrain: {woods: [F3]}
  units:
    German: [4-6-7 F9]
    Russian: [4-4-7 F5 broken dm]
questions:
"""


def ruling(tmp_path: Path, *questions: str) -> Path:
    file = tmp_path / "small.ruling.yaml"
    file.write_text(RULING + "".join(f"- {question}\n" for question in questions), encoding="utf-8")
    return file


def asked(tmp_path: Path, question: str) -> bool:
    (answer,) = answer_ruling(read_ruling(ruling(tmp_path, question)), BoardLibrary([]))
    return answer.passed


@pytest.mark.parametrize(
    ("question", "passes"),
    [
        ("{id: 1, unit: F5, ask: duty, answer: must}", True),
        ("{id: 1, unit: F5, ask: duty, answer: may}", False),
        ("{id: 1, unit: openF5, ask: known, answer: [F9]}", True),
        ("{id: 1, unit: F5, ask: known, answer: []}", False),
        ("{id: 1, unit: F5, ask: targets, answer: {F3: 3}}", True),
        ("{id: 1, unit: F5, ask: targets, answer: {F3: 3.5}}", False),
        ("{id: 1, unit: F5, ask: targets, answer: {F3: 3, free: true}}", False),
        ("{id: 1, unit: F5, ask: ends, answer: {F3: move, F4: crawl}}", True),
        ("{id: 1, unit: F5, ask: ends, answer: {F3: both, F4: crawl}}", False),
        ("{id: 1, unit: F5, path: [F4, F3], answer: legal}", True),
        ("{id: 1, unit: F5, path: [F4, F3], answer: legal, interdicted: {F4: [F9]}}", True),
        ("{id: 1, unit: F5, path: [F4, F3], answer: legal, interdicted: {F4: []}}", False),
        ("{id: 1, unit: F5, path: [F4, F3], answer: legal, interdicted: {}}", False),
        ("{id: 1, unit: F5, path: [F4], low_crawl: true, answer: legal}", True),
        ("{id: 1, unit: F5, path: [F6], answer: illegal, rules: [R38]}", True),
        ("{id: 1, unit: F5, path: [F6], answer: illegal, rules: [R39]}", True),  # same family
        ("{id: 1, unit: F5, path: [F6], answer: illegal, rules: [R40]}", False),
        ("{id: 1, unit: F5, path: [F6], answer: legal}", False),
    ],
)
def test_a_question(tmp_path: Path, question: str, passes: bool) -> None:
    assert asked(tmp_path, question) is passes


def test_an_empty_list_of_interdictors_means_the_same_as_none(tmp_path: Path) -> None:
    hidden = RULING.replace("woods: [F3]", "woods: [F3], building: [F7]")
    file = tmp_path / "small.ruling.yaml"
    question = "- {id: 1, unit: F5, path: [F4, F3], answer: legal, interdicted: {F4: []}}\n"
    file.write_text(hidden + question, encoding="utf-8")
    (answer,) = answer_ruling(read_ruling(file), BoardLibrary([]))
    assert answer.passed, answer


def test_a_failure_says_what_was_expected_and_what_came(tmp_path: Path) -> None:
    file = ruling(tmp_path, "{id: Q, unit: F5, path: [F6], answer: illegal, rules: [R40]}")
    (answer,) = answer_ruling(read_ruling(file), BoardLibrary([]))
    assert (answer.ruling, answer.question, answer.passed) == ("small", "Q", False)
    assert (answer.expected, answer.got) == ("illegal by R40", "illegal by R38")


def test_what_another_reading_would_change_is_named(tmp_path: Path) -> None:
    text = RULING.replace("4-6-7 F9", "4-6-7 F9 broken").replace("[F3]", "[E6, F3]")
    file = tmp_path / "small.ruling.yaml"
    question = "- {id: Q, unit: F5, ask: targets, answer: {E6: 2, F3: 3}}\n"
    file.write_text(text + question, encoding="utf-8")
    (answer,) = answer_ruling(read_ruling(file), BoardLibrary([]))
    assert (answer.passed, answer.depends) == (True, ("r31_unbroken",))


def test_no_rule_is_in_two_families() -> None:
    rules = [rule for family in FAMILIES for rule in family]
    assert len(rules) == len(set(rules))


def test_a_position_of_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "place.rout.yaml").write_text(
        "boards: [[open]]\nunits: {German: [4-6-7 F4], Russian: [4-4-7 F5 broken]}\n",
        encoding="utf-8",
    )
    file = tmp_path / "other.ruling.yaml"
    file.write_text(
        "position: place.rout.yaml\nquestions:\n- {id: 1, unit: F5, ask: duty, answer: must}\n",
        encoding="utf-8",
    )
    (answer,) = answer_ruling(read_ruling(file), BoardLibrary([]))
    assert (answer.ruling, answer.passed) == ("other.ruling.yaml", True)


@pytest.mark.parametrize("side", ["German", "Russian"])
def test_where_both_sides_stand_in_a_hex(tmp_path: Path, side: str) -> None:
    other = "Russian" if side == "German" else "German"
    names = {"German": "4-6-7", "Russian": "4-4-7"}
    file = tmp_path / "both.ruling.yaml"
    file.write_text(
        f"position:\n  boards: [[open]]\n  units:\n"
        f"    {side}: [{names[side]} F5 broken dm melee]\n    {other}: [{names[other]} F5 melee]\n"
        "questions:\n"
        "- {id: 1, unit: F5, ask: duty, answer: none}\n"
        "- {id: 2, unit: F5, ask: known, answer: [F5]}\n",
        encoding="utf-8",
    )
    assert [one.passed for one in answer_ruling(read_ruling(file), BoardLibrary([]))] == [True] * 2


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("{id: 1, unit: F5, ask: fate, answer: must}", "ask 'fate'"),
        ("{id: 1, unit: F5, answer: must}", "either ask or path"),
        ("{id: 1, unit: F5, ask: duty, path: [F4], answer: legal}", "either ask or path"),
        ("{id: 1, unit: F5, path: [F4], answer: fine}", "one of legal, illegal, disputed"),
        ("{unit: F5, ask: duty, answer: must}", "needs id"),
        ("{id: 1, ask: duty, answer: must}", "needs unit"),
        ("{id: 1, unit: F5, ask: duty}", "needs answer"),
        ("{id: 1, unit: F5, ask: duty, answer: must, mood: good}", "unknown key 'mood'"),
    ],
)
def test_mistakes_name_the_line(tmp_path: Path, question: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint) as caught:
        read_ruling(ruling(tmp_path, question))
    assert caught.value.place == "line 11"


@pytest.mark.parametrize("unit", ["F6", "A1/2", "nobody"])
def test_a_unit_that_is_not_there(tmp_path: Path, unit: str) -> None:
    file = ruling(tmp_path, f"{{id: 1, unit: {unit}, ask: duty, answer: must}}")
    with pytest.raises(PositionError) as caught:
        list(answer_ruling(read_ruling(file), BoardLibrary([])))
    assert caught.value.place == "line 11"


def test_a_ruling_without_questions(tmp_path: Path) -> None:
    file = tmp_path / "bare.ruling.yaml"
    file.write_text("position: {boards: [[open]], units: {German: [4-6-7 F9]}}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="needs questions"):
        read_ruling(file)


# -- finding ---------------------------------------------------------------------------------------


def test_files_and_folders(tmp_path: Path) -> None:
    first = ruling(tmp_path, "{id: 1, unit: F5, ask: duty, answer: must}")
    deep = tmp_path / "deep"
    deep.mkdir()
    second = deep / "more.ruling.yaml"
    second.write_bytes(first.read_bytes())
    (tmp_path / "other.yaml").write_text("no ruling", encoding="utf-8")
    assert find_rulings([tmp_path]) == [second, first]
    assert find_rulings([first]) == [first]
    with pytest.raises(FileError):
        find_rulings([tmp_path / "absent"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError):
        find_rulings([tmp_path / "empty"])
