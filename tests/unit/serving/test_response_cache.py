"""The response cache: bounded in bytes, and blind to answers of another minute or report."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from serving.app import make_context
from serving.http.caching import (
    MAX_CACHE_BYTES,
    ResponseCache,
    of_minute,
    of_place,
    of_release,
)
from serving.settings import Settings
from tests.support.town import write_town
from warehouse.index.live_overlay import LiveEntry

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)


def test_the_least_recently_used_answer_is_dropped_first():
    cache = ResponseCache(1000)
    for name in "ab":
        cache.put(name, name, 100)
    cache.get("a")
    cache.put("c", "c", 100)
    assert [name for name in "abc" if cache.get(name)] == ["a", "c"]
    cache.put("c", "C", 150)
    assert (len(cache), cache.size_bytes, cache.get("c")) == (2, 850, "C")
    cache.put("huge", "h", 1001)
    assert (len(cache), cache.size_bytes) == (0, 0)


def test_an_answer_ends_with_its_minute_and_with_a_report(release):
    key, of_other = of_minute(release, NOW, "resource", 1), of_place(release, NOW, 1, "resource")
    of_own = of_place(release, NOW, 0, "resource")
    assert of_minute(release, NOW + timedelta(seconds=59.9), "resource", 1) == key
    assert of_minute(release, NOW + timedelta(seconds=60), "resource", 1) != key
    entry = LiveEntry("closed_today", True, NOW, NOW + timedelta(hours=3), "{}")
    release.live.put(release.id_of(0), entry)
    assert of_minute(release, NOW, "resource", 1) != key
    assert of_place(release, NOW, 0, "resource") != of_own
    assert of_place(release, NOW, 1, "resource") == of_other
    assert of_place(release, NOW + timedelta(seconds=60), 1, "resource") != of_other
    assert of_release(release, "tile", 1) == of_release(release, "tile", 1)
    assert of_release(None, "tile", 1) != of_release(release, "tile", 1)


def test_an_answer_is_computed_once():
    cache, computed = ResponseCache(1000), []

    def compute():
        computed.append(1)
        return b""

    async def ask():
        return [await cache.find_or_compute("empty", compute) for _ in range(2)]

    assert asyncio.run(ask()) == [b"", b""]
    assert len(computed) == 1


def test_workers_share_the_budget(tmp_path):
    write_town(tmp_path)
    responses = make_context(replace(Settings(data_dir=tmp_path), workers=4)).responses
    responses.put("half", b"", MAX_CACHE_BYTES // 2)
    assert len(responses) == 0
