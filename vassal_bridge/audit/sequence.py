"""The order of the sides in a rout phase (R13), and where notes belong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vassal_bridge.audit.codes import AuditCode, Finding
from vassal_bridge.audit.phase import Span
from vassal_bridge.audit.result import AuditedPhase, AuditedRout, AuditNote, Verdict
from vassal_bridge.rout.rulebook import Fact


def with_notes(phases: Sequence[AuditedPhase], notes: Sequence[AuditNote]) -> list[AuditedPhase]:
    """Notes about moves outside every phase go to the phase before them, or the first."""
    if not phases:
        return []
    found = list(phases)
    for note in notes:
        place = 0
        for number, phase in enumerate(found):
            if phase.steps[0] <= note.steps[0]:
                place = number
        merged = sorted((*found[place].notes, note), key=lambda each: (each.steps, each.code))
        found[place] = replace(found[place], notes=tuple(merged))
    return found


def judge_order(
    routs: Sequence[AuditedRout], span: Span
) -> tuple[list[AuditedRout], list[AuditNote]]:
    """R13: all ATTACKER units rout before any DEFENDER unit."""
    standing = [r for r in routs if not r.undone and r.how is not None and _is_rout(r)]
    attackers = [rout for rout in standing if rout.side == span.attacker]
    found: list[AuditedRout] = []
    notes: list[AuditNote] = []
    for rout in routs:
        later = [a for a in attackers if a.steps[0] > rout.steps[0]]
        breach = rout in standing and rout.side != span.attacker and bool(later)
        if not breach:
            found.append(rout)
            continue
        last = later[0]
        facts = (("attacker", span.attacker), ("unit", last.unit), ("step", last.steps[0]))
        text = (
            f"{rout.name} of the DEFENDER routs in step {rout.steps[0]}, before {last.name} of the "
            f"ATTACKER in step {last.steps[0]}."
        )
        steps = (rout.steps[0], last.steps[0])
        about: dict[str, Fact] = {
            "attacker": span.attacker,
            "name": rout.name,
            "step": rout.steps[0],
            "other": last.name,
            "later": last.steps[0],
        }
        notes.append(AuditNote("order", steps, text, rout.start, about))
        if not span.attacker_certain:
            found.append(rout)
            continue
        why = Finding("R13", AuditCode.DEFENDER_FIRST, facts)
        verdict = Verdict.ILLEGAL
        reasons = (why, *rout.reasons) if rout.verdict is Verdict.LEGAL else (*rout.reasons, why)
        found.append(replace(rout, verdict=verdict, reasons=reasons))
    return found, notes


def _is_rout(rout: AuditedRout) -> bool:
    """A rout of a broken unit, not the move of an unbroken one."""
    return not any(why.code is AuditCode.UNBROKEN_MOVED for why in rout.reasons)
