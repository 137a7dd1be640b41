"""How long decoding and classifying a folder of saved games takes.

    python tools/bench/classify.py FOLDER [--repeat 3] [--profile]

Prints pieces, seconds for decoding, classifying and reading stacks (best of the repeats), and what
could not be told. The promise: the Starter Kit set-ups in under 2 seconds altogether.
"""

from __future__ import annotations

import argparse
import collections
import cProfile
import pstats
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from vassal_bridge.counters import Counter, Kind, classify, public_view, read_stacks
from vassal_bridge.vassal import load_game, open_saved


def run(files: Sequence[Path]) -> tuple[dict[str, float], list[Counter]]:
    """One pass over all files: seconds per step, and the counters."""
    seconds = dict.fromkeys(("decode", "classify", "stacks", "public view"), 0.0)
    counters: list[Counter] = []
    for file in files:
        start = time.perf_counter()
        game = load_game(open_saved(file))
        decoded = time.perf_counter()
        counters.extend(classify(piece) for piece in game.pieces.values())
        classified = time.perf_counter()
        readings = read_stacks(game)
        read = time.perf_counter()
        public_view(readings)
        seconds["decode"] += decoded - start
        seconds["classify"] += classified - decoded
        seconds["stacks"] += read - classified
        seconds["public view"] += time.perf_counter() - read
    return seconds, counters


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*") if path.suffix in (".vsav", ".vlog"))
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(run, files)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return 0
    passes = [run(files) for _ in range(options.repeat)]
    counters = passes[0][1]
    print(f"{len(files)} files, {len(counters)} pieces")
    for step in passes[0][0]:
        best = min(seconds[step] for seconds, _ in passes)
        print(f"{step}: first {passes[0][0][step]:.3f} s, best {best:.3f} s")
    first = passes[0][0]
    print(f"decode and classify, first pass: {first['decode'] + first['classify']:.3f} s")
    kinds = collections.Counter(counter.kind.value for counter in counters)
    print(", ".join(f"{kind} {number}" for kind, number in kinds.most_common()))
    unknown = [counter.name for counter in counters if counter.kind is Kind.UNKNOWN]
    print(f"unknown: {len(unknown)} {sorted(set(unknown))[:20]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
