"""Test saved places without a connection: shown with their doubts, reports sent later."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.browser import wait_until
from tests.support.town import TODAY

PLACE, HOURS_DATE = 101, TODAY - timedelta(days=20)
LATE = {"/": "about an earlier day", "/es/": "un día anterior"}
SAVED_PAGES = {"/": "/saved", "/es/": "/es/saved"}
WORDS = {
    "/": ("Save on this phone", "Open by the published hours", "Call first.", "not sent yet"),
    "/es/": (
        "Guardar en este teléfono",
        "Abierto según el horario publicado",
        "Llame antes de ir.",
        "todavía sin enviar",
    ),
}


@pytest.fixture
def phone(browser) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 320, "height": 900})
    yield context
    context.close()


@pytest.fixture(params=["/", "/es/"])
def start(request) -> str:
    """Front page of a language."""
    return str(request.param)


def visit(context: Any, address: str) -> Any:
    """Open a page and wait for control by the service worker."""
    page = context.new_page()
    page.goto(address)
    page.evaluate("navigator.serviceWorker.ready.then(() => {})")
    wait_until(page, "navigator.serviceWorker.controller !== null")
    return page


def save(context: Any, address: str) -> Any:
    page = visit(context, address)
    part = page.locator("[data-save]")
    part.locator("button").click()
    part.locator("a").wait_for()
    return page


def wait_until_stored(page: Any, cache: str, count: int) -> None:
    """Wait until a cache has a number of entries, which pages store last; raises after 30 s."""
    page.evaluate(
        """async ([name, count]) => { const cache = await caches.open(name), end = Date.now() + 30000;
        for (;;) {
        const length = (await cache.keys()).length;
        if (length >= count) return;
        if (Date.now() > end) throw new Error(`${length} of ${count} entries in ${name}`);
        await new Promise(resolve => setTimeout(resolve, 50)); } }""",
        [cache, count],
    )


def disconnect(context: Any, page: Any) -> None:
    """Go offline, without the pages that the browser may cache for a minute."""
    context.new_cdp_session(page).send("Network.clearBrowserCache")
    context.set_offline(True)


def test_a_saved_place_opens_without_a_connection(service, phone, start) -> None:
    label, is_open, _, _ = WORDS[start]
    path = f"{start}place/{PLACE}"
    page = visit(phone, service + path)
    assert page.locator("[data-save] button").inner_text() == label
    page = save(phone, service + path)
    disconnect(phone, page)
    for address in (path, f"{start}search?q=nowhere", SAVED_PAGES[start]):
        page.goto(service + address)
        card = page.locator("#place article")
        card.wait_for()
        assert page.locator("html").get_attribute("lang") == ("es" if start == "/es/" else "en")
        assert "Example Pantry East" in card.inner_text()
        assert card.locator(".state.open").inner_text() == is_open
        # Data change once an hour, and may be older than the tap that saved the place.
        says = "Datos de" if start == "/es/" else "Data from"
        assert page.locator("#place [data-slot=age]").inner_text().startswith(says)
        page.locator("#offline").wait_for()
        # Only a page that is not saved says so.
        assert page.locator("#elsewhere").is_visible() == ("search" in address)
    phone.set_offline(False)
    page.goto(service + SAVED_PAGES[start])
    page.locator("#place article").wait_for()
    assert page.locator("#offline").is_hidden()
    page.locator("#place .pack button").first.click()
    page.locator("#none").wait_for()


# Counts packs removed from the cache, or removed again after they were fetched.
COUNT_REMOVALS = """{ const real = Cache.prototype.delete;
window.removals = 0;
Cache.prototype.delete = function (key) {
  return real.call(this, key).then(found => {
    if (String(key.url || key).includes("/packs/")) window.removals++;
    return found; }); } }"""
# Scripts that delay the request for a pack, or its storing, until `release()`.
DELAYS = {
    "fetched": """{ const real = window.fetch;
window.fetch = (address, options) => String(address).includes("/packs/")
  ? new Promise(resolve => { window.release = resolve; }).then(() => real(address, options)) : real(address, options); }""",
    "stored": """{ const real = Cache.prototype.put;
Cache.prototype.put = function (address, answer) {
  return new Promise(resolve => { window.release = resolve; }).then(() => real.call(this, address, answer)); } }""",
}


@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
def test_a_place_removed_while_it_is_fetched_stays_removed(service, phone, delay: str) -> None:
    page = save(phone, f"{service}/place/{PLACE}")
    page.add_init_script(COUNT_REMOVALS)
    page.add_init_script(delay)
    page.goto(service + SAVED_PAGES["/"])
    wait_until(page, "window.release !== undefined")
    page.locator("#place .pack button").first.click()
    page.locator("#none").wait_for()
    page.evaluate("window.release()")
    wait_until(page, "window.removals === 2")
    assert (
        page.evaluate("caches.open('packs').then(cache => cache.keys()).then(keys => keys.length)")
        == 0
    )
    assert page.locator("#none").is_visible()


@pytest.mark.parametrize(
    ("age", "says"),
    [
        (timedelta(days=1), "open"),
        (timedelta(days=6, hours=20), "open"),
        (timedelta(days=7, hours=1), None),
        (timedelta(days=400), None),
        # A wrong clock.
        (timedelta(days=-2), None),
    ],
)
def test_a_pack_past_its_limit_is_never_shown_as_open(service, phone, start, age, says) -> None:
    disconnect(phone, save(phone, f"{service}{start}place/{PLACE}"))
    page = phone.new_page()
    page.clock.set_fixed_time(datetime.now(UTC) + age)
    page.goto(f"{service}{start}place/{PLACE}")
    page.locator("#place article").wait_for()
    # Find and read in one script: the list is drawn again when the connection fails, and the
    # cards appear only once it is open.
    text, is_visible = page.evaluate(
        """async state => { for (let frame = 0; frame < 1000; frame++) {
        const card = document.querySelector("#place article");
        if (card) return [card.innerText, !!card.querySelector(state)?.checkVisibility()];
        await new Promise(requestAnimationFrame); }
        throw new Error("no card"); }""",
        f".state.{says}" if says else ".doubt[data-slot=state]",
    )
    assert is_visible
    _, is_open, call, _ = WORDS[start]
    assert (is_open in text) == (says == "open")
    assert (call in text) == (says is None)
    assert str(HOURS_DATE.year) in text, "the day of the hours"


def test_an_area_is_saved_with_its_contacts(service, phone, start) -> None:
    disconnect(phone, page := save(phone, f"{service}{start}zip/10002"))
    page.goto(f"{service}{start}zip/10002")
    wait_until(page, "document.querySelectorAll('#area article').length > 10")
    assert "211" in page.locator("#area [data-slot=contacts]").inner_text()
    # This one's hours are old and not asserted.
    stale = page.locator("#area article", has_text="Kitchen").locator("[data-slot=state]")
    assert WORDS[start][2] in stale.inner_text()


def test_recent_searches_are_saved_except_those_of_a_location(service, phone, start) -> None:
    for query in ("q=10002", "q=10002&mode=snap", "q=40.716,+-73.986"):
        page = visit(phone, f"{service}{start}search?{query}")
        page.wait_for_load_state("networkidle")
    wait_until_stored(page, "packs", 2)
    disconnect(phone, page)
    page.goto(f"{service}{SAVED_PAGES[start]}")
    page.locator("#search summary").first.wait_for()
    titles = page.locator("#search summary").all_inner_texts()
    assert len(titles) == 2
    assert all("10002" in title for title in titles)
    page.locator("#search summary").first.click()
    page.locator("#search article").first.wait_for()


def feedback(database: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(database) as db:
        return db.execute("SELECT resource_id, type, comment FROM feedback").fetchall()


@pytest.fixture
def database(service_folder) -> Path:
    path: Path = service_folder / "operations.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM feedback")
    return path


@pytest.mark.parametrize("way", ["saved page", "form"])
def test_feedback_waits_and_is_sent_once(service, phone, database, start, way) -> None:
    page = save(phone, f"{service}{start}place/{PLACE}")
    if way == "form":
        page.goto(f"{service}{start}feedback?id={PLACE}&type=closed")
        disconnect(phone, page)
        page.locator("form[data-waits] button").click()
    else:
        disconnect(phone, page)
        page.goto(f"{service}{start}place/{PLACE}")
        page.locator("#place article summary").click()
        page.locator("#place article select").select_option("closed")
        page.locator("#place article form button").click()
    page.wait_for_url(f"**{SAVED_PAGES[start]}#waiting")
    waiting = page.locator("#waiting li")
    waiting.wait_for()
    assert "Example Pantry East" in waiting.inner_text()
    assert WORDS[start][3] in waiting.inner_text()
    assert feedback(database) == []
    body = page.evaluate(
        "caches.open('queue').then(q => q.keys().then(k => q.match(k[0]))).then(r => r.json()).then(e => e.body)"
    )
    phone.set_offline(False)
    waiting.wait_for(state="detached")
    assert feedback(database) == [(PLACE, "closed", None)]
    # Sent again after a lost answer, the report is not another vote.
    again = httpx.post(
        f"{service}/feedback",
        content=body,
        headers={"content-type": "application/x-www-form-urlencoded", "origin": service},
    )
    assert again.status_code == 200
    assert feedback(database) == [(PLACE, "closed", None)]


@pytest.mark.parametrize(("days_late", "outcome"), [(0, "sent"), (2, "late")])
def test_closed_today_waits_until_the_end_of_the_day(
    service, phone, database, start, days_late, outcome
) -> None:
    claim = {"resource_id": PLACE, "operator_email": f"{outcome}{len(start)}@example.org"}
    token = httpx.post(f"{service}/api/pantry/claim", json=claim).json()["claim_token"]
    page = visit(phone, f"{service}{start}pantry/manage/{token}")
    wait_until_stored(page, "shell", 4)
    disconnect(phone, page)
    page.locator("button[value=closed_today]").click()
    page.wait_for_url(f"**{SAVED_PAGES[start]}#waiting")
    waiting = page.locator("#waiting li")
    waiting.wait_for()
    if days_late:
        # The phone was off for two days.
        page.evaluate(
            """caches.open('queue').then(async q => { const [k] = await q.keys(), e = await (await q.match(k)).json();
            await q.put(k, new Response(JSON.stringify({...e, until: e.until - 2 * 86400000}))) })"""
        )
    phone.set_offline(False)
    if outcome == "sent":
        waiting.wait_for(state="detached")
    else:
        page.locator("#waiting li", has_text=LATE[start]).wait_for()
    with sqlite3.connect(database) as db:
        query = "SELECT s.status FROM statuses s JOIN claims c USING (claim_id) WHERE c.operator_email = ?"
        statuses = [row[0] for row in db.execute(query, (claim["operator_email"],))]
    assert statuses == (["closed_today"] if outcome == "sent" else [])
