"""Declare what counts as a change of a record, and the table of last changes."""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Field, ForeignKey, Table
from schemas.tables.core import RESOURCES

# Fields of a resource whose new value is no change of the resource, each with the reason. This is
# the only place that says so: change feed, report, `last_changed_at` and their tests follow it.
UNCOUNTED_FIELDS: dict[str, str] = {
    "retrieved_at": "When the bytes were fetched: it moves whenever the same file is fetched again.",
}
# Everything else that is published of a resource counts.
COUNTED_FIELDS: tuple[Field, ...] = tuple(
    f for f in RESOURCES.fields if f.name not in {*RESOURCES.key, *UNCOUNTED_FIELDS}
)
LAST_CHANGES = Table(
    "core_directory__last_changes",
    "When the published content of each resource last changed: the time in the id of that release. A resource without a predecessor in the served release begins with the release that is being made, so a clean rebuild dates everything to itself.",
    fields("resource_id last_changed_at content_digest"),
    key=("resource_id",),
    required=("last_changed_at", "content_digest"),
    foreign_keys=(ForeignKey("resource_id", RESOURCES.name, "resource_id"),),
    order_by=("resource_id",),
)
