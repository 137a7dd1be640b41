"""The answers on the map: duty badges, ends, best routes, barred hexsides, interdiction.

Marks stand where counters do not: badges on the lower rim of a hex, bars on hexsides, routes and
tints under the counters, ends in the middle of empty hexes and on the upper rim of full ones.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.report.catalogue import Catalogue, percent
from vassal_bridge.report.draw.colours import ALARM, DUTIES, PAPER, Ink, ink
from vassal_bridge.report.draw.scene import (
    Box,
    Circle,
    Dash,
    Group,
    Label,
    Path,
    Shape,
    Stroke,
    text_width,
)
from vassal_bridge.report.model import BarredHex, EndHex
from vassal_bridge.report.picture import HexShape, MapPicture, Point
from vassal_bridge.report.speech import Entry, Numbered, end_text, places, unit_line

SHOWN_ENDS: Final = 12
"""Ends per unit that get a number and a route on the map; the others get a small dot."""
SLOTS: Final[Mapping[int, tuple[Point, ...]]] = {
    1: ((0.0, 0.0),),
    2: ((-13.5, 0.0), (13.5, 0.0)),
    3: ((-13.5, -10.5), (13.5, -10.5), (0.0, 11.0)),
    4: ((-13.5, -10.5), (13.5, -10.5), (-13.5, 11.0), (13.5, 11.0)),
}
"""Where the marks of several units stand in one hex, from its centre."""
RIM: Final = 22.5
"""From the centre of a hex to the middle of the badge below its counters."""
ROW: Final = 13.5
"""Between two badges of one hex."""
CORNER: Final = 33.0
"""From the centre of a hex to its right or left corner, where no counters meet."""
EDGE: Final = 12.0
"""Least distance of a mark from the edge of the map."""
BEST: Final = (("class", "best"),)
MINOR: Final = (("class", "minor"),)
"""What the page shows of a unit in its overview, and only when the unit is chosen."""


@dataclass(frozen=True, slots=True)
class Layers:
    """An overlay in two parts, with the counters between them."""

    under: tuple[Shape, ...]
    over: tuple[Shape, ...]


@dataclass(frozen=True)
class Overlay:
    """Draws the marks of units on a map.

    Attributes:
        picture: the map.
        words: language of titles and badges.
        detailed: one unit alone: fire lanes and Known enemies too.
        numbered: ends per unit that get a number and a route; the others get a small dot.
    """

    picture: MapPicture
    words: Catalogue
    detailed: bool = False
    numbered: int = SHOWN_ENDS

    @property
    def unit(self) -> float:
        """Scale of the map: 1 where a hex is 64.5 high."""
        return self.picture.hex_height / 64.5

    def layers(self, entries: Sequence[Entry]) -> Layers:
        """The marks of all these units, arranged so that none hides another."""
        shapes = self.picture.by_name()
        full = {counter.hex for counter in self.picture.counters}
        marks = self._placed(entries, shapes, full)
        under: list[Shape] = []
        over: list[Shape] = []
        for entry in entries:
            under += self.routes(entry, shapes, len(entries))
        under += self._crosses(entries, shapes, full)
        badged = {entry.unit.hex for entry in entries}
        for entry in entries:
            if self.detailed:
                over += self.known(entry, shapes)
            over += self.bars(entry, shapes, badged)
        over += marks
        over += self._badges(entries, shapes)
        return Layers(tuple(under), tuple(over))

    # ends

    def _placed(
        self, entries: Sequence[Entry], shapes: Mapping[str, HexShape], full: set[str | None]
    ) -> list[Shape]:
        """The marks of all ends, several in one hex side by side."""
        there: dict[str, list[tuple[Entry, Numbered]]] = {}
        for entry in entries:
            for n, each in enumerate(entry.moves):
                if each.end.hex not in shapes:
                    continue
                if n < self.numbered:
                    there.setdefault(each.end.hex, []).append((entry, each))
        found: list[Shape] = []
        for name, here in there.items():
            slots = _slots(len(here))
            for (entry, each), slot in zip(here, slots, strict=True):
                at = self._spot(shapes[name], slot, crowded=name in full)
                found.append(self.end_mark(entry, each, at, small=len(here) > 4))
        for entry in entries:
            found += self._dots(entry, shapes, full)
        return found

    def _spot(self, shape: HexShape, slot: Point, *, crowded: bool) -> Point:
        """Where a mark stands: about the centre, or in a corner when counters lie there."""
        x, y = shape.centre
        dx, dy = slot
        if crowded:
            dx, dy = (-CORNER if dx < 0 else CORNER), dy * 0.9
        return self._on_map((x + dx * self.unit, y + dy * self.unit))

    def _on_map(self, at: Point) -> Point:
        """The point, moved away from the edge of the map: centres of half hexes lie on it."""
        edge = EDGE * self.unit
        x = min(max(at[0], edge), self.picture.width - edge)
        return x, min(max(at[1], edge), self.picture.height - edge)

    def unit_layers(
        self, entry: Entry, slots: Mapping[str, Point], badged: Container[str]
    ) -> Layers:
        """The marks of one unit for the page, where units are shown and hidden by themselves.

        Args:
            entry: the unit.
            slots: where its marks stand in hexes that are best for several units; elsewhere they
                stand in the middle.
            badged: hexes with badges, this unit's and the others'.
        """
        shapes = self.picture.by_name()
        full = {counter.hex for counter in self.picture.counters}
        under: list[Shape] = list(self.routes(entry, shapes))
        under += self._crosses([entry], shapes, full)
        bars = (*self.known(entry, shapes), *self.bars(entry, shapes, badged))
        over: list[Shape] = [Group(bars, None, MINOR)]
        best: list[Shape] = []
        minor: list[Shape] = list(self._dots(entry, shapes, full))
        for n, each in enumerate(entry.moves[: self.numbered]):
            if each.end.hex in shapes:
                slot = slots.get(each.end.hex, (0.0, 0.0)) if n == 0 else (0.0, 0.0)
                at = self._spot(shapes[each.end.hex], slot, crowded=each.end.hex in full)
                (best if n == 0 else minor).append(self.end_mark(entry, each, at))
        over.append(Group(tuple(minor), None, (("class", "minor marks"),)))
        over.append(Group(tuple(best), None, (("class", "best marks"),)))
        return Layers(tuple(under), tuple(over))

    def best_slots(self, entries: Sequence[Entry]) -> dict[str, dict[str, Point]]:
        """For each unit (by id) where its best end stands in its hex, beside those of others."""
        there: dict[str, list[str]] = {}
        for entry in entries:
            for each in entry.moves[:1]:
                there.setdefault(each.end.hex, []).append(entry.unit.id)
        found: dict[str, dict[str, Point]] = {}
        for hex_, ids in there.items():
            for unit_id, slot in zip(ids, _slots(len(ids)), strict=True):
                found.setdefault(unit_id, {})[hex_] = slot
        return found

    def end_mark(self, entry: Entry, each: Numbered, at: Point, *, small: bool = False) -> Group:
        """The mark of one end: round on foot, square by Low Crawl, framed for both."""
        u = self.unit * (0.8 if small else 1.0)
        end, colour = each.end, ink(entry.index).colour
        text = entry.letter + each.label
        wide = max(18.0 * u, text_width(text, 11 * u, bold=True) + 8 * u)
        high = 17.0 * u
        x, y = at
        box = (x - wide / 2, y - high / 2, wide, high)
        items: list[Shape] = []
        if end.how == "crawl":
            edge = Stroke(colour, 1.8 * u, (3 * u, 1.6 * u))
            items.append(Box(*box, 2.5 * u, PAPER, 1.0, edge))
            items.append(Label(x, y, text, 11 * u, colour, bold=True))
        else:
            if end.how == "both":
                more = 2.6 * u
                frame = (box[0] - more, box[1] - more, wide + 2 * more, high + 2 * more)
                edge = Stroke(colour, 1.3 * u, (3 * u, 1.8 * u))
                items.append(Box(*frame, 3.5 * u, PAPER, 0.92, edge))
            items.append(Box(*box, high / 2, colour, 1.0, Stroke(PAPER, 1.4 * u)))
            items.append(Label(x, y, text, 11 * u, PAPER, bold=True))
        if end.interdictions and end.survival is not None:
            odds = percent(end.survival)
            low = y + 15 * u < self.picture.height - 5 * u
            at_y = y + 15 * u if low else y - 15 * u
            items.append(Label(x, at_y, odds, 9.5 * u, ALARM, bold=True, halo=PAPER))
        title = f"{text}: {end.hex}, {end_text(end, entry.unit, self.words)}"
        return Group(tuple(items), title, (("class", "m"), ("data-hex", end.hex)))

    def _dots(
        self, entry: Entry, shapes: Mapping[str, HexShape], full: Container[str | None]
    ) -> Iterable[Shape]:
        """Ends beyond the numbered ones."""
        colour = ink(entry.index).colour
        for each in entry.moves[self.numbered :]:
            if each.end.hex in shapes:
                crowded = each.end.hex in full
                x, y = self._spot(shapes[each.end.hex], (0.0, 0.0), crowded=crowded)
                r = 4.2 * self.unit
                dot = Circle(x, y, r, colour, 1.0, Stroke(PAPER, 1.2 * self.unit))
                way = end_text(each.end, entry.unit, self.words)
                yield Group((dot,), f"{entry.letter}{each.label}: {each.end.hex}, {way}")

    # routes

    def routes(
        self, entry: Entry, shapes: Mapping[str, HexShape], units: int = 1
    ) -> Iterable[Shape]:
        """Tints of the end hexes and the best routes, every stretch drawn once.

        The route to the best end comes last, in a group of its own.
        """
        mine = ink(entry.index)
        shown = [each.end for each in entry.moves[: self.numbered] if each.end.hex in shapes]
        if not shown:
            return
        minor: list[Shape] = []
        if self.detailed:
            minor += [Path(shapes[end.hex].polygon, True, mine.colour, 0.16) for end in shown]
        shift = self._shift(entry.index, units)
        seen: set[tuple[str, str]] = set()
        best: list[Shape] = []
        for end in shown:
            into = best if end is shown[0] else minor
            for step in _steps(entry.unit.hex, end):
                if step in seen or not all(name in shapes for name in step):
                    continue
                seen.add(step)
                a, b = (self._moved(shapes[name].centre, shift) for name in step)
                into += self._stretch(a, b, mine, crawl=end.crawled)
        yield Group(tuple(minor), marks=MINOR)
        yield Group(tuple(best), marks=BEST)

    def _shift(self, index: int, units: int) -> Point:
        """A small offset per unit, so that routes over the same hexes lie side by side."""
        if units <= 1:
            return (0.0, 0.0)
        turn = 2 * math.pi * (index % units) / units
        return (4.5 * self.unit * math.cos(turn), 4.5 * self.unit * math.sin(turn))

    def _moved(self, at: Point, by: Point) -> Point:
        return self._on_map((at[0] + by[0], at[1] + by[1]))

    def _stretch(self, a: Point, b: Point, mine: Ink, *, crawl: bool) -> Iterable[Shape]:
        """From one hex to the next."""
        u = self.unit
        dash = (1.5 * u, 3.5 * u) if crawl else tuple(part * u for part in mine.dash)
        return stretch(a, b, mine.colour, dash, (2.4 if crawl else 3.2) * u, u)

    # enemies

    def known(self, entry: Entry, shapes: Mapping[str, HexShape]) -> Iterable[Shape]:
        """A frame round the counters of each Known enemy."""
        edge = Stroke(ink(entry.index).colour, 2.2 * self.unit, (5 * self.unit, 3 * self.unit))
        half = 22.5 * self.unit
        for hex_ in dict.fromkeys(enemy.hex for enemy in entry.unit.known_units):
            if hex_ in shapes:
                x, y = shapes[hex_].centre
                yield Box(x - half, y - half, 2 * half, 2 * half, 6 * self.unit, None, 1.0, edge)

    # barred

    def bars(
        self, entry: Entry, shapes: Mapping[str, HexShape], badged: Container[str] = ()
    ) -> Iterable[Shape]:
        """Bars on the hexsides it may not cross, each with its rule.

        Args:
            entry: the unit.
            shapes: hexes by name.
            badged: hexes with badges on their lower rims; the label of a bar keeps off them.
        """
        if entry.unit.hex not in shapes:
            return
        home = shapes[entry.unit.hex].centre
        for barred in entry.unit.barred:
            if barred.hex in shapes:
                inside = barred.hex in badged
                yield self._bar(entry, barred, home, shapes[barred.hex].centre, inside=inside)

    def _bar(
        self, entry: Entry, barred: BarredHex, home: Point, there: Point, *, inside: bool
    ) -> Group:
        u, colour = self.unit, ink(entry.index).colour
        dx, dy = there[0] - home[0], there[1] - home[1]
        length = math.hypot(dx, dy) or 1.0
        nx, ny = dx / length, dy / length
        middle = (home[0] + dx / 2 - 2.5 * u * nx, home[1] + dy / 2 - 2.5 * u * ny)
        half = 14.0 * u
        ends = (
            (middle[0] - half * -ny, middle[1] - half * nx),
            (middle[0] + half * -ny, middle[1] + half * nx),
        )
        items: list[Shape] = [
            Path(ends, stroke=Stroke(PAPER, 5.6 * u, (), 0.9)),
            Path(ends, stroke=Stroke(colour, 3.2 * u)),
        ]
        if barred.rule != "R23":
            size = 8.0 * u
            wide, high = text_width(barred.rule, size, bold=True) + 4 * u, 10.5 * u
            x, y = self._bar_label(middle, (nx, ny), inside=inside)
            edge = Stroke(colour, 1.0 * u)
            items.append(Box(x - wide / 2, y - high / 2, wide, high, 2 * u, PAPER, 1.0, edge))
            items.append(Label(x, y, barred.rule, size, colour, bold=True))
        title = f"{entry.letter}: {barred.hex} – {barred.text} [{barred.rule}]"
        return Group(tuple(items), title)

    def _bar_label(self, middle: Point, to: Point, *, inside: bool) -> Point:
        """Where the rule stands beside a bar: beyond it, clear of badges."""
        u = self.unit
        x, y = middle[0] + to[0] * 6.5 * u, middle[1] + to[1] * 6.5 * u
        if to[1] < -0.9 and inside:
            return middle[0] - 9 * u, middle[1] + 6 * u
        if to[1] > 0.9:
            return x + 6 * u, y - 0.5 * u
        return (x + math.copysign(7 * u, to[0]), y - 2.5 * u) if to[1] > 0 else (x, y)

    # interdiction

    def _crosses(
        self, entries: Sequence[Entry], shapes: Mapping[str, HexShape], full: set[str | None]
    ) -> list[Shape]:
        """One cross hair per interdicted hex, with how many enemies can; fire lanes in detail."""
        by: dict[str, dict[str, None]] = {}
        ends: set[str] = set()
        best: set[str] = set()
        for entry in entries:
            for n, each in enumerate(entry.moves[: self.numbered]):
                ends.add(each.end.hex)
                for met in each.end.interdictions:
                    by.setdefault(met.hex, {}).update(dict.fromkeys(met.by))
                    if n == 0:
                        best.add(met.hex)
        found: list[Shape] = []
        if self.detailed:
            where = {counter.id: counter.hex for counter in self.picture.counters}
            found.append(Group(tuple(self._lanes(by, where, shapes)), None, MINOR))
        for name, enemies in by.items():
            if name in shapes:
                x, y = shapes[name].centre
                if name in full:
                    x -= CORNER * self.unit
                elif name in ends:
                    x, y = x + 20 * self.unit, y - 17 * self.unit
                marks = BEST if name in best else MINOR
                found.append(self._cross((x, y), name, tuple(enemies), marks))
        return found

    def _lanes(
        self,
        by: Mapping[str, Iterable[str]],
        where: Mapping[str, str | None],
        shapes: Mapping[str, HexShape],
    ) -> Iterable[Shape]:
        for name, enemies in by.items():
            for enemy in enemies:
                start = where.get(enemy)
                if start in shapes and name in shapes:
                    line = (shapes[str(start)].centre, shapes[name].centre)
                    dash = (2 * self.unit, 3 * self.unit)
                    yield Path(line, stroke=Stroke(ALARM, 1.3 * self.unit, dash, 0.8))

    def _cross(
        self, at: Point, name: str, enemies: tuple[str, ...], marks: tuple[tuple[str, str], ...]
    ) -> Group:
        sign = cross_hair(at, str(len(enemies)), self.unit)
        title = self.words.say(
            "end.interdicted", hex=name, enemies=self.words.join(places(enemies))
        )
        return Group(sign.items, title, (*marks, ("data-hex", name)))

    # badges

    def badges(self, entries: Sequence[Entry]) -> tuple[Group, ...]:
        """The badges of all these units, those of one hex one under the other."""
        return tuple(self._badges(entries, self.picture.by_name()))

    def _badges(self, entries: Sequence[Entry], shapes: Mapping[str, HexShape]) -> Iterable[Group]:
        rows: dict[str, int] = {}
        for entry in entries:
            if entry.unit.hex not in shapes:
                continue
            row = rows.get(entry.unit.hex, 0)
            rows[entry.unit.hex] = row + 1
            yield self.badge(entry, self._badge_spot(shapes[entry.unit.hex].centre, row))

    def _badge_spot(self, centre: Point, row: int) -> Point:
        """Two badges below the counters, then two above, then over one another below."""
        x, y = centre
        side, step = (1, row) if row < 2 else (-1, row - 2)
        return x, y + side * (RIM + ROW * min(step, 1)) * self.unit

    def badge(self, entry: Entry, at: Point) -> Group:
        """Letter in the unit's ink, duty in the duty's colour."""
        u = self.unit
        x, y = at
        size, high = 9.0 * u, 13.0 * u
        text = self.words.say(f"badge.{entry.unit.duty}")
        if entry.unit.becomes_dm:
            text += " +DM"
        if entry.unit.certainty != "certain":
            text += " ?"
        left = text_width(entry.letter, size, bold=True) + 6 * u
        right = text_width(text, size, bold=True) + 6 * u
        start = x - (left + right) / 2
        colour, duty = ink(entry.index).colour, DUTIES[entry.unit.duty]
        items: tuple[Shape, ...] = (
            Box(start - 1.2 * u, y - high / 2 - 1.2 * u, left + right + 2.4 * u, high + 2.4 * u,
                3.6 * u, PAPER),
            Box(start, y - high / 2, left + right, high, 2.6 * u, duty),
            Box(start, y - high / 2, left, high, 2.6 * u, colour),
            Label(start + left / 2, y, entry.letter, size, PAPER, bold=True),
            Label(start + left + right / 2, y, text, size, PAPER, bold=True),
        )  # fmt: skip
        unit = entry.unit
        line = unit_line(unit, entry.place, self.words)
        title = f"{entry.letter}: {line}, {self.words.say(f'duty.{unit.duty}.long')}"
        return Group(items, title, (("class", "badge"), ("data-unit", unit.id)))


def _slots(count: int) -> tuple[Point, ...]:
    """Where `count` marks stand in one hex; more than four in rows of three, closer together."""
    if count in SLOTS:
        return SLOTS[count]
    rows = -(-count // 3)
    spots = []
    for n in range(count):
        row, column = divmod(n, 3)
        in_row = min(3, count - 3 * row)
        spots.append(((column - (in_row - 1) / 2) * 21.0, (row - (rows - 1) / 2) * 16.0))
    return tuple(spots)


def stretch(
    a: Point, b: Point, colour: str, dash: Dash, width: float, unit: float
) -> tuple[Shape, ...]:
    """A line from one hex to the next, with a head in the gap between their counters."""
    return (
        Path((a, b), stroke=Stroke(PAPER, width + 2.6 * unit, (), 0.85)),
        Path((a, b), stroke=Stroke(colour, width, dash)),
        _head(a, b, 0.6, 7.5 * unit, colour),
    )


def cross_hair(at: Point, text: str, unit: float) -> Group:
    """The sign of interdiction with a short text in it."""
    x, y = at
    r = 7.5 * unit
    items: list[Shape] = [Circle(x, y, r + 1.6 * unit, PAPER, 0.92)]
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        line = (
            (x + dx * r * 0.72, y + dy * r * 0.72),
            (x + dx * r * 1.5, y + dy * r * 1.5),
        )
        items.append(Path(line, stroke=Stroke(ALARM, 2.0 * unit)))
    items.append(Circle(x, y, r, None, 1.0, Stroke(ALARM, 1.8 * unit)))
    items.append(Label(x, y, text, 9 * unit, ALARM, bold=True))
    return Group(tuple(items))


def _steps(start: str, end: EndHex) -> Iterable[tuple[str, str]]:
    """The steps of a route as pairs of hexes."""
    return zip((start, *end.path), end.path, strict=False)


def _head(a: Point, b: Point, share: float, size: float, colour: str) -> Path:
    """An arrow head on the way from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1.0
    nx, ny = dx / length, dy / length
    x, y = a[0] + dx * share, a[1] + dy * share
    tip = (x + nx * size * 0.75, y + ny * size * 0.75)
    left = (x - nx * size * 0.6 - ny * size * 0.7, y - ny * size * 0.6 + nx * size * 0.7)
    right = (x - nx * size * 0.6 + ny * size * 0.7, y - ny * size * 0.6 - nx * size * 0.7)
    return Path((tip, left, right), True, colour, 1.0, Stroke(PAPER, 1.3 * size / 7.5))
