"""Who can interdict where (R56 to R63, R70)."""

from __future__ import annotations

from vassal_bridge.rout.position import Cover, Hex, Kind, Position, Unit, Weapon, WeaponKind
from vassal_bridge.rout.rulebook import Edition

ORDNANCE_REACH = 16
"""Ordnance interdicts at fewer than 17 hexes (R59)."""


NOBODY: frozenset[str] = frozenset()


def fit_to_interdict(position: Position, enemy: Unit, moving: frozenset[str] = NOBODY) -> bool:
    """R57, R59: unbroken, unpinned, not in Melee, not CX, no enemy unit in its own hex.

    Args:
        position: the position.
        enemy: the possible interdictor.
        moving: ids of the units that rout: where they stood nobody is held any longer.
    """
    if enemy.broken or enemy.pinned or enemy.cx or enemy.melee or enemy.motion:
        return False
    return not any(
        other.side != enemy.side and other.id not in moving
        for other in position.by_hex.get(enemy.hex, ())
    )


def normal_range(position: Position, enemy: Unit) -> int:
    """Longest range in hexes at which a unit certainly has 1 FP that nothing halves (R59, R60).

    Returns:
        Hexes; -1 when it has no such firepower at all (a leader alone, an unarmed unit).
    """
    if enemy.kind is Kind.VEHICLE:
        return -1
    reach = [enemy.range if enemy.fp >= 1 else -1]
    if enemy.is_mmc:
        reach += [weapon.range for weapon in enemy.weapons if small_arm(weapon)]
    elif enemy.kind is Kind.LEADER:
        reach += _pair_reach(position, enemy)
    return max(reach)


def small_arm(weapon: Weapon) -> bool:
    """A weapon of known factors that fires on the IFT all round (R59): MG, ATR, flamethrower."""
    kinds = (WeaponKind.MG, WeaponKind.ATR, WeaponKind.FLAMETHROWER)
    return weapon.usable and weapon.certain and weapon.kind in kinds and weapon.fp >= 1


def may_reach(position: Position, enemy: Unit, away: int) -> bool:
    """Whether a unit might interdict at a range with a Gun, a mortar or vehicle weapons.

    Covered arcs, vehicle weapons and odd factors are not in the files (R59), so this is a doubt,
    never a verdict. Ordnance came with the second rule book (R82).

    Args:
        position: the position.
        enemy: the possible interdictor.
        away: range in hexes.
    """
    if enemy.kind is Kind.VEHICLE:
        return away <= ORDNANCE_REACH
    if not (enemy.is_mmc or enemy.kind is Kind.HERO):
        return False
    return any(_weapon_may_reach(position, enemy, weapon, away) for weapon in enemy.weapons)


def _weapon_may_reach(position: Position, enemy: Unit, weapon: Weapon, away: int) -> bool:
    if not weapon.usable or away > ORDNANCE_REACH:
        return False
    if weapon.kind in (WeaponKind.MG, WeaponKind.OTHER):
        return not weapon.certain
    if not position.rules.edition.at_least(Edition.SK2):
        return False
    if weapon.kind is WeaponKind.MORTAR:
        # No mortar fires out of a building (1.1.1 of the rule book) nor inside its least range.
        indoors = position.ground.terrain(enemy.hex).shelter == "building"
        return not indoors and weapon.min_range <= away <= (weapon.range or ORDNANCE_REACH)
    return weapon.kind is WeaponKind.ORDNANCE and away <= (weapon.range or ORDNANCE_REACH)


def _pair_reach(position: Position, leader: Unit) -> list[int]:
    """A leader fires an MG at full FP only together with a second leader (R59)."""
    mates = [
        other
        for other in position.friends_in(leader.hex, leader)
        if other.kind is Kind.LEADER and fit_to_interdict(position, other)
    ]
    if not mates:
        return []
    return [
        weapon.range
        for unit in (leader, *mates)
        for weapon in unit.weapons
        if weapon.kind is WeaponKind.MG and small_arm(weapon)
    ]


