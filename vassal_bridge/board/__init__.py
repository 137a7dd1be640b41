"""The ground: boards joined into one map, its terrain, movement costs and lines of sight.

Its face: placements of boards go in (`parse_boards`, `placements_from_rows`), a `BoardGround` comes
out of `build_ground`. It knows no counters but those that hinder sight (`Obstacle`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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

_HOME = {
    "BoardArchive": "archive",
    "open_board": "archive",
    "BoardGround": "ground",
    "build_ground": "ground_build",
    "Obstacle": "ground_obstacles",
    "BoardProblem": "layout",
    "Layout": "layout",
    "map_edge": "layout_edge",
    "BoardLibrary": "layout_library",
    "MapPicture": "layout_picture",
    "BoardPlacement": "placement",
    "Crop": "placement",
    "parse_boards": "placement",
    "placements_from_rows": "placement",
}


def __getattr__(name: str) -> object:
    """Load a name of the face when it is first used: numpy is not needed to print a help page."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
