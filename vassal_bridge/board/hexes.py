"""Hex geometry of a board picture, as VASL's line of sight sees it (los/algorithm.md 6).

Pure values: no numpy, no disk. All arithmetic is in doubles and in the order the engine uses,
because a pixel on a hexside belongs to one hex or the other by the last bit of a coordinate.

Columns count from 0 (A), rows from 0 within their column. Even columns hold `rows` hexes, odd
columns `rows` + 1; the first and last hex of an odd column are half hexes on the edge of a
geomorphic board. Hexsides are 0 = top, then clockwise 1 to 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, cos, floor, radians

Point = tuple[int, int]
Hex = tuple[int, int]

COS_30 = cos(radians(30.0))
EXTENDED_SHIFTS = ((-1, -1), (-1, 1), (1, 0), (1, 1), (-1, 1), (-1, 0))
"""Shift of each corner of the extended outline; the second is not outward, as in the engine."""

NEIGHBOURS_EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
NEIGHBOURS_ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_NAME = re.compile(r"(-?)([A-Z]+)(-?\d+)\Z")


def column_letters(column: int) -> str:
    """Letters of a column as printed: A..Z, AA, BB .. ZZ, AAA; negative columns get a ``-``.

    >>> column_letters(0), column_letters(32), column_letters(52)
    ('A', 'GG', 'AAA')
    """
    sign, number = ("-", -column) if column < 0 else ("", column)
    return sign + chr(ord("A") + number % 26) * (number // 26 + 1)


def column_number(letters: str) -> int | None:
    """The column of printed letters, None when no board prints them (``AB``)."""
    sign = -1 if letters.startswith("-") else 1
    bare = letters.removeprefix("-")
    if not bare or set(bare) != {bare[0]} or not "A" <= bare[0] <= "Z":
        return None
    return sign * (ord(bare[0]) - ord("A") + 26 * (len(bare) - 1))


def hex_distance(a: Hex, b: Hex) -> int:
    """Range between two hexes in hexes; (column, row) as everywhere here."""
    across = abs(a[0] - b[0])
    # Doubled heights: a hex of an odd column lies half a hex higher than the same row beside it.
    down = abs((2 * a[1] - (a[0] & 1)) - (2 * b[1] - (b[0] & 1)))
    return across + max(0, (down - across) // 2)


def neighbour(hex_: Hex, side: int) -> Hex:
    """The hex across a side; it may lie off the board."""
    dc, dr = (NEIGHBOURS_ODD if hex_[0] & 1 else NEIGHBOURS_EVEN)[side]
    return hex_[0] + dc, hex_[1] + dr


def in_polygon(x: int, y: int, polygon: tuple[Point, ...]) -> bool:
    """Even-odd test; left and top edges are inside, right and bottom ones are not."""
    xs = [p[0] for p in polygon]
    ys = [p[1] for p in polygon]
    if not (min(xs) <= x < max(xs) and min(ys) <= y < max(ys)):
        return False
    inside = False
    x0, y0 = polygon[-1]
    for x1, y1 in polygon:
        top, bottom = ((x0, y0), (x1, y1)) if y0 < y1 else ((x1, y1), (x0, y0))
        # The factors stand in this order on purpose: points exactly on an edge depend on it.
        if top[1] <= y < bottom[1] and x - top[0] < (y - top[1]) / (bottom[1] - top[1]) * (
            bottom[0] - top[0]
        ):
            inside = not inside
        x0, y0 = x1, y1
    return inside


@dataclass(frozen=True, slots=True)
class HexGeometry:
    """Where the hexes of one picture lie.

    `hex_w` and `hex_h` are the column pitch and the hex height in pixels, `a1x` and `a1y` the
    centre of hex A1, `columns` and `rows` the counts of section 5, `width` and `height` the
    picture in pixels. `first_column` and `first_row` shift the printed names (boards like 10b
    that go on with the numbers of 10a). `alt_grain`: odd columns begin with row 1 (geometry.md 3).
    """

    hex_w: float
    hex_h: float
    a1x: float
    a1y: float
    columns: int
    rows: int
    width: int
    height: int
    alt_grain: bool = False
    snap_scale: int = 1
    config: str = "Normal"
    first_column: int = 0
    first_row: int = 0

    # -- hexes and names -----------------------------------------------------------------

    @property
    def stride(self) -> int:
        """Indices per column: hex (c, r) has index ``c * stride + r``."""
        return self.rows + 1

    def rows_of(self, column: int) -> int:
        """Hexes in a column."""
        return self.rows + (column & 1)

    def has(self, hex_: Hex) -> bool:
        """Whether the array of hexes holds this one."""
        return 0 <= hex_[0] < self.columns and 0 <= hex_[1] < self.rows_of(hex_[0])

    def hexes(self) -> Iterator[Hex]:
        """All hexes in column order."""
        for column in range(self.columns):
            for row in range(self.rows_of(column)):
                yield column, row

    def index(self, hex_: Hex) -> int:
        """Index of a hex into per-hex arrays of ``columns * stride`` entries."""
        return hex_[0] * self.stride + hex_[1]

    def hex_of(self, index: int) -> Hex:
        """The hex of an index."""
        return divmod(index, self.stride)

    def name(self, hex_: Hex) -> str:
        """Printed name without the board: ``A1``, ``GG10``, ``B0``.

        >>> HexGeometry(56.25, 64.5, 0.0, 32.25, 33, 10, 1800, 645).name((32, 9))
        'GG10'
        """
        column, row = hex_
        number = row + self.first_row + (0 if column & 1 and not self.alt_grain else 1)
        return f"{column_letters(column + self.first_column)}{number}"

    def hex_named(self, name: str) -> Hex | None:
        """The hex of a printed name, None if the board has no such hex."""
        match = _NAME.match(name)
        if match is None:
            return None
        number = column_number(match[1] + match[2])
        if number is None:
            return None
        column = number - self.first_column
        row = int(match[3]) - self.first_row - (0 if column & 1 and not self.alt_grain else 1)
        return (column, row) if self.has((column, row)) else None

    def on_picture(self) -> HexGeometry:
        """The same hexes counted from the first one on the picture.

        Boards such as 10b give an A1 that lies on another board (A1CenterX -901); their column 0 of
        section 5 is the first column on the picture, and the printed names go on from there.
        """
        skip_columns = 2 * floor(-self.a1x / self.hex_w / 2 + 0.5) if self.a1x < -1 else 0
        skip_rows = floor((self.hex_h / 2 - self.a1y) / self.hex_h + 0.5) if self.a1y < 0 else 0
        return replace(
            self,
            a1x=self._near(self.a1x + skip_columns * self.hex_w, 0.0),
            a1y=self._near(self.a1y + skip_rows * self.hex_h, self.hex_h / 2),
            first_column=self.first_column + skip_columns,
            first_row=self.first_row + skip_rows,
        )

    @staticmethod
    def _near(value: float, ideal: float) -> float:
        return ideal if abs(value - ideal) < 1e-6 else value

    # -- points ----------------------------------------------------------------------------

    def _clamp_x(self, value: float) -> float:
        return _clamp(value, self.width)

    def _clamp_y(self, value: float) -> float:
        return _clamp(value, self.height)

    def centre(self, hex_: Hex) -> tuple[float, float]:
        """Exact centre in pixels, before clamping."""
        column, row = hex_
        return (
            self.a1x + self.hex_w * column,
            self.a1y + self.hex_h * row - self.hex_h / 2 * (column & 1),
        )

    def aim(self, hex_: Hex) -> Point:
        """The aiming point: the pixel from and to which lines of sight run."""
        x, y = self.centre(hex_)
        return int(self._clamp_x(x)), int(self._clamp_y(y))

    def corners(self, hex_: Hex) -> tuple[tuple[float, float], ...]:
        """The six corners, clamped, clockwise from the upper left one."""
        x, y = self.centre(hex_)
        side = self.hex_w * 2 / 3
        half = side / 2
        v = self.hex_h / 2
        points = (
            (x - half, y - v),
            (x + half, y - v),
            (x + side, y),
            (x + half, y + v),
            (x - half, y + v),
            (x - side, y),
        )
        return tuple((self._clamp_x(px), self._clamp_y(py)) for px, py in points)

    def outline(self, hex_: Hex) -> tuple[Point, ...]:
        """The hex as a polygon of pixels (corners rounded)."""
        return tuple((floor(x + 0.5), floor(y + 0.5)) for x, y in self.corners(hex_))

    def extended_outline(self, hex_: Hex) -> tuple[Point, ...]:
        """The slightly larger polygon that decides what belongs to the ends of a line of sight."""
        return tuple(
            (int(x) + dx, int(y) + dy)
            for (x, y), (dx, dy) in zip(self.corners(hex_), EXTENDED_SHIFTS, strict=True)
        )

    def midpoints(self, hex_: Hex) -> tuple[Point, ...]:
        """Midpoints of the six sides, one pixel inside; they may lie off the picture."""
        x, y = self.centre(hex_)
        v = self.hex_h / 2
        u = v * COS_30
        points = (
            (x, y - v + 1),
            (x + u - 1, y - v / 2 + 1),
            (x + u - 1, y + v / 2 - 1),
            (x, y + v - 1),
            (x - u + 1, y + v / 2 - 1),
            (x - u + 1, y - v / 2 + 1),
        )
        return tuple(
            (int(self._clamp_x(int(px))), int(self._clamp_y(int(py)))) for px, py in points
        )

    def side_on_map(self, hex_: Hex, side: int) -> bool:
        """The engine's flag of a hexside; top and bottom of even columns always count as on."""
        column, row = hex_
        if (column == 0 and side in (4, 5)) or (column == self.columns - 1 and side in (1, 2)):
            return False
        if column & 1:
            if row == 0 and side in (0, 1, 5):
                return False
            if row == self.rows and side in (2, 3, 4):
                return False
        return True

    # -- pixels to hexes ---------------------------------------------------------------------

    def row_at(self, column: int, y: int) -> int:
        """Row of a column whose band holds height `y`; it may lie off the board."""
        offset = y - (self.a1y - self.hex_h / 2)
        return int((offset + self.hex_h / 2 if column & 1 else offset) / self.hex_h)

    def hex_at(self, x: int, y: int) -> Hex | None:
        """Hex of a pixel, None for the notches that belong to no hex."""
        band = int((x - self.a1x) / (self.hex_w / 3))
        if band < 0 or band % 3 != 1:
            column = ceil(band / 3)
            found = (column, self.row_at(column, y))
            return found if self.has(found) else None
        column = (band - 1) // 3
        row = self.row_at(column, y)
        for dc in (0, 1, -1):
            for dr in (0, -1, 1):
                candidate = (column + dc, row + dr)
                if self.has(candidate) and in_polygon(x, y, self.outline(candidate)):
                    return candidate
        last = (column + 1, row - 1)
        return last if column & 1 and row == self.rows and self.has(last) else None

    def nearest_side(self, hex_: Hex, x: int, y: int, on_map: tuple[bool, ...]) -> int | None:
        """The side whose midpoint is nearest to a pixel, None if the centre is (it wins ties)."""
        best = None
        ax, ay = self.aim(hex_)
        least = (x - ax) ** 2 + (y - ay) ** 2
        for side, (mx, my) in enumerate(self.midpoints(hex_)):
            distance = (x - mx) ** 2 + (y - my) ** 2
            if on_map[side] and distance < least:
                best, least = side, distance
        return best


def _clamp(value: float, size: int) -> float:
    """Keep a point that falls just off the picture on it (algorithm.md 6, edge clamp)."""
    if value == -1:
        return 0.0
    if int(value) in (size, size + 1):
        return float(size - 1)
    return value
