"""Target: the escaping rule and edits. Against the engine's own slow way where there is one."""

from __future__ import annotations

from mutation import kind_of

from tests.vassal import samples
from vassal_bridge.errors import VassalBridgeError
from vassal_bridge.vassal.commands import Chat, decode
from vassal_bridge.vassal.edit import Editor
from vassal_bridge.vassal.sequence import (
    ESC,
    TAB,
    join,
    leaves,
    split,
    split_raw,
    token_leaves,
    top_tokens,
    unnest,
)


def seeds() -> list[bytes]:
    """Chains, trees and lists."""
    pieces = [samples.squad("11", label="a'b\\"), samples.stack("12", ["11"])]
    log = samples.text(pieces, [samples.step("CHATa\\", "CHATb"), samples.step("CHATc")])
    texts = [log, samples.chain(samples.SQUAD), "'a\\;b';'c'", "x\\\\;y\\;z;w", "L1\tL2\\\tL3"]
    return [text.encode() for text in texts]


def check(data: bytes) -> str:
    """Take apart in every way, compare, put together."""
    text = data.decode(errors="replace")
    try:
        for delimiter in (ESC, TAB, "/", ";", ","):
            raw = split_raw(text, delimiter)
            assert delimiter.join(raw) == text
            tokens = split(text, delimiter)
            assert split(join(tokens, delimiter), delimiter) == tokens
            assert split(text, delimiter, 2) == tokens[:2]
        chain = unnest(text)
        found = list(leaves(text))
        assert found == [leaf for token in top_tokens(text) for leaf in token_leaves(token)]
        if len(text) < 3000:
            assert chain == _pairs(text)
            assert found == _tree(text)
        if "end_save" not in top_tokens(text):
            text = f"{text}' {ESC}end_save"
            found = list(leaves(text))
        return f"{_edit(text, len(found))} {min(len(chain), 9)} {text.count(chr(39)) > 2}"
    except VassalBridgeError as error:
        return kind_of(error)


def _edit(text: str, commands: int) -> str:
    editor = Editor(text)
    editor.add_chat(["- <rout> mark"])
    if editor.steps:
        editor.append_to_step(editor.steps, ["CHAT- <rout> mark"])
        editor.insert_step(0, ["CHAT- <rout> mark", "CHAT- <rout> mark"])
    again = Editor(editor.text())
    again.remove(lambda command: isinstance(command, Chat) and command.text == "- <rout> mark")
    assert list(leaves(again.text())) == list(leaves(text))
    return f"edited {min(commands, 4)} {min(editor.steps, 3)}"


def _pairs(text: str) -> list[str]:
    tokens = []
    while True:
        pair = split(text, TAB, 2)
        tokens.append(pair[0])
        if len(pair) < 2:
            return tokens
        text = pair[1]


def _tree(text: str) -> list[str]:
    tokens = split(text, ESC)
    if tokens[0] == text:
        decode(text)
        return [text]
    return [leaf for token in tokens for leaf in _tree(token)]
