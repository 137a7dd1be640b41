"""The member LOSData of a board archive (los/algorithm.md 5)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vassal_bridge.errors import BoardError, LimitReached
from vassal_bridge.limits import (
    MAX_BOARD_HEXES,
    MAX_LOSDATA_PIXELS,
    MIN_LOSDATA_BLOCK_BYTES,
    MIN_LOSDATA_BLOCKS,
)

_STREAM_HEADER = b"\xac\xed\x00\x05"
FULL_BLOCK = 1024
"""Bytes of payload in the blocks Java writes, all but the last."""
_FULL_HEADER = b"\x7a" + FULL_BLOCK.to_bytes(4, "big")


@dataclass(frozen=True, slots=True)
class LosData:
    """The grids of LOSData: ``[x, y]`` arrays of a board's size, hex counts and stairways.

    `elevation` is int8 (levels), `terrain` uint8 (codes of module_maps/los_terrain.json),
    `stairway` holds one bool per hex in column order, columns of `rows` or `rows` + 1 hexes.
    """

    columns: int
    rows: int
    elevation: npt.NDArray[np.int8]
    terrain: npt.NDArray[np.uint8]
    stairway: npt.NDArray[np.bool_]


def read_los_data(content: bytes) -> LosData:
    """Decode the member LOSData: gzip around a Java object stream of primitive data.

    Raises:
        BoardError: damaged.
        LimitReached: a grid of more than `MAX_LOSDATA_PIXELS` pixels.
    """
    # Two bytes a pixel, plus one per hex and five per block of at least one byte of payload.
    limit = 2 * MAX_LOSDATA_PIXELS + (1 << 20)
    unpack = zlib.decompressobj(wbits=31)
    try:
        stream = unpack.decompress(content, limit)
    except zlib.error as error:
        raise BoardError(f"damaged ({error})") from None
    if unpack.unconsumed_tail:
        raise LimitReached(f"over {limit} bytes")
    if not unpack.eof:
        raise BoardError("cut short")
    payload = _stream_payload(stream)
    if len(payload) < 16:
        raise BoardError("no header")
    columns, rows, width, height = struct.unpack_from(">4i", payload)
    if min(columns, rows, width, height) < 1:
        raise BoardError(f"impossible size {columns} x {rows} hexes, {width} x {height} pixels")
    if width * height > MAX_LOSDATA_PIXELS:
        raise LimitReached(f"{width} x {height} pixels, limit {MAX_LOSDATA_PIXELS}")
    if columns * (rows + 1) > MAX_BOARD_HEXES:
        raise LimitReached(f"{columns} x {rows} hexes, limit {MAX_BOARD_HEXES} in all")
    hexes = columns * rows + columns // 2
    end = 16 + 2 * width * height
    if len(payload) < end + hexes:
        raise BoardError(f"cut short: {len(payload)} bytes of {end + hexes}")
    # Elevation and terrain of a pixel follow each other: the lower and the upper byte of a word.
    pixels = np.frombuffer(payload, "<u2", width * height, 16).reshape(width, height)
    elevation = pixels.astype(np.uint8).view(np.int8)
    terrain = (pixels >> 8).astype(np.uint8)
    stairway = np.frombuffer(payload, np.uint8, hexes, end) == 1
    for array in (elevation, terrain, stairway):
        array.flags.writeable = False
    return LosData(columns, rows, elevation, terrain, stairway)


def _stream_payload(stream: bytes) -> bytes:
    """Join the blocks of the object stream (77 + 1-byte length, 7A + 4-byte length)."""
    if stream[:4] != _STREAM_HEADER:
        raise BoardError("not an object stream")
    blocks = [_full_blocks(stream)]
    size = len(stream)
    at = 4 + len(blocks[0]) // FULL_BLOCK * (FULL_BLOCK + len(_FULL_HEADER))
    most = MIN_LOSDATA_BLOCKS + size // MIN_LOSDATA_BLOCK_BYTES
    while at < size:
        if len(blocks) > most:
            raise LimitReached(f"over {most} blocks in {size} bytes")
        kind = stream[at]
        if kind == 0x7A and at + 5 <= size:
            length = int.from_bytes(stream[at + 1 : at + 5], "big")
            at += 5
        elif kind == 0x77 and at + 2 <= size:
            length = stream[at + 1]
            at += 2
        else:
            raise BoardError(f"unexpected byte {kind:#04x} at {at}")
        if at + length > size:
            raise BoardError("cut short within a block")
        blocks.append(stream[at : at + length])
        at += length
    return b"".join(blocks)


def _full_blocks(stream: bytes) -> bytes:
    """Payload of the full blocks at the beginning of the stream, all at once."""
    length = len(_FULL_HEADER) + FULL_BLOCK
    count = (len(stream) - len(_STREAM_HEADER)) // length
    blocks = np.frombuffer(stream, np.uint8, count * length, len(_STREAM_HEADER))
    blocks = blocks.reshape(count, length)
    header = np.frombuffer(_FULL_HEADER, np.uint8)
    other = np.flatnonzero((blocks[:, : len(header)] != header).any(axis=1))
    full = blocks[: int(other[0])] if other.size else blocks
    return full[:, len(header) :].tobytes()
