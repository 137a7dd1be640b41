"""Where VASSAL, the VASL module, the boards and the saves are (conventions.md 1).

Pure functions over a `Machine`: the name of the system, the home folder, the environment and the
few questions one may ask its disk. So the rules of Windows, macOS and Linux are all tested on any
of them. Every place looked at is remembered with what was found there, for `doctor`.

Order for each thing: what was stated (command line, environment, settings files), VASL's own
preferences, beside the newest module used, the usual places.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Literal, Protocol

from vassal_bridge.errors import FileError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_PREFERENCES_BYTES
from vassal_bridge.preferences import (
    BOARD_FOLDER,
    RECENT_GAMES,
    RECENT_MODULES,
    SAVE_FOLDER,
    path_list,
    read_preferences,
)

System = Literal["windows", "macos", "linux"]
Thing = Literal["vassal", "config", "preferences", "module", "boards", "saves"]
Finding = Literal["found", "absent", "not-a-folder", "no-boards", "not-set", "unreadable"]


PREFERENCES_OF = {"V_Global": "VASSAL preferences", "VASL": "VASL preferences"}
"""Preference files under `<config>/prefs`, and whose they are."""


class Disk(Protocol):
    """The questions discovery asks a disk; none of them raises."""

    def is_dir(self, path: PurePath) -> bool:
        """Whether a folder is there."""

    def is_file(self, path: PurePath) -> bool:
        """Whether a file is there."""

    def names(self, path: PurePath) -> Sequence[str]:
        """Names in a folder, sorted; empty when there is none."""

    def read(self, path: PurePath, limit: int) -> bytes | None:
        """A file of at most `limit` bytes; None when absent, larger or not readable."""

    def modified(self, path: PurePath) -> float:
        """Time of last change in seconds; 0 when absent."""


@dataclass(frozen=True, slots=True)
class Machine:
    """One computer as far as discovery needs it.

    Attributes:
        system: whose rules hold.
        home: the user's home folder.
        env: the environment.
        disk: answers about files.
    """

    system: System
    home: PurePath
    env: Mapping[str, str]
    disk: Disk

    def path(self, text: str) -> PurePath:
        """`text` as a path of this system; a leading ``~`` is the home folder."""
        kind = PureWindowsPath if self.system == "windows" else PurePosixPath
        path = kind(text)
        return self.home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path


@dataclass(frozen=True, slots=True)
class Stated:
    """A place somebody named, e.g. ``Stated("/b", "environment ROUT_BOARDS")``."""

    path: str
    by: str


@dataclass(frozen=True, slots=True)
class Tried:
    """One place looked at.

    Attributes:
        thing: what was looked for.
        by: why there: an origin of settings (``"command line"`` …), ``"VASL preference boardURL"``,
            ``"beside the module"``, ``"usual place"``.
        path: the place; empty when the source names none.
        finding: what was there.
        stated: a person named it, so its absence is worth a warning.
    """

    thing: Thing
    by: str
    path: str
    finding: Finding
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found, and every place tried, in order.

    Attributes:
        config: VASSAL's configuration folder.
        vassal: where VASSAL is installed (only told to the user, never needed).
        vassal_versions: versions that have run here, oldest first, from the names of error logs.
        module: the VASL module file.
        boards: folders with board files, the first one is asked first.
        saves: folders where the player's games lie.
        tried: all of it.
    """

    config: PurePath | None
    vassal: PurePath | None
    vassal_versions: tuple[str, ...]
    module: PurePath | None
    boards: tuple[PurePath, ...]
    saves: tuple[PurePath, ...]
    tried: tuple[Tried, ...]

    def about(self, thing: Thing) -> tuple[Tried, ...]:
        """The places tried for one thing."""
        return tuple(one for one in self.tried if one.thing == thing)


def discover(machine: Machine, stated: Mapping[Thing, Sequence[Stated]] | None = None) -> Discovery:
    """Find everything.

    Args:
        machine: where to look.
        stated: places named by the user, strongest first (`vassal_bridge.doctor.stated_places`).
    """
    search = _Search(machine, stated or {})
    config = search.config()
    prefs = search.preferences(config)
    module = search.module(prefs)
    return Discovery(
        config=config,
        vassal=search.vassal(),
        vassal_versions=_versions_run(machine, config),
        module=module,
        boards=search.boards(prefs, module),
        saves=search.saves(prefs),
        tried=tuple(search.tried),
    )


