"""The embedded example: an invented board, a saved game on it, and a log of its rout phase.

The files are made by `tools/make_demo.py`. They are read like any player's files: the folder serves
as a board directory that holds one board, `demo`.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def demo_boards() -> Path:
    """The folder to give as `--boards`: it holds the board archive `bddemo`."""
    return Path(str(files("vassal_bridge.demo")))


def demo_board() -> Path:
    """The board archive itself; its zip ends with our remark, as all our outputs do."""
    return demo_boards() / "bddemo"


def demo_save() -> Path:
    """The saved game at the start of a rout phase."""
    return demo_boards() / "demo.vsav"


def demo_log() -> Path:
    """The log: the same game, and a rout phase with one illegal rout in it."""
    return demo_boards() / "demo-RtPh.vlog"


__all__ = ["demo_board", "demo_boards", "demo_log", "demo_save"]
