"""Annotations go in and come out again; every other command stays byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared import LOGS, SAVES, needs_shared
from tests.vassal import samples
from tests.vassal.samples import move, squad, stack, step
from vassal_bridge.errors import FormatError, LimitReached, VassalBridgeError
from vassal_bridge.limits import MAX_NESTING
from vassal_bridge.vassal import load_game, open_saved, replay, write_saved
from vassal_bridge.vassal.archive import read_saved
from vassal_bridge.vassal.commands import AddPiece, Chat, Command
from vassal_bridge.vassal.edit import Editor, chat_command, piece_command
from vassal_bridge.vassal.sequence import ESC, join, leaves, split_raw, unnest

NOTE = (
    ("immob;ng;V", ""),
    ("label;;;13;255,255,204;160,0,0;c;0;c;0;c;c;$label$;Dialog;1;0;TextLabel;", "N5/O6; \\ ♥ 'x'"),
    ("piece;;;;rout: note", "Main Map;10;20;;0"),
)
SAVE = samples.text([squad("11"), stack("13", ["11"])])
LOG = samples.text(
    [squad("11"), stack("13", ["11"])],
    [step("CHAT<A> - one"), step(move("13"), "CHAT* m *"), step(squad("1795978018904"))],
)


def is_ours(command: Command) -> bool:
    """How a cleaner tells the program's own marks: by name, and by how its lines begin."""
    if isinstance(command, AddPiece):
        return "rout: note" in command.raw
    return isinstance(command, Chat) and command.text.startswith("<rout> ")


def game_of(text: str) -> object:
    return load_game(read_saved(samples.saved(text), Path("t.vsav")))


def annotated(text: str) -> str:
    editor = Editor(text)
    ids = editor.free_ids(2)
    editor.add_pieces(piece_command(id_, NOTE) for id_ in ids)
    editor.add_chat(["<rout> - N5 must rout", "<rout> - see \\"])
    if editor.steps:
        editor.append_to_step(1, [chat_command("<rout> - legal")])
        editor.append_to_step(editor.steps, [chat_command("<rout> - R38"), f"-/{ids[0]}"])
        editor.insert_step(0, [chat_command("<rout> - before all")])
        editor.insert_step(editor.steps, [chat_command("<rout> - after all"), f"-/{ids[1]}"])
    return editor.text()


def cleaned(text: str) -> str:
    editor = Editor(text)
    ours = [c.id for c in map(decode_leaf, leaves(text)) if isinstance(c, AddPiece) and is_ours(c)]
    editor.remove_pieces(ours)
    editor.remove(is_ours)
    return editor.text()


def decode_leaf(leaf: str) -> Command:
    from vassal_bridge.vassal.commands import decode

    return decode(leaf)


@pytest.mark.parametrize("text", [SAVE, LOG, samples.text(), samples.text([], [step("CHATx")])])
def test_in_and_out_again(text: str) -> None:
    marked = annotated(text)
    assert marked != text
    assert cleaned(marked) == text
    assert Editor(text).text() == text
    assert cleaned(text) == text


def test_every_other_command_is_untouched() -> None:
    marked = [leaf for leaf in leaves(annotated(LOG)) if "rout" not in leaf]
    kept = [leaf for leaf in marked if not leaf.startswith("LOG\t-/")]
    assert kept == list(leaves(LOG))


def test_new_pieces_are_the_last_of_the_group_and_read_back() -> None:
    editor = Editor(SAVE)
    (id_,) = editor.free_ids(1)
    assert id_ == "1013"
    editor.add_pieces([piece_command(id_, NOTE)])
    tokens = split_raw(editor.text(), ESC)
    original = split_raw(SAVE, ESC)
    assert tokens[2].startswith(original[2])
    assert tokens[:2] + tokens[3:] == original[:2] + original[3:]
    piece = game_of(editor.text()).pieces[id_]  # type: ignore[attr-defined]
    assert (piece.map, piece.x, piece.y, piece.stack) == ("Main Map", 10, 20, None)
    assert piece.labels == ("N5/O6; \\ ♥ 'x'",)
    assert piece.base_name == "rout: note"


