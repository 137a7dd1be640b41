"""From a piece of VASL to a counter: the method of formats/counters.md.

The shown name and the pictures of the active layers say what a piece is; the palette slot (gpid)
is not asked, it changes between versions of VASL. The order of the questions in `_kind_of` is the
order of the evidence: structure first (a trait nobody types by hand), then strengths and names,
then picture folders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from vassal_bridge.counters.maps import (
    CounterMaps,
    MarkerData,
    SpecialData,
    WeaponData,
    WeaponFace,
    counter_maps,
)
from vassal_bridge.counters.model import MMC, Counter, GunFacts, Kind, State, VehicleFacts
from vassal_bridge.counters.names import (
    NameParts,
    Strength,
    gun_facts,
    strength,
    take_apart,
    without_bare_labels,
    without_labels,
)
from vassal_bridge.counters.source import Layer, Piece

_NEUTRAL = "sh"
_SUFFIX = re.compile(r"\.(?:gif|png|svg|jpe?g)$")
_BROKEN_PICTURE = re.compile(r"[a-z]{2}[shc](?:sf|k)?(\d{1,2})b")
_WRECK = re.compile(r".* wreck ?\d?")
_UNNAMED_LEADER = re.compile(r"[a-z]{2,5}(?:LDR|COM)(?:\(\w{1,6}\))?")
_LEADER_PICTURE = re.compile(r"[a-z]{2}l(\d{1,2})([-+]\d)")
_CAPTURED = re.compile(r"(.+?)\(([a-z])\)(?: <\d\d)?")
_CALIBRE = re.compile(r"((?:dm )?\d{2,3}\*? (?:MTR|ART|RCL))\b.*")


@lru_cache(maxsize=8192)
def picture_key(image: str) -> tuple[tuple[str, ...], str]:
    """Folders and stem of a picture, lower case, without suffix; ``("", …)`` folders if none.

    >>> picture_key("ge/veh/PzIVH.gif")
    (('ge', 'veh'), 'pzivh')
    """
    *folders, stem = image.strip().casefold()[:200].split("/")
    return tuple(folders), _SUFFIX.sub("", stem)


@dataclass(frozen=True, slots=True)
class _Looks:
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


def _look(piece: Piece) -> tuple[_Looks, frozenset[str]]:
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
    looks = _Looks(piece, maps, parts, pictures, nation, "conceal" in kinds)
    return looks, frozenset(kinds)


def classify(piece: Piece) -> Counter:
    """What a piece is and in what state by itself, markers in its stack not yet considered.

    Args:
        piece: as `vassal.load_game` gives it.

    Returns:
        A counter with kind, nationality, factors and own states; kind ``unknown`` when nothing
        tells what it is. Never raises on odd names or pictures.
    """
    looks, kinds = _look(piece)
    counter = _kind_of(looks, kinds)
    maps = looks.maps
    return replace(
        counter,
        nation=looks.nation,
        nationality=None if looks.nation is None else maps.nations.get(looks.nation),
        label=counter.label or looks.parts.core,
        states=counter.states | _own_states(piece),
        owner=piece.owner,
        map=piece.map,
        x=piece.x,
        y=piece.y,
        stack=piece.stack,
        index=piece.index,
    )


def _own_states(piece: Piece) -> set[State]:
    states: set[State] = set()
    if piece.hidden:
        states.add(State.HIP)
    if piece.concealed:
        states.add(State.CONCEALED)
    if piece.moved:
        states.add(State.MOVED)
    return states


def _kind_of(looks: _Looks, kinds: frozenset[str]) -> Counter:
    """The counter without what all counters share; the questions in order."""
    piece, maps, parts = looks.piece, looks.maps, looks.parts
    if "concealment" in kinds:
        return Counter(piece.id, piece.name, Kind.CONCEALMENT, evidence="structure")
    if "immob" in kinds or looks.in_folder(maps.overlay_folders):
        return _overlay(looks)
    if maps.blanks.fullmatch(piece.base_name[:40]):
        return Counter(piece.id, piece.name, Kind.LABEL, evidence="name")
    if _is_wreck(looks):
        return Counter(piece.id, piece.name, Kind.WRECK, marker="wreck", evidence="name")
    if looks.nation is not None:
        found = _unit_or_weapon(looks)
        if found is not None:
            return found
    marker = maps.marker(parts.whole)
    if marker is not None and not looks.concealable:
        return _marker(looks, marker, "marker")
    if parts.vca is not None or "turr" in kinds:
        return _vehicle(looks, kinds)
    return _by_name_or_folder(looks, kinds)


def _unit_or_weapon(looks: _Looks) -> Counter | None:
    found = _unit(looks) or _weapon(looks)
    labels = looks.piece.labels
    if found is None and labels and looks.concealable:
        name = without_bare_labels(without_labels(looks.piece.name, labels), labels)
        bare = replace(looks, parts=take_apart(name))
        return _unit(bare) or _weapon(bare)
    return found


def _by_name_or_folder(looks: _Looks, kinds: frozenset[str]) -> Counter:
    piece, maps, parts = looks.piece, looks.maps, looks.parts
    if looks.in_folder(maps.gun_folders):
        return _gun(looks, "picture")
    if looks.in_folder(maps.vehicle_folders):
        return _vehicle(looks, kinds)
    marker = maps.marker(parts.whole)
    if marker is not None:
        return _marker(looks, marker, "marker")
    if looks.concealable and gun_facts(parts.core, parts.ca) is not None:
        return _gun(looks, "name")
    if _is_aircraft(looks):
        return Counter(piece.id, piece.name, Kind.MARKER, marker="aircraft", evidence="name")
    if maps.soft_names.fullmatch(parts.core):
        facts = VehicleFacts(armored=False, vca=parts.vca or parts.ca)
        return Counter(piece.id, piece.name, Kind.VEHICLE, vehicle=facts, evidence="name")
    if looks.in_folder(maps.marker_folders):
        return Counter(piece.id, piece.name, Kind.MARKER, marker="other", evidence="picture")
    return Counter(piece.id, piece.name, Kind.UNKNOWN)


def _overlay(looks: _Looks) -> Counter:
    piece = looks.piece
    maps = looks.maps
    if any("/".join((*path, stem)) in maps.label_pictures for path, stem in looks.pictures):
        return Counter(piece.id, piece.name, Kind.LABEL, evidence="structure")
    found = maps.marker(looks.parts.whole)
    if found is None:
        return Counter(piece.id, piece.name, Kind.OVERLAY, evidence="structure")
    marker = _marker(looks, found, "structure")
    terrain = looks.in_folder(maps.overlay_folders)
    return replace(marker, kind=Kind.OVERLAY) if terrain else marker


def _is_wreck(looks: _Looks) -> bool:
    """By name; or the picture of a vehicle on a piece nobody can conceal or turn as one."""
    if _WRECK.fullmatch(looks.parts.whole):
        return True
    return (
        not looks.concealable
        and looks.parts.vca is None
        and looks.in_folder(looks.maps.vehicle_folders)
    )


def _is_aircraft(looks: _Looks) -> bool:
    if looks.maps.aircraft_names.fullmatch(looks.parts.core):
        return True
    pictures = looks.maps.aircraft_pictures
    return any(pictures.fullmatch("/".join((*path, stem))) for path, stem in looks.pictures)


def _marker(looks: _Looks, data: MarkerData, evidence: str) -> Counter:
    piece = looks.piece
    return Counter(
        piece.id,
        piece.name,
        Kind.MARKER,
        marker=data.key,
        strength=data.strength,
        level=data.level,
        evidence=evidence,
    )


# --- units ------------------------------------------------------------------------------------


def _unit(looks: _Looks) -> Counter | None:
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


def _armor_leader(looks: _Looks, found: Strength) -> Counter:
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


def _infantry(looks: _Looks, found: Strength) -> Counter:
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


def _special(looks: _Looks, special: SpecialData) -> Counter:
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


def _unnamed_leader(looks: _Looks) -> Counter:
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


def _broken_morale(looks: _Looks) -> int | None:
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
    form = showing[0] if showing else len(layers)
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


# --- weapons, vehicles --------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _weapon_kind(name: str) -> str | None:
    plain = _CAPTURED.fullmatch(name)
    for kind, pattern in counter_maps().weapon_types:
        if pattern.fullmatch(name) or (plain is not None and pattern.fullmatch(plain[1])):
            return kind
    return None


@lru_cache(maxsize=2048)
def _weapon_data(nation: str, name: str) -> WeaponData | None:
    """The table's row: the nation's own, its maker's if captured, then what all nations share."""
    maps = counter_maps()
    nation = maps.weapon_like.get(nation, nation)
    own = maps.weapon_tables.get(nation, {})
    captured = _CAPTURED.fullmatch(name)
    if captured is not None and name not in own:
        maker = maps.weapon_makers.get(captured[2])
        found = None if maker is None else _row(maker, captured[1])
        return found or _row(nation, captured[1])
    return _row(nation, name)


