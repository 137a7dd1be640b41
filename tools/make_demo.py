"""Makes the embedded example of `vassal-bridge demo`: an invented board, game and log.

    python tools/make_demo.py            writes bddemo, demo.vsav, demo-RtPh.vlog
    python tools/make_demo.py --out DIR  writes them elsewhere

No clock, no chance, no network. On one machine two runs give the same bytes; across machines the
content is the same, while compressed bytes may differ with the version of zlib.
"""

from __future__ import annotations

import argparse
import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
from make_demo_art import board_picture
from make_demo_game import game_text, log_text
from make_demo_scene import COLUMNS, HEIGHT, ROWS, WIDTH, elevation_grid, terrain_grid

DEMO = Path(__file__).resolve().parent.parent / "vassal_bridge" / "demo"
REMARK = b"vassal-bridge"
"""End of the zip by which `demo` knows the board it wrote from one of somebody else."""

METADATA = f"""<?xml version="1.0" encoding="UTF-8"?>
<boardMetadata name="demo" version="1.0" versionDate="2026" author="vassal-bridge"
    boardImageFileName="bddemo.png" hasHills="TRUE" width="{COLUMNS}" height="{ROWS}">
  <buildingTypes/>
  <overlaySSRules/>
</boardMetadata>
"""
SAVEDATA = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version/>
  <VassalVersion>3.2.17</VassalVersion>
  <dateSaved>1790000000000</dateSaved>
  <description>The embedded example of vassal-bridge</description>
</data>
"""
MODULEDATA = """<?xml version="1.0" encoding="UTF-8"?>
<data version="1">
  <version>6.5.1</version>
  <VassalVersion>3.2.17</VassalVersion>
  <dateSaved>1790000000000</dateSaved>
  <description>Virtual Advanced Squad Leader</description>
  <name>VASL</name>
</data>
"""


def los_data() -> bytes:
    """The member `LOSData`: a gzipped Java stream of primitive data (los/algorithm.md 5)."""
    sizes = np.array([COLUMNS, ROWS, WIDTH, HEIGHT], dtype=">i4").tobytes()
    pixels = np.empty((WIDTH, HEIGHT, 2), dtype=np.uint8)
    pixels[:, :, 0] = elevation_grid().T.view(np.uint8)
    pixels[:, :, 1] = terrain_grid().T
    stairways = bytes(sum(ROWS + column % 2 for column in range(COLUMNS)))
    payload = sizes + pixels.tobytes() + stairways
    stream = bytearray(b"\xac\xed\x00\x05")
    for start in range(0, len(payload), 1024):
        block = payload[start : start + 1024]
        size = len(block)
        head = (
            b"\x77" + size.to_bytes(1, "big") if size < 256 else b"\x7a" + size.to_bytes(4, "big")
        )
        stream += head + block
    return gzip.compress(bytes(stream), 9, mtime=0)


def zipped(members: dict[str, bytes], remark: bytes = b"") -> bytes:
    """A zip file with these members in this order and a fixed date, and a remark at its end."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
        archive.comment = remark
    return buffer.getvalue()


def saved(text: str, key: int = 0x5A) -> bytes:
    """A VASSAL file with this text in the envelope every VASSAL reads (files.md 2)."""
    body = bytes(byte ^ key for byte in text.encode()).hex()
    members = {"savedGame": f"!VCSK{key:02x}{body}", "savedata": SAVEDATA, "moduledata": MODULEDATA}
    return zipped({name: member.encode() for name, member in members.items()})


def make() -> dict[str, bytes]:
    """All files of the example by name."""
    picture = io.BytesIO()
    board_picture().save(picture, "PNG", optimize=True)
    board = {
        "bddemo.png": picture.getvalue(),
        "BoardMetadata.xml": METADATA.encode(),
        "LOSData": los_data(),
        "data": b"version 1.0\n",
    }
    return {
        "bddemo": zipped(board, REMARK),
        "demo.vsav": saved(game_text()),
        "demo-RtPh.vlog": saved(log_text()),
    }


def main() -> None:
    """Write the files and say how large they are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=DEMO)
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, data in make().items():
        (out / name).write_bytes(data)
        print(f"{out / name}: {len(data)} bytes")


if __name__ == "__main__":
    main()
