"""The invented game on the board `demo`: a saved game and a log in VASSAL's format.

Every trait chain is built here, outermost first, with the traits that carry state as VASL 6.5
writes them (formats/files.md 7, seen-in-the-client.md); menus and key commands are left out, which
every VASSAL accepts. Ids count up from a fixed number; no clock and no chance take part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from make_demo_scene import centre

from vassal_bridge.vassal.sequence import ESC, TAB, join, nest

MAP = "Main Map"
EDGE = 400
"""Empty rim of VASL's map around the boards, in pixels (formats/geometry.md 2)."""
CROP_X, CROP_WIDTH = 394, 900
"""The part of the board in play, as Starter Kit scenarios crop theirs: hexrows H to X."""
FIRST_ID = 1790000000000
PLAYER = "not-a-password"
"""Where VASSAL writes the moving player's id, which in a real file is his password."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A counter of the game: its layers as the palette of VASL has them.

    Attributes:
        name: name of the basic piece.
        nation: VASL's two letters, empty for markers.
        gpid: palette slot.
        images: pictures of the strength layer, one per level; empty = a plain picture.
        names: names of the strength layer.
        broken: pictures of the broken side, one per level.
        image: picture of the basic piece, for counters without a strength layer.
    """

    name: str
    nation: str
    gpid: str
    images: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    image: str = " "


LEADER_NAMES = ("10-3", "10-2", "9-2", "9-1", "8-1", "8-0", "7-0", r"6\+1")
LEADER_IMAGES = ("103", "102", "92", "91", "81", "80", "70", "61")


def leader(nation: str, gpid: str) -> Kind:
    """A leader counter; its level picks one of eight strengths."""
    images = tuple(f"{nation}/{nation}L{image}" for image in LEADER_IMAGES)
    return Kind(
        f"{nation}LDR", nation, gpid, images, LEADER_NAMES, tuple(f"{name}b" for name in images)
    )


GERMAN_SQUAD = Kind(
    "4-6-8 Esq",
    "ge",
    "11467",
    ("ge/ge468S", "ge/ge467S", "ge/ge447S", "ge/ge436S"),
    ("4-6-8 Esq", "4-6-7 1sq", "4-4-7 2sq", "4-3-6 Csq"),
    ("ge/ges8b", "ge/ges7b", "ge/ges7b", "ge/ges5b"),
)
AMERICAN_SQUAD = Kind(
    "6-6-7 Esq",
    "am",
    "783",
    ("am/am667S", "am/am666S", "am/am546S", "am/am536S"),
    ("6-6-7 Esq", "6-6-6 1sq", "5-4-6 2sq", "5-3-6 Gsq"),
    ("am/ams8b", "am/ams8b", "am/ams7b", "am/ams7b"),
)
AMERICAN_HALF_SQUAD = Kind(
    "3-4-7 Ehs",
    "am",
    "",
    ("am/am347H", "am/am346H", "am/am236H", "am/am226H"),
    ("3-4-7 Ehs", "3-4-6 1hs", "2-3-6 2hs", "2-2-6 Ghs"),
    ("am/amh7b", "am/amh7b", "am/amh6b", "am/amh6b"),
)
GERMAN_LEADER, AMERICAN_LEADER = leader("ge", "2426"), leader("am", "832")
GERMAN_LMG = Kind("LMG", "ge", "2461", image="ge/geLMG")
AMERICAN_MMG = Kind("MMG", "am", "846", ("am/amMMG", "am/amMMGdm"), ("", "dm +"))
DM = Kind("DM", "", "5705", image="MS/dm")
PIN = Kind("Pin", "", "5704", image="MS/pin")


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter on the map, with the state that its own layers show."""

    kind: Kind
    level: int = 1
    broken: bool = False
    wounded: bool = False


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack: its hex and its counters, bottom first."""

    hex: str
    counters: tuple[Counter, ...]


def squad(kind: Kind, strength: str, *, broken: bool = False, wounded: bool = False) -> Counter:
    """The counter of a kind that shows this strength: ``squad(GERMAN_SQUAD, "4-6-7")``."""
    level = next(n for n, name in enumerate(kind.names, 1) if name.split()[0] == strength)
    return Counter(kind, level, broken, wounded)


