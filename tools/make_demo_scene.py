"""What lies where on the invented board `demo`: hexes, roads, houses, and the grids made of them.

The board is drawn twice from this one description: as LOSData (terrain code and level of every
pixel, los/algorithm.md 5) by `terrain_grid` and `elevation_grid`, and as a picture by
`make_demo_art`. Only additions, multiplications, roots and comparisons are used, so every machine
gets the same pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Field = NDArray[np.float32]
Mask = NDArray[np.bool_]

COLUMNS, ROWS = 33, 10
WIDTH, HEIGHT = 1800, 645
HEX_W, HEX_H = 56.25, 64.5

OPEN, DIRT_ROAD, GRAIN, BRUSH, STONE, WOODEN, WOODS_CODE, ORCHARD = 0, 65, 24, 25, 40, 50, 60, 63
"""Terrain codes of VASL's shared board metadata that the board uses."""

HILL = "I2 I3 J1 J2 K2 K3 L1 L2"
WOODS_NORTH_EAST = "S2 S3 T1 T2 T3 U2 U3"
WOODS_SOUTH = "N10 O9 O10 P8 P9 Q9"
WOODS_SOUTH_WEST = "H9 I9 J8 J9 K9"
WOODS_EAST = "W7 W8 X7 X8 Y8"
WOODS_FAR_WEST = "B3 C3 C4 D3 D4 E4"
WOODS_FAR_EAST = "CC2 CC3 DD2 DD3 EE3 EE4"
WOODS = (
    WOODS_NORTH_EAST,
    WOODS_SOUTH,
    WOODS_SOUTH_WEST,
    WOODS_EAST,
    WOODS_FAR_WEST,
    WOODS_FAR_EAST,
)
ORCHARDS = "M8 Q4 R3 D8 E8 BB6"
BRUSHES = ("L8 M9", "U8 V8", "J4", "F6 F7", "AA8 BB8", "Z2")

ROADS = (
    "A5 B5 C6 D6 E6 F5 G6 H5 I6 J6 K7 L7 M7 N7 O7 P6 Q6 R5 S5 T5 U5 V5 W6 X5 Y5 Z5 AA6 BB5 CC5 DD5 "
    "EE6 FF6 GG7",
    "Q0.4 Q1 P1 P2 O3 O4 O5 O6 O7 O8 P8 P9 P10 P10.6",
    "I6 I7 H7 H8 G9 G10 G10.6",
    "X5 Y4 Y3 X2 X1 X-0.2",
)
"""Centre lines, hex by hex; a fraction moves the point down by that part of a hex."""

FIELDS: tuple[tuple[tuple[str, float, float], ...], ...] = (
    (("R7", 26, -26), ("T5", 6, 24), ("V6", -34, -22), ("U7", 30, 26), ("S8", 22, 30)),
    (("I4", -30, -24), ("H4", -38, 30), ("G4", -20, 30), ("F3", -22, -18), ("G2", 6, 26)),
    (("Z7", -26, -6), ("AA7", 6, -30), ("CC7", 32, -18), ("BB8", 20, 24), ("Z8", -16, 18)),
    (("C9", -34, -30), ("E9", -4, 4), ("E10", 22, 26), ("B9", -28, 26)),
)
"""Grain fields as corners: hex and offset in pixels."""


@dataclass(frozen=True, slots=True)
class Wing:
    """One rectangle of a house: centre relative to the hex, half sizes in pixels, direction.

    The direction is the long axis as (x, y); the ridge of the roof runs along it.
    """

    hex: str
    dx: float
    dy: float
    half_length: float
    half_width: float
    axis: Point = (1.0, 0.0)


@dataclass(frozen=True, slots=True)
class House:
    """A building of one or more wings; a building over two hexes has a wing over their side."""

    stone: bool
    wings: tuple[Wing, ...]


