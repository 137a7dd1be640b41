"""Makes small board archives for tests: LOSData, metadata and a picture, nothing of anybody's."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from vassal_bridge.board.hexes import HexGeometry
from vassal_bridge.board.hexgrid import hex_grid
from vassal_bridge.board.layout_library import OPEN_GEOMETRY

Terrain = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int8]

OPEN, GRAIN, BRUSH, BUILDING, WOODS, ORCHARD, ROAD, MARSH = 0, 24, 25, 40, 60, 63, 65, 14
WALL, HEDGE, CLIFF = 72, 73, 75


def blank(geometry: HexGeometry = OPEN_GEOMETRY) -> Terrain:
    """Open ground of a board's size."""
    return np.zeros((geometry.width, geometry.height), np.uint8)


def fill(terrain: Terrain, *names: str, code: int, geometry: HexGeometry = OPEN_GEOMETRY) -> None:
    """Fill whole hexes with a code, edge to edge."""
    owner = hex_grid(geometry)
    for name in names:
        hex_ = geometry.hex_named(name)
        assert hex_ is not None, name
        terrain[owner == geometry.index(hex_)] = code


def los_data(terrain: Terrain, levels: Levels | None, columns: int, rows: int) -> bytes:
    """The member LOSData (los/algorithm.md 5)."""
    width, height = terrain.shape
    levels = np.zeros(terrain.shape, np.int8) if levels is None else levels
    pixels = np.empty((width, height, 2), np.uint8)
    pixels[:, :, 0], pixels[:, :, 1] = levels.view(np.uint8), terrain
    body = struct.pack(">4i", columns, rows, width, height) + pixels.tobytes()
    body += bytes(columns * rows + columns // 2)
    stream = b"\xac\xed\x00\x05"
    for at in range(0, len(body), 1024):
        block = body[at : at + 1024]
        stream += b"\x7a" + struct.pack(">i", len(block)) + block
    return gzip.compress(stream, 1)


def picture(width: int, height: int, colour: tuple[int, ...] = (170, 190, 110)) -> bytes:
    """A GIF of one colour, or a PNG when the colour has an alpha channel."""
    out = io.BytesIO()
    mode, kind = ("RGBA", "PNG") if len(colour) == 4 else ("RGB", "GIF")
    Image.new(mode, (width, height), colour).save(out, kind)
    return out.getvalue()


def write_board(
    folder: Path,
    name: str,
    terrain: Terrain,
    levels: Levels | None = None,
    *,
    geometry: HexGeometry = OPEN_GEOMETRY,
    attributes: str = "",
    rules: str = "",
    members: dict[str, bytes] | None = None,
    art: bytes | None = None,
    file: str | None = None,
) -> Path:
    """Write a board archive ``bd<name>`` with metadata, LOSData and a picture.

    `attributes` are added to the board's metadata element, `rules` inside its overlaySSRules;
    `art` is the picture file, made if not given.
    """
    path = folder / (file or f"bd{name}")
    metadata = (
        f'<boardMetadata name="{name}" version="6.0" boardImageFileName="bd{name}.gif" '
        f'hasHills="TRUE" width="{geometry.columns}" height="{geometry.rows}" {attributes}>'
        f"<overlaySSRules>{rules}</overlaySSRules></boardMetadata>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("BoardMetadata.xml", metadata)
        archive.writestr("LOSData", los_data(terrain, levels, geometry.columns, geometry.rows))
        drawn = picture(geometry.width, geometry.height) if art is None else art
        archive.writestr(f"bd{name}.gif", drawn)
        for member, content in (members or {}).items():
            archive.writestr(member, content)
    return path


def write_legacy(folder: Path, name: str, size: tuple[int, int], data: str = "version 1\n") -> Path:
    """Write a legacy board: a picture and a `data` file, no terrain."""
    path = folder / f"bd{name}"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"bd{name}.gif", picture(*size))
        archive.writestr("data", data)
    return path
