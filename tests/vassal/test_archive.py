"""The zip: what is a game and what is not, limits, lying and exploding members."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.vassal import samples
from vassal_bridge import limits
from vassal_bridge.errors import (
    FileError,
    LimitReached,
    NotAGame,
    UnknownEnvelope,
    VassalBridgeError,
)
from vassal_bridge.vassal import archive, open_saved, write_saved
from vassal_bridge.vassal.archive import read_saved, saved_bytes

TEXT = samples.text([samples.squad("11"), samples.stack("12", ["11"])])
LOG = samples.text(
    [samples.squad("11")], [samples.step("CHAT<A> - hi"), samples.step("CHAT<A> - ho")]
)


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_save_is_read_whole(tmp_path: Path) -> None:
    path = put(tmp_path, "S 001, Vierville.vsav", samples.saved(TEXT, notes=b"kept \x00\xff"))
    saved = open_saved(path)
    assert saved.kind == "vsav"
    assert saved.text == TEXT
    assert saved.name == "S 001, Vierville.vsav"
    assert (saved.module_name, saved.module_version) == ("VASL", "6.5.1")
    assert saved.vassal_version == "3.2.17"
    assert saved.description == "turn 3"
    assert saved.members["notes"] == b"kept \x00\xff"
    assert not saved.log_steps
    assert saved.remarks == ()


@pytest.mark.parametrize("name", ["game.VLOG", "game.vsav", "game.dat"])
def test_content_decides_what_a_log_is(tmp_path: Path, name: str) -> None:
    saved = open_saved(put(tmp_path, name, samples.saved(LOG)))
    assert saved.kind == "vlog"
    assert saved.log_steps


def test_a_log_without_steps_is_still_one_by_its_name(tmp_path: Path) -> None:
    saved = open_saved(put(tmp_path, "new.vlog", samples.saved(TEXT)))
    assert (saved.kind, saved.log_steps) == ("vlog", False)


@pytest.mark.parametrize("inner", ["mail/T3-A-RtPh.vlog", "T3-A-RtPh.VLOG"])
def test_a_zip_that_holds_one_game(tmp_path: Path, inner: str) -> None:
    mail = samples.zipped(
        {inner: samples.saved(LOG), "__MACOSX/._T3-A-RtPh.vlog": b"litter", "readme.txt": b"hi"}
    )
    saved = open_saved(put(tmp_path, "mail.zip", mail))
    assert saved.name == Path(inner).name
    assert saved.text == LOG


def test_a_zip_that_holds_several_games(tmp_path: Path) -> None:
    mail = samples.zipped({"a.vsav": samples.saved(TEXT), "b.vsav": samples.saved(TEXT)})
    with pytest.raises(FileError, match=r"2 games \(a\.vsav, b\.vsav"):
        open_saved(put(tmp_path, "mail.zip", mail))


def test_zips_are_not_opened_deeper_than_once(tmp_path: Path) -> None:
    twice = samples.zipped({"a.vsav": samples.zipped({"a.vsav": samples.saved(TEXT)})})
    with pytest.raises(NotAGame, match="no savedGame"):
        open_saved(put(tmp_path, "mail.zip", twice))


NO_GAMES = {
    "empty file": (b"", FileError, "an empty file"),
    "text": ("Lieber Marco, hier ist ♥ mein Zug".encode(), NotAGame, "a text file"),
    "cut text": (b"x" * 4095 + "♥".encode() + b"more", NotAGame, "a text file"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0", NotAGame, "not a zip"),
    "module": (
        samples.zipped({"buildFile": b"<x/>", "moduledata": b""}),
        NotAGame,
        "a VASSAL module",
    ),
    "board": (
        samples.zipped({"LOSData": b"", "BoardMetadata.xml": b""}),
        NotAGame,
        "a VASL board",
    ),
    "other zip": (samples.zipped({"letter.doc": b"x"}), NotAGame, "without savedGame"),
    "empty zip": (samples.zipped({}), NotAGame, "without savedGame"),
    "other module": (
        samples.saved(TEXT, samples.MODULE.replace(b"VASL", b"World\tin Flames")),
        NotAGame,
        "of the module 'World?in Flames', not of VASL",
    ),
    "unknown envelope": (
        samples.saved(b"VQQQ\x01\x02\x03"),
        UnknownEnvelope,
        "56 51 51 51 01 02 (VQQQ..), no form known; moduledata says VASL 6.5.1, VASSAL 3.2.17",
    ),
    "zip start only": (samples.saved(TEXT)[:40], FileError, "truncated zip"),
}


@pytest.mark.parametrize("case", NO_GAMES)
def test_what_is_no_game_is_named_in_one_line(tmp_path: Path, case: str) -> None:
    data, error_class, words = NO_GAMES[case]
    path = put(tmp_path, "odd file.vsav", data)
    with pytest.raises(error_class) as caught:
        open_saved(path)
    message = str(caught.value)
    assert type(caught.value) is error_class
    assert words in message
    assert message.startswith(str(path))
    assert "\n" not in message
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("part", [1, 10, 50, 90, 99])
def test_a_truncated_game_is_a_truncated_zip(tmp_path: Path, part: int) -> None:
    """As every save is for a while when VASSAL writes it (reliability.md 1)."""
    data = samples.saved(TEXT)
    with pytest.raises(FileError, match="truncated"):
        open_saved(put(tmp_path, "t.vsav", data[: max(4, len(data) * part // 100)]))


def test_absent_folder_and_forbidden(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        open_saved(tmp_path / "none.vsav")
    with pytest.raises(FileError, match="is a folder"):
        open_saved(tmp_path)
    with pytest.raises(FileError, match="not a usable file name"):
        open_saved(tmp_path / "a\0b.vsav")


def test_a_file_in_use_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "t.vsav", samples.saved(TEXT))

    def locked(*_: object, **__: object) -> object:
        raise PermissionError(13, "The process cannot access the file")

    monkeypatch.setattr("vassal_bridge.filesafe.os.open", locked)
    with pytest.raises(FileError, match="in use") as caught:
        open_saved(path)
    assert isinstance(caught.value.__cause__, PermissionError)


def test_missing_or_broken_small_members_are_remarks_only(tmp_path: Path) -> None:
    """The client loads such files too (formats/seen-in-the-client.md)."""
    bare = put(tmp_path, "bare.vsav", samples.zipped({"savedGame": TEXT.encode()}))
    saved = open_saved(bare)
    assert saved.text == TEXT
    assert saved.remarks == ("moduledata is missing", "savedata is missing")
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><data><name>VASL</name>&a;</data>'
    odd = put(tmp_path, "odd.vsav", samples.saved(TEXT, bomb))
    assert "moduledata" in open_saved(odd).remarks[0]


# -- limits ------------------------------------------------------------------------------------


def test_max_archive_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = samples.saved(TEXT)
    path = put(tmp_path, "t.vsav", data)
    monkeypatch.setattr(archive, "MAX_ARCHIVE_BYTES", len(data))
    open_saved(path)
    monkeypatch.setattr(archive, "MAX_ARCHIVE_BYTES", len(data) - 1)
    with pytest.raises(LimitReached, match="larger than"):
        open_saved(path)


def test_max_zip_entries() -> None:
    names = {f"m{i}": b"" for i in range(limits.MAX_ZIP_ENTRIES - 3)}
    read_saved(samples.saved(TEXT, **names), Path("t.vsav"))
    names["one more"] = b""
    with pytest.raises(LimitReached, match="65 members, limit 64"):
        read_saved(samples.saved(TEXT, **names), Path("t.vsav"))


def test_max_directory_bytes() -> None:
    many = samples.zipped({f"{i:06}{'x' * 250}": b"" for i in range(4000)})
    start = time.process_time()
    with pytest.raises(LimitReached, match="directory"):
        read_saved(many, Path("t.vsav"))
    assert time.process_time() - start < 0.2 * samples.patience()


def test_max_member_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = samples.saved(TEXT, other=b"0123456789")
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", max(len(samples.MODULE), len(samples.SAVE)))
    read_saved(data, Path("t.vsav"))
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 9)
    with pytest.raises(LimitReached, match="limit 9"):
        read_saved(data, Path("t.vsav"))


def test_max_compression_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    data = samples.saved("begin_save\x1bCHAT" + "x" * 100_000 + "\x1bend_save")
    read_saved(data, Path("t.vsav"))
    monkeypatch.setattr(archive, "RATIO_FREE_BYTES", 50_000)
    with pytest.raises(LimitReached, match="refused"):
        read_saved(data, Path("t.vsav"))
    monkeypatch.setattr(archive, "MAX_COMPRESSION_RATIO", 2000)
    read_saved(data, Path("t.vsav"))


def test_a_bomb_is_refused_at_once(tmp_path: Path) -> None:
    """Near a megabyte that declares a gigabyte (reliability.md A6): 0.5 s, under 200 MB."""
    path = tmp_path / "bomb.vsav"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        with made.open("savedGame", "w", force_zip64=True) as member:
            for _ in range(1024):
                member.write(bytes(1024 * 1024))
        made.writestr("moduledata", samples.MODULE)
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from vassal_bridge.vassal import open_saved\n"
        "from vassal_bridge.errors import LimitReached\n"
        "import lxml.etree\n"
        "start = time.process_time()\n"
        "try: open_saved(Path(sys.argv[1]))\n"
        "except LimitReached as error: print(error)\n"
        "print(time.process_time() - start)\n"
        # not ru_maxrss: it starts from the size of the test run that made this process
        "status = Path('/proc/self/status')\n"
        "lines = status.read_text().splitlines() if status.exists() else []\n"
        "print(next((one.split()[1] for one in lines if one.startswith('VmHWM')), 0))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    message, seconds, kilobytes = done.stdout.splitlines()
    assert "1073741824" in message
    assert float(seconds) < 0.5
    assert int(kilobytes) < 200 * 1024


@pytest.mark.parametrize("lie", [-20, +20, -1])
def test_a_member_that_lies_about_its_size(lie: int) -> None:
    game = "begin_save\x1bCHAT" + "x" * 500 + "\x1bend_save"
    data = bytearray(samples.saved(game))
    size = struct.pack("<L", len(game))
    assert data.count(size) == 2  # the local header and the directory
    wrong = struct.pack("<L", len(game) + lie)
    with pytest.raises(VassalBridgeError, match="lies about its size") as caught:
        read_saved(bytes(data.replace(size, wrong)), Path("t.vsav"))
    assert caught.value.place == "savedGame"


def test_an_encrypted_member() -> None:
    data = bytearray(samples.saved(TEXT))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    with pytest.raises(FileError, match="encrypted"):
        read_saved(bytes(data), Path("t.vsav"))


def test_an_unknown_compression() -> None:
    data = bytearray(samples.saved(TEXT))
    at = data.index(b"PK\x01\x02")
    data[at + 10 : at + 12] = b"\x61\x00"
    with pytest.raises(FileError, match="packed by a method"):
        read_saved(bytes(data), Path("t.vsav"))


def test_two_members_of_one_name() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = _twice()
    with pytest.raises(FileError, match="same name"):
        read_saved(data, Path("t.vsav"))


def _twice() -> bytes:
    import io

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("savedGame", TEXT)
        made.writestr("savedGame", LOG)
    return stream.getvalue()


# -- writing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", samples.KINDS)
def test_a_copy_is_the_same_game(tmp_path: Path, kind: str) -> None:
    game = samples.wrapped(LOG, kind)
    path = put(tmp_path, "a.vlog", samples.saved(game, extra=b"\x00\x01"))
    before = path.read_bytes()
    saved = open_saved(path)
    out = tmp_path / "rout" / "a.rout.vlog"
    write_saved(saved, out)
    again = open_saved(out)
    assert again.text == LOG
    assert again.envelope == saved.envelope
    assert dict(again.members) == dict(saved.members)
    assert again.order == saved.order == ("savedGame", "savedata", "moduledata", "extra")
    assert path.read_bytes() == before


def test_a_copy_with_another_text_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    saved = open_saved(put(tmp_path, "a.vlog", samples.saved(TEXT)))
    one, other = saved_bytes(saved, LOG), saved_bytes(saved.with_text(LOG))
    assert one == other
    assert read_saved(one, Path("b.vlog")).text == LOG
    assert saved.with_text(LOG).log_steps


def test_the_file_read_is_never_written(tmp_path: Path) -> None:
    path = put(tmp_path, "a.vsav", samples.saved(TEXT))
    saved = open_saved(path)
    link = tmp_path / "link.vsav"
    os.link(path, link)
    for out in (path, tmp_path / "." / "a.vsav", link):
        with pytest.raises(FileError, match="never written"):
            write_saved(saved, out)


def test_reading_needs_no_right_to_write(tmp_path: Path) -> None:
    path = put(tmp_path, "a.vsav", samples.saved(TEXT))
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        assert open_saved(path).text == TEXT
    finally:
        tmp_path.chmod(0o755)


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    game = samples.text([samples.squad("11", owner=samples.CANARY)])
    saved = open_saved(put(tmp_path, "a.vsav", samples.saved(game)))
    assert samples.CANARY in saved.text
    assert samples.CANARY not in repr(saved)
