"""What a confirmed operator's "open today" makes of the opening state: it confirms the hours of
that day.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.support.releases import resource, write_release
from warehouse.index.live_overlay import LiveEntry
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

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
    folder = tmp_path_factory.mktemp("open_today")
    return OpenRelease(ReleaseStore(folder).folder(write_release(folder, rows)))


@pytest.mark.parametrize(
    ("clock", "resource_id", "status"),
    [
        pytest.param("05:51", CURRENT, "closed", id="before its hours"),
        pytest.param("08:30", CURRENT, "opens_soon", id="just before"),
        pytest.param("10:00", CURRENT, "open", id="within"),
        pytest.param("13:00", CURRENT, "closed", id="after"),
        pytest.param("23:30", CURRENT, "closed", id="at night"),
        pytest.param(
            "05:51", OLD, "closed", id="old hours are confirmed for the day, and bound it"
        ),
        pytest.param("10:00", OLD, "open", id="within old hours"),
        pytest.param("23:30", OLD, "closed", id="old hours at night"),
        pytest.param("10:00", OTHER_DAY, "unknown", id="no hours of this day are known"),
        pytest.param("10:00", NONE, "unknown", id="no hours are known"),
        pytest.param("23:30", NONE, "unknown", id="never open at night by a guess"),
    ],
)
def test_open_today_holds_within_the_hours_of_the_day(
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
