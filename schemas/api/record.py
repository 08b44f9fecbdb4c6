"""The public record of a resource: which members it has, and from which field each comes.

One declaration serves three ends: the SQL that writes the records of a release as JSON text, the
msgspec structs that describe them in OpenAPI, and the column order of the CSV export.

A record is written once per release without the members that depend on the moment or on the
question (`hours_status`, `distance` ...). The service appends those to the stored text; see
`LIVE_MEMBERS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from schemas.attributes import ATTRIBUTE_NAMES
from schemas.fields import FIELDS
from schemas.hours.clock_words import Words
from schemas.table import Field
from schemas.values.usual_hours import UsualHours
from schemas.vocab.dates import DateKind
from schemas.vocab.resource_types import MODES
from schemas.vocab.reviews import DoubtKind
from schemas.vocab.serves_area import ServesArea
from schemas.vocab.statuses import OPEN_STATUSES

# How a field's value becomes a member: as it is; as a JSON text inside a string (old clients decode
# it themselves); as the JSON value it holds.
Form = Literal["value", "json_text", "json_value"]


@dataclass(frozen=True)
class Member:
    """A member of the record: its name, the field of `core_directory__resources`, and the form."""

    name: str
    field: str
    form: Form = "value"


# In this order in JSON and CSV. Names: what clients of comparable directories read.
RECORD_MEMBERS: tuple[Member, ...] = (
    Member("id", "resource_id"),
    *(
        Member(n, n)
        for n in [
            "name",
            "organization",
            "resource_type",
            "address",
            "city",
            "state",
            "zip",
            "county_name",
            "county_fips",
        ]
    ),
    *(
        Member(n, n)
        for n in [
            "lat",
            "lng",
            "location_precision",
            "timezone",
            "phone",
            "phone_e164",
            "website",
            "hours_text",
        ]
    ),
    Member("hours_json", "hours_json", "json_text"),
    Member("hours", "schedules_json", "json_value"),
    Member("services_offered_json", "services_offered", "json_text"),
    *(
        Member(n, n)
        for n in ["services_offered", "requirements_text", "eligibility_text", "languages", "notes"]
    ),
    *(Member(n, n) for n in ATTRIBUTE_NAMES),
    Member("verification_status", "verification_status"),
    *(
        Member(n, n)
        for n in [
            "last_verified_date",
            "listed_date",
            "updated_date",
            "confirmed_date",
            "source_updated_date",
            "retrieved_at",
            "data_source",
            "source_url",
            "license",
        ]
    ),
    *(Member(n, n) for n in ["completeness_score", "is_active", "is_synthetic"]),
)

# Members that only the single record carries, after the ones above.
DETAIL_FIELDS: tuple[str, ...] = (
    "location_method",
    "completeness_missing",
    "verification_confidence",
    "verification_reasons",
)

_PYTHON_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "date": str,
    "datetime": str,
    "json": str,
    "strings": list[str],
}


def described(annotation: Any, field: Field, description: str | None = None) -> Any:
    """Return the annotation with the field's description and example, which reach OpenAPI."""
    extra: dict[str, Any] = {"description": description or field.description}
    if field.example is not None and description is None:
        extra["examples"] = [field.example]
    return Annotated[annotation, msgspec.Meta(**extra)]


def _required() -> set[str]:
    from schemas.tables.core import RESOURCES  # noqa: PLC0415 - tables import fields, fields import vocab

    return set(RESOURCES.required_names)


def _member_type(member: Member) -> Any:
    field = FIELDS[member.field]
    if member.form == "json_value":
        return described(list[dict[str, Any]], field, field.description + " As JSON.")
    if member.form == "json_text":
        return described(str | None, field, field.description + " As JSON text.")
    annotation = _PYTHON_TYPES[field.type]
    if field.values:
        annotation = Literal[field.values]
    if field.type != "strings" and field.name not in _required():
        annotation = annotation | None
    return described(annotation, field)


