"""What counters are: values without logic (formats/counters.md, contracts.md 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """Kinds of counters as `inspect --json` names them (contracts.md 4)."""

    SQUAD = "squad"
    HALF_SQUAD = "half-squad"
    CREW = "crew"
    LEADER = "leader"
    HERO = "hero"
    SW = "sw"
    GUN = "gun"
    VEHICLE = "vehicle"
    WRECK = "wreck"
    CONCEALMENT = "concealment"
    MARKER = "marker"
    OVERLAY = "overlay"
    LABEL = "label"
    UNKNOWN = "unknown"


MMC = frozenset({Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW})
"""Multi-man counters."""
SMC = frozenset({Kind.LEADER, Kind.HERO})
"""Single-man counters."""
INFANTRY = MMC | SMC
"""Counters that can rout, possess weapons and stack as Infantry."""


class State(StrEnum):
    """The closed list of state words of `inspect --json`, in the order they are printed.

    The first block matters to rout, the rest is for the reader. Words of the unit itself come
    from its shown name or traits, the others from markers in its stack.
    """

    BROKEN = "broken"
    DM = "dm"
    PINNED = "pinned"
    CX = "cx"
    MELEE = "melee"
    WOUNDED = "wounded"
    CONCEALED = "concealed"
    HIP = "hip"
    TI = "ti"
    BERSERK = "berserk"
    FANATIC = "fanatic"
    HEROIC = "heroic"
    STRIPED = "striped"
    DISRUPTED = "disrupted"
    ENCIRCLED = "encircled"
    PRISONER = "prisoner"
    UNARMED = "unarmed"
    MALFUNCTIONED = "malfunctioned"
    DISABLED = "disabled"
    DISMANTLED = "dismantled"
    LIMBERED = "limbered"
    MOVED = "moved"
    PREP_FIRE = "prep-fire"
    BOUNDING_FIRE = "bounding-fire"
    OPPORTUNITY_FIRE = "opportunity-fire"
    ADVANCING_FIRE = "advancing-fire"
    FIRST_FIRE = "first-fire"
    FINAL_FIRE = "final-fire"
    INTENSIVE_FIRE = "intensive-fire"
    NO_FIRE = "no-fire"
    CC = "cc"
    HAZARDOUS_MOVEMENT = "hazardous-movement"
    WALL_ADVANTAGE = "wall-advantage"
    HUMAN_WAVE = "human-wave"
    BANZAI = "banzai"
    MOTION = "motion"
    IMMOBILIZED = "immobilized"
    BOGGED = "bogged"
    ABANDONED = "abandoned"
    SHOCKED = "shocked"
    STUNNED = "stunned"
    RECALLED = "recalled"
    HULL_DOWN = "hull-down"


STATE_ORDER: Mapping[str, int] = {state.value: place for place, state in enumerate(State)}
"""Place of a state word in print."""


class DoubtCode(StrEnum):
    """Why a state or a possession read from a stack is not certain."""

    SEVERAL_UNITS = "several-units"
    """Several units lie under one marker; this one is not the one directly below."""
    MARKER_ELSEWHERE = "marker-elsewhere"
    """The marker lies under the unit or in another stack of the hex."""
    WEAPON_BELOW = "weapon-below"
    """The weapon lies under the unit, not on it; no unit lies under the weapon."""
    NO_ENEMY = "no-enemy"
    """A Melee or CC marker in a Location that holds units of one nationality only."""
    UNUSED_MARKER = "unused-marker"
    """A marker that fits no unit here."""
    UPPER_LEVEL = "upper-level"
    """A unit is on another level of a building; those of the Starter Kit have only one (R80)."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing read with doubt: text is made from it at the edge.

    Attributes:
        code: why.
        marker: key of the marker (``dm``), or ``weapon``.
        counter: id of the counter that is in doubt.
        cause: id of the marker or weapon.
    """

    code: DoubtCode
    marker: str
    counter: str
    cause: str


@dataclass(frozen=True, slots=True)
class Armament:
    """Printed weapons of a vehicle (module_maps/weapons-vehicles.toml).

    Attributes:
        main: main armament as printed: ``75L``; ``CMG`` or ``AAMG`` where that is a machine gun.
        bmg, cmg, aamg, rmg: firepower of the bow, coaxial, anti-aircraft and rear machine gun,
            0 = none.
        open_topped: no roof.
    """

    main: str
    bmg: int = 0
    cmg: int = 0
    aamg: int = 0
    rmg: int = 0
    open_topped: bool = False


@dataclass(frozen=True, slots=True)
class VehicleFacts:
    """What the name and layers of a vehicle tell.

    Attributes:
        armored: an AFV: it can be buttoned up or has a turret. False = truck, wagon …
        turret: it has one.
        vca, tca: covered arcs 1..6 as VASL counts them, None if not shown.
        exposed: crew exposed True, buttoned up False, None if neither is shown.
        armament: printed weapons, None where the module map does not list the vehicle.
    """

    armored: bool
    turret: bool = False
    vca: int | None = None
    tca: int | None = None
    exposed: bool | None = None
    armament: Armament | None = None


@dataclass(frozen=True, slots=True)
class GunFacts:
    """What the name of a Gun tells: ``75L AT PaK 40`` is 75, ``L``, ``AT``.

    Attributes:
        calibre: in mm, None if the name has none.
        length: ``*``, ``""``, ``L``, ``LL`` …
        type: ``AT``, ``INF``, ``MTR``, ``ART``, ``AA``, ``RCL`` … ("" if unknown).
        ca: covered arc 1..6, None if not shown.
    """

    calibre: float | None = None
    length: str = ""
    type: str = ""
    ca: int | None = None


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter: what it is and in what state.

    Attributes:
        id: VASSAL's piece id.
        name: as shown to its owner, labels included, without ``(?)`` and ``(HIP)``.
        kind: contracts.md 4.
        nationality: ``German`` … of the counter, None for markers without one.
        nation: VASL's two-letter code behind it.
        label: factors or type as players write them: ``4-6-7``, ``9-1``, ``MMG``; else the name.
        unit_class: ``E``, ``1``, ``2``, ``C``, ``G``, ``AE``, ``SS`` … of an MMC, else "".
        fp, range, morale: printed factors of the side that shows when it is not broken; for a
            support weapon its firepower and Normal Range. None = not known.
        broken_morale: morale on the broken side; None where the counter has none or it is unknown.
        leadership: -1 for 9-1, +1 for 6+1; None for others.
        weapon: type of a support weapon, e.g. ``MMG``, ``BAZ44``, else None.
        weapon_kind: ``mg mortar atr shaped-charge ordnance flamethrower demolition other``.
        min_range: least range of a mortar in hexes.
        pp: portage points of a support weapon in its present state, None if unknown.
        own: state words of the counter itself: name, layers, traits.
        states: `own` and what markers in its stack add; closed list `State`.
        uncertain: those of `states` that are in doubt.
        marker: key of module_maps/markers.toml, e.g. ``dm``, ``smoke``; None for others.
        strength: number in a marker's name: Hindrance of smoke, FP, foxhole size.
        level: of a level marker; of a unit: level of its Location if markers tell it, else None.
        location: key of the entrenchment or location marker it is in or on (``foxhole``), or None.
        vehicle, gun: facts of those kinds.
        possessor: id of the unit that has this weapon or mans this Gun, None = nobody.
        weapons: ids of the weapons and Guns this unit has.
        owner: per-file alias of the player who hid or concealed it.
        evidence: what told the kind: ``structure name weapon marker picture``, ``none``.
        map, x, y, stack, index: where it lies (bottom of a stack = 0).
    """

    id: str
    name: str
    kind: Kind
    nationality: str | None = None
    nation: str | None = None
    label: str = ""
    unit_class: str = ""
    fp: int | None = None
    range: int | None = None
    morale: int | None = None
    broken_morale: int | None = None
    leadership: int | None = None
    weapon: str | None = None
    weapon_kind: str | None = None
    min_range: int | None = None
    pp: int | None = None
    own: frozenset[State] = frozenset()
    states: frozenset[State] = frozenset()
    uncertain: frozenset[State] = frozenset()
    marker: str | None = None
    strength: int | None = None
    level: int | None = None
    location: str | None = None
    vehicle: VehicleFacts | None = None
    gun: GunFacts | None = None
    possessor: str | None = None
    weapons: tuple[str, ...] = ()
    owner: str | None = None
    evidence: str = "none"
    map: str | None = None
    x: int = 0
    y: int = 0
    stack: str | None = None
    index: int = 0

    @property
    def state(self) -> tuple[str, ...]:
        """The state words in their fixed order, as `inspect --json` prints them."""
        return tuple(sorted(self.states, key=lambda word: STATE_ORDER[word]))

    @property
    def size(self) -> str | None:
        """``squad``, ``half-squad`` or ``crew``; None for all other counters."""
        return self.kind.value if self.kind in MMC else None

    @property
    def is_infantry(self) -> bool:
        """MMC or SMC."""
        return self.kind in INFANTRY

    @property
    def is_unit(self) -> bool:
        """A unit of the rules: Infantry or vehicle. An unmanned Gun is none (R8)."""
        return self.kind in INFANTRY or self.kind is Kind.VEHICLE

    def has(self, state: State) -> bool:
        """Whether it is in that state, certain or not."""
        return state in self.states

    @property
    def broken(self) -> bool:
        """On its broken side."""
        return State.BROKEN in self.states

    @property
    def dm(self) -> bool:
        """Under a DM marker."""
        return State.DM in self.states

    @property
    def pinned(self) -> bool:
        """Under a Pin marker."""
        return State.PINNED in self.states

    @property
    def cx(self) -> bool:
        """Under a CX marker."""
        return State.CX in self.states

    @property
    def melee(self) -> bool:
        """In a Location with a Melee marker and units of two nationalities."""
        return State.MELEE in self.states

    @property
    def wounded(self) -> bool:
        """A wounded SMC."""
        return State.WOUNDED in self.states

    @property
    def berserk(self) -> bool:
        """Berserk."""
        return State.BERSERK in self.states

    @property
    def fanatic(self) -> bool:
        """Fanatic."""
        return State.FANATIC in self.states

    @property
    def heroic(self) -> bool:
        """A heroic leader."""
        return State.HEROIC in self.states

    @property
    def disrupted(self) -> bool:
        """Disrupted."""
        return State.DISRUPTED in self.states

    @property
    def malfunctioned(self) -> bool:
        """A weapon that does not work."""
        return State.MALFUNCTIONED in self.states or State.DISABLED in self.states

    @property
    def dismantled(self) -> bool:
        """A weapon taken apart."""
        return State.DISMANTLED in self.states

    @property
    def concealed(self) -> bool:
        """Under concealment: opponents see only ``?``."""
        return State.CONCEALED in self.states

    @property
    def hidden(self) -> bool:
        """HIP: opponents do not see it at all."""
        return State.HIP in self.states

    @property
    def moved(self) -> bool:
        """Has VASL's moved flag."""
        return State.MOVED in self.states

    @property
    def usable(self) -> bool:
        """A weapon that can fire as it lies: not malfunctioned, and not dismantled without FP."""
        return not self.malfunctioned and not (self.dismantled and not self.fp)


