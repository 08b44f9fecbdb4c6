"""Load shedding: rejects requests early with 503 under overload instead of letting them time out.

The event loop handles requests in turns: all that arrive during one turn are answered in the next.
With more requests than it can answer, turns grow and with them every wait. A request that has
waited too long is rejected, at a tenth of an answer's cost: so the turns shrink, and all others are
answered in time. Work elsewhere (threads, the store) shows in no turn and is counted instead, reads
apart from writes: a hanging store must not prevent people from finding food. Batched work moves the
rest of its requests to the next turn, where they can no longer be rejected: those are counted too,
up to a higher limit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Answered however much there is to do: anyone who watches has to see it.
_ALWAYS = frozenset({"/api/health", "/api/health/ready", "/api/health/deep", "/api/v1/health.json"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
# So many requests before this one in its turn are a crowd. Fewer, and something else held the loop
# up.
_CROWD: Final = 32
# Reads that wait together, as a multiple of those that may be under way: a burst that is answered
# within a second.
_TOGETHER: Final = 2
READ, WRITE, REFUSED = 0, 1, 2
REASONS = ("wait", "reads", "writes")


class Gate:
    """Lets requests in or refuses them. One per process; used on the event loop only.

    `max_concurrent_requests` reads and as many writes at once, and at most `max_queue_seconds` of waiting
    for the loop; 0 is no limit.
    """

    __slots__ = (
        "_count",
        "_max_batched",
        "_max_concurrent",
        "_max_queue_seconds",
        "_together",
        "_turn",
        "longest_wait",
        "refused",
        "together",
        "under_way",
    )

    def __init__(self, max_concurrent_requests: int, max_queue_seconds: float) -> None:
        self._max_concurrent = max_concurrent_requests or 1 << 62
        self._max_batched = _TOGETHER * self._max_concurrent
        self._max_queue_seconds = max_queue_seconds or float("inf")
        # When the turn that lasts began; 0 between two.
        self._turn = 0.0
        self._count = 0
        self.under_way = [0, 0]
        self.together = 0
        self._together = _Together(self)
        self.longest_wait = 0.0
        self.refused = dict.fromkeys(REASONS, 0)

    def enter(self, method: str, path: str, now: float) -> int:
        """Return READ or WRITE when a request is admitted (then `leave` must follow), else REFUSED.

        `now` is of the performance counter.
        """
        kind = READ if method in _READS else WRITE
        under_way = self.under_way
        if self._turn:
            self._count += 1
            if (
                now - self._turn > self._max_queue_seconds
                and self._count > _CROWD
                and path not in _ALWAYS
            ):
                self.refused["wait"] += 1
                return REFUSED
        else:
            self._turn, self._count = now, 1
            asyncio.get_running_loop().call_soon(self._end_turn)
        is_full = under_way[kind] >= self._max_concurrent
        is_crowded = kind == READ and self.together >= self._max_batched
        if (is_full or is_crowded) and path not in _ALWAYS:
            self.refused[REASONS[1 + kind]] += 1
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
            self.under_way[kind] += 1  # it goes on: it is not refused for that

    def waiting_together(self) -> _Together:
        """Count an admitted read while it waits for batched work at the end of a turn."""
        return self._together

    def leave(self, kind: int) -> None:
        """Release an admitted request: it has its answer, or the beginning of a long one."""
        self.under_way[kind] -= 1

    def waited(self) -> float:
        """Return seconds of the longest turn since this was asked last."""
        longest, self.longest_wait = self.longest_wait, 0.0
        return longest

    def _end_turn(self) -> None:
        seconds = time.perf_counter() - self._turn
        self.longest_wait = max(self.longest_wait, seconds)
        self._turn = 0.0


class _Together:
    """One for all who wait: entering it costs a tenth of what a generator would."""

    __slots__ = ("_gate",)

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def __enter__(self) -> None:
        self._gate.together += 1
        self._gate.leave(READ)

    def __exit__(self, *_: object) -> None:
        self._gate.under_way[READ] += 1
        self._gate.together -= 1
