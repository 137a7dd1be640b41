"""A line of sight in words: what `los` prints, and the caption of its picture."""

from __future__ import annotations

from collections.abc import Mapping

from vassal_bridge.report.catalogue import Catalogue


def sight_text(values: Mapping[str, object], words: Catalogue) -> str:
    """A line of sight in one line for people.

    Args:
        values: what `los --json` prints.
        words: the language.

    >>> from vassal_bridge.report.catalogue import words_in
    >>> line = {"from": "zO5", "to": "zO7", "range": 2, "blocked": False, "hindrance": 0}
    >>> sight_text(line, words_in("en"))
    'zO5 - zO7: range 2, LOS clear'
    """
    facts = {name: str(values[name]) for name in ("from", "to", "range")}
    return words.say("los.line", **facts, what=_what(values, words))


def _what(values: Mapping[str, object], words: Catalogue) -> str:
    if values["blocked"]:
        place = values.get("block_hex")
        text = words.say("los.blocked.at", hex=str(place)) if place else words.say("los.blocked")
        code = str(values.get("block_reason") or "")
        key = f"los.why.{code}"
        why = words.say(key) if key in words else code.replace("-", " ")
        return words.say("bracketed", text=text, more=why) if why else text
    if not values["hindrance"]:
        return words.say("los.clear")
    text = words.say("los.hindered", hindrance=str(values["hindrance"]))
    pairs = values.get("hindrances")
    detail = [f"{hex_} +{amount}" for hex_, amount in (pairs if isinstance(pairs, list) else ())]
    return words.say("bracketed", text=text, more=words.join(detail)) if detail else text
