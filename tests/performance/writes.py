"""Status reports beside reads: `python -m tests.performance.writes DATA_FOLDER [SECONDS]`.

The service runs with two workers. First wrk reads alone, as fast as it can; then, beside it, 500 reports a
second are sent by operators of 600 places. Load and service share the machine, so the reads lose to the
sender's own work as well.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from tests.performance.bench import serving
from tests.performance.load import hammer
from tests.support.crashes import make_tokens

PER_SECOND, PLACES, CONNECTIONS, WORKERS = 500, 600, 32, 2


class Sent:
    """What became of the reports; times in milliseconds."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors = 0

    def told(self) -> dict[str, float]:
        times = sorted(self.times) or [0.0]
        return {
            "stored": len(self.times),
            "errors": self.errors,
            "p50_ms": round(times[len(times) // 2], 1),
            "p99_ms": round(times[len(times) * 99 // 100], 1),
        }


async def _sender(base: str, tokens: list[str], until: float, sent: Sent, number: int) -> None:
    where = urlsplit(base)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    pause, due = CONNECTIONS / PER_SECOND, time.perf_counter() + random.random() * 0.03
    count = number
    while time.perf_counter() < until:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        due += pause
        count += CONNECTIONS
        body = json.dumps({"claim_token": tokens[count % len(tokens)], "status": ("open_today", "low_stock")[count // 7 % 2], "inventory": {"dairy": "low"}}).encode()  # fmt: skip
        began = time.perf_counter()
        writer.write(b"POST /api/pantry/status HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))  # fmt: skip
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))  # fmt: skip
        await reader.readexactly(length)
        if b" 200 " in head.partition(b"\r\n")[0]:
            sent.times.append((time.perf_counter() - began) * 1000)
        else:
            sent.errors += 1
    writer.close()


def send(base: str, tokens: list[str], seconds: float) -> Sent:
    """Report for so many seconds, evenly."""
    sent = Sent()

    async def all_of_them() -> None:
        until = time.perf_counter() + seconds
        await asyncio.gather(*(_sender(base, tokens, until, sent, n) for n in range(CONNECTIONS)))

    asyncio.run(all_of_them())
    return sent


def measure(data: Path, url: str, seconds: int, connections: int) -> dict[str, object]:
    """Reads alone, reads beside reports, and the reports."""
    environment = {"LARDER_DATA": str(data), "LARDER_OPERATIONS_URL": url, "LARDER_LIMITS": "off", "LARDER_LOG_LEVEL": "error"}  # fmt: skip
    with serving("serving.asgi:app", environment, workers=WORKERS, ready="/api/health") as server:
        with urllib.request.urlopen(f"{server.base}/api/resources/bulk?type=food_pantry&limit={PLACES}") as answer:  # fmt: skip
            pantries = json.loads(answer.read())["resources"]
        zips = sorted({p["zip"] for p in pantries if p["zip"]})
        paths = [f"/api/resources/search?zip={code}&mode=free" for code in zips]
        paths += [f"/api/resources/{p['id']}" for p in pantries]
        random.Random(1).shuffle(paths)
        tokens = make_tokens(url, [p["id"] for p in pantries])
        hammer(server.base, paths, seconds=3)
        alone = hammer(server.base, paths, seconds=seconds, connections=connections)
        with ThreadPoolExecutor(1) as beside:
            sending = beside.submit(send, server.base, tokens, seconds + 1.0)
            both = hammer(server.base, paths, seconds=seconds, connections=connections)
            sent = sending.result()
    return {
        "reads_alone": round(alone.per_second),
        "reads_beside": round(both.per_second),
        "reads_p99_ms": (round(alone.p99_ms, 1), round(both.p99_ms, 1)),
        "read_errors": alone.errors + both.errors,
        "reports_per_second": round(len(sent.times) / (seconds + 1)),
        "reports": sent.told(),
    }


def main() -> None:
    data = Path(sys.argv[1])
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    with tempfile.TemporaryDirectory() as folder:
        for connections in (1, 32):  # some 3,000 reads a second, then as many as there can be
            url = f"sqlite:///{folder}/{connections}.sqlite"
            told = measure(data, url, seconds, connections)
            print(json.dumps({"read_connections": connections, **told}), flush=True)


if __name__ == "__main__":
    main()
