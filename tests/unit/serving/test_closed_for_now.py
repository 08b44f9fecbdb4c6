"""A place that is closed for now says so first, and no search for free food finds it."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from schemas.values.coordinates import ecef_point, miles_to_chord
from serving.places.view import PlaceView, place_view
from tests.support.releases import open_release, resource
from warehouse.index.points import MODE_TYPES
from warehouse.index.reader import OpenRelease

NOW = datetime(2026, 11, 28, 16, tzinfo=UTC)
WEEKDAYS = '[{"freq":"WEEKLY","byday":"SA","opens_at":"00:00","closes_at":"24:00"}]'
HERE = {"lat": 40.7, "lng": -74.0, "source_updated_date": date(2026, 11, 3)}
PLACES: dict[str, dict[str, Any]] = {
    "open": {"schedules_json": WEEKDAYS},
    "closed": {"closure": "closed"},
    "reopening": {"closure": "closed", "closure_until_date": date(2026, 12, 5)},
    "reopened": {"closure": "closed", "closure_until_date": date(2026, 11, 27)},
    "summer": {
        "resource_type": "summer_meal",
        "closure": "season",
        "closure_until_date": date(2027, 4, 30),
    },
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> OpenRelease:
    folder = tmp_path_factory.mktemp("closed")
    ids = (2**52 + n for n in range(len(PLACES)))
    rows = [resource(n, name=k, **HERE, **v) for n, (k, v) in zip(ids, PLACES.items(), strict=True)]
    return open_release(folder, rows)


def found(release: OpenRelease, mode: str) -> set[str]:
    selection = release.spatial.select(MODE_TYPES[mode])
    inside = selection.within(ecef_point(HERE["lat"], HERE["lng"]), miles_to_chord(1.0))
    return {list(PLACES)[row] for _, row in inside.hits()}


def view(release: OpenRelease, name: str, language: Any = "en") -> PlaceView:
    return place_view(release, list(PLACES).index(name), NOW, language)


def test_free_food_that_is_closed_is_not_found(release: OpenRelease) -> None:
    assert found(release, "free") == {"open"}
    assert found(release, "summer") == {"summer"}


@pytest.mark.parametrize(
    ("name", "status", "en", "es"),
    [
        ("open", "open", None, None),
        ("closed", "closed", "Closed until further notice", "Cerrado hasta nuevo aviso"),
        ("reopening", "closed", "Closed until December 5, 2026", "Cerrado hasta el 5 de diciembre"),
        ("reopened", "unknown", None, None),
        ("summer", "closed", "closed until May 1, 2027 or later.", "cerrado al menos hasta el 1.º"),
    ],
)
def test_says_so_before_everything_else(
    release: OpenRelease, name: str, status: str, en: str | None, es: str | None
) -> None:
    row = list(PLACES).index(name)
    assert release.hours_status(row, NOW) == view(release, name).status == status
    for language, words in (("en", en), ("es", es)):
        closure = view(release, name, language).closure
        assert (closure is None) == (words is None)
        if closure and words:
            assert words in closure
            assert view(release, name, language).notes[0] == closure


def test_a_restaurant_states_its_rule_and_the_age_of_its_list(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("restaurant")
    row = resource(2**52, resource_type="rmp_restaurant", source_updated_date=date(2015, 8, 1))
    release = open_release(folder, [row])
    rule, sold, age = place_view(release, 0, NOW, "en").notes
    assert "60 or older" in rule
    assert "only in states that take part" in rule
    assert sold.startswith("Food is sold here")
    assert "August 2015" in age
    assert age.endswith("Ask whether the restaurant still takes part.")
