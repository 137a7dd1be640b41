"""Stacks: markers to units, weapons to owners, levels, concealment (formats/counters.md 6, 7)."""

from __future__ import annotations

import pytest

from tests.counters.doubles import GE, Layer, Piece, counter, game, mark, stack
from vassal_bridge.counters import Counter, DoubtCode, State, read_stacks, stacking

SQ, BROKEN, LEADER = ("4-4-7 1sq", "ru"), ("broken 4-4-7 1sq", "ru"), ("9-1", "ru")
LMG, GERMAN = ("LMG", "ru"), ("4-6-7 1sq", GE)


def read(*stacks: list[Piece], hex_of=None) -> dict[str, Counter]:
    readings = read_stacks(game(*stacks), hex_of)
    return {c.id: c for reading in readings for c in reading.counters}


def doubts(*stacks: list[Piece], hex_of=None) -> list[tuple[DoubtCode, str, str]]:
    readings = read_stacks(game(*stacks), hex_of)
    return [(d.code, d.marker, d.counter) for reading in readings for d in reading.doubts]


def one_hex(_x: int, _y: int) -> str:
    return "zK4"


# --- DM ---------------------------------------------------------------------------------------


def test_dm_directly_above_its_unit_is_certain():
    found = read(stack(BROKEN, "DM"))
    assert found["s.0"].state == ("broken", "dm")
    assert not found["s.0"].uncertain


def test_dm_reaches_through_a_weapon_between():
    found = read(stack(BROKEN, LMG, "DM"))
    assert found["s.0"].dm
    assert not found["s.0"].uncertain


def test_dm_never_means_an_unbroken_unit():
    found = read(stack(BROKEN, SQ, "DM"))
    assert found["s.0"].dm
    assert not found["s.0"].uncertain
    assert not found["s.1"].dm


def test_one_dm_on_several_broken_units_means_all_the_lower_ones_in_doubt():
    pieces = stack(BROKEN, BROKEN, "DM")
    found = read(pieces)
    assert found["s.0"].dm
    assert found["s.1"].dm
    assert found["s.0"].uncertain == {State.DM}
    assert not found["s.1"].uncertain
    assert doubts(pieces) == [(DoubtCode.SEVERAL_UNITS, "dm", "s.0")]


def test_a_dm_ends_at_the_next_dm_below():
    # S009: two broken squads share a DM, a third with its own joined them
    found = read(stack(BROKEN, BROKEN, "DM", BROKEN, "DM"))
    assert [found[f"s.{i}"].dm for i in (0, 1, 3)] == [True, True, True]
    assert [bool(found[f"s.{i}"].uncertain) for i in (0, 1, 3)] == [True, False, False]


def test_a_broken_unit_put_on_top_of_its_own_dm_keeps_it():
    # Anna_vs_Boris_07, step 17: restacked, "its DM counter is now under it"
    pieces = stack(SQ, "DM", BROKEN)
    found = read(pieces)
    assert found["s.2"].dm
    assert not found["s.2"].uncertain
    assert not found["s.0"].dm
    assert doubts(pieces) == []


def test_a_dm_beside_the_stack_in_the_same_hex_means_the_only_broken_unit():
    pieces = stack(BROKEN), stack("DM", x=104, name="t")
    assert read(*pieces, hex_of=one_hex)["s.0"].dm
    assert not read(*pieces)["s.0"].dm  # without hexes it lies elsewhere


def test_a_second_broken_unit_above_a_dm_that_is_taken_gets_none():
    # game_2024-03-11_b: the second unit left its DM behind in the hex it came from
    found = read(stack(SQ, BROKEN, "DM", BROKEN))
    assert found["s.1"].dm
    assert not found["s.3"].dm


def test_a_spare_dm_goes_to_the_unit_without_one_in_doubt():
    pieces = stack("DM", BROKEN, "DM", BROKEN)
    found = read(pieces)
    assert found["s.1"].dm
    assert not found["s.1"].uncertain
    assert found["s.3"].dm
    assert found["s.3"].uncertain == {State.DM}
    assert (DoubtCode.MARKER_ELSEWHERE, "dm", "s.3") in doubts(pieces)


def test_a_forgotten_dm_is_left_unused():
    pieces = stack("First Fire", "DM", GERMAN)
    found = read(pieces)
    assert found["s.2"].state == ()
    assert (DoubtCode.UNUSED_MARKER, "dm", "s.1") in doubts(pieces)


# --- other markers ----------------------------------------------------------------------------


def test_pin_means_the_unit_directly_below_only():
    found = read(stack(SQ, SQ, "Pin"))
    assert found["s.1"].pinned
    assert not found["s.0"].pinned
    assert not found["s.1"].uncertain


def test_pin_and_dm_on_one_unit():
    assert read(stack(BROKEN, "DM", "Pin"))["s.0"].state == ("broken", "dm", "pinned")


