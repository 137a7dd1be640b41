"""Makes the ground of a map: boards, scenario words, season, painted hexes, counters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from vassal_bridge.board.archive import BoardArchive, image_size
from vassal_bridge.board.ground import BareGround, BoardGround, Obstacles, Overlays, Sights
from vassal_bridge.board.ground_obstacles import Obstacle, smoke_of, wreck_in
from vassal_bridge.board.ground_source import OpenSource, PixelSource
from vassal_bridge.board.layout import EDGE, BoardProblem, Cell, Layout
from vassal_bridge.board.layout_board import BoardOnMap
from vassal_bridge.board.layout_library import BoardLibrary
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.losterrain import OPEN_GROUND, terrain_table
from vassal_bridge.board.openboard import Obstruction, OpenSights
from vassal_bridge.board.placement import OPEN_BOARD, BoardPlacement, PickerOverlay
from vassal_bridge.board.scenario import (
    ChangedBoard,
    apply_rules,
    apply_season,
    not_too_unclear,
)
from vassal_bridge.board.terrain import terrain_map
from vassal_bridge.errors import BoardError, VassalBridgeError

COUNTER_WORDS = {"smoke": Obstacle.smoke(), "wreck": Obstacle.wreck()}
"""Words of a position file that are counters, not terrain."""
WRECK_HINDRANCE = 1
"""Hindrance of the wrecks and vehicles of one hex, however many."""
OVERLAY_REACH = 2
"""Hexes around the hex of a one-hex overlay that it may cover when its picture is not at hand."""


@dataclass(slots=True)
class _Painting:
    """Painted hexes of a position file: terrain by hex, counters, connected buildings."""

    names: dict[str, str] = field(default_factory=dict)
    counters: dict[str, tuple[Obstacle, ...]] = field(default_factory=dict)
    buildings: dict[str, int] = field(default_factory=dict)


def build_ground(
    placements: Sequence[BoardPlacement],
    library: BoardLibrary,
    *,
    month: int | None = None,
    obstacles: Obstacles | None = None,
    painted: Sequence[tuple[str, str]] = (),
    buildings: Sequence[Sequence[str]] = (),
    overlays: Overlays = (),
    edge: int = EDGE,
    strict: bool = True,
) -> BoardGround:
    """Make the ground of a map.

    Args:
        placements: boards of a game (`parse_boards`) or a position file (`placements_from_rows`).
        library: where board archives are found.
        month: 1 to 12 for grain and orchards; None: grain off, orchards in leaf.
        obstacles: smoke, blazes, wrecks and vehicles by hex.
        painted: (word, hex) in the order of the position file, later ones win; words of
            contracts.md 2, hexes as a person wrote them.
        buildings: groups of hexes that are one building each.
        overlays: (name, hex) of overlays that lie on the map as pieces.
        edge: pixels around the boards, see `map_edge`.
        strict: a missing board is an error; otherwise its hexes are there, but unknown.

    Raises:
        BoardError: a board is missing or damaged, a hex or word is unknown, or the built-in open
            board is mixed with others.
        LimitReached, FileError: a board archive is too large or unreadable.
    """
    layout = Layout(placements, library, edge=edge, strict=strict)
    is_open = [p.name == OPEN_BOARD and not library.has(OPEN_BOARD) for p in placements]
    if any(is_open) and not all(is_open):
        raise BoardError("the built-in board 'open' cannot be joined to other boards")
    painting = _paint(layout, painted, buildings, month)
    for text, found in (obstacles or {}).items():
        at = layout.canonical(text)
        painting.counters[at] = (*painting.counters.get(at, ()), *found)
    if all(is_open):
        bare = _open_ground(layout, painting)
    else:
        bare = _pixel_ground(layout, library, painting, month)
    return bare.ground(painting.counters, [(name, layout.canonical(at)) for name, at in overlays])


# -- painted hexes -----------------------------------------------------------------------------


def _paint(
    layout: Layout,
    painted: Sequence[tuple[str, str]],
    buildings: Sequence[Sequence[str]],
    month: int | None,
) -> _Painting:
    rules = terrain_map()
    found = _Painting()
    for word, text in painted:
        at = layout.canonical(text)
        if word in COUNTER_WORDS:
            found.counters[at] = (*found.counters.get(at, ()), COUNTER_WORDS[word])
        elif word in rules.paint:
            found.names[at] = word
        else:
            raise BoardError(f"hexes cannot be painted {word!r}", place=at)
    if not rules.grain_up(month):
        for at, word in found.names.items():
            found.names[at] = "open" if word == "grain" else word
    for number, group in enumerate(buildings, 1):
        for text in group:
            at = layout.canonical(text)
            found.names[at] = "building"
            found.buildings[at] = -number
    alone = -1 - len(buildings)
    for at, word in found.names.items():
        if word == "building" and at not in found.buildings:
            found.buildings[at] = alone
            alone -= 1
    return found


# -- the open board ----------------------------------------------------------------------------


def _open_ground(layout: Layout, painting: _Painting) -> BareGround:
    places = {name: layout.cell(name).at for name in layout.drawn()}

    def sights(obstacles: Obstacles) -> Sights:
        names = painting.names
        return OpenSights(
            places,
            {
                at: _obstruction(names.get(at, "open"), obstacles.get(at, ()))
                for at in names.keys() | obstacles.keys()
            },
        )

    return BareGround(
        layout,
        OpenSource(),
        sights,
        painted=painting.names,
        buildings=painting.buildings,
        problems=layout.problems,
        seasonal="grain" in painting.names.values(),
    )


def _obstruction(word: str, counters: tuple[Obstacle, ...]) -> Obstruction:
    hinders = word in ("grain", "brush", "orchard") or wreck_in(counters)
    return Obstruction(
        blocks=terrain_map().kinds[word].shelter is not None,
        terrain=WRECK_HINDRANCE if hinders else 0,
        smoke=smoke_of(counters),
        art=word if word in ("woods", "orchard", "building") else None,
    )


# -- real boards -------------------------------------------------------------------------------


def _pixel_ground(
    layout: Layout,
    library: BoardLibrary,
    painting: _Painting,
    month: int | None,
) -> BareGround:
    archives: dict[int, BoardArchive] = {}
    changed: dict[int, ChangedBoard] = {}
    seasonal = False
    for number, board in enumerate(layout.boards):
        if board.missing or board.spacer:
            continue
        archives[number] = archive = library.open(board.placement.name)
        if archive.has_los_data:
            changed[number] = grids = apply_rules(archive, board.placement.rules)
            not_too_unclear(sum(len(one.unclear_areas) for one in changed.values()))
            seasonal = apply_season(grids, month) or seasonal
    losmap = _los_map(layout, archives, changed)
    painted_map = None if losmap is None else _painted_map(losmap, painting.names, month)
    source = PixelSource(layout, archives, changed, losmap, painted_map)
    unclear, overlay_problems = _overlays(layout, library)
    return BareGround(
        layout,
        source,
        lambda obstacles: _board_sights(painted_map, obstacles, layout),
        painted=painting.names,
        buildings=painting.buildings,
        unclear=unclear,
        problems=(*layout.problems, *source.problems(), *overlay_problems),
        losmap=painted_map,
        seasonal=seasonal,
    )


def _los_map(
    layout: Layout, archives: Mapping[int, BoardArchive], changed: Mapping[int, ChangedBoard]
) -> LosMap | None:
    """Join the boards that have terrain; spacers stay out, so edges are the boards' own."""
    if not changed:
        return None
    numbers = sorted(changed)
    scale = layout.boards[numbers[0]].placement.zoom
    corners = [layout.boards[n] for n in numbers if layout.boards[n].placement.zoom == scale]
    left, top = min(b.x for b in corners), min(b.y for b in corners)
    placed = [
        PlacedBoard.of(
            archives[number],
            name=board.key,
            reversed_=board.placement.reversed,
            crop=board.crop if board.placement.crop else None,
            column=board.placement.column,
            row=board.placement.row,
            terrain=changed[number].terrain,
            elevation=changed[number].elevation,
            at=(round((board.x - left) / scale), round((board.y - top) / scale)),
        )
        for number in numbers
        for board in [layout.boards[number]]
        if board.placement.zoom == scale
    ]
    return build_los_map(placed)


