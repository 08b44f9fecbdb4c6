"""Filters of searches as query parameters, the same wherever places are listed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from litestar.params import QueryParameter
from litestar.types import Scope

from schemas.vocab.attributes import AUDIENCE_CODES, DOCUMENT_CODES, FOOD_CODES
from schemas.vocab.languages import LANGUAGE_NAMES, with_also_spoken
from serving.http.errors import invalid
from serving.search.filter import Filters
from serving.search.openings import Window, window_of
from serving.search.query import DEFAULT_LIMIT, DEFAULT_RADIUS, Page, Query, chosen_types
from serving.search.query_parameters import (
    Explain,
    Latitude,
    Limit,
    Longitude,
    ModeChoice,
    PageNumber,
    Radius,
    SortChoice,
    TypeChoice,
    ZipOrCity,
    finite,
)

_UNKNOWN = "Places of which it is not known are left out and counted in `filtered_out_unknown`."
_LOCAL = (
    r"^20[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]$"
)
_CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_IS_CLOCK = {"pattern": _CLOCK}  # checked here: the framework would tell clients of the expression
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAYS: tuple[str, ...] = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)

OpenNow = Annotated[
    bool,
    QueryParameter(
        name="open_now",
        description=f"`true`: open now, by hours recent enough to be asserted. {_UNKNOWN}",
    ),
]
OpenAt = Annotated[
    str | None,
    QueryParameter(
        name="open_at",
        pattern=_LOCAL,
        description=f"Open at a day and time of the place's own clock, such as `2026-11-24T17:00` (not February 29). {_UNKNOWN}",
    ),
]
DayChoice = Annotated[
    Weekday | None,
    QueryParameter(
        name="day",
        description=f"Open on the coming day of this name, today included; with `after` and `before`, at some moment between them. {_UNKNOWN}",
    ),
]
After = Annotated[
    str | None,
    QueryParameter(
        name="after",
        schema_extra=_IS_CLOCK,
        description="Open at some moment from this time of the place's own clock, such as `17:00`, on `day`, without it today.",
    ),
]
Before = Annotated[
    str | None,
    QueryParameter(
        name="before",
        schema_extra=_IS_CLOCK,
        description="Open at some moment before this time, on `day`, without it today. Not later than `after`: on the day that follows.",
    ),
]
WalkIn = Annotated[
    bool,
    QueryParameter(
        name="walk_in", description=f"`true`: visitors may come without an appointment. {_UNKNOWN}"
    ),
]
Appointment = Annotated[
    bool,
    QueryParameter(name="appointment", description=f"`true`: works by appointment. {_UNKNOWN}"),
]
NoDocuments = Annotated[
    bool,
    QueryParameter(
        name="no_documents",
        description=f"`true`: the source says that no documents are needed. {_UNKNOWN}",
    ),
]
NoId = Annotated[
    bool,
    QueryParameter(
        name="no_id",
        description=f"`true`: the source says that no identification, or no documents at all, are needed. {_UNKNOWN}",
    ),
]
Documents = Annotated[
    str | None,
    QueryParameter(
        name="documents",
        description=f"Papers that the visitor has, separated by commas ({', '.join(DOCUMENT_CODES)}): places known to ask for none others. {_UNKNOWN}",
    ),
]
Language = Annotated[
    str | None,
    QueryParameter(
        name="language",
        description=f"Language tags, separated by commas: one of them is spoken. {_UNKNOWN}",
    ),
]
Food = Annotated[
    str | None,
    QueryParameter(
        name="food",
        description=f"Kinds of food, separated by commas ({', '.join(FOOD_CODES)}): all of them are there. {_UNKNOWN}",
    ),
]
Delivery = Annotated[
    bool,
    QueryParameter(
        name="delivery",
        description=f"`true`: food can be brought home, perhaps under conditions. {_UNKNOWN}",
    ),
]
Wheelchair = Annotated[
    bool,
    QueryParameter(
        name="wheelchair", description=f"`true`: can be reached in a wheelchair. {_UNKNOWN}"
    ),
]
Age = Annotated[
    int | None,
    QueryParameter(
        name="age",
        ge=0,
        le=120,
        schema_extra={"minimum": 0, "maximum": 120},
        description=f"Age in years of the visitor: serves people of this age. {_UNKNOWN}",
    ),
]
Audience = Annotated[
    str | None,
    QueryParameter(
        name="audience",
        description=f"Groups, separated by commas ({', '.join(AUDIENCE_CODES)}): serves one of them, or everyone. {_UNKNOWN}",
    ),
]
VerifiedOnly = Annotated[
    bool,
    QueryParameter(name="verified_only", description="`true`: verified by a registry or partner."),
]
HoursKnown = Annotated[
    bool,
    QueryParameter(
        name="hours_known",
        description="`true`: opening hours can be read and are recent enough to be asserted.",
    ),
]


@dataclass
class FilterParameters:
    """The filters of a search as query parameters."""

    open_now: OpenNow = False
    open_at: OpenAt = None
    day: DayChoice = None
    after: After = None
    before: Before = None
    walk_in: WalkIn = False
    appointment: Appointment = False
    no_documents: NoDocuments = False
    no_id: NoId = False
    documents: Documents = None
    language: Language = None
    food: Food = None
    delivery: Delivery = False
    wheelchair: Wheelchair = False
    age: Age = None
    audience: Audience = None
    verified_only: VerifiedOnly = False
    hours_known: HoursKnown = False

    def filters(self) -> Filters:
        """Build the filters. Raises ServiceProblem naming the parameter and its rule."""
        return Filters(
            open_now=self.open_now,
            open_at=None if self.open_at is None else datetime.fromisoformat(self.open_at),
            window=self._window(),
            walk_in=self.walk_in,
            appointment=self.appointment,
            no_documents=self.no_documents,
            no_id=self.no_id,
            documents=None
            if self.documents is None
            else _codes("documents", self.documents, DOCUMENT_CODES),
            languages=_languages(self.language),
            food=_codes("food", self.food, FOOD_CODES),
            delivery=self.delivery,
            wheelchair=self.wheelchair,
            age=self.age,
            audiences=_codes("audience", self.audience, AUDIENCE_CODES),
            verified_only=self.verified_only,
            hours_known=self.hours_known,
        )

    def _window(self) -> Window | None:
        if self.day is None and self.after is None and self.before is None:
            return None
        weekday = None if self.day is None else _WEEKDAYS.index(self.day)
        return window_of(weekday, _minutes("after", self.after), _minutes("before", self.before))


@dataclass
class ListParameters:
    """The query parameters of every search: types, radius, page, order."""

    mode: ModeChoice = None
    type: TypeChoice = None
    radius: Radius = DEFAULT_RADIUS
    limit: Limit = DEFAULT_LIMIT
    page: PageNumber = 1
    sort: SortChoice = "distance"
    explain: Explain = False


@dataclass
class SearchParameters(FilterParameters, ListParameters):
    """All query parameters of a search besides its place."""

    def query(self, scope: Scope, *, expands: bool) -> Query:
        """Build the query. Raises ServiceProblem (400) naming the parameter and its rule.

        Where a search may be widened, only a radius that was sent binds it.
        """
        is_bound = not expands or b"radius=" in scope["query_string"]
        return Query(
            chosen_types(self.mode, self.type),
            finite("radius", self.radius) if is_bound else None,
            Page(self.limit, self.page),
            self.filters(),
            self.sort,
            self.explain,
            expands,
        )


@dataclass(kw_only=True)
class TextSearchParameters(SearchParameters):
    """A search around a ZIP code, city or address.

    The place is declared with the filters, so that a refusal names the faults of both.
    """

    zip: ZipOrCity


@dataclass(kw_only=True)
class PointSearchParameters(SearchParameters):
    """A search around a point."""

    lat: Latitude
    lng: Longitude


def _minutes(field: str, clock: str | None) -> int | None:
    if clock is None:
        return None
    if not re.match(_CLOCK, clock):
        raise invalid(field, "a time of day from 00:00 to 23:59")
    return int(clock[:2]) * 60 + int(clock[3:])


def _codes(field: str, text: str | None, codes: tuple[str, ...]) -> frozenset[str]:
    if text is None:
        return frozenset()
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in codes]
    if unknown:
        raise invalid(field, f"{unknown[0][:40]!r} is not known; choose from {', '.join(codes)}")
    return frozenset(names)


def _languages(text: str | None) -> frozenset[str]:
    """Tags, without region: es-MX is es."""
    if text is None:
        return frozenset()
    plain = ",".join(tag.strip().partition("-")[0].lower() for tag in text.split(","))
    return with_also_spoken(_codes("language", plain, tuple(LANGUAGE_NAMES)))
