"""Tables of the HSDS product, derived from the collections, and those that keep its ids."""

from __future__ import annotations

from schemas.fields import fields
from schemas.hsds.collections import COLLECTIONS, warehouse_table
from schemas.hsds.model import UUID_PATTERN
from schemas.table import Field, Table

HSDS_TABLES: tuple[Table, ...] = tuple(map(warehouse_table, COLLECTIONS))

ORGANIZATIONS = Table(
    "core_directory__organizations",
    "Organization of every resource, by the source record its id was issued for, and the "
    "permanent number of the organization with successors of merged ones.",
    (
        *fields("source_id source_key"),
        Field(
            "organization_number",
            "integer",
            "Permanent number of the organization first named by this record.",
            minimum=1,
        ),
        *fields("id_status"),
        Field(
            "successor_number",
            "integer",
            "Number of the organization this one turned out to be.",
            minimum=1,
        ),
        *fields("organization"),
        Field("ein", "string", "Employer identification number, nine digits.", pattern=r"[0-9]{9}"),
        Field("organization_evidence", "string", "Why the record belongs to its organization."),
        *fields("first_release_id"),
    ),
    key=("source_id", "source_key"),
    required=("organization_number", "id_status", "first_release_id"),
    order_by=("source_id", "source_key"),
)

RETIRED_IDS = Table(
    "out_hsds__retired_ids",
    "HSDS ids that were published once and are no longer: with the id that took over, or none.",
    (
        Field(
            "collection",
            "string",
            "Collection of the id.",
            "services",
            values=tuple(c.name for c in COLLECTIONS),
        ),
        Field("old_id", "string", "The id that is gone.", pattern=UUID_PATTERN),
        Field(
            "successor_id",
            "string",
            "The id that took over; empty when the row is gone for good.",
            pattern=UUID_PATTERN,
        ),
    ),
    key=("collection", "old_id"),
    order_by=("collection", "old_id"),
)
