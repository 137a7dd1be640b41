"""Target: the wrapping of `savedGame`. What opens must close and open to the same text."""

from __future__ import annotations

import random

from mutation import change, kind_of

from tests.vassal import samples
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal.envelope import close_envelope, open_envelope


def seeds() -> list[bytes]:
    """One text in every envelope."""
    text = samples.text([samples.squad("11"), samples.stack("12", ["11"])])
    return [samples.wrapped(text, kind, key) for kind in samples.KINDS for key in (0, 0x5A)]


def check(data: bytes) -> str:
    """Open, close, open."""
    try:
        envelope, text = open_envelope(data)
    except VassalBridgeError as error:
        if "\n" in str(error):
            raise AssertionError("an error of several lines") from error
        return kind_of(error)
    assert open_envelope(close_envelope(envelope, text)) == (envelope, text)
    return f"{envelope.kind} {min(len(text) // 100, 5)}"


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Change the text inside and wrap it anew; or the wrapping outside."""
    try:
        _, text = open_envelope(data)
    except VassalBridgeError:
        return change(rng, data, [data])
    plain = change(rng, text.encode(), [data]).decode(errors="ignore")
    return samples.wrapped(plain, rng.choice(samples.KINDS), rng.randrange(256))
