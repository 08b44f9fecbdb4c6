"""The relevance score of a search result: 0 to 1, one documented formula.

    0.40 nearness        1 / (1 + miles / 5): 1 on the spot, 0.5 at 5 miles, 0.17 at 25
    0.20 opening         open 1, closes soon 0.8, opens soon 0.7, unknown 0.4, closed 0.2
    0.15 verification    partner verified 1, verified 0.8, unverified 0.4
    0.15 freshness       1 on the day of confirmation, falling evenly to 0 after a year; 0 without one
    0.10 completeness    completeness score / 100

The score does not order the answer: results are ordered by distance, then id.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemas.vocab.statuses import VERIFICATION_STATUSES
from warehouse.reader import Moment, OpenRelease

_OPENING = {"open": 0.2, "closes_soon": 0.16, "opens_soon": 0.14, "unknown": 0.08, "closed": 0.04}
_VERIFICATION = {"partner_verified": 0.15, "verified": 0.12, "unverified": 0.06}


def standing(release: OpenRelease) -> memoryview:
    """The part of each row's score that does not change: verification and completeness."""
    return release.kept("relevance", lambda: _standing(release).data)


def _standing(release: OpenRelease) -> NDArray[np.float64]:
    weights = np.array([_VERIFICATION[status] for status in VERIFICATION_STATUSES])
    fixed: NDArray[np.float64] = weights[release.verification_codes]
    return fixed + release.completeness_scores / 1000


def relevance(standing_score: float, miles: float, moment: Moment) -> float:
    """Score of one result at an exact distance; `standing_score` is its entry in `standing`."""
    status, days = moment
    score = standing_score + 0.4 / (1 + miles / 5) + _OPENING[status]
    if days is not None and days < 365:
        score += 0.15 * (1 - days / 365)
    return round(score, 3)
