"""What all writers say alike: the order of units, their letters, the numbers of their ends.

A unit has a letter (A, B, …) and an end a number; text, picture and page use the same ones, so that
``B2`` means one hex in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from vassal_bridge.errors import UsageError
from vassal_bridge.report.apart import places_at_start, places_of
from vassal_bridge.report.catalogue import Catalogue, percent
from vassal_bridge.report.draw.colours import INKS
from vassal_bridge.report.model import (
    AuditedFailure,
    AuditedPhase,
    AuditedRout,
    BarredHex,
    EndHex,
    ReasonText,
    Report,
    RulesUsed,
    TargetHex,
    UnitReport,
)
from vassal_bridge.rout.rulebook import Code

URGENCY = {"eliminated": 0, "must": 1, "may": 2, "none": 3}
"""Duties, the most pressing first."""
AFTER_THE_FACT = "after-the-fact"
"""Code of the assumption of a report that tells no obligations."""
_NUMBER = re.compile(r"/[0-9]+$")
MOST_KNOWN = 20
"""So many units an error names."""
NAMED_ENEMIES = 4
"""So many enemies are named in one sentence beside the first; JSON has all of them."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """An end with its number; staying has none.

    Attributes:
        end: the end.
        label: ``1``, ``2`` … in the order of the report, best odds first; empty for staying.
    """

    end: EndHex
    label: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A unit as the writers show it.

    Attributes:
        letter: A, B, … Z, AA, … by urgency.
        place: its hex; with its number where another unit of the report there has the same name.
        index: 0, 1, … by urgency; picks colour and line pattern.
        unit: what the report says about it.
        ends: its ends with their numbers.
    """

    letter: str
    place: str
    index: int
    unit: UnitReport
    ends: tuple[Numbered, ...]

    @property
    def ink(self) -> int:
        """Number of its colour and line pattern."""
        return self.index % len(INKS)

    @property
    def stays(self) -> bool:
        """Whether it may end the phase where it stands."""
        return any(each.end.how == "stay" for each in self.ends)

    @property
    def moves(self) -> tuple[Numbered, ...]:
        """The ends other than staying."""
        return tuple(each for each in self.ends if each.end.how != "stay")


def letter(index: int) -> str:
    """Letters as columns of a map count them.

    >>> letter(0), letter(25), letter(26), letter(52)
    ('A', 'Z', 'AA', 'BA')
    """
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def entries(report: Report) -> tuple[Entry, ...]:
    """The units by urgency; within one duty in the order of the report (ATTACKER first)."""
    order = sorted(report.units, key=lambda unit: URGENCY[unit.duty])
    stand = places_of(order)
    return tuple(
        Entry(letter(index), stand[unit.id], index, unit, _numbered(unit))
        for index, unit in enumerate(order)
    )


def unit_called(report: Report, name: str) -> str:
    """The id of the unit a person means: by its id, or by the letter all writers give it.

    Raises:
        UsageError: there is none; names those there are.
    """
    listed = entries(report)
    wanted = name.strip()
    if any(entry.unit.id == wanted for entry in listed):
        return wanted
    for entry in listed:
        if wanted.casefold() in (entry.letter.casefold(), entry.unit.id.casefold()):
            return entry.unit.id
    known = [f"{entry.letter} = {entry.unit.id}" for entry in listed[:MOST_KNOWN]]
    known += ["…"] if len(listed) > MOST_KNOWN else []
    hint = f"known: {', '.join(known)}" if known else "there is none"
    raise UsageError(f"--unit: no broken unit {name!r} in this report; {hint}")


