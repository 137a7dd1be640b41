"""Changes of a position that must not change the verdicts, or only in one direction."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rout.enumerator_map import COLUMNS, ROWS, hex_of, name_of
from tests.rout.small import Data, make, random_data
from tests.shared import BOARDS, needs_shared
from vassal_bridge.board import BoardGround, BoardLibrary, build_ground, placements_from_rows
from vassal_bridge.rout import Assessment, Kind, Position, Reason, Unit, assess, judge_path
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import READINGS
from vassal_bridge.rout.step import bans

relaxed = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
seeds = st.integers(0, 10**6)


def with_ids(data: Data) -> Data:
    """The position with an own id for every unit, so that order and hex do not name it."""
    count = 0
    units: dict[str, list[str]] = {}
    for side, lines in data["units"].items():
        units[side] = []
        for line in lines:
            units[side].append(f"u{count}x {line}")
            count += 1
    return {**data, "units": units}


def turned(name: str) -> str:
    """A hex of the open board turned by 180 degrees."""
    column, y = hex_of(name)
    return name_of((COLUMNS - 1 - column, 2 * ROWS - y))


def turned_data(data: Data) -> Data:
    return {
        **data,
        "terrain": {
            word: [turned(name) for name in names] for word, names in data["terrain"].items()
        },
        "buildings": [[turned(name) for name in group] for group in data["buildings"]],
        "units": {
            side: [_turned_line(line) for line in lines] for side, lines in data["units"].items()
        },
    }


def _turned_line(line: str) -> str:
    own_id, factors, hex_, *rest = line.split()
    return " ".join([own_id, factors, turned(hex_), *rest])


def verdict(found: Assessment, name: Any = lambda hex_: hex_) -> dict[str, Any]:
    """Everything a player is told, with hexes renamed and without an order."""
    return {
        "duty": found.duty,
        "becomes_dm": found.becomes_dm,
        "certainty": found.certainty,
        "known": set(found.known),
        "targets": {(name(one.hex), one.mf2, one.because is None) for one in found.targets},
        "free": found.free_rout,
        "ends": {
            (
                name(end.hex),
                end.how,
                end.mf2,
                sum(1 for met in end.interdictions if met.by),
                end.odds and round(end.odds.eliminated, 9),
            )
            for end in found.ends
        },
        "barred": {
            (name(one.hex), frozenset(reason.rule for reason in one.reasons))
            for one in found.barred
        },
        "readings": found.readings,
    }


def verdicts(position: Position, name: Any = lambda hex_: hex_) -> dict[str, Any]:
    return {
        unit.id: verdict(assess(position, unit.id), name) for unit in position.units if unit.broken
    }


@given(seeds)
@relaxed
def test_board_turned(seed: int) -> None:
    data = with_ids(random_data(Random(seed)))
    rename = {f"open{name}": f"open{turned(name)}" for name in map(name_of, _all_hexes())}
    plain = verdicts(make(data))
    # Of two equally good ways the hex names choose: odds may differ, what is legal may not.
    other = verdicts(make(turned_data(data)), rename.__getitem__)
    for unit, found in plain.items():
        assert _without_ways(other[unit]) == _without_ways(found), (seed, unit)


def _all_hexes() -> list[tuple[int, int]]:
    return [
        (column, y)
        for column in range(COLUMNS)
        for y in range(2 * ROWS + 1)
        if (column + y) % 2 and (column % 2 or 1 <= y <= 2 * ROWS - 1)
    ]


def _without_ways(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "ends": {end[:4] for end in found["ends"]}}


@given(seeds)
@relaxed
def test_board_reversed_keeps_its_names(seed: int) -> None:
    data = with_ids(random_data(Random(seed)))
    assert verdicts(make({**data, "boards": [["open reversed"]]})) == verdicts(make(data))


@given(seeds)
@relaxed
def test_sides_renamed(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    names = {"German": "Blue", "Russian": "Amber"}
    renamed = replace(
        position,
        units=tuple(replace(unit, side=names[unit.side]) for unit in position.units),
        attacker=names[position.attacker],
    )
    assert verdicts(renamed) == verdicts(position)


@given(seeds)
@relaxed
def test_the_attacker_changes_the_order_only(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    other = "German" if position.attacker == "Russian" else "Russian"
    assert verdicts(replace(position, attacker=other)) == verdicts(position)


@given(seeds)
@relaxed
def test_order_of_units_and_stacks(seed: int) -> None:
    random = Random(seed)
    position = make(with_ids(random_data(random)))
    units = list(position.units)
    random.shuffle(units)
    shuffled = replace(position, units=tuple(units))
    assert verdicts(shuffled) == verdicts(position)


@given(seeds)
@relaxed
def test_a_friendly_unit_far_away(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    for unit in position.units:
        if not unit.broken:
            continue
        friend = Unit("far", unit.side, "openGG10", Kind.SQUAD, "4-4-7", fp=4, range=4)
        with_friend = replace(position, units=(*position.units, friend))
        assert verdict(assess(with_friend, unit.id)) == verdict(assess(position, unit.id))


@given(seeds)
@relaxed
def test_removing_an_enemy_never_adds_a_ban(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    for unit in position.units:
        if not unit.broken:
            continue
        whole = _bans(position, unit)
        for enemy in position.enemies_of(unit.side):
            rest = tuple(one for one in position.units if one.id != enemy.id)
            fewer = _bans(replace(position, units=rest), unit)
            for step, reasons in fewer.items():
                assert reasons <= whole[step], (seed, unit.id, enemy.id, step)


def _bans(position: Position, unit: Unit) -> dict[tuple[str, str], set[Reason]]:
    """What bars every step around a unit, with all enemies Known."""
    router = Router(position, unit)
    around = {unit.hex, *(one for one in position.ground.neighbours(unit.hex) if one)}
    everyone = (1 << len(router.enemies)) - 1
    return {
        (at, edge.to): {
            Reason("R38" if reason.rule == "R39" else reason.rule, reason.code, reason.facts)
            for reason in bans(router, at, edge, everyone & router.seen(at))
        }
        for at in sorted(around)
        for edge in router.edges(at)
    }


@given(seeds)
@relaxed
def test_removing_an_enemy_never_adds_an_interdictor(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    for unit in position.units:
        if not unit.broken:
            continue
        for end in assess(position, unit.id).ends[:5]:
            for enemy in position.enemies_of(unit.side)[:2]:
                rest = tuple(one for one in position.units if one.id != enemy.id)
                judged = judge_path(replace(position, units=rest), unit.id, end.path)
                if judged.verdict != "legal" or end.how != "move":
                    continue
                before = {met.hex: set(met.by) for met in end.interdictions}
                for met in judged.interdictions:
                    assert set(met.by) <= before.get(met.hex, set())


@given(seeds)
@relaxed
def test_a_pinned_enemy_forces_nobody_out_of_the_open_and_interdicts_nowhere(seed: int) -> None:
    position = make(with_ids(random_data(Random(seed))))
    pinned = replace(position, units=tuple(replace(one, pinned=True) for one in position.units))
    for unit in position.units:
        if not unit.broken:
            continue
        found = assess(pinned, unit.id)
        assert not any(met.by for end in found.ends for met in end.interdictions)
        assert not any(reason.rule == "R9" for reason in found.reasons)


# -- real boards, either way up --------------------------------------------------------------------


def _random_units(random: Random, ground: BoardGround) -> tuple[Unit, ...]:
    hexes = [one for one in ground.hexes() if all(ground.neighbours(one))]
    centre = random.choice(hexes)
    near = [one for one in hexes if ground.distance(centre, one) <= 5]
    unit = Unit(
        "r", "Russian", centre, Kind.SQUAD, "4-4-7", fp=4, range=4, broken=True, dm=True,
        broken_morale=7, half_broken_morale=6,
    )  # fmt: skip
    enemies = [
        Unit(
            f"e{number}", "German", random.choice(near), Kind.SQUAD, "4-6-7", fp=4, range=6,
            broken=random.random() < 0.3,
        )
        for number in range(random.choice((1, 2, 3)))
    ]  # fmt: skip
    return (unit, *enemies)


def _looks(ground: BoardGround, viewer: str, target: str) -> tuple[Any, ...]:
    sight = ground.sight(viewer, target)
    if not sight.clear:
        return (False,)
    cover = (sight.over_woods, sight.over_orchard, sight.crosses_wall)
    return (True, bool(sight.hindrance), *cover)


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("board", ["z", "y"])
def test_real_board_reversed_where_sight_agrees(board: str) -> None:
    """VASL's LOS is not the same on a reversed board; where it is, so are the verdicts."""
    library = BoardLibrary([BOARDS])
    plain = build_ground(placements_from_rows([[board]]), library, month=7)
    reversed_ = build_ground(placements_from_rows([[f"{board} reversed"]]), library, month=7)
    random = Random(f"reversed {board}")
    compared = 0
    for _ in range(80):
        units = _random_units(random, plain)
        start = units[0].hex
        region = [one for one in plain.hexes() if plain.distance(start, one) <= 6]
        agree = all(
            _looks(plain, *pair) == _looks(reversed_, *pair)
            for enemy in units[1:]
            for one in region
            for pair in ((enemy.hex, one), (one, enemy.hex))
        ) and all(plain.terrain(one).name == reversed_.terrain(one).name for one in region)
        if not agree:
            continue
        one, other = (Position(ground, units, "German") for ground in (plain, reversed_))
        assert _without_ways(verdicts(one)["r"]) == _without_ways(verdicts(other)["r"]), units
        compared += 1
    assert compared >= 8


