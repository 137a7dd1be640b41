"""Infantry and weapons by what players write: ``4-6-7``, ``9-1``, ``MMG`` (contracts.md 1, 2).

A position file names units by nationality and factors only, without a counter whose picture could
be asked. The tables are those of the module (module_maps/counters-infantry.toml, weapons.toml).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from vassal_bridge.counters.maps import CounterMaps, counter_maps
from vassal_bridge.counters.model import MMC, Kind
from vassal_bridge.counters.weapons import weapon_data, weapon_kind

_MMC = re.compile(r"\d{1,2}-\d{1,2}-\d{1,2}")
_LEADER = re.compile(r"(\d{1,2})[-+]\d")
_HEROES = frozenset({"1-4-9", "1-3-8"})
_ORDER = (Kind.CREW, Kind.HALF_SQUAD, Kind.SQUAD)
"""Factors that two kinds of one nation share are taken as the smaller unit."""

Table = Mapping[Kind, Mapping[str, tuple[int, str | None]]]


@dataclass(frozen=True, slots=True)
class WeaponFacts:
    """Printed factors of a support weapon.

    Attributes:
        name: as players write it.
        kind: class for the rules: ``mg mortar atr shaped-charge ordnance flamethrower demolition
            other``.
        fp, range, min_range: 0 where nothing is printed.
        pp: portage points, None if unknown.
    """

    name: str
    kind: str
    fp: int = 0
    range: int = 0
    min_range: int = 0
    pp: int | None = None


def _codes(maps: CounterMaps, nationality: str) -> list[str]:
    """VASL's codes of a nationality; German has two, its own and the SS."""
    return [code for code, name in maps.nations.items() if name == nationality]


def _tables(nationality: str) -> Iterator[Table]:
    """The nationality's own tables first, then all others."""
    maps = counter_maps()
    own = _codes(maps, nationality)
    yield from (maps.infantry[code] for code in own if code in maps.infantry)
    yield from (table for code, table in maps.infantry.items() if code not in own)


@lru_cache(maxsize=1024)
def unit_kind(nationality: str, factors: str) -> str | None:
    """``squad``, ``half-squad``, ``crew``, ``leader``, ``hero`` by factors; None if none has them.

    A nationality's own counters decide; factors it does not have are looked up in the others'.

    >>> unit_kind("German", "4-6-7"), unit_kind("German", "2-4-7"), unit_kind("Russian", "6+1")
    ('squad', 'half-squad', 'leader')
    """
    if _LEADER.fullmatch(factors):
        return Kind.LEADER.value
    if factors in _HEROES:
        return Kind.HERO.value
    if not _MMC.fullmatch(factors):
        return None
    for table in _tables(nationality):
        for kind in _ORDER:
            if factors in table[kind]:
                return kind.value
    return None


@lru_cache(maxsize=1024)
def broken_morale(nationality: str, kind: str, factors: str) -> int | None:
    """Morale on the broken side; a leader's is his own; None for heroes and where unknown.

    >>> broken_morale("Russian", "squad", "4-4-7"), broken_morale("German", "leader", "9-1")
    (7, 9)
    """
    leader = _LEADER.fullmatch(factors)
    if kind == Kind.LEADER:
        return None if leader is None else int(leader[1])
    if kind not in MMC:
        return None
    for table in _tables(nationality):
        found = table[Kind(kind)].get(factors)
        if found is not None:
            return found[0] or None
    return None


@lru_cache(maxsize=1024)
def half_squad_of(nationality: str, factors: str) -> str | None:
    """The half-squad a squad is reduced to (R67), None if the tables name none.

    >>> half_squad_of("German", "4-6-7")
    '2-4-7'
    """
    for table in _tables(nationality):
        found = table[Kind.SQUAD].get(factors)
        if found is not None:
            return found[1]
    return None


def half_broken_morale(nationality: str, factors: str) -> int | None:
    """Broken morale of the half-squad of a squad, None if unknown.

    >>> half_broken_morale("German", "4-6-7")
    6
    """
    half = half_squad_of(nationality, factors)
    return None if half is None else broken_morale(nationality, Kind.HALF_SQUAD.value, half)


@lru_cache(maxsize=1024)
def weapon_facts(nationality: str, name: str) -> WeaponFacts | None:
    """A support weapon by nationality and name as players write it; None if it is none.

    >>> weapon_facts("German", "MMG")
    WeaponFacts(name='MMG', kind='mg', fp=5, range=12, min_range=0, pp=3)
    """
    written = " ".join(name.split()).replace(" (", "(")
    kind = weapon_kind(written)
    if kind is None:
        return None
    codes = _codes(counter_maps(), nationality)
    data = weapon_data(codes[0] if codes else "", written)
    if data is None:
        return WeaponFacts(written, kind)
    face = data.face
    return WeaponFacts(written, kind, face.fp or 0, face.range or 0, face.min_range or 0, face.pp)
