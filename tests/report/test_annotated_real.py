"""The whole way on real saves and logs: judged, marked, readable, cleaned."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.commandline import own_home
from tests.report import annotated_rules as rules
from tests.shared import BOARDS, LOGS, SAVES, needs_shared
from vassal_bridge.cli import app, exit_code
from vassal_bridge.errors import BoardError
from vassal_bridge.report.annotated import Sheet, clean_text, sheet_of
from vassal_bridge.report.annotated.places import Box, text_size
from vassal_bridge.tasks.reporting import Wanted, annotated, report_job
from vassal_bridge.tasks.session import Session, open_session
from vassal_bridge.vassal import Piece, Saved, load_game, open_saved, replay

pytestmark = [needs_shared, pytest.mark.shared]

MADE = sorted(SAVES.glob("made/*.vsav"))
OTHERS = sorted(path for path in SAVES.glob("*/*.vsav") if path not in MADE)
MADE_LOGS = sorted(LOGS.glob("made/*.vlog"))
NO_BOARDS = ("Hube's Pocket", "labels")
"""Set up on boards that are not at hand."""


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_home(monkeypatch, tmp_path)


@cache
def session() -> Session:
    return open_session({}, boards=[BOARDS])


@cache
def marked(path: Path) -> tuple[Saved, Saved, Sheet]:
    """The save, its annotated copy, and the map it was drawn on."""
    job = report_job(session(), path, Wanted(("vsav",)))
    saved = job.loaded.saved  # type: ignore[attr-defined]
    return saved, annotated(job, saved), sheet_of(job.loaded)  # type: ignore[arg-type]


def ours(saved: Saved) -> Iterator[Piece]:
    for piece in load_game(saved).pieces.values():
        if piece.base_name.startswith("vassal-bridge: "):
            yield piece


def texts(saved: Saved) -> dict[str, Box]:
    """The texts on the map, by name and number, with the room they take."""
    found = {}
    for number, piece in enumerate(ours(saved)):
        label = piece.trait("label")
        if label is not None and "legend" not in piece.base_name:
            size = text_size(label.state, int(label.field(3)))
            name = f"{number} {piece.base_name.removeprefix('vassal-bridge: ')}"
            found[name] = Box.around((piece.x, piece.y), *size)
    return found


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_made_positions_are_marked_and_cleaned(path: Path) -> None:
    saved, copy, _ = marked(path)
    more = rules.check(saved.text, copy.text)
    assert sum(atom.startswith("+/") for atom in more) >= 15
    assert clean_text(copy.text) == (saved.text, len(more))


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_other_saves_are_marked_and_cleaned(path: Path) -> None:
    if path.name.startswith(NO_BOARDS):
        with pytest.raises(BoardError, match="is missing"):
            marked(path)
        return
    saved, copy, _ = marked(path)
    more = rules.check(saved.text, copy.text)
    assert more == ["CHAT- vassal-bridge: No broken units: nobody routs."]
    assert clean_text(copy.text) == (saved.text, 1)


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_texts_can_be_read(path: Path) -> None:
    """No text lies under a counter, and no two in one place, but for rare corners of pixels."""
    _, copy, sheet = marked(path)
    found = texts(copy)
    assert len(found) >= 8
    for name, box in found.items():
        area = (box.right - box.left) * (box.bottom - box.top)
        assert sum(box.shared(counter) for counter in sheet.boxes) <= 0.1 * area, name
        for other, another in found.items():
            if other != name:
                assert box.shared(another) <= 0.12 * area, (name, other)


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_marks_belong_to_their_hexes(path: Path) -> None:
    """The number of an end lies in its hex or touches it; a bar lies on the unit's hexside."""
    job = report_job(session(), path, Wanted(("vsav",)))
    layout = job.loaded.layout  # type: ignore[attr-defined]
    _, copy, sheet = marked(path)
    hexes = {end.hex for unit in job.report().units for end in unit.ends}
    starts = [sheet.bounds(unit.hex) for unit in job.report().units]
    bounds = [sheet.bounds(hex_) for hex_ in hexes]
    for name, box in texts(copy).items():
        if name.endswith(" end"):
            assert any(box.shared(home) > 0 for home in bounds), name
    for piece in ours(copy):
        if piece.base_name.endswith(" hex"):
            assert layout.ground_hex_at(piece.x, piece.y) in hexes
        if piece.base_name.endswith(" barred") and piece.trait("footprint"):
            near = Box.around((piece.x, piece.y), 6, 6)
            assert any(near.shared(home) > 0 for home in starts)


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_shades_and_lines_are_on_the_boards(path: Path) -> None:
    """Off them VASSAL draws circles instead of hexes, and no lines (writing.md 2)."""
    _, copy, sheet = marked(path)
    drawn = 0
    for piece in ours(copy):
        places = [(piece.x, piece.y)] if piece.trait("AreaOfEffect") else []
        track = piece.trait("footprint")
        if track is not None:
            points = track.state.split(";")[3:]
            places += [(int(x), int(y)) for x, _, y in (each.partition(",") for each in points)]
        for x, y in places:
            drawn += 1
            assert sheet.boards.left <= x <= sheet.boards.right, (piece.base_name, x)
            assert sheet.boards.top <= y <= sheet.boards.bottom, (piece.base_name, y)
    assert drawn >= 8


