"""Tasks of people who look for food, in a browser without JavaScript, on a phone and a wide screen."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

ASKED = {"day": ["monday"], "before": ["10:00"], "no_id": ["true"]}


@pytest.fixture(params=[320, 1280])
def page(request, browser) -> Any:
    size = {"width": request.param, "height": 900}
    context = browser.new_context(viewport=size, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("/", "Monday before 10, no ID, Spanish spoken, near 10002"),
        ("/es/", "lunes antes de las 10, sin identificación, que hablen español, cerca de 10002"),
    ],
)
def test_a_question_is_one_step(service, page, path, question) -> None:
    page.goto(service + path)
    page.fill("#q", question)
    page.press("#q", "Enter")
    kept = parse_qs(urlsplit(page.locator(".tools a").first.get_attribute("href")).query)
    assert {k: v for k, v in kept.items() if k in ASKED} == ASKED
    assert kept["language"][0].startswith("es")
    assert page.locator("h1").inner_text().endswith("10002")


def test_choices_take_three_steps(service, page) -> None:
    page.goto(f"{service}/search?q=10002")
    if page.viewport_size["width"] < 960:
        page.click("a.narrow")
        form = page.locator("form.filter")
    else:
        form = page.locator("aside form.filter")
    form.locator("input[name=day][value=monday]").check()
    form.locator("input[name=before]").fill("10:00")
    form.locator("input[name=no_id]").check()
    form.locator("button").click()
    sent = parse_qs(urlsplit(page.url).query)
    assert {k: v for k, v in sent.items() if k in ASKED} == ASKED
    assert page.locator(".chosen li").count() == 3


@pytest.mark.parametrize(
    "path", ["/filters?q=10002", "/es/search?q=10002&no_id=true", "/filters", "/print/10002"]
)
@pytest.mark.parametrize("width", [320, 1280])
def test_pages_fit_and_are_accessible(service, browser, axe, path, width) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(service + path)
    assert all(url.startswith(service) for url in asked)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(axe)
    found = page.evaluate("axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']})")
    assert [fault["id"] for fault in found["violations"]] == []
    context.close()


@pytest.mark.parametrize("width", [320, 1280])
def test_drawn_map_leads_to_the_list(service, browser, width) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{service}/search?q=10002")
    page.click(".results-map summary")
    page.locator(".drawn-map a").first.click()
    number = urlsplit(page.url).fragment
    assert page.locator(f"li#{number} h2").is_visible()
    context.close()


@pytest.mark.parametrize("path", ["/search?q=10002&open_now=true", "/es/search?q=10002&mode=all"])
def test_interactive_map_is_in_step_with_the_list(service, browser, path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.goto(service + path)
    page.click(".results-map summary")
    assert not any("maplibre" in url for url in asked)
    page.click(".results-map button")
    page.wait_for_selector("[data-ready]", timeout=60_000)
    assert all(url.startswith((service, "blob:", "data:")) for url in asked)
    dots = [url for url in asked if "places.geojson" in url]
    sent = parse_qs(urlsplit(path).query)
    assert [sent.items() <= parse_qs(urlsplit(url).query).items() for url in dots] == [True]
    assert page.locator(".live-pin").count() == page.locator(".numbered > li").count()
    here = page.locator(".results-map a.button")
    assert here.is_hidden()
    # The map is moved: the search follows, with its filters, and shows its map again.
    page.locator(".live-map canvas").focus()
    page.keyboard.press("ArrowUp")
    here.wait_for()
    here.click()
    page.wait_for_selector("[data-ready]", timeout=60_000)
    now = parse_qs(urlsplit(page.url).query)
    assert now["q"][0].startswith("@40.")
    assert {k: v for k, v in now.items() if k in sent and k != "q"} == {
        k: v for k, v in sent.items() if k != "q"
    }
    assert page.locator(".numbered > li").count() > 0
    assert faults == []
    context.close()
