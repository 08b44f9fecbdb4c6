"""Searching for all who ask in one turn of the event loop: the same answers, one call."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from serving.search import batch as together
from serving.search.batch import QueryBatch, batch_of
from serving.search.find import find, search
from serving.search.query import Page, Query, chosen_types
from serving.search.start import start_of_point
from tests.support.town import ADAK, GUAM, NEW_YORK
from warehouse.index.reader import OpenRelease
from warehouse.index.spatial import Near, Sought
from warehouse.release.store import ReleaseStore

NOW = datetime(2026, 11, 24, 17, 30, tzinfo=UTC)
ASKED = [
    (at, mode, radius, page)
    for at in (NEW_YORK, ADAK, GUAM)
    for mode in (None, "free", "snap", "wic")
    for radius in (0.0, 0.0001, 25.0, 500.0)
    for page in (Page(10), Page(2, 2), Page(100, 50))
]


@pytest.fixture
def release(town):
    store = ReleaseStore(town)
    opened = OpenRelease(store.folder(str(store.current())))
    yield opened
    opened.close()


@pytest.fixture
def calls(monkeypatch):
    """How many questions were answered in each call."""
    made = []

    def counted(asked):
        made.append(len(asked))
        return near_together(asked)

    near_together = together.near_together
    monkeypatch.setattr(together, "near_together", counted)
    return made


def question(release, at, mode, radius, page):
    query = Query(chosen_types(mode, None), radius, page, expands=False)
    return release, start_of_point(release, *at), query, NOW


def test_all_who_ask_in_a_turn_are_answered_in_one_call(release, calls):
    questions = [question(release, *asked) for asked in ASKED]

    async def ask():
        return await asyncio.gather(*(search(*asked) for asked in questions))

    assert asyncio.run(ask()) == [find(*asked) for asked in questions]
    assert calls == [len(ASKED)]


def test_types_of_several_groups_are_found_together(release):
    selection = release.spatial.select(chosen_types(None, "wic_office,snap_retailer,diaper_bank"))
    at = start_of_point(release, *NEW_YORK).at

    async def ask():
        return await batch_of(release).near(Sought(selection, at, 80_000.0, 0, 5))

    within = selection.within(at, 80_000.0).hits()
    assert len(within) > 1
    assert asyncio.run(ask()) == Near(len(within), within[:5])


def test_who_has_gone_keeps_nobody_else_from_the_answer(release):
    asked = question(release, NEW_YORK, "free", 25.0, Page(10))

    async def ask():
        gone, stayed = (asyncio.ensure_future(search(*asked)) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        return await stayed, gone.cancelled()

    assert asyncio.run(ask()) == (find(*asked), True)


def test_a_fault_reaches_everyone_and_nobody_waits_for_ever(release, monkeypatch):
    def broken(asked):
        raise RuntimeError("no tree")

    monkeypatch.setattr(together, "near_together", broken)
    shared, selection = QueryBatch(), release.spatial.select(None)
    sought = Sought(selection, (0.0, 0.0, 0.0), 9.0, 0, 1)

    async def ask():
        waiting = [shared.near(sought) for _ in range(3)]
        return await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 5)

    assert [str(fault) for fault in asyncio.run(ask())] == ["no tree"] * 3


def test_count_and_list_are_of_one_moment(release):
    asked = question(release, NEW_YORK, "free", 25.0, Page(10))
    before = find(*asked)
    _, nearest = before.hits[0]

    async def ask():
        early = asyncio.ensure_future(search(*asked))
        await asyncio.sleep(0)  # the question is asked
        await asyncio.sleep(0)  # and answered, but not read yet
        release.spatial.hide([nearest])
        return await early, await search(*asked)

    early, late = asyncio.run(ask())
    assert early == before
    assert (late.total, late.hits[:9]) == (before.total - 1, before.hits[1:])


def test_a_crowd_in_one_turn_is_answered_and_not_taken_for_work_under_way(client):
    query = f"lat={NEW_YORK[0]}&lng={NEW_YORK[1]}&mode=free".encode()
    path = "/api/resources/nearby"
    statuses = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def ask():
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query,
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "headers": [(b"host", b"127.0.0.1")],
            "extensions": {},
        }
        await asyncio.gather(
            *(client.app({**scope, "state": {}}, receive, send) for _ in range(400))
        )

    with client.portal() as portal:
        portal.call(ask)
    assert statuses == [200] * 400
