"""Test the maps of search results: drawn without JavaScript, interactive with it."""

from urllib.parse import parse_qs, urlsplit

import pytest

from serving.render.words import words


@pytest.mark.parametrize("width", [320, 1280])
def test_the_drawn_map_links_to_the_list(service, open_page, width) -> None:
    page = open_page(viewport={"width": width, "height": 900}, java_script_enabled=False)
    page.goto(f"{service}/search?q=10002")
    page.click(".results-map summary")
    page.locator(".drawn-map a").first.click()
    number = urlsplit(page.url).fragment
    assert page.locator(f"li#{number} h2").is_visible()


@pytest.mark.parametrize("path", ["/search?q=10002&open_now=true", "/es/search?q=10002&mode=all"])
def test_the_interactive_map_follows_the_list(service, open_page, path) -> None:
    page = open_page(viewport={"width": 1280, "height": 900})
    urls: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.goto(service + path)
    page.click(".results-map summary")
    assert not any("maplibre" in url for url in urls)
    w = words("map", "es" if path.startswith("/es/") else "en")
    assert page.inner_text(".results-map button") == w.open
    page.click(".results-map button")
    page.wait_for_selector("[data-ready]", timeout=60_000)
    assert all(url.startswith((service, "blob:", "data:")) for url in urls)
    dots = [url for url in urls if "places.geojson" in url]
    query = parse_qs(urlsplit(path).query)
    assert [query.items() <= parse_qs(urlsplit(url).query).items() for url in dots] == [True]
    # Pins have the numbers of the list; one with several says so.
    numbers: list[int] = []
    for pin in page.locator(".live-pin").all():
        runs = [run.split("-") for run in pin.inner_text().split(", ")]
        own = [n for run in runs for n in range(int(run[0]), int(run[-1]) + 1)]
        name = page.inner_text(f"#result-{own[0]} h2")
        several = w.marker.format(numbers=pin.inner_text())
        label = f"{own[0]}: {name}" if len(own) == 1 else several
        assert pin.get_attribute("aria-label") == label
        numbers += own
    assert sorted(numbers) == [*range(1, page.locator(".numbered > li").count() + 1)]
    here = page.locator(".results-map a.button")
    assert here.is_hidden()
    # Moving the map repeats the search with its filters and shows the map again.
    page.locator(".live-map canvas").focus()
    page.keyboard.press("ArrowUp")
    here.wait_for()
    here.click()
    page.wait_for_url("**q=%40**")
    page.wait_for_selector("[data-ready]", timeout=60_000)
    now = parse_qs(urlsplit(page.url).query)
    assert now["q"][0].startswith("@40.")
    assert {k: v for k, v in now.items() if k in query and k != "q"} == {
        k: v for k, v in query.items() if k != "q"
    }
    assert page.locator(".numbered > li").count() > 0
    assert faults == []
