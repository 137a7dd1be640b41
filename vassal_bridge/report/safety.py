"""Text from strangers, made harmless for plain text: names of pieces, players and files."""

from __future__ import annotations

import unicodedata

_KEPT = frozenset({"\t"})


def plain_line(text: str) -> str:
    r"""The text on one line, without characters that steer a terminal or turn its direction.

    Control characters (line breaks, escape), format characters (right-to-left marks and overrides,
    zero-width joiners) and lone surrogates are replaced by ``·`` or a space.

    >>> plain_line("4-4-7\\x1b[31m")
    '4-4-7·[31m'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_harmless(each) for each in text)


def _harmless(char: str) -> str:
    if char in "\r\n\v\f\u2028\u2029":
        return " "
    if char in _KEPT or unicodedata.category(char) not in ("Cc", "Cf", "Cs"):
        return char
    return "·"
