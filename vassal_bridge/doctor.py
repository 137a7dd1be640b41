"""What was found where, and what to do about what was not.

`examine` turns a `Discovery` and the loaded settings into checks, which are values; `as_text`
writes them for a player, in English or Chinese.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from vassal_bridge.discovery import (
    PREFERENCES_OF,
    Discovery,
    Machine,
    Stated,
    Thing,
    Tried,
    is_board_name,
)
from vassal_bridge.errors import SettingsError

if TYPE_CHECKING:
    from vassal_bridge.settings import Loaded

State = Literal["ok", "missing", "note"]

_STATED: dict[Thing, tuple[str, ...]] = {
    "config": ("vassal_conf",),
    "vassal": ("vassal_dir",),
    "module": ("vmod",),
    "boards": ("boards",),
    "saves": ("saves",),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's sheet.

    Attributes:
        topic: key of the text that names it, e.g. ``"boards"``.
        state: ``"ok"``; ``"missing"``: something is needed; ``"note"``: good to know.
        value: what was found, e.g. a path.
        detail: key of a text about it, or "".
        facts: what stands in that text.
        tried: the places looked at.
        advice: key of a text that says what to do, or "".
    """

    topic: str
    state: State
    value: str = ""
    detail: str = ""
    facts: tuple[tuple[str, object], ...] = ()
    tried: tuple[Tried, ...] = ()
    advice: str = ""


def stated_places(loaded: Loaded) -> dict[Thing, tuple[Stated, ...]]:
    """The places the user named, strongest origin first, for `discover`."""
    places: dict[Thing, tuple[Stated, ...]] = {}
    for thing, fields in _STATED.items():
        places[thing] = tuple(
            Stated(str(path), _by(layer.origin, layer.names.get(field, "")))
            for layer in loaded.layers
            for field in fields
            for path in _many(layer.values.get(field))
        )
    return places


def _by(origin: str, name: str) -> str:
    return f"{origin} {name}" if origin == "environment" else origin


def _many(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, tuple | list) else (value,)


def require_boards(found: Discovery) -> tuple[PurePath, ...]:
    """The folders with boards.

    Raises:
        SettingsError: none was found, or the one on the command line is none; says what was tried.
    """
    wrong = [t for t in found.about("boards") if t.by == "command line" and t.finding != "found"]
    if wrong:
        raise SettingsError(
            f"{wrong[0].path}: {FINDINGS['en'][wrong[0].finding]}", place="--boards"
        )
    if not found.boards:
        tried = "; ".join(tried_line(one, "en") for one in found.about("boards"))
        raise SettingsError(f"no VASL boards found (tried: {tried}). Name them with --boards DIR")
    return found.boards


def examine(machine: Machine, found: Discovery, loaded: Loaded) -> tuple[Check, ...]:
    """All checks, in the order of a newcomer's questions."""
    return (
        _vassal(found),
        _config(found),
        _module(found),
        _boards(machine, found),
        _saves(found),
        *_settings(loaded),
        _live(),
    )


def healthy(checks: Sequence[Check]) -> bool:
    """Whether nothing that is needed is missing."""
    return all(check.state != "missing" for check in checks)


def _vassal(found: Discovery) -> Check:
    tried = found.about("vassal")
    if found.vassal is None:
        return Check("vassal", "note", tried=tried, advice="vassal-not-needed")
    return Check("vassal", "ok", str(found.vassal), tried=tried)


def _config(found: Discovery) -> Check:
    tried = (*found.about("config"), *found.about("preferences"))
    if found.config is None:
        return Check("config", "note", tried=tried, advice="config")
    versions = ", ".join(found.vassal_versions)
    detail = "versions" if versions else ""
    unread = [one for one in found.about("preferences") if one.finding != "found"]
    advice = "open-vasl-once" if any(one.by == PREFERENCES_OF["VASL"] for one in unread) else ""
    facts = (("versions", versions),)
    state: State = "note" if advice else "ok"
    return Check("config", state, str(found.config), detail, facts, tried, advice)


def _module(found: Discovery) -> Check:
    tried = found.about("module")
    if found.module is None:
        return Check("module", "note", tried=tried, advice="module-not-needed")
    return Check("module", "ok", str(found.module), tried=tried)


def _boards(machine: Machine, found: Discovery) -> Check:
    tried = found.about("boards")
    if not found.boards:
        empty = any(one.finding == "no-boards" for one in tried)
        return Check("boards", "missing", tried=tried, advice="boards-empty" if empty else "boards")
    names = {
        name
        for folder in found.boards
        for name in machine.disk.names(folder)
        if is_board_name(name)
    }
    value = ", ".join(str(folder) for folder in found.boards)
    stated_wrong = any(one.stated and one.finding != "found" for one in tried)
    state: State = "note" if stated_wrong else "ok"
    advice = "stated-wrong" if stated_wrong else ""
    return Check("boards", state, value, "count", (("n", len(names)),), tried, advice)


def _saves(found: Discovery) -> Check:
    tried = found.about("saves")
    if not found.saves:
        return Check("saves", "note", tried=tried, advice="saves")
    return Check("saves", "ok", ", ".join(str(folder) for folder in found.saves), tried=tried)


def _settings(loaded: Loaded) -> tuple[Check, ...]:
    files = tuple(
        Check("settings", "ok", str(path), "from-file", (("keys", _keys_of(loaded, str(path))),))
        for path in loaded.files
    )
    return files or (Check("settings", "note", advice="init"),)


def _keys_of(loaded: Loaded, origin: str) -> str:
    layer = next(layer for layer in loaded.layers if layer.origin == origin)
    return ", ".join(sorted(layer.values)) or "-"


