"""The page of a report: map, units by urgency, everything about each, both languages.

Everything that needs no click is in the HTML itself (jinja2, autoescape); the map is the SVG of the
same overlay that the pictures use; the script shows, hides and explains hexes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import vassal_bridge
from vassal_bridge.report import speech
from vassal_bridge.report.apart import places_of
from vassal_bridge.report.catalogue import LANGS, Catalogue, percent, words_in
from vassal_bridge.report.draw.compose import interesting
from vassal_bridge.report.draw.counters import stacks
from vassal_bridge.report.draw.ground import board
from vassal_bridge.report.draw.overlay import SHOWN_ENDS, Overlay
from vassal_bridge.report.draw.panel import unused_signs
from vassal_bridge.report.job import Job
from vassal_bridge.report.model import AuditReport, BarredHex, EndHex, Report, UnitReport
from vassal_bridge.report.pagekit import (
    HIGHLIGHT,
    Both,
    Layer,
    both_words,
    json_safe,
    key_items,
    map_data,
    map_svg,
    page_bytes,
    policy,
    script,
    stylesheet,
    ui_words,
)
from vassal_bridge.report.picture import ArtProvider, MapPicture
from vassal_bridge.report.problems import gathered, told
from vassal_bridge.report.speech import Entry
from vassal_bridge.rout import Reason, why_not
from vassal_bridge.rout.position import Position

SHORTCUTS = (
    (("↑", "↓"), "ui.key.units"),
    (("c",), "ui.key.compare"),
    (("+", "−", "0"), "ui.key.zoom"),
    (("←", "→", "↑", "↓"), "ui.key.hexes"),
    (("Shift", "←"), "ui.key.pan"),
    (("l",), "ui.key.language"),
    (("d",), "ui.key.theme"),
    (("Esc",), "ui.key.escape"),
)
JS_WORDS = (
    "ui.map", "ui.units", "ui.theme", "ui.help", "ui.zoom-in", "ui.zoom-out", "ui.fit", "ui.whole",
    "ui.compare.with", "ui.hex.start", "ui.hex.far", "ui.hex.no", "ui.hex.no-free", "ui.hex.none",
    "ui.hex.dead", "ui.doubt.depends", "ui.doubt.unknown", "terrain.level", "list.sep",
)  # fmt: skip
ODDS = ("unreduced", "pinned", "reduced", "wounded", "eliminated")
"""Parts of the bar of odds, in its order."""
FULL_MF = 6
WOUNDED_MF = 3


def report_page(job: Job) -> bytes:
    """The page of a report, as a file."""
    words = both_words()
    reports = Both(job.report("en"), job.report("zh"))
    entries = [
        Both(en, zh)
        for en, zh in zip(speech.entries(reports.en), speech.entries(reports.zh), strict=True)
    ]
    code = script("map.js", "report.js", extra=job.options.live)
    style = stylesheet()
    report = reports.en
    svg = None
    if job.picture is not None:
        svg = _map(job.picture, [each.en for each in entries], job.options.art)
    context: dict[str, Any] = {
        "lang": job.options.lang,
        "title": "title",
        "hint": "ui.hex.start",
        "words": words,
        "file": report.source.file,
        "version": vassal_bridge.__version__,
        "csp": policy(style, code, live=job.options.live is not None),
        "css": style,
        "js": code,
        "svg": svg,
        "counts": duty_counts(report),
        "late": speech.late(report),
        "units": [_unit(each, words) for each in entries],
        "rules_line": Both(
            speech.rules_line(reports.en, words.en), speech.rules_line(reports.zh, words.zh)
        ),
        "boards": [
            Both(board_line(each, words.en), board_line(each, words.zh)) for each in report.boards
        ],
        "notes": notes_of(reports.en, reports.zh),
        "key": key_items(_unused(entries)) if svg else [],
        "rules": rules_named(report),
        "los": report.los or [],
        "shortcuts": SHORTCUTS,
        "data": json_safe(_data(job, reports, entries)),
    }
    return page_bytes("report.html.j2", context)


# -- the map -------------------------------------------------------------------------------------


def _map(picture: MapPicture, entries: Sequence[Entry], art: ArtProvider | None) -> str:
    """The SVG of the map: ground, routes, counters, marks, badges in both languages."""
    words = both_words()
    overlay = Overlay(picture, words.en, detailed=True)
    slots = overlay.best_slots(entries)
    badged = {entry.unit.hex for entry in entries}
    drawn = [
        (entry, overlay.unit_layers(entry, slots.get(entry.unit.id, {}), badged))
        for entry in entries
        if entry.unit.duty != "none"
    ]
    layers = [Layer([board(picture)])]
    layers += [_unit_layer(entry, each.under) for entry, each in drawn]
    layers += [HIGHLIGHT, Layer(stacks(picture, art))]
    layers += [_unit_layer(entry, each.over) for entry, each in drawn]
    for lang in LANGS:
        badges = Overlay(picture, words[lang]).badges(entries)
        layers.append(Layer(badges, (("class", lang),)))
    return map_svg(picture, layers)


def _unused(entries: Iterable[Both[Entry]]) -> frozenset[str]:
    """Signs that none of the units has, whichever is chosen."""
    return unused_signs([each.en for each in entries], numbered=SHOWN_ENDS)


def _unit_layer(entry: Entry, shapes: Sequence[Any]) -> Layer:
    return Layer(shapes, (("class", "u"), ("data-unit", entry.unit.id)))


# -- what the template shows ---------------------------------------------------------------------


def _unit(entry: Both[Entry], words: Both[Catalogue]) -> dict[str, Any]:
    en, zh = entry.en.unit, entry.zh.unit
    return {
        "id": en.id,
        "letter": entry.en.letter,
        "ink": entry.en.ink,
        "name": en.name,
        "hex": en.hex,
        "place": entry.en.place,
        "side": en.side,
        "duty": en.duty,
        "becomes_dm": en.becomes_dm,
        "doubt": en.certainty != "certain",
        "certainty": en.certainty,
        "why": _why(en, zh, words),
        "readings": [
            (one.text, two.text) for one, two in zip(en.readings, zh.readings, strict=True)
        ],
        "targets": _targets(en, zh),
        "free": en.free_rout,
        "ends": [
            _end(one, two, words) for one, two in zip(entry.en.moves, entry.zh.moves, strict=True)
        ],
        "stays": entry.en.stays,
        "barred": _hexes(en.barred, zh.barred, words),
        "ignored": _hexes(en.ignored, zh.ignored, words),
        "known": en.known_units,
        "stand": places_of(en.known_units),
        "companions": en.companion_units,
        "weapons": Both(speech.weapons_text(en, words.en), speech.weapons_text(zh, words.zh)),
    }


def _why(en: UnitReport, zh: UnitReport, words: Both[Catalogue]) -> list[tuple[str, str, str]]:
    return [
        (speech.said(one, words.en), speech.said(two, words.zh), one.reason.rule)
        for one, two in zip(speech.points(en.reasons), speech.points(zh.reasons), strict=True)
    ]


def _targets(en: UnitReport, zh: UnitReport) -> list[dict[str, Any]]:
    found = []
    for one, two in zip(en.targets, zh.targets, strict=True):
        because, also = one.because, two.because
        found.append(
            {
                "hex": one.hex,
                "mf": one.mf,
                "en": because.text if because else "",
                "zh": also.text if also else "",
                "rule": because.rule if because else "",
            }
        )
    return found


def _end(one: speech.Numbered, two: speech.Numbered, words: Both[Catalogue]) -> dict[str, Any]:
    end = one.end
    return {
        "hex": end.hex,
        "label": one.label,
        "how": end.how,
        "way": Both(_way(end, words.en), _way(two.end, words.zh)),
        "risk": Both(_risk(end, words.en), _risk(two.end, words.zh)),
        "risky": bool(end.interdictions),
        "odds": _odds(end),
        "events": [(a.text, b.text) for a, b in zip(end.events, two.end.events, strict=True)],
    }


def _way(end: EndHex, words: Catalogue) -> str:
    if end.crawled:
        return words.say("ui.way.crawl")
    text = words.say("mf", mf=end.mf)
    if len(end.path) > 1:
        text = words.say("mf.via", mf=end.mf, path=words.join(end.path[:-1]))
    if end.how == "both":
        text = words.template("clause.sep").join([text, words.say("ui.way.or-crawl")])
    return text


def _risk(end: EndHex, words: Catalogue) -> str:
    """Where it is interdicted, the odds stand beside it; nothing for a Low Crawl."""
    if end.how == "crawl":
        return ""
    return words.template("clause.sep").join(speech.interdicted_texts(end, words))


def _odds(end: EndHex) -> list[dict[str, Any]]:
    """The parts of the bar of odds that are not nothing; none at all where nothing can happen."""
    if end.odds is None or not end.interdictions:
        return []
    shares = [(name, getattr(end.odds, name)) for name in ODDS]
    starts = [0.0, *accumulate(share for _, share in shares)]
    return [
        {
            "name": name,
            "x": f"{100 * start:.2f}",
            "width": f"{100 * share:.2f}",
            "percent": percent(share),
        }
        for (name, share), start in zip(shares, starts, strict=False)
        if share > 0
    ]


def _hexes(
    en: Sequence[BarredHex], zh: Sequence[BarredHex], words: Both[Catalogue]
) -> list[dict[str, str]]:
    found = []
    for one, two in zip(en, zh, strict=True):
        first, second = speech.barred_points(one)[0], speech.barred_points(two)[0]
        found.append(
            {
                "hex": one.hex,
                "en": speech.said(first, words.en),
                "zh": speech.said(second, words.zh),
                "rule": first.reason.rule,
            }
        )
    return found


def duty_counts(report: Report) -> list[tuple[str, int]]:
    """How many units there are of each duty, the most pressing first."""
    duties = [unit.duty for unit in report.units]
    return [(duty, duties.count(duty)) for duty in speech.URGENCY if duty in duties]


def board_line(used: Any, words: Catalogue) -> str:
    """A board in a few words: ``z (6.2, reversed)``."""
    extra = [used.version or ""]
    if used.reversed:
        extra.append(words.say("board.reversed"))
    extra += used.rules
    more = words.join(filter(None, extra))
    return words.say("bracketed", text=used.name, more=more) if more else used.name


def notes_of(en: Report | AuditReport, zh: Report | AuditReport) -> list[tuple[str, str]]:
    """Assumptions and problems in both languages, each once."""
    pairs = zip(en.assumptions, zh.assumptions, strict=True)
    notes = [(one.text, two.text) for one, two in pairs]
    notes += [
        (told(en.problems, places, words_in("en")), told(zh.problems, places, words_in("zh")))
        for places in gathered(en.problems)
    ]
    return list(dict.fromkeys(notes))


def rules_named(report: Report) -> list[str]:
    """Every rule a reader can meet in the report, in order of number."""
    found = {"R51"} if any(unit.free_rout for unit in report.units) else set()
    for unit in report.units:
        found |= {reason.rule for reason in unit.reasons}
        found |= {target.because.rule for target in unit.targets if target.because}
        found |= {barred.rule for barred in (*unit.barred, *unit.ignored)}
        found |= {reading.rule for reading in unit.readings}
        if unit.companions:
            found.add("R71")
        if unit.keeps or unit.drops:
            found.add("R76")
    return in_order(found)


def in_order(rules: set[str]) -> list[str]:
    """Rule ids by number, and by letter: ``R8``, ``R73``, ``R73a``."""
    return sorted(rules, key=lambda name: (int("".join(filter(str.isdigit, name)) or 0), name))


# -- what the script knows -----------------------------------------------------------------------


def _data(job: Job, reports: Both[Report], entries: Sequence[Both[Entry]]) -> dict[str, Any]:
    words = both_words()
    picture = job.picture
    titles = {lang: f"{reports[lang].source.file} · {words[lang].say('title')}" for lang in LANGS}
    every = tuple(each.en for each in entries)
    texts = _Texts(job.loaded.position, words)
    return {
        **map_data(picture),
        "title": titles,
        "words": ui_words(JS_WORDS),
        "rules": {
            name: [words.en.rule(name), words.zh.rule(name)] for name in rules_named(reports.en)
        },
        "box": _box(picture, every),
        "units": [
            {
                "id": each.en.unit.id,
                "letter": each.en.letter,
                "ink": each.en.ink,
                "hex": each.en.unit.hex,
                "duty": each.en.unit.duty,
                "free": each.en.unit.free_rout,
                "mf": _allowance(job.loaded.position, each.en.unit.id),
                "box": _box(picture, (each.en,)),
                "ends": [
                    {
                        "hex": numbered.end.hex,
                        "path": numbered.end.path,
                        "met": [met.hex for met in numbered.end.interdictions],
                    }
                    for numbered in each.en.moves
                ],
                "notes": _hex_notes(each, words),
                "not": _why_not(job, each.en.unit.id, texts),
            }
            for each in entries
        ],
        "texts": texts.pairs,
    }


class _Texts:
    """Sentences that many hexes share, each kept once; a hex names its sentence by number."""

    def __init__(self, position: Position, words: Both[Catalogue]) -> None:
        self._units = position.by_id
        self._words = words
        self._numbers: dict[tuple[str, str], int] = {}

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The sentences in both languages, by number."""
        return list(self._numbers)

    def number(self, reason: Reason) -> int:
        """The number of a reason's sentence."""
        pair = (self._say(reason, self._words.en), self._say(reason, self._words.zh))
        return self._numbers.setdefault(pair, len(self._numbers))

    def _say(self, reason: Reason, words: Catalogue) -> str:
        text = words.reason(reason, self._units, brief=True).rstrip(".。")
        return words.say("sentence.ruled", text=text, also="", rule=reason.rule)


