"""Answers kept for every reading that they do not hang on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast

from vassal_bridge.rout.rulebook import Readings

Answer = TypeVar("Answer")


class Asker(Protocol):
    """Who asks: under which readings, and which of them it has looked at so far."""

    readings: Readings
    touched: set[str]


class Kept:
    """Answers that hang on the enemies, on full hexes and on what stands in the question.

    Units of one side that stacking bars from the same hexes share them. While an answer is worked
    out, `Asker.touched` notes each reading that is looked at where it makes a difference. Under
    readings that agree on those, the same answer is good again.
    """

    def __init__(self) -> None:
        self._answers: dict[Hashable, list[tuple[object, Readings, frozenset[str]]]] = {}

    def ask(self, asker: Asker, key: Hashable, work_out: Callable[[], Answer]) -> Answer:
        """The answer to a question, with the readings noted that finding it has touched.

        Args:
            asker: who asks.
            key: the question. `r46_ignored_stops` belongs to it where it bears on the answer: it
                is touched only when a step is judged, as the costs of a way always hang on it.
            work_out: finds the answer; it may ask in turn.
        """
        readings = asker.readings
        kept = self._answers.get(key)
        if kept is None:
            kept = self._answers[key] = []
        for answer, under, touched in kept:
            if under is readings or all(
                getattr(readings, name) == getattr(under, name) for name in touched
            ):
                if touched:
                    asker.touched |= touched
                return cast("Answer", answer)
        before, asker.touched = asker.touched, set()
        found = work_out()
        now, asker.touched = asker.touched, before
        kept.append((found, readings, frozenset(now)))
        before |= now  # into the same set: whoever goes on for the asker shares it (R48)
        return found
