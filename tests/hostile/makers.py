"""Files as a malicious opponent would craft them, by name; each maker writes one and returns it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from itertools import pairwise
from pathlib import Path

from tests.fairplay.secrets import Text
from tests.vassal import samples
from tests.vassal.samples import MODULE, SAVE, add, marker, squad, stack, step
from vassal_bridge.demo import demo_log, demo_save
from vassal_bridge.vassal import open_saved
from vassal_bridge.vassal.sequence import ESC, encode_token, join, nest, split

ANSI = "\x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b31m"
BIDI = "\u202eevil\u202c\u200f\u2066x\u2069"
HTML = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
BREAKS = "one\ntwo\r\nthree\x0b\x0c\x85\u2028four\x00"
FORMATS = "{0} {name} %s %(x)d ${x} $pieceName$ {{7*7}} {% raw %}"
SURROGATE = "lone \ud800 surrogate"
ODD_NAMES = (ANSI, BIDI, HTML, BREAKS, FORMATS, "x" * 5000, "\U0001f480" * 50,
             "..", "../../etc/passwd", "CON", "-", "--format", "", " ", "\u0000")  # fmt: skip

Maker = Callable[[Path], Path]
MAKERS: dict[str, Maker] = {}


def maker(function: Maker) -> Maker:
    MAKERS[function.__name__.replace("_", " ")] = function
    return function


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def game(folder: Path, text: str, name: str = "g.vsav") -> Path:
    data = text.encode("utf-8", "surrogatepass")
    return put(
        folder, name, samples.saved(b"!VCSK5a" + bytes(b ^ 0x5A for b in data).hex().encode())
    )


def demo(change: Callable[[Text], None], *, log: bool = False) -> str:
    """The text of the demo game (or log) after a change."""
    text = Text.of(open_saved(demo_log() if log else demo_save()).text)
    change(text)
    return text.text()


def zipped(members: Iterable[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


# --- containers -----------------------------------------------------------------------------------


@maker
def bomb_of_a_gigabyte(folder: Path) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("moduledata", MODULE)
        with archive.open("savedGame", "w", force_zip64=True) as member:
            for _ in range(256):
                member.write(bytes(1 << 20))
    return put(folder, "g.vsav", stream.getvalue())


@maker
def bomb_in_a_small_member(folder: Path) -> Path:
    data = zipped([("savedGame", b"begin_save\x1bend_save"), ("moduledata", bytes(30 << 20))])
    return put(folder, "g.vsav", data)


@maker
def zip_in_zip_in_zip(folder: Path) -> Path:
    data = samples.saved(samples.text())
    for _ in range(20):
        data = zipped([("inner.vsav", data)])
    return put(folder, "g.zip", data)


@maker
def zip_with_traversing_name(folder: Path) -> Path:
    inner = demo_save().read_bytes()
    return put(folder, "g.zip", zipped([("../../../tmp/../evil/../../x.vsav", inner)]))


@maker
def zip_with_escape_in_name(folder: Path) -> Path:
    inner = demo_save().read_bytes()
    return put(folder, "g.zip", zipped([(f"{ANSI}{BIDI}.vsav", inner)]))


@maker
def zip_with_two_games(folder: Path) -> Path:
    inner = samples.saved(samples.text())
    names = [f"{ANSI}{n}{'x' * 300}.vsav" for n in range(40)]
    return put(folder, "g.zip", zipped([(name, inner) for name in names]))


@maker
def zip_of_many_members(folder: Path) -> Path:
    return put(folder, "g.vsav", zipped([(f"m{n}", b"") for n in range(70_000)]))


@maker
def another_module_with_an_evil_name(folder: Path) -> Path:
    module = f"<data><name>{escape(HTML + BIDI, quote=False)}&#155;31m</name></data>".encode()
    data = zipped([("savedGame", b"x"), ("savedata", SAVE), ("moduledata", module)])
    return put(folder, "g.vsav", data)


@maker
def laughing_xml(folder: Path) -> Path:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<!DOCTYPE d [<!ENTITY l0 "ha">{laughs}]><data><name>&l9;</name></data>'
    game = open_saved(demo_save()).text.encode()
    data = zipped([("savedGame", game), ("moduledata", xml.encode())])
    return put(folder, "g.vsav", data)


@maker
def hex_that_is_none(folder: Path) -> Path:
    return put(folder, "g.vsav", samples.saved(b"!VCSK5" + b"zz" * 100_000))


@maker
def xz_bomb(folder: Path) -> Path:
    import lzma

    return put(folder, "g.vsav", samples.saved(lzma.compress(bytes(48 << 20), preset=0)))


@maker
def not_utf8(folder: Path) -> Path:
    return put(folder, "g.vsav", samples.saved(b"begin_save\x1b\xff\xfe\x1bend_save"))


# --- commands -------------------------------------------------------------------------------------


@maker
def twenty_thousand_pieces(folder: Path) -> Path:
    return game(folder, samples.text([marker(str(n)) for n in range(20_000)]))


@maker
def five_thousand_squads(folder: Path) -> Path:
    pieces = [squad(str(n), f"Main Map;{400 + n % 1800};{400 + n % 640}") for n in range(5_500)]
    return game(folder, demo(lambda text: text.pieces.extend(pieces)))


@maker
def nested_without_end(folder: Path) -> Path:
    token = "CHATx"
    for _ in range(400):
        token = encode_token(ESC.join((token, "CHATy")), ESC)
    return game(folder, samples.text(extra=[token]))


@maker
def backslashes(folder: Path) -> Path:
    return game(folder, samples.text(extra=["\\" * 500_000 + "\x1b" + "\\\x1b" * 200_000]))


@maker
def stacks_in_a_circle(folder: Path) -> Path:
    def change(text: Text) -> None:
        text.pieces += [
            "+/91/stack/Main Map;500;500;92;91",
            "+/92/stack/Main Map;500;500;91;92;93",
            "+/93/stack/Main Map;500;500;93",
            "+/94/stack/Main Map;500;500;" + ";".join(["1790000000011"] * 1000),
        ]

    return game(folder, demo(change))


@maker
def ids_twice(folder: Path) -> Path:
    def change(text: Text) -> None:
        text.pieces += [*text.pieces, *text.pieces[:20]]

    return game(folder, demo(change))


@maker
def odd_ids(folder: Path) -> Path:
    ids = ["", " ", "null", "-1", "1e9", ANSI.replace("\x1b", ""), HTML, "9" * 5000, "\u0663", "0"]
    pieces = [squad(id_) for id_ in ids]
    stacks = [join(("+", f"s{n}", "stack", join(("Main Map", "500", "500", *ids), ";")), "/")
              for n in range(3)]  # fmt: skip
    return game(folder, demo(lambda text: text.pieces.extend([*pieces, *stacks])))


@maker
def odd_places(folder: Path) -> Path:
    places = ["999999999;999999999", "-999999999;-1", "NaN;NaN", "1e9;Infinity", "0x10;0", ";", "",
              "99999999999999999999;1", "456.5;432.5", "\u0664;\u0665"]  # fmt: skip
    pieces = []
    for n, place in enumerate(places):
        pieces.append(squad(str(700 + n), f"Main Map;{place}"))
        pieces.append(join(("+", str(800 + n), "stack", f"Main Map;{place};{700 + n}"), "/"))
    return game(folder, demo(lambda text: text.pieces.extend(pieces)))


@maker
def odd_names(folder: Path) -> Path:
    def change(text: Text) -> None:
        for n, name in enumerate(ODD_NAMES):
            name = name.replace(ESC, "")
            types = ("label;76;L;10;;;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;",
                     "mark;Location", f"piece;;;x;{name.replace(';', ',')}")  # fmt: skip
            place = f"Main Map;{456 + 56 * (n % 12)};432"
            text.pieces.append(add(str(700 + n), types, nest((name, "x", f"{place};"))))
            text.pieces.append(stack(str(900 + n), [str(700 + n)], place))

    return game(folder, demo(change))


@maker
def names_of_broken_units(folder: Path) -> Path:
    """Every unit of the demo gets a label that wants to be more than text."""

    def change(text: Text) -> None:
        label = "label;76;L;10;;;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;"
        for n, piece in enumerate(text.pieces):
            _, id_, kind, state = split(piece, "/", 4)
            if kind != "stack":
                name = ODD_NAMES[n % len(ODD_NAMES)].replace(ESC, "")
                text.pieces[n] = join(("+", id_, nest((label, kind)), nest((name, state))), "/")

    return game(folder, demo(change))


@maker
def traits_without_end(folder: Path) -> Path:
    types = ["mark;x"] * 600 + ["piece;;;;x"]
    return game(folder, samples.text([add("1", types, nest(["y"] * 600 + ["Main Map;1;1;"]))]))


@maker
def labels_that_double(folder: Path) -> Path:
    label = "label;;;;;;;;;;;;$pieceName$$pieceName$$label$;;;;;"
    pieces = [
        add(str(n), (*[label] * 60, "piece;;;;x"), nest(["y"] * 60 + ["Main Map;500;500;"]))
        for n in range(50)
    ]
    return game(folder, demo(lambda text: text.pieces.extend(pieces)))


@maker
def layers_that_follow_each_other(folder: Path) -> Path:
    def layer(name: str, follows: str) -> str:
        return f"emb2;;0;;;0;;;0;;;;;false;0;0;a,b;x,y;false;{name};;;true;{follows};1;1;true;;;;"

    types = (layer("A", "B_Level"), layer("B", "A_Level"), layer("C", "C_Level"), "piece;;;;x")
    piece = add("1", types, nest(("1", "1", "1", "Main Map;500;500;")))
    return game(folder, demo(lambda text: text.pieces.append(piece)))


# --- boards ---------------------------------------------------------------------------------------


def boards(folder: Path, line: str) -> Path:
    def change(text: Text) -> None:
        text.after = [line if t.startswith("bd\t") else t for t in text.after]

    return game(folder, demo(change))


BOARD_LINES = {
    "ten thousand boards": "".join(
        f"bd\t{n % 60}\t{n // 60}\tdemo\tVER\t1\t" for n in range(10_000)
    ),
    "boards far away": "bd\t999999999\t-999999999\tdemo\tVER\t1\t",
    "numbers that are none": "bd\tNaN\t1e9\tdemo\t1\t2\tx\t-\tVER\t\t",
    "path as board": "bd\t0\t0\t../../../../etc/passwd\tVER\t1\t",
    "absolute board": "bd\t0\t0\t/etc/passwd\tVER\t1\t",
    "board of controls": f"bd\t0\t0\t{BREAKS.replace(chr(10), '')}\x07\x9b\tVER\t1\t",
    "board of html": f"bd\t0\t0\t{HTML}{BIDI}\tVER\t1\t",
    "endless board name": f"bd\t0\t0\t{'r' * 200_000}\tVER\t1\t",
    "odd crops": "bd\t0\t0\tdemo\t-999999\t999999999\t-5\t99999999\tVER\t1\t",
    "crop of nothing": "bd\t0\t0\tdemo\t0\t0\t0\t0\tVER\t1\t",
    "crop of one pixel": "bd\t0\t0\tdemo\t100\t100\t1\t1\tVER\t1\t",
    "zoom of nothing": "bd\t0\t0\tdemo\tVER\t1\tZOOM\t0\t",
    "zoom that is none": "bd\t0\t0\tdemo\tVER\t1\tZOOM\tNaN\t",
    "endless zoom": "bd\t0\t0\tdemo\tVER\t1\tZOOM\t1e308\t",
    "negative zoom": "bd\t0\t0\tdemo\tVER\t1\tZOOM\t-3\t",
    "overlays": "bd\t0\t0\tdemo\tVER\t1\t" + "OVR\t../x\tA1\tZZ99\t" * 20_000,
    "terrain rules": "bd\t0\t0\tdemo\tVER\t1\tSSR\t" + "NoGrain\t\x07../x\t<b>\t" * 20_000,
    "words without end": "bd\t" * 100_000,
    "no boards": "bd\t",
    "demo beside itself": "".join(f"bd\t{n % 8}\t{n // 8}\tdemo\tVER\t1\t" for n in range(64)),
}
for _name, _line in BOARD_LINES.items():
    MAKERS[_name] = partial(boards, line=_line)


# --- logs -----------------------------------------------------------------------------------------


def log(folder: Path, steps: Iterable[str]) -> Path:
    saved = open_saved(demo_log())
    return game(folder, "\x1b".join((saved.text, *steps)), "g.vlog")


def mover() -> tuple[str, str, str]:
    """A broken unit of the demo log: id of its stack, x, y."""
    text = Text.of(open_saved(demo_save()).text)
    for piece in text.pieces:
        _, id_, kind, state = split(piece, "/", 4)
        fields = split(state, ";")
        if kind == "stack" and len(fields) > 4:
            return id_, fields[1], fields[2]
    raise LookupError


@maker
def hundred_thousand_chat_steps(folder: Path) -> Path:
    return log(folder, (step(f"CHAT<A> - RtPh rout {n} N5 to O6") for n in range(100_000)))


@maker
def ten_thousand_moves_of_a_broken_unit(folder: Path) -> Path:
    id_, x, y = mover()
    places = [(int(x), int(y) + 65 * (n % 2)) for n in range(10_001)]
    steps = [step("CHAT<A> - RtPh")]
    for (ax, ay), (bx, by) in pairwise(places):
        steps.append(step(f"M/{id_}/Main Map/{bx}/{by}/null/Main Map/{ax}/{ay}/null/u"))
    return log(folder, steps)


@maker
def undo_without_end(folder: Path) -> Path:
    id_, x, y = mover()
    to = f"{x}/{int(y) + 65}"
    steps = [step("CHAT<A> - RtPh")]
    for _ in range(2_000):
        steps.append(step(f"M/{id_}/Main Map/{to}/null/Main Map/{x}/{y}/null/u", "CHAT* a moves *"))
        steps.append(
            step("UNDO\ttrue", f"M/{id_}/Main Map/{x}/{y}/null/Main Map/{to}/null/u",
                 "CHAT* UNDO: * a moves *", "UNDO\tfalse")
        )  # fmt: skip
    return log(folder, steps)


@maker
def undo_of_nothing(folder: Path) -> Path:
    steps = [step("UNDO\ttrue"), step("UNDO\tfalse"), step("CHAT* UNDO: "), "LOG\t", "LOG\tnull",
             step("UNDO\tfalse", "UNDO\ttrue"), "LOG\tLOG\tLOG\tCHATx"]  # fmt: skip
    return log(folder, steps * 300)


@maker
def chat_built_to_be_slow(folder: Path) -> Path:
    parts = ["*** (" + "a " * 20_000, "<" * 40_000, "<a>" * 20_000, "*" * 40_000, " " * 40_000,
             "aA1" * 15_000, "no " * 15_000 + "crawl", "* UNDO: " * 5_000, "&lt;" * 10_000,
             "can't crawl low " * 3_000, "a" * 40_000 + "!", "my my my " * 5_000]  # fmt: skip
    steps = [step("CHAT" + part) for part in parts for _ in range(4)]
    return log(folder, [*steps, *(step("CHAT<A> - " + part) for part in parts)])


@maker
def units_that_jump_about(folder: Path) -> Path:
    """Every unit is thrown anywhere in the rout phase, many times."""
    rng = random.Random(7)
    text = Text.of(open_saved(demo_save()).text)
    stacks = [split(p, "/", 4) for p in text.pieces if split(p, "/", 4)[2] == "stack"]
    where = {s[1]: tuple(split(s[3], ";")[1:3]) for s in stacks}
    steps = [step("CHAT<A> - RtPh")]
    for _ in range(1500):
        id_ = rng.choice(list(where))
        x, y = rng.choice(list(where.values()))
        ax, ay = where[id_]
        steps.append(step(f"M/{id_}/Main Map/{x}/{y}/null/Main Map/{ax}/{ay}/null/u"))
        where[id_] = (x, y)
    return log(folder, steps)


@maker
def log_of_hostile_commands(folder: Path) -> Path:
    odd = ["M/", "M/1", "M/1/2/3", "D/", "D/1", "+/", "+/1", "-/", "-/1/2/3",
           "M/1/Main Map/NaN/1e9/1", "D/stack/x", "+/1/stack/", "INFO\t", "bd\t9\t9\tnone\tVER\t",
           "GlobalProperty\t;", "CHAT", "MutableProperty\ta", "begin_save", "end_save", "\x00",
           "M/" + "/" * 10_000, "+/" + "\\" * 1000 + "/x/y",
           "D/1790000000011/" + "\t" * 3000]  # fmt: skip
    return log(folder, [step(command) for command in odd for _ in range(20)])


# --- texts ----------------------------------------------------------------------------------------


def text_file(folder: Path, name: str, text: str | bytes) -> Path:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return put(folder, name, data)


POSITION = "boards: [[open]]\nunits:\n  German: [4-6-7 F4]\n  Russian: [4-4-7 F5 broken dm]\n"
YAMLS: dict[str, str | bytes] = {
    "yaml that laughs": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)
    ),
    "yaml nested deep": "boards: " + "[" * 20_000,
    "yaml in a circle": "boards: &x [*x]\n",
    "yaml that makes objects": "boards: !!python/object/apply:os.system ['touch /tmp/owned']\n",
    "yaml of controls": "boards: [[open]]\nunits:\n  German: ['4-6-7 F4\x07']\n",
    "yaml of strange words": POSITION.replace("4-6-7 F4", json.dumps(HTML + " F4")),
    "yaml of strange hexes": POSITION.replace("4-6-7 F4", "'4-6-7 \u202eF4\u202c'"),
    "yaml of escapes": POSITION.replace("4-6-7 F4", '"4-6-7 F4\\e[2J"'),
    "yaml of half a character": POSITION.replace("4-6-7 F4", '"4-6-7 F4\\ud800"'),
    "yaml of an endless number": POSITION + "month: " + "9" * 400_000 + "\n",
    "yaml of an endless hex": POSITION.replace("4-6-7 F4", "4-6-7 " + "F" * 400_000 + "4"),
    "yaml of odd factors": POSITION.replace("4-6-7 F4", "9" * 5000 + "-6-7 F4"),
    "yaml of one hex": "boards: [[open]]\nunits:\n  German:\n"
    + "    - 4-6-7 F4\n" * 3_000
    + "  Russian: [4-4-7 F5 broken dm]\n",
    "yaml of many broken": "boards: [[open]]\nunits:\n  German: [4-6-7 F4]\n  Russian:\n"
    + "    - 4-4-7 F5 broken dm\n" * 2_000,
    "yaml not a number": POSITION + "month: .nan\n",
    "yaml endless": POSITION + "month: .inf\n",
    "yaml of dates": POSITION + "month: 2024-01-01\n",
    "yaml of a true month": POSITION + "month: true\n",
    "yaml of twice": POSITION + "units: {}\nunits: {}\n",
    "yaml of thousands": "boards: [[open]]\nunits:\n  German:\n"
    + "    - 4-6-7 F4 broken dm\n" * 20_000,
    "yaml of many boards": "boards:\n" + "  - [open, open, open, open]\n" * 2_000 + "units: {}\n",
    "yaml of painted hexes": POSITION + "terrain: {woods: [" + ",".join(["F6"] * 100_000) + "]}\n",
    "yaml of a long line": POSITION + "edition: " + "x" * 500_000 + "\n",
    "yaml not utf-8": b"boards: [[open]]\nunits: {German: ['\xff\xfe']}\n",
    "yaml empty": b"",
    "yaml a list": "- 1\n- 2\n",
    "yaml a path": POSITION.replace("open", "'../../../etc/passwd'"),
    "yaml of nulls": b"\x00" * 5000,
    "yaml of tabs": "boards:\n\t- [open]\n",
    "yaml many documents": "--- 1\n" * 80_000,
    "yaml of numbers": "1e999: 1\n" * 10,
}
for _name, _text in YAMLS.items():
    MAKERS[_name] = partial(text_file, name="p.rout.yaml", text=_text)
