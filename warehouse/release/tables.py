"""Links and opens the published tables of a release: Parquet files that DuckDB reads where they lie.

exports/<table>.parquet: the very file of the build, which is never written to again.
"""

import errno
import hashlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from schemas.table import Table
from schemas.tables.published import PUBLISHED
from schemas.tables.registry import TABLES
from warehouse.duckdb import Connection, connect, content_sql, own_share_of_memory, quote
from warehouse.files import link_file
from warehouse.release.manifest import TableEntry

TABLES_FOLDER = "exports"
# Of a worker of the service, which is one of several.
_READER_MEMORY = "2GB"
_TIMES_OF_BUILDING = frozenset(
    {
        "retrieved_at",
        "first_release_id",
        "last_changed_at",
        "created_at",
        "updated_at",
        "last_modified",
    }
)


def open_tables(folder: Path, memory: str | None = _READER_MEMORY) -> Connection:
    """Return a connection with a view of each published table of the release in `folder`.

    Rows have their number in the file as `rowid`. Nothing is read but the footers of the files;
    `memory` limits DuckDB as in `connect`. Raises duckdb.Error for a damaged footer, and
    FileNotFoundError for a release that is gone.
    """
    exports = folder / TABLES_FOLDER
    if not exports.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no tables", str(folder))
    paths = {table.name: exports / f"{table.name}.parquet" for table in PUBLISHED}
    return view_tables({name: path for name, path in paths.items() if path.is_file()}, memory)


def view_tables(tables: Mapping[str, Path], memory: str | None) -> Connection:
    """Return a connection with a view of each of some tables, by name. Raises duckdb.Error for a
    damaged footer."""
    db = connect(memory=memory)
    try:
        # The kernel has the files in its cache, once for all workers.
        db.execute("SET enable_external_file_cache = false")
        for name, path in tables.items():
            # The columns of the file: those of a release of an earlier version may be fewer.
            db.execute(
                f'CREATE VIEW "{name}" AS SELECT * RENAME (file_row_number AS rowid)'
                f" FROM read_parquet({quote(path)}, file_row_number = true)"
            )
    except Exception:
        db.close()
        raise
    return db


def link_tables(tables: Mapping[str, Path], folder: Path) -> list[TableEntry]:
    """Link published tables, by name, into the folder of a release.

    Returns their row counts and content digests. Raises duckdb.Error when a file is not its table.
    """
    (folder / TABLES_FOLDER).mkdir()
    for name, source in tables.items():
        link_file(source, folder / TABLES_FOLDER / f"{name}.parquet")
    with closing(open_tables(folder, own_share_of_memory())) as db:
        return [_entry(db, TABLES[name]) for name in sorted(tables)]


def _entry(db: Connection, table: Table) -> TableEntry:
    """Return the rows of a table and a digest of its content that depends neither on row order nor on
    file layout.

    Times of retrieval and of building are left out: they differ between two builds of the same
    bytes.
    """
    names = (f.name for f in table.fields if f.name not in _TIMES_OF_BUILDING)
    query = f'SELECT {content_sql(names)} FROM "{table.name}"'
    rows, total, mixed = db.execute(query).fetchall()[0]
    digest = hashlib.sha256(f"{table.name}|{rows}|{total}|{mixed}".encode()).hexdigest()
    return TableEntry(table.name, rows, digest)


def has_tables(folder: Path, *tables: Table) -> bool:
    """Return whether the release in `folder` has tables: one of an earlier version may lack some."""
    return all((folder / TABLES_FOLDER / f"{table.name}.parquet").is_file() for table in tables)
