"""Where a ground takes its facts from: the pixels of boards, or nothing at all (the open board)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import ceil
from typing import Protocol

import numpy as np

from vassal_bridge.board.archive import BoardArchive
from vassal_bridge.board.ground_buildings import Regions
from vassal_bridge.board.hexgrid import BoolArray, OutlineMasks
from vassal_bridge.board.identity import (
    BoardPixels,
    HexPixels,
    corrections,
    measure,
    without_roads,
)
from vassal_bridge.board.layout import BoardProblem, Layout
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.scenario import ChangedBoard
from vassal_bridge.board.terrain import UNKNOWN, HexsideKind, terrain_map

UNCLEAR_SHARE = 0.02
"""Share of a hex that a scenario word not understood must touch to make the hex unknown."""


class Source(Protocol):
    """What a ground asks about single hexes; names are those of `Layout.hexes`."""

    def terrain_name(self, at: str) -> str:
        """Terrain by R87, a key of module_maps/terrain.toml."""

    def level(self, at: str) -> int:
        """Hill level."""

    def hexside(self, at: str, side: int) -> HexsideKind | None:
        """Wall, hedge and the like on a side of a hex."""

    def road_crosses(self, at: str, side: int) -> bool:
        """Whether a road runs across a side."""

    def building(self, at: str) -> int | None:
        """Number of the connected building with pixels in the hex."""

    def understood(self, at: str) -> bool:
        """Whether nothing unknown lies in the hex."""


class OpenSource:
    """The built-in board: open ground at level 0 everywhere."""

    def terrain_name(self, at: str) -> str:  # noqa: ARG002
        """Open everywhere."""
        return "open"

    def level(self, at: str) -> int:  # noqa: ARG002
        """Level 0 everywhere."""
        return 0

    def hexside(self, at: str, side: int) -> HexsideKind | None:  # noqa: ARG002
        """None anywhere."""
        return None

    def road_crosses(self, at: str, side: int) -> bool:  # noqa: ARG002
        """Nowhere."""
        return False

    def building(self, at: str) -> int | None:  # noqa: ARG002
        """None anywhere."""
        return None

    def understood(self, at: str) -> bool:  # noqa: ARG002
        """Always."""
        return True


class PixelSource:
    """Facts from board archives, hex by hex as they are asked for.

    Args:
        layout: the map.
        archives: the archives at hand by index of the board.
        changed: their grids after scenario words and season.
        losmap: the joined map for lines of sight, None when no board has LOSData.
        painted: the same with painted hexes; walls are taken from it.
    """

    def __init__(
        self,
        layout: Layout,
        archives: Mapping[int, BoardArchive],
        changed: Mapping[int, ChangedBoard],
        losmap: LosMap | None,
        painted: LosMap | None = None,
    ) -> None:
        self._layout = layout
        self._archives = archives
        self._changed = changed
        self._losmap = losmap
        self._walls = painted or losmap
        self._masks = OutlineMasks()
        self._boards: dict[int, BoardPixels] = {}
        self._buildings: Regions | None = None

    # -- terrain -------------------------------------------------------------------------------

    def _pixels(self, board: int) -> BoardPixels | None:
        if board not in self._changed:
            return None
        found = self._boards.get(board)
        if found is None:
            geometry = self._archives[board].geometry.on_picture()
            found = BoardPixels(geometry, self._changed[board].terrain, self._masks)
            self._boards[board] = found
        return found

    def terrain_name(self, at: str) -> str:
        """Terrain by R87; the halves of a seam hex are measured together."""
        cell = self._layout.cell(at)
        whole: HexPixels | None = None
        for board, printed in cell.parts:
            corrected = corrections().get(self._layout.boards[board].shape.name, {}).get(printed)
            if corrected is not None:
                return corrected
            pixels = self._pixels(board)
            part = None if pixels is None else pixels.of(printed)
            if part is not None:
                whole = part if whole is None else whole.joined(part)
        if whole is None:
            return UNKNOWN
        name = measure(whole, self._vasl_centre(at, whole.centre))
        for board, _ in cell.parts:
            if board in self._changed:
                name = without_roads(name, self._changed[board].roads)
        return name

    def _vasl_centre(self, at: str, fallback: int) -> int:
        if self._losmap is None or at not in self._losmap:
            return fallback
        return int(self._losmap.facts.centre[self._losmap.index(at)])

    def understood(self, at: str) -> bool:
        """False without LOSData, and where a word not understood may have changed it."""
        cell = self._layout.cell(at)
        if self._losmap is None or at not in self._losmap:
            return False
        for board, printed in cell.parts:
            pixels = self._pixels(board)
            if pixels is None:
                return False
            for mask in self._changed[board].unclear_areas:
                if pixels.share(mask, printed) >= UNCLEAR_SHARE:
                    return False
        return True

    def problems(self) -> tuple[BoardProblem, ...]:
        """Boards without terrain, scenario words not understood, with the hexes they concern."""
        found = []
        for number, board in enumerate(self._layout.boards):
            if board.spacer:
                continue
            if number not in self._changed:
                if not board.missing:
                    text = f"board {board.key} has no terrain data (legacy board)"
                    which = (("board", board.key),)
                    found.append(BoardProblem("board-without-terrain", text, facts=which))
                continue
            pixels = self._pixels(number)
            changed = self._changed[number]
            under = {
                id(mask): self._hexes_under(number, pixels, mask) for mask in changed.unclear_areas
            }
            for word, mask in changed.unclear.items():
                hexes = under[id(mask)]
                if hexes:
                    text = f"scenario word {word} of board {board.key} is not understood"
                    about = (("word", word), ("board", board.key))
                    found.append(BoardProblem("scenario-word", text, hexes, about))
        return tuple(found)

    def _hexes_under(
        self, number: int, pixels: BoardPixels | None, mask: BoolArray
    ) -> tuple[str, ...]:
        if pixels is None or not mask.any():
            return ()
        return tuple(
            name
            for name in self._layout.drawn()
            for board, printed in self._layout.cell(name).parts
            if board == number and pixels.share(mask, printed) >= UNCLEAR_SHARE
        )

    # -- levels, hexsides, roads -----------------------------------------------------------------

    def level(self, at: str) -> int:
        """Hill level; 0 where it is not known."""
        index = None if self._losmap is None else self._losmap.find(at)
        return 0 if index is None else self._levels[index]

    @cached_property
    def _levels(self) -> list[int]:
        return [] if self._losmap is None else self._losmap.facts.base.tolist()

    @cached_property
    def _wall_codes(self) -> list[list[int]]:
        return [] if self._walls is None else self._walls.facts.wall.tolist()

    def hexside(self, at: str, side: int) -> HexsideKind | None:
        """What VASL holds a hexside to be."""
        index = None if self._walls is None else self._walls.find(at)
        return None if index is None else terrain_map().hexsides.get(self._wall_codes[index][side])

    @cached_property
    def _road_codes(self) -> BoolArray:
        codes = np.zeros(256, bool)
        codes[list(terrain_map().codes_of("road"))] = True
        return codes

    def road_crosses(self, at: str, side: int) -> bool:
        """Whether road pixels of the two hexes touch along their common side.

        On the Starter Kit boards a road that crosses a side touches along five pixels or more, any
        other road along none.
        """
        losmap = self._losmap
        if losmap is None or at not in losmap:
            return False
        index = losmap.index(at)
        other = int(losmap.arrays.beside[index, side])
        if other < 0:
            return False
        geometry = losmap.geometry
        mid_x, mid_y = (int(v) for v in losmap.arrays.mid[index, side])
        reach = ceil(geometry.hex_h * 0.4)
        xs = slice(max(0, mid_x - reach), mid_x + reach + 1)
        ys = slice(max(0, mid_y - reach), mid_y + reach + 1)
        owner = losmap.hex_grid[xs, ys]
        road = self._road_codes[losmap.terrain[xs, ys]]
        here, there = road & (owner == index), road & (owner == other)
        touching = (
            np.count_nonzero(here[1:] & there[:-1])
            + np.count_nonzero(there[1:] & here[:-1])
            + np.count_nonzero(here[:, 1:] & there[:, :-1])
            + np.count_nonzero(there[:, 1:] & here[:, :-1])
        )
        return bool(touching >= terrain_map().measure.touching * geometry.hex_h)

    # -- buildings -------------------------------------------------------------------------------

    def building(self, at: str) -> int | None:
        """The building with most pixels in the hex, as a number from 1; None without pixels."""
        losmap = self._losmap
        if losmap is None or at not in losmap:
            return None
        index = losmap.index(at)
        corners = losmap.arrays.outline[index].clip(0)
        (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), (corners.max(axis=0) + 1).tolist()
        inside = losmap.hex_grid[x0:x1, y0:y1] == index
        x1, y1 = x0 + inside.shape[0], y0 + inside.shape[1]
        if self._buildings is None:
            self._buildings = Regions(losmap.terrain, losmap.table.is_building)
        return self._buildings.main((x0, y0, x1, y1), inside)
