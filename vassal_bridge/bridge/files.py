"""Opening a file, whatever it is: a saved game, a log, a zip holding one, a position file.

Each kind of file loads what it needs when it is opened: a position file does without all that knows
VASSAL's files.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from vassal_bridge.errors import UsageError, VassalBridgeError

if TYPE_CHECKING:
    from pathlib import Path

    from vassal_bridge.bridge.model import Loaded, Note, Options, Source
    from vassal_bridge.vassal import Game, Saved

POSITION_SUFFIXES = (".yaml", ".yml")


def is_position_file(path: Path) -> bool:
    """Whether a path is told to be a position file by its suffix."""
    return path.suffix.casefold() in POSITION_SUFFIXES


def load_file(path: Path, options: Options) -> Loaded:
    """Open a file and make the position it shows; of a log that after `Options.step`.

    Args:
        path: decided by content, except that YAML is told by its suffix.
        options: what the user chose; what a position file says itself goes before, except for
            `Options.over_file`.

    Raises:
        VassalBridgeError: unreadable, not a game, a missing board …; names the file.
    """
    try:
        if is_position_file(path):
            return load_position_file(path, options)
        from vassal_bridge.vassal import open_saved

        return load_saved(open_saved(path), options)
    except VassalBridgeError as error:
        raise error.at(file=path) from None


def load_saved(saved: Saved, options: Options) -> Loaded:
    """The position of a saved game, or of a log as it stands after `Options.step`.

    Raises:
        UsageError: the log has no such step.
        VassalBridgeError: its text is damaged or a board is missing.
    """
    from vassal_bridge.bridge.game import game_map, snapshot, source_of
    from vassal_bridge.vassal import load_game, without_marks

    if options.strict:
        saved = without_marks(saved)
    source = source_of(saved)
    said: tuple[Note, ...] = ()
    if saved.log_steps or options.step:
        game, source, said = _after_step(saved, source, options.step)
    else:
        game = load_game(saved)
    loaded = snapshot(game, game_map(game, options, saved.module_version or None), options, source)
    return replace(loaded, saved=saved, assumptions=(*said, *loaded.assumptions))


def _after_step(
    saved: Saved, source: Source, step: int | None
) -> tuple[Game, Source, tuple[Note, ...]]:
    """The game after a step of a log, and what is said about that."""
    from vassal_bridge.bridge.model import Note
    from vassal_bridge.vassal import game_after

    game, at = game_after(saved, step)
    note = Note("log-step", f"the log as it stands after step {at}", facts={"step": at})
    return game, replace(source, step=at), (note,)


def load_position_file(path: Path, options: Options) -> Loaded:
    """The position a position file describes.

    Raises:
        PositionError: a word, hex or factor in it is wrong; names the line.
        BoardError: a board is missing.
        UsageError: the ATTACKER chosen has no units in it; it is no log to step through.
    """
    from vassal_bridge.bridge.model import Loaded, Note, Source, board_info, shown_name
    from vassal_bridge.bridge.positions import (
        board_placements,
        build_position,
        read_position_file,
        with_options,
    )

    if options.step:
        raise UsageError(f"no step {options.step}: no log")
    file = with_options(read_position_file(path), options)
    position, ground = build_position(file, options.library, options.readings)
    notes = []
    if file.month is None and ground.seasonal:
        text = "month not given: grain counts as Open Ground, orchards are in leaf"
        notes.append(Note("month-not-given", text))
    if "edition" not in file.said:
        notes.append(Note("edition-not-given", "rules edition not given: SK#3"))
    sides = dict.fromkeys(
        [unit.side for unit in position.units] + [s for s, _ in position.concealed]
    )
    if len(sides) > 2:  # allies that the file does not put on one side, most likely
        facts = {"nationalities": ", ".join(sides)}
        notes.append(Note("sides-unclear", f"all enemies: {', '.join(sides)}", facts=facts))
    return Loaded(
        Source(shown_name(path.name), "position"),
        tuple(board_info(placement) for placement in board_placements(file)),
        tuple(notes),
        tuple(Note(found.code, found.text, facts=dict(found.facts)) for found in ground.problems),
        position,
        ground,
        ground.layout,
    )
