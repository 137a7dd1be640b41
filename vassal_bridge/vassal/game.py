"""Commands applied: pieces, stacks and maps, as VASSAL's own engine moves them about.

What follows the engine here was checked against the client's own account of its pieces after
loading saves and stepping through logs (tests/vassal/test_client.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from vassal_bridge.vassal.archive import Saved
from vassal_bridge.vassal.commands import (
    AddPiece,
    BeginSave,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Property,
    RemovePiece,
    ScenarioInfo,
    Unknown,
    decode,
    whole_number,
)
from vassal_bridge.vassal.pieces import Piece, PieceType, Reading, Stack, basic_place
from vassal_bridge.vassal.sequence import split, token_leaves, top_tokens, unnest

_MAP_NAMES = {"Map0": "Main Map", "Map1": "Casualties"}
"""Old files name maps by the ids VASSAL numbered them with (files.md 7.2)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not understood or does not fit; reading went on.

    Attributes:
        code: stable word, e.g. ``damaged-piece``, ``unknown-command``, ``ghost``.
        text: what is wrong, one line, no secrets.
        piece: id of the piece concerned, if one is.
        step: log step, counted from 1; None in the start position.
    """

    code: str
    text: str
    piece: str | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one moment. Never changes: each step of a log has its own.

    Attributes:
        pieces: all pieces by id, in the order they entered.
        stacks: all stacks with members, by id.
        boards_line: the boards command as it stands (``bd⇥…``), or "".
        info: the scenario window, or None.
        problems: what was not understood so far.
        chat: all chat lines so far, in order.
        properties: global and zone properties.
    """

    pieces: Mapping[str, Piece]
    stacks: Mapping[str, Stack]
    boards_line: str
    info: ScenarioInfo | None
    problems: tuple[Problem, ...]
    chat: tuple[str, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    _aliases: Mapping[str, str] = field(default_factory=dict, repr=False)

    def alias_of(self, user_id: str) -> str | None:
        """The alias under which a player's pieces appear, from the id he typed; None = nobody."""
        return self._aliases.get(user_id)


def load_game(saved: Saved) -> Game:
    """The start position of a saved game or log: all of it but the log steps.

    Raises:
        LimitReached: a limit of `vassal_bridge.limits` was passed.
    """
    return Table(saved.remarks).load(saved.text).snapshot()


class _Record:
    """One piece as the engine holds it; `place` is its own, which a stack overrules."""

    __slots__ = ("id", "kind", "piece", "place", "reading", "stack", "states")

    def __init__(self, id_: str, kind: PieceType, states: list[str]) -> None:
        self.id, self.kind, self.states = id_, kind, states
        self.place: tuple[str | None, int, int] = (None, 0, 0)
        self.stack: _StackRecord | None = None
        self.reading: Reading | None = None
        self.piece: Piece | None = None


class _StackRecord:
    """One stack as the engine holds it, empty ones included."""

    __slots__ = ("id", "members", "place")

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.place: tuple[str | None, int, int] = (None, 0, 0)
        self.members: list[_Record] = []


_Thing = _Record | _StackRecord


class Aliases:
    """Gives each owner of one file a name that tells nothing: ``owner-1``, ``owner-2`` …"""

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def __call__(self, secret: str) -> str:
        return self.names.setdefault(secret, f"owner-{len(self.names) + 1}")


class Table:
    """The table the commands are played out on; `snapshot` gives the game as it stands."""

    def __init__(self, remarks: tuple[str, ...] = ()) -> None:
        self._aliases = Aliases()
        self._kinds: dict[str, PieceType] = {}
        self._chat: list[str] = []
        self._problems = [Problem("odd-file", remark) for remark in remarks]
        self._unknown: set[str] = set()
        self.step: int | None = None
        self._clear()

    def _clear(self) -> None:
        self._things: dict[str, _Thing] = {}
        # what lies on each map outside stacks, in the order it came: the engine looks there
        self._loose: dict[str | None, dict[str, _Thing]] = {}
        self._properties: dict[str, str] = {}
        self._boards_line = ""
        self._info: ScenarioInfo | None = None
        self._touched: set[str] = set()
        self._pieces: dict[str, Piece] = {}
        self._stacks: dict[str, Stack] = {}
        self._stale = True
        self._made = 0

    # -- commands ---------------------------------------------------------------------------

    def load(self, text: str) -> Table:
        """Apply everything but log steps."""
        for token in top_tokens(text):
            if token.startswith(("LOG\t", "'LOG\t")):
                continue
            for leaf in token_leaves(token):
                self.apply(decode(leaf))
        return self

    def apply(self, command: Command) -> None:
        """Play one command; what does not fit becomes a problem."""
        action = _ACTIONS.get(type(command))
        if action is None:
            return
        action(self, command)

    def _begin(self, _: BeginSave) -> None:
        self._clear()

    def _say(self, chat: Chat) -> None:
        self._chat.append(chat.text)

    def _set_boards(self, boards: Boards) -> None:
        if not self._boards_line:
            self._boards_line = boards.text

    def _set_info(self, info: ScenarioInfo) -> None:
        self._info = info

    def _set_property(self, change: Property) -> None:
        self._properties[change.name] = change.value
        for thing in self._things.values():
            if isinstance(thing, _Record) and thing.kind.uses_globals:
                thing.reading = None
                self._touch(thing)

    def _unknown_command(self, command: Unknown) -> None:
        word = command.keyword or "?"
        if word not in self._unknown and len(self._unknown) < _MOST_UNKNOWN:
            self._unknown.add(word)
            self._problem("unknown-command", f"a command {word!r} is not known; it is kept")

    def complain(self, code: str, text: str) -> None:
        """Note a problem found by a reader around the table."""
        self._problem(code, text)

    def _problem(self, code: str, text: str, piece: str | None = None) -> None:
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(Problem(code, text, piece, self.step))

    # -- pieces enter, change, leave ----------------------------------------------------------

    def _add(self, command: AddPiece) -> None:
        old = self._things.get(command.id)
        if old is not None:
            self._forget(old)
        if command.is_stack:
            stack = _StackRecord(command.id)
            self._things[command.id] = stack
            self._set_stack(stack, split(command._state, ";"))
            return
        kind = self._kinds.get(command._type)
        if kind is None:
            kind = self._kinds[command._type] = PieceType(command._type, self._aliases)
        states = unnest(command._state)
        if len(states) != kind.count:
            self._problem(
                "damaged-piece",
                f"a piece has {kind.count} traits but {len(states)} states",
                command.id,
            )
            states = (states + [""] * kind.count)[: kind.count]
        record = _Record(command.id, kind, states)
        self._things[command.id] = record
        self._place_loose(record, self._own_place(record))

    def _own_place(self, record: _Record) -> tuple[str | None, int, int]:
        return _place(basic_place(record.states[-1]))

    def _remove(self, command: RemovePiece) -> None:
        thing = self._things.get(command.id)
        if thing is None:
            self._ghost(command.id, "removed")
            return
        self._forget(thing)

    def _forget(self, thing: _Thing) -> None:
        self._lift(thing)
        if isinstance(thing, _StackRecord):
            for member in thing.members:
                member.stack = None
                self._touch(member)
        self._touch(thing)
        del self._things[thing.id]

    def _ghost(self, id_: str, what: str) -> None:
        self._problem("ghost", f"a piece that is not in the game is {what}", id_)

    def _change(self, command: ChangePiece) -> None:
        thing = self._things.get(command.id)
        if thing is None:
            self._ghost(command.id, "changed")
        elif isinstance(thing, _StackRecord):
            tokens = split(command._state, ";")
            if command._old is not None:
                tokens = self._merged(thing, tokens, split(command._old, ";"))
            self._set_stack(thing, tokens)
        else:
            self._change_piece(thing, command)

    def _change_piece(self, record: _Record, command: ChangePiece) -> None:
        """Only what differs between the two states is set, so later moves are not undone."""
        new = unnest(command._state)
        old = unnest(command._old) if command._old is not None else []
        if len(new) != record.kind.count:
            self._problem(
                "damaged-change",
                f"a piece of {record.kind.count} traits gets {len(new)} states",
                command.id,
            )
            new = (new + record.states[len(new) :])[: record.kind.count]
        for i, state in enumerate(new):
            if i >= len(old) or old[i] != state:
                record.states[i] = state
        record.reading = None
        self._touch(record)
        if len(old) == len(new) and old[-1] == new[-1]:
            return
        place = self._own_place(record)
        if record.stack is None:
            self._place_loose(record, place)
        elif place[0] is not None and place[0] != record.stack.place[0]:
            self._place_loose(record, place)

    @staticmethod
    def _merged(stack: _StackRecord, new: list[str], old: list[str]) -> list[str]:
        """The new list with members that came since neither list knew of them."""
        ids = new[3:]
        known = {*ids, *old[3:]}
        for i, member in enumerate(stack.members):
            if member.id not in known:
                below = stack.members[i - 1].id if i else ""
                ids.insert(ids.index(below) + 1 if below in ids else 0, member.id)
        return new[:3] + ids

    def _set_stack(self, stack: _StackRecord, tokens: list[str]) -> None:
        tokens += [""] * (3 - len(tokens))
        for member in stack.members:
            member.stack = None
            self._touch(member)
        stack.members = []
        where = (tokens[0], whole_number(tokens[1]), whole_number(tokens[2]))
        self._place_loose(stack, _place(where))
        for id_ in tokens[3:]:
            child = self._things.get(id_)
            if isinstance(child, _Record):
                self._into(stack, child, len(stack.members))

    # -- moves ------------------------------------------------------------------------------

    def _move(self, command: MovePiece) -> None:
        thing = self._things.get(command.id)
        if thing is None:
            self._ghost(command.id, "moved")
            return
        place = _place((command.map, command.x, command.y))
        if place[0] is None:
            self._lift(thing)
            self._place_loose(thing, place)
            return
        under = self._things.get(command.under) if command.under else None
        if under is not None and self._where(under) == place:
            self._merge(under, thing)
            return
        target = self._mergeable(thing, place, command._player)
        if target is not None:
            self._merge(target, thing)
        else:
            self._place_alone(thing, place)
        if under is None and not command.under and isinstance(thing, _Record) and thing.stack:
            self._into(thing.stack, thing, 0)

    def _place_alone(self, thing: _Thing, place: tuple[str | None, int, int]) -> None:
        self._lift(thing)
        self._place_loose(thing, place)

    def _where(self, thing: _Thing) -> tuple[str | None, int, int]:
        if isinstance(thing, _Record) and thing.stack is not None:
            return thing.stack.place
        return thing.place

    def _mergeable(
        self, moving: _Thing, place: tuple[str | None, int, int], player: str
    ) -> _Thing | None:
        """The first stack or piece at `place` that the mover may lay `moving` on."""
        if isinstance(moving, _Record) and not moving.kind.stacks:
            return None
        for thing in self._loose.get(place[0], {}).values():
            if thing.place != place:
                continue
            if isinstance(thing, _StackRecord):
                if any(self._seen_by(member, player) for member in thing.members):
                    return thing
            elif thing.kind.stacks and self._seen_by(thing, player):
                return thing
        return None

    def _seen_by(self, record: _Record, player: str) -> bool:
        reading = self._reading(record)
        return not reading.hidden or reading.owner == self._aliases.names.get(player)

    def _merge(self, fixed: _Thing, moving: _Thing) -> None:
        """Lay `moving` on `fixed`, which gets a stack if it has none."""
        if isinstance(fixed, _StackRecord):
            top = next((m for m in reversed(fixed.members) if not self._reading(m).hidden), None)
            stack, index = fixed, len(fixed.members)
            if top is not None:
                index = fixed.members.index(top) + 1
        elif fixed.stack is not None:
            stack, index = fixed.stack, fixed.stack.members.index(fixed) + 1
        elif fixed is moving:
            return
        else:
            stack, index = self._new_stack(fixed), 1
        if moving is fixed or moving is stack:
            return
        if isinstance(moving, _StackRecord):
            for offset, member in enumerate(list(moving.members)):
                self._into(stack, member, index + offset)
            return
        if moving.stack is stack:
            index -= 1
        self._into(stack, moving, index)

    def _new_stack(self, record: _Record) -> _StackRecord:
        self._made += 1
        stack = _StackRecord(f"new-{self._made}")
        self._things[stack.id] = stack
        self._place_loose(stack, record.place)
        self._into(stack, record, 0)
        return stack

    # -- the physics ---------------------------------------------------------------------------

    def _lift(self, thing: _Thing) -> None:
        """Take a thing from where it lies: out of its stack, off its map."""
        if isinstance(thing, _Record) and thing.stack is not None:
            stack = thing.stack
            stack.members.remove(thing)
            thing.stack = None
            thing.place = stack.place
            self._touch_stack(stack)
        else:
            self._loose.get(thing.place[0], {}).pop(thing.id, None)

    def _place_loose(self, thing: _Thing, place: tuple[str | None, int, int]) -> None:
        if isinstance(thing, _Record) and thing.stack is not None:
            self._lift(thing)
        loose = self._loose.setdefault(place[0], {})
        if thing.place[0] != place[0] or thing.id not in loose:
            self._loose.get(thing.place[0], {}).pop(thing.id, None)
            loose[thing.id] = thing
        thing.place = place
        if isinstance(thing, _StackRecord):
            self._touch_stack(thing)
        else:
            self._touch(thing)

    def _into(self, stack: _StackRecord, record: _Record, index: int) -> None:
        self._lift(record)
        stack.members.insert(min(index, len(stack.members)), record)
        record.stack = stack
        self._touch_stack(stack)

    def _touch(self, thing: _Thing) -> None:
        self._stale = True
        self._touched.add(thing.id)
        if isinstance(thing, _Record):
            thing.piece = None

    def _touch_stack(self, stack: _StackRecord) -> None:
        self._touch(stack)
        for member in stack.members:
            self._touch(member)

    # -- what stands there ----------------------------------------------------------------------

    def _reading(self, record: _Record) -> Reading:
        if record.reading is None:
            record.reading = record.kind.read(record.states, self._properties)
        return record.reading

    def _piece(self, record: _Record) -> Piece:
        if record.piece is None:
            record.piece = self._reading(record).piece(
                record.id,
                record.kind,
                record.stack.id if record.stack else None,
                record.stack.members.index(record) if record.stack else 0,
                self._where(record),
            )
        return record.piece

    def take_touched(self) -> list[str]:
        """Ids of pieces and stacks touched since the last call, in no meaningful order."""
        touched = sorted(self._touched)
        self._touched = set()
        return touched

    def snapshot(self) -> Game:
        """The game as it stands; unchanged parts are shared with earlier snapshots."""
        if self._stale:
            self._pieces, self._stacks = {}, {}
            for thing in self._things.values():
                if isinstance(thing, _Record):
                    self._pieces[thing.id] = self._piece(thing)
                elif thing.members:
                    members = tuple([member.id for member in thing.members])
                    self._stacks[thing.id] = Stack(thing.id, *thing.place, members)
            self._stale = False
        return Game(
            MappingProxyType(self._pieces),
            MappingProxyType(self._stacks),
            self._boards_line,
            self._info,
            tuple(self._problems),
            tuple(self._chat),
            MappingProxyType(dict(self._properties)),
            MappingProxyType(self._aliases.names),
        )


_MOST_PROBLEMS, _MOST_UNKNOWN = 200, 50

_ACTIONS: Mapping[type[Command], Callable[[Table, Any], None]] = {
    AddPiece: Table._add,
    RemovePiece: Table._remove,
    ChangePiece: Table._change,
    MovePiece: Table._move,
    Chat: Table._say,
    Boards: Table._set_boards,
    ScenarioInfo: Table._set_info,
    Property: Table._set_property,
    BeginSave: Table._begin,
    Unknown: Table._unknown_command,
}


def _place(place: tuple[str | None, int, int]) -> tuple[str | None, int, int]:
    name = place[0]
    if name in (None, "", "null"):
        return (None, place[1], place[2])
    return (_MAP_NAMES.get(name or "", name), place[1], place[2])
