"""MMC and SMC: factors from the name, broken morale from the picture (formats/counters.md 4)."""

from __future__ import annotations

import re

from vassal_bridge.counters.looks import Looks, picture_key
from vassal_bridge.counters.maps import CounterMaps, SpecialData
from vassal_bridge.counters.model import MMC, Counter, Kind, State
from vassal_bridge.counters.names import Strength, strength
from vassal_bridge.counters.source import Layer, Piece

_BROKEN_PICTURE = re.compile(r"[a-z]{2}[shc](?:sf|k)?(\d{1,2})b")
_UNNAMED_LEADER = re.compile(r"[a-z]{2,5}(?:LDR|COM)(?:\(\w{1,6}\))?")
_LEADER_PICTURE = re.compile(r"[a-z]{2}l(\d{1,2})([-+]\d)")


def unit(looks: Looks) -> Counter | None:
    """MMC, leader or hero by the factors in the name; needs a nation (or neutral crew)."""
    core = looks.parts.core
    found = strength(core)
    if found is not None:
        return _armor_leader(looks, found) if found.armor_leader else _infantry(looks, found)
    special = looks.maps.specials.get(core.casefold())
    if special is not None:
        return _special(looks, special)
    if _UNNAMED_LEADER.fullmatch(core):
        return _unnamed_leader(looks)
    return None


def _armor_leader(looks: Looks, found: Strength) -> Counter:
    # he rides in a vehicle and is no unit of his own, so he is told as a marker
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.MARKER,
        label=found.label,
        morale=found.morale,
        leadership=found.leadership,
        marker="armor-leader",
        evidence="name",
    )


def _infantry(looks: Looks, found: Strength) -> Counter:
    piece = looks.piece
    states = set(looks.parts.words)
    if found.kind in MMC:
        broken = _broken_morale(looks)
        if _shows_broken_side(piece):
            states.add(State.BROKEN)
    else:
        broken = found.morale  # a leader's broken morale is his unbroken one (rules/weapons.md)
    return Counter(
        piece.id,
        piece.name,
        found.kind,
        label=found.label,
        unit_class=found.unit_class,
        fp=found.fp,
        range=found.range,
        morale=found.morale,
        broken_morale=broken,
        leadership=found.leadership,
        states=frozenset(states),
        evidence="name",
    )


def _special(looks: Looks, special: SpecialData) -> Counter:
    states = looks.parts.words
    fp, reach, morale = special.wounded if State.WOUNDED in states else special.factors
    strength_text = f"{fp}-{reach}-{morale}" if special.kind is Kind.HERO else looks.parts.core
    return Counter(
        looks.piece.id,
        looks.piece.name,
        special.kind,
        label=strength_text,
        fp=fp,
        range=reach,
        morale=morale,
        broken_morale=morale if special.kind is Kind.LEADER else None,
        states=states,
        evidence="name",
    )


def _unnamed_leader(looks: Looks) -> Counter:
    """A leader whose level has no name: only his picture tells (``fi/fiL8+1``)."""
    morale: int | None = None
    leadership: int | None = None
    for _, stem in looks.pictures:
        match = _LEADER_PICTURE.fullmatch(stem)
        if match is not None:
            morale, leadership = int(match[1]), int(match[2])
            break
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.LEADER,
        label="" if morale is None else f"{morale}{leadership:+d}",
        fp=0,
        range=0,
        morale=morale,
        broken_morale=morale,
        leadership=leadership,
        states=looks.parts.words,
        evidence="picture",
    )


def _shows_broken_side(piece: Piece) -> bool:
    """A layer of property BRK is on: broken even where its name was left out."""
    return any(layer.active and layer.name == "BRK" for layer in piece.layers)


def _picture_morale(image: str, broken: CounterMaps) -> int | None:
    path, stem = picture_key(image)
    listed = broken.broken.get("/".join((*path, stem)))
    if listed is not None:
        return listed
    match = _BROKEN_PICTURE.fullmatch(stem)
    # 0 stands on the make-your-own counters: not known
    return (int(match[1]) or None) if match is not None else None


def _is_broken_layer(layer: Layer) -> bool:
    names = layer.level_name.casefold()
    return layer.name == "BRK" or names.startswith(("broken", "brk"))


def _broken_morale(looks: Looks) -> int | None:
    """Morale of the broken side of the form that shows (formats/counters.md 4).

    A squad that can become a half-squad has two broken layers; the one that belongs to the form
    lies directly outside the form's own layer, so outward from the picture that shows the unit.
    """
    layers = looks.piece.layers
    showing = [
        place
        for place, layer in enumerate(layers)
        if layer.active and layer.image.strip() and not _decoration(layer, looks.maps)
    ]
    for place in showing:  # outermost first: a broken side that shows settles it
        if _is_broken_layer(layers[place]):
            return _picture_morale(layers[place].image, looks.maps)
    named = [place for place in showing if layers[place].level_name.strip()]
    # class letters of VASL 6.7 are pictures without a name or folder, put on top of the unit's own
    drawn = named or [place for place in showing if picture_key(layers[place].image)[0]]
    form = drawn[0] if drawn else len(layers)
    outward = [layer for layer in reversed(layers[:form]) if _is_broken_layer(layer)]
    if outward:
        return _picture_morale(outward[0].image, looks.maps)
    for place in showing:  # broken as level 2 of an always-on layer
        layer = layers[place]
        for image, name in zip(layer.images, layer.names, strict=False):
            if name.casefold().startswith(("broken", "brk")):
                return _picture_morale(image, looks.maps)
    return None


def _decoration(layer: Layer, maps: CounterMaps) -> bool:
    """State pictures (berserk, wound …) and formation names put on the counter."""
    if layer.level_name.lstrip().startswith("+"):
        return True
    path, stem = picture_key(layer.image)
    return "/".join((*path, stem)) in maps.decorations
