"""The line of sight machinery of one map, shared by all engines on it, with its memory."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vassal_bridge.board.sightfan import Fan, FanWalker
from vassal_bridge.board.sightfast import FastWalker
from vassal_bridge.board.sightgrid import SightGrid
from vassal_bridge.board.sightrules import SightTables
from vassal_bridge.limits import MAX_FAN_TARGETS

if TYPE_CHECKING:
    from vassal_bridge.board.losmap import LosMap
    from vassal_bridge.board.sightgrid import Ints

WALKS_BEFORE_FAN = 8
"""Single walks from one Location before its fan is computed."""

FanKey = tuple[int, int, int]
Answer = tuple[bool, int, int]
"""Blocked, range, Hindrance."""


class SightKit:
    """Tables, walkers and remembered fans of one map; see `LosMap.kit`."""

    def __init__(self, losmap: LosMap) -> None:
        """Prepare nothing yet: each table is made when first needed."""
        self.losmap = losmap
        self._fans: OrderedDict[FanKey, Fan] = OrderedDict()
        self._asked: dict[FanKey, int] = {}

    @cached_property
    def tables(self) -> SightTables:
        """Facts of the hexes for the rules."""
        return SightTables(self.losmap)

    @cached_property
    def grid(self) -> SightGrid:
        """Classes of pixels."""
        return SightGrid(self.losmap)

    @cached_property
    def single(self) -> FastWalker:
        """Single walks."""
        return FastWalker(self.losmap, self.tables, self.grid)

    @cached_property
    def fans(self) -> FanWalker:
        """Fans."""
        return FanWalker(self.losmap, self.tables, self.grid, self.single)

    @cached_property
    def targets(self) -> Ints:
        """Indices of all named hexes, in column order."""
        losmap = self.losmap
        return np.array([losmap.index(name) for name in losmap.names], np.int32)

    @cached_property
    def place(self) -> dict[int, int]:
        """Position of a hex index in `targets`."""
        return {index: place for place, index in enumerate(self.targets.tolist())}

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """Column and row in half hexes of each hex index."""
        arrays = self.losmap.arrays
        return arrays.column.tolist(), arrays.height.tolist()

    @cached_property
    def art_hexes(self) -> frozenset[int]:
        """Hexes with woods, orchard or building pixels."""
        arty = np.array([bool(row.art) for row in self.losmap.table.rows])
        classes = self.grid.classes
        return frozenset(classes.hex[arty[classes.terrain]].tolist())

    def fan(self, source: int, source_level: int, target_level: int = 0) -> Fan:
        """All lines from one Location to the Locations of one level, remembered."""
        key = (source, source_level, target_level)
        found = self._fans.get(key)
        if found is not None:
            self._fans.move_to_end(key)
            return found
        levels = np.full(len(self.targets), target_level, np.int32)
        found = self._fans[key] = self.fans.fan(source, source_level, self.targets, levels)
        while len(self._fans) > max(1, MAX_FAN_TARGETS // len(self.targets)):
            self._fans.popitem(last=False)
        return found

    def answer(self, source: int, source_level: int, target: int, target_level: int) -> Answer:
        """Blocked, range and Hindrance of one line.

        The first few lines from a Location are walked; when more are asked for, the whole fan is
        computed and remembered: it costs about as much as that many walks.
        """
        key = (source, source_level, target_level)
        fan = self._fans.get(key)
        if fan is None and source != target:
            asked = self._asked.get(key, 0) + 1
            self._asked[key] = asked
            if asked > WALKS_BEFORE_FAN:
                fan = self.fan(*key)
        if fan is None or source == target:
            walked = self.single.walk(source, source_level, target, target_level)
            return walked.block is not None, walked.line.range, walked.line.hindrance
        place = self.place.get(target)
        if place is None:  # a sliver at a cropped edge has no name and is no target
            walked = self.single.walk(source, source_level, target, target_level)
            return walked.block is not None, walked.line.range, walked.line.hindrance
        return bool(fan.blocked[place]), int(fan.range[place]), int(fan.hindrance[place])
