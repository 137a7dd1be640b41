"""Where the material that belongs to others lies; tests that need it skip, saying so, without."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("VASSAL_BRIDGE_SHARED", ROOT.parent / "shared"))
BOARDS = SHARED / "real" / "boards"
SAVES = SHARED / "real" / "saves"
LOGS = SHARED / "real" / "logs"
EXPECTED = SHARED / "real" / "expected"
MODULE = SHARED / "real" / "module"
RULINGS = SHARED / "rules" / "rulings"
LOS = SHARED / "los"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"{SHARED} is absent: real boards and saves are not in the repo"
)
