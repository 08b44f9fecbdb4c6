"""Free food now."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.api.lists import UrgentList
from serving.context import context_of
from serving.http.answers import Answer
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import query
from serving.search.query import DEFAULT_LIMIT, DEFAULT_RADIUS
from serving.search.query_parameters import Limit, Radius, finite
from serving.search.start import PLACE_PATTERN, start_of_point, start_of_text
from serving.search.urgent import answer

MaybeZipOrCity = Annotated[
    str | None, query("zip", of="urgent", pattern=PLACE_PATTERN, max_length=100)
]
MaybeLatitude = Annotated[float | None, query("lat", of="urgent", ge=-90, le=90)]
MaybeLongitude = Annotated[float | None, query("lng", of="urgent", ge=-180, le=180)]


@get(
    "/api/resources/urgent",
    summary="Free food now",
    tags=["search"],
    responses=answers(UrgentList, "Open now, opening soon, and who to call.", 404),
)
async def urgent_resources(
    scope: Scope,
    zip: MaybeZipOrCity = None,
    lat: MaybeLatitude = None,
    lng: MaybeLongitude = None,
    radius: Radius = DEFAULT_RADIUS,
    limit: Limit = DEFAULT_LIMIT,
) -> Answer:
    """Return places with free food: open now, opening soon, usually open now, and places to call
    first.

    `resources` lists places open now, `opening_soon` places that open within the hour,
    `usually_open` places usually open now by hours too old to rely on (`hours_status` is
    `unknown`, see `usual_hours`: call first), each nearest first. `opening_later` lists places
    that open within three days, by waiting plus travel time; `call_first` places with unknown or
    stale hours, those with a telephone first; `for_children` summer meal sites, with who may eat.
    Each list has at most `limit` places. Shops and school kitchens are never listed. When no place
    with free food, open or not, is within 50 miles, the search is widened as in
    `/api/resources/search`. `zip` wins over `lat` and `lng`, and `message` says that they were not
    used.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    place = _place(zip, lat, lng)
    requested_miles = finite("radius", radius) if b"radius=" in scope["query_string"] else None
    if isinstance(place, str):
        start = start_of_text(release, place)
        if lat is not None or lng is not None:
            ignored = "`zip` was used; `lat` and `lng` were not."
            start = start._replace(note=" ".join(filter(None, (start.note, ignored))))
    else:
        start = start_of_point(release, *place)
    response = await asyncio.to_thread(answer, context, release, start, requested_miles, limit, now)
    context.searches.add(now.date(), response.zip, "free", is_empty=response.is_empty)
    return Answer(response.body)


def _place(zip: str | None, lat: float | None, lng: float | None) -> str | tuple[float, float]:
    """Return the text or the point to start from. Raises ServiceProblem (400) naming the missing
    parameter."""
    if zip is not None:
        return zip
    if lat is not None and lng is not None:
        return finite("lat", lat), finite("lng", lng)
    advice = "send `zip`, or both `lat` and `lng`"
    missing = ["lng"] if lat is not None else ["lat"] if lng is not None else ["zip", "lat", "lng"]
    raise ServiceProblem(
        "missing-parameter", f"{', '.join(missing)}: {advice}", dict.fromkeys(missing, advice)
    )
