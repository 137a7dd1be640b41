"""A flood: thousands of files at once, and a kernel queue too small for their events.

    python tools/bench/watch_flood.py --count 20000
    python tools/bench/watch_flood.py --count 20000 --queue 64      (as root, Linux; put back after)

All must be dealt with, each once. The queue's length holds for newly started watchers only.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from saves import DEMO, variations
from watch_storm import digest, read_log

HERE = Path(__file__).resolve().parent
QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")


@contextmanager
def queue_of(length: int) -> Iterator[None]:
    """The length of new inotify queues; 0 = leave it."""
    before = QUEUE.read_text() if length else ""
    if length:
        QUEUE.write_text(str(length))
    try:
        yield
    finally:
        if length:
            QUEUE.write_text(before)


def main() -> int:
    """Flood, and print the figures as JSON; 1 if a file was lost or done twice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--queue", type=int, default=0)
    options = parser.parse_args()
    model = variations(DEMO, 1, random.Random(1))[0]
    # A comment makes each of them different at little cost: two bytes of length, then the comment.
    contents = [
        model[:-2] + (8).to_bytes(2, "little") + b"%08d" % number for number in range(options.count)
    ]
    with tempfile.TemporaryDirectory() as base:
        folder, log = Path(base, "games"), Path(base, "log")
        folder.mkdir()
        command = [sys.executable, str(HERE / "watch_driver.py"), str(folder), "--log", str(log)]
        with (
            queue_of(options.queue),
            subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            ) as process,
        ):
            assert process.stderr is not None
            process.stderr.readline()
            began = time.monotonic()
            for number, content in enumerate(contents):
                (folder / f"S{number}.vsav").write_bytes(content)
            wrote = time.monotonic() - began
            done = 0
            while done < options.count and time.monotonic() - began < 900:
                time.sleep(1)
                done = len(read_log(log))
            took = time.monotonic() - began
            time.sleep(3)
            process.send_signal(signal.SIGINT)
            said = process.stderr.read()
            process.wait(30)
        times = Counter(row[0] for row in read_log(log))
    lost = sum(digest(content) not in times for content in contents)
    twice = sum(count > 1 for count in times.values())
    figures = {
        "files": options.count, "created in s": round(wrote, 1), "all done after s": round(took, 1),
        "lost": lost, "twice": twice, "said": said.splitlines(),
    }  # fmt: skip
    print(json.dumps(figures, indent=1))
    return 1 if lost or twice else 0


if __name__ == "__main__":
    sys.exit(main())
