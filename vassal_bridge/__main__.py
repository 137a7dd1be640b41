"""`python -m vassal_bridge`, and the command `vassal-bridge`: how the process itself is run.

A command is short: it answers and ends. What the interpreter and libraries do for long-lived
processes would cost it more time than its own work, so the process is set up for a short life here,
before anything large is imported. Nothing of it changes an answer.
"""

from __future__ import annotations

import gc
import os

NEW_OBJECTS = 300_000
"""Containers made before the garbage collector looks for cycles. With Python's own 700 it walks
what is loaded two hundred times in a report, a tenth of the time, to give back 3 MB. A report
of twenty units makes 180,000. Commands that see many files go back to Python's own
(`tasks.session.give_memory_back`)."""

LIBRARIES = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
}
"""Environment for libraries, where the user has not said otherwise: no linear algebra is done, so
numpy need not start a thread on each core; no pydantic plugin is wanted, so installed packages are
not searched for one."""


def main() -> None:
    """Run the command line; imports it only now so that `--help` stays fast."""
    gc.set_threshold(NEW_OBJECTS)
    for name, value in LIBRARIES.items():
        os.environ.setdefault(name, value)
    from vassal_bridge.cli import run

    try:
        run()
    finally:
        gc.freeze()  # all memory is about to go: the last collections need not look through it


if __name__ == "__main__":
    main()