class Doubt(msgspec.Struct, forbid_unknown_fields=True):
    """Visitors' reports against a listing, until an administrator has reviewed them. It stays
    listed."""

    kind: Annotated[
        DoubtKind,
        msgspec.Meta(
            description="`closed`: it may be closed for good. `wrong_info`: something in it is wrong."
        ),
    ]
    reporters: Annotated[
        int, msgspec.Meta(description="Different visitors who said so.", ge=1, examples=[2])
    ]
    reported_on: Annotated[
        str,
        msgspec.Meta(
            description="Day of the newest report, on the place's calendar.",
            examples=["2026-11-23"],
        ),
    ]
    en: Annotated[
        str,
        msgspec.Meta(
            description="In words, with what to do before going.",
            examples=[
                "2 people reported that it may be closed, most recently on November 23. Call first."
            ],
        ),
    ]
    es: Annotated[str, msgspec.Meta(description="The same in Spanish.")]


# Appended by the service, in this order, after the stored members.
LIVE_MEMBERS: list[tuple[str, Any]] = [
    (
        "mode",
        Annotated[Literal[MODES] | None, msgspec.Meta(description="Search mode of the type.")],
    ),
    (
        "hours_status",
        Annotated[
            Literal[OPEN_STATUSES],
            msgspec.Meta(
                description="Whether the place is open now, in its own time zone; `unknown` if there are no hours or they are too old to rely on (180 days at most)."
            ),
        ],
    ),
    (
        "days_since_confirmed",
        Annotated[
            int | None,
            msgspec.Meta(
                description="Days since someone confirmed the place by looking, calling or running it; null if no one did."
            ),
        ],
    ),
    (
        "usual_hours",
        Annotated[
            UsualHours | None,
            msgspec.Meta(
                description="Published hours that are too old to rely on, with their age; null if the hours are current or unknown. They do not affect `hours_status`."
            ),
        ],
    ),
    (
        "live_status",
        Annotated[
            dict[str, Any] | None,
            msgspec.Meta(description="The operator's current report, if any (24 hours)."),
        ],
    ),
    (
        "doubt",
        Annotated[
            Doubt | None,
            msgspec.Meta(
                description="Problems that visitors reported with the listing; null if nothing is waiting for review. Show it next to the open status."
            ),
        ],
    ),
    (
        "distance",
        Annotated[
            float | None,
            msgspec.Meta(
                description="Straight-line miles from the requested point, rounded by the precision of the place's point; null without a point."
            ),
        ],
    ),
    (
        "distance_miles",
        Annotated[
            float | None, msgspec.Meta(description="Same value as `distance`, with its unit.")
        ],
    ),
    (
        "relevance_score",
        Annotated[
            float | None,
            msgspec.Meta(
                description="0 to 1: nearness, opening, verification, freshness and completeness together; null where nothing was searched."
            ),
        ],
    ),
]

ResourceRecord = msgspec.defstruct(
    "ResourceRecord",
    [(m.name, _member_type(m)) for m in RECORD_MEMBERS] + LIVE_MEMBERS,
    forbid_unknown_fields=True,
)


def extended_record(name: str, more: list[tuple[str, Any]]) -> Any:
    """Return a record of a list with further members at its end."""
    stored = [(m.name, _member_type(m)) for m in RECORD_MEMBERS]
    return msgspec.defstruct(name, stored + LIVE_MEMBERS + more, forbid_unknown_fields=True)


class RelevanceWeights(msgspec.Struct, forbid_unknown_fields=True):
    """Weight of each part; together 1."""

    distance: float
    open_now: float
    verification: float
    freshness: float
    completeness: float


