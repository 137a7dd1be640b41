"""The formats of a report by name; light to import, each writer loads what it needs when called.

`write_report` serves text, JSON, HTML, SVG and PNG. The annotated save is written by the room that
knows VASSAL's files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vassal_bridge.errors import UsageError

if TYPE_CHECKING:
    from vassal_bridge.report.job import Job


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write a report.

    Attributes:
        name: what `--format` takes.
        suffix: of the file: ``<stem>.rout`` + suffix.
        text: readable on standard output.
        write: makes the bytes of the file.
    """

    name: str
    suffix: str
    text: bool
    write: Callable[[Job], bytes]


def _text(job: Job) -> bytes:
    from vassal_bridge.report.text import report_text

    return report_text(job.report(), job.words).encode("utf-8")


def _json(job: Job) -> bytes:
    from vassal_bridge.report.jsonfile import model_json

    return model_json(job.report())


def _html(job: Job) -> bytes:
    from vassal_bridge.report.html import report_page

    return report_page(job)


def _svg(job: Job) -> bytes:
    from vassal_bridge.report.draw.svg import svg
    from vassal_bridge.report.pictures import job_scene

    return svg(job_scene(job))


def _png(job: Job) -> bytes:
    from vassal_bridge.report.draw.png import png
    from vassal_bridge.report.pictures import job_scene

    return png(job_scene(job, for_png=True), job.options.width)


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("text", ".txt", True, _text),
        Format("json", ".json", True, _json),
        Format("html", ".html", False, _html),
        Format("svg", ".svg", False, _svg),
        Format("png", ".png", False, _png),
    )
}


def write_report(job: Job, name: str) -> bytes:
    """A report in one of `FORMATS`.

    Raises:
        UsageError: there is no such format.
    """
    found = FORMATS.get(name)
    if found is None:
        raise UsageError(f"format {name!r} is unknown; there are {', '.join(FORMATS)}")
    return found.write(job)
