"""Who can interdict where (R56 to R63, R70)."""

from __future__ import annotations

from vassal_bridge.rout.position import Cover, Hex, Kind, Position, Unit, Weapon, WeaponKind
from vassal_bridge.rout.rulebook import Edition

ORDNANCE_REACH = 16
"""Ordnance interdicts at fewer than 17 hexes (R59)."""
VEHICLE_MG_RANGE = 8
"""Normal Range of a vehicle's BMG, RMG and AAMG (R60)."""
SURE_KINDS = (Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW, Kind.HERO, Kind.LEADER)
"""Units whose field of fire is all round; a Gun or a vehicle has a covered arc."""


def fit_to_interdict(position: Position, enemy: Unit) -> bool:
    """R57, R59: unbroken, unpinned, not in Melee, not CX, no enemy unit in its own hex."""
    if enemy.broken or enemy.pinned or enemy.cx or enemy.melee or enemy.motion:
        return False
    return not any(other.side != enemy.side for other in position.by_hex.get(enemy.hex, ()))


def normal_range(position: Position, enemy: Unit) -> int:
    """Longest range in hexes at which a unit has at least 1 FP that nothing halves (R59, R60).

    Returns:
        Hexes; -1 when it has no such firepower at all (a leader alone, an unarmed unit).
    """
    reach = enemy.range if enemy.fp >= 1 else -1
    weapons = [weapon for weapon in enemy.weapons if weapon.usable]
    if enemy.is_mmc:
        reach = max([reach, *(weapon_reach(position, weapon) for weapon in weapons)])
    elif enemy.kind is Kind.LEADER:
        reach = max([reach, *_pair_reach(position, enemy)])
    elif enemy.kind in (Kind.GUN, Kind.VEHICLE):
        reach = max([reach, VEHICLE_MG_RANGE, *(weapon_reach(position, w) for w in weapons)])
    return reach


def weapon_reach(position: Position, weapon: Weapon) -> int:
    """Range in hexes at which a manned weapon can interdict (R59), -1 for never."""
    if weapon.kind in (WeaponKind.MG, WeaponKind.ATR, WeaponKind.FLAMETHROWER):
        return weapon.range if weapon.fp >= 1 else -1
    if weapon.kind in (WeaponKind.ORDNANCE, WeaponKind.MORTAR):
        # Ordnance came with the second rule book (R82).
        if not position.rules.edition.at_least(Edition.SK2):
            return -1
        return min(weapon.range or ORDNANCE_REACH, ORDNANCE_REACH)
    return -1


def _pair_reach(position: Position, leader: Unit) -> list[int]:
    """A leader fires an MG at full FP only together with a second leader (R59)."""
    mates = [
        other
        for other in position.friends_in(leader.hex, leader)
        if other.kind is Kind.LEADER and fit_to_interdict(position, other)
    ]
    if not mates:
        return []
    owned = [weapon for unit in (leader, *mates) for weapon in unit.weapons]
    return [
        weapon.range
        for weapon in owned
        if weapon.kind is WeaponKind.MG and weapon.usable and weapon.fp >= 1
    ]


def too_close(enemy: Unit, away: int) -> bool:
    """Whether only a mortar could fire and its minimum range forbids it (R59)."""
    if enemy.fp >= 1 and away <= enemy.range:
        return False
    fits = [w for w in enemy.weapons if w.usable and (w.range == 0 or away <= w.range)]
    return bool(fits) and all(away < weapon.min_range for weapon in fits)


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
    if terrain.cover is Cover.COVERED or terrain.smoke or terrain.wreck:
        return False
    if terrain.cover is Cover.ROAD_IN_WOODS and start is not None and not by_road:
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
        side = ground.neighbours(to).index(start)
        return side in sight.enters_by
    return True


def can_interdict(
    position: Position, enemy: Unit, to: Hex, start: Hex | None, *, by_road: bool = True
) -> bool | None:
    """Whether one enemy is able to interdict a unit that enters a hex (R56 to R63).

    Args:
        position: the position.
        enemy: the possible interdictor; need not be Known before (R58).
        to: the hex entered (the starting hex for R9).
        start: the hex it comes from, None for R9.
        by_road: entered along the road.

    Returns:
        True or False; None when a fact is missing: the covered arc, the crew or the weapons of a
        vehicle or Gun.
    """
    if enemy.concealed or not fit_to_interdict(position, enemy):
        return False
    away = position.ground.distance(enemy.hex, to)
    if away > normal_range(position, enemy) or too_close(enemy, away):
        return False
    if not open_ground_for(position, enemy, to, start, by_road=by_road):
        return False
    if enemy.kind not in SURE_KINDS or enemy.facing_unknown:
        return None
    return True


def interdictors(
    position: Position, side: str, to: Hex, start: Hex | None, *, by_road: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Enemies of `side` able to interdict in a hex, and those of which it is not certain (R62).

    Returns:
        Two tuples of unit ids, in position order.
    """
    sure, maybe = [], []
    for enemy in position.enemies_of(side):
        able = can_interdict(position, enemy, to, start, by_road=by_road)
        if able:
            sure.append(enemy.id)
        elif able is None:
            maybe.append(enemy.id)
    return tuple(sure), tuple(maybe)
