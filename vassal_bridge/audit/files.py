"""Several files as one game: logs in order, each rout judged once; from one save to the next.

Results are handed out one by one as they are ready, in order, so that a folder of any size needs
the memory of a few logs. What is kept is small: where units stood at the ends of each log, and the
digests of routs already told.
"""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from vassal_bridge.audit.order import Trail, files_in, in_order, superseded, trail_of
from vassal_bridge.audit.result import AuditedPhase, AuditResult, Tally, Verdict
from vassal_bridge.audit.saves import audit_saves
from vassal_bridge.audit.single import AuditOptions, LogState, audit_game
from vassal_bridge.audit.table import BoardCache
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal import open_saved

Progress = Callable[[int, int, Path], None]
"""Called after each file: done, of how many, which."""
ALONE = 3
"""Up to this many files are audited without starting other processes."""
SAME_GAME = 0.9
"""Share of common units that stand where the log before left them, for logs that join."""
FEW_UNITS = 3


@dataclass(frozen=True, slots=True)
class FileAudit:
    """What became of one file.

    Attributes:
        path: the file (for two saves the later one).
        result: what was found, or None.
        error: why it could not be audited.
        held_by: another log that holds every step of this one; it is told there.
        repeats: number of routs left out because an earlier file told them.
    """

    path: Path
    result: AuditResult | None = None
    error: VassalBridgeError | None = None
    held_by: Path | None = None
    repeats: int = 0


@dataclass(slots=True)
class Summary:
    """Counts over several files, per side and per rule.

    Attributes:
        files: audited files.
        total: all counts.
        by_side: counts per side.
        by_rule: findings per side, first rule named, and what it is: ``illegal`` or ``disputed``
            for a rout, ``forgotten`` for a failure still on the map. They add up to `by_side`.
    """

    files: int = 0
    total: Tally = field(default_factory=Tally)
    by_side: dict[str, Tally] = field(default_factory=dict)
    by_rule: dict[tuple[str, str, str], int] = field(default_factory=dict)

    def add(self, result: AuditResult) -> None:
        """Count one file."""
        self.files += 1
        for phase in result.phases:
            for rout in phase.routs:
                if rout.undone:
                    continue
                self._count(rout.side, Tally(routs=1, **{rout.verdict.value: 1}))
                if rout.verdict in (Verdict.ILLEGAL, Verdict.DISPUTED) and rout.reasons:
                    self._rule(rout.side, rout.reasons[0].rule, rout.verdict.value)
            for failure in phase.failures:
                open_ = int(not failure.removed and not failure.unproven)
                self._count(failure.side, Tally(failures=1, forgotten=open_))
                if open_:
                    self._rule(failure.side, failure.rule, "forgotten")

    def _count(self, side: str, tally: Tally) -> None:
        self.total += tally
        self.by_side[side] = self.by_side.get(side, Tally()) + tally

    def _rule(self, side: str, rule: str, what: str) -> None:
        key = (side, rule, what)
        self.by_rule[key] = self.by_rule.get(key, 0) + 1


