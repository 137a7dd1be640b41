"""Problems as people read them: one line per kind, its hexes listed; JSON keeps every one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.model import Problem

LISTED_HEXES: Final = 12
"""Hexes named per kind of problem; of the others only the number is said."""
_HEX: Final = re.compile(r"(.*?)([A-Z]+)([0-9]+)$")
_GAP: Final = "\0"


def gathered(problems: Sequence[Problem]) -> list[list[int]]:
    """Places of problems that say the same of different hexes, in order of first appearance."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for n, problem in enumerate(problems):
        kinds.setdefault((problem.code, _form(problem)), []).append(n)
    return list(kinds.values())


def told(problems: Sequence[Problem], places: Iterable[int], words: Catalogue) -> str:
    """The sentence of one kind of problem with all its hexes.

    Args:
        problems: all of a report, in the language of `words`.
        places: those of one kind, from `gathered`.
        words: the language.
    """
    kind = [problems[n] for n in places]
    hexes = sorted({each.hex for each in kind if each.hex is not None}, key=map_order)
    first = kind[0]
    if len(hexes) < 2:
        return first.text
    named = words.join(hexes[:LISTED_HEXES])
    if len(hexes) > LISTED_HEXES:
        named = words.say("hexes.more", hexes=named, count=len(hexes) - LISTED_HEXES)
    many = f"note.{first.code}.many"
    if many in words:
        return words.say(many, hex=named)
    return _form(first).replace(_GAP, named)


def problem_texts(problems: Sequence[Problem], words: Catalogue) -> list[str]:
    """Every kind of problem as one sentence."""
    return [told(problems, places, words) for places in gathered(problems)]


def map_order(hex_: str) -> tuple[str, int, str, int]:
    """Sorts hexes by board, column and row: ``zA2`` before ``zA10``, ``zZ1`` before ``zAA1``."""
    match = _HEX.match(hex_)
    if match is None:
        return hex_, 0, "", 0
    board, column, row = match.groups()
    return board, len(column), column, int(row)


def _form(problem: Problem) -> str:
    """The sentence without its hex."""
    if problem.hex is None:
        return problem.text
    whole = rf"(?<![A-Za-z0-9]){re.escape(problem.hex)}(?![0-9])"
    return re.sub(whole, _GAP, problem.text)
