"""From what an audit found to the model that is printed: sentences are made here, per language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vassal_bridge.audit import (
    AuditedPhase,
    AuditedRout,
    AuditNote,
    AuditResult,
    Evidence,
    Failure,
    Finding,
    Summary,
    Verdict,
    Why,
)
from vassal_bridge.report import Catalogue, model, speech
from vassal_bridge.report.annotated import RoutLine
from vassal_bridge.report.apart import places_at_start
from vassal_bridge.report.build import (
    assumptions_of,
    boards_of,
    problems_of,
    source_of,
)
from vassal_bridge.report.model import FactValue
from vassal_bridge.rout import READINGS, Readings, Unit
from vassal_bridge.rout.rulebook import Fact

Units = Mapping[str, Unit]


def audit_report(result: AuditResult, words: Catalogue) -> model.AuditReport:
    """The audit as contracts.md 6 has it."""
    counts = result.tally
    return model.AuditReport(
        source=source_of(result.source),
        rules=_rules(result),
        boards=boards_of(result.boards),
        assumptions=assumptions_of(result.assumptions, words),
        problems=problems_of(result.problems, words),
        phases=[_phase(phase, words) for phase in result.phases],
        summary=model.AuditSummary(
            routs=counts.routs,
            legal=counts.legal,
            illegal=counts.illegal,
            disputed=counts.disputed,
            unproven=counts.unproven,
            failures=counts.failures,
        ),
    )


def _rules(result: AuditResult) -> model.RulesUsed:
    default = Readings()
    chosen = [
        name for name in READINGS if getattr(result.rules.readings, name) != getattr(default, name)
    ]
    return model.RulesUsed.model_validate(
        {
            "edition": result.rules.edition.value,
            "month": result.rules.month,
            "attacker": result.attacker,
            "readings": chosen,
        }
    )


def _phase(phase: AuditedPhase, words: Catalogue) -> model.AuditedPhase:
    return model.AuditedPhase(
        steps=phase.steps,
        why=words.join([_evidence(each, words) for each in phase.evidence]),
        routs=[_rout(rout, words) for rout in phase.routs],
        failures=[_failure(failure, phase, words) for failure in phase.failures],
        notes=[_note(note, words) for note in phase.notes],
        file=phase.file,
    )


def _evidence(evidence: Evidence, words: Catalogue) -> str:
    if evidence.code == "chat":
        said = evidence.text.removeprefix('chat "').removesuffix('"')
        return words.say("phase.said", text=said)
    key = f"phase.{evidence.code}"
    return words.say(key) if key in words else evidence.text


def _rout(rout: AuditedRout, words: Catalogue) -> model.AuditedRout:
    units = {unit.id: unit for unit in rout.cast}
    return model.AuditedRout.model_validate(
        {
            "piece": rout.piece,
            "name": rout.name,
            "side": rout.side,
            "from": rout.start,
            "to": rout.to,
            "path": list(rout.path),
            "how": rout.how.value,
            "steps": rout.steps,
            "undone": rout.undone,
            "cut": rout.cut.value if rout.cut is not None else None,
            "verdict": rout.verdict.value,
            "reasons": [reason_text(why, units, words) for why in rout.reasons],
            "last_legal_hex": rout.last_legal,
            "interdictions": [
                {"hex": check.hex, "by": list(check.by), "nmc": check.nmc.value}
                for check in rout.checks
                if check.by
            ],
            "legal_ends": list(rout.legal_ends),
            "file": rout.file,
            "unit": rout.at_start,
        }
    )


def reason_text(why: Why, units: Units, words: Catalogue) -> model.ReasonText:
    """A reason of the rules or of the audit with its sentence."""
    return model.ReasonText(
        rule=why.rule,
        text=sentence(why, units, words),
        facts=_facts(why.facts),
        code=why.code.value,
        reading=why.reading,
    )


def sentence(why: Why, units: Units, words: Catalogue) -> str:
    """The sentence of a reason, whoever gave it."""
    if not isinstance(why, Finding):
        return words.reason(why, units)
    facts = {name: _named(name, value, units, words) for name, value in why.facts}
    key = f"finding.{why.code.value}"
    case = f"{key}.{facts.get('case')}"
    return words.say(case if case in words else key, **facts)


def _named(name: str, value: Fact, units: Units, words: Catalogue) -> Fact:
    """Units in facts as players name them."""
    if name in ("enemy", "unit", "leader") and isinstance(value, str):
        return words.unit(value, units)
    if name == "enemies" and isinstance(value, tuple):
        return words.join([words.unit(one, units) for one in value])
    if name == "attacker" and isinstance(value, str):
        return words.side(value)
    return value


def _facts(facts: tuple[tuple[str, Fact], ...]) -> dict[str, FactValue]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in facts}


def _failure(failure: Failure, phase: AuditedPhase, words: Catalogue) -> model.AuditedFailure:
    units = {unit.id: unit for unit in failure.cast}
    text = sentence(failure.reasons[0], units, words) if failure.reasons else ""
    return model.AuditedFailure.model_validate(
        {
            "piece": failure.piece,
            "name": failure.name,
            "side": failure.side,
            "hex": failure.hex,
            "rule": failure.rule,
            "handled": failure.handled,
            "text": text,
            "step": failure.at or phase.steps[1],
            "unit": failure.at_start,
        }
    )


def _note(note: AuditNote, words: Catalogue) -> model.AuditNote:
    facts = dict(note.facts)
    if note.hex is not None:
        facts.setdefault("hex", note.hex)
    return model.AuditNote(
        code=note.code,
        steps=list(note.steps),
        text=words.note(note.code, facts, note.text),
        hex=note.hex,
    )


# --- lines for the chat of an annotated log -------------------------------------------------------


def log_lines(result: AuditResult, words: Catalogue) -> Iterator[RoutLine]:
    """One line behind the last step of each rout and failure."""
    for phase in result.phases:
        stand = _places(phase)
        for rout in phase.routs:
            line = rout_line(rout, words, stand[rout.piece, rout.start])
            yield RoutLine(max(rout.steps), line)
        for failure in phase.failures:
            step = max(failure.steps, default=phase.steps[1])
            line = failure_line(failure, words, stand[failure.piece, failure.hex])
            yield RoutLine(step, line)


def _places(phase: AuditedPhase) -> dict[tuple[str, str], str]:
    """Where the units of a phase set out or failed, by piece and hex."""
    return places_at_start(
        [
            *((each.piece, each.at_start, each.name, each.start) for each in phase.routs),
            *((each.piece, each.at_start, each.name, each.hex) for each in phase.failures),
        ]
    )


def rout_line(rout: AuditedRout, words: Catalogue, place: str | None = None) -> str:
    """A rout in one line: who, way, verdict, why, where it should have stopped.

    Args:
        rout: the rout.
        words: the language.
        place: where it set out, if not just the hex.
    """
    units = {unit.id: unit for unit in rout.cast}
    way = "-".join((place or rout.start, *rout.path))
    verdict = "undone" if rout.undone else rout.verdict.value
    head = f"{rout.name} {way}: {words.say(f'verdict.{verdict}')}"
    if rout.verdict is Verdict.LEGAL or not rout.reasons:
        return head
    why = rout.reasons[0]
    text = f"{head}. {sentence(why, units, words)} [{why.rule}]"
    if rout.verdict is Verdict.ILLEGAL and rout.last_legal != rout.to:
        text += " " + words.say("audit.last-legal", hex=rout.last_legal)
    return text


def failure_line(failure: Failure, words: Catalogue, place: str | None = None) -> str:
    """A failure to rout in one line; `place` is where, if not just the hex."""
    units = {unit.id: unit for unit in failure.cast}
    handled = words.say(f"audit.handled.{failure.handled}")
    head = f"{failure.name} {place or failure.hex}: {handled}"
    if not failure.reasons:
        return f"{head} [{failure.rule}]"
    return f"{head}. {sentence(failure.reasons[0], units, words)} [{failure.rule}]"


def summary_lines(result: AuditResult, words: Catalogue) -> Iterator[str]:
    """The summary at the end of an annotated log."""
    counts = result.tally
    told = speech.audit_counts(counts, counts.forgotten, words, phases=bool(result.phases))
    yield f"{words.say('audit.title')}: {told}"
    for phase in result.phases:
        stand = _places(phase)
        for rout in phase.routs:
            if not rout.undone and rout.verdict is not Verdict.LEGAL:
                line = rout_line(rout, words, stand[rout.piece, rout.start])
                yield _at(rout.steps, words) + line
        for failure in phase.failures:
            if not failure.removed:
                line = failure_line(failure, words, stand[failure.piece, failure.hex])
                yield _at(failure.steps, words) + line


def overall_lines(summary: Summary, words: Catalogue) -> Iterator[str]:
    """Counts over several files: a line per side, and under it one per rule that was not kept.

    What the lines of a side's rules count adds up to what its own line says.
    """
    for side, counts in sorted(summary.by_side.items()):
        told = speech.audit_counts(counts, counts.forgotten, words)
        yield words.template("colon").join([words.side(side), told])
        rules: dict[str, list[str]] = {}
        for (whose, rule, what), number in sorted(summary.by_rule.items(), key=_rule_order):
            if whose == side:
                rules.setdefault(rule, []).append(_of_rule(what, number, words))
        for rule, found in rules.items():
            yield "   " + words.template("colon").join([rule, words.join(found)])


def _rule_order(found: tuple[tuple[str, str, str], int]) -> tuple[int, str, str]:
    """By the number of the rule: R8 before R46."""
    (_, rule, what), _ = found
    return int("".join(filter(str.isdigit, rule)) or 0), rule, what


def _of_rule(what: str, number: int, words: Catalogue) -> str:
    """What was found by one rule: a forgotten failure says that it is one."""
    if what != "forgotten":
        return words.count(f"audit.{what}.count", number)
    return speech.failures_text(number, number, words)


def _at(steps: Sequence[int], words: Catalogue) -> str:
    """Where in the log something is, so that it can be stepped to."""
    if not steps:
        return ""
    first, last = min(steps), max(steps)
    shown = str(first) if first == last else f"{first}-{last}"
    return words.say("audit.steps", steps=shown) + words.template("colon")
