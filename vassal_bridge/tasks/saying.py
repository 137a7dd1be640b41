"""What commands say on a terminal: names in it come from strangers' files and folders."""

from __future__ import annotations

import typer

from vassal_bridge.errors import FileError
from vassal_bridge.report.safety import plain_line

MOST_SAID = 1000
"""Characters of the longest error."""


def say(text: str, *, err: bool = False) -> None:
    """Print lines, without characters that steer a terminal or that it cannot show.

    Raises:
        FileError: nobody can be told (a full disk); `BrokenPipeError` passes.
    """
    try:
        for line in text.split("\n"):
            typer.echo(plain_line(line), err=err)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unsaid(error) from None


def unsaid(error: OSError) -> FileError:
    """The error of output that could not be printed."""
    return FileError(f"cannot be written: {error.strerror}", file="standard output")


def complain(line: str) -> None:
    """One line on standard error: what went wrong, at most `MOST_SAID` characters."""
    line = " ".join(line.splitlines())
    short = line if len(line) <= MOST_SAID else line[: MOST_SAID - 1] + "…"
    say(f"vassal-bridge: {short}", err=True)
