"""Everything the rules say about a broken unit before the rout phase."""

from __future__ import annotations

from collections.abc import Mapping

from vassal_bridge.rout.duty import Obligation, obligation
from vassal_bridge.rout.odds import odds_of
from vassal_bridge.rout.position import Hex, Kind, Position, Unit, unclear_sight
from vassal_bridge.rout.result import (
    Assessment,
    Barred,
    Certainty,
    Duty,
    End,
    How,
    SightLine,
)
from vassal_bridge.rout.route import Way, all_ends, best_ways, on_all_ways
from vassal_bridge.rout.router import Router
from vassal_bridge.rout.rulebook import UNNAMED, Code, Edition, Reason
from vassal_bridge.rout.step import start_of_rout, verify_crawl, verify_step
from vassal_bridge.rout.target import Destinations, destinations
from vassal_bridge.rout.weapons import kept_weapons

_Answers = tuple[Duty, tuple[Hex, ...], bool, tuple[tuple[Hex, How], ...]]
"""What a reading would have to change: duty, targets, free rout, ends.

The MF of a target may differ between readings without anything hanging on it."""


def assess_all(position: Position) -> tuple[Assessment, ...]:
    """Assess every broken unit, the ATTACKER's first (R13), in position order."""
    broken = [unit for unit in position.units if unit.broken and unit.is_infantry]
    broken.sort(key=lambda unit: unit.side != position.attacker)
    return tuple(assess(position, unit.id) for unit in broken)


def assess(position: Position, unit: str, *, companion: str | None = None) -> Assessment:
    """Assess one unit: duty, destinations, ends with odds, barred neighbours, certainty.

    Args:
        position: before the rout phase; every other unit stays where it stands.
        unit: its id.
        companion: id of a leader that goes along (R71), if so decided.

    Raises:
        KeyError: no such unit.
    """
    subject = position.by_id[unit]
    mate = position.by_id[companion] if companion is not None else None
    router = Router(position, subject, companion=mate)
    duty = obligation(router)
    ways = best_ways(router, duty)
    found = destinations(router, subject.hex, router.allowance2, router.seen(subject.hex))
    moves = duty.duty is not Duty.NONE
    ends = _ends(router, duty, ways)
    hows = {hex_: _how(by_how) for hex_, by_how in ways.items()}
    readings = _sensitive(router, _answers(router, duty, found, hows))
    odd_sight = _unclear_sight(router, duty, ends)
    kept, dropped, _ = kept_weapons(subject)
    return Assessment(
        unit=subject.id,
        duty=duty.duty,
        becomes_dm=duty.becomes_dm,
        certainty=_certainty(router, duty, found, readings, ends, odd_sight),
        reasons=(*duty.reasons, *duty.uncertain, *_doubts(router, duty, ends, odd_sight)),
        readings=readings,
        known=router.ids(router.seen(subject.hex)),
        targets=found.targets if moves else (),
        free_rout=moves and found.free,
        ignored=found.ignored if moves else (),
        ends=ends,
        barred=_barred(router) if moves else (),
        best=_best(ends),
        keeps=tuple(weapon.name for weapon in kept) if moves else (),
        drops=tuple(weapon.name for weapon in dropped) if moves else (),
        companions=_companions(position, subject) if moves else (),
        sights=tuple(
            SightLine(subject.id, subject.hex, enemy.hex)
            for _, enemy in router.members(router.seen(subject.hex))
        ),
    )


def _companions(position: Position, unit: Unit) -> tuple[str, ...]:
    """Unbroken leaders stacked with the unit that may rout with it (R71).

    A pinned one may only by the first rule book, before its errata (R82).
    """
    pinned_may = position.rules.edition is Edition.SK1
    return tuple(
        other.id
        for other in position.friends_in(unit.hex, unit)
        if other.kind is Kind.LEADER
        and not other.broken
        and (pinned_may or not other.pinned)
        and not position.in_melee(other)
    )


def _ends(router: Router, duty: Obligation, ways: dict[Hex, dict[How, Way]]) -> tuple[End, ...]:
    """Ends, best by survival first; `stay` where staying is legal."""
    start = router.unit.hex
    stays = duty.duty in (Duty.NONE, Duty.MAY)
    ends = [
        _end(router, hex_, by_how) for hex_, by_how in ways.items() if not (stays and hex_ == start)
    ]
    ends.sort(key=lambda end: _preference(end, start))
    if stays:
        ends.append(End(start, How.STAY, (), 0, (), None))
    return tuple(ends)


