"""Declare the fields whose new value is a change of a resource."""

from schemas.table import Field
from schemas.tables.core import RESOURCES

# Fields of a resource whose new value is no change of the resource, each with the reason. This is
# the only place that says so: change feed, report, `last_changed_at` and their tests follow it.
UNCOUNTED_FIELDS: dict[str, str] = {
    "retrieved_at": (
        "When the bytes were fetched: it moves whenever the same file is fetched again."
    ),
}
# Everything else that is published of a resource counts.
COUNTED_FIELDS: tuple[Field, ...] = tuple(
    f for f in RESOURCES.fields if f.name not in {*RESOURCES.key, *UNCOUNTED_FIELDS}
)