def _live() -> Check:
    if find_spec("starlette") is not None and find_spec("uvicorn") is not None:
        return Check("live", "ok", detail="installed")
    return Check("live", "note", advice="live")


# --- texts ----------------------------------------------------------------------------------

SIGNS: Mapping[State, str] = {"ok": "✔", "missing": "✘", "note": "–"}

FINDINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "found": "found",
        "absent": "not there",
        "not-a-folder": "a file, not a folder",
        "no-boards": "holds no board files (bdz, bdy, …)",
        "not-set": "not set",
        "unreadable": "cannot be read",
    },
    "zh": {
        "found": "找到",
        "absent": "不存在",
        "not-a-folder": "是文件，不是文件夹",
        "no-boards": "没有地图文件（bdz、bdy……）",
        "not-set": "未设置",
        "unreadable": "无法读取",
    },
}

SOURCES: Mapping[str, Mapping[str, str]] = {
    "zh": {
        "command line": "命令行",
        "environment": "环境变量",
        "usual place": "常用位置",
        "beside the module": "模组旁",
        "VASL preferences": "VASL 首选项文件",
        "VASSAL preferences": "VASSAL 首选项文件",
        "VASL preference ": "VASL 首选项 ",
        "VASSAL preference ": "VASSAL 首选项 ",
    }
}
"""Origins of places in other languages, by how they begin."""

TEXTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "vassal": "VASSAL program",
        "config": "VASSAL settings",
        "module": "VASL module",
        "boards": "VASL boards",
        "saves": "Saved games",
        "settings": "Own settings",
        "live": "Live view",
        "none": "not found",
        "versions": "VASSAL {versions} has run here",
        "count": "{n} boards",
        "from-file": "sets {keys}",
        "installed": "installed",
        "vassal-not-needed-advice": "Not needed: saved games are read without VASSAL.",
        "config-advice": "If VASSAL is on this computer, start it once; if its settings lie "
        "elsewhere, name the folder: ROUT_VASSAL_CONF, or vassal_conf in your settings.",
        "open-vasl-once-advice": "Open VASL once in VASSAL, then its board folder is known here.",
        "module-not-needed-advice": "Needed for counter art only. Name it: vmod in your settings.",
        "boards-advice": "In VASL: Preferences, Board Directory. Or name the folder: --boards DIR, "
        "ROUT_BOARDS, or `vassal-bridge init`. Boards come from vasl.info.",
        "boards-empty-advice": "A folder was found but holds no board files. Boards come from "
        "vasl.info; put them there, or name another folder: --boards DIR.",
        "stated-wrong-advice": "A folder you named was passed over, see above.",
        "saves-advice": "Name the folder when you watch it: vassal-bridge watch DIR.",
        "init-advice": "None yet. `vassal-bridge init` writes them after a few questions.",
        "live-advice": 'For `watch --serve`: pip install ".[live]" in a copy of the sources.',
    },
    "zh": {
        "vassal": "VASSAL 程序",
        "config": "VASSAL 设置",
        "module": "VASL 模组",
        "boards": "VASL 地图",
        "saves": "存档",
        "settings": "本程序设置",
        "live": "实时页面",
        "none": "未找到",
        "versions": "此处运行过 VASSAL {versions}",
        "count": "{n} 张地图",
        "from-file": "设置了 {keys}",
        "installed": "已安装",
        "vassal-not-needed-advice": "不是必需：读取存档无需 VASSAL。",
        "config-advice": "如果本机装有 VASSAL，请启动一次；若设置在别处，请用 ROUT_VASSAL_CONF "
        "或设置文件中的 vassal_conf 指明文件夹。",
        "open-vasl-once-advice": "在 VASSAL 中打开一次 VASL，即可得知地图文件夹。",
        "module-not-needed-advice": "仅棋子图案需要。可在设置文件中用 vmod 指明。",
        "boards-advice": "在 VASL 首选项中设置 Board Directory；或用 --boards DIR、ROUT_BOARDS、"
        "`vassal-bridge init` 指明。地图可从 vasl.info 下载。",
        "boards-empty-advice": "找到了文件夹，但其中没有地图文件。请从 vasl.info 下载放入，"
        "或用 --boards DIR 指明别的文件夹。",
        "stated-wrong-advice": "您指明的某个文件夹无法使用，见上。",
        "saves-advice": "监视时指明文件夹即可：vassal-bridge watch DIR。",
        "init-advice": "尚无。运行 `vassal-bridge init`，回答几个问题即可生成。",
        "live-advice": '使用 `watch --serve` 需要在源码目录里执行：pip install ".[live]"。',
    },
}


def tried_line(tried: Tried, lang: str) -> str:
    """One place looked at, e.g. ``usual place /home/u/ASL/VASL/boards: not there``."""
    finding = FINDINGS.get(lang, FINDINGS["en"])[tried.finding]
    by = tried.by
    for english, other in SOURCES.get(lang, {}).items():
        if by.startswith(english):
            by = other + by[len(english) :]
    where = f"{by} {tried.path}".rstrip()
    return f"{where}: {finding}"


def as_text(checks: Sequence[Check], lang: str = "en") -> str:
    """The doctor's sheet."""
    texts = TEXTS.get(lang, TEXTS["en"])
    lines: list[str] = []
    for check in checks:
        value = check.value or (texts[check.detail] if check.detail else texts["none"])
        if check.value and check.detail:
            value += f"  ({texts[check.detail].format(**dict(check.facts))})"
        lines.append(f"{SIGNS[check.state]} {texts[check.topic]}: {value}")
        for one in check.tried:
            sign = SIGNS["ok" if one.finding == "found" else "missing"]
            lines.append(f"    {sign} {tried_line(one, lang)}")
        if check.advice:
            lines.append(f"    → {texts[check.advice + '-advice']}")
    return "\n".join(lines) + "\n"
