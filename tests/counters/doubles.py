"""Small stand-ins with the attributes of VASSAL's pieces, for stacks no file at hand holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Trait:
    kind: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class Layer:
    name: str = ""
    images: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    level: int = 1
    active: bool = True

    @property
    def image(self) -> str:
        return self.images[self.level - 1] if 0 < self.level <= len(self.images) else ""

    @property
    def level_name(self) -> str:
        return self.names[self.level - 1] if 0 < self.level <= len(self.names) else ""


@dataclass(frozen=True)
class Piece:
    id: str
    name: str
    base_name: str = ""
    base_image: str = ""
    traits: tuple[Trait, ...] = ()
    layers: tuple[Layer, ...] = ()
    labels: tuple[str, ...] = ()
    hidden: bool = False
    concealed: bool = False
    owner: str | None = None
    moved: bool = False
    map: str | None = "Main Map"
    x: int = 0
    y: int = 0
    stack: str | None = None
    index: int = 0


@dataclass(frozen=True)
class Game:
    pieces: dict[str, Piece] = field(default_factory=dict)


def counter(name: str, nation: str | None = None, **facts: object) -> Piece:
    """A piece of a nation by its shown name; broken layers as VASL draws them for that nation."""
    traits = () if nation is None else (Trait("conceal", ("conceal", "C", "", nation)),)
    layers: tuple[Layer, ...] = ()
    if nation is not None and name.endswith(("sq", "hs", "cr")):
        letter = {"sq": "s", "hs": "h", "cr": "c"}[name[-2:]]
        layers = (
            Layer("BRK", (f"{nation}/{nation}{letter}7b",), ("broken +",), 1, "broken" in name),
            Layer("SQ", (f"{nation}/{nation}447S",), (name.removeprefix("broken "),)),
        )
    known = {"id": name, "name": name, "base_name": name, "traits": traits, "layers": layers}
    return Piece(**{**known, **facts})  # type: ignore[arg-type]


RU, GE = "ru", "ge"


def stack(
    *pieces: tuple[str, str | None] | Piece | str, x: int = 100, y: int = 100, name: str = "s"
):
    """Pieces of one stack from bottom to top; ids are ``<stack>.<index>``."""
    made = []
    for index, entry in enumerate(pieces):
        if isinstance(entry, Piece):
            piece = entry
        elif isinstance(entry, str):
            piece = counter(entry)
        else:
            piece = counter(*entry)
        made.append(replace(piece, id=f"{name}.{index}", stack=name, index=index, x=x, y=y))
    return made


def game(*stacks: list[Piece]) -> Game:
    return Game({piece.id: piece for pieces in stacks for piece in pieces})


def unit(factors: str, nation: str = RU) -> tuple[str, str]:
    return factors, nation


def mark(nation: str, **facts: object) -> Piece:
    """A "?" counter."""
    trait = Trait("concealment", ("concealment", "owner-1", nation))
    return Piece(id="?", name="?", base_name="?", traits=(trait,), **facts)  # type: ignore[arg-type]
