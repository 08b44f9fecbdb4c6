"""Every HSDS collection we publish, in the order in which the descriptor lists them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import UUID, uuid5

import msgspec

from schemas.table import Field, ForeignKey, LogicalType, Table
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES

ColumnType = Literal[
    "uuid", "string", "uri", "email", "date", "datetime", "time", "number", "integer", "boolean"
]
# R: always there. T: always there in flat rows, which is what we publish; nested JSON has the
# parent instead.
Need = Literal["R", "T", ""]

UUID_PATTERN = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
TIME_PATTERN = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][+-](?:0[0-9]|1[0-4]):[0-5][0-9]"
DATETIME_PATTERN = r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"

# Type -> (logical type of the warehouse, pattern of a text, format of JSON Schema).
_TYPES: dict[ColumnType, tuple[LogicalType, str | None, str | None]] = {
    "uuid": ("string", UUID_PATTERN, "uuid"),
    "string": ("string", None, None),
    "uri": ("string", r"[a-z][a-z0-9+.-]*:[!-~]+", "uri"),
    "email": ("string", r"[!-~]+@[!-~]+", "email"),
    "date": ("date", None, "date"),
    # Instants and times of day are stored as the text that is published.
    "datetime": ("string", DATETIME_PATTERN, "date-time"),
    "time": ("string", TIME_PATTERN, None),
    "number": ("number", None, None),
    "integer": ("integer", None, None),
    "boolean": ("boolean", None, None),
}


@dataclass(frozen=True, eq=False)
class Column:
    """One member of a row.

    `is_official` is False for members we add. `is_whole` marks an official `number` that
    only ever holds whole numbers. `references` is the official table of a foreign key (to its
    `id`). `profile_required` marks an official member that is optional in HSDS and always there in
    our data. `is_code` marks a text that programs read: a code, or numbers in their own notation.
    """

    name: str
    type: ColumnType
    description: str
    need: Need = ""
    values: tuple[str, ...] = ()
    references: str | None = None
    is_unique: bool = False
    is_official: bool = True
    is_whole: bool = False
    profile_required: bool = False
    is_code: bool = False

    @property
    def is_free_text(self) -> bool:
        """True if people wrote it; only such cells of a CSV are protected from spreadsheets."""
        return self.type in {"string", "uri", "email"} and not self.values and not self.is_code

    @property
    def is_required(self) -> bool:
        """True if every flat row has it."""
        return self.need != "" or self.profile_required

    def as_field(self) -> Field:
        kind, pattern, _ = _TYPES[self.type]
        if self.is_whole:
            kind = "integer"
        return Field(self.name, kind, self.description, values=self.values, pattern=pattern)

    def tabular(self) -> dict[str, Any]:
        """Return the field of the data package descriptor."""
        official = {"uuid": "string", "uri": "string", "email": "string"}.get(self.type, self.type)
        entry: dict[str, Any] = {"name": self.name, "type": official}
        if self.type in {"uuid", "uri", "email"}:
            entry["format"] = self.type
        entry["description"] = self.description
        constraints: dict[str, Any] = {"required": self.is_required}
        if self.name == "id" or self.is_unique:
            constraints["unique"] = True
        if self.values:
            constraints["enum"] = list(self.values)
        entry["constraints"] = constraints
        return entry

    def json_schema(self) -> dict[str, Any]:
        """Return the member as JSON Schema 2020-12; never nullable."""
        kind = self.type if self.type in {"number", "integer", "boolean"} else "string"
        entry: dict[str, Any] = {"type": kind, "description": self.description}
        _, pattern, form = _TYPES[self.type]
        if form:
            entry["format"] = form
        if pattern and self.type in {"uuid", "time", "datetime"}:
            entry["pattern"] = f"^{pattern}$"
        if self.values:
            entry["enum"] = list(self.values)
        return entry


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection: `name` is the API path and CSV file name, `table` the official table
    (singular).

    `columns` are the official ones in official order, then ours.
    """

    name: str
    table: str
    title: str
    description: str
    columns: tuple[Column, ...]

    @property
    def table_name(self) -> str:
        """The table of the warehouse with its rows."""
        return f"out_hsds__{self.name}"

    @property
    def csv_name(self) -> str:
        return f"{self.name}.csv"

    @property
    def column_names(self) -> list[str]:
        return [c.name for c in self.columns]

    def row_schema(self) -> dict[str, Any]:
        """Return JSON Schema 2020-12 of one flat row as we publish it."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.table,
            "description": self.description,
            "type": "object",
            "properties": {c.name: c.json_schema() for c in self.columns},
            "required": [c.name for c in self.columns if c.is_required],
            "additionalProperties": False,
        }


HSDS_VERSION, HSDS_ROOT = "3.0", "/hsds/v3"
_VOCABULARIES: dict[str, tuple[str, ...]] = {
    "location_precisions": LOCATION_PRECISIONS,
    "resource_types": TYPE_IDS,
    "verification_statuses": VERIFICATION_STATUSES,
}


def _column(entry: dict[str, Any]) -> Column:
    members = {"type": "string", **entry}
    if "link" in entry:
        table = members.pop("link")
        words = f"The {table.replace('_', ' ')} this row belongs to."
        members |= {
            "name": f"{table}_id",
            "type": "uuid",
            "references": table,
            "description": words,
        }
    values = members.pop("values", ())
    vocabulary = _VOCABULARIES[values] if isinstance(values, str) else tuple(values)
    return Column(**members, values=vocabulary)


_ENTRIES: list[dict[str, Any]] = msgspec.yaml.decode(
    Path(__file__).with_name("collections.yaml").read_bytes()
)
BY_NAME: dict[str, Collection] = {
    entry["name"]: Collection(
        **{name: value for name, value in entry.items() if name not in ("columns", "is_main")},
        columns=tuple(map(_column, entry["columns"])),
    )
    for entry in _ENTRIES
}
BY_TABLE: dict[str, Collection] = {c.table: c for c in BY_NAME.values()}
COLLECTIONS = tuple(BY_NAME.values())
# The ten collections of the interface.
MAIN = tuple(BY_NAME[entry["name"]] for entry in _ENTRIES if "is_main" in entry)


def warehouse_table(collection: Collection) -> Table:
    """Return a collection's table for checks and release, ordered by `id`."""
    return Table(
        collection.table_name,
        f"HSDS {HSDS_VERSION} `{collection.table}`. {collection.description}",
        tuple(c.as_field() for c in collection.columns),
        key=("id",),
        required=tuple(c.name for c in collection.columns if c.is_required and c.name != "id"),
        foreign_keys=tuple(
            ForeignKey(c.name, BY_TABLE[c.references].table_name, "id")
            for c in collection.columns
            if c.references in BY_TABLE
        ),
        order_by=("id",),
    )


