"""Backup and restore of the whole store, in one file format for SQLite and PostgreSQL, also to
migrate between them.

The file is gzip-compressed JSON, one object per line: a head, the rows table by table, and an end
with the number of rows. It contains e-mail addresses: protect it like the store itself. Sessions
and the keys of rate limits are left out; they are useless a day later. So is the outbox: a restored
one would send its links and codes again.
"""

import base64
import gzip
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    Connection,
    LargeBinary,
    Table,
    delete,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)

from warehouse.files import replacing
from warehouse.operations import review_models
from warehouse.operations.engine import Store
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.models import (
    COUNTERS,
    DAILY_KEYS,
    LIMIT_HITS,
    LIVE_CHANGES,
    METADATA,
    OUTBOX,
    Instant,
)
from warehouse.operations.upgrade import head, version_of

_FORMAT = "open-larder operations 1"
_LEFT_OUT = {
    DAILY_KEYS.name,
    LIMIT_HITS.name,
    OUTBOX.name,
    review_models.SESSIONS.name,
}
# Tables of earlier versions: backups may contain them.
_DROPPED = {"sign_in_failures", "webhooks"}
_AT_ONCE = 500


class BackupError(RuntimeError):
    """The file or the store prevents it; the message gives the reason."""


def _tables() -> list[Table]:
    """Return the tables to back up, referenced tables first."""
    return [table for table in METADATA.sorted_tables if table.name not in _LEFT_OUT]


def backup(store: Store, path: Path) -> dict[str, int]:
    """Write the store to a file, whole or not at all; return rows by table. The store may be in
    use.

    Raises StoreUnavailableError, BackupError when the store is behind this version of the tables.
    """
    with store.read() as db:
        if not store.is_sqlite:
            db.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            db.execute(text("SET LOCAL statement_timeout = 0"))
        version = version_of(db)
        if version != head():
            raise BackupError(f"the store is at version {version}: upgrade it first")
        with replacing(path) as temporary:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as raw, gzip.open(raw, "wb") as out:
                return _write(db, out, version)


def _write(db: Connection, out: Any, version: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    _line(out, {"format": _FORMAT, "version": version, "created_at": datetime.now(UTC)})
    for table in _tables():
        name = str(table.name)
        counts[name] = 0
        for row in db.execute(select(table).order_by(*table.primary_key)).mappings():
            _line(
                out, {"table": name, "row": {str(column): value for column, value in row.items()}}
            )
            counts[name] += 1
    _line(out, {"end": counts})
    return counts


def _line(out: Any, value: object) -> None:
    out.write(msgspec.json.encode(value) + b"\n")


def restore(store: Store, path: Path, *, replace: bool) -> dict[str, int]:
    """Restore a backup in one transaction; return rows by table. Running services detect it.

    Raises BackupError if the file is incomplete or of a newer version, or if the store is not empty
    and `replace` is not set.
    """
    counts = _check(path)
    with store.write() as db:
        if not store.is_sqlite:
            db.execute(text("SET LOCAL statement_timeout = 0"))
        full_tables = [t.name for t in _tables() if t is not COUNTERS and _count(db, t)]
        if full_tables and not replace:
            raise BackupError(
                f"the store is not empty ({', '.join(full_tables)}): say that it is to be replaced"
            )
        version = db.execute(select(func.max(COUNTERS.c.value))).scalar() or 0
        resource_ids = set(db.execute(select(LIVE_CHANGES.c.resource_id)).scalars())
        for table in reversed(METADATA.sorted_tables):
            db.execute(delete(table))
        _insert_all(db, path)
        _after(db, version, resource_ids)
    return counts


def _insert_all(db: Connection, path: Path) -> None:
    waiting: list[dict[str, Any]] = []
    last = ""
    for line in _lines(path):
        name = line.get("table", "")
        if waiting and (name != last or len(waiting) >= _AT_ONCE):
            db.execute(insert(METADATA.tables[last]), waiting)
            waiting = []
        if name and name not in _DROPPED:
            waiting.append(_row(METADATA.tables[name], line["row"]))
        last = name


def _after(db: Connection, version: int, resource_ids: set[int]) -> None:
    """Advance sequences and make every worker reload the live reports."""
    resource_ids |= set(db.execute(select(LIVE_CHANGES.c.resource_id)).scalars())
    newest = max(version, db.execute(select(func.max(COUNTERS.c.value))).scalar() or 0)
    db.execute(update(COUNTERS).values(value=newest))
    if resource_ids:
        mark_changed(db, sorted(resource_ids))
    if db.dialect.name == "sqlite":
        return
    for table in _tables():
        key = table.autoincrement_column
        if key is not None:
            db.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{key.name}'), (SELECT "
                    f"coalesce(max({key.name}), 0) + 1 FROM {table.name}), false)"
                )
            )


def _check(path: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    end = None
    try:
        for number, line in enumerate(_lines(path)):
            if number == 0 and line.get("format") != _FORMAT:
                raise BackupError(f"{path} is no backup of an operations store")
            if number == 0 and line["version"] > head():
                raise BackupError(
                    f"{path} is of version {line['version']}, newer than this program's {head()}"
                )
            if "table" in line:
                counts[line["table"]] = counts.get(line["table"], 0) + 1
            end = line.get("end", end)
    except (OSError, EOFError, msgspec.DecodeError) as error:
        raise BackupError(f"{path} cannot be read: {error}") from error
    if end is None or any(counts.get(name, 0) != rows for name, rows in end.items()):
        raise BackupError(f"{path} is not whole")
    unknown = end.keys() - METADATA.tables.keys() - _DROPPED
    if unknown:
        raise BackupError(f"{path} has unknown tables: {', '.join(sorted(unknown))}")
    return dict(end)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rb") as stream:
        for line in stream:
            yield msgspec.json.decode(line)


def _row(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return a line's values as the table's columns, without those of earlier versions."""
    return {name: _value(table.c[name].type, row[name]) for name in row if name in table.c}


def _value(kind: object, value: Any) -> Any:
    if value is not None and isinstance(kind, Instant):
        return datetime.fromisoformat(value)
    if value is not None and isinstance(kind, LargeBinary):
        return base64.b64decode(value)
    return value


def _count(db: Connection, table: Table) -> int:
    if not inspect(db).has_table(table.name):
        raise BackupError("the store's tables are not up to date: upgrade it first")
    return db.execute(select(func.count()).select_from(table)).scalar_one()
