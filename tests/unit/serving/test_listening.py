"""A stopping worker answers every connected client."""

import asyncio
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Event

import pytest

from serving.processes.listening import refuse_before_stop
from tests.support.server import free_port

_ACCEPT_SECONDS = 0.005
# asm-generic/socket.h: from then on the kernel refuses a filter to everyone, as some do to all but
# root.
_SO_LOCK_FILTER = 44
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="sockets are replaced on Linux alone"
)


def _serve(port: int, ready: Event, *, may_filter: bool) -> None:
    """Run a server that accepts a connection every five milliseconds and stops at SIGINT."""
    listener = socket.create_server(("127.0.0.1", port), backlog=4096)
    listener.setblocking(False)
    if not may_filter:
        listener.setsockopt(socket.SOL_SOCKET, _SO_LOCK_FILTER, 1)

    async def run() -> None:
        stopped = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stopped.set)
        threading.Thread(target=_answer_slowly, args=(listener,), daemon=True).start()
        refuse_before_stop(port)
        ready.set()
        await stopped.wait()

    asyncio.run(run())
    os._exit(0)


def _answer_slowly(listener: socket.socket) -> None:
    while True:
        time.sleep(_ACCEPT_SECONDS)
        try:
            client, _ = listener.accept()
        except BlockingIOError:
            continue
        client.setblocking(True)
        client.recv(100)
        client.sendall(b"done")
        client.close()


def _ask(port: int) -> str:
    try:
        client = socket.create_connection(("127.0.0.1", port), timeout=10)
    except ConnectionRefusedError:
        return "refused"
    with client:
        try:
            client.sendall(b"write")
            return client.recv(100).decode() or "closed"
        except ConnectionResetError:
            return "reset"


def _start(
    request: pytest.FixtureRequest, *, may_filter: bool
) -> tuple[multiprocessing.process.BaseProcess, int]:
    """Start a worker with the server above; return it and its port."""
    forked = multiprocessing.get_context("fork")
    port, ready = free_port(), forked.Event()
    worker = forked.Process(target=_serve, args=(port, ready), kwargs={"may_filter": may_filter})
    worker.start()
    request.addfinalizer(worker.kill)
    assert ready.wait(60)
    return worker, port


def test_a_worker_that_stops_resets_no_connection(request):
    worker, port = _start(request, may_filter=True)
    with ThreadPoolExecutor(40) as clients:
        futures = [clients.submit(_ask, port) for _ in range(80)]
        time.sleep(0.1)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGTERM)
        futures += [clients.submit(_ask, port) for _ in range(80)]
        results = Counter(answer.result() for answer in futures)
    worker.join(20)
    assert worker.exitcode == 0
    assert results.keys() == {"done", "refused"}, results


def test_a_worker_without_filter_rights_answers_and_stops(request):
    worker, port = _start(request, may_filter=False)
    clients = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(40)]
    for client in clients:
        client.sendall(b"write")
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGTERM)
    assert [client.recv(100) for client in clients] == [b"done"] * len(clients)
    for client in clients:
        client.close()
    worker.join(20)
    assert worker.exitcode == 0
    assert _ask(port) == "refused"
