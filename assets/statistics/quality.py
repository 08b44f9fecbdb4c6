"""The data quality of a build: measured values, some against written limits, one row each.

`warning` rows point a person to possible faults; `figure` rows are the coverage that a reader of
the data needs to know. What must not be published is in `schemas/checks/`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import dagster as dg
import numpy as np
import pandas as pd
from rapidfuzz import fuzz

from assets.cleaning.keys import address_key, name_key
from assets.geography.points import PointIndex
from assets.steps.tables import asset_of, read
from schemas.hours.schedule import doubt_of, is_doubtful_throughout, schedules_from_json
from schemas.tables.core import QUALITY, RECORD_SOURCES, RESOURCES, STATEMENTS
from schemas.vocab.resource_types import PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.states import STATES
from schemas.vocab.statuses import EXACT_PRECISIONS
from warehouse.parquet import read_frame

NEAR_MILES = 60 / 1609.344
_ALIKE_FROM = 85.0


def find_repeats(places: pd.DataFrame) -> pd.DataFrame:
    """Return pairs (resource_id, other_id) of places that look like one.

    `places` needs resource_id, name, resource_type, address, state, zip, lat, lng,
    location_precision and phone_e164.
    """
    rows = places.reset_index(drop=True)
    names = rows["name"].map(name_key)
    kinds, phones = rows["resource_type"], rows["phone_e164"]
    with_address = rows[rows["address"].notna()]
    keys = with_address["address"].map(address_key)
    # Text without a house number names many spots: "Main Street".
    with_address = with_address[keys.str.match(r"\d")]
    groups = with_address.groupby([keys, "state", "zip"]).groups.values()
    at_one_address = {pair for group in groups for pair in combinations(sorted(group), 2)}
    exact = rows[rows["location_precision"].isin(EXACT_PRECISIONS) & rows["lat"].notna()]
    index = PointIndex(exact["lat"].to_numpy(float), exact["lng"].to_numpy(float))
    row = exact.index.to_numpy()
    at_one_point = {(int(row[a]), int(row[b])) for a, b in index.pairs_within(NEAR_MILES)}
    number_pairs = [
        (one, other)
        for one, other in sorted(at_one_address | at_one_point)
        if kinds[one] == kinds[other]
        and (
            phones[one] == phones[other]
            or fuzz.token_sort_ratio(names[one], names[other]) >= _ALIKE_FROM
        )
    ]
    ids = rows["resource_id"].to_numpy()
    pairs = np.array(number_pairs, dtype=np.int64).reshape(-1, 2)
    return pd.DataFrame({"resource_id": ids[pairs[:, 0]], "other_id": ids[pairs[:, 1]]})


Severity = Literal["warning", "figure"]

# If more addresses than this have one exact point, the point was copied.
MAX_ADDRESSES_AT_A_POINT = 20
# A telephone number that more places than this share is that of a hotline.
MAX_PLACES_AT_A_PHONE = 25
# Shares of a source's rows that may be rejected or placed by ZIP before a person should check.
MAX_ZIP_PLACED = 0.30
_EXAMPLES = 5
# Pantries and kitchens are assigned one to one between lists; see docs/matching.md.
MAX_CROSSWISE = 0
MAX_ROWS_NAMED = 50
# Share of places that are listed twice: a visitor would call both.
MAX_SHOWN_TWICE = 0.005


@dataclass(frozen=True)
class Measure:
    """One measured value. `threshold` None: reported only."""

    check_id: str
    check_group: str
    measured: float
    threshold: float | None
    severity: Severity
    detail: str

    @property
    def is_passed(self) -> bool:
        return self.threshold is None or self.measured <= self.threshold


def _figure(check_id: str, group: object, value: float, detail: str) -> Measure:
    """Return a measure that is reported only, rounded to four places."""
    return Measure(check_id, str(group), round(float(value), 4), None, "figure", detail)


def read_statements(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """Read the measured statements, a few of about ten per record: names, addresses and types of
    places with free food, and contradictions."""
    free = {"field_name": ["resource_type"], "value": TYPES_BY_MODE["free"]}
    types = read_frame(path, columns, free)
    conditions = {"field_name": ["name", "address"], "resource_id": types["resource_id"].unique()}
    contradicted = {"is_contradicted": [True]}
    parts = [types, *(read_frame(path, columns, where) for where in (conditions, contradicted))]
    return pd.concat(parts, ignore_index=True).drop_duplicates()


def quality_checks(
    resources: pd.DataFrame, record_sources: pd.DataFrame, statements: pd.DataFrame
) -> pd.DataFrame:
    """Return all measures of a directory in the columns of `out_directory__quality_checks`.

    `statements` are those that `read_statements` returns.
    """
    active = resources[resources["is_active"]]
    free = active[active["resource_type"].isin(TYPES_BY_MODE["free"])]
    measures = [
        *_piles(active),
        *_count_shared_phones(active),
        *_coverage(active, "data_source"),
        *_coverage(active, "resource_type"),
        *_zip_placed(active),
        *_crosswise(active, statements),
        *_count_shown_twice(free, record_sources),
        *_count_repeats(active, record_sources),
        *_contradictions(active, statements),
        _has_hours_today(free),
    ]
    rows = [{name: getattr(measure, name) for name in QUALITY.field_names} for measure in measures]
    return pd.DataFrame(rows, columns=QUALITY.field_names)


def _piles(active: pd.DataFrame) -> Iterator[Measure]:
    """Yield the largest pile of different addresses at one point that claims to be exact."""
    exact = active[active["location_precision"].isin(EXACT_PRECISIONS)]
    sizes = exact.groupby(["lat", "lng"])["address"].nunique().sort_values(ascending=False)
    largest = float(sizes.iloc[0]) if len(sizes) else 0.0
    where = "; ".join(
        f"{n} addresses at {lat}, {lng}" for (lat, lng), n in sizes.head(_EXAMPLES).items()
    )
    yield Measure(
        "addresses_at_one_exact_point",
        "all",
        largest,
        MAX_ADDRESSES_AT_A_POINT,
        "warning",
        where or "no exact points",
    )


def _count_shared_phones(active: pd.DataFrame) -> Iterator[Measure]:
    pantries = active[active["resource_type"].isin(PANTRY_CLASS)]
    sizes = pantries["phone_e164"].value_counts()
    largest = float(sizes.iloc[0]) if len(sizes) else 0.0
    examples = "; ".join(f"{phone}: {n} places" for phone, n in sizes.head(_EXAMPLES).items())
    yield Measure(
        "places_at_one_phone",
        "pantry class",
        largest,
        MAX_PLACES_AT_A_PHONE,
        "warning",
        examples or "no telephone numbers",
    )


_COVERED = {"phone": "phone", "website": "website", "hours": "schedules_json", "address": "address"}


def _coverage(active: pd.DataFrame, column: str) -> Iterator[Measure]:
    """Yield share of resources with each thing a visitor needs, by source or type."""
    shares = active[list(_COVERED.values())].notna().groupby(active[column]).mean()
    for part, field in _COVERED.items():
        for group, share in shares[field].items():
            detail = f"share of resources whose {part} is known"
            yield _figure(f"{part}_known_by_{column}", group, share, detail)


def _zip_placed(active: pd.DataFrame) -> Iterator[Measure]:
    vague = ~active["location_precision"].isin(EXACT_PRECISIONS)
    for source, share in vague.groupby(active["data_source"]).mean().items():
        yield Measure(
            "placed_by_zip_or_city",
            str(source),
            round(float(share), 4),
            MAX_ZIP_PLACED,
            "warning",
            "share of resources without an exact point",
        )


def _crosswise(active: pd.DataFrame, statements: pd.DataFrame) -> Iterator[Measure]:
    """Yield places that merge one list's pantry with another's kitchen although each list has the
    other kind as a separate place under the same name and address."""
    names = ["name", "address", "resource_type"]
    field_statements = statements[statements["field_name"].isin(names)]
    records = field_statements.pivot(
        index=["resource_id", "source_id", "source_key"], columns="field_name", values="value"
    )
    records = records.reindex(columns=names).reset_index().dropna()
    records = records[records["resource_type"].isin(TYPES_BY_MODE["free"])]
    kinds = records.groupby("resource_id")["resource_type"].transform("nunique")
    mixed = records[kinds > 1].merge(records, on=["source_id", "name", "address"])
    different = mixed[
        (mixed["resource_id_x"] != mixed["resource_id_y"])
        & (mixed["resource_type_x"] != mixed["resource_type_y"])
    ]
    # The other kind must be one that the mixed place takes from another list.
    record_pairs = records.set_index(["resource_id", "resource_type"]).index
    wanted_pairs = pd.MultiIndex.from_frame(different[["resource_id_x", "resource_type_y"]])
    resource_ids = sorted(
        set(different.loc[wanted_pairs.isin(record_pairs), "resource_id_x"])
        & set(active["resource_id"])
    )
    yield Measure(
        "crosswise_places",
        "free food",
        float(len(resource_ids)),
        MAX_CROSSWISE,
        "warning",
        "; ".join(map(str, resource_ids[:MAX_ROWS_NAMED]))
        or "no place joins a pantry and a kitchen that each have another partner",
    )


def _count_shown_twice(free: pd.DataFrame, record_sources: pd.DataFrame) -> Iterator[Measure]:
    """Yield the share of places with free food near one that looks the same, and how many of those
    pairs each list has itself."""
    pairs = find_repeats(free)
    twice = pd.concat([pairs["resource_id"], pairs["other_id"]]).nunique()
    names = [f"{one} and {other}" for one, other in pairs.itertuples(index=False)]
    yield Measure(
        "free_food_shown_twice",
        "free food",
        round(twice / len(free), 4) if len(free) else 0.0,
        MAX_SHOWN_TWICE,
        "warning",
        "; ".join(names[:MAX_ROWS_NAMED])
        or "no two places of one type, door, and name or telephone",
    )
    links = record_sources[["resource_id", "source_id"]].drop_duplicates()
    both = pairs.merge(links, on="resource_id").merge(
        links.rename(columns={"resource_id": "other_id"}), on=["other_id", "source_id"]
    )
    detail = "pairs of places with free food that look the same but are separate in this list"
    for source, count in both["source_id"].value_counts().sort_index().items():
        yield _figure("pairs_of_one_list_shown_twice", source, count, detail)


def _count_repeats(active: pd.DataFrame, record_sources: pd.DataFrame) -> Iterator[Measure]:
    """Yield by source the share of records that repeat a place of the same list."""
    links = record_sources[record_sources["resource_id"].isin(active["resource_id"])]
    for source, places in links.groupby("source_id")["resource_id"]:
        if again := len(places) - places.nunique():
            detail = f"{again} of {len(places)} records are places that the same list already has"
            yield _figure("records_listed_again", source, again / len(places), detail)


def _contradictions(active: pd.DataFrame, statements: pd.DataFrame) -> Iterator[Measure]:
    """Yield by field how many places have sources that contradict each other."""
    contradictions = statements.loc[statements["is_contradicted"], ["resource_id", "field_name"]]
    contradictions = contradictions[
        contradictions["resource_id"].isin(active["resource_id"])
    ].drop_duplicates()
    for field, count in contradictions["field_name"].value_counts().sort_index().items():
        detail = "places whose sources state different values"
        yield _figure("contradicted_places", field, count, detail)


def _has_hours_today(free: pd.DataFrame) -> Measure:
    """Return the share of places with free food whose hours are certain and current: a rule without
    doubt, and no rule that makes all hours doubtful."""
    certain = []
    for text in free["schedules_json"].dropna().unique():
        schedules = schedules_from_json(text)
        has_certain_rule = any(not s.is_closed and doubt_of(s) is None for s in schedules)
        if has_certain_rule and not is_doubtful_throughout(schedules):
            certain.append(text)
    is_current = free["is_hours_current"].fillna(False).astype(bool)
    has_hours_today = free["schedules_json"].isin(certain) & is_current
    detail = (
        f"{int(has_hours_today.sum())} of {len(free)} places with free food have current, certain "
        "hours"
    )
    share = has_hours_today.mean() if len(free) else 0.0
    return _figure("free_food_with_hours_today", "all", share, detail)


def states_without_free_food(active: pd.DataFrame) -> list[str]:
    """Return states and territories without an active place that gives free food."""
    free = active[active["resource_type"].isin(TYPES_BY_MODE["free"])]
    return sorted(set(STATES) - set(free["state"].dropna()))


# ------------------------------------------------------------------ the asset

_COLUMNS = [
    "resource_id",
    "name",
    "resource_type",
    "is_active",
    "address",
    "state",
    "zip",
    "lat",
    "lng",
    "location_precision",
    "phone",
    "phone_e164",
    "website",
    "schedules_json",
    "is_hours_current",
    "data_source",
]
_STATED_COLUMNS = [
    "resource_id",
    "field_name",
    "source_id",
    "source_key",
    "value",
    "is_contradicted",
]


@dg.asset(
    ins={
        "resources": read(RESOURCES, _COLUMNS),
        "records": read(RECORD_SOURCES, ["resource_id", "source_id"]),
        "stated": read(STATEMENTS),
    },
    **asset_of(QUALITY, "directory"),
)
def out_directory__quality_checks(
    resources: pd.DataFrame, records: pd.DataFrame, stated: Path
) -> Iterator[dg.Output[pd.DataFrame]]:
    checks = quality_checks(resources, records, read_statements(stated, _STATED_COLUMNS))
    yield dg.Output(checks, metadata={"beyond_limit": int((~checks["is_passed"]).sum())})
