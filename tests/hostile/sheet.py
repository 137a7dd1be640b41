"""Which commands a hostile file goes through, and what must hold of every one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import tests.hostile.makers_zips  # noqa: F401  (it adds to MAKERS)
from tests.hostile.forks import Done
from tests.hostile.makers import MAKERS
from tests.hostile.makers_boards import BOARDS
from vassal_bridge.demo import demo_boards
from vassal_bridge.report.safety import plain_line
from vassal_bridge.tasks.saying import MOST_SAID

__all__ = ["MAKERS", "OUT", "commands", "contents", "judge"]  # MAKERS: those of all modules

OUT = "out"
"""Folder for outputs, beside the file."""
FROM, TO = "N5", "O6"
"""Two hexes of the demo's board."""
Command = list[object]


def commands(path: Path) -> Iterator[Command]:
    """Command lines for a file; the first is the cheapest that looks at all of it."""
    own = path.parent / BOARDS
    boards: Command = ["--boards", own if own.is_dir() else demo_boards()]
    position = path.suffix == ".yaml"
    pictures = "html,svg,png" + ("" if position else ",vsav")
    yield ["report", path, "--format", "json", *boards]
    yield ["inspect", path, "--json", *boards]
    yield ["audit", path, "--format", "text,json,html,vlog", "--out", OUT, *boards]
    yield ["los", path, FROM, TO, *boards]
    yield ["clean", path, "--out", f"{OUT}/clean.vsav"]
    yield ["report", path, "--format", pictures, "--out", OUT, *boards]
    yield ["report", path, "--lang", "zh", *boards]
    yield ["audit", path, "--format", "json", *boards]
    yield ["inspect", path, *boards]
    if position:
        yield ["rulings", path, *boards]
    if own.is_dir():
        yield ["los", own / "bddemo", "B2", "D5", "--json"]


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def judge(done: Done, command: Command, before: dict[Path, bytes], folder: Path) -> str:
    """What does not hold of a command that has run; "" when all is well.

    Args:
        done: what came of it.
        command: what was called.
        before: the files of the folder before.
        folder: where it ran; its outputs are taken away.
    """
    wrong = [*_wrong_in_the_end(done, command), *_wrong_in_texts(done)]
    after = contents(folder)
    if any(after.get(path) != data for path, data in before.items()):
        wrong.append("an input was changed")
    for path in after.keys() - before.keys():
        if done.code == 2:
            wrong.append(f"refused, but wrote {path.name}")
        elif OUT not in path.relative_to(folder).parts or path.suffix == ".vbtmp":
            wrong.append(f"left {path.name}")
        else:
            wrong += _wrong_in_file(path, after[path])
        path.unlink()
    return "; ".join(wrong) and f"{'; '.join(wrong)} [{done.code}: {done.err[-800:]!r}]"


def _wrong_in_the_end(done: Done, command: Command) -> Iterator[str]:
    if done.code not in (0, 1, 2):
        yield "no exit code of contracts.md"
    if done.code != 2:
        return
    if done.out:
        yield "refused, but printed"
    lines = done.err.splitlines()
    if len(lines) != 1 or not lines[0].startswith("vassal-bridge: ") or len(lines[0]) < 20:
        yield "not one clear line"
    elif len(lines[0]) > MOST_SAID + 20:
        yield "a line too long"
    elif not any(_named(each, lines[0]) for each in command):
        yield "the line names no file"


def _named(word: object, line: str) -> bool:
    if isinstance(word, Path):
        name = plain_line(" ".join(word.name.splitlines()))
        return name in line or (word.is_dir() and "bddemo" in line)
    return f"no hex {word!r}" in line


def _wrong_in_texts(done: Done) -> Iterator[str]:
    said = done.out + done.err
    if "Traceback" in said or "internal fault" in said:
        yield "a fault"
    if any(_steers(char) for char in said):
        yield "a character that steers the terminal"
    if "root:x:0" in said:
        yield "a file of the system is told"
    if done.out.startswith(("{", "[")):
        json.loads(done.out)


def _steers(char: str) -> bool:
    return (char < " " and char not in "\n\t") or "\x7f" <= char <= "\x9f" or char in "\u202e\u2066"


def _wrong_in_file(path: Path, data: bytes) -> Iterator[str]:
    if not data:
        yield f"{path.name} is empty"
    if b"<script>alert(1)" in data and path.suffix in (".html", ".svg"):
        yield f"{path.name} holds a stranger's script"
    if b"root:x:0" in data:
        yield f"{path.name} tells a file of the system"
    if path.suffix == ".json":
        json.loads(data)
