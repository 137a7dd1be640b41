"""What the user wants: command line over environment over `rout.toml` over own file over defaults.

`load_settings` reads nothing but the files it is told about, so every layer can be tried out in a
test. Where things *are* (VASSAL, boards, saves) is the business of `vassal_bridge.discovery`, which
takes what is stated here first.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from vassal_bridge.errors import FileError, SettingsError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_SCAN_DEPTH, MAX_YAML_BYTES

GAME_FILE = "rout.toml"
"""Name of the settings file of a game folder, looked for beside the saves and upward."""

COMMAND_LINE = "command line"
DEFAULT = "default"

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
RuleId = Annotated[str, StringConstraints(pattern=r"^R\d{1,3}$")]


class Settings(BaseModel):
    """All settings, each with its default.

    Calling it directly (``Settings(edition="sk1")``) takes only what is given: no environment, no
    file. Layers come in through `load_settings`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    edition: Literal["sk1", "sk2", "sk3", "sk4"] = Field("sk3", description="rules edition")
    month: int | None = Field(None, ge=1, le=12, description="month 1..12: grain and orchards")
    attacker: Word | None = Field(None, description="side whose Player Turn it is")
    sides: dict[Word, Word] = Field({}, description="nationality = side it fights on")
    readings: dict[RuleId, Word] = Field({}, description="house reading of a disputed rule")
    los_list: bool = Field(True, description="list the lines of sight that were used")
    after_the_fact: bool = Field(False, description="answer only about routs already made")
    lang: Literal["en", "zh"] | None = Field(None, description="language; none = the system's")
    boards: tuple[Path, ...] = Field((), description="folders with VASL board files")
    saves: tuple[Path, ...] = Field((), description="folders to watch")
    out: Path | None = Field(None, description="where results go; none = `rout` beside the file")
    vassal_conf: Path | None = Field(None, description="VASSAL's configuration folder")
    vassal_dir: Path | None = Field(None, description="where VASSAL is installed")
    vmod: Path | None = Field(None, description="VASL module file (.vmod)")
    extensions_dir: Path | None = Field(None, description="VASL module extensions")


FIELDS = frozenset(Settings.model_fields)
_PATHS = {"vassal_conf", "vassal_dir", "vmod", "extensions_dir", "out"}
_PATH_LISTS = {"boards", "saves"}
_TABLES = {"sides", "readings"}
_NOT_IN_A_GAME_FOLDER = {"out", "saves"}

PASTED_NAMES = {
    "VASSAL_DIR": "vassal_dir",
    "VASL_MOD": "vmod",
    "VASL_EXTNS_DIR": "extensions_dir",
    "BOARDS_DIR": "boards",
}
"""Names of vasl-templates, accepted in the environment and in settings files (conventions.md 1)."""


@dataclass(frozen=True, slots=True)
class Layer:
    """Values of one origin, by field name, paths already absolute.

    Attributes:
        origin: ``"command line"``, ``"environment"`` or the path of a file.
        values: by field name.
        names: what the origin calls a field, where that differs, e.g. ``boards -> ROUT_BOARDS``.
    """

    origin: str
    values: Mapping[str, Any]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings with their history.

    Attributes:
        settings: the merged values.
        origins: by field name, who gave it: ``"command line"``, ``"environment ROUT_BOARDS"``, the
            path of a file, or ``"default"``.
        layers: all layers, strongest first.
        files: the settings files that were read, strongest first.
    """

    settings: Settings
    origins: Mapping[str, str]
    layers: tuple[Layer, ...]
    files: tuple[Path, ...]


def load_settings(
    command_line: Mapping[str, object] | None = None,
    *,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    user_file: Path | None = None,
    home: Path | None = None,
) -> Loaded:
    """Merge the layers into one `Settings`.

    Args:
        command_line: options by field name; None and empty values count as not given.
        env: the environment; none = no such layer. Lists are separated as PATH is.
        folder: where the search for `rout.toml` starts (the folder of the save), going upward.
        user_file: the user's own TOML file; it need not exist.
        home: what a leading ``~`` stands for; none = `Path.home()`.

    Raises:
        SettingsError: a file is unreadable or a value is wrong; names the file and the key.
    """
    layers: list[Layer] = []
    if command_line:
        layers.append(_command_line_layer(command_line, home))
    if env is not None:
        layers.append(environment_layer(env, home=home))
    files = [(path, True) for path in game_files(folder)] if folder is not None else []
    if user_file is not None and _is_file(user_file):
        files.append((user_file, False))
    layers.extend(file_layer(path, of_game=of_game, home=home) for path, of_game in files)
    return _merge(tuple(layers), tuple(path for path, _ in files))


def fingerprint(settings: Settings, *more: str) -> str:
    """A short name of all that settings decide about a result: equal settings, equal name.

    Args:
        settings: where results go and what is watched does not count.
        more: what else decides, e.g. the version of the program.
    """
    values = settings.model_dump_json(exclude={"out", "saves"})
    return blake2b("\0".join([values, *more]).encode(), digest_size=12).hexdigest()


def user_settings_file() -> Path:
    """Where `init` writes and every command looks: the platform's place for settings."""
    import platformdirs

    return Path(platformdirs.user_config_dir("vassal-bridge", appauthor=False)) / "settings.toml"


