"""Multiprocess metrics: any worker answers `/metrics` for all.

The workers share a port: nobody can choose which one answers. Each writes its numbers to a file of
its own every second, off the path of requests; the one that is asked reads the files of the others.
Counts of an ended worker are retained, so that no counter ever falls. A single worker has no files.
"""

import asyncio
import os
import time
from pathlib import Path

import msgspec

from serving.telemetry.metrics import Metrics, Snapshot, render_metrics

EVERY_SECONDS = 1.0
# A worker that has left nothing for so long ended, or hangs.
_GONE_SECONDS = 10.0


class WorkerNumbers:
    """`folder` None: there is only this worker."""

    def __init__(self, metrics: Metrics, folder: Path | None) -> None:
        self._metrics, self._folder = metrics, folder
        self.begin()

    def begin(self) -> None:
        """Take a name of its own: a worker is forked from the process that made this."""
        self.name = os.urandom(4).hex()
        self._own = self._folder and self._folder / f"{os.getpid()}-{self.name}.json"
        self._metrics.started = time.monotonic()

    @property
    def is_shared(self) -> bool:
        """Return whether there may be other workers."""
        return self._own is not None

    async def render(self) -> bytes:
        """Return Prometheus text of all workers. Call it on the event loop."""
        return await asyncio.to_thread(self._render, self._metrics.snapshot())

    async def follow(self) -> None:
        """Write the numbers periodically. Raises OSError."""
        while True:
            await self.leave()
            await asyncio.sleep(EVERY_SECONDS)

    async def leave(self) -> None:
        """Write the current numbers. Raises OSError."""
        if self._own is not None:
            await asyncio.to_thread(self._write, self._own, self._metrics.snapshot())

    @staticmethod
    def _write(path: Path, snapshot: Snapshot) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Nothing is lost with it when the machine fails: no sync to disk.
        part = path.with_suffix(".part")
        part.write_bytes(msgspec.json.encode(snapshot))
        os.replace(part, path)

    def _render(self, own: Snapshot) -> bytes:
        others = self._others()
        now = time.monotonic()
        is_alive = [now - other.at < _GONE_SECONDS for other in others]
        living = [o for o, alive in zip(others, is_alive, strict=True) if alive]
        ended = [o for o, alive in zip(others, is_alive, strict=True) if not alive]
        return render_metrics([own, *living], ended)

    def _others(self) -> list[Snapshot]:
        if self._own is None:
            return []
        found = []
        for path in sorted(self._own.parent.glob("*.json")):
            if path != self._own:
                found.append(msgspec.json.decode(path.read_bytes(), type=Snapshot))
        return found
