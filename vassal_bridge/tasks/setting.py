"""`doctor` and `init`: what was found where, and the settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import typer

from vassal_bridge.discovery import discover, this_machine
from vassal_bridge.doctor import as_text, examine, healthy, stated_places
from vassal_bridge.first_settings import parse_answer, questions, settings_text, write_settings
from vassal_bridge.settings import GAME_FILE, load_settings, user_settings_file
from vassal_bridge.tasks.saying import say
from vassal_bridge.tasks.session import language


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
        SettingsError: an answer or the file is wrong.
    """
    loaded = load_settings(options, env=os.environ, user_file=user_settings_file())
    found = discover(this_machine(), stated_places(loaded))
    lang = language(loaded.settings)
    target = user_settings_file() if folder is None else folder / GAME_FILE
    answers = {}
    for question in questions("user" if folder is None else "game", found):
        default = lang if question.field == "lang" else question.default or ""
        typed = typer.prompt(question.text[lang], default=default, show_default=True)
        answer = parse_answer(question, typed)
        if answer not in (None, "", [], ()):
            answers[question.field] = answer
    write_settings(target, settings_text(answers), overwrite=force)
    say(f"wrote {target}")
