"""Progress on long work: shown in a terminal, silent everywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vassal_bridge.report.safety import plain_line

Progress = Callable[[int, int, Path], None]


@contextmanager
def progress_over(files: Sequence[Path]) -> Iterator[Progress | None]:
    """A progress bar on standard error for work over many files; None where nobody would see it."""
    many = len(files) > 1 or any(path.is_dir() for path in files)
    if not many or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("audit", total=None)

        def tell(done: int, total: int, path: Path) -> None:
            bar.update(
                task, completed=done, total=total, description=escape(plain_line(path.name[:40]))
            )

        yield tell
