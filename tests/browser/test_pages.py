"""Test pages of areas and places, and the script of the search box, in a real browser."""

import io
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pdfplumber
import pytest

PAGES = [
    "/",
    "/zip/10002",
    "/es/zip/82401",
    "/city/NY/new-york",
    "/zip/00000",
    "/place/101",
    "/es/place/101?near=10002",
    "/place/101/card",
    "/urgent?q=10002",
    "/es/search?q=10002&page=2",
    "/es/search?q=10002&no_id=true",
    "/filters",
    "/filters?q=10002",
    "/print/10002",
    "/feedback?id=101",
    "/saved",
    "/es/saved",
    "/design",
    "/es/design",
    "/snap-calculator",
    "/es/snap-calculator?zip=10002&household_size=3&ages=70,6,2&rent_or_mortgage=900",
]
SUGGESTIONS = "#places [role=option]"


@pytest.mark.parametrize("path", PAGES)
def test_pages_fit_are_accessible_and_load_from_one_origin(service, open_page, axe, path) -> None:
    page = open_page(viewport={"width": 320, "height": 900}, bypass_csp=True)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(service + path)
    page.evaluate(axe)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        report = page.evaluate(
            "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
        )
        assert [fault["id"] for fault in report["violations"]] == [], f"{width} px"
    # Text at 200 percent does not scroll sideways (WCAG 1.4.4 and 1.4.10).
    page.set_viewport_size({"width": 320, "height": 900})
    page.evaluate("document.documentElement.style.fontSize = '212.5%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert all(url.startswith((service, "data:")) for url in urls)


def test_the_api_documentation_works_within_its_policy(service, open_page) -> None:
    page = open_page(viewport={"width": 1280, "height": 900})
    urls: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(service + "/docs")
    for operation in ("search-searchResources", "hsds-listHsdsServices", "statistics-getAtlas"):
        page.wait_for_selector(f"#operations-{operation}")
    page.locator("#operations-search-searchResources .opblock-summary-control").click()
    page.wait_for_selector("#operations-search-searchResources .responses-table")
    assert faults == []
    assert all(url.startswith((service, "data:")) for url in urls)


# Elements in view under the button with less than 24 by 24 pixels free beside it.
COVERED_CHOICES = """() => {
    const button = document.querySelector(".sticky button").getBoundingClientRect();
    return [...document.querySelectorAll("main :is(a, input, select, summary)")].filter(one => {
        const box = one.getBoundingClientRect();
        const meets = box.right > button.left && box.left < button.right
            && box.bottom > button.top && box.top < button.bottom;
        return meets && Math.max(button.left - box.left, box.right - button.right) < 24;
    }).map(one => one.name || one.textContent);
}"""


@pytest.mark.parametrize("path", ["/filters", "/es/filters?q=10002&food=halal"])
def test_the_button_of_filters_covers_no_choice(service, open_page, axe, path) -> None:
    page = open_page(
        viewport={"width": 320, "height": 568}, bypass_csp=True, reduced_motion="reduce"
    )
    page.goto(service + path)
    page.evaluate("document.querySelectorAll('main details').forEach(one => one.open = true)")
    page.evaluate(axe)
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height > 2000
    for n, top in enumerate(range(0, height, 24)):
        page.evaluate("top => window.scrollTo(0, top)", top)
        assert page.evaluate(COVERED_CHOICES) == [], top
        if n % 10 == 0:
            report = page.evaluate("axe.run({runOnly: {type: 'rule', values: ['target-size']}})")
            assert report["violations"] == [], top
    # A choice with the keyboard's focus is not under the bar.
    page.evaluate("window.scrollTo(0, 0)")
    below = """() => {
        const one = document.activeElement, bar = document.querySelector(".sticky");
        return !bar.contains(one) && one.closest("form.filter")
            && one.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1;
    }"""
    for _ in range(page.locator("form.filter :is(a, input, select, summary):visible").count()):
        page.keyboard.press("Tab")
        assert not page.evaluate(below), page.evaluate("document.activeElement.name")


def test_counts_of_filters_follow_a_choice(service, open_page) -> None:
    page = open_page(viewport={"width": 320, "height": 640})
    page.goto(service + "/filters?q=10002")
    button = page.locator(".sticky button")
    before = button.inner_text()
    page.check("form.filter [name=include_unknown]")
    page.check("form.filter [name=days][value=monday]")
    # Each choice is counted on its own: the address has the last one when its count is shown.
    page.wait_for_url("**days=monday**")
    assert button.inner_text() != before
    places = int(button.inner_text().split()[1])
    button.click()
    assert page.locator("ol.cards.numbered > li").count() == min(places, 10)


@pytest.mark.parametrize("path", ["/search?q=10002", "/es/search?q=10002"])
def test_the_first_result_is_within_ten_tab_stops(service, open_page, path) -> None:
    page = open_page(viewport={"width": 320, "height": 640})
    page.goto(service + path)
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.closest('#results')"):
            break
    assert page.evaluate("!!document.activeElement.closest('#result-1')")


def test_arrow_keys_move_through_the_choices_above_the_results(service, open_page) -> None:
    page = open_page()
    page.goto(service + "/search?q=10002")
    items = page.locator("[role=toolbar] :is(.chips a, .more, summary)")
    items.first.focus()
    page.keyboard.press("End")
    assert items.last.evaluate("one => one === document.activeElement")
    page.keyboard.press("ArrowRight")
    assert items.first.evaluate("one => one === document.activeElement")


@pytest.fixture
def page(open_page) -> Any:
    return open_page(viewport={"width": 320, "height": 900})


def _suggest(page, address: str, text: str) -> Any:
    """Fill the search box and wait for suggestions; return the box.

    Not key by key: on a busy machine a part of the text would have suggestions of its own.
    """
    page.goto(address)
    box = page.locator("#q")
    box.fill(text)
    page.wait_for_selector(SUGGESTIONS)
    return box


def test_a_misspelt_city_is_suggested_and_chosen_with_the_keyboard(service, page) -> None:
    box = _suggest(page, service + "/", "sallem")
    options = page.locator(SUGGESTIONS).all_inner_texts()
    assert options[0] == "Salem, OR"
    assert box.get_attribute("aria-expanded") == "true"
    assert page.locator("[role=status]").inner_text().startswith(f"Suggestions: {len(options)}.")
    box.press("ArrowDown")
    active = box.get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-selected") == "true"
    box.press("Enter")
    assert box.input_value() == "Salem, OR"
    assert box.get_attribute("aria-expanded") == "false"
    assert urlsplit(page.url).path == "/"
    box.press("Enter")
    page.wait_for_url("**/search?**")
    assert parse_qs(urlsplit(page.url).query)["q"] == ["Salem, OR"]


def test_suggestions_close_and_a_tap_chooses_one(service, page) -> None:
    box = _suggest(page, service + "/es/", "1000")
    box.press("Escape")
    assert page.locator("#places").is_hidden()
    box.press("Backspace")
    page.wait_for_selector(SUGGESTIONS)
    option = page.locator(SUGGESTIONS).first
    zip_code = re.search(r"100\d\d", option.inner_text())
    option.click()
    assert zip_code
    assert box.input_value() == zip_code[0]


def test_suggestions_close_at_a_complete_zip_code(service, page) -> None:
    box = _suggest(page, service + "/es/urgent", "1000")
    box.press_sequentially("2")
    page.wait_for_selector("#places", state="hidden")
    page.locator("form.search button").first.click()
    page.wait_for_url("**/es/urgent?**")
    assert "10002" in parse_qs(urlsplit(page.url).query).popitem()[1]


def test_suggestions_close_at_a_complete_city(service, page) -> None:
    box = _suggest(page, service + "/", "Salem, O")
    with page.expect_response("**/api/autocomplete?**q=Salem%2C%20OR"):
        box.press("R")
    page.wait_for_selector("#places", state="hidden")
    page.locator("form.search button").first.click()
    page.wait_for_url("**/search?**")
    assert parse_qs(urlsplit(page.url).query)["q"] == ["Salem, OR"]


def test_a_tap_requests_the_location_and_sends_it_rounded(service, open_page) -> None:
    page = open_page(
        viewport={"width": 320, "height": 900},
        geolocation={"latitude": 40.715712345, "longitude": -73.986298765},
        permissions=["geolocation"],
    )
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(service + "/es/")
    assert not [url for url in urls if "40." in url]
    page.get_by_role("button", name="Usar mi ubicación").click()
    page.wait_for_url("**/es/search?**")
    assert parse_qs(urlsplit(page.url).query)["q"] == ["40.716, -73.986"]
    assert "redondeada" in page.content()
    assert page.locator("h1").inner_text().endswith("10002")


def test_a_refused_location_says_what_to_do(service, page) -> None:
    page.goto(service + "/")
    button = page.get_by_role("button", name="Use my location")
    button.click()
    page.wait_for_selector("[role=status]:has-text('ZIP code or city')")
    assert button.is_enabled()
    assert urlsplit(page.url).path == "/"


@pytest.mark.parametrize("path", ["/", "/urgent", "/search"])
def test_without_javascript_only_the_search_button_remains(service, open_page, path) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(service + path)
    assert page.get_by_role("button").count() == 1
    assert page.locator("[role=combobox]").count() == 0


def test_a_first_visit_costs_at_most_30_kb(service, open_page) -> None:
    for path in ("/", "/zip/10002", "/place/101", "/search?q=10002", "/es/saved", "/design"):
        page = open_page()
        client = page.context.new_cdp_session(page)
        client.send("Network.enable")
        sizes: list[float] = []
        client.on("Network.loadingFinished", lambda e, s=sizes: s.append(e["encodedDataLength"]))
        page.goto(service + path, wait_until="networkidle")
        assert 0 < sum(sizes) <= 30_000, path


@pytest.mark.parametrize(
    "path",
    [
        "/print/10002",
        "/es/print/10002?places=10",
        "/place/101/card",
    ],
)
def test_pages_for_printing_have_one_sheet(service, open_page, path) -> None:
    page = open_page()
    page.goto(service + path)
    assert _count_printed_pages(page) == 1
    page.emulate_media(media="print")
    sizes = page.locator(".sheet :is(th, td, li, p)").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize) * 72 / 96)"
    )
    assert len(sizes) > 10
    # Large type, in points; small print is for notes on a card only.
    assert min(sizes) >= (9 if path.endswith("/card") else 11)


@pytest.mark.parametrize("prefix", ["", "/es"])
def test_the_printed_benefits_answer_has_one_sheet(service, open_page, prefix) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{service}{prefix}/snap-calculator")
    values = {
        "zip": "10002",
        "household_size": "4",
        "ages": "34, 33, 8, 3",
        "rent_or_mortgage": "900",
    }
    for name, value in values.items():
        page.fill(f"main [name={name}]", value)
    page.locator("main form button").click()
    page.wait_for_selector("#result")
    assert _count_printed_pages(page) == 1


def _count_printed_pages(page: Any) -> int:
    document = page.pdf(format="Letter", prefer_css_page_size=True)
    with pdfplumber.open(io.BytesIO(document)) as pdf:
        return len(pdf.pages)
