"""YAML that a person typed: values with the line they stand on, so that errors can name it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vassal_bridge.errors import LimitReached, PositionError
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_NESTING, MAX_YAML_BYTES

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Node:
    """A YAML value and its line.

    Attributes:
        value: a scalar (str, int, float, bool, None), a list of nodes, or a dict from str to node.
        line: counted from 1.
    """

    value: Any
    line: int

    def error(self, message: str) -> PositionError:
        """An error that names this node's line."""
        return PositionError(message, place=f"line {self.line}")

    def mapping(self, what: str, allowed: frozenset[str]) -> dict[str, Node]:
        """The node as a mapping with only the allowed keys.

        Raises:
            PositionError: it is none, or has an unknown key.
        """
        if not isinstance(self.value, dict):
            raise self.error(f"{what} must be a mapping")
        for key, node in self.value.items():
            if key not in allowed:
                raise node.error(f"unknown key {key!r} in {what}")
        return self.value

    def sequence(self, what: str) -> list[Node]:
        """The node as a list.

        Raises:
            PositionError: it is none.
        """
        if not isinstance(self.value, list):
            raise self.error(f"{what} must be a list")
        return self.value

    def text(self, what: str) -> str:
        """The node as text; numbers are taken as they would be written.

        Raises:
            PositionError: it is a list or a mapping, or empty.
        """
        if isinstance(self.value, bool) or self.value is None:
            raise self.error(f"{what} must be text")
        if isinstance(self.value, (str, int, float)):
            return str(self.value)
        raise self.error(f"{what} must be text")

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        return self.value


def read_yaml(path: Path) -> Node:
    """Read one YAML document of at most `MAX_YAML_BYTES`.

    Raises:
        FileError: the file cannot be read.
        LimitReached: it is too large or too deeply nested.
        PositionError: not YAML; the error names the line.
    """
    data = read_bounded(path, MAX_YAML_BYTES)
    try:
        return parse_yaml(data)
    except (PositionError, LimitReached) as error:
        raise error.at(file=path) from None


def parse_yaml(data: bytes | str) -> Node:
    """Parse one YAML document; aliases and duplicate keys are refused.

    Raises:
        PositionError: not YAML, or not UTF-8.
        LimitReached: nested deeper than `MAX_NESTING`.
    """
    import yaml

    loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
        for token in yaml.scan(text, Loader=loader):
            if isinstance(token, (yaml.AliasToken, yaml.AnchorToken)):
                raise PositionError(
                    "anchors and aliases are not allowed",
                    place=f"line {token.start_mark.line + 1}",
                )
        instance = loader(text)
        try:
            root = instance.get_single_node()
            if root is None:
                raise PositionError("empty file", place="line 1")
            return _node(instance, root, 0)
        finally:
            instance.dispose()
    except UnicodeDecodeError:
        raise PositionError("not UTF-8 text") from None
    except RecursionError:
        raise LimitReached("nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else None
        raise PositionError(f"not YAML: {error.problem}", place=place) from None
    except yaml.YAMLError:
        raise PositionError("not YAML: a character is not allowed") from None


def _node(loader: Any, node: Any, depth: int) -> Node:
    import yaml

    line = node.start_mark.line + 1
    if depth > MAX_NESTING:
        raise LimitReached("nested too deeply", place=f"line {line}")
    if isinstance(node, yaml.SequenceNode):
        return Node([_node(loader, child, depth + 1) for child in node.value], line)
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Node] = {}
        for key_node, child in node.value:
            key = _checked(str(key_node.value), line)
            if key in found:
                raise PositionError(f"key {key!r} stands twice", place=f"line {line}")
            found[key] = _node(loader, child, depth + 1)
        return Node(found, line)
    try:
        value = loader.construct_object(node)
    except (ValueError, yaml.YAMLError):
        raise PositionError("value cannot be read", place=f"line {line}") from None
    return Node(_checked(value, line) if isinstance(value, str) else value, line)


def _checked(text: str, line: int) -> str:
    """A text without the control characters and halves of characters that YAML's escapes make."""
    if _CONTROLS.search(text):
        raise PositionError("a character is not allowed", place=f"line {line}")
    return text
