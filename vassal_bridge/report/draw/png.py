"""Paints a scene into a PNG with pillow; no other program is needed.

Everything is drawn twice as large and scaled down, which smooths the edges. Latin text uses the
font that pillow brings, so that pictures are the same everywhere; Chinese needs a font of the
system and falls back to the first one found (`_CHINESE_FONTS`).
"""

from __future__ import annotations

import io
import itertools
import math
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache, singledispatchmethod
from pathlib import Path as FilePath
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from vassal_bridge.errors import LimitReached, UsageError
from vassal_bridge.limits import MAX_IMAGE_PIXELS, MAX_PNG_WIDTH
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
    moved_by,
)
from vassal_bridge.report.picture import Point
from vassal_bridge.report.safety import plain_line

SMOOTHING: Final = 2
"""How much larger everything is drawn before it is scaled down."""
COMPRESSION: Final = 3
"""Of the PNG: maps are photographs in 24 bits; more takes twice as long for the same size."""

_CHINESE_FONTS: Final = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "C:/Windows/Fonts/msyh.ttc",
    "C:/Windows/Fonts/simhei.ttf",
    "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/STHeiti Light.ttc",
    "/Library/Fonts/Arial Unicode.ttf",
)

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


class _Run(NamedTuple):
    """Text in one font, and its length in pixels."""

    text: str
    font: Font
    length: float


def png(scene: Scene, width: int | None = None) -> bytes:
    """The scene as a PNG file.

    Args:
        scene: what to paint.
        width: of the picture in pixels, None = the scene's own.

    Raises:
        UsageError: the width is not between 1 and `MAX_PNG_WIDTH`.
        LimitReached: the picture would be too large.
    """
    if width is not None and not 1 <= width <= MAX_PNG_WIDTH:
        raise UsageError(f"a picture can be 1 to {MAX_PNG_WIDTH} pixels wide, not {width}")
    scale = 1.0 if width is None else width / scene.width
    size = (max(1, round(scene.width * scale)), max(1, round(scene.height * scale)))
    if size[0] * size[1] * SMOOTHING**2 > MAX_IMAGE_PIXELS:
        raise LimitReached(f"a picture of {size[0]} x {size[1]} pixels is too large")
    canvas = Image.new("RGB", (size[0] * SMOOTHING, size[1] * SMOOTHING), scene.background)
    _Painter(canvas, scale * SMOOTHING, (0.0, 0.0)).paint(scene.items)
    smooth = canvas.reduce(SMOOTHING)
    out = io.BytesIO()
    made_by = PngInfo()
    made_by.add_text("Software", "vassal-bridge")
    smooth.save(out, "PNG", optimize=False, compress_level=COMPRESSION, pnginfo=made_by)
    return out.getvalue()


def can_write(text: str) -> bool:
    """Whether a font for every character of the text is at hand."""
    return all(_plain(char) for char in text) or _chinese_file() is not None


