"""`rulings` and `clean`: asking ruling files, and taking our marks out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vassal_bridge.bridge.files import is_position_file
from vassal_bridge.bridge.rulings import Answered, answer_ruling, find_rulings, read_ruling
from vassal_bridge.tasks.outputs import stem_of, write_output
from vassal_bridge.tasks.session import Session
from vassal_bridge.vassal import open_saved
from vassal_bridge.vassal.archive import saved_bytes

# --- rulings ----------------------------------------------------------------------------------


def answer_rulings(session: Session, paths: Sequence[Path]) -> Iterator[Answered]:
    """Every question of the ruling files under the given paths, answered.

    Raises:
        VassalBridgeError: a file cannot be read or its position not be built.
    """
    for file in find_rulings(paths):
        yield from answer_ruling(read_ruling(file), session.library_for(file))


def ruling_line(answered: Answered) -> str:
    """A failure as expected against got."""
    lines = [
        f"{answered.ruling} {answered.question}",
        f"  expected {answered.expected}",
        f"  got      {answered.got}",
    ]
    if answered.depends:
        lines.append(f"  depends on {', '.join(answered.depends)}")
    return "\n".join(lines)


# --- clean ------------------------------------------------------------------------------------


def clean_file(path: Path, out: Path | None) -> tuple[Path | None, int]:
    """`clean`: a copy of an annotated save or log without our marks.

    Args:
        path: the annotated file; never written.
        out: the copy; default ``<name>.clean.<suffix>`` beside it.

    Returns:
        The copy and how many marks were taken out; without marks there is a copy only if `out`
        names one.

    Raises:
        VassalBridgeError: not a game, or the copy cannot be written.
    """
    from vassal_bridge.report.annotated import clean_text

    saved = open_saved(path)
    text, count = clean_text(saved.text)
    if not count and out is None:
        return None, 0
    name = stem_of(path)
    name = name[: -len(".rout")] if name.endswith(".rout") else name
    target = out if out is not None else path.parent / f"{name}.clean.{saved.kind}"
    return write_output(target, saved_bytes(replace(saved, text=text)), path), count


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Files as given, and of folders the saved games and logs in them."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.suffix.casefold() in (".vsav", ".vlog"))
        else:
            found.append(path)
    return [path for path in found if not is_position_file(path) or path.is_file()]
