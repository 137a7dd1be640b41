"""What the loop keeps: time, how often to look, and the state of each watched folder."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from vassal_bridge.watch.policy import Stamp, Waiting


class Clock(Protocol):
    """Time, as the watcher needs it."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""

    def wall(self) -> float:
        """Seconds since 1970, comparable with times of change of files."""


class RealClock:
    """The clock of this computer."""

    def monotonic(self) -> float:
        """See `Clock`."""
        return time.monotonic()

    def wall(self) -> float:
        """See `Clock`."""
        return time.time()


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often the watcher looks by itself, in seconds.

    Attributes:
        full_scan: between scans of a folder whose events arrive.
        poll: between scans of one whose events do not.
        roots: between looks whether the watched folders are still there.
        flush: between writings of the ledgers.
        longest_sleep: most at once, so that Ctrl-C is never far (Windows).
        scan_share: a scan that took t seconds is not repeated before ``scan_share * t``.
    """

    full_scan: float = 60.0
    poll: float = 1.0
    roots: float = 1.0
    flush: float = 2.0
    longest_sleep: float = 0.5
    scan_share: float = 20.0


@dataclass(slots=True)
class Root:
    """A watched folder as it stands."""

    path: Path
    identity: int | None = None
    native: bool = False  # events arrive
    polled: bool = False  # and yet, or therefore, scans follow closely
    told_gone: bool = False
    told_trouble: bool = False
    next_scan: float = 0.0
    earliest_scan: float = 0.0
    fresh: bool = True  # not scanned since it is there
    prompted: bool = False  # the next scan follows a notice
    opened_at: float = 0.0  # end of the first scan
    missed: int = 0  # files that no notice told of
    keys: dict[Path, str] = field(default_factory=dict)
    waiting: dict[Path, Waiting] = field(default_factory=dict)
    due: dict[Path, float] = field(default_factory=dict)
    rested: dict[Path, tuple[Stamp, str]] = field(default_factory=dict)
    blamed: dict[Path, Stamp] = field(default_factory=dict)
    displaced: dict[Path, Stamp] = field(default_factory=dict)
    stems: dict[Path, set[str]] = field(default_factory=dict)  # path without suffix -> names

    def remember(self, path: Path) -> None:
        """Keep which names lie side by side and differ in the suffix only."""
        self.stems.setdefault(path.with_suffix(""), set()).add(path.name)
