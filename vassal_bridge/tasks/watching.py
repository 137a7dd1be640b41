"""`watch`: the job that is done with each ready file, and the watcher around it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import typer

from vassal_bridge import __version__
from vassal_bridge.discovery import discover, this_machine
from vassal_bridge.doctor import stated_places
from vassal_bridge.errors import UsageError
from vassal_bridge.report import words_in
from vassal_bridge.report.speech import AFTER_THE_FACT, headline
from vassal_bridge.settings import fingerprint
from vassal_bridge.tasks.outputs import marked_text, write_output
from vassal_bridge.tasks.reporting import Wanted, render, report_job
from vassal_bridge.tasks.session import Session, give_memory_back, language
from vassal_bridge.vassal import Saved
from vassal_bridge.vassal.archive import read_saved
from vassal_bridge.watch import Console, JobResult, Listener, ReadyFile, watch, watched_roots

DEFAULT_FORMATS = ("html", "vsav")
"""What is written for each save: the page, and the annotated copy for VASSAL."""


@dataclass(frozen=True, slots=True)
class Watching:
    """What the user asked of `watch` beside folders and rules."""

    formats: tuple[str, ...] = ()
    out: Path | None = None
    serve: bool = False
    port: int = 0
    polling: bool = False
    bell: bool = False


class FileJob:
    """Does for one ready file what `report` does, and for a log what `audit` does as well.

    Args:
        session: settings and boards.
        formats: what is written; none = `DEFAULT_FORMATS`.
    """

    def __init__(self, session: Session, formats: Sequence[str] = ()) -> None:
        self.session = session
        self.formats = tuple(formats) or DEFAULT_FORMATS

    def __call__(self, file: ReadyFile) -> JobResult:
        """Write the outputs of one file; what it raises is the watcher's to show."""
        saved = read_saved(file.data, file.path)
        if saved.log_steps:
            return self._log(file, saved)
        settings = self.session.settings(file.path).settings
        if settings.after_the_fact:  # a save holds no routs already made
            return JobResult(words_in(language(settings)).say(f"note.{AFTER_THE_FACT}"))
        return self._save(file, saved)

    def _save(self, file: ReadyFile, saved: Saved) -> JobResult:
        loaded = self.session.load_saved(saved, file.path)
        job = report_job(self.session, file.path, Wanted(self.formats), loaded)
        outputs = []
        for format_, data in [(each, render(job, each)) for each in self.formats]:
            target = file.output("txt" if format_ == "text" else format_)
            write_output(target, marked_text(data) if format_ == "text" else data, file.path)
            outputs.append(target)
        report = job.report()
        urgent = any(unit.duty in ("must", "eliminated") for unit in report.units)
        line = headline(report, job.words)
        return JobResult(line, tuple(outputs), mark="warn" if urgent else "good")

    def _log(self, file: ReadyFile, saved: Saved) -> JobResult:
        from vassal_bridge.tasks.auditing import audit_ready

        formats = [one for one in self.formats if one != "vsav"]
        return audit_ready(self.session, file, saved, [*formats, "vlog"])


def watch_folders(session: Session, folders: Sequence[Path], how: Watching) -> None:
    """Watch until Ctrl-C.

    Raises:
        UsageError: no folder is named and none was found.
    """
    give_memory_back()
    loaded = session.settings()
    settings = loaded.settings
    lang = language(settings)
    chosen = list(folders) or list(settings.saves)
    if not chosen:
        found = discover(this_machine(), stated_places(loaded))
        chosen = [Path(folder) for folder in found.saves]
    if not chosen:
        raise UsageError("no folder to watch: name one, or see `vassal-bridge doctor`")

    def key(folder: Path) -> str:
        here = session.settings(folder / "any").settings
        return fingerprint(here, __version__, *how.formats)

    console = Console(
        sys.stdout,
        sys.stderr,
        lang=lang,
        colour=sys.stdout.isatty(),
        roots=watched_roots(chosen),
        bell=how.bell,
    )
    with ExitStack() as stack:
        listeners: list[Listener] = [console]
        if how.serve:
            listeners.append(_live_view(stack, how, lang))
        watch(
            chosen,
            FileJob(session, how.formats),
            listeners=listeners,
            out=how.out if how.out is not None else settings.out,
            key=key,
            polling=how.polling,
        )


def _live_view(stack: ExitStack, how: Watching, lang: str) -> Listener:
    try:
        from vassal_bridge.live import LiveView
    except ImportError:
        raise UsageError(
            '--serve needs the extra `live`: pip install ".[live]" in a copy of the sources'
        ) from None
    view = stack.enter_context(LiveView(port=how.port, lang=lang))
    typer.echo(view.url)
    return view
