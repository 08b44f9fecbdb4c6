"""The data set of resources for veterans, which the sibling service publishes.

Its 22 columns, their order and types are fixed by the interface. Some of their names mean another
thing than in the directory (`resource_type` has a vocabulary of its own, `license` is one literal,
dates are text), so the fields that differ are declared in veterans.yaml and not in
`schemas.fields`.
"""

from dataclasses import replace
from pathlib import Path

from schemas.fields import fields, read_fields
from schemas.table import ForeignKey, Table, names
from schemas.tables.core import IDENTITIES, REJECTS
from schemas.vocab.veterans import SQL_TYPES

_FIELDS = {field.name: field for field in read_fields(Path(__file__).with_name("veterans.yaml"))}
_EVIDENCE = ("other_records", "serves_veterans_because")

VETERAN_RESOURCES = Table(
    "out_veterans__resources",
    "Resources for veterans: facilities of the Department of Veterans Affairs, treatment for "
    "mental health, and places that say they serve veterans.",
    tuple(field for name, field in _FIELDS.items() if name not in _EVIDENCE),
    key=("id",),
    required=("name", "resource_type", "created_at", "updated_at", "license"),
    order_by=("id",),
)

VETERAN_DETAILS = Table(
    "out_veterans__details",
    "Origin of every resource for veterans: source records, hours, precision of the point.",
    (
        _FIELDS["id"],
        *fields("source_id source_key"),
        *(_FIELDS[name] for name in _EVIDENCE),
        *fields(
            "hours_text schedules_json services_text notes location_precision location_method "
            "timezone retrieved_at source_updated_date is_synthetic"
        ),
    ),
    key=("id",),
    required=names(
        "source_id source_key other_records serves_veterans_because retrieved_at is_synthetic"
    ),
    foreign_keys=(ForeignKey("id", "out_veterans__resources", "id"),),
    order_by=("id",),
)

VETERAN_IDENTITIES = replace(
    IDENTITIES,
    name="core_veterans__identities",
    description=(
        "Every source record ever listed for veterans and the permanent id it was listed under, "
        "with successors of merged ids."
    ),
)

VETERAN_REJECTS = replace(
    REJECTS,
    name="core_veterans__rejects",
    description="Records that might serve veterans and are not listed, each with the reason.",
    published=False,
)


def column_list() -> list[dict[str, object]]:
    """Return the published list of the columns of `out_veterans__resources`, in their order."""
    required = set(VETERAN_RESOURCES.required_names)
    return [
        {
            "name": field.name,
            "type": SQL_TYPES[field.type],
            "nullable": field.name not in required,
            "description": field.description,
            **({"values": list(field.values)} if field.values and field.name != "state" else {}),
            **({"pattern": f"^(?:{field.pattern})$"} if field.pattern else {}),
        }
        for field in VETERAN_RESOURCES.fields
    ]
