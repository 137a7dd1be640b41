"""Telling units of one name in one hex apart, by the number that their ids have within the hex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


class Standing(Protocol):
    """A unit of the rules or of a report: what is read of it here."""

    @property
    def id(self) -> str:
        """Its id (contracts.md 2)."""

    @property
    def name(self) -> str:
        """Its factors."""

    @property
    def hex(self) -> str:
        """Where it stands."""


def numbered(unit_id: str, hex_: str) -> str:
    """Where a unit stands, with what tells it from others there: its number, or its own word.

    Ids are those of contracts.md 2; a side before the id is left out.

    >>> numbered("zO6/2", "zO6"), numbered("German:zO6/2", "zO6"), numbered("zO6", "zO6")
    ('zO6/2', 'zO6/2', 'zO6')
    >>> numbered("hero", "zO6")
    'zO6/hero'
    """
    name = unit_id.rpartition(":")[2]
    if name == hex_ or name.startswith(f"{hex_}/"):
        return name
    return f"{hex_}/{name}"


@dataclass(frozen=True, slots=True)
class _Named:
    """A unit with just what tells it from others."""

    id: str
    name: str
    hex: str


def places_at_start(
    units: Iterable[tuple[str, str | None, str, str]],
) -> dict[tuple[str, str], str]:
    """Where the units of an audited phase set out or failed, by piece and hex; see `places_of`.

    Args:
        units: (piece, its id when the phase began or None, its factors, its hex) of each.
    """
    found = {(piece, hex_): _Named(id_ or hex_, name, hex_) for piece, id_, name, hex_ in units}
    stand = places_of(found.values())
    return {key: stand[unit.id] for key, unit in found.items()}


def places_of(units: Iterable[Standing]) -> dict[str, str]:
    """Where each unit stands, by id: the hex, with its number where others there look the same.

    >>> from types import SimpleNamespace as Unit
    >>> places_of([Unit(id=f"zO6/{n}", name=name, hex="zO6")
    ...            for n, name in enumerate(("4-4-7", "7-0", "4-4-7"), 1)])
    {'zO6/1': 'zO6/1', 'zO6/2': 'zO6', 'zO6/3': 'zO6/3'}
    """
    listed = list({unit.id: unit for unit in units}.values())
    count = Counter((unit.name, unit.hex) for unit in listed)
    return {
        unit.id: numbered(unit.id, unit.hex) if count[unit.name, unit.hex] > 1 else unit.hex
        for unit in listed
    }
