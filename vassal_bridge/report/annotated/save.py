"""The annotated save: the same game with the answer drawn on its map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.report.annotated.marks import (
    Colour,
    Mark,
    colour_of,
    line_mark,
    shade_mark,
    text_mark,
)
from vassal_bridge.report.annotated.places import COUNTER, EDGE, Placer, Sheet, text_size
from vassal_bridge.report.catalogue import Catalogue, Lang, percent, words_in
from vassal_bridge.report.draw.colours import ALARM, DUTIES, INK, PAPER, ink
from vassal_bridge.report.model import Report, UnitReport
from vassal_bridge.report.picture import Point
from vassal_bridge.report.speech import Entry, Numbered, entries, headline
from vassal_bridge.vassal import Saved, clean_text
from vassal_bridge.vassal.edit import Editor, chat_command
from vassal_bridge.vassal.ourmarks import MARK

WHITE: Final[Colour] = colour_of(PAPER)
BLACK: Final[Colour] = colour_of(INK)
RED: Final[Colour] = colour_of(ALARM)
SHOWN_ENDS: Final = 9
"""Ends of one unit that get a mark; a map full of marks is read by nobody."""
MANY_UNITS, FEW_ENDS = 10, 4
"""With more units than this on the map, each gets marks on fewer ends."""
LANE: Final = 4
"""Sideways distance of the routes of two units, in pixels."""
BADGE, NUMBER, RULE, ALERT, LINE = 11, 13, 10, 12, 14
"""Sizes of letters: duty, number of an end, rule of a barred hex, interdiction, legend."""
LEGEND_PITCH, LEGEND_ROWS, LEGEND_WIDTH = 20, 16, 1100
"""Pixels from line to line, most units, pixels of the widest line of the legend."""
SHIFTS: Final = (0.0, -6.0, 6.0, -12.0, 12.0, -20.0, 20.0, -30.0, 30.0, -42.0, 42.0)
"""Sideways places of a text above or below counters, in pixels from the middle."""
LOST: Final = 0.25
"""A rule beside a barred hexside is left out where more than this share of it could not be read."""


def annotate_save(
    saved: Saved,
    report: Report,
    sheet: Sheet,
    lang: Lang = "en",
    unit: str | None = None,
    step: int | None = None,
) -> Saved:
    """A copy of a save with overlay pieces for every broken unit, and a summary in the chat.

    In a log both come as a step of their own behind the one the report is about. Marks of an
    earlier annotation are replaced. The file itself is not touched.

    Args:
        saved: the game.
        report: what to show.
        sheet: the map.
        lang: language of labels and chat.
        unit: id of the only unit to show, None = all.
        step: of a log the step after which the report sees the game; 0 and None: as it begins.

    Raises:
        FormatError: the text has no ``end_save``.
    """
    text, _ = clean_text(saved.text)
    words = words_in(lang)
    listed = [entry for entry in entries(report) if unit in (None, entry.unit.id)]
    lines = [headline(report, words), *summary_lines(listed, words)]
    marks = list(_Drawing(listed, sheet, words).marks())
    editor = Editor(text)
    ids = editor.free_ids(len(marks))
    drawn = [mark.command(id_) for mark, id_ in zip(marks, ids, strict=True)]
    said = [f"- {MARK} {chat_safe(line)}" for line in lines]
    if step:
        editor.insert_step(step, [*drawn, *map(chat_command, said)])
    else:
        editor.add_pieces(drawn)
        editor.add_chat(said)
    return saved.with_text(editor.text())


def summary_lines(listed: Sequence[Entry], words: Catalogue) -> Iterator[str]:
    """One line a unit that routs: who, duty, the plainest reason, the best end."""
    for entry in listed:
        if entry.unit.duty != "none":
            yield unit_line(entry, words)


def unit_line(entry: Entry, words: Catalogue) -> str:
    """A unit in one line of the chat and the legend."""
    unit = entry.unit
    parts = [f"{entry.letter} {unit.name} {entry.place}: {words.say('duty.' + unit.duty)}"]
    if unit.certainty != "certain":
        parts[0] += f" ({words.say('certainty.' + unit.certainty)})"
    if entry.moves:
        best = entry.moves[0].end
        odds = "" if best.survival is None else f" {percent(best.survival)}"
        parts.append(f"{entry.letter}1 = {best.hex}{odds}")
    if unit.reasons:
        parts.append(f"{unit.reasons[0].text.rstrip('.。')} [{unit.reasons[0].rule}]")
    return " - ".join(parts)


def chat_safe(line: str) -> str:
    """A line the chat shows as it is: no line breaks, nothing taken for HTML (writing.md 3)."""
    shown = "".join(c if c.isprintable() else " " for c in line)
    return " ".join(shown.replace("<", "‹").replace(">", "›").split())


@dataclass(frozen=True, slots=True)
class _Group:
    """Units of one hex of which all the same is to be shown; most often a single one.

    Attributes:
        letter: theirs: ``A``, ``AB``, ``A-D``.
        entries: the units, of which the first stands for all.
    """

    letter: str
    entries: tuple[Entry, ...]

    @property
    def unit(self) -> UnitReport:
        return self.entries[0].unit

    @property
    def index(self) -> int:
        return self.entries[0].index

    @property
    def moves(self) -> tuple[Numbered, ...]:
        return self.entries[0].moves

    @property
    def colour(self) -> Colour:
        return colour_of(ink(self.index).colour)


def _grouped(active: Iterable[Entry]) -> list[_Group]:
    alike: dict[tuple[object, ...], list[Entry]] = {}
    for entry in active:
        unit = entry.unit
        ends = tuple((each.end.hex, each.end.how, each.label) for each in entry.moves)
        best = tuple(entry.moves[0].end.path) if entry.moves else ()
        barred = tuple((barred.hex, barred.rule) for barred in unit.barred)
        rule = unit.reasons[0].rule if unit.reasons else ""
        key = (unit.hex, unit.duty, unit.certainty, rule, ends, best, barred, tuple(_met(entry)))
        alike.setdefault(key, []).append(entry)
    return [_Group(_letters(found), tuple(found)) for found in alike.values()]


def _letters(found: Sequence[Entry]) -> str:
    letters = [entry.letter for entry in found]
    in_row = [entry.index - found[0].index for entry in found] == [*range(len(found))]
    return f"{letters[0]}-{letters[-1]}" if in_row and len(found) > 2 else "".join(letters)


class _Drawing:
    """The marks of all units, what matters most getting the best places.

    They are drawn in this order: shades and lines first, texts above them.
    """

    def __init__(self, listed: Sequence[Entry], sheet: Sheet, words: Catalogue) -> None:
        self._active = [entry for entry in listed if entry.unit.duty != "none"]
        self._groups = _grouped(self._active)
        self._sheet = sheet
        self._words = words
        self._placer = Placer(sheet.boxes)
        self._shown = SHOWN_ENDS if len(self._groups) <= MANY_UNITS else FEW_ENDS

    def marks(self) -> Iterator[Mark]:
        flat = [*self._shades(), *self._bars(), *self._routes()]
        texts = [self._badge(group) for group in self._groups]
        texts += [self._number(group, each) for group, each in self._ends(first=True)]
        texts += self._alerts()
        texts += [self._number(group, each) for group, each in self._ends(first=False)]
        texts += self._rules()
        yield from flat
        yield from texts
        yield from self._legend()

    # --- shades and lines ---------------------------------------------------------------------

    def _ends(self, *, first: bool) -> Iterator[tuple[_Group, Numbered]]:
        """The ends shown, the best of every unit before all others."""
        for rank in range(1) if first else range(1, self._shown):
            for group in self._groups:
                if rank < len(group.moves):
                    yield group, group.moves[rank]

    def _shades(self) -> Iterator[Mark]:
        """Every hex in which a unit may end; one that several reach in the first one's colour."""
        done: set[str] = set()
        for group, each in (*self._ends(first=True), *self._ends(first=False)):
            hex_ = each.end.hex
            if hex_ not in done:
                done.add(hex_)
                name = f"{group.letter}{each.label} hex"
                at = self._sheet.centre(hex_)
                yield shade_mark(name, at, colour=group.colour, percent=22)

    def _bars(self) -> Iterator[Mark]:
        """A red bar on each hexside that is barred."""
        done: set[tuple[str, str]] = set()
        for group in self._groups:
            for barred in group.unit.barred:
                side = (group.unit.hex, barred.hex)
                ends = None if side in done else _hexside(self._sheet, *side)
                done.add(side)
                if ends is not None:
                    yield line_mark(f"{group.letter} barred", ends, colour=RED, width=5.0)

    def _routes(self) -> Iterator[Mark]:
        """The best route as an arrow, moved aside a little so that two units' routes part."""
        for group in self._groups:
            if not group.moves:
                continue
            best = group.moves[0].end
            aside = LANE * (group.index % 5 - 2)
            way = [self._sheet.centre(hex_) for hex_ in (group.unit.hex, *best.path)]
            points = [(x + aside, y + aside) for x, y in way]
            if len(points) < 2:
                continue
            full = self._sheet.occupied(best.hex) is not None
            points[-1] = _short_of(points[-2], points[-1], 31.0 if full else 14.0)
            width = 2.5 if best.crawled else 4.0
            name = f"{group.letter}1 route"
            yield line_mark(name, points, colour=group.colour, width=width, arrow=True)

    # --- texts --------------------------------------------------------------------------------

    def _badge(self, group: _Group) -> Mark:
        """Letter, duty and the rule that decides, below the counters of the hex."""
        unit = group.unit
        doubt = "" if unit.certainty == "certain" else "?"
        rule = f" {unit.reasons[0].rule}" if unit.reasons else ""
        text = f"{group.letter} {self._words.say('badge.' + unit.duty)}{doubt}{rule}"
        at = self._place(unit.hex, text, BADGE)
        paper = colour_of(DUTIES[unit.duty])
        return text_mark(
            f"{group.letter} {unit.duty} {unit.name}", at, text, paper=paper, ink=WHITE, size=BADGE
        )

    def _number(self, group: _Group, each: Numbered) -> Mark:
        """The number of an end; those reached only by Low Crawl have a ``c`` and a white ground."""
        how = each.end.how
        text = f"{group.letter}{each.label}" + {"crawl": "c", "both": "+c"}.get(how, "")
        at = self._place(each.end.hex, text, NUMBER)
        colour = group.colour
        paper, letters = (WHITE, colour) if how == "crawl" else (colour, WHITE)
        name = f"{group.letter}{each.label} end"
        return text_mark(name, at, text, paper=paper, ink=letters, size=NUMBER)

    def _alerts(self) -> Iterator[Mark]:
        """An exclamation mark in every hex of the best route where the unit is interdicted."""
        for group in self._groups:
            for hex_ in _met(group.entries[0]):
                text = f"{group.letter}!"
                at = self._place(hex_, text, ALERT)
                name = f"{group.letter} interdicted"
                yield text_mark(name, at, text, paper=RED, ink=WHITE, size=ALERT)

    def _rules(self) -> Iterator[Mark]:
        """The rule beside each barred hexside, where there is room for it."""
        done: set[tuple[str, str, str]] = set()
        for group in self._groups:
            start = self._sheet.centre(group.unit.hex)
            for barred in group.unit.barred:
                key = (group.unit.hex, barred.hex, barred.rule)
                ends = None if key in done else _hexside(self._sheet, group.unit.hex, barred.hex)
                done.add(key)
                if ends is None:
                    continue
                text = f"×{barred.rule}"
                width, height = text_size(text, RULE)
                beyond = self._sheet.centre(barred.hex)
                middles = list(_beside(start, ends, beyond, width, height))
                at = self._placer.put(middles, width, height, limit=LOST)
                if at is not None:
                    name = f"{group.letter} barred {barred.rule}"
                    yield text_mark(name, at, text, paper=WHITE, ink=RED, size=RULE)

    def _place(self, hex_: str, text: str, size: int) -> Point:
        width, height = text_size(text, size)
        spots = _spots(self._sheet, hex_, width, height)
        at = self._placer.put(spots, width, height, self._sheet.bounds(hex_))
        assert at is not None  # noqa: S101  (without a limit there always is a place)
        return at

    def _legend(self) -> Iterator[Mark]:
        """Beside the boards: every unit in a line, and what the signs mean."""
        say = self._words.say
        lines = [
            (_fitting(unit_line(entry, self._words)), colour_of(ink(entry.index).colour))
            for entry in self._active[:LEGEND_ROWS]
        ]
        if not lines:
            return
        key = (
            f"A1 {say('key.end')}; A2c {say('key.crawl')}; A3+c {say('key.both')}; "
            f"×R38 {say('key.barred')}; A! {say('key.interdicted')}"
        )
        lines.append((key, BLACK))
        width = max(text_size(text, LINE)[0] for text, _ in lines)
        height = float(LEGEND_PITCH * len(lines))
        free = Placer((*self._sheet.boxes, *self._sheet.notes))
        at = free.put(self._margins(width, height), width, height)
        if at is None:
            return
        for row, (text, colour) in enumerate(lines):
            start = (at[0] - width / 2, at[1] - height / 2 + LEGEND_PITCH * (row + 0.5))
            yield text_mark(
                f"legend {row + 1}", start, text, paper=colour, ink=WHITE, size=LINE, just="l"
            )

    def _margins(self, width: float, height: float) -> Iterator[Point]:
        """Places for the legend above and below the boards, inside VASSAL's edge."""
        left, top, right, bottom = self._sheet.boards
        for near in (8.0, 60.0, 120.0):
            for y in (top - near - height / 2, bottom + near + height / 2):
                for start in (left, right - width, left - 200.0):
                    if start >= 8 and y - height / 2 >= 8 and y + height / 2 < bottom + EDGE:
                        yield start + width / 2, y


