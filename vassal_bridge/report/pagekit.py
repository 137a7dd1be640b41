"""What the pages share: the template engine, style and scripts, the content policy, the map's SVG.

Pages are one file without network. A content policy with the hashes of the page's own style and
script forbids everything else, also a script that slipped in by a hole in the escaping.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lxml import etree

from vassal_bridge.report.catalogue import Catalogue, words_in
from vassal_bridge.report.draw.colours import INKS
from vassal_bridge.report.draw.panel import signs
from vassal_bridge.report.draw.scene import Shape
from vassal_bridge.report.draw.svg import SVG, Painter, root_element
from vassal_bridge.report.picture import CounterShape, MapPicture
from vassal_bridge.report.safety import plain_line

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).resolve().parent / "page"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Both(Generic[T]):
    """The same thing in both languages."""

    en: T
    zh: T

    def __getitem__(self, lang: str) -> T:
        return self.zh if lang == "zh" else self.en


@lru_cache(maxsize=1)
def both_words() -> Both[Catalogue]:
    """The two catalogues."""
    return Both(words_in("en"), words_in("zh"))


@lru_cache(maxsize=8)
def asset(name: str) -> str:
    """A style, script or template of the page."""
    return (FOLDER / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The page's style, with the inks of the units."""
    rules = [asset("page.css")]
    for n, each in enumerate(INKS):
        rules.append(
            f".ink{n} {{ background: {each.colour}; outline-color: {each.colour}; }} "
            f".mark.crawl.ink{n} {{ color: {each.colour}; }} "
            f".line{n} {{ stroke: {each.colour}; }}"
        )
    return "\n".join(rules)


def script(*names: str, extra: str | None = None) -> str:
    """Scripts of the page put together, and one more for a page that is served."""
    parts = [asset(name) for name in names]
    return "\n".join([*parts, extra] if extra else parts)


def policy(style: str, code: str, *, live: bool = False) -> str:
    """The content policy: this style, this script, pictures inside the file, nothing else."""
    rules = [
        "default-src 'none'",
        f"style-src {_hash(style)}",
        f"script-src {_hash(code)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*rules, "connect-src 'self'"] if live else rules)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The template engine: everything is escaped, an unknown name is an error."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    env = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    env.filters["plain"] = plain_line
    env.finalize = _finalize
    return env


def _template(name: str) -> str:
    """A template without the indentation of its lines, which would be a tenth of the page."""
    return "\n".join(line.lstrip() for line in asset(name).splitlines())


def _finalize(value: Any) -> Any:
    """Every text in the page is made harmless; escaping comes after."""
    return plain_line(value) if type(value) is str else value


def page_bytes(template: str, context: Mapping[str, Any]) -> bytes:
    """A page as a file."""
    return environment().get_template(template).render(context).encode("utf-8")


def json_safe(value: Any) -> Any:
    """A value whose texts are harmless, for the data block."""
    if isinstance(value, str):
        return plain_line(value)
    if isinstance(value, Mapping):
        return {plain_line(str(key)): json_safe(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(each) for each in value]
    return value


@dataclass(frozen=True, slots=True)
class Layer:
    """A group of shapes in the map's SVG with its marks."""

    shapes: Sequence[Shape]
    marks: tuple[tuple[str, str], ...] = ()


HIGHLIGHT = Layer(())
"""Where the script draws the route it points out."""


def map_svg(picture: MapPicture, layers: Iterable[Layer]) -> str:
    """The map as SVG to be put into a page, with the cursor on top."""
    root = root_element("svg")
    root.set("viewBox", f"0 0 {picture.width:g} {picture.height:g}")
    painter = Painter(titles=False)
    for layer in layers:
        if layer is HIGHLIGHT:
            for name in ("highlight-casing", "highlight"):
                etree.SubElement(root, f"{{{SVG}}}polyline", {"id": name})
            continue
        group = etree.SubElement(root, f"{{{SVG}}}g")
        for name, value in layer.marks:
            group.set(name, plain_line(value))
        painter.paint(group, layer.shapes)
    ring = cursor_ring(picture)
    for name in ("cursor", "cursor2"):
        etree.SubElement(root, f"{{{SVG}}}polygon", {"id": name, "class": "off", "points": ring})
    painter.finish(root)
    return etree.tostring(root, encoding="unicode")


def cursor_ring(picture: MapPicture) -> str:
    """A hex about (0, 0)."""
    third, half = picture.hex_width / 3, picture.hex_height / 2
    corners = (
        (-third, -half), (third, -half), (2 * third, 0), (third, half), (-third, half),
        (-2 * third, 0),
    )  # fmt: skip
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def key_items(unused: Container[str] = ()) -> list[dict[str, str]]:
    """The signs of the map as small SVG pieces, each with the key of its meaning.

    Args:
        unused: keys of signs that are not on the map.
    """
    found = []
    for number, (name, shapes) in enumerate(signs()):
        if name in unused:
            continue
        holder = root_element("g")
        # ids of its own: without them a sign would show what the map has under the same id
        painter = Painter(titles=False, prefix=f"key{number}-")
        painter.paint(holder, shapes)
        painter.finish(holder)
        found.append({"key": name, "svg": etree.tostring(holder, encoding="unicode")})
    return found


def map_data(picture: MapPicture | None) -> dict[str, Any]:
    """What the script knows of the map: size, hexes, terrains, counters by hex."""
    if picture is None:
        return {"hexes": [], "terrains": [], "counters": {}, "states": {}, "width": 1, "height": 1,
                "hexWidth": 1, "hexHeight": 1}  # fmt: skip
    words = both_words()
    kinds = list(dict.fromkeys(shape.terrain for shape in picture.hexes))
    number = {kind: n for n, kind in enumerate(kinds)}
    return {
        "width": picture.width,
        "height": picture.height,
        "hexWidth": picture.hex_width,
        "hexHeight": picture.hex_height,
        "hexes": [
            [shape.name, round(shape.centre[0], 1), round(shape.centre[1], 1),
             number[shape.terrain], shape.level]
            for shape in picture.hexes
        ],
        "terrains": [[words.en.terrain(kind), words.zh.terrain(kind)] for kind in kinds],
        "counters": counters_by_hex(picture),
        "states": states_of(picture.counters),
    }  # fmt: skip


def counters_by_hex(picture: MapPicture) -> dict[str, list[list[str]]]:
    """What stands in each hex, bottom first: name and states of every counter."""
    found: dict[str, list[list[str]]] = {}
    for counter in sorted(picture.counters, key=lambda each: each.order):
        if counter.hex is not None:
            found.setdefault(counter.hex, []).append(name_and_states(counter))
    return found


def name_and_states(counter: CounterShape) -> list[str]:
    """How players name a counter, and its states after it."""
    return ["?"] if counter.concealed else [counter.name, *counter.states]


def states_of(counters: Iterable[CounterShape]) -> dict[str, tuple[str, str]]:
    """The states that occur, in both languages."""
    words = both_words()
    found = dict.fromkeys(
        state for counter in counters if not counter.concealed for state in counter.states
    )
    return {state: (words.en.state(state), words.zh.state(state)) for state in found}


def ui_words(keys: Iterable[str]) -> dict[str, dict[str, str]]:
    """The words a script needs, by language."""
    words = both_words()
    listed = list(keys)
    return {
        "en": {key: words.en.template(key) for key in listed},
        "zh": {key: words.zh.template(key) for key in listed},
    }
