"""SIGKILL at random moments during writes: targets are absent, old or new, never partial.

    python tools/bench/kill.py --count 500 --watchers 60

First the one writer of the program alone (`atomic_write`), then the whole watcher with saves coming
in; after each kill every output is checked, and the next start must remove what was left over.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from hashlib import blake2b
from pathlib import Path

from saves import DEMO, variations

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from vassal_bridge.vassal.archive import atomic_write, tidy_up  # noqa: E402
from vassal_bridge.watch.ledger import LEDGER_NAME, Ledger  # noqa: E402


def sealed(number: int, size: int) -> bytes:
    """A content that proves to be whole: its digest, then what was digested."""
    body = f"{number}\n".encode() + random.Random(number).randbytes(size)
    return blake2b(body).digest() + body


def number_in(data: bytes) -> int | None:
    """The number of a sealed content; None if it is not whole."""
    body = data[64:]
    if blake2b(body).digest() != data[:64]:
        return None
    return int(body.split(b"\n", 1)[0])


def write_for_ever(target: Path, first: int, pipe: int) -> None:
    """In the child: write one content after the other, telling which one is done."""
    contents = [sealed(number, 300_000) for number in range(first, first + 50)]
    os.write(pipe, b"x")
    for content in contents:
        atomic_write(target, content)
        os.write(pipe, b".")


def kill_writers(folder: Path, count: int, rng: random.Random) -> dict[str, object]:
    """Kill `count` writers."""
    target = folder / "S1.rout.html"
    seen: Counter[str] = Counter()
    caught = 0
    for turn in range(count):
        if turn % 5 == 0:
            target.unlink(missing_ok=True)
        before = number_in(target.read_bytes()) if target.exists() else -1
        first = (turn + 1) * 1000
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            try:
                write_for_ever(target, first, writer)
            finally:
                os._exit(0)
        os.close(writer)
        os.read(reader, 1)
        time.sleep(rng.uniform(0, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        told = 0
        while data := os.read(reader, 1000):
            told += len(data)
        os.close(reader)
        seen[state_of(target, before, first, told)] += 1
        caught += bool(list(folder.glob("*.vbtmp")) + list(folder.glob(".*.vbtmp")))
        tidy_up(folder)
        left = [path.name for path in folder.iterdir() if path != target]
        seen["not tidied"] += bool(left)
    return {"kills": count, "caught in the middle of a write": caught, **seen}


def state_of(target: Path, before: int | None, first: int, told: int) -> str:
    """What the target is after a kill; `told` contents were reported as written."""
    if not target.exists():
        return "absent" if before == -1 and told == 0 else "LOST"
    number = number_in(target.read_bytes())
    if number is None:
        return "PARTIAL"
    if number in (first + told - 1, first + told):
        return "new"
    return "old" if number == before and told == 0 else "WRONG"


def kill_watchers(folder: Path, count: int, rng: random.Random) -> dict[str, object]:
    """Kill `count` watchers while saves come in; then let one finish and compare."""
    games = folder / "games"
    games.mkdir()
    contents = variations(DEMO, count * 6, rng)
    command = [sys.executable, str(HERE / "watch_driver.py"), str(games)]
    command += ["--log", str(folder / "log")]
    seen: Counter[str] = Counter()
    for turn in range(count):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as one:
            time.sleep(0.25)
            for number in range(6):
                data = contents[turn * 6 + number]
                (games / f"S{turn % 10}-{number}.vsav").write_bytes(data)
            time.sleep(rng.uniform(0.0, 0.5))
            one.send_signal(signal.SIGKILL)
        seen["partial outputs"] += sum(not is_json(path) for path in games.glob("rout/*.json"))
        seen["damaged ledgers"] += ledger_is_damaged(games / "rout" / LEDGER_NAME)
        seen["kills that left a temporary file"] += bool(list(games.glob("rout/.*.vbtmp")))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as last:
        time.sleep(4)
        last.send_signal(signal.SIGINT)
    for path in games.glob("*.vsav"):
        output = games / "rout" / f"{path.stem}.rout.json"
        digest = blake2b(path.read_bytes(), digest_size=20).hexdigest()
        whole = output.exists() and json.loads(output.read_bytes())["digest"] == digest
        seen["outputs missing or stale in the end"] += not whole
    seen["temporary files in the end"] = len(list(games.glob("rout/.*.vbtmp")))
    return {"kills": count, **seen}


def is_json(path: Path) -> bool:
    """Whether an output is whole."""
    try:
        json.loads(path.read_bytes())
    except ValueError:
        return False
    return True


def ledger_is_damaged(path: Path) -> bool:
    """Whether there is a ledger that does not read back as what it says."""
    return path.exists() and Ledger.from_json(path.read_bytes()).to_json() != path.read_bytes()


def main() -> int:
    """Kill, and print the figures as JSON; 1 if anything was partial, lost or left over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--watchers", type=int, default=60)
    parser.add_argument("--seed", type=int, default=26)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as base:
        (Path(base) / "writer").mkdir()
        writer = kill_writers(Path(base) / "writer", options.count, rng)
        watcher = kill_watchers(Path(base), options.watchers, rng)
    print(json.dumps({"writer": writer, "watcher": watcher}, indent=1))
    bad = [key for key in ("PARTIAL", "LOST", "WRONG", "not tidied") if writer.get(key)]
    bad += [key for key in watcher if key.endswith(("outputs", "ledgers", "end")) and watcher[key]]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
