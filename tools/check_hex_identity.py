"""Compare what the program calls each hex with a list of hexes that differ from VASL's centre.

Usage: check_hex_identity.py LIST.yaml BOARDS-DIR [BOARD ...]

LIST is complete for the boards it names: every hex listed must differ in that way, and no other hex
may differ. Boards given on the command line that the list does not name are printed in the same
form. Ends with 1 if anything disagrees.
"""

from __future__ import annotations

import sys
from pathlib import Path

import yaml

from vassal_bridge.board.facts import derive_facts
from vassal_bridge.board.hexgrid import hex_arrays
from vassal_bridge.board.identity import BoardPixels, printed_identity
from vassal_bridge.board.layout_library import BoardLibrary
from vassal_bridge.board.losterrain import terrain_table
from vassal_bridge.board.terrain import terrain_map

Differences = dict[str, tuple[str, str]]

NAMES = {"woodsroad": "woods-road", "orchardroad": "orchard-road"}


def differences(library: BoardLibrary, board: str) -> Differences:
    """Hexes of a board whose terrain is not that of VASL's centre: hex to (VASL's, ours)."""
    archive = library.open(board)
    geometry = archive.geometry.on_picture()
    facts = derive_facts(
        hex_arrays(geometry),
        archive.terrain,
        archive.elevation,
        archive.stairway,
        terrain_table(),
    )
    pixels = BoardPixels(geometry, archive.terrain)
    found: Differences = {}
    for hex_ in geometry.hexes():
        name = geometry.name(hex_)
        centre = int(facts.centre[geometry.index(hex_)])
        vasl = terrain_map().by_code[centre]
        ours = printed_identity(pixels, name, centre, archive.name)
        if ours is not None and ours != vasl:
            found[name] = (vasl, ours)
    return found


def listed(path: Path) -> dict[str, Differences]:
    """The list: board to differences."""
    found: dict[str, Differences] = {}
    for board, rows in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        found[str(board)] = {
            str(name): (NAMES.get(vasl, vasl), NAMES.get(ours, ours))
            for change, names in rows.items()
            for vasl, ours in [change.split(" -> ")]
            for name in names
        }
    return found


def main(argv: list[str]) -> int:
    """Check the boards of the list, print those it does not have."""
    if len(argv) < 3:
        print(__doc__)
        return 2
    want = listed(Path(argv[1]))
    library = BoardLibrary([argv[2]])
    wrong = 0
    for board in [*want, *(b for b in argv[3:] if b not in want)]:
        got = differences(library, board)
        if board not in want:
            print(f"{board}:")
            for change in sorted(set(got.values())):
                names = ", ".join(name for name, value in got.items() if value == change)
                print(f"  {' -> '.join(change)}: [{names}]")
            continue
        bad = {n for n in got.keys() | want[board].keys() if got.get(n) != want[board].get(n)}
        wrong += len(bad)
        print(f"{board}: {len(want[board])} listed, {len(bad)} disagree")
        for name in sorted(bad):
            print(f"  {board}{name}: listed {want[board].get(name)}, got {got.get(name)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
