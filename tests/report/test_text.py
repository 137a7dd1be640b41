"""The text: what a player pastes into a mail; golden for the village, harmless for any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.hostile import hostile_job
from tests.report.sketch import SketchLoaded
from tests.report.sketch_audit import audit_report
from vassal_bridge.report import speech
from vassal_bridge.report.catalogue import Lang, words_in
from vassal_bridge.report.html import duty_counts
from vassal_bridge.report.job import Job
from vassal_bridge.report.listing import inspect_text
from vassal_bridge.report.model import (
    CompanionUnit,
    CounterInfo,
    InspectReport,
    InterdictedHex,
    Problem,
    ReasonText,
    Report,
    Source,
)
from vassal_bridge.report.problems import problem_texts
from vassal_bridge.report.safety import plain_line
from vassal_bridge.report.text import audit_text, report_text

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "report"


def text_of(job: Job, lang: Lang = "en") -> str:
    return report_text(job.report(lang), words_in(lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_village_as_text(job: Job, lang: Lang) -> None:
    assert text_of(job, lang) == (GOLDEN / f"village.{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_audit_as_text(lang: Lang) -> None:
    golden = (GOLDEN / f"audit.{lang}.txt").read_text(encoding="utf-8")
    assert audit_text(audit_report(lang), words_in(lang)) == golden


def test_the_last_legal_hex_is_said_only_where_the_rout_went_on() -> None:
    report = audit_report("en")
    assert "Last legal hex: zM9." in audit_text(report, words_in("en"))
    phases = [
        phase.model_copy(
            update={"routs": [r.model_copy(update={"last_legal_hex": r.to}) for r in phase.routs]}
        )
        for phase in report.phases
    ]
    there = audit_text(report.model_copy(update={"phases": phases}), words_in("en"))
    assert "Last legal hex" not in there
    assert "Legal would have been" in there


def test_the_head_of_an_audit_says_edition_and_attacker() -> None:
    for lang in ("en", "zh"):
        report = audit_report(lang)
        line = audit_text(report, words_in(lang)).splitlines()[1]
        assert line == speech.rules_text(report.rules, words_in(lang))
        assert report.rules.edition.upper() in line


def test_the_most_pressing_unit_comes_first(job: Job) -> None:
    lines = text_of(job).splitlines()
    heads = [line for line in lines if line[:1] in "ABCD" and line[1:3] == "  "]
    assert [head.split(": ")[1].split(" (")[0] for head in heads] == [
        "ELIMINATED", "MUST ROUT", "MUST ROUT", "MAY ROUT",
    ]  # fmt: skip
    assert lines[0] == (
        "village.vsav: 4 broken units: 1 eliminated, 2 must rout, 1 may rout (1 not certain)"
    )


@pytest.mark.parametrize(
    ("lang", "counts"),
    [("en", "4 broken units: 2 must rout, 1 may rout, 1 does not rout"),
     ("zh", "4个溃散单位：2个必须溃退、1个可以溃退、1个不溃退")],
)  # fmt: skip
def test_the_counts_of_the_first_line_add_up(job: Job, lang: Lang, counts: str) -> None:
    """Units that do not rout are counted too, in the text and in the page."""
    report = job.report(lang)
    units = [
        unit.model_copy(update={"duty": "none"}) if unit.duty == "eliminated" else unit
        for unit in report.units
    ]
    report = report.model_copy(update={"units": units})
    assert counts in report_text(report, words_in(lang)).splitlines()[0]
    assert duty_counts(report) == [("must", 2), ("may", 1), ("none", 1)]


def test_a_unit_reads_like_an_answer(job: Job) -> None:
    text = text_of(job)
    assert "B5  zM9: 3 MF by zN8; interdicted in zN8 by zO5, zO6, zM6; 42% unreduced" in text
    assert "zM8: closer to 4-6-7 in zL7, range 2 to 1 [R38]" in text
    assert "zO8 2 MF (may be ignored: 3 from zO5, 3 where it starts)" in text


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "4 MF by zM9, zN7; in zM9 it sees the enemy in zL7: new destination with the MF left;"),
     ("zh", "在zM9看到zL7的敌方单位：用剩余的MF另定目标格")],
)  # fmt: skip
def test_a_way_that_turns_says_why(job: Job, lang: Lang, said: str) -> None:
    unit = next(unit for unit in job.report(lang).units if unit.id == "zN7")
    events = [
        ReasonText(rule="R39", text="", facts={"enemy": "zL7/1", "hex": "zM9"}, code="discovers"),
        ReasonText(rule="R49", text="", facts={"hex": "zM9"}, code="retarget"),
    ]
    back = unit.ends[0].model_copy(
        update={"path": ["zM9", "zN7", "zN8"], "mf": 4.0, "how": "move", "events": events}
    )
    words = words_in(lang)
    assert said in speech.end_text(back, unit, words)
    straight = back.model_copy(update={"path": ["zM9", "zN8"], "hex": "zN8"})
    assert speech.turn_texts(straight, unit, words) == speech.turn_texts(back, unit, words)
    bound = straight.model_copy(update={"hex": unit.targets[0].hex})
    assert speech.turn_texts(bound, unit, words) == []  # it was bound there anyway
    seen = back.model_copy(update={"events": events[:1]})
    assert speech.turn_texts(seen, unit, words) == []  # the destination stays: nothing to tell
    unseen = back.model_copy(update={"events": events[1:]})
    (text,) = speech.turn_texts(unseen, unit, words)
    assert text == words.say("end.turn.unseen", hex="zM9")


@pytest.mark.parametrize(
    ("lang", "said", "free"),
    [
        (
            "en",
            "Low Crawl; no interdiction; on foot interdicted in zN8 by zO6",
            "Low Crawl; no interdiction; or on foot",
        ),
        ("zh", "匍匐前进；不会被阻截；步行则在zN8被zO6阻截", "匍匐前进；不会被阻截；也可步行"),
    ],
)
def test_a_crawl_where_walking_is_interdicted_is_not_told_as_a_walk(
    job: Job, lang: Lang, said: str, free: str
) -> None:
    unit = job.report(lang).units[0]
    end = unit.ends[0].model_copy(
        update={
            "path": ["zN8"],
            "mf": 6.0,
            "how": "both",
            "interdictions": [],
            "on_foot": [InterdictedHex(hex="zN8", by=["zO6"])],
        }
    )
    assert speech.end_text(end, unit, words_in(lang)) == said
    unmet = end.model_copy(update={"on_foot": []})
    assert speech.end_text(unmet, unit, words_in(lang)) == free


@pytest.mark.parametrize(("lang", "said"), [("en", "May go along: 9-1, 8-0 [R71]"),
                                          ("zh", "可以同行：9-1、8-0 [R71]")])  # fmt: skip
def test_leaders_that_may_go_along_are_told(job: Job, lang: Lang, said: str) -> None:
    report, words = job.report(lang), words_in(lang)
    assert said.split("：")[0].split(": ")[0] not in report_text(report, words)
    leaders = [CompanionUnit(id=f"zN7/{n}", name=name) for n, name in ((2, "9-1"), (3, "8-0"))]
    units = [unit.model_copy(update={"companion_units": leaders}) for unit in report.units[:1]]
    units = [unit.model_copy(update={"duty": "must"}) for unit in units]
    text = report_text(report.model_copy(update={"units": units}), words)
    assert said in text


def test_no_broken_unit_is_said_so(village: SketchLoaded) -> None:
    text = report_text(Job(village, ()).report(), words_in("en"))
    assert text.splitlines()[0] == "village.vsav: No broken units: nobody routs."


def test_long_lists_of_ends_are_cut(job: Job) -> None:
    unit = next(unit for unit in job.report().units if unit.id == "zN7")
    many = [unit.ends[0].model_copy(update={"hex": f"zA{n}"}) for n in range(1, 31)]
    report = job.report().model_copy(update={"units": [unit.model_copy(update={"ends": many})]})
    text = report_text(Report.model_validate(report), words_in("en"))
    assert "A12  zA12: " in text
    assert "A13  " not in text
    assert "and 18 more: zA13, zA14" in text


@pytest.mark.parametrize(
    ("lang", "head", "hint"),
    [("en", "ELIMINATED (depends)", "1 may rout (2 not certain)"),
     ("zh", "被消灭（视情况而定）", "（其中2个不确定）")],
)  # fmt: skip
def test_what_is_not_certain_is_said_in_the_headline_and_at_the_unit(
    job: Job, lang: Lang, head: str, hint: str
) -> None:
    report = job.report(lang)
    doubtful = [
        unit.model_copy(update={"certainty": "depends"}) if unit.duty == "eliminated" else unit
        for unit in report.units
    ]
    told = report_text(report.model_copy(update={"units": doubtful}), words_in(lang)).splitlines()
    assert told[0].endswith(hint)
    assert [line for line in told if line.startswith("A  ") and line.endswith(head)]


def test_what_comes_first_and_the_doubt_stand_in_one_bracket(job: Job) -> None:
    report = job.report()
    unit = report.units[0].model_copy(update={"becomes_dm": True, "certainty": "unknown"})
    text = report_text(report.model_copy(update={"units": [unit]}), words_in("en"))
    assert "(gets DM first; unknown)" in text


def test_problems_of_one_kind_are_one_line_with_their_hexes() -> None:
    def overlay(hex_: str) -> Problem:
        text = words_in("en").note("overlay", {"hex": hex_})
        return Problem(code="overlay", hex=hex_, text=text)

    hexes = ["xA10", "xAA1", "xA2", "xA2", "xB1"]
    few = [*map(overlay, hexes), Problem(code="odd", text="Odd.")]
    assert problem_texts(few, words_in("en")) == [
        "Overlays at xA2, xA10, xB1, xAA1 are not understood: what depends on them is unknown.",
        "Odd.",
    ]
    many = [overlay(f"xA{n}") for n in range(1, 42)]
    (line,) = problem_texts(many, words_in("en"))
    assert "xA11, xA12 and 29 more are" in line
    assert problem_texts(few[:1], words_in("en")) == [few[0].text]


def test_problems_without_a_sentence_for_many_name_their_hexes_too() -> None:
    found = [
        Problem(code="doubt", hex=hex_, text=f"In {hex_} a weapon lies under a unit, not on it.")
        for hex_ in ("zB4", "zB10")
    ]
    assert problem_texts(found, words_in("en")) == [
        "In zB4, zB10 a weapon lies under a unit, not on it."
    ]


def test_a_reading_is_a_sentence() -> None:
    assert words_in("en").reading_line("r31_unbroken:duty,targets,ends") == (
        "R31: this unit's duty, destinations and ends would change if only an unbroken enemy "
        "lets a hex be ignored."
    )
    assert (
        words_in("zh")
        .reading_line("r31_unbroken:targets,ends")
        .endswith("该单位的目标格和终点会改变。")
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_names_steer_nothing(lang: Lang) -> None:
    text = text_of(hostile_job(), lang)
    assert not any(ord(char) < 32 and char != "\n" for char in text)
    assert not any(mark in text for mark in "\u202e\u202c\u200f\x7f")
    assert "{{ 7*7 }}" in text
    assert "\U0001f480" in text


def test_reasons_of_one_kind_are_told_as_one(job: Job) -> None:
    unit = next(unit for unit in job.report().units if unit.id == "zN5")
    told = [speech.tell(point, words_in("en")) for point in speech.points(unit.reasons)]
    assert told[0].endswith("may not stay in zN5 (also zO6, zM6) [R8]")
    assert [point.reason.rule for point in speech.points(unit.reasons)] == ["R8", "R9", "R73"]


def test_letters_and_numbers_are_the_same_everywhere(job: Job) -> None:
    english, chinese = speech.entries(job.report("en")), speech.entries(job.report("zh"))
    assert [(e.letter, e.unit.id) for e in english] == [(e.letter, e.unit.id) for e in chinese]
    assert [each.label for each in english[1].moves] == [str(n) for n in range(1, 9)]
    assert [entry.letter for entry in english] == ["A", "B", "C", "D"]


def test_plain_line_keeps_text_and_drops_steering() -> None:
    assert plain_line("4-6-7 溃退 ½ é") == "4-6-7 溃退 ½ é"
    assert plain_line("a\r\nb\tc\u2028d") == "a  b\tc d"
    assert plain_line("\x1b[2J\u202eabc\ud800") == "·[2J·abc·"


def test_inspect_as_text() -> None:
    report = InspectReport.model_validate(
        {
            "source": {"file": "a.vsav", "kind": "vsav", "module": "VASL",
                       "module_version": "6.5", "vassal_version": "3.2.17"},
            "boards": [{"name": "z", "row": 0, "column": 0, "reversed": True,
                        "crop": [0, 0, 900, 645], "version": "6.2", "rules": ["NoGrain"]}],
            "sides": {"Allied": ["Russian"], "Axis": ["German"]},
            "problems": [{"code": "x", "hex": None, "text": "odd"}],
            "counters": [
                {"id": "1", "name": "broken 4-4-7 1sq", "kind": "squad", "nationality": "Russian",
                 "map": "Main Map", "x": 1, "y": 2, "hex": "zN6", "stack": None, "index": 0,
                 "state": ["broken", "dm"]},
                {"id": "2", "name": "Smoke", "kind": "marker", "nationality": None,
                 "map": "Casualties", "x": 1, "y": 2, "hex": None, "stack": None, "index": 0,
                 "state": []},
            ],
        }
    )  # fmt: skip
    assert inspect_text(report, words_in("en")).splitlines() == [
        "a.vsav (vsav; VASL 6.5, VASSAL 3.2.17)",
        "Board z, row 0, column 0; reversed; cropped to 900×645; version 6.2; changed by NoGrain",
        "Allied: Russian",
        "Axis: German",
        "Problems: odd",
        "zN6  4-4-7 1sq (squad Russian) [broken, DM]",
        "Casualties  Smoke (marker)",
    ]
    chinese = inspect_text(report, words_in("zh")).splitlines()
    assert chinese[2:4] == ["盟军：苏军", "轴心国：德军"]
    assert chinese[-2:] == ["zN6  4-4-7 1sq（苏军班） [溃散、DM]", "Casualties  Smoke（标记）"]


def _counter(name: str, kind: str, hex_: str | None, on: str = "Main Map") -> CounterInfo:
    return CounterInfo(
        id=name, name=name, kind=kind, nationality=None, map=on, x=0, y=0, hex=hex_, stack=None,
        index=0, state=[],
    )  # fmt: skip


def _inspected(counters: list[CounterInfo], problems: list[Problem]) -> list[str]:
    report = InspectReport(
        source=Source(file="a.vsav", kind="vsav"), boards=[], sides={}, problems=problems,
        counters=counters,
    )  # fmt: skip
    return inspect_text(report, words_in("en")).splitlines()


def test_inspect_goes_hex_by_hex_with_units_first() -> None:
    lines = _inspected(
        [
            _counter("DM", "marker", "zA10"), _counter("Turn", "marker", None, "Turn Track"),
            _counter("LMG", "sw", "zA10"), _counter("4-6-7", "squad", "zA10"),
            _counter("8-1", "leader", "zA2"), _counter("9-1", "leader", None),
        ],
        [],
    )  # fmt: skip
    assert [line.split("  ")[0] for line in lines[1:]] == [
        "zA2", "zA10", "zA10", "zA10", "Main Map", "Turn Track",
    ]  # fmt: skip
    assert [line.split("  ")[1] for line in lines[2:5]] == ["4-6-7 (squad)", "LMG (sw)",
                                                            "DM (marker)"]  # fmt: skip


def test_inspect_prints_labels_without_html() -> None:
    label = '<HTML><DIV style="width:90px">Skyline&nbsp;Drive<BR/>Luxembourg' + " x" * 80
    (line,) = _inspected([_counter(label, "label", None)], [])[1:]
    assert line.startswith("Main Map  Skyline Drive Luxembourg x x")
    assert line.endswith("… (label)")
    assert "<" not in line


def test_inspect_says_that_counters_have_no_hex_for_want_of_a_board() -> None:
    lost = [_counter("4-6-7", "squad", None), _counter("8-1", "leader", None)]
    said = "Problems: 2 counters on the map have no hex: their boards are not at hand."
    missing = Problem(code="board-missing", text="Board q is not at hand.")
    assert said in _inspected(lost, [missing])
    assert said not in _inspected(lost, [])
