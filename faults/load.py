"""A background load of reads and writes that records every answer and every failure."""

import asyncio
import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

import httpx

READS = ("/api/resources/101", "/api/resources/search?zip=10002", "/api/stats", "/")
# Clients give up after this wait, longer than the store's own limit (10 s a statement).
PATIENCE_SECONDS = 20.0
# Some ninety reads a second: more would only load the machine.
_READ_EVERY_SECONDS = 0.04
_WRITE_EVERY_SECONDS = 0.05
_AFTER_FAILURE_SECONDS = 0.02
_REFUSALS = frozenset({429, 503})
# A proxy's connection to the service broke: every request of this load may be repeated.
_BAD_GATEWAY = 502
# For some milliseconds, a killed process's socket still accepts connections.
_AGAIN_AFTER_SECONDS = 0.25


@dataclass(frozen=True)
class Exchange:
    """A request (`began` by the monotonic clock); `status` is None without answer."""

    method: str
    path: str
    began: float
    seconds: float
    status: int | None
    fault: str
    release: str | None
    retry_after: str | None

    @property
    def is_good(self) -> bool:
        """Whether a read has 200, or a write 200 or a refusal with a retry time."""
        if self.method == "GET":
            return self.status == 200
        return self.status == 200 or (self.status in _REFUSALS and self.retry_after is not None)


@dataclass
class Load:
    """Readers and writers until the block ends. Writers report with each of `tokens` in turn.

    Every request goes to one of the addresses. If its connection (or a proxy's) breaks or is
    refused, it is repeated up to `again` times, a quarter of a second later, at the next address;
    writes use the same `Idempotency-Key`. Reports have their names in their notes; `acknowledged`
    has the names of acknowledged reports, `refused` those answered with 503.
    """

    addresses: Sequence[str]
    tokens: Sequence[str] = ()
    readers: int = 4
    writers: int = 2
    reads: Sequence[str] = READS
    again: int = 1
    name: str = "w"
    exchanges: list[Exchange] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)

    def __enter__(self) -> Self:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE_SECONDS * (self.again + 1) + 10)
        if self._thread.is_alive():
            raise RuntimeError("the load did not end")

    # ------------------------------------------------------------ results

    def list_lost(self, outages: Iterable[tuple[float, float]] = ()) -> list[Exchange]:
        """Return bad requests, except during outages (spans of monotonic seconds)."""
        spans = list(outages)
        return [
            a
            for a in self.exchanges
            if not a.is_good
            and not any(s <= a.began + a.seconds and a.began <= e for s, e in spans)
        ]

    def statuses(self, method: str, since: float = 0.0) -> Counter[int | None]:
        """Count requests by status; None means no answer."""
        return Counter(a.status for a in self.exchanges if a.method == method and a.began >= since)

    def slowest(self, method: str) -> float:
        """Return the seconds of the slowest request."""
        return max((a.seconds for a in self.exchanges if a.method == method), default=0.0)

    def wait_for(
        self,
        method: str,
        status: int | None,
        count: int = 1,
        seconds: float = 60,
        since: float | None = None,
    ) -> None:
        """Return once a number of requests that began after the call (or `since`) had that status.

        Raises TimeoutError.
        """
        begin = time.monotonic() if since is None else since
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.statuses(method, begin)[status] >= count:
                return
            time.sleep(0.02)
        raise TimeoutError(
            f"{method} never came to {status} {count} times in {seconds} s: "
            f"{self.statuses(method, begin)}"
        )

    # ------------------------------------------------------------ in its own thread

    async def _run(self) -> None:
        readers = [self._reader(n) for n in range(self.readers)]
        writers = [self._writer(n) for n in range(self.writers if self.tokens else 0)]
        await asyncio.gather(*readers, *writers)

    async def _reader(self, number: int) -> None:
        async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client:
            for count in itertools.count(number):
                if self._stop.is_set():
                    return
                await self._ask(client, count, "GET", self.reads[count % len(self.reads)])
                await asyncio.sleep(_READ_EVERY_SECONDS)

    async def _writer(self, number: int) -> None:
        async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client:
            for count in itertools.count():
                if self._stop.is_set():
                    return
                name = f"{self.name}{number}-{count}"
                token = self.tokens[(number + self.writers * count) % len(self.tokens)]
                body = {"claim_token": token, "status": "open_today", "notes": name}
                exchange = await self._ask(
                    client,
                    number,
                    "POST",
                    "/api/pantry/status",
                    json=body,
                    headers={"Idempotency-Key": name},
                )
                if exchange.status == 200:
                    self.acknowledged.add(name)
                elif exchange.status == 503:
                    self.refused.add(name)
                await asyncio.sleep(_WRITE_EVERY_SECONDS)

    async def _ask(
        self, client: httpx.AsyncClient, first: int, method: str, path: str, **arguments: object
    ) -> Exchange:
        began, fault = time.monotonic(), ""
        answer = None
        for attempt in range(self.again + 1):
            if attempt:
                await asyncio.sleep(_AGAIN_AFTER_SECONDS)
            address = self.addresses[(first + attempt) % len(self.addresses)]
            try:
                answer = await client.request(method, address + path, **arguments)  # type: ignore[arg-type]
                fault = "" if answer.status_code < 400 else answer.text[:200]
                if answer.status_code != _BAD_GATEWAY:
                    break
            except httpx.TransportError as error:
                fault = repr(error)
                if isinstance(error, httpx.TimeoutException):
                    break
        seconds = time.monotonic() - began
        headers = answer.headers if answer is not None else {}
        status = answer.status_code if answer is not None else None
        exchange = Exchange(
            method,
            path,
            began,
            seconds,
            status,
            fault,
            headers.get("x-release"),
            headers.get("retry-after"),
        )
        self.exchanges.append(exchange)
        if not exchange.is_good or status != 200:
            await asyncio.sleep(_AFTER_FAILURE_SECONDS)
        return exchange
