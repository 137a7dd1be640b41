"""The report as text for a terminal, a chat or a mail: short, with hexes and ranges.

Nothing is aligned in columns, so that it reads the same in a proportional font and with Chinese
characters.
"""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.report import speech
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.model import (
    AuditedPhase,
    AuditedRout,
    AuditReport,
    BarredHex,
    Report,
    UnitReport,
)
from vassal_bridge.report.problems import problem_texts
from vassal_bridge.report.safety import plain_line

LISTED_ENDS = 12
"""Ends written out in full per unit; the rest are named by hex only."""
INDENT = "   "


def report_text(report: Report, words: Catalogue) -> str:
    """The whole report as text, ending in a line break."""
    lines = [plain_line(f"{report.source.file}: {speech.headline(report, words)}")]
    lines.append(speech.rules_line(report, words))
    lines += [
        _labelled("head.assumed", each.text, words)
        for each in report.assumptions
        if each.code != speech.AFTER_THE_FACT  # the headline says it
    ]
    lines += [
        _labelled("head.problems", text, words) for text in problem_texts(report.problems, words)
    ]
    for entry in speech.entries(report):
        lines += ["", *unit_lines(entry, words)]
    if report.los:
        seen = words.count("los.count", len(report.los))
        pairs = words.join(f"{line.from_}-{line.to}" for line in report.los)
        lines += ["", _labelled("head.los", f"{seen} ({pairs})", words)]
    return "\n".join(plain_line(line) for line in lines) + "\n"


def unit_lines(entry: speech.Entry, words: Catalogue) -> Iterator[str]:
    """The paragraph about one unit."""
    unit = entry.unit
    yield _unit_head(entry, words)
    for point in speech.points(unit.reasons):
        yield INDENT + speech.tell(point, words)
    if unit.certainty == "unknown":
        yield INDENT + words.say("certainty.unknown.long")
    for reading in unit.readings:
        yield INDENT + _labelled("head.readings", reading.text, words)
    if unit.duty == "none":
        return
    known = words.join(speech.known_texts(unit, words)) or words.say("known.none")
    yield INDENT + _labelled("head.known", known, words)
    if unit.duty == "eliminated":
        yield from _hex_lines("head.barred", unit.barred, words)
        return
    yield INDENT + _labelled("head.targets", _targets(unit, words), words)
    yield from _end_lines(entry, words)
    yield from _hex_lines("head.barred", unit.barred, words)
    ignored = [each for each in unit.ignored if speech.worth_telling(each)]
    yield from _hex_lines("head.ignored", ignored, words)
    leaders = speech.leaders_text(unit, words)
    if leaders:
        yield INDENT + _labelled("ui.companions", leaders, words)
    weapons = speech.weapons_text(unit, words)
    if weapons:
        yield INDENT + _labelled("head.weapons", weapons, words)


def _unit_head(entry: speech.Entry, words: Catalogue) -> str:
    unit = entry.unit
    line = speech.unit_line(unit, entry.place, words)
    duty = words.say(f"duty.{unit.duty}").upper()
    text = words.template("colon").join([f"{entry.letter}  {line}", duty])
    more = [words.say("becomes-dm")] if unit.becomes_dm else []
    if unit.certainty != "certain":
        more.append(words.say(f"certainty.{unit.certainty}"))
    if more:
        text = words.say("bracketed", text=text, more=words.template("clause.sep").join(more))
    return text


def _targets(unit: UnitReport, words: Catalogue) -> str:
    parts = [speech.target_text(target, words) for target in unit.targets]
    if unit.free_rout:
        parts.append(words.say("free-rout"))
    return words.template("clause.sep").join(parts) or words.say("targets.none")


def _end_lines(entry: speech.Entry, words: Catalogue) -> Iterator[str]:
    yield INDENT + words.say("head.ends") + words.template("colon").rstrip()
    if not entry.ends:
        yield 2 * INDENT + words.say("ends.none")
        return
    for each in entry.moves[:LISTED_ENDS]:
        label = f"{entry.letter}{each.label}"
        text = speech.end_text(each.end, entry.unit, words)
        yield 2 * INDENT + words.template("colon").join([f"{label}  {each.end.hex}", text])
    rest = entry.moves[LISTED_ENDS:]
    if rest:
        hexes = words.join(each.end.hex for each in rest)
        yield 2 * INDENT + words.say("end.more", count=len(rest), hexes=hexes)
    if entry.stays:
        text = words.template("colon").join([entry.unit.hex, words.say("how.stay")])
        yield 2 * INDENT + text


