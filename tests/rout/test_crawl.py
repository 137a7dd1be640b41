"""R52 to R55, R45: Low Crawl."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import at, bars, duty, ends, path, targets, told
from tests.rout.grounds import DrawnEntry, drawn, into
from tests.rout.small import typed
from vassal_bridge.rout import Code, End, Interdiction, Position, Readings
from vassal_bridge.rout.position import IMPASSABLE_MF2

CRAWL = {"low_crawl": True}


def read_otherwise(position: Position, reading: str) -> Position:
    readings = Readings().with_reading(reading)
    return replace(position, rules=replace(position.rules, readings=readings))


def test_r45_nearer_in_hexes_or_in_mf() -> None:
    # To F3 it is 2 hexes and 4 MF, through the brush or round it.
    position = typed(russian="4-4-7 F5 broken dm", woods="F3", brush="F4")
    assert targets(position, "F5") == {"F3": 4}
    assert bars(position, "F5", "F4", **CRAWL) == set()  # 1 hex, 2 MF
    sideways = path(position, "F5", "E5", **CRAWL)  # still 2 hexes, but 3 MF
    assert (sideways.verdict, sideways.readings) == ("legal", ("r45_hex_only",))
    assert bars(read_otherwise(position, "r45_hex_only"), "F5", "E5", **CRAWL) == {"R45"}
    assert bars(read_otherwise(position, "r45_mf_only"), "F5", "E5", **CRAWL) == set()
    for receding in ("E6", "F6", "G6"):
        assert bars(position, "F5", receding, **CRAWL) == {"R45"}


def test_r45_to_one_of_the_targets_is_enough() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 F7")
    assert bars(position, "F5", "F4", **CRAWL) == set()
    assert bars(position, "F5", "F6", **CRAWL) == set()


def test_r45_without_a_destination_anywhere() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    assert targets(position, "F5") == {"free": True}
    for hex_ in ("F4", "E5", "G5", "E6", "G6"):
        assert bars(position, "F5", hex_, **CRAWL) == set()
    assert bars(position, "F5", "F6", **CRAWL) == {"R38"}


def test_r52_one_hex_whatever_it_costs() -> None:
    bare = typed(russian="8-0 F5 broken dm wounded", woods="F4")
    steep = DrawnEntry(mf2=8, uphill=True, smoke_doubled_mf2=8)
    position = drawn(bare, entries=into(bare, "F4", steep))
    assert bars(position, "F5", "F4") == {"R17"}
    assert bars(position, "F5", "F4", **CRAWL) == set()


def test_r52_not_over_a_hexside_that_nobody_crosses() -> None:
    bare = typed(russian="4-4-7 F5 broken dm", woods="F3")
    cliff = DrawnEntry(mf2=IMPASSABLE_MF2 + 2, smoke_doubled_mf2=IMPASSABLE_MF2 + 2)
    position = drawn(bare, entries=into(bare, "F4", cliff))
    for low_crawl in (False, True):
        judged = path(position, "F5", "F4", low_crawl=low_crawl)
        assert [(why.rule, why.code) for why in judged.reasons][:1] == [("R19", Code.IMPASSABLE)]
        assert all(why.code is not Code.TOO_FEW_MF for why in judged.reasons)
    assert "F4" not in ends(position, "F5")


def test_r52_never_interdicted() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    moving = path(position, "F5", "F4 F3 F2")
    assert [met.by for met in moving.interdictions] == [(at("F9"),), (at("F9"),)]
    crawling = path(position, "F5", "F4", **CRAWL)
    assert (crawling.verdict, crawling.interdictions) == ("legal", ())
    (end,) = [end for end in told(position, "F5").ends if end.hex == at("F4")]
    assert (end.how, end.interdictions) == ("crawl", ())
    assert end.odds is not None
    assert end.odds.unreduced == 1


def test_r52_an_end_reached_either_way_tells_what_it_would_meet_on_foot() -> None:
    def end_in(position: Position, hex_: str) -> End:
        return next(end for end in told(position, "F5").ends if end.hex == at(hex_))

    in_the_open = end_in(typed("4-6-7 F9", "4-4-7 F5 broken dm"), "F4")
    assert (in_the_open.how, in_the_open.mf2, in_the_open.interdictions) == ("both", 12, ())
    assert in_the_open.on_foot == (Interdiction(at("F4"), (at("F9"),)),)
    in_woods = end_in(typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F4"), "F4")
    assert (in_woods.how, in_woods.mf2, in_woods.on_foot) == ("both", 4, None)
    only_crawling = end_in(typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2"), "F4")
    assert (only_crawling.how, only_crawling.on_foot) == ("crawl", None)


def test_r52_exactly_one_hex() -> None:
    position = typed(russian="4-4-7 F5 broken dm", woods="F3")
    judged = path(position, "F5", "F4 F3", **CRAWL)
    assert [(why.rule, why.code) for why in judged.reasons] == [("R52", Code.CRAWL_ONE_HEX)]


def test_r52_uses_the_whole_allowance() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    (end,) = [end for end in told(position, "F5").ends if end.hex == at("F4")]
    assert end.mf2 == 12


def test_r53_not_after_having_moved() -> None:
    # Two hexes from the start nothing is reached by crawling: F3 is no end.
    position = typed(russian="4-4-7 F5 broken dm", woods="F2")
    crawled = {hex_ for hex_, how in ends(position, "F5").items() if how in ("crawl", "both")}
    assert crawled == {"F4"}
    assert bars(position, "F5", "F4 F3", **CRAWL) == {"R52"}


def test_r54_not_out_of_a_hex_that_enemies_hold() -> None:
    position = typed("4-6-7 F5 broken", "r 4-4-7 F5 broken dm")
    judged = path(position, "r", "F4", **CRAWL)
    assert [(why.rule, why.code) for why in judged.reasons] == [("R54", Code.CRAWL_FROM_ENEMY_HEX)]
    assert judged.readings == ("r54_allowed",)
    assert bars(position, "r", "F4") == set()
    assert bars(read_otherwise(position, "r54_allowed"), "r", "F4", **CRAWL) == set()


@pytest.mark.parametrize(
    ("german", "hex_", "rule"),
    [("4-6-7 F9", "F6", "R38"), ("4-6-7 F4 broken", "E5", "R40"), ("4-6-7 F4 broken", "F4", "R23")],
)
def test_r55_the_bans_hold(german: str, hex_: str, rule: str) -> None:
    position = typed(german, "4-4-7 F5 broken dm")
    assert rule in bars(position, "F5", hex_, **CRAWL)


def test_r55_stacking_holds() -> None:
    position = typed(russian="r 4-4-7 F5 broken dm; 4-4-7 F4; 4-4-7 F4; 4-4-7 F4")
    assert bars(position, "r", "F4", **CRAWL) == {"R47"}


def test_r55_not_next_to_an_unbroken_enemy_even_if_found_there() -> None:
    position = typed("4-6-7 F3", "4-4-7 F5 broken dm", woods="F4")
    assert bars(position, "F5", "F4", **CRAWL) == {"R55"}
    assert ends(position, "F5").get("F4") is None
    broken = typed("4-6-7 F3 broken", "4-4-7 F5 broken dm", woods="F4")
    assert bars(broken, "F5", "F4", **CRAWL) == set()


def test_r55_ending_in_interdictable_open_ground_is_fine() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    assert bars(position, "F5", "F4", **CRAWL) == set()


def test_r55_only_a_unit_that_may_rout_crawls() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken", woods="F5 F4")
    assert duty(position, "F5") == "none"
    assert bars(position, "F5", "F4", **CRAWL) == {"R2"}
