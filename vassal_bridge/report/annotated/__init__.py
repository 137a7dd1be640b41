"""The answer written back into copies of saved games and logs, and taken out again."""

from vassal_bridge.report.annotated.log import RoutLine, annotate_log
from vassal_bridge.report.annotated.places import Box, Sheet, sheet_of
from vassal_bridge.report.annotated.save import annotate_save
from vassal_bridge.vassal import clean_text, is_annotated

__all__ = [
    "Box",
    "RoutLine",
    "Sheet",
    "annotate_log",
    "annotate_save",
    "clean_text",
    "is_annotated",
    "sheet_of",
]
