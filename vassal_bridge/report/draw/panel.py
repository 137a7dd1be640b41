"""The panel beside the map: what it is, each unit in a few lines, and the key."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
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
REASONS: Final = 3
"""Reasons per unit that are written out."""


@dataclass(frozen=True, slots=True)
class Card:
    """A block of the panel, `WIDTH` wide, drawn from (0, 0)."""

    items: tuple[Shape, ...]
    height: float


def head_card(report: Report, words: Catalogue) -> Card:
    """What the picture is of and what it is judged by."""
    pen = _Pen(words)
    pen.line(words.say("title"), 19, bold=True)
    pen.line(report.source.file, BODY, FAINT)
    pen.line(speech.rules_line(report, words), SMALL, FAINT)
    pen.y += 4
    pen.line(speech.headline(report, words), BODY, bold=True)
    return pen.card()


def unit_card(entry: speech.Entry, words: Catalogue, *, numbered: int) -> Card:
    """One unit: letter, name, duty, the reasons, its ends.

    Args:
        entry: the unit.
        words: the language.
        numbered: ends that are written out: those with a number on the map.
    """
    unit = entry.unit
    pen = _Pen(words, rule=True)
    pen.head(entry)
    pen.y += 4
    for point in speech.points(unit.reasons)[:REASONS]:
        pen.line(speech.tell(point, words), SMALL)
    for reading in unit.readings:
        pen.line(reading.text, SMALL, FAINT)
    if unit.certainty == "unknown":
        pen.line(words.say("certainty.unknown.long"), SMALL, FAINT)
    pen.y += 3
    for each in entry.moves[:numbered]:
        pen.end(entry, each)
    rest = entry.moves[numbered:]
    if rest:
        hexes = words.join(each.end.hex for each in rest)
        pen.line(words.say("end.more", count=len(rest), hexes=hexes), SMALL, FAINT, indent=34)
    return pen.card()


def key_card(words: Catalogue, unused: Container[str] = ()) -> Card:
    """What the signs of the map mean, in two columns.

    Args:
        words: the language.
        unused: keys of signs that are not on the map, as `unused_signs` finds them.
    """
    pen = _Pen(words, rule=True)
    pen.line(words.say("head.key"), BODY, bold=True)
    column = (WIDTH - 2 * MARGIN) / 2
    shown = tuple(each for each in signs() if each[0] not in unused)
    rows = -(-len(shown) // 2)
    for n, (name, shapes) in enumerate(shown):
        x = MARGIN + (n // rows) * column
        y = pen.y + 18 + (n % rows) * 29
        pen.items += [moved_by(shape, x + 19, y) for shape in shapes]
        text = wrap(words.say(name), SMALL, column - 48)[:2]
        for k, part in enumerate(text):
            row = y + (k - (len(text) - 1) / 2) * 13
            pen.items.append(Label(x + 44, row, part, SMALL, INK, "start"))
    pen.y += 4 + rows * 29.0
    return pen.card()


class _Pen:
    """Writes a card from top to bottom.

    Attributes:
        y: where the next line goes.
        items: what has been written.
    """

    def __init__(self, words: Catalogue, *, rule: bool = False) -> None:
        self.words = words
        self.y = MARGIN * 0.8
        self.items: list[Shape] = []
        if rule:
            line = ((MARGIN, 0.5), (WIDTH - MARGIN, 0.5))
            self.items.append(Path(line, stroke=Stroke(RULE, 1)))
            self.y = 9.0

    def card(self) -> Card:
        """What has been written."""
        return Card(tuple(self.items), self.y + 9.0)

    def line(
        self,
        text: str,
        size: float = BODY,
        colour: str = INK,
        *,
        indent: float = 0.0,
        bold: bool = False,
    ) -> None:
        """A paragraph, broken to the width of the card."""
        room = WIDTH - 2 * MARGIN - indent
        step = max(LINE * size / BODY, size * 1.28)
        for part in wrap(text, size * (1.06 if bold else 1.0), room):
            self.y += step / 2
            self.items.append(Label(MARGIN + indent, self.y, part, size, colour, "start", bold))
            self.y += step / 2

    def head(self, entry: speech.Entry) -> None:
        """Letter, name, duty."""
        words, unit = self.words, entry.unit
        high, size = 20.0, BODY
        self.y += 2
        wide = max(20.0, text_width(entry.letter, size, bold=True) + 9)
        self.items.append(Box(MARGIN, self.y, wide, high, 3, ink(entry.index).colour))
        middle = self.y + high / 2
        self.items.append(Label(MARGIN + wide / 2, middle, entry.letter, size, PAPER, bold=True))
        duty = words.say(f"duty.{unit.duty}").upper()
        if unit.becomes_dm:
            duty += " +DM"
        if unit.certainty != "certain":
            duty += " ?"
        span = text_width(duty, 11, bold=True) + 12
        right = WIDTH - MARGIN
        room = right - span - MARGIN - wide - 14
        name = _shortened(speech.unit_line(unit, entry.place, words), 14, room)
        self.items.append(Label(MARGIN + wide + 8, middle, name, 14, INK, "start", bold=True))
        self.items.append(Box(right - span, self.y, span, high, 3, DUTIES[unit.duty]))
        self.items.append(Label(right - span / 2, middle, duty, 11, PAPER, bold=True))
        self.y += high

    def end(self, entry: speech.Entry, each: speech.Numbered) -> None:
        """An end: its number, hex, way and risk."""
        label = f"{entry.letter}{each.label}"
        y = self.y + LINE * SMALL / BODY / 2
        colour = ink(entry.index).colour
        self.items.append(Label(MARGIN + 28, y, label, SMALL, colour, "end", bold=True))
        way = speech.end_text(each.end, entry.unit, self.words)
        text = self.words.template("colon").join([each.end.hex, way])
        self.line(text, SMALL, indent=34)


def _shortened(text: str, size: float, room: float) -> str:
    """The text cut to fit: names of counters may be of any length."""
    if text_width(text, size, bold=True) <= room:
        return text
    while text and text_width(text + "…", size, bold=True) > room:
        text = text[:-1]
    return text + "…"


def unused_signs(
    entries: Iterable[speech.Entry], *, numbered: int, known: bool = True
) -> frozenset[str]:
    """Keys of the rarer signs that none of these units has.

    Args:
        entries: the units.
        numbered: ends per unit that get a number; the others get a dot.
        known: Known enemies are marked at all: in pictures of one unit, and on the page.
    """
    found = {"key.known", "key.doubt", "key.dm", "key.dots", "key.enemy-hexside"}
    for entry in entries:
        unit = entry.unit
        if known and unit.known_units:
            found.discard("key.known")
        if unit.certainty != "certain":
            found.discard("key.doubt")
        if unit.becomes_dm:
            found.discard("key.dm")
        if len(entry.moves) > numbered:
            found.discard("key.dots")
        if any(barred.rule == "R23" for barred in unit.barred):
            found.discard("key.enemy-hexside")
    return frozenset(found)


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
    yield (
        "key.enemy-hexside",
        (
            Path(((-14, 0), (14, 0)), stroke=Stroke(PAPER, 5.6, (), 0.9)),
            Path(((-14, 0), (14, 0)), stroke=Stroke(first, 3.2)),
        ),
    )
    yield "key.interdicted", (
        Circle(0, 0, 7.5, None, 1.0, Stroke(ALARM, 1.8)),
        *(Path(((dx * 5.4, dy * 5.4), (dx * 11.5, dy * 11.5)), stroke=Stroke(ALARM, 2))
          for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))),
        Label(0, 0, "2", 9, ALARM, bold=True),
    )  # fmt: skip
    yield "key.dots", (Circle(0, 0, 4.2, first, 1.0, Stroke(PAPER, 1.2)),)
    for name, text in (("key.doubt", "?"), ("key.dm", "+DM")):
        half = text_width(text, 9, bold=True) / 2 + 4
        yield (
            name,
            (
                Box(-half, -6.5, 2 * half, 13, 2.6, DUTIES["must"]),
                Label(0, 0, text, 9, PAPER, bold=True),
            ),
        )
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
