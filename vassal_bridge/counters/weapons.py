"""Support weapons, Guns and vehicles: type from the name, numbers from weapons.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from vassal_bridge.counters.looks import Looks
from vassal_bridge.counters.maps import WeaponData, WeaponFace, counter_maps
from vassal_bridge.counters.model import Counter, GunFacts, Kind, State, VehicleFacts
from vassal_bridge.counters.names import gun_facts

_CAPTURED = re.compile(r"(.+?)\(([a-z])\)(?: <\d\d)?")
_CALIBRE = re.compile(r"((?:dm )?\d{2,3}\*? (?:MTR|ART|RCL))\b.*")


@lru_cache(maxsize=1024)
def weapon_kind(name: str) -> str | None:
    """Class of a support weapon for the rules by its name, None if it is none."""
    plain = _CAPTURED.fullmatch(name)
    for kind, pattern in counter_maps().weapon_types:
        if pattern.fullmatch(name) or (plain is not None and pattern.fullmatch(plain[1])):
            return kind
    return None


@lru_cache(maxsize=2048)
def weapon_data(nation: str, name: str) -> WeaponData | None:
    """The table's row: the nation's own, its maker's if captured, then what all nations share."""
    maps = counter_maps()
    nation = maps.weapon_like.get(nation, nation)
    own = maps.weapon_tables.get(nation, {})
    captured = _CAPTURED.fullmatch(name)
    if captured is not None and name not in own:
        maker = maps.weapon_makers.get(captured[2])
        found = None if maker is None else _row(maker, captured[1])
        return found or _row(nation, captured[1])
    return _row(nation, name)


def _row(nation: str, name: str) -> WeaponData | None:
    maps = counter_maps()
    own = maps.weapon_tables.get(nation, {})
    shorter = _CALIBRE.fullmatch(name)
    names = (name,) if shorter is None else (name, shorter[1])
    for one in names:
        found = own.get(one) or maps.weapon_common.get(one)
        if found is not None:
            return found
    return None


def weapon(looks: Looks) -> Counter | None:
    """A support weapon by its type in the name; its factors from module_maps/weapons.toml."""
    core = looks.parts.core.replace(" (", "(")
    kind = weapon_kind(core)
    if kind is None or looks.parts.ca is not None or looks.in_folder(looks.maps.gun_folders):
        return None
    dismantled = State.DISMANTLED in looks.parts.words
    data = next(
        (
            looks.maps.weapon_pictures[key]
            for key in ("/".join((*path, stem)) for path, stem in looks.pictures)
            if key in looks.maps.weapon_pictures
        ),
        None,
    )
    nation = next(
        (path[0] for path, _ in looks.pictures if path and path[0] in looks.maps.nations),
        looks.nation or "",
    )
    # a mortar of 70 mm and more lies as "dm 81* MTR": the name is the dismantled side's own
    data = data or (weapon_data(nation, f"dm {core}") if dismantled else None)
    whole_is_dismantled = data is not None and dismantled and data.dismantled is None
    data = data or weapon_data(nation, core)
    face = _face(data, dismantled and not whole_is_dismantled)
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.SW,
        label=core,
        fp=face.fp,
        range=face.range,
        min_range=face.min_range,
        pp=face.pp,
        weapon=core,
        weapon_kind=kind,
        states=looks.parts.words,
        evidence="weapon",
    )


@dataclass(frozen=True, slots=True)
class _NoFace:
    fp: int | None = None
    range: int | None = None
    min_range: int | None = None
    pp: int | None = None


def _face(data: WeaponData | None, dismantled: bool) -> WeaponFace | _NoFace:
    if data is None:
        return _NoFace()
    if not dismantled:
        return data.face
    return data.dismantled or _NoFace()


def gun(looks: Looks, evidence: str) -> Counter:
    """A Gun; calibre, type and covered arc from its name."""
    parts = looks.parts
    facts = gun_facts(parts.core, parts.ca)
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.GUN,
        gun=facts if facts is not None else GunFacts(ca=parts.ca),
        states=parts.words,
        evidence=evidence,
    )


def vehicle(looks: Looks, kinds: frozenset[str]) -> Counter:
    """A vehicle; an AFV if it can be buttoned up or has a turret."""
    piece, maps, parts = looks.piece, looks.maps, looks.parts
    states = set(parts.words)
    crewed = "turr" in kinds
    for layer in piece.layers:
        if layer.level >= 2 and layer.active and layer.name.casefold() in maps.layers:
            states.add(maps.layers[layer.name.casefold()])
        crewed = crewed or any(name in ("+ BU", "+ CE", "+BU", "+CE") for name in layer.names)
    facts = VehicleFacts(
        armored=crewed and not maps.soft_names.fullmatch(parts.core),
        turret="turr" in kinds,
        vca=parts.vca,
        tca=parts.tca,
        exposed=parts.exposed,
        armament=maps.armament.get(parts.core),
    )
    return Counter(
        piece.id,
        piece.name,
        Kind.VEHICLE,
        vehicle=facts,
        states=frozenset(states),
        evidence="structure",
    )
