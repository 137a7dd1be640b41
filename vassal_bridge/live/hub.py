"""What the live view knows: the files done lately, and who waits for the next one.

Published from the watcher's thread, read from the server's event loop. A slow reader costs nothing:
it is only told *that* there is something new, and fetches what it has not seen.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_LIVE_READERS, MAX_RECENT
from vassal_bridge.watch.work import Mark

HEARTBEAT_SECONDS = 15.0
"""A sign of life to every reader so often, so that neither side waits on a dead connection."""


@dataclass(frozen=True, slots=True)
class Item:
    """One file that was dealt with.

    Attributes:
        number: grows with each publication; also the id of its event.
        name: of the file, for people.
        headline: the finding that matters most.
        mark: how it is shown.
        time: of day, for people.
        page: its HTML page, if there is one.
        files: what can be downloaded.
    """

    number: int
    name: str
    headline: str
    mark: Mark
    time: str
    page: Path | None = None
    files: tuple[Path, ...] = ()

    def as_json(self) -> dict[str, object]:
        """What a browser is told: no path of the disk, only names."""
        return {
            "number": self.number,
            "name": self.name,
            "headline": self.headline,
            "mark": self.mark,
            "time": self.time,
            "page": self.page is not None,
            "files": [path.name for path in self.files],
        }


class Hub:
    """The recent items, newest last, each file once; and the readers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._items: dict[str, Item] = {}
        self._count = 0
        self._readers: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._closed = False

    def publish(
        self,
        name: str,
        headline: str,
        mark: Mark,
        time: str,
        page: Path | None = None,
        files: tuple[Path, ...] = (),
    ) -> Item:
        """Make a file known; from any thread. It takes the place of an older item of its name."""
        with self._lock:
            self._count += 1
            item = Item(self._count, name, headline, mark, time, page, files)
            self._items.pop(name, None)
            self._items[name] = item
            while len(self._items) > MAX_RECENT:
                del self._items[next(iter(self._items))]
        self._wake()
        return item

    def items(self, after: int = 0) -> list[Item]:
        """The items younger than number `after`, oldest first."""
        with self._lock:
            return [item for item in self._items.values() if item.number > after]

    def get(self, number: int) -> Item | None:
        """An item, unless a newer one has taken its place."""
        return next((item for item in self.items() if item.number == number), None)

    @property
    def readers(self) -> int:
        """How many listen now."""
        return len(self._readers)

    async def listen(
        self, after: int, heartbeat: float = HEARTBEAT_SECONDS
    ) -> AsyncIterator[Item | None]:
        """Items younger than `after` as they come; None as a sign of life. Ends with `close`.

        Raises:
            LimitReached: too many listen already.
        """
        reader = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            if len(self._readers) >= MAX_LIVE_READERS:
                raise LimitReached(f"more than {MAX_LIVE_READERS} windows listen to the live view")
            self._readers.add(reader)
        try:
            while not self._closed:
                reader[1].clear()
                for item in self.items(after):
                    after = item.number
                    yield item
                try:
                    await asyncio.wait_for(reader[1].wait(), heartbeat)
                except TimeoutError:
                    yield None
        finally:
            with self._lock:
                self._readers.discard(reader)

    def close(self) -> None:
        """Send all readers home; from any thread."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        with self._lock:
            readers = list(self._readers)
        for loop, bell in readers:
            if not loop.is_closed():
                loop.call_soon_threadsafe(bell.set)
