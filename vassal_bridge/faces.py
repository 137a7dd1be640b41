"""The face of a room whose names are loaded when they are first used.

A room says in its `__init__.py` what it offers. To import all of that would cost every command the
modules of every other one, so the larger rooms only say where a name lives::

    if TYPE_CHECKING:
        from vassal_bridge.vassal.archive import Saved, open_saved

    __all__ = ["Saved", "open_saved"]
    __getattr__ = face(__name__, {"archive": ("Saved", "open_saved")})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any


def face(room: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a room (PEP 562).

    Args:
        room: full name of the room.
        homes: modules of the room by their short names, each with the names of the face it holds.

    Returns:
        A function that loads a name of the face, and raises `AttributeError` for any other.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        home = home_of.get(name)
        if home is None:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(import_module(f"{room}.{home}"), name)
        setattr(sys.modules[room], name, value)  # the next look finds it at once
        return value

    return load
