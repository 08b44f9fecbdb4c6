"""Query parameters of the HSDS feed: those of the official API, with their rules."""

import math
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from serving.hsds.feed import DEFAULT_PER_PAGE, MAX_PER_PAGE, Shape
from serving.http.errors import invalid
from serving.http.parameters import path_part, query
from serving.search.start import ZIP_PATTERN, start_of_zip
from warehouse.hsds.filters import Filters, Near
from warehouse.index.reader import OpenRelease

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
EntityId = Annotated[str, path_part("id/hsds", format="uuid")]


# ---------------------------------------------------------------- lists


@dataclass(frozen=True, kw_only=True)
class ListQuery:
    """Query parameters of every list."""

    page: PageNumber = 1
    per_page: PerPage = None
    size: Size = None
    format: Format = "json"
    search: Search = None
    modified_after: ModifiedAfter = None


# Parameters of the official API that choose or shape rows, with their types and their values where
# they are not sent; each list takes some of them.
_OFFICIAL: dict[str, tuple[Any, Any]] = {
    "taxonomy_id": (Annotated[uuid.UUID | None, query("taxonomy_id")], None),
    "parent_id": (Annotated[uuid.UUID | None, query("parent_id")], None),
    "top_only": (Annotated[bool, query("top_only")], False),
    "taxonomy_term_id": (Annotated[uuid.UUID | None, query("taxonomy_term_id")], None),
    "organization_id": (Annotated[uuid.UUID | None, query("organization_id")], None),
    "full": (Full, False),
    "minimal": (Annotated[bool, query("minimal")], False),
    "full_service": (FullService, False),
    "postcode": (Annotated[str | None, query("postcode", pattern=ZIP_PATTERN)], None),
    "proximity": (Annotated[float | None, query("proximity", ge=1, le=MAX_METRES)], None),
}


def _query_with(*names: str) -> type[ListQuery]:
    """Return the query parameters of a list that takes some of the official ones."""
    members = [(n, _OFFICIAL[n][0], field(default=_OFFICIAL[n][1])) for n in names]
    return make_dataclass("Query", members, bases=(ListQuery,), frozen=True, kw_only=True)


_OF_TERM = ("taxonomy_term_id", "taxonomy_id")
_AROUND = ("organization_id", "postcode", "proximity", "full")
QUERIES = {
    "services": _query_with(*_OF_TERM, "organization_id", "full", "minimal"),
    "organizations": _query_with(*_OF_TERM, "full", "full_service"),
    "service_at_location": _query_with(*_OF_TERM, *_AROUND),
    "locations": _query_with(*_AROUND),
    "taxonomy_terms": _query_with("taxonomy_id", "parent_id", "top_only"),
}
_IDS = ("taxonomy_term_id", "taxonomy_id", "organization_id", "parent_id")
# Optional parameters that are no texts: for these the library reads the text `null` as "not sent".
_NEVER_NULL = ("per_page", "size", *_IDS, "proximity")


def filters_of(release: OpenRelease, query: ListQuery) -> Filters:
    """Return the filters of a query that its list supports. Raises ServiceProblem."""
    values = vars(query)
    postcode = values.get("postcode")
    around = near(release, postcode, values.get("proximity"))
    return Filters(
        search=query.search,
        modified_after=instant_ms(query.modified_after),
        postcode=postcode[:5] if postcode and around is None else None,
        near=around,
        top_only=values.get("top_only", False),
        **{name: str(values[name]) for name in _IDS if values.get(name) is not None},
    )


def shape_of(query: ListQuery) -> Shape:
    """Return the requested shape of rows."""
    values = vars(query)
    is_minimal = values.get("minimal", False)
    return Shape(
        is_full=values.get("full", False) and not is_minimal,
        is_full_service=values.get("full_service", False),
        is_minimal=is_minimal,
    )


def refuse_unknown(collection: str, values: Mapping[str, str]) -> None:
    """Raise ServiceProblem for an unsupported filter, which would silently have no effect."""
    offered = [m.name for m in fields(QUERIES.get(collection, ListQuery))]
    for name in values:
        if name in _OFFICIAL and name not in offered:
            raise invalid(name, f"no parameter of {collection}, which takes {', '.join(offered)}")
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
