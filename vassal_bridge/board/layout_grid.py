"""How VASSAL's client names the pixels of one board (formats/geometry.md 3).

This is not the geometry of the line of sight: the client's cells are rectangles around the hex
centres, and its numbers are cut to whole pixels at other places. Both are needed: this one to say
in which hex a counter stands, `hexes` to say what a line of sight crosses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor

from vassal_bridge.board.hexes import HexGeometry, column_letters, column_number

_HEX_TEXT = re.compile(r"(-?)([A-Z]+)(-?\d+)\Z")


@dataclass(frozen=True, slots=True)
class ClientGrid:
    """The hex grid of one board as the client lays it, in pixels of the full board right way up.

    Columns count from 0 (A) and may be negative; rows are the printed numbers.

    Attributes:
        dx: pitch of the columns.
        dy: height of a hex.
        x0, y0: centre of A1, cut to whole pixels as the client does.
        alt_grain: odd columns begin with row 1 instead of 0.
    """

    dx: float
    dy: float
    x0: int
    y0: int
    alt_grain: bool = False

    @classmethod
    def of(cls, geometry: HexGeometry) -> ClientGrid:
        """The client's grid of a board of this geometry (A1 as the archive gives it)."""
        return cls(
            geometry.hex_w,
            geometry.hex_h,
            int(geometry.a1x),
            int(geometry.a1y),
            geometry.alt_grain,
        )

    def cell(self, x: int, y: int) -> tuple[int, int]:
        """Column and printed row of the cell that holds a pixel."""
        px = x - self.x0
        py = y + int(self.dy / 2 - self.y0)
        column = floor(px / self.dx + 0.5)
        if column % 2 == 0:
            return column, floor(py / self.dy) + 1
        return column, floor(py / self.dy + 0.5) + (1 if self.alt_grain else 0)

    def text(self, column: int, row: int) -> str:
        """Printed name: ``O5``."""
        return f"{column_letters(column)}{row}"

    def read(self, text: str) -> tuple[int, int] | None:
        """Column and row of a printed name, None if it is not one."""
        match = _HEX_TEXT.match(text)
        column = column_number(match[1] + match[2]) if match else None
        return None if match is None or column is None else (column, int(match[3]))

    def name_at(self, x: int, y: int) -> str:
        """What the client calls a pixel: ``O5``, or ``T6/T7`` exactly on a hexside or corner point.

        >>> grid = ClientGrid(56.25, 64.5, 0, 32)
        >>> grid.name_at(675, 290), grid.name_at(675, 193)
        ('M5', 'M3/M4')
        """
        half_column = floor((x - self.x0 + self.dx / 4) * 2 / self.dx)
        if not self._on_edge_point(x, y, half_column):
            return self.text(*self.cell(x, y))
        py = y + int(self.dy / 2 - self.y0)
        if half_column % 2 == 0:
            return self._above_below(half_column // 2, py)
        return self._left_right((half_column - 1) // 2, py)

    def _on_edge_point(self, x: int, y: int, half_column: int) -> bool:
        """Whether a pixel is a snap point of the client other than a centre."""
        if x != int(self.dx / 2 * half_column + self.x0):
            return False
        if half_column % 2 == 0:
            snap = int(self.dy / 2 * floor((y - self.y0 + self.dy / 4) * 2 / self.dy) + self.y0)
        else:
            snap = int(
                self.dy / 2 * floor((y - self.y0) * 2 / self.dy) + int(self.dy / 4) + self.y0
            )
        return y == snap and (x, y) != self._snapped_centre(x, y)

    def _snapped_centre(self, x: int, y: int) -> tuple[int, int]:
        column = floor((x - self.x0 + self.dx / 2) / self.dx)
        centre_x = int(self.dx * column + self.x0)
        if column % 2 == 0:
            row = floor((y - self.y0 + self.dy / 2) / self.dy)
            return centre_x, int(self.dy * row + self.y0)
        row = floor((y - self.y0) / self.dy)
        return centre_x, int(self.dy * row + int(self.dy / 2) + self.y0)

    def _above_below(self, column: int, py: float) -> str:
        if column % 2 == 0:
            upper = floor(py / self.dy + 0.5)
        else:
            upper = floor(py / self.dy - 0.5 + 0.5) + (1 if self.alt_grain else 0)
        return f"{self.text(column, upper)}/{self.text(column, upper + 1)}"

    def _left_right(self, left: int, py: float) -> str:
        """The hex of the left column, then the upper or lower one of the right column beside it."""
        shift = 1 if self.alt_grain else 0
        if left % 2 == 0:
            row = floor(py / self.dy) + 1
            lower = py > (row - 0.5) * self.dy
            right = (row if lower else row - 1) + shift
        else:
            bare = floor(py / self.dy + 0.5)
            lower = py > bare * self.dy
            right = bare + 1 if lower else bare
            row = bare + shift
        return f"{self.text(left, row)}/{self.text(left + 1, right)}"

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """The pixel a counter snaps to in a hex; it may lie just off the board (column GG).

        Cut, not rounded: measured on the saves, against the rounding of geometry.md 4.
        """
        x = int(self.dx * column + self.x0)
        if column % 2 == 0:
            return x, int(self.dy * (row - 1) + self.y0)
        bare = row - 1 if self.alt_grain else row
        return x, int(self.dy * (bare - 1) + int(self.dy / 2) + self.y0)

    def exact_centre(self, column: int, row: int) -> tuple[float, float]:
        """The centre before it is cut to pixels."""
        bare = row - 1 if self.alt_grain and column % 2 else row
        y = self.dy * (bare - (0.5 if column % 2 else 1)) + self.y0
        return self.dx * column + self.x0, y
