"""Opens the published tables of a release: Parquet files that DuckDB reads where they lie."""

import errno
from pathlib import Path

from schemas.table import Table
from schemas.tables.published import PUBLISHED
from warehouse.duckdb import Connection, connect, quote

TABLES_FOLDER = "exports"
# Of a worker of the service, which is one of several.
_READER_MEMORY = "2GB"


def open_tables(folder: Path, memory: str | None = _READER_MEMORY) -> Connection:
    """Return a connection with a view of each published table of the release in `folder`.

    Rows have their number in the file as `rowid`. Nothing is read but the footers of the files;
    `memory` limits DuckDB as in `connect`. Raises duckdb.Error for a damaged footer, and
    FileNotFoundError for a release that is gone.
    """
    if not (folder / TABLES_FOLDER).is_dir():
        raise FileNotFoundError(errno.ENOENT, "no tables", str(folder))
    db = connect(memory=memory)
    try:
        # The kernel has the files in its cache, once for all workers.
        db.execute("SET enable_external_file_cache = false")
        for table in PUBLISHED:
            path = folder / TABLES_FOLDER / f"{table.name}.parquet"
            if path.is_file():
                # The columns of the file: those of a release of an earlier version may be fewer.
                db.execute(
                    f'CREATE VIEW "{table.name}" AS SELECT * RENAME (file_row_number AS rowid)'
                    f" FROM read_parquet({quote(path)}, file_row_number = true)"
                )
    except Exception:
        db.close()
        raise
    return db


def has_tables(folder: Path, *tables: Table) -> bool:
    """Return whether the release in `folder` has tables: one of an earlier version may lack some."""
    return all((folder / TABLES_FOLDER / f"{table.name}.parquet").is_file() for table in tables)