def _why_not(job: Job, unit_id: str, texts: _Texts) -> dict[str, int]:
    """For every hex in reach that is no end: the number of the sentence that says why."""
    found = why_not(job.loaded.position, unit_id)
    return {hex_: texts.number(reason) for hex_, reason in found.items()}


def _box(picture: MapPicture | None, entries: tuple[Entry, ...]) -> list[float] | None:
    if picture is None:
        return None
    return [round(edge, 1) for edge in interesting(picture, entries)]


def _allowance(position: Position, unit_id: str) -> int:
    """MF in the RtPh (R16, R17)."""
    unit = position.by_id.get(unit_id)
    return WOUNDED_MF if unit is not None and unit.is_smc and unit.wounded else FULL_MF


def _hex_notes(entry: Both[Entry], words: Both[Catalogue]) -> dict[str, tuple[str, str, str]]:
    """What each hex means to the unit: a sign and a sentence per language; the strongest wins."""
    one, two = _meanings(entry.en, words.en), _meanings(entry.zh, words.zh)
    return {hex_: (sign, text, two[hex_][1]) for hex_, (sign, text) in one.items()}


def _meanings(entry: Entry, words: Catalogue) -> dict[str, tuple[str, str]]:
    """Hex to (sign, sentence) in one language, later entries being stronger."""
    unit, colon = entry.unit, words.template("colon")
    found: dict[str, tuple[str, str]] = {}
    ways: dict[str, list[str]] = {}
    for each in entry.moves:
        for hex_ in each.end.path[:-1]:
            ways.setdefault(hex_, []).append(f"{entry.letter}{each.label}")
    for hex_, labels in ways.items():
        found[hex_] = ("way", words.say("ui.hex.way", ends=words.join(labels)))
    for enemy in unit.known_units:
        found[enemy.hex] = ("known", words.say("ui.hex.known", range=enemy.range))
    for barred in unit.ignored:
        text = speech.tell(speech.barred_points(barred)[0], words)
        found[barred.hex] = _joined(found.get(barred.hex), "no", text, words)
    for barred in unit.barred:
        text = speech.tell(speech.barred_points(barred)[0], words)
        found[barred.hex] = ("no", colon.join([words.say("ui.hex.barred"), text]))
    for target in unit.targets:
        text = words.say("ui.hex.target")
        why = speech.target_text(target, words).removeprefix(target.hex).strip()
        found[target.hex] = ("target", colon.join([text, why]))
    for each in entry.moves:
        way = speech.end_text(each.end, unit, words)
        text = colon.join([words.say("ui.hex.end"), way])
        line = f"{entry.letter}{each.label}  {text}"
        before = found.get(each.end.hex)
        if before is not None and before[0] == "target":
            line = words.template("clause.sep").join([line, before[1]])
        found[each.end.hex] = ("end", line)
    key = "ui.hex.stays" if entry.stays else "ui.hex.start-hex"
    duty = words.say(f"duty.{unit.duty}.long")
    found[unit.hex] = ("start", colon.join([words.say(key), duty]))
    return found


def _joined(
    before: tuple[str, str] | None, sign: str, text: str, words: Catalogue
) -> tuple[str, str]:
    """A second meaning behind a first one: on the way to an end, but no destination itself."""
    if before is None:
        return sign, text
    return before[0], words.template("clause.sep").join([before[1], text])
