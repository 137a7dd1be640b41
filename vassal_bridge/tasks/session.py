"""Settings, boards and rules for one command."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options, load_file, load_saved
from vassal_bridge.bridge.files import is_position_file
from vassal_bridge.discovery import Stated, Thing, discover, this_machine
from vassal_bridge.doctor import require_boards, stated_places
from vassal_bridge.errors import BoardError, SettingsError, UsageError, VassalBridgeError
from vassal_bridge.report.catalogue import Lang
from vassal_bridge.rout.rulebook import READINGS, Edition, Readings, rule_of_reading
from vassal_bridge.settings import Loaded as LoadedSettings
from vassal_bridge.settings import Settings, load_settings, user_settings_file

if TYPE_CHECKING:
    from vassal_bridge.bridge import Loaded, Player
    from vassal_bridge.bridge.player import Grouping
    from vassal_bridge.vassal import Saved


PYTHONS_OWN = (700, 10, 10)
"""The garbage collector's thresholds as Python starts with them."""


def give_memory_back() -> None:
    """Have garbage collected as usual; for commands that see many files.

    The command line puts collections off, for commands that end soon. A map holds tens of
    megabytes in a few objects, so that a watcher would keep a dozen of them before it looks.
    """
    gc.set_threshold(*PYTHONS_OWN)


@dataclass(frozen=True)
class Session:
    """Everything a command needs besides its files.

    Attributes:
        command_line: options given, by the settings' names.
        library: where boards are found, one for the whole command.
        boards_given: boards handed in by the program itself (the demo): no search.
        as_side: side whose own hidden units are to be shown, its password still to be asked.
        strict: a missing board is an error; `inspect` does without its terrain.
        step: of logs the step after which the game is read; None = the last.
        typed: his password, once it was asked for.
        libraries: boards by the places that were named for them; a `rout.toml` may name others.
    """

    command_line: Mapping[str, object]
    library: BoardLibrary
    boards_given: bool = False
    as_side: str | None = None
    strict: bool = True
    step: int | None = None
    typed: Typed = field(default_factory=lambda: Typed(), repr=False)
    libraries: dict[tuple[Stated, ...], BoardLibrary] = field(default_factory=dict, repr=False)

    def settings(self, path: Path | None = None) -> LoadedSettings:
        """Settings for a file: command line, environment, `rout.toml` upward, own file."""
        return load_settings(
            self.command_line,
            env=os.environ,
            folder=None if path is None else _folder_of(path),
            user_file=user_settings_file(),
        )

    def library_for(self, path: Path) -> BoardLibrary:
        """Where the boards of a file are found: a `rout.toml` beside it may say so."""
        if self.boards_given:
            return self.library
        places = stated_places(self.settings(path))
        stated = places["boards"]
        if stated not in self.libraries:
            self.libraries[stated] = _found_library(places)
        return self.libraries[stated]

    def options_for(self, path: Path) -> Options:
        """How a file is read under the settings that hold for it."""
        options = self.options(self.settings(path).settings)
        typed = frozenset(self.command_line)
        return replace(options, library=self.library_for(path), over_file=typed)

    def options(self, settings: Settings) -> Options:
        """How games are read under these settings, with the boards of the whole command."""
        return Options(
            self.library,
            edition=Edition(settings.edition) if "edition" in settings.model_fields_set else None,
            month=settings.month,
            attacker=settings.attacker,
            sides=_grouped(settings.sides),
            readings=readings_of(settings.readings),
            strict=self.strict,
            step=self.step,
        )

    def load(self, path: Path) -> Loaded:
        """Open a file under its settings.

        Raises:
            VassalBridgeError: one line naming file and cause.
        """
        with _boards_explained(self, path):
            if self.as_side is None or is_position_file(path):
                return load_file(path, self.options_for(path))
            from vassal_bridge.vassal import open_saved

            return self.load_saved(open_saved(path), path)

    def load_saved(self, saved: Saved, path: Path) -> Loaded:
        """The position of a saved game, with a side's own hidden units if its password is right.

        Raises:
            UsageError: nothing shows that the password is that of this side's player.
        """
        options = self.options_for(path)
        options = replace(options, player=self.player([saved], options))
        with _boards_explained(self, path):
            return load_saved(saved, options)

    def player(self, games: Iterable[Saved], options: Options) -> Player | None:
        """The player named by ``--as``, after his password was asked for and found right.

        Args:
            games: one of them has to show that the password is his.
            options: how they are read.

        Raises:
            UsageError: none does. Whether he has hidden anything at all is not told.
        """
        if self.as_side is None:
            return None
        from vassal_bridge.bridge import Player

        player = Player(self.as_side, self.typed.by(self.as_side))
        if not any(shows_password(saved, player, options.sides) for saved in games):
            raise UsageError(
                f"nothing shows that this is the password of the {self.as_side} player: "
                "it hides no counter of that side"
            )
        return player


