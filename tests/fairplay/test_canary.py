"""A password is in no output, log, error, `repr`, cache or temporary file (reliability.md 32).

The annotated copies hold the game as it is, passwords included, as every VASSAL writes it; in them
only what was added is looked at.
"""

from __future__ import annotations

import gc
import json
import os
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.commandline import own_home
from tests.fairplay.secrets import CANARY, Text, concealed, hidden, question_mark, templates
from tests.report import annotated_rules as rules
from tests.shared import needs_shared
from tests.vassal import samples
from vassal_bridge.audit import AuditOptions
from vassal_bridge.audit.single import audit_game
from vassal_bridge.cli import app, exit_code
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.tasks.reporting import Wanted, annotated, report_job
from vassal_bridge.tasks.session import open_session
from vassal_bridge.vassal import Saved, load_game, open_saved, replay, write_saved
from vassal_bridge.vassal.archive import read_saved

pytestmark = [needs_shared, pytest.mark.shared]

FORMS = (
    CANARY.encode("utf-8"),
    CANARY.encode("utf-16-le"),
    json.dumps(CANARY)[1:-1].encode(),
    CANARY.encode("latin-1"),
    b"Kanari",
    b"kanari",
    CANARY.encode("utf-8").hex().encode(),
)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_home(monkeypatch, tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))


def secret_text(text: Text) -> str:
    """The game with the canary in every field that holds a player's id (files.md 12)."""
    units = [piece for piece in templates() if "\tconceal;" in piece][:4]
    place = "Main Map;456;432"
    text.pieces += [
        hidden(units[0], "7001", CANARY, place),
        concealed(hidden(units[1], "7002", "null", place), CANARY),
        question_mark("7003", CANARY, "ge", place),
        hidden(question_mark("7", CANARY, "ru", place), "7004", CANARY, place),
        concealed(hidden(units[2], "7005", "null", place), "null").replace(
            "null;|0", f"null;|1|{CANARY}"
        ),
        concealed(hidden(units[3], "7006", "null", place), CANARY).replace("|0", f"|1|{CANARY}"),
        f"+/7012/restrict;x;y\tpiece;;;x;restricted/{CANARY}\tMain Map;600;600;",
        f"+/7009/stack/{place};7001;7002;7003;7004",
        f"+/7010/obs;77,130;ru\\/ru?;Mask;I\tpiece;;;x;masked/{CANARY}\tMain Map;600;600;",
        f"+/7011/hide;72,130;HIP;;player:;0.3\tpiece;;;x;loose/{CANARY}",  # a state is missing
    ]
    end = next(n for n, token in enumerate(text.after) if token == "end_save")
    text.after[end:end] = [
        f"OBA/+/1/{CANARY},label,3,2,1",
        f"PNOTE\t{CANARY}\tmy plan",
        f"SNOTE\tname\t{CANARY}\ttrue\ttext\t1\thandle",
        f"INFO\tAxis\tAllied\t3\t3\t4\t2\t4\t?\tB\tshared\t{CANARY}\tprivate {CANARY}",
        f"UNMASK\t{CANARY}\t{CANARY}",
        f"PLAYER\t{CANARY}\tUli\tAxis",
        f"DOUBLE_BLIND:Uli:{CANARY}:{CANARY}",
        f"HIP_FORT:{CANARY}:1",
        f"HIP_QUERY:{CANARY}:7001:2",
        f"PYREMOVE\t{CANARY}",
    ]
    steps = [n for n, token in enumerate(text.after) if token.startswith("LOG\t")]
    for at in steps[:3]:
        text.after.insert(
            at,
            samples.step(
                f"M/7001/Main Map/500/500/null/Main Map/0/0/null/{CANARY}",
                f"D/7002/x\ty/{CANARY}",
                f"D/7004/{CANARY}",
                f"M/ghost/Main Map/1/1/null/null/0/0/null/{CANARY}",
                f"HIP_REVEAL:{CANARY}:1",
            ),
        )
    return text.text()


def secret_game(folder: Path, source: Path) -> Path:
    saved = open_saved(source)
    path = folder / source.name
    write_saved(saved.with_text(secret_text(Text.of(saved.text))), path)
    assert open_saved(path).text.count(CANARY) > 15
    return path


