"""Drawn counters, for when the module's own art is not at hand: nation, kind, factors, state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from vassal_bridge.board.archive import image_size
from vassal_bridge.report.draw.colours import ALARM, INK, NATIONS, PAPER, PLAIN_NATION, mix
from vassal_bridge.report.draw.scene import (
    Box,
    Circle,
    CounterArt,
    Group,
    Label,
    Path,
    Shape,
    Stamps,
    Stroke,
    text_width,
)
from vassal_bridge.report.picture import ArtProvider, CounterShape, HexShape, MapPicture, Point

SIDE: Final = 37.0
"""Side of a lone counter where a hex is 64.5 high: the hex keeps a rim for marks."""
MIN_SIDE: Final = 28.0
LIFT: Final = 4.0
"""How far the counters of a broken unit's hex are moved up, to make room for its badge."""
LEAN: Final = 4.5
"""How far each counter of a stack lies up and right of the one below it."""
SHOWN: Final = 4
"""Counters of a stack that are drawn; the count of the others is written beside them."""

UNDER: Final = frozenset({"sw", "gun", "marker", "overlay", "wreck"})
"""Kinds drawn under the others, however the stack lies: who routs must be seen."""

STATE_CHIPS: Final = {
    "dm": ("DM", "#7a1f1f"),
    "pinned": ("PIN", "#5a4a00"),
    "pin": ("PIN", "#5a4a00"),
    "cx": ("CX", "#004a5c"),
    "melee": ("MELEE", "#5c0057"),
    "wounded": ("WND", "#7a1f1f"),
    "berserk": ("BERS", "#7a1f1f"),
    "malfunctioned": ("MALF", "#3b3b3b"),
    "dismantled": ("dm", "#3b3b3b"),
    "disrupted": ("DISR", "#3b3b3b"),
    "motion": ("MOT", "#3b3b3b"),
    "wreck": ("WRECK", "#3b3b3b"),
}

FIGURES: Final = {"squad": 3, "half-squad": 2, "crew": 2, "leader": 1, "hero": 1}


def stacks(picture: MapPicture, art: ArtProvider | None = None) -> tuple[Group, ...]:
    """All counters of a map, stack by stack, in a fixed order.

    Args:
        picture: the map with its counters.
        art: gives a counter's own picture; without it they are drawn.
    """
    shapes = picture.by_name()
    by_hex: dict[str, list[CounterShape]] = {}
    for counter in picture.counters:
        if counter.hex in shapes:
            by_hex.setdefault(str(counter.hex), []).append(counter)
    unit = picture.hex_height / 64.5
    return tuple(
        stack(shapes[name], sorted(there, key=lambda each: each.order), unit, art)
        for name, there in by_hex.items()
    )


def stack(
    at: HexShape, counters: Sequence[CounterShape], unit: float, art: ArtProvider | None
) -> Group:
    """The counters in one hex, bottom first; units over weapons, those that may rout on top."""
    counters = sorted(counters, key=_height)
    shown = counters[-SHOWN:]
    side = max(MIN_SIDE, SIDE - 4.0 * (len(shown) - 1)) * unit
    lean = LEAN * unit
    items: list[Shape] = []
    middle = (len(shown) - 1) / 2
    lift = LIFT * unit if any("broken" in each.states for each in counters) else 0.0
    for n, each in enumerate(shown):
        x = at.centre[0] + (n - middle) * lean
        y = at.centre[1] - (n - middle) * lean - lift
        items.append(counter(each, (x, y), side, art))
    hidden = len(counters) - len(shown)
    if hidden:
        x, y = at.centre[0] - side * 0.62, at.centre[1] - side * 0.42
        items.append(Label(x, y, f"+{hidden}", 10 * unit, INK, "middle", True, PAPER))
    return Group(tuple(items), marks=(("class", "stack"), ("data-hex", at.name)))


def _height(shape: CounterShape) -> int:
    """Which counters are drawn over which, however the stack lies: broken units are lettered."""
    if shape.kind in UNDER:
        return 0
    return 2 if "broken" in shape.states and shape.kind in FIGURES else 1


def counter(
    shape: CounterShape, centre: Point, side: float, art: ArtProvider | None = None
) -> Group:
    """One counter about its centre."""
    items = list(_from_module(shape, centre, side, art))
    if items:
        items += _chips(shape, centre, side)
    else:
        # drawn about (0, 0), so that equal counters are stored once
        chips = () if shape.concealed else _chips(shape, (0.0, 0.0), side)
        sign = (*_drawn(shape, (0.0, 0.0), side), *chips)
        items = [Stamps(sign, (centre,))]
    title = " ".join([shape.nationality, shape.name, *shape.states]).strip()
    return Group(
        tuple(items),
        title="?" if shape.concealed else title,
        marks=(("class", "counter"), ("data-id", shape.id)),
    )


def _from_module(
    shape: CounterShape, centre: Point, side: float, art: ArtProvider | None
) -> Iterable[Shape]:
    """The module's own pictures of the counter, one on the other; nothing if one is missing."""
    if art is None or shape.concealed or not shape.images:
        return
    found = [art(name) for name in shape.images]
    pictures = [(data, size) for data in found if data and (size := image_size(data))]
    if not pictures or len(pictures) < len(found):
        return
    sizes = [size for _, size in pictures]
    scale = side / max(max(size) for size in sizes)
    for data, (width, height) in pictures:
        wide, high = width * scale, height * scale
        yield CounterArt(data, centre[0] - wide / 2, centre[1] - high / 2, wide, high)
    edge = Stroke(INK, side * 0.02, (), 0.7)
    yield Box(centre[0] - side / 2, centre[1] - side / 2, side, side, 1.5, None, 1.0, edge)


