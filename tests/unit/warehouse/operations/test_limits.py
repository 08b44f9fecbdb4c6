"""Limits per client: counted requests, their client, and no stored address."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from warehouse.operations.limits import LimitReachedError, client_hash, forget_old_hits, take_turn
from warehouse.operations.models import DAILY_KEYS, LIMIT_HITS

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = 3600


def turn(store, address="192.0.2.1", at=NOON, scope="submissions", count=5):
    with store.write() as db:
        take_turn(db, scope, address, count, HOUR, at)


def test_five_in_any_hour(store):
    for minute in range(5):
        turn(store, at=NOON + timedelta(minutes=minute))
    with pytest.raises(LimitReachedError) as reached:
        turn(store, at=NOON + timedelta(minutes=10))
    assert reached.value.retry_seconds == 50 * 60
    turn(store, at=NOON + timedelta(minutes=60, seconds=1))
    with pytest.raises(LimitReachedError):
        turn(store, at=NOON + timedelta(minutes=60, seconds=2))


def test_midnight_does_not_begin_a_new_hour(store):
    late = NOON.replace(hour=23, minute=50)
    for _ in range(5):
        turn(store, at=late)
    with pytest.raises(LimitReachedError):
        turn(store, at=late + timedelta(minutes=20))


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", True),
        ("2001:db8:1:2::1", "2001:db8:2:2::1", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("unknown", "unknown", True),
    ],
)
def test_whose_turn_it_is(store, first, second, is_same):
    with store.write() as db:
        assert (client_hash(db, first, NOON) == client_hash(db, second, NOON)) == is_same


def test_scopes_do_not_share(store):
    turn(store, count=1)
    turn(store, count=1, scope="claims")
    for scope in ("submissions", "claims"):
        with pytest.raises(LimitReachedError):
            turn(store, count=1, scope=scope)


def test_failed_requests_do_not_count(store):
    def failing():
        with store.write() as db:
            take_turn(db, "submissions", "192.0.2.1", 1, HOUR, NOON)
            raise KeyError

    for _ in range(3):
        with pytest.raises(KeyError):
            failing()
    turn(store, count=1)


def test_workers_count_together(at_once):
    results = at_once(lambda db: take_turn(db, "x", "192.0.2.1", 5, HOUR, NOON))
    assert sum(result is None for result in results) == 5
    assert {type(result) for result in results} == {type(None), LimitReachedError}


def test_addresses_are_stored_as_daily_hashes(store):
    turn(store)
    turn(store, at=NOON + timedelta(days=1))
    with store.read() as db:
        clients = db.execute(select(LIMIT_HITS.c.client)).scalars().all()
    assert len(set(clients)) == 2
    assert all(len(client) == 64 and client[:3] != "192" for client in clients)


def test_old_turns_and_keys_are_forgotten(store):
    turn(store)
    with store.write() as db:
        assert forget_old_hits(db, NOON + timedelta(days=3)) == 1
        assert [
            db.execute(select(func.count()).select_from(t)).scalar()
            for t in (LIMIT_HITS, DAILY_KEYS)
        ] == [0, 0]


def test_turns_of_a_clock_that_was_set_back_do_not_count(store):
    for _ in range(5):
        turn(store, at=NOON + timedelta(days=3))
    turn(store)
    for _ in range(4):
        turn(store)
    with pytest.raises(LimitReachedError) as reached:
        turn(store)
    assert reached.value.retry_seconds == HOUR


def test_replicas_whose_clocks_differ_a_little_count_together(store):
    for _ in range(5):
        turn(store, at=NOON + timedelta(minutes=2))
    with pytest.raises(LimitReachedError) as reached:
        turn(store)
    assert reached.value.retry_seconds == HOUR
