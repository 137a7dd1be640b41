"""Target: a board archive. What opens is joined into a map, and the two walks of a line agree."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from pathlib import Path

import numpy as np
from mutation import change

from tests.board import boards
from vassal_bridge.board.archive import BoardArchive
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.walk import Walker
from vassal_bridge.errors import VassalBridgeError

NAME = Path("bdfuzz")
SMALL_PIXELS = 250_000
"""Boards up to this size are joined and looked across; larger ones are only read."""


def seeds() -> list[bytes]:
    """Boards of our own only: what escapes is kept in the repository."""
    g = boards.geometry()
    woods = np.zeros((g.width, g.height), np.uint8)
    woods[200:260, 50:200] = 60
    hill = (woods > 0).astype(np.int8)
    return [
        boards.board(),
        boards.board(terrain=woods, elevation=hill),
        boards.board(columns=3, rows=1),
        boards.zipped({"bdfuzz.gif": boards.gif(300, 200), "data": b"version 1\nx0 37\ny0 32\n"}),
        boards.zipped(
            {
                "bdq.gif": boards.gif(450, 258),
                "BoardMetadata.xml": boards.metadata(
                    "q",
                    9,
                    4,
                    'hexWidth="56.25" hexHeight="64.5" A1CenterX="-901" A1CenterY="-612.75"',
                    '<slopes><slope hex="A1" hexsides="03"/></slopes>',
                ),
                "LOSData": boards.los_data(9, 4, woods, hill, block=130),
            }
        ),
    ]


def check(data: bytes) -> str:
    """Read all a board says; join small ones and look across them."""
    try:
        archive = BoardArchive(NAME, data)
        rules = [
            len(found)
            for found in (
                archive.colours,
                archive.ssr_rules,
                archive.overlay_rules,
                archive.underlay_rules,
                archive.building_types,
                archive.slopes,
            )
        ]
        geometry = archive.geometry
        names = [geometry.name(hex_) for hex_ in list(geometry.hexes())[:3]]
        if geometry.width * geometry.height > SMALL_PIXELS or not archive.has_los_data:
            return f"read {archive.version[:1]} {sum(rules) > 0} {len(names)}"
        losmap = build_los_map([PlacedBoard.of(archive)])
    except VassalBridgeError as error:
        if "\n" in str(error):
            raise AssertionError("an error of several lines") from error
        return f"{type(error).__name__} {error.place} {error.message[:18]}"
    return f"map {_look(losmap, len(data))}"


def _look(losmap: LosMap, seed: int) -> str:
    """Walk a few lines twice, the plain way and the fast way."""
    hexes = [losmap.index(name) for name in losmap.names]
    if len(hexes) < 2:
        return "tiny"
    rng, walker = random.Random(seed), Walker(losmap)
    blocked = 0
    for _ in range(4):
        source, target = rng.sample(hexes, 2)
        plain = walker.walk(source, 0, target, 0)
        fast = losmap.kit.single.walk(source, 0, target, 0)
        assert (plain.block, plain.line.hindrances) == (fast.block, fast.line.hindrances)
        blocked += plain.block is not None
    fan = losmap.kit.fan(hexes[0], 0)
    return f"{blocked} {bool(fan.blocked.any())}"


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Change one member and zip it all again, so that the checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()[:40]}
    except Exception:
        return change(rng, data, [data])
    if not members:
        return change(rng, data, [data])
    name = rng.choice(list(members))
    content = members.pop(name)
    if name == "LOSData" and rng.random() < 0.8:
        try:
            content = gzip.decompress(content)[: 1 << 20]
        except Exception:
            return change(rng, data, [data])
        content = gzip.compress(_damage(rng, content), 1)
    else:
        content = change(rng, content, [data])
    return boards.zipped({**members, name: content})


def _damage(rng: random.Random, stream: bytes) -> bytes:
    """Change the numbers at the head, or some pixels, or anything."""
    changed = bytearray(stream)
    kind = rng.random()
    if kind < 0.4:
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(min(len(changed), 26))] = rng.randrange(256)
    elif kind < 0.8:
        for _ in range(rng.randint(1, 400)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    else:
        return change(rng, stream, [stream])
    return bytes(changed)
