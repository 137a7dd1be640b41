"""The commands of a saved game or log as values (formats/files.md 6).

What is understood becomes a typed value, what is not becomes `Unknown`; either keeps its text in
`raw`, byte for byte. `raw` may hold players' passwords (files.md 12): it is never shown by `repr`
and no other attribute repeats them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from vassal_bridge.vassal.sequence import TAB, split


@dataclass(frozen=True, slots=True)
class Command:
    """One atomic command.

    Attributes:
        raw: the command exactly as it stands in the file, without its ESC escapes.
    """

    raw: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Nothing(Command):
    """The empty command, and the word ``null`` that 3.7 logs for property changes."""


@dataclass(frozen=True, slots=True)
class BeginSave(Command):
    """Clears the game."""


@dataclass(frozen=True, slots=True)
class EndSave(Command):
    """Ends the start position."""


@dataclass(frozen=True, slots=True)
class AddPiece(Command):
    """A piece or a stack enters the game.

    Attributes:
        id: the piece's id, as text.
        is_stack: a stack (``stack`` type), else a piece.
    """

    id: str
    is_stack: bool
    _type: str = field(repr=False)
    _state: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RemovePiece(Command):
    """A piece or stack leaves the game."""

    id: str


@dataclass(frozen=True, slots=True)
class ChangePiece(Command):
    """A piece or stack gets a new state; `_old` is the state before, when the file tells it."""

    id: str
    _state: str = field(repr=False)
    _old: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class MovePiece(Command):
    """A piece **or a stack** moves.

    Attributes:
        id: of the piece or stack.
        map, x, y: where to, in pixels; `map` None = off every map.
        under: id of the piece it is laid on, or None.
        old_map, old_x, old_y, old_under: where from.
    """

    id: str
    map: str | None
    x: int
    y: int
    under: str | None
    old_map: str | None
    old_x: int
    old_y: int
    old_under: str | None
    _player: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Chat(Command):
    """A line of the chat window: talk, reports of the module, dice (files.md 10)."""

    text: str


@dataclass(frozen=True, slots=True)
class LogStep(Command):
    """``LOG`` and the command logged."""

    command: Command


@dataclass(frozen=True, slots=True)
class Boards(Command):
    """The boards line; the board room reads it."""

    text: str


@dataclass(frozen=True, slots=True)
class ScenarioInfo(Command):
    """The scenario window (files.md 9); players' private notes are left out.

    Attributes:
        moves_first, current: ``Axis``, ``Allied`` or "".
        turn: turn number, or None when not a number.
        axis_elr, axis_san, allied_elr, allied_san: free text, trimmed; may be ``?`` or "".
        axis_booby, allied_booby: ``?``, ``A``, ``B``, ``C``, or None in files before VASL 6.5.
        weather, ec, wind, wind_dir, night, nvr: VASL 6.6 and later, else None.
    """

    moves_first: str
    current: str
    turn: int | None
    axis_elr: str
    axis_san: str
    allied_elr: str
    allied_san: str
    axis_booby: str | None = None
    allied_booby: str | None = None
    weather: str | None = None
    ec: str | None = None
    wind: str | None = None
    wind_dir: str | None = None
    night: str | None = None
    nvr: str | None = None


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """The brackets 3.7 puts around the inverse commands of an undone step."""

    begins: bool


@dataclass(frozen=True, slots=True)
class Property(Command):
    """A global or zone property is restored or changed."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Kept(Command):
    """Known, of no weight for what is on the map; `keyword` says which (``NOTES``, ``EXT`` …)."""

    keyword: str


@dataclass(frozen=True, slots=True)
class Unknown(Command):
    """Not known; `keyword` is its first word if it is one, else ""."""

    keyword: str


_KEPT = (
    "NOTES", "PNOTES", "PNOTE", "SNOTE", "UNMASK", "SETUP_STACK", "EXT", "AUDIO", "PLAYER",
    "PYREMOVE", "FLARE", "SHOW_RESULTS", "SGKC", "DECK", "OBA/", "LINK_PIECE:", "UNLINK_PIECE:",
    "PIECE_FINDER:", "DOUBLE_BLIND:", "ENABLE_DOUBLE_BLIND:", "HIP_FORT:", "HIP_QUERY:",
    "HIP_REVEAL:", "LOS", "TURN",
)  # fmt: skip
_KEPT_PATTERN = re.compile("|".join(re.escape(word) for word in _KEPT))
_KEYWORD = re.compile(r"[A-Za-z_]{1,24}(?=[\t/:;]|$)")
_BOOBY = frozenset("?ABC")
_NUMBER = re.compile(r"\s*-?\d{1,9}\s*$", re.ASCII)


