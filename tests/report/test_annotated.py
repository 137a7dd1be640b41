"""Annotated copies: everything that was in the file stays, what is added follows writing.md."""

from __future__ import annotations

import dataclasses
import io
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report import annotated_rules as rules
from tests.report.hostile import NAMES, hostile_job
from tests.report.sketch import HEIGHT, WIDTH, SketchGround, example
from tests.shared import LOGS, SAVES, needs_shared
from tests.vassal import samples
from vassal_bridge.report.annotated import (
    RoutLine,
    Sheet,
    annotate_log,
    annotate_save,
    clean_text,
    is_annotated,
)
from vassal_bridge.report.catalogue import Lang
from vassal_bridge.report.job import Job
from vassal_bridge.report.model import InterdictedHex, Report
from vassal_bridge.rout.assess import assess_all
from vassal_bridge.vassal import Saved, load_game, open_saved, replay
from vassal_bridge.vassal.archive import read_saved, saved_bytes

FILES = sorted([*SAVES.glob("*/*.vsav"), *LOGS.glob("*/*.vlog")])
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
GROUND = SketchGround()


def corners(hex_: str) -> list[tuple[float, float]]:
    x, y = GROUND.centre(hex_)
    third, half = WIDTH / 3, HEIGHT / 2
    return [
        (x - third, y - half), (x + third, y - half), (x + 2 * third, y),
        (x + third, y + half), (x - third, y + half), (x - 2 * third, y),
    ]  # fmt: skip


SHEET = Sheet(GROUND.centre, corners)


@cache
def village(lang: Lang = "en") -> Report:
    loaded = example()
    return Job(loaded, assess_all(loaded.position)).report(lang)


@cache
def hostile() -> Report:
    return hostile_job().report()


@cache
def opened(path: Path) -> Saved:
    return open_saved(path)


def sample(text: str, name: str = "t.vsav") -> Saved:
    return read_saved(samples.saved(text), Path(name))


# --- every file players have ----------------------------------------------------------------------


@needs_shared
@each_file
def test_every_file_keeps_all_it_has_and_gets_it_back(path: Path) -> None:
    saved = opened(path)
    marked = annotate_save(saved, hostile(), SHEET)
    again = read_saved(saved_bytes(marked), path)
    assert again.text == marked.text
    more = rules.check(saved.text, again.text)
    assert sum(atom.startswith("+/") for atom in more) > 30
    text, count = clean_text(again.text)
    assert text == saved.text
    assert count == len(more)
    assert is_annotated(again.text)
    assert not is_annotated(saved.text)


@needs_shared
@each_file
def test_every_file_shows_the_same_game(path: Path) -> None:
    saved = opened(path)
    before, after = load_game(saved), load_game(annotate_save(saved, village("zh"), SHEET, "zh"))
    ours = [p for id_, p in after.pieces.items() if id_ not in before.pieces]
    assert {id_: after.pieces[id_] for id_ in before.pieces} == dict(before.pieces)
    assert dict(after.stacks) == dict(before.stacks)
    assert list(after.pieces)[: len(before.pieces)] == list(before.pieces)
    assert list(after.problems) == list(before.problems)
    assert after.boards_line == before.boards_line
    assert after.properties == before.properties
    assert list(after.chat)[: len(before.chat)] == list(before.chat)
    for piece in ours:
        assert piece.base_name.startswith("vassal-bridge: ")
        assert (piece.map, piece.stack, piece.base_image, piece.gpid) == ("Main Map", None, "", "")


@needs_shared
@each_file
def test_annotating_again_replaces_the_marks(path: Path) -> None:
    saved = opened(path)
    once = annotate_save(saved, village(), SHEET)
    assert annotate_save(once, village(), SHEET).text == once.text
    other = annotate_save(once, village("zh"), SHEET, "zh")
    assert other.text == annotate_save(saved, village("zh"), SHEET, "zh").text
    assert clean_text(other.text)[0] == saved.text


@needs_shared
@each_file
def test_container_and_envelope_stay_as_they_were(path: Path) -> None:
    saved = opened(path)
    data = saved_bytes(annotate_save(saved, village(), SHEET))
    with zipfile.ZipFile(io.BytesIO(data)) as new, zipfile.ZipFile(path) as old:
        assert new.namelist() == old.namelist()
        assert {info.compress_type for info in new.infolist()} == {zipfile.ZIP_DEFLATED}
        for name in ("savedata", "moduledata"):
            assert new.read(name) == old.read(name)
        game = new.read("savedGame")
    assert game.startswith(b"!VCSK")
    assert game == game[:5] + game[5:].lower()
    plain = bytes(byte ^ int(game[5:7], 16) for byte in bytes.fromhex(game[7:].decode()))
    assert plain.decode("utf-8") == annotate_save(saved, village(), SHEET).text


LINES = ["4-4-7 zN5-zN6: legal", "<b>*** (MC DR) 1,1 ***</b>", "!! \x1b[31m", "漢字 ♥", "\\", ""]


