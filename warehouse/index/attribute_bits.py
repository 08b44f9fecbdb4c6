"""Filterable attributes as bits per row: see `schemas.tables.serving.FACTS_SCHEMA`."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from schemas.attributes import CODE_LISTS, TRUTHS

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
_PLACES = {truth.name: 2 * truth.bit for truth in TRUTHS}
_CODES = {one.name: one.codes for one in CODE_LISTS}


class Facts:
    """The columns of facts.arrow."""

    def __init__(self, columns: Mapping[str, NDArray[np.generic]]) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return len(self._columns["truths"])

    def truth(self, name: str, rows: Rows) -> tuple[Bools, Bools]:
        """Return for each row whether the attribute is true, and whether it is known."""
        bits: NDArray[np.uint32] = self._columns["truths"].take(rows)  # type: ignore[assignment]
        place = _PLACES[name]
        return (bits & (2 << place)) != 0, (bits & (1 << place)) != 0

    def bits(self, name: str, rows: Rows) -> NDArray[np.uint64]:
        """Return the set of an attribute as bits; 0 is unknown."""
        bits: NDArray[np.uint64] = self._columns[name].take(rows)  # type: ignore[assignment]
        return bits

    def ages(self, rows: Rows) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """Return the least and greatest age; -1 if unknown."""
        low: NDArray[np.int16] = self._columns["minimum_age"].take(rows)  # type: ignore[assignment]
        high: NDArray[np.int16] = self._columns["maximum_age"].take(rows)  # type: ignore[assignment]
        return low, high


def bits_of(name: str, codes: Iterable[str]) -> np.uint64:
    """Return the bits of some codes of a set. Raises ValueError for a code outside its
    vocabulary."""
    return np.uint64(sum(1 << _CODES[name].index(code) for code in codes))
