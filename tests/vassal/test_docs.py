"""The examples in the docstrings of this room run."""

from __future__ import annotations

import doctest

import pytest

from vassal_bridge import vassal
from vassal_bridge.vassal import (
    archive,
    commands,
    edit,
    envelope,
    game,
    log,
    maps,
    pieces,
    sequence,
)

MODULES = (vassal, archive, commands, edit, envelope, game, log, maps, pieces, sequence)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.failed == 0


def test_the_face_names_what_it_offers() -> None:
    assert sorted(vassal.__all__) == vassal.__all__
    for name in vassal.__all__:
        assert getattr(vassal, name).__doc__
