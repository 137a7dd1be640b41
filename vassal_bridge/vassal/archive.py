"""The zip around a saved game, read with bounds; and the one writer of files of the program.

A saved game is a zip of three members (formats/files.md 1). Members are read by bounded reads, not
by what they declare; nothing is ever unpacked to disk. Every output of the program goes through
`atomic_write`: it appears whole or not at all.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from vassal_bridge.errors import (
    FileError,
    LimitReached,
    NotAGame,
    UnknownEnvelope,
    VassalBridgeError,
)
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import (
    MAX_ARCHIVE_BYTES,
    MAX_COMPRESSION_RATIO,
    MAX_DIRECTORY_BYTES,
    MAX_MEMBER_BYTES,
    MAX_MEMBERS_BYTES,
    MAX_TEXT_BYTES,
    MAX_ZIP_ENTRIES,
    RATIO_FREE_BYTES,
)
from vassal_bridge.vassal.envelope import Envelope, close_envelope, open_envelope

SAVED_GAME, SAVE_DATA, MODULE_DATA = "savedGame", "savedata", "moduledata"
MODULE = "VASL"
ZIP_REMARK = b"vassal-bridge"
"""At the end of the zips that the program writes, and of no others."""
_GAME_SUFFIXES = (".vsav", ".vlog")
_END_RECORD = struct.Struct("<4s4H2LH")
_DOS_EPOCH = (1980, 1, 1, 0, 0, 0)
_Date = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved game or log as read from disk, complete.

    Attributes:
        path: the file read.
        kind: ``vsav`` or ``vlog``; a log has steps or is called one.
        envelope: how its text was wrapped.
        text: the whole text, verbatim. It holds players' passwords: for the room's own readers
            and writers only, never for output.
        members: the other members of the zip, raw, in their order.
        module_name, module_version: of `moduledata`; "" when it says nothing.
        vassal_version: of `savedata`, else of `moduledata`.
        name: the game's file name, inside an outer zip if it came in one.
        log_steps: the text holds log steps.
        description: the comment typed when the file was made, or "".
        order: names of all members, `savedGame` included, as in the zip.
        dates: their dates in the zip.
        remarks: what was odd about the zip or its two small members, one line each.
    """

    path: Path
    kind: str
    envelope: Envelope
    text: str = field(repr=False)
    members: Mapping[str, bytes] = field(repr=False)
    module_name: str
    module_version: str
    vassal_version: str
    name: str
    log_steps: bool
    description: str = field(default="", repr=False)
    order: tuple[str, ...] = (SAVED_GAME, SAVE_DATA, MODULE_DATA)
    dates: Mapping[str, _Date] = field(default_factory=dict, repr=False)
    remarks: tuple[str, ...] = ()

    def with_text(self, text: str) -> Saved:
        """The same file with another text."""
        return replace(self, text=text, log_steps=_has_steps(text))


_MODULE_SUFFIXES = (".vmod", ".vmdx")
_A_MODULE = "not a saved game: a VASSAL module or extension"


def open_saved(path: Path) -> Saved:
    """Read a .vsav, a .vlog, or a .zip that holds one; its content decides, not its name.

    Raises:
        FileError: absent, unreadable, truncated, damaged, encrypted, or a zip of several games.
        NotAGame: readable, but no saved game of VASL.
        UnknownEnvelope: the game is wrapped in a way no VASSAL known to us writes.
        LimitReached: a limit of `vassal_bridge.limits` was passed.
        FormatError: its text is damaged.
    """
    path = Path(path)
    try:
        return read_saved(read_bounded(path, MAX_ARCHIVE_BYTES), path)
    except LimitReached as error:
        if path.suffix.casefold() in _MODULE_SUFFIXES:  # modules are large
            raise NotAGame(_A_MODULE, file=str(path)) from None
        raise error.at(file=path) from error.__cause__
    except VassalBridgeError as error:
        raise error.at(file=path) from error.__cause__


def read_saved(data: bytes, path: Path) -> Saved:
    """As `open_saved`, from bytes; `path` only names the file."""
    name = path.name
    with _Zip(data) as archive:
        if SAVED_GAME not in archive.names:
            name, data = _inner_game(archive)
        else:
            return _read_game(archive, path, name)
    with _Zip(data) as archive:
        if SAVED_GAME not in archive.names:
            raise NotAGame(f"{_plain(name)} inside the zip has no savedGame", place=_plain(name))
        return _read_game(archive, path, name)


