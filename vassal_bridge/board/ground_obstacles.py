"""Counters that hinder a line of sight or change a hex: smoke, blazes, wrecks, vehicles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

ObstacleKind = Literal["smoke", "blaze", "wreck", "vehicle"]

FRESH_SMOKE = 3
"""Hindrance of smoke of unknown strength: a fresh SMOKE counter."""
SMOKE_HEIGHT = 2
"""Levels smoke rises above the ground of its hex."""
BLAZE_HEIGHT = 4
"""Levels the smoke of a blaze rises above the ground of its hex."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One counter on the map as a line of sight meets it.

    Attributes:
        kind: what it is.
        hindrance: what it adds to a LOS that crosses its hex.
        height: levels it rises above the ground of its hex; 0 for wrecks and vehicles, which hinder
            only a LOS at their own level.
    """

    kind: ObstacleKind
    hindrance: int
    height: int = 0

    @classmethod
    def smoke(cls, strength: int = 0) -> Obstacle:
        """Smoke of a strength; 0 when it is not known."""
        return cls("smoke", strength or FRESH_SMOKE, SMOKE_HEIGHT)

    @classmethod
    def blaze(cls) -> Obstacle:
        """A blaze and its smoke."""
        return cls("blaze", FRESH_SMOKE, BLAZE_HEIGHT)

    @classmethod
    def wreck(cls) -> Obstacle:
        """A wreck."""
        return cls("wreck", 1)

    @classmethod
    def vehicle(cls) -> Obstacle:
        """A vehicle that is not in Motion (R63)."""
        return cls("vehicle", 1)


def smoke_of(obstacles: Iterable[Obstacle]) -> int:
    """Hindrance of the smoke in one hex: the thickest counts (0 if none)."""
    return max((o.hindrance for o in obstacles if o.kind in ("smoke", "blaze")), default=0)


def wreck_in(obstacles: Iterable[Obstacle]) -> bool:
    """Whether a wreck or vehicle stands in one hex."""
    return any(o.kind in ("wreck", "vehicle") for o in obstacles)
