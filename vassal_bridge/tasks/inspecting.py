"""`inspect`: boards, sides and counters with hex and state, as both players may see them."""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.bridge import Loaded
from vassal_bridge.bridge.game import MAIN_MAP
from vassal_bridge.counters import Counter, Kind
from vassal_bridge.errors import UsageError
from vassal_bridge.report.build import boards_of, problems_of, source_of
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.model import CounterInfo, InspectReport
from vassal_bridge.vassal import Piece

HIDDEN_NAME = "?"
"""What everybody but its owner sees of a concealed counter."""


def inspect_report(loaded: Loaded, words: Catalogue) -> InspectReport:
    """Everything `inspect` says about a saved game (contracts.md 4).

    Raises:
        UsageError: a position file, which has no counters.
    """
    if loaded.game is None or loaded.sides is None:
        raise UsageError("inspect wants a saved game or log", file=loaded.source.file)
    return InspectReport(
        source=source_of(loaded.source),
        boards=boards_of(loaded.boards),
        sides={group: list(nations) for group, nations in loaded.sides.groups.items()},
        problems=problems_of(loaded.problems, words),
        counters=list(_counters(loaded)),
    )


def _counters(loaded: Loaded) -> Iterator[CounterInfo]:
    assert loaded.game is not None  # noqa: S101  (asked by the caller)
    seen: dict[str, Counter] = {
        counter.id: counter for reading in loaded.readings for counter in reading.counters
    }
    nations = {
        (reading.id, counter.index): counter.nationality
        for reading in loaded.readings
        for counter in reading.counters
    }
    for piece in loaded.game.pieces.values():  # hidden ones are not among them
        counter = seen.get(piece.id)
        if counter is not None:
            yield _shown(loaded, piece, counter)
        else:
            at = (piece.stack, piece.index) if piece.stack is not None else (piece.id, 0)
            yield _concealed(loaded, piece, nations.get(at))


def _shown(loaded: Loaded, piece: Piece, counter: Counter) -> CounterInfo:
    return CounterInfo(
        id=piece.id,
        name=counter.name,
        kind=counter.kind.value,
        nationality=counter.nationality,
        map=piece.map,
        x=piece.x,
        y=piece.y,
        hex=_hex(loaded, piece),
        stack=piece.stack,
        index=piece.index,
        state=list(counter.state),
    )


def _concealed(loaded: Loaded, piece: Piece, nationality: str | None) -> CounterInfo:
    """A "?" counter or a counter under one, which look alike to everybody else."""
    return CounterInfo(
        id=piece.id,
        name=HIDDEN_NAME,
        kind=Kind.CONCEALMENT.value,
        nationality=nationality,
        map=piece.map,
        x=piece.x,
        y=piece.y,
        hex=_hex(loaded, piece),
        stack=piece.stack,
        index=piece.index,
        state=["concealed"],
    )


def _hex(loaded: Loaded, piece: Piece) -> str | None:
    return loaded.layout.hex_at(piece.x, piece.y) if piece.map in MAIN_MAP else None