@dataclass(slots=True)
class _Search:
    """One run of `discover`: looks, and notes where it looked."""

    machine: Machine
    stated: Mapping[Thing, Sequence[Stated]]
    tried: list[Tried] = field(default_factory=list)

    def _look(self, thing: Thing, by: str, path: PurePath, *, stated: bool = False) -> bool:
        finding = _finding(self.machine.disk, thing, path)
        self.tried.append(Tried(thing, by, str(path), finding, stated))
        return finding == "found"

    def _first(self, thing: Thing, places: Iterable[tuple[str, PurePath]]) -> PurePath | None:
        for one in self.stated.get(thing, ()):
            path = self.machine.path(one.path)
            if self._look(thing, one.by, path, stated=True):
                return path
        return next((path for by, path in places if self._look(thing, by, path)), None)

    def config(self) -> PurePath | None:
        return self._first("config", (("usual place", p) for p in config_places(self.machine)))

    def vassal(self) -> PurePath | None:
        return self._first("vassal", (("usual place", p) for p in install_places(self.machine)))

    def preferences(self, config: PurePath | None) -> dict[str, str]:
        """The four keys, of VASL's file and of VASSAL's own."""
        kept: dict[str, str] = {}
        if config is None:
            return kept
        for name in PREFERENCES_OF:
            path = config / "prefs" / name
            data = self.machine.disk.read(path, MAX_PREFERENCES_BYTES)
            if data is not None:
                kept |= read_preferences(data)
            finding: Finding = "found"
            if data is None:
                finding = "unreadable" if self.machine.disk.is_file(path) else "absent"
            self.tried.append(Tried("preferences", PREFERENCES_OF[name], str(path), finding))
        return kept

    def module(self, prefs: Mapping[str, str]) -> PurePath | None:
        recent = [self.machine.path(text) for text in path_list(prefs.get(RECENT_MODULES, ""))]
        vasl = [path for path in recent if "vasl" in path.name.lower()]
        newest = sorted(vasl, key=lambda p: (version_of(p.name), self.machine.disk.modified(p)))
        by = f"VASSAL preference {RECENT_MODULES}"
        if not vasl:
            self.tried.append(Tried("module", by, "", "not-set"))
        usual = (("usual place", path) for path in module_places(self.machine))
        return self._first("module", [*((by, path) for path in reversed(newest)), *usual])

    def boards(self, prefs: Mapping[str, str], module: PurePath | None) -> tuple[PurePath, ...]:
        groups: dict[str, list[PurePath]] = {}
        for one in self.stated.get("boards", ()):
            path = self.machine.path(one.path)
            if self._look("boards", one.by, path, stated=True):
                groups.setdefault(one.by, []).append(path)
        if groups:  # the strongest origin counts, with all the folders it names
            return tuple(next(iter(groups.values())))
        found = next((path for by, path in self._board_places(prefs, module)
                      if self._look("boards", by, path)), None)  # fmt: skip
        return (found,) if found is not None else ()

    def _board_places(
        self, prefs: Mapping[str, str], module: PurePath | None
    ) -> Iterator[tuple[str, PurePath]]:
        by = f"VASL preference {BOARD_FOLDER}"
        text = prefs.get(BOARD_FOLDER, "")
        if text:
            yield by, _from_preference(self.machine, text)
        else:
            self.tried.append(Tried("boards", by, "", "not-set"))
        if module is not None:
            yield "beside the module", module.parent / "boards"
        for root in usual_roots(self.machine):
            yield "usual place", root / "boards"

    def saves(self, prefs: Mapping[str, str]) -> tuple[PurePath, ...]:
        stated = [
            path
            for one in self.stated.get("saves", ())
            for path in [self.machine.path(one.path)]
            if self._look("saves", one.by, path, stated=True)
        ]
        if stated:
            return tuple(stated)
        places: list[tuple[str, PurePath]] = []
        for key, paths in (
            (SAVE_FOLDER, [prefs[SAVE_FOLDER]] if prefs.get(SAVE_FOLDER) else []),
            (RECENT_GAMES, path_list(prefs.get(RECENT_GAMES, ""))),
        ):
            by = f"VASL preference {key}"
            if not paths:
                self.tried.append(Tried("saves", by, "", "not-set"))
            elif key == SAVE_FOLDER:
                places.append((by, _from_preference(self.machine, paths[0])))
            else:
                places.extend((by, folder) for folder in self._game_folders(paths))
        found = next((path for by, path in places if self._look("saves", by, path)), None)
        return (found,) if found is not None else ()

    def _game_folders(self, games: Sequence[str]) -> list[PurePath]:
        """Folders of the games played last, the newest file first; VASSAL lists newest first."""
        files = [self.machine.path(text) for text in games]
        order = sorted(files, key=lambda path: -self.machine.disk.modified(path))
        return list(dict.fromkeys(path.parent for path in order))


def _finding(disk: Disk, thing: Thing, path: PurePath) -> Finding:
    if thing == "module":
        return "found" if disk.is_file(path) else "absent"
    if not disk.is_dir(path):
        return "not-a-folder" if disk.is_file(path) and thing != "vassal" else "absent"
    if thing == "boards" and not any(is_board_name(name) for name in disk.names(path)):
        return "no-boards"
    return "found"


def is_board_name(name: str) -> bool:
    """Whether VASL would take a file of this name for a board: ``bd`` and no extension."""
    return len(name) > 2 and name[:2].lower() == "bd" and "." not in name


