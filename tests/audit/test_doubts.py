"""What looks illegal is not proven where a fact is missing (R84, R87)."""

from __future__ import annotations

import pytest

from tests.rout.ask import at
from tests.rout.grounds import DrawnTerrain, drawn
from tests.rout.small import typed
from vassal_bridge.audit.codes import AuditCode, Finding
from vassal_bridge.audit.scene import Doubter, Scene
from vassal_bridge.rout import Code, Reason

CLOSER = Reason("R38", Code.CLOSER, (("enemy", at("F9")), ("from", 4), ("to", 3)))


@pytest.mark.parametrize(
    ("line", "doubted"), [(("F5", "F9"), True), (("F4", "F9"), True), (("E4", "F9"), False)]
)
def test_a_sight_over_ground_not_understood_proves_nothing(
    line: tuple[str, str], *, doubted: bool
) -> None:
    position = drawn(typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3"), unclear={line: "F7"})
    doubts = Doubter(Scene(position, ()), position.by_id[at("F5")], (at("F4"),), crawl=False)
    found = doubts.of([CLOSER])
    assert found == ([Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", at("F7")),))] if doubted else [])


@pytest.mark.parametrize(
    ("lines", "terrains", "odd"),
    [
        ((("F4", "F9"), ("F4", "H5")), {}, "F7"),
        ((("F4", "F9"),), {}, None),  # the other one sees it: one is enough (R62)
        ((("F5", "F9"), ("F5", "H5")), {}, None),  # nobody is interdicted where he starts (R56)
        ((), {"F4": DrawnTerrain(understood=False)}, "F4"),
    ],
)
def test_a_missing_nmc_hangs_on_all_who_interdict(
    lines: tuple[tuple[str, str], ...], terrains: dict[str, DrawnTerrain], odd: str | None
) -> None:
    position = drawn(
        typed("4-6-7 F9; 4-6-7 H5", "4-4-7 F5 broken dm"),
        terrains=terrains,
        unclear=dict.fromkeys(lines, "F7"),
    )
    facts = (("hex", at("F4")), ("enemies", (at("F9"), at("H5"))))
    missing = Finding("R64", AuditCode.CHECK_MISSING, facts)
    doubts = Doubter(Scene(position, ()), position.by_id[at("F5")], (at("F4"),), crawl=False)
    found = doubts.of([missing])
    assert found == ([Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", at(odd)),))] if odd else [])