class Relevance(msgspec.Struct, forbid_unknown_fields=True):
    """The parts of `relevance_score`, each from 0 to 1; the score is their weighted sum."""

    distance: Annotated[
        float, msgspec.Meta(description="1 / (1 + miles / 5): 1 on the spot, 0.5 at 5 miles.")
    ]
    open_now: Annotated[
        float,
        msgspec.Meta(
            description="Open 1, closes soon 0.8, opens soon 0.7, unknown 0.4, closed 0.2."
        ),
    ]
    verification: Annotated[
        float, msgspec.Meta(description="Partner verified 1, verified 0.8, unverified 0.4.")
    ]
    freshness: Annotated[
        float,
        msgspec.Meta(
            description="1 on the newest day on which the place was confirmed, updated or listed, falling evenly to 0 after a year."
        ),
    ]
    completeness: Annotated[float, msgspec.Meta(description="`completeness_score` / 100.")]
    weights: RelevanceWeights


# A record of a search; `relevance` and `serves_area` only where they were requested.
FoundRecord = msgspec.defstruct(
    "FoundRecord",
    [(m.name, _member_type(m)) for m in RECORD_MEMBERS]
    + LIVE_MEMBERS
    + [
        ("relevance", Relevance | msgspec.UnsetType, msgspec.UNSET),
        (
            "serves_area",
            Annotated[
                ServesArea | msgspec.UnsetType,
                msgspec.Meta(
                    description="Whether the place serves the ZIP code `serves_zip`, by the areas that its list names. `no` only where the list says so plainly; most lists name no area."
                ),
            ],
            msgspec.UNSET,
        ),
    ],
    forbid_unknown_fields=True,
)


# The record as the release stores it: nothing in it depends on when it is read.
StoredRecord = msgspec.defstruct(
    "StoredRecord", [(m.name, _member_type(m)) for m in RECORD_MEMBERS], forbid_unknown_fields=True
)


class RecordSource(msgspec.Struct, forbid_unknown_fields=True):
    """One source record behind a resource."""

    source_id: str
    source_key: str
    is_primary: bool
    supplied_fields: list[str]
    match_reason: str
    retrieved_at: str
    source_updated_date: str | None
    listed_date: str | None = None
    updated_date: str | None = None
    confirmed_date: str | None = None
    title: str | None = None
    publisher: str | None = None
    url: str | None = None
    license: str | None = None


class FieldSource(msgspec.Struct, forbid_unknown_fields=True):
    """Source of one member's value."""

    source_id: Annotated[
        str, msgspec.Meta(description="Source whose record supplies the value; see `sources`.")
    ]
    date: Annotated[
        str | None,
        msgspec.Meta(
            description="Day of that record, as the source gives it; null when it gives none."
        ),
    ]
    method: Annotated[
        str,
        msgspec.Meta(
            description="`published`: as the source writes it, cleaned. `parsed`: read from its text. `derived`: worked out from the point. For the point itself, how it was found (see `location_method`)."
        ),
    ]


class Eligibility(msgspec.Struct, forbid_unknown_fields=True):
    """Eligible visitors."""

    text: Annotated[str | None, msgspec.Meta(description="As the source writes it.")]
    en: Annotated[
        str | None,
        msgspec.Meta(
            description="Rule of this type of place, in English; null where everyone may come or no rule is known."
        ),
    ]
    es: Annotated[str | None, msgspec.Meta(description="The same in Spanish.")]


class NextOpening(msgspec.Struct, forbid_unknown_fields=True):
    """A coming opening, by the published hours."""

    opens_at: Annotated[
        str,
        msgspec.Meta(
            description="Local time with its offset.", examples=["2026-11-24T10:00:00-05:00"]
        ),
    ]
    closes_at: Annotated[
        str,
        msgspec.Meta(
            description="Local time with its offset.", examples=["2026-11-24T12:00:00-05:00"]
        ),
    ]
    en: Annotated[
        str,
        msgspec.Meta(description="In words.", examples=["Tuesday, November 24, 10 a.m. to noon"]),
    ]
    es: Annotated[
        str,
        msgspec.Meta(
            description="In Spanish words.",
            examples=["Martes 24 de noviembre, de 10 a. m. a mediodía"],
        ),
    ]


