"""One process that runs commands for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.hostile.forks import Forks


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and limits of processes")
    with Forks(tmp_path_factory.mktemp("home")) as running:
        yield running
