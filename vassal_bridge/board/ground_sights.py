"""Lines of sight of a ground of boards, by the names of the hexes."""

from __future__ import annotations

from collections.abc import Mapping

from vassal_bridge.board.facts import NO_WALL
from vassal_bridge.board.ground_obstacles import Obstacle
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.openboard import OpenSight, entered_sides, place_distance
from vassal_bridge.board.walk import Walker, pixels


class BoardSights:
    """Sight between hexes of a joined map."""

    def __init__(
        self, losmap: LosMap | None, obstacles: Mapping[str, tuple[Obstacle, ...]]
    ) -> None:
        self._losmap = losmap
        self._obstacles = obstacles
        self._walker = None if losmap is None else Walker(losmap)

    def sight(self, viewer: str, target: str) -> OpenSight:
        """LOS from one hex to another at ground level."""
        losmap, walker = self._losmap, self._walker
        if losmap is None or walker is None or viewer not in losmap or target not in losmap:
            return OpenSight(clear=True, range=0, hindrance=0, enters_by=())
        s, t = losmap.index(viewer), losmap.index(target)
        found = walker.walk(s, 0, t, 0)
        place = [
            (int(losmap.arrays.column[i]), int(losmap.arrays.height[i])) for i in (s, t)
        ]
        sides = entered_sides(place[0], place[1])
        codes = {
            int(losmap.terrain[x, y])
            for x, y in pixels(walker.tables.aim[s], walker.tables.aim[t])
            if walker.tables.in_extended(t, x, y)
        }
        names = {losmap.table.rows[c].name for c in codes}
        return OpenSight(
            clear=found.block is None,
            range=place_distance(place[0], place[1]),
            hindrance=found.line.hindrance,
            enters_by=sides,
            over_woods="Woods" in names,
            over_orchard=any(n.startswith("Orchard") for n in names),
            crosses_wall=any(losmap.facts.wall[t, k] != NO_WALL for k in sides),
        )
