"""Shapes of the module maps about counters, checked when they are loaded (pydantic edge)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Lower = Annotated[str, StringConstraints(to_lower=True, min_length=1)]
Code = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class _MapFile(_Strict):
    """Head of every map: which module and versions it speaks of."""

    schema_version: Literal[1] = Field(alias="schema")
    module: Literal["VASL"]
    versions: str
    read_from: str


class Nation(_Strict):
    """One nationality."""

    name: str
    side: Literal["Allied", "Axis"]
    switches: bool = False
    also: tuple[Lower, ...] = ()


class NationsFile(_MapFile):
    """nations.toml."""

    refines: dict[Code, tuple[Code, ...]]
    nations: dict[Code, Nation]


class WeaponType(_Strict):
    """A class of weapons and the names that belong to it."""

    kind: Literal[
        "mg",
        "mortar",
        "atr",
        "shaped-charge",
        "ordnance",
        "flamethrower",
        "demolition",
        "other",
    ]
    pattern: str


class WeaponsFile(_MapFile):
    """weapons.toml."""

    types: tuple[WeaponType, ...]
    makers: dict[str, Code]
    like: dict[Code, Code]
    common: dict[str, str]
    nations: dict[Code, dict[str, str]]
    pictures: dict[Lower, str]


class VehiclesFile(_MapFile):
    """weapons-vehicles.toml."""

    vehicles: dict[str, str]


Strength = Annotated[str, StringConstraints(pattern=r"^\d{1,2}-\d{1,2}-\d{1,2}$")]
Broken = Annotated[int, Field(ge=0, le=12)]


class InfantryOfNation(_Strict):
    """MMC of one nation: factors -> broken morale (0 = none), squads with their half-squad."""

    squad: dict[Strength, tuple[Broken] | tuple[Broken, Strength]] = {}
    half_squad: dict[Strength, tuple[Broken]] = Field(default={}, alias="half-squad")
    crew: dict[Strength, tuple[Broken]] = {}


class InfantryFile(_MapFile):
    """counters-infantry.toml."""

    nations: dict[Code, InfantryOfNation]


class Factors(_Strict):
    """Printed factors of an SMC."""

    fp: int = Field(ge=0)
    range: int = Field(ge=0)
    morale: int | None = Field(default=None, ge=1)


class Special(Factors):
    """An SMC whose name does not hold its strength."""

    name: Lower
    kind: Literal["hero", "leader"]
    wounded: Factors | None = None


class Suffixes(_Strict):
    """Words behind a name."""

    ignore: tuple[Lower, ...]


class Blanks(_Strict):
    """Blank counters."""

    pattern: str


class Pictures(_Strict):
    """Folders and stems of pictures."""

    decorations: tuple[Lower, ...]
    overlays: tuple[Lower, ...]
    labels: tuple[Lower, ...]
    gun: tuple[Lower, ...]
    vehicle: tuple[Lower, ...]
    marker: tuple[Lower, ...]


class Overlays(_Strict):
    """Patterns of picture stems of draggable overlays."""

    annotations: str
    effects: str
    smoke: str
    wrecks: str


class Aircraft(_Strict):
    """How aircraft are told."""

    pictures: str
    names: str


class Soft(_Strict):
    """Vehicles without armour that have no picture folder of their own."""

    names: str


class CountersFile(_MapFile):
    """counters.toml."""

    prefixes: dict[Lower, str]
    layers: dict[Lower, str]
    suffixes: Suffixes
    sizes: dict[Lower, Literal["squad", "half-squad", "crew"]]
    specials: tuple[Special, ...]
    blanks: Blanks
    pictures: Pictures
    overlays: Overlays
    aircraft: Aircraft
    soft: Soft
    broken: dict[Lower, Annotated[int, Field(ge=1, le=12)]]


class Marker(_Strict):
    """One entry of markers.toml."""

    key: str
    names: tuple[Lower, ...] = ()
    starts: tuple[Lower, ...] = ()
    ends: tuple[Lower, ...] = ()
    pattern: str | None = None
    state: str | None = None
    scope: Literal["none", "unit", "stack", "broken", "hex", "item", "above", "below"]
    on: tuple[str, ...] = ()
    strays: bool = False
    terrain: bool = False


class MarkersFile(_MapFile):
    """markers.toml."""

    marker: tuple[Marker, ...]
