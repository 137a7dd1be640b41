"""Which boards lie where: the boards line of a game, or the rows of a position file.

The line (formats/files.md 11, geometry.md 2) is not a delimiter-encoded list: it is plain text with
TABs in which the words VER, OVR, SSR and ZOOM start their parts; empty tokens mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vassal_bridge.errors import FormatError, LimitReached
from vassal_bridge.limits import (
    MAX_BOARD_EXTRAS,
    MAX_BOARD_NAME,
    MAX_BOARD_SPAN,
    MAX_BOARD_ZOOM,
    MAX_BOARDS,
)

OPEN_BOARD = "open"
"""Name of the built-in board without art or terrain (contracts.md 2)."""

_WORDS = frozenset({"VER", "OVR", "SSR", "ZOOM"})


@dataclass(frozen=True, slots=True)
class Crop:
    """The part of a board that is in play, in pixels of the full board the right way up.

    A width or height of -1 reaches to the edge of the board.
    """

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PickerOverlay:
    """An overlay set with the board picker (`OVR`): its name and the two hexes it is fixed on."""

    name: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class BoardPlacement:
    """One board of a map.

    Attributes:
        name: board name without the leading ``bd`` and without the ``r`` of a reversed board.
        row, column: place in the matrix of boards, from 0; cells may be missing.
        reversed: turned by 180 degrees.
        crop: the part shown, None for the whole board.
        version: version of the board the game was made with, None if not recorded.
        rules: SSR words in the order of the line, as written, repeats included.
        overlays: picker overlays in the order of the line.
        zoom: drawn so many times as large (Deluxe option), 1.0 normally.
    """

    name: str
    row: int = 0
    column: int = 0
    reversed: bool = False
    crop: Crop | None = None
    version: str | None = None
    rules: tuple[str, ...] = ()
    overlays: tuple[PickerOverlay, ...] = ()
    zoom: float = 1.0

    @property
    def spacer(self) -> bool:
        """Whether it only fills space (Blank0, Blank1, NUL, NULV): nobody fights there."""
        return self.name.casefold().startswith(("blank", "nul"))


@dataclass(slots=True)
class _Tokens:
    """The tokens of one board, read from the front."""

    items: list[str]
    at: int = 0

    def peek(self) -> str | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def take(self, what: str) -> str:
        token = self.peek()
        if token is None:
            raise FormatError(f"boards line ends before the {what}", place="boards")
        self.at += 1
        return token

    def take_int(self, what: str) -> int:
        token = self.take(what)
        try:
            return int(token)
        except ValueError:
            raise FormatError(f"{what} {token[:20]!r} is not a number", place="boards") from None

    def until_word(self) -> list[str]:
        taken = []
        while (token := self.peek()) is not None and token not in _WORDS:
            taken.append(token)
            self.at += 1
        return taken


@dataclass(slots=True)
class _Parts:
    version: str | None = None
    rules: list[str] = field(default_factory=list)
    overlays: list[PickerOverlay] = field(default_factory=list)
    zoom: float = 1.0


def parse_boards(
    line: str, known: Callable[[str], bool] | None = None
) -> tuple[BoardPlacement, ...]:
    r"""Read the boards line of a game.

    Args:
        line: the whole command, e.g. ``"bd\t0\t0\trw\tVER\t6.1\tbd\t1\t0\tx\tVER\t6.1\t"``.
        known: whether a board of this name exists; decides between the board ``rb`` and the board
            ``b`` turned round. Without it a leading ``r`` always means turned round.

    Returns:
        The boards in the order of the line; none for ``bd`` alone.

    Raises:
        FormatError: not a boards line, or a board without place or name.
        LimitReached: more boards than `MAX_BOARDS`, or a name, place, zoom or number of overlays
            beyond any real map.

    Example:
        >>> boards = parse_boards("bd\t0\t0\trw\tbd\t0\t1\tr\tbd\t0\t2\trr")
        >>> [(board.name, board.reversed) for board in boards]
        [('w', True), ('r', False), ('r', True)]
    """
    tokens = [token.strip() for token in line.split("\t")]
    if not tokens or tokens[0] != "bd":
        raise FormatError("not a boards line", place="boards")
    boards: list[BoardPlacement] = []
    starts = [at for at, word in enumerate(tokens) if word == "bd"]
    if len(starts) > MAX_BOARDS:
        raise LimitReached(f"{len(starts)} boards, limit {MAX_BOARDS}", place="boards")
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        items = [token for token in tokens[start + 1 : end] if token]
        if items:
            boards.append(_board(_Tokens(items), known))
    return tuple(boards)


def _board(tokens: _Tokens, known: Callable[[str], bool] | None) -> BoardPlacement:
    column = tokens.take_int("column of a board")
    row = tokens.take_int("row of a board")
    if not (0 <= column < MAX_BOARD_SPAN and 0 <= row < MAX_BOARD_SPAN):
        raise LimitReached(f"board at column {column}, row {row}", place="boards")
    named = tokens.take("name of a board")
    if len(named) > MAX_BOARD_NAME:
        raise LimitReached(f"a board name of {len(named)} characters", place="boards")
    name, turned = _split_name(named, known)
    crop = None
    if tokens.peek() not in (None, *_WORDS):
        crop = Crop(*(tokens.take_int("crop of a board") for _ in range(4)))
        if crop.width <= 0 and crop.height <= 0:
            crop = None
    parts = _parts(tokens)
    return BoardPlacement(
        name=name,
        row=row,
        column=column,
        reversed=turned,
        crop=crop,
        version=parts.version,
        rules=tuple(parts.rules),
        overlays=tuple(parts.overlays),
        zoom=parts.zoom,
    )


def _split_name(text: str, known: Callable[[str], bool] | None) -> tuple[str, bool]:
    """Name and whether turned: ``r`` alone is the board r, ``rr`` that board turned round."""
    if len(text) < 2 or not text.startswith("r"):
        return text, False
    rest = text[1:]
    if known is not None and known(text) and not known(rest):
        return text, False
    return rest, True


def _parts(tokens: _Tokens) -> _Parts:
    parts = _Parts()
    while (word := tokens.peek()) is not None:
        tokens.at += 1
        if word == "VER":
            version = tokens.until_word()
            parts.version = version[0] if version else None
        elif word == "SSR":
            parts.rules += tokens.until_word()
            _at_most(parts.rules, "scenario changes")
        elif word == "OVR":
            values = tokens.until_word()
            if not values:
                raise FormatError("overlay without a name", place="boards")
            first = values[1] if len(values) > 1 else ""
            # A one-hex overlay repeats its hex; old lines leave the second out.
            second = values[2] if len(values) > 2 else first
            parts.overlays.append(PickerOverlay(values[0], first, second))
            _at_most(parts.overlays, "overlays")
        elif word == "ZOOM":
            parts.zoom = _zoom(tokens.take("zoom of a board"))
    return parts


def _at_most(found: Sequence[object], what: str) -> None:
    if len(found) > MAX_BOARD_EXTRAS:
        raise LimitReached(f"over {MAX_BOARD_EXTRAS} {what} on one board", place="boards")


def _zoom(text: str) -> float:
    try:
        zoom = float(text)
    except ValueError:
        raise FormatError(f"zoom {text[:20]!r} is not a number", place="boards") from None
    if not 1 / MAX_BOARD_ZOOM <= zoom <= MAX_BOARD_ZOOM:
        raise LimitReached(f"zoom {zoom}, limit {MAX_BOARD_ZOOM}", place="boards")
    return zoom


def placements_from_rows(rows: Sequence[Sequence[str]]) -> tuple[BoardPlacement, ...]:
    """Boards of a position file: rows from top to bottom, each from left to right (contracts.md 2).

    Args:
        rows: names such as ``"z"``, ``"z reversed"`` or ``"open"``.

    Raises:
        FormatError: no board, or an empty name.
        LimitReached: more boards than `MAX_BOARDS`.

    Example:
        >>> boards = placements_from_rows([["z reversed", "y"]])
        >>> [(board.name, board.reversed, board.row, board.column) for board in boards]
        [('z', True, 0, 0), ('y', False, 0, 1)]
    """
    boards = [
        _named(text, row, column)
        for row, names in enumerate(rows)
        for column, text in enumerate(names)
    ]
    if not boards:
        raise FormatError("no boards given", place="boards")
    if len(boards) > MAX_BOARDS:
        raise LimitReached(f"{len(boards)} boards, limit {MAX_BOARDS}", place="boards")
    return tuple(boards)


def _named(text: str, row: int, column: int) -> BoardPlacement:
    # Some boards have spaces in their names ("BOB DZN"), so only the last word can be the manner.
    before, last = text.strip().rpartition(" ")[::2] if text.strip() else ("", "")
    turned = last == "reversed"
    name = before.strip() if turned else text.strip()
    if not name:
        raise FormatError(f"board {text!r}: write a name, or a name and 'reversed'", place="boards")
    return BoardPlacement(name, row, column, reversed=turned)
