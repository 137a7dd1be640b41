"""Puts map, overlay and panel together into one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vassal_bridge.report import speech
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.draw import panel
from vassal_bridge.report.draw.counters import stacks
from vassal_bridge.report.draw.ground import board
from vassal_bridge.report.draw.overlay import SHOWN_ENDS, Overlay
from vassal_bridge.report.draw.scene import (
    Box,
    Group,
    Path,
    Scene,
    Shape,
    Stroke,
    View,
    box_of,
    moved_by,
)
from vassal_bridge.report.model import Report
from vassal_bridge.report.picture import ArtProvider, MapPicture, Point

MARGIN_HEXES: Final = 1.1
"""Hexes shown around everything that matters."""
LEAST: Final = (430.0, 380.0)
"""Smallest part of the map shown, in pixels of a 64.5-high hex."""
ZOOM: Final = (1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1)
"""Enlargements of the map that are tried, for a hex of 64.5 pixels."""
WIDEST: Final = 1400.0
"""Widest the map part gets, in pixels, unless even the least enlargement is wider."""
MANY_UNITS: Final = 4
FEWER_ENDS: Final = 8
"""Ends per unit that get a number where there are more than `MANY_UNITS`."""
PAD: Final = 46.0
"""Paper shown beyond the edge of the map at most, in pixels of a 64.5-high hex: centres of half
hexes lie on the edge, and their counters and both badges below them are shown whole."""


def report_scene(
    report: Report,
    picture: MapPicture,
    words: Catalogue,
    *,
    whole_map: bool = False,
    unit: str | None = None,
    art: ArtProvider | None = None,
) -> Scene:
    """The picture of a report: map with overlay, panel beside it.

    Args:
        report: what to show.
        picture: the map.
        words: language of the panel; the report's texts are in it already.
        whole_map: everything instead of the part where something happens.
        unit: id of the only unit to show, None = all.
        art: gives the module's own counters.
    """
    entries = tuple(
        entry for entry in speech.entries(report) if unit is None or entry.unit.id == unit
    )
    box = interesting(picture, entries, whole_map=whole_map)
    cards = [panel.head_card(report, words)]
    numbered = _numbered(entries)
    cards += [panel.unit_card(entry, words, numbered=numbered) for entry in entries]
    alone = len(entries) == 1
    unused = panel.unused_signs(entries, numbered=numbered, known=alone)
    cards.append(panel.key_card(words, unused))
    page = _best_page(box, picture.hex_height / 64.5, cards)
    view = _map_view(picture, entries, box, page, words, art)
    edge = Stroke("#c4c9cd", 1)
    frame = Path(
        ((page.map_width, 0), (page.map_width, page.map_height), (0, page.map_height)), stroke=edge
    )
    items: list[Shape] = [view, frame]
    for card, (x, y) in zip(cards, page.places, strict=True):
        items += [moved_by(item, x, y) for item in card.items]
    title = f"{words.say('title')}: {report.source.file}"
    return Scene(page.width, page.height, tuple(items), lang=words.lang, title=title)


@dataclass(frozen=True, slots=True)
class _Page:
    """How a picture is laid out: map in the upper left corner, cards right of it and below."""

    scale: float
    map_width: float
    map_height: float
    places: tuple[Point, ...]
    width: float
    height: float


def _best_page(
    box: tuple[float, float, float, float], unit: float, cards: Sequence[panel.Card]
) -> _Page:
    """The layout that wastes the least room, over the usual enlargements of the map."""
    wide, high = box[2] - box[0], box[3] - box[1]
    most = max(ZOOM[0], WIDEST / wide)
    scales = [scale for scale in ZOOM if scale <= most]
    written = panel.WIDTH * sum(card.height for card in cards)

    def waste(page: _Page) -> float:
        return 1 - (page.map_width * page.map_height + written) / (page.width * page.height)

    pages = [_arranged(wide, high, scale / unit, cards) for scale in scales]
    return min(pages, key=waste)


def _arranged(wide: float, high: float, scale: float, cards: Sequence[panel.Card]) -> _Page:
    """Cards in order: down the right side, then wherever the column is shortest."""
    map_width, map_height = wide * scale, high * scale
    below = int(map_width // panel.WIDTH)
    lefts = [map_width, *(n * map_width / below for n in range(below))]
    ends = [0.0, *([map_height] * below)]
    places = []
    for card in cards:
        fits = ends[0] + card.height <= map_height
        column = 0 if fits else min(range(len(ends)), key=lambda n: (ends[n], n))
        places.append((lefts[column], ends[column]))
        ends[column] += card.height
    width, height = map_width + panel.WIDTH, max(map_height, *ends)
    return _Page(scale, map_width, map_height, tuple(places), width, height)


def _numbered(entries: Sequence[speech.Entry]) -> int:
    """Ends per unit that get a number on the map and are written out beside it."""
    return SHOWN_ENDS if len(entries) <= MANY_UNITS else FEWER_ENDS


def _map_view(
    picture: MapPicture,
    entries: tuple[speech.Entry, ...],
    box: tuple[float, float, float, float],
    page: _Page,
    words: Catalogue,
    art: ArtProvider | None,
) -> View:
    """The map with its overlay."""
    left, top, right, bottom = box
    overlay = Overlay(
        picture,
        words,
        detailed=len(entries) == 1,
        numbered=_numbered(entries),
    ).layers(entries)
    inside: tuple[Shape, ...] = (
        Box(left, top, right - left, bottom - top, 0, "#e9ece6"),
        board(picture, box),
        Group(overlay.under),
        Group(stacks(picture, art)),
        Group(overlay.over),
    )
    return View(0, 0, page.map_width, page.map_height, left, top, page.scale, inside)


def interesting(
    picture: MapPicture, entries: tuple[speech.Entry, ...], *, whole_map: bool = False
) -> tuple[float, float, float, float]:
    """The part of the map to show: left, upper, right, lower edge."""
    shapes = picture.by_name()
    names: dict[str, None] = {}
    for entry in entries:
        names[entry.unit.hex] = None
        names.update(dict.fromkeys(enemy.hex for enemy in entry.unit.known_units))
        for each in entry.moves[:SHOWN_ENDS]:
            names.update(dict.fromkeys(each.end.path))
    points: list[Point] = [shapes[name].centre for name in names if name in shapes]
    unit = picture.hex_height / 64.5
    pad = PAD * unit
    if whole_map or not points:
        return -pad, -pad, picture.width + pad, picture.height + pad
    left, top, right, bottom = box_of(points)
    margin = MARGIN_HEXES * picture.hex_height
    left, right = _span(left - margin, right + margin, LEAST[0] * unit, picture.width, pad)
    top, bottom = _span(top - margin, bottom + margin, LEAST[1] * unit, picture.height, pad)
    return left, top, right, bottom


def _span(low: float, high: float, least: float, whole: float, pad: float) -> tuple[float, float]:
    """The stretch made at least so long where the map allows.

    It is cut `pad` beyond the map's edges, and reaches beyond them only for what needs the room.
    """
    low, high = max(-pad, low), min(whole + pad, high)
    if high - low >= least:
        return low, high
    lowest, highest = min(0.0, low), max(whole, high)
    low = max(lowest, min((low + high - least) / 2, highest - least))
    return low, min(low + least, highest)
