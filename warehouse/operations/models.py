"""Tables of the operations store: what the service writes, as SQLAlchemy Core declarations."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, String, Table

METADATA = MetaData()

# One row per day, ZIP code and mode. No client, no address, no text: only how often.
SEARCH_COUNTS = Table(
    "search_counts",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("zip", String(5), primary_key=True),
    Column("mode", String(10), primary_key=True),
    Column("searches", Integer, nullable=False),
    Column("zero_results", Integer, nullable=False),
)
