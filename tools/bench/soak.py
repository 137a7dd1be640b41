"""The watcher for a long time: memory and handles must stay what they are.

    python tools/bench/soak.py --minutes 10 --rate 5
    python tools/bench/soak.py --minutes 10 --rate 5 --job report

Linux only: reads /proc of the watcher. The first minute is warming up and does not count.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from saves import DEMO, variations
from watch_storm import read_log

HERE = Path(__file__).resolve().parent
NAMES = 40


def sample(process: int) -> tuple[float, int, int]:
    """Resident memory in MB, open handles, threads."""
    status = Path(f"/proc/{process}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    handles = len(list(Path(f"/proc/{process}/fd").iterdir()))
    return int(fields["VmRSS"].split()[0]) / 1024, handles, int(fields["Threads"])


def main() -> int:
    """Soak, and print the figures as JSON; 1 if anything grew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rate", type=float, default=5.0, help="saves per second")
    parser.add_argument("--warm-up", type=float, default=60.0, help="seconds")
    parser.add_argument("--job", default="light")
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--model", type=Path, default=DEMO)
    options = parser.parse_args()
    rng = random.Random(5)
    contents = variations(options.model, 500, rng)
    with tempfile.TemporaryDirectory() as base:
        folder, log = Path(base, "games"), Path(base, "log")
        folder.mkdir()
        command = [sys.executable, str(HERE / "watch_driver.py"), str(folder), "--log", str(log)]
        command += ["--job", options.job]
        command += ["--boards", str(options.boards)] if options.boards else []
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stderr is not None
            process.stderr.readline()
            samples, written = soak(process.pid, folder, contents, options, rng)
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            said = process.stderr.read()
            process.wait(30)
            stopped = time.monotonic() - began
        done = len(read_log(log))
    figures = summary(samples)
    figures |= {"saves written": written, "jobs": done, "stopped in s": round(stopped, 2)}
    figures["said"] = [line for line in said.splitlines() if not line.startswith("Ended")]
    print(json.dumps(figures, indent=1))
    grew = abs(float(str(figures["RSS growth MB"]))) > 5 or figures["handles"] != "constant"
    return 1 if grew or figures["said"] else 0


def soak(
    pid: int, folder: Path, contents: list[bytes], options: argparse.Namespace, rng: random.Random
) -> tuple[list[tuple[float, float, int, int]], int]:
    """Write saves at the rate; sample every two seconds once warm."""
    samples: list[tuple[float, float, int, int]] = []
    began = time.monotonic()
    written = 0
    next_sample = began + options.warm_up
    while (now := time.monotonic()) < began + options.minutes * 60:
        content = contents[written % len(contents)]
        name = f"S{rng.randrange(NAMES)}.vsav"
        (folder / name).write_bytes(content)
        written += 1
        if now >= next_sample:
            samples.append((now - began, *sample(pid)))
            next_sample = now + 2
        time.sleep(max(0.0, began + written / options.rate - time.monotonic()))
    return samples, written


def summary(samples: list[tuple[float, float, int, int]]) -> dict[str, object]:
    """First tenth against last tenth."""
    tenth = max(1, len(samples) // 10)
    first = statistics.mean(row[1] for row in samples[:tenth])
    last = statistics.mean(row[1] for row in samples[-tenth:])
    handles = sorted({row[2] for row in samples})
    threads = sorted({row[3] for row in samples})
    idle = statistics.mode(row[2] for row in samples)
    rising = statistics.mean(row[2] for row in samples[-tenth:]) > idle + 1
    return {
        "RSS MB first": round(first, 1),
        "RSS MB last": round(last, 1),
        "RSS growth MB": round(last - first, 2),
        "RSS MB peak": round(max(row[1] for row in samples), 1),
        "handles": "rising" if rising else "constant",
        "handles seen": handles,
        "threads seen": threads,
        "samples": len(samples),
    }


if __name__ == "__main__":
    sys.exit(main())