HOUSES: tuple[House, ...] = (
    House(True, (Wing("N6", -1, 4, 22, 10), Wing("N6", -16, -6, 12, 9, (0, 1)))),
    House(
        False,
        (
            Wing("P5", 3, -2, 13, 10, (0, 1)),
            Wing("P5", 30, -17, 34, 10, (0.875, -0.484)),
            Wing("Q5", 8, -2, 14, 10, (0, 1)),
        ),
    ),
    House(False, (Wing("M5", 0, 3, 19, 11, (0.958, -0.287)),)),
    House(False, (Wing("N8", 2, 4, 20, 11, (0.96, 0.28)),)),
    House(True, (Wing("P7", 4, 5, 20, 11), Wing("P7", 13, -6, 13, 9, (0, 1)))),
    House(False, (Wing("R7", -6, 6, 19, 10, (0.6, -0.8)),)),
    House(False, (Wing("L5", -4, 3, 18, 10, (0.8, 0.6)), Wing("L5", 10, -8, 10, 8, (0.6, -0.8)))),
    House(True, (Wing("P3", 3, 2, 18, 10, (0.28, 0.96)),)),
    House(False, (Wing("N4", -2, 4, 18, 10, (0.96, 0.28)),)),
    House(False, (Wing("S6", 4, 6, 17, 10, (0.958, -0.287)),)),
    House(True, (Wing("V4", 0, 2, 20, 11, (0.96, 0.28)), Wing("V4", -6, 14, 10, 8, (-0.28, 0.96)))),
    House(False, (Wing("F8", -2, 4, 18, 10, (0.958, -0.287)),)),
    House(False, (Wing("AA4", 0, 3, 19, 11),)),
    House(True, (Wing("DD6", 2, 4, 18, 11, (0.8, -0.6)),)),
)


def split_hex(name: str) -> tuple[int, float]:
    """Column number and row of a hex name: ``"P8" -> (15, 8.0)``; ``"AA3"`` is column 26."""
    letters = name.rstrip("-.0123456789")
    column = ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)
    return column, float(name[len(letters) :])


def centre(name: str) -> Point:
    """Exact centre of a hex in pixels of the board picture (los/algorithm.md 6)."""
    column, row = split_hex(name)
    shift = 0.5 if column % 2 == 0 else 0.0
    return HEX_W * column, HEX_H * (row - shift)


def hex_names() -> list[str]:
    """All hexes of the board, column by column; odd columns start with row 0."""
    names: list[str] = []
    for column in range(COLUMNS):
        letters = chr(ord("A") + column % 26) * (1 + column // 26)
        first = 1 if column % 2 == 0 else 0
        names.extend(f"{letters}{row}" for row in range(first, ROWS + 1))
    return names


def pixel_axes() -> tuple[Field, Field]:
    """Pixel centres as a row of x and a column of y, ready to broadcast."""
    x = np.arange(WIDTH, dtype=np.float32)[None, :]
    y = np.arange(HEIGHT, dtype=np.float32)[:, None]
    return x, y


def noise(cell: int, seed: int) -> Field:
    """Smooth random field in -1..1 with features of `cell` pixels, the same on every machine."""
    columns, rows = WIDTH // cell + 2, HEIGHT // cell + 2
    index = np.arange(columns * rows, dtype=np.uint64) + np.uint64(seed * 7919 + 1)
    mixed = index * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    lattice = ((mixed & np.uint64(0xFFFF)).astype(np.float32) / 32767.5 - 1).reshape(rows, columns)
    x, y = np.arange(WIDTH) / cell, np.arange(HEIGHT) / cell
    left, top = x.astype(int), y.astype(int)
    u, v = (x - left).astype(np.float32), (y - top).astype(np.float32)
    u, v = (u * u * (3 - 2 * u))[None, :], (v * v * (3 - 2 * v))[:, None]
    here, below = lattice[top], lattice[top + 1]
    upper = here[:, left] * (1 - u) + here[:, left + 1] * u
    lower = below[:, left] * (1 - u) + below[:, left + 1] * u
    return np.asarray(upper * (1 - v) + lower * v, dtype=np.float32)


Window = tuple[slice, slice]


def near_segment(a: Point, b: Point, reach: float) -> tuple[Window, Field] | None:
    """Distance to a segment of the pixels within `reach` of its box; None off the board."""
    (ax, ay), (bx, by) = a, b
    left, right = int(max(min(ax, bx) - reach, 0)), int(min(max(ax, bx) + reach, WIDTH))
    top, bottom = int(max(min(ay, by) - reach, 0)), int(min(max(ay, by) + reach, HEIGHT))
    if left >= right or top >= bottom:
        return None
    x = np.arange(left, right, dtype=np.float32)[None, :]
    y = np.arange(top, bottom, dtype=np.float32)[:, None]
    length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-6)
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0, 1)
    gap = np.sqrt((x - ax - along * (bx - ax)) ** 2 + (y - ay - along * (by - ay)) ** 2)
    return (slice(top, bottom), slice(left, right)), gap.astype(np.float32)


