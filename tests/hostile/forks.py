"""Runs commands as a player would, each in a forked process of its own under limits.

As a program (`python -m tests.hostile.forks`) it reads jobs, one JSON value a line, and answers
each with one: `Job` and `Done`. What commands import is imported once, before the first fork.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

MEMORY = 1536 * 1024 * 1024
"""Address space of a command, in bytes (its libraries take 400 MB of it)."""
SECONDS = 20
"""Processor time after which a command counts as running away."""
MOST_OUTPUT = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """One command line.

    Attributes:
        arguments: what follows ``vassal-bridge``.
        folder: the current folder.
        file_bytes: largest file it may write, as on a disk that fills up; None = no bound.
        out: file for its standard output instead of `Done.out`.
    """

    arguments: list[str]
    folder: str
    file_bytes: int | None = None
    out: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it.

    Attributes:
        code: exit code; minus the signal that ended it.
        out, err: what it printed, undecodable bytes replaced.
        seconds: processor time, user and system.
        megabytes: most memory it held, that of the libraries included.
    """

    code: int
    out: str
    err: str
    seconds: float
    megabytes: float


class Forks:
    """The process that forks; use as a context manager."""

    def __init__(self, home: Path) -> None:
        unwanted = ("ROUT_", "BOARDS_DIR", "VASSAL_DIR", "VASL_", "LC_", "LANG", "COVERAGE_")
        env = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
        env |= {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "LANG": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.forks"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
            cwd=Path(__file__).resolve().parents[2],
            text=True,
        )

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def run(
        self,
        arguments: Sequence[object],
        folder: Path,
        *,
        file_bytes: int | None = None,
        out: str | None = None,
    ) -> Done:
        """One command line in a process of its own."""
        job = Job([str(one) for one in arguments], str(folder), file_bytes, out)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        return Done(**json.loads(self._process.stdout.readline()))


def _serve() -> None:
    _import_all()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(asdict(_forked(Job(**json.loads(line))))) + "\n")
        sys.stdout.flush()


def _import_all() -> None:
    """All that commands import late, so that no fork pays for it."""
    import lxml.etree
    import numpy
    import PIL.Image
    import pydantic
    import watchdog.observers
    import yaml

    import vassal_bridge.audit
    import vassal_bridge.report
    import vassal_bridge.report.annotated
    import vassal_bridge.tasks.auditing
    import vassal_bridge.tasks.inspecting
    import vassal_bridge.tasks.looking
    import vassal_bridge.tasks.reporting
    import vassal_bridge.tasks.setting
    import vassal_bridge.tasks.sighting
    import vassal_bridge.tasks.watching

    del lxml, numpy, PIL, pydantic, watchdog, yaml, vassal_bridge


def _forked(job: Job) -> Done:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            _command(job, out.fileno(), err.fileno())
        _, status, used = os.wait4(pid, 0)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read(MOST_OUTPUT).decode("utf-8", "replace"))
    code = os.waitstatus_to_exitcode(status)
    return Done(code, texts[0], texts[1], used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def _command(job: Job, out: int, err: int) -> None:
    """The forked process: never returns."""
    import resource

    from vassal_bridge.cli import app, exit_code

    code = 99
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(job.out, os.O_WRONLY) if job.out else out, 1)
        os.dup2(err, 2)
        os.setsid()
        os.chdir(job.folder)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if job.file_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (job.file_bytes, job.file_bytes))
        os.environ["PWD"] = job.folder
        code = exit_code(lambda: app(job.arguments, standalone_mode=False))
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
