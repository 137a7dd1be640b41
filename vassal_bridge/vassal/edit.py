"""Changes to the text of a game that leave every other command byte for byte (formats/writing.md).

The text is cut at its top level only; a token is taken apart when something is put into it or out
of it, else it stays as it is. What was put in can be taken out again, and the text is then the one
it was before.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence

from vassal_bridge.errors import FormatError, LimitReached
from vassal_bridge.limits import MAX_NESTING
from vassal_bridge.vassal.commands import AddPiece, Command, LogStep, RemovePiece, decode
from vassal_bridge.vassal.game import STEP_STARTS
from vassal_bridge.vassal.sequence import (
    ESC,
    decode_token,
    encode_token,
    join,
    nest,
    split_raw,
    top_tokens,
)

_ID = re.compile(r"\+/(\d{1,18})/")
_ODD_ID = re.compile(r"\+/(\d{19,24})/")
_FIRST_ID = 1_000_000_000_000
_ID_GAP = 1000
_LINE_BREAK = re.compile(r"[\r\n\x0b\x0c\x1b\x85\u2028\u2029]")
_SPOILT_CHAT = ("*", "!!", "<html", "<HTML")


def piece_command(id_: str, traits: Sequence[tuple[str, str]]) -> str:
    r"""The command that adds a piece.

    Args:
        id_: a free id, see `Editor.free_ids`.
        traits: type and state of each trait, outermost first, the basic piece last.

    >>> piece_command("7", [("immob;ng;V", ""), ("piece;;;;Note", "Main Map;10;20;;0")])
    '+/7/immob;ng;V\tpiece;;;;Note/\tMain Map;10;20;;0'
    """
    types, states = [kind for kind, _ in traits], [state for _, state in traits]
    return join(("+", id_, nest(types), nest(states)), "/")


def chat_command(line: str) -> str:
    """The command that says a line.

    Raises:
        FormatError: the line breaks, or begins like a dice roll (``***``), a report (``*``), a
            statistics table (``!!``) or HTML, which VASL would take it for.
    """
    if _LINE_BREAK.search(line):
        raise FormatError("a chat line holds a line break")
    if line.lstrip().startswith(_SPOILT_CHAT):
        raise FormatError("a chat line begins like a dice roll, a report or HTML")
    return f"CHAT{line} " if line.endswith("\\") else f"CHAT{line}"


class Editor:
    """Edits one text. Steps are numbered as in the text given, whatever is inserted meanwhile.

    Args:
        text: of a saved game or log.

    Raises:
        FormatError: the text has no ``end_save``.
        LimitReached: it has too many commands.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str | None] = [*top_tokens(text)]
        if "end_save" not in self._tokens:
            raise FormatError("the text of the game has no end_save")
        self._end = self._tokens.index("end_save")
        self._steps = [
            i for i, token in enumerate(self._tokens) if token and token.startswith(STEP_STARTS)
        ]
        self._before: dict[int, list[str]] = {}  # new tokens by the token they precede

    @property
    def steps(self) -> int:
        """How many log steps the text given has."""
        return len(self._steps)

    def text(self) -> str:
        """The text with all changes made."""
        out: list[str] = []
        for i, token in enumerate(self._tokens):
            out += self._before.get(i, ())
            if token is not None:
                out.append(token)
        out += self._before.get(len(self._tokens), ())
        return ESC.join([*map(_closed_off, out[:-1]), *out[-1:]])

    def free_ids(self, count: int) -> list[str]:
        """`count` ids that no piece of the text has, pieces in log steps included.

        They are larger than all of them but for ids of over 18 digits, which no VASSAL makes.
        """
        used = max((int(found) for found in _ID.findall(self._text)), default=_FIRST_ID)
        odd = set(_ODD_ID.findall(self._text))
        free = (str(number) for number in itertools.count(used + _ID_GAP))
        return list(itertools.islice((id_ for id_ in free if id_ not in odd), count))

    def add_pieces(self, commands: Iterable[str]) -> None:
        """Put pieces into the start position, behind those it has.

        Args:
            commands: as `piece_command` makes them.
        """
        added = [_member(command) for command in commands]
        if not added:
            return
        for i in range(self._end):
            token = self._tokens[i]
            if token is not None and ESC in token and "+/" in token:
                self._tokens[i] = _with(token, added)
                return
        self._insert(self._end, encode_token(ESC.join(("", *added)), ESC, "3.2"))

    def add_chat(self, lines: Iterable[str]) -> None:
        """Lines that are shown when the file is opened."""
        for line in lines:
            self._insert(self._end, _member(chat_command(line)))

    def append_to_step(self, step: int, commands: Iterable[str]) -> None:
        """Let step `step`, counted from 1, do more at its end; `commands` without ``LOG``.

        Raises:
            FormatError: there is no such step.
        """
        at = self._step(step)
        token = self._tokens[at]
        if token is None:
            raise FormatError(f"step {step} was removed")
        added = [_member(f"LOG\t{command}") for command in commands]
        if added:
            self._tokens[at] = _with(token, added)

    def insert_step(self, after: int, commands: Iterable[str]) -> None:
        """Put a step of its own after step `after` (0 = before the first).

        Args:
            after: number of a step, or 0.
            commands: what it does, without ``LOG``.

        Raises:
            FormatError: there is no such step.
        """
        members = [_member(f"LOG\t{command}") for command in commands]
        if not members:
            return
        if after:
            place = self._step(after) + 1
        else:
            place = self._steps[0] if self._steps else len(self._tokens)
        whole = encode_token(ESC.join(members), ESC, "3.2") if len(members) > 1 else members[0]
        self._insert(place, whole)

    def remove(self, drop: Callable[[Command], bool]) -> int:
        """Take commands out, in the start position and in steps; emptied steps vanish.

        Args:
            drop: says which; it gets the command itself, without its ``LOG``.

        Returns:
            How many commands were taken out.
        """
        pruner = _Pruner(drop)
        self._tokens = [token if token is None else pruner.prune(token) for token in self._tokens]
        return pruner.dropped

    def remove_pieces(self, ids: Iterable[str]) -> int:
        """Take out the commands that add or remove these pieces."""
        gone = frozenset(ids)
        return self.remove(
            lambda command: isinstance(command, AddPiece | RemovePiece) and command.id in gone
        )

    def _step(self, step: int) -> int:
        if not 1 <= step <= len(self._steps):
            raise FormatError(f"the log has {len(self._steps)} steps, no step {step}")
        return self._steps[step - 1]

    def _insert(self, before: int, token: str) -> None:
        self._before.setdefault(before, []).append(token)


