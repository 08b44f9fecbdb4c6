"""The registry of documents, content/registry.yaml, and their texts,
content/documents/<id>/<language>.yaml.

A row of the registry says where a document is published. A text is its content; every string in it
may be a Jinja template. `data` holds the document's own JSON members. A part of a section has its
own entries, or takes those of a member (`from: rights`), so that nothing is written twice. Rows are
checked when the service starts; texts are read on first use. docs/content.md says how to write
both.
"""

import re
from collections.abc import Collection, Iterator
from datetime import date
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from schemas.languages import PUBLISHED
from schemas.vocab.states import FIFTY_ONE
from schemas.words import Words
from serving.render.words import Language


class From(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"member": "from"}
):
    """Entries from a member of the JSON; the names are those of the entries' members."""

    member: str
    title: str | None = None
    text: str | None = None
    link: str | None = None
    where: dict[str, str] = {}
    """Only entries whose members have these values: `{topic: places}`."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a list, of definitions, of questions or of links. A link is a path or a full
    address.
    """

    title: str | None = None
    text: str | None = None
    link: str | None = None


Entries = list[str | Entry] | From


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A column of a table. `member` and `format` are for rows from a member of the JSON."""

    title: str
    member: str | None = None
    format: Literal["text", "number", "money", "percent", "day", "link", "phone"] = "text"
    is_number: bool = False

    @property
    def is_right(self) -> bool:
        return self.is_number or self.format in {"number", "money", "percent"}


class Table(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"member": "from"}
):
    """Table with its own rows, or those of a member that is a list of objects. The first column has
    the row headings."""

    caption: str
    columns: list[Column]
    rows: list[list[str]] = []
    member: str | None = None


class Bars(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"member": "from"}
):
    """Horizontal bars of a member that is a list of objects, in its order; rows without a value are
    left out.
    """

    member: str
    label: str
    value: str


class Figure(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number shown large, with its unit."""

    label: str
    value: str


class Notice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Highlighted box."""

    text: str
    kind: Literal["note", "warn", "bad", "good"] = "note"


class Section(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"items": "list"}
):
    """A part of a page. Its parts are shown in the order of these fields. `id` is the anchor, the
    same in all languages; `when` is an expression: if false, the section is omitted."""

    id: str
    heading: str | None = None
    when: str | None = None
    notice: Notice | None = None
    paragraphs: list[str] = []
    figures: list[Figure] = []
    bars: Bars | None = None
    items: Entries = []
    steps: Entries = []
    table: Table | None = None
    definitions: Entries = []
    questions: Entries = []
    links: Entries = []
    note: str | None = None


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A document in one language. `short` is the title in navigation, `updated` the day of the last
    editorial review."""

    title: str
    description: str
    lead: str
    updated: date
    short: str | None = None
    page: list[Section] = []
    data: dict[str, Any] = {}


T = TypeVar("T")
_TEMPLATES = Path(__file__).resolve().parent
STATE = "{state}"
_BARE = re.compile(r"[^?#]*")
MAX_AGES = {"minute": 60, "ten_minutes": 600, "half_hour": 1800, "hour": 3600, "day": 86_400}
Address = Annotated[str, msgspec.Meta(pattern=r"^/[^\s?#]*$")]
Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class RegistryError(ValueError):
    """The registry or a text cannot be used; the message names the file and the row."""


