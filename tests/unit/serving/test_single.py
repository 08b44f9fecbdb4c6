"""The single record: words, openings, sources of each member, alternatives; and its status."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from schemas.api.record import ResourceDetail
from serving.places.detail import (
    encode_alternatives,
    encode_members,
    freshness,
    members_without_hours,
    resource_status,
)
from tests.support.releases import open_release
from tests.support.street import OLD, weekly
from tests.support.street import place as place_at

# A Tuesday, 10:30 in New York.
NOW = datetime(2026, 11, 17, 15, 30, tzinfo=UTC)
TUESDAY, FRIDAY = (weekly("09:00", "12:00", day) for day in ("TU", "FR"))


def place(resource_id: int, miles: float, schedules: str | None, **values):
    return place_at(resource_id, miles, schedules_json=schedules, **values)


ROWS = [
    place(1, 0, FRIDAY, name="Closed"),
    place(2, 3, TUESDAY, name="Third"),
    place(3, 1, TUESDAY, name="First", phone="(212) 555-0103", address="3 Example Street"),
    place(4, 2, TUESDAY, name="Second"),
    place(5, 4, TUESDAY, name="Fourth"),
    place(6, 0.1, TUESDAY, name="Other type", resource_type="soup_kitchen"),
    place(7, 0.1, TUESDAY, name="Shelter", is_confidential=True, location_precision="city"),
    place(8, 0.1, TUESDAY, name="Old hours", source_updated_date=OLD),
    place(9, 0.1, FRIDAY, name="Closed too"),
    place(10, 0.1, None, name="No hours", source_updated_date=None),
    place(11, 0, FRIDAY, name="Closed office", resource_type="wic_office"),
    place(12, 40, FRIDAY, name="Closed and far", location_precision="zip"),
]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return open_release(tmp_path_factory.mktemp("single"), ROWS)


def detail_of(release, resource_id: int, now: datetime = NOW):
    row = release.row_of(resource_id)
    members = encode_members(release, row, now) + encode_alternatives(release, row, now)
    return msgspec.json.decode(
        release.detail(row, release.moment(row, now), members), type=ResourceDetail
    )


def test_hours_in_words_and_the_next_openings(release):
    detail = detail_of(release, 1)
    assert detail.hours_in_words.en == "Friday, 9 a.m. to noon."
    openings = [(o.opens_at, o.closes_at, o.en) for o in detail.next_openings]
    assert openings == [
        (
            "2026-11-20T09:00:00-05:00",
            "2026-11-20T12:00:00-05:00",
            "Friday, November 20, 9 a.m. to noon",
        ),
        (
            "2026-11-27T09:00:00-05:00",
            "2026-11-27T12:00:00-05:00",
            "Friday, November 27, 9 a.m. to noon",
        ),
        (
            "2026-12-04T09:00:00-05:00",
            "2026-12-04T12:00:00-05:00",
            "Friday, December 4, 9 a.m. to noon",
        ),
    ]
    assert (detail.freshness.days, detail.freshness.en, detail.freshness.is_stale) == (
        16,
        "Confirmed 2 weeks ago",
        False,
    )


def test_a_closed_place_names_open_ones_of_its_type(release):
    others = detail_of(release, 1).nearby_alternatives
    assert [o.name for o in others] == ["First", "Second", "Third"]
    first = others[0]
    assert (first.id, first.hours_status, first.distance_miles) == (3, "open", 1.0)
    assert (first.phone, first.address, first.url) == (
        "(212) 555-0103",
        "3 Example Street",
        "/api/resources/3",
    )


NO_ALTERNATIVES = {"open": 3, "unknown": 10, "old hours": 8, "no free food": 11, "none near": 12}


@pytest.mark.parametrize("resource_id", NO_ALTERNATIVES.values(), ids=NO_ALTERNATIVES)
def test_others_name_none(release, resource_id):
    assert detail_of(release, resource_id).nearby_alternatives == []


def test_old_hours_are_shown_with_their_doubt(release):
    detail = detail_of(release, 8)
    assert (
        detail.hours_in_words.en == "Tuesday, 9 a.m. to noon. These hours are too old to rely on."
    )
    assert "demasiado viejo" in detail.hours_in_words.es
    usual = detail.usual_hours
    assert (
        usual.summary.en
        == "Usually Tuesday, 9 a.m. to noon, according to a check of November 2025. No phone is listed, so call 211 first."
    )
    assert usual.summary.es.startswith("Normalmente los martes, de 9")
    assert (usual.as_of_date, usual.basis, usual.source_id) == (
        OLD.isoformat(),
        "confirmed",
        "nyc_pantries_2023",
    )
    assert (usual.status, usual.closes_at) == ("open", "2026-11-17T12:00:00-05:00")
    assert detail_of(release, 1).usual_hours is None, "hours that are shown are not repeated"
    assert (detail.next_openings, detail.hours_status, detail.freshness.is_stale) == (
        [],
        "unknown",
        True,
    )


def test_members_of_a_place_without_hours(release):
    row = release.row_of(10)
    moment = release.moment(row, NOW)
    assert members_without_hours(release, row, moment, NOW) == encode_members(release, row, NOW)
    detail = detail_of(release, 10)
    assert (detail.hours_in_words, detail.next_openings) == (None, [])
    assert (detail.freshness.days, detail.freshness.en) == (None, "No source gives a date")
    row = release.row_of(1)
    assert members_without_hours(release, row, release.moment(row, NOW), NOW) is None


def test_members_change_at_whole_minutes_only(release):
    """The response cache stores them to the end of a minute."""
    row, texts = release.row_of(1), set()
    for minute in range(24 * 60):
        now = NOW.replace(second=0, microsecond=0) + timedelta(minutes=minute)
        at_both_ends = {
            encode_members(release, row, at) + encode_alternatives(release, row, at)
            for at in (now, now + timedelta(seconds=59, microseconds=999_999))
        }
        assert len(at_both_ends) == 1
        texts |= at_both_ends
    assert len(texts) > 2


AGES = {
    0: ("Confirmed today", "Confirmado hoy"),
    1: ("Confirmed yesterday", "Confirmado ayer"),
    13: ("Confirmed 13 days ago", "Confirmado hace 13 días"),
    20: ("Confirmed 3 weeks ago", "Confirmado hace 3 semanas"),
    90: ("Confirmed August 2026", "Confirmado en agosto de 2026"),
    365: ("Confirmed November 2025", "Confirmado en noviembre de 2025"),
    2516: ("Confirmed December 2019", "Confirmado en diciembre de 2019"),
}


@pytest.mark.parametrize(("days", "words"), AGES.items())
def test_ages(days, words):
    ages = freshness("confirmed", days, NOW.date() - timedelta(days=days))
    assert (ages.en, ages.es) == words
    assert ages.is_stale == (days > 180)


def test_every_member_that_a_source_supplies_names_it(tmp_path):
    supplied = ["name", "resource_type", "lat", "lng", "timezone", "phone", "phone_e164"]
    supplied += ["schedules_json", "census_tract"]
    row = place(1, 0, FRIDAY, location_method="geocoder", supplied_fields=supplied)
    release = open_release(tmp_path, [row])
    sources = detail_of(release, 1).field_sources
    methods = {name: source.method for name, source in sources.items()}
    assert methods == {
        "name": "published",
        "resource_type": "published",
        "lat": "geocoder",
        "lng": "geocoder",
        "timezone": "derived",
        "phone": "published",
        "phone_e164": "parsed",
        "hours": "parsed",
    }
    assert {(s.source_id, s.date) for s in sources.values()} == {
        ("nyc_pantries_2023", "2026-11-01")
    }


# ---------------------------------------------------------------- status


TUESDAY_NOON, FRIDAY_NINE = "2026-11-17T12:00:00-05:00", "2026-11-20T09:00:00-05:00"
LISTED = ("By the published hours (confirmed 2", "Según el horario publicado (confirmado hace 2")
OLD_HOURS = ("too old to rely on (confirmed November 2025): no phone", "demasiado viejo para")
NO_HOURS = ("No opening hours that can be read", "No se conoce un horario que se pueda leer")
STATUSES = {
    "open": (3, "open", None, TUESDAY_NOON, LISTED),
    "closed": (1, "closed", FRIDAY_NINE, None, LISTED),
    "old hours": (8, "unknown", None, None, OLD_HOURS),
    "no hours": (10, "unknown", None, None, NO_HOURS),
}


@pytest.mark.parametrize(
    ("resource_id", "status", "opens", "closes", "reasons"), STATUSES.values(), ids=STATUSES
)
def test_status(release, resource_id, status, opens, closes, reasons):
    document = resource_status(release, release.row_of(resource_id), NOW)
    hours = document.hours
    assert hours.status == status
    assert reasons[0] in hours.reason
    assert reasons[1] in hours.reason_es
    assert hours.closes_at == closes
    if status != "open":
        assert hours.opens_at == opens
    assert (hours.in_words is None) == (resource_id == 10)
    assert document.live_status is None
    days = hours.days_since_confirmed
    on = None if days is None else NOW.date() - timedelta(days=days)
    assert document.freshness == freshness(on and "confirmed", days, on)
