"""The public record of a resource: which members it has, and from which field each comes.

One declaration serves three ends: the SQL that writes the records of a release as JSON text, the
msgspec structs that describe them in OpenAPI, and the column order of the CSV export.

A record is written once per release without the members that depend on the moment or on the
question (`hours_status`, `distance` ...). The service appends those to the stored text; see
`LIVE_MEMBERS`.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec

from schemas.api.common import City, PlaceId, ResourceType, StreetAddress
from schemas.attributes import ATTRIBUTE_NAMES
from schemas.descriptions import describe, describe_as, list_members, type_of
from schemas.fields import FIELDS
from schemas.hours.opening import OpenStatus
from schemas.hours.schedule import Schedule
from schemas.values.usual_hours import UsualHours
from schemas.vocab.food_access import ServesArea
from schemas.vocab.resource_types import Mode
from schemas.vocab.reviews import DoubtKind
from schemas.vocab.statuses import DateKind
from schemas.words import InWords, Words

# How a field's value becomes a member: as it is; as a JSON text inside a string (old clients decode
# it themselves); as the JSON value it holds.
Form = Literal["value", "json_text", "json_value"]


@dataclass(frozen=True)
class Member:
    """A member of the record: its name, the field of `core_directory__resources`, and the form."""

    name: str
    field: str
    form: Form = "value"


def _members_named(names: str) -> list[Member]:
    return [Member(name, name) for name in names.split()]


# In this order in JSON and CSV. Names: what clients of comparable directories read.
RECORD_MEMBERS: tuple[Member, ...] = (
    Member("id", "resource_id"),
    *_members_named(
        "name organization resource_type address city state zip county_name county_fips"
    ),
    *_members_named("lat lng location_precision timezone phone phone_e164 website hours_text"),
    Member("hours_json", "hours_json", "json_text"),
    Member("hours", "schedules_json", "json_value"),
    Member("services_offered_json", "services_offered", "json_text"),
    *_members_named("services_offered requirements_text eligibility_text languages notes"),
    *(Member(n, n) for n in ATTRIBUTE_NAMES),
    *_members_named(
        "verification_status last_verified_date listed_date updated_date confirmed_date"
    ),
    *_members_named("source_updated_date retrieved_at data_source source_url license"),
    *_members_named("completeness_score is_active is_synthetic"),
)

# Members that only the single record carries, after the ones above.
DETAIL_FIELDS: tuple[str, ...] = (
    "location_method",
    "completeness_missing",
    "verification_confidence",
    "verification_reasons",
)


def _list_required() -> set[str]:
    from schemas.tables.core import PUBLISHED_REQUIRED, RESOURCES  # noqa: PLC0415 - tables import fields, fields import vocab

    return {*RESOURCES.key, *PUBLISHED_REQUIRED}


def _member_type(member: Member) -> Any:
    field = FIELDS[member.field]
    if member.form == "json_value":
        return Annotated[list[Schedule], describe(field.description)]
    if member.form == "json_text":
        return Annotated[str | None, describe(field.description + " As JSON text.")]
    annotation = type_of(field)
    if field.type != "strings" and field.name not in _list_required():
        annotation = annotation | None
    return describe_as(annotation, field)


class Doubt(InWords, frozen=True, forbid_unknown_fields=True):
    """Visitors' reports against a listing, until an administrator has reviewed them. It stays
    listed."""

    kind: DoubtKind
    reporters: Annotated[int, msgspec.Meta(ge=1)]
    reported_on: str
    en: str
    es: str


class _Live(msgspec.Struct):
    """Appended by the service, in this order, after the stored members."""

    mode: Annotated[Mode | None, describe("Search mode of the type.")]
    hours_status: Annotated[
        OpenStatus,
        describe(
            "Whether the place is open now, in its own time zone; `unknown` if there are no hours "
            "or they are too old to rely on (180 days at most)."
        ),
    ]
    days_since_confirmed: Annotated[
        int | None,
        describe(
            "Days since someone confirmed the place by looking, calling or running it; null if no "
            "one did."
        ),
    ]
    usual_hours: Annotated[
        UsualHours | None,
        describe(
            "Published hours that are too old to rely on, with their age; null if the hours are "
            "current or unknown. They do not affect `hours_status`."
        ),
    ]
    live_status: Annotated[
        dict[str, Any] | None, describe("The operator's current report, if any (24 hours).")
    ]
    doubt: Annotated[
        Doubt | None,
        describe(
            "Problems that visitors reported with the listing; null if nothing is waiting for "
            "review. Show it next to the open status."
        ),
    ]
    distance: Annotated[
        float | None,
        describe(
            "Straight-line miles from the requested point, rounded by the precision of the "
            "place's point; null without a point."
        ),
    ]
    distance_miles: Annotated[float | None, describe("Same value as `distance`, with its unit.")]
    relevance_score: Annotated[
        float | None,
        describe(
            "0 to 1: nearness, opening, verification, freshness and completeness together; null "
            "where nothing was searched."
        ),
    ]


LIVE_MEMBERS: list[tuple[str, Any]] = list_members(_Live)


def extend_record(name: str, base: Any, more: list[Any]) -> Any:
    """Return a record that has the members of another one and further ones."""
    return msgspec.defstruct(name, more, bases=(base,), forbid_unknown_fields=True)


# The record as the release stores it: nothing in it depends on when it is read.
StoredRecord = msgspec.defstruct(
    "StoredRecord", [(m.name, _member_type(m)) for m in RECORD_MEMBERS], forbid_unknown_fields=True
)
ResourceRecord = extend_record("ResourceRecord", StoredRecord, LIVE_MEMBERS)


class RelevanceWeights(msgspec.Struct, forbid_unknown_fields=True):
    """Weight of each part; together 1."""

    distance: float
    open_now: float
    verification: float
    freshness: float
    completeness: float


class Relevance(msgspec.Struct, forbid_unknown_fields=True):
    """The parts of `relevance_score`, each from 0 to 1; the score is their weighted sum."""

    distance: float
    open_now: float
    verification: float
    freshness: float
    completeness: float
    weights: RelevanceWeights


# A record of a search; `relevance` and `serves_area` only where they were requested.
FoundRecord = extend_record(
    "FoundRecord",
    ResourceRecord,
    [
        (
            "relevance",
            Annotated[
                Relevance | msgspec.UnsetType,
                describe("Parts of `relevance_score`; only with `explain=true`."),
            ],
            msgspec.UNSET,
        ),
        (
            "serves_area",
            Annotated[
                ServesArea | msgspec.UnsetType,
                describe(
                    "Whether the place serves the ZIP code `serves_zip`, by the areas that its "
                    "list names. `no` only where the list says so plainly; most lists name no "
                    "area."
                ),
            ],
            msgspec.UNSET,
        ),
    ],
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

    source_id: str
    date: str | None
    method: str


class Eligibility(msgspec.Struct, forbid_unknown_fields=True):
    """Eligible visitors."""

    text: str | None
    en: str | None
    es: str | None


class NextOpening(InWords, frozen=True, forbid_unknown_fields=True):
    """A coming opening, by the published hours."""

    opens_at: str
    closes_at: str
    en: str
    es: str


class RecordFreshness(InWords, frozen=True, forbid_unknown_fields=True):
    """Age of a record's newest date, and whether it is of a confirmation, an update or a
    listing."""

    days: int | None
    basis: DateKind | None
    is_stale: bool
    en: str
    es: str


class Alternative(msgspec.Struct, forbid_unknown_fields=True):
    """Another place of the same type that is open or opens within the hour."""

    id: PlaceId
    name: str
    resource_type: ResourceType
    hours_status: OpenStatus
    distance_miles: float
    address: StreetAddress
    city: City
    phone: str | None
    url: str


class _Detail(msgspec.Struct):
    """Stored for the single record only."""

    accessibility: Annotated[
        list[str] | None,
        describe(
            "Access for people with disabilities: `wheelchair` where the place can be reached in "
            "a wheelchair; an empty list where the source says that it cannot; null if no source "
            "says."
        ),
    ]
    eligibility: Annotated[Eligibility, describe("Who can go, read from `eligibility_text`.")]
    sources: Annotated[
        list[RecordSource],
        describe("The source records behind the resource and the fields each supplies."),
    ]
    field_sources: Annotated[
        dict[str, FieldSource],
        describe("For every member that a source supplies: the source, its date, and the method."),
    ]


DETAIL_MEMBERS: list[tuple[str, Any]] = [
    *((name, describe_as(type_of(FIELDS[name]), FIELDS[name])) for name in DETAIL_FIELDS),
    *list_members(_Detail),
]


class _Computed(msgspec.Struct):
    """Computed by the service for each answer, for the single record only."""

    hours_in_words: Annotated[
        Words | None,
        describe("The hours as sentences; null when none could be read (then see `hours_text`)."),
    ]
    next_openings: Annotated[
        list[NextOpening],
        describe(
            "The next three openings within 60 days; empty without hours that are recent enough "
            "to be asserted."
        ),
    ]
    freshness: Annotated[
        RecordFreshness, describe("The newest date of the record, and what happened on it.")
    ]
    nearby_alternatives: Annotated[
        list[Alternative],
        describe(
            "While a place with free food is closed: up to three of its type within 25 miles that "
            "are open or opening."
        ),
    ]


COMPUTED_MEMBERS: list[tuple[str, Any]] = list_members(_Computed)

# The single record as the release and the clock make it, without the members above.
PlainDetail = extend_record("PlainDetail", ResourceRecord, DETAIL_MEMBERS)
ResourceDetail = extend_record("ResourceDetail", PlainDetail, COMPUTED_MEMBERS)
