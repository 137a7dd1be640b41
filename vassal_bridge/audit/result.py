"""What an audit finds: plain values from which every writer makes its output (contracts.md 6).

They hold no secrets, no open files and no ground, so that they travel between processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from vassal_bridge.bridge import BoardInfo, Note, Source
from vassal_bridge.rout import Code, Hex, Reason, Rules, Unit
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


class AuditCode(StrEnum):
    """What a reason of the audit says, beyond the codes of the rules (`rout.Code`).

    The comment behind each names the facts it carries; `TEXTS` has the English sentences.
    """

    # order and manner
    DEFENDER_FIRST = "defender-first"  # attacker, unit, step: the ATTACKER's rout that came later
    AS_STACK = "as-stack"  # count, step
    WITH_SMC = "broken-smc-along"  # step
    INTERRUPTED = "interrupted"  # step: of the other unit's move in between
    UNBROKEN_MOVED = "unbroken-moved"  # hex, to
    JUMP = "jump"  # path: one legal way
    JUMP_BARRED = "jump-barred"  # from, to
    CRAWL_DECLARED = "crawl-declared"  # step
    CRAWL_ONLY = "crawl-only"  # hex: legal as Low Crawl only
    FREE = "free-rout"  # hex
    OPEN_END = "ends-in-open-ground"  # hex, enemies
    STOPS_SHORT = "stops-short"  # hex
    TAKEN_BACK = "taken-back"  # step
    # interdiction
    CHECK_MISSING = "nmc-missing"  # hex, enemies
    CHECK_ROLLED = "nmc-rolled"  # hex, total, step
    CHECK_PASSED = "nmc-passed"  # hex, total, morale
    PINNED = "pinned"  # hex, total, morale
    PIN_IGNORED = "pin-ignored"  # hex, total, morale
    PIN_UNEXPLAINED = "pin-unexplained"  # hex
    PIN_UNEARNED = "pin-unearned"  # hex, total, morale
    REDUCED = "reduced"  # hex, total, morale
    GOES_ON = "goes-on-reduced"  # hex
    WOUNDED = "wounded"  # hex, total, morale
    DIED = "eliminated-by-check"  # hex, total, morale
    RESULT_MISSING = "result-missing"  # hex, total, morale, due: reduced | wounded | eliminated
    RESULT_UNEARNED = "result-unearned"  # hex, total, morale
    UNCLEAR_ROLL = "unclear-roll"  # hex, total, step
    DIED_ON_DISCOVERY = "dies-next-to-discovered"  # hex, enemy
    # leaders and weapons
    LEADER_ALONG = "leader-along"  # leader
    LEADER_PINNED = "leader-pinned"  # leader
    LEADER_PARTS = "leader-parts"  # leader, hex: joins or leaves on the way
    LEADER_LEFT_ALIVE = "leader-outlives"  # leader, hex
    TOO_HEAVY = "too-heavy"  # weapon, pp, limit
    GUN_ALONG = "gun-along"  # weapon
    LEFT_BEHIND = "weapon-left"  # weapon, pp, limit
    # what is missing for a proof
    LATE_POSITIONS = "late-positions"  # (none): enemies may have advanced since the rout phase
    NO_DICE = "no-dice"  # hex
    ATTACKER_UNKNOWN = "attacker-unknown"  # attacker
    CONCEALED_HERE = "concealed-here"  # (none)
    BETWEEN_SAVES = "between-saves"  # (none)
    DM_NOT_SEEN = "dm-not-seen"  # (none)
    MONTH_MISSING = "month-missing"  # month: one in which it would be another verdict
    # failures to rout
    FAILED_NO_STEP = "failed-no-step"  # hex
    FAILED_ADJACENT = "failed-adjacent"  # hex, enemy
    FAILED_STAYED = "failed-stayed"  # hex
    FAILED_BY_CHOICE = "failed-by-choice"  # hex: removed although it could rout


TEXTS: Mapping[AuditCode, str] = {
    AuditCode.DEFENDER_FIRST: "The DEFENDER routs before the ATTACKER has finished: {unit} of {attacker} routs later, in step {step}.",
    AuditCode.AS_STACK: "{count} broken units are moved together in step {step}: MMC rout one at a time.",
    AuditCode.WITH_SMC: "A broken SMC is moved together with it in step {step}: by the usual reading each routs by itself.",
    AuditCode.INTERRUPTED: "Another unit moves in between (step {step}): a unit finishes its rout before the next begins.",
    AuditCode.UNBROKEN_MOVED: "Unbroken, it moves from {hex} to {to} in the RtPh.",
    AuditCode.JUMP: "Recorded as one jump; a legal way is {path}.",
    AuditCode.JUMP_BARRED: "Recorded as one jump from {from} to {to}: no legal way leads there.",
    AuditCode.CRAWL_DECLARED: "Low Crawl is declared in step {step}.",
    AuditCode.CRAWL_ONLY: "Legal as a Low Crawl to {hex} only: nothing is said and no NMC is rolled.",
    AuditCode.FREE: "No building or woods binds it: it may go anywhere that is not barred, and end in {hex}.",
    AuditCode.OPEN_END: "Ending in Open Ground in {hex} is allowed.",
    AuditCode.STOPS_SHORT: "Stops in {hex}, short of its destination, without a pin.",
    AuditCode.TAKEN_BACK: "Taken back in step {step}.",
    AuditCode.CHECK_MISSING: "{hex} is interdicted by {enemies} and no NMC is rolled.",
    AuditCode.CHECK_ROLLED: "NMC in {hex}, step {step}: {total}.",
    AuditCode.CHECK_PASSED: "NMC in {hex}: {total} against {morale}, passed.",
    AuditCode.PINNED: "NMC in {hex}: {total} equals {morale}, pinned.",
    AuditCode.PIN_IGNORED: "NMC in {hex}: {total} equals {morale}, pinned; it moves on.",
    AuditCode.PIN_UNEXPLAINED: "Pinned in {hex}, but nothing is rolled there.",
    AuditCode.PIN_UNEARNED: "NMC in {hex}: {total} against {morale} passes; it is pinned all the same.",
    AuditCode.REDUCED: "NMC in {hex}: {total} against {morale} fails, reduced.",
    AuditCode.GOES_ON: "Reduced in {hex}, it goes on with the MF left.",
    AuditCode.WOUNDED: "NMC in {hex}: {total} against {morale} fails, wounded.",
    AuditCode.DIED: "NMC in {hex}: {total} against {morale}, eliminated.",
    AuditCode.RESULT_MISSING: "NMC in {hex}: {total} against {morale}; it should be {due}.",
    AuditCode.RESULT_UNEARNED: "NMC in {hex}: {total} against {morale} passes; it suffers all the same.",
    AuditCode.UNCLEAR_ROLL: "A roll of {total} in step {step} may be the NMC in {hex}; nothing says so.",
    AuditCode.DIED_ON_DISCOVERY: "Ends in {hex} next to {enemy}, not Known before: eliminated.",
    AuditCode.LEADER_ALONG: "Unbroken {leader} goes along.",
    AuditCode.LEADER_PINNED: "{leader} is pinned and may not go along.",
    AuditCode.LEADER_PARTS: "{leader} joins or leaves on the way, in {hex}.",
    AuditCode.LEADER_LEFT_ALIVE: "The NMC fails in {hex}: {leader} should be eliminated.",
    AuditCode.TOO_HEAVY: "Carries {weapon} ({pp} PP); {limit} PP are allowed.",
    AuditCode.GUN_ALONG: "Takes {weapon} along: Guns stay.",
    AuditCode.LEFT_BEHIND: "Leaves {weapon} ({pp} PP) behind although {limit} PP are allowed.",
    AuditCode.LATE_POSITIONS: "The log begins after the opponent's APh: where his units stood in the RtPh is not known.",
    AuditCode.NO_DICE: "{hex} is interdicted; the log holds no dice at all.",
    AuditCode.ATTACKER_UNKNOWN: "Whose player turn it is is not certain; {attacker} is taken as ATTACKER.",
    AuditCode.CONCEALED_HERE: "Concealed units are on the map: they may change this.",
    AuditCode.BETWEEN_SAVES: "Way, order and dice cannot be told from two saves.",
    AuditCode.DM_NOT_SEEN: "No DM marker is on it; whether it should be cannot be told from the log.",
    AuditCode.MONTH_MISSING: "The month is not given; in month {month} the terrain allows it.",
    AuditCode.FAILED_NO_STEP: "In {hex} it must rout and no first step is legal: eliminated.",
    AuditCode.FAILED_ADJACENT: "In {hex} it ends the RtPh next to unbroken {enemy}: eliminated.",
    AuditCode.FAILED_STAYED: "It must leave {hex}, can, and stays: eliminated.",
    AuditCode.FAILED_BY_CHOICE: "Removed in {hex} although it could rout.",
}  # fmt: skip
"""English sentences; placeholders are the facts."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A reason of the audit; the same shape as `rout.Reason`.

    Attributes:
        rule: id in the register of rules, ``"R64"``.
        code: what happened.
        facts: pairs (name, value) in a fixed order.
        reading: disputed reading it rests on, if any.
    """

    rule: str
    code: AuditCode
    facts: tuple[tuple[str, Fact], ...] = ()
    reading: str | None = None

    def fact(self, name: str) -> Fact | None:
        """The value of one fact, or None."""
        return dict(self.facts).get(name)

    @property
    def text(self) -> str:
        """The English sentence.

        >>> Finding("R85", AuditCode.STOPS_SHORT, (("hex", "zM9"),)).text
        'Stops in zM9, short of its destination, without a pin.'
        """
        values = {name: _spoken(value) for name, value in self.facts}
        return TEXTS[self.code].format_map(values)


Why = Reason | Finding
"""A reason of the rules or of the audit; both have rule, code, facts and reading."""


def _spoken(value: Fact) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


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
        legal_ends: where it could have ended, best first; for findings only.
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


def named(why: Why) -> str:
    """A reason as one stable word, for tests and logs: ``R38 closer``."""
    return f"{why.rule} {why.code.value}"


__all__ = [
    "TEXTS",
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
    "named",
    "tally",
]
