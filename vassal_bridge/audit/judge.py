"""The verdict on one rout: the rules' own judge asked about what the log shows (R83 to R86).

`illegal` is said only of what is illegal under every reading and with every fact at hand; a missing
fact makes it `unproven`, a listed reading that would allow it `disputed`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vassal_bridge.audit.cast import cast_of, legal_ends
from vassal_bridge.audit.equipment import weapon_reasons
from vassal_bridge.audit.histories import Histories, Outcome, interdictions_as_recorded
from vassal_bridge.audit.interdiction import (
    BAD_CODES,
    STOP_CODES,
    Applied,
    Applier,
    Due,
    match_rolls,
    stop_facts,
)
from vassal_bridge.audit.leaders import Company, company_of
from vassal_bridge.audit.result import (
    AuditCode,
    AuditedRout,
    Cut,
    Finding,
    Recorded,
    Verdict,
    Why,
)
from vassal_bridge.audit.scene import Doubter, Scene
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import READINGS, Code, Cover, Interdiction, Reason, Unit
from vassal_bridge.rout.interdiction import interdictors
from vassal_bridge.rout.odds import leadership_of
from vassal_bridge.rout.router import WOUNDED_MF2, Router
from vassal_bridge.rout.rulebook import UNNAMED, rule_of_reading


@dataclass(frozen=True, slots=True)
class _Judged:
    """A path judged as move or crawl, with its checks."""

    outcome: Outcome
    applied: Applied
    crawl: bool
    readings: tuple[str, ...]
    complete: bool
    vanished: bool = False

    @property
    def fine(self) -> bool:
        """Legal, every check rolled and applied."""
        return self.outcome.legal and self.applied.worst is Verdict.LEGAL


DUTY_READINGS = frozenset({"r4_literal", "r8_good_order"})
"""Readings that can change what a unit has to do."""
SEASONLESS = frozenset({"R1", "R2", "R3", "R13", "R14", "R23", "R52", "R67", "R71", "R76", "R77"})
"""Rules whose breach no month can excuse."""
FREE_SIGHT = 6
"""Range in hexes up to which Hindrances alone cannot add up to the 6 that block (R79)."""


@dataclass(slots=True)
class _Weighed:
    """What speaks against a rout, what stays open, what carries it; and the verdict.

    `wrong_way`: the way itself is not legal, whatever was rolled and in whatever order.
    """

    judged: _Judged
    verdict: Verdict
    illegal: list[Why]
    open: list[Why]
    support: list[Why]
    disputed: tuple[str, ...]
    wrong_way: bool


class Judge:
    """Judges one rout on its scene.

    Args:
        track: the rout as recorded.
        unit: the unit in the scene's position.
        scene: the board when it began.
    """

    def __init__(self, track: Track, unit: Unit, scene: Scene) -> None:
        self.track = track
        self.unit = unit
        self.scene = scene
        self.position = scene.position
        self.company: Company = company_of(track, unit, scene.position)
        self.router = Router(self.position, unit, companion=self.company.leader)
        self.waypoints = (*(move.to for move in track.prefix), *track.path)
        self.undone = track.undone_by is not None

    # --- the verdict ----------------------------------------------------------------------------

    def rout(self) -> AuditedRout:
        """The rout with its verdict."""
        found = self._weigh()
        verdict = found.verdict
        month = self._other_month(found)
        if month is not None:
            found.open.insert(0, month)
            verdict = Verdict.UNPROVEN
        reasons = self._ordered(verdict, found)
        return self._made(found, verdict, reasons)

    def _weigh(self) -> _Weighed:
        """Everything that speaks for and against the rout."""
        judged = self._choose()
        outcome, applied = judged.outcome, judged.applied
        illegal: list[Why] = []
        open_: list[Why] = []
        support: list[Why] = []
        if not outcome.legal:
            illegal += outcome.reasons
            if self._has_gap():
                jump = (("from", self.track.start), ("to", self.track.to))
                support.append(Finding("R84", AuditCode.JUMP_BARRED, jump))
        for why in applied.reasons:
            if isinstance(why, Finding) and why.code in BAD_CODES:
                (illegal if applied.worst is Verdict.ILLEGAL else open_).append(why)
            else:
                support.append(why)
        if applied.unsure_stop and not judged.complete:
            open_.append(Finding("R85", AuditCode.STOPS_SHORT, stop_facts(applied, self.track.to)))
        elif applied.unsure_stop:  # it ends where it may end anyway
            support += [why for why in open_ if why.code in STOP_CODES]
            open_ = [why for why in open_ if why.code not in STOP_CODES]
        if judged.vanished:
            open_.append(Finding("R85", AuditCode.STOPS_SHORT, (("hex", self.track.to),)))
        too_far = self._wound_limit(judged)
        illegal += too_far
        illegal += self._interrupted()
        illegal += self._leader_outlives(applied)
        illegal += self.company.illegal
        support += self.company.support
        weapons = weapon_reasons(self.track, self.unit, self.scene.readings, self.position)
        if not self.undone:
            illegal += weapons.illegal
            support += weapons.remarks
        support += self._support(judged)
        disputed = self._disputed(judged, illegal)
        verdict = self._verdict(judged, illegal, open_, disputed)
        wrong_way = bool(too_far) or not outcome.legal
        return _Weighed(judged, verdict, illegal, open_, support, disputed, wrong_way)

    def _other_month(self, found: _Weighed) -> Finding | None:
        """A month not given in which the same rout would not be illegal."""
        if found.verdict is not Verdict.ILLEGAL or self.scene.seasons is None:
            return None
        if any(self._whatever_the_month(why) for why in found.illegal):
            return None
        for month, position in self.scene.seasons():
            unit = position.by_id.get(self.unit.id)
            if unit is None:
                continue
            scene = replace(self.scene, position=position, seasons=None)
            if Judge(self.track, unit, scene)._weigh().verdict is not Verdict.ILLEGAL:
                return Finding("R19", AuditCode.MONTH_MISSING, (("month", month),))
        return None

    def _whatever_the_month(self, why: Why) -> bool:
        """Whether grain and orchards cannot excuse a breach.

        Toward an enemy in sight they could only by hiding him: six Hindrances, or an orchard
        between two levels (R79).
        """
        if why.rule in SEASONLESS:
            return True
        enemy = self.position.by_id.get(str(why.fact("enemy")))
        if enemy is None or why.rule not in ("R8", "R38", "R39", "R40"):
            return False
        ground = self.position.ground
        hexes = (self.unit.hex, *self.waypoints)
        level = ground.terrain(enemy.hex).level
        return all(
            ground.distance(hex_, enemy.hex) <= FREE_SIGHT and ground.terrain(hex_).level == level
            for hex_ in hexes
        )

    def _verdict(
        self,
        judged: _Judged,
        illegal: list[Why],
        open_: list[Why],
        disputed: tuple[str, ...],
    ) -> Verdict:
        if illegal:
            doubts = Doubter(self.scene, self.unit, self.waypoints, crawl=judged.crawl).of(illegal)
            if doubts:
                open_ += doubts
                return Verdict.UNPROVEN
            return Verdict.DISPUTED if disputed else Verdict.ILLEGAL
        if open_ and not self.undone:
            return Verdict.UNPROVEN
        return Verdict.LEGAL

    def _disputed(self, judged: _Judged, illegal: list[Why]) -> tuple[str, ...]:
        """Readings under which nothing illegal is left."""
        if self.company.disputed and all(why in self.company.illegal for why in illegal):
            return ("r15",)
        core = set(judged.outcome.reasons)
        if judged.outcome.legal or any(why not in core for why in illegal):
            return ()
        return judged.readings

    # --- move or crawl --------------------------------------------------------------------------

    def _choose(self) -> _Judged:
        """As a normal rout, or as a Low Crawl: as declared, or as the only legal reading."""
        move = self._as_move()
        if len(self.waypoints) != 1 and self.track.crawl_said is None:
            return move
        if self.track.crawl_said is not None:
            crawl = self._as_crawl()
            return crawl if crawl.outcome.legal or not move.fine else move
        if move.fine and not move.outcome.found_death:
            return move
        crawl = self._as_crawl()
        rolled = any(check.step is not None for check in move.applied.checks)
        if crawl.outcome.legal and not rolled and not self._pin_marked():
            return crawl
        return move

    def _as_move(self) -> _Judged:
        """Judged hex by hex; once more as cut short when a check or discovery ended it."""
        applied, outcome = self._walk(complete=True)
        cut = applied.cut
        removed = self.track.event("removed") is not None
        if not outcome.legal and (cut is not None or removed) and not self.undone:
            part, partial = self._walk(complete=False)
            ends = part.cut is not None and part.cut_hex == self.waypoints[-1]
            beside = any(reason.rule == "R8" for reason in outcome.reasons)
            if partial.legal and (ends or (removed and not beside)):
                return self._judged(partial, part, complete=False, vanished=not ends)
        return self._judged(outcome, applied, complete=not self.undone)

    def _walk(self, *, complete: bool) -> tuple[Applied, Outcome]:
        whole = complete and not self.undone
        outcome = Histories(self.router, self.waypoints, complete=whole).outcome()
        return self._checks(outcome), outcome

    def _judged(
        self, outcome: Outcome, applied: Applied, *, complete: bool, vanished: bool = False
    ) -> _Judged:
        readings = self._readings(outcome, crawl=False, complete=complete)
        return _Judged(
            outcome, applied, crawl=False, readings=readings, complete=complete, vanished=vanished
        )

    def _as_crawl(self) -> _Judged:
        outcome = Histories(self.router, self.waypoints, complete=True).crawl()
        nothing = Applier(self.track, self.unit, 0, dice_at_hand=True).apply(())
        readings = self._readings(outcome, crawl=True, complete=True)
        return _Judged(outcome, nothing, crawl=True, readings=readings, complete=True)

    def _readings(self, outcome: Outcome, *, crawl: bool, complete: bool) -> tuple[str, ...]:
        """Readings under which legal becomes illegal or the other way round."""
        found = []
        # The rule book's example contradicts itself on R31; both readings are accepted there.
        asked = outcome.touched if outcome.legal else outcome.touched - UNNAMED
        for reading in sorted(asked):
            other = self.router.with_readings(self.router.readings.with_reading(reading))
            same = None if reading in DUTY_READINGS else outcome.duty
            again = Histories(other, self.waypoints, complete=complete, duty=same)
            answer = again.crawl() if crawl else again.outcome()
            if answer.legal != outcome.legal:
                found.append(reading)
        return tuple(found)

    # --- checks ---------------------------------------------------------------------------------

    def _checks(self, outcome: Outcome) -> Applied:
        """Interdictions met, with their rolls."""
        leadership = leadership_of(self.company.leader)
        applier = Applier(self.track, self.unit, leadership, dice_at_hand=self.scene.dice_at_hand)
        matched, spare = match_rolls(self.track, self._dues(outcome))
        if self.undone:
            return applier.taken_back(matched)
        applied = applier.apply(matched, checked=not self.scene.between_saves)
        if applied.cut is None and spare and self._pin_marked():
            # A pin by a check that by the map was not due: somebody not seen may interdict (R58).
            reason = Finding("R56", AuditCode.PIN_UNEXPLAINED, (("hex", self.track.to),))
            return replace(
                applied,
                reasons=(*applied.reasons, reason),
                cut=Cut.PINNED,
                cut_hex=self.track.to,
                worst=max(applied.worst, Verdict.UNPROVEN, key=_RANK.index),
                unsure_stop=True,
            )
        return applied

    def _pin_marked(self) -> bool:
        return self.track.event("pin") is not None

    def _dues(self, outcome: Outcome) -> tuple[Due, ...]:
        """What was due where, and between which steps it could be rolled."""
        if outcome.legal:
            must = {met.hex: met for met in outcome.must}
            has_gap = self._has_gap()
            met = outcome.must if has_gap else outcome.met
        else:
            met = interdictions_as_recorded(self.router, self.waypoints)
            must = {each.hex: each for each in met}
        dues = []
        for each in met:
            arrived, left = self._when(each)
            dues.append(Due(each, each.hex in must, arrived, left))
        return tuple(dues)

    def _when(self, met: Interdiction) -> tuple[int, int | None]:
        all_moves = [*self.track.prefix, *self.track.moves]
        for number, move in enumerate(all_moves):
            if move.to == met.hex:
                following = all_moves[number + 1 :]
                return move.step, following[0].step if following else None
        return self.track.first, None

    def _has_gap(self) -> bool:
        at = self.unit.hex
        for to in self.waypoints:
            if self.router.edge(at, to) is None:
                return True
            at = to
        return False

    # --- further reasons ------------------------------------------------------------------------

    def _wound_limit(self, judged: _Judged) -> list[Why]:
        """A freshly wounded SMC has 3 MF in all; what it has used counts (R68)."""
        hurt = judged.applied.wounded_at
        costs = judged.outcome.costs
        if hurt is None or not judged.outcome.legal or not costs:
            return []
        place = self.waypoints.index(hurt) if hurt in self.waypoints else None
        if place is None or len(costs) <= place + 1:
            return []
        over = [n for n in range(place + 1, len(costs)) if costs[n] > WOUNDED_MF2]
        if not over:
            return []
        hex_ = self.waypoints[over[0]]
        cost = (costs[over[0]] - costs[over[0] - 1]) / 2
        left = max(0.0, (WOUNDED_MF2 - costs[over[0] - 1]) / 2)
        facts = (("hex", hex_), ("cost", cost), ("left", left))
        return [Reason("R17", Code.TOO_FEW_MF, facts)]

    def _leader_outlives(self, applied: Applied) -> list[Why]:
        """R71: a leader going along is eliminated if the unit fails a check."""
        failed = next(
            (
                why
                for why in applied.reasons
                if why.code in (AuditCode.REDUCED, AuditCode.DIED, AuditCode.WOUNDED)
            ),
            None,
        )
        leader = self.company.leader
        if failed is None or leader is None or leader.piece in self.track.lost_leaders:
            return []
        facts = (("leader", leader.id), ("hex", failed.fact("hex") or self.track.to))
        return [Finding("R71", AuditCode.LEADER_LEFT_ALIVE, facts)]

    def _interrupted(self) -> list[Why]:
        """R14: a rout that another one interrupts."""
        found: list[Why] = []
        if self.track.interrupted is not None and not self.undone:
            facts = (("step", self.track.interrupted),)
            found.append(Finding("R14", AuditCode.INTERRUPTED, facts))
        return found

    def _support(self, judged: _Judged) -> list[Why]:
        """The rules that carry a legal rout, for the reader."""
        found: list[Why] = []
        outcome = judged.outcome
        if judged.crawl and outcome.legal:
            if self.track.crawl_said is not None:
                facts = (("step", self.track.crawl_said),)
                found.append(Finding("R52", AuditCode.CRAWL_DECLARED, facts))
            else:
                found.append(Finding("R52", AuditCode.CRAWL_ONLY, (("hex", self.track.to),)))
        if outcome.legal and outcome.free:
            found.append(Finding("R51", AuditCode.FREE, (("hex", self.track.to),)))
        if outcome.legal and self._has_gap() and outcome.path:
            found.append(Finding("R84", AuditCode.JUMP, (("path", outcome.path),)))
        if outcome.legal and not self.undone and judged.applied.cut is None:
            enemies = self._open_end()
            if enemies:
                facts2 = (("hex", self.track.to), ("enemies", enemies))
                found.append(Finding("R10", AuditCode.OPEN_END, facts2))
        if self.undone and self.track.undone_by is not None:
            facts3 = (("step", self.track.undone_by),)
            found.append(Finding("R84", AuditCode.TAKEN_BACK, facts3))
        if self.position.concealed_against(self.unit.side):
            found.append(Finding("R78", AuditCode.CONCEALED_HERE))
        for death in outcome.found_death:
            rule = "R55" if judged.crawl else "R50"
            beside = tuple(sorted(death.facts, reverse=True))
            found.append(Finding(rule, AuditCode.DIED_ON_DISCOVERY, beside))
        found += [event for event in outcome.events if event.code is Code.RETARGET]
        return found

    def _open_end(self) -> tuple[str, ...]:
        """Enemies that could interdict a unit routing through the last hex."""
        to = self.track.to
        if self.position.ground.terrain(to).cover is not Cover.OPEN:
            return ()
        sure, _ = interdictors(self.position, self.unit.side, to, None)
        return sure

    # --- making the value -----------------------------------------------------------------------

    def _ordered(self, verdict: Verdict, found: _Weighed) -> tuple[Why, ...]:
        """What decides first: the reading, what is illegal or missing, then what carries it."""
        first = found.illegal + found.open
        if verdict is Verdict.UNPROVEN:
            first = found.open + found.illegal
        readings: list[Why] = [
            Reason(rule_of_reading(name), Code.READING, (("reading", name),), name)
            for name in found.disputed
            if verdict is Verdict.DISPUTED and name in READINGS
        ]
        return tuple(dict.fromkeys([*readings, *first, *found.support]))

    def _made(self, found: _Weighed, verdict: Verdict, reasons: tuple[Why, ...]) -> AuditedRout:
        judged, track, outcome = found.judged, self.track, found.judged.outcome
        cut = judged.applied.cut
        gone = self.track.event("removed") is not None
        if outcome.found_death or (cut is Cut.PINNED and gone):
            cut = Cut.ELIMINATED
        last_legal = outcome.last_legal
        if verdict is Verdict.LEGAL and not self.undone and not outcome.found_death:
            last_legal = track.to
        finding = verdict is not Verdict.LEGAL and found.wrong_way
        gap = self._has_gap()
        return AuditedRout(
            piece=track.piece,
            unit=self.unit.id,
            name=self.unit.name,
            side=self.unit.side,
            start=track.start,
            to=track.to,
            path=track.path,
            moves=tuple(move.step for move in track.moves),
            steps=(track.from_step or track.first, self._last_step(judged)),
            how=self._how(judged, gap=gap),
            verdict=verdict,
            reasons=reasons,
            last_legal=last_legal,
            checks=judged.applied.checks,
            undone=self.undone,
            cut=None if self.undone else cut,
            low_crawl=self._low_crawl(judged),
            readings=judged.readings,
            companions=tuple(track.leaders),
            weapons=tuple(sorted(track.weapons)),
            continued_by=track.new_piece,
            legal_path=outcome.path if gap and outcome.legal else (),
            legal_ends=legal_ends(self.router) if finding else (),
            cast=cast_of(self.position, self.unit, reasons, judged.applied.checks),
        )

    def _last_step(self, judged: _Judged) -> int:
        if judged.outcome.found_death:  # what follows belongs to the failure to rout
            return self.track.moves[-1].step
        steps = [self.track.last, self.track.to_step or 0]
        steps += [check.step for check in judged.applied.checks if check.step is not None]
        return max(steps)

    def _how(self, judged: _Judged, *, gap: bool) -> Recorded:
        if self.track.together:
            return Recorded.STACK
        if judged.crawl and judged.outcome.legal:
            return Recorded.CRAWL
        return Recorded.JUMP if gap else Recorded.STEPS

    def _low_crawl(self, judged: _Judged) -> bool | None:
        if judged.crawl:
            return True
        if len(self.waypoints) != 1 or self._has_gap():
            return False
        if any(check.step is not None for check in judged.applied.checks):
            return False
        return None


_RANK = (Verdict.LEGAL, Verdict.UNPROVEN, Verdict.ILLEGAL)
