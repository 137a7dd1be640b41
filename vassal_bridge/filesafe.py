"""The one way bytes of files enter the program: bounded, and from plain files only.

A pipe or a device that bears the name of a game would be read for ever; it is refused unread.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from vassal_bridge.errors import FileError, LimitReached


def open_plain(path: Path) -> BinaryIO:
    """A plain file, opened for reading; links are followed.

    Raises:
        OSError: as `open` does; ``EINVAL`` for what is neither file nor folder.
        ValueError: the name cannot be one of a file.
    """
    mode = path.stat().st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # a device is not even opened
        stream = open(path, "rb", opener=_without_waiting)  # noqa: SIM115  (handed on)
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return stream
        stream.close()  # it was replaced by a pipe in between
    raise OSError(errno.EINVAL, NOT_PLAIN)


NOT_PLAIN = "is neither a file nor a folder"


def _without_waiting(path: str, flags: int) -> int:
    """Opens a pipe that nobody writes to without waiting for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bounded(path: Path, limit: int) -> bytes:
    """All bytes of a plain file of at most `limit` bytes.

    Raises:
        FileError: absent, a folder, a pipe or device, no permission, in use by VASSAL; the cause is
            the `OSError`.
        LimitReached: larger than `limit`.
    """
    try:
        with open_plain(path) as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError as error:
        missing = "is a link to nothing" if path.is_symlink() else "no such file"
        raise FileError(missing, file=str(path)) from error
    except IsADirectoryError as error:
        raise FileError("is a folder, not a file", file=str(path)) from error
    except PermissionError as error:
        if path.is_dir():  # Windows says "permission denied" for folders
            raise FileError("is a folder, not a file", file=str(path)) from error
        raise FileError("may not be read now: no permission, or in use", file=str(path)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable file name"
        said = reason if reason == NOT_PLAIN else f"cannot be read: {reason}"
        raise FileError(said, file=str(path)) from error
    if len(data) > limit:
        raise LimitReached(f"larger than {limit} bytes", file=str(path))
    return data
