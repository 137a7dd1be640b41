"""What the reasons of an audit say, beyond those of the rules, and their English sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.rout import Reason
from vassal_bridge.rout.rulebook import Fact


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
    CHECK_SAID = "nmc-said"  # hex
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
    LOSS_UNEXPLAINED = "loss-unexplained"  # hex
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
    AuditCode.DEFENDER_FIRST: (
        "The DEFENDER routs before the ATTACKER has finished: {unit} of {attacker} routs later,"
        " in step {step}."
    ),
    AuditCode.AS_STACK: (
        "{count} broken units are moved together in step {step}: MMC rout one at a time."
    ),
    AuditCode.WITH_SMC: (
        "A broken SMC is moved together with it in step {step}: by the usual reading each routs"
        " by itself."
    ),
    AuditCode.INTERRUPTED: (
        "Another unit moves in between (step {step}): a unit finishes its rout before the next "
        "begins."
    ),
    AuditCode.UNBROKEN_MOVED: "Unbroken, it moves from {hex} to {to} in the RtPh.",
    AuditCode.JUMP: "Recorded as one jump; a legal way is {path}.",
    AuditCode.JUMP_BARRED: "Recorded as one jump from {from} to {to}: no legal way leads there.",
    AuditCode.CRAWL_DECLARED: "Low Crawl is declared in step {step}.",
    AuditCode.CRAWL_ONLY: (
        "Legal as a Low Crawl to {hex} only: nothing is said and no NMC is rolled."
    ),
    AuditCode.FREE: (
        "No building or woods binds it: it may go anywhere that is not barred, and end in "
        "{hex}."
    ),
    AuditCode.OPEN_END: "Ending in Open Ground in {hex} is allowed.",
    AuditCode.STOPS_SHORT: "Stops in {hex}, short of its destination, without a pin.",
    AuditCode.TAKEN_BACK: "Taken back in step {step}.",
    AuditCode.CHECK_MISSING: "{hex} is interdicted by {enemies} and no NMC is rolled.",
    AuditCode.CHECK_SAID: "The chat speaks of a passed check in {hex}; the log holds no such roll.",
    AuditCode.CHECK_ROLLED: "NMC in {hex}, step {step}: {total}.",
    AuditCode.CHECK_PASSED: "NMC in {hex}: {total} against {morale}, passed.",
    AuditCode.PINNED: "NMC in {hex}: {total} equals {morale}, pinned.",
    AuditCode.PIN_IGNORED: "NMC in {hex}: {total} equals {morale}, pinned; it moves on.",
    AuditCode.PIN_UNEXPLAINED: "Pinned in {hex}, but nothing is rolled there.",
    AuditCode.PIN_UNEARNED: (
        "NMC in {hex}: {total} against {morale} passes; it is pinned all the same."
    ),
    AuditCode.REDUCED: "NMC in {hex}: {total} against {morale} fails, reduced.",
    AuditCode.GOES_ON: "Reduced in {hex}, it goes on with the MF left.",
    AuditCode.WOUNDED: "NMC in {hex}: {total} against {morale} fails, wounded.",
    AuditCode.DIED: "NMC in {hex}: {total} against {morale}, eliminated.",
    AuditCode.LOSS_UNEXPLAINED: "Suffers a loss in {hex}, but nothing is rolled there.",
    AuditCode.RESULT_MISSING: "NMC in {hex}: {total} against {morale}; it should be {due}.",
    AuditCode.RESULT_UNEARNED: (
        "NMC in {hex}: {total} against {morale} passes; it suffers all the same."
    ),
    AuditCode.UNCLEAR_ROLL: (
        "A roll of {total} in step {step} may be the NMC in {hex}; nothing says so."
    ),
    AuditCode.DIED_ON_DISCOVERY: "Ends in {hex} next to {enemy}, not Known before: eliminated.",
    AuditCode.LEADER_ALONG: "Unbroken {leader} goes along.",
    AuditCode.LEADER_PINNED: "{leader} is pinned and may not go along.",
    AuditCode.LEADER_PARTS: "{leader} joins or leaves on the way, in {hex}.",
    AuditCode.LEADER_LEFT_ALIVE: "The NMC fails in {hex}: {leader} should be eliminated.",
    AuditCode.TOO_HEAVY: "Carries {weapon} ({pp} PP); {limit} PP are allowed.",
    AuditCode.GUN_ALONG: "Takes {weapon} along: Guns stay.",
    AuditCode.LEFT_BEHIND: "Leaves {weapon} ({pp} PP) behind although {limit} PP are allowed.",
    AuditCode.LATE_POSITIONS: (
        "The log begins after the opponent's APh: where his units stood in the RtPh is not "
        "known."
    ),
    AuditCode.NO_DICE: "{hex} is interdicted; the log holds no dice at all.",
    AuditCode.ATTACKER_UNKNOWN: (
        "Whose player turn it is is not certain; {attacker} is taken as ATTACKER."
    ),
    AuditCode.CONCEALED_HERE: "Concealed units are on the map: they may change this.",
    AuditCode.BETWEEN_SAVES: "Way, order and dice cannot be told from two saves.",
    AuditCode.DM_NOT_SEEN: (
        "No DM marker is on it; whether it should be cannot be told from the log."
    ),
    AuditCode.MONTH_MISSING: "The month is not given; in month {month} the terrain allows it.",
    AuditCode.FAILED_NO_STEP: "In {hex} it must rout and no first step is legal: eliminated.",
    AuditCode.FAILED_ADJACENT: "In {hex} it ends the RtPh next to unbroken {enemy}: eliminated.",
    AuditCode.FAILED_STAYED: "It must leave {hex}, can, and stays: eliminated.",
    AuditCode.FAILED_BY_CHOICE: "Removed in {hex} although it could rout.",
}
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


def named(why: Why) -> str:
    """A reason as one stable word, for tests and logs: ``R38 closer``."""
    return f"{why.rule} {why.code.value}"
