"""The checks of `.ci/run` that are our own scripts: they find what they are for."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.shared import ROOT


def script(name: str) -> ModuleType:
    """A script of `tools/` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


rules = script("check_rules_covered")
tree = script("check_tree")


@pytest.mark.parametrize(
    ("line", "cited"),
    [
        ("the bans (R38 to R40) and R47", ["R38", "R39", "R40", "R47"]),
        ("R8/R9: see R73.", ["R8", "R9", "R73"]),
        ("R64–R66", ["R64", "R65", "R66"]),
        ('Reason("R23", Code.ENEMY_HEX)', ["R23"]),
        ("RB3 3.6, SR4 and R100 are none of them", []),
    ],
)
def test_citations_are_found(line: str, cited: list[str]) -> None:
    assert list(rules.cited_rules(line)) == cited


def small_tree(root: Path, code: str, test: str) -> Path:
    (root / "vassal_bridge" / "rout").mkdir(parents=True)
    (root / "vassal_bridge" / "report").mkdir()
    (root / "tests").mkdir()
    (root / "vassal_bridge" / "rout" / "step.py").write_text(code)
    (root / "vassal_bridge" / "report" / "text.py").write_text("# R1 to R87\n")
    (root / "tests" / "test_step.py").write_text(test)
    return root


def run_rules(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "check_rules_covered.py"), "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_rule_without_test_is_an_error(tmp_path: Path) -> None:
    tests = "\n".join(f"def test_r{n}_holds(): pass" for n in range(1, 88) if n != 40)
    done = run_rules(small_tree(tmp_path, "# R1 to R87\n", tests))
    assert done.returncode == 1
    bare = [line for line in done.stdout.splitlines() if "MISSING" in line]
    assert len(bare) == 1
    assert bare[0].startswith("R40")
    assert bare[0].endswith("MISSING: test")


def test_rule_worded_but_not_decided_is_an_error(tmp_path: Path) -> None:
    tests = "\n".join(f"def test_r{n}_holds(): pass" for n in range(1, 88))
    done = run_rules(small_tree(tmp_path, "# R1 to R62, R64 to R87\n", tests))
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stdout.splitlines() if "MISSING" in line] == ["R63"]


def test_all_rules_covered_is_fine(tmp_path: Path) -> None:
    code = 'def judge():\n    """All of R1 to R87."""\n'
    tests = "\n".join(f"def test_r{n}_holds(): pass" for n in range(1, 88))
    done = run_rules(small_tree(tmp_path, code, tests))
    assert done.returncode == 0
    places = rules.places_in_code(tmp_path)
    assert places["R38"] == ["vassal_bridge/rout/step.py:judge"]
    table = rules.as_markdown(places, rules.tests_by_name(tmp_path))
    assert (
        "| R38 | `vassal_bridge/rout/step.py:judge` | `tests/test_step.py:test_r38_holds` |"
        in table
    )


def test_long_module_is_named(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "fine.py").write_text("x = 1\n" * 500)
    (tmp_path / "tools" / "long.py").write_text("x = 1\n" * 501)
    assert tree.long_modules(tmp_path) == ["tools/long.py: 501 lines, at most 500"]


CHANGELOG = """# Changelog

## [Unreleased]

### Added

- One thing.

## [0.1.0] - 2026-11-30

- Another.
"""


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (CHANGELOG, []),
        (CHANGELOG.replace("- One thing.\n", ""), ["[Unreleased] has no entry"]),
        (CHANGELOG.replace(" - 2026-11-30", ""), ["[0.1.0] has no date"]),
        (
            CHANGELOG.replace("Unreleased", "0.3.0").replace("[0.3.0]", "[0.3.0] - 2026-12-01"),
            ["the first section is neither [Unreleased] nor [0.1.0]"],
        ),
        ("", ["the first section is neither [Unreleased] nor [0.1.0]"]),
    ],
)
def test_changelog_is_read(tmp_path: Path, text: str, problems: list[str]) -> None:
    (tmp_path / "vassal_bridge").mkdir()
    (tmp_path / "vassal_bridge" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(text)
    found = tree.changelog_problems(tmp_path)
    assert found == [f"CHANGELOG.md: {problem}" for problem in problems]


def commit(root: Path, message: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *who, "add", "."], cwd=root, check=True)
    subprocess.run(["git", *who, "commit", "-qm", message], cwd=root, check=True)


def test_change_without_entry_is_named(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=tmp_path, check=True)
    (tmp_path / "vassal_bridge").mkdir()
    (tmp_path / "vassal_bridge" / "a.py").write_text("")
    (tmp_path / "CHANGELOG.md").write_text("one\n")
    commit(tmp_path, "first")
    (tmp_path / "vassal_bridge" / "a.py").write_text("x = 1\n")
    commit(tmp_path, "second")
    problem = "CHANGELOG.md: no entry for vassal_bridge/a.py and 0 more since HEAD~1"
    assert tree.missing_entry(tmp_path, "HEAD~1") == [problem]
    (tmp_path / "CHANGELOG.md").write_text("two\n")
    commit(tmp_path, "third")
    assert tree.missing_entry(tmp_path, "HEAD~2") == []
