"""Small positions on the built-in open board, random and typed, as data of a position file."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.rout.enumerator_map import Hex, beside, hexes_between, name_of, on_board
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge.positions import build_position, parse_position
from vassal_bridge.bridge.yamlfile import Node
from vassal_bridge.rout import Edition, Position, Readings

Data = dict[str, Any]
WORDS = ("woods", "woods", "woods", "building", "building", "brush", "grain", "orchard")
GERMANS = ("4-6-7", "4-6-7", "4-6-7", "2-4-7", "9-1", "8-0")
RUSSIANS = ("4-4-7", "4-4-7", "4-4-7", "2-3-7", "8-0", "7-0")


def node(value: Any, line: int = 1) -> Node:
    """Plain data as a YAML node."""
    if isinstance(value, dict):
        return Node({str(key): node(child) for key, child in value.items()}, line)
    if isinstance(value, (list, tuple)):
        return Node([node(child) for child in value], line)
    return Node(value, line)


def make(data: Data, readings: Readings | None = None) -> Position:
    """The position that data of a position file on the open board describe."""
    return build_position(parse_position(node(data)), BoardLibrary([]), readings)[0]


def typed(
    german: str = "",
    russian: str = "",
    *,
    readings: Readings | None = None,
    edition: str | None = None,
    month: int | None = None,
    attacker: str | None = None,
    buildings: list[list[str]] | None = None,
    **terrain: str,
) -> Position:
    """A position on the open board, written briefly.

    Units stand between semicolons, hexes of terrain between spaces:
    ``typed("4-6-7 F5; 9-1 F5", "4-4-7 F8 broken dm", woods="F9 G9")``.
    """
    data: Data = {"boards": [["open"]]}
    if attacker is not None:
        data["attacker"] = attacker
    if month is not None:
        data["month"] = month
    if edition is not None:
        data["edition"] = Edition(edition).value
    if buildings:
        data["buildings"] = buildings
    if terrain:
        data["terrain"] = {word: hexes.split() for word, hexes in terrain.items()}
    sides = {"German": german, "Russian": russian}
    data["units"] = {
        side: [line.strip() for line in text.split(";")] for side, text in sides.items() if text
    }
    return make(data, readings)


# -- random positions ----------------------------------------------------------------------------


def random_data(random: Random) -> Data:
    """A small crowded position: a few hexes around one, half of them painted."""
    centre = random.choice([(random.randrange(2, 12), 0), (random.randrange(0, 3), 0)])
    middle = (centre[0], random.randrange(3, 18))
    middle = middle if (middle[0] + middle[1]) % 2 else (middle[0], middle[1] + 1)
    radius = random.choice((4, 5, 6))
    area = _disc(middle, radius)
    data: Data = {
        "boards": [["open"]],
        "month": random.choice((7, 7, 2)),
        "attacker": random.choice(("German", "Russian")),
        "terrain": _terrain(random, area),
        "buildings": _buildings(random, area),
    }
    near = [at for at in area if hexes_between(at, middle) <= 3]
    data["units"] = _units(random, area, near)
    return data


def _disc(middle: Hex, radius: int) -> list[Hex]:
    return [
        (column, y)
        for column in range(middle[0] - radius, middle[0] + radius + 1)
        for y in range(middle[1] - 2 * radius, middle[1] + 2 * radius + 1)
        if (column + y) % 2
        and on_board((column, y))
        and hexes_between((column, y), middle) <= radius
    ]


def _terrain(random: Random, area: list[Hex]) -> dict[str, list[str]]:
    share = random.choice((0.1, 0.2, 0.3, 0.45))
    found: dict[str, list[str]] = {}
    for at in area:
        if random.random() < share:
            found.setdefault(random.choice(WORDS), []).append(name_of(at))
    for word in ("smoke", "wreck"):
        if random.random() < 0.3:
            found[word] = [name_of(at) for at in random.sample(area, random.choice((1, 2)))]
    return found


def _buildings(random: Random, area: list[Hex]) -> list[list[str]]:
    groups, taken = [], set[Hex]()
    for _ in range(random.choice((0, 0, 1, 2))):
        group = [random.choice(area)]
        while len(group) < 3 and random.random() < 0.7:
            group.append(random.choice(beside(random.choice(group))))
        if not taken & set(group):
            groups.append([name_of(at) for at in dict.fromkeys(group)])
            taken |= set(group)
    return groups


def _units(random: Random, area: list[Hex], near: list[Hex]) -> dict[str, list[str]]:
    routing = random.choice(("German", "Russian"))
    found: dict[str, list[str]] = {"German": [], "Russian": []}
    broken_at = []
    for _ in range(random.choice((1, 1, 2))):
        at = random.choice(near)
        broken_at.append(at)
        name = random.choice(GERMANS if routing == "German" else RUSSIANS)
        flags = " broken" + (" dm" if random.random() < 0.8 else "")
        if "-" in name and len(name) == 3 and random.random() < 0.4:
            flags += " wounded"
        if random.random() < 0.04:
            flags += " melee"
        found[routing].append(f"{name} {name_of(at)}{flags}")
    other = "Russian" if routing == "German" else "German"
    for _ in range(random.choice((1, 2, 2, 3, 4, 5))):
        at = random.choice(area if random.random() < 0.7 else near)
        if at in broken_at and random.random() < 0.85:
            at = random.choice(area)
        found[other].append(_enemy(random, other, at))
    for _ in range(random.choice((0, 0, 1, 2))):
        at = random.choice(near)
        name = random.choice(GERMANS if routing == "German" else RUSSIANS)
        many = random.choice((1, 3, 3, 4))
        found[routing] += [f"{name} {name_of(at)}"] * many
    return found


def _enemy(random: Random, nation: str, at: Hex) -> str:
    names = GERMANS if nation == "German" else RUSSIANS
    line = f"{random.choice(names)} {name_of(at)}"
    for flag, share in (("broken", 0.25), ("pinned", 0.1), ("cx", 0.1), ("melee", 0.06)):
        if random.random() < share:
            line += f" {flag}"
    if "broken" in line and random.random() < 0.7:
        line += " dm"
    if "broken" not in line and random.random() < 0.25:
        line += f" with {random.choice(('LMG', 'MMG'))}"
    return line


def random_path(random: Random, start: Hex) -> list[Hex]:
    """A short walk that does not know the rules."""
    path = []
    at = start
    for _ in range(random.choice((1, 2, 2, 3, 3, 4))):
        at = random.choice(beside(at))
        path.append(at)
    return path
