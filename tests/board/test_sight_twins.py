"""Three ways to one answer: the plain walk, the fast walk and the fan agree on any board.

The plain walk judges every pixel; the fast one skips what cannot matter; the fan compares slopes.
"""

from __future__ import annotations

import random
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.board import boards
from tests.board.randomboards import random_map
from tests.shared import BOARDS, needs_shared
from vassal_bridge.board import sightgrid
from vassal_bridge.board.archive import open_board
from vassal_bridge.board.losmap import LosMap, PlacedBoard, build_los_map
from vassal_bridge.board.sight import SightEngine
from vassal_bridge.board.sightfast import Path
from vassal_bridge.board.sightfield import FARTHEST, beside_another, distance_field
from vassal_bridge.board.sightgrid import SightGrid
from vassal_bridge.board.sightkit import WALKS_BEFORE_FAN, SightKit
from vassal_bridge.board.sightpartners import NO_PARTNER, OWN
from vassal_bridge.board.sightrules import SightTables
from vassal_bridge.board.walk import Walked, Walker, pixels

POINT = st.tuples(st.integers(0, 1799), st.integers(0, 644))


@settings(max_examples=300, deadline=None)
@given(POINT, POINT)
def test_paths_visit_the_pixels_of_the_plain_walk(
    source: tuple[int, int], target: tuple[int, int]
) -> None:
    plain = [y * 1800 + x for x, y in pixels(source, target)]
    fast = Path(source, target, 1800).all_pixels().tolist()
    once = [p for i, p in enumerate(fast) if i == 0 or fast[i - 1] != p]
    plain_once = [p for i, p in enumerate(plain) if i == 0 or plain[i - 1] != p]
    assert once == plain_once
    assert plain[0] == source[1] * 1800 + source[0]
    assert plain[-1] % 1800 == target[0]
    assert abs(plain[-1] // 1800 - target[1]) <= 1


@pytest.mark.parametrize("seed", [1, 2])
def test_partners_are_the_neighbours_whose_outlines_have_a_pixel(seed: int) -> None:
    losmap = random_map(seed)
    tables, info = losmap.kit.tables, losmap.kit.grid.partners
    rng = random.Random(seed)
    hexes = range(len(tables.aim))
    for _ in range(20_000):
        x, y = rng.randrange(info.shape[0]), rng.randrange(info.shape[1])
        hex_ = int(losmap.hex_grid[x, y])
        if hex_ not in hexes:
            continue
        has = [other >= 0 and tables.in_extended(other, x, y) for other in tables.beside[hex_]]
        side = has.index(True) if True in has else NO_PARTNER
        own = OWN if tables.in_extended(hex_, x, y) else 0
        assert info[x, y] == side | own, (x, y)


def test_classes_are_the_same_however_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    losmap = random_map(5)
    table = SightGrid(losmap)
    monkeypatch.setattr(sightgrid, "MAX_KEYS", 0)
    sorted_ = SightGrid(losmap)
    assert np.array_equal(table.flat, sorted_.flat)
    for one, other in ((table.classes, sorted_.classes), (table.runs, sorted_.runs)):
        for name in (each.name for each in fields(one)):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def same(a: Walked, b: Walked) -> bool:
    return a.block == b.block and a.line.hindrances == b.line.hindrances


def compare(losmap: LosMap, seed: int, sources: int, plain: int) -> None:
    """Fans of some sources against single walks, and some single walks against plain ones."""
    kit, walker, rng = losmap.kit, Walker(losmap), random.Random(seed)
    hexes = kit.targets.tolist()
    for source in rng.sample(hexes, sources):
        level = rng.randint(0, kit.tables.storeys[source])
        to = rng.choice((0, 0, 1, 2))
        fan = kit.fan(source, level, to)
        for at, target in enumerate(hexes):
            if target == source:
                continue
            walked = kit.single.walk(source, level, target, to)
            told = (losmap.name(source), level, losmap.name(target), to)
            assert fan.blocked[at] == (walked.block is not None), told
            assert fan.blocked[at] or fan.hindrance[at] == walked.line.hindrance, told
            assert fan.range[at] == walked.line.range, told
    for _ in range(plain):
        source, target = rng.sample(hexes, 2)
        levels = [rng.randint(0, kit.tables.storeys[h]) for h in (source, target)]
        pair = (source, levels[0], target, levels[1])
        assert same(kit.single.walk(*pair), walker.walk(*pair)), pair


@pytest.mark.parametrize("seed", range(24))
def test_twins_agree_on_random_boards(seed: int) -> None:
    compare(random_map(seed), seed, sources=5, plain=40)


@pytest.mark.parametrize("seed", range(100, 112))
def test_twins_agree_when_lines_leap(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_bridge.board.sightgrid.WALKS_BEFORE_FIELD", 0)
    monkeypatch.setattr("vassal_bridge.board.sightgrid.MAX_SIGHT_FIELDS", 99)
    monkeypatch.setattr("vassal_bridge.board.sightgrid.NOISE_SHARE", 1.0)
    losmap = random_map(seed)
    compare(losmap, seed, sources=3, plain=80)
    assert losmap.kit.grid.field(0, 0) is not None


@pytest.mark.parametrize(("dots", "size"), [(0.02, (23, 31)), (0.0, (90, 200)), (0.0005, (75, 64))])
def test_distances_are_never_too_long_and_hardly_too_short(
    dots: float, size: tuple[int, int]
) -> None:
    rng = np.random.default_rng(4)
    labels = (rng.random(size) < dots).astype(np.uint16)
    labels[5:9, 3:12] = 7
    field = distance_field(beside_another(labels))
    ys, xs = np.mgrid[0 : size[0], 0 : size[1]]
    for y in range(0, size[0], 3):
        for x in range(0, size[1], 2):
            other = labels != labels[y, x]
            true = np.maximum(abs(ys - y), abs(xs - x))[other].min()
            assert field[y, x] <= true
            assert field[y, x] >= (true if true <= 9 else 0.8 * true)


def test_distances_end_somewhere() -> None:
    labels = np.zeros((3, 900), np.uint16)
    labels[:, 0] = 1
    field = distance_field(beside_another(labels))
    assert field[1, 899] == field.max()
    assert 200 <= field.max() <= FARTHEST
    assert distance_field(beside_another(labels[:, 1:])).min() == field.max()


def test_no_distances_are_kept_on_dotted_boards_or_beyond_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vassal_bridge.board.sightgrid.WALKS_BEFORE_FIELD", 0)
    monkeypatch.setattr("vassal_bridge.board.sightgrid.MAX_SIGHT_FIELDS", 1)
    grid = boards.drawn({"C2": "Woods"}).kit.grid
    assert grid.field(0, 0) is not None
    assert grid.field(0, 1) is None
    monkeypatch.setattr("vassal_bridge.board.sightgrid.NOISE_SHARE", 0.0)
    assert boards.drawn({"C2": "Woods"}).kit.grid.field(0, 0) is None


@needs_shared
@pytest.mark.parametrize("board", ["02", "m", "q", "s", "u", "x"])
def test_twins_agree_on_boards_without_a_table(board: str) -> None:
    losmap = build_los_map([PlacedBoard.of(open_board(BOARDS / f"bd{board}"))])
    compare(losmap, 1, sources=6, plain=25)


@needs_shared
def test_twins_agree_on_joined_reversed_and_cropped_boards() -> None:
    def part(name: str, column: int, row: int, **how: object) -> PlacedBoard:
        archive = open_board(BOARDS / f"bd{name}")
        return PlacedBoard.of(archive, column=column, row=row, **how)  # type: ignore[arg-type]

    for boards_ in (
        [part("02", 0, 0), part("03", 0, 1, reversed_=True)],
        [
            part("z", 0, 0, reversed_=True, crop=(928, 0, 872, -1)),
            part("y", 0, 1, crop=(0, 0, 872, -1)),
        ],
        [part("r", 0, 0, crop=(956, 0, 844, -1)), part("z", 1, 0, crop=(0, 0, 872, -1))],
        [
            part("u", 0, 0, reversed_=True, crop=(872, 0, 928, -1)),
            part("v", 0, 1, crop=(0, 0, 928, 387)),
        ],
        [part("k", 0, 0, crop=(500, 200, 1500, 700))],
    ):
        losmap = build_los_map(boards_)
        assert not losmap.misfits
        compare(losmap, 2, sources=3, plain=12)


@needs_shared
@pytest.mark.parametrize("crop", [(928, 0, 872, 645), (0, 0, 872, 645), (591, 129, 1012, 387)])
def test_a_line_inside_a_crop_is_the_one_on_the_full_board(
    crop: tuple[int, int, int, int],
) -> None:
    archive = open_board(BOARDS / "bd03")
    full = build_los_map([PlacedBoard.of(archive)])
    cut = build_los_map([PlacedBoard.of(archive, crop=crop)])
    rng, differ, count = random.Random(5), 0, 0
    width, height = cut.terrain.shape
    inner = [
        name
        for name in cut.names
        for x, y in [cut.aim(name)]
        # Along the very edge the hexes cut off are missing on one side of the line.
        if 0 < x < width - 1 and 0 < y < height - 1
    ]
    assert all(np.array_equal(np.add(cut.aim(n), crop[:2]), full.aim(n)) for n in inner)
    assert len(inner) > 0.7 * len(cut.names)
    for _ in range(1500):
        a, b = rng.sample(inner, 2)
        count += 1
        ours, theirs = (m.kit.single.walk(m.index(a), 0, m.index(b), 0) for m in (cut, full))
        differ += (ours.block is None) != (theirs.block is None)
        differ += ours.line.hindrance != theirs.line.hindrance
    assert differ == 0, f"{differ} of {count}"


@needs_shared
@pytest.mark.parametrize("board", ["02", "m", "q", "s", "u", "x"])
def test_sight_is_mutual_but_for_the_last_pixel(board: str) -> None:
    """In VASL's tables 0 to 3 of 59,685 pairs differ from A to B and back (algorithm.md 4.6)."""
    losmap = build_los_map([PlacedBoard.of(open_board(BOARDS / f"bd{board}"))])
    engine = SightEngine(losmap)
    rng = random.Random(board)
    names = rng.sample(losmap.names, 60)
    fans = {name: engine.fan(name) for name in names}
    pairs = [(a, b) for a in names for b in names if a < b]
    one_way = sum(fans[a][b].clear != fans[b][a].clear for a, b in pairs)
    unequal = sum(fans[a][b].range != fans[b][a].range for a, b in pairs)
    assert len(pairs) == 1770
    assert (one_way <= 1, unequal) == (True, 0)


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    losmap = random_map(7)
    fresh = losmap.kit
    hexes = fresh.targets.tolist()
    source = hexes[3]
    first = [fresh.answer(source, 0, target, 0) for target in hexes]
    again = [fresh.answer(source, 0, target, 0) for target in hexes]
    for (blocked, distance, hindrance), later in zip(first, again, strict=True):
        assert (blocked, distance) == later[:2]
        assert blocked or hindrance == later[2]
    assert len(hexes) > WALKS_BEFORE_FAN


def test_ranges_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_bridge.board.sightrules.MAX_RANGE_ROWS", 2)
    tables = SightTables(boards.drawn())
    first = tables.ranges(0)
    assert tables.ranges(0) is first
    assert [tables.ranges(i)[i] for i in (5, 6, 7)] == [0, 0, 0]
    assert tables.ranges(0) is not first
    assert tables.ranges(0) == first


def test_fans_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vassal_bridge.board.sightkit.MAX_FAN_TARGETS", 100)
    losmap = boards.drawn()
    kit = SightKit(losmap)
    fans = [kit.fan(source, 0) for source in kit.targets.tolist()[:4]]
    assert kit.fan(int(kit.targets[3]), 0) is fans[3]
    assert kit.fan(int(kit.targets[0]), 0) is not fans[0]
