"""The program's own marks in saves and logs: told from all else, and taken out again.

An annotated game is played on, mailed and given to the program again; what it once wrote itself is
no part of the game (own outputs are never read as input). With the marks gone the text is again,
byte for byte, the one it was.
"""

from __future__ import annotations

from typing import Final

from vassal_bridge.vassal.archive import Saved
from vassal_bridge.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    RemovePiece,
)
from vassal_bridge.vassal.edit import Editor
from vassal_bridge.vassal.sequence import split

MARK: Final = "vassal-bridge:"
"""How the name of every added piece begins, and (behind ``- ``) every added chat line."""
FIXED_TYPE: Final = "immob;ng;V"
"""Outermost trait of every added piece: not selectable, not movable, no grid, no stacking."""


def is_mark(command: Command) -> bool:
    """Whether a command adds one of our pieces or says one of our lines."""
    if isinstance(command, Chat):
        return command.text.startswith(f"- {MARK}")
    return isinstance(command, AddPiece) and _is_mark_type(command.raw)


def _is_mark_type(raw: str) -> bool:
    """Whether the text of a ``+/`` command makes a mark: unmovable, and so named.

    A VASSAL that saves an annotated game again adds fields of its own behind those we wrote.
    Looking for the bare name first keeps this cheap on files with thousands of pieces.
    """
    if f"piece;;;;{MARK}" not in raw:
        return False
    fields = split(raw, "/")
    return len(fields) > 2 and fields[2].startswith((f"{FIXED_TYPE}\t", f"{FIXED_TYPE};"))


def clean_text(text: str) -> tuple[str, int]:
    """A game's text without our marks.

    Returns:
        The text and how many commands were taken out; with none the very same text.

    Raises:
        FormatError: the text has no ``end_save``.
    """
    if MARK not in text:
        return text, 0
    editor = Editor(text)
    ids: set[str] = set()

    def drop(command: Command) -> bool:
        if is_mark(command):
            if isinstance(command, AddPiece):
                ids.add(command.id)
            return True
        # what players did to a mark while they played on an annotated game goes with it
        return isinstance(command, RemovePiece | ChangePiece | MovePiece) and command.id in ids

    count = editor.remove(drop)
    return (editor.text(), count) if count else (text, 0)


def is_annotated(text: str) -> bool:
    """Whether a game's text holds marks of ours."""
    return MARK in text and clean_text(text)[1] > 0


def without_marks(saved: Saved) -> Saved:
    """A saved game as it was before it was annotated; one without marks is returned as it is.

    Raises:
        FormatError: its text holds marks but no ``end_save``.
    """
    text, count = clean_text(saved.text)
    return saved.with_text(text) if count else saved
