"""The escaping rule: VASSAL's own examples, round trips, depth, and time linear in the text."""

from __future__ import annotations

import contextlib
import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vassal_bridge.errors import FormatError, LimitReached
from vassal_bridge.limits import MAX_NESTING
from vassal_bridge.vassal import sequence
from vassal_bridge.vassal.sequence import (
    ESC,
    TAB,
    encode_token,
    join,
    leaves,
    nest,
    split,
    split_raw,
    token_leaves,
    top_tokens,
    unnest,
)

EXAMPLES = int(os.environ.get("VASSAL_BRIDGE_EXAMPLES", "200"))
"""Examples of each property; the nightly run asks for 10,000."""
codec = settings(max_examples=EXAMPLES, deadline=None)

# formats/files.md 3, checked there with the classes of 3.2.17 and 3.7.26
ENCODED = [
    (["a", "b;c", "d"], r"a;b\;c;d"),
    (["a", "", "c"], "a;;c"),
    (["", "", ""], ";;"),
    ([r"x\,y", "z"], r"x\,y;z"),
    (["x;y;z"], r"x\;y\;z"),
    (["''", "y"], "'''';y"),
    (["'q'", "y"], "''q'';y"),
    ([r"a\;b", "y"], r"a\\;b;y"),
]
DECODED = [
    ("a;b;", ["a", "b", ""]),
    ("", [""]),
    (";", ["", ""]),
    (r"a\;b;c", ["a;b", "c"]),
    (r"a\\;b;c", [r"a\;b", "c"]),
    (r"a\\\;b", [r"a\\;b"]),
    ("'x;y'", ["'x", "y'"]),
    (r"'x\;y';z", ["x;y", "z"]),
    (r"a\b;c", [r"a\b", "c"]),
    (r"x\\;y\;z;w", [r"x\;y;z", "w"]),
    (r"\x;y", [r"\x", "y"]),
    (r"'\x';y", [r"\x", "y"]),
    ("'a\\';y", ["a\\", "y"]),
    ("a\\;y", ["a;y"]),
    ("'", ["'"]),
]


@pytest.mark.parametrize(("tokens", "text"), ENCODED)
def test_encoded_as_the_engine_does(tokens: list[str], text: str) -> None:
    for version in ("both", "3.2", "3.4"):
        assert join(tokens, ";", version) == text
    assert split(text, ";") == tokens


@pytest.mark.parametrize(("text", "tokens"), DECODED)
def test_decoded_as_the_engine_does(text: str, tokens: list[str]) -> None:
    assert split(text, ";") == tokens


def test_the_two_ways_of_quoting() -> None:
    assert join([r"\x", "y"], ";", "3.2") == r"\x;y"
    assert join([r"\x", "y"], ";", "3.4") == r"'\x';y"
    assert join(["a\\", "y"], ";", "3.2") == r"'a\';y"
    assert split(join(["a\\", r"\x"], ";"), ";") == ["a\\", r"\x"]


def test_nested_to_the_right() -> None:
    text = "L1\tL2\\\tL3\\\\\tL4"
    assert nest(["L1", "L2", "L3", "L4"]) == text
    assert unnest(text) == ["L1", "L2", "L3", "L4"]


def test_a_limit_keeps_the_rest_undivided() -> None:
    assert split_raw(r"a;b\;c;d;e", ";", 2) == ["a", r"b\;c;d;e"]
    assert split(r"a;b\;c;d;e", ";", 2) == ["a", "b;c"]
    assert split_raw("a;b;c", ";", 2) == ["a", "b;c"]


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(FormatError, match="surrogate"):
        join(["a", "\ud800"], ";")


@pytest.mark.parametrize("delimiter", [ESC, TAB, "/", ";", ",", "|", ":", "+"])
def test_deep_lists_come_back(delimiter: str) -> None:
    tokens = [f"level {i}{delimiter}'q'\\" for i in range(80)] + ["end"]
    assert unnest(nest(tokens, delimiter), delimiter) == tokens


def test_too_deep_is_a_limit() -> None:
    nest_text = "\t".join("\\" * i for i in range(MAX_NESTING + 3))
    with pytest.raises(LimitReached):
        unnest(nest_text)
    tree = "x"
    for _ in range(MAX_NESTING + 5):
        tree = join(("", tree), ESC)
    with pytest.raises(LimitReached):
        list(leaves(tree))


TOKENS = st.lists(
    st.text(
        alphabet=st.one_of(
            st.sampled_from("\\\\\\;;'\t\x1b/|ab\0\ue000\uf8ff\U000f0000\U0010fffd♥😀"),
            st.characters(exclude_categories=["Cs"]),
        ),
        max_size=12,
    ),
    min_size=1,
    max_size=8,
)


