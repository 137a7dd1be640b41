"""What a chain of traits says: names, layers, conceal and HIP, labels, marks."""

from __future__ import annotations

import pytest

from tests.vassal import samples
from vassal_bridge.errors import LimitReached
from vassal_bridge.vassal import pieces
from vassal_bridge.vassal.pieces import PieceType, Reading
from vassal_bridge.vassal.sequence import nest, unnest

BASE = ("piece;K;D;ru/ru458S;4-5-8 Esq", "Main Map;1;2;433")


def layer(names: str, *, images: str = "a,b", name: str = "L", key: str = "F",
          follows: str = "", first: str = "1", always: str = "false") -> str:  # fmt: skip
    command = key and "Flip"
    return (
        f"emb2;{command};130;{key};;0;;;0;;;;;false;0;0;{images};{names};false;{name};;;"
        f"{'true' if follows else 'false'};{follows};{first};1;{always};70,130;;;"
    )


def read(*traits: tuple[str, str], globals_: dict[str, str] | None = None) -> Reading:
    chain = (*traits, BASE)
    kind = PieceType(nest([type_ for type_, _ in chain]), lambda secret: f"owner-{len(secret)}")
    return kind.read([state for _, state in chain], globals_ or {})


@pytest.mark.parametrize(
    ("names", "state", "shown"),
    [
        ("broken +", "1", "broken 4-5-8 Esq"),
        ("broken +", "-1", "4-5-8 Esq"),
        ("+ BU", "1", "4-5-8 Esq BU"),
        ("broken +,eliminated", "2", "eliminated"),
        ("broken +,", "2", "4-5-8 Esq"),
        ("broken +", "3", "4-5-8 Esq"),
        (r"3\\+1 hero", "1", "3+1 hero"),
        (r"6\\+1\, a leader", "1", "6+1, a leader"),
        ("broken +", "1;F", "broken 4-5-8 Esq"),
        ("broken +", "-1;", "4-5-8 Esq"),
        ("broken +", "", "4-5-8 Esq"),
    ],
)
def test_what_a_layer_does_to_the_name(names: str, state: str, shown: str) -> None:
    reading = read((layer(names.replace("\\\\", "\\")), state))
    assert reading.name == reading.public_name == shown


def test_layers_work_outward() -> None:
    reading = read(
        (layer("+ BU", name="BU"), "1"),
        (layer("broken +", name="BRK"), "1"),
        (layer("4-5-8 Esq,4-4-7 1sq", name="SQ", key="", images="ru/8,ru/7"), "2"),
    )
    assert reading.name == "broken 4-4-7 1sq BU"
    assert [made.name for made in reading.layers] == ["BU", "BRK", "SQ"]
    squad = reading.layers[2]
    assert (squad.level, squad.active, squad.always) == (2, True, True)
    assert (squad.image, squad.level_name) == ("ru/7", "4-4-7 1sq")


def test_old_layers_remember_keys_and_level() -> None:
    made = read((layer("broken +", key="FV"), "-2;V")).layers[0]
    assert (made.level, made.active, made.always) == (2, False, False)
    assert (made.keys, made.pressed) == ("FV", "V")


def test_a_layer_without_key_starts_active() -> None:
    assert read((layer("x", key=""), "")).name == "x"
    assert read((layer("x", always="true"), "-1")).name == "x"


@pytest.mark.parametrize(
    ("follows", "first", "level"),
    [("BRK_Level", "1", 2), ("BRK_Level", "2", 1), ("{BRK_Level}", "1", 2), ("2", "1", 2),
     ("nobody", "1", 1), ("BRK_Level", "-5", 3), ("Side", "1", 3),
     ("Kind", "1", 3), ("Depth", "1", 2), ("BRK_Active", "1", 1)],
)  # fmt: skip
def test_a_layer_follows_a_property(follows: str, first: str, level: int) -> None:
    """As in VASL 6.7 (formats/files.md 7.4)."""
    reading = read(
        (layer("one,two,three", images="a,b,c", follows=follows, first=first), "1"),
        (layer("x +,y +", name="BRK"), "2"),
        ("mark;Kind", "3"),
        ("PROP;Depth;", "2"),
        globals_={"Side": "7"},
    )
    assert reading.layers[0].level == level


