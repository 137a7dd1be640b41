"""How many pixels lie around the boards of a saved game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from vassal_bridge.board.layout import EDGE, Layout
from vassal_bridge.board.layout_library import BoardLibrary
from vassal_bridge.board.placement import BoardPlacement

OLD_EDGE = 200
"""Pixels around the boards before VASL 6.2."""
MIN_ON_CENTRES = 6
"""Fewer counters on hex centres than this never overrule the edge that the version suggests."""


def map_edge(
    placements: Sequence[BoardPlacement],
    library: BoardLibrary,
    places: Iterable[tuple[int, int]],
    version: str | None = None,
) -> int:
    """How many pixels lie around the boards of a saved game: 400, or 200 before VASL 6.2.

    The client draws 400 pixels whatever the file says, so in a game begun before 6.2 every counter
    stands 200 pixels too far up and left. The version tells, and the counters overrule it when they
    leave no doubt: at least half of those on hexes lie on hex centres for the other edge, and ten
    times as many as for this one.

    Args:
        placements: the boards.
        library: where their archives are.
        places: map pixels of the counters.
        version: version of the module that wrote the file, e.g. ``"6.5-beta3"``, if known.
    """
    numbers = [int(part) for part in re.findall(r"\d+", version or "")[:2]]
    likely = OLD_EDGE if numbers and tuple(numbers) < (6, 2) else EDGE
    other = OLD_EDGE if likely == EDGE else EDGE
    layout = Layout(placements, library, strict=False)
    inside = {EDGE: 0, OLD_EDGE: 0}
    centred = {EDGE: 0, OLD_EDGE: 0}
    for x, y in set(places):
        for edge in inside:
            found = _on_centre(layout, x + EDGE - edge, y + EDGE - edge)
            inside[edge] += found is not None
            centred[edge] += found is True
    clear = (
        centred[other] >= MIN_ON_CENTRES
        and 2 * centred[other] >= inside[other]
        and centred[other] >= 10 * centred[likely]
    )
    return other if clear else likely


def _on_centre(layout: Layout, x: int, y: int) -> bool | None:
    """Whether a pixel is the centre of a hex, None where there is no hex."""
    name = layout.ground_hex_at(x, y)
    if name is None:
        return None
    at = layout.snap(name)
    return abs(at[0] - x) <= 1 and abs(at[1] - y) <= 1
