"""Operations stores that fail, hang, lock or are slow: PostgreSQL and SQLite."""

import signal
import time
from collections.abc import Callable
from typing import NamedTuple

import psycopg

from faults.ground import Ground, Outcome, wait_for_check
from faults.load import Load
from faults.table import fault
from tests.support.stores import (
    PostgresServer,
    missing_postgresql,
    new_database,
    running_postgresql,
)

# Minimum refusals during a store's outage, and acknowledgements after it.
_REFUSALS, _AGAIN = 1, 20
# Length of a store's outage: longer than any of its own time limits.
_AWAY_SECONDS = 15.0


class _Outage(NamedTuple):
    """Outcome of a load during a store's outage, and the seconds to recovery."""

    load: Load
    seconds_to_refusal: float
    back_after: float
    health: str
    reads: int


def _disturb_postgresql(
    ground: Ground,
    leave: Callable[[PostgresServer], None],
    come_back: Callable[[PostgresServer], None],
) -> _Outage:
    """Run a service on PostgreSQL under load while the server leaves and returns."""
    server = ground.enter(running_postgresql())
    ground.store_url = new_database(str(server.folder))
    with ground.supervise() as service, ground.load(service.address, writers=6) as load:
        load.wait_for("POST", 200, _AGAIN)
        since = time.monotonic()
        leave(server)
        try:
            load.wait_for("POST", 503, _REFUSALS, 40)
            seconds_to_refusal = time.monotonic() - since
            health = ": ".join(wait_for_check(service.address, "store", "broken", seconds=60))
            load.wait_for("GET", 200, 200)
            time.sleep(max(0.0, since + _AWAY_SECONDS - time.monotonic()))
            reads = sum(
                1
                for a in load.exchanges
                if a.method == "GET" and a.began > since and a.status == 200
            )
        finally:
            come_back(server)
        back = time.monotonic()
        load.wait_for("POST", 200, _AGAIN, 60)
        return _Outage(load, seconds_to_refusal, time.monotonic() - back, health, reads)


def _outcome_of(ground: Ground, cause: str, outage: _Outage) -> Outcome:
    load = outage.load
    refusals = load.statuses("POST")[503]
    text = (
        f"{cause}: {refusals} writes refused with 503 and `Retry-After`, the first after "
        f"{outage.seconds_to_refusal:.1f} s, the slowest after {load.slowest('POST'):.1f} s; "
        f"{outage.reads:,} reads answered meanwhile (slowest {load.slowest('GET'):.1f} s); writes "
        f"again {outage.back_after:.1f} s after it was back"
    )
    unmet = (
        []
        if outage.health.startswith("broken")
        else [f"the deep health check said {outage.health}"]
    )
    return ground.outcome(load, text, unmet=unmet)


@fault("PostgreSQL down (stop -m immediate)", group="stores", missing=missing_postgresql)
def stop_postgresql(ground: Ground) -> Outcome:
    outage = _disturb_postgresql(
        ground, lambda server: server.end(signal.SIGQUIT), lambda server: server.start()
    )
    return _outcome_of(ground, "stopped without tidying up, started again", outage)


@fault("PostgreSQL hangs (SIGSTOP)", group="stores", missing=missing_postgresql)
def pause_postgresql(ground: Ground) -> Outcome:
    outage = _disturb_postgresql(
        ground, lambda server: server.pause(), lambda server: server.resume()
    )
    return _outcome_of(ground, "connections open, nobody answers", outage)


@fault("PostgreSQL locked (LOCK TABLE)", group="stores", missing=missing_postgresql)
def lock_postgresql(ground: Ground) -> Outcome:
    connections: list[psycopg.Connection] = []

    def lock(server: PostgresServer) -> None:
        connection = psycopg.connect(ground.store_url)
        connection.execute("LOCK TABLE statuses, counters, claims IN ACCESS EXCLUSIVE MODE")
        connections.append(connection)

    outage = _disturb_postgresql(ground, lock, lambda server: connections.pop().close())
    return _outcome_of(ground, "another session holds the tables", outage)


@fault("PostgreSQL slow (0.4 s for each write)", group="stores", missing=missing_postgresql)
def slow_postgresql(ground: Ground) -> Outcome:
    """A trigger that sleeps: writes share transactions, so all are stored, later."""
    server = ground.enter(running_postgresql())
    ground.store_url = new_database(str(server.folder))
    with ground.supervise() as service, ground.load(service.address, writers=6) as load:
        load.wait_for("POST", 200, _AGAIN)
        with psycopg.connect(ground.store_url, autocommit=True) as db:
            db.execute(
                "CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM "
                "pg_sleep(0.4); RETURN NULL; END'"
            )
            db.execute(
                "CREATE TRIGGER slow AFTER INSERT "
                "ON statuses FOR EACH STATEMENT EXECUTE FUNCTION slowly()"
            )
            slow = time.monotonic()
            load.wait_for("POST", 200, 3 * _AGAIN, 120)
            reads = load.statuses("GET", slow)[200]
            db.execute("DROP TRIGGER slow ON statuses")
        load.wait_for("POST", 200, _AGAIN)
    text = (
        f"reports acknowledged all the same, the slowest after {load.slowest('POST'):.1f} s; "
        f"{reads:,} reads meanwhile, the slowest {load.slowest('GET'):.1f} s"
    )
    return ground.outcome(load, text)


@fault("SQLite locked by another program", group="stores", quick=True)
def lock_sqlite(ground: Ground) -> Outcome:
    import sqlite3

    path = ground.store_url.removeprefix("sqlite:///")
    with ground.supervise() as service, ground.load(service.address) as load:
        load.wait_for("POST", 200, 10)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            began = time.monotonic()
            load.wait_for("POST", 503, 1, 40)
            seconds_to_refusal = time.monotonic() - began
            load.wait_for("GET", 200, 100)
        finally:
            other.close()
        load.wait_for("POST", 200, 10)
    text = (
        f"writes refused with 503 after {seconds_to_refusal:.1f} s, reads went on (slowest "
        f"{load.slowest('GET'):.1f} s), writes again at once"
    )
    return ground.outcome(load, text)
