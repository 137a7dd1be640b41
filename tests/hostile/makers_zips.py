"""Hostile zips around a saved game: lying, overlapping, damaged, packed in odd ways."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from functools import partial
from pathlib import Path

from tests.hostile.makers import MAKERS, maker, put, zipped
from tests.vassal import samples
from tests.vassal.samples import MODULE, SAVE
from vassal_bridge.demo import demo_save
from vassal_bridge.vassal import open_saved

LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


def patched(data: bytes, signature: bytes, at: int, value: bytes, *, which: int = 0) -> bytes:
    """A header (the first, second … of its kind) with other bytes at an offset."""
    start = -1
    for _ in range(which + 1):
        start = data.index(signature, start + 1)
    return data[: start + at] + value + data[start + at + len(value) :]


def good() -> bytes:
    return demo_save().read_bytes()


@maker
def zip_that_says_four_gigabytes(folder: Path) -> Path:
    data = patched(good(), CENTRAL, 20, struct.pack("<2I", 0xFFFFFFFE, 0xFFFFFFFE))
    return put(folder, "g.vsav", data)


@maker
def zip_that_says_too_little(folder: Path) -> Path:
    return put(folder, "g.vsav", patched(good(), CENTRAL, 24, struct.pack("<I", 5)))


@maker
def zip_of_sizes_in_extra_fields(folder: Path) -> Path:
    """Zip64 sizes of 2^63: the small ones are all ones, the extra field holds the rest."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        info = zipfile.ZipInfo("savedGame")
        info.extra = struct.pack("<2H3Q", 1, 24, 1 << 63, 1 << 63, 1 << 63)
        archive.writestr(info, b"begin_save\x1bend_save")
    data = patched(stream.getvalue(), CENTRAL, 20, b"\xff" * 8)
    return put(folder, "g.vsav", patched(data, CENTRAL, 42, b"\xff" * 4))


@maker
def zip_directory_in_two_sizes(folder: Path) -> Path:
    """The end record says one small directory, the zip64 record before it another, huge one."""
    many = zipped([(f"m{n}", b"") for n in range(70_000)])
    at = many.rindex(b"PK\x06\x06")
    end = many.rindex(END)
    size = struct.unpack_from("<Q", many, at + 40)[0]
    small = struct.pack("<4s4H2LH", END, 0, 0, 3, 3, 300, size & 0xFFFF, 0)
    return put(folder, "g.vsav", many[:end] + small)


@maker
def zip_of_one_name_twice(folder: Path) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = zipped([("savedGame", b"begin_save\x1bend_save"), ("savedGame", b"x")])
    return put(folder, "g.vsav", data)


@maker
def zip_with_password(folder: Path) -> Path:
    return put(folder, "g.vsav", patched(good(), CENTRAL, 8, b"\x01\x00"))


@maker
def zip_packed_in_no_known_way(folder: Path) -> Path:
    return put(folder, "g.vsav", patched(good(), CENTRAL, 10, b"\x63\x00"))


