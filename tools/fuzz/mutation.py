"""How the runner makes a new input out of an old one."""

from __future__ import annotations

import random
import re

LARGEST_INPUT = 256 * 1024
"""Longest input made, in bytes."""

_TEXTS = (
    "\x1b", "\\\x1b", "\\", "\\\\", "'", "''", "\t", "\\\t", "/", "\\/", ";", "\\;", ",", "+", "$",
    "|", "+/", "-/", "D/", "M/", "LOG\t", "CHAT", "bd\t", "INFO\t", "UNDO\ttrue", "UNDO\tfalse",
    "null", "begin_save", "end_save", "stack", "Main Map", "Map0", "piece;", "emb2;", "label;",
    "hide;", "conceal;", "concealment;", "PROP;", "mark;", "moved;", "immob;", "* UNDO: ", "@@1",
    "GlobalProperty\t;a;b;c", "MutableProperty\ta\tb\tc\td", "-1", "0", "1", "99999999999",
    "$pieceName$", "$label$", "\ue000", "\x00", "\u2028", "!VCSK", "!VCSZ", "VOBS", "!VOBS",
    "!VOXZ", "PK\x03\x04", "PK\x05\x06", "<data>", "<!DOCTYPE", "&a;",
)  # fmt: skip
_BYTES = (
    b"\xfd7zXZ\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xff\xff\xff\xff",
    b"\x1f\x8b\x08",
    b"\xac\xed",
)
TOKENS = (*(text.encode() for text in _TEXTS), *_BYTES)
"""Words the formats know."""


def kind_of(error: Exception) -> str:
    """What an error says, without the numbers and names of one input."""
    return f"{type(error).__name__} {re.sub('[0-9]+', '#', str(error))[:22]}"


def change(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """A new input: a few cuts, swaps, repeats, inserts and flips of an old one."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randint(0, len(out))
        until = min(len(out), at + rng.choice((1, 2, 4, 16, 64, 500)))
        match rng.randrange(8):
            case 0:
                del out[at:until]
            case 1:
                out[at:at] = rng.choice(TOKENS)
            case 2:
                out[at:until] = rng.choice(TOKENS)
            case 3 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case 4:
                out[at:at] = out[at:until] * rng.choice((1, 2, 10, 60))
            case 5:
                other = rng.choice(others)
                cut = rng.randint(0, len(other))
                out[at:at] = other[cut : cut + rng.choice((4, 40, 400, 4000))]
            case 6:
                out[at:] = b""
            case _:
                out[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(5)))
    return bytes(out[:LARGEST_INPUT])