def _row(nation: str, name: str) -> WeaponData | None:
    maps = counter_maps()
    own = maps.weapon_tables.get(nation, {})
    shorter = _CALIBRE.fullmatch(name)
    names = (name,) if shorter is None else (name, shorter[1])
    for one in names:
        found = own.get(one) or maps.weapon_common.get(one)
        if found is not None:
            return found
    return None


def _weapon(looks: _Looks) -> Counter | None:
    """A support weapon by its type in the name; its factors from module_maps/weapons.toml."""
    core = looks.parts.core.replace(" (", "(")
    kind = _weapon_kind(core)
    if kind is None or looks.parts.ca is not None or looks.in_folder(looks.maps.gun_folders):
        return None
    dismantled = State.DISMANTLED in looks.parts.words
    data = next(
        (
            looks.maps.weapon_pictures[key]
            for key in ("/".join((*path, stem)) for path, stem in looks.pictures)
            if key in looks.maps.weapon_pictures
        ),
        None,
    )
    nation = next(
        (path[0] for path, _ in looks.pictures if path and path[0] in looks.maps.nations),
        looks.nation or "",
    )
    # a mortar of 70 mm and more lies as "dm 81* MTR": the name is the dismantled side's own
    data = data or (_weapon_data(nation, f"dm {core}") if dismantled else None)
    whole_is_dismantled = data is not None and dismantled and data.dismantled is None
    data = data or _weapon_data(nation, core)
    face = _face(data, dismantled and not whole_is_dismantled)
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.SW,
        label=core,
        fp=face.fp,
        range=face.range,
        min_range=face.min_range,
        pp=face.pp,
        weapon=core,
        weapon_kind=kind,
        states=looks.parts.words,
        evidence="weapon",
    )


