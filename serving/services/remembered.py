"""Answers that stay the same for a while: what people ask about a popular ZIP code again and again.

Thousands are kept, and others take their place all the time. Whatever of them Python's collector
tracks it walks
while nobody is answered: with lists and tuples for each answer that took a tenth of a second. So
what is kept by the
thousand is `msgspec.Struct`s with `gc=False`, which must not form cycles, and numbers packed into
bytes.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable
from datetime import datetime
from typing import Any, Generic, TypeVar

import msgspec

from warehouse.live import LiveTable
from warehouse.reader import OpenRelease

T = TypeVar("T")


NOTHING: frozenset[int] = frozenset()


def packed(kind: str, numbers: Iterable[Any]) -> bytes:
    """Numbers of a type code of `array` ("q" whole ones, "d" floating) one after the other."""
    return array(kind, numbers).tobytes()


def unpacked(kind: str, numbers: bytes) -> list[Any]:
    """The numbers of `packed`."""
    return memoryview(numbers).cast(kind).tolist()  # type: ignore[call-overload,no-any-return]


class _Kept(msgspec.Struct, gc=False):
    answer: Any
    size: int
    until: datetime | None
    version: int
    about: bytes | None


class Remembered(Generic[T]):
    """Answers by question; the least recently asked go first when `most_bytes` is reached.

    One per release (`OpenRelease.kept`), so that it goes with the release. Used from the event loop
    only.
    With the table of operators' reports, an answer also goes when a report of a place in it
    changes.
    """

    def __init__(self, most_bytes: int, live: LiveTable | None = None) -> None:
        self._live = live or LiveTable()
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def size_bytes(self) -> int:
        """What the kept answers were said to take."""
        return self._bytes

    def get(self, question: Hashable, now: datetime) -> T | None:
        """The answer, if it is kept and still true."""
        kept = self._kept.get(question)
        if kept is None:
            return None
        if kept.until is not None and now >= kept.until:
            self._forget(question)
            return None
        if kept.version != self._live.version and not self._still_holds(kept):
            self._forget(question)
            return None
        self._kept.move_to_end(question)
        answer: T = kept.answer
        return answer

    def keep(
        self,
        question: Hashable,
        answer: T,
        size: int,
        until: datetime | None = None,
        about: Collection[int] | None = NOTHING,
        version: int | None = None,
    ) -> T:
        """Keep an answer of so many bytes until an instant; None: as long as the release. Returns
        it.

        `about`: ids of the places whose reports it tells; None when any report may change it.
        `version`: that
        of the reports when the making of the answer began, where it took a while.
        """
        if question in self._kept:
            self._forget(question)
        seen = self._live.version if version is None else version
        ids = None if about is None else packed("q", about)
        self._kept[question] = _Kept(answer, size, until, seen, ids)
        self._bytes += size
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._kept)))
        return answer

    def _still_holds(self, kept: _Kept) -> bool:
        """Whether no report of its places changed; then it need not be asked of the same changes
        again.
        """
        if kept.about is None:
            return False
        if self._live.have_changed(unpacked("q", kept.about), kept.version):
            return False
        kept.version = self._live.version
        return True

    def _forget(self, question: Hashable) -> None:
        self._bytes -= self._kept.pop(question).size


def remembered_of(
    release: OpenRelease, key: str, most_bytes: int, *, by_reports: bool = False
) -> Remembered[Any]:
    """What is kept of a release under a key: made at first use, gone with the release.

    `most_bytes` is what all processes of this machine that answer from it may keep, each its share:
    a second worker
    costs no second memory for answers. `by_reports`: an answer goes when a report of a place in it
    changes.
    """
    return release.kept(
        key, lambda: Remembered(most_bytes // release.workers, release.live if by_reports else None)
    )
