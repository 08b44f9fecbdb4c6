"""Answers that stay the same for a while: what people ask about a popular ZIP code again and again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Kept(NamedTuple):
    answer: object
    size: int
    until: datetime | None


class Remembered(Generic[T]):
    """Answers by question; the least recently asked go first when `most_bytes` is reached.

    One per release (`OpenRelease.kept`), so that it goes with the release. Used from the event loop only.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, question: Hashable, now: datetime) -> T | None:
        """The answer, if it is kept and still true."""
        kept = self._kept.get(question)
        if kept is None:
            return None
        if kept.until is not None and now >= kept.until:
            self._forget(question)
            return None
        self._kept.move_to_end(question)
        return kept.answer  # type: ignore[return-value]

    def keep(self, question: Hashable, answer: T, size: int, until: datetime | None = None) -> T:
        """Keep an answer of so many bytes until an instant; None: as long as the release. Returns it."""
        if question in self._kept:
            self._forget(question)
        self._kept[question] = _Kept(answer, size, until)
        self._bytes += size
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._kept)))
        return answer

    def _forget(self, question: Hashable) -> None:
        self._bytes -= self._kept.pop(question).size
