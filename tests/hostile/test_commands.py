"""Every hostile file through the commands of a player: an answer, or one clear line and no trace.

Each file goes through `report` and two other commands, in turn; `tools/bench/hostile.py` takes all
files through all commands, and measures.
"""

from __future__ import annotations

import pathlib

import pytest

from tests.hostile.forks import Forks
from tests.hostile.sheet import MAKERS, commands, contents, judge


@pytest.mark.parametrize(("number", "name"), list(enumerate(MAKERS)), ids=list(MAKERS))
def test_a_hostile_file(number: int, name: str, forks: Forks, tmp_path: pathlib.Path) -> None:
    path = MAKERS[name](tmp_path)
    before = contents(tmp_path)
    first, *others = commands(path)
    for turn in (None, number % len(others), (7 * number + 3) % len(others)):
        command = first if turn is None else others[turn]
        assert judge(forks.run(command, tmp_path), command, before, tmp_path) == "", command


def test_each_command_is_tried_with_files_of_each_kind() -> None:
    assert len(MAKERS) > 190
    assert len({name for name, _ in MAKERS.items()}) == len(MAKERS)
