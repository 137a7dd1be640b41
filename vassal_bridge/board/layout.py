"""Boards joined into one map: which pixel is which hex, and which hexes are neighbours.

Two questions are kept apart. What the client calls a pixel (`Layout.hex_at`) decides what a counter
reports, and may give the two halves of a hex on a seam two names. What the rules call a hex
(`Layout.canonical`) is one name for both halves: the one a counter snapped to its middle reports,
never that of a spacer board. VASL's line of sight takes the name of the board placed later; it
answers to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from vassal_bridge.board.layout_board import (
    BoardOnMap,
    Lattice,
    fits,
    lattice_place,
    place_boards,
)
from vassal_bridge.board.layout_library import BoardLibrary, BoardShape
from vassal_bridge.board.placement import BoardPlacement
from vassal_bridge.errors import BoardError, LimitReached
from vassal_bridge.limits import MAX_MAP_PIXELS

EDGE = 400
"""Pixels around the boards since VASL 6.2."""

_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""Neighbours by hexside in doubled lattice coordinates."""
_SIDE_OF = {step: side for side, step in enumerate(_STEPS)}


@dataclass(frozen=True, slots=True)
class BoardProblem:
    """Something about the map that was not understood; the rest of it still works.

    Attributes:
        code: stable word, e.g. ``board-missing``, ``overlay``.
        text: what is wrong, one line.
        hexes: the hexes concerned, empty when it is the whole map or board.
        facts: what a sentence in another language is made of: ``board``, ``word``; ``doubt`` names
            a special case of the code.
    """

    code: str
    text: str
    hexes: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


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
        self.boards: tuple[BoardOnMap, ...] = place_boards(placements, shapes, edge)
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
            text, facts = f"board {name} is not at hand", [("board", name)]
            if not self.library.known(name):
                text += ", its size is guessed"
                facts.append(("doubt", "size"))
            self._problems.append(BoardProblem("board-missing", text, facts=tuple(facts)))
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
    def _lattices(self) -> tuple[tuple[int, Lattice] | None, ...]:
        """Per board: number of its island and the lattice its hexes lie on; None for spacers."""
        found: list[tuple[int, Lattice] | None] = []
        islands: list[Lattice] = []
        for board in self.boards:
            cells = [] if board.spacer else list(board.cells())
            if not cells:
                found.append(None)
                continue
            ends = (cells[0][3:], cells[-1][3:])
            number = next(
                (n for n, known in enumerate(islands) if all(fits(x, y, known) for x, y in ends)),
                None,
            )
            if number is None:
                grid, zoom = board.shape.grid, board.placement.zoom
                number = len(islands)
                islands.append((*ends[0], grid.dx * zoom, grid.dy * zoom))
            found.append((number, islands[number]))
        if len(islands) > 1:
            text = "the hexes of some boards do not meet: no LOS or movement between them"
            self._problems.append(BoardProblem("boards-not-aligned", text))
        return tuple(found)

    @cached_property
    def _cells(self) -> dict[str, Cell]:
        """All hexes by name, board by board as VASL inserts them: by column, then by row."""
        lattices = self._lattices
        order = sorted(
            range(len(self.boards)),
            key=lambda number: (
                self.boards[number].placement.column,
                self.boards[number].placement.row,
            ),
        )
        shares: dict[tuple[int, int, int], list[_Share]] = {}
        for number in order:
            known = lattices[number]
            if known is None:
                continue
            island, lattice = known
            for name, column, row, x, y in self.boards[number].cells():
                key = (island, *lattice_place(x, y, lattice))
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
    def _places(self) -> dict[str, tuple[int, int, int]]:
        """Lattice, column and doubled row of each hex by its one name."""
        return {name: (cell.island, *cell.at) for name, cell in self._cells.items()}

    @cached_property
    def _by_place(self) -> dict[tuple[int, int, int], str]:
        return {place: name for name, place in self._places.items()}

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
        for board, known in zip(self.boards, self._lattices, strict=True):
            if known is None or not board.near(x, y) or not fits(x, y, known[1]):
                continue
            found = self._by_place.get((known[0], *lattice_place(x, y, known[1])))
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
        if not names:
            return "no boards"
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
        return _SIDE_OF.get(step) if a.island == b.island else None

    def distance(self, a: str, b: str) -> int:
        """Range in hexes.

        Between boards whose grids do not meet it is measured as if both lay on the first grid.
        """
        places = self._places
        try:
            (island, column, row), (other, to_column, to_row) = places[a], places[b]
        except KeyError:  # a second name of a hex on a seam, or none at all
            return self.distance(self.cell(a).name, self.cell(b).name)
        if other != island:
            known, second = self._lattices[self._cells[a].board], self._cells[b]
            if known:
                to_column, to_row = lattice_place(second.x, second.y, known[1])
        across = abs(column - to_column)
        down = abs(row - to_row)
        return across + (down - across + 1) // 2 if down > across else across
