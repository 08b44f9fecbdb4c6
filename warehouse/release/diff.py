"""Compares two releases for people: counts by type, state, source and field, and examples.

One report serves the release's own `changes/summary.json` and the page of a release.
"""

import os
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from schemas.api.history import ChangeExample, Movement, ReleaseReport
from schemas.bulk import name_in_release
from schemas.tables.core import COUNTED_FIELDS, UNCOUNTED_FIELDS
from schemas.vocab.reviews import CHANGE_KINDS, ChangeKind
from warehouse.duckdb import Connection
from warehouse.release.changes import (
    Edition,
    compare_releases,
    count_active,
    edition_of,
    write_feed,
)
from warehouse.release.log import CHANGES_FOLDER, FEED_NAME, SUMMARY_NAME, read_report

_EXAMPLES = 10


def write_changes(older: Edition | None, newer: Edition, folder: Path) -> ReleaseReport:
    """Write feed and report on two editions into a folder; return the report."""
    with compare_releases(older, newer) as db:
        report = report_on(db, older, newer)
        if older is None:
            # All listings are new: the exports already have the whole directory.
            (folder / FEED_NAME).touch()
        else:
            write_feed(db, folder / FEED_NAME)
    (folder / SUMMARY_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(report)))
    return report


def report_on(db: Connection, older: Edition | None, newer: Edition) -> ReleaseReport:
    """Return the report on a database of `warehouse.release.changes.compare_releases`."""
    counts: dict[str, int] = dict.fromkeys(CHANGE_KINDS, 0)
    counts |= dict(db.execute("SELECT change, count(*) FROM events GROUP BY change").fetchall())
    reasons = db.execute(
        "SELECT reason, count(*) FROM events WHERE change = 'retired' GROUP BY reason "
        "ORDER BY reason"
    ).fetchall()
    return ReleaseReport(
        older=older.release_id if older else None,
        newer=newer.release_id,
        before=count_active(db, "older"),
        after=count_active(db, "newer"),
        **counts,
        changed_fields=_compare_fields(db),
        retired_reasons=dict(reasons),
        by_type=_movements(db, "resource_type", '"group"'),
        by_state=_movements(db, "state", '"group"'),
        by_source=_movements(
            db, "data_source", 'added + changed + reactivated + merged + retired DESC, "group"'
        ),
        examples=[e for kind in CHANGE_KINDS for e in _examples(db, kind)],
        uncounted_fields=UNCOUNTED_FIELDS,
    )


def _compare_fields(db: Connection) -> dict[str, int]:
    counts = ", ".join(
        f'count(*) FILTER (o."{f.name}" IS DISTINCT FROM n."{f.name}")' for f in COUNTED_FIELDS
    )
    row = db.execute(
        f"""SELECT {counts} FROM events e JOIN older_resources o USING (resource_id)
        JOIN newer_resources n USING (resource_id) WHERE e.change = 'changed'"""
    ).fetchall()[0]
    return {
        name_in_release(f): count for f, count in zip(COUNTED_FIELDS, row, strict=True) if count
    }


def _movements(db: Connection, column: str, order: str) -> list[Movement]:
    """Group by a column: a change by its current value, an end by its last one."""
    kinds = ", ".join(
        f"count(*) FILTER (change = '{kind}')::BIGINT AS {kind}" for kind in CHANGE_KINDS
    )
    zeros = ", ".join(f"coalesce({kind}, 0) AS {kind}" for kind in CHANGE_KINDS)
    rows = db.execute(
        f"""WITH o AS (SELECT "{column}" AS "group", count(*) AS before FROM older_resources
            WHERE is_active GROUP BY ALL),
            n AS (SELECT "{column}" AS "group", count(*) AS after FROM newer_resources
                WHERE is_active GROUP BY ALL),
            moved AS (SELECT if(change IN ('merged', 'retired'), old."{column}",
                new."{column}") AS "group", {kinds}
                FROM events LEFT JOIN older_resources old USING (resource_id)
                LEFT JOIN newer_resources new USING (resource_id) GROUP BY 1)
        SELECT "group", coalesce(before, 0) AS before, coalesce(after, 0) AS after, {zeros}
        FROM o FULL JOIN n USING ("group") FULL JOIN moved USING ("group") ORDER BY {order}"""
    )
    names = [part[0] for part in rows.description or []]
    return [Movement(**dict(zip(names, row, strict=True))) for row in rows.fetchall()]


