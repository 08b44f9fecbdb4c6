"""Query parameters of searches with their rules, the same for every list of places."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar, get_args

from litestar.params import QueryParameter
from litestar.types import Scope

from schemas.attributes import CODE_LISTS, LANGUAGES, TRUTHS, Codes, Filter
from schemas.vocab.languages import with_also_spoken
from schemas.vocab.resource_types import Mode
from schemas.vocab.states import STATE_CODES
from serving.http.errors import invalid
from serving.http.parameters import UNKNOWN, path_part, query
from serving.search.filter import Filters
from serving.search.find import (
    DEFAULT_LIMIT,
    DEFAULT_RADIUS,
    MAX_LIMIT,
    MAX_PAGE,
    MAX_RADIUS,
    Page,
    Query,
    choose_types,
)
from serving.search.openings import window_of
from serving.search.start import PLACE_PATTERN, ZIP_PATTERN

ZipOrCity = Annotated[str, query("zip", pattern=PLACE_PATTERN, max_length=100)]
Zip = Annotated[str, query("zip", of="code", pattern=ZIP_PATTERN)]
ModeChoice = Annotated[Mode | None, query("mode")]
TypeChoice = Annotated[str | None, query("type")]
Radius = Annotated[float, query("radius", fill={"default": DEFAULT_RADIUS}, ge=0, le=MAX_RADIUS)]
Limit = Annotated[int, query("limit", ge=1, le=MAX_LIMIT)]
PageNumber = Annotated[int, query("page", ge=1, le=MAX_PAGE)]
Latitude = Annotated[float, query("lat", ge=-90, le=90)]
Longitude = Annotated[float, query("lng", ge=-180, le=180)]
SortChoice = Annotated[Literal["distance", "relevance"], query("sort")]
Explain = Annotated[bool, query("explain")]
StateChoice = Annotated[str | None, query("state", enum=STATE_CODES, pattern="^[A-Z]{2}$")]
# JSON clients represent integers exactly up to this one; stores have 64 bits.
MAX_ID = 2**53 - 1
ResourceId = Annotated[int, path_part("id", ge=1, le=MAX_ID)]


ItemNumber = Annotated[int, path_part("id/item", ge=1, le=MAX_ID)]


def id_of(text: str) -> int | None:
    """Parse an id in ASCII digits; None for anything else or above MAX_ID."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))):
        return None
    return number if 0 < (number := int(text)) <= MAX_ID else None


def page_number(text: str, most: int) -> int:
    """Return a page number from 1 to `most`; the first page for text that is not a number."""
    # Python refuses to parse thousands of digits.
    return min(max(int(text[:18]), 1), most) if text.isascii() and text.isdigit() else 1


def finite(name: str, value: float) -> float:
    """Return the value. Raises ServiceProblem for NaN, which passes every comparison and so all
    declared limits."""
    if not math.isfinite(value):
        raise invalid(name, "a finite number")
    return value


T = TypeVar("T")
TRUTH_PARAMETERS = tuple(truth.filter.parameter for truth in TRUTHS)
LOCAL_PATTERN = (
    r"^20[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]$"
)
HOME_PATTERN = r"^[0-9]{5}$"
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]"
# Checked here: the framework's message would quote the expression.
_IS_CLOCK = {"pattern": f"^{_CLOCK}$"}
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: tuple[str, ...] = get_args(Weekday)
_DAY = f"({'|'.join(WEEKDAYS)})( ({_CLOCK})?-({_CLOCK})?)?"
DAYS_PATTERN = f"^{_DAY}(,{_DAY}){{0,{len(WEEKDAYS) - 1}}}$"

OpenNow = Annotated[bool, query("open_now")]
OpenAt = Annotated[str | None, query("open_at", pattern=LOCAL_PATTERN)]
DayChoice = Annotated[Weekday | None, query("day")]
After = Annotated[str | None, query("after", schema_extra=_IS_CLOCK)]
Before = Annotated[str | None, query("before", schema_extra=_IS_CLOCK)]
Days = Annotated[str | None, query("days", schema_extra={"pattern": DAYS_PATTERN})]
Age = Annotated[int | None, query("age", ge=0, le=120, schema_extra={"minimum": 0, "maximum": 120})]
ServesZip = Annotated[str | None, query("serves_zip", pattern=HOME_PATTERN)]
MAX_DAYS = 3650
ConfirmedWithin = Annotated[
    int | None,
    query(
        "confirmed_within",
        ge=1,
        le=MAX_DAYS,
        schema_extra={"minimum": 1, "maximum": MAX_DAYS},
    ),
]
VerifiedOnly = Annotated[bool, query("verified_only")]
HoursKnown = Annotated[bool, query("hours_known")]

IncludeUnknown = Annotated[bool, query("include_unknown")]


