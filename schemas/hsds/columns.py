"""Members that many HSDS collections share, and short makers for the others."""

from __future__ import annotations

from typing import Any

from schemas.hsds.model import Column, ColumnType, Need


def key() -> Column:
    return Column("id", "uuid", "UUID version 5 of the row; never changes.", "R")


def text(name: str, description: str, need: Need = "", **more: Any) -> Column:
    return Column(name, "string", description, need, **more)


def of(kind: ColumnType, name: str, description: str, need: Need = "", **more: Any) -> Column:
    return Column(name, kind, description, need, **more)


def link(table: str, need: Need = "", **more: Any) -> Column:
    """Return a foreign key to the `id` of an official table."""
    words = table.replace("_", " ")
    return Column(
        f"{table}_id",
        "uuid",
        f"The {words} this row belongs to.",
        need,
        references=table,
        **more,
    )


def extra(kind: ColumnType, name: str, description: str, **more: Any) -> Column:
    """Return a member that HSDS does not have."""
    return Column(name, kind, description, is_official=False, **more)


RESOURCE_ID = extra(
    "integer",
    "resource_id",
    "Number of the place in the directory's own API.",
    profile_required=True,
)
TZID = "IANA name of the time zone, for example America/Chicago."
DATA_SOURCE = extra("string", "data_source", "Id of the source that leads the record.")
IS_SYNTHETIC = extra(
    "boolean", "is_synthetic", "true for generated demonstration data; never a real place."
)
LAST_MODIFIED = extra(
    "datetime", "last_modified", "When this row last changed in this feed.", profile_required=True
)
