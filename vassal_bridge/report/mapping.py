"""The map of a loaded game as something to draw: boards, terrain, and the counters all may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from vassal_bridge.board import BoardGround
from vassal_bridge.bridge.model import Loaded
from vassal_bridge.counters import Counter, Kind, StackReading
from vassal_bridge.report.picture import CounterShape, MapPicture
from vassal_bridge.rout.position import Position, Unit
from vassal_bridge.vassal import Game

DRAWN: Final = frozenset(
    {
        Kind.SQUAD,
        Kind.HALF_SQUAD,
        Kind.CREW,
        Kind.LEADER,
        Kind.HERO,
        Kind.SW,
        Kind.GUN,
        Kind.VEHICLE,
        Kind.WRECK,
        Kind.CONCEALMENT,
        Kind.UNKNOWN,
    }
)
"""Kinds of counters that are drawn; what other markers say stands on these as signs."""
DRAWN_MARKERS: Final = frozenset({"smoke", "blaze", "flame"})
UNIT_STATES: Final = ("broken", "dm", "pinned", "cx", "melee", "wounded", "motion")


def map_picture(loaded: Loaded) -> MapPicture | None:
    """The map of a game or position file, with its counters; None when no board lies on it.

    Counters are those of the public view: hidden ones are not there, concealed ones are a "?".
    """
    if not loaded.layout.boards:
        return None
    return replace(ground_picture(loaded.ground), counters=tuple(counters_of(loaded)))


def ground_picture(ground: BoardGround) -> MapPicture:
    """The map of a ground, without counters."""
    drawn = ground.picture()
    hexes = tuple(
        replace(shape, terrain=terrain.name, level=terrain.level)
        for shape in drawn.hexes
        for terrain in (ground.terrain(shape.name),)
    )
    return MapPicture(
        width=drawn.width,
        height=drawn.height,
        hexes=hexes,
        tiles=drawn.tiles,
        hex_width=drawn.hex_width,
        hex_height=drawn.hex_height,
    )


def counters_of(loaded: Loaded) -> Iterator[CounterShape]:
    """The counters of a game as both players may see them, or the units of a position file."""
    if loaded.game is None:
        yield from obstacle_shapes(loaded.position)
        yield from unit_shapes(loaded.position)
    else:
        yield from _counters(loaded.readings, loaded.position, loaded.game)


def obstacle_shapes(position: Position) -> Iterator[CounterShape]:
    """Smoke and wrecks of a position file, which has no counters for them."""
    for hex_ in position.ground.hexes():
        terrain = position.ground.terrain(hex_)
        if terrain.smoke:
            yield CounterShape(f"smoke {hex_}", hex_, f"Smoke +{terrain.smoke}", order=-2)
        if terrain.wreck:
            yield CounterShape(f"wreck {hex_}", hex_, "Wreck", kind="wreck", order=-1)


def unit_shapes(position: Position) -> Iterator[CounterShape]:
    """Every unit of a position as a counter, with its weapons."""
    for unit in position.units:
        order = [other.id for other in position.by_hex[unit.hex]].index(unit.id)
        yield CounterShape(
            id=unit.id,
            hex=unit.hex,
            name=unit.name,
            nationality=unit.nationality,
            kind=unit.kind.value,
            states=_states(unit),
            order=order * 10,
            concealed=unit.concealed,
        )
        for n, weapon in enumerate(unit.weapons):
            yield CounterShape(
                id=f"{unit.id}+{n}",
                hex=unit.hex,
                name=weapon.name,
                nationality=unit.nationality,
                kind="sw",
                order=order * 10 + 1 + n,
            )


def _states(unit: Unit) -> tuple[str, ...]:
    return tuple(word for word in UNIT_STATES if getattr(unit, word))


def _counters(
    readings: Iterable[StackReading], position: Position, game: Game
) -> Iterator[CounterShape]:
    """Counters of stacks; several stacks of one hex are piled up in their order."""
    ids = {unit.piece: unit.id for unit in position.units if unit.piece is not None}
    piled: dict[str, int] = {}
    for reading in readings:
        if reading.hex is None:
            continue
        for counter in reading.counters:
            if counter.kind not in DRAWN and counter.marker not in DRAWN_MARKERS:
                continue
            order = piled.get(reading.hex, 0)
            piled[reading.hex] = order + 1
            yield CounterShape(
                id=ids.get(counter.id, counter.id),
                hex=reading.hex,
                name=counter.label or counter.name,
                nationality=counter.nationality or "",
                kind=counter.kind.value,
                states=counter.state,
                order=order,
                images=() if counter.kind is Kind.CONCEALMENT else images_of(counter, game),
                concealed=counter.kind is Kind.CONCEALMENT,
            )


def images_of(counter: Counter, game: Game) -> tuple[str, ...]:
    """Names of the module's pictures that make up a counter, the lowest first."""
    piece = game.pieces.get(counter.id)
    if piece is None or piece.hidden or piece.concealed:
        return ()
    layers = [layer.image for layer in reversed(piece.layers) if layer.active]
    return tuple(name for name in (piece.base_image, *layers) if name.strip())
