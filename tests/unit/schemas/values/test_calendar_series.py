"""Calendars show exactly the openings that the evaluator calls certain, for a year and past both
clock changes.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar, Event

from schemas.hours.opening import next_openings
from schemas.hours.schedule import Schedule
from schemas.values.calendar_series import series_of
from tests.support.cases import labelled
from tests.support.examples import examples

Span = tuple[datetime, datetime]
FIRST = date(2026, 10, 20)
YEAR = 366
ZONES = ["America/New_York", "America/Phoenix", "America/Adak", "Pacific/Guam"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def expanded(event: Event, zone: ZoneInfo) -> list[Span]:
    """Return the occurrences of a parsed event (RFC 5545): wall times repeat, the exact duration is
    constant.
    """
    start = event["DTSTART"].dt
    lasting = event["DTEND"].dt.astimezone(UTC) - start.astimezone(UTC)
    walls = [start.replace(tzinfo=None)]
    if "RRULE" in event:
        text = event["RRULE"].to_ical().decode()
        parts = dict(part.split("=") for part in text.split(";"))
        until = datetime.strptime(parts.pop("UNTIL"), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        text = ";".join(f"{name}={value}" for name, value in parts.items())
        rule = rrulestr(text, dtstart=walls[0])
        walls = []
        for wall in rule:
            if wall.replace(tzinfo=zone).astimezone(UTC) > until:
                break
            walls.append(wall)
    skipped = event.get("EXDATE", [])
    skipped = skipped if isinstance(skipped, list) else [skipped]
    not_held = {entry.dt.replace(tzinfo=None) for one in skipped for entry in one.dts}
    assert not_held <= set(walls), "an exception that is no occurrence"
    starts = [w.replace(tzinfo=zone).astimezone(UTC) for w in walls if w not in not_held]
    return [(begin, begin + lasting) for begin in starts]


def in_calendar(schedules: list[Schedule], timezone: str) -> list[Span]:
    """Return the spans of a calendar program: written as iCalendar, read, expanded."""
    calendar = Calendar()
    for series in series_of(schedules, timezone, FIRST, YEAR):
        event = Event()
        event.add("dtstart", series.start)
        event.add("dtend", series.end)
        if series.rule is not None:
            event.add("rrule", series.rule)
        if series.exceptions:
            event.add("exdate", list(series.exceptions))
        calendar.add_component(event)
    calendar.add_missing_timezones(date(2026, 1, 1), date(2028, 1, 1))
    parsed = Calendar.from_ical(calendar.to_ical())
    zone = ZoneInfo(timezone)
    return merged([span for event in parsed.events for span in expanded(event, zone)])


def merged(spans: list[Span]) -> list[Span]:
    joined_spans: list[Span] = []
    for start, end in sorted(spans):
        if joined_spans and start <= joined_spans[-1][1]:
            joined_spans[-1] = (joined_spans[-1][0], max(end, joined_spans[-1][1]))
        else:
            joined_spans.append((start, end))
    return joined_spans


def by_evaluator(schedules: list[Schedule], timezone: str) -> list[Span]:
    zone = ZoneInfo(timezone)
    at = datetime.combine(FIRST, time(), zone)
    spans = next_openings(schedules, timezone, at, 10_000, YEAR + 5)
    return [(start.astimezone(UTC), end.astimezone(UTC)) for start, end in spans]


def both(schedules: list[Schedule], timezone: str) -> tuple[list[Span], list[Span]]:
    """Return the spans of the calendar and of the evaluator within the year, without its first and
    last days, whose spans cross midnight.
    """
    zone = ZoneInfo(timezone)
    low = datetime.combine(FIRST + timedelta(days=2), time(), zone)
    high = datetime.combine(FIRST + timedelta(days=YEAR - 3), time(), zone)
    events = [s for s in in_calendar(schedules, timezone) if low <= s[0] and s[1] <= high]
    certain = [s for s in by_evaluator(schedules, timezone) if low <= s[0] and s[1] <= high]
    return events, certain


@pytest.mark.parametrize("timezone", ZONES)
@labelled("schedules")
def test_a_year_of_openings(schedules: list[Schedule], timezone: str):
    assert series_of(schedules, timezone, FIRST, YEAR), "a case that shows nothing proves nothing"
    events, certain = both(schedules, timezone)
    assert events == certain


@labelled("schedules")
def test_uncertain_hours_are_not_shown(schedules: list[Schedule]):
    assert series_of(schedules, "America/New_York", FIRST, YEAR) == []


def test_a_year_needs_few_events():
    """Holidays are exceptions of one series, not an event for every week."""
    series = series_of(
        [Schedule("10:00", "12:00", "WEEKLY", "MO,TH")], "America/New_York", FIRST, YEAR
    )
    assert len(series) == 1
    assert series[0].rule is not None
    assert series[0].rule["FREQ"] == "WEEKLY"
    assert len(series[0].exceptions) == 1, "Thanksgiving, of which nobody said anything"


def test_keys_stay_the_same_from_one_release_to_the_next():
    schedules = [
        Schedule("09:00", "17:00", "WEEKLY", "TU"),
        Schedule("12:00", "13:00", "WEEKLY", "TU", is_closed=True),
        Schedule("10:00", "12:00", "WEEKLY", "SA", valid_from="11-01", valid_to="03-31"),
    ]
    first, second = (
        {s.key for s in series_of(schedules, "America/New_York", day, YEAR)}
        for day in (FIRST, FIRST + timedelta(days=7))
    )
    assert len(first & second) >= len(first) - 2
    assert len(first) == len(series_of(schedules, "America/New_York", FIRST, YEAR))


times = st.tuples(st.integers(0, 23), st.sampled_from([0, 15, 30])).map(
    lambda t: f"{t[0]:02d}:{t[1]:02d}"
)
days = st.sets(st.sampled_from(WEEKDAYS), min_size=1, max_size=3).map(
    lambda found: ",".join(d for d in WEEKDAYS if d in found)
)
nth_days = st.sets(
    st.tuples(st.sampled_from([1, 2, 3, 4, 5, -1, -2]), st.sampled_from(WEEKDAYS)),
    min_size=1,
    max_size=3,
).map(lambda found: ",".join(f"{n}{d}" for n, d in sorted(found)))
seasons = st.sampled_from(
    [
        {},
        {"valid_from": "11-01", "valid_to": "03-31"},
        {"valid_from": "04-01", "valid_to": "10-15"},
        {"valid_from": "2026-11-10"},
        {"valid_to": "2027-06-30"},
    ]
)
intervals = st.sampled_from(
    [{}, {}, {"interval": 2, "dtstart": "2026-10-12"}, {"interval": 3, "dtstart": "2026-11-04"}]
)


@st.composite
def rules(draw: st.DrawFn) -> Schedule:
    freq = draw(st.sampled_from(["WEEKLY", "MONTHLY"]))
    byday = draw(days if freq == "WEEKLY" else nth_days)
    return Schedule(draw(times), draw(times), freq, byday, **draw(seasons), **draw(intervals))


closures = st.sampled_from(
    [
        Schedule(description="federal holidays", is_closed=True),
        Schedule(description="major holidays", is_closed=True),
        Schedule(valid_from="2026-12-20", valid_to="2027-01-08", is_closed=True),
        Schedule("12:00", "13:00", "WEEKLY", "MO,FR", is_closed=True),
        Schedule(freq="MONTHLY", byday="1MO,-1FR", is_closed=True),
    ]
)


@examples(120)
@given(
    st.lists(rules(), min_size=1, max_size=3),
    st.lists(closures, max_size=2),
    st.sampled_from(ZONES),
)
def test_any_timetable(opens, shut, timezone):
    events, certain = both([*opens, *shut], timezone)
    assert events == certain
