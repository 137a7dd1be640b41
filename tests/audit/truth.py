"""The audits of real logs against what a correct audit finds (real/logs/made/README.md).

Run as a script it prints the table of found, missed and invented:
``python -m tests.audit.truth [word of a log's name] [-v]``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from tests.shared import BOARDS, LOGS
from vassal_bridge.audit import (
    AuditedRout,
    AuditOptions,
    AuditResult,
    Failure,
    audit_saved,
)
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options
from vassal_bridge.rout import Edition

MADE = LOGS / "made"

HELD_WRONG: dict[tuple[str, str], str] = {
    ("clash 2b", "1182175219515"): (
        "The truth calls the German MMG 5 PP and the rout illegal (R76). Its counter (ge/geMMG) "
        "and rules/weapons.md say 3 PP, which a squad may carry: legal."
    ),
}
"""Entries of truth files that are held to be wrong, with the argument."""


@lru_cache(maxsize=1)
def library() -> BoardLibrary:
    return BoardLibrary([BOARDS])


@dataclass
class Row:
    """One log compared."""

    log: str
    routs: int = 0
    found: int = 0
    missed: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    contested: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not (self.missed or self.invented or self.wrong)


def truths() -> list[Path]:
    return sorted(MADE.glob("*.truth.yaml"))


def read_truth(path: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def log_of(truth: Path) -> Path:
    return truth.with_name(truth.name.removesuffix(".truth.yaml") + ".vlog")


def audit_truth(truth: Path, *, told: bool = True) -> AuditResult:
    """Audit a log under the settings of its truth; `told` = the ATTACKER is given too."""
    facts = read_truth(truth)
    read = Options(
        library(),
        edition=Edition(facts["edition"]),
        month=facts["month"],
        attacker=facts["attacker"] if told else None,
    )
    return audit_saved(log_of(truth), AuditOptions(read, frames=False))


def base(unit_id: str) -> str:
    """The hex of a unit id, as truth files name units."""
    return unit_id.rpartition(":")[2].split("/")[0]


def rout_faults(entry: dict[str, Any], rout: AuditedRout) -> Iterator[str]:
    """What differs between a rout and its truth."""
    if rout.verdict.value != entry["verdict"]:
        yield f"{rout.verdict.value}, not {entry['verdict']}"
    named = {why.rule for why in rout.reasons}
    lacking = set(entry.get("rules") or ()) - named
    if lacking:
        yield f"does not name {sorted(lacking)}, names {sorted(named)}"
    if rout.start != entry["from"]:
        yield f"from {rout.start}, not {entry['from']}"
    cut = None if rout.cut is None else rout.cut.value
    if cut != entry.get("cut"):
        yield f"cut {cut}, not {entry.get('cut')}"
    met = {check.hex: sorted(base(by) for by in check.by) for check in rout.checks if check.by}
    wanted = {hex_: sorted(by) for hex_, by in (entry.get("interdicted") or {}).items()}
    if met != wanted:
        yield f"interdicted {met}, not {wanted}"
    last = entry.get("last_legal_hex")
    if last is not None and rout.last_legal != last:
        yield f"last legal {rout.last_legal}, not {last}"
    if (rout.steps[0], rout.steps[1]) != (entry["steps"][0], entry["steps"][-1]):
        yield f"steps {rout.steps}, not {entry['steps']}"
    if entry.get("continued_by") not in (None, rout.continued_by):
        yield f"continued by {rout.continued_by}"
    if rout.verdict.value == "legal" and not rout.undone:
        nmc = "rolled" if any(check.nmc.value == "rolled" for check in rout.checks) else "none"
        if nmc != entry["nmc"]:
            yield f"NMC {nmc}, not {entry['nmc']}"
    if entry.get("unavoidable_interdictions") is not None:
        must = sum(1 for check in rout.checks if check.unavoidable)
        if must != entry["unavoidable_interdictions"]:
            yield f"{must} unavoidable interdictions"
    company = entry.get("with")
    if company is not None and company["piece"] not in (*rout.companions, *rout.weapons):
        yield f"without {company['unit']}"


def compare(truth: Path, *, told: bool = True) -> Row:
    """Compare the audit of one log with its truth."""
    facts = read_truth(truth)
    result = audit_truth(truth, told=told)
    name = truth.name.removesuffix(".truth.yaml")
    row = Row(name)
    routs = [rout for phase in result.phases for rout in phase.routs]
    failures = [failure for phase in result.phases for failure in phase.failures]
    wanted = (facts["phase"]["first_step"], facts["phase"]["last_step"])
    if [phase.steps for phase in result.phases] != [wanted]:
        row.wrong.append(f"phases {[phase.steps for phase in result.phases]}, not {wanted}")
    _routs(row, facts, routs)
    _failures(row, facts, failures)
    _no_routs(row, facts, routs)
    return row


def _routs(row: Row, facts: dict[str, Any], routs: list[AuditedRout]) -> None:
    left = list(routs)
    for entry in facts["routs"]:
        row.routs += 1
        path = tuple(entry.get("path") or entry["jump"])
        key = (entry["piece_id"], path, bool(entry.get("undone")))
        match = next((r for r in left if (r.piece, r.path, r.undone) == key), None)
        label = f"{entry['unit']} {entry['from']} {'-'.join(path)}"
        if match is None:
            row.missed.append(label)
            continue
        left.remove(match)
        faults = list(rout_faults(entry, match))
        argument = HELD_WRONG.get((row.log, entry["piece_id"]))
        if not faults:
            row.found += 1
        elif argument is not None:
            row.contested.append(f"{label}: {'; '.join(faults)}. {argument}")
        else:
            row.wrong.append(f"{label}: {'; '.join(faults)}")
    row.invented += [f"{r.name} {r.start} {'-'.join(r.path)} {r.verdict.value}" for r in left]


def _failures(row: Row, facts: dict[str, Any], failures: list[Failure]) -> None:
    left = list(failures)
    for entry in facts["failures"]:
        row.routs += 1
        match = next((f for f in left if f.piece == entry["piece_id"]), None)
        label = f"failure {entry['unit']} {entry['hex']}"
        if match is None:
            row.missed.append(label)
            continue
        left.remove(match)
        handled = "forgotten" if entry["how"].startswith("forgotten") else "removed"
        got = (match.hex, match.rule, match.handled, list(match.steps))
        expected = (entry["hex"], entry["rule"], handled, entry["steps"])
        if got == expected:
            row.found += 1
        else:
            row.wrong.append(f"{label}: {got}, not {expected}")
    row.invented += [f"failure {f.name} {f.hex}" for f in left]


def _no_routs(row: Row, facts: dict[str, Any], routs: list[AuditedRout]) -> None:
    for entry in facts["not_routs"]:
        for rout in routs:
            if rout.piece == entry["piece"] and set(rout.moves) & set(entry["steps"]):
                row.invented.append(f"{entry['piece']} {entry['steps']}: {entry['why']}")


def table(rows: list[Row]) -> str:
    """The table of found, missed and invented."""
    lines = [
        f"{'log':32} {'truth':>5} {'found':>5} {'missed':>6} {'wrong':>5} {'invented':>8} contested"
    ]
    for row in rows:
        lines.append(
            f"{row.log:32} {row.routs:5} {row.found:5} {len(row.missed):6} {len(row.wrong):5} "
            f"{len(row.invented):8} {len(row.contested):9}"
        )
    total = [sum(row.routs for row in rows), sum(row.found for row in rows)]
    total += [
        sum(len(getattr(row, name)) for row in rows) for name in ("missed", "wrong", "invented")
    ]
    contested = sum(len(row.contested) for row in rows)
    lines.append(
        f"{'all':32} {total[0]:5} {total[1]:5} {total[2]:6} {total[3]:5} {total[4]:8} {contested:9}"
    )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    words = [word for word in arguments if not word.startswith("-")]
    rows = []
    for truth in truths():
        if words and not any(word in truth.name for word in words):
            continue
        row = compare(truth, told="--plain" not in arguments)
        rows.append(row)
        for kind in ("missed", "wrong", "invented", "contested"):
            for text in getattr(row, kind):
                sys.stdout.write(f"{row.log}: {kind}: {text}\n")
    sys.stdout.write(table(rows) + "\n")
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