def _drawn(shape: CounterShape, centre: Point, side: float) -> list[Shape]:
    paper, ink = NATIONS.get(shape.nationality, PLAIN_NATION)
    broken = "broken" in shape.states
    x, y = centre[0] - side / 2, centre[1] - side / 2
    dash = (side * 0.09, side * 0.06) if broken else ()
    fill = mix(paper, PAPER, 0.5) if broken else paper
    items: list[Shape] = [
        Box(x + side * 0.05, y + side * 0.07, side, side, side * 0.07, INK, 0.35),
        Box(x, y, side, side, side * 0.07, fill, 1.0, Stroke(INK, side * 0.035, dash)),
    ]
    if shape.concealed:
        items.append(Label(centre[0], centre[1], "?", side * 0.62, ink, bold=True))
        return items
    figure_y = centre[1] - side * 0.12
    if shape.kind in FIGURES:
        items += _figures(FIGURES[shape.kind], (centre[0], figure_y), side, ink, lying=broken)
        if shape.kind in ("leader", "hero"):
            items.append(_star((centre[0] + side * 0.26, figure_y), side * 0.1, ink))
    else:
        items += _sign(shape.kind, (centre[0], figure_y), side, ink)
    items.append(_factors(shape.name, centre, side, ALARM if broken else ink))
    return items


def _factors(name: str, centre: Point, side: float, colour: str) -> Label:
    size = side * 0.3
    wide = text_width(name, size, bold=True)
    room = side * 0.94
    if wide > room:
        size = max(side * 0.15, size * room / wide)
        keep = max(3, int(len(name) * room / max(1.0, text_width(name, size, bold=True))))
        name = name if keep >= len(name) else name[: keep - 1] + "…"
    return Label(centre[0], centre[1] + side * 0.31, name, size, colour, bold=True)


def _figures(n: int, centre: Point, side: float, ink: str, *, lying: bool) -> Iterable[Shape]:
    """Standing or, broken, lying figures."""
    head, width, height = side * 0.058, side * 0.1, side * 0.24
    gap = side * 0.22
    for k in range(n):
        if lying:
            y = centre[1] + (k - (n - 1) / 2) * side * 0.125
            x = centre[0] - side * 0.02 * (k - 1)
            yield Circle(x - height * 0.62, y, head, ink)
            yield Box(x - height * 0.36, y - width * 0.42, height, width * 0.84, width * 0.4, ink)
        else:
            x = centre[0] + (k - (n - 1) / 2) * gap
            yield Circle(x, centre[1] - height * 0.52, head, ink)
            yield Box(x - width / 2, centre[1] - height * 0.24, width, height, width * 0.4, ink)


def _sign(kind: str, centre: Point, side: float, ink: str) -> Iterable[Shape]:
    """Weapons, vehicles and markers by a plain sign."""
    x, y = centre
    thick = Stroke(ink, side * 0.07)
    if kind == "sw":
        yield Path(((x - side * 0.3, y + side * 0.04), (x + side * 0.3, y - side * 0.04)),
                   stroke=thick)  # fmt: skip
        yield Path(((x - side * 0.12, y + side * 0.02), (x - side * 0.2, y + side * 0.16)),
                   stroke=Stroke(ink, side * 0.05))  # fmt: skip
    elif kind == "gun":
        yield Path(((x - side * 0.05, y), (x + side * 0.34, y - side * 0.1)), stroke=thick)
        yield Circle(x - side * 0.1, y + side * 0.04, side * 0.12, None, 1.0, thick)
    elif kind in ("vehicle", "wreck"):
        wide, high = side * 0.6, side * 0.26
        yield Box(x - wide / 2, y - high / 2, wide, high, high * 0.45, None, 1.0, thick)
        yield Circle(x, y, side * 0.08, ink)
        if kind == "wreck":
            for sign in (-1, 1):
                yield Path(((x - wide / 2, y - sign * high), (x + wide / 2, y + sign * high)),
                           stroke=Stroke(ALARM, side * 0.05))  # fmt: skip
    else:
        yield Circle(x, y, side * 0.11, None, 1.0, thick)


def _star(centre: Point, r: float, ink: str) -> Path:
    wheel = ((0, -1), (0.22, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81), (0, 0.38),
             (-0.59, 0.81), (-0.36, 0.12), (-0.95, -0.31), (-0.22, -0.31))  # fmt: skip
    return Path(tuple((centre[0] + a * r, centre[1] + b * r) for a, b in wheel), True, ink)


def _chips(shape: CounterShape, centre: Point, side: float) -> Iterable[Shape]:
    """States as small signs along the upper edge, from the right."""
    size = side * 0.2
    x = centre[0] + side / 2 + side * 0.04
    y = centre[1] - side / 2 + size * 0.42
    for state in shape.states:
        known = STATE_CHIPS.get(state)
        if known is None:
            continue
        text, colour = known
        wide = text_width(text, size, bold=True) + size * 0.5
        x -= wide
        yield Box(x, y - size * 0.62, wide, size * 1.24, size * 0.3, colour, 1.0,
                  Stroke(PAPER, side * 0.02))  # fmt: skip
        yield Label(x + wide / 2, y, text, size, PAPER, bold=True)
