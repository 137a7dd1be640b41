"""R78 to R87: what is Known, sight and levels, editions, what a verdict says, what a hex is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import at, bars, duty, known, only, path, targets, told
from tests.rout.grounds import DrawnSight, DrawnTerrain, drawn
from tests.rout.small import typed
from tests.rout.test_metamorphic import crowd
from tests.shared import BOARDS, needs_shared
from vassal_bridge.board import BoardLibrary, build_ground, placements_from_rows
from vassal_bridge.rout import (
    Certainty,
    Code,
    Duty,
    Edition,
    Position,
    Readings,
    assess,
    judge_path,
)

# -- R78 to R81 ----------------------------------------------------------------------------------


def test_r78_known_is_what_it_sees_now() -> None:
    position = typed(
        "4-6-7 F9; 4-6-7 B5; 4-6-7 J5 broken; 8-0 F2 pinned", "4-4-7 F5 broken dm", woods="D5"
    )
    assert known(position, "F5") == {"F9", "J5", "F2"}


def test_r78_per_unit() -> None:
    position = typed("4-6-7 B5", "a 4-4-7 F5 broken dm; b 4-4-7 F3 broken dm", woods="D6 D5")
    assert known(position, "a") != known(position, "b")
    assert known(position, "b") == {"B5"}


def test_r78_neither_hidden_nor_concealed_ones() -> None:
    position = typed(
        "4-6-7 F9 hip; 4-6-7 E9 concealed; 4-6-7 G9", "4-4-7 F5 broken dm", edition="sk4"
    )
    assert known(position, "F5") == {"G9"}


def test_r78_concealed_stacks_make_a_verdict_depend_on_them() -> None:
    position = typed("4-6-7 E9 concealed; 4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    found = told(position, "F5")
    assert found.certainty is Certainty.DEPENDS
    assert only(found.reasons, "R78").code is Code.HIDDEN


def test_r78_who_does_not_rout_does_not_whatever_is_concealed() -> None:
    """Without DM and without a Known enemy beside it (R2, R5), or in Melee (R3)."""
    position = typed("4-6-7 E9 concealed; 4-6-7 F9", "4-4-7 F5 broken", woods="F5")
    found = told(position, "F5")
    assert found.duty is Duty.NONE
    assert found.certainty is Certainty.CERTAIN
    assert [reason.rule for reason in found.reasons] == ["R2"]


def test_r47_concealed_friends_may_leave_no_room() -> None:
    away = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; 4-4-7 P5 concealed", woods="F3")
    assert told(away, "r").certainty is Certainty.CERTAIN
    there = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; 4-4-7 F3 concealed", woods="F3")
    found = told(there, "r")
    assert [target.hex for target in found.targets] == [at("F3")]
    assert found.certainty is Certainty.DEPENDS
    assert only(found.reasons, "R78").code is Code.HIDDEN
    beside = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; 4-4-7 F3 concealed; 4-4-7 F3", woods="F3")
    assert told(beside, "r").certainty is Certainty.DEPENDS
    # a player who sees his own units sees how many there are
    assert told(hiding(beside, "F3"), "r").certainty is Certainty.CERTAIN


def hiding(position: Position, *names: str) -> Position:
    """The same as a player sees it whose own the units in these hexes are: hidden or concealed."""
    hexes = {at(name) for name in names}
    units = [replace(unit, concealed=unit.hex in hexes) for unit in position.units]
    return replace(position, units=tuple(units), fronts={})


def test_r78_a_unit_that_only_its_own_player_sees_forces_nobody() -> None:
    """Nor bars it, nor interdicts; that it may come out is said (R11, R58, R78)."""
    open_ = typed("4-6-7 F6; 4-6-7 F9", "4-4-7 F5 broken dm", woods="F3 F9 K5")
    assert told(open_, "F5").duty is Duty.MUST
    far = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3 F9 K5")
    found, without = told(hiding(open_, "F6"), "F5"), told(far, "F5")
    assert (found.duty, found.known) == (without.duty, without.known)
    assert [end.hex for end in found.ends] == [end.hex for end in without.ends]
    assert found.certainty is Certainty.DEPENDS
    assert only(found.reasons, "R78").code is Code.HIDDEN


def test_r79_six_hindrances_block() -> None:
    five = typed("4-6-7 L8", "4-4-7 F5 broken dm", brush="G6 H6 I7 J7 K8")
    assert known(five, "F5") == {"L8"}
    with_smoke = typed("4-6-7 F10", "4-4-7 F5 broken dm", smoke="F7 F8")
    assert known(with_smoke, "F5") == set()
    one_smoke = typed("4-6-7 F10", "4-4-7 F5 broken dm", smoke="F7", brush="F8 F9")
    assert known(one_smoke, "F5") == {"F10"}


def test_r79_the_hexes_at_the_ends_do_not_block() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5", building="F9")
    assert known(position, "F5") == {"F9"}


def test_r80_a_building_has_one_location() -> None:
    # Two hexes of one building are two hexes; one hex holds one Location for both sides.
    position = typed("4-6-7 F5 broken", "r 4-4-7 F5 broken dm", buildings=[["F5", "F4"]])
    assert told(position, "r").known == (position.units[0].id,)
    neighbours = typed("4-6-7 F4", "4-4-7 F5 broken dm", buildings=[["F5", "F4"]])
    assert known(neighbours, "F5") == {"F4"}
    assert duty(neighbours, "F5") == "must"


def test_r80_hills_have_levels() -> None:
    bare = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    for level, answer in ((0, "must"), (1, "may"), (2, "may")):
        hill = drawn(bare, terrains={"F5": DrawnTerrain(level=level)})
        assert duty(hill, "F5") == answer, level  # R63: from below no Open Ground


@pytest.mark.parametrize("terrain", ["woods", "building", "brush"])
def test_r81_adjacent_hexes_see_each_other(terrain: str) -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken dm", **{terrain: "F4 F5"}, smoke="F4 F5")
    assert known(position, "F5") == {"F4"}


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("board", ["z", "m"])
def test_r81_on_real_boards(board: str) -> None:
    ground = build_ground(placements_from_rows([[board]]), BoardLibrary([BOARDS]))
    pairs = [
        (hex_, beside)
        for hex_ in ground.hexes()[::3]
        for beside in ground.neighbours(hex_)
        if beside is not None
    ]
    blind = [pair for pair in pairs if not ground.sight(*pair).clear]
    assert len(pairs) > 500
    assert blind == []


# -- R82 to R86 ----------------------------------------------------------------------------------


def test_r82_editions_are_ordered() -> None:
    order = [Edition.SK1, Edition.SK2, Edition.SK3, Edition.SK4]
    for number, edition in enumerate(order):
        assert [edition.at_least(other) for other in order] == [
            other_number <= number for other_number in range(4)
        ]


def test_r82_the_base_rules_are_the_same_in_all() -> None:
    answers = {
        edition: (
            duty(position, "F5"),
            tuple(sorted(targets(position, "F5"))),
            tuple(sorted(bars(position, "F5", "F6"))),
        )
        for edition in ("sk1", "sk2", "sk3", "sk4")
        for position in [typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3 E6", edition=edition)]
    }
    assert set(answers.values()) == {("must", ("E6", "F3"), ("R38",))}


def test_r83_a_judgement_takes_nothing_back() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    before = position.units
    judged = judge_path(position, at("F5"), (at("F4"), at("E5"), at("E6")))
    assert judged.verdict == "illegal"
    assert judged.last_legal == at("E5")
    assert position.units == before


def test_r84_legal_if_some_history_is_legal() -> None:
    # Which of the two woods was named nobody can see afterwards: a path to either is legal.
    position = typed(russian="4-4-7 F5 broken dm", woods="F3 F7")
    assert bars(position, "F5", "E5 E4 F3") == set()
    assert bars(position, "F5", "E6 E7 F7") == set()


def test_r84_what_every_history_contains() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    assert [met.hex for met in path(position, "F5", "F4 F3 F2").interdictions] == [
        at("F4"),
        at("F3"),
    ]


def test_r85_stopping_short_of_the_target() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    assert bars(position, "F5", "F4") == {"R27"}
    assert bars(position, "F5", "F4", low_crawl=True) == set()


def test_r86_illegal_under_every_reading() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    judged = path(position, "F5", "F6")
    assert (judged.verdict, judged.readings) == ("illegal", ())


def test_r86_legal_under_a_listed_other_reading_is_disputed() -> None:
    friends = "; ".join(["4-4-7 F4"] * 3)
    position = typed(russian=f"a 4-4-7 F5 broken dm; {friends}", woods="F8 F2")
    judged = path(position, "a", "E5 E4 F3 F2")
    assert judged.verdict == "disputed"
    assert judged.reasons  # why it is illegal by default


def test_r86_legal_by_default_names_the_reading_that_forbids_it() -> None:
    position = typed("4-6-7 F9 broken", "4-4-7 F5 broken dm", woods="E6 F3")
    judged = path(position, "F5", "F4 F3")
    assert (judged.verdict, judged.readings) == ("legal", ("r31_unbroken",))
    house = replace(position, rules=replace(position.rules, readings=Readings(r31_unbroken=True)))
    assert path(house, "F5", "F4 F3").verdict == "illegal"


def test_r86_a_fact_that_is_missing_makes_it_unknown() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    strange = drawn(position, terrains={"F5": DrawnTerrain("overlay", understood=False)})
    found = told(strange, "F5")
    assert found.certainty is Certainty.UNKNOWN
    assert only(found.reasons, "R87").code is Code.UNKNOWN_TERRAIN
    unsure = replace(
        position,
        units=tuple(
            replace(one, uncertain=True) if one.hex == at("F5") else one for one in position.units
        ),
    )
    assert told(unsure, "F5").certainty is Certainty.UNKNOWN


def test_r86_what_may_be_a_destination_as_near_as_any_counts() -> None:
    position = typed("4-6-7 E9", "4-4-7 F5 broken dm", woods="F3")  # 3 MF away
    assert told(position, "F5").certainty is not Certainty.UNKNOWN
    for hex_, counts in (("H3", True), ("I4", True), ("I2", False), ("B5", False)):
        assert all(at(hex_) not in end.path for end in told(position, "F5").ends)
        odd = drawn(position, terrains={hex_: DrawnTerrain("overlay", understood=False)})
        assert (told(odd, "F5").certainty is Certainty.UNKNOWN) is counts, hex_


def test_r86_a_sight_over_ground_that_is_not_understood_makes_it_unknown() -> None:
    position = typed("4-6-7 F9; 4-6-7 GG1", "4-4-7 F5 broken dm", woods="F3")
    for line, counts in (
        (("F5", "F9"), True),  # from where it stands
        (("F4", "F9"), True),  # from a hex on its way
        (("F3", "GG1"), True),  # one that would be seen from the woods
        (("E9", "F9"), False),  # from where it never is
    ):
        found = told(drawn(position, unclear={line: "F7"}), "F5")
        assert (found.certainty is Certainty.UNKNOWN) is counts, line
        named = [reason.fact("hex") for reason in found.reasons if reason.rule == "R87"]
        assert named == ([at("F7")] if counts else [])


def test_r86_a_sight_from_a_hex_on_no_best_way_counts_too() -> None:
    """An enemy it may see from there would change its plan, and with it where it may end (R49)."""
    position = crowd(16)  # of the random ones: C6 has a way through D8, which no best way enters
    unit = next(one for one in position.units if one.hex == at("C6") and one.broken)
    line = ("D8", "C3")
    assert all(at("D8") not in end.path for end in assess(position, unit.id).ends)
    assert assess(position, unit.id).certainty is not Certainty.UNKNOWN
    found = assess(drawn(replace(position, fronts={}), unclear={line: "C3"}), unit.id)
    assert found.certainty is Certainty.UNKNOWN


def test_r86_neighbours_see_each_other_whatever_lies_there() -> None:
    position = typed("4-6-7 F6", "4-4-7 F5 broken dm", woods="F3")
    beside = drawn(position, unclear={("F5", "F6"): "F6"})
    assert told(beside, "F5").certainty is Certainty.CERTAIN


def test_r86_an_enemy_whose_markers_can_be_read_in_two_ways() -> None:
    position = typed("4-6-7 F9; 4-6-7 GG1", "4-4-7 F5 broken dm", woods="F3 FF0 FF1 GG2")
    for enemy, certainty in (("F9", Certainty.UNKNOWN), ("GG1", Certainty.CERTAIN)):
        unsure = replace(
            position,
            units=tuple(replace(one, uncertain=one.hex == at(enemy)) for one in position.units),
        )
        found = told(unsure, "F5")
        assert found.certainty is certainty, enemy  # nobody sees GG1
        named = [reason.fact("unit") for reason in found.reasons if reason.rule == "R84"]
        assert named == ([at("F9")] if enemy == "F9" else [])


# -- R87 -----------------------------------------------------------------------------------------


@needs_shared
@pytest.mark.shared
def test_r87_the_official_example_needs_o7_as_a_building() -> None:
    ground = build_ground(placements_from_rows([["z"]]), BoardLibrary([BOARDS]))
    assert ground.terrain("zO7").shelter == "building"
    assert ground.terrain("zO7").building == ground.terrain("zO6").building


def test_r87_terrain_decides_sight_does_not() -> None:
    # A hex called woods is a destination even where a line of sight crosses it.
    bare = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    called = drawn(
        bare,
        terrains={"E6": DrawnTerrain("woods", shelter="woods")},
        sights={("F5", "F9"): DrawnSight(clear=True)},
    )
    assert "E6" in {target.hex.removeprefix("open") for target in assess(called, at("F5")).targets}
    assert known(called, "F5") == {"F9"}
