"""Where a ready file is dealt with: read, compared with what is done, given to the job, noted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from vassal_bridge.errors import LimitReached, VassalBridgeError
from vassal_bridge.watch.disk import Disk
from vassal_bridge.watch.ledger import Entry, Ledger
from vassal_bridge.watch.policy import (
    OUT_FOLDER,
    Stamp,
    digest_of,
    is_game_name,
    mentions_game,
    output_stem,
)
from vassal_bridge.watch.work import Failure, Job, JobResult, ReadyFile, run_job

Key = Callable[[Path], str]
"""What, besides its bytes, decides the result for a file of a folder: settings, version."""


def no_key(folder: Path) -> str:
    """The key of a job that depends on nothing but the file."""
    del folder
    return ""


class LedgerStore(Protocol):
    """Where ledgers are kept between runs."""

    def load(self, out_dir: Path) -> Ledger:
        """The ledger of an output folder; an empty one when there is none."""

    def save(self, out_dir: Path, ledger: Ledger) -> bool:
        """Keep it; False when that is not possible."""

    def tidy(self, out_dir: Path) -> None:
        """Remove what a killed run left half written in an output folder."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The job came to a result; `displaced` files want to be looked at again."""

    result: JobResult
    displaced: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """Nothing to do: the content is done already, or is no game in a file not named like one.

    `of` names the other file that holds the same content, if it is another.
    """

    of: str = ""
    outputs: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Moving:
    """The file changed while it was read."""

    stamp: Stamp | None


Outcome = Finished | Known | Moving | Failure


class Desk:
    """Deals with ready files, one at a time.

    Args:
        job: what is done with each.
        disk: for reading them.
        store: for the ledgers.
        out: one folder for all outputs; None = `rout` beside each file.
        roots: the watched folders, to lay out `out` like them.
        key: see `Key`.
    """

    def __init__(
        self,
        job: Job,
        disk: Disk,
        store: LedgerStore,
        *,
        roots: Sequence[Path],
        out: Path | None = None,
        key: Key = no_key,
    ) -> None:
        self._job = job
        self._disk = disk
        self._store = store
        self._out = out
        self._key = key
        self._names = _root_names(roots)
        self._ledgers: dict[Path, Ledger] = {}
        self._unsaved: set[Path] = set()
        self.working = False
        self.count = 0

    def out_dir(self, root: Path, path: Path) -> Path:
        """The output folder for a file below `root`."""
        if self._out is None:
            return path.parent / OUT_FOLDER
        return self._out / self._names[root] / path.parent.relative_to(root)

    def key(self, folder: Path) -> str:
        """The key of a folder's files; a settings file that cannot be read is a key of its own."""
        try:
            return self._key(folder)
        except VassalBridgeError as error:
            return f"! {error}"

    def is_done(self, root: Path, path: Path, stamp: Stamp, key: str) -> bool:
        """Whether an earlier run dealt with this file, and it has not been touched since."""
        entry = self._ledger(self.out_dir(root, path)).get(path.name)
        return entry is not None and entry.stamp == stamp and entry.key == key

    def deal(self, root: Path, path: Path, stamp: Stamp, neighbours: Iterable[str]) -> Outcome:
        """Deal with one file.

        Args:
            root: the watched folder.
            path: the file.
            stamp: how it looked when it was found ready.
            neighbours: names in its folder that differ in the suffix only, as far as known.
        """
        try:
            data = self._disk.read(path)
        except LimitReached as error:
            return Failure(error.message)
        except OSError as error:
            return Failure(error.strerror or type(error).__name__, retry=True)
        after = self._disk.stamp(path)
        if after != stamp or len(data) != stamp.size:
            return Moving(after)
        if not is_game_name(path.name) and not mentions_game(data):
            return Known()
        key = self.key(path.parent)
        out_dir = self.out_dir(root, path)
        digest = digest_of(data)
        known = self._known(out_dir, path.name, digest, key, stamp)
        if known is not None:
            return known
        stem = output_stem(path.name, neighbours)
        file = ReadyFile(path, data, digest, out_dir, stem)
        self.working = True
        try:
            result = run_job(self._job, file)
        finally:
            self.working = False
        if isinstance(result, Failure):
            return result
        return self._note(file, stamp, key, result)

    def _known(self, out_dir: Path, name: str, digest: str, key: str, stamp: Stamp) -> Known | None:
        ledger = self._ledger(out_dir)
        mine = ledger.get(name)
        if mine is not None and (mine.digest, mine.key) == (digest, key):
            ledger.touch(name, stamp)
            self._unsaved.add(out_dir)
            return Known()
        other = ledger.same_content(digest, key)
        if other is None or other.name == name:
            return None
        outputs = tuple(out_dir / output for output in other.outputs)
        if not all(self._disk.exists(output) for output in outputs):
            return None
        self._done(out_dir, Entry(name, stamp, digest, key, same_as=other.name))
        return Known(other.name, outputs)

    def _note(self, file: ReadyFile, stamp: Stamp, key: str, result: JobResult) -> Finished:
        self.count += 1
        outputs = tuple(_relative(path, file.out_dir) for path in result.outputs)
        entry = Entry(file.path.name, stamp, file.digest, key, file.stem, outputs)
        displaced = self._done(file.out_dir, entry)
        return Finished(result, tuple(file.path.parent / name for name in displaced))

    def _done(self, out_dir: Path, entry: Entry) -> tuple[str, ...]:
        self._unsaved.add(out_dir)
        return self._ledger(out_dir).done(entry)

    def _ledger(self, out_dir: Path) -> Ledger:
        ledger = self._ledgers.get(out_dir)
        if ledger is None:
            self._store.tidy(out_dir)
            ledger = self._ledgers[out_dir] = self._store.load(out_dir)
            ledger.keep_only(lambda output: self._disk.exists(out_dir / output))
        return ledger

    def leave(self, root: Path) -> None:
        """A watched folder went away: what its ledgers say may no longer hold."""
        self.flush()
        for out_dir in [one for one in self._ledgers if self._out or root in one.parents]:
            del self._ledgers[out_dir]

    def tidy(self) -> None:
        """Remove what was left half written in the output folders in use."""
        for out_dir in self._ledgers:
            self._store.tidy(out_dir)

    def flush(self) -> None:
        """Keep the ledgers that changed."""
        for out_dir in sorted(self._unsaved):
            ledger = self._ledgers.get(out_dir)
            if ledger is not None:
                self._store.save(out_dir, ledger)
        self._unsaved.clear()


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)


def _root_names(roots: Sequence[Path]) -> dict[Path, str]:
    """A folder name for each root below a common output folder; a single root needs none."""
    if len(roots) == 1:
        return {roots[0]: ""}
    names: dict[Path, str] = {}
    taken: set[str] = set()
    for root in roots:
        base = name = root.name or "root"
        number = 2
        while name.casefold() in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name.casefold())
        names[root] = name
    return names
