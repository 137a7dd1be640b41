"""Lines of sight of a ground of boards, by the names of the hexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vassal_bridge.board.ground_obstacles import Obstacle
from vassal_bridge.board.layout import Layout
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.sight import Loc, Sight, SightEngine


class BoardSights:
    """Sight between hexes at ground level.

    Args:
        losmap: the joined map; None when no board has terrain data.
        obstacles: counters that hinder, by hex.
        layout: the map; its names are used in the answers.
    """

    def __init__(
        self,
        losmap: LosMap | None,
        obstacles: Mapping[str, tuple[Obstacle, ...]],
        layout: Layout,
    ) -> None:
        self._losmap = losmap
        self._engine = None if losmap is None else SightEngine(losmap, obstacles)
        self._layout = layout

    def sight(self, viewer: str, target: str) -> Sight:
        """LOS from one hex to another at ground level.

        A hex of a board without terrain data is seen from everywhere: its terrain is unknown, and
        so is every verdict that it takes part in.
        """
        losmap, engine = self._losmap, self._engine
        if losmap is None or engine is None or viewer not in losmap or target not in losmap:
            distance = self._layout.distance(viewer, target)
            return Sight(clear=True, range=distance, hindrance=0)
        found = engine.sight(Loc(viewer), Loc(target))
        if found.block_hex is None and not found.hindrances:
            return found
        rename = self._layout.rename
        return replace(
            found,
            block_hex=None if found.block_hex is None else rename(found.block_hex),
            hindrances=tuple((rename(at), value) for at, value in found.hindrances),
        )
