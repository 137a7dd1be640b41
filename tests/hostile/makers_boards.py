"""Hostile board archives: the game is the demo's, its board is not.

The boards lie in the folder `boards` beside the game.
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.hostile.makers import ANSI, BIDI, HTML, MAKERS, boards, maker, zipped
from vassal_bridge.demo import demo_boards, demo_save

BOARDS = "boards"


def members() -> dict[str, bytes]:
    """The demo's board, by member."""
    with zipfile.ZipFile(demo_boards() / "bddemo") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def on_board(folder: Path, board: bytes, words: str = "") -> Path:
    """The demo's game beside a board of its own."""
    (folder / BOARDS).mkdir()
    (folder / BOARDS / "bddemo").write_bytes(board)
    path = folder / "g.vsav"
    if words:
        line = f"bd\t0\t0\tdemo\tVER\t1.0\tSSR\t{words}\t"
        return boards(folder, line)
    path.write_bytes(demo_save().read_bytes())
    return path


def with_members(folder: Path, words: str = "", **changed: bytes | None) -> Path:
    found = members()
    for name, data in changed.items():
        name = {"metadata": "BoardMetadata.xml", "picture": "bddemo.png"}.get(name, name)
        if data is None:
            del found[name]
        else:
            found[name] = data
    return on_board(folder, zipped(found.items()), words)


# --- LOSData ----------------------------------------------------------------------------------


def packed(body: bytes) -> bytes:
    return gzip.compress(body, 1)


def stream(payload: bytes, block: int = 1024) -> bytes:
    parts = [payload[at : at + block] for at in range(0, len(payload), block)]
    return b"\xac\xed\x00\x05" + b"".join(
        b"\x7a" + struct.pack(">i", len(part)) + part for part in parts
    )


def grid(columns: int, rows: int, width: int, height: int, fill: bytes = b"\0\0") -> bytes:
    pixels = fill * (min(width * height, 4_000_000))
    return (
        struct.pack(">4i", columns, rows, width, height)
        + pixels
        + bytes(abs(columns) * (abs(rows) + 1))
    )


LOS = {
    "empty": b"",
    "no gzip": b"\xac\xed\x00\x05" + bytes(1000),
    "cut short": members()["LOSData"][:9000],
    "bad checksum": members()["LOSData"][:-8] + bytes(8),
    "no stream": packed(b"hello" * 1000),
    "objects": packed(b"\xac\xed\x00\x05sr\x00\x11java.util.HashMap" + bytes(1000)),
    "endless block": packed(b"\xac\xed\x00\x05\x7a\x7f\xff\xff\xff" + bytes(1000)),
    "negative block": packed(b"\xac\xed\x00\x05\x7a\xff\xff\xff\xff" + bytes(1000)),
    "tiny blocks": packed(b"\xac\xed\x00\x05" + b"\x77\x01\x00" * 500_000),
    "empty blocks": packed(b"\xac\xed\x00\x05" + b"\x77\x00" * 500_000),
    "negative size": packed(stream(grid(33, 10, -1800, -645))),
    "size of nothing": packed(stream(grid(0, 0, 0, 0))),
    "endless size": packed(stream(grid(33, 10, 2**31 - 1, 2**31 - 1))),
    "thin": packed(stream(grid(33, 10, 1, 645))),
    "tall": packed(stream(grid(1, 19_000, 56, 60_000))),
    "wide": packed(stream(grid(9_000, 1, 60_000, 56))),
    "more hexes than pixels": packed(stream(grid(140, 140, 140, 140))),
    "one hex": packed(stream(grid(1, 1, 1800, 645))),
    "other hexes": packed(stream(grid(16, 20, 1800, 645))),
    "no such terrain": packed(stream(grid(33, 10, 1800, 645, b"\x00\xfa"))),
    "deepest": packed(stream(grid(33, 10, 1800, 645, b"\x80\x00"))),
    "ups and downs": packed(stream(grid(33, 10, 1800, 645, b"\x7f\x3c\x80\x28\x00\x48\x05\x00"))),
    "two gzips": packed(b"\xac") + members()["LOSData"],
}


