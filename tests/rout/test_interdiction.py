"""R56 to R63, R70: who can interdict where, and what is Open Ground to him."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.counters.doubles import GE, game, stack
from tests.rout.ask import at, interdictors, path, short, told, unit_id
from tests.rout.grounds import DrawnEntry, DrawnSight, DrawnTerrain, drawn
from tests.rout.small import typed
from vassal_bridge.bridge.units import units_of
from vassal_bridge.counters import read_stacks, sides
from vassal_bridge.report.catalogue import LANGS, words_in
from vassal_bridge.rout import Code, Cover, Edition, Kind, Position, Reason, Weapon, WeaponKind
from vassal_bridge.rout.interdiction import can_interdict, normal_range

ROUTS = "r 4-4-7 F5 broken dm"


def met(german: str, way: str = "F4", **terrain: str) -> dict[str, set[str]]:
    """Who interdicts whom on the way."""
    return interdictors(typed(german, ROUTS, month=7, **terrain), "r", way)


def armed(position: Position, unit: str, *weapons: Weapon) -> Position:
    """The position with a unit's weapons put in by hand."""
    name = unit_id(position, unit)
    return replace(
        position,
        units=tuple(
            replace(one, weapons=weapons) if one.id == name else one for one in position.units
        ),
    )


def able(position: Position, enemy: str, to: str) -> bool | None:
    """Whether an enemy can interdict in a hex entered."""
    return can_interdict(position, position.by_id[unit_id(position, enemy)], at(to), None)


# -- R56 to R58 ----------------------------------------------------------------------------------


def test_r56_in_every_open_hex_entered_within_normal_range() -> None:
    # Ranges from F9: F4 5, F3 6, F2 7; a 4-6-7 fires 6 hexes.
    assert met("4-6-7 F9", "F4 F3 F2") == {"F4": {"F9"}, "F3": {"F9"}}


def test_r56_only_in_its_los() -> None:
    position = typed("4-6-7 F9", ROUTS, building="F7")
    assert interdictors(position, "r", "F6 F7") == {}
    assert met("4-6-7 F9", "F4 F3", brush="AA1") == {"F4": {"F9"}, "F3": {"F9"}}


def test_r56_the_starting_hex_is_not_interdicted() -> None:
    position = typed("4-6-7 F9", ROUTS, woods="F4")
    judged = path(position, "r", "F4")
    assert (judged.verdict, judged.interdictions) == ("legal", ())


@pytest.mark.parametrize("state", ["broken", "pinned", "cx", "melee"])
def test_r57_neither_broken_nor_pinned_nor_cx_nor_in_melee(state: str) -> None:
    assert met("4-6-7 F9") == {"F4": {"F9"}}
    assert met(f"4-6-7 F9 {state}") == {}


def test_r58_known_or_not() -> None:
    # Past the building in E5 nobody in F5 sees B3; in F4 the LOS is clear.
    position = typed("4-6-7 B3; 4-6-7 F9", ROUTS, building="E5")
    assert known_names(position) == {"F9"}
    assert interdictors(position, "r", "F4 G4")["F4"] == {"B3", "F9"}


def known_names(position: Position) -> set[str]:
    return {short(name) for name in told(position, "r").known}


# -- R59, R60 ------------------------------------------------------------------------------------


def test_r59_a_leader_alone_has_no_fire() -> None:
    assert met("9-1 F9") == {}
    assert met("9-1 F9 with MMG") == {}


def test_r59_two_leaders_fire_a_machine_gun() -> None:
    assert met("a 9-1 F9 with MMG; b 8-0 F9") == {"F4": {"a", "b"}}
    assert met("a 9-1 F9 with MMG; b 8-0 F9 pinned") == {}


def test_r59_shaped_charges_and_demolition_charges_cannot() -> None:
    for weapon in ("BAZ", "PSK", "DC"):
        position = armed(
            typed("2-2-8 F8", ROUTS),
            "F8",
            Weapon(weapon, WeaponKind.SHAPED_CHARGE if weapon != "DC" else WeaponKind.DEMOLITION),
        )
        unarmed = replace(
            position,
            units=tuple(
                replace(one, fp=0) if one.kind is Kind.CREW else one for one in position.units
            ),
        )
        assert able(unarmed, "F8", "F6") is False, weapon


