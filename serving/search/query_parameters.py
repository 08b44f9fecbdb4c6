"""Query parameters that several addresses share, with their rules."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from schemas.vocab.resource_types import Mode
from schemas.vocab.states import STATE_CODES
from serving.http.errors import invalid
from serving.search.query import DEFAULT_RADIUS, MAX_LIMIT, MAX_PAGE, MAX_RADIUS
from serving.search.start import PLACE_PATTERN, ZIP_PATTERN

ZipOrCity = Annotated[
    str,
    QueryParameter(
        name="zip",
        description="ZIP code, ZIP+4, `City, ST`, a city alone (then the largest of that name), a county, or an address: its ZIP code counts, without one its city.",
        pattern=PLACE_PATTERN,
        max_length=100,
        examples=[Example(value="10002"), Example(value="Salem, OR")],
    ),
]
Zip = Annotated[
    str,
    QueryParameter(
        name="zip",
        description="ZIP code or ZIP+4.",
        pattern=ZIP_PATTERN,
        examples=[Example(value="10002")],
    ),
]
ModeChoice = Annotated[
    Mode | None,
    QueryParameter(name="mode", description="Search mode. Without one, places of all types."),
]
TypeChoice = Annotated[
    str | None,
    QueryParameter(
        name="type", description="Type ids, separated by commas. With a mode: the types they share."
    ),
]
Radius = Annotated[
    float,
    QueryParameter(
        name="radius",
        ge=0,
        le=MAX_RADIUS,
        description=f"Miles around the point, as the crow flies. Default {DEFAULT_RADIUS:g}.",
    ),
]
Limit = Annotated[
    int, QueryParameter(name="limit", ge=1, le=MAX_LIMIT, description="Most places in the answer.")
]
PageNumber = Annotated[
    int, QueryParameter(name="page", ge=1, le=MAX_PAGE, description="Number of the page, from 1.")
]
Latitude = Annotated[
    float,
    QueryParameter(
        name="lat",
        ge=-90,
        le=90,
        description="Latitude in degrees, WGS84.",
        examples=[Example(value=40.7157)],
    ),
]
Longitude = Annotated[
    float,
    QueryParameter(
        name="lng",
        ge=-180,
        le=180,
        description="Longitude in degrees, WGS84.",
        examples=[Example(value=-73.9863)],
    ),
]
SortChoice = Annotated[
    Literal["distance", "relevance"],
    QueryParameter(
        name="sort",
        description="`distance`: nearest first. `relevance`: highest `relevance_score` first. Equal ones in order of their id.",
    ),
]
Explain = Annotated[
    bool,
    QueryParameter(
        name="explain",
        description="`true` adds `relevance` to every record: the parts of its score, and their weights.",
    ),
]
StateChoice = Annotated[
    str | None,
    QueryParameter(
        name="state", enum=STATE_CODES, pattern="^[A-Z]{2}$", description="State or territory code."
    ),
]
# JSON clients hold integers up to this one exactly; stores hold 64 bits.
MAX_ID = 2**53 - 1
ResourceId = Annotated[
    int,
    PathParameter(
        ge=1, le=MAX_ID, description="Permanent id of the place.", examples=[Example(value=101)]
    ),
]


ItemNumber = Annotated[
    int, PathParameter(ge=1, le=MAX_ID, description="Number of an item of a queue.")
]


def id_of(text: str) -> int | None:
    """Return an id written in ASCII digits; None for anything else, and past MAX_ID."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))):
        return None
    return number if 0 < (number := int(text)) <= MAX_ID else None


def page_number(text: str, most: int) -> int:
    """Return the number of a page from 1 to `most`; the first for a text that is no number."""
    # Python refuses to read thousands of digits.
    return min(max(int(text[:18]), 1), most) if text.isascii() and text.isdigit() else 1


def finite(name: str, value: float) -> float:
    """Return the value. Raises ServiceProblem for NaN, which passes every comparison and so the
    declared limits."""
    if not math.isfinite(value):
        raise invalid(name, "a finite number")
    return value
