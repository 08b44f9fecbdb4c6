"""Calendars over HTTP: valid iCalendar, the same bytes every time, honest where hours are unknown."""

import re
from datetime import date

import pytest
from icalendar import Calendar

from serving.places.calendars import time_zone
from tests.support.clients import open_client
from tests.support.releases import identity
from tests.support.town import TODAY, resources, write_town

PLACES = {
    "place": "/calendar/101.ics",
    "search": "/api/resources/search.ics?zip=10002&mode=free",
    "without hours": "/calendar/104.ics",
}


@pytest.mark.parametrize("path", PLACES.values(), ids=PLACES)
def test_is_icalendar(client, path):
    reply = client.get(path)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/calendar; charset=utf-8"
    lines = reply.content.split(b"\r\n")
    assert b"\n" not in b"".join(lines), "every line ends in CR LF"
    assert max(map(len, lines)) <= 75
    assert lines[-1] == b""
    calendar = Calendar.from_ical(reply.content)
    assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
    assert not calendar.get_missing_tzids()
    assert "INVENTED PLACES" in calendar["X-WR-CALDESC"]
    for event in calendar.events:
        assert event["DTSTAMP"].to_ical() == b"20261101T060000Z"
        assert {"UID", "DTSTART", "DTEND", "SUMMARY"} <= set(event)
    uids = [event["UID"] for event in calendar.events]
    assert len(set(uids)) == len(uids)


def test_a_place_that_is_always_open(client):
    calendar = Calendar.from_ical(client.get("/calendar/101.ics").content)
    series = [event for event in calendar.events if "RRULE" in event]
    assert len(series) == 1
    assert series[0]["SUMMARY"] == "Example Pantry East"
    assert series[0]["LOCATION"] == "1 Example Street, New York, NY 10002"
    assert "(212) 555-0101" in series[0]["DESCRIPTION"]
    assert [zone.tz_name for zone in calendar.timezones] == ["America/New_York"]


EMPTY = {
    "no hours": (
        "/calendar/104.ics",
        "Its hours are not known well enough for a calendar: call first. No source dates its hours. / ",
    ),
    "old hours": (
        "/calendar/102.ics",
        "Its hours are too old to rely on: no phone is listed, so call 211 first. Hours: Confirmed 2020-01-01. / ",
    ),
    "a search without hours": (
        "/api/resources/search.ics?zip=10002&mode=wic",
        "Hours not known well enough / No se conoce bien el horario: Example WIC.",
    ),
}


@pytest.mark.parametrize(("path", "words"), EMPTY.values(), ids=EMPTY)
def test_a_calendar_without_hours_is_empty_with_the_reason(client, path, words):
    calendar = Calendar.from_ical(client.get(path).content)
    assert calendar.events == []
    assert words in calendar["X-WR-CALDESC"]


def test_a_search_has_the_events_of_its_places(client):
    place = Calendar.from_ical(client.get("/calendar/101.ics").content)
    search = Calendar.from_ical(client.get(PLACES["search"]).content)
    assert {e["UID"] for e in place.events} == {e["UID"] for e in search.events}
    assert "1 of the 20 nearest places (123 lie within 25 miles)" in search["X-WR-CALDESC"]
    assert search["X-WR-CALNAME"] == "Free food: 10002"


def test_the_id_of_an_opening_outlives_a_release(tmp_path):
    uids = []
    for name in ("20261101T060000Z-00000001", "20261102T060000Z-00000002"):
        write_town(tmp_path, release_id=name)
        with open_client(tmp_path) as client:
            calendar = Calendar.from_ical(client.get("/calendar/101.ics").content)
            uids.append({e["UID"] for e in calendar.events})
    assert uids[0] == uids[1]


def test_merged_places_redirect_and_confidential_ones_have_no_events(tmp_path):
    ended = [identity(99, "merged", 101), identity(98, "retired")]
    rows = resources()
    rows[0] = {**rows[0], "is_confidential": True, "source_updated_date": TODAY}
    write_town(tmp_path, resources=rows, identities=ended)
    with open_client(tmp_path) as client:
        reply = client.get("/calendar/99.ics", follow_redirects=False)
        assert (reply.status_code, reply.headers["location"]) == (301, "/calendar/101.ics")
        assert client.get("/calendar/98.ics").status_code == 410
        calendar = Calendar.from_ical(client.get("/calendar/101.ics").content)
        assert calendar.events == []
        assert "not published" in calendar["X-WR-CALDESC"]


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        *(
            (name, [("STANDARD", "20251102T020000"), ("DAYLIGHT", "20260308T020000")])
            for name in ("America/New_York", "America/Los_Angeles", "America/Anchorage")
        ),
        *(
            (name, [("STANDARD", "19700101T000000")])
            for name in ("America/Phoenix", "Pacific/Guam", "America/Puerto_Rico")
        ),
    ],
)
def test_daylight_time_starts_by_the_clock_before_it(name, starts):
    text = time_zone(name, date(2025, 10, 1), date(2028, 10, 1)).to_ical().decode()
    assert re.findall(r"BEGIN:(DAYLIGHT|STANDARD)\r\nDTSTART:(\w+)", text) == starts
