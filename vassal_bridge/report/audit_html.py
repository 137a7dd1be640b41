"""The page of an audit: a list of findings to jump between, and the map before and after each.

Every stack that ever stood in a hex is drawn once; a moment of the log is a list of stacks to show.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import vassal_bridge
from vassal_bridge.report import html, speech
from vassal_bridge.report.catalogue import LANGS, Catalogue
from vassal_bridge.report.draw.colours import PAPER
from vassal_bridge.report.draw.compose import PAD
from vassal_bridge.report.draw.counters import stack
from vassal_bridge.report.draw.ground import board
from vassal_bridge.report.draw.overlay import cross_hair, stretch
from vassal_bridge.report.draw.scene import Box, Group, Path, Shape, Stroke, box_of
from vassal_bridge.report.job import Options
from vassal_bridge.report.model import AuditedPhase, AuditedRout, AuditReport, ReasonText
from vassal_bridge.report.pagekit import (
    HIGHLIGHT,
    Both,
    Layer,
    both_words,
    json_safe,
    map_data,
    map_svg,
    name_and_states,
    page_bytes,
    policy,
    script,
    states_of,
    stylesheet,
    ui_words,
)
from vassal_bridge.report.picture import CounterShape, HexShape, MapPicture
from vassal_bridge.report.text import steps_text

CountersAt = Callable[[str | None, int], Sequence[CounterShape]]
"""Counters both players may see after a log step: (file or None, step; 0 = the start)."""

VERDICT_COLOURS = {
    "illegal": "#b3261e",
    "disputed": "#7a4a00",
    "unproven": "#3a4757",
    "legal": "#1f6f3a",
    "undone": "#5b646b",
    "failure": "#161a1d",
}
SHORTCUTS = (
    (("↑", "↓"), "audit.key.findings"),
    (("b", "a"), "audit.key.moment"),
    (("+", "−", "0"), "ui.key.zoom"),
    (("←", "→", "↑", "↓"), "ui.key.hexes"),
    (("l",), "ui.key.language"),
    (("d",), "ui.key.theme"),
)
JS_WORDS = (
    "ui.map", "ui.theme", "ui.help", "ui.zoom-in", "ui.zoom-out", "ui.fit", "ui.whole",
    "ui.hex.look", "terrain.level", "audit.findings", "audit.before", "audit.after", "audit.next",
    "audit.previous", "list.sep",
)  # fmt: skip


@dataclass(frozen=True)
class AuditJob:
    """An audit to be shown as a page.

    Attributes:
        reports: the same audit in both languages.
        picture: the map, its counters not used; None where none is known.
        counters_at: counters at a moment of a log; None = the map shows none.
        options: language and art.
    """

    reports: Both[AuditReport]
    picture: MapPicture | None = None
    counters_at: CountersAt | None = None
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Finding:
    """One entry of the list.

    Attributes:
        id: ``p1r2``, ``p1f1``, ``p1n1``: phase and number of rout, failure or note.
        kind: verdict, ``failure`` or ``note``.
        steps: first and last log step.
        file: which log, None with a single one.
        hexes: hexes it is about, the start first.
        rout: the rout, None for failures and notes.
    """

    id: str
    kind: str
    steps: tuple[int, int]
    file: str | None
    hexes: tuple[str, ...]
    rout: AuditedRout | None = None


def audit_page(job: AuditJob) -> bytes:
    """The page of an audit, as a file."""
    words = both_words()
    report = job.reports.en
    findings = [finding for each in _findings(report) for finding in each]
    code = script("map.js", "audit.js", extra=job.options.live)
    style = stylesheet()
    frames = _Frames(job)
    for finding in findings:
        frames.add(finding)
    svg = None if job.picture is None else _map(job.picture, findings, frames)
    context: dict[str, Any] = {
        "lang": job.options.lang,
        "title": "audit.title",
        "hint": "ui.hex.look",
        "words": words,
        "file": report.source.file,
        "version": vassal_bridge.__version__,
        "csp": policy(style, code, live=job.options.live is not None),
        "css": style,
        "js": code,
        "svg": svg,
        "summary": _summary(report, words),
        "phases": [
            _phase(en, zh, n, words, saves=report.source.kind == "vsav")
            for n, (en, zh) in enumerate(
                zip(job.reports.en.phases, job.reports.zh.phases, strict=True), 1
            )
        ],
        "rules_line": Both(
            speech.rules_text(report.rules, words.en), speech.rules_text(report.rules, words.zh)
        ),
        "boards": [
            Both(html.board_line(each, words.en), html.board_line(each, words.zh))
            for each in report.boards
        ],
        "notes": html.notes_of(job.reports.en, job.reports.zh),
        "key": [],
        "rules": _rules_named(report),
        "los": [],
        "shortcuts": SHORTCUTS,
        "data": json_safe(_data(job, findings, frames)),
    }
    return page_bytes("audit.html.j2", context)


def _findings(report: AuditReport) -> list[list[Finding]]:
    """The findings of each phase, in the order of the page."""
    return [_of_phase(phase, n) for n, phase in enumerate(report.phases, 1)]


def _of_phase(phase: AuditedPhase, number: int) -> list[Finding]:
    found = []
    for n, rout in enumerate(phase.routs, 1):
        kind = "undone" if rout.undone else rout.verdict
        file = rout.file or phase.file
        hexes = (rout.from_, *rout.path, rout.last_legal_hex)
        found.append(Finding(f"p{number}r{n}", kind, rout.steps, file, hexes, rout))
    for n, failure in enumerate(phase.failures, 1):
        step = failure.step or phase.steps[1]
        found.append(Finding(f"p{number}f{n}", "failure", (step, step), phase.file, (failure.hex,)))
    for n, note in enumerate(phase.notes, 1):
        steps = (note.steps[0], note.steps[-1]) if note.steps else phase.steps
        hexes = (note.hex,) if note.hex else ()
        found.append(Finding(f"p{number}n{n}", "note", steps, phase.file, hexes))
    return found


# -- the map -------------------------------------------------------------------------------------


class _Frames:
    """The moments shown: each a set of stacks, each stack drawn once."""

    def __init__(self, job: AuditJob) -> None:
        self._job = job
        self._shapes = {} if job.picture is None else job.picture.by_name()
        self._unit = 1.0 if job.picture is None else job.picture.hex_height / 64.5
        self._stacks: dict[tuple[CounterShape, ...], int] = {}
        self.moments: dict[str, tuple[list[int], list[int]]] = {}

    def add(self, finding: Finding) -> None:
        """The moments before and after a finding."""
        first, last = finding.steps
        before = self._frame(finding.file, max(0, first - 1))
        self.moments[finding.id] = (before, self._frame(finding.file, last))

    def _frame(self, file: str | None, step: int) -> list[int]:
        if self._job.counters_at is None:
            return []
        by_hex: dict[str, list[CounterShape]] = {}
        for counter in self._job.counters_at(file, step):
            if counter.hex in self._shapes:
                by_hex.setdefault(str(counter.hex), []).append(counter)
        return sorted(self._number(tuple(there)) for there in by_hex.values())

    def _number(self, counters: tuple[CounterShape, ...]) -> int:
        return self._stacks.setdefault(counters, len(self._stacks))

    def groups(self) -> list[Shape]:
        """Every stack, in order of number."""
        found: list[Shape] = []
        for counters, number in self._stacks.items():
            at = self._shapes[str(counters[0].hex)]
            ordered = sorted(counters, key=lambda each: each.order)
            drawn = stack(at, ordered, self._unit, self._job.options.art)
            marks = (("class", "s"), ("data-s", str(number)))
            found.append(Group(drawn.items, None, marks))
        return found

    def states(self) -> dict[str, tuple[str, str]]:
        """The states that occur, in both languages."""
        return states_of(counter for counters in self._stacks for counter in counters)

    def contents(self) -> list[list[Any]]:
        """Hex and counters of every stack, for the card that explains a hex."""
        return [
            [
                counters[0].hex,
                [name_and_states(each) for each in sorted(counters, key=lambda c: c.order)],
            ]
            for counters in self._stacks
        ]


def _map(picture: MapPicture, findings: Sequence[Finding], frames: _Frames) -> str:
    shapes = picture.by_name()
    layers = [Layer([board(picture)])]
    layers += [
        Layer(_route(finding, shapes, picture), (("class", "u"), ("data-unit", finding.id)))
        for finding in findings
    ]
    layers += [HIGHLIGHT, Layer(frames.groups())]
    layers += [
        Layer(_marks(finding, shapes, picture), (("class", "u"), ("data-unit", finding.id)))
        for finding in findings
    ]
    return map_svg(picture, layers)


def _route(finding: Finding, shapes: dict[str, HexShape], picture: MapPicture) -> list[Shape]:
    """The rout as recorded, under the counters."""
    rout = finding.rout
    if rout is None:
        return []
    unit = picture.hex_height / 64.5
    names = [name for name in (rout.from_, *rout.path) if name in shapes]
    colour = VERDICT_COLOURS[finding.kind]
    dash = (5 * unit, 4 * unit) if rout.how == "jump" else ()
    found: list[Shape] = []
    for a, b in itertools.pairwise(names):
        found += stretch(shapes[a].centre, shapes[b].centre, colour, dash, 3.4 * unit, unit)
    return found


def _marks(finding: Finding, shapes: dict[str, HexShape], picture: MapPicture) -> list[Shape]:
    """Start, last legal hex and interdictions, over the counters."""
    unit = picture.hex_height / 64.5
    colour = VERDICT_COLOURS.get(finding.kind, "#3a4757")
    found: list[Shape] = []
    if finding.hexes and finding.hexes[0] in shapes:
        ring = Stroke(colour, 2.4 * unit, (5 * unit, 3 * unit))
        found.append(Path(shapes[finding.hexes[0]].polygon, True, None, 1.0, ring))
    rout = finding.rout
    if rout is None:
        return found
    if _goes_on_illegally(finding) and rout.last_legal_hex in shapes:
        found += _flag(shapes[rout.last_legal_hex], unit)
    for check in rout.interdictions:
        if check.hex in shapes:
            x, y = shapes[check.hex].centre
            text = "!" if check.nmc == "missing" else str(len(check.by))
            found.append(cross_hair((x + 20 * unit, y - 17 * unit), text, unit))
    return found


def _goes_on_illegally(finding: Finding) -> bool:
    """Whether it went beyond its last legal hex: otherwise the fault is not where it stopped."""
    rout = finding.rout
    return finding.kind == "illegal" and rout is not None and rout.last_legal_hex != rout.to


def _flag(shape: HexShape, unit: float) -> list[Shape]:
    """The last legal hex: a tick in a green box in its left corner."""
    x, y = shape.centre[0] - 30 * unit, shape.centre[1]
    half = 8 * unit
    tick = ((x - 4 * unit, y), (x - 1 * unit, y + 3.5 * unit), (x + 4.5 * unit, y - 4 * unit))
    edge = Stroke(PAPER, 1.4 * unit)
    box = Box(x - half, y - half, 2 * half, 2 * half, 3 * unit, "#1f6f3a", 1.0, edge)
    return [box, Path(tick, stroke=Stroke(PAPER, 2.2 * unit))]


# -- the list ------------------------------------------------------------------------------------


def _summary(report: AuditReport, words: Both[Catalogue]) -> list[tuple[str, Both[str]]]:
    """Class and text of each count that is not zero."""
    counts = report.summary
    listed = []
    for kind in ("illegal", "failure", "disputed", "unproven", "legal"):
        if kind == "failure":
            n, forgotten = counts.failures, report.forgotten
            text = Both(*(speech.failures_text(n, forgotten, words[lang]) for lang in LANGS))
        else:
            n = getattr(counts, kind)
            text = Both(*(words[lang].count(f"audit.{kind}.count", n) for lang in LANGS))
        if n:
            listed.append((kind, text))
    return listed


def _phase(
    en: AuditedPhase, zh: AuditedPhase, number: int, words: Both[Catalogue], *, saves: bool
) -> dict[str, Any]:
    found = _of_phase(en, number)
    routs = found[: len(en.routs)]
    failures = found[len(en.routs) : len(en.routs) + len(en.failures)]
    notes = found[len(en.routs) + len(en.failures) :]
    stand = speech.audited_places(en)
    return {
        "head": _each(words, lambda w, p: speech.phase_head(p, number, w, saves=saves), en, zh),
        "saves": saves,
        "file": en.file,
        "routs": [
            _rout(finding, one, two, stand[one.piece, one.from_], words)
            for finding, one, two in zip(routs, en.routs, zh.routs, strict=True)
        ],
        "failures": [
            {
                "id": finding.id,
                "name": one.name,
                "side": one.side,
                "place": stand[one.piece, one.hex],
                "steps": steps_text(finding.steps),
                "handled": one.handled,
                "text": Both(one.text, two.text),
                "rule": one.rule,
            }
            for finding, one, two in zip(failures, en.failures, zh.failures, strict=True)
        ],
        "notes": [
            {"id": finding.id, "steps": steps_text(finding.steps), "text": Both(one.text, two.text)}
            for finding, one, two in zip(notes, en.notes, zh.notes, strict=True)
        ],
    }  # fmt: skip


def _each(words: Both[Catalogue], make: Callable[..., str], en: Any, zh: Any) -> Both[str]:
    return Both(make(words.en, en), make(words.zh, zh))


def _rout(
    finding: Finding, one: AuditedRout, two: AuditedRout, place: str, words: Both[Catalogue]
) -> dict[str, Any]:
    return {
        "id": finding.id,
        "kind": finding.kind,
        "name": one.name,
        "side": one.side,
        "start": place,
        "to": one.to,
        "steps": steps_text(one.steps),
        "how": one.how,
        "path": [one.from_, *one.path],
        "reasons": _reasons(one.reasons, two.reasons, words),
        "last": one.last_legal_hex if _goes_on_illegally(finding) else None,
        "legal_ends": _each(words, lambda w, r: speech.legal_ends_text(r, w), one, two),
        "checks": [
            _each(words, lambda w, c: w.say(
                f"audit.nmc.{c.nmc}", hex=c.hex, enemies=w.join(speech.places(c.by))), check, check)
            for check in one.interdictions
        ],
        "cut": _each(words, lambda w, r: speech.cut_text(r, w), one, two),
    }  # fmt: skip


def _reasons(
    en: Sequence[ReasonText], zh: Sequence[ReasonText], words: Both[Catalogue]
) -> list[tuple[str, str, str]]:
    return [
        (speech.said(one, words.en), speech.said(two, words.zh), one.reason.rule)
        for one, two in zip(speech.points(en), speech.points(zh), strict=True)
    ]


def _rules_named(report: AuditReport) -> list[str]:
    found = {reason.rule for phase in report.phases for rout in phase.routs
             for reason in rout.reasons}  # fmt: skip
    found |= {failure.rule for phase in report.phases for failure in phase.failures}
    return html.in_order(found)


# -- what the script knows -----------------------------------------------------------------------


def _data(job: AuditJob, findings: Sequence[Finding], frames: _Frames) -> dict[str, Any]:
    words = both_words()
    file = job.reports.en.source.file
    shapes = {} if job.picture is None else job.picture.by_name()
    return {
        **map_data(job.picture),
        "title": {lang: f"{file} · {words[lang].say('audit.title')}" for lang in LANGS},
        "words": ui_words(JS_WORDS),
        "rules": {
            name: [words.en.rule(name), words.zh.rule(name)]
            for name in _rules_named(job.reports.en)
        },
        "stacks": frames.contents(),
        "states": frames.states(),
        "findings": [
            {
                "id": finding.id,
                "kind": finding.kind,
                "box": _box(finding, shapes, job.picture),
                "before": frames.moments[finding.id][0],
                "after": frames.moments[finding.id][1],
            }
            for finding in findings
        ],
    }


def _box(
    finding: Finding, shapes: dict[str, HexShape], picture: MapPicture | None
) -> list[float] | None:
    """The part of the map a finding is about, with two hexes around it."""
    points = [shapes[name].centre for name in finding.hexes if name in shapes]
    if picture is None or not points:
        return None
    left, top, right, bottom = box_of(points)
    margin, pad = 3.2 * picture.hex_height, PAD * picture.hex_height / 64.5
    return [
        round(max(-pad, left - margin), 1),
        round(max(-pad, top - margin), 1),
        round(min(picture.width + pad, right + margin), 1),
        round(min(picture.height + pad, bottom + margin), 1),
    ]