def open_session(
    command_line: Mapping[str, object], *, boards: Iterable[Path] = (), as_side: str | None = None
) -> Session:
    """Make the session of a command.

    Args:
        command_line: options given, by the settings' names; empty ones count as not given.
        boards: board folders the program itself hands in; then none are searched for.
        as_side: value of ``--as``.

    Raises:
        SettingsError: a settings file or an option is wrong.
    """
    given = tuple(boards)
    if given:
        return Session(command_line, BoardLibrary(given), boards_given=True, as_side=as_side)
    loaded = load_settings(command_line, env=os.environ, user_file=user_settings_file())
    places = stated_places(loaded)
    library = _found_library(places)
    libraries = {places["boards"]: library}
    return Session(command_line, library, as_side=as_side, libraries=libraries)


def _found_library(places: Mapping[Thing, Sequence[Stated]]) -> BoardLibrary:
    """The boards of this computer, looked for in the named places first."""
    found = discover(this_machine(), places)
    return BoardLibrary([Path(folder) for folder in found.boards])


def _folder_of(path: Path) -> Path:
    return path if path.is_dir() else path.parent


class _boards_explained:  # noqa: N801  (reads as a word at its use)
    """Turns "board z is missing" into what to do, when no board folder was found at all."""

    def __init__(self, session: Session, path: Path) -> None:
        self.session = session
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BoardError) and not self.session.boards_given:
            loaded = self.session.settings(self.path)
            require_boards(discover(this_machine(), stated_places(loaded)))
        if isinstance(error, VassalBridgeError):
            error.at(file=self.path)


def language(settings: Settings) -> Lang:
    """The language of texts: as set, else that of the system."""
    if settings.lang is not None:
        return settings.lang
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "zh" if value.casefold().startswith("zh") else "en"
    return "en"


def readings_of(chosen: Mapping[str, str]) -> Readings:
    """House readings: ``{"R49": "current"}`` turns `r49_current` on.

    Raises:
        SettingsError: no such reading; names those there are.
    """
    readings: dict[str, Any] = {}
    for rule, word in chosen.items():
        if word.casefold() == "default":
            continue
        name = f"{rule.casefold()}_{word.casefold().replace('-', '_').replace(' ', '_')}"
        if name not in READINGS:
            known = [
                one.partition("_")[2] for one in READINGS if rule_of_reading(one) == rule.upper()
            ]
            hint = f"known: default, {', '.join(known)}" if known else "the rule is not disputed"
            raise SettingsError(f"reading {word!r} of {rule}: {hint}", place="readings")
        readings[name] = True
    return Readings(**readings)


def _grouped(sides: Mapping[str, str]) -> Mapping[str, tuple[str, ...]] | None:
    """Nationality -> side turned into side -> nationalities."""
    groups: dict[str, tuple[str, ...]] = {}
    for nationality, side in sides.items():
        groups[side] = (*groups.get(side, ()), nationality)
    return groups or None


def sides_option(text: str | None) -> dict[str, str]:
    """``--sides`` as nationality -> side."""
    from vassal_bridge.counters import parse_sides

    if not text:
        return {}
    return {one: side for side, members in parse_sides(text).items() for one in members}


def ask_password(side: str) -> str:
    """Ask the player for his VASSAL password; it is compared and forgotten.

    Raises:
        UsageError: nobody is there to type it.
    """
    import getpass
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", getpass.GetPassWarning)  # typed through a pipe
            return getpass.getpass(f"VASSAL password of the {side} player: ")
    except (EOFError, OSError):
        raise UsageError("--as needs the password to be typed, and nothing was") from None


class Typed:
    """A password, asked for once in a command and held for it alone."""

    __slots__ = ("_password",)

    def __init__(self) -> None:
        self._password: str | None = None

    def by(self, side: str) -> str:
        """The password of the player of a side."""
        if self._password is None:
            self._password = ask_password(side)
        return self._password


def shows_password(saved: Saved, player: Player, grouping: Grouping = None) -> bool:
    """Whether a game shows a password to be that of a side's player: it hid some of its counters.

    Of a log all steps are looked at.
    """
    from vassal_bridge.bridge import eyes_of
    from vassal_bridge.vassal import load_game, replay

    game = load_game(saved)
    if eyes_of(game, player, grouping) is not None:
        return True
    known = game.alias_of(player.password) is not None
    for step in replay(saved) if saved.log_steps else ():
        if known or step.game.alias_of(player.password) is not None:
            known = True
            if eyes_of(step.game, player, grouping) is not None:
                return True
    return False
