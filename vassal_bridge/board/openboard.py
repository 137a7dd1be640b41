"""Lines of sight on the built-in board: exact straight lines against filled hexagons.

The board has no art, so nothing is rounded to pixels. Points are integers in units of a third of a
column pitch and half a hex height: a hexagon then has whole corners, and every test is a comparison
of whole numbers. A line is a segment from centre to centre. It crosses a hex if a piece of it lies
in the closed hexagon, so a line along a side crosses both hexes beside it; a corner alone does not
count. The hexes at the two ends are left out (R79).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

Place = tuple[int, int]
"""Column and doubled row of a hex, as in `layout.Cell.at`."""

CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Corners of a hexagon around its centre, from the upper left one clockwise; side s is from
corner s to corner s + 1."""

MAX_HINDRANCE = 6
"""Hindrances of this sum block a line of sight (R79)."""


@dataclass(frozen=True, slots=True)
class OpenSight:
    """One line of sight on the open board (the fields of rout's `Sight`)."""

    clear: bool
    range: int
    hindrance: int
    enters_by: tuple[int, ...]
    over_woods: bool = False
    over_orchard: bool = False
    over_building: bool = False
    crosses_wall: bool = False
    block_hex: str | None = None
    block_reason: str | None = None
    hindrances: tuple[tuple[str, int], ...] = ()
    height: int = 0


@dataclass(frozen=True, slots=True)
class Obstruction:
    """What stands in a hex for lines that cross it.

    Attributes:
        blocks: woods or building.
        terrain: hindrance of terrain, a wreck or a vehicle: at most one of these counts.
        smoke: hindrance of smoke, added to that.
        art: ``"woods"``, ``"orchard"`` or ``"building"`` where the hex is filled with it.
    """

    blocks: bool = False
    terrain: int = 0
    smoke: int = 0
    art: str | None = None

    @property
    def hindrance(self) -> int:
        """All it adds to a line that crosses the hex."""
        return self.terrain + self.smoke


NOTHING = Obstruction()


def place_distance(a: Place, b: Place) -> int:
    """Range in hexes between two places."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    return across + max(0, (down - across) // 2)


def crosses(a: Place, b: Place, hex_: Place) -> bool:
    """Whether the segment between two hex centres has a piece in the closed hexagon of a third.

    >>> crosses((0, 0), (0, 4), (0, 2)), crosses((0, 0), (2, 0), (1, 1))
    (True, True)
    """
    ax, ay = 3 * (a[0] - hex_[0]), a[1] - hex_[1]
    bx, by = 3 * (b[0] - hex_[0]), b[1] - hex_[1]
    dx, dy = bx - ax, by - ay
    # The piece of the segment within all six sides is from t = low to t = high, as fractions.
    low, low_under, high, high_under = 0, 1, 1, 1
    for side in range(6):
        (px, py), (qx, qy) = CORNERS[side], CORNERS[(side + 1) % 6]
        # Inside is to the right of the way from corner to corner (y runs down).
        inside = (qx - px) * (ay - py) - (qy - py) * (ax - px)
        slope = (qx - px) * dy - (qy - py) * dx
        if slope == 0:
            if inside < 0:
                return False
        elif slope > 0:
            if -inside * low_under > low * slope:
                low, low_under = -inside, slope
        elif inside * high_under < high * -slope:
            high, high_under = inside, -slope
    return low * high_under < high * low_under


def entered_sides(viewer: Place, target: Place) -> tuple[int, ...]:
    """Sides of the target by which a line comes in: one, or two when it comes in at a corner.

    >>> entered_sides((0, 0), (0, 4)), entered_sides((0, 0), (2, 0))
    ((0,), (4, 5))
    """
    x, y = 3 * (viewer[0] - target[0]), viewer[1] - target[1]
    if (x, y) == (0, 0):
        return ()
    found = []
    for side in range(6):
        (px, py), (qx, qy) = CORNERS[side], CORNERS[(side + 1) % 6]
        if px * y - py * x >= 0 and qx * y - qy * x <= 0:
            found.append(side)
    return tuple(found)


class OpenSights:
    """All lines of sight on the open board.

    Args:
        places: hexes by name.
        standing: what stands in a hex; hexes without an entry are empty.
    """

    def __init__(self, places: Mapping[str, Place], standing: Mapping[str, Obstruction]) -> None:
        self._places = places
        self._standing = dict(standing)
        self._in_the_way = [
            (name, places[name], found) for name, found in standing.items() if _matters(found)
        ]
        self.sight = lru_cache(maxsize=1 << 16)(self._sight)

    def _sight(self, viewer: str, target: str) -> OpenSight:
        a, b = self._places[viewer], self._places[target]
        end = self._standing.get(target, NOTHING)
        distance = place_distance(a, b)
        blocked = None
        by_range: dict[int, tuple[int, str]] = {}
        for name, place, found in self._in_the_way:
            if name in (viewer, target) or not crosses(a, b, place):
                continue
            if found.blocks:
                nearer = blocked is None or place_distance(a, place) < place_distance(
                    a, self._places[blocked]
                )
                blocked = name if nearer else blocked
                continue
            # Two hexes beside a line along their side count once, the worse of them.
            at = place_distance(a, place)
            if found.hindrance > by_range.get(at, (0, ""))[0]:
                by_range[at] = (found.hindrance, name)
        hindrance = sum(value for value, _ in by_range.values())
        reason = f"{self._standing[blocked].art} in {blocked}" if blocked else None
        if blocked is None and hindrance >= MAX_HINDRANCE:
            reason = f"hindrances of {hindrance}"
        return OpenSight(
            clear=reason is None,
            range=distance,
            hindrance=hindrance,
            enters_by=entered_sides(a, b),
            over_woods=end.art == "woods",
            over_orchard=end.art == "orchard",
            over_building=end.art == "building",
            block_hex=blocked,
            block_reason=reason,
            hindrances=tuple((name, value) for _, (value, name) in sorted(by_range.items())),
        )


def _matters(found: Obstruction) -> bool:
    return found.blocks or found.hindrance > 0
