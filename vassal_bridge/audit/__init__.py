"""Audits of routs that were made: in a log, in a folder of logs, from one save to the next.

Its face: `audit_saved` for one log, `audit_files` for several files; both give `AuditResult`, plain
values from which the writers of the room `report` make their output.

>>> from pathlib import Path
>>> from vassal_bridge.board import BoardLibrary
>>> from vassal_bridge.bridge import Options
>>> options = AuditOptions(Options(BoardLibrary([Path("boards")])))      # doctest: +SKIP
>>> result = audit_saved(Path("S1-2-A-RtPh.vlog"), options)             # doctest: +SKIP
>>> [rout.verdict for phase in result.phases for rout in phase.routs]   # doctest: +SKIP
"""

from vassal_bridge.audit.files import FileAudit, Summary, audit_files
from vassal_bridge.audit.result import (
    AuditCode,
    AuditedPhase,
    AuditedRout,
    AuditNote,
    AuditResult,
    Check,
    Cut,
    Evidence,
    Failure,
    Finding,
    Nmc,
    Recorded,
    Tally,
    Verdict,
    Why,
)
from vassal_bridge.audit.saves import audit_saves
from vassal_bridge.audit.single import AuditOptions, audit_saved

__all__ = [
    "AuditCode",
    "AuditNote",
    "AuditOptions",
    "AuditResult",
    "AuditedPhase",
    "AuditedRout",
    "Check",
    "Cut",
    "Evidence",
    "Failure",
    "FileAudit",
    "Finding",
    "Nmc",
    "Recorded",
    "Summary",
    "Tally",
    "Verdict",
    "Why",
    "audit_files",
    "audit_saved",
    "audit_saves",
]
