"""Fair play: what a reader may see of hidden and concealed counters (formats/files.md 8).

A file holds both players' hidden units in full. `public_view` shows what every player may see, and
it does so by taking the secret counters out first and reading the stacks anew: no state, doubt,
order or number left behind depends on what was there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from vassal_bridge.counters.model import Counter, Kind, StackReading, State
from vassal_bridge.counters.stacks import interpret

_SECRETS = frozenset({State.CONCEALED, State.HIP})


def public_view(
    readings: Iterable[StackReading], see: Collection[str] = ()
) -> tuple[StackReading, ...]:
    """The readings as everybody may see them.

    HIP counters are gone. A concealed counter is a "?" (kind ``concealment``) of which only
    nationality and place are told; its id is replaced too. Owners are taken off all counters.

    Args:
        readings: of `read_stacks`.
        see: nationalities whose own secrets are shown (the player's own side).
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
            name = reading.id if fresh[0].stack is not None else fresh[0].id
            numbered.append((name, reading.hex, fresh))
    return interpret(numbered, conceal=False)


def _visible(counters: Iterable[Counter], see: Collection[str]) -> Iterator[Counter]:
    for counter in counters:
        if counter.nationality is not None and counter.nationality in see:
            # "?" counters on top have been read already; what they told stays
            yield replace(counter, own=counter.own | (counter.states & _SECRETS))
        elif counter.hidden:
            continue
        elif counter.concealed or counter.kind is Kind.CONCEALMENT:
            yield _masked(counter)
        else:
            yield counter


def _masked(counter: Counter) -> Counter:
    kept = counter.id if counter.kind is Kind.CONCEALMENT else ""
    return Counter(
        id=kept,
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