def line_distance(points: list[Point], reach: float = 60) -> Field:
    """Distance of every pixel to a polyline, in pixels; 1000 beyond `reach`."""
    found = np.full((HEIGHT, WIDTH), 1000, dtype=np.float32)
    for a, b in pairwise(points):
        near = near_segment(a, b, reach)
        if near:
            window, gap = near
            np.minimum(found[window], gap, out=found[window])
    return found


def inside(points: list[Point]) -> Mask:
    """Pixels inside a polygon by the even-odd rule."""
    x, y = pixel_axes()
    crossed = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        if ay != by:
            between = (y >= min(ay, by)) & (y < max(ay, by))
            crossed ^= between & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return crossed


def blob(names: str, radius: float) -> Field:
    """Distance to the outline of a patch that covers hexes, negative inside.

    Neighbouring hexes of the list are joined, so a wood is one shape and not a row of discs.
    """
    middles = [centre(name) for name in names.split()]
    field = np.full((HEIGHT, WIDTH), 1000, dtype=np.float32)
    for index, (ax, ay) in enumerate(middles):
        near = [(x, y) for x, y in middles[index + 1 :] if (x - ax) ** 2 + (y - ay) ** 2 < 5000]
        lines = [(ax, ay), (ax, ay)]
        for bx, by in near:
            lines += [(bx, by), (ax, ay)]
            for cx, cy in near:
                if (cx, cy) != (bx, by) and (cx - bx) ** 2 + (cy - by) ** 2 < 5000:
                    field[inside([(ax, ay), (bx, by), (cx, cy)])] = 0
        np.minimum(field, line_distance(lines), out=field)
    return field - np.float32(radius)


def smooth(names: str) -> list[Point]:
    """A road's centre line: a Catmull-Rom curve through its hexes, eased toward the chord."""
    knots = [centre(name) for name in names.split()]
    knots = [knots[0], *knots, knots[-1]]
    points: list[Point] = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        for step in range(8):
            t = step / 8
            points.append(
                tuple(  # type: ignore[arg-type]  # two numbers, x and y
                    0.5
                    * (
                        2 * b[k]
                        + (c[k] - a[k]) * t
                        + (2 * a[k] - 5 * b[k] + 4 * c[k] - d[k]) * t * t
                        + (3 * b[k] - a[k] - 3 * c[k] + d[k]) * t * t * t
                    )
                    for k in (0, 1)
                )
            )
    points.append(knots[-1])
    return points


def road_field() -> Field:
    """Distance of every pixel to the nearest road's centre line."""
    field = np.full((HEIGHT, WIDTH), 1000, dtype=np.float32)
    for road in ROADS:
        np.minimum(field, line_distance(smooth(road)), out=field)
    return field


