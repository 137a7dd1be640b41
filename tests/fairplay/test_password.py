"""``--as SIDE``: a password opens what it hid itself, of its own side, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.commandline import own_home
from tests.fairplay.secrets import (
    Text,
    concealed,
    hidden,
    is_stack,
    put_together,
    question_mark,
    taken_apart,
    templates,
)
from tests.shared import needs_shared
from vassal_bridge.cli import app, exit_code
from vassal_bridge.demo import demo_boards, demo_save
from vassal_bridge.vassal import open_saved, write_saved
from vassal_bridge.vassal.sequence import join, split

pytestmark = [needs_shared, pytest.mark.shared]

GERMAN, RUSSIAN = "Hund!katze", "moroz\u0436"
"""Passwords of the two players."""
BESIDE_J9 = (512, 915)
"""The middle of J8 of the demo's board: J9 has a broken American without DM."""


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_home(monkeypatch, tmp_path)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | BaseException], list[str]]:
    """Types an answer to every prompt; returns the prompts."""
    prompts: list[str] = []

    def answer(with_: str | BaseException) -> list[str]:
        def getpass(prompt: str = "", *_: object) -> str:
            prompts.append(prompt)
            if isinstance(with_, BaseException):
                raise with_
            return with_

        monkeypatch.setattr("getpass.getpass", getpass)
        return prompts

    return answer


def squad(nation: str, name: str) -> str:
    """A squad of a nation, from a real position."""
    for piece in templates():
        types = taken_apart(piece)[1]
        images = "".join(kind for kind in types if kind.startswith("emb2;"))
        if any(k.startswith("conceal;") and split(k, ";")[3] == nation for k in types) and (
            f"{nation}/{nation}s" in images
        ):
            return renamed(piece, name)
    raise LookupError(nation)


def renamed(piece: str, name: str) -> str:
    """The piece with a label that tells it from all others."""
    id_, types, states = taken_apart(piece)
    label = "label;76,130;L;10;255,255,255;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);D;0;0;TextLabel;"
    return put_together(id_, [label, *types], [name, *states])


