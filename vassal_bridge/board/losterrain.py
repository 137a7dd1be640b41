"""What each terrain code of LOSData means for a line of sight (los/algorithm.md 5).

The facts come from module_maps/los_terrain.json, made by tools/los/make_terrain.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

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

    @property
    def hexside(self) -> bool:
        """Wall, hedge, bocage, cliff …: lies along hexsides."""
        return self.category == "HEXSIDE"

    @property
    def cliff(self) -> bool:
        """Cliff, which neither blocks nor hinders by itself."""
        return self.name == "Cliff"

    @property
    def building(self) -> bool:
        """Building art, factories and market places included."""
        return self.category in ("BUILDING", "FACTORY", "MARKETPLACE")

    @property
    def rowhouse_wall(self) -> bool:
        """The wall between row houses, a building that acts like a hexside."""
        return self.name.startswith("Rowhouse Wall")

    @property
    def bocage(self) -> bool:
        """A hexside one level high."""
        return self.name == "Bocage"

    @property
    def depression(self) -> bool:
        """Gully, stream, sunken road."""
        return self.category == "DEPRESSION"

    @property
    def storeys(self) -> int:
        """Upper building levels of a hex with this centre terrain; plain buildings have none."""
        plain = self.name in ("Stone Building", "Wooden Building")
        return self.height if self.building and not plain else 0

    @property
    def always_stairway(self) -> bool:
        """A two-storey house ("1 Level") has a stairway everywhere (los/algorithm.md 4.9)."""
        return self.building and self.name.endswith("Building, 1 Level")


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
        return TerrainTable(
            Terrain(
                code=row["code"],
                name=row["name"],
                category=row["category"],
                height=row["height"],
                split=row["split"],
                obstacle="obstacle" in row["flags"],
                half="half-level" in row["flags"],
                inherent="inherent" in row["flags"],
                lower_obstacle="lower-obstacle" in row["flags"],
                lower_hindrance="lower-hindrance" in row["flags"],
            )
            for row in rows
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ModuleMapError(f"broken ({error})", file="los_terrain.json") from None
