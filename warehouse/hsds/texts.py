"""SQL of an HSDS row as text: the same for the files of a release and the pages of the service.

JSON is UTF-8 without null members and spaces. CSV is RFC 4180: only a field with comma, quote, CR
or LF is quoted. No line end occurs inside a JSON object.
"""

from schemas.hsds.model import Collection, Column
from warehouse.duckdb import csv_cell


def json_sql(collection: Collection) -> str:
    """Return SQL of a row as one JSON object; empty members are omitted."""
    first, *others = collection.columns
    # `||` would copy the growing line for each member.
    members = ", ".join(f"""',"{c.name}":' || {_json_value(c)}""" for c in others)
    return f"""concat('{{"{first.name}":"', id, '"', {members}, '}}')"""


def _json_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"number", "integer", "boolean"}:
        return f"{name}::VARCHAR"
    if column.type in {"uuid", "date", "datetime", "time"}:
        return f"""'"' || {name}::VARCHAR || '"'"""
    return f"to_json({name})::VARCHAR"


def csv_sql(collection: Collection) -> str:
    """Return SQL of a row as a line of RFC 4180, without the line end."""
    cells = ", ".join(map(_csv_value, collection.columns))
    return f"concat_ws(',', {cells})"


def _csv_value(column: Column) -> str:
    name = f'"{column.name}"'
    if column.type in {"string", "uri", "email"} and not column.values:
        return csv_cell(name, is_free_text=column.is_free_text)
    return f"coalesce({name}::VARCHAR, '')"
