"""Taking shown names apart: labels, state words, arcs, strengths (formats/counters.md 4).

Names are hostile text: only the first `MAX_COUNTER_NAME` characters are looked at, and every
pattern runs in time linear in them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vassal_bridge.counters.maps import ASSEMBLED, counter_maps
from vassal_bridge.counters.model import GunFacts, Kind, State, TurnHint
from vassal_bridge.limits import MAX_COUNTER_NAME

_ARC = re.compile(r"(?P<which>vca|[12SP]?tca|slca|ca)(?P<arc>[1-6])(?:/[1-6])?")
_STRENGTH = re.compile(r"(\d{1,2})\s?-\s?\(?(\d{1,2})\)?\s?-\s?(\d{1,2})\s(\S.{0,30})")
_COMPACT = re.compile(r"(\d)(\d)(\d)\s(?:[a-z]{2})?([A-Z]{0,6}(?:sq|hs|cr))")
_CLASS = re.compile(r"(?P<cls>.{0,24}?)\s?(?P<size>sq|hs|cr|sfcp|tacp)s?(?:\s\(.{1,12}\))?", re.I)
_LEADER = re.compile(r"(\d{1,2})([-+]\d)( AL)?")
_GUN = re.compile(
    r"(?P<calibre>\d{1,3}(?:\.\d{1,2})?)(?P<length>L{0,4}|\*)(?:\(\d+\)| \(\d+\))?\s"
    r"(?P<type>AT|INF|MTR|ART|AA|RCL|RKT|AAMG|ItK)\b.*"
)
_GENERIC_GUN = re.compile(r"[A-Z]{2,4} (?P<type>AT|INF|MTR|ART|AA|RCL)")
_TURN = re.compile(r"(\w{2,12}) (?:game )?turn (\d{1,3})(?: ?- ?(\w{1,6}))?", re.I)
_PHASES = {
    phase.casefold(): phase
    for phase in ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")
}


@dataclass(frozen=True, slots=True)
class NameParts:
    """A shown name taken apart.

    Attributes:
        words: states its leading words name.
        core: without leading words, labels, arcs and ignored suffixes; spaces single.
        whole: like `core` but with the leading words, lower case: how markers are looked up.
        ca, vca, tca: arcs behind the name, None if absent.
        exposed: ``CE`` True, ``BU`` False, None if neither.
    """

    words: frozenset[State]
    core: str
    whole: str
    ca: int | None = None
    vca: int | None = None
    tca: int | None = None
    exposed: bool | None = None


@dataclass(frozen=True, slots=True)
class Strength:
    """Factors in a name."""

    kind: Kind
    label: str
    unit_class: str = ""
    fp: int | None = None
    range: int | None = None
    morale: int | None = None
    leadership: int | None = None
    armor_leader: bool = False


def without_labels(name: str, labels: Sequence[str]) -> str:
    """`name` without the `` (label)`` parts VASL adds for a counter's text labels.

    Labels that make up the name itself (blank and make-your-own counters) stay.

    >>> without_labels("57L AT M1 (Amr AT) ca3", ["Amr AT"])
    '57L AT M1 ca3'
    """
    for label in labels:
        name = _cut(name, f" ({label})")
    return name


def without_bare_labels(name: str, labels: Sequence[str]) -> str:
    """`name` also without labels that follow it without brackets, as leaders carry their own names.

    >>> without_bare_labels("8-1 Lt. Kilroy", ["Lt. Kilroy"])
    '8-1'
    """
    for label in labels:
        name = _cut(name, f" {label}")
    return name


def _cut(name: str, part: str) -> str:
    place = name.rfind(part)
    return name if place < 0 else name[:place] + name[place + len(part) :]


def _strip_suffixes(tokens: list[str]) -> dict[str, int | bool]:
    """Takes arcs, ``BU``/``CE`` and formation names off the end of `tokens`."""
    ignore = counter_maps().ignore_suffixes
    found: dict[str, int | bool] = {}
    while len(tokens) > 1:
        last = tokens[-1]
        arc = _ARC.fullmatch(last)
        if arc is not None:
            which = arc["which"] if arc["which"] in ("ca", "vca") else "tca"
            found.setdefault(which, int(arc["arc"]))
        elif last in ("BU", "CE"):
            found.setdefault("exposed", last == "CE")
        elif last.casefold() not in ignore:
            break
        tokens.pop()
    return found


def _leading_word(tokens: Sequence[str], start: int) -> tuple[str, int] | None:
    """The state word at `start` and how many tokens it takes; one token must stay behind it."""
    prefixes = counter_maps().prefixes
    for width in (1, 2, 3):
        if start + width >= len(tokens):
            return None
        word = " ".join(tokens[start : start + width]).casefold()
        if word in prefixes:
            return prefixes[word], width
    return None


def _strip_prefixes(tokens: list[str]) -> frozenset[State]:
    """Takes state words off the front of `tokens`."""
    words: set[str] = set()
    start = 0
    while (found := _leading_word(tokens, start)) is not None:
        words.add(found[0])
        start += found[1]
    del tokens[:start]
    if ASSEMBLED in words:  # a dismantled mortar put together again keeps its "dm" name
        words.discard(State.DISMANTLED)
    return frozenset(State(word) for word in words - {"", ASSEMBLED})


@lru_cache(maxsize=4096)
def take_apart(name: str) -> NameParts:
    """Take a shown name (without labels) apart; see `NameParts`."""
    tokens = name[:MAX_COUNTER_NAME].split()
    arcs = _strip_suffixes(tokens)
    whole = " ".join(tokens).casefold()
    words = _strip_prefixes(tokens)
    return NameParts(
        words=words,
        core=" ".join(tokens),
        whole=whole,
        ca=arcs.get("ca"),
        vca=arcs.get("vca"),
        tca=arcs.get("tca"),
        exposed=None if "exposed" not in arcs else bool(arcs["exposed"]),
    )


def _mmc(core: str) -> Strength | None:
    match = _STRENGTH.fullmatch(core)
    tail = match[4] if match is not None else ""
    if match is None:
        match = _COMPACT.fullmatch(core)
        if match is None:
            return None
        tail = match[4]
    named = _CLASS.fullmatch(tail)
    if named is None:
        return None
    fp, reach, morale = (int(match[i]) for i in (1, 2, 3))
    blank = fp == reach == morale == 0  # a make-your-own counter nobody has labelled
    return Strength(
        kind=counter_maps().sizes[named["size"].casefold()],
        label=f"{fp}-{reach}-{morale}",
        unit_class=" ".join(named["cls"].split()),
        fp=None if blank else fp,
        range=None if blank else reach,
        morale=None if blank else morale,
    )


@lru_cache(maxsize=4096)
def strength(core: str) -> Strength | None:
    """Factors of an MMC or leader whose name holds them, else None.

    >>> strength("4-4-7 1sq").label, strength("6+1").leadership
    ('4-4-7', 1)
    """
    leader = _LEADER.fullmatch(core)
    if leader is None:
        return _mmc(core)
    return Strength(
        kind=Kind.LEADER,
        label=leader[1] + leader[2],
        fp=0,
        range=0,
        morale=int(leader[1]),
        leadership=int(leader[2]),
        armor_leader=leader[3] is not None,
    )


def gun_facts(core: str, ca: int | None) -> GunFacts | None:
    """What a Gun's name tells, or None if it is not written as a Gun's name.

    >>> gun_facts("75L AT PaK 40", 3)
    GunFacts(calibre=75.0, length='L', type='AT', ca=3)
    """
    match = _GUN.fullmatch(core)
    if match is not None:
        return GunFacts(float(match["calibre"]), match["length"], match["type"], ca)
    generic = _GENERIC_GUN.fullmatch(core)
    return None if generic is None else GunFacts(type=generic["type"], ca=ca)


def turn_hint(core: str) -> TurnHint | None:
    """What a turn or Phase counter shows: ``Axis Turn 3 - RtPh``; None if it is none.

    >>> turn_hint("Axis Turn 3 - RtPh")
    TurnHint(group='Axis', turn=3, phase='RtPh')
    """
    match = _TURN.fullmatch(core)
    if match is None:
        return None
    phase = _PHASES.get(match[3].casefold()) if match[3] else None
    return TurnHint(match[1].capitalize(), int(match[2]), phase)