def packed(method: int, data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in (("moduledata", MODULE), ("savedata", SAVE), ("savedGame", data)):
            archive.writestr(name, content)
    return stream.getvalue()


@maker
def bomb_in_bzip2(folder: Path) -> Path:
    return put(folder, "g.vsav", packed(zipfile.ZIP_BZIP2, bytes(2 << 20)))


@maker
def bomb_in_lzma(folder: Path) -> Path:
    return put(folder, "g.vsav", packed(zipfile.ZIP_LZMA, bytes(2 << 20)))


@maker
def lzma_that_wants_four_gigabytes(folder: Path) -> Path:
    data = packed(zipfile.ZIP_LZMA, samples.text().encode())
    at = data.index(b"\x09\x04\x05\x00")
    return put(folder, "g.vsav", data[: at + 5] + b"\xff\xff\xff\xff" + data[at + 9 :])


@maker
def lzma_that_is_damaged(folder: Path) -> Path:
    data = packed(zipfile.ZIP_LZMA, samples.text().encode())
    at = data.index(b"\x09\x04\x05\x00")
    return put(folder, "g.vsav", data[: at + 4] + b"\xff" * 30 + data[at + 34 :])


@maker
def deflate_that_is_damaged(folder: Path) -> Path:
    data = good()
    at = data.index(b"savedGame") + 9
    return put(folder, "g.vsav", data[: at + 20] + b"\xff" * 20 + data[at + 40 :])


@maker
def deflate_that_ends_early(folder: Path) -> Path:
    """Sizes and directory are right, the stream inside lacks its end."""
    data = good()
    at = data.index(b"savedGame") + 9
    size = struct.unpack_from("<I", data, data.index(LOCAL) + 18)[0]
    gone = size - size // 2
    return put(folder, "g.vsav", data[: at + size // 2] + bytes(gone) + data[at + size :])


@maker
def zip_of_overlapping_members(folder: Path) -> Path:
    """All entries of the directory point at one member."""
    data = zipped([("savedGame", b"begin_save\x1bend_save")])
    end = data.rindex(END)
    at = data.index(CENTRAL)
    entry = data[at:end]
    entries = b"".join(entry.replace(b"savedGame", f"savedG{n:03}".encode()) for n in range(60))
    record = struct.pack("<4s4H2LH", END, 0, 0, 61, 61, len(entries) + len(entry), at, 0)
    return put(folder, "g.vsav", data[:end] + entries + record)


@maker
def five_members_of_fifteen_megabytes(folder: Path) -> Path:
    members = [(f"m{n}", bytes(15 << 20)) for n in range(5)]
    data = zipped([("savedGame", b"begin_save\x1bend_save"), ("moduledata", MODULE), *members])
    return put(folder, "g.vsav", data)


@maker
def zip_end_in_the_remark(folder: Path) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("savedGame", b"begin_save\x1bend_save")
        archive.comment = END + bytes(18) + b"x" * 60_000
    return put(folder, "g.vsav", stream.getvalue())


@maker
def zip_with_two_names_for_a_member(folder: Path) -> Path:
    """The name before the data is not the one in the directory."""
    return put(folder, "g.vsav", patched(good(), LOCAL, 30, b"otherGame"))


@maker
def zip_in_the_middle_of_something(folder: Path) -> Path:
    return put(folder, "g.vsav", b"MZ" + bytes(5000) + good() + bytes(100))


@maker
def zip_with_absolute_name(folder: Path) -> Path:
    return put(folder, "g.zip", zipped([("/etc/../tmp/owned.vsav", b"PK\x03\x04nothing")]))


@maker
def zip_of_nameless_games(folder: Path) -> Path:
    return put(folder, "g.zip", zipped([(".vsav", good()), ("x/.vsav", good())]))


MODULES = {
    "moduledata with a file in it": b'<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    b"<data><name>&f;</name></data>",
    "moduledata nested deep": b"<data>" * 100_000,
    "moduledata of a long text": b"<data><name>" + b"x" * (7 << 20) + b"</name></data>",
    "moduledata of attributes": b"<data "
    + b" ".join(b'a%d="1"' % n for n in range(100_000))
    + b"><name>VASL</name></data>",
    "moduledata quadratic": b'<!DOCTYPE d [<!ENTITY a "' + b"a" * 100_000 + b'">]><data><name>'
    + b"&a;" * 100_000 + b"</name></data>",
    "moduledata of a schema": b'<!DOCTYPE d SYSTEM "http://127.0.0.1:9/x.dtd"><data><name>VASL'
    b"</name></data>",
    "moduledata that includes": b'<data xmlns:xi="http://www.w3.org/2001/XInclude">'
    b'<name><xi:include href="/etc/passwd" parse="text"/></name></data>',
    "moduledata of odd texts": "<data><name>VASL</name><version>\u202e\x85&#155;31m</version>"
    "<VassalVersion>&#10;&#13;x</VassalVersion></data>".encode(),
    "moduledata in utf-16": "<data><name>VASL</name></data>".encode("utf-16"),
    "moduledata with controls": b"<data><name>VASL\x1b[2J</name></data>",
}  # fmt: skip


def with_module(folder: Path, module: bytes) -> Path:
    game = open_saved(demo_save()).text.encode()
    return put(folder, "g.vsav", zipped([("savedGame", game), ("moduledata", module)]))


for _name, _module in MODULES.items():
    MAKERS[_name] = partial(with_module, module=_module)


def cut_at(folder: Path, share: float) -> Path:
    data = good()
    return put(folder, "g.vsav", data[: int(len(data) * share)])


for _share in (0.001, 0.1, 0.5, 0.9, 0.99):
    MAKERS[f"zip cut at {_share}"] = partial(cut_at, share=_share)
MAKERS["empty file"] = lambda folder: put(folder, "g.vsav", b"")
MAKERS["noise"] = lambda folder: put(folder, "g.vsav", bytes(range(256)) * 4000)
MAKERS["noise in a zip's clothes"] = lambda folder: put(
    folder, "g.vsav", LOCAL + bytes(range(256)) * 4000 + END + bytes(18)
)
MAKERS["text"] = lambda folder: put(folder, "g.vsav", b"Dear opponent, here is my move.\n" * 50_000)
