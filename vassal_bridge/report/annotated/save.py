"""The annotated save: the same game with the answer drawn on its map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from vassal_bridge.report.annotated.clean import clean_text
from vassal_bridge.report.annotated.marks import (
    MARK,
    Colour,
    Mark,
    colour_of,
    line_mark,
    shade_mark,
    text_mark,
)
from vassal_bridge.report.catalogue import Catalogue, Lang, percent, words_in
from vassal_bridge.report.draw.colours import ALARM, DUTIES, ink
from vassal_bridge.report.model import Report
from vassal_bridge.report.picture import Point
from vassal_bridge.report.speech import Entry, Numbered, entries
from vassal_bridge.vassal import Saved
from vassal_bridge.vassal.edit import Editor

Place = Callable[[str], Point]
"""Centre of a hex in map pixels, VASSAL's edge included."""

WHITE: Final[Colour] = (255, 255, 255)
SHOWN_ENDS: Final = 9
"""Ends of one unit that get a mark; a map full of marks is read by nobody."""
RIM: Final = 26
"""From the centre of a hex down to the badge, below a counter at VASL's scale."""
TOP: Final = -27
"""From the centre of a hex up to the number of an end where a counter lies."""
SPREAD: Final = 15
"""Sideways distance of the marks of two units in one hex."""
LANE: Final = 4
"""Sideways distance of the routes of two units."""


def annotate_save(saved: Saved, report: Report, place: Place, lang: Lang = "en") -> Saved:
    """A copy of a save with overlay pieces for every broken unit, and a summary in the chat.

    Marks of an earlier annotation are replaced. The file itself is not touched.

    Args:
        saved: the game.
        report: what to show.
        place: where the hexes are.
        lang: language of labels and chat.

    Raises:
        FormatError: the text has no ``end_save``.
    """
    text, _ = clean_text(saved.text)
    words = words_in(lang)
    listed = entries(report)
    marks = list(_marks(listed, place, words))
    editor = Editor(text)
    ids = editor.free_ids(len(marks))
    editor.add_pieces(mark.command(id_) for mark, id_ in zip(marks, ids, strict=True))
    editor.add_chat(f"- {MARK} {line}" for line in summary_lines(listed, words))
    return saved.with_text(editor.text())


def summary_lines(listed: Sequence[Entry], words: Catalogue) -> Iterator[str]:
    """One line a unit: who, duty, the plainest reason, the best end."""
    for entry in listed:
        unit = entry.unit
        if unit.duty == "none":
            continue
        parts = [f"{entry.letter} {unit.name} {unit.hex}: {words.say('duty.' + unit.duty)}"]
        if unit.reasons:
            parts.append(f"{unit.reasons[0].text.rstrip('.。')} [{unit.reasons[0].rule}]")
        if entry.moves:
            parts.append(f"{entry.letter}1 = {entry.moves[0].end.hex}")
        yield chat_safe(" - ".join(parts))


def chat_safe(line: str) -> str:
    """A line the chat shows as it is: no line breaks, nothing taken for HTML (writing.md 3)."""
    return " ".join(line.replace("<", "‹").replace(">", "›").split())


def _marks(listed: Sequence[Entry], place: Place, words: Catalogue) -> Iterator[Mark]:
    active = [entry for entry in listed if entry.unit.duty != "none"]
    occupied = {entry.unit.hex for entry in active}
    taken: dict[str, int] = {}
    for entry in active:
        yield from _routes(entry, place)
    for entry in active:
        yield from _ends(entry, place, taken, occupied)
        yield from _barred(entry, place)
        yield from _interdictions(entry, place)
    badges: dict[str, int] = {}
    for entry in active:
        row = badges.get(entry.unit.hex, 0)
        badges[entry.unit.hex] = row + 1
        yield _badge(entry, place, row, words)


def _badge(entry: Entry, place: Place, row: int, words: Catalogue) -> Mark:
    """Letter, duty and the rule that decides, below the counters of the hex."""
    unit = entry.unit
    x, y = place(unit.hex)
    rule = f" {unit.reasons[0].rule}" if unit.reasons else ""
    text = f"{entry.letter} {words.say('duty.' + unit.duty)}{rule}"
    if entry.moves:
        best = entry.moves[0]
        odds = best.end.survival
        text += f" > {best.end.hex}" + (f" {percent(odds)}" if odds is not None else "")
    name = f"{entry.letter} {unit.name} {unit.duty}"
    paper = colour_of(DUTIES[unit.duty])
    return text_mark(name, (x, y + RIM + 13 * row), text, paper=paper, ink=WHITE, size=10)


def _colour(entry: Entry) -> Colour:
    return colour_of(ink(entry.index).colour)


def _routes(entry: Entry, place: Place) -> Iterator[Mark]:
    """The best route as an arrow, moved aside a little so that two units' routes part."""
    if not entry.moves:
        return
    best = entry.moves[0].end
    aside = LANE * (entry.index % 5 - 2)
    points = [
        (x + aside, y + aside) for x, y in (place(hex_) for hex_ in (entry.unit.hex, *best.path))
    ]
    if len(points) > 1:
        name = f"{entry.letter}1 route"
        yield line_mark(name, points, colour=_colour(entry), width=4.0, arrow=True)


def _ends(entry: Entry, place: Place, taken: dict[str, int], occupied: set[str]) -> Iterator[Mark]:
    """Numbered ends, best first; crawl hexes have a ``c`` and reversed colours."""
    colour = _colour(entry)
    for each in entry.moves[:SHOWN_ENDS]:
        hex_ = each.end.hex
        x, y = place(hex_)
        slot = taken.get(hex_, 0)
        taken[hex_] = slot + 1
        if slot == 0:
            yield shade_mark(f"{entry.letter}{each.label}", (x, y), colour=colour, percent=22)
        at = (x + SPREAD * _side(slot), y + (TOP if hex_ in occupied else 0))
        crawl = each.end.how == "crawl"
        paper, text_ink = (WHITE, colour) if crawl else (colour, WHITE)
        name = f"{entry.letter}{each.label} end"
        yield text_mark(name, at, _end_text(entry, each), paper=paper, ink=text_ink, size=12)


def _side(slot: int) -> int:
    """0, 1, -1, 2, -2 …: marks in one hex spread to both sides."""
    return (slot + 1) // 2 * (1 if slot % 2 else -1)


def _end_text(entry: Entry, each: Numbered) -> str:
    crawl = "c" if each.end.how in ("crawl", "both") else ""
    return f"{entry.letter}{each.label}{crawl}"


def _barred(entry: Entry, place: Place) -> Iterator[Mark]:
    """A cross and the rule on the hexside to each barred neighbour."""
    x, y = place(entry.unit.hex)
    red = colour_of(ALARM)
    for barred in entry.unit.barred:
        bx, by = place(barred.hex)
        at = (x + (bx - x) * 0.56, y + (by - y) * 0.56)
        text = f"×{barred.rule}"
        yield text_mark(f"{entry.letter} barred", at, text, paper=None, ink=red, size=9)


def _interdictions(entry: Entry, place: Place) -> Iterator[Mark]:
    """An exclamation mark in every hex of the best route where the unit is interdicted."""
    red = colour_of(ALARM)
    for met in _met(entry):
        x, y = place(met)
        yield text_mark(
            f"{entry.letter} interdicted", (x + 20, y - 12), "!", paper=red, ink=WHITE, size=13
        )


def _met(entry: Entry) -> Iterable[str]:
    if not entry.moves:
        return ()
    return dict.fromkeys(found.hex for found in entry.moves[0].end.interdictions if found.by)
