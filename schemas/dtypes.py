"""Maps a field's logical type to the type of every engine that carries it.

Logical types are few on purpose. Codes that look like numbers (ZIP, FIPS, EIN, phone) are `string`
everywhere, so that no engine can drop a leading zero.
"""

from dataclasses import dataclass
from typing import Literal

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
