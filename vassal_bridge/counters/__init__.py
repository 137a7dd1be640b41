"""What a counter is, from module_maps: kind, nationality, factors, state, markers."""

from vassal_bridge.counters.classify import classify
from vassal_bridge.counters.model import Counter, Kind

__all__ = ["Counter", "Kind", "classify"]
