"""Boards joined into one map, as the line of sight engine joins them (los/algorithm.md 8).

A board is windowed (crop), turned (reversal) and then inserted, column by column of the board
matrix and top to bottom. Hex data are moved, never derived anew from the joined pixels. Positions
of hexes are those of the joined grid.

Cropped boards keep the pixels and hexes they have on the full board, so a line of sight inside the
crop is the one on the full board. Slivers of hexes at the crop's edge stay in the grid, without a
name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.facts import (
    HexFacts,
    LevelGrid,
    TerrainGrid,
    blank_facts,
    derive_facts,
)
from vassal_bridge.board.hexes import Hex, HexGeometry
from vassal_bridge.board.hexgrid import BoolArray, HexArrays, hex_arrays
from vassal_bridge.board.losterrain import TerrainTable
from vassal_bridge.errors import BoardError, LimitReached
from vassal_bridge.limits import MAX_BOARD_HEXES, MAX_LOSDATA_PIXELS

if TYPE_CHECKING:
    from vassal_bridge.board.archive import BoardArchive

Crop = tuple[int, int, int, int]
Place = tuple[int, int]
_Pixel = TypeVar("_Pixel", np.uint8, np.int8)

FIT_PIXELS = 3.0
"""How far a board's hexes may lie off the lattice of the map and still belong to it."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBoard:
    """One board of a map: its grids and where it lies.

    `name` is the board part of hex names (``z``, ``z~2``); `crop` x, y, width, height in pixels of
    the unreversed board (width or height <= 0: to the edge); `column` and `row` the cell of the
    board matrix; `at` the upper left pixel on the joined picture, where boards that are not given
    (spacers) take part in the layout. The grids may be changed by scenario rules; facts are derived
    from them as given.
    """

    name: str
    geometry: HexGeometry
    terrain: TerrainGrid
    elevation: LevelGrid
    stairway: BoolArray
    reversed: bool = False
    crop: Crop | None = None
    column: int = 0
    row: int = 0
    at: Place | None = None

    @classmethod
    def of(
        cls,
        archive: BoardArchive,
        *,
        name: str | None = None,
        reversed_: bool = False,
        crop: Crop | None = None,
        column: int = 0,
        row: int = 0,
        terrain: TerrainGrid | None = None,
        elevation: LevelGrid | None = None,
        at: Place | None = None,
    ) -> PlacedBoard:
        """Place an archive's board, with changed grids if scenario rules made some.

        Raises:
            BoardError: the archive has no LOSData, or it is damaged.
        """
        return cls(
            name=archive.name if name is None else name,
            geometry=archive.geometry,
            terrain=archive.terrain if terrain is None else terrain,
            elevation=archive.elevation if elevation is None else elevation,
            stairway=archive.stairway,
            reversed=reversed_,
            crop=crop,
            column=column,
            row=row,
            at=at,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """The joined grids and hexes; `names` by index, `aliases` second names of seam hexes."""

    geometry: HexGeometry
    arrays: HexArrays
    facts: HexFacts
    terrain: TerrainGrid
    elevation: LevelGrid
    names: list[str | None]
    aliases: dict[str, int] = field(default_factory=dict)
    boards: list[str] = field(default_factory=list)
    misfits: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """The part of a board that is used, turned as it lies, ready for insertion."""

    name: str
    geometry: HexGeometry
    terrain: TerrainGrid
    elevation: LevelGrid
    facts: HexFacts
    names: dict[Hex, str]
    whole: bool


def join(boards: Iterable[PlacedBoard], table: TerrainTable) -> Joined:
    """Join boards; those that do not fall on the first board's lattice become misfits.

    Raises:
        BoardError: no board, a crop outside its board, grids that do not match the geometry.
        LimitReached: the map passes the limits of a single board.
    """
    placed = sorted(boards, key=lambda b: (b.column, b.row))
    if not placed:
        raise BoardError("a map needs at least one board")
    _not_too_large(placed)
    windows = [_window(board, table) for board in placed]
    places = _places(placed, windows)
    geometry = _joined_geometry(windows, places)
    arrays = hex_arrays(geometry)
    count = len(arrays.exists)
    joined = Joined(
        geometry=geometry,
        arrays=arrays,
        facts=blank_facts(count, arrays.on_map),
        terrain=np.zeros((geometry.width, geometry.height), np.uint8),
        elevation=np.zeros((geometry.width, geometry.height), np.int8),
        names=[None] * count,
    )
    for window, place in zip(windows, places, strict=True):
        step = _lattice_step(geometry, window.geometry, place)
        if step is None:
            joined.misfits.append(window.name)
        else:
            _insert(joined, window, step)
            joined.boards.append(window.name)
    return joined


def _not_too_large(placed: list[PlacedBoard]) -> None:
    """Refuses a map that cannot be joined before time is spent on its boards."""
    pixels = 0
    for board in placed:
        wide, high = board.terrain.shape
        if board.crop is not None:
            _, _, w, h = board.crop
            wide, high = w if w > 0 else wide, h if h > 0 else high
        pixels += wide * high
    if pixels > MAX_LOSDATA_PIXELS:
        raise LimitReached(f"boards of {pixels} pixels, limit {MAX_LOSDATA_PIXELS}")


def _places(placed: list[PlacedBoard], windows: list[_Window]) -> list[Place]:
    """Upper left pixel of each board: as given, or after the boards left of it and above it."""
    cells = [(b.column, b.row, w.terrain.shape) for b, w in zip(placed, windows, strict=True)]
    return [
        board.at
        or (
            sum(shape[0] for c, r, shape in cells if r == board.row and c < board.column),
            sum(shape[1] for c, r, shape in cells if c == board.column and r < board.row),
        )
        for board in placed
    ]


# -- windows -----------------------------------------------------------------------------------


def _window(board: PlacedBoard, table: TerrainTable) -> _Window:
    geometry = board.geometry.on_picture()
    shape = (geometry.width, geometry.height)
    if board.terrain.shape != shape or board.elevation.shape != shape:
        raise BoardError(f"board {board.name}: grids of another size than the board")
    facts = derive_facts(
        hex_arrays(geometry), board.terrain, board.elevation, board.stairway, table
    )
    names = {
        hex_: board.name + geometry.name(hex_)
        for hex_ in geometry.hexes()
        for x, y in [geometry.aim(hex_)]
        if 0 <= x < geometry.width and 0 <= y < geometry.height
    }
    window = _Window(board.name, geometry, board.terrain, board.elevation, facts, names, whole=True)
    if board.crop is not None:
        window = _cropped(window, board.crop)
    return _turned(window) if board.reversed else window


def _cropped(window: _Window, crop: Crop) -> _Window:
    g = window.geometry
    x, y, w, h = crop
    w = w if w > 0 else g.width - x
    h = h if h > 0 else g.height - y
    if min(x, y) < 0 or min(w, h) < 1 or x + w > g.width or y + h > g.height:
        raise BoardError(f"board {window.name}: crop {crop} outside {g.width} x {g.height}")
    if (x, y, w, h) == (0, 0, g.width, g.height):
        return window
    side, half = g.hex_w * 2 / 3, g.hex_h / 2
    # The first column is even in the window too, so that odd columns stay the higher ones.
    first_column = max(0, floor((x - g.a1x - side) / g.hex_w) + 1) // 2 * 2
    first_row = max(0, floor((y - g.a1y - half) / g.hex_h) + 1)
    if first_column >= g.columns or first_row >= g.rows:
        raise BoardError(f"board {window.name}: no hex within the crop {crop}")
    columns = ceil((x + w - g.a1x + side) / g.hex_w) - first_column
    rows = ceil((y + h - g.a1y + half - FIT_PIXELS) / g.hex_h) - first_row
    part = replace(
        g,
        a1x=g.a1x + g.hex_w * first_column - x,
        a1y=g.a1y + g.hex_h * first_row - y,
        columns=max(1, min(columns, g.columns - first_column)),
        rows=max(1, min(rows, g.rows - first_row)),
        width=w,
        height=h,
        first_column=g.first_column + first_column,
        first_row=g.first_row + first_row,
    )
    facts = blank_facts(part.columns * part.stride, hex_arrays(part).on_map)
    names = {}
    pairs = []
    for hex_ in part.hexes():
        full = (hex_[0] + first_column, hex_[1] + first_row)
        pairs.append((g.index(full), part.index(hex_)))
        ax, ay = part.aim(hex_)
        if 0 <= ax < w and 0 <= ay < h and full in window.names:
            names[hex_] = window.names[full]
    _move(window.facts, facts, pairs)
    cut = (slice(x, x + w), slice(y, y + h))
    return _Window(
        window.name,
        part,
        window.terrain[cut],
        window.elevation[cut],
        facts,
        names,
        whole=False,
    )


def _turned(window: _Window) -> _Window:
    """The window turned by 180 degrees; hex (c, r) takes the data of its mirror image."""
    g = window.geometry
    # An even number of columns would make odd columns even: add one beyond the edge.
    columns = g.columns + (1 - g.columns % 2)
    turned = replace(
        g,
        a1x=_snap(g.width - g.a1x - g.hex_w * (columns - 1), g.a1x),
        a1y=_snap(g.height - g.a1y - g.hex_h * (g.rows - 1), g.a1y),
        columns=columns,
    )
    facts = blank_facts(turned.columns * turned.stride, hex_arrays(turned).on_map)
    names, pairs = {}, []
    for column, row in g.hexes():
        to = (columns - 1 - column, g.rows_of(column) - 1 - row)
        pairs.append((g.index((column, row)), turned.index(to)))
        if (column, row) in window.names:
            names[to] = window.names[column, row]
    _move(window.facts, facts, pairs, turn=3)
    return replace(
        window,
        geometry=turned,
        terrain=window.terrain[::-1, ::-1],
        elevation=window.elevation[::-1, ::-1],
        facts=facts,
        names=names,
    )


def _snap(value: float, ideal: float) -> float:
    return ideal if abs(value - ideal) < 1e-6 else value


def _move(source: HexFacts, target: HexFacts, pairs: list[tuple[int, int]], turn: int = 0) -> None:
    """Copy all facts of hexes from the first to the second index of pairs; turn their sides."""
    i, j = np.array(pairs).T
    for name in ("centre", "base", "storeys", "stairway", "depression"):
        getattr(target, name)[j] = getattr(source, name)[i]
    for name in ("side_terrain", "wall", "cliff", "on_map"):
        getattr(target, name)[j] = np.roll(getattr(source, name)[i], turn, axis=1)


# -- joining -----------------------------------------------------------------------------------


def _joined_geometry(windows: list[_Window], places: list[Place]) -> HexGeometry:
    first, (px, py) = windows[0].geometry, places[0]
    width = max(x + w.terrain.shape[0] for w, (x, _) in zip(windows, places, strict=True))
    height = max(y + w.terrain.shape[1] for w, (_, y) in zip(windows, places, strict=True))
    if width * height > MAX_LOSDATA_PIXELS:
        raise LimitReached(f"map of {width} x {height} pixels, limit {MAX_LOSDATA_PIXELS}")
    if len(windows) == 1 and places[0] == (0, 0):
        return first
    a1x = first.a1x + px - 2 * first.hex_w * ceil(px / (2 * first.hex_w) - 0.01)
    a1y = first.a1y + py - first.hex_h * ceil(py / first.hex_h - 0.01)
    across = (width - a1x) / first.hex_w
    down = (height - (a1y - first.hex_h / 2)) / first.hex_h
    whole = all(window.whole for window in windows)
    # VASL rounds; with cropped boards the last, partly visible hexes must be there as well.
    columns = (floor(across + 0.5) if whole else ceil(across - 0.1)) + 1
    rows = max(1, floor(down + 0.5) if whole else ceil(down - 0.1))
    if columns * (rows + 1) > MAX_BOARD_HEXES:
        raise LimitReached(f"map of {columns} x {rows} hexes, limit {MAX_BOARD_HEXES} in all")
    return replace(
        first,
        a1x=a1x,
        a1y=a1y,
        columns=columns,
        rows=rows,
        width=width,
        height=height,
        first_column=0,
        first_row=0,
    )


def _lattice_step(joined: HexGeometry, board: HexGeometry, place: Place) -> Hex | None:
    """Columns and rows from a board's hex to the joined hex, None if it does not fall on one."""
    if max(abs(joined.hex_w - board.hex_w), abs(joined.hex_h - board.hex_h)) > 0.2:
        return None
    across = (place[0] + board.a1x - joined.a1x) / joined.hex_w
    down = (place[1] + board.a1y - joined.a1y) / joined.hex_h
    columns, rows = floor(across + 0.5), floor(down + 0.5)
    if columns & 1:
        return None
    off = max(abs(across - columns) * joined.hex_w, abs(down - rows) * joined.hex_h)
    return (columns, rows) if off <= FIT_PIXELS else None


def _insert(joined: Joined, window: _Window, step: Hex) -> None:
    g, own = joined.geometry, window.geometry
    hexes = [
        (hex_, to)
        for hex_ in own.hexes()
        for to in [(hex_[0] + step[0], hex_[1] + step[1])]
        if g.has(to)
    ]
    anchor = next(((a, b) for a, b in hexes if a in window.names), None)
    if anchor is None:
        return
    (ax, ay), (bx, by) = own.aim(anchor[0]), g.aim(anchor[1])
    _copy(joined.terrain, window.terrain, bx - ax, by - ay)
    _copy(joined.elevation, window.elevation, bx - ax, by - ay)
    pairs = []
    for hex_, to in hexes:
        if hex_ in window.names or joined.names[g.index(to)] is None:
            pairs.append((own.index(hex_), g.index(to)))
        name = window.names.get(hex_)
        if name is not None:
            before = joined.names[g.index(to)]
            if before is not None:
                joined.aliases[before] = g.index(to)
            joined.names[g.index(to)] = name
    _overwrite(joined.facts, window.facts, pairs)


def _copy(target: npt.NDArray[_Pixel], source: npt.NDArray[_Pixel], left: int, top: int) -> None:
    """Copy a board's pixels to their place, cut at the edges of the joined picture."""
    x0, y0 = max(0, left), max(0, top)
    x1 = min(target.shape[0], left + source.shape[0])
    y1 = min(target.shape[1], top + source.shape[1])
    if x0 < x1 and y0 < y1:
        target[x0:x1, y0:y1] = source[x0 - left : x1 - left, y0 - top : y1 - top]


def _overwrite(target: HexFacts, source: HexFacts, pairs: list[tuple[int, int]]) -> None:
    """A board's hexes replace joined ones; their sides only where both count them on the map."""
    i, j = np.array(pairs).T
    for name in ("centre", "base", "stairway", "depression"):
        getattr(target, name)[j] = getattr(source, name)[i]
    # Upper levels are added: a seam hex keeps those of the earlier board.
    target.storeys[j] = np.where(source.storeys[i] > 0, source.storeys[i], target.storeys[j])
    both = source.on_map[i] & target.on_map[j]
    for name in ("side_terrain", "wall", "cliff"):
        mine, theirs = getattr(target, name), getattr(source, name)
        mine[j] = np.where(both, theirs[i], mine[j])
