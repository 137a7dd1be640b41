"""Boards joined into one map: which pixel is which hex, and which hexes are neighbours.

Two questions are kept apart. What the client calls a pixel (`Layout.hex_at`) decides what a counter
reports, and may give the two halves of a hex on a seam two names. What the rules call a hex
(`Layout.canonical`) is one name for both halves: the one a counter snapped to its middle reports,
never that of a spacer board. VASL's line of sight takes the name of the board placed later; it
answers to both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor

from vassal_bridge.board.layout_library import BoardLibrary, BoardShape
from vassal_bridge.board.placement import BoardPlacement
from vassal_bridge.errors import BoardError, LimitReached
from vassal_bridge.limits import MAX_MAP_PIXELS

EDGE = 400
"""Pixels around the boards since VASL 6.2."""
OLD_EDGE = 200
"""Pixels around the boards before VASL 6.2."""

MIN_ON_CENTRES = 6
"""Fewer counters on hex centres than this never overrule the edge that the version suggests."""

_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Neighbours by hexside in doubled lattice coordinates."""
_SEAM_PIXELS = 3.0
"""How far a hex centre may lie off the cut of a board and still be a half hex on it."""


@dataclass(frozen=True, slots=True)
class BoardProblem:
    """Something about the map that was not understood; the rest of it still works.

    Attributes:
        code: stable word, e.g. ``board-missing``, ``overlay``.
        text: what is wrong, one line.
        hexes: the hexes concerned, empty when it is the whole map or board.
    """

    code: str
    text: str
    hexes: tuple[str, ...] = ()


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
                    left - _SEAM_PIXELS <= x <= left + width + _SEAM_PIXELS
                    and top - _SEAM_PIXELS <= y <= top + height + _SEAM_PIXELS
                ):
                    yield (grid.text(column, row), column, row, *self.to_map(x, y))


@dataclass(frozen=True, slots=True)
class Cell:
    """One hex of the map.

    Attributes:
        name: its one name for the rules: ``zO5``.
        board: index of the board that names it.
        column, row: on that board; the printed row.
        x, y: exact centre in map pixels.
        island: number of the lattice it lies on; boards whose grids do not meet have their own.
        at: column and doubled row on the lattice, in the orientation of the map.
        parts: (board index, printed name) of every board that has a share of it; two on a seam, the
            one VASL inserts later last.
    """

    name: str
    board: int
    column: int
    row: int
    x: float
    y: float
    island: int
    at: tuple[int, int]
    parts: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class _Share:
    """A board's share of a hex: the whole of it, or a half on a seam."""

    board: int
    printed: str
    column: int
    row: int
    x: float
    y: float


