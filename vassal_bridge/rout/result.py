"""What the rules answer about a unit: the values every report, overlay and audit is made from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vassal_bridge.rout.position import Hex
from vassal_bridge.rout.rulebook import Reason


class Duty(StrEnum):
    """Whether a unit routs (contracts.md 3).

    There is no surrender and no voluntary breaking in the Starter Kit, so neither is an answer
    (R12, R75).
    """

    NONE = "none"
    MAY = "may"
    MUST = "must"
    ELIMINATED = "eliminated"


class Certainty(StrEnum):
    """How far a verdict can be trusted (design.md)."""

    CERTAIN = "certain"
    DEPENDS = "depends"
    UNKNOWN = "unknown"


class How(StrEnum):
    """How a unit can come to end in a hex."""

    STAY = "stay"
    CRAWL = "crawl"
    MOVE = "move"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Target:
    """A legal destination before the first step (R33).

    Attributes:
        hex: building or woods hex.
        mf2: its distance in half MF along a legal path.
        because: why it may be ignored (R31, R32), or None if it may not.
    """

    hex: Hex
    mf2: int
    because: Reason | None


@dataclass(frozen=True, slots=True)
class Interdiction:
    """An Open Ground hex on a route and the enemies able to interdict there (R56).

    Attributes:
        hex: the hex entered.
        by: enemies able to interdict.
        maybe: enemies for which a fact is missing (a vehicle's facing, an odd weapon).
    """

    hex: Hex
    by: tuple[str, ...]
    maybe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Odds:
    """Exact probabilities of how a route ends (R64 to R68); they add up to 1.

    Attributes:
        unreduced: arrives as it set out (a pin in the last hex is counted under `pinned`).
        pinned: pinned on the way or on arrival, alive, not reduced.
        reduced: lost a step (squad to half-squad) and lives, pinned or not.
        wounded: an SMC newly wounded that lives.
        eliminated: dead, or dies for failure to rout afterwards.
        arrives_unreduced: unreduced in the last hex, pinned there or not.
    """

    unreduced: float
    pinned: float
    reduced: float
    wounded: float
    eliminated: float
    arrives_unreduced: float


@dataclass(frozen=True, slots=True)
class End:
    """A hex in which the unit may legally end its rout alive, interdiction aside.

    Attributes:
        hex: where.
        how: crawl, move or both (the starting hex: stay).
        path: hexes entered on the best way there: fewest interdictions, then MF, then names.
        mf2: MF used on that way, in half MF.
        interdictions: on that way.
        odds: along that way; None when the broken morale is unknown.
        events: discoveries and re-targetings on that way, in order.
        on_foot: where that way is a Low Crawl but it may walk there too: the interdictions it would
            meet then. None otherwise.
    """

    hex: Hex
    how: How
    path: tuple[Hex, ...]
    mf2: int
    interdictions: tuple[Interdiction, ...]
    odds: Odds | None
    events: tuple[Reason, ...] = ()
    on_foot: tuple[Interdiction, ...] | None = None


@dataclass(frozen=True, slots=True)
class Barred:
    """A neighbouring hex the unit may not enter, and every reason why."""

    hex: Hex
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class SightLine:
    """One LOS that was used, for the list of free LOS checks."""

    viewer: str
    viewer_hex: Hex
    target_hex: Hex


@dataclass(frozen=True, slots=True)
class Assessment:
    """Everything the rules say about one unit before the rout phase.

    Attributes:
        unit: its id.
        duty: none, may, must or eliminated.
        becomes_dm: gets its DM marker at the start of the phase (R6).
        certainty: certain, depends or unknown.
        reasons: why the duty is what it is, most important first.
        readings: disputed readings that would change an answer about this unit, with what changes
            (``duty``, ``targets``, ``ends``) behind a colon.
        known: ids of enemies Known before it moves (R78).
        targets: legal destinations before the first step.
        free_rout: a rout to any hex is legal (R51).
        ignored: shelter hexes in reach that are no targets, with the reason (full, too far …).
        ends: legal ends, best by survival first where odds are known; `stay` included.
        barred: neighbours it may not enter.
        best: the hex that is best by survival, or None.
        keeps: names of the weapons it takes along (R77); with equal choices, one of them.
        drops: names of the weapons it leaves behind (R76).
        companions: ids of unbroken leaders that may go along (R71).
        sights: every LOS the verdict used, for the list of free LOS checks.
    """

    unit: str
    duty: Duty
    becomes_dm: bool
    certainty: Certainty
    reasons: tuple[Reason, ...]
    readings: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    free_rout: bool = False
    ignored: tuple[Barred, ...] = ()
    ends: tuple[End, ...] = ()
    barred: tuple[Barred, ...] = ()
    best: Hex | None = None
    keeps: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    sights: tuple[SightLine, ...] = ()


class PathVerdict(StrEnum):
    """Verdict on a complete rout (contracts.md 3)."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class PathJudgement:
    """The verdict on a sequence of hexes as a complete rout.

    Attributes:
        verdict: legal; illegal; disputed = legal under a listed other reading only.
        reasons: why it is illegal (empty when legal), plainest first.
        interdictions: for each Open Ground hex entered, who is able to interdict there.
        last_legal: last hex up to which the path was legal.
        readings: readings under which the verdict would be another.
        events: discoveries and re-targetings on the way.
        other_rules: readings under which it would be as illegal, but by other rules.
    """

    verdict: PathVerdict
    reasons: tuple[Reason, ...]
    interdictions: tuple[Interdiction, ...]
    last_legal: Hex
    readings: tuple[str, ...] = ()
    events: tuple[Reason, ...] = ()
    other_rules: tuple[str, ...] = ()
