"""`frozen`: immutable values, made for a program that starts often.

``@dataclass(frozen=True, slots=True)`` compiles six functions for each class. With the 200 classes
of this package that took a seventh of the time of a short command, and the ``__init__`` it makes
looks up each field by name, which takes twice as long as need be. `frozen` leaves fields, defaults
and slots to the standard library and compiles the ``__init__`` alone; the rest is shared. Such a
value is a dataclass in every respect: `dataclasses.fields`, `replace` and `asdict`, ``match`` and
type checkers treat it as one.

>>> @frozen
... class Point:
...     "A place."
...     x: int
...     y: int = 0
>>> Point(3), Point(3) == Point(3, 0)
(Point(x=3, y=0), True)
>>> Point(3).x = 5
Traceback (most recent call last):
dataclasses.FrozenInstanceError: cannot assign to field 'x'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")
_Fields = tuple[Field[Any], ...]

_NOT_GIVEN = object()
"""Default of an argument whose real default is made anew each time."""


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, eq: bool) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, eq: bool = True) -> Any:
    """Make a class an immutable value: a frozen dataclass with slots.

    Methods the class itself defines are kept. Every field is an argument, in order: there is no
    ``init=False``, ``kw_only``, `InitVar` or ``__post_init__`` here (use `dataclass`).

    Args:
        cls: the class; its annotations are the fields.
        eq: compared and hashed by its fields; False = an object is equal to itself only.

    Raises:
        TypeError: a field or method of a kind that is not known here.
    """
    if cls is None:
        return lambda each: _made(each, eq)
    return _made(cls, eq)


def _made(cls: type[Any], eq: bool) -> type[Any]:
    own = set(vars(cls))
    made: type[Any] = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    all_fields = fields(made)
    if "__post_init__" in own or not all(each.init and not each.kw_only for each in all_fields):
        raise TypeError(f"{cls.__qualname__}: too much for frozen(), make it a dataclass")
    methods: dict[str, Any] = {
        "__init__": _init(made, all_fields),
        "__repr__": _repr(all_fields),
        "__setattr__": _no_assignment,
        "__delattr__": _no_deletion,
        "__reduce__": _reduce(all_fields),
    }
    if eq:
        compared = _getter(each.name for each in all_fields if each.compare)
        methods["__eq__"], methods["__hash__"] = _eq(compared), _hash(compared)
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _init(made: type[Any], all_fields: _Fields) -> Callable[..., None]:
    """The ``__init__``: each argument goes straight into its slot."""
    known: dict[str, Any] = {"_NOT_GIVEN": _NOT_GIVEN}
    arguments, lines = ["self"], []
    for n, each in enumerate(all_fields):
        name = given = each.name
        known[f"_set{n}"] = getattr(made, name).__set__
        if each.default is not MISSING:
            known[f"_default{n}"] = each.default
            arguments.append(f"{name}=_default{n}")
        elif each.default_factory is not MISSING:
            known[f"_make{n}"] = each.default_factory
            arguments.append(f"{name}=_NOT_GIVEN")
            given = f"_make{n}() if {name} is _NOT_GIVEN else {name}"
        else:
            arguments.append(name)
        lines.append(f" _set{n}(self, {given})")
    text = f"def __init__({', '.join(arguments)}):\n" + ("\n".join(lines) or " pass")
    exec(text, known)  # noqa: S102  (as dataclasses do; names of fields are identifiers)
    init: Callable[..., None] = known["__init__"]
    init.__module__ = made.__module__
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__annotations__ = {each.name: each.type for each in all_fields} | {"return": None}
    return init


def _getter(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """All these attributes of an object, as a tuple."""
    wanted = tuple(names)
    if len(wanted) > 1:
        return attrgetter(*wanted)
    return lambda each: tuple(getattr(each, name) for name in wanted)


def _eq(compared: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        if other.__class__ is self.__class__:
            return compared(self) == compared(other)
        return NotImplemented

    return __eq__


def _hash(compared: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(compared(self))

    return __hash__


def _repr(all_fields: _Fields) -> Callable[[Any], str]:
    shown = [each.name for each in all_fields if each.repr]

    def __repr__(self: Any) -> str:  # noqa: N807
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{self.__class__.__qualname__}({inner})"

    return __repr__


def _reduce(all_fields: _Fields) -> Callable[[Any], tuple[Any, ...]]:
    """How `copy` and `pickle` make the value again."""
    held = _getter(each.name for each in all_fields)

    def __reduce__(self: Any) -> tuple[Any, ...]:  # noqa: N807
        return self.__class__, held(self)

    return __reduce__


def _no_assignment(self: object, name: str, new: object) -> None:
    del self, new
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: object, name: str) -> None:
    del self
    raise FrozenInstanceError(f"cannot delete field {name!r}")