def _end(router: Router, hex_: Hex, by_how: dict[How, Way]) -> End:
    best = min(by_how.values(), key=lambda way: way.label)
    events = tuple(event for move in best.moves for event in move.events)
    walk = by_how.get(How.MOVE)
    return End(
        hex_,
        _how(by_how),
        best.path,
        best.mf2,
        best.interdictions,
        odds_of(router, best),
        events,
        walk.interdictions if best.low_crawl and walk is not None else None,
    )


def _how(by_how: Mapping[How, Way]) -> How:
    return How.BOTH if len(by_how) > 1 else next(iter(by_how))


def _preference(end: End, start: Hex) -> tuple[float, float, int, bool, int, Hex]:
    """Order of ends: survival, then unreduced, then interdictions, MF and name.

    Of ends that are as safe as each other, those whose way enters a hex twice come last.
    """
    met = sum(1 for found in end.interdictions if found.by)
    again = len({start, *end.path}) <= len(end.path)
    if end.odds is None:
        return (0.0, 0.0, met, again, end.mf2, end.hex)
    return (end.odds.eliminated, -end.odds.arrives_unreduced, met, again, end.mf2, end.hex)


def _best(ends: tuple[End, ...]) -> Hex | None:
    """The single choice that is best by survival, None if there is nothing to choose."""
    moving = [end for end in ends if end.how is not How.STAY]
    return moving[0].hex if moving else None


def _barred(router: Router) -> tuple[Barred, ...]:
    """Neighbours the unit may not enter by any plan nor by Low Crawl, with every reason."""
    starts = start_of_rout(router)
    found = []
    for edge in router.edges(router.unit.hex):
        crawl = verify_crawl(router, edge.to)
        verdicts = [verify_step(router, state, edge.to) for state in starts]
        if crawl.legal or any(verdict.legal for verdict in verdicts):
            continue
        reasons: list[Reason] = []
        for verdict in (*verdicts, crawl):
            reasons += [reason for reason in verdict.reasons if reason not in reasons]
        found.append(Barred(edge.to, tuple(reasons)))
    return tuple(found)


def _answers(
    router: Router, duty: Obligation, to: Destinations, ends: Mapping[Hex, How]
) -> _Answers:
    if duty.duty is Duty.NONE:
        return (duty.duty, (), False, ())
    found = dict(ends)
    if duty.duty is Duty.MAY:
        found[router.unit.hex] = How.STAY
    targets = sorted(target.hex for target in to.targets)
    return (duty.duty, tuple(targets), to.free, tuple(sorted(found.items())))


def _sensitive(router: Router, default: _Answers) -> tuple[str, ...]:
    """Disputed readings that would change an answer, as ``reading:what,what``."""
    found = []
    for reading in sorted(router.touched - UNNAMED):
        other = router.with_readings(router.readings.with_reading(reading))
        duty = obligation(other)
        at = other.unit.hex
        to = destinations(other, at, other.allowance2, other.seen(at))
        answers = _answers(other, duty, to, all_ends(other, duty))
        names = ("duty", "targets", "targets", "ends")
        pairs = zip(names, default, answers, strict=True)
        what = dict.fromkeys(name for name, mine, its in pairs if mine != its)
        if what:
            found.append(f"{reading}:{','.join(what)}")
    return tuple(found)