def _numbered(unit: UnitReport) -> tuple[Numbered, ...]:
    found: list[Numbered] = []
    n = 0
    for end in unit.ends:
        if end.how == "stay":
            found.append(Numbered(end, ""))
        else:
            n += 1
            found.append(Numbered(end, str(n)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Point:
    """Reasons of one kind told as one: the first in full, the others by where they stand.

    Attributes:
        reason: the first of them.
        also: where the enemies of the others stand, if elsewhere.
    """

    reason: ReasonText
    also: tuple[str, ...]


def points(reasons: Iterable[ReasonText]) -> tuple[Point, ...]:
    """Reasons gathered by what happened, in order of first appearance."""
    firsts: dict[tuple[str, str], ReasonText] = {}
    others: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        key = (reason.code, reason.rule)
        if key not in firsts:
            firsts[key] = reason
            continue
        enemy = reason.facts.get("enemy")
        known = others.setdefault(key, [])
        if isinstance(enemy, str):
            known.append(enemy)
    return tuple(_point(first, others.get(key, ())) for key, first in firsts.items())


def _point(first: ReasonText, enemies: Iterable[str]) -> Point:
    told = place(str(first.facts.get("enemy")))
    return Point(first, tuple(each for each in places(enemies) if each != told))


def place(unit_id: str) -> str:
    """Where a unit stands by its id: the hex without the number within it.

    An id that the writer of a position file chose is kept as it is.

    >>> place("vR2/1"), place("zO6")
    ('vR2', 'zO6')
    """
    return _NUMBER.sub("", unit_id)


def places(unit_ids: Iterable[str]) -> tuple[str, ...]:
    """Where units stand, every hex once."""
    return tuple(dict.fromkeys(map(place, unit_ids)))


def said(point: Point, words: Catalogue) -> str:
    """A point as a sentence without its rule, for where the rule is shown beside it."""
    return point.reason.text.rstrip(".。") + _also(point, words)


def tell(point: Point, words: Catalogue) -> str:
    """A point as a sentence, with its rule: ``Closer to … (also zO6) [R38]``."""
    text = point.reason.text.rstrip(".。")
    also = _also(point, words)
    return words.say("sentence.ruled", text=text, also=also, rule=point.reason.rule)


def _also(point: Point, words: Catalogue) -> str:
    """Where the others stand for whom the same is true, a few of them by name."""
    if not point.also:
        return ""
    if len(point.also) <= NAMED_ENEMIES + 1:
        return words.say("also", hexes=words.join(point.also))
    named = words.join(point.also[:NAMED_ENEMIES])
    return words.say("also.more", hexes=named, count=len(point.also) - NAMED_ENEMIES)


def barred_points(barred: BarredHex) -> tuple[Point, ...]:
    """The plainest reasons why a hex is barred: those of the first kind."""
    found = points(barred.reasons)
    return found[:1]


def target_text(target: TargetHex, words: Catalogue) -> str:
    """A destination in a list: ``zN9 2 MF (may be ignored: …)``."""
    text = f"{target.hex} {words.say('mf', mf=target.mf)}"
    because = target.because
    if because is None:
        return text
    if because.enemy is None or because.range is None or because.start_range is None:
        why = words.say("may-ignore.building")
    else:
        why = words.say(
            "may-ignore.range",
            range=because.range,
            enemy=place(because.enemy),
            start_range=because.start_range,
        )
    return words.say("bracketed", text=text, more=why)


def end_text(end: EndHex, unit: UnitReport, words: Catalogue) -> str:
    """The way to an end and its risk, without its hex: ``3 MF by zN9, no interdiction``."""
    if end.how == "stay":
        return words.say("how.stay")
    if end.how == "crawl":
        return words.say("how.crawl")
    if end.on_foot is not None:  # its MF would be taken for those of walking
        parts = [words.say("ui.way.crawl"), *risk_texts(end, words)]
        return words.template("clause.sep").join(parts)
    parts = [words.say("mf", mf=end.mf)]
    if len(end.path) > 1:
        parts[0] = words.say("mf.via", mf=end.mf, path=words.join(end.path[:-1]))
    parts += turn_texts(end, unit, words)
    parts += risk_texts(end, words)
    if end.how == "both":
        parts.append(words.say("end.crawl-too"))
    return words.template("clause.sep").join(parts)


def turn_texts(end: EndHex, unit: UnitReport, words: Catalogue) -> list[str]:
    """Why a way ends elsewhere than in a destination of the start, or leads to and fro (R39, R49).

    Where the destination changed, and whom it saw there; nothing where it needs no word.
    """
    straight = len({unit.hex, *end.path}) > len(end.path)
    if straight and any(target.hex == end.hex for target in unit.targets):
        return []
    found = []
    seen: dict[object, object] = {}
    for event in end.events:
        hex_ = event.facts.get("hex")
        if event.code == Code.DISCOVERS.value:
            seen[hex_] = event.facts.get("enemy")
        elif event.code == Code.RETARGET.value:
            enemy = seen.get(hex_, [])
            enemies = [enemy] if isinstance(enemy, str) else enemy
            named = places(enemies) if isinstance(enemies, list) else ()
            key = "end.turn" if named else "end.turn.unseen"
            found.append(words.say(key, hex=str(hex_), enemies=words.join(named)))
    return found


def risk_texts(end: EndHex, words: Catalogue) -> list[str]:
    """Interdictions on the way and the odds they leave."""
    parts = interdicted_texts(end, words)
    odds = odds_text(end, words) if end.interdictions else ""
    return [*parts, odds] if odds else parts


def interdicted_texts(end: EndHex, words: Catalogue) -> list[str]:
    """Where it is interdicted on the way and by whom, or that it is not.

    Where the way is a Low Crawl, which nobody interdicts, also what it would meet on foot (R52).
    """
    if end.on_foot is not None:
        walked = [
            words.say("end.on-foot", hex=each.hex, enemies=words.join(places(each.by)))
            for each in end.on_foot
        ]
        return [words.say("end.safe"), *(walked or [words.say("end.on-foot-too")])]
    if not end.interdictions:
        return [words.say("end.safe")]
    return [
        words.say("end.interdicted", hex=each.hex, enemies=words.join(places(each.by)))
        for each in end.interdictions
    ]


def odds_text(end: EndHex, words: Catalogue) -> str:
    """``42% unreduced, 3% dead``; empty when the odds are unknown."""
    if end.survival is None:
        return ""
    parts = [words.say("end.survival", percent=percent(end.survival))]
    if end.odds is not None and end.odds.eliminated > 0:
        parts.append(words.say("end.eliminated", percent=percent(end.odds.eliminated)))
    return words.join(parts)


def unit_line(unit: UnitReport | AuditedFailure, place: str, words: Catalogue) -> str:
    """A unit with its place and side: ``4-4-7 in zN7 (Russian)``."""
    return words.say("unit.line", name=unit.name, hex=place, side=words.side(unit.side))


def weapons_text(unit: UnitReport, words: Catalogue) -> str:
    """What it takes along and what it leaves behind; empty when it has nothing."""
    parts = []
    if unit.keeps:
        parts.append(words.say("keeps", weapons=words.join(unit.keeps)))
    if unit.drops:
        parts.append(words.say("drops", weapons=words.join(unit.drops)))
    return words.join(parts)


def known_texts(unit: UnitReport, words: Catalogue) -> list[str]:
    """The Known enemies with hex and range."""
    stand = places_of(unit.known_units)
    return [
        words.say("known.unit", name=each.name, hex=stand[each.id], range=each.range)
        for each in unit.known_units
    ]


def leaders_text(unit: UnitReport, words: Catalogue) -> str:
    """Leaders that may go along (R71): ``9-1 [R71]``; empty when there is none."""
    named = words.join([each.name for each in unit.companion_units])
    return words.say("sentence.ruled", text=named, also="", rule="R71") if named else ""


def worth_telling(ignored: BarredHex) -> bool:
    """Whether a shelter that is no destination needs a word: full hexes do, farther ones do not."""
    return ignored.reasons[0].code != Code.NOT_A_DESTINATION.value


def late(report: Report) -> bool:
    """Whether the report was asked to keep silent about routs that are still to be made."""
    return any(each.code == AFTER_THE_FACT for each in report.assumptions)


def headline(report: Report, words: Catalogue) -> str:
    """One line about the whole: ``4 broken units: 1 eliminated, 2 must rout, 1 may rout``."""
    for each in report.assumptions:
        if each.code == AFTER_THE_FACT:
            return each.text
    if not report.units:
        return words.say("none-broken")
    duties = [unit.duty for unit in report.units]
    parts = [words.count(f"{duty}.count", duties.count(duty)) for duty in URGENCY if duty in duties]
    head = words.count("units.count", len(duties))
    text = words.template("colon").join([head, words.join(parts)]) if parts else head
    if doubtful := sum(unit.certainty != "certain" for unit in report.units):
        more = words.count("uncertain.count", doubtful)
        text = words.say("bracketed", text=text, more=more)
    return text


def rules_line(report: Report, words: Catalogue) -> str:
    """What the report is judged by: ``ASLSK rule 3.6, edition SK3; ATTACKER German``."""
    return rules_text(report.rules, words)


def rules_text(rules: RulesUsed, words: Catalogue) -> str:
    """Edition, month, ATTACKER and house readings in one line."""
    parts = [words.say("rules.line", game=rules.game, edition=rules.edition.upper())]
    if rules.month is not None:
        parts.append(words.say("month.line", month=rules.month))
    if rules.attacker:
        parts.append(words.say("attacker.line", attacker=words.side(rules.attacker)))
    parts += [words.reading_line(each) for each in rules.readings]
    return words.template("clause.sep").join(parts)


class Counted(Protocol):
    """Counts of an audit: routs in all and by verdict (`legal`, `illegal`, …), failures to rout."""

    @property
    def routs(self) -> int:
        """Routs that were not taken back."""

    @property
    def failures(self) -> int:
        """Failures to rout."""


def audit_counts(counts: Counted, forgotten: int, words: Catalogue, *, phases: bool = True) -> str:
    """The counts of an audit in one line: ``3 routs, 1 differs from 3.6, 2 legal``.

    Args:
        counts: the counts.
        forgotten: failures to rout that are still on the map.
        words: the language.
        phases: a rout phase was found at all.
    """
    if not phases:
        return words.say("audit.no-phase")
    parts = [words.count("audit.routs.count", counts.routs)]
    parts += [
        words.count(f"audit.{name}.count", number)
        for name in ("illegal", "disputed", "unproven", "legal")
        if (number := getattr(counts, name))
    ]
    if counts.failures:
        parts.append(failures_text(counts.failures, forgotten, words))
    return words.join(parts)


def failures_text(failures: int, forgotten: int, words: Catalogue) -> str:
    """Failures to rout, with those that are findings: ``2 failures to rout (1 still on …)``."""
    text = words.count("audit.failures.count", failures)
    if not forgotten:
        return text
    more = words.count("audit.forgotten.count", forgotten)
    return words.say("bracketed", text=text, more=more)


def audited_places(phase: AuditedPhase) -> dict[tuple[str, str], str]:
    """Where the units of a phase set out or failed, by piece and hex."""
    return places_at_start(
        [
            *((each.piece, each.unit, each.name, each.from_) for each in phase.routs),
            *((each.piece, each.unit, each.name, each.hex) for each in phase.failures),
        ]
    )


def legal_ends_text(rout: AuditedRout, words: Catalogue) -> str:
    """Where an illegal rout could have ended; empty where its way is not what is wrong."""
    if rout.verdict != "illegal" or rout.undone or not rout.legal_ends:
        return ""
    hexes = words.join(rout.legal_ends)
    if rout.to in rout.legal_ends:
        return words.say("audit.legal-ends.way", hexes=hexes, to=rout.to)
    return words.say("audit.legal-ends", hexes=hexes)


def cut_text(rout: AuditedRout, words: Catalogue) -> str:
    """Why it ended early; empty where it did not, or where that hangs on what a roll was for."""
    unsure = any(reason.facts.get("case") == "unsure" for reason in rout.reasons)
    if rout.cut is None or (rout.cut == "pinned" and unsure):
        return ""
    return words.say(f"audit.cut.{rout.cut}", hex=rout.to)


def phase_head(phase: AuditedPhase, number: int, words: Catalogue, *, saves: bool) -> str:
    """The head of a phase: its steps and what showed it; between two saves there are no steps."""
    if saves:
        return words.say("audit.phase.saves", number=number, why=phase.why)
    first, last = phase.steps
    return words.say("audit.phase", number=number, first=first, last=last, why=phase.why)
