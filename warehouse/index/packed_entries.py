"""Stores many small tuples as MessagePack and decodes each on access.

As objects, a gazetteer's places take ten times as much memory, and counting a reference writes to
the object's page, which forked processes then no longer share.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

T = TypeVar("T")
# Batch size for readers of all entries.
_BATCH = 1_000


class PackedEntries(Generic[T]):
    """A sequence of tuples of one type. Safe for threads."""

    def __init__(self, packed: Iterable[Any], kind: type[T]) -> None:
        """Index entries. `packed`: the MessagePack of each entry, `bytes` or `msgspec.Raw`."""
        parts: list[memoryview] = [memoryview(entry) for entry in packed]
        ends = accumulate((part.nbytes for part in parts), initial=0)
        self._bytes = b"".join(parts)
        self._ends = np.fromiter(ends, np.int32, len(parts) + 1).data
        self._one: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)
        self._several: msgspec.msgpack.Decoder[list[T]] = msgspec.msgpack.Decoder(list[kind])  # type: ignore[valid-type]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: int) -> T:
        """Return the entry at a position from 0 on. Raises IndexError."""
        return self._one.decode(self._bytes[self._ends[at] : self._ends[at + 1]])

    def __iter__(self) -> Iterator[T]:
        for first in range(0, len(self), _BATCH):
            yield from self.span(first, min(first + _BATCH, len(self)))

    def span(self, first: int, end: int) -> list[T]:
        """Return the entries from one position up to another, both within the sequence."""
        # An array of 32-bit length (MessagePack specification, "array 32").
        head = b"\xdd" + (end - first).to_bytes(4, "big")
        return self._several.decode(head + self._bytes[self._ends[first] : self._ends[end]])
