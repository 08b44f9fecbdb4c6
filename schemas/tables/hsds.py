"""Tables of the HSDS product, derived from the collections, and the table of its retired ids."""

from schemas.hsds.collections import COLLECTIONS, UUID_PATTERN, warehouse_table
from schemas.table import Field, Table

HSDS_TABLES: tuple[Table, ...] = tuple(map(warehouse_table, COLLECTIONS))

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
