"""`python -m tests.watch.driver FOLDER [SECONDS]`: a watcher with a light job, for signal tests.

The job takes SECONDS and writes what it was given, so that half-written outputs would show.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from vassal_bridge.vassal import atomic_write
from vassal_bridge.watch import Console, JobResult, ReadyFile, watch


def main() -> None:
    folder = Path(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0

    def job(file: ReadyFile) -> JobResult:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pass
        atomic_write(file.output("html"), file.data)
        return JobResult(f"{len(file.data)} bytes", (file.output("html"),))

    console = Console(sys.stdout, sys.stderr, roots=(folder,))
    watch([folder], job, listeners=[console])


if __name__ == "__main__":
    main()
