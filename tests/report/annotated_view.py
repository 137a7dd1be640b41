"""Draws an annotated save as the client does, to judge its marks with one's own eyes.

    python -m tests.report.annotated_view game.rout.vsav out.png [boards] [module] [zoom]

VASSAL draws pieces that do not stack below those that do, each layer in the order of the file;
a stack grows by 2 pixels to the right and 4 up a counter (the module's ASLStackMetrics).
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Loaded, Options, load_file
from vassal_bridge.vassal import Piece

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
CJK = "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc"


def drawn(loaded: Loaded, module: Path | None) -> tuple[Image.Image, tuple[int, int]]:
    """The whole map with an edge of 400 pixels, and the map pixel of its corner."""
    picture = loaded.ground.picture()
    whole = Image.new("RGB", (round(picture.width) + 800, round(picture.height) + 800), "#dddddd")
    whole.paste(picture.image(), (400, 400))
    corner = picture.x - 400, picture.y - 400
    game = loaded.game
    assert game is not None
    for piece in game.pieces.values():
        if piece.trait("immob") is not None and piece.map == "Main Map":
            whole = _mark(whole, piece, corner, loaded)
    art = zipfile.ZipFile(module) if module is not None else None
    for reading in loaded.readings:
        if reading.map != "Main Map":
            continue
        for level, counter in enumerate(reading.counters):
            piece = game.pieces.get(counter.id)
            if piece is not None and piece.trait("immob") is not None:
                continue
            at = reading.x - corner[0] + 2 * level, reading.y - corner[1] - 4 * level
            _counter(whole, piece, at, art, counter.name)
    return whole, corner


def _counter(
    whole: Image.Image,
    piece: Piece | None,
    at: tuple[int, int],
    art: zipfile.ZipFile | None,
    name: str,
) -> None:
    names = [] if piece is None else [piece.base_image]
    if piece is not None:
        names += [layer.image for layer in reversed(piece.layers) if layer.active]
    shown = False
    for one in names:
        for suffix in ("", ".gif", ".png"):
            member = f"images/{one}{suffix}"
            if art is not None and one and member in art.namelist():
                image = Image.open(io.BytesIO(art.read(member))).convert("RGBA")
                corner = at[0] - image.width // 2, at[1] - image.height // 2
                whole.paste(image, corner, image)
                shown = True
    if not shown:
        pen = ImageDraw.Draw(whole)
        box = (at[0] - 24, at[1] - 24, at[0] + 24, at[1] + 24)
        pen.rectangle(box, fill="#c8b080", outline="black")
        pen.text((at[0] - 22, at[1] - 8), name[:8], fill="black")


def _mark(whole: Image.Image, piece: Piece, corner: tuple[int, int], loaded: Loaded) -> Image.Image:
    at = piece.x - corner[0], piece.y - corner[1]
    for trait in piece.traits:
        if trait.kind == "label" and trait.state.strip():
            _label(whole, at, trait)
        elif trait.kind == "AreaOfEffect":
            hex_ = loaded.layout.ground_hex_at(piece.x, piece.y)
            if hex_ is None or not trait.field(1):
                continue
            colour = tuple(int(c) for c in trait.field(1).split(","))
            corners = [(x - corner[0], y - corner[1]) for x, y in loaded.layout.polygon(hex_)]
            shade = Image.new("RGBA", whole.size, (0, 0, 0, 0))
            ImageDraw.Draw(shade).polygon(
                corners, fill=(*colour, round(2.55 * int(trait.field(2))))
            )
            whole = Image.alpha_composite(whole.convert("RGBA"), shade).convert("RGB")
        elif trait.kind == "footprint":
            points = [tuple(int(c) for c in p.split(",")) for p in trait.state.split(";")[3:]]
            points.append((piece.x, piece.y))
            line = [(x - corner[0], y - corner[1]) for x, y in points]
            colour = tuple(int(c) for c in trait.field(7).split(","))
            ImageDraw.Draw(whole).line(line, fill=colour, width=round(float(trait.field(12))))
    return whole


def _label(whole: Image.Image, at: tuple[int, int], trait: object) -> None:
    field = trait.field  # type: ignore[attr-defined]
    text = trait.state  # type: ignore[attr-defined]
    if text.startswith("<html"):
        return
    size = int(field(3))
    font = ImageFont.truetype(
        FONT if text.isascii() or not any(ord(c) > 0x2E80 for c in text) else CJK, size
    )
    width = round(font.getlength(text))
    ascent, descent = font.getmetrics()
    height = ascent + descent
    left = at[0] - {"c": width // 2, "r": width}.get(field(11), 0)
    top = at[1] - {"c": height // 2, "b": height}.get(field(10), 0)
    pen = ImageDraw.Draw(whole)
    if field(4):
        colour = tuple(int(c) for c in field(4).split(","))
        pen.rectangle((left, top, left + width, top + height), fill=colour)
    ink = tuple(int(c) for c in field(5).split(",")) if field(5) else (0, 0, 0)
    pen.text((left, top), text, fill=ink, font=font)


def main() -> None:
    """Read the arguments, write the picture of the part with marks."""
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    boards = Path(sys.argv[3]) if len(sys.argv) > 3 else Path("boards")
    module = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    zoom = float(sys.argv[5]) if len(sys.argv) > 5 else 1.0
    loaded = load_file(source, Options(BoardLibrary([boards])))
    whole, corner = drawn(loaded, module)
    assert loaded.game is not None
    marks = [p for p in loaded.game.pieces.values() if p.base_name.startswith("vassal-bridge:")]
    if marks:
        xs = [p.x - corner[0] for p in marks]
        ys = [p.y - corner[1] for p in marks]
        whole = whole.crop((min(xs) - 150, min(ys) - 120, max(xs) + 150, max(ys) + 120))
    whole.resize((round(whole.width * zoom), round(whole.height * zoom)), Image.LANCZOS).save(
        target
    )


if __name__ == "__main__":
    main()
