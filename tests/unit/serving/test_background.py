"""Background tasks restart after an error and report it meanwhile."""

import asyncio
import errno
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from typing import Any

import httpx
import pytest

from serving.app import create_app
from serving.processes import background
from serving.processes.background import BackgroundTasks, Work
from serving.processes.notifications import Courier
from serving.settings import Settings
from tests.support.server import free_port
from tests.support.storage import S3Server
from tests.support.town import write_town
from warehouse.files import write_text
from warehouse.operations.engine import open_store
from warehouse.release.store import ReleaseStore

SECOND = "20261102T060000Z-00000002"
ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


class Log:
    """Stores log events."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []

    def error(self, event: str, **facts: Any) -> None:
        self.lines.append((event, facts))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "RETRY_SECONDS", 0.2)
    monkeypatch.setattr("warehouse.release.watch.RETRY_SECONDS", 0.0)


class KillableTasks(BackgroundTasks):
    """Tasks that end with an error when a test says so, and pause until it says so."""

    def __init__(self, log: Any) -> None:
        super().__init__(log)
        self._faults: dict[str, asyncio.Future[None]] = {}
        self._pauses: dict[str, asyncio.Event] = {}

    def start(self, name: str, work: Work) -> None:
        async def work_until_killed() -> None:
            fault = self._faults[name] = asyncio.get_running_loop().create_future()
            working = asyncio.ensure_future(work())
            try:
                ended, _ = await asyncio.wait({working, fault}, return_when=FIRST_COMPLETED)
                for each in ended:
                    each.result()
            finally:
                working.cancel()
                await asyncio.wait({working})

        super().start(name, work_until_killed)

    async def pause(self, name: str) -> None:
        self._pauses[name] = asyncio.Event()
        await self._pauses[name].wait()

    async def kill(self, name: str) -> bool:
        """End the task with EIO; return whether it is then in its pause."""
        assert await comes_true(lambda: name in self._faults)
        self._faults[name].set_exception(OSError(errno.EIO, "Input/output error"))
        return await comes_true(lambda: name in self._pauses)

    def resume(self, name: str) -> None:
        self._pauses[name].set()


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[tuple[Any, httpx.AsyncClient]]:
    app = create_app(replace(settings, admin_token="operator"))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.lifespan(),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client,
    ):
        yield app.state["context"], client


async def comes_true(check: Callable[[], bool | Awaitable[bool]], seconds: float = 20) -> bool:
    for _ in range(int(seconds / 0.02)):
        value = check()
        if value if isinstance(value, bool) else await value:
            return True
        await asyncio.sleep(0.02)
    return False


async def report(client: httpx.AsyncClient) -> tuple[str, str]:
    headers = {"Authorization": "Bearer operator"}
    checks = (await client.get("/api/health/deep", headers=headers)).json()["checks"]
    (check,) = (c for c in checks if c["name"] == "tasks")
    return check["status"], check["detail"]


async def is_degraded(client: httpx.AsyncClient) -> bool:
    return (await report(client))[0] == "degraded"


def test_every_background_task_comes_back(tmp_path, monkeypatch):
    """All tasks of the application, by any name."""
    monkeypatch.setattr("serving.app.BackgroundTasks", KillableTasks)
    for name, value in S3Server(free_port()).environment.items():
        monkeypatch.setenv(name, value)
    write_town(tmp_path)
    port = free_port()
    settings = Settings(
        metrics_port=port,
        data_dir=tmp_path,
        log_level="critical",
        storage_url="s3://nowhere/larder",
        poll_seconds=0.02,
    )

    async def scene() -> None:
        async with running(settings) as (context, client):
            tasks = context.tasks
            await client.post("/mcp/v1", json=ASK, headers={"accept": "application/json"})
            names = list(tasks.failures)
            assert {"follow_releases", "follow_storage", "run_mcp"} <= set(names)
            assert (await report(client)) == ("ok", f"{len(names)} background tasks run")
            for name in names:
                assert await tasks.kill(name), name
                assert tasks.failing[name].fault == "OSError EIO", name
                status, detail = await report(client)
                assert status == "degraded"
                assert f"{name}: OSError EIO at 20" in detail
                tasks.resume(name)
                assert await comes_true(lambda name=name: name not in tasks.failing), name
                assert not tasks.tasks[name].done(), name
            assert tasks.failures == dict.fromkeys(names, 1)
            async with httpx.AsyncClient() as watcher:
                metrics = (await watcher.get(f"http://127.0.0.1:{port}/metrics")).text
            for name in names:
                assert f'larder_background_task_failures_total{{task="{name}"}} 1.0' in metrics
            assert (await report(client))[0] == "ok"
            # They do their work again.
            write_town(tmp_path, release_id=SECOND)
            assert await comes_true(lambda: serves(client, SECOND))
            answer = await client.post("/mcp/v1", json=ASK, headers={"accept": "application/json"})
            assert answer.status_code != 503

    asyncio.run(scene())


async def serves(client: httpx.AsyncClient, release_id: str) -> bool:
    return (await client.get("/api/stats")).headers["x-release"] == release_id


def _loop(pointer):
    pointer.symlink_to(pointer.name)


def _folder(pointer):
    pointer.mkdir()


def _undecodable(pointer):
    pointer.write_bytes(b"\xff\xfe\x00")


@pytest.mark.parametrize(
    "damage", [_loop, _folder, _undecodable, errno.EIO, errno.ESTALE, errno.EMFILE]
)
def test_a_pointer_that_cannot_be_read_ends_nothing(tmp_path, monkeypatch, damage):
    write_town(tmp_path)
    pointer = ReleaseStore(tmp_path).pointer
    first = pointer.read_text().strip()

    async def scene() -> None:
        settings = Settings(data_dir=tmp_path, log_level="critical", poll_seconds=0.02)
        async with running(settings) as (context, client):
            tasks = context.tasks
            with monkeypatch.context() as patch:
                if isinstance(damage, int):
                    error = OSError(damage, "injected")
                    patch.setattr(type(pointer), "read_text", _failing(pointer, error))
                else:
                    pointer.unlink()
                    damage(pointer)
                assert await comes_true(lambda: tasks.failures["follow_releases"] >= 2)
                for address in (
                    "/api/stats",
                    "/",
                    "/api/releases",
                    "/exports",
                    "/api/resources/search?zip=10002",
                ):
                    answer = await client.get(address)
                    assert answer.status_code == 200, address
                    assert answer.headers["x-release"] == first
                # Each new start is a moment without a failure.
                assert await comes_true(lambda: is_degraded(client))
                checks = (await client.get("/api/health/deep")).json()["checks"]
                assert {c["name"]: c["status"] for c in checks}["pointer"] == "broken"
            if pointer.is_dir():
                pointer.rmdir()
            pointer.unlink(missing_ok=True)
            write_text(pointer, first + "\n")
            write_town(tmp_path, release_id=SECOND)
            assert await comes_true(lambda: serves(client, SECOND))

    asyncio.run(scene())


def _failing(pointer, error):
    read_text = type(pointer).read_text

    def read(self, *args, **kwargs):
        if self == pointer:
            raise error
        return read_text(self, *args, **kwargs)

    return read


def test_a_start_with_a_pointer_that_cannot_be_read_serves_the_newest_good_release(tmp_path):
    write_town(tmp_path)
    pointer = ReleaseStore(tmp_path).pointer
    first = pointer.read_text().strip()
    _undecodable(pointer)

    async def scene() -> None:
        async with running(Settings(data_dir=tmp_path, log_level="critical")) as (_, client):
            assert await serves(client, first)

    asyncio.run(scene())


def test_an_ended_task_is_restarted():
    starts = {"returns": 0, "cancelled": 0}

    async def returns() -> None:
        starts["returns"] += 1

    async def cancelled() -> None:
        starts["cancelled"] += 1
        lost = asyncio.get_running_loop().create_future()
        lost.cancel()
        await lost

    async def scene() -> None:
        log = Log()
        tasks = BackgroundTasks(log)
        tasks.start("returns", returns)
        tasks.start("cancelled", cancelled)
        assert await comes_true(lambda: min(starts.values()) > 2)
        faults = {(facts["task"], facts["fault"]) for _, facts in log.lines}
        assert faults == {("returns", "it returned"), ("cancelled", "CancelledError")}
        assert {e for e, _ in log.lines} == {"background_task_failed"}
        running_tasks = list(tasks.tasks.values())
        await tasks.stop()
        assert all(task.cancelled() for task in running_tasks)

    asyncio.run(scene())


@pytest.mark.parametrize("turns", range(4))
def test_a_message_queued_at_a_stop_does_not_delay_the_stop(tmp_path, turns):
    """`turns` of the event loop are between the two."""

    async def scene() -> None:
        tasks = BackgroundTasks(Log())
        with closing(open_store(tmp_path / "operations" / "operations.sqlite")) as store:
            courier = Courier(Settings(data_dir=tmp_path), store, Log())
            tasks.start("email", lambda: courier.follow("email"))
            (task,) = tasks.tasks.values()
            assert await comes_true(lambda: "waiters:1" in repr(courier._news.get("email")))
            courier.wake()
            for _ in range(turns):
                await asyncio.sleep(0)
            async with asyncio.timeout(5):
                await tasks.stop()
            assert task.cancelled()

    asyncio.run(scene())
