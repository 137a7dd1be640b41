"""The commands as a user calls them: results, trouble in one line, exit codes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.commandline import own_home, run
from tests.shared import BOARDS, SAVES, needs_shared
from vassal_bridge.board.sightrules import Why
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.report.catalogue import words_in
from vassal_bridge.report.sightwords import sight_text
from vassal_bridge.xmlsafe import parse_xml

EXAMPLE = SAVES / "made" / "rout_example.vsav"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_home(monkeypatch, tmp_path)


def test_report_of_the_embedded_example_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("report", demo_save(), "--boards", demo_boards(), "--format", "json") == 0
    out, err = capfd.readouterr()
    report = json.loads(out)
    assert report["schema"] == "vassal-bridge/report/1"
    assert {unit["duty"] for unit in report["units"]} >= {"must", "may", "eliminated"}
    assert err == ""


def test_the_same_input_gives_the_same_bytes(capfd: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for _ in range(2):
        run("report", demo_save(), "--boards", demo_boards(), "--format", "json")
        outputs.append(capfd.readouterr().out)
    assert outputs[0] == outputs[1]


def test_files_go_to_a_sibling_folder(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "my game 1.vsav"
    save.write_bytes(demo_save().read_bytes())
    assert run("report", save, "--boards", demo_boards(), "--format", "svg,html") == 0
    names = sorted(path.name for path in (tmp_path / "rout").iterdir())
    assert names == ["my game 1.rout.html", "my game 1.rout.svg"]
    assert save.read_bytes() == demo_save().read_bytes()
    assert capfd.readouterr().out == ""


def test_annotate_and_clean_give_back_the_same_text(tmp_path: Path) -> None:
    from vassal_bridge.vassal import open_saved

    assert (
        run("report", demo_save(), "--boards", demo_boards(), "--format", "vsav", "--out", tmp_path)
        == 0
    )
    marked = tmp_path / "demo.rout.vsav"
    assert open_saved(marked).text != open_saved(demo_save()).text
    assert run("clean", marked, "--out", tmp_path / "back.vsav") == 0
    assert open_saved(tmp_path / "back.vsav").text == open_saved(demo_save()).text


def test_inspect_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("inspect", demo_save(), "--json", "--boards", demo_boards()) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["schema"] == "vassal-bridge/inspect/1"
    assert any("dm" in counter["state"] for counter in found["counters"])


def test_los_of_pairs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pairs = tmp_path / "in.csv"
    pairs.write_text("source,target\nA1,A1\nA1,B1\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    assert run("los", "demo", "--pairs", pairs, "--out", out, "--boards", demo_boards()) == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "source,target,range,blocked,hindrance"
    assert lines[1:] == ["A1,A1,0,0,0", "A1,B1,1,0,0"]
    capfd.readouterr()


def test_los_names_the_line_of_an_unknown_hex(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "in.csv"
    pairs.write_text("source,target\nA1,ZZ99\n", encoding="utf-8")
    assert run("los", "demo", "--pairs", pairs, "--boards", demo_boards()) == 2
    assert "line 2" in capfd.readouterr().err


def test_max_pairs_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "in.csv"
    pairs.write_text("source,target\nA1,B1\n", encoding="utf-8")
    monkeypatch.setattr("vassal_bridge.tasks.sighting.MAX_PAIRS_BYTES", pairs.stat().st_size)
    assert run("los", "demo", "--pairs", pairs, "--boards", demo_boards()) == 0
    monkeypatch.setattr("vassal_bridge.tasks.sighting.MAX_PAIRS_BYTES", pairs.stat().st_size - 1)
    capfd.readouterr()
    assert run("los", "demo", "--pairs", pairs, "--boards", demo_boards()) == 2
    assert "in.csv: larger than" in capfd.readouterr().err


def _bad_inputs(folder: Path) -> dict[str, Path]:
    whole = demo_save().read_bytes()
    paths = {
        "truncated": (folder / "cut.vsav", whole[: len(whole) // 2]),
        "text": (folder / "letter.vsav", b"Dear opponent, here is my move.\n"),
        "empty": (folder / "empty.vsav", b""),
    }
    for path, data in paths.values():
        path.write_bytes(data)
    other = folder / "other.vsav"
    with zipfile.ZipFile(demo_save()) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name == "moduledata":
                data = data.replace(b"<name>VASL</name>", b"<name>Paths of Glory</name>")
            target.writestr(name, data)
    found = {name: path for name, (path, _) in paths.items()}
    return found | {"module": other, "absent": folder / "nowhere.vsav"}


@pytest.mark.parametrize("kind", ["truncated", "text", "empty", "module", "absent"])
def test_bad_input_is_one_line_and_exit_code_2(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = _bad_inputs(tmp_path)[kind]
    assert run("report", path, "--boards", demo_boards()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert path.name in err
    assert "Traceback" not in err


def test_missing_board_says_which_and_where_it_looked(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bdz").write_bytes(b"no board")
    assert run("report", demo_save(), "--boards", tmp_path) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "demo" in err


def test_unknown_format_is_refused_before_anything_is_read(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run("report", demo_save(), "--format", "pdf", "--boards", demo_boards()) == 2
    assert "pdf" in capfd.readouterr().err


def test_rulings_that_fail_give_exit_code_1(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.ruling.yaml"
    file.write_text(
        "id: one\nposition:\n  boards: [[open]]\n  units:\n    German: [4-6-7 F4]\n"
        "    Russian: [4-4-7 F5 broken]\nquestions:\n"
        "- {id: a, unit: F5, ask: duty, answer: must}\n"
        "- {id: b, unit: F5, ask: duty, answer: none}\n",
        encoding="utf-8",
    )
    assert run("rulings", file, "--boards", demo_boards()) == 1
    out = capfd.readouterr().out
    assert out.splitlines()[-1] == "1 passed, 1 failed"
    assert "expected none" in out


def test_schema_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("schema", "report") == 0
    assert json.loads(capfd.readouterr().out)["$schema"].startswith("https://json-schema.org/")


def test_a_fault_inside_shows_no_values(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def burst(*_: object, **__: object) -> None:
        secret = "canary-password"
        raise RuntimeError(secret)

    monkeypatch.setattr("vassal_bridge.tasks.reporting.report_job", burst)
    assert run("report", demo_save(), "--boards", demo_boards()) == 3
    err = capfd.readouterr().err
    assert "internal fault" in err
    assert "canary" not in err


def test_several_reports_are_one_json_document(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One file: an object. Several: a list of what each gives alone, in the order given."""
    options = ("--boards", demo_boards(), "--format", "json")
    names = ("one.vsav", "two.vsav")
    alone = []
    for name in names:
        (tmp_path / name).write_bytes(demo_save().read_bytes())
        assert run("report", tmp_path / name, *options) == 0
        alone.append(json.loads(capfd.readouterr().out))
    assert [each["source"]["file"] for each in alone] == list(names)
    assert run("report", *(tmp_path / name for name in names), *options) == 0
    assert json.loads(capfd.readouterr().out) == alone


