"""What is done with a ready file: a callable from outside, and the fence around it.

The watcher knows nothing of routs. It hands a `ReadyFile` to a job and gets a `JobResult`, which
carries the line to show and where the outputs are. Whatever a job raises ends here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from vassal_bridge.errors import (
    BoardError,
    FileError,
    LimitReached,
    NotAGame,
    UnknownEnvelope,
    VassalBridgeError,
)

Mark = Literal["good", "warn", "bad"]
"""How a result is shown: nothing to object to; look at it; something is wrong."""

MAX_HEADLINE = 300


@dataclass(frozen=True, slots=True)
class ReadyFile:
    """A saved game or log that is whole and at rest.

    Attributes:
        path: where it lies. By the time a job opens it, it may have changed again; `data` has not.
        data: its bytes, as judged (never shown: they hold the players' passwords).
        digest: of `data`.
        out_dir: folder for the outputs; a job makes it when it writes the first one.
        stem: outputs are called ``<stem>.rout.<format>``.
    """

    path: Path
    data: bytes = field(repr=False)
    digest: str
    out_dir: Path
    stem: str

    def output(self, format_: str) -> Path:
        """Where the output of one format goes, e.g. ``output("html")``."""
        return self.out_dir / f"{self.stem}.rout.{format_}"


@dataclass(frozen=True, slots=True)
class JobResult:
    """What came of a file.

    Attributes:
        headline: the finding that matters most, one line in the user's language.
        outputs: the files written.
        page: HTML page for the live view; None = the first ``.html`` of `outputs`.
        overlay: the output to point at; None = `page`, else the first of `outputs`.
        mark: how to show it.
    """

    headline: str
    outputs: tuple[Path, ...] = ()
    page: Path | None = None
    overlay: Path | None = None
    mark: Mark = "good"

    @property
    def shown_page(self) -> Path | None:
        """The page the live view shows."""
        if self.page is not None:
            return self.page
        return next((path for path in self.outputs if path.suffix.lower() == ".html"), None)

    @property
    def pointed_at(self) -> Path | None:
        """The output a line on the console points at."""
        return self.overlay or self.shown_page or next(iter(self.outputs), None)


Job = Callable[[ReadyFile], JobResult]
"""Reports or audits one file. May raise any `VassalBridgeError`."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that did not come to a result.

    Attributes:
        text: one line, without the file's name.
        retry: the cause may pass by itself (a file still locked or being written).
        fault: ours, not the file's.
    """

    text: str
    retry: bool = False
    fault: bool = False


def run_job(job: Job, file: ReadyFile) -> JobResult | Failure:
    """Run a job; nothing but a stop request gets past this fence."""
    try:
        return job(file)
    except VassalBridgeError as error:
        return _failure(error)
    except OSError as error:
        return Failure(error.strerror or type(error).__name__, retry=True)
    except Exception as error:
        return Failure(_where(error), fault=True)


def _failure(error: VassalBridgeError) -> Failure:
    text = f"{error.place}: {error.message}" if error.place else error.message
    lasting = isinstance(error, NotAGame | UnknownEnvelope | LimitReached | BoardError)
    return Failure(
        text,
        retry=isinstance(error, FileError) and not lasting,
        fault=error.exit_code == 3,
    )


def _where(error: BaseException) -> str:
    """Kind and place of an unforeseen exception. Its text might quote the game: left out."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        code = trace.tb_frame.f_code
        place = f" at {Path(code.co_filename).name}:{trace.tb_lineno}"
    return f"{type(error).__name__}{place}"


def one_line(text: str, limit: int = MAX_HEADLINE) -> str:
    r"""Text of a game made safe for a terminal: one line, no control or direction characters.

    >>> one_line("4-4-7\x1b[2J\nzM9")
    '4-4-7 [2J zM9'
    """
    clean = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    clean = " ".join(clean.split())
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