class Layout:
    """A map of boards.

    Args:
        placements: the boards, as `parse_boards` or `placements_from_rows` give them.
        library: where boards are found.
        edge: pixels around the boards, see `map_edge`.
        strict: a board that is missing is an error, not a problem.

    Raises:
        BoardError: strict, and a board that is not a spacer is missing or damaged.
        LimitReached: the map would have more than `MAX_MAP_PIXELS` pixels.
    """

    def __init__(
        self,
        placements: Sequence[BoardPlacement],
        library: BoardLibrary,
        *,
        edge: int = EDGE,
        strict: bool = True,
    ) -> None:
        self.edge = edge
        self.library = library
        self._problems: list[BoardProblem] = []
        shapes = [self._shape(placement, strict=strict) for placement in placements]
        self.boards: tuple[BoardOnMap, ...] = _place(placements, shapes, edge)
        right = max((board.x + board.width for board in self.boards), default=edge)
        bottom = max((board.y + board.height for board in self.boards), default=edge)
        if right * bottom > MAX_MAP_PIXELS:
            raise LimitReached(f"map of {right} x {bottom} pixels", place="boards")
        self.size: tuple[int, int] = (right + edge, bottom + edge)

    def _shape(self, placement: BoardPlacement, *, strict: bool) -> tuple[BoardShape, bool]:
        name = placement.name
        missing = not self.library.has(name) and name != "open"
        if missing and not placement.spacer:
            if strict:
                self.library.find(name)
            guess = "" if self.library.known(name) else ", its size is guessed"
            text = f"board {name} is not at hand{guess}"
            self._problems.append(BoardProblem("board-missing", text))
        if missing and not self.library.known(name):
            return BoardShape.of(name, self.library.shape("open").geometry), True
        return self.library.shape(name), missing

    @property
    def problems(self) -> tuple[BoardProblem, ...]:
        """What is wrong with the map as a map: missing boards, grids that do not meet."""
        _ = self._cells
        return tuple(self._problems)

    # -- pixels --------------------------------------------------------------------------------

    def board_at(self, x: int, y: int) -> BoardOnMap | None:
        """The board under a map pixel: the first in the order of the boards line."""
        return next((board for board in self.boards if board.contains(x, y)), None)

    def hex_at(self, x: int, y: int) -> str | None:
        """What the client calls a map pixel: ``zO5``, on a hexside ``zT6/T7``; None off the boards.

        Always with the board; the client leaves it out when the map has only one.
        """
        board = self.board_at(x, y)
        return None if board is None else board.name_at(x, y)

    def ground_hex_at(self, x: int, y: int) -> str | None:
        """The hex for the rules under a map pixel; of two hexes on a hexside the first.

        None off the boards, on spacers and where a board has no hexes.
        """
        named = self.hex_at(x, y)
        return None if named is None else self._alias.get(named.partition("/")[0])

    def snap(self, name: str) -> tuple[int, int]:
        """Map pixel at which a counter in a hex lies.

        Raises:
            BoardError: the map has no such hex.
        """
        cell = self.cell(name)
        return self.boards[cell.board].snap(cell.column, cell.row)

    centre = snap

    def polygon(self, name: str) -> tuple[tuple[float, float], ...]:
        """Corners of the hex in map pixels, from the upper left one clockwise; not cut at edges.

        Raises:
            BoardError: the map has no such hex.
        """
        cell = self.cell(name)
        board = self.boards[cell.board]
        dx = board.shape.grid.dx * board.placement.zoom
        dy = board.shape.grid.dy * board.placement.zoom
        x, y, third, half = cell.x, cell.y, dx / 3, dy / 2
        return (
            (x - third, y - half),
            (x + third, y - half),
            (x + 2 * third, y),
            (x + third, y + half),
            (x - third, y + half),
            (x - 2 * third, y),
        )

    # -- hexes ---------------------------------------------------------------------------------

    @cached_property
    def _lattices(self) -> tuple[tuple[int, float, float, float, float], ...]:
        """Per board: island, origin and pitches of the lattice its hexes lie on."""
        found: list[tuple[int, float, float, float, float]] = []
        islands: list[tuple[float, float, float, float]] = []
        for board in self.boards:
            cells = [] if board.spacer else list(board.cells())
            if not cells:
                found.append((-1, 0.0, 0.0, 1.0, 1.0))
                continue
            for number, lattice in enumerate(islands):
                if all(_fits(x, y, lattice) for *_, x, y in (cells[0], cells[-1])):
                    found.append((number, *lattice))
                    break
            else:
                grid, zoom = board.shape.grid, board.placement.zoom
                own = (cells[0][3], cells[0][4], grid.dx * zoom, grid.dy * zoom)
                found.append((len(islands), *own))
                islands.append(own)
        if len(islands) > 1:
            text = "the hexes of some boards do not meet: no LOS or movement between them"
            self._problems.append(BoardProblem("boards-not-aligned", text))
        return tuple(found)

    @cached_property
    def _cells(self) -> dict[str, Cell]:
        """All hexes by name, board by board as VASL inserts them: by column, then by row."""
        lattices = self._lattices
        order = sorted(
            (number for number, board in enumerate(self.boards) if not board.spacer),
            key=lambda number: (
                self.boards[number].placement.column,
                self.boards[number].placement.row,
            ),
        )
        shares: dict[tuple[int, int, int], list[_Share]] = {}
        for number in order:
            island, *lattice = lattices[number]
            origin = (lattice[0], lattice[1], lattice[2], lattice[3])
            for name, column, row, x, y in self.boards[number].cells():
                key = (island, *_lattice_place(x, y, *origin))
                # A hex on a seam moves to the end, among those of the board placed later.
                found = shares.pop(key, [])
                shares[key] = [*found, _Share(number, name, column, row, x, y)]
        cells = (self._cell(key, parts) for key, parts in shares.items())
        return {cell.name: cell for cell in cells}

    def _cell(self, key: tuple[int, int, int], shares: list[_Share]) -> Cell:
        """The hex of one place; on a seam it has the name a counter snapped to it reports."""
        owner = shares[-1]
        if len(shares) > 1:
            for share in sorted(shares, key=lambda share: share.board):
                board = self.boards[share.board]
                if self.board_at(*board.snap(share.column, share.row, keep=False)) is board:
                    owner = share
                    break
        return Cell(
            name=self.boards[owner.board].key + owner.printed,
            board=owner.board,
            column=owner.column,
            row=owner.row,
            x=owner.x,
            y=owner.y,
            island=key[0],
            at=key[1:],
            parts=tuple((share.board, share.printed) for share in shares),
        )

    @cached_property
    def _by_place(self) -> dict[tuple[int, int, int], str]:
        return {(cell.island, *cell.at): cell.name for cell in self._cells.values()}

    @cached_property
    def _spacer_cells(self) -> tuple[tuple[str, str], ...]:
        """Half hexes that spacers share with a real board: the spacer's name for it, the hex."""
        found = []
        for board in self.boards:
            if not board.spacer:
                continue
            for name, _, _, x, y in board.cells():
                same = self._hex_on_lattice(x, y)
                if same is not None:
                    found.append((board.key + name, same))
        return tuple(found)

    def _hex_on_lattice(self, x: float, y: float) -> str | None:
        """The hex of a real board whose centre is at a point, for points on its edge."""
        for number, (island, *lattice) in enumerate(self._lattices):
            if island < 0 or not _near(x, y, self.boards[number]):
                continue
            origin = (lattice[0], lattice[1], lattice[2], lattice[3])
            if _fits(x, y, origin):
                found = self._by_place.get((island, *_lattice_place(x, y, *origin)))
                if found is not None:
                    return found
        return None

    @cached_property
    def _alias(self) -> dict[str, str]:
        """Every name a hex can be called by, spacers' half hexes on a seam included."""
        found = {
            self.boards[number].key + printed: cell.name
            for cell in self._cells.values()
            for number, printed in cell.parts
        }
        for name, same in self._spacer_cells:
            found.setdefault(name, same)
        return found

    @cached_property
    def _ceded(self) -> frozenset[str]:
        """Half hexes that the client gives to a spacer: their snapped centre lies on it.

        Nobody moves there: to the game the map ends before them, as the answers for real saves have
        it. A unit that stands in one is still on the map.
        """
        found = set()
        for name in {same for _, same in self._spacer_cells}:
            cell = self._cells[name]
            under = self.board_at(*self.boards[cell.board].snap(cell.column, cell.row, keep=False))
            if under is not None and under.spacer:
                found.add(name)
        return frozenset(found)

    @cached_property
    def _playable(self) -> tuple[str, ...]:
        return tuple(name for name in self._cells if name not in self._ceded)

    def hexes(self) -> tuple[str, ...]:
        """All hexes in play, board by board, by column, from north to south.

        Half hexes on a seam that the client gives to a spacer are not in play: see `drawn`.
        """
        return self._playable

    def drawn(self) -> tuple[str, ...]:
        """All hexes that belong to a real board, those that a spacer cuts off included."""
        return tuple(self._cells)

    def cell(self, name: str) -> Cell:
        """The hex of a name; seam hexes answer to the names of both boards.

        Raises:
            BoardError: the map has no such hex.
        """
        found = self._cells.get(name) or self._cells.get(self._alias.get(name, ""))
        if found is None:
            raise BoardError(f"no hex {name!r} on this map ({self._describe()})")
        return found

    def canonical(self, text: str) -> str:
        """The one name of a hex as somebody wrote it; with one board its name may be left out.

        Raises:
            BoardError: the map has no such hex.

        Example:
            On a map of board z alone ``canonical("O5")`` is ``"zO5"``; with y to the right of z
            ``canonical("zGG5")`` is ``"yA5"``.
        """
        text = text.strip()
        if text in self._cells:
            return text
        if text in self._alias:
            return self._alias[text]
        real = [board for board in self.boards if not board.spacer]
        if len(real) == 1 and real[0].key + text in self._alias:
            return self._alias[real[0].key + text]
        return self.cell(text).name

    def rename(self, name: str) -> str:
        """The one name of a hex that may be called by another; other names stay as they are."""
        return name if name in self._cells else self._alias.get(name, name)

    def _describe(self) -> str:
        names = [
            board.key + (" reversed" if board.placement.reversed else "")
            for board in self.boards
            if not board.spacer
        ]
        return ("board " if len(names) == 1 else "boards ") + ", ".join(names)

    def neighbours(self, name: str) -> tuple[str | None, ...]:
        """The six neighbours in play by hexside 0 (north) to 5, clockwise; None off the map."""
        cell = self.cell(name)
        column, row = cell.at
        beside = (self._by_place.get((cell.island, column + dc, row + dr)) for dc, dr in _STEPS)
        return tuple(None if at in self._ceded else at for at in beside)

    def side(self, at: str, other: str) -> int | None:
        """The side of a hex that another one lies across, in play or not; None if not adjacent."""
        a, b = self.cell(at), self.cell(other)
        step = (b.at[0] - a.at[0], b.at[1] - a.at[1])
        return _STEPS.index(step) if a.island == b.island and step in _STEPS else None

    def distance(self, a: str, b: str) -> int:
        """Range in hexes.

        Between boards whose grids do not meet it is measured as if both lay on the first grid.
        """
        first, second = self.cell(a), self.cell(b)
        place = second.at
        if second.island != first.island:
            lattice = self._lattices[first.board]
            place = _lattice_place(second.x, second.y, *lattice[1:])
        across = abs(first.at[0] - place[0])
        down = abs(first.at[1] - place[1])
        return across + max(0, (down - across + 1) // 2)

    def board_of(self, name: str) -> BoardOnMap:
        """The board that names a hex."""
        return self.boards[self.cell(name).board]


def _place(
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


def _lattice_place(
    x: float, y: float, origin_x: float, origin_y: float, dx: float, dy: float
) -> tuple[int, int]:
    """Column and doubled row of a point: the nearest hex of the lattice."""
    column = floor((x - origin_x) / dx + 0.5)
    half_rows = (y - origin_y) / dy * 2
    parity = column % 2
    return column, 2 * floor((half_rows - parity) / 2 + 0.5) + parity


def _fits(x: float, y: float, lattice: tuple[float, float, float, float]) -> bool:
    """Whether a hex centre lies on a hex centre of the lattice, give or take an eighth of a hex."""
    origin_x, origin_y, dx, dy = lattice
    column, row = _lattice_place(x, y, *lattice)
    return abs(x - origin_x - column * dx) <= dx / 8 and abs(y - origin_y - row * dy / 2) <= dy / 8


def _near(x: float, y: float, board: BoardOnMap) -> bool:
    """Whether a point lies on a board or within a few pixels of it."""
    return (
        board.x - _SEAM_PIXELS <= x <= board.x + board.width + _SEAM_PIXELS
        and board.y - _SEAM_PIXELS <= y <= board.y + board.height + _SEAM_PIXELS
    )


def map_edge(
    placements: Sequence[BoardPlacement],
    library: BoardLibrary,
    places: Iterable[tuple[int, int]],
    version: str | None = None,
) -> int:
    """How many pixels lie around the boards of a saved game: 400, or 200 before VASL 6.2.

    The client draws 400 pixels whatever the file says, so in a game begun before 6.2 every counter
    stands 200 pixels too far up and left. The version tells, and the counters overrule it when they
    leave no doubt: at least half of those on hexes lie on hex centres for the other edge, and ten
    times as many as for this one.

    Args:
        placements: the boards.
        library: where their archives are.
        places: map pixels of the counters.
        version: version of the module that wrote the file, e.g. ``"6.5-beta3"``, if known.
    """
    numbers = [int(part) for part in re.findall(r"\d+", version or "")[:2]]
    likely = OLD_EDGE if numbers and tuple(numbers) < (6, 2) else EDGE
    other = OLD_EDGE if likely == EDGE else EDGE
    layout = Layout(placements, library, strict=False)
    inside = {EDGE: 0, OLD_EDGE: 0}
    centred = {EDGE: 0, OLD_EDGE: 0}
    for x, y in set(places):
        for edge in inside:
            found = _on_centre(layout, x + EDGE - edge, y + EDGE - edge)
            inside[edge] += found is not None
            centred[edge] += found is True
    clear = (
        centred[other] >= MIN_ON_CENTRES
        and 2 * centred[other] >= inside[other]
        and centred[other] >= 10 * centred[likely]
    )
    return other if clear else likely


def _on_centre(layout: Layout, x: int, y: int) -> bool | None:
    """Whether a pixel is the centre of a hex, None where there is no hex."""
    name = layout.ground_hex_at(x, y)
    if name is None:
        return None
    at = layout.snap(name)
    return abs(at[0] - x) <= 1 and abs(at[1] - y) <= 1
