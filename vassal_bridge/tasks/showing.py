"""`demo`: the main job on the embedded example game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from vassal_bridge.demo import demo_board, demo_boards, demo_log, demo_save
from vassal_bridge.tasks.auditing import AuditWanted, audit_files
from vassal_bridge.tasks.outputs import Outputs, write_output
from vassal_bridge.tasks.reporting import (
    Wanted,
    render,
    report_job,
    to_stdout,
)
from vassal_bridge.tasks.saying import say
from vassal_bridge.tasks.session import open_session

FORMATS = ("text", "html", "svg", "png", "json", "vsav")


def run_demo(out: Path, options: Mapping[str, object]) -> None:
    """Report on the example save and audit the example log, everything into one folder.

    The board goes there too, into `boards`: the annotated copies can be reported on again.

    Args:
        out: the folder; made if it is not there.
        options: of the command line, by the settings' names.

    Raises:
        FileError: the folder cannot be written.
    """
    session = open_session({"month": 7, **options}, boards=[demo_boards()])
    save = demo_save()
    wanted = Wanted(FORMATS, out)
    job = report_job(session, save, wanted)
    to_stdout(render(job, "text"))
    outputs = Outputs(out)
    written = [outputs.write(save, format_, render(job, format_)) for format_ in FORMATS]
    board = demo_board()
    written.append(write_output(out / "boards" / board.name, board.read_bytes(), board))
    outcome = audit_files(session, [demo_log()], AuditWanted(("text", "html", "vlog"), out, None))
    say("")
    for path in (*written, *outcome.written):
        say(f"wrote {path}")
