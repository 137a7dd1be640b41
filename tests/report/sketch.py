"""A small ground of our own for the tests of the reports: the village of the rule book's example.

Terrain as rules/rout-rules.md 0.1 lists it; a LOS is blocked when it passes through a building or
woods between its ends, a disc about the centre of the hex (sampled along the straight line). Only
the writers are tested with it, never the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vassal_bridge.report.picture import CounterShape, HexShape, MapPicture, Tile
from vassal_bridge.rout.position import Cover, Hex, Kind, Position, Unit
from vassal_bridge.rout.rulebook import Fact, Rules

COLUMNS, ROWS = 33, 10
BULK = 15.0  # half the width of a building, in pixels
WIDTH, HEIGHT = 56.25, 64.5

BUILDINGS = (
    ("L5", "L6", "L7", "M6", "M7"), ("M8", "M9"), ("O6", "O7"), ("K9", "L8"), ("M5",), ("O5",),
    ("O8",), ("P5",), ("P6",), ("P7",), ("P8",), ("K5",), ("J5",),
)  # fmt: skip
WOODS = ("L10", "N9", "N10", "O10", "J10")
ROADS = ("N4", "N5", "N6", "N7", "N8", "O9", "P9", "M4", "L4", "O4", "P4", "Q4", "Q5", "Q6", "Q7")


def letters(column: int) -> str:
    return chr(65 + column) if column < 26 else 2 * chr(65 + column - 26)


@dataclass(frozen=True)
class SketchTerrain:
    name: str = "open"
    shelter: str | None = None
    cover: Cover = Cover.OPEN
    level: int = 0
    building: int | None = None
    smoke: int = 0
    wreck: bool = False
    understood: bool = True


@dataclass(frozen=True)
class SketchEntry:
    mf2: int
    woods_mf2: int | None = None
    by_road: bool = False
    uphill: bool = False

    @property
    def smoke_doubled_mf2(self) -> int:
        return self.mf2


@dataclass(frozen=True)
class SketchSight:
    clear: bool
    hindrance: int = 0
    enters_by: tuple[int, ...] = (0,)
    over_woods: bool = False
    over_orchard: bool = False
    crosses_wall: bool = False


class SketchGround:
    """33 by 10 hexes named like board z."""

    def __init__(self, board: str = "z") -> None:
        self.board = board
        self._where: dict[Hex, tuple[int, int]] = {}
        for column in range(COLUMNS):
            first = 1 if column % 2 == 0 else 0
            for row in range(first, ROWS + 1):
                self._where[f"{board}{letters(column)}{row}"] = (column, row)
        self._name = {place: name for name, place in self._where.items()}
        self._terrain = {
            f"{board}{hex_}": SketchTerrain("building", "building", Cover.COVERED, building=number)
            for number, group in enumerate(BUILDINGS)
            for hex_ in group
        }
        for hex_ in WOODS:
            self._terrain[board + hex_] = SketchTerrain("woods", "woods", Cover.COVERED)
        for hex_ in ROADS:
            self._terrain[board + hex_] = SketchTerrain("road")

    def hexes(self) -> Sequence[Hex]:
        return tuple(self._where)

    def centre(self, at: Hex) -> tuple[float, float]:
        column, row = self._where[at]
        return column * WIDTH, (row - 0.5) * HEIGHT if column % 2 == 0 else row * HEIGHT

    def neighbours(self, at: Hex) -> tuple[Hex | None, ...]:
        column, row = self._where[at]
        up = row - 1 if column % 2 == 0 else row
        places = (
            (column, row - 1), (column + 1, up), (column + 1, up + 1),
            (column, row + 1), (column - 1, up + 1), (column - 1, up),
        )  # fmt: skip
        return tuple(self._name.get(place) for place in places)

    def distance(self, a: Hex, b: Hex) -> int:
        (xa, ya), (xb, yb) = self.centre(a), self.centre(b)
        dx, dy = abs(xa - xb) / WIDTH, abs(ya - yb) / HEIGHT
        return round(dx + max(0.0, dy - dx / 2))

    def terrain(self, at: Hex) -> SketchTerrain:
        return self._terrain.get(at, SketchTerrain())

    def entry(self, start: Hex, to: Hex) -> SketchEntry:
        del start
        return SketchEntry(4 if self.terrain(to).shelter else 2)

    @cached_property
    def _sights(self) -> dict[tuple[Hex, Hex], SketchSight]:
        return {}

    all_clear = True

    def unclear_between(self, viewer: Hex, target: Hex) -> Hex | None:
        del viewer, target
        return None

    def sight(self, viewer: Hex, target: Hex) -> SketchSight:
        found = self._sights.get((viewer, target))
        if found is None:
            found = self._sights[viewer, target] = SketchSight(self._clear(viewer, target))
        return found

    def _clear(self, viewer: Hex, target: Hex) -> bool:
        (xa, ya), (xb, yb) = self.centre(viewer), self.centre(target)
        steps = 12 * max(1, self.distance(viewer, target))
        for n in range(1, steps):
            x, y = xa + (xb - xa) * n / steps, ya + (yb - ya) * n / steps
            at = self.hex_at(x, y)
            if at in (viewer, target, None) or not self.terrain(str(at)).shelter:
                continue
            cx, cy = self.centre(str(at))
            if (x - cx) ** 2 + (y - cy) ** 2 < BULK**2:
                return False
        return True

    def hex_at(self, x: float, y: float) -> Hex | None:
        guess = round(x / WIDTH)
        near = [
            (abs(x - cx) ** 2 + abs(y - cy) ** 2, name)
            for column in (guess - 1, guess, guess + 1)
            for row in range(ROWS + 1)
            if (name := self._name.get((column, row)))
            for cx, cy in (self.centre(name),)
        ]
        return min(near)[1] if near else None


@dataclass(frozen=True)
class SketchSource:
    file: str = "village.vsav"
    kind: str = "vsav"
    module: str | None = "VASL"
    module_version: str | None = "6.5-beta3"
    vassal_version: str | None = "3.2.17"


@dataclass(frozen=True)
class SketchBoard:
    name: str = "z"
    row: int = 0
    column: int = 0
    reversed: bool = False
    crop: tuple[int, int, int, int] | None = None
    version: str | None = "6.2"
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class SketchNote:
    code: str
    text: str = ""
    hex: str | None = None
    facts: dict[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True)
class SketchLoaded:
    position: Position
    picture: MapPicture | None
    source: SketchSource = SketchSource()
    boards: tuple[SketchBoard, ...] = (SketchBoard(),)
    assumptions: tuple[SketchNote, ...] = (SketchNote("month-not-given"),)
    problems: tuple[SketchNote, ...] = ()


def german(at: str, name: str = "4-6-7", **more: object) -> Unit:
    unit = Unit(
        id=at, side="German", hex=at, kind=Kind.SQUAD, name=name, nationality="German",
        fp=4, range=6, morale=7, broken_morale=7,
    )  # fmt: skip
    return replace(unit, **more)  # type: ignore[arg-type]


def russian(at: str, **more: object) -> Unit:
    unit = Unit(
        id=at, side="Russian", hex=at, kind=Kind.SQUAD, name="4-4-7", nationality="Russian",
        fp=4, range=4, morale=7, broken_morale=7, broken=True, dm=True, piece=f"17644{at}",
    )  # fmt: skip
    return replace(unit, **more)  # type: ignore[arg-type]


def example_position() -> Position:
    """The rule book's example: four Germans, four broken Russians."""
    return Position(
        SketchGround(),
        (
            german("zO5"), german("zO6"), german("zM6"), german("zL7"),
            russian("zM9"), russian("zN7", dm=False), russian("zN6"), russian("zN5"),
        ),
        "German",
        Rules(),
    )  # fmt: skip


