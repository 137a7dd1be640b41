"""A VASL board archive: LOSData, BoardMetadata.xml, pictures (los/algorithm.md 5, geometry.md 5).

The archive is read once, into memory; members are unpacked when asked for. Everything in it is
somebody else's file and may be damaged: each fault is a `BoardError` or `FileError` that names the
member.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from vassal_bridge.board.hexes import HexGeometry
from vassal_bridge.board.losdata import LosData, read_los_data
from vassal_bridge.errors import BoardError, FormatError, LimitReached
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import (
    MAX_BOARD_BYTES,
    MAX_BOARD_HEXES,
    MAX_BOARD_MEMBER_BYTES,
    MAX_BOARD_NAME,
    MAX_BOARD_ZIP_ENTRIES,
    MAX_DIRECTORY_BYTES,
)
from vassal_bridge.xmlsafe import parse_xml

if TYPE_CHECKING:
    from lxml import etree

STANDARD = (56.25, 64.5, 0.0, 32.25)
"""Hex width, hex height and centre of A1 of a board that gives no numbers (geomorphic boards)."""


@dataclass(frozen=True, slots=True)
class BoardColour:
    """A colour of the board picture: its name, RGB and what VASL takes it for."""

    name: str
    rgb: tuple[int, int, int]
    terrain: str
    elevation: str


@dataclass(frozen=True, slots=True)
class OverlayRule:
    """A picture a scenario word lays over the board at pixel (x, y)."""

    name: str
    image: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class UnderlayRule:
    """A pattern a scenario word puts in place of some colours."""

    name: str
    image: str
    colours: tuple[str, ...]


class BoardArchive:
    """One board as its archive gives it. Make it with `open_board`.

    Grids are read when first asked for; they are read-only arrays indexed ``[x, y]``.
    """

    def __init__(self, path: Path, data: bytes) -> None:
        """Open the zip in `data`; `path` only gives the name."""
        self.path = path
        self.file_name = path.name
        self.digest = blake2b(data, digest_size=20).hexdigest()
        self._data = data
        _check_directory(data, path)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                infos = archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
            raise BoardError(f"not a board archive ({error})", file=str(path)) from None
        if len(infos) > MAX_BOARD_ZIP_ENTRIES:
            raise LimitReached(
                f"{len(infos)} members, limit {MAX_BOARD_ZIP_ENTRIES}", file=str(path)
            )
        self.members: tuple[str, ...] = tuple(info.filename for info in infos)

    def __repr__(self) -> str:
        return f"BoardArchive({self.name!r}, {self.file_name!r})"

    # -- members -----------------------------------------------------------------------------

    def member(self, name: str, limit: int = MAX_BOARD_MEMBER_BYTES) -> bytes | None:
        """Unpacked bytes of a member, None if absent; the name's case is ignored as a last resort.

        Raises:
            LimitReached: more than `limit` bytes come out, whatever the archive declares.
            BoardError: damaged, encrypted or packed in a way that zip readers do not know.
        """
        known = name if name in self.members else self._by_lower.get(name.lower())
        if known is None:
            return None
        try:
            with zipfile.ZipFile(io.BytesIO(self._data)) as archive:
                content = _unpacked(archive, archive.getinfo(known), limit)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            MemoryError,
            RuntimeError,
            ValueError,
            struct.error,
        ) as error:
            raise BoardError(f"damaged ({error})", file=str(self.path), place=known) from None
        if len(content) > limit:
            raise LimitReached(f"over {limit} bytes", file=str(self.path), place=known)
        return content

    @cached_property
    def _by_lower(self) -> dict[str, str]:
        return {name.lower(): name for name in reversed(self.members)}

    @cached_property
    def metadata(self) -> etree._Element | None:
        """Root of BoardMetadata.xml, None for legacy boards."""
        content = self.member("BoardMetadata.xml")
        if content is None:
            return None
        try:
            return parse_xml(content, "BoardMetadata.xml")
        except (FormatError, LimitReached) as error:
            raise error.at(self.path) from None

    def _attribute(self, name: str) -> str | None:
        return None if self.metadata is None else self.metadata.get(name)

    # -- what the board says of itself ----------------------------------------------------------

    @cached_property
    def name(self) -> str:
        """Board name as in hex names: ``z``, ``04``, ``BFPDW1a``.

        Raises:
            BoardError: longer than `MAX_BOARD_NAME`, or with characters that are not for names.
        """
        name = self._attribute("name") or re.sub(r"^bd|\.zip$", "", self.file_name)
        if len(name) > MAX_BOARD_NAME or not name.isprintable():
            raise BoardError(f"impossible name {name[:MAX_BOARD_NAME]!r}", file=str(self.path))
        return name

    @cached_property
    def version(self) -> str:
        """Version as players see it in the boards line, empty if the archive gives none."""
        given = self._attribute("version")
        if given:
            return given
        found = re.search(r"^version\s+(\S+)", self._data_file, re.MULTILINE)
        return found[1] if found else ""

    @cached_property
    def has_hills(self) -> bool:
        """Whether the board says it has elevations other than ground level."""
        return (self._attribute("hasHills") or "").upper() == "TRUE"

    @cached_property
    def image_name(self) -> str:
        """Member that holds the board picture."""
        return self._attribute("boardImageFileName") or f"bd{self.name}.gif"

    def image_bytes(self) -> bytes | None:
        """The board picture as packed (GIF or PNG), None if the archive has none."""
        return self.member(self.image_name)

    @cached_property
    def _data_file(self) -> str:
        return (self.member("data", 65536) or b"").decode("latin-1")

    @cached_property
    def size(self) -> tuple[int, int]:
        """Size of the picture in pixels: of LOSData if there is one, else of the image.

        Raises:
            BoardError: neither is readable.
        """
        if self.has_los_data:
            return self.los_data.terrain.shape
        image = self.image_bytes()
        size = None if image is None else image_size(image)
        if size is None:
            raise BoardError("the size of the board is unknown (no picture)", file=str(self.path))
        return size

    @property
    def width(self) -> int:
        """Width of the board picture in pixels."""
        return self.size[0]

    @property
    def height(self) -> int:
        """Height of the board picture in pixels."""
        return self.size[1]

    @cached_property
    def geometry(self) -> HexGeometry:
        """Hex numbers of the board with A1 as given (see `HexGeometry.on_picture`).

        Raises:
            BoardError: the numbers are not numbers, or no hex fits on the picture.
        """
        if self.metadata is not None:
            keys = ("hexWidth", "hexHeight", "A1CenterX", "A1CenterY")
            texts = [self.metadata.get(key) for key in keys]
            alt, snap = self.metadata.get("altHexGrain"), self.metadata.get("snapScale")
            config = self.metadata.get("HexGridConfig") or "Normal"
        else:
            fields = dict(re.findall(r"^(\w+)[ \t]+(\S+)", self._data_file, re.MULTILINE))
            texts = [fields.get(key) for key in ("dx", "dy", "x0", "y0")]
            alt, snap, config = fields.get("altHexGrid"), fields.get("snapScale"), "Normal"
        numbers = [
            standard if text is None else self._number(text)
            for text, standard in zip(texts, STANDARD, strict=True)
        ]
        hex_w, hex_h, a1x, a1y = numbers
        width, height = self.size
        if not (4 <= hex_w <= 4096 and 4 <= hex_h <= 4096):
            raise BoardError(f"impossible hex numbers {numbers}", file=str(self.path))
        columns, rows = self._hex_counts(hex_w, hex_h)
        return HexGeometry(
            hex_w,
            hex_h,
            a1x,
            a1y,
            columns,
            rows,
            width,
            height,
            alt_grain=(alt or "").lower() == "true",
            snap_scale=int(self._number(snap)) if snap else 1,
            config=config,
        )

    def _number(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise BoardError(f"not a number: {text[:40]!r}", file=str(self.path)) from None
        if not abs(value) < 1e6:  # also refuses NaN
            raise BoardError(f"impossible number: {text[:40]!r}", file=str(self.path))
        return value

    def _hex_counts(self, hex_w: float, hex_h: float) -> tuple[int, int]:
        if self.has_los_data:
            return self.los_data.columns, self.los_data.rows
        given = self._attribute("width"), self._attribute("height")
        if given[0] and given[1]:
            columns, rows = int(self._number(given[0])), int(self._number(given[1]))
        else:
            columns = int(self.width / hex_w + 0.5) + 1
            rows = max(1, int(self.height / hex_h + 0.5))
        if min(columns, rows) < 1 or columns * (rows + 1) > MAX_BOARD_HEXES:
            raise BoardError(f"impossible size {columns} x {rows} hexes", file=str(self.path))
        return columns, rows

    # -- line of sight grids --------------------------------------------------------------------

    @property
    def has_los_data(self) -> bool:
        """Whether the archive knows its terrain (legacy boards do not)."""
        return "losdata" in self._by_lower

    @cached_property
    def los_data(self) -> LosData:
        """The decoded LOSData.

        Raises:
            BoardError: the board has none, or it is damaged.
            LimitReached: it is larger than `MAX_LOSDATA_PIXELS`.
        """
        content = self.member("LOSData")
        if content is None:
            raise BoardError("the board has no LOSData (legacy board)", file=str(self.path))
        try:
            return read_los_data(content)
        except (BoardError, LimitReached) as error:
            raise error.at(self.path, "LOSData") from None

    @property
    def elevation(self) -> npt.NDArray[np.int8]:
        """Level of every pixel, ``[x, y]``."""
        return self.los_data.elevation

    @property
    def terrain(self) -> npt.NDArray[np.uint8]:
        """Terrain code of every pixel, ``[x, y]``."""
        return self.los_data.terrain

    @property
    def stairway(self) -> npt.NDArray[np.bool_]:
        """Stairway flag of every hex in column order."""
        return self.los_data.stairway

    # -- scenario rules of the board --------------------------------------------------------------

    @cached_property
    def colours(self) -> dict[str, BoardColour]:
        """Own colours of the board by name; they stand before those of the shared metadata."""
        found = {}
        for node in self._nodes("color", inside="colors"):
            rgb = tuple(
                int(self._number(node.get(c) or "0")) & 255 for c in ("red", "green", "blue")
            )
            name = node.get("name") or ""
            found[name] = BoardColour(
                name,
                (rgb[0], rgb[1], rgb[2]),
                node.get("terrain") or "",
                node.get("elevation") or "0",
            )
        return found

    @cached_property
    def ssr_rules(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Own colour rules: scenario word to (from colour, to colour) pairs."""
        return {
            node.get("name") or "": tuple(
                (change.get("fromColor") or "", change.get("toColor") or "")
                for change in node.iter("colorMap")
            )
            for node in self._nodes("colorSSR", inside="colorSSRules")
        }

    @cached_property
    def overlay_rules(self) -> dict[str, OverlayRule]:
        """Own overlay pictures by scenario word."""
        return {
            name: OverlayRule(
                name,
                node.get("image") or "",
                int(self._number(node.get("x") or "0")),
                int(self._number(node.get("y") or "0")),
            )
            for node in self._nodes("overlaySSRule", inside="overlaySSRules")
            for name in [node.get("name") or ""]
        }

    @cached_property
    def underlay_rules(self) -> dict[str, UnderlayRule]:
        """Own patterns by scenario word."""
        return {
            name: UnderlayRule(
                name,
                node.get("image") or "",
                tuple(colour.get("name") or "" for colour in node.iter("color")),
            )
            for node in self._nodes("underlaySSRule", inside="overlaySSRules")
            for name in [node.get("name") or ""]
        }

    @cached_property
    def building_types(self) -> dict[str, str]:
        """Building type by printed hex name, where the board says so."""
        return {
            node.get("hexName") or "": node.get("buildingTypeName") or ""
            for node in self._nodes("buildingType", inside="buildingTypes")
        }

    @cached_property
    def slopes(self) -> dict[str, tuple[int, ...]]:
        """Slope hexsides by printed hex name."""
        return {
            node.get("hex") or "": tuple(
                int(c) for c in node.get("hexsides") or "" if c in "012345"
            )
            for node in self._nodes("slope", inside="slopes")
        }

    def _nodes(self, tag: str, *, inside: str) -> list[etree._Element]:
        if self.metadata is None:
            return []
        return [node for parent in self.metadata.iter(inside) for node in parent.iter(tag)]


