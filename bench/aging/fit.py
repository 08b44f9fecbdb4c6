"""Fits the ageing of listed facts to counts, and tests the fit on counts of other lists.

p = right at first (by type) × exp(-loss × years). The loss is one constant hazard of at least 0: no
share rises with age. Shares by type shrink towards the mean of all types (empirical Bayes), most of
all for types with few listings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import betaln, expit, xlogy

from bench.aging.pairs import Count
from schemas.vocab.still_true import DAYS_A_YEAR

Floats = NDArray[np.float64]
# Candidate strengths of the prior, in listings: from none to "all types are alike".
_STRENGTHS = np.geomspace(1, 10_000, 81)


@dataclass(frozen=True)
class Fit:
    """`right_at_first` by resource type, `loss` a hazard per year."""

    right_at_first: dict[str, float]
    loss: float

    def predict(self, resource_type: str, days: float) -> float:
        first = self.right_at_first[resource_type]
        return float(first * np.exp(-self.loss * days / DAYS_A_YEAR))


@dataclass(frozen=True)
class Test:
    """Errors of predictions: the mean gap between predicted and observed share, and Brier scores
    of the prediction and of one share for all (`base`). `gain` is the part of the latter saved."""

    listings: int
    calibration_error: float
    brier: float
    base: float

    @property
    def gain(self) -> float:
        return 1 - self.brier / self.base


def fit(counts: Sequence[Count]) -> Fit:
    """Return the most likely model of the counts of one fact. Raises ValueError without
    listings."""
    if not sum(count.listings for count in counts):
        raise ValueError("no listings to fit to")
    n, k, years = _columns(counts)
    first, loss = _most_likely(n, k, years)
    kinds = sorted({count.resource_type for count in counts})
    weight, right = np.zeros(len(kinds)), np.zeros(len(kinds))
    for count, exposure in zip(counts, n * np.exp(-loss * years), strict=True):
        place = kinds.index(count.resource_type)
        weight[place] += exposure
        right[place] += count.right
    weight = np.maximum(weight, right)
    strength = _strength(weight, right, first)
    shares = (right + strength * first) / (weight + strength)
    return Fit(
        {kind: round(float(s), 4) for kind, s in zip(kinds, shares, strict=True)}, round(loss, 5)
    )


def _columns(counts: Sequence[Count]) -> tuple[Floats, Floats, Floats]:
    table = np.array([(c.listings, c.right, c.days / DAYS_A_YEAR) for c in counts], dtype=float)
    return table[:, 0], table[:, 1], table[:, 2]


def _most_likely(n: Floats, k: Floats, years: Floats) -> tuple[float, float]:
    """Return initial share and hazard of all listings together.

    Counts of one age cannot distinguish a loss from an initial difference: the loss is 0, the
    smallest claim.
    """
    if np.ptp(years) == 0:
        return float(k.sum() / n.sum()), 0.0

    def surprise(x: Floats) -> float:
        p = np.clip(expit(x[0]) * np.exp(-x[1] * years), 1e-9, 1 - 1e-9)
        return float(-(xlogy(k, p) + xlogy(n - k, 1 - p)).sum())

    bounds = [(-8.0, 8.0), (0.0, 5.0)]
    starts = [np.array([logit, loss]) for logit in (-1.0, 1.0, 4.0) for loss in (0.0, 0.1)]
    best = min(
        (minimize(surprise, x, method="L-BFGS-B", bounds=bounds) for x in starts),
        key=lambda optimum: float(optimum.fun),
    )
    return float(expit(best.x[0])), float(best.x[1])


def _strength(weight: Floats, right: Floats, mean: float) -> float:
    """Return the prior's strength that makes the types' counts most likely (beta-binomial)."""
    wrong = weight - right
    likelihood = [
        float(
            (
                betaln(right + s * mean, wrong + s * (1 - mean)) - betaln(s * mean, s * (1 - mean))
            ).sum()
        )
        for s in _STRENGTHS
    ]
    return float(_STRENGTHS[int(np.argmax(likelihood))])


def evaluate(model: Fit, counts: Sequence[Count], bins: int = 10) -> Test:
    """Return the errors of a model's predictions for counts outside its fit.

    Listings of types missing from the model are omitted. The calibration error is the expected
    error: predictions in `bins` of equal width, gaps weighted by listings. The base is the observed
    share of the same counts, unknown to any prediction.
    """
    usable = [count for count in counts if count.resource_type in model.right_at_first]
    n, k, _ = _columns(usable)
    p = np.array([model.predict(count.resource_type, count.days) for count in usable])
    total, share = n.sum(), k.sum() / n.sum()
    which = np.minimum((p * bins).astype(int), bins - 1)
    gaps = sum(abs((n * p)[which == one].sum() - k[which == one].sum()) for one in np.unique(which))
    brier = (k * (1 - p) ** 2 + (n - k) * p**2).sum() / total
    return Test(int(total), float(gaps / total), float(brier), float(share * (1 - share)))
