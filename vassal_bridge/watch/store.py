"""Ledgers on disk, beside the outputs they speak of."""

from __future__ import annotations

from pathlib import Path

from vassal_bridge.errors import FileError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_LEDGER_BYTES
from vassal_bridge.vassal import atomic_write, tidy_up
from vassal_bridge.watch.ledger import LEDGER_NAME, Ledger


class DiskStore:
    """Keeps each ledger in its output folder; a ledger that cannot be kept costs only a repeat."""

    def load(self, out_dir: Path) -> Ledger:
        """See `LedgerStore`."""
        try:
            return Ledger.from_json(read_bounded(out_dir / LEDGER_NAME, MAX_LEDGER_BYTES))
        except FileError:
            return Ledger()

    def save(self, out_dir: Path, ledger: Ledger) -> bool:
        """See `LedgerStore`. An output folder that is not there is not made for it."""
        if not out_dir.is_dir():
            return False
        try:
            atomic_write(out_dir / LEDGER_NAME, ledger.to_json())
        except FileError:
            return False
        return True

    def tidy(self, out_dir: Path) -> None:
        """See `LedgerStore`."""
        tidy_up(out_dir)