def test_r59_an_atr_reaches_twelve_hexes() -> None:
    atr = Weapon("ATR", WeaponKind.ATR, fp=1, range=12)
    position = armed(typed("4-6-7 F10", "r 4-4-7 F2 broken dm"), "F10", atr)
    assert able(position, "F10", "F2") is True
    assert normal_range(position, position.by_id[at("F10")]) == 12


def test_r59_a_flamethrower_one() -> None:
    unarmed = typed("1-2-7 F9", ROUTS)
    flames = Weapon("FT", WeaponKind.FLAMETHROWER, fp=24, range=1)
    position = armed(unarmed, "F9", flames)
    crew = replace(position.by_id[at("F9")], fp=0)
    assert normal_range(position, crew) == 1


def test_r59_a_malfunctioned_weapon_cannot() -> None:
    gun = Weapon("MMG", WeaponKind.MG, fp=5, range=12)
    position = typed("4-6-7 F10", "r 4-4-7 F2 broken dm")
    assert able(armed(position, "F10", gun), "F10", "F2") is True
    assert able(armed(position, "F10", replace(gun, usable=False)), "F10", "F2") is False


@pytest.mark.parametrize("kind", [WeaponKind.ORDNANCE, WeaponKind.MORTAR])
def test_r59_ordnance_is_a_doubt_up_to_sixteen_hexes(kind: WeaponKind) -> None:
    gun = Weapon("50L AT", kind, certain=False)
    position = armed(typed("1-2-7 A5", "r 4-4-7 P5 broken dm"), "A5", gun)
    assert able(position, "A5", "P5") is None  # 15 hexes
    assert able(position, "A5", "Q5") is None  # 16
    assert able(position, "A5", "R5") is False  # 17
    found = path(position, "r", "Q5").interdictions
    assert [(one.by, one.maybe) for one in found] == [((), (at("A5"),))]


def test_r9_who_may_stay_though_somebody_may_be_able_to_interdict() -> None:
    """The sentence does not say that nobody could."""
    gun = Weapon("50L AT", WeaponKind.ORDNANCE, certain=False)
    position = armed(typed("1-2-7 A5", "r 4-4-7 P5 broken dm"), "A5", gun)
    found = told(position, "r")
    stays, perhaps = found.reasons[:2]
    assert (stays.code, perhaps.code) == (Code.MAY_STAY, Code.POSSIBLE_INTERDICTOR)
    assert stays.fact("possible") == (at("A5"),)
    sure = Reason("R4", Code.MAY_STAY)
    nobody = {"en": "nobody could", "zh": "也不会被阻截"}
    for lang in LANGS:
        assert nobody[lang] not in words_in(lang).reason(stays, position.by_id)
        assert nobody[lang] in words_in(lang).reason(sure, position.by_id)


def test_r59_a_mortar_only_within_its_least_and_greatest_range() -> None:
    mortar = Weapon("50* MTR", WeaponKind.MORTAR, range=11, min_range=2, certain=False)
    position = armed(typed("c 1-2-7 F4", "r 4-4-7 F9 broken dm"), "c", mortar)
    unarmed = replace(
        position,
        units=tuple(replace(one, fp=0) if one.id == "c" else one for one in position.units),
    )
    answers = {hex_: able(unarmed, "c", hex_) for hex_ in ("F5", "F6", "Q9", "R9")}
    assert answers == {"F5": False, "F6": None, "Q9": None, "R9": False}


def test_r59_no_mortar_fires_out_of_a_building() -> None:
    mortar = Weapon("50* MTR", WeaponKind.MORTAR, range=11, min_range=2, certain=False)
    position = armed(typed("2-4-7 F1", "r 4-4-7 F9 broken dm", building="F1"), "F1", mortar)
    assert able(position, "F1", "F8") is False
    outside = armed(typed("2-4-7 F1", "r 4-4-7 F9 broken dm", woods="F1"), "F1", mortar)
    assert able(outside, "F1", "F8") is None