def _from_preference(machine: Machine, text: str) -> PurePath:
    """A folder as VASL notes it: a path, in very old files a ``file:`` address."""
    for prefix in ("file:///", "file:/", "file:"):
        if text.lower().startswith(prefix):
            rest = text[len(prefix) :]
            return machine.path(rest if machine.system == "windows" else "/" + rest.lstrip("/"))
    return machine.path(text)


# --- the usual places -----------------------------------------------------------------------


def config_places(machine: Machine) -> tuple[PurePath, ...]:
    """Where VASSAL keeps its configuration (VASSAL's StandardConfig)."""
    home = machine.home
    if machine.system == "windows":
        roaming = machine.env.get("APPDATA", "")
        base = machine.path(roaming) if roaming else home / "AppData" / "Roaming"
        return (base / "VASSAL",)
    if machine.system == "macos":
        return (home / "Library" / "Application Support" / "VASSAL",)
    sandboxes = home / ".var" / "app"
    flatpaks = [name for name in machine.disk.names(sandboxes) if "vassal" in name.lower()]
    return (home / ".VASSAL", *(sandboxes / name / ".VASSAL" for name in flatpaks))


def usual_roots(machine: Machine) -> tuple[PurePath, ...]:
    """Folders a VASL player's set-up guide proposes; each would hold the module and `boards`."""
    roots = [machine.home / "ASL" / "VASL"]
    if machine.system == "windows":
        roots += [machine.path(r"C:\ASL\VASL"), machine.path(r"C:\bin\vasl")]
    return tuple(roots)


def module_places(machine: Machine) -> Iterator[PurePath]:
    """VASL modules in the usual roots, newest version first."""
    for root in usual_roots(machine):
        names = [
            name
            for name in machine.disk.names(root)
            if name.lower().endswith(".vmod") and "vasl" in name.lower()
        ]
        for name in sorted(names, key=version_of, reverse=True):
            yield root / name


def install_places(machine: Machine) -> Iterator[PurePath]:
    """Where VASSAL itself tends to be installed, newest version first."""
    if machine.system == "windows":
        programs = machine.env.get("PROGRAMFILES") or r"C:\Program Files"
        parents = [machine.path(programs)]
    elif machine.system == "macos":
        parents = [machine.path("/Applications"), machine.home / "Applications"]
    else:
        parents = [machine.home, machine.path("/opt"), machine.path("/usr/local")]
    for parent in parents:
        names = [n for n in machine.disk.names(parent) if n.lower().startswith("vassal")]
        for name in sorted(names, key=version_of, reverse=True):
            yield parent / name


def version_of(name: str) -> tuple[int, ...]:
    """The version in a file name; a final version sorts after its betas.

    >>> version_of("vasl-6.7.3.vmod") > version_of("vasl-6.7.3-beta2.vmod") > version_of("x.vmod")
    True
    """
    match = re.search(r"(\d+(?:\.\d+)+)(-?(?:beta|rc)\d*)?", name)
    if match is None:
        return ()
    numbers = tuple(int(part) for part in match[1].split("."))
    return (*(numbers + (0,) * 4)[:4], 0 if match[2] else 1)


def _versions_run(machine: Machine, config: PurePath | None) -> tuple[str, ...]:
    if config is None:
        return ()
    prefix = "errorLog-"
    versions = [n[len(prefix) :] for n in machine.disk.names(config) if n.startswith(prefix)]
    return tuple(sorted((v for v in versions if v[:1].isdigit()), key=version_of))


# --- the real machine -----------------------------------------------------------------------


class RealDisk:
    """The disk of this computer."""

    def is_dir(self, path: PurePath) -> bool:
        """See `Disk`."""
        try:
            return Path(path).is_dir()
        except (OSError, ValueError):
            return False

    def is_file(self, path: PurePath) -> bool:
        """See `Disk`."""
        try:
            return Path(path).is_file()
        except (OSError, ValueError):
            return False

    def names(self, path: PurePath) -> Sequence[str]:
        """See `Disk`."""
        try:
            return sorted(entry.name for entry in Path(path).iterdir())
        except (OSError, ValueError):
            return ()

    def read(self, path: PurePath, limit: int) -> bytes | None:
        """See `Disk`."""
        try:
            return read_bounded(Path(path), limit)
        except FileError:
            return None

    def modified(self, path: PurePath) -> float:
        """See `Disk`."""
        try:
            return Path(path).stat().st_mtime
        except (OSError, ValueError):
            return 0.0


def system_of(platform: str) -> System:
    """The system whose rules hold for a value of `sys.platform`."""
    if platform in {"win32", "cygwin"}:
        return "windows"
    return "macos" if platform == "darwin" else "linux"


def this_machine() -> Machine:
    """The computer the program runs on, as it is now."""
    return Machine(system_of(sys.platform), Path.home(), dict(os.environ), RealDisk())