def open_board(path: Path) -> BoardArchive:
    """Open a board archive such as ``bdz``.

    Raises:
        FileError: absent or unreadable.
        LimitReached: larger than `MAX_BOARD_BYTES`.
        BoardError: not a zip.
    """
    return BoardArchive(path, read_bounded(path, MAX_BOARD_BYTES))


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    """Up to one byte more than `limit` of a member."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("packed by a method zips rarely use")
    with archive.open(info) as stream:
        return stream.read(limit + 1)


def _check_directory(data: bytes, path: Path) -> None:
    """Refuse a zip whose central directory alone would cost seconds and memory to list."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65557))
    if end < 0 or end + 22 > len(data):
        raise BoardError("not a board archive (no zip directory)", file=str(path))
    (size,) = struct.unpack_from("<I", data, end + 12)
    if size > MAX_DIRECTORY_BYTES or data[max(0, end - 20) : end][:4] == b"PK\x06\x07":
        raise LimitReached(
            f"zip directory of {size} bytes, limit {MAX_DIRECTORY_BYTES}", file=str(path)
        )


def image_size(image: bytes) -> tuple[int, int] | None:
    """Width and height from the head of a GIF or PNG, None for anything else."""
    if image[:6] in (b"GIF87a", b"GIF89a") and len(image) >= 10:
        width, height = struct.unpack_from("<2H", image, 6)
    elif image[:8] == b"\x89PNG\r\n\x1a\n" and len(image) >= 24:
        width, height = struct.unpack_from(">2I", image, 16)
    else:
        return None
    return (width, height) if min(width, height) > 0 else None
