"""`audit`: logs, folders of logs and pairs of saves to audit reports in every format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vassal_bridge.audit import AuditOptions, AuditResult, FileAudit, Summary
from vassal_bridge.audit import audit_files as audit_many
from vassal_bridge.audit.order import files_in
from vassal_bridge.audit.single import audit_game
from vassal_bridge.errors import UsageError, VassalBridgeError
from vassal_bridge.report import Options, audit_text, model_json, words_in
from vassal_bridge.tasks.audit_report import audit_report, log_lines, overall_lines, summary_lines
from vassal_bridge.tasks.outputs import Outputs, marked_text, write_output
from vassal_bridge.tasks.progress import progress_over
from vassal_bridge.tasks.reporting import one_document, to_stdout
from vassal_bridge.tasks.saying import complain
from vassal_bridge.tasks.session import Session, give_memory_back, language
from vassal_bridge.vassal import Saved, open_saved
from vassal_bridge.vassal.archive import ZIP_REMARK, saved_bytes

if TYPE_CHECKING:
    from vassal_bridge.bridge import Loaded
    from vassal_bridge.report import AuditJob, CounterShape
    from vassal_bridge.report.catalogue import Lang
    from vassal_bridge.watch import JobResult, ReadyFile

AUDIT_FORMATS = ("text", "json", "html", "vlog")
STDOUT_FORMATS = ("text", "json")
_PHASE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")


@dataclass(frozen=True, slots=True)
class AuditWanted:
    """What the user asked of `audit` beside files and rules.

    Attributes:
        formats: none = text.
        out: folder, None = standard output or a sibling folder.
        phase: ``FIRST-LAST`` log steps of the rout phase.
    """

    formats: tuple[str, ...] = ()
    out: Path | None = None
    phase: str | None = None


@dataclass(slots=True)
class Outcome:
    """What came of an audit.

    Attributes:
        illegal: something differs from 3.6 (exit code 1).
        written: files written.
    """

    illegal: bool = False
    written: list[Path] = field(default_factory=list)


def audit_options(session: Session, paths: Sequence[Path], phase: str | None) -> AuditOptions:
    """How files are audited; the settings are those of the first.

    Raises:
        UsageError: ``--phase`` is not ``FIRST-LAST``, or the password of ``--as`` is not right.
    """
    steps = None
    if phase is not None:
        match = _PHASE.fullmatch(phase)
        steps = (int(match[1]), int(match[2])) if match else None
        if steps is None or not 1 <= steps[0] <= steps[1]:
            raise UsageError(f"--phase {phase!r}: write FIRST-LAST log steps, like 12-31")
    options = session.options_for(paths[0])
    if session.as_side is not None:
        options = replace(options, player=session.player(_games(paths), options))
    return AuditOptions(options, phase=steps)


def _games(paths: Iterable[Path]) -> Iterator[Saved]:
    """Every game among files and folders that can be read."""
    for path in files_in(paths):
        with suppress(VassalBridgeError):
            yield open_saved(path)


def audit_files(session: Session, files: Sequence[Path], wanted: AuditWanted) -> Outcome:
    """Audit files and folders as one game; exit code 1 material is in `Outcome.illegal`.

    Raises:
        VassalBridgeError: the only file cannot be audited, or an option is wrong.
    """
    formats = wanted.formats or ("text",)
    for format_ in formats:
        if format_ not in AUDIT_FORMATS:
            raise UsageError(f"unknown format {format_!r}; known: {', '.join(AUDIT_FORMATS)}")
    for path in files:
        if not path.exists():
            raise UsageError("no such file or folder", file=str(path))
    if len(files) > 1 or files[0].is_dir():
        give_memory_back()
    options = audit_options(session, files, wanted.phase)
    lang = language(session.settings(files[0]).settings)
    outcome, summary = Outcome(), Summary()
    printed: list[AuditResult] = []
    outputs = Outputs(wanted.out)
    for path, result in _audited(files, options):
        summary.add(result)
        outcome.illegal = outcome.illegal or result.differs
        to_files = [one for one in formats if wanted.out or one not in STDOUT_FORMATS]
        made = _made(session, path, result, to_files, lang)
        if wanted.out is None and set(formats) & set(STDOUT_FORMATS):
            printed.append(result)
            if "text" in formats:
                to_stdout(text_of(result, lang), gap=summary.files > 1)
        for format_, data in made:
            outcome.written.append(outputs.write(path, format_, data))
    if summary.files == 0:
        raise UsageError("no log or saved game that can be audited", file=str(files[0]))
    if wanted.out is None and "json" in formats:
        to_stdout(_json_of(printed, lang))
    if summary.files > 1 and "text" in formats:
        to_stdout(("\n" + "\n".join(overall_lines(summary, words_in(lang))) + "\n").encode("utf-8"))
    return outcome


def _audited(files: Sequence[Path], options: AuditOptions) -> Iterator[tuple[Path, AuditResult]]:
    """The files that can be audited; of the others it is told why not.

    Raises:
        VassalBridgeError: the only file cannot be audited, or is a save with none to compare with.
    """
    alone = len(files) == 1 and not files[0].is_dir()
    with progress_over(files) as progress:
        for each in audit_many(files, options, progress=progress):
            if each.error is not None:
                _tell_error(each, alone=alone)
            elif each.result is not None:
                if each.result.source.kind == "vsav" and not each.result.phases:
                    _tell_lone_save(each.path, files, alone=alone)
                yield each.path, each.result


def _tell_lone_save(path: Path, files: Sequence[Path], *, alone: bool) -> None:
    """A saved game that there is no other to compare with: the only one, or one named twice.

    Raises:
        UsageError: nothing else was named.
    """
    twice = len(files) > 1 and len({one.resolve() for one in files}) == 1
    text = (
        "the same saved game twice: no rout phase lies between them; name the one before and the "
        "one after"
        if twice
        else "one saved game tells of no rout: name two, the earlier first, or a log"
    )
    error = UsageError(text, file=str(path))
    if alone or twice:
        raise error
    complain(str(error))


def _made(
    session: Session,
    path: Path,
    result: AuditResult,
    formats: Iterable[str],
    lang: Lang,
    saved: Saved | None = None,
) -> list[tuple[str, bytes]]:
    """An audit in all formats it can have, before the first is written: all of them or none."""
    made = []
    try:
        for format_ in formats:
            data = render_audit(session, path, result, format_, lang, saved)
            if data is not None:
                made.append((format_, data))
    except VassalBridgeError as error:
        raise error.at(file=path) from None
    return made


def _tell_error(each: FileAudit, *, alone: bool) -> None:
    assert each.error is not None  # noqa: S101  (asked by the caller)
    if alone:
        raise each.error.at(file=each.path)
    complain(str(each.error.at(file=each.path)))


def text_of(result: AuditResult, lang: Lang) -> bytes:
    """An audit as text."""
    words = words_in(lang)
    return audit_text(audit_report(result, words), words).encode("utf-8")


def _json_of(results: Sequence[AuditResult], lang: Lang) -> bytes:
    """One audit as its JSON; several as a list of them."""
    words = words_in(lang)
    return one_document([model_json(audit_report(result, words)) for result in results])


def render_audit(
    session: Session,
    path: Path,
    result: AuditResult,
    format_: str,
    lang: Lang,
    saved: Saved | None = None,
) -> bytes | None:
    """An audit in one format; None where the file cannot have it (a save has no annotated log).

    Args:
        session: settings and boards.
        path: the file audited.
        result: what was found.
        format_: text, json, html or vlog.
        lang: language.
        saved: the file, if it is open already.
    """
    if format_ == "text":
        return text_of(result, lang)
    if format_ == "json":
        return _json_of([result], lang)
    found = saved if saved is not None else open_saved(path)
    if format_ == "vlog":
        if not found.log_steps:
            return None
        from vassal_bridge.report.annotated import annotate_log

        words = words_in(lang)
        lines, summary = list(log_lines(result, words)), list(summary_lines(result, words))
        return saved_bytes(annotate_log(found, lines, summary), remark=ZIP_REMARK)
    from vassal_bridge.report import audit_page

    # the map itself shows what both players see, as the log begins
    public = replace(session, as_side=None, step=0)
    return audit_page(_page_job(public.load_saved(found, path), result, lang))


def _page_job(loaded: Loaded, result: AuditResult, lang: Lang) -> AuditJob:
    from vassal_bridge.report import AuditJob, map_picture
    from vassal_bridge.report.pagekit import Both

    reports = Both(audit_report(result, words_in("en")), audit_report(result, words_in("zh")))
    return AuditJob(reports, map_picture(loaded), _frames(loaded, result), Options(lang=lang))


def _frames(
    loaded: Loaded, result: AuditResult
) -> Callable[[str | None, int], Sequence[CounterShape]]:
    """Counters at the moments the audit kept: the last one kept up to the step asked for."""
    from vassal_bridge.report.mapping import unit_shapes
    from vassal_bridge.rout import Position

    kept = sorted(result.frames)

    def at(file: str | None, step: int) -> Sequence[CounterShape]:
        del file
        moments = [moment for moment in kept if moment <= step]
        if not moments:
            return ()
        units = result.frames[moments[-1]]
        ground = loaded.position.ground
        return tuple(unit_shapes(Position(ground, units, result.attacker, result.rules)))

    return at


def audit_ready(
    session: Session, file: ReadyFile, saved: Saved, formats: Sequence[str]
) -> JobResult:
    """The watcher's job for a log: audit it and write page and annotated copy."""
    from vassal_bridge.watch import JobResult

    options = audit_options(session, [file.path], None)
    lang = language(session.settings(file.path).settings)
    result = audit_game(saved, options).result
    outputs = []
    for format_, data in _made(session, file.path, result, formats, lang, saved):
        target = file.output("txt" if format_ == "text" else format_)
        write_output(target, marked_text(data) if format_ == "text" else data, file.path)
        outputs.append(target)
    headline = next(summary_lines(result, words_in(lang)))
    return JobResult(headline, tuple(outputs), mark="bad" if result.differs else "good")
