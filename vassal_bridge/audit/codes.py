"""What the reasons of an audit say, beyond those of the rules, and their English sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.rout import Reason
from vassal_bridge.rout.rulebook import Fact


class AuditCode(StrEnum):
    """What a reason of the audit says, beyond the codes of the rules (`rout.Code`).

    The comment behind each names the facts it carries; sentences are made at the edge.
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


Why = Reason | Finding
"""A reason of the rules or of the audit; both have rule, code, facts and reading."""


def named(why: Why) -> str:
    """A reason as one stable word, for tests and logs: ``R38 closer``."""
    return f"{why.rule} {why.code.value}"
