"""Who fights whom: no file says it; nationalities do, and what the player adds by `--sides`."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from vassal_bridge.counters.maps import counter_maps
from vassal_bridge.counters.model import (
    Assumption,
    Counter,
    Kind,
    Sides,
    StackReading,
    TurnHint,
)
from vassal_bridge.counters.names import take_apart, turn_hint
from vassal_bridge.errors import UsageError

_SPLIT_SIDES = re.compile(r"\s*(?::|;|\||\bvs\.?\s|\bversus\s)\s*", re.IGNORECASE)
_SPLIT_NATIONS = re.compile(r"\s*[,+&]\s*")


class ScenarioInfo(Protocol):
    """What this room asks of VASSAL's scenario window (formats/files.md 9)."""

    @property
    def current(self) -> str:
        """``Axis``, ``Allied`` or empty."""

    @property
    def turn(self) -> int | None:
        """Turn number."""


def parse_sides(text: str) -> dict[str, tuple[str, ...]]:
    """The value of `--sides`: two sides, nationalities of one side joined by commas.

    A side may be given a name of its own: ``Axis=German,Italian : Allied=British``. Nationalities
    are those of contracts.md 1; VASL's codes and usual names are understood too.

    Returns:
        Side name -> nationalities. Without a name of its own a side of one nationality is called
        like it, others ``Side 1``, ``Side 2``.

    Raises:
        UsageError: not two sides, an unknown nationality, or one on both sides.

    >>> parse_sides("German, Finnish : Russian")
    {'Side 1': ('German', 'Finnish'), 'Russian': ('Russian',)}
    """
    aliases = counter_maps().aliases
    sides: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for number, part in enumerate(_SPLIT_SIDES.split(text.strip()), start=1):
        name, _, listed = part.rpartition("=")
        nations: list[str] = []
        for word in _SPLIT_NATIONS.split(listed.strip()):
            nation = aliases.get(word.strip().casefold())
            if nation is None:
                raise UsageError(f"--sides: unknown nationality {word.strip()[:40]!r}")
            if nation in seen and nation not in nations:
                raise UsageError(f"--sides: {nation} stands on both sides")
            if nation not in nations:
                nations.append(nation)
        seen.update(nations)
        default = nations[0] if len(nations) == 1 else f"Side {number}"
        sides[name.strip()[:40] or default] = tuple(nations)
    if len(sides) != 2:
        raise UsageError("--sides: give two sides, e.g. --sides 'German,Finnish : Russian'")
    return sides


def _strengths(counters: Iterable[Counter]) -> tuple[dict[str, int], list[str]]:
    """Counters per nationality of the troops, most first, and nationalities that only lend arms.

    Infantry and "?" counters tell who fights. A vehicle, Gun or weapon keeps the colours of its
    maker even where it is captured or lent, so it counts only where no troops stand behind it.
    """
    troops: collections.Counter[str] = collections.Counter()
    vehicles: collections.Counter[str] = collections.Counter()
    arms: collections.Counter[str] = collections.Counter()
    for counter in counters:
        if counter.nationality is None:
            continue
        if counter.is_infantry or counter.kind is Kind.CONCEALMENT:
            troops[counter.nationality] += 1
        elif counter.kind is Kind.VEHICLE:
            vehicles[counter.nationality] += 1
        elif counter.kind in (Kind.GUN, Kind.SW):
            arms[counter.nationality] += 1
    found = troops or vehicles or arms
    lent = sorted(nation for nation in vehicles if nation not in found)
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))), lent