def test_labels_say_it_in_their_own_format() -> None:
    own = "label;76;Label;10;;;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;"
    count = own.replace("$pieceName$ ($label$)", "$pieceName$: $label$/$Max$")
    assert read((own, "Grm Sqd A")).name == "4-5-8 Esq (Grm Sqd A)"
    assert read((own, "  ")).name == "4-5-8 Esq"
    assert read((own, "x")).labels == ("x",)
    assert read((count, "$CVP$"), globals_={"CVP": "2", "Max": "9"}).name == "4-5-8 Esq: 2/9"
    assert read((count, "$CVP$")).name == "4-5-8 Esq: /"
    assert read(("label;76", "old")).name == "4-5-8 Esq (old)"


def test_hidden_and_concealed() -> None:
    for secret in ("null", ""):
        reading = read(("hide;72;HIP", secret), ("conceal;C;x;ru;;", f"{secret};"))
        assert (reading.hidden, reading.concealed, reading.owner) == (False, False, None)
    hip = read(("hide;72;HIP;;player:", "secret"))
    assert (hip.hidden, hip.name, hip.public_name, hip.owner) == (True, "4-5-8 Esq", "", "owner-6")
    under = read(("conceal;C;x;ru;;", "secret;|0"))
    assert (under.concealed, under.name, under.public_name) == (True, "4-5-8 Esq", "?")
    both = read(("hide;72", "secret"), ("conceal;C;x;ru;;", "secret;|0"))
    assert (both.hidden, both.concealed, both.public_name) == (True, True, "")
    assert "secret" not in repr((hip, under, both))
    assert under.traits[0].state == "owner-6;|0"
    friend = read(("conceal;C;x;ru;;", "secret;|1|beeper"))
    assert friend.traits[0].state.startswith("owner-6;|1|owner-")
    nobody = read(("conceal;C;x;ru;;", "null;|1|beeper"), ("obs;C;x", "null;beeper"))
    assert "beeper" not in repr(nobody)
    odd = read(("hide;72", "a;b/c"), ("conceal;C;x;ru;;", "d\\;e;|0"))
    assert [trait.state for trait in odd.traits[:2]] == ["owner-5", "owner-3;|0"]


def test_a_concealment_counter_hides_its_owner() -> None:
    counter = read(("concealment;secret;ge", ""))
    assert counter.owner == "owner-6"
    assert counter.traits[0].fields == ("concealment", "owner-6", "ge")
    assert "secret" not in repr(counter)
    assert read(("concealment;null;ge", "")).owner is None


def test_marks_properties_and_moved() -> None:
    reading = read(
        ("mark;Location,Hindrance,More", "ground,true"), ("PROP;Owner;false", "Åsa"),
        ("markmoved;x", "true"), ("unknown;trait", "kept"),
    )  # fmt: skip
    assert reading.marks == {"Location": "ground", "Hindrance": "true", "More": ""}
    assert reading.properties == {"Owner": "Åsa"}
    assert reading.moved
    assert (reading.traits[3].kind, reading.traits[3].state) == ("unknown", "kept")
    assert reading.traits[0].field(1) == "Location,Hindrance,More"
    assert reading.traits[0].field(9, "none") == "none"


def test_missing_and_surplus_states() -> None:
    kind = PieceType(nest(["moved;m", "piece;K;D;i;n"]), str)
    assert kind.read(["true"], {}).moved
    assert kind.read([], {}).name == "n"
    assert kind.read(["true", "Main Map;1;2;5;0", "more"], {}).gpid == "5"


@pytest.mark.parametrize("text", ["", "piece", "piece;;", "emb2", "emb2;;;\tpiece", "label", "mark",
                                  "PROP", "conceal", "hide", "concealment", "\t\t"])  # fmt: skip
def test_stunted_types_are_read(text: str) -> None:
    kind = PieceType(text, str)
    for states in ([], ["x"] * kind.count, ["9;9;9"] * kind.count):
        assert kind.read(states, {}).name is not None


def test_max_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "MAX_FIELDS", 10)
    PieceType("piece" + ";" * 10, str)
    with pytest.raises(LimitReached, match="10 fields"):
        PieceType("piece" + ";" * 11, str)


def test_the_sample_squad() -> None:
    kind = PieceType(samples.chain(samples.SQUAD), str)
    reading = kind.read(unnest(samples.squad_state(broken=True, label="A", moved=True)), {})
    assert reading.name == "broken 4-4-7 1sq (A)"
    assert reading.labels == ("A",)
    assert reading.gpid == "433"
    piece = reading.piece("11", kind, None, 0, ("Main Map", 1, 2))
    moved = piece.trait("moved")
    assert moved is not None
    assert moved.state == "true"
    assert piece.trait("footprint") is None
