"""Send a steady load: `python -m tests.support.steady ADDRESS PER_SECOND PATH...`

Requests the paths in turn, over TLS without verification, until standard input ends. Prints one
JSON object: counts by status, the releases, and every fault.
"""

import asyncio
import sys
import time
from collections import Counter
from itertools import cycle

import httpx
import msgspec


async def main(address: str, per_second: float, paths: list[str]) -> None:
    statuses: Counter[int] = Counter()
    releases: list[str] = []
    faults: list[str] = []
    longest = 0.0

    async def ask(client: httpx.AsyncClient, path: str) -> None:
        nonlocal longest
        start = time.perf_counter()
        try:
            answer = await client.get(path, headers={"Host": "larder.example.org"})
        except httpx.HTTPError as error:
            faults.append(f"{path}: {error!r}")
            return
        longest = max(longest, time.perf_counter() - start)
        statuses[answer.status_code] += 1
        if answer.status_code != 200:
            faults.append(f"{path}: {answer.status_code} {answer.text[:200]}")
        release = answer.headers.get("x-release", "")
        if release and release not in releases:
            releases.append(release)

    end_of_input = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    tasks: set[asyncio.Task[None]] = set()
    async with httpx.AsyncClient(base_url=address, verify=False, timeout=60) as client:
        for path in cycle(paths):
            if end_of_input.done():
                break
            task = asyncio.create_task(ask(client, path))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            await asyncio.sleep(1 / per_second)
        await asyncio.gather(*tasks)
    report = {
        "statuses": dict(statuses),
        "releases": releases,
        "faults": faults,
        "longest": longest,
    }
    sys.stdout.buffer.write(msgspec.json.encode(report))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
