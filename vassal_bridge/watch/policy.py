"""The watcher's judgement, as pure functions: is it a game, is it ours, is it ready, is it new?

VASSAL writes a saved game in place: it truncates the file and streams the zip into it
(reliability.md 1). So a file is *ready* only when it ends in a zip's end record that fits, the
writer has let go of it or has been silent for a while, and size and time of change have not moved
since. No function here reads a clock or a disk.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import blake2b
from pathlib import PurePath
from typing import NamedTuple

GAME_SUFFIXES = frozenset({".vsav", ".vlog"})
"""What VASSAL writes; anything wrong with such a file is told."""
MAYBE_SUFFIXES = frozenset({".zip", ".sav", ".log", ".vasl", ".scen"})
"""Mailed or older names; looked into, and passed over in silence when no game is inside."""
OUT_FOLDER = "rout"
"""Our own folder beside the saves."""
OUR_MARK = ".rout."
"""What every output has in its name."""

END_RECORD = b"PK\x05\x06"
DIRECTORY_ENTRY = b"PK\x01\x02"
LOCAL_ENTRY = b"PK\x03\x04"
END_LENGTH = 22
TAIL_LENGTH = END_LENGTH + 0xFFFF
"""Most bytes at the end of a zip that can hold its end record and comment."""


# --- names ----------------------------------------------------------------------------------


def is_game_name(name: str) -> bool:
    """Whether VASSAL gives its files names like this one."""
    return suffix_of(name) in GAME_SUFFIXES


def is_candidate(name: str) -> bool:
    """Whether a file of this name may hold a game; content decides.

    Names that begin with a dot, a tilde or ``~$`` belong to editors, mail and cloud programs that
    will rename them when they are done.

    >>> is_candidate("S1-2-A-RtPh.VLOG"), is_candidate(".S1.vsav.x7f"), is_candidate("S1.rout.vsav")
    (True, False, False)
    """
    if name[:1] in {".", "~"} or OUR_MARK in name.lower():
        return False
    return suffix_of(name) in GAME_SUFFIXES | MAYBE_SUFFIXES


def suffix_of(name: str) -> str:
    """The last suffix in lower case, with its dot."""
    return PurePath(name).suffix.lower()


def is_skipped_folder(name: str) -> bool:
    """Whether a folder is passed over: our own, and the hidden ones of cloud programs."""
    return name[:1] == "." or name.casefold() == OUT_FOLDER


def is_ours(relative: PurePath) -> bool:
    """Whether a path below a watched folder is our own output or lies among such.

    >>> is_ours(PurePath("rout/S1.rout.html")), is_ours(PurePath("rout.vsav"))
    (True, False)
    """
    return OUR_MARK in relative.name.lower() or any(
        is_skipped_folder(part) for part in relative.parts[:-1]
    )


def output_stem(name: str, neighbours: Iterable[str]) -> str:
    """What stands before ``.rout.<format>`` in the outputs for a file.

    VASSAL proposes for a log the name of the save it starts from, so ``S1.vsav`` and ``S1.vlog``
    often lie side by side; the save keeps the plain stem.

    Args:
        name: the file, e.g. ``S1.vlog``.
        neighbours: the names in its folder; its own may be among them.

    >>> output_stem("S1.vlog", ["S1.vlog"]), output_stem("S1.vlog", ["S1.vlog", "s1.vsav"])
    ('S1', 'S1.vlog')
    """
    path = PurePath(name)
    mine = (_rank(name), name)
    for other in neighbours:
        if not is_candidate(other) or other == name:
            continue
        same_stem = PurePath(other).stem.casefold() == path.stem.casefold()
        if same_stem and (_rank(other), other) < mine:
            return path.name
    return path.stem


def _rank(name: str) -> int:
    order = (".vsav", ".vlog")
    suffix = suffix_of(name)
    return order.index(suffix) if suffix in order else len(order)


# --- content --------------------------------------------------------------------------------


class End(Enum):
    """What the end of a file says about it."""

    WHOLE = "whole"
    """A zip's end record that reaches exactly to the end and fits the size."""
    TRAILED = "trailed"
    """An end record with something behind it, as some mail programs leave it."""
    OPEN = "open"
    """Nothing that ends a zip: still being written, or cut off."""
    FOREIGN = "foreign"
    """It does not even begin like a zip, nor like one whose space was laid out beforehand."""


def end_of(size: int, head: bytes, tail: bytes) -> End:
    """Judge a file by its first bytes and its last ones.

    Args:
        size: length of the file in bytes.
        head: at least its first 4 bytes (all, if it is shorter).
        tail: its last `TAIL_LENGTH` bytes (all, if it is shorter).
    """
    at = tail.rfind(END_RECORD)
    trailed = False
    while at >= 0:
        if at + END_LENGTH <= len(tail):
            length, offset, comment = struct.unpack_from("<IIH", tail, at + 12)
            begins = size - len(tail) + at
            fits = offset + length == begins or 0xFFFFFFFF in (offset, length)
            ends = at + END_LENGTH + comment
            if fits and _directory_is_there(tail, at - length, length):
                if ends == len(tail):
                    return End.WHOLE
                trailed = trailed or ends < len(tail)
        at = tail.rfind(END_RECORD, 0, at)
    if trailed:
        return End.TRAILED
    begins_like_a_zip = LOCAL_ENTRY.startswith(head[:4]) or not any(head[:4])
    return End.OPEN if begins_like_a_zip else End.FOREIGN


