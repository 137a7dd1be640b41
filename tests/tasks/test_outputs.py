"""Outputs: what they are called, and that no file of anybody else is ever replaced."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path

import pytest

from tests import commandline
from vassal_bridge.demo import demo_boards, demo_log, demo_save
from vassal_bridge.errors import FileError, UsageError
from vassal_bridge.tasks.outputs import Outputs, is_ours, stem_beside, write_output

FORMATS = "text,json,html,svg,png,vsav"


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commandline.own_home(monkeypatch, tmp_path)


def run(*arguments: object) -> int:
    boards = () if arguments[0] == "clean" else ("--boards", demo_boards())
    return commandline.run(*arguments, *boards)


def one_line(capfd: pytest.CaptureFixture[str], *words: str) -> None:
    out, err = capfd.readouterr()
    assert out == ""
    troubles = [line for line in err.splitlines() if not line.startswith("wrote ")]
    assert len(troubles) == 1, err
    for word in words:
        assert word in err


def game(folder: Path, name: str, source: Path | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes((source or demo_save()).read_bytes())
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every output of the program."""
    out = tmp_path_factory.mktemp("all")
    assert run("report", demo_save(), "--format", FORMATS, "--out", out) == 0
    assert run("audit", demo_log(), "--format", "text,json,html,vlog", "--out", out) in (0, 1)
    pairs = out.parent / "pairs.csv"
    pairs.write_text("source,target\nA1,B1\n", encoding="utf-8")
    assert run("los", "demo", "--pairs", pairs, "--out", out / "los.csv") == 0
    for format_ in ("text", "json", "svg", "png"):
        target = out / f"los.{format_}"
        assert run("los", "demo", "B2", "F6", "--format", format_, "--out", target) == 0
    return out


def test_every_output_is_known_again(written: Path) -> None:
    paths = sorted(written.iterdir())
    assert len(paths) == 15
    for path in paths:
        assert is_ours(path), path.name


def test_writing_again_replaces_them(written: Path) -> None:
    before = {path.name: path.read_bytes() for path in written.iterdir()}
    assert run("report", demo_save(), "--format", FORMATS, "--month", 2, "--out", written) == 0
    after = {path.name: path.read_bytes() for path in written.iterdir()}
    assert after.keys() == before.keys()
    assert after["demo.rout.json"] != before["demo.rout.json"]
    assert run("report", demo_save(), "--format", FORMATS, "--out", written) == 0
    assert {path.name: path.read_bytes() for path in written.iterdir()} == before