def woods_field() -> Field:
    """Distance to the edge of the nearest wood, negative inside, with a ragged edge."""
    field = np.full((HEIGHT, WIDTH), 1000, dtype=np.float32)
    for wood in WOODS:
        np.minimum(field, blob(wood, 27), out=field)
    return field + 3 * noise(11, 3)


def brush_field() -> Field:
    """Distance to the edge of the nearest patch of brush, negative inside."""
    field = np.full((HEIGHT, WIDTH), 1000, dtype=np.float32)
    for patch in BRUSHES:
        np.minimum(field, blob(patch, 25), out=field)
    return field + 3 * noise(9, 4)


def hill_field() -> Field:
    """Distance to the crest line of the hill, negative on it."""
    return blob(HILL, 26) + 2 * noise(23, 5)


def grain_mask() -> Mask:
    """Pixels of the grain fields."""
    found = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for corners in FIELDS:
        found |= inside([(centre(at)[0] + dx, centre(at)[1] + dy) for at, dx, dy in corners])
    return found


def nearest_hex() -> NDArray[np.int16]:
    """Index into `hex_names` of the hex each pixel belongs to (nearest centre)."""
    x, y = pixel_axes()
    best = np.full((HEIGHT, WIDTH), 1e9, dtype=np.float32)
    owner = np.zeros((HEIGHT, WIDTH), dtype=np.int16)
    for index, name in enumerate(hex_names()):
        cx, cy = centre(name)
        left, right = int(max(cx - 40, 0)), int(min(cx + 40, WIDTH))
        top, bottom = int(max(cy - 36, 0)), int(min(cy + 36, HEIGHT))
        gap = (x[:, left:right] - cx) ** 2 + (y[top:bottom] - cy) ** 2
        window, owners = best[top:bottom, left:right], owner[top:bottom, left:right]
        closer = gap < window
        window[closer] = gap[closer]
        owners[closer] = index
    return owner


def orchard_mask() -> Mask:
    """Pixels of the orchard hexes: inherent terrain fills its hex."""
    names = hex_names()
    return np.isin(nearest_hex(), [names.index(name) for name in ORCHARDS.split()])


def wing_coordinates(wing: Wing) -> tuple[Field, Field]:
    """Coordinates of every pixel along and across a wing, in pixels from its middle."""
    x, y = pixel_axes()
    cx, cy = centre(wing.hex)
    ux, uy = wing.axis
    along = (x - cx - wing.dx) * ux + (y - cy - wing.dy) * uy
    across = (y - cy - wing.dy) * ux - (x - cx - wing.dx) * uy
    return along.astype(np.float32), across.astype(np.float32)


def wing_mask(wing: Wing) -> Mask:
    """Pixels under one wing of a house."""
    along, across = wing_coordinates(wing)
    return (np.abs(along) <= wing.half_length) & (np.abs(across) <= wing.half_width)


ROAD_HALF_WIDTH = 8.0


def terrain_grid() -> NDArray[np.uint8]:
    """Terrain code of every pixel, indexed [y, x]."""
    grid = np.full((HEIGHT, WIDTH), OPEN, dtype=np.uint8)
    grid[grain_mask()] = GRAIN
    grid[brush_field() < 0] = BRUSH
    grid[orchard_mask()] = ORCHARD
    grid[woods_field() < 0] = WOODS_CODE
    grid[road_field() < ROAD_HALF_WIDTH] = DIRT_ROAD
    for house in HOUSES:
        for wing in house.wings:
            grid[wing_mask(wing)] = STONE if house.stone else WOODEN
    return grid


def elevation_grid() -> NDArray[np.int8]:
    """Level of every pixel, indexed [y, x]; never above the base level of its hex."""
    names, owner, hill = hex_names(), nearest_hex(), hill_field() < 0
    on_hill = np.isin(owner, [names.index(name) for name in HILL.split()])
    return (hill & on_hill).astype(np.int8)
