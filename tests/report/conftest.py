"""Shared values of the report tests: the village, judged once."""

from __future__ import annotations

import pytest

from tests.report.sketch import SketchLoaded, example
from vassal_bridge.report.job import Job
from vassal_bridge.rout.assess import assess_all
from vassal_bridge.rout.result import Assessment


@pytest.fixture(scope="session")
def village() -> SketchLoaded:
    return example()


@pytest.fixture(scope="session")
def answers(village: SketchLoaded) -> tuple[Assessment, ...]:
    return assess_all(village.position)


@pytest.fixture(scope="session")
def job(village: SketchLoaded, answers: tuple[Assessment, ...]) -> Job:
    return Job(village, answers, village.picture)
