"""From a piece of VASL to a counter: the method of formats/counters.md.

The shown name and the pictures of the active layers say what a piece is; the palette slot (gpid)
is not asked, it changes between versions of VASL. The order of the questions in `_kind_of` is the
order of the evidence: structure first (a trait nobody types by hand), then strengths and names,
then picture folders.
"""

from __future__ import annotations

import re
from dataclasses import replace

from vassal_bridge.counters.looks import Looks, look
from vassal_bridge.counters.maps import MarkerData, marker_named
from vassal_bridge.counters.model import Counter, Kind, State, VehicleFacts
from vassal_bridge.counters.names import (
    gun_facts,
    take_apart,
    without_bare_labels,
    without_labels,
)
from vassal_bridge.counters.source import Piece
from vassal_bridge.counters.units import unit
from vassal_bridge.counters.weapons import gun, vehicle, weapon

TERRAIN_OVERLAY = "terrain-overlay"
"""Key of draggable overlays that change the terrain under them."""
_PLUS = re.compile(r"\+(\d)")
_WRECK = re.compile(r".* wreck ?\d?")


def classify(piece: Piece) -> Counter:
    """What a piece is and in what state by itself, markers in its stack not yet considered.

    Args:
        piece: as `vassal.load_game` gives it.

    Returns:
        A counter with kind, nationality, factors and own states; kind ``unknown`` when nothing
        tells what it is. Never raises on odd names or pictures.
    """
    looks, kinds = look(piece)
    counter = _kind_of(looks, kinds)
    maps = looks.maps
    own = counter.states | _own_states(piece)
    return replace(
        counter,
        nation=looks.nation,
        nationality=None if looks.nation is None else maps.nations.get(looks.nation),
        label=counter.label or looks.parts.core,
        own=own,
        states=own,
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


def _kind_of(looks: Looks, kinds: frozenset[str]) -> Counter:
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
    marker = marker_named(parts.whole)
    if marker is not None and not looks.concealable:
        return _marker(looks, marker, "marker")
    if parts.vca is not None or "turr" in kinds:
        return vehicle(looks, kinds)
    return _by_name_or_folder(looks, kinds)


def _unit_or_weapon(looks: Looks) -> Counter | None:
    found = unit(looks) or weapon(looks)
    labels = looks.piece.labels
    if found is None and labels and looks.concealable:
        name = without_bare_labels(without_labels(looks.piece.name, labels), labels)
        bare = replace(looks, parts=take_apart(name))
        return unit(bare) or weapon(bare)
    return found


def _by_name_or_folder(looks: Looks, kinds: frozenset[str]) -> Counter:
    piece, maps, parts = looks.piece, looks.maps, looks.parts
    if looks.in_folder(maps.gun_folders):
        return gun(looks, "picture")
    if looks.in_folder(maps.vehicle_folders):
        return vehicle(looks, kinds)
    marker = marker_named(parts.whole)
    if marker is not None:
        return _marker(looks, marker, "marker")
    if looks.concealable and gun_facts(parts.core, parts.ca) is not None:
        return gun(looks, "name")
    if _is_aircraft(looks):
        return Counter(piece.id, piece.name, Kind.MARKER, marker="aircraft", evidence="name")
    if maps.soft_names.fullmatch(parts.core):
        facts = VehicleFacts(armored=False, vca=parts.vca or parts.ca)
        return Counter(piece.id, piece.name, Kind.VEHICLE, vehicle=facts, evidence="name")
    if looks.in_folder(maps.marker_folders):
        return Counter(piece.id, piece.name, Kind.MARKER, marker="other", evidence="picture")
    return Counter(piece.id, piece.name, Kind.UNKNOWN)


def _overlay(looks: Looks) -> Counter:
    """Things that do not stack: labels, markers beside the board, and draggable overlays.

    An overlay's `marker` says what it does: ``annotation`` (nothing), ``smoke``, ``oba`` and other
    effects by their own keys, ``terrain-overlay`` (it changes the terrain under it).
    """
    piece, maps = looks.piece, looks.maps
    if any("/".join((*path, stem)) in maps.label_pictures for path, stem in looks.pictures):
        return Counter(piece.id, piece.name, Kind.LABEL, evidence="structure")
    found = marker_named(looks.parts.whole)
    if not looks.in_folder(maps.overlay_folders):
        if found is not None:
            return _marker(looks, found, "structure")
        return Counter(piece.id, piece.name, Kind.OVERLAY, marker="annotation", evidence="picture")
    does = _overlay_kind(looks)
    if does == "wreck":
        return Counter(piece.id, piece.name, Kind.WRECK, marker="wreck", evidence="picture")
    overlay = Counter(piece.id, piece.name, Kind.OVERLAY, marker=does, evidence="picture")
    if does == "smoke":
        strength = _PLUS.search(looks.parts.core)
        return replace(overlay, strength=None if strength is None else int(strength[1]))
    if does == "effect":
        key, number = ("oba", None) if found is None else (found.key, found.strength)
        return replace(overlay, marker=key, strength=number)
    return overlay


def _overlay_kind(looks: Looks) -> str:
    """By the first picture that tells; what is not listed is taken to change terrain."""
    for key, pattern in looks.maps.overlay_kinds:
        if any(pattern.fullmatch(stem) for _, stem in looks.pictures):
            return key
    return TERRAIN_OVERLAY


def _is_wreck(looks: Looks) -> bool:
    """By name; or the picture of a vehicle on a piece nobody can conceal or turn as one."""
    if _WRECK.fullmatch(looks.parts.whole):
        return True
    return (
        not looks.concealable
        and looks.parts.vca is None
        and looks.in_folder(looks.maps.vehicle_folders)
    )


def _is_aircraft(looks: Looks) -> bool:
    if looks.maps.aircraft_names.fullmatch(looks.parts.core):
        return True
    pictures = looks.maps.aircraft_pictures
    return any(pictures.fullmatch("/".join((*path, stem))) for path, stem in looks.pictures)


def _marker(looks: Looks, data: MarkerData, evidence: str) -> Counter:
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
