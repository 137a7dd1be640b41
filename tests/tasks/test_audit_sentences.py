"""Every code of the audit has a sentence in both languages, with the facts its comment names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vassal_bridge.audit.codes as codes
from vassal_bridge.audit import AuditCode
from vassal_bridge.report import words_in

_LINE = re.compile(r'^    (\w+) = "([\w-]+)"  # (.*)$', re.M)


def facts_named() -> dict[str, set[str]]:
    """Facts by code, as the comments behind the codes name them."""
    source = Path(codes.__file__).read_text(encoding="utf-8")
    found = {}
    for _, value, comment in _LINE.findall(source):
        words = comment.split(":")[0]
        found[value] = set() if words.startswith("(none)") else set(re.findall(r"\w+", words))
    return found


@pytest.mark.parametrize("code", list(AuditCode))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_code_has_a_sentence(code: AuditCode, lang: str) -> None:
    words = words_in(lang)  # type: ignore[arg-type]
    placeholders = set(re.findall(r"\{(\w+)", words.template(f"finding.{code.value}")))
    named = facts_named()[code.value] | {"attacker", "due", "leader", "step", "unit", "from", "to"}
    assert placeholders <= named


def test_the_comments_name_every_code() -> None:
    assert set(facts_named()) == {code.value for code in AuditCode}
