"""Fair play: what a reader may see of hidden and concealed counters (formats/files.md 8).

A file holds both players' hidden units in full. `public_view` shows what every player may see, and
it does so by taking the secret counters out first and reading the stacks anew: no state, doubt,
order or number left behind depends on what was there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vassal_bridge.counters.model import Counter, Kind, StackReading, State
from vassal_bridge.counters.stacks import interpret

_SECRETS = frozenset({State.CONCEALED, State.HIP})


@dataclass(frozen=True, slots=True)
class Eyes:
    """What one player sees besides what everybody sees: his own hidden and concealed counters.

    Attributes:
        owner: per-file alias of his pieces' owner.
        nationalities: those he plays.
        plain: counters of no nationality that he hid are shown too (fortifications, mines).
    """

    owner: str
    nationalities: frozenset[str]
    plain: bool = False

    def own(self, counter: Counter) -> bool:
        """Whether a secret counter is his own."""
        if counter.nationality is None:
            return self.plain and counter.owner == self.owner
        if counter.nationality not in self.nationalities:
            return False
        if counter.hidden:
            return counter.owner == self.owner
        # under a "?" without a flag of its own it belongs to whoever plays that nationality
        return counter.owner in (None, self.owner)


def public_view(
    readings: Iterable[StackReading], see: Eyes | None = None
) -> tuple[StackReading, ...]:
    """The readings as everybody may see them.

    HIP counters are gone. A concealed counter and a "?" counter look alike: a "?" (kind
    ``concealment``) of which only nationality and place are told, so that dummies stay dummies; the
    ids of both are replaced. Owners are taken off all counters.

    Args:
        readings: of `read_stacks`.
        see: a player whose own secrets are shown.
    """
    numbered: list[tuple[str, str | None, list[Counter]]] = []
    masked = 0
    for reading in readings:
        fresh: list[Counter] = []
        for counter in _visible(reading.counters, see):
            if not counter.id:
                masked += 1
                counter = replace(counter, id=f"concealed-{masked}")
            fresh.append(replace(counter, index=len(fresh), owner=None))
        if fresh:
            numbered.append((reading.id, reading.hex, fresh))
    return interpret(numbered, conceal=False)


def _visible(counters: Iterable[Counter], see: Eyes | None) -> Iterator[Counter]:
    for counter in counters:
        secret = counter.hidden or counter.concealed
        if secret and see is not None and see.own(counter):
            # "?" counters on top have been read already; what they told stays
            yield replace(counter, own=counter.own | (counter.states & _SECRETS))
        elif counter.hidden:
            continue
        elif counter.concealed or counter.kind is Kind.CONCEALMENT:
            yield _masked(counter)
        else:
            yield counter


def _masked(counter: Counter) -> Counter:
    return Counter(
        id="",
        name="?",
        kind=Kind.CONCEALMENT,
        nationality=counter.nationality,
        nation=counter.nation,
        label="?",
        evidence="structure",
        map=counter.map,
        x=counter.x,
        y=counter.y,
        stack=counter.stack,
        index=counter.index,
    )
