"""The village with names that want to be more than text."""

from __future__ import annotations

from dataclasses import replace

from tests.report.sketch import (
    SketchBoard,
    SketchLoaded,
    SketchNote,
    SketchSource,
    counters_of,
    example_position,
    picture_of,
)
from vassal_bridge.report.job import Job, Options
from vassal_bridge.rout.assess import assess_all
from vassal_bridge.rout.position import Weapon

SCRIPT = "<script>document.title='owned'</script>"
QUOTES = "\"'><img src=x onerror=document.title='owned'>"
DIRECTION = "4-\u202e7-4\u202c\u200f"
EMOJI = "\U0001f480 4-4-7 \u2620\ufe0f"
ESCAPES = "4-4-7\x1b[31m\x07\x00\r\nrow"
TEMPLATE = "{{ 7*7 }}{% raw %}{0}{name}"
CLOSING = "</script></style></svg>]]>--><!--"
NAMES = (SCRIPT, QUOTES, DIRECTION, EMOJI, ESCAPES, TEMPLATE, CLOSING)


def hostile_job(options: Options | None = None) -> Job:
    """Every unit, file, board, weapon and problem has such a name."""
    position = example_position()
    units = tuple(
        replace(
            unit,
            name=NAMES[n % len(NAMES)],
            weapons=(Weapon(CLOSING, pp=1), Weapon(SCRIPT, pp=9)) if unit.broken else (),
            piece=f"1{QUOTES}",
        )
        for n, unit in enumerate(position.units)
    )
    position = replace(position, units=units)
    loaded = SketchLoaded(
        position,
        None,
        SketchSource(f"{SCRIPT}{QUOTES}{DIRECTION}.vsav", module=SCRIPT, module_version=QUOTES),
        (SketchBoard("z", version=QUOTES, rules=(SCRIPT, TEMPLATE)),),
        (SketchNote("month-not-given"), SketchNote("of-nobody", f"text {SCRIPT}")),
        (SketchNote("unknown-counter", SCRIPT, "zK4", {"name": QUOTES}),),
    )
    picture = picture_of(position.ground, counters_of(position))  # type: ignore[arg-type]
    return Job(loaded, assess_all(position), picture, options or Options())