def game_files(folder: Path) -> tuple[Path, ...]:
    """Every `rout.toml` in `folder` and above it, nearest first.

    A league's folder may set the edition, the game's folder below it the sides.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100  (no link is followed: upward means as typed)
    places = [folder, *folder.parents][:MAX_SCAN_DEPTH]
    return tuple(place / GAME_FILE for place in places if _is_file(place / GAME_FILE))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


# --- layers ---------------------------------------------------------------------------------


def _command_line_layer(values: Mapping[str, object], home: Path | None) -> Layer:
    given = {key: value for key, value in values.items() if value not in (None, (), [], {}, "")}
    placed = {key: _placed(key, value, Path.cwd(), home) for key, value in given.items()}
    return Layer(COMMAND_LINE, placed, {})


def environment_layer(
    env: Mapping[str, str],
    *,
    separator: str = os.pathsep,
    base: Path | None = None,
    home: Path | None = None,
) -> Layer:
    """`ROUT_<FIELD>` and the names of vasl-templates; an empty variable counts as not given.

    `ROUT_SIDES` and `ROUT_READINGS` are written ``Russian=Allied,German=Axis``.
    """
    values: dict[str, Any] = {}
    names: dict[str, str] = {}
    candidates = list(PASTED_NAMES.items())
    candidates += [(f"ROUT_{field.upper()}", field) for field in sorted(FIELDS)]  # these win
    for name, field in candidates:
        text = env.get(name, "").strip()
        if not text:
            continue
        value: object = text
        if field in _PATH_LISTS:
            value = [part for part in text.split(separator) if part.strip()]
        elif field in _TABLES:
            value = parse_pairs(text, f"environment {name}")
        values[field] = _placed(field, value, base or Path.cwd(), home)
        names[field] = name
    return Layer("environment", values, names)


def parse_pairs(text: str, place: str) -> dict[str, str]:
    """``Russian=Allied, German=Axis`` as a table.

    Raises:
        SettingsError: a part has no ``=``.
    """
    pairs: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise SettingsError(f'"{part.strip()}" is not of the form NAME=VALUE', place=place)
        pairs[key.strip()] = value.strip()
    return pairs


def file_layer(path: Path, *, of_game: bool, home: Path | None = None) -> Layer:
    """One TOML file; relative paths in it are meant from the folder it lies in.

    Args:
        path: the file.
        of_game: it is a `rout.toml` beside saves. Such a file may come from an opponent through a
            shared folder, so it may not say where results are written or what is watched.
        home: what ``~`` stands for.

    Raises:
        SettingsError: unreadable, not TOML, or a key that does not exist.
    """
    values: dict[str, Any] = {}
    names: dict[str, str] = {}
    for key, value in _read_toml(path).items():
        field = PASTED_NAMES.get(key, key.replace("-", "_"))
        if field not in FIELDS:
            raise SettingsError(f'unknown key "{key}"{_nearest(field)}', file=str(path))
        if of_game and field in _NOT_IN_A_GAME_FOLDER:
            raise SettingsError(
                f'"{key}" may stand on the command line and in your own settings file only',
                file=str(path),
            )
        values[field] = _placed(field, value, path.parent, home)
        names[field] = key
    return Layer(str(path), values, names)


def _nearest(field: str) -> str:
    close = difflib.get_close_matches(field, sorted(FIELDS), n=1)
    return f', did you mean "{close[0]}"?' if close else ""


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        data = read_bounded(path, MAX_YAML_BYTES)
    except FileError as error:
        raise SettingsError(error.message, file=str(path)) from None
    try:
        text = _quote_pasted(data.decode("utf-8-sig"))
        if _LONG_KEY.search(text):
            raise SettingsError("a key of too many parts", file=str(path))
        return tomllib.loads(text)
    except UnicodeDecodeError:
        raise SettingsError("not UTF-8 text", file=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        hint = ""
        if "escape" in str(error) or "hex value" in str(error):
            hint = r"; put Windows paths into single quotes: 'C:\ASL\boards'"
        raise SettingsError(f"not TOML: {error}{hint}", file=str(path)) from None
    except ValueError:  # Python's own limit of digits
        raise SettingsError("a number of too many digits", file=str(path)) from None
    except RecursionError:
        raise SettingsError("nested too deeply", file=str(path)) from None


_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){17}""")
"""Keys of many parts take the parser time and memory by the square of their number."""


