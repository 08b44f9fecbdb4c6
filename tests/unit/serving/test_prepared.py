"""Things made once for a release, away from the event loop."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from serving.services.prepared import prepare, prepared
from tests.support.town import write_town
from warehouse.reader import OpenRelease
from warehouse.release import ReleaseStore
from warehouse.watch import ReleaseWatch


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prepared")
    return OpenRelease(ReleaseStore(folder).folder(write_town(folder)))


def test_made_once_however_many_ask(release):
    made = []

    def make():
        time.sleep(0.05)
        made.append(threading.current_thread())
        return object()

    async def ask():
        first = asyncio.create_task(prepared(release, "one", make))
        others = [asyncio.create_task(prepared(release, "one", make)) for _ in range(5)]
        await asyncio.sleep(0.01)
        # Whoever asked first hangs up; the others get it all the same.
        first.cancel()
        return await asyncio.gather(*others)

    found = asyncio.run(ask())
    assert len(made) == 1
    assert made[0] is not threading.main_thread()
    assert all(one is found[0] for one in found)


def test_a_making_that_failed_is_tried_again(release):
    def fail():
        raise OSError("no room")

    async def ask():
        with pytest.raises(OSError, match="no room"):
            await prepared(release, "two", fail)
        return await prepared(release, "two", lambda: 2)

    assert asyncio.run(ask()) == 2


def test_made_before_anybody_asks(release):
    prepare(release, "three", lambda: 3)
    assert asyncio.run(prepared(release, "three", lambda: 4)) == 3


def test_a_release_is_served_even_if_it_cannot_be_prepared(tmp_path):
    def fail(_):
        raise OSError("no room")

    events = []
    watch = ReleaseWatch(tmp_path, lambda event, facts: events.append((event, facts)), fail)
    wanted = write_town(tmp_path)
    watch.open_now()
    assert watch.release.release_id == wanted
    assert events[0] == (
        "release_not_prepared",
        {"release_id": wanted, "fault": "OSError: no room"},
    )
