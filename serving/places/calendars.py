"""Opening hours as iCalendar (RFC 5545): one place, or the places of a search.

A calendar covers a year from the day of the release; subscribers get the next one in time. Its
bytes depend only on the release, except that hours unconfirmed for 180 days leave the calendar
empty, with a reason.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from zoneinfo import ZoneInfo

from litestar import get
from litestar.types import Scope

from schemas.hours.hours_words import hours_in_words
from schemas.values.calendar_series import Series, series_of
from schemas.values.usual_hours import with_advice
from schemas.vocab.resource_types import MODE_LABELS
from schemas.vocab.statuses import DATE_LABELS, EXACT_PRECISIONS
from schemas.words import Words
from serving.context import Context, context_of
from serving.http.answers import HOUR, Answer
from serving.http.caching import of_minute, of_place
from serving.http.errors import ServiceProblem, release_of
from serving.http.openapi import answers
from serving.http.parameters import path_part
from serving.places.detail import address_line, read_record
from serving.places.listings import find_row
from serving.places.view import place_path
from serving.reference.organization import organization_of
from serving.search.find import (
    DEFAULT_LIMIT,
    DEFAULT_RADIUS,
    Matches,
    Page,
    Query,
    choose_types,
    find,
)
from serving.search.parameters import Limit, ModeChoice, Radius, TypeChoice, ZipOrCity, finite
from serving.search.start import start_of_text
from warehouse.index.reader import OpenRelease

if TYPE_CHECKING:
    from icalendar import Event, Timezone

CALENDAR_TYPE = b"text/calendar; charset=utf-8"
CALENDAR_DAYS = 366
_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "open-larder/calendar")
_UNREADABLE = Words(
    "Its hours are not known well enough for a calendar",
    "No se conoce bien su horario para hacer un calendario",
)
_STALE = Words(
    "Its hours are too old to rely on",
    "Su horario es demasiado viejo para confiar en él",
)
_NO_DATES = Words(
    "No opening is certain in the coming year",
    "No hay apertura segura en el próximo año",
)
_HIDDEN = Words(
    "Its address and times are not published",
    "Su dirección y su horario no se publican",
)
_SYNTHETIC = "INVENTED PLACES (demonstration data). "


class Openings(NamedTuple):
    """The events of one place, or the reason for having none, in words."""

    events: list[Event]
    reason: Words | None


def place_calendar(context: Context, release: OpenRelease, row: int, now: datetime) -> bytes:
    """Return the calendar of one place. Safe for threads."""
    record = read_record(release, row)
    openings = _openings(context, release, row, record, now)
    words = (
        with_advice(openings.reason, release.advice(row))
        if openings.reason
        else _describe(release, row)
    )
    confirmed = _describe_date(release, row)
    text = f"{record['name']}. {words.en} {confirmed.en} / {words.es} {confirmed.es}"
    return _calendar(context, release, record["name"], text, openings.events)


def search_calendar(
    context: Context, release: OpenRelease, title: str, matches: Matches, now: datetime
) -> bytes:
    """Return one calendar of the places of a search. Safe for threads."""
    events: list[Event] = []
    silent: list[str] = []
    for _, row in matches.hits:
        record = read_record(release, row)
        openings = _openings(context, release, row, record, now)
        events += openings.events
        if openings.reason:
            silent.append(record["name"])
    count = len(matches.hits) - len(silent)
    text = (
        f"Opening hours of {count} of the {len(matches.hits)} nearest places "
        f"({matches.total} lie within {matches.radius:g} miles)."
        f" / Horario de {count} de los {len(matches.hits)} lugares más cercanos."
    )
    if silent:
        names = "; ".join(silent[:20]) + ("; ..." if len(silent) > 20 else "")
        text += f" Hours not known well enough / No se conoce bien el horario: {names}."
    return _calendar(context, release, title, text, events)


# ---------------------------------------------------------------- one place


def _openings(
    context: Context, release: OpenRelease, row: int, record: dict[str, Any], now: datetime
) -> Openings:
    if release.is_confidential[row]:
        return Openings([], _HIDDEN)
    timetable = release.timetable(row)
    if timetable is None:
        return Openings([], _UNREADABLE)
    if not release.shows_hours(row, now):
        return Openings([], _STALE)
    series = series_of(*timetable, _first_day(release), CALENDAR_DAYS)
    if not series:
        return Openings([], _NO_DATES)
    about = _about(context, release, row, record)
    return Openings([_event(one, record, about, _build_time(release)) for one in series], None)


def _describe(release: OpenRelease, row: int) -> Words:
    timetable = release.timetable(row)
    words = hours_in_words(timetable[0], _first_day(release)) if timetable else None
    return words or with_advice(_UNREADABLE, release.advice(row))


def _describe_date(release: OpenRelease, row: int) -> Words:
    origin = release.hours_origin(row)
    if origin is None:
        return Words("No source dates its hours.", "Ninguna fuente da fecha a su horario.")
    words = DATE_LABELS[origin.basis]
    return Words(f"Hours: {words.en} {origin.day}.", f"Horario: {words.es} {origin.day}.")


def _about(
    context: Context, release: OpenRelease, row: int, record: dict[str, Any]
) -> dict[str, Any]:
    """Return the properties that all events of a place share."""
    words, confirmed = _describe(release, row), _describe_date(release, row)
    phone = [f"Telephone / Teléfono: {record['phone']}"] if record["phone"] else []
    invented = [_SYNTHETIC.strip()] if release.is_synthetic else []
    lines = [*invented, words.en, words.es, *phone, f"{confirmed.en} / {confirmed.es}"]
    if record["requires_appointment"]:
        lines.append("By appointment / Con cita.")
    about: dict[str, Any] = {
        "summary": _line(record["name"]),
        "description": "\n".join(lines),
        "location": _line(address_line(record)),
        "url": context.settings.url + place_path(record["id"]),
        "transp": "TRANSPARENT",
    }
    if record["location_precision"] in EXACT_PRECISIONS:
        about["geo"] = (round(record["lat"], 6), round(record["lng"], 6))
    return about


def _line(text: str) -> str:
    """Return a text on one line: a line break would start a new property."""
    return " ".join(text.split())


def _event(
    series: Series, record: dict[str, Any], about: dict[str, Any], made_at: datetime
) -> Event:
    # Calendars alone need it, and a start does without.
    from icalendar import Event  # noqa: PLC0415

    event = Event()
    event.add("uid", str(uuid.uuid5(_NAMES, f"{record['id']}|{series.key}")))
    event.add("dtstamp", made_at)
    event.add("dtstart", series.start)
    event.add("dtend", series.end)
    if series.rule is not None:
        event.add("rrule", series.rule)
    if series.exceptions:
        event.add("exdate", list(series.exceptions))
    for name, value in about.items():
        event.add(name, value)
    return event


# ---------------------------------------------------------------- the envelope


def _calendar(
    context: Context, release: OpenRelease, name: str, text: str, events: Iterable[Event]
) -> bytes:
    from icalendar import Calendar  # noqa: PLC0415

    events, first = list(events), _first_day(release)
    starts: list[Any] = [event["DTSTART"] for event in events]
    zones: set[str] = {start.dt.tzinfo.key for start in starts}
    calendar = Calendar()
    calendar.add("prodid", f"-//{organization_of(context.settings).common_name}//Open Larder//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", _line(name))
    calendar.add("x-wr-caldesc", _line((_SYNTHETIC if release.is_synthetic else "") + text))
    calendar.add("refresh-interval", timedelta(days=1), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "P1D")
    for zone in sorted(zones):
        # From the change before the first event on.
        calendar.add_component(
            time_zone(zone, first - timedelta(days=370), first + timedelta(days=740))
        )
    for event in events:
        calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


def time_zone(name: str, first: date, last: date) -> Timezone:
    """Return a VTIMEZONE (RFC 5545, 3.6.5) with every change of the offset between two days.

    A change is dated by the clock before it: daylight time starts at 02:00, not at 03:00.
    """
    # Calendars alone need it, and a start does without.
    from icalendar import Timezone, TimezoneDaylight, TimezoneStandard  # noqa: PLC0415

    zone, hour = ZoneInfo(name), timedelta(hours=1)

    def offset_at(instant: datetime) -> timedelta:
        offset = instant.astimezone(zone).utcoffset()
        assert offset is not None, "a ZoneInfo has one at any time"
        return offset

    start = datetime.combine(first, time(), UTC)
    dates = [start + timedelta(days=at) for at in range((last - first).days)]
    # Key: kind, offsets and abbreviation; value: local times before the change.
    changes: dict[tuple[bool, timedelta, timedelta, str], list[datetime]] = {}
    for day in dates:
        if offset_at(day) == offset_at(day + 24 * hour):
            continue
        for instant in (day + at * hour for at in range(1, 25)):
            local, before, after = (
                instant.astimezone(zone),
                offset_at(instant - hour),
                offset_at(instant),
            )
            if before != after:
                key = (bool(local.dst()), before, after, local.tzname() or name)
                changes.setdefault(key, []).append((instant + before).replace(tzinfo=None))
    if not changes:
        local, offset = start.astimezone(zone), offset_at(start)
        changes[(False, offset, offset, local.tzname() or name)] = [datetime(1970, 1, 1)]
    component = Timezone()
    component.add("tzid", name)
    for (is_daylight, before, after, label), (at, *others) in changes.items():
        part = TimezoneDaylight() if is_daylight else TimezoneStandard()
        part.add("dtstart", at)
        part.add("tzoffsetfrom", before)
        part.add("tzoffsetto", after)
        part.add("tzname", label)
        if others:
            part.add("rdate", others)
        component.add_component(part)
    return component


def _build_time(release: OpenRelease) -> datetime:
    return datetime.fromisoformat(release.manifest.created_at)


def _first_day(release: OpenRelease) -> date:
    return _build_time(release).date()


# ---------------------------------------------------------------- routes


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
    zip: ZipOrCity,
    mode: ModeChoice = None,
    type: TypeChoice = None,
    radius: Radius = DEFAULT_RADIUS,
    limit: Limit = DEFAULT_LIMIT,
) -> Answer:
    """Return the nearest places of a search in one calendar, with the parameters of
    `/api/resources/search`.

    Places without readable hours have no events; `X-WR-CALDESC` names them.
    """
    context, release, now = context_of(scope), release_of(scope), datetime.now(UTC)
    miles = finite("radius", radius) if b"radius=" in scope["query_string"] else None
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
