"""Counts pinned: for each position the first steps, targets, ends and complete routs of its units.

    python tools/perft.py                 compare with tests/rulings/perft; 1 if a count differs
    python tools/perft.py --write         work the counts out anew and write them
    python tools/perft.py --only z-001    only positions whose name holds this
    python tools/perft.py --divide FILE   the counts of one position or ruling file, by first step

What perft is to chess programs: a change anywhere in the rules shows as a count that moved, and the
divide (complete routs by first step) shows where. Positions on real boards are those of the ruling
files in ../shared, named by file; those on the built-in open board are written out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vassal_bridge.board import BoardLibrary  # noqa: E402
from vassal_bridge.bridge.positions import (  # noqa: E402
    PositionFile,
    build_position,
    parse_position,
    read_position_file,
)
from vassal_bridge.bridge.rulings import read_ruling  # noqa: E402
from vassal_bridge.bridge.yamlfile import Node  # noqa: E402
from vassal_bridge.rout import Position, Unit, assess  # noqa: E402
from vassal_bridge.rout.duty import obligation  # noqa: E402
from vassal_bridge.rout.route import leaves_start  # noqa: E402
from vassal_bridge.rout.router import Router  # noqa: E402
from vassal_bridge.rout.step import (  # noqa: E402
    Knowledge,
    start_of_rout,
    verify_crawl,
    verify_end,
    verify_step,
)

SHARED = ROOT.parent / "shared"
RULINGS = SHARED / "rules" / "rulings"
BOARDS = SHARED / "real" / "boards"
PINNED = ROOT / "tests" / "rulings" / "perft"
SCHEMA = "vassal-bridge/perft/1"


@dataclass(frozen=True)
class Counts:
    """What one unit can do.

    Attributes:
        duty: none, may, must, eliminated.
        steps: hexes it can enter first, Low Crawl aside.
        crawls: hexes it can crawl to.
        targets: legal destinations; `free`: a free rout is legal.
        ends: hexes it can end in, the starting hex included where staying is legal.
        routs: complete legal routs, told apart by the hexes entered, Low Crawl aside.
        divide: complete routs by the hex entered first.
    """

    duty: str
    steps: int
    crawls: int
    targets: int
    free: bool
    ends: int
    routs: int
    divide: dict[str, int]


def count(position: Position, unit: Unit) -> Counts:
    """Count everything a broken unit can do."""
    found = assess(position, unit.id)
    router = Router(position, unit)
    duty = obligation(router)
    moves = found.duty in ("may", "must")
    starts = frozenset(start_of_rout(router))

    def following(
        states: frozenset[Knowledge], here: str
    ) -> Iterator[tuple[str, frozenset[Knowledge]]]:
        for edge in router.edges(here):
            after = frozenset(
                move.after for state in states for move in verify_step(router, state, edge.to).moves
            )
            if after:
                yield edge.to, after

    @cache
    def complete(states: frozenset[Knowledge], here: str) -> int:
        """Complete routs that go on from here in one of these situations, stopping included."""
        stops = not leaves_start(router, duty, here) and any(
            not verify_end(router, state) for state in states
        )
        return int(stops) + sum(complete(after, to) for to, after in following(states, here))

    first = dict(following(starts, unit.hex)) if found.duty != "none" else {}
    divide = {to: complete(after, to) for to, after in first.items()} if moves else {}
    crawls = [edge.to for edge in router.edges(unit.hex) if verify_crawl(router, edge.to).legal]
    return Counts(
        duty=str(found.duty),
        steps=len(first),
        crawls=len(crawls) if found.duty != "none" else 0,
        targets=len(found.targets),
        free=found.free_rout,
        ends=len(found.ends),
        routs=sum(divide.values()),
        divide={to: number for to, number in sorted(divide.items()) if number},
    )


def count_all(position: Position) -> dict[str, Counts]:
    """The counts of every broken unit of a position, by id."""
    return {
        unit.id: count(position, unit)
        for unit in position.units
        if unit.broken and unit.is_infantry
    }


# -- files -----------------------------------------------------------------------------------------


def node(value: Any) -> Node:
    """Plain data as the node of a position file."""
    if isinstance(value, dict):
        return Node({str(key): node(child) for key, child in value.items()}, 1)
    if isinstance(value, list):
        return Node([node(child) for child in value], 1)
    return Node(value, 1)


def position_of(entry: Mapping[str, Any], library: BoardLibrary) -> Position:
    """The position an entry of a perft file names or holds."""
    if "ruling" in entry:
        file: PositionFile = read_ruling(RULINGS / entry["ruling"]).position
    else:
        file = parse_position(node(entry["position"]))
    return build_position(file, library)[0]


def name_of(entry: Mapping[str, Any]) -> str:
    """What an entry is called."""
    return str(entry.get("id") or entry["ruling"])


def read_entries(path: Path) -> list[dict[str, Any]]:
    """The entries of a perft file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["schema"] != SCHEMA:
        raise SystemExit(f"{path}: schema {data['schema']!r}")
    return list(data["positions"])


