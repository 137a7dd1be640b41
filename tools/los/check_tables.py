"""Compares our lines of sight with tables of VASL's own answers, pair by pair.

    python -m tools.los.check_tables --all                 # every row of every table
    python -m tools.los.check_tables --rows 2000 z z-levels z_beside_yR
    python -m tools.los.check_tables --all --engine single # also where and why

Engines: `verdict` asks as the program does (remembered fans), `fan` always computes fans, `single`
walks each line and also compares reason, blocking pixel and the Hindrances before a block, `plain`
does the same with the plain walk that skips nothing (slow).

Rows whose reason begins with EXC have no verdict of VASL and are counted apart.
Exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from vassal_bridge.board.archive import open_board
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.sight import Loc, SightEngine
from vassal_bridge.board.sightrules import Why
from vassal_bridge.board.walk import Walked, Walker

SHARED = Path(
    os.environ.get("VASSAL_BRIDGE_SHARED", Path(__file__).resolve().parents[2].parent / "shared")
)
Row = dict[str, str]
BLOCK_ROWS = 300
"""Rows of a sample that follow each other in the table."""

_REASONS = (
    ("Terrain is higher", Why.TERRAIN),
    ("Must have a height", Why.HEIGHT_ADVANTAGE),
    ("Ground level is higher", Why.GROUND),
    ("Intervening hexside", Why.HEXSIDE),
    ("Hindrance total", Why.HINDRANCE),
    ("LOS must leave", Why.LEAVE_BUILDING),
    ("Half level terrain", Why.HALF_LEVEL),
    ("Crosses building level", Why.STAIRWAY),
    ("Source or Target location is in a blind hex (A6.4)", Why.BLIND_TERRAIN),
    ("Source or Target location is in a blind hex (B10.23)", Why.BLIND_GROUND),
)


@dataclass(slots=True)
class Count:
    """Result of one table."""

    name: str
    rows: int = 0
    no_verdict: int = 0
    differences: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        text = f"{self.name:24} {self.rows:8} rows  {len(self.differences):6} differ"
        if self.no_verdict:
            text += f"  ({self.no_verdict} more without a verdict)"
        return text + f"  {self.seconds:6.1f} s"


@dataclass(frozen=True, slots=True)
class Table:
    """One file of answers and how to make the map it is about."""

    name: str
    path: Path
    make_map: Callable[[], LosMap]


def tables(shared: Path = SHARED) -> Iterator[Table]:
    """All tables at hand, single boards first; maps of a table are named as its rows name hexes."""
    boards = shared / "real" / "boards"
    for path in sorted((shared / "los").glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        board = name.removesuffix("-levels")
        yield Table(name, path, partial(_single, boards / f"bd{board}"))
    for folder in sorted((shared / "los" / "joined").iterdir()):
        for part in ("los", "los_levels"):
            path = folder / f"{part}.csv.gz"
            if path.is_file():
                suffix = "-levels" if part == "los_levels" else ""
                yield Table(folder.name + suffix, path, partial(_joined, folder, boards))


def _single(path: Path) -> LosMap:
    return build_los_map([PlacedBoard.of(open_board(path), name="")])


def _joined(folder: Path, boards: Path) -> LosMap:
    arrangement = json.loads((folder / "arrangement.json").read_text(encoding="utf-8"))
    return build_los_map(
        PlacedBoard.of(
            open_board(boards / board["board"]),
            name=board["prefix"] + ":",
            reversed_=board["reversed"],
            column=board["slot_col"],
            row=board["slot_row"],
        )
        for board in arrangement["boards"]
    )


def rows_of(table: Table, most: int | None = None) -> Iterator[Row]:
    """Rows of a table, or about `most` of them in blocks spread over it."""
    with gzip.open(table.path, "rt", encoding="utf-8", newline="") as stream:
        head, *lines = stream.read().splitlines()
    if most is not None and most < len(lines):
        blocks = max(1, most // BLOCK_ROWS)
        step = len(lines) // blocks
        lines = [
            line for at in range(blocks) for line in lines[at * step :][: min(most, BLOCK_ROWS)]
        ]
    yield from csv.DictReader([head, *lines])


def compare(table: Table, engine: str, most: int | None = None) -> Count:
    """Compare one table; see the module's head for the engines."""
    count = Count(table.name)
    losmap = table.make_map()
    started = time.perf_counter()
    ask = _walked(losmap, engine) if engine in ("single", "plain") else _asked(losmap, engine)
    for row in rows_of(table, most):
        if row["blocked"] == "-1":
            count.no_verdict += 1
            continue
        count.rows += 1
        wrong = ask(row)
        if wrong:
            ends = "{source} {slevel} {target} {tlevel}".format(
                **{"slevel": "0", "tlevel": "0"} | row
            )
            count.differences.append(f"{table.name}: {ends}: {'; '.join(wrong)}")
    count.seconds = time.perf_counter() - started
    return count


