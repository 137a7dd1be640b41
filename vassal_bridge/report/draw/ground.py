"""The map under the overlay: board pictures, or drawn terrain where there are none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from vassal_bridge.report.draw.colours import INK, PAPER
from vassal_bridge.report.draw.scene import (
    Area,
    BoardTile,
    Box,
    Circle,
    Group,
    Label,
    Names,
    Path,
    Shape,
    Stamps,
    Stroke,
)
from vassal_bridge.report.picture import HexShape, MapPicture, Point

OPEN: Final = "#b9c57e"
GRID: Final = Stroke("#3c4420", 0.8, (), 0.55)
FILLS: Final = {
    "open": OPEN,
    "road": OPEN,
    "brush": "#c3c07a",
    "grain": "#dcc46a",
    "orchard": OPEN,
    "woods": "#93a75a",
    "water": "#86b2cf",
    "marsh": "#a9c3a4",
    "smoke": OPEN,
}
LEVELS: Final = ("", "#c7a86b", "#b48d4c", "#9c7336", "#825c27")
WOODS: Final = "#41602a"
ROAD: Final = "#c9c3d4"


def board(picture: MapPicture, box: tuple[float, float, float, float] | None = None) -> Group:
    """Everything under the counters.

    Args:
        picture: the map.
        box: part that will be seen (left, upper, right, lower edge); None = all. Pictures and hexes
            outside it are left out.
    """
    if picture.tiles:
        return Group(
            tuple(
                BoardTile(tile)
                for tile in picture.tiles
                if box is None
                or _meet((tile.x, tile.y, tile.x + tile.width, tile.y + tile.height), box)
            )
        )
    unit = picture.hex_height / 64.5
    reach = 40 * unit
    seen = []
    for shape in picture.hexes:
        x, y = shape.centre
        if box is None or _meet((x - reach, y - reach, x + reach, y + reach), box):
            seen.append(shape)
    items: list[Shape] = [*_floor(seen)]
    items += _roads([shape.centre for shape in seen if "road" in shape.terrain.lower()], unit)
    by_kind: dict[str, list[Point]] = {}
    for shape in seen:
        by_kind.setdefault(_kind(shape.terrain), []).append(shape.centre)
    for kind, centres in by_kind.items():
        sign = tuple(_terrain(kind, unit))
        if sign:
            items.append(Stamps(sign, tuple(centres)))
    names = tuple((shape.centre[0], shape.centre[1] - 26 * unit, shape.name) for shape in seen)
    items.append(Names(names, 8.5 * unit, "#2c3314"))
    return Group(tuple(items))


def _floor(shapes: Sequence[HexShape]) -> Iterable[Shape]:
    """The ground of the hexes with their outlines, one area per colour."""
    areas: dict[str, list[tuple[Point, ...]]] = {}
    for shape in shapes:
        fill = FILLS.get(_kind(shape.terrain), OPEN)
        if shape.level > 0:
            fill = LEVELS[min(shape.level, len(LEVELS) - 1)]
        areas.setdefault(fill, []).append(shape.polygon)
    for fill, polygons in areas.items():
        yield Area(tuple(polygons), fill, GRID)


def _roads(centres: list[Point], unit: float) -> Iterable[Shape]:
    """Roads from hex to hex; two road hexes side by side are taken to be joined."""
    width = 9 * unit
    for n, (x, y) in enumerate(centres):
        for a, b in centres[n + 1 :]:
            if abs(a - x) < 62 * unit and math.hypot(a - x, b - y) < 70 * unit:
                yield Path(((x, y), (a, b)), stroke=Stroke(ROAD, width))
        yield Circle(x, y, width / 2, ROAD)


def _kind(terrain: str) -> str:
    """The sign for a terrain key: ``woods-road`` is drawn as a road through woods."""
    key = terrain.lower()
    if "woods" in key and "road" in key:
        return "woods-road"
    if "orchard" in key and "road" in key:
        return "orchard-road"
    for kind in ("building", "woods", "orchard", "grain", "brush", "road", "marsh", "water",
                 "smoke", "wreck"):  # fmt: skip
        if kind in key:
            return kind
    return "open" if key in ("open", "open ground", "") else "other"


def _terrain(kind: str, u: float) -> Iterable[Shape]:
    """The sign of a terrain about (0, 0)."""
    if kind in ("woods", "woods-road"):
        for dx, dy, r in ((-13, -5, 10), (2, -9, 11), (14, -2, 9), (-6, 8, 11), (9, 9, 10)):
            yield Circle(dx * u, dy * u, r * u, WOODS, 0.92)
    if kind in ("orchard", "orchard-road"):
        for dx in (-13, 0, 13):
            for dy in (-9, 6):
                yield Circle(dx * u, dy * u, 4.5 * u, WOODS, 0.85)
    if kind == "building":
        edge = Stroke("#3a3030", 1.2 * u)
        yield Box(-16 * u, -12 * u, 32 * u, 24 * u, 1.5 * u, "#9b8f88", 1.0, edge)
        yield Path(((-16 * u, 0), (16 * u, 0)), stroke=edge)
    if kind == "grain":
        for row in range(-2, 3):
            yield Path(
                ((-18 * u, row * 6.5 * u), (18 * u, row * 6.5 * u)),
                stroke=Stroke("#9c7f1e", 1.6 * u, (3 * u, 2.5 * u)),
            )
    if kind == "brush":
        for dx, dy in ((-12, -5), (1, -8), (12, -1), (-5, 7), (8, 9)):
            tuft = (
                ((dx - 4) * u, (dy - 4) * u),
                (dx * u, (dy + 4) * u),
                ((dx + 4) * u, (dy - 4) * u),
            )
            yield Path(tuft, stroke=Stroke("#5d6a1c", 1.8 * u))
    if kind == "smoke":
        for dx, dy, r in ((-8, 2, 9), (4, -5, 10), (10, 5, 8)):
            yield Circle(dx * u, dy * u, r * u, "#e9e9e9", 0.9, Stroke("#8f8f8f", 0.8 * u))
    if kind == "other":
        yield Label(0, 0, "?", 22 * u, INK, bold=True, halo=PAPER)


def _meet(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