def audit_files(
    paths: Iterable[Path],
    options: AuditOptions,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[FileAudit]:
    """Audit files and folders as one game.

    Two saves are audited from the first to the second; several saves each to the next. Logs are put
    in order of play when a folder is given; the saves of such a folder are left aside.

    Args:
        paths: files and folders.
        options: as for one log; `phase` counts for each log.
        workers: processes; by default one per core, none for a few files.
        progress: told after each file.

    Yields:
        One `FileAudit` per file, in order; an unreadable file is one with an error.
    """
    listed = list(paths)
    folder = any(path.is_dir() for path in listed)
    files = files_in(listed)
    trails = in_order([trail_of(path) for path in files], sort=folder)
    logs = [trail for trail in trails if trail.kind != "vsav"]
    saves = [trail for trail in trails if trail.kind == "vsav"]
    if logs and folder:
        saves = []
    options = replace(options, frames=options.frames and len(logs) + len(saves) <= ALONE)
    count = len(logs) + max(0, len(saves) - 1)
    done = 0
    for found in _chain(logs, options, workers):
        done += 1
        if progress is not None:
            progress(done, count, found.path)
        yield found
    for found in _from_save_to_save(saves, options):
        done += 1
        if progress is not None:
            progress(done, count, found.path)
        yield found


# --- logs ---------------------------------------------------------------------------------------


def _chain(
    logs: Sequence[Trail], options: AuditOptions, workers: int | None
) -> Iterator[FileAudit]:
    held = superseded(logs)
    wanted = [trail.path for trail in logs if trail.error is None and trail.path not in held]
    answers = _answers(wanted, options, workers)
    told: set[bytes] = set()
    states: list[LogState] = []
    for trail in logs:
        if trail.error is not None:
            yield FileAudit(trail.path, error=trail.error)
            continue
        if trail.path in held:
            yield FileAudit(trail.path, held_by=held[trail.path])
            continue
        state = next(answers)
        if isinstance(state, VassalBridgeError):
            yield FileAudit(trail.path, error=state)
            continue
        before = _predecessor(state, states) if state.late or state.opens else None
        if before is not None:
            state = _again(trail.path, options, before)
        states.append(replace(state, result=_emptied(state.result)))
        result, repeats = _once(state, told)
        yield FileAudit(trail.path, result, repeats=repeats)


def _answers(
    paths: Sequence[Path], options: AuditOptions, workers: int | None
) -> Iterator[LogState | VassalBridgeError]:
    """Audits in order, by several processes if there are many files."""
    number = workers if workers is not None else min(os.cpu_count() or 1, len(paths))
    if len(paths) <= ALONE or number <= 1:
        boards = BoardCache()
        for path in paths:
            yield _one(path, options, boards)
        return
    pool = ProcessPoolExecutor(number, initializer=_prepare, initargs=(options,))
    try:
        yield from pool.map(_work, paths, chunksize=1)
    finally:  # who stops early does not wait for files nobody asked for
        pool.shutdown(wait=True, cancel_futures=True)


def _one(path: Path, options: AuditOptions, boards: BoardCache) -> LogState | VassalBridgeError:
    try:
        return audit_game(open_saved(path), options, boards)
    except VassalBridgeError as error:
        return error.at(file=path)


class _Worker:
    """What a worker process keeps between files."""

    options: AuditOptions
    boards: BoardCache


def _prepare(options: AuditOptions) -> None:
    _Worker.options = options
    _Worker.boards = BoardCache()


def _work(path: Path) -> LogState | VassalBridgeError:
    return _one(path, _Worker.options, _Worker.boards)


def _again(path: Path, options: AuditOptions, before: LogState) -> LogState:
    """Judge a log whose first routs belong to the phase of the log before, on the board of then."""
    return audit_game(
        open_saved(path),
        replace(options, positions=before.phase_end, routed=before.routed),
    )


def _predecessor(state: LogState, earlier: Sequence[LogState]) -> LogState | None:
    """The log at whose end this one begins: the units stand where it left them."""
    for before in reversed(earlier):
        common = [piece for piece in state.start if piece in before.end]
        if len(common) < FEW_UNITS or not (before.phase_end or before.routed):
            continue
        same = sum(1 for piece in common if state.start[piece] == before.end[piece])
        if same >= SAME_GAME * len(common):
            return before
    return None


def _emptied(result: AuditResult) -> AuditResult:
    """What is remembered of a log needs no findings."""
    return replace(result, phases=(), frames={}, problems=(), assumptions=())


def _once(state: LogState, told: set[bytes]) -> tuple[AuditResult, int]:
    """Leave out routs and failures that an earlier file told."""
    keys = iter(state.keys)
    repeats = 0
    phases: list[AuditedPhase] = []
    for phase in state.result.phases:
        routs, failures = [], []
        for rout in phase.routs:
            if _is_new(next(keys), told):
                routs.append(rout)
            else:
                repeats += 1
        for failure in phase.failures:
            if _is_new(next(keys), told):
                failures.append(failure)
            else:
                repeats += 1
        phases.append(replace(phase, routs=tuple(routs), failures=tuple(failures)))
    name = state.result.source.file
    named = tuple(
        replace(
            phase,
            file=name,
            routs=tuple(replace(rout, file=name) for rout in phase.routs),
            failures=tuple(replace(failure, file=name) for failure in phase.failures),
        )
        for phase in phases
    )
    return replace(state.result, phases=named), repeats


def _is_new(key: str, told: set[bytes]) -> bool:
    digest = hashlib.blake2b(key.encode(), digest_size=16).digest()
    if digest in told:
        return False
    told.add(digest)
    return True


# --- saves --------------------------------------------------------------------------------------


def _from_save_to_save(saves: Sequence[Trail], options: AuditOptions) -> Iterator[FileAudit]:
    readable = []
    for trail in saves:
        if trail.error is not None:
            yield FileAudit(trail.path, error=trail.error)
        else:
            readable.append(trail.path)
    if len(readable) == 1:
        only = _one(readable[0], options, BoardCache())
        if isinstance(only, VassalBridgeError):
            yield FileAudit(readable[0], error=only)
        else:
            yield FileAudit(readable[0], only.result)
    for before, after in itertools.pairwise(readable):
        try:
            yield FileAudit(after, audit_saves(before, after, options))
        except VassalBridgeError as error:
            yield FileAudit(after, error=error.at(file=after))
