"""Puts secrets into saves and logs as a client would: hidden pieces, what lies under "?"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from tests.shared import SAVES, SHARED
from vassal_bridge.demo import demo_save
from vassal_bridge.vassal import open_saved
from vassal_bridge.vassal.sequence import (
    ESC,
    decode_token,
    encode_token,
    join,
    leaves,
    nest,
    split,
    top_tokens,
    unnest,
)

CANARY = "Kanari3n-vog\u00e9l"
"""The password of whoever hid something."""


@dataclass
class Text:
    """A game's text taken apart: what stands before, the pieces, what stands after.

    Attributes:
        before, after: tokens of the top level.
        pieces: ``+/`` commands of the start position, in order.
    """

    before: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Text:
        found = cls()
        for token in top_tokens(text):
            inner = decode_token(token, ESC)
            if not found.pieces and not found.after and ESC in inner and "+/" in inner[:40]:
                found.pieces = [leaf for leaf in leaves(inner) if leaf]
            elif found.pieces:
                found.after.append(token)
            else:
                found.before.append(token)
        if not found.pieces:
            at = found.before.index("end_save")
            found.before, found.after = found.before[:at], found.before[at:]
        return found

    def text(self) -> str:
        members = ESC.join(["", *(encode_token(piece, ESC) for piece in self.pieces)])
        group = [encode_token(members, ESC)] if self.pieces else []
        return ESC.join([*self.before, *group, *self.after])

    def next_id(self) -> str:
        """An id that is free, and lower than the highest."""
        used = {split(piece, "/", 2)[1] for piece in self.pieces}
        number = 1_000_000_007
        while str(number) in used:
            number += 1
        return str(number)


def is_hidden(piece: str) -> bool:
    _, types, states = taken_apart(piece)
    return any(
        kind.startswith("hide;") and state not in ("", "null")
        for kind, state in zip(types, states, strict=True)
    )


def is_stack(piece: str) -> bool:
    return split(piece, "/", 3)[2] == "stack"


def taken_apart(piece: str) -> tuple[str, list[str], list[str]]:
    """Id, types and states of a piece."""
    _, id_, kind, state = split(piece, "/", 4)
    return id_, unnest(kind), unnest(state)


def put_together(id_: str, types: Sequence[str], states: Sequence[str]) -> str:
    return join(("+", id_, nest(list(types)), nest(list(states))), "/")


def hidden(piece: str, id_: str, owner: str, place: str) -> str:
    """A HIP copy of a piece."""
    _, types, states = taken_apart(piece)
    at = next((n for n, kind in enumerate(types) if kind.startswith("hide;")), None)
    if at is None:
        types, states, at = ["hide;72,130;HIP;;player:;0.3", *types], ["null", *states], 0
    states[at] = owner
    basic = split(states[-1], ";")
    states[-1] = join((*split(place, ";"), *basic[3:]), ";")
    return put_together(id_, types, states)


def concealed(piece: str, owner: str, nation: str | None = None) -> str:
    """The same piece under concealment."""
    id_, types, states = taken_apart(piece)
    for n, kind in enumerate(types):
        if kind.startswith("conceal;"):
            states[n] = f"{owner};|0"
            if nation is not None:
                fields = split(kind, ";")
                fields[3] = nation
                types[n] = join(fields, ";")
    return put_together(id_, types, states)


def question_mark(id_: str, owner: str, nation: str, place: str) -> str:
    """A "?" counter."""
    types = [f"concealment;{owner};{nation}", f"piece;;;{nation}/{nation}?;?"]
    return put_together(id_, types, ["", f"{place};5199"])


RICH = ("rich1_side_by_side", "rich2_over_reversed", "rich5_four", "rich3_overlay_crop",
        "P1 S3 simple equation RPh", "S36-4-A-AFPh", "rout_example")  # fmt: skip
"""Real saves with pieces of all kinds: units, Guns, vehicles, weapons, markers."""


@cache
def templates() -> tuple[str, ...]:
    """Pieces to hide: of real saves, or without ../shared those of the demo."""
    files = [SAVES / "made" / f"{name}.vsav" for name in RICH] if SHARED.is_dir() else [demo_save()]
    found: dict[str, str] = {}
    for file in files:
        for piece in Text.of(open_saved(file).text).pieces:
            if not is_stack(piece):
                found.setdefault(taken_apart(piece)[1][-1], _open(piece))
    return tuple(found.values())


def _open(piece: str) -> str:
    """The piece for all to see."""
    id_, types, states = taken_apart(piece)
    for n, kind in enumerate(types):
        if kind.startswith("hide;"):
            states[n] = "null"
        elif kind.startswith("conceal;"):
            states[n] = "null;"
    return put_together(id_, types, states)


def places(text: Text) -> list[str]:
    """Places (map;x;y) of the stacks of a game."""
    return [
        ";".join(split(split(piece, "/", 4)[3], ";")[:3])
        for piece in text.pieces
        if is_stack(piece)
    ]


def hide_some(text: Text, random: Random, count: int, owner: str = CANARY) -> Text:
    """The game with some hidden pieces of anybody, in stacks of others, on their own, anywhere."""
    pieces = list(text.pieces)
    new = Text(text.before, pieces, text.after)
    for _ in range(count):
        id_ = new.next_id()
        template = random.choice(templates())
        stacks = [n for n, piece in enumerate(pieces) if is_stack(piece)]
        how = random.choice(("stack", "stack", "lone", "new"))
        if how == "stack" and stacks:
            at = random.choice(stacks)
            _, stack, kind, state = split(pieces[at], "/", 4)
            fields = split(state, ";")
            members = [f for f in fields[3:] if not f.startswith("@@")]
            members.insert(random.randint(0, len(members)), id_)
            tail = [f for f in fields[3:] if f.startswith("@@")]
            pieces[at] = join(("+", stack, kind, join((*fields[:3], *members, *tail), ";")), "/")
            pieces.insert(at, hidden(template, id_, owner, ";".join(fields[:3])))
            continue
        x, y = random.choice([(random.randint(-900, 9000), random.randint(-900, 9000)),
                              *(tuple(map(int, p.split(";")[1:])) for p in places(text)[:40]
                                if not p.startswith("null"))])  # fmt: skip
        place = f"Main Map;{x + random.choice((0, 0, 1, 28))};{y}"
        pieces.append(hidden(template, id_, owner, place))
        if how == "new":
            pieces.append(join(("+", str(int(id_) + 500_000), "stack", f"{place};{id_}"), "/"))
    return new


def swap_concealed(text: Text, random: Random) -> Text:
    """The same game with other units under every "?": types and states are others."""
    units = [
        piece
        for piece in templates()
        if any(k.startswith("conceal;") for k in taken_apart(piece)[1])
    ]

    def other(piece: str) -> str:
        id_, types, states = taken_apart(piece)
        place = split(states[-1], ";")
        for n, kind in enumerate(types):
            if kind.startswith("conceal;") and states[n].split(";")[0] not in ("", "null"):
                new = concealed(random.choice(units), states[n].split(";")[0], split(kind, ";")[3])
                _, types, states = taken_apart(new)
                basic = split(states[-1], ";")
                states[-1] = join((*place[:3], *basic[3:]), ";")
                return put_together(id_, types, states)
        return piece

    swapped = [p if is_stack(p) or is_hidden(p) else other(p) for p in text.pieces]
    return Text(text.before, swapped, text.after)


def conceal_stack(text: Text, random: Random, owner: str = CANARY) -> tuple[Text, bool]:
    """Put a whole stack of one nationality under "?" counters of its own."""
    pieces = list(text.pieces)
    by_id = {split(piece, "/", 2)[1]: n for n, piece in enumerate(pieces)}
    stacks = [n for n, piece in enumerate(pieces) if is_stack(piece)]
    random.shuffle(stacks)
    for at in stacks:
        _, stack, kind, state = split(pieces[at], "/", 4)
        fields = split(state, ";")
        members = [f for f in fields[3:] if f in by_id]
        nations = {
            split(k, ";")[3]
            for id_ in members
            for k in taken_apart(pieces[by_id[id_]])[1]
            if k.startswith("conceal;")
        }
        secret = any(is_hidden(pieces[by_id[id_]]) for id_ in members)
        if len(nations) != 1 or len(members) != len(fields[3:]) or secret:
            continue
        for id_ in members:
            pieces[by_id[id_]] = concealed(pieces[by_id[id_]], owner)
        new = Text(text.before, pieces, text.after)
        id_ = new.next_id()
        place = ";".join(fields[:3])
        pieces[at] = join(("+", stack, kind, join((*fields, id_), ";")), "/")
        pieces.insert(at, question_mark(id_, owner, nations.pop(), place))
        return new, True
    return text, False


def steps_with_hidden(text: Text, random: Random, owner: str = CANARY) -> Text:
    """A log in which a hidden piece is moved and changed inside other steps."""
    hidden_ids = [
        split(piece, "/", 2)[1]
        for piece in text.pieces
        if not is_stack(piece) and owner in taken_apart(piece)[2]
    ]
    after = list(text.after)
    steps = [n for n, token in enumerate(after) if token.startswith(("LOG\t", "\\\x1bLOG\t"))]
    for id_ in hidden_ids:
        for at in random.sample(steps, min(3, len(steps))):
            x, y = random.randint(400, 2200), random.randint(400, 1040)
            place, under = f"Main Map/{x}/{y}", "null"
            stacks = [piece for piece in text.pieces if is_stack(piece)]
            if stacks and random.random() < 0.6:  # laid into a stack of others
                fields = split(split(random.choice(stacks), "/", 4)[3], ";")
                if len(fields) > 3 and fields[0] == "Main Map":
                    place, under = "/".join(fields[:3]), random.choice(fields[3:])
            more = f"LOG\tM/{id_}/{place}/{under}/Main Map/0/0/null/{owner}"
            inner = decode_token(after[at], ESC)
            members = inner if ESC in inner else encode_token(inner, ESC)
            after[at] = encode_token(f"{members}{ESC}{encode_token(more, ESC)}", ESC)
    return Text(text.before, text.pieces, after)


def each_leaf(text: str) -> Iterator[str]:
    return leaves(text)


Change = Callable[[Text, Random], Text]


def demo_text(path: Path) -> Text:
    return Text.of(open_saved(path).text)