class _Painter:
    """Draws shapes on one canvas.

    Args:
        canvas: where to draw.
        scale: canvas pixels per scene pixel.
        shift: canvas pixel of the scene's origin.
    """

    def __init__(self, canvas: Image.Image, scale: float, shift: Point) -> None:
        self.canvas = canvas
        self.scale = scale
        self.shift = shift
        self.pen = ImageDraw.Draw(canvas, "RGBA")

    def paint(self, shapes: Iterable[Shape]) -> None:
        for shape in shapes:
            self._one(shape)

    def at(self, x: float, y: float) -> Point:
        return (x * self.scale + self.shift[0], y * self.scale + self.shift[1])

    @singledispatchmethod
    def _one(self, shape: Shape) -> None:
        raise TypeError(f"no such shape: {shape!r}")

    @_one.register
    def _(self, shape: Group) -> None:
        self.paint(shape.items)

    @_one.register
    def _(self, shape: Path) -> None:
        points = [self.at(x, y) for x, y in shape.points]
        if shape.fill is not None and shape.closed:
            self.pen.polygon(points, fill=_rgba(shape.fill, shape.opacity))
        if shape.stroke is not None:
            ring = [*points, points[0]] if shape.closed else points
            self._line(ring, shape.stroke)

    @_one.register
    def _(self, shape: Circle) -> None:
        x, y = self.at(shape.x, shape.y)
        r = shape.r * self.scale
        if shape.fill is not None:
            fill = _rgba(shape.fill, shape.opacity)
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)
        if shape.stroke is not None:
            half = shape.stroke.width * self.scale / 2
            box = (x - r - half, y - r - half, x + r + half, y + r + half)
            colour = _rgba(shape.stroke.colour, shape.stroke.opacity)
            self.pen.ellipse(box, outline=colour, width=max(1, round(2 * half)))

    @_one.register
    def _(self, shape: Box) -> None:
        x, y = self.at(shape.x, shape.y)
        right, bottom = x + shape.width * self.scale, y + shape.height * self.scale
        radius = min(shape.radius * self.scale, (right - x) / 2, (bottom - y) / 2)
        if shape.fill is not None:
            fill = _rgba(shape.fill, shape.opacity)
            self.pen.rounded_rectangle((x, y, right, bottom), radius, fill=fill)
        if shape.stroke is not None:
            ring = list(_round_ring((x, y, right, bottom), radius))
            self._line([*ring, ring[0]], shape.stroke)

    @_one.register
    def _(self, shape: Label) -> None:
        text = plain_line(shape.text)
        size = max(1.0, shape.size * self.scale)
        x, y = self.at(shape.x, shape.y)
        runs = []
        for part, wide in _runs(text):
            font = _font(wide, round(size))
            runs.append(_Run(part, font, font.getlength(part)))
        total = sum(run.length for run in runs)
        x -= {"start": 0.0, "middle": total / 2, "end": total}[shape.anchor]
        baseline = y + 0.35 * size
        thick = max(1, round(size * 0.035)) if shape.bold else 0
        if shape.halo is not None:
            self._text(runs, (x, baseline), shape.halo, thick + max(1, round(size * 0.13)))
        self._text(runs, (x, baseline), shape.colour, thick)

    def _text(self, runs: Iterable[_Run], at: Point, colour: str, thick: int) -> None:
        x, y = at
        for run in runs:
            self.pen.text(
                (x, y), run.text, fill=colour, font=run.font, anchor="ls",
                stroke_width=thick, stroke_fill=colour,
            )  # fmt: skip
            x += run.length

    @_one.register
    def _(self, shape: Area) -> None:
        for points in shape.polygons:
            self._one(Path(points, True, shape.fill, 1.0, shape.stroke))

    @_one.register
    def _(self, shape: Names) -> None:
        for x, y, text in shape.texts:
            self._one(Label(x, y, text, shape.size, shape.colour))

    @_one.register
    def _(self, shape: Stamps) -> None:
        for x, y in shape.places:
            for item in shape.items:
                self._one(moved_by(item, x, y))

    @_one.register
    def _(self, shape: BoardTile) -> None:
        tile = shape.tile
        picture = _picture(tile.data)
        if picture is None:
            return
        left, top, width, height = tile.crop
        part = picture.crop((left, top, left + width, top + height))
        if tile.reversed:
            part = part.transpose(Image.Transpose.ROTATE_180)
        x, y = self.at(tile.x, tile.y)
        # only what lies on the canvas is scaled up
        scale = tile.scale * self.scale
        box = (
            max(0, math.floor(-x / scale)),
            max(0, math.floor(-y / scale)),
            min(width, math.ceil((self.canvas.width - x) / scale)),
            min(height, math.ceil((self.canvas.height - y) / scale)),
        )
        if box[0] >= box[2] or box[1] >= box[3]:
            return
        size = (round((box[2] - box[0]) * scale), round((box[3] - box[1]) * scale))
        seen = part.resize(size, Image.Resampling.BICUBIC, box=box)
        self.canvas.paste(seen, (round(x + box[0] * scale), round(y + box[1] * scale)))

    @_one.register
    def _(self, shape: CounterArt) -> None:
        size = (max(1, round(shape.width * self.scale)), max(1, round(shape.height * self.scale)))
        art = _picture(shape.data, "RGBA")
        if art is None:
            return
        art = art.resize(size, Image.Resampling.BICUBIC)
        x, y = self.at(shape.x, shape.y)
        self.canvas.paste(art, (round(x), round(y)), art)

    @_one.register
    def _(self, shape: View) -> None:
        x, y = self.at(shape.x, shape.y)
        size = (round(shape.width * self.scale), round(shape.height * self.scale))
        window = Image.new("RGB", size, "#ffffff")
        scale = self.scale * shape.scale
        _Painter(window, scale, (-shape.left * scale, -shape.top * scale)).paint(shape.items)
        self.canvas.paste(window, (round(x), round(y)))

    def _line(self, points: list[Point], stroke: Stroke) -> None:
        """A line with round joints; dashes are cut along it."""
        width = max(1, round(stroke.width * self.scale))
        colour = _rgba(stroke.colour, stroke.opacity)
        if not stroke.dash:
            self._solid(points, width, colour)
            return
        for piece in _dashes(points, [part * self.scale for part in stroke.dash]):
            self.pen.line(piece, fill=colour, width=width, joint="curve")

    def _solid(self, points: list[Point], width: int, colour: tuple[int, int, int, int]) -> None:
        self.pen.line(points, fill=colour, width=width, joint="curve")
        if width < 3 or colour[3] < 255:
            return
        r = width / 2
        for x, y in (points[0], points[-1]):
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=colour)


