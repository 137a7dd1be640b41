"""Logs of our own: numbering of steps, nesting, and which step an undo takes back."""

from __future__ import annotations

from pathlib import Path

from tests.vassal import samples
from tests.vassal.samples import change, move, squad, squad_state, stack, step
from vassal_bridge.vassal import Step, undone
from vassal_bridge.vassal.archive import read_saved
from vassal_bridge.vassal.commands import Chat, MovePiece
from vassal_bridge.vassal.log import replay
from vassal_bridge.vassal.sequence import ESC, encode_token, join

HERE, THERE, FAR = "Main Map/100/200", "Main Map/156/232", "Main Map/212/264"
START = [squad("11"), stack("13", ["11"]), squad("12", "Main Map;9;9")]


def steps(*tokens: str) -> list[Step]:
    text = samples.text(START, tokens)
    return list(replay(read_saved(samples.saved(text), Path("t.vlog"))))


def moves(to: str, text: str, origin: str = HERE) -> str:
    return step(move("13", to, origin=origin), f"CHAT{text}")


def undo(to: str, text: str, *, marked: bool = False) -> str:
    inner = (f"CHAT* UNDO: {text}", move("13", to))
    return step("UNDO\ttrue", *inner, "UNDO\tfalse") if marked else step(*inner)


def links(found: list[Step]) -> dict[int, int | None]:
    return {one.index: one.undoes for one in found if one.undo}


def test_steps_are_numbered_as_vassal_steps_them() -> None:
    found = steps(
        step("CHAT<A> - one"), step(""), step("null"), moves(THERE, "* moves *"), step("CHAT ")
    )
    assert [one.index for one in found] == [1, 2, 3, 4, 5]
    assert [one.chat for one in found] == [("<A> - one",), (), (), ("* moves *",), (" ",)]
    assert found[2].commands == ()
    assert [type(command) for command in found[3].commands] == [MovePiece, Chat]
    assert [change_.piece for change_ in found[3].changes] == ["11"]
    moved = found[3].changes[0]
    assert moved.before is not None
    assert moved.after is not None
    assert (moved.before.x, moved.after.x) == (100, 156)
    assert found[0].changes == ()
    assert found[0].game.pieces["11"].x == 100
    assert found[4].game.pieces["11"].x == 156


def test_nested_steps_are_one_step() -> None:
    """3.7 nests ``LOG null`` and commands to any depth (formats/seen-in-the-client.md)."""
    deep = join(["LOG\tnull", join(["LOG\tnull", f"LOG\t{move('13', THERE)}"], ESC)], ESC)
    token = encode_token(join(["LOG\tnull", deep, "LOG\tCHAT* x *"], ESC), ESC)
    found = steps(token)
    assert len(found) == 1
    assert [type(command) for command in found[0].commands] == [MovePiece, Chat]
    assert found[0].game.pieces["11"].x == 156


def test_a_member_without_log_loses_the_step_as_in_vassal() -> None:
    bad = encode_token(join([f"LOG\t{move('13', THERE)}", "CHATx"], ESC), ESC)
    found = steps(bad, moves(FAR, "* y *"))
    assert found[0].commands == ()
    assert found[0].game.pieces["11"].x == 100
    assert [(p.code, p.step) for p in found[0].game.problems] == [("bad-step", 1)]
    assert found[1].game.pieces["11"].x == 212


def test_a_problem_names_its_step() -> None:
    found = steps(step("CHATx"), step(move("404", THERE)))
    assert [(p.code, p.step, p.piece) for p in found[1].game.problems] == [("ghost", 2, "404")]


def test_a_save_has_no_steps() -> None:
    assert steps() == []


def test_a_step_whose_text_ends_in_a_backslash() -> None:
    found = steps(step("CHAT<A> - C:\\"), step("CHATx"))
    assert [one.chat for one in found] == [("<A> - C:\\",), ("x",)]


def test_undo_as_3_2_writes_it() -> None:
    found = steps(
        moves(THERE, "* m *"), step("CHAT<A> - oops"), undo(HERE, "* m *"), moves(FAR, "* n *")
    )
    assert links(found) == {3: 1}
    assert found[2].game.pieces["11"].x == 100
    assert undone(found) == {1: 3}


def test_undo_as_3_7_writes_it() -> None:
    found = steps(moves(THERE, "* m *"), undo(HERE, "* m *", marked=True))
    assert links(found) == {2: 1}


def test_each_undo_takes_back_one_step_further() -> None:
    found = steps(
        moves(THERE, "* m *"), moves(FAR, "* m *"), undo(THERE, "* m *"), undo(HERE, "* m *")
    )
    assert links(found) == {3: 2, 4: 1}
    assert undone(found) == {2: 3, 1: 4}


def test_an_undo_can_be_taken_back() -> None:
    found = steps(
        moves(THERE, "* m *"), undo(HERE, "* m *"), undo(THERE, "* UNDO: * m *"),
        undo(HERE, "* m *"),
    )  # fmt: skip
    assert links(found) == {2: 1, 3: 2, 4: 1}
    assert undone(found) == {2: 3, 1: 4}


def test_blanks_at_the_end_of_a_line_do_not_matter() -> None:
    found = steps(moves(THERE, "* x deleted from N5 * "), undo(HERE, "* x deleted from N5 *"))
    assert links(found) == {2: 1}


def test_an_undo_of_nothing_that_is_there() -> None:
    found = steps(moves(THERE, "* m *"), undo(HERE, "* other *"))
    assert links(found) == {2: None}
    assert undone(found) == {}


def test_an_undo_without_words() -> None:
    plain, broken = squad_state("Main Map;9;9"), squad_state("Main Map;9;9", broken=True)
    flip, back = change("12", broken, plain), change("12", plain, broken)
    silent = steps(step(flip), step(back))
    assert links(silent) == {2: 1}
    marked = steps(step(flip), moves(THERE, "* m *"), step("UNDO\ttrue", back, "UNDO\tfalse"))
    assert links(marked) == {3: 1}
    unclear = steps(step("CHATx"), step("UNDO\ttrue", "UNDO\tfalse"))
    assert links(unclear) == {2: 1}


def test_a_flip_back_is_no_undo_when_it_is_not_the_exact_inverse() -> None:
    plain, broken = squad_state("Main Map;9;9"), squad_state("Main Map;9;9", broken=True)
    moved = squad_state("Main Map;9;9", moved=True)
    assert links(steps(step(change("12", broken, plain)), step(change("12", moved, broken)))) == {}
    assert links(steps(step(change("12", broken)), step(change("12", plain, broken)))) == {}
    said = step(change("12", broken, plain), "CHAT* broken *")
    assert links(steps(said, step(change("12", plain, broken)))) == {}
    there, back = move("13", THERE), move("13", HERE, origin=THERE)
    assert links(steps(step(there), step(back))) == {}


def test_what_stands_beside_the_steps_is_played_at_the_start() -> None:
    text = samples.text(START, [step("CHATx"), "CHATshown at once", step("CHATy")])
    found = list(replay(read_saved(samples.saved(text), Path("t.vlog"))))
    assert [list(one.game.chat) for one in found] == [
        ["shown at once", "x"],
        ["shown at once", "x", "y"],
    ]
