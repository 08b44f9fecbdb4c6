"""Test that tasks of people who need food, case workers and operators take at most three steps.

A step loads a page: it submits a form or follows a link. `TASKS=all` tests every task in both
languages, with and without JavaScript, at 320 and 1280 px; otherwise each task has one of these
combinations in turn.
"""

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

MAX_STEPS = 3
RESULTS, FIRST_PLACE = "ol.cards > li", ".cards h2 a"


@dataclass(frozen=True)
class Task:
    """Steps from the front page, and a selector or check of the last page."""

    steps: tuple[Callable[[Any, str], None], ...]
    shows: str | Callable[[Any], bool]


def ask(english: str, spanish: str | None = None, **values: str) -> Callable[[Any, str], None]:
    """Submit the search box."""

    def step(page: Any, language: str) -> None:
        opener = page.locator("details:has(form.search) > summary")
        if opener.count():
            opener.first.click()
        page.fill("#q", spanish if spanish and language == "es" else english)
        for name, value in values.items():
            page.select_option(f"form.search [name={name}]", value)
        page.locator("form.search button:not([type=button])").first.click()

    return step


def follow(selector: str) -> Callable[[Any, str], None]:
    """Follow the first visible link of a CSS selector."""

    def step(page: Any, language: str) -> None:
        page.locator(f"{selector} >> visible=true").first.click()

    return step


def open_filters(page: Any, language: str) -> None:
    """Open the page of filters."""
    page.click("a.more")


def choose(**values: str) -> Callable[[Any, str], None]:
    """Tick and fill filters, and submit them."""

    def step(page: Any, language: str) -> None:
        form = page.locator("form.filter >> visible=true").first
        for name, value in values.items():
            summary = form.locator(f"details:not([open]):has([name={name}]) > summary")
            if summary.count():
                summary.click()
            field = form.locator(f"[name={name}][value='{value}']")
            if field.count():
                field.check()
            else:
                field = form.locator(f"[name={name}]").first
                tag = field.evaluate("e => e.tagName")
                (field.select_option if tag == "SELECT" else field.fill)(value)
        form.locator("button").last.click()

    return step


def fill(selector: str, **values: str) -> Callable[[Any, str], None]:
    """Fill and submit a form."""

    def step(page: Any, language: str) -> None:
        form = page.locator(selector).first
        for name, value in values.items():
            field = form.locator(f"[name={name}]").first
            tag = field.evaluate("e => e.tagName")
            (field.select_option if tag == "SELECT" else field.fill)(value)
        form.locator("button:not([type=button])").first.click()

    return step


def has_search(**values: str) -> Callable[[Any], bool]:
    """Check that the search of the page has these parameters."""

    def check(page: Any) -> bool:
        query = parse_qs(urlsplit(page.locator("a.more").first.get_attribute("href")).query)
        return all(value in ",".join(query.get(name, [])) for name, value in values.items())

    return check


