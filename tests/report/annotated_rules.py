"""The rules of formats/writing.md as checks on an annotated text; its own decoder, no code shared.

What the program adds is found here by comparing with the original, not by how it looks. Which rule
is held where (`T` is test_annotated, `R` is test_annotated_real, both run `check` on every file):

| rule of writing.md | held by |
|---|---|
| 1.1 copy, do not rebuild | `added`, `_check_order`; T: keeps all it has and gets it back |
| 1.2 container, savedata, moduledata | T: container and envelope stay as they were |
| 1.3 obfuscation: VCSK, key, lower-case hex | T: container and envelope stay as they were |
| 1.4 UTF-8, no BOM, any character | `check`; T: hostile names are text in labels and chat |
| 1.5 ids decimal, unique, max + 1000 and on | `check_ids`; T: ids are free even where … |
| 1.6 gpid empty; 1.7 state of the basic piece | `check_piece`: `BASIC`, `PLACE` |
| 1.8 short forms of traits | `LABEL`, `AREA`, `FOOTPRINT`: no field but those listed |
| 1.9 no stack | `check_piece`: `immob;ng;V` outside; T: shows the same game (stacks equal) |
| 1.10 end of the piece group, or a group of its own | `check_group` |
| 1.11 other commands stay as they are | `added` |
| 1.12 no owner's token | T: nothing of the players' secrets is in what is added |
| 1.13 after end_save nothing, in a log steps | `_check_order` |
| 1.14 nothing names a piece before it exists | `check`: nothing but pieces and chat is added |
| 2 traits, name short, no image | `check_piece`, `_check_track`; R: on the boards |
| 3 chat lines | `check_chat`; T: any line goes into a log and out again |
| 4 log steps, members with LOG, never in UNDO | `_extends`, `_check_order`; T: every log steps |
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

ESC, TAB = "\x1b", "\t"
MARK = "vassal-bridge:"

_NUMBER = r"-?\d+(?:\.\d+)?"
_RGB = r"\d{1,3},\d{1,3},\d{1,3}"
LABEL = re.compile(
    rf"label;;;\d+;(?:{_RGB})?;{_RGB};c;0;c;0;c;[cl];\$label\$;Dialog;1;0;TextLabel;"
)
AREA = re.compile(rf"AreaOfEffect;{_RGB};\d+;0;true;;;;true;;")
FOOTPRINT = re.compile(rf"footprint;;;true;true;0;({_RGB});\1;100;100;2000;0;{_NUMBER}")
BASIC = re.compile(r"piece;;;;vassal-bridge: [\w .-]{1,40}")
PLACE = re.compile(r"Main Map;-?\d+;-?\d+;;0")


def seq(text: str, delimiter: str) -> list[str]:
    """files.md 3, decoding: one backslash dropped before a delimiter, then one pair of quotes."""
    tokens, start, token = [], 0, ""
    at = text.find(delimiter)
    while at >= 0:
        if at > start and text[at - 1] == "\\":
            token += text[start : at - 1] + delimiter
        else:
            tokens.append(token + text[start:at])
            token = ""
        start = at + 1
        at = text.find(delimiter, start)
    tokens.append(token + text[start:])
    return [t[1:-1] if len(t) >= 2 and t[0] == "'" == t[-1] else t for t in tokens]


def atoms(token: str, depth: int = 0) -> Iterator[str]:
    """The atomic commands of a token, whatever the nesting."""
    if ESC not in token:
        yield token
        return
    assert depth < 50
    for member in seq(token, ESC):
        yield from atoms(member, depth + 1)


def chain(text: str) -> list[str]:
    """A right-nested chain, outermost first."""
    found = []
    while True:
        head, *rest = _two(text)
        found.append(head)
        if not rest:
            return found
        text = rest[0]


def _two(text: str) -> list[str]:
    """Like VASSAL's decoder asked for one token and then for the rest, decoded once."""
    tokens = seq(text, TAB)
    if len(tokens) == 1:
        return tokens
    # the rest is one token of the pair: only its own level of escapes is taken off
    return [tokens[0], tokens[1]] if len(tokens) == 2 else [tokens[0], TAB.join(tokens[1:])]


def added(original: str, annotated: str) -> list[str]:
    """The atomic commands the annotated text has more; none may be missing or changed."""
    old = [atom for token in seq(original, ESC) for atom in atoms(token)]
    new = [atom for token in seq(annotated, ESC) for atom in atoms(token)]
    more = Counter(new)
    more.subtract(Counter(old))
    assert min(more.values(), default=0) >= 0, "an original command is missing or changed"
    rest = [atom for atom in new if not (more[atom] > 0)]
    assert [atom for atom in old if not (more[atom] > 0)] == rest, "the order changed"
    return [atom for atom in new if more[atom] > 0]


def check(original: str, annotated: str) -> list[str]:
    """Hold an annotated text against the rules; returns what was added."""
    assert annotated.encode("utf-8").decode("utf-8") == annotated
    assert not annotated.startswith("\ufeff")
    more = added(original, annotated)
    _check_order(original, annotated)
    pieces = [atom for atom in more if atom.startswith("+/")]
    chats = [atom for atom in more if "CHAT" in atom[:9]]
    for atom in more:  # empty heads of new groups are all that may come besides
        assert atom in ("",) or atom in pieces or atom in chats, atom[:80]
    check_ids(original, pieces)
    check_group(original, annotated, pieces)
    for piece in pieces:
        check_piece(piece)
    for chat in chats:
        check_chat(chat)
    return [atom for atom in more if atom]


