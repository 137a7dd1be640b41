"""Dice lines of the chat (formats/files.md 10)."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MODERN = re.compile(
    r"^\*\*\*\s*\((?P<name>[^()]{1,40}?)\s+(?P<kind>DR|dr)\)\s*(?P<dice>\d(?:,\d){0,3})\s*\*\*\*"
)
_OLD = re.compile(r"^\*\*\*\s*(?P<kind>DR|dr)\s*=\s*(?P<dice>\d(?:,\d)?)\s*\*\*\*")
_CHECKS = frozenset({"MC", "NMC"})
_TALKED = frozenset({"OTHER", "", "RALLY", "TC", "RS"})


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll.

    Attributes:
        step: log step.
        name: its category: ``MC``, ``Rally``, ``IFT``, ``Other``; "" in old VASL.
        dice: one die (dr) or two (DR), coloured first.
    """

    step: int
    name: str
    dice: tuple[int, ...]

    @property
    def pair(self) -> bool:
        """Two dice: a DR."""
        return len(self.dice) == 2

    @property
    def total(self) -> int:
        """Sum of the dice."""
        return sum(self.dice)

    @property
    def is_check(self) -> bool:
        """Rolled with the button for Morale Checks."""
        return self.pair and self.name.upper() in _CHECKS

    @property
    def may_be_check(self) -> bool:
        """Rolled with a button that players also use for checks: the purpose is not told."""
        return self.pair and self.name.upper() in _TALKED


def read_roll(step: int, line: str) -> Roll | None:
    """A chat line as a roll, or None if it is none.

    >>> read_roll(8, "*** (MC DR) 5,4 ***   <hans>      [2 / 17   avg   7.00]").total
    9
    >>> read_roll(8, "*** DR = 2,3 *** <Bob>").dice
    (2, 3)
    """
    match = _MODERN.match(line)
    name = ""
    if match is not None:
        name = match.group("name").strip()
    else:
        match = _OLD.match(line)
        if match is None:
            return None
    dice = tuple(int(die) for die in match.group("dice").split(","))
    dice = dice[:2] if match.group("kind") == "DR" else dice[:1]  # a third one is dust
    return Roll(step, name, dice)