@pytest.mark.parametrize("suffix", ["txt", "json", "html", "svg", "png", "vsav"])
def test_a_foreign_file_is_left_alone(
    suffix: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / f"demo.rout.{suffix}"
    mine = b'{"schema": "mine"}' if suffix == "json" else b"my own notes about vassal-bridge\n"
    target.write_bytes(mine)
    format_ = "text" if suffix == "txt" else suffix
    assert run("report", demo_save(), "--format", format_, "--out", tmp_path) == 2
    one_line(capfd, target.name, "not written by vassal-bridge")
    assert target.read_bytes() == mine


def test_a_game_played_on_and_saved_over_our_copy_is_left_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A VASSAL that saves over `demo.rout.vsav` writes a zip of its own, our marks still in it."""
    assert run("report", demo_save(), "--format", "vsav", "--out", tmp_path) == 0
    copy = tmp_path / "demo.rout.vsav"
    with zipfile.ZipFile(copy) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in members.items():
            new.writestr(name, data)
    played = copy.read_bytes()
    assert not is_ours(copy)
    capfd.readouterr()
    assert run("report", demo_save(), "--format", "vsav", "--out", tmp_path) == 2
    one_line(capfd, "demo.rout.vsav")
    assert copy.read_bytes() == played


def test_an_audit_and_a_clean_copy_spare_foreign_files_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("demo-RtPh.rout.vlog", "back.vsav", "los.csv"):
        (tmp_path / name).write_bytes(b"mine")
    assert run("audit", demo_log(), "--format", "vlog", "--out", tmp_path) == 2
    one_line(capfd, "demo-RtPh.rout.vlog")
    assert run("clean", demo_save(), "--out", tmp_path / "back.vsav") == 2
    one_line(capfd, "back.vsav")
    pairs = tmp_path / "in.csv"
    pairs.write_text("source,target\nA1,B1\n", encoding="utf-8")
    assert run("los", "demo", "--pairs", pairs, "--out", tmp_path / "los.csv") == 2
    one_line(capfd, "los.csv")
    for name in ("demo-RtPh.rout.vlog", "back.vsav", "los.csv"):
        assert (tmp_path / name).read_bytes() == b"mine"


def test_cleaning_twice_is_no_trouble(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run("report", demo_save(), "--format", "vsav", "--out", tmp_path) == 0
    for _ in range(2):
        assert run("clean", tmp_path / "demo.rout.vsav", "--out", tmp_path / "back.vsav") == 0
    capfd.readouterr()


def test_inputs_are_never_outputs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    save = game(tmp_path, "g.vsav")
    assert run("clean", save, "--out", save) == 2
    one_line(capfd, "overwrite the input")
    pairs = tmp_path / "in.csv"
    pairs.write_text("source,target,range,blocked,hindrance\nA1,B1,,,\n", encoding="utf-8")
    assert run("los", "demo", "--pairs", pairs, "--out", pairs) == 2
    one_line(capfd, "overwrite the input")
    link = tmp_path / "link.vsav"
    link.symlink_to(save)
    assert run("clean", save, "--out", link) == 2
    capfd.readouterr()
    assert save.read_bytes() == demo_save().read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of posix")
def test_links_and_folders_in_the_way(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    victim = tmp_path / "victim.html"
    victim.write_text('<meta name="generator" content="vassal-bridge 1">', encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    (out / "demo.rout.html").symlink_to(victim)
    (out / "demo.rout.json").symlink_to(tmp_path / "nowhere")
    (out / "demo.rout.svg").mkdir()
    os.mkfifo(out / "demo.rout.txt")
    before = victim.read_bytes()
    for format_, words in (
        ("html", "link"), ("json", "link"), ("svg", "folder"), ("text", "plain file"),
    ):  # fmt: skip
        assert run("report", demo_save(), "--format", format_, "--out", out) == 2
        one_line(capfd, words)
    assert victim.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()


def test_the_output_folder_is_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"mine")
    assert run("report", demo_save(), "--format", "svg", "--out", out) == 2
    one_line(capfd, "out")
    assert run("report", demo_save(), "--format", "svg", "--out", out / "deeper") == 2
    one_line(capfd, "out")
    assert out.read_bytes() == b"mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    assert run("report", demo_save(), "--format", "svg", "--out", out) == 2
    one_line(capfd, "ermission")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT])
@pytest.mark.parametrize("where", ["open", "fsync", "replace"])
def test_a_full_or_broken_disk(
    code: int,
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """One line, no file half written, no temporary one left, what was there is still there."""
    target = tmp_path / "demo.rout.svg"
    assert run("report", demo_save(), "--format", "svg", "--out", tmp_path) == 0
    before = target.read_bytes()

    def broken(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    if where == "open":
        real = Path.open

        def open_(self: Path, mode: str = "r", *rest: object, **named: object) -> object:
            if "x" in mode:
                broken()
            return real(self, mode, *rest, **named)  # type: ignore[arg-type,call-overload]

        monkeypatch.setattr(Path, "open", open_)
    elif where == "fsync":
        monkeypatch.setattr("vassal_bridge.vassal.archive.os.fsync", broken)
    else:
        monkeypatch.setattr("vassal_bridge.vassal.archive.move_into_place", broken)
    options = ("--format", "svg", "--month", 2, "--out", tmp_path)
    assert run("report", demo_save(), *options) == 2
    one_line(capfd, "demo.rout.svg")
    monkeypatch.undo()
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["demo.rout.svg"]


def test_a_save_and_a_log_of_one_name_do_not_collide(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    save, log = game(tmp_path, "S1.vsav"), game(tmp_path, "S1.vlog", demo_log())
    assert run("report", save, log, "--format", "html,vsav") == 0
    assert run("audit", log, "--format", "vlog") in (0, 1)
    capfd.readouterr()
    names = sorted(path.name for path in (tmp_path / "rout").iterdir())
    assert names == [
        "S1.rout.html", "S1.rout.vsav",
        "S1.vlog.rout.html", "S1.vlog.rout.vlog", "S1.vlog.rout.vsav",
    ]  # fmt: skip


def test_names_like_those_of_the_watcher() -> None:
    assert stem_beside(Path("S1.vlog"), ["S1.vlog"]) == "S1"
    assert stem_beside(Path("S1.vlog"), ["S1.vlog", "s1.VSAV"]) == "S1.vlog"
    assert stem_beside(Path("S1.vsav"), ["S1.vlog", "S1.vsav"]) == "S1"
    assert stem_beside(Path("S1.rout.yaml"), ["S1.rout.yaml"]) == "S1"
    assert stem_beside(Path("S1.rout.yaml"), ["S1.vsav"]) == "S1.rout.yaml"
    assert stem_beside(Path("AH17-3-A-PFPh v1.2.vsav"), []) == "AH17-3-A-PFPh v1.2"


def test_files_of_one_name_in_one_folder_for_outputs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = [game(tmp_path / folder, "S1.vsav") for folder in ("one", "two", "x/two")]
    out = tmp_path / "out"
    assert run("report", *paths, "--format", "svg", "--out", out) == 0
    capfd.readouterr()
    names = sorted(path.name for path in out.iterdir())
    assert names == ["S1 2.rout.svg", "S1.rout.svg", "two S1.rout.svg"]
    outputs = Outputs(out)
    assert outputs.path(paths[0], "svg") == outputs.path(paths[0], "svg")


def test_write_output_says_what_is_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"mine")
    with pytest.raises(FileError, match="not written by vassal-bridge"):
        write_output(path, b"theirs")
    assert write_output(path, b"mine") == path
    with pytest.raises(UsageError):
        write_output(path, b"mine", path)
