"""Counters dragged somewhere and silently dragged back: a slip or a look, perhaps no rout at all.

Undo says that a move is taken back, and so may the chat (`reconstruct`). Some players just drag the
counter back. The rules allow a unit to go back (R22), so that is decided only when the rout as
recorded cannot stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vassal_bridge.audit.codes import AuditCode, Finding
from vassal_bridge.audit.histories import Histories
from vassal_bridge.audit.judge import Judge
from vassal_bridge.audit.result import AuditedRout, Verdict
from vassal_bridge.audit.scene import Scene
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import Code, Unit


@dataclass(frozen=True, slots=True)
class Retry:
    """A rout without the moves that lead back to where they began.

    Attributes:
        standing: what is left of it; without moves if it ends where it began.
        taken: the moves there and back, as a rout taken back with the last of them.
        from_start: they begin and end where the rout began.
    """

    standing: Track
    taken: Track
    from_start: bool


_UNDER_WAY = frozenset(
    {
        Code.NOT_A_DESTINATION,
        Code.ENDS_ADJACENT,
        Code.RETARGET,
        AuditCode.LEADER_ALONG,
        AuditCode.CHECK_PASSED,
        AuditCode.REDUCED,
        AuditCode.WOUNDED,
        AuditCode.GOES_ON,
        AuditCode.OPEN_END,
        AuditCode.CONCEALED_HERE,
    }
)
"""What may be said of a rout that goes on."""


def judged_with_retries(track: Track, unit: Unit, scene: Scene) -> list[AuditedRout]:
    """The rout judged; without ways there and back where only they make it illegal.

    A unit that ends where it began has not routed: its moves are told as taken back.

    Args:
        track: the rout as recorded.
        unit: the unit in the scene's position.
        scene: the board when it began.
    """
    judge = Judge(track, unit, scene)
    rout = judge.rout()
    if track.undone_by is not None or rout.cut is not None:
        return [rout]
    if rout.verdict is Verdict.LEGAL and _against_revealed(track, scene):
        hidden = Finding("R78", AuditCode.CONCEALED_HERE)
        return [replace(rout, verdict=Verdict.UNPROVEN, reasons=(hidden, *rout.reasons))]
    if scene.unfinished and rout.verdict is Verdict.ILLEGAL and _may_go_on(judge, rout):
        short = Finding("R85", AuditCode.STOPS_SHORT, (("hex", rout.to),))
        reasons = (short, *rout.reasons)
        return [replace(rout, verdict=Verdict.UNPROVEN, reasons=reasons)]
    stays = track.to == track.start
    if rout.verdict is not Verdict.ILLEGAL and not stays:
        return [rout]
    retry = without_return(track)
    if retry is None:
        return [rout]
    taken = Judge(retry.taken, unit, scene).rout()
    if not retry.standing.moves:
        return [taken]
    others = judged_with_retries(retry.standing, unit, scene)
    if retry.from_start or all(one.verdict is not Verdict.ILLEGAL for one in others):
        return [taken, *others]
    return [rout]


def _against_revealed(track: Track, scene: Scene) -> bool:
    """Whether a step after an enemy was revealed is one that R38 or R40 bars."""
    ground = scene.position.ground
    for move in track.moves:
        for step, enemy in scene.revealed:
            if move.step <= step:
                continue
            before, after = (ground.distance(at, enemy.hex) for at in (move.start, move.to))
            if before == after == 1:
                return True
            if after < before and (before == 1 or ground.sight(move.start, enemy.hex).clear):
                return True
    return False


def _may_go_on(judge: Judge, rout: AuditedRout) -> bool:
    """Whether only where it ends speaks against a rout, or a check that may still be rolled."""
    so_far = Histories(judge.router, judge.waypoints, complete=False).outcome()
    if not so_far.legal:
        return False
    last_check = (AuditCode.CHECK_MISSING, rout.to)
    return all(
        why.code in _UNDER_WAY or (why.code, why.fact("hex")) == last_check for why in rout.reasons
    )


def without_return(track: Track) -> Retry | None:
    """The rout without its first way there and back, if nothing came of it: no dice, no loss.

    Args:
        track: a rout as recorded, not taken back.

    Returns:
        None if it never comes back to a hex, or something happened on the way.
    """
    hexes = (track.start, *track.path)
    for end in range(1, len(hexes)):
        begin = hexes.index(hexes[end])
        if end - begin < 2:
            continue
        loop = track.moves[begin:end]
        inside = range(loop[0].step, loop[-1].step + 1)
        happened = [roll.step for roll in track.rolls] + [event.step for event in track.events]
        if any(step in inside for step in happened):
            return None
        by = loop[-1].step
        taken = replace(track, moves=loop[:-1], events=[], rolls=[], early_rolls=[], undone_by=by)
        taken.prefix = [*track.prefix, *track.moves[:begin]]
        taken.together = []
        rest = track.moves[:begin] + track.moves[end:]
        standing = replace(track, moves=rest)
        if begin == 0:
            standing.together, standing.from_step = [], None
        return Retry(standing, taken, begin == 0)
    return None
