"""Ends of the service that nobody planned: killed while it writes, and a disk that is full.

python -m tests.support.crashes DATA_FOLDER ROUNDS     kills the service ROUNDS times under a write load
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import httpx
from sqlalchemy import select

from tests.support.processes import children_of
from tests.support.server import started
from warehouse.operations import claims as claim_store
from warehouse.operations.engine import open_store
from warehouse.operations.models import STATUSES

_WRITERS = 16
# Most claims that are made: one reports at most sixty times an hour, so each round takes others.
_CLAIMS = 500


def make_tokens(url: str, resource_ids: list[int]) -> list[str]:
    """A confirmed claim on each place; their tokens."""
    store, now = open_store(url), datetime.now(UTC)
    tokens: list[str] = []
    with store.write() as db:
        for resource_id in resource_ids:
            new = claim_store.NewClaim(resource_id, f"op-{resource_id}@pantry.example", None, None)
            made = claim_store.make_claim(store, db, new, now)
            claim_store.confirm(db, made.claim.claim_id, "administrator", "administrator test", now)
            tokens.append(str(made.token))
    store.close()
    return tokens


async def _write_until_it_dies(
    base: str, tokens: list[str], names: list[str], acknowledged: set[str]
) -> None:
    async with httpx.AsyncClient(base_url=base, timeout=10) as client:

        async def writer(number: int) -> None:
            count = 0
            while True:
                name = f"{names[0]}-{number}-{count}"
                body = {
                    "claim_token": tokens[number % len(tokens)],
                    "status": "open_today",
                    "notes": name,
                }
                try:
                    answer = await client.post(
                        "/api/pantry/status", json=body, headers={"Idempotency-Key": name}
                    )
                except httpx.TransportError:
                    return
                if answer.status_code == 200:
                    acknowledged.add(name)
                    count += 1

        await asyncio.gather(*(writer(n) for n in range(_WRITERS)))


async def _round(
    base: str, tokens: list[str], name: str, service: int, after: int, acknowledged: set[str]
) -> None:
    enough = len(acknowledged) + after
    load = asyncio.create_task(_write_until_it_dies(base, tokens, [name], acknowledged))
    async with asyncio.timeout(60):
        while len(acknowledged) < enough:
            await asyncio.sleep(0.001)
    # The whole service at once: its parent would start another worker, and the load would go on.
    for pid in (service, *children_of(service)):
        # Workers end with the main process: they may be gone by now.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    await asyncio.wait_for(load, 30)


def kill_rounds(
    data: Path, url: str, rounds: int, tokens: list[str]
) -> tuple[set[str], Counter[str]]:
    """Kill the service `rounds` times under a write load; what it acknowledged, and what the store
    holds.

    Each time after another number of writes. Raises TimeoutError when they are not acknowledged.
    """
    acknowledged: set[str] = set()
    environment = {"LARDER_OPERATIONS_URL": url, "LARDER_SIBLING_PORT": "0", "LARDER_LIMITS": "off"}
    for number in range(rounds):
        with started(data, **environment) as services:
            # By writes and not by seconds: how far the load has come must not depend on the
            # machine.
            after = 5 + number * 7 % 10 * 15
            first = number * _WRITERS % len(tokens)
            turned = tokens[first:] + tokens[:first]
            asyncio.run(
                _round(
                    services.food, turned, f"r{number}", services.process.pid, after, acknowledged
                )
            )
    return acknowledged, held_notes(url)


def held_notes(url: str) -> Counter[str]:
    """The notes of all reports that a store holds, and how often each."""
    store = open_store(url)
    with store.read() as db:
        held = Counter(db.execute(select(STATUSES.c.notes)).scalars())
    store.close()
    return held


def main() -> int:
    data, rounds = Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/operations.sqlite"
        ids = [r["id"] for r in _claimable(data)]
        tokens = make_tokens(url, ids)
        acknowledged, held = kill_rounds(data, url, rounds, tokens)
    lost, twice = acknowledged - held.keys(), [name for name, count in held.items() if count > 1]
    print(
        json.dumps(
            {
                "rounds": rounds,
                "acknowledged": len(acknowledged),
                "held": len(held),
                "lost": len(lost),
                "twice": len(twice),
            }
        )
    )
    return int(bool(lost or twice))


def _claimable(data: Path) -> list[dict[str, int]]:
    with started(data, LARDER_SIBLING_PORT="0") as services:
        found = httpx.get(f"{services.food}/api/resources/bulk?type=food_pantry&limit={_CLAIMS}")
        resources: list[dict[str, int]] = found.json()["resources"]
        return resources


if __name__ == "__main__":
    raise SystemExit(main())
