"""VASSAL's files: saved games and logs, read without loss and written back. Knows no ASL.

>>> from pathlib import Path
>>> saved = open_saved(Path("game.vlog"))       # doctest: +SKIP
>>> game = load_game(saved)                     # doctest: +SKIP
>>> for step in replay(saved): print(step.index, step.chat)     # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vassal_bridge.faces import face

if TYPE_CHECKING:
    from vassal_bridge.vassal.archive import (
        Saved,
        atomic_write,
        open_saved,
        tidy_up,
        write_saved,
    )
    from vassal_bridge.vassal.commands import (
        AddPiece,
        Boards,
        ChangePiece,
        Chat,
        Command,
        MovePiece,
        RemovePiece,
        ScenarioInfo,
        Undo,
        Unknown,
    )
    from vassal_bridge.vassal.envelope import Envelope
    from vassal_bridge.vassal.game import Game, Problem, load_game
    from vassal_bridge.vassal.log import Change, Step, game_after, replay, undone
    from vassal_bridge.vassal.ourmarks import clean_text, is_annotated, without_marks
    from vassal_bridge.vassal.pieces import Layer, Piece, Stack, Trait

__all__ = [
    "AddPiece",
    "Boards",
    "Change",
    "ChangePiece",
    "Chat",
    "Command",
    "Envelope",
    "Game",
    "Layer",
    "MovePiece",
    "Piece",
    "Problem",
    "RemovePiece",
    "Saved",
    "ScenarioInfo",
    "Stack",
    "Step",
    "Trait",
    "Undo",
    "Unknown",
    "atomic_write",
    "clean_text",
    "game_after",
    "is_annotated",
    "load_game",
    "open_saved",
    "replay",
    "tidy_up",
    "undone",
    "without_marks",
    "write_saved",
]

__getattr__ = face(
    __name__,
    {
        "archive": (
            "Saved",
            "atomic_write",
            "open_saved",
            "tidy_up",
            "write_saved",
        ),
        "commands": (
            "AddPiece",
            "Boards",
            "ChangePiece",
            "Chat",
            "Command",
            "MovePiece",
            "RemovePiece",
            "ScenarioInfo",
            "Undo",
            "Unknown",
        ),
        "envelope": ("Envelope",),
        "game": ("Game", "Problem", "load_game"),
        "log": ("Change", "Step", "game_after", "replay", "undone"),
        "ourmarks": ("clean_text", "is_annotated", "without_marks"),
        "pieces": ("Layer", "Piece", "Stack", "Trait"),
    },
)
