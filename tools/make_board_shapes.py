"""Make module_maps/board_shapes.json: size and hex numbers of known boards, without the boards.

Usage: make_board_shapes.py BOARDS.json [OUT.json]

BOARDS.json is the fact list of formats/geometry.md (368 boards with a picture size). The result
lets `inspect` name hexes where a board is not at hand: its size moves the boards beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def shape(facts: dict[str, object]) -> list[object] | None:
    """``[width, height, dx, dy, a1x, a1y, alt grain]`` of one board, None without a size."""
    size = facts.get("size")
    if not isinstance(size, list):
        return None

    def number(keys: tuple[str, ...], default: float) -> float:
        for key in keys:
            if key in facts:
                return float(str(facts[key]))
        return default

    alt = str(facts.get("altHexGrain", facts.get("data_alternate", ""))).lower() == "true"
    return [
        *size,
        number(("hexWidth", "data_dx"), 56.25),
        number(("hexHeight", "data_dy"), 64.5),
        number(("A1CenterX", "data_x0"), 0.0),
        number(("A1CenterY", "data_y0"), 32.25),
        alt,
    ]


def main(argv: list[str]) -> int:
    """Read the fact list, write the compact table, sorted by name."""
    if len(argv) not in (2, 3):
        print(__doc__)
        return 2
    out = Path(argv[2]) if len(argv) == 3 else Path("module_maps/board_shapes.json")
    facts = json.loads(Path(argv[1]).read_text(encoding="utf-8"))
    found = {name: shape(row) for name, row in facts.items()}
    lines = [
        f"  {json.dumps(name)}: {json.dumps(values)}"
        for name, values in sorted(found.items())
        if values is not None
    ]
    head = '{\n "comment": "width, height, hex width, hex height, A1 x, A1 y, alternative grain",\n'
    out.write_text(head + ' "boards": {\n' + ",\n".join(lines) + "\n }\n}\n", encoding="utf-8")
    print(f"{len(lines)} boards -> {out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
