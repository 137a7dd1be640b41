"""Commands applied: a game at one moment, and the table on which commands are played out.

What follows the engine here and in `maps` was checked against the client's own account of its
pieces after loading saves and stepping through logs (tests/vassal/test_client.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_PIECE_WORK, MAX_PIECES, MAX_PROPERTIES
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
from vassal_bridge.vassal.frames import Frame, Lines
from vassal_bridge.vassal.maps import Maps, Place, Record, StackRecord
from vassal_bridge.vassal.pieces import Piece, PieceType, Reading, Stack, basic_place
from vassal_bridge.vassal.sequence import split, token_leaves, top_tokens, unnest

_MAP_NAMES = {"Map0": "Main Map", "Map1": "Casualties"}
"""Old files name maps by the ids VASSAL numbered them with (files.md 7.2)."""
_MOST_PROBLEMS, _MOST_UNKNOWN = 200, 50
_LOOKS_PER_WORK = 20
"""Pieces looked at for a changed property that count as one towards `MAX_PIECE_WORK`."""
_PLACE = re.compile(r"[^;]{0,40};-?\d{1,9};-?\d{1,9}(;|$)", re.ASCII)
"""What the state of a basic piece begins with; anything else may be an owner's id."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was not understood or does not fit; reading went on.

    Attributes:
        code: stable word, e.g. ``damaged-piece``, ``unknown-command``, ``ghost``.
        text: what is wrong, one line, no secrets.
        piece: id of the piece concerned, if one is.
        step: log step, counted from 1; None in the start position.
        about: what the text speaks of, for a sentence in another language.
    """

    code: str
    text: str
    piece: str | None = None
    step: int | None = None
    about: str = ""


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
    problems: Sequence[Problem]
    chat: Sequence[str]
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


class Aliases:
    """Gives each owner of one file a name that tells nothing: ``owner-1``, ``owner-2``."""

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def __call__(self, secret: str) -> str:
        """The alias of an owner."""
        return self.names.setdefault(secret, f"owner-{len(self.names) + 1}")


class Table:
    """The table the commands are played out on; `snapshot` gives the game as it stands.

    Attributes:
        step: the log step being played, for problems; None in the start position.
    """

    def __init__(self, remarks: Sequence[str] = ()) -> None:
        self.step: int | None = None
        self._aliases = Aliases()
        self._kinds: dict[str, PieceType] = {}
        self._chat: list[str] = []
        self._problems = [Problem("odd-file", remark, about=remark) for remark in remarks]
        self._unknown: set[str] = set()
        self._work = 0
        self._begin(None)

    def load(self, text: str) -> Table:
        """Apply everything but log steps; returns itself."""
        for token in top_tokens(text):
            if not token.startswith(STEP_STARTS):
                for leaf in token_leaves(token):
                    self.apply(decode(leaf))
        return self

    def apply(self, command: Command) -> None:
        """Play one command; what does not fit becomes a problem.

        Raises:
            LimitReached: a limit of `vassal_bridge.limits` was passed.
        """
        action = _ACTIONS.get(type(command))
        if action is not None:
            action(self, command)

    def complain(self, code: str, text: str, piece: str | None = None, about: str = "") -> None:
        """Note a problem; after two hundred nothing more is noted."""
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(Problem(code, text, piece, self.step, about))

    def _begin(self, _: object) -> None:
        self._maps = Maps(self._hidden_from)
        self._properties: dict[str, str] = {}
        self._new_properties: dict[str, str | None] = {}
        self._frozen_properties: Frame[str] = Frame({}, {})
        self._boards_line = ""
        self._info: ScenarioInfo | None = None
        self._pieces: Frame[Piece] = Frame({}, {})
        self._stacks: Frame[Stack] = Frame({}, {})

    def _say(self, chat: Chat) -> None:
        self._chat.append(chat.text)

    def _set_boards(self, boards: Boards) -> None:
        if not self._boards_line:
            self._boards_line = boards.text
        elif boards.text != self._boards_line:  # the same again is the Casualties map's echo
            self._unknown_command(Unknown(boards.raw, "bd"))

    def _set_info(self, info: ScenarioInfo) -> None:
        self._info = info

    def _set_property(self, change: Property) -> None:
        if change.name not in self._properties and len(self._properties) >= MAX_PROPERTIES:
            raise LimitReached(f"more than {MAX_PROPERTIES} global properties")
        if self._properties.get(change.name) != change.value:
            self._properties[change.name] = self._new_properties[change.name] = change.value

    def _unknown_command(self, command: Unknown) -> None:
        word = command.keyword or "?"
        if word not in self._unknown and len(self._unknown) < _MOST_UNKNOWN:
            self._unknown.add(word)
            self.complain("unknown-command", f"a command {word!r} is not known", about=repr(word))

    # -- pieces enter, change, move, leave ---------------------------------------------------

    def _add(self, command: AddPiece) -> None:
        old = self._maps.things.get(command.id)
        if old is not None:
            self._maps.remove(old)
        if len(self._maps.things) >= MAX_PIECES:
            raise LimitReached(f"more than {MAX_PIECES} pieces")
        if command.is_stack:
            stack = StackRecord(command.id)
            self._maps.things[command.id] = stack
            place, ids = _stack_state(split(command._state, ";"))
            self._maps.fill(stack, place, self._free(ids, place))
            return
        kind = self._kinds.get(command._type)
        if kind is None:
            kind = self._kinds[command._type] = PieceType(command._type, self._aliases)
        states = unnest(command._state)
        if len(states) != kind.count:
            self.complain(
                "damaged-piece",
                f"a piece has {kind.count} traits but {len(states)} states",
                command.id,
            )
            # which state is whose cannot be told: the client leaves such a piece bare, and an
            # owner must not come to light as the state of another trait
            last = states[-1] if _PLACE.match(states[-1]) else ""
            states = [*[""] * (kind.count - 1), last]
        record = Record(command.id, kind, states)
        self._maps.things[command.id] = record
        self._maps.put(record, _place(*basic_place(states[-1])))

    def _records(self, ids: Sequence[str]) -> Iterator[Record]:
        """The pieces of these ids; ids of nothing are ignored, as the engine does."""
        for id_ in dict.fromkeys(ids):
            child = self._maps.things.get(id_)
            if isinstance(child, Record):
                yield child

    def _free(self, ids: Sequence[str], place: Place) -> Iterator[Record]:
        """Members a new stack gets: not those that already lie in a stack at its very place.

        3.7 logs such a stack for each of several pieces dragged together, though the move before
        it has merged them; the client keeps the merged one.
        """
        for record in self._records(ids):
            if record.stack is None or record.stack.place != place:
                yield record

    def _remove(self, command: RemovePiece) -> None:
        thing = self._maps.things.get(command.id)
        if thing is None:
            self._ghost(command.id, "removed")
        else:
            self._maps.remove(thing)

    def _ghost(self, id_: str, what: str) -> None:
        self.complain("ghost", f"a piece that is not in the game is {what}", id_)

    def _change(self, command: ChangePiece) -> None:
        thing = self._maps.things.get(command.id)
        if thing is None:
            self._ghost(command.id, "changed")
        elif isinstance(thing, StackRecord):
            place, ids = _stack_state(split(command._state, ";"))
            if command._old is not None:
                ids = _merged(thing, ids, _stack_state(split(command._old, ";"))[1])
            self._maps.fill(thing, place, list(self._records(ids)))
        else:
            self._change_piece(thing, command)

    def _change_piece(self, record: Record, command: ChangePiece) -> None:
        """Only what differs between the two states is set, so later moves are not undone."""
        new = unnest(command._state)
        old = unnest(command._old) if command._old is not None else []
        count = record.kind.count
        if len(new) != count:
            self.complain(
                "damaged-change", f"a piece of {count} traits gets {len(new)} states", command.id
            )
            return
        for i, state in enumerate(new):
            if i >= len(old) or old[i] != state:
                record.states[i] = state
        record.reading = None
        self._maps.touch(record)
        if len(old) == len(new) and old[-1] == new[-1]:
            return
        place = _place(*basic_place(record.states[-1]))
        stack = record.stack
        if stack is None or (place[0] is not None and place[0] != stack.place[0]):
            self._maps.put(record, place)

    def _move(self, command: MovePiece) -> None:
        thing = self._maps.things.get(command.id)
        if thing is None:
            self._ghost(command.id, "moved")
            return
        under = self._maps.things.get(command.under) if command.under else None
        mover = self._aliases.names.get(command._player, "")
        self._maps.move(thing, _place(command.map, command.x, command.y), under, mover)
        if not command.under and isinstance(thing, Record) and thing.stack:
            self._maps.insert(thing.stack, thing, 0)

    # -- what stands there ----------------------------------------------------------------------

    def _reading(self, record: Record) -> Reading:
        if record.reading is None:
            record.reading = record.kind.read(record.states, self._properties)
        return record.reading

    def _hidden_from(self, record: Record, viewer: str | None) -> bool:
        reading = self._reading(record)
        return reading.hidden and reading.owner != viewer

    def _piece(self, record: Record, index: int) -> Piece:
        stack = record.stack.id if record.stack else None
        return self._reading(record).piece(
            record.id, record.kind, stack, index, self._maps.where(record)
        )

    def snapshot(self) -> Game:
        """The game as it stands; what did not change is shared with earlier snapshots."""
        if self._new_properties:
            self._frozen_properties = self._frozen_properties.changed(self._new_properties)
            self._new_properties = {}
            self._worked(len(self._maps.things) // _LOOKS_PER_WORK)
            for thing in self._maps.things.values():
                if isinstance(thing, Record) and thing.kind.uses_globals:
                    thing.reading = None
                    self._maps.touch(thing)
        pieces: dict[str, Piece | None] = {}
        stacks: dict[str, Stack | None] = {}
        touched, self._maps.touched = self._maps.touched, set()
        places: dict[str, dict[str, int]] = {}
        for id_ in sorted(touched) if len(self._pieces) else self._in_order(touched):
            held = self._maps.things.get(id_)
            index = 0
            if isinstance(held, Record) and held.stack is not None:
                stack = held.stack
                if stack.id not in places:
                    places[stack.id] = {m.id: i for i, m in enumerate(stack.members)}
                index = places[stack.id][id_]
            self._refresh(id_, index, pieces, stacks)
        self._pieces = self._pieces.changed(pieces)
        self._stacks = self._stacks.changed(stacks)
        return Game(
            self._pieces,
            self._stacks,
            self._boards_line,
            self._info,
            Lines(self._problems),
            Lines(self._chat),
            self._frozen_properties,
            MappingProxyType(self._aliases.names),
        )

    def _in_order(self, touched: set[str]) -> list[str]:
        """All ids in the order things entered, then those that are gone."""
        here = [id_ for id_ in self._maps.things if id_ in touched]
        return here + sorted(touched.difference(here))

    def _worked(self, work: int) -> None:
        """Count towards `MAX_PIECE_WORK` while a log is played."""
        if self.step is not None:
            self._work += work
            if self._work > MAX_PIECE_WORK:
                raise LimitReached("the log changes pieces more often than any game does")

    def _refresh(
        self,
        id_: str,
        index: int,
        pieces: dict[str, Piece | None],
        stacks: dict[str, Stack | None],
    ) -> None:
        """Make the value of one touched thing anew; `index` is its place in its stack."""
        thing = self._maps.things.get(id_)
        if isinstance(thing, Record):
            self._worked(thing.kind.work)
            pieces[id_] = self._piece(thing, index)
            if id_ in self._stacks:
                stacks[id_] = None
            return
        if id_ in self._pieces:
            pieces[id_] = None
        if thing is not None and thing.members:
            members = tuple([member.id for member in thing.members])
            stacks[id_] = Stack(thing.id, *thing.place, members)
        elif id_ in self._stacks:
            stacks[id_] = None


STEP_STARTS = ("LOG\t", "'LOG\t")
"""How the top-level tokens begin that are steps of a log; quoted ones end in a backslash."""

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


def _place(name: str | None, x: int, y: int) -> Place:
    if name in (None, "", "null"):
        return (None, x, y)
    return (_MAP_NAMES.get(name or "", name), x, y)


def _stack_state(tokens: list[str]) -> tuple[Place, list[str]]:
    """Place and member ids of a stack's state."""
    tokens += [""] * (3 - len(tokens))
    return _place(tokens[0], whole_number(tokens[1]), whole_number(tokens[2])), tokens[3:]


def _merged(stack: StackRecord, new: list[str], old: list[str]) -> list[str]:
    """The new list with members that came when neither list knew of them, each where it lies."""
    ids = list(new)
    known = {*new, *old}
    for i, member in enumerate(stack.members):
        if member.id not in known:
            below = stack.members[i - 1].id if i else ""
            ids.insert(ids.index(below) + 1 if below in ids else 0, member.id)
    return ids
