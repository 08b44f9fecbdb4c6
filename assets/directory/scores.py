"""Scores the trust in a listing and its completeness: numbers that anyone can recompute.

The trust is the sum of the points of a listing's reasons, between 0 and 100. The points are
declared with the words in `schemas/vocab/statuses.py`; the reasons that apply are
decided here:

- authority: that of the strongest source record of the listing;
- agreement: the number of its publishers (not files): two, or three and more;
- age: days since a person confirmed it, or a partner or register last listed it; otherwise, for
  half the points, since the date of an unchecked list. A future date does not count;
- exactness of the point: rooftop or street, ZIP code, or vaguer;
- results of website and telephone checks, and a point far from its ZIP code.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from schemas.sources.registry import Source
from schemas.vocab.statuses import (
    AUTHORITIES,
    EXACT_PRECISIONS,
    PROBE_FAILURES,
    PROBE_SUCCESSES,
    VERIFICATION_REASONS,
)

_AGES = (90, 180, 365)


def with_confidence(
    resources: pd.DataFrame,
    record_sources: pd.DataFrame,
    sources: dict[str, Source],
    probes: pd.DataFrame,
    validations: pd.DataFrame,
    observations: pd.DataFrame,
    as_of: pd.Timestamp,
) -> pd.DataFrame:
    """Return resources with `verification_confidence` and `verification_reasons`."""
    precision = resources["location_precision"]
    exact, by_zip = precision.isin(EXACT_PRECISIONS), precision == "zip"
    far = observations.loc[observations["rule_id"] == "point_far_from_zip", "resource_id"]
    probe_result = resources["website"].map(probes.set_index("website")["probe_result"])
    columns = {
        **_authority(resources, record_sources, sources),
        **_age(resources, as_of),
        "point_exact": exact,
        "point_zip": by_zip,
        "point_vague": ~exact & ~by_zip,
        "website_answers": probe_result.isin(PROBE_SUCCESSES),
        "website_fails": probe_result.isin(PROBE_FAILURES),
        **_phone(resources, validations),
        "point_far_from_zip": resources["resource_id"].isin(far),
    }
    codes = [code for code in VERIFICATION_REASONS if code in columns]
    table = np.column_stack([np.asarray(columns[code], dtype=bool) for code in codes])
    points = np.array([VERIFICATION_REASONS[code].points for code in codes])
    # A few hundred combinations occur: each list is created once and looked up.
    pattern = table @ (np.int64(1) << np.arange(len(codes)))
    lists = {
        int(number): [code for i, code in enumerate(codes) if int(number) >> i & 1]
        for number in np.unique(pattern)
    }
    score = np.clip(table @ points, 0, 100)
    return resources.assign(
        verification_confidence=pd.Series(score, resources.index, dtype="Int64"),
        verification_reasons=pd.Series(
            [lists[int(number)] for number in pattern], resources.index, dtype=object
        ),
    )


def _authority(
    resources: pd.DataFrame, record_sources: pd.DataFrame, sources: dict[str, Source]
) -> dict[str, pd.Series]:
    ids, by_source = resources["resource_id"], record_sources["source_id"]
    rank = by_source.map({s.id: AUTHORITIES.index(s.authority) for s in sources.values()})
    best = ids.map(rank.groupby(record_sources["resource_id"]).min())
    publisher = by_source.map({s.id: s.publisher for s in sources.values()})
    pairs = pd.DataFrame({"id": record_sources["resource_id"], "publisher": publisher})
    count = ids.map(pairs.drop_duplicates().groupby("id").size())
    columns = {f"authority_{name}": best == i for i, name in enumerate(AUTHORITIES)}
    return {**columns, "sources_two": count == 2, "sources_three_or_more": count >= 3}


def _age(resources: pd.DataFrame, as_of: pd.Timestamp) -> dict[str, pd.Series]:
    columns: dict[str, pd.Series] = {}
    dates = pd.DataFrame(
        {n: pd.to_datetime(resources[n]) for n in ("last_verified_date", "confirmed_date")}
    )
    verified = _days_since(dates.max(axis=1), as_of)
    source_age = _days_since(resources["source_updated_date"], as_of)
    settled = pd.Series(False, resources.index)
    for days in _AGES:
        for word, age in (("verified", verified), ("listed", source_age)):
            is_within = (age <= days) & ~settled
            columns[f"{word}_within_{days}_days"] = is_within
            settled |= is_within
    undated = verified.isna() & source_age.isna()
    return {**columns, "never_dated": undated, "not_verified_for_a_year": ~settled & ~undated}


def _days_since(dates: pd.Series, as_of: pd.Timestamp) -> pd.Series:
    days = (as_of - pd.to_datetime(dates)).dt.days
    return days.where(days >= 0)


def _phone(resources: pd.DataFrame, validations: pd.DataFrame) -> dict[str, pd.Series]:
    results = (
        resources[["phone_e164", "state"]]
        .merge(
            validations[["phone_e164", "state", "is_valid", "is_state_match"]],
            how="left",
            on=["phone_e164", "state"],
        )
        .set_axis(resources.index)
    )
    has_result = results["is_valid"].notna()
    valid = results["is_valid"].astype("boolean").fillna(False).astype(bool)
    other = results["is_state_match"].astype("boolean").eq(False).fillna(False).astype(bool)
    return {
        "phone_plausible": has_result & valid & ~other,
        "phone_other_state": has_result & valid & other,
        "phone_invalid": has_result & ~valid,
    }


# Part, weight, test. Weights add up to 100: facts that prevent a wasted trip weigh most.
_Part = tuple[str, int, Callable[[pd.DataFrame], pd.Series]]


def _share_known(*names: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda rows: rows[list(names)].notna().any(axis=1)


PARTS: tuple[_Part, ...] = (
    ("hours", 30, _share_known("schedules_json", "hours_text")),
    ("address", 20, _share_known("address")),
    ("phone", 20, _share_known("phone")),
    ("exact_point", 10, lambda rows: rows["location_precision"].isin(EXACT_PRECISIONS)),
    ("website", 10, _share_known("website")),
    (
        "services_or_requirements",
        10,
        _share_known("services_text", "requirements_text", "eligibility_text"),
    ),
)


def completeness(rows: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return each row's `completeness_score` (0 to 100) and `completeness_missing` (names)."""
    has_part = np.column_stack([test(rows).to_numpy(bool) for _, _, test in PARTS])
    weights = np.array([weight for _, weight, _ in PARTS])
    names = [name for name, _, _ in PARTS]
    # Only 2^6 combinations exist: each list is created once and looked up.
    pattern = has_part @ (1 << np.arange(len(PARTS)))
    lists = [
        [n for i, n in enumerate(names) if not code >> i & 1] for code in range(1 << len(PARTS))
    ]
    score = pd.Series(has_part @ weights, index=rows.index, dtype="Int64")
    missing = pd.Series([lists[code] for code in pattern], index=rows.index, dtype=object)
    return score, missing