def test_what_the_demo_writes_can_be_reported_on_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the board beside it; and the demo may be run again into the same folder."""
    out = tmp_path / "demo"
    for _ in range(2):
        assert run("demo", "--out", out) == 0
    told = capfd.readouterr().out
    assert f"wrote {out / 'boards' / 'bddemo'}" in told
    options = ("--boards", out / "boards", "--month", "7")
    assert run("report", out / "demo.rout.vsav", *options) == 0
    again = capfd.readouterr().out.splitlines()
    assert again[1:]
    assert set(again[1:]) <= set(told.splitlines())
    assert run("audit", out / "demo-RtPh.rout.vlog", *options) == 1
    assert "DIFFERS FROM 3.6" in capfd.readouterr().out
    known = {}
    for month in ("7", "1"):  # as README says: orchards without leaves
        options = ("--boards", out / "boards", "--month", month, "--format", "json")
        assert run("report", out / "demo.rout.vsav", *options) == 0
        units = json.loads(capfd.readouterr().out)["units"]
        known[month] = next(len(unit["known"]) for unit in units if unit["id"] == "demoS5")
    assert known == {"7": 2, "1": 4}


def test_clean_without_marks_writes_a_copy_only_where_one_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from vassal_bridge.vassal import open_saved

    save = tmp_path / "mine.vsav"
    save.write_bytes(demo_save().read_bytes())
    assert run("clean", save) == 0
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"{save}: no marks of vassal-bridge in it\n")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.vsav"]
    assert run("clean", save, "--out", tmp_path / "copy.vsav") == 0
    assert "no marks of vassal-bridge in it" in capfd.readouterr().err
    assert open_saved(tmp_path / "copy.vsav").text == open_saved(save).text


def test_demo_writes_report_and_overlay(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("demo", "--out", tmp_path / "demo") == 0
    names = {path.name for path in (tmp_path / "demo").iterdir()}
    assert {"demo.rout.svg", "demo.rout.html", "demo.rout.json", "demo.rout.vsav"} <= names
    assert "MUST ROUT" in capfd.readouterr().out
    assert demo_log().is_file()


@needs_shared
def test_the_rule_book_example_from_the_save(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("report", EXAMPLE, "--boards", BOARDS, "--format", "json") == 0
    units = {unit["id"]: unit for unit in json.loads(capfd.readouterr().out)["units"]}
    duties = {id_: unit["duty"] for id_, unit in units.items()}
    assert duties == {"zM9": "may", "zN7": "must", "zN6": "must", "zN5": "eliminated"}
    targets = {target["hex"]: target["mf"] for target in units["zN7"]["targets"]}
    assert targets == {"zO8": 2.0, "zM9": 3.0, "zN9": 3.0}
    ends = {end["hex"]: end["how"] for end in units["zN6"]["ends"]}
    assert ends == {"zN7": "crawl", "zO8": "move", "zP7": "move", "zP8": "move"}
    ways = {tuple(end["path"]) for end in units["zN6"]["ends"]}
    assert all(way[0] == "zN7" for way in ways)


def test_init_proposes_the_language_it_asks_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Return on every question leaves a Chinese system Chinese."""
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{tmp_path}\n{tmp_path}\n\n\n"))
    assert run("init") == 0
    assert "[zh]" in capfd.readouterr().out
    (written,) = (tmp_path / "config").rglob("*.toml")
    assert "lang = 'zh'" in written.read_text(encoding="utf-8")


