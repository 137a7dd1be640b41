"""Scenario changes to terrain: the SSR words of the boards line, and the season.

A word changes the pixel grids of its own board before anything is derived from them, in the order
of the line, as VASL does for its line of sight. What a word means is data: module_maps/ssr.json
(made from VASL's shared metadata) and module_maps/ssr_words.toml. A word that is not understood
changes nothing; the hexes it may touch become unknown.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from vassal_bridge.board.archive import BoardArchive
from vassal_bridge.board.facts import LevelGrid, TerrainGrid
from vassal_bridge.board.hexgrid import BoolArray
from vassal_bridge.board.losterrain import OPEN_GROUND, TerrainTable, terrain_table
from vassal_bridge.board.terrain import terrain_map
from vassal_bridge.errors import LimitReached, ModuleMapError, VassalBridgeError
from vassal_bridge.limits import MAX_UNCLEAR_AREAS
from vassal_bridge.module_maps import module_map_bytes

Roads = Literal["kept", "no woods roads", "paths", "none"]
"""What became of the roads; the later of these words is the stronger."""

_ROAD_ORDER: tuple[Roads, ...] = ("kept", "no woods roads", "paths", "none")
_CHANGE = re.compile(r"(?P<what>[A-Z][a-z]+|Level(?P<level>_?\d))To[A-Z0-9]")


@dataclass(frozen=True, slots=True)
class SsrRule:
    """A plain change: its kind, and what becomes what (VASL's terrain name or a level)."""

    kind: str
    before: str | int
    after: str | int


@dataclass(frozen=True)
class SsrMap:
    """The meaning of scenario words; see the module maps named in this module's description."""

    rules: Mapping[str, SsrRule]
    harmless: frozenset[str]
    roads: Mapping[str, Roads]
    terrain: Mapping[str, tuple[tuple[str, str], ...]]
    unclear: Mapping[str, tuple[str, ...]]
    plain_names: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def ssr_map() -> SsrMap:
    """The scenario words the package knows.

    Raises:
        ModuleMapError: a file breaks its schema.
    """
    try:
        made = json.loads(module_map_bytes("ssr.json"))
        words = tomllib.loads(module_map_bytes("ssr_words.toml").decode("utf-8"))
        roads: dict[str, Roads] = dict.fromkeys(words["no-roads"], "none")
        roads |= dict.fromkeys(words["no-woods-roads"], "no woods roads")
        roads |= dict.fromkeys(words["paths"], "paths")
        return SsrMap(
            rules={word: SsrRule(*rule) for word, rule in made["rules"].items()},
            harmless=frozenset(words["harmless"]),
            roads=roads,
            terrain={
                word: tuple((a, b) for a, b in pairs) for word, pairs in words["terrain"].items()
            },
            unclear={word: tuple(names) for word, names in words["unclear"].items()},
            plain_names={word: tuple(names) for word, names in words["plain-names"].items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModuleMapError(f"{type(error).__name__}: {error}", file="ssr.json") from None


@dataclass(slots=True, eq=False)
class ChangedBoard:
    """A board's grids after its scenario words.

    Attributes:
        terrain, elevation: the grids ``[x, y]``; the archive's own where nothing changed.
        roads: what became of the roads; identity only, never line of sight.
        unclear: by word not understood, the pixels it may touch; words that may touch the same
            share their pixels.
    """

    terrain: TerrainGrid
    elevation: LevelGrid
    roads: Roads = "kept"
    unclear: dict[str, BoolArray] = field(default_factory=dict)
    _areas: dict[object, BoolArray] = field(default_factory=dict)

    def replace_terrain(self, mask: BoolArray, code: int) -> None:
        """Give the masked pixels a terrain."""
        if mask.any():
            self.terrain = self.terrain.copy()
            self.terrain[mask] = code

    def replace_level(self, mask: BoolArray, level: int) -> None:
        """Give the masked pixels a level."""
        if mask.any():
            self.elevation = self.elevation.copy()
            self.elevation[mask] = level

    def not_understood(self, word: str, area: object, mask: BoolArray) -> None:
        """Note a word and the pixels it may touch.

        Args:
            word: as in the boards line.
            area: what is touched; words with the same get one mask, all they touch together.
            mask: the pixels.

        Raises:
            LimitReached: more than `MAX_UNCLEAR_AREAS`.
        """
        known = self._areas.get(area)
        if known is None:
            self._areas[area] = mask
            not_too_unclear(len(self._areas))
        elif known is not mask and mask.flags.writeable:
            known |= mask
        self.unclear[word] = self._areas[area]

    @property
    def unclear_areas(self) -> Collection[BoolArray]:
        """The different areas that words not understood may touch."""
        return self._areas.values()


def not_too_unclear(areas: int) -> None:
    """Whether so many areas not understood can be dealt with.

    Raises:
        LimitReached: more than `MAX_UNCLEAR_AREAS`.
    """
    if areas > MAX_UNCLEAR_AREAS:
        raise LimitReached(
            f"over {MAX_UNCLEAR_AREAS} kinds of scenario words not understood", place="boards"
        )


def apply_rules(archive: BoardArchive, words: Sequence[str]) -> ChangedBoard:
    """Apply the scenario words of one board, in order.

    Args:
        archive: a board with LOSData.
        words: as in the boards line; repeats do no harm.

    Raises:
        BoardError: the board has no LOSData, or it is damaged.
        LimitReached: words not understood touch too many different areas.
    """
    board = ChangedBoard(archive.terrain, archive.elevation)
    if not words:
        return board
    known, table = ssr_map(), terrain_table()
    for word in words:
        if word in known.harmless:
            continue
        if word in known.roads:
            board.roads = max(board.roads, known.roads[word], key=_ROAD_ORDER.index)
        elif word in known.terrain:
            for before, after in known.terrain[word]:
                board.replace_terrain(board.terrain == table.code(before), table.code(after))
        elif word in known.rules and word not in known.unclear:
            _apply(board, known.rules[word], table)
        else:
            board.not_understood(word, *_touched(archive, board, word, known, table))
    return board


def _apply(board: ChangedBoard, rule: SsrRule, table: TerrainTable) -> None:
    before, after = rule.before, rule.after
    if rule.kind == "level":
        board.replace_level(board.elevation == before, int(after))
    elif rule.kind == "level-to-terrain":
        mask = board.elevation == before
        board.replace_terrain(mask, table.code(str(after)))
        board.replace_level(mask, 0)
    else:
        code = table.by_name[str(before)].code if str(before) in table.by_name else None
        if code is None:
            return
        mask = board.terrain == code
        if rule.kind == "terrain":
            board.replace_terrain(mask, table.code(str(after)))
            return
        if rule.kind == "terrain-at-level-to-open":
            mask &= board.elevation == after
        else:
            board.replace_level(mask, int(after))
        board.replace_terrain(mask, OPEN_GROUND)


def _touched(
    archive: BoardArchive, board: ChangedBoard, word: str, known: SsrMap, table: TerrainTable
) -> tuple[object, BoolArray]:
    """What a word that is not understood may change, as little as can be argued, and its pixels."""
    own = archive.overlay_rules.get(word)
    if own is not None:
        mask = _picture_mask(archive, own.image, own.x, own.y, board.terrain.shape)
        if mask is not None:
            return own, mask
    names = known.unclear.get(word)
    change = _CHANGE.match(word)
    if names is None and change is not None:
        if change["level"]:
            level = int(change["level"].replace("_", "-"))
            at_level: BoolArray = board.elevation == level
            return level, at_level
        names = known.plain_names.get(change["what"])
    if names is None:
        return None, np.broadcast_to(np.True_, board.terrain.shape)  # one byte, not a million
    codes = [table.by_name[name].code for name in names if name in table.by_name]
    return names, np.isin(board.terrain, codes)


def _picture_mask(
    archive: BoardArchive, image: str, left: int, top: int, shape: tuple[int, ...]
) -> BoolArray | None:
    """Where a picture laid over the board is not transparent; None if it cannot be read."""
    from PIL import Image, UnidentifiedImageError  # only boards with such words pay for it

    try:
        data = archive.member(image)
        if data is None:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as picture:
                if picture.width > 2 * shape[0] or picture.height > 2 * shape[1]:
                    return None
                alpha = np.asarray(picture.convert("RGBA").getchannel("A")).T
    except (
        VassalBridgeError,
        UnidentifiedImageError,
        Image.DecompressionBombWarning,
        Image.DecompressionBombError,
        OSError,
        ValueError,
        SyntaxError,
    ):
        return None
    mask = np.zeros(shape, bool)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(shape[0], left + alpha.shape[0]), min(shape[1], top + alpha.shape[1])
    if x0 < x1 and y0 < y1:
        mask[x0:x1, y0:y1] = alpha[x0 - left : x1 - left, y0 - top : y1 - top] > 0
    return mask


def apply_season(board: ChangedBoard, month: int | None) -> bool:
    """Take the grain off the fields and the leaves off the orchards (R19, R63).

    Args:
        board: changed in place.
        month: 1 to 12; None takes the grain off and leaves the orchards in leaf.

    Returns:
        Whether the board has grain or orchards at all, so that the month matters.
    """
    season, table = terrain_map(), terrain_table()
    is_grain = np.zeros(256, bool)
    is_grain[list(season.codes_of("grain"))] = True
    grain = is_grain.take(board.terrain)
    orchard = board.terrain == table.code("Orchard")
    if not season.grain_up(month):
        board.replace_terrain(grain, OPEN_GROUND)
    if not season.orchard_in_leaf(month):
        board.replace_terrain(orchard, table.code("Orchard, Out of Season"))
    return bool(grain.any() or orchard.any())
