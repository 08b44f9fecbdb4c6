"""A relay before a TCP server, which can hang, slow down, cut off or answer for it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from tests.support.server import free_port

# `hang`: accept connections and pass nothing. `crawl`: pass a little at a time. `cut`: end a
# connection after a few bytes of its answer. `refuse`: answer every request with `answer`.
Mode = Literal["pass", "hang", "crawl", "cut", "refuse"]
_PIECE = 65_536
_CRAWL_BYTES, _CRAWL_SECONDS = 2048, 0.05
_CUT_BYTES = 3000


class Relay:
    """A relay that listens on `port`; `mode` applies to connections from now on."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self.mode: Mode = "pass"
        self.answer = b""
        self.connections = 0
        self._target = target

    async def serve(self, is_ready: threading.Event, end: asyncio.Event) -> None:
        server = await asyncio.start_server(self._relay, "127.0.0.1", self.port)
        is_ready.set()
        async with server:
            await end.wait()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(ConnectionError, asyncio.CancelledError):
            if self.mode == "refuse":
                await reader.readuntil(b"\r\n\r\n")
                writer.write(self.answer)
                await writer.drain()
            else:
                ahead, back = await asyncio.open_connection("127.0.0.1", self._target)
                up = asyncio.create_task(self._pass(reader, back, is_answer=False))
                await self._pass(ahead, writer, is_answer=True)
                up.cancel()
                back.close()
        writer.close()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        count = 0
        while piece := await reader.read(_CRAWL_BYTES if self.mode == "crawl" else _PIECE):
            while self.mode == "hang":
                await asyncio.sleep(0.1)
            if is_answer and self.mode == "crawl":
                await asyncio.sleep(_CRAWL_SECONDS)
            if is_answer and self.mode == "cut" and count + len(piece) > _CUT_BYTES:
                writer.write(piece[: _CUT_BYTES // 2])
                await writer.drain()
                return
            count += len(piece)
            writer.write(piece)
            await writer.drain()


@contextmanager
def relay(target: int) -> Iterator[Relay]:
    """Run a relay to a port in its own thread."""
    server, is_ready = Relay(target), threading.Event()
    loop, end = asyncio.new_event_loop(), asyncio.Event()

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(server.serve(is_ready, end))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    is_ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(10)
