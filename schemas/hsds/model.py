"""Model of an HSDS collection's declaration. Everything published in HSDS derives from it.

Types and names are those of HSDS 3.0 (openreferral.org). A column's `type` is the type of the
tabular descriptor; in JSON `number` and `integer` are numbers, `boolean` is a boolean, all others
are texts. No member is ever null: unknown values are left out (JSON) or empty cells (CSV).
"""

from dataclasses import dataclass
from typing import Any, Literal

from schemas.dtypes import LogicalType
from schemas.table import Field

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
