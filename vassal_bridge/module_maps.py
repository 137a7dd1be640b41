"""Finds the data files of `module_maps/`: beside the sources, or inside the wheel."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def module_map_dir() -> Path:
    """Folder with the module maps: `_module_maps` in a wheel, `module_maps/` in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "_module_maps"
    return inside if inside.is_dir() else package.parent / "module_maps"


def module_map_bytes(name: str) -> bytes:
    """The bytes of one module map, e.g. ``module_map_bytes("terrain.json")``."""
    return (module_map_dir() / name).read_bytes()
