"""Everything the program can say about one game, as bytes by name; paths and times are no part."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from tests.report import annotated_rules as rules
from tests.shared import BOARDS
from vassal_bridge.audit import AuditOptions
from vassal_bridge.audit.single import audit_game
from vassal_bridge.bridge import Loaded, load_saved
from vassal_bridge.demo import demo_boards
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.report import Job, inspect_text, model_json, words_in
from vassal_bridge.report.annotated import annotate_log
from vassal_bridge.tasks.audit_report import log_lines, summary_lines
from vassal_bridge.tasks.auditing import render_audit
from vassal_bridge.tasks.inspecting import inspect_report
from vassal_bridge.tasks.reporting import Wanted, annotated, render, report_job
from vassal_bridge.tasks.session import Session, open_session
from vassal_bridge.vassal import Saved, open_saved

FORMATS = ("text", "json", "html", "svg")


@cache
def session(demo: bool) -> Session:
    return open_session({"month": 7}, boards=[demo_boards() if demo else BOARDS])


def loaded(saved: Saved, demo: bool, *, strict: bool = True) -> Loaded:
    options = session(demo).options(session(demo).settings().settings)
    return load_saved(saved, replace(options, strict=strict))


def everything(path: Path, text: str, *, demo: bool) -> dict[str, bytes]:
    """What is told about a save: reports, pictures, page, inspection, marks of the copy."""
    saved = open_saved(path).with_text(text)
    here = session(demo)
    job = report_job(here, path, Wanted(FORMATS), loaded(saved, demo))
    found = {format_: _rendered(job, format_) for format_ in FORMATS}
    found["zh"] = model_json(job.report("zh"))
    inspected = inspect_report(loaded(saved, demo, strict=False), words_in("en"))
    found["inspect json"] = model_json(inspected)
    found["inspect text"] = inspect_text(inspected, words_in("en")).encode()
    values = repr((job.loaded, job.assessments, saved))
    found["repr"] = re.sub(r"0x[0-9a-f]+", "", values).encode()
    marks = "\n".join(rules.added(text, annotated(job, saved).text))
    found["marks"] = re.sub(r"(?m)^\+/\d+/", "+/", marks).encode()
    return found


def _rendered(job: Job, format_: str) -> bytes:
    """A format, or the error in its place (a picture wants a board)."""
    try:
        return render(job, format_)
    except VassalBridgeError as error:
        return str(error).encode()


def audited(path: Path, text: str, *, demo: bool) -> dict[str, bytes]:
    """What is told about a log."""
    saved = open_saved(path).with_text(text)
    here = session(demo)
    result = audit_game(saved, AuditOptions(here.options(here.settings().settings))).result
    found = {
        format_: render_audit(here, path, result, format_, "en", saved) or b""
        for format_ in ("text", "json", "html")
    }
    words = words_in("zh")
    copy = annotate_log(saved, list(log_lines(result, words)), list(summary_lines(result, words)))
    found["vlog"] = "\n".join(rules.added(text, copy.text)).encode()
    found["repr"] = re.sub(r"0x[0-9a-f]+", "", repr(result)).encode()
    return found
