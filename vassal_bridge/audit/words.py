"""What players write in the chat window, as far as an audit needs it: hints, never proof.

Lists of words in the languages VASL players use, compiled once per kind. Hexes are found by their
printed name. Nothing else is read out of free text.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from vassal_bridge.audit.vocabulary import PHASE_WORDS, TALK_WORDS

PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
"""Phases of a player turn in order, as players abbreviate them (formats/files.md 9)."""
RALLY, PREP, MOVE, DEFENSIVE, ADVANCING, ROUT, ADVANCE, CLOSE = range(8)
"""Places of the phases in `PHASES`."""


class Talk(StrEnum):
    """What a line of chat is about, besides phases."""

    CRAWL = "crawl"
    """Low Crawl."""
    CORRECTION = "correction"
    """Something is put right or taken back."""
    SLIP = "slip"
    """A word of regret: a correction only if the move that follows looks like one."""
    REROLL = "reroll"
    """A roll does not count, it is made again."""
    CHECK = "check"
    """Interdiction or its NMC."""
    PASSED = "passed"
    """A check is passed."""
    PINNED = "pinned"
    """A unit is pinned."""
    GONE = "gone"
    """A unit is eliminated."""
    FAILS = "fails-to-rout"
    """Failure to rout."""
    NOBODY = "nobody"
    """Somebody has nothing to do here."""
    DONE = "done"
    """Somebody has finished."""
    YOURS = "yours"
    """The other player is to go on."""


def _joined(words: str) -> re.Pattern[str]:
    listed = [word for line in words.splitlines() for word in line.strip().split("  ") if word]
    return re.compile("|".join(listed), re.IGNORECASE)


@lru_cache(maxsize=1)
def _phase_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(_joined(words) for words in PHASE_WORDS)


@lru_cache(maxsize=1)
def _talk_patterns() -> tuple[tuple[Talk, re.Pattern[str]], ...]:
    return tuple((Talk(name), _joined(words)) for name, words in TALK_WORDS.items())


_MOST_TEXT = 2000
"""Characters of one chat line that are looked at."""
_DENIED = re.compile(
    r"\b(no|not|never|kein\w*|nicht|cannot|can'?t|sans|pas)\s+(low[ -]?)?crawl", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\b(dice|dr|button|roll(s|ed)?|n?mc|fp|drm|tem|elr|ift|dm|pin|marker)\b|w[uü]e?rf|knopf"
    r"|\bdés?\b|\bdad[oi]\b|брос(ок|ил)|кубик|кнопк|маркер|\bkost|rzut|骰|标记|サイコロ|マーカー",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(hex|feld|case|hexagone?|esagono)\b|гекс|格|ヘクス"
    r"|\b(to|in|into|nach|[àa]|en|на|в|do|w)\s+[a-z]{0,4}[A-Z]{1,2}\d"
)
_FIGURE = re.compile(r"(?<![A-Za-z0-9])\d{1,2}(?![A-Za-z0-9])")
_HEX = re.compile(r"(?<![A-Za-z0-9])([A-Za-z0-9~]{0,10}?)([A-Za-z]{1,2})(\d{1,2})(?![A-Za-z0-9])")
_PRINTED = re.compile(r"([A-Z]{1,2}\d{1,2})$")


def phases_named(text: str) -> tuple[int, ...]:
    """Places in `PHASES` of the phases a line of talk names, in order of the turn.

    >>> [PHASES[place] for place in phases_named("done moving, your DFPh")]
    ['DFPh']
    >>> [PHASES[place] for place in phases_named("jetzt rout, du zuerst")]
    ['RtPh']
    """
    text = text[:_MOST_TEXT]
    found = [place for place, words in enumerate(_phase_patterns()) if words.search(text)]
    return tuple(found)


def leading_phase(text: str) -> int | None:
    """The phase whose name comes first in the text, if it begins it; else None.

    >>> PHASES[leading_phase("AFPh: O6 at N9")]
    'AFPh'
    >>> leading_phase("we could have an advance here") is None
    True
    """
    text = text[:_MOST_TEXT].strip()
    for place, words in enumerate(_phase_patterns()):
        match = words.search(text)
        if match is not None and not re.search(r"\w", text[: match.start()]):
            return place
    return None


def topics(text: str) -> frozenset[Talk]:
    """What a line of talk is about.

    >>> sorted(topics("N5 low crawls to M6"))
    [<Talk.CRAWL: 'crawl'>]
    """
    text = text[:_MOST_TEXT]
    found = {talk for talk, words in _talk_patterns() if words.search(text)}
    if Talk.CRAWL in found and _DENIED.search(text):
        found.discard(Talk.CRAWL)
    if Talk.CORRECTION in found and _BESIDE.search(text) and not _PLACE.search(text):
        found.discard(Talk.CORRECTION)  # dice or a marker are put right, no unit
    return frozenset(found)


def has_figure(text: str) -> bool:
    """Whether a line of talk holds a number that is no hex: a result, a modifier.

    >>> has_figure("NMC in N8: 5"), has_figure("O6 interdicts in N8")
    (True, False)
    """
    return _FIGURE.search(text[:_MOST_TEXT]) is not None


def printed(hex_: str) -> str:
    """The name printed in a hex, without its board.

    >>> printed("zO5"), printed("04K3"), printed("yAA10")
    ('O5', 'K3', 'AA10')
    """
    match = _PRINTED.search(hex_)
    if match is None:
        return hex_
    # board "y" and column "AA": the longest column of equal letters is the column
    name = match.group(1)
    letters = name.rstrip("0123456789")
    if len(letters) == 2 and letters[0] != letters[1]:
        return name[1:]
    return name


def hexes_named(text: str) -> frozenset[str]:
    """Printed names of the hexes a line of talk mentions, capital letters.

    >>> sorted(hexes_named("By your SOP: DD4 to zEE5"))
    ['DD4', 'EE5']
    """
    found = set()
    for match in _HEX.finditer(text[:_MOST_TEXT]):
        letters = match.group(2).upper()
        if len(letters) == 2 and letters[0] != letters[1]:
            letters = letters[1]
        found.add(letters + match.group(3))
    return frozenset(found)
