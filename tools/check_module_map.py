"""Does the module map know every counter of a VASL module?

    python tools/check_module_map.py MODULE.vmod [--expect slots.json] [--all]

Reads the module's `buildFile`, expands the prototypes of every counter of its palettes into the
piece a player would get, classifies it through module_maps/, and prints the share placed per group
of palettes and every slot that cannot be placed. Ends with 1 if a slot of infantry, leaders,
support weapons, Guns, vehicles, wrecks or markers is left.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from vassal_bridge.counters import Counter, Kind, classify
from vassal_bridge.errors import NotAGame, VassalBridgeError
from vassal_bridge.limits import MAX_XML_BYTES
from vassal_bridge.vassal import Piece
from vassal_bridge.vassal.pieces import PieceType
from vassal_bridge.vassal.sequence import nest, split, unnest
from vassal_bridge.xmlsafe import parse_xml

_SLOT = "VASSAL.build.widget.PieceSlot"
_PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"
_MAX_EXPANSIONS = 1000
"""Most traits and prototypes followed for one counter; VASL needs 60."""

_GROUPS = (
    ("squad", ("/ SQ",)),
    ("half-squad, crew", ("/ HS",)),
    ("leader, hero", ("/ SMC",)),
    ("support weapon", ("/ SW /",)),
    ("gun", ("/ Gun", "/ GUN")),
    ("vehicle", ("/ Veh",)),
    ("aircraft", ("/ Air",)),
    ("concealment, national markers", ("/ ?",)),
    ("overlay", ("Draggable Overlays", "Deluxe")),
    ("marker", ("/ Unit /", "/ Info /", "/ Other /", "CVP Stack")),
)
"""Groups of palettes by a word of their path; the first that fits names the group."""


@dataclass(frozen=True)
class Slot:
    """A counter of the palettes: its id, entry name, path of palettes and the piece it makes."""

    gpid: str
    name: str
    palette: str
    piece: Piece

    @property
    def empty(self) -> bool:
        """A slot without name and picture: a gap its makers left in the palette."""
        piece = self.piece
        return not (self.name.strip() or piece.name.strip() or piece.base_image or piece.layers)

    @property
    def group(self) -> str:
        """Name of the group of palettes; hidden palettes count with what the counter is."""
        for group, words in _GROUPS:
            if any(word in self.palette for word in words):
                return group
        return "hidden palettes"


def _halves(text: str) -> tuple[list[str], list[str]]:
    """Traits and states of a piece definition ``+/null/type/state``."""
    fields = split(text, "/")
    if len(fields) < 4:
        return [], []
    return unnest(fields[2]), unnest(fields[3])


def _pairs(traits: Sequence[str], states: Sequence[str]) -> list[tuple[str, str]]:
    """Traits with their states as a stack: the outermost last."""
    padded = [*states, *[""] * len(traits)]
    return list(zip(traits, padded, strict=False))[::-1]


class Module:
    """Prototypes and palettes of a module file."""

    def __init__(self, build_file: bytes, what: str) -> None:
        self._root = parse_xml(build_file, what)
        self._prototypes: dict[str, tuple[list[str], list[str]]] = {}
        for element in self._root.iter(_PROTOTYPE):
            self._prototypes[str(element.get("name"))] = _halves(element.text or "")

    def _expand(self, definition: str) -> list[tuple[str, str]]:
        """Trait and state pairs, outermost first, with prototypes replaced by what they hold."""
        found: list[tuple[str, str]] = []
        traits, states = _halves(definition)
        waiting = _pairs(traits, states)
        for _ in range(_MAX_EXPANSIONS):
            if not waiting:
                break
            trait, state = waiting.pop()
            kind, _, rest = trait.partition(";")
            if kind == "prototype":
                inner, inner_states = self._prototypes.get(split(rest, ";")[0], ([], []))
                # the innermost one is the prototype's own basic piece, which does not count
                waiting.extend(_pairs(inner[:-1], inner_states[:-1]))
            else:
                found.append((trait, state))
        return found

    def slots(self) -> Iterator[Slot]:
        """Every palette slot as the piece it makes."""
        for element in self._root.iter(_SLOT):
            path = [
                str(parent.get("entryName") or parent.get("name") or "")
                for parent in reversed(list(element.iterancestors()))
            ]
            pairs = self._expand(element.text or "")
            if not pairs:
                continue
            gpid = str(element.get("gpid"))
            name = str(element.get("entryName") or "")
            yield Slot(gpid, name, " / ".join(path[1:]), _piece(gpid, pairs))


def _piece(gpid: str, pairs: Sequence[tuple[str, str]]) -> Piece:
    kind = PieceType(nest([trait for trait, _ in pairs]), lambda _owner: "palette")
    reading = kind.read([state for _, state in pairs], {})
    return Piece(
        id=gpid,
        traits=reading.traits,
        stack=None,
        index=0,
        map=None,
        x=0,
        y=0,
        name=reading.name,
        base_name=kind.base_name,
        base_image=kind.base_image,
        gpid=gpid,
        layers=reading.layers,
        hidden=reading.hidden,
        concealed=reading.concealed,
        owner=reading.owner,
        moved=reading.moved,
        labels=reading.labels,
        marks=reading.marks,
        properties=reading.properties,
        public_name=reading.public_name,
    )


def read_module(path: Path) -> Module:
    """Open a .vmod and read its buildFile.

    Raises:
        NotAGame: no zip, or it holds no buildFile.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open("buildFile") as member:
            data = member.read(MAX_XML_BYTES + 1)
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        raise NotAGame(f"no module file: {error}", file=str(path)) from None
    return Module(data, f"{path.name}: buildFile")


