"""One board where it lies on the map: pixels, hexes, size (formats/geometry.md 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor

from vassal_bridge.board.layout_library import BoardShape
from vassal_bridge.board.placement import BoardPlacement

SEAM_PIXELS = 3.0
"""How far a hex centre may lie off the cut of a board and still be a half hex on it."""

Lattice = tuple[float, float, float, float]
"""Origin x and y, column pitch and hex height of a lattice of hexes, in map pixels."""


@dataclass(frozen=True, slots=True)
class BoardOnMap:
    """One board where it lies.

    Attributes:
        key: its name in hex names; ``z~2`` for a second board z in reading order.
        placement: as the game says.
        shape: size and hex grid of the full board.
        crop: the part in play (x, y, width, height) in pixels of the full board.
        x, y: upper left corner on the map in map pixels, the edge included.
        width, height: size on the map in map pixels (zoom included).
        missing: the archive is not at hand; sizes come from the list of VASL's boards.
    """

    key: str
    placement: BoardPlacement
    shape: BoardShape
    crop: tuple[int, int, int, int]
    x: int
    y: int
    width: int
    height: int
    missing: bool = False

    @property
    def spacer(self) -> bool:
        """Whether nobody fights on it (Blank0, NUL and the like)."""
        return self.placement.spacer

    def contains(self, x: int, y: int) -> bool:
        """Whether a map pixel lies on it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def to_board(self, x: int, y: int) -> tuple[int, int]:
        """Map pixel to pixel of the full board, right way up (geometry.md 3)."""
        lx, ly = x - self.x, y - self.y
        if self.placement.reversed:
            lx, ly = self.width - lx, self.height - ly
        if self.placement.zoom != 1.0:
            lx, ly = floor(lx / self.placement.zoom + 0.5), floor(ly / self.placement.zoom + 0.5)
        return lx + self.crop[0], ly + self.crop[1]

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Point of the full board to point of the map, not rounded."""
        lx = (x - self.crop[0]) * self.placement.zoom
        ly = (y - self.crop[1]) * self.placement.zoom
        if self.placement.reversed:
            lx, ly = self.width - lx, self.height - ly
        return self.x + lx, self.y + ly

    def name_at(self, x: int, y: int) -> str:
        """What the client calls a map pixel on this board, with the board's key."""
        return self.key + self.shape.grid.name_at(*self.to_board(x, y))

    def snap(self, column: int, row: int, *, keep: bool = True) -> tuple[int, int]:
        """Map pixel at which a counter lies in a hex; `keep` keeps it on the board."""
        x, y = self.shape.grid.centre(column, row)
        lx, ly = x - self.crop[0], y - self.crop[1]
        if self.placement.zoom != 1.0:
            lx, ly = floor(lx * self.placement.zoom + 0.5), floor(ly * self.placement.zoom + 0.5)
        if self.placement.reversed:
            lx, ly = self.width - lx, self.height - ly
        if keep:
            lx, ly = min(max(lx, 0), self.width - 1), min(max(ly, 0), self.height - 1)
        return self.x + lx, self.y + ly

    def cells(self) -> Iterator[tuple[str, int, int, float, float]]:
        """Hexes whose centre is in play: printed name, column, row, exact centre on the map."""
        grid = self.shape.grid
        geometry = self.shape.geometry.on_picture()
        left, top, width, height = self.crop
        shift = 1 if geometry.alt_grain else 0
        for column in range(geometry.first_column, geometry.first_column + geometry.columns):
            # Odd columns on the board are odd columns of the picture: A1 moves by two columns.
            odd = column % 2
            first = geometry.first_row + (shift if odd else 1)
            for row in range(first, first + geometry.rows + odd):
                x, y = grid.exact_centre(column, row)
                if (
                    left - SEAM_PIXELS <= x <= left + width + SEAM_PIXELS
                    and top - SEAM_PIXELS <= y <= top + height + SEAM_PIXELS
                ):
                    yield (grid.text(column, row), column, row, *self.to_map(x, y))

    def near(self, x: float, y: float) -> bool:
        """Whether a point of the map lies on it or within a few pixels of it."""
        return (
            self.x - SEAM_PIXELS <= x <= self.x + self.width + SEAM_PIXELS
            and self.y - SEAM_PIXELS <= y <= self.y + self.height + SEAM_PIXELS
        )


def place_boards(
    placements: Sequence[BoardPlacement], shapes: Sequence[tuple[BoardShape, bool]], edge: int
) -> tuple[BoardOnMap, ...]:
    """Lay the boards out (geometry.md 2): widths sum up along a row, heights along a column."""
    sizes = []
    for placement, (shape, _) in zip(placements, shapes, strict=True):
        crop = placement.crop
        width = crop.width if crop and crop.width > 0 else shape.width
        height = crop.height if crop and crop.height > 0 else shape.height
        zoom = placement.zoom
        sizes.append((width, height, floor(width * zoom + 0.5), floor(height * zoom + 0.5)))
    reading = sorted(
        range(len(placements)), key=lambda i: (placements[i].row, placements[i].column)
    )
    keys: dict[int, str] = {}
    count: dict[str, int] = {}
    for number in reading:
        name = shapes[number][0].name
        count[name] = count.get(name, 0) + 1
        keys[number] = name if count[name] == 1 else f"{name}~{count[name]}"
    found = []
    for number, (placement, (shape, missing)) in enumerate(zip(placements, shapes, strict=True)):
        width, height, map_width, map_height = sizes[number]
        found.append(
            BoardOnMap(
                key=keys[number],
                placement=placement,
                shape=shape,
                crop=(
                    placement.crop.x if placement.crop else 0,
                    placement.crop.y if placement.crop else 0,
                    width,
                    height,
                ),
                x=edge
                + sum(
                    sizes[i][2]
                    for i, other in enumerate(placements)
                    if other.row == placement.row and other.column < placement.column
                ),
                y=edge
                + sum(
                    sizes[i][3]
                    for i, other in enumerate(placements)
                    if other.column == placement.column and other.row < placement.row
                ),
                width=map_width,
                height=map_height,
                missing=missing,
            )
        )
    return tuple(found)


def lattice_place(x: float, y: float, lattice: Lattice) -> tuple[int, int]:
    """Column and doubled row of a point: the nearest hex of the lattice."""
    origin_x, origin_y, dx, dy = lattice
    column = floor((x - origin_x) / dx + 0.5)
    half_rows = (y - origin_y) / dy * 2
    parity = column % 2
    return column, 2 * floor((half_rows - parity) / 2 + 0.5) + parity


def fits(x: float, y: float, lattice: Lattice) -> bool:
    """Whether a hex centre lies on a hex centre of the lattice, give or take an eighth of a hex."""
    origin_x, origin_y, dx, dy = lattice
    column, row = lattice_place(x, y, lattice)
    return abs(x - origin_x - column * dx) <= dx / 8 and abs(y - origin_y - row * dy / 2) <= dy / 8
