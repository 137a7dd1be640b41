"""VASSAL's preferences: Java properties of which four keys are read and nothing else is kept.

The same file holds `SecretName`, the player's password in clear (conventions.md 1). So the reader
below never builds a table of the file: it looks at a key, and unless that key is one of the four
it steps over the value without decoding or storing it.
"""

from __future__ import annotations

from collections.abc import Iterator

from vassal_bridge.vassal.sequence import split

BOARD_FOLDER = "boardURL"
SAVE_FOLDER = "savedGameDir"
RECENT_GAMES = "RecentGames"
RECENT_MODULES = "RecentModules"
KEYS = frozenset({BOARD_FOLDER, SAVE_FOLDER, RECENT_GAMES, RECENT_MODULES})
"""The only keys that are ever kept."""

_BLANK = " \t\f"
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def read_preferences(data: bytes) -> dict[str, str]:
    r"""The four keys of a VASSAL preferences file, as far as they stand in it.

    Tolerant: broken escapes stand for themselves and the last of several equal keys wins, as in
    Java. A value is a path or a comma list (`path_list`).

    Args:
        data: the file, Java `.properties` in ISO-8859-1 with ``\uXXXX`` for the rest.

    >>> read_preferences(rb"boardURL=C\:\\ASL\\boards" + b"\nSecretName=hush\n")
    {'boardURL': 'C:\\ASL\\boards'}
    """
    kept: dict[str, str] = {}
    for line in _lines(data.decode("latin-1")):
        end = _key_end(line)
        key = _unescape(line[:end])
        if key in KEYS:
            kept[key] = _unescape(_value(line[end:]))
    return kept


def path_list(value: str) -> list[str]:
    """The paths of `RecentGames` or `RecentModules`, VASSAL's comma lists, without empty ones."""
    return [path for path in split(value, ",") if path.strip()]


def _lines(text: str) -> Iterator[str]:
    """The lines that are not comments, each on its own.

    Java's continuation lines are not joined: `Properties.store` never writes them, and joining
    would let the line that holds the password become part of a path somebody typed by hand with a
    backslash at its end.
    """
    for raw in text.replace("\r", "\n").split("\n"):
        line = raw.lstrip(_BLANK)
        if line and line[0] not in "#!":
            yield line


def _key_end(line: str) -> int:
    """Where the key ends: the first unescaped ``=``, ``:`` or blank."""
    skip = False
    for at, char in enumerate(line):
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char in "=:" or char in _BLANK:
            return at
    return len(line)


def _value(rest: str) -> str:
    """What follows the key, without the one separator and the blanks around it."""
    value = rest.lstrip(_BLANK)
    if value[:1] in {"=", ":"}:
        value = value[1:].lstrip(_BLANK)
    return value


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char != "\\" or at == len(text):
            out.append(char)
            continue
        char = text[at]
        at += 1
        if char == "u":
            digits = text[at : at + 4]
            if len(digits) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in digits):
                out.append(chr(int(digits, 16)))
                at += 4
                continue
        out.append(_ESCAPES.get(char, char))
    return _join_surrogates("".join(out))


def _join_surrogates(text: str) -> str:
    """Java escapes a character beyond the BMP as two halves; a half alone becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