NEAR = "10002"
TASKS: dict[str, Task] = {
    "free food near a ZIP code": Task((ask(NEAR),), RESULTS),
    "free food at an address": Task((ask("1 Main St, New York, NY 10002"),), RESULTS),
    "a city that is misspelt": Task((ask("New Yrok, NY"),), RESULTS),
    "food that is open now": Task((follow("nav a[href$='/urgent']"), ask(NEAR)), ".card.place"),
    "Monday before 10, no ID, Spanish spoken": Task(
        (
            ask(
                "Monday before 10, no ID, Spanish spoken, on foot from 10002",
                "lunes antes de las 10, sin identificación, que hablen español, a pie desde 10002",
            ),
        ),
        has_search(day="monday", before="10:00", no_id="true", language="es"),
    ),
    "a senior food box": Task(
        (
            ask("senior food box 10002", "caja para personas mayores 10002"),
            follow("main a[href$='/commodity-programs']"),
        ),
        "main h1",
    ),
    "hungry, without a place": Task((ask("I'm hungry", "tengo hambre"), ask(NEAR)), RESULTS),
    "a short name that is a state too": Task((ask("LA"),), "main a[href*='Los+Angeles']"),
    "a question in another language": Task(
        (ask("我需要食物 10002"),), f"main:has(.notice.warn) {RESULTS}"
    ),
    "how to apply, wherever that is": Task(
        (
            ask("how do I apply for food stamps", "cómo solicito estampillas de comida"),
            follow("main a[href$='/snap-calculator']"),
        ),
        "main form",
    ),
    "the same by choices": Task(
        (ask(NEAR), open_filters, choose(days="monday", before="10:00", no_id="true")),
        has_search(days="monday", before="10:00", no_id="true"),
    ),
    "within walking distance": Task(
        (ask(NEAR), open_filters, choose(radius="2")), has_search(radius="2")
    ),
    "a WIC office": Task((ask(NEAR, mode="wic"),), RESULTS),
    "stores that take SNAP": Task((ask(NEAR, mode="snap"),), RESULTS),
    "a pantry by its name": Task((ask("Example Pantry East"),), "a[href$='/place/101']"),
    "call a pantry": Task((ask(NEAR),), ".actions a[href^='tel:']"),
    "directions": Task((ask(NEAR),), ".actions a[href*='maps']"),
    "hours of a place this week": Task((ask(NEAR), follow(FIRST_PLACE)), "main table"),
    "a card of a place to print": Task(
        (ask(NEAR), follow(FIRST_PLACE), follow("a[href$='/card']")), "main img"
    ),
    "a place that has closed": Task(
        (ask(NEAR), follow(FIRST_PLACE), follow("a[href*='/feedback'][href*='type=closed']")),
        "form [name=type] option[value=closed][selected]",
    ),
    "print for a client": Task((ask(NEAR), follow("main a[href*='/print/']")), ".sheet tbody tr"),
    "a page for a ZIP code": Task((ask(NEAR), follow("main a[href*='/zip/']")), ".card.place"),
    "the same search in the other language": Task(
        (ask(NEAR), follow("a.lang")), f"form [name=q][value='{NEAR}']"
    ),
    "I run this pantry and we are closed today": Task(
        (
            follow("footer a[href$='/claim']"),
            fill("form.search", q="Example Pantry East"),
            follow("main a[href*='id=101']"),
        ),
        "form [name=operator_email]",
    ),
    "a place is missing": Task((follow("footer a[href$='/add']"),), "form [name=resource_type]"),
    "how much SNAP a family may get": Task(
        (
            follow("nav a[href$='/benefits']"),
            follow("main a[href$='/snap-calculator']"),
            fill("main form", state="OR", household_size="3", monthly_earned_income="1800"),
        ),
        "#result",
    ),
    "who helps where nothing is listed": Task((ask("Cody, WY"),), "a[href^='tel:211']"),
    "apply for SNAP in my state": Task((follow("nav a[href$='/states']"),), "a[href*='my.alaska']"),
}
WALKS = list(itertools.product(("en", "es"), (True, False), (320, 1280)))


def _combinations() -> list[Any]:
    if os.environ.get("TASKS") == "all":
        return [pytest.param(name, *walk) for name in TASKS for walk in WALKS]
    return [
        pytest.param(name, *walk) for name, walk in zip(TASKS, itertools.cycle(WALKS), strict=False)
    ]


@pytest.mark.parametrize(("name", "language", "has_script", "width"), _combinations())
def test_a_task_takes_at_most_three_steps(
    service, open_page, name, language, has_script, width
) -> None:
    task = TASKS[name]
    loads = sum(step is not open_filters or width < 960 for step in task.steps)
    assert loads <= MAX_STEPS
    page = open_page(viewport={"width": width, "height": 900}, java_script_enabled=has_script)
    page.goto(f"{service}{'/es/' if language == 'es' else '/'}")
    for step in task.steps:
        step(page, language)
        page.wait_for_load_state("load")
    if callable(task.shows):
        assert task.shows(page), page.url
    else:
        page.locator(task.shows).first.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= width if has_script else True
