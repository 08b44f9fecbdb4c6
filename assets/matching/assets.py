"""Matches the records of all sources: which of them describe one place.

Records of two states are never one place, but word frequencies and shared telephone numbers are
counted nationwide first: features by state -> candidate pairs -> clusters by state. The states'
intermediate files are scratch; several states run in parallel.
"""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.matching.matching import LOCATED_COLUMNS, cluster_state
from assets.matching.profiles import SHARED_BY, facts_by_state
from assets.parallel import for_each
from assets.steps.tables import asset_of, outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import (
    CLUSTERS,
    DECISIONS,
    DOUBTFUL,
    DOUBTFUL_PAIRS,
    IDENTITIES,
    LOCATED,
    RESOURCES,
)
from warehouse.blocking import candidates_by_state
from warehouse.operations.export import merge_decisions
from warehouse.operations.location import store_of
from warehouse.parquet import read_arrow, write_arrow, write_table

_TABLES = (DOUBTFUL_PAIRS, CLUSTERS)
# Rows per batch of features: each call costs a hundredth of a second.
_BATCH_ROWS = 5_000


@dg.multi_asset(
    ins={"located": read(LOCATED, LOCATED_COLUMNS), "decisions": read(DECISIONS)},
    outs=outs_of("matching", *_TABLES),
    can_subset=True,
)
def core_directory_matching(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    located: pd.DataFrame,
    decisions: pd.DataFrame,
) -> Iterator[dg.Output[pa.Table]]:
    """Put records of one place into clusters, and leave doubtful pairs to a reviewer."""
    by_state = [(str(state), rows) for state, rows in located.groupby("state", sort=True)]
    # The largest first: several states run at once.
    by_state.sort(key=lambda of_state: -len(of_state[1]))
    keys = ["source_id", "source_key"]
    answers = decisions.merge(located[[*keys, "state"]], on=keys)
    answers_by_state = {
        str(state): rows.drop(columns="state") for state, rows in answers.groupby("state")
    }
    with workspace.scratch() as folder:
        batches = ((folder, pd.concat(batch)) for batch in _batches([r for _, r in by_state]))
        for_each(write_facts, batches, rows=len(located), processes=workspace.processes)
        facts = {state: folder / f"{state}.facts" for state, _ in by_state}
        for state, candidates in candidates_by_state(facts, SHARED_BY):
            write_arrow(candidates.pairs, folder / f"{state}.pairs")
            write_arrow(candidates.shared, folder / f"{state}.shared")
        tasks = ((folder, state, rows, answers_by_state.get(state)) for state, rows in by_state)
        for_each(write_matches, tasks, rows=len(located), processes=workspace.processes)
        states = sorted(state for state, _ in by_state)
        tables = {
            table: pa.concat_tables(read_arrow(folder / f"{s}.{table.name}") for s in states)
            for table in _TABLES
        }
    yield from outputs(context, tables)


def _batches(states: list[pd.DataFrame]) -> Iterator[list[pd.DataFrame]]:
    """Yield the states in batches of `_BATCH_ROWS` or more; only the last one has fewer."""
    batch: list[pd.DataFrame] = []
    for rows in states:
        batch.append(rows)
        if sum(map(len, batch)) >= _BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def write_facts(folder: Path, located: pd.DataFrame) -> None:
    """Write some states' features for nationwide matching, a file for each."""
    for state, facts in facts_by_state(located).items():
        write_arrow(facts, folder / f"{state}.facts")


def write_matches(
    folder: Path, state: str, located: pd.DataFrame, decisions: pd.DataFrame | None
) -> None:
    """Write a state's doubtful pairs and clusters."""
    pairs, shared = (read_arrow(folder / f"{state}.{name}") for name in ("pairs", "shared"))
    matching = cluster_state(located, pairs, shared, decisions)
    for table, frame in zip(_TABLES, (matching.doubtful, matching.clusters), strict=True):
        write_table(frame, table, folder / f"{state}.{table.name}")


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
