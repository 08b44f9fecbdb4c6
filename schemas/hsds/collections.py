"""Every HSDS collection we publish, in the order in which the descriptor lists them."""

from pathlib import Path
from typing import Any

import msgspec

from schemas.hsds.model import Collection, Column
from schemas.table import ForeignKey, Table
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.statuses import LOCATION_PRECISIONS, VERIFICATION_STATUSES

HSDS_VERSION, HSDS_ROOT = "3.0", "/hsds/v3"
_VOCABULARIES: dict[str, tuple[str, ...]] = {
    "location_precisions": LOCATION_PRECISIONS,
    "resource_types": TYPE_IDS,
    "verification_statuses": VERIFICATION_STATUSES,
}


def _column(entry: dict[str, Any]) -> Column:
    members = {"type": "string", **entry}
    if "link" in entry:
        table = members.pop("link")
        words = f"The {table.replace('_', ' ')} this row belongs to."
        members |= {
            "name": f"{table}_id",
            "type": "uuid",
            "references": table,
            "description": words,
        }
    values = members.pop("values", ())
    vocabulary = _VOCABULARIES[values] if isinstance(values, str) else tuple(values)
    return Column(**members, values=vocabulary)


def _collection(entry: dict[str, Any]) -> Collection:
    """Return the collection of an entry. Raises TypeError for an unknown key."""
    facts = {name: value for name, value in entry.items() if name != "is_main"}
    return Collection(**facts | {"columns": tuple(map(_column, entry["columns"]))})


_ENTRIES: list[dict[str, Any]] = msgspec.yaml.decode(
    Path(__file__).with_name("collections.yaml").read_bytes()
)
BY_NAME: dict[str, Collection] = {entry["name"]: _collection(entry) for entry in _ENTRIES}
BY_TABLE: dict[str, Collection] = {c.table: c for c in BY_NAME.values()}
COLLECTIONS = tuple(BY_NAME.values())
# The ten collections of the interface.
MAIN = tuple(BY_NAME[entry["name"]] for entry in _ENTRIES if "is_main" in entry)


def warehouse_table(collection: Collection) -> Table:
    """Return a collection's table for checks and release, ordered by `id`."""
    return Table(
        collection.table_name,
        f"HSDS {HSDS_VERSION} `{collection.table}`. {collection.description}",
        tuple(c.as_field() for c in collection.columns),
        key=("id",),
        required=tuple(c.name for c in collection.columns if c.is_required and c.name != "id"),
        foreign_keys=tuple(
            ForeignKey(c.name, BY_TABLE[c.references].table_name, "id")
            for c in collection.columns
            if c.references in BY_TABLE
        ),
        order_by=("id",),
    )
