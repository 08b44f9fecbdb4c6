"""Filters places by attributes, and counts them for each choice of a filter form.

An unknown attribute does not match, and is counted separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from schemas.attributes import CODE_LISTS, EVERYONE, TRUTHS, Codes, Truth
from schemas.values.coordinates import miles_to_chord
from schemas.vocab.statuses import VERIFICATION_STATUSES
from serving.search.openings import (
    BY_OLD_HOURS,
    CLOSED,
    OPEN,
    Levels,
    Window,
    levels_at,
    levels_now,
    levels_within_any,
)
from warehouse.index.points import bits_of
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import day_number
from warehouse.index.spatial import Within

N = TypeVar("N", bound=np.generic)
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
# Per row: whether it meets a condition, and whether that is known.
Answers = tuple[Bools, Bools]
# The same for one condition; None if known for every row.
Condition = Callable[[Rows], tuple[Bools, Bools | None]]
_UNVERIFIED = VERIFICATION_STATUSES.index("unverified")
_EVERYONE = bits_of("audiences", [EVERYONE])
_NOTHING = np.uint64(0)
# The bits of the values of an octet, the lowest first.
_BITS_OF_OCTET = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(np.int64)


class Filters(NamedTuple):
    """Requested filters; false, None and empty values do not filter.

    Being open in any of `windows` is enough. `confirmed_within` is in days. `truths` and `codes`
    name the query parameters of declared attributes (`schemas.attributes`). `include_unknown` also
    returns places that fail no condition but have an unknown one.
    """

    open_now: bool = False
    open_at: datetime | None = None
    windows: tuple[Window, ...] = ()
    age: int | None = None
    verified_only: bool = False
    confirmed_within: int | None = None
    hours_known: bool = False
    truths: frozenset[str] = frozenset()
    codes: tuple[tuple[str, frozenset[str]], ...] = ()
    serves_zip: str | None = None
    include_unknown: bool = False


NO_FILTERS = Filters()


class FilterResult(NamedTuple):
    """Matching places, unordered, and the squared chords (m²) of places excluded only because a
    condition is unknown."""

    matches: Within
    unknown: Floats

    def within(self, miles: float) -> FilterResult:
        """Return those within a radius."""
        chord = miles_to_chord(miles)
        square = chord * chord
        is_near = self.matches.squares <= square
        return FilterResult(
            self.matches.take(is_near.nonzero()[0]), self.unknown[self.unknown <= square]
        )


def apply_filters(
    release: OpenRelease, places: Within, filters: Filters, now: datetime, *, is_first: bool
) -> FilterResult:
    """Apply all conditions. Failing one excludes a place even if others are unknown.

    `is_first`: without matches the search widens, and the unknown ones are counted again. Safe for
    threads.
    """
    ends_early = is_first and not filters.include_unknown
    conditions = _conditions(release, filters, now, trusts_old=False)
    squares, rows, is_known = _apply(places.rows, places.squares, conditions, ends_early=ends_early)
    if filters.include_unknown:
        return FilterResult(Within(squares, rows), squares[:0])
    return FilterResult(Within(squares[is_known], rows[is_known]), squares[~is_known])


def judge(
    release: OpenRelease, rows: Rows, filters: Filters, now: datetime, *, trusts_old: bool = False
) -> Answers:
    """Return for each row whether it meets all conditions, and whether that is known.

    `trusts_old` counts a place as open that is open by hours too old to be asserted. Safe for
    threads.
    """
    conditions = _conditions(release, filters, now, trusts_old)
    remaining, _, is_known = _apply(rows, np.arange(len(rows)), conditions)
    met, decided = np.zeros(len(rows), dtype=bool), np.ones(len(rows), dtype=bool)
    met[remaining] = decided[remaining] = is_known
    return met, decided


def _apply(
    rows: Rows, values: NDArray[N], conditions: Iterable[Condition], *, ends_early: bool = False
) -> tuple[NDArray[N], Rows, Bools]:
    """Return the values of the rows that fail no condition, these rows, and whether each is known
    to meet all.

    `ends_early` stops once no row can be known to meet all.
    """
    are_known = np.ones(len(rows), dtype=bool)
    for condition in conditions:
        if not (are_known.any() if ends_early else len(rows)):
            break
        is_true, is_known = condition(rows)
        if is_known is not None:
            are_known &= is_known
            is_true = is_true | ~is_known
        # A failed condition decides; the others need no evaluation.
        passing = is_true.nonzero()[0]
        values, rows, are_known = (
            values.take(passing),
            rows.take(passing),
            are_known.take(passing),
        )
    return values, rows, are_known


def fits(release: OpenRelease, rows: Rows, filters: Filters, now: datetime) -> NDArray[np.int64]:
    """Count the conditions each row is known to meet: 2 for each, 1 if met by hours too old to be
    asserted. Safe for threads."""
    total = np.zeros(len(rows), dtype=np.int64)
    for trusts_old in (False, True):
        for condition in _conditions(release, filters, now, trusts_old):
            is_true, is_known = condition(rows)
            total += is_true if is_known is None else is_true & is_known
    return total


def _conditions(
    release: OpenRelease, filters: Filters, now: datetime, trusts_old: bool
) -> Iterator[Condition]:
    """Yield the conditions on rows, the cheapest first."""
    if filters.verified_only:
        yield lambda rows: (release.verification_codes.take(rows) != _UNVERIFIED, None)
    if filters.confirmed_within is not None:
        first = max(0, day_number(now) - filters.confirmed_within)
        yield lambda rows: (release.confirmed_days.take(rows) >= first, None)
    if filters.hours_known:
        yield lambda rows: (release.are_hours_shown(rows, now), None)
    for truth in TRUTHS:
        if truth.filter.parameter in filters.truths:
            yield partial(_with_truth, release, truth)
    requested = dict(filters.codes)
    for one in CODE_LISTS:
        codes = requested.get(one.filter.parameter)
        if codes is not None:
            is_of_papers = one.match == "no_others"
            has = _without_others if is_of_papers else partial(_with_codes, one)
            yield partial(has, release, codes)
    if filters.age is not None:
        yield partial(_of_age, release, filters.age)
    if filters.serves_zip is not None:
        yield partial(_serving, release, filters.serves_zip)

    def answers(levels: Levels) -> Answers:
        is_open = levels <= BY_OLD_HOURS if trusts_old else levels == OPEN
        return is_open, is_open | (levels == CLOSED)

    if filters.open_now:
        yield lambda rows: answers(levels_now(release, rows, now))
    if filters.open_at is not None:
        at = filters.open_at
        yield lambda rows: answers(levels_at(release, rows, at, now))
    if filters.windows:
        windows = filters.windows
        yield lambda rows: answers(levels_within_any(release, rows, windows, now))


def _serving(release: OpenRelease, home: str, rows: Rows) -> tuple[Bools, None]:
    # Only a proven "no" excludes a place; unknown ones are counted and stay.
    answers = release.service_areas.answers(rows, home)
    return np.array([one != "no" for one in answers], dtype=bool), None


def _with_truth(release: OpenRelease, truth: Truth, rows: Rows) -> Answers:
    is_true, is_known = release.attributes.truth(truth.name, rows)
    return (is_true if truth.wanted else ~is_true), is_known


def _with_codes(one: Codes, release: OpenRelease, codes: frozenset[str], rows: Rows) -> Answers:
    also = {EVERYONE} & set(one.codes) if one.match == "any" else set()
    requested, has = bits_of(one.name, codes | also), release.attributes.bits(one.name, rows)
    is_met = (has & requested) == requested if one.match == "all" else (has & requested) != _NOTHING
    # A list of offerings does not prove that an unlisted one is missing.
    return is_met, has != _NOTHING if one.is_complete else is_met


def _without_others(release: OpenRelease, papers: frozenset[str], rows: Rows) -> Answers:
    """Judge papers: whether the visitor has all required ones."""
    lacking = release.attributes.bits("required_documents", rows) & lacking_papers(papers)
    _, is_known = release.attributes.truth("requires_documents", rows)
    return lacking == _NOTHING, is_known


def lacking_papers(papers: frozenset[str]) -> np.uint64:
    """Return the bits of the documents that a visitor with these papers lacks."""
    # A photo ID is also an identification.
    also = {"identification"} if "photo_id" in papers else set()
    return ~bits_of("required_documents", papers | also)


def _of_age(release: OpenRelease, age: int, rows: Rows) -> Answers:
    low, high = release.attributes.ages(rows)
    is_everyone = (release.attributes.bits("audiences", rows) & _EVERYONE) != 0
    fits = (age >= low) & ((high < 0) | (age <= high))
    return fits, (low >= 0) | (high >= 0) | is_everyone


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

    def __init__(self, release: OpenRelease, places: Within, now: datetime) -> None:
        self._release, self.places, self._now = release, places, now
        self.rows = places.rows

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
        truths = _count_bits(attributes.truths(self.rows), 2 * len(TRUTHS))
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
            for code, match in zip(one.codes, _count_bits(has, len(one.codes)), strict=False):
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


def _count_bits(bits: NDArray[np.unsignedinteger], size: int) -> list[int]:
    """Count the places that have each of `size` bits, the lowest first."""
    octets = bits.astype(bits.dtype.newbyteorder("<")).view(np.uint8)
    octets = octets.reshape(-1, bits.dtype.itemsize)
    # Of each octet, the number of places with each of its 256 values.
    return [
        count
        for octet in octets.T[: -(-size // 8)]
        for count in (np.bincount(octet, minlength=256) @ _BITS_OF_OCTET).tolist()
    ]
