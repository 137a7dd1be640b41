"""Reports, inspections and audits as JSON, and their schemas."""

from __future__ import annotations

import json
import re

from vassal_bridge.errors import UsageError
from vassal_bridge.report.model import MODELS, Value, schema


def model_json(value: Value) -> bytes:
    """A model as a JSON file: keys in the order of the contract, two spaces, UTF-8, a last newline.

    The same value always gives the same bytes.
    """
    return json_bytes(value.model_dump(mode="json", by_alias=True))


def json_bytes(plain: object) -> bytes:
    """Plain values as a JSON file; characters that steer a terminal are written as escapes."""
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return (_STEERING.sub(_escaped, text) + "\n").encode("utf-8")


_STEERING = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def schema_json(name: str) -> bytes:
    """The JSON Schema of ``report``, ``inspect`` or ``audit`` as a file.

    Raises:
        UsageError: there is no such schema.
    """
    if name not in MODELS:
        raise UsageError(f"schema {name!r} is unknown; there are {', '.join(MODELS)}")
    return (json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n").encode("utf-8")
