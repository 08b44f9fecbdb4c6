"""Digests of the source records behind each resource."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from warehouse.duck import content_sql, quoted, shared_connection


def member_digests(
    located: Path, clusters: Path, members: pa.Table, columns: list[str]
) -> pa.Table:
    """`resource_id` and `digest` of the records that are one resource, in order of id.

    `members` says of each record (source_id, source_key) which resource_id it is part of; of a
    record the
    `columns` of the file `located` count and its reason in the file `clusters`.
    """
    content = content_sql(columns, "l.", "c.match_reason")
    with shared_connection() as db:
        db.register("members", members)
        return db.sql(
            f"""SELECT resource_id, concat_ws('|', {content}) AS digest
            FROM members JOIN read_parquet({quoted(located)}) l USING (source_id, source_key)
            JOIN read_parquet({quoted(clusters)}) c USING (source_id, source_key)
            GROUP BY resource_id ORDER BY resource_id"""
        ).to_arrow_table()