# HSDS ids: UUID version 5 in the project's own namespace.
#
# Names are `<official table>:<source>:<source key>` of the source record an id was first issued
# for; rows that belong to another row are named `<official table>:<id of the parent>:<own key>`.
# Never row numbers, never text that an edit changes.

# Fixed forever: changing it changes every id.
NAMESPACE = UUID("6f0c1d52-8a0e-5b7c-9d3e-2f4a61b8c7e5")


def hsds_id(table: str, *parts: str) -> str:
    """Return the id of a row; lower case."""
    return str(uuid5(NAMESPACE, ":".join((table, *parts))))


# `datapackage.json`: the Tabular Data Package descriptor of our HSDS files.

# License id -> address of its text.
LICENSE_URLS: Mapping[str, tuple[str, str]] = {
    "CC-BY-4.0": (
        "Creative Commons Attribution 4.0 International",
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "CC0-1.0": (
        "Creative Commons Zero 1.0 Universal",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    "ODbL-1.0": (
        "Open Data Commons Open Database License 1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
}


def descriptor(
    license_id: str,
    *,
    is_synthetic: bool,
    version: str | None = None,
    paths: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the descriptor. `paths` maps collection names to a path or list
    of paths in place of `<name>.csv`.

    `version` names the build. Foreign keys are declared only to tables of the package.
    """
    name, url = LICENSE_URLS.get(license_id, (license_id, ""))
    entry = {"name": license_id, "title": name} | ({"path": url} if url else {})
    about = "Synthetic demonstration data, no real places. " if is_synthetic else ""
    return {
        "profile": "tabular-data-package",
        "name": "open-larder-hsds",
        "title": f"Open Larder: food assistance in the United States, HSDS {HSDS_VERSION}",
        "description": (
            f"{about}Organizations, services and locations of food assistance. Hours are local to "
            "the place and carry an offset and a time zone name."
        ),
        **({"version": version} if version else {}),
        "hsds_version": HSDS_VERSION,
        "is_synthetic": is_synthetic,
        "license": {"name": name, "type": license_id} | ({"url": url} if url else {}),
        "licenses": [entry],
        "resources": [resource(c, (paths or {}).get(c.name, c.csv_name)) for c in COLLECTIONS],
    }


def resource(collection: Collection, path: Any) -> dict[str, Any]:
    """Return one resource of the descriptor, named by the official table."""
    keys = [
        {"fields": c.name, "reference": {"resource": c.references, "fields": "id"}}
        for c in collection.columns
        if c.references in BY_TABLE
    ]
    return {
        "profile": "tabular-data-resource",
        "name": collection.table,
        "title": collection.title,
        "description": collection.description,
        "path": path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": {
            "delimiter": ",",
            "lineTerminator": "\r\n",
            "quoteChar": '"',
            "doubleQuote": True,
            "header": True,
        },
        "schema": {
            "fields": [c.tabular() for c in collection.columns],
            "primaryKey": "id",
            **({"foreignKeys": keys} if keys else {}),
        },
    }