def _annotated_log(saved: Saved) -> Saved:
    count = sum(1 for _ in replay(saved))
    lines = [RoutLine(n, LINES[n % len(LINES)]) for n in range(1, count + 1)]
    lines += [RoutLine(max(1, count // 2), "again")] if count else []
    return annotate_log(saved, lines, LINES)


@needs_shared
@pytest.mark.parametrize("path", sorted(LOGS.glob("*/*.vlog")), ids=lambda path: path.name)
def test_every_log_steps_and_undoes_as_before(path: Path) -> None:
    saved = opened(path)
    marked = read_saved(saved_bytes(_annotated_log(saved)), path)
    more = rules.check(saved.text, marked.text)
    assert all(atom.removeprefix("LOG\t").startswith("CHAT- vassal-bridge: ") for atom in more)
    assert clean_text(marked.text) == (saved.text, len(more))
    steps, again = list(replay(saved)), list(replay(marked))
    assert len(again) == len(steps) + 1
    assert all(line.startswith("- vassal-bridge:") for line in again[-1].chat)
    assert (len(again[-1].chat), again[-1].changes) == (len(LINES), ())
    for old, new in zip(steps, again, strict=False):
        assert (new.index, new.undo, new.undoes) == (old.index, old.undo, old.undoes)
        assert new.changes == old.changes
        assert new.commands[: len(old.commands)] == old.commands
        assert new.chat[: len(old.chat)] == old.chat
        assert all(line.startswith("- vassal-bridge:") for line in new.chat[len(old.chat) :])
        assert dict(new.game.pieces) == dict(old.game.pieces)
        assert dict(new.game.stacks) == dict(old.game.stacks)
        assert list(new.game.problems) == list(old.game.problems)


@needs_shared
@pytest.mark.parametrize("path", sorted(LOGS.glob("*/*.vlog")), ids=lambda path: path.name)
def test_a_log_annotated_again_has_the_lines_once(path: Path) -> None:
    once = _annotated_log(opened(path))
    assert _annotated_log(once.with_text(clean_text(once.text)[0])).text == once.text
    assert annotate_log(once, [], []).text == opened(path).text
    both = annotate_save(once, village(), SHEET)
    assert clean_text(both.text)[0] == opened(path).text


# --- hostile texts --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMES, "a;b/c\td\\e'f'", "'quoted'", "<html>x", "\u202eabc", ""])
def test_hostile_names_are_text_in_labels_and_chat(name: str) -> None:
    report = village()
    units = [unit.model_copy(update={"name": name}) for unit in report.units]
    saved = sample(samples.text([samples.squad("11"), samples.stack("13", ["11"])]))
    marked = annotate_save(saved, report.model_copy(update={"units": units}), SHEET)
    more = rules.check(saved.text, marked.text)
    assert len(more) > 10
    game = load_game(read_saved(samples.saved(marked.text), Path("t.vsav")))
    shown = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    labels = [label for piece in game.pieces.values() for label in piece.labels]
    assert any(f"A {shown} z" in label or f"A {shown}z" in label for label in labels)
    assert any(f"A {shown}".rstrip().replace("<", "‹").replace(">", "›") in c for c in game.chat)
    assert clean_text(marked.text)[0] == saved.text


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(max_size=30), min_size=1, max_size=4),
    st.lists(st.text(alphabet="ab;/\\'\t\x1b<*!-\n é", max_size=12), min_size=1, max_size=4),
)
def test_any_line_goes_into_a_log_and_out_again(lines: list[str], chats: list[str]) -> None:
    def plain(text: str) -> str:
        return text.encode("utf-8", "ignore").decode()

    steps = [samples.step("CHAT" + plain(chat).replace("\x1b", "")) for chat in chats]
    saved = sample(
        samples.text([samples.squad("11"), samples.stack("13", ["11"])], steps), "t.vlog"
    )
    found = [RoutLine(1 + n % len(steps), plain(line)) for n, line in enumerate(lines)]
    marked = annotate_log(saved, found, [plain(line) for line in lines])
    rules.check(saved.text, marked.text)
    assert clean_text(marked.text)[0] == saved.text


# --- marks ----------------------------------------------------------------------------------------


def test_ids_are_free_even_where_an_opponent_prepared_some() -> None:
    odd = ["999999999999999999", "1000000000000000999", "1000000000000001000", "0009"]
    pieces = [samples.squad(id_) for id_ in odd]
    saved = sample(samples.text([*pieces, samples.stack("13", odd)]))
    marked = annotate_save(saved, village(), SHEET)
    rules.check(saved.text, marked.text)
    ids = [rules.seq(atom, "/")[1] for atom in rules.added(saved.text, marked.text) if "+/" in atom]
    assert not set(ids) & set(odd)


def test_marks_saved_again_by_another_vassal_are_known() -> None:
    """3.6 and 3.7 write fields of their own behind ours; played on, marks may be changed too."""
    saved = sample(samples.text([samples.squad("11"), samples.stack("13", ["11"])]))
    marked = annotate_save(saved, village(), SHEET).text
    newer = marked.replace("immob;ng;V\t", "immob;ng;V;N;N\t")
    newer = re.sub(r"(Main Map;\d+;\d+;);0", r"\1;1;UniqueID;7", newer)
    assert newer.count("UniqueID") == newer.count("ng;V;N;N") > 20
    assert clean_text(newer)[0] == saved.text
    first = rules.seq(rules.added(saved.text, marked)[1], "/")[1]
    played = "\x1b".join(
        (newer, samples.step(f"D/{first}/x/y"), samples.step("CHAT<A> - hm", f"-/{first}"))
    )
    assert clean_text(played)[0] == "\x1b".join((saved.text, samples.step("CHAT<A> - hm")))


def test_a_game_that_only_talks_about_the_program_is_left_alone() -> None:
    text = samples.text(
        [samples.add("9", ("immob;ng;V", "piece;;;;my vassal-bridge: note"), "\tMain Map;1;1;;0")],
        [samples.step("CHAT<A> - vassal-bridge: says R38")],
        ["CHAT<B> - vassal-bridge: legal"],
    )
    assert clean_text(text) == (text, 0)


def test_nothing_of_the_players_secrets_is_in_what_is_added() -> None:
    canary = samples.CANARY
    pieces = [
        samples.squad("11", owner=canary),
        samples.squad("12", concealed_by=canary),
        samples.stack("13", ["11", "12"]),
    ]
    extra = [f"PNOTE\t{canary}\tmine", f"OBA/+/1/{canary},x,3,2,1", f"INFO\tA\tB\t1\t{canary}\tn"]
    saved = sample(samples.text(pieces, extra=extra))
    marked = annotate_save(saved, village(), SHEET)
    assert canary not in "".join(rules.added(saved.text, marked.text))
    assert marked.text.count(canary) == saved.text.count(canary)
    assert canary not in repr(marked)


def interdicted(report: Report) -> Report:
    """The same report, but for enemies who can fire into the first hex of every route."""
    units = []
    for unit in report.units:
        ends = [
            end.model_copy(update={"interdictions": [InterdictedHex(hex=end.path[0], by=["zO6"])]})
            if end.path
            else end
            for end in unit.ends
        ]
        units.append(unit.model_copy(update={"ends": ends}))
    return report.model_copy(update={"units": units})


def test_every_kind_of_mark_is_there() -> None:
    saved = sample(samples.text())
    atoms = rules.added(saved.text, annotate_save(saved, interdicted(village()), SHEET).text)
    pieces = [atom for atom in atoms if atom.startswith("+/")]
    kinds = [rules.chain(rules.seq(piece, "/")[2]) for piece in pieces]
    names = [types[-1].removeprefix("piece;;;;vassal-bridge: ") for types in kinds]
    traits = {types[1].partition(";")[0] for types in kinds}
    assert traits == {"label", "AreaOfEffect", "footprint"}
    for word in ("A eliminated", "B1 end", "B1 route", "barred", "interdicted", "legend 1"):
        assert any(name.startswith(word) or word in name for name in names), word
    labels = [rules.chain(rules.seq(piece, "/")[3])[1] for piece in pieces]
    ends = {unit.id: len([e for e in unit.ends if e.how != "stay"]) for unit in village().units}
    shown = [name for name in names if name.endswith(" end")]
    assert len(shown) == sum(min(count, 9) for count in ends.values())
    assert any(label.startswith("B MUST") for label in labels)
    crawl = [e for unit in village().units for e in unit.ends if e.how == "crawl"]
    assert sum(label[:1].isupper() and label.endswith("c") and "+" not in label and len(label) < 5
               for label in labels) >= min(len(crawl), 1)  # fmt: skip


def test_units_are_told_apart_by_colour_and_letter() -> None:
    saved = sample(samples.text())
    atoms = rules.added(saved.text, annotate_save(saved, village(), SHEET).text)
    colours: dict[str, set[str]] = {}
    for atom in atoms:
        if atom.startswith("+/"):
            types = rules.chain(rules.seq(atom, "/")[2])
            name = types[-1].removeprefix("piece;;;;vassal-bridge: ")
            if name.endswith(" hex"):
                colours.setdefault(name[0], set()).add(types[1].split(";")[1])
    assert all(len(found) == 1 for found in colours.values())
    assert len({found.copy().pop() for found in colours.values()}) == len(colours) >= 2


def test_no_broken_unit_is_said_too() -> None:
    saved = sample(samples.text())
    report = village().model_copy(update={"units": []})
    marked = annotate_save(saved, report, SHEET)
    (line,) = rules.check(saved.text, marked.text)
    assert line == "CHAT- vassal-bridge: No broken units: nobody routs."


def test_one_unit_only() -> None:
    saved = sample(samples.text())
    wanted = village().units[1].id
    atoms = rules.added(saved.text, annotate_save(saved, village(), SHEET, unit=wanted).text)
    names = {
        rules.chain(rules.seq(atom, "/")[2])[-1].split()[1][0]
        for atom in atoms
        if atom.startswith("+/") and "legend" not in atom
    }
    assert len(names) == 1


def test_damaged_texts_are_refused() -> None:
    from vassal_bridge.errors import FormatError

    saved = dataclasses.replace(sample(samples.text()), text="begin_save\x1b+/1/a/b")
    with pytest.raises(FormatError):
        annotate_save(saved, village(), SHEET)
