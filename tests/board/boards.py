"""Board archives of our own, as small as a test needs."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from vassal_bridge.board.hexes import HexGeometry
from vassal_bridge.board.hexgrid import hex_grid
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.losterrain import terrain_table

METADATA = (
    '<?xml version="1.0"?>\n<boardMetadata name="{name}" version="6.1" hasHills="TRUE" '
    'boardImageFileName="bd{name}.gif" width="{columns}" height="{rows}" {more}>{inside}'
    "</boardMetadata>"
)


def geometry(columns: int = 9, rows: int = 4) -> HexGeometry:
    """A small board of standard hexes; an odd number of columns, as all geomorphic boards have."""
    return HexGeometry(
        56.25, 64.5, 0.0, 32.25, columns, rows, int(56.25 * (columns - 1)), int(64.5 * rows)
    )


def los_data(
    columns: int,
    rows: int,
    terrain: np.ndarray,
    elevation: np.ndarray | None = None,
    stairway: bytes | None = None,
    block: int = 1024,
) -> bytes:
    """A LOSData member: gzip around blocks of primitive data (los/algorithm.md 5)."""
    level = np.zeros_like(terrain) if elevation is None else elevation
    pixels = np.stack([level.astype(np.int8).view(np.uint8), terrain.astype(np.uint8)], axis=-1)
    payload = struct.pack(">4i", columns, rows, *terrain.shape) + pixels.tobytes()
    payload += stairway if stairway is not None else bytes(columns * rows + columns // 2)
    stream = bytearray(b"\xac\xed\x00\x05")
    for at in range(0, len(payload), block):
        part = payload[at : at + block]
        short = len(part) < 256
        stream += b"\x77" + bytes([len(part)]) if short else b"\x7a" + struct.pack(">I", len(part))
        stream += part
    return gzip.compress(bytes(stream), 1, mtime=0)


def gif(width: int, height: int) -> bytes:
    """The head of a GIF, enough to tell its size."""
    return b"GIF89a" + struct.pack("<2H", width, height) + bytes(3) + b";"


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip of members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def metadata(name: str, columns: int, rows: int, more: str = "", inside: str = "") -> bytes:
    """BoardMetadata.xml."""
    return METADATA.format(name=name, columns=columns, rows=rows, more=more, inside=inside).encode()


def board(
    name: str = "q",
    columns: int = 9,
    rows: int = 4,
    terrain: np.ndarray | None = None,
    elevation: np.ndarray | None = None,
) -> bytes:
    """A whole archive, all Open Ground unless grids are given."""
    g = geometry(columns, rows)
    if terrain is None:
        terrain = np.zeros((g.width, g.height), np.uint8)
    return zipped(
        {
            f"bd{name}.gif": gif(g.width, g.height),
            "BoardMetadata.xml": metadata(name, columns, rows),
            "data": b"version 6.1\n",
            "LOSData": los_data(columns, rows, terrain, elevation),
        }
    )


def write_board(folder: Path, name: str = "q", **grids: Any) -> Path:
    """Write `board` to a folder as players have it: ``bdq``."""
    path = folder / f"bd{name}"
    path.write_bytes(board(name, **grids))
    return path


def drawn(
    hexes: dict[str, str] | None = None,
    levels: dict[str, int] | None = None,
    columns: int = 9,
    rows: int = 4,
    **placing: Any,
) -> LosMap:
    """A map of one board ``b`` with whole hexes of a terrain (VASL's names) or level.

    The hexes are part of the board's pixels, so everything is derived from them as from a real one.
    """
    return build_los_map([placed(hexes, levels, columns, rows, **placing)])


def placed(
    hexes: dict[str, str] | None = None,
    levels: dict[str, int] | None = None,
    columns: int = 9,
    rows: int = 4,
    name: str = "b",
    **placing: Any,
) -> PlacedBoard:
    """The board of `drawn`, to be joined with others."""
    g = geometry(columns, rows)
    grid = hex_grid(g)
    terrain = np.zeros((g.width, g.height), np.uint8)
    elevation = np.zeros((g.width, g.height), np.int8)
    for hex_name, kind in (hexes or {}).items():
        terrain[grid == g.index(_hex(g, hex_name))] = terrain_table().code(kind)
    for hex_name, level in (levels or {}).items():
        elevation[grid == g.index(_hex(g, hex_name))] = level
    stairway = np.zeros(columns * rows + columns // 2, bool)
    return PlacedBoard(name, g, terrain, elevation, stairway, **placing)


def _hex(g: HexGeometry, name: str) -> tuple[int, int]:
    found = g.hex_named(name)
    assert found is not None, name
    return found
