"""From one save to the next: what a rout phase between them can and cannot have been (R84).

Two saves show no way, no order and no dice. A rout is legal if some legal history leads from one to
the other, whatever the order of the routs; the interdictions every such history contains are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vassal_bridge.audit.facts import Lens
from vassal_bridge.audit.judge import Judge
from vassal_bridge.audit.result import (
    AuditCode,
    AuditedPhase,
    AuditedRout,
    AuditNote,
    AuditResult,
    Cut,
    Evidence,
    Failure,
    Finding,
    Verdict,
    Why,
    as_they_began,
)
from vassal_bridge.audit.scene import Scene
from vassal_bridge.audit.single import AuditOptions
from vassal_bridge.audit.table import unit_of_piece
from vassal_bridge.audit.tracks import Event, Move, Track
from vassal_bridge.bridge import Loaded, game_map, snapshot, source_of
from vassal_bridge.bridge.units import with_ids
from vassal_bridge.counters import Kind as CounterKind
from vassal_bridge.counters import StackReading
from vassal_bridge.errors import UsageError
from vassal_bridge.rout import Duty, Kind, Position, Unit
from vassal_bridge.rout.duty import obligation
from vassal_bridge.rout.interdiction import interdictors
from vassal_bridge.rout.router import Router
from vassal_bridge.vassal import load_game, open_saved, without_marks

STEP = 1
"""The one step between two saves."""


@dataclass(frozen=True)
class _Pair:
    """Both saves on one map."""

    before: Loaded
    after: Loaded


def audit_saves(before: Path, after: Path, options: AuditOptions) -> AuditResult:
    """Audit what happened between two saves of one game.

    Args:
        before: the save at the start of the RtPh.
        after: the save after it.
        options: as for a log.

    Raises:
        UsageError: the boards differ, or no unit is in both.
        VassalBridgeError: a save is unreadable or a board missing.
    """
    first, second = without_marks(open_saved(before)), without_marks(open_saved(after))
    game, later = load_game(first), load_game(second)
    if game.boards_line != later.boards_line:
        raise UsageError(f"{before.name} and {after.name} lie on different boards")
    board = game_map(game, options.read)
    source = source_of(second)
    pair = _Pair(
        snapshot(game, board, options.read, source), snapshot(later, board, options.read, source)
    )
    del_ids = {unit.piece for unit in pair.before.position.units}
    if not any(unit.piece in del_ids for unit in pair.after.position.units):
        raise UsageError(f"{before.name} and {after.name} have no unit in common")
    lens = Lens(board)
    return _Saves(pair, lens).result()


class _Saves:
    """The audit of two saves."""

    def __init__(self, pair: _Pair, lens: Lens) -> None:
        self.pair = pair
        self.lens = lens
        self.old = pair.before.position
        self.new = pair.after.position
        self.now = {unit.piece: unit for unit in self.new.units if unit.piece is not None}
        self.moved = [
            unit
            for unit in self.old.units
            if unit.piece in self.now and self.now[unit.piece].hex != unit.hex
        ]
        self.routed = [unit for unit in self.moved if unit.broken and unit.is_infantry]

    def result(self) -> AuditResult:
        """Everything that can be told."""
        routs = tuple(rout for unit in self.routed if (rout := self._rout(unit)) is not None)
        failures, notes = self._failures()
        evidence = (
            Evidence("same", "no unit changed from one save to the next")
            if self.old.units == self.new.units
            else Evidence("saves", f"{len(routs)} broken units stand elsewhere"),
        )
        phase = AuditedPhase(
            (0, STEP), evidence, self.old.attacker, routs, tuple(failures), tuple(notes)
        )
        phase = as_they_began(phase, self.old.units)
        before = self.pair.before
        return AuditResult(
            self.pair.after.source,
            self.old.rules,
            self.old.attacker,
            before.boards,
            before.assumptions,
            self.pair.after.problems,
            (phase,),
            0,
            {0: self.old.units, STEP: self.new.units},
        )

    # --- routs ----------------------------------------------------------------------------------

    def _rout(self, unit: Unit) -> AuditedRout | None:
        tries = []
        for position in self._boards(unit):
            subject = unit_of_piece(position, unit.piece or "")
            if subject is None:
                continue
            scene = Scene(
                position, self.pair.before.readings, dice_at_hand=False, between_saves=True
            )
            tries.append(Judge(self._track(unit), subject, scene).rout())
        if not tries:
            return None
        order = (Verdict.LEGAL, Verdict.UNPROVEN, Verdict.DISPUTED, Verdict.ILLEGAL)
        best = min(tries, key=lambda rout: order.index(rout.verdict))
        return self._stop(unit, best)

    def _boards(self, unit: Unit) -> Iterable[Position]:
        """The boards on which it may have routed: before anyone else, after friends, after all."""
        yield self.old
        gone = {other.piece for other in self.routed if other.side == unit.side}
        gone.discard(unit.piece)
        if gone:
            yield replace(self.old, units=tuple(u for u in self.old.units if u.piece not in gone))
        foes = {other.piece for other in self.routed if other.side != unit.side}
        if foes:
            units = tuple(
                replace(other, hex=self.now[other.piece].hex)
                if other.piece in foes and other.piece in self.now
                else other
                for other in self.old.units
                if other.piece not in gone
            )
            yield replace(self.old, units=with_ids(units))

    def _track(self, unit: Unit) -> Track:
        now = self.now[unit.piece or ""]
        counter = next(
            c for r in self.pair.before.readings for c in r.counters if c.id == unit.piece
        )
        track = Track(unit.piece or "", counter, [Move(STEP, unit.hex, now.hex)])
        if now.kind is not unit.kind:
            track.events.append(Event("reduced", STEP))
        if now.pinned:
            track.events.append(Event("pin", STEP))
        for other in self.moved:
            there = self.now[other.piece or ""]
            along = other.hex == unit.hex and there.hex == now.hex
            leads = other.kind is Kind.LEADER and not other.broken and other.side == unit.side
            if along and leads and other.piece is not None:
                track.leaders[other.piece] = [Move(STEP, unit.hex, now.hex)]
        track.weapons |= self._carried(unit, now)
        return track

    def _carried(self, unit: Unit, now: Unit) -> set[str]:
        """Weapons it had that lie in its new hex."""
        had = _weapons(self.pair.before.readings, unit.hex, unit.piece)
        there = _weapons(self.pair.after.readings, now.hex, None)
        return had & there

    def _stop(self, unit: Unit, rout: AuditedRout) -> AuditedRout:
        """A rout that stops short may have been pinned where it could be interdicted (R85)."""
        if rout.verdict is not Verdict.ILLEGAL:
            return rout
        short = all(why.rule in ("R27", "R85") for why in rout.reasons if _decides(why))
        if not short:
            return rout
        now = self.now[unit.piece or ""]
        sure, maybe = interdictors(self.old, unit.side, now.hex, self._neighbour(unit, now))
        if not sure and not maybe:
            why = Finding("R85", AuditCode.STOPS_SHORT, (("hex", now.hex),))
            return replace(rout, reasons=(*rout.reasons, why))
        if now.pinned:
            facts = (("hex", now.hex),)
            pin = Finding("R66", AuditCode.PIN_UNEXPLAINED, facts)
            return replace(
                rout, verdict=Verdict.LEGAL, reasons=(pin,), cut=Cut.PINNED, last_legal=now.hex
            )
        open_: tuple[Why, ...] = (
            Finding("R85", AuditCode.STOPS_SHORT, (("hex", now.hex),)),
            Finding("R84", AuditCode.BETWEEN_SAVES),
        )
        return replace(rout, verdict=Verdict.UNPROVEN, reasons=(*open_, *rout.reasons))

    def _neighbour(self, unit: Unit, now: Unit) -> str | None:
        """A hex from which the last one can have been entered."""
        ground = self.old.ground
        beside = [hex_ for hex_ in ground.neighbours(now.hex) if hex_ is not None]
        return min(beside, key=lambda hex_: (ground.distance(hex_, unit.hex), hex_), default=None)

    # --- failures -------------------------------------------------------------------------------

    def _failures(self) -> tuple[list[Failure], list[AuditNote]]:
        """Units that had to leave and still stand there; those gone cannot be told apart."""
        failures: list[Failure] = []
        notes: list[AuditNote] = []
        for unit in self.old.units:
            if not unit.broken or not unit.is_infantry:
                continue
            now = self.now.get(unit.piece or "")
            duty = obligation(Router(self.old, unit))
            if duty.duty not in (Duty.MUST, Duty.ELIMINATED):
                continue
            facts = {"name": unit.name}
            if now is None:
                text = f"{unit.name} had to leave {unit.hex} and is gone."
                notes.append(AuditNote("gone", (STEP,), text, unit.hex, facts))
                continue
            if now.hex != unit.hex or not now.broken:
                continue
            if not self.routed or duty.uncertain or unit.uncertain:
                text = f"{unit.name} in {unit.hex} has to rout and stands there in both saves."
                stands = {**facts, "doubt": "saves"}
                notes.append(AuditNote("may-have-failed", (STEP,), text, unit.hex, stands))
                continue
            no_step = duty.duty is Duty.ELIMINATED
            code = AuditCode.FAILED_NO_STEP if no_step else AuditCode.FAILED_STAYED
            why = Finding("R73", code, (("hex", unit.hex),))
            failures.append(
                Failure(
                    unit.piece or "",
                    unit.name,
                    unit.side,
                    unit.hex,
                    "R73a" if no_step else "R73",
                    removed=False,
                    reasons=(why, *duty.reasons),
                    at=STEP,
                )
            )
        return failures, notes


_ASIDE = (AuditCode.JUMP, AuditCode.JUMP_BARRED, AuditCode.OPEN_END)


def _decides(why: Why) -> bool:
    """Whether a reason speaks against the rout."""
    return not isinstance(why, Finding) or why.code not in _ASIDE


def _weapons(readings: Sequence[StackReading], hex_: str, possessor: str | None) -> set[str]:
    wanted: Callable[[StackReading], bool] = lambda reading: reading.hex == hex_  # noqa: E731
    return {
        counter.id
        for reading in readings
        if wanted(reading)
        for counter in reading.counters
        if counter.kind in (CounterKind.SW, CounterKind.GUN)
        and (possessor is None or counter.possessor == possessor)
    }
