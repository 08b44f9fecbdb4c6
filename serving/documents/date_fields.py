"""The dates of programs and of giving, in order, each the next one from today: for the calendar and
its iCalendar file.
"""

from __future__ import annotations

import calendar
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from babel.dates import format_date

from serving.documents.render_context import RenderContext
from serving.reference.policy import upcoming
from serving.render.formats import day as in_words

if TYPE_CHECKING:
    from icalendar import Event

Topic = Literal["snap", "wic", "school", "summer", "giving", "limits"]
_NAMES = uuid.uuid5(uuid.NAMESPACE_URL, "open-larder/program-dates")


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Date in content/program_dates.yaml."""

    id: str
    fact: str
    topic: Topic
    en: str
    es: str
    act_en: str
    act_es: str


_ROWS = msgspec.yaml.decode(
    (resources.files("content") / "program_dates.yaml").read_bytes(), type=list[_Row]
)


@dataclass(frozen=True)
class _Span:
    """The days from `start` to `end`, both included. `precision`: whether days or only months are
    known.
    """

    start: date
    end: date
    precision: Literal["day", "month"]
    repeats: bool


def program_dates(context: RenderContext) -> list[dict[str, Any]]:
    """Return the next occurrence of each date, the nearest first. `in_short` has markup."""
    rows = [(span, row, context.facts.find(row.fact).fact) for row, span in _coming(context)]
    return [
        {
            "id": row.id,
            "topic": row.topic,
            "title": context.say(row.en, row.es),
            "what_to_do": context.say(row.act_en, row.act_es),
            "starts_on": span.start.isoformat(),
            "ends_on": span.end.isoformat(),
            "precision": span.precision,
            "when": _when(context, span),
            "in_short": _in_short(_when(context, span), context.say(row.act_en, row.act_es)),
            "is_now": span.start <= context.day <= span.end,
            "is_yearly": span.repeats,
            "source": fact.source_title,
            "source_url": fact.source_url,
            "as_of": fact.as_of.isoformat(),
        }
        for span, row, fact in sorted(rows, key=lambda pair: (pair[0].start, pair[1].id))
    ]


def dates_calendar(context: RenderContext) -> bytes:
    """Return the dates as an iCalendar file (RFC 5545), whole days. Subscribers get next year's
    dates in time."""
    # Calendars alone need it, and a start does without.
    from icalendar import Calendar, Event  # noqa: PLC0415

    name = context.say("Food programs: dates", "Programas de alimentos: fechas")
    ics = Calendar()
    ics.add(
        "prodid", f"-//{context.organization.common_name}//Open Larder//{context.language.upper()}"
    )
    ics.add("version", "2.0")
    ics.add("calscale", "GREGORIAN")
    ics.add("method", "PUBLISH")
    ics.add("x-wr-calname", name)
    ics.add("refresh-interval", timedelta(days=1), parameters={"VALUE": "DURATION"})
    ics.add("x-published-ttl", "P1D")
    for entry in program_dates(context):
        ics.add_component(_describe(context, entry, Event()))
    body: bytes = ics.to_ical()
    return body


def _describe(context: RenderContext, entry: dict[str, Any], event: Event) -> Event:
    """Add a date to an empty event, and return it."""
    about = [entry["what_to_do"], f"{context.say('Source', 'Fuente')}: {entry['source']}"]
    if entry["precision"] == "month":
        about.insert(
            0,
            context.say(
                "The day is not known, only the month.", "No se conoce el día, solo el mes."
            ),
        )
    event.add("uid", str(uuid.uuid5(_NAMES, f"{entry['id']}|{entry['starts_on']}")))
    event.add("dtstamp", datetime.combine(date.fromisoformat(entry["as_of"]), time(0), UTC))
    event.add("dtstart", date.fromisoformat(entry["starts_on"]))
    event.add("dtend", date.fromisoformat(entry["ends_on"]) + timedelta(days=1))
    event.add("summary", entry["title"])
    event.add("description", "\n".join(about))
    event.add("url", context.url("/calendar"))
    event.add("transp", "TRANSPARENT")
    return event


def _coming(context: RenderContext) -> Iterator[tuple[_Row, _Span]]:
    for row in _ROWS:
        if row.fact not in context.facts:
            continue
        span = _next(context.facts.fact(row.fact), context.day)
        if span is not None:
            yield row, span


def _next(value: Any, on: date) -> _Span | None:
    """Return the next occurrence, `on` included; None if there is no more."""
    if isinstance(value, date):
        return _Span(value, value, "day", False) if value >= on else None
    if isinstance(value, dict):
        start, end = (value["from"], value["to"]) if "from" in value else (value["date"],) * 2
        repeats = value.get("repeats")
        last = upcoming({"date": end, "repeats": repeats}, on)
        if last is None:
            return None
        first = start.replace(year=last.year - (end.year - start.year))
        return _Span(first, last, "day", repeats == "yearly")
    return _months([value] if isinstance(value, int) else list(value), on)


def _months(months: list[int], on: date) -> _Span:
    """Return the months of this year, or of the next when the last of them is over. Beyond 12
    they start over."""
    first, last = (1 + (month - 1) % 12 for month in (months[0], months[-1]))
    year = on.year if on.month <= last else on.year + 1
    end = date(year, last, calendar.monthrange(year, last)[1])
    return _Span(date(year - (first > last), first, 1), end, "month", True)


def _when(context: RenderContext, span: _Span) -> str:
    if span.precision == "month":
        locale, pattern = (
            ("en_US", "MMMM y") if context.language == "en" else ("es_US", "MMMM 'de' y")
        )
        ends = [str(format_date(d, format=pattern, locale=locale)) for d in (span.start, span.end)]
    else:
        ends = [in_words(d, context.language) for d in (span.start, span.end)]
    return ends[0] if ends[0] == ends[1] else context.say("{} to {}", "{} a {}").format(*ends)


def _in_short(when: str, what_to_do: str) -> str:
    """Format a date; in Spanish, months begin with a small letter and sentences do not."""
    return f"**{when[0].upper()}{when[1:]}.** {what_to_do}"
