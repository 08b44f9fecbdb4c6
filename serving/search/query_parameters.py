"""Query parameters that several addresses share, with their rules."""

import math
from typing import Annotated, Literal

from schemas.vocab.resource_types import Mode
from schemas.vocab.states import STATE_CODES
from serving.http.errors import invalid
from serving.http.parameters import path_part, query
from serving.search.query import DEFAULT_RADIUS, MAX_LIMIT, MAX_PAGE, MAX_RADIUS
from serving.search.start import PLACE_PATTERN, ZIP_PATTERN

ZipOrCity = Annotated[
    str,
    query(
        "zip",
        "ZIP code, ZIP+4, `City, ST`, a city alone (then the largest of that name), a county, or an address: its ZIP code counts, without one its city.",
        "10002",
        "Salem, OR",
        pattern=PLACE_PATTERN,
        max_length=100,
    ),
]
Zip = Annotated[str, query("zip", "ZIP code or ZIP+4.", "10002", pattern=ZIP_PATTERN)]
ModeChoice = Annotated[Mode | None, query("mode", "Search mode. Without one, places of all types.")]
TypeChoice = Annotated[
    str | None, query("type", "Type ids, separated by commas. With a mode: the types they share.")
]
Radius = Annotated[
    float,
    query(
        "radius",
        f"Miles around the point, as the crow flies. Default {DEFAULT_RADIUS:g}.",
        ge=0,
        le=MAX_RADIUS,
    ),
]
Limit = Annotated[int, query("limit", "Most places in the answer.", ge=1, le=MAX_LIMIT)]
PageNumber = Annotated[int, query("page", "Number of the page, from 1.", ge=1, le=MAX_PAGE)]
Latitude = Annotated[float, query("lat", "Latitude in degrees, WGS84.", 40.7157, ge=-90, le=90)]
Longitude = Annotated[
    float, query("lng", "Longitude in degrees, WGS84.", -73.9863, ge=-180, le=180)
]
SortChoice = Annotated[
    Literal["distance", "relevance"],
    query(
        "sort",
        "`distance`: nearest first. `relevance`: highest `relevance_score` first. Equal ones in order of their id.",
    ),
]
Explain = Annotated[
    bool,
    query(
        "explain",
        "`true` adds `relevance` to every record: the parts of its score, and their weights.",
    ),
]
StateChoice = Annotated[
    str | None, query("state", "State or territory code.", enum=STATE_CODES, pattern="^[A-Z]{2}$")
]
# JSON clients hold integers up to this one exactly; stores hold 64 bits.
MAX_ID = 2**53 - 1
ResourceId = Annotated[int, path_part("Permanent id of the place.", 101, ge=1, le=MAX_ID)]


ItemNumber = Annotated[int, path_part("Number of an item of a queue.", ge=1, le=MAX_ID)]


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
