"""Colours of pictures and counters; never the only sign: units have letters and dashes too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vassal_bridge.report.draw.scene import Dash


@dataclass(frozen=True, slots=True)
class Ink:
    """How one unit's marks are drawn."""

    colour: str
    dash: Dash


INKS: Final = (
    Ink("#0b4fc4", ()),
    Ink("#006b63", (7.0, 3.0)),
    Ink("#6a1fb0", (2.0, 3.0)),
    Ink("#8f4a00", (9.0, 3.0, 2.0, 3.0)),
    Ink("#a8127c", (4.0, 4.0)),
    Ink("#3a4757", (12.0, 4.0)),
    Ink("#5b3716", (1.0, 4.0)),
    Ink("#37379e", (10.0, 2.0, 2.0, 2.0, 2.0, 2.0)),
)
"""Dark enough for white letters (contrast 4.5:1 and more), unlike the greens of boards, and unlike
the red, green and black of the duties."""

ALARM: Final = "#d4002a"
"""Interdiction."""
PAPER: Final = "#ffffff"
INK: Final = "#161a1d"
FAINT: Final = "#5b646b"
RULE: Final = "#d5d9dc"

DUTIES: Final = {
    "eliminated": "#161a1d",
    "must": "#b3261e",
    "may": "#1f6f3a",
    "none": "#5b646b",
}

NATIONS: Final = {
    "German": ("#a9bccb", "#10202c"),
    "SS": ("#3f464d", "#f4f4f4"),
    "Russian": ("#b98a5a", "#24160a"),
    "Partisan": ("#a58f5f", "#201a0a"),
    "American": ("#8f9b63", "#171b08"),
    "British": ("#d3bd86", "#2a210b"),
    "French": ("#7ea9d8", "#0c2138"),
    "Italian": ("#b4b4ad", "#1e1e1a"),
    "Finnish": ("#dfe3e6", "#20303c"),
    "Hungarian": ("#9fb59a", "#142012"),
    "Axis Minor": ("#86b388", "#10240f"),
    "Allied Minor": ("#79b3a6", "#0c2620"),
    "Japanese": ("#e9c05c", "#2b1f04"),
    "Chinese": ("#c7d08a", "#22260a"),
}
PLAIN_NATION: Final = ("#d8d3c8", "#1f1c16")


def ink(index: int) -> Ink:
    """The ink of the unit with this index; colours come round again, letters do not."""
    return INKS[index % len(INKS)]


def mix(colour: str, other: str, share: float) -> str:
    """`colour` with a share of `other` in it."""
    one, two = _parts(colour), _parts(other)
    mixed = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
