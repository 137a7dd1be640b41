"""The player's boards: which folders hold them, what is known of those that are not there."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vassal_bridge.board.archive import BoardArchive, open_board
from vassal_bridge.board.hexes import HexGeometry
from vassal_bridge.board.layout_grid import ClientGrid
from vassal_bridge.board.placement import OPEN_BOARD
from vassal_bridge.errors import BoardError
from vassal_bridge.limits import MAX_BOARDS
from vassal_bridge.module_maps import module_map_bytes


@dataclass(frozen=True, slots=True)
class BoardShape:
    """What placing a board and naming its hexes needs.

    Attributes:
        name: as hex names carry it; the archive's own name (``02`` for a file bd02).
        geometry: sizes and hex numbers, A1 as the archive gives it.
        grid: the client's hex grid.
    """

    name: str
    geometry: HexGeometry
    grid: ClientGrid

    @classmethod
    def of(cls, name: str, geometry: HexGeometry) -> BoardShape:
        """Shape of a board with this geometry."""
        return cls(name, geometry, ClientGrid.of(geometry))

    @property
    def width(self) -> int:
        """Width of the full board picture in pixels."""
        return self.geometry.width

    @property
    def height(self) -> int:
        """Height of the full board picture in pixels."""
        return self.geometry.height


OPEN_GEOMETRY = HexGeometry(56.25, 64.5, 0.0, 32.25, 33, 10, 1800, 645)
"""The built-in board: 33 columns of 10 hexes like any geomorphic board."""


@lru_cache(maxsize=1)
def _known_shapes() -> dict[str, BoardShape]:
    """Sizes and grids of the boards VASL publishes (module_maps/board_shapes.json)."""
    table = json.loads(module_map_bytes("board_shapes.json"))["boards"]
    found = {}
    for name, (width, height, dx, dy, a1x, a1y, alt) in table.items():
        columns, rows = int(width / dx + 0.5) + 1, max(1, int(height / dy + 0.5))
        geometry = HexGeometry(dx, dy, a1x, a1y, columns, rows, width, height, alt_grain=alt)
        found[name.casefold()] = BoardShape.of(name, geometry)
    return found


class BoardLibrary:
    """Board archives in the folders of a player, opened once and kept while they do not change.

    Nothing is read before a board is asked for. A board file is ``bd<name>``; the case of its name
    is ignored unless two files differ in case only.

    Args:
        folders: where to look, in this order; folders that do not exist are passed over.
    """

    def __init__(self, folders: Iterable[Path | str]) -> None:
        self.folders: tuple[Path, ...] = tuple(Path(folder) for folder in folders)
        self._open: OrderedDict[str, BoardArchive] = OrderedDict()
        self._digest_of: dict[tuple[Path, int, int], str] = {}
        self._listings: dict[Path, dict[str, list[str]]] = {}

    def find(self, name: str) -> Path:
        """The file of a board.

        Raises:
            BoardError: no folder has it; the message names the board and every place looked at.
        """
        path = self._find(name)
        if path is None:
            if not self.folders:
                raise BoardError(f"board {name!r} is missing: no folder with boards was given")
            places = ", ".join(str(folder) for folder in self.folders)
            raise BoardError(f"board {name!r} is missing: no file bd{name} in {places}")
        return path

    def has(self, name: str) -> bool:
        """Whether a file of this board is there."""
        return self._find(name) is not None

    def known(self, name: str) -> bool:
        """Whether a board of this name exists here or among those VASL publishes."""
        return name.casefold() in _known_shapes() or self.has(name)

    def _find(self, name: str) -> Path | None:
        # A board name comes from a file of somebody else: it must not lead out of the folders.
        if not name or "/" in name or "\\" in name or "\0" in name:
            return None
        wanted = f"bd{name}"
        for folder in self.folders:
            # Folders may lie on a slow share: a listing serves again while it has the exact name.
            names = self._listings.get(folder, {})
            if wanted not in names.get(wanted.casefold(), []):
                names = self._list(folder)
            same = names.get(wanted.casefold(), [])
            for file in sorted(same, key=lambda found: (found != wanted, found)):
                if (folder / file).is_file():
                    return folder / file
        return None

    def _list(self, folder: Path) -> dict[str, list[str]]:
        """Names of the board files of a folder by their case-folded form; remembered."""
        names: dict[str, list[str]] = {}
        try:
            for entry in folder.iterdir():
                if entry.name[:2].casefold() == "bd":
                    names.setdefault(entry.name.casefold(), []).append(entry.name)
        except OSError:
            names = {}
        self._listings[folder] = names
        return names

    def open(self, name: str) -> BoardArchive:
        """The archive of a board; the same object as long as the content is the same.

        Raises:
            BoardError: missing or damaged.
            FileError, LimitReached: unreadable, or too large.
        """
        path = self.find(name)
        try:
            stat = path.stat()
        except OSError as error:
            raise BoardError(error.strerror or str(error), file=str(path)) from None
        stamp = (path, stat.st_mtime_ns, stat.st_size)
        archive = self._open.get(self._digest_of.get(stamp, ""))
        if archive is None:
            archive = open_board(path)
            archive = self._open.setdefault(archive.digest, archive)
            self._digest_of[stamp] = archive.digest
        self._open.move_to_end(archive.digest)
        while len(self._open) > MAX_BOARDS:
            self._open.popitem(last=False)
        return archive

    def open_overlay(self, name: str) -> BoardArchive:
        """The archive of a picker overlay in the folder ``overlays`` beside the boards.

        Numbered overlays share one: st1 and st2 are in ``ovrST``, as VASL has it.

        Raises:
            BoardError: no folder has it, or it is damaged.
            FileError, LimitReached: unreadable, or too large.
        """
        family = name if name[:1].isdigit() else name.rstrip("0123456789") or name
        wanted = [f"ovr{known}".casefold() for known in (name, family)]
        for folder in self.folders:
            try:
                found = {
                    entry.name.casefold(): entry
                    for entry in sorted((folder / "overlays").iterdir(), reverse=True)
                    if entry.name.casefold() in wanted and entry.is_file()
                }
            except OSError:
                continue
            for known in wanted:
                if known in found:
                    return open_board(found[known])
        raise BoardError(f"overlay {name!r} is missing")

    def shape(self, name: str) -> BoardShape:
        """Size and grid of a board, from its archive, else from what is known of VASL's boards.

        Raises:
            BoardError: the board is neither here nor known.
            FileError, LimitReached: its archive is unreadable, or too large.
        """
        if name == OPEN_BOARD and not self.has(name):
            return BoardShape.of(OPEN_BOARD, OPEN_GEOMETRY)
        known = None if self.has(name) else _known_shapes().get(name.casefold())
        if known is not None:
            return known
        archive = self.open(name)
        return BoardShape.of(archive.name, archive.geometry)
