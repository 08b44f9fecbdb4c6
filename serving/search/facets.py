"""Counts places for each choice of a filter form, the attributes of all places in one pass.

A place's attributes are bits (`schemas.tables.serving`): unpacked, they are a matrix with a row for
each place and a column for each choice, whose sums are the counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from schemas.attributes import CODE_LISTS, EVERYONE, TRUTHS
from serving.search.filter import Filters, Rows, judge, lacking_papers
from warehouse.index.points import bits_of
from warehouse.index.reader import OpenRelease


@dataclass(frozen=True)
class Counts:
    """Number of places that match one choice, do not, or are unknown.

    `usual`: of the unknown ones those that match by hours too old to be asserted.
    """

    match: int
    no_match: int
    unknown: int
    usual: int = 0


class Facets:
    """Counts some places for each choice. Safe for threads."""

    def __init__(self, release: OpenRelease, rows: Rows, now: datetime) -> None:
        self._release, self.rows, self._now = release, rows, now

    def count(self, filters: Filters) -> Counts:
        """Count the places for a filter; one choice of an attribute is looked up."""
        choice = _choice_of(filters)
        if choice is not None:
            return self._attributes[choice]
        is_match, is_known = judge(self._release, self.rows, filters, self._now)
        match, known = int(np.count_nonzero(is_match)), int(np.count_nonzero(is_known))
        # Only opening hours may be too old to be asserted.
        unknown = self.rows[~is_known]
        by_old, _ = judge(self._release, unknown, filters, self._now, trusts_old=True)
        return Counts(match, known - match, len(unknown), int(np.count_nonzero(by_old)))

    def of_types(self, *codes: int) -> Counts:
        """Count the places of some types."""
        is_match = np.isin(self._release.type_codes.take(self.rows), codes)
        match = int(np.count_nonzero(is_match))
        return Counts(match, len(self.rows) - match, 0)

    @cached_property
    def _attributes(self) -> dict[tuple[str, str], Counts]:
        """The counts of each declared choice by query parameter and value; see
        `serving.search.filter` for the meaning of a match."""
        total, attributes = len(self.rows), self._release.attributes
        counts = {}
        truths = _count_bits(attributes.truths(self.rows))
        for truth in TRUTHS:
            known, true = truths[2 * truth.bit], truths[2 * truth.bit + 1]
            match = true if truth.wanted else known - true
            counts[truth.filter.parameter, "true"] = Counts(match, known - match, total - known)
        for one in CODE_LISTS:
            has = attributes.bits(one.name, self.rows)
            if one.match == "no_others":
                _, is_known = attributes.truth("requires_documents", self.rows)
                known, required = int(np.count_nonzero(is_known)), has[is_known]
                for code in one.codes:
                    lacking = required & lacking_papers(frozenset({code}))
                    match = known - int(np.count_nonzero(lacking))
                    choice = Counts(match, known - match, total - known)
                    counts[one.filter.parameter, code] = choice
                continue
            known = int(np.count_nonzero(has))
            if one.match == "any" and EVERYONE in one.codes:
                is_everyone = (has & bits_of(one.name, [EVERYONE])) != 0
                has = np.where(is_everyone, ~np.uint64(0), has)
            for code, match in zip(one.codes, _count_bits(has), strict=False):
                # A list of offerings does not prove that an unlisted one is missing.
                no_match = known - match if one.is_complete else 0
                choice = Counts(match, no_match, total - match - no_match)
                counts[one.filter.parameter, code] = choice
        return counts


def _choice_of(filters: Filters) -> tuple[str, str] | None:
    """Return parameter and value of filters that are one choice of one attribute."""
    if filters == Filters(truths=filters.truths) and len(filters.truths) == 1:
        (parameter,) = filters.truths
        return parameter, "true"
    if filters == Filters(codes=filters.codes) and len(filters.codes) == 1:
        ((parameter, codes),) = filters.codes
        if len(codes) == 1:
            (code,) = codes
            return parameter, code
    return None


def _count_bits(bits: NDArray[np.unsignedinteger]) -> list[int]:
    """Count the places that have each bit, the lowest first."""
    size = bits.dtype.itemsize
    octets = bits.astype(bits.dtype.newbyteorder("<")).view(np.uint8).reshape(-1, size)
    counts: list[int] = np.unpackbits(octets, axis=1, bitorder="little").sum(axis=0).tolist()
    return counts
