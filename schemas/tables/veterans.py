"""The data set of resources for veterans, which the sibling service publishes.

Its 22 columns, their order and types are fixed by the interface. Some of their names mean another
thing than in the directory (`resource_type` has a vocabulary of its own, `license` is one literal,
dates are text), so the fields that differ are declared here and not in `schemas.fields`.
"""

from __future__ import annotations

from schemas.fields import fields
from schemas.table import Field, ForeignKey, Table
from schemas.tables.core import IDENTITIES, REJECTS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.veterans import SQL_TYPES, VETERAN_LICENSE, VETERAN_TYPES

_INSTANT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"

ID = Field(
    "id",
    "integer",
    "Permanent key of the resource: a whole number that never changes from release to release and is never used again.",
    2914830571220044,
    minimum=1,
    maximum=2**53 - 1,
)

_COLUMNS: tuple[Field, ...] = (
    ID,
    Field("name", "string", "Name of the resource.", "Togus VA Medical Center"),
    Field("resource_type", "string", "Kind of resource.", "va_hospital", values=VETERAN_TYPES),
    Field(
        "resource_subtype",
        "string",
        "Kind within the type, in the source's own word; of a place of the food directory, its type there.",
        "VAMC",
    ),
    Field(
        "address",
        "string",
        "Street address; empty for units that move from place to place.",
        "1 VA Center",
    ),
    Field("city", "string", "City; of a unit that moves, the city of its base.", "Augusta"),
    Field("state", "string", "USPS code of the state or territory.", "ME", values=STATE_CODES),
    Field("zip", "string", "Five-digit ZIP code; always text.", "04330", pattern=r"[0-9]{5}"),
    Field(
        "phone",
        "string",
        "Telephone number as a person would write it, with extension.",
        "(207) 623-8411",
    ),
    Field(
        "phone_e164",
        "string",
        "First telephone number in E.164 form, without extension.",
        "+12076238411",
        pattern=r"\+[1-9][0-9]{7,14}",
    ),
    Field(
        "phone_verified",
        "boolean",
        "The number has a possible length and a prefix that the numbering plan has assigned. No "
        "call was made. Empty without a number.",
        True,
    ),
    Field(
        "website",
        "string",
        "Web address, https.",
        "https://www.maine.va.gov/",
        pattern=r"https://\S+",
    ),
    Field(
        "lat",
        "number",
        "Latitude, WGS84. Empty for units that move and for places known by their city only.",
        44.28027,
        minimum=-90,
        maximum=90,
        unit="degrees",
    ),
    Field(
        "lng",
        "number",
        "Longitude, WGS84. Empty for units that move and for places known by their city only.",
        -69.704136,
        minimum=-180,
        maximum=180,
        unit="degrees",
    ),
    Field("fips_state", "string", "State FIPS code, two digits.", "23", pattern=r"[0-9]{2}"),
    Field(
        "fips_county",
        "string",
        "County FIPS code within the state, three digits.",
        "011",
        pattern=r"[0-9]{3}",
    ),
    Field(
        "fips_tract",
        "string",
        "Census tract within the county, six digits: by the Census geocoder, else by the Census "
        "Bureau's boundary that contains the point of the house or street. Empty for points of "
        "ZIP codes and cities, and where the release had no boundaries; the data set says which "
        "it had.",
        "010400",
        pattern=r"[0-9]{6}",
    ),
    Field(
        "completeness_score",
        "integer",
        "0 to 100: phone 20, address 20, website 15, coordinates 15, state, county and tract FIPS codes 5 each, verified within a year 15.",
        80,
        minimum=0,
        maximum=100,
    ),
    Field(
        "verified_date",
        "string",
        "Date of the latest successful verification: the department's own register, a registry or partner that confirmed the place, or its website that answered. Never the date of an import.",
        "2020-05-20",
        pattern=r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    ),
    Field(
        "created_at",
        "string",
        "When the resource was first in a release, UTC.",
        "2026-11-01T06:00:00Z",
        pattern=_INSTANT,
    ),
    Field(
        "updated_at",
        "string",
        "When a release last changed any other column of the row, UTC.",
        "2026-11-01T06:00:00Z",
        pattern=_INSTANT,
    ),
    Field(
        "license",
        "string",
        "Licence of the row, always the same text.",
        VETERAN_LICENSE,
        values=(VETERAN_LICENSE,),
    ),
)

VETERAN_RESOURCES = Table(
    "out_veterans__resources",
    "Resources for veterans: facilities of the Department of Veterans Affairs, treatment for mental health, and places that say they serve veterans.",
    _COLUMNS,
    key=("id",),
    required=("name", "resource_type", "created_at", "updated_at", "license"),
    order_by=("id",),
)

VETERAN_DETAILS = Table(
    "out_veterans__details",
    "Origin of every resource for veterans: source records, hours, precision of the point.",
    (
        ID,
        *fields("source_id source_key"),
        Field(
            "other_records",
            "strings",
            "Further source records of the same place, as source:key.",
            ["samhsa_mental_health:3f2a"],
        ),
        Field(
            "serves_veterans_because",
            "string",
            "Why the place is in the data set.",
            "register of the department",
        ),
        *fields(
            "hours_text schedules_json services_text notes location_precision location_method timezone retrieved_at "
            "source_updated_date is_synthetic"
        ),
    ),
    key=("id",),
    required=(
        "source_id",
        "source_key",
        "other_records",
        "serves_veterans_because",
        "retrieved_at",
        "is_synthetic",
    ),
    foreign_keys=(ForeignKey("id", "out_veterans__resources", "id"),),
    order_by=("id",),
)

VETERAN_IDENTITIES = Table(
    "core_veterans__identities",
    "Every source record ever listed for veterans and the permanent id it was listed under, with successors of merged ids.",
    IDENTITIES.fields,
    key=IDENTITIES.key,
    required=IDENTITIES.required,
    order_by=IDENTITIES.order_by,
)

VETERAN_REJECTS = Table(
    "core_veterans__rejects",
    "Records that might serve veterans and are not listed, each with the reason.",
    REJECTS.fields,
    required=REJECTS.required,
    order_by=REJECTS.order_by,
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
