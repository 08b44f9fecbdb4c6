"""Builds the WordPress plugin as a zip: web/wordpress/food-directory and its translations.

Generated: of the Spanish .po the catalogs that WordPress reads, for PHP (.mo) and for the editor's
script (.json, the form of Jed). The bytes are the same on
every machine: fixed times and rights, no compression.

python -m serving.embeds.wordpress_plugin dist/food-directory.zip
"""

import io
import json
import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

NAME = "food-directory"
PATH = f"/embed/{NAME}.zip"
_SCRIPT = "block/editor.js"
_SPANISH = f"languages/{NAME}-es"
_ZIP_TIME = (2026, 11, 1, 0, 0, 0)
# Calls of WordPress's gettext as the plugin writes them: literal texts in single quotes.
_TEXT = r"'((?:[^'\\]|\\.)*)'"
CALL = re.compile(
    rf"\b(?:(?:__|esc_html__|esc_attr__)\(\s*{_TEXT}|_n\(\s*{_TEXT},\s*{_TEXT}[^;]*?),\s*'{NAME}'\s*\)"
)


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
    """Return the Spanish catalogs."""
    files = source_files()
    spanish = read_po(io.BytesIO(files[f"{_SPANISH}.po"]))
    script = [plain(call[1] or call[2]) for call in CALL.finditer(files[_SCRIPT].decode())]
    return {
        f"{_SPANISH}.mo": _compile(spanish),
        f"{_SPANISH}.json": _script_words(spanish, script),
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


def plain(quoted: str) -> str:
    """Return a quoted text without its escapes."""
    return re.sub(r"\\(['\\])", r"\1", quoted)


def _script_words(spanish: Catalog, texts: list[str]) -> bytes:
    words: dict[str, object] = {
        "": {"domain": "messages", "lang": "es", "plural-forms": spanish.plural_forms}
    }
    for text in texts:
        translation = spanish.get(text)
        if translation is not None and translation.string:
            words[text] = [translation.string]
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
