"""How long lines of sight take: single calls and fans, set-up apart and included; memory; opening.

    python tools/bench/sight.py [BOARD…] [--boards DIR] [--pairs 20000] [--repeat 5]

BOARD: names of boards (default z y t) in DIR (default ../shared/real/boards). All figures are
processor time of one thread. The promises: at most half of the time of VASL's engine in single
calls on a warm board (24, 47, 69 microseconds for z, y, t), at most a tenth in fans (4.8, 9.4,
13.8); opening a board cold under 150 ms; under 60 MB for one board above the interpreter.

`walks`: each pair is walked, nothing is remembered. `verdict`: as the program asks, in random
order, over all pairs; after a few questions about a source its fan is computed and remembered.
`sight`: with all the facts for the rules. `fans`: all targets from one source, nothing remembered.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

DEFAULT = ROOT.parent / "shared" / "real" / "boards"
ENGINE = {"z": 48.0, "y": 94.0, "t": 138.0}
"""VASL's own mean for these boards, in microseconds."""

MEMORY = """
import json, os, pathlib, sys, time
sys.path.insert(0, {root!r})
def resident():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
import numpy
bare = resident()
import vassal_bridge.board.sight, vassal_bridge.board.sightkit
from vassal_bridge.board.archive import open_board
from vassal_bridge.board.losmap import PlacedBoard, build_los_map
code = resident()
start = time.process_time()
losmap = build_los_map([PlacedBoard.of(open_board(pathlib.Path({path!r})))])
opened = time.process_time() - start
board = resident()
engine = vassal_bridge.board.sight.SightEngine(losmap)
names = losmap.names
engine.verdict(names[0], names[-1])
first = time.process_time() - start - opened
for name in names:
    engine.fan(name)
with open("/proc/self/status") as stream:
    peak = next(int(l.split()[1]) / 1000 for l in stream if l.startswith("VmHWM"))
print(json.dumps(dict(bare=bare, code=code, board=board, all=resident(), peak=peak,
                      opened=opened * 1000, first=first * 1000)))
"""


def best(work: Callable[[], object], repeat: int) -> float:
    """Shortest processor time of some runs, in seconds."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def bench(path: Path, pairs: int, repeat: int) -> None:
    """Print the figures of one board."""
    from vassal_bridge.board.archive import open_board
    from vassal_bridge.board.hexgrid import hex_arrays
    from vassal_bridge.board.losmap import PlacedBoard, build_los_map
    from vassal_bridge.board.sight import SightEngine
    from vassal_bridge.board.sightkit import SightKit

    def make() -> SightKit:
        """Open a board and make every table there is."""
        hex_arrays.cache_clear()
        made = build_los_map([PlacedBoard.of(open_board(path))]).kit
        made.fan(made.targets[0].item(), 0)
        return made

    set_up = best(make, min(repeat, 5))
    kit = make()
    losmap = kit.losmap
    hexes, names = kit.targets.tolist(), losmap.names
    rng = random.Random(1)
    some = [tuple(rng.sample(hexes, 2)) for _ in range(pairs)]
    name_of = {losmap.index(name): name for name in names}
    named = [(name_of[a], name_of[b]) for a, b in some]
    every = len(hexes) * (len(hexes) - 1)

    def walks() -> None:
        for a, b in some:
            kit.single.walk(a, 0, b, 0)

    def fans() -> None:
        for source in hexes:
            kit.fans.fan(source, 0, kit.targets, kit.targets * 0)

    engine = SightEngine(losmap)

    def sights() -> None:
        for a, b in named:
            engine.sight(a, b)

    shuffled = [(a, b) for a in names for b in names if a != b]
    rng.shuffle(shuffled)

    def verdicts() -> None:
        fresh = build_los_map([PlacedBoard.of(open_board(path))])
        ask = SightEngine(fresh).verdict
        for a, b in shuffled:
            ask(a, b)

    board = path.name.removeprefix("bd")
    engine_us = ENGINE.get(board)
    fan_us = best(fans, repeat) / every * 1e6
    rows = [
        ("walks, warm", best(walks, repeat) / pairs * 1e6, 2),
        ("verdict, all pairs, random order, set-up included", best(verdicts, 1) / every * 1e6, 2),
        ("sight with all facts, warm", best(sights, repeat) / pairs * 1e6, None),
        ("fans, warm", fan_us, 10),
        ("fans, all pairs, set-up included", fan_us + set_up / every * 1e6, 10),
    ]
    print(f"board {board}: {every:,} pairs, set-up {set_up * 1000:.0f} ms")
    for what, value, share in rows:
        bar = f"  (bar {engine_us / share:.1f})" if engine_us and share else ""
        print(f"  {what:52} {value:7.2f} us{bar}")


def memory(path: Path) -> None:
    """Print memory and cold times of one board, measured in a process of its own."""
    code = MEMORY.format(root=str(ROOT), path=str(path))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    print(
        f"  opened cold with hex facts in {found['opened']:.0f} ms (bar 150), "
        f"first line of sight {found['first']:.0f} ms later"
    )
    print(
        "  memory above interpreter and numpy: "
        + ", ".join(
            f"{what} {found[key] - found['bare']:.1f} MB"
            for what, key in (
                ("code", "code"),
                ("board", "board"),
                ("all fans", "all"),
                ("peak", "peak"),
            )
        )
        + " (bar 60)"
    )


def main() -> None:
    """Run as the module text says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("board", nargs="*", default=["z", "y", "t"])
    parser.add_argument("--boards", type=Path, default=DEFAULT)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    for board in options.board:
        path = options.boards / f"bd{board}"
        bench(path, options.pairs, options.repeat)
        if sys.platform == "linux":
            memory(path)


if __name__ == "__main__":
    main()
