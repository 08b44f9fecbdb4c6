"""The hours of a week day by day and as instants: named cases, and against the evaluator itself."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.opening import open_between, open_state, spans_between, spans_by_day
from schemas.hours.schedule import Schedule
from tests.support.cases import labelled

ZONE = "America/New_York"
# A Tuesday; the Thursday after is Thanksgiving Day.
FIRST = date(2026, 11, 24)


def weekly(byday: str, opens: str | None, closes: str | None, **more: object) -> Schedule:
    return Schedule(freq="WEEKLY", byday=byday, opens_at=opens, closes_at=closes, **more)  # type: ignore[arg-type]


def shown(schedules: list[Schedule], days: int = 4) -> list[list[str] | None]:
    """Return spans as "09:00-12:00", with a plus for an end on the next day."""

    def text(start: datetime, end: datetime) -> str:
        return f"{start:%H:%M}-{end:%H:%M}{'+' * (end.date() - start.date()).days}"

    by_day = spans_by_day(schedules, ZONE, FIRST, days)
    return [None if spans is None else [text(*span) for span in spans] for spans in by_day]


@labelled("schedules, expected")
def test_named_weeks(schedules: list[Schedule], expected: list[list[str] | None]) -> None:
    assert shown(schedules) == expected


_codes = st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU", "TU,WE,TH"])
_times = st.integers(0, 95).map(lambda n: f"{n // 4:02d}:{n % 4 * 15:02d}")
_schedules = st.one_of(
    st.builds(weekly, _codes, _times, _times),
    st.builds(weekly, _codes, _times, st.none()),
    st.builds(lambda code: Schedule(freq="WEEKLY", byday=code, is_closed=True), _codes),
)


@given(st.lists(_schedules, max_size=4), st.integers(-400, 400))
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
    st.lists(_schedules | _seasons, max_size=4), st.integers(-400, 400), st.integers(0, 7 * 1440)
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
