"""Throws odd bytes at the readers; only the package's own errors may come out.

    python tools/fuzz/run.py TARGET --minutes 10 [--seed 1] [--engine own|atheris]
    python tools/fuzz/run.py TARGET FILE…            run these inputs once
    python tools/fuzz/run.py --list

A target is a module of `tools/fuzz/targets`: `seeds()` gives inputs to start from, `check(data)`
uses one input and returns a short word for what happened, and an optional `mutate(rng, data)` makes
a new input the target's own way. Anything `check` raises is an escape, and so is an input that
takes more than a second or 300 MB; it is saved under `tests/hostile/fuzz/TARGET`, where the test
suite runs it from then on. With atheris installed its coverage guides the search; otherwise inputs
with an outcome not seen before are kept and changed further.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import os
import random
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from mutation import LARGEST_INPUT, change  # noqa: E402  (beside this script)

TARGETS = Path(__file__).resolve().parent / "targets"
ESCAPES = ROOT / "tests" / "hostile" / "fuzz"
MOST_SECONDS, MOST_BYTES = 1.0, 300 * 1024 * 1024
POOL = 4000


@dataclass
class Count:
    """What a run has met so far."""

    inputs: int = 0
    escapes: int = 0
    slowest: float = 0.0
    outcomes: dict[str, int] = field(default_factory=dict)


def load(name: str) -> ModuleType:
    """The target of a name."""
    return importlib.import_module(f"tools.fuzz.targets.{name}")


def names() -> list[str]:
    """All targets there are."""
    return sorted(path.stem for path in TARGETS.glob("*.py") if path.stem != "__init__")


def resident() -> int:
    """Memory of this process, in bytes; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


class Judge:
    """Runs one input after the other and keeps those that escape."""

    def __init__(self, name: str, check: Callable[[bytes], str]) -> None:
        self._name, self._check = name, check
        self._seen: set[str] = set()
        self.count = Count()

    def __call__(self, data: bytes) -> str:
        """The outcome of an input."""
        self.count.inputs += 1
        memory, start = resident(), time.process_time()
        try:
            outcome = self._check(data)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            outcome = f"ESCAPE {type(error).__name__} at {where}"
            self._keep(outcome, data, "".join(traceback.format_exception(error)))
        seconds, grown = time.process_time() - start, resident() - memory
        self.count.slowest = max(self.count.slowest, seconds)
        if seconds > MOST_SECONDS:
            self._keep("SLOW", data, f"{seconds:.2f} s")
        if grown > MOST_BYTES:
            self._keep("LARGE", data, f"{grown} bytes")
        self.count.outcomes[outcome] = self.count.outcomes.get(outcome, 0) + 1
        return outcome

    def _keep(self, why: str, data: bytes, story: str) -> None:
        self.count.escapes += 1
        if why in self._seen:
            return
        self._seen.add(why)
        folder = ESCAPES / self._name
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.blake2b(data, digest_size=8).hexdigest()}.bin"
        path.write_bytes(data)
        print(f"{why}: {path.relative_to(ROOT)}\n{story}", file=sys.stderr)


def run_own(target: ModuleType, judge: Judge, minutes: float, seed: int) -> None:
    """Search without a library."""
    rng = random.Random(seed)
    pool = [data[:LARGEST_INPUT] for data in target.seeds()]
    mutate = getattr(target, "mutate", None)
    known = {judge(data) for data in pool}
    end, told = time.monotonic() + minutes * 60, time.monotonic()
    while time.monotonic() < end:
        old = rng.choice(pool)
        if mutate is not None and rng.random() < 0.6:
            data = mutate(rng, old)
        else:
            data = change(rng, old, pool)
        outcome = judge(data)
        if outcome not in known or rng.random() < 0.002:
            known.add(outcome)
            pool.append(data)
            if len(pool) > POOL:
                pool.pop(rng.randrange(len(pool)))
        if time.monotonic() - told > 60:
            told = time.monotonic()
            report(judge.count, "so far")


def run_atheris(target: ModuleType, judge: Judge, minutes: float, seed: int) -> None:
    """Search guided by coverage; needs atheris, which ends the process itself."""
    atheris = importlib.import_module("atheris")
    folder = ROOT / ".fuzz" / target.__name__.rpartition(".")[2]
    folder.mkdir(parents=True, exist_ok=True)
    for data in target.seeds():
        (folder / hashlib.blake2b(data, digest_size=8).hexdigest()).write_bytes(data)
    told = time.monotonic()

    def one_input(data: bytes) -> None:
        nonlocal told
        judge(data)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            report(judge.count, "so far")

    arguments = [
        sys.argv[0],
        str(folder),
        f"-max_total_time={int(minutes * 60)}",
        f"-seed={seed}",
        f"-max_len={LARGEST_INPUT}",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    ]
    atheris.Setup(arguments, one_input)
    atheris.Fuzz()


def report(count: Count, when: str) -> None:
    """Print what a run has met."""
    print(
        f"{when}: {count.inputs} inputs, {count.escapes} escapes, {len(count.outcomes)} outcomes, "
        f"slowest {count.slowest:.2f} s",
        flush=True,
    )


def main() -> int:
    """Run as the module text says; exit code 1 when something escaped."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("target", nargs="?", choices=names())
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("own", "atheris"))
    parser.add_argument("--outcomes", action="store_true", help="print what happened how often")
    options = parser.parse_args()
    if options.list or options.target is None:
        print("\n".join(names()))
        return 0
    has_atheris = importlib.util.find_spec("atheris") is not None
    engine = options.engine or ("atheris" if has_atheris else "own")
    if engine == "atheris" and not options.files:
        atheris = importlib.import_module("atheris")
        with atheris.instrument_imports(include=["vassal_bridge"]):
            target = load(options.target)
    else:
        target = load(options.target)
    judge = Judge(options.target, target.check)
    if options.files:
        for path in options.files:
            print(f"{path}: {judge(path.read_bytes())}")
    elif engine == "atheris":
        run_atheris(target, judge, options.minutes, options.seed)
    else:
        run_own(target, judge, options.minutes, options.seed)
    report(judge.count, "in all")
    if options.outcomes:
        for outcome, times in sorted(judge.count.outcomes.items(), key=lambda item: -item[1]):
            print(f"{times:9} {outcome[:150]}")
    return 1 if judge.count.escapes else 0


if __name__ == "__main__":
    sys.exit(main())
