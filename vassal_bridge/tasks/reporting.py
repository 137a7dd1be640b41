"""`report`, `demo` and the watcher's job: from a file to reports in every format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vassal_bridge.bridge import Loaded
from vassal_bridge.errors import UsageError
from vassal_bridge.report import FORMATS, Lang, Subject, build_report
from vassal_bridge.report.model import Report
from vassal_bridge.rout import assess_all
from vassal_bridge.tasks.session import Session, language
from vassal_bridge.vassal import atomic_write

STDOUT_FORMATS = ("text", "json")
"""Formats that go to standard output when no folder is named (contracts.md 4)."""
OUT_FOLDER = "rout"
"""Sibling folder for outputs (conventions.md 3)."""
SUFFIX = {"text": "txt"}
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Reported:
    """A file with its report."""

    path: Path
    loaded: Loaded
    report: Report
    lang: Lang
    art: Path | None = None

    @property
    def subject(self) -> Subject:
        """What writers are given."""
        return Subject.of(self.loaded, art=self.art)


def make_report(session: Session, path: Path, loaded: Loaded | None = None) -> Reported:
    """Judge every broken unit of a file.

    Raises:
        VassalBridgeError: one line naming file and cause.
    """
    settings = session.settings(path).settings
    found = loaded or session.load(path)
    lang = language(settings)
    assessments = () if settings.after_the_fact else assess_all(found.position)
    report = build_report(found, assessments, lang, with_los=settings.los_list)
    return Reported(path, found, report, lang, settings.vmod)


def render(reported: Reported, format_: str) -> bytes:
    """One format of a report.

    Raises:
        UsageError: no such format, or one this kind of file cannot have.
    """
    writer = FORMATS.get(format_)
    if writer is None:
        raise UsageError(f"unknown format {format_!r}; known: {', '.join(FORMATS)}")
    return writer(reported.report, reported.subject, reported.lang)


def output_path(path: Path, format_: str, out: Path | None) -> Path:
    """Where an output goes: ``<stem>.rout.<format>`` in `out`, else in a sibling folder."""
    folder = out if out is not None else path.parent / OUT_FOLDER
    stem = path.name
    for suffix in (".rout.yaml", ".rout.yml", ".yaml", ".yml", ".vsav", ".vlog", ".zip"):
        if stem.casefold().endswith(suffix):
            stem = stem[: -len(suffix)]
            break
    return folder / f"{stem}.rout.{SUFFIX.get(format_, format_)}"


def write_output(target: Path, data: bytes, source: Path) -> Path:
    """Write an output, never over a file the program did not write.

    Raises:
        UsageError: the target is the input itself.
        FileError: it cannot be written.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise UsageError("would overwrite the input", file=str(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(target, data)
    return target


def report_files(
    session: Session, files: Sequence[Path], formats: Sequence[str], out: Path | None
) -> list[Path]:
    """`report`: text and JSON to standard output unless a folder is named, the rest to files.

    Returns:
        The files written.
    """
    written = []
    for path in files:
        reported = make_report(session, path)
        for format_ in formats or ("text",):
            data = render(reported, format_)
            if out is None and format_ in STDOUT_FORMATS:
                to_stdout(data)
            else:
                written.append(write_output(output_path(path, format_, out), data, path))
    return written


def to_stdout(data: bytes) -> None:
    """Bytes to standard output, whatever its encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data if data.endswith(b"\n") else data + b"\n")
    sys.stdout.buffer.flush()