def _round_ring(box: tuple[float, float, float, float], radius: float) -> Iterator[Point]:
    """The outline of a rectangle with round corners as points."""
    left, top, right, bottom = box
    steps = max(1, int(radius / 2)) if radius > 0 else 0
    corners = (
        (right - radius, top + radius, -90.0),
        (right - radius, bottom - radius, 0.0),
        (left + radius, bottom - radius, 90.0),
        (left + radius, top + radius, 180.0),
    )
    for x, y, start in corners:
        for n in range(steps + 1):
            turn = math.radians(start + (90.0 * n / steps if steps else 0.0))
            yield x + radius * math.cos(turn), y + radius * math.sin(turn)


def _dashes(points: list[Point], pattern: list[float]) -> Iterator[list[Point]]:
    """The drawn pieces of a dashed line."""
    if sum(pattern) <= 0:
        yield points
        return
    index, left = 0, pattern[0]
    piece: list[Point] = [points[0]]
    for (xa, ya), (xb, yb) in itertools.pairwise(points):
        length = math.hypot(xb - xa, yb - ya)
        done = 0.0
        while length - done > left:
            done += left
            at = (xa + (xb - xa) * done / length, ya + (yb - ya) * done / length)
            if index % 2 == 0:
                yield [*piece, at]
            piece = [at]
            index += 1
            left = max(pattern[index % len(pattern)], 0.01)
        left -= length - done
        piece.append((xb, yb))
    if index % 2 == 0 and len(piece) > 1:
        yield piece


def _rgba(colour: str, opacity: float) -> tuple[int, int, int, int]:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return red, green, blue, round(255 * opacity)


def _picture(data: bytes, mode: str = "RGB") -> Image.Image | None:
    """A picture from a board archive or module; None when it is damaged or too large."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as picture:
                if picture.width * picture.height > MAX_IMAGE_PIXELS:
                    return None
                return picture.convert(mode)
    except (
        Image.DecompressionBombWarning,
        Image.DecompressionBombError,
        OSError,
        ValueError,
        SyntaxError,
    ):
        return None


def _plain(char: str) -> bool:
    """Whether pillow's own font has the character: Latin and its punctuation."""
    return ord(char) < 0x250 or char in "–—‘’“”…•"


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """Stretches of text for one font each, with whether they need the wide one."""
    run, wide = "", False
    for char in text:
        if unicodedata.combining(char):
            run += char
            continue
        needs = not _plain(char)
        if run and needs != wide:
            yield run, wide
            run = ""
        wide = needs
        run += char
    if run:
        yield run, wide


@lru_cache(maxsize=1)
def _chinese_file() -> str | None:
    return next((name for name in _CHINESE_FONTS if FilePath(name).is_file()), None)


@lru_cache(maxsize=64)
def _font(wide: bool, size: int) -> Font:
    """A font of a size in pixels."""
    name = _chinese_file() if wide else None
    if name is None:
        return ImageFont.load_default(size)
    index = 2 if name.endswith("NotoSansCJK-Regular.ttc") else 0
    return ImageFont.truetype(name, size, index=index)
