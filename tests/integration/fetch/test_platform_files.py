"""Test platforms of one file, pages of a sitemap, and shrunken lists."""

import gzip
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest

from schemas.sources.registry import LiveFeed
from tests.integration.fetch.platform_servers import as_json
from tests.integration.fetch.publisher_server import Publisher, Reply, Request
from tests.integration.fetch.support import CSV, NEW, OLD, PAGE, SETTINGS, fetch, source_of
from tests.support.cases import cases
from warehouse.fetch.errors import (
    AnswerError,
    ChangedLayoutError,
    FetchError,
    RefusedAddressError,
    RobotsError,
    ServerBusyError,
    ShrunkenError,
    TooLargeError,
    TruncatedError,
    WrongContentError,
)
from warehouse.fetch.live import fetch_live
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


def test_an_operator_can_accept_a_shorter_list(publisher: Publisher, store: RawStore) -> None:
    source = feed_of(publisher, "table", "/file", "list.csv")
    publisher.answers = {"/file": [Reply(NEW, headers=CSV), Reply(OLD, headers=CSV)]}
    fetch(source, store)
    with pytest.raises(ShrunkenError, match="--accept-changes"):
        fetch(source, store)
    fetch_live(SETTINGS, source, store, print, accept_changes=True)
    assert store.files("agency_list")[0].path.read_bytes() == OLD


def test_a_file_of_a_ckan_package(publisher: Publisher, store: RawStore) -> None:
    resources = [{"id": "r-1", "name": "Sites", "url": publisher.url("/download/sites.csv")}]
    publisher.answers = {
        "/api/3/action/package_show": [
            as_json({"success": True, "result": {"resources": resources}})
        ],
        "/download/sites.csv": [Reply(NEW, headers=CSV)],
    }
    facts = {"params": {"id": "food-sites"}}
    path = "/api/3/action/package_show"
    for resource in ("Sites", "r-1"):
        source = feed_of(publisher, "ckan", path, "list.csv", resource=resource, **facts)
        assert fetch(source, store)[0][0].path.read_bytes() == NEW
    source = feed_of(publisher, "ckan", path, "list.csv", resource="Old", **facts)
    with pytest.raises(AnswerError, match="no resource 'Old'; it has Sites"):
        fetch(source, store)


