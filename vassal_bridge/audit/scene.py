"""The board on which a rout is judged, and which facts are missing for a proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vassal_bridge.audit.codes import AuditCode, Finding, Why
from vassal_bridge.counters import StackReading
from vassal_bridge.rout import Code, Hex, Position, Reason, Unit
from vassal_bridge.rout.position import unclear_sight

TERRAIN_CODES = frozenset(
    {
        Code.AWAY_FROM_TARGETS,
        Code.NOT_A_DESTINATION,
        Code.MUST_STOP,
        Code.CRAWL_NO_NEARER,
        Code.TOO_FEW_MF,
    }
)
"""Reasons that hang on what terrain lies around."""
NEARBY = 6
"""Hexes around the start in which unknown terrain can hide a destination."""
GROUND_FREE = frozenset({"R1", "R2", "R3", "R23", "R52"})
"""Rules that need no terrain."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The board when a rout began, and what the log tells about it.

    Attributes:
        position: units as both players saw them, DM carried over.
        readings: counters by stack, for weapons.
        dice_at_hand: the log holds dice.
        between_saves: only two saves, no log: way, order and dice are not to be told.
        late: enemies may have advanced before the log began.
        fired_on: pieces that may have got DM by fire nobody marked.
        unfinished: the log ends with this rout under way, perhaps.
        revealed: enemies that appear while it routs, each with the step before which it does.
        seasons: when the month is not given and grain or orchards lie on the map: the same board
            in other months, made when asked for.
    """

    position: Position
    readings: tuple[StackReading, ...]
    dice_at_hand: bool = True
    between_saves: bool = False
    late: bool = False
    fired_on: frozenset[str] = frozenset()
    unfinished: bool = False
    revealed: tuple[tuple[int, Unit], ...] = ()
    seasons: Callable[[], Sequence[tuple[int, Position]]] | None = None


class Doubter:
    """Says which missing fact could excuse what looks illegal.

    Args:
        scene: the board.
        unit: the unit on it.
        waypoints: hexes as recorded.
        crawl: judged as Low Crawl.
    """

    def __init__(
        self, scene: Scene, unit: Unit, waypoints: tuple[Hex, ...], *, crawl: bool
    ) -> None:
        self.scene = scene
        self.unit = unit
        self.waypoints = waypoints
        self.crawl = crawl

    def of(self, illegal: Sequence[Why]) -> list[Why]:
        """Missing facts on which everything illegal hangs; empty if something is proven."""
        found: list[Why] = []
        for why in illegal:
            doubt = self._doubt(why)
            if doubt is None:
                return []
            if doubt not in found:
                found.append(doubt)
        return found

    def _doubt(self, why: Why) -> Why | None:
        """The fact that is missing for a reason, or None if it is proven."""
        if self.scene.revealed and why.code in TERRAIN_CODES:
            return Finding("R78", AuditCode.CONCEALED_HERE)  # it may have chosen anew (R48, R49)
        if self.scene.late and self._needs_enemies(why):
            return Finding("R84", AuditCode.LATE_POSITIONS)
        if why.code is Code.NO_DM:
            doubtful = self.unit.uncertain or self.unit.dm_doubtful
            if doubtful or self.unit.piece in self.scene.fired_on:
                return Finding("R2", AuditCode.DM_NOT_SEEN)
            return None
        if why.code is Code.IN_MELEE and self.unit.uncertain:
            return Reason("R84", Code.UNCERTAIN_STATE, (("unit", self.unit.id),))
        odd = self._unclear_hex(why)
        if odd is not None:
            return Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", odd),))
        return None

    def _needs_enemies(self, why: Why) -> bool:
        """Whether a reason hangs on where enemies stood."""
        if any(name in ("enemy", "enemies") for name, _ in why.facts):
            return True
        return why.code in TERRAIN_CODES and why.code is not Code.TOO_FEW_MF

    def _unclear_hex(self, why: Why) -> Hex | None:
        """Terrain on the way (or, for a destination, around) that the program does not know."""
        if why.code is AuditCode.CHECK_MISSING:
            return self._unclear_check(why)
        if not isinstance(why, Reason) or why.rule in GROUND_FREE:
            return None
        position = self.scene.position
        ground = position.ground
        near: list[Hex] = [self.unit.hex, *self.waypoints]
        near += [position.by_id[id_].hex for id_ in enemies_named(why) if id_ in position.by_id]
        if why.code in TERRAIN_CODES and not self.crawl:
            near += [h for h in ground.hexes() if ground.distance(self.unit.hex, h) <= NEARBY]
        odd = next((hex_ for hex_ in near if not ground.terrain(hex_).understood), None)
        return odd or self._unclear_sight(why)

    def _unclear_sight(self, why: Reason) -> Hex | None:
        """A hex not understood on a LOS from the way to an enemy whom the reason names."""
        position = self.scene.position
        for id_ in enemies_named(why):
            enemy = position.by_id.get(id_)
            if enemy is None:
                continue
            for at in (self.unit.hex, *self.waypoints):
                odd = unclear_sight(position.ground, at, enemy.hex)
                if odd is not None:
                    return odd
        return None

    def _unclear_check(self, why: Why) -> Hex | None:
        """A hex not understood on which it hangs whether an NMC was due at all (R56, R63).

        One enemy who can interdict is enough (R62): all of them must be in doubt.
        """
        position = self.scene.position
        at = str(why.fact("hex"))
        if not position.ground.terrain(at).understood:
            return at
        odd = None
        for id_ in enemies_named(why):
            enemy = position.by_id.get(id_)
            odd = None if enemy is None else unclear_sight(position.ground, at, enemy.hex)
            if odd is None:
                return None
        return odd


def enemies_named(why: Why) -> tuple[str, ...]:
    """Ids of the enemies among the facts of a reason."""
    found: list[str] = []
    for name, value in why.facts:
        if name == "enemy":
            found.append(str(value))
        elif name == "enemies" and isinstance(value, tuple):
            found += value
    return tuple(found)
