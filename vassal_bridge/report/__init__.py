"""Reports: the model with its JSON, and one writer per format.

Importing this room is cheap; a name is loaded when it is first used. The face:

- `build_report`: answers of the rules to the `Report` model (contracts.md 5);
- `Job`, `Options`, `FORMATS`, `write_report`: a report as text, JSON, HTML, SVG or PNG;
- `map_picture`: the map of a loaded game as something to draw;
- `InspectReport`, `AuditReport` and their writers `inspect_text`, `audit_text`, `audit_page`;
- `model_json`, `schema_json`; `language`, `words_in` (a catalogue).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vassal_bridge.faces import face

if TYPE_CHECKING:
    from vassal_bridge.report.audit_html import AuditJob, audit_page
    from vassal_bridge.report.build import build_report
    from vassal_bridge.report.catalogue import Catalogue, language, words_in
    from vassal_bridge.report.formats import FORMATS, Format, write_report
    from vassal_bridge.report.job import Job, Options
    from vassal_bridge.report.jsonfile import model_json, schema_json
    from vassal_bridge.report.listing import inspect_text
    from vassal_bridge.report.mapping import map_picture
    from vassal_bridge.report.model import AuditReport, InspectReport, Report
    from vassal_bridge.report.picture import CounterShape, HexShape, MapPicture, Tile
    from vassal_bridge.report.text import audit_text, report_text

__all__ = [
    "FORMATS",
    "AuditJob",
    "AuditReport",
    "Catalogue",
    "CounterShape",
    "Format",
    "HexShape",
    "InspectReport",
    "Job",
    "MapPicture",
    "Options",
    "Report",
    "Tile",
    "audit_page",
    "audit_text",
    "build_report",
    "inspect_text",
    "language",
    "map_picture",
    "model_json",
    "report_text",
    "schema_json",
    "words_in",
    "write_report",
]

__getattr__ = face(
    __name__,
    {
        "audit_html": ("AuditJob", "audit_page"),
        "build": ("build_report",),
        "catalogue": ("Catalogue", "language", "words_in"),
        "formats": ("FORMATS", "Format", "write_report"),
        "job": ("Job", "Options"),
        "jsonfile": ("model_json", "schema_json"),
        "mapping": ("map_picture",),
        "model": ("AuditReport", "InspectReport", "Report"),
        "picture": ("CounterShape", "HexShape", "MapPicture", "Tile"),
        "listing": ("inspect_text",),
        "text": ("audit_text", "report_text"),
    },
)
