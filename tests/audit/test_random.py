"""Random games on board z: what the finder offers, recorded in any manner, is never illegal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.audit.logs import LogMaker, Piece
from tests.audit.scenes import library
from tests.shared import needs_shared
from vassal_bridge.audit import AuditOptions, Verdict, audit_saved
from vassal_bridge.bridge import Options, game_map, snapshot, source_of
from vassal_bridge.rout import Duty, How, Position, Unit, assess
from vassal_bridge.vassal import open_saved, replay
from vassal_bridge.vassal.game import load_game

pytestmark = needs_shared
AREA = [f"z{column}{row}" for column in "GHIJKLMNOPQ" for row in range(2, 10)]


class Game:
    """A random game whose routs are played as the rules allow."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.dice = random.Random(seed)
        self.folder = folder
        self.log = LogMaker("z", library())
        places = self.dice.sample(AREA, 12)
        for hex_ in places[:5]:
            self.log.squad("German", self.dice.choice(["4-6-7", "4-6-8"]), hex_)
        self.broken: dict[str, Piece] = {}
        self.marks: dict[str, Piece] = {}
        for hex_ in places[5:9]:
            unit = self.log.squad("Russian", "4-4-7", hex_, broken=True)
            self.broken[unit.id] = unit
            self.marks[unit.id] = self.log.marker("DM", hex_)
        for hex_ in places[9:]:
            self.log.squad("Russian", "4-4-7", hex_)
        self.log.begin()
        self.log.say("RtPh")
        self.log.roll("Other", 3)

    def position(self) -> Position:
        path = self.log.write(self.folder, "now.vlog")
        saved = open_saved(path)
        game = load_game(saved)
        for step in replay(saved):
            game = step.game
        options = Options(library(), attacker="German")
        return snapshot(game, game_map(game, options), options, source_of(saved)).position

    def play(self) -> tuple[int, int]:
        """Every broken unit routs, stays or dies as it may; returns routs and deaths."""
        routs = deaths = 0
        for id_ in self.dice.sample(sorted(self.broken), len(self.broken)):
            position = self.position()
            unit = next(u for u in position.units if u.piece == id_)
            found = assess(position, unit.id)
            moving = [end for end in found.ends if end.how is not How.STAY]
            if found.duty is Duty.ELIMINATED or (found.duty is Duty.MUST and not moving):
                if found.duty is Duty.ELIMINATED:
                    self.log.remove(self.marks[id_], self.broken[id_])
                    deaths += 1
                continue
            if not moving or (found.duty is Duty.MAY and self.dice.random() < 0.3):
                continue
            self._rout(unit, self.dice.choice(moving))
            routs += 1
        return routs, deaths

    def _rout(self, unit: Unit, end: object) -> None:
        pieces = (self.broken[str(unit.piece)], self.marks[str(unit.piece)])
        how, path = end.how, end.path  # type: ignore[attr-defined]
        met = [each.hex for each in end.interdictions if each.by]  # type: ignore[attr-defined]
        if how is How.CRAWL:
            self.log.say(f"{unit.hex[1:]} low crawls")
            self.log.move(*pieces, to=path[0])
            return
        if len(path) > 1 and self.dice.random() < 0.4:
            self.log.move(*pieces, to=path[-1])
            for _ in met:
                self.log.roll("MC", 1, 2)
            return
        for hex_ in path:
            self.log.move(*pieces, to=hex_)
            if hex_ in met:
                self.log.roll("MC", 1, 2)


@pytest.mark.parametrize("seed", range(12))
def test_legal_play_is_never_illegal(seed: int, tmp_path: Path) -> None:
    game = Game(seed, tmp_path)
    routs, deaths = game.play()
    path = game.log.write(tmp_path)
    options = AuditOptions(Options(library(), attacker="German"))
    result = audit_saved(path, options)
    found = [rout for phase in result.phases for rout in phase.routs]
    assert len(found) == routs
    for rout in found:
        assert rout.verdict is Verdict.LEGAL, (rout.start, rout.path, rout.reasons)
    failures = [failure for phase in result.phases for failure in phase.failures]
    assert sum(failure.removed for failure in failures) == deaths
