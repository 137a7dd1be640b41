"""The shapes a picture is made of; two painters draw them alike (`svg`, `png`).

Coordinates are pixels of the scene, y downwards; colours are ``#rrggbb``. A scene knows nothing of
rules and nothing of file formats.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from vassal_bridge.report.picture import Point, Tile

Anchor = Literal["start", "middle", "end"]
Dash = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn.

    Attributes:
        colour: ``#rrggbb``.
        width: in pixels.
        dash: lengths drawn and left out in turn; empty = solid.
        opacity: 0 to 1.
    """

    colour: str
    width: float = 1.0
    dash: Dash = ()
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Path:
    """A polygon or an open line through points.

    Attributes:
        points: its corners in order.
        closed: polygon or line.
        fill: colour of the inside, None = empty.
        opacity: of the fill.
        stroke: outline, None = none.
    """

    points: tuple[Point, ...]
    closed: bool = False
    fill: str | None = None
    opacity: float = 1.0
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc or ring about (x, y)."""

    x: float
    y: float
    r: float
    fill: str | None = None
    opacity: float = 1.0
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with round corners; (x, y) is its upper left corner."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    fill: str | None = None
    opacity: float = 1.0
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text; y is the middle of its height.

    Attributes:
        text: what it says, one line.
        size: height of the letters' body in pixels.
        halo: colour of an outline that parts it from what lies below, None = none.
    """

    x: float
    y: float
    text: str
    size: float = 12.0
    colour: str = "#111111"
    anchor: Anchor = "middle"
    bold: bool = False
    halo: str | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """Many polygons drawn alike, such as all hexes of one terrain.

    Attributes:
        polygons: the corners of each.
        fill: colour of the inside.
        stroke: outline, None = none.
    """

    polygons: tuple[tuple[Point, ...], ...]
    fill: str
    stroke: Stroke | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """Many short texts written alike, such as the names of hexes.

    Attributes:
        texts: x, y of the middle and what it says.
        size: as of `Label`.
        colour: of the letters.
    """

    texts: tuple[tuple[float, float, str], ...]
    size: float
    colour: str


@dataclass(frozen=True, slots=True)
class Stamps:
    """The same shapes at many places, such as the sign of a terrain.

    Attributes:
        items: shapes about (0, 0).
        places: where their (0, 0) comes to lie.
    """

    items: tuple[Shape, ...]
    places: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class BoardTile:
    """A board picture."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class CounterArt:
    """A counter's own picture from the module, scaled into a box."""

    data: bytes
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together.

    Attributes:
        items: drawn in order, the last on top.
        title: shown when the pointer rests on it (SVG only).
        marks: names for scripts and styles (SVG only): ``("class", "unit")``.
    """

    items: tuple[Shape, ...]
    title: str | None = None
    marks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A window onto shapes with coordinates of their own; what lies outside it is cut off.

    Attributes:
        x: left edge of the window in the outer picture.
        y: its upper edge.
        width: its width.
        height: its height.
        left: inner coordinate of the left edge.
        top: inner coordinate of the upper edge.
        scale: outer pixels per inner pixel.
        items: shapes in inner coordinates.
    """

    x: float
    y: float
    width: float
    height: float
    left: float
    top: float
    scale: float
    items: tuple[Shape, ...]


Shape = Path | Circle | Box | Label | Area | Names | Stamps | BoardTile | CounterArt | Group | View


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture; its upper left corner is (0, 0).

    Attributes:
        width: in pixels.
        height: in pixels.
        items: shapes in drawing order.
        background: colour behind everything.
        lang: language of its texts, for fonts and readers.
        title: what the picture shows, for those who hear it.
    """

    width: float
    height: float
    items: tuple[Shape, ...]
    background: str = "#ffffff"
    lang: str = "en"
    title: str = ""


_NARROW: Final = frozenset("iljtfrI.,:;'|!()[] -")
_WIDE: Final = frozenset("mwMW@%—→")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """About how wide a line of text is, in pixels, in a common sans-serif; rather too wide.

    The real width depends on the reader's fonts; boxes and line breaks use this estimate.
    """
    total = 0.0
    for char in text:
        if unicodedata.east_asian_width(char) in "WF":
            total += 1.0
        elif char in _NARROW:
            total += 0.32
        elif char in _WIDE:
            total += 0.88
        elif char.isupper() or char == "&":
            total += 0.7
        else:
            total += 0.57
    return total * size * (1.06 if bold else 1.0)


def wrap(text: str, size: float, width: float) -> tuple[str, ...]:
    """The text broken into lines no wider than `width`; Chinese breaks between characters."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        if line and text_width(line + word.rstrip(), size) > width:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line += word
    if line.strip():
        lines.append(line.rstrip())
    return tuple(lines)


_NO_START: Final = frozenset("，。；：、）》」』！？,.;:)]")


def _words(text: str) -> Iterable[str]:
    """Pieces that stay together, each with the blanks that follow it."""
    word = ""
    for char in text:
        wide = unicodedata.east_asian_width(char) in "WF"
        if wide and char not in _NO_START:
            if word:
                yield word
            word = char
        elif char == " ":
            yield word + " "
            word = ""
        elif word and unicodedata.east_asian_width(word[-1]) in "WF" and char not in _NO_START:
            yield word
            word = char
        else:
            word += char
    if word:
        yield word


def moved_by(shape: Shape, dx: float, dy: float) -> Shape:
    """The shape elsewhere. What belongs to the ground and windows keep their place."""
    if isinstance(shape, Group):
        return replace(shape, items=tuple(moved_by(each, dx, dy) for each in shape.items))
    if isinstance(shape, Path):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    if isinstance(shape, Stamps):
        return replace(shape, places=tuple((x + dx, y + dy) for x, y in shape.places))
    if isinstance(shape, Area | Names | BoardTile | View):
        return shape
    return replace(shape, x=shape.x + dx, y=shape.y + dy)


def box_of(points: Iterable[Point]) -> tuple[float, float, float, float]:
    """Left, upper, right and lower edge of the points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
