"""SNAP on ten thousand households: within bounds, monotone where the rules are, equal to a second
calculation.
"""

import random
from datetime import date
from typing import Any

import pytest

from schemas.vocab.states import FIFTY_ONE
from serving.benefits.calculation import calculate, standards_for
from serving.benefits.household import household_of
from tests.support.cases import cases
from tests.support.snap_by_hand import benefit as by_hand

pytestmark = pytest.mark.slow
TODAY = date(2026, 11, 22)
PLACES = (*FIFTY_ONE, "GU", "VI")
NAMES = ("electricity", "gas", "water", "sewer", "trash", "phone")


def home(dice: random.Random, states: tuple[str, ...] = PLACES) -> dict[str, Any]:
    """Return a household: many near the limits, some far beyond."""
    size = dice.choice([1, 1, 2, 2, 3, 4, 5, 6, 8, 9, 13, 17, 18, 20])

    def dollars(most: float, share: float) -> float:
        return (
            round(dice.uniform(0, most), dice.choice([0, 1, 2])) if dice.random() < share else 0.0
        )

    is_old = dice.random() < 0.4
    return {
        "state": dice.choice(states),
        "household_size": size,
        "monthly_earned_income": dollars(1300 * size**0.8, 0.6),
        "monthly_unearned_income": dollars(1300 * size**0.7, 0.6),
        "rent_or_mortgage": dollars(2000, 0.7),
        "dependent_care": dollars(500, 0.3),
        "child_support_paid": dollars(400, 0.3),
        "has_elderly_or_disabled": is_old,
        "all_elderly_or_disabled": is_old and dice.random() < 0.5,
        "medical_expenses": dollars(500, 0.5),
        "assets": float(dice.choice([0, 1000, 3000, 3001, 4750, 4751, 5000, 5001, 25000, 30000])),
        "homeless": dice.random() < 0.1,
        "utilities": dice.choice(
            [["heating_cooling"], [], *[dice.sample(NAMES, n) for n in (1, 2, 3)]]
        ),
    }


def outcome(home: dict[str, Any]) -> tuple[bool, int, int, int]:
    """Return eligibility, benefit, minimum and maximum."""
    household = household_of(home, TODAY, None)
    standards = standards_for(household)
    estimate = calculate(household, standards)
    return estimate.eligible, estimate.benefit, standards.minimum, standards.maximum


def test_ten_thousand_households_stay_within_bounds() -> None:
    dice = random.Random(20261122)
    outcomes: set[bool] = set()
    for _ in range(10_000):
        household = home(dice)
        eligible, amount, least, most = outcome(household)
        outcomes.add(eligible)
        assert 0 <= amount <= max(most, least), household
        assert amount >= least if eligible else amount == 0, household
    assert outcomes == {True, False}


def test_a_second_calculation_agrees_to_the_dollar() -> None:
    """Written from the regulation, sharing no code: see tests/support/snap_by_hand.py."""
    dice = random.Random(7)
    states = tuple(s for s in FIFTY_ONE if s not in {"AK", "HI"})
    for _ in range(5_000):
        household = home(dice, states)
        assert outcome(household)[:2] == by_hand(household), household


@cases(
    "field, direction",
    {
        "more other income, never more": ("monthly_unearned_income", -1),
        "more rent, never less": ("rent_or_mortgage", 1),
        "more care, never less": ("dependent_care", 1),
        "more assets, never more": ("assets", -1),
        "more child support, never less": ("child_support_paid", 1),
        "more medical costs, never less": ("medical_expenses", 1),
    },
)
def test_monotone(field: str, direction: int) -> None:
    dice = random.Random(field)
    for _ in range(1_500):
        household = home(dice)
        more = household | {field: round(household[field] + dice.uniform(0, 900), 2)}
        before, after = outcome(household)[1], outcome(more)[1]
        assert (after - before) * direction >= 0, (household, more)
