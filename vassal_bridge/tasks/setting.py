"""`doctor` and `init`: what was found where, and the settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import typer

from vassal_bridge.discovery import discover, this_machine
from vassal_bridge.doctor import as_text, examine, healthy, stated_places
from vassal_bridge.errors import SettingsError, UsageError
from vassal_bridge.first_settings import (
    HINTS,
    Question,
    asked_again,
    parse_answer,
    prompt_of,
    questions,
    settings_text,
    write_settings,
)
from vassal_bridge.report.catalogue import Lang
from vassal_bridge.report.safety import plain_line
from vassal_bridge.settings import GAME_FILE, load_settings, user_settings_file
from vassal_bridge.tasks.saying import say
from vassal_bridge.tasks.session import language

TRIES = 3
"""So often a question is asked."""


def run_doctor(options: Mapping[str, object]) -> int:
    """Print what was found where.

    Returns:
        0 when nothing that is needed is missing, else 2.
    """
    loaded = load_settings(options, env=os.environ, user_file=user_settings_file())
    machine = this_machine()
    found = discover(machine, stated_places(loaded))
    checks = examine(machine, found, loaded)
    say(as_text(checks, language(loaded.settings)))
    return 0 if healthy(checks) else 2


def run_init(folder: Path | None, options: Mapping[str, object], *, force: bool) -> None:
    """Ask a few questions and write the user's own or a game folder's settings file.

    Raises:
        SettingsError: the file is there already, or an answer is wrong for the third time.
        UsageError: the game folder is not there and is not to be made.
    """
    loaded = load_settings(options, env=os.environ, user_file=user_settings_file())
    found = discover(this_machine(), stated_places(loaded))
    lang = language(loaded.settings)
    target = user_settings_file() if folder is None else folder / GAME_FILE
    if target.exists() and not force:
        raise SettingsError("is there already; --force replaces it", file=str(target))
    if folder is not None:
        _must_be_there(folder, lang)
    answers = {}
    for question in questions("user" if folder is None else "game", found):
        answer = _ask(question, lang)
        if answer not in (None, "", [], ()):
            answers[question.field] = answer
    write_settings(target, settings_text(answers), overwrite=force)
    say(f"wrote {target}")


def _must_be_there(folder: Path, lang: Lang) -> None:
    """Ask before a folder is made: its name may be mistyped.

    Raises:
        UsageError: it is no folder, or is not to be made.
    """
    if folder.is_dir():
        return
    if folder.exists():
        raise UsageError("is a file, not a folder", file=str(folder))
    try:
        made = typer.confirm(plain_line(HINTS[lang]["make"].format(folder=folder)))
    except typer.Abort:
        made = False
    if not made:
        raise UsageError("no such folder", file=str(folder))


def _ask(question: Question, lang: Lang) -> object:
    """An answer to one question; a wrong one is asked for again.

    Raises:
        SettingsError: wrong `TRIES` times.
    """
    default = lang if question.field == "lang" else question.default or ""
    for turn in range(1, TRIES + 1):
        typed = typer.prompt(prompt_of(question, lang), default=default, show_default=bool(default))
        try:
            return parse_answer(question, typed)
        except SettingsError as error:
            if turn == TRIES:
                raise
            say(asked_again(question, typed, error, lang), err=True)
    return None
