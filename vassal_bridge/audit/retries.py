"""Counters dragged somewhere and silently dragged back: a slip or a look, perhaps no rout at all.

Undo says that a move is taken back, and so may the chat (`reconstruct`). Some players just drag the
counter back. The rules allow a unit to go back (R22), so that is decided only when the rout as
recorded cannot stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vassal_bridge.audit.judge import Judge
from vassal_bridge.audit.result import AuditedRout, Verdict
from vassal_bridge.audit.scene import Scene
from vassal_bridge.audit.tracks import Track
from vassal_bridge.rout import Unit


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


def judged_with_retries(track: Track, unit: Unit, scene: Scene) -> list[AuditedRout]:
    """The rout judged; without ways there and back where only they make it illegal.

    A unit that ends where it began has not routed: its moves are told as taken back.

    Args:
        track: the rout as recorded.
        unit: the unit in the scene's position.
        scene: the board when it began.
    """
    rout = Judge(track, unit, scene).rout()
    if track.undone_by is not None or rout.cut is not None:
        return [rout]
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
