"""The watcher as the benches run it: `watch_driver.py FOLDER --job light|report|MODULE:FACTORY`.

Every job that ran is a line in `--log`: digest of the content it was given, time of day when its
outputs were on disk, name of the file. The job may be

- `light`: decodes the save and writes its digest, standing in for a report;
- `report`: what `vassal-bridge watch` does (boards: `--boards`);
- `MODULE:FACTORY`: a function that is given the boards folder (or None) and returns a job.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from vassal_bridge.vassal.archive import atomic_write, read_saved  # noqa: E402
from vassal_bridge.watch import Console, Job, JobResult, watch  # noqa: E402
from vassal_bridge.watch import ReadyFile as ReadyFile  # noqa: E402


def light_job(boards: Path | None) -> Job:
    """Decodes the save and writes what it was given, as a report of the same name would be."""
    del boards

    def job(file: ReadyFile) -> JobResult:
        saved = read_saved(file.data, file.path)
        body = {"digest": file.digest, "name": file.path.name, "characters": len(saved.text)}
        target = file.output("json")
        atomic_write(target, json.dumps(body).encode())
        return JobResult(f"{len(saved.text)} characters", (target,))

    return job


def report_job(boards: Path | None) -> Job:
    """What `vassal-bridge watch` does."""
    from vassal_bridge.tasks.session import open_session
    from vassal_bridge.tasks.watching import FileJob

    return FileJob(open_session({}, boards=[boards] if boards else []))


def make_job(name: str, boards: Path | None) -> Job:
    """The job of a name."""
    if name in ("light", "report"):
        return (light_job if name == "light" else report_job)(boards)
    module, _, factory = name.partition(":")
    made: Job = getattr(importlib.import_module(module), factory)(boards)
    return made


def main() -> None:
    """Run until a signal comes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--job", default="light")
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--polling", action="store_true")
    options = parser.parse_args()
    job = make_job(options.job, options.boards)
    with options.log.open("a", encoding="utf-8") as log:

        def logged(file: ReadyFile) -> JobResult:
            result = job(file)
            log.write(f"{file.digest} {time.time():.6f} {file.path.name}\n")
            log.flush()
            return result

        console = Console(sys.stdout, sys.stderr, roots=(options.folder,))
        watch([options.folder], logged, listeners=[console], polling=options.polling)


if __name__ == "__main__":
    main()
