"""Builds the WordPress plugin as a zip: web/wordpress/food-directory and its translations.

Generated: the template for translators (.pot), and of the Spanish .po the catalogs that WordPress
reads, for PHP (.mo) and for the editor's script (.json, the form of Jed). The bytes are the same on
every machine: fixed times and rights, no compression.

python -m serving.embeds.wordpress_plugin dist/food-directory.zip
"""

import io
import json
import re
import struct
import sys
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

NAME = "food-directory"
PATH = f"/embed/{NAME}.zip"
_SCRIPT, _BLOCK, _MAIN = "block/editor.js", "block/block.json", f"{NAME}.php"
_SPANISH = f"languages/{NAME}-es"
_WRITTEN = datetime(2026, 11, 1, tzinfo=UTC)
_ZIP_TIME = (2026, 11, 1, 0, 0, 0)
# Calls of WordPress's gettext as the plugin writes them: literal texts in single quotes.
_TEXT = r"'((?:[^'\\]|\\.)*)'"
_CALL = re.compile(
    rf"\b(?:(?:__|esc_html__|esc_attr__)\(\s*{_TEXT}|_n\(\s*{_TEXT},\s*{_TEXT}[^;]*?),\s*'{NAME}'\s*\)"
)
_NOTE = re.compile(r"/\* translators: ([^*]*) \*/[^;]*\Z")
_HEADER = re.compile(r"^ \* (Plugin Name|Description): +(.+)$", re.MULTILINE)


class Message(NamedTuple):
    """Text to translate: its position, and the context that distinguishes it from the same text
    elsewhere."""

    text: str
    plural: str | None
    context: str | None
    file: str
    line: int
    note: str | None


@cache
def plugin_zip() -> bytes:
    """Return the zip. Made once per process: call it in a thread."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, body in sorted((source_files() | build_files()).items()):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", _ZIP_TIME)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, body)
    return out.getvalue()


def source_files() -> dict[str, bytes]:
    """Return the files as they are written, by their path in the plugin."""
    return dict(_walk(resources.files("web") / "wordpress" / NAME, ""))


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            yield from _walk(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()


def build_files() -> dict[str, bytes]:
    """Return the template and the Spanish catalogs."""
    texts = messages(source_files())
    spanish = read_po(io.BytesIO(source_files()[f"{_SPANISH}.po"]))
    template = io.BytesIO()
    write_po(template, template_of(texts), width=0, sort_output=True)
    return {
        f"languages/{NAME}.pot": template.getvalue(),
        f"{_SPANISH}.mo": _compile(spanish),
        f"{_SPANISH}.json": _script_words(spanish, [m for m in texts if m.file == _SCRIPT]),
    }


def _compile(spanish: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, spanish)
    body = bytearray(out.getvalue())
    # Babel writes no hash table and 0 for its address. WordPress refuses that: it takes the address
    # for the end of the two tables of the texts, which lie behind the 28 bytes of the header with 8
    # bytes a text each.
    (count,) = struct.unpack_from("<I", body, 8)
    struct.pack_into("<I", body, 24, 28 + 16 * count)
    return bytes(body)


def messages(files: Mapping[str, bytes]) -> list[Message]:
    """Return all texts to translate, in order of the files."""
    texts: list[Message] = []
    for name in sorted(files):
        if name.endswith((".php", ".js")):
            texts += _call(name, files[name].decode())
    main = files[_MAIN].decode()
    for header in _HEADER.finditer(main):
        line = main.count("\n", 0, header.start()) + 1
        texts.append(
            Message(header[2].strip(), None, None, _MAIN, line, f"{header[1]} of the plugin")
        )
    # Contexts as WordPress looks the texts of a block.json up.
    block = json.loads(files[_BLOCK])
    block_texts = [("title", block["title"]), ("description", block["description"])]
    block_texts += [("keyword", keyword) for keyword in block["keywords"]]
    texts += [Message(t, None, f"block {kind}", _BLOCK, 1, None) for kind, t in block_texts]
    return texts


def _call(name: str, text: str) -> Iterator[Message]:
    for call in _CALL.finditer(text):
        singular = call[1] if call[1] is not None else call[2]
        note = _NOTE.search(text, 0, call.start())
        line = text.count("\n", 0, call.start()) + 1
        yield Message(
            _plain(singular),
            _plain(call[3]) if call[3] is not None else None,
            None,
            name,
            line,
            note[1] if note else None,
        )


def _plain(quoted: str) -> str:
    return re.sub(r"\\(['\\])", r"\1", quoted)


def template_of(texts: list[Message]) -> Catalog:
    """Return the catalog for translators, without translations."""
    catalog = Catalog(
        project=NAME,
        version="1",
        header_comment=f"# Words of the WordPress plugin {NAME}.\n# GPL-2.0-or-later.",
        creation_date=_WRITTEN,
        revision_date=_WRITTEN,
        last_translator="",
        language_team="",
        msgid_bugs_address="see readme.txt",
        fuzzy=False,
    )
    for m in texts:
        catalog.add(
            (m.text, m.plural) if m.plural else m.text,
            locations=[(m.file, m.line)],
            context=m.context,
            auto_comments=[f"translators: {m.note}"] if m.note else (),
        )
    return catalog


def _script_words(spanish: Catalog, texts: list[Message]) -> bytes:
    words: dict[str, object] = {
        "": {"domain": "messages", "lang": "es", "plural-forms": spanish.plural_forms}
    }
    for m in texts:
        translation = spanish.get(m.text, m.context)
        if translation is not None and translation.string:
            words[m.text] = [translation.string]
    locale_data = {"domain": "messages", "locale_data": {"messages": words}}
    return json.dumps(locale_data, ensure_ascii=False, sort_keys=True).encode()


def main(arguments: list[str]) -> int:
    """Write the zip to the path given."""
    if len(arguments) != 1:
        print("usage: python -m serving.embeds.wordpress_plugin FILE.zip", file=sys.stderr)
        return 2
    file = Path(arguments[0])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(plugin_zip())
    print(f"{file}: {file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
