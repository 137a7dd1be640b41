"""Taking the program's marks out of a save or log: the original text comes back byte for byte."""

from __future__ import annotations

from vassal_bridge.report.annotated.marks import FIXED_TYPE, MARK
from vassal_bridge.vassal import AddPiece, ChangePiece, Chat, Command, MovePiece, RemovePiece
from vassal_bridge.vassal.edit import Editor
from vassal_bridge.vassal.sequence import split

_CHAT_MARK = f"- {MARK}"


def is_mark(command: Command) -> bool:
    """Whether a command adds one of our pieces or says one of our lines."""
    if isinstance(command, Chat):
        return command.text.startswith(_CHAT_MARK)
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
    return clean_text(text)[1] > 0
