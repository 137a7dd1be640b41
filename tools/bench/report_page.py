"""How long the writers of a report take, and how large their files are.

    python tools/bench/report_page.py SAVE… --boards DIR [--module VMOD] [--repeat 5]

Per save: milliseconds (median) for the map, and for each format, with and without board pictures;
bytes of the page. The promises: a page of a four-board map in under 500 ms, under 3 MB for one
board with art, under 400 KB without.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options as LoadOptions
from vassal_bridge.bridge import load_file
from vassal_bridge.report import FORMATS, Job, Options, map_picture, write_report
from vassal_bridge.report.art import module_art
from vassal_bridge.rout import assess_all


def timed(repeat: int, make: Callable[[], Any]) -> tuple[float, float, Any]:
    """First and median milliseconds, and the last result."""
    took = []
    made: Any = None
    for _ in range(repeat):
        start = time.perf_counter()
        made = make()
        took.append(1000 * (time.perf_counter() - start))
    return took[0], statistics.median(took), made


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("saves", nargs="+", type=Path)
    parser.add_argument("--boards", type=Path, required=True)
    parser.add_argument("--module", type=Path)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    art = module_art(options.module) if options.module else None
    library = BoardLibrary([options.boards])
    for save in options.saves:
        loaded = load_file(save, LoadOptions(library))
        answers = assess_all(loaded.position)
        first, median, picture = timed(options.repeat, partial(map_picture, loaded))
        boards = len([board for board in loaded.layout.boards if not board.spacer])
        print(f"{save.name}: {boards} boards, {len(picture.hexes)} hexes, {len(answers)} broken")
        print(f"  {'map':18} first {first:7.1f} ms, median {median:7.1f} ms")
        job = Job(loaded, answers, picture, Options(art=art))
        plain = replace(job, picture=replace(picture, tiles=()), options=Options())
        rows = [(name, job, name) for name in FORMATS] + [("html without art", plain, "html")]
        for label, one, form in rows:
            first, median, data = timed(options.repeat, partial(write_report, one, form))
            size = f"{len(data):9} bytes"
            print(f"  {label:18} first {first:7.1f} ms, median {median:7.1f} ms, {size}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
