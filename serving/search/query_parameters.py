"""Query parameters shared by several endpoints, with their rules."""

import math
from typing import Annotated, Literal

from schemas.vocab.resource_types import Mode
from schemas.vocab.states import STATE_CODES
from serving.http.errors import invalid
from serving.http.parameters import path_part, query
from serving.search.query import DEFAULT_RADIUS, MAX_LIMIT, MAX_PAGE, MAX_RADIUS
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