def _check_order(original: str, annotated: str) -> None:
    """Tokens of the top level: untouched, or with members at their end; where new ones stand."""
    old, new = top(original), top(annotated)
    waiting = iter(old)
    before = next(waiting, None)
    for number, token in enumerate(new):
        if before is not None and (token == before or _extends(before, token)):
            before = next(waiting, None)
        else:
            _check_new_token(token, new, number)
    assert before is None, before[:60] if before else ""
    ends = [n for n, token in enumerate(new) if token == "end_save"]
    assert len(ends) == old.count("end_save") >= 1
    for token in new[ends[0] + 1 :]:
        for atom in atoms(token):
            assert atom.startswith("LOG\t") or token in old, "only log steps may follow end_save"
    undo = [token for token in new if "UNDO\ttrue" in token]
    for token in undo:
        inner = list(atoms(token))
        begins, ends_ = inner.index("LOG\tUNDO\ttrue"), inner.index("LOG\tUNDO\tfalse")
        assert not any(MARK in atom for atom in inner[begins:ends_])


def top(text: str) -> list[str]:
    """Tokens of the top level, as they stand."""
    tokens, start = [], 0
    for at in (m.start() for m in re.finditer(ESC, text)):
        if at == 0 or text[at - 1] != "\\":
            tokens.append(text[start:at])
            start = at + 1
    return [*tokens, text[start:]]


def _extends(before: str, after: str) -> bool:
    """Whether a token is another one with more members behind its own, all with LOG in a step."""
    old = list(atoms(seq(before, ESC)[0])) if before else [""]
    new = list(atoms(seq(after, ESC)[0]))
    if new[: len(old)] != old or len(new) <= len(old):
        return False
    if before.startswith(("LOG\t", "'LOG\t", "\\\x1bLOG\t")):
        assert all(atom.startswith("LOG\t") for atom in new), "a member of a step without LOG"
    return True


def _check_new_token(token: str, tokens: list[str], number: int) -> None:
    inner = list(atoms(seq(token, ESC)[0]))
    after_end = number > tokens.index("end_save")
    if after_end:
        assert inner
        assert all(atom.startswith("LOG\tCHAT") for atom in inner)
    elif len(inner) == 1:
        assert inner[0].startswith("CHAT")
    else:
        assert inner[0] == ""
        assert all(atom.startswith("+/") for atom in inner[1:])


def check_group(original: str, annotated: str, pieces: list[str]) -> None:
    """Behind the pieces of the start, in their group; without one in a group of their own."""
    if not pieces:
        return
    tokens = top(annotated)
    holders = [n for n, token in enumerate(tokens) if any(p in atoms(token) for p in pieces)]
    assert len(holders) == 1
    inner = list(atoms(seq(tokens[holders[0]], ESC)[0]))
    assert inner[-len(pieces) :] == pieces
    others = inner[: -len(pieces)]
    if others == [""]:
        before_end = original.partition("end_save")[0]
        assert not any(ESC in token and "+/" in token for token in top(before_end))
        rest = tokens[holders[0] + 1 : tokens.index("end_save")]
        assert all(token.startswith(f"CHAT- {MARK}") for token in rest)
    else:
        assert holders[0] == 2  # begin_save, the empty token or a property, the pieces
        assert any(atom.startswith("+/") for atom in others)


def check_ids(original: str, pieces: list[str]) -> None:
    """Decimal, unique over the whole file, larger than all that VASSAL made."""
    ids = [seq(piece, "/")[1] for piece in pieces]
    assert all(re.fullmatch(r"\d{1,19}", id_) for id_ in ids)
    assert len(set(ids)) == len(ids)
    used = set(re.findall(r"(?:[+DM-]/|;)(\d{1,18})(?=[/;\x1b\\']|$)", original))
    assert not used & set(ids)
    if ids:
        made = [int(found) for found in re.findall(r"\+/(\d{1,18})/", original)]
        assert min(map(int, ids)) >= max(made, default=0) + 1000


def check_piece(piece: str) -> None:
    """One added piece: its chain, its states, its name, its place."""
    fields = seq(piece, "/")
    assert len(fields) == 4
    types, states = chain(fields[2]), chain(fields[3])
    assert len(types) == len(states)
    assert (types[0], states[0]) == ("immob;ng;V", "")
    assert BASIC.fullmatch(types[-1]), types[-1]  # no keys, no image
    assert PLACE.fullmatch(states[-1]), states[-1]  # no gpid
    assert len(types) == 3
    kind, state = types[1], states[1]
    if kind.startswith("label;"):
        assert LABEL.fullmatch(kind), kind
        assert state.strip()
        assert state.isprintable()
        assert not state.lower().startswith("<html")
        assert len(state) <= 240
    elif kind.startswith("AreaOfEffect;"):
        assert AREA.fullmatch(kind), kind
        assert state == "false"
    else:
        assert FOOTPRINT.fullmatch(kind), kind
        _check_track(state, states[-1])


def _check_track(state: str, place: str) -> None:
    visible, map_id, count, *points = state.split(";")
    assert (visible, map_id) == ("true", "Map0")
    assert int(count) == len(points) >= 2
    places = [tuple(int(n) for n in point.split(",")) for point in points]
    at = tuple(int(n) for n in place.split(";")[1:3])
    # the client joins the last point with the piece: it lies on the tip, after the second barb
    assert at == (places[-2] if len(places) > 4 and places.count(at) == 2 else places[-1])


def check_chat(atom: str) -> None:
    """One added chat line."""
    line = atom.removeprefix("LOG\t").removeprefix("CHAT")
    assert line.startswith(f"- {MARK} ")
    assert "<" not in line
    assert line.isprintable()
    assert not line.endswith("\\")
