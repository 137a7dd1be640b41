"""`frozen` makes what ``@dataclass(frozen=True, slots=True)`` makes, only sooner."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from typing import Any, Generic, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vassal_bridge.values import frozen

T = TypeVar("T")
STANDARD = dataclass(frozen=True, slots=True)


@frozen
class Route:
    """One of every kind of field."""

    start: str
    mf2: int = 4
    secret: str = field(default="", repr=False)
    seen: dict[str, int] = field(default_factory=dict)
    note: str = field(default="", compare=False)


@STANDARD
class StandardRoute:
    """The same, by the standard library alone."""

    start: str
    mf2: int = 4
    secret: str = field(default="", repr=False)
    seen: dict[str, int] = field(default_factory=dict)
    note: str = field(default="", compare=False)


@frozen
class Place:
    """Hashable."""

    x: int
    y: int = 0


@STANDARD
class StandardPlace:
    """The same."""

    x: int
    y: int = 0


@frozen
class Single:
    """One field only."""

    only: tuple[int, ...]


@frozen
class Nothing:
    """No field at all."""


@frozen
class Higher(Place):
    """A value made from another."""

    level: int = 0


@frozen(eq=False)
class Thing:
    """Equal to itself only."""

    x: int


@frozen
class Own:
    """Has methods of its own."""

    x: int

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __hash__(self) -> int:
        return 7


@frozen
class Pair(Generic[T]):
    """Of any type."""

    one: T
    two: T

    def __getitem__(self, index: int) -> T:
        return (self.one, self.two)[index]


ROUTES = st.tuples(
    st.text(max_size=3),
    st.integers(0, 3),
    st.text(max_size=2),
    st.dictionaries(st.text(max_size=1), st.integers(0, 2), max_size=2),
    st.text(max_size=2),
)


@given(ROUTES, ROUTES)
def test_same_answers_as_the_standard_library(one: tuple[Any, ...], two: tuple[Any, ...]) -> None:
    ours = Route(*one), Route(*two)
    theirs = StandardRoute(*one), StandardRoute(*two)
    assert (ours[0] == ours[1]) is (theirs[0] == theirs[1])
    assert repr(ours[0]) == repr(theirs[0]).replace("StandardRoute", "Route")
    assert asdict(ours[0]) == asdict(theirs[0])
    assert asdict(replace(ours[0], mf2=9)) == asdict(replace(theirs[0], mf2=9))


@given(st.integers(), st.integers())
def test_hash_is_that_of_the_standard_library(x: int, y: int) -> None:
    assert hash(Place(x, y)) == hash(StandardPlace(x, y))
    assert {Place(x, y): 1}[Place(x, y)] == 1


def test_defaults() -> None:
    assert Route("zO5") == Route("zO5", 4, "", {})
    assert Route(mf2=2, start="zO5").mf2 == 2
    assert Route("zO5").seen is not Route("zO5").seen
    with pytest.raises(TypeError, match=r"Route\.__init__\(\) missing 1 required"):
        Route()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword"):
        Route("zO5", speed=3)  # type: ignore[call-arg]


def test_compared_by_the_compared_fields_of_the_same_class() -> None:
    assert Route("a", note="x") == Route("a", note="y")
    assert Place(1) != StandardPlace(1)
    assert Place(1) != Higher(1)
    assert Single((1,)) == Single((1,)) != Single((2,))
    assert hash(Single((1,))) == hash(((1,),))
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Route("a"))


def test_identity_where_asked_for() -> None:
    thing = Thing(1)
    assert thing == thing
    assert thing != Thing(1)
    assert len({thing, Thing(1)}) == 2


@pytest.mark.parametrize("each", [Route("a"), Place(1), Single(()), Nothing(), Higher(1), Thing(2)])
def test_cannot_be_changed(each: Any) -> None:
    names = [one.name for one in fields(each)]
    for name in [*names, "other"]:
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(each, name, 1)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(each, name)
    assert not hasattr(each, "__dict__")


@pytest.mark.parametrize(
    "again",
    [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))],  # noqa: S301
)
def test_copied_and_pickled(again: Callable[[Any], Any]) -> None:
    for each in (Route("a", 1, "s", {"b": 2}, "n"), Place(1, 2), Single((1,)), Nothing()):
        other = again(each)
        assert type(other) is type(each)
        assert other == each
        assert [getattr(other, f.name) for f in fields(other)] == [
            getattr(each, f.name) for f in fields(each)
        ]


def test_methods_of_the_class_are_kept() -> None:
    assert repr(Own(1)) == "own"
    assert Own(1) == Own(2)
    assert hash(Own(1)) == 7


def test_values_from_values_and_of_any_type() -> None:
    assert repr(Higher(1, 2, 3)) == "Higher(x=1, y=2, level=3)"
    assert Higher(1, level=2) == Higher(1, 0, 2)
    assert Pair[int](1, 2)[1] == 2


def test_matches_and_shows_its_signature() -> None:
    match Higher(1, 2, 3):
        case Higher(x, y, level):
            assert (x, y, level) == (1, 2, 3)
    assert str(inspect.signature(Place)) == "(x: 'int', y: 'int' = 0) -> None"
    assert dataclasses.is_dataclass(Place)
    assert Place.__doc__ == "Hashable."


def test_what_it_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError, match="make it a dataclass"):

        @frozen
        class Later:
            """Does something afterwards."""

            x: int

            def __post_init__(self) -> None: ...

    with pytest.raises(TypeError, match="make it a dataclass"):

        @frozen
        class Hidden:
            """Has a field that is no argument."""

            x: int = field(default=0, init=False)


def test_every_class_of_the_package_that_could_be_one_is() -> None:
    from tests.shared import ROOT

    longer = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "vassal_bridge").rglob("*.py")
        if "@dataclass(frozen=True, slots=True" in path.read_text(encoding="utf-8")
        and path.name != "values.py"
    ]
    assert longer == []
