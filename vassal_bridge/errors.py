"""Every exception of the package, on one screen.

All of them descend from `VassalBridgeError`. The command line turns one into a single line on
standard error that names file, place and cause, and ends with `exit_code`.
"""

from __future__ import annotations


class VassalBridgeError(Exception):
    """Base of all errors of the package.

    Args:
        message: what is wrong, one line, no file name in it.
        file: the file concerned, if known (added later with `at`).
        place: where in the file: a member, a line, a command number, a hex.
    """

    exit_code = 2

    def __init__(self, message: str, *, file: str | None = None, place: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.place = place

    def at(self, file: object | None = None, place: str | None = None) -> VassalBridgeError:
        """Name file and place where the raiser did not know them; returns self."""
        if self.file is None and file is not None:
            self.file = str(file)
        if self.place is None and place is not None:
            self.place = place
        return self

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.place) if part)
        return f"{where}: {self.message}" if where else self.message


class FileError(VassalBridgeError):
    """A file cannot be read or written: absent, no permission, not a zip, truncated."""


class NotAGame(FileError):
    """Readable, but not a VASSAL game of VASL (no `savedGame`, another module, plain text)."""


class UnknownEnvelope(FileError):
    """`savedGame` begins with an envelope no VASSAL known to us writes (formats/files.md 2)."""


class LimitReached(FileError):
    """A documented limit (vassal_bridge.limits) was passed; nothing more was read."""


class FormatError(VassalBridgeError):
    """The text inside a game file breaks VASSAL's own rules (formats/files.md 3 to 7)."""


class BoardError(VassalBridgeError):
    """A board archive is missing, damaged or of unknown geometry (formats/geometry.md)."""


class PositionError(VassalBridgeError):
    """A position or ruling file is wrong; `place` names the line (contracts.md 2 and 3)."""


class ModuleMapError(VassalBridgeError):
    """A file under module_maps/ breaks its schema."""


class SettingsError(VassalBridgeError):
    """A settings file or environment value is wrong."""


class UsageError(VassalBridgeError):
    """The command line asks for something that does not exist."""


class InternalFault(VassalBridgeError):
    """The program contradicts itself; please report it. Never caused by input alone."""

    exit_code = 3