_PASTED = re.compile(rf"^[ \t]*({'|'.join(PASTED_NAMES)})[ \t]*=[ \t]*([^'\"\s\[].*?)[ \t]*$", re.M)


def _quote_pasted(text: str) -> str:
    """Make lines pasted from vasl-templates' site.cfg (an INI file) into TOML.

    There paths stand without quotes, below a heading with a blank in it.
    """
    text = text.replace("\r\n", "\n")
    text = re.sub(r"^[ \t]*\[Site Config\][ \t]*$", "", text, flags=re.M)
    return _PASTED.sub(lambda m: f"{m[1]} = '{m[2]}'" if "'" not in m[2] else m[0], text)


def _placed(field: str, value: object, base: Path, home: Path | None) -> object:
    """`value` with its paths made absolute from `base`; what is not a path stays as it is."""
    if field in _PATHS and isinstance(value, str | Path):
        return _absolute(value, base, home)
    if field in _PATH_LISTS:
        many = [value] if isinstance(value, str | Path) else value
        if isinstance(many, Sequence):
            return tuple(
                _absolute(one, base, home) if isinstance(one, str | Path) else one for one in many
            )
    return value


def _absolute(text: str | Path, base: Path, home: Path | None) -> Path:
    parts = Path(text).parts
    if parts and parts[0] == "~":
        return (home or Path.home()).joinpath(*parts[1:])
    return base / text


# --- merging --------------------------------------------------------------------------------


def _merge(layers: tuple[Layer, ...], files: tuple[Path, ...]) -> Loaded:
    given: dict[str, Any] = {}
    for layer in reversed(layers):  # weakest first: what follows overrides
        for field, value in layer.values.items():
            below = given.get(field)
            if isinstance(below, dict) and isinstance(value, dict):
                value = {**below, **value}
            given[field] = value
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise _blame(error, layers) from None
    origins = {field: _origin(field, layers) for field in FIELDS}
    return Loaded(settings, origins, layers, files)


def _origin(field: str, layers: tuple[Layer, ...]) -> str:
    for layer in layers:
        if field in layer.values:
            name = layer.names.get(field, "")
            return f"{layer.origin} {name}" if layer.origin == "environment" else layer.origin
    return DEFAULT


def _blame(error: ValidationError, layers: tuple[Layer, ...]) -> SettingsError:
    """One line for the first wrong value: who gave it, which key, what is allowed."""
    first = error.errors(include_url=False, include_context=False)[0]
    path = [str(part) for part in first["loc"]]
    field = path[0] if path else ""
    for layer in layers:
        if field in layer.values and _holds(layer.values[field], path[1:]):
            key = ".".join([layer.names.get(field, field), *(p for p in path[1:] if p != "[key]")])
            return SettingsError(first["msg"], file=layer.origin, place=key)
    return SettingsError(f"{first['msg']}{_nearest(field)}", place=".".join(path))


def _holds(value: object, path: Sequence[str]) -> bool:
    """Whether the part of a table that `path` names is in `value` (tables of layers are merged)."""
    return not (isinstance(value, Mapping) and path and path[0] not in value)
