"""Counters that hinder a line of sight: smoke, blazes, wrecks and vehicles (R63, R79).

VASL's module gives each smoke counter a Hindrance and a height in levels; a wreck or vehicle is a
Hindrance of one for lines at its own level. One Hindrance counts per range from the source, as with
terrain; smoke is counted beside terrain, a vehicle only where its range has no terrain Hindrance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from vassal_bridge.board.hexgrid import BoolArray
from vassal_bridge.board.sightfast import Indices, Path
from vassal_bridge.board.sightpartners import OWN

if TYPE_CHECKING:
    from vassal_bridge.board.ground_obstacles import Obstacle
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.sightgrid import Ints
    from vassal_bridge.board.sightkit import SightKit
    from vassal_bridge.board.sightrules import Line


class Counters:
    """The counters on a map, as lines of sight meet them."""

    def __init__(self, losmap: LosMap, obstacles: Mapping[str, tuple[Obstacle, ...]]) -> None:
        """Sort the counters by hex index; hexes that are not on the map are ignored."""
        self._losmap = losmap
        self._kit: SightKit = losmap.kit
        self._smoke: dict[int, tuple[Obstacle, ...]] = {}
        self._vehicles: set[int] = set()
        for name, found in obstacles.items():
            if name not in losmap:
                continue
            index = losmap.index(name)
            smoke = tuple(o for o in found if o.height > 0)
            if smoke:
                self._smoke[index] = smoke
            if len(smoke) < len(found):
                self._vehicles.add(index)
        self._all = tuple(dict.fromkeys((*self._smoke, *self._vehicles)))

    def __bool__(self) -> bool:
        return bool(self._all)

    def near(self, line: Line) -> list[int]:
        """Hexes with counters that the line may cross, by ranges alone."""
        return [
            index
            for index in self._all
            if 0 < line.from_source[index] < line.range
            and 0 < line.from_target[index] < line.range
            and line.from_source[index] + line.from_target[index] <= line.range + 1
        ]

    def near_any(self, source: int, targets: Ints, ranges: Ints) -> BoolArray:
        """Targets to which `near` would find something."""
        arrays = self._losmap.arrays
        from_source = arrays.ranges_from(source)
        found = np.zeros(len(targets), bool)
        for index in self._all:
            if index == source:
                continue
            onward = arrays.ranges_from(index)[targets]
            inside = (from_source[index] < ranges) & (onward > 0) & (onward < ranges)
            found |= inside & (from_source[index] + onward <= ranges + 1)
        return found

    def own(self, line: Line) -> tuple[tuple[str, int], ...]:
        """Smoke in the viewer's and in the target's hex."""
        return tuple(
            (self._losmap.name(index) or "", max(o.hindrance for o in self._smoke[index]))
            for index in dict.fromkeys((line.source, line.target))
            if index in self._smoke
        )

    def met(self, line: Line) -> list[tuple[int, int]]:
        """Hex index and Hindrance of each counter that counts on an otherwise clear line."""
        smoke: dict[int, tuple[int, int]] = {}
        vehicles: dict[int, tuple[int, int]] = {}
        pixels: Indices | None = None
        for index in self.near(line):
            thick = self._thickness(line, index)
            level = line.tables.base[index]
            in_line = index in self._vehicles and level == line.low == line.high
            if not thick and not in_line:
                continue
            if pixels is None:
                aim = line.tables.aim
                path = Path(aim[line.source], aim[line.target], self._losmap.geometry.width)
                pixels = path.all_pixels()
            if not self._crosses(line, pixels, index):
                continue
            distance = line.from_source[index]
            if thick > smoke.get(distance, (0, 0))[1]:
                smoke[distance] = (index, thick)
            if in_line and distance not in line.hindrances:
                vehicles.setdefault(distance, (index, 1))
        found = [*smoke.items(), *vehicles.items()]
        return [counted for _, counted in sorted(found, key=lambda item: item[0])]

    def _thickness(self, line: Line, index: int) -> int:
        """Hindrance of the smoke in a hex, 0 if the line passes over it."""
        base = line.tables.base[index]
        return max(
            (o.hindrance for o in self._smoke.get(index, ()) if line.low < base + o.height),
            default=0,
        )

    def _crosses(self, line: Line, pixels: Indices, index: int) -> bool:
        """Whether a pixel of the line counts in a hex (los/algorithm.md 9.3, 9.4)."""
        tables = line.tables
        ys, xs = np.divmod(pixels, self._losmap.geometry.width)
        hexes = self._losmap.hex_grid[xs, ys]
        inside = hexes == index
        alone = line.source_level == 0 and line.from_source[index] % 2 == 0
        if line.spine is not None and not alone:
            partners = self._kit.grid.partners_flat[pixels]
            inside &= (partners & OWN) > 0
            for side, other in enumerate(tables.beside[index]):
                if other >= 0:
                    # Pixels of the neighbour whose partner across the shared side is this hex.
                    shared = (partners & 7) == (side + 3) % 6
                    inside |= (hexes == other) & shared
        for x, y in zip(xs[inside].tolist(), ys[inside].tolist(), strict=True):
            if not tables.in_extended(line.source, x, y) and not tables.in_extended(
                line.target, x, y
            ):
                return True
        return False
