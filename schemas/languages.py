"""Languages of the directory: code, names, direction, locale, and reviewers.

English and Spanish are written together in `content/messages` and are always published. Every
further language is one gettext catalogue, `content/catalogues/<code>.po`, whose header comments
give its name and its signer (docs/content.md).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO

from babel import Locale
from babel.core import get_global
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

# A BCP 47 tag; the address of a page in another language than English begins with it.
Language = str
SOURCE: Language = "en"
# Languages of the API and of documents.
PUBLISHED: tuple[Language, ...] = ("en", "es")
_COMMENT = re.compile(r"# (?P<field>[a-z_]+): *(?P<value>\S.*)")


@dataclass(frozen=True)
class LanguageSpec:
    """One language. `name` is its own name for itself.

    `reviewed_by` and `reviewed_on` are those of the native reader who signed the catalogue.
    `days` (Monday first), `months` and `language_names` by tag are names that CLDR lacks.
    """

    code: Language
    name: str
    locale: Locale
    reviewed_by: str = ""
    reviewed_on: str = ""
    days: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    language_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_draft(self) -> bool:
        """Whether no native reader has signed it."""
        return self.code not in PUBLISHED and not (self.reviewed_by and self.reviewed_on)

    @cached_property
    def direction(self) -> str:
        """Return `ltr` or `rtl`."""
        return str(self.locale.text_direction)

    @property
    def script(self) -> str:
        """Return the ISO 15924 code of its writing: `Latn`."""
        likely = str(get_global("likely_subtags")[self.locale.language])
        return self.locale.script or likely.split("_")[1]

    @property
    def prefix(self) -> str:
        """Return the prefix of its pages' addresses."""
        return "" if self.code == SOURCE else f"/{self.code}"


@cache
def languages() -> dict[Language, LanguageSpec]:
    """Return all languages by code: the published ones, then the catalogues by name of file.

    Raises ValueError that names the file and the field of a catalogue that cannot be used.
    """
    published = [
        LanguageSpec("en", "English", Locale("en", "US")),
        # Spanish of the United States: figures as in English ($1,234.50), months in Spanish.
        LanguageSpec("es", "Español", Locale("es", "US")),
    ]
    files = sorted(f.name for f in _folder().iterdir() if f.name.endswith(".po"))
    return {one.code: one for one in (*published, *map(_read_spec, files))}


def language_of_path(path: str) -> Language:
    """Return the language of an address: that which its first part names, else English."""
    first = path[1:].partition("/")[0]
    return first if first in languages() and first != SOURCE else SOURCE


def localize(path: str, language: Language) -> str:
    """Return the address of an English page in a language: `/grants` -> `/es/grants`."""
    prefix = languages()[language].prefix
    return path if path.startswith(f"{prefix}/") and prefix else f"{prefix}{path}"


@cache
def translations(language: Language) -> Translations:
    """Return the catalogue of a language; of a published one an empty catalogue."""
    if language in PUBLISHED:
        return Translations()
    with (_folder() / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=languages()[language].locale)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


def _folder() -> Traversable:
    return resources.files("content") / "catalogues"


def _read_spec(name: str) -> LanguageSpec:
    code, head = name.removesuffix(".po"), dict[str, str]()
    for line in (_folder() / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        if match := _COMMENT.fullmatch(line):
            head[match["field"]] = match["value"].strip()
    if "name" not in head:
        raise ValueError(f"content/catalogues/{name}: the comment `# name: ...` is missing")
    days, months = _names(head, "days", 7, name), _names(head, "months", 12, name)
    signed = head.get("reviewed_by", ""), head.get("reviewed_on", "")
    pairs = (pair.split("=") for pair in _parts(head, "languages"))
    names_by_tag = {tag.strip(): own.strip() for tag, own in pairs}
    locale = Locale.parse(code, sep="-")
    return LanguageSpec(code, head["name"], locale, *signed, days, months, names_by_tag)


def _parts(head: dict[str, str], key: str) -> list[str]:
    return [part.strip() for part in head.get(key, "").split(",") if part.strip()]


def _names(head: dict[str, str], key: str, count: int, name: str) -> tuple[str, ...]:
    names = tuple(_parts(head, key))
    if names and len(names) != count:
        raise ValueError(f"content/catalogues/{name}: `{key}` must be {count} names with commas")
    return names
