"""The command line: arguments in, exit codes out. What commands do stands in `tasks`.

Nothing heavy is imported here: `vassal-bridge --help` must answer at once. For the same reason the
annotations of this module are no texts (``from __future__``): typer would compile each three times.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from vassal_bridge.cli_help import Command
from vassal_bridge.errors import VassalBridgeError

DONE, FOUND, WRONG, FAULT = 0, 1, 2, 3
"""Exit codes (contracts.md 4)."""

UsageTrouble: Any = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""Base of typer's usage errors: click's own in older typers, typer's copy of it in newer ones."""

app = typer.Typer(
    name="vassal-bridge",
    help="Rout obligations and rout audits for ASL Starter Kit games played with VASSAL and VASL.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Saves, logs, position files.")
]
AuditFiles = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Logs, or the saves before and after.")
]
Boards = Annotated[
    list[Path] | None,
    typer.Option("--boards", metavar="DIR", help="Folder with VASL boards (bdz, bdy …)."),
]
EditionOpt = Annotated[
    str | None, typer.Option("--edition", metavar="sk1|sk2|sk3|sk4", help="Rule book.")
]
Month = Annotated[
    int | None,
    typer.Option("--month", metavar="N", min=1, max=12, help="Month: grain and orchards."),
]
Attacker = Annotated[
    str | None, typer.Option("--attacker", metavar="SIDE", help="Whose Player Turn it is.")
]
SidesOpt = Annotated[
    str | None,
    typer.Option("--sides", metavar="A,B:C", help="Who fights whom: German,Italian:British."),
]
LangOpt = Annotated[str | None, typer.Option("--lang", metavar="en|zh", help="Language.")]
AsSide = Annotated[
    str | None,
    typer.Option("--as", metavar="SIDE", help="Show this side's own hidden units (asks password)."),
]
StepOpt = Annotated[
    int | None,
    typer.Option("--step", min=0, metavar="N", help="Of a log: after step N; the last by default."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the output.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more on standard error.")]
NoLos = Annotated[
    bool, typer.Option("--no-los-list", help="Leave out the list of lines of sight used.")
]
AfterTheFact = Annotated[
    bool, typer.Option("--after-the-fact", help="Answer only about routs already made.")
]


def _given(**options: object) -> dict[str, object]:
    """Options by the settings' names; those not given are left out."""
    named = dict(options)
    if named.pop("no_los_list", False):
        named["los_list"] = False
    if not named.get("after_the_fact", True):
        named.pop("after_the_fact")
    sides = named.pop("sides", None)
    if sides:
        from vassal_bridge.tasks.session import sides_option

        named["sides"] = sides_option(str(sides))
    return {key: value for key, value in named.items() if value is not None}


def _session(as_side: str | None = None, **options: object) -> Any:
    from vassal_bridge.tasks.session import open_session

    return open_session(_given(**options), as_side=as_side)


def _formats(values: list[str] | None) -> tuple[str, ...]:
    """``--format json --format svg`` and ``--format json,svg`` mean the same."""
    return tuple(
        part.strip() for value in values or () for part in value.split(",") if part.strip()
    )


@app.command(cls=Command)
def report(
    files: Files,
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT", help="text, json, html, svg, png, vsav."),
    ] = None,
    out: Out = None,
    boards: Boards = None,
    edition: EditionOpt = None,
    month: Month = None,
    attacker: Attacker = None,
    sides: SidesOpt = None,
    lang: LangOpt = None,
    as_side: AsSide = None,
    step: StepOpt = None,
    unit: Annotated[
        str | None, typer.Option("--unit", metavar="ID", help="Pictures of one unit: A, or zN6.")
    ] = None,
    width: Annotated[
        int | None,
        typer.Option("--width", metavar="N", min=200, max=8000, help="PNG width in pixels."),
    ] = None,
    whole_map: Annotated[bool, typer.Option("--whole-map", help="Pictures of all boards.")] = False,
    no_los_list: NoLos = False,
    after_the_fact: AfterTheFact = False,
    verbose: Verbose = False,
) -> None:
    """Rout obligations of every broken unit: who must, may, cannot rout, where to, and why."""
    from vassal_bridge.tasks.reporting import Wanted, report_files

    session = _session(
        as_side,
        boards=boards,
        edition=edition,
        month=month,
        attacker=attacker,
        sides=sides,
        lang=lang,
        no_los_list=no_los_list,
        after_the_fact=after_the_fact,
    )
    wanted = Wanted(_formats(format_), out, width, unit, whole_map)
    session = replace(session, step=step)
    _say_where(session, files, verbose)
    for path in report_files(session, files, wanted):
        _print(f"wrote {path}", err=True)


@app.command(cls=Command)
def audit(
    files: AuditFiles,
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT", help="text, json, html, vlog."),
    ] = None,
    out: Out = None,
    boards: Boards = None,
    edition: EditionOpt = None,
    month: Month = None,
    attacker: Attacker = None,
    sides: SidesOpt = None,
    lang: LangOpt = None,
    as_side: AsSide = None,
    phase: Annotated[
        str | None,
        typer.Option("--phase", metavar="FIRST-LAST", help="Log steps of the rout phase."),
    ] = None,
    no_los_list: NoLos = False,
    verbose: Verbose = False,
) -> None:
    """Judge every rout in a log, or from one save to the next; exit code 1 if any is illegal."""
    from vassal_bridge.tasks.auditing import AuditWanted, audit_files

    session = _session(
        as_side,
        boards=boards,
        edition=edition,
        month=month,
        attacker=attacker,
        sides=sides,
        lang=lang,
        no_los_list=no_los_list,
    )
    _say_where(session, files, verbose)
    outcome = audit_files(session, files, AuditWanted(_formats(format_), out, phase))
    for path in outcome.written:
        _print(f"wrote {path}", err=True)
    raise typer.Exit(FOUND if outcome.illegal else DONE)


