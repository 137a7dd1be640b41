"""Lines of sight of a ground of boards, by the names of the hexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vassal_bridge.board.ground_obstacles import Obstacle
from vassal_bridge.board.layout import Layout
from vassal_bridge.board.losmap import LosMap
from vassal_bridge.board.sight import Loc, Sight, SightEngine


class BlockedSight:
    """A line of sight that terrain blocks; what else `Sight` tells is worked out when asked for.

    Most lines are asked for one thing only, whether they are clear, and most are not.
    """

    __slots__ = ("_ends", "_sights", "hindrance", "range")

    clear = False
    over_woods = False
    over_orchard = False
    over_building = False

    def __init__(
        self, sights: BoardSights, ends: tuple[str, str], range_: int, hindrance: int
    ) -> None:
        """Keep what is known of the line between two hexes."""
        self._sights = sights
        self._ends = ends
        self.range = range_
        self.hindrance = hindrance

    @property
    def whole(self) -> Sight:
        """The line with everything there is to tell."""
        return self._sights.whole(*self._ends)

    @property
    def enters_by(self) -> tuple[int, ...]:
        """See `Sight`."""
        return self.whole.enters_by

    @property
    def crosses_wall(self) -> bool:
        """See `Sight`."""
        return self.whole.crosses_wall

    @property
    def block_hex(self) -> str | None:
        """See `Sight`."""
        return self.whole.block_hex

    @property
    def block_reason(self) -> str | None:
        """See `Sight`."""
        return self.whole.block_reason

    @property
    def hindrances(self) -> tuple[tuple[str, int], ...]:
        """See `Sight`."""
        return self.whole.hindrances

    @property
    def own_hex(self) -> tuple[tuple[str, int], ...]:
        """See `Sight`."""
        return self.whole.own_hex

    @property
    def height(self) -> int:
        """See `Sight`."""
        return self.whole.height


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

    def sight(self, viewer: str, target: str) -> Sight | BlockedSight:
        """LOS from one hex to another at ground level.

        A hex of a board without terrain data is seen from everywhere: its terrain is unknown, and
        so is every verdict that it takes part in.
        """
        losmap, engine = self._losmap, self._engine
        if losmap is None or engine is None:
            return self._unknown(viewer, target)
        source, to = losmap.find(viewer), losmap.find(target)
        if source is None or to is None:
            return self._unknown(viewer, target)
        walked = engine.walk(source, to)
        if walked.block is None:
            return self._renamed(engine.describe(walked))
        return BlockedSight(self, (viewer, target), walked.line.range, walked.line.hindrance)

    def whole(self, viewer: str, target: str) -> Sight:
        """The same with everything there is to tell."""
        losmap, engine = self._losmap, self._engine
        if losmap is None or engine is None or viewer not in losmap or target not in losmap:
            return self._unknown(viewer, target)
        return self._renamed(engine.sight(Loc(viewer), Loc(target)))

    def _unknown(self, viewer: str, target: str) -> Sight:
        return Sight(clear=True, range=self._layout.distance(viewer, target), hindrance=0)

    def _renamed(self, found: Sight) -> Sight:
        if found.block_hex is None and not found.hindrances:
            return found
        rename = self._layout.rename
        return replace(
            found,
            block_hex=None if found.block_hex is None else rename(found.block_hex),
            hindrances=tuple((rename(at), value) for at, value in found.hindrances),
        )
