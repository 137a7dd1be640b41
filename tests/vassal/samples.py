"""Small saves and logs of our own, put together by hand; and how to read the real ones' texts."""

from __future__ import annotations

import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Iterable, Sequence

from vassal_bridge.vassal.sequence import ESC, encode_token, join, nest

MODULE = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<data version="1"><version>6.5.1</version>'
    b"<VassalVersion>3.2.17</VassalVersion><name>VASL</name></data>"
)
SAVE = (
    b'<data version="1"><version/><VassalVersion>3.2.17</VassalVersion>'
    b"<dateSaved>1</dateSaved><description>turn 3</description></data>"
)
CANARY = "canary-password"
"""An owner's secret; it must never be seen outside a file's text."""

SQUAD = (
    "PROP;Owner;false,0,100,false;",
    "hide;72,130;HIP;;player:;0.3",
    "moved;moved",
    "label;76,130;Label;10;255,255,255;0,0,0;t;0;c;0;b;c;"
    "$pieceName$ ($label$);Dialog;0;0;TextLabel;",
    "emb2;;0;F;;0;;;0;;;;;false;0;0;ru/rus7b;broken +;false;BRK;;;false;;1;1;false;70,130;;;",
    "conceal;C;ru/ru?;ru;;?",
    "emb2;;0;;;0;;;0;;;;;false;0;0;ru/ru458S,ru/ru447S;4-5-8 Esq,4-4-7 1sq;"
    "false;SQ;;;false;;1;1;true;;;;",
    "mark;Location,DBCounterType",
    "piece;K;D;ru/ru458S;4-5-8 Esq",
)
MARKER = ("moved;moved", "piece;K;D;MS/dm;DM")
FIXED = ("immob;ng;V", "piece;;;DO/x;overlay")


def chain(traits: Sequence[str]) -> str:
    return nest(list(traits))


def squad_state(
    place: str = "Main Map;100;200",
    *,
    owner: str = "null",
    concealed_by: str = "null",
    moved: bool = False,
    broken: bool = False,
    label: str = "",
    gpid: str = "433",
) -> str:
    conceal = f"{concealed_by};|0" if concealed_by != "null" else "null;"
    states = (
        "Åsa",
        owner,
        "true" if moved else "false",
        label,
        "1" if broken else "-1",
        conceal,
        "2",
        "ground,unit",
        f"{place};{gpid}",
    )
    return chain(states)


def add(id_: str, traits: Sequence[str], state: str) -> str:
    return join(("+", id_, chain(traits), state), "/")


def squad(id_: str, place: str = "Main Map;100;200", **state: object) -> str:
    return add(id_, SQUAD, squad_state(place, **state))  # type: ignore[arg-type]


def marker(id_: str, place: str = "null;100;200") -> str:
    return add(id_, MARKER, chain(("false", f"{place};5705")))


def stack(id_: str, members: Iterable[str], place: str = "Main Map;100;200") -> str:
    return join(("+", id_, "stack", ";".join((place, *members))), "/")


def change(id_: str, new: str, old: str | None = None) -> str:
    return join(("D", id_, new) if old is None else ("D", id_, new, old), "/")


def move(
    id_: str,
    to: str = "Main Map/100/200",
    under: str = "null",
    origin: str = "Main Map/0/0",
    player: str = CANARY,
) -> str:
    return f"M/{id_}/{to}/{under}/{origin}/null/{player}"


def step(*commands: str) -> str:
    members = [encode_token(f"LOG\t{command}", ESC) for command in commands]
    return members[0] if len(members) == 1 else encode_token(ESC.join(members), ESC)


def text(pieces: Sequence[str] = (), steps: Sequence[str] = (), extra: Sequence[str] = ()) -> str:
    group = [join(("", *pieces), ESC)] if pieces else []
    tail = ["INFO\tAxis\tAllied\t3\t3 \t ? \t2\t4\t?\tB\t", "bd\t0\t0\tz\tVER\t6.2\t"]
    head = join(("begin_save", "", *group, *tail, *extra, "end_save"), ESC)
    return ESC.join((head, *steps))


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def saved(game: str | bytes, module: bytes = MODULE, **others: bytes) -> bytes:
    data = game if isinstance(game, bytes) else game.encode()
    return zipped({"savedGame": data, "savedata": SAVE, "moduledata": module, **others})


def wrapped(plain: str, kind: str, key: int = 0x5A, *, upper: bool = False) -> bytes:
    """A text in an envelope, made without the code under test."""
    data = plain.encode()

    def xor(raw: bytes) -> bytes:
        return bytes(byte ^ key for byte in raw)

    def hexed(raw: bytes) -> bytes:
        digits = f"{key:02x}{xor(raw).hex()}"
        return (digits.upper() if upper else digits).encode()

    return {
        "plain": lambda: data,
        "!VCSK": lambda: b"!VCSK" + hexed(data),
        "!VCSZ": lambda: b"!VCSZ" + hexed(zlib.compress(data)),
        "VOBS": lambda: b"VOBS" + bytes([key]) + xor(data),
        "!VOBS": lambda: b"!VOBS" + bytes([key]) + xor(data),
        "!VOXZ": lambda: b"!VOXZ" + bytes([key]) + xor(lzma.compress(data)),
        "XZ": lambda: lzma.compress(data),
    }[kind]()


def patience() -> float:
    """How many times longer things may take: under a tracer (coverage) nothing is measured."""
    return 1.0 if sys.gettrace() is None else 20.0


KINDS = ("plain", "!VCSK", "!VCSZ", "VOBS", "!VOBS", "!VOXZ", "XZ")
