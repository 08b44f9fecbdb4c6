"""Values computed once for a release, away from the event loop."""

import asyncio
import threading
import time

import pytest

from serving.http.caching import per_release
from tests.support.town import write_town
from warehouse.release.watch import ReleaseWatch


def test_computed_once_however_many_wait(release):
    threads = []

    @per_release
    def slow(_):
        time.sleep(0.05)
        threads.append(threading.current_thread())
        return object()

    async def ask():
        first = asyncio.create_task(slow.in_thread(release))
        others = [asyncio.create_task(slow.in_thread(release)) for _ in range(5)]
        await asyncio.sleep(0.01)
        # The first caller hangs up; the others get the value all the same.
        first.cancel()
        return await asyncio.gather(*others)

    values = asyncio.run(ask())
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert all(one is values[0] for one in values)
    assert slow(release) is slow.find_known(release) is values[0]


def test_a_failed_computation_is_repeated(release):
    faults = [OSError("no room")]

    @per_release
    def failing(_):
        if faults:
            raise faults.pop()
        return 2

    async def ask():
        with pytest.raises(OSError, match="no room"):
            await failing.in_thread(release)
        assert failing.find_known(release) is None
        return await failing.in_thread(release)

    assert asyncio.run(ask()) == 2


def test_each_argument_has_a_value_of_its_own(release):
    @per_release
    def upper(_, text, *, end=""):
        return [text.upper() + end]

    assert upper(release, "a") == ["A"] != upper(release, "b")
    assert upper(release, "a") is upper(release, "a")
    assert upper(release, "a", end="!") == ["A!"] != upper(release, "a", end="?")


def test_a_release_is_served_even_if_it_cannot_be_prepared(tmp_path):
    def fail(_):
        raise OSError("no room")

    events = []
    watch = ReleaseWatch(tmp_path, lambda event, facts: events.append((event, facts)), fail)
    release_id = write_town(tmp_path)
    watch.open_now()
    assert watch.release.release_id == release_id
    assert events[0] == (
        "release_not_prepared",
        {"release_id": release_id, "fault": "OSError: no room"},
    )