def _doubts(
    router: Router, duty: Obligation, ends: tuple[End, ...], odd_sight: Hex | None
) -> tuple[Reason, ...]:
    """Facts outside what the program understands (design.md, Certainty)."""
    unit = router.unit
    doubts = [
        Reason("R84", Code.UNCERTAIN_STATE, (("unit", enemy),))
        for enemy in _doubtful_enemies(router, ends)
    ]
    if unit.uncertain or _rests_on_dm(unit, duty):
        doubts.append(Reason("R84", Code.UNCERTAIN_STATE, (("unit", unit.id),)))
    if not router.terrain(unit.hex).understood:
        doubts.append(Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", unit.hex),)))
    elif odd_sight is not None:
        doubts.append(Reason("R87", Code.UNKNOWN_TERRAIN, (("hex", odd_sight),)))
    if _hangs_on_concealed(router, duty, ends):
        doubts.append(Reason("R78", Code.HIDDEN))
    return tuple(doubts)


def _hangs_on_concealed(router: Router, duty: Obligation, ends: tuple[End, ...]) -> bool:
    """Whether concealed units may change an answer: enemies anywhere, or friends on a way (R47).

    Who does not rout does not whatever is concealed: a unit without DM gets it from a Known enemy
    only (R2, R5, R6), and a concealed one is not Known (R78); Melee holds as it stands (R3).

    How many friends lie under a "?" is not known, so neither is whether there is room. Where
    concealed ones are seen in the hex, they are taken for all there are: their own player looks.
    """
    if duty.duty is Duty.NONE:
        return False
    position, unit = router.position, router.unit
    hidden = any(enemy.concealed for enemy in router.enemies)
    if hidden or position.concealed_against(unit.side):
        return True
    crowds = {
        at
        for side, at in position.concealed
        if side == unit.side and not any(one.concealed for one in position.friends_in(at, unit))
    }
    return any(hex_ in crowds for end in ends for hex_ in end.path)


def _unclear_sight(router: Router, duty: Obligation, ends: tuple[End, ...]) -> Hex | None:
    """A hex not understood on a LOS that counted: of the unit, or on its ways, to an enemy (R79).

    All ways count, not the best ones alone: an enemy that it may see on any changes its plan (R49).
    """
    ground = router.ground
    if ground.all_clear or router.position.in_melee(router.unit):
        return None
    there = dict.fromkeys(enemy.hex for enemy in router.enemies if not enemy.concealed)
    best = [hex_ for end in ends for hex_ in end.path]
    here = dict.fromkeys([router.unit.hex, *best, *sorted(on_all_ways(router, duty))])
    for at in here:
        for enemy in there:
            odd = unclear_sight(ground, at, enemy)
            if odd is not None:
                return odd
    return None


def _odd_ground(router: Router, duty: Obligation, to: Destinations, ends: tuple[End, ...]) -> bool:
    """Whether terrain is not understood in its hex, on its ways, or where it might have to go.

    What lies in a hex that is not understood may be woods or building and cost 1 MF a hex: then it
    may be as near as any destination (R27).
    """

    def odd(hex_: Hex) -> bool:
        return not router.terrain(hex_).understood

    unit, ground = router.unit, router.ground
    if odd(unit.hex):
        return True
    if duty.duty is Duty.NONE:
        return False
    if any(odd(hex_) for end in ends for hex_ in end.path):
        return True
    bare = router.reach(unit.hex, router.allowance2, router.seen(unit.hex), bans=False)
    strange = [hex_ for hex_ in bare if odd(hex_)]
    if not strange:  # no other way leads anywhere else
        return False
    nearest = router.allowance2 if to.free else max(target.mf2 for target in to.targets)
    if any(2 * ground.distance(unit.hex, hex_) <= nearest for hex_ in strange):
        return True
    return not on_all_ways(router, duty).isdisjoint(strange)


def _doubtful_enemies(router: Router, ends: tuple[End, ...]) -> tuple[str, ...]:
    """Enemies on which an answer may rest and whose markers can be read in two ways.

    Broken, pinned, CX or in Melee: it decides who forces a unit out (R8, R9) and who interdicts.
    """
    if not any(enemy.uncertain for enemy in router.enemies):
        return ()
    met = {id_ for end in ends for found in end.interdictions for id_ in found.by + found.maybe}
    met.update(router.ids(router.seen(router.unit.hex)))
    return tuple(enemy.id for enemy in router.enemies if enemy.uncertain and enemy.id in met)


def _rests_on_dm(unit: Unit, duty: Obligation) -> bool:
    """Whether the unit may rout only because of a DM marker that is in doubt (R2)."""
    return unit.dm_doubtful and duty.duty is Duty.MAY


def _certainty(
    router: Router,
    duty: Obligation,
    to: Destinations,
    readings: tuple[str, ...],
    ends: tuple[End, ...],
    odd_sight: Hex | None,
) -> Certainty:
    odd_ground = _odd_ground(router, duty, to, ends)
    maybe = any(found.maybe for end in ends for found in end.interdictions)
    doubtful = router.unit.uncertain or _doubtful_enemies(router, ends)
    if odd_ground or odd_sight is not None or doubtful or duty.uncertain or maybe:
        return Certainty.UNKNOWN
    if readings or _rests_on_dm(router.unit, duty) or _hangs_on_concealed(router, duty, ends):
        return Certainty.DEPENDS
    return Certainty.CERTAIN
