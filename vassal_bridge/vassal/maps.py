"""Where things lie: maps, stacks and the engine's way of laying one thing on another.

Pieces lie in stacks or loose on a map; stacks lie loose. A thing dropped on a place joins the
first thing already there that may hold it, as VASSAL's engine does when it plays a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_STACK_MEMBERS
from vassal_bridge.vassal.pieces import PieceType, Reading

Place = tuple[str | None, int, int]
"""Map (None = on none), x and y in pixels."""
NOWHERE: Place = (None, 0, 0)


class Record:
    """One piece as the engine holds it; `place` is its own, which a stack overrules."""

    __slots__ = ("id", "kind", "place", "rank", "reading", "stack", "states")

    def __init__(self, id_: str, kind: PieceType, states: list[str]) -> None:
        self.id, self.kind, self.states = id_, kind, states
        self.place = NOWHERE
        self.rank = 0
        self.stack: StackRecord | None = None
        self.reading: Reading | None = None


class StackRecord:
    """One stack as the engine holds it, empty ones included; members from the bottom up."""

    __slots__ = ("id", "members", "place", "rank")

    def __init__(self, id_: str) -> None:
        self.id = id_
        self.place = NOWHERE
        self.rank = 0
        self.members: list[Record] = []


Thing = Record | StackRecord


class Maps:
    """All maps of a game with what lies on them.

    Attributes:
        things: pieces and stacks by id.
        touched: ids of things that changed or whose place did.
    """

    def __init__(self, hidden_from: Callable[[Record, str | None], bool]) -> None:
        self.things: dict[str, Thing] = {}
        self.touched: set[str] = set()
        self._loose: dict[Place, dict[str, Thing]] = {}
        self._hidden_from = hidden_from
        self._ranks = 0
        self._made = 0

    def where(self, thing: Thing) -> Place:
        """A thing's place, through its stack."""
        if isinstance(thing, Record) and thing.stack is not None:
            return thing.stack.place
        return thing.place

    def touch(self, thing: Thing) -> None:
        """Remember that a thing changed; its piece will be made anew."""
        self.touched.add(thing.id)

    def _touch_all(self, stack: StackRecord) -> None:
        self.touch(stack)
        for member in stack.members:
            self.touch(member)

    def lift(self, thing: Thing) -> None:
        """Take a thing from where it lies: out of its stack, off its map."""
        if isinstance(thing, Record) and thing.stack is not None:
            stack = thing.stack
            stack.members.remove(thing)
            thing.stack = None
            thing.place = stack.place
            self._touch_all(stack)
            self.touch(thing)
            return
        loose = self._loose.get(thing.place)
        if loose is not None:
            loose.pop(thing.id, None)
            if not loose:
                del self._loose[thing.place]

    def put(self, thing: Thing, place: Place) -> None:
        """Lay a thing loose on a place. On its own map it keeps its rank among what lies there."""
        in_stack = isinstance(thing, Record) and thing.stack is not None
        if in_stack or thing.rank == 0 or self.where(thing)[0] != place[0]:
            self._ranks += 1
            thing.rank = self._ranks
        self.lift(thing)
        thing.place = place
        self._loose.setdefault(place, {})[thing.id] = thing
        if isinstance(thing, StackRecord):
            self._touch_all(thing)
        else:
            self.touch(thing)

    def insert(self, stack: StackRecord, record: Record, index: int) -> None:
        """Put a piece into a stack, `index` counted without it from the bottom.

        Raises:
            LimitReached: the stack has `MAX_STACK_MEMBERS` already.
        """
        self._join(stack, record, index)
        self._touch_all(stack)

    def _join(self, stack: StackRecord, record: Record, index: int) -> None:
        self.lift(record)
        if len(stack.members) >= MAX_STACK_MEMBERS:
            raise LimitReached(f"a stack of more than {MAX_STACK_MEMBERS} pieces")
        stack.members.insert(index, record)
        record.stack = stack

    def fill(self, stack: StackRecord, place: Place, members: Iterable[Record]) -> None:
        """Give a stack a place and new members, from the bottom up."""
        for member in stack.members:
            member.stack = None
            self.touch(member)
        stack.members = []
        self.put(stack, place)
        for record in members:
            self._join(stack, record, len(stack.members))
        self._touch_all(stack)

    def remove(self, thing: Thing) -> None:
        """Take a thing out of the game."""
        self.lift(thing)
        if isinstance(thing, StackRecord):
            for member in thing.members:
                member.stack = None
                self.touch(member)
        self.touch(thing)
        del self.things[thing.id]

    def move(self, thing: Thing, place: Place, under: Thing | None, mover: str | None) -> None:
        """Play a move.

        Args:
            thing: what moves.
            place: where to.
            under: what it is to lie on; without meaning unless that is at `place`.
            mover: alias of the mover; he does not join stacks of pieces hidden from him.
        """
        if place[0] is None:
            self.put(thing, place)
        elif under is not None and self.where(under) == place:
            self._merge(under, thing)
        elif (target := self._host(thing, place, mover)) is not None:
            self._merge(target, thing)
        else:
            self.put(thing, place)

    def _host(self, moving: Thing, place: Place, mover: str | None) -> Thing | None:
        """The first stack or piece at `place` that takes `moving`."""
        if isinstance(moving, Record) and not moving.kind.stacks:
            return None
        hosts = [
            thing for thing in self._loose.get(place, {}).values() if self._may_host(thing, mover)
        ]
        return min(hosts, key=lambda thing: thing.rank) if hosts else None

    def _may_host(self, thing: Thing, mover: str | None) -> bool:
        if isinstance(thing, StackRecord):
            return any(not self._hidden_from(member, mover) for member in thing.members)
        return thing.kind.stacks and not self._hidden_from(thing, mover)

    def _merge(self, fixed: Thing, moving: Thing) -> None:
        """Lay `moving` on `fixed`, which gets a stack if it has none."""
        if isinstance(fixed, StackRecord):
            stack, index = fixed, self._top(fixed)
        elif fixed.stack is not None:
            stack, index = fixed.stack, fixed.stack.members.index(fixed) + 1
        elif fixed is moving:
            return
        else:
            stack, index = self._stack_for(fixed), 1
        if moving is fixed or moving is stack:
            return
        if isinstance(moving, StackRecord):
            for offset, member in enumerate(list(moving.members)):
                self.insert(stack, member, index + offset)
            return
        if moving.stack is stack and stack.members.index(moving) < index:
            index -= 1
        self.insert(stack, moving, index)

    def _top(self, stack: StackRecord) -> int:
        """The index above the top piece that is in sight of all; above all if none is."""
        for index in range(len(stack.members), 0, -1):
            if not self._hidden_from(stack.members[index - 1], None):
                return index
        return len(stack.members)

    def _stack_for(self, record: Record) -> StackRecord:
        self._made += 1
        stack = StackRecord(f"new-{self._made}")
        self.things[stack.id] = stack
        self.put(stack, record.place)
        self.insert(stack, record, 0)
        return stack
