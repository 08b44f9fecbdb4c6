"""Search, nearby and counts over HTTP."""

from datetime import UTC, datetime

import msgspec
import pytest

from schemas.api.lists import ModeCounts, ResourceList
from tests.support.town import ADAK, GUAM, TODAY


def listed(client, path):
    """Return the answer, decoded strictly: an unknown or missing member is an error."""
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    results = msgspec.json.decode(answer.content, type=ResourceList)
    assert results.count == len(results.resources)
    assert answer.headers["x-synthetic"] == "true"
    assert results.is_synthetic
    return results


SEARCHES = {
    "a mode": ("/api/resources/search?zip=10002&mode=wic", [104]),
    "free food, in order of distance": (
        "/api/resources/search?zip=10002&mode=free&limit=4",
        [101, 102, 108, 300],
    ),
    "ZIP+4": ("/api/resources/search?zip=10002-1234&mode=wic", [104]),
    "city and state": ("/api/resources/search?zip=New York, NY&mode=wic", [104]),
    "city and state name, other case": (
        "/api/resources/search?zip=new york, New York&mode=wic",
        [104],
    ),
    "city and state without a comma": ("/api/resources/search?zip=New York NY&mode=wic", [104]),
    "city, state and ZIP": ("/api/resources/search?zip=Salem, OR 10002&mode=wic", [104]),
    "city alone": ("/api/resources/search?zip=hagatna&mode=free", [202]),
    "city with accents": ("/api/resources/search?zip=Hagåtña, GU", [202]),
    "one type": ("/api/resources/search?zip=10002&type=diaper_bank", [109]),
    "types of several modes": (
        "/api/resources/search?zip=10002&type=wic_office,snap_retailer",
        [103, 104],
    ),
    "mode and type": ("/api/resources/search?zip=10002&mode=free&type=food_bank,wic_office", [108]),
    "free food is never a store": ("/api/resources/search?zip=10002&mode=snap", [103]),
    "near a point": (f"/api/resources/nearby?lat={ADAK[0]}&lng={ADAK[1]}", [201]),
    "near a point beyond the antimeridian": (
        f"/api/resources/nearby?lat={ADAK[0]}&lng=179.9&radius=200",
        [201],
    ),
    "on the spot": (f"/api/resources/nearby?lat={GUAM[0]}&lng={GUAM[1]}&radius=0", [202]),
    "second page": ("/api/resources/search?zip=10002&mode=free&limit=2&page=2", [108, 300]),
    "page past the end": ("/api/resources/search?zip=10002&mode=wic&page=9", []),
    "a heap at one point, by id": (
        "/api/resources/search?zip=10003&limit=3&radius=0.1",
        [300, 301, 302],
    ),
    "unknown parameters are ignored": (
        "/api/resources/nearby?lat=13.44&lng=144.79&per_page=50&x=1",
        [202],
    ),
}


@pytest.mark.parametrize(("path", "ids"), SEARCHES.values(), ids=SEARCHES)
def test_finds(client, path, ids):
    assert [place.id for place in listed(client, path).resources] == ids


# Path, expanded, radius used, places found, words of the message.
EXPANSIONS = {
    "something within the radius": ("/api/resources/search?zip=10002&mode=free&radius=10", False, 10, 3, None),
    "nothing within 50 miles": ("/api/resources/search?zip=82401", True, 100, 1, "widened to 100 miles"),
    "nothing within a small radius, something within 50": ("/api/resources/search?zip=10002&mode=wic&radius=1", False, 1, 0, "the nearest is 3 miles away"),
    "without a radius, nothing within 25 miles": ("/api/resources/search?zip=12346&mode=wic", True, 50, 1, "Nothing within 25 miles"),
    "nothing within a large radius": ("/api/resources/search?zip=82401&radius=80", True, 100, 1, "Nothing within 80 miles"),
    "nothing anywhere": ("/api/resources/search?zip=99546&mode=wic", True, 500, 0, "Nothing within 500 miles"),
    "nearby is never widened": ("/api/resources/nearby?lat=44&lng=-107.5", False, 25, 0, "the nearest is 90 miles away"),
    "no type in common": ("/api/resources/search?zip=10002&mode=free&type=wic_office", True, 500, 0, "None of the requested types belongs"),
    "PO box ZIP": ("/api/resources/search?zip=10008&mode=wic", False, 25, 1, "post office boxes"),
    "ZIP of one organization": ("/api/resources/search?zip=12345", True, 150, 129, "belongs to one organization"),
    "ZIP of uncertain place": ("/api/resources/search?zip=82401", True, 100, 1, "distances are rough"),
    "city of several states": ("/api/resources/search?zip=Salem", True, 500, 0, "Others: Salem, MA"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "expanded", "radius", "total", "words"), EXPANSIONS.values(), ids=EXPANSIONS
)
def test_a_search_describes_itself(client, path, expanded, radius, total, words):
    results = listed(client, path)
    assert (results.expanded, results.search_radius_mi, results.total_available) == (
        expanded,
        radius,
        total,
    )
    assert results.message is None if words is None else words in (results.message or "")


def test_a_place_has_distance_and_opening_state(client):
    results = listed(client, "/api/resources/search?zip=10002&mode=free&limit=4")
    east, kitchen, bank, heap = results.resources
    # Of the town, which may have been written before midnight.
    days = (datetime.now(UTC).date() - TODAY).days + 20
    assert (east.hours_status, east.days_since_confirmed, east.distance) == ("open", days, 0.7)
    assert kitchen.hours_status == "unknown", "hours confirmed years ago are not shown"
    assert (bank.hours_status, bank.days_since_confirmed) == ("unknown", days), (
        "a partner's list is no confirmation"
    )
    assert heap.distance == heap.distance_miles == 14.0
    assert all(0 <= place.relevance_score <= 1 for place in results.resources)
    assert east.relevance_score > kitchen.relevance_score > heap.relevance_score


COUNTS = {
    "New York": ("10002", ModeCounts(free=123, snap=1, school=1, summer=1, wic=1, health=1)),
    "150 miles away": ("12345", ModeCounts(free=123, snap=1, school=1, summer=1, wic=1, health=1)),
    "Wyoming": ("82401", ModeCounts(free=1, snap=0, school=0, summer=0, wic=0, health=0)),
}


@pytest.mark.parametrize(("code", "expected"), COUNTS.values(), ids=COUNTS)
def test_counts(client, code, expected):
    answer = client.get(f"/api/resources/counts?zip={code}")
    assert msgspec.json.decode(answer.content, type=ModeCounts) == expected
