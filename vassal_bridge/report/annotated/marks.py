"""Overlay pieces made only of traits every VASSAL has (formats/writing.md 2).

Every one is named `MARK` and something, has no image, cannot be selected or moved, and needs no
stack; `clean` finds them by that. VASSAL draws such pieces below the counters, in the order of the
file: what lies under a counter is not seen, so texts keep out of their way (see `places`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from vassal_bridge.report.picture import Point
from vassal_bridge.vassal.edit import piece_command
from vassal_bridge.vassal.ourmarks import FIXED_TYPE, MARK

MAP_NAME: Final = "Main Map"
MAP_ID: Final = "Map0"
"""A footprint wants the id of the map, not its name (writing.md 2)."""
NAME_CHARS: Final = 40
"""Longest name of an added piece, `MARK` not counted: other tools list it."""
TEXT_CHARS: Final = 240
"""Longest text of one label."""
BARB: Final = (18.0, 0.45)
"""Length in pixels and angle in radians of an arrow's barbs."""
PIXELS: Final = 10_000_000
"""Places beyond this many pixels are not believed; VASSAL counts pixels in 32 bits."""

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """One overlay piece, still without an id.

    Attributes:
        name: of the basic piece, without `MARK`; what the client's reports would show.
        x, y: map pixels.
        traits: type and state, outermost first, between the fixing trait and the basic piece.
    """

    name: str
    x: int
    y: int
    traits: tuple[tuple[str, str], ...]

    def command(self, id_: str) -> str:
        """The command that adds it."""
        basic = (f"piece;;;;{MARK} {_plain(self.name)}", f"{MAP_NAME};{self.x};{self.y};;0")
        return piece_command(id_, [(FIXED_TYPE, ""), *self.traits, basic])


def _plain(text: str) -> str:
    """A short name without the characters that part fields, so that it needs no escaping."""
    kept = "".join(char if char.isalnum() or char in " -." else " " for char in text)
    return " ".join(kept.split())[:NAME_CHARS]


def colour_of(hexadecimal: str) -> Colour:
    """``#0b4fc4`` as three numbers.

    >>> colour_of("#0b4fc4")
    (11, 79, 196)
    """
    return tuple(int(hexadecimal[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[return-value]


def _rgb(colour: Colour | None) -> str:
    return "" if colour is None else ",".join(str(part) for part in colour)


def label_text(text: str) -> str:
    r"""A text as a label shows it: one line, and no HTML, which VASSAL would render.

    >>> label_text("<HTML><b>A1\t\n")
    '‹HTML><b>A1'
    """
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:TEXT_CHARS]
    return "‹" + shown[1:] if shown[:5].casefold() == "<html" else shown


def text_mark(
    name: str,
    at: Point,
    text: str,
    *,
    paper: Colour | None,
    ink: Colour,
    size: int,
    just: Literal["c", "l"] = "c",
) -> Mark:
    """A short text at a place: bold, on a coloured ground.

    Args:
        name: of the piece.
        at: its middle, or the middle of its left end.
        text: one line; HTML in it is shown, not rendered.
        paper: colour of the ground, None for none.
        ink: colour of the letters.
        size: of the letters in pixels at full zoom.
        just: ``c`` = `at` is the middle, ``l`` = the left end.
    """
    look = f"{size};{_rgb(paper)};{_rgb(ink)};c;0;c;0;c;{just}"
    kind = f"label;;;{look};$label$;Dialog;1;0;TextLabel;"
    return Mark(name, _pixel(at[0]), _pixel(at[1]), ((kind, label_text(text)),))


def shade_mark(name: str, at: Point, *, colour: Colour, percent: int) -> Mark:
    """A hex shaded in a colour (area of effect of radius 0, always on)."""
    kind = f"AreaOfEffect;{_rgb(colour)};{percent};0;true;;;;true;;"
    return Mark(name, _pixel(at[0]), _pixel(at[1]), ((kind, "false"),))


def line_mark(
    name: str, points: Sequence[Point], *, colour: Colour, width: float, arrow: bool = False
) -> Mark:
    """A line through points, with an arrow head at the last one if wanted.

    Args:
        name: of the piece.
        points: at least two places in map pixels.
        colour: of the line.
        width: in pixels.
        arrow: whether it ends in a head.
    """
    drawn = [(_pixel(x), _pixel(y)) for x, y in points]
    tip = drawn[-1]
    if arrow:  # A, B, barb, B, barb: the client joins the last point with the piece, which is on B
        length, spread = BARB
        (ax, ay), (bx, by) = points[-2], points[-1]
        back = math.atan2(ay - by, ax - bx)
        ends = [
            (_pixel(bx + length * math.cos(turn)), _pixel(by + length * math.sin(turn)))
            for turn in (back - spread, back + spread)
        ]
        drawn += [ends[0], tip, ends[1]]
    ink = _rgb(colour)
    kind = f"footprint;;;true;true;0;{ink};{ink};100;100;2000;0;{width:.1f}"
    state = ";".join(["true", MAP_ID, str(len(drawn)), *(f"{x},{y}" for x, y in drawn)])
    return Mark(name, *tip, ((kind, state),))


def _pixel(value: float) -> int:
    return round(min(max(value, -PIXELS), PIXELS))
