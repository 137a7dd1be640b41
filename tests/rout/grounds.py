"""A ground drawn by hand: the open board with hills, roads, walls and lines of sight put in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.rout.ask import at, short
from vassal_bridge.rout import Cover, Ground, Hex, Position


@dataclass(frozen=True)
class DrawnTerrain:
    """Terrain of one hex."""

    name: str = "open"
    shelter: str | None = None
    cover: Cover = Cover.OPEN
    level: int = 0
    building: int | None = None
    smoke: int = 0
    wreck: bool = False
    understood: bool = True


@dataclass(frozen=True)
class DrawnEntry:
    """Cost of one step."""

    mf2: int = 2
    woods_mf2: int | None = None
    by_road: bool = False
    uphill: bool = False
    smoke_doubled_mf2: int = 2


@dataclass(frozen=True)
class DrawnSight:
    """One LOS."""

    clear: bool = True
    hindrance: int = 0
    enters_by: tuple[int, ...] = ()
    over_woods: bool = False
    over_orchard: bool = False
    crosses_wall: bool = False


@dataclass
class Drawn:
    """A ground with some answers put in by hand; hexes are named without their board.

    Attributes:
        under: the ground that answers the rest.
        terrains: by hex.
        entries: by (from, to).
        sights: by (viewer, target).
        unclear: hex not understood on the LOS, by (viewer, target).
    """

    under: Ground
    terrains: dict[str, DrawnTerrain] = field(default_factory=dict)
    entries: dict[tuple[str, str], DrawnEntry] = field(default_factory=dict)
    sights: dict[tuple[str, str], DrawnSight] = field(default_factory=dict)
    unclear: dict[tuple[str, str], str] = field(default_factory=dict)

    def hexes(self) -> Sequence[Hex]:
        return self.under.hexes()

    def neighbours(self, of: Hex) -> tuple[Hex | None, ...]:
        return self.under.neighbours(of)

    def side(self, of: Hex, neighbour: Hex) -> int | None:
        return self.under.neighbours(of).index(neighbour)

    def distance(self, a: Hex, b: Hex) -> int:
        return self.under.distance(a, b)

    def terrain(self, of: Hex):  # type: ignore[no-untyped-def]
        drawn = {at(name): found for name, found in self.terrains.items()}
        return drawn.get(of) or self.under.terrain(of)

    def entry(self, start: Hex, to: Hex):  # type: ignore[no-untyped-def]
        drawn = {(at(a), at(b)): found for (a, b), found in self.entries.items()}
        return drawn.get((start, to)) or self.under.entry(start, to)

    @property
    def all_clear(self) -> bool:
        return not self.unclear

    def unclear_between(self, viewer: Hex, target: Hex) -> Hex | None:
        return {(at(a), at(b)): at(odd) for (a, b), odd in self.unclear.items()}.get(
            (viewer, target)
        )

    def sight(self, viewer: Hex, target: Hex):  # type: ignore[no-untyped-def]
        drawn = {(at(a), at(b)): found for (a, b), found in self.sights.items()}
        return drawn.get((viewer, target)) or self.under.sight(viewer, target)


def drawn(
    position: Position,
    *,
    terrains: dict[str, DrawnTerrain] | None = None,
    entries: dict[tuple[str, str], DrawnEntry] | None = None,
    sights: dict[tuple[str, str], DrawnSight] | None = None,
    unclear: dict[tuple[str, str], str] | None = None,
) -> Position:
    """The position on a ground with these answers put in."""
    ground = Drawn(position.ground, terrains or {}, entries or {}, sights or {}, unclear or {})
    return replace(position, ground=ground)


def into(position: Position, to: str, entry: DrawnEntry) -> dict[tuple[str, str], DrawnEntry]:
    """The same cost of entering a hex from every side."""
    beside = position.ground.neighbours(at(to))
    return {(short(start), to): entry for start in beside if start is not None}
