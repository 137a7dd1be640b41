"""The ground: boards joined into one map, its terrain, movement costs and lines of sight.

Its face: placements of boards go in (`parse_boards`, `placements_from_rows`), a `BoardGround` comes
out of `build_ground`. It knows no counters but those that hinder sight (`Obstacle`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vassal_bridge.faces import face

if TYPE_CHECKING:
    from vassal_bridge.board.archive import BoardArchive, open_board
    from vassal_bridge.board.ground import BoardGround
    from vassal_bridge.board.ground_build import build_ground
    from vassal_bridge.board.ground_obstacles import Obstacle
    from vassal_bridge.board.layout import BoardProblem, Layout
    from vassal_bridge.board.layout_edge import map_edge
    from vassal_bridge.board.layout_library import BoardLibrary
    from vassal_bridge.board.layout_picture import MapPicture
    from vassal_bridge.board.placement import (
        BoardPlacement,
        Crop,
        parse_boards,
        placements_from_rows,
    )

__all__ = [
    "BoardArchive",
    "BoardGround",
    "BoardLibrary",
    "BoardPlacement",
    "BoardProblem",
    "Crop",
    "Layout",
    "MapPicture",
    "Obstacle",
    "build_ground",
    "map_edge",
    "open_board",
    "parse_boards",
    "placements_from_rows",
]

__getattr__ = face(
    __name__,
    {
        "archive": ("BoardArchive", "open_board"),
        "ground": ("BoardGround",),
        "ground_build": ("build_ground",),
        "ground_obstacles": ("Obstacle",),
        "layout": ("BoardProblem", "Layout"),
        "layout_edge": ("map_edge",),
        "layout_library": ("BoardLibrary",),
        "layout_picture": ("MapPicture",),
        "placement": ("BoardPlacement", "Crop", "parse_boards", "placements_from_rows"),
    },
)
