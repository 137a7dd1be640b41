"""Every hostile file of tests/hostile through every command: code, time, memory, faults.

    python tools/bench/hostile.py [WORD ...] [--all]

WORDs choose makers whose names hold one of them. Prints the commands that took more than a second
of processor time or 250 MB, or broke a promise (tests/hostile/sheet.py); with ``--all`` all of
them. Linux only. The promise (reliability.md A5): a refusal within a second and 300 MB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.hostile.forks import Forks
from tests.hostile.sheet import MAKERS, commands, contents, judge

SECONDS, MEGABYTES = 1.0, 250.0


def main() -> None:
    """Run, print, end with 1 when a promise was broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*")
    parser.add_argument("--all", action="store_true")
    wanted = parser.parse_args()
    runs = slow = broken = 0
    with tempfile.TemporaryDirectory() as temporary, Forks(Path(temporary)) as forks:
        for number, (name, make) in enumerate(MAKERS.items()):
            if wanted.words and not any(word in name for word in wanted.words):
                continue
            folder = Path(temporary) / str(number)
            folder.mkdir()
            path = make(folder)
            before = contents(folder)
            for command in commands(path):
                done = forks.run(command, folder)
                wrong = judge(done, command, before, folder)
                large = done.seconds > SECONDS or done.megabytes > MEGABYTES
                runs, slow, broken = runs + 1, slow + large, broken + bool(wrong)
                if wanted.all or large or wrong:
                    shown = " ".join(str(w) for w in command if not str(w).startswith("/"))
                    print(
                        f"{name:36.36} {shown:44.44} {done.code} {done.seconds:5.2f} s "
                        f"{done.megabytes:4.0f} MB {wrong}",
                        flush=True,
                    )
    print(f"{runs} runs, {slow} over {SECONDS} s or {MEGABYTES} MB, {broken} promises broken")
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