def _examples(db: Connection, kind: ChangeKind) -> list[ChangeExample]:
    """Return the first few by id, without confidential or withheld places."""
    fields = ", ".join(
        f"""CASE WHEN o."{f.name}" IS DISTINCT FROM n."{f.name}" THEN '{name_in_release(f)}' END"""
        for f in COUNTED_FIELDS
    )
    side = "o" if kind in {"merged", "retired"} else "n"
    rows: list[tuple[Any, ...]] = db.execute(
        f"""SELECT e.resource_id, {side}.name, {side}.resource_type, {side}.city, {side}.state,
            CASE e.change WHEN 'changed' THEN concat_ws(', ', {fields}) WHEN 'merged'
                THEN 'into ' || e.merged_into
                WHEN 'retired' THEN concat_ws(': ', e.reason, e.detail) END
        FROM events e LEFT JOIN older_resources o USING (resource_id)
            LEFT JOIN newer_resources n USING (resource_id)
        WHERE e.change = '{kind}' AND e.reason IS DISTINCT FROM 'withheld'
            AND NOT {side}.is_confidential
        ORDER BY e.resource_id LIMIT {_EXAMPLES}"""
    ).fetchall()
    return [ChangeExample(kind, *row) for row in rows]


# Opens the change feed between two releases for paged reading.
#
# Every release has the feed from its parent; any other pair is computed once and stored in an
# unnamed file, deleted with the process.

_ID_STARTS = len('{"resource_id":')


@dataclass(frozen=True)
class FeedPage:
    """Lines of a feed, each with its line end. `last_id` is None for an empty page."""

    lines: bytes
    count: int
    last_id: int | None
    is_last: bool


class Feed:
    """A feed and its index, 16 bytes of memory per change; thread-safe."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._handle)
        ids, starts, at = [], [0], 0
        with path.open("rb") as stream:
            for line in stream:
                at += len(line)
                ids.append(int(line[_ID_STARTS : line.index(b",")]))
                starts.append(at)
        self._ids = np.array(ids, dtype=np.int64)
        self._starts = np.array(starts, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._ids)

    def page(self, after: int, limit: int) -> FeedPage:
        """Return at most `limit` changes of ids greater than `after`."""
        first = int(np.searchsorted(self._ids, after, side="right"))
        end = min(first + limit, len(self))
        start, stop = int(self._starts[first]), int(self._starts[end])
        last_id = int(self._ids[end - 1]) if end > first else None
        return FeedPage(self._read(start, stop), end - first, last_id, end == len(self))

    def _read(self, start: int, stop: int) -> bytes:
        pieces = []
        while start < stop:
            piece = os.pread(self._handle, stop - start, start)
            if not piece:
                raise OSError("a change feed is shorter than its index says")
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)


def is_stored(older_id: str, newer: Path) -> bool:
    """Return whether a release folder has the feed from another release."""
    summary = newer / CHANGES_FOLDER / SUMMARY_NAME
    return summary.is_file() and read_report(summary).older == older_id


def open_feed(older: Path, newer: Path) -> Feed:
    """Return the feed from one release folder to another.

    Raises FileNotFoundError if either is gone, duckdb.Error when a file is damaged.
    """
    if is_stored(older.name, newer):
        return Feed(newer / CHANGES_FOLDER / FEED_NAME)
    before, after = edition_of(older), edition_of(newer)
    with tempfile.TemporaryDirectory(prefix="larder-feed-") as folder:
        path = Path(folder) / FEED_NAME
        with compare_releases(before, after) as db:
            write_feed(db, path)
        return Feed(path)
