"""The dates of programs for calendar apps."""

import asyncio

from litestar import get
from litestar.types import Scope

from serving.documents.date_fields import dates_calendar
from serving.documents.library import library
from serving.documents.routes import scene_of
from serving.http.answers import HOUR, Answer
from serving.http.openapi import answers
from serving.places.calendars import CALENDAR_TYPE
from serving.render.words import path_language


@get(
    "/calendar.ics",
    spellings=["/es/calendar.ics"],
    summary="Dates of food programs as a calendar",
    tags=["documents"],
    responses=answers(str, "An iCalendar file (RFC 5545).", media_type="text/calendar"),
)
async def get_program_dates(scope: Scope) -> Answer:
    """Return the dates of /api/v1/calendar.json for calendar apps: whole days, each the next one
    from today.

    Where only the month is known the entry spans it, and says so.
    """
    books, language = library(), path_language(scope)
    scene = scene_of(scope, books, books.rows["calendar"], language, None)
    body = await asyncio.to_thread(dates_calendar, scene)
    headers = (
        (b"content-disposition", b'inline; filename="calendar.ics"'),
        (b"content-language", language.encode()),
    )
    return Answer(body, media_type=CALENDAR_TYPE, max_age=HOUR, headers=headers)
