"""All real saves and logs: opened, lossless in every envelope and at every level, no secrets."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.shared import LOGS, SAVES, needs_shared
from tests.vassal import samples
from vassal_bridge.vassal import Saved, load_game, open_saved, replay, write_saved
from vassal_bridge.vassal.commands import AddPiece, Kept, LogStep, Nothing, Unknown, decode
from vassal_bridge.vassal.envelope import Envelope, close_envelope, open_envelope
from vassal_bridge.vassal.sequence import (
    ESC,
    TAB,
    join,
    leaves,
    nest,
    split,
    split_raw,
    top_tokens,
    unnest,
)

pytestmark = [needs_shared, pytest.mark.shared]

FILES = sorted([*SAVES.glob("*/*.vsav"), *LOGS.glob("*/*.vlog")])
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


@cache
def opened(path: Path) -> Saved:
    return open_saved(path)


def test_the_corpus_is_there() -> None:
    assert len(FILES) >= 87


@each_file
def test_it_opens_and_everything_in_it_is_known(path: Path) -> None:
    saved = opened(path)
    assert saved.module_name == "VASL"
    assert saved.vassal_version[:2] in ("3.", "4.")
    assert saved.remarks == ()
    assert saved.kind == path.suffix[1:]
    game = load_game(saved)
    assert list(game.problems) == []
    assert game.info is not None
    assert game.boards_line.startswith("bd\t")
    steps = list(replay(saved))
    assert bool(steps) == saved.log_steps
    for command in map(decode, leaves(saved.text)):
        assert not isinstance(command, Unknown), command.keyword


@each_file
@pytest.mark.parametrize("kind", samples.KINDS)
def test_a_copy_holds_the_identical_text(path: Path, kind: str, tmp_path: Path) -> None:
    saved = opened(path)
    key = None if kind in ("plain", "XZ") else 0x5C
    other = dataclasses.replace(saved, envelope=Envelope(kind, key))
    write_saved(other, tmp_path / path.name)
    again = open_saved(tmp_path / path.name)
    assert again.text == saved.text
    assert again.envelope == Envelope(kind, key)
    assert dict(again.members) == dict(saved.members)


@each_file
def test_the_envelope_read_is_written_to_the_byte(path: Path) -> None:
    saved = opened(path)
    assert saved.envelope.kind == "!VCSK"
    data = close_envelope(saved.envelope, saved.text)
    assert open_envelope(data) == (saved.envelope, saved.text)
    import zipfile

    with zipfile.ZipFile(path) as archive:
        assert archive.read("savedGame") == data


@each_file
@pytest.mark.parametrize("version", ["both", "3.2"])
def test_taken_apart_and_put_together_at_every_level(path: Path, version: str) -> None:
    text = opened(path).text
    assert ESC.join(top_tokens(text)) == text
    assert rebuilt(text, version) == text
    for leaf in leaves(text):
        command = leaf.removeprefix("LOG\t")
        if command[:2] not in ("+/", "D/", "M/"):
            continue
        fields = split(command, "/")
        assert join(fields, "/", version) == command
        for chain in fields[2:] if command[0] != "M" else ():
            traits = unnest(chain)
            assert nest(traits, TAB, version) == chain
            for trait in traits:
                assert join(split(trait, ";"), ";", version) == trait


def rebuilt(text: str, version: str) -> str:
    """A command tree decoded to its leaves and encoded again."""
    tokens = split(text, ESC)
    if tokens == [text]:
        return text
    return join([rebuilt(token, version) for token in tokens], ESC, version)


def secrets_of(text: str) -> set[str]:
    """Owners' ids of a file, found without the code under test."""
    found = set()
    for leaf in leaves(text):
        command = leaf.removeprefix("LOG\t")
        fields = split_raw(command, "/")
        if command.startswith("M/"):
            found.add(fields[-1])
        if command[:2] in ("+/", "D/") and fields[2] != "stack" and len(fields) > 3:
            kinds = fields[2].split(TAB) if command[0] == "+" else []
            for kind, state in zip(kinds, fields[3].split(TAB), strict=False):
                bare = state.lstrip("\\").rstrip("\\").split(";")[0]
                if kind.lstrip("\\").startswith(("hide;", "conceal;")):
                    found.add(bare)
                if kind.lstrip("\\").startswith("concealment;"):
                    found.add(kind.split(";")[1])
    return found - {"null", "", "test", "f00bar"}


def shown_texts(value: object, seen: set[int]) -> Iterator[str]:
    """Each text reachable through public attributes, but what is documented as verbatim."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from shown_texts(key, seen)
            yield from shown_texts(inner, seen)
    elif dataclasses.is_dataclass(value):
        yield repr(value)
        for field in dataclasses.fields(value):
            if not field.name.startswith("_") and field.name not in ("raw", "text", "members"):
                yield from shown_texts(getattr(value, field.name), seen)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for inner in value:
            yield from shown_texts(inner, seen)


@each_file
def test_no_owner_is_shown(path: Path) -> None:
    """But where players themselves wrote it on a label, as one sample's author did."""
    saved = opened(path)
    game = load_game(saved)
    secrets = {secret for secret in secrets_of(saved.text) if len(secret) > 3}
    names = {piece.properties.get("Owner", "") for piece in game.pieces.values()}
    said = "\n".join(label for piece in game.pieces.values() for label in piece.labels)
    secrets = {secret for secret in secrets - names if secret not in said}
    for text in shown_texts([saved, game, list(replay(saved))], set()):
        for secret in secrets:
            assert secret not in text, f"a secret of {path.name} in {text[:40]!r}"


def test_secrets_are_really_looked_for() -> None:
    found = {s for path in FILES for s in secrets_of(opened(path).text)}
    assert len(found) > 5


@each_file
def test_commands_keep_their_text(path: Path) -> None:
    for leaf in leaves(opened(path).text):
        command = decode(leaf)
        assert command.raw == leaf
        if isinstance(command, LogStep):
            assert command.command.raw == leaf[4:]
        assert isinstance(command, Nothing) == (leaf in ("", "null"))


def test_kinds_of_commands_seen() -> None:
    kept, pieces = set(), 0
    for path in FILES:
        for leaf in leaves(opened(path).text):
            command = decode(leaf)
            if isinstance(command, Kept):
                kept.add(command.keyword)
            pieces += isinstance(command, AddPiece)
    assert pieces > 19_000
    assert kept == {"NOTES", "PNOTES", "UNMASK", "EXT", "SETUP_STACK", "OBA"}