@maker
def los_data_bomb(folder: Path) -> Path:
    body = zlib.compressobj(9, zlib.DEFLATED, 31)
    chunk = bytes(1 << 20)
    data = body.compress(b"\xac\xed\x00\x05")
    data += b"".join(body.compress(chunk) for _ in range(70)) + body.flush()
    return with_members(folder, LOSData=data)


for _name, _data in LOS.items():
    MAKERS[f"LOSData {_name}"] = partial(with_members, LOSData=_data)

# --- metadata ---------------------------------------------------------------------------------


def metadata(attributes: str, inside: str = "") -> bytes:
    return f'<boardMetadata name="demo" version="1.0" {attributes}>{inside}</boardMetadata>'.encode(
        "utf-8", "surrogatepass"
    )


_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
METADATA = {
    "laughs": f'<!DOCTYPE d [<!ENTITY l0 "ha">{_LAUGHS}]><boardMetadata name="&l9;"/>'.encode(),
    "with a file in it": b'<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    b"<boardMetadata><buildingTypes>&f;</buildingTypes></boardMetadata>",
    "nested deep": b"<boardMetadata>" + b"<slopes>" * 100_000,
    "nested as deep as may be": b"<boardMetadata>" + b"<slopes>" * 250 + b"<slope/>" * 1000
    + b"</slopes>" * 250 + b"</boardMetadata>",
    "of a hundred thousand slopes": metadata("", "<slopes>" + '<slope hex="B2" hexsides="012345"/>'
                                             * 150_000 + "</slopes>"),
    "of a hundred thousand rules": metadata("", "<colorSSRules>" + "".join(
        f'<colorSSR name="r{n}"><colorMap fromColor="a" toColor="b"/></colorSSR>'
        for n in range(80_000)) + "</colorSSRules>"),
    "too large": metadata("", "<!--" + "x" * (9 << 20) + "-->"),
    "no xml": b"\x00\x01\x02",
    "another xml": b"<html/>",
    "empty": b"",
    "hex width not a number": metadata('hexWidth="NaN" hexHeight="inf"'),
    "hex width negative": metadata('hexWidth="-56" hexHeight="-64"'),
    "hex width tiny": metadata('hexWidth="4.0001" hexHeight="4.0001"'),
    "hex width endless": metadata(f'hexWidth="{"9" * 5000}"'),
    "hexes far away": metadata('A1CenterX="-900000" A1CenterY="900000"'),
    "snap of nothing": metadata('snapScale="0"'),
    "snap that is none": metadata('snapScale="1e999" altHexGrain="\u0663"'),
    "hexes without end": metadata('width="999999" height="999999"'),
    "size of nothing": metadata('width="0" height="0"'),
    "picture elsewhere": metadata('boardImageFileName="../../../../etc/passwd"'),
    "buildings of odd words": metadata("", '<buildingTypes><buildingType hexName="" '
                                       'buildingTypeName="&lt;b&gt;"/></buildingTypes>'),
    "grid of odd words": metadata('HexGridConfig="&#x202e;"'),
    "name of html": metadata("").replace(b'"demo"', b'"&lt;script&gt;alert(1)&lt;/script&gt;"'),
    "name endless": metadata("").replace(b'"demo"', b'"' + b"x" * 100_000 + b'"'),
    "name turned round": metadata("").replace(b'"demo"', f'"{BIDI}"'.encode()),
    "version of controls": metadata("").replace(b'"1.0"', b'"&#10;&#13;&#x85;&#x9b;31m"'),
}  # fmt: skip
for _name, _data in METADATA.items():
    MAKERS[f"metadata {_name}"] = partial(with_members, metadata=_data)

LEGACY = (
    "hex width not a number",
    "hex width negative",
    "hex width tiny",
    "hexes far away",
    "hexes without end",
    "size of nothing",
    "picture elsewhere",
    "snap of nothing",
)
for _name in LEGACY:
    MAKERS[f"legacy board, {_name}"] = partial(with_members, metadata=METADATA[_name], LOSData=None)
MAKERS["legacy board of noise"] = lambda folder: with_members(
    folder, metadata=None, LOSData=None, data=b"dx nan\ndy 1e999\nx0 -\nversion \x1b[2J\n" * 2000
)

# --- pictures ---------------------------------------------------------------------------------


