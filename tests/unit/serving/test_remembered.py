"""Answers that are kept: never longer than they are true, never more than fit."""

from __future__ import annotations

import gc
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from schemas.values.coordinates import ecef_point
from serving.make_context import make_context
from serving.services.listing import unchanged_until
from serving.services.remembered import Remembered, remembered_of
from serving.services.search import Page, Question, searched
from serving.settings import Settings
from tests.support.releases import resource
from tests.support.town import NEW_YORK, write_town
from warehouse.reader import OpenRelease
from warehouse.release import ReleaseStore

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
MORNINGS = '[{"freq":"WEEKLY","byday":"WE","opens_at":"09:00","closes_at":"12:00"}]'


def test_an_answer_is_kept_until_its_instant():
    kept: Remembered[bytes] = Remembered(1000)
    kept.keep("a", b"1", 1, NOW)
    kept.keep("b", b"2", 1)
    assert kept.get("a", NOW - timedelta(seconds=1)) == b"1"
    assert kept.get("a", NOW) is None
    assert kept.get("a", NOW - timedelta(seconds=1)) is None, "forgotten for good"
    assert kept.get("b", NOW + timedelta(days=9999)) == b"2"
    assert kept.get("c", NOW) is None


def test_the_least_recently_asked_goes_first():
    kept: Remembered[bytes] = Remembered(100)
    for name in "abc":
        kept.keep(name, name.encode(), 30)
    kept.get("a", NOW)
    kept.keep("d", b"d", 30)
    assert [name for name in "abcd" if kept.get(name, NOW)] == ["a", "c", "d"]
    kept.keep("d", b"D", 30)
    assert len(kept) == 3, "an answer that is given again takes its own place"
    kept.keep("huge", b"h", 101)
    assert len(kept) == 0, "what is larger than all there is room for is not kept"


def test_workers_share_out_what_is_kept(opened):
    _, release = opened
    release.workers = 4
    kept = remembered_of(release, "shared out", 400)
    for name in "abc":
        kept.keep(name, name.encode(), 40)
    assert [name for name in "abc" if kept.get(name, NOW)] == ["b", "c"]
    assert remembered_of(release, "shared out", 400) is kept
    release.workers = 1


def test_the_service_says_how_many_workers_share_a_release(opened):
    context = make_context(replace(opened[0].settings, workers=3))
    context.watch.open_now()
    assert context.watch.release.workers == 3
    context.watch.close()


def test_what_is_kept_is_nothing_for_the_collector_to_walk(opened):
    context, release = opened

    def ask(first, count):
        for n in range(first, first + count):
            searched(context, release, Question("10002", None, 20 + n / 1000, Page(10)), NOW)
        gc.collect()
        return len(gc.get_objects())

    before = ask(0, 10)
    kept = remembered_of(release, "searches", 0)
    assert len(kept) >= 10
    # Of a thousand answers not one object each; what other threads make meanwhile is some hundred.
    assert ask(10, 1000) - before < 500
    assert len(kept) >= 1010


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("remembered")
    rows = [
        resource(
            1,
            lat=NEW_YORK[0],
            lng=NEW_YORK[1],
            schedules_json=MORNINGS,
            source_updated_date=NOW.date(),
        ),
        resource(2, lat=NEW_YORK[0], lng=NEW_YORK[1]),
    ]
    write_town(folder, resources=rows)
    store = ReleaseStore(folder)
    return make_context(Settings(data_dir=folder)), OpenRelease(store.folder(store.current()))


def statuses(opened, now):
    context, release = opened
    body = searched(context, release, Question("10002", None, None, Page(5)), now).body
    return [place["hours_status"] for place in json.loads(body)["resources"]]


def test_a_search_is_answered_anew_when_a_place_opens_or_closes(opened):
    opening, closing = NOW.replace(hour=14), NOW.replace(hour=17)
    expected = {
        opening - timedelta(hours=5): "closed",
        opening - timedelta(seconds=1): "opens_soon",
        opening: "open",
        closing - timedelta(seconds=1): "closes_soon",
        closing: "closed",
    }
    for now, status in expected.items():
        assert statuses(opened, now) == [status, "unknown"], now
        assert statuses(opened, now) == [status, "unknown"], "asked again"


def test_an_answer_without_hours_stays_until_midnight(opened):
    _, release = opened
    hits = release.spatial.select(None).nearest(ecef_point(*NEW_YORK), 2, 1e6)
    assert unchanged_until(release, hits[1:], NOW) == datetime(2026, 11, 19, tzinfo=UTC)
    assert unchanged_until(release, hits, NOW) <= NOW.replace(hour=14)
