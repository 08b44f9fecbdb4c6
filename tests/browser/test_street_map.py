"""Test the interactive map on a map with streets: of a service, of an archive, and without either."""

import socket
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from math import cos, radians
from pathlib import Path
from typing import Any

import pytest

from serving.render.words import words
from tests.support.processes import comes_true
from tests.support.releases import resource, write_release
from tests.support.server import running_service
from tests.support.street_tiles import (
    ROAD,
    WATER,
    StreetServer,
    running_street_server,
    write_archive,
)

SEARCH = "/search?q=10002&mode=all"
SCHEMAS = ("openmaptiles", "protomaps")
# Colours of the page's own style: roads, a main road, water, a park (web/static/map.css).
OWN_COLOURS = ("#ffffff", "#ffdf9b", "#a9cfe8", "#cde6c4")
MAP, OPEN = ".live-map", ".results-map button.quiet"


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiles")
    for schema in SCHEMAS:
        write_archive(folder / f"{schema}.pmtiles", schema)
    return folder


@pytest.fixture(scope="module")
def street_server(tiles: Path) -> Iterator[StreetServer]:
    with running_street_server(tiles) as server:
        yield server


@contextmanager
def running(folder: Path, setting: str) -> Iterator[str]:
    """Run the service with a street map, in a folder with a release."""
    with running_service(folder, LARDER_BASEMAP=setting) as address:
        yield address


def open_map(page: Any, address: str) -> None:
    page.goto(address)
    page.click(".results-map summary")
    page.click(OPEN)
    page.wait_for_selector("[data-ready]", timeout=60_000)


def colours_of(page: Any) -> dict[str, int]:
    """Return how many pixels of the map have each colour; 0 for others."""
    picture = b64encode(page.locator(f"{MAP} canvas").screenshot()).decode()
    return defaultdict(int, page.evaluate(_COUNT, f"data:image/png;base64,{picture}"))


_COUNT = """async (address) => {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const pen = Object.assign(document.createElement("canvas"), {width: picture.width, height: picture.height}).getContext("2d");
  pen.drawImage(picture, 0, 0);
  const pixels = new Uint32Array(pen.getImageData(0, 0, picture.width, picture.height).data.buffer), counts = {};
  for (const pixel of pixels) {
    const name = "#" + [0, 8, 16].map((shift) => (pixel >> shift & 255).toString(16).padStart(2, "0")).join("");
    counts[name] = (counts[name] || 0) + 1;
  }
  return counts;
}"""


def test_streets_of_a_service_are_asked_for_only_when_the_map_is_opened(
    service_folder, open_page, street_server
) -> None:
    with running(service_folder, street_server.style) as address:
        page = open_page(viewport={"width": 1280, "height": 900})
        faults: list[str] = []
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        page.goto(address + SEARCH)
        page.click(".results-map summary")
        # The sentence stands above the button.
        name = words("map", "en").hint_service.format(service="127.0.0.1")
        sentence = page.get_by_text(name)
        assert sentence.bounding_box()["y"] < page.locator(OPEN).bounding_box()["y"]
        page.wait_for_load_state("networkidle")
        assert street_server.asked == []
        # Nor does a link of another site open it.
        page.goto("about:blank")
        page.goto(f"{address}{SEARCH}#map")
        page.wait_for_load_state("networkidle")
        assert page.locator(OPEN).is_visible()
        assert street_server.asked == []
        page.click(OPEN)
        page.wait_for_selector("[data-ready=streets]", timeout=60_000)
        assert any(path.startswith("/tiles/") for path in street_server.asked)
        assert page.get_by_text("Invented Streets").count() == 1
        colours = colours_of(page)
        assert colours[WATER] > 500
        assert colours[ROAD] > 500
        assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_archive_is_drawn_in_either_schema(
    service_folder, open_page, street_server, schema
) -> None:
    with running(service_folder, street_server.archive(schema)) as address:
        page = open_page(viewport={"width": 1280, "height": 900}, color_scheme="light")
        open_map(page, address + SEARCH)
        assert page.get_attribute(MAP, "data-ready") == "streets"
        colours = colours_of(page)
        assert all(colours[colour] > 200 for colour in OWN_COLOURS), colours


