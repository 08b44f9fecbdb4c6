"""Whether a place is open within a window: named cases, and against every minute of the window."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.hours.opening import open_between, open_state
from schemas.hours.schedule import Schedule
from tests.support.examples import examples

ZONE = "America/New_York"


def weekly(byday: str, opens: str | None, closes: str | None, **more: object) -> Schedule:
    return Schedule(freq="WEEKLY", byday=byday, opens_at=opens, closes_at=closes, **more)  # type: ignore[arg-type]


def local(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC)


TUESDAYS = weekly("TU", "10:00", "12:00")
_codes = st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
_times = st.integers(0, 95).map(lambda n: f"{n // 4:02d}:{n % 4 * 15:02d}")
_schedules = st.one_of(
    st.builds(weekly, _codes, _times, _times),
    st.builds(weekly, _codes, _times, st.none()),
    st.builds(
        lambda nth, code, start, end: Schedule(
            freq="MONTHLY", byday=f"{nth}{code}", opens_at=start, closes_at=end
        ),
        st.sampled_from([1, 2, -1]),
        _codes,
        _times,
        _times,
    ),
    st.builds(lambda code: weekly(code, None, None, is_closed=True), _codes),
)

BETWEEN = {
    "before it opens": ("2026-11-24T08:00", "2026-11-24T10:00", False),
    "until it has opened": ("2026-11-24T08:00", "2026-11-24T10:01", True),
    "within": ("2026-11-24T11:00", "2026-11-24T11:30", True),
    "from its closing": ("2026-11-24T12:00", "2026-11-25T00:00", False),
    "past midnight": ("2026-11-23T22:00", "2026-11-24T11:00", True),
    "another day": ("2026-11-25T00:00", "2026-11-26T00:00", False),
}


@pytest.mark.parametrize(("start", "end", "expected"), BETWEEN.values(), ids=BETWEEN)
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
@given(st.lists(_schedules, min_size=1, max_size=4), st.integers(0, 18 * 1440), st.integers(1, 600))
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
