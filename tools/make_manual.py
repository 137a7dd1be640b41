"""Makes the manual page and the command reference from the command line itself.

    python tools/make_manual.py          writes docs/vassal-bridge.1 and docs/commands*.md
    python tools/make_manual.py --check  says whether they are up to date; exit code 1 if not

What is written by hand, heads, JSON fields and Chinese texts, lies in `tools/manual/`.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from vassal_bridge import __version__
from vassal_bridge.cli import app
from vassal_bridge.cli_help import typed

DOCS = Path(__file__).resolve().parent.parent / "docs"
PARTS = Path(__file__).resolve().parent / "manual"
NAME = "vassal-bridge"
SUMMARY = "rout obligations and rout audits for ASL Starter Kit games in VASSAL"
EXIT_CODES = (
    ("0", "done"),
    ("1", "done, and an audit found illegal routs or a ruling failed"),
    ("2", "wrong usage, unreadable input, or something needed is missing"),
    ("3", "a fault of the program"),
)


def plain(text: str | None) -> str:
    """Help text on one line, without rich's markup."""
    return re.sub(r"\[/?[a-z ]+\]", "", " ".join((text or "").split()))


def flags(option: TyperOption) -> str:
    """An option as one types it: ``--month N``, ``--edition sk1|sk2|sk3|sk4``."""
    names = ", ".join([*option.opts, *option.secondary_opts])
    return names if option.is_flag else f"{names} {option.metavar or 'N'}"


def visible(command: TyperCommand) -> Iterator[TyperOption]:
    """Options that the help shows."""
    for option in command.params:
        if isinstance(option, TyperOption) and not option.hidden:
            yield option


def usage(path: str, command: TyperCommand) -> str:
    """The usage line: ``vassal-bridge report [OPTIONS] FILE...``."""
    words = [path, "[OPTIONS]"] if any(visible(command)) else [path]
    words += [typed(one) for one in command.params if isinstance(one, TyperArgument)]
    return " ".join(words)


def commands() -> Iterator[tuple[str, TyperCommand]]:
    """Every command with its full name, in the order of the help."""
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    for name, command in root.commands.items():
        assert isinstance(command, TyperCommand)
        if not command.hidden:
            yield f"{NAME} {name}", command


def chinese() -> dict[str, str]:
    """Chinese for every help text.

    Raises:
        SystemExit: a text of the command line has none.
    """
    words: dict[str, str] = tomllib.loads((PARTS / "zh.toml").read_text(encoding="utf-8"))
    texts = {plain(command.help) for _, command in commands()}
    texts |= {plain(option.help) for _, command in commands() for option in visible(command)}
    missing = sorted(texts - words.keys())
    if missing:
        raise SystemExit("tools/manual/zh.toml has no Chinese for:\n" + "\n".join(missing))
    return words


def as_markdown(suffix: str, words: Mapping[str, str]) -> str:
    """The command reference of the guide.

    Args:
        suffix: of the parts written by hand: ``".md"`` or ``".zh.md"``.
        words: help texts in the language wanted; those not in it stay as they are.
    """
    parts = [(PARTS / f"head{suffix}").read_text(encoding="utf-8")]
    for path, command in commands():
        name = path.removeprefix(NAME).strip()
        said = plain(command.help)
        parts.append(f"\n## {name}\n\n```text\n{usage(path, command)}\n```\n")
        parts.append(f"\n{words.get(said, said)}\n")
        rows = []
        for option in visible(command):
            typed, said = flags(option).replace("|", "\\|"), plain(option.help)
            rows.append(f"| `{typed}` | {words.get(said, said)} |\n")
        if rows:
            parts.append("\n| | |\n|---|---|\n" + "".join(rows))
    return "".join(parts) + "\n" + (PARTS / f"tail{suffix}").read_text(encoding="utf-8")


def roff(text: str) -> str:
    """Text as roff wants it: backslashes, dashes and leading dots escaped."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in escaped.splitlines())


def as_man() -> str:
    """The manual page."""
    lines = [
        f'.TH VASSAL\\-BRIDGE 1 "" "{NAME} {__version__}" "User Commands"',
        ".SH NAME",
        f"{roff(NAME)} \\- {roff(SUMMARY)}",
        ".SH SYNOPSIS",
        f".B {roff(NAME)}",
        roff("COMMAND [OPTIONS] …"),
        ".SH COMMANDS",
    ]
    for path, command in commands():
        lines += [f".SS {roff(usage(path, command))}", roff(plain(command.help))]
        for option in visible(command):
            lines += [".TP", f".B {roff(flags(option))}", roff(plain(option.help))]
    lines.append(".SH EXIT STATUS")
    for code, meaning in EXIT_CODES:
        lines += [".TP", f".B {code}", roff(meaning)]
    lines += [".SH FILES", ".TP", ".B rout.toml", "settings of a game folder, looked for upward"]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check both files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = []
    texts = {
        "commands.md": as_markdown(".md", {}),
        "commands.zh.md": as_markdown(".zh.md", chinese()),
        f"{NAME}.1": as_man(),
    }
    for name, text in texts.items():
        path = DOCS / name
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"docs/{name} is not what the command line says; run python tools/make_manual.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
