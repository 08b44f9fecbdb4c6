"""Intermediate tables of matching, one file per state.

Texts are 63-bit hashes, -1 where unknown. Row numbers count a state's records in the order of
"source:key".
"""

import pyarrow as pa


def _code(name: str, description: str) -> pa.Field:
    return pa.field(name, pa.int64(), nullable=False, metadata={"description": description})


FACTS_SCHEMA = pa.schema(
    [
        pa.field("row", pa.int32(), nullable=False, metadata={"description": "0, 1, ..."}),
        _code("name", "name without its spelling variants"),
        _code("content", "telling words of the name"),
        _code("number", "house number"),
        _code("core", "street without type and direction"),
        _code("zip", "ZIP code"),
        _code("city", "city, folded"),
        _code("state", "state"),
        _code("phone", "telephone number"),
        _code("website", "host and path"),
        pa.field("lat", pa.float64(), metadata={"description": "degrees, WGS84"}),
        pa.field("lng", pa.float64(), metadata={"description": "degrees, WGS84"}),
        pa.field(
            "is_exact", pa.bool_(), nullable=False, metadata={"description": "point of a building"}
        ),
        pa.field(
            "words",
            pa.string(),
            metadata={"description": "telling words of the name, blank-separated"},
        ),
    ]
)

PAIRS_SCHEMA = pa.schema(
    [
        pa.field("a", pa.int32(), nullable=False, metadata={"description": "row"}),
        pa.field("b", pa.int32(), nullable=False, metadata={"description": "row, greater than a"}),
    ]
)

# Rows whose telephone or website is shared by many places anywhere in the country.
SHARED_SCHEMA = pa.schema(
    [
        pa.field("row", pa.int32(), nullable=False),
        pa.field("is_phone_shared", pa.bool_(), nullable=False),
        pa.field("is_website_shared", pa.bool_(), nullable=False),
    ]
)
