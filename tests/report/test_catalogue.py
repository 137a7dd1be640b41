"""Every value of the rules has a sentence in both languages, with the same facts."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.sketch import example_position
from vassal_bridge.errors import UsageError
from vassal_bridge.report import messages, messages_rules
from vassal_bridge.report.catalogue import (
    english,
    english_plurals,
    language,
    number,
    percent,
    words_in,
)
from vassal_bridge.report.html import in_order
from vassal_bridge.rout.rulebook import READINGS, Code, Fact, Reason

ROOT = Path(__file__).resolve().parents[2]

FACTS: dict[str, Fact] = {
    "enemy": "zO6", "enemies": ("zO6", "zM6"), "hex": "zN8", "range": 3, "normal_range": 6,
    "start_range": 4, "mf": 2.0, "from": 4, "to": 3, "cost": 1.5, "left": 0.5,
    "reading": "r49_current", "unit": "zM9", "back": "zN7",
}  # fmt: skip


def placeholders(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@pytest.mark.parametrize("code", list(Code))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_code_has_a_sentence(code: Code, lang: str) -> None:
    words = words_in(language(lang))
    facts = tuple((name, FACTS[name]) for name in placeholders(messages.REASONS[code]))
    said = words.reason(Reason("R1", code, facts), example_position().by_id)
    brief = words.reason(Reason("R1", code, facts), example_position().by_id, brief=True)
    assert said
    assert brief
    assert "{" not in said + brief
    for name in placeholders(messages.REASONS[code]):
        if name in ("hex", "range", "cost"):
            assert str(FACTS[name]) in said


def test_chinese_is_chinese_and_english_is_not() -> None:
    for code in Code:
        assert not messages.REASONS[code].isascii() or messages.REASONS[code].isprintable()
        translated = words_in("zh").template(f"reason.{code.value}")
        assert any("\u4e00" <= char <= "\u9fff" for char in translated), code


@pytest.mark.parametrize("key", sorted(english()))
def test_translations_have_the_same_placeholders(key: str) -> None:
    assert placeholders(words_in("zh").template(key)) == placeholders(english()[key])


@pytest.mark.parametrize("key", sorted(english_plurals()))
def test_counted_phrases_agree(key: str) -> None:
    one, many = english_plurals()[key]
    assert words_in("en").count(key, 1) == one.format(n=1)
    assert words_in("en").count(key, 3) == many.format(n=3)
    assert "3" in words_in("zh").count(key, 3)
    assert words_in("zh").count(key, 3) != words_in("en").count(key, 3)


def test_abbreviations_stay_in_chinese() -> None:
    for key, text in english().items():
        for word in ("DM", "MMC", "SMC", "LOS", "RtPh", "NMC"):
            if word in text.replace("EDM", "").split():
                assert word in words_in("zh").template(key), key


def test_the_words_of_the_seed() -> None:
    words = words_in("zh")
    assert "溃退" in words.say("duty.must")
    assert "阻截" in words.say("end.interdicted", hex="zN8", enemies="zO6")
    assert "匍匐前进" in words.say("how.crawl")


def test_every_reading_and_rule_is_told() -> None:
    assert set(messages.READING_TEXTS) == set(READINGS)
    assert list(messages_rules.RULES) == [f"R{n}" for n in range(1, 88)]
    assert words_in("en").reading_line("r49_current:ends").startswith("R49: this unit")


def test_an_unknown_note_keeps_the_finders_words() -> None:
    words = words_in("zh")
    assert words.note("no-such-code", {}, "as found") == "as found"
    assert words.note("overlay", {}, "no hex given") == "no hex given"
    assert "zK4" in words.note("overlay", {"hex": "zK4"}, "")


@pytest.mark.parametrize("key", [key for key in sorted(english()) if key.startswith("note.")])
def test_notes_are_told_in_both_languages(key: str) -> None:
    """With the facts of the sentence the note is told by it, never in the finder's English."""
    names = placeholders(english()[key])
    facts: dict[str, Fact] = dict.fromkeys(names, "X1")
    _, code, *case = key.split(".")
    if case:
        facts["doubt"] = case[0]
    one, two = (words_in(lang).note(code, facts, "finder") for lang in ("en", "zh"))
    assert "finder" not in (one, two)
    assert one != two
    assert any("\u4e00" <= char <= "\u9fff" for char in two)
    assert two.count("X1") == one.count("X1") == len(names)


def test_every_note_the_program_makes_has_a_sentence() -> None:
    made = re.compile(r'\b(?:Note|AuditNote|BoardProblem|complain)\(\s*"([a-z-]+)"')
    codes = {
        code
        for path in (ROOT / "vassal_bridge").rglob("*.py")
        for code in made.findall(path.read_text(encoding="utf-8"))
    }
    assert len(codes) >= 15
    told = {key.split(".")[1] for key in english() if key.startswith("note.")}
    assert codes <= told


def test_facts_are_never_taken_for_placeholders() -> None:
    said = words_in("en").say("name.at", name="{hex}{0.__class__}", hex="zN8")
    assert said == "{hex}{0.__class__} in zN8"


def test_adjacent_enemy_in_the_same_hex_is_said_so() -> None:
    units = example_position().by_id
    reason = Reason("R8", Code.ADJACENT_ENEMY, (("enemy", "zO6"), ("hex", "zO6")))
    assert "same hex" in words_in("en").reason(reason, units)


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0%"), (1, "100%"), (0.0001, "<1%"), (0.9999, ">99%"), (0.4167, "42%"), (0.5, "50%")],
)
def test_percent(share: float, said: str) -> None:
    assert percent(share) == said


def test_a_case_of_a_rule_is_explained_by_the_rule() -> None:
    words = words_in("en")
    assert words.rule("R73a") == words.rule("R73") == "failure to rout: eliminated"
    assert words.rule("R99") == "R99"
    assert in_order({"R73a", "R8", "R73", "R71"}) == ["R8", "R71", "R73", "R73a"]


def test_numbers_are_plain() -> None:
    assert [number(2.0), number(1.5), number(3)] == ["2", "1.5", "3"]


def test_language_names() -> None:
    assert [language(name) for name in ("zh", "zh_CN.UTF-8", "zh-Hans", "en_GB", "C")] == [
        "zh", "zh", "zh", "en", "en"]  # fmt: skip
    with pytest.raises(UsageError, match="there are en and zh"):
        language("fr")


def test_the_compiled_catalogue_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "catalogue.py"), "check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "all sentences are translated", done.stdout + done.stderr
    assert done.returncode == 0
