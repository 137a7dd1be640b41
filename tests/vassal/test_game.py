"""Commands played out on a table of our own: stacks, moves, changes, and what does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vassal import samples
from tests.vassal.samples import CANARY, add, change, marker, move, squad, squad_state, stack
from vassal_bridge.errors import LimitReached
from vassal_bridge.vassal import Game, maps, sequence
from vassal_bridge.vassal.archive import read_saved
from vassal_bridge.vassal.commands import decode
from vassal_bridge.vassal.frames import Frame, Lines, differences
from vassal_bridge.vassal.game import Table, load_game

HERE, THERE = "Main Map;100;200", "Main Map;156;232"
TO_THERE = "Main Map/156/232"


def play(*commands: str, start: list[str] | None = None) -> Game:
    table = Table().load(samples.text(start or []))
    table.snapshot()
    for command in commands:
        table.apply(decode(command))
    return table.snapshot()


def places(game: Game) -> dict[str, tuple[object, ...]]:
    return {
        id_: (piece.stack, piece.index, piece.map, piece.x, piece.y)
        for id_, piece in game.pieces.items()
    }


def test_a_save_of_our_own() -> None:
    text = samples.text(
        [squad("11"), marker("12"), stack("13", ["11", "12", "404"]),
         add("14", samples.FIXED, samples.chain(("", "Main Map;7;8;;0")))],
        extra=["UNMASK\t", "CHAT<A> - hello", "WHAT\tis this", "GlobalProperty\t;AlliedCVP;4;C"],
    )  # fmt: skip
    game = load_game(read_saved(samples.saved(text), Path("t.vsav")))
    assert list(game.pieces) == ["11", "12", "14"]
    squad_piece = game.pieces["11"]
    assert (squad_piece.name, squad_piece.base_name) == ("4-4-7 1sq", "4-5-8 Esq")
    assert (squad_piece.base_image, squad_piece.gpid) == ("ru/ru458S", "433")
    assert squad_piece.marks == {"Location": "ground", "DBCounterType": "unit"}
    assert game.stacks["13"].members == ("11", "12")
    assert game.boards_line == "bd\t0\t0\tz\tVER\t6.2\t"
    assert game.info is not None
    assert game.info.turn == 3
    assert game.chat == ["<A> - hello"]
    assert game.properties == {"AlliedCVP": "4"}
    assert [(problem.code, problem.piece) for problem in game.problems] == [
        ("unknown-command", None)
    ]
    assert "WHAT" in game.problems[0].text


def test_a_marker_whose_own_map_is_null_lies_where_its_stack_lies() -> None:
    game = play(start=[squad("11"), marker("12", "null;0;0"), stack("13", ["11", "12"])])
    assert places(game)["12"] == ("13", 1, "Main Map", 100, 200)


def test_old_map_ids_are_names() -> None:
    game = play(start=[squad("11", "Map0;100;200"), stack("13", ["11"], "Map1;3;4")])
    assert places(game)["11"] == ("13", 0, "Casualties", 3, 4)


def test_properties_after_the_gpid_do_no_harm() -> None:
    state = "Main Map;100;200;433;2;UniqueID;11;OldMap;Main Map"
    game = play(start=[add("11", samples.MARKER, samples.chain(("true", state)))])
    piece = game.pieces["11"]
    assert (piece.gpid, piece.x, piece.moved) == ("433", 100, True)


def test_a_stack_moves_with_all_it_holds() -> None:
    start = [squad("11"), marker("12"), stack("13", ["11", "12", "@@1"])]
    game = play(move("13", TO_THERE), start=start)
    assert places(game) == {
        "11": ("13", 0, "Main Map", 156, 232),
        "12": ("13", 1, "Main Map", 156, 232),
    }


def test_a_piece_taken_from_a_stack_stands_alone_until_a_stack_comes() -> None:
    start = [squad("11"), marker("12"), stack("13", ["11", "12"])]
    alone = move("11", TO_THERE)
    assert places(play(alone, start=start))["11"] == (None, 0, "Main Map", 156, 232)
    game = play(alone, stack("14", ["11"], THERE), move("12", TO_THERE, under="11"), start=start)
    assert places(game) == {
        "11": ("14", 0, "Main Map", 156, 232),
        "12": ("14", 1, "Main Map", 156, 232),
    }
    assert "13" not in game.stacks


def test_dropped_on_others_it_joins_their_stack() -> None:
    start = [squad("11"), stack("13", ["11"]), squad("21", THERE), stack("23", ["21"], THERE)]
    assert places(play(move("11", TO_THERE), start=start))["11"][:2] == ("23", 0)
    onto = places(play(move("11", TO_THERE, under="21"), start=start))
    assert (onto["21"][:2], onto["11"][:2]) == (("23", 0), ("23", 1))
    whole = places(play(move("13", TO_THERE), start=start))
    assert (whole["21"][:2], whole["11"][:2]) == (("23", 0), ("23", 1))
    elsewhere = places(play(move("11", "Main Map/5/5", under="21"), start=start))
    assert elsewhere["11"] == (None, 0, "Main Map", 5, 5)


def test_two_loose_pieces_get_a_stack_of_their_own() -> None:
    start = [squad("11"), squad("21", THERE)]
    game = play(move("11", TO_THERE, under="21"), start=start)
    assert places(game)["21"][:2] == ("new-1", 0)
    assert places(game)["11"][:2] == ("new-1", 1)
    assert game.stacks["new-1"].members == ("21", "11")


def test_what_does_not_stack_stays_alone() -> None:
    fixed = add("14", samples.FIXED, samples.chain(("", f"{THERE};;0")))
    start = [squad("11"), fixed, squad("21", "Main Map;9;9"), stack("23", ["21"], "Main Map;9;9")]
    game = play(move("11", TO_THERE), move("14", "Main Map/9/9"), start=start)
    assert places(game)["11"] == (None, 0, "Main Map", 156, 232)
    assert places(game)["14"] == (None, 0, "Main Map", 9, 9)


def test_moved_within_its_own_stack() -> None:
    start = [squad("11"), squad("12"), squad("13"), stack("20", ["11", "12", "13"])]
    top = play(move("11", under="13"), start=start)
    assert top.stacks["20"].members == ("12", "13", "11")
    down = play(move("13", under="11"), start=start)
    assert down.stacks["20"].members == ("11", "13", "12")
    itself = play(move("11", under="11"), start=start)
    assert itself.stacks["20"].members == ("11", "12", "13")
    its_stack = play(move("20", under="11"), start=start)
    assert its_stack.stacks["20"].members == ("11", "12", "13")


def test_opponents_do_not_join_a_stack_they_do_not_see() -> None:
    start = [squad("11"), squad("21", THERE, owner="somebody"), stack("23", ["21"], THERE)]
    assert places(play(move("11", TO_THERE), start=start))["11"][0] is None
    owner = play(move("11", TO_THERE, player="somebody"), start=start)
    assert places(owner)["11"][0] == "23"


def test_taken_off_the_map_and_to_the_casualties() -> None:
    start = [squad("11"), squad("12"), stack("13", ["11", "12"])]
    game = play(move("11", "null/0/0"), move("12", "Casualties/30/40"), start=start)
    assert places(game)["11"] == (None, 0, None, 0, 0)
    assert places(game)["12"] == (None, 0, "Casualties", 30, 40)
    assert not game.stacks


def test_removed_and_added_again() -> None:
    start = [squad("11"), squad("12"), stack("13", ["11", "12"])]
    gone = play("-/11", start=start)
    assert list(gone.pieces) == ["12"]
    assert gone.stacks["13"].members == ("12",)
    back = play("-/11", squad("11"), change("13", f"{HERE};11;12", f"{HERE};12"), start=start)
    assert back.stacks["13"].members == ("11", "12")
    assert places(play("-/13", start=start))["12"] == (None, 0, "Main Map", 100, 200)


def test_a_piece_added_twice_is_there_once() -> None:
    start = [squad("11"), stack("13", ["11"])]
    game = play(squad("11", THERE), start=start)
    assert places(game) == {"11": (None, 0, "Main Map", 156, 232)}
    assert not game.stacks


def test_an_id_may_change_from_stack_to_piece_and_back() -> None:
    start = [squad("11"), stack("13", ["11"])]
    piece = play(squad("13"), start=start)
    assert set(piece.pieces) == {"11", "13"}
    assert not piece.stacks
    again = play(squad("13"), stack("13", ["11"]), start=start)
    assert set(again.pieces) == {"11"}
    assert again.stacks["13"].members == ("11",)


def test_a_change_sets_only_what_it_changes() -> None:
    """So that a change logged before a move does not take the move back."""
    start = [squad("11")]
    game = play(
        move("11", TO_THERE),
        change("11", squad_state(moved=True), squad_state(moved=False)),
        start=start,
    )
    piece = game.pieces["11"]
    assert (piece.x, piece.moved) == (156, True)
    whole = play(move("11", TO_THERE), change("11", squad_state(moved=True)), start=start)
    assert (whole.pieces["11"].x, whole.pieces["11"].moved) == (100, True)


def test_a_change_flips_breaks_conceals_and_hides() -> None:
    plain = squad_state()
    start = [squad("11"), stack("13", ["11"])]
    broken = play(change("11", squad_state(broken=True), plain), start=start).pieces["11"]
    assert broken.name == broken.public_name == "broken 4-4-7 1sq"
    hip = play(change("11", squad_state(owner=CANARY), plain), start=start).pieces["11"]
    assert (hip.hidden, hip.owner, hip.name, hip.public_name) == (True, "owner-1", "4-4-7 1sq", "")
    under = play(change("11", squad_state(concealed_by=CANARY), plain), start=start).pieces["11"]
    assert (under.concealed, under.name, under.public_name) == (True, "4-4-7 1sq", "?")


def test_a_change_may_carry_a_piece_to_another_map_only() -> None:
    start = [squad("11"), stack("13", ["11"])]
    plain = squad_state()
    same = play(change("11", squad_state("Main Map;9;9"), plain), start=start)
    assert places(same)["11"] == ("13", 0, "Main Map", 100, 200)
    off = play(change("11", squad_state("null;9;9"), plain), start=start)
    assert places(off)["11"] == ("13", 0, "Main Map", 100, 200)
    other = play(change("11", squad_state("Casualties;9;9"), plain), start=start)
    assert places(other)["11"] == (None, 0, "Casualties", 9, 9)


def test_a_changed_stack_keeps_who_came_in_between() -> None:
    start = [squad("11"), squad("12"), squad("14"), stack("13", ["11", "14", "12"])]
    game = play(change("13", f"{HERE};12;11", f"{HERE};11;12"), start=start)
    assert game.stacks["13"].members == ("12", "11", "14")


def test_a_new_stack_at_the_place_of_a_merged_piece_is_left_empty() -> None:
    """As 3.7 logs it (formats/seen-in-the-client.md, checked by z_probe_undo)."""
    start = [squad("11"), marker("12"), stack("13", ["11", "12"])]
    game = play(
        move("11", TO_THERE),
        stack("14", ["11"], THERE),
        move("12", TO_THERE),
        stack("15", ["12", "@@1"], THERE),
        start=start,
    )
    assert game.stacks["14"].members == ("12", "11")
    assert "15" not in game.stacks


@pytest.mark.parametrize(
    "command", ["-/404", change("404", "x"), move("404"), change("404", "Main Map;1;2", "x")]
)
def test_a_ghost_is_a_problem(command: str) -> None:
    game = play(command, start=[squad("11")])
    assert [(problem.code, problem.piece) for problem in game.problems] == [("ghost", "404")]


def test_damaged_pieces_are_problems_and_stay_readable() -> None:
    short = add("11", samples.SQUAD, samples.chain(("Åsa", "null", "true")))
    long = add("12", samples.MARKER, samples.chain(("false", "x", "null;1;2;")))
    game = play(change("11", "a\tb"), start=[short, long])
    assert [problem.code for problem in game.problems] == [
        "damaged-piece",
        "damaged-piece",
        "damaged-change",
    ]
    assert game.pieces["11"].name == "4-5-8 Esq"
    assert CANARY not in repr(game)


def test_begin_save_clears_the_table() -> None:
    game = play("begin_save", squad("12"), start=[squad("11")])
    assert list(game.pieces) == ["12"]


def test_a_property_shown_in_a_name() -> None:
    counter = ("label;;;10;;;t;0;c;0;b;c;$pieceName$: ($label$);D;0;0;T;", "piece;;;;CVP")
    start = [add("11", counter, samples.chain(("$AlliedCVP$", "Main Map;1;1;")))]
    assert play(start=start).pieces["11"].name == "CVP: ()"
    game = play("MutableProperty\tAlliedCVP\t0\t2\tCasualties", start=start)
    assert game.pieces["11"].name == "CVP: (2)"


def test_owners_have_one_alias_each() -> None:
    start = [squad("11", owner="anna's"), squad("12", concealed_by="boris'"),
             squad("13", owner="anna's")]  # fmt: skip
    game = play(start=start)
    assert [piece.owner for piece in game.pieces.values()] == ["owner-1", "owner-2", "owner-1"]
    assert game.alias_of("boris'") == "owner-2"
    assert game.alias_of("nobody") is None
    assert "anna's" not in repr(game)


# -- what games of one log share -----------------------------------------------------------------


def test_an_earlier_game_does_not_change() -> None:
    table = Table().load(samples.text([squad(str(i), f"Main Map;{i};0") for i in range(200)]))
    games, wanted = [table.snapshot()], [{str(i): i for i in range(200)}]
    for i in range(150):
        table.apply(decode(move(str(i), f"Main Map/{1000 + i}/0")))
        table.apply(decode(f"CHATline {i}"))
        if i % 3 == 0:
            table.apply(decode(f"-/{199 - i}"))
        if i % 5 == 0:
            table.apply(decode(squad(f"9{i}", f"Main Map;{i};9")))
        games.append(table.snapshot())
        wanted.append({id_: piece.x for id_, piece in games[-1].pieces.items()})
    for number, (game, want) in enumerate(zip(games, wanted, strict=True)):
        assert {id_: piece.x for id_, piece in game.pieces.items()} == want
        assert len(game.pieces) == len(want)
        assert list(game.chat) == [f"line {i}" for i in range(number)]
    assert "199" not in games[1].pieces
    assert games[0].pieces["199"].x == 199


def test_frames_and_lines_behave_like_mappings_and_lists() -> None:
    frame: Frame[int] = Frame({"a": 1, "b": 2}, {})
    later = frame.changed({"b": None, "c": 3, "a": 5})
    assert dict(later) == {"a": 5, "c": 3}
    assert (len(frame), len(later), "b" in later, "b" in frame) == (2, 2, False, True)
    assert frame.changed({}) is frame
    assert differences(frame, later) == ["a", "b", "c"]
    assert differences({"x": 1}, {"x": 1, "10": 2, "9": 3}) == ["9", "10"]
    with pytest.raises(KeyError):
        later["b"]
    assert repr(later) == "Frame({'a': 5, 'c': 3})"
    data = ["x", "y"]
    lines = Lines(data)
    data.append("z")
    assert list(lines) == ["x", "y"] == lines
    assert (len(lines), lines[-1], lines[0:5], repr(lines)) == (2, "y", ["x", "y"], "['x', 'y']")
    with pytest.raises(IndexError):
        lines[2]


# -- limits ------------------------------------------------------------------------------------


def test_max_stack_members(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [str(i) for i in range(10)]
    start = [*[squad(id_) for id_ in ids], stack("20", ids)]
    monkeypatch.setattr(maps, "MAX_STACK_MEMBERS", 10)
    assert len(play(start=start).stacks["20"].members) == 10
    monkeypatch.setattr(maps, "MAX_STACK_MEMBERS", 9)
    with pytest.raises(LimitReached, match="9 pieces"):
        play(start=start)


def test_max_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    text = samples.text([squad("11")])
    monkeypatch.setattr(sequence, "MAX_COMMANDS", text.count("\x1b"))
    Table().load(text)
    monkeypatch.setattr(sequence, "MAX_COMMANDS", text.count("\x1b") - 1)
    with pytest.raises(LimitReached, match="commands"):
        Table().load(text)


def test_max_command_chars(monkeypatch: pytest.MonkeyPatch) -> None:
    text = samples.text([], extra=["CHAT" + "x" * 96])
    monkeypatch.setattr(sequence, "MAX_COMMAND_CHARS", 100)
    Table().load(text)
    monkeypatch.setattr(sequence, "MAX_COMMAND_CHARS", 99)
    with pytest.raises(LimitReached, match="99 characters"):
        Table().load(text)


def test_problems_are_not_counted_forever() -> None:
    table = Table().load(samples.text())
    for i in range(1000):
        table.apply(decode(f"-/{i}"))
        table.apply(decode(f"ODD{'X' * (i % 20)}\t"))
    assert len(table.snapshot().problems) == 200


def test_other_boards_later_are_not_followed_but_told() -> None:
    table = Table()
    for _ in range(2):
        table.apply(decode("bd\t0\t0\tz\t"))
    assert list(table.snapshot().problems) == []
    table.apply(decode("bd\t0\t0\ty\t"))
    game = table.snapshot()
    assert game.boards_line == "bd\t0\t0\tz\t"
    assert [(found.code, found.about) for found in game.problems] == [("unknown-command", "'bd'")]
