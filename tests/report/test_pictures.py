"""Pictures: what is drawn where, well-formed, the same every time, two painters alike."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from lxml import etree
from PIL import Image

from tests.report.hostile import CLOSING, SCRIPT, hostile_job
from tests.report.sketch import SketchGround, SketchLoaded, picture_of
from vassal_bridge.errors import LimitReached, UsageError
from vassal_bridge.report import speech
from vassal_bridge.report.catalogue import words_in
from vassal_bridge.report.draw.colours import ALARM, DUTIES, INKS, NATIONS, PLAIN_NATION
from vassal_bridge.report.draw.compose import PAD, interesting, report_scene
from vassal_bridge.report.draw.counters import counter, stacks
from vassal_bridge.report.draw.overlay import Overlay
from vassal_bridge.report.draw.panel import unused_signs
from vassal_bridge.report.draw.png import png
from vassal_bridge.report.draw.scene import (
    Box,
    CounterArt,
    Group,
    Label,
    Path,
    Scene,
    Shape,
    Stamps,
    View,
    box_of,
    moved_by,
    text_width,
    wrap,
)
from vassal_bridge.report.draw.svg import SVG
from vassal_bridge.report.formats import FORMATS, write_report
from vassal_bridge.report.job import Job, Options
from vassal_bridge.report.picture import CounterShape, Tile
from vassal_bridge.report.pictures import job_scene
from vassal_bridge.report.safety import plain_line
from vassal_bridge.xmlsafe import parse_xml


def svg_of(job: Job) -> etree._Element:
    return parse_xml(write_report(job, "svg"), "svg")


def texts(root: etree._Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{{{SVG}}}text")]


def gif(size: tuple[int, int] = (48, 48), colour: str = "#ff00ff") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "GIF")
    return out.getvalue()


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


# -- what a reader must find ------------------------------------------------------------------


def test_the_picture_holds_badges_ends_bars_odds_and_key(job: Job) -> None:
    said = texts(svg_of(job))
    for badge in ("ELIM", "MUST +DM", "MUST ?", "MAY"):
        assert badge in said
    for end in ("B1", "B8", "C1", "C4", "D1", "D7"):
        assert said.count(end) >= 2  # on the map and in the panel
    assert "MUST ROUT ?" in said  # in the panel too
    assert said.count("R38") >= 6
    assert said.count("42%") >= 6
    assert "Key" in said
    assert any(text.startswith("4-4-7 in zN5") for text in said)


def test_titles_explain_marks(job: Job) -> None:
    titles = [str(node.text) for node in svg_of(job).iter(f"{{{SVG}}}title")]
    assert "D: zL8 – closer to 4-6-7 in zL7, range 2 to 1 [R38]" in titles
    assert any(title.startswith("B5: zM9, 3 MF by zN8; interdicted in zN8") for title in titles)


def test_one_unit_alone_has_fire_lanes_and_known_enemies(job: Job) -> None:
    alone = replace(job, options=Options(unit="zN7"))
    said = texts(svg_of(alone))
    assert "Known enemy" in said
    assert "ELIM" not in said
    with pytest.raises(UsageError, match="no broken unit 'zA1'"):
        write_report(replace(job, options=Options(unit="zA1")), "svg")


def test_the_whole_map_or_what_matters(job: Job) -> None:
    part, whole = job_scene(job), job_scene(replace(job, options=Options(whole_map=True)))
    assert whole.width > 1.4 * part.width
    names = texts(svg_of(job))
    assert "zN5" in names
    assert "zA1" not in names  # far away: cut off


@pytest.mark.parametrize("corner", [(0.0, 0.0), (1.0, 1.0)])
def test_units_of_half_hexes_at_the_edge_are_shown_whole(
    job: Job, corner: tuple[float, float]
) -> None:
    assert job.picture is not None
    entry = speech.entries(job.report())[0]
    spot = (corner[0] * job.picture.width, corner[1] * job.picture.height)
    moved = tuple(
        replace(shape, centre=spot) if shape.name == entry.unit.hex else shape
        for shape in job.picture.hexes
    )
    picture = replace(job.picture, hexes=moved)
    left, top, right, bottom = interesting(picture, (entry,))
    badges = Overlay(picture, words_in("en")).badges([entry, entry])
    here = [each for each in stacks(picture) if ("data-hex", entry.unit.hex) in each.marks]
    assert here
    parts = [part for group in (*badges, *here) for part in plain(group)]
    corners = [point for part in parts for point in extent(part)]
    assert all(left <= x <= right and top <= y <= bottom for x, y in corners)


def test_no_more_paper_than_needed_beyond_the_map(job: Job) -> None:
    assert job.picture is not None
    entries = speech.entries(job.report())
    shapes = job.picture.by_name()
    _, top, _, bottom = interesting(job.picture, entries)
    if min(shapes[entry.unit.hex].centre[1] for entry in entries) > 64.5 * 1.1:
        assert top >= 0
    assert bottom <= job.picture.height + PAD


def test_the_key_explains_what_is_on_the_map_and_nothing_else(job: Job) -> None:
    said = " ".join(texts(svg_of(job)))
    for part in ("not certain", "gets its DM marker", "enemy-occupied hex", "Known enemy"):
        assert (part in said) == (part != "Known enemy")
    entries = speech.entries(job.report())
    assert unused_signs(entries, numbered=12, known=False) == {"key.known", "key.dots"}
    assert unused_signs(entries, numbered=1) == frozenset()
    assert unused_signs((), numbered=12) == {
        "key.known", "key.dots", "key.doubt", "key.dm", "key.enemy-hexside",
    }  # fmt: skip


@pytest.mark.parametrize("units", [1, 4, 5])
def test_the_map_numbers_the_ends_that_are_listed_and_no_others(job: Job, units: int) -> None:
    """One cut-off for both, as few or as many units as there are."""
    report = job.report()
    pattern = next(unit for unit in report.units if unit.id == "zN7")
    assert job.picture is not None
    hexes = [shape.name for shape in job.picture.hexes if shape.name != pattern.hex][:30]
    ends = [
        pattern.ends[0].model_copy(update={"hex": hex_, "path": [hex_], "interdictions": []})
        for hex_ in hexes
    ]
    same = [pattern.model_copy(update={"id": f"zN7/{n}", "ends": ends}) for n in range(units)]
    report = report.model_copy(update={"units": same})
    scene = report_scene(report, job.picture, words_in("en"))
    label = re.compile(r"[A-E][0-9]+")
    on_map = [
        text
        for view in scene.items
        if isinstance(view, View)
        for mark in marked(view.items, "m")
        for text in said_by(mark.items)
        if label.fullmatch(text)
    ]
    beside = [text for text in said_by(scene.items, inside=False) if label.fullmatch(text)]
    assert len(on_map) == len(set(on_map)) == units * (12 if units <= 4 else 8)
    assert set(on_map) == set(beside)


def said_by(shapes: tuple[Shape, ...], *, inside: bool = True) -> list[str]:
    """The labels of shapes, those of the map only if wanted."""
    found = []
    for shape in shapes:
        if isinstance(shape, Label):
            found.append(shape.text)
        elif isinstance(shape, Group) or (inside and isinstance(shape, View)):
            found += said_by(shape.items, inside=inside)
    return found


def test_no_map_no_picture(job: Job) -> None:
    with pytest.raises(UsageError, match="no map is known"):
        write_report(replace(job, picture=None), "svg")


def test_unknown_format(job: Job) -> None:
    assert list(FORMATS) == ["text", "json", "html", "svg", "png"]
    with pytest.raises(UsageError, match="format 'gif' is unknown"):
        write_report(job, "gif")


# -- marks keep off counters ------------------------------------------------------------------


def plain(shape: Shape) -> Iterator[Shape]:
    """The single shapes in a group, stamps where they lie."""
    if isinstance(shape, Group):
        for each in shape.items:
            yield from plain(each)
    elif isinstance(shape, Stamps):
        for x, y in shape.places:
            for each in shape.items:
                yield moved_by(each, x, y)
    else:
        yield shape


def extent(shape: Shape) -> list[tuple[float, float]]:
    """Corners of what a shape covers, texts estimated."""
    if isinstance(shape, Group):
        return [point for each in shape.items for point in extent(each)]
    if isinstance(shape, Box):
        return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
    if isinstance(shape, Path):
        return list(shape.points)
    if isinstance(shape, Label):
        half = text_width(shape.text, shape.size, bold=shape.bold) / 2
        return [(shape.x - half, shape.y - shape.size / 2), (shape.x + half, shape.y)]
    return []


def overlap(one: Shape, two: Shape) -> float:
    """Area that two shapes share, as a share of the second."""
    a, b = box_of(extent(one)), box_of(extent(two))
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    return max(0.0, wide) * max(0.0, high) / ((b[2] - b[0]) * (b[3] - b[1]))


def marked(shapes: tuple[Shape, ...], name: str) -> list[Group]:
    found: list[Group] = []
    for shape in shapes:
        if isinstance(shape, Group):
            if ("class", name) in shape.marks:
                found.append(shape)
            found += marked(shape.items, name)
    return found


def test_badges_and_ends_do_not_cover_counters(job: Job) -> None:
    assert job.picture is not None
    entries = speech.entries(job.report())
    layers = Overlay(job.picture, words_in("en")).layers(entries)
    counters = [
        Group(tuple(plain(each))[:2])
        for stack in stacks(job.picture)
        for each in marked((stack,), "counter")
    ]
    assert len(counters) == 8
    for mark in (*marked(layers.over, "m"), *marked(layers.over, "badge")):
        for each in counters:
            assert overlap(mark, each) < 0.08, (mark.title, overlap(mark, each))


def test_marks_of_several_units_in_one_hex_do_not_hide_each_other(job: Job) -> None:
    assert job.picture is not None
    layers = Overlay(job.picture, words_in("en")).layers(speech.entries(job.report()))
    marks = marked(layers.over, "m")
    assert len(marks) == 19
    for n, one in enumerate(marks):
        for two in marks[n + 1 :]:
            assert overlap(one, two) < 0.25, (one.title, two.title)


def test_routes_lie_under_counters_and_stretches_are_drawn_once(job: Job) -> None:
    assert job.picture is not None
    entries = [entry for entry in speech.entries(job.report()) if entry.unit.id == "zN7"]
    layers = Overlay(job.picture, words_in("en")).layers(entries)
    heads = [
        shape
        for group in layers.under
        if isinstance(group, Group)
        for shape in group.items
        if isinstance(shape, Path) and shape.closed and len(shape.points) == 3
    ]
    steps = {
        step
        for each in entries[0].moves
        for step in zip(("zN7", *each.end.path), each.end.path, strict=False)
    }
    assert len(heads) == len(steps) == 8


def test_a_crawl_is_drawn_as_one_where_it_may_walk_too(job: Job) -> None:
    assert job.picture is not None
    report = job.report()
    unit = next(unit for unit in report.units if unit.id == "zN7")

    def drawn(**changes: object) -> tuple[object, ...]:
        assert job.picture is not None
        end = unit.ends[0].model_copy(update={"path": ["zN8"], "hex": "zN8", **changes})
        changed = unit.model_copy(update={"ends": [end]})
        entries = speech.entries(report.model_copy(update={"units": [changed]}))
        return tuple(Overlay(job.picture, words_in("en")).layers(entries).under)

    crawl, walk = drawn(how="crawl"), drawn(how="both")
    assert drawn(how="both", on_foot=[]) == crawl != walk


# -- colours ------------------------------------------------------------------------------------


def test_white_letters_are_readable_on_every_ink() -> None:
    for colour in (*(each.colour for each in INKS), *DUTIES.values(), ALARM):
        assert contrast(colour, "#ffffff") >= 4.5, colour
    assert len({each.colour for each in INKS}) == len({each.dash for each in INKS}) == len(INKS)


def test_factors_are_readable_on_every_nation() -> None:
    for paper, ink in (*NATIONS.values(), PLAIN_NATION):
        assert contrast(paper, ink) >= 4.5, paper


# -- counters -----------------------------------------------------------------------------------


def test_a_stack_says_how_many_more_lie_below() -> None:
    shapes = tuple(CounterShape(str(n), "zN7", "4-6-7", "German", "squad", (), n) for n in range(7))
    (stack,) = stacks(picture_of(SketchGround(), shapes))
    assert len(marked((stack,), "counter")) == 4
    assert "+3" in [shape.text for shape in stack.items if isinstance(shape, Label)]


def test_units_that_may_rout_are_drawn_over_those_that_cannot() -> None:
    """However the stack lies: the badge below is theirs."""
    order = (
        ("a", "squad", ("broken",)), ("b", "squad", ()), ("c", "sw", ()), ("d", "leader", ("dm",)),
        ("e", "gun", ("broken",)), ("f", "leader", ("broken", "dm")),
    )  # fmt: skip
    shapes = tuple(
        CounterShape(id_, "zN7", "4-4-7", "German", kind, states, n)
        for n, (id_, kind, states) in enumerate(order)
    )
    (stack,) = stacks(picture_of(SketchGround(), shapes))
    drawn = [dict(each.marks)["data-id"] for each in marked((stack,), "counter")]
    assert drawn == ["b", "d", "a", "f"]


def test_a_concealed_counter_tells_nothing() -> None:
    shape = CounterShape("7", "zN7", "8-1", "German", "leader", ("dm",), images=("ge/geL81",),
                         concealed=True)  # fmt: skip
    drawn = counter(shape, (0, 0), 40, lambda _: gif())
    assert drawn.title == "?"
    assert not any(isinstance(each, CounterArt) for each in drawn.items)
    assert [each.text for each in plain(drawn) if isinstance(each, Label)] == ["?"]


def test_module_art_is_layered_and_scaled() -> None:
    shape = CounterShape("1", "zN7", "4-4-7", images=("base", "flag"))
    art = {"base": gif((48, 48)), "flag": gif((24, 12))}.get
    drawn = [each for each in counter(shape, (100, 100), 40, art).items
             if isinstance(each, CounterArt)]  # fmt: skip
    assert [(each.width, each.height) for each in drawn] == [(40, 40), (20, 10)]
    assert (drawn[1].x, drawn[1].y) == (90, 95)


def test_without_all_of_its_art_a_counter_is_drawn() -> None:
    shape = CounterShape("1", "zN7", "4-4-7", "Russian", "squad", images=("base", "missing"))
    drawn = counter(shape, (0, 0), 40, {"base": gif()}.get)
    assert not any(isinstance(each, CounterArt) for each in drawn.items)
    broken = counter(shape, (0, 0), 40, {"base": b"GIF", "missing": gif()}.get)
    assert not any(isinstance(each, CounterArt) for each in broken.items)


def test_a_long_name_is_cut_to_its_counter() -> None:
    shape = CounterShape("1", "zN7", "W" * 300)
    (label,) = [each for each in plain(counter(shape, (0, 0), 40)) if isinstance(each, Label)]
    assert text_width(label.text, label.size, bold=True) <= 40
    assert label.text.endswith("…")


# -- painters -----------------------------------------------------------------------------------


def test_pictures_are_the_same_every_time(job: Job) -> None:
    assert write_report(job, "svg") == write_report(job, "svg")
    assert write_report(job, "png") == write_report(job, "png")


def test_nothing_remote_and_nothing_that_runs_in_an_svg() -> None:
    data = write_report(hostile_job(), "svg").decode()
    root = parse_xml(data.encode(), "svg")
    assert not list(root.iter(f"{{{SVG}}}script"))
    assert "<script" not in data
    assert not re.search(r"(href|src)=\"(?!data:|#)", data)
    assert not any(name.startswith("on") for node in root.iter() for name in node.attrib)
    shown = "".join(texts(root))
    assert plain_line(SCRIPT)[:20] in shown
    assert CLOSING[:9] in data.replace("&lt;", "<").replace("&gt;", ">")


def test_png_has_the_asked_width_and_the_scenes_shape(job: Job) -> None:
    scene = job_scene(job)
    for width in (300, 640):
        data = write_report(replace(job, options=Options(width=width)), "png")
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.format == "PNG"
            assert picture.width == width
            assert picture.height == round(scene.height * width / scene.width)


def test_png_shows_what_the_svg_says(job: Job) -> None:
    with Image.open(io.BytesIO(write_report(job, "png"))) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}
    for wanted in (*(each.colour for each in INKS[:4]), DUTIES["must"], DUTIES["may"], "#b9c57e"):
        assert tuple(int(wanted[n : n + 2], 16) for n in (1, 3, 5)) in colours, wanted


@pytest.mark.parametrize("width", [0, -3, 8001])
def test_png_width_has_limits(job: Job, width: int) -> None:
    with pytest.raises(UsageError, match="1 to 8000 pixels wide"):
        write_report(replace(job, options=Options(width=width)), "png")


def test_png_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(LimitReached, match="too large"):
        png(Scene(8000, 8000, ()))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_names_can_be_painted(lang: str) -> None:
    for name in ("svg", "png"):
        assert len(write_report(hostile_job(Options(lang=lang)), name)) > 1000  # type: ignore[arg-type]


def test_tiles_are_placed_cropped_and_turned(village: SketchLoaded) -> None:
    out = io.BytesIO()
    board = Image.new("RGB", (200, 100), "#0000ff")
    board.paste("#ff0000", (0, 0, 100, 100))
    board.save(out, "PNG")
    assert village.picture is not None
    left = Tile(out.getvalue(), "image/png", (200, 100), 0, 0, (0, 0, 200, 100), True)
    right = Tile(out.getvalue(), "image/png", (200, 100), 200, 0, (100, 0, 100, 100), False, 2.0)
    picture = replace(village.picture, tiles=(left, right), counters=(), width=400.0, height=200.0)
    empty = Job(village, (), picture, Options())
    scene = job_scene(empty)
    with Image.open(io.BytesIO(png(scene))) as painted:
        scale = scene.items[0].scale  # type: ignore[union-attr]
        pad = PAD * scale

        def at(x: float, y: float) -> tuple[int, ...]:
            pixel = painted.convert("RGB").getpixel(
                (round(pad + x * scale), round(pad + y * scale))
            )
            assert isinstance(pixel, tuple)
            return pixel

        assert at(20, 50) == (0, 0, 255)  # turned: blue lies left
        assert at(180, 50) == (255, 0, 0)
        assert at(300, 150) == (0, 0, 255)  # cropped to the blue half, twice as large
    root = svg_of(empty)
    images = list(root.iter(f"{{{SVG}}}image"))
    assert images[0].get("transform") == "translate(200 100) rotate(180)"
    assert images[1].getparent().get("viewBox") == "100 0 100 100"


def test_a_damaged_board_picture_is_left_out(village: SketchLoaded, job: Job) -> None:
    assert village.picture is not None
    bad = Tile(gif((10, 10))[:40], "image/gif", (1800, 645), 0, 0, (0, 0, 1800, 645))
    picture = replace(village.picture, tiles=(bad,))
    assert png(job_scene(replace(job, picture=picture))).startswith(b"\x89PNG")


# -- texts ----------------------------------------------------------------------------------------


def test_wrapped_lines_fit_and_lose_nothing() -> None:
    for text in (
        "Has to leave, but no first step is legal, not even by Low Crawl",
        "必须离开，" * 9,
    ):
        lines = wrap(text, 12, 120)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(text_width(line, 12) <= 121 for line in lines)
        assert not any(line.startswith(("，", "。")) for line in lines)


def test_a_word_longer_than_the_line_stands_alone() -> None:
    assert wrap("a " + "x" * 90 + " b", 12, 60) == ("a", "x" * 90, "b")
