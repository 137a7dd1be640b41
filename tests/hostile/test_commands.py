"""Every hostile file through the commands of a player: an answer, or one clear line and no trace.

A file that `report` refuses goes through all commands; one that it answers through two more, in
turn. `tools/bench/hostile.py` runs and measures them all.
"""

from __future__ import annotations

import pathlib

import pytest

import tests.hostile.makers_boards
import tests.hostile.makers_zips  # noqa: F401  (they add to MAKERS)
from tests.hostile.forks import Forks
from tests.hostile.makers import MAKERS
from tests.hostile.sheet import commands, contents, judge


@pytest.mark.parametrize(("number", "name"), list(enumerate(MAKERS)), ids=list(MAKERS))
def test_a_hostile_file(number: int, name: str, forks: Forks, tmp_path: pathlib.Path) -> None:
    path = MAKERS[name](tmp_path)
    before = contents(tmp_path)
    first, *others = commands(path)
    done = forks.run(first, tmp_path)
    assert judge(done, first, before, tmp_path) == "", first
    some = {number % len(others), (7 * number + 3) % len(others)}
    for place, command in enumerate(others):
        if done.code == 2 or place in some:
            assert judge(forks.run(command, tmp_path), command, before, tmp_path) == "", command


def test_each_command_is_tried_with_files_of_each_kind() -> None:
    assert len(MAKERS) > 190
    assert len({name for name, _ in MAKERS.items()}) == len(MAKERS)
