"""Made-up computers: Windows, macOS and Linux, empty or with VASL, made of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from vassal_bridge.discovery import Machine, System

CANARY = "canary-pa55word"
HOMES: Mapping[System, str] = {
    "windows": r"C:\Users\Anna",
    "macos": "/Users/anna",
    "linux": "/home/anna",
}
CONFIGS: Mapping[System, str] = {
    "windows": r"C:\Users\Anna\AppData\Roaming\VASSAL",
    "macos": "/Users/anna/Library/Application Support/VASSAL",
    "linux": "/home/anna/.VASSAL",
}
GAMES: Mapping[System, str] = {
    "windows": r"D:\ASL",
    "macos": "/Users/anna/ASL Games",
    "linux": "/home/anna/Spiele/ASL",
}
SYSTEMS: tuple[System, ...] = ("windows", "macos", "linux")


@dataclass
class MadeDisk:
    """Files by path; folders are what files lie in."""

    files: dict[PurePath, bytes] = field(default_factory=dict)
    times: dict[PurePath, float] = field(default_factory=dict)

    def is_dir(self, path: PurePath) -> bool:
        return any(path in file.parents for file in self.files)

    def is_file(self, path: PurePath) -> bool:
        return path in self.files

    def names(self, path: PurePath) -> Sequence[str]:
        depth = len(path.parts)
        return sorted({file.parts[depth] for file in self.files if path in file.parents})

    def read(self, path: PurePath, limit: int) -> bytes | None:
        data = self.files.get(path)
        return data if data is not None and len(data) <= limit else None

    def modified(self, path: PurePath) -> float:
        return self.times.get(path, 0.0)


def machine(system: System, env: Mapping[str, str] | None = None) -> Machine:
    """An empty computer."""
    kind = PureWindowsPath if system == "windows" else PurePosixPath
    base = {"APPDATA": r"C:\Users\Anna\AppData\Roaming"} if system == "windows" else {}
    return Machine(system, kind(HOMES[system]), {**base, **(env or {})}, MadeDisk())


def put(on: Machine, *parts: str, data: bytes = b"x", time: float = 0.0) -> PurePath:
    """Lay a file on a made-up disk."""
    path = on.path(parts[0]).joinpath(*parts[1:])
    assert isinstance(on.disk, MadeDisk)
    on.disk.files[path] = data
    on.disk.times[path] = time
    return path


def properties(values: Mapping[str, str]) -> bytes:
    """As java.util.Properties.store writes them, with the comment line it puts first."""
    lines = ["#Sun Nov 29 21:17:00 CET 2026"]
    for key, value in values.items():
        text = "".join(_escape(char) for char in value)
        text = "\\ " + text[1:] if text.startswith(" ") else text
        lines.append(f"{key}={text}")
    return ("\n".join(lines) + "\n").encode("latin-1")


def _escape(char: str) -> str:
    if char in "\\:=#!":
        return "\\" + char
    if char in "\t\n\r\f":
        return "\\" + "tnrf"["\t\n\r\f".index(char)]
    if " " <= char <= "~":
        return char
    data = char.encode("utf-16-be")
    return "".join(f"\\u{data[at]:02X}{data[at + 1]:02X}" for at in range(0, len(data), 2))


def installed(system: System) -> Machine:
    """A computer on which VASL has been played, laid out its owner's way."""
    on = machine(system)
    config, games = CONFIGS[system], GAMES[system]
    slash = "\\" if system == "windows" else "/"
    vasl = games + slash + "VASL"
    recent = slash.join([games, "Players", "Boris", "S1-2-A-RtPh.vlog"])
    modules = [vasl + slash + name for name in ("vasl-6.6.9.vmod", "vasl-6.7.3.vmod", "WiF.vmod")]
    put(on, config, "errorLog-3.7.5")
    put(on, config, "errorLog-3.7.22")
    put(on, config, "prefs", "V_Global", data=properties({"RecentModules": ",".join(modules)}))
    put(
        on, config, "prefs", "VASL",
        data=properties({
            "SecretName": CANARY, "RealName": "Anna", "boardURL": vasl + slash + "my boards",
            "savedGameDir": games + slash + "gone", "RecentGames": recent,
        }),
    )  # fmt: skip
    for module in modules:
        put(on, module)
    for board in ("bdz", "bdy", "bd01", "readme.txt"):
        put(on, vasl, "my boards", board)
    put(on, recent, time=5.0)
    return on
