"""Random routs on boards of published set-ups: joined, cropped, reversed, with real counters."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.audit.scenes import library
from tests.shared import SAVES, needs_shared
from tests.vassal.samples import MARKER, add, chain, saved, step
from vassal_bridge.audit import AuditOptions, Verdict, audit_saved
from vassal_bridge.audit.table import BoardCache
from vassal_bridge.bridge import Options, snapshot, source_of
from vassal_bridge.rout import Duty, How, Position, Unit, assess
from vassal_bridge.vassal import Game, Piece, load_game, open_saved, replay
from vassal_bridge.vassal.sequence import ESC, join, nest

pytestmark = needs_shared

SETUPS = (
    "S 003 Simple Equation - Enhanced.vsav",
    "S 009 Ambitious Assault - Enhanced.vsav",
    "S 024 Sherman Marches West - Enhanced.vsav",
    "S 033 Few And Far Between - Enhanced.vsav",
    "S 047 Not So Disposed - Enhanced.vsav",
)
BOARDS_BUILT = BoardCache()


class RealGame:
    """A set-up whose units are put on the boards, broken and routed by the log's steps."""

    def __init__(self, save: Path, seed: int, folder: Path) -> None:
        self.dice = random.Random(seed)
        self.folder = folder
        self.saved = open_saved(save)
        self.options = Options(library(), month=7)
        self.start = load_game(self.saved)
        self.board = BOARDS_BUILT.board(self.start, self.options)
        self.steps: list[str] = []
        self.marks: dict[str, str] = {}
        self.next = 77_000_000

    # --- the game as it stands ------------------------------------------------------------------

    def write(self) -> Path:
        path = self.folder / "game.vlog"
        path.write_bytes(saved(ESC.join((self.saved.text, *self.steps))))
        return path

    def game(self) -> Game:
        found = open_saved(self.write())
        game = load_game(found)
        for each in replay(found):
            game = each.game
        return game

    def position(self, game: Game) -> Position:
        return snapshot(game, self.board, self.options, source_of(self.saved)).position

    # --- steps ----------------------------------------------------------------------------------

    def log(self, *commands: str) -> None:
        self.steps.append(step(*commands))

    def move(self, game: Game, ids: list[str], hex_: str) -> None:
        x, y = self.board.layout.snap(hex_)
        below = "null"
        commands = []
        for id_ in ids:
            piece = game.pieces.get(id_)
            place = f"{piece.x}/{piece.y}" if piece is not None else "0/0"
            commands.append(f"M/{id_}/Main Map/{x}/{y}/{below}/Main Map/{place}/null/secret")
            below = id_
        self.log(*commands, "CHAT* moves *")

    def breaks(self, piece: Piece) -> bool:
        """Turn a unit to its broken side and put a DM marker on it; False if it has none."""
        states = [trait.state for trait in piece.traits]
        shown = None
        for place, trait in enumerate(piece.traits):
            if trait.kind == "emb2" and trait.field(19) == "BRK":
                shown = place
        if shown is None:
            return False
        level = states[shown].split(";")[0].lstrip("-") or "1"
        old = nest(states)
        states[shown] = level
        self.next += 1
        mark = str(self.next)
        self.marks[piece.id] = mark
        self.log(
            join(("D", piece.id, nest(states), old), "/"),
            add(mark, MARKER, chain(("false", "null;0;0;5705"))),
            f"M/{mark}/Main Map/{piece.x}/{piece.y}/{piece.id}/null/0/0/null/secret",
            "CHAT* broken *",
        )
        return True

    # --- the play -------------------------------------------------------------------------------

    def set_up(self) -> list[str]:
        """Units of both sides on random hexes near each other; half of them broken."""
        first = snapshot(self.start, self.board, self.options, source_of(self.saved))
        who = first.sides
        assert who is not None
        by_side: dict[str, list[Piece]] = {}
        for reading in first.readings:
            for counter in reading.counters:
                side = who.side(counter.nationality)
                if side and counter.kind.value in ("squad", "leader") and not counter.broken:
                    by_side.setdefault(side, []).append(self.start.pieces[counter.id])
        hexes = self.board.ground.hexes()
        centre = self.dice.choice(hexes)
        near = [hex_ for hex_ in hexes if self.board.ground.distance(hex_, centre) <= 5]
        self.dice.shuffle(near)
        chosen = []
        for side in sorted(by_side):
            chosen += self.dice.sample(by_side[side], min(8, len(by_side[side])))
        for piece, hex_ in zip(chosen, near, strict=False):
            self.move(self.start, [piece.id], hex_)
        game = self.game()
        broken = [
            piece.id
            for piece in self.dice.sample(chosen[: len(near)], min(7, len(near) // 2))
            if self.breaks(game.pieces[piece.id])
        ]
        self.log("CHAT<Kim> - RtPh")
        self.log("CHAT*** (Other dr) 3 ***   <Kim>")
        return broken

    def play(self, broken: list[str], attacker: str) -> tuple[int, int]:
        """ATTACKER first; everybody routs, stays or dies as the rules allow."""
        routs = deaths = 0
        sides = {unit.piece: unit.side for unit in self.position(self.game()).units}
        for id_ in sorted(broken, key=lambda each: sides.get(each) != attacker):
            game = self.game()
            position = self.position(game)
            unit = next((u for u in position.units if u.piece == id_), None)
            if unit is None:
                continue
            found = assess(position, unit.id)
            moving = [end for end in found.ends if end.how is not How.STAY]
            if found.duty is Duty.ELIMINATED:
                self.log(f"-/{self.marks[id_]}", f"-/{id_}", "CHAT* deleted *")
                deaths += 1
            elif moving and not (found.duty is Duty.MAY and self.dice.random() < 0.3):
                self.rout(game, unit, self.dice.choice(moving))
                routs += 1
        return routs, deaths

    def rout(self, game: Game, unit: Unit, end: object) -> None:
        how, path = end.how, end.path  # type: ignore[attr-defined]
        met = [each.hex for each in end.interdictions if each.by]  # type: ignore[attr-defined]
        ids = [str(unit.piece), self.marks[str(unit.piece)]]
        if how is How.CRAWL:
            self.log("CHAT<Kim> - low crawl")
        for hex_ in path:
            self.move(game, ids, hex_)
            if how is not How.CRAWL and hex_ in met:
                self.log("CHAT*** (MC DR) 1,1 ***   <Kim>")


@pytest.mark.parametrize("name", SETUPS)
@pytest.mark.parametrize("seed", [1, 2])
def test_legal_play_on_real_boards(name: str, seed: int, tmp_path: Path) -> None:
    game = RealGame(SAVES / "starter-kit" / name, seed, tmp_path)
    broken = game.set_up()
    attacker = game.position(game.game()).attacker
    routs, deaths = game.play(broken, attacker)
    options = AuditOptions(Options(library(), month=7, attacker=attacker))
    result = audit_saved(game.write(), options)
    found = [rout for phase in result.phases for rout in phase.routs if not rout.undone]
    assert len(found) == routs
    for rout in found:
        assert rout.verdict is Verdict.LEGAL, (rout.name, rout.start, rout.path, rout.reasons)
    failures = [failure for phase in result.phases for failure in phase.failures]
    assert sum(failure.removed for failure in failures) == deaths
