"""One log (or one save) audited from its first step to its last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vassal_bridge.audit.cast import unbroken_move
from vassal_bridge.audit.dice import Roll
from vassal_bridge.audit.ending import Ending, surely_inside
from vassal_bridge.audit.facts import Lens, Said, StepFacts, broken_infantry, taken_back
from vassal_bridge.audit.failures import (
    Bounds,
    Failures,
    after_routs,
    forgotten,
    missing_dm,
    removed,
)
from vassal_bridge.audit.marks import beside_a_marker, kept_from_before, met_an_enemy
from vassal_bridge.audit.naming import Names
from vassal_bridge.audit.phase import PhaseFinder, Span
from vassal_bridge.audit.reconstruct import Recorder
from vassal_bridge.audit.result import (
    AuditedPhase,
    AuditedRout,
    AuditNote,
    AuditResult,
    Evidence,
    Failure,
    as_they_began,
)
from vassal_bridge.audit.retries import judged_with_retries
from vassal_bridge.audit.scene import Scene
from vassal_bridge.audit.sequence import judge_order, with_notes
from vassal_bridge.audit.table import BoardCache, Table, hexes_of, unit_of_piece
from vassal_bridge.audit.tracks import Recording, Track
from vassal_bridge.audit.words import ADVANCING, DEFENSIVE, PREP, RALLY, Talk, printed
from vassal_bridge.bridge import Note, Options, source_of
from vassal_bridge.counters import INFANTRY, Sides, State
from vassal_bridge.errors import UsageError
from vassal_bridge.rout import Position, Unit
from vassal_bridge.vassal import Game, Saved, load_game, open_saved, replay, without_marks

OTHER_MONTHS = (7, 1)
"""Grain in season; orchards out of leaf: what a month not given may be (R19)."""

ABOUT_THE_ATTACKER = ("attacker-from-turn", "attacker-assumed", "attacker-unknown")
"""Assumptions that a log may settle."""


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """How to audit.

    Attributes:
        read: how games are read: boards, edition, month, attacker, sides, viewpoint.
        phase: first and last log step of the rout phase, instead of looking for it.
        frames: keep the units on the map next to findings, for pictures before and after.
        positions: hexes of the opponent's units when the rout phase of the log before this one
            ended, by piece id: for routs that this log holds after his advances.
        routed: pieces that have routed in the log before this one, if its rout phase goes on here.
    """

    read: Options
    phase: tuple[int, int] | None = None
    frames: bool = True
    positions: Mapping[str, str] = field(default_factory=dict)
    routed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LogState:
    """What the next file of a folder needs to know of this one.

    Attributes:
        result: the audit.
        end: hex of every unit at the end, by piece id.
        phase_end: hex of the ATTACKER's units at the end of the last rout phase, by piece id.
        start: hex of every unit at the start.
        late: its first phase opens the log and enemies may have advanced before.
        opens: the log opens in a rout phase that may have begun in the log before.
        routed: pieces that routed in a rout phase in which the log ends.
        keys: what makes each rout and failure unmistakable: per phase its routs, its failures.
    """

    result: AuditResult
    start: Mapping[str, str]
    end: Mapping[str, str]
    phase_end: Mapping[str, str]
    late: bool
    keys: tuple[str, ...]
    opens: bool = False
    routed: frozenset[str] = frozenset()


def audit_saved(path: Path, options: AuditOptions) -> AuditResult:
    """Audit one saved log; a save without steps gives a result without phases.

    Args:
        path: a `.vlog` (or `.vsav`, or a zip holding one); never opened for writing.
        options: boards, rules, phase.

    Raises:
        VassalBridgeError: unreadable, not a game, a missing board; names the file.
    """
    return audit_game(open_saved(path), options).result


def audit_game(saved: Saved, options: AuditOptions, boards: BoardCache | None = None) -> LogState:
    """Audit a log that is already read; see `audit_saved`.

    Args:
        saved: the log.
        options: boards, rules, phase.
        boards: maps already built, when several logs are audited.
    """
    return _LogAudit(saved, options, boards or BoardCache()).audit()


class _LogAudit:
    """The audit of one log."""

    def __init__(self, saved: Saved, options: AuditOptions, boards: BoardCache) -> None:
        self.options = options
        self.boards = boards
        self.source = source_of(saved)
        saved = without_marks(saved)
        start = load_game(saved)
        board = boards.board(start, options.read)
        self.lens = Lens(board)
        self.names = Names(board)
        self.names.see(start.pieces.values())
        self.facts: list[StepFacts] = []
        games: list[Game] = []
        changed: list[tuple[str, ...]] = []
        for step in replay(saved):
            self.facts.append(self.lens.facts(step))
            games.append(step.game)
            changed.append(tuple(change.piece for change in step.changes))
            self.names.see(change.after for change in step.changes)
        self.table = Table(start, games, changed, self.lens, options.read, self.source)
        self.taken = taken_back(self.facts)
        self.first = self.table.first
        self.who: Sides = self.table.who
        self.dice = any(step.rolls for step in self.facts)
        self.marks: set[int] = set()

    # --- phases ---------------------------------------------------------------------------------

    def _attacker(self) -> str | None:
        """The ATTACKER the user named, as a side of this game."""
        chosen = self.options.read.attacker
        if chosen is None:
            return None
        sides = set(self.who.of.values())
        return self.who.side(chosen) or next(
            (side for side in sides if chosen in (side, self.who.group(side))), None
        )

    def _spans(self) -> tuple[Span, ...]:
        finder = PhaseFinder(
            self.facts,
            self.taken,
            self.who,
            self.lens.board.layout.distance,
            attacker=self._attacker(),
            guess=self.first.position.attacker,
            name=self.source.file.replace(".rout.", "."),  # our own word in an annotated copy
        )
        if self.options.phase is None:
            return finder.spans()
        first, last = self.options.phase
        if first > len(self.facts):
            raise UsageError(f"--phase {first}-{last}: the log ends with step {len(self.facts)}")
        last = min(last, len(self.facts))
        first = max(1, min(first, last))
        found = [span for span in finder.spans() if span.first <= last and first <= span.last]
        attacker = found[0].attacker if found else self.first.position.attacker
        certain = self._attacker() is not None or any(span.attacker_certain for span in found)
        evidence = (Evidence("option", f"--phase {first}-{last}"),)
        more = last < len(self.facts)
        return (Span(first, last, attacker, certain, evidence, more, False, False, True),)

    def audit(self) -> LogState:
        """Everything found in the log."""
        phases = []
        keys: list[str] = []
        spans = self._spans() if self.facts else ()
        for span in spans:
            phase, own = self._phase(span)
            phases.append(self.names.apply(phase))
            keys += own
        notes = self._outside(spans)
        if notes:
            phases = with_notes(phases, self.names.apply(tuple(notes)))
        attacker = spans[0].attacker if spans else self.first.position.attacker
        result = AuditResult(
            self.source,
            self.first.position.rules,
            attacker,
            self.first.boards,
            self._assumptions(spans),
            self.first.problems,
            tuple(phases),
            len(self.facts),
            self._frames(),
        )
        end = hexes_of(self.table.state(len(self.facts)).position)
        return LogState(
            result,
            hexes_of(self.first.position),
            end,
            self._phase_end(spans[-1]) if spans else {},
            bool(spans and spans[0].late),
            tuple(keys),
            bool(spans and spans[0].opens),
            _routed_at_end(spans[-1], phases[-1]) if spans else frozenset(),
        )

    def _phase_end(self, span: Span) -> dict[str, str]:
        """Where the ATTACKER's units stood when the last rout phase ended, before his APh."""
        position = self.table.state(span.last).position
        units = tuple(unit for unit in position.units if unit.side == span.attacker)
        return hexes_of(replace(position, units=units))

    def _assumptions(self, spans: Sequence[Span]) -> tuple[Note, ...]:
        """Those of the start; about the ATTACKER only if the log does not settle it."""
        settled = bool(spans) and all(span.attacker_certain for span in spans)
        settled = settled or not self.first.position.units  # nobody is there to be it
        return tuple(
            note
            for note in self.first.assumptions
            if not (settled and note.code in ABOUT_THE_ATTACKER)
        )

    # --- one phase ------------------------------------------------------------------------------

    def _phase(self, span: Span) -> tuple[AuditedPhase, list[str]]:
        table = self.table
        table.dm = frozenset()
        table.attacker = span.attacker
        table.stood = self.options.positions if span.late else {}
        begin = table.position(span.first - 1)
        broke, fired = self._before(span)
        marked = {unit.piece for unit in begin.units if unit.broken and unit.dm and unit.piece}
        beside = beside_a_marker(begin, table.state(span.first - 1).stacks)
        earlier = self.facts[: span.first - 1]
        kept = kept_from_before(self.first.position, earlier, self.taken) if beside else frozenset()
        table.dm = frozenset(marked | broke | (beside & kept))
        recording = Recorder(
            self.facts, self.taken, span, self.who, self.lens.board.layout.distance
        ).record()
        bare = {track.piece for track in recording.tracks if track.broken} - table.dm
        met = met_an_enemy(bare, earlier, lambda step: table.state(step).position)
        fired |= beside | met
        late = span.late and not self.options.positions
        notes = [*self._remarks(recording), *missing_dm(begin, span.first)]
        routs = self._routs(span, recording, late=late, fired=fired)
        routs, order = judge_order(routs, span)
        notes += order
        ending = Ending(span, self.facts, self.who)
        bounds = Bounds(
            table.position(span.first - 1),
            table.position(span.last),
            span.last,
            late,
            ending.closed(recording),
            self._season_bounds(span),
            going_on=self.options.phase is None and ending.going_on(),
            named=ending.hexes_named(),
            routed=self.options.routed if span.opens else frozenset(),
            opens=span.opens and self.options.phase is None,
        )
        failures = Failures()
        for part in (
            removed(recording.removals, lambda step: table.position(step - 1), late=late),
            after_routs(routs, table.position, recording.gone, bounds),
            forgotten(routs, bounds, ending.taken_off_later(), ending.routs_later()),
        ):
            failures.found += part.found
            failures.notes += part.notes
        self._mark(routs, failures)
        phase = AuditedPhase(
            (span.first, span.last),
            span.evidence,
            span.attacker,
            tuple(routs),
            tuple(sorted(failures.found, key=lambda failure: (failure.at, failure.piece))),
            tuple(sorted(notes + failures.notes, key=lambda note: (note.steps, note.code))),
        )
        phase = as_they_began(phase, begin.units)
        keys = [self._key(rout) for rout in routs]
        return phase, keys + [self._failure_key(failure) for failure in phase.failures]

    def _before(self, span: Span) -> tuple[set[str], frozenset[str]]:
        """Units that broke in this player turn (they are under DM, R5), and hexes talked of."""
        broke: dict[str, str | None] = {}
        named: set[str] = set()
        for step in self.facts[: span.first - 1]:
            if step.index in self.taken or step.undo:
                continue
            for turned in step.turned:
                now, then = State.BROKEN in turned.after.own, State.BROKEN in turned.before.own
                if now and not then:
                    broke[turned.piece] = turned.hex
                elif then and not now:
                    broke.pop(turned.piece, None)
            bare = {mark.hex for mark in step.unmarked if mark.key == "dm"}
            broke = {piece: hex_ for piece, hex_ in broke.items() if hex_ not in bare}
            for said in step.said:
                if RALLY in said.phases and said.leads:
                    broke.clear()
                    named.clear()
                elif self._about_fire(step.index, said):
                    named |= said.hexes
        position = self.table.state(span.first - 1).position
        fired = frozenset(
            unit.piece for unit in position.units if unit.piece and printed(unit.hex) in named
        )
        return set(broke), fired

    def _about_fire(self, step: int, said: Said) -> bool:
        """A line that tells who fires at whom: by its phase, or by the fire roll that follows."""
        if set(said.phases) & {PREP, DEFENSIVE, ADVANCING}:
            return True
        near = self.facts[step - 1 : step + 3]
        return any(roll.name.upper() in ("IFT", "TH") for each in near for roll in each.rolls)

    def _routs(
        self, span: Span, recording: Recording, *, late: bool, fired: frozenset[str]
    ) -> list[AuditedRout]:
        routs: list[AuditedRout] = []
        before: Track | None = None
        ends = span.last == len(self.facts) and Ending(span, self.facts, self.who).going_on()
        last = recording.tracks[-1] if ends and recording.tracks else None
        for track in recording.tracks:
            if before is not None and routs:
                track.early_rolls = [*_spare_rolls(before, routs[-1]), *track.early_rolls]
            before = None
            position = self.table.position(_before_step(track) - 1)
            unit = unit_of_piece(position, track.piece)
            if unit is None:
                continue
            if not track.broken:
                rout = unbroken_move(track, unit)
                if not surely_inside(span, track, recording):
                    continue
                routs.append(rout)
                continue
            scene = Scene(
                position,
                self.table.state(_before_step(track) - 1).stacks,
                dice_at_hand=self.dice,
                late=late,
                unfinished=track is last and not any(s.shifts for s in self.facts[track.last :]),
                fired_on=fired | {track.piece} if track.dm_given else fired,
                revealed=self._revealed(track, unit),
                seasons=self._seasons(position),
            )
            routs += judged_with_retries(track, unit, scene)
            before = track
        return routs

    def _revealed(self, track: Track, unit: Unit) -> tuple[tuple[int, Unit], ...]:
        """Enemies that nobody saw before the rout and that are there before its last move."""
        seen = {other.piece for other in self.table.state(_before_step(track) - 1).position.units}
        found = []
        for move in track.moves[1:]:
            for other in self.table.state(move.step - 1).position.units:
                if other.side != unit.side and other.piece not in seen:
                    seen.add(other.piece)
                    found.append((move.step - 1, other))
        return tuple(found)

    def _seasons(self, position: Position) -> Callable[[], Sequence[tuple[int, Position]]] | None:
        """The same board in other months, if the month is not given and matters."""
        if self.options.read.month is not None or not self.lens.board.ground.seasonal:
            return None
        return lambda: [
            (month, replace(position, ground=self.table.ground_in(month, self.boards)))
            for month in OTHER_MONTHS
        ]

    def _season_bounds(
        self, span: Span
    ) -> Callable[[], tuple[tuple[Position, Position], ...]] | None:
        start, end = self.table.position(span.first - 1), self.table.position(span.last)
        before, after = self._seasons(start), self._seasons(end)
        if before is None or after is None:
            return None
        return lambda: tuple(
            (one, other) for (_, one), (_, other) in zip(before(), after(), strict=True)
        )

    # --- notes ----------------------------------------------------------------------------------

    def _remarks(self, recording: Recording) -> list[AuditNote]:
        texts = {
            "correction": "A correction explained in chat, no rout.",
            "replaced": "A counter is replaced by another one, nobody is removed.",
        }
        return [
            AuditNote(remark.code, remark.steps, texts[remark.code], remark.hex)
            for remark in recording.remarks
            if remark.code in texts
        ]

    def _outside(self, spans: Iterable[Span]) -> list[AuditNote]:
        """Broken units moved outside every rout phase."""
        notes = []
        inside = [(span.first, span.last) for span in spans]
        for step in self.facts:
            if step.undo or step.index in self.taken:
                continue
            if any(first <= step.index <= last for first, last in inside):
                continue
            for shift in step.moved(INFANTRY):
                if not broken_infantry(shift.counter):
                    continue
                near = self.facts[max(0, step.index - 3) : step.index + 1]
                mended = any(Talk.CORRECTION in said.topics for each in near for said in each.said)
                code = "correction" if mended else "moved-outside"
                text = f"Broken {shift.counter.label} put from {shift.start} to {shift.to}: " + (
                    "a correction explained in chat." if mended else "outside the RtPh."
                )
                facts = {"name": shift.counter.label, "from": shift.start, "to": shift.to}
                if mended:
                    facts["doubt"] = "moved"
                notes.append(AuditNote(code, (step.index,), text, shift.to, facts))
        return notes

    # --- frames, keys ---------------------------------------------------------------------------

    def _mark(self, routs: Sequence[AuditedRout], failures: Failures) -> None:
        """Steps next to findings of which the units are kept."""
        if not self.options.frames:
            return
        for rout in routs:
            self.marks |= {rout.moves[0] - 1, rout.moves[-1]}
        for failure in failures.found:
            self.marks |= {max(0, failure.at - 1), failure.at}

    def _frames(self) -> dict[int, tuple[Unit, ...]]:
        return {step: self.table.state(step).position.units for step in sorted(self.marks)}

    def _key(self, rout: AuditedRout) -> str:
        """What a rout is, wherever it is recorded: the board before it, the unit, its way."""
        undone = "undone" if rout.undone else ""
        board = self._board_key(rout.moves[0] - 1)
        return "|".join((rout.piece, ",".join(rout.path), undone, board))

    def _failure_key(self, failure: Failure) -> str:
        board = self._board_key(failure.at - 1)
        return "|".join((failure.piece, failure.hex, failure.rule, failure.handled, board))

    def _board_key(self, step: int) -> str:
        units = self.table.state(step).position.units
        return "|".join(
            sorted(f"{unit.piece}@{unit.hex}{'b' if unit.broken else ''}" for unit in units)
        )


def _spare_rolls(track: Track, rout: AuditedRout) -> list[Roll]:
    """Checks rolled after a rout that it has no use for: perhaps rolled ahead for the next one."""
    used = {check.step for check in rout.checks}
    return [
        roll
        for roll in track.rolls
        if roll.is_check and roll.step > track.moves[-1].step and roll.step not in used
    ]


def _routed_at_end(span: Span, phase: AuditedPhase) -> frozenset[str]:
    """Pieces that have routed in a phase that may go on in the next log."""
    if span.goes_on or span.next_turn:
        return frozenset()
    standing = [rout for rout in phase.routs if not rout.undone]
    pieces = [piece for rout in standing for piece in (rout.piece, rout.continued_by)]
    return frozenset(piece for piece in pieces if piece is not None)


def _before_step(track: Track) -> int:
    """Step of the first move of the rout, what was taken back included."""
    return track.prefix[0].step if track.prefix else track.first


__all__ = ["AuditOptions", "LogState", "audit_game", "audit_saved"]
