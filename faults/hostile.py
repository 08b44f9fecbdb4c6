"""Clients unlike any browser: raw sockets, many at a time."""

import asyncio
import resource
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlsplit

_CONNECT_AT_ONCE = 200
_PATIENCE_SECONDS = 20.0
# Numbers of clients by outcome.
Counts = Counter[str]


def where(address: str) -> tuple[str, int]:
    """Return host and port of an address."""
    parts = urlsplit(address)
    return str(parts.hostname), int(parts.port or 80)


def open_files_limit() -> int:
    """Raise the open files limit of this process and its children to its maximum; return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def resident_bytes(pid: int) -> int:
    """Return the memory of a process."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def status_of(answer: bytes) -> str:
    """Return `413` for that status, `closed` for no answer, `other` for an invalid one."""
    if not answer:
        return "closed"
    return answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.") else "other"


def ask(
    address: str, request: bytes, *, shut: bool = False, seconds: float = _PATIENCE_SECONDS
) -> bytes:
    """Return the answer to raw bytes until the other side closes or is silent for a moment.

    With `shut`, our half of the connection is closed after sending. `b"timeout"` without any bytes.
    """
    answer = b""
    with socket.create_connection(where(address), timeout=seconds) as client:
        try:
            client.sendall(request)
            if shut:
                client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65_536):
                answer += piece
                client.settimeout(0.25)
        except TimeoutError:
            return answer or b"timeout"
        except OSError:
            return answer
    return answer


def ask_together(address: str, requests: Iterable[bytes]) -> list[bytes]:
    """Return the bytes that answer each of several requests, eight at a time: the service cuts some
    off only after a wait for the remaining bytes."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(partial(ask, address), requests))


@contextmanager
def idle(address: str, count: int) -> Iterator[list[socket.socket]]:
    """Open a number of silent connections; yield their sockets."""
    sockets: list[socket.socket] = []
    try:
        for _ in range(count):
            sockets.append(socket.create_connection(where(address), timeout=_PATIENCE_SECONDS))
        yield sockets
    finally:
        for client in sockets:
            client.close()


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[str]]


def crowd(address: str, count: int, talk: Talk, *, receive_bytes: int = 0) -> tuple[Counts, float]:
    """Run `talk` with many clients at once; return counts by outcome, and seconds."""
    began = time.monotonic()
    return asyncio.run(_crowd(address, count, talk, receive_bytes)), time.monotonic() - began


async def _crowd(address: str, count: int, talk: Talk, receive_bytes: int) -> Counts:
    entrance = asyncio.Semaphore(_CONNECT_AT_ONCE)

    async def one() -> str:
        try:
            async with entrance:
                client = socket.socket()
                client.setblocking(False)
                if receive_bytes:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
                await asyncio.get_running_loop().sock_connect(client, where(address))
                reader, writer = await asyncio.open_connection(sock=client, limit=4096)
        except OSError:
            return "not connected"
        try:
            return await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            return "closed"
        finally:
            writer.close()

    return Counter(await asyncio.gather(*(one() for _ in range(count))))


def drip(head: bytes, rest: bytes, *, every: float, max_seconds: float) -> Talk:
    """Return a talk that sends a head, then a byte at a time until an answer or the end."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        writer.write(head)
        answer = asyncio.ensure_future(reader.read(4096))
        end, at = time.monotonic() + max_seconds, 0
        while time.monotonic() < end:
            answers, _ = await asyncio.wait({answer}, timeout=every)
            if answers:
                return status_of(answer.result())
            writer.write(rest[at % len(rest) : at % len(rest) + 1])
            at += 1
        answer.cancel()
        return "held"

    return talk


def summary(counts: Counts) -> str:
    """Return counts as text: `408: 300, closed: 2`."""
    return ", ".join(f"{name}: {count:,}" for name, count in counts.most_common())