def clean(data: bytes | str, what: object) -> None:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    for form in FORMS:
        assert form not in raw, what


def files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file())


def check_file(path: Path) -> None:
    clean(str(path), path)
    if path.suffix in (".vsav", ".vlog"):
        saved = open_saved(path)
        source = demo_log() if path.name.startswith(demo_log().stem) else demo_save()
        original = secret_text(Text.of(open_saved(source).text))
        if saved.text != original:
            clean("\n".join(rules.added(original, saved.text)), path)
        for data in saved.members.values():
            clean(data, path)
        return
    clean(path.read_bytes(), path)


def run(*arguments: object) -> int:
    return exit_code(lambda: app([str(one) for one in arguments], standalone_mode=False))


COMMANDS = [
    ("report", "SAVE", "--format", "text,json,html,svg,png,vsav", "--out", "OUT", "-v"),
    ("report", "SAVE", "--lang", "zh"),
    ("report", "SAVE", "--format", "json", "--no-los-list"),
    ("report", "SAVE", "--after-the-fact"),
    ("report", "LOG", "--format", "html,vsav", "--out", "OUT"),
    ("inspect", "SAVE"),
    ("inspect", "SAVE", "--json"),
    ("inspect", "LOG", "--json"),
    ("audit", "LOG", "--format", "text,json,html,vlog", "--out", "OUT", "-v"),
    ("audit", "LOG", "--format", "text"),
    ("audit", "LOG", "--format", "json"),
    ("audit", "SAVE", "SAVE"),
    ("audit", "FOLDER"),
    ("los", "SAVE", "demoB2", "demoF6"),
    ("los", "SAVE", "B2", "F6", "--json"),
    ("clean", "SAVE", "--out", "OUT/clean.vsav"),
    ("doctor",),
    ("report", "BAD"),
    ("audit", "BAD"),
    ("inspect", "BAD"),
    ("clean", "BAD"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:40])
