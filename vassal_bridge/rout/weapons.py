"""What a routing unit takes along and leaves behind (R76, R77)."""

from __future__ import annotations

from itertools import combinations

from vassal_bridge.rout.position import Unit, Weapon, WeaponKind

MMC_PP = 3
"""Portage points a routing MMC may carry (R76)."""
SMC_PP = 1
"""Portage points of a routing SMC; a wounded one carries nothing (R76)."""


def carrying_limit(unit: Unit) -> int:
    """Portage points the unit may carry in a rout (R76).

    >>> from vassal_bridge.rout.position import Kind
    >>> carrying_limit(Unit("a", "German", "zA1", Kind.SQUAD, "4-6-7"))
    3
    """
    if unit.is_mmc:
        return MMC_PP
    return 0 if unit.wounded else SMC_PP


def kept_weapons(unit: Unit) -> tuple[tuple[Weapon, ...], tuple[Weapon, ...], bool]:
    """Weapons kept and dropped: the largest PP within the limit, nothing dropped at will (R77).

    Returns:
        Kept, dropped, and whether the owner has an equal choice. Guns always stay (R76).
    """
    movable = [weapon for weapon in unit.weapons if weapon.kind is not WeaponKind.ORDNANCE]
    limit = carrying_limit(unit)
    best: list[tuple[Weapon, ...]] = [()]
    best_pp = (0, 0)
    for size in range(1, len(movable) + 1):
        for chosen in combinations(movable, size):
            total = sum(weapon.pp or 0 for weapon in chosen)
            if total > limit:
                continue
            if (total, size) > best_pp:
                best, best_pp = [chosen], (total, size)
            elif (total, size) == best_pp:
                best.append(chosen)
    kept = best[0]
    dropped = list(unit.weapons)
    for weapon in kept:
        dropped.remove(weapon)
    return kept, tuple(dropped), len(best) > 1
