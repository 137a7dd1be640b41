"""The position that is judged: units on a ground.

The core knows the ground only through `Ground`; real boards, the built-in open board and the test
grids all satisfy it. MF are whole numbers of half MF (`mf2`), so 1.5 MF is 3 (R20).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from vassal_bridge.rout.rulebook import Rules

if TYPE_CHECKING:
    from vassal_bridge.rout.front import Front

Hex = str
"""A hex as contracts.md 1 writes it: ``zO5``."""


IMPASSABLE_MF2 = 999
"""An `Entry` that costs at least so many half MF is none: nobody crosses that hexside on foot."""


class Cover(StrEnum):
    """Whether a unit in a hex can be in Open Ground for an interdictor (R63)."""

    OPEN = "open"
    """Plain, road, off-season grain: Open Ground."""
    COVERED = "covered"
    """Building, woods, brush, grain in season, orchard: never Open Ground."""
    ROAD_IN_WOODS = "road-in-woods"
    """Open Ground if entered along the road and the LOS does not cross the woods art."""
    ROAD_IN_ORCHARD = "road-in-orchard"
    """Open Ground if the LOS stays within the road in that hex."""


class Terrain(Protocol):
    """What the rule book calls a hex (R87) and what stands in it."""

    @property
    def name(self) -> str:
        """Key of module_maps/terrain: ``woods``, ``woods-road``, ``open`` and so on."""

    @property
    def shelter(self) -> str | None:
        """``"building"`` or ``"woods"`` when it is a rout destination (R26), else None."""

    @property
    def cover(self) -> Cover:
        """How it answers the Open Ground test (R63)."""

    @property
    def level(self) -> int:
        """Hill level of the hex."""

    @property
    def building(self) -> int | None:
        """Number of the connected building the hex belongs to (R32), else None."""

    @property
    def smoke(self) -> int:
        """Hindrance of smoke in the hex, 0 if none."""

    @property
    def wreck(self) -> bool:
        """Whether a wreck or a vehicle gives TEM in the hex (R63)."""

    @property
    def understood(self) -> bool:
        """False where overlays, scenario changes or odd terrain make the hex unknown."""


class Entry(Protocol):
    """What it costs to enter one hex from a neighbouring one (R19)."""

    @property
    def mf2(self) -> int:
        """Cheapest cost in half MF."""

    @property
    def woods_mf2(self) -> int | None:
        """Cost when the owner claims the woods of a woods-road instead, else None."""

    @property
    def by_road(self) -> bool:
        """Whether the cheapest way in is along the road hexside."""

    @property
    def uphill(self) -> bool:
        """Whether the step goes up across a crest line."""

    @property
    def smoke_doubled_mf2(self) -> int:
        """Cheapest cost when uphill doubles smoke too (R19, disputed)."""


class Sight(Protocol):
    """One LOS from a viewer's hex to a target hex, centre to centre (R79)."""

    @property
    def clear(self) -> bool:
        """Not blocked, hindrances below 6."""

    @property
    def hindrance(self) -> int:
        """Hindrance total of terrain and counters between the two hexes."""

    @property
    def enters_by(self) -> tuple[int, ...]:
        """Hexside(s) of the target hex by which the LOS enters it, 0 = north, clockwise."""

    @property
    def over_woods(self) -> bool:
        """The LOS crosses woods art inside the target hex."""

    @property
    def over_orchard(self) -> bool:
        """The LOS crosses orchard art inside the target hex."""

    @property
    def crosses_wall(self) -> bool:
        """The LOS enters the target hex through a wall or hedge hexside."""


class Ground(Protocol):
    """What the rules ask of a map."""

    def hexes(self) -> Sequence[Hex]:
        """All hexes, in a fixed order."""

    def neighbours(self, at: Hex) -> tuple[Hex | None, ...]:
        """The six neighbours by hexside 0..5 (0 = north, clockwise); None off the map."""

    def distance(self, a: Hex, b: Hex) -> int:
        """Range in hexes (R44)."""

    def terrain(self, at: Hex) -> Terrain:
        """Terrain of the hex by R87, with season, scenario changes and counters applied."""

    def entry(self, start: Hex, to: Hex) -> Entry:
        """Cost of entering `to` from its neighbour `start`."""

    @property
    def all_clear(self) -> bool:
        """Whether obstacles are understood all over the map: no `unclear_between` finds a hex."""

    def unclear_between(self, viewer: Hex, target: Hex) -> Hex | None:
        """A hex on the LOS between two hexes whose obstacles are not understood, else None."""

    def sight(self, viewer: Hex, target: Hex) -> Sight:
        """LOS between two hexes at ground level."""


def unclear_sight(ground: Ground, viewer: Hex, target: Hex) -> Hex | None:
    """A hex not understood on a LOS that may hang on it, else None.

    Who stands next to each other sees each other whatever lies there (R81).
    """
    if ground.distance(viewer, target) <= 1:
        return None
    return ground.unclear_between(viewer, target)


class Kind(StrEnum):
    """Kinds of units the rules tell apart."""

    SQUAD = "squad"
    HALF_SQUAD = "half-squad"
    CREW = "crew"
    LEADER = "leader"
    HERO = "hero"
    GUN = "gun"
    VEHICLE = "vehicle"


