"""Terrain as the rule book has it: costs, cover, shelter, from module_maps/terrain.toml.

Knows no pixels; which terrain a hex is, says `identity`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes
from vassal_bridge.rout.position import Cover

TERRAIN_MAP = "terrain.toml"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class TerrainKind:
    """One terrain of the rule book.

    Attributes:
        name: key in the module map: ``woods-road``.
        mf2: cost to enter in half MF (R19), before hexsides, crest lines and smoke.
        road_mf2: cost along a road hexside, where that is less.
        cover: answer to the Open Ground test (R63).
        shelter: ``"building"`` or ``"woods"`` when a rout may end there (R26).
        area: a field whose printed centre dot may hide it (R87).
        known: whether the Starter Kit rule book has it.
    """

    name: str
    mf2: int
    cover: Cover
    shelter: str | None = None
    road_mf2: int | None = None
    area: bool = False
    known: bool = True


@dataclass(frozen=True, slots=True)
class HexsideKind:
    """Terrain of a hexside: what crossing it adds in half MF."""

    name: str
    mf2: int
    impassable: bool = False
    known: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """The thresholds of R87: shares of pixels, and how the centre is looked at."""

    building: float
    road_woods: float
    road: float
    woods: float
    centre_pixels: int
    centre_share: float
    touching: float


@dataclass(frozen=True)
class TerrainMap:
    """The whole module map.

    Attributes:
        kinds: terrain by name.
        by_code: name of the terrain of every VASL code; `UNKNOWN` for codes without one.
        hexsides: hexside terrain by VASL code.
        measure: thresholds of R87.
        grain_months, orchard_months: when grain is up and orchards are in leaf.
        paint: VASL code by word of a position file.
    """

    kinds: Mapping[str, TerrainKind]
    by_code: tuple[str, ...]
    hexsides: Mapping[int, HexsideKind]
    measure: Measure
    grain_months: frozenset[int]
    orchard_months: frozenset[int]
    paint: Mapping[str, int]

    def codes_of(self, name: str) -> tuple[int, ...]:
        """VASL codes of one terrain."""
        return tuple(code for code, found in enumerate(self.by_code) if found == name)

    def grain_up(self, month: int | None) -> bool:
        """Whether grain stands: June to September; not when no month is given."""
        return month in self.grain_months

    def orchard_in_leaf(self, month: int | None) -> bool:
        """Whether orchards are in season; also when no month is given."""
        return month is None or month in self.orchard_months


def _kind(name: str, row: dict[str, Any]) -> TerrainKind:
    return TerrainKind(
        name=name,
        mf2=int(row["mf2"]),
        cover=Cover(row["cover"]),
        shelter=row.get("shelter"),
        road_mf2=row.get("road-mf2"),
        area=bool(row.get("area", False)),
        known=bool(row.get("known", True)),
    )


def read_terrain_map(data: bytes) -> TerrainMap:
    """Read a terrain map.

    Raises:
        ModuleMapError: it is not TOML, lacks a key, or gives a code to two terrains.
    """
    try:
        raw = tomllib.loads(data.decode("utf-8"))
        kinds = {name: _kind(name, row) for name, row in raw["terrain"].items()}
        by_code = [UNKNOWN] * 256
        for name, row in raw["terrain"].items():
            for code in row["codes"]:
                if by_code[code] != UNKNOWN:
                    raise ModuleMapError(
                        f"code {code} is both {by_code[code]} and {name}", file=TERRAIN_MAP
                    )
                by_code[code] = name
        hexsides = {
            code: HexsideKind(
                name,
                int(row["mf2"]),
                impassable=bool(row.get("impassable", False)),
                known=bool(row.get("known", True)),
            )
            for name, row in raw["hexside"].items()
            for code in row["codes"]
        }
        measure = raw["measure"]
        return TerrainMap(
            kinds=kinds,
            by_code=tuple(by_code),
            hexsides=hexsides,
            measure=Measure(
                building=float(measure["building"]),
                road_woods=float(measure["road-woods"]),
                road=float(measure["road"]),
                woods=float(measure["woods"]),
                centre_pixels=int(measure["centre-pixels"]),
                centre_share=float(measure["centre-share"]),
                touching=float(raw["crossing"]["touching"]),
            ),
            grain_months=frozenset(raw["season"]["grain"]),
            orchard_months=frozenset(raw["season"]["orchard"]),
            paint=dict(raw["paint"]),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ModuleMapError(f"{type(error).__name__}: {error}", file=TERRAIN_MAP) from None


@lru_cache(maxsize=1)
def terrain_map() -> TerrainMap:
    """The terrain map that comes with the package.

    Raises:
        ModuleMapError: the file breaks its schema.
    """
    return read_terrain_map(module_map_bytes(TERRAIN_MAP))
