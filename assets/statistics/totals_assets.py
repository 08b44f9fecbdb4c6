"""Makes totals by state, city and type, single figures, and the crosswalk."""

from collections.abc import Iterator

import dagster as dg
import pandas as pd

from assets.directory.identity import crosswalk
from assets.statistics.atlas import ATLAS_COLUMNS, city_totals, state_totals, type_counts
from assets.steps.tables import outputs, outs_of, read
from schemas.sources.registry import sources
from schemas.tables.core import (
    CITY_TOTALS,
    CROSSWALK,
    DOUBTFUL_PAIRS,
    FIGURES,
    IDENTITIES,
    RECORD_SOURCES,
    RESOURCES,
    STATE_TOTALS,
    TYPE_COUNTS,
)
from schemas.vocab.resource_types import PANTRY_CLASS, TYPES_BY_MODE
from schemas.vocab.statuses import EXACT_PRECISIONS

FIGURE_COLUMNS = [
    "resource_id",
    "resource_type",
    "is_active",
    "phone",
    "website",
    "hours_text",
    "schedules_json",
    "is_hours_current",
    "address",
    "location_precision",
    "last_verified_date",
    "services_offered",
    "requirements_text",
    "languages",
    "data_source",
    "source_count",
]


def figures(
    resources: pd.DataFrame, record_sources: pd.DataFrame, identities: pd.DataFrame, pairs_left: int
) -> pd.DataFrame:
    """Return all figures in the columns of `FIGURES`. Only active resources count.

    `resources` has `FIGURE_COLUMNS`; `record_sources` has resource_id, source_id and match_reason;
    `identities` has resource_id and id_status. `pairs_left` is how many doubtful pairs wait for a
    reviewer.
    """
    active = resources[resources["is_active"]]
    records = record_sources[record_sources["resource_id"].isin(active["resource_id"])]
    parts = [
        _count_known_fields(active),
        _by_group("places_led_by_source", active["data_source"]),
        _by_group(
            "snap_retailers_led_by_source",
            active.loc[active["resource_type"] == "snap_retailer", "data_source"],
        ),
        _by_group("records_of_source", records["source_id"]),
        _by_group(
            "places_by_last_verified_date", active["last_verified_date"].dropna().astype("str")
        ),
        _by_group("records_by_match_reason", match_families(records["match_reason"])),
        _merging(active, records, identities, pairs_left),
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame[FIGURES.field_names].sort_values(["figure_id", "figure_group"], ignore_index=True)


def match_families(reasons: pd.Series) -> pd.Series:
    """Return match reasons without the numbers that differ from pair to pair."""
    plain = reasons.str.replace(r",? ?\d+(?:\.\d+)? miles apart", "", regex=True)
    return plain.str.replace(r" \d\.\d+ alike", " alike", regex=True)


def _frame(figure_id: str, counts: dict[str, int]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "figure_id": figure_id,
            "figure_group": pd.array(list(counts), dtype="str"),
            "figure": pd.array(list(counts.values()), dtype="int64"),
        }
    )


def _by_group(figure_id: str, groups: pd.Series) -> pd.DataFrame:
    return _frame(figure_id, {str(k): int(n) for k, n in groups.value_counts().items()})


def _count_known_fields(active: pd.DataFrame) -> pd.DataFrame:
    """Return how many places of each class have each thing that a visitor needs."""
    has = active.notna()
    masks = {
        "places": pd.Series(True, index=active.index),
        "known_phone": has["phone"],
        "known_website": has["website"],
        "known_hours": has["hours_text"] | has["schedules_json"],
        "known_hours_current": active["is_hours_current"],
        "known_hours_old": has["schedules_json"] & ~active["is_hours_current"],
        "known_address": has["address"],
        "known_geocode": active["location_precision"].isin(EXACT_PRECISIONS),
        "known_verification_date": has["last_verified_date"],
        "known_services_offered": active["services_offered"].str.len().fillna(0) > 0,
        "known_requirements_text": has["requirements_text"],
        "known_languages_offered": active["languages"].str.len().fillna(0) > 0,
    }
    kind = active["resource_type"]
    classes = {
        "all": pd.Series(True, index=active.index),
        "pantry_class": kind.isin(PANTRY_CLASS),
        "free": kind.isin(TYPES_BY_MODE["free"]),
    }
    return pd.concat(
        _frame(name, {group: int((mask & is_in).sum()) for group, is_in in classes.items()})
        for name, mask in masks.items()
    )


def _merging(
    active: pd.DataFrame, records: pd.DataFrame, identities: pd.DataFrame, pairs_left: int
) -> pd.DataFrame:
    """Return the figures of merging, one group each."""
    behind = records.groupby("resource_id").size()
    sources = records.groupby("resource_id")["source_id"].nunique()
    status = identities.drop_duplicates("resource_id")["id_status"].value_counts()
    return _frame(
        "merging",
        {
            "source_records": len(records),
            "resources": len(active),
            "merged_records": len(records) - len(active),
            "resources_of_two_or_more_records": int((behind >= 2).sum()),
            "resources_of_two_or_more_sources": int((sources >= 2).sum()),
            "most_records_in_one_resource": int(behind.max()) if len(behind) else 0,
            "pairs_left_to_a_reviewer": pairs_left,
            "ids_merged": int(status.get("merged", 0)),
            "ids_retired": int(status.get("retired", 0)),
        },
    )


@dg.multi_asset(
    ins={
        "resources": read(
            RESOURCES,
            list(dict.fromkeys([*ATLAS_COLUMNS, *FIGURE_COLUMNS, "is_active", "is_confidential"])),
        ),
        "records": read(RECORD_SOURCES, ["resource_id", "source_id", "match_reason", "source_key"]),
        "ids": read(IDENTITIES, ["resource_id", "id_status"]),
        "pairs": read(DOUBTFUL_PAIRS, ["source_id"]),
    },
    outs=outs_of("statistics", TYPE_COUNTS, FIGURES, CITY_TOTALS, STATE_TOTALS, CROSSWALK),
    can_subset=True,
)
def out_directory_totals(
    context: dg.AssetExecutionContext,
    resources: pd.DataFrame,
    records: pd.DataFrame,
    ids: pd.DataFrame,
    pairs: pd.DataFrame,
) -> Iterator[dg.Output[pd.DataFrame]]:
    by_state = state_totals(resources)
    identifiers = {s.id: s.identifiers for s in sources().values() if s.identifiers}
    tables = {
        TYPE_COUNTS: type_counts(resources),
        FIGURES: figures(resources, records, ids, len(pairs)),
        CITY_TOTALS: city_totals(resources),
        STATE_TOTALS: by_state,
        CROSSWALK: crosswalk(resources, records, identifiers),
    }
    covered = int((by_state["resource_count"] > 0).sum())
    yield from outputs(context, tables, {"states_covered": covered})
