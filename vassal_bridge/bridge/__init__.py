"""The crossing: a game on boards becomes a position on a ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vassal_bridge.faces import face

if TYPE_CHECKING:
    from vassal_bridge.bridge.files import load_file, load_position_file, load_saved
    from vassal_bridge.bridge.game import GameMap, game_map, snapshot, source_of
    from vassal_bridge.bridge.model import BoardInfo, Loaded, Note, Options, Source
    from vassal_bridge.bridge.player import Player, as_seen, eyes_of

__all__ = [
    "BoardInfo",
    "GameMap",
    "Loaded",
    "Note",
    "Options",
    "Player",
    "Source",
    "as_seen",
    "eyes_of",
    "game_map",
    "load_file",
    "load_position_file",
    "load_saved",
    "snapshot",
    "source_of",
]

__getattr__ = face(
    __name__,
    {
        "files": ("load_file", "load_position_file", "load_saved"),
        "game": ("GameMap", "game_map", "snapshot", "source_of"),
        "model": ("BoardInfo", "Loaded", "Note", "Options", "Source"),
        "player": ("Player", "as_seen", "eyes_of"),
    },
)
