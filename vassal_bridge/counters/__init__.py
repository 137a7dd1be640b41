"""What a counter is, from module_maps: kind, nationality, factors, state, markers.

>>> from vassal_bridge.vassal import load_game, open_saved      # doctest: +SKIP
>>> readings = read_stacks(load_game(open_saved(path)))         # doctest: +SKIP
>>> for reading in public_view(readings): print(reading.hex, [c.label for c in reading.counters])
... # doctest: +SKIP
"""

from vassal_bridge.counters.classify import classify
from vassal_bridge.counters.fairplay import Eyes, public_view
from vassal_bridge.counters.infantry import (
    WeaponFacts,
    broken_morale,
    half_broken_morale,
    half_squad_of,
    unit_kind,
    weapon_facts,
)
from vassal_bridge.counters.model import (
    INFANTRY,
    MMC,
    SMC,
    Armament,
    Assumption,
    Counter,
    Doubt,
    DoubtCode,
    GunFacts,
    Kind,
    Sides,
    StackReading,
    State,
    TurnHint,
    VehicleFacts,
)
from vassal_bridge.counters.sides import current_turn, parse_sides, sides
from vassal_bridge.counters.stacks import Stacking, by_hex, changes_terrain, read_stacks, stacking

__all__ = [
    "INFANTRY",
    "MMC",
    "SMC",
    "Armament",
    "Assumption",
    "Counter",
    "Doubt",
    "DoubtCode",
    "Eyes",
    "GunFacts",
    "Kind",
    "Sides",
    "StackReading",
    "Stacking",
    "State",
    "TurnHint",
    "VehicleFacts",
    "WeaponFacts",
    "broken_morale",
    "by_hex",
    "changes_terrain",
    "classify",
    "current_turn",
    "half_broken_morale",
    "half_squad_of",
    "parse_sides",
    "public_view",
    "read_stacks",
    "sides",
    "stacking",
    "unit_kind",
    "weapon_facts",
]