def with_attributes(parameters: type[T]) -> type[T]:
    """Add the query parameter of every declared attribute to a parameter class."""
    for truth in TRUTHS:
        _add(parameters, truth.filter, bool, False)
    for one in CODE_LISTS:
        _add(parameters, one.filter, str | None, None)
    return parameters


def _add(parameters: type[Any], declared: Filter, annotation: Any, default: Any) -> None:
    described = QueryParameter(
        name=declared.parameter, description=f"{declared.description} {UNKNOWN}"
    )
    parameters.__annotations__[declared.parameter] = Annotated[annotation, described]
    setattr(parameters, declared.parameter, default)


@dataclass
@with_attributes
class FilterParameters:
    """The filters of a search as query parameters, including those of declared attributes."""

    open_now: OpenNow = False
    open_at: OpenAt = None
    day: DayChoice = None
    days: Days = None
    after: After = None
    before: Before = None
    age: Age = None
    verified_only: VerifiedOnly = False
    confirmed_within: ConfirmedWithin = None
    hours_known: HoursKnown = False
    serves_zip: ServesZip = None
    include_unknown: IncludeUnknown = False

    def filters(self) -> Filters:
        """Build the filters. Raises ServiceProblem naming the parameter and its rule."""
        after, before = minutes_of("after", self.after), minutes_of("before", self.before)
        day_times: list[tuple[int | None, int | None, int | None]] = []
        if self.day is not None:
            day_times.append((WEEKDAYS.index(self.day), after, before))
        if self.days is not None:
            day_times += times_of_days(self.days, after, before)
        if self.day is None and self.days is None and (after is not None or before is not None):
            day_times.append((None, after, before))
        codes = ((one, getattr(self, one.filter.parameter)) for one in CODE_LISTS)
        return Filters(
            open_now=self.open_now,
            open_at=None if self.open_at is None else datetime.fromisoformat(self.open_at),
            windows=tuple(dict.fromkeys(window_of(*times) for times in day_times)),
            age=self.age,
            verified_only=self.verified_only,
            confirmed_within=self.confirmed_within,
            hours_known=self.hours_known,
            serves_zip=self.serves_zip,
            include_unknown=self.include_unknown,
            truths=frozenset(name for name in TRUTH_PARAMETERS if getattr(self, name)),
            codes=tuple(
                (one.filter.parameter, _parse_codes(one, text))
                for one, text in codes
                if text is not None
            ),
        )


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
    """All query parameters of a search except its place."""

    def query(self, scope: Scope, *, expands: bool) -> Query:
        """Build the query. Raises ServiceProblem (400) naming the parameter and its rule.

        If a search may be widened, only an explicit radius limits it.
        """
        is_bound = not expands or b"radius=" in scope["query_string"]
        return Query(
            choose_types(self.mode, self.type),
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

    The place is declared with the filters, so that one problem lists the faults of both.
    """

    zip: ZipOrCity


@dataclass(kw_only=True)
class PointSearchParameters(SearchParameters):
    """A search around a point."""

    lat: Latitude
    lng: Longitude


def minutes_of(field: str, clock: str | None) -> int | None:
    if clock is None:
        return None
    if not re.fullmatch(_CLOCK, clock, re.ASCII):
        raise invalid(field, "a time of day from 00:00 to 23:59")
    return int(clock[:2]) * 60 + int(clock[3:])


def times_of_days(
    text: str, after: int | None, before: int | None
) -> list[tuple[int, int | None, int | None]]:
    """Return weekdays (Monday is 0) with their times in minutes, by default the given ones. Raises
    ServiceProblem (400)."""
    times = []
    for name, since, until in entries_of_days(text):
        has_own = since is not None or until is not None
        own = (minutes_of("days", since), minutes_of("days", until))
        times.append((WEEKDAYS.index(name), *(own if has_own else (after, before))))
    return times


def entries_of_days(text: str) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield weekdays with the texts of their own times. Raises ServiceProblem (400)."""
    if re.fullmatch(DAYS_PATTERN, text, re.ASCII) is None:
        raise invalid("days", "weekdays such as monday, perhaps with times: monday 15:00-18:00")
    for part in text.split(","):
        name, _, times = part.partition(" ")
        since, _, until = times.partition("-")
        yield name, since or None, until or None


def _parse_codes(one: Codes, text: str) -> frozenset[str]:
    """Return the codes of a text with commas. Raises ServiceProblem (400) naming an unknown one."""
    if one is LANGUAGES:
        # Tags, without region: es-MX is es.
        text = ",".join(tag.strip().partition("-")[0].lower() for tag in text.split(","))
    field, codes = one.filter.parameter, one.codes
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in codes]
    if unknown:
        raise invalid(field, f"{unknown[0][:40]!r} is not known; choose from {', '.join(codes)}")
    return with_also_spoken(frozenset(names)) if one is LANGUAGES else frozenset(names)
