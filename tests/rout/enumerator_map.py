"""The map of the second solver (enumerator.py): hexes, straight lines of sight, painted terrain.

Shares no code with the program. A hex is a pair (column, y): columns from 0, y in half hexes from
the top edge, so A1 is (0, 1), A2 (0, 3), B0 (1, 0), B1 (1, 2). MF are counted in halves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

Hex = tuple[int, int]

COLUMNS, ROWS = 33, 10
COSTS = {"open": 2, "building": 4, "woods": 4, "brush": 4, "grain": 3, "orchard": 2}  # R19
SMOKE_COST, SMOKE_HINDRANCE = 2, 3
RANGE_OF_MG = {
    ("German", "LMG"): 8,
    ("German", "MMG"): 12,
    ("German", "HMG"): 16,
    ("Russian", "LMG"): 6,
    ("Russian", "MMG"): 10,
    ("Russian", "HMG"): 12,
}
HALF_SQUADS = {"2-4-7", "2-3-7", "2-2-6", "2-4-8"}
CREWS = {"1-2-7", "2-2-8", "2-2-7"}


# -- hexes -------------------------------------------------------------------------------------


def hex_of(name: str) -> Hex:
    """The place of a hex as players write it.

    >>> hex_of("A1"), hex_of("B0"), hex_of("AA10")
    ((0, 1), (1, 0), (26, 19))
    """
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", name).groups()  # type: ignore[union-attr]
    column = ord(letters[0]) - 65 + 26 * (len(letters) - 1)
    return column, 2 * int(row) - (1 if column % 2 == 0 else 0)


def name_of(at: Hex) -> str:
    """The name of a place.

    >>> name_of((26, 19)), name_of((1, 0))
    ('AA10', 'B0')
    """
    column, y = at
    letters = chr(65 + column % 26) * (1 + column // 26)
    return f"{letters}{(y + 1) // 2}"


def on_board(at: Hex) -> bool:
    column, y = at
    if not 0 <= column < COLUMNS:
        return False
    return 1 <= y <= 2 * ROWS - 1 if column % 2 == 0 else 0 <= y <= 2 * ROWS


@cache
def beside(at: Hex) -> tuple[Hex, ...]:
    """The neighbours on the board (R25: off the map is nowhere)."""
    column, y = at
    around = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    return tuple(there for dx, dy in around for there in [(column + dx, y + dy)] if on_board(there))


@cache
def hexes_between(a: Hex, b: Hex) -> int:
    """Range (R44): walk diagonally until the columns agree, then straight."""
    steps, (column, y) = 0, a
    while column != b[0]:
        column += 1 if b[0] > column else -1
        y += 1 if b[1] > y else -1
        steps += 1
    # A diagonal step that overshoots the row is made up by the next one.
    return steps + (abs(b[1] - y) // 2 if abs(b[1] - a[1]) > steps else 0)


# -- lines of sight ----------------------------------------------------------------------------


@cache
def line_meets(a: Hex, b: Hex, middle: Hex) -> bool:
    """Whether the straight line between two centres runs through a third hex or along its side.

    A corner that is only touched does not count. Three columns are nine units wide here, so that
    the corners of a hex are whole numbers: left and right at 2, the others at 1.
    """
    if middle in (a, b):
        return False
    ax, ay, bx, by = 3 * a[0], a[1], 3 * b[0], b[1]
    mx, my = 3 * middle[0], middle[1]
    # In hexes of side 1 a column is 3/2 wide and y counts in units of sqrt(3)/2.
    along = 3 * (b[0] - a[0]) * (middle[0] - a[0]) + (by - ay) * (my - ay)
    whole = 3 * (b[0] - a[0]) ** 2 + (by - ay) ** 2
    if not 0 < along < whole:
        return False
    sides = []
    for cx, cy in ((-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1)):
        turn = (bx - ax) * (my + cy - ay) - (by - ay) * (mx + cx - ax)
        sides.append((turn > 0) - (turn < 0))
    if 1 in sides and -1 in sides:
        return True
    return sides.count(0) == 2


# -- the position ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Man:
    """A unit, from a line such as ``4-6-7 F5 broken dm with MMG``, an own id before it or not."""

    number: int
    id: str
    nation: str
    name: str
    at: Hex
    flags: frozenset[str]
    weapons: tuple[str, ...]

    @cached_property
    def is_leader(self) -> bool:
        return not re.fullmatch(r"\d+-\d+-\d+", self.name)

    @property
    def broken(self) -> bool:
        return "broken" in self.flags

    @cached_property
    def squads(self) -> float:
        """Squad-equivalents (R47)."""
        if self.is_leader:
            return 0
        return 0.5 if self.name in HALF_SQUADS | CREWS else 1


@dataclass
class Map:
    """Painted hexes."""

    terrain: dict[Hex, str] = field(default_factory=dict)
    smoke: set[Hex] = field(default_factory=set)
    wrecks: set[Hex] = field(default_factory=set)
    building: dict[Hex, int] = field(default_factory=dict)

    def word(self, at: Hex) -> str:
        return self.terrain.get(at, "open")

    def shelter(self, at: Hex) -> bool:
        """R26."""
        return self.word(at) in ("building", "woods")

    def cost(self, to: Hex) -> int:
        """R19."""
        return COSTS[self.word(to)] + (SMOKE_COST if to in self.smoke else 0)

    def hinders(self, at: Hex) -> int:
        standing = self.word(at) in ("grain", "brush", "orchard") or at in self.wrecks
        return int(standing) + (SMOKE_HINDRANCE if at in self.smoke else 0)

    @cached_property
    def obstacles(self) -> tuple[Hex, ...]:
        return tuple(sorted({*self.terrain, *self.smoke, *self.wrecks}))

    def look(self, a: Hex, b: Hex) -> tuple[bool, int]:
        """Whether the LOS is clear, and its Hindrance (R79)."""
        worst: dict[int, int] = {}
        for middle in self.obstacles:
            if not line_meets(a, b, middle):
                continue
            if self.shelter(middle):
                return False, 0
            away = hexes_between(a, middle)
            worst[away] = max(worst.get(away, 0), self.hinders(middle))
        total = sum(worst.values())
        return total < 6, total


def read_map(data: Mapping[str, Any]) -> Map:
    """The painted hexes of a position; later lines win."""
    found = Map()
    grain_stands = data.get("month") in (6, 7, 8, 9)
    number = 0
    for word, names in data.get("terrain", {}).items():
        for at in map(hex_of, names):
            if word == "smoke":
                found.smoke.add(at)
            elif word == "wreck":
                found.wrecks.add(at)
            else:
                found.terrain[at] = word
    for at, word in list(found.terrain.items()):
        if word in ("road", "open") or (word == "grain" and not grain_stands):
            del found.terrain[at]
        elif word == "building":
            number += 1
            found.building[at] = number
    for group in data.get("buildings", []):
        number += 1
        for at in map(hex_of, group):
            found.terrain[at] = "building"
            found.building[at] = number
    return found


def read_men(data: Mapping[str, Any]) -> list[Man]:
    """The units of a position, in order."""
    men = []
    for nation, lines in data["units"].items():
        for line in lines:
            body, _, weapons = line.partition(" with ")
            words = body.split()
            own_id = "" if re.fullmatch(r"\d+-\d+-\d+|\d+[-+]\d", words[0]) else words.pop(0)
            name, at, *flags = words
            men.append(
                Man(
                    len(men),
                    own_id or at,
                    nation,
                    name,
                    hex_of(at),
                    frozenset(flags),
                    tuple(weapon.strip() for weapon in weapons.split(",") if weapon.strip()),
                )
            )
    return men
