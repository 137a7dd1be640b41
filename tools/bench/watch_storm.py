"""A storm of saves: written slowly in place, renamed, moved in, copied, rewritten.

Every content must be dealt with exactly once, whole, and soon; nothing may be said to be wrong.

    python tools/bench/watch_storm.py --count 1000
    python tools/bench/watch_storm.py --count 200 --job report --boards ../shared/real/boards \
        --model ../shared/real/saves/made/rout_example.vsav --rate 1

Delay = from the last byte (close, rename or move) to the outputs on disk.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from saves import DEMO, variations

HERE = Path(__file__).resolve().parent
KINDS = ("in place", "in place", "renamed", "moved in", "copied", "rewritten")


@dataclass
class Storm:
    """What was done, by digest of content."""

    folder: Path
    outside: Path
    contents: list[bytes]
    seed: int
    pace: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    complete: dict[str, float] = field(default_factory=dict)  # digest -> time of the last byte
    kinds: Counter[str] = field(default_factory=Counter)
    final: dict[Path, str] = field(default_factory=dict)  # file -> digest of its last content
    next: int = 0

    def take(self) -> tuple[int, list[bytes]] | None:
        """The next contents to write: one, or two for a file that is rewritten."""
        with self.lock:
            if self.next >= len(self.contents):
                return None
            number = self.next
            kind = self.kind(number)
            many = 2 if kind == "rewritten" and number + 1 < len(self.contents) else 1
            self.next += many
            return number, self.contents[number : number + many]

    def kind(self, number: int) -> str:
        """How the file of a number arrives."""
        return random.Random(self.seed + number).choice(KINDS)

    def done(self, path: Path, data: bytes, kind: str) -> None:
        """The last byte of a content is written."""
        now = time.time()
        with self.lock:
            self.complete[digest(data)] = now
            self.final[path] = digest(data)
            self.kinds[kind] += 1

    def work(self, is_done: Callable[[str], bool]) -> None:
        """One writer."""
        while (taken := self.take()) is not None:
            number, parts = taken
            rng = random.Random(self.seed * 7 + number)
            kind = self.kind(number)
            folder = self.folder / rng.choice(("", "Anna vs Boris", "S 001 - Enhanced"))
            path = folder / f"S{number} {kind}.{rng.choice(('vsav', 'vlog', 'VSAV'))}"
            arrive(path, self.outside, parts[0], kind, rng, self.pace)
            self.done(path, parts[0], kind)
            if len(parts) == 2:
                while not is_done(digest(parts[0])):
                    time.sleep(0.05)
                time.sleep(rng.uniform(0, 1))
                slowly(path, parts[1], rng, self.pace)
                self.done(path, parts[1], kind)


def digest(data: bytes) -> str:
    """The name of a content, as the watcher gives it."""
    return blake2b(data, digest_size=20).hexdigest()


def arrive(
    path: Path, outside: Path, data: bytes, kind: str, rng: random.Random, pace: float
) -> None:
    """Bring a file to its place the way `kind` says."""
    if kind in ("in place", "rewritten", "copied"):
        slowly(path, data, rng, pace if kind != "copied" else 0.0)
    elif kind == "renamed":
        part = path.with_name(path.name + rng.choice((".tmp", ".part", ".crdownload")))
        slowly(part, data, rng, pace / 2)
        part.rename(path)
    else:
        other = outside / path.name
        other.write_bytes(data)
        other.rename(path)


def slowly(path: Path, data: bytes, rng: random.Random, pace: float) -> None:
    """As VASSAL writes: the target is truncated, and the zip streamed into it, with pauses."""
    with path.open("wb") as file:
        at = 0
        while at < len(data):
            size = rng.choice((1024, 4096, 65_536, 1_048_576))
            file.write(data[at : at + size])
            file.flush()
            at += size
            if pace and at < len(data):
                time.sleep(min(2.0, rng.expovariate(1 / pace)))


def read_log(path: Path) -> list[tuple[str, float, str]]:
    """The jobs that ran."""
    rows = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        one, when, name = line.split(" ", 2)
        rows.append((one, float(when), name))
    return rows


class Tail:
    """Which contents are done, from the growing log."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: set[str] = set()
        self.stop = False
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        while not self.stop:
            self.known = {row[0] for row in read_log(self.path)}
            time.sleep(0.2)


def judge(storm: Storm, rows: list[tuple[str, float, str]], right: Right) -> dict[str, object]:
    """The figures, and what is wrong."""
    times = Counter(row[0] for row in rows)
    delays = sorted((when - storm.complete[one]) for one, when, _ in rows if one in storm.complete)
    wrong: dict[str, object] = {
        "missing": sum(one not in times for one in storm.complete),
        "twice": sum(count > 1 for count in times.values()),
        "partial": sum(one not in storm.complete for one in times),
        "before the last byte": sum(delay < -0.01 for delay in delays),
        "wrong output": sum(not right(path, one) for path, one in storm.final.items()),
        "temporary files left": len(list(storm.folder.rglob("*.vbtmp"))),
    }
    cuts = statistics.quantiles(delays, n=100) if len(delays) > 1 else [0.0] * 99
    return {
        "contents": len(storm.complete),
        "files": len(storm.final),
        "by kind": dict(storm.kinds),
        "wrong": wrong,
        "delay s": {
            "median": round(statistics.median(delays), 3), "p95": round(cuts[94], 3),
            "p99": round(cuts[98], 3), "max": round(delays[-1], 3),
        },
    }  # fmt: skip


