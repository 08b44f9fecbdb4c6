"""The drawn map of results: scale, bearings, shared markers, places without a point."""

import math
import re
from datetime import UTC, datetime
from html import unescape
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.render.page import Head, guards
from serving.render.street_map import OWN_ARCHIVE, street_map_of
from serving.render.words import words
from serving.settings import SettingError, read_settings
from serving.site import result_map
from serving.site.result_map import HEIGHT, WIDTH, _Frame, in_runs
from tests.support.clients import open_client
from tests.support.releases import open_release, resource

FINITE = st.floats(-70, 70)


def test_runs_of_numbers_are_short() -> None:
    assert in_runs([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert in_runs([]) == ""


@given(st.lists(st.tuples(FINITE, st.floats(-180, 179.9)), min_size=1, max_size=8))
def test_every_point_is_in_the_picture(points) -> None:
    # Results of a search are at most some hundred miles apart, across the date line too.
    lat, lng = points[0]
    near = [(lat + (a - lat) % 3, (lng + b % 3 + 180) % 360 - 180) for a, b in points]
    frame = _Frame.around([points[0], *near])
    for point in [points[0], *near]:
        x, y = frame.place(*point)
        assert -0.1 <= x <= WIDTH + 0.1
        assert -0.1 <= y <= HEIGHT + 0.1


def test_distances_have_a_stable_scale() -> None:
    frame = _Frame.around([(40.0, -74.0), (40.2, -74.3)])
    (ax, ay), (bx, by) = frame.place(40.0, -74.0), frame.place(40.1, -74.1)
    miles = math.hypot(0.1 * 69.055, 0.1 * 69.055 * math.cos(math.radians(40.1)))
    assert math.hypot(ax - bx, ay - by) / frame.px_per_mile == pytest.approx(miles, rel=0.01)


def test_page_draws_its_results(client) -> None:
    page = client.get("/search?q=10002").text
    numbers = re.findall(r'<li id="result-(\d+)" value="\1">', page)
    assert [int(b) - int(a) for a, b in pairwise(numbers)] == [1] * (len(numbers) - 1)
    figure = page[
        page.index('<svg class="drawn-map"') : page.index("</svg>", page.index("drawn-map"))
    ]
    assert set(re.findall(r'href="#result-(\d+)"', figure)) <= set(numbers)
    assert 'class="begin"' in figure


def test_a_small_map_has_a_scale(client) -> None:
    page = client.get("/search?q=10002&radius=1").text
    assert re.findall(r"([\d.]+) mi</text>", page) == ["0.5"]


@pytest.mark.parametrize("query", ["q=10002", "q=10002&open_now=true", "q=10002&mode=all&radius=1"])
def test_the_map_has_the_places_of_the_list(client, query) -> None:
    answer = client.get(f"/search/places.geojson?{query}")
    assert answer.headers["content-type"] == "application/geo+json"
    pages = [client.get(f"/search?{query}&page={n}").text for n in (1, 2)]
    ids = [int(i) for page in pages for i in re.findall(r'<h2><a href="/place/(\d+)"', page)]
    collection = answer.json()
    dots = [one["properties"]["id"] for one in collection["features"]]
    assert ids
    assert dots[: len(ids)] == ids
    assert collection["total"] == len(dots)
    assert re.search(rf"<strong>{collection['total']} place", pages[0])
    assert {one["properties"]["status"] for one in collection["features"]} <= {*result_map.STATES}


def test_the_map_of_a_large_search_has_its_first_places(client, monkeypatch) -> None:
    monkeypatch.setattr("serving.site.routes.MAX_DOTS", 5)
    collection = client.get("/search/places.geojson?q=10002").json()
    assert len(collection["features"]) == 5 < collection["total"]
    assert client.get("/search/places.geojson?q=Nirgendwo").status_code == 404


def test_the_centre_of_a_map_is_no_device_location(client) -> None:
    page = client.get("/search?q=%4040.716,+-73.986&radius=3.5").text
    assert words("site", "en").from_map in page
    assert words("site", "en").from_device not in page
    assert "data-search" not in page


def test_only_pages_with_a_map_may_start_its_worker(client) -> None:
    with_map = client.get("/search?q=10002").headers["content-security-policy"]
    without = client.get("/search").headers["content-security-policy"]
    assert "worker-src blob:" in with_map
    assert "worker-src" not in without


def test_library_is_served_under_a_permanent_name(client) -> None:
    address = re.search(r"/static/maplibre-gl-[0-9a-f]+\.js", client.get("/search?q=10002").text)
    assert address
    script = client.get(address[0], headers={"accept-encoding": "br"})
    assert script.status_code == 200
    assert "immutable" in script.headers["cache-control"]


def test_towns_do_not_cover_markers(client) -> None:
    page = client.get("/search?q=10002").text
    towns = re.findall(r'class="town" x="([\d.]+)" y="([\d.]+)"', page)
    pins = re.findall(r'class="pin-text[^"]*" x="([\d.]+)" y="([\d.]+)"', page)
    for tx, ty in towns:
        for px, py in pins:
            assert (
                abs(float(tx) - float(px)) > result_map._NAME_WIDTH / 2
                or abs(float(ty) - float(py) + 5) >= result_map._NAME_HEIGHT - 5
            )


def test_the_map_leaves_out_places_whose_address_is_withheld(tmp_path) -> None:
    hidden = {"is_confidential": True, "address": None, "zip": None, "location_precision": "city"}
    rows = [resource(4_503_599_627_370_497), resource(4_503_599_627_370_498, **hidden)]
    release = open_release(tmp_path, rows)
    dots = msgspec.json.decode(result_map.dots_of(release, [0, 1], 2, datetime.now(UTC)))
    assert [dot["properties"]["id"] for dot in dots["features"]] == [4_503_599_627_370_497]


@pytest.mark.parametrize(
    ("setting", "origin"),
    [
        (None, "https://tiles.openfreemap.org"),
        ("https://maps.example:8443/style.json?key=a1", "https://maps.example:8443"),
        ("https://maps.example/ny.pmtiles", "https://maps.example"),
        ("none", ""),
        ("FILE", ""),
    ],
)
def test_only_pages_with_a_map_may_ask_the_street_map(tmp_path, setting, origin) -> None:
    archive = tmp_path / "ny.pmtiles"
    archive.write_bytes(b"PMTiles")
    environment = {"LARDER_BASEMAP": str(archive) if setting == "FILE" else setting or ""}
    settings = read_settings(environment)
    streets = street_map_of(settings)
    with_map = dict(guards(Head("/", "", "", has_map=True), streets))
    without = dict(guards(Head("/", "", ""), streets))
    policy = with_map[b"content-security-policy"].decode().split("; ")
    assert f"connect-src 'self' {origin}".strip() in policy
    assert f"img-src 'self' data: {origin}".strip() in policy
    policy = without[b"content-security-policy"].decode().split("; ")
    assert {"connect-src 'self'", "img-src 'self' data:"} <= {*policy}
    assert (streets is None) == (setting == "none")


@pytest.mark.parametrize(
    "value", ["maps.example/style", "/nowhere/ny.pmtiles", "/etc/hosts", "off"]
)
def test_a_street_map_that_cannot_be_used_is_named(value) -> None:
    with pytest.raises(SettingError, match="LARDER_BASEMAP"):
        read_settings({"LARDER_BASEMAP": value})


def test_an_archive_of_this_machine_is_served_in_ranges(town, tmp_path) -> None:
    archive = tmp_path / "ny.pmtiles"
    archive.write_bytes(b"PMTiles0123456789")
    with open_client(town, basemap=str(archive)) as client:
        part = client.get(OWN_ARCHIVE, headers={"range": "bytes=7-9"})
        assert (part.status_code, part.content) == (206, b"012")
        assert part.headers["content-range"] == "bytes 7-9/17"
        assert client.get(OWN_ARCHIVE, headers={"range": "bytes=90-"}).status_code == 416
    with open_client(town, basemap="none") as client:
        assert client.get(OWN_ARCHIVE).status_code == 404


def test_the_page_of_a_place_has_a_map_for_those_who_run_scripts(client) -> None:
    page = client.get("/es/place/101?near=40.7157,-73.9863").text
    # Without JavaScript there is no heading without a map below.
    assert '<section class="noprint place-map" hidden>' in page
    data = msgspec.json.decode(unescape(re.search(r'data-map="([^"]*)"', page)[1]))
    assert [(one["id"], one["n"]) for one in data["places"]] == [(101, None)]
    assert data["start"] == words("map", "es").you
    assert "data-map" in client.get("/place/101").text