def _painted_map(losmap: LosMap, names: Mapping[str, str], month: int | None) -> LosMap:
    rules = terrain_map()
    leafless = terrain_table().code("Orchard, Out of Season")
    codes = {}
    for at, word in names.items():
        if at in losmap:
            bare = word == "orchard" and not rules.orchard_in_leaf(month)
            codes[at] = leafless if bare else rules.paint.get(word, OPEN_GROUND)
    return losmap.painted(codes)


def _board_sights(losmap: LosMap | None, obstacles: Obstacles, layout: Layout) -> Sights:
    from vassal_bridge.board.ground_sights import BoardSights

    return BoardSights(losmap, obstacles, layout)


# -- overlays ----------------------------------------------------------------------------------


def _overlays(
    layout: Layout, library: BoardLibrary
) -> tuple[frozenset[str], tuple[BoardProblem, ...]]:
    """Hexes that picker overlays may cover, those they are fixed on first: not understood."""
    problems = []
    sizes: dict[str, tuple[float, float] | None] = {}
    for number, board in enumerate(layout.boards):
        if not board.placement.overlays:
            continue
        cells = [cell for cell in map(layout.cell, layout.drawn()) if number in dict(cell.parts)]
        for overlay in board.placement.overlays:
            if overlay.name not in sizes:
                sizes[overlay.name] = _overlay_size(library, overlay.name)
            text = f"overlay {overlay.name} on board {board.key} is not understood"
            under = _under_overlay(board, overlay, sizes[overlay.name], cells)
            fixed = {overlay.first.upper(), overlay.second.upper()}
            ends = [cell.name for cell in cells if dict(cell.parts)[number] in fixed]
            problems.append(BoardProblem("overlay", text, tuple(dict.fromkeys((*ends, *under)))))
    hexes = {at for problem in problems for at in problem.hexes}
    return frozenset(hexes), tuple(problems)


