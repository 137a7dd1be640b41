"""The command line as a user calls it, in a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from vassal_bridge.cli import app, exit_code


def own_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Neither the developer's own settings nor his VASSAL reach a test."""
    for name in ("ROUT_BOARDS", "BOARDS_DIR", "ROUT_VASSAL_CONF", "VASSAL_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("LANG", "C")


def run(*arguments: object) -> int:
    """Exit code of a command."""
    return exit_code(lambda: app([str(one) for one in arguments], standalone_mode=False))