def counters_of(position: Position) -> tuple[CounterShape, ...]:
    """One counter per unit, with the states the position gives."""
    shapes = []
    for unit in position.units:
        states = [word for word in ("broken", "dm", "pinned", "cx", "wounded", "melee")
                  if getattr(unit, word)]  # fmt: skip
        shapes.append(
            CounterShape(
                id=unit.id,
                hex=unit.hex,
                name=unit.name,
                nationality=unit.nationality,
                kind=unit.kind.value,
                states=tuple(states),
                concealed=unit.concealed,
                order=position.by_hex[unit.hex].index(unit),
            )
        )
    return tuple(shapes)


def picture_of(
    ground: SketchGround,
    counters: tuple[CounterShape, ...] = (),
    tile: bytes | None = None,
) -> MapPicture:
    """The map of the sketch, 1800 by 645 pixels, with a board picture if one is given."""
    width, height = (COLUMNS - 1) * WIDTH, ROWS * HEIGHT
    shapes = []
    for name in ground.hexes():
        x, y = ground.centre(name)
        ring = ((-18.75, -32.25), (18.75, -32.25), (37.5, 0), (18.75, 32.25), (-18.75, 32.25),
                (-37.5, 0))  # fmt: skip
        corners = tuple(
            (min(max(x + dx, 0.0), width), min(max(y + dy, 0.0), height)) for dx, dy in ring
        )
        shapes.append(HexShape(name, (x, y), corners, ground.terrain(name).name))
    tiles = ()
    if tile is not None:
        tiles = (Tile(tile, "image/gif", (1800, 645), 0.0, 0.0, (0, 0, 1800, 645)),)
    return MapPicture(width, height, tuple(shapes), tiles, counters)


def example(tile: bytes | None = None) -> SketchLoaded:
    """The example, ready to be reported on."""
    position = example_position()
    ground = position.ground
    assert isinstance(ground, SketchGround)
    return SketchLoaded(position, picture_of(ground, counters_of(position), tile))
