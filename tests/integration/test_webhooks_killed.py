"""Services that are killed while they announce and deliver lose no event for a webhook."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from tests.support.operators import make_tokens
from tests.support.processes import children_of, comes_true
from tests.support.server import Services, started
from tests.support.store_fixtures import (
    postgresql,
    postgresql_with_tables,
    sqlite_with_tables,
    store_url,
)
from tests.support.town import write_town
from tests.support.webhook_receiver import receiver
from warehouse.operations.engine import open_store
from warehouse.operations.models import OUTBOX

__all__ = ["postgresql", "postgresql_with_tables", "sqlite_with_tables", "store_url"]
PLACES = list(range(300, 324))


def killed(services: Services) -> None:
    """End a service and its workers at once."""
    for pid in (*children_of(services.process.pid), services.process.pid):
        os.kill(pid, signal.SIGKILL)
    services.process.wait()


def let_go(url: str) -> None:
    """Make everything due, and end the leases of those that were killed."""
    store = open_store(url)
    with store.write() as db:
        db.execute(update(OUTBOX).values(due_at=OUTBOX.c.created_at, lease=None))
    store.close()


@pytest.mark.slow
def test_every_report_that_was_acknowledged_is_delivered(tmp_path: Path, store_url: str) -> None:
    write_town(tmp_path)
    tokens = make_tokens(store_url, PLACES)
    environment = {
        "LARDER_OPERATIONS_URL": store_url,
        "LARDER_WEBHOOKS": "loopback",
        "LARDER_LIMITS": "off",
        "LARDER_LOG_LEVEL": "critical",
        "LARDER_SIBLING_PORT": "0",
    }
    acknowledged: set[int] = set()

    def report(address: str, place: int, token: str) -> None:
        body = {"claim_token": token, "status": "open_today"}
        try:
            answer = httpx.post(f"{address}/api/pantry/status", json=body, timeout=20)
        except httpx.TransportError:
            return
        if answer.status_code == 200:
            acknowledged.add(place)

    with receiver() as hook:
        with started(tmp_path, **environment) as services:
            asked = {"url": hook.url, "zip": "10003"}
            made = httpx.post(f"{services.food}/api/webhooks", json=asked).json()
            assert comes_true(lambda: bool(hook.of("webhook.verify")))
            own = {"Authorization": f"Bearer {made['token']}"}
            path = f"{services.food}/api/webhooks/{made['webhook']['id']}"
            assert comes_true(
                lambda: httpx.get(path, headers=own).json()["webhook"]["status"] == "active"
            )
            killed(services)
        for number in range(3):
            some = list(zip(PLACES, tokens, strict=True))[number::3]
            hook.statuses["place.status_changed"] = [500, 200] * 4
            # What waits since the kill before is delivered at the start; new events may wait for it.
            before = len(hook.deliveries)
            with started(tmp_path, **environment) as services, ThreadPoolExecutor(4) as clients:
                for place, token in some:
                    clients.submit(report, services.food, place, token)
                # In the midst of it: some are announced, some delivered, some failed.
                assert comes_true(lambda n=before: len(hook.deliveries) > n)  # type: ignore[misc]
                killed(services)
            let_go(store_url)
        hook.statuses.clear()

        def heard() -> set[int]:
            events = hook.of("place.status_changed")
            return {one.event["data"]["resource_id"] for one in events if one.is_taken}

        with started(tmp_path, **environment):
            assert acknowledged
            assert comes_true(lambda: heard() >= acknowledged, seconds=60)
        ids = {one.headers["webhook-id"]: one.body for one in hook.of("place.status_changed")}
        bodies = [one.body for one in hook.of("place.status_changed")]
        assert set(ids.values()) == set(bodies), "an event has one id in every attempt"