class _Zip:
    """A zip opened with suspicion: few members, bounded reads, own errors only."""

    def __init__(self, data: bytes) -> None:
        _check_looks(data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_FAULTS:
            raise FileError("a truncated or damaged zip: its directory is broken") from None
        self._size = len(data)
        infos = self._zip.infolist()
        if len(infos) > MAX_ZIP_ENTRIES:
            raise LimitReached(f"a zip of {len(infos)} members, limit {MAX_ZIP_ENTRIES}")
        self.infos = {info.filename: info for info in infos}
        self.names = tuple(self.infos)
        if len(self.infos) != len(infos):
            raise FileError("a zip in which two members have the same name")

    def __enter__(self) -> _Zip:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def read(self, name: str, limit: int) -> bytes:
        info = self.infos[name]
        place = _plain(name)
        if info.flag_bits & 0x1:
            raise FileError("encrypted with a password", place=place)
        if info.compress_type not in _PACKINGS:
            raise FileError(
                f"packed by a method zips rarely use ({info.compress_type})", place=place
            )
        if info.file_size > limit:
            raise LimitReached(f"unpacks to {info.file_size} bytes, limit {limit}", place=place)
        packed = max(1, min(info.compress_size, self._size))
        if info.file_size > RATIO_FREE_BYTES and info.file_size > packed * MAX_COMPRESSION_RATIO:
            raise LimitReached(
                f"{packed} bytes that unpack to {info.file_size} are refused", place=place
            )
        try:
            with self._zip.open(info) as stream:
                data = stream.read(limit + 1)
        except _ZIP_FAULTS:
            raise FileError("damaged, or lies about its size", place=place) from None
        if len(data) != info.file_size:
            raise FileError(
                f"lies about its size: {info.file_size} declared, {len(data)} found", place=place
            )
        return data


_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""All that VASSAL reads and writes; others raise errors and take memory of their own."""
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # with NotImplementedError: unknown compression
    ValueError,  # with UnicodeDecodeError
    IndexError,
    OverflowError,
    MemoryError,
)


def _check_looks(data: bytes) -> None:
    """Tell apart, before `zipfile` reads anything: no zip, a cut-off zip, an absurd directory."""
    if not data:
        raise FileError("an empty file")
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        if _is_text(data[:4096]):
            raise NotAGame("a text file, not a VASSAL saved game")
        raise NotAGame("not a zip, so not a VASSAL saved game")
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if at < 0 or at + _END_RECORD.size > len(data):
        raise FileError("a truncated zip: its end is missing")
    directory_bytes = _END_RECORD.unpack_from(data, at)[5]
    if data[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise LimitReached("a zip for more than 65,535 members or 4 GiB (zip64)")
    if directory_bytes > MAX_DIRECTORY_BYTES:
        raise LimitReached(
            f"a zip with a directory of {directory_bytes} bytes, limit {MAX_DIRECTORY_BYTES}"
        )


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode()
    return not re.search(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]", text)


def _inner_game(archive: _Zip) -> tuple[str, bytes]:
    """The one game that a zip without `savedGame` holds, as mailed between players."""
    if "buildFile" in archive.names or "buildFile.xml" in archive.names:
        raise NotAGame(_A_MODULE)
    if "LOSData" in archive.names or "BoardMetadata.xml" in archive.names:
        raise NotAGame("a VASL board, not a saved game")
    games = [
        name
        for name in archive.names
        if name.lower().endswith(_GAME_SUFFIXES) and not _is_mac_litter(name)
    ]
    if not games:
        raise NotAGame("a zip without savedGame and without a .vsav or .vlog in it")
    if len(games) > 1:
        shown = ", ".join(_plain(name) for name in games[:3])
        raise FileError(f"a zip of {len(games)} games ({shown} …): unpack it and name one")
    return PurePosixPath(games[0]).name or games[0], archive.read(games[0], MAX_ARCHIVE_BYTES)


def _is_mac_litter(name: str) -> bool:
    return name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith("._")


def _read_game(archive: _Zip, path: Path, name: str) -> Saved:
    members: dict[str, bytes] = {}
    left = MAX_MEMBERS_BYTES
    for member in archive.names:
        if member != SAVED_GAME:
            members[member] = archive.read(member, min(MAX_MEMBER_BYTES, left))
            left -= len(members[member])
    remarks: list[str] = []
    module = _small_xml(members, MODULE_DATA, remarks)
    save = _small_xml(members, SAVE_DATA, remarks)
    module_name = module.get("name", "")
    if module_name not in ("", MODULE):
        raise NotAGame(f"a saved game of the module {_plain(module_name)!r}, not of {MODULE}")
    vassal = save.get("VassalVersion", "") or module.get("VassalVersion", "")
    try:
        envelope, text = open_envelope(archive.read(SAVED_GAME, 2 * MAX_TEXT_BYTES + 7))
    except UnknownEnvelope as error:
        error.message += (
            f"; moduledata says VASL {_plain(module.get('version', '')) or '?'}, "
            f"VASSAL {_plain(vassal) or '?'}"
        )
        raise error.at(place=SAVED_GAME) from None
    except VassalBridgeError as error:
        raise error.at(place=SAVED_GAME) from None
    steps = _has_steps(text)
    return Saved(
        path=path,
        kind="vlog" if steps or name.lower().endswith(".vlog") else "vsav",
        envelope=envelope,
        text=text,
        members=MappingProxyType(members),
        module_name=module_name,
        module_version=module.get("version", ""),
        vassal_version=vassal,
        name=name,
        log_steps=steps,
        description=save.get("description", ""),
        order=archive.names,
        dates={member: info.date_time for member, info in archive.infos.items()},
        remarks=tuple(remarks),
    )


def _has_steps(text: str) -> bool:
    return text.startswith("LOG\t") or "\x1bLOG\t" in text


def _small_xml(members: Mapping[str, bytes], name: str, remarks: list[str]) -> dict[str, str]:
    """The children of a small XML member as texts; what is wrong with it becomes a remark."""
    if name not in members:
        remarks.append(f"{name} is missing")
        return {}
    from vassal_bridge.xmlsafe import parse_xml  # lxml takes 20 ms to load

    try:
        root = parse_xml(members[name], name)
    except VassalBridgeError as error:
        remarks.append(str(error))
        return {}
    return {
        str(child.tag): (child.text or "").strip() for child in root if isinstance(child.tag, str)
    }


def _plain(name: str) -> str:
    """A name from a file, fit for one line of an error."""
    return "".join(char if char.isprintable() else "?" for char in name[:80])


def saved_bytes(saved: Saved, text: str | None = None, remark: bytes = b"") -> bytes:
    """The bytes of a zip with the game in the envelope it was read in and every other member.

    Args:
        saved: the game.
        text: instead of its own.
        remark: comment at the end of the zip; `ZIP_REMARK` tells our outputs from VASSAL's files.
    """
    game = close_envelope(saved.envelope, saved.text if text is None else text)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = remark
        for name in saved.order:
            info = zipfile.ZipInfo(name, saved.dates.get(name, _DOS_EPOCH))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, game if name == SAVED_GAME else saved.members[name])
    return stream.getvalue()


def write_saved(saved: Saved, out: Path, text: str | None = None) -> None:
    """Write a copy of a saved game, atomically, with `text` in place of its own if given.

    Raises:
        FileError: `out` cannot be written, or is the very file that was read.
    """
    if _same_file(saved.path, out):
        raise FileError("is the file read; it is never written", file=str(out))
    atomic_write(out, saved_bytes(saved, text))


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


_TEMP = re.compile(r"\..*\.(\d{1,10})\.vbtmp", re.DOTALL)
_RETRIES, _RETRY_SECONDS = 5, 0.4
_STALE_SECONDS = 3600.0


def atomic_write(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all; the one writer of the program.

    A temporary file in the same folder is filled, flushed to disk and put in place. Missing
    folders are made. While another program holds the target open (Windows), the last move is
    tried five times within two seconds.

    Raises:
        FileError: it cannot be written; the cause is the `OSError`.
    """
    path = Path(path)
    temp = path.with_name(f".{path.name[:80]}.{time.monotonic_ns() % 10**9}.{os.getpid()}.vbtmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temp.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            move_into_place(temp, path)
        except BaseException:
            temp.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a usable file name"
        raise FileError(f"cannot be written: {reason}", file=str(path)) from error


def move_into_place(
    temp: Path,
    path: Path,
    move: Callable[[Path, Path], object] = os.replace,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Replace `path` by `temp`, patient while Windows reports a sharing violation.

    Raises:
        OSError: as `move` does, after the last try.
    """
    for attempt in range(_RETRIES):
        try:
            move(temp, path)
        except OSError as error:
            # 5 access denied, 32 sharing violation, 33 lock violation
            if getattr(error, "winerror", None) not in (5, 32, 33) or attempt == _RETRIES - 1:
                raise
            wait(_RETRY_SECONDS)
        else:
            return


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable where the system lets us."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # some file systems refuse; the file itself is on disk
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def tidy_up(folder: Path) -> int:
    """Remove temporary files that a killed run of the program left in a folder.

    Only names of our own form whose writer is gone, or that are an hour old.

    Returns:
        How many were removed.
    """
    removed = 0
    try:
        found = [entry for entry in folder.iterdir() if entry.name.endswith(".vbtmp")]
    except OSError:
        return 0
    for entry in found:
        match = _TEMP.fullmatch(entry.name)
        try:
            if match and (not _alive(int(match.group(1))) or _age(entry) > _STALE_SECONDS):
                entry.unlink()
                removed += 1
        except OSError:
            continue  # another run removed it, or it is held open
    return removed


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime


def _alive(pid: int) -> bool:
    """Whether a process runs; where the system cannot say without harm (Windows), yes."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
