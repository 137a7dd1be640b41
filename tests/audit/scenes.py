"""The rule book's example on board z as the start of logs, and short ways to look at audits."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from tests.audit.logs import LogMaker, Piece
from tests.shared import BOARDS
from vassal_bridge.audit import (
    AuditedPhase,
    AuditedRout,
    AuditOptions,
    AuditResult,
    audit_saved,
)
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options


@lru_cache(maxsize=1)
def library() -> BoardLibrary:
    return BoardLibrary([BOARDS])


class Example(LogMaker):
    """4-6-7s in O5 O6 M6 L7; broken 4-4-7s under DM in M9 N7 N6 N5 (or those in `broken`)."""

    def __init__(
        self, *broken: str, germans: tuple[str, ...] = ("O5", "O6", "M6", "L7"), dm: bool = True
    ) -> None:
        super().__init__("z", library())
        self.germans = {at: self.squad("German", "4-6-7", f"z{at}") for at in germans}
        self.units: dict[str, Piece] = {}
        self.dms: dict[str, Piece] = {}
        for at in broken or ("M9", "N7", "N6", "N5"):
            self.units[at] = self.squad("Russian", "4-4-7", f"z{at}", broken=True)
            if dm:
                self.dms[at] = self.marker("DM", f"z{at}")

    def rout(self, at: str, *path: str) -> None:
        """Move the unit that started in `at` hex by hex, DM on top."""
        for to in path:
            pieces = [self.units[at], *([self.dms[at]] if at in self.dms else [])]
            self.move(*pieces, to=f"z{to}")


def audit(
    maker: LogMaker, folder: Path, *, attacker: str | None = "German", **options: object
) -> AuditResult:
    read = Options(library(), attacker=attacker)
    return audit_saved(maker.write(folder), replace(AuditOptions(read), **options))  # type: ignore[arg-type]


def phase(maker: LogMaker, folder: Path, **options: object) -> AuditedPhase:
    result = audit(maker, folder, **options)  # type: ignore[arg-type]
    assert len(result.phases) == 1, [(p.steps, p.why) for p in result.phases]
    return result.phases[0]


def only(maker: LogMaker, folder: Path, **options: object) -> AuditedRout:
    found = phase(maker, folder, **options).routs
    assert len(found) == 1, [(r.start, r.path, r.undone) for r in found]
    return found[0]


def rules(rout: AuditedRout) -> set[str]:
    return {why.rule for why in rout.reasons}


def codes(rout: AuditedRout) -> set[str]:
    return {why.code.value for why in rout.reasons}