def test_ids_are_free_in_log_steps_too() -> None:
    assert Editor(LOG).free_ids(2) == ["1795978019904", "1795978019905"]
    assert Editor(samples.text()).free_ids(1) == ["1000000001000"]


def test_a_group_is_made_where_there_is_none() -> None:
    editor = Editor(samples.text())
    editor.add_pieces([piece_command("7", NOTE), piece_command("8", NOTE)])
    tokens = split_raw(editor.text(), ESC)
    assert tokens[-1] == "end_save"
    assert tokens[-2].startswith("\\\x1b+/7/")
    assert list(game_of(editor.text()).pieces) == ["7", "8"]  # type: ignore[attr-defined]


def chats(text: str) -> list[tuple[str, ...]]:
    return [one.chat for one in replay(read_saved(samples.saved(text), Path("t.vlog")))]


def test_steps_get_lines_and_neighbours() -> None:
    editor = Editor(LOG)
    editor.insert_step(1, ["CHAT- a"])
    editor.append_to_step(1, ["CHAT- b"])
    editor.insert_step(1, ["CHAT- c", "CHAT- d"])
    editor.append_to_step(2, ["CHAT- e"])
    editor.insert_step(3, ["CHAT- f"])
    editor.insert_step(0, ["CHAT- g"])
    editor.insert_step(2, [])
    editor.append_to_step(2, [])
    editor.add_pieces([])
    assert chats(editor.text()) == [
        ("- g",), ("<A> - one", "- b"), ("- a",), ("- c", "- d"), ("* m *", "- e"), (), ("- f",),
    ]  # fmt: skip
    for token in split_raw(editor.text(), ESC):
        if token.startswith("LOG"):
            assert all(leaf.startswith("LOG\t") for leaf in leaves(token))


def test_lines_shown_at_opening_stand_before_end_save() -> None:
    editor = Editor(SAVE)
    editor.add_chat(["- one", "- two"])
    assert split_raw(editor.text(), ESC)[-3:] == ["CHAT- one", "CHAT- two", "end_save"]


def test_a_step_of_its_own_text_in_quotes_survives() -> None:
    text = samples.text([], [step("CHAT<A> - C:\\")])
    editor = Editor(text)
    editor.append_to_step(1, ["CHAT- note"])
    assert chats(editor.text()) == [("<A> - C:\\", "- note")]
    again = Editor(editor.text())
    again.remove(lambda c: isinstance(c, Chat) and c.text == "- note")
    assert again.text() == text


def test_after_a_last_backslash_left_bare() -> None:
    """VASSAL 3.4 and later do not protect it (formats/files.md 3)."""
    for bare in ("LOG\tCHATa\\", "LOG\tCHATb\\\x1bLOG\tCHATa\\"):
        text = samples.text([], [bare])
        editor = Editor(text)
        editor.append_to_step(1, ["CHAT- note"])
        assert chats(editor.text())[0][-2:] == ("a\\", "- note")
        editor = Editor(text)
        editor.insert_step(1, ["CHAT- note"])
        assert chats(editor.text())[0][-1] == "a\\"
        assert chats(editor.text())[1] == ("- note",)


@pytest.mark.parametrize("quoted", [True, False])
def test_a_compound_keeps_the_quotes_it_had(quoted: bool) -> None:
    inner = ESC.join(("LOG\tCHATa", "'LOG\tCHATb\\'" if quoted else "LOG\tCHATb"))
    token = inner.replace(ESC, "\\" + ESC)
    text = samples.text([], [f"'{token}'" if quoted else token])
    editor = Editor(text)
    editor.append_to_step(1, ["CHAT- note"])
    again = Editor(editor.text())
    again.remove(lambda c: isinstance(c, Chat) and c.text == "- note")
    assert again.text() == text


@pytest.mark.parametrize("line", ["*** (MC DR) 1,1 ***", "* report *", "!!x", "<html>x", " * x",
                                  "a\nb", "a\x1bb", "a\u2028b"])  # fmt: skip
