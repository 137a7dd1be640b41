"""What the room `report` is given: the shapes it asks of a loaded game.

The room imports downwards only, and the bridge below it makes these values; so they are protocols
here. `SimpleNamespace`-like classes, frozen dataclasses and the bridge's own values all satisfy
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from vassal_bridge.rout.position import Position
from vassal_bridge.rout.rulebook import Fact


class Source(Protocol):
    """Where the game came from (contracts.md 5, ``source``)."""

    @property
    def file(self) -> str:
        """Name of the file, without folders."""

    @property
    def kind(self) -> str:
        """``vsav``, ``vlog`` or ``position``."""

    @property
    def module(self) -> str | None:
        """Name of the module, ``VASL``; None for a position file."""

    @property
    def module_version(self) -> str | None:
        """Version of the module that wrote the file."""

    @property
    def vassal_version(self) -> str | None:
        """Version of VASSAL that wrote the file."""


class Board(Protocol):
    """A board as it lies on the map (contracts.md 5, ``boards``)."""

    @property
    def name(self) -> str:
        """Name as hexes carry it: ``z``."""

    @property
    def row(self) -> int:
        """Row in the matrix of boards, from the top."""

    @property
    def column(self) -> int:
        """Column in the matrix of boards, from the left."""

    @property
    def reversed(self) -> bool:
        """Turned by 180 degrees."""

    @property
    def crop(self) -> tuple[int, int, int, int] | None:
        """x, y, width, height in pixels of the unreversed board, -1 = full; None = whole."""

    @property
    def version(self) -> str | None:
        """Version named in the save."""

    @property
    def rules(self) -> Sequence[str]:
        """Scenario changes to terrain (SSR words)."""


class Note(Protocol):
    """An assumption or a problem."""

    @property
    def code(self) -> str:
        """Stable key: ``month-not-given``."""

    @property
    def text(self) -> str:
        """English sentence, shown when the catalogue has none for the code."""

    @property
    def hex(self) -> str | None:
        """The hex concerned, if one is."""

    @property
    def facts(self) -> Mapping[str, Fact]:
        """What the sentence needs."""


class Loaded(Protocol):
    """A game or position ready to be reported on (the bridge's `Loaded`)."""

    @property
    def source(self) -> Source:
        """Where it came from."""

    @property
    def boards(self) -> Sequence[Board]:
        """Boards, in reading order."""

    @property
    def assumptions(self) -> Sequence[Note]:
        """What was taken for granted."""

    @property
    def problems(self) -> Sequence[Note]:
        """What was not understood."""

    @property
    def position(self) -> Position:
        """Units on a ground."""