def sides(
    counters: Iterable[Counter],
    info: ScenarioInfo | None = None,
    override: Mapping[str, Iterable[str]] | str | None = None,
) -> Sides:
    """Group the nationalities of a game into two sides.

    Args:
        counters: all counters, on and off the map.
        info: the scenario window. It names no nationality in any version of VASL, so it decides
            nothing here; see `current_turn`.
        override: of `--sides`, text or parsed.

    Returns:
        The sides; with an `Assumption` when palettes alone do not settle them: codes
        ``sides-two-of-one-group`` (two nationalities usually on one side: taken as enemies),
        ``sides-unclear`` (more of them: each stands alone), ``sides-usual`` (a nationality that
        fought on both sides is taken to fight on its usual one), ``sides-incomplete`` (one that
        `--sides` leaves out).

    Raises:
        UsageError: a wrong override.
    """
    del info
    present, lent = _strengths(counters)
    usual = counter_maps().usual_side
    camps = {usual[nation] for nation in present}
    if override is None and len(present) > 1 and len(camps) == 1:
        lent = []  # nobody can say whom such a vehicle joins
    joined = [nation for nation in lent if usual[nation] in camps]
    present.update((nation, 1) for nation in lent if nation not in joined)
    if override is not None:
        chosen = parse_sides(override) if isinstance(override, str) else override
        for nation in joined:
            present.setdefault(nation, 1)
        return _chosen(present, {name: tuple(nations) for name, nations in chosen.items()})
    return _with_lent(_usual(present), joined)


def _with_lent(found: Sides, joined: Iterable[str]) -> Sides:
    """Vehicles of a nationality without troops fight for the troops of its usual side."""
    of = dict(found.of)
    groups = dict(found.groups)
    for nation in joined:
        group = counter_maps().usual_side[nation]
        if group in groups:
            of[nation] = of[groups[group][0]]
            groups[group] = (*groups[group], nation)
    return Sides(of, groups, found.assumption)


def _named(groups: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Nationality -> side: the nationality where it fights alone, else the group's name."""
    return {
        nation: nation if len(nations) == 1 else group
        for group, nations in groups.items()
        for nation in nations
    }


def _chosen(present: Mapping[str, int], chosen: Mapping[str, tuple[str, ...]]) -> Sides:
    usual = counter_maps().usual_side
    groups = {name: list(nations) for name, nations in chosen.items()}
    listed = {nation for nations in groups.values() for nation in nations}
    left = [nation for nation in present if nation not in listed]
    for nation in left:
        alike = [
            name
            for name, nations in groups.items()
            if any(usual.get(one) == usual.get(nation) for one in nations)
        ]
        groups.setdefault(alike[0] if len(alike) == 1 else nation, []).append(nation)
    done = {name: tuple(nations) for name, nations in groups.items()}
    assumption = None
    if left:
        assumption = Assumption("sides-incomplete", {"nationalities": ", ".join(left)})
    return Sides(_named(done), done, assumption)


def _usual(present: Mapping[str, int]) -> Sides:
    maps = counter_maps()
    groups: dict[str, list[str]] = {}
    for nation in present:
        groups.setdefault(maps.usual_side[nation], []).append(nation)
    if len(groups) == 1 and len(present) > 1:
        alone = {nation: (nation,) for nation in present}
        code = "sides-two-of-one-group" if len(present) == 2 else "sides-unclear"
        facts = {"nationalities": ", ".join(present), "group": next(iter(groups))}
        return Sides({nation: nation for nation in present}, alone, Assumption(code, facts))
    done = {group: tuple(groups[group]) for group in sorted(groups)}
    doubtful = [
        nation
        for nations in done.values()
        if len(nations) > 1
        for nation in nations
        if nation in maps.switches
    ]
    assumption = None
    if doubtful:
        facts = {group: ", ".join(nations) for group, nations in done.items()}
        assumption = Assumption("sides-usual", {"nationalities": ", ".join(doubtful), **facts})
    return Sides(_named(done), done, assumption)


def current_turn(
    readings: Iterable[StackReading], info: ScenarioInfo | None = None
) -> TurnHint | None:
    """Whose turn it is, by the Phase track or turn counter, else by the scenario window.

    A hint only: players forget to turn the counter, and set-ups lie at turn 1. Of several
    counters the one that is furthest on counts.
    """
    best: TurnHint | None = None
    for reading in readings:
        for counter in reading.counters:
            if counter.marker != "phase-track":
                continue
            found = turn_hint(take_apart(counter.label).core)
            if found is not None and (best is None or found.turn > best.turn):
                best = found
    if best is None and info is not None and info.current in ("Axis", "Allied"):
        return TurnHint(info.current, info.turn or 1, None)
    return best
