"""What each terrain code of LOSData means for a line of sight (los/algorithm.md 5).

The facts come from module_maps/los_terrain.json, made by tools/los/make_terrain.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes

CODES = 256
"""Terrain codes are one byte."""

OPEN_GROUND = 0
"""Code of Open Ground."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """One terrain type. `height` in levels, `half` adds half a level where the rules say so.

    `split` terrain (orchard: 0.5) is a Hindrance or an obstacle below that height.
    """

    code: int
    name: str
    category: str
    height: int
    split: float
    obstacle: bool
    half: bool
    inherent: bool
    lower_obstacle: bool
    lower_hindrance: bool
    hexside: bool
    """Wall, hedge, bocage, cliff …: lies along hexsides."""
    cliff: bool
    """Cliff, which neither blocks nor hinders by itself."""
    building: bool
    """Building art, factories and market places included."""
    rowhouse_wall: bool
    """The wall between row houses, a building that acts like a hexside."""
    bocage: bool
    """A hexside one level high."""
    depression: bool
    """Gully, stream, sunken road."""
    storeys: int
    """Upper building levels of a hex with this centre terrain; plain buildings have none."""
    always_stairway: bool
    """A two-storey house ("1 Level") has a stairway everywhere (los/algorithm.md 4.9)."""
    hindrance: int
    """Value of the Hindrance it makes, where it makes one."""
    art: str
    """``"woods"``, ``"orchard"``, ``"building"``, or empty: what a line may cross in its target."""

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Terrain:
        """A type from a row of los_terrain.json."""
        name, category, flags = row["name"], row["category"], row["flags"]
        building = category in ("BUILDING", "FACTORY", "MARKETPLACE")
        plain = name in ("Stone Building", "Wooden Building")
        return cls(
            code=row["code"],
            name=name,
            category=category,
            height=row["height"],
            split=row["split"],
            obstacle="obstacle" in flags,
            half="half-level" in flags,
            inherent="inherent" in flags,
            lower_obstacle="lower-obstacle" in flags,
            lower_hindrance="lower-hindrance" in flags,
            hexside=category == "HEXSIDE",
            cliff=name == "Cliff",
            building=building,
            rowhouse_wall=name.startswith("Rowhouse Wall"),
            bocage=name == "Bocage",
            depression=category == "DEPRESSION",
            storeys=row["height"] if building and not plain else 0,
            always_stairway=building and name.endswith("Building, 1 Level"),
            art=_art(name, category, building=building),
            hindrance=2 if name == "Light Woods" or name.startswith("Roofless") else 1,
        )


def _art(name: str, category: str, *, building: bool) -> str:
    if category == "WOODS" or name in ("Forest", "Light Woods"):
        return "woods"
    if name in ("Orchard", "Orchard, Out of Season", "Olive Grove", "Palm Trees"):
        return "orchard"
    return "building" if building else ""


class TerrainTable:
    """All terrain types by code and by name, with the arrays vectorised code needs."""

    def __init__(self, terrains: Iterable[Terrain]) -> None:
        """Index the types; codes without one behave like Open Ground."""
        self.by_code: dict[int, Terrain] = {t.code: t for t in terrains}
        self.by_name: dict[str, Terrain] = {}
        for terrain in self.by_code.values():
            self.by_name.setdefault(terrain.name, terrain)  # the newest code of a name moved
        unknown = self.by_code.get(OPEN_GROUND)
        if unknown is None:
            raise ModuleMapError("terrain code 0 is missing", file="los_terrain.json")
        self.rows: tuple[Terrain, ...] = tuple(self.by_code.get(c, unknown) for c in range(CODES))
        self.is_building = self._flags("building")
        self.is_hexside = self._flags("hexside")
        self.is_inherent = self._flags("inherent")

    def _flags(self, attribute: str) -> npt.NDArray[np.bool_]:
        flags = np.array([getattr(row, attribute) for row in self.rows], dtype=bool)
        flags.flags.writeable = False
        return flags

    def code(self, name: str) -> int:
        """Code of a terrain type by VASL's name, e.g. ``"Woods"``.

        Raises:
            ModuleMapError: there is no such type.
        """
        found = self.by_name.get(name)
        if found is None:
            raise ModuleMapError(f"no terrain type {name!r}", file="los_terrain.json")
        return found.code


@lru_cache(maxsize=1)
def terrain_table() -> TerrainTable:
    """The terrain types of the newest shared metadata known, with codes only older ones have.

    Raises:
        ModuleMapError: the file breaks its schema.
    """
    try:
        rows = json.loads(module_map_bytes("los_terrain.json"))["terrain"]
        return TerrainTable(Terrain.from_row(row) for row in rows)
    except (ValueError, KeyError, TypeError) as error:
        raise ModuleMapError(f"broken ({error})", file="los_terrain.json") from None
