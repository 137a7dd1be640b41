"""How the text of a game is wrapped inside `savedGame` (formats/files.md 2).

Reading remembers the envelope with its key and case, so that writing re-emits the same one.
"""

from __future__ import annotations

import binascii
import lzma
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from vassal_bridge.errors import FormatError, LimitReached, UnknownEnvelope
from vassal_bridge.limits import (
    MAX_COMPRESSION_RATIO,
    MAX_TEXT_BYTES,
    MAX_XZ_MEMORY,
    RATIO_FREE_BYTES,
)

XZ_MAGIC = b"\xfd7zXZ\x00"
_CHUNK = 4 * 1024 * 1024
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]")
_HEX_LETTER = re.compile(rb"[A-Fa-f]")
_FRESH_MAGIC = re.compile(rb"!?V[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The wrapping of one file.

    Attributes:
        kind: ``plain``, ``!VCSK``, ``!VCSZ``, ``VOBS``, ``!VOBS``, ``!VOXZ`` or ``XZ``.
        key: the byte every byte is XORed with, 0 to 255; None where the kind has none.
        upper: the hex digits are upper case (``!VCSK`` and ``!VCSZ``).
    """

    kind: str
    key: int | None = None
    upper: bool = False


PLAIN = Envelope("plain")
USUAL = Envelope("!VCSK", 0x58)
"""What every VASSAL reads; for games that come from no file."""


def open_envelope(data: bytes) -> tuple[Envelope, str]:
    """Take the text out of `savedGame`.

    Raises:
        UnknownEnvelope: no envelope known, and not the plain text of a game either.
        FormatError: damaged: no hex digits, a broken stream, not UTF-8.
        LimitReached: the text would pass `MAX_TEXT_BYTES`, or compresses absurdly.
    """
    for magic, opener in _OPENERS:
        if data.startswith(magic):
            envelope, plain = opener(magic, data)
            return envelope, _to_text(plain)
    if _FRESH_MAGIC.match(data):
        raise _unknown(data)
    try:
        text = _to_text(data)
    except FormatError:
        raise _unknown(data) from None
    if _CONTROL.search(text) or not ("begin_save" in text or "\x1b" in text or text[:2] == "+/"):
        raise _unknown(data)
    return PLAIN, text


def close_envelope(envelope: Envelope, text: str) -> bytes:
    """Wrap a text again, as `open_envelope` found it.

    Raises:
        FormatError: the text holds a lone surrogate, or the envelope is none of the known kinds.
    """
    try:
        plain = text.encode()
    except UnicodeEncodeError:
        raise FormatError("a text holds a lone surrogate, not a character") from None
    key = envelope.key or 0
    match envelope.kind:
        case "plain":
            return plain
        case "!VCSK":
            return b"!VCSK" + _hex(_xor(plain, key), envelope)
        case "!VCSZ":
            return b"!VCSZ" + _hex(_xor(zlib.compress(plain), key), envelope)
        case "VOBS" | "!VOBS":
            return envelope.kind.encode() + bytes((key,)) + _xor(plain, key)
        case "!VOXZ":
            return b"!VOXZ" + bytes((key,)) + _xor(lzma.compress(plain, preset=3), key)
        case "XZ":
            return lzma.compress(plain, preset=3)
    raise FormatError(f"no envelope is called {envelope.kind!r}")


def _to_text(plain: bytes) -> str:
    if len(plain) > MAX_TEXT_BYTES:
        raise LimitReached(f"the text of the game passes {MAX_TEXT_BYTES} bytes")
    try:
        return plain.decode()
    except UnicodeDecodeError as error:
        raise FormatError(f"the text of the game is not UTF-8 at byte {error.start}") from None


def _unknown(data: bytes) -> UnknownEnvelope:
    if not data:
        return UnknownEnvelope("savedGame is empty")
    head = data[:6]
    shown = "".join(chr(byte) if 0x20 < byte < 0x7F else "." for byte in head)
    return UnknownEnvelope(f"savedGame begins with {head.hex(' ')} ({shown}), no form known")


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(i ^ key for i in range(256))) if key else data


def _hex(data: bytes, envelope: Envelope) -> bytes:
    digits = bytes((envelope.key or 0,)).hex().encode() + binascii.hexlify(data)
    return digits.upper() if envelope.upper else digits


def _unhex(magic: bytes, data: bytes) -> tuple[Envelope, bytes]:
    if len(data) - len(magic) > 2 * MAX_TEXT_BYTES + 2:
        raise LimitReached(f"the text of the game passes {MAX_TEXT_BYTES} bytes")
    try:
        raw = binascii.unhexlify(memoryview(data)[len(magic) :])
    except (binascii.Error, ValueError):
        raise FormatError(f"{magic.decode()}: not an even number of hex digits") from None
    if not raw:
        raise FormatError(f"{magic.decode()}: the key byte is missing")
    letters = _HEX_LETTER.search(data, len(magic))
    upper = letters is not None and letters.group().isupper()
    return Envelope(magic.decode(), raw[0], upper), _xor(raw[1:], raw[0])


def _open_hex_deflated(magic: bytes, data: bytes) -> tuple[Envelope, bytes]:
    envelope, packed = _unhex(magic, data)
    stream = zlib.decompressobj()
    try:
        plain = _bounded(lambda more, size: stream.decompress(more, size), packed, stream)
    except zlib.error:
        raise FormatError("!VCSZ: the deflated text is damaged") from None
    return envelope, plain


def _keyed(magic: bytes, data: bytes) -> tuple[Envelope, bytes]:
    start = len(magic) + 1
    if len(data) < start:
        raise FormatError(f"{magic.decode()}: the key byte is missing")
    if len(data) - start > MAX_TEXT_BYTES:
        raise LimitReached(f"the text of the game passes {MAX_TEXT_BYTES} bytes")
    key = data[start - 1]
    return Envelope(magic.decode(), key), _xor(data[start:], key)


def _open_keyed_xz(magic: bytes, data: bytes) -> tuple[Envelope, bytes]:
    envelope, packed = _keyed(magic, data)
    return envelope, _unxz(packed)


def _open_xz(_magic: bytes, data: bytes) -> tuple[Envelope, bytes]:
    return Envelope("XZ"), _unxz(data)


def _unxz(packed: bytes) -> bytes:
    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ_MEMORY)
    try:
        return _bounded(stream.decompress, packed, stream)
    except lzma.LZMAError as error:
        if "emory" in str(error):
            raise LimitReached(f"the XZ stream wants over {MAX_XZ_MEMORY} bytes") from None
        raise FormatError("the XZ stream is damaged") from None
    except EOFError:
        raise FormatError("the XZ stream is damaged") from None


def _bounded(step: Callable[[bytes, int], bytes], packed: bytes, stream: object) -> bytes:
    """Decompress in chunks, so that a bomb is refused before it has grown."""
    chunks: list[bytes] = []
    size = 0
    more = packed
    while True:
        chunk = step(more, _CHUNK)
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_TEXT_BYTES:
            raise LimitReached(f"the text of the game passes {MAX_TEXT_BYTES} bytes")
        if size > RATIO_FREE_BYTES and size > len(packed) * MAX_COMPRESSION_RATIO:
            raise LimitReached(f"{len(packed)} bytes that unpack to over {size} are refused")
        if getattr(stream, "eof", False):
            if getattr(stream, "unused_data", b"").strip(b"\0"):
                raise FormatError("something follows the compressed text")
            return b"".join(chunks)
        more = getattr(stream, "unconsumed_tail", b"")
        if not chunk and not more:
            raise FormatError("the compressed text ends too early")


_OPENERS: tuple[tuple[bytes, Callable[[bytes, bytes], tuple[Envelope, bytes]]], ...] = (
    (b"!VCSK", _unhex),
    (b"!VCSZ", _open_hex_deflated),
    (b"VOBS", _keyed),
    (b"!VOBS", _keyed),
    (b"!VOXZ", _open_keyed_xz),
    (XZ_MAGIC, _open_xz),
)
