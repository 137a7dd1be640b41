"""Rule ids, reasons, editions and the register of disputed readings.

A reason is a value: a rule id, what happened (a `Code`), and facts. Sentences are made from it at
the edge, per language (`vassal_bridge.report`); nothing ever parses text to learn a reason.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum

Fact = str | int | float | bool | tuple[str, ...]


class Edition(StrEnum):
    """The four Starter Kit rule books that matter here (R82)."""

    SK1 = "sk1"
    SK2 = "sk2"
    SK3 = "sk3"
    SK4 = "sk4"

    def at_least(self, other: Edition) -> bool:
        """Whether this rule book is `other` or a later one.

        >>> Edition.SK3.at_least(Edition.SK2)
        True
        """
        return self.value >= other.value


class Code(StrEnum):
    """What a reason says; one sentence per code and language stands in the catalogues.

    The comment behind each names the facts it carries (`Reason.facts`).
    """

    # who and when
    NOT_BROKEN = "not-broken"  # (none)
    NO_DM = "no-dm"  # (none)
    IN_MELEE = "in-melee"  # (none)
    NOT_INFANTRY = "not-infantry"  # (none)
    MAY_STAY = "may-stay"  # (none): DM, but neither R8 nor R9
    ADJACENT_ENEMY = "adjacent-enemy"  # enemy, hex
    OPEN_GROUND = "open-ground"  # enemy, range, normal_range, hex
    AUTOMATIC_DM = "automatic-dm"  # (none)
    DM_BROKEN_NEIGHBOUR = "dm-broken-neighbour"  # enemy
    NO_LEGAL_STEP = "no-legal-step"  # (none)
    DM_COMES_OFF = "dm-comes-off"  # hex: in which DM does not outlast a Rally Phase
    # destination
    NEAREST = "nearest"  # hex, mf
    IGNORABLE_RANGE = "ignorable-range"  # hex, enemy, range, start_range
    IGNORABLE_BUILDING = "ignorable-building"  # hex
    FULL_HEX = "full-hex"  # hex
    NO_TARGET = "no-target"  # mf
    ALL_IGNORABLE = "all-ignorable"  # (none)
    # a step
    CLOSER = "closer"  # enemy, from, to (ranges)
    CLOSER_REMEMBERED = "closer-remembered"  # enemy, from, to
    ADJACENT_TO_ADJACENT = "adjacent-to-adjacent"  # enemy
    ENEMY_HEX = "enemy-hex"  # hex
    STACKING = "stacking"  # hex
    OFF_MAP = "off-map"  # (none)
    IMPASSABLE = "impassable"  # hex: the hexside into it is a cliff or the like
    NOT_ADJACENT_HEX = "not-adjacent-hex"  # from, to
    TOO_FEW_MF = "too-few-mf"  # hex, cost, left
    AWAY_FROM_TARGETS = "away-from-targets"  # hex
    MUST_STOP = "must-stop"  # hex: the building or woods in which it had to stop
    NOT_A_DESTINATION = "not-a-destination"  # hex
    ENDS_ADJACENT = "ends-adjacent"  # enemy, hex
    ENDS_IN_ENEMY_HEX = "ends-in-enemy-hex"  # enemy, hex
    MUST_LEAVE = "must-leave"  # hex (R9, R73: it had to leave its starting hex)
    # crawl
    CRAWL_ONE_HEX = "crawl-one-hex"  # (none)
    CRAWL_FROM_ENEMY_HEX = "crawl-from-enemy-hex"  # enemy
    CRAWL_NO_NEARER = "crawl-no-nearer"  # hex
    # on the way
    DISCOVERS = "discovers"  # enemy, hex
    RETARGET = "retarget"  # hex
    GUN_FOUND = "gun-found"  # hex, back: a hidden Gun there; the unit is back in the other hex
    GUN_FOUND_DIES = "gun-found-dies"  # hex: a hidden Gun there; eliminated
    INTERDICTED = "interdicted"  # hex, enemies
    # certainty
    READING = "reading"  # reading: id of the reading that would change the verdict
    UNKNOWN_TERRAIN = "unknown-terrain"  # hex
    HIDDEN = "hidden"  # (none): concealed units lie on the map and may change this
    UNCERTAIN_STATE = "uncertain-state"  # unit: markers in its stack can be read in two ways
    POSSIBLE_INTERDICTOR = "possible-interdictor"  # enemy, hex: a vehicle, Gun or odd weapon


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is what it is.

    Attributes:
        rule: id in the register of rules, ``"R38"``.
        code: what happened; picks the sentence.
        facts: pairs (name, value), in a fixed order so that reports are byte-identical.
        reading: id of the disputed reading this rests on, if any (`READINGS`).
    """

    rule: str
    code: Code
    facts: tuple[tuple[str, Fact], ...] = ()
    reading: str | None = None

    def fact(self, name: str) -> Fact | None:
        """The value of one fact, or None.

        >>> Reason("R38", Code.CLOSER, (("enemy", "zO6"),)).fact("enemy")
        'zO6'
        """
        return dict(self.facts).get(name)


@dataclass(frozen=True, slots=True)
class Readings:
    """One switch per disputed rule; the defaults are those of the register (rout-rules.md)."""

    r4_literal: bool = False
    """R4 (a): every DM unit must rout or die."""
    r8_good_order: bool = False
    """R8: only a Good Order (unpinned, not in Melee) enemy triggers."""
    r19_smoke_doubled: bool = False
    """R19: uphill doubles terrain plus smoke."""
    r19_road_distance: bool = False
    """R19, R26: a woods-road is as near as the road brings it, not as its woods cost."""
    r28_terrain: bool = False
    """R28 reading 2: distance along the cheapest terrain path, legal or not."""
    r31_unbroken: bool = False
    """R31: only unbroken enemies make a hex ignorable."""
    r31_all: bool = False
    """R31 (M5 variant): no farther from every Known enemy, not just from one."""
    r45_mf_only: bool = False
    """R45: a crawl must shorten the MF distance."""
    r45_hex_only: bool = False
    """R45: a crawl must shorten the distance in hexes."""
    r46_ignored_stops: bool = False
    """R46: building or woods that was ignored ends the rout too when it is entered."""
    r47_end_only: bool = False
    """R47: stacking limits bind at the end only, not in passing."""
    r49_current: bool = False
    """R49: after re-targeting R31 measures from the current hex."""
    r49_route: bool = False
    """R49 (b): the planned route turned illegal re-targets, even if another path exists."""
    r54_allowed: bool = False
    """R54: Low Crawl out of an enemy-occupied hex is allowed (RB3 lacks the sentence)."""

    def with_reading(self, reading: str) -> Readings:
        """These readings with one switch turned over (the id is a field name)."""
        return replace(self, **{reading: not getattr(self, reading)})


READINGS: tuple[str, ...] = tuple(field.name for field in fields(Readings))
"""Ids of all disputed readings, in rule order."""

UNNAMED = frozenset({"r31_all"})
"""Readings that no verdict names by itself: the rule book's example contradicts itself there."""


def rule_of_reading(reading: str) -> str:
    """The rule a reading belongs to.

    >>> rule_of_reading("r49_current")
    'R49'
    """
    return reading.split("_", 1)[0].upper()


@dataclass(frozen=True, slots=True)
class Rules:
    """What was chosen for this game: the rule book and the readings.

    Attributes:
        edition: rule book (R82).
        month: 1 to 12, or None when not given (grain off, orchard in leaf).
        readings: switches of the disputed rules.
    """

    edition: Edition = Edition.SK3
    month: int | None = None
    readings: Readings = Readings()
