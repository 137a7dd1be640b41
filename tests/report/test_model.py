"""The JSON of a report: contracts.md 5 key by key, schemas, sameness."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.hostile import QUOTES, hostile_job
from tests.report.sketch import SketchLoaded
from tests.report.sketch_audit import audit_report
from vassal_bridge import report as report_room
from vassal_bridge.errors import UsageError
from vassal_bridge.report.build import build_report, merged
from vassal_bridge.report.job import Job, Options
from vassal_bridge.report.jsonfile import model_json, schema_json
from vassal_bridge.report.model import MODELS, AuditReport, InspectReport, Report
from vassal_bridge.rout.result import Assessment
from vassal_bridge.rout.rulebook import Code, Readings, Reason

SCHEMAS = Path(__file__).resolve().parents[2] / "vassal_bridge" / "report" / "schemas"

CONTRACT_UNIT = [
    "id", "piece", "name", "side", "hex", "duty", "becomes_dm", "certainty", "reasons", "known",
    "targets", "free_rout", "ends", "barred",
]  # fmt: skip


def units_of(job: Job) -> dict[str, dict[str, object]]:
    document = json.loads(model_json(job.report()))
    return {unit["id"]: unit for unit in document["units"]}


def test_top_level_is_the_contract(job: Job) -> None:
    document = json.loads(model_json(job.report()))
    assert list(document) == [
        "schema", "source", "rules", "boards", "assumptions", "problems", "units", "los",
    ]  # fmt: skip
    assert document["schema"] == "vassal-bridge/report/1"
    assert document["source"] == {
        "file": "village.vsav", "kind": "vsav", "module": "VASL",
        "module_version": "6.5-beta3", "vassal_version": "3.2.17",
    }  # fmt: skip
    assert document["rules"] == {
        "game": "ASLSK", "edition": "sk3", "month": None, "attacker": "German", "readings": [],
    }  # fmt: skip
    assert document["boards"] == [
        {"name": "z", "row": 0, "column": 0, "reversed": False, "crop": None, "version": "6.2",
         "rules": []}
    ]  # fmt: skip
    assert document["assumptions"][0]["code"] == "month-not-given"


def test_unit_is_the_contract_with_its_documented_extras(job: Job) -> None:
    unit = units_of(job)["zN7"]
    assert [key for key in unit if key in CONTRACT_UNIT] == CONTRACT_UNIT
    assert set(unit) - set(CONTRACT_UNIT) == {
        "ignored", "best", "readings", "keeps", "drops", "companions", "known_units",
        "companion_units",
    }  # fmt: skip
    assert (unit["duty"], unit["becomes_dm"], unit["certainty"]) == ("must", True, "certain")
    assert unit["piece"] == "17644zN7"
    assert unit["known"] == ["zO5", "zO6", "zM6", "zL7"]


def test_targets_carry_why_they_may_be_ignored(job: Job) -> None:
    targets = units_of(job)["zN7"]["targets"]
    assert isinstance(targets, list)
    by_hex = {target["hex"]: target for target in targets}
    assert by_hex["zO8"]["mf"] == 2.0
    assert by_hex["zO8"]["ignorable"] is True
    assert {key: by_hex["zO8"]["because"][key] for key in ("rule", "enemy", "range")} == {
        "rule": "R31", "enemy": "zO5", "range": 3,
    }  # fmt: skip
    assert by_hex["zN9"] == {"hex": "zN9", "mf": 3.0, "ignorable": False, "because": None}


def test_ends_carry_path_interdictions_and_odds(job: Job) -> None:
    ends = units_of(job)["zN7"]["ends"]
    assert isinstance(ends, list)
    end = next(each for each in ends if each["hex"] == "zN9")
    assert end["how"] == "move"
    assert end["path"] == ["zN8", "zN9"]
    assert end["mf"] == 3.0
    assert end["interdictions"] == [{"hex": "zN8", "by": ["zO5", "zO6", "zM6"]}]
    assert end["survival"] == pytest.approx(15 / 36, abs=1e-6)
    assert sum(end["odds"].values()) == pytest.approx(1.0, abs=1e-5)


def test_barred_neighbours_name_the_plainest_rule(job: Job) -> None:
    barred = units_of(job)["zM9"]["barred"]
    assert isinstance(barred, list)
    west = next(each for each in barred if each["hex"] == "zL8")
    assert west["rule"] == "R38"
    assert west["facts"] == {"enemy": "zL7", "from": 2, "to": 1}
    assert west["text"] == "closer to 4-6-7 in zL7, range 2 to 1"
    assert west["reasons"][0]["code"] == "closer"


def test_staying_is_an_end_without_odds(job: Job) -> None:
    ends = units_of(job)["zM9"]["ends"]
    assert isinstance(ends, list)
    assert [end["survival"] for end in ends if end["how"] == "stay"] == [None]


def test_same_input_same_bytes(village: SketchLoaded, answers: tuple[Assessment, ...]) -> None:
    once = model_json(build_report(village, answers, "zh"))
    assert once == model_json(build_report(village, answers, "zh"))
    assert once.endswith(b"}\n")
    assert "溃退".encode() in once


def test_only_texts_depend_on_the_language(job: Job) -> None:
    def bare(value: object) -> object:
        if isinstance(value, dict):
            return {key: bare(each) for key, each in value.items() if key != "text"}
        return [bare(each) for each in value] if isinstance(value, list) else value

    english, chinese = (json.loads(model_json(job.report(lang))) for lang in ("en", "zh"))
    assert english != chinese
    assert bare(english) == bare(chinese)


def test_los_list_can_be_left_out(village: SketchLoaded, answers: tuple[Assessment, ...]) -> None:
    listed = Job(village, answers).report().los
    assert listed is not None
    assert listed[0].model_dump(by_alias=True) == {"viewer": "zM9", "from": "zM9", "to": "zO5"}
    assert len({(line.viewer, line.to) for line in listed}) == len(listed)
    left_out = Job(village, answers, options=Options(with_los=False)).report()
    assert left_out.los is None


def test_chosen_readings_are_named(village: SketchLoaded, answers: tuple[Assessment, ...]) -> None:
    readings = Readings(r4_literal=True, r54_allowed=True)
    rules = replace(village.position.rules, readings=readings)
    chosen = replace(village, position=replace(village.position, rules=rules))
    assert build_report(chosen, answers).rules.readings == ["r4_literal", "r54_allowed"]


def test_a_report_reads_back(job: Job) -> None:
    data = model_json(job.report())
    assert model_json(Report.model_validate_json(data)) == data


def test_hostile_names_survive_as_data() -> None:
    data = model_json(hostile_job().report())
    names = {unit.name for unit in Report.model_validate_json(data).units}
    assert json.loads(data)["source"]["module_version"] == QUOTES
    assert len(names) == 4


@pytest.mark.parametrize("name", sorted(MODELS))
def test_the_published_schema_is_the_models(name: str) -> None:
    """A change of shape needs a new schema number, a changelog line and the new file here."""
    published = (SCHEMAS / f"{name}-1.json").read_bytes()
    assert published == schema_json(name)


def test_unknown_schema() -> None:
    with pytest.raises(UsageError, match="there are report, inspect, audit"):
        schema_json("rout")


def test_audit_model_is_the_contract() -> None:
    document = json.loads(model_json(audit_report("en")))
    assert document["schema"] == "vassal-bridge/audit/1"
    rout = document["phases"][0]["routs"][0]
    contract = [
        "piece", "name", "side", "from", "to", "path", "how", "steps", "undone", "cut", "verdict",
        "reasons", "last_legal_hex", "interdictions",
    ]  # fmt: skip
    assert [key for key in rout if key in contract] == contract
    assert document["summary"] == {
        "routs": 3, "legal": 1, "illegal": 1, "disputed": 1, "unproven": 0, "failures": 1,
    }  # fmt: skip
    data = model_json(audit_report("en"))
    assert model_json(AuditReport.model_validate_json(data)) == data


def test_inspect_model_is_the_contract() -> None:
    counter = {
        "id": "1764439552123", "name": "broken 4-4-7 1sq", "kind": "squad",
        "nationality": "Russian", "map": "Main Map", "x": 1131, "y": 948, "hex": "zN6",
        "stack": "1764439552124", "index": 0, "state": ["broken", "dm"],
    }  # fmt: skip
    report = InspectReport.model_validate(
        {
            "source": {"file": "a.vsav", "kind": "vsav"},
            "boards": [], "sides": {"Allied": ["Russian"]}, "problems": [], "counters": [counter],
        }
    )  # fmt: skip
    document = json.loads(model_json(report))
    assert list(document) == ["schema", "source", "boards", "sides", "problems", "counters"]
    assert document["counters"] == [counter]


def test_enemies_seen_in_one_hex_are_told_at_once() -> None:
    seen = [
        Reason("R39", Code.DISCOVERS, (("enemy", enemy), ("hex", hex_)))
        for enemy, hex_ in (("zO5", "zN8"), ("zO6", "zN8"), ("zM6", "zN8"), ("zL7", "zN9"))
    ]
    other = Reason("R49", Code.RETARGET, (("hex", "zN8"),))
    found = merged([*seen[:3], other, seen[3]])
    assert [reason.fact("enemy") for reason in found] == [("zO5", "zO6", "zM6"), None, "zL7"]
    assert merged([]) == []


def test_the_room_is_light_until_it_is_used() -> None:
    """`--help` must not pay for what only a report needs (reliability.md 35)."""
    code = (
        "import sys, vassal_bridge.report as r; r.FORMATS; "
        "heavy = {'pydantic', 'jinja2', 'PIL', 'lxml', 'numpy'} & set(sys.modules); "
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_of_the_face_is_there() -> None:
    for name in report_room.__all__:
        assert getattr(report_room, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        report_room.nothing  # noqa: B018
