"""Which contents are done: what keeps one save from being reported twice, also after a restart.

One ledger per output folder, kept in it as a small JSON file. It holds file names, digests of
contents and names of outputs; nothing of what is inside a game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from vassal_bridge.watch.policy import Stamp

LEDGER_NAME = ".vassal-bridge-watch.json"
SCHEMA = "vassal-bridge/watch/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that was dealt with.

    Attributes:
        name: the file, from the watched folder on, with ``/``.
        stamp: how it looked then.
        digest: of its content.
        key: of everything else that decides the result (settings, version of the program).
        stem: what its outputs are called before ``.rout.``; empty when it has none of its own.
        outputs: names of its outputs in the output folder.
        same_as: name of the file with the same content whose outputs serve this one too.
    """

    name: str
    stamp: Stamp
    digest: str
    key: str
    stem: str = ""
    outputs: tuple[str, ...] = ()
    same_as: str = ""


class Ledger:
    """The files done of one output folder; `changed` says that it differs from what was loaded."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._by_name: dict[str, Entry] = {}
        self._by_digest: dict[str, str] = {}
        self._by_stem: dict[str, str] = {}
        self._followers: dict[str, set[str]] = {}
        for entry in entries:
            self._add(entry)
        self.changed = False

    def __len__(self) -> int:
        return len(self._by_name)

    def get(self, name: str) -> Entry | None:
        """The entry of a file."""
        return self._by_name.get(name)

    def same_content(self, digest: str, key: str) -> Entry | None:
        """The file whose outputs show this content under these settings."""
        entry = self._by_name.get(self._by_digest.get(digest, ""))
        if entry is None or entry.digest != digest or entry.key != key or entry.same_as:
            return None
        return entry

    def done(self, entry: Entry) -> tuple[str, ...]:
        """Note a file as done.

        Returns:
            Names of files whose outputs this one has replaced or whose content is now shown
            nowhere; they are forgotten, and want to be looked at again.
        """
        displaced = {
            name
            for name in self._followers.get(entry.name, ())
            if entry.same_as or self._by_name[name].digest != entry.digest
        }
        owner = self._by_stem.get(entry.stem.casefold(), entry.name)
        if owner != entry.name:
            displaced |= {owner, *self._followers.get(owner, ())}
        displaced.discard(entry.name)
        for name in (*displaced, entry.name):
            self.forget(name)
        self._add(entry)
        return tuple(sorted(displaced))

    def touch(self, name: str, stamp: Stamp) -> None:
        """The file looks different, but its content is what it was."""
        self._by_name[name] = replace(self._by_name[name], stamp=stamp)
        self.changed = True

    def forget(self, name: str) -> None:
        """Drop a file, as if it had never been seen."""
        entry = self._by_name.pop(name, None)
        if entry is None:
            return
        self.changed = True
        self._followers.get(entry.same_as, set()).discard(name)
        if self._by_digest.get(entry.digest) == name:
            del self._by_digest[entry.digest]
        if self._by_stem.get(entry.stem.casefold()) == name:
            del self._by_stem[entry.stem.casefold()]

    def _add(self, entry: Entry) -> None:
        self._by_name[entry.name] = entry
        self.changed = True
        if entry.same_as:
            self._followers.setdefault(entry.same_as, set()).add(entry.name)
        else:
            self._by_digest[entry.digest] = entry.name
            self._by_stem[entry.stem.casefold()] = entry.name

    def keep_only(self, exists: Callable[[str], bool]) -> None:
        """Drop the files whose outputs are not there any more, and those that relied on them."""
        for entry in list(self._by_name.values()):
            if not entry.same_as and not all(exists(output) for output in entry.outputs):
                self.forget(entry.name)
        for entry in list(self._by_name.values()):
            if entry.same_as and entry.same_as not in self._by_name:
                self.forget(entry.name)

    def to_json(self) -> bytes:
        """The file's content: one line per entry, sorted, so that it is the same each time."""
        lines = [
            json.dumps(_row(self._by_name[name]), ensure_ascii=True, sort_keys=True)
            for name in sorted(self._by_name)
        ]
        body = ",\n ".join(lines)
        return f'{{"schema": "{SCHEMA}", "done": [\n {body}\n]}}\n'.encode()

    @classmethod
    def from_json(cls, data: bytes) -> Ledger:
        """Read a ledger back; a damaged or foreign one counts as empty: all is done once more."""
        try:
            document: Any = json.loads(data)
            if document["schema"] != SCHEMA:
                return cls()
            return cls([_entry(row) for row in document["done"]])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return cls()


def _row(entry: Entry) -> dict[str, object]:
    row: dict[str, object] = {
        "name": entry.name,
        "stamp": list(entry.stamp),
        "digest": entry.digest,
        "key": entry.key,
    }
    if entry.same_as:
        row["same_as"] = entry.same_as
    else:
        row |= {"stem": entry.stem, "outputs": list(entry.outputs)}
    return row


def _entry(row: Mapping[str, Any]) -> Entry:
    size, modified, inode = (int(part) for part in row["stamp"])
    texts = [row["name"], row["digest"], row["key"], row.get("stem", ""), row.get("same_as", "")]
    outputs = tuple(row.get("outputs", ()))
    if not all(isinstance(text, str) for text in (*texts, *outputs)):
        raise TypeError("a text was expected")
    name, digest, key, stem, same_as = texts
    return Entry(name, Stamp(size, modified, inode), digest, key, stem, outputs, same_as)