def save(
    path: Path, pieces: Sequence[str], places: Mapping[int, tuple[int, int]] | None = None
) -> Path:
    """The demo game with more pieces, each in a stack of its own at the upper left.

    `places` has other places, in map pixels, by the number of the piece.
    """
    saved = open_saved(demo_save())
    text = Text.of(saved.text)
    for number, piece in enumerate(pieces):
        id_, types, states = taken_apart(piece)
        id_ = str(7000 + number)
        x, y = 456 + 112 * (number % 6), 432 + 129 * (number // 6)
        x, y = (places or {}).get(number, (x, y))
        place = f"Main Map;{x};{y}"
        states[-1] = join((*place.split(";"), *split(states[-1], ";")[3:]), ";")
        text.pieces.append(put_together(id_, types, states))
        text.pieces.append(join(("+", str(8000 + number), "stack", f"{place};{id_}"), "/"))
    write_saved(saved.with_text(text.text()), path)
    return path


def hip(piece: str, owner: str) -> str:
    return hidden(piece, "1", owner, "Main Map;0;0")


def both(path: Path, german: str = GERMAN, russian: str = RUSSIAN) -> Path:
    """Each side has a hidden and a concealed squad."""
    return save(
        path,
        [
            hip(squad("ge", "ge-hip"), german),
            concealed(squad("ge", "ge-con"), german),
            hip(squad("ru", "ru-hip"), russian),
            concealed(squad("ru", "ru-con"), russian),
        ],
    )


def run(*arguments: object) -> int:
    return exit_code(lambda: app([str(one) for one in arguments], standalone_mode=False))


def seen(capfd: pytest.CaptureFixture[str], path: Path, *options: object) -> set[str]:
    """Which of the labelled squads an inspection names."""
    capfd.readouterr()
    code = run("inspect", path, "--json", "--boards", demo_boards(), *options)
    out, err = capfd.readouterr()
    assert code == 0, err
    names = {counter["name"] for counter in json.loads(out)["counters"]}
    found = {name[name.rindex("(") + 1 : -1] for name in names if name.endswith(")")}
    return {name for name in found if name[:3] in ("ge-", "ru-", "fi-")}


def test_nobody_sees_the_secrets(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert seen(capfd, both(tmp_path / "g.vsav")) == set()


@pytest.mark.parametrize(
    ("side", "password", "expected"),
    [
        ("German", GERMAN, {"ge-hip", "ge-con"}),
        ("german", GERMAN, {"ge-hip", "ge-con"}),
        ("Axis", GERMAN, {"ge-hip", "ge-con"}),
        ("Russian", RUSSIAN, {"ru-hip", "ru-con"}),
        ("Allied", RUSSIAN, {"ru-hip", "ru-con"}),
    ],
)
def test_the_right_password_shows_the_own_units(
    side: str,
    password: str,
    expected: set[str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    typed: Callable[[str], list[str]],
) -> None:
    prompts = typed(password)
    assert seen(capfd, both(tmp_path / "g.vsav"), "--as", side) == expected
    assert len(prompts) == 1
    assert side in prompts[0]


@pytest.mark.parametrize(
    ("side", "password"),
    [
        ("German", RUSSIAN),
        ("Russian", GERMAN),
        ("German", "wrong"),
        ("German", ""),
        ("German", "null"),
        ("German", "f00bar"),
        ("American", GERMAN),
        ("Nobody", GERMAN),
        ("German", GERMAN + " "),
        ("German", GERMAN.upper()),
    ],
)
def test_any_other_password_shows_nothing(
    side: str,
    password: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    typed: Callable[[str], list[str]],
) -> None:
    typed(password)
    path = both(tmp_path / "g.vsav")
    for command in (("inspect", path), ("report", path), ("report", path, "--format", "json")):
        capfd.readouterr()
        assert run(*command, "--as", side, "--boards", demo_boards()) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "password" in err
        assert not password.strip() or password.strip() not in err or len(password) < 7
        for name in ("ge-", "ru-", GERMAN, RUSSIAN):
            assert name not in err


def test_both_players_with_one_password(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    typed("test")
    path = both(tmp_path / "g.vsav", "test", "test")
    assert seen(capfd, path, "--as", "German") == {"ge-hip", "ge-con"}
    assert seen(capfd, path, "--as", "Russian") == {"ru-hip", "ru-con"}


def test_two_players_on_one_side_see_each_his_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    path = save(
        tmp_path / "g.vsav",
        [
            hip(squad("ge", "ge-one"), "first"),
            hip(squad("ge", "ge-two"), "second"),
            hip(squad("ru", "ru-hip"), "third"),
        ],
    )
    typed("first")
    assert seen(capfd, path, "--as", "German") == {"ge-one"}
    typed("second")
    assert seen(capfd, path, "--as", "German") == {"ge-two"}


def test_a_player_of_several_nationalities_sees_all_of_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    """German and Finnish counters hidden by one player: --as either, or --as Axis, shows both."""
    finn = squad("ge", "fi-hip")
    id_, types, states = taken_apart(finn)
    types = [k.replace(";ge;", ";fi;") if k.startswith("conceal;") else k for k in types]
    finn = put_together(id_, [kind.replace("ge/ge", "fi/fi") for kind in types], states)
    pieces = [
        finn,  # a visible Finn, so that the side is known to have two nationalities
        squad("ge", "ge-open"),
        hip(finn, GERMAN),
        hip(squad("ge", "ge-hip"), GERMAN),
        hip(squad("ru", "ru-hip"), RUSSIAN),
    ]
    path = save(tmp_path / "g.vsav", pieces)
    sides = ("--sides", "German,Finnish:Russian,American")
    typed(GERMAN)
    for side in ("German", "Finnish", "Side 1"):
        assert seen(capfd, path, "--as", side, *sides) == {"fi-hip", "ge-hip", "ge-open"}
    typed(RUSSIAN)
    assert seen(capfd, path, "--as", "Russian", *sides) == {"fi-hip", "ge-open", "ru-hip"}


def test_a_fresh_question_mark_is_no_proof(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    """Palette counters carry `f00bar`: whoever types that has shown nothing."""
    path = save(
        tmp_path / "g.vsav",
        [question_mark("1", "f00bar", "ge", "Main Map;1;1"), hip(squad("ge", "ge-hip"), GERMAN)],
    )
    typed("f00bar")
    assert run("inspect", path, "--as", "German", "--boards", demo_boards()) == 2
    assert "ge-hip" not in "".join(capfd.readouterr())


def test_whether_anything_is_hidden_is_not_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    """A wrong password is answered alike, with and without hidden units of that side."""
    typed("guess")
    answers = []
    for pieces in ([], [hip(squad("ge", "ge-hip"), GERMAN)]):
        path = save(tmp_path / "g.vsav", pieces)
        capfd.readouterr()
        answers.append((run("inspect", path, "--as", "German", "--boards", demo_boards()),
                        capfd.readouterr()))  # fmt: skip
    assert answers[0] == answers[1]


def test_the_own_hidden_unit_counts_in_the_report(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    """A hidden German squad next to a broken American makes his rout a duty for the German only."""
    saved = open_saved(demo_save())
    text = Text.of(saved.text)
    broken = report_of(capfd, demo_save())["units"]
    unit = next(unit for unit in broken if unit["duty"] == "may")
    enemy = "ge" if unit["side"] != "German" else "am"
    place = next(
        ";".join(split(split(piece, "/", 4)[3], ";")[:3])
        for piece in text.pieces
        if is_stack(piece) and unit["piece"] in split(split(piece, "/", 4)[3], ";")
    )
    name, x, y = place.split(";")
    spy = hidden(squad("ge", "ge-spy"), "7000", GERMAN, f"{name};{x};{int(y) + 64}")
    text.pieces.append(spy)
    text.pieces.append(join(("+", "8000", "stack", f"{name};{x};{int(y) + 64};7000"), "/"))
    path = tmp_path / "g.vsav"
    write_saved(saved.with_text(text.text()), path)
    public = report_of(capfd, path)
    assert public["units"] == broken
    typed(GERMAN)
    own = report_of(capfd, path, "--as", "German")
    assert own["units"] != broken
    if enemy == "ge":
        changed = next(u for u in own["units"] if u["piece"] == unit["piece"])
        assert changed["known"] != unit["known"] or changed["duty"] == "must"


def report_of(capfd: pytest.CaptureFixture[str], path: Path, *options: object) -> dict:
    capfd.readouterr()
    assert run("report", path, "--format", "json", "--boards", demo_boards(), *options) == 0
    return json.loads(capfd.readouterr().out)


def test_the_prompt_comes_once_for_several_files(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    prompts = typed(GERMAN)
    paths = [both(tmp_path / f"{n}.vsav") for n in range(3)]
    assert run("report", *paths, "--as", "German", "--boards", demo_boards()) == 0
    assert len(prompts) == 1
    assert GERMAN not in "".join(capfd.readouterr())


@pytest.mark.parametrize("raised", [EOFError(), OSError("no tty"), KeyboardInterrupt()])
def test_nobody_there_to_type(
    raised: BaseException,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    typed: Callable[[BaseException], list[str]],
) -> None:
    typed(raised)
    path = both(tmp_path / "g.vsav")
    code = run("inspect", path, "--as", "German", "--boards", demo_boards())
    out, err = capfd.readouterr()
    assert out == ""
    assert code == (130 if isinstance(raised, KeyboardInterrupt) else 2)
    assert err.count("\n") <= 1


def test_audit_asks_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    from vassal_bridge.demo import demo_log

    saved = open_saved(demo_log())
    text = Text.of(saved.text)
    text.pieces.append(hidden(squad("ge", "ge-hip"), "7000", GERMAN, "Main Map;456;432"))
    path = tmp_path / "g.vlog"
    write_saved(saved.with_text(text.text()), path)
    prompts = typed("wrong")
    assert run("audit", path, "--as", "German", "--boards", demo_boards()) == 2
    assert "password" in capfd.readouterr().err
    prompts = typed(GERMAN)
    formats = ("--format", "text,html,vlog", "--out", tmp_path)
    options = ("--as", "German", "--boards", demo_boards())
    assert run("audit", path, *formats, *options) in (0, 1)
    assert len(prompts) == 2
    assert GERMAN not in "".join(capfd.readouterr())


def test_a_log_may_show_the_password_late(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], typed: Callable[[str], list[str]]
) -> None:
    """The unit is hidden in a step of the log, not at its start."""
    from tests.vassal.samples import step
    from vassal_bridge.demo import demo_log

    saved = open_saved(demo_log())
    late = hidden(squad("ge", "ge-late"), "7000", GERMAN, "Main Map;456;432")
    path = tmp_path / "g.vlog"
    write_saved(saved.with_text("\x1b".join((saved.text, step(late)))), path)
    typed(GERMAN)
    assert run("audit", path, "--as", "German", "--boards", demo_boards()) in (0, 1)
    typed(RUSSIAN)
    assert run("audit", path, "--as", "German", "--boards", demo_boards()) == 2
    capfd.readouterr()


@pytest.mark.parametrize("secret", [hip, concealed])
def test_own_hidden_units_force_nobody_out(
    secret: Callable[[str, str], str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    typed: Callable[[str | BaseException], list[str]],
) -> None:
    """R8, R78: an enemy next to a unit that does not see it is not Known, whoever asks."""
    typed(GERMAN)
    path = save(tmp_path / "g.vsav", [secret(squad("ge", "ge-own"), GERMAN)], {0: BESIDE_J9})
    answers = []
    for options in ((), ("--as", "German")):
        capfd.readouterr()
        assert run("report", path, "--format", "json", "--boards", demo_boards(), *options) == 0
        units = json.loads(capfd.readouterr().out)["units"]
        answers.append([(u["id"], u["duty"], u["known"]) for u in units])
    assert answers[0] == answers[1]
    assert ("demoJ9", "none", []) in answers[0]