ON_HILL = Pile(
    "K3",
    (squad(AMERICAN_SQUAD, "6-6-6"), Counter(AMERICAN_MMG), squad(AMERICAN_LEADER, "8-1")),
)
PILES: tuple[Pile, ...] = (
    ON_HILL,
    Pile("M6", (squad(AMERICAN_SQUAD, "6-6-6"),)),
    Pile("M7", (squad(AMERICAN_SQUAD, "6-6-6"),)),
    Pile("M8", (squad(AMERICAN_SQUAD, "6-6-7"),)),
    Pile("O4", (squad(AMERICAN_SQUAD, "6-6-6"), Counter(PIN))),
    Pile("J6", (squad(AMERICAN_SQUAD, "6-6-6", broken=True), Counter(DM))),
    Pile("J9", (squad(AMERICAN_HALF_SQUAD, "3-4-6", broken=True),)),
    Pile("L5", (squad(GERMAN_SQUAD, "4-4-7", broken=True), Counter(DM))),
    Pile("N7", (squad(GERMAN_SQUAD, "4-6-7", broken=True),)),
    Pile("P7", (squad(GERMAN_SQUAD, "4-6-7"), Counter(GERMAN_LMG))),
    Pile("Q5", (squad(GERMAN_SQUAD, "4-6-7"),)),
    Pile(
        "Q4",
        (squad(GERMAN_LEADER, "8-1"), squad(GERMAN_SQUAD, "4-4-7", broken=True), Counter(DM)),
    ),
    Pile("S5", (squad(GERMAN_LEADER, "7-0", broken=True, wounded=True), Counter(DM))),
)


def map_pixel(name: str) -> tuple[int, int]:
    """Where a counter in a hex stands on VASL's map (formats/geometry.md 2 and 4)."""
    x, y = centre(name)
    return EDGE + int(x + 0.5) - CROP_X, EDGE + int(y)


def layer(
    images: Sequence[str], names: Sequence[str], *, key: str = "", command: str = "", prop: str = ""
) -> str:
    """A trait `emb2` with the fields that matter, in VASL 6.5's places (files.md 7.3).

    Args:
        images: pictures, one per level.
        names: what each level does to the shown name.
        key: letter that switches it with Ctrl; none = always on.
        command: its menu text.
        prop: property name of the layer.
    """
    stroke = f"{ord(key)},130" if key else ""
    fields = [
        "emb2", command, "2" if key else "0", key, "", "2", "", "", "2", "", "", "", "0", "false",
        "0", "0", join(list(images), ","), join(list(names), ","), "false", prop, "", "", "false",
        "", "1", "1", "false" if key else "true", stroke, "", "",
    ]  # fmt: skip
    return join(fields, ";")


def chain(counter: Counter, at: tuple[int, int] | None, *, moved: bool) -> tuple[str, str]:
    """Type and state of a counter, each a nested list of traits, outermost first.

    Args:
        counter: the counter.
        at: its pixel on the map; None for markers, whose own place VASSAL 3.2 leaves empty.
        moved: whether VASL's moved flag shows.
    """
    kind, traits = counter.kind, list[tuple[str, str]]()
    if kind.nation:
        traits.append(("mark;DBCounterType", "unit"))
        traits.append(("hide;72,130;HIP;;player:;0.3", "null"))
    else:
        traits.append(("mark;DBCounterType", "common"))
    traits.append(("moved;moved", "true" if moved else "false"))
    if kind.nation:
        mask = f"{kind.nation}/{kind.nation}qmark"
        traits.append((join(["conceal", "C", mask, kind.nation], ";"), "null;"))
    traits.append(
        ("label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;", "")
    )
    if kind.broken and kind.name.endswith("LDR"):
        wound = layer(["MS/WoundO"], ["Wnd +"], key="W", command="Wound")
        traits.append((wound, "1" if counter.wounded else "-1"))
    if kind.broken:
        side = layer(kind.broken, ["broken +"] * len(kind.broken), key="F", prop="BRK")
        traits.append((side, str(counter.level if counter.broken else -counter.level)))
    if kind.images:
        strength = layer(kind.images, kind.names)
        traits.append((strength, str(counter.level)))
    place = f"{MAP};{at[0]};{at[1]}" if at else "null;0;0"
    traits.append((join(["piece", "K", "D", kind.image, kind.name], ";"), f"{place};{kind.gpid}"))
    return nest([trait for trait, _ in traits]), nest([state for _, state in traits])