def _fitting(line: str) -> str:
    """A line of the legend, cut where it gets too wide."""
    while text_size(line, LINE)[0] > LEGEND_WIDTH:
        line = line[:-2] + "…"
    return line


def _met(entry: Entry) -> Iterable[str]:
    """Hexes of the best route in which it is interdicted."""
    if not entry.moves:
        return ()
    return dict.fromkeys(found.hex for found in entry.moves[0].end.interdictions if found.by)


def _spots(sheet: Sheet, hex_: str, width: float, height: float) -> Iterator[Point]:
    """Places for a text that belongs to a hex, the best first."""
    x, y = sheet.centre(hex_)
    box = sheet.occupied(hex_)
    if box is None:
        yield x, y
        for row in (1, -1):
            yield x, y + row * (height + 1)
        for column in (1, -1, 2, -2):
            for row in (0, 1, -1):
                yield x + column * (width + 1), y + row * (height + 1)
        return
    below, above = box.bottom + height / 2 + 0.5, box.top - height / 2 - 0.5
    left, right = box.left - width / 2 - 0.5, box.right + width / 2 + 0.5
    for shift in SHIFTS:
        yield x + shift, below
    for shift in SHIFTS:
        yield x + shift, above
    for up in (0.0, 1.0, -1.0, 2.0, -2.0):
        yield left, y + up * COUNTER / 4
        yield right, y + up * COUNTER / 4
    for row in (1, 2):
        for shift in (0.0, -width - 1, width + 1):
            yield x + shift, below + row * (height + 1)
            yield x + shift, above - row * (height + 1)


