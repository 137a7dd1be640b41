"""A watched folder full of hostile files: each is told of in one line, and the watch goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.hostile.sheet import MAKERS
from vassal_bridge.demo import demo_boards, demo_save

LONGEST = 240.0
"""Seconds after which a watch that has not told of all files counts as stuck."""
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and signals")


def hostile_folder(folder: Path) -> set[str]:
    """Every hostile save and log under a name of its own, and things that are no files.

    Returns:
        Names that have to be told of.
    """
    names = set()
    for number, (name, make) in enumerate(MAKERS.items()):
        if "yaml" in name or name in ("ten thousand moves of a broken unit", "xz bomb"):
            continue
        if "LOSData" in name or "board" in name or "metadata" in name or "overlay" in name:
            continue
        made = make(folder)
        if made.suffix in (".vsav", ".vlog"):
            names.add(f"f{number}{made.suffix}")
            made.rename(folder / f"f{number}{made.suffix}")
        else:
            made.unlink()
    os.mkfifo(folder / "pipe.vsav")
    (folder / "zero.vsav").symlink_to("/dev/zero")
    (folder / "loop.vsav").symlink_to("loop.vsav")
    (folder / "folder.vsav").mkdir()
    (folder / "round").symlink_to(folder)
    (folder / os.fsdecode(b"odd\xff\x1b[2J.vsav")).write_bytes(demo_save().read_bytes())
    return names | {"odd [2J.vsav"}


@pytest.mark.slow
def test_a_folder_of_hostile_files(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    wanted = hostile_folder(folder)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()
              and path.name != "zero.vsav"}  # fmt: skip
    env = {**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "LANG": "C.UTF-8"}
    arguments = [sys.executable, "-m", "vassal_bridge", "watch", folder, "--format", "json",
                 "--boards", demo_boards(), "-v", "--polling"]  # fmt: skip
    watch = subprocess.Popen(
        arguments, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    told: list[str] = []
    assert watch.stdout is not None
    reader = threading.Thread(target=told.extend, args=(watch.stdout,))
    reader.start()
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and watch.poll() is None:
        time.sleep(0.3)
        text = "".join(told)
        if all(name in text for name in wanted):
            break
    (folder / "last.vsav").write_bytes(demo_save().read_bytes() + b"")
    while time.monotonic() < end and "last.vsav" not in "".join(told):
        time.sleep(0.3)
    assert watch.poll() is None, told
    watch.send_signal(signal.SIGINT)
    assert watch.wait(60) == 0
    reader.join()
    watch.stdout.close()
    text = "".join(told)
    assert {name for name in wanted if name not in text} == set()
    assert "last.vsav" in text
    assert "fault" not in text
    assert "Traceback" not in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", text)
    assert all(path.read_bytes() == data for path, data in before.items())
    assert not list(folder.rglob("*.vbtmp"))
