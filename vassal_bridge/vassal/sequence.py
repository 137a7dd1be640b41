"""VASSAL's one escaping rule: a list of tokens in one string (formats/files.md 3).

A token may hold the delimiter, then preceded by one backslash. Backslashes themselves are not
escaped. A token that would be misread is wrapped in single quotes. Lists nest: traits are
right-nested pairs over TAB, commands a tree over ESC. The readers of both work on the positions of
the delimiters and take time linear in the text, however deep it nests.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from vassal_bridge.errors import FormatError, LimitReached
from vassal_bridge.limits import MAX_COMMAND_CHARS, MAX_COMMANDS, MAX_NESTING

ESC = "\x1b"
TAB = "\t"


_STAND_INS = ("\ue000", "\uf8ff", "\U000f0000", "\U0010fffd")
"""Private characters, one of which stands for an escaped delimiter while a text is split."""


def _unquote(token: str) -> str:
    if len(token) >= 2 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def split_raw(text: str, delimiter: str, limit: int = 0) -> list[str]:
    r"""Split at unescaped delimiters, leaving each token exactly as it stands in `text`.

    ``delimiter.join(split_raw(text, delimiter)) == text`` always.

    Args:
        text: the encoded list.
        delimiter: one character.
        limit: most tokens wanted; the last one then holds the undivided rest. 0 = all.

    >>> split_raw(r"a\\;b;c", ";")
    ['a\\\\;b', 'c']
    """
    escaped = "\\" + delimiter
    if escaped not in text:
        return text.split(delimiter, limit - 1 if limit else -1)
    stand_in = next((char for char in _STAND_INS if char not in text), None)
    if stand_in is None:
        return _split_slowly(text, delimiter, limit)
    tokens = text.replace(escaped, stand_in).split(delimiter, limit - 1 if limit else -1)
    return [token.replace(stand_in, escaped) if stand_in in token else token for token in tokens]


def _split_slowly(text: str, delimiter: str, limit: int) -> list[str]:
    """As `split_raw`, for a text that uses every stand-in."""
    tokens: list[str] = []
    start = at = 0
    while not limit or len(tokens) < limit - 1:
        at = text.find(delimiter, at)
        if at < 0:
            break
        if at == start or text[at - 1] != "\\":
            tokens.append(text[start:at])
            start = at + 1
        at += 1
    tokens.append(text[start:])
    return tokens


def decode_token(raw: str, delimiter: str) -> str:
    """One raw token without its escapes and quotes."""
    escaped = "\\" + delimiter
    return _unquote(raw.replace(escaped, delimiter) if escaped in raw else raw)


def split(text: str, delimiter: str, limit: int = 0) -> list[str]:
    r"""Decode `text` into its tokens.

    With `limit`, tokens after that many are dropped, as VASSAL does when it stops asking.

    >>> split(r"x\\;y\;z;w", ";")
    ['x\\;y;z', 'w']
    """
    raw = split_raw(text, delimiter, limit + 1 if limit else 0)
    if limit:
        del raw[limit:]
    if "\\" not in text and "'" not in text:
        return raw
    return [decode_token(token, delimiter) for token in raw]


def encode_token(token: str, delimiter: str, version: str = "both") -> str:
    """One token as it stands in an encoded list; see `join`."""
    body = token.replace(delimiter, "\\" + delimiter) if delimiter in token else token
    if not token:
        return body
    quote = token[0] == "'" == token[-1]
    if version != "3.4":
        quote = quote or token[-1] == "\\"
    if version != "3.2":
        quote = quote or token[0] == "\\"
    return f"'{body}'" if quote else body


def join(tokens: Sequence[str], delimiter: str, version: str = "both") -> str:
    r"""Encode `tokens` into one text.

    Args:
        tokens: any texts; an empty list cannot be told from one empty token.
        delimiter: one character.
        version: whose quoting: ``"3.2"`` (tokens that end in a backslash), ``"3.4"`` (that start
            with one) or ``"both"``, which every VASSAL reads back right.

    Raises:
        FormatError: a token holds a lone surrogate, which no file can carry.

    >>> join(["a", "b;c", "d\\"], ";")
    "a;b\\;c;'d\\'"
    """
    text = delimiter.join([encode_token(token, delimiter, version) for token in tokens])
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError("a text holds a lone surrogate, not a character") from None
    return text


class _Marks:
    """All delimiters of a text: where each stands, and by how many backslashes precede it."""

    __slots__ = ("of_depth", "positions")

    def __init__(self, text: str, delimiter: str) -> None:
        self.positions: list[int] = []
        self.of_depth: dict[int, list[int]] = {}
        end = -1
        parts = text.split(delimiter)
        parts.pop()
        for part in parts:
            end += len(part) + 1
            depth = len(part) - len(part.rstrip("\\")) if part.endswith("\\") else 0
            self.positions.append(end)
            self.of_depth.setdefault(depth, []).append(end)

    def first(self, depth: int, start: int, end: int) -> int:
        """The first delimiter with exactly `depth` backslashes in [start, end), else -1."""
        places = self.of_depth.get(depth)
        if not places:
            return -1
        i = bisect_left(places, start)
        return places[i] if i < len(places) and places[i] < end else -1

    def between(self, start: int, end: int) -> bool:
        i = bisect_left(self.positions, start)
        return i < len(self.positions) and self.positions[i] < end


def _strip_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    if end - start >= 2 and text[start] == "'" and text[end - 1] == "'":
        return start + 1, end - 1
    return start, end


def _unescape(text: str, delimiter: str, levels: int) -> str:
    """Drop `levels` backslashes before every delimiter."""
    return text.replace("\\" * levels + delimiter, delimiter) if delimiter in text else text


def unnest(text: str, delimiter: str = TAB) -> list[str]:
    r"""Decode a right-nested list of pairs, as types and states of pieces are (files.md 7.1).

    Raises:
        LimitReached: more than `MAX_NESTING` levels.

    >>> unnest("L1\tL2\\\tL3\\\\\tL4")
    ['L1', 'L2', 'L3', 'L4']
    """
    simple = _unnest_simple(text, delimiter) if "'" not in text else None
    if simple is not None:
        return simple
    marks = _Marks(text, delimiter)
    tokens: list[str] = []
    start, end, depth = 0, len(text), 0
    while (at := marks.first(depth, start, end)) >= 0:
        if depth >= MAX_NESTING:
            raise LimitReached(f"lists nested deeper than {MAX_NESTING} levels")
        a, b = _strip_quotes(text, start, at - depth)
        tokens.append(_unescape(text[a:b], delimiter, depth + 1))
        third = marks.first(depth, at + 1, end)  # VASSAL asks for two tokens and ignores others
        start, end = _strip_quotes(text, at + 1, end if third < 0 else third - depth)
        depth += 1
    a, b = _strip_quotes(text, start, end)
    tokens.append(_unescape(text[a:b], delimiter, depth + 1))
    return tokens


_BACKSLASHES = tuple("\\" * depth for depth in range(MAX_NESTING + 2))


def _unnest_simple(text: str, delimiter: str) -> list[str] | None:
    """The usual chain, without quotes and with every delimiter a separator; else None."""
    parts = text.split(delimiter)
    if len(parts) > MAX_NESTING:
        return None
    last = parts.pop()
    for depth, part in enumerate(parts):
        if depth:
            if not part.endswith(_BACKSLASHES[depth]):
                return None
            parts[depth] = part = part[:-depth]
        if part.endswith("\\"):
            return None
    parts.append(last)
    return parts


def nest(tokens: Sequence[str], delimiter: str = TAB, version: str = "both") -> str:
    r"""Encode as right-nested pairs; the innermost token is written as it stands, as VASSAL does.

    >>> nest(["L1", "L2", "L3"])
    'L1\tL2\\\tL3'
    """
    text = tokens[-1]
    for token in reversed(tokens[:-1]):
        text = join((token, text), delimiter, version)
    return text


def leaves(text: str) -> Iterator[str]:
    """The atomic commands of a command tree in the order VASSAL executes them (files.md 4).

    Raises:
        LimitReached: deeper than `MAX_NESTING`.
    """
    return _walk(text, 0, len(text), 0)


def top_tokens(text: str) -> list[str]:
    """The tokens of the top level of a game's text, each exactly as it stands there.

    Raises:
        LimitReached: more than `MAX_COMMANDS` commands, or one longer than `MAX_COMMAND_CHARS`.
    """
    if text.count(ESC) > MAX_COMMANDS:
        raise LimitReached(f"more than {MAX_COMMANDS} commands")
    return split_raw(text, ESC)


def token_leaves(raw: str) -> Iterator[str]:
    """As `leaves`, for one token of the top level as it stands in the text (`split_raw`)."""
    return _walk(raw, *_strip_quotes(raw, 0, len(raw)), 1)


def _walk(text: str, start: int, end: int, depth: int) -> Iterator[str]:
    if ESC not in text:  # the common case: one command
        while (inner := _strip_quotes(text, start, end)) != (start, end):
            start, end = inner
        yield _leaf(text, start, end)
        return
    marks = _Marks(text, ESC)
    todo = [(start, end, depth)]
    while todo:
        start, end, depth = todo.pop()
        if depth > MAX_NESTING:
            raise LimitReached(f"commands nested deeper than {MAX_NESTING} levels")
        if marks.first(depth, start, end) >= 0:
            todo.extend(reversed(_members(text, marks, start, end, depth)))
        elif marks.between(start, end):
            todo.append((*_strip_quotes(text, start, end), depth + 1))
        elif (inner := _strip_quotes(text, start, end)) != (start, end):
            todo.append((*inner, depth))
        else:
            yield _leaf(text, start, end)


def _leaf(text: str, start: int, end: int) -> str:
    if end - start > MAX_COMMAND_CHARS:
        raise LimitReached(f"one command is longer than {MAX_COMMAND_CHARS} characters")
    return text[start:end]


def _members(
    text: str, marks: _Marks, start: int, end: int, depth: int
) -> list[tuple[int, int, int]]:
    """Spans of the tokens of one compound, each with the depth its own delimiters have."""
    places = marks.of_depth[depth]
    members = []
    for i in range(bisect_left(places, start), bisect_left(places, end)):
        members.append((*_strip_quotes(text, start, places[i] - depth), depth + 1))
        start = places[i] + 1
    members.append((*_strip_quotes(text, start, end), depth + 1))
    return members
