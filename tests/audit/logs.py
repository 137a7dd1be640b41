"""Logs of our own: pieces on a board, then steps as the client would log them.

Made from the descriptions in formats/, without the program's own writer; hexes are placed by the
board's layout. Used with board z (real, from ../shared) or the board of the embedded example.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tests.vassal.samples import CANARY, SAVE, change, saved, stack, step
from vassal_bridge.board import BoardLibrary, Layout, placements_from_rows
from vassal_bridge.vassal.sequence import ESC, join, nest

NATIONS = {"German": "ge", "Russian": "ru", "American": "am", "Italian": "it"}
MAP = "Main Map"


@dataclass
class Piece:
    """One counter as the log sees it now."""

    id: str
    traits: list[str]
    states: list[str]
    x: int
    y: int
    stack: str
    nation: str = ""
    name: str = ""

    @property
    def type(self) -> str:
        return nest(self.traits)

    @property
    def state(self) -> str:
        return nest([*self.states, f"{MAP};{self.x};{self.y};433"])


def layer(key: str, image: str, name: str, prop: str = "", *, always: bool = False) -> str:
    """An image layer (trait ``emb2``); `always` = an identity layer without a key."""
    command = "" if always else key
    stroke = "" if always else f"{ord(key)},130"
    flag = "true" if always else "false"
    return (
        f"emb2;;0;{command};;0;;;0;;;;;false;0;0;{image};{name};false;{prop};;;false;;1;1;{flag};"
        f"{stroke};;;"
    )


def mmc_traits(nation: str, factors: str, half: str) -> list[str]:
    """A squad that can be halved: two identity layers, two broken ones."""
    flat, flat_half = factors.replace("-", ""), half.replace("-", "")
    return [
        "moved;moved",
        layer("F", f"{nation}/{nation}h7b", "broken +", "BRK"),
        layer("V", f"{nation}/{nation}{flat_half}H", f"{half} 1hs", "HS"),
        layer("F", f"{nation}/{nation}s7b", "broken +", "BRK"),
        f"conceal;C;{nation}/{nation}?;{nation};;?",
        layer("", f"{nation}/{nation}{flat}S", f"{factors} 1sq", "SQ", always=True),
        "hide;72,130;HIP;;player:;0.3",
        f"piece;K;D;{nation}/{nation}{flat}S;{factors} 1sq",
    ]


def half_traits(nation: str, factors: str) -> list[str]:
    flat = factors.replace("-", "")
    return [
        "moved;moved",
        layer("F", f"{nation}/{nation}h7b", "broken +", "BRK"),
        f"conceal;C;{nation}/{nation}?;{nation};;?",
        f"piece;K;D;{nation}/{nation}{flat}H;{factors} 1hs",
    ]


def leader_traits(nation: str, factors: str) -> list[str]:
    return [
        "moved;moved",
        layer("W", "MS/WoundO", "Wnd +", "WND"),
        layer("F", f"{nation}/{nation}L80b", "broken +", "BRK"),
        f"conceal;C;{nation}/{nation}?;{nation};;?",
        f"piece;K;D;{nation}/{nation}L{factors};{factors}",
    ]


def weapon_traits(nation: str, name: str) -> list[str]:
    return [
        "moved;moved",
        f"conceal;C;{nation}/{nation}?;{nation};;?",
        f"piece;K;D;{nation}/{nation}{name};{name}",
    ]


def marker_traits(name: str, image: str) -> list[str]:
    return ["moved;moved", f"piece;K;D;{image};{name}"]


MARKERS = {
    "DM": "MS/dm",
    "Pin": "MS/pin",
    "CX": "MS/cx",
    "Melee": "MS/Melee",
    "First Fire": "MS/First",
}


@dataclass
class LogMaker:
    """A game on one board and its log.

    Args:
        board: board name.
        library: where it is found.
        player: name in front of chat lines.
    """

    board: str
    library: BoardLibrary
    player: str = "Kim"
    pieces: dict[str, Piece] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    info: str = "INFO\tAxis\tAllied\t3\t3 \t ? \t2\t4\t?\tB\t"
    started: bool = False
    line: str | None = None

    def __post_init__(self) -> None:
        self.layout = Layout(placements_from_rows([[self.board]]), self.library)
        self._next = 1000
        self._start: list[str] = []

    def _id(self) -> str:
        self._next += 1
        return str(self._next)

    # --- pieces ---------------------------------------------------------------------------------

    def _place(self, hex_: str) -> tuple[int, int]:
        return self.layout.snap(hex_)

    def _add(
        self, traits: list[str], states: list[str], hex_: str, nation: str, name: str
    ) -> Piece:
        x, y = self._place(hex_)
        under = [p for p in self.pieces.values() if (p.x, p.y) == (x, y)]
        pile = under[0].stack if under else self._id()
        piece = Piece(self._id(), traits, states, x, y, pile, nation, name)
        self.pieces[piece.id] = piece
        if self.started:
            below = under[-1].id if under else "null"
            self.steps_add(
                join(("+", piece.id, piece.type, piece.state), "/"),
                f"M/{piece.id}/{MAP}/{x}/{y}/{below}/null/0/0/null/{CANARY}",
                f"CHAT* {name} created in {hex_} *",
            )
        return piece

    def squad(
        self,
        nation: str,
        factors: str,
        hex_: str,
        *,
        broken: bool = False,
        half: str = "2-3-7",
        hip: bool = False,
        concealed: bool = False,
    ) -> Piece:
        code = NATIONS[nation]
        states = ["false", "-1", "-1", "1" if broken else "-1", "null;", "1", "null"]
        if concealed:
            states[4] = f"{CANARY};|0"
        if hip:
            states[6] = CANARY
        return self._add(mmc_traits(code, factors, half), states, hex_, nation, f"{factors} 1sq")

    def half(self, nation: str, factors: str, hex_: str, *, broken: bool = False) -> Piece:
        states = ["false", "1" if broken else "-1", "null;"]
        return self._add(
            half_traits(NATIONS[nation], factors), states, hex_, nation, f"{factors} 1hs"
        )

    def leader(self, nation: str, factors: str, hex_: str, *, broken: bool = False) -> Piece:
        states = ["false", "-1", "1" if broken else "-1", "null;"]
        return self._add(leader_traits(NATIONS[nation], factors), states, hex_, nation, factors)

    def weapon(self, nation: str, name: str, hex_: str) -> Piece:
        return self._add(
            weapon_traits(NATIONS[nation], name), ["false", "null;"], hex_, nation, name
        )

    def marker(self, name: str, hex_: str) -> Piece:
        return self._add(marker_traits(name, MARKERS[name]), ["false"], hex_, "", name)

    def broken(self, nation: str, factors: str, hex_: str, *, dm: bool = True) -> Piece:
        """A broken squad, as a rule with its DM marker on top."""
        unit = self.squad(nation, factors, hex_, broken=True)
        if dm:
            self.marker("DM", hex_)
        return unit

    # --- steps ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """The start position is complete; what follows is logged."""
        self.started = True
        piles: dict[str, list[str]] = {}
        for piece in self.pieces.values():
            self._start.append(join(("+", piece.id, piece.type, piece.state), "/"))
            piles.setdefault(piece.stack, []).append(piece.id)
        for pile, members in piles.items():
            first = self.pieces[members[0]]
            self._start.append(stack(pile, members, f"{MAP};{first.x};{first.y}"))

    def steps_add(self, *commands: str) -> int:
        self.steps.append(step(*commands))
        return len(self.steps)

    def say(self, text: str) -> int:
        return self.steps_add(f"CHAT<{self.player}> - {text}")

    def roll(self, name: str, *dice: int) -> int:
        kind = "DR" if len(dice) == 2 else "dr"
        listed = ",".join(str(die) for die in dice)
        return self.steps_add(
            f"CHAT*** ({name} {kind}) {listed} ***   <{self.player}>      "
            "[1 / 1   avg   7.00 (7.00)]    (01.05)"
        )

    def move(self, *pieces: Piece, to: str, say: str = "") -> int:
        """Drag pieces (the unit first, what lies on it after) to a hex, in one step."""
        x, y = self._place(to)
        start = pieces[0]
        commands = []
        under = [p for p in self.pieces.values() if (p.x, p.y) == (x, y) and p not in pieces]
        below = under[-1].id if under else "null"
        pile = under[0].stack if under else self._id()
        for piece in pieces:
            commands.append(
                f"M/{piece.id}/{MAP}/{x}/{y}/{below}/{MAP}/{piece.x}/{piece.y}/null/{CANARY}"
            )
            piece.x, piece.y, piece.stack = x, y, pile
            below = piece.id
            del self.pieces[piece.id]
            self.pieces[piece.id] = piece
        line = say or f"* {start.name} moves to {to} *"
        return self.steps_add(*commands, f"CHAT{line}")

    def undo_move(self, *pieces: Piece, back: str, line: str) -> int:
        x, y = self._place(back)
        commands = [f"CHAT* UNDO: {line}"]
        for piece in pieces:
            commands.append(
                f"M/{piece.id}/{MAP}/{x}/{y}/null/{MAP}/{piece.x}/{piece.y}/null/{CANARY}"
            )
            piece.x, piece.y = x, y
        return self.steps_add(*commands)

    def remove(self, *pieces: Piece) -> int:
        commands = [f"-/{piece.id}" for piece in pieces]
        for piece in pieces:
            del self.pieces[piece.id]
        return self.steps_add(*commands, "CHAT* deleted *")

    def set_layer(self, piece: Piece, index: int, value: str) -> int:
        """Change the state of one trait, by its place in the chain."""
        old = piece.state
        piece.states[index] = value
        return self.steps_add(change(piece.id, piece.state, old), f"CHAT* {piece.name} *")

    def breaks(self, piece: Piece) -> int:
        return self.set_layer(piece, 3 if len(piece.states) == 7 else 1, "1")

    def halve(self, piece: Piece) -> int:
        """A squad becomes a broken half-squad by its own key."""
        old = piece.state
        piece.states[1], piece.states[2] = "1", "1"
        return self.steps_add(change(piece.id, piece.state, old), "CHAT* reduced *")

    def wound(self, piece: Piece) -> int:
        return self.set_layer(piece, 1, "1")

    # --- file -----------------------------------------------------------------------------------

    def text(self) -> str:
        line = self.line or f"bd\t0\t0\t{self.board}\tVER\t6.2\t"
        group = [join(("", *self._start), ESC)]
        head = join(("begin_save", "", *group, self.info, line, "end_save"), ESC)
        return ESC.join((head, *self.steps))

    def write(self, folder: Path, name: str = "game.vlog", *, date: int = 1) -> Path:
        path = folder / name
        data = saved(self.text(), savedata=SAVE.replace(b"<dateSaved>1<", b"<dateSaved>%d<" % date))
        path.write_bytes(data)
        return path
