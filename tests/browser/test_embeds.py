"""Test widget, card, badge and catalog on another site, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.support.browser import wait_until
from tests.support.other_site import OtherSite

WIDTHS = (280, 420, 1200)
MAX_BYTES = 30_000
FRAMES = {
    "widget": "/embed/widget?zip=10002&limit=5",
    "widget in Spanish": "/embed/widget?zip=10002&lang=es&compact=1",
    "empty widget": "/embed/widget",
    "card": "/embed/pantry/101",
    "card in Spanish": "/embed/pantry/102?lang=es",
    "catalog": "/embed/catalog",
}


@contextmanager
def _page(browser: Any, width: int, **options: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": width, "height": 800}, **options)
    try:
        yield context.new_page()
    finally:
        context.close()


def _frame_of(page: Any, path: str) -> Any:
    page.locator("iframe").wait_for()
    page.frame_locator("iframe").locator("h1").first.wait_for()
    return next(frame for frame in page.frames if path.partition("?")[0] in frame.url)


def _wait_for_height(frame: Any) -> None:
    """Wait until the frame is as tall as its content: the host page has handled its messages."""
    frame.wait_for_load_state("load")
    wait_until(
        frame,
        "Math.ceil(document.getElementById('main').getBoundingClientRect().bottom + scrollY) === innerHeight",
    )


def _with(path: str, query: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{query}"


@pytest.mark.parametrize(
    ("name", "theme"), [*((name, "light") for name in FRAMES), ("widget", "dark")]
)
def test_frames_on_another_site(
    service: str, other_site: OtherSite, browser: Any, name: str, theme: str
) -> None:
    path = _with(FRAMES[name], f"theme={theme}")
    address = other_site.page(
        "host",
        f'<iframe src="{service}{path}" title="Food" width="100%" height="600" style="border:0"></iframe>',
    )
    with _page(browser, WIDTHS[0]) as page:
        errors: list[str] = []
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        urls: list[str] = []
        page.on("request", lambda request: urls.append(request.url))
        page.goto(address)
        frame = _frame_of(page, path)
        assert frame.locator("h1").first.is_visible()
        assert [url for url in urls if not url.startswith((service, other_site.address))] == []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            box = frame.evaluate(
                "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
            )
            assert box[0] <= box[1], f"{width} px: scrolls sideways"
        ground = frame.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") is (theme == "light")
        assert errors == []
    with _page(browser, WIDTHS[0], java_script_enabled=False) as page:
        page.goto(address)
        assert _frame_of(page, path).locator("h1").first.is_visible()


def test_a_widget_works_without_scripts(service: str, other_site: OtherSite, browser: Any) -> None:
    address = other_site.page(
        "host",
        f'<iframe src="{service}/embed/widget?theme=dark&amp;limit=2&amp;ref=other" title="Food" width="280" height="900"></iframe>',
    )
    with _page(browser, 320, java_script_enabled=False) as page:
        page.goto(address)
        frame = page.frame_locator("iframe")
        frame.get_by_label("ZIP code").fill("10002")
        frame.get_by_role("button", name="Search").click()
        frame.get_by_role("link", name="Example Pantry East", exact=True).wait_for()
        assert frame.locator("article").count() == 2
        assert frame.locator("html").get_attribute("data-theme") == "dark"
        frame.get_by_role("link", name="Español").click()
        frame.get_by_text("Comida cerca de New York, NY 10002").wait_for()


@pytest.mark.parametrize(
    ("container", "path"),
    [
        (
            '<div data-food-finder data-zip="10002" data-limit="3"><a href="#">Find food</a></div>',
            "/embed/widget",
        ),
        (
            '<div data-food-card="101" data-theme="dark"><a href="#">Pantry</a></div>',
            "/embed/pantry/101",
        ),
    ],
)
def test_the_script_sets_the_height(
    service: str, other_site: OtherSite, browser: Any, container: str, path: str
) -> None:
    listener = "<script>window.messages=[];window.addEventListener('message',function(e){messages.push([e.origin,e.data])})</script>"
    address = other_site.page(
        "host", f'{listener}{container}<script async src="{service}/embed/embed.js"></script>'
    )
    with _page(browser, 360) as page:
        page.goto(address)
        frame = _frame_of(page, path)
        _wait_for_height(frame)
        origin, message = page.evaluate("messages[messages.length - 1]")
        assert origin == service
        assert message == {
            "type": "food-card:resize",
            "id": 101 if "pantry" in path else None,
            "height": message["height"],
            "v": 1,
        }
        assert page.evaluate("document.querySelector('iframe').offsetHeight") == message["height"]
        inside = frame.evaluate("[document.documentElement.scrollHeight, window.innerHeight]")
        assert inside[0] <= inside[1], "nothing is cut off"
        assert page.locator("a", has_text="Find food").count() == 0


def test_an_invalid_container_keeps_its_link(
    service: str, other_site: OtherSite, browser: Any
) -> None:
    address = other_site.page(
        "host",
        f'<div data-food-card="../../releases"><a href="#">Pantry</a></div><script async src="{service}/embed/embed.js"></script>',
    )
    with _page(browser, 360) as page:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.locator("iframe").count() == 0
        assert page.get_by_text("Pantry").is_visible()


def test_messages_not_from_the_frame_change_nothing(
    service: str, other_site: OtherSite, browser: Any
) -> None:
    address = other_site.page(
        "host",
        f'<div data-food-card="101"></div><script async src="{service}/embed/embed.js"></script>',
    )
    with _page(browser, 360) as page:
        page.goto(address)
        _wait_for_height(_frame_of(page, "/embed/pantry/101"))
        before = page.locator("iframe").bounding_box()
        script = "new Promise(resolve => {addEventListener('message', () => requestAnimationFrame(() => resolve(true))); postMessage({type:'food-card:resize',id:101,height:5000,v:1},'*')})"
        assert page.evaluate(script)
        assert page.locator("iframe").bounding_box() == before


@pytest.mark.parametrize("path", ["/embed/widget?zip=10002&limit=5", "/embed/pantry/101"])
def test_an_embed_transfers_at_most_30_kb(
    service: str, other_site: OtherSite, browser: Any, path: str
) -> None:
    address = other_site.page(
        "host",
        f'<iframe src="{service}{path}" title="Food" width="100%" height="600"></iframe><script async src="{service}/embed/embed.js"></script>',
    )
    with _page(browser, 420) as page:
        sizes: list[tuple[str, int]] = []

        def count(request: Any) -> None:
            if request.url.startswith(service):
                size = request.sizes()
                sizes.append((request.url, size["responseBodySize"] + size["responseHeadersSize"]))

        page.on("requestfinished", count)
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert len(sizes) >= 3
        assert sum(size for _, size in sizes) < MAX_BYTES, sizes


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("place", [101, 102, 104, 108])
def test_a_card_fits_its_frame(service: str, browser: Any, place: int, language: str) -> None:
    """The catalog's code has a frame of 420 by 380."""
    with _page(browser, 420) as page:
        page.set_viewport_size({"width": 420, "height": 380})
        page.goto(f"{service}/embed/pantry/{place}?language={language}")
        script = "Math.ceil(document.getElementById('main').getBoundingClientRect().bottom)"
        assert page.evaluate(script) <= 380
        assert page.evaluate("document.documentElement.scrollHeight") <= 380