def _under_overlay(
    board: BoardOnMap,
    overlay: PickerOverlay,
    size: tuple[float, float] | None,
    cells: Sequence[Cell],
) -> tuple[str, ...]:
    """Hexes of a board, of `cells`, that an overlay of a size in pixels may cover.

    The hexes it is fixed on lie somewhere in its picture, and may be cropped away themselves. Where
    they or the size are not known it may cover all of its board.
    """
    grid, zoom = board.shape.grid, board.placement.zoom
    fixed = {overlay.first.upper(), overlay.second.upper()}
    ends = [grid.read(printed) for printed in sorted(fixed)]
    if size is None and len(fixed) == 1:
        size = (OVERLAY_REACH * grid.dx, OVERLAY_REACH * grid.dy)
    if size is None or None in ends:
        return tuple(cell.name for cell in cells)
    points = [board.to_map(*grid.exact_centre(*end)) for end in ends if end is not None]
    across = (size[0] + grid.dx * 2 / 3) * zoom
    down = (size[1] + grid.dy / 2) * zoom
    return tuple(
        cell.name
        for cell in cells
        if any(abs(cell.x - x) < across and abs(cell.y - y) < down for x, y in points)
    )


def _overlay_size(library: BoardLibrary, overlay: str) -> tuple[float, float] | None:
    """Width and height in pixels of the largest pictures of an overlay, None if not at hand."""
    try:
        archive = library.open_overlay(overlay)
        pictures = [name for name in archive.members if name.lower().endswith((".gif", ".png"))]
        turned = re.compile(rf"ovr{re.escape(overlay)}[a-f]", re.IGNORECASE)
        own = [name for name in pictures if turned.fullmatch(PurePosixPath(name).stem)]
        sizes = [
            size
            for name in own or pictures
            for size in [image_size(archive.member(name) or b"")]
            if size is not None
        ]
    except VassalBridgeError:
        return None
    if not sizes:
        return None
    return max(width for width, _ in sizes), max(height for _, height in sizes)
