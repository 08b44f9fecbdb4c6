"""The outbox: once, by one worker, later again, dead in the end, nothing secret left; on both
databases.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from warehouse.operations import outbox as o
from warehouse.operations.backup import backup, restore
from warehouse.operations.engine import open_store
from warehouse.operations.models import OUTBOX
from warehouse.operations.reviews import NotPossibleError

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)
DAY = timedelta(days=1)
LIFE = timedelta(days=3)


def queued(
    store, recipient="ann@pantry.example", at=NOW, channel="email", body="the secret", life=LIFE
):
    new = o.NewMessage(channel, recipient, "Confirm", body, "claim 1", at + life)
    with store.write() as db:
        o.enqueue(db, new, at)


def leased(store, at=NOW, count=10, channel="email"):
    with store.write() as db:
        return o.lease(db, channel, count, at)


def rows(store):
    with store.read() as db:
        return db.execute(select(OUTBOX).order_by(OUTBOX.c.message_id)).all()


def failed(store, message, at=NOW, **more):
    with store.write() as db:
        o.settle_failed(db, message, "TimeoutError", at, **more)


def test_a_message_rolls_back_with_its_transaction(store):
    def cause():
        with store.write() as db:
            o.enqueue(
                db, o.NewMessage("email", "a@b.example", "s", "b", "claim 1", NOW + LIFE), NOW
            )
            raise ValueError("the claim failed")

    for _ in range(o.MAX_PER_RECIPIENT + 1):  # nor does it count
        with pytest.raises(ValueError, match="claim failed"):
            cause()
    assert rows(store) == []


def test_workers_never_lease_one_message_twice(store_url):
    stores = [open_store(store_url) for _ in range(4)]
    for number in range(40):
        queued(stores[0], f"op-{number}@pantry.example")
    leased_messages: list[o.Message] = []
    gate = threading.Barrier(len(stores))

    def work(store):
        gate.wait()
        while messages := leased(store, count=3):
            leased_messages.extend(messages)

    with ThreadPoolExecutor(len(stores)) as threads:
        list(threads.map(work, stores))
    assert sorted(m.message_id for m in leased_messages) == [
        row.message_id for row in rows(stores[0])
    ]
    for store in stores:
        store.close()


def test_a_worker_that_dies_leaves_its_message_to_another(store):
    queued(store)
    (first,) = leased(store)
    assert leased(store, NOW + o.LEASE / 2) == []
    (second,) = leased(store, NOW + o.LEASE)
    assert (second.message_id, second.attempts) == (first.message_id, 2)
    # The first one was only slow: what it says does not count any more.
    failed(store, first, NOW + o.LEASE)
    with store.write() as db:
        o.settle_sent(db, second, NOW + o.LEASE)
    assert [row.state for row in rows(store)] == ["sent"]


def test_sent_messages_are_stored_without_their_secret(store):
    queued(store)
    (message,) = leased(store)
    with store.write() as db:
        o.settle_sent(db, message, NOW)
    (row,) = rows(store)
    assert (row.recipient, row.subject, row.body, row.lease) == (None, None, None, None)
    with store.write() as db:
        o.forget_messages(db, NOW + o.ROWS_KEPT + DAY)
    assert rows(store) == []


def test_attempts_wait_longer_each_time_and_end(store):
    queued(store)
    at, waits = NOW, []
    for attempt in range(1, o.MAX_ATTEMPTS + 1):
        (message,) = leased(store, at)
        assert message.attempts == attempt
        failed(store, message, at)
        (row,) = rows(store)
        if row.state == "waiting":
            waits.append((row.due_at - at).total_seconds())
            assert leased(store, row.due_at - timedelta(seconds=1)) == []
            at = row.due_at
    assert (row.state, row.fault, row.attempts) == ("dead", "TimeoutError", o.MAX_ATTEMPTS)
    longest = [min(o.FIRST_RETRY_SECONDS * 2**n, o.MAX_RETRY_SECONDS) for n in range(len(waits))]
    assert all(most / 2 <= wait <= most for wait, most in zip(waits, longest, strict=True))
    assert sum(waits) > 3600
    assert leased(store, at + DAY) == []
    assert row.body == "the secret"  # it can still be sent again


def test_a_recipient_refused_for_good_is_not_tried_again(store):
    queued(store)
    failed(store, leased(store)[0], is_permanent=True)
    assert [row.state for row in rows(store)] == ["dead"]


def test_a_message_that_ends_its_workers_is_given_up(store):
    queued(store, life=timedelta(days=30))
    at = NOW
    for _ in range(o.MAX_ATTEMPTS):
        assert leased(store, at)
        at += o.LEASE
    assert leased(store, at) == []
    assert [row.state for row in rows(store)] == ["dead"]


def test_messages_with_an_expired_code_are_not_sent(store):
    queued(store, "+12124960101", channel="phone", life=timedelta(minutes=15))
    with store.read() as db:
        assert o.has_due(db, "phone", NOW + DAY)
    assert leased(store, NOW + DAY, channel="phone") == []
    (row,) = rows(store)
    assert (row.state, row.fault, row.body) == ("dead", "expired", None)
    with store.write() as db, pytest.raises(NotPossibleError):
        o.resend(db, row.message_id, "administrator ann", NOW + DAY)


def test_channels_lease_only_their_messages(store):
    queued(store)
    assert leased(store, channel="phone") == []
    assert len(leased(store, channel="email")) == 1


def test_administrators_send_again_or_discard(store):
    queued(store)
    queued(store, "bob@pantry.example")
    for message in leased(store):
        failed(store, message, is_permanent=True)
    with store.read() as db:
        assert o.count_troubled(db) == 2
        second, first = (row.message_id for row in o.list_troubled(db).rows)
        assert "ann@" not in str(o.list_troubled(db))
    with store.write() as db:
        o.resend(db, first, "administrator ann", NOW)
        o.discard(db, second, "administrator ann", NOW)
    assert [m.recipient for m in leased(store)] == ["ann@pantry.example"]
    with store.write() as db, pytest.raises(NotPossibleError):
        o.resend(db, first, "administrator ann", NOW)  # a worker has it
    assert rows(store)[1].recipient is None


def test_a_clock_set_back_delays_no_message(store):
    queued(store, at=NOW + DAY)
    assert len(leased(store, NOW)) == 1


# ---------------------------------------------------------------- recipients


@pytest.mark.parametrize(
    ("channel", "addresses", "other"),
    [
        ("email", ["ann.b@gmail.com", "annb+1@googlemail.com"], "bob@pantry.example"),
        ("phone", ["+12124960101", "+1 (212) 496-0101"], "+12124960102"),
    ],
)
def test_a_recipient_gets_three_messages_a_day_however_written(store, channel, addresses, other):
    for number in range(3):
        queued(store, addresses[number % 2], NOW + timedelta(hours=number), channel)
    with pytest.raises(o.RecipientLimitError) as error:
        queued(store, addresses[1], NOW + timedelta(hours=3), channel)
    assert error.value.retry_seconds == 21 * 3600
    assert len(rows(store)) == 3
    queued(store, addresses[0], NOW + DAY, channel)
    queued(store, other, NOW, channel)


# ---------------------------------------------------------------- backups


def test_a_backup_contains_no_messages(store, tmp_path):
    queued(store)
    assert "outbox" not in backup(store, tmp_path / "b.sqlite")
    restore(store, tmp_path / "b.sqlite", replace=True)
    assert rows(store) == []
