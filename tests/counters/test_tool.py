"""tools/check_module_map.py on an invented module and on VASL's; the promised speed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.shared import MODULE, SAVES, SHARED, needs_shared
from tools.check_module_map import main, read_module
from vassal_bridge.counters import Kind, classify
from vassal_bridge.errors import FormatError, LimitReached, NotAGame
from vassal_bridge.limits import MAX_XML_BYTES
from vassal_bridge.vassal import load_game, open_saved
from vassal_bridge.vassal.sequence import join, nest


def definition(*traits: str, states: tuple[str, ...] = ()) -> str:
    padded = [*states, *[""] * len(traits)][: len(traits)]
    return join(["+", "null", nest(traits), nest(padded)], "/")


def module(tmp_path: Path, prototypes: dict[str, str], slots: dict[str, tuple[str, str]]) -> Path:
    """A module of one palette: prototype name -> definition, gpid -> (entry name, definition)."""
    lines = ["<module>"]
    for name, text in prototypes.items():
        head = f'<VASSAL.build.module.PrototypeDefinition name="{name}">'
        lines.append(f"{head}{text}</VASSAL.build.module.PrototypeDefinition>")
    lines.append('<VASSAL.build.widget.TabWidget entryName="Axis O/B">')
    for gpid, (name, text) in slots.items():
        head = f'<VASSAL.build.widget.PieceSlot gpid="{gpid}" entryName="{name}">'
        lines.append(f"{head}{text}</VASSAL.build.widget.PieceSlot>")
    lines.append("</VASSAL.build.widget.TabWidget></module>")
    file = tmp_path / "invented.vmod"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("buildFile", "".join(lines))
    return file


INFANTRY = definition("prototype;Shared", "moved;moved", "piece;;;;")
SHARED_PROTOTYPE = definition("conceal;C;ge/geqmark;ge;", "piece;;;;", states=("null;",))
SQUAD = definition("prototype;Infantry", "piece;K;D;ge/ge467S;4-6-7 1sq")


def test_prototypes_are_expanded_in_place(tmp_path):
    file = module(
        tmp_path, {"Infantry": INFANTRY, "Shared": SHARED_PROTOTYPE}, {"1": ("sq", SQUAD)}
    )
    (slot,) = read_module(file).slots()
    assert [trait.kind for trait in slot.piece.traits] == ["conceal", "moved", "piece"]
    assert slot.palette == "Axis O/B"
    found = classify(slot.piece)
    assert (found.kind, found.nationality) == (Kind.SQUAD, "German")


def test_a_prototype_that_holds_itself_ends(tmp_path):
    loop = definition("prototype;Loop", "prototype;Loop", "piece;;;;")
    squad = definition("prototype;Missing", "prototype;Loop", "piece;K;D;;4-6-7 1sq")
    assert list(read_module(module(tmp_path, {"Loop": loop}, {"1": ("sq", squad)})).slots()) == []


def test_what_cannot_be_placed_is_named(tmp_path, capsys):
    odd = definition("piece;K;D;;Nobody knows")
    file = module(
        tmp_path,
        {"Infantry": INFANTRY, "Shared": SHARED_PROTOTYPE},
        {"7": ("odd", odd), "8": ("sq", SQUAD), "9": ("", definition("piece;K;D;;"))},
    )
    assert main([str(file), "--all"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "cannot place: 7 'odd' shown 'Nobody knows' in Axis O/B" in lines
    assert "8\tAxis O/B\t4-6-7 1sq\tsquad | German | 4-6-7" in lines
    assert lines[-1] == "1 of 2 slots placed, 1 empty slots"


def test_a_complete_module_ends_with_0(tmp_path, capsys):
    prototypes = {"Infantry": INFANTRY, "Shared": SHARED_PROTOTYPE}
    file = module(tmp_path, prototypes, {"8": ("sq", SQUAD)})
    listed = tmp_path / "slots.json"
    listed.write_text(json.dumps([{"gpid": "8", "kind": "leader"}]), encoding="utf-8")
    assert main([str(file), "--expect", str(listed)]) == 0
    out = capsys.readouterr().out
    assert "differs: 8 'sq' is leader, got squad | German | 4-6-7" in out
    assert "MMC with factors: 1 of 1, 100.0 %" in out


def test_files_that_are_no_module(tmp_path, capsys):
    text = tmp_path / "x.vmod"
    text.write_text("no zip", encoding="utf-8")
    with pytest.raises(NotAGame):
        read_module(text)
    assert main([str(text)]) == 2
    assert "x.vmod: no module file" in capsys.readouterr().err
    with zipfile.ZipFile(text, "w") as archive:
        archive.writestr("other", "x")
    with pytest.raises(NotAGame):
        read_module(text)
    with zipfile.ZipFile(text, "w") as archive:
        archive.writestr("buildFile", "<module>")
    with pytest.raises(FormatError):
        read_module(text)
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile", b" " * (MAX_XML_BYTES + 10))
    with pytest.raises(LimitReached):
        read_module(text)


@needs_shared
def test_vasl_is_placed_completely(capsys):
    slots = SHARED / "formats" / "slots-6.5.json"
    assert main([str(MODULE / "vasl-6.5-beta3-data.vmod"), "--expect", str(slots)]) == 0
    out = capsys.readouterr().out
    assert "cannot place" not in out
    assert "5434 of 5434 slots placed, 11 empty slots" in out
    assert "13 differences from slots-6.5.json" in out


@needs_shared
def test_the_starter_kit_corpus_is_classified():
    pieces = 0
    for file in (SAVES / "starter-kit").glob("*.vsav"):
        for piece in load_game(open_saved(file)).pieces.values():
            assert classify(piece).kind is not Kind.UNKNOWN
            pieces += 1
    assert pieces > 5000
