"""Makes module_maps/los_terrain.json from a user's copy of VASL's shared board metadata.

Only facts are taken: code, name, category, height and flags of each terrain type. Later files win;
codes that only an earlier file has are kept; what a later file changed stays under `changed`.

    python -m tools.los.make_terrain 6.5=Shared-6.5.xml 2026=Shared-2026.xml
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from vassal_bridge.xmlsafe import parse_xml

OUT = Path(__file__).resolve().parents[2] / "module_maps" / "los_terrain.json"
FLAGS = {
    "isLOSObstacle": "obstacle",
    "isLOSHindrance": "hindrance",
    "isHalfLevelHeight": "half-level",
    "isInherentTerrain": "inherent",
    "isLowerLOSObstacle": "lower-obstacle",
    "isLowerLOSHindrance": "lower-hindrance",
}


def read_types(data: bytes, what: str) -> dict[int, dict[str, object]]:
    """Terrain rows of one metadata file by code."""
    rows: dict[int, dict[str, object]] = {}
    for node in parse_xml(data, what).iter("terrainType"):
        rows[int(node.get("typeCode", "0"))] = {
            "code": int(node.get("typeCode", "0")),
            "name": node.get("name", ""),
            "category": node.get("LOSCategory", "OTHER"),
            "height": int(node.get("height", "0")),
            "split": float(node.get("split", "0")),
            "flags": [ours for theirs, ours in FLAGS.items() if node.get(theirs) == "TRUE"],
        }
    return rows


def main() -> None:
    """Write the file from the versions named on the command line."""
    merged: dict[int, dict[str, object]] = {}
    sources: dict[str, str] = {}
    changed: dict[str, list[dict[str, object]]] = {}
    for argument in sys.argv[1:]:
        version, _, path = argument.partition("=")
        data = Path(path).read_bytes()
        rows = read_types(data, path)
        for earlier in list(sources):
            changed[earlier] += [
                merged[code] for code, row in rows.items() if merged.get(code, row) != row
            ]
        merged |= rows
        sources[version] = hashlib.sha256(data).hexdigest()
        changed[version] = []
    lines = ",\n  ".join(json.dumps(merged[code]) for code in sorted(merged))
    OUT.write_text(
        '{"schema": "vassal-bridge/los-terrain/1",\n'
        f' "sources": {json.dumps(sources)},\n'
        f' "changed": {json.dumps({v: rows for v, rows in changed.items() if rows})},\n'
        f' "terrain": [\n  {lines}\n]}}\n',
        encoding="utf-8",
    )
    print(f"{OUT}: {len(merged)} terrain types")


if __name__ == "__main__":
    main()
