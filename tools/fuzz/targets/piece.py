"""Target: commands played on a table, one a line; every state of the game must be readable."""

from __future__ import annotations

import random

from mutation import change, kind_of

from tests.vassal import samples
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal.commands import Unknown, decode
from vassal_bridge.vassal.game import Game, Table
from vassal_bridge.vassal.sequence import join, split

START = samples.text(
    [
        samples.squad("11"),
        samples.marker("12"),
        samples.stack("13", ["11", "12"]),
        samples.squad("21", "Main Map;156;232", owner=samples.CANARY),
        samples.add("22", samples.FIXED, samples.chain(("", "Main Map;7;8;;0"))),
    ]
)


def seeds() -> list[bytes]:
    """Pieces of several makes, moves, changes, removals."""
    plain, broken = samples.squad_state(), samples.squad_state(broken=True)
    lines = [
        [samples.squad("31", label="a;b"), samples.stack("32", ["31"], "Main Map;5;5")],
        [
            samples.move("13", "Main Map/156/232", player="A"),
            samples.move("11", under="21", player="A"),
        ],
        [samples.change("11", broken, plain), "-/12", samples.change("13", "Main Map;1;2;11")],
        ["GlobalProperty\t;AlliedCVP;4;C", "MutableProperty\ta\tb\tc\td", "INFO\ta\tb\t1"],
        [samples.move("21", "null/0/0", player="A"), samples.move("22", player="A"), "begin_save"],
    ]
    return ["\n".join(part).encode() for part in lines]


def check(data: bytes) -> str:
    """Play each line; look at everything after each."""
    table = Table().load(START)
    outcome = set()
    try:
        for line in data.decode(errors="replace").split("\n")[:200]:
            command = decode(line)
            assert command.raw == line
            outcome.add(type(command).__name__ if not isinstance(command, Unknown) else "?")
            table.apply(command)
            game = table.snapshot()
        _look(game, samples.CANARY.encode() in data)
    except VassalBridgeError as error:
        return kind_of(error)
    codes = sorted({problem.code for problem in game.problems})
    return f"{sorted(outcome)} {codes} {len(game.pieces) // 2} {len(game.stacks)}"


def _look(game: Game, told: bool) -> None:
    for stack in game.stacks.values():
        for index, id_ in enumerate(stack.members):
            piece = game.pieces[id_]
            assert (piece.stack, piece.index) == (stack.id, index)
            assert (piece.map, piece.x, piece.y) == (stack.map, stack.x, stack.y)
    for id_, piece in game.pieces.items():
        assert piece.id == id_
        assert piece.stack is None or id_ in game.stacks[piece.stack].members
        assert all(layer.level >= 0 for layer in piece.layers)
        assert not piece.hidden or piece.owner
    if not told:
        assert samples.CANARY not in repr(game)


def mutate(rng: random.Random, data: bytes) -> bytes:
    """Change one field of one command and encode it rightly again."""
    lines = data.decode(errors="replace").split("\n")
    at = rng.randrange(len(lines))
    fields = split(lines[at], "/")
    field = rng.randrange(len(fields))
    inner = change(rng, fields[field].encode(), [data]).decode(errors="ignore").replace("\n", "")
    fields[field] = inner
    lines[at] = join(fields, "/")
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return "\n".join(lines).encode()
