"""Figures that a page shows when their period is over."""

from datetime import date

import pytest

from serving.reference.organization import _facts_on


@pytest.mark.parametrize(
    ("day", "until"),
    [
        (date(2026, 11, 22), date(2027, 6, 30)),
        (date(2027, 7, 1), date(2027, 6, 30)),
        (date(2031, 1, 1), date(2027, 6, 30)),
    ],
)
def test_pages_outlive_the_last_income_limits(day, until):
    facts = _facts_on(day)
    assert facts.wic.effective_to == until
    assert facts.local
