"""Puts map, overlay and panel together into one picture."""

from __future__ import annotations

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
ZOOM: Final = (1.2, 2.1)
"""Least and greatest enlargement of the map."""
WIDEST: Final = 1400.0
"""Widest the map part gets, in pixels, unless even the least enlargement is wider."""
HIGHEST: Final = 1300.0
"""Height at which the panel begins a new column."""
PAD: Final = 8.0
"""Paper shown beyond the edge of the map."""


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
    side = panel.Panel(words, HIGHEST)
    side.fill(report, entries)
    shown = tuple(entry for entry in entries if entry.unit.duty != "none" or unit is not None)
    alone = len(shown) == 1
    view = _map_view(picture, shown, box, side.height, words, art)
    moved = [moved_by(item, view.width, 0.0) for item in side.items]
    below, below_high = panel.key(words, 0.0, view.height, view.width, detailed=alone)
    left = view.width + side.left
    beside, beside_high = panel.key(words, left, side.last + 6, panel.WIDTH, detailed=alone)
    tall_below = max(view.height + below_high, side.height)
    tall_beside = max(view.height, side.height, side.last + 6 + beside_high)
    legend, tall = (below, tall_below) if tall_below < tall_beside else (beside, tall_beside)
    edge = Path(((view.width, 0), (view.width, tall)), stroke=Stroke("#c4c9cd", 1))
    title = f"{words.say('title')}: {report.source.file}"
    items = (view, edge, *moved, *legend)
    return Scene(view.width + side.width, tall, items, lang=words.lang, title=title)


def _map_view(
    picture: MapPicture,
    entries: tuple[speech.Entry, ...],
    box: tuple[float, float, float, float],
    tall: float,
    words: Catalogue,
    art: ArtProvider | None,
) -> View:
    """The map with its overlay, as high as the panel where that is a common zoom."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    unit = picture.hex_height / 64.5
    scale = min(max(ZOOM[0], tall / high), ZOOM[1] / unit, max(ZOOM[0], WIDEST / wide))
    overlay = Overlay(picture, words, detailed=len(entries) == 1).layers(entries)
    paper = Box(left, top, wide, high, 0, "#e9ece6")
    inside: tuple[Shape, ...] = (
        paper,
        board(picture, box),
        Group(overlay.under),
        Group(stacks(picture, art)),
        Group(overlay.over),
    )
    return View(0, 0, wide * scale, high * scale, left, top, scale, inside)


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
    if whole_map or not points:
        return -PAD, -PAD, picture.width + PAD, picture.height + PAD
    left, top, right, bottom = box_of(points)
    unit = picture.hex_height / 64.5
    margin = MARGIN_HEXES * picture.hex_height
    left, right = _span(left - margin, right + margin, LEAST[0] * unit, picture.width)
    top, bottom = _span(top - margin, bottom + margin, LEAST[1] * unit, picture.height)
    return left, top, right, bottom


def _span(low: float, high: float, least: float, whole: float) -> tuple[float, float]:
    """The stretch made at least so long where the map allows, and cut at the map's edges."""
    if high - low < least:
        middle = (low + high) / 2
        low, high = middle - least / 2, middle + least / 2
        if low < 0:
            low, high = 0.0, least
        if high > whole:
            low, high = whole - least, whole
    return max(-PAD, low), min(whole + PAD, high)
