"""Load shedding: rejects requests early with 503 under overload instead of letting them time out.

The event loop handles requests in turns: requests that arrive during one turn are answered in the
next. Under overload, turns grow and with them every wait. A request that waited too long is
rejected, at a tenth of an answer's cost: so turns shrink, and the others are answered in time. How
long is too long depends on how long the queue has stood, as in CoDel (RFC 8289): a burst may wait,
as a late answer is better than none; a lasting queue helps nobody, so that excess requests are
rejected at once. Work outside the loop (threads, the store) is counted instead, reads separately
from writes: a hanging store must not prevent people from finding food.
"""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Answered under any load: monitoring needs them.
_ALWAYS = frozenset({"/api/health", "/api/health/ready", "/api/health/deep", "/api/v1/health.json"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
# This many earlier requests in a turn mean overload. With fewer, something else blocked the loop.
_CROWD: Final = 32
# A queue is turns longer than this with no such time between them. It lasts after three seconds:
# opening the next release slows a worker for one or two. Then a request waits no longer than this,
# until all turns of a second were short.
_SHORT_TURN_SECONDS: Final = 0.02
_LASTING_SECONDS: Final = 3.0
_CALM_SECONDS: Final = 1.0
READ, WRITE, REFUSED = 0, 1, 2
REASONS = ("wait", "reads", "writes")


class AdmissionControl:
    """Admits or rejects requests. One per process; used on the event loop only.

    Limits: `max_concurrent_requests` reads and as many writes, and `max_queue_seconds` of waiting
    for the loop in a burst; 0 is no limit.
    """

    __slots__ = (
        "_count",
        "_has_refused",
        "_last_long_turn",
        "_max_concurrent",
        "_max_queue_seconds",
        "_queue_start",
        "_turn",
        "longest_wait",
        "refusals",
        "under_way",
    )

    def __init__(self, max_concurrent_requests: int, max_queue_seconds: float) -> None:
        self._max_concurrent = max_concurrent_requests or 1 << 62
        self._max_queue_seconds = max_queue_seconds or float("inf")
        # Start of the current turn; 0 between two.
        self._turn = 0.0
        self._count = 0
        self._has_refused = False
        # Start of the first long turn of a queue, infinite without one; end of the last long turn.
        self._queue_start = float("inf")
        self._last_long_turn = 0.0
        self.under_way = [0, 0]
        self.longest_wait = 0.0
        self.refusals = dict.fromkeys(REASONS, 0)

    def enter(self, method: str, path: str, now: float) -> int:
        """Return READ or WRITE for an admitted request (then call `leave`), else REFUSED.

        `now` is from the performance counter.
        """
        kind = READ if method in _READS else WRITE
        under_way = self.under_way
        if self._turn:
            self._count += 1
            if self._is_too_long(now - self._turn) and path not in _ALWAYS:
                self._has_refused = True
                self.refusals["wait"] += 1
                return REFUSED
        else:
            was_lasting = self._last_long_turn - self._queue_start > _LASTING_SECONDS
            calm = _CALM_SECONDS if was_lasting else _SHORT_TURN_SECONDS
            if now - self._last_long_turn > calm:
                self._queue_start = float("inf")
            self._turn, self._count, self._has_refused = now, 1, False
            asyncio.get_running_loop().call_soon(self._end_turn)
        if under_way[kind] >= self._max_concurrent and path not in _ALWAYS:
            self.refusals[REASONS[1 + kind]] += 1
            return REFUSED
        under_way[kind] += 1
        return kind

    @contextmanager
    def aside(self, kind: int) -> Iterator[None]:
        """Exclude an admitted request while it waits for its client, which takes no work here."""
        self.leave(kind)
        try:
            yield
        finally:
            self.under_way[kind] += 1  # an admitted request is not rejected later

    def leave(self, kind: int) -> None:
        """Release an admitted request that has its answer, or the beginning of a long one."""
        self.under_way[kind] -= 1

    def take_longest_wait(self) -> float:
        """Return seconds of the longest turn since the last call."""
        longest, self.longest_wait = self.longest_wait, 0.0
        return longest

    def _is_too_long(self, seconds: float) -> bool:
        if self._turn - self._queue_start > _LASTING_SECONDS:
            limit = min(_SHORT_TURN_SECONDS, self._max_queue_seconds)
        else:
            limit = self._max_queue_seconds
        return seconds > limit and self._count > _CROWD

    def _end_turn(self) -> None:
        now = time.perf_counter()
        seconds = now - self._turn
        if seconds >= _SHORT_TURN_SECONDS or self._has_refused:
            self._queue_start = min(self._queue_start, self._turn)
            self._last_long_turn = now
        self.longest_wait = max(self.longest_wait, seconds)
        self._turn = 0.0
