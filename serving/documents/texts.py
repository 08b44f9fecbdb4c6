"""Schema of a document's text, content/documents/<id>/<language>.yaml.

Every string may be a Jinja template. `data` is the JSON's own members; a part of a section either
holds its entries or takes them from a member (`from: rights`), so that nothing is written twice.
"""

from datetime import date
from typing import Any, Literal

import msgspec


class From(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"member": "from"}
):
    """Entries taken from a member of the JSON; the names are those of the entries' members."""

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
    """A column of a table. `member` and `format` are for rows taken from a member of the JSON."""

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
    """Table with its own rows, or those of a member that is a list of objects. The first column
    heads the row."""

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
    """A part of a page. Its parts are shown in the order of these fields. `id` is the anchor,
    the same in all languages; `when` is an expression, and the section is left out where it is
    false."""

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
    """A document in one language. `short` is the title in navigation, `updated` the day somebody
    last read it over.
    """

    title: str
    description: str
    lead: str
    updated: date
    short: str | None = None
    page: list[Section] = []
    data: dict[str, Any] = {}
