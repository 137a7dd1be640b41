"""What the rule book calls a hex (R87): shares of the pixels inside its outline.

VASL knows a hex by the pixel under its centre dot. The rule book does not: a building that misses
the dot makes a building hex, a white dot does not make a hole in a field, and a road through woods
is a woods-road. The thresholds are data (module_maps/terrain.toml), corrections found by players
are in module_maps/hex_corrections.toml. Line of sight is not touched by any of this.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.facts import TerrainGrid
from vassal_bridge.board.hexes import Hex, HexGeometry
from vassal_bridge.board.hexgrid import BoolArray, OutlineMasks, clip, hex_arrays
from vassal_bridge.board.scenario import Roads
from vassal_bridge.board.terrain import UNKNOWN, TerrainMap, terrain_map
from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes

Counts = npt.NDArray[np.int64]

CORRECTIONS = "hex_corrections.toml"


@dataclass(frozen=True, slots=True, eq=False)
class HexPixels:
    """What the measure looks at; the parts of a hex on a seam are added up.

    Attributes:
        inside: number of pixels inside the outline by terrain code, 256 entries.
        around: the same for the square of pixels around the centre.
        centre: code under the centre dot.
    """

    inside: Counts
    around: Counts
    centre: int

    def joined(self, other: HexPixels) -> HexPixels:
        """This part and another one of the same hex; the other one's centre counts."""
        return HexPixels(self.inside + other.inside, self.around + other.around, other.centre)


class BoardPixels:
    """The pixels of one board, hex by hex, the board right way up.

    Measuring the board as printed, not as it lies, keeps a hex the same terrain when it is turned.

    Args:
        geometry: hexes counted from the first on the picture (`HexGeometry.on_picture`).
        terrain: codes ``[x, y]``, scenario changes applied.
        masks: outlines shared with other boards.
    """

    def __init__(
        self, geometry: HexGeometry, terrain: TerrainGrid, masks: OutlineMasks | None = None
    ) -> None:
        self.geometry = geometry
        self.terrain = terrain
        self._masks = masks or OutlineMasks()
        self._reach = terrain_map().measure.centre_pixels

    def of(self, name: str) -> HexPixels | None:
        """The pixels of a printed hex, None if the board has no such hex."""
        hex_ = self.geometry.hex_named(name)
        if hex_ is None:
            return None
        x, y = hex_arrays(self.geometry).aim[self.geometry.index(hex_)].tolist()
        width, height = self.terrain.shape
        x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
        reach = self._reach
        box = self.terrain[max(0, x - reach) : x + reach + 1, max(0, y - reach) : y + reach + 1]
        return HexPixels(
            self._count(self._inside(self.terrain, hex_)),
            self._count(box.ravel()),
            int(self.terrain[x, y]),
        )

    def inside(self, grid: npt.NDArray[np.generic], name: str) -> npt.NDArray[np.generic]:
        """The values of a grid of the board's size inside the outline of a printed hex."""
        hex_ = self.geometry.hex_named(name)
        return grid.ravel()[:0] if hex_ is None else self._inside(grid, hex_)

    def _inside(self, grid: npt.NDArray[np.generic], hex_: Hex) -> npt.NDArray[np.generic]:
        outline = hex_arrays(self.geometry).outline[self.geometry.index(hex_)].tolist()
        left, top, mask = self._masks.mask(tuple([(x, y) for x, y in outline]))
        part = clip(left, top, mask, (0, 0, *self.terrain.shape))
        if part is None:
            return grid.ravel()[:0]
        xs, ys, within = part
        return grid[xs, ys][within]

    def share(self, mask: BoolArray, name: str) -> float:
        """Share of the pixels of a printed hex that a mask covers."""
        values = self.inside(mask, name)
        return float(np.count_nonzero(values)) / values.size if values.size else 0.0

    @staticmethod
    def _count(values: npt.NDArray[np.generic]) -> Counts:
        counts = np.bincount(values.astype(np.uint8, copy=False), minlength=256)
        return counts.astype(np.int64, copy=False)