def test_the_keyboard_reaches_everything(service: str, browser: Any) -> None:
    with _page(browser, 360) as page:
        page.goto(f"{service}/embed/widget?zip=10002&limit=1")
        # On a phone a card has one action.
        shown = "a[href]:visible, button:visible, input:not([type=hidden]):visible"
        count = page.locator(shown).count()
        elements = set()
        for _ in range(count + 2):
            page.keyboard.press("Tab")
            elements.add(page.evaluate("document.activeElement.outerHTML"))
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none" or page.evaluate("document.activeElement === document.body")
        assert len([html for html in elements if not html.startswith("<body")]) == count


@pytest.mark.parametrize(
    "path",
    [
        *FRAMES.values(),
        "/es/embed/catalog",
        "/badges",
        "/es/badges",
        "/badge/101",
        "/es/badge/108",
        "/embed/widget?zip=Adakk",
    ],
)
def test_axe_reports_no_violation(service: str, browser: Any, axe: str, path: str) -> None:
    for theme, width in (("light", 280), ("dark", 1200)):
        with _page(browser, width, color_scheme=theme, bypass_csp=True) as page:
            page.goto(service + _with(path, f"theme={theme}"))
            page.evaluate(axe)
            report = page.evaluate(
                "axe.run({runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']})"
            )
            faults = [
                (v["id"], [n["html"][:150] for n in v["nodes"]]) for v in report["violations"]
            ]
            assert faults == [], f"{theme}, {width} px"