def covered_for_all(position: Position, to: Hex, start: Hex | None, *, by_road: bool) -> bool:
    """Whether a hex is Open Ground for no interdictor, wherever he stands (R63).

    Args:
        position: the position.
        to: the hex entered, or the starting hex for R9.
        start: the hex it came from, None for R9.
        by_road: whether a woods-road or orchard-road was entered along the road.
    """
    terrain = position.ground.terrain(to)
    if terrain.cover is Cover.COVERED or terrain.smoke or terrain.wreck:
        return True
    return terrain.cover is Cover.ROAD_IN_WOODS and start is not None and not by_road


def open_ground_for(
    position: Position, enemy: Unit, to: Hex, start: Hex | None, *, by_road: bool
) -> bool:
    """Whether a hex is Open Ground for one interdictor (R63): could he claim FFMO there?

    Args:
        position: the position.
        enemy: the interdictor.
        to: the hex entered, or the starting hex for R9.
        start: the hex it came from, None for R9.
        by_road: whether a woods-road or orchard-road was entered along the road.
    """
    ground = position.ground
    terrain = ground.terrain(to)
    if covered_for_all(position, to, start, by_road=by_road):
        return False
    sight = ground.sight(enemy.hex, to)
    if not sight.clear or sight.hindrance > 0 or ground.terrain(enemy.hex).smoke:
        return False
    if terrain.cover is Cover.ROAD_IN_WOODS and sight.over_woods:
        return False
    if terrain.cover is Cover.ROAD_IN_ORCHARD and sight.over_orchard:
        return False
    if sight.crosses_wall:
        return False
    if ground.terrain(enemy.hex).level < terrain.level:
        # Height Advantage, unless it just crossed the crest hexside the LOS runs through.
        if start is None or ground.terrain(start).level >= terrain.level:
            return False
        sides = [side for side, hex_ in enumerate(ground.neighbours(to)) if hex_ == start]
        return any(side in sight.enters_by for side in sides)
    return True


def can_interdict(
    position: Position,
    enemy: Unit,
    to: Hex,
    start: Hex | None,
    *,
    by_road: bool = True,
    moving: frozenset[str] = NOBODY,
) -> bool | None:
    """Whether one enemy is able to interdict a unit that enters a hex (R56 to R63).

    Args:
        position: the position.
        enemy: the possible interdictor; need not be Known before (R58).
        to: the hex entered (the starting hex for R9).
        start: the hex it comes from, None for R9.
        by_road: entered along the road.
        moving: ids of the units that rout.

    Returns:
        True or False; None when a fact is missing: the covered arc, the crew or the weapons of a
        vehicle or Gun.
    """
    if enemy.concealed or not fit_to_interdict(position, enemy, moving):
        return False
    away = position.ground.distance(enemy.hex, to)
    certain = away <= normal_range(position, enemy)
    if not certain and not may_reach(position, enemy, away):
        return False
    if not open_ground_for(position, enemy, to, start, by_road=by_road):
        return False
    return True if certain else None


def interdictors(
    position: Position,
    side: str,
    to: Hex,
    start: Hex | None,
    *,
    by_road: bool = True,
    moving: frozenset[str] = NOBODY,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Enemies of `side` able to interdict in a hex, and those of which it is not certain (R62).

    Args:
        position: the position.
        side: the side that routs.
        to: the hex entered.
        start: the hex it comes from.
        by_road: entered along the road.
        moving: ids of the units that rout.

    Returns:
        Two tuples of unit ids, in position order.
    """
    sure, maybe = [], []
    if covered_for_all(position, to, start, by_road=by_road):
        return (), ()
    for enemy in position.enemies_of(side):
        able = can_interdict(position, enemy, to, start, by_road=by_road, moving=moving)
        if able:
            sure.append(enemy.id)
        elif able is None:
            maybe.append(enemy.id)
    return tuple(sure), tuple(maybe)