def measure(pixels: HexPixels, vasl_centre: int, rules: TerrainMap | None = None) -> str:
    """The terrain of a hex by R87.

    Args:
        pixels: the hex's pixels.
        vasl_centre: code of what VASL takes the hex to be (its centre, a building at a hexside
            midpoint, or inherent terrain: los/algorithm.md 7).
        rules: thresholds and names; those of the package by default.

    Returns:
        A name of module_maps/terrain.toml.
    """
    rules = rules or terrain_map()
    limits = rules.measure
    inside = _shares(pixels.inside, rules)
    built = {n: v for n, v in inside.items() if rules.kinds[n].shelter == "building"}
    if sum(built.values()) >= limits.building:
        return max(built, key=lambda name: (built[name], name))
    centre = _name(pixels.centre, rules)
    vasl = _name(vasl_centre, rules)
    woods, road = inside.get("woods", 0.0), inside.get("road", 0.0)
    if (centre == "road" and woods >= limits.road_woods) or (
        centre == "woods" and road > limits.road
    ):
        return "woods-road"
    if vasl == "orchard" and road > limits.road:
        return "orchard-road"
    if centre != "road":
        around = _shares(pixels.around, rules)
        for name, share in sorted(around.items()):
            if share > limits.centre_share and rules.kinds[name].area:
                return name
        if woods >= limits.woods:
            return "woods"
    return vasl


def _name(code: int, rules: TerrainMap) -> str:
    """Terrain of a code; a wall or hedge under the dot says nothing about the hex itself."""
    return "open" if code in rules.hexsides else rules.by_code[code]


def _shares(counts: Counts, rules: TerrainMap) -> dict[str, float]:
    (codes,) = counts.nonzero()
    pixels = counts[codes].tolist()
    total = sum(pixels)
    found: dict[str, float] = {}
    for code, count in zip(codes.tolist(), pixels, strict=True):
        name = _name(code, rules)
        found[name] = found.get(name, 0.0) + count / total
    return found


def without_roads(name: str, roads: Roads) -> str:
    """Terrain of a hex after scenario words took roads away."""
    bare = {"woods-road": "woods", "orchard-road": "orchard", "road": "open"}
    if roads == "none":
        return bare.get(name, name)
    if name != "woods-road" or roads == "kept":
        return name
    return "woods" if roads == "no woods roads" else UNKNOWN


@lru_cache(maxsize=1)
def corrections() -> Mapping[str, Mapping[str, str]]:
    """Corrected hexes: board, printed hex, terrain name.

    Raises:
        ModuleMapError: the file breaks its schema or names a terrain that does not exist.
    """
    return read_corrections(module_map_bytes(CORRECTIONS), terrain_map().kinds)


def read_corrections(data: bytes, kinds: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """Read a file of corrections; see `corrections`."""
    names = frozenset(kinds)
    try:
        boards = tomllib.loads(data.decode("utf-8"))["boards"]
        found = {
            str(board): {str(hex_): str(name) for hex_, name in hexes.items()}
            for board, hexes in boards.items()
        }
    except (KeyError, AttributeError, ValueError) as error:
        raise ModuleMapError(f"{type(error).__name__}: {error}", file=CORRECTIONS) from None
    for board, hexes in found.items():
        for hex_, name in hexes.items():
            if name not in names:
                raise ModuleMapError(
                    f"no terrain {name!r}", file=CORRECTIONS, place=f"{board}{hex_}"
                )
    return found


def printed_identity(
    board: BoardPixels, name: str, vasl_centre: int, board_name: str = ""
) -> str | None:
    """Terrain of one printed hex by itself, corrections included; None if there is none."""
    pixels = board.of(name)
    if pixels is None:
        return None
    return corrections().get(board_name, {}).get(name) or measure(pixels, vasl_centre)
