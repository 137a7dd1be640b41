"""R64 to R69, R71: the odds of a route, against values worked out by hand and by counting dice."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from random import Random

import pytest

from tests.rout.ask import at, short, told
from tests.rout.small import make, random_data, typed
from vassal_bridge.rout import Assessment, End, Kind, Odds, Position, assess_all
from vassal_bridge.rout.judge import judge_path
from vassal_bridge.rout.odds import Shape, check_results
from vassal_bridge.rout.router import Router

F36 = Fraction(1, 36)


def end_in(found: Assessment, hex_: str) -> End:
    (end,) = [end for end in found.ends if short(end.hex) == hex_]
    return end


def odds(position: Position, unit: str, hex_: str, companion: str | None = None) -> Odds:
    end = end_in(told(position, unit, companion), hex_)
    assert end.odds is not None
    return end.odds


def same(got: Odds, **wanted: Fraction | int) -> None:
    """Compare with fractions; what is not named is 0."""
    names = ("unreduced", "pinned", "reduced", "wounded", "eliminated")
    for name in names:
        assert getattr(got, name) == pytest.approx(float(wanted.get(name, 0)), abs=1e-9), name
    assert sum(wanted.get(name, 0) for name in names) == 1


def test_r64_nobody_interdicts_nothing_happens() -> None:
    position = typed("4-6-7 F9 pinned", "4-4-7 F5 broken dm", woods="F3")
    same(odds(position, "F5", "F3"), unreduced=1)


def test_r64_one_check_of_a_squad() -> None:
    # Broken morale 7: 15 of 36 rolls are lower, 6 equal, 14 higher without the 12.
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    got = odds(position, "F5", "F3")
    same(got, unreduced=15 * F36, pinned=6 * F36, reduced=14 * F36, eliminated=F36)
    assert got.arrives_unreduced == pytest.approx(15 / 36)


def test_r64_neither_dm_nor_terrain_changes_the_roll() -> None:
    with_dm = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F3")
    without = typed("4-6-7 F9", "4-4-7 F5 broken", woods="F3")
    assert odds(with_dm, "F5", "F3") == odds(without, "F5", "F3")


def test_r65_a_passed_check_goes_on() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    got = odds(position, "F5", "F2")
    passes = 15 * F36
    assert got.unreduced == pytest.approx(float(passes * passes))


def test_r66_equal_pins_and_it_stays_alive_in_open_ground() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    got = odds(position, "F5", "F2")
    assert got.pinned == pytest.approx(float(6 * F36 + 15 * F36 * 6 * F36))


def test_r66_pinned_next_to_a_known_unbroken_enemy_it_dies() -> None:
    # In D4 the unit meets D3, which interdicts it there: pinned is as dead as the 12.
    position = typed("4-6-7 D3", "4-4-7 F5 broken dm; 4-4-7 E4; 4-4-7 E4; 4-4-7 E4", woods="E4")
    ways = [end for end in told(position, "F5").ends if at("D4") in end.path]
    for end in ways:
        assert at("D4") in [met.hex for met in end.interdictions]
        assert end.odds is not None
        assert end.odds.eliminated >= 7 / 36 - 1e-9
    assert ways


def test_r66_pinned_in_the_last_hex_it_has_arrived() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm")
    got = odds(position, "F5", "F3")
    # Two open hexes; the second check pins it where it wanted to be.
    assert got.arrives_unreduced == pytest.approx(float(15 * F36 * (15 + 6) * F36))


def test_r67_half_squads_and_crews_die() -> None:
    for name in ("2-3-7", "1-2-7"):
        position = typed("4-6-7 F9", f"{name} F5 broken dm", woods="F3")
        unit = position.by_id[at("F5")]
        assert unit.broken_morale is not None
        lower = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b < unit.broken_morale)
        equal = sum(1 for a in range(1, 7) for b in range(1, 7) if a + b == unit.broken_morale)
        same(
            odds(position, "F5", "F3"),
            unreduced=lower * F36,
            pinned=equal * F36,
            eliminated=(36 - lower - equal) * F36,
        )


def test_r67_an_original_twelve_kills_whatever_the_morale() -> None:
    strong = Shape(Kind.SQUAD, 13, 13, wounded=False)
    results = [(chance, left) for chance, result, left in check_results(strong, 0) if not left]
    assert results == [(1 / 36, None)]


def test_r67_a_leader_is_wounded_or_dies() -> None:
    # Morale 8: 21 rolls are lower, 5 equal, 9 higher, of which a third kill (dr 5, 6).
    position = typed("4-6-7 F9", "8-0 F5 broken dm", woods="F3")
    same(
        odds(position, "F5", "F3"),
        unreduced=21 * F36,
        pinned=5 * F36,
        wounded=9 * F36 * Fraction(4, 6),
        eliminated=9 * F36 * Fraction(2, 6) + F36,
    )


def test_r67_a_second_wound_is_one_worse() -> None:
    # His wound has cost him a point of morale: 15 rolls are lower than 7, 6 equal, 14 higher.
    position = typed("4-6-7 F9", "8-0 F5 broken dm wounded", woods="F3")
    same(
        odds(position, "F5", "F3"),
        unreduced=15 * F36,
        pinned=6 * F36,
        wounded=14 * F36 * Fraction(3, 6),
        eliminated=14 * F36 * Fraction(3, 6) + F36,
    )


def test_r67_only_the_first_wound_costs_morale() -> None:
    fresh = Shape(Kind.LEADER, 8, 8, wounded=False)
    once = {left for _, result, left in check_results(fresh, 0) if result == "fail"} - {None}
    assert {(left.morale, left.wounded) for left in once if left} == {(7, True)}
    (hurt,) = [left for left in once if left]
    twice = {left.morale for _, _, left in check_results(hurt, 0) if left}
    assert twice == {7}


def test_r68_the_half_squad_goes_on_with_its_own_morale() -> None:
    # Squad 7, half-squad 6: 10 rolls are lower than 6, 5 equal, the rest kills it.
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", woods="F2")
    unit = position.by_id[at("F5")]
    assert (unit.broken_morale, unit.half_broken_morale) == (7, 6)
    squad = {"pass": 15 * F36, "pin": 6 * F36, "halved": 14 * F36, "dead": F36}
    half = {"pass": 10 * F36, "pin": 5 * F36, "dead": 21 * F36}
    same(
        odds(position, "F5", "F2"),
        unreduced=squad["pass"] ** 2,
        pinned=squad["pin"] * (1 + squad["pass"]),
        reduced=squad["pass"] * squad["halved"] + squad["halved"] * (half["pass"] + half["pin"]),
        eliminated=squad["dead"] * (1 + squad["pass"]) + squad["halved"] * half["dead"],
    )


def test_r68_a_freshly_wounded_leader_has_three_mf_in_all() -> None:
    # Interdicted in F4 and F3 at 1 and 2 MF; the woods in F2 cost 4 in all: wounded he stays in F3.
    # Wounded in F4 he takes the check in F3 with morale 7: 15 lower, 6 equal, 14 higher.
    position = typed("4-6-7 F9", "8-0 F5 broken dm", woods="F2")
    passes, pins, wounds, dies = 21 * F36, 5 * F36, 6 * F36, 3 * F36
    wounded_again, dies_again = 14 * F36 / 2, 14 * F36 / 2
    twelve = F36
    after_first = wounds * (15 * F36 + 6 * F36 + wounded_again)
    same(
        odds(position, "F5", "F2"),
        unreduced=passes**2,
        pinned=pins + passes * pins,
        wounded=after_first + passes * wounds,
        eliminated=(dies + twelve) * (1 + passes) + wounds * (dies_again + twelve),
    )
    # With the woods one hex nearer he gets there within his 3 MF.
    near = typed("4-6-7 F9", "8-0 F5 broken dm", woods="F3")
    assert odds(near, "F5", "F3").wounded == pytest.approx(float(wounds))


def test_r69_others_in_the_hex_are_untouched() -> None:
    alone = typed("4-6-7 F9", "r 4-4-7 F5 broken dm", woods="F3")
    together = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; 4-4-7 F4; 8-0 F4", woods="F3")
    assert odds(alone, "r", "F3") == odds(together, "r", "F3")


@pytest.mark.parametrize(("leader", "modifier"), [("9-1", -1), ("8-0", 0), ("6+1", 1)])
def test_r71_the_leader_going_along_modifies_the_check(leader: str, modifier: int) -> None:
    position = typed("4-6-7 F9", f"r 4-4-7 F5 broken dm; l {leader} F5", woods="F3")
    rolls = [a + b for a in range(1, 7) for b in range(1, 7)]
    lower = sum(1 for roll in rolls if roll != 12 and roll + modifier < 7)
    equal = sum(1 for roll in rolls if roll != 12 and roll + modifier == 7)
    same(
        odds(position, "r", "F3", "l"),
        unreduced=lower * F36,
        pinned=equal * F36,
        reduced=(35 - lower - equal) * F36,
        eliminated=F36,
    )


def test_r71_a_wounded_leader_leads_one_worse() -> None:
    wounded = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; l 9-2 F5 wounded", woods="F3")
    healthy = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; l 9-1 F5", woods="F3")
    assert odds(wounded, "r", "F3", "l") == odds(healthy, "r", "F3", "l")


def test_r64_a_pinned_leader_goes_along_by_the_first_rule_book_and_gives_no_modifier() -> None:
    for leader in ("9-2", "6+1"):
        line = f"r 4-4-7 F5 broken dm; l {leader} F5 pinned"
        position = typed("4-6-7 F9", line, woods="F3", edition="sk1")
        assert told(position, "r").companions == ("l",)
        assert odds(position, "r", "F3", "l") == odds(position, "r", "F3")


def test_r71_he_is_lost_with_a_failed_check_and_his_modifier_with_him() -> None:
    position = typed("4-6-7 F9", "r 4-4-7 F5 broken dm; l 9-1 F5", woods="F2")
    got = odds(position, "r", "F2", "l")
    led, half = {"pass": 21 * F36, "halved": 9 * F36}, {"pass": 10 * F36, "pin": 5 * F36}
    assert got.reduced == pytest.approx(
        float(led["pass"] * led["halved"] + led["halved"] * (half["pass"] + half["pin"]))
    )


# -- counting dice -------------------------------------------------------------------------------


ROLLS = [one + two for one in range(1, 7) for two in range(1, 7)]


class Counting:
    """All outcomes of a route by counting dice.

    Args:
        kind: of the unit.
        morale: broken morale.
        half: that of its half-squad.
        wounded: an SMC's wound.
        way: for each hex (half MF, interdicted, next to a Known unbroken enemy, the same for the
            hex before it).
    """

    def __init__(
        self,
        kind: Kind,
        morale: int,
        half: int,
        wounded: bool,
        way: list[tuple[int, bool, bool, bool]],
    ) -> None:
        self.kind, self.morale, self.half, self.wounded, self.way = kind, morale, half, wounded, way
        self.total: dict[str, Fraction] = {}
        self._walk(0, 0, kind, False, Fraction(1))

    def _add(self, name: str, chance: Fraction) -> None:
        self.total[name] = self.total.get(name, Fraction(0)) + chance

    def _alive(self, now: Kind, hurt: bool, otherwise: str) -> str:
        if now is not self.kind:
            return "reduced"
        return "wounded" if hurt else otherwise

    def _walk(self, index: int, used: int, now: Kind, hurt: bool, chance: Fraction) -> None:
        if index == len(self.way):
            self._add(self._alive(now, hurt, "unreduced"), chance)
            return
        mf2, checked, danger, danger_before = self.way[index]
        if hurt and used + mf2 > 6:
            self._add("eliminated" if danger_before else "wounded", chance)
            return
        used += mf2
        if not checked:
            self._walk(index + 1, used, now, hurt, chance)
            return
        level = self.morale if now is self.kind else self.half
        level -= hurt and not self.wounded
        lower = sum(1 for roll in ROLLS if roll != 12 and roll < level)
        equal = sum(1 for roll in ROLLS if roll != 12 and roll == level)
        self._walk(index + 1, used, now, hurt, chance * lower / 36)
        self._add("eliminated" if danger else self._alive(now, hurt, "pinned"), chance * equal / 36)
        self._add("eliminated", chance / 36)
        self._fail(index, used, now, hurt, chance * (35 - lower - equal) / 36)

    def _fail(self, index: int, used: int, now: Kind, hurt: bool, chance: Fraction) -> None:
        if now is Kind.SQUAD:
            self._walk(index + 1, used, Kind.HALF_SQUAD, hurt, chance)
        elif now is Kind.LEADER:
            deadly = sum(1 for dr in range(1, 7) if dr + (self.wounded or hurt) >= 5)
            self._add("eliminated", chance * deadly / 6)
            self._walk(index + 1, used, now, True, chance * (6 - deadly) / 6)
        else:
            self._add("eliminated", chance)


def test_r64_to_r68_every_route_of_random_positions_against_counted_dice() -> None:
    checked = 0
    for seed in range(45):
        position = make(random_data(Random(f"odds {seed}")))
        for found in assess_all(position):
            unit = position.by_id[found.unit]
            router = Router(position, unit)
            for end in found.ends:
                if end.odds is None or end.how == "crawl" or not end.interdictions:
                    continue
                if judge_path(position, unit.id, end.path).interdictions != end.interdictions:
                    continue  # the best of both is the crawl
                met = {one.hex for one in end.interdictions if one.by}
                way, known, here, danger = [], router.seen(unit.hex), unit.hex, False
                for to in end.path:
                    before = danger
                    known |= router.seen(to)
                    danger = bool(router.danger(to, known))
                    mf2 = position.ground.entry(here, to).mf2
                    way.append((mf2, to in met, danger, before))
                    here = to
                assert unit.broken_morale is not None
                half = unit.half_broken_morale or unit.broken_morale
                counted = Counting(unit.kind, unit.broken_morale, half, unit.wounded, way)
                same(end.odds, **counted.total)
                checked += 1
    assert checked > 150


def test_odds_add_up_to_one() -> None:
    for seed in range(40):
        position = make(random_data(Random(f"sum {seed}")))
        for found in assess_all(position):
            for end in found.ends:
                if end.odds is not None:
                    assert sum(astuple(end.odds)[:5]) == pytest.approx(1)
                    assert end.odds.arrives_unreduced <= 1


def test_the_best_choice_comes_first() -> None:
    position = typed("4-6-7 F9", "4-4-7 F5 broken dm", brush="G5 G4", woods="F3")
    found = told(position, "F5")
    assert found.best == found.ends[0].hex
    dead = [end.odds.eliminated for end in found.ends if end.odds is not None]
    assert dead == sorted(dead)
