"""The next date of each kind of a program, and their calendar file."""

from datetime import date
from typing import Any

import pytest
from icalendar import Calendar

from serving.documents.date_fields import _ROWS, _next, dates_calendar, program_dates
from serving.documents.render_context import RenderContext
from serving.documents.renderer import library
from serving.reference.policy import FactsOn
from serving.render.words import Language
from serving.settings import Settings
from tests.support.clients import Client

YEARLY = {"date": date(2026, 10, 1), "repeats": "yearly"}
SUMMER = {"from": date(2027, 6, 1), "to": date(2027, 8, 31), "repeats": "yearly"}
NEXT: dict[str, tuple[Any, str, tuple[str, str] | None]] = {
    "a yearly day, before it": (YEARLY, "2026-09-30", ("2026-10-01", "2026-10-01")),
    "a yearly day, on it": (YEARLY, "2026-10-01", ("2026-10-01", "2026-10-01")),
    "a yearly day, after it": (YEARLY, "2026-10-02", ("2027-10-01", "2027-10-01")),
    "a day that comes once": (date(2027, 10, 1), "2026-11-22", ("2027-10-01", "2027-10-01")),
    "a day that came once": (date(2027, 10, 1), "2027-10-02", None),
    "a span that is going on": (SUMMER, "2028-07-04", ("2028-06-01", "2028-08-31")),
    "a span, the day after": (SUMMER, "2028-09-01", ("2029-06-01", "2029-08-31")),
    "a month to come": (8, "2026-02-01", ("2026-08-01", "2026-08-31")),
    "a month, its last day": (2, "2028-02-29", ("2028-02-01", "2028-02-29")),
    "a month that is over": (8, "2026-09-01", ("2027-08-01", "2027-08-31")),
    "months in a row": ([6, 7, 8], "2026-11-22", ("2027-06-01", "2027-08-31")),
    "months over the turn of the year": ([12, 1], "2026-11-22", ("2026-12-01", "2027-01-31")),
    "months over the turn of the year, in January": (
        [12, 1],
        "2027-01-05",
        ("2026-12-01", "2027-01-31"),
    ),
}


@pytest.mark.parametrize(("value", "on", "expected"), NEXT.values(), ids=NEXT)
def test_the_next_time_of_a_date(value: Any, on: str, expected: tuple[str, str] | None) -> None:
    span = _next(value, date.fromisoformat(on))
    assert (span and (span.start.isoformat(), span.end.isoformat())) == expected


def _context(on: date, language: Language = "en") -> RenderContext:
    return RenderContext(library(), library().rows["calendar"], language, Settings(), None, on)


@pytest.mark.parametrize("on", [date(2026, 11, 22), date(2027, 7, 3), date(2027, 12, 31)], ids=str)
def test_every_date_is_ahead_or_going_on_and_the_nearest_is_first(on: date) -> None:
    dates = program_dates(_context(on))
    assert all(entry["ends_on"] >= on.isoformat() for entry in dates)
    assert [e["starts_on"] for e in dates] == sorted(e["starts_on"] for e in dates)
    assert {e["id"] for e in dates if e["is_now"]} == {
        e["id"] for e in dates if e["starts_on"] <= on.isoformat()
    }


def test_every_row_names_a_fact() -> None:
    facts = FactsOn(date(2026, 11, 22))
    assert [row.fact for row in _ROWS if row.fact not in facts] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_calendar_file_has_the_same_days(language: Language) -> None:
    context = _context(date(2026, 11, 22), language)
    entries = program_dates(context)
    events = Calendar.from_ical(dates_calendar(context)).walk("VEVENT")
    assert [str(e["summary"]) for e in events] == [e["title"] for e in entries]
    assert [e["dtstart"].dt.isoformat() for e in events] == [e["starts_on"] for e in entries]
    assert all(e["dtend"].dt > e["dtstart"].dt for e in events)
    assert len({str(e["uid"]) for e in events}) == len(events)


def test_both_files_are_answered(client: Client) -> None:
    english, spanish = client.get("/calendar.ics"), client.get("/es/calendar.ics")
    for answer in (english, spanish):
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        assert answer.headers["cache-control"] == "public, max-age=3600"
    assert english.headers["content-language"] == "en"
    assert spanish.headers["content-language"] == "es"
    body = [e["title"] for e in client.get("/api/v1/calendar-es.json").json()["program_dates"]]
    assert [str(e["summary"]) for e in Calendar.from_ical(spanish.text).walk("VEVENT")] == body
