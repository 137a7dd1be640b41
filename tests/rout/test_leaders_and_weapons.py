"""R71 to R77: leaders going along, failure to rout, weapons kept and dropped."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rout.ask import at, barred, bars, duty, ends, only, path, short, told
from tests.rout.small import typed
from vassal_bridge.rout import Code, Kind, Unit, Weapon, WeaponKind
from vassal_bridge.rout.weapons import carrying_limit, kept_weapons

# -- R71, R72 ------------------------------------------------------------------------------------


def companions(line: str, edition: str | None = None) -> set[str]:
    position = typed("4-6-7 F9", f"r 4-4-7 F5 broken dm; {line}", woods="F3", edition=edition)
    return {short(name) for name in told(position, "r").companions}


def test_r71_an_unbroken_leader_in_its_hex_may_go_along() -> None:
    assert companions("l 8-0 F5") == {"l"}
    assert companions("l 8-0 F5; m 7-0 F5") == {"l", "m"}


@pytest.mark.parametrize("line", ["l 8-0 F5 broken", "l 8-0 F5 pinned", "l 8-0 F6", "l 4-4-7 F5"])
def test_r71_nobody_else(line: str) -> None:
    assert companions(line) == set()


def test_r71_a_pinned_one_only_by_the_first_rule_book() -> None:
    assert companions("l 8-0 F5 pinned", "sk1") == {"l"}
    assert companions("l 8-0 F5 pinned", "sk2") == set()


def test_r71_a_wounded_leader_binds_the_pair() -> None:
    position = typed(russian="r 4-4-7 F10 broken dm; l 8-0 F10 wounded")
    assert path(position, "r", "F9 F8 F7 F6").verdict == "legal"
    together = path(position, "r", "F9 F8 F7 F6", companion="l")
    assert [reason.rule for reason in together.reasons] == ["R17"]
    assert path(position, "r", "F9 F8 F7", companion="l").verdict == "legal"


def test_r71_both_have_to_find_room() -> None:
    leaders = "; ".join(["8-0 F4"] * 4)
    position = typed(russian=f"r 4-4-7 F5 broken dm; l 8-0 F5; {leaders}")
    assert path(position, "r", "F4").verdict == "legal"
    together = path(position, "r", "F4", companion="l")
    assert [reason.rule for reason in together.reasons] == ["R47"]


def test_r72_unbroken_units_stay() -> None:
    position = typed("4-6-7 F9", "l 8-0 F5; s 4-4-7 F5", woods="F4")
    for unit in ("l", "s"):
        assert duty(position, unit) == "none"
        assert bars(position, unit, "F4") == {"R1"}
        assert ends(position, unit) == {"F5": "stay"}


# -- R73 to R75 ----------------------------------------------------------------------------------

CORNERED = "4-6-7 F4; 4-6-7 E6; 4-6-7 G6"


def test_r73_no_hex_to_enter() -> None:
    position = typed(CORNERED, "4-4-7 F5 broken dm", woods="F5")
    found = told(position, "F5")
    assert found.duty == "eliminated"
    assert only(found.reasons, "R73").code is Code.NO_LEGAL_STEP
    assert found.best is None
    assert len(barred(position, "F5")) == 6


def test_r73_next_to_an_unbroken_enemy_at_the_end() -> None:
    position = typed("4-6-7 F3", "4-4-7 F5 broken dm", woods="F4")
    assert bars(position, "F5", "F4") == {"R8"}
    assert bars(position, "F5", "F4", low_crawl=True) == {"R55"}


def test_r73_a_unit_that_can_step_but_not_survive_has_to_go_all_the_same() -> None:
    # Room only in F4, where smoke takes his last MF and the hidden enemy in F3 stands next to him.
    crowds = "; ".join("; ".join([f"7-0 {hex_}"] * 4) for hex_ in ("E5", "G5", "E6", "G6"))
    position = typed(
        "4-6-7 F9; 4-6-7 F3", f"r 8-0 F5 broken dm wounded; {crowds}", woods="F4", smoke="F4"
    )
    found = told(position, "r")
    assert (found.duty, found.ends, found.best) == ("must", (), None)
    assert bars(position, "r", "F4") == {"R8"}
    assert bars(position, "r", "F4", low_crawl=True) == {"R55"}


def test_r73_still_in_interdictable_open_ground() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", brush="E6")
    assert bars(position, "F5", "E6 F5") == {"R73"}


def test_r74_no_choosing_death() -> None:
    position = typed("4-6-7 F4", "4-4-7 F5 broken dm", woods="F5 F7")
    staying = path(position, "F5", "")
    assert staying.verdict == "illegal"
    assert [reason.rule for reason in staying.reasons][:2] == ["R74", "R8"]
    assert "F5" not in ends(position, "F5")


def test_r74_who_cannot_rout_dies_who_need_not_stays() -> None:
    cornered = path(typed(CORNERED, "4-4-7 F5 broken dm", woods="F5"), "F5", "")
    assert cornered.reasons[0].rule == "R73"
    free = path(typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F5"), "F5", "")
    assert (free.verdict, free.reasons) == ("legal", ())


def test_r75_no_surrender_instead() -> None:
    position = typed(CORNERED, "4-4-7 F5 broken dm", woods="F5")
    found = told(position, "F5")
    assert (found.duty, found.ends) == ("eliminated", ())


# -- R76, R77 ------------------------------------------------------------------------------------


def unit(kind: Kind, *weapons: Weapon, wounded: bool = False) -> Unit:
    return Unit("u", "Russian", "openF5", kind, "x", weapons=weapons, wounded=wounded, broken=True)


def sw(name: str, pp: int | None, kind: WeaponKind = WeaponKind.MG) -> Weapon:
    return Weapon(name, kind, pp=pp)


@pytest.mark.parametrize(
    ("kind", "wounded", "limit"),
    [
        (Kind.SQUAD, False, 3),
        (Kind.HALF_SQUAD, False, 3),
        (Kind.CREW, False, 3),
        (Kind.LEADER, False, 1),
        (Kind.HERO, False, 1),
        (Kind.LEADER, True, 0),
    ],
)
def test_r76_what_it_may_carry(kind: Kind, wounded: bool, limit: int) -> None:
    assert carrying_limit(unit(kind, wounded=wounded)) == limit


def test_r76_a_heavy_machine_gun_stays_behind() -> None:
    kept, dropped, _ = kept_weapons(unit(Kind.SQUAD, sw("HMG", 5)))
    assert (kept, [weapon.name for weapon in dropped]) == ((), ["HMG"])


def test_r76_a_gun_always_does() -> None:
    gun = sw("50L AT", 1, WeaponKind.ORDNANCE)
    assert kept_weapons(unit(Kind.CREW, gun))[:2] == ((), (gun,))


def test_r76_a_leader_carries_one_a_wounded_one_nothing() -> None:
    light = sw("LMG", 1)
    assert kept_weapons(unit(Kind.LEADER, light))[0] == (light,)
    assert kept_weapons(unit(Kind.LEADER, light, wounded=True))[1] == (light,)


def test_r77_as_much_as_it_may_nothing_dropped_at_will() -> None:
    light, medium = sw("LMG", 1), sw("MMG", 3)
    assert kept_weapons(unit(Kind.SQUAD, light)) == ((light,), (), False)
    # 3 PP of the MMG are more than 1 of the LMG.
    kept, dropped, _ = kept_weapons(unit(Kind.SQUAD, light, medium))
    assert (kept, dropped) == ((medium,), (light,))
    three = (light, sw("ATR", 1), sw("DC", 1))
    assert kept_weapons(unit(Kind.SQUAD, *three))[1] == ()
    four = (*three, sw("LMG", 1))
    kept, dropped, choice = kept_weapons(unit(Kind.SQUAD, *four))
    assert (len(kept), len(dropped), choice) == (3, 1, True)


def test_r77_the_report_says_what_goes_along() -> None:
    position = typed("4-6-7 F9", "r 4-4-7 F5 broken dm with LMG, MMG", woods="F3")
    found = told(position, "r")
    assert (found.keeps, found.drops) == (("LMG",), ("MMG",))  # a Russian MMG weighs 5
    german = typed("r 4-6-7 F5 broken dm with LMG, MMG", "4-4-7 F9", woods="F3")
    assert told(german, "r").keeps == ("MMG",)  # a German one 3


def test_r77_two_of_a_kind_are_two() -> None:
    twins = (sw("LMG", 1), sw("LMG", 1), sw("LMG", 1), sw("LMG", 1))
    kept, dropped, _ = kept_weapons(unit(Kind.SQUAD, *twins))
    assert len(kept) + len(dropped) == 4
    assert len(dropped) == 1


def test_r77_a_unit_that_does_not_rout_drops_nothing() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 with MMG", woods="F3")
    assert told(position, "F5").drops == ()
    assert replace(position).by_id[at("F5")].weapons[0].pp == 5
