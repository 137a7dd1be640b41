"""The questions of `init`, and the settings file made of the answers. The command line asks them.

Nothing here talks to anybody: `questions` are values, `settings_text` is a text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from vassal_bridge.discovery import Discovery
from vassal_bridge.errors import SettingsError
from vassal_bridge.settings import Settings, load_settings, parse_pairs
from vassal_bridge.vassal import atomic_write

Scope = Literal["user", "game"]
"""The user's own file, or the `rout.toml` of one game folder."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of `init`.

    Attributes:
        field: the setting.
        text: what to ask, by language.
        default: proposed answer; an empty answer leaves the setting out.
        choices: the only answers, if there are few.
        many: the answer may be several, separated by ``;``.
    """

    field: str
    text: Mapping[str, str]
    default: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False


def questions(scope: Scope, found: Discovery | None = None) -> tuple[Question, ...]:
    """What to ask.

    Args:
        scope: which file it is for.
        found: what discovery found, for the proposals.
    """
    if scope == "game":
        return (
            _edition(""),
            Question("month", _say("Month of the scenario, 1 to 12", "剧本月份，1 到 12")),
            Question(
                "sides",
                _say(
                    "Which nationality is on which side, e.g. Russian=Allied, German=Axis",
                    "各国属于哪一方，例如 Russian=Allied, German=Axis",
                ),
            ),
        )
    boards = "; ".join(str(path) for path in found.boards) if found else ""
    saves = "; ".join(str(path) for path in found.saves) if found else ""
    return (
        Question(
            "boards", _say("Folder of your VASL boards", "VASL 地图文件夹"), boards, many=True
        ),
        Question(
            "saves",
            _say("Folder of your saved games and logs", "存档与日志文件夹"),
            saves,
            many=True,
        ),
        _edition("sk3"),
        Question("lang", _say("Language", "语言"), "en", ("en", "zh")),
    )


def prompt_of(question: Question, lang: str) -> str:
    """What is asked, with what may be typed."""
    texts = HINTS[lang]
    hints = ["/".join(question.choices)] if question.choices else []
    if question.many:
        hints.append(texts["many"])
    if not question.default:
        hints.append(texts["skip"])
    return f"{question.text[lang]} ({'; '.join(hints)})" if hints else question.text[lang]


HINTS = {
    "en": {
        "many": "several with ; between them",
        "skip": "Return leaves it out",
        "make": "{folder} is not there. Make it?",
        "again": "{text}. Once more, please.",
    },
    "zh": {
        "many": "多个时用 ; 隔开",
        "skip": "直接回车表示不填",
        "make": "{folder} 不存在。要新建吗？",
        "again": "“{typed}”不能作为“{asked}”的答案。请再输入一次。",
    },
}
"""What `init` says around its questions."""


def asked_again(question: Question, typed: str, error: SettingsError, lang: str) -> str:
    """What is said after a wrong answer. Errors have no Chinese: there, what was asked says it."""
    choices = f"（{'/'.join(question.choices)}）" if question.choices else ""
    asked = question.text[lang] + choices
    return HINTS[lang]["again"].format(text=error.message, typed=typed, asked=asked)


def _edition(default: str) -> Question:
    choices = ("sk1", "sk2", "sk3", "sk4")
    return Question("edition", _say("Starter Kit rules", "入门套件规则版本"), default, choices)


def _say(english: str, chinese: str) -> dict[str, str]:
    return {"en": english, "zh": chinese}


def parse_answer(question: Question, answer: str) -> object:
    """An answer as the value of its setting; None when it is empty.

    Raises:
        SettingsError: the value is not allowed.
    """
    answer = answer.strip()
    if not answer:
        return None
    value: object = answer
    if question.many:
        value = [part.strip() for part in answer.split(";") if part.strip()]
    elif question.field == "sides":
        value = parse_pairs(answer, question.field)
    loaded = load_settings({question.field: value})
    return getattr(loaded.settings, question.field)


def settings_text(answers: Mapping[str, object]) -> str:
    """The TOML file for some answers (None = left out), each with a line that explains it."""
    plain: list[str] = []
    tables: list[str] = []
    for field, value in answers.items():
        if value is None:
            continue
        about = Settings.model_fields[field].description
        if isinstance(value, Mapping):
            rows = "".join(f"{_key(k)} = {_toml(v)}\n" for k, v in value.items())
            tables.append(f"# {about}\n[{field}]\n{rows}")
        else:
            plain.append(f"# {about}\n{field} = {_toml(value)}\n")
    return "\n".join(plain + tables)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    text = str(value)
    if "'" not in text and text.isprintable():
        return f"'{text}'"  # literal: Windows paths stay readable
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(text: object) -> str:
    key = str(text)
    return key if key.isascii() and key.replace("-", "").isalnum() else json.dumps(key)


def write_settings(path: Path, text: str, *, overwrite: bool = False) -> None:
    """Write the file, whole or not at all.

    Raises:
        SettingsError: it is there already and `overwrite` is false.
        FileError: it cannot be written.
    """
    if path.exists() and not overwrite:
        raise SettingsError("is there already", file=str(path))
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise SettingsError("a name that is not text cannot be written", file=str(path)) from None
    atomic_write(path, data)