@dataclass
class Table:
    """The pieces in play while the game is written: ids, places, moved flags."""

    next_id: int = FIRST_ID
    stacks: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[tuple[str, Counter]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def new_id(self) -> str:
        """The next free id."""
        self.next_id += 1
        return str(self.next_id)

    def lay_out(self, piles: Iterable[Pile]) -> list[str]:
        """Commands that add every pile: its counters, then the stack that holds them."""
        commands = []
        for pile in piles:
            at = map_pixel(pile.hex)
            ids = []
            for counter in pile.counters:
                piece = self.new_id()
                ids.append((piece, counter))
                type_, state = chain(counter, at if counter.kind.nation else None, moved=False)
                commands.append(join(["+", piece, type_, state], "/"))
            stack = self.new_id()
            body = join([MAP, str(at[0]), str(at[1]), *(piece for piece, _ in ids)], ";")
            commands.append(join(["+", stack, "stack", body], "/"))
            self.stacks[pile.hex] = stack
            self.members[stack] = ids
            self.places[stack] = pile.hex
        return commands


def save_commands(group: Sequence[str]) -> list[str]:
    """The commands of a saved game, in the order VASL writes them (files.md 5.1)."""
    crop = [str(CROP_X), "0", str(CROP_WIDTH), "-1"]
    boards = TAB.join(["bd", "0", "0", "demo", *crop, "VER", "1.0", ""])
    return [
        "begin_save",
        "",
        join(["", *group], ESC),
        TAB.join(["INFO", "Axis", "Allied", "3", "3", "3", "3", "3", "?", "?", ""]),
        "UNMASK\t",
        boards,
        join(["NOTES\t", "PNOTES\t"], ESC),
        boards,
        "SETUP_STACK\t",
        "end_save",
    ]


def shown_name(counter: Counter) -> str:
    """The name a move report gives: ``broken 4-6-7 1sq``."""
    base = counter.kind.names[counter.level - 1] if counter.kind.names else ""
    words = ["Wnd"] * counter.wounded + ["broken"] * counter.broken + [base or counter.kind.name]
    return " ".join(words)


def step(*commands: str) -> str:
    """One log step: a command, or several that one press of the Step button runs."""
    logged = ["LOG\t" + command for command in commands]
    return logged[0] if len(logged) == 1 else join(logged, ESC)


def say(text: str, player: str) -> str:
    """A step with a line a player typed."""
    return step(f"CHAT<{player}> - {text}")


def drag(table: Table, stack: str, to: str) -> str:
    """A step that drags a whole stack: moved flags, the move, and VASL's report of it."""
    start = table.places[stack]
    (x0, y0), (x1, y1) = map_pixel(start), map_pixel(to)
    commands = []
    for piece, counter in table.members[stack]:
        at = (x0, y0) if counter.kind.nation else None
        if stack not in table.moved:
            old, new = (chain(counter, at, moved=flag)[1] for flag in (False, True))
            commands.append(join(["D", piece, new, old], "/"))
    place = [MAP, str(x1), str(y1), "null", MAP, str(x0), str(y0), "null", PLAYER]
    commands.append(join(["M", stack, *place], "/"))
    names = ", ".join(shown_name(counter) for _, counter in reversed(table.members[stack]))
    commands.append(f"CHAT* {names} moves {start} -> {to} *")
    table.places[stack] = to
    table.moved.add(stack)
    return step(*commands)


def remove(table: Table, stack: str) -> str:
    """A step that deletes every counter of a stack, with VASL's report."""
    commands = []
    for piece, counter in table.members[stack]:
        commands.append(f"-/{piece}")
        commands.append(f"CHAT* {shown_name(counter)} deleted from {table.places[stack]} * ")
    return step(*commands)


def place_dm(table: Table, stack: str) -> str:
    """A step that puts a DM marker on top of a stack, as Ctrl-F does."""
    marker, counter = table.new_id(), Counter(DM)
    type_, state = chain(counter, None, moved=False)
    x, y = map_pixel(table.places[stack])
    held = [MAP, str(x), str(y), *(piece for piece, _ in table.members[stack])]
    table.members[stack].append((marker, counter))
    return step(
        join(["+", marker, type_, state], "/"),
        join(["D", stack, join([*held, marker], ";"), join(held, ";")], "/"),
        f"CHAT* DM created in {table.places[stack]} *",
    )


def roll(player: str, first: int, second: int) -> str:
    """A step with a Morale Check as VASL 6.5 reports it, the coloured die first."""
    mean = f"{first + second:.2f}"
    return step(
        f"CHAT*** (MC DR) {first},{second} ***   <{player}>      "
        f"[1 / 1   avg   {mean} ({mean})]    (01.01)"
    )


def game_text() -> str:
    """The text of the saved game."""
    return join(save_commands(Table().lay_out(PILES)), ESC)


def log_text() -> str:
    """The text of the log: the same game, then one rout phase with a mistake in it."""
    table = Table()
    start = save_commands(table.lay_out(PILES))
    at = dict(table.stacks)
    steps = [
        step("CHAT* New: Allied Turn 3 - RtPh *"),
        place_dm(table, at["N7"]),
        say("Rout Phase, my squad in J6 goes first", "Anna"),
        drag(table, at["J6"], "J7"),
        drag(table, at["J6"], "J8"),
        drag(table, at["Q4"], "R3"),
        drag(table, at["Q4"], "S3"),
        say("the 8-1 goes along", "Boris"),
        drag(table, at["N7"], "N6"),
        say("into the nearest house", "Boris"),
        drag(table, at["S5"], "S4"),
        roll("Boris", 2, 3),
        drag(table, at["S5"], "S3"),
        remove(table, at["L5"]),
        say("L5 has nowhere to go: eliminated for failure to rout", "Boris"),
        step("CHAT* New: Allied Turn 3 - APh *"),
    ]
    return join([*start, *steps], ESC)
