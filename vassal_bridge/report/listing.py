"""What `inspect` prints: boards, sides, and the counters hex by hex."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import Final

from vassal_bridge.bridge.game import MAIN_MAP
from vassal_bridge.report.catalogue import Catalogue
from vassal_bridge.report.model import BoardUsed, CounterInfo, InspectReport
from vassal_bridge.report.problems import map_order, problem_texts
from vassal_bridge.report.safety import plain_line

LONGEST_NAME: Final = 100
"""Characters of a counter's name that are printed: labels hold whole pages; JSON has them."""
UNITS: Final = ("squad", "half-squad", "crew", "leader", "hero", "vehicle", "unknown")
CARRIED: Final = ("concealment", "sw", "gun", "wreck")
_TAG: Final = re.compile(r"<[^<>]*>?")


def inspect_text(report: InspectReport, words: Catalogue, step: int | None = None) -> str:
    """Boards, sides and counters, one line each; ends in a line break.

    Args:
        report: what to tell.
        words: in which language.
        step: of a log the step after which the game was read, else None.
    """
    source = report.source
    made = [
        " ".join(filter(None, (source.module, source.module_version))),
        " ".join(("VASSAL", source.vassal_version)) if source.vassal_version else "",
    ]
    if step is not None:
        made.append(words.say("after.step", step=step))
    lines = [f"{source.file} ({source.kind}; {', '.join(filter(None, made))})"]
    lines += [_board_line(board, words) for board in report.boards]
    for side, nations in report.sides.items():
        named = words.join(words.side(nation) for nation in nations)
        lines.append(words.template("colon").join([words.side(side), named]))
    found = problem_texts(report.problems, words)
    lost = sum(each.map in MAIN_MAP and each.hex is None for each in report.counters)
    if lost and any(each.code.startswith("board-missing") for each in report.problems):
        found.append(words.count("inspect.no-hex.count", lost))
    lines += [words.template("colon").join([words.say("head.problems"), text]) for text in found]
    lines += [_counter_line(each, words) for each in in_order(report.counters, report.boards)]
    return "\n".join(plain_line(line) for line in lines) + "\n"


def in_order(
    counters: Sequence[CounterInfo], boards: Sequence[BoardUsed] = ()
) -> list[CounterInfo]:
    """Board by board, hex by hex: units, what they carry, markers; last what has no hex."""
    listed = {board.name: n for n, board in enumerate(boards)}

    def place(counter: CounterInfo) -> tuple[object, ...]:
        rank = 0 if counter.kind in UNITS else 1 if counter.kind in CARRIED else 2
        if counter.hex is None:
            return 1, counter.map not in MAIN_MAP, counter.map or "", rank
        order = map_order(counter.hex.split("/")[0])
        return 0, listed.get(order[0], len(listed)), order, counter.hex, rank

    return sorted(counters, key=place)


def plain_name(counter: CounterInfo) -> str:
    """A counter's name without HTML and without a state told beside it, cut where it is long."""
    name = " ".join(html.unescape(_TAG.sub(" ", counter.name)).split()) or "-"
    if "broken" in counter.state:
        name = re.sub(r"\bbroken ", "", name, count=1)
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _counter_line(counter: CounterInfo, words: Catalogue) -> str:
    where = counter.hex or counter.map or "-"
    kind = words.template(f"kind.{counter.kind}")
    if counter.nationality:
        kind = words.say("kind.of", kind=kind, nation=words.side(counter.nationality))
    text = words.say("bracketed", text=plain_name(counter), more=kind)
    state = f" [{words.join(map(words.state, counter.state))}]" if counter.state else ""
    return f"{where}  {text}{state}"


def _board_line(board: BoardUsed, words: Catalogue) -> str:
    place = words.say("board.place", row=board.row, column=board.column)
    return words.say(
        "board.line",
        name=board.name,
        place=words.template("clause.sep").join([place, *_about(board, words)]),
    )


def _about(board: BoardUsed, words: Catalogue) -> Iterator[str]:
    """What else is to be said of a board."""
    if board.reversed:
        yield words.say("board.reversed")
    if board.crop:
        full = words.say("board.full")
        width, height = (str(n) if n > 0 else full for n in board.crop[2:])
        yield words.say("board.crop", crop=f"{width}×{height}")
    if board.version:
        yield words.say("board.version", version=board.version)
    if board.rules:
        yield words.say("board.rules", rules=words.join(dict.fromkeys(board.rules)))
