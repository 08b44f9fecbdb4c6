"""Opening hours for calendar programs."""

import re
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from litestar import get
from litestar.types import Scope

from schemas.vocab.resource_types import MODE_LABELS
from serving.context import context_of
from serving.http.answers import HOUR, Answer
from serving.http.caching import of_minute, of_place
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.places.calendars import (
    CALENDAR_TYPE,
    place_calendar,
    search_calendar,
)
from serving.places.gone import find_row
from serving.search import query_parameters
from serving.search.find import find
from serving.search.query import (
    DEFAULT_LIMIT,
    DEFAULT_RADIUS,
    Page,
    Query,
    choose_types,
)
from serving.search.start import start_of_text

_FILE = re.compile(r"([1-9][0-9]{0,15})\.ics")
FileName = Annotated[str, path_part("file/calendar")]


_calendar_answers = partial(
    answers, str, "An iCalendar file (RFC 5545).", media_type="text/calendar"
)


@get(
    "/calendar/{file_name:str}",
    summary="Opening hours of one place as a calendar",
    tags=["resources"],
    responses=_calendar_answers(404, 410),
)
async def get_calendar(scope: Scope, file_name: FileName) -> Answer:
    """Return opening hours of one place for calendar programs (`webcal:` subscriptions), a year
    ahead.

    Recurrence rules with exceptions, in the time zone of the place, give exactly the certain
    openings. For a place without readable hours, or with hours too old to rely on, the calendar has
    no events and says why in `X-WR-CALDESC`. An id merged into another answers 301, a retired one
    410.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    match = _FILE.fullmatch(file_name)
    if match is None:
        raise ServiceProblem("not-found", "The address of a calendar is /calendar/{id}.ics.")
    row = find_row(release, int(match[1]), "/calendar/{id}.ics")
    body = await context.responses.find_or_compute(
        of_place(release, now, row, "calendar"),
        lambda: place_calendar(context, release, row, now),
    )
    return _answer(body, file_name)


@get(
    "/api/resources/search.ics",
    operation_id="searchCalendar",
    summary="Opening hours of a search as a calendar",
    tags=["search"],
    responses=_calendar_answers(404),
)
async def calendar_of_search(
    scope: Scope,
    zip: query_parameters.ZipOrCity,
    mode: query_parameters.ModeChoice = None,
    type: query_parameters.TypeChoice = None,
    radius: query_parameters.Radius = DEFAULT_RADIUS,
    limit: query_parameters.Limit = DEFAULT_LIMIT,
) -> Answer:
    """Return the nearest places of a search in one calendar, with the parameters of
    `/api/resources/search`.

    Places without readable hours have no events; `X-WR-CALDESC` names them.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    miles = (
        query_parameters.finite("radius", radius) if b"radius=" in scope["query_string"] else None
    )
    types = choose_types(mode, type)
    start = start_of_text(release, zip)
    matches = find(release, start, Query(types, miles, Page(limit)))
    place = start.location.zip or start.location.city or zip
    title = f"{MODE_LABELS[mode].en if mode else 'Food assistance'}: {place}"
    body = await context.responses.find_or_compute(
        of_minute(release, now, "calendar", zip, mode, types, miles, limit),
        lambda: search_calendar(context, release, title, matches, now),
    )
    return _answer(body, "search.ics")


def _answer(body: bytes, file_name: str) -> Answer:
    disposition = f'inline; filename="{file_name}"'.encode()
    headers = ((b"content-disposition", disposition),)
    return Answer(body, media_type=CALENDAR_TYPE, max_age=HOUR, headers=headers)