def crowd(seed: int) -> Position:
    """A random position in which most units are broken, two of them in one hex now and then."""
    random = Random(f"crowd {seed}")
    position = make(random_data(random))
    units = []
    for unit in position.units:
        fallen = unit.is_infantry and random.random() < 0.7
        mates = [one.hex for one in units if one.side == unit.side]
        hex_ = random.choice(mates) if mates and random.random() < 0.3 else unit.hex
        units.append(
            replace(unit, broken=fallen, dm=fallen, pinned=False, melee=False, hex=hex_)
            if fallen
            else unit
        )
    return replace(position, units=tuple(units), fronts={})


@given(seeds)
@relaxed
def test_what_was_asked_before_changes_no_answer(seed: int) -> None:
    """Units of a side share what they find out, also under other readings of the rules."""
    position, random = crowd(seed), Random(seed)
    rules = [position.rules]
    for reading in random.sample(READINGS, 3):
        rules.append(replace(rules[-1], readings=rules[-1].readings.with_reading(reading)))
    positions = [replace(position, rules=each) for each in rules]
    units = [unit for unit in position.units if unit.broken]
    asked = [(each, unit) for each in positions for unit in units]
    random.shuffle(asked)
    assert all(each.fronts is position.fronts for each in positions)
    for each, unit in asked:
        alone = replace(each, fronts={})
        assert assess(each, unit.id) == assess(alone, unit.id)
        path, here = (), unit.hex
        for _ in range(random.randint(1, 4)):
            here = random.choice([hex_ for hex_ in position.ground.neighbours(here) if hex_])
            path = (*path, here)
        judged = judge_path(each, unit.id, path)
        assert judged == judge_path(replace(each, fronts={}), unit.id, path)
