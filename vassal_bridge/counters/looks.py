"""A piece as the questions of `classify` see it: name taken apart, pictures, nation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from vassal_bridge.counters.maps import CounterMaps, counter_maps
from vassal_bridge.counters.names import NameParts, take_apart, without_labels
from vassal_bridge.counters.source import Piece

_SUFFIX = re.compile(r"\.(?:gif|png|svg|jpe?g)$")


@lru_cache(maxsize=8192)
def picture_key(image: str) -> tuple[tuple[str, ...], str]:
    """Folders and stem of a picture, lower case, without suffix; ``("", …)`` folders if none.

    >>> picture_key("ge/veh/PzIVH.gif")
    (('ge', 'veh'), 'pzivh')
    """
    *folders, stem = image.strip().casefold()[:200].split("/")
    return tuple(folders), _SUFFIX.sub("", stem)


@dataclass(frozen=True, slots=True)
class Looks:
    """The piece as the questions below see it."""

    piece: Piece
    maps: CounterMaps
    parts: NameParts
    pictures: tuple[tuple[tuple[str, ...], str], ...]
    nation: str | None
    concealable: bool

    def in_folder(self, folders: frozenset[str]) -> bool:
        """Whether an identity picture lies in one of `folders`, at any depth."""
        return any(folder in folders for path, _ in self.pictures for folder in path)


def _pictures(piece: Piece, maps: CounterMaps) -> Iterator[tuple[tuple[str, ...], str]]:
    """Pictures that show now, without state decorations, the outermost first."""
    for layer in piece.layers:
        if layer.active and layer.image.strip():
            key = picture_key(layer.image)
            if "/".join((*key[0], key[1])) not in maps.decorations:
                yield key
    if piece.base_image.strip():
        yield picture_key(piece.base_image)


def _nation(
    conceal: str | None, pictures: tuple[tuple[tuple[str, ...], str], ...], maps: CounterMaps
) -> str | None:
    """VASL's code: what the counter is concealed with, refined or replaced by its pictures."""
    folders = [path[0] for path, _ in pictures if path]
    if conceal is not None:
        for folder in folders:
            if conceal in maps.refines.get(folder, ()):
                return folder
        return conceal
    return next((folder for folder in folders if folder in maps.nations), None)


def look(piece: Piece) -> tuple[Looks, frozenset[str]]:
    """The piece taken apart, and the kinds of its traits."""
    maps = counter_maps()
    kinds: set[str] = set()
    conceal: str | None = None
    for trait in piece.traits:
        kinds.add(trait.kind)
        code = 3 if trait.kind == "conceal" else 2 if trait.kind == "concealment" else 0
        if code and conceal is None and len(trait.fields) > code:
            conceal = trait.fields[code].strip().casefold() or None
    pictures = tuple(_pictures(piece, maps))
    parts = take_apart(without_labels(piece.name, piece.labels))
    nation = _nation(conceal, pictures, maps)
    looks = Looks(piece, maps, parts, pictures, nation, "conceal" in kinds)
    return looks, frozenset(kinds)