def test_lines_vasl_would_take_for_something_else(line: str) -> None:
    with pytest.raises(FormatError):
        chat_command(line)


def test_what_cannot_be_done_says_so() -> None:
    with pytest.raises(FormatError, match="end_save"):
        Editor("begin_save")
    editor = Editor(LOG)
    for bad in (0, 4, -1):
        with pytest.raises(FormatError, match="no step"):
            editor.append_to_step(bad, ["CHATx"])
    with pytest.raises(FormatError, match="no step"):
        editor.insert_step(4, ["CHATx"])
    with pytest.raises(FormatError, match="ESC"):
        editor.add_pieces(["+/1/a\x1b"])
    editor.remove(lambda c: isinstance(c, Chat) and c.text == "<A> - one")
    with pytest.raises(FormatError, match="removed"):
        editor.append_to_step(1, ["CHATx"])


def test_too_deep_to_edit() -> None:
    tree = "LOG\tCHATx"
    for _ in range(MAX_NESTING + 3):
        tree = join(("LOG\t", tree), ESC)
    text = samples.text([], [tree.replace(ESC, "\\" + ESC)])
    with pytest.raises(LimitReached):
        Editor(text).remove(lambda _: False)


def test_removing_members_of_nested_steps() -> None:
    inner = join(["LOG\tCHATa", "LOG\tCHATb"], ESC)
    text = samples.text([], [join(["LOG\tCHATc", inner], ESC).replace(ESC, "\\" + ESC)])
    editor = Editor(text)
    assert editor.remove(lambda c: isinstance(c, Chat) and c.text in "ac") == 2
    assert chats(editor.text()) == [("b",)]
    assert Editor(text).remove(lambda c: isinstance(c, Chat)) == 3


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.text(alphabet="ab'\\\t/", max_size=6), max_size=4),
    st.lists(st.lists(st.text(alphabet="ab'\\", max_size=5), min_size=1, max_size=3), max_size=4),
    st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=5),
)
def test_any_mixture_comes_out_again(
    labels: list[str], logged: list[list[str]], edits: list[tuple[int, bool]]
) -> None:
    pieces = [squad(str(100 + i), label=label) for i, label in enumerate(labels)]
    text = samples.text(pieces, [step(*(f"CHAT{x}" for x in lines)) for lines in logged])
    editor = Editor(text)
    editor.add_pieces([piece_command("9", NOTE)])
    for number, append in edits:
        number = min(number, editor.steps)
        if append and number:
            editor.append_to_step(number, [chat_command("<rout> - x"), chat_command("<rout> - y")])
        else:
            editor.insert_step(number, [chat_command("<rout> - z")])
    assert cleaned(editor.text()) == text


FILES = sorted([*SAVES.glob("*/*.vsav"), *LOGS.glob("*/*.vlog")])


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_files_annotated_and_cleaned(path: Path, tmp_path: Path) -> None:
    saved = open_saved(path)
    marked = annotated(saved.text)
    write_saved(saved, tmp_path / "a", marked)
    read = open_saved(tmp_path / "a")
    assert read.text == marked
    assert cleaned(marked) == saved.text
    before, after = load_game(saved), load_game(read)
    assert len(after.pieces) == len(before.pieces) + 2
    for id_, piece in before.pieces.items():
        assert after.pieces[id_] == piece
    plain, noted = list(replay(saved)), list(replay(read))
    assert len(noted) == (len(plain) + 2 if plain else 0)
    ours = set(after.pieces) - set(before.pieces)
    for one, other in zip(plain, noted[1:-1], strict=True):
        assert one.changes == tuple([c for c in other.changes if c.piece not in ours])


def test_a_piece_command_is_taken_apart_as_it_was_made() -> None:
    command = decode_leaf(piece_command("7", NOTE))
    assert isinstance(command, AddPiece)
    assert unnest(command._type) == [kind for kind, _ in NOTE]
    assert unnest(command._state) == [state for _, state in NOTE]
    assert issubclass(FormatError, VassalBridgeError)
