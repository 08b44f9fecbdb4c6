"""Filters places by attributes. An unknown attribute is no match, and is counted separately."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.attributes import CODE_LISTS, EVERYONE, TRUTHS, Codes, Truth
from schemas.vocab.statuses import VERIFICATION_STATUSES
from serving.search.openings import (
    Window,
    are_open_at,
    are_open_now,
    are_open_within,
)
from warehouse.index.attribute_bits import bits_of
from warehouse.index.reader import OpenRelease

Bools = NDArray[np.bool_]
Rows = NDArray[np.int64]
# Of each row: whether it meets a condition, and whether that is known.
Answers = tuple[Bools, Bools]
Condition = Callable[[Rows], Answers]
_VERIFIED = np.array([status != "unverified" for status in VERIFICATION_STATUSES])
_EVERYONE = bits_of("audiences", [EVERYONE])
_NOTHING = np.uint64(0)


class Filters(NamedTuple):
    """Requested filters; false, None and empty ask nothing.

    Of `windows` it is enough that a place is open in one. `truths` and `codes` name the query parameters of declared attributes (`schemas.attributes`).
    `include_unknown` keeps places that fail no condition, and of which one is not known.
    """

    open_now: bool = False
    open_at: datetime | None = None
    windows: tuple[Window, ...] = ()
    age: int | None = None
    verified_only: bool = False
    hours_known: bool = False
    truths: frozenset[str] = frozenset()
    codes: tuple[tuple[str, frozenset[str]], ...] = ()
    serves_zip: str | None = None
    include_unknown: bool = False


NO_FILTERS = Filters()


class Sifted(NamedTuple):
    """Rows that match, as a mask, and how many are left out only for lack of knowledge."""

    is_match: Bools
    unknown: int


def sift(release: OpenRelease, rows: Rows, filters: Filters, now: datetime) -> Sifted:
    """Return all conditions together: one that is not met excludes a row, whatever is not known of
    it.

    Safe for threads.
    """
    met, is_known = judge(release, rows, filters, now)
    if filters.include_unknown:
        return Sifted(met | ~is_known, 0)
    return Sifted(met, int(np.count_nonzero(~is_known)))


def judge(
    release: OpenRelease, rows: Rows, filters: Filters, now: datetime, *, trusts_old: bool = False
) -> Answers:
    """Return for each row whether it meets all conditions, and whether that is known.

    `trusts_old` takes hours that are too old to be asserted for known. Safe for threads.
    """
    left = np.arange(len(rows))
    known = np.ones(len(rows), dtype=bool)
    for condition in _conditions(release, filters, now, trusts_old):
        if not len(left):
            break
        is_true, is_known = condition(rows[left])
        # A condition that is not met decides: no other is evaluated.
        stays = np.flatnonzero(is_true | ~is_known)
        left, known = left[stays], (known & is_known)[stays]
    met = np.zeros(len(rows), dtype=bool)
    met[left] = known
    decided = np.ones(len(rows), dtype=bool)
    decided[left] = known
    return met, decided


def fits(release: OpenRelease, rows: Rows, filters: Filters, now: datetime) -> NDArray[np.int64]:
    """Count the conditions that each row is known to meet: 2 for each, 1 by hours too old to be
    asserted. Safe for threads."""
    total = np.zeros(len(rows), dtype=np.int64)
    for trusts_old in (False, True):
        for condition in _conditions(release, filters, now, trusts_old):
            is_true, is_known = condition(rows)
            total += is_true & is_known
    return total


def _conditions(
    release: OpenRelease, filters: Filters, now: datetime, trusts_old: bool
) -> Iterator[Condition]:
    """Yield what is asked of rows, the cheapest first."""
    if filters.verified_only:
        yield lambda rows: _answers_of(_VERIFIED[release.verification_codes[rows]])
    if filters.hours_known:
        yield lambda rows: _answers_of(release.are_hours_shown(rows, now))
    for truth in TRUTHS:
        if truth.filter.parameter in filters.truths:
            yield partial(_with_truth, release, truth)
    requested = dict(filters.codes)
    for one in CODE_LISTS:
        codes = requested.get(one.filter.parameter)
        if codes is not None and one.match == "no_others":
            yield partial(_without_others, release, codes)
        elif codes is not None:
            yield partial(_with_codes, release, one, codes)
    if filters.age is not None:
        yield partial(_of_age, release, filters.age)
    if filters.serves_zip is not None:
        yield partial(_serving, release, filters.serves_zip)
    if filters.open_now:
        yield lambda rows: are_open_now(release, rows, now, trusts_old=trusts_old)
    if filters.open_at is not None:
        at = filters.open_at
        yield lambda rows: are_open_at(release, rows, at, now, trusts_old=trusts_old)
    if filters.windows:
        windows = filters.windows
        yield lambda rows: are_open_within(release, rows, windows, now, trusts_old=trusts_old)


def _answers_of(is_true: Bools) -> Answers:
    return is_true, np.ones(len(is_true), dtype=bool)


def _serving(release: OpenRelease, home: str, rows: Rows) -> Answers:
    # Only a proven "no" leaves a place out: the others are counted, and stay.
    answers = release.service_areas.answers(rows, home)
    return _answers_of(np.array([one != "no" for one in answers], dtype=bool))


def _with_truth(release: OpenRelease, truth: Truth, rows: Rows) -> Answers:
    is_true, is_known = release.facts.truth(truth.name, rows)
    return (is_true if truth.wanted else ~is_true), is_known


def _with_codes(release: OpenRelease, one: Codes, codes: frozenset[str], rows: Rows) -> Answers:
    also = {EVERYONE} & set(one.codes) if one.match == "any" else set()
    wanted, has = bits_of(one.name, codes | also), release.facts.bits(one.name, rows)
    is_met = (has & wanted) == wanted if one.match == "all" else (has & wanted) != _NOTHING
    # A list of what there is does not say what there is not.
    return is_met, has != _NOTHING if one.is_complete else is_met


def _without_others(release: OpenRelease, held: frozenset[str], rows: Rows) -> Answers:
    """Judge papers: whether the visitor has all that are asked for."""
    # Anyone who has a photo ID has an identification.
    also = {"identification"} if "photo_id" in held else set()
    lacking = ~bits_of("required_documents", held | also)
    _, is_known = release.facts.truth("requires_documents", rows)
    return (release.facts.bits("required_documents", rows) & lacking) == _NOTHING, is_known


def _of_age(release: OpenRelease, age: int, rows: Rows) -> Answers:
    low, high = release.facts.ages(rows)
    is_everyone = (release.facts.bits("audiences", rows) & _EVERYONE) != 0
    fits = (age >= low) & ((high < 0) | (age <= high))
    return fits, (low >= 0) | (high >= 0) | is_everyone
