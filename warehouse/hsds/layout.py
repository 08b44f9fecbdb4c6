"""The HSDS folder of a release, as `warehouse.hsds.package` writes it and the service reads it.

    hsds/<collection>.ndjson.gz     one JSON object a line (UTF-8, "\\n") without null members and
                                    spaces; gzip
    hsds/<collection>.csv.gz        header = the declared columns, then RFC 4180 rows (UTF-8,
                                    "\\r\\n"; only a field with comma, quote, CR or LF is quoted);
                                    gzip
    hsds/<collection>.index.arrow   Arrow IPC file, uncompressed, one record batch, `INDEX_SCHEMA`
    hsds/<collection>.blocks.arrow  Arrow IPC file, uncompressed, one record batch, `BLOCKS_SCHEMA`
    hsds/datapackage.json           `schemas.hsds.descriptor`, relative paths `<collection>.csv`
    hsds/checksums.txt              "<sha256>  <file>" of every CSV, NDJSON, datapackage.json
                                    (`sha256sum -c`)
    hsds/hsds.zip                   datapackage.json, checksums-csv.txt and every CSV; equal bytes
                                    for equal input

Row n of the index is row n of both texts; rows are sorted by `id`. The NDJSON is one gzip member in
blocks of BLOCK_ROWS rows: block n, rows n * BLOCK_ROWS and following, is a deflate stream of its
own (RFC 1951) from `gzip_offset[n]` on. No line end occurs inside an object, so that rows are the
lines of their block. The CSV is only read as a whole: pages of CSV are made from the objects.

A collection without rows has an empty NDJSON, a CSV of its header, and an index and blocks of no
rows. `last_modified` is the row's own `last_modified` member, missing for tables that have none.
"""

from pathlib import Path

import pyarrow as pa

FOLDER = "hsds"
# Some 16 KB: decoding a block for one row takes a few hundredths of a millisecond.
BLOCK_ROWS = 32

INDEX_SCHEMA = pa.schema(
    [
        pa.field("id", pa.binary(16), nullable=False),
        pa.field("last_modified", pa.timestamp("ms", tz="UTC")),
    ]
)
BLOCKS_SCHEMA = pa.schema([pa.field("gzip_offset", pa.int64(), nullable=False)])


def read_mapped(path: Path) -> pa.Table:
    """Return an index or blocks, memory-mapped. Raises FileNotFoundError and pa.ArrowInvalid."""
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()
