"""Query parameters of the HSDS feed: those of the official API, with their rules."""

import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from serving.http.errors import invalid
from serving.http.parameters import path_part, query
from serving.search.start import ZIP_PATTERN, start_of_zip
from warehouse.hsds.reader import Filters, Near
from warehouse.index.reader import OpenRelease

MAX_PER_PAGE, DEFAULT_PER_PAGE = 1000, 100
FORMATS = ("json", "csv", "ndjson")
MAX_METRES = 500_000.0
_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?"
)

PageNumber = Annotated[int, query("page", of="hsds", ge=1, le=10_000_000)]
PerPage = Annotated[
    int | None, query("per_page", fill={"default": DEFAULT_PER_PAGE}, ge=1, le=MAX_PER_PAGE)
]
Size = Annotated[int | None, query("size", ge=1, le=MAX_PER_PAGE)]
Format = Annotated[str, query("format", of="hsds", enum=FORMATS)]
Search = Annotated[str | None, query("search", max_length=200)]
ModifiedAfter = Annotated[str | None, query("modified_after", format="date-time")]
Full = Annotated[bool, query("full")]
FullService = Annotated[bool, query("full_service")]
TableName = Annotated[str, path_part("table")]
EntityId = Annotated[str, path_part("id/hsds", format="uuid")]


@dataclass(frozen=True)
class Shape:
    """Form of rows: flat, with related rows, or id and date only."""

    is_full: bool = False
    is_full_service: bool = False
    is_minimal: bool = False

    @property
    def is_flat(self) -> bool:
        """Return whether rows are as stored."""
        return not (self.is_full or self.is_full_service or self.is_minimal)


@dataclass(frozen=True, kw_only=True)
class ListQuery:
    """Query parameters of the lists: those of every list, then those of `OFFERED`."""

    page: PageNumber = 1
    per_page: PerPage = None
    size: Size = None
    format: Format = "json"
    search: Search = None
    modified_after: ModifiedAfter = None
    taxonomy_id: Annotated[uuid.UUID | None, query("taxonomy_id")] = None
    parent_id: Annotated[uuid.UUID | None, query("parent_id")] = None
    top_only: Annotated[bool, query("top_only")] = False
    taxonomy_term_id: Annotated[uuid.UUID | None, query("taxonomy_term_id")] = None
    organization_id: Annotated[uuid.UUID | None, query("organization_id")] = None
    full: Full = False
    minimal: Annotated[bool, query("minimal")] = False
    full_service: FullService = False
    postcode: Annotated[str | None, query("postcode", pattern=ZIP_PATTERN)] = None
    proximity: Annotated[float | None, query("proximity", ge=1, le=MAX_METRES)] = None


_OF_EVERY_LIST = ("page", "per_page", "size", "format", "search", "modified_after")
_OF_TERM = ("taxonomy_term_id", "taxonomy_id")
_AROUND = ("organization_id", "postcode", "proximity", "full")
# Further parameters of the official API that a list takes: they choose or shape its rows.
_OFFERED: dict[str, tuple[str, ...]] = {
    "services": (*_OF_TERM, "organization_id", "full", "minimal"),
    "organizations": (*_OF_TERM, "full", "full_service"),
    "service_at_location": (*_OF_TERM, *_AROUND),
    "locations": _AROUND,
    "taxonomy_terms": ("taxonomy_id", "parent_id", "top_only"),
}
_OFFICIAL = frozenset(name for names in _OFFERED.values() for name in names)
_IDS = ("taxonomy_term_id", "taxonomy_id", "organization_id", "parent_id")
# Optional parameters that are no texts: for these the library reads the text `null` as "not sent".
_NEVER_NULL = ("per_page", "size", *_IDS, "proximity")


def offered(collection: str) -> tuple[str, ...]:
    """Return the names of the parameters of a list."""
    return _OF_EVERY_LIST + _OFFERED.get(collection, ())


def filters_of(release: OpenRelease, query: ListQuery) -> Filters:
    """Return the filters of a query. Raises ServiceProblem."""
    around = near(release, query.postcode, query.proximity)
    return Filters(
        search=query.search,
        modified_after=instant_ms(query.modified_after),
        postcode=query.postcode[:5] if query.postcode and around is None else None,
        near=around,
        top_only=query.top_only,
        **{name: str(value) for name in _IDS if (value := getattr(query, name)) is not None},
    )


def shape_of(query: ListQuery) -> Shape:
    """Return the requested shape of rows."""
    return Shape(
        is_full=query.full and not query.minimal,
        is_full_service=query.full_service,
        is_minimal=query.minimal,
    )


def refuse_unknown(collection: str, values: Mapping[str, str]) -> None:
    """Raise ServiceProblem for an unsupported filter, which would silently have no effect."""
    names = offered(collection)
    for name in values:
        if name in _OFFICIAL and name not in names:
            raise invalid(name, f"no parameter of {collection}, which takes {', '.join(names)}")
    for name in _NEVER_NULL:
        if values.get(name, "").lower() == "null":
            raise invalid(name, "a value; to leave the parameter out, do not send it")


def check_format(format: str) -> str:
    """Raise ServiceProblem for an unknown format."""
    if format not in FORMATS:
        raise invalid("format", "json, csv or ndjson")
    return format


def parse_id(text: str) -> uuid.UUID:
    """Return the id of a path. Raises ServiceProblem."""
    try:
        row_id = uuid.UUID(text)
    except ValueError:
        row_id = None
    if row_id is None or str(row_id) != text.lower():
        raise invalid("id", "a UUID such as 3b9a7c0e-5d5f-5a51-9f0c-0d6c2b7d9f10")
    return row_id


def instant_ms(text: str | None) -> int | None:
    """Return `modified_after` in milliseconds since 1970. Raises ServiceProblem."""
    if text is None:
        return None
    try:
        if not _DATE_TIME.fullmatch(text):
            raise ValueError(text)
        moment = datetime.fromisoformat(text.upper())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return math.ceil(moment.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise invalid("modified_after", "an instant such as 2026-11-01T00:00:00Z") from error


def near(release: OpenRelease, postcode: str | None, proximity: float | None) -> Near | None:
    """Return the circle around the center of a ZIP code; None without such a filter.

    Raises ServiceProblem: 404 for an unknown ZIP code, 400 for a distance without a ZIP code.
    """
    if proximity is None:
        return None
    if not math.isfinite(proximity):
        raise invalid("proximity", "a finite number of metres")
    if postcode is None:
        raise invalid("proximity", "only together with postcode")
    center = start_of_zip(release, postcode, "postcode").location
    return Near(center.lat, center.lng, proximity)
