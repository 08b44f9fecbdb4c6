"""Compares an earlier list with a later list of one area: existing places and correct facts.

The later list is only a label. A place missing there has closed only if the list covers area and
kind in full; a telephone or timetable is compared only if both lists give one for the place.
Everything else is censored: not counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from assets.matching.matching import LOCATED_COLUMNS, cluster
from bench.aging.lists import PlaceList
from schemas.vocab.still_true import DAYS_A_YEAR, Fact

_KEY = ["source_id", "source_key"]
# Hours are under test, so they are no evidence here.
_MATCH_COLUMNS = [name for name in LOCATED_COLUMNS if name != "schedules_json"]
Texts = NDArray[Any]


@dataclass(frozen=True)
class Count:
    """Earlier listings of a type that a later list names, and the correct listings."""

    fact: Fact
    resource_type: str
    earlier: str
    later: str
    days: int
    listings: int
    right: int


def compare(earlier: PlaceList, later: PlaceList, *, is_covered: bool) -> list[Count]:
    """Return counts of the facts of an earlier list by type; `exists` only where `is_covered`."""
    pairs = _match(earlier, later)
    rights = _rights(pairs)
    if not is_covered:
        rights.pop("exists")
    counts = []
    for fact, right in rights.items():
        certain = right.dropna().astype(bool)
        for kind, group in certain.groupby(pairs.loc[certain.index, "resource_type"]):
            counts.append(
                Count(
                    fact,
                    str(kind),
                    earlier.label,
                    later.label,
                    (later.day - earlier.day).days,
                    len(group),
                    int(group.sum()),
                )
            )
    return counts


def find_matches(earlier: PlaceList, later: PlaceList) -> pd.Series:
    """Return for each row of the earlier list whether the later list has its place."""
    return _match(earlier, later)["is_found"]


# Facts and estimates of coverage compare the same lists.
@cache
def _match(earlier: PlaceList, later: PlaceList) -> pd.DataFrame:
    """Return the earlier rows with `is_found` and the values of the later list."""
    parts = [
        part.rows.assign(source_id=f"{age}:" + part.rows["source_id"], age=age)
        for age, part in (("earlier", earlier), ("later", later))
    ]
    rows = pd.concat(parts, ignore_index=True)
    clusters = cluster(rows[_MATCH_COLUMNS]).clusters[[*_KEY, "cluster_id"]]
    rows = rows.merge(clusters, on=_KEY, validate="one_to_one")
    is_later = rows["age"] == "later"
    is_in_both = rows["cluster_id"].isin(rows.loc[~is_later, "cluster_id"])
    later_values = (
        rows[is_later & is_in_both]
        .groupby("cluster_id")
        .agg(
            phones=("phone_e164", lambda values: set(values.dropna())),
            timetables=("schedules_json", lambda values: set(values.dropna())),
        )
    )
    first = rows[~is_later].join(later_values, on="cluster_id").reset_index(drop=True)
    return first.assign(is_found=first["phones"].notna())


def _rights(pairs: pd.DataFrame) -> dict[Fact, pd.Series]:
    """Return whether each fact of a listing is right; missing if the later list lacks it."""
    return {
        "exists": pairs["is_found"],
        "phone": _is_among(pairs["phone_e164"], pairs["phones"]),
        "hours": _is_among(pairs["schedules_json"], pairs["timetables"]),
    }


def _is_among(values: pd.Series, later: pd.Series) -> pd.Series:
    still_true = [
        None if pd.isna(value) or not isinstance(among, set) or not among else value in among
        for value, among in zip(values, later, strict=True)
    ]
    return pd.Series(still_true, values.index, dtype=object)


def store_counts(
    stores: pd.DataFrame, years: Sequence[int], spans: Sequence[int], until: int
) -> list[Count]:
    """Return how many stores authorized at the end of a year were authorized years later.

    `stores` are authorizations with `from_day` and `end_day`. A later authorization of
    the same store counts: visitors find the store there. Data after the year `until` is ignored.
    """
    clusters = cluster(stores[_MATCH_COLUMNS], has_sources=False).clusters
    store = clusters["cluster_id"].to_numpy()
    counts = []
    for span in spans:
        firsts = [year for year in years if year + span <= until]
        pairs = [
            (_select_authorized(stores, store, y), _select_authorized(stores, store, y + span))
            for y in firsts
        ]
        if not pairs:
            continue
        counts.append(
            Count(
                "exists",
                "snap_retailer",
                f"SNAP authorizations in Hawaii at each year's end from {firsts[0]} to "
                f"{firsts[-1]}",
                f"years later: {span}",
                round(span * DAYS_A_YEAR),
                sum(len(before) for before, _ in pairs),
                sum(len(np.intersect1d(*pair)) for pair in pairs),
            )
        )
    return counts


def _select_authorized(stores: pd.DataFrame, store: Texts, year: int) -> Texts:
    """Return the stores that are authorized at the end of a year."""
    at = pd.Timestamp(year, 12, 31)
    is_valid = (stores["from_day"] <= at) & ~(stores["end_day"] <= at)
    return np.unique(store[is_valid.to_numpy()])


@dataclass(frozen=True)
class Detection:
    """The middle list's coverage, including matching: its share of an early list's places that
    a late list shows to have existed in between.

    `survival` is the share of the early list that existed on the middle list's day.
    """

    early: str
    middle: str
    late: str
    listings: int
    in_middle: int
    in_late: int
    in_both: int

    @property
    def coverage(self) -> float:
        return self.in_both / self.in_late

    @property
    def survival(self) -> float:
        return self.in_middle / (self.listings * self.coverage)


def detect(early: PlaceList, middle: PlaceList, late: PlaceList) -> Detection:
    """Estimate the coverage of the middle one of three lists of one area (Jolly and Seber)."""
    in_middle = find_matches(early, middle).to_numpy()
    in_late = find_matches(early, late).to_numpy()
    return Detection(
        early.label,
        middle.label,
        late.label,
        len(in_middle),
        int(in_middle.sum()),
        int(in_late.sum()),
        int((in_middle & in_late).sum()),
    )
