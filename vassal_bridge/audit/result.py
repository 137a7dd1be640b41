"""What an audit finds: plain values from which every writer makes its output (contracts.md 6).

They hold no secrets, no open files and no ground, so that they travel between processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from vassal_bridge.audit.codes import AuditCode, Finding, Why, named
from vassal_bridge.bridge import BoardInfo, Note, Source
from vassal_bridge.rout import Code, Hex, Rules, Unit
from vassal_bridge.rout.rulebook import Fact


class Verdict(StrEnum):
    """Verdict on a rout (contracts.md 6)."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    DISPUTED = "disputed"
    UNPROVEN = "unproven"


class Recorded(StrEnum):
    """How a rout stands in the log."""

    STEPS = "steps"
    JUMP = "jump"
    CRAWL = "crawl"
    STACK = "stack"


class Cut(StrEnum):
    """Why a rout ended early."""

    PINNED = "pinned"
    REDUCED = "reduced"
    ELIMINATED = "eliminated"


class Nmc(StrEnum):
    """What became of an interdiction's check."""

    ROLLED = "rolled"
    MISSING = "missing"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Check:
    """An interdiction on a rout and its NMC.

    Attributes:
        hex: the Open Ground hex entered.
        by: ids of the enemies able to interdict there, at that moment.
        maybe: enemies of which a fact is missing (covered arc, doubtful marker).
        nmc: rolled, missing, or none (nobody had to roll: undone, Low Crawl, between saves).
        step: log step of the roll.
        total: of the dice, without leadership.
        unavoidable: every legal history of the rout holds it (R84).
    """

    hex: Hex
    by: tuple[str, ...]
    nmc: Nmc
    maybe: tuple[str, ...] = ()
    step: int | None = None
    total: int | None = None
    unavoidable: bool = True