def test_a_pin_under_its_unit_is_in_doubt():
    found = read(stack("Pin", SQ))
    assert found["s.1"].pinned
    assert found["s.1"].uncertain == {State.PINNED}


def test_cx_on_top_means_all_units_of_the_nationality_below():
    found = read(stack(GERMAN, SQ, LEADER, "CX"))
    assert found["s.2"].cx
    assert not found["s.2"].uncertain
    assert found["s.1"].cx
    assert found["s.1"].uncertain == {State.CX}
    assert not found["s.0"].cx


def test_fire_markers_do_not_stray():
    pieces = stack("Prep Fire", SQ)
    assert read(pieces)["s.1"].state == ()
    assert (DoubtCode.UNUSED_MARKER, "prep-fire", "s.0") in doubts(pieces)


def test_final_fire_is_told_from_first_fire():
    assert read(stack(SQ, "Final Fire"))["s.0"].state == ("final-fire",)
    assert read(stack(SQ, "First Fire"))["s.0"].state == ("first-fire",)


def test_melee_means_all_units_of_the_hex():
    far = stack(("8-0", "ru"), x=104, name="t")
    found = read(stack(SQ, ("broken 4-4-7 2sq", GE), "Melee", "DM"), far, hex_of=one_hex)
    assert found["s.0"].melee
    assert found["s.1"].state == ("broken", "dm", "melee")
    assert found["t.0"].melee


def test_a_melee_marker_without_an_enemy_is_over():
    pieces = stack(GERMAN, "Melee", "DM")
    assert not read(pieces)["s.0"].melee
    assert (DoubtCode.NO_ENEMY, "melee", "s.0") in doubts(pieces)


def test_cc_is_not_yet_melee():
    found = read(stack(SQ, GERMAN, "CC"))
    assert found["s.0"].state == ("cc",)
    assert not found["s.0"].melee


def test_motion_goes_to_the_vehicle_not_to_its_riders():
    tank = counter("T-34 M43 vca3 tca3 BU", "ru", base_image="ru/veh/T34M43")
    found = read(stack(tank, SQ, "Motion", "Immob."))
    assert found["s.0"].state == ("motion", "immobilized")
    assert found["s.1"].state == ()


def test_a_wound_marker_means_the_leader_not_the_squad():
    found = read(stack(LEADER, SQ, "Wounded"))
    assert found["s.0"].wounded
    assert not found["s.1"].wounded


def test_markers_on_other_pixels_do_not_mix():
    found = read(stack(BROKEN), stack("DM", x=400, name="t"))
    assert not found["s.0"].dm


# --- weapons ----------------------------------------------------------------------------------


def test_a_weapon_belongs_to_the_unit_it_lies_on():
    found = read(stack(SQ, LMG, SQ, ("MMG", "ru"), LEADER))
    assert found["s.0"].weapons == ("s.1",)
    assert found["s.2"].weapons == ("s.3",)
    assert found["s.4"].weapons == ()
    assert found["s.3"].possessor == "s.2"


def test_two_weapons_on_one_unit():
    assert read(stack(SQ, LMG, ("DC", "ru")))["s.0"].weapons == ("s.1", "s.2")


def test_a_marker_between_unit_and_weapon_does_not_part_them():
    assert read(stack(BROKEN, "DM", LMG))["s.0"].weapons == ("s.2",)


def test_a_weapon_at_the_bottom_goes_to_the_unit_on_it_in_doubt():
    # round3: the squad under LMG and DM was reduced, the half-squad put on top of them
    pieces = stack("DM", LMG, BROKEN)
    assert read(pieces)["s.2"].weapons == ("s.1",)
    assert (DoubtCode.WEAPON_BELOW, "weapon", "s.2") in doubts(pieces)


def test_a_lone_weapon_belongs_to_nobody():
    found = read(stack(LMG))
    assert found["s.0"].possessor is None


def test_weapons_reach_over_a_gun_to_its_crew_but_not_over_a_vehicle():
    gun = counter("76L ART obr. 39 ca3", "ru", base_image="ru/gun/ruAR76L")
    found = read(stack(("2-2-8 Icr", "ru"), gun, LMG))
    assert found["s.0"].weapons == ("s.1", "s.2")
    truck = counter("ZIS-5 vca1", "ru", base_image="ru/veh/zis5")
    found = read(stack(SQ, truck, LMG))
    assert found["s.2"].possessor is None
    assert stacking(found.values()).vehicles == 1


def test_a_gun_takes_the_only_free_crew_of_its_hex_in_doubt():
    gun = counter("76L ART obr. 39 ca3", "ru", base_image="ru/gun/ruAR76L")
    pieces = stack(gun), stack(("2-2-8 Icr", "ru"), x=104, name="t")
    assert read(*pieces, hex_of=one_hex)["s.0"].possessor == "t.0"
    assert read(*pieces)["s.0"].possessor is None
    assert doubts(*pieces, hex_of=one_hex)[0][0] is DoubtCode.MARKER_ELSEWHERE
    two = *pieces, stack(gun, x=108, name="u")
    manned = [c.id for c in read(*two, hex_of=one_hex).values() if c.possessor == "t.0"]
    assert len(manned) == 1