@codec
@given(TOKENS, st.sampled_from(";/,|\t\x1b"))
def test_join_then_split_gives_the_tokens(tokens: list[str], delimiter: str) -> None:
    assert split(join(tokens, delimiter), delimiter) == tokens


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(TOKENS, st.sampled_from(";/,|\t\x1b"), st.sampled_from(["both", "3.2", "3.4"]))
def test_ten_thousand_lists_come_back(tokens: list[str], delimiter: str, version: str) -> None:
    if version == "3.4":  # it does not protect a trailing backslash (formats/files.md 3)
        tokens = [token.rstrip("\\") for token in tokens]
    assert split(join(tokens, delimiter, version), delimiter) == tokens


@codec
@given(TOKENS, st.sampled_from(";\t\x1b"))
def test_nest_then_unnest_gives_the_tokens(tokens: list[str], delimiter: str) -> None:
    tokens[-1] = tokens[-1].replace(delimiter, "").strip("'")
    assert unnest(nest(tokens, delimiter), delimiter) == tokens


@codec
@given(st.text(alphabet="\\';ab\ue000", max_size=30), st.integers(0, 4))
def test_raw_tokens_keep_the_text(text: str, limit: int) -> None:
    raw = split_raw(text, ";", limit)
    assert ";".join(raw) == text
    assert raw == sequence._split_slowly(text, ";", limit)
    assert not limit or len(raw) <= limit


@codec
@given(st.text(alphabet="\\\t'ab\ue000", max_size=30))
def test_chains_as_the_engine_takes_them_apart(text: str) -> None:
    """The engine's way, pair by pair, against the one that works on positions."""
    expected, rest = [], text
    while True:
        pair = split(rest, TAB, 2)
        expected.append(pair[0])
        if len(pair) < 2:
            break
        rest = pair[1]
    assert unnest(text) == expected


def engine_leaves(text: str) -> list[str]:
    tokens = split(text, ESC)
    if tokens[0] == text:
        return [text]
    return [leaf for token in tokens for leaf in engine_leaves(token)]


@codec
@given(st.text(alphabet="\\\x1b'ab", max_size=30))
def test_trees_as_the_engine_takes_them_apart(text: str) -> None:
    expected = engine_leaves(text)
    assert list(leaves(text)) == expected
    by_token = [leaf for raw in top_tokens(text) for leaf in token_leaves(raw)]
    assert by_token == expected


TREES = st.recursive(
    st.text(alphabet="ab\\'/\t", max_size=6),
    lambda inner: st.lists(inner, min_size=2, max_size=4),
    max_leaves=20,
)


@codec
@given(TREES)
def test_a_command_tree_comes_back(tree: object) -> None:
    def encode(node: object) -> str:
        return node if isinstance(node, str) else join([encode(sub) for sub in node], ESC)  # type: ignore[attr-defined]

    def flat(node: object) -> list[str]:
        return [node] if isinstance(node, str) else [x for sub in node for x in flat(sub)]  # type: ignore[attr-defined]

    if isinstance(tree, str):
        tree = ["head", tree]
    wanted = [leaf.strip("'") for leaf in flat(tree)]
    assert [leaf.strip("'") for leaf in leaves(encode(tree))] == wanted


def seconds(work: object, *args: object) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        with contextlib.suppress(LimitReached):
            list(work(*args))  # type: ignore[operator]
        best = min(best, time.process_time() - start)
    return best


HOSTILE = {
    "backslashes": lambda n: "\\" * n + "\t",
    "delimiters": lambda n: "\t" * n,
    "escaped": lambda n: "\\\t" * n,
    "quotes": lambda n: "'" * n,
    "quoted": lambda n: "'\\\t'" * n,
    "chain": lambda n: nest([("trait;" * (n // 600)) for _ in range(60)]),
    "all stand-ins": lambda n: "\ue000\uf8ff\U000f0000\U0010fffd\\\t" * (n // 5),
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_time_grows_no_faster_than_the_text(shape: str) -> None:
    """Doubling the text at most doubles the time, give or take the machine (reliability.md A4)."""
    make = HOSTILE[shape]

    def ratio() -> float:
        small, large = make(12_000), make(24_000)
        once = seconds(split, small, TAB) + seconds(unnest, small)
        twice = seconds(split, large, TAB) + seconds(unnest, large)
        small, large = small.replace(TAB, ESC), large.replace(TAB, ESC)
        once += seconds(leaves, small)
        twice += seconds(leaves, large)
        return twice / max(once, 0.002)

    assert min(ratio() for _ in range(3)) < 2.9


def test_a_token_is_encoded_alone_as_in_a_list() -> None:
    for token in ("a;b", "'q'", "x\\", "\\x", ""):
        assert join((token, token), ";") == ";".join([encode_token(token, ";")] * 2)
