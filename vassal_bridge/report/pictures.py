"""The picture of a job: which language it can be painted in, and what is shown."""

from __future__ import annotations

from vassal_bridge.errors import UsageError
from vassal_bridge.report.catalogue import words_in
from vassal_bridge.report.draw.compose import report_scene
from vassal_bridge.report.draw.png import can_write
from vassal_bridge.report.draw.scene import Scene
from vassal_bridge.report.job import Job


def job_scene(job: Job, *, for_png: bool = False) -> Scene:
    """The picture of a report.

    Args:
        job: what to show.
        for_png: it will be painted here; where no font has the characters of the language, the
            picture is in English.

    Raises:
        UsageError: no map is known, or the unit asked for is not in the report.
    """
    options = job.options
    if job.picture is None:
        raise UsageError("no map is known for this position, so no picture can be drawn")
    lang = options.lang
    if for_png and not can_write(words_in(lang).say("title")):
        lang = "en"
    report = job.report(lang)
    if options.unit is not None and all(unit.id != options.unit for unit in report.units):
        raise UsageError(f"no broken unit {options.unit!r} in this report")
    return report_scene(
        report,
        job.picture,
        words_in(lang),
        whole_map=options.whole_map,
        unit=options.unit,
        art=options.art,
    )
