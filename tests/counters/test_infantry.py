"""Infantry and weapons by what players write (position files)."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.shared import MODULE, RULINGS, SAVES, needs_shared
from vassal_bridge.counters import (
    MMC,
    Kind,
    WeaponFacts,
    broken_morale,
    classify,
    half_broken_morale,
    half_squad_of,
    unit_kind,
    weapon_facts,
)
from vassal_bridge.counters.maps import counter_maps


@pytest.mark.parametrize(
    ("nationality", "factors", "kind", "broken"),
    [
        ("German", "4-6-7", "squad", 7),
        ("German", "6-5-8", "squad", 9),
        ("German", "2-4-7", "half-squad", 6),
        ("German", "1-2-7", "crew", 7),
        ("Russian", "6-2-8", "squad", 8),
        ("Russian", "2-2-6", "half-squad", 4),
        ("American", "6-6-6", "squad", 8),
        ("Partisan", "3-3-7", "squad", 6),
        ("Hungarian", "4-4-7", "squad", 7),
        ("Italian", "3-4-6", "squad", 5),
        ("German", "9-2", "leader", 9),
        ("German", "6+1", "leader", 6),
        ("German", "1-4-9", "hero", None),
    ],
)
def test_units(nationality, factors, kind, broken):
    assert unit_kind(nationality, factors) == kind
    assert broken_morale(nationality, kind, factors) == broken


def test_factors_of_another_nation_are_understood():
    assert unit_kind("Russian", "4-6-7") == "squad"
    assert broken_morale("Klingon", "squad", "4-6-7") == 7


@pytest.mark.parametrize("factors", ["", "9-9-9", "4-6", "x", "4-6-7 1sq", "-1", "1" * 9000])
def test_no_such_unit(factors):
    wanted = "leader" if factors == "4-6" else None
    assert unit_kind("German", factors) == wanted


def test_unknown_numbers_are_none():
    assert broken_morale("German", "squad", "9-9-9") is None
    assert broken_morale("German", "hero", "1-4-9") is None
    assert broken_morale("German", "leader", "4-6-7") is None
    assert broken_morale("German", "gun", "4-6-7") is None
    assert broken_morale("German", "squad", "9-9-9") is None
    assert half_broken_morale("German", "9-9-9") is None


def test_half_squads():
    assert half_squad_of("German", "4-6-7") == "2-4-7"
    assert half_squad_of("American", "6-6-6") == "3-4-6"
    assert half_squad_of("German", "9-9-9") is None
    assert half_broken_morale("Russian", "4-4-7") == 6


def test_weapons():
    assert weapon_facts("German", "MMG") == WeaponFacts("MMG", "mg", 5, 12, 0, 3)
    assert weapon_facts("British", "LMG (f)") == WeaponFacts("LMG(f)", "mg", 2, 6, 0, 1)
    assert weapon_facts("American", "BAZ").kind == "shaped-charge"
    assert weapon_facts("Russian", "50* MTR") == WeaponFacts("50* MTR", "mortar", 0, 20, 3, 4)
    assert weapon_facts("Klingon", "DC") == WeaponFacts("DC", "demolition", 30, 1, 0, 1)
    assert weapon_facts("Klingon", "LMG") == WeaponFacts("LMG", "mg")
    assert weapon_facts("German", "Phaser") is None


def test_every_half_squad_named_is_in_the_tables():
    for code, table in counter_maps().infantry.items():
        for factors, (_, half) in table[Kind.SQUAD].items():
            if half is not None:
                assert half in table[Kind.HALF_SQUAD], (code, factors)


@needs_shared
def test_tables_agree_with_the_counters_of_the_module():
    """Each MMC slot: kind by factors, and a broken morale that a counter of them really has."""
    from tools.check_module_map import read_module

    real: dict[tuple[str, str, str], set[int | None]] = {}
    for slot in read_module(MODULE / "vasl-6.5-beta3-data.vmod").slots():
        found = classify(slot.piece)
        if found.kind in MMC and found.morale is not None and found.nationality is not None:
            key = (found.nationality, found.kind.value, found.label)
            real.setdefault(key, set()).add(found.broken_morale)
    assert len(real) > 150
    for (nationality, kind, factors), morales in real.items():
        assert unit_kind(nationality, factors) is not None
        if morales != {None}:
            assert broken_morale(nationality, kind, factors) in morales, (nationality, factors)


@needs_shared
def test_every_unit_and_weapon_of_every_ruling_is_known():
    checked = 0
    for file in [*RULINGS.rglob("*.yaml"), *(SAVES / "made").glob("*.yaml")]:
        position = yaml.safe_load(file.read_text(encoding="utf-8"))
        position = position.get("position", position)
        if not isinstance(position, dict):
            continue
        for nationality, lines in position.get("units", {}).items():
            for line in lines:
                factors = re.search(r"\b\d+[-+]\d+(?:-\d+)?\b", line)[0]
                kind = unit_kind(nationality, factors)
                assert kind is not None, line
                assert kind == "hero" or broken_morale(nationality, kind, factors), line
                assert kind != "squad" or half_broken_morale(nationality, factors), line
                for name in line.partition(" with ")[2].split(","):
                    assert not name or weapon_facts(nationality, name.strip()).pp is not None
                checked += 1
    assert checked > 4000
