"""Processor time of uncached pages in this process, as a ratio to a search in the same run."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any
from urllib.parse import unquote

from litestar import Litestar

SEARCH = "/api/resources/search?zip=10002"
# The address of each page or answer, and the most that it should cost in milliseconds.
PAGES = {
    SEARCH: None,
    "/search?zip=10002": 6.0,
    "/filters?zip=10002": 12.0,
    "/zip/10002": 1.5,
    "/city/NY/new-york": 1.5,
    "/county/36061": 1.5,
    "/urgent?zip=10002": 1.5,
    "/": 0.4,
    "/print/10002": 5.0,
    "/es/search?zip=10002": None,
    "/api/llm-search?q=food%20pantry%20near%2010002": 0.6,
}
_ROUNDS, _BATCH = 12, 4


async def call(app: Litestar, path: str) -> None:
    """Request a path of an application in this process. Raises RuntimeError if the answer is not
    200."""
    address, _, query = path.partition("?")
    scope: Any = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": "GET",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 40_000),
        "root_path": "",
        "path": unquote(address),
        "raw_path": address.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1:8000")],
        "state": {},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        if message.get("status", 200) != 200:
            raise RuntimeError(f"{path}: {message['status']}")

    await app(scope, receive, send)
    await asyncio.sleep(0)  # the end of a turn: the gate counts requests per turn


async def measure(app: Litestar) -> dict[str, float]:
    """Return milliseconds of each page: the least of twelve batches of four, the pages in turn, so
    that other load of the machine disturbs all of them alike. The application keeps no answer."""
    best: dict[str, float] = {}
    for _, path in product(range(_ROUNDS), PAGES):
        before = time.process_time()
        for _ in range(_BATCH):
            await call(app, path)
        each = 1000 * (time.process_time() - before) / _BATCH
        best[path] = min(each, best.get(path, each))
    return best


def page_lines(milliseconds: Mapping[str, float]) -> Iterator[str]:
    """Return a section of the report."""
    yield "## Pages"
    yield ""
    yield (
        "Processor time of one uncached page in the benchmark process, without server and network: "
        "the least of twelve batches of four. Ratios compare with a search of the API for the same "
        "ZIP code in the same run. The aim applies to a quiet machine of two cores."
    )
    yield ""
    yield "| page | CPU ms | ratio to a search | aim, ms |"
    yield "| --- | ---: | ---: | ---: |"
    for path, each in milliseconds.items():
        aim = PAGES[path]
        ratio = each / milliseconds[SEARCH]
        yield f"| `{path}` | {each:.2f} | {ratio:.1f} | {'' if aim is None else aim} |"
