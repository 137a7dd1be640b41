"""Shows for each rule R1 to R87 the code that decides it and the tests named after it.

    python tools/check_rules_covered.py             one line per rule; exit code 1 if one is bare
    python tools/check_rules_covered.py --markdown  the same as a table for the documentation

Code counts where a docstring, comment or reason cites the rule (``R38``, ``R38 to R41``), outside
`report` (which only words the reasons) and `rulebook` (which only lists readings). A test counts
when its name holds the rule: ``test_r40_adjacent_to_adjacent``.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = tuple(f"R{number}" for number in range(1, 88))
NOT_DECIDING = ("vassal_bridge/report/", "vassal_bridge/rout/rulebook.py")
CITED = re.compile(r"\bR(\d{1,2})\b(?:\s*(?:to|-|–)\s*R(\d{1,2})\b)?")
IN_TEST_NAME = re.compile(r"_r(\d{1,2})(?=_|$)")


def cited_rules(line: str) -> Iterator[str]:
    """Rules a line names, ranges spelt out.

    >>> list(cited_rules("the bans (R38 to R40) and R47"))
    ['R38', 'R39', 'R40', 'R47']
    """
    for first, last in CITED.findall(line):
        yield from (f"R{number}" for number in range(int(first), int(last or first) + 1))


def owners(source: str) -> list[tuple[int, int, str]]:
    """Functions and classes of a module as (first line, last line, name), inner ones last."""
    found = [
        (node.lineno, node.end_lineno or node.lineno, node.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    return sorted(found)


def places_in_code(root: Path) -> dict[str, list[str]]:
    """For each rule the places that cite it: ``vassal_bridge/rout/step.py:bans``."""
    places: dict[str, list[str]] = {rule: [] for rule in RULES}
    for path in sorted((root / "vassal_bridge").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name.startswith(NOT_DECIDING):
            continue
        source = path.read_text(encoding="utf-8")
        spans = owners(source)
        for number, line in enumerate(source.splitlines(), 1):
            inside = [owner for first, last, owner in spans if first <= number <= last]
            place = f"{name}:{inside[-1]}" if inside else name
            for rule in cited_rules(line):
                if rule in places and place not in places[rule]:
                    places[rule].append(place)
    return places


def tests_by_name(root: Path) -> dict[str, list[str]]:
    """For each rule the tests named after it: ``tests/rout/test_step.py:test_r38_closer``."""
    tests: dict[str, list[str]] = {rule: [] for rule in RULES}
    for path in sorted((root / "tests").rglob("test_*.py")):
        name = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in IN_TEST_NAME.findall(node.name):
                    if f"R{number}" in tests:
                        tests[f"R{number}"].append(f"{name}:{node.name}")
    return tests


def as_markdown(code: dict[str, list[str]], tests: dict[str, list[str]]) -> str:
    """The table of the documentation."""
    lines = ["| rule | decided in | tests |", "|---|---|---|"]
    for rule in RULES:
        cells = (", ".join(f"`{place}`" for place in found[rule]) for found in (code, tests))
        lines.append(f"| {rule} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Print the coverage; 1 when a rule has no code or no test."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--markdown", action="store_true", help="print a table")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to look at")
    options = parser.parse_args()
    code, tests = places_in_code(options.root), tests_by_name(options.root)
    if options.markdown:
        print(as_markdown(code, tests))
    bare = [rule for rule in RULES if not code[rule] or not tests[rule]]
    for rule in RULES if not options.markdown else bare:
        gaps = [what for what, found in (("code", code), ("test", tests)) if not found[rule]]
        note = f"  MISSING: {', '.join(gaps)}" if gaps else ""
        line = f"{rule:4} code {len(code[rule]):2}  tests {len(tests[rule]):2}{note}"
        print(line, file=sys.stderr if options.markdown else sys.stdout)
    total = len(RULES) - len(bare)
    print(f"{total} of {len(RULES)} rules have code and tests", file=sys.stderr)
    return 1 if bare else 0


if __name__ == "__main__":
    sys.exit(main())
