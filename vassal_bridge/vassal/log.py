"""A log as steps, the way VASSAL's Step button goes through it; and what was taken back.

A step is one token of the text's top level that begins with ``LOG`` (formats/files.md 5.2). Undo
deletes nothing: the undone step stays and a further one with the inverse commands follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from vassal_bridge.errors import LimitReached, UsageError
from vassal_bridge.limits import MAX_STEPS
from vassal_bridge.vassal.archive import Saved
from vassal_bridge.vassal.commands import (
    ChangePiece,
    Chat,
    Command,
    LogStep,
    Nothing,
    Undo,
    decode,
)
from vassal_bridge.vassal.frames import differences
from vassal_bridge.vassal.game import STEP_STARTS, Game, Table
from vassal_bridge.vassal.pieces import Piece
from vassal_bridge.vassal.sequence import token_leaves, top_tokens

UNDO_PREFIX = "* UNDO: "


@dataclass(frozen=True, slots=True)
class Change:
    """What a step did to one piece.

    Attributes:
        piece: its id.
        before, after: the piece on either side of the step; None = not in the game.
    """

    piece: str
    before: Piece | None
    after: Piece | None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a log.

    Attributes:
        index: counted from 1 as VASSAL steps them.
        commands: in the order they run, nesting flattened, ``LOG null`` left out.
        chat: its chat lines.
        undo: it takes back an earlier step.
        undoes: the index of the step it takes back, or None (not an undo, or not to be found).
        game: the game after it.
        changes: pieces that entered, left, changed or moved, oldest id first.
    """

    index: int
    commands: tuple[Command, ...]
    chat: tuple[str, ...]
    undo: bool
    undoes: int | None
    game: Game
    changes: tuple[Change, ...]


def replay(saved: Saved) -> Iterator[Step]:
    """The steps of a log, each with the game after it; nothing for a save.

    Raises:
        LimitReached: a limit of `vassal_bridge.limits` was passed.
    """
    steps = _steps_of(saved)
    table = Table(saved.remarks).load(saved.text)
    before = table.snapshot()
    history = _History()
    for index, commands in _played(table, steps):
        after = table.snapshot()
        changes = _changes(before, after)
        chat = tuple([command.text for command in commands if isinstance(command, Chat)])
        undo, undoes = history.add(index, commands, chat, changes)
        yield Step(index, commands, chat, undo, undoes, after, changes)
        before = after


def game_after(saved: Saved, step: int | None = None) -> tuple[Game, int]:
    """The game as it stands after a step of a log; of a save the game it holds.

    Args:
        saved: the save or log.
        step: counted from 1 as VASSAL steps them, 0 = as the log begins, None = after the last.

    Returns:
        The game, and after which step it is.

    Raises:
        UsageError: there is no such step.
        LimitReached: a limit of `vassal_bridge.limits` was passed.
    """
    steps = _steps_of(saved)
    last = len(steps) if step is None else step
    if not 0 <= last <= len(steps):
        raise UsageError(f"no step {last}: {f'the log has {len(steps)}' if steps else 'no log'}")
    table = Table(saved.remarks).load(saved.text)
    for _ in _played(table, steps[:last]):
        pass
    return table.snapshot(), last


def _played(table: Table, steps: Iterable[str]) -> Iterator[tuple[int, tuple[Command, ...]]]:
    """Play steps on a table: after each its number, counted from 1, and its commands."""
    for index, token in enumerate(steps, 1):
        table.step = index
        commands = _step_commands(table, token)
        for command in commands:
            table.apply(command)
        yield index, commands


def _steps_of(saved: Saved) -> list[str]:
    steps = [token for token in top_tokens(saved.text) if token.startswith(STEP_STARTS)]
    if len(steps) > MAX_STEPS:
        raise LimitReached(f"a log of {len(steps)} steps, limit {MAX_STEPS}")
    return steps


def undone(steps: Iterable[Step]) -> dict[int, int]:
    """For each step that stays taken back at the end: the index of the step that took it back."""
    taken: dict[int, int] = {}
    for step in steps:
        if step.undoes is not None:
            taken[step.undoes] = step.index
            for redone in [key for key, by in taken.items() if by == step.undoes]:
                del taken[redone]
    return taken


def _step_commands(table: Table, token: str) -> tuple[Command, ...]:
    """The commands of a step; VASSAL drops a step with a member that lacks its ``LOG``."""
    commands: list[Command] = []
    for leaf in token_leaves(token):
        command = decode(leaf)
        if not isinstance(command, LogStep):
            table.complain("bad-step", "a log step holds a command without LOG; VASSAL drops it")
            return ()
        if not isinstance(command.command, Nothing):
            commands.append(command.command)
    return tuple(commands)


def _changes(before: Game, after: Game) -> tuple[Change, ...]:
    found = []
    for id_ in differences(before.pieces, after.pieces):
        old, new = before.pieces.get(id_), after.pieces.get(id_)
        if old != new:
            found.append(Change(id_, old, new))
    return tuple(found)


_LOOK_BACK = 300
"""How many standing steps an undo is compared with."""


class _History:
    """Finds the step that an undo takes back: the latest that stands and says the same line."""

    def __init__(self) -> None:
        self._standing: list[_Past] = []
        self._taken: dict[int, _Past] = {}

    def add(
        self,
        index: int,
        commands: tuple[Command, ...],
        chat: tuple[str, ...],
        changes: tuple[Change, ...],
    ) -> tuple[bool, int | None]:
        now = _Past(index, commands, chat, frozenset(change.piece for change in changes))
        undone_lines = [line[len(UNDO_PREFIX) :] for line in chat if line.startswith(UNDO_PREFIX)]
        marked = any(isinstance(command, Undo) and command.begins for command in commands)
        target = None
        if undone_lines:
            said = frozenset([line.rstrip() for line in undone_lines])
            target = self._find(lambda past: said <= past.said)
        elif marked:
            target = self._find(lambda past: past.pieces == now.pieces) or self._find(
                lambda past: not past.undo
            )
        elif not chat:
            last = self._standing[-1] if self._standing else None
            if last is not None and not last.said and _inverse(last.commands, commands):
                target = last
        undo = bool(undone_lines) or marked or target is not None
        now.undo = undo
        if target is not None:
            self._standing.remove(target)
            self._taken[index] = target
            redone = self._taken.pop(target.index, None)
            if redone is not None:  # an undo was taken back: what it had undone stands again
                self._standing.append(redone)
                self._standing.sort(key=lambda past: past.index)
        self._standing.append(now)
        return undo, target.index if target else None

    def _find(self, fits: Callable[[_Past], bool]) -> _Past | None:
        recent = islice(reversed(self._standing), _LOOK_BACK)
        return next((past for past in recent if fits(past)), None)


class _Past:
    """A step remembered."""

    __slots__ = ("commands", "index", "pieces", "said", "undo")

    def __init__(
        self,
        index: int,
        commands: tuple[Command, ...],
        chat: tuple[str, ...],
        pieces: frozenset[str],
    ) -> None:
        self.index, self.commands, self.pieces = index, commands, pieces
        self.said = frozenset([line.rstrip() for line in chat])
        self.undo = False


def _inverse(one: tuple[Command, ...], other: tuple[Command, ...]) -> bool:
    """Two silent steps of changes only, the second exactly the first backwards."""
    if not one or len(one) != len(other):
        return False
    for first, second in zip(one, reversed(other), strict=True):
        if not (isinstance(first, ChangePiece) and isinstance(second, ChangePiece)):
            return False
        if first.id != second.id or first._old is None:
            return False
        if (first._state, first._old) != (second._old, second._state):
            return False
    return True