def test_an_archive_of_this_machine_asks_nobody_else(service_folder, open_page, tiles) -> None:
    with running(service_folder, str(tiles / "protomaps.pmtiles")) as address:
        page = open_page(viewport={"width": 320, "height": 700}, color_scheme="light")
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url))
        open_map(page, address + SEARCH)
        assert page.get_attribute(MAP, "data-ready") == "streets"
        assert colours_of(page)["#a9cfe8"] > 200
        assert all(url.startswith((address, "blob:", "data:")) for url in urls)
        # Where the archive ends, so do its streets.
        open_map(page, f"{address}/es/search?q=99546&mode=all")
        assert page.get_attribute(MAP, "data-ready") == "plain"
        assert page.get_by_text(words("map", "es").outside).is_visible()


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param("refuses", marks=pytest.mark.slow),
        "is silent",
        pytest.param("fails", marks=pytest.mark.slow),
    ],
)
def test_a_service_that_is_down_leaves_borders_and_towns(
    service_folder, open_page, tiles, fault
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        if fault == "refuses":
            silent.close()
        with running_street_server(tiles, has_tiles=False) as server:
            setting = server.style if fault == "fails" else f"http://127.0.0.1:{port}/style"
            with running(service_folder, setting) as address:
                page = open_page(viewport={"width": 320, "height": 700})
                open_map(page, address + SEARCH)
                assert page.get_attribute(MAP, "data-ready") == "plain"
                told = words("map", "en").no_streets.format(service="127.0.0.1")
                assert page.get_by_text(told).is_visible()
                assert page.locator(".live-pin").count() > 0


def test_the_page_of_a_place_shows_it_on_a_map(service_folder, open_page, tiles) -> None:
    with running(service_folder, str(tiles / "openmaptiles.pmtiles")) as address:
        for width, language in ((320, "es"), (1280, "en")):
            page = open_page(viewport={"width": width, "height": 800}, color_scheme="light")
            prefix = "/es" if language == "es" else ""
            page.goto(f"{address}{prefix}/place/101?near=40.7157,-73.9863")
            page.click(".place-map button")
            page.wait_for_selector("[data-ready=streets]", timeout=60_000)
            assert page.get_attribute(".live-pin", "aria-label") == "Example Pantry East"
            assert page.locator(".place-map .key").inner_text() == words("map", language).you
            assert colours_of(page)["#ffffff"] > 200
            assert page.evaluate("document.documentElement.scrollWidth") == width


def test_pins_that_would_overlap_are_one_and_rings_open(tmp_path, open_page, tiles) -> None:
    lat, lng = 40.7157, -73.9863
    rows = [
        # The ten of the list: two at one door, two neighbours, six along a street.
        *(resource(n, name=f"Door {n}", lat=lat, lng=lng) for n in (1, 2)),
        *(resource(n, name=f"House {n}", lat=40.7160, lng=lng - n * 0.0002) for n in (3, 4)),
        *(resource(n, name=f"Street {n}", lat=lat, lng=lng - n * 0.001) for n in range(5, 11)),
        # Farther than these, three at one door: a ring.
        *(resource(n, name=f"Far {n}", lat=40.7245, lng=lng) for n in (11, 12, 13)),
    ]
    write_release(tmp_path, rows)
    with running(tmp_path, str(tiles / "protomaps.pmtiles")) as address:
        # Without animation a zoom is complete, and the pins are grouped, when the click returns.
        page = open_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        open_map(page, f"{address}/search?q={lat},{lng}&mode=all")

        def no_pins_overlap() -> bool:
            found = [pin.bounding_box() for pin in page.locator(".live-pin").all()]
            return all(
                abs(a["x"] + a["width"] / 2 - b["x"] - b["width"] / 2)
                >= (a["width"] + b["width"]) / 2 - 1
                or abs(a["y"] - b["y"]) >= 27
                for n, a in enumerate(found)
                for b in found[:n]
            )

        cards = page.locator(".numbered > li h2").all()
        names = {str(n): card.inner_text() for n, card in enumerate(cards, 1)}
        assert page.locator(".live-pin").count() < 10
        assert no_pins_overlap()

        # At zoom 13, where the map has this many pixels per degree of longitude, around its middle.
        for _ in range(2):
            page.click(".maplibregl-ctrl-zoom-out")
        assert no_pins_overlap()
        edges, scale = page.locator(f"{MAP} canvas").bounding_box(), 512 * 2**13 / 360
        across, up = 0.005 * scale, (40.7245 - 40.71585) / cos(radians(lat)) * scale
        ring = edges["x"] + edges["width"] / 2 + across, edges["y"] + edges["height"] / 2 - up

        def opens() -> bool:
            page.mouse.click(*ring)
            return page.locator(".maplibregl-popup li").count() > 0

        # The ring is drawn a moment after the zoom.
        assert comes_true(opens, every=0.5)
        told = page.locator(".maplibregl-popup li a").all_inner_texts()
        assert sorted(line.split(":")[0] for line in told) == ["Far 11", "Far 12", "Far 13"]
        page.click(".maplibregl-popup-close-button")

        # The pin with number 1 parts until only those of one door are together, told by name.
        for _ in range(8):
            page.locator("button.live-pin").first.click()
            assert no_pins_overlap()
            if page.locator(".maplibregl-popup").count():
                break
        links = page.locator(".maplibregl-popup li a").all()
        assert len(links) == 2
        for link in links:
            number, name = link.inner_text().split(": ", 1)
            assert names[number] == name
            assert link.get_attribute("href") == f"#result-{number}"


@pytest.mark.parametrize("width", [320, pytest.param(1280, marks=pytest.mark.slow)])
def test_open_maps_have_no_accessibility_faults(
    service_folder, open_page, street_server, axe, width
) -> None:
    with running(service_folder, street_server.archive("protomaps")) as address:
        page = open_page(viewport={"width": width, "height": 900}, bypass_csp=True)
        for path, button in ((SEARCH, OPEN), ("/es/place/101?near=10002", ".place-map button")):
            page.goto(address + path)
            if path == SEARCH:
                page.click(".results-map summary")
            page.click(button)
            page.wait_for_selector("[data-ready]", timeout=60_000)
            page.evaluate(axe)
            found = page.evaluate("axe.run()")["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