@needs_shared
def test_a_blocked_line_says_why_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("los", "z", "O5", "N8", "--boards", BOARDS) == 0
    assert capfd.readouterr().out == ("zO5 - zN8: range 4, LOS blocked at zO6 (higher terrain)\n")


@needs_shared
def test_a_line_of_sight_speaks_the_chosen_language(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("los", "z", "O5", "N8", "--boards", BOARDS, "--lang", "zh") == 0
    assert capfd.readouterr().out == "zO5 - zN8：距离4，LOS在zO6被阻挡（更高的地形）\n"


@needs_shared
def test_the_caption_of_a_narrow_picture_is_broken_into_lines(tmp_path: Path) -> None:
    out = tmp_path / "line.svg"
    assert run("los", "z", "O5", "O8", "--boards", BOARDS, "--format", "svg", "--out", out) == 0
    root = parse_xml(out.read_bytes(), "svg")
    said = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "zO5 - zO8: range 3, LOS" in said
    assert "terrain)" in said


def test_a_hindered_line_names_its_hexes() -> None:
    line = {"from": "zA1", "to": "zA4", "range": 3, "blocked": False, "hindrance": 2,
            "hindrances": [["zA2", 1], ["zA3", 1]]}  # fmt: skip
    assert sight_text(line, words_in("en")) == (
        "zA1 - zA4: range 3, LOS clear, hindrance 2 (zA2 +1, zA3 +1)"
    )
    assert sight_text({**line, "hindrance": 0}, words_in("zh")).endswith("LOS畅通")


def test_every_reason_for_a_blocked_line_has_words() -> None:
    for lang in ("en", "zh"):
        words = words_in(lang)
        assert all(f"los.why.{why.value}" in words for why in Why)
