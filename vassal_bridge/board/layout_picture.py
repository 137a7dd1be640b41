"""The map as something to draw on: board pictures as they lie, and where every hex is.

Coordinates are map pixels with the origin at the upper left corner of the boards: the edge of
400 pixels that VASSAL puts around them is not part of the picture.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vassal_bridge.board.archive import image_size
from vassal_bridge.board.layout import Layout
from vassal_bridge.board.layout_board import BoardOnMap
from vassal_bridge.errors import BoardError, LimitReached, VassalBridgeError
from vassal_bridge.limits import MAX_IMAGE_PIXELS

if TYPE_CHECKING:
    from PIL import Image

Point = tuple[float, float]
_MIME = {b"GIF8": "image/gif", b"\x89PNG": "image/png", b"\xff\xd8\xff\xe0": "image/jpeg"}


@dataclass(frozen=True, slots=True)
class Tile:
    """One board picture on the map.

    Attributes:
        data: the picture file as the board archive holds it.
        mime: ``image/gif``, ``image/png`` or ``image/jpeg``.
        size: its width and height in pixels.
        x, y: upper left corner on the map.
        crop: the part shown: x, y, width, height in pixels of the picture.
        reversed: turned by 180 degrees, after the crop.
        scale: map pixels per picture pixel.
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
    """One hex: its name, centre, corners (clockwise, cut at the edge of the map), terrain, level.

    Terrain and level are given only where no board picture shows them.
    """

    name: str
    centre: Point
    polygon: tuple[Point, ...]
    terrain: str = "open"
    level: int = 0


@dataclass(frozen=True, slots=True)
class MapPicture:
    """Everything under an overlay but the counters.

    Attributes:
        width, height: of the map in pixels.
        hexes: all hexes that count for the rules, in the order of the ground.
        tiles: board pictures; boards without one are drawn from their terrain.
        hex_width, hex_height: distance of two columns and height of a hex, in pixels.
        x, y: map pixel of the origin: what to take off VASSAL's coordinates.
    """

    width: float
    height: float
    hexes: tuple[HexShape, ...]
    tiles: tuple[Tile, ...] = ()
    hex_width: float = 56.25
    hex_height: float = 64.5
    x: int = 0
    y: int = 0

    def by_name(self) -> dict[str, HexShape]:
        """Hexes by name."""
        return {shape.name: shape for shape in self.hexes}

    def image(self) -> Image.Image:
        """The board pictures put together, in RGB; white where there is none.

        Raises:
            BoardError: a board picture is damaged.
            LimitReached: a picture, or the map, has more than `MAX_IMAGE_PIXELS` pixels.
        """
        from PIL import Image

        if self.width * self.height > MAX_IMAGE_PIXELS:
            raise LimitReached(f"map of {self.width:.0f} x {self.height:.0f} pixels")
        whole = Image.new("RGB", (round(self.width), round(self.height)), "white")
        for tile in self.tiles:
            whole.paste(_drawn(tile), (round(tile.x), round(tile.y)))
        return whole


def map_picture(layout: Layout, describe: Callable[[str], tuple[str, int]]) -> MapPicture:
    """The picture of a map.

    Args:
        layout: the map.
        describe: terrain name and level of a hex, asked only for hexes without a board picture.
    """
    boards = [board for board in layout.boards if not board.spacer] or list(layout.boards)
    if not boards:
        return MapPicture(0.0, 0.0, ())
    left, top = min(b.x for b in boards), min(b.y for b in boards)
    right, bottom = max(b.x + b.width for b in boards), max(b.y + b.height for b in boards)
    tiles: dict[int, Tile] = {}
    for number, board in enumerate(layout.boards):
        tile = None if board.spacer else _tile(layout, board, left, top)
        if tile is not None:
            tiles[number] = tile
    size = (float(right - left), float(bottom - top))
    grid, zoom = boards[0].shape.grid, boards[0].placement.zoom
    return MapPicture(
        width=size[0],
        height=size[1],
        hexes=tuple(_hexes(layout, (left, top), size, tiles, describe)),
        tiles=tuple(tiles.values()),
        hex_width=grid.dx * zoom,
        hex_height=grid.dy * zoom,
        x=left,
        y=top,
    )


def _hexes(
    layout: Layout,
    origin: tuple[int, int],
    size: tuple[float, float],
    tiles: dict[int, Tile],
    describe: Callable[[str], tuple[str, int]],
) -> list[HexShape]:
    found = []
    for name in layout.drawn():
        cell = layout.cell(name)
        terrain, level = ("open", 0) if cell.board in tiles else describe(name)
        corners = tuple(
            (
                min(max(x - origin[0], 0.0), size[0]),
                min(max(y - origin[1], 0.0), size[1]),
            )
            for x, y in layout.polygon(name)
        )
        centre = (cell.x - origin[0], cell.y - origin[1])
        found.append(HexShape(name, centre, corners, terrain, level))
    return found


def _tile(layout: Layout, board: BoardOnMap, left: int, top: int) -> Tile | None:
    """The board's picture, None when it has none that can be shown."""
    if board.missing or not layout.library.has(board.placement.name):
        return None
    try:
        data = layout.library.open(board.placement.name).image_bytes()
    except VassalBridgeError:
        return None
    size = None if data is None else image_size(data)
    if data is None or size is None or size[0] * size[1] > MAX_IMAGE_PIXELS:
        return None
    return Tile(
        data=data,
        mime=_MIME.get(data[:4], "image/gif"),
        size=size,
        x=board.x - left,
        y=board.y - top,
        crop=board.crop,
        reversed=board.placement.reversed,
        scale=board.placement.zoom,
    )


def _drawn(tile: Tile) -> Image.Image:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(tile.data)) as picture:
                if picture.width * picture.height > MAX_IMAGE_PIXELS:
                    raise LimitReached(f"picture of {picture.width} x {picture.height} pixels")
                x, y, width, height = tile.crop
                part = picture.crop((x, y, x + width, y + height)).convert("RGB")
    except (
        UnidentifiedImageError,
        Image.DecompressionBombWarning,
        Image.DecompressionBombError,
        OSError,
        ValueError,
        SyntaxError,
    ) as error:
        raise BoardError(f"board picture is damaged ({error})") from None
    if tile.reversed:
        part = part.transpose(Image.Transpose.ROTATE_180)
    if tile.scale != 1.0:
        part = part.resize((round(tile.width), round(tile.height)))
    return part
