"""The picture of the invented board `demo`: own drawing, made from `make_demo_scene`."""

from __future__ import annotations

from typing import Any

import numpy as np
from make_demo_scene import (
    BRUSHES,
    HEIGHT,
    HOUSES,
    ORCHARDS,
    ROAD_HALF_WIDTH,
    WIDTH,
    WOODS,
    Field,
    House,
    Mask,
    Point,
    Wing,
    brush_field,
    centre,
    elevation_grid,
    grain_mask,
    hex_names,
    near_segment,
    noise,
    orchard_mask,
    pixel_axes,
    road_field,
    wing_coordinates,
    woods_field,
)
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[float, float, float]
Picture = NDArray[np.float32]
Cover = NDArray[np.floating[Any]] | Mask | float

GRASS: Colour = (163, 179, 110)
HILL_TOP: Colour = (197, 177, 116)
HILL_LIGHT: Colour = (214, 197, 140)
CREST: Colour = (128, 104, 58)
GRAIN_GOLD: Colour = (232, 205, 104)
FURROW: Colour = (205, 172, 74)
BRUSH_BASE: Colour = (147, 158, 88)
BRUSH_TUFT: Colour = (98, 116, 52)
SAND: Colour = (222, 199, 148)
RUT: Colour = (191, 163, 112)
LEAF_DARK: Colour = (38, 62, 30)
LEAF: Colour = (74, 108, 50)
LEAF_LIGHT: Colour = (124, 153, 76)
FRUIT_LEAF: Colour = (108, 142, 62)
SHADOW: Colour = (40, 44, 24)
INK: Colour = (26, 24, 20)
CLAY: tuple[Colour, Colour] = ((178, 98, 66), (136, 68, 46))
SLATE: tuple[Colour, Colour] = ((150, 152, 156), (106, 108, 116))
GRID: Colour = (48, 52, 34)


def blend(picture: Picture, colour: Colour, alpha: Cover) -> None:
    """Lay a colour over the picture with the given opacity (0..1), pixel by pixel."""
    cover = np.asarray(alpha, dtype=np.float32)
    if cover.ndim == 0:
        cover = np.full(picture.shape[:2], cover, dtype=np.float32)
    picture += (np.asarray(colour, dtype=np.float32) - picture) * cover[:, :, None]


def shifted(field: Field | Mask, dx: int, dy: int) -> Field:
    """The field moved right and down, for shadows; zeros come in."""
    moved = np.zeros(field.shape, dtype=np.float32)
    moved[dy:, dx:] = field[:-dy, :-dx]
    return moved


def draw_ground(picture: Picture) -> None:
    """Grass with broad, soft patches."""
    picture[:] = np.asarray(GRASS, dtype=np.float32)
    light = noise(90, 11) * 7 + noise(31, 12) * 4
    picture += light[:, :, None] * np.asarray((1, 1, 0.7), dtype=np.float32)


def draw_hill(picture: Picture) -> None:
    """Level 1: a warmer ground inside a crest line, with a shaded slope to the south-east."""
    top = elevation_grid().astype(bool)
    soft = top.astype(np.float32)
    for step, strength in ((2, 0.20), (4, 0.14), (7, 0.10), (10, 0.06)):
        blend(picture, SHADOW, shifted(top, step, step) * (1 - soft) * strength)
    blend(picture, HILL_TOP, soft * 0.85)
    blend(picture, HILL_LIGHT, soft * np.clip(noise(37, 13) * 0.7, 0, 1) * 0.5)
    inner = top.copy()
    for step in range(6):
        shrunk = inner.copy()
        for axis in (0, 1):
            shrunk &= np.roll(inner, 1, axis) & np.roll(inner, -1, axis)
        strength = 0.85 if step < 2 else 0.28 - 0.05 * step
        blend(picture, CREST, (inner & ~shrunk).astype(np.float32) * strength)
        inner = shrunk


def draw_grain(picture: Picture) -> None:
    """Fields of ripe grain with furrows."""
    field = grain_mask()
    x, y = pixel_axes()
    furrow = np.mod(x * 0.5 + y, 6) < 2
    blend(picture, GRAIN_GOLD, field)
    blend(picture, FURROW, (field & furrow).astype(np.float32) * 0.7)
    inner = field & np.roll(field, 2, 0) & np.roll(field, -2, 0)
    inner &= np.roll(field, 2, 1) & np.roll(field, -2, 1)
    blend(picture, FURROW, (field & ~inner).astype(np.float32))


def scatter(names: str, spacing: float, seed: int) -> list[Point]:
    """Points spread over hexes in a jittered lattice, top to bottom (painter's order)."""
    jitter_x, jitter_y = noise(7, seed), noise(7, seed + 1)
    points: list[Point] = []
    for name in names.split():
        cx, cy = centre(name)
        count = int(40 / spacing)
        for row in range(-count, count + 1):
            for column in range(-count, count + 1):
                px = cx + (column + 0.5 * (row % 2)) * spacing
                py = cy + row * spacing * 0.87
                ix, iy = int(px) % WIDTH, int(min(max(py, 0), HEIGHT - 1))
                px += float(jitter_x[iy, ix]) * spacing * 0.5
                py += float(jitter_y[iy, ix]) * spacing * 0.5
                points.append((px, py))
    return sorted(set(points), key=lambda point: (point[1], point[0]))