def gif(width: int, height: int, body: bytes = b"\x02\x02L\x01\x00;") -> bytes:
    head = b"GIF89a" + struct.pack("<2H3B", width, height, 0x80, 0, 0) + bytes(6)
    return head + b"," + struct.pack("<4HB", 0, 0, width, height, 0) + body


def png(width: int, height: int, rows: int = 0, *, colour: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + crc

    head = struct.pack(">2I5B", width, height, 8, colour, 0, 0, 0)
    body = zlib.compressobj(9)
    row = b"\0" + bytes(width * {2: 3, 6: 4, 0: 1}[colour])
    data = b"".join(body.compress(row) for _ in range(rows)) + body.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


PICTURES = {
    "gif bomb": lambda: gif(65_535, 65_535),
    "gif as large as may be": lambda: gif(8_000, 8_000),
    "gif of nothing": lambda: gif(0, 0),
    "gif cut short": lambda: gif(1800, 645, b"\x02"),
    "gif of no codes": lambda: gif(1800, 645, b"\x0c\xff" + b"\xff" * 255 + b"\x00;"),
    "gif of many frames": lambda: gif(8000, 8000, b"")[:-10] + (
        b"," + struct.pack("<4HB", 0, 0, 8000, 8000, 0) + b"\x02\x02L\x01\x00") * 5000 + b";",
    "png bomb": lambda: png(60_000, 60_000, 1000),
    "png as large as may be": lambda: png(8_000, 8_000, 8_000, colour=6),
    "png cut short": lambda: png(1800, 645, 20)[:-40],
    "png of nothing": lambda: png(0, 0),
    "png of text": lambda: png(1800, 645, 645).replace(b"IEND", b"zTXt" + b"x" * 100),
    "picture of nothing": lambda: b"",
    "picture of html": lambda: HTML.encode(),
    "picture in postscript": lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
}  # fmt: skip


def pictured(folder: Path, make: Callable[[], bytes]) -> Path:
    """The picture is made when it is asked for: some are large."""
    return with_members(folder, picture=make())


for _name, _make in PICTURES.items():
    MAKERS[f"board {_name}"] = partial(pictured, make=_make)


def overlaid(folder: Path, image: bytes, at: str = 'x="0" y="0"') -> Path:
    """A word of the scenario lays a picture over the board."""
    rule = f'<overlaySSRules><overlaySSRule name="Over" image="o.gif" {at}/></overlaySSRules>'
    found = members() | {"BoardMetadata.xml": metadata("", rule), "o.gif": image}
    return on_board(folder, zipped(found.items()), "Over\tOver2")


MAKERS["overlay gif bomb"] = lambda folder: overlaid(folder, gif(65_535, 65_535))
MAKERS["overlay png bomb"] = lambda folder: overlaid(folder, png(8_000, 8_000, 8_000))
MAKERS["overlay far away"] = lambda folder: overlaid(folder, gif(10, 10), 'x="-999999" y="999999"')
MAKERS["overlay nowhere"] = lambda folder: overlaid(folder, gif(10, 10), 'x="NaN" y="1e400"')

# --- the archive ------------------------------------------------------------------------------


@maker
def board_of_many_members(folder: Path) -> Path:
    return on_board(folder, zipped((f"m{n}", b"") for n in range(70_000)))


@maker
def board_of_one_bomb(folder: Path) -> Path:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("LOSData", "BoardMetadata.xml", "data", "bddemo.png"):
            with archive.open(name, "w", force_zip64=True) as member:
                for _ in range(66):
                    member.write(bytes(1 << 20))
    return on_board(folder, out.getvalue())


@maker
def board_packed_in_lzma(folder: Path) -> Path:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in members().items():
            archive.writestr(name, data)
    damaged = out.getvalue().replace(b"\x09\x04\x05\x00\x5d", b"\x09\x04\x05\x00\xff")
    return on_board(folder, damaged)


ARCHIVES = {
    "empty": b"",
    "no zip": b"x" * 1000,
    "cut short": (demo_boards() / "bddemo").read_bytes()[:5000],
    "without anything": zipped([]),
    "with odd names": zipped(
        [(f"{ANSI}{HTML}", b""), ("../../LOSData", b""), ("/BoardMetadata.xml", b"")]
    ),
}
for _name, _data in ARCHIVES.items():
    MAKERS[f"board {_name}"] = partial(on_board, board=_data)
