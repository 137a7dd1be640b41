"""Checks that need no library: modules under 500 lines, and a changelog that keeps up.

python tools/check_tree.py               the tree as it stands
python tools/check_tree.py --base REF    also: a change of the program since REF needs an entry
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 500
PROGRAM = ("vassal_bridge/", "module_maps/")
HEADING = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?$")


def long_modules(root: Path) -> list[str]:
    """Modules of `vassal_bridge` and `tools` with more than 500 lines."""
    problems = []
    for folder in ("vassal_bridge", "tools"):
        for path in sorted((root / folder).rglob("*.py")):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > MOST_LINES:
                name = path.relative_to(root).as_posix()
                problems.append(f"{name}: {lines} lines, at most {MOST_LINES}")
    return problems


def changelog_sections(text: str) -> list[tuple[str, str | None, int]]:
    """Sections of a changelog, newest first: name, date, number of entries."""
    sections: list[tuple[str, str | None, int]] = []
    for line in text.splitlines():
        if heading := HEADING.match(line):
            sections.append((heading["name"], heading["date"], 0))
        elif line.startswith("- ") and sections:
            name, date, count = sections[-1]
            sections[-1] = (name, date, count + 1)
    return sections


def changelog_problems(root: Path) -> list[str]:
    """What is wrong with the changelog: empty or undated sections, none for this version."""
    sections = changelog_sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    source = (root / "vassal_bridge" / "__init__.py").read_text(encoding="utf-8")
    version = source.split('__version__ = "')[1].split('"')[0]
    problems = [f"CHANGELOG.md: [{name}] has no entry" for name, _, n in sections if n == 0]
    problems += [
        f"CHANGELOG.md: [{name}] has no date"
        for name, date, _ in sections
        if date is None and name != "Unreleased"
    ]
    if not sections or sections[0][0] not in ("Unreleased", version):
        problems.append(f"CHANGELOG.md: the first section is neither [Unreleased] nor [{version}]")
    return problems


def missing_entry(root: Path, base: str) -> list[str]:
    """A change of the program since `base` that leaves the changelog as it was."""
    command = ["git", "diff", "--name-only", f"{base}...HEAD"]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    changed = done.stdout.splitlines()
    touched = [name for name in changed if name.startswith(PROGRAM)]
    if touched and "CHANGELOG.md" not in changed:
        return [f"CHANGELOG.md: no entry for {touched[0]} and {len(touched) - 1} more since {base}"]
    return []


def main() -> int:
    """Print every problem; 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", help="commit to compare with, e.g. origin/main")
    options = parser.parse_args()
    problems = long_modules(ROOT) + changelog_problems(ROOT)
    if options.base:
        problems += missing_entry(ROOT, options.base)
    print("\n".join(problems) or "sizes and changelog: fine")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
