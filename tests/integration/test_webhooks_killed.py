"""Test that services killed during announcements and deliveries lose no webhook event."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from tests.support.operators import make_tokens
from tests.support.processes import children_of, comes_true
from tests.support.server import Services, running_process
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


def kill(services: Services) -> None:
    """Kill a service and its workers."""
    for pid in (*children_of(services.process.pid), services.process.pid):
        os.kill(pid, signal.SIGKILL)
    services.process.wait()


def release_leases(url: str) -> None:
    """Make all deliveries due and end the leases of killed workers."""
    store = open_store(url)
    with store.write() as db:
        db.execute(update(OUTBOX).values(due_at=OUTBOX.c.created_at, lease=None))
    store.close()


@pytest.mark.slow
def test_every_acknowledged_report_is_delivered(tmp_path: Path, store_url: str) -> None:
    write_town(tmp_path)
    tokens = make_tokens(store_url, PLACES)
    environment = {
        "LARDER_OPERATIONS_URL": store_url,
        "LARDER_WEBHOOKS": "loopback",
        "LARDER_LIMITS": "off",
        "LARDER_LOG_LEVEL": "critical",
        "LARDER_SIBLING_PORT": "0",
    }
    answered_places: set[int] = set()

    def report(address: str, place: int, token: str) -> None:
        body = {"claim_token": token, "status": "open_today"}
        try:
            answer = httpx.post(f"{address}/api/pantry/status", json=body, timeout=20)
        except httpx.TransportError:
            return
        if answer.status_code == 200:
            answered_places.add(place)

    with receiver() as hook:
        with running_process(tmp_path, **environment) as services:
            subscription = {"url": hook.url, "zip": "10003"}
            webhook = httpx.post(f"{services.food}/api/webhooks", json=subscription).json()
            assert comes_true(lambda: bool(hook.of("webhook.verify")))
            own = {"Authorization": f"Bearer {webhook['token']}"}
            path = f"{services.food}/api/webhooks/{webhook['webhook']['id']}"
            assert comes_true(
                lambda: httpx.get(path, headers=own).json()["webhook"]["status"] == "active"
            )
            kill(services)
        for number in range(3):
            batch = list(zip(PLACES, tokens, strict=True))[number::3]
            hook.statuses["place.status_changed"] = [500, 200] * 4
            # Deliveries that wait since the last kill come first; new events may wait for them.
            before = len(hook.deliveries)
            with (
                running_process(tmp_path, **environment) as services,
                ThreadPoolExecutor(4) as clients,
            ):
                for place, token in batch:
                    clients.submit(report, services.food, place, token)
                # By now some are announced, some delivered, some failed.
                assert comes_true(lambda n=before: len(hook.deliveries) > n)  # type: ignore[misc]
                kill(services)
            release_leases(store_url)
        hook.statuses.clear()

        def list_delivered() -> set[int]:
            events = hook.of("place.status_changed")
            return {one.event["data"]["resource_id"] for one in events if one.is_accepted}

        with running_process(tmp_path, **environment):
            assert answered_places
            assert comes_true(lambda: list_delivered() >= answered_places, seconds=60)
        ids = {one.headers["webhook-id"]: one.body for one in hook.of("place.status_changed")}
        bodies = [one.body for one in hook.of("place.status_changed")]
        assert set(ids.values()) == set(bodies), "an event has one id in every attempt"
