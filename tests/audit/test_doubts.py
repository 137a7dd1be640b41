"""What looks illegal is not proven where a fact is missing (R84, R87)."""

from __future__ import annotations

import pytest

from tests.rout.ask import at
from tests.rout.grounds import drawn
from tests.rout.small import typed
from vassal_bridge.audit.scene import Doubter, Scene
from vassal_bridge.rout import Code, Reason

CLOSER = Reason("R38", Code.CLOSER, (("enemy", at("F9")), ("from", 4), ("to", 3)))
MET = Reason("R56", Code.INTERDICTED, (("hex", at("F4")), ("enemies", (at("F9"),))))


@pytest.mark.parametrize("why", [CLOSER, MET])
@pytest.mark.parametrize(
    ("line", "doubted"), [(("F5", "F9"), True), (("F4", "F9"), True), (("E4", "F9"), False)]
)
def test_a_sight_over_ground_not_understood_proves_nothing(
    why: Reason, line: tuple[str, str], *, doubted: bool
) -> None:
    position = drawn(typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3"), unclear={line: "F7"})
    doubts = Doubter(Scene(position, ()), position.by_id[at("F5")], (at("F4"),), crawl=False)
    found = doubts.of([why])
    assert found == ([Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", at("F7")),))] if doubted else [])