@dataclass(frozen=True, slots=True)
class StackReading:
    """One stack (or one counter that is in none), read together with its hex.

    Attributes:
        id: VASSAL's id of the stack, or of the lone piece.
        map, x, y: where it lies, in pixels.
        hex: its hex if the caller could name it (contracts.md 1), else None.
        counters: from bottom to top.
        doubts: what was read with doubt here.
    """

    id: str
    map: str | None
    x: int
    y: int
    hex: str | None
    counters: tuple[Counter, ...]
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something assumed because the file does not say it; the report prints it.

    Attributes:
        code: stable word, e.g. ``sides-assumed``.
        facts: what the text needs, values are strings or numbers.
    """

    code: str
    facts: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sides:
    """Who fights whom.

    Attributes:
        of: nationality -> side as units and reports carry it: the nationality where it fights
            alone, else ``Allied`` or ``Axis`` (or the names given by ``--sides``).
        groups: side group -> its nationalities, for `inspect`: ``{"Allied": ("Russian",), …}``.
        assumption: set when the grouping is not certain.
    """

    of: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    assumption: Assumption | None = None

    def side(self, nationality: str | None) -> str | None:
        """The side of a nationality, None for a neutral or unknown one."""
        return None if nationality is None else self.of.get(nationality)

    def group(self, side: str) -> str | None:
        """The group (``Allied``, ``Axis`` …) a side belongs to; None if it is unknown."""
        for group, nationalities in self.groups.items():
            if side == group or any(self.of.get(one) == side for one in nationalities):
                return group
        return None


@dataclass(frozen=True, slots=True)
class TurnHint:
    """What a turn track or Phase counter shows: a hint, players forget to turn it.

    Attributes:
        group: ``Allied`` or ``Axis``: whose player turn it is.
        turn: number.
        phase: ``RPh`` … ``CCPh``, or None.
    """

    group: str
    turn: int
    phase: str | None