@dataclass(frozen=True, slots=True)
class AuditedRout:
    """One rout found, judged.

    Attributes:
        piece: VASSAL's id of the unit when it sets out.
        unit: its id in the position (`zM9`).
        at_start: its id when the phase began, if it stood in the same hex then.
        name: factors when it sets out.
        side: the side it fights for.
        start, to: first and last hex.
        path: hexes as recorded; a jump has one.
        moves: log step of each hex of `path`; several hexes may share none.
        steps: first and last log step (moves, their dice, results and undo).
        how: how it is recorded.
        verdict: the verdict.
        reasons: why, what decides first; a legal rout has the rules that carried it.
        last_legal: last hex in which it could legally have ended; `to` when legal.
        checks: interdictions on the way.
        undone: taken back; reported, not counted.
        cut: ended early by an NMC or on discovery.
        low_crawl: declared or the only legal reading True, excluded False, open None.
        readings: readings under which the verdict would be another (`depends`).
        companions: leaders that went along: piece ids.
        weapons: support weapons that went along: piece ids.
        continued_by: id of the half-squad counter that took its place.
        legal_path: for a jump, one legal way.
        legal_ends: where it could have ended, best first; for findings about the way only.
        cast: units that the reasons and checks name, as they stood.
        file: name of the file, when several are audited.
    """

    piece: str
    unit: str
    name: str
    side: str
    start: Hex
    to: Hex
    path: tuple[Hex, ...]
    moves: tuple[int, ...]
    steps: tuple[int, int]
    how: Recorded
    verdict: Verdict
    reasons: tuple[Why, ...]
    last_legal: Hex
    checks: tuple[Check, ...] = ()
    undone: bool = False
    cut: Cut | None = None
    low_crawl: bool | None = None
    readings: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    weapons: tuple[str, ...] = ()
    continued_by: str | None = None
    legal_path: tuple[Hex, ...] = ()
    legal_ends: tuple[Hex, ...] = ()
    cast: tuple[Unit, ...] = ()
    file: str | None = None
    at_start: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure to rout.

    Attributes:
        piece, name, side, hex: the unit and where it stood.
        rule: ``R73a`` (no legal step), ``R73b`` (ends next to an enemy), ``R73`` (had to leave and
            stayed), ``R74`` (removed though it could rout).
        removed: the players took it off the map; False = it still stands there, a finding.
        reasons: why it failed.
        steps: log steps of its removal; empty if forgotten.
        at: log step to look at: its removal or the end of the phase.
        unproven: a fact is missing (hidden information, positions before the log).
        file: name of the file, when several are audited.
        at_start: its id when the phase began, if it stood in the same hex then.
    """

    piece: str
    name: str
    side: str
    hex: Hex
    rule: str
    removed: bool
    reasons: tuple[Why, ...]
    steps: tuple[int, ...] = ()
    at: int = 0
    unproven: bool = False
    cast: tuple[Unit, ...] = ()
    file: str | None = None
    at_start: str | None = None

    @property
    def handled(self) -> str:
        """``removed`` or ``forgotten`` (contracts.md 6)."""
        return "removed" if self.removed else "forgotten"


@dataclass(frozen=True, slots=True)
class AuditNote:
    """Something to remember that is no verdict.

    Attributes:
        code: stable word: ``order``, ``dm-missing``, ``nudge``, ``correction`` …
        steps: log steps.
        text: English sentence.
        hex: where, or None.
        facts: what a sentence in another language needs.
    """

    code: str
    steps: tuple[int, ...]
    text: str
    hex: Hex | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that showed where the rout phase is.

    Attributes:
        code: ``moves``, ``chat``, ``track``, ``name``, ``option``, ``saves``.
        text: English words.
        step: where, or None.
    """

    code: str
    text: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class AuditedPhase:
    """One rout phase.

    Attributes:
        steps: first and last log step.
        evidence: what showed it.
        attacker: side whose player turn it is.
        routs, failures, notes: what was found, by step.
        file: name of the file, when several are audited.
    """

    steps: tuple[int, int]
    evidence: tuple[Evidence, ...]
    attacker: str
    routs: tuple[AuditedRout, ...]
    failures: tuple[Failure, ...]
    notes: tuple[AuditNote, ...]
    file: str | None = None

    @property
    def why(self) -> str:
        """What showed the phase, in English words."""
        return "; ".join(each.text for each in self.evidence)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of findings; undone routs are not counted."""

    routs: int = 0
    legal: int = 0
    illegal: int = 0
    disputed: int = 0
    unproven: int = 0
    failures: int = 0
    forgotten: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.routs + other.routs,
            self.legal + other.legal,
            self.illegal + other.illegal,
            self.disputed + other.disputed,
            self.unproven + other.unproven,
            self.failures + other.failures,
            self.forgotten + other.forgotten,
        )


@dataclass(frozen=True, slots=True)
class AuditResult:
    """Everything an audit of one file (or of two saves) found.

    Attributes:
        source: the file.
        rules: edition, month, readings.
        attacker: ATTACKER of the (first) rout phase.
        boards: boards as they lie.
        assumptions, problems: as in reports.
        phases: rout phases in order of steps.
        steps: number of log steps.
        frames: units on the map after a step, for the steps next to findings (0 = at the start).
    """

    source: Source
    rules: Rules
    attacker: str
    boards: tuple[BoardInfo, ...]
    assumptions: tuple[Note, ...]
    problems: tuple[Note, ...]
    phases: tuple[AuditedPhase, ...]
    steps: int
    frames: Mapping[int, tuple[Unit, ...]] = field(default_factory=dict)

    @property
    def tally(self) -> Tally:
        """Counts over all phases."""
        return tally(self.phases)

    @property
    def differs(self) -> bool:
        """Something is illegal or was forgotten: exit code 1 (contracts.md 4)."""
        counts = self.tally
        return bool(counts.illegal or counts.forgotten)


def as_they_began(phase: AuditedPhase, units: Iterable[Unit]) -> AuditedPhase:
    """The phase with the ids that its units had when it began.

    Args:
        phase: what was found.
        units: as they stood then.
    """
    ids = {(unit.piece, unit.hex): unit.id for unit in units}
    return replace(
        phase,
        routs=tuple(
            replace(rout, at_start=ids.get((rout.piece, rout.start))) for rout in phase.routs
        ),
        failures=tuple(
            replace(failure, at_start=ids.get((failure.piece, failure.hex)))
            for failure in phase.failures
        ),
    )


def tally(phases: Iterable[AuditedPhase]) -> Tally:
    """Count routs by verdict, and failures to rout."""
    total = Tally()
    for phase in phases:
        for rout in phase.routs:
            if not rout.undone:
                total += Tally(routs=1, **{rout.verdict.value: 1})
        for failure in phase.failures:
            total += Tally(failures=1, forgotten=int(not failure.removed and not failure.unproven))
    return total


__all__ = [
    "AuditCode",
    "AuditNote",
    "AuditResult",
    "AuditedPhase",
    "AuditedRout",
    "Check",
    "Code",
    "Cut",
    "Evidence",
    "Failure",
    "Finding",
    "Nmc",
    "Recorded",
    "Tally",
    "Verdict",
    "Why",
    "as_they_began",
    "named",
    "tally",
]
