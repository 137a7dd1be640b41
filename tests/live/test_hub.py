"""What the live view remembers, and how readers hear of it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_LIVE_READERS, MAX_RECENT
from vassal_bridge.live.hub import Hub, Item


def test_each_file_stands_once_newest_last() -> None:
    hub = Hub()
    for name in ("a", "b", "a"):
        hub.publish(name, f"about {name}", "good", "12:00")
    assert [(item.number, item.name) for item in hub.items()] == [(2, "b"), (3, "a")]
    assert hub.get(1) is None
    assert hub.get(3) == hub.items()[-1]
    assert [item.number for item in hub.items(after=2)] == [3]


def test_only_the_recent_ones_are_remembered() -> None:
    hub = Hub()
    for number in range(MAX_RECENT + 5):
        hub.publish(str(number), "", "good", "")
    assert len(hub.items()) == MAX_RECENT
    assert hub.items()[0].name == "5"


def test_a_browser_is_told_names_and_no_paths() -> None:
    item = Item(
        1, "S1.vsav", "h", "bad", "t", Path("/home/anna/x.html"), (Path("/home/anna/x.json"),)
    )
    assert item.as_json()["files"] == ["x.json"]
    assert "anna" not in str(item.as_json())


def test_readers_get_what_is_new_from_another_thread() -> None:
    hub = Hub()
    hub.publish("old", "", "good", "")
    hub.publish("new", "", "good", "")

    async def read() -> list[str]:
        names = []
        async for item in hub.listen(after=1, heartbeat=5):
            assert item is not None
            names.append(item.name)
            if item.name == "new":
                threading.Thread(target=hub.publish, args=("newer", "", "good", "")).start()
            else:
                threading.Thread(target=hub.close).start()
        return names

    assert asyncio.run(asyncio.wait_for(read(), 5)) == ["new", "newer"]
    assert hub.readers == 0


def test_a_slow_reader_misses_nothing_and_costs_nothing() -> None:
    hub = Hub()

    async def read() -> list[int]:
        seen = []
        async for item in hub.listen(0, heartbeat=0.05):
            if item is None:
                break
            seen.append(item.number)
            if item.number == 1:
                for number in range(10):
                    hub.publish(str(number), "", "good", "")
        return seen

    hub.publish("first", "", "good", "")
    assert asyncio.run(asyncio.wait_for(read(), 5)) == list(range(1, 12))


def test_silence_brings_signs_of_life() -> None:
    hub = Hub()

    async def read() -> Item | None:
        async for item in hub.listen(0, heartbeat=0.01):
            return item
        raise AssertionError("ended")

    assert asyncio.run(read()) is None


def test_there_is_a_limit_to_readers() -> None:
    hub = Hub()

    async def crowd() -> None:
        streams = [hub.listen(0, heartbeat=0.001) for _ in range(MAX_LIVE_READERS)]
        for stream in streams:
            assert await anext(stream) is None
        message = f"^more than {MAX_LIVE_READERS} windows listen to the live view$"
        with pytest.raises(LimitReached, match=message):
            await anext(hub.listen(0))
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(crowd())
    assert hub.readers == 0


def test_news_for_a_loop_that_ended_is_dropped() -> None:
    hub = Hub()
    loop = asyncio.new_event_loop()
    hub._readers.add((loop, asyncio.Event()))
    loop.close()
    assert hub.publish("a", "", "good", "").number == 1
