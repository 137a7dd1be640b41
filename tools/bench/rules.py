"""How long the rules take: a set-up with 20 broken units, and the positions of the ruling files.

    python tools/bench/rules.py [--boards DIR] [--rulings DIR] [--saves DIR] [--every 10]
                                [--seeds 5] [--broken 20] [--repeat 3] [--profile] [--json]

The set-ups: 24 unbroken and 20 broken units put at random (with a seed) on the boards of a Starter
Kit scenario, close enough to see each other; and every save with enough infantry, 20 of it, drawn
by the name of the file, set broken under DM. The promises: the rules' own share of a report of it
(lines of sight known already) under 150 ms, the whole report, in a fresh interpreter, under 1 s.

`rules`: processor time of `assess_all` when every line of sight is known. `first`: the first time,
lines of sight included. `report`: wall clock of `python -m vassal_bridge report FILE` as a user
starts it; on a busy machine look at its processor time. `rulings`: time per broken unit over the
positions of the ruling files, lines of sight known.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import pstats
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from vassal_bridge.__main__ import NEW_OBJECTS  # noqa: E402
from vassal_bridge.board import BoardLibrary, build_ground, placements_from_rows  # noqa: E402
from vassal_bridge.bridge import Options, load_file  # noqa: E402
from vassal_bridge.bridge.positions import build_position, read_position_file  # noqa: E402
from vassal_bridge.bridge.rulings import find_rulings, read_ruling  # noqa: E402
from vassal_bridge.errors import VassalBridgeError  # noqa: E402
from vassal_bridge.rout import Position, assess_all  # noqa: E402

SHARED = ROOT.parent / "shared"
SCENARIOS: dict[str, list[list[str]]] = {
    "Simple Equation (z, y)": [["z", "y"]],
    "Clash At Borisovka (v, t)": [["v"], ["t reversed"]],
    "Released From The East (z)": [["z"]],
}
"""Boards of Starter Kit scenarios."""
UNITS = {
    "German": ("4-6-7", "4-6-7", "2-4-7", "9-1"),
    "Russian": ("4-4-7", "4-4-7", "2-3-7", "8-0"),
}
MIN_OTHERS = 10
"""Infantry besides the broken that makes a save a fight."""
UNBROKEN, SPREAD = 24, 8
"""Unbroken units, and how far in hexes all units stand from the middle of the fight."""
RULES_MS, REPORT_MS = 150.0, 1000.0


def set_up(rows: list[list[str]], broken: int, seed: int, library: BoardLibrary) -> str:
    """A position file: units at random around a hex, a third of their sides mixed."""
    random = Random(seed)
    ground = build_ground(placements_from_rows(rows), library, month=7)
    hexes = list(ground.hexes())
    middle = random.choice([hex_ for hex_ in hexes if all(ground.neighbours(hex_))])
    near = [hex_ for hex_ in hexes if ground.distance(middle, hex_) <= SPREAD]
    lines: dict[str, list[str]] = {"German": [], "Russian": []}
    free = random.sample(near, min(len(near), broken + UNBROKEN))
    for number, hex_ in enumerate(free):
        side = "German" if number % 2 else "Russian"
        state = " broken dm" if number < broken else ""
        lines[side].append(f"{random.choice(UNITS[side])} {hex_}{state}")
    boards = "".join(f"- [{', '.join(row)}]\n" for row in rows)
    units = "".join(
        f"  {side}:\n" + "".join(f"  - {line}\n" for line in found) for side, found in lines.items()
    )
    return f"boards:\n{boards}month: 7\nunits:\n{units}"


def milliseconds(job: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    job()
    return (time.process_time() - start) * 1000


def warm(position: Position, repeat: int) -> float:
    """The best of some runs with every line of sight known, and nothing else."""
    assess_all(position)
    return min(
        milliseconds(lambda: assess_all(replace(position, fronts={}))) for _ in range(repeat)
    )


def report(file: Path, boards: Path) -> tuple[float, float]:
    """Wall clock and processor time of a report in a fresh interpreter, in milliseconds."""
    command = [sys.executable, "-m", "vassal_bridge", "report", str(file), "--format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [*command, "--boards", str(boards)], cwd=ROOT, capture_output=True, check=False
    )
    wall = (time.perf_counter() - start) * 1000
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(done.stderr.decode())
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used * 1000


def bench_set_ups(options: argparse.Namespace, library: BoardLibrary) -> list[dict[str, Any]]:
    """One row per scenario and seed."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, boards in SCENARIOS.items():
            for seed in range(options.seeds):
                file = Path(folder) / f"{seed}.rout.yaml"
                text = set_up(boards, options.broken, seed, library)
                file.write_text(text, encoding="utf-8")
                position, _ = build_position(read_position_file(file), library)
                first = milliseconds(partial(assess_all, position))
                rows.append(
                    {
                        "scenario": name,
                        "seed": seed,
                        "first": first,
                        "rules": warm(position, options.repeat),
                    }
                )
            rows[-1]["report"], rows[-1]["report_cpu"] = report(file, options.boards)
    return rows


