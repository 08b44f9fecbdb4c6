"""Filters places by attributes. An unknown attribute is no match, and is counted separately."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
_VERIFIED = np.array([status != "unverified" for status in VERIFICATION_STATUSES])
_EVERYONE = bits_of("audiences", ["everyone"])
_NOTHING = np.uint64(0)


class Filters(NamedTuple):
    """Requested filters; false, None and empty ask nothing."""

    open_now: bool = False
    open_at: datetime | None = None
    window: Window | None = None
    walk_in: bool = False
    appointment: bool = False
    no_documents: bool = False
    no_id: bool = False
    documents: frozenset[str] | None = None
    languages: frozenset[str] = frozenset()
    food: frozenset[str] = frozenset()
    delivery: bool = False
    wheelchair: bool = False
    age: int | None = None
    audiences: frozenset[str] = frozenset()
    verified_only: bool = False
    hours_known: bool = False


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
    return Sifted(met, int(np.count_nonzero(~is_known)))


def judge(release: OpenRelease, rows: Rows, filters: Filters, now: datetime) -> Answers:
    """Return for each row whether it meets all conditions, and whether that is known. Safe for
    threads."""
    met = np.ones(len(rows), dtype=bool)
    failed = np.zeros(len(rows), dtype=bool)
    for is_true, is_known in _answers(release, rows, filters, now):
        met &= is_true & is_known
        failed |= is_known & ~is_true
    return met, met | failed


def _answers(
    release: OpenRelease, rows: Rows, filters: Filters, now: datetime
) -> Iterator[Answers]:
    everything = np.ones(len(rows), dtype=bool)
    if filters.verified_only:
        yield _VERIFIED[release.verification_codes[rows]], everything
    if filters.hours_known:
        yield release.are_hours_shown(rows, now), everything
    if filters.open_now:
        yield are_open_now(release, rows, now)
    if filters.open_at is not None:
        yield are_open_at(release, rows, filters.open_at, now)
    if filters.window is not None:
        yield are_open_within(release, rows, filters.window, now)
    yield from _truths(release, rows, filters)
    yield from _sets(release, rows, filters)
    if filters.age is not None:
        yield _of_age(release, rows, filters.age)


def _truths(release: OpenRelease, rows: Rows, filters: Filters) -> Iterator[Answers]:
    for is_asked, name, wanted in (
        (filters.walk_in, "accepts_walkins", True),
        (filters.appointment, "requires_appointment", True),
        (filters.no_documents, "requires_documents", False),
        (filters.no_id, "requires_id", False),
        (filters.delivery, "offers_delivery", True),
        (filters.wheelchair, "is_wheelchair_accessible", True),
    ):
        if is_asked:
            is_true, is_known = release.facts.truth(name, rows)
            yield (is_true if wanted else ~is_true), is_known


def _sets(release: OpenRelease, rows: Rows, filters: Filters) -> Iterator[Answers]:
    facts = release.facts
    if filters.documents is not None:
        # Anyone who has a photo ID has an identification.
        also = {"identification"} if "photo_id" in filters.documents else set()
        lacking = ~bits_of("required_documents", filters.documents | also)
        _, is_known = facts.truth("requires_documents", rows)
        yield (facts.bits("required_documents", rows) & lacking) == _NOTHING, is_known
    if filters.food:
        wanted = bits_of("food_types", filters.food)
        has_all = (facts.bits("food_types", rows) & wanted) == wanted
        # A list of what there is does not say what there is not.
        yield has_all, has_all
    if filters.languages:
        speaks = (facts.bits("languages", rows) & bits_of("languages", filters.languages)) != 0
        yield speaks, speaks
    if filters.audiences:
        served = facts.bits("audiences", rows)
        yield (served & (bits_of("audiences", filters.audiences) | _EVERYONE)) != 0, served != 0


def _of_age(release: OpenRelease, rows: Rows, age: int) -> Answers:
    low, high = release.facts.ages(rows)
    is_everyone = (release.facts.bits("audiences", rows) & _EVERYONE) != 0
    fits = (age >= low) & ((high < 0) | (age <= high))
    return fits, (low >= 0) | (high >= 0) | is_everyone
