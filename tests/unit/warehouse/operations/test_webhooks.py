"""Webhooks in the store: queued once with their cursor, put off together, ended; on both databases."""

import base64
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from tests.support.cases import cases
from warehouse.operations import outbox
from warehouse.operations import webhooks as w
from warehouse.operations.audit import of_subject
from warehouse.operations.backup import backup, restore
from warehouse.operations.claims import UnknownTokenError
from warehouse.operations.engine import open_store
from warehouse.operations.models import AUDIT, OUTBOX, WEBHOOKS
from warehouse.operations.retention import retain

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
URL, HOST = "https://hooks.example.org/x", "hooks.example.org"
STATUS = "place.status_changed"


def created(store, topic="state NY", at=NOW, host=HOST):
    with store.write() as db:
        return w.create(db, URL, host, topic, at, log_sequence=3)


def leased(store, at):
    with store.write() as db:
        return outbox.lease(db, "webhook", 10, at)


def active(store, topic="state NY", at=NOW):
    """Return a webhook that answered its challenge."""
    hook, token = created(store, topic, at)
    (challenge,) = [m for m in leased(store, at) if m.recipient == str(hook.webhook_id)]
    with store.write() as db:
        w.settle_delivered(db, hook, challenge, at)
        stored_hook = w.by_id(db, hook.webhook_id)
    assert stored_hook.state == "active"
    return stored_hook, token


def published(store, since, until, topics=("state NY",), at=NOW):
    events = [w.Event(topic, STATUS, b'{"n":%d}' % until) for topic in topics]
    with store.write() as db:
        return w.publish(db, "live", since, until, events, at)


def failed(store, hook, message, at):
    with store.write() as db:
        w.settle_undelivered(db, w.by_id(db, hook.webhook_id), message, "status 500", at)
        return w.by_id(db, hook.webhook_id)


def rows(store, table=OUTBOX):
    with store.read() as db:
        return db.execute(select(table)).all()


def test_a_token_opens_its_webhook_alone(store):
    hook, token = created(store)
    other, _ = created(store)
    with store.read() as db:
        assert w.by_token(db, hook.webhook_id, token) == hook
        for number, wrong in ((other.webhook_id, token), (hook.webhook_id, "x"), (99, token)):
            with pytest.raises(UnknownTokenError):
                w.by_token(db, number, wrong)
    assert token not in str(rows(store, WEBHOOKS))


def test_secrets_are_derived_and_differ(store):
    hooks = [created(store)[0] for _ in range(2)]
    with store.write() as db:
        secrets = [w.secret_of(db, hook, number) for hook in hooks for number in (1, 2)]
        assert w.secret_of(db, hooks[0], 1) == secrets[0]
    assert len(set(secrets)) == 4
    assert {len(base64.b64decode(one.removeprefix("whsec_"))) for one in secrets} == {32}
    assert secrets[0][6:20] not in str(rows(store, WEBHOOKS))


def test_webhooks_of_one_host_are_limited(store, monkeypatch):
    monkeypatch.setattr(w, "MAX_PER_HOST", 1)
    active(store)
    with pytest.raises(w.HostFullError):
        created(store)
    created(store, host="other.example.org")


def test_processes_that_publish_at_once_queue_once(store_url):
    stores = [open_store(store_url) for _ in range(3)]
    active(stores[0])
    gate = threading.Barrier(len(stores))

    def work(store):
        gate.wait()
        return published(store, 0, 5)

    with ThreadPoolExecutor(len(stores)) as threads:
        outcomes = list(threads.map(work, stores))
    assert sorted(outcomes) == [False, False, True]
    assert [row.subject for row in rows(stores[0]) if row.state == "waiting"] == [STATUS]
    with stores[0].read() as db:
        assert w.cursor(db, "live") == 5
    for store in stores:
        store.close()


def test_a_publication_that_fails_moves_no_cursor(store):
    active(store)

    def fail():
        with store.write() as db:
            assert w.publish(db, "live", 0, 5, [w.Event("state NY", STATUS, b"{}")], NOW)
            raise ValueError("the disk is full")

    with pytest.raises(ValueError, match="disk"):
        fail()
    assert rows(store) == []
    with store.read() as db:
        assert w.cursor(db, "live") == 0
    assert published(store, 0, 5)


def test_the_first_webhook_hears_of_nothing_before_it(store):
    hook, _ = active(store)
    assert published(store, 0, 7)
    with store.write() as db:
        w.remove(db, hook, "webhook 1", NOW)
    # What happened without webhooks was announced to nobody.
    with store.write() as db:
        w.create(db, URL, HOST, "state NY", NOW, log_sequence=9)
        assert (w.cursor(db, "live"), w.cursor(db, "release")) == (0, 9)
        w.create(db, URL, HOST, "state NY", NOW, log_sequence=12)
        assert w.cursor(db, "release") == 9