def test_a_gun_is_manned_by_the_crew_of_its_stack():
    gun = counter("76L ART obr. 39 ca3", "ru", base_image="ru/gun/ruAR76L")
    for pieces in (stack(gun, ("2-2-8 Icr", "ru")), stack(("2-2-8 Icr", "ru"), gun)):
        found = read(pieces)
        crew = next(c for c in found.values() if c.size == "crew")
        assert len(crew.weapons) == 1
        assert stacking(found.values()).squads2 == 2
    alone = read(stack(gun, GERMAN))
    assert alone["s.0"].possessor == "s.1"  # a captured Gun, in doubt
    assert read(stack(gun))["s.0"].possessor is None


# --- levels, entrenchments ----------------------------------------------------------------------


def test_levels_count_upward_from_their_marker():
    found = read(stack(SQ, "Building Level 1", SQ, "Building Level 2", LEADER, BROKEN, "DM"))
    assert [found[f"s.{i}"].level for i in (0, 2, 4, 5)] == [0, 1, 2, 2]
    assert found["s.5"].dm


def test_units_on_upper_levels_are_doubtful():
    """Buildings of the Starter Kit have one Location (R80)."""
    upstairs = stack(SQ, "Building Ground Level", SQ, "Building Level 1", LEADER, "LMG")
    assert doubts(upstairs) == [(DoubtCode.UPPER_LEVEL, "level", "s.4")]


def test_without_level_markers_the_level_is_not_told():
    assert read(stack(SQ))["s.0"].level is None


def test_a_marker_does_not_reach_below_its_level():
    found = read(stack(SQ, "Building Level 1", SQ, "CX"))
    assert found["s.2"].cx
    assert not found["s.0"].cx


def test_a_weapon_does_not_change_the_level():
    found = read(stack(SQ, "Building Level 1", LMG))
    assert found["s.2"].possessor is None


def test_a_unit_above_a_crest_or_pillbox_marker_is_there():
    found = read(stack(SQ, "Crest ca2", SQ))
    assert found["s.0"].location is None
    assert found["s.2"].location == "crest"


def test_units_below_a_foxhole_are_in_it():
    found = read(stack(SQ, "1S Foxhole", GERMAN))
    assert found["s.0"].location == "foxhole"
    assert found["s.1"].strength == 1
    assert found["s.2"].location is None


# --- concealment, HIP -----------------------------------------------------------------------------


def test_a_question_mark_conceals_its_nation_below():
    found = read(stack(GERMAN, ("LMG", GE), SQ, mark(GE), ("8-1", GE)))
    assert [found[f"s.{i}"].concealed for i in (0, 1, 2, 4)] == [True, True, False, False]


def test_a_question_mark_of_another_owner_conceals_nothing():
    squad = counter("4-6-7 1sq", GE, owner="owner-2", hidden=True)
    found = read(stack(squad, mark(GE, owner="owner-1")))
    assert not found["s.0"].concealed
    assert found["s.0"].hidden


# --- the rest -------------------------------------------------------------------------------------


def test_squad_equivalents():
    pieces = stack(SQ, ("2-3-7 1hs", "ru"), ("2-2-8 Icr", "ru"), LEADER, ("Hero", "ru"), LMG)
    count = stacking(read(pieces).values())
    assert (count.squads2, count.smc, count.vehicles) == (4, 2, 0)


def test_readings_are_sorted_by_place():
    low, high = stack(SQ, y=900, name="a"), stack(SQ, y=200, name="b")
    assert [r.id for r in read_stacks(game(low, high))] == ["b", "a"]


def test_a_piece_in_no_stack_is_read_alone():
    lone = counter("4-4-7 1sq", "ru", id="77")
    (reading,) = read_stacks(game([lone]))
    assert reading.id == "77"
    assert reading.counters[0].label == "4-4-7"


def test_the_casualties_map_has_no_hexes():
    dead = counter("4-4-7 1sq", "ru", id="9", map="Casualties")
    (reading,) = read_stacks(game([dead]), one_hex)
    assert reading.hex is None


def test_states_print_in_a_fixed_order():
    wounded = counter("Wnd broken 8-0", "ru", moved=True, concealed=True)
    found = read(stack(wounded, "DM", "TI", "CX", "Pin"))
    assert found["s.0"].state == (
        "broken", "dm", "pinned", "cx", "wounded", "concealed", "ti", "moved",
    )  # fmt: skip


@pytest.mark.parametrize("levels", [0, 1, 2])
def test_a_layer_out_of_its_list_is_no_error(levels):
    odd = counter("odd", "ru", layers=(Layer("BRK", (), (), levels), Layer("", ("a",), ("",), 9)))
    assert read(stack(odd))["s.0"].kind == "unknown"
