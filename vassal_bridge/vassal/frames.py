"""Mappings and lists of which a log keeps a thousand versions; they share what is the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar, overload

_OVERLAY = 64
"""Most entries in which a mapping differs from the base it shares."""

T = TypeVar("T")


class Frame(Mapping[str, T]):
    """A mapping at one moment: a shared base and the few entries that differ from it.

    A log of a thousand steps keeps a thousand games; they share what they have in common.
    """

    __slots__ = ("_base", "_over", "_size")

    def __init__(self, base: Mapping[str, T], over: Mapping[str, T | None]) -> None:
        self._base, self._over = base, over
        self._size = len(base)
        for key, value in over.items():
            self._size += (value is not None) - (key in base)

    def __getitem__(self, key: str) -> T:
        if key in self._over:
            value = self._over[key]
            if value is None:
                raise KeyError(key)
            return value
        return self._base[key]

    def __contains__(self, key: object) -> bool:
        if isinstance(key, str) and key in self._over:
            return self._over[key] is not None
        return key in self._base

    def __iter__(self) -> Iterator[str]:
        for key in self._base:
            if self._over.get(key, self) is not None:
                yield key
        for key, value in self._over.items():
            if value is not None and key not in self._base:
                yield key

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self)!r})"

    def changed(self, entries: Mapping[str, T | None]) -> Frame[T]:
        """The mapping with other values for some keys; None = gone."""
        if not entries:
            return self
        over = {**self._over, **entries}
        frame = Frame(self._base, over)
        return frame if len(over) <= _OVERLAY else Frame(dict(frame), {})


def differences(old: Mapping[str, T], new: Mapping[str, T]) -> list[str]:
    """Keys whose values are not the same object, shortest and smallest first, as ids are."""
    if isinstance(old, Frame) and isinstance(new, Frame) and old._base is new._base:
        keys = {*old._over, *new._over}
    else:
        keys = {*old, *new}
    found = [key for key in keys if old.get(key) is not new.get(key)]
    return sorted(found, key=lambda key: (len(key), key))


class Lines(Sequence[T]):
    """The first `count` entries of a list that only grows."""

    __slots__ = ("_count", "_lines")

    def __init__(self, lines: list[T]) -> None:
        self._lines, self._count = lines, len(lines)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return self._lines[: self._count][index]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return self._lines[index % self._count]

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return repr(self._lines[: self._count])
