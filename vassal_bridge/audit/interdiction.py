"""Interdiction checks: which were due, which were rolled, and whether the result was applied.

Dice lines say what button was pressed, not what the roll was for. A roll made with the button for
Morale Checks right after a unit entered an interdicted hex is its NMC; a roll with another button
may be. What follows (a Pin counter, a reduction, the unit walking on) settles some of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.audit.dice import Roll
from vassal_bridge.audit.result import AuditCode, Check, Cut, Finding, Nmc, Verdict, Why
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import Interdiction, Kind, Unit
from vassal_bridge.rout.odds import morale_after_wound

DEAD = 12
"""An Original 12 eliminates (R67)."""


class Result(StrEnum):
    """Result of an NMC (R65 to R67)."""

    PASS = "pass"  # noqa: S105  (no password)
    PIN = "pin"
    FAIL = "fail"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Due:
    """An Open Ground hex the unit entered: the interdiction and when.

    Attributes:
        met: hex and enemies.
        unavoidable: every legal history contains it.
        arrived: log step in which it entered, or jumped past.
        left: log step of its next move, None if it stayed.
    """

    met: Interdiction
    unavoidable: bool
    arrived: int
    left: int | None


@dataclass(frozen=True, slots=True)
class Matched:
    """An interdiction with its roll.

    Attributes:
        due: the interdiction.
        roll: the roll taken for its NMC, or None.
        sure: rolled with the button for checks, or spoken of as one.
        late: rolled only after the unit had moved on.
    """

    due: Due
    roll: Roll | None
    sure: bool = False
    late: bool = False


def match_rolls(track: Track, dues: Sequence[Due]) -> tuple[tuple[Matched, ...], tuple[Roll, ...]]:
    """Give each interdiction the roll that fits it best.

    Rolls between entering the hex and the next move come first, those with the button for checks
    before others; then rolls made later in the rout; then rolls made just before it.

    Returns:
        The interdictions in order, and the rolls with the button for checks that none of them took.
    """
    free = [roll for roll in track.rolls if roll.pair and (roll.is_check or roll.may_be_check)]
    early = [roll for roll in track.early_rolls if roll.is_check]
    taken: dict[int, tuple[Roll, bool]] = {}
    ordered = sorted(range(len(dues)), key=lambda n: not dues[n].met.by)
    for afterwards in (False, True):
        for n in ordered:
            due = dues[n]
            if n in taken:
                continue
            fits = [
                roll
                for roll in free
                if roll.step > due.arrived
                and (afterwards or due.left is None or roll.step < due.left)
            ]
            if not fits:
                continue
            best = min(fits, key=lambda each: (not each.is_check, each.step))
            free.remove(best)
            taken[n] = (best, afterwards)
    for n in ordered:
        if n not in taken and early and dues[n].met.by:
            taken[n] = (early.pop(0), True)
    matched = []
    for n, due in enumerate(dues):
        roll: Roll | None = None
        late = False
        if n in taken:
            roll, late = taken[n]
        sure = roll is not None and (roll.is_check or track.check_said)
        matched.append(Matched(due, roll, sure, late))
    return tuple(matched), tuple(roll for roll in free if roll.is_check)


def result_of(roll: Roll, morale: int, leadership: int) -> Result:
    """The result of an NMC at a broken morale, with the modifier of a leader along (R64 to R67)."""
    if roll.total == DEAD:
        return Result.DEAD
    total = roll.total + leadership
    if total < morale:
        return Result.PASS
    return Result.PIN if total == morale else Result.FAIL


@dataclass(frozen=True, slots=True)
class Applied:
    """What the checks of a rout mean for the verdict.

    Attributes:
        checks: for the report.
        reasons: what happened, legal or not.
        worst: illegal or unproven if a result was not applied or cannot be told; else legal.
        cut: how the rout was cut short, if it was.
        cut_hex: where.
        wounded_at: place in the path at which the unit was freshly wounded.
        missing: hexes whose NMC is missing.
        unsure_stop: `worst` is unproven only because it is not certain that a check stopped it.
    """

    checks: tuple[Check, ...]
    reasons: tuple[Why, ...]
    worst: Verdict
    cut: Cut | None
    cut_hex: str | None
    wounded_at: str | None
    missing: tuple[str, ...]
    unsure_stop: bool = False


BAD_CODES = frozenset(
    {
        AuditCode.CHECK_MISSING,
        AuditCode.CHECK_SAID,
        AuditCode.LOSS_UNEXPLAINED,
        AuditCode.NO_DICE,
        AuditCode.PIN_IGNORED,
        AuditCode.PIN_UNEARNED,
        AuditCode.PIN_UNEXPLAINED,
        AuditCode.RESULT_MISSING,
        AuditCode.RESULT_UNEARNED,
        AuditCode.UNCLEAR_ROLL,
    }
)
"""What speaks against a rout, or leaves it open; the others only tell what was rolled."""
STOP_CODES = frozenset({AuditCode.PIN_UNEARNED, AuditCode.PIN_UNEXPLAINED})
"""What is said of a Pin counter that no roll explains."""


def stop_facts(applied: Applied, hex_: str) -> tuple[tuple[str, str], ...]:
    """Where a rout stopped short, and how to tell it beside what was rolled and marked (R85)."""
    marked = any(why.code in STOP_CODES for why in applied.reasons)
    return (("hex", hex_), ("case", "marked" if marked else "unmarked"))


class Applier:
    """Goes through the checks of one rout in order, as the unit loses steps.

    Args:
        track: the rout as recorded.
        unit: the unit as it set out.
        leadership: modifier of the leader going along, 0 without one.
        dice_at_hand: the log holds dice at all.
    """

    def __init__(self, track: Track, unit: Unit, leadership: int, *, dice_at_hand: bool) -> None:
        self.track = track
        self.unit = unit
        self.leadership = leadership
        self.dice_at_hand = dice_at_hand
        self.kind = unit.kind
        self.morale = unit.broken_morale
        self.checks: list[Check] = []
        self.reasons: list[Why] = []
        self.worst = Verdict.LEGAL
        self.cut: Cut | None = None
        self.cut_hex: str | None = None
        self.wounded_at: str | None = None
        self.missing: list[str] = []
        self.unsure_stop = False

    def apply(self, matched: Sequence[Matched], *, checked: bool = True) -> Applied:
        """Judge every check.

        Args:
            matched: from `match_rolls`.
            checked: checks had to be rolled; False for a rout that was taken back or crawled.
        """
        for number, each in enumerate(matched):
            last = number == len(matched) - 1
            if each.roll is None:
                self._unrolled(each, checked=checked)
            else:
                self._rolled(each, each.roll, last=last)
        return Applied(
            tuple(self.checks),
            tuple(self.reasons),
            self.worst,
            self.cut,
            self.cut_hex,
            self.wounded_at,
            tuple(self.missing),
            self.unsure_stop and self.worst is Verdict.UNPROVEN,
        )

    def taken_back(self, matched: Sequence[Matched]) -> Applied:
        """The checks of a rout that was taken back: told, with no result to apply."""
        for each in matched:
            met, roll = each.due.met, each.roll
            nmc = Nmc.NONE if roll is None else Nmc.ROLLED
            step = None if roll is None else roll.step
            total = None if roll is None else roll.total
            check = Check(met.hex, met.by, nmc, met.maybe, step, total, each.due.unavoidable)
            self.checks.append(check)
        return self.apply(())

    # --- one check ------------------------------------------------------------------------------

    def _unrolled(self, each: Matched, *, checked: bool) -> None:
        met, due = each.due.met, each.due
        missing = checked and bool(met.by) and due.unavoidable
        nmc = Nmc.MISSING if missing else Nmc.NONE
        self.checks.append(Check(met.hex, met.by, nmc, met.maybe, unavoidable=due.unavoidable))
        if not missing:
            return
        self.missing.append(met.hex)
        facts = (("hex", met.hex), ("enemies", met.by))
        if due.left is None and self._pin_marked():
            # its result lies on the map: the roll was made, but not in this log
            self.reasons.append(Finding("R66", AuditCode.PIN_UNEXPLAINED, (("hex", met.hex),)))
            self._cut(Cut.PINNED, met.hex)
            self._worse(Verdict.UNPROVEN)
        elif self._suffered(each):
            self.reasons.append(Finding("R67", AuditCode.LOSS_UNEXPLAINED, (("hex", met.hex),)))
            if due.left is None:
                gone = self.track.event("removed") is not None
                self._cut(Cut.ELIMINATED if gone else Cut.REDUCED, met.hex)
            self._worse(Verdict.UNPROVEN)
        elif self.track.check_said and self.track.passed_said:
            self.reasons.append(Finding("R64", AuditCode.CHECK_SAID, (("hex", met.hex),)))
            self._worse(Verdict.UNPROVEN)
        elif self.dice_at_hand:
            self.reasons.append(Finding("R64", AuditCode.CHECK_MISSING, facts))
            self._worse(Verdict.ILLEGAL)
        else:
            self.reasons.append(Finding("R64", AuditCode.NO_DICE, (("hex", met.hex),)))
            self._worse(Verdict.UNPROVEN)

    def _rolled(self, each: Matched, roll: Roll, *, last: bool) -> None:
        met = each.due.met
        self.checks.append(
            Check(
                met.hex,
                met.by,
                Nmc.ROLLED,
                met.maybe,
                roll.step,
                roll.total,
                each.due.unavoidable,
            )
        )
        if self.morale is None:
            facts = (("hex", met.hex), ("total", roll.total), ("step", roll.step))
            self.reasons.append(Finding("R64", AuditCode.CHECK_ROLLED, facts))
            self._as_seen(each, roll, last=last)
            return
        result = result_of(roll, self.morale, self.leadership)
        if each.sure:
            self._judge(each, roll, result, last=last)
        elif not self._fits(each, result, last=last):
            facts = (("hex", met.hex), ("total", roll.total), ("step", roll.step))
            self.reasons.append(Finding("R64", AuditCode.UNCLEAR_ROLL, facts))
            self._worse(Verdict.UNPROVEN)
        else:
            self._judge(each, roll, result, last=last, sure=False)

    def _stayed(self, each: Matched, *, last: bool) -> bool:
        """The unit went no farther after this check."""
        return each.due.left is None or (last and self.track.to == each.due.met.hex)

    def _fits(self, each: Matched, result: Result, *, last: bool) -> bool:
        """Whether what happened afterwards fits a result."""
        if result is Result.PASS:
            return True
        if result is Result.PIN:
            return self._stayed(each, last=last)
        return self._suffered(each)

    def _suffered(self, each: Matched) -> bool:
        """A reduction, a wound or the end, after the unit entered the hex."""
        codes = ("reduced", "wounded", "removed")
        return any(e.code in codes and e.step > each.due.arrived for e in self.track.events)

    def _judge(
        self, each: Matched, roll: Roll, result: Result, *, last: bool, sure: bool = True
    ) -> None:
        facts = self._facts(each, roll)
        if result is Result.PASS:
            self._passed(each, facts, last=last)
        elif result is Result.PIN:
            self._pin(each, facts, last=last, sure=sure)
        else:
            self._fail(each, facts, dead=result is Result.DEAD)

    def _facts(self, each: Matched, roll: Roll) -> tuple[tuple[str, str | int], ...]:
        total = roll.total + (0 if roll.total == DEAD else self.leadership)
        return (("hex", each.due.met.hex), ("total", total), ("morale", self.morale or 0))

    def _passed(
        self, each: Matched, facts: tuple[tuple[str, str | int], ...], *, last: bool
    ) -> None:
        self.reasons.append(Finding("R64", AuditCode.CHECK_PASSED, facts))
        codes = ("reduced", "wounded")
        after = each.due.left or self.track.last
        if any(e.code in codes and each.due.arrived < e.step <= after for e in self.track.events):
            self.reasons.append(Finding("R65", AuditCode.RESULT_UNEARNED, facts))
            self._worse(Verdict.UNPROVEN)
        elif last and self._stayed(each, last=last) and self._pin_marked():
            self.reasons.append(Finding("R65", AuditCode.PIN_UNEARNED, facts))
            self._cut(Cut.PINNED, each.due.met.hex)
            self._unsure()

    def _pin_marked(self) -> bool:
        return self.track.event("pin") is not None or self.track.pin_said

    def _pin(
        self, each: Matched, facts: tuple[tuple[str, str | int], ...], *, last: bool, sure: bool
    ) -> None:
        if not self._stayed(each, last=last):
            self.reasons.append(Finding("R66", AuditCode.PIN_IGNORED, facts))
            self._worse(Verdict.ILLEGAL)
            return
        unsure = not sure and not self._pin_marked()
        case = (("case", "unsure"),) if unsure else ()
        self.reasons.append(Finding("R66", AuditCode.PINNED, (*facts, *case)))
        self._cut(Cut.PINNED, each.due.met.hex)
        if unsure:
            self._unsure()

    def _fail(self, each: Matched, facts: tuple[tuple[str, str | int], ...], *, dead: bool) -> None:
        hex_ = each.due.met.hex
        removed = self.track.event("removed")
        if dead or self.kind in (Kind.HALF_SQUAD, Kind.CREW):
            if removed is not None:
                self.reasons.append(Finding("R67", AuditCode.DIED, facts))
                self._cut(Cut.ELIMINATED, hex_)
            else:
                self._not_applied(facts, "eliminated")
            return
        if self.kind is Kind.SQUAD:
            self._fail_squad(each, facts)
            return
        if self.track.event("wounded") is not None:
            self.reasons.append(Finding("R67", AuditCode.WOUNDED, facts))
            if self.morale is not None:
                before = self.unit.wounded or self.wounded_at is not None
                self.morale = morale_after_wound(self.morale, wounded=before)
            self.wounded_at = hex_
            self._goes_on(each)
        elif removed is not None:
            self.reasons.append(Finding("R67", AuditCode.DIED, facts))
            self._cut(Cut.ELIMINATED, hex_)
        else:
            self._not_applied(facts, "wounded")

    def _fail_squad(self, each: Matched, facts: tuple[tuple[str, str | int], ...]) -> None:
        hex_ = each.due.met.hex
        if self.track.event("reduced") is not None and self.kind is Kind.SQUAD:
            self.reasons.append(Finding("R67", AuditCode.REDUCED, facts))
            self.kind = Kind.HALF_SQUAD
            if self.unit.half_broken_morale is not None:
                self.morale = self.unit.half_broken_morale
            self._goes_on(each)
        elif self.track.event("removed") is not None:
            # eliminated though only a step was lost: more than the check asks for
            due = (*facts, ("due", "reduced"))
            self.reasons.append(Finding("R67", AuditCode.RESULT_MISSING, due))
            self._cut(Cut.ELIMINATED, hex_)
            self._worse(Verdict.UNPROVEN)
        else:
            self._not_applied(facts, "reduced")

    def _goes_on(self, each: Matched) -> None:
        hex_ = each.due.met.hex
        if each.due.left is not None:
            self.reasons.append(Finding("R68", AuditCode.GOES_ON, (("hex", hex_),)))
        else:
            self._cut(Cut.REDUCED, hex_)

    def _not_applied(self, facts: tuple[tuple[str, str | int], ...], due: str) -> None:
        self.reasons.append(Finding("R67", AuditCode.RESULT_MISSING, (*facts, ("due", due))))
        self._worse(Verdict.ILLEGAL)

    def _as_seen(self, each: Matched, roll: Roll, *, last: bool) -> None:
        """Morale unknown: what the players did is taken for the result."""
        hex_ = each.due.met.hex
        removed = self.track.event("removed")
        if removed is not None and last:
            self._cut(Cut.ELIMINATED, hex_)
        elif self._stayed(each, last=last) and self._pin_marked():
            self._cut(Cut.PINNED, hex_)
        elif self._suffered(each) and self._stayed(each, last=last):
            self._cut(Cut.REDUCED, hex_)
        if roll.total == DEAD and removed is None:
            facts = (("hex", hex_), ("total", roll.total), ("morale", 0), ("due", "eliminated"))
            self.reasons.append(Finding("R67", AuditCode.RESULT_MISSING, facts))
            self._worse(Verdict.ILLEGAL)

    def _unsure(self) -> None:
        """Not certain whether a check stopped it: open, unless it may end here anyway."""
        if self.worst is Verdict.LEGAL:
            self.unsure_stop = True
        self._worse(Verdict.UNPROVEN)

    def _cut(self, cut: Cut, hex_: str) -> None:
        self.cut, self.cut_hex = cut, hex_

    def _worse(self, verdict: Verdict) -> None:
        order = (Verdict.LEGAL, Verdict.UNPROVEN, Verdict.ILLEGAL)
        if order.index(verdict) > order.index(self.worst):
            self.worst = verdict
