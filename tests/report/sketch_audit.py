"""An audit made by hand on the village: one rout of each verdict, a failure, a note."""

from __future__ import annotations

from dataclasses import replace

from tests.report.sketch import SketchGround, counters_of, example_position, picture_of
from vassal_bridge.report.audit_html import AuditJob
from vassal_bridge.report.build import reason_of
from vassal_bridge.report.catalogue import LANGS, Lang, words_in
from vassal_bridge.report.job import Options
from vassal_bridge.report.model import AuditReport
from vassal_bridge.report.pagekit import Both
from vassal_bridge.report.picture import CounterShape
from vassal_bridge.rout.rulebook import Code, Reason

CLOSER = Reason("R38", Code.CLOSER, (("enemy", "zL7"), ("from", 2), ("to", 1)))
READING = Reason("R49", Code.READING, (("reading", "r49_current"),), "r49_current")


def audit_report(lang: Lang) -> AuditReport:
    words = words_in(lang)
    units = example_position().by_id

    def reason(value: Reason) -> dict[str, object]:
        return reason_of(value, words, units).model_dump()

    def rout(unit: str, path: list[str], steps: tuple[int, int], verdict: str, **more: object):
        return {
            "piece": f"17644{unit}", "name": "4-4-7", "side": "Russian", "from": unit,
            "to": path[-1], "path": path, "how": "steps", "steps": steps, "verdict": verdict,
            "reasons": [], "last_legal_hex": path[-1], "interdictions": [], **more,
        }  # fmt: skip

    return AuditReport.model_validate(
        {
            "source": {"file": "Anna_vs_Boris_07.vlog", "kind": "vlog", "module": "VASL",
                       "module_version": "6.5", "vassal_version": "3.2.17"},
            "rules": {"edition": "sk3", "attacker": "German"},
            "boards": [{"name": "z", "row": 0, "column": 0, "version": "6.2"}],
            "assumptions": [{"code": "month-not-given", "text": words.say("note.month-not-given")}],
            "problems": [],
            "phases": [
                {
                    "steps": (12, 31),
                    "why": "chat \"RtPh\"",
                    "routs": [
                        rout("zM9", ["zL8"], (14, 14), "illegal", reasons=[reason(CLOSER)],
                             last_legal_hex="zM9", legal_ends=["zN9", "zN10", "zO10"]),
                        rout("zN7", ["zN8", "zN9"], (16, 17), "legal", interdictions=[
                            {"hex": "zN8", "by": ["zO6", "zM6"], "nmc": "missing"}]),
                        rout("zN6", ["zO8"], (19, 19), "disputed", how="jump",
                             reasons=[reason(READING)]),
                        rout("zM9", ["zN9"], (22, 22), "legal", undone=True),
                    ],
                    "failures": [
                        {"piece": "17644zN5", "name": "4-4-7", "side": "Russian", "hex": "zN5",
                         "rule": "R73", "handled": "forgotten", "step": 31,
                         "text": words.say("reason.no-legal-step")}
                    ],
                    "notes": [{"code": "order", "steps": [20], "text": "DEFENDER before ATTACKER"}],
                },
                {"steps": (40, 44), "why": "moves of broken units", "routs": [], "failures": [],
                 "notes": []},
            ],
            "summary": {"routs": 3, "legal": 1, "illegal": 1, "disputed": 1, "unproven": 0,
                        "failures": 1},
        }
    )  # fmt: skip


MOVES = {14: ("zM9", "zL8"), 16: ("zN7", "zN8"), 17: ("zN7", "zN9"), 19: ("zN6", "zO8")}


def counters_at(file: str | None, step: int) -> tuple[CounterShape, ...]:
    del file
    where = {unit: to for at, (unit, to) in MOVES.items() if at <= step}
    return tuple(
        replace(counter, hex=where.get(counter.id, counter.hex))
        for counter in counters_of(example_position())
    )


def audit_job(tile: bytes | None = None, lang: Lang = "en") -> AuditJob:
    assert LANGS == ("en", "zh")
    reports = Both(audit_report("en"), audit_report("zh"))
    return AuditJob(reports, picture_of(SketchGround(), (), tile), counters_at, Options(lang))
