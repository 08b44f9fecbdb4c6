"""The HSDS folder of a release, as `warehouse.hsds.package` writes it and the service reads it.

    hsds/<collection>.ndjson        one JSON object a line (UTF-8, "\\n"), no null members, no spaces
    hsds/<collection>.csv           header = the declared columns, then RFC 4180 rows (UTF-8, "\\r\\n"; a field
                                    with comma, quote, CR or LF is quoted, nothing else is)
    hsds/<collection>.index.arrow   Arrow IPC file, uncompressed, one record batch, `INDEX_SCHEMA`
    hsds/<collection>.{ndjson,csv}.gz   the same bytes, gzip, time stamp 0
    hsds/datapackage.json           `schemas.hsds.descriptor`, relative paths `<collection>.csv`
    hsds/profile/index.json         what the profile changes, and its version
    hsds/profile/<table>.json       JSON Merge Patch on the official schema, for every table the profile changes
    hsds/profile/schema/<table>.json    JSON Schema of one flat row as published
    hsds/checksums.txt              "<sha256>  <file>" of every CSV, NDJSON, datapackage.json (`sha256sum -c`)
    hsds/hsds.zip                   datapackage.json, checksums-csv.txt and every CSV, equal bytes for equal input

Row n of the index is row n of both texts; rows are sorted by `id`. `ndjson_offset[n]` and `csv_offset[n]`
are the byte positions where the row begins; row n ends, line end included, where row n + 1 begins, the
last one at the end of the file. So rows a to b (b excluded) of a file are one slice:

    JSON page:  b"[" + ndjson[offset[a]:offset[b] - 1].replace(b"\\n", b",") + b"]"
                (no line end occurs inside an object, so the replacement is exact)
    CSV page:   csv[:csv_offset[0]] (the header) + csv[csv_offset[a]:csv_offset[b]]

A collection without rows has an empty ndjson file, a CSV of its header and an index of no rows.
`last_modified` is the row's own `last_modified` member, missing for tables that have none.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

FOLDER = "hsds"

INDEX_SCHEMA = pa.schema(
    [
        pa.field("id", pa.binary(16), nullable=False),
        pa.field("ndjson_offset", pa.uint64(), nullable=False),
        pa.field("csv_offset", pa.uint64(), nullable=False),
        pa.field("last_modified", pa.timestamp("ms", tz="UTC")),
    ]
)


def read_index(path: Path) -> pa.Table:
    """An index, memory-mapped. Raises FileNotFoundError and pa.ArrowInvalid."""
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()
