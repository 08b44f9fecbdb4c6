"""A message names the three nearest places with any knowledge of their hours."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from serving.search.start import start_of_zip
from serving.sms.replies import free_food
from tests.support.releases import open_release
from tests.support.street import place, weekly
from tests.support.town import zips
from warehouse.index.reader import OpenRelease

# A Tuesday, 10:30 in New York.
NOW = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
_OPEN, _LATER = (weekly("09:00", "17:00", day) for day in ("TU", "MO"))


@pytest.fixture
def street(tmp_path: Path) -> OpenRelease:
    rows = [
        place(1, 4, name="Open", schedules_json=_OPEN),
        place(2, 1, name="Without hours and telephone"),
        place(3, 2, name="Opens another day", schedules_json=_LATER),
        place(4, 5, name="Open and far", schedules_json=_OPEN),
        place(5, 6, name="Open and farther", schedules_json=_OPEN),
        place(6, 0.5, name="Shelter", is_confidential=True, location_precision="city"),
    ]
    return open_release(tmp_path, rows, zips=zips())


def test_the_three_nearest_are_named(street: OpenRelease) -> None:
    reply = free_food(street, start_of_zip(street, "10002"), NOW)
    places = [(place.name, place.is_open) for place in reply.places]
    assert places == [
        ("Open", True),
        ("Without hours and telephone", False),
        ("Opens another day", False),
    ]