def _facts(counter: Counter) -> str:
    parts = [counter.kind.value, counter.nationality or "-", counter.label]
    if counter.marker:
        parts.append(f"marker {counter.marker}")
    return " | ".join(parts)


def _print_groups(found: Sequence[tuple[Slot, Counter]]) -> None:
    groups: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for slot, counter in found:
        groups[slot.group][counter.kind.value] += 1
    for group, kinds in sorted(groups.items()):
        total = kinds.total()
        placed = total - kinds[Kind.UNKNOWN.value]
        shares = ", ".join(f"{kind} {number}" for kind, number in kinds.most_common())
        print(f"{group}: {placed} of {total} placed, {100 * placed / total:.1f} %  ({shares})")


def _print_factors(found: Sequence[tuple[Slot, Counter]]) -> None:
    """How many carry the numbers the rules need."""
    mmc = [c for _, c in found if c.size is not None]
    weapons = [c for _, c in found if c.kind is Kind.SW]
    for what, part, known in (
        ("MMC with factors", mmc, [c for c in mmc if c.morale is not None]),
        ("MMC with broken morale", mmc, [c for c in mmc if c.broken_morale is not None]),
        ("support weapons with portage points", weapons, [c for c in weapons if c.pp is not None]),
    ):
        if part:
            print(f"{what}: {len(known)} of {len(part)}, {100 * len(known) / len(part):.1f} %")


EXPECTED_KINDS: Mapping[str, tuple[str, ...]] = {
    "squad": ("squad",),
    "half-squad": ("half-squad", "squad"),
    "crew": ("crew",),
    "leader": ("leader",),
    "hero": ("hero",),
    "support weapon": ("sw",),
    "gun": ("gun",),
    "vehicle": ("vehicle",),
    "wreck": ("wreck",),
    "marker": ("marker",),
    "overlay": ("overlay", "label", "marker", "wreck"),
    "concealment": ("concealment",),
}


def _print_differences(found: Sequence[tuple[Slot, Counter]], expect: Path) -> int:
    """Compare with a list of slots and their kinds (formats/slots-6.5.json)."""
    kinds = {row["gpid"]: row["kind"] for row in json.loads(expect.read_text(encoding="utf-8"))}
    differences = 0
    for slot, counter in found:
        wanted = EXPECTED_KINDS.get(kinds.get(slot.gpid, ""))
        if wanted is not None and counter.kind.value not in wanted:
            differences += 1
            print(
                f"differs: {slot.gpid} {slot.name!r} is {kinds[slot.gpid]}, got {_facts(counter)}"
            )
    print(f"{differences} differences from {expect.name}")
    return differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("module", type=Path, help="the .vmod file")
    parser.add_argument("--expect", type=Path, help="a JSON list of slots with their kinds")
    parser.add_argument("--all", action="store_true", help="print every slot with what it is")
    options = parser.parse_args(arguments)
    try:
        found = [(slot, classify(slot.piece)) for slot in read_module(options.module).slots()]
    except VassalBridgeError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if options.all:
        for slot, counter in found:
            print(f"{slot.gpid}\t{slot.palette}\t{slot.piece.name}\t{_facts(counter)}")
    empty = [slot for slot, _ in found if slot.empty]
    found = [(slot, counter) for slot, counter in found if not slot.empty]
    left = [slot for slot, counter in found if counter.kind is Kind.UNKNOWN]
    for slot in left:
        print(
            f"cannot place: {slot.gpid} {slot.name!r} shown {slot.piece.name!r} in {slot.palette}"
        )
    _print_groups(found)
    _print_factors(found)
    if options.expect is not None:
        _print_differences(found, options.expect)
    print(f"{len(found) - len(left)} of {len(found)} slots placed, {len(empty)} empty slots")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