def whole_number(text: str, default: int = 0) -> int:
    """A pixel or count as VASSAL reads it: `default` when it is no whole number."""
    if len(text) < 10 and text.isdecimal() and text.isascii():
        return int(text)
    return int(text) if _NUMBER.match(text) else default


def decode(text: str) -> Command:
    """Understand one atomic command; never fails, what it does not know is `Unknown`."""
    if text in ("", "null"):
        return Nothing(text)
    if text.startswith("CHAT"):
        return Chat(text, text[4:])
    reader = _READERS.get(text[:2])
    if reader is not None:
        return reader(text)
    if text.startswith("LOG\t"):
        if text.startswith("LOG\tLOG\t"):
            return Unknown(text, "LOG")
        return LogStep(text, decode(text[4:]))
    return _decode_rare(text)


def _decode_rare(text: str) -> Command:
    if text == "begin_save":
        return BeginSave(text)
    if text == "end_save":
        return EndSave(text)
    if text.startswith("INFO\t"):
        return _info(text)
    if text.startswith(("UNDO\ttrue", "UNDO\tfalse")):
        return Undo(text, text.startswith("UNDO\ttrue"))
    if text.startswith(("GlobalProperty\t", "MutableProperty\t")):
        return _property(text)
    kept = _KEPT_PATTERN.match(text)
    if kept:
        return Kept(text, kept.group().rstrip("/:"))
    word = _KEYWORD.match(text)
    return Unknown(text, word.group() if word else "")


def _add(text: str) -> Command:
    fields = split(text, "/", 4)
    if len(fields) < 4:
        return Unknown(text, "+")
    return AddPiece(text, fields[1], fields[2] == "stack", fields[2], fields[3])


def _change(text: str) -> Command:
    fields = split(text, "/", 4)
    if len(fields) < 3:
        return Unknown(text, "D")
    return ChangePiece(text, fields[1], fields[2], fields[3] if len(fields) > 3 else None)


def _move(text: str) -> Command:
    fields = split(text, "/", 11)
    if len(fields) < 5:
        return Unknown(text, "M")
    fields += [""] * (11 - len(fields))
    return MovePiece(
        text,
        fields[1],
        _or_none(fields[2]),
        whole_number(fields[3]),
        whole_number(fields[4]),
        _or_none(fields[5]),
        _or_none(fields[6]),
        whole_number(fields[7]),
        whole_number(fields[8]),
        _or_none(fields[9]),
        fields[10],
    )


def _remove(text: str) -> Command:
    return RemovePiece(text, split(text, "/", 2)[1])


def _boards(text: str) -> Command:
    return Boards(text, text) if text.startswith("bd\t") else Unknown(text, "")


def _or_none(text: str) -> str | None:
    return None if text in ("", "null") else text


def _info(text: str) -> Command:
    tokens = [token.strip() for token in split(text, TAB, 20)[1:]]
    tokens += [""] * (7 - len(tokens))
    rest = tokens[7:]
    turn = whole_number(tokens[2], -1)
    extra: dict[str, str] = {}
    if len(rest) >= 2 and rest[0] in _BOOBY and rest[1] in _BOOBY and rest[0] and rest[1]:
        extra = {"axis_booby": rest[0], "allied_booby": rest[1]}
        if len(rest) >= 8 and _is_weather(rest):
            names = ("weather", "ec", "wind", "wind_dir", "night", "nvr")
            extra.update(zip(names, rest[2:8], strict=True))
    return ScenarioInfo(
        text,
        tokens[0],
        tokens[1],
        turn if turn >= 0 else None,
        tokens[3],
        tokens[4],
        tokens[5],
        tokens[6],
        **extra,
    )


def _is_weather(rest: list[str]) -> bool:
    """Six fields of VASL 6.6: the EC is a small number and the night a yes or no."""
    return rest[6] in ("Yes", "No") and bool(_NUMBER.match(rest[3]))


def _property(text: str) -> Command:
    fields = split(text, TAB)
    if fields[0] == "MutableProperty":
        if len(fields) < 4:
            return Unknown(text, fields[0])
        return Property(text, fields[1], fields[3])
    parts = split(text.partition(TAB)[2], ";")
    # ";name;value;container", or with a list before the name: ";name⇥menu⇥…;name;value"
    parts = [part for part in parts if TAB not in part]
    if len(parts) < 3 or not parts[1]:
        return Kept(text, "GlobalProperty")
    return Property(text, parts[1], parts[2])


_READERS: dict[str, Callable[[str], Command]] = {
    "+/": _add,
    "D/": _change,
    "M/": _move,
    "-/": _remove,
    "bd": _boards,
}
