"""Describe tables as Tabular Data Resources (Frictionless Data, version 1)."""

from typing import Any

from schemas.dtypes import LogicalType
from schemas.table import Table

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
