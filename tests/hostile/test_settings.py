"""Hostile settings beside a game, and hostile modules: a game folder may be an opponent's."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from pathlib import Path

import pytest

from tests.hostile.forks import Forks
from tests.hostile.makers import ANSI, BIDI, HTML, zipped
from tests.hostile.makers_boards import gif
from tests.hostile.sheet import OUT, contents, judge
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.limits import MAX_YAML_BYTES

BOARDS = ("--boards", demo_boards())

SETTINGS: dict[str, tuple[bytes, str]] = {
    "huge": (b"# " + b"x" * MAX_YAML_BYTES, f"larger than {MAX_YAML_BYTES} bytes"),
    "binary": (bytes(range(256)), "not UTF-8 text"),
    "nulls": (bytes(5000), "not TOML"),
    "html": (HTML.encode(), "not TOML"),
    "controls": (f'"{ANSI}{BIDI}" = 1'.encode(), "not TOML"),
    "odd key": (json.dumps(f"{BIDI}\x1b[2J{'x' * 5000}").encode() + b" = 1", "unknown key"),
    "month nan": (b"month = nan", "month"),
    "month endless": (b"month = inf", "month"),
    "month of many digits": (b"month = " + b"9" * 200_000, "too many digits"),
    "month of hex": (b"month = 0x" + b"f" * 200_000, "month"),
    "month a date": (b"month = 1979-05-27", "month"),
    "nested deep": (b"boards = " + b"[" * 100_000, "nested too deeply"),
    "tables nested deep": (b"[" + b"a." * 100_000 + b"a]\n", "a key of too many parts"),
    "dotted key": (b"a" + b".a" * 20_000 + b" = 1\n", "a key of too many parts"),
    "key of quoted parts": (b'"a"' + b' . "a"' * 20_000 + b" = 1\n", "a key of too many parts"),
    "key in a table": (b"x = {a" + b".a" * 20_000 + b" = 1}\n", "a key of too many parts"),
    "words without dots": (b"# " + b"x-" * 250_000, ""),
    "ten thousand sides": (
        b"[sides]\n" + b"".join(b'n%d = "x"\n' % n for n in range(20_000)) + b"x = 1",
        "sides",
    ),
    "side of controls": (b'[sides]\nGerman = "\\u001b[2J\\u202e"\nRussian = "\\u009b31m"', ""),
    "side with half a character": (b'[sides]\nGerman = "\\ud800"', "rout.toml"),
    "reading of nothing": (b'[readings]\nR49 = "nothing\\u001b"', "R49"),
    "boards of nul": (b'boards = "\\u0000"', ""),
    "boards endless": (b'boards = "' + b"b" * 100_000 + b'"', ""),
    "module of nul": (b'vmod = "\\u0000"', ""),
    "module a device": (b'vmod = "/dev/zero"', ""),
    "out elsewhere": (b'out = "/etc"', "may stand on the command line"),
    "home of nobody": (b'vassal_conf = "~nobody/x"', ""),
}


@pytest.mark.parametrize("kind", SETTINGS)
def test_settings_beside_a_game(kind: str, forks: Forks, tmp_path: Path) -> None:
    data, cause = SETTINGS[kind]
    save = tmp_path / "demo.vsav"
    save.write_bytes(demo_save().read_bytes())
    settings = tmp_path / "rout.toml"
    settings.write_bytes(data)
    log = tmp_path / "demo.vlog"
    log.write_bytes(demo_log().read_bytes())
    before = contents(tmp_path)
    for command in (
        ["report", save, "--format", "html,json", "--out", OUT, *BOARDS],
        ["audit", log, *BOARDS],
        ["inspect", save, *BOARDS],
    ):
        done = forks.run(command, tmp_path)
        assert judge(done, [*command, settings, Path("readings")], before, tmp_path) == ""
        assert (done.code == 2) == bool(cause), done
        assert cause in done.err


def module(change: bytes = b"", at: int = -1) -> bytes:
    """A module with pictures no reader should trust."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("am/am666S", "ge/ge447S", "ge/ge467S", "am/am666s", "ge/ge447s", "am/am667S"):
            archive.writestr(f"images/{name}.gif", gif(65_535, 65_535))
            archive.writestr(f"images/{name}.svg", f"<svg><script>{HTML}</script></svg>")
            archive.writestr(f"images/{name}", bytes(50 << 20) if name == "am/am666S" else b"")
    data = bytearray(stream.getvalue())
    if change:
        data[at : at + len(change)] = change
    return bytes(data)


MODULES = {
    "odd pictures": module(),
    "no zip": b"x" * 5000,
    "empty": b"",
    "many members": zipped((f"images/{n}", b"") for n in range(70_000)),
    "damaged": module(b"\xff" * 300, 60),
    "without its end": module()[:-200],
    "with two ends": module() + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, 999, 0, 0),
}


@pytest.mark.parametrize("kind", MODULES)
def test_modules(kind: str, forks: Forks, tmp_path: Path) -> None:
    save = tmp_path / "demo.vsav"
    save.write_bytes(demo_save().read_bytes())
    (tmp_path / "m.vmod").write_bytes(MODULES[kind])
    (tmp_path / "rout.toml").write_text('vmod = "m.vmod"')
    before = contents(tmp_path)
    command = ["report", save, "--format", "html,svg", "--out", OUT, *BOARDS]
    done = forks.run(command, tmp_path)
    assert judge(done, command, before, tmp_path) == ""
    assert done.code == 0