def _beside(
    start: Point, side: tuple[Point, Point], beyond: Point, width: float, height: float
) -> Iterator[Point]:
    """Places for a short text just beyond a hexside, the nearest first."""
    mx, my = (side[0][0] + side[1][0]) / 2, (side[0][1] + side[1][1]) / 2
    dx, dy = beyond[0] - start[0], beyond[1] - start[1]
    far = max((dx * dx + dy * dy) ** 0.5, 1.0)
    ux, uy = dx / far, dy / far
    away = 4 + abs(ux) * width / 2 + abs(uy) * height / 2
    for more in (0.0, 5.0, 10.0):
        for along in (0.0, 8.0, -8.0):
            yield mx + ux * (away + more) - uy * along, my + uy * (away + more) + ux * along


def _hexside(sheet: Sheet, hex_: str, neighbour: str) -> tuple[Point, Point] | None:
    """The ends of a bar on the hexside of two hexes; None when they share none."""
    here, there = list(sheet.corners(hex_)), list(sheet.corners(neighbour))
    shared = [one for one in here if any(_near(one, other) for other in there)]
    if len(shared) != 2:
        return None
    # hexes of the outermost column are cut in half: nothing is drawn beside the boards
    (ax, ay), (bx, by) = (_inside(sheet, corner) for corner in shared)
    return (
        (ax + (bx - ax) * 0.12, ay + (by - ay) * 0.12),
        (bx + (ax - bx) * 0.12, by + (ay - by) * 0.12),
    )


def _inside(sheet: Sheet, point: Point) -> Point:
    """The point, or the nearest one on the boards."""
    left, top, right, bottom = sheet.boards
    return min(max(point[0], left), right), min(max(point[1], top), bottom)


def _near(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) < 4 and abs(one[1] - other[1]) < 4


def _short_of(before: Point, end: Point, gap: float) -> Point:
    """A point `gap` pixels before the end of a line, but not behind its middle."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1.0)
    share = max(0.5, 1 - gap / length)
    return before[0] + dx * share, before[1] + dy * share