@pytest.mark.parametrize("player", [None, "right", "wrong"])
def test_no_command_tells_a_password(
    command: tuple[str, ...],
    player: str | None,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if player and command[0] not in ("report", "audit", "inspect"):
        return
    typed = {"right": CANARY, "wrong": CANARY + "x"}.get(player or "", "")
    monkeypatch.setattr("getpass.getpass", lambda *_: typed)
    games = tmp_path / "games"
    games.mkdir()
    bad = games / "bad.vsav"
    whole = secret_game(games, demo_save())
    log = secret_game(games, demo_log())
    bad.write_bytes(samples.saved(secret_text(Text.of(open_saved(whole).text)) + "\x1b+/"))
    names = {"SAVE": whole, "LOG": log, "BAD": bad, "OUT": tmp_path / "out", "FOLDER": games}
    arguments: list[object] = [
        names.get(one, tmp_path / "out" / "clean.vsav" if one.startswith("OUT/") else one)
        for one in command
    ]
    if command[0] not in ("clean",):
        arguments += ["--boards", demo_boards()]
    if player:
        arguments += ["--as", "German"]
    code = run(*arguments)
    out, err = capfd.readouterr()
    assert code in (0, 1, 2), err
    clean(out, command)
    clean(err, command)
    for path in files(tmp_path):
        if games not in path.parents:
            check_file(path)


def test_watching_tells_no_password(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Outputs, the list of files done, the console and the live view."""
    import sys

    from vassal_bridge.tasks.watching import FileJob
    from vassal_bridge.watch import Console, ReadyFile
    from vassal_bridge.watch.policy import digest_of

    session = open_session({"month": 7}, boards=[demo_boards()])
    console = Console(sys.stdout, sys.stderr, lang="en")
    job = FileJob(session, ("html", "json", "text", "svg", "vsav"))
    for source in (demo_save(), demo_log()):
        path = secret_game(tmp_path, source)
        data = path.read_bytes()
        file = ReadyFile(path, data, digest_of(data), tmp_path / "rout", path.stem)
        clean(repr(file), "ready file")
        result = job(file)
        clean(repr(result), "result")
        assert result.outputs
    for path in files(tmp_path / "rout"):
        check_file(path)
    clean(repr(console), "console")
    clean("".join(capfd.readouterr()), "console")


def test_preferences_are_read_for_four_keys_only(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prefs = tmp_path / "conf" / "prefs"
    prefs.mkdir(parents=True)
    lines = f"SecretName={CANARY}\nRealName=Uli {CANARY}\nboardURL={demo_boards()}\n"
    for name in ("VASL", "V_Global"):
        (prefs / name).write_text(lines, encoding="utf-8")
    monkeypatch.setenv("ROUT_VASSAL_CONF", str(tmp_path / "conf"))
    for command in (("doctor",), ("report", demo_save(), "-v"), ("report", "nowhere.vsav")):
        run(*command)
        clean("".join(capfd.readouterr()), command)
    from vassal_bridge.discovery import discover, this_machine
    from vassal_bridge.doctor import stated_places
    from vassal_bridge.settings import load_settings

    found = discover(this_machine(), stated_places(load_settings({}, env=os.environ)))
    clean(repr(found), "discovery")
    assert str(demo_boards()) in repr(found)


def values(saved: Saved) -> Iterator[object]:
    """Public values of every room that come of one file."""
    from vassal_bridge.vassal.commands import decode
    from vassal_bridge.vassal.sequence import leaves

    yield saved
    game = load_game(saved)
    yield game
    yield from game.pieces.values()
    yield game.problems
    yield from map(decode, leaves(saved.text))
    steps = list(replay(saved))
    yield from steps
    for step in steps:
        yield from step.commands
        yield step.changes
        yield step.game.problems
    session = open_session({"month": 7}, boards=[demo_boards()], as_side="German")
    session.typed._password = CANARY
    yield session
    options = session.options(session.settings().settings)
    player = session.player([saved], options)
    yield player
    loaded = session.load_saved(saved, saved.path)
    yield loaded
    yield from loaded.readings
    job = report_job(session, saved.path, Wanted(), loaded)
    yield job
    yield job.report()
    yield job.assessments
    yield annotated(job, saved)
    import dataclasses

    yield AuditOptions(dataclasses.replace(options, player=player))
    if saved.log_steps:
        state = audit_game(saved, AuditOptions(dataclasses.replace(options, player=player)))
        yield state
        yield state.result


@pytest.mark.parametrize("source", [demo_save(), demo_log()], ids=lambda path: path.name)
def test_no_repr_tells_a_password(source: Path, tmp_path: Path) -> None:
    saved = open_saved(secret_game(tmp_path, source))
    for value in values(saved):
        clean(repr(value), type(value))
        clean(str(value), type(value))


def told(error: BaseException | None) -> Iterator[str]:
    """All that an exception says, and those behind it."""
    while error is not None:
        yield from (str(error), repr(error), repr(error.args), *getattr(error, "__notes__", ()))
        yield "".join(traceback.format_exception_only(error))
        error = error.__cause__ or error.__context__


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_no_error_tells_a_password(data: st.DataObject) -> None:
    """Damage the text anywhere near the secrets: what is said about it does not quote them."""
    text = secret_text(Text.of(open_saved(demo_log()).text))
    spots = [n for n in range(len(text)) if text.startswith(CANARY, n)]
    for _ in range(data.draw(st.integers(1, 4))):
        spot = data.draw(st.sampled_from(spots)) + data.draw(st.integers(-30, 30))
        length = data.draw(st.integers(0, 12))
        what = data.draw(st.sampled_from(["", "\x1b", "\\", "\t", "/", ";", "'", "\x00", CANARY]))
        text = text[: max(0, spot)] + what + text[max(0, spot) + length :]
    session = open_session({"month": 7}, boards=[demo_boards()])
    try:
        saved = read_saved(samples.saved(text), Path("t.vlog"))
        game = load_game(saved)
        for problem in game.problems:
            clean(problem.text, "problem")
        for step in replay(saved):
            for problem in step.game.problems:
                clean(problem.text, "problem")
        options = AuditOptions(session.options(session.settings().settings))
        for problem in audit_game(saved, options).result.problems:
            clean(problem.text, "audit")
    except VassalBridgeError as error:
        for line in told(error):
            clean(line, type(error))


def test_the_search_finds_what_it_looks_for() -> None:
    """The canary test of the canary test."""
    for text in (CANARY, f"x{json.dumps(CANARY)}", CANARY.lower()):
        with pytest.raises(AssertionError):
            clean(text, "")
    gc.collect()
