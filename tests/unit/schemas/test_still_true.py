"""Shares of listings that a later list bore out: declared figures, their ages, their fit."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.aging.fit import Fit, evaluate, fit
from bench.aging.pairs import Count
from schemas.vocab.still_true import FACTS, age_on, likelihood, rates

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared"


def count(days: int, listings: int, right: int, kind: str = "food_pantry") -> Count:
    return Count("exists", kind, "earlier", "later", days, listings, right)


@given(st.sampled_from(FACTS), st.integers(0, 4_000), st.integers(0, 4_000))
def test_no_share_rises_with_age(fact, one, other) -> None:
    younger, older = sorted((one, other))
    for kind in rates()[fact].right_at_first:
        before, after = likelihood(fact, kind, younger), likelihood(fact, kind, older)
        if after is not None:
            assert before is not None
            assert 0 <= after.p <= before.p <= 1


NO_EVIDENCE = {
    "a type that was not compared": ("exists", "wic_office", 100),
    "an age that was not measured": ("hours", "food_pantry", 4_000),
    "no date": ("phone", "food_pantry", None),
}


@pytest.mark.parametrize(("fact", "kind", "days"), NO_EVIDENCE.values(), ids=NO_EVIDENCE)
def test_no_evidence_gives_no_share(fact, kind, days) -> None:
    assert likelihood(fact, kind, days) is None


def test_a_share_names_its_evidence() -> None:
    share = likelihood("hours", "food_pantry", 700)
    assert share is not None
    assert share.listings == sum(lists.listings for lists in rates()["hours"].fitted_to)
    assert all("2020-04-28" in lists for lists in share.lists)


@pytest.mark.parametrize(
    ("listing_date", "age"),
    [(date(2026, 11, 1), 9), (date(2026, 11, 10), 0), (date(2026, 11, 11), None), (None, None)],
)
def test_ages_are_days_since_a_date_that_has_come(listing_date, age) -> None:
    assert age_on(date(2026, 11, 10), listing_date) == age


def test_declared_rates_were_tested_on_other_lists() -> None:
    for rate in rates().values():
        assert rate.calibration_error <= 0.05
        fitted = {(c.earlier, c.later, c.days) for c in rate.fitted_to}
        assert not fitted & {(c.earlier, c.later, c.days) for c in rate.tested_on}


def test_a_fit_recovers_the_hazard_of_its_counts() -> None:
    years = range(1, 8)
    counts = [count(365 * y, 10_000, round(10_000 * 0.9 * np.exp(-0.1 * y))) for y in years]
    hazards = fit(counts)
    assert hazards.right_at_first["food_pantry"] == pytest.approx(0.9, abs=0.01)
    assert hazards.loss == pytest.approx(0.1, abs=0.005)
    test = evaluate(hazards, counts)
    assert test.calibration_error < 0.01
    assert test.gain > 0.05


def test_counts_of_one_age_claim_no_loss_and_few_listings_lean_on_all() -> None:
    hazards = fit([count(700, 1_000, 500), count(700, 4, 4, "soup_kitchen")])
    assert hazards.loss == 0
    assert 0.5 < hazards.right_at_first["soup_kitchen"] < 0.9
    with pytest.raises(ValueError, match="no listings"):
        fit([count(700, 0, 0)])


def test_predictions_that_are_wrong_have_their_error_as_such() -> None:
    test = evaluate(Fit({"food_pantry": 0.9}, 0.0), [count(365, 100, 50)])
    assert test.calibration_error == pytest.approx(0.4)
    assert test.gain < 0


@pytest.mark.shared
@pytest.mark.slow
def test_the_declared_figures_are_those_of_the_lists() -> None:
    if not (SHARED / "sources").is_dir():
        pytest.skip("the publishers' files are not in ../shared")
    command = [sys.executable, "-m", "bench.aging", str(SHARED), "--check"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout[-2000:] + process.stderr[-2000:]
