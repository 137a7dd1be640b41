"""Several files as one game: order, routs told once, split phases, saves, summary."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.audit.logs import LogMaker
from tests.audit.scenes import Example, library
from tests.shared import LOGS, needs_shared
from vassal_bridge.audit import (
    AuditOptions,
    FileAudit,
    Summary,
    Verdict,
    audit_files,
    audit_saves,
)
from vassal_bridge.audit.order import files_in, in_order, natural, superseded, trail_of
from vassal_bridge.audit.result import Tally
from vassal_bridge.bridge import Options
from vassal_bridge.errors import UsageError
from vassal_bridge.report import words_in
from vassal_bridge.tasks.audit_report import overall_lines

pytestmark = needs_shared


def run(*paths: Path, attacker: str | None = "German", **options: object) -> list[FileAudit]:
    read = Options(library(), attacker=attacker)
    return list(audit_files(paths, AuditOptions(read), **options))  # type: ignore[arg-type]


def routs(found: FileAudit) -> list[tuple[str, tuple[str, ...], str]]:
    assert found.result is not None
    return [
        (rout.start, rout.path, rout.verdict.value)
        for phase in found.result.phases
        for rout in phase.routs
    ]


def played(*routs: tuple[str, str], name: str = "RtPh") -> Example:
    log = Example("M9", "N7")
    log.begin()
    log.say(name)
    for at, to in routs:
        log.rout(at, to)
    return log


# --- order --------------------------------------------------------------------------------------


def test_natural_order() -> None:
    names = ["log 10.vlog", "Log 9.vlog", "log 1.vlog", "a.vlog"]
    assert sorted(names, key=natural) == ["a.vlog", "log 1.vlog", "Log 9.vlog", "log 10.vlog"]


def test_folder_order_is_by_date_saved(tmp_path: Path) -> None:
    played(("M9", "N9")).write(tmp_path, "b.vlog", date=2000)
    played(("M9", "L9")).write(tmp_path, "a.vlog", date=3000)
    played(("M9", "K9")).write(tmp_path, "c.vlog", date=1000)
    assert [found.path.name for found in run(tmp_path)] == ["c.vlog", "b.vlog", "a.vlog"]
    named = run(tmp_path / "a.vlog", tmp_path / "c.vlog")
    assert [found.path.name for found in named] == ["a.vlog", "c.vlog"]


def test_own_outputs_are_left_out(tmp_path: Path) -> None:
    log = played(("M9", "N9"))
    log.write(tmp_path, "a.vlog")
    (tmp_path / "rout").mkdir()
    log.write(tmp_path / "rout", "b.vlog")
    log.write(tmp_path, "a.rout.vlog")
    (tmp_path / "notes.txt").write_text("x")
    assert [path.name for path in files_in([tmp_path])] == ["a.vlog"]


def test_unreadable_file_does_not_stop_the_others(tmp_path: Path) -> None:
    played(("M9", "N9")).write(tmp_path, "a.vlog")
    (tmp_path / "b.vlog").write_bytes(b"no zip at all")
    found = {each.path.name: each for each in run(tmp_path)}
    assert found["a.vlog"].error is None
    assert found["b.vlog"].result is None
    assert "b.vlog" in str(found["b.vlog"].error)


# --- once ---------------------------------------------------------------------------------------


def test_log_taken_up_again(tmp_path: Path) -> None:
    """The longer log holds all of the shorter one: each rout is told once."""
    log = played(("M9", "N9"))
    log.write(tmp_path, "1.vlog", date=1)
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.write(tmp_path, "2.vlog", date=2)
    first, second = run(tmp_path)
    assert first.held_by == tmp_path / "2.vlog"
    assert [start for start, _, _ in routs(second)] == ["zM9", "zN7"]


def test_conflicted_copy(tmp_path: Path) -> None:
    path = played(("M9", "N9")).write(tmp_path, "a.vlog")
    shutil.copy(path, tmp_path / "a (conflicted copy).vlog")
    found = run(tmp_path)
    assert sum(each.held_by is not None for each in found) == 1
    assert sum(len(routs(each)) for each in found if each.result) == 1


def test_same_rout_in_two_logs_is_told_once(tmp_path: Path) -> None:
    """Recorded by both players, with other talk around it."""
    one = played(("M9", "N9"))
    one.write(tmp_path, "a.vlog", date=1)
    other = Example("M9", "N7")
    other.begin()
    other.say("my copy")
    other.say("RtPh")
    other.rout("M9", "N9")
    other.write(tmp_path, "b.vlog", date=2)
    first, second = run(tmp_path)
    assert routs(first) == [("zM9", ("zN9",), "legal")]
    assert routs(second) == []
    assert second.repeats >= 1


def test_trails(tmp_path: Path) -> None:
    log = played(("M9", "N9"))
    short = trail_of(log.write(tmp_path, "1.vlog", date=5))
    log.rout("M9", "N10")
    long = trail_of(log.write(tmp_path, "2.vlog", date=4))
    assert long.continues(short)
    assert not short.continues(long)
    assert short.saved_at == 5
    assert superseded([short, long]) == {short.path: long.path}
    assert in_order([short, long], sort=True) == [long, short]
    assert in_order([short, long], sort=False) == [short, long]


# --- split phase --------------------------------------------------------------------------------


def split(folder: Path) -> None:
    """German turn in the first log, Russian routs at the head of the second.

    L7 is not next to M9 in the RtPh; in the APh it comes to M8. From there M9 to N9 would be away
    from it, but M9 to L8 or M10 looks different before and after.
    """
    first = Example("M9")
    first.units["D2"] = first.squad("German", "4-6-7", "zD2", broken=True)
    first.dms["D2"] = first.marker("DM", "zD2")
    first.begin()
    first.say("RtPh")
    first.rout("D2", "D3")
    first.say("APh")
    first.move(first.germans["L7"], to="zL8")
    first.say("your routs")
    first.write(folder, "turn 3 German.vlog", date=10)
    second = Example("M9", germans=("O5", "O6", "M6", "L8"))
    second.units["D2"] = second.squad("German", "4-6-7", "zD3", broken=True)
    second.dms["D2"] = second.marker("DM", "zD3")
    second.begin()
    second.rout("M9", "N9")
    second.say("RPh, Russian turn 3")
    second.roll("Rally", 5, 5)
    second.roll("Rally", 6, 5)
    second.say("PFPh")
    second.roll("IFT", 6, 6)
    second.write(folder, "turn 3 Russian.vlog", date=20)


def test_routs_of_a_split_phase_are_judged_before_the_advances(tmp_path: Path) -> None:
    split(tmp_path)
    first, second = run(tmp_path, attacker=None)
    assert routs(first)[0][0] == "zD2"
    assert routs(second) == [("zM9", ("zN9",), "legal")]
    assert second.result is not None
    (rout,) = second.result.phases[0].routs
    enemies = {unit.piece: unit.hex for unit in rout.cast if unit.side == "German"}
    assert "zL8" not in enemies.values()


def test_alone_the_second_log_proves_nothing_illegal(tmp_path: Path) -> None:
    split(tmp_path)
    (found,) = run(tmp_path / "turn 3 Russian.vlog", attacker=None)
    assert all(verdict != "illegal" for _, _, verdict in routs(found))


# --- from save to save --------------------------------------------------------------------------


def saves(folder: Path, *routs: tuple[str, str], pinned: str | None = None) -> tuple[Path, Path]:
    before = Example("M9", "N7", "N5")
    before.begin()
    one = before.write(folder, "before.vsav", date=1)
    after = Example("M9", "N7", "N5")
    for at, to in routs:
        x, y = after.layout.snap(f"z{to}")
        for piece in (after.units[at], after.dms[at]):
            piece.x, piece.y = x, y
            piece.stack = f"9{piece.id}"
        after.dms[at].stack = after.units[at].stack
        if pinned == at:
            after.marker("Pin", f"z{to}")
    after.begin()
    return one, after.write(folder, "after.vsav", date=2)


def test_from_one_save_to_the_next(tmp_path: Path) -> None:
    before, after = saves(tmp_path, ("M9", "N10"))
    result = audit_saves(before, after, AuditOptions(Options(library(), attacker="German")))
    (found,) = result.phases
    (rout,) = found.routs
    assert (rout.verdict, rout.legal_path[-1]) == (Verdict.LEGAL, "zN10")
    assert {(failure.hex, failure.handled) for failure in found.failures} == {
        ("zN7", "forgotten"),
        ("zN5", "forgotten"),
    }


def test_no_legal_history_between_two_saves(tmp_path: Path) -> None:
    before, after = saves(tmp_path, ("M9", "M8"))
    (found,) = run(before, after)
    assert routs(found) == [("zM9", ("zM8",), "illegal")]


def test_short_stop_between_two_saves_may_be_a_pin(tmp_path: Path) -> None:
    before, after = saves(tmp_path, ("N7", "N8"))
    (found,) = run(before, after)
    assert routs(found)[0][2] == "legal"  # a Low Crawl, too


def test_two_saves_of_different_games(tmp_path: Path) -> None:
    before, _ = saves(tmp_path, ("M9", "N9"))
    other = LogMaker("z", library())
    other._next = 5000
    other.squad("German", "4-6-7", "zB2")
    other.begin()
    alien = other.write(tmp_path, "other.vsav")
    with pytest.raises(UsageError, match="no unit in common"):
        audit_saves(before, alien, AuditOptions(Options(library())))
    (found,) = run(before, alien)
    assert isinstance(found.error, UsageError)


def test_single_save_has_nothing_to_audit(tmp_path: Path) -> None:
    before, _ = saves(tmp_path, ("M9", "N9"))
    (found,) = run(before)
    assert found.result is not None
    assert found.result.phases == ()


# --- summary ------------------------------------------------------------------------------------


def test_summary_informs(tmp_path: Path) -> None:
    log = played(("M9", "M8"))
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.write(tmp_path, "a.vlog")
    summary = Summary()
    for found in run(tmp_path):
        assert found.result is not None
        summary.add(found.result)
    assert summary.total.routs == 2
    assert summary.total.illegal == 1
    lines = list(overall_lines(summary, words_in("en")))
    assert lines[0] == "Russian: 2 routs, 1 differs from 3.6, 1 legal"
    assert lines[1] == "   R38: 1 differs from 3.6"
    text = "\n".join(lines)
    for word in ("cheat", "wrong", "violation"):
        assert word not in text


def test_the_sums_of_a_summary_agree() -> None:
    summary = Summary(
        2,
        by_side={
            "German": Tally(routs=1, illegal=1, failures=3, forgotten=2),
            "Russian": Tally(routs=3, disputed=2, legal=1),
        },
        by_rule={
            ("German", "R8", "forgotten"): 2,
            ("German", "R46", "illegal"): 1,
            ("Russian", "R46", "disputed"): 2,
        },
    )
    assert list(overall_lines(summary, words_in("en"))) == [
        "German: 1 rout, 1 differs from 3.6, 3 failures to rout (2 still on the map)",
        "   R8: 2 failures to rout (2 still on the map)",
        "   R46: 1 differs from 3.6",
        "Russian: 3 routs, 2 disputed, 1 legal",
        "   R46: 2 disputed",
    ]
    assert next(iter(overall_lines(summary, words_in("zh")))).startswith("德军：")


def test_stopping_early_ends_the_processes(tmp_path: Path) -> None:
    for number in range(8):
        log = played(("M9", "N9"))
        log.say(f"copy {number}")
        log.write(tmp_path, f"{number}.vlog", date=number)
    read = AuditOptions(Options(library(), attacker="German"))
    found = audit_files([tmp_path], read, workers=2)
    assert next(found).path.name == "0.vlog"
    found.close()  # type: ignore[attr-defined]
    assert list(found) == []


def test_progress_and_processes(tmp_path: Path) -> None:
    for number in range(4):
        shutil.copy(LOGS / "made" / "rout_illegal.vlog", tmp_path / f"{number}.vlog")
    log = played(("M9", "N9"))
    log.write(tmp_path, "z.vlog", date=9_999_999_999_999)
    told: list[tuple[int, int]] = []
    found = run(tmp_path, workers=2, progress=lambda done, count, _path: told.append((done, count)))
    assert told == [(number, 5) for number in range(1, 6)]
    assert sum(each.held_by is not None for each in found) == 3
    inline = run(tmp_path, workers=1)
    assert [each.result for each in inline] == [each.result for each in found]
