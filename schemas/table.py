"""Table declarations and their derivations: DuckDB DDL, Arrow schema, JSON Schema.

A `Field` is declared once in `schemas/fields.yaml` and listed by name in every table that has it.
The `Table` declares whether it is required there, and whether it is the key.
"""

from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa

LogicalType = Literal[
    "string", "integer", "number", "boolean", "date", "datetime", "json", "strings"
]


@dataclass(frozen=True)
class Representation:
    """Representation of one logical type in each engine."""

    duckdb: str
    arrow: pa.DataType
    json_schema: dict[str, object]
    meaning: str


REPRESENTATIONS: dict[LogicalType, Representation] = {
    "string": Representation("VARCHAR", pa.string(), {"type": "string"}, "text"),
    "integer": Representation("BIGINT", pa.int64(), {"type": "integer"}, "whole number"),
    "number": Representation("DOUBLE", pa.float64(), {"type": "number"}, "decimal number"),
    "boolean": Representation("BOOLEAN", pa.bool_(), {"type": "boolean"}, "true or false"),
    "date": Representation("DATE", pa.date32(), {"type": "string", "format": "date"}, "date"),
    "datetime": Representation(
        "TIMESTAMP WITH TIME ZONE",
        pa.timestamp("us", tz="UTC"),
        {"type": "string", "format": "date-time"},
        "instant, UTC",
    ),
    "json": Representation("VARCHAR", pa.string(), {"type": "string"}, "JSON text"),
    "strings": Representation(
        "VARCHAR[]",
        pa.list_(pa.string()),
        {"type": "array", "items": {"type": "string"}},
        "list of texts",
    ),
}


@dataclass(frozen=True, eq=False)
class Field:
    """One quantity of the directory, in whichever tables have it.

    `values` limits a text to a closed vocabulary, `pattern` to a regular expression (RE2 syntax,
    whole text), `minimum` and `maximum` limit numbers. `unit` is given for quantities.
    """

    name: str
    type: LogicalType
    description: str
    example: object = None
    values: tuple[str, ...] = ()
    pattern: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    unit: str | None = None

    @property
    def is_free_text(self) -> bool:
        """True if people wrote it; only such cells of a CSV are protected from spreadsheets."""
        return self.type == "string" and not self.values and self.pattern is None

    @property
    def duckdb_type(self) -> str:
        return REPRESENTATIONS[self.type].duckdb

    @property
    def arrow_type(self) -> pa.DataType:
        return REPRESENTATIONS[self.type].arrow

    def json_schema(self, nullable: bool) -> dict[str, Any]:
        """Return the field as JSON Schema 2020-12."""
        schema: dict[str, Any] = dict(REPRESENTATIONS[self.type].json_schema)
        if nullable:
            schema["type"] = [schema["type"], "null"]
        schema["description"] = self.description
        if self.values:
            schema["enum"] = [*self.values, None] if nullable else list(self.values)
        if self.pattern:
            schema["pattern"] = f"^(?:{self.pattern})$"
        if self.minimum is not None:
            schema["minimum"] = self.minimum
        if self.maximum is not None:
            schema["maximum"] = self.maximum
        if self.example is not None:
            schema["examples"] = [self.example]
        return schema


def names(text: str) -> tuple[str, ...]:
    """Return the names of fields in a blank-separated list."""
    return tuple(text.split())


@dataclass(frozen=True)
class ForeignKey:
    """Values of `field` in this table occur as `references_field` in table `references`."""

    field: str
    references: str
    references_field: str


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the warehouse.

    `name` carries layer, source and kind (`core_directory__resources`). A field is nullable unless
    it is named in `required`; `key` fields are required and unique together. `order_by` fixes the
    row order on disk, so that equal inputs give equal bytes.
    """

    name: str
    description: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    order_by: tuple[str, ...] = ()
    published: bool = True

    @property
    def field_names(self) -> list[str]:
        return [f.name for f in self.fields]

    @property
    def required_names(self) -> list[str]:
        return [f.name for f in self.fields if f.name in {*self.key, *self.required}]

    def __getitem__(self, name: str) -> Field:
        for candidate in self.fields:
            if candidate.name == name:
                return candidate
        raise KeyError(f"{self.name} has no field {name!r}")

    def arrow_schema(self) -> pa.Schema:
        """Return the Arrow schema; descriptions travel in the field metadata."""
        required = set(self.required_names)
        return pa.schema(
            [
                pa.field(
                    f.name,
                    f.arrow_type,
                    nullable=f.name not in required,
                    metadata={"description": f.description},
                )
                for f in self.fields
            ]
        )

    def duckdb_ddl(self, name: str | None = None) -> str:
        """Return `CREATE TABLE` with NOT NULL for required fields."""
        required = set(self.required_names)
        columns = ",\n  ".join(
            f'"{f.name}" {f.duckdb_type}{" NOT NULL" if f.name in required else ""}'
            for f in self.fields
        )
        return f'CREATE TABLE "{name or self.name}" (\n  {columns}\n)'

    def json_schema(self) -> dict[str, Any]:
        """Return one row as a JSON Schema 2020-12 object."""
        required = set(self.required_names)
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            "description": self.description,
            "type": "object",
            "properties": {f.name: f.json_schema(f.name not in required) for f in self.fields},
            "required": self.required_names,
            "additionalProperties": False,
        }


# Describe tables as Tabular Data Resources (Frictionless Data, version 1).

# Types of a CSV's cells: lists are JSON texts, which the type `array` reads.
_TYPES: dict[LogicalType, str] = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "date": "date",
    "datetime": "datetime",
    "json": "string",
    "strings": "array",
}


def table_schema(table: Table) -> dict[str, Any]:
    """Return the Table Schema of a table: types, descriptions, vocabularies, the key."""
    required = set(table.required_names)
    fields = []
    for field in table.fields:
        constraints: dict[str, Any] = {"required": True} if field.name in required else {}
        if field.values:
            constraints["enum"] = list(field.values)
        if field.pattern:
            constraints["pattern"] = field.pattern
        if field.minimum is not None:
            constraints["minimum"] = field.minimum
        if field.maximum is not None:
            constraints["maximum"] = field.maximum
        entry: dict[str, Any] = {
            "name": field.name,
            "type": _TYPES[field.type],
            "description": field.description,
        }
        if field.type == "datetime":
            entry["format"] = "any"
        fields.append(entry | ({"constraints": constraints} if constraints else {}))
    return {"fields": fields, "primaryKey": list(table.key), "missingValues": [""]}
