"""Test platforms of one file, shrunken lists, secrets and robots.txt."""

from typing import Any

import httpx
import pytest

from schemas.sources.registry import LiveFeed
from tests.integration.fetch.publisher_server import Publisher, Reply
from tests.integration.fetch.support import CSV, NEW, PAGE, fetch, source_of
from warehouse.fetch.errors import (
    ChangedLayoutError,
    FetchError,
    RobotsError,
    ServerBusyError,
    ShrunkenError,
    TruncatedError,
    WrongContentError,
)
from warehouse.raw_store import RawStore

KML = b'<?xml version="1.0"?><kml><Document><Placemark><name>A</name></Placemark></Document></kml>'
ICS = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
PDF = b"%PDF-1.7\n1 0 obj\n%%EOF\n"
PBF = b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18"


def feed_of(publisher: Publisher, platform: str, path: str, name: str, **facts: Any) -> Any:
    return source_of(LiveFeed(platform, publisher.url(path), name, **facts))


@pytest.mark.parametrize(
    ("platform", "address", "target", "name", "body"),
    [
        ("google_my_maps", "/maps/d/viewer?mid=1aB&usp=sharing", ("/maps/d/kml", {"mid": "1aB", "forcekml": "1"}), "map.kml", KML),
        ("google_my_maps", "/maps/d/u/0/embed?mid=1aB#x", ("/maps/d/kml", {"mid": "1aB", "forcekml": "1"}), "map.kml", KML),
        ("google_sheets", "/spreadsheets/d/1x-Y_z/edit?usp=sharing#gid=77", ("/spreadsheets/d/1x-Y_z/export", {"format": "csv", "gid": "77"}), "list.csv", NEW),
        ("google_sheets", "/spreadsheets/d/1x/edit", ("/spreadsheets/d/1x/export", {"format": "csv", "gid": "0"}), "list.csv", NEW),
        ("google_sheets", "/spreadsheets/d/e/2P/pub?output=csv", ("/spreadsheets/d/e/2P/pub", {"output": "csv"}), "list.csv", NEW),
        ("airtable_csv", "/v0.2/export.csv?token=1", ("/v0.2/export.csv", {"token": "1"}), "list.csv", NEW),
        ("icalendar", "/calendar.ics", ("/calendar.ics", {}), "calendar.ics", ICS),
        ("osm_extract", "/maine-latest.osm.pbf", ("/maine-latest.osm.pbf", {}), "maine.osm.pbf", PBF),
        ("table", "/list.pdf", ("/list.pdf", {}), "list.pdf", PDF),
    ],
)  # fmt: skip
def test_one_file(
    publisher: Publisher,
    store: RawStore,
    platform: str,
    address: str,
    target: tuple[str, dict[str, str]],
    name: str,
    body: bytes,
) -> None:
    path, query = target
    publisher.answers = {path: [Reply(body)]}
    files, _ = fetch(feed_of(publisher, platform, address, name), store)
    assert files[0].path.read_bytes() == body
    assert [(each.path, each.query) for each in publisher.requests] == [(path, query)]


@pytest.mark.parametrize(
    ("name", "body", "kind", "message"),
    [
        ("map.kml", PAGE, WrongContentError, "a web page"),
        ("map.kml", KML[:-9], TruncatedError, "</kml> is missing at its end"),
        ("calendar.ics", ICS[:40], TruncatedError, "END:VCALENDAR is missing"),
        ("calendar.ics", b"name,zip\n", WrongContentError, "not text/calendar"),
        ("list.pdf", PDF[:12], TruncatedError, "%%EOF is missing"),
        ("list.csv", PAGE, WrongContentError, "a web page instead of text/csv"),
        ("list.csv", b"name,zip\n", WrongContentError, "holds 0 rows"),
        ("list.csv", NEW[:1000], ShrunkenError, "rows came, 400 the last time"),
        (
            "list.csv",
            NEW.replace(b"name,zip", b"title,postcode"),
            ChangedLayoutError,
            "2 of 2 columns are gone (name, zip); there are now postcode, title",
        ),
    ],
)
def test_an_implausible_file_keeps_the_last_one(
    publisher: Publisher,
    store: RawStore,
    name: str,
    body: bytes,
    kind: type[FetchError],
    message: str,
) -> None:
    source = feed_of(publisher, "table", "/file", name)
    goods = {"map.kml": KML, "calendar.ics": ICS, "list.pdf": PDF, "list.csv": NEW}
    publisher.answers = {"/file": [Reply(goods[name]), Reply(body)]}
    good, _ = fetch(source, store)
    with pytest.raises(kind) as error:
        fetch(source, store)
    assert message in str(error.value)
    assert store.files("agency_list") == good


def test_a_secret_is_not_sent_to_another_host(
    publisher: Publisher, store: RawStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LARDER_LIST_KEY", "key-1")
    elsewhere = publisher.url("/sites.csv", host="localhost")
    publisher.answers = {
        "/list": [Reply(status=302, headers={"Location": elsewhere})],
        "/sites.csv": [Reply(NEW, headers=CSV)],
    }
    facts: dict[str, Any] = {
        "hosts": [httpx.URL(elsewhere).netloc.decode()],
        "secrets": {"Authorization": "LARDER_LIST_KEY"},
    }
    fetch(feed_of(publisher, "table", "/list", "list.csv", **facts), store)
    keys = {request.path: request.headers.get("authorization") for request in publisher.requests}
    assert keys == {"/list": "key-1", "/sites.csv": None}


# ------------------------------------------------------------------ robots.txt


def test_robots_txt_is_obeyed(publisher: Publisher, store: RawStore) -> None:
    robots = b"User-agent: *\nDisallow: /private/\n"
    publisher.answers = {"/robots.txt": [Reply(robots)], "/private/l": [Reply(NEW)]}
    with pytest.raises(RobotsError, match="forbids it for open-larder"):
        fetch(feed_of(publisher, "table", "/private/l", "list.csv"), store)
    assert [request.path for request in publisher.requests] == ["/robots.txt"]
    source = feed_of(
        publisher, "table", "/private/l", "list.csv", ignore_robots="permission of May 2"
    )
    assert fetch(source, store)[0][0].path.read_bytes() == NEW


def test_a_redirect_to_a_disallowed_path_is_not_followed(
    publisher: Publisher, store: RawStore
) -> None:
    publisher.answers = {
        "/robots.txt": [Reply(b"User-agent: open-larder\nDisallow: /private/\n")],
        "/list.csv": [Reply(status=302, headers={"Location": "/private/l"})],
    }
    with pytest.raises(RobotsError):
        fetch(feed_of(publisher, "table", "/list.csv", "list.csv"), store)


@pytest.mark.parametrize("status", [429, 503])
def test_a_host_with_a_failing_robots_txt_is_not_requested(
    publisher: Publisher, store: RawStore, status: int
) -> None:
    publisher.answers = {"/robots.txt": [Reply(status=status)], "/list.csv": [Reply(NEW)]}
    with pytest.raises(ServerBusyError, match=f"status {status}"):
        fetch(feed_of(publisher, "table", "/list.csv", "list.csv"), store)
    assert {request.path for request in publisher.requests} == {"/robots.txt"}
