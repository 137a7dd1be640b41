"""Hostile places and names: pipes, devices, loops, names that are no text, outputs in the way."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.forks import Done, Forks
from tests.hostile.sheet import OUT, contents, judge
from vassal_bridge.demo import demo_boards, demo_log, demo_save

BOARDS = ("--boards", demo_boards())


def fifo(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path)


PLACES: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (fifo, "is neither a file nor a folder"),
    "endless device": (lambda path: path.symlink_to("/dev/zero"), "is neither a file nor a folder"),
    "empty device": (lambda path: path.symlink_to("/dev/null"), "is neither a file nor a folder"),
    "loop": (loop, "symbolic links"),
    "link to nothing": (lambda path: path.symlink_to(path.with_name("gone")), "no"),
    "folder": (lambda path: path.mkdir(), "is a folder, not a file"),
    "nothing": (lambda _: None, "no such file"),
    "empty": (lambda path: path.touch(), "empty file"),
    "in a file": (lambda path: path.parent.joinpath("file").touch(), "no such file"),
}
COMMANDS = (
    ("report", "{}", *BOARDS),
    ("report", "{}", "--format", "html,json", "--out", OUT, *BOARDS),
    ("inspect", "{}", "--json"),
    ("los", "{}", "N5", "O6", *BOARDS),
    ("audit", "{}", *BOARDS),
    ("clean", "{}", "--out", f"{OUT}/c.vsav"),
    ("rulings", "{}"),
    ("los", demo_save(), "--pairs", "{}", *BOARDS),
)


def refused(forks: Forks, folder: Path, *command: object) -> str:
    """The line with which a command is refused."""
    before = contents(folder)
    done = forks.run(command, folder)
    assert done.code == 2, done
    assert judge(done, list(command), before, folder) == ""
    return done.err


@pytest.mark.parametrize("suffix", [".vsav", ".rout.yaml"])
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_refused(place: str, suffix: str, forks: Forks, tmp_path: Path) -> None:
    make, cause = PLACES[place]
    path = tmp_path / f"game{suffix}"
    make(path)
    for command in COMMANDS:
        words = [path if word == "{}" else word for word in command]
        if place == "empty" and "--pairs" in command:
            continue
        line = refused(forks, tmp_path, *words)
        loose = command[0] in ("los", "rulings", "audit") or place in ("loop", "link to nothing")
        assert cause in line or loose, line


def test_boards_and_settings_in_odd_places(forks: Forks, tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    path.write_bytes(demo_save().read_bytes())
    for make, _ in (PLACES[name] for name in ("pipe", "endless device", "loop", "folder")):
        folder = tmp_path / "odd"
        folder.mkdir()
        make(folder / "bddemo")
        make(folder / "rout.toml")
        assert "demo" in refused(forks, tmp_path, "report", path, "--boards", folder)
        (folder / "game.vsav").write_bytes(path.read_bytes())
        answered = forks.run(["report", folder / "game.vsav", *BOARDS], tmp_path)
        assert answered.code == 0, answered
        shutil.rmtree(folder)


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="may do anything")
def test_files_and_folders_without_permission(forks: Forks, tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    path.write_bytes(demo_save().read_bytes())
    path.chmod(0)
    done = forks.run(["report", path, *BOARDS], tmp_path)
    assert (done.code, "no permission" in done.err) == (2, True)
    path.chmod(0o600)
    (tmp_path / OUT).mkdir(mode=0o500)
    done = forks.run(["report", path, "--format", "html", "--out", OUT, *BOARDS], tmp_path)
    assert (done.code, "cannot be written" in done.err) == (2, True)


# --- names --------------------------------------------------------------------------------------

NAMES = {
    "not text": os.fsdecode(b"g\xff\xfe\x80"),
    "controls": "g\x1b[2J\x07\r\n\u202elvsav\u202c",
    "markup": "[red][link=x]<b>&amp;{0}%s{x}{0!r}",
    "options": "-x --format",
    "long": "g" * 200,
}


def everything(forks: Forks, folder: Path, save: Path, log: Path) -> list[Done]:
    commands: list[list[object]] = [
        ["report", save, *BOARDS, "-v", "--out", OUT, "--format", "text,json,html,svg,png,vsav"],
        ["report", save, *BOARDS, "--format", "json"],
        ["inspect", save, *BOARDS],
        ["inspect", save, "--json", *BOARDS],
        ["audit", log, *BOARDS, "-v", "--out", OUT, "--format", "text,json,html,vlog"],
        ["audit", log, *BOARDS, "--format", "json"],
        ["audit", folder, *BOARDS],
        ["los", save, "N5", "O6", *BOARDS],
        ["clean", save, "--out", f"{OUT}/clean.vsav"],
        ["clean", save],
    ]
    return [forks.run(["--" if word == "--" else word for word in c], folder) for c in commands]


@pytest.mark.parametrize("name", NAMES.values(), ids=list(NAMES))
def test_names_of_files(name: str, forks: Forks, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    save, log = folder / f"{name}.vsav", folder / f"{name}.vlog"
    save.write_bytes(demo_save().read_bytes())
    log.write_bytes(demo_log().read_bytes())
    (folder / f"{name}x.vlog").write_bytes(b"damaged")
    done = everything(forks, folder, save, log)
    assert [each.code for each in done] == [0, 0, 0, 0, 1, 1, 1, 0, 0, 0], done
    for each in done:
        assert not set("\x1b\x07\r\u202e") & set(each.out + each.err)
        assert not any(0xD800 <= ord(char) < 0xE000 for char in each.out + each.err)
        if each.out.startswith("{\n"):
            json.loads(each.out)
    outputs = sorted(path.suffix for path in (folder / OUT).iterdir())
    assert outputs == sorted([".txt", ".json", ".html", ".svg", ".png", ".vsav", ".vsav",
                              ".txt", ".json", ".html", ".vlog"])  # fmt: skip
    save.write_bytes(b"damaged")
    assert len(refused(forks, tmp_path, "report", save, *BOARDS).splitlines()) == 1


def test_the_doctor_and_folders_whose_names_are_no_text(forks: Forks, tmp_path: Path) -> None:
    odd = tmp_path / NAMES["not text"]
    odd.mkdir()
    for command in (["doctor", "--boards", odd], ["demo", "--out", odd]):
        done = forks.run(command, tmp_path)
        assert done.code in (0, 2), done
        assert "fault" not in done.err
        assert "·" in done.out


# --- outputs ------------------------------------------------------------------------------------


def in_the_way(path: Path, what: str) -> None:
    path.parent.mkdir(exist_ok=True)
    make = {"pipe": fifo, "folder": Path.mkdir, "loop": loop, "file": lambda p: p.write_text("x"),
            "link": lambda p: p.symlink_to("/etc/passwd")}  # fmt: skip
    make[what](path)


@pytest.mark.parametrize("what", ["pipe", "folder", "loop", "file", "link"])
def test_outputs_never_go_over_what_is_there(what: str, forks: Forks, tmp_path: Path) -> None:
    save, log = demo_save(), demo_log()
    for target, command in (
        ("demo.rout.html", ["report", save, "--format", "html", "--out", OUT, *BOARDS]),
        ("demo.rout.txt", ["report", save, "--format", "text", "--out", OUT, *BOARDS]),
        ("demo-RtPh.rout.vlog", ["audit", log, "--format", "vlog", "--out", OUT, *BOARDS]),
        ("c.vsav", ["clean", save, "--out", f"{OUT}/c.vsav"]),
        ("l.svg", ["los", save, "N5", "O6", "--format", "svg", "--out", f"{OUT}/l.svg", *BOARDS]),
    ):
        in_the_way(tmp_path / OUT / target, what)
        done = forks.run(command, tmp_path)
        assert done.code == 2, (command, done)
        assert target in done.err
        assert [path.name for path in (tmp_path / OUT).iterdir()] == [target]
        shutil.rmtree(tmp_path / OUT)


FOLDERS = {
    "a file": lambda path: path.write_text("x"),
    "within a file": lambda path: path.parent.write_text("x"),
    "a pipe": fifo,
    "a loop": loop,
    "of the system": lambda _: None,
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_output_folders_that_are_none(kind: str, forks: Forks, tmp_path: Path) -> None:
    out = {"within a file": tmp_path / "f" / "x", "of the system": Path("/proc/none")}.get(
        kind, tmp_path / "odd"
    )
    FOLDERS[kind](out)
    for command in (
        ["report", demo_save(), "--format", "json,html", "--out", out, *BOARDS],
        ["audit", demo_log(), "--format", "json", "--out", out, *BOARDS],
        ["demo", "--out", out],
        ["clean", demo_save(), "--out", out / "c.vsav"],
        ["los", demo_save(), "N5", "O6", "--out", out / "l.txt", *BOARDS],
    ):
        done = forks.run(command, tmp_path)
        assert done.code == 2, (command, done)
        assert "cannot be written" in done.err
        assert len(done.err.splitlines()) == 1


def test_a_disk_that_fills_up(forks: Forks, tmp_path: Path) -> None:
    for command in (
        ["report", demo_save(), "--format", "html,png,vsav", "--out", OUT, *BOARDS],
        ["audit", demo_log(), "--format", "html,vlog", "--out", OUT, *BOARDS],
        ["clean", demo_save(), "--out", f"{OUT}/c.vsav"],
    ):
        done = forks.run(command, tmp_path, file_bytes=1024)
        assert done.code == 2, (command, done)
        assert "cannot be written" in done.err
        assert list((tmp_path / OUT).iterdir()) == []


def test_standard_output_that_fills_up(forks: Forks, tmp_path: Path) -> None:
    for command in (
        ["report", demo_save(), *BOARDS],
        ["report", demo_save(), "--format", "json", *BOARDS],
        ["audit", demo_log(), *BOARDS],
        ["inspect", demo_save(), *BOARDS],
        ["los", demo_save(), "N5", "O6", *BOARDS],
        ["doctor"],
    ):
        done = forks.run(command, tmp_path, out="/dev/full")
        assert done.code == 2, (command, done)
        assert "standard output: cannot be written: No space left on device\n" in done.err
