"""Commands applied: pieces, stacks and maps, as VASSAL's own engine moves them about.

What follows the engine here was checked against the client's own account of its pieces after
loading saves and stepping through logs (tests/vassal/test_client.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal.archive import Saved
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Property,
    RemovePiece,
    ScenarioInfo,
    Unknown,
    whole_number,
)
from vassal_bridge.vassal.pieces import Piece, PieceType, Reading, Stack
from vassal_bridge.vassal.sequence import TAB, split, unnest

_MAP_NAMES = {"Map0": "Main Map", "Map1": "Casualties"}
"""Old files name maps by the ids VASSAL numbered them with (files.md 7.2)."""
_PLACE_TYPES = ("+", "D", "M")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not understood or does not fit; reading went on.

    Attributes:
        code: stable word, e.g. ``damaged-piece``, ``unknown-command``, ``ghost``.
        text: what is wrong, one line, no secrets.
        piece: id of the piece concerned, if one is.
        step: log step, counted from 1; None in the start position.
    """

    code: str
    text: str
    piece: str | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one moment. Never changes: each step of a log has its own.

    Attributes:
        pieces: all pieces by id, in the order they entered.
        stacks: all stacks with members, by id.
        boards_line: the boards command as it stands (``bd⇥…``), or "".
        info: the scenario window, or None.
        problems: what was not understood so far.
        chat: all chat lines so far, in order.
        properties: global and zone properties.
    """

    pieces: Mapping[str, Piece]
    stacks: Mapping[str, Stack]
    boards_line: str
    info: ScenarioInfo | None
    problems: tuple[Problem, ...]
    chat: tuple[str, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    _aliases: Mapping[str, str] = field(default_factory=dict, repr=False)

    def alias_of(self, user_id: str) -> str | None:
        """The alias under which a player's pieces appear, from the id he typed; None = nobody."""
        return self._aliases.get(user_id)
