"""The panel beside the map: what it is, each unit in a few lines, and the key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from vassal_bridge.report import speech
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.draw.colours import ALARM, DUTIES, FAINT, INK, PAPER, RULE, ink
from vassal_bridge.report.draw.counters import counter
from vassal_bridge.report.draw.scene import (
    Box,
    Circle,
    Label,
    Path,
    Shape,
    Stroke,
    moved_by,
    text_width,
    wrap,
)
from vassal_bridge.report.model import Report
from vassal_bridge.report.picture import CounterShape

WIDTH: Final = 400.0
MARGIN: Final = 18.0
BODY: Final = 13.0
SMALL: Final = 11.5
LINE: Final = 17.0
LISTED: Final = 9
"""Ends per unit that are written out."""


@dataclass
class Panel:
    """Writes lines from top to bottom.

    Attributes:
        words: the language.
        limit: height at which a new column begins.
        left: left edge of the column.
        y: where the next line goes.
        height: of the tallest column so far.
        items: what has been written.
    """

    words: Catalogue
    limit: float
    left: float = 0.0
    y: float = MARGIN
    height: float = 0.0
    items: list[Shape] = field(default_factory=list)

    @property
    def width(self) -> float:
        """Of all columns together."""
        return self.left + WIDTH

    def fill(self, report: Report, entries: Sequence[speech.Entry]) -> None:
        """Write everything."""
        words = self.words
        self.line(words.say("title"), 19, bold=True)
        self.line(report.source.file, BODY, FAINT)
        self.line(speech.rules_line(report, words), SMALL, FAINT)
        self.y += 4
        self.line(speech.headline(report, words), BODY, bold=True)
        for entry in entries:
            self.unit(entry)
            if self.y > self.limit:
                self._new_column()
        self.height = max(self.height, self.y + MARGIN)

    @property
    def last(self) -> float:
        """Lower end of the last column."""
        return self.y + MARGIN

    def _new_column(self) -> None:
        self.height = max(self.height, self.y + MARGIN)
        self.left += WIDTH
        self.y = MARGIN

    def line(
        self,
        text: str,
        size: float = BODY,
        colour: str = INK,
        *,
        indent: float = 0.0,
        bold: bool = False,
    ) -> None:
        """A paragraph, broken to the width of the panel."""
        room = WIDTH - 2 * MARGIN - indent
        step = max(LINE * size / BODY, size * 1.28)
        for part in wrap(text, size * (1.06 if bold else 1.0), room):
            self.y += step / 2
            x = self.left + MARGIN + indent
            self.items.append(Label(x, self.y, part, size, colour, "start", bold))
            self.y += step / 2

    def rule(self) -> None:
        """A thin line across."""
        self.y += 8
        x = self.left + MARGIN
        self.items.append(
            Path(((x, self.y), (x + WIDTH - 2 * MARGIN, self.y)), stroke=Stroke(RULE, 1))
        )
        self.y += 8

    def unit(self, entry: speech.Entry) -> None:
        """One unit: letter, name, duty, the reasons, its ends."""
        words, unit = self.words, entry.unit
        self.rule()
        self._head(entry)
        self.y += 4
        for point in speech.points(unit.reasons)[:3]:
            self.line(speech.tell(point, words), SMALL)
        for reading in unit.readings:
            self.line(reading.text, SMALL, FAINT)
        if unit.certainty == "unknown":
            self.line(words.say("certainty.unknown.long"), SMALL, FAINT)
        if not entry.moves:
            return
        self.y += 3
        for each in entry.moves[:LISTED]:
            self._end(entry, each)
        rest = entry.moves[LISTED:]
        if rest:
            hexes = words.join(each.end.hex for each in rest)
            self.line(words.say("end.more", count=len(rest), hexes=hexes), SMALL, FAINT, indent=34)

    def _head(self, entry: speech.Entry) -> None:
        words, unit = self.words, entry.unit
        x, high = self.left + MARGIN, 20.0
        self.y += 2
        size = BODY
        wide = max(20.0, text_width(entry.letter, size, bold=True) + 9)
        self.items.append(Box(x, self.y, wide, high, 3, ink(entry.index).colour))
        middle = self.y + high / 2
        self.items.append(Label(x + wide / 2, middle, entry.letter, size, PAPER, bold=True))
        name = speech.unit_line(unit, words)
        self.items.append(Label(x + wide + 8, middle, name, 14, INK, "start", bold=True))
        duty = words.say(f"duty.{unit.duty}").upper()
        if unit.becomes_dm:
            duty += " +DM"
        span = text_width(duty, 11, bold=True) + 12
        right = self.left + WIDTH - MARGIN
        self.items.append(Box(right - span, self.y, span, high, 3, DUTIES[unit.duty]))
        self.items.append(Label(right - span / 2, middle, duty, 11, PAPER, bold=True))
        self.y += high

    def _end(self, entry: speech.Entry, each: speech.Numbered) -> None:
        label = f"{entry.letter}{each.label}"
        top = self.y
        text = f"{each.end.hex}: {speech.end_text(each.end, self.words)}"
        self.line(text, SMALL, indent=34)
        colour = ink(entry.index).colour
        y = top + LINE * SMALL / BODY / 2
        self.items.append(Label(self.left + MARGIN + 28, y, label, SMALL, colour, "end", bold=True))


def key(
    words: Catalogue, left: float, top: float, width: float, *, detailed: bool = False
) -> tuple[list[Shape], float]:
    """What the signs of the map mean, in as many columns as fit.

    Args:
        words: the language.
        left: left edge.
        top: upper edge.
        width: room across.
        detailed: the picture is of one unit and marks its Known enemies.

    Returns:
        The shapes and the height they take.
    """
    columns = max(2, int((width - 2 * MARGIN) // 185))
    column = (width - 2 * MARGIN) / columns
    shown = tuple(each for each in signs() if detailed or each[0] != "key.known")
    rows = -(-len(shown) // columns)
    items: list[Shape] = [
        Label(left + MARGIN, top + 18, words.say("head.key"), BODY, INK, "start", bold=True)
    ]
    for n, (name, shapes) in enumerate(shown):
        x = left + MARGIN + (n // rows) * column
        y = top + 46 + (n % rows) * 29
        items += [moved_by(shape, x + 19, y) for shape in shapes]
        text = wrap(words.say(name), SMALL, column - 48)[:2]
        for k, part in enumerate(text):
            items.append(
                Label(x + 44, y + (k - (len(text) - 1) / 2) * 13, part, SMALL, INK, "start")
            )
    return items, 46 + rows * 29.0


def signs() -> Iterable[tuple[str, tuple[Shape, ...]]]:
    """The signs of the map about (0, 0), each with the key of its meaning."""
    first = ink(0).colour
    white = Stroke(PAPER, 1.4)
    yield (
        "key.end",
        (
            Box(-12, -8.5, 24, 17, 8.5, first, 1.0, white),
            Label(0, 0, "A1", 11, PAPER, bold=True),
        ),
    )
    yield (
        "key.crawl",
        (
            Box(-12, -8.5, 24, 17, 2.5, PAPER, 1.0, Stroke(first, 1.8, (3, 1.6))),
            Label(0, 0, "A2", 11, first, bold=True),
        ),
    )
    yield (
        "key.both",
        (
            Box(-14.6, -11.1, 29.2, 22.2, 3.5, PAPER, 1.0, Stroke(first, 1.3, (3, 1.8))),
            Box(-12, -8.5, 24, 17, 8.5, first, 1.0, white),
            Label(0, 0, "A3", 11, PAPER, bold=True),
        ),
    )
    yield (
        "key.route",
        (
            Path(((-18, 0), (18, 0)), stroke=Stroke(first, 3.2)),
            Path(((9, 0), (0.5, -5.5), (0.5, 5.5)), True, first, 1.0, Stroke(PAPER, 1.2)),
        ),
    )
    yield (
        "key.barred",
        (
            Path(((-14, 6), (14, 6)), stroke=Stroke(first, 3.2)),
            Box(-12, -9, 24, 11, 2, PAPER, 1.0, Stroke(first, 1)),
            Label(0, -3.5, "R38", 8, first, bold=True),
        ),
    )
    yield "key.interdicted", (
        Circle(0, 0, 7.5, None, 1.0, Stroke(ALARM, 1.8)),
        *(Path(((dx * 5.4, dy * 5.4), (dx * 11.5, dy * 11.5)), stroke=Stroke(ALARM, 2))
          for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))),
        Label(0, 0, "2", 9, ALARM, bold=True),
    )  # fmt: skip
    yield "key.odds", (Label(0, 0, "42%", 11, ALARM, bold=True),)
    broken = CounterShape("", None, "4-4-7", "Russian", "squad", ("broken", "dm"))
    yield "key.broken", (counter(broken, (0.0, 0.0), 24.0),)
    edge = Stroke(first, 2.2, (5, 3))
    enemy = CounterShape("", None, "4-6-7", "German", "squad")
    yield (
        "key.known",
        (
            counter(enemy, (0.0, 0.0), 17.0),
            Box(-12, -12, 24, 24, 4, None, 1.0, edge),
        ),
    )