class RecordFreshness(msgspec.Struct, forbid_unknown_fields=True):
    """Age of a record's newest date, and whether it is of a confirmation, an update or a
    listing."""

    days: Annotated[
        int | None,
        msgspec.Meta(description="Days since that date; null when the record has none."),
    ]
    basis: Annotated[
        DateKind | None,
        msgspec.Meta(
            description="`confirmed`: someone looked or called, or the operator confirmed it. `updated`: the publisher changed the row. `listed`: an edition from that day lists it, but no one says the row was checked."
        ),
    ]
    is_stale: Annotated[
        bool,
        msgspec.Meta(
            description="True where the hours are too old to be relied on; of a place without hours, after 180 days and without any date."
        ),
    ]
    en: Annotated[str, msgspec.Meta(description="In words.", examples=["Confirmed 3 weeks ago"])]
    es: Annotated[
        str, msgspec.Meta(description="In Spanish words.", examples=["Confirmado hace 3 semanas"])
    ]


class Alternative(msgspec.Struct, forbid_unknown_fields=True):
    """Another place of the same type that is open or opens within the hour."""

    id: int
    name: str
    resource_type: str
    hours_status: Literal[OPEN_STATUSES]  # type: ignore[valid-type]
    distance_miles: Annotated[
        float, msgspec.Meta(description="From the requested place in a straight line, rounded.")
    ]
    address: str | None
    city: str | None
    phone: str | None
    url: Annotated[str, msgspec.Meta(description="Path of its record.")]


DETAIL_MEMBERS: list[tuple[str, Any]] = [
    *((name, described(_PYTHON_TYPES[FIELDS[name].type], FIELDS[name])) for name in DETAIL_FIELDS),
    (
        "accessibility",
        Annotated[
            list[str] | None,
            msgspec.Meta(
                description="Access for people with disabilities: `wheelchair` where the place can be reached in one, an empty list where the source says that it cannot; null if no source says."
            ),
        ],
    ),
    (
        "eligibility",
        Annotated[
            Eligibility, msgspec.Meta(description="Who can go, parsed from `eligibility_text`.")
        ],
    ),
    (
        "sources",
        Annotated[
            list[RecordSource],
            msgspec.Meta(
                description="The source records behind the resource and the fields each supplies."
            ),
        ],
    ),
    (
        "field_sources",
        Annotated[
            dict[str, FieldSource],
            msgspec.Meta(
                description="For every member that a source supplies: which source, of which day, and how."
            ),
        ],
    ),
]

# Worked out by the service on answering, for the single record only.
TOLD_MEMBERS: list[tuple[str, Any]] = [
    (
        "hours_in_words",
        Annotated[
            Words | None,
            msgspec.Meta(
                description="The hours as sentences; null when none could be read (then see `hours_text`)."
            ),
        ],
    ),
    (
        "next_openings",
        Annotated[
            list[NextOpening],
            msgspec.Meta(
                description="The next three openings within 60 days; empty without hours that are recent enough to be asserted."
            ),
        ],
    ),
    (
        "freshness",
        Annotated[
            RecordFreshness,
            msgspec.Meta(description="The newest date of the record, and what happened on it."),
        ],
    ),
    (
        "nearby_alternatives",
        Annotated[
            list[Alternative],
            msgspec.Meta(
                description="While a place with free food is closed: up to three of its type within 25 miles that are open or opening."
            ),
        ],
    ),
]

# The single record as the release and the clock make it, without the members above.
PlainDetail = msgspec.defstruct(
    "PlainDetail",
    [(m.name, _member_type(m)) for m in RECORD_MEMBERS] + DETAIL_MEMBERS + LIVE_MEMBERS,
    forbid_unknown_fields=True,
)

ResourceDetail = msgspec.defstruct(
    "ResourceDetail",
    [(m.name, _member_type(m)) for m in RECORD_MEMBERS]
    + DETAIL_MEMBERS
    + TOLD_MEMBERS
    + LIVE_MEMBERS,
    forbid_unknown_fields=True,
)
