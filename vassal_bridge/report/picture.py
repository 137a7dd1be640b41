"""The map as something to draw: boards, hexes, counters in pixels.

All coordinates are pixels of the whole map with its origin at the upper left corner of the boards
(the 400 pixels of VASSAL's edge are not part of it), y downwards, at VASL's scale (a geomorphic hex
is 64.5 high and its columns lie 56.25 apart).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Point = tuple[float, float]
ArtProvider = Callable[[str], "bytes | None"]
"""Gives the bytes of a picture of the module by its name, or None."""

HEX_WIDTH: Final = 56.25
HEX_HEIGHT: Final = 64.5


@dataclass(frozen=True, slots=True)
class Tile:
    """One board picture on the map.

    Attributes:
        data: bytes of the picture file as the board archive holds it.
        mime: ``image/gif``, ``image/png`` or ``image/jpeg``.
        size: pixels of that picture, width and height.
        x: left edge on the map.
        y: upper edge on the map.
        scale: map pixels per picture pixel (deluxe boards zoomed: 3.0).
        crop: part of the picture that is shown: x, y, width, height in its own pixels.
        reversed: turned by 180 degrees (after the crop).
    """

    data: bytes
    mime: str
    size: tuple[int, int]
    x: float
    y: float
    crop: tuple[int, int, int, int]
    reversed: bool = False
    scale: float = 1.0

    @property
    def width(self) -> float:
        """Width on the map."""
        return self.crop[2] * self.scale

    @property
    def height(self) -> float:
        """Height on the map."""
        return self.crop[3] * self.scale


@dataclass(frozen=True, slots=True)
class HexShape:
    """One hex.

    Attributes:
        name: as contracts.md 1 writes it: ``zO5``.
        centre: its centre.
        polygon: its corners, clockwise, cut at the map's edge.
        terrain: key of the terrain to draw where there is no picture (``woods``, ``open`` …).
        level: hill level.
    """

    name: str
    centre: Point
    polygon: tuple[Point, ...]
    terrain: str = "open"
    level: int = 0


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
        image: name of the module's picture for this side of the counter, if known.
        concealed: drawn as "?" without anything else.
    """

    id: str
    hex: str | None
    name: str
    nationality: str = ""
    kind: str = "marker"
    states: tuple[str, ...] = ()
    order: int = 0
    image: str | None = None
    concealed: bool = False


@dataclass(frozen=True, slots=True)
class MapPicture:
    """Everything that is drawn under an overlay.

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
