"""The evaluator of opening hours, case by case and against a slow minute-by-minute reading."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import holidays
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.opening import (
    LONGEST_ANSWER,
    next_openings,
    open_between,
    open_state,
    spans_between,
    spans_by_day,
    weekly_hours_json,
)
from schemas.hours.recurrence import rule_of
from schemas.hours.schedule import Schedule
from schemas.values.us_holidays import federal_holidays, name_observed_holiday
from tests.support.cases import labelled
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


@labelled("schedules, when, status")
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


@labelled("schedules, hours")
def test_weekly_hours(schedules: list[Schedule], hours: dict[str, str] | None) -> None:
    assert weekly_hours_json(schedules) == hours


@labelled("schedule, instant, status")
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


# --- windows and days

_plain_schedules = st.one_of(
    st.builds(weekly, _codes | st.just("TU,WE,TH"), _times, _times),
    st.builds(weekly, _codes, _times, st.none()),
    st.builds(monthly, _nth, _times, _times),
    st.builds(lambda code: weekly(code, None, None, is_closed=True), _codes),
)


@labelled("start, end, expected")
def test_open_between(start: str, end: str, expected: bool) -> None:
    assert open_between([TUESDAYS], ZONE, local(start), local(end)) is expected


def test_open_between_is_unknown_for_uncertain_hours() -> None:
    day = local("2026-11-24T00:00"), local("2026-11-25T00:00")
    assert open_between([weekly("TU", None, None)], ZONE, *day) is None
    ended_slot = weekly("TU", "10:00", "12:00", valid_to=date(2026, 10, 1).isoformat())
    assert open_between([ended_slot], ZONE, *day) is None
    assert open_between([], ZONE, *day) is None
    with pytest.raises(ValueError, match="time zone"):
        open_between([TUESDAYS], ZONE, datetime(2026, 11, 24), day[1])


@pytest.mark.slow
@examples(100)
@given(
    st.lists(_plain_schedules, min_size=1, max_size=4),
    st.integers(0, 18 * 1440),
    st.integers(1, 600),
)
def test_open_between_agrees_with_every_minute(
    schedules: list[Schedule], minute: int, minutes: int
) -> None:
    start = datetime(2026, 10, 28, 6, tzinfo=UTC) + timedelta(minutes=minute)
    moments = (start + timedelta(minutes=m) for m in range(0, minutes, 1))
    statuses = {open_state(schedules, ZONE, at).status for at in moments}
    status = open_between(schedules, ZONE, start, start + timedelta(minutes=minutes))
    assert (status is True) == bool(statuses & {"open", "closes_soon"})
    if status is False:
        assert "unknown" not in statuses
    if status is None:
        assert "unknown" in statuses


# A Tuesday; the Thursday after is Thanksgiving Day.
FIRST = date(2026, 11, 24)


def shown(schedules: list[Schedule], days: int = 4) -> list[list[str] | None]:
    """Return spans as "09:00-12:00", with a plus for an end on the next day."""

    def text(start: datetime, end: datetime) -> str:
        return f"{start:%H:%M}-{end:%H:%M}{'+' * (end.date() - start.date()).days}"

    by_day = spans_by_day(schedules, ZONE, FIRST, days)
    return [None if spans is None else [text(*span) for span in spans] for spans in by_day]


@labelled("schedules, expected")
def test_named_weeks(schedules: list[Schedule], expected: list[list[str] | None]) -> None:
    assert shown(schedules) == expected


@given(st.lists(_plain_schedules, max_size=4), st.integers(-400, 400))
def test_a_day_has_spans_exactly_if_it_is_open(schedules: list[Schedule], offset: int) -> None:
    first, zone = FIRST + timedelta(days=offset), ZoneInfo(ZONE)
    for n, spans in enumerate(spans_by_day(schedules, ZONE, first, 7)):
        day = first + timedelta(days=n)
        start, end = (
            datetime.combine(day + timedelta(days=k), time(), zone).astimezone(UTC) for k in (0, 1)
        )
        is_open = open_between(schedules, ZONE, start, end)
        assert (None if spans is None else bool(spans)) == is_open


_seasons = st.builds(
    lambda code, opens, closes, days: weekly(
        code, opens, closes, valid_to=(FIRST + timedelta(days=days)).isoformat()
    ),
    _codes,
    _times,
    _times,
    st.integers(-5, 12),
)


@given(
    st.lists(_plain_schedules | _seasons, max_size=4),
    st.integers(-400, 400),
    st.integers(0, 7 * 1440),
)
def test_spans_agree_with_the_evaluator(
    schedules: list[Schedule], offset: int, minutes: int
) -> None:
    start = datetime.combine(FIRST + timedelta(days=offset), time(7, 13), UTC)
    end, at = start + timedelta(days=7, minutes=1), start + timedelta(minutes=minutes)
    here = [sure for (b, e), sure in spans_between(schedules, ZONE, start, end) if b <= at < e]
    status = "closed" if not here else "open" if here[0] else "unknown"
    state = open_state(schedules, ZONE, at).status
    assert status == {"closes_soon": "open", "opens_soon": "closed"}.get(state, state)
