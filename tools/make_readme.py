"""Puts what `vassal-bridge demo` prints now into the two text blocks of the README.

    python tools/make_readme.py

The first block shows the headline, the beginning of the unit that is eliminated and one that must
rout; the second the audit of the log, without what was assumed. Left-out lines are marked with …
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from itertools import dropwhile, takewhile
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
GAP = "…"
TEXT_BLOCK = re.compile(r"^```text\n.*?^```$", re.MULTILINE | re.DOTALL)


def demo() -> tuple[list[str], list[str]]:
    """Lines of the report and of the audit that the demo makes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "vassal_bridge", "demo", "--out", folder, "--lang", "en"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        report, audit = (
            # without the last line, by which the program knows its own files
            (Path(folder) / f"{name}.rout.txt").read_text(encoding="utf-8").splitlines()[:-1]
            for name in ("demo", "demo-RtPh")
        )
    return report, audit


def unit(report: list[str], letter: str) -> list[str]:
    """The paragraph about one unit."""
    return list(takewhile(bool, dropwhile(lambda line: not line.startswith(f"{letter}  "), report)))


def shown() -> list[str]:
    """The two blocks."""
    report, audit = demo()
    first = [report[0], GAP, *unit(report, "A")[:3], GAP, *unit(report, "C"), GAP]
    said = [line for line in audit[1:] if line and not line.startswith("Assumed")]
    second = [audit[0], GAP, *said] if len(said) + 1 < len(audit) else audit
    return ["\n".join(["```text", *block, "```"]) for block in (first, second)]


def main() -> None:
    """Write the README."""
    blocks = iter(shown())
    text = README.read_text(encoding="utf-8")
    README.write_text(TEXT_BLOCK.sub(lambda _: next(blocks), text), encoding="utf-8")


if __name__ == "__main__":
    main()
