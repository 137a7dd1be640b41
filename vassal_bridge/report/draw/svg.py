"""Paints a scene as SVG with lxml's builder: well-formed and escaped whatever the texts hold."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Final, cast

from lxml import etree

from vassal_bridge.report.draw.scene import (
    Area,
    BoardTile,
    Box,
    Circle,
    CounterArt,
    Group,
    Label,
    Names,
    Path,
    Scene,
    Shape,
    Stamps,
    Stroke,
    View,
)
from vassal_bridge.report.picture import Point
from vassal_bridge.report.safety import plain_line

SVG: Final = "http://www.w3.org/2000/svg"
FONTS: Final = (
    "'Helvetica Neue', Arial, 'Liberation Sans', 'Noto Sans CJK SC', 'Noto Sans SC', "
    "'PingFang SC', 'Microsoft YaHei', sans-serif"
)
INHERITED: Final = {
    "font-family": FONTS,
    "text-anchor": "middle",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}
"""What the root sets for everything that does not say otherwise."""
BASELINE: Final = 0.35
"""From the middle of a line of text down to its baseline, in sizes."""

Attributes = dict[str, str]


def svg(scene: Scene) -> bytes:
    """The scene as a complete SVG file."""
    root = root_element("svg")
    size = (_n(scene.width), _n(scene.height))
    _set(
        root,
        {
            "width": size[0],
            "height": size[1],
            "viewBox": f"0 0 {size[0]} {size[1]}",
            "role": "img",
            "data-made-by": "vassal-bridge",
        },
    )
    root.set("{http://www.w3.org/XML/1998/namespace}lang", _language(scene.lang))
    if scene.title:
        _title(root, scene.title)
    painter = Painter()
    _element(root, "rect", {"width": size[0], "height": size[1], "fill": scene.background})
    painter.paint(root, scene.items)
    painter.finish(root)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def root_element(name: str) -> etree._Element:
    """A new SVG element that stands alone, with what everything inherits."""
    # None is lxml's word for the default namespace; its stubs want a string
    namespaces = cast("dict[str, str]", {None: SVG})
    root = etree.Element(f"{{{SVG}}}{name}", nsmap=namespaces)
    _set(root, INHERITED)
    return root


class Painter:
    """Adds shapes to an SVG element; repeated pictures are stored once.

    Call `finish` on the root when everything is painted.

    Args:
        titles: whether groups get their titles, which browsers show under a resting pointer.
        prefix: begins the ids of what is stored, where several drawings share one page.
    """

    def __init__(self, *, titles: bool = True, prefix: str = "") -> None:
        self._titles = titles
        self._prefix = prefix
        self._art: dict[bytes, str] = {}
        self._stamps: dict[tuple[Shape, ...], str] = {}
        self._defs: list[etree._Element] = []

    def paint(self, parent: etree._Element, shapes: Iterable[Shape]) -> None:
        """Append shapes in order."""
        for shape in shapes:
            self._one(shape, parent)

    def finish(self, root: etree._Element) -> None:
        """Put what is used more than once in front."""
        if not self._defs:
            return
        defs = etree.Element(f"{{{SVG}}}defs")
        defs.extend(self._defs)
        at = 1 if len(root) and root[0].tag == f"{{{SVG}}}title" else 0
        root.insert(at, defs)

    @singledispatchmethod
    def _one(self, shape: Shape, parent: etree._Element) -> None:
        raise TypeError(f"no such shape: {shape!r} in {parent.tag!r}")

    @_one.register
    def _(self, shape: Path, parent: etree._Element) -> None:
        if len(shape.points) == 2 and not shape.closed:
            (x1, y1), (x2, y2) = shape.points
            place = {"x1": _n(x1), "y1": _n(y1), "x2": _n(x2), "y2": _n(y2)}
            _element(parent, "line", place | _stroke(shape.stroke))
            return
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
        name = "polygon" if shape.closed else "polyline"
        _element(
            parent,
            name,
            {"points": points} | _fill(shape.fill, shape.opacity) | _stroke(shape.stroke),
        )

    @_one.register
    def _(self, shape: Circle, parent: etree._Element) -> None:
        place = {"cx": _n(shape.x), "cy": _n(shape.y), "r": _n(shape.r)}
        _element(parent, "circle", place | _fill(shape.fill, shape.opacity) | _stroke(shape.stroke))

    @_one.register
    def _(self, shape: Box, parent: etree._Element) -> None:
        place = {
            "x": _n(shape.x),
            "y": _n(shape.y),
            "width": _n(shape.width),
            "height": _n(shape.height),
        }
        if shape.radius:
            place["rx"] = _n(shape.radius)
        _element(parent, "rect", place | _fill(shape.fill, shape.opacity) | _stroke(shape.stroke))

    @_one.register
    def _(self, shape: Label, parent: etree._Element) -> None:
        place = {
            "x": _n(shape.x),
            "y": _n(shape.y + shape.size * BASELINE),
            "font-size": _n(shape.size),
            "fill": shape.colour,
        }
        if shape.anchor != "middle":
            place["text-anchor"] = shape.anchor
        if shape.bold:
            place["font-weight"] = "bold"
        if shape.halo:
            place |= {
                "stroke": shape.halo,
                "stroke-width": _n(shape.size * 0.28),
                "paint-order": "stroke",
            }
        _element(parent, "text", place).text = plain_line(shape.text)

    @_one.register
    def _(self, shape: Area, parent: etree._Element) -> None:
        outline = "".join(_outline(points) for points in shape.polygons)
        _element(parent, "path", {"d": outline, "fill": shape.fill} | _stroke(shape.stroke))

    @_one.register
    def _(self, shape: Names, parent: etree._Element) -> None:
        group = _element(parent, "g", {"font-size": _n(shape.size), "fill": shape.colour})
        down = shape.size * BASELINE
        for x, y, text in shape.texts:
            _element(group, "text", {"x": _n(x), "y": _n(y + down)}).text = plain_line(text)

    @_one.register
    def _(self, shape: Stamps, parent: etree._Element) -> None:
        name = self._stamps.get(shape.items)
        if name is None:
            name = f"{self._prefix}sign{len(self._stamps)}"
            self._stamps[shape.items] = name
            sign = etree.Element(f"{{{SVG}}}g")
            sign.set("id", name)
            self.paint(sign, shape.items)
            self._defs.append(sign)
        for x, y in shape.places:
            _element(parent, "use", {"href": f"#{name}", "x": _n(x), "y": _n(y)})

    @_one.register
    def _(self, shape: BoardTile, parent: etree._Element) -> None:
        tile = shape.tile
        left, top, width, height = tile.crop
        whole = (left, top, width, height) == (0, 0, *tile.size)
        place: Attributes = {}
        moves = []
        if tile.reversed:
            right, bottom = tile.x * 2 + tile.width, tile.y * 2 + tile.height
            moves.append(f"translate({_n(right)} {_n(bottom)}) rotate(180)")
        holder = parent
        if not whole:
            # a nested viewport cuts the crop out of the picture
            holder = _element(
                parent if not moves else _element(parent, "g", {"transform": moves[0]}),
                "svg",
                {
                    "x": _n(tile.x),
                    "y": _n(tile.y),
                    "width": _n(tile.width),
                    "height": _n(tile.height),
                    "viewBox": f"{left} {top} {width} {height}",
                    "preserveAspectRatio": "none",
                },
            )
            place |= {"width": str(tile.size[0]), "height": str(tile.size[1])}
        else:
            place |= {
                "x": _n(tile.x),
                "y": _n(tile.y),
                "width": _n(tile.width),
                "height": _n(tile.height),
            }
            if moves:
                place["transform"] = moves[0]
        place |= {"preserveAspectRatio": "none", "href": _data_url(tile.data, tile.mime)}
        _element(holder, "image", place)

    @_one.register
    def _(self, shape: CounterArt, parent: etree._Element) -> None:
        name = self._art.get(shape.data)
        if name is None:
            name = f"{self._prefix}art{len(self._art)}"
            self._art[shape.data] = name
            # 1 x 1, scaled where it is used: one counter may stand in stacks of several sizes
            image = etree.Element(f"{{{SVG}}}image")
            _set(image, {"id": name, "width": "1", "height": "1", "preserveAspectRatio": "none"})
            image.set("href", _data_url(shape.data, _mime(shape.data)))
            self._defs.append(image)
        move = f"translate({_n(shape.x)} {_n(shape.y)}) scale({_n(shape.width)} {_n(shape.height)})"
        _element(parent, "use", {"href": f"#{name}", "transform": move})

    @_one.register
    def _(self, shape: Group, parent: etree._Element) -> None:
        if not shape.items:
            return
        group = _element(parent, "g", {name: plain_line(value) for name, value in shape.marks})
        if shape.title and self._titles:
            _title(group, shape.title)
        self.paint(group, shape.items)

    @_one.register
    def _(self, shape: View, parent: etree._Element) -> None:
        inner = (shape.width / shape.scale, shape.height / shape.scale)
        window = _element(
            parent,
            "svg",
            {
                "x": _n(shape.x),
                "y": _n(shape.y),
                "width": _n(shape.width),
                "height": _n(shape.height),
                "viewBox": f"{_n(shape.left)} {_n(shape.top)} {_n(inner[0])} {_n(inner[1])}",
            },
        )
        self.paint(window, shape.items)


def _element(parent: etree._Element, name: str, attributes: Attributes) -> etree._Element:
    element = etree.SubElement(parent, f"{{{SVG}}}{name}")
    _set(element, attributes)
    return element


def _set(element: etree._Element, attributes: Attributes) -> None:
    for name, value in attributes.items():
        element.set(name, value)


def _title(parent: etree._Element, text: str) -> None:
    _element(parent, "title", {}).text = plain_line(text)


def _n(value: float) -> str:
    """A coordinate to a tenth of a pixel (scales to a hundredth), without needless digits."""
    text = f"{value:.2f}" if abs(value) < 4 else f"{value:.1f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _outline(points: tuple[Point, ...]) -> str:
    """A closed polygon as path data, in steps of tenths of a pixel that do not add up errors."""
    x, y = (round(part, 1) for part in points[0])
    text = f"M{_n(x)} {_n(y)}"
    for corner in points[1:]:
        to_x, to_y = (round(part, 1) for part in corner)
        if to_y == y:
            text += f"h{_n(to_x - x)}"
        else:
            text += f"l{_n(to_x - x)} {_n(to_y - y)}"
        x, y = to_x, to_y
    return text + "z"


def _fill(fill: str | None, opacity: float) -> Attributes:
    if fill is None:
        return {"fill": "none"}
    return {"fill": fill} | ({} if opacity >= 1 else {"fill-opacity": _n(opacity)})


def _stroke(stroke: Stroke | None) -> Attributes:
    if stroke is None:
        return {}
    found = {"stroke": stroke.colour, "stroke-width": _n(stroke.width)}
    if stroke.dash:
        found["stroke-dasharray"] = " ".join(_n(part) for part in stroke.dash)
        found["stroke-linecap"] = "butt"
    if stroke.opacity < 1:
        found["stroke-opacity"] = _n(stroke.opacity)
    return found


def _data_url(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def _mime(data: bytes) -> str:
    """The type of a picture by its first bytes; SVG when it is none of the others."""
    if data.startswith(b"GIF8"):
        return "image/gif"
    if data.startswith(b"\x89PNG"):
        return "image/png"
    if data.startswith(b"\xff\xd8"):
        return "image/jpeg"
    return "image/svg+xml"


def _language(lang: str) -> str:
    return "zh-CN" if lang == "zh" else lang
