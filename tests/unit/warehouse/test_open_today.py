"""What a confirmed operator's "open today" makes of the opening state: it confirms the hours of
that day.
"""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.support.cases import cases
from tests.support.releases import open_release, resource
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease

TUESDAYS = '[{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"12:00"}]'
FRIDAYS = TUESDAYS.replace("TU", "FR")
LATELY, LONG_AGO = date(2026, 11, 20), date(2020, 1, 1)
CURRENT, OLD, OTHER_DAY, NONE = 1, 2, 3, 4


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> OpenRelease:
    rows = [
        resource(CURRENT, schedules_json=TUESDAYS, source_updated_date=LATELY),
        resource(OLD, schedules_json=TUESDAYS, source_updated_date=LONG_AGO),
        resource(OTHER_DAY, schedules_json=FRIDAYS, source_updated_date=LATELY),
        resource(NONE),
    ]
    return open_release(tmp_path_factory.mktemp("open_today"), rows)


@cases(
    "clock, resource_id, status",
    {
        "before its hours": ("05:51", CURRENT, "closed"),
        "just before": ("08:30", CURRENT, "opens_soon"),
        "within": ("10:00", CURRENT, "open"),
        "after": ("13:00", CURRENT, "closed"),
        "at night": ("23:30", CURRENT, "closed"),
        "old hours are confirmed for the day, and bound it": ("05:51", OLD, "closed"),
        "within old hours": ("10:00", OLD, "open"),
        "old hours at night": ("23:30", OLD, "closed"),
        "no hours of this day are known": ("10:00", OTHER_DAY, "unknown"),
        "no hours are known": ("10:00", NONE, "unknown"),
        "never open at night by a guess": ("23:30", NONE, "unknown"),
    },
)
def test_open_today_ends_with_the_hours_of_the_day(
    release: OpenRelease, clock: str, resource_id: int, status: str
) -> None:
    # A Tuesday in New York, five hours behind UTC.
    now = datetime.fromisoformat(f"2026-11-24T{clock}:00-05:00").astimezone(UTC)
    reported = datetime(2026, 11, 24, 10, 0, tzinfo=UTC)
    entry = LiveEntry("open_today", True, reported, reported + timedelta(hours=24), "{}")
    release.live.put(resource_id, entry)
    row = release.row_of(resource_id)
    assert row is not None
    assert release.moment(row, now).hours_status == status
    state = release.reported_state(row, now)
    assert state is not None
    assert state.status == status
