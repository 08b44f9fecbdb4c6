"""A message names the three nearest places, whatever is known of their hours."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from serving.search.start import start_of_zip
from serving.sms.places import free_food
from tests.support.releases import resource, write_release
from tests.support.town import NEW_YORK, zips
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

# A Tuesday, 10:30 in New York.
NOW = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
_OPEN = '[{"freq":"WEEKLY","byday":"TU","opens_at":"09:00","closes_at":"17:00"}]'
_LATER = '[{"freq":"WEEKLY","byday":"MO","opens_at":"09:00","closes_at":"17:00"}]'


def _place(resource_id: int, miles: float, **values):
    at = {"lat": NEW_YORK[0] + miles / 69.05, "lng": NEW_YORK[1]}
    return resource(resource_id, source_updated_date=date(2026, 11, 1), **at, **values)


@pytest.fixture
def street(tmp_path: Path) -> OpenRelease:
    rows = [
        _place(1, 4, name="Open", schedules_json=_OPEN),
        _place(2, 1, name="Without hours and telephone"),
        _place(3, 2, name="Opens another day", schedules_json=_LATER),
        _place(4, 5, name="Open and far", schedules_json=_OPEN),
        _place(5, 6, name="Open and farther", schedules_json=_OPEN),
        _place(6, 0.5, name="Shelter", is_confidential=True, location_precision="city"),
    ]
    write_release(tmp_path, rows, zips=zips())
    store = ReleaseStore(tmp_path)
    current = store.current()
    assert current is not None
    return OpenRelease(store.folder(current))


def test_the_three_nearest_are_named(street: OpenRelease) -> None:
    found = free_food(street, start_of_zip(street, "10002"), NOW)
    named = [(place.name, place.is_open) for place in found.places]
    assert named == [
        ("Open", True),
        ("Without hours and telephone", False),
        ("Opens another day", False),
    ]
