"""Finding rout phases: every sign is a hint, none is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.scenes import Example, audit
from tests.shared import needs_shared
from vassal_bridge.audit import Verdict
from vassal_bridge.audit.words import PHASES, hexes_named, phases_named, printed, topics

pytestmark = needs_shared


def turn(log: Example, *, words: bool = False, mover: str = "O5", to: str = "O4") -> None:
    """A German player turn up to the AFPh: prep fire, a move, defensive fire, a break."""
    say = log.say if words else (lambda _text: 0)
    say("PFPh")
    log.marker("First Fire", "zD2") if False else None
    log.roll("IFT", 5, 6)
    say("MPh")
    log.move(log.germans[mover], to=f"z{to}")
    log.roll("IFT", 6, 5)
    say("AFPh")
    log.roll("IFT", 2, 2)
    log.roll("MC", 5, 5)


def routs_of_example(log: Example) -> None:
    log.rout("M9", "N9", "N10")
    log.rout("N7", "N8")


def test_nothing_but_routs(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    routs_of_example(log)
    (found,) = audit(log, tmp_path).phases
    assert found.steps == (1, 3)
    assert "moves of broken units" in found.why


def test_a_whole_turn_without_a_word(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    turn(log)
    first = len(log.steps) + 1
    routs_of_example(log)
    last = len(log.steps)
    log.move(log.germans["M6"], to="zN6")
    (found,) = audit(log, tmp_path, attacker=None).phases
    assert found.steps == (first, last)
    assert found.attacker == "German"


@pytest.mark.parametrize(
    ("rout", "advance"),
    [
        ("RtPh", "APh"),
        ("Fluchtphase, du zuerst", "Vorrücken"),
        ("phase de déroute", "phase d'avance"),
        ("fase de desbandada", "avanzo"),
        ("fase di rotta", "avanzata"),
        ("фаза бегства", "продвижение"),
        ("溃退", "前进阶段"),
    ],
)
def test_words_in_many_languages(rout: str, advance: str, tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    turn(log)
    first = log.say(rout)
    routs_of_example(log)
    log.say("ok")
    last = log.say("hm")
    log.say(advance)
    log.move(log.germans["M6"], to="zN6")
    (found,) = audit(log, tmp_path, attacker=None).phases
    assert found.steps == (first, last)


def test_two_player_turns(tmp_path: Path) -> None:
    """The German turn, then the Russian one: a rout phase in each, ATTACKERs in turn."""
    log = Example("M9", "N7")
    mover = log.squad("Russian", "4-4-7", "zF4")
    log.begin()
    turn(log, words=True)
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say("APh")
    log.move(log.germans["O4" if "O4" in log.germans else "L7"], to="zL8")
    log.say("RPh, Russian turn 2")
    log.roll("Rally", 6, 6)
    log.say("MPh")
    log.move(mover, to="zF3")
    log.roll("IFT", 3, 4)
    log.say("RtPh")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.say("APh")
    log.move(mover, to="zF2")
    phases = audit(log, tmp_path, attacker=None).phases
    assert [(found.attacker, [r.start for r in found.routs]) for found in phases] == [
        ("German", ["zM9"]),
        ("Russian", ["zN7"]),
    ]


def test_phase_given(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    routs_of_example(log)
    (found,) = audit(log, tmp_path, phase=(3, 3)).phases
    assert found.steps == (3, 3)
    assert [rout.start for rout in found.routs] == ["zN7"]
    assert "--phase 3-3" in found.why
    (found,) = audit(log, tmp_path, phase=(2, 99)).phases
    assert found.steps == (2, 3)


def test_a_rally_is_no_rout(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    log.roll("Rally", 1, 2)
    log.set_layer(log.units["M9"], 3, "-1")
    log.remove(log.dms["M9"])
    log.move(log.units["M9"], to="zM10")
    result = audit(log, tmp_path)
    assert all(rout.piece != log.units["M9"].id for p in result.phases for rout in p.routs)


def test_correction_before_the_turn(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    log.say("M9 was put in the wrong hex last turn, it is in N9")
    corrected = log.move(log.units["M9"], log.dms["M9"], to="zN9")
    turn(log)
    log.rout("N7", "N8")
    (found,) = audit(log, tmp_path).phases
    assert [rout.start for rout in found.routs] == ["zN7"]
    assert ("correction", (corrected,)) in [(n.code, n.steps) for n in found.notes]


def test_set_up_is_no_phase(tmp_path: Path) -> None:
    log = Example("M9")
    log.begin()
    log.move(log.germans["O5"], to="zO3")
    assert audit(log, tmp_path).phases == ()


def test_casualties_of_close_combat_are_no_failures(tmp_path: Path) -> None:
    log = Example("M9", "N7")
    log.begin()
    log.say("RtPh")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    log.say("CC in M9")
    log.roll("CC", 2, 2)
    log.remove(log.units["M9"])
    (found,) = audit(log, tmp_path).phases
    assert found.failures == ()


def test_failure_taken_off_later(tmp_path: Path) -> None:
    """N5 cannot rout; it is remembered only in the APh."""
    log = Example("M9", "N5")
    log.begin()
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say("APh")
    log.say("forgot: N5 fails to rout")
    gone = log.remove(log.units["N5"])
    (found,) = audit(log, tmp_path).phases
    (failure,) = found.failures
    assert (failure.hex, failure.rule, failure.handled) == ("zN5", "R73a", "removed")
    assert gone in failure.steps


def test_the_other_sides_routs_may_follow_in_the_next_log(tmp_path: Path) -> None:
    """Only the ATTACKER has routed here: N5 is no failure yet, but a note."""
    log = Example("N5")
    log.units["D2"] = log.squad("German", "4-6-7", "zD2", broken=True)
    log.dms["D2"] = log.marker("DM", "zD2")
    log.begin()
    log.say("RtPh")
    log.rout("D2", "D3")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    (found,) = audit(log, tmp_path).phases
    assert found.failures == ()
    assert [(note.code, note.hex) for note in found.notes] == [("still-to-rout", "zN5")]


def test_routs_at_the_start_of_the_next_log_prove_little(tmp_path: Path) -> None:
    """The opponent may have advanced before: where he stood in the RtPh is not known."""
    log = Example("M9", "N7")
    log.begin()
    log.rout("M9", "M8")
    log.say("RPh, turn 3")
    log.roll("Rally", 4, 4)
    log.roll("Rally", 6, 4)
    log.say("MPh")
    log.roll("IFT", 4, 4)
    found = audit(log, tmp_path, attacker=None).phases[0]
    rout = next(rout for rout in found.routs if rout.start == "zM9")
    assert rout.verdict is Verdict.UNPROVEN
    assert "late-positions" in {why.code.value for why in rout.reasons}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("done moving, your DFPh", ["DFPh"]),
        ("adv fire N9 at N10", ["AFPh"]),
        ("adv", ["APh"]),
        ("kein Nahkampf", ["CCPh"]),
        ("T4, my prep: P8 on P9", ["PFPh"]),
        ("what a route!", []),
        ("", []),
    ],
)
def test_phase_words(text: str, named: list[str]) -> None:
    assert [PHASES[place] for place in phases_named(text)] == named


def test_hexes_in_talk() -> None:
    assert hexes_named("zN5 to yAA10, not 04K3; 4-6-7 MMG") >= {"N5", "AA10", "K3"}
    assert printed("BFPDW1aD7") == "D7"
    assert printed("z~2O5") == "O5"


def test_topics_of_talk() -> None:
    assert {topic.value for topic in topics("N5 low crawls, NMC")} == {"crawl", "check"}
    assert topics("no low crawl") == frozenset()


def test_the_attacker_that_is_told_counts_against_the_log(tmp_path: Path) -> None:
    """By the moves before, it is the German player turn; whoever asks says otherwise."""
    log = Example("M9", "N7")
    log.begin()
    log.say("MPh")
    log.move(log.germans["O5"], to="zO4")
    log.say("DFPh")
    log.roll("IFT", 5, 5)
    log.say("RtPh")
    log.rout("M9", "N9")
    log.say("N7 low crawls")
    log.rout("N7", "N8")
    log.say("APh")
    log.move(log.germans["L7"], to="zL8")
    assert [p.attacker for p in audit(log, tmp_path, attacker="Russian").phases] == ["Russian"]
    assert [p.attacker for p in audit(log, tmp_path, attacker="German").phases] == ["German"]


def test_an_unbroken_move_alone_makes_no_rout_phase_illegal(tmp_path: Path) -> None:
    log = Example("M9")
    log.begin()
    log.move(log.germans["O5"], to="zO4")
    log.say("DFPh")
    log.roll("IFT", 5, 5)
    log.say("RtPh")
    log.rout("M9", "N9")
    result = audit(log, tmp_path, attacker="Russian")
    routs = [(r.start, r.verdict) for p in result.phases for r in p.routs]
    assert routs == [("zM9", Verdict.LEGAL)]
