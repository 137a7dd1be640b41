"""Every hostile file through the commands of a player: an answer, or one clear line and no trace.

Each file goes through `report` and one other command, in turn; `tools/bench/hostile.py` takes all
files through all commands, and measures.
"""

from __future__ import annotations

import pathlib

import pytest

from tests.hostile.forks import Forks
from tests.hostile.sheet import MAKERS, commands, contents, judge
from vassal_bridge.limits import (
    MAX_BOARD_EXTRAS,
    MAX_BOARDS,
    MAX_BROKEN,
    MAX_COUNTERS,
    MAX_DIRECTORY_BYTES,
    MAX_LOSDATA_PIXELS,
    MAX_MEMBER_BYTES,
    MAX_PIECES,
    MAX_UNITS,
)

CAUSES = {
    "bomb of a gigabyte": "savedGame: 260916 bytes that unpack to 268435456 are refused",
    "bomb in a small member": f"moduledata: unpacks to 31457280 bytes, limit {MAX_MEMBER_BYTES}",
    "five members of fifteen megabytes": "m2: unpacks to 15728640 bytes, limit 2097010",
    "zip of many members": "(zip64)",
    "zip directory in two sizes": "(zip64)",
    "bomb in bzip2": "packed by a method zips rarely use (12)",
    "twenty thousand pieces": f"more than {MAX_PIECES} pieces",
    "five thousand squads": f"counters, limit {MAX_COUNTERS}",
    "ten thousand boards": f"10000 boards, limit {MAX_BOARDS}",
    "endless board name": "a board name of 200000 characters",
    "overlays": f"over {MAX_BOARD_EXTRAS} overlays on one board",
    "terrain rules": f"over {MAX_BOARD_EXTRAS} scenario changes on one board",
    "demo beside itself": f"boards of 74304000 pixels, limit {MAX_LOSDATA_PIXELS}",
    "LOSData one hex": "no hex within the crop",
    "LOSData endless size": f"pixels, limit {MAX_LOSDATA_PIXELS}",
    "metadata name endless": "impossible name 'xxxxxxxx",
    "metadata laughs": "not well-formed XML (",
    "metadata with a file in it": "XML with a document type is refused",
    "metadata nested deep": "not well-formed XML (Excessive depth",
    "board of many members": f"zip directory of 3628890 bytes, limit {MAX_DIRECTORY_BYTES}",
    "yaml that laughs": "line 1: anchors and aliases are not allowed",
    "yaml nested deep": "line 1: ",
    "yaml of half a character": "line 3: not YAML: found invalid Unicode character escape code",
    "yaml of many broken": f"2000 broken units on the boards, limit {MAX_BROKEN}",
    "yaml of thousands": f"20000 units, limit {MAX_UNITS}",
    "yaml of a long line": "line 5: ",
}
"""What the line must say."""


@pytest.mark.parametrize(("number", "name"), list(enumerate(MAKERS)), ids=list(MAKERS))
def test_a_hostile_file(number: int, name: str, forks: Forks, tmp_path: pathlib.Path) -> None:
    path = MAKERS[name](tmp_path)
    before = contents(tmp_path)
    first, *others = commands(path)
    for turn in (None, number % len(others)):
        command = first if turn is None else others[turn]
        done = forks.run(command, tmp_path)
        assert judge(done, command, before, tmp_path) == "", command
        if turn is None:
            assert CAUSES.get(name, "") in done.err


def test_there_are_files_of_each_kind() -> None:
    assert len(MAKERS) > 190
    assert CAUSES.keys() <= MAKERS.keys()
