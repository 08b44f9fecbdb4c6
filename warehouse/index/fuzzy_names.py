"""Finds names within a few typing errors of a text, comparing all names in one calculation.

RapidFuzz has no distance to a prefix; running it on prefixes of three lengths took three times as
long (1.2 to 2.4 ms per length, 29,000 names).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

Bytes = NDArray[np.uint8]
# Compared letters. One name in ten thousand is longer.
_WIDTH = 32


class NearNames:
    """Names in lower-case ASCII; results are positions of names."""

    def __init__(self, names: Sequence[str]) -> None:
        self._lengths = np.array([min(len(name), _WIDTH) for name in names], dtype=np.uint8)
        packed = b"".join(
            name.encode("ascii", "replace")[:_WIDTH].ljust(_WIDTH, b"\0") for name in names
        )
        # One row per letter position: a step of the calculation reads one contiguous row.
        self._letters = np.ascontiguousarray(np.frombuffer(packed, np.uint8).reshape(-1, _WIDTH).T)

    def whole(self, text: str, most: int) -> list[tuple[int, int]]:
        """Return (errors, position) of names within `most` errors of the text."""
        return self._near(text, most, is_beginning=False)

    def beginning(self, text: str, most: int) -> list[tuple[int, int]]:
        """Return (errors, position) of names with a prefix within the errors."""
        return self._near(text, most, is_beginning=True)

    def _near(self, text: str, most: int, *, is_beginning: bool) -> list[tuple[int, int]]:
        """Compare names: an error is an extra, missing or wrong letter, or two neighbours swapped.

        Rows of the edit distance table, limited to `most` off its diagonal; `row[j]` holds, for
        every name still within the limit, the errors between the letters so far and the name's
        first j.
        """
        query = text.encode("ascii", "replace")[: _WIDTH - most]
        positions = np.arange(len(self._lengths))
        letters, lengths = self._letters, self._lengths
        row = {j: np.full(len(positions), j, np.uint8) for j in range(most + 1)}
        above: dict[int, Bytes] = {}
        for i in range(1, len(query) + 1):
            above, row = row, _next_row(query, i, most, letters, row, above)
            # A swap uses the row above, at the cost of one error.
            least = np.minimum(_least(row), _least(above) + 1)
            near = np.flatnonzero(least <= most)
            if len(near) * 4 < len(positions) * 3:
                positions, lengths, letters = positions[near], lengths[near], letters[:, near]
                row, above = ({j: part[near] for j, part in r.items()} for r in (row, above))
        errors = np.full(len(positions), 255, np.uint8)
        for j, part in row.items():
            counts = lengths >= j if is_beginning else lengths == j
            errors = np.minimum(errors, np.where(counts, part, 255))
        matches = np.flatnonzero(errors <= most)
        return list(zip(errors[matches].tolist(), positions[matches].tolist(), strict=True))


def _next_row(
    query: bytes, i: int, most: int, letters: Bytes, row: dict[int, Bytes], above: dict[int, Bytes]
) -> dict[int, Bytes]:
    """Return the row for the first i letters from the rows for one and two letters fewer."""
    next_row: dict[int, Bytes] = {}
    for j in range(max(0, i - most), min(i + most, _WIDTH) + 1):
        if j == 0:
            next_row[0] = np.full(letters.shape[1], i, np.uint8)
            continue
        errors = row[j - 1] + (letters[j - 1] != query[i - 1])
        if j in row:
            errors = np.minimum(errors, row[j] + np.uint8(1))
        if j - 1 in next_row:
            errors = np.minimum(errors, next_row[j - 1] + np.uint8(1))
        if i > 1 and j - 2 in above:
            is_swap = (letters[j - 1] == query[i - 2]) & (letters[j - 2] == query[i - 1])
            # A swap counts as one error if valid, otherwise as more than any limit.
            errors = np.minimum(errors, above[j - 2] + np.where(is_swap, 1, 200).astype(np.uint8))
        next_row[j] = errors
    return next_row


def _least(row: dict[int, Bytes]) -> Bytes:
    least: Bytes = np.minimum.reduce(list(row.values()))
    return least


def errors_by_word(query_words: Sequence[str], words: Sequence[str]) -> int | None:
    """Return the errors with which each requested word matches one of some words, in any order;
    None if one does not match within `errors_allowed`. Both are folded."""
    errors = 0
    for word in query_words:
        most = errors_allowed(word)
        nearest = min(
            (OSA.distance(word, one, score_cutoff=most) for one in words), default=most + 1
        )
        if nearest > most:
            return None
        errors += nearest
    return errors


def errors_allowed(text: str) -> int:
    """Return the permitted errors of a text: one from four letters, two from eight."""
    return 0 if len(text) < 4 else 1 if len(text) < 8 else 2
