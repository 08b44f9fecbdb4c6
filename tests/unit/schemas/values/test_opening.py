"""The evaluator of opening hours, case by case and against a slow minute-by-minute reading."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import holidays
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.opening import LONGEST_ANSWER, next_openings, open_state, weekly_hours_json
from schemas.hours.recurrence import rule_of
from schemas.hours.schedule import Schedule
from schemas.values.us_holidays import federal_holidays, name_observed_holiday
from tests.support.examples import examples

ZONE = "America/New_York"


def weekly(byday: str, opens: str | None, closes: str | None, **more: object) -> Schedule:
    return Schedule(freq="WEEKLY", byday=byday, opens_at=opens, closes_at=closes, **more)  # type: ignore[arg-type]


def monthly(byday: str, opens: str, closes: str, **more: object) -> Schedule:
    return Schedule(freq="MONTHLY", byday=byday, opens_at=opens, closes_at=closes, **more)  # type: ignore[arg-type]


def local(text: str, zone: str = ZONE) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


TUESDAYS = weekly("TU", "10:00", "12:00")
OFFICE = weekly("MO,TU,WE,TH,FR", "09:00", "17:00")
ALWAYS = weekly("MO,TU,WE,TH,FR,SA,SU", "00:00", "24:00")
HOLIDAYS = Schedule(is_closed=True, description="federal holidays")

# name, schedules, local time in New York, status
STATES = [
    ("no schedule", [], "2026-11-17T11:00", "unknown"),
    ("only a closure", [HOLIDAYS], "2026-11-17T11:00", "unknown"),
    ("within the span", [OFFICE], "2026-11-17T11:00", "open"),
    ("first minute", [OFFICE], "2026-11-17T09:00", "open"),
    ("last minute", [TUESDAYS], "2026-11-17T11:59", "closes_soon"),
    ("closing minute is closed", [TUESDAYS], "2026-11-17T12:00", "closed"),
    ("exactly an hour before closing", [TUESDAYS], "2026-11-17T11:00", "closes_soon"),
    ("61 minutes before closing", [TUESDAYS], "2026-11-17T10:59", "open"),
    ("exactly an hour before opening", [TUESDAYS], "2026-11-17T09:00", "opens_soon"),
    ("61 minutes before opening", [TUESDAYS], "2026-11-17T08:59", "closed"),
    ("other day", [TUESDAYS], "2026-11-18T11:00", "closed"),
    ("round the clock", [ALWAYS], "2026-11-17T23:59", "open"),
    ("spans that touch are one", [TUESDAYS, weekly("TU", "12:00", "15:00")], "2026-11-17T11:30", "open"),
    ("past midnight, evening", [weekly("FR", "20:00", "02:00")], "2026-11-20T23:00", "open"),
    ("past midnight, next morning", [weekly("FR", "20:00", "02:00")], "2026-11-21T01:30", "closes_soon"),
    ("past midnight, morning of the day itself", [weekly("FR", "20:00", "02:00")], "2026-11-20T01:30", "closed"),
    ("second Tuesday", [monthly("2TU", "10:00", "12:00")], "2026-11-10T10:30", "open"),
    ("third Tuesday is not the second", [monthly("2TU", "10:00", "12:00")], "2026-11-17T10:30", "closed"),
    ("last Friday", [monthly("-1FR", "10:00", "12:00")], "2026-11-27T10:30", "open"),
    ("last Friday but one", [monthly("-1FR", "10:00", "12:00")], "2026-11-20T10:30", "closed"),
    ("day of the month", [Schedule(freq="MONTHLY", bymonthday="1,15", opens_at="10:00", closes_at="12:00")], "2026-11-15T10:30", "open"),
    ("other day of the month", [Schedule(freq="MONTHLY", bymonthday="1,15", opens_at="10:00", closes_at="12:00")], "2026-11-16T10:30", "closed"),
    ("last day of the month", [Schedule(freq="MONTHLY", bymonthday="-1", opens_at="10:00", closes_at="12:00")], "2026-02-28T10:30", "open"),
    ("every other week, on", [weekly("TU", "10:00", "12:00", interval=2, dtstart="2026-11-03")], "2026-11-17T10:30", "open"),
    ("every other week, off", [weekly("TU", "10:00", "12:00", interval=2, dtstart="2026-11-03")], "2026-11-10T10:30", "closed"),
    ("every other week without start", [weekly("TU", "10:00", "12:00", interval=2)], "2026-11-10T10:30", "unknown"),
    ("every other week without start, other day", [weekly("TU", "10:00", "12:00", interval=2)], "2026-11-11T10:30", "closed"),
    ("every other month", [monthly("2TU", "10:00", "12:00", interval=2, dtstart="2026-09-08")], "2026-11-10T10:30", "open"),
    ("before its first date", [weekly("TU", "10:00", "12:00", dtstart="2026-12-01")], "2026-11-10T10:30", "closed"),
    ("days without times", [weekly("TU", None, None)], "2026-11-17T03:00", "unknown"),
    ("days without times, other day", [weekly("TU", None, None)], "2026-11-18T03:00", "closed"),
    ("opening time only, before", [weekly("TU", "10:00", None)], "2026-11-17T08:00", "closed"),
    ("opening time only, after", [weekly("TU", "10:00", None)], "2026-11-17T10:30", "unknown"),
    ("opening time only, next morning", [weekly("TU", "10:00", None)], "2026-11-18T01:30", "closed"),
    ("times without days, within", [Schedule("10:00", "12:00")], "2026-11-17T10:30", "unknown"),
    ("times without days, after", [Schedule("10:00", "12:00")], "2026-11-17T12:30", "closed"),
    ("times of a season without days", [Schedule("10:00", "12:00", valid_from="11-01", valid_to="12-31", description="days not known")], "2026-11-17T10:30", "unknown"),
    ("times of a season without days, before it", [Schedule("10:00", "12:00", valid_from="11-01", valid_to="12-31", description="days not known")], "2026-10-13T10:30", "closed"),
    ("in some weeks", [weekly("TU", "10:00", "12:00", description="some weeks only")], "2026-11-17T10:30", "unknown"),
    ("in some weeks, other day", [weekly("TU", "10:00", "12:00", description="some weeks only")], "2026-11-18T10:30", "closed"),
    ("for emergencies", [weekly("TU", "10:00", "12:00", description="emergencies only")], "2026-11-17T10:30", "unknown"),
    ("hours vary, in hours", [OFFICE, Schedule(description="hours may vary")], "2026-11-17T11:00", "unknown"),
    ("hours vary, out of hours", [OFFICE, Schedule(description="hours may vary")], "2026-11-17T23:00", "unknown"),
    ("read in part", [OFFICE, Schedule(description="part of the text could not be read")], "2026-11-17T11:00", "unknown"),
    ("some holidays", [OFFICE, Schedule(is_closed=True, description="some holidays")], "2026-10-12T11:00", "unknown"),
    ("some holidays, other day", [OFFICE, Schedule(is_closed=True, description="some holidays")], "2026-11-17T11:00", "open"),
    ("the week of a holiday", [OFFICE, Schedule(is_closed=True, description="the week of Thanksgiving Day")], "2026-11-23T11:00", "closed"),
    ("the week before", [OFFICE, Schedule(is_closed=True, description="the week of Thanksgiving Day")], "2026-11-20T11:00", "open"),
    ("description only", [Schedule(description="by appointment")], "2026-11-17T03:00", "unknown"),
    ("description beside a rule, in hours", [TUESDAYS, Schedule(description="ask")], "2026-11-17T10:30", "open"),
    ("description beside a rule, out of hours", [TUESDAYS, Schedule(description="ask")], "2026-11-17T13:30", "unknown"),
    ("closing is not certain before doubt", [TUESDAYS, Schedule(description="ask")], "2026-11-17T11:30", "open"),
    ("in season", [weekly("TU", "10:00", "12:00", valid_from="2026-06-01", valid_to="2026-08-31")], "2026-06-02T10:30", "open"),
    ("before the season", [weekly("TU", "10:00", "12:00", valid_from="2026-06-01", valid_to="2026-08-31")], "2026-05-26T10:30", "closed"),
    ("yearly season", [weekly("TU", "10:00", "12:00", valid_from="06-01", valid_to="08-31")], "2027-06-01T10:30", "open"),
    ("yearly season over New Year, January", [weekly("TU", "10:00", "12:00", valid_from="11-01", valid_to="03-31")], "2027-01-05T10:30", "open"),
    ("yearly season over New Year, June", [weekly("TU", "10:00", "12:00", valid_from="11-01", valid_to="03-31")], "2027-06-01T10:30", "closed"),
    ("dated slot", [Schedule(opens_at="11:00", closes_at="13:00", valid_from="2026-07-18", valid_to="2026-07-18")], "2026-07-18T11:30", "open"),
    ("dated slot, day after", [Schedule(opens_at="11:00", closes_at="13:00", valid_from="2026-07-18", valid_to="2026-07-18")], "2026-07-19T11:30", "closed"),
    ("all slots are over", [Schedule(opens_at="11:00", closes_at="13:00", valid_from="2025-07-18", valid_to="2025-07-18")], "2026-07-19T11:30", "unknown"),
    ("closed week", [OFFICE, Schedule(is_closed=True, valid_from="2026-11-16", valid_to="2026-11-20")], "2026-11-17T11:00", "closed"),
    ("before the closed week", [OFFICE, Schedule(is_closed=True, valid_from="2026-11-16", valid_to="2026-11-20")], "2026-11-13T11:00", "open"),
    ("closed at noon", [OFFICE, weekly("TU", "12:00", "13:00", is_closed=True)], "2026-11-17T12:30", "opens_soon"),
    ("after the closed noon", [OFFICE, weekly("TU", "12:00", "13:00", is_closed=True)], "2026-11-17T13:30", "open"),
    ("closed every other noon", [OFFICE, weekly("TU", "12:00", "13:00", is_closed=True, interval=2)], "2026-11-17T12:30", "unknown"),
    ("closed in words", [OFFICE, Schedule(is_closed=True, description="school holidays")], "2026-11-17T11:00", "unknown"),
    ("closed in words, out of hours", [OFFICE, Schedule(is_closed=True, description="school holidays")], "2026-11-17T20:00", "closed"),
    ("Thanksgiving, nothing said", [OFFICE], "2026-11-26T11:00", "unknown"),
    ("Thanksgiving, out of hours", [OFFICE], "2026-11-26T20:00", "closed"),
    ("Thanksgiving, closed on holidays", [OFFICE, HOLIDAYS], "2026-11-26T11:00", "closed"),
    ("Thanksgiving, open on holidays", [weekly("TH", "09:00", "17:00", description="open on holidays")], "2026-11-26T11:00", "open"),
    ("Columbus Day, nothing said", [OFFICE], "2026-10-12T11:00", "open"),
    ("Columbus Day, closed on holidays", [OFFICE, HOLIDAYS], "2026-10-12T11:00", "closed"),
    ("Columbus Day, closed on major holidays", [OFFICE, Schedule(is_closed=True, description="major holidays")], "2026-10-12T11:00", "unknown"),
    ("Friday before a Saturday July 4", [OFFICE, HOLIDAYS], "2026-07-03T11:00", "unknown"),
    ("Friday before July 4, nothing said", [OFFICE], "2026-07-03T11:00", "open"),
    ("named holiday", [OFFICE, Schedule(is_closed=True, description="Labor Day, Christmas Day")], "2026-09-07T11:00", "closed"),
    ("holiday not among the named", [OFFICE, Schedule(is_closed=True, description="Labor Day, Christmas Day")], "2026-11-26T11:00", "open"),
    ("slot made for Christmas", [Schedule(opens_at="11:00", closes_at="13:00", valid_from="2026-12-25", valid_to="2026-12-25")], "2026-12-25T11:30", "open"),
    ("office hours open no door", [weekly("TU", "09:00", "17:00", description="office")], "2026-11-17T10:30", "unknown"),
    ("office hours alone close none", [weekly("TU", "09:00", "17:00", description="office")], "2026-11-18T10:30", "unknown"),
    ("office hours beside a pantry's", [TUESDAYS, weekly("MO,WE", "09:00", "17:00", description="office; call first")], "2026-11-18T10:30", "closed"),
    ("pantry beside its office", [TUESDAYS, weekly("TU", "09:00", "17:00", description="office")], "2026-11-17T10:30", "open"),
    ("school year without dates, in hours", [weekly("TU", "09:00", "17:00", description="children; in the school year")], "2026-11-17T10:30", "unknown"),
    ("school year without dates, out of hours", [weekly("TU", "09:00", "17:00", description="in the school year")], "2026-11-17T18:30", "closed"),
    ("a clinic beside a pantry", [TUESDAYS, weekly("MO,WE", "09:00", "17:00", description="other service: clinic")], "2026-11-18T10:30", "closed"),
    ("a name that only begins like office", [weekly("TU", "09:00", "17:00", description="office supplies")], "2026-11-17T10:30", "open"),
    ("unreadable rule", [weekly("XX", "10:00", "12:00")], "2026-11-17T10:30", "unknown"),
    ("time that is no time", [weekly("TU", "10:00", "25:00")], "2026-11-18T10:30", "unknown"),
    ("spring gap: 02:30 is 03:30", [weekly("SU", "02:30", "05:00")], "2026-03-08T03:15", "opens_soon"),
    ("night before a closed holiday ends as usual", [weekly("WE,TH", "20:00", "02:00"), HOLIDAYS], "2026-11-26T00:30", "open"),
    ("night of a closed holiday", [weekly("WE,TH", "20:00", "02:00"), HOLIDAYS], "2026-11-27T00:30", "closed"),
    ("night of a holiday, nothing said", [weekly("WE,TH", "20:00", "02:00")], "2026-11-27T00:30", "unknown"),
    ("autumn overlap: the first 01:30 opens", [weekly("SU", "01:30", "05:00")], "2026-11-01T01:30", "open"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schedules", "when", "status"), [case[1:] for case in STATES], ids=[case[0] for case in STATES]
)
def test_status(schedules: list[Schedule], when: str, status: str) -> None:
    assert open_state(schedules, ZONE, local(when)).status == status


def test_the_state_has_times_of_opening_closing_and_change() -> None:
    state = open_state([TUESDAYS], ZONE, local("2026-11-17T10:30"))
    assert state.closes_at == datetime(2026, 11, 17, 12, tzinfo=ZoneInfo(ZONE))
    assert state.opens_at == datetime(2026, 11, 24, 10, tzinfo=ZoneInfo(ZONE))
    assert state.changes_at == local("2026-11-17T11:00")


def test_the_opening_of_a_monthly_place_is_found_weeks_ahead() -> None:
    state = open_state([monthly("2TU", "10:00", "12:00")], ZONE, local("2026-11-12T10:30"))
    assert state.opens_at == datetime(2026, 12, 8, 10, tzinfo=ZoneInfo(ZONE))


def test_round_the_clock_neither_opens_nor_closes() -> None:
    state = open_state([ALWAYS], ZONE, local("2026-11-13T10:30"))
    assert (state.opens_at, state.closes_at) == (None, None)


@pytest.mark.parametrize(
    "zone", ["America/New_York", "Pacific/Honolulu", "America/Phoenix", "Pacific/Guam"]
)
def test_hours_are_in_the_zone_of_the_place(zone: str) -> None:
    assert open_state([TUESDAYS], zone, local("2026-11-17T10:30", zone)).status == "open"
    assert open_state([TUESDAYS], zone, local("2026-11-17T09:30", zone)).status == "opens_soon"


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        open_state([TUESDAYS], ZONE, datetime(2026, 11, 17))
    with pytest.raises(ValueError, match="time zone"):
        next_openings([TUESDAYS], ZONE, datetime(2026, 11, 17))


def test_next_openings_skip_closed_days_and_stop_at_the_horizon() -> None:
    openings = next_openings(
        [weekly("TH", "09:00", "10:00"), HOLIDAYS], ZONE, local("2026-11-19T09:30"), 2
    )
    assert [start.date() for start, _ in openings] == [date(2026, 12, 3), date(2026, 12, 10)]
    assert next_openings([TUESDAYS], ZONE, local("2026-11-17T13:00"), 3, horizon_days=6) == []


WEEKLY_JSON = [
    (
        "two spans",
        [TUESDAYS, weekly("TU", "13:00", "15:00")],
        {"tuesday": "10:00-12:00,13:00-15:00"},
    ),
    (
        "week order",
        [weekly("MO,SU", "10:00", "12:00")],
        {"monday": "10:00-12:00", "sunday": "10:00-12:00"},
    ),
    ("holidays do not count", [TUESDAYS, HOLIDAYS], {"tuesday": "10:00-12:00"}),
    ("nth weekday", [monthly("2TU", "10:00", "12:00")], None),
    ("partly monthly", [TUESDAYS, monthly("2TH", "10:00", "12:00")], None),
    ("season", [weekly("TU", "10:00", "12:00", valid_from="06-01")], None),
    ("every other week", [weekly("TU", "10:00", "12:00", interval=2, dtstart="2026-11-03")], None),
    ("no times", [weekly("TU", None, None)], None),
    ("description beside", [TUESDAYS, Schedule(description="ask")], None),
    (
        "office hours beside",
        [TUESDAYS, weekly("MO", "09:00", "17:00", description="office")],
        {"tuesday": "10:00-12:00"},
    ),
    ("summer without dates", [weekly("MO", "09:00", "17:00", description="in summer")], None),
    ("office hours alone", [weekly("MO", "09:00", "17:00", description="office")], None),
    ("nothing", [], None),
]


@pytest.mark.parametrize(
    ("schedules", "hours"),
    [case[1:] for case in WEEKLY_JSON],
    ids=[case[0] for case in WEEKLY_JSON],
)
def test_weekly_hours(schedules: list[Schedule], hours: dict[str, str] | None) -> None:
    assert weekly_hours_json(schedules) == hours


# spans over the nights on which clocks change in New York: schedules, instant (UTC), status
CLOCK_CHANGES = [
    ("spring: closes at 03:00, an hour after 01:00", weekly("SA", "22:00", "03:00"), "2026-03-08T06:59", "closes_soon"),
    ("spring: 03:00 comes right after 01:59", weekly("SA", "22:00", "03:00"), "2026-03-08T07:00", "closed"),
    ("spring: a closing time that is skipped is an hour later", weekly("SA", "22:00", "02:30"), "2026-03-08T07:29", "closes_soon"),
    ("spring: and not later than that", weekly("SA", "22:00", "02:30"), "2026-03-08T07:30", "closed"),
    ("autumn: closing at 01:30 means the first", weekly("SA", "22:00", "01:30"), "2026-11-01T05:29", "closes_soon"),
    ("autumn: the second 01:15 is past it", weekly("SA", "22:00", "01:30"), "2026-11-01T06:15", "closed"),
    ("autumn: 02:00 comes after both", weekly("SA", "22:00", "02:00"), "2026-11-01T06:30", "closes_soon"),
    ("autumn: round the clock is 25 hours", weekly("SU", "00:00", "24:00"), "2026-11-02T04:59", "closes_soon"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("schedule", "instant", "status"),
    [case[1:] for case in CLOCK_CHANGES],
    ids=[case[0] for case in CLOCK_CHANGES],
)
def test_nights_on_which_clocks_change(schedule: Schedule, instant: str, status: str) -> None:
    at = datetime.fromisoformat(instant).replace(tzinfo=UTC)
    assert open_state([schedule], ZONE, at).status == status


@pytest.mark.parametrize("year", [2024, 2026, 2027])
@pytest.mark.parametrize("says", [None, "federal holidays", "major holidays"])
def test_every_day_of_a_year_follows_the_holidays_policy(year: int, says: str | None) -> None:
    """Against the `holidays` package: names by date, and the days on which weekend holidays are
    observed.
    """
    package = holidays.country_holidays("US", years=range(year, year + 2), observed=False)
    days = {
        day
        for day, name in holidays.country_holidays("US", years=range(year, year + 2)).items()
        if "observed" in name
    }
    major = {"New Year's Day", "Independence Day", "Thanksgiving Day", "Christmas Day"}
    every_day = weekly("MO,TU,WE,TH,FR,SA,SU", "09:00", "17:00")
    schedules = [every_day] + ([Schedule(is_closed=True, description=says)] if says else [])
    for number in range(366):
        day = date(year, 1, 1) + timedelta(days=number)
        name = package.get(day)
        if says is None:
            expected = "unknown" if name in major else "open"
        elif says == "federal holidays":
            expected = "closed" if name else "unknown" if day in days else "open"
        else:
            is_doubtful = name or day in days
            expected = "closed" if name in major else "unknown" if is_doubtful else "open"
        at = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(ZONE))
        assert open_state(schedules, ZONE, at).status == expected, day


@pytest.mark.parametrize("year", range(2021, 2036))
def test_federal_holidays_agree_with_the_holidays_package(year: int) -> None:
    package = holidays.country_holidays("US", years=year, observed=False)
    assert federal_holidays(year) == dict(package)
    days_observed = {
        day
        for day, name in holidays.country_holidays("US", years=year).items()
        if "observed" in name
    }
    days = [date(year, 1, 1) + timedelta(days=n) for n in range(366)]
    ours = {day for day in days if day.year == year and name_observed_holiday(day)}
    assert ours == {day for day in days_observed if day.year == year}


# --- against the slow reading

ZONES = ["America/New_York", "America/Anchorage", "America/Phoenix", "America/Sao_Paulo"]
_times = st.integers(0, 95).map(lambda n: f"{n // 4:02d}:{n % 4 * 15:02d}")
_codes = st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
_dates = st.dates(date(2026, 10, 20), date(2026, 11, 20)).map(date.isoformat)
_nth = st.builds(lambda n, code: f"{n}{code}", st.sampled_from([1, 2, 3, 4, 5, -1, -2]), _codes)
_schedules = st.one_of(
    st.builds(
        weekly,
        st.lists(_codes, min_size=1, unique=True).map(",".join),
        _times,
        st.one_of(_times, st.just("24:00"), st.none()),
        interval=st.sampled_from([1, 1, 2]),
        dtstart=st.one_of(st.none(), _dates),
        valid_from=st.one_of(st.none(), _dates, st.just("11-05")),
        valid_to=st.one_of(st.none(), _dates, st.just("11-12")),
        is_closed=st.sampled_from([False, False, False, True]),
    ),
    st.builds(monthly, _nth, _times, _times),
    st.builds(
        lambda days, opens, closes: Schedule(
            freq="MONTHLY", bymonthday=days, opens_at=opens, closes_at=closes
        ),
        st.sampled_from(["1", "1,15", "-1", "3,31"]),
        _times,
        _times,
    ),
    st.builds(
        lambda day, opens, closes: Schedule(
            valid_from=day, valid_to=day, opens_at=opens, closes_at=closes
        ),
        _dates,
        _times,
        _times,
    ),
    st.sampled_from(
        [HOLIDAYS, Schedule(description="ask", valid_to="2026-11-03"), weekly("MO", None, None)]
    ),
)


def instant_of_wall(day: date, minutes: int, zone: ZoneInfo) -> datetime:
    """Return the first minute at which clocks show the wall time; an hour later in the gap."""
    wall = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)
    guess = wall.replace(tzinfo=UTC) + timedelta(hours=1)
    for step in range(0, 15 * 60, 15):
        instant = guess + timedelta(minutes=step)
        if instant.astimezone(zone).replace(tzinfo=None) == wall:
            return instant
    return instant_of_wall(day, minutes + 60, zone)


def slow_status(schedules: list[Schedule], zone: ZoneInfo, at: datetime) -> str:
    """Return open, unknown or closed by trying every schedule on the day and the day before."""
    answers = set()
    today = at.astimezone(zone).date()
    lasts = [rule_of(s).last for s in schedules if not s.is_closed]
    if all(isinstance(last, date) and last < today - timedelta(days=1) for last in lasts):
        return "unknown"
    for day in (today, today - timedelta(days=1)):
        closures = [s for s in schedules if s.is_closed and s.freq]
        shut = {True} if day in federal_holidays(day.year) and HOLIDAYS in schedules else set()
        is_observed = HOLIDAYS in schedules and name_observed_holiday(day) is not None
        for schedule in closures:
            if schedule.closes_at is None:
                shut.add(rule_of(schedule).covers(day))
        for schedule in schedules:
            covers = rule_of(schedule).covers(day)
            if schedule.is_closed or covers is False or True in shut:
                continue
            opens = rule_of(schedule).opens or 0
            closes = rule_of(schedule).closes
            end = 1440 if closes is None else closes + (1440 if closes <= opens else 0)
            if not instant_of_wall(day, opens, zone) <= at < instant_of_wall(day, end, zone):
                continue
            sure = bool(covers) and schedule.closes_at is not None and None not in shut
            verdict = "open" if sure and not is_observed else "unknown"
            for pause in closures:
                pause_covers = rule_of(pause).covers(day)
                if pause.closes_at is None or pause_covers is False:
                    continue
                first, last = rule_of(pause).opens or 0, rule_of(pause).closes or 0
                last += 1440 if last <= first else 0
                if instant_of_wall(day, first, zone) <= at < instant_of_wall(day, last, zone):
                    verdict = "closed" if pause_covers else min(verdict, "unknown", key=len)
                    verdict = "unknown" if verdict == "open" else verdict
                    if verdict == "closed":
                        break
            answers.add(verdict)
    return next((word for word in ("open", "unknown") if word in answers), "closed")


_COARSE = {"closes_soon": "open", "opens_soon": "closed"}


@examples(300)
@given(
    st.lists(_schedules, min_size=1, max_size=4).filter(
        lambda found: not all(s.is_closed for s in found)
    ),
    st.sampled_from(ZONES),
    st.sampled_from([datetime(2026, 10, 28, 6, tzinfo=UTC), datetime(2026, 3, 4, 6, tzinfo=UTC)]),
    st.integers(0, 18 * 96),
)
def test_evaluator_agrees_with_the_slow_reading(
    schedules: list[Schedule], name: str, first: datetime, quarter: int
) -> None:
    """In the weeks around both changes of the clocks."""
    zone = ZoneInfo(name)
    at = first + timedelta(minutes=15 * quarter)
    status = open_state(schedules, name, at).status
    assert _COARSE.get(status, status) == slow_status(schedules, zone, at)


@examples(100)
@given(
    st.lists(_schedules, min_size=1, max_size=4),
    st.sampled_from(
        [
            Schedule("09:00", "17:00", "WEEKLY", "MO,TH", description="office"),
            Schedule(
                "08:00", "20:00", "WEEKLY", "TU", description="other service: clinic; call first"
            ),
        ]
    ),
    st.integers(0, 18 * 1440),
)
def test_hours_of_another_service_change_nothing(
    schedules: list[Schedule], beside: Schedule, minute: int
) -> None:
    at = datetime(2026, 10, 28, 6, tzinfo=UTC) + timedelta(minutes=minute)
    assert open_state([*schedules, beside], ZONE, at) == open_state(schedules, ZONE, at)
    assert next_openings([beside, *schedules], ZONE, at) == next_openings(schedules, ZONE, at)
    assert weekly_hours_json([beside, *schedules]) == weekly_hours_json(schedules)


@examples(100)
@given(
    st.lists(_schedules, min_size=1, max_size=4), st.sampled_from(ZONES), st.integers(0, 18 * 1440)
)
def test_nothing_changes_before_changes_at(
    schedules: list[Schedule], name: str, minute: int
) -> None:
    at = datetime(2026, 10, 28, 6, tzinfo=UTC) + timedelta(minutes=minute)
    state = open_state(schedules, name, at)
    assert at < state.changes_at <= at + LONGEST_ANSWER
    later = at
    while later < state.changes_at:
        now = open_state(schedules, name, later)
        assert (now.status, now.opens_at, now.closes_at) == (
            state.status,
            state.opens_at,
            state.closes_at,
        )
        later += timedelta(minutes=7)


@examples(100)
@given(st.lists(_schedules, min_size=1, max_size=4), st.integers(0, 18 * 1440))
def test_next_openings_are_open_and_in_order(schedules: list[Schedule], minute: int) -> None:
    at = datetime(2026, 10, 28, 6, tzinfo=UTC) + timedelta(minutes=minute)
    last = at
    for start, end in next_openings(schedules, ZONE, at):
        assert last <= start < end
        assert open_state(schedules, ZONE, start).status in ("open", "closes_soon")
        assert open_state(schedules, ZONE, end).status not in ("open", "closes_soon")
        last = end
