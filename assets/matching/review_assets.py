"""Reviewers' answers for the matching, and the pairs that still wait for one."""

from typing import Any

import pandas as pd

from assets.steps.decorators import Facts, table_asset
from assets.steps.workspace import Workspace
from schemas.tables.core import DOUBTFUL_PAIRS, IDENTITIES, RESOURCES
from schemas.tables.operations import DECISIONS
from schemas.tables.out import DOUBTFUL
from warehouse.operations.export import merge_decisions
from warehouse.operations.location import store_of

_READ = {
    IDENTITIES.name: ["source_id", "source_key", "resource_id", "successor_id"],
    RESOURCES.name: ["resource_id", "is_active"],
}


def _decide(workspace: Workspace) -> Facts:
    store = store_of(workspace.root)
    try:
        return {"rows": merge_decisions(store)}
    finally:
        store.close()


@table_asset(DECISIONS, reads={}, group="operations", settings=_decide)
def core_operations__decisions(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=DECISIONS.field_names, dtype="str")


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


# Only pairs of which both are listed, as two places: the others are nothing to look at.
out_directory__doubtful_pairs = table_asset(
    DOUBTFUL, reads={DOUBTFUL_PAIRS.name: None, **_READ}, group="directory"
)(list_pairs)

OPERATIONS_ASSETS = (core_operations__decisions, out_directory__doubtful_pairs)
