"""From the values of the rules to the `Report` model; texts are made here, in one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from vassal_bridge.report import model
from vassal_bridge.report.catalogue import Catalogue, Lang, Units, words_in
from vassal_bridge.rout.position import Position, Unit
from vassal_bridge.rout.result import Assessment, Barred, End, Interdiction, SightLine, Target
from vassal_bridge.rout.rulebook import READINGS, Code, Fact, Readings, Reason, rule_of_reading

if TYPE_CHECKING:
    from vassal_bridge.report import inputs

DIGITS = 6
"""Decimals of the probabilities in JSON."""


def build_report(
    loaded: inputs.Loaded,
    assessments: Sequence[Assessment],
    lang: Lang = "en",
    *,
    with_los: bool = True,
) -> model.Report:
    """The report on every assessed unit.

    Args:
        loaded: the game or position.
        assessments: what the rules said, one per broken unit, in the order of the report.
        lang: language of the texts; nothing else depends on it.
        with_los: whether to list the lines of sight that were looked at.
    """
    words = words_in(lang)
    position = loaded.position
    writer = _Writer(position, words)
    return model.Report(
        source=source_of(loaded.source),
        rules=rules_of(position),
        boards=boards_of(loaded.boards),
        assumptions=assumptions_of(loaded.assumptions, words),
        problems=problems_of(loaded.problems, words),
        units=[writer.unit(assessment) for assessment in assessments],
        los=_sights(assessments) if with_los else None,
    )


def source_of(source: inputs.Source) -> model.Source:
    """The ``source`` of any report."""
    return model.Source.model_validate(
        {
            "file": source.file,
            "kind": source.kind,
            "module": source.module,
            "module_version": source.module_version,
            "vassal_version": source.vassal_version,
        }
    )


def rules_of(position: Position) -> model.RulesUsed:
    """The ``rules`` of any report; names the readings that are not the default."""
    rules = position.rules
    default = Readings()
    chosen = [name for name in READINGS if getattr(rules.readings, name) != getattr(default, name)]
    return model.RulesUsed.model_validate(
        {
            "edition": rules.edition.value,
            "month": rules.month,
            "attacker": position.attacker,
            "readings": chosen,
        }
    )


def boards_of(boards: Iterable[inputs.Board]) -> list[model.BoardUsed]:
    """The ``boards`` of any report."""
    return [
        model.BoardUsed(
            name=board.name,
            row=board.row,
            column=board.column,
            reversed=board.reversed,
            crop=board.crop,
            version=board.version,
            rules=list(board.rules),
        )
        for board in boards
    ]


def assumptions_of(notes: Iterable[inputs.Note], words: Catalogue) -> list[model.Assumption]:
    """The ``assumptions`` of any report."""
    return [model.Assumption(code=note.code, text=_note_text(note, words)) for note in notes]


def problems_of(notes: Iterable[inputs.Note], words: Catalogue) -> list[model.Problem]:
    """The ``problems`` of any report."""
    return [
        model.Problem(code=note.code, hex=note.hex, text=_note_text(note, words)) for note in notes
    ]


def reason_of(
    reason: Reason, words: Catalogue, units: Units, *, brief: bool = False
) -> model.ReasonText:
    """A reason with its sentence; `brief` in a list that names the hex."""
    return model.ReasonText(
        rule=reason.rule,
        text=words.reason(reason, units, brief=brief),
        facts=facts_of(reason),
        code=reason.code.value,
        reading=reason.reading,
    )


def facts_of(reason: Reason) -> dict[str, model.FactValue]:
    """The facts of a reason as JSON values, in their order."""
    return {name: _json(value) for name, value in reason.facts}


def readings_of(entries: Iterable[str], words: Catalogue) -> list[model.ReadingText]:
    """Entries like ``r49_route:ends,targets`` as values with a sentence."""
    found = []
    for entry in entries:
        name, _, changes = entry.partition(":")
        found.append(
            model.ReadingText(
                reading=name,
                rule=rule_of_reading(name),
                changes=[part for part in changes.split(",") if part],
                text=words.reading_line(entry),
            )
        )
    return found


def merged(events: Iterable[Reason]) -> list[Reason]:
    """Events with all enemies that are discovered in one hex told at once."""
    found: list[Reason] = []
    for event in events:
        last = found[-1] if found else None
        same = last is not None and event.code is last.code is Code.DISCOVERS
        if last is None or not same or event.fact("hex") != last.fact("hex"):
            found.append(event)
            continue
        enemies = tuple(
            each
            for reason in (last, event)
            for value in (reason.fact("enemy"),)
            for each in (value if isinstance(value, tuple) else (str(value),))
        )
        facts = tuple((n, enemies if n == "enemy" else v) for n, v in last.facts)
        found[-1] = replace(last, facts=facts)
    return found


def interdictions_of(found: Iterable[Interdiction]) -> list[model.InterdictedHex]:
    """Interdicted hexes; those in which nobody can interdict are left out."""
    return [model.InterdictedHex(hex=each.hex, by=list(each.by)) for each in found if each.by]


class _Writer:
    """Turns the values about one unit into models, in one language."""

    def __init__(self, position: Position, words: Catalogue) -> None:
        self.position = position
        self.words = words
        self.units = position.by_id

    def unit(self, found: Assessment) -> model.UnitReport:
        unit = self.position.by_id[found.unit]
        return model.UnitReport(
            id=unit.id,
            piece=unit.piece,
            name=unit.name,
            side=unit.side,
            hex=unit.hex,
            duty=found.duty.value,
            becomes_dm=found.becomes_dm,
            certainty=found.certainty.value,
            reasons=[self.reason(each) for each in found.reasons],
            known=list(found.known),
            known_units=[self.known(unit, each) for each in found.known],
            targets=[self.target(each) for each in found.targets],
            free_rout=found.free_rout,
            ends=[self.end(each) for each in found.ends],
            barred=[self.barred(each) for each in found.barred],
            ignored=[self.barred(each) for each in found.ignored],
            best=found.best,
            readings=readings_of(found.readings, self.words),
            keeps=list(found.keeps),
            drops=list(found.drops),
            companions=list(found.companions),
            companion_units=[
                model.CompanionUnit(id=each, name=self.units[each].name)
                for each in found.companions
            ],
        )

    def known(self, unit: Unit, enemy_id: str) -> model.KnownUnit:
        enemy = self.position.by_id[enemy_id]
        away = self.position.ground.distance(unit.hex, enemy.hex)
        return model.KnownUnit(id=enemy.id, name=enemy.name, hex=enemy.hex, range=away)

    def reason(self, reason: Reason) -> model.ReasonText:
        return reason_of(reason, self.words, self.units)

    def target(self, found: Target) -> model.TargetHex:
        return model.TargetHex(
            hex=found.hex,
            mf=found.mf2 / 2,
            ignorable=found.because is not None,
            because=None if found.because is None else self.because(found.because),
        )

    def because(self, reason: Reason) -> model.Because:
        facts: Mapping[str, Fact] = dict(reason.facts)
        return model.Because.model_validate(
            {
                "rule": reason.rule,
                "enemy": facts.get("enemy"),
                "range": facts.get("range"),
                "start_range": facts.get("start_range"),
                "text": self.words.reason(reason, self.units, brief=True),
            }
        )

    def end(self, found: End) -> model.EndHex:
        odds = found.odds
        return model.EndHex(
            hex=found.hex,
            how=found.how.value,
            path=list(found.path),
            mf=found.mf2 / 2,
            interdictions=interdictions_of(found.interdictions),
            survival=None if odds is None else _share(odds.arrives_unreduced),
            odds=None
            if odds is None
            else model.OddsOut(
                unreduced=_share(odds.unreduced),
                pinned=_share(odds.pinned),
                reduced=_share(odds.reduced),
                wounded=_share(odds.wounded),
                eliminated=_share(odds.eliminated),
            ),
            events=[self.reason(each) for each in merged(found.events)],
            on_foot=None if found.on_foot is None else interdictions_of(found.on_foot),
        )

    def barred(self, found: Barred) -> model.BarredHex:
        reasons = [reason_of(each, self.words, self.units, brief=True) for each in found.reasons]
        first = reasons[0]
        return model.BarredHex(
            hex=found.hex, rule=first.rule, text=first.text, facts=first.facts, reasons=reasons
        )


def _note_text(note: inputs.Note, words: Catalogue) -> str:
    facts = dict(note.facts)
    if note.hex is not None:
        facts.setdefault("hex", note.hex)
    return words.note(note.code, facts, note.text)


def _json(value: Fact) -> model.FactValue:
    return list(value) if isinstance(value, tuple) else value


def _share(value: float) -> float:
    return min(1.0, max(0.0, round(value, DIGITS)))


def _sights(assessments: Iterable[Assessment]) -> list[model.SightUsed]:
    """Every line of sight once, in the order of first use."""
    seen: dict[SightLine, None] = {}
    for assessment in assessments:
        seen.update(dict.fromkeys(assessment.sights))
    return [
        model.SightUsed.model_validate(
            {"viewer": line.viewer, "from": line.viewer_hex, "to": line.target_hex}
        )
        for line in seen
    ]
