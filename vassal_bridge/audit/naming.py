"""Hexes by the names the client shows for the counters in them.

On a seam of two boards one hex has two printed names, and which of them the client reports depends
on the pixel a counter was dropped on. The rules know such a hex by one name; findings are to be
found again in the client, so they carry the client's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

from vassal_bridge.bridge import GameMap
from vassal_bridge.bridge.game import MAIN_MAP
from vassal_bridge.vassal import Piece

T = TypeVar("T")
_UNIT = re.compile(r"^((?:[^:]{1,40}:)?)([^/:]+)((?:/\d+)?)$")


class Names:
    """What the client calls hexes on seams, as far as counters were seen there.

    Args:
        board: the boards.
    """

    def __init__(self, board: GameMap) -> None:
        self.board = board
        self._shown: dict[str, str] = {}
        self._looked: set[tuple[int, int]] = set()

    def see(self, pieces: Iterable[Piece | None]) -> None:
        """Learn from pieces where they lie; what was seen last counts."""
        for piece in pieces:
            if piece is None or piece.hidden or piece.map not in MAIN_MAP:
                continue
            place = (piece.x, piece.y)
            if place in self._looked:
                continue
            self._looked.add(place)
            name = self.board.hex_of(*place)
            shown = self.board.layout.hex_at(*place)
            if name is not None and shown is not None and "/" not in shown and shown != name:
                self._shown[name] = shown

    def __bool__(self) -> bool:
        return bool(self._shown)

    def shown(self, text: str) -> str:
        """A hex or a unit id (``zM9``, ``zF1/2``, ``German:zM9``) in the client's naming."""
        match = _UNIT.match(text)
        if match is None or match.group(2) not in self._shown:
            return text
        return match.group(1) + self._shown[match.group(2)] + match.group(3)

    def apply(self, value: T) -> T:
        """A value with every hex and unit id in it renamed; sentences by whole words."""
        if not self._shown:
            return value
        return cast(T, _renamed(value, self))

    def sentence(self, text: str) -> str:
        """A sentence with its hexes renamed."""
        return re.sub(r"[A-Za-z0-9~]+", lambda word: self.shown(word.group()), text)


def _renamed(value: Any, names: Names) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return names.shown(value) if " " not in value else names.sentence(value)
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if isinstance(value, Mapping):
        return {key: _renamed(each, names) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: new
            for field in fields(value)
            if (new := _renamed(old := getattr(value, field.name), names)) is not old and new != old
        }
        return replace(value, **changed) if changed else value
    return value
