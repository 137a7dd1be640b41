"""Lines of sight of a ground of boards, by the names of the hexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vassal_bridge.board.ground_obstacles import Obstacle
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.sight import Sight, SightEngine


class BoardSights:
    """Sight between hexes of a joined map at ground level.

    Args:
        losmap: the map, None when no board has terrain data.
        obstacles: counters that hinder, by hex.
        distance: range in hexes between hexes that the map does not hold.
    """

    def __init__(
        self,
        losmap: LosMap | None,
        obstacles: Mapping[str, tuple[Obstacle, ...]],
        distance: Callable[[str, str], int],
    ) -> None:
        self._losmap = losmap
        self._engine = None if losmap is None else SightEngine(losmap, obstacles)
        self._distance = distance

    def sight(self, viewer: str, target: str) -> Sight:
        """LOS from one hex to another; clear where the boards have no terrain data."""
        losmap, engine = self._losmap, self._engine
        if losmap is None or engine is None or viewer not in losmap or target not in losmap:
            return Sight(clear=True, range=self._distance(viewer, target), hindrance=0)
        return engine.sight(viewer, target)
