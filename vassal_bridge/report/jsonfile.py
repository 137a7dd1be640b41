"""Reports, inspections and audits as JSON, and their schemas."""

from __future__ import annotations

import json

from vassal_bridge.errors import UsageError
from vassal_bridge.report.model import MODELS, Value, schema


def model_json(value: Value) -> bytes:
    """A model as a JSON file: keys in the order of the contract, two spaces, UTF-8, a last newline.

    The same value always gives the same bytes.
    """
    plain = value.model_dump(mode="json", by_alias=True)
    return (json.dumps(plain, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def schema_json(name: str) -> bytes:
    """The JSON Schema of ``report``, ``inspect`` or ``audit`` as a file.

    Raises:
        UsageError: there is no such schema.
    """
    if name not in MODELS:
        raise UsageError(f"schema {name!r} is unknown; there are {', '.join(MODELS)}")
    return (json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n").encode("utf-8")
