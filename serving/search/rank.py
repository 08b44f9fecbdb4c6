"""The relevance score of a search result: 0 to 1, one documented formula.

    0.40 nearness        1 / (1 + miles / NEARNESS_MILES): 1 on the spot, 0.5 at 5 miles, 0.17 at 25
    0.20 opening         open 1, closes soon 0.8, opens soon 0.7, unknown 0.4, closed 0.2
    0.15 verification    partner verified 1, verified 0.8, unverified 0.4
    0.15 freshness       1 on the newest day on which it was confirmed, updated or listed, falling
                         evenly to 0 after a year; 0 without such a day
    0.10 completeness    completeness score / 100

Results are ordered by distance, then id, unless the client asks for the most relevant first.
"""

from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from schemas.api.record import Relevance, RelevanceWeights
from schemas.vocab.statuses import VERIFICATION_STATUSES
from serving.http.caching import per_release
from serving.search.openings import BY_OLD_HOURS, OPEN, levels_in_rest_of_day, levels_now
from warehouse.index.reader import OpenRelease
from warehouse.index.row_hours import STATUSES, Moment, day_number

WEIGHTS = RelevanceWeights(0.4, 0.2, 0.15, 0.15, 0.1)
NEARNESS, NEARNESS_MILES = 0.4, 5
FRESHNESS, FRESH_DAYS = 0.15, 365
OPENING = {"open": 0.2, "closes_soon": 0.16, "opens_soon": 0.14, "unknown": 0.08, "closed": 0.04}
# A place that was listed so long ago, with nothing since, may be gone.
OLD_DAYS = 3 * 365
_VERIFICATION = {"partner_verified": 0.15, "verified": 0.12, "unverified": 0.06}


@per_release
def standing(release: OpenRelease) -> memoryview:
    """Compute the constant part of each row's score: verification and completeness."""
    weights = np.array([_VERIFICATION[status] for status in VERIFICATION_STATUSES])
    fixed: NDArray[np.float64] = weights[release.verification_codes]
    return (fixed + release.completeness_scores / 1000).data


def relevance(standing_score: float, miles: float, moment: Moment) -> float:
    """Score one result at an exact distance; `standing_score` is its entry in `standing`."""
    status, days = moment.hours_status, moment.age_days
    score = standing_score + NEARNESS / (1 + miles / NEARNESS_MILES) + OPENING[status]
    if days is not None and days < FRESH_DAYS:
        score += FRESHNESS * (1 - days / FRESH_DAYS)
    # Not round(score, 3): NumPy, which scores many at a time, rounds differently.
    return round(score * 1000) / 1000


def relevances(
    release: OpenRelease, rows: NDArray[np.int64], miles: NDArray[np.float64], now: datetime
) -> NDArray[np.float64]:
    """Compute `relevance` for many rows. Safe for threads."""
    days = day_number(now) - release.dated_days[rows]
    is_dated = release.dated_days[rows] >= 0
    is_shown = release.are_hours_shown(rows, now)
    opening = np.full(len(rows), OPENING["unknown"])
    statuses, _ = release.timetable_states(release.hours_codes[rows][is_shown], now)
    opening[is_shown] = np.array([OPENING[status] for status in STATUSES]).take(statuses)
    if release.live.entries:
        for place, row in enumerate(rows.tolist()):
            state = release.reported_state(row, now)
            if state is not None:
                opening[place] = OPENING[state.status]
    score = np.asarray(standing(release))[rows] + NEARNESS / (1 + miles / NEARNESS_MILES) + opening
    age = np.maximum(days, 0)
    fresh = is_dated & (age < FRESH_DAYS)
    score = np.where(fresh, score + FRESHNESS * (1 - age / FRESH_DAYS), score)
    return np.asarray(np.rint(score * 1000) / 1000)


def are_old(release: OpenRelease, rows: NDArray[np.int64], now: datetime) -> NDArray[np.bool_]:
    """Return whether each place was listed more than three years ago, and nothing is known of it
    since."""
    days = release.dated_days.take(rows)
    is_old: NDArray[np.bool_] = (days >= 0) & (days < day_number(now) - OLD_DAYS)
    return is_old


def opening_ranks(
    release: OpenRelease, rows: NDArray[np.int64], now: datetime
) -> NDArray[np.int64]:
    """Return the rank of each place for a person who wants food today: 0 open now, 1 usually open
    now, by hours too old to be asserted, 2 open later today by either, 3 others, 4 old listings.

    Places that visitors doubt, and those whose address is hidden, are never before others. Safe
    for threads.
    """
    opens_today = levels_in_rest_of_day(release, rows, now) <= BY_OLD_HOURS
    ranks = np.where(opens_today, 2, 3)
    levels = levels_now(release, rows, now)
    ranks[levels == BY_OLD_HOURS] = 1
    ranks[levels == OPEN] = 0
    is_withheld = release.is_confidential.take(rows) != 0
    if release.live.doubts:
        is_withheld |= np.array([release.is_doubted(row) for row in rows.tolist()], dtype=bool)
    ranks[is_withheld] = 3
    ranks[are_old(release, rows, now) & (ranks > 0)] = 4
    return ranks


def explain(release: OpenRelease, row: int, miles: float, moment: Moment) -> Relevance:
    """Return the unweighted parts of one result's score at an exact distance, to three decimals."""
    status, days = moment.hours_status, moment.age_days
    freshness = 1 - days / FRESH_DAYS if days is not None and days < FRESH_DAYS else 0.0
    return Relevance(
        distance=round(1 / (1 + miles / NEARNESS_MILES), 3),
        open_now=round(OPENING[status] / 0.2, 3),
        verification=round(_VERIFICATION[release.verification_of(row)] / 0.15, 3),
        freshness=round(freshness, 3),
        completeness=round(int(release.completeness_scores[row]) / 100, 3),
        weights=WEIGHTS,
    )
