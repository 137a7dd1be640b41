"""`report` and `demo`: from a file to reports in every format."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from vassal_bridge.errors import UsageError, VassalBridgeError
from vassal_bridge.report import FORMATS, Job, Options, write_report
from vassal_bridge.report.jsonfile import json_bytes
from vassal_bridge.rout import Assessment, assess_all
from vassal_bridge.tasks.outputs import Outputs
from vassal_bridge.tasks.saying import unsaid
from vassal_bridge.tasks.session import Session, language

if TYPE_CHECKING:
    from vassal_bridge.bridge import Loaded
    from vassal_bridge.vassal import Saved

ANNOTATED = "vsav"
"""The format that is a copy of the game with overlay pieces."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asked of `report` beside files and rules.

    Attributes:
        formats: names of formats; none = text.
        out: folder for outputs, None = standard output or a sibling folder.
        width: of PNG pictures, in pixels.
        unit: one unit only on pictures, by its id or its letter.
        whole_map: pictures of the whole map.
    """

    formats: tuple[str, ...] = ()
    out: Path | None = None
    width: int | None = None
    unit: str | None = None
    whole_map: bool = False


def report_job(session: Session, path: Path, wanted: Wanted, loaded: Loaded | None = None) -> Job:
    """Judge every broken unit of a file.

    Raises:
        VassalBridgeError: one line naming file and cause.
    """
    settings = session.settings(path).settings
    found = loaded if loaded is not None else session.load(path)
    options = Options(
        lang=language(settings),
        with_los=settings.los_list,
        width=wanted.width,
        whole_map=wanted.whole_map,
        unit=wanted.unit,
    )
    if settings.after_the_fact:  # nothing is worked out, so nothing can be told
        from vassal_bridge.bridge import Note
        from vassal_bridge.report.speech import AFTER_THE_FACT

        answers: Sequence[Assessment] = ()
        late = Note(AFTER_THE_FACT, "after the fact: only routs already made are judged")
        if found.source.kind == "vlog":
            late = replace(late, facts={"case": "log", "file": _typed(path)})
        found = replace(found, assumptions=(late, *found.assumptions))
    else:
        answers = assess_all(found.position)
    if wanted.unit is not None:
        from vassal_bridge.report.speech import unit_called

        named = unit_called(Job(found, answers, None, options).report(), wanted.unit)
        options = replace(options, unit=named)
    pictured = set(wanted.formats) & {"html", "svg", "png"}
    if not pictured:
        return Job(found, answers, None, options)
    from vassal_bridge.report.mapping import map_picture

    if settings.vmod is not None:
        from vassal_bridge.report.art import module_art

        options = replace(options, art=module_art(settings.vmod))
    return Job(found, answers, map_picture(found), options)


def _typed(path: Path) -> str:
    """A file's name as it is typed on a command line."""
    from vassal_bridge.bridge.model import shown_name

    return shown_name(f'"{path.name}"' if " " in path.name else path.name)


def known_formats() -> tuple[str, ...]:
    """Every format `report` knows."""
    return (*FORMATS, ANNOTATED)


def render(job: Job, format_: str) -> bytes:
    """A report in one format.

    Raises:
        UsageError: there is no such format, or a position file has no save to annotate.
    """
    if format_ != ANNOTATED:
        return write_report(job, format_)
    saved = getattr(job.loaded, "saved", None)
    if saved is None:
        raise UsageError("only a saved game can be annotated", file=job.loaded.source.file)
    from vassal_bridge.vassal.archive import ZIP_REMARK, saved_bytes

    return saved_bytes(annotated(job, saved), remark=ZIP_REMARK)


def annotated(job: Job, saved: Saved) -> Saved:
    """A copy of a save with the answer drawn on its map."""
    from vassal_bridge.report.annotated import annotate_save, sheet_of

    loaded = cast("Loaded", job.loaded)
    lang, unit, step = job.options.lang, job.options.unit, loaded.source.step
    return annotate_save(saved, job.report(), sheet_of(loaded), lang, unit, step)


def report_files(session: Session, files: Sequence[Path], wanted: Wanted) -> Iterable[Path]:
    """`report`: text and JSON to standard output unless a folder is named, the rest to files.

    JSON comes last, of several files as one list.

    Yields:
        The files written.

    Raises:
        VassalBridgeError: one line naming file and cause.
    """
    formats = wanted.formats or ("text",)
    for format_ in formats:
        if format_ not in known_formats():
            raise UsageError(f"unknown format {format_!r}; known: {', '.join(known_formats())}")
    outputs = Outputs(wanted.out)
    documents: list[bytes] = []
    for number, path in enumerate(files):
        job = report_job(session, path, wanted)
        for format_, data in _rendered(job, formats, path):
            if wanted.out is not None or format_ not in FORMATS or not FORMATS[format_].text:
                yield outputs.write(path, format_, data)
            elif format_ == "json":
                documents.append(data)
            else:
                to_stdout(data, gap=number > 0)
    if documents:
        to_stdout(one_document(documents))


def one_document(documents: Sequence[bytes]) -> bytes:
    """JSON documents as one: a single one as it is, several as a list of them."""
    if len(documents) == 1:
        return documents[0]
    return json_bytes([json.loads(document) for document in documents])


def _rendered(job: Job, formats: Sequence[str], path: Path) -> list[tuple[str, bytes]]:
    """All formats, before the first is written: a file gets all its outputs or none."""
    try:
        return [(format_, render(job, format_)) for format_ in formats]
    except VassalBridgeError as error:
        raise error.at(file=path) from None


def to_stdout(data: bytes, *, gap: bool = False) -> None:
    """Bytes to standard output, whatever its encoding.

    Raises:
        FileError: it cannot be written (a full disk).
    """
    text = (b"\n" if gap else b"") + data
    try:
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is not None:
            stream.write(text)
            stream.flush()
        else:
            sys.stdout.write(text.decode("utf-8"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unsaid(error) from None