@dataclass(frozen=True, slots=True)
class _NoFace:
    fp: int | None = None
    range: int | None = None
    min_range: int | None = None
    pp: int | None = None


def _face(data: WeaponData | None, dismantled: bool) -> WeaponFace | _NoFace:
    if data is None:
        return _NoFace()
    if not dismantled:
        return data.face
    return data.dismantled or _NoFace()


def _gun(looks: _Looks, evidence: str) -> Counter:
    parts = looks.parts
    facts = gun_facts(parts.core, parts.ca)
    return Counter(
        looks.piece.id,
        looks.piece.name,
        Kind.GUN,
        gun=facts if facts is not None else GunFacts(ca=parts.ca),
        states=parts.words,
        evidence=evidence,
    )


def _vehicle(looks: _Looks, kinds: frozenset[str]) -> Counter:
    piece, maps, parts = looks.piece, looks.maps, looks.parts
    states = set(parts.words)
    crewed = "turr" in kinds
    for layer in piece.layers:
        if layer.level >= 2 and layer.active and layer.name.casefold() in maps.layers:
            states.add(maps.layers[layer.name.casefold()])
        crewed = crewed or any(name in ("+ BU", "+ CE", "+BU", "+CE") for name in layer.names)
    facts = VehicleFacts(
        armored=crewed and not maps.soft_names.fullmatch(parts.core),
        turret="turr" in kinds,
        vca=parts.vca,
        tca=parts.tca,
        exposed=parts.exposed,
    )
    return Counter(
        piece.id,
        piece.name,
        Kind.VEHICLE,
        vehicle=facts,
        states=frozenset(states),
        evidence="structure",
    )



