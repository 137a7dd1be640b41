"""The picture of one line of sight: the line on the board, its hexes, what blocks and hinders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from vassal_bridge.board import BoardGround
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.draw.colours import ALARM, INK, PAPER
from vassal_bridge.report.draw.ground import board
from vassal_bridge.report.draw.png import png
from vassal_bridge.report.draw.scene import (
    Box,
    Circle,
    Label,
    Path,
    Scene,
    Shape,
    Stroke,
    View,
    box_of,
    wrap,
)
from vassal_bridge.report.draw.svg import svg
from vassal_bridge.report.mapping import ground_picture
from vassal_bridge.report.picture import HexShape, MapPicture, Point
from vassal_bridge.report.sightwords import sight_text

CLEAR: Final = "#0b6e2e"
HINDERS: Final = "#a05a00"
SCALE: Final = 2.0
MARGIN: Final = 60.0
CAPTION: Final = 34.0
LINE: Final = 20.0
SIZE: Final = 15.0
"""Of the caption: its height with one line, from line to line, of its letters."""


def sight_picture(
    ground: BoardGround, values: Mapping[str, object], format_: str, words: Catalogue
) -> bytes:
    """Draw one line of sight.

    Args:
        ground: the map.
        values: what `los --json` prints.
        format_: ``svg`` or ``png``.
        words: language of the caption.
    """
    scene = sight_scene(ground_picture(ground), ground, values, words)
    return svg(scene) if format_ == "svg" else png(scene)


def crossed(ground: BoardGround, start: Point, to: Point) -> tuple[str, ...]:
    """Hexes a straight line runs through, in order; ends included.

    Args:
        ground: names the hex under a pixel.
        start: one end, in pixels from the upper left corner of the boards.
        to: the other end.
    """
    edge = ground.layout.edge
    steps = max(2, int(max(abs(to[0] - start[0]), abs(to[1] - start[1]))))
    found: dict[str, None] = {}
    for n in range(steps + 1):
        x = start[0] + (to[0] - start[0]) * n / steps + edge
        y = start[1] + (to[1] - start[1]) * n / steps + edge
        name = ground.layout.ground_hex_at(int(x), int(y))
        if name is not None:
            found[name] = None
    return tuple(found)


def sight_scene(
    picture: MapPicture, ground: BoardGround, values: Mapping[str, object], words: Catalogue
) -> Scene:
    """The line on its board with a caption."""
    shapes = picture.by_name()
    start, to = shapes[str(values["from"])], shapes[str(values["to"])]
    names = crossed(ground, start.centre, to.centre)
    left, top, right, bottom = box_of([shapes[name].centre for name in names if name in shapes])
    left, top = max(0.0, left - MARGIN), max(0.0, top - MARGIN)
    right, bottom = min(picture.width, right + MARGIN), min(picture.height, bottom + MARGIN)
    items: list[Shape] = [board(picture, (left, top, right, bottom))]
    items += _hexes([shapes[name] for name in names if name in shapes], values, words)
    items += _line(start.centre, to.centre, blocked=bool(values["blocked"]))
    items += [_name(start), _name(to)]
    width, height = (right - left) * SCALE, (bottom - top) * SCALE
    view = View(0, 0, width, height, left, top, SCALE, tuple(items))
    caption = sight_text(values, words)
    lines = wrap(caption, SIZE * 1.06, width - 20)
    deep = CAPTION + (len(lines) - 1) * LINE
    text = [
        Label(10, height + 23 + n * LINE, line, SIZE, INK, "start", bold=True)
        for n, line in enumerate(lines)
    ]
    paper = Box(0, height, width, deep, 0, PAPER)
    return Scene(width, height + deep, (view, paper, *text), lang=words.lang, title=caption)


def _hexes(
    crossed_: Sequence[HexShape], values: Mapping[str, object], words: Catalogue
) -> list[Shape]:
    hindering = values.get("hindrances")
    pairs = hindering if isinstance(hindering, list) else []
    hinders = {str(pair[0]): int(pair[1]) for pair in pairs}
    blocks = values.get("block_hex") if values["blocked"] else None
    items: list[Shape] = []
    for shape in crossed_:
        x, y = shape.centre
        if shape.name == blocks:
            items.append(Path(shape.polygon, True, ALARM, 0.28, Stroke(ALARM, 2)))
            text = words.say("los.blocks")
            items.append(Label(x, y + 22, text, 11, ALARM, bold=True, halo=PAPER))
        elif shape.name in hinders:
            items.append(Path(shape.polygon, True, HINDERS, 0.25, Stroke(HINDERS, 2)))
            text = f"+{hinders[shape.name]}"
            items.append(Label(x, y + 22, text, 13, HINDERS, bold=True, halo=PAPER))
        else:
            items.append(Path(shape.polygon, True, None, 1.0, Stroke("#3a4757", 1.2, (4, 3))))
    return items


def _line(start: Point, to: Point, *, blocked: bool) -> list[Shape]:
    colour = ALARM if blocked else CLEAR
    return [
        Path((start, to), stroke=Stroke(PAPER, 4.5, opacity=0.85)),
        Path((start, to), stroke=Stroke(colour, 2.4)),
        Circle(*start, 4.5, colour, stroke=Stroke(PAPER, 1.2)),
        Circle(*to, 4.5, colour, stroke=Stroke(PAPER, 1.2)),
    ]


def _name(shape: HexShape) -> Label:
    x, y = shape.centre
    return Label(x, y - 12, shape.name, 12, INK, bold=True, halo=PAPER)
