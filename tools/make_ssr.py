"""Make module_maps/ssr.json: which scenario words change terrain or levels, and how.

Usage: make_ssr.py SharedBoardMetadata-OLD.xml [SharedBoardMetadata-NEW.xml ...] [--out OUT.json]

Takes facts only from VASL's shared board metadata: the word, the kind of rule, what becomes what.
Later files win. Words the metadata leaves to the program's code, and words that only change the
drawing, are listed by name; what they mean for the rules stands in module_maps/ssr_words.toml.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from vassal_bridge.xmlsafe import parse_xml

KINDS = {
    "terrainMap": "terrain",
    "elevationMap": "level",
    "terrainToElevationMap": "terrain-to-level",
    "terrainToSelectElevationMap": "terrain-at-level-to-open",
    "elevationToTerrainMap": "level-to-terrain",
}


def level(text: str) -> int:
    """A level as the metadata writes it; ``_1`` is a slip for -1."""
    return int(text.replace("_", "-"))


def terrain(text: str) -> str:
    """A terrain name as the terrain table writes it (``Stone Building, 1 Level``)."""
    return re.sub(r", Level ([\d.]+)$", r", \1 Level", text)


def read(path: Path, rules: dict[str, list[object]], named: dict[str, set[str]]) -> None:
    """Add the rules of one metadata file."""
    root = parse_xml(path.read_bytes(), path.name)
    for node in root.iter("LOSSSRule"):
        word, kind = node.get("name", ""), node.get("type", "")
        source, target = node.get("fromValue", ""), node.get("toValue", "")
        if kind not in KINDS:
            named["ignore" if kind == "ignore" else "code"].add(word)
            continue
        before: object = level(source) if kind.startswith("elevation") else terrain(source)
        after: object = level(target) if kind.endswith("levationMap") else terrain(target)
        rules[word] = [KINDS[kind], before, after]
    for tag in ("colorSSR", "underlaySSRule"):
        named["drawing"].update(node.get("name", "") for node in root.iter(tag))


def main(argv: list[str]) -> int:
    """Read the metadata files in order, write the table."""
    out = Path("module_maps/ssr.json")
    if "--out" in argv:
        at = argv.index("--out")
        out = Path(argv[at + 1])
        del argv[at : at + 2]
    if len(argv) < 2:
        print(__doc__)
        return 2
    rules: dict[str, list[object]] = {}
    named: dict[str, set[str]] = {"ignore": set(), "code": set(), "drawing": set()}
    for name in argv[1:]:
        read(Path(name), rules, named)
    named["drawing"] -= set(rules) | named["ignore"] | named["code"]
    lines = [f"  {json.dumps(word)}: {json.dumps(rule)}" for word, rule in sorted(rules.items())]
    out.write_text(
        '{"schema": "vassal-bridge/ssr/1",\n'
        + "".join(f' "{key}": {json.dumps(sorted(words))},\n' for key, words in named.items())
        + ' "rules": {\n'
        + ",\n".join(lines)
        + "\n }}\n",
        encoding="utf-8",
    )
    print(f"{len(rules)} rules, {sum(map(len, named.values()))} other words -> {out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv))
