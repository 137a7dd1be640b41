"""One log (or one save) audited from its first step to its last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from vassal_bridge.audit.facts import Lens, StepFacts, broken_infantry, taken_back
from vassal_bridge.audit.failures import (
    Bounds,
    Failures,
    after_routs,
    forgotten,
    missing_dm,
    removed,
)
from vassal_bridge.audit.judge import Judge, Scene, unbroken_move
from vassal_bridge.audit.phase import PhaseFinder, Span
from vassal_bridge.audit.reconstruct import Recorder, Recording, Track
from vassal_bridge.audit.result import (
    AuditCode,
    AuditedPhase,
    AuditedRout,
    AuditNote,
    AuditResult,
    Evidence,
    Finding,
    Recorded,
    Verdict,
)
from vassal_bridge.audit.words import RALLY, Talk, printed
from vassal_bridge.bridge import (
    GameMap,
    Loaded,
    Note,
    Options,
    Source,
    game_map,
    snapshot,
    source_of,
)
from vassal_bridge.counters import INFANTRY, Sides, State
from vassal_bridge.rout import Position, Unit
from vassal_bridge.vassal import Game, Saved, load_game, open_saved, replay


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """How to audit.

    Attributes:
        read: how games are read: boards, edition, month, attacker, sides, viewpoint.
        phase: first and last log step of the rout phase, instead of looking for it.
        frames: keep the units on the map next to findings, for pictures before and after.
        positions: hexes of enemy units when a rout phase of the log before this one ended, by piece
            id: for routs that a split log holds after the opponent's advances.
    """

    read: Options
    phase: tuple[int, int] | None = None
    frames: bool = True
    positions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LogState:
    """What the next file of a folder needs to know of this one.

    Attributes:
        result: the audit.
        end: hex of every unit at the end, by piece id.
        phase_end: hex of every unit at the end of the last rout phase, by piece id.
        start: hex of every unit at the start.
        late: its first phase opens the log and enemies may have advanced before.
        keys: what makes each rout unmistakable, in the order of phases and routs.
    """

    result: AuditResult
    start: Mapping[str, str]
    end: Mapping[str, str]
    phase_end: Mapping[str, str]
    late: bool
    keys: tuple[str, ...]


def audit_saved(path: Path, options: AuditOptions) -> AuditResult:
    """Audit one saved log; a save without steps gives a result without phases.

    Args:
        path: a `.vlog` (or `.vsav`, or a zip holding one); never opened for writing.
        options: boards, rules, phase.

    Raises:
        VassalBridgeError: unreadable, not a game, a missing board; names the file.
    """
    return audit_game(open_saved(path), options).result


def audit_game(saved: Saved, options: AuditOptions) -> LogState:
    """Audit a log that is already read; see `audit_saved`."""
    return _LogAudit(saved, options).audit()


class Table:
    """The board of a log at any step, as positions.

    Args:
        start: the game before the first step.
        games: the games after each step.
        board: the boards.
        options: how games are read.
        source: the file.
        positions: enemy hexes to use instead of those on the map (`AuditOptions.positions`).
    """

    def __init__(
        self,
        start: Game,
        games: Sequence[Game],
        board: GameMap,
        options: Options,
        source: Source,
    ) -> None:
        self.start = start
        self.games = games
        self.board = board
        self.options = options
        self.source = source
        self.dm: frozenset[str] = frozenset()
        self.attacker: str | None = None
        self._loaded: dict[int, Loaded] = {}

    def loaded(self, step: int) -> Loaded:
        """The game after a step (0 = before the first)."""
        found = self._loaded.get(step)
        if found is None:
            game = self.start if step <= 0 else self.games[step - 1]
            found = snapshot(game, self.board, self.options, self.source)
            self._loaded[step] = found
        return found

    def position(self, step: int) -> Position:
        """The position after a step, with the DM that units had when the phase began."""
        position = self.loaded(step).position
        units = tuple(
            replace(unit, dm=True)
            if unit.broken and not unit.dm and unit.piece in self.dm
            else unit
            for unit in position.units
        )
        return replace(position, units=units, attacker=self.attacker or position.attacker)

    def forget(self, before: int) -> None:
        """Drop positions of earlier steps."""
        for step in [step for step in self._loaded if 0 < step < before]:
            del self._loaded[step]


class _LogAudit:
    """The audit of one log."""

    def __init__(self, saved: Saved, options: AuditOptions) -> None:
        self.saved = saved
        self.options = options
        self.source = source_of(saved)
        start = load_game(saved)
        self.board = game_map(start, options.read)
        lens = Lens(self.board)
        self.facts: list[StepFacts] = []
        games: list[Game] = []
        for step in replay(saved):
            self.facts.append(lens.facts(step))
            games.append(step.game)
        self.lens = lens
        self.table = Table(start, games, self.board, options.read, self.source)
        self.taken = taken_back(self.facts)
        self.first = self.table.loaded(0)
        who = self.first.sides
        self.who: Sides = who if who is not None else Sides({}, {})
        self.dice = any(step.rolls for step in self.facts)
        self.marks: set[int] = set()

    # --- phases ------------------------------------------------------------------------------------

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
            self.board.layout.distance,
            attacker=self._attacker(),
            guess=self.first.position.attacker,
        )
        if self.options.phase is None:
            return finder.spans()
        first, last = self.options.phase
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
            phases.append(phase)
            keys += own
            self.table.forget(span.last)
        notes = self._outside(spans)
        if notes:
            phases = _with_notes(phases, notes)
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
        end = _hexes(self.table.loaded(len(self.facts)).position)
        last = spans[-1].last if spans else 0
        return LogState(
            result,
            _hexes(self.first.position),
            end,
            _hexes(self.table.loaded(last).position) if spans else {},
            bool(spans and spans[0].late),
            tuple(keys),
        )

    def _assumptions(self, spans: Sequence[Span]) -> tuple[Note, ...]:
        """Those of the start; about the ATTACKER only if the log does not settle it."""
        settled = bool(spans) and all(span.attacker_certain for span in spans)
        return tuple(
            note
            for note in self.first.assumptions
            if not (settled and note.code in ("attacker-from-turn", "attacker-assumed"))
        )

    # --- one phase ---------------------------------------------------------------------------------

    def _phase(self, span: Span) -> tuple[AuditedPhase, list[str]]:
        table = self.table
        table.dm = frozenset()
        table.attacker = span.attacker
        begin = table.position(span.first - 1)
        broke, fired = self._before(span)
        marked = {unit.piece for unit in begin.units if unit.broken and unit.dm and unit.piece}
        table.dm = frozenset(marked | broke)
        recording = Recorder(self.facts, self.taken, span, self.who).record()
        late = span.late and not self.options.positions
        notes = [*self._remarks(recording), *missing_dm(begin, span.first)]
        routs = self._routs(span, recording, late=late, fired=fired)
        routs, order = _ordered(routs, recording, span)
        notes += order
        bounds = Bounds(
            table.position(span.first - 1),
            table.position(span.last),
            span.last,
            late,
            self._closed(span, recording),
        )
        failures = Failures()
        for part in (
            removed(recording.removals, lambda step: table.position(step - 1), late=late),
            after_routs(routs, table.position, recording.gone, bounds),
            forgotten(routs, bounds, self._later(span)),
        ):
            failures.found += part.found
            failures.notes += part.notes
        self._mark(routs, failures, span)
        phase = AuditedPhase(
            (span.first, span.last),
            span.evidence,
            span.attacker,
            tuple(routs),
            tuple(sorted(failures.found, key=lambda failure: (failure.at, failure.piece))),
            tuple(sorted(notes + failures.notes, key=lambda note: (note.steps, note.code))),
        )
        return phase, [self._key(rout) for rout in routs]

    def _before(self, span: Span) -> tuple[set[str], frozenset[str]]:
        """Units that broke in this player turn (they are under DM, R5), and hexes talked of."""
        broke: set[str] = set()
        named: set[str] = set()
        for step in self.facts[: span.first - 1]:
            if step.index in self.taken or step.undo:
                continue
            for turned in step.turned:
                now, then = State.BROKEN in turned.after.own, State.BROKEN in turned.before.own
                if now and not then:
                    broke.add(turned.piece)
                elif then and not now:
                    broke.discard(turned.piece)
            for said in step.said:
                if RALLY in said.phases and said.leads:
                    broke.clear()
                    named.clear()
                named |= said.hexes
        position = self.table.loaded(span.first - 1).position
        fired = frozenset(
            unit.piece for unit in position.units if unit.piece and printed(unit.hex) in named
        )
        return broke, fired

    def _routs(
        self, span: Span, recording: Recording, *, late: bool, fired: frozenset[str]
    ) -> list[AuditedRout]:
        routs = []
        for track in recording.tracks:
            position = self._scene_position(track)
            unit = _find(position, track.piece)
            if unit is None:
                continue
            if not track.broken:
                rout = unbroken_move(track, unit)
                if not self._surely_inside(span, track, recording):
                    continue
                routs.append(rout)
                continue
            loaded = self.table.loaded(_before_step(track) - 1)
            scene = Scene(
                position,
                loaded.readings,
                dice_at_hand=self.dice,
                late=late,
                fired_on=fired,
            )
            routs.append(Judge(track, unit, scene).rout())
        return routs

    def _scene_position(self, track: Track) -> Position:
        """The board when a rout began, the opponent where he stood in the RtPh."""
        position = self.table.position(_before_step(track) - 1)
        moved = self.options.positions
        if not moved:
            return position
        unit = _find(position, track.piece)
        hexes = set(position.ground.hexes())
        units = tuple(
            replace(other, hex=moved[other.piece], id=f"{moved[other.piece]}@{n}")
            if unit is not None
            and other.side != unit.side
            and other.piece is not None
            and moved.get(other.piece, other.hex) != other.hex
            and moved[other.piece] in hexes
            else other
            for n, other in enumerate(position.units)
        )
        return replace(position, units=units)

    def _surely_inside(self, span: Span, track: Track, recording: Recording) -> bool:
        """An unbroken unit's move certainly lies in the phase: something of it comes later."""
        later = [t for t in recording.tracks if t.broken and t.first > track.first]
        removed_later = [r for r in recording.removals if r.step > track.first]
        return bool(later or removed_later or span.explicit)

    def _closed(self, span: Span, recording: Recording) -> frozenset[str]:
        """Sides that certainly had their routs in this log."""
        closed = {span.attacker} if span.goes_on or span.next_turn else set()
        for track in recording.tracks:
            side = self.who.side(track.counter.nationality)
            if side is not None and track.broken:
                closed.add(side)
        for removal in recording.removals:
            side = self.who.side(removal.counter.nationality)
            if side is not None:
                closed.add(side)
        if span.next_turn:
            closed |= set(self.who.of.values())
        return frozenset(closed)

    def _later(self, span: Span) -> dict[str, int]:
        """Units taken off after the phase while the chat speaks of failure to rout."""
        found = {}
        for step in self.facts[span.last :]:
            for shift in step.shifts:
                left = shift.start is not None and shift.to is None
                if left and broken_infantry(shift.counter) and self._failure_said(step.index):
                    found[shift.piece] = step.index
        return found

    def _failure_said(self, step: int) -> bool:
        near = self.facts[max(0, step - 3) : step + 2]
        return any(Talk.FAILS in said.topics for each in near for said in each.said)

    # --- notes -------------------------------------------------------------------------------------

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
                mended = any(
                    Talk.CORRECTION in said.topics for each in near for said in each.said
                )
                code = "correction" if mended else "moved-outside"
                text = (
                    f"Broken {shift.counter.label} put from {shift.start} to {shift.to}: "
                    + ("a correction explained in chat." if mended else "outside the RtPh.")
                )
                facts = {"name": shift.counter.label, "from": shift.start or "", "to": shift.to or ""}
                notes.append(AuditNote(code, (step.index,), text, shift.to, facts))
        return notes

    # --- frames, keys ------------------------------------------------------------------------------

    def _mark(self, routs: Sequence[AuditedRout], failures: Failures, span: Span) -> None:
        """Steps next to findings of which the units are kept."""
        if not self.options.frames:
            return
        for rout in routs:
            self.marks |= {rout.steps[0] - 1, rout.moves[-1]}
        for failure in failures.found:
            self.marks |= {max(0, failure.at - 1), failure.at}
        for step in list(self.marks):
            self.table.loaded(step)
        del span

    def _frames(self) -> dict[int, tuple[Unit, ...]]:
        return {step: self.table.loaded(step).position.units for step in sorted(self.marks)}

    def _key(self, rout: AuditedRout) -> str:
        """What a rout is, wherever it is recorded: the board before it, the unit, its way."""
        position = self.table.loaded(max(0, rout.steps[0] - 1)).position
        units = sorted(
            f"{unit.piece}@{unit.hex}{'b' if unit.broken else ''}" for unit in position.units
        )
        undone = "undone" if rout.undone else ""
        return "|".join((rout.piece, ",".join(rout.path), undone, *units))


def _before_step(track: Track) -> int:
    """Step of the first move of the rout, what was taken back included."""
    return track.prefix[0].step if track.prefix else track.first


def _find(position: Position, piece: str) -> Unit | None:
    return next((unit for unit in position.units if unit.piece == piece), None)


def _hexes(position: Position) -> dict[str, str]:
    return {unit.piece: unit.hex for unit in position.units if unit.piece is not None}


def _with_notes(phases: Sequence[AuditedPhase], notes: Sequence[AuditNote]) -> list[AuditedPhase]:
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


def _ordered(
    routs: Sequence[AuditedRout], recording: Recording, span: Span
) -> tuple[list[AuditedRout], list[AuditNote]]:
    """R13: all ATTACKER units rout before any DEFENDER unit."""
    del recording
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
        notes.append(AuditNote("order", steps, text, rout.start, {"attacker": span.attacker}))
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


__all__ = ["AuditOptions", "LogState", "Recorded", "Table", "audit_game", "audit_saved"]
