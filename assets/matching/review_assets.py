"""Reviewers' answers for the matching, and the pairs that still wait for one."""

import dagster as dg
import pandas as pd

from assets.steps.tables import asset_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import DECISIONS, DOUBTFUL, DOUBTFUL_PAIRS, IDENTITIES, RESOURCES
from warehouse.operations.export import merge_decisions
from warehouse.operations.location import store_of


@dg.asset(**asset_of(DECISIONS, "operations"))
def core_operations__decisions(workspace: Workspace) -> pd.DataFrame:
    store = store_of(workspace.root)
    try:
        return pd.DataFrame(merge_decisions(store), columns=DECISIONS.field_names, dtype="str")
    finally:
        store.close()


def list_pairs(
    pairs: pd.DataFrame, identities: pd.DataFrame, resources: pd.DataFrame
) -> pd.DataFrame:
    """Return doubtful pairs with the ids of the two listed places, one row per pair."""
    place_ids = identities["successor_id"].fillna(identities["resource_id"])
    ids = identities[["source_id", "source_key"]].assign(resource_id=place_ids)
    other_ids = ids.rename(columns=lambda name: f"other_{name}")
    rows = pairs.merge(ids, on=["source_id", "source_key"]).merge(
        other_ids, on=["other_source_id", "other_source_key"]
    )
    active_ids = set(resources.loc[resources["is_active"], "resource_id"])
    is_listed = rows["resource_id"].isin(active_ids) & rows["other_resource_id"].isin(active_ids)
    rows = rows[is_listed & (rows["resource_id"] != rows["other_resource_id"])]
    first = rows[["resource_id", "other_resource_id"]].min(axis=1)
    last = rows[["resource_id", "other_resource_id"]].max(axis=1)
    rows = rows.assign(_first=first, _last=last).sort_values(
        ["name_similarity", "source_id", "source_key", "other_source_id", "other_source_key"],
        ascending=[False, True, True, True, True],
        kind="stable",
    )
    return rows.drop_duplicates(["_first", "_last"])[DOUBTFUL.field_names]


@dg.asset(
    ins={
        "pairs": read(DOUBTFUL_PAIRS),
        "identities": read(IDENTITIES, ["source_id", "source_key", "resource_id", "successor_id"]),
        "resources": read(RESOURCES, ["resource_id", "is_active"]),
    },
    **asset_of(DOUBTFUL, "directory"),
)
def out_directory__doubtful_pairs(
    pairs: pd.DataFrame, identities: pd.DataFrame, resources: pd.DataFrame
) -> pd.DataFrame:
    # Only pairs of which both are listed, as two places: the others are nothing to look at.
    return list_pairs(pairs, identities, resources)


OPERATIONS_ASSETS = (core_operations__decisions, out_directory__doubtful_pairs)
