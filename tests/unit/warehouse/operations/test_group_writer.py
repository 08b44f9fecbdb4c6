"""The thread that writes: it outlives a clock that fails, and one that ended is followed by
another.
"""

import contextlib
import threading
import time

import pytest

from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.group_writer import GroupWriter


@contextlib.contextmanager
def nothing():
    class Database:
        def begin_nested(self):
            return contextlib.nullcontext()

    yield Database()


def crowd(writer):
    """Write two groups, the second after a busy first, so that the writer waits for more."""
    gate = threading.Event()
    blocked = writer.submit(lambda db: gate.wait(5))
    first = [writer.submit(lambda db: 1) for _ in range(3)]
    gate.set()
    blocked.result(5)
    again = [future.result(5) for future in first]
    return [*again, writer.submit(lambda db: 2).result(5)]


def test_a_sleep_that_fails_loses_no_work(monkeypatch):
    calls = []

    def fails(seconds):
        calls.append(seconds)
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(time, "sleep", fails)
    writer = GroupWriter(nothing, lambda error: False)
    assert crowd(writer) == [1, 1, 1, 2]
    assert calls
    writer.close()


def test_a_thread_that_ended_is_followed_by_another():
    writer = GroupWriter(nothing, lambda error: False)
    assert writer.submit(lambda db: 1).result(5) == 1
    thread = writer._thread
    writer._queue.put(None)
    thread.join(5)
    assert writer.submit(lambda db: 2).result(5) == 2
    writer.close()


def test_a_write_behind_a_failing_group_fails_with_it():
    """The time-out of an unreachable store is waited for once, not again by each queued write."""
    has_begun, ends = threading.Event(), threading.Event()
    transactions: list[str] = []

    @contextlib.contextmanager
    def out_of_reach():
        transactions.append("group")
        has_begun.set()
        assert ends.wait(30)
        raise StoreUnavailableError("locked")
        yield

    writer = GroupWriter(out_of_reach, lambda error: isinstance(error, StoreUnavailableError))
    first = writer.submit(lambda db: "first")
    assert has_begun.wait(30)
    behind = [writer.submit(lambda db: "behind") for _ in range(3)]
    later_write = writer.submit(lambda db: "gone")
    later_write.cancel()
    ends.set()
    for future in (first, *behind):
        with pytest.raises(StoreUnavailableError, match="locked"):
            future.result(30)
    assert transactions == ["group"]
    has_begun.clear()
    later = writer.submit(lambda db: "later")
    with pytest.raises(StoreUnavailableError):
        later.result(30)
    assert transactions == ["group", "group"]
    writer.close()


def test_the_end_is_not_lost_behind_a_failing_group():
    has_begun, ends = threading.Event(), threading.Event()

    @contextlib.contextmanager
    def out_of_reach():
        has_begun.set()
        assert ends.wait(30)
        raise StoreUnavailableError("locked")
        yield

    writer = GroupWriter(out_of_reach, lambda error: isinstance(error, StoreUnavailableError))
    first = writer.submit(lambda db: None)
    assert has_begun.wait(30)
    closing = threading.Thread(target=writer.close)
    closing.start()
    ends.set()
    closing.join(30)
    assert not closing.is_alive()
    assert isinstance(first.exception(30), StoreUnavailableError)
