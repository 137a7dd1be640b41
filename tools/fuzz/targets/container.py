"""Target: whole files. What opens is played through, written, and must read back the same."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

from mutation import change, kind_of

from tests.shared import LOGS, SAVES
from tests.vassal import samples
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal.archive import read_saved, saved_bytes
from vassal_bridge.vassal.game import load_game
from vassal_bridge.vassal.log import replay, undone

NAME = Path("fuzz.vlog")


def seeds() -> list[bytes]:
    """Saves and logs of our own, and the smallest real ones where they are at hand."""
    start = [samples.squad("11"), samples.marker("12"), samples.stack("13", ["11", "12"])]
    steps = [
        samples.step("CHAT<A> - hi"),
        samples.step(samples.move("13", "Main Map/156/232"), "CHAT* m *"),
        samples.step("UNDO\ttrue", "CHAT* UNDO: * m *", samples.move("13"), "UNDO\tfalse"),
    ]
    made = [samples.saved(samples.wrapped(samples.text(start, steps), k)) for k in samples.KINDS]
    made.append(samples.zipped({"mail/T3.vlog": made[1], "x.txt": b"hi"}))
    real = sorted([*SAVES.glob("*/*.vsav"), *LOGS.glob("*/*.vlog")], key=lambda p: p.stat().st_size)
    return made + [path.read_bytes() for path in real[:20]]


def check(data: bytes) -> str:
    """Read, play, write, read."""
    try:
        saved = read_saved(data, NAME)
        game = load_game(saved)
        steps = list(replay(saved))
    except VassalBridgeError as error:
        if "\n" in str(error):
            raise AssertionError("an error of several lines") from error
        return kind_of(error)
    undone(steps)
    assert read_saved(saved_bytes(saved), NAME).text == saved.text
    codes = {problem.code for problem in (steps[-1].game if steps else game).problems}
    return f"{saved.envelope.kind} {min(len(steps), 3)} {sorted(codes)}"


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Change one member and zip it all again, so that the checksums are right."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()[:70]}
    except Exception:
        return change(rng, data, [data])
    if not members:
        return change(rng, data, [data])
    name = rng.choice(list(members))
    changed = change(rng, _inside(members.pop(name)), [data])
    if rng.random() < 0.1:
        name = rng.choice(["savedGame", "moduledata", "savedata", "a.vsav", "../x", ""]) or "x"
    elif name == "savedGame" and rng.random() < 0.8:
        text = changed.decode(errors="ignore")
        changed = samples.wrapped(text, rng.choice(samples.KINDS), rng.randrange(256))
    return samples.zipped({**members, name: changed})


def _inside(game: bytes) -> bytes:
    """The text of a `savedGame` where it is one, so that its commands are what changes."""
    from vassal_bridge.vassal.envelope import open_envelope

    try:
        return open_envelope(game)[1].encode()
    except VassalBridgeError:
        return game
