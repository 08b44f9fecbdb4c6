"""Test two replicas on one PostgreSQL behind nginx: shared reports and limits, restarts."""

import asyncio
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from tests.support.operators import make_tokens
from tests.support.processes import children_of, pause_process
from tests.support.replicas import Replica, missing_nginx, running_nginx
from tests.support.stores import missing_postgresql, new_database, postgresql_server
from tests.support.town import write_town

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(missing_nginx() is not None, reason=str(missing_nginx())),
    pytest.mark.skipif(missing_postgresql() is not None, reason=str(missing_postgresql())),
]
_READS = ("/api/resources/101", "/api/resources/search?zip=10002", "/api/stats", "/")
# Load without a restart before, between and after the restarts.
_CALM_SECONDS = 1.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("replicas")
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def cluster(folder):
    data = folder / "data"
    data.mkdir()
    write_town(data)
    with postgresql_server() as server:
        store = new_database(server)
        tokens = make_tokens(store, list(range(300, 340)))  # creates the tables as well
        replicas = [Replica(data, folder, store) for _ in range(2)]
        try:
            for replica in replicas:
                replica.start()
            with running_nginx(replicas, folder) as address:
                yield address, replicas, tokens
        finally:
            for replica in replicas:
                replica.stop()


async def _read(
    client: httpx.AsyncClient, number: int, stop: asyncio.Event, counts: Counter, faults: list[str]
) -> None:
    while not stop.is_set():
        path = _READS[number % len(_READS)]
        number += 1
        try:
            answer = await client.get(path)
        except httpx.TransportError as error:
            faults.append(f"GET {path}: {error!r}")
            continue
        counts[f"GET {answer.status_code}"] += 1
        if answer.status_code != 200:
            faults.append(f"GET {path}: {answer.status_code} {answer.text[:120]}")
        await asyncio.sleep(0.02)


async def _write(
    client: httpx.AsyncClient,
    number: int,
    tokens: list[str],
    stop: asyncio.Event,
    counts: Counter,
    faults: list[str],
) -> None:
    count = 0
    while not stop.is_set():
        token = tokens[1 + (number + 4 * count) % (len(tokens) - 1)]
        body = {"claim_token": token, "status": "open_today", "notes": f"{number}-{count}"}
        count += 1
        try:
            answer = await client.post("/api/pantry/status", json=body)
        except httpx.TransportError as error:
            faults.append(f"POST: {error!r}")
            continue
        counts[f"POST {answer.status_code}"] += 1
        if answer.status_code != 200:
            faults.append(f"POST: {answer.status_code} {answer.text[:120]}")
        await asyncio.sleep(0.05)


def test_replicas_restart_one_after_the_other_under_load(cluster):
    address, replicas, tokens = cluster
    counts: Counter[str] = Counter()
    faults: list[str] = []
    statuses: list[int | None] = []

    async def restart(stop: asyncio.Event) -> None:
        for replica in replicas:
            await asyncio.sleep(_CALM_SECONDS)
            statuses.append(await asyncio.to_thread(replica.stop))
            await asyncio.to_thread(replica.start)
        await asyncio.sleep(_CALM_SECONDS)
        stop.set()

    async def run() -> None:
        stop = asyncio.Event()
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            readers = [_read(client, n, stop, counts, faults) for n in range(6)]
            writers = [_write(client, n, tokens, stop, counts, faults) for n in range(2)]
            await asyncio.gather(restart(stop), *readers, *writers)

    asyncio.run(run())
    assert faults == []
    assert statuses == [0, 0]
    assert counts["GET 200"] > 100
    assert counts["POST 200"] > 10


def test_no_write_uses_a_connection_that_a_replica_closes(cluster, folder):
    """Give nginx writes and closed connections of a replica in one poll."""
    address, replicas, tokens = cluster
    [proxy] = children_of(int((folder / "nginx.pid").read_text()))
    bodies = [{"claim_token": token, "status": "open_today"} for token in tokens[1:9]]
    with ThreadPoolExecutor(len(bodies)) as pool, ExitStack() as stack:
        clients = [stack.enter_context(httpx.Client(base_url=address, timeout=60)) for _ in bodies]
        # After this, connections are open to nginx, and from nginx to both replicas.
        for _ in range(5):
            answers = pool.map(lambda client: client.get("/").status_code, clients)
            assert set(answers) == {200}
        with pause_process(proxy):
            writes = [
                pool.submit(client.post, "/api/pantry/status", json=body)
                for client, body in zip(clients, bodies, strict=True)
            ]
            time.sleep(_CALM_SECONDS)
            assert replicas[0].stop() == 0
        statuses = [write.result().status_code for write in writes]
    replicas[0].start()
    assert statuses == [200] * len(bodies)