class WeaponKind(StrEnum):
    """Classes of support weapons and Guns, as far as interdiction tells them apart (R59)."""

    MG = "mg"
    ATR = "atr"
    FLAMETHROWER = "flamethrower"
    MORTAR = "mortar"
    ORDNANCE = "ordnance"
    SHAPED_CHARGE = "shaped-charge"
    DEMOLITION = "demolition"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Weapon:
    """A support weapon a unit possesses, or a Gun it mans.

    Attributes:
        name: as players write it: ``MMG``, ``BAZ``.
        kind: class for R59.
        fp: printed firepower, 0 if it has none on the IFT.
        range: printed (Normal) range in hexes; 0 = adjacent only at most.
        min_range: for mortars, in hexes.
        pp: portage points (R76), None when unknown.
        usable: False when malfunctioned or dismantled.
        certain: False when it is not known whether it could fire at a given hex at full effect: a
            Gun's covered arc, a mortar's facing, a weapon whose factors no table has.
    """

    name: str
    kind: WeaponKind = WeaponKind.OTHER
    fp: int = 0
    range: int = 0
    min_range: int = 0
    pp: int | None = None
    usable: bool = True
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit. Hidden and concealed units of the other side are not in a position (fair play).

    Attributes:
        id: unique in the position; what reports print: ``zM9`` or ``zF1/2``.
        side: the side it fights for.
        hex: where it stands.
        kind: what it is.
        name: as players write it: ``4-6-7``, ``9-1``.
        fp: printed firepower (0 for leaders and unarmed units).
        range: printed range in hexes.
        morale: unbroken morale, None if unknown.
        broken_morale: morale on the broken side (R64), one less for a wounded leader; None if
            unknown.
        leadership: a leader's modifier (-1 for 9-1), one worse if he is wounded; None for others.
        concealed: hidden or concealed: nobody but its own player sees it, so it is not Known (R78).
        facing_unknown: a vehicle: whether it could fire at a given hex is not known.
        piece: VASSAL's piece id, if it came from a game.
        uncertain: broken, pinned, CX or Melee was read from its stack with doubt, or its stack says
            that it stands on an upper level.
        dm_doubtful: its DM marker lies over several units, or elsewhere in the hex.
        half_broken_morale: broken morale of its half-squad (R67), None: as its own.
    """

    id: str
    side: str
    hex: Hex
    kind: Kind
    name: str
    nationality: str = ""
    fp: int = 0
    range: int = 0
    morale: int | None = None
    broken_morale: int | None = None
    leadership: int | None = None
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    cx: bool = False
    melee: bool = False
    wounded: bool = False
    concealed: bool = False
    weapons: tuple[Weapon, ...] = ()
    motion: bool = False
    facing_unknown: bool = False
    piece: str | None = None
    uncertain: bool = False
    dm_doubtful: bool = False
    half_broken_morale: int | None = None

    @property
    def is_mmc(self) -> bool:
        """Squad, half-squad or crew."""
        return self.kind in (Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW)

    @property
    def is_smc(self) -> bool:
        """Leader or hero."""
        return self.kind in (Kind.LEADER, Kind.HERO)

    @property
    def is_infantry(self) -> bool:
        """Infantry: MMC or SMC (R1)."""
        return self.is_mmc or self.is_smc


@dataclass(frozen=True)
class Position:
    """All units on a ground, and what was chosen for the game.

    Attributes:
        ground: the map.
        units: every unit both players may see, and those that only the asker may (`--as`).
        attacker: the ATTACKER's side (R13).
        rules: edition, month, readings.
        concealed: (side, hex) of every concealed stack on the map. What is under a "?" is no unit
            here (fair play): it is not Known and interdicts nobody for certain. That one lies
            there both players see, so nobody routs into its hex (R23) and verdicts say `depends`.
    """

    ground: Ground
    units: tuple[Unit, ...]
    attacker: str
    rules: Rules = field(default_factory=Rules)
    concealed: frozenset[tuple[str, Hex]] = frozenset()
    fronts: dict[Hashable, Front] = field(default_factory=dict, compare=False, repr=False)

    def concealed_against(self, side: str) -> frozenset[Hex]:
        """Hexes with concealed stacks of any other side."""
        return frozenset(at for owner, at in self.concealed if owner != side)

    @cached_property
    def by_id(self) -> dict[str, Unit]:
        """Units by id."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def by_hex(self) -> dict[Hex, tuple[Unit, ...]]:
        """Units by hex, in order."""
        found: dict[Hex, list[Unit]] = {}
        for unit in self.units:
            found.setdefault(unit.hex, []).append(unit)
        return {at: tuple(units) for at, units in found.items()}

    def enemies_of(self, side: str) -> tuple[Unit, ...]:
        """Units of every other side."""
        return tuple(unit for unit in self.units if unit.side != side)

    def friends_in(self, at: Hex, unit: Unit) -> tuple[Unit, ...]:
        """Other units of the same side in a hex."""
        return tuple(
            other
            for other in self.by_hex.get(at, ())
            if other.side == unit.side and other.id != unit.id
        )

    def in_melee(self, unit: Unit) -> bool:
        """R3: held in Melee, which lasts while an unbroken unit of either side is in the hex."""
        return unit.melee and any(not other.broken for other in self.by_hex.get(unit.hex, ()))