@app.command(cls=Command)
def clean(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An annotated save or log.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Default: NAME.clean.vsav beside the input."),
    ] = None,
) -> None:
    """Take the program's marks out of an annotated save or log, into a copy beside it."""
    from vassal_bridge.tasks.looking import clean_file

    target, count = clean_file(file, out)
    if not count:
        _print(f"{file}: no marks of vassal-bridge in it", err=True)
        if target is not None:
            _print(f"wrote {target}", err=True)
    else:
        _print(f"{target}: {count} {'mark' if count == 1 else 'marks'} taken out")


@app.command(cls=Command)
def watch(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="DIR...", help="Folders with saves and logs.")
    ] = None,
    out: Out = None,
    boards: Boards = None,
    edition: EditionOpt = None,
    month: Month = None,
    attacker: Attacker = None,
    sides: SidesOpt = None,
    lang: LangOpt = None,
    format_: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT", help="What is written for each file."),
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Live view in the browser.")] = False,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 = any.")
    ] = 0,
    polling: Annotated[bool, typer.Option("--polling", help="For network folders.")] = False,
    bell: Annotated[bool, typer.Option("--bell", help="Ring when a file is done.")] = False,
    no_los_list: NoLos = False,
    after_the_fact: AfterTheFact = False,
    verbose: Verbose = False,
) -> None:
    """Watch folders and answer for every save or log that appears or changes; Ctrl-C ends it."""
    from vassal_bridge.tasks.watching import Watching, watch_folders

    session = _session(
        None,
        boards=boards,
        edition=edition,
        month=month,
        attacker=attacker,
        sides=sides,
        lang=lang,
        no_los_list=no_los_list,
        after_the_fact=after_the_fact,
    )
    how = Watching(_formats(format_), out, serve, port, polling, bell)
    _say_where(session, folders or [Path()], verbose)
    watch_folders(session, folders or [], how)


@app.command(cls=Command)
def inspect(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A save or log.")],
    json_: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
    boards: Boards = None,
    sides: SidesOpt = None,
    lang: LangOpt = None,
    as_side: AsSide = None,
    step: StepOpt = None,
) -> None:
    """Boards, sides and counters with hex and state."""
    from vassal_bridge.report import inspect_text, model_json, words_in
    from vassal_bridge.tasks.inspecting import inspect_report
    from vassal_bridge.tasks.reporting import to_stdout
    from vassal_bridge.tasks.session import language

    session = _session(as_side, boards=boards, sides=sides, lang=lang)
    session = replace(session, strict=False, step=step)
    words = words_in(language(session.settings(file).settings))
    loaded = session.load(file)
    found = inspect_report(loaded, words)
    text = "" if json_ else inspect_text(found, words, loaded.source.step)
    to_stdout(model_json(found) if json_ else text.encode("utf-8"))