def _asked(losmap: LosMap, engine: str) -> Callable[[Row], list[str]]:
    """Compare verdict, range and the Hindrance of clear lines."""
    sights = SightEngine(losmap)

    def ask(row: Row) -> list[str]:
        source = Loc(row["source"], int(row.get("slevel", 0)))
        level = int(row.get("tlevel", 0))
        if engine == "fan" and row["source"] != row["target"]:
            found = sights.fan(source, level)[row["target"]]
        else:
            found = sights.verdict(source, Loc(row["target"], level))
        wrong = []
        if found.clear == (row["blocked"] == "1"):
            wrong.append(f"VASL: {row['reason'] or 'clear'}, ours: clear={found.clear}")
        elif found.clear and found.hindrance != int(row["hindrance"]):
            wrong.append(f"VASL: +{row['hindrance']}, ours: +{found.hindrance}")
        if found.range != int(row["range"]):
            wrong.append(f"VASL: range {row['range']}, ours: {found.range}")
        return wrong

    return ask


def _walked(losmap: LosMap, engine: str) -> Callable[[Row], list[str]]:
    """Compare every column: also the reason, the blocking pixel and Hindrances before a block."""
    walk = Walker(losmap).walk if engine == "plain" else losmap.kit.single.walk

    def ask(row: Row) -> list[str]:
        found: Walked = walk(
            losmap.index(row["source"]),
            int(row.get("slevel", 0)),
            losmap.index(row["target"]),
            int(row.get("tlevel", 0)),
        )
        ours = {
            "blocked": "0" if found.block is None else "1",
            "why": str(found.block and found.block.why),
            "hindrance": str(found.line.hindrance),
            "range": str(found.line.range),
        }
        theirs = {
            "blocked": row["blocked"],
            "why": str(reason(row["reason"])),
            "hindrance": row["hindrance"],
            "range": row["range"],
        }
        if row["bx"] and found.block is not None:
            ours["pixel"] = f"{found.block.x},{found.block.y}"
            theirs["pixel"] = f"{row['bx']},{row['by']}"
        return [
            f"{key}: VASL {theirs[key]}, ours {ours[key]}"
            for key in ours
            if ours[key] != theirs[key]
        ]

    return ask


def reason(text: str) -> Why | None:
    """Our reason for VASL's sentence."""
    return next((why for start, why in _REASONS if text.startswith(start)), None)


def main(arguments: Iterable[str] | None = None) -> int:
    """Run the comparison named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("tables", nargs="*", help="names of tables (default: all)")
    parser.add_argument("--all", action="store_true", help="every row")
    parser.add_argument("--rows", type=int, default=3000, help="rows per table without --all")
    parser.add_argument(
        "--engine", choices=("verdict", "fan", "single", "plain"), default="verdict"
    )
    options = parser.parse_args(None if arguments is None else list(arguments))
    total = Count("all tables")
    for table in tables():
        if options.tables and table.name not in options.tables:
            continue
        count = compare(table, options.engine, None if options.all else options.rows)
        print(count, flush=True)
        for difference in count.differences[:20]:
            print("   ", difference)
        total.rows += count.rows
        total.no_verdict += count.no_verdict
        total.differences += count.differences
        total.seconds += count.seconds
    print(total)
    return 1 if total.differences or not total.rows else 0


if __name__ == "__main__":
    sys.exit(main())
