"""The watcher's loop: notices and scans in, ready files out to the desk, one thread, one step.

`Watcher.step` does what is due and says how long it may sleep. Time, disk, source and ledgers are
handed in, so a test can play a day of saves in a moment.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from pathlib import Path

from vassal_bridge.errors import LimitReached
from vassal_bridge.watch import events, policy
from vassal_bridge.watch.desk import Desk, Finished, Known, Moving
from vassal_bridge.watch.disk import Disk
from vassal_bridge.watch.policy import End, Next, Pace, Sign, Stamp, Waiting
from vassal_bridge.watch.sources import Notice, Source
from vassal_bridge.watch.state import Clock, Rhythm, Root
from vassal_bridge.watch.work import Failure

OLD_ENOUGH = 2.0
"""Seconds since the last change of a file found at the start, after which it counts as at rest."""
ENOUGH_MISSED = 2
"""Files that came to light by a scan only, after which a folder is polled."""


class Watcher:
    """Watches folders and has each new saved game or log dealt with once.

    Args:
        roots: folders to watch, absolute, none inside another.
        desk: deals with ready files.
        disk: answers about files.
        source: gives notices of changes.
        clock: tells time.
        listener: is told what happens.
        out: common output folder, passed over by scans.
        pace: how patient to be with a file.
        rhythm: how often to look without notice.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        desk: Desk,
        *,
        disk: Disk,
        source: Source,
        clock: Clock,
        listener: events.Listener,
        out: Path | None = None,
        pace: Pace | None = None,
        rhythm: Rhythm | None = None,
    ) -> None:
        self._roots = {root: Root(root) for root in roots}
        self._desk = desk
        self._disk = disk
        self._source = source
        self._clock = clock
        self._tell = listener
        self._out = out
        self._pace = pace or Pace()
        self._rhythm = rhythm or Rhythm()
        self._heap: list[tuple[float, int, Path, Path]] = []
        self._ready: list[tuple[int, int, int, Path, Path]] = []
        self._in_ready: set[Path] = set()
        self._count = 0
        self._next_roots = 0.0
        self._next_flush = 0.0
        self._started = False
        self.stopping = False

    @property
    def working(self) -> bool:
        """Whether a job is running right now."""
        return self._desk.working

    @property
    def idle(self) -> bool:
        """Whether no file is waiting or ready."""
        return not self._ready and not any(root.waiting for root in self._roots.values())

    def request_stop(self) -> None:
        """End soon, from another thread."""
        self.stopping = True
        self._source.wake()

    def run(self) -> None:
        """Step until stopped; always ends with the ledgers kept and the threads ended."""
        try:
            while not self.stopping:
                pause = self.step()
                if not self.stopping:
                    self._source.wait(pause)
        finally:
            self._source.stop()
            self._desk.flush()
            self._desk.tidy()
            self._tell(events.Stopped(self._desk.count))

    def step(self) -> float:
        """Do what is due.

        Returns:
            Seconds until there is something to do without a notice.
        """
        now = self._clock.monotonic()
        if now >= self._next_roots:
            self._look_after_roots(now)
            self._next_roots = now + self._rhythm.roots
        for notice in self._source.take():
            self._take_notice(notice, now)
        for root in self._roots.values():
            if root.identity is not None and now >= max(root.next_scan, root.earliest_scan):
                self._scan(root, now)
        if not self._started:
            self._start()
        self._look_at_due(now)
        self._work_on_one()
        if now >= self._next_flush:
            self._desk.flush()
            took = self._clock.monotonic() - now
            self._next_flush = now + max(self._rhythm.flush, took * self._rhythm.scan_share)
        return self._pause()

    def _start(self) -> None:
        self._started = True
        waiting = [path for root in self._roots.values() for path in root.waiting]
        backlog = sum(policy.is_game_name(path.name) for path in waiting)
        self._tell(events.Started(tuple(self._roots), backlog))

    def _pause(self) -> float:
        if self._ready:
            return 0.0
        now = self._clock.monotonic()
        moments = [self._next_roots, *(due for due, *_ in self._heap[:1])]
        moments += [
            max(root.next_scan, root.earliest_scan)
            for root in self._roots.values()
            if root.identity is not None
        ]
        return min(max(0.0, min(moments) - now), self._rhythm.longest_sleep)

    # --- folders ----------------------------------------------------------------------------

    def _look_after_roots(self, now: float) -> None:
        for root in self._roots.values():
            identity = self._disk.folder_id(root.path)
            if identity is None:
                self._lose(root)
            elif identity != root.identity:
                self._gain(root, identity, now)
            elif root.native and not self._source.alive(root.path):
                self._source.close(root.path)
                self._open(root)
                root.next_scan = now

    def _lose(self, root: Root) -> None:
        if root.identity is not None:
            self._source.close(root.path)
            self._forget_files(root)
        root.identity = None
        root.native = False
        if not root.told_gone:
            root.told_gone = True
            self._tell(events.FolderGone(root.path))

    def _gain(self, root: Root, identity: int, now: float) -> None:
        if root.identity is not None:  # another folder of the same name took its place
            self._source.close(root.path)
            self._forget_files(root)
        root.identity = identity
        root.fresh = True
        root.missed = 0
        root.next_scan = root.earliest_scan = now
        self._open(root)
        if root.told_gone:
            root.told_gone = False
            self._tell(events.FolderBack(root.path))

    def _forget_files(self, root: Root) -> None:
        self._in_ready.difference_update(root.waiting)
        root.waiting.clear()
        root.due.clear()
        root.rested.clear()
        root.blamed.clear()
        self._desk.leave(root.path)

    def _open(self, root: Root) -> None:
        root.native = self._source.open(root.path)
        if not root.native:
            self._poll(root)

    def _poll(self, root: Root) -> None:
        if not root.polled:
            root.polled = True
            self._tell(events.Polling(root.path))

    # --- notices and scans ------------------------------------------------------------------

    def _take_notice(self, notice: Notice, now: float) -> None:
        root = self._roots.get(notice.root)
        if root is None or root.identity is None:
            return
        if notice.path is None or not notice.path.is_relative_to(root.path):
            root.next_scan = now
            root.prompted = True
            return
        if policy.is_ours(notice.path.relative_to(root.path)) or self._is_output(notice.path):
            return
        stamp = self._disk.stamp(notice.path)
        if stamp is not None:
            self._expect(root, notice.path, notice.sign, stamp, now)

    def _is_output(self, path: Path) -> bool:
        return self._out is not None and self._out in path.parents

    def _scan(self, root: Root, now: float) -> None:
        """Look through a folder for what no notice told of, and for settings that changed."""
        seen: set[Path] = set()
        root.keys.clear()
        root.stems.clear()
        try:
            for path, stamp in self._disk.scan(root.path, self._out):
                seen.add(path)
                root.remember(path)
                self._come_across(root, path, stamp, now)
        except (OSError, LimitReached) as error:
            self._scan_failed(root, error)
        else:
            root.told_trouble = False
            for path in [path for path in root.rested if path not in seen]:
                del root.rested[path]
                root.blamed.pop(path, None)
                root.displaced.pop(path, None)
        self._scanned(root, now)

    def _scan_failed(self, root: Root, error: OSError | LimitReached) -> None:
        if self._disk.folder_id(root.path) is None:
            self._next_roots = self._clock.monotonic()  # it is going
        elif not root.told_trouble:
            root.told_trouble = True
            if isinstance(error, LimitReached):
                self._tell(events.TooLarge(root.path, error.message))
            else:
                text = error.strerror or type(error).__name__
                self._tell(events.Unreadable(root.path, text))

    def _scanned(self, root: Root, began: float) -> None:
        now = self._clock.monotonic()
        if root.fresh:
            root.opened_at = now
        root.fresh = root.prompted = False
        root.next_scan = began + (self._rhythm.poll if root.polled else self._rhythm.full_scan)
        rest = max((now - began) * self._rhythm.scan_share, self._rhythm.poll / 2)
        root.earliest_scan = began + rest

    def _key(self, root: Root, folder: Path) -> str:
        key = root.keys.get(folder)
        if key is None:
            key = root.keys[folder] = self._desk.key(folder)
        return key

    def _come_across(self, root: Root, path: Path, stamp: Stamp, now: float) -> None:
        key = self._key(root, path.parent)
        if root.rested.get(path) == (stamp, key):
            return
        old = root.waiting.get(path)
        if old is not None and old.stamp == stamp:
            return
        if old is None and self._desk.is_done(root.path, path, stamp, key):
            root.rested[path] = (stamp, key)
            return
        since = now
        if root.fresh:
            age = self._clock.wall() - stamp.modified_ns / 1e9
            since = now - age if age >= OLD_ENOUGH else now
        self._expect(root, path, Sign.CHANGED if root.prompted else Sign.SEEN, stamp, since)

    def _expect(self, root: Root, path: Path, sign: Sign, stamp: Stamp, now: float) -> None:
        root.remember(path)
        waiting = policy.noticed(root.waiting.get(path), sign, stamp, now)
        root.waiting[path] = waiting
        self._in_ready.discard(path)  # what was ready may not be so any more
        self._look_again(root, path, policy.first_look(waiting, self._pace))

    def _look_again(self, root: Root, path: Path, due: float) -> None:
        """Put a file on the heap, unless it is due there sooner already."""
        standing = root.due.get(path)
        if standing is None or due < standing:
            root.due[path] = due
            self._count += 1
            heapq.heappush(self._heap, (due, self._count, root.path, path))

    # --- waiting files ----------------------------------------------------------------------

    def _look_at_due(self, now: float) -> None:
        while self._heap and self._heap[0][0] <= now and not self.stopping:
            due, _, root_path, path = heapq.heappop(self._heap)
            root = self._roots[root_path]
            if root.due.get(path) != due:
                continue  # an older appointment
            del root.due[path]
            waiting = root.waiting.get(path)
            if waiting is not None:
                self._look_at(root, path, waiting, now)

    def _look_at(self, root: Root, path: Path, waiting: Waiting, now: float) -> None:
        earliest = policy.first_look(waiting, self._pace)
        if now < earliest:
            self._look_again(root, path, earliest)
            return
        stamp = self._disk.stamp(path)
        end = End.OPEN
        if stamp == waiting.stamp:
            try:
                end = self._disk.end(path, waiting.stamp.size)
            except FileNotFoundError:
                stamp = None
            except OSError as error:  # locked by its writer (Windows), or no permission
                text = error.strerror or type(error).__name__
                self._retry(root, path, waiting, Failure(text, retry=True))
                return
        decision = policy.decide(waiting, stamp, end, now, self._pace)
        root.waiting[path] = decision.waiting
        if decision.next is Next.WAIT:
            self._look_again(root, path, decision.due)
        elif decision.next is Next.GONE:
            del root.waiting[path]
        elif decision.next is Next.GIVE_UP:
            self._rest(root, path, waiting.stamp)
            if policy.is_game_name(path.name) and root.blamed.get(path) != waiting.stamp:
                root.blamed[path] = waiting.stamp
                self._tell(events.NotWhole(path))
        elif end is End.FOREIGN and not policy.is_game_name(path.name):
            self._rest(root, path, waiting.stamp)
        else:
            self._queue(root, path, decision.waiting)

    def _queue(self, root: Root, path: Path, waiting: Waiting) -> None:
        """What comes in while we watch goes first; of the rest the newest."""
        if path not in self._in_ready:
            self._in_ready.add(path)
            self._count += 1
            order = (0, self._count) if waiting.live else (1, -waiting.stamp.modified_ns)
            heapq.heappush(self._ready, (*order, self._count, root.path, path))

    def _rest(self, root: Root, path: Path, stamp: Stamp) -> None:
        root.waiting.pop(path, None)
        root.rested[path] = (stamp, self._key(root, path.parent))

    # --- ready files ------------------------------------------------------------------------

    def _work_on_one(self) -> None:
        while self._ready and not self.stopping:
            *_, root_path, path = heapq.heappop(self._ready)
            root = self._roots[root_path]
            waiting = root.waiting.get(path)
            if path not in self._in_ready:
                continue
            self._in_ready.discard(path)
            if waiting is not None:
                self._deal(root, path, waiting)
                return

    def _deal(self, root: Root, path: Path, waiting: Waiting) -> None:
        stamp = self._disk.stamp(path)
        if stamp != waiting.stamp:
            self._moved_on(root, path, stamp)
            return
        neighbours = root.stems.get(path.with_suffix(""), ())
        outcome = self._desk.deal(root.path, path, waiting.stamp, neighbours)
        if isinstance(outcome, Moving):
            self._moved_on(root, path, outcome.stamp)
        elif isinstance(outcome, Failure):
            self._retry(root, path, waiting, outcome)
        else:
            self._settle(root, path, waiting, outcome)

    def _moved_on(self, root: Root, path: Path, stamp: Stamp | None) -> None:
        """The file changed after it was found ready."""
        if stamp is None:
            root.waiting.pop(path, None)
        else:
            self._expect(root, path, Sign.CHANGED, stamp, self._clock.monotonic())

    def _settle(self, root: Root, path: Path, waiting: Waiting, outcome: Finished | Known) -> None:
        self._rest(root, path, waiting.stamp)
        root.blamed.pop(path, None)
        self._count_missed(root, waiting)
        if isinstance(outcome, Finished):
            self._tell(events.Done(path, outcome.result))
            for other in outcome.displaced:
                stamp = self._disk.stamp(other)
                if stamp is not None and root.displaced.get(other) != stamp:
                    root.displaced[other] = stamp  # once, or two files could go on for ever
                    self._expect(root, other, Sign.CHANGED, stamp, self._clock.monotonic())
        elif outcome.of:
            self._tell(events.Same(path, outcome.of, outcome.outputs))

    def _count_missed(self, root: Root, waiting: Waiting) -> None:
        """A folder whose files come to light by scans alone gives no events: poll it."""
        if root.native and not root.polled and not waiting.live and waiting.since > root.opened_at:
            root.missed += 1
            if root.missed >= ENOUGH_MISSED:
                self._poll(root)
                root.next_scan = self._clock.monotonic() + self._rhythm.poll

    def _retry(self, root: Root, path: Path, waiting: Waiting, failure: Failure) -> None:
        if failure.retry:
            now = self._clock.monotonic()
            decision = policy.failed(waiting, now, self._pace)
            if decision.next is Next.WAIT:
                root.waiting[path] = decision.waiting
                self._look_again(root, path, decision.due)
                return
        self._rest(root, path, waiting.stamp)
        if root.blamed.get(path) != waiting.stamp:
            root.blamed[path] = waiting.stamp
            self._tell(events.Failed(path, failure.text, failure.fault))