@app.command(cls=Command)
def los(
    where: Annotated[
        str, typer.Argument(metavar="FILE-or-BOARD", help="A file, or z, `z reversed`.")
    ],
    start: Annotated[str | None, typer.Argument(metavar="FROM", help="Hex.")] = None,
    to: Annotated[str | None, typer.Argument(metavar="TO", help="Hex.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
    format_: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="text, json, svg, png.")
    ] = None,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", metavar="CSV", help="Columns source,target.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Output.")] = None,
    boards: Boards = None,
    month: Month = None,
    lang: LangOpt = None,
) -> None:
    """Line of sight between two hexes, or for every pair of a CSV file."""
    from vassal_bridge.tasks.sighting import Looking, look

    session = _session(None, boards=boards, month=month, lang=lang)
    look(session, Looking(where, start, to, "json" if json_ else format_, pairs, out))


@app.command(cls=Command)
def rulings(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE-or-DIR...", help="Ruling files or folders.")
    ],
    boards: Boards = None,
    verbose: Verbose = False,
) -> None:
    """Run ruling files: each failure as expected against got, and the count."""
    from vassal_bridge.tasks.looking import answer_rulings, ruling_line

    session = _session(None, boards=boards)
    passed = failed = 0
    for answered in answer_rulings(session, paths):
        passed += answered.passed
        failed += not answered.passed
        if not answered.passed:
            _print(ruling_line(answered))
        elif verbose:
            _print(f"{answered.ruling} {answered.question} ok")
    _print(f"{passed} passed, {failed} failed")
    raise typer.Exit(FOUND if failed else DONE)


@app.command(cls=Command)
def demo(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Default: ./rout-demo")
    ] = None,
    lang: LangOpt = None,
) -> None:
    """The main job on the embedded example game; needs no VASSAL and no boards."""
    from vassal_bridge.tasks.showing import run_demo

    run_demo(out or Path("rout-demo"), _given(lang=lang))


@app.command(cls=Command)
def doctor(
    boards: Boards = None,
    lang: LangOpt = None,
) -> None:
    """What was found where: VASSAL, VASL module, boards, saves folder; and what to do."""
    from vassal_bridge.tasks.setting import run_doctor

    raise typer.Exit(run_doctor(_given(boards=boards, lang=lang)))


@app.command(cls=Command)
def init(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="FOLDER", help="Of a game; left out: settings for all games."),
    ] = None,
    lang: LangOpt = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write the settings file after asking a few questions."""
    from vassal_bridge.tasks.setting import run_init

    run_init(folder, _given(lang=lang), force=force)


@app.command(cls=Command)
def schema(
    name: Annotated[
        str, typer.Argument(metavar="report|inspect|audit", help="Left out: report.")
    ] = "report",
) -> None:
    """The JSON schema of an output."""
    from vassal_bridge.report import schema_json
    from vassal_bridge.tasks.reporting import to_stdout

    to_stdout(schema_json(name))


def _version(wanted: bool) -> None:
    if wanted:
        from vassal_bridge import __version__

        typer.echo(f"vassal-bridge {__version__}")
        raise typer.Exit(DONE)


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


def _say_where(session: Any, files: list[Path], wanted: bool) -> None:
    """Which settings and boards hold for the first file, for ``-v``."""
    if not wanted:
        return
    for path in session.settings(files[0]).files:
        _print(f"settings {path}", err=True)
    for folder in session.library_for(files[0]).folders:
        _print(f"boards {folder}", err=True)


def _print(text: str, *, err: bool = False) -> None:
    """Lines with names out of strangers' files, for a terminal."""
    from vassal_bridge.tasks.saying import say

    say(text, err=err)


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and end the process with the exit code of contracts.md 4."""
    raise SystemExit(exit_code(lambda: app(args=arguments, standalone_mode=False)))


def exit_code(command: Callable[[], object]) -> int:
    """Run a command; every expected trouble becomes one line on standard error."""
    try:
        result = command()
    except VassalBridgeError as error:
        _complain(str(error))
        return error.exit_code
    except typer.Exit as ended:
        return ended.exit_code
    except typer.Abort:
        return WRONG
    except UsageTrouble as error:
        error.show()
        return WRONG
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except MemoryError:
        _complain("not enough memory")
        return WRONG
    except Exception as error:  # the last net: no traceback, its values may hold secrets
        _complain(f"internal fault ({type(error).__name__}); please report it, with the file")
        _trace(error)
        return FAULT
    return result if isinstance(result, int) else DONE


def _complain(line: str) -> None:
    """One line on standard error."""
    from vassal_bridge.tasks.saying import complain

    with suppress(VassalBridgeError):  # standard error is gone too
        complain(line)


def _trace(error: Exception) -> None:
    """Where it happened, without values: texts of a game may hold players' passwords."""
    import traceback

    for frame in traceback.extract_tb(error.__traceback__)[-6:]:
        typer.echo(f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}", err=True)