class Right:
    """Tells whether the outputs of a file are what the job makes of its last content."""

    def __init__(self, options: argparse.Namespace, contents: list[bytes], base: Path) -> None:
        self.light = options.job == "light"
        self.contents = {digest(content): content for content in contents}
        self.pages = {} if self.light else reference_pages(options, contents[0], base)

    def __call__(self, path: Path, one: str) -> bool:
        """Light job: the output says which content it was given. Report: see the two below."""
        outputs = {found.suffix: found for found in path.parent.glob(f"rout/{path.stem}.rout.*")}
        if self.light:
            body = json.loads(outputs[".json"].read_bytes()) if ".json" in outputs else {}
            return len(outputs) == 1 and body == {**body, "digest": one, "name": path.name}
        if set(outputs) != {".html", ".vsav"}:
            return False
        return self.page_is_right(path, outputs[".html"]) and self.copy_is_right(
            one, outputs[".vsav"]
        )

    def page_is_right(self, path: Path, page: Path) -> bool:
        """The page is that of the same game under another name."""
        return page.read_text("utf-8").replace(path.stem, "NAME") == self.pages[path.suffix]

    def copy_is_right(self, one: str, copy: Path) -> bool:
        """The annotated copy has the one member that tells the contents apart."""
        with (
            zipfile.ZipFile(copy) as made,
            zipfile.ZipFile(io.BytesIO(self.contents[one])) as given,
        ):
            return made.read("bench") == given.read("bench")


def reference_pages(options: argparse.Namespace, data: bytes, base: Path) -> dict[str, str]:
    """What the job makes of the game here and now, by suffix, with NAME for the file's name."""
    from watch_driver import ReadyFile, make_job

    job = make_job(options.job, options.boards)
    pages: dict[str, str] = {}
    for suffix in (".vsav", ".vlog", ".VSAV"):
        path = base / f"S0 model{suffix}"
        path.write_bytes(data)
        job(ReadyFile(path, data, digest(data), base / "made", path.stem))
        made = (base / "made" / f"{path.stem}.rout.html").read_text("utf-8")
        pages[suffix] = made.replace(path.stem, "NAME")
    return pages


def main() -> int:
    """Run the storm and print the figures as JSON; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="contents to write")
    parser.add_argument("--writers", type=int, default=12, help="at the same time")
    parser.add_argument("--pace", type=float, default=0.4, help="mean pause between chunks, s")
    parser.add_argument("--rate", type=float, default=0.0, help="most arrivals per second; 0 = any")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--job", default="light")
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--model", type=Path, default=DEMO)
    parser.add_argument("--polling", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    contents = variations(options.model, options.count, rng)
    with tempfile.TemporaryDirectory() as base:
        folder, outside = Path(base, "games"), Path(base, "outside")
        for name in ("", "Anna vs Boris", "S 001 - Enhanced"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        outside.mkdir()
        storm = Storm(folder, outside, contents, options.seed, options.pace)
        figures = run(storm, options, Path(base, "log"))
    print(json.dumps(figures, indent=1))
    bad = any(dict(figures["wrong"]).values()) or figures["said"]  # type: ignore[call-overload]
    return 1 if bad else 0


def run(storm: Storm, options: argparse.Namespace, log: Path) -> dict[str, object]:
    """Start the watcher, let the writers loose, wait for the end."""
    right = Right(options, storm.contents, log.parent)
    command = [sys.executable, str(HERE / "watch_driver.py"), str(storm.folder), "--log", str(log)]
    command += ["--job", options.job] + (["--polling"] if options.polling else [])
    command += ["--boards", str(options.boards)] if options.boards else []
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while "Watching" not in process.stderr.readline():
        assert process.poll() is None, "the watcher did not start"
    tail = Tail(log)
    began = time.monotonic()
    if options.rate:
        limit_rate(storm, options.rate)
    writers = [
        threading.Thread(target=storm.work, args=(lambda one: one in tail.known,))
        for _ in range(options.writers)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    wrote = time.monotonic() - began
    while len(tail.known) < len(storm.contents) and time.monotonic() - began < wrote + 90:
        time.sleep(0.2)
    time.sleep(5)  # time enough for something to be done twice
    tail.stop = True
    process.send_signal(signal.SIGINT)
    stopping = time.monotonic()
    _, said = process.communicate(timeout=30)
    stopped = time.monotonic() - stopping
    figures = judge(storm, read_log(log), right)
    said_lines = [line for line in said.splitlines() if not line.startswith("Ended; files done")]
    return {
        **figures,
        "wrote for s": round(wrote, 1),
        "stopped in s": round(stopped, 2),
        "exit code": process.returncode,
        "said": said_lines,
    }


def limit_rate(storm: Storm, rate: float) -> None:
    """Let `Storm.take` give out contents no faster than `rate` per second."""
    take, began, given = storm.take, time.monotonic(), 0

    def slow_take() -> tuple[int, list[bytes]] | None:
        nonlocal given
        with storm.lock:
            if storm.next >= len(storm.contents):
                return None
            wait = began + given / rate - time.monotonic()
            given += 1
        if wait > 0:
            time.sleep(wait)
        return take()

    storm.take = slow_take  # type: ignore[method-assign]


if __name__ == "__main__":
    sys.exit(main())
