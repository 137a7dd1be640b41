"""Keeps the translations in step with the English sentences, and compiles them.

    python tools/catalogue.py update    new and changed sentences into the .po files
    python tools/catalogue.py compile   .po to .mo (what the program reads)
    python tools/catalogue.py check     fails when a sentence is untranslated or an .mo is stale

Only what these catalogues need of gettext's formats is read and written: msgctxt, msgid,
msgid_plural, msgstr. Translators may use any .po editor.
"""

from __future__ import annotations

import ast
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import vassal_bridge.report.catalogue as catalogues  # noqa: E402

LOCALE = ROOT / "vassal_bridge" / "report" / "locale"
TRANSLATED = ("zh_CN",)
HEADER = (
    "Project-Id-Version: vassal-bridge\\n"
    "Language: {lang}\\n"
    "MIME-Version: 1.0\\n"
    "Content-Type: text/plain; charset=UTF-8\\n"
    "Content-Transfer-Encoding: 8bit\\n"
    "Plural-Forms: nplurals=1; plural=0;\\n"
)


@dataclass(frozen=True)
class Message:
    """One sentence to translate."""

    key: str
    text: str
    plural: str | None = None


def messages() -> list[Message]:
    """All sentences of the program, in a fixed order."""
    found = [Message(key, text) for key, text in catalogues.english().items()]
    found += [Message(key, *pair) for key, pair in catalogues.english_plurals().items()]
    return found


def po_file(lang: str) -> Path:
    """Where the translations of a language lie."""
    return LOCALE / lang / "LC_MESSAGES" / f"{catalogues.DOMAIN}.po"


def read_po(path: Path) -> dict[tuple[str, str], str]:
    """Translations by key and English sentence."""
    found: dict[tuple[str, str], str] = {}
    if not path.is_file():
        return found
    fields: dict[str, str] = {}
    current = ""
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if not line.strip():
            if fields.get("msgctxt"):
                said = fields.get("msgstr", fields.get("msgstr[0]", ""))
                found[fields["msgctxt"], fields["msgid"]] = said
            fields, current = {}, ""
        elif line.startswith('"') and current:
            fields[current] += ast.literal_eval(line)
        elif not line.startswith("#"):
            current, _, value = line.partition(" ")
            fields[current] = ast.literal_eval(value)
    return found


def write_po(path: Path, lang: str, translated: dict[tuple[str, str], str]) -> None:
    """All sentences with what is translated of them; a changed English sentence starts anew."""
    lines = ["# Chinese of wargamers; abbreviations (DM, MMC, SMC, MF, LOS, RtPh) stay.",
             'msgid ""', f'msgstr "{HEADER.format(lang=lang)}"', ""]  # fmt: skip
    for message in messages():
        said = translated.get((message.key, message.text), "")
        lines.append(f"msgctxt {_quoted(message.key)}")
        lines.append(f"msgid {_quoted(message.text)}")
        if message.plural is None:
            lines.append(f"msgstr {_quoted(said)}")
        else:
            lines.append(f"msgid_plural {_quoted(message.plural)}")
            lines.append(f"msgstr[0] {_quoted(said)}")
        lines.append("")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines), encoding="utf-8")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def compiled(lang: str) -> bytes:
    """The .mo file of a language (GNU gettext's binary format)."""
    translated = read_po(po_file(lang))
    pairs = {"": HEADER.format(lang=lang).replace("\\n", "\n")}
    for message in messages():
        said = translated.get((message.key, message.text), "")
        if said:
            source = f"{message.key}\x04{message.text}"
            pairs[source + (f"\0{message.plural}" if message.plural else "")] = said
    entries = sorted((key.encode(), value.encode()) for key, value in pairs.items())
    ids = b"".join(key + b"\0" for key, _ in entries)
    texts = b"".join(value + b"\0" for _, value in entries)
    table = 28
    first_id = table + 16 * len(entries)
    first_text = first_id + len(ids)
    keys, values = b"", b""
    at_id, at_text = first_id, first_text
    for key, value in entries:
        keys += struct.pack("<II", len(key), at_id)
        values += struct.pack("<II", len(value), at_text)
        at_id += len(key) + 1
        at_text += len(value) + 1
    count = len(entries)
    head = struct.pack("<7I", 0x950412DE, 0, count, table, table + 8 * count, 0, 0)
    return head + keys + values + ids + texts


def problems() -> list[str]:
    """What is missing or stale."""
    found = []
    for lang in TRANSLATED:
        translated = read_po(po_file(lang))
        found += [
            f"{lang}: {message.key} is not translated"
            for message in messages()
            if not translated.get((message.key, message.text))
        ]
        binary = po_file(lang).with_suffix(".mo")
        if not binary.is_file() or binary.read_bytes() != compiled(lang):
            found.append(f"{lang}: {binary.name} is stale; run tools/catalogue.py compile")
    return found


def main(what: str) -> int:
    """Do one of the three jobs; 1 when `check` finds something."""
    for lang in TRANSLATED:
        if what == "update":
            write_po(po_file(lang), lang, read_po(po_file(lang)))
        elif what == "compile":
            po_file(lang).with_suffix(".mo").write_bytes(compiled(lang))
    if what == "check":
        found = problems()
        print("\n".join(found) or "all sentences are translated")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "check"))