def draw_crown(picture: Picture, at: Point, radius: float, leaf: Colour) -> None:
    """One tree seen from above, lit from the north-west, with a dark rim."""
    cx, cy = at
    reach = int(radius) + 2
    left, right = max(int(cx) - reach, 0), min(int(cx) + reach + 1, WIDTH)
    top, bottom = max(int(cy) - reach, 0), min(int(cy) + reach + 1, HEIGHT)
    if left >= right or top >= bottom:
        return
    x = np.arange(left, right, dtype=np.float32)[None, :] - cx
    y = np.arange(top, bottom, dtype=np.float32)[:, None] - cy
    distance = np.sqrt(x * x + y * y)
    cover = np.clip(radius - distance + 0.5, 0, 1)[:, :, None]
    light = np.clip(0.45 - (x + 1.3 * y) / (2.6 * radius), 0, 1)[:, :, None]
    dark, bright = np.asarray(LEAF_DARK), np.asarray(LEAF_LIGHT)
    body = dark + (np.asarray(leaf) - dark) * np.clip(light * 2, 0, 1)
    body = body + (bright - body) * np.clip(light * 2 - 1.1, 0, 0.8)
    rim = np.clip(1.3 - np.abs(radius - 0.6 - distance), 0, 1)[:, :, None] * 0.55
    body = body + (dark - body) * rim
    window = picture[top:bottom, left:right]
    window += ((body - window) * cover).astype(np.float32)


def draw_woods(picture: Picture) -> None:
    """Dense crowns over the woods, with a shadow on the ground to the south-east."""
    field = woods_field()
    wood = field < 0
    blend(picture, SHADOW, shifted(wood, 4, 5) * (1 - wood.astype(np.float32)) * 0.38)
    blend(picture, LEAF_DARK, wood)
    for wood_hexes in WOODS:
        for at in scatter(wood_hexes, 9.5, 21):
            ix, iy = int(at[0]), int(at[1])
            if 0 <= ix < WIDTH and 0 <= iy < HEIGHT and field[iy, ix] < -2.5:
                draw_crown(picture, at, 6.2 + 1.6 * ((ix * 7 + iy * 13) % 5) / 4, LEAF)


def draw_brush(picture: Picture) -> None:
    """Low, uneven scrub."""
    field = brush_field()
    blend(picture, BRUSH_BASE, (field < 0).astype(np.float32) * 0.85)
    for patch in BRUSHES:
        for px, py in scatter(patch, 8.5, 31):
            ix, iy = int(px), int(py)
            if 0 <= ix < WIDTH and 0 <= iy < HEIGHT and field[iy, ix] < -1:
                draw_crown(picture, (px, py), 2.6 + ((ix * 5 + iy * 3) % 3) * 0.5, BRUSH_TUFT)


def draw_orchards(picture: Picture) -> None:
    """Rows of fruit trees on mown grass, filling their hex."""
    field = orchard_mask()
    blend(picture, (176, 190, 118), field.astype(np.float32) * 0.6)
    for name in ORCHARDS.split():
        cx, cy = centre(name)
        rows = ((-19.0, (-13, 13)), (-1.0, (-24, 0, 24)), (17.0, (-13, 13)))
        for dy, columns in rows:
            for dx in columns:
                spot = (cx + dx + 3, cy + dy + 4)
                near = near_segment(spot, spot, 12)
                if near:
                    window, gap = near
                    blend(picture[window], SHADOW, np.clip(7.5 - gap, 0, 1) * 0.3)
                draw_crown(picture, (cx + dx, cy + dy), 7.6, FRUIT_LEAF)


def draw_roads(picture: Picture) -> None:
    """Dirt roads with soft verges and two ruts."""
    distance = road_field()
    grain = noise(5, 41) * 0.8
    blend(picture, RUT, np.clip(ROAD_HALF_WIDTH + 0.8 - distance + grain, 0, 1) * 0.8)
    blend(picture, SAND, np.clip(ROAD_HALF_WIDTH - 1.2 - distance + grain, 0, 1))
    blend(picture, RUT, np.clip(1.4 - np.abs(distance - 3.2), 0, 1) * 0.45)


