"""Files built to be slow or large: an answer or one of our errors, soon and in little memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.vassal import samples
from tests.vassal.samples import add, change, marker, move, squad, stack, step
from vassal_bridge import limits
from vassal_bridge.errors import LimitReached, VassalBridgeError
from vassal_bridge.vassal import game as games
from vassal_bridge.vassal import pieces
from vassal_bridge.vassal.archive import read_saved
from vassal_bridge.vassal.commands import decode
from vassal_bridge.vassal.edit import Editor
from vassal_bridge.vassal.frames import Frame
from vassal_bridge.vassal.game import Table, load_game
from vassal_bridge.vassal.log import replay
from vassal_bridge.vassal.sequence import ESC, encode_token, join, nest

SIZE = 256 * 1024
"""Characters of each hostile text, as in the fuzz runs."""


def fill(part: str, size: int = SIZE) -> str:
    return part * (size // len(part))


def log(*steps: str) -> str:
    return samples.text([squad("11"), marker("12"), stack("13", ["11", "12"])], steps)


def many(make: Callable[[int], str], count: int) -> list[str]:
    return [make(i) for i in range(count)]


def doubling() -> str:
    """Labels each of which says the inner name twice."""
    label = "label;;;;;;;;;;;;$pieceName$$pieceName$ $label$;;;;;"
    return add("9", (*[label] * 60, "piece;;;;x"), nest(["y"] * 60 + ["Main Map;1;1;"]))


def property_bomb() -> list[str]:
    label = ("label;;;;;;;;;;;;$label$;;;;;", "piece;;;;x")
    text = nest([fill("$big$", 20_000), "Main Map;1;1;"])
    return ["MutableProperty\tbig\t\t" + fill("x", 100_000), add("9", label, text)]


def tall_stack(height: int) -> list[str]:
    ids = many(str, height)
    return [*[marker(id_) for id_ in ids], stack("t", ids)]


def nested(depth: int) -> str:
    tree = "LOG\tCHATx"
    for _ in range(depth):
        tree = join(("LOG\t", tree), ESC)
    return encode_token(tree, ESC)


SHAPES: dict[str, Callable[[], str]] = {
    "escapes": lambda: fill("\x1b"),
    "escaped escapes": lambda: "begin_save" + fill("\\\x1b"),
    "backslashes": lambda: "begin_save\x1b" + fill("\\") + "\x1bend_save",
    "quotes": lambda: "begin_save\x1b" + fill("'") + "\x1bend_save",
    "deep commands": lambda: log(*[nested(190)] * 6),
    "too deep commands": lambda: log(nested(260)),
    "one giant command": lambda: samples.text([], extra=["CHAT" + fill("x")]),
    "slashes": lambda: samples.text([fill("+/1/")]),
    "escaped slashes": lambda: samples.text(["+/1/" + fill("\\/")]),
    "tabs": lambda: samples.text(["+/1/" + fill("\t") + "/" + fill("\t")]),
    "deep traits": lambda: samples.text([add("1", ["a"] * 190, nest(["b"] * 190))] * 3),
    "semicolons": lambda: samples.text(["+/1/piece" + fill(";") + "/Main Map;1;1;"]),
    "commas": lambda: samples.text([add("1", ("mark;" + fill(",", 60_000), "piece"), "\t")]),
    "tiny pieces": lambda: samples.text(many(lambda i: f"+/{i}/p/", 20_000)),
    "one id again and again": lambda: samples.text(many(lambda i: f"+/1/p{i}/", 20_000)),
    "a tall stack": lambda: samples.text(tall_stack(290)),
    "stacks of the same": lambda: samples.text(
        [*tall_stack(200), *many(lambda i: stack(f"s{i}", many(str, 200)), 250)]
    ),
    "a stack of strangers": lambda: samples.text([stack("1", many(str, 30_000))]),
    "chat steps": lambda: log(*many(lambda i: step(f"CHAT{i}"), 15_000)),
    "null steps": lambda: log(*["LOG\tnull"] * 25_000),
    "undo steps": lambda: log(*many(lambda i: step(f"CHAT* UNDO: {i}"), 10_000)),
    "undo of undo": lambda: log(*[step("CHAT* UNDO: * UNDO: * UNDO: ")] * 6_000),
    "marked undo": lambda: log(*[step("UNDO\ttrue", "UNDO\tfalse")] * 6_000),
    "undo lines": lambda: log(*[step(*many(lambda i: f"CHAT* UNDO: {i}", 2000))] * 3),
    "moves to and fro": lambda: log(
        *many(lambda i: step(move("13", f"Main Map/{i % 2}/0", player="a")), 4000)
    ),
    "changes": lambda: log(*[step(change("11", samples.squad_state()))] * 700),
    "flips": lambda: log(*many(lambda i: step(change("12", f"{i}\tx;1;1;")), 7000)),
    "ghosts": lambda: log(*many(lambda i: step(f"-/{i}9"), 15_000)),
    "unknown": lambda: samples.text([], extra=many(lambda i: f"WHAT{i}\tx", 15_000)),
    "doubling labels": lambda: samples.text([doubling()]),
    "a property in a name": lambda: samples.text(property_bomb()),
    "properties and pieces": lambda: samples.text(
        many(lambda i: add(f"{i}", ("label;", "piece"), "$a$\tMain Map;1;1;"), 1000),
        many(lambda i: step(f"MutableProperty\ta\t\t{i}"), 40),
    ),
    "dollars": lambda: samples.text([add("1", ("label;;;", "p"), nest([fill("$", 60_000), ""]))]),
    "numbers": lambda: samples.text([f"+/1/p/Main Map;{'9' * 9000};{'9' * 9000};"]),
    "boards": lambda: samples.text([], extra=["bd\t" + fill("0\t0\tz\tbd\t")]),
    "info": lambda: samples.text([], extra=["INFO\t" + fill("\t")]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hostile_text_is_read_or_refused_soon(shape: str) -> None:
    text = SHAPES[shape]()
    data = samples.saved(text)
    start = time.process_time()
    try:
        saved = read_saved(data, Path("hostile.vlog"))
        game = load_game(saved)
        steps = list(replay(saved))
        editor = Editor(saved.text)
        editor.remove(lambda _: False)
        assert editor.text() == text
        longest = max([len(piece.name) for piece in game.pieces.values()], default=0)
        assert longest <= limits.MAX_NAME_CHARS
        assert len(steps) == editor.steps
    except VassalBridgeError as error:
        message = str(error)
    else:
        message = ""
    assert "\n" not in message
    assert time.process_time() - start < 2.5 * samples.patience()


def test_games_of_a_long_log_take_little_memory() -> None:
    start = [squad(str(i), f"Main Map;{i};1") for i in range(300)]
    moves = many(lambda i: step(move(str(i % 300), f"Main Map/{i}/2"), f"CHAT{i}"), 2000)
    saved = read_saved(samples.saved(samples.text(start, moves)), Path("long.vlog"))
    tracemalloc.start()
    steps = list(replay(saved))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(steps) == 2000
    assert steps[0].game.pieces["0"].x == 0
    assert steps[-1].game.pieces["199"].x == 1999
    assert peak < 60 * 1024 * 1024


def play(*commands: str) -> Table:
    table = Table().load(samples.text([squad("11"), squad("12")]))
    table.snapshot()
    table.step = 1
    for command in commands:
        table.apply(decode(command))
        table.snapshot()
    return table


def test_max_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_PIECES", 3)
    play(squad("13"), "-/13", squad("14"))
    with pytest.raises(LimitReached, match="3 pieces"):
        play(squad("13"), squad("14"))


def test_max_piece_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_PIECE_WORK", 2)
    play(move("11"), move("12", "Main Map/5/5"))
    with pytest.raises(LimitReached, match="more often"):
        play(move("11"), move("11", "Main Map/5/5"), move("11"))


def test_max_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_PROPERTIES", 2)
    table = play(*[f"MutableProperty\t{name}\t0\t{value}\tx" for name, value in ("a1", "b1", "a2")])
    assert dict(table.snapshot().properties) == {"a": "2", "b": "1"}
    with pytest.raises(LimitReached, match="2 global properties"):
        table.apply(decode("MutableProperty\tc\t0\t1\tx"))


def test_properties_of_each_moment_share_what_they_have_in_common() -> None:
    """A thousand steps that change one of many properties keep no thousand copies of all."""
    table = play(*[f"MutableProperty\tp{n}\t0\t1\tx" for n in range(400)])
    moments = []
    for n in range(60):
        table.apply(decode(f"MutableProperty\tq\t0\t{n}\tx"))
        moments.append(table.snapshot().properties)
    assert [moment["q"] for moment in moments] == [str(n) for n in range(60)]
    assert all(moment["p7"] == "1" for moment in moments)
    assert isinstance(moments[0], Frame)


def test_looking_for_a_changed_property_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_PIECE_WORK", 3)
    monkeypatch.setattr(games, "_LOOKS_PER_WORK", 1)
    with pytest.raises(LimitReached, match="more often"):
        play("MutableProperty\ta\t0\t1\tx", "MutableProperty\ta\t1\t2\tx")


def test_max_type_chars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MAX_TYPE_CHARS", 20)
    table = Table()
    table.apply(decode(add("1", ("p" * 20,), "")))
    with pytest.raises(LimitReached, match="20 characters"):
        table.apply(decode(add("1", ("p" * 21,), "")))


def test_max_name_chars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MAX_NAME_CHARS", 24)
    labelled = add(
        "1",
        ("label;;;;;;;;;;;;$pieceName$ $label$;;", "piece;;;;long name"),
        "label text of some length\tx",
    )
    layered = add("2", ("emb2;;;;;;;;;;;;;;;;a;longer than it may be + ;", "piece;;;;name"), "1\tx")
    game = play(labelled, layered).snapshot()
    assert game.pieces["1"].name == "long name label text of "
    assert game.pieces["2"].name == "longer than it may be na"
