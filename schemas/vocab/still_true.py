"""The share of listings of a kind that a later list bore out, by their age.

`p = right at first × exp(-loss a year × years)`: the share of listings of a resource type that
another list agrees with, and a constant hazard. The figures are in `still_true.yaml`, which
`python -m bench.aging` fits to lists of one area made at different times; only those are there that
predicted a list that they were not fitted to. Without such figures there is no evidence, and the
answer is None.
"""

import math
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from schemas.descriptions import describe

Fact = Literal["exists", "phone", "hours"]
FACTS: tuple[Fact, ...] = get_args(Fact)
DAYS_A_YEAR = 365.25
_FILE = Path(__file__).with_suffix(".yaml")


class ComparedLists(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Compared listings of one list, and the number that a later one confirms."""

    earlier: str
    later: str
    days: int
    listings: int
    right: int


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one fact of a listing ages. `right_at_first` is a share by resource type, `loss` a
    hazard per year, `longest_days` the greatest age that was measured.

    `calibration_error` and the Brier scores are of the lists in `tested_on`; `base_brier` is that
    of one share for all their listings.
    """

    fact: Fact
    right_at_first: dict[str, float]
    loss: float
    longest_days: int
    fitted_to: list[ComparedLists]
    tested_on: list[ComparedLists]
    calibration_error: float
    brier: float
    base_brier: float

    def share(self, resource_type: str, age_days: int) -> float | None:
        """Return the share of listings of this type and age that are still right; None for a type
        or an age that was not measured."""
        first = self.right_at_first.get(resource_type)
        if first is None or not 0 <= age_days <= self.longest_days:
            return None
        return first * math.exp(-self.loss * age_days / DAYS_A_YEAR)


class Likelihood(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share of comparable listings that a later list bore out, and its basis."""

    p: Annotated[
        float,
        describe(
            "Share of listings of this type and age that a later list bore out, 0 to 1. `phone` "
            "and `hours` are of places that the later list has.",
            0.51,
            ge=0,
            le=1,
        ),
    ]
    resource_type: Annotated[str, describe("Type of the compared listings.", "food_pantry")]
    age_days: Annotated[int, describe("Age of this listing's date, in days.", 700, ge=0)]
    listings: Annotated[int, describe("Number of listings that were compared.", 273, ge=1)]
    lists: Annotated[
        tuple[str, ...],
        describe(
            "The lists that were compared: earlier and later, with the days of both.",
            ["fbnyc_members_2020 2020-04-28, nyc_pantries_2023 2023-07-13"],
        ),
    ]


class PStillTrue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many comparable listings were still right, by fact; null without evidence."""

    exists: Annotated[Likelihood | None, describe("The place is still at this address.")]
    phone: Annotated[Likelihood | None, describe("It has the same telephone number.")]
    hours: Annotated[Likelihood | None, describe("It has the same opening hours.")]


NO_EVIDENCE = PStillTrue(None, None, None)


@cache
def rates() -> dict[Fact, Rate]:
    """Return the declared rates by fact. Raises msgspec.ValidationError."""
    all_rates = msgspec.yaml.decode(_FILE.read_bytes(), type=list[Rate])
    return {rate.fact: rate for rate in all_rates}


@lru_cache(maxsize=8192)
def likelihood(fact: Fact, resource_type: str, age_days: int | None) -> Likelihood | None:
    """Return how many listings like this one were still right; None without evidence."""
    rate = rates().get(fact)
    share = None if rate is None or age_days is None else rate.share(resource_type, age_days)
    if rate is None or share is None or age_days is None:
        return None
    compared = rate.fitted_to
    return Likelihood(
        round(share, 2),
        resource_type,
        age_days,
        sum(lists.listings for lists in compared),
        tuple(f"{lists.earlier}, {lists.later}" for lists in compared),
    )


def age_on(day: date, listing_day: date | None) -> int | None:
    """Return the age in days of a date; None without one, and for one that is to come."""
    return None if listing_day is None or listing_day > day else (day - listing_day).days
