"""What this room asks of VASSAL's pieces: the rooms do not import each other.

`vassal.Piece`, `vassal.Layer`, `vassal.Trait` and `vassal.Game` fit these protocols as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Trait(Protocol):
    """One trait of a piece (formats/files.md 7.3)."""

    @property
    def kind(self) -> str:
        """Its id, e.g. ``conceal``, ``immob``."""

    @property
    def fields(self) -> Sequence[str]:
        """Its type, decoded; ``fields[0] == kind``."""


class Layer(Protocol):
    """An image layer (formats/files.md 7.4)."""

    @property
    def name(self) -> str:
        """Its property, e.g. ``BRK``; often empty."""

    @property
    def names(self) -> Sequence[str]:
        """What each level does to the name."""

    @property
    def images(self) -> Sequence[str]:
        """The picture of each level."""

    @property
    def level(self) -> int:
        """1-based, remembered while the layer is off."""

    @property
    def active(self) -> bool:
        """It shows now."""

    @property
    def image(self) -> str:
        """Picture of the level; empty if there is none."""

    @property
    def level_name(self) -> str:
        """Name of the level; empty if there is none."""


class Piece(Protocol):
    """A piece in its present state and place."""

    @property
    def id(self) -> str:
        """VASSAL's id."""

    @property
    def name(self) -> str:
        """As shown to its owner, without ``(?)`` and ``(HIP)``."""

    @property
    def base_name(self) -> str:
        """Of the basic piece."""

    @property
    def base_image(self) -> str:
        """Of the basic piece."""

    @property
    def traits(self) -> Sequence[Trait]:
        """Outermost first."""

    @property
    def layers(self) -> Sequence[Layer]:
        """Outermost first."""

    @property
    def labels(self) -> Sequence[str]:
        """Texts of its text labels."""

    @property
    def hidden(self) -> bool:
        """HIP."""

    @property
    def concealed(self) -> bool:
        """Under concealment."""

    @property
    def owner(self) -> str | None:
        """Alias of who hid or concealed it."""

    @property
    def moved(self) -> bool:
        """Has the moved flag."""

    @property
    def map(self) -> str | None:
        """Name of its map."""

    @property
    def x(self) -> int:
        """Pixels."""

    @property
    def y(self) -> int:
        """Pixels."""

    @property
    def stack(self) -> str | None:
        """Id of its stack."""

    @property
    def index(self) -> int:
        """Place in the stack, bottom = 0."""


class Game(Protocol):
    """A game at one moment."""

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """All pieces by id."""
