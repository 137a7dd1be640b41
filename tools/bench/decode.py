"""How long opening saved games takes: each envelope, a whole corpus, one log step by step.

    python tools/bench/decode.py [FOLDER] [--repeat 7]

FOLDER holds .vsav and .vlog files, subfolders included; without it a game of our own of 700 KB is
used alone. Prints the best of the repeats, in milliseconds of processor time. The promises
(reliability.md A): a save of 700 KB decoded in under 10 ms in each envelope, the Starter Kit
set-ups in under a second.
"""

from __future__ import annotations

import argparse
import lzma
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.vassal import samples
from vassal_bridge.vassal import load_game, open_saved, replay
from vassal_bridge.vassal.envelope import open_envelope

WANTED_BYTES = 717_000


def best(work: Callable[[], object], repeat: int) -> float:
    """The shortest of `repeat` runs, in milliseconds."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def own_text() -> str:
    """A game of our own as long as a large scenario."""
    pieces: list[str] = []
    while sum(map(len, pieces)) < WANTED_BYTES:
        number = 2 * len(pieces) + 1_400_000_000_000
        place = f"Main Map;{len(pieces) * 7 % 1800 + 400};{len(pieces) * 13 % 645 + 400}"
        pieces.append(samples.squad(str(number), place, label=f"Squad {len(pieces)}"))
        pieces.append(samples.stack(str(number + 1), [str(number)], place))
    return samples.text(pieces)


def envelopes(text: str, repeat: int) -> None:
    """Decode one text from each envelope, and take the game out of it."""
    print(f"one game, {len(text.encode()):,} bytes of text")
    for kind in samples.KINDS:
        data = samples.wrapped(text, kind)
        if kind in ("XZ", "!VOXZ"):  # as VASSAL writes them
            packed = lzma.compress(text.encode(), preset=3)
            data = packed if kind == "XZ" else b"!VOXZ\x00" + packed

        def work(data: bytes = data) -> object:
            return open_envelope(data)

        print(f"  {kind:6} {best(work, repeat):8.2f} ms")


def corpus(files: list[Path], repeat: int) -> None:
    """Open every file and take the game out; go through every log."""
    pieces = sum(len(load_game(open_saved(path)).pieces) for path in files)
    opened = best(lambda: [open_saved(path) for path in files], repeat)
    loaded = best(lambda: [load_game(open_saved(path)) for path in files], repeat)
    size = sum(len(open_saved(path).text) for path in files)
    print(f"{len(files)} files, {pieces} pieces, {size / 1e6:.1f} MB of text")
    print(f"  opened {opened:10.1f} ms\n  with games {loaded:6.1f} ms")
    logs = [path for path in files if open_saved(path).log_steps]
    if logs:
        steps = sum(1 for path in logs for _ in replay(open_saved(path)))
        took = best(lambda: [list(replay(open_saved(path))) for path in logs], repeat)
        print(f"  {len(logs)} logs with {steps} steps {took:.1f} ms")


def main() -> None:
    """Run as the module text says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    files: list[Path] = []
    if options.folder is not None:
        files = sorted([*options.folder.rglob("*.vsav"), *options.folder.rglob("*.vlog")])
    texts = [open_saved(path).text for path in files]
    envelopes(max(texts, key=len) if texts else own_text(), options.repeat)
    if files:
        corpus(files, options.repeat)


if __name__ == "__main__":
    main()
