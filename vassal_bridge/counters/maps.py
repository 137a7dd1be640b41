"""The module maps about counters, loaded once when first needed.

The files are TOML under module_maps/, checked by `schema` (pydantic, imported only here), and then
held as plain values for the hot path.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from vassal_bridge.counters.model import Armament, Kind, State
from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes

if TYPE_CHECKING:
    from pydantic import BaseModel

    from vassal_bridge.counters import schema

    Model = TypeVar("Model", bound=BaseModel)

_FACTORS = re.compile(
    r"(?:(?P<fp>\d+)-(?P<range>\d+) )?(?:\[(?P<least>\d+)-(?P<most>\d+)\] )?(?P<pp>\d)PP"
)


_ARMAMENT = re.compile(
    r"(?P<main>\S+) (?P<bmg>\d+|-)/(?P<cmg>\d+|-)/(?P<aamg>\d+|-)(?: R(?P<rmg>\d))?(?P<ot> OT)?"
)

ASSEMBLED = "assembled"
"""Word before a name that undoes ``dm``; it is no state of its own."""


@dataclass(frozen=True, slots=True)
class WeaponFace:
    """What one side of a weapon counter prints; `fp` and `range` None where it prints none."""

    fp: int | None
    range: int | None
    min_range: int | None
    pp: int


@dataclass(frozen=True, slots=True)
class WeaponData:
    """Both sides of a weapon counter; `dismantled` None where there is none."""

    face: WeaponFace
    dismantled: WeaponFace | None


@dataclass(frozen=True, slots=True)
class SpecialData:
    """An SMC without strength in its name: (fp, range, morale), unwounded and wounded."""

    kind: Kind
    factors: tuple[int, int, int | None]
    wounded: tuple[int, int, int | None]


@dataclass(frozen=True, slots=True)
class MarkerData:
    """An entry of markers.toml that matched a name.

    Attributes:
        key, state, scope, on, strays, terrain: as in the file.
        strength, level: numbers taken from the name, None if it has none.
    """

    key: str
    state: State | None
    scope: str
    on: frozenset[Kind]
    strays: bool = False
    terrain: bool = False
    strength: int | None = None
    level: int | None = None


@dataclass(frozen=True)
class CounterMaps:
    """All maps of the counters room as plain values."""

    nations: Mapping[str, str]
    usual_side: Mapping[str, str]
    switches: frozenset[str]
    aliases: Mapping[str, str]
    refines: Mapping[str, tuple[str, ...]]
    prefixes: Mapping[str, str]
    layers: Mapping[str, State]
    ignore_suffixes: frozenset[str]
    sizes: Mapping[str, Kind]
    specials: Mapping[str, SpecialData]
    blanks: re.Pattern[str]
    decorations: frozenset[str]
    overlay_folders: frozenset[str]
    label_pictures: frozenset[str]
    gun_folders: frozenset[str]
    vehicle_folders: frozenset[str]
    marker_folders: frozenset[str]
    overlay_kinds: tuple[tuple[str, re.Pattern[str]], ...]
    aircraft_pictures: re.Pattern[str]
    aircraft_names: re.Pattern[str]
    soft_names: re.Pattern[str]
    broken: Mapping[str, int]
    weapon_types: tuple[tuple[str, re.Pattern[str]], ...]
    weapon_makers: Mapping[str, str]
    weapon_like: Mapping[str, str]
    weapon_tables: Mapping[str, Mapping[str, WeaponData]]
    weapon_common: Mapping[str, WeaponData]
    weapon_pictures: Mapping[str, WeaponData]
    infantry: Mapping[str, Mapping[Kind, Mapping[str, tuple[int, str | None]]]]
    armament: Mapping[str, Armament]
    marker_keys: Mapping[str, MarkerData]
    marker_names: Mapping[str, MarkerData]
    marker_rules: tuple[tuple[schema.Marker, MarkerData], ...]

    def marker(self, name: str) -> MarkerData | None:
        """The entry that fits a shown name (lower case, without labels and arcs), or None."""
        exact = self.marker_names.get(name)
        if exact is not None:
            return exact
        for rule, data in self.marker_rules:
            if name.startswith(rule.starts) or name.endswith(rule.ends):
                return data
            if rule.pattern is not None:
                # re keeps compiled patterns; most sessions never need most of them
                match = re.fullmatch(rule.pattern, name)
                if match is not None:
                    return _with_numbers(data, match)
        return None


@lru_cache(maxsize=4096)
def marker_named(name: str) -> MarkerData | None:
    """`CounterMaps.marker` of the loaded maps; names repeat through a game."""
    return counter_maps().marker(name)


def _with_numbers(data: MarkerData, match: re.Match[str]) -> MarkerData:
    groups = match.groupdict()
    strength = groups.get("strength") or groups.get("strength2")
    level = groups.get("level")
    if groups.get("cellar") or groups.get("ground"):
        level = "-1" if groups.get("cellar") else "0"
    if strength is None and level is None:
        return data
    return replace(
        data,
        strength=None if strength is None else int(strength),
        level=None if level is None else int(level),
    )


def _read(name: str, model: type[Model]) -> Model:
    from pydantic import ValidationError

    try:
        return model.model_validate(tomllib.loads(module_map_bytes(name).decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModuleMapError(f"not TOML: {error}", file=name) from None
    except OSError as error:
        raise ModuleMapError(f"cannot be read: {error.strerror}", file=name) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ModuleMapError(first["msg"], file=name, place=place) from None


def _state(word: str, file: str) -> State:
    try:
        return State(word)
    except ValueError:
        raise ModuleMapError(f"unknown state word {word!r}", file=file) from None


def _prefixes(words: Mapping[str, str]) -> dict[str, str]:
    for word in words.values():
        if word not in ("", ASSEMBLED):
            _state(word, "counters.toml")
    return dict(words)


def _pattern(text: str, file: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.IGNORECASE)
    except re.error as error:
        raise ModuleMapError(f"bad pattern {text!r}: {error}", file=file) from None


def _face(text: str) -> WeaponFace:
    match = _FACTORS.fullmatch(text)
    if match is None:
        raise ModuleMapError(f"not factors: {text!r}", file="weapons.toml")
    numbers = {key: None if text is None else int(text) for key, text in match.groupdict().items()}
    most = numbers["most"]
    return WeaponFace(
        fp=numbers["fp"],
        range=numbers["range"] if most is None else most,
        min_range=numbers["least"],
        pp=numbers["pp"] or 0,
    )


def _weapon(text: str) -> WeaponData:
    whole, _, dismantled = text.partition("; dm ")
    return WeaponData(_face(whole), _face(dismantled) if dismantled else None)


def _weapons(rows: Mapping[str, str]) -> dict[str, WeaponData]:
    return {name: _weapon(text) for name, text in rows.items()}


def _infantry(
    nation: schema.InfantryOfNation,
) -> dict[Kind, dict[str, tuple[int, str | None]]]:
    """Per kind: factors -> broken morale (0 = none) and half-squad."""
    tables: dict[Kind, Mapping[str, tuple[int] | tuple[int, str]]] = {
        Kind.SQUAD: nation.squad,
        Kind.HALF_SQUAD: nation.half_squad,
        Kind.CREW: nation.crew,
    }
    return {
        kind: {
            factors: (entry[0], entry[1] if len(entry) > 1 else None)
            for factors, entry in table.items()
        }
        for kind, table in tables.items()
    }


def _armament(text: str) -> Armament:
    match = _ARMAMENT.fullmatch(text)
    if match is None:
        raise ModuleMapError(f"not an armament: {text!r}", file="weapons-vehicles.toml")
    bmg, cmg, aamg, rmg = (
        int(match[key]) if (match[key] or "-") != "-" else 0
        for key in ("bmg", "cmg", "aamg", "rmg")
    )
    return Armament(match["main"], bmg, cmg, aamg, rmg, match["ot"] is not None)


def _special(one: schema.Special) -> SpecialData:
    factors = (one.fp, one.range, one.morale)
    worse = one.wounded
    wounded = factors if worse is None else (worse.fp, worse.range, worse.morale)
    return SpecialData(Kind(one.kind), factors, wounded)


def _marker(rule: schema.Marker) -> MarkerData:
    return MarkerData(
        rule.key,
        None if rule.state is None else _state(rule.state, "markers.toml"),
        rule.scope,
        frozenset(Kind(kind) for kind in rule.on),
        rule.strays,
        rule.terrain,
    )


@lru_cache(maxsize=1)
def counter_maps() -> CounterMaps:
    """The maps; read from disk on the first call only.

    Raises:
        ModuleMapError: a file is missing or breaks its schema; names the file and place.
    """
    from vassal_bridge.counters import schema

    nations = _read("nations.toml", schema.NationsFile)
    counters = _read("counters.toml", schema.CountersFile)
    weapons = _read("weapons.toml", schema.WeaponsFile)
    infantry = _read("counters-infantry.toml", schema.InfantryFile)
    vehicles = _read("weapons-vehicles.toml", schema.VehiclesFile)
    markers = _read("markers.toml", schema.MarkersFile)
    aliases: dict[str, str] = {}
    for code, nation in nations.nations.items():
        for word in (code, nation.name.casefold(), *nation.also):
            aliases.setdefault(word, nation.name)
    rules = [(rule, _marker(rule)) for rule in markers.marker]
    exact: dict[str, MarkerData] = {}
    for rule, data in rules:
        for name in rule.names:
            exact.setdefault(name, data)
    pictures = counters.pictures
    return CounterMaps(
        nations={code: nation.name for code, nation in nations.nations.items()},
        usual_side={nation.name: nation.side for nation in nations.nations.values()},
        switches=frozenset(n.name for n in nations.nations.values() if n.switches),
        aliases=aliases,
        refines=nations.refines,
        prefixes=_prefixes(counters.prefixes),
        layers={name: _state(word, "counters.toml") for name, word in counters.layers.items()},
        ignore_suffixes=frozenset(counters.suffixes.ignore),
        sizes={word: Kind(size) for word, size in counters.sizes.items()},
        specials={one.name: _special(one) for one in counters.specials},
        blanks=_pattern(counters.blanks.pattern, "counters.toml"),
        decorations=frozenset(pictures.decorations),
        overlay_folders=frozenset(pictures.overlays),
        label_pictures=frozenset(pictures.labels),
        gun_folders=frozenset(pictures.gun),
        vehicle_folders=frozenset(pictures.vehicle),
        marker_folders=frozenset(pictures.marker),
        overlay_kinds=tuple(
            (key, _pattern(text, "counters.toml"))
            for key, text in (
                ("wreck", counters.overlays.wrecks),
                ("smoke", counters.overlays.smoke),
                ("effect", counters.overlays.effects),
                ("annotation", counters.overlays.annotations),
            )
        ),
        aircraft_pictures=_pattern(counters.aircraft.pictures, "counters.toml"),
        aircraft_names=_pattern(counters.aircraft.names, "counters.toml"),
        soft_names=_pattern(counters.soft.names, "counters.toml"),
        broken=counters.broken,
        weapon_types=tuple((t.kind, _pattern(t.pattern, "weapons.toml")) for t in weapons.types),
        weapon_makers=weapons.makers,
        weapon_like=weapons.like,
        weapon_tables={code: _weapons(rows) for code, rows in weapons.nations.items()},
        weapon_common=_weapons(weapons.common),
        weapon_pictures=_weapons(weapons.pictures),
        infantry={code: _infantry(nation) for code, nation in infantry.nations.items()},
        armament={name: _armament(text) for name, text in vehicles.vehicles.items()},
        marker_keys={data.key: data for _, data in reversed(rules)},
        marker_names=exact,
        marker_rules=tuple(rules),
    )
