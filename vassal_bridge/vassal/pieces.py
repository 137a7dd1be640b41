"""A piece: its chain of traits, and what the chain says (formats/files.md 7).

The types of pieces repeat thousands of times in a save, so each distinct type is taken apart once
(`PieceType`) and each piece adds only its states. Owners in `hide`, `conceal` and `concealment` are
players' passwords (files.md 12): they are replaced by aliases before anything else sees them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from vassal_bridge.errors import LimitReached
from vassal_bridge.limits import MAX_FIELDS, MAX_NAME_CHARS, MAX_TYPE_CHARS
from vassal_bridge.vassal.commands import whole_number
from vassal_bridge.vassal.sequence import split, unnest

Alias = Callable[[str], str]
"""Turns an owner's secret into the file's alias for him, ``owner-1`` …"""


@dataclass(frozen=True, slots=True)
class Trait:
    """One trait of a piece.

    Attributes:
        kind: its id, e.g. ``emb2``, ``label``, ``conceal`` (files.md 7.3).
        fields: its type, decoded at ``;``; ``fields[0] == kind``. Owners are aliases.
        state: its state as text. Owners are aliases.
    """

    kind: str
    fields: tuple[str, ...]
    state: str

    def field(self, index: int, default: str = "") -> str:
        """Field `index`, or `default` where an older file lacks it."""
        return self.fields[index] if index < len(self.fields) else default


@dataclass(frozen=True, slots=True)
class Layer:
    """An image layer, trait ``emb2`` (files.md 7.4).

    Attributes:
        name: of its property, e.g. ``BRK``; often "".
        images, names: one per level; a name may be "".
        level: 1-based; remembered while the layer is off.
        active: it shows now.
        always: it cannot be switched off.
        keys: the keys that switch it, e.g. ``F`` or ``FV``.
        pressed: in old pieces, the keys of `keys` pressed so far.
    """

    name: str
    images: tuple[str, ...]
    names: tuple[str, ...]
    level: int
    active: bool
    always: bool
    keys: str = ""
    pressed: str = ""

    @property
    def image(self) -> str:
        """The image of the level, whether or not the layer is active; "" if there is none."""
        return self.images[self.level - 1] if 0 < self.level <= len(self.images) else ""

    @property
    def level_name(self) -> str:
        """The name of the level as it stands, e.g. ``broken +``; "" if there is none."""
        return self.names[self.level - 1] if 0 < self.level <= len(self.names) else ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the game, in its present state and place.

    Attributes:
        id: VASSAL's id.
        traits: outermost first; the last one is the basic piece.
        stack: id of the stack it lies in, or None.
        index: place in the stack, bottom = 0; 0 when in none.
        map, x, y: where it is, through its stack; pixels. `map` None = on no map.
        name: as shown to its owner, without ``(?)`` and ``(HIP)`` (files.md 7.4).
        base_name, base_image, gpid: of the basic piece.
        layers: innermost last, as in `traits`.
        hidden: HIP, not seen by opponents.
        concealed: under concealment, seen as ``?`` by opponents.
        owner: per-file alias of who hid it or put it under "?", never his user id.
        moved: has the "moved" flag.
        labels: texts of its non-blank text labels, outermost first.
        marks: constants of ``mark`` traits, e.g. ``Location``, ``DBCounterType``.
        properties: values of dynamic properties (``PROP``).
        public_name: as shown to everybody else: ``?`` when concealed, "" when hidden.
    """

    id: str
    traits: tuple[Trait, ...]
    stack: str | None
    index: int
    map: str | None
    x: int
    y: int
    name: str
    base_name: str
    base_image: str
    gpid: str
    layers: tuple[Layer, ...] = ()
    hidden: bool = False
    concealed: bool = False
    owner: str | None = None
    moved: bool = False
    labels: tuple[str, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    public_name: str = ""

    def trait(self, kind: str) -> Trait | None:
        """The outermost trait of a kind, or None."""
        for trait in self.traits:
            if trait.kind == kind:
                return trait
        return None


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of pieces: place and members from bottom to top."""

    id: str
    map: str | None
    x: int
    y: int
    members: tuple[str, ...]


_NONE = ("", "null")
_OWNED = ("hide", "conceal", "obs", "restrict")
"""Traits whose state is, or begins with, the id of a player."""
_LABEL_FORMAT = "$pieceName$ ($label$)"
_VARIABLE = re.compile(r"\$([^$\n]{1,80})\$")


def list_field(text: str) -> tuple[str, ...]:
    """A ``,`` list inside a trait's field; entries beyond `MAX_FIELDS` are left out."""
    return tuple(split(text, ",", MAX_FIELDS)) if text else ()


def _rename(name: str) -> tuple[str, str] | None:
    """What a layer's name does: text before and after the inner name; None = it replaces it."""
    tokens = split(name, "+")
    if len(tokens) == 1:
        return None
    return (tokens[0], "") if tokens[0] else ("", tokens[1])


class _LayerType:
    """The type of an ``emb2`` trait, taken apart (files.md 7.3)."""

    __slots__ = (
        "_seen", "always", "first", "flagged", "follows", "images", "keys", "name", "names",
        "renames",
    )  # fmt: skip

    def __init__(self, trait: Sequence[str]) -> None:
        def at(index: int) -> str:
            return trait[index] if index < len(trait) else ""

        self.name = at(19)
        self.images = list_field(at(16))
        self.names = list_field(at(17))
        self.renames = tuple(_rename(name) for name in self.names)
        self.keys = at(3)
        self.flagged = at(26) == "true"
        self.always = self.flagged or not at(3).strip()
        self.follows = at(23) if at(22) == "true" else ""
        self.first = whole_number(at(24), 1)
        self._seen: dict[tuple[int, str], Layer] = {}

    def value(self, state: str) -> tuple[int, str]:
        """The signed level (negative = off) and the keys pressed."""
        number, _, pressed = state.partition(";")
        value = whole_number(number, 1 if self.always else -1)
        return (abs(value) if self.flagged else value), pressed

    def layer(self, value: int, pressed: str) -> Layer:
        layer = self._seen.get((value, pressed))
        if layer is None:
            layer = Layer(
                self.name, self.images, self.names, abs(value), value > 0, self.always, self.keys,
                pressed,
            )  # fmt: skip
            self._seen[value, pressed] = layer
        return layer

    def shown(self, value: int, inner: str) -> str:
        """The piece's name with this layer around `inner`, cut at `MAX_NAME_CHARS`."""
        if not 0 < value <= len(self.names) or not self.names[value - 1]:
            return inner
        around = self.renames[value - 1]
        if around is None:
            return split(self.names[value - 1], "+")[0][:MAX_NAME_CHARS]
        return (around[0] + inner + around[1])[:MAX_NAME_CHARS]


@dataclass(frozen=True, slots=True)
class Reading:
    """What type and states of a piece say, all but its place in the game."""

    traits: tuple[Trait, ...]
    name: str
    public_name: str
    gpid: str
    layers: tuple[Layer, ...]
    hidden: bool
    concealed: bool
    owner: str | None
    moved: bool
    labels: tuple[str, ...]
    marks: Mapping[str, str]
    properties: Mapping[str, str]

    def piece(
        self,
        id_: str,
        kind: PieceType,
        stack: str | None,
        index: int,
        place: tuple[str | None, int, int],
    ) -> Piece:
        """The piece at its place."""
        return Piece(
            id_, self.traits, stack, index, *place, self.name, kind.base_name, kind.base_image,
            self.gpid, self.layers, self.hidden, self.concealed, self.owner, self.moved,
            self.labels, self.marks, self.properties, self.public_name,
        )  # fmt: skip


class PieceType:
    """One distinct type text, taken apart once.

    Attributes:
        stacks: whether such pieces may lie in stacks (no ``immob`` trait).
        work: how much such a piece counts towards `MAX_PIECE_WORK`.
        uses_globals: its name may show global properties.
    """

    __slots__ = (
        "_alias", "_fields", "_kinds", "_layers", "_traits", "base_image", "base_name", "count",
        "stacks", "uses_globals", "work",
    )  # fmt: skip

    def __init__(self, text: str, alias: Alias) -> None:
        """Take a type apart.

        Raises:
            LimitReached: it is longer than `MAX_TYPE_CHARS`, or a trait has over `MAX_FIELDS`.
        """
        if len(text) > MAX_TYPE_CHARS:
            raise LimitReached(f"a piece with a type of more than {MAX_TYPE_CHARS} characters")
        self.work = 1 + len(text) // 1000
        self._alias = alias
        self._fields = [self._split(trait) for trait in unnest(text)]
        self._kinds = [fields[0] for fields in self._fields]
        self._layers = [
            _LayerType(fields) if fields[0] == "emb2" else None for fields in self._fields
        ]
        self._traits: list[dict[str, Trait]] = [{} for _ in self._fields]
        self.count = len(self._fields)
        base = self._fields[-1]
        self.base_image = base[3] if len(base) > 3 else ""
        self.base_name = base[4] if len(base) > 4 else ""
        self.stacks = "immob" not in self._kinds
        self.uses_globals = any(
            fields[0] == "label" or (layer is not None and layer.follows)
            for fields, layer in zip(self._fields, self._layers, strict=True)
        )

    def _split(self, trait: str) -> tuple[str, ...]:
        if trait.count(";") > MAX_FIELDS:
            raise LimitReached(f"a trait of more than {MAX_FIELDS} fields")
        fields = split(trait, ";")
        if fields[0] == "concealment" and len(fields) > 1 and fields[1] not in _NONE:
            fields[1] = self._alias(fields[1])
        return tuple(fields)

    def trait(self, index: int, state: str) -> Trait:
        """Trait number `index` with a state; equal ones are one object."""
        trait = self._traits[index].get(state)
        if trait is None:
            kind = self._kinds[index]
            shown = self._masked(kind, state)
            trait = self._traits[index][state] = Trait(kind, self._fields[index], shown)
        return trait

    def _masked(self, kind: str, state: str) -> str:
        if kind not in _OWNED or state in _NONE:
            return state
        if kind in ("hide", "restrict"):
            return self._alias(state)
        owner, *rest = split(state, ";")
        hidden = owner if owner in _NONE else self._alias(owner)
        return ";".join((hidden, *[self._allowed(one) for one in rest]))

    def _allowed(self, options: str) -> str:
        """Whom else the owner lets see: a count and the ids of those players, ``|1|id``."""
        head, *players = split(options, "|")
        if head.strip() or (players and not players[0].isdecimal()):
            return ""  # nothing VASSAL writes; it might be an id
        ids = [self._alias(id_) if id_ else "" for id_ in players[1:]]
        return "|".join((head, *players[:1], *ids))

    def read(self, states: Sequence[str], globals_: Mapping[str, str]) -> Reading:
        """Everything the states say; missing states count as empty.

        Args:
            states: one per trait, outermost first.
            globals_: global properties, for labels that show them.
        """
        if len(states) != self.count:
            states = (*states, *([""] * self.count))[: self.count]
        traits = tuple([self.trait(i, state) for i, state in enumerate(states)])
        return _Reader(self, traits, states, globals_).reading()

    def layer_type(self, index: int) -> _LayerType | None:
        """Trait number `index` as a layer, or None if it is none."""
        return self._layers[index]


class _Reader:
    """Walks one chain outward, from the basic piece to the outermost trait."""

    __slots__ = (
        "_globals", "_named", "_states", "_traits", "_type", "concealed", "hidden", "labels",
        "layers", "marks", "moved", "name", "owner", "properties", "public",
    )  # fmt: skip

    def __init__(
        self,
        kind: PieceType,
        traits: tuple[Trait, ...],
        states: Sequence[str],
        globals_: Mapping[str, str],
    ) -> None:
        self._type, self._traits, self._states = kind, traits, states
        self._globals = globals_
        self._named: dict[str, str] | None = None
        self.name = self.public = kind.base_name
        self.layers: list[Layer] = []
        self.labels: list[str] = []
        self.marks: dict[str, str] = {}
        self.properties: dict[str, str] = {}
        self.hidden = self.concealed = self.moved = False
        self.owner: str | None = None

    def reading(self) -> Reading:
        for i in range(len(self._traits) - 2, -1, -1):
            layer = self._type.layer_type(i)
            if layer is not None:
                self._layer(layer, i)
            else:
                step = _STEPS.get(self._traits[i].kind)
                if step is not None:
                    step(self, self._traits[i])
        self.layers.reverse()
        self.labels.reverse()
        basic = split(self._states[-1], ";", 4)
        gpid = basic[3] if len(basic) > 3 else ""
        return Reading(
            self._traits, self.name, self.public, gpid, tuple(self.layers), self.hidden,
            self.concealed, self.owner, self.moved, tuple(self.labels), self.marks,
            self.properties,
        )  # fmt: skip

    def _layer(self, layer: _LayerType, index: int) -> None:
        value, pressed = layer.value(self._states[index])
        if layer.follows:
            value = self._followed(layer, value)
        self.layers.append(layer.layer(value, pressed))
        self.name = layer.shown(value, self.name)
        self.public = layer.shown(value, self.public)

    def _followed(self, layer: _LayerType, value: int) -> int:
        """The level of a layer that follows a property, as the engine clamps it."""
        wanted = layer.follows.strip()
        if wanted.startswith("{") and wanted.endswith("}"):
            wanted = wanted[1:-1].strip()
        found = wanted if whole_number(wanted, -1) >= 0 else self._property(wanted)
        if found is None:
            return value
        level = whole_number(found) - layer.first + 1
        level = min(max(level, 1), max(1, len(layer.images)))
        return level if value > 0 else -level

    def _property(self, name: str) -> str | None:
        if self._named is None:
            self._named = self._properties()
        return self._named.get(name, self._globals.get(name))

    def _properties(self) -> dict[str, str]:
        """Properties of the whole chain, the outermost trait winning."""
        found = {"BasicName": self._type.base_name}
        for i in range(len(self._traits) - 2, -1, -1):
            trait, layer = self._traits[i], self._type.layer_type(i)
            if layer is not None and layer.name:
                value, _ = layer.value(self._states[i])
                found[f"{layer.name}_Level"] = str(value)
                found[f"{layer.name}_Active"] = "true" if value > 0 else "false"
                found[f"{layer.name}_Name"] = layer.layer(value, "").level_name
            elif trait.kind == "PROP":
                found[trait.field(1)] = trait.state
            elif trait.kind == "mark":
                found.update(_marks(trait))
        return found

    def _label(self, trait: Trait) -> None:
        if not trait.state.strip():
            return
        text = self._filled(trait.state.strip(), {})
        self.labels.append(text)
        pattern = trait.field(12, _LABEL_FORMAT)
        self.name = self._filled(pattern, {"pieceName": self.name, "label": text})
        self.public = self._filled(pattern, {"pieceName": self.public, "label": text})

    def _filled(self, pattern: str, own: Mapping[str, str]) -> str:
        """`pattern` with its ``$name$`` filled in; names nobody knows become empty."""
        if "$" not in pattern:
            return pattern[:MAX_NAME_CHARS]
        room = MAX_NAME_CHARS

        def value(match: re.Match[str]) -> str:
            nonlocal room
            text = (own.get(match.group(1)) or self._property(match.group(1)) or "")[:room]
            room -= len(text)
            return text

        return _VARIABLE.sub(value, pattern[:MAX_NAME_CHARS])[:MAX_NAME_CHARS]

    def _hide(self, trait: Trait) -> None:
        if trait.state not in _NONE:
            self.hidden, self.owner, self.public = True, trait.state, ""

    def _conceal(self, trait: Trait) -> None:
        owner = trait.state.partition(";")[0]
        if owner not in _NONE:
            self.concealed, self.owner, self.public = True, owner, "?"

    def _concealment(self, trait: Trait) -> None:
        if trait.field(1) not in _NONE and self.owner is None:
            self.owner = trait.field(1)

    def _moved(self, trait: Trait) -> None:
        self.moved = self.moved or trait.state == "true"

    def _mark(self, trait: Trait) -> None:
        self.marks.update(_marks(trait))

    def _dynamic(self, trait: Trait) -> None:
        self.properties[trait.field(1)] = trait.state


_STEPS: Mapping[str, Callable[[_Reader, Trait], None]] = {
    "label": _Reader._label,
    "hide": _Reader._hide,
    "conceal": _Reader._conceal,
    "concealment": _Reader._concealment,
    "moved": _Reader._moved,
    "markmoved": _Reader._moved,
    "mark": _Reader._mark,
    "PROP": _Reader._dynamic,
}


def _marks(trait: Trait) -> dict[str, str]:
    names, values = list_field(trait.field(1)), split(trait.state, ",", MAX_FIELDS)
    return dict(zip(names, (*values, *([""] * len(names))), strict=False))


def basic_place(state: str) -> tuple[str, int, int]:
    """Map, x and y of a basic piece's own state."""
    tokens = split(state, ";", 3)
    tokens += [""] * (3 - len(tokens))
    return tokens[0], whole_number(tokens[1]), whole_number(tokens[2])