def test_the_legend_lies_beside_the_boards() -> None:
    for path in MADE:
        _, copy, sheet = marked(path)
        lines = [piece for piece in ours(copy) if "legend" in piece.base_name]
        assert len(lines) >= 2
        for line in lines:
            assert line.x >= 8
            assert not sheet.boards.top - 5 < line.y < sheet.boards.bottom + 5
            assert 8 <= line.y <= sheet.boards.bottom + 400


def test_a_report_on_an_annotated_save_is_that_on_the_save(tmp_path: Path) -> None:
    from vassal_bridge.vassal import write_saved

    for path in (SAVES / "made" / "rout_example.vsav", SAVES / "made" / "rich1_side_by_side.vsav"):
        _, copy, _ = marked(path)
        again = tmp_path / path.name
        write_saved(copy, again)
        first = report_job(session(), path, Wanted()).report()
        assert report_job(session(), again, Wanted()).report() == first
        assert marked(again)[1].text == copy.text


# --- logs -----------------------------------------------------------------------------------------


def run(*arguments: object) -> int:
    return exit_code(lambda: app([str(one) for one in arguments], standalone_mode=False))


@pytest.mark.slow
@pytest.mark.parametrize("path", MADE_LOGS, ids=lambda path: path.name)
def test_audited_logs(path: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Verdicts stand behind their steps, the log plays as before, an audit of the copy agrees."""
    import json

    options = ("--boards", BOARDS, "--out", tmp_path)
    code = run("audit", path, "--format", "vlog,json", *options)
    assert code in (0, 1)
    copy = tmp_path / f"{path.stem}.rout.vlog"
    report = json.loads((tmp_path / f"{path.stem}.rout.json").read_text("utf-8"))
    saved, new = open_saved(path), open_saved(copy)
    more = rules.check(saved.text, new.text)
    assert clean_text(new.text) == (saved.text, len(more))
    said = {step.index: [c for c in step.chat if "vassal-bridge:" in c] for step in replay(new)}
    last = max(said)
    assert said[last][0].startswith("- vassal-bridge: Rout audit: ")
    for phase in report["phases"]:
        for rout in phase["routs"]:
            starts = {f" {rout['from']}-", f" {rout['unit']}-"}  # with its number beside a twin
            there = said[rout["steps"][1]]
            line = next(c for c in there if any(start in c for start in starts))
            assert rout["name"] in line
            assert {"illegal": "differs"}.get(rout["verdict"], rout["verdict"][:5]) in line or (
                rout["undone"] and "taken back" in line
            ) or (rout["verdict"] == "unproven" and "cannot be proven" in line)  # fmt: skip
    assert run("audit", copy, "--format", "json", "--boards", BOARDS) == code
    again = json.loads(capfd.readouterr().out.replace(copy.name, path.name))
    assert again["phases"] == report["phases"]
    assert again["summary"] == report["summary"]
    assert again["problems"] == report["problems"]
