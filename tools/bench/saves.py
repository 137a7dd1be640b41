"""Saved games for the benches: the demo game (or a given one), each with its own content."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "vassal_bridge" / "demo" / "demo.vsav"


def variations(model: Path, count: int, rng: random.Random) -> list[bytes]:
    """`count` saves with the game of `model` and different bytes, some of them a few times larger.

    What differs is a member that VASSAL ignores; the game, and so the report, is the same.
    """
    with zipfile.ZipFile(model) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    made: list[bytes] = []
    for number in range(count):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members:
                archive.writestr(name, data)
            padding = rng.randbytes(rng.choice((10, 1_000, 20_000, 200_000)))
            archive.writestr("bench", f"{number} ".encode() + padding)
        made.append(stream.getvalue())
    return made
