"""The map as something to draw: boards, hexes, counters in pixels.

All coordinates are pixels of the whole map with its origin at the upper left corner of the boards
(the 400 pixels of VASSAL's edge are not part of it), y downwards, at VASL's scale (a geomorphic hex
is 64.5 high and its columns lie 56.25 apart).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from vassal_bridge.board.layout_picture import HexShape, Point, Tile

__all__ = ["ArtProvider", "CounterShape", "HexShape", "MapPicture", "Point", "Tile"]

ArtProvider = Callable[[str], "bytes | None"]
"""Gives the bytes of a picture of the module by its name, or None."""

HEX_WIDTH: Final = 56.25
HEX_HEIGHT: Final = 64.5


@dataclass(frozen=True, slots=True)
class CounterShape:
    """One counter to draw.

    Attributes:
        id: the unit's id in the position, or the piece id of a marker.
        hex: the hex it is in; None = off the hexes (not drawn).
        name: as players write it: ``4-6-7``.
        nationality: ``German``; empty for markers.
        kind: as contracts.md 4: squad, half-squad, crew, leader, hero, sw, gun, vehicle, marker …
        states: words shown on it: ``broken``, ``dm``, ``pinned`` …
        order: place in the stack, bottom = 0.
        images: names of the module's pictures that make up the counter, the lowest first.
        concealed: drawn as "?" without anything else.
    """

    id: str
    hex: str | None
    name: str
    nationality: str = ""
    kind: str = "marker"
    states: tuple[str, ...] = ()
    order: int = 0
    images: tuple[str, ...] = ()
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class MapPicture:
    """Everything that is drawn under an overlay: the board room's picture, and the counters.

    Attributes:
        width: of the map, in pixels.
        height: of the map, in pixels.
        hexes: all hexes, in a fixed order.
        tiles: board pictures; none = the terrain is drawn.
        counters: counters both players may see.
        hex_width: distance of two columns, in pixels.
        hex_height: height of a hex, in pixels.
    """

    width: float
    height: float
    hexes: tuple[HexShape, ...]
    tiles: tuple[Tile, ...] = ()
    counters: tuple[CounterShape, ...] = ()
    hex_width: float = HEX_WIDTH
    hex_height: float = HEX_HEIGHT

    def by_name(self) -> dict[str, HexShape]:
        """Hexes by name."""
        return {shape.name: shape for shape in self.hexes}
