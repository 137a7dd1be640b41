"""Envelopes: each is read, remembered and written again; bombs and unknown ones are refused."""

from __future__ import annotations

import lzma
import time
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vassal import samples
from vassal_bridge import limits
from vassal_bridge.errors import FormatError, LimitReached, UnknownEnvelope, VassalBridgeError
from vassal_bridge.vassal import envelope as envelopes
from vassal_bridge.vassal.envelope import PLAIN, Envelope, close_envelope, open_envelope

TEXT = "begin_save\x1bCHAT<Åsa> - ♥ 溃退 😀 \\ ' / ;\x1bend_save"


@pytest.mark.parametrize("kind", samples.KINDS)
@pytest.mark.parametrize("key", [0, 0x58, 0xFF])
def test_every_envelope_is_read_and_remembered(kind: str, key: int) -> None:
    envelope, text = open_envelope(samples.wrapped(TEXT, kind, key))
    assert text == TEXT
    assert envelope.kind == kind
    assert envelope.key == (None if kind in ("plain", "XZ") else key)


@pytest.mark.parametrize("kind", samples.KINDS)
@pytest.mark.parametrize("upper", [False, True])
def test_writing_gives_the_envelope_read(kind: str, upper: bool) -> None:
    data = samples.wrapped(TEXT, kind, 0xA7, upper=upper)
    envelope, text = open_envelope(data)
    again = close_envelope(envelope, text)
    assert open_envelope(again) == (envelope, text)
    if kind not in ("!VCSZ", "!VOXZ", "XZ"):  # compressed streams may differ in their bytes
        assert again == data


def test_the_engines_own_vector() -> None:
    """Key 0x58 over a text, as VASSAL's own tests have it (reliability.md 1)."""
    plain = "begin_save\x1bend_save"
    data = b"!VCSK58" + bytes(byte ^ 0x58 for byte in plain.encode()).hex().encode()
    assert open_envelope(data) == (Envelope("!VCSK", 0x58), plain)
    upper = b"!VCSK58" + data[7:].upper()
    assert open_envelope(upper) == (Envelope("!VCSK", 0x58, upper=True), plain)


def test_plain_text_passes_unchanged() -> None:
    assert open_envelope(TEXT.encode()) == (PLAIN, TEXT)
    assert open_envelope(b"begin_save") == (PLAIN, "begin_save")


@pytest.mark.parametrize(
    "data",
    [b"", b"hello world", b"!VXYZ12", b"VNEW\x00\x01", b"PK\x03\x04ab", b"\x00" * 40, b"\xff\xfe!"],
)
def test_an_unknown_envelope_names_its_first_bytes(data: bytes) -> None:
    with pytest.raises(UnknownEnvelope) as caught:
        open_envelope(data)
    assert (data[:6].hex(" ") if data else "empty") in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"!VCSK5", "hex digits"),
        (b"!VCSK58a", "hex digits"),
        (b"!VCSK58zz", "hex digits"),
        (b"!VCSK", "key byte"),
        (b"VOBS", "key byte"),
        (b"!VCSK00ff", "not UTF-8 at byte 0"),
        (b"!VCSK00eda080", "not UTF-8"),
        (b"VOBS\x00abc\xc3", "not UTF-8 at byte 3"),
        (b"!VCSZ00" + zlib.compress(b"begin_save")[:-6].hex().encode(), "too early"),
        (b"!VCSZ00ffff", "damaged"),
        (b"!VOXZ\x00not xz at all", "damaged"),
        (lzma.compress(b"begin_save" * 99)[:-20], "too early"),
        (b"\xfd7zXZ\x00junkjunkjunkjunk", "damaged"),
        (lzma.compress(b"begin_save\x1b") + lzma.compress(b"end_save"), "follows"),
        (b"!VCSZ00" + zlib.compress(b"begin_save\x1b").hex().encode() + b"aa", "follows"),
    ],
)
def test_damage_is_named(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        open_envelope(data)


def test_padding_after_a_stream_is_no_damage() -> None:
    """XZ streams may be padded with zeros."""
    assert open_envelope(lzma.compress(b"begin_save\x1b") + bytes(4))[1] == "begin_save\x1b"


def test_no_byte_order_mark_is_dropped() -> None:
    text = "\ufeffbegin_save\x1bend_save"
    assert open_envelope(samples.wrapped(text, "!VCSK"))[1] == text


def test_a_lone_surrogate_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="surrogate"):
        close_envelope(PLAIN, "begin_save\ud800")


def test_an_envelope_that_does_not_exist_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="VCSQ"):
        close_envelope(Envelope("VCSQ"), TEXT)


def bomb(kind: str, size: int) -> bytes:
    if kind == "!VCSZ":
        return b"!VCSZ00" + zlib.compress(b"\0" * size, 9).hex().encode()
    packed = lzma.compress(b"\0" * size)
    return packed if kind == "XZ" else b"!VOXZ\x00" + packed


@pytest.mark.parametrize("kind", ["!VCSZ", "!VOXZ", "XZ"])
def test_bombs_are_refused_before_they_grow(kind: str) -> None:
    data = bomb(kind, 200 * 1024 * 1024)
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(LimitReached):
        open_envelope(data)
    seconds, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 1.0 * samples.patience()
    assert peak < 120 * 1024 * 1024


@pytest.mark.parametrize("kind", samples.KINDS)
def test_max_text_bytes(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT * 20
    monkeypatch.setattr(envelopes, "MAX_TEXT_BYTES", len(text.encode()))
    assert open_envelope(samples.wrapped(text, kind))[1] == text
    monkeypatch.setattr(envelopes, "MAX_TEXT_BYTES", len(text.encode()) - 1)
    with pytest.raises(LimitReached, match="passes"):
        open_envelope(samples.wrapped(text, kind))


def test_max_xz_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    data = lzma.compress(TEXT.encode(), preset=9)
    assert open_envelope(data)[1] == TEXT
    assert limits.MAX_XZ_MEMORY > 65 * 1024 * 1024
    monkeypatch.setattr(envelopes, "MAX_XZ_MEMORY", 1024 * 1024)
    with pytest.raises(LimitReached, match="XZ"):
        open_envelope(data)


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60),
    st.sampled_from([kind for kind in samples.KINDS if kind != "plain"]),
    st.integers(0, 255),
    st.booleans(),
)
def test_any_text_comes_back(text: str, kind: str, key: int, upper: bool) -> None:
    key_or_none = None if kind == "XZ" else key
    given_envelope = Envelope(kind, key_or_none, upper and kind in ("!VCSK", "!VCSZ"))
    envelope, again = open_envelope(close_envelope(given_envelope, text))
    assert again == text
    assert (envelope.kind, envelope.key) == (kind, key_or_none)


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from([b"", *[samples.wrapped(TEXT, kind) for kind in samples.KINDS]]),
    st.binary(max_size=30),
    st.integers(0, 200),
)
def test_junk_raises_only_our_own_errors(head: bytes, junk: bytes, cut: int) -> None:
    for data in (head[:cut] + junk, junk + head, head[:cut] + junk + head[cut:]):
        try:
            envelope, text = open_envelope(data)
        except VassalBridgeError as error:
            message = str(error)
        else:
            message = ""
            assert open_envelope(close_envelope(envelope, text)) == (envelope, text)
        assert "\n" not in message
