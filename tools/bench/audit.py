"""How long audits take: a log of 2,000 steps, and a folder of 200 logs.

Run from the repository: ``python -m tools.bench.audit [--boards DIR] [--logs 200]``. Board z comes
from ../shared. Targets (issue 7): under 2 s for the long log, under 60 s on two cores for the
folder, memory that does not grow with the number of logs.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.audit.logs import LogMaker, Piece
from tests.shared import BOARDS, LOGS
from vassal_bridge.audit import AuditOptions, audit_files, audit_saved
from vassal_bridge.board import BoardGround, BoardLibrary, build_ground, placements_from_rows
from vassal_bridge.bridge import Options
from vassal_bridge.rout import Kind, Position, Unit
from vassal_bridge.rout.duty import obligation
from vassal_bridge.rout.route import best_ways
from vassal_bridge.rout.router import Router

STEPS = 2000
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def long_log(library: BoardLibrary, steps: int, seed: int = 1) -> LogMaker:
    """Player turns with talk, dice, moves, breaks, routs and rallies until there are enough steps.

    Nine routs in ten follow the rules, the tenth goes anywhere.
    """
    dice = random.Random(seed)
    log = LogMaker("z", library)
    ground = build_ground(placements_from_rows([["z"]]), library)
    hexes = [f"z{column}{row}" for column in COLUMNS for row in range(1, 10)]
    places = dice.sample(hexes, 30)
    sides = {
        "German": [log.squad("German", "4-6-7", at) for at in places[:15]],
        "Russian": [log.squad("Russian", "4-4-7", at) for at in places[15:]],
    }
    log.begin()
    turn = 0
    while len(log.steps) < steps:
        mover, other = ("German", "Russian") if turn % 2 == 0 else ("Russian", "German")
        _turn(log, dice, sides[mover], sides[other], mover, ground)
        turn += 1
    return log


def _beside(log: LogMaker, dice: random.Random, piece: Piece) -> str:
    here = log.layout.ground_hex_at(piece.x, piece.y)
    assert here is not None
    return dice.choice([hex_ for hex_ in log.layout.neighbours(here) if hex_ is not None])


def _way(
    log: LogMaker, dice: random.Random, piece: Piece, broken: set[str], ground: BoardGround
) -> tuple[str, ...]:
    """A legal rout by the finder; now and then, or where there is none, a step anywhere."""
    units = tuple(
        Unit(
            other.id,
            other.nation,
            str(log.layout.ground_hex_at(other.x, other.y)),
            Kind.SQUAD,
            other.name[:5],
            fp=4,
            range=6 if other.nation == "German" else 4,
            morale=7,
            broken_morale=7,
            broken=other.id in broken,
            dm=other.id in broken,
        )
        for other in log.pieces.values()
        if other.nation
    )
    position = Position(ground, units, piece.nation)
    router = Router(position, position.by_id[piece.id])
    ways = best_ways(router, obligation(router))
    if not ways or dice.random() < 0.1:
        return (_beside(log, dice, piece),)
    chosen = dice.choice(sorted(ways))
    return min(ways[chosen].values(), key=lambda way: way.label).path


def _turn(
    log: LogMaker,
    dice: random.Random,
    mine: list[Piece],
    theirs: list[Piece],
    name: str,
    ground: BoardGround,
) -> None:
    log.say(f"RPh, {name} turn")
    for _ in range(4):
        log.roll("Rally", dice.randint(1, 6), dice.randint(1, 6))
    log.say("MPh")
    for piece in dice.sample(mine, 8):
        for _ in range(3):
            log.move(piece, to=_beside(log, dice, piece))
        log.roll("IFT", dice.randint(1, 6), dice.randint(1, 6))
    log.say("AFPh")
    broken = []
    marks = []
    for piece in dice.sample(theirs, 4):
        log.roll("IFT", 1, 2)
        log.roll("MC", 6, 4)
        log.breaks(piece)
        broken.append(piece)
        marks.append(log.marker("DM", str(log.layout.ground_hex_at(piece.x, piece.y))))
    log.say("RtPh")
    for piece, mark in zip(broken, marks, strict=True):
        for to in _way(log, dice, piece, {each.id for each in broken}, ground):
            log.move(piece, mark, to=to)
            log.roll("MC", 1, 2)
    log.say("APh")
    for piece in dice.sample(mine, 3):
        log.move(piece, to=_beside(log, dice, piece))
    log.say("CCPh, your turn: RPh")
    for piece, mark in zip(broken, marks, strict=True):
        log.set_layer(piece, 3, "-1")
        log.remove(mark)


def folder_of(library: BoardLibrary, folder: Path, count: int) -> None:
    """Logs with different play: the real ones as they are, filled up with shorter made ones."""
    real = sorted((LOGS / "made").glob("*.vlog"))
    for number, path in enumerate(real[:count]):
        (folder / f"{number:03} {path.name}").write_bytes(path.read_bytes())
    for number in range(len(real), count):
        log = long_log(library, 150, seed=number)
        log.write(folder, f"{number:03} made.vlog", date=number)


def main(arguments: list[str]) -> int:
    """Print the figures; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=Path, default=BOARDS)
    parser.add_argument("--logs", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args(arguments)
    library = BoardLibrary([chosen.boards])
    options = AuditOptions(Options(library), frames=False)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = long_log(library, STEPS).write(folder, "long.vlog")
        took = []
        for _ in range(3):
            fresh = AuditOptions(Options(BoardLibrary([chosen.boards])), frames=False)
            start, cpu = time.perf_counter(), time.process_time()
            result = audit_saved(path, fresh)
            took.append((time.process_time() - cpu, time.perf_counter() - start))
        best_cpu, best = min(took)
        print(
            f"{result.steps} steps, {len(result.phases)} rout phases, {result.tally.routs} routs: "
            f"{best:.2f} s ({best_cpu:.2f} s of processor), boards opened anew"
        )
        path.unlink()
        folder_of(library, folder, chosen.logs)
        start = time.perf_counter()
        peak, count, routs = 0, 0, 0
        early = 0
        for found in audit_files([folder], options, workers=chosen.workers):
            count += 1
            routs += found.result.tally.routs if found.result else 0
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            if count == chosen.logs // 4:
                early = peak
        all_took = time.perf_counter() - start
        children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(
            f"{count} logs, {routs} routs: {all_took:.1f} s with {chosen.workers} processes; "
            f"peak {early} MB after a quarter, {peak} MB at the end, largest worker {children} MB"
        )
    return 0 if best < 2 and all_took < 60 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
