"""Overlay pieces made only of traits every VASSAL has (formats/writing.md 2).

Every one is named `MARK` and something, has no image, cannot be selected or moved, and needs no
stack; `clean` finds them by that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.report.picture import Point
from vassal_bridge.vassal.edit import piece_command

MARK: Final = "vassal-bridge:"
"""How the name of every added piece begins, and (behind ``- ``) every added chat line."""
MAP_NAME: Final = "Main Map"
MAP_ID: Final = "Map0"
"""A footprint wants the id of the map, not its name (writing.md 2)."""
_FIXED: Final = ("immob;ng;V", "")
_BARB: Final = (18.0, 0.45)
"""Length in pixels and angle in radians of an arrow's barbs."""

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
        return piece_command(id_, [_FIXED, *self.traits, basic])


def _plain(text: str) -> str:
    """A name without the characters that part fields, so that it needs no escaping."""
    return "".join(" " if char in ";/,\t\x1b\\'+" or ord(char) < 32 else char for char in text)


def colour_of(hexadecimal: str) -> Colour:
    """``#0b4fc4`` as three numbers.

    >>> colour_of("#0b4fc4")
    (11, 79, 196)
    """
    return tuple(int(hexadecimal[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[return-value]


def _rgb(colour: Colour | None) -> str:
    return "" if colour is None else ",".join(str(part) for part in colour)


def text_mark(
    name: str, at: Point, text: str, *, paper: Colour | None, ink: Colour, size: int = 11
) -> Mark:
    """A short text centred at a place: bold, on a coloured ground (none if `paper` is None)."""
    shown = text.replace("\t", " ").replace("\x1b", " ").replace("\n", " ")
    if shown.lstrip().lower().startswith("<html"):
        shown = "." + shown
    kind = f"label;;;{size};{_rgb(paper)};{_rgb(ink)};c;0;c;0;c;c;$label$;Dialog;1;0;TextLabel;"
    return Mark(name, round(at[0]), round(at[1]), ((kind, shown),))


def shade_mark(name: str, at: Point, *, colour: Colour, percent: int) -> Mark:
    """A hex shaded in a colour (area of effect of radius 0, always on)."""
    kind = f"AreaOfEffect;{_rgb(colour)};{percent};0;true;;;;true;;"
    return Mark(name, round(at[0]), round(at[1]), ((kind, "false"),))


def line_mark(
    name: str, points: Sequence[Point], *, colour: Colour, width: float, arrow: bool
) -> Mark:
    """A line through points, with an arrow head at the last one if wanted.

    Args:
        name: of the piece.
        points: at least two places in map pixels.
        colour: of the line.
        width: in pixels.
        arrow: whether it ends in a head.
    """
    drawn = [(round(x), round(y)) for x, y in points]
    (ax, ay), (bx, by) = points[-2], points[-1]
    if arrow:
        length, spread = _BARB
        back = math.atan2(ay - by, ax - bx)
        for side in (-spread, spread):
            barb = (
                round(bx + length * math.cos(back + side)),
                round(by + length * math.sin(back + side)),
            )
            drawn += [barb, drawn[len(points) - 1]]
        drawn.pop()
    ink = _rgb(colour)
    kind = f"footprint;;;true;true;0;{ink};{ink};100;100;2000;0;{width:.1f}"
    state = ";".join(["true", MAP_ID, str(len(drawn)), *(f"{x},{y}" for x, y in drawn)])
    return Mark(name, round(bx), round(by), ((kind, state),))
