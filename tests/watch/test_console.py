"""What the player reads."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tests.shared import ROOT as SOURCES
from vassal_bridge.errors import FileError, FormatError, InternalFault, NotAGame
from vassal_bridge.watch import events
from vassal_bridge.watch.console import SIGNS, TEXTS, Console
from vassal_bridge.watch.work import Failure, JobResult, ReadyFile, one_line, run_job

ROOT = Path("/games")
FILE = ROOT / "Anna vs Boris" / "S1-2-A-RtPh.vlog"


def printed(*told: events.Event, lang: str = "en", **options: bool) -> tuple[str, str]:
    results, remarks = io.StringIO(), io.StringIO()
    console = Console(results, remarks, lang=lang, roots=(ROOT,), now=lambda: "14:03:07", **options)
    for event in told:
        console(event)
    return results.getvalue(), remarks.getvalue()


def result(headline: str = "2 illegal routs", **options: object) -> JobResult:
    page = FILE.parent / "rout" / "S1-2-A-RtPh.rout.html"
    return JobResult(headline, (page.with_suffix(".json"), page), **options)  # type: ignore[arg-type]


def test_one_line_per_file_with_finding_and_overlay() -> None:
    out, err = printed(events.Done(FILE, result(mark="bad")))
    assert out == (
        "14:03:07  Anna vs Boris/S1-2-A-RtPh.vlog  !! 2 illegal routs"
        "  → rout/S1-2-A-RtPh.rout.html\n"
    )
    assert err == ""


def test_an_overlay_elsewhere_is_named_in_full() -> None:
    out, _ = printed(events.Done(FILE, JobResult("x", (Path("/out/S1.rout.svg"),))))
    assert out.endswith("→ /out/S1.rout.svg\n")


def test_a_result_without_outputs() -> None:
    assert printed(events.Done(FILE, JobResult("nothing to rout")))[0].endswith("nothing to rout\n")


def test_the_overlay_of_the_job_wins() -> None:
    overlay = FILE.parent / "rout" / "x.rout.vsav"
    assert result(overlay=overlay).pointed_at == overlay
    assert result().shown_page == FILE.parent / "rout" / "S1-2-A-RtPh.rout.html"
    assert JobResult("x").shown_page is None


def test_colour_is_never_the_only_sign() -> None:
    for mark, sign, code in (("good", "  ", "32"), ("warn", "! ", "33"), ("bad", "!!", "31")):
        event = events.Done(FILE, JobResult("H", mark=mark))  # type: ignore[arg-type]
        assert f"\x1b[{code}m{sign} H\x1b[0m" in printed(event, colour=True)[0]
        assert f"{sign} H" in printed(event)[0]


def test_the_live_view_has_the_same_signs() -> None:
    script = (SOURCES / "vassal_bridge" / "live" / "static" / "live.js").read_text("utf-8")
    shown = re.search(r'SIGNS = { bad: "(.*?)", warn: "(.*?)", good: "(.*?)" }', script)
    assert shown is not None
    assert [sign.strip() for sign in shown.groups()] == [
        SIGNS[mark].strip() for mark in ("bad", "warn", "good")
    ]


def test_text_of_a_game_cannot_move_the_cursor() -> None:
    out, _ = printed(events.Done(FILE, JobResult("a\x1b[2J\r\nb\u202ec\ud800")))
    assert "a [2J b c" in out
    assert out.count("\n") == 1


def test_a_long_headline_is_cut() -> None:
    assert one_line("x" * 1000) == "x" * 299 + "…"


def test_a_terminal_that_lacks_a_character_gets_another() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="cp1252")
    console = Console(stream, stream, now=lambda: "t")
    console(events.Done(FILE, JobResult("溃退", (Path("/o"),))))
    assert raw.getvalue().splitlines()[0].endswith(b"??  ? /o")


def test_the_bell_rings_for_bad_news_only() -> None:
    assert printed(events.Done(FILE, result(mark="bad")), bell=True)[1] == "\a"
    assert printed(events.Done(FILE, result(mark="warn")), bell=True)[1] == ""


def test_remarks_go_to_the_other_stream() -> None:
    out, err = printed(
        events.Started((ROOT, Path("/more")), 3),
        events.Polling(ROOT),
        events.FolderGone(ROOT),
        events.FolderBack(ROOT),
        events.TooLarge(ROOT, "more than 5 files"),
        events.Unreadable(ROOT, "Permission denied"),
        events.NotWhole(FILE),
        events.Failed(FILE, "board bdz\nis missing"),
        events.Failed(FILE, "KeyError at x.py:3", fault=True),
        events.Stopped(7),
    )
    assert out == ""
    assert err.splitlines() == [
        "Watching /games, /more. Ctrl-C ends it.",
        "Files already there and not done yet: 3; new ones go first.",
        "/games gives no notices of changes; it is looked through every second",
        "/games is not there; waiting for it",
        "/games is there again",
        "/games: more than 5 files; new files are still noticed, please watch a smaller folder",
        "/games cannot be looked through (Permission denied)",
        "Anna vs Boris/S1-2-A-RtPh.vlog: is not complete: VASSAL has not finished it, "
        "or it was cut off on the way",
        "Anna vs Boris/S1-2-A-RtPh.vlog: board bdz is missing",
        "Anna vs Boris/S1-2-A-RtPh.vlog: internal fault (KeyError at x.py:3); please report it",
        "Ended; files done: 7.",
    ]


def test_the_same_content_is_told() -> None:
    out, err = printed(events.Same(FILE, "S1.vsav", ()))
    assert "same content as S1.vsav" in out
    assert (out.count("\n"), err) == (1, "")


def test_chinese_has_every_text() -> None:
    assert TEXTS["zh"].keys() == TEXTS["en"].keys()
    _, err = printed(events.Started((ROOT,), 0), lang="zh")
    assert err == "正在监视 /games。按 Ctrl-C 结束。\n"


# --- the fence around a job ---

READY = ReadyFile(FILE, b"canary", "d", ROOT / "rout", "S1")


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (FileError("cut off", file="x"), Failure("cut off", retry=True)),
        (NotAGame("text", place="savedGame"), Failure("savedGame: text")),
        (FormatError("bad", place="command 7"), Failure("command 7: bad")),
        (InternalFault("oops"), Failure("oops", fault=True)),
        (OSError(28, "No space left"), Failure("No space left", retry=True)),
        (OSError("odd"), Failure("OSError", retry=True)),
    ],
)
def test_errors_become_failures(error: Exception, failure: Failure) -> None:
    def job(_: ReadyFile) -> JobResult:
        raise error

    assert run_job(job, READY) == failure


def test_an_unforeseen_error_shows_kind_and_place_but_not_its_text() -> None:
    def job(file: ReadyFile) -> JobResult:
        raise ValueError(file.data.decode())

    failure = run_job(job, READY)
    assert isinstance(failure, Failure)
    assert failure.fault
    assert failure.text.startswith("ValueError at test_console.py:")
    assert "canary" not in failure.text


def test_a_stop_request_gets_past_the_fence() -> None:
    def job(_: ReadyFile) -> JobResult:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(job, READY)


def test_a_ready_file_does_not_show_its_bytes() -> None:
    assert "canary" not in repr(READY)
    assert READY.output("html") == ROOT / "rout" / "S1.rout.html"
