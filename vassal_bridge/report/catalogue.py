"""Sentences in a language: from reasons, readings, notes and words to text (design.md, idea 2).

`gettext` of the standard library reads the compiled catalogues in `locale/`; `tools/catalogue.py`
makes them from the `.po` files. English stands in `messages.py` and needs no catalogue.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from vassal_bridge.errors import UsageError
from vassal_bridge.report import messages, messages_audit, messages_rules, messages_ui
from vassal_bridge.report.apart import places_of
from vassal_bridge.rout.position import Unit
from vassal_bridge.rout.rulebook import READINGS, Code, Fact, Reason, rule_of_reading

Lang = Literal["en", "zh"]
LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
DOMAIN: Final = "vassal_bridge"
_LOCALES: Final[Mapping[Lang, str]] = {"en": "en", "zh": "zh_CN"}

Units = Mapping[str, Unit]

UNIT_FACTS: Final = frozenset({"enemy", "enemies", "unit"})
"""Facts whose values are ids of units."""


def language(name: str) -> Lang:
    """The language meant by a name, as `--lang` or LANG give it.

    Raises:
        UsageError: neither English nor Chinese.

    >>> language("zh_CN.UTF-8")
    'zh'
    """
    short = name.lower().replace("_", "-").split("-")[0].split(".")[0]
    if short in ("zh", "cn"):
        return "zh"
    if short in ("en", "c", "posix", ""):
        return "en"
    raise UsageError(f"language {name!r} is unknown; there are en and zh")


def percent(share: float) -> str:
    """A probability as players say it; only 0 and 1 themselves are called 0 % and 100 %.

    >>> percent(0.7222), percent(0.9999), percent(1.0)
    ('72%', '>99%', '100%')
    """
    if share <= 0:
        return "0%"
    if share >= 1:
        return "100%"
    whole = round(share * 100)
    if whole <= 0:
        return "<1%"
    return ">99%" if whole >= 100 else f"{whole}%"


def number(value: float) -> str:
    """A number without a needless point: MF come in halves.

    >>> number(2.0), number(1.5)
    ('2', '1.5')
    """
    return f"{value:g}"


def english() -> dict[str, str]:
    """Every sentence by key, in English, as translators see it."""
    rules = {f"rule.{name}": text for name, text in messages_rules.RULES.items()}
    return {
        **messages.all_messages(),
        **messages_ui.SIDES,
        **messages_ui.STATES,
        **messages_ui.PAGE,
        **messages_ui.SIGHT,
        **messages_ui.AUDIT,
        **messages_audit.FINDINGS,
        **messages_audit.NOTES,
        **rules,
    }


def english_plurals() -> dict[str, tuple[str, str]]:
    """Every counted phrase by key: one, and many."""
    return {**messages.PLURALS, **messages_ui.PLURALS}


class Catalogue:
    """All sentences in one language.

    Attributes:
        lang: ``en`` or ``zh``.
    """

    def __init__(self, lang: Lang, translations: gettext.NullTranslations) -> None:
        self.lang: Lang = lang
        self._translations = translations
        self._english = english()
        self._plurals = english_plurals()

    def __contains__(self, key: str) -> bool:
        return key in self._english

    def template(self, key: str) -> str:
        """The sentence of a key with its placeholders still in it."""
        return self._translations.pgettext(key, self._english[key])

    def say(self, key: str, **facts: Fact) -> str:
        """The sentence of a key with its facts filled in."""
        return self.template(key).format_map({k: self.value(v) for k, v in facts.items()})

    def count(self, key: str, n: int) -> str:
        """A counted phrase: ``3 broken units``."""
        one, many = self._plurals[key]
        return self._translations.npgettext(key, one, many, n).format(n=n)

    def value(self, value: Fact) -> str:
        """A fact as text."""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return number(value)
        if isinstance(value, tuple):
            return self.join(value)
        return value

    def join(self, parts: Iterable[str]) -> str:
        """A list with this language's comma."""
        return self.template("list.sep").join(parts)

    def join_and(self, parts: Sequence[str]) -> str:
        """A list within a sentence: ``duty, destinations and ends``."""
        if len(parts) < 2:
            return self.join(parts)
        return self.say("list.last", list=self.join(parts[:-1]), last=parts[-1])

    def reason(self, reason: Reason, units: Units, *, brief: bool = False) -> str:
        """The sentence of a reason.

        Args:
            reason: what the rules answered.
            units: units by id, as far as they are known; other ids are shown as they are.
            brief: for a list, where the name of the hex stands before it.
        """
        facts: dict[str, Fact] = {}
        for name, value in reason.facts:
            if name in UNIT_FACTS:
                ids = value if isinstance(value, tuple) else (str(value),)
                one = name == "unit"
                facts[name] = self.join(self.unit(each, units, this_one=one) for each in ids)
            elif name == "reading":
                facts[name] = self.reading(str(value))
            else:
                facts[name] = value
        short = f"brief.{reason.code.value}"
        key = short if brief and short in self._english else _reason_key(reason, units)
        return self.say(key, **facts)

    def unit(self, unit_id: str, units: Units, *, this_one: bool = False) -> str:
        """A unit as players name it: ``4-6-7 in zO6``.

        Args:
            unit_id: its id; shown as it is if there is no such unit.
            units: units by id.
            this_one: which of several of the same name is meant matters: with its number.
        """
        unit = units.get(unit_id)
        if unit is None:
            return unit_id
        place = unit.hex
        if this_one:
            beside = (each for each in units.values() if each.hex == unit.hex)
            place = places_of(beside)[unit_id]
        return self.say("name.at", name=unit.name, hex=place)

    def side(self, name: str) -> str:
        """A side or nationality in this language."""
        key = f"side.{name}"
        return self.template(key) if key in self._english else name

    def state(self, name: str) -> str:
        """A state of a counter; one without a word of its own here is shown as it is."""
        key = f"state.{name}"
        return self.template(key) if key in self._english else name

    def terrain(self, key: str) -> str:
        """A terrain by its key in the module map: ``woods-road``."""
        known = f"terrain.{key}"
        return self.template(known) if known in self._english else key.replace("-", " ")

    def rule(self, name: str) -> str:
        """What a rule of the register says, in half a line."""
        key = f"rule.{name}"
        if key not in self._english and name[-1:].isalpha():  # `R73a` is a case of `R73`
            key = key[:-1]
        return self.template(key) if key in self._english else name

    def reading(self, reading: str) -> str:
        """What a disputed reading says, without a full stop."""
        key = f"reading.{reading}"
        return self.template(key) if key in self._english else reading

    def reading_line(self, entry: str) -> str:
        """A line about one entry of `Assessment.readings`: ``r49_route:ends``."""
        name, _, changes = entry.partition(":")
        rule = rule_of_reading(name) if name in READINGS else name
        what = [self.template(f"changes.{part}") for part in changes.split(",") if part]
        if not what:
            return f"{rule}: {self.reading(name)}"
        return self.say(
            "reading.line", rule=rule, reading=self.reading(name), changes=self.join_and(what)
        )

    def note(self, code: str, facts: Mapping[str, Fact], fallback: str = "") -> str:
        """The sentence of an assumption or problem.

        A code without a sentence of its own, or facts that do not fit it, give `fallback`: what the
        finder of the problem wrote, in English.
        """
        case = facts.get("doubt") or facts.get("case")
        key = f"note.{code}.{case}" if case else f"note.{code}"
        if key in self._english:
            try:
                named = {
                    name: self.side(str(value)) if name == "side" else value
                    for name, value in facts.items()
                }
                return self.say(key, **named)
            except KeyError:
                pass
        return fallback or code


def _reason_key(reason: Reason, units: Units) -> str:
    """The key of the sentence that fits the reason: special cases first."""
    if reason.code is Code.ADJACENT_ENEMY:
        enemy = units.get(str(reason.fact("enemy")))
        if enemy is not None and enemy.hex == reason.fact("hex"):
            return "reason.adjacent-enemy.same-hex"
    if reason.code is Code.MAY_STAY and reason.fact("possible"):
        return "reason.may-stay.possible"
    return f"reason.{reason.code.value}"


@lru_cache(maxsize=len(LANGS))
def words_in(lang: Lang) -> Catalogue:
    """The catalogue of a language, read once."""
    folder = Path(__file__).resolve().parent / "locale"
    translations = (
        gettext.NullTranslations()
        if lang == "en"
        else gettext.translation(DOMAIN, str(folder), languages=[_LOCALES[lang]])
    )
    return Catalogue(lang, translations)
