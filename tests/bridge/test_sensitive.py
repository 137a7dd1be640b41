"""Each answer that a listed other reading would change names that reading (SENSITIVE.tsv)."""

from __future__ import annotations

import os
from collections import defaultdict

import pytest

from tests.shared import BOARDS, RULINGS, needs_shared
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge.rulings import answer_ruling, read_ruling

EVERY = int(os.environ.get("VASSAL_BRIDGE_RULINGS_EVERY", "4"))
"""Of the listed files every so many is asked."""
NAMES = {
    "R8 Good Order only": "r8_good_order",
    "R28 terrain distance": "r28_terrain",
    "R31 unbroken enemies only": "r31_unbroken",
    "R45 MF distance only": "r45_mf_only",
    "R45 hex distance only": "r45_hex_only",
    "R47 not for passing": "r47_end_only",
    "R49 current hex as reference": "r49_current",
}


@needs_shared
@pytest.mark.shared
def test_listed_readings_are_named() -> None:
    listed: dict[str, dict[str, set[str]]] = defaultdict(dict)
    rows = (RULINGS / "random" / "SENSITIVE.tsv").read_text(encoding="utf-8").splitlines()
    for row in rows[1:]:
        file, question, readings = row.split("\t")
        listed[file].setdefault(question, set()).update(
            NAMES[name.strip()] for name in readings.split(";")
        )
    library = BoardLibrary([BOARDS])
    asked, unnamed = 0, []
    for file in sorted(listed)[::EVERY]:
        answers = answer_ruling(read_ruling(RULINGS / "random" / f"{file}.ruling.yaml"), library)
        named = {answer.question: set(answer.depends) for answer in answers}
        for question, readings in listed[file].items():
            asked += len(readings)
            unnamed += [(file, question, name) for name in readings - named[question]]
    assert asked > 40
    assert not unnamed