class SiteSection(Words, frozen=True, forbid_unknown_fields=True):
    """A section of the site. `hub` is the document that opens it."""

    hub: str | None = None


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A document. Paths with `{state}` are for the 50 states and DC."""

    id: Name
    section: str
    order: int = 100
    max_age: Literal["minute", "ten_minutes", "half_hour", "hour", "day"] = "hour"
    json: Address | None = None
    json_es: Address | None = None
    page: Address | None = None
    page_es: Address | None = None
    template: str = "document.html"
    aliases: tuple[Address, ...] = ()
    """Other addresses of the English JSON."""
    redirects: tuple[Address, ...] = ()
    """Retired addresses that lead to the English JSON (301)."""
    computed: dict[str, str] = {}
    """Members of the JSON that code computes: a function of `renderer.FUNCTIONS` by its name."""
    web_type: Literal["WebPage", "AboutPage", "ContactPage", "CollectionPage"] = "WebPage"
    is_dataset: bool = False
    image: Address | None = None
    """Path of the Open Graph card, without its ending."""
    data_path: Address | None = None
    """JSON of what the page shows, answered by other code: the page links to it."""
    has_feeds: bool = False
    """The head of the page names the feeds."""
    listed_as: Words | None = None
    """Title of an address that other code answers: the row only lists it, for navigation, links and
    the list of documents."""
    planned: bool = False
    """Its texts are not written yet: nothing is answered."""

    @property
    def is_listed_only(self) -> bool:
        return self.listed_as is not None

    @property
    def is_per_state(self) -> bool:
        return any(STATE in path for path in self.paths())

    def json_of(self, language: Language) -> str | None:
        return self.json if language == "en" else self.json_es

    def page_of(self, language: Language) -> str | None:
        return self.page if language == "en" else self.page_es

    def paths(self) -> Iterator[str]:
        """Yield every address of the row, with `{state}` unexpanded."""
        yield from (p for p in (self.json, self.json_es, self.page, self.page_es) if p)
        yield from (*self.aliases, *self.redirects)


class _File(msgspec.Struct, forbid_unknown_fields=True):
    sections: dict[Name, SiteSection]
    documents: list[Row]


class Library:
    """All documents of a content folder. Raises RegistryError naming the fault."""

    def __init__(self, folder: Traversable, functions: Collection[str]) -> None:
        self.folder = folder
        file = _decode(folder / "registry.yaml", _File)
        self.sections = file.sections
        self.rows = {row.id: row for row in sorted(file.documents, key=self._place)}
        if len(self.rows) != len(file.documents):
            ids = [row.id for row in file.documents]
            raise RegistryError(
                f"registry.yaml: twice in the list: {sorted({i for i in ids if ids.count(i) > 1})}"
            )
        for row in self.rows.values():
            self._check(row, functions)
        for name, section in self.sections.items():
            if section.hub is not None and section.hub not in self.rows:
                raise RegistryError(
                    f"registry.yaml, section {name}: there is no document {section.hub!r}"
                )
        self._twins = self._paths_by_language()
        self._texts: dict[tuple[str, Language], Text] = {}

    def _place(self, row: Row) -> tuple[int, int, str]:
        names = list(self.sections)
        if row.section not in names:
            raise RegistryError(
                f"registry.yaml, {row.id}: there is no section {row.section!r}; "
                f"there are {', '.join(names)}"
            )
        return names.index(row.section), row.order, row.id

    def _check(self, row: Row, functions: Collection[str]) -> None:
        def wrong(what: str) -> RegistryError:
            return RegistryError(f"registry.yaml, {row.id}: {what}")

        paths = list(row.paths())
        if not paths:
            raise wrong("has no address: give `json`, `page` or both")
        if len({STATE in path for path in paths}) != 1:
            raise wrong("either all of its addresses contain {state} or none")
        if (row.json_es and not row.json) or (row.page_es and not row.page):
            raise wrong("has a Spanish address without the English one")
        if (row.aliases or row.redirects) and not row.json:
            raise wrong("has aliases or redirects of a JSON that is not there")
        if unknown := sorted(set(row.computed.values()) - set(functions)):
            raise wrong(f"computed: there is no function {', '.join(unknown)} in serving/documents")
        if not (_TEMPLATES / row.template).is_file():
            raise wrong(f"there is no template {row.template} in serving/documents")
        if row.is_listed_only or row.planned:
            return
        for language in PUBLISHED:
            if not (self.folder / "documents" / row.id / f"{language}.yaml").is_file():
                raise wrong(
                    f"there is no documents/{row.id}/{language}.yaml; "
                    "mark the row `planned: true` until there is"
                )

    def _paths_by_language(self) -> dict[str, dict[Language, str]]:
        """Return pages by either of their addresses. Raises RegistryError when two rows have one
        address."""
        owner: dict[str, str] = {}
        twins: dict[str, dict[Language, str]] = {}
        for row in self.rows.values():
            for path in row.paths():
                if path in owner:
                    raise RegistryError(
                        f"registry.yaml, {row.id}: {path} belongs to {owner[path]} too"
                    )
                owner[path] = row.id
            if row.planned or row.page is None:
                continue
            pages: dict[Language, str] = {"en": row.page, "es": row.page_es or row.page}
            for state in FIFTY_ONE if row.is_per_state else ("",):
                pair: dict[Language, str] = {
                    lang: p.replace(STATE, state) for lang, p in pages.items()
                }
                twins |= {pair["en"]: pair, pair["es"]: pair}
        return twins

    # ------------------------------------------------------------ reading

    def hub(self, row: Row) -> Row | None:
        """Return the document that opens the row's section, unless it is the row itself or
        planned."""
        hub = self.rows.get(self.sections[row.section].hub or "")
        return hub if hub and hub.id != row.id and hub.page and not hub.planned else None

    def list_answered(self) -> Iterator[Row]:
        """Return the rows that this library answers, in the order of navigation."""
        return (r for r in self.rows.values() if not r.planned and not r.is_listed_only)

    def list_rows(self) -> Iterator[Row]:
        """Return every row with a handler, in the order of navigation."""
        return (r for r in self.rows.values() if not r.planned)

    def text(self, row: Row, language: Language) -> Text:
        """Return the document's facts. Raises RegistryError naming the file when it is
        damaged."""
        key = (row.id, language)
        if key not in self._texts:
            file = self.folder / "documents" / row.id / f"{language}.yaml"
            self._texts[key] = _decode(file, Text)
        return self._texts[key]

    def title(self, row: Row, language: Language) -> str:
        """Return the short name for navigation. Titles of texts are plain, without templates."""
        if row.listed_as is not None:
            return row.listed_as[language]
        text = self.text(row, language)
        return text.short or text.title

    def link(self, path: str, language: Language) -> str:
        """Return the page at `path` in a language: the Spanish twin if the registry has one, `path`
        otherwise.

        Query and anchor are preserved.
        """
        bare = _BARE.match(path)[0]  # type: ignore[index]  # matches every text
        return self._twins.get(bare, {}).get(language, bare) + path[len(bare) :]


def _decode(file: Traversable, kind: type[T]) -> T:
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise RegistryError(f"{file}: {error}") from error