def test_a_secret_is_not_sent_to_the_host_of_a_file(
    publisher: Publisher, store: RawStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LARDER_CKAN_KEY", "key-1")
    elsewhere = publisher.url("/sites.csv", host="localhost")
    resources = [{"id": "r-1", "url": elsewhere}]
    publisher.answers = {
        "/show": [as_json({"success": True, "result": {"resources": resources}})],
        "/sites.csv": [Reply(NEW, headers=CSV)],
    }
    facts: dict[str, Any] = {
        "resource": "r-1",
        "hosts": [httpx.URL(elsewhere).netloc.decode()],
        "secrets": {"Authorization": "LARDER_CKAN_KEY"},
    }
    fetch(feed_of(publisher, "ckan", "/show", "list.csv", **facts), store)
    keys = {request.path: request.headers.get("authorization") for request in publisher.requests}
    assert keys == {"/show": "key-1", "/sites.csv": None}


def test_an_export_may_not_redirect_to_a_sign_in(publisher: Publisher, store: RawStore) -> None:
    elsewhere = {"Location": "https://accounts.google.com/ServiceLogin"}
    publisher.answers = {"/spreadsheets/d/1x/export": [Reply(status=302, headers=elsewhere)]}
    source = feed_of(publisher, "google_sheets", "/spreadsheets/d/1x/edit", "list.csv")
    with pytest.raises(RefusedAddressError, match=r"accounts\.google\.com is not declared"):
        fetch(source, store)


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


# ------------------------------------------------------------------ pages of a sitemap


def sitemap(publisher: Publisher, pages: dict[str, str | None]) -> Reply:
    entries = "".join(
        f"<url><loc>{publisher.url(path)}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>"
        for path, day in pages.items()
    )
    head = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return Reply(f"{head}{entries}</urlset>".encode())


def page(*blocks: str) -> Reply:
    scripts = "".join(f'<script type="application/ld+json">{b}</script>' for b in blocks)
    return Reply(f"<!doctype html><html><head>{scripts}</head><p>Hi</html>".encode())


def pantry(name: str) -> str:
    return json.dumps({"@type": "FoodEstablishment", "name": name})


def lines_of(files: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[0].path.read_bytes().splitlines()]


def site(publisher: Publisher, days: dict[str, str | None]) -> None:
    index = (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<sitemap><loc>{publisher.url('/pages.xml.gz')}</loc></sitemap></sitemapindex>"
    )
    archive = gzip.compress(sitemap(publisher, {**days, "/about": None}).body)
    publisher.answers = {
        "/sitemap.xml": [Reply(index.encode())],
        "/pages.xml.gz": [Reply(archive)],
        **{path: [page(pantry(path))] for path in days},
    }


def crawl_of(publisher: Publisher, **facts: Any) -> Any:
    facts = {"pages_matching": "/pantry/", **facts}
    return feed_of(publisher, "jsonld_pages", "/sitemap.xml", "pages.ndjson", **facts)


def test_pages_of_a_sitemap(publisher: Publisher, store: RawStore) -> None:
    days: dict[str, str | None] = {"/pantry/1": "2026-10-01", "/pantry/2": "2026-10-02"}
    site(publisher, days)
    publisher.answers["/pantry/2"] = [page(pantry("Two"), "{broken")]
    publisher.answers["/pages.xml.gz"] = [
        sitemap(publisher, {**days, "/pantry/gone": None, "/about": None})
    ]
    files, report = fetch(crawl_of(publisher), store)
    assert [(line["url"], line["lastmod"]) for line in lines_of(files)] == [
        (publisher.url(path), day) for path, day in days.items()
    ]
    assert lines_of(files)[1]["jsonld"] == [json.loads(pantry("Two"))]
    assert "agency_list: 1 pages of the sitemap are not there" in report
    assert any("1 blocks of JSON-LD cannot be read" in line for line in report)


def test_only_changed_pages_are_requested_again(publisher: Publisher, store: RawStore) -> None:
    days: dict[str, str | None] = {"/pantry/1": "2026-10-01", "/pantry/2": "2026-10-02"}
    site(publisher, days)
    first, _ = fetch(crawl_of(publisher), store)
    assert fetch(crawl_of(publisher), store)[0] == first
    site(publisher, {**days, "/pantry/2": "2026-11-02"})
    publisher.requests.clear()
    fetch(crawl_of(publisher), store)
    pages = [request.path for request in publisher.requests if "/pantry/" in request.path]
    assert pages == ["/pantry/2"]


def test_an_interrupted_crawl_resumes(publisher: Publisher, store: RawStore) -> None:
    site(publisher, dict.fromkeys([f"/pantry/{n}" for n in range(4)]))
    publisher.answers["/pantry/2"] = [Reply(status=503), page(pantry("Two"))]
    with pytest.raises(ServerBusyError):
        fetch(crawl_of(publisher), store, replace(SETTINGS, attempts=1))
    assert store.files("agency_list") == []
    publisher.requests.clear()
    files, _ = fetch(crawl_of(publisher), store)
    pages = [request.path for request in publisher.requests if "/pantry/" in request.path]
    assert pages == ["/pantry/2", "/pantry/3"]
    assert len(lines_of(files)) == 4


@cases(
    "changes, facts, kind, message",
    {
        "too many": ({}, {"max_pages": 1}, TooLargeError, "2 pages match"),
        "none": ({}, {"pages_matching": "/shop/"}, WrongContentError, "no page"),
        "HTML": ({"/sitemap.xml": Reply(PAGE)}, {}, WrongContentError, "a web page"),
        "cut": ({"/sitemap.xml": Reply(b"<a")}, {}, WrongContentError, "no sitemap"),
        "gzip bomb": (
            {"/pages.xml.gz": Reply(gzip.compress(b" " * 60_000))},
            {},
            TooLargeError,
            "unpacks to more",
        ),
        "changed layout": (
            {"/pantry/1": page(), "/pantry/2": page()},
            {},
            WrongContentError,
            "none of 2 pages has JSON-LD",
        ),
    },
)
def test_faults_of_a_crawl(
    publisher: Publisher,
    store: RawStore,
    changes: dict[str, Reply],
    facts: dict[str, Any],
    kind: type[FetchError],
    message: str,
) -> None:
    site(publisher, {"/pantry/1": None, "/pantry/2": None})
    publisher.answers |= {path: [reply] for path, reply in changes.items()}
    with pytest.raises(kind, match=message):
        fetch(crawl_of(publisher, **facts), store)
    assert store.files("agency_list") == []


def test_a_sitemap_cannot_name_an_undeclared_host(publisher: Publisher, store: RawStore) -> None:
    site(publisher, {"/pantry/1": None})

    def reply(_: Request) -> Reply:
        body = sitemap(publisher, {"/pantry/1": None}).body
        return Reply(body.replace(httpx.URL(publisher.url("")).netloc, b"inside.example"))

    publisher.answers["/pages.xml.gz"] = [reply]
    with pytest.raises(RefusedAddressError, match=r"inside\.example is not declared"):
        fetch(crawl_of(publisher), store)