def _member(command: str) -> str:
    """A new command as a member of a compound or a token of the top level.

    Raises:
        FormatError: it would need quotes, which might not come off again as they were.
    """
    if ESC in command or command.endswith("\\"):
        raise FormatError("a new command may hold no ESC and not end in a backslash")
    return encode_token(command, ESC)


def _with(token: str, members: Sequence[str]) -> str:
    """A token of the top level with more members at its end."""
    inner = decode_token(token, ESC)
    # one command stands as a member as it did on its own
    old = split_raw(inner, ESC) if ESC in inner else [token]
    return _closed(ESC.join((*old[:-1], _closed_off(old[-1]), *members)), token)


def _closed_off(token: str) -> str:
    """A token that something follows; VASSAL 3.4 leaves the last one's backslash unprotected."""
    return f"'{token}'" if token.endswith("\\") else token


def _closed(inner: str, before: str) -> str:
    """A compound as a token, in quotes if it needs them or had them."""
    token = encode_token(inner, ESC, "3.2")
    quoted = len(before) >= 2 and before[0] == "'" == before[-1] and ESC in before
    return f"'{token}'" if quoted and token[0] != "'" else token


class _Pruner:
    """Takes commands out of a token."""

    def __init__(self, drop: Callable[[Command], bool]) -> None:
        self._drop = drop
        self.dropped = 0

    def prune(self, token: str, depth: int = 0) -> str | None:
        """The token without the commands to drop; None if nothing of it is left."""
        if depth > MAX_NESTING:
            raise LimitReached(f"commands nested deeper than {MAX_NESTING} levels")
        inner = decode_token(token, ESC)
        if ESC not in inner:
            command = decode(inner)
            if self._drop(command.command if isinstance(command, LogStep) else command):
                self.dropped += 1
                return None
            return token
        members = split_raw(inner, ESC)
        kept = [left for m in members if (left := self.prune(m, depth + 1)) is not None]
        if kept == members:
            return token
        if kept in ([], [""]):
            return None
        return kept[0] if len(kept) == 1 else _closed(ESC.join(kept), token)
