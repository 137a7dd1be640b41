"""`los`: one line of sight, or every pair of a table."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vassal_bridge.board import BoardGround, build_ground, placements_from_rows
from vassal_bridge.errors import BoardError, FileError, UsageError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_PAIRS_BYTES
from vassal_bridge.report.catalogue import Catalogue, words_in
from vassal_bridge.report.jsonfile import json_bytes
from vassal_bridge.report.sightwords import sight_text
from vassal_bridge.rout.position import Sight
from vassal_bridge.tasks.outputs import marked_text, write_output
from vassal_bridge.tasks.reporting import to_stdout
from vassal_bridge.tasks.session import Session, language

FORMATS = ("text", "json", "svg", "png")
PAIR_FORMATS = ("csv", "json")
"""Formats of one line of sight, and of a table; the first is what nobody has to ask for."""
COLUMNS = ("source", "target", "range", "blocked", "hindrance")


@dataclass(frozen=True, slots=True)
class Looking:
    """What `los` was asked.

    Attributes:
        where: a file, a board archive, or a board name.
        start, to: hexes.
        format: text, json, svg or png; None = text.
        pairs: CSV of pairs instead of `start` and `to`.
        out: file for the answer, None = standard output.
    """

    where: str
    start: str | None
    to: str | None
    format: str | None = None
    pairs: Path | None = None
    out: Path | None = None


def look(session: Session, looking: Looking) -> None:
    """Answer `los`.

    Raises:
        VassalBridgeError: no such map or hex, or a wrong combination of options.
    """
    format_ = _format_of(looking)
    ground = ground_named(session, looking.where)
    if looking.pairs is not None:
        data = sight_pairs(ground, looking.pairs, as_json=format_ == "json")
    elif looking.start is None or looking.to is None:
        raise UsageError("los wants two hexes, or --pairs")
    else:
        words = words_in(language(session.settings().settings))
        data = _answer(ground, looking.start, looking.to, format_, words)
    if looking.out is None:
        to_stdout(data)
    else:
        if looking.pairs is None and looking.format in (None, "text"):
            data = marked_text(data)
        write_output(looking.out, data, looking.pairs or Path(looking.where))


def _format_of(looking: Looking) -> str:
    """The format asked for.

    Raises:
        UsageError: there is none such, a table cannot be had in it, or a terminal cannot show it.
    """
    known = PAIR_FORMATS if looking.pairs is not None else FORMATS
    format_ = looking.format or known[0]
    if format_ not in known:
        what = " of --pairs" if looking.pairs is not None else ""
        raise UsageError(f"unknown format {format_!r}{what}; known: {', '.join(known)}")
    if format_ == "png" and looking.out is None and sys.stdout.isatty():
        raise UsageError("a png is nothing for a terminal: name a file with --out FILE")
    return format_


def _answer(ground: BoardGround, start: str, to: str, format_: str, words: Catalogue) -> bytes:
    values = sight_between(ground, start, to)
    if format_ == "json":
        return sight_json(values)
    if format_ == "text":
        return (sight_text(values, words) + "\n").encode("utf-8")
    from vassal_bridge.report.sightview import sight_picture

    return sight_picture(ground, values, format_, words)


def ground_named(session: Session, name: str) -> BoardGround:
    """The ground of a file, or of a board named like ``z`` or ``z reversed``.

    Raises:
        VassalBridgeError: neither a file nor a board.
    """
    path = Path(name)
    if (path.is_file() and not _is_board(path)) or _is_odd(path):
        return session.load(path).ground
    board = path.name[2:] if path.is_file() else name
    library = session.library
    if path.is_file():
        from vassal_bridge.board import BoardLibrary

        library = BoardLibrary([path.parent])
    month = session.settings().settings.month
    return build_ground(placements_from_rows([[board]]), library, month=month)


def _is_odd(path: Path) -> bool:
    """A pipe or device: no board is meant, and opening it says what is wrong."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _is_board(path: Path) -> bool:
    return path.suffix == "" and path.name.casefold().startswith("bd")


def sight_between(ground: BoardGround, start: str, to: str) -> dict[str, object]:
    """One line of sight as plain values for text and JSON.

    Raises:
        BoardError: a hex does not exist.
    """
    viewer, target = ground.canonical_hex(start), ground.canonical_hex(to)
    sight = ground.sight(viewer, target)
    return sight_values(ground, viewer, target, sight)


def sight_values(ground: BoardGround, viewer: str, target: str, sight: Sight) -> dict[str, object]:
    """What `los --json` prints."""
    values: dict[str, object] = {
        "schema": "vassal-bridge/los/1",
        "from": viewer,
        "to": target,
        "range": ground.distance(viewer, target),
        "blocked": not sight.clear,
        "hindrance": sight.hindrance,
    }
    for name in ("block_hex", "block_reason", "hindrances", "height"):
        if hasattr(sight, name):
            value = getattr(sight, name)
            values[name] = [list(pair) for pair in value] if name == "hindrances" else value
    return values


def sight_json(values: dict[str, object]) -> bytes:
    """`los --json`."""
    return json_bytes(values)


def sight_pairs(ground: BoardGround, source: Path, *, as_json: bool = False) -> bytes:
    """`los BOARD --pairs`: a CSV of pairs with the answers (contracts.md 4), or a list of them.

    Raises:
        FileError: the CSV cannot be read.
        UsageError: it lacks the columns, or names a hex the map does not have; names the line.
    """
    if as_json:
        return json_bytes(
            [
                sight_values(ground, viewer, target, ground.sight(viewer, target))
                for _, viewer, target in _pairs(ground, source)
            ]
        )
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row, viewer, target in _pairs(ground, source):
        sight = ground.sight(viewer, target)
        away = ground.distance(viewer, target)
        writer.writerow([row["source"], row["target"], away, int(not sight.clear), sight.hindrance])
    return out.getvalue().encode("utf-8")


def _pairs(ground: BoardGround, source: Path) -> Iterator[tuple[dict[str, str], str, str]]:
    """The rows of a table of pairs as typed, each with its two hexes.

    Raises:
        FileError: the CSV cannot be read.
        UsageError: see `sight_pairs`.
    """
    try:
        text = read_bounded(source, MAX_PAIRS_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError("not UTF-8 text", file=str(source)) from None
    reader = csv.DictReader(io.StringIO(text))
    if not {"source", "target"} <= set(reader.fieldnames or ()):
        raise UsageError("needs the columns source,target", file=str(source), place="line 1")
    names: dict[str, str] = {}

    def hex_named(text: str | None) -> str:
        key = (text or "").strip()
        if key not in names:
            names[key] = ground.canonical_hex(key)
        return names[key]

    for row in reader:
        try:
            viewer, target = hex_named(row["source"]), hex_named(row["target"])
        except BoardError as error:
            place = f"line {reader.line_num}"
            raise UsageError(error.message, file=str(source), place=place) from None
        yield row, viewer, target