def test_a_failing_receiver_is_retried_seldom(store):
    hook, _ = active(store)
    published(store, 0, 1)
    (first,) = leased(store, NOW)
    assert failed(store, hook, first, NOW).failures == 1
    published(store, 1, 2, at=NOW)
    at, attempts = NOW, 0
    while at < NOW + DAY:
        due = [row.due_at for row in rows(store) if row.state == "waiting"]
        at = max(at + timedelta(seconds=1), min(due))
        for message in leased(store, at):
            attempts += 1
            failed(store, hook, message, at)
    assert 16 <= attempts <= 60, attempts
    # It recovers: all is due at once.
    at = max(row.due_at for row in rows(store) if row.state == "waiting")
    message, *others = leased(store, at)
    for other in others:
        failed(store, hook, other, at)
    with store.write() as db:
        w.settle_delivered(db, w.by_id(db, hook.webhook_id), message, at)
        stored_hook = w.by_id(db, hook.webhook_id)
    assert (stored_hook.failures, stored_hook.failing_since, stored_hook.fault) == (0, None, None)
    assert {row.due_at for row in rows(store) if row.state == "waiting"} == {at}


@cases(
    "wait, least, most",
    {
        "longer than our own wait": (600.0, 600, 600),
        "shorter than our own wait": (1.0, 7, 15),
        "longer than any wait": (1e9, 21_600, 21_600),
    },
)
def test_retry_after_delays_all_messages_of_a_receiver(store, wait, least, most):
    hook, _ = active(store)
    published(store, 0, 1)
    (first,) = leased(store, NOW)
    with store.write() as db:
        w.settle_undelivered(db, hook, first, "status 429", NOW, wait)
    published(store, 1, 2)
    waits = {(row.due_at - NOW).total_seconds() for row in rows(store)}
    assert len(waits) == 1
    assert least <= min(waits) <= most


def test_waits_reach_three_days_and_then_it_is_disabled(store):
    hook, _ = active(store)
    at, sequence = NOW, 0
    while rows(store, WEBHOOKS)[0].state == "active":
        published(store, sequence, sequence + 1, at=at)
        sequence += 1
        due = min(row.due_at for row in rows(store) if row.state == "waiting")
        at = max(at, due)
        for message in leased(store, at):
            failed(store, hook, message, at)
    assert timedelta(days=3) <= at - NOW <= timedelta(days=3, hours=7)


def test_too_much_that_waits_disables(store, monkeypatch):
    monkeypatch.setattr(w, "MAX_WAITING", 2)
    hook, _ = active(store)
    for number in range(3):
        published(store, number, number + 1)
    message, *_ = leased(store, NOW)
    stored_hook = failed(store, hook, message, NOW)
    assert (stored_hook.state, stored_hook.disabled_at, rows(store)) == ("disabled", NOW, [])
    published(store, 3, 4)
    assert rows(store) == [], "nothing more is queued"
    with store.read() as db:
        assert [row.action for row in of_subject(db, hook.name)] == ["webhook_disabled"]
    with store.write() as db:
        again = w.verify_again(db, stored_hook, NOW)
    assert again.state == "pending"
    assert [row.subject for row in rows(store)] == [w.VERIFY]


def test_a_challenge_is_repeated_for_two_minutes(store):
    hook, _ = created(store)
    at, attempts = NOW, 0
    while waiting := [row for row in rows(store) if row.state == "waiting"]:
        at = max(at, waiting[0].due_at)
        for message in leased(store, at):
            attempts += 1
            failed(store, hook, message, at)
    assert 3 <= attempts <= 6
    assert {row.body for row in rows(store)} == {None}
    with store.read() as db:
        assert outbox.count_troubled(db) == 0, "no affair of administrators"


def test_a_new_webhook_starts_from_current_disasters(store):
    active(store)
    event = w.Event("state NY", "disasters.changed", b"{}")
    for before, after, queued in ((None, "a", 0), ("z", "b", 0), ("a", "b", 1), ("a", "c", 1)):
        with store.write() as db:
            w.publish_disasters(db, event, before, after, NOW)
        assert len([row for row in rows(store) if row.state == "waiting"]) == queued
    with store.read() as db:
        assert w.disasters_announced(db) == [("state NY", "b")]


def test_retention_deletes_unverified_and_disabled_webhooks(store):
    created(store)
    hook, _ = active(store)
    published(store, 0, 1)
    (message,) = [m for m in leased(store, NOW) if m.subject == STATUS]
    failed(store, hook, message, NOW)
    failed(store, hook, message, NOW + w.EVENT_LIFE)
    with store.write() as db:
        assert retain(db, NOW + DAY - HOUR)["webhooks"] == 0
        assert retain(db, NOW + DAY + HOUR)["webhooks"] == 1
        assert retain(db, NOW + w.EVENT_LIFE + w.DISABLED_KEPT + HOUR)["webhooks"] == 1
    assert rows(store, WEBHOOKS) == []
    assert URL not in str(rows(store, AUDIT))


def test_a_restored_store_has_its_webhooks_and_their_secrets(store, tmp_path):
    hook, token = active(store)
    with store.write() as db:
        secret = w.secret_of(db, hook, 1)
    backup(store, tmp_path / "backup")
    restore(store, tmp_path / "backup", replace=True)
    with store.write() as db:
        assert w.by_token(db, hook.webhook_id, token).state == "active"
        assert w.secret_of(db, hook, 1) == secret
        assert w.cursor(db, "live") is None, "the announcer begins anew"
