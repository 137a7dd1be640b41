"""Position files: a situation typed by a person (contracts.md 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vassal_bridge.bridge.units import distinct, leader_as_he_is, not_too_many
from vassal_bridge.bridge.yamlfile import Node, read_yaml
from vassal_bridge.errors import LimitReached, PositionError, UsageError, VassalBridgeError
from vassal_bridge.limits import MAX_UNITS
from vassal_bridge.rout import (
    Edition,
    Kind,
    Position,
    Readings,
    Rules,
    Unit,
    Weapon,
    WeaponKind,
)

if TYPE_CHECKING:
    from vassal_bridge.board import BoardGround, BoardLibrary, BoardPlacement
    from vassal_bridge.bridge.model import Options

KEYS = frozenset(
    {"boards", "edition", "month", "attacker", "terrain", "buildings", "units", "sides"}
)
FLAGS = ("broken", "dm", "pinned", "cx", "melee", "wounded", "concealed", "hip")
PAINTS = ("woods", "building", "brush", "grain", "orchard", "road", "smoke", "wreck", "open")
_FACTORS = re.compile(r"^(\d+-\d+-\d+|\d+[-+]\d)$")
_ALIASES = {"SS": "German", "Waffen-SS": "German"}


@dataclass(frozen=True, slots=True)
class TypedUnit:
    """One line of `units`, still without a ground.

    Attributes:
        side: as the file groups it.
        own_id: the word before the factors, if any.
        factors: ``4-6-7``.
        hex: as typed.
        flags: state words.
        weapons: names behind ``with``.
        line: where it stands.
    """

    side: str
    own_id: str | None
    factors: str
    hex: Node
    flags: frozenset[str]
    weapons: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class PositionFile:
    """A position file as typed, checked for words but not yet for hexes.

    Attributes:
        rows: board rows from top to bottom, each from left to right: ``z``, ``z reversed``.
        painted: pairs (terrain word, hex node), in order; later ones win.
        buildings: groups of hexes that are one building each.
        sides: nationality to side, where the file names sides.
        said: the keys that stand in the file; the rest is assumed.
    """

    rows: tuple[tuple[str, ...], ...]
    edition: Edition
    month: int | None
    attacker: str
    painted: tuple[tuple[str, Node], ...]
    buildings: tuple[tuple[Node, ...], ...]
    units: tuple[TypedUnit, ...]
    sides: Mapping[str, str]
    said: frozenset[str] = frozenset()


def read_position_file(path: Path) -> PositionFile:
    """Read a `*.rout.yaml` file.

    Raises:
        PositionError: unknown keys, flags or factors; the error names the line.
        FileError: the file cannot be read.
    """
    try:
        node = read_yaml(path)
        if isinstance(node.value, dict) and {"position", "questions"} <= set(node.value):
            raise PositionError(f"a ruling file: run it with `vassal-bridge rulings {path.name}`")
        return parse_position(node)
    except VassalBridgeError as error:
        raise error.at(file=path) from None


def parse_position(node: Node) -> PositionFile:
    """Read the `position` mapping of contracts.md 2."""
    top = node.mapping("position", KEYS)
    if "boards" not in top or "units" not in top:
        raise node.error("a position needs boards and units")
    units = _units(top["units"])
    attacker = top["attacker"].text("attacker") if "attacker" in top else None
    names = tuple(dict.fromkeys(unit.side for unit in units))
    sides = _sides(top.get("sides"), names)
    side_names = [_side(name, sides) for name in names]
    if attacker is not None:
        attacker = _side(attacker, sides)
        if attacker not in side_names:
            raise top["attacker"].error(f"attacker {attacker!r} has no units")
    return PositionFile(
        rows=_rows(top["boards"]),
        edition=_edition(top.get("edition")),
        month=_month(top.get("month")),
        attacker=attacker or (side_names[0] if side_names else ""),
        painted=_painted(top.get("terrain")),
        buildings=_buildings(top.get("buildings")),
        units=units,
        sides=sides,
        said=frozenset(top),
    )


def with_options(file: PositionFile, options: Options) -> PositionFile:
    """A position file under a user's options: they fill in what it leaves open.

    Those of `Options.over_file` go before what the file says itself.

    Raises:
        UsageError: the ATTACKER chosen has no units.
    """

    def counts(name: str) -> bool:
        return name in options.over_file or name not in file.said

    if options.edition is not None and counts("edition"):
        file = replace(file, edition=options.edition, said=file.said | {"edition"})
    if options.month is not None and counts("month"):
        file = replace(file, month=options.month)
    if options.attacker is not None and counts("attacker"):
        file = replace(file, attacker=_side_called(options.attacker, file))
    return file


def _side_called(name: str, file: PositionFile) -> str:
    """The side a person means: a side, a nationality of it, or its group, in any case of letters.

    Raises:
        UsageError: no side of the file is called so.
    """
    from vassal_bridge.counters.maps import counter_maps

    usual = counter_maps().usual_side
    called: dict[str, str] = {}
    for nationality in dict.fromkeys(unit.side for unit in file.units):
        side = _side(nationality, file.sides)
        group = usual.get(_ALIASES.get(nationality, nationality))
        if group is not None:
            called.setdefault(group.casefold(), side)  # of two in one group the first wins
    for unit in file.units:
        side = _side(unit.side, file.sides)
        called |= {unit.side.casefold(): side, side.casefold(): side}
    found = called.get(name.strip().casefold())
    if found is None:
        there = ", ".join(dict.fromkeys(_side(unit.side, file.sides) for unit in file.units))
        raise UsageError(f"--attacker {name}: this game has {there or 'no units'}")
    return found


def _side(nationality: str, sides: Mapping[str, str]) -> str:
    """The side of a nationality; SS counts as German (contracts.md 1)."""
    return sides.get(nationality, _ALIASES.get(nationality, nationality))


def _rows(node: Node) -> tuple[tuple[str, ...], ...]:
    rows = tuple(
        tuple(cell.text("board name") for cell in row.sequence("a row of boards"))
        for row in node.sequence("boards")
    )
    if not rows or not all(rows):
        raise node.error("boards must be rows of board names, like [[z]]")
    return rows


def _edition(node: Node | None) -> Edition:
    if node is None:
        return Edition.SK3
    try:
        return Edition(node.text("edition"))
    except ValueError:
        raise node.error(f"edition {node.value!r}: sk1, sk2, sk3 or sk4") from None


def _month(node: Node | None) -> int | None:
    if node is None or node.value is None:
        return None
    if isinstance(node.value, bool) or not isinstance(node.value, int):
        raise node.error("month must be 1 to 12")
    if not 1 <= node.value <= 12:
        raise node.error(f"month {node.value}: 1 to 12")
    return node.value


def _sides(node: Node | None, names: Sequence[str]) -> dict[str, str]:
    """Which nationalities fight on one side: `sides: {Allied: [American, British]}`."""
    if node is None:
        return {}
    if not isinstance(node.value, dict):
        raise node.error("sides must map a side to its nationalities")
    found: dict[str, str] = {}
    for side, members in node.value.items():
        for member in members.sequence(f"sides: {side}"):
            nationality = member.text("nationality")
            if nationality not in names:
                raise member.error(f"{nationality!r} has no units")
            found[nationality] = side
    return found


def _painted(node: Node | None) -> tuple[tuple[str, Node], ...]:
    if node is None:
        return ()
    painted = []
    for word, hexes in node.mapping("terrain", frozenset(PAINTS)).items():
        for hex_ in hexes.sequence(f"terrain: {word}"):
            hex_.text("hex")
            painted.append((word, hex_))
    return tuple(painted)


def _buildings(node: Node | None) -> tuple[tuple[Node, ...], ...]:
    if node is None:
        return ()
    return tuple(tuple(group.sequence("a building")) for group in node.sequence("buildings"))


def _units(node: Node) -> tuple[TypedUnit, ...]:
    if not isinstance(node.value, dict):
        raise node.error("units must be grouped by side")
    units: list[TypedUnit] = []
    for side, lines in node.value.items():
        units += [_unit(side, line) for line in lines.sequence(f"units: {side}")]
    ids = [unit.own_id for unit in units if unit.own_id]
    for unit in units:
        if unit.own_id and ids.count(unit.own_id) > 1:
            raise Node(unit.own_id, unit.line).error(f"id {unit.own_id!r} stands twice")
    return tuple(units)


def _unit(side: str, node: Node) -> TypedUnit:
    text = node.text("a unit")
    body, _, equipment = text.partition(" with ")
    words = body.split()
    own_id = None
    if words and not _FACTORS.match(words[0]):
        own_id = words.pop(0)
    if len(words) < 2 or not _FACTORS.match(words[0]):
        raise node.error(f"unit {text!r}: write factors, hex, flags, like `4-6-7 zO5 broken dm`")
    factors, hex_, *flags = words
    for flag in flags:
        if flag not in FLAGS:
            raise node.error(f"unknown flag {flag!r}; known: {' '.join(FLAGS)}")
    weapons = tuple(name.strip() for name in equipment.split(",") if name.strip())
    return TypedUnit(
        side, own_id, factors, Node(hex_, node.line), frozenset(flags), weapons, node.line
    )


def board_placements(file: PositionFile) -> tuple[BoardPlacement, ...]:
    """The boards of a position file as placements."""
    from vassal_bridge.board import placements_from_rows

    return placements_from_rows(file.rows)


def build_position(
    file: PositionFile, library: BoardLibrary, readings: Readings | None = None
) -> tuple[Position, BoardGround]:
    """Put a position file on its boards.

    Raises:
        PositionError: a hex or a factor that does not exist; names the line.
        BoardError: a board is missing or damaged.
        LimitReached: more units than can be judged.
    """
    from vassal_bridge.board import build_ground

    if len(file.units) > MAX_UNITS:
        raise LimitReached(f"{len(file.units)} units, limit {MAX_UNITS}")
    placements = board_placements(file)
    bare = build_ground(placements, library, month=file.month)
    ground = bare
    if file.painted or file.buildings:
        ground = build_ground(
            placements,
            library,
            month=file.month,
            painted=[(word, _hex(bare, node)) for word, node in file.painted],
            buildings=[[_hex(bare, node) for node in group] for group in file.buildings],
        )
    units = _with_ids([_on_ground(unit, ground, file.sides) for unit in file.units], file.units)
    seen = distinct(unit for unit, typed in units if not typed.flags & {"hip", "concealed"})
    concealed = frozenset(
        (unit.side, unit.hex) for unit, typed in units if "concealed" in typed.flags
    )
    not_too_many(seen)
    rules = Rules(file.edition, file.month, readings or Readings())
    return Position(ground, seen, file.attacker, rules, concealed), ground


def _hex(ground: BoardGround, node: Node) -> str:
    try:
        return ground.canonical_hex(node.text("hex"))
    except VassalBridgeError as error:
        raise node.error(error.message) from None


def _on_ground(typed: TypedUnit, ground: BoardGround, sides: Mapping[str, str]) -> Unit:
    from vassal_bridge.counters import broken_morale, half_broken_morale, unit_kind, weapon_facts

    nationality = _ALIASES.get(typed.side, typed.side)
    kind = unit_kind(nationality, typed.factors)
    here = Node(typed.factors, typed.line)
    if kind is None:
        raise here.error(f"{typed.factors!r} is no unit of the {nationality} side")
    weapons = []
    for name in typed.weapons:
        facts = weapon_facts(nationality, name)
        if facts is None:
            raise here.error(f"unknown support weapon {name!r}")
        weapons.append(
            Weapon(
                facts.name,
                WeaponKind(facts.kind),
                facts.fp,
                facts.range,
                facts.min_range,
                facts.pp,
            )
        )
    numbers = [int(number) for number in re.findall(r"\d+", typed.factors)]
    leader = kind == "leader"
    broken = broken_morale(nationality, kind, typed.factors)
    leadership = None
    if leader:
        broken, leadership = leader_as_he_is(
            nationality, broken, _leadership(typed.factors), wounded="wounded" in typed.flags
        )
    return Unit(
        id="",
        side=_side(typed.side, sides),
        hex=_hex(ground, typed.hex),
        kind=Kind(kind),
        name=typed.factors,
        nationality=nationality,
        fp=0 if leader else numbers[0],
        range=0 if leader else numbers[1],
        morale=numbers[0] if leader else numbers[2],
        broken_morale=broken,
        half_broken_morale=half_broken_morale(nationality, typed.factors),
        leadership=leadership,
        broken="broken" in typed.flags,
        dm="dm" in typed.flags,
        pinned="pinned" in typed.flags,
        cx="cx" in typed.flags,
        melee="melee" in typed.flags,
        wounded="wounded" in typed.flags,
        concealed="concealed" in typed.flags,
        weapons=tuple(weapons),
    )


def _leadership(factors: str) -> int:
    """The modifier printed behind the morale.

    >>> _leadership("9-1"), _leadership("6+1")
    (-1, 1)
    """
    sign = -1 if "-" in factors else 1
    return sign * int(re.split(r"[-+]", factors)[1])


def _with_ids(units: Sequence[Unit], typed: Sequence[TypedUnit]) -> list[tuple[Unit, TypedUnit]]:
    """Give ids: own word, else the hex, else hex/n counted within the side (contracts.md 2)."""
    found = []
    for unit, line in zip(units, typed, strict=True):
        mates = [other for other in units if (other.hex, other.side) == (unit.hex, unit.side)]
        number = next(n for n, other in enumerate(mates, 1) if other is unit)
        id_ = line.own_id or (unit.hex if len(mates) == 1 else f"{unit.hex}/{number}")
        found.append((replace(unit, id=id_), line))
    return found