def test_r59_ordnance_came_with_the_second_rule_book() -> None:
    gun = Weapon("50L AT", WeaponKind.ORDNANCE, certain=False)
    position = armed(typed("1-2-7 A5", "r 4-4-7 P5 broken dm"), "A5", gun)
    first = replace(position, rules=replace(position.rules, edition=Edition.SK1))
    assert able(first, "A5", "P5") is False


def test_r59_a_vehicle_is_a_doubt_and_in_motion_it_cannot() -> None:
    position = typed("4-6-7 F9", ROUTS)
    tank = replace(position.by_id[at("F9")], kind=Kind.VEHICLE, fp=0, range=0, facing_unknown=True)
    for motion, answer in ((False, None), (True, False)):
        units = (replace(tank, motion=motion), position.by_id["r"])
        assert can_interdict(position, units[0], at("F4"), at("F5")) is answer


def test_r59_an_enemy_with_an_enemy_in_its_own_hex_cannot() -> None:
    german = "4-6-7 F9"
    held = typed(german, f"{ROUTS}; 4-4-7 F9 broken")
    assert interdictors(held, "r", "F4") == {}


def test_r59_the_routing_unit_itself_holds_nobody_once_it_has_left() -> None:
    position = typed("e 4-6-7 F5", ROUTS)
    assert interdictors(position, "r", "F4 F3") == {"F4": {"e"}, "F3": {"e"}}


def test_r60_printed_range_of_the_unit() -> None:
    assert met("4-6-7 F10", "F4") == {"F4": {"F10"}}  # 6
    assert met("4-6-7 F10", "F4 F3") == {"F4": {"F10"}}  # 7 is beyond it
    assert met("2-4-7 F9", "F4 F3") == {}  # 5 and 6


def test_r60_printed_range_of_a_machine_gun_manned_by_an_mmc() -> None:
    assert met("4-6-7 F10 with LMG", "F4 F3 F2 F1") == {
        "F4": {"F10"},
        "F3": {"F10"},
        "F2": {"F10"},
    }
    assert met("4-6-7 F10 with MMG", "F4 F3 F2 F1") == {
        hex_: {"F10"} for hex_ in ("F4", "F3", "F2", "F1")
    }


# -- R61, R62, R70 -------------------------------------------------------------------------------


@pytest.mark.parametrize("marker", ["Prep Fire", "First Fire", "Final Fire"])
def test_r61_fire_already_used_does_not_matter(marker: str) -> None:
    # As VASL has it: a unit under a fire marker is a unit that can interdict.
    pieces = stack(("4-6-7 1sq", GE), marker)
    readings = read_stacks(game(pieces), lambda _x, _y: at("F9"))
    counters = [one for reading in readings for one in reading.counters]
    (fired,) = units_of(readings, sides(counters))
    assert fired.name == "4-6-7"
    position = typed("4-6-7 F9", ROUTS)
    moved = replace(position, units=(replace(fired, side="German"), position.by_id["r"]))
    assert interdictors(moved, "r", "F4") == {"F4": {"F9"}}


def test_r62_once_per_hex_however_many_could() -> None:
    position = typed("4-6-7 F9; 4-6-7 G9; 4-6-7 E9", ROUTS, woods="F3 AA1")
    one = typed("4-6-7 F9", ROUTS, woods="F3 AA1")
    many = {short(end.hex): end for end in told(position, "r").ends}["F3"]
    single = {short(end.hex): end for end in told(one, "r").ends}["F3"]
    assert [len(found.by) for found in many.interdictions] == [3]
    assert [len(found.by) for found in single.interdictions] == [1]
    assert many.odds == single.odds


def test_r62_one_enemy_in_any_number_of_hexes() -> None:
    position = typed("4-6-7 F8", ROUTS, woods="F2")
    (end,) = [end for end in told(position, "r").ends if end.hex == at("F2")]
    assert [found.by for found in end.interdictions] == [(at("F8"),)] * 2


@pytest.mark.parametrize("terrain", ["woods", "building", "brush", "grain", "orchard"])
def test_r70_covered_hexes_are_not_interdicted(terrain: str) -> None:
    assert met("4-6-7 F9", "F4", **{terrain: "F4"}) == {}