def _directory_is_there(tail: bytes, at: int, length: int) -> bool:
    """Whether a zip's directory begins where the end record says, as far as `tail` shows it."""
    return length == 0 or at < 0 or tail[at : at + 4] == DIRECTORY_ENTRY


def mentions_game(data: bytes) -> bool:
    """Whether a zip may hold a saved game: names of members stand in it in clear."""
    return any(word in data for word in (b"savedGame", b".vsav", b".vlog", b".VSAV", b".VLOG"))


def digest_of(data: bytes) -> str:
    """The content's name: two files with the same one are the same save."""
    return blake2b(data, digest_size=20).hexdigest()


# --- readiness ------------------------------------------------------------------------------


class Stamp(NamedTuple):
    """A file as `stat` shows it: when any of these changes, the file may have changed."""

    size: int
    modified_ns: int
    inode: int


class Sign(Enum):
    """What was noticed about a file."""

    CHANGED = "changed"
    """Created, or written to."""
    LET_GO = "let go"
    """Its writer closed it, or renamed it into place."""
    SEEN = "seen"
    """A scan came across it."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the watcher is, in seconds.

    Attributes:
        quiet: a file must not change for so long …
        quiet_when_let_go: … or so long when its writer is known to have closed it.
        quiet_when_trailed: … or so long when something follows the zip's end.
        first_retry: wait after a first read that failed; doubles each time …
        longest_retry: … up to this.
        patience: after so long without success the user is told, once.
    """

    quiet: float = 0.3
    quiet_when_let_go: float = 0.05
    quiet_when_trailed: float = 3.0
    first_retry: float = 0.3
    longest_retry: float = 5.0
    patience: float = 30.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """A file that is on its way.

    Attributes:
        stamp: as last seen.
        since: moment (monotonic seconds) since which it has not changed.
        let_go: its writer is known to have closed it since.
        live: it arrived while we watched; such files go before old ones.
        fails: reads that failed since it last changed.
        failing_since: moment of the first of them.
    """

    stamp: Stamp
    since: float
    let_go: bool = False
    live: bool = True
    fails: int = 0
    failing_since: float = 0.0


class Next(Enum):
    """What to do with a waiting file now."""

    WAIT = "wait"
    READY = "ready"
    GONE = "gone"
    GIVE_UP = "give up"


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of waiting: what to do, the file's new state, when to look again."""

    next: Next
    waiting: Waiting
    due: float


def noticed(old: Waiting | None, sign: Sign, stamp: Stamp, now: float) -> Waiting:
    """The state of a file about which something was noticed.

    Args:
        old: its state so far, if it was waiting.
        sign: what was noticed.
        stamp: how it looks now.
        now: monotonic seconds.
    """
    if old is None or old.stamp != stamp:
        live = sign is not Sign.SEEN if old is None else old.live or sign is not Sign.SEEN
        return Waiting(stamp, now, let_go=sign is Sign.LET_GO, live=live)
    if sign is Sign.SEEN:
        return old
    if sign is Sign.LET_GO:
        return replace(old, let_go=True, live=True)
    return replace(old, since=now, let_go=False, live=True, fails=0)


def first_look(waiting: Waiting, pace: Pace) -> float:
    """When a file may be ready at the earliest."""
    return waiting.since + (pace.quiet_when_let_go if waiting.let_go else pace.quiet)


def decide(waiting: Waiting, stamp: Stamp | None, end: End, now: float, pace: Pace) -> Decision:
    """Whether a waiting file is ready.

    Args:
        waiting: its state.
        stamp: how it looks now; None = it is no longer there.
        end: what its end says; matters only while it has not changed.
        now: monotonic seconds.
        pace: how patient to be.
    """
    if stamp is None:
        return Decision(Next.GONE, waiting, now)
    if stamp != waiting.stamp:
        changed = noticed(waiting, Sign.CHANGED, stamp, now)
        return Decision(Next.WAIT, replace(changed, live=waiting.live), first_look(changed, pace))
    rest = now - waiting.since
    earliest = first_look(waiting, pace)
    if now < earliest:
        return Decision(Next.WAIT, waiting, earliest)
    if end is End.WHOLE or (end is End.FOREIGN and rest >= pace.quiet):
        return Decision(Next.READY, waiting, now)
    if end is End.TRAILED:
        due = waiting.since + pace.quiet_when_trailed
        return Decision(Next.READY if now >= due else Next.WAIT, waiting, due)
    if rest >= pace.patience:
        return Decision(Next.GIVE_UP, waiting, now)
    return Decision(Next.WAIT, waiting, now + min(max(rest / 2, pace.quiet), 1.0))


def failed(waiting: Waiting, now: float, pace: Pace) -> Decision:
    """What follows on a read that failed: another try, later each time, until patience ends."""
    began = waiting.failing_since if waiting.fails else now
    after = replace(waiting, fails=waiting.fails + 1, failing_since=began)
    if now - began >= pace.patience:
        return Decision(Next.GIVE_UP, after, now)
    pause = min(pace.first_retry * 2.0**waiting.fails, pace.longest_retry)
    return Decision(Next.WAIT, after, now + pause)
