"""Hidden pieces do not exist; of what lies under a "?" nothing is told (reliability.md 31)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fairplay.secrets import (
    CANARY,
    Text,
    conceal_stack,
    hide_some,
    steps_with_hidden,
    swap_concealed,
)
from tests.fairplay.views import audited, everything
from tests.shared import LOGS, SAVES, SHARED
from vassal_bridge.demo import demo_log, demo_save
from vassal_bridge.vassal import open_saved

REAL = [
    SAVES / "made" / f"{name}.vsav"
    for name in ("rout_example", "rich1_side_by_side", "rich2_over_reversed", "rich3_overlay_crop",
                 "P1 S3 simple equation RPh", "after AFPh t v")
]  # fmt: skip
OTHERS = [
    SAVES / "templates" / "hip-concealed.vsav",
    SAVES / "templates" / "common-vo.vsav",
    SAVES / "starter-kit" / "S 033 Few And Far Between - Enhanced.vsav",
]
FILES = [demo_save(), *(REAL + OTHERS if SHARED.is_dir() else [])]
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
few = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),  # a smaller case tells no more, and costs minutes
)


@cache
def original(path: Path) -> Text:
    return Text.of(open_saved(path).text)


@cache
def plain(path: Path) -> dict[str, bytes]:
    return everything(path, original(path).text(), demo=path == demo_save())


def same(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    for name, data in one.items():
        assert other[name] == data, name
    for name, data in other.items():
        assert CANARY.encode() not in data, name
        assert b"Kanari" not in data, name


@each_file
def test_the_text_is_put_together_as_it_was(path: Path) -> None:
    assert original(path).text() == open_saved(path).text


@each_file
@few
@given(seed=st.integers(0, 10**6), count=st.integers(1, 6))
def test_hidden_pieces_change_no_output(path: Path, seed: int, count: int) -> None:
    text = hide_some(original(path), Random(seed), count)
    assert text.text().count(CANARY) == count
    same(plain(path), everything(path, text.text(), demo=path == demo_save()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@few
@given(seed=st.integers(0, 10**6))
def test_what_lies_under_a_question_mark_is_not_told(path: Path, seed: int) -> None:
    random = Random(seed)
    one, done = conceal_stack(original(path), random)
    if not done:
        return
    demo = path == demo_save()
    first = everything(path, one.text(), demo=demo)
    same(first, everything(path, swap_concealed(one, random).text(), demo=demo))
    also_hidden = hide_some(swap_concealed(one, random), random, 2)
    same(first, everything(path, also_hidden.text(), demo=demo))


def test_a_concealed_stack_closes_its_hex_and_makes_answers_depend() -> None:
    """All that is told of it is what both see: where it lies (R23, R78)."""
    import json

    path = demo_save()
    text = original(path)
    seen = 0
    for seed in range(40):
        new, done = conceal_stack(text, Random(seed))
        if not done:
            continue
        outputs = everything(path, new.text(), demo=True)
        same(outputs, outputs)
        before, after = json.loads(plain(path)["json"]), json.loads(outputs["json"])
        known = {id_ for unit in after["units"] for id_ in unit["known"]}
        assert known <= {id_ for unit in before["units"] for id_ in unit["known"]}
        seen += any(unit["certainty"] == "depends" for unit in after["units"])
    assert seen


LOG_FILES = [demo_log()]
if SHARED.is_dir():
    names = ("rout_example", "round3", "z_probe_undo", "rout_example-vassal37", "S5-1-A-APh")
    LOG_FILES += [LOGS / "made" / f"{name}.vlog" for name in names]


@cache
def plain_audit(path: Path) -> dict[str, bytes]:
    return audited(path, original(path).text(), demo=path == demo_log())


@pytest.mark.parametrize("path", LOG_FILES, ids=lambda path: path.stem)
@few
@given(seed=st.integers(0, 10**6), count=st.integers(1, 4), moving=st.booleans())
def test_hidden_pieces_change_no_audit(path: Path, seed: int, count: int, moving: bool) -> None:
    """Not by being there, and not by being moved about while others rout."""
    random = Random(seed)
    text = hide_some(original(path), random, count)
    if moving:
        text = steps_with_hidden(text, random)
    same(plain_audit(path), audited(path, text.text(), demo=path == demo_log()))


@pytest.mark.skipif(not SHARED.is_dir(), reason="real saves are not at hand")
def test_published_save_of_vasl_templates() -> None:
    """Its own fixture for this: a concealed Pz VIE and a hidden SU-152."""
    outputs = everything(OTHERS[0], open_saved(OTHERS[0]).text, demo=False)
    for name, data in outputs.items():
        if name == "repr":
            continue
        told = re.sub(rb"&lt;html.*?password\.|<html>.*?password\.|\(label\)", b"", data)
        assert b"SU-152 hidden" not in told, name
        assert b"Pz VIE concealed" not in told, name
        assert b"PzKw" not in told, name