def _hex_lines(head: str, hexes: list[BarredHex], words: Catalogue) -> Iterator[str]:
    if hexes:
        yield INDENT + words.say(head) + words.template("colon").rstrip()
    for barred in hexes:
        for point in speech.barred_points(barred):
            text = speech.tell(point, words)
            yield 2 * INDENT + words.template("colon").join([barred.hex, text])


def _labelled(key: str, text: str, words: Catalogue) -> str:
    return words.template("colon").join([words.say(key), text])


def audit_text(report: AuditReport, words: Catalogue) -> str:
    """The audit as text: a line of counts, then each phase with its routs and failures."""
    counts = speech.audit_counts(
        report.summary, report.forgotten, words, phases=bool(report.phases)
    )
    lines = [f"{report.source.file}: {counts}"]
    lines.append(speech.rules_text(report.rules, words))
    lines += [_labelled("head.assumed", each.text, words) for each in report.assumptions]
    lines += [
        _labelled("head.problems", text, words) for text in problem_texts(report.problems, words)
    ]
    for number, phase in enumerate(report.phases, 1):
        lines += ["", *_phase_lines(number, phase, report, words)]
    return "\n".join(plain_line(line) for line in lines) + "\n"


def _phase_lines(
    number: int, phase: AuditedPhase, report: AuditReport, words: Catalogue
) -> Iterator[str]:
    saves = report.source.kind == "vsav"
    head = speech.phase_head(phase, number, words, saves=saves)
    yield head if phase.file in (None, report.source.file) else f"{phase.file}: {head}"
    if not (phase.routs or phase.failures):
        yield INDENT + words.say("audit.nothing")
    stand = speech.audited_places(phase)
    for rout in phase.routs:
        yield from _rout_lines(rout, stand[rout.piece, rout.from_], words, saves=saves)
    for failure in phase.failures:
        handled = words.say(f"audit.handled.{failure.handled}")
        line = speech.unit_line(failure, stand[failure.piece, failure.hex], words)
        yield INDENT + words.template("colon").join([line, handled])
        yield 2 * INDENT + words.say("sentence.ruled", text=failure.text, also="",
                                     rule=failure.rule)  # fmt: skip
    for note in phase.notes:
        steps = words.join(str(step) for step in note.steps)
        key = "audit.note.saves" if saves else "audit.note"
        yield INDENT + words.say(key, steps=steps, text=note.text)


def _rout_lines(rout: AuditedRout, place: str, words: Catalogue, *, saves: bool) -> Iterator[str]:
    verdict = words.say("verdict.undone" if rout.undone else f"verdict.{rout.verdict}").upper()
    yield INDENT + words.say(
        "audit.rout.saves" if saves else "audit.rout",
        steps=steps_text(rout.steps),
        name=rout.name,
        side=words.side(rout.side),
        path=" > ".join([place, *rout.path]),
        how=words.say(f"audit.how.{rout.how}"),
        verdict=verdict,
    )
    for point in speech.points(rout.reasons):
        yield 2 * INDENT + speech.tell(point, words)
    if rout.verdict == "illegal" and not rout.undone:
        if rout.last_legal_hex != rout.to:  # otherwise the fault is not where it stopped
            yield 2 * INDENT + words.say("audit.last-legal", hex=rout.last_legal_hex)
        if ends := speech.legal_ends_text(rout, words):
            yield 2 * INDENT + ends
    for check in rout.interdictions:
        enemies = words.join(speech.places(check.by))
        yield 2 * INDENT + words.say(f"audit.nmc.{check.nmc}", hex=check.hex, enemies=enemies)
    if cut := speech.cut_text(rout, words):
        yield 2 * INDENT + cut


def steps_text(steps: tuple[int, int]) -> str:
    """``14`` or ``14-15``."""
    first, last = steps
    return str(first) if first == last else f"{first}-{last}"
