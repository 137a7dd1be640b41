"""Where on the map a text can be read: beside the counters and beside other texts.

Counters are drawn above the marks (see `marks`), so a text under one is lost, and two texts in one
place cannot be read either. A text has a list of places, the best first; it gets the first free
one, or the one where least is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from vassal_bridge.bridge import Loaded
from vassal_bridge.bridge.game import MAIN_MAP
from vassal_bridge.counters import Counter, Kind, StackReading
from vassal_bridge.report.picture import Point

COUNTER, LARGE_COUNTER = 48, 60
"""Sides of VASL's counters in pixels, at every scale of the map; Guns and vehicles are larger."""
LIFT: Final = (2, -4)
"""How far each counter of a stack lies from the one below (the module's ASLStackMetrics)."""
NOTE: Final = (240, 130)
"""Taken for the size of texts and tracks that players put beside the boards."""
_CELL: Final = 96
_FLAT: Final = frozenset({Kind.OVERLAY, Kind.LABEL})
"""Not in stacks: drawn below our marks."""
_LARGE: Final = frozenset({Kind.VEHICLE, Kind.GUN, Kind.WRECK})
_LARGE_MARKERS: Final = frozenset({"foxhole", "trench", "wire", "sangar", "pillbox"})
_SMALL: Final = frozenset({Kind.SW, Kind.GUN, Kind.WRECK, Kind.CONCEALMENT})


class Box(NamedTuple):
    """An upright rectangle in map pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The area two boxes have in common."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    @classmethod
    def around(cls, middle: Point, width: float, height: float) -> Box:
        """The box of a size around a middle."""
        x, y = middle
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


EDGE: Final = 400
"""VASSAL's margin around the boards in pixels."""
ONE_BOARD: Final = Box(EDGE, EDGE, EDGE + 1800, EDGE + 645)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The map that marks are put on.

    Attributes:
        centre: pixel of a hex at which counters lie, VASSAL's edge included.
        corners: corners of a hex, from the upper left one clockwise.
        boxes: what counters cover.
        boards: what the boards cover.
        notes: what players have put beside the boards.
    """

    centre: Callable[[str], Point]
    corners: Callable[[str], Sequence[Point]]
    boxes: tuple[Box, ...] = ()
    boards: Box = ONE_BOARD
    notes: tuple[Box, ...] = ()

    def bounds(self, hex_: str) -> Box:
        """The box around a hex."""
        corners = self.corners(hex_)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))

    def occupied(self, hex_: str) -> Box | None:
        """What counters cover of the middle of a hex, all together; None = it is empty."""
        middle = Box.around(self.centre(hex_), COUNTER / 2, COUNTER / 2)
        boxes = [box for box in self.boxes if box.shared(middle)]
        if not boxes:
            return None
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )


def sheet_of(loaded: Loaded) -> Sheet:
    """The map of a loaded game, with the counters that both players see."""
    boards = [board for board in loaded.layout.boards if not board.spacer]
    whole = Box(
        float(min((board.x for board in boards), default=400)),
        float(min((board.y for board in boards), default=400)),
        float(max((board.x + board.width for board in boards), default=400)),
        float(max((board.y + board.height for board in boards), default=400)),
    )
    counters, notes = [], []
    for reading in loaded.readings:
        if reading.map not in MAIN_MAP:
            continue
        at = (reading.x, reading.y)
        stacked = [counter for counter in reading.counters if counter.kind not in _FLAT]
        if stacked:
            counters.append(_stack(at, stacked))
        if not whole.shared(Box.around(at, 1, 1)) and not _is_small(reading):
            notes.append(Box.around(at, *NOTE))
    layout = loaded.layout
    return Sheet(layout.snap, layout.polygon, tuple(counters), whole, tuple(notes))


def _stack(at: Point, stacked: Sequence[Counter]) -> Box:
    large = any(one.kind in _LARGE or one.marker in _LARGE_MARKERS for one in stacked)
    side = LARGE_COUNTER if large else COUNTER
    box = Box.around(at, side, side)
    right, up = LIFT[0] * (len(stacked) - 1), LIFT[1] * (len(stacked) - 1)
    return Box(box.left, box.top + up, box.right + right, box.bottom)


def _is_small(reading: StackReading) -> bool:
    return all(counter.is_unit or counter.kind in _SMALL for counter in reading.counters)


_NARROW: Final = frozenset("!.,:;'|ijl ()[]/-I")
_WIDE: Final = frozenset("MWm%@×>‹›…")


def text_size(text: str, size: int) -> tuple[float, float]:
    """Width and height of a bold text in pixels; no less than the widest usual font needs."""
    ems = 0.0
    for char in text:
        if not char.isascii() and char not in _WIDE:
            ems += 1.0
        elif char in _NARROW:
            ems += 0.46
        elif char in _WIDE:
            ems += 1.0
        else:
            ems += 0.7 if char.islower() or char.isdigit() else 0.8
    return ems * size + 1, (1.2 if text.isascii() else 1.45) * size


class Placer:
    """Finds free places, remembering what it gave away.

    Args:
        boxes: what counters cover.
    """

    COUNTERS, TEXTS, STRAY = 3.0, 2.0, 0.8
    """How bad a pixel is that is shared with them, or lies outside the hex that is meant."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Box, float]]] = {}
        for box in boxes:
            self._take(box, self.COUNTERS)

    def put(
        self,
        middles: Iterable[Point],
        width: float,
        height: float,
        home: Box | None = None,
        limit: float | None = None,
    ) -> Point | None:
        """The best of some places for a text, which is then taken.

        Args:
            middles: places, of equal ones the first is taken.
            width: of the text in pixels.
            height: of it.
            home: where the text should lie.
            limit: the share of the text that may be lost, else it gets no place. None = it always
                gets one.
        """
        best: tuple[float, Point] | None = None
        for middle in middles:
            box = Box.around(middle, width, height)
            cost = self._cost(box)
            if home is not None:
                cost += (width * height - box.shared(home)) * self.STRAY
            if best is None or cost < best[0] - 0.01:
                best = (cost, middle)
            if cost == 0:
                break
        if best is None or (limit is not None and best[0] > limit * width * height):
            return None
        self._take(Box.around(best[1], width, height), self.TEXTS)
        return best[1]

    def _cost(self, box: Box) -> float:
        seen: set[int] = set()
        cost = 0.0
        for cell in _cells(box):
            for entry in self._cells.get(cell, ()):
                if id(entry) not in seen:
                    seen.add(id(entry))
                    cost += entry[0].shared(box) * entry[1]
        return cost

    def _take(self, box: Box, weight: float) -> None:
        entry = (box, weight)
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append(entry)


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box.left // _CELL), int(box.right // _CELL) + 1):
        for row in range(int(box.top // _CELL), int(box.bottom // _CELL) + 1):
            yield column, row