def write_entries(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Write a perft file, one position per line so that a change of counts is one line."""
    lines = ",\n".join(json.dumps(entry, separators=(", ", ": ")) for entry in entries)
    path.write_text(
        f'{{"schema": "{SCHEMA}", "positions": [\n{lines}\n]}}\n', encoding="utf-8", newline="\n"
    )


def differences(name: str, pinned: Mapping[str, Any], got: Mapping[str, Counts]) -> list[str]:
    """How the counts of a position differ from the pinned ones, with the divide."""
    lines = []
    for unit in sorted(pinned.keys() | got.keys()):
        before = pinned.get(unit)
        now = asdict(got[unit]) if unit in got else None
        if before == now:
            continue
        lines.append(f"{name} {unit}")
        if before is None or now is None:
            lines.append(f"  pinned {before}, got {now}")
            continue
        lines += [
            f"  {key}: pinned {before.get(key)}, got {now[key]}"
            for key in now
            if key != "divide" and before.get(key) != now[key]
        ]
        for hex_ in sorted(before["divide"].keys() | now["divide"].keys()):
            old, new = before["divide"].get(hex_, 0), now["divide"].get(hex_, 0)
            mark = "" if old == new else "   <--"
            lines.append(f"    {hex_}: {old} {new}{mark}")
    return lines


def compare(entry: Mapping[str, Any], library: BoardLibrary) -> list[str]:
    """Differences of one entry; empty when it is as pinned."""
    got = count_all(position_of(entry, library))
    return differences(name_of(entry), entry.get("units", {}), got)


def run(paths: Sequence[Path], library: BoardLibrary, *, only: str, write: bool) -> int:
    """Compare or write; the number of positions that differ."""
    wrong = checked = 0
    for path in paths:
        entries = read_entries(path)
        for entry in entries:
            if only not in name_of(entry) or ("ruling" in entry and not RULINGS.is_dir()):
                continue
            checked += 1
            if write:
                got = count_all(position_of(entry, library))
                entry["units"] = {unit: asdict(counts) for unit, counts in got.items()}
                continue
            found = compare(entry, library)
            wrong += bool(found)
            print("\n".join(found), end="\n" if found else "")
        if write:
            write_entries(path, entries)
    print(f"{checked} positions, {wrong} differ", file=sys.stderr)
    return wrong


def divide(path: Path, library: BoardLibrary) -> None:
    """Print the counts of one file."""
    ruling = path.name.endswith(".ruling.yaml")
    file = read_ruling(path).position if ruling else read_position_file(path)
    for unit, counts in count_all(build_position(file, library)[0]).items():
        facts = asdict(counts)
        by_step = facts.pop("divide")
        print(unit, " ".join(f"{key}={value}" for key, value in facts.items()))
        for hex_, number in by_step.items():
            print(f"  {hex_}: {number}")


def main() -> int:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--write", action="store_true", help="write the counts instead of comparing"
    )
    parser.add_argument("--only", default="", help="positions whose name holds this")
    parser.add_argument("--divide", type=Path, help="one position or ruling file")
    parser.add_argument("--boards", type=Path, default=BOARDS, help="folder with board files")
    options = parser.parse_args()
    library = BoardLibrary([options.boards])
    if options.divide is not None:
        divide(options.divide, library)
        return 0
    return int(
        run(sorted(PINNED.glob("*.json")), library, only=options.only, write=options.write) > 0
    )


if __name__ == "__main__":
    sys.exit(main())