def draw_wing(picture: Picture, wing: Wing, roof: tuple[Colour, Colour]) -> None:
    """A gabled roof: two slopes, courses of tiles, ridge and eaves."""
    along, across = wing_coordinates(wing)
    ends, sides = wing.half_length - np.abs(along), wing.half_width - np.abs(across)
    body = np.clip(np.minimum(ends, sides) + 0.5, 0, 1)
    # The slope that looks north-west is the lit one: across runs along (-axis_y, axis_x).
    lit_is_positive = -wing.axis[1] + wing.axis[0] < 0
    lit = (across > 0) == lit_is_positive
    blend(picture, roof[0], body * lit)
    blend(picture, roof[1], body * ~lit)
    courses = np.mod(across, 4) < 1.2
    blend(picture, INK, body * courses * 0.14)
    blend(picture, INK, body * (np.abs(across) < 0.8) * 0.55)
    inner = np.minimum(ends, sides)
    blend(picture, INK, np.clip(1.5 - np.abs(inner - 0.3), 0, 1) * body * 0.85)


def draw_house(picture: Picture, house: House) -> None:
    """Shadow first, then the wings, then a chimney on the first wing."""
    roof = SLATE if house.stone else CLAY
    for wing in house.wings:
        along, across = wing_coordinates(wing)
        body = (np.abs(along) <= wing.half_length) & (np.abs(across) <= wing.half_width)
        for step in (2, 4):
            blend(picture, SHADOW, shifted(body, step, step) * 0.33)
    for wing in house.wings:
        draw_wing(picture, wing, roof)
    first = house.wings[0]
    along, across = wing_coordinates(first)
    chimney = (np.abs(along - first.half_length / 2) < 2.6) & (np.abs(across) < 2.6)
    blend(picture, INK, chimney)
    hole = (np.abs(along - first.half_length / 2) < 1.4) & (np.abs(across) < 1.4)
    blend(picture, (214, 206, 190), hole)


def draw_grid(picture: Picture) -> None:
    """Hexsides and centre dots."""
    side, half = 37.5, 32.25
    grid = np.zeros((HEIGHT, WIDTH), dtype=np.float32)
    for name in hex_names():
        cx, cy = centre(name)
        upper = [(cx - side, cy), (cx - side / 2, cy - half), (cx + side / 2, cy - half)]
        for a, b in zip(upper, [*upper[1:], (cx + side, cy)], strict=True):
            near = near_segment(a, b, 3)
            if near:
                window, gap = near
                np.maximum(grid[window], np.clip(1.1 - gap, 0, 1), out=grid[window])
    blend(picture, GRID, grid * 0.72)
    for name in hex_names():
        cx, cy = centre(name)
        x, y = int(cx), int(cy)
        picture[max(y - 1, 0) : y + 1, max(x - 1, 0) : x + 1] = 250


def draw_names(picture: Picture) -> None:
    """Hex names at the top of each hex, in Pillow's built-in bitmap font, with a light halo."""
    font = ImageFont.load_default_imagefont()
    ink = Image.new("L", (WIDTH, HEIGHT), 0)
    pen = ImageDraw.Draw(ink)
    for name in hex_names():
        cx, cy = centre(name)
        width = int(pen.textlength(name, font=font))
        left = int(min(max(cx - width / 2, 1), WIDTH - width - 1))
        pen.text((left, int(max(cy - 32, -2))), name, fill=255, font=font)
    text = np.asarray(ink, dtype=np.float32) / 255
    halo = text.copy()
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        np.maximum(halo, np.roll(text, (dy, dx), (0, 1)), out=halo)
    blend(picture, (226, 226, 190), halo * 0.38)
    blend(picture, INK, text)


def to_palette(picture: Picture, colours: int = 160) -> Image.Image:
    """The picture with its most frequent colours; done here so that every Pillow agrees."""
    coarse = np.clip(np.round(picture / 6), 0, 42).astype(np.int32)
    codes = (coarse[:, :, 0] * 64 + coarse[:, :, 1]) * 64 + coarse[:, :, 2]
    values, counts = np.unique(codes, return_counts=True)
    chosen = np.sort(values[np.argsort(-counts, kind="stable")[:colours]])
    parts = np.stack([values // 4096, values // 64 % 64, values % 64], axis=1)
    kept = np.stack([chosen // 4096, chosen // 64 % 64, chosen % 64], axis=1)
    gaps = ((parts[:, None, :] - kept[None, :, :]) ** 2).sum(axis=2)
    index = gaps.argmin(axis=1).astype(np.uint8)[np.searchsorted(values, codes)]
    image = Image.fromarray(index.astype(np.uint8), mode=None).convert("L")
    image = Image.frombytes("P", image.size, image.tobytes())
    image.putpalette((kept * 6).clip(0, 255).astype(np.uint8).tobytes())
    return image


def board_picture() -> Image.Image:
    """The finished picture, 1800 x 645, with a palette."""
    picture = np.zeros((HEIGHT, WIDTH, 3), dtype=np.float32)
    draw_ground(picture)
    draw_hill(picture)
    draw_grain(picture)
    draw_brush(picture)
    draw_orchards(picture)
    draw_woods(picture)
    draw_roads(picture)
    for house in HOUSES:
        draw_house(picture, house)
    draw_grid(picture)
    draw_names(picture)
    return to_palette(picture)