# -- R63 -----------------------------------------------------------------------------------------


def test_r63_roads_and_off_season_grain_are_open_ground() -> None:
    for month, terrain in ((7, {"road": "F4"}), (10, {"grain": "F4"})):
        position = typed("4-6-7 F9", ROUTS, month=month, **terrain)
        assert interdictors(position, "r", "F4") == {"F4": {"F9"}}


@pytest.mark.parametrize("terrain", ["grain", "brush", "orchard", "wreck", "smoke"])
def test_r63_no_open_ground_through_a_hindrance(terrain: str) -> None:
    assert met("4-6-7 F9", **{terrain: "F7"}) == {}


def test_r63_smoke_in_either_hex() -> None:
    assert met("4-6-7 F9", smoke="F4") == {}
    assert met("4-6-7 F9", smoke="F9") == {}


def test_r63_a_wreck_in_the_hex_gives_cover_one_in_his_own_does_not_hinder() -> None:
    assert met("4-6-7 F9", wreck="F4") == {}
    assert met("4-6-7 F9", wreck="F9") == {"F4": {"F9"}}


def on_road(cover: Cover, *, by_road: bool, sight: DrawnSight) -> dict[str, set[str]]:
    """F4 as a road in woods or an orchard, entered by the road or not."""
    bare = typed("4-6-7 F9", ROUTS)
    shelter = "woods" if cover is Cover.ROAD_IN_WOODS else None
    cost = DrawnEntry(mf2=2 if by_road else 4, woods_mf2=4 if by_road else None, by_road=by_road)
    position = drawn(
        bare,
        terrains={"F4": DrawnTerrain("road", shelter=shelter, cover=cover)},
        entries={("F5", "F4"): cost},
        sights={("F9", "F4"): sight},
    )
    return interdictors(position, "r", "F4")


def test_r63_woods_road_entered_along_the_road_with_the_los_off_the_woods() -> None:
    clear, wooded = DrawnSight(), DrawnSight(over_woods=True)
    assert on_road(Cover.ROAD_IN_WOODS, by_road=True, sight=clear) == {"F4": {"F9"}}
    assert on_road(Cover.ROAD_IN_WOODS, by_road=True, sight=wooded) == {}
    assert on_road(Cover.ROAD_IN_WOODS, by_road=False, sight=clear) == {}


def test_r63_orchard_road_with_the_los_on_the_road() -> None:
    assert on_road(Cover.ROAD_IN_ORCHARD, by_road=False, sight=DrawnSight()) == {"F4": {"F9"}}
    over = DrawnSight(over_orchard=True)
    assert on_road(Cover.ROAD_IN_ORCHARD, by_road=True, sight=over) == {}


def on_hill(levels: dict[str, int], enters_by: tuple[int, ...] = (3,)) -> dict[str, set[str]]:
    """F4 entered from F5 with an enemy in F9, on these levels."""
    bare = typed("4-6-7 F9", ROUTS)
    position = drawn(
        bare,
        terrains={hex_: DrawnTerrain(level=level) for hex_, level in levels.items()},
        sights={("F9", "F4"): DrawnSight(enters_by=enters_by)},
    )
    return interdictors(position, "r", "F4")


def test_r63_a_hill_seen_from_below_is_no_open_ground() -> None:
    assert on_hill({"F4": 1, "F5": 1}) == {}


def test_r63_unless_it_just_crossed_the_crest_the_los_runs_through() -> None:
    assert on_hill({"F4": 1}) == {"F4": {"F9"}}  # from below through the southern side
    assert on_hill({"F4": 1}, enters_by=(2,)) == {}


def test_r63_from_the_same_level_or_above_it_is() -> None:
    assert on_hill({"F4": 1, "F5": 1, "F9": 1}) == {"F4": {"F9"}}
    assert on_hill({"F4": 1, "F5": 1, "F9": 2}) == {"F4": {"F9"}}


def test_r63_behind_a_wall_it_is_not() -> None:
    bare = typed("4-6-7 F9", ROUTS)
    walled = drawn(bare, sights={("F9", "F4"): DrawnSight(crosses_wall=True)})
    assert interdictors(walled, "r", "F4") == {}