def bench_saves(options: argparse.Namespace, library: BoardLibrary) -> list[dict[str, Any]]:
    """One row per save with two sides and more infantry than is to be broken."""
    rows = []
    for file in sorted(options.saves.rglob("*.vsav")):
        try:
            position = load_file(file, Options(library)).position
        except VassalBridgeError:  # hidden by passwords, without boards: not what is measured here
            continue
        infantry = [unit.id for unit in position.units if unit.is_infantry]
        if len(infantry) < options.broken + MIN_OTHERS or len({u.side for u in position.units}) < 2:
            continue
        broken = set(Random(file.name).sample(infantry, options.broken))
        units = tuple(
            replace(unit, broken=unit.id in broken, dm=unit.id in broken) for unit in position.units
        )
        position = replace(position, units=units, fronts={})
        first = milliseconds(partial(assess_all, position))
        rules = warm(position, options.repeat)
        rows.append({"scenario": file.stem[:30], "seed": 0, "first": first, "rules": rules})
    return rows


def bench_rulings(options: argparse.Namespace, library: BoardLibrary) -> dict[str, float]:
    """Time per broken unit over ruling positions."""
    files = find_rulings([options.rulings])[:: options.every]
    times, units = [], 0
    for file in files:
        position, _ = build_position(read_ruling(file).position, library)
        broken = sum(1 for unit in position.units if unit.broken)
        if broken:
            times.append(warm(position, 1) / broken)
            units += broken
    return {
        "positions": len(times),
        "units": units,
        "mean": statistics.fmean(times),
        "median": statistics.median(times),
        "worst": max(times),
    }


def profile(options: argparse.Namespace, library: BoardLibrary) -> None:
    """Where the rules' own time goes, for one set-up."""
    name, boards = next(iter(SCENARIOS.items()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.rout.yaml"
        file.write_text(set_up(boards, options.broken, 0, library), encoding="utf-8")
        position, _ = build_position(read_position_file(file), library)
    assess_all(position)
    profiler = cProfile.Profile()
    profiler.runcall(assess_all, replace(position, fronts={}))
    print(name)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def show(rows: Sequence[dict[str, Any]], rulings: dict[str, float] | None) -> None:
    """Print the figures."""
    print(f"{'scenario':30} seed   rules ms   first ms   report ms (cpu)")
    for row in rows:
        whole = f"{row['report']:8.0f} ({row['report_cpu']:.0f})" if "report" in row else ""
        times = f"{row['rules']:10.1f} {row['first']:10.1f}"
        print(f"{row['scenario']:30} {row['seed']:4} {times} {whole}")
    mean = statistics.fmean(row["rules"] for row in rows)
    worst = max(row["rules"] for row in rows)
    print(f"rules: mean {mean:.1f} ms, worst {worst:.1f} ms (promise {RULES_MS:.0f})")
    slow = max((row["report_cpu"] for row in rows if "report_cpu" in row), default=0.0)
    print(f"report: worst {slow:.0f} ms of processor time (promise {REPORT_MS:.0f})")
    if rulings is not None:
        print(
            "rulings: {positions} positions, {units} broken units: mean {mean:.2f} ms a unit, "
            "median {median:.2f}, worst {worst:.2f}".format(**rulings)
        )


def main() -> int:
    """Run as a program; 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=Path, default=SHARED / "real" / "boards")
    parser.add_argument("--rulings", type=Path, default=SHARED / "rules" / "rulings")
    parser.add_argument("--saves", type=Path, default=SHARED / "real" / "saves")
    parser.add_argument("--every", type=int, default=10, help="of the rulings, every so many")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--broken", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gc.set_threshold(NEW_OBJECTS)  # as the command line does
    library = BoardLibrary([options.boards])
    if options.profile:
        profile(options, library)
        return 0
    rows = bench_set_ups(options, library) + bench_saves(options, library)
    rulings = bench_rulings(options, library) if options.rulings.is_dir() else None
    if options.json:
        print(json.dumps({"set_ups": rows, "rulings": rulings}, indent=1))
    else:
        show(rows, rulings)
    kept = all(row["rules"] <= RULES_MS for row in rows)
    return 0 if kept and all(row.get("report_cpu", 0) <= REPORT_MS for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
